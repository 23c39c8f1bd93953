/* The numeric rules that name several right results, applied to one instruction.
 *
 * How a new row states its rule:
 *
 *   1. In its flags (oracle/isa/accept.def): nothing if every bit of its results is settled; SET if
 *      for some operands there are several right results; ULP(n), REL(n) (2^-n of the value) or
 *      ABS(n) (2^-n) if the result is approximate; PROBE if it is never compared. `gcncheck list`
 *      prints it; the tolerance `~row` of a case file means it.
 *   2. In the function that computes it, where an operand makes the result open (enum fp_open in
 *      oracle/fp/fp.h; E is the row's environment):
 *        several values   return fp_alt(env, ALT_VALUE) ? other : usual;
 *                         Each ALT_ bit is one choice. The instruction is run once for every
 *                         combination of the bits that came up, through omod, clamp and SDWA: what
 *                         comes out of a run is right. A lane mask (v_div_scale) has alternatives
 *                         in the same way.
 *        approximate      env->open |= OPEN_NEAR, and OPEN_LESS or OPEN_MORE where the exact value
 *                         is known to be less or more than the result. Without OPEN_NEAR the result
 *                         of an ULP, REL or ABS row is exact: infinities, zeros, powers of two.
 *        any quiet NaN    env->open |= OPEN_NAN
 *        nothing known    env->open |= OPEN_ANY
 *
 * The functions of oracle/fp/fp_core.h note already what holds for every float result: which of two
 * NaNs comes out (fp_first_nan), and on which side of rounding tininess is judged (fp_round). A row
 * may do this without saying SET, and so may omod. Any other note of a row that claims to be exact
 * is ignored here, and t_acceptance fails. Integer rows have no environment: what is open about
 * them is PROBE_CARRY, PROBE, or below. */
#include "oracle/accept/acceptance.h"

#include "oracle/accept/tolerance.h"
#include "oracle/exec/exec.h"
#include "oracle/insn/half.h"
#include "oracle/isa/op.h"

/* Notes that need no word in the row. */
enum { OPEN_EVERYWHERE = OPEN_NAN | ALT_TINY | ALT_OMOD };

/* ---- running an instruction without leaving a trace ---- */

enum { LOG_ENTRIES = 16, LOG_DW = LOG_ENTRIES * LANES };

struct outcome {
    u64 vector[LANES];
    u64 mask;
};

/* The upper half of a pair is the next register. */
const struct xop *acceptance_vector(const struct xinsn *x)
{
    const struct xop *d = &x->opnd[SLOT_D];
    return d->dw && isa_kinds[d->kind].class == OPERAND_VECTOR ? d : NULL;
}

static const struct xop *mask_of(const struct xinsn *x)
{
    static const u8 slot[] = { SLOT_CARRY, SLOT_D };
    for (u32 i = 0; i < COUNT_OF(slot); i++)
        if (x->opnd[slot[i]].kind == K_MASK && x->opnd[slot[i]].store32)
            return &x->opnd[slot[i]];
    return NULL;
}

/* Runs x with the alternatives `take`, collects what comes out, and takes everything back. */
static void run_once(struct wave *w, const struct xinsn *x, u32 take, struct lane_open *open,
                     struct outcome *out)
{
    struct wlog_entry entry[LOG_ENTRIES];
    u32 data[LOG_DW];
    struct wlog own = { .entry = entry, .cap = LOG_ENTRIES, .data = data, .data_cap = LOG_DW };
    struct wlog *log = w->log;
    u32 id = w->id;
    w->log = &own;
    w->id = 0;
    w->open = open;
    wave_take(w, take);
    x->sem(w, x);
    wave_take(w, 0);
    w->open = NULL;
    const struct xop *d = acceptance_vector(x), *m = mask_of(x);
    for (u32 lane = 0; d && lane < LANES; lane++) {
        u32 at = (d->code - (u32)CODE_VGPR) % VGPRS;
        u64 high = d->dw > 1 ? w->vgpr[(at + 1) % VGPRS][lane] : 0;
        out->vector[lane] = w->vgpr[at][lane] | high << 32;
    }
    out->mask = m ? pair_get(&w->sgpr[m->code]) : 0;
    wlog_undo(&own, &w);
    w->log = log;
    w->id = id;
}

static void add_alternative(struct acceptance *l, u32 lane, u64 usual, u64 v)
{
    u32 n = l->alt_count[lane];
    for (u32 i = 0; i < n; i++)
        if (l->alt[i][lane] == v)
            return;
    if (v == usual)
        return;
    if (n == ACCEPTANCE_ALTS) {
        l->any_lanes |= 1ull << lane;
        return;
    }
    l->alt[n][lane] = v;
    l->alt_count[lane] = (u8)(n + 1);
    l->set_lanes |= 1ull << lane;
}

/* Every combination of the alternatives that came up, also of those that come up on the way. */
static void run_alternatives(struct wave *w, const struct xinsn *x, u32 honoured,
                             struct lane_open *open, const struct outcome *usual,
                             struct acceptance *l)
{
    struct outcome other;
    u32 alts = 0;
    while (alts != (open->alts & honoured)) {
        alts = open->alts & honoured;
        for (u32 take = alts; take; take = (take - 1) & alts) {
            run_once(w, x, take, open, &other);
            for (u64 m = wave_exec(w); m; m &= m - 1)
                add_alternative(l, ctz64(m), usual->vector[ctz64(m)], other.vector[ctz64(m)]);
            l->mask_lanes |= usual->mask ^ other.mask;
        }
    }
}

/* A part of a result: NaNs and tolerances cannot be judged. */
static bool is_partial(const struct xinsn *x)
{
    if (x->insn.form != FORM_SDWA || x->dst_sel == SEL_DWORD)
        return false;
    return x->dst_sel != SEL_WORD_0 || x->opnd[SLOT_D].type != T_F16;
}

static void judge_vector(struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    const struct isa_row *row = insn_row(&x->insn);
    bool exact = isa_accept_kind(row) == ACCEPT_EXACT;
    struct lane_open open = { 0 };
    struct outcome usual = { .mask = 0 };
    run_once(w, x, 0, &open, &usual);
    l->nan_lanes = open.nan;
    if (!exact) {
        l->any_lanes = open.any;
        l->near_lanes = open.near;
        l->less_lanes = open.less;
        l->more_lanes = open.more;
        l->rel_lanes = open.rel;
    }
    run_alternatives(w, x, exact ? (u32)OPEN_EVERYWHERE & ALT_MASK : (u32)ALT_MASK, &open, &usual,
                     l);
    if (is_partial(x)) {
        l->any_lanes |= l->nan_lanes | l->near_lanes;
        l->nan_lanes = l->near_lanes = 0;
    }
}

/* ---- rules that are not the arithmetic's ---- */

/* Carries: with clamp it may be the true one or 0; a lane that DPP does not write may get 0 or keep
 * its bit. */
static void judge_carry(struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    u32 buf[LANES];
    if (x->clamp || insn_row(&x->insn)->flags & FLAG_PROBE_CARRY)
        l->mask_lanes = wave_exec(w);
    if (x->insn.form != FORM_DPP)
        return;
    fetch32(w, x, &x->opnd[SLOT_S0], buf);
    l->mask_lanes |= wave_exec(w) & ~w->write_mask;
}

/* MODE, SCC in STATUS, and how much LDS there is; the rest is up to the machine. */
static bool hwreg_is_known(u32 simm)
{
    u32 id = simm & 63, first = simm >> 6 & 31, bits = (simm >> 11 & 31) + 1;
    return id == HWREG_MODE || (id == HWREG_STATUS && first == 0 && bits == 1) ||
           (id == HWREG_LDS_ALLOC && first >= 12 && first + bits <= 21);
}

static void judge_scalar(const struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    if (x->insn.op == OP_s_bfe_i32 || x->insn.op == OP_s_bfe_i64) {
        u32 size = x->insn.op == OP_s_bfe_i32 ? 32 : 64, s1 = scalar32(w, &x->opnd[SLOT_S1]);
        u32 offset = s1 & (size - 1), width = s1 >> 16 & 127;
        l->scalar = offset && offset + width > size;
    } else if (x->insn.op == OP_s_getreg_b32) {
        l->scalar = !hwreg_is_known(insn_get(&x->insn, FLD_simm16));
    }
}

/* A 32-bit offset beside a scalar base: whether it has a sign is contested. */
static void judge_offset(const struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    const struct xop *v = &x->opnd[SLOT_ADDR];
    if (v->dw != 1)
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1)
        l->any_lanes |= (u64)(w->vgpr[v->code - CODE_VGPR][ctz64(m)] >> 31) << ctz64(m);
}

/* A load of half a register, where the other half may be lost. */
static void judge_half(const struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    if (!isa_target_has(w->isa->target, FEATUREBIT_SRAM_ECC) || w->isa->ecc != ECC_OPEN)
        return;
    l->kept_lanes = wave_exec(w);
    for (u32 i = 0; i < COUNT_OF(l->kept_bits); i++)
        l->kept_bits[i] = ~half_written(w->isa, &x->insn, i);
}

/* Only these write nothing but registers, and have an environment. */
static bool is_float_alu(const struct isa_row *row)
{
    bool alu = isa_unit(row) == UNIT_VALU || isa_unit(row) == UNIT_INTERP;
    return alu && (isa_is_float(row) || isa_accept_kind(row)) && !(row->flags & FLAG_LANEWISE);
}

static void describe(const struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    const struct isa_row *row = insn_row(&x->insn);
    const struct xop *d = acceptance_vector(x);
    memset(l, 0, offsetof(struct acceptance, alt));
    l->accept = (u8)isa_accept_kind(row);
    l->accept_n = (u8)isa_accept_n(row);
    l->ieee = w->f32.ieee;
    if (!d)
        return;
    l->type = d->type;
    l->dw = d->dw;
    l->shift = d->part == PART_HIGH ? 16 : 0;
    if (d->type == T_F16H)
        l->type = T_F16;
}

void acceptance_of(struct wave *w, const struct xinsn *x, struct acceptance *l)
{
    const struct isa_row *row = insn_row(&x->insn);
    describe(w, x, l);
    if (l->accept == ACCEPT_PROBE) {
        l->any_lanes = l->mask_lanes = wave_exec(w);
        l->scalar = true;
    }
    if (isa_unit(row) == UNIT_SALU)
        judge_scalar(w, x, l);
    else if (isa_memory(row) == MEMORY_GLOBAL)
        judge_offset(w, x, l);
    else if (is_float_alu(row))
        judge_vector(w, x, l);
    else if (x->opnd[SLOT_CARRY].kind == K_MASK)
        judge_carry(w, x, l);
    judge_half(w, x, l);
}

/* ---- comparing one lane ---- */

/* Bits `lsb` and up of a result, of the width of its format. */
static bool accepts_part(const struct acceptance *l, u32 lane, u32 lsb, u32 width, u64 want,
                         u64 got)
{
    u64 w = bits64(want, lsb, width), g = bits64(got, lsb, width);
    bool is_float = isa_types[l->type].class == CLASS_FLOAT;
    if (w == g)
        return true;
    for (u32 i = 0; i < l->alt_count[lane]; i++)
        if (bits64(l->alt[i][lane], lsb, width) == g)
            return true;
    if (is_float && l->nan_lanes >> lane & 1 && tolerance_both_nan(width, w, g, l->ieee))
        return true;
    struct tolerance near = { .kind = (enum isa_accept)l->accept,
                              .n = l->accept_n,
                              .less = l->less_lanes >> lane & 1,
                              .more = l->more_lanes >> lane & 1,
                              .relative = l->rel_lanes >> lane & 1 };
    return is_float && l->near_lanes >> lane & 1 && tolerance_accepts(&near, width, w, g);
}

u32 acceptance_open_bits(const struct acceptance *l, u32 lane, u32 reg)
{
    if (l->any_lanes >> lane & 1)
        return ~0u;
    return l->kept_lanes >> lane & 1 && reg < COUNT_OF(l->kept_bits) ? l->kept_bits[reg] : 0;
}

bool acceptance_takes(const struct acceptance *l, u32 lane, u64 want, u64 got)
{
    u64 open = acceptance_open_bits(l, lane, 0) | (u64)acceptance_open_bits(l, lane, 1) << 32;
    if (((want ^ got) & ~open) == 0)
        return true;
    if (l->type == T_PF16)
        return accepts_part(l, lane, 0, 16, want, got) && accepts_part(l, lane, 16, 16, want, got);
    if (l->type != T_F16)
        return accepts_part(l, lane, 0, l->dw * 32u, want, got);
    return ((want ^ got) & ~(0xffffull << l->shift)) == 0 &&
           accepts_part(l, lane, l->shift, 16, want, got);
}
