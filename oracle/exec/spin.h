/* Waves that wait for memory. A wave that comes back to an instruction in the same state, and has
 * changed no memory on the way, does the same for ever, as long as what it has read on the way
 * stays as it is: it waits. That is a proof, not a guess: its registers and its private memory are
 * compared (by a hash of 64 bits), and the bytes of other memory that it has read are remembered. A
 * loop that counts, or reads the clock, is none.
 *
 * A wave is looked at for a short while at numbers of instructions that grow by powers, so that
 * long loops cost nothing. Called by schedule.c. */
#ifndef ORACLE_EXEC_SPIN_H
#define ORACLE_EXEC_SPIN_H

#include "oracle/exec/exec.h"

enum { SPIN_READS = 64 };

/* What a wave has written of its private memory while it was looked at: bytes of the machine's. */
struct spin_private {
    u64 first, end;
};

/* Of one wave. */
struct spin {
    struct observer seen; /* while it is looked at */
    const struct machine *machine;
    struct spin_private private;
    bool is_looking, is_waiting;
    bool has_acted;    /* it changed memory, or read more than is remembered */
    u32 visits, saved; /* of the instruction at pc; the last one whose state is in hash */
    u64 next, gap;     /* when it is looked at, and how much later the time after: instructions */
    u64 until;         /* and to when */
    u64 pc, hash;
    u32 reads;
    struct spin_read {
        const u8 *at;
        u64 value;
        u32 bytes;
    } read[SPIN_READS];
};

void spin_reset(struct spin *s);

/* The wave will be looked at soon: others wait already. */
void spin_look_early(struct spin *s);

/* How many instructions of `limit` the wave may execute before spin_step is called. Begins to look
 * at it if it is time. */
u64 spin_turn(struct spin *s, const struct machine *m, struct wave *w, u64 limit);

/* After that many. True if the wave waits. */
bool spin_step(struct spin *s, const struct machine *m, struct wave *w);

/* Whether a wave that waits has to go on: something that it has read is no longer the same. It is
 * looked at again soon. */
bool spin_is_over(struct spin *s, const struct wave *w);

/* A hash of all that an instruction of the wave can read beside memory that others see, and beside
 * private memory that was not written; and of results that are on their way to it. */
u64 spin_hash(const struct machine *m, const struct wave *w, const struct spin_private *p);

/* Whether an access is to private memory; *p then covers it if it writes. *grew: it had not. */
bool spin_is_private(const struct machine *m, const struct mem_access *a, struct spin_private *p,
                     bool *grew);

#endif
