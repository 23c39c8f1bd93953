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

static void wait(struct pending_queue *c, u32 count)
{
    if ((count == 0 || !any_order(c)) && c->now - c->done > count)
        c->done = c->now - count;
}

void pending_wait(struct pending_counters *c, enum gen gen, u32 simm16)
{
    const struct counter *table = counter_table(gen);
    wait(&c->vm, counter_get(&table[COUNTER_vmcnt], simm16));
    wait(&c->exp, counter_get(&table[COUNTER_expcnt], simm16));
    wait(&c->lgkm, counter_get(&table[COUNTER_lgkmcnt], simm16));
}

void pending_finish(struct pending_counters *c)
{
    c->vm.done = c->vm.now;
    c->lgkm.done = c->lgkm.now;
    c->exp.done = c->exp.now;
}

/* Counts an instruction; it waits until the counter, which ends at `max`, can count it. Its number. */
static u32 count(struct pending_queue *c, enum pending_kind kind, u32 max)
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

/* As which kind the counters take what the wave issues now. ERRATA(GCN3-U13): where FLAT is all there is
 * for global memory, an access that reaches no LDS comes as vector memory does. */
static enum pending_kind counted_as(const struct wave *w, const struct insn *in,
                                    enum pending_kind kind)
{
    bool is_all_there_is = kind == KIND_FLAT && !isa_layouts[in->gen][LAY_GLOBAL].name;
    return is_all_there_is && !reaches_lds(w, in) ? KIND_VMEM : kind;
}

enum pending_kind pending_count(struct pending_counters *c, const struct wave *w,
                                const struct insn *in, struct pending_numbers *n)
{
    enum pending_kind kind = pending_kind(in), as = counted_as(w, in, kind);
    u32 counters = as == KIND_VMEM ? COUNTS_VM : isa_counters(insn_row(in));
    *n = (struct pending_numbers){ 0 };
    if (counters & COUNTS_VM)
        n->vm = count(&c->vm, as, COUNTER_MAX_vmcnt);
    if (counters & COUNTS_LGKM)
        n->lgkm = count(&c->lgkm, as, COUNTER_MAX_lgkmcnt);
    if (as == KIND_GDS || pending_takes_late(w, in, kind))
        n->exp = count(&c->exp, as, COUNTER_MAX_expcnt);
    return as;
}

void pending_count_other(struct pending_counters *c, const struct isa_row *row)
{
    if (isa_is_message(row))
        count(&c->lgkm, KIND_MESSAGE, COUNTER_MAX_lgkmcnt);
    else if (isa_unit(row) == UNIT_EXPORT)
        count(&c->exp, KIND_MESSAGE, COUNTER_MAX_expcnt);
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
