/* Fetch, store and address calculation for every form. */
#include "oracle/sem/operand.h"
#include "oracle/isa/op.h"

#include "oracle/insn/plain.h"
#include "oracle/state/effects.h"
#include "oracle/state/mem.h"

#define OPERAND_OPS SEM_TABLE(operand_ops)

/* A variant of this file in which every operand goes through the table, and none the short way when it is
 * prepared, is a mutant; scripts/mutate/mutate.py gives the short way to those that it cannot hide. */
#ifdef MUTANT
#define DIRECT false
#else
#define DIRECT true
#endif

/* ---- fetch ---- */

static u32 modify(const struct xop *o, u32 v)
{
    v = ((v >> o->shift & o->mask) ^ o->sign) - o->sign;
    return (v & o->keep) ^ o->flip;
}

/* A function for every kind of operand and change to it, found once for an instruction: their loops
 * over lanes ask nothing. */
static const u32 *fetch_vgpr(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *buf)
{
    (void)in, (void)buf;
    return w->vgpr[o->code - CODE_VGPR];
}

static const u32 *fetch_vgpr_mod(struct wave *w, const struct xinsn *in, const struct xop *o,
                                 u32 *buf)
{
    (void)in;
    const u32 *p = w->vgpr[o->code - CODE_VGPR];
    const struct xop m = *o;
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = modify(&m, p[lane]);
    return buf;
}

static const u32 *fetch_scalar(struct wave *w, const struct xinsn *in, const struct xop *o,
                               u32 *buf)
{
    (void)in;
    u32 v = modify(o, scalar32(w, o));
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = v;
    return buf;
}

/* A dword of LDS, or part of one, for all lanes: M0 holds address and type. Vega ISA, section 10.3
 * (LDS direct reads). */
static const u32 *fetch_lds_direct(struct wave *w, const struct xinsn *in, const struct xop *o,
                                   u32 *buf)
{
    u32 m0 = w->sgpr[CODE_M0], addr = m0 & 0xffff, type = m0 >> 16 & 7, v = 0;
    (void)in;
    switch (type) {
    case 0: v = (u32)mem_read(w, SPACE_LDS_M0, 0, addr, 1); break;
    case 1: v = (u32)mem_read(w, SPACE_LDS_M0, 0, addr, 2); break;
    case 2: v = (u32)mem_read(w, SPACE_LDS_M0, 0, addr, 4); break;
    case 4: v = sext32((u32)mem_read(w, SPACE_LDS_M0, 0, addr, 1), 8); break;
    case 5: v = sext32((u32)mem_read(w, SPACE_LDS_M0, 0, addr, 2), 16); break;
    default: wave_unmodelled(w, "src_lds_direct of type %u is not modelled", type);
    }
    if (addr & 3)
        wave_unmodelled(w, "src_lds_direct at an address that is no multiple of 4 is not modelled");
    v = modify(o, v);
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = v;
    return buf;
}

/* Notes that what is fetched is open, and says whether to take the other answer. */
static bool alternative(struct wave *w, u32 alt)
{
    if (w->open)
        w->open->alts |= alt;
    return w->f64.take & alt;
}

/* Packed operands: the half that each half of the result reads. */
static u32 pick_halves(const struct xop *o, u32 v)
{
    u32 high = o->shift_hi ? v >> 16 : v;
    return ((v >> o->shift & 0xffff) | high << 16) ^ o->flip;
}

static const u32 *fetch_vgpr_packed(struct wave *w, const struct xinsn *in, const struct xop *o,
                                    u32 *buf)
{
    (void)in;
    const u32 *p = w->vgpr[o->code - CODE_VGPR];
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = pick_halves(o, p[lane]);
    return buf;
}

/* A constant has 32 bits, too, of which the halves are picked. ERRATA(PK-U01): the manual does not
 * say so. */
static const u32 *fetch_scalar_packed(struct wave *w, const struct xinsn *in, const struct xop *o,
                                      u32 *buf)
{
    (void)in;
    u32 v = pick_halves(o, scalar32(w, o));
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = v;
    return buf;
}

/* A mixed operand outside vector registers. ERRATA(PK-U10): what an inline float is there is open, the
 * f32's bits or (ALT_ZERO) the f16's where the operand is an f32; nothing is compared where it is a
 * half. */
static u32 mix_scalar(struct wave *w, const struct xinsn *in, const struct xop *o, bool half)
{
    u32 inline_float = o->code - (u32)CODE_FLOAT_0_5;
    u64 v = scalar32(w, o);
    if (!w->open || inline_float > CODE_FLOAT_LAST - CODE_FLOAT_0_5)
        return (u32)v;
    if (half)
        w->open->any = ~0ull;
    else if (alternative(w, ALT_ZERO))
        insn_constant(&in->insn, o->code, T_F16, &v);
    return (u32)v;
}

/* An f32, or an f16 widened. Rows that flush subnormals whatever MODE says flush those of f16 too;
 * that is open. */
static const u32 *fetch_mix(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *buf)
{
    bool vgpr = o->code >= CODE_VGPR && !o->is_const, half = o->mask == 0xffff;
    bool always = insn_row(&in->insn)->flags & FLAG_FLUSHES;
    bool flush = w->f64.flush_in || (always && half && !alternative(w, ALT_VALUE2));
    u32 scalar = vgpr ? 0 : mix_scalar(w, in, o, half);
    const u32 *p = vgpr ? w->vgpr[o->code - CODE_VGPR] : NULL;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 v = modify(o, p ? p[lane] : scalar);
        buf[lane] = half ? f16_widen((u16)v, flush) : v;
    }
    return buf;
}

/* A source lane that is off counts as missing, like one outside the row: it reads 0, and unless
 * bound_ctrl is set the lane is not written. Vega ISA, chapter 6.4 (DPP). */
static const u32 *fetch_dpp(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *buf)
{
    const u32 *p = w->vgpr[o->code - CODE_VGPR];
    u64 exec = wave_exec(w), valid = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 ok = in->dpp_valid >> lane & exec >> in->lane_of[lane] & 1;
        valid |= ok << lane;
        buf[lane] = modify(o, ok ? p[in->lane_of[lane]] : 0);
    }
    w->write_mask = in->dpp_rows & (in->bound_ctrl ? ~0ull : valid);
    return buf;
}

/* A lane mask as 64 dwords of 0 and 1. */
static const u32 *fetch_mask(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *buf)
{
    (void)in;
    u64 m = scalar64(w, o);
    for (u32 half = 0; half < LANES; half += 32) {
        u32 bits = (u32)(m >> half);
        for (u32 i = 0; i < 32; i++)
            buf[half + i] = bits >> i & 1;
    }
    return buf;
}

static const u64 *fetch_vgpr64(struct wave *w, const struct xinsn *in, const struct xop *o,
                               u64 *buf)
{
    (void)in;
    const u32 *lo = w->vgpr[o->code - CODE_VGPR], *hi = w->vgpr[(o->code + 1) % VGPRS];
    const u32 keep = o->keep, flip = o->flip;
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = lo[lane] | (u64)((hi[lane] & keep) ^ flip) << 32;
    return buf;
}

static const u64 *fetch_scalar64(struct wave *w, const struct xinsn *in, const struct xop *o,
                                 u64 *buf)
{
    (void)in;
    u64 v = scalar64(w, o), keep = (u64)o->keep << 32 | 0xffffffff;
    v = (v & keep) ^ (u64)o->flip << 32;
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = v;
    return buf;
}

/* ---- store ---- */

static void write_vgpr(struct wave *w, u32 code, const u32 *out, u64 lanes)
{
    u32 row = code - CODE_VGPR;
    u32 *dst = w->vgpr[row < VGPR_ROWS ? row : row % VGPRS];
    wlog_reg(w, code, dst, LANES);
    put32(dst, out, lanes);
}

static u32 omod_of(struct fp_env *env, enum isa_type type, u32 v, u32 omod)
{
    if (type == T_F32)
        return fomod32(env, v, omod);
    u32 high = type == T_PF16 ? fomod16(env, (u16)(v >> 16), omod) : 0u;
    return fomod16(env, (u16)v, omod) | high << 16;
}

static u32 clamp_of(const struct fp_env *env, enum isa_type type, u32 v)
{
    if (type == T_F32)
        return fclamp32(env, v);
    u32 high = type == T_PF16 ? fclamp16(env, (u16)(v >> 16)) : 0u;
    return fclamp16(env, (u16)v) | high << 16;
}

/* omod, then clamp, of finished float results. omod has no effect with IEEE set or with subnormal
 * results kept. Vega ISA, chapter 6.2 (output modifiers). */
static void modify_out(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    const enum isa_type type = (enum isa_type)o->type;
    const struct fp_env *mode = type == T_F32 ? &w->f32 : &w->f64;
    u32 omod = mode->ieee || !mode->flush_out ? 0 : in->omod;
    struct fp_env env = *mode;
    u64 exec = wave_exec(w);
    for (u64 m = exec; m; m &= m - 1) {
        u32 lane = ctz64(m);
        if (omod)
            out[lane] = omod_of(&env, type, out[lane], omod);
        wave_note_open(w, lane, &env);
        if (in->clamp)
            out[lane] = clamp_of(&env, type, out[lane]);
    }
    wave_raise(w, env.flags);
}

static bool has_out_modifiers(const struct xinsn *in, const struct xop *o)
{
    return isa_types[o->type].class == CLASS_FLOAT && (in->omod || in->clamp);
}

/* Results of 16 bits that leave the other half of the register as it is. Vega ISA, chapter 12:
 * which opcodes do; ERRATA(VALU-U01): it is silent on most. */
static void keep_other_half(const struct wave *w, const struct xop *o, u32 *out)
{
    const u32 *old = w->vgpr[o->code - CODE_VGPR];
    u32 shift = o->part == PART_HIGH ? 16 : 0, field = 0xffffu << shift;
    for (u32 lane = 0; lane < LANES; lane++)
        out[lane] = (out[lane] & 0xffff) << shift | (old[lane] & ~field);
}

static void store_vgpr(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    if (has_out_modifiers(in, o))
        modify_out(w, in, o, out);
    if (o->part)
        keep_other_half(w, o, out);
    write_vgpr(w, o->code, out, wave_exec(w));
}

static void store_vgpr_dpp(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    (void)in;
    if (o->part)
        keep_other_half(w, o, out);
    write_vgpr(w, o->code, out, wave_exec(w) & w->write_mask);
}

enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

/* The bits that a select names. */
static void select_bits(u32 sel, u32 *shift, u32 *width)
{
    if (sel <= SEL_BYTE_3) {
        *shift = sel * 8;
        *width = 8;
    } else {
        *shift = sel == SEL_WORD_1 ? 16 : 0;
        *width = sel == SEL_DWORD ? 32 : 16;
    }
}

/* Writes the selected part; the rest is zero, the sign above and zero below, or as it was. */
static void store_vgpr_sdwa(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    if (has_out_modifiers(in, o))
        modify_out(w, in, o, out);
    u32 shift, width;
    select_bits(in->dst_sel, &shift, &width);
    if (width < 32) {
        const u32 *old = w->vgpr[o->code - CODE_VGPR];
        u32 field = mask32(width) << shift;
        for (u32 lane = 0; lane < LANES; lane++) {
            u32 v = out[lane] & mask32(width);
            if (in->dst_unused == UNUSED_SEXT)
                v = sext32(v, width) << shift;
            else
                v <<= shift;
            if (in->dst_unused == UNUSED_PRESERVE)
                v |= old[lane] & ~field;
            out[lane] = v;
        }
    }
    write_vgpr(w, o->code, out, wave_exec(w));
}

static void modify_out64(struct wave *w, const struct xinsn *in, u64 *out)
{
    u32 omod = w->f64.ieee || !w->f64.flush_out ? 0 : in->omod;
    struct fp_env env = w->f64;
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        if (omod)
            out[lane] = fomod64(&env, out[lane], omod);
        wave_note_open(w, lane, &env);
        if (in->clamp)
            out[lane] = fclamp64(&env, out[lane]);
    }
    wave_raise(w, env.flags);
}

static void store_vgpr64(struct wave *w, const struct xinsn *in, const struct xop *o, u64 *out)
{
    if (o->type == T_F64 && (in->omod || in->clamp))
        modify_out64(w, in, out);
    u32 lo[LANES], hi[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        lo[lane] = (u32)out[lane];
        hi[lane] = (u32)(out[lane] >> 32);
    }
    write_vgpr(w, o->code, lo, wave_exec(w));
    write_vgpr(w, o->code + 1u, hi, wave_exec(w));
}

/* One bit per lane: the dwords are narrowed to bytes, and a multiplication collects the low bits of
 * eight bytes in the top byte. */
static u64 gather(const u32 *lanes)
{
    u8 byte[LANES];
    u64 m = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        byte[lane] = lanes[lane] & 1;
    for (u32 group = 0; group < LANES; group += 8) {
        u64 eight;
        memcpy(&eight, byte + group, sizeof eight);
        m |= (eight * 0x0102040810204080u >> 56) << group;
    }
    return m;
}

/* Lanes that are off, or that DPP suppresses, give 0. */
static void store_mask(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    u64 m = gather(out);
    m &= wave_exec(w);
    if (in->insn.form == FORM_DPP)
        m &= w->write_mask;
    w->mask_out = m;
    u32 dw[2];
    pair_set(dw, m);
    scalar_write(w, o->code, dw, 2);
}

/* ---- addresses ---- */

/* Rows that take the data from memory: offset is signed and counts dwords from the destination, or,
 * with its top bit set, the upper 15 bits of the address do. Vega ISA, chapter 11 (SRC2 ops). */
static void src2_addresses(const struct xinsn *in, const u32 *base, u64 *addr, u64 *addr1)
{
    u32 offset = (u32)in->offset;
    bool by_lane = offset >> 15;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 distance = by_lane ? base[lane] >> 17 : offset & 0x7fff;
        addr[lane] = by_lane ? base[lane] & 0x1ffff : base[lane];
        addr1[lane] = addr[lane] + (u64)sext64(distance, 15) * 4;
    }
}

/* A row without an address register counts from M0, 4 bytes to a lane. The sum of address and
 * offset has 32 bits: compilers put a constant into the offset of an address that is below 0
 * without it. */
static void ds_addresses(struct wave *w, const struct xinsn *in, u64 *addr, u64 *addr1)
{
    u64 flags = insn_row(&in->insn)->flags;
    if (in->opnd[SLOT_ADDR].dw == 0) {
        for (u32 lane = 0; lane < LANES; lane++)
            addr[lane] = (w->sgpr[CODE_M0] & 0xffff) + (u64)(u32)in->offset + lane * 4;
        return;
    }
    const u32 *base = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    if (flags & FLAG_SRC2) {
        src2_addresses(in, base, addr, addr1);
        return;
    }
    for (u32 lane = 0; lane < LANES; lane++)
        addr[lane] = base[lane] + (u32)in->offset;
    for (u32 lane = 0; flags & FLAG_OFFSET2 && lane < LANES; lane++)
        addr1[lane] = base[lane] + (u32)in->offset1;
}

/* FLAT: 64-bit VGPR address + unsigned 12 bits. GLOBAL: the same with signed 13 bits, or a scalar
 * base plus an unsigned 32-bit VGPR offset. Vega ISA, chapter 9. UNVERIFIED: that the 32-bit offset
 * is unsigned. */
static void flat_addresses(struct wave *w, const struct xinsn *in, u64 *addr)
{
    const struct xop *v = &in->opnd[SLOT_ADDR], *s = &in->opnd[SLOT_BASE];
    bool based = isa_memory(insn_row(&in->insn)) == MEMORY_GLOBAL && s->code != CODE_OFF;
    u64 base = (u64)(i64)in->offset + (based ? scalar64(w, s) : 0);
    const u32 *lo = w->vgpr[v->code - CODE_VGPR], *hi = w->vgpr[(v->code + 1) % VGPRS];
    for (u32 lane = 0; lane < LANES; lane++)
        addr[lane] = base + lo[lane] + (based ? 0 : (u64)hi[lane] << 32);
}

/* A 32-bit vector or scalar offset + signed 13 bits. */
static void scratch_addresses(struct wave *w, const struct xinsn *in, u64 *addr)
{
    const struct xop *v = &in->opnd[SLOT_ADDR], *s = &in->opnd[SLOT_BASE];
    u64 offset = (u64)(i64)in->offset;
    if (s->code == CODE_OFF) {
        const u32 *base = w->vgpr[v->code - CODE_VGPR];
        for (u32 lane = 0; lane < LANES; lane++)
            addr[lane] = offset + base[lane];
    } else {
        u32 base = scalar32(w, s);
        for (u32 lane = 0; lane < LANES; lane++)
            addr[lane] = offset + base;
    }
}

static void addresses(struct wave *w, const struct xinsn *in, u64 *addr, u64 *addr1)
{
    switch (isa_memory(insn_row(&in->insn))) {
    case MEMORY_LDS: ds_addresses(w, in, addr, addr1); break;
    case MEMORY_SCRATCH: scratch_addresses(w, in, addr); break;
    default: flat_addresses(w, in, addr); break;
    }
}

/* ---- prepare ---- */

/* dpp_ctrl: the lane each lane reads. Vega ISA, chapter 6.4. ERRATA(MOD-C08 MOD-C09): the manual's
 * formulas for the mirrors lose the row base, and those for the broadcasts read wrong without
 * parentheses. */
static void dpp_lanes(struct xinsn *x, u32 ctrl)
{
    x->dpp_valid = 0;
    for (u32 n = 0; n < LANES; n++) {
        u32 row = n & 0x30, i = n & 15, k = ctrl & 15;
        i32 src = -1;
        if (ctrl <= 0xff) /* quad_perm */
            src = (i32)((n & ~3u) | (ctrl >> (n & 3) * 2 & 3));
        else if (ctrl >= 0x101 && ctrl <= 0x10f) /* row_shl */
            src = i + k <= 15 ? (i32)(n + k) : -1;
        else if (ctrl >= 0x111 && ctrl <= 0x11f) /* row_shr */
            src = i >= k ? (i32)(n - k) : -1;
        else if (ctrl >= 0x121 && ctrl <= 0x12f) /* row_ror */
            src = (i32)(row | ((i - k) & 15));
        else if (ctrl == 0x130) /* wave_shl:1 */
            src = n < 63 ? (i32)n + 1 : -1;
        else if (ctrl == 0x134) /* wave_rol:1 */
            src = (i32)((n + 1) & 63);
        else if (ctrl == 0x138) /* wave_shr:1 */
            src = (i32)n - 1;
        else if (ctrl == 0x13c) /* wave_ror:1 */
            src = (i32)((n - 1) & 63);
        else if (ctrl == 0x140) /* row_mirror */
            src = (i32)(row | (15 - i));
        else if (ctrl == 0x141) /* row_half_mirror */
            src = (i32)((n & ~7u) | (7 - (n & 7)));
        else if (ctrl == 0x142) /* row_bcast:15 */
            src = (i32)row - 1;
        else if (ctrl == 0x143) /* row_bcast:31 */
            src = n >= 32 ? 31 : -1;
        x->lane_of[n] = (u8)(src < 0 ? 0 : src);
        x->dpp_valid |= (u64)(src >= 0) << n;
    }
}

static void prepare_dpp(struct xinsn *x, const struct insn *in)
{
    dpp_lanes(x, insn_get(in, FLD_dpp_ctrl));
    x->bound_ctrl = insn_get(in, FLD_bound_ctrl);
    u32 rows = insn_get(in, FLD_row_mask), banks = insn_get(in, FLD_bank_mask);
    x->dpp_rows = 0;
    for (u32 n = 0; n < LANES; n++)
        x->dpp_rows |= (u64)(rows >> (n >> 4) & banks >> (n >> 2 & 3) & 1) << n;
}

/* Which bits of neg and abs are an operand's; 3 for none. The vector source of interpolation is the
 * second one: the attribute has the place of the first. */
static u32 modifier_index(const struct isa_operand *d)
{
    if (d->slot < SLOT_S0)
        return 3;
    return d->field == FLD_src1 ? 1 : (u32)d->slot - SLOT_S0;
}

/* neg and abs of source `index` (0..2): VOP3 has one field for all, SDWA and DPP one per source. */
static void read_negabs(const struct insn *in, u32 index, bool *neg, bool *abs)
{
    static const u8 neg_field[2] = { FLD_src0_neg, FLD_src1_neg };
    static const u8 abs_field[2] = { FLD_src0_abs, FLD_src1_abs };
    if (in->form == FORM_E64) {
        *neg = insn_get(in, FLD_neg) >> index & 1;
        *abs = insn_get(in, FLD_abs) >> index & 1;
    } else if (index < 2) {
        *neg = insn_get(in, (enum isa_field)neg_field[index]);
        *abs = insn_get(in, (enum isa_field)abs_field[index]);
    }
}

/* Whether op_sel chooses the half that source `index` is. */
static bool takes_op_sel(const struct xop *o, const struct insn *in, u32 index)
{
    return insn_row(in)->flags & FLAG_OPSEL && in->form == FORM_E64 && index < 3 &&
           isa_type_is_half((enum isa_type)o->type);
}

/* Whether the operand is the upper of two parameters in a register, which the bit for LDS
 * chooses. */
static bool attr_word(const struct xop *o, const struct insn *in)
{
    isa_op op = in->op;
    return op == OP_v_interp_p1lv_f16 && o->type == T_F16 && insn_get(in, FLD_high);
}

static bool prepare_modifiers(struct xop *o, const struct insn *in, u32 index)
{
    if (in->form == FORM_BASE || in->form == FORM_LIT)
        return false; /* these forms have none; what prepare_operand has set is right */
    bool neg = false, abs = false, sext = false;
    u32 sel = SEL_DWORD, top = isa_type_is_half((enum isa_type)o->type) ? 0x8000 : 0x80000000;
    read_negabs(in, index, &neg, &abs);
    if (in->form == FORM_SDWA && index < 2) {
        sel = insn_get(in, index ? FLD_src1_sel : FLD_src0_sel);
        sext = insn_get(in, index ? FLD_src1_sext : FLD_src0_sext);
    }
    if (takes_op_sel(o, in, index) && insn_get(in, FLD_op_sel) >> index & 1)
        sel = SEL_WORD_1;
    if (attr_word(o, in))
        sel = SEL_WORD_1;
    u32 shift, width;
    select_bits(sel, &shift, &width);
    bool is_float =
        isa_types[o->type].class == CLASS_FLOAT || isa_types[o->type].class == CLASS_SIGNED;
    o->shift = (u8)shift;
    o->mask = mask32(width);
    o->sign = sext && width < 32 ? 1u << (width - 1) : 0;
    o->keep = is_float && abs ? ~top : ~0u;
    o->flip = is_float && neg ? top : 0;
    return width < 32 || o->keep != ~0u || o->flip;
}

/* op_sel_hi of source `index`. ERRATA(PK-C01): the manual exchanges the bits of the first and
 * the third source. */
static bool op_sel_hi(const struct insn *in, u32 index)
{
    return index < 2 ? insn_get(in, FLD_op_sel_hi) >> index & 1 : insn_get(in, FLD_op_sel_hi2);
}

/* op_sel picks the half that the low result reads, op_sel_hi that of the high result; neg and
 * neg_hi negate them, if they are floats. True if that is anything but the register as it
 * stands. */
static bool prepare_packed(struct xop *o, const struct insn *in, u32 index)
{
    bool is_float = isa_types[o->type].class == CLASS_FLOAT;
    bool low = is_float && insn_get(in, FLD_neg) >> index & 1;
    bool high = is_float && insn_get(in, FLD_neg_hi) >> index & 1;
    o->shift = insn_get(in, FLD_op_sel) >> index & 1 ? 16 : 0;
    o->shift_hi = op_sel_hi(in, index) ? 16 : 0;
    o->flip = (low ? 0x8000u : 0) | (high ? 0x80000000 : 0);
    return o->shift || !o->shift_hi || o->flip;
}

/* op_sel_hi: a half, and op_sel says which. neg_hi takes the absolute value. Vega ISA, VOP3P
 * opcodes. */
static void prepare_mix(struct xop *o, const struct insn *in, u32 index)
{
    bool half = op_sel_hi(in, index);
    u32 top = half ? 0x8000 : 0x80000000;
    o->shift = half && insn_get(in, FLD_op_sel) >> index & 1 ? 16 : 0;
    o->mask = half ? 0xffff : ~0u;
    o->keep = insn_get(in, FLD_neg_hi) >> index & 1 ? ~top : ~0u;
    o->flip = insn_get(in, FLD_neg) >> index & 1 ? top : 0;
}

/* Of what has no modifier. */
static void prepare_fetch_plain(struct xop *o)
{
    bool vgpr = o->code >= CODE_VGPR && !o->is_const;
    if (o->kind == K_MASK)
        o->fetch32 = fetch_mask;
    else if (isa_types[o->type].dwords > 1)
        o->fetch64 = vgpr ? fetch_vgpr64 : fetch_scalar64;
    else
        o->fetch32 = vgpr ? fetch_vgpr : fetch_scalar;
    o->direct = DIRECT && o->fetch32 == fetch_vgpr;
}

static void prepare_fetch(struct xop *o, const struct insn *in, u32 index)
{
    bool vgpr = o->code >= CODE_VGPR && !o->is_const;
    bool modified = o->kind != K_MASK && prepare_modifiers(o, in, index);
    if (o->kind == K_MASK || isa_types[o->type].dwords > 1) {
        prepare_fetch_plain(o);
        return;
    }
    if (o->type == T_MIX) {
        prepare_mix(o, in, index);
        o->fetch32 = fetch_mix;
        return;
    }
    if (insn_row(in)->enc == ENC_VOP3P && isa_type_is_packed((enum isa_type)o->type) && index < 3) {
        bool plain = !prepare_packed(o, in, index);
        o->fetch32 = !vgpr ? fetch_scalar_packed : plain ? fetch_vgpr : fetch_vgpr_packed;
        o->direct = DIRECT && o->fetch32 == fetch_vgpr;
        return;
    }
    if (in->form == FORM_DPP && index == 0)
        o->fetch32 = fetch_dpp;
    else if (vgpr && modified)
        o->fetch32 = fetch_vgpr_mod;
    else if (o->kind == K_SRC && o->code == CODE_LDS_DIRECT)
        o->fetch32 = fetch_lds_direct;
    else
        prepare_fetch_plain(o);
}

/* A 16-bit result whose row says that the destination is read too keeps the other half. */
static enum part part_of(enum isa_type type, u32 dir, const struct insn *in)
{
    if (type == T_F16H)
        return PART_HIGH;
    if (dir != DIR_RW || !isa_type_is_half(type) || isa_type_is_packed(type))
        return PART_ALL;
    bool high = insn_row(in)->flags & FLAG_OPSEL && insn_get(in, FLD_op_sel) >> 3 & 1;
    return high ? PART_HIGH : PART_LOW;
}

/* Loads store the dwords of a wide result one register at a time. */
static void prepare_store(struct xinsn *x, struct xop *o, const struct insn *in)
{
    if (o->kind == K_MASK)
        o->store32 = store_mask;
    else if (isa_types[o->type].dwords == 2 && !(insn_row(in)->flags & (FLAG_LOAD | FLAG_ATOMIC)))
        o->store64 = store_vgpr64;
    else if (in->form == FORM_SDWA)
        o->store32 = store_vgpr_sdwa;
    else if (in->form == FORM_DPP)
        o->store32 = store_vgpr_dpp;
    else
        o->store32 = store_vgpr;
    bool modified = has_out_modifiers(x, o) || o->part;
    bool vgpr = o->kind == K_VGPR || o->kind == K_RTN || o->kind == K_LDATA;
    o->direct = DIRECT && vgpr && o->store32 == store_vgpr && !modified;
}

/* Immediates become constants of their kind. */
static void prepare_immediate(struct xop *o, u32 field)
{
    bool is_signed = o->kind == K_SIMM || o->kind == K_LABEL;
    o->is_const = true;
    o->konst = is_signed ? sext64(field, 16) : field;
}

/* What a constant is read as: f32 where a mixed operand is no half. */
static enum isa_type constant_type(const struct insn *in, const struct isa_operand *d)
{
    bool is_f32 = d->type == T_MIX && !op_sel_hi(in, (u32)d->slot - SLOT_S0);
    return is_f32 ? T_F32 : (enum isa_type)d->type;
}

static void prepare_operand(struct xinsn *x, const struct isa_operand *d, const struct insn *in)
{
    struct xop *o = &x->opnd[d->slot];
    u32 code = insn_code(in, d);
    *o = (struct xop){ .code = (u16)code,
                       .dw = (u8)(insn_operand_there(in, d) ? insn_operand_dw(in, d) : 0),
                       .kind = d->kind,
                       .type = d->type,
                       .part = (u8)part_of((enum isa_type)d->type, d->dir, in),
                       .mask = ~0u,
                       .keep = ~0u };
    enum operand_class class = isa_kinds[d->kind].class;
    if (d->kind == K_ATTR)
        code = code << 2 | insn_get(in, FLD_attrchan);
    if (class == OPERAND_IMMEDIATE)
        prepare_immediate(o, code);
    else if (class == OPERAND_SOURCE || class == OPERAND_LITERAL)
        o->is_const = insn_constant(in, code, constant_type(in, d), &o->konst);
    if (d->dir & DIR_R)
        prepare_fetch(o, in, modifier_index(d));
    if (d->dir & DIR_W)
        prepare_store(x, o, in);
}

static void prepare_offsets(struct xinsn *x, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    x->offset = x->offset1 = 0;
    if (row->flags & FLAG_OFFSET2) {
        u32 dw = isa_types[row->operand[row->operand[0].dir == DIR_W ? 0 : 1].type].dwords;
        u32 element =
            row->operand[0].dir == DIR_W ? dw * 2 : dw * 4; /* a load returns both elements */
        u32 unit = element * (row->flags & FLAG_ST64 ? 64 : 1);
        x->offset = (i32)(insn_get(in, FLD_offset0) * unit);
        x->offset1 = (i32)(insn_get(in, FLD_offset1) * unit);
    } else if (isa_memory(row) == MEMORY_GLOBAL || isa_memory(row) == MEMORY_SCRATCH) {
        x->offset = (i32)sext32(insn_get(in, FLD_offset), 13);
    } else if (isa_memory(row) == MEMORY_SCALAR) {
        x->offset = (i32)sext32(insn_get(in, FLD_offset), 21);
    } else if (insn_has(in, FLD_offset)) {
        x->offset = (i32)insn_get(in, FLD_offset);
    }
}

/* Emptied one by one: most of the struct is filled, and all of it takes as long as the rest. `there`:
 * bits by slot. */
static void empty_others(struct xinsn *x, u32 there)
{
    for (u32 slot = 0; slot < SLOT_COUNT; slot++)
        if (!(there >> slot & 1))
            x->opnd[slot] = (struct xop){ 0 };
}

static void prepare(struct xinsn *x, const struct insn *in)
{
    u32 there = 0; /* bits by slot */
    x->insn = *in;
    x->ops = &OPERAND_OPS;
    x->clamp = (u8)insn_get(in, FLD_clamp);
    x->omod = (u8)insn_get(in, FLD_omod);
    x->dst_sel = (u8)insn_get(in, FLD_dst_sel);
    x->dst_unused = (u8)insn_get(in, FLD_dst_unused);
    if (in->form == FORM_DPP)
        prepare_dpp(x, in);
    for (const struct isa_operand *d = insn_row(in)->operand; d->kind != K_NONE; d++) {
        prepare_operand(x, d, in);
        there |= 1u << d->slot;
    }
    empty_others(x, there);
    prepare_offsets(x, in);
    x->space = (u8)effects_space(in);
    x->into_lds = insn_get(in, FLD_lds);
    x->is_atomic = insn_row(in)->flags & FLAG_ATOMIC;
}

/* As prepare_operand, of what plain_takes takes. */
static void prepare_plain_operand(struct xinsn *x, const struct plain_operand *d, u32 code)
{
    struct xop *o = &x->opnd[d->slot];
    *o = (struct xop){ .code = (u16)code,
                       .dw = isa_types[d->type].dwords,
                       .kind = d->kind,
                       .type = d->type,
                       .part = (u8)part_of((enum isa_type)d->type, d->dir, &x->insn),
                       .mask = ~0u,
                       .keep = ~0u };
    if (isa_kinds[d->kind].class == OPERAND_IMMEDIATE)
        prepare_immediate(o, code);
    else if (code - CODE_INT_0 < CODE_VGPR - CODE_INT_0)
        o->is_const = insn_constant(&x->insn, code, (enum isa_type)d->type, &o->konst);
    if (d->dir & DIR_R)
        prepare_fetch_plain(o);
    if (d->dir & DIR_W)
        prepare_store(x, o, &x->insn);
}

static bool prepare_plain(struct xinsn *x, const struct insn *in, const struct plain_table *t,
                          const struct plain_form *f)
{
    u32 code[OPERANDS_MAX], there = 0;
    bool modified, ok = DIRECT && plain_is(f, in->word, &modified);
    for (u32 i = 0; i < f->count; i++) {
        code[i] = plain_code(&f->operand[i], in->word);
        ok &= plain_takes(t, &f->operand[i], code[i]);
    }
    if (!ok)
        return false;
    if (modified) {
        prepare(x, in);
        return true;
    }
    x->insn = *in;
    x->ops = &OPERAND_OPS;
    x->clamp = x->omod = x->dst_sel = x->dst_unused = 0;
    for (u32 i = 0; i < f->count; i++) {
        prepare_plain_operand(x, &f->operand[i], code[i]);
        there |= 1u << f->operand[i].slot;
    }
    empty_others(x, there);
    x->offset = x->offset1 = 0;
    x->space = SPACE_GLOBAL;
    x->into_lds = x->is_atomic = false;
    return true;
}

const struct operand_ops OPERAND_OPS = { .prepare = prepare,
                                         .prepare_plain = prepare_plain,
                                         .addresses = addresses };
