/* Join points: a state that covers those of two paths. */
#include "oracle/rule/internal.h"

static u32 least(u32 a, u32 b)
{
    return a < b ? a : b;
}

/* Both kinds of times and numbers are merged by how long ago they are, hundreds of registers at every
 * join: without a branch compilers do several at once. */

/* The later of two times as seen from each one's present. */
static bool merge_times(u32 *t, u32 now, const u32 *from, u32 from_now, u32 count)
{
    u32 changed = 0;
    for (u32 i = 0; i < count; i++) {
        u32 later = now - least(now - t[i], from_now - from[i]);
        changed |= later ^ t[i];
        t[i] = later;
    }
    return changed;
}

static bool merge_time(u32 *t, u32 now, u32 from, u32 from_now)
{
    return merge_times(t, now, &from, from_now, 1);
}

/* Instruction numbers of one counter, relative to the last one issued. */
struct counting {
    u32 now, done;
};

/* Those that are done count for nothing: they are as long ago as can be. */
static bool merge_numbers(u32 *t, struct counting to, const u32 *from, struct counting by,
                          u32 count)
{
    u32 changed = 0;
    for (u32 i = 0; i < count; i++) {
        u32 mine = t[i] > to.done ? to.now - t[i] : ~0u;
        u32 other = from[i] > by.done ? by.now - from[i] : ~0u;
        u32 later = other < mine ? to.now - other : t[i];
        changed |= later ^ t[i];
        t[i] = later;
    }
    return changed;
}

static bool merge_number(u32 *t, struct counting to, u32 from, struct counting by)
{
    return merge_numbers(t, to, &from, by, 1);
}

/* Numbers that are done must not come to life when `done` moves back. */
static void drop_done(u32 *t, u32 done, u32 count)
{
    for (u32 i = 0; i < count; i++)
        t[i] = t[i] > done ? t[i] : 0;
}

static void drop_done_vm(struct rule_state *st)
{
    drop_done(st->vm, st->vm_done, RULE_VGPRS);
    drop_done(&st->flat_last_vm, st->vm_done, 1);
    drop_done(&st->dma_last, st->vm_done, 1);
    drop_done(&st->store_last, st->vm_done, 1);
}

static void drop_done_lgkm(struct rule_state *st)
{
    drop_done(st->lgkm, st->lgkm_done, RULE_VGPRS);
    drop_done(st->smem, st->lgkm_done, RULE_SGPRS);
    drop_done(&st->lds_last, st->lgkm_done, 1);
    drop_done(&st->flat_last_lgkm, st->lgkm_done, 1);
    drop_done(&st->smem_last, st->lgkm_done, 1);
    drop_done(&st->smem_write, st->lgkm_done, 1);
    drop_done(&st->gds_last, st->lgkm_done, 1);
    drop_done(&st->message_last, st->lgkm_done, 1);
}

/* As many are outstanding as on the path that has more. */
static void merge_done(u32 *done, struct counting to, struct counting by)
{
    if (by.now - by.done > to.now - to.done)
        *done = to.now - (by.now - by.done);
}

/* Where nothing is under way on the other path, nothing changes. */
static bool merge_vm(struct rule_state *st, const struct rule_state *from)
{
    struct counting vm = { st->vm_now, st->vm_done }, by = { from->vm_now, from->vm_done };
    if (by.now == by.done)
        return false;
    drop_done_vm(st);
    bool changed = merge_numbers(st->vm, vm, from->vm, by, RULE_VGPRS);
    changed |= merge_number(&st->flat_last_vm, vm, from->flat_last_vm, by);
    changed |= merge_number(&st->dma_last, vm, from->dma_last, by);
    changed |= merge_number(&st->store_last, vm, from->store_last, by);
    merge_done(&st->vm_done, vm, by);
    return changed;
}

static bool merge_lgkm(struct rule_state *st, const struct rule_state *from)
{
    struct counting lg = { st->lgkm_now, st->lgkm_done }, by = { from->lgkm_now, from->lgkm_done };
    if (by.now == by.done)
        return false;
    drop_done_lgkm(st);
    bool changed = merge_numbers(st->lgkm, lg, from->lgkm, by, RULE_VGPRS);
    changed |= merge_numbers(st->smem, lg, from->smem, by, RULE_SGPRS);
    changed |= merge_number(&st->lds_last, lg, from->lds_last, by);
    changed |= merge_number(&st->flat_last_lgkm, lg, from->flat_last_lgkm, by);
    changed |= merge_number(&st->smem_last, lg, from->smem_last, by);
    changed |= merge_number(&st->smem_write, lg, from->smem_write, by);
    changed |= merge_number(&st->gds_last, lg, from->gds_last, by);
    changed |= merge_number(&st->message_last, lg, from->message_last, by);
    merge_done(&st->lgkm_done, lg, by);
    return changed;
}

static bool merge_exports(struct rule_state *st, const struct rule_state *from)
{
    struct counting ex = { st->exp_now, st->exp_done }, by = { from->exp_now, from->exp_done };
    if (by.now == by.done)
        return false;
    drop_done(st->exp, st->exp_done, RULE_VGPRS);
    drop_done(st->exp_last, st->exp_done, RULE_EXPORTS);
    bool changed = merge_numbers(st->exp, ex, from->exp, by, RULE_VGPRS);
    changed |= merge_numbers(st->exp_last, ex, from->exp_last, by, RULE_EXPORTS);
    merge_done(&st->exp_done, ex, by);
    return changed;
}

static bool merge_known(struct rule_state *st, const struct rule_state *from)
{
    bool changed = false;
    for (u32 i = 0; i < COUNT_OF(st->known); i++) {
        u64 known = st->known[i] & from->known[i];
        for (u64 left = known; left; left &= left - 1) {
            u32 code = i * 64 + ctz64(left);
            if (from->value[code] != st->value[code])
                known &= ~(1ull << code % 64);
        }
        changed |= known != st->known[i];
        st->known[i] = known;
    }
    if (st->scc_known && (!from->scc_known || from->scc != st->scc)) {
        st->scc_known = false;
        changed = true;
    }
    return changed;
}

static bool merge_matrix(struct rule_state *st, const struct rule_state *from)
{
    rule_start_matrix(st);
    bool changed = merge_time(&st->acc_move, st->now, from->acc_move, from->now);
    for (u32 i = 0; i < RULE_VGPRS; i++) { /* asks who has written, which the times lose below */
        bool mine = st->mfma[0][i] != 0, theirs = from->mfma[0][i] != 0;
        if (!theirs || st->mfma_range[i] == from->mfma_range[i])
            continue;
        changed |= !mine || st->mfma_range[i];
        st->mfma_range[i] = mine ? 0 : from->mfma_range[i];
    }
    changed |= merge_times(st->acc_write, st->now, from->acc_write, from->now, RULE_VGPRS);
    changed |= merge_times(st->acc_to_vgpr, st->now, from->acc_to_vgpr, from->now, RULE_VGPRS);
    for (u32 i = 0; i < 3; i++) {
        changed |= merge_times(st->mfma[i], st->now, from->mfma[i], from->now, RULE_VGPRS);
        changed |= merge_times(st->mfma_c[i], st->now, from->mfma_c[i], from->now, RULE_VGPRS);
    }
    return changed;
}

/* LLVM breaks no clause where paths meet, so that none goes on there. */
static bool merge_modes(struct rule_state *st, const struct rule_state *from)
{
    bool changed = st->clause.count > 0 || (st->gpr_idx && !from->gpr_idx) ||
                   st->icache_left < from->icache_left || (!st->scalar_dirty && from->scalar_dirty);
    st->scalar_dirty |= from->scalar_dirty;
    st->clause.kind = 0;
    st->clause.count = 0;
    st->gpr_idx &= from->gpr_idx;
    if (st->icache_left < from->icache_left)
        st->icache_left = from->icache_left;
    return changed;
}

/* Times of registers of which the other path's are recent; those that are not ask for nothing. */
static bool merge_registers(struct rule_state *st, const struct rule_state *from, u32 *t,
                            const u32 *times, u32 count, u32 *last, u32 from_last)
{
    if (!rule_is_recent(from, from_last))
        return false;
    merge_time(last, st->now, from_last, from->now);
    return merge_times(t, st->now, times, from->now, count);
}

#define MERGE_REGISTERS(times)                                                                \
    merge_registers(st, from, st->times, from->times, COUNT_OF(st->times), &st->times##_last, \
                    from->times##_last)

bool rule_merge(struct rule_state *st, const struct rule_state *from)
{
    bool changed = MERGE_REGISTERS(valu_sgpr);
    changed |= MERGE_REGISTERS(salu_sgpr);
    changed |= MERGE_REGISTERS(valu_vgpr);
    changed |= MERGE_REGISTERS(wide_store);
    changed |= MERGE_REGISTERS(setreg);
    changed |= merge_time(&st->setreg_skip, st->now, from->setreg_skip, from->now);
    changed |= merge_time(&st->salu_m0, st->now, from->salu_m0, from->now);
    changed |= merge_time(&st->salu_m0_move, st->now, from->salu_m0_move, from->now);
    changed |= merge_modes(st, from);
    changed |= !st->vccz_stale && from->vccz_stale;
    st->vccz_stale |= from->vccz_stale;
    changed |= !st->vccz_spoilt && from->vccz_spoilt;
    st->vccz_spoilt |= from->vccz_spoilt;
    if (from->acc)
        changed |= merge_matrix(st, from);
    changed |= merge_vm(st, from);
    changed |= merge_lgkm(st, from);
    changed |= merge_exports(st, from);
    return merge_known(st, from) || changed;
}
#undef MERGE_REGISTERS
