/* What earlier instructions left behind, and what an instruction needs in front of it. */
#include "fuzz/rule.h"

#include "oracle/effects.h"

/* What the first instruction of a hazard did. */
enum first {
    FIRST_SETREG,
    FIRST_SETREG_SKIP,
    FIRST_SETREG_TRAP,
    FIRST_VALU_VCC,
    FIRST_VALU_EXEC,
    FIRST_VALU_SGPR,
    FIRST_VALU_VGPR,
    FIRST_WIDE_STORE,
    FIRST_SALU_M0,
    FIRST_ACC_TO_VGPR,
    FIRST_ACC_WRITE,
    FIRST_MFMA,
    FIRST_MFMA_8,
    FIRST_MFMA_16,
    FIRST_MFMA_C_8,
    FIRST_MFMA_C_16,
    FIRST_VCC_HALF
};

/* What the second one does. Each has one row of the table. */
enum second {
    SECOND_GETREG,
    SECOND_SETREG_AGAIN,
    SECOND_VECTOR,
    SECOND_RFE,
    SECOND_VCCZ_DATA,
    SECOND_EXECZ_DATA,
    SECOND_LANE_SELECT,
    SECOND_DIV_FMAS,
    SECOND_VMEM_SGPR,
    SECOND_DPP_VGPR,
    SECOND_DPP,
    SECOND_VCC_CONSTANT,
    SECOND_OVERWRITE,
    SECOND_MESSAGE,
    SECOND_M0_INDEX,
    SECOND_VCCZ,
    SECOND_MAI_VGPR,
    SECOND_MAI,
    SECOND_MEMORY_VGPR,
    SECOND_SRC_C,
    SECOND_SRC_AB,
    SECOND_ACC_READ,
    SECOND_OTHER_SRC_C,
    SECOND_RESULT_AB,
    SECOND_RESULT_READ,
    SECOND_RESULT_READ_8,
    SECOND_RESULT_READ_16,
    SECOND_RESULT_WRITE,
    SECOND_RESULT_WRITE_8,
    SECOND_RESULT_WRITE_16,
    SECOND_SRC_C_WRITE_8,
    SECOND_SRC_C_WRITE_16,
    SECOND_COUNT
};

enum { FOREVER = HAZARD_FOREVER, TIME_START = 1 << 24, VM_MAX = 63, LGKM_MAX = 15 };
enum { INDEXED_MIN = 23 }; /* an effect on more registers means one of them, which only M0 tells */

const struct rule_hazard_info rule_hazards[HZ_COUNT] = {
#define HAZARD(name, label, first, second, waits, text) { #name, label, text, waits },
#include "fuzz/hazard.def"
#undef HAZARD
};

static const u8 hazard_first[HZ_COUNT] = {
#define HAZARD(name, label, first, second, waits, text) FIRST_##first,
#include "fuzz/hazard.def"
#undef HAZARD
};

static const u8 hazard_of[SECOND_COUNT] = {
#define HAZARD(name, label, first, second, waits, text) [SECOND_##second] = HZ_##name,
#include "fuzz/hazard.def"
#undef HAZARD
};

_Static_assert((int)HZ_COUNT == (int)SECOND_COUNT, "each kind of use has one hazard");

/* ---- kinds of instructions ---- */

enum unit { UNIT_SALU, UNIT_SMEM, UNIT_VALU, UNIT_LDS, UNIT_VMEM, UNIT_FLAT, UNIT_OTHER };

static enum unit unit_of(const struct isa_row *row)
{
    switch (row->enc) {
    case ENC_SOP1:
    case ENC_SOP2:
    case ENC_SOPC:
    case ENC_SOPK:
    case ENC_SOPP: return UNIT_SALU;
    case ENC_SMEM: return UNIT_SMEM;
    case ENC_DS: return UNIT_LDS;
    case ENC_FLAT: return UNIT_FLAT;
    case ENC_GLOBAL:
    case ENC_SCRATCH:
    case ENC_MUBUF:
    case ENC_MTBUF:
    case ENC_MIMG: return UNIT_VMEM;
    case ENC_EXP: return UNIT_OTHER;
    default: return UNIT_VALU;
    }
}

static bool is_vector_unit(enum unit u)
{
    return u != UNIT_SALU && u != UNIT_SMEM;
}

/* An instruction and what every question about it needs. */
struct subject {
    const struct insn *in;
    const struct isa_row *row;
    enum unit unit;
    bool lint; /* as in the state */
    struct effects fx;
};

static void look_at(struct subject *s, const struct insn *in)
{
    s->in = in;
    s->row = insn_row(in);
    s->unit = unit_of(s->row);
    s->lint = false;
    s->fx = (struct effects){ 0 };
    if (s->row->forms)
        insn_effects(in, &s->fx);
}

static bool is_vgpr(u32 place)
{
    return place >= PLACE_V0 && place < PLACE_A0;
}

/* A scalar register as the offset of a buffer, or 256 bits of image resource, take a cycle more to
 * read, in which the data has been read too. Vega ISA, chapter 4.5, note of that row. */
static bool is_late_store(const struct subject *s)
{
    if (s->row->enc == ENC_MIMG)
        return !insn_get(s->in, FLD_r128);
    return (s->row->enc == ENC_MUBUF || s->row->enc == ENC_MTBUF) &&
           insn_get(s->in, FLD_soffset) < RULE_SGPRS;
}

static bool is_wide_store(const struct subject *s)
{
    if (!(s->row->flags & FLAG_STORE) || (s->unit != UNIT_FLAT && s->unit != UNIT_VMEM))
        return false;
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++)
        if (o->slot == SLOT_DATA0 && isa_types[o->type].dwords > 2)
            return true;
    return false;
}

/* ---- uses: who asks for which hazard ---- */

struct use {
    u8 second;
    u8 dw;
    u16 place; /* or number of the hardware register */
};
struct uses {
    u32 count;
    struct use u[32];
};

static void add_use(struct uses *l, enum second second, u32 place, u32 dw)
{
    if (l->count == COUNT_OF(l->u))
        BUG("too many uses");
    l->u[l->count++] = (struct use){ (u8)second, (u8)dw, (u16)place };
}

static void list_scalar_uses(struct uses *l, const struct subject *s)
{
    switch (s->in->op) {
    case OP_s_getreg_b32: add_use(l, SECOND_GETREG, insn_get(s->in, FLD_simm16) & 63, 1); break;
    case OP_s_setreg_b32:
    case OP_s_setreg_imm32_b32:
        add_use(l, SECOND_SETREG_AGAIN, insn_get(s->in, FLD_simm16) & 63, 1);
        break;
    case OP_s_rfe_b64:
    case OP_s_rfe_restore_b64: add_use(l, SECOND_RFE, 0, 1); break;
    case OP_s_sendmsg:
    case OP_s_sendmsghalt:
    case OP_s_ttracedata: add_use(l, SECOND_MESSAGE, CODE_M0, 1); break;
    case OP_s_movrels_b32:
    case OP_s_movrels_b64:
    case OP_s_movreld_b32:
    case OP_s_movreld_b64: add_use(l, SECOND_M0_INDEX, CODE_M0, 1); break;
    case OP_s_cbranch_vccz:
    case OP_s_cbranch_vccnz: add_use(l, SECOND_VCCZ, CODE_VCC, 2); break;
    default: break;
    }
}

static void list_vector_uses(struct uses *l, const struct subject *s)
{
    add_use(l, SECOND_VECTOR, 0, 1);
    switch (s->in->op) {
    case OP_v_div_fmas_f32:
    case OP_v_div_fmas_f64: add_use(l, SECOND_DIV_FMAS, CODE_VCC, 2); break;
    case OP_ds_read_addtid_b32:
    case OP_ds_write_addtid_b32:
    case OP_v_interp_p1_f32:
    case OP_v_interp_p2_f32:
    case OP_v_interp_mov_f32: add_use(l, SECOND_M0_INDEX, CODE_M0, 1); break;
    default: break;
    }
    if (insn_get(s->in, FLD_lds) && insn_row(s->in)->operand[0].kind != K_BDATA)
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (s->unit == UNIT_LDS && insn_get(s->in, FLD_gds))
        add_use(l, SECOND_MESSAGE, CODE_M0, 1);
    if (s->in->form == FORM_DPP)
        add_use(l, SECOND_DPP, CODE_EXEC, 2);
}

static void list_source_use(struct uses *l, const struct subject *s, const struct isa_operand *o)
{
    u32 code = insn_code(s->in, o), dw = insn_operand_dw(s->in, o);
    if (o->kind != K_SRC && o->kind != K_SSRC && o->kind != K_LANESEL)
        return;
    if (code == 251 && s->unit == UNIT_VALU)
        add_use(l, SECOND_VCCZ_DATA, CODE_VCC, 2);
    if (code == 251)
        add_use(l, SECOND_VCCZ, CODE_VCC, 2);
    if (code == 252 && s->unit == UNIT_VALU)
        add_use(l, SECOND_EXECZ_DATA, CODE_EXEC, 2);
    if (o->kind == K_SSRC)
        return;
    if (code <= CODE_VCC + 1 && code + dw > CODE_VCC)
        add_use(l, SECOND_VCC_CONSTANT, CODE_VCC, 2);
    if (o->kind == K_LANESEL && o->slot == SLOT_S1 && code < RULE_SGPRS)
        add_use(l, SECOND_LANE_SELECT, code, 1);
    if (s->in->form == FORM_DPP && (o->slot == SLOT_S0 || (s->lint && is_vgpr(code))))
        add_use(l, SECOND_DPP_VGPR, code, dw);
}

static bool is_mfma(const struct isa_row *row)
{
    return row->operand[0].kind == K_ACC && row->operand[2].kind != K_NONE;
}

static bool is_acc(u32 place)
{
    return place >= PLACE_A0 && place < PLACE_A0 + RULE_VGPRS;
}

/* Of the matrix core: v_mfma, v_accvgpr_read, v_accvgpr_write. */
static void list_matrix_uses(struct uses *l, const struct subject *s)
{
    bool mfma = is_mfma(s->row), write = s->in->op == OP_v_accvgpr_write_b32;
    if (mfma || write)
        add_use(l, SECOND_MAI, CODE_EXEC, 2);
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(s->in, o), dw = insn_operand_dw(s->in, o);
        bool reads = o->dir & DIR_R;
        if (is_vgpr(code) && reads && (mfma || write))
            add_use(l, SECOND_MAI_VGPR, code, dw);
        if (!is_acc(code))
            continue;
        if (write) {
            for (u32 i = SECOND_RESULT_WRITE; i <= SECOND_SRC_C_WRITE_16; i++)
                add_use(l, (enum second)i, code, dw);
        } else if (!mfma) {
            for (u32 i = SECOND_RESULT_READ; i <= SECOND_RESULT_READ_16; i++)
                add_use(l, (enum second)i, code, dw);
            add_use(l, SECOND_ACC_READ, code, dw);
        } else if (reads) {
            bool is_c = o->slot == SLOT_S2;
            add_use(l, is_c ? SECOND_SRC_C : SECOND_SRC_AB, code, dw);
            add_use(l, is_c ? SECOND_OTHER_SRC_C : SECOND_RESULT_AB, code, dw);
        }
    }
}

static void list_uses(struct uses *l, const struct subject *s)
{
    l->count = 0;
    if (is_vector_unit(s->unit))
        list_vector_uses(l, s);
    else
        list_scalar_uses(l, s);
    if (s->row->forms == 0)
        return;
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++)
        if (o->dir & DIR_R)
            list_source_use(l, s, o);
    if (s->row->enc == ENC_MAI)
        list_matrix_uses(l, s);
    for (u32 i = 0; i < s->fx.count; i++) {
        const struct effect *e = &s->fx.e[i];
        bool memory = s->unit == UNIT_VMEM || s->unit == UNIT_FLAT;
        if (memory && e->dir & DIR_R && e->place < CODE_EXEC)
            add_use(l, SECOND_VMEM_SGPR, e->place, e->dw);
        if (is_vgpr(e->place) && e->dir & DIR_R && (memory || s->unit == UNIT_LDS))
            add_use(l, SECOND_MEMORY_VGPR, e->place, e->dw);
        if (s->unit == UNIT_VALU && e->dir & DIR_W && is_vgpr(e->place))
            add_use(l, SECOND_OVERWRITE, e->place, e->dw);
    }
}

/* ---- what is needed ---- */

static u32 latest(const u32 *time, u32 count, u32 at, u32 dw)
{
    u32 t = 0;
    for (u32 i = at; i < at + dw && i < count; i++)
        t = time[i] > t ? time[i] : t;
    return t;
}

/* When v_mfma wrote what is now read as SrcC; if it is exactly its result, there is no distance. */
static u32 time_of_other(const struct rule_state *st, const struct use *u)
{
    u32 at = u->place - PLACE_A0;
    if (u->second == SECOND_OTHER_SRC_C && st->mfma_range[at] == u->dw)
        return 0;
    return latest(st->mfma[0], RULE_VGPRS, at, u->dw);
}

static u32 time_of_acc(const u32 *time, const struct use *u)
{
    return latest(time, RULE_VGPRS, u->place - PLACE_A0, u->dw);
}

static u32 time_of(const struct rule_state *st, enum first first, const struct use *u)
{
    switch (first) {
    case FIRST_SETREG: return st->setreg[u->place];
    case FIRST_SETREG_SKIP: return st->setreg_skip;
    case FIRST_SETREG_TRAP: return st->setreg[HWREG_TRAPSTS];
    case FIRST_VALU_VCC: return latest(st->valu_sgpr, RULE_SGPRS, CODE_VCC, 2);
    case FIRST_VALU_EXEC: return latest(st->valu_sgpr, RULE_SGPRS, CODE_EXEC, 2);
    case FIRST_VALU_SGPR: return latest(st->valu_sgpr, RULE_SGPRS, u->place, u->dw);
    case FIRST_VALU_VGPR: return latest(st->valu_vgpr, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_WIDE_STORE: return latest(st->wide_store, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_SALU_M0: return st->salu_m0;
    case FIRST_ACC_TO_VGPR: return latest(st->acc_to_vgpr, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_ACC_WRITE: return time_of_acc(st->acc_write, u);
    case FIRST_MFMA: return time_of_other(st, u);
    case FIRST_MFMA_8: return time_of_acc(st->mfma[1], u);
    case FIRST_MFMA_16: return time_of_acc(st->mfma[2], u);
    case FIRST_MFMA_C_8: return time_of_acc(st->mfma_c[1], u);
    case FIRST_MFMA_C_16: return time_of_acc(st->mfma_c[2], u);
    case FIRST_VCC_HALF: return st->vccz_stale ? st->now : 0;
    }
    return 0;
}

static void need_hazards(const struct rule_state *st, const struct subject *s,
                         struct rule_need *need)
{
    struct uses l;
    list_uses(&l, s);
    for (u32 i = 0; i < l.count; i++) {
        enum rule_hazard hz = (enum rule_hazard)hazard_of[l.u[i].second];
        u32 waits = rule_hazards[hz].waits;
        u32 passed = st->now - time_of(st, (enum first)hazard_first[hz], &l.u[i]);
        if (st->lint && hz == HZ_vcc_alias)
            continue;
        if (waits == HAZARD_FOREVER) {
            if (st->vccz_stale) {
                need->vcc = true;
                need->hazard = hz;
                need->place = CODE_VCC;
            }
        } else if (passed < waits && waits - passed > need->nops) {
            need->nops = waits - passed;
            need->hazard = hz;
            need->place = l.u[i].place;
        }
    }
}

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

static bool lgkm_any_order(const struct rule_state *st)
{
    return st->flat_last_lgkm > st->lgkm_done || st->smem_last > st->lgkm_done;
}

static void need_vm(const struct rule_state *st, u32 number, u32 place, struct rule_need *need)
{
    if (number <= st->vm_done)
        return;
    u32 n = count_for(st->vm_now, number, vm_any_order(st), VM_MAX);
    if (n >= need->vmcnt)
        return;
    need->vmcnt = n;
    need->vm_place = (u16)place;
}

static void need_lgkm(const struct rule_state *st, u32 number, u32 place, struct rule_need *need)
{
    if (number <= st->lgkm_done)
        return;
    u32 n = count_for(st->lgkm_now, number, lgkm_any_order(st), LGKM_MAX);
    if (n >= need->lgkmcnt)
        return;
    need->lgkmcnt = n;
    need->lgkm_place = (u16)place;
}

static void need_place(const struct rule_state *st, u32 place, struct rule_need *need)
{
    if (is_vgpr(place)) {
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

/* A result that is written over by one of the same kind, which comes later as they keep their
 * order. */
static void need_overwrite(const struct rule_state *st, const struct subject *s, u32 place,
                           struct rule_need *need)
{
    bool vm_follows = s->unit == UNIT_VMEM && !vm_any_order(st);
    bool lgkm_follows = s->unit == UNIT_LDS && !lgkm_any_order(st);
    if (!is_vgpr(place)) {
        need_place(st, place, need);
        return;
    }
    if (!vm_follows)
        need_vm(st, st->vm[place - PLACE_V0], place, need);
    if (!lgkm_follows)
        need_lgkm(st, st->lgkm[place - PLACE_V0], place, need);
}

static void need_waits(const struct rule_state *st, const struct subject *s, struct rule_need *need)
{
    bool idle = st->vm_now == st->vm_done && st->lgkm_now == st->lgkm_done;
    if (idle)
        return;
    if (s->row->flags & FLAG_END && !st->lint)
        need_all(st, need);
    if (s->row->flags & FLAG_BARRIER)
        need_lgkm(st, st->lds_last, PLACE_LDS, need);
    for (u32 i = 0; i < s->fx.count; i++) {
        const struct effect *e = &s->fx.e[i];
        if (st->lint && e->dw > INDEXED_MIN)
            continue;
        for (u32 n = 0; n < e->dw; n++) {
            if (st->lint && e->dir == DIR_W)
                need_overwrite(st, s, e->place + n, need);
            else
                need_place(st, e->place + n, need);
        }
    }
}

bool rule_need(const struct rule_state *st, const struct insn *in, struct rule_need *need)
{
    struct subject s;
    *need = (struct rule_need){ .vmcnt = RULE_NO_WAIT, .lgkmcnt = RULE_NO_WAIT };
    look_at(&s, in);
    s.lint = st->lint;
    need_hazards(st, &s, need);
    need_waits(st, &s, need);
    return need->nops || need->vcc || need->vmcnt != RULE_NO_WAIT || need->lgkmcnt != RULE_NO_WAIT;
}

bool rule_need_all(const struct rule_state *st, struct rule_need *need)
{
    *need = (struct rule_need){ .vmcnt = RULE_NO_WAIT, .lgkmcnt = RULE_NO_WAIT };
    need_all(st, need);
    return need->vmcnt != RULE_NO_WAIT || need->lgkmcnt != RULE_NO_WAIT;
}

/* ---- the step ---- */

void rule_start(struct rule_state *st)
{
    memset(st, 0, sizeof *st);
    st->now = TIME_START;
    st->vm_now = st->vm_done = st->lgkm_now = st->lgkm_done = TIME_START;
}

static void step_wait(struct rule_state *st, u32 imm)
{
    u32 vm = bits32(imm, 0, 4) | bits32(imm, 14, 2) << 4, lgkm = bits32(imm, 8, 4);
    if ((vm == 0 || !vm_any_order(st)) && st->vm_now - vm > st->vm_done)
        st->vm_done = st->vm_now - vm;
    if ((lgkm == 0 || !lgkm_any_order(st)) && st->lgkm_now - lgkm > st->lgkm_done)
        st->lgkm_done = st->lgkm_now - lgkm;
}

static void step_setreg(struct rule_state *st, const struct insn *in)
{
    u32 simm = insn_get(in, FLD_simm16), id = simm & 63, offset = simm >> 6 & 31,
        width = (simm >> 11) + 1;
    st->setreg[id] = st->now;
    if (id == HWREG_MODE && offset <= MODE_VSKIP && offset + width > MODE_VSKIP)
        st->setreg_skip = st->now;
}

static void step_memory(struct rule_state *st, const struct subject *s)
{
    bool load = s->fx.mem_read || s->row->flags & FLAG_LANEWISE;
    bool counts = load || (st->lint && s->fx.mem_write);
    switch (s->unit) {
    case UNIT_SMEM: st->smem_last = ++st->lgkm_now; break;
    case UNIT_LDS: st->lds_last = ++st->lgkm_now; break;
    case UNIT_FLAT:
        st->flat_last_vm = ++st->vm_now;
        st->flat_last_lgkm = st->lds_last = ++st->lgkm_now;
        break;
    case UNIT_VMEM: st->vm_now += counts; break;
    default: return;
    }
    for (u32 i = 0; i < s->fx.count; i++) {
        const struct effect *e = &s->fx.e[i];
        if (!(e->dir & DIR_W))
            continue;
        for (u32 n = 0; n < e->dw; n++) {
            u32 place = e->place + n;
            if (place < RULE_SGPRS)
                st->smem[place] = st->lgkm_now;
            if (!is_vgpr(place))
                continue;
            if (s->unit == UNIT_VMEM || s->unit == UNIT_FLAT)
                st->vm[place - PLACE_V0] = st->vm_now;
            if (s->unit == UNIT_LDS || s->unit == UNIT_FLAT)
                st->lgkm[place - PLACE_V0] = st->lgkm_now;
        }
    }
}

static void step_writes(struct rule_state *st, const struct subject *s)
{
    for (u32 i = 0; i < s->fx.count; i++) {
        const struct effect *e = &s->fx.e[i];
        for (u32 n = 0; e->dir & DIR_W && n < e->dw; n++) {
            u32 place = e->place + n;
            if (s->unit == UNIT_VALU && place < RULE_SGPRS)
                st->valu_sgpr[place] = st->now;
            if (s->unit == UNIT_VALU && is_vgpr(place))
                st->valu_vgpr[place - PLACE_V0] = st->now;
            if (s->unit == UNIT_SALU && place == CODE_M0)
                st->salu_m0 = st->now;
        }
        bool vcc = e->dir & DIR_W && e->place <= CODE_VCC + 1 && e->place + e->dw > CODE_VCC;
        bool both = e->place <= CODE_VCC && e->place + e->dw >= CODE_VCC + 2;
        if (vcc && st->lint)
            st->vccz_stale = !both;
        else if (vcc)
            st->vccz_stale = s->unit == UNIT_SMEM || e->place != CODE_VCC || e->dw != 2;
    }
    if (is_wide_store(s) && !(st->lint && is_late_store(s)))
        for (u32 i = 0; i < s->fx.count; i++)
            for (u32 n = 0; n < s->fx.e[i].dw; n++)
                if (is_vgpr(s->fx.e[i].place + n) && s->fx.e[i].dw > 2)
                    st->wide_store[s->fx.e[i].place + n - PLACE_V0] = st->now;
}

/* 0: 2 passes, 1: 8, 2: 16. */
static u32 passes_of(const struct isa_row *row)
{
    return strstr(row->name, "_32x32x") ? 2 : strstr(row->name, "_16x16x") ? 1 : 0;
}

/* The time of every register of an operand. */
static void set_acc(const struct rule_state *st, u32 *time, const struct subject *s,
                    const struct isa_operand *o)
{
    u32 code = insn_code(s->in, o), dw = insn_operand_dw(s->in, o);
    for (u32 i = code; i < code + dw; i++)
        if (is_acc(i))
            time[i - PLACE_A0] = st->now;
}

static void step_matrix(struct rule_state *st, const struct subject *s)
{
    const struct isa_operand *d = s->row->operand;
    u32 code = insn_code(s->in, d), dw = insn_operand_dw(s->in, d);
    st->acc = true;
    if (is_vgpr(code)) {
        st->acc_to_vgpr[code - PLACE_V0] = st->now;
        return;
    }
    if (!is_acc(code))
        return;
    for (u32 i = code; i < code + dw && is_acc(i); i++)
        st->mfma_range[i - PLACE_A0] = 0;
    if (!is_mfma(s->row)) {
        set_acc(st, st->acc_write, s, d);
        return;
    }
    u32 passes = passes_of(s->row);
    st->mfma_range[code - PLACE_A0] = (u16)dw;
    set_acc(st, st->mfma[0], s, d);
    for (const struct isa_operand *o = d; o->kind != K_NONE; o++)
        if (o->dir & DIR_R && o->slot == SLOT_S2)
            set_acc(st, st->mfma_c[passes], s, o);
    if (passes)
        set_acc(st, st->mfma[passes], s, d);
}

/* ---- known values ---- */

static bool known(const struct rule_state *st, u32 code, u32 *value)
{
    if (code >= RULE_SGPRS || !(st->known[code / 64] >> code % 64 & 1))
        return false;
    *value = st->value[code];
    return true;
}

static bool known_source(const struct rule_state *st, const struct insn *in, enum isa_field field,
                         u32 *value)
{
    u64 v;
    u32 code = insn_get(in, field);
    if (known(st, code, value))
        return true;
    bool constant = insn_constant(in, code, T_B32, &v);
    *value = constant ? (u32)v : 0;
    return constant;
}

static void forget(struct rule_state *st, const struct subject *s)
{
    for (u32 i = 0; i < s->fx.count; i++) {
        const struct effect *e = &s->fx.e[i];
        if (!(e->dir & DIR_W))
            continue;
        if (e->place == PLACE_SCC)
            st->scc_known = false;
        for (u32 n = e->place; n < RULE_SGPRS && n < (u32)e->place + e->dw; n++)
            st->known[n / 64] &= ~(1ull << n % 64);
    }
}

static void learn(struct rule_state *st, u32 code, u64 value, u32 dw)
{
    for (u32 i = 0; i < dw && code + i < RULE_SGPRS; i++) {
        st->known[(code + i) / 64] |= 1ull << (code + i) % 64;
        st->value[code + i] = (u32)(value >> 32 * i);
    }
}

/* Only what return addresses and computed jumps are made of. */
static void step_known(struct rule_state *st, const struct subject *s, u64 pc)
{
    const struct insn *in = s->in;
    u32 a = 0, b = 0, dst = insn_get(in, FLD_sdst);
    u64 next = pc + in->dw * 4u;
    bool both, carry_in = st->scc;
    switch (in->op) {
    case OP_s_getpc_b64:
    case OP_s_call_b64:
    case OP_s_swappc_b64:
        forget(st, s);
        learn(st, dst, next, 2);
        return;
    case OP_s_mov_b32:
        both = known_source(st, in, FLD_ssrc0, &a);
        forget(st, s);
        if (both)
            learn(st, dst, a, 1);
        return;
    case OP_s_add_u32:
    case OP_s_addc_u32:
        both = known_source(st, in, FLD_ssrc0, &a) && known_source(st, in, FLD_ssrc1, &b);
        both = both && (in->op == OP_s_add_u32 || st->scc_known);
        forget(st, s);
        if (both) {
            u64 sum = (u64)a + b + (in->op == OP_s_addc_u32 && carry_in);
            learn(st, dst, sum, 1);
            st->scc_known = true;
            st->scc = sum >> 32 != 0;
        }
        return;
    default: forget(st, s); return;
    }
}

void rule_step(struct rule_state *st, const struct insn *in, u64 pc)
{
    struct subject s;
    look_at(&s, in);
    u32 imm = insn_get(in, FLD_simm16);
    st->now += in->op == OP_s_nop ? (imm & 15) + 1 : 1;
    if (in->op == OP_s_waitcnt)
        step_wait(st, imm);
    else if (in->op == OP_s_setreg_b32 || in->op == OP_s_setreg_imm32_b32)
        step_setreg(st, in);
    else if (in->op == OP_s_setvskip)
        st->setreg[HWREG_MODE] = st->setreg_skip = st->now;
    step_memory(st, &s);
    step_writes(st, &s);
    if (s.row->enc == ENC_MAI)
        step_matrix(st, &s);
    step_known(st, &s, pc);
}

u32 rule_waitcnt(u32 vmcnt, u32 lgkmcnt)
{
    u32 vm = vmcnt > VM_MAX ? VM_MAX : vmcnt, lgkm = lgkmcnt > LGKM_MAX ? LGKM_MAX : lgkmcnt;
    return (vm & 15) | 7u << 4 | lgkm << 8 | vm >> 4 << 14;
}
