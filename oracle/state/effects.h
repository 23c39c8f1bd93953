/* What an instruction may read and write, from its row: for the differ (writes nobody announced),
 * for hazards and for placing waits. */
#ifndef ORACLE_STATE_EFFECTS_H
#define ORACLE_STATE_EFFECTS_H

#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

/* `dw` consecutive places from `place` on. dir: DIR_R, DIR_W or both. */
struct effect {
    u16 place;
    u8 dw;
    u8 dir;
};

enum { EFFECTS_MAX = 16 };

struct effects {
    u32 count;
    struct effect e[EFFECTS_MAX];
    bool mem_read, mem_write;
    enum space space; /* of the memory, if any */
};

/* Lists every register that the instruction may read or write, explicit operands and implied state
 * alike: SCC, EXEC (vector instructions read it), VCC, MODE, TRAPSTS (written by float and memory
 * rows), PC (written by branches). Constants are not places. The row must have operands. */
void effects_of(const struct insn *in, struct effects *fx);

/* The same without what is only read as an operand: for who asks for what is written, in less time. */
void effects_written(const struct insn *in, struct effects *fx);

/* Whether the instruction may write any of `dw` places from `place` on. */
bool effects_writes(const struct insn *in, u32 place, u32 dw);

/* Whether EXEC says which lanes execute the instruction. */
bool effects_is_by_lane(const struct insn *in);

/* Which memory the instruction goes to, if it does. */
enum space effects_space(const struct insn *in);

#endif
