/* Memory results: what has to be waited for. Vega ISA, chapter 4 (data dependency resolution). */
#include "oracle/insn/counter.h"
#include "oracle/rule/internal.h"

enum {
    INDEXED_MIN = 23
}; /* an effect on more registers means one of them, which one depends on M0 */
enum export { EXPORT_PIXEL, EXPORT_POSITION, EXPORT_PARAMETER, EXPORT_GDS, EXPORT_STORE };

/* A count that makes instruction `number` done. FLAT and scalar loads come back in any order, so
 * that with one of them outstanding only 0 says anything. */
static u32 count_for(u32 now, u32 number, bool any_order, u32 max)
{
    u32 later = now - number;
    return any_order ? 0 : later < max ? later : max;
}

static bool vm_any_order(const struct rule_state *st)
{
    return st->flat_last_vm > st->vm_done;
}

/* Instructions of several kinds come back in any order, too. */
static bool lgkm_any_order(const struct rule_state *st)
{
    u32 done = st->lgkm_done, kinds = 0;
    kinds += st->lds_last > done;
    kinds += st->gds_last > done;
    kinds += st->message_last > done;
    return st->flat_last_lgkm > done || st->smem_last > done || kinds > 1;
}

static bool exp_any_order(const struct rule_state *st)
{
    u32 kinds = 0;
    for (u32 i = 0; i < RULE_EXPORTS; i++)
        kinds += st->exp_last[i] > st->exp_done;
    return kinds > 1;
}

/* Lowers a count that was asked for; *by becomes the register that asks for the lowest one. */
static void lower(u32 *count, u16 *by, u32 to, u32 place)
{
    if (to >= *count)
        return;
    *count = to;
    *by = (u16)place;
}

static void need_vm(const struct rule_state *st, u32 number, u32 place, struct rule_need *need)
{
    if (number > st->vm_done)
        lower(&need->vmcnt, &need->vm_place,
              count_for(st->vm_now, number, vm_any_order(st), COUNTER_MAX_vmcnt), place);
}

static void need_lgkm(const struct rule_state *st, u32 number, u32 place, struct rule_need *need)
{
    if (number > st->lgkm_done)
        lower(&need->lgkmcnt, &need->lgkm_place,
              count_for(st->lgkm_now, number, lgkm_any_order(st), COUNTER_MAX_lgkmcnt), place);
}

static void need_exp(const struct rule_state *st, u32 place, struct rule_need *need)
{
    u32 number = st->exp[place - PLACE_V0];
    if (number > st->exp_done)
        lower(&need->expcnt, &need->exp_place,
              count_for(st->exp_now, number, exp_any_order(st), COUNTER_MAX_expcnt), place);
}

static void need_place(const struct rule_state *st, u32 place, struct rule_need *need)
{
    if (rule_is_vgpr(place)) {
        need_vm(st, st->vm[place - PLACE_V0], place, need);
        need_lgkm(st, st->lgkm[place - PLACE_V0], place, need);
    } else if (place < RULE_SGPRS) {
        need_lgkm(st, st->smem[place], place, need);
    }
}

/* At the end registers are looked at: everything must have arrived. */
static void need_all(const struct rule_state *st, struct rule_need *need)
{
    for (u32 i = 0; i < RULE_VGPRS; i++)
        need_place(st, PLACE_V0 + i, need);
    for (u32 i = 0; i < RULE_SGPRS; i++)
        need_place(st, i, need);
}

/* Where there is no GLOBAL, compilers access global memory by FLAT and wait for vmcnt alone, as they
 * know what it is. ERRATA(GCN3-U13): lint, which does not, believes them. */
static bool flat_is_global(const struct rule_state *st, const struct subject *s)
{
    return st->lint && s->unit == UNIT_FLAT && !isa_layouts[s->in->gen][LAY_GLOBAL].name;
}

/* A result that is written over by one of the same kind, which comes later as they keep their
 * order. A FLAT access among them changes nothing: what it loads itself counts as a result of LDS,
 * too. */
static void need_overwrite(const struct rule_state *st, const struct subject *s, u32 place,
                           struct rule_need *need)
{
    bool vm_follows = s->unit == UNIT_VMEM || flat_is_global(st, s);
    bool lgkm_follows = s->unit == UNIT_LDS && !lgkm_any_order(st);
    if (!rule_is_vgpr(place)) {
        need_place(st, place, need);
        return;
    }
    if (!vm_follows)
        need_vm(st, st->vm[place - PLACE_V0], place, need);
    if (!lgkm_follows)
        need_lgkm(st, st->lgkm[place - PLACE_V0], place, need);
}

/* LDS may be filled by vector memory. */
static bool touches_lds(const struct subject *s)
{
    return s->row->flags & FLAG_BARRIER || (s->unit == UNIT_LDS && !insn_get(s->in, FLD_gds) &&
                                            s->row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC));
}

/* A load of half a register leaves the other half as it is when it arrives. */
static bool only_writes(const struct subject *s, const struct effect *e)
{
    bool half = s->row->flags & FLAG_LOAD && e->dir == DIR_RW && rule_is_vgpr(e->place);
    return e->dir == DIR_W || half;
}

/* EXEC that an export has not yet read is overwritten. Memory has its lanes when it is issued. */
static void need_exec(const struct rule_state *st, const struct effect *e, struct rule_need *need)
{
    if (!(e->dir & DIR_W) || e->place + e->dw <= CODE_EXEC || e->place >= CODE_EXEC + 2u)
        return;
    for (u32 i = 0; i < EXPORT_GDS; i++)
        if (st->exp_last[i] > st->exp_done)
            lower(&need->expcnt, &need->exp_place,
                  count_for(st->exp_now, st->exp_last[i], exp_any_order(st), COUNTER_MAX_expcnt),
                  CODE_EXEC);
}

/* What is under way to or from any register that is read or written. */
static void need_registers(const struct rule_state *st, const struct effect *e,
                           struct rule_need *need)
{
    u32 place = e->place, end = place + e->dw;
    if (rule_is_vgpr(place)) {
        for (; place < end && place < PLACE_A0; place++) {
            need_vm(st, st->vm[place - PLACE_V0], place, need);
            need_lgkm(st, st->lgkm[place - PLACE_V0], place, need);
            if (e->dir & DIR_W)
                need_exp(st, place, need);
        }
    } else {
        for (; place < end && place < RULE_SGPRS; place++)
            need_lgkm(st, st->smem[place], place, need);
    }
}

void rule_need_waits(const struct rule_state *st, const struct subject *s, struct rule_need *need)
{
    bool idle =
        st->vm_now == st->vm_done && st->lgkm_now == st->lgkm_done && st->exp_now == st->exp_done;
    if (idle)
        return;
    if (s->row->flags & FLAG_END && !st->lint)
        need_all(st, need);
    if (s->row->flags & FLAG_BARRIER)
        need_lgkm(st, st->lds_last, PLACE_LDS, need);
    if (s->unit == UNIT_SMEM && !st->lint) {
        need_lgkm(st, st->smem_write, PLACE_MEM, need);
        if (s->fx->mem_write)
            need_lgkm(st, st->smem_last, PLACE_MEM, need);
    }
    if (st->dma_last > st->vm_done && (touches_lds(s) || (s->row->flags & FLAG_END && !st->lint)))
        need_vm(st, st->dma_last, PLACE_LDS, need);
    if (s->unit == UNIT_VMEM && insn_get(s->in, FLD_lds) && !st->lint)
        need_lgkm(st, st->lds_last, PLACE_LDS, need);
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        if (!st->lint) {
            need_registers(st, e, need);
            continue;
        }
        if (e->dw > INDEXED_MIN)
            continue;
        need_exec(st, e, need);
        for (u32 n = 0; n < e->dw; n++) {
            if (only_writes(s, e))
                need_overwrite(st, s, e->place + n, need);
            else
                need_place(st, e->place + n, need);
            if (e->dir & DIR_W && rule_is_vgpr(e->place + n))
                need_exp(st, e->place + n, need);
        }
    }
}

bool rule_need_all(const struct rule_state *st, struct rule_need *need)
{
    *need = (struct rule_need){ .vmcnt = RULE_NO_WAIT,
                                .lgkmcnt = RULE_NO_WAIT,
                                .expcnt = RULE_NO_WAIT };
    need_all(st, need);
    return rule_asks(need);
}

/* ---- the step ---- */

static void step_wait(struct rule_state *st, const struct insn *in)
{
    const struct counter *c = counter_table((enum gen)in->gen);
    u32 imm = insn_get(in, FLD_simm16), vm = counter_get(&c[COUNTER_vmcnt], imm),
        lgkm = counter_get(&c[COUNTER_lgkmcnt], imm), exp = counter_get(&c[COUNTER_expcnt], imm);
    if ((exp == 0 || !exp_any_order(st)) && st->exp_now - exp > st->exp_done)
        st->exp_done = st->exp_now - exp;
    if ((vm == 0 || !vm_any_order(st)) && st->vm_now - vm > st->vm_done)
        st->vm_done = st->vm_now - vm;
    if ((lgkm == 0 || !lgkm_any_order(st)) && st->lgkm_now - lgkm > st->lgkm_done)
        st->lgkm_done = st->lgkm_now - lgkm;
}

static void step_count(struct rule_state *st, const struct subject *s)
{
    bool load = s->fx->mem_read || s->row->flags & FLAG_LANEWISE;
    bool counts = load || (st->lint && s->fx->mem_write);
    switch (flat_is_global(st, s) ? UNIT_VMEM : s->unit) {
    case UNIT_SMEM:
        st->smem_last = ++st->lgkm_now;
        if (s->fx->mem_write)
            st->smem_write = st->smem_last;
        break;
    case UNIT_LDS:
        st->lgkm_now++;
        if (insn_get(s->in, FLD_gds))
            st->gds_last = st->lgkm_now;
        if (!insn_get(s->in, FLD_gds) || !st->lint)
            st->lds_last = st->lgkm_now;
        break;
    case UNIT_FLAT:
        st->flat_last_vm = ++st->vm_now;
        st->flat_last_lgkm = st->lds_last = ++st->lgkm_now;
        break;
    case UNIT_VMEM:
        st->vm_now += counts;
        if (load && insn_get(s->in, FLD_lds))
            st->dma_last = st->vm_now;
        break;
    default:
        if (isa_is_message(s->row))
            st->message_last = ++st->lgkm_now;
        break;
    }
}

static void step_results(struct rule_state *st, const struct subject *s)
{
    u32 counters = flat_is_global(st, s) ? COUNTS_VM : isa_counters(s->row);
    if (isa_memory(s->row) == MEMORY_NONE)
        return;
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        if (!(e->dir & DIR_W))
            continue;
        for (u32 n = 0; n < e->dw; n++) {
            u32 place = e->place + n;
            if (place < RULE_SGPRS)
                st->smem[place] = st->lgkm_now;
            if (!rule_is_vgpr(place))
                continue;
            if (counters & COUNTS_VM)
                st->vm[place - PLACE_V0] = st->vm_now;
            if (counters & COUNTS_LGKM)
                st->lgkm[place - PLACE_V0] = st->lgkm_now;
        }
    }
}

static enum export kind_of_export(const struct subject *s)
{
    enum { TARGET_POSITION = 12, TARGET_PARAMETER = 32 };
    u32 target = insn_get(s->in, FLD_tgt);
    if (s->unit != UNIT_EXPORT)
        return s->unit == UNIT_LDS ? EXPORT_GDS : EXPORT_STORE;
    return target >= TARGET_PARAMETER  ? EXPORT_PARAMETER
           : target >= TARGET_POSITION ? EXPORT_POSITION
                                       : EXPORT_PIXEL;
}

/* A store, or an atomic, that has its address when it is issued, but not its data.
 * ERRATA(GCN1-U03): when is said by LLVM alone. */
static bool takes_data_late(const struct subject *s)
{
    bool late = false;
    if (s->unit != UNIT_VMEM || !(s->row->flags & (FLAG_STORE | FLAG_ATOMIC)))
        return false;
    for (u32 gen = 0; gen < GEN_COUNT; gen++)
        late |= s->gens >> gen & isa_generation_has((enum gen)gen, FEATUREBIT_LATE_STORES);
    return late;
}

static bool is_data(const struct subject *s, u32 place)
{
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(s->in, o);
        if (o->slot == SLOT_DATA0 && place >= code && place < code + insn_operand_dw(s->in, o))
            return true;
    }
    return false;
}

/* Exports and GDS take their data when expcnt says so. Vega ISA, chapters 4 and 11. */
static void step_exports(struct rule_state *st, const struct subject *s)
{
    bool gds = s->unit == UNIT_LDS && insn_get(s->in, FLD_gds), store = takes_data_late(s);
    if (!gds && !store && s->unit != UNIT_EXPORT)
        return;
    st->exp_last[kind_of_export(s)] = ++st->exp_now;
    /* The counter ends there: one more waits for the first. */
    if (!exp_any_order(st) && st->exp_now - st->exp_done > COUNTER_MAX_expcnt)
        st->exp_done = st->exp_now - COUNTER_MAX_expcnt;
    if (store)
        st->store_last = st->vm_now;
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        for (u32 n = 0; e->dir & DIR_R && n < e->dw; n++)
            if (rule_is_vgpr(e->place + n) && !(store && st->lint && !is_data(s, e->place + n)))
                st->exp[e->place + n - PLACE_V0] = st->exp_now;
    }
}

/* What GDS has given back it has taken before; so has memory what is stored, where stores count. */
static void finish_taken(struct rule_state *st)
{
    bool gds = st->exp_last[EXPORT_GDS] == st->exp_now && st->gds_last <= st->lgkm_done;
    bool store = st->exp_last[EXPORT_STORE] == st->exp_now && st->store_last <= st->vm_done;
    if (!exp_any_order(st) && (gds || (st->lint && store)))
        st->exp_done = st->exp_now;
}

static void step_scalar_cache(struct rule_state *st, const struct subject *s)
{
    if (s->row->flags & FLAG_WRITES_BACK)
        st->scalar_dirty = false;
    else if (s->row->flags & FLAG_STORE)
        st->scalar_dirty = true;
}

bool rule_loses_stores(const struct rule_state *st, const struct insn *in)
{
    return st->scalar_dirty && insn_row(in)->flags & FLAG_END;
}

/* Most are counted by nobody, and wait for nothing. */
static bool is_counted(const struct subject *s)
{
    if (isa_is_salu(s->row))
        return s->row->flags & FLAG_WAIT || isa_is_message(s->row);
    return !isa_is_vector_alu(s->row);
}

void rule_step_waits(struct rule_state *st, const struct subject *s)
{
    if (!is_counted(s))
        return;
    if (s->unit == UNIT_SMEM)
        step_scalar_cache(st, s);
    if (s->row->flags & FLAG_WAIT) {
        step_wait(st, s->in);
        finish_taken(st);
    }
    step_count(st, s);
    step_results(st, s);
    step_exports(st, s);
}

u32 rule_waitcnt(enum gen gen, u32 vmcnt, u32 lgkmcnt)
{
    const struct counter *c = counter_table(gen);
    u32 most = counter_max(&c[COUNTER_vmcnt]), vm = vmcnt > most ? most : vmcnt;
    u32 lgkm = lgkmcnt > COUNTER_MAX_lgkmcnt ? COUNTER_MAX_lgkmcnt : lgkmcnt;
    u32 imm = counter_set(&c[COUNTER_expcnt], 0, COUNTER_MAX_expcnt);
    return counter_set(&c[COUNTER_lgkmcnt], counter_set(&c[COUNTER_vmcnt], imm, vm), lgkm);
}
