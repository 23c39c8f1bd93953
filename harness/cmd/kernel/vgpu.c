/* gcncheck vgpu: a program on a virtual GPU. */
#include "harness/cmd/base/cmd.h"
#include "harness/vgpu/under.h"

#include <signal.h>
#include <stdio.h>

/* Ends as the program has ended, by its signal if it was one. */
static int end_like(int code)
{
    if (code > 128) {
        signal(code - 128, SIG_DFL);
        raise(code - 128);
    }
    return code;
}

int cmd_vgpu(struct opts *o)
{
    struct err e = { .text = "" };
    char chip[200], reason[4200];
    struct vgpu_under u;
    struct text why;
    int code = 0;
    enum status st = vgpu_under_parse(o->arg[0], chip, sizeof chip, &u, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    u.log = o->log;
    if (o->mutant && (u.mutant || u.doubt))
        return cmd_error(o, EXIT_USAGE, "--mutant %s: the chip has a bug, or a doubt, already",
                         o->mutant);
    if (o->mutant)
        u.mutant = o->mutant;
    if (o->fault)
        u.fault = o->fault;
    u.front = o->front;
    u.coverage = o->coverage;
    u.trace = o->trace;
    u.stats = o->stats;
    text_init(&why, reason, sizeof reason);
    bool is_beside = vgpu_under_needs_seccomp(&u, o->arg[1], &why);
    if (!o->quiet)
        fprintf(stderr, "vgpu: front end %s: %s\n", is_beside ? "seccomp" : "preload", reason);
    if (!is_beside)
        return cmd_fail(o, vgpu_under_exec(&u, o->arg[1], o->arg + 1, &e), &e);
    st = vgpu_under_serve(&u, o->arg[1], o->arg + 1, &code, &e);
    return st == ST_OK ? end_like(code) : cmd_fail(o, st, &e);
}
