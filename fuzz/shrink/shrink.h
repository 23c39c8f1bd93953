/* Makes a failing stream smaller: fewer instructions, plainer operands, fewer lanes, registers,
 * bytes and waves, as long as a callback says that it still fails and oracle/rule/rule.h that the
 * program is still valid. */
#ifndef FUZZ_SHRINK_SHRINK_H
#define FUZZ_SHRINK_SHRINK_H

#include "fuzz/gen/gen.h"

/* Whether the candidate shows the same failure. It must not keep or change the stream. */
typedef bool shrink_fails(void *ctx, const struct stream *candidate);

struct shrink_cfg {
    u32 max_calls; /* of the callback; 0: 4000 */
};

struct shrink_stats {
    u32 calls;        /* of the callback */
    u32 insns_before; /* instructions, s_endpgm not counted */
    u32 insns_after;
    bool complete; /* no further step applies; false: max_calls was reached */
};

/* Stores and barriers are handled with care: where lanes or waves would write one place of
 * memory, or race for LDS, a difference proves nothing. So registers that stores take addresses
 * from are not changed, and in a program of several waves a barrier with LDS accesses on both sides
 * is not taken out. A register that is no longer set starts from the poison of the stream, EXEC,
 * VCC, M0, SCC and MODE from all ones, 0, 0, 0 and the default; EXEC stays set, with as few lanes
 * as will do.
 *
 * Shrinks *s in place; it has failed when this is called and it fails when this returns. The
 * failure of the unchanged stream is not asked for. ST_INPUT if its program cannot be taken apart
 * (rule_check fails); *s is then unchanged. ST_WORLD if memory is short; *s still fails then, but may be
 * smaller already. stats may be NULL. */
enum status shrink_stream(const struct isa *isa, struct stream *s, const struct shrink_cfg *cfg,
                          shrink_fails *fails, void *ctx, struct shrink_stats *stats,
                          struct err *e);

#endif
