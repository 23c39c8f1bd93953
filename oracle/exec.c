/* The step loop. A variant of this file, compiled under another table name, is a mutant. */
#include "oracle/exec.h"

#ifdef MUTANT
#define EXEC_OPS SEM_TABLE(exec_ops)
#else
#define EXEC_OPS exec_ops
#endif

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

const struct exec_ops EXEC_OPS = { .run = run };
