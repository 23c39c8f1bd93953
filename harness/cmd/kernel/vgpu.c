/* gcncheck vgpu: a program on a virtual GPU. */
#include "harness/cmd/base/cmd.h"
#include "harness/vgpu/under.h"

int cmd_vgpu(struct opts *o)
{
    struct err e = { .text = "" };
    struct vgpu_under u;
    char chip[200];
    enum status st = vgpu_under_parse(o->arg[0], chip, sizeof chip, &u, &e);
    u.log = o->log;
    u.fault = o->fault;
    u.stats = o->stats;
    if (st == ST_OK)
        st = vgpu_under_exec(&u, o->arg[1], o->arg + 1, &e);
    return cmd_fail(o, st, &e);
}
