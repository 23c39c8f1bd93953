/* Matrix products: D = A * B + C for each of several blocks, spread over the registers of all
 * lanes. MI100 ISA, chapters 7 and 12, without the layouts, which AMD's calculator of matrix
 * instructions gives. */
#include "oracle/sem/sem.h"

enum element { ELEMENT_F32, ELEMENT_F16, ELEMENT_BF16, ELEMENT_I8 };

/* Elements of A or B in one lane at most, and registers of C and D. */
enum { SHARE_MAX = 4, ACC_MAX = 32 };

/* What a row says: blocks of n rows and n columns, and how many products go into an element. */
struct product {
    enum element element;
    u32 n, blocks, depth;
    u32 share;               /* elements of A, and of B, in one lane */
    u32 a[LANES][SHARE_MAX]; /* as f32, as i32 */
    u32 b[LANES][SHARE_MAX];
    u32 acc[ACC_MAX][LANES]; /* C, then D */
    u32 a_blocks, a_block; /* cbsz: so many blocks take their A from one, the a_block-th of them */
    bool look;             /* somebody wants to know what is open */
};

static const u32 element_bits[] = { 32, 16, 16, 8 };

static u32 *matrix_row(struct wave *w, const struct xop *o, u32 i)
{
    u32 row = o->code - CODE_VGPR + i;
    return w->vgpr[row % VGPR_ROWS];
}

/* Every format but integers goes into f32 without rounding. */
static u32 element_value(struct fp_env *env, enum element element, u32 dword, u32 at)
{
    switch (element) {
    case ELEMENT_F16: return cvt_f32_f16(env, (u16)(dword >> at));
    case ELEMENT_BF16: return dword >> at << 16;
    case ELEMENT_I8: return sext32(dword >> at & 255, 8);
    case ELEMENT_F32: break;
    }
    return dword;
}

static void load_matrix(struct wave *w, const struct product *p, const struct xop *o,
                        struct fp_env *env, u32 out[LANES][SHARE_MAX])
{
    u32 bits = element_bits[p->element];
    for (u32 k = 0; k < p->share; k++) {
        const u32 *row = matrix_row(w, o, k * bits / 32);
        for (u32 lane = 0; lane < LANES; lane++)
            out[lane][k] = element_value(env, p->element, row[lane], k * bits % 32);
    }
}

/* BLGP exchanges the lanes of B before they are used. MI100 ISA, chapter 12. */
static u32 b_lane(u32 blgp, u32 lane)
{
    switch (blgp) {
    case 0: return lane;
    case 1: return lane % 32;
    case 2: return lane % 32 + 32;
    case 3: return (lane + 16) % LANES;
    default: return lane % 16 + (blgp - 4) * 16;
    }
}

/* An element of C for all, or registers. */
static void load_acc(struct wave *w, const struct xinsn *in, struct product *p, u32 count)
{
    const struct xop *c = &in->opnd[SLOT_S2];
    u64 value;
    bool is_const = c->code < CODE_VGPR && insn_constant(&in->insn, c->code, T_F32, &value);
    for (u32 i = 0; i < count; i++) {
        if (!is_const) {
            memcpy(p->acc[i], matrix_row(w, c, i), sizeof p->acc[i]);
            continue;
        }
        for (u32 lane = 0; lane < LANES; lane++)
            p->acc[i][lane] = (u32)value;
    }
}

/* The lane of row or column `i` of a block, and in *part which of its elements it is for product
 * k. */
static u32 share_of(const struct product *p, u32 block, u32 i, u32 k, u32 *part)
{
    *part = k % p->share;
    return block * p->n + k / p->share * p->n * p->blocks + i;
}

/* One product after the other. */
static u32 sum_in_turn(struct fp_env *env, u32 acc, const u32 *a, const u32 *b, u32 depth)
{
    for (u32 k = 0; k < depth; k++)
        acc = ffma32(env, a[k], b[k], acc);
    return acc;
}

/* Four products are one step of f16, two of bf16: they are summed by themselves. */
static u32 sum_groups(struct fp_env *env, u32 acc, const u32 *a, const u32 *b, u32 depth, u32 group)
{
    for (u32 k = 0; k < depth; k += group) {
        u32 sum[2];
        for (u32 i = 0; i < group; i += 2) {
            u32 low = fmul32(env, a[k + i], b[k + i]),
                high = fmul32(env, a[k + i + 1], b[k + i + 1]);
            sum[i / 2] = fadd32(env, low, high);
        }
        acc = fadd32(env, acc, group == 4 ? fadd32(env, sum[0], sum[1]) : sum[0]);
    }
    return acc;
}

/* Open: whether halves too are summed in turn. */
static u32 sum_halves(struct fp_env *env, const struct product *p, u32 acc, const u32 *a,
                      const u32 *b)
{
    u32 sum = sum_groups(env, acc, a, b, p->depth, p->element == ELEMENT_F16 ? 4 : 2);
    if (!p->look)
        return sum;
    u32 other = sum_in_turn(env, acc, a, b, p->depth);
    return other != sum && fp_alt(env, ALT_VALUE) ? other : sum;
}

/* Integers wrap. Open: whether they saturate. */
static u32 sum_integers(struct fp_env *env, u32 acc, const u32 *a, const u32 *b, u32 depth)
{
    i64 sum = (i32)acc;
    for (u32 k = 0; k < depth; k++)
        sum += (i64)(i32)a[k] * (i32)b[k];
    return sum != sat_i32(sum) && fp_alt(env, ALT_VALUE) ? (u32)sat_i32(sum) : (u32)(u64)sum;
}

static u32 sum_products(struct fp_env *env, const struct product *p, u32 acc, const u32 *a,
                        const u32 *b)
{
    if (p->element == ELEMENT_I8)
        return sum_integers(env, acc, a, b, p->depth);
    return p->element == ELEMENT_F32 ? sum_in_turn(env, acc, a, b, p->depth)
                                     : sum_halves(env, p, acc, a, b);
}

/* Row i, column j of a block. */
static void multiply_element(struct wave *w, struct product *p, struct fp_env *env, u32 block,
                             u32 i, u32 j)
{
    enum { DEPTH_MAX = 16 };
    u32 a[DEPTH_MAX], b[DEPTH_MAX], part;
    u32 a_block = block - block % p->a_blocks + p->a_block;
    for (u32 k = 0; k < p->depth; k++) {
        a[k] = p->a[share_of(p, a_block, i, k, &part)][part];
        b[k] = p->b[share_of(p, block, j, k, &part)][part];
    }
    /* With 4 rows a register holds one row of all blocks, otherwise several quads of one block. */
    u32 reg = i, lane = block * p->n + j;
    if (p->n > 4) {
        u32 quads = LANES / p->n;
        reg = block * (p->n * p->n / LANES) + i / (4 * quads) * 4 + i % 4;
        lane = i / 4 % quads * p->n + j;
    }
    p->acc[reg][lane] = sum_products(env, p, p->acc[reg][lane], a, b);
    wave_note_open(w, lane, env);
}

/* Rounds to nearest even, keeps subnormals, raises nothing, whatever MODE says. All lanes take
 * part; only those that are on get results. */
static void matrix_product(struct wave *w, const struct xinsn *in, enum element element, u32 n,
                           u32 blocks, u32 depth)
{
    struct product p = { .element = element, .n = n, .blocks = blocks, .depth = depth };
    struct fp_env env = { .round = ROUND_EVEN, .ieee = 1, .take = w->f32.take };
    p.look = w->open || env.take;
    u32 cbsz = insn_get(&in->insn, FLD_cbsz), blgp = insn_get(&in->insn, FLD_blgp);
    u32 b[LANES][SHARE_MAX], count = n * n * blocks / LANES;
    const struct xop *d = &in->opnd[SLOT_D];
    p.share = depth * n * blocks / LANES;
    p.a_blocks = 1u << cbsz;
    p.a_block = insn_get(&in->insn, FLD_abid);
    if (p.a_blocks > blocks || p.a_block >= p.a_blocks) {
        wave_unmodelled(w, "%s with cbsz:%u abid:%u is not modelled", insn_row(&in->insn)->name,
                        cbsz, p.a_block);
        return;
    }
    load_matrix(w, &p, &in->opnd[SLOT_S0], &env, p.a);
    load_matrix(w, &p, &in->opnd[SLOT_S1], &env, b);
    for (u32 lane = 0; lane < LANES; lane++)
        memcpy(p.b[lane], b[b_lane(blgp, lane)], sizeof p.b[lane]);
    load_acc(w, in, &p, count);
    for (u32 block = 0; block < blocks; block++)
        for (u32 i = 0; i < n; i++)
            for (u32 j = 0; j < n; j++)
                multiply_element(w, &p, &env, block, i, j);
    for (u32 i = 0; i < count; i++) {
        u32 *row = matrix_row(w, d, i);
        wlog_reg(w, CODE_VGPR + (u32)(row - w->vgpr[0]) / LANES, row, LANES);
        for (u64 m = wave_exec(w); m; m &= m - 1)
            row[ctz64(m)] = p.acc[i][ctz64(m)];
    }
}

/* ---- rows ---- */

#define OP(...)                                /* oracle/sem/alu/vop.c */
#define OPX(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#include "oracle/isa/rows/mai.def"
#undef OPX

#define OPX(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#include "oracle/isa/rows/mai.def"
