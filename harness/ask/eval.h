/* Asking the model: given code and a few values, what changes? Behind `gcncheck eval`, as text for
 * people and as JSON lines for programs. Everything not given is zero; EXEC all ones, MODE the
 * default, PC 0x10000, LDS as large as a work-group's can be. */
#ifndef HARNESS_ASK_EVAL_H
#define HARNESS_ASK_EVAL_H

#include "oracle/exec/exec.h"
#include "oracle/state/place.h"

#include <stdio.h>

struct eval;

/* ST_INPUT for an unknown processor or engine, ST_WORLD without memory. The caller closes it. */
enum status eval_open(struct eval **out, const char *mcpu, const char *engine, struct err *e);
void eval_close(struct eval *ev);
const struct isa *eval_isa(const struct eval *ev);

/* Starts a question: the state above, no memory. */
void eval_reset(struct eval *ev);

/* The registers that a name stands for (oracle/state/place.h). ST_INPUT with the reason in *why if
 * there are none, the processor has no such, or they cannot be set: PC. */
enum status eval_place(const struct eval *ev, const char *name, size_t len, struct place_range *p,
                       const char **why);

/* What registers are set to: dwords for each lane. Scalar registers have those of lane 0. */
struct eval_value {
    u32 dw[PLACE_DW_MAX][LANES];
};

/* Sets the registers, vector registers in all lanes or in the one that the range names. */
void eval_set(struct eval *ev, const struct place_range *p, const struct eval_value *value);

/* Sets LDS bytes; ST_INPUT if they do not lie in it. */
enum status eval_set_lds(struct eval *ev, u64 offset, const u8 *bytes, u32 n, struct err *e);

/* Adds memory: its bytes are copied. ST_INPUT if windows overlap, are too many or too large (1 MiB
 * in all). */
enum status eval_set_mem(struct eval *ev, u64 addr, const u8 *bytes, u32 n, struct err *e);

/* Runs the code until it ends, leaves the code or has executed 100,000 instructions. ST_WORLD with
 * the reason if it cannot be executed: not an instruction, not modelled, no end. */
enum status eval_run(struct eval *ev, const u32 *code, u32 dw, struct err *e);

/* Whether the code accessed anything outside memory and LDS windows; *addr is the first such
 * address. */
bool eval_faulted(const struct eval *ev, u64 *addr);

/* The places whose value changed, ascending; returns how many (at most `max` are written). */
u32 eval_changed(struct eval *ev, u16 *place, u32 max);

/* A place's value before and now; PLACE_PC_LO counts as changed only if the code was left elsewhere
 * than at its end. */
u32 eval_before(const struct eval *ev, u32 place, u32 lane);
u32 eval_now(const struct eval *ev, u32 place, u32 lane);

/* n bytes of memory at addr, or NULL if they are not there; valid until the next question. */
const u8 *eval_memory(struct eval *ev, u64 addr, u32 n);

/* Runs of changed bytes of LDS or memory: calls back with address, new bytes and length. */
typedef void eval_bytes_fn(void *ctx, bool lds, u64 addr, const u8 *old, const u8 *now, u32 n);
void eval_changed_bytes(struct eval *ev, eval_bytes_fn *fn, void *ctx);

/* Whether a place is shown together with its other half, as one value of 64 bits. */
static inline bool eval_is_pair(u32 place)
{
    u32 low = place & ~1u;
    return low == CODE_VCC || low == CODE_EXEC || low == PLACE_PC_LO;
}

/* The JSON-lines service: one object per line in, one out. *is_useless: there were lines, and every
 * answer was an error. ST_INPUT if reading fails, ST_WORLD if writing does. */
enum status eval_jsonl(struct eval *ev, FILE *in, FILE *out, bool *is_useless, struct err *e);

#endif
