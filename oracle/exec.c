/* The step loop. */
#include "oracle/exec.h"

static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_fetch(m, w);
        if (!in)
            break;
        w->stop_pc = w->pc;
        w->pc += in->insn.dw * 4u;
        in->sem(w, in);
        w->steps++;
    }
    return w->stop;
}

const struct exec_ops exec_ops = { .run = run };
