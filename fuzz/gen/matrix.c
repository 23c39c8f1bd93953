/* The matrix core: accumulation registers, and operands of its products. Products of numbers that
 * are small and whole are exact, in whatever order they are summed, which is open for some formats:
 * A and B are such numbers, in registers that nothing else writes, and C and D lie where only
 * products of the same kind leave results. MI100 ISA, chapters 7 and 12. */
#include "fuzz/gen/internal.h"

#include "oracle/state/state.h"

/* Of the vector registers, and of as many accumulation registers, by what a lane's A or B is. */
enum { PART_F32 = 0, PART_F16 = 2, PART_BF16 = 6 };
/* Of the accumulation registers: sums of floats, of integers, A and B, and what moves write. */
enum {
    ACC_FLOAT = 0,
    ACC_INT = MATRIX_SUMS,
    ACC_PARTS = 2 * MATRIX_SUMS,
    ACC_FREE = ACC_PARTS + MATRIX_PARTS
};
_Static_assert(ACC_FREE + 4 == MATRIX_ACCS, "four accumulation registers are free");

/* ---- state ---- */

static u32 whole_f32(i32 v)
{
    static const u32 f32[9] = { 0,          0x3f800000, 0x40000000, 0x40400000, 0x40800000,
                                0x40a00000, 0x40c00000, 0x40e00000, 0x41000000 };
    return v < 0 ? f32[-v] | 1u << 31 : f32[v];
}

static u32 whole_f16(i32 v)
{
    static const u16 f16[9] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800 };
    return v < 0 ? f16[-v] | 0x8000u : f16[v];
}

static i32 draw_whole(struct draw *d)
{
    return (i32)rng_below(&d->rng, 17) - 8;
}

/* A dword of A or B, register `at` of those. */
static u32 draw_part(struct draw *d, u32 at)
{
    i32 low = draw_whole(d), high = draw_whole(d);
    if (at < PART_F16)
        return whole_f32(low);
    if (at < PART_BF16)
        return whole_f16(low) | whole_f16(high) << 16;
    return whole_f32(low) >> 16 | (whole_f32(high) & 0xffff0000);
}

u32 gen_draw_matrix_value(struct draw *d, u32 place)
{
    u32 acc = place - PLACE_A0 - d->r.acc;
    if (place < PLACE_A0)
        return draw_part(d, place - PLACE_V0 - d->r.vmatrix);
    if (acc < ACC_INT)
        return whole_f32(draw_whole(d));
    if (acc < ACC_PARTS)
        return (u32)((i32)rng_below(&d->rng, 1 << 20) - (1 << 19));
    return acc < ACC_FREE ? draw_part(d, acc - ACC_PARTS) : gen_draw_value(&d->rng, T_U32);
}

/* ---- operands ---- */

static bool is_integer(const struct isa_row *row)
{
    return isa_types[row->operand[1].type].class == CLASS_INT ||
           isa_types[row->operand[1].type].class == CLASS_SIGNED;
}

/* C and D: the same registers, or others that do not overlap. */
static u32 draw_sum(struct draw *d, const struct isa_row *row, u32 dw)
{
    u32 first = is_integer(row) ? ACC_INT : ACC_FLOAT;
    return first + rng_below(&d->rng, MATRIX_SUMS / dw) * dw;
}

/* A or B. Bytes are exact whatever they are. */
static u32 draw_source(struct draw *d, const struct isa_row *row, enum isa_type type)
{
    bool acc = rng_one_in(&d->rng, 3);
    u32 part = type == T_F32   ? PART_F32 + rng_below(&d->rng, 2)
               : type == T_B64 ? PART_F16 + rng_below(&d->rng, 3)
                               : PART_BF16 + rng_below(&d->rng, 2);
    if (is_integer(row))
        return acc ? (u32)CODE_ACC + d->r.acc + ACC_FREE + rng_below(&d->rng, 4)
                   : (u32)CODE_VGPR + gen_draw_vgpr(d, T_U32, 1);
    return acc ? (u32)CODE_ACC + d->r.acc + ACC_PARTS + part : (u32)CODE_VGPR + d->r.vmatrix + part;
}

/* Blocks that share A, which of them gives it, and how B's lanes change places. */
static void set_modifiers(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 passes = isa_passes(row), n = passes > 8 ? 32 : passes > 2 ? 16 : 4;
    u32 blocks = isa_types[row->operand[0].type].dwords * LANES / (n * n);
    u32 shared = rng_below(&d->rng, ctz32(blocks) + 1);
    insn_set(in, FLD_cbsz, shared);
    insn_set(in, FLD_abid, rng_below(&d->rng, 1u << shared));
    insn_set(in, FLD_blgp, rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, 8));
}

bool gen_draw_matrix_operand(struct draw *d, struct insn *in, const struct isa_operand *o)
{
    const struct isa_row *row = insn_row(in);
    u32 code, dw = isa_types[o->type].dwords;
    if (!d->r.has_matrix)
        return false;
    if (o->kind == K_VASRC) {
        code = draw_source(d, row, (enum isa_type)o->type);
    } else if (isa_row_is_acc_move(row)) {
        u32 first = o->dir == DIR_W ? ACC_FREE : 0;
        code = CODE_ACC + d->r.acc + first + rng_below(&d->rng, MATRIX_ACCS - first);
    } else {
        code = CODE_ACC + d->r.acc + draw_sum(d, row, dw);
        if (o->kind == K_ACC)
            set_modifiers(d, in);
    }
    return insn_set_code(in, o, code);
}
