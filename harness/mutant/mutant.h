/* Mutants: the model with one planted bug each. They prove that the suite sees bugs: the directed
 * cases must tell every mutant from the model, and the fuzzer must find those of values and of
 * state. A mutant replaces one pointer of an engine: an opcode's function, the fetch and store
 * functions, or the step loop. scripts/mutate/mutate.py derives them from the rows, from
 * oracle/sem/operand.c and from oracle/exec/exec.c; those of state are in harness/mutant/state.c,
 * and mistakes that can be made at many rows, by class of bug, in harness/mutant/slip*.c.
 *
 * gcncheck itself has none: they are more code than the rest of it. gcncheck-mutants is gcncheck
 * with them. A program has mutants if list.c of this folder and build/libmutants.a are linked into
 * it; else none.c takes the place of the list. */
#ifndef HARNESS_MUTANT_MUTANT_H
#define HARNESS_MUTANT_MUTANT_H

#include "oracle/exec/exec.h"

enum mutant_kind {
    MUTANT_VALUE,
    MUTANT_FLAG,     /* SCC, a carry, a compare's mask */
    MUTANT_EXEC,     /* who acts, or EXEC itself */
    MUTANT_MODIFIER, /* abs, neg, sext, omod, clamp, selects, DPP */
    MUTANT_ADDRESS,
    MUTANT_STATE, /* what one instruction leaves for the next: no single instruction shows it */
    MUTANT_KINDS
};

struct mutant {
    const char *id;    /* OPCODE.WHAT, ENCODING.WHAT, operand.WHAT or state.WHAT */
    const char *class; /* of bug, by which mutants are counted; NULL: its kind */
    const char *text;  /* what is wrong */
    u16 op;            /* whose function is replaced; OP_NONE: not a single opcode's */
    u8 enc;            /* in which encoding it shows; ENC_COUNT: in any */
    u8 kind;           /* enum mutant_kind */
    u8 witness;  /* of MUTANT_STATE: instructions of the shortest program that shows it, counted as
                    findings are (harness/finding/finding.h): with waits, without s_endpgm;
                    else 0 */
    sem_fn *sem; /* of the following three the one that is set replaces the engine's */
    const struct operand_ops *operand;
    const struct exec_ops *exec;
};

/* Mutants that stand in one table: it, or what gives it and the number of its mutants. */
struct mutant_family {
    const struct mutant *mutant;
    const u32 *count;
    const struct mutant *(*made)(u32 *count);
};

/* The mutants that are made of slips (slip.h), once for the process. */
const struct mutant *mutant_slips(u32 *count);

/* The mutants of this program, if it has any; a family without both ends the list. */
extern const struct mutant_family mutant_families[];

/* Whether this program has mutants. */
bool mutant_any(void);

/* The mutants, in a fixed order; NULL behind the last. They live for ever. */
const struct mutant *mutant_at(u32 index);

/* The mutant of this id, or NULL. */
const struct mutant *mutant_find(const char *id);

/* "value", "flag", "exec", "modifier", "address", "state". */
const char *mutant_kind_name(enum mutant_kind kind);

/* The class of bug. */
const char *mutant_class(const struct mutant *mu);

/* The name of the encoding in which it shows, "-" for any. */
const char *mutant_encoding(const struct mutant *mu);

/* Plants it into an engine of the caller's (opened with engine_open, "ref"). */
void mutant_plant(const struct mutant *mu, struct engine *eng);

/* Whether two mutants cannot be had at once: both are in the function of one opcode, in the operands
 * of one encoding, or in the step loop. */
bool mutant_collide(const struct mutant *a, const struct mutant *b);

/* Plants several, no two of which collide, into an engine (opened with engine_open, "ref") that the
 * process has only one of at a time. The processor must live as long as it. */
void mutant_plant_all(const struct mutant *const *mu, u32 count, const struct isa *isa,
                      struct engine *eng);

/* The program that has the mutants. */
#define MUTANT_PROGRAM "gcncheck-mutants"

/* Makes sure that this process has mutants: if its program has none, the process goes on as
 * MUTANT_PROGRAM of the same folder, from its beginning, with the arguments `argv` (a NULL ends
 * them). To be called before anything is read from standard input or printed. ST_WORLD if there is
 * no such program. */
enum status mutant_become(char *const *argv, struct err *e);

#endif
