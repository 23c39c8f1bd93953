"""VOP2: the manual's table, with the 16-bit write rule of numerics.md 1.9 and the float rules of its sections 1 to 3."""
from fractions import Fraction

from floats import (F16, F32, Format, add, clamped, each, flush_in, finish, mad, minimum, multiply, nan_result)
from rules import (I16, I24, I32, LANES, M16, M32, MASK, U16, U24, U32, bits, bound, clamp, op, signed)

TWO = dict(d=U32, a=U32, b=U32)
SIGNED = dict(d=U32, a=I32, b=I32)
HALVES = dict(d=U32, a=U16, b=U16)
FLOATS = dict(d=F32, a=F32, b=F32)
HALF_FLOATS = dict(d=U32, a=F16, b=F16)
# Nearest with subnormals and IEEE; the three directed modes; subnormals flushed; IEEE off; inputs only, outputs only flushed.
MODES = (0x3f0, 0x3f5, 0x3fa, 0x3ff, 0x300, 0x1f0, 0x3a0, 0x350)
MODES16 = (*MODES, 0x8003f0, 0x8003f5)      # and with FP16_OVFL


# ---- selection, integers -----------------------------------------------------------------------------------------------------
@op('v_cndmask_b32 d, a, b, vcc', **TWO)
def _(a, b, vcc):
    return {'d': b if vcc else a}


@op('v_cndmask_b32_e64 d, a, b, s', s=MASK, **TWO)
def _(a, b, s):
    return {'d': b if s else a}


@op('v_mul_i32_i24 d, a, b', d=U32, a=I24, b=I24)
def _(a, b):
    return {'d': a * b & M32}


@op('v_mul_hi_i32_i24 d, a, b', d=U32, a=I24, b=I24)
def _(a, b):
    return {'d': a * b >> 32}


@op('v_mul_u32_u24 d, a, b', d=U32, a=U24, b=U24)
def _(a, b):
    return {'d': a * b & M32}


@op('v_mul_hi_u32_u24 d, a, b', d=U32, a=U24, b=U24)
def _(a, b):
    return {'d': a * b >> 32}


@op('v_min_i32 d, a, b', **SIGNED)
@op('v_min_u32 d, a, b', **TWO)
def _(a, b):
    return {'d': min(a, b)}


@op('v_max_i32 d, a, b', **SIGNED)
@op('v_max_u32 d, a, b', **TWO)
def _(a, b):
    return {'d': max(a, b)}


@op('v_lshrrev_b32 d, a, b', **TWO)
def _(a, b):
    return {'d': b >> bits(a, 4, 0)}


@op('v_ashrrev_i32 d, a, b', d=U32, a=U32, b=I32)
def _(a, b):
    return {'d': b >> bits(a, 4, 0)}


@op('v_lshlrev_b32 d, a, b', **TWO)
def _(a, b):
    return {'d': b << bits(a, 4, 0) & M32}


@op('v_and_b32 d, a, b', **TWO)
def _(a, b):
    return {'d': a & b}


@op('v_or_b32 d, a, b', **TWO)
def _(a, b):
    return {'d': a | b}


@op('v_xor_b32 d, a, b', **TWO)
def _(a, b):
    return {'d': a ^ b}


@op('v_add_u32 d, a, b', **TWO)
def _(a, b):
    return {'d': a + b & M32}


@op('v_sub_u32 d, a, b', **TWO)
def _(a, b):
    return {'d': a - b & M32}


@op('v_subrev_u32 d, a, b', **TWO)
def _(a, b):
    return {'d': b - a & M32}


# CLAMP saturates in the unsigned domain (numerics.md 1.6, ledger VALU-U04).
@op('v_add_u32_e64 d, a, b clamp', **TWO)
def _(a, b):
    return {'d': min(a + b, M32)}


@op('v_sub_u32_e64 d, a, b clamp', **TWO)
def _(a, b):
    return {'d': max(a - b, 0)}


@op('v_subrev_u32_e64 d, a, b clamp', **TWO)
def _(a, b):
    return {'d': max(b - a, 0)}


# ---- carries: written for all lanes, 0 where a lane is off (numerics.md 8) ---------------------------------------------------
def carry_in_vcc(a, b, vcc, function):
    return dict(zip(('d', 'vcc'), function(a, b, vcc)))


def carry_out_vcc(a, b, function):
    return dict(zip(('d', 'vcc'), function(a, b, 0)))


def carry_in_pair(a, b, s, function):
    return dict(zip(('d', 'e'), function(a, b, s)))


def carry_out_pair(a, b, function):
    return dict(zip(('d', 'e'), function(a, b, 0)))


def sum_of(a, b, carry):
    return a + b + carry & M32, a + b + carry >> 32


def difference(a, b, borrow):
    return a - b - borrow & M32, int(b + borrow > a)


def reverse_difference(a, b, borrow):
    # The manual repeats V_SUBB's borrow for V_SUBBREV; it must be S0 + VCC > S1 (ledger VALU-C10).
    return difference(b, a, borrow)


for first, then, rule in (('add', 'addc', sum_of), ('sub', 'subb', difference), ('subrev', 'subbrev', reverse_difference)):
    op(f'v_{first}_co_u32 d, vcc, a, b', **TWO)(bound(carry_out_vcc, function=rule))
    op(f'v_{first}_co_u32_e64 d, e, a, b', e=MASK, **TWO)(bound(carry_out_pair, function=rule))
    op(f'v_{then}_co_u32 d, vcc, a, b, vcc', **TWO)(bound(carry_in_vcc, function=rule))
    op(f'v_{then}_co_u32_e64 d, e, a, b, s', e=MASK, s=MASK, **TWO)(bound(carry_in_pair, function=rule))


# ---- 16-bit integers: bits 31:16 become zero (numerics.md 1.9) ---------------------------------------------------------------
@op('v_add_u16 d, a, b', **HALVES)
def _(a, b):
    return {'d': a + b & M16}


@op('v_sub_u16 d, a, b', **HALVES)
def _(a, b):
    return {'d': a - b & M16}


@op('v_subrev_u16 d, a, b', **HALVES)
def _(a, b):
    return {'d': b - a & M16}


@op('v_add_u16_e64 d, a, b clamp', **HALVES)
def _(a, b):
    return {'d': min(a + b, M16)}


@op('v_sub_u16_e64 d, a, b clamp', **HALVES)
def _(a, b):
    return {'d': max(a - b, 0)}


@op('v_subrev_u16_e64 d, a, b clamp', **HALVES)
def _(a, b):
    return {'d': max(b - a, 0)}


@op('v_mul_lo_u16 d, a, b', **HALVES)
def _(a, b):
    return {'d': a * b & M16}


@op('v_lshlrev_b16 d, a, b', **HALVES)
def _(a, b):
    return {'d': b << bits(a, 3, 0) & M16}


@op('v_lshrrev_b16 d, a, b', **HALVES)
def _(a, b):
    return {'d': b >> bits(a, 3, 0)}


@op('v_ashrrev_i16 d, a, b', d=U32, a=U16, b=I16)
def _(a, b):
    return {'d': b >> bits(a, 3, 0) & M16}


@op('v_max_u16 d, a, b', **HALVES)
@op('v_max_i16 d, a, b', d=U32, a=I16, b=I16)
def _(a, b):
    return {'d': max(a, b) & M16}


@op('v_min_u16 d, a, b', **HALVES)
@op('v_min_i16 d, a, b', d=U32, a=I16, b=I16)
def _(a, b):
    return {'d': min(a, b) & M16}


# ---- floats ------------------------------------------------------------------------------------------------------------------
def sums(a, b, mode, form):
    return {'d': add(form, a, b, mode)}


def subtract(form, a, b, mode):
    """a - b: a NaN stays as it is, also as subtrahend (numerics.md 1.3: sign and payload kept)."""
    return nan_result(form, mode, a, b) or add(form, a, b ^ form.sign, mode)


def differences(a, b, mode, form):
    return {'d': subtract(form, a, b, mode)}


def reverse_differences(a, b, mode, form):
    return {'d': subtract(form, b, a, mode)}


def products(a, b, mode, form):
    return {'d': multiply(form, a, b, mode)}


def minima(a, b, mode, form):
    return {'d': minimum(form, a, b, mode)}


def maxima(a, b, mode, form):
    return {'d': minimum(form, a, b, mode, largest=True)}


for name, rule in (('add', sums), ('sub', differences), ('subrev', reverse_differences), ('mul', products), ('min', minima),
                   ('max', maxima)):
    op(f'v_{name}_f32 d, a, b', **FLOATS, mode=MODES)(bound(rule, form=F32))
    op(f'v_{name}_f16 d, a, b', **HALF_FLOATS, mode=MODES16)(bound(rule, form=F16))


@op('v_mul_legacy_f32 d, a, b', **FLOATS, mode=MODES)
def _(a, b, mode):
    if F32.is_zero(flush_in(F32, a, mode)) or F32.is_zero(flush_in(F32, b, mode)):
        return {'d': 0}     # even of a NaN or an infinity (numerics.md 2)
    return {'d': multiply(F32, a, b, mode)}


@op('v_mac_f32 d, a, b', **FLOATS, mode=MODES)
def _(a, b, d, mode):
    return {'d': mad(F32, a, b, d, mode)}


@op('v_madmk_f32 d, a, k, b', k=F32.in_file('imm'), **FLOATS, mode=MODES)
def _(a, k, b, mode):
    return {'d': mad(F32, a, k, b, mode)}


@op('v_madak_f32 d, a, b, k', k=F32.in_file('imm'), **FLOATS, mode=MODES)
def _(a, b, k, mode):
    return {'d': mad(F32, a, b, k, mode)}


def low_half(d, result):
    """The 16-bit MAC and MAD write their half only (numerics.md 1.9)."""
    return each(lambda half: d & ~M16 | half, result)


@op('v_mac_f16 d, a, b', **HALF_FLOATS, mode=MODES16)
def _(a, b, d, mode):
    return {'d': low_half(d, mad(F16, a, b, d & M16, mode))}


@op('v_madmk_f16 d, a, k, b', k=F16.in_file('imm'), **HALF_FLOATS, mode=MODES16)
def _(a, k, b, d, mode):
    return {'d': low_half(d, mad(F16, a, k, b, mode))}


@op('v_madak_f16 d, a, b, k', k=F16.in_file('imm'), **HALF_FLOATS, mode=MODES16)
def _(a, b, k, d, mode):
    return {'d': low_half(d, mad(F16, a, b, k, mode))}


def scaled(form: Format, a, power, mode):
    """a * 2**power, rounded once; powers beyond any effect are cut."""
    a = flush_in(form, a, mode)
    nan = nan_result(form, mode, a)
    if nan or not form.is_finite(a) or form.is_zero(a):
        return nan or a
    return finish(form, form.value(a) * Fraction(2) ** clamp(power, -200, 200), mode)


@op('v_ldexp_f16 d, a, b', d=U32, a=F16, b=I16.plus(*range(-32, 33)), mode=MODES16)
def _(a, b, mode):
    return {'d': scaled(F16, a, b, mode)}


# ---- modifiers ---------------------------------------------------------------------------------------------------------------
@op('v_add_f32_e64 d, -a, |b| clamp', **FLOATS, mode=(0x3f0, 0x2f0, 0x300))
def _(a, b, mode):
    total = add(F32, a ^ F32.sign, b & ~F32.sign, mode)
    return {'d': each(lambda x: clamped(F32, x, mode), total)}


@op('v_mul_f16_e64 d, |a|, -|b| clamp', **HALF_FLOATS, mode=(0x3f0, 0x2f0))
def _(a, b, mode):
    product = multiply(F16, a & ~F16.sign, b | F16.sign, mode)
    return {'d': each(lambda x: clamped(F16, x, mode), product)}


# OMOD works with IEEE and output subnormals off only; a zero of either sign becomes +0 (numerics.md 1.5).
@op('v_add_f32_e64 d, a, b mul:2', d=F32, a=F32.with_edges(*(F32.round(n) for n in (0, 1, -1, 3, 1.5, -7, 1000, 65536))),
    b=F32.with_edges(*(F32.round(n) for n in (0, 1, -1, 2, -2.5, 7, 1e6))), mode=(0x100, 0x3f0))
def _(a, b, mode):
    number = F32.value(a) + F32.value(b)
    return {'d': F32.round(number if mode.ieee or mode.keep_out32 else 2 * number)}


# SDWA: selected parts of the sources, sign-extended where it says so, and a selected part of the result (numerics.md 9).
@op('v_add_u32_sdwa d, a, b dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:WORD_1', **TWO)
def _(a, b, d):
    return {'d': d & ~0xff00 | ((a >> 24) + (b >> 16) & 0xff) << 8}


@op('v_add_u32_sdwa d, sext(a), b dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_0', **TWO)
def _(a, b):
    return {'d': (signed(a >> 8, 8) + (b & 0xff) & M16) << 16}


@op('v_sub_u32_sdwa d, sext(a), sext(b) dst_sel:BYTE_2 dst_unused:UNUSED_SEXT src0_sel:WORD_0 src1_sel:BYTE_2', **TWO)
def _(a, b):
    return {'d': signed(signed(a, 16) - signed(b >> 16, 8), 8) << 16 & M32}


# DPP: the first source comes from another lane (numerics.md 10). A lane without source keeps D, with bound_ctrl:0 it reads 0.
def from_right(lane):
    return lane + 1 if lane % 16 < 15 else None


@op('v_xor_b32_dpp d, a, b row_shl:1 row_mask:0xf bank_mask:0xf', wave=True, full_exec=True, **TWO)
def _(a, b):
    sources = [from_right(lane) for lane in range(LANES)]
    return {'d': [None if s is None else a[s] ^ b[lane] for lane, s in enumerate(sources)]}


@op('v_xor_b32_dpp d, a, b row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0', wave=True, full_exec=True, **TWO)
def _(a, b):
    sources = [from_right(lane) for lane in range(LANES)]
    return {'d': [(0 if s is None else a[s]) ^ b[lane] for lane, s in enumerate(sources)]}


@op('v_add_u32_dpp d, a, b quad_perm:[3,0,2,1] row_mask:0x5 bank_mask:0xa', wave=True, full_exec=True, **TWO)
def _(a, b):
    def lane_sum(lane):
        if not 0x5 >> lane // 16 & 1 or not 0xa >> lane % 16 // 4 & 1:
            return None     # its row or bank is off
        return a[lane & ~3 | (3, 0, 2, 1)[lane & 3]] + b[lane] & M32
    return {'d': [lane_sum(lane) for lane in range(LANES)]}
