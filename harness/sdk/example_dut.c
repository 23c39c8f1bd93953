/* A device under test in one file: a small emulator of about 25 gfx900 instructions behind the
 * interface of gcncheck_dut.h. It is also a template: keep gcncheck_dut(), can() and run_job(), and
 * put your own machine where struct wave and step() are.
 *
 *     cc -shared -fPIC -o example_dut.so example_dut.c
 *     gcncheck fuzz --mcpu gfx900 --dut plugin:./example_dut.so
 *
 * It has deliberate bugs for gcncheck to find. EXAMPLE_DUT_BUG in the environment says which:
 * "0" none, "1" or nothing the one in v_bfe_u32, "all", or a list as "flag,dpp" of the names in
 * bug_names. Instructions that it does not know end a job as UNSUPPORTED: that is
 * all a partial emulator needs to do. Facts about the instructions are from the "Vega" instruction
 * set manual. */
#include "gcncheck_dut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 64

/* The state of one wave. s[] is indexed by the ISA's operand codes, which are also gcncheck's
 * places: vcc, m0 and exec are s[106], s[124] and s[126]. Vector registers are filled in only when
 * first touched: most jobs use a handful of the 256. */
struct wave {
    uint64_t old_vcc; /* before the instruction that has just written it */
    int vcc_is_new;
    uint32_t s[128];
    uint32_t v[256][LANES];
    uint8_t v_known[256];
    uint32_t scc;
    uint32_t at; /* index into job->code of the next dword */
    struct gcncheck_job *job;
};

/* An instruction taken apart. Operands are operand codes as in the manual's table of SSRC/SRC
 * values. */
struct insn {
    const char *name;
    uint32_t src[3];
    uint32_t dst, sdst; /* sdst: the scalar pair that gets one bit per lane */
    uint32_t literal;
    int clamp;
    uint32_t neg, abs;   /* a bit for each source */
    int is_sdwa, is_dpp; /* and then: */
    uint32_t extra;      /* the second dword of these forms */
    uint64_t writes;     /* lanes that DPP lets through */
};

enum { VCC = 106, EXEC = 126, LITERAL = 255, SGPRS = 108 };

/* The family of deliberate bugs, one of each kind that emulators have. */
enum bug {
    BUG_VALUE,    /* v_bfe_u32 past bit 31 */
    BUG_FLAG,     /* s_add_u32: SCC is the sum's sign */
    BUG_EXEC,     /* v_mul_lo_u32 writes lanes that are off */
    BUG_MODIFIER, /* neg is applied before abs */
    BUG_DPP,      /* DPP reads lanes that are off */
    BUG_SDWA,     /* src1_sel:WORD_1 selects the lower half */
    BUG_ADDRESS,  /* offsets of global memory are never negative */
    BUG_STALE,    /* v_cndmask_b32 right behind a vector write of VCC reads the old one */
    BUG_COUNT
};
static const char *const bug_names[BUG_COUNT] = { "value", "flag", "exec",    "modifier",
                                                  "dpp",   "sdwa", "address", "stale" };
static int bug_is_on[BUG_COUNT];

/* ---- how a job ends ---- */

static int stop(struct gcncheck_job *job, uint32_t outcome, const char *what)
{
    snprintf(job->reason, sizeof job->reason, "%s", what);
    job->outcome = outcome;
    return 0;
}

static int unsupported(struct wave *w, const char *what, uint32_t dword)
{
    snprintf(w->job->reason, sizeof w->job->reason, "%s (0x%08x)", what, (unsigned)dword);
    w->job->outcome = GCNCHECK_UNSUPPORTED;
    return 0;
}

/* ---- registers ---- */

static uint32_t *vgpr(struct wave *w, uint32_t n)
{
    if (!w->v_known[n]) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            w->v[n][lane] = gcncheck_poison(w->job->poison, GCNCHECK_V0 + n, lane);
        w->v_known[n] = 1;
    }
    return w->v[n];
}

static uint64_t pair(const struct wave *w, uint32_t code)
{
    return w->s[code] | (uint64_t)w->s[code + 1] << 32;
}

static void set_pair(struct wave *w, uint32_t code, uint64_t value)
{
    w->s[code] = (uint32_t)value;
    w->s[code + 1] = (uint32_t)(value >> 32);
}

/* Whether a scalar register with this code exists here: s0..s101, flat_scratch, xnack_mask, vcc,
 * m0, exec. For `dwords` 2 a pair starts at it, and pairs start at even codes. */
static int is_sgpr(uint32_t code, int dwords)
{
    if (dwords == 2)
        return code % 2 == 0 && (code < SGPRS || code == EXEC);
    return code < SGPRS || code == GCNCHECK_M0 || code == EXEC || code == EXEC + 1;
}

/* ---- operands ---- */

/* The value of an operand code that is the same for all lanes, 32 bits wide. False: not
 * supported. */
static int scalar32(const struct wave *w, const struct insn *in, uint32_t code, uint32_t *value)
{
    static const uint32_t floats[9] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                        0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983 };
    if (is_sgpr(code, 1))
        *value = w->s[code];
    else if (code >= 128 && code <= 192)
        *value = code - 128;
    else if (code >= 193 && code <= 208)
        *value = 192 - code; /* -1..-16 */
    else if (code >= 240 && code <= 248)
        *value = floats[code - 240]; /* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi) */
    else if (code == 253)
        *value = w->scc;
    else if (code == LITERAL)
        *value = in->literal;
    else
        return 0;
    return 1;
}

/* The same, 64 bits wide: for bit patterns, so a literal is extended with zeros. */
static int scalar64(const struct wave *w, const struct insn *in, uint32_t code, uint64_t *value)
{
    uint32_t low;
    if (code < 128) {
        if (!is_sgpr(code, 2))
            return 0;
        *value = pair(w, code);
        return 1;
    }
    if ((code >= 240 && code <= 248) || !scalar32(w, in, code, &low))
        return 0;
    *value = code >= 193 && code <= 208 ? 0xffffffff00000000ull | low : low;
    return 1;
}

/* A vector operand: a VGPR as it is, anything else copied to all lanes of `space`. NULL: not
 * supported. */
static const uint32_t *vector32(struct wave *w, const struct insn *in, uint32_t code,
                                uint32_t *space)
{
    uint32_t value;
    if (code >= 256)
        return vgpr(w, code - 256);
    if (!scalar32(w, in, code, &value))
        return NULL;
    for (int lane = 0; lane < LANES; lane++)
        space[lane] = value;
    return space;
}

/* ---- scalar instructions: 1 go on, 0 the job has ended ---- */

static int sopp(struct wave *w, uint32_t dword)
{
    uint32_t op = dword >> 16 & 0x7f;
    /* Branches are relative to the next instruction, in dwords; w->at points to it already. */
    uint32_t target = w->at + (uint32_t)(int16_t)dword;
    switch (op) {
    case 0x00: return 1;                                  /* s_nop */
    case 0x01: w->job->outcome = GCNCHECK_DONE; return 0; /* s_endpgm */
    case 0x02: w->at = target; return 1;                  /* s_branch */
    case 0x05: w->at = w->scc ? target : w->at; return 1; /* s_cbranch_scc1 */
    case 0x0c: return 1; /* s_waitcnt: nothing is ever outstanding */
    }
    return unsupported(w, "SOPP", dword);
}

static int sop1(struct wave *w, struct insn *in, uint32_t dword)
{
    uint32_t op = dword >> 8 & 0xff, a;
    uint64_t a64;
    in->src[0] = dword & 0xff;
    in->dst = dword >> 16 & 0x7f;
    if (op == 0x00) { /* s_mov_b32 */
        if (!is_sgpr(in->dst, 1) || !scalar32(w, in, in->src[0], &a))
            return unsupported(w, "s_mov_b32: operand", dword);
        w->s[in->dst] = a;
        return 1;
    }
    if (op == 0x01) { /* s_mov_b64 */
        if (!is_sgpr(in->dst, 2) || !scalar64(w, in, in->src[0], &a64))
            return unsupported(w, "s_mov_b64: operand", dword);
        set_pair(w, in->dst, a64);
        return 1;
    }
    return unsupported(w, "SOP1", dword);
}

static int sopc(struct wave *w, struct insn *in, uint32_t dword)
{
    uint32_t a, b;
    if ((dword >> 16 & 0x7f) != 0x06) /* s_cmp_eq_u32 */
        return unsupported(w, "SOPC", dword);
    if (!scalar32(w, in, dword & 0xff, &a) || !scalar32(w, in, dword >> 8 & 0xff, &b))
        return unsupported(w, "s_cmp_eq_u32: operand", dword);
    w->scc = a == b;
    return 1;
}

static int sop2(struct wave *w, struct insn *in, uint32_t dword)
{
    uint32_t op = dword >> 23 & 0x7f, a, b;
    uint64_t a64, b64;
    in->src[0] = dword & 0xff;
    in->src[1] = dword >> 8 & 0xff;
    in->dst = dword >> 16 & 0x7f;
    if (op == 0x00) { /* s_add_u32 */
        if (!is_sgpr(in->dst, 1) || !scalar32(w, in, in->src[0], &a) ||
            !scalar32(w, in, in->src[1], &b))
            return unsupported(w, "s_add_u32: operand", dword);
        w->s[in->dst] = a + b;
        w->scc = bug_is_on[BUG_FLAG] ? (a + b) >> 31 : a + b < a;
        return 1;
    }
    if (op == 0x0d) { /* s_and_b64 */
        if (!is_sgpr(in->dst, 2) || !scalar64(w, in, in->src[0], &a64) ||
            !scalar64(w, in, in->src[1], &b64))
            return unsupported(w, "s_and_b64: operand", dword);
        set_pair(w, in->dst, a64 & b64);
        w->scc = (a64 & b64) != 0;
        return 1;
    }
    return unsupported(w, "SOP2", dword);
}

/* ---- vector instructions ---- */

/* Numbers as in VOP3: VOPC as they are, VOP2 + 0x100, VOP1 + 0x140, VOP3 alone from 0x1c0. */
enum vop {
    V_CMP_CLASS_F32 = 0x010,
    V_CMP_LT_U32 = 0x0c9,
    V_CNDMASK_B32 = 0x100,
    V_LSHLREV_B32 = 0x112,
    V_AND_B32 = 0x113,
    V_XOR_B32 = 0x115,
    V_ADD_CO_U32 = 0x119,
    V_ADD_U32 = 0x134,
    V_SUB_U32 = 0x135,
    V_MOV_B32 = 0x141,
    V_BFE_U32 = 0x1c8,
    V_MUL_LO_U32 = 0x285
};

/* Name and number of sources that are vectors; a NULL name is not implemented. v_cndmask_b32's
 * third source is a mask and not counted. */
static const char *vop_name(uint32_t op, int *sources)
{
    *sources = 2;
    switch (op) {
    case V_CMP_CLASS_F32: return "v_cmp_class_f32";
    case V_CMP_LT_U32: return "v_cmp_lt_u32";
    case V_CNDMASK_B32: return "v_cndmask_b32";
    case V_LSHLREV_B32: return "v_lshlrev_b32";
    case V_AND_B32: return "v_and_b32";
    case V_XOR_B32: return "v_xor_b32";
    case V_ADD_CO_U32: return "v_add_co_u32";
    case V_ADD_U32: return "v_add_u32";
    case V_SUB_U32: return "v_sub_u32";
    case V_MUL_LO_U32: return "v_mul_lo_u32";
    case V_MOV_B32: *sources = 1; return "v_mov_b32";
    case V_BFE_U32: *sources = 3; return "v_bfe_u32";
    }
    return NULL;
}

/* Bits [offset + width - 1 : offset]; offset and width are the low five bits of their operands. A
 * field that runs past bit 31 has only the bits that exist. */
static uint32_t bit_field(uint32_t value, uint32_t offset, uint32_t width)
{
    offset &= 31;
    width &= 31;
    if (width == 0)
        return 0;
    /* THE DELIBERATE BUG: shifting up and down again loses track when offset + width > 32. */
    if (bug_is_on[BUG_VALUE])
        return value << ((32 - offset - width) & 31) >> (32 - width);
    return value >> offset & ((1u << width) - 1);
}

/* The class of an f32, 0 to 9: signalling and quiet NaN, -infinity, -normal, -denormal, -0, +0,
 * +denormal, +normal, +infinity. */
static uint32_t float_class(uint32_t v)
{
    uint32_t exponent = v >> 23 & 0xff, fraction = v & 0x7fffff, size;
    if (exponent == 0xff && fraction)
        return fraction >> 22;
    size = exponent == 0xff ? 3 : exponent ? 2 : fraction ? 1 : 0;
    return v >> 31 ? 5 - size : 6 + size;
}

static int is_compare(uint32_t op)
{
    return op == V_CMP_LT_U32 || op == V_CMP_CLASS_F32;
}

static int makes_mask(uint32_t op)
{
    return is_compare(op) || op == V_ADD_CO_U32;
}

/* One lane. *bit: the mask in (cndmask) and out (carry, comparison). */
static uint32_t lane_op(uint32_t op, uint32_t a, uint32_t b, uint32_t c, int clamp, uint32_t *bit)
{
    uint32_t sum = a + b;
    switch (op) {
    case V_CMP_CLASS_F32: *bit = b >> float_class(a) & 1; return 0;
    case V_CMP_LT_U32: *bit = a < b; return 0;
    case V_CNDMASK_B32: return *bit ? b : a;
    case V_LSHLREV_B32: return b << (a & 31);
    case V_AND_B32: return a & b;
    case V_XOR_B32: return a ^ b;
    case V_ADD_CO_U32: *bit = sum < a; return clamp && sum < a ? 0xffffffff : sum;
    case V_ADD_U32: return clamp && sum < a ? 0xffffffff : sum;
    case V_SUB_U32: return clamp && b > a ? 0 : a - b;
    case V_MOV_B32: return a;
    case V_BFE_U32: return bit_field(a, b, c);
    default: return a * b; /* V_MUL_LO_U32 */
    }
}

/* ---- modifiers ---- */

/* abs, then neg, of the sign bit. */
static uint32_t change_sign(uint32_t v, int neg, int abs)
{
    if (bug_is_on[BUG_MODIFIER]) {
        v ^= (uint32_t)neg << 31;
        return abs ? v & 0x7fffffff : v;
    }
    v = abs ? v & 0x7fffffff : v;
    return v ^ (uint32_t)neg << 31;
}

/* What SDWA selects of a source: bytes 0 to 3, words 0 and 1, the dword; `sext` with its sign. */
static uint32_t sdwa_select(uint32_t v, uint32_t sel, int sext)
{
    if (sel < 4)
        return sext ? (uint32_t)(int8_t)(v >> 8 * sel) : v >> 8 * sel & 0xff;
    if (sel < 6)
        return sext ? (uint32_t)(int16_t)(v >> 16 * (sel - 4)) : v >> 16 * (sel - 4) & 0xffff;
    return v;
}

/* What SDWA makes of a result: it replaces a part of the register; the rest becomes 0, the part's
 * sign (0 below it), or stays. */
static uint32_t sdwa_result(uint32_t v, uint32_t old, uint32_t sel, uint32_t unused)
{
    uint32_t bits = sel < 4 ? 8 : 16, at = sel < 4 ? 8 * sel : 16 * (sel - 4), mask;
    if (sel == 6)
        return v;
    mask = ((1u << bits) - 1) << at;
    v = v << at & mask;
    if (unused == 2)
        return (old & ~mask) | v;
    if (unused == 1 && v >> (at + bits - 1) & 1)
        return v | (at + bits < 32 ? ~0u << (at + bits) : 0);
    return v;
}

/* The lane from which a lane reads by dpp_ctrl: LANES if there is none. Rows are 16 lanes. */
static int dpp_lane(uint32_t ctrl, int lane)
{
    int row = lane & ~15, in_row = lane & 15, by = (int)(ctrl & 15);
    if (ctrl < 0x100)
        return (lane & ~3) + (int)(ctrl >> 2 * (lane & 3) & 3);
    switch (ctrl >> 4) {
    case 0x10: return in_row + by < 16 ? lane + by : LANES; /* row_shl */
    case 0x11: return in_row >= by ? lane - by : LANES;     /* row_shr */
    case 0x12: return row + ((in_row - by) & 15);           /* row_ror */
    case 0x13: /* wave_shl, wave_rol, wave_shr, wave_ror, all by one lane */
        return by == 0   ? lane + 1
               : by == 4 ? (lane + 1) % LANES
               : by == 8 ? (lane ? lane - 1 : LANES)
                         : (lane + LANES - 1) % LANES;
    case 0x14: /* row_mirror, row_half_mirror, row_bcast:15, row_bcast:31 */
        return by == 0   ? row + 15 - in_row
               : by == 1 ? (lane & ~7) + 7 - (lane & 7)
               : by == 2 ? (row ? row - 1 : LANES)
                         : (lane < 32 ? LANES : 31);
    }
    return LANES;
}

/* Source 0 through DPP. Lanes without a source read 0 with bound_ctrl, and are not written
 * without. */
static const uint32_t *dpp_source(struct insn *in, const uint32_t *src, uint64_t exec,
                                  uint32_t *space)
{
    uint32_t ctrl = in->extra >> 8 & 0x1ff, banks = in->extra >> 24 & 15, rows = in->extra >> 28;
    int bound_ctrl = in->extra >> 19 & 1;
    uint32_t value[LANES];
    in->writes = 0;
    for (int lane = 0; lane < LANES; lane++) {
        int from = dpp_lane(ctrl, lane);
        int has_source = from < LANES && (bug_is_on[BUG_DPP] || exec >> from & 1);
        value[lane] = has_source ? src[from] : 0;
        if ((has_source || bound_ctrl) && rows >> (lane >> 4) & banks >> (lane >> 2 & 3) & 1)
            in->writes |= 1ull << lane;
    }
    memcpy(space, value, sizeof value);
    return space;
}

/* Source i with what the form adds. */
static const uint32_t *modified(struct insn *in, int i, const uint32_t *src, uint64_t exec,
                                uint32_t *space)
{
    uint32_t sel = i ? in->extra >> 24 & 7 : in->extra >> 16 & 7;
    int sext = (int)(i ? in->extra >> 27 & 1 : in->extra >> 19 & 1);
    if (in->is_dpp)
        return i ? src : dpp_source(in, src, exec, space);
    if (!in->is_sdwa && !((in->neg | in->abs) >> i & 1))
        return src;
    if (bug_is_on[BUG_SDWA] && i && sel == 5)
        sel = 4;
    for (int lane = 0; lane < LANES; lane++)
        space[lane] =
            in->is_sdwa ? sdwa_select(src[lane], sel, sext)
                        : change_sign(src[lane], (int)(in->neg >> i & 1), (int)(in->abs >> i & 1));
    return space;
}

/* The mask that v_cndmask_b32 reads. */
static uint64_t mask_in(const struct wave *w, uint32_t code)
{
    return bug_is_on[BUG_STALE] && code == VCC && w->vcc_is_new ? w->old_vcc : pair(w, code);
}

static void mask_out(struct wave *w, uint32_t code, uint64_t mask)
{
    if (code == VCC) {
        w->old_vcc = pair(w, VCC);
        w->vcc_is_new = 2; /* this instruction, and the next one */
    }
    set_pair(w, code, mask);
}

/* All lanes under EXEC. src, dst and sdst of *in are final; a mask's off lanes become 0. */
static int vop(struct wave *w, struct insn *in, uint32_t op, int sources, uint32_t dword)
{
    static const uint32_t zeros[LANES];
    uint32_t space[3][LANES], *dst = NULL;
    const uint32_t *src[3] = { zeros, zeros, zeros };
    uint64_t exec = pair(w, EXEC), in_mask = 0, out_mask = 0;
    for (int i = 0; i < sources; i++) {
        src[i] = vector32(w, in, in->src[i], space[i]);
        if (!src[i])
            return unsupported(w, "vector instruction: source operand", dword);
        src[i] = modified(in, i, src[i], exec, space[i]);
    }
    if (op == V_CNDMASK_B32) {
        if (!is_sgpr(in->src[2], 2))
            return unsupported(w, "v_cndmask_b32: mask operand", dword);
        in_mask = mask_in(w, in->src[2]);
    }
    if (makes_mask(op) && !is_sgpr(in->sdst, 2))
        return unsupported(w, "vector instruction: mask destination", dword);
    if (!is_compare(op))
        dst = vgpr(w, in->dst);
    for (int lane = 0; lane < LANES; lane++) {
        uint32_t bit = in_mask >> lane & 1, result;
        if (!(exec >> lane & 1) && !(bug_is_on[BUG_EXEC] && op == V_MUL_LO_U32))
            continue;
        result = lane_op(op, src[0][lane], src[1][lane], src[2][lane], in->clamp, &bit);
        if (in->is_sdwa)
            result = sdwa_result(result, dst[lane], in->extra >> 8 & 7, in->extra >> 11 & 3);
        if (dst && (!in->is_dpp || in->writes >> lane & 1))
            dst[lane] = result;
        out_mask |= (uint64_t)bit << lane;
    }
    if (makes_mask(op))
        mask_out(w, in->sdst, out_mask);
    return 1;
}

/* Takes the second dword of SDWA or DPP. Neither for what makes a mask, nor with modifiers of
 * floats. */
static int second_dword(struct wave *w, struct insn *in, uint32_t op)
{
    static const char *const names[2] = { "DPP", "SDWA" };
    in->is_sdwa = in->src[0] == 249;
    in->is_dpp = !in->is_sdwa;
    if (w->at == w->job->code_dw)
        return stop(w->job, GCNCHECK_FAULT, "the program ran past its end");
    in->extra = w->job->code[w->at++];
    in->src[0] = (in->extra & 0xff) + (in->is_sdwa && in->extra >> 23 & 1 ? 0 : 256);
    if (in->is_sdwa && in->extra >> 31)
        in->src[1] -= 256;
    in->clamp = in->is_sdwa && in->extra >> 13 & 1;
    if (makes_mask(op) || in->extra & (in->is_sdwa ? 0x3030c000 : 0x00f00000))
        return unsupported(w, names[in->is_sdwa], in->extra);
    return 1;
}

/* VOP1, VOP2 and VOPC in their short form. */
static int vop_short(struct wave *w, struct insn *in, uint32_t dword)
{
    uint32_t op = dword >> 25 & 0x3f;
    int sources;
    in->src[0] = dword & 0x1ff;
    in->src[1] = 256 + (dword >> 9 & 0xff);
    in->src[2] = VCC;
    in->dst = dword >> 17 & 0xff;
    in->sdst = VCC;
    if (op == 0x3f)
        op = 0x140 + (dword >> 9 & 0xff); /* VOP1 */
    else if (op == 0x3e)
        op = dword >> 17 & 0xff; /* VOPC */
    else
        op += 0x100;
    /* Above 0x17f VOP1 would run into the numbers of VOP3. */
    if (op > 0x17f || !vop_name(op, &sources))
        return unsupported(w, "VOP1, VOP2 or VOPC", dword);
    if ((in->src[0] == 249 || in->src[0] == 250) && !second_dword(w, in, op))
        return 0;
    return vop(w, in, op, sources, dword);
}

/* The long form: any operand anywhere, a free choice of mask, clamp. */
static int vop_long(struct wave *w, struct insn *in, uint32_t dword, uint32_t second)
{
    uint32_t op = dword >> 16 & 0x3ff;
    int sources, has_sdst = op == V_ADD_CO_U32; /* VOP3B */
    for (int i = 0; i < 3; i++)
        in->src[i] = second >> (9 * i) & 0x1ff;
    in->dst = dword & 0xff;
    in->sdst = has_sdst ? dword >> 8 & 0x7f : in->dst;
    in->clamp = dword >> 15 & 1;
    if (!vop_name(op, &sources))
        return unsupported(w, "VOP3", dword);
    for (int i = 0; i < sources; i++)
        if (in->src[i] == LITERAL)
            return stop(w->job, GCNCHECK_ILLEGAL, "a literal in VOP3");
    if (op == V_CNDMASK_B32 || op == V_CMP_CLASS_F32) { /* the sources that may have signs */
        in->neg = second >> 29 & (op == V_CNDMASK_B32 ? 3 : 1);
        in->abs = dword >> 8 & (op == V_CNDMASK_B32 ? 3 : 1);
        second &= ~(in->neg << 29);
        dword &= ~(in->abs << 8);
    }
    if (second >> 27 || (!has_sdst && dword >> 8 & 0x7f))
        return unsupported(w, "VOP3 with neg, abs, omod or op_sel", dword);
    if (in->clamp && op != V_ADD_U32 && op != V_SUB_U32 && op != V_ADD_CO_U32)
        return unsupported(w, "VOP3 with clamp", dword);
    return vop(w, in, op, sources, dword);
}

/* ---- global memory ---- */

/* A byte of the job's memory, or NULL where there is none. */
static uint8_t *byte_at(struct gcncheck_job *job, uint64_t address)
{
    for (uint32_t i = 0; i < job->window_count; i++)
        if (address - job->windows[i].address < job->windows[i].size)
            return job->windows[i].bytes + (address - job->windows[i].address);
    return NULL;
}

/* Loads or stores `bytes` of one lane, at most eight, and answers what they are. */
static uint64_t load_store(struct gcncheck_job *job, uint64_t address, uint32_t bytes, int is_store,
                           uint64_t value)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t *at = byte_at(job, address + i);
        if (is_store && at)
            *at = (uint8_t)(value >> 8 * i);
        if (!is_store)
            value |= (uint64_t)(at ? *at : 0) << 8 * i;
    }
    return value;
}

/* global_load_ubyte, _dword, _dwordx2, global_store_byte, _dword, _dwordx2. */
static int global(struct wave *w, uint32_t dword, uint32_t second)
{
    static const uint8_t size[] = { [16] = 1, [20] = 4, [21] = 8, [24] = 1, [28] = 4, [29] = 8 };
    uint32_t op = dword >> 18 & 0x7f, base = second >> 16 & 0x7f, data;
    uint32_t first = second & 0xff, offset = dword & 0x1fff;
    int is_store = op >= 24;
    if ((dword >> 14 & 3) != 2 || op >= sizeof size || !size[op] || dword >> 13 & 1)
        return unsupported(w, "FLAT, SCRATCH or GLOBAL", dword);
    if (base != 127 && !is_sgpr(base, 2))
        return unsupported(w, "GLOBAL: scalar base", second);
    data = is_store ? second >> 8 & 0xff : second >> 24;
    if (first + (base == 127) > 255 || data + (size[op] == 8) > 255)
        return unsupported(w, "GLOBAL: registers", second);
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t address = vgpr(w, first)[lane], value = 0;
        if (!(pair(w, EXEC) >> lane & 1))
            continue;
        address += base == 127 ? (uint64_t)vgpr(w, first + 1)[lane] << 32 : pair(w, base);
        address +=
            bug_is_on[BUG_ADDRESS] ? offset : (uint64_t)((int64_t)(offset ^ 0x1000) - 0x1000);
        if (is_store)
            value = vgpr(w, data)[lane];
        if (is_store && size[op] == 8)
            value |= (uint64_t)vgpr(w, data + 1)[lane] << 32;
        value = load_store(w->job, address, size[op], is_store, value);
        if (!is_store)
            vgpr(w, data)[lane] = (uint32_t)value;
        if (!is_store && size[op] == 8)
            vgpr(w, data + 1)[lane] = (uint32_t)(value >> 32);
    }
    return 1;
}

/* ---- the machine ---- */

/* Takes the next dword of the program. False if there is none. */
static int next_dword(struct wave *w, uint32_t *dword)
{
    if (w->at >= w->job->code_dw)
        return stop(w->job, GCNCHECK_FAULT, "the program ran past its end");
    *dword = w->job->code[w->at++];
    return 1;
}

/* The encoding with the shortest prefix, 10; 1011 begins SOPK, SOP1, SOPC and SOPP. */
static int is_sop2(uint32_t dword)
{
    return dword >> 30 == 2 && dword >> 28 != 0xb;
}

/* Whether a literal follows the instruction that this dword begins. */
static int takes_literal(uint32_t dword)
{
    if (dword >> 31 == 0) /* VOP1, VOP2, VOPC */
        return (dword & 0x1ff) == LITERAL;
    if (dword >> 23 == 0x17d) /* SOP1 */
        return (dword & 0xff) == LITERAL;
    if (is_sop2(dword) || dword >> 23 == 0x17e) /* SOP2, SOPC */
        return (dword & 0xff) == LITERAL || (dword >> 8 & 0xff) == LITERAL;
    return 0;
}

/* Executes one instruction. 1: go on; 0: job->outcome says how it ended. */
static int step(struct wave *w)
{
    struct insn in;
    uint32_t dword, second;
    memset(&in, 0, sizeof in);
    w->vcc_is_new -= w->vcc_is_new > 0;
    if (!next_dword(w, &dword))
        return 0;
    if (takes_literal(dword) && !next_dword(w, &in.literal))
        return 0;
    if (dword >> 31 == 0)
        return vop_short(w, &in, dword);
    if (dword >> 26 == 0x34)
        return next_dword(w, &second) && vop_long(w, &in, dword, second);
    if (dword >> 26 == 0x37)
        return next_dword(w, &second) && global(w, dword, second);
    switch (dword >> 23) {
    case 0x17d: return sop1(w, &in, dword);
    case 0x17e: return sopc(w, &in, dword);
    case 0x17f: return sopp(w, dword);
    }
    if (is_sop2(dword))
        return sop2(w, &in, dword);
    return unsupported(w, "instruction", dword);
}

/* ---- what gcncheck calls ---- */

/* A wave as the job wants it: poison everywhere, then the values it sets. */
static void start(struct wave *w, struct gcncheck_job *job, uint32_t number)
{
    memset(w->v_known, 0, sizeof w->v_known);
    w->job = job;
    w->at = 0;
    w->scc = 0;
    w->vcc_is_new = 0;
    for (uint32_t i = 0; i < 128; i++)
        w->s[i] = gcncheck_poison(job->poison, i, 0);
    for (uint32_t i = 0; i < job->set_count; i++) {
        const struct gcncheck_slot *slot = &job->set[i];
        const uint32_t *value = &job->values[slot->index];
        if (slot->wave != number)
            continue;
        if (slot->place < 128)
            w->s[slot->place] = *value;
        else if (slot->place >= GCNCHECK_V0 && slot->place < GCNCHECK_A0)
            memcpy(vgpr(w, slot->place - GCNCHECK_V0), value, LANES * sizeof *value);
        else if (slot->place == GCNCHECK_SCC)
            w->scc = *value;
    }
}

static void read_back(struct wave *w, struct gcncheck_job *job, uint32_t number)
{
    for (uint32_t i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *slot = &job->get[i];
        uint32_t *value = &job->out[slot->index];
        if (slot->wave != number)
            continue;
        if (slot->place < 128)
            *value = w->s[slot->place];
        else if (slot->place >= GCNCHECK_V0 && slot->place < GCNCHECK_A0)
            memcpy(value, vgpr(w, slot->place - GCNCHECK_V0), LANES * sizeof *value);
        else if (slot->place == GCNCHECK_SCC)
            *value = w->scc;
    }
}

/* The waves run one after the other: nothing here makes one wait for another (no barrier). */
static void run_job(struct gcncheck_job *job)
{
    static struct wave w; /* 64 KiB; too big for some stacks */
    if (strcmp(job->mcpu, "gfx900") != 0) {
        stop(job, GCNCHECK_UNSUPPORTED, "only gfx900 is known here");
        return;
    }
    for (uint32_t number = 0; number < job->waves; number++) {
        uint32_t steps = 0;
        start(&w, job, number);
        do
            if (steps++ == job->max_steps) {
                stop(job, GCNCHECK_LIMIT, "max_steps reached");
                return;
            }
        while (step(&w));
        if (job->outcome != GCNCHECK_DONE)
            return;
        read_back(&w, job, number);
    }
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run_job(&jobs[i]);
    return 0;
}

/* What this machine has: no trap registers, no accumulators, and no MODE because nothing depends on
 * it. */
static int can(const char *mcpu, uint32_t place)
{
    if (strcmp(mcpu, "gfx900") != 0)
        return GCNCHECK_NO;
    if (is_sgpr(place, 1) || place == GCNCHECK_V0 || place == GCNCHECK_SCC)
        return GCNCHECK_SHOW_SET;
    return GCNCHECK_NO;
}

static void choose_bugs(const char *names)
{
    if (!names || strcmp(names, "1") == 0)
        names = bug_names[BUG_VALUE];
    for (int i = 0; i < BUG_COUNT; i++) {
        size_t n = strlen(bug_names[i]);
        bug_is_on[i] = strcmp(names, "all") == 0;
        for (const char *at = names; (at = strstr(at, bug_names[i])) != NULL; at += n)
            bug_is_on[i] |= (at == names || at[-1] == ',') && (at[n] == '\0' || at[n] == ',');
    }
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = {
        .size = sizeof dut,
        .abi = GCNCHECK_DUT_ABI,
        .name = "example",
        .version = "1",
        .can = can,
        .run = run,
    };
    choose_bugs(getenv("EXAMPLE_DUT_BUG"));
    return &dut;
}
