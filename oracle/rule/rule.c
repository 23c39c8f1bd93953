/* What earlier instructions left behind, and what an instruction needs in front of it. */
#include "oracle/isa/gens.h"
#include "oracle/isa/op.h"
#include "oracle/rule/internal.h"

/* What the first instruction of a hazard did. */
enum first {
    FIRST_SETREG,
    FIRST_SETREG_SKIP,
    FIRST_SETREG_TRAP,
    FIRST_VALU_VCC,
    FIRST_VALU_EXEC,
    FIRST_VALU_SGPR,
    FIRST_SALU_SGPR,
    FIRST_VALU_VGPR,
    FIRST_WIDE_STORE,
    FIRST_SALU_M0,
    FIRST_SALU_M0_MOVE,
    FIRST_ICACHE_INV,
    FIRST_CLAUSE,
    FIRST_CLAUSE_LOAD,
    FIRST_VALU_ACC_MOVE,
    FIRST_ACC_TO_VGPR,
    FIRST_ACC_WRITE,
    FIRST_MFMA,
    FIRST_MFMA_8,
    FIRST_MFMA_16,
    FIRST_MFMA_C_8,
    FIRST_MFMA_C_16,
    FIRST_VCC_HALF,
    FIRST_SCALAR_LOAD
};

/* What the second one does. Each has one row of the table. */
enum second {
    SECOND_GETREG,
    SECOND_SETREG_AGAIN,
    SECOND_SETREG_AGAIN_OLD,
    SECOND_VECTOR,
    SECOND_RFE,
    SECOND_VCCZ_DATA,
    SECOND_EXECZ_DATA,
    SECOND_LANE_SELECT,
    SECOND_DIV_FMAS,
    SECOND_VMEM_SGPR,
    SECOND_SMEM_SGPR,
    SECOND_SMEM_BUFFER,
    SECOND_DPP_VGPR,
    SECOND_DPP,
    SECOND_VCC_CONSTANT,
    SECOND_OVERWRITE,
    SECOND_MESSAGE,
    SECOND_M0_INDEX,
    SECOND_INDEXED,
    SECOND_FETCH,
    SECOND_IN_CLAUSE,
    SECOND_STORE_IN_CLAUSE,
    SECOND_MEMORY_VALU_VGPR,
    SECOND_VCCZ,
    SECOND_VCCZ_BEHIND,
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

enum { FOREVER = HAZARD_FOREVER, TIME_START = 1 << 24, ICACHE_NOPS = 16 };

const struct rule_hazard_info rule_hazards[HZ_COUNT] = {
#define HAZARD(name, gens, label, first, second, waits, text) { #name, label, text, waits },
#include "oracle/rule/hazard.def"
#undef HAZARD
};

/* Generations that have it, bits by enum gen. */
static const u8 hazard_gens[HZ_COUNT] = {
#define HAZARD(name, gens, label, first, second, waits, text) GEN_BITS(gens),
#include "oracle/rule/hazard.def"
#undef HAZARD
};

/* The table has those of the matrix core last. */
bool rule_has_hazard(const struct isa *isa, enum rule_hazard hazard)
{
    return hazard_gens[hazard] >> isa->target->gen & 1 &&
           (hazard < HZ_valu_mai || isa_target_has(isa->target, FEATUREBIT_MAI));
}

static const u8 hazard_first[HZ_COUNT] = {
#define HAZARD(name, gens, label, first, second, waits, text) FIRST_##first,
#include "oracle/rule/hazard.def"
#undef HAZARD
};

static const u8 hazard_of[SECOND_COUNT] = {
#define HAZARD(name, gens, label, first, second, waits, text) [SECOND_##second] = HZ_##name,
#include "oracle/rule/hazard.def"
#undef HAZARD
};

_Static_assert((int)HZ_COUNT == (int)SECOND_COUNT, "each kind of use has one hazard");

/* Sets of what first instructions did. */
#define FIRST_BIT(first) (1u << FIRST_##first)
/* What has a time of its own in the matrix core. */
enum { FIRSTS_MATRIX = (2 << FIRST_MFMA_C_16) - (1 << FIRST_VALU_ACC_MOVE) };

#define HAZARD(name, gens, label, first, second, waits, text)                      \
    _Static_assert((waits) <= (int)RULE_RECENT || (waits) == (int)FOREVER ||       \
                       FIRST_BIT(first) & (FIRSTS_MATRIX | FIRST_BIT(ICACHE_INV)), \
                   "no longer than recent");
#include "oracle/rule/hazard.def"
#undef HAZARD

/* ---- kinds of instructions ---- */

static void look_at(struct subject *s, const struct insn *in, const struct effects *fx)
{
    s->in = in;
    s->row = insn_row(in);
    s->unit = isa_unit(s->row);
    s->lint = false;
    s->gens = 1u << in->gen;
    s->fx = fx;
}

/* A scalar register as the offset of a buffer, or 256 bits of image resource, take a cycle more to
 * read, in which the data has been read too. Vega ISA, chapter 4.5, note of that row. */
static bool is_late_store(const struct subject *s)
{
    if (isa_memory(s->row) == MEMORY_IMAGE)
        return !insn_get(s->in, FLD_r128);
    return isa_memory(s->row) == MEMORY_BUFFER && insn_get(s->in, FLD_soffset) < RULE_SGPRS;
}

static bool is_wide_store(const struct subject *s)
{
    if (!(s->row->flags & (FLAG_STORE | FLAG_ATOMIC)) || !isa_is_vmem(s->row))
        return false;
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++)
        if (o->slot == SLOT_DATA0 && insn_operand_dw(s->in, o) > 2)
            return true;
    return false;
}

/* ---- uses: who asks for which hazard ---- */

struct use {
    u8 second;
    u8 dw;
    u16 place;  /* or number of the hardware register */
    u16 passes; /* of a reader in the matrix core */
};
struct uses {
    u32 recent; /* FIRST_ bits: others ask for nothing, and are not listed */
    u32 count;
    struct use u[40];
};

/* The bit of the first instruction that a use asks for. */
#define ASKS(second) (1u << hazard_first[hazard_of[second]])

static inline void add_use_of(struct uses *l, enum second second, u32 place, u32 dw, u16 passes)
{
    if (!(l->recent & ASKS(second)))
        return;
    if (l->count == COUNT_OF(l->u))
        BUG("too many uses");
    l->u[l->count++] = (struct use){ (u8)second, (u8)dw, (u16)place, passes };
}
static inline void add_use(struct uses *l, enum second second, u32 place, u32 dw)
{
    add_use_of(l, second, place, dw, 0);
}

static u32 hwreg_id(const struct insn *in, const struct isa_operand *o)
{
    return insn_code(in, o) & 63;
}

static void add_vccz(struct uses *l)
{
    add_use(l, SECOND_VCCZ, CODE_VCC, 2);
    add_use(l, SECOND_VCCZ_BEHIND, CODE_VCC, 2);
}

static void list_scalar_uses(struct uses *l, const struct subject *s)
{
    const struct isa_operand *hw = isa_operand_of_kind(s->row, K_HWREG);
    enum isa_m0 m0 = isa_m0(s->row);
    if (hw && s->row->flags & FLAG_WR_MODE) {
        add_use(l, SECOND_SETREG_AGAIN, hwreg_id(s->in, hw), 1);
        add_use(l, SECOND_SETREG_AGAIN_OLD, hwreg_id(s->in, hw), 1);
    } else if (hw) {
        add_use(l, SECOND_GETREG, hwreg_id(s->in, hw), 1);
    }
    if (isa_flow(s->row) == FLOW_RFE)
        add_use(l, SECOND_RFE, 0, 1);
    if (m0 == M0_MESSAGE)
        add_use(l, SECOND_MESSAGE, CODE_M0, 1);
    if (m0 == M0_SOURCE || m0 == M0_DEST)
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (s->row->flags & FLAG_RD_VCC)
        add_vccz(l);
}

static void list_vector_uses(struct uses *l, const struct subject *s)
{
    add_use(l, SECOND_VECTOR, 0, 1);
    if (s->row->flags & FLAG_RD_VCC)
        add_use(l, SECOND_DIV_FMAS, CODE_VCC, 2);
    if (isa_m0(s->row) == M0_ADDRESS)
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (insn_get(s->in, FLD_lds) && insn_row(s->in)->operand[0].kind != K_BDATA)
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (s->unit == UNIT_LDS && insn_get(s->in, FLD_gds))
        add_use(l, SECOND_MESSAGE, CODE_M0, 1);
    if (isa_is_vmem(s->row) && insn_get(s->in, FLD_lds))
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (isa_is_vector_alu(s->row) && s->indexed)
        add_use(l, SECOND_INDEXED, CODE_M0, 1);
    if (s->in->form == FORM_DPP)
        add_use(l, SECOND_DPP, CODE_EXEC, 2);
}

static void list_source_use(struct uses *l, const struct subject *s, const struct isa_operand *o)
{
    if (o->kind != K_SRC && o->kind != K_SSRC && o->kind != K_LANESEL)
        return;
    u32 code = insn_code(s->in, o), dw = insn_operand_dw(s->in, o);
    if (code == CODE_VCCZ && isa_is_vector_alu(s->row))
        add_use(l, SECOND_VCCZ_DATA, CODE_VCC, 2);
    if (code == CODE_VCCZ)
        add_vccz(l);
    if (code == CODE_EXECZ && isa_is_vector_alu(s->row))
        add_use(l, SECOND_EXECZ_DATA, CODE_EXEC, 2);
    if (code == CODE_LDS_DIRECT && isa_is_vector_alu(s->row))
        add_use(l, SECOND_M0_INDEX, CODE_M0, 1);
    if (o->kind == K_SSRC)
        return;
    if (code <= CODE_VCC + 1 && code + dw > CODE_VCC)
        add_use(l, SECOND_VCC_CONSTANT, CODE_VCC, 2);
    if (o->kind == K_LANESEL && o->slot == SLOT_S1 && code < RULE_SGPRS)
        add_use(l, SECOND_LANE_SELECT, code, 1);
    if (s->in->form == FORM_DPP && (o->slot == SLOT_S0 || (s->lint && rule_is_vgpr(code))))
        add_use(l, SECOND_DPP_VGPR, code, dw);
}

static bool is_mfma(const struct isa_row *row)
{
    return isa_passes(row) != 0;
}

/* Of the matrix core's three lengths: 0 for 2 passes, 1 for 8, 2 for 16. */
static u16 passes_of(const struct isa_row *row)
{
    return isa_passes(row) > 8 ? 2 : isa_passes(row) > 2 ? 1 : 0;
}

static bool is_acc(u32 place)
{
    return place >= PLACE_A0 && place < PLACE_A0 + RULE_VGPRS;
}

/* Of the matrix core: v_mfma, v_accvgpr_read, v_accvgpr_write. */
static void list_matrix_uses(struct uses *l, const struct subject *s)
{
    bool mfma = is_mfma(s->row),
         write = isa_row_is_acc_move(s->row) && s->row->operand[0].kind == K_ACC;
    if (mfma || write)
        add_use(l, SECOND_MAI, CODE_EXEC, 2);
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(s->in, o), dw = insn_operand_dw(s->in, o);
        bool reads = o->dir & DIR_R;
        if (rule_is_vgpr(code) && reads && (mfma || write))
            add_use(l, SECOND_MAI_VGPR, code, dw);
        if (!is_acc(code) || !(l->recent & FIRSTS_MATRIX))
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
            add_use_of(l, is_c ? SECOND_OTHER_SRC_C : SECOND_RESULT_AB, code, dw,
                       passes_of(s->row));
        }
    }
}

/* ERRATA(GCN1-U02): LLVM leaves a distance between scalar ALU and scalar loads of buffers alone, Mesa
 * before other ones, too. */
static void list_smem_uses(struct uses *l, const struct subject *s, const struct effect *e)
{
    bool buffer = isa_types[s->row->operand[1].type].dwords == 4;
    if (!(e->dir & DIR_R) || e->place >= RULE_SGPRS)
        return;
    add_use(l, SECOND_SMEM_SGPR, e->place, e->dw);
    if (buffer || !s->lint)
        add_use(l, SECOND_SMEM_BUFFER, e->place, e->dw);
}

/* Uses of sources; of most instructions nothing is asked there. */
static void list_source_uses(struct uses *l, const struct subject *s)
{
    u32 asks = ASKS(SECOND_VCCZ) | ASKS(SECOND_VCCZ_BEHIND) | ASKS(SECOND_VCCZ_DATA) |
               ASKS(SECOND_EXECZ_DATA) | ASKS(SECOND_M0_INDEX) | ASKS(SECOND_VCC_CONSTANT) |
               ASKS(SECOND_LANE_SELECT) | (s->in->form == FORM_DPP ? ASKS(SECOND_DPP_VGPR) : 0);
    if (!(l->recent & asks))
        return;
    for (const struct isa_operand *o = s->row->operand; o->kind != K_NONE; o++)
        if (o->dir & DIR_R)
            list_source_use(l, s, o);
}

/* Uses of registers, whatever names them. */
static void list_effect_uses(struct uses *l, const struct subject *s)
{
    bool memory = isa_is_vmem(s->row), valu = isa_is_vector_alu(s->row);
    u32 registers = ASKS(SECOND_MEMORY_VGPR) | ASKS(SECOND_MEMORY_VALU_VGPR);
    u32 asks = memory                 ? ASKS(SECOND_VMEM_SGPR) | registers
               : s->unit == UNIT_LDS  ? registers
               : s->unit == UNIT_SMEM ? ASKS(SECOND_SMEM_SGPR) | ASKS(SECOND_SMEM_BUFFER)
               : valu                 ? ASKS(SECOND_OVERWRITE)
                                      : 0;
    if (!(l->recent & asks))
        return;
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        bool vector = rule_is_vgpr(e->place);
        if (memory && e->dir & DIR_R && e->place < CODE_EXEC)
            add_use(l, SECOND_VMEM_SGPR, e->place, e->dw);
        if (s->unit == UNIT_SMEM)
            list_smem_uses(l, s, e);
        if (vector && e->dir & DIR_R && (memory || s->unit == UNIT_LDS)) {
            add_use(l, SECOND_MEMORY_VGPR, e->place, e->dw);
            add_use(l, SECOND_MEMORY_VALU_VGPR, e->place, e->dw);
        }
        if (vector && valu && e->dir & DIR_W)
            add_use(l, SECOND_OVERWRITE, e->place, e->dw);
    }
}

static void list_uses(struct uses *l, const struct rule_state *st, const struct subject *s)
{
    u32 place;
    l->count = 0;
    if (st->replay && rule_breaks_clause(st, s, &place)) {
        bool store = s->row->flags & (FLAG_STORE | FLAG_ATOMIC);
        add_use(l, store ? SECOND_STORE_IN_CLAUSE : SECOND_IN_CLAUSE, place, 1);
    }
    if (st->icache_left && s->in->op != OP_s_nop && !(s->row->flags & FLAG_BRANCH))
        add_use(l, SECOND_FETCH, 0, 1);
    if (!isa_is_scalar(s->row))
        list_vector_uses(l, s);
    else
        list_scalar_uses(l, s);
    list_source_uses(l, s);
    if (s->unit == UNIT_MATRIX)
        list_matrix_uses(l, s);
    list_effect_uses(l, s);
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
    if (u->second == SECOND_OTHER_SRC_C && st->mfma_range[at] == (u->dw | u->passes << 8))
        return 0;
    return latest(st->mfma[0], RULE_VGPRS, at, u->dw);
}

static u32 time_of_acc(const u32 *time, const struct use *u)
{
    return latest(time, RULE_VGPRS, u->place - PLACE_A0, u->dw);
}

/* v_accvgpr_read or v_accvgpr_write, if it stands between the instruction that wrote the register
 * and the one that uses it, with nothing else. */
static u32 time_of_acc_move(const struct rule_state *st, const struct use *u)
{
    u32 valu = latest(st->valu_vgpr, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    bool between = valu && valu + 1 == st->acc_move && st->acc_move == st->now;
    return between ? st->acc_move : 0;
}

/* Of what the matrix core did. */
static u32 time_of_matrix(const struct rule_state *st, enum first first, const struct use *u)
{
    switch (first) {
    case FIRST_ACC_TO_VGPR: return latest(st->acc_to_vgpr, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_ACC_WRITE: return time_of_acc(st->acc_write, u);
    case FIRST_MFMA: return time_of_other(st, u);
    case FIRST_MFMA_8: return time_of_acc(st->mfma[1], u);
    case FIRST_MFMA_16: return time_of_acc(st->mfma[2], u);
    case FIRST_MFMA_C_8: return time_of_acc(st->mfma_c[1], u);
    case FIRST_MFMA_C_16: return time_of_acc(st->mfma_c[2], u);
    default: return 0;
    }
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
    case FIRST_SALU_SGPR: return latest(st->salu_sgpr, RULE_SGPRS, u->place, u->dw);
    case FIRST_VALU_VGPR: return latest(st->valu_vgpr, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_WIDE_STORE: return latest(st->wide_store, RULE_VGPRS, u->place - PLACE_V0, u->dw);
    case FIRST_SALU_M0: return st->salu_m0;
    case FIRST_SALU_M0_MOVE: return st->salu_m0_move;
    case FIRST_ICACHE_INV: return st->now - (ICACHE_NOPS - st->icache_left);
    case FIRST_CLAUSE:
    case FIRST_CLAUSE_LOAD: return st->now;
    case FIRST_VALU_ACC_MOVE: return time_of_acc_move(st, u);
    case FIRST_VCC_HALF: return st->vccz_stale ? st->now : 0;
    case FIRST_SCALAR_LOAD: return st->vccz_spoilt ? st->now : 0;
    default: return st->acc ? time_of_matrix(st, first, u) : 0;
    }
}

/* Which first instructions may still ask for something. */
static u32 recent_firsts(const struct rule_state *st)
{
    u32 vcc = latest(st->valu_sgpr, RULE_SGPRS, CODE_VCC, 2),
        exec = latest(st->valu_sgpr, RULE_SGPRS, CODE_EXEC, 2);
    const u32 setregs = FIRST_BIT(SETREG) | FIRST_BIT(SETREG_SKIP) | FIRST_BIT(SETREG_TRAP);
    return (rule_is_recent(st, st->setreg_last) ? setregs : 0) |
           (u32)rule_is_recent(st, vcc) << FIRST_VALU_VCC |
           (u32)rule_is_recent(st, exec) << FIRST_VALU_EXEC |
           (u32)rule_is_recent(st, st->valu_sgpr_last) << FIRST_VALU_SGPR |
           (u32)rule_is_recent(st, st->salu_sgpr_last) << FIRST_SALU_SGPR |
           (u32)rule_is_recent(st, st->valu_vgpr_last) << FIRST_VALU_VGPR |
           (u32)rule_is_recent(st, st->wide_store_last) << FIRST_WIDE_STORE |
           (u32)rule_is_recent(st, st->salu_m0) << FIRST_SALU_M0 |
           (u32)rule_is_recent(st, st->salu_m0_move) << FIRST_SALU_M0_MOVE |
           (u32)(st->icache_left != 0) << FIRST_ICACHE_INV |
           (st->replay ? FIRST_BIT(CLAUSE) | FIRST_BIT(CLAUSE_LOAD) : 0) |
           (st->acc ? (u32)FIRSTS_MATRIX : 0) | (u32)st->vccz_stale << FIRST_VCC_HALF |
           (u32)st->vccz_spoilt << FIRST_SCALAR_LOAD;
}

static void need_hazards(const struct rule_state *st, const struct subject *s,
                         struct rule_need *need)
{
    struct uses l;
    l.recent = recent_firsts(st);
    if (!l.recent)
        return;
    list_uses(&l, st, s);
    for (u32 i = 0; i < l.count; i++) {
        enum rule_hazard hz = (enum rule_hazard)hazard_of[l.u[i].second];
        if ((st->lint && hz == HZ_vcc_alias) || !(hazard_gens[hz] & s->gens))
            continue;
        u32 waits = rule_hazards[hz].waits;
        u32 passed = st->now - time_of(st, (enum first)hazard_first[hz], &l.u[i]);
        if (waits == HAZARD_FOREVER && passed == 0) {
            need->vcc = true;
            need->hazard = hz;
            need->place = CODE_VCC;
        } else if (waits != HAZARD_FOREVER && passed < waits && waits - passed > need->nops) {
            need->nops = waits - passed;
            need->hazard = hz;
            need->place = l.u[i].place;
        }
    }
}

bool rule_need_with(const struct rule_state *st, const struct insn *in, const struct effects *fx,
                    struct rule_need *need)
{
    struct subject s;
    *need = (struct rule_need){ .vmcnt = RULE_NO_WAIT,
                                .lgkmcnt = RULE_NO_WAIT,
                                .expcnt = RULE_NO_WAIT };
    look_at(&s, in, fx);
    s.lint = st->lint;
    s.gens |= st->gens;
    s.indexed = st->gpr_idx;
    need_hazards(st, &s, need);
    rule_need_waits(st, &s, need);
    return rule_asks(need);
}

bool rule_need(const struct rule_state *st, const struct insn *in, struct rule_need *need)
{
    struct effects fx;
    effects_of(in, &fx);
    return rule_need_with(st, in, &fx, need);
}

/* ---- the step ---- */

void rule_start(struct rule_state *st)
{
    memset(st, 0, offsetof(struct rule_state, clause.write));
    st->now = TIME_START;
    st->vm_now = st->vm_done = st->lgkm_now = st->lgkm_done = TIME_START;
    st->exp_now = st->exp_done = TIME_START;
}

void rule_copy(struct rule_state *to, const struct rule_state *from)
{
    memcpy(to, from, offsetof(struct rule_state, clause.write));
    if (from->clause.count)
        to->clause = from->clause;
    if (from->acc)
        memcpy(to->acc_write, from->acc_write, sizeof *to - offsetof(struct rule_state, acc_write));
}

void rule_start_matrix(struct rule_state *st)
{
    if (!st->acc)
        memset(st->acc_write, 0, sizeof *st - offsetof(struct rule_state, acc_write));
    st->acc = true;
}

static void step_setreg(struct rule_state *st, const struct insn *in)
{
    u32 simm = insn_get(in, FLD_simm16), id = simm & 63, offset = simm >> 6 & 31,
        width = (simm >> 11) + 1;
    st->setreg[id] = st->setreg_last = st->now;
    if (id == HWREG_MODE && offset <= MODE_VSKIP && offset + width > MODE_VSKIP)
        st->setreg_skip = st->now;
}

/* s_set_gpr_idx_on, _idx, _mode: their writes of M0 need no distance to what they index. */
static bool is_set_gpr_idx(const struct isa_row *row)
{
    return isa_m0(row) == M0_INDEX_ON || isa_m0(row) == M0_INDEX;
}

/* Modes of the wave, and the instruction buffer. */
static void step_modes(struct rule_state *st, const struct subject *s)
{
    if (isa_m0(s->row) == M0_INDEX_ON)
        st->gpr_idx = true;
    if (isa_m0(s->row) == M0_INDEX_OFF)
        st->gpr_idx = false;
    if (s->in->op == OP_s_icache_inv)
        st->icache_left = ICACHE_NOPS;
    else if (s->row->flags & FLAG_BRANCH)
        st->icache_left = 0;
    else if (st->icache_left && s->in->op == OP_s_nop)
        st->icache_left--;
}

static void step_scalar_write(struct rule_state *st, const struct subject *s,
                              const struct effect *e)
{
    bool valu = isa_is_vector_alu(s->row), salu = isa_is_salu(s->row);
    u32 end = (u32)e->place + e->dw, after = end < RULE_SGPRS ? end : RULE_SGPRS;
    for (u32 place = e->place; valu && place < after; place++)
        st->valu_sgpr[place] = st->valu_sgpr_last = st->now;
    for (u32 place = e->place; salu && place < after; place++)
        st->salu_sgpr[place] = st->salu_sgpr_last = st->now;
    if (salu && e->place <= CODE_M0 && end > CODE_M0) {
        st->salu_m0 = st->now;
        if (!is_set_gpr_idx(s->row))
            st->salu_m0_move = st->now;
    }
    if (e->place > CODE_VCC + 1 || end <= CODE_VCC)
        return;
    bool both = e->place <= CODE_VCC && end >= CODE_VCC + 2;
    if (both && s->unit != UNIT_SMEM)
        st->vccz_spoilt = rule_scalar_under_way(st);
    st->vccz_stale = st->lint ? !both : s->unit == UNIT_SMEM || e->place != CODE_VCC || e->dw != 2;
}

static void step_writes(struct rule_state *st, const struct subject *s)
{
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        if (!(e->dir & DIR_W))
            continue;
        if (e->place < RULE_SGPRS)
            step_scalar_write(st, s, e);
        for (u32 n = 0; isa_is_vector_alu(s->row) && n < e->dw; n++)
            if (rule_is_vgpr(e->place + n))
                st->valu_vgpr[e->place + n - PLACE_V0] = st->valu_vgpr_last = st->now;
    }
    if (s->unit == UNIT_SMEM && hazard_gens[HZ_vccz_spoilt] & s->gens)
        st->vccz_spoilt = true;
    if (is_wide_store(s) && !(st->lint && is_late_store(s)))
        for (u32 i = 0; i < s->fx->count; i++)
            for (u32 n = 0; n < s->fx->e[i].dw; n++)
                if (rule_is_vgpr(s->fx->e[i].place + n) && s->fx->e[i].dw > 2)
                    st->wide_store[s->fx->e[i].place + n - PLACE_V0] = st->wide_store_last =
                        st->now;
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
    rule_start_matrix(st);
    if (!is_mfma(s->row))
        st->acc_move = st->now;
    if (rule_is_vgpr(code)) {
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
    st->mfma_range[code - PLACE_A0] = (u16)(dw | passes << 8);
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
    if (!st->scc_known && !st->known[0] && !st->known[1])
        return;
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
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
    u32 a = 0, b = 0;
    u64 next = pc + in->dw * 4u;
    bool both, carry_in = st->scc;
    if (isa_flows[isa_flow(s->row)].links) {
        forget(st, s);
        learn(st, insn_get(in, FLD_sdst), next, 2);
        return;
    }
    switch (in->op) {
    case OP_s_mov_b32:
        both = known_source(st, in, FLD_ssrc0, &a);
        forget(st, s);
        if (both)
            learn(st, insn_get(in, FLD_sdst), a, 1);
        return;
    case OP_s_add_u32:
    case OP_s_addc_u32:
        both = known_source(st, in, FLD_ssrc0, &a) && known_source(st, in, FLD_ssrc1, &b);
        both = both && (in->op == OP_s_add_u32 || st->scc_known);
        forget(st, s);
        if (both) {
            u64 sum = (u64)a + b + (in->op == OP_s_addc_u32 && carry_in);
            learn(st, insn_get(in, FLD_sdst), sum, 1);
            st->scc_known = true;
            st->scc = sum >> 32 != 0;
        }
        return;
    default: forget(st, s); return;
    }
}

void rule_step(struct rule_state *st, const struct insn *in, u64 pc)
{
    struct effects fx;
    effects_of(in, &fx);
    rule_step_with(st, in, &fx, pc);
}

void rule_step_with(struct rule_state *st, const struct insn *in, const struct effects *fx, u64 pc)
{
    struct subject s;
    look_at(&s, in, fx);
    s.gens |= st->gens;
    st->now += in->op == OP_s_nop ? (insn_get(in, FLD_simm16) & 15) + 1 : 1;
    if (s.row->flags & FLAG_WR_MODE && isa_operand_of_kind(s.row, K_HWREG))
        step_setreg(st, in);
    else if (s.row->flags & FLAG_WR_VSKIP)
        st->setreg[HWREG_MODE] = st->setreg_skip = st->setreg_last = st->now;
    rule_step_waits(st, &s);
    if (st->replay)
        rule_step_clause(st, &s);
    step_modes(st, &s);
    step_writes(st, &s);
    if (s.unit == UNIT_MATRIX)
        step_matrix(st, &s);
    if (isa_is_salu(s.row))
        step_known(st, &s, pc);
    else
        forget(st, &s);
}
