/* gcncheck vgpu: a program on a virtual GPU. */
#include "harness/cmd/base/cmd.h"
#include "harness/vgpu/under.h"

int cmd_vgpu(struct opts *o)
{
    struct err e = { .text = "" };
    struct vgpu_under u = {
        .chip = o->arg[0], .log = o->log, .fault = o->fault, .stats = o->stats
    };
    return cmd_fail(o, vgpu_under_exec(&u, o->arg[1], o->arg + 1, &e), &e);
}
