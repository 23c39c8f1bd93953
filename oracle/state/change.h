/* What an instruction has changed, in words: from the log of what its wave wrote. */
#ifndef ORACLE_STATE_CHANGE_H
#define ORACLE_STATE_CHANGE_H

#include "oracle/state/state.h"

/* Bytes that hold whatever one instruction changes. */
enum { CHANGE_BYTES = 64 << 10 };

/* Adds " v1[0-62]=0x5[63]=0x6": the lanes of a vector register that are set in `which`. */
void change_print_vector(struct text *t, u32 reg, const u32 *v, u64 which);

/* Adds each place of the wave's log that holds another value than before: " s1=0x2 mem[0x1000]=0x05";
 * " ..." if some were lost. */
void change_print(struct text *t, struct wave *w);

#endif
