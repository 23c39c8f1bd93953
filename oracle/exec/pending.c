#include "oracle/exec/pending.h"

#include "oracle/insn/half.h"
#include "oracle/sem/operand.h"

/* Whether only a count of 0 says anything: scalar loads and FLAT keep no order, and neither do
 * instructions of several kinds. */
static bool any_order(const struct pending_queue *c)
{
    u32 kinds = 0;
    for (u32 i = 0; i < KINDS; i++)
        kinds += c->last[i] > c->done;
    return kinds > 1 || c->last[KIND_SCALAR] > c->done || c->last[KIND_FLAT] > c->done;
}

void pending_wait(struct pending_queue *c, u32 count)
{
    if ((count == 0 || !any_order(c)) && c->now - c->done > count)
        c->done = c->now - count;
}

u32 pending_count(struct pending_queue *c, enum pending_kind kind, u32 max)
{
    if (c->now - c->done == max)
        c->done++;
    return c->last[kind] = ++c->now;
}

static bool reaches_lds(const struct wave *w, const struct insn *in)
{
    const u32 *upper = w->vgpr[(insn_get(in, FLD_addr) + 1) % VGPRS];
    for (u64 left = wave_exec(w); left; left &= left - 1)
        if (upper[ctz64(left)] == w->shared_base >> 32)
            return true;
    return false;
}

enum pending_kind pending_counted_as(const struct wave *w, const struct insn *in,
                                     enum pending_kind kind)
{
    bool is_all_there_is = kind == KIND_FLAT && !isa_layouts[in->gen][LAY_GLOBAL].name;
    return is_all_there_is && !reaches_lds(w, in) ? KIND_VMEM : kind;
}

bool pending_is_result(const struct insn *in, const struct isa_operand *o)
{
    bool back = !(insn_row(in)->flags & FLAG_ATOMIC) || o->dir == DIR_W || insn_get(in, FLD_glc);
    return o->dir & DIR_W && insn_operand_there(in, o) && back;
}

/* ERRATA(GCN1-U03): as late as expcnt allows; LLVM alone says when. */
bool pending_takes_late(const struct wave *w, const struct insn *in, enum pending_kind kind)
{
    return kind == KIND_VMEM && insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC) &&
           isa_target_has(w->isa->target, FEATUREBIT_LATE_STORES);
}

u64 pending_hash(u64 h, u32 place, u32 dw, const u32 (*value)[LANES], u64 exec)
{
    h = hash_mix(h, place);
    if (place < SGPRS) {
        for (u32 i = 0; i < dw; i++)
            h = hash_mix(h, value[0][i]);
        return h;
    }
    for (u32 i = 0; i < dw; i++)
        for (u64 left = exec; left; left &= left - 1)
            h = hash_mix(h, value[i][ctz64(left)]);
    return h;
}

static void deliver_bits(u32 *row, const u32 *value, u32 bits, u64 exec)
{
    u32 merged[LANES];
    for (u32 lane = 0; lane < LANES; lane++)
        merged[lane] = (row[lane] & ~bits) | (value[lane] & bits);
    put32(row, merged, exec);
}

void pending_deliver(struct wave *w, const struct insn *in, u32 place, u32 dw,
                     const u32 (*value)[LANES], u64 exec)
{
    bool is_scalar = place < SGPRS, is_half = !isa_clears_half(w->isa) && half_loads(in);
    if (is_scalar && dw)
        scalar_write(w, place, value[0], dw);
    for (u32 i = 0; i < dw && !is_scalar; i++) {
        u32 reg = (place + i - PLACE_V0) % VGPRS, *row = w->vgpr[reg];
        wlog_reg(w, PLACE_V0 + reg, row, LANES);
        if (is_half)
            deliver_bits(row, value[i], half_written(w->isa, in, i), exec);
        else
            put32(row, value[i], exec);
    }
}
