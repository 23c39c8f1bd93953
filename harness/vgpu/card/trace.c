/* Every instruction that waves execute, with what it changed. */
#include "harness/vgpu/core/internal.h"

#include <inttypes.h>

void vgpu_trace_step(struct vgpu *v, struct wave *w, const u32 group[3])
{
    char insn[512];
    struct text t;
    u64 pc = w->pc;
    const struct xinsn *in = machine_fetch(v->machine, w);
    if (!in)
        return;
    insn_print(&v->isa, &in->insn, insn, sizeof insn);
    w->log->count = w->log->used = 0;
    w->log->full = false;
    machine_step(v->machine, w);
    text_init(&t, v->changes, sizeof v->changes);
    change_print(&t, w);
    fprintf(v->cfg.trace, "vgpu:   %u.%u.%u/%u 0x%" PRIx64 " %s ;%s\n", group[0], group[1],
            group[2], w->id, pc, insn, v->changes);
}
