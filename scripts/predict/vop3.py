"""Predictions of the vector instructions that exist in the VOP3 encodings alone: the manual's table of VOP3A and VOP3B. Sums of
absolute differences follow the MI100 manual, which gives formulas where the Vega manual gives names."""
from fractions import Fraction

import floats
from floats import F16, F32, F64, add, clamped, each, fma, minimum, multiply
from rules import (I16, I32, LANES, M8, M16, M32, MASK, U16, U32, U64, U128, Mode, bits, clamp, op, popcount, signed)

MODES32 = [0x3f0, 0x3f1, 0x3f2, 0x3f3, 0x3c0, 0x3d0, 0x3e0, 0x1f0]
MODES64 = [0x3f0, 0x3f4, 0x3f8, 0x3fc, 0x330, 0x370, 0x3b0, 0x1f0]     # those of f16, too
ALL32 = {'a': U32, 'b': U32, 'c': U32}


def half(value, high=0):
    return value >> 16 * high & M16


def upper(old, value):
    """The low half is written, the other stays."""
    return each(lambda v: old & ~M16 | v & M16, value)


# ---- integers of 32 bits -----------------------------------------------------------------------------------------------------
def i24(value):
    return signed(value, 24)


def u24(value):
    return value & 0xffffff


@op('v_mad_i32_i24 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': i24(a) * i24(b) + c}


@op('v_mad_u32_u24 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': u24(a) * u24(b) + c}


@op('v_mad_i32_i24 d, a, b, c clamp', d=U32, **ALL32)
def _(a, b, c):
    return {'d': clamp(i24(a) * i24(b) + signed(c, 32), -1 << 31, (1 << 31) - 1)}


@op('v_mad_u32_u24 d, a, b, c clamp', d=U32, **ALL32)
def _(a, b, c):
    return {'d': min(u24(a) * u24(b) + c, M32)}


@op('v_bfe_u32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': (a >> (b & 31)) & ((1 << (c & 31)) - 1)}


# The manual's text forgets the sign extension from the field's top bit (numerics.md 8).
@op('v_bfe_i32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    offset, width = b & 31, c & 31
    if width == 0:
        return {'d': 0}
    if offset + width >= 32:
        return {'d': signed(a, 32) >> offset}
    return {'d': signed(a >> offset, width)}


@op('v_bfi_b32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': a & b | ~a & c}


@op('v_bfm_b32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': ((1 << (a & 31)) - 1) << (b & 31)}


@op('v_alignbit_b32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': (a << 32 | b) >> (c & 31)}


# The manual prints S2[4:0]; the hardware takes [1:0] (numerics.md 8).
@op('v_alignbyte_b32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': (a << 32 | b) >> 8 * (c & 3)}


@op('v_lerp_u8 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': sum(((a >> i & M8) + (b >> i & M8) + (c >> i & 1) >> 1) << i for i in (0, 8, 16, 24))}


# scripts/calc has an answer of its own: neither takes the other's reading of the manual.
@op('v_perm_b32 d, a, b, c', d=U32, a=U32, b=U32, c=U32.plus(0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f, 0x80ff100c))
def _(a, b, c):
    data = (a << 32 | b).to_bytes(8, 'little')

    def byte(select):
        if select >= 13:
            return 0xff
        if select == 12:
            return 0
        if select >= 8:
            return 0xff if data[2 * (select - 8) + 1] & 0x80 else 0
        return data[select]
    return {'d': sum(byte(c >> i & M8) << i for i in (0, 8, 16, 24))}


SIMPLE = {
    'v_xad_u32': lambda a, b, c: {'d': (a ^ b) + c},
    'v_lshl_add_u32': lambda a, b, c: {'d': (a << (b & 31)) + c},
    'v_add_lshl_u32': lambda a, b, c: {'d': (a + b & M32) << (c & 31)},
    'v_add3_u32': lambda a, b, c: {'d': a + b + c},
    'v_lshl_or_b32': lambda a, b, c: {'d': a << (b & 31) | c},
    'v_and_or_b32': lambda a, b, c: {'d': a & b | c},
    'v_or3_b32': lambda a, b, c: {'d': a | b | c},
    'v_min3_u32': lambda a, b, c: {'d': min(a, b, c)},
    'v_max3_u32': lambda a, b, c: {'d': max(a, b, c)},
    'v_med3_u32': lambda a, b, c: {'d': sorted((a, b, c))[1]},
}
for _name, _rule in SIMPLE.items():
    op(f'{_name} d, a, b, c', d=U32, **ALL32)(_rule)
SIGNED = {
    'v_min3_i32': lambda a, b, c: {'d': min(a, b, c)},
    'v_max3_i32': lambda a, b, c: {'d': max(a, b, c)},
    'v_med3_i32': lambda a, b, c: {'d': sorted((a, b, c))[1]},
}
for _name, _rule in SIGNED.items():
    op(f'{_name} d, a, b, c', d=U32, a=I32, b=I32, c=I32)(_rule)


@op('v_add_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': a + b}


@op('v_sub_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': a - b}


@op('v_add_i32 d, a, b clamp', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': clamp(a + b, -1 << 31, (1 << 31) - 1)}


@op('v_sub_i32 d, a, b clamp', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': clamp(a - b, -1 << 31, (1 << 31) - 1)}


@op('v_mul_lo_u32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': a * b}


@op('v_mul_hi_u32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': a * b >> 32}


@op('v_mul_hi_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': a * b >> 32}


@op('v_mad_u64_u32 d, s, a, b, c', d=U64, s=MASK, a=U32, b=U32, c=U64)
def _(a, b, c):
    total = a * b + c
    return {'d': total, 's': total >> 64}


# What the signed form carries out is not defined.
@op('v_mad_i64_i32 d, s, a, b, c', d=U64, s=MASK, a=I32, b=I32, c=U64)
def _(a, b, c):
    return {'d': a * b + c, 's': {0, 1}}


@op('v_lshlrev_b64 d, a, b', d=U64, a=U32, b=U64)
def _(a, b):
    return {'d': b << (a & 63)}


@op('v_lshrrev_b64 d, a, b', d=U64, a=U32, b=U64)
def _(a, b):
    return {'d': b >> (a & 63)}


@op('v_ashrrev_i64 d, a, b', d=U64, a=U32, b=U64)
def _(a, b):
    return {'d': signed(b, 64) >> (a & 63)}


# The Vega manual forgets the addend (numerics.md 8).
@op('v_bcnt_u32_b32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': popcount(a) + b}


@op('v_mbcnt_lo_u32_b32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b, lane):
    return {'d': popcount(a & bits((1 << lane) - 1, 31, 0)) + b}


@op('v_mbcnt_hi_u32_b32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b, lane):
    return {'d': popcount(a & bits((1 << lane) - 1, 63, 32)) + b}


# ---- lanes: EXEC is ignored --------------------------------------------------------------------------------------------------
@op('v_readlane_b32 e, a, s', e=U32.in_file('s'), a=U32, s=U32.in_file('s'), wave=True)
def _(a, s):
    return {'e': a[s % LANES]}


@op('v_readlane_b32 vcc_hi, a, 37', a=U32, wave=True)
def _(a, vcc):
    return {'vcc': vcc & M32 | a[37] << 32}


@op('v_writelane_b32 d, s, 11', d=U32, s=U32.in_file('s'), wave=True)
def _(s):
    return {'d': [s if lane == 11 else None for lane in range(LANES)]}


@op('v_writelane_b32 d, -3, s', d=U32, s=U32.in_file('s'), wave=True)
def _(s):
    return {'d': [M32 - 2 if lane == s % LANES else None for lane in range(LANES)]}


# ---- sums of absolute differences --------------------------------------------------------------------------------------------
def sad(a, b, masked=False):
    """Over four bytes; masked: a reference byte of 0 does not count."""
    pairs = [(a >> i & M8, b >> i & M8) for i in (0, 8, 16, 24)]
    return sum(abs(x - y) for x, y in pairs if y or not masked)


@op('v_sad_u8 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': sad(a, b) + c}


@op('v_sad_hi_u8 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': (sad(a, b) << 16) + c}


@op('v_sad_u16 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': abs((a >> 16) - (b >> 16)) + abs(half(a) - half(b)) + c}


@op('v_sad_u32 d, a, b, c', d=U32, **ALL32)
def _(a, b, c):
    return {'d': abs(a - b) + c}


@op('v_msad_u8 d, a, b, c', d=U32, a=U32, b=U32.plus(0x00ff00ff, 0xff00ff00), c=U32)
def _(a, b, c):
    return {'d': sad(a, b, True) + c}


def quad(a, b, c, width, masked):
    """Four sums, the window one byte further each; that one which overflows wraps or saturates is open (numerics.md 8)."""
    parts = []
    for i in range(4):
        total = sad(a >> 8 * i & M32, b, masked) + (c >> width * i & ((1 << width) - 1))
        full = (1 << width) - 1
        parts.append({total & full, min(total, full)})
    return each(lambda *p: sum(v << width * i for i, v in enumerate(p)), *parts)


QUAD = {'v_qsad_pk_u16_u8': (U64, 16, False), 'v_mqsad_pk_u16_u8': (U64, 16, True), 'v_mqsad_u32_u8': (U128, 32, True)}
for _name, (_kind, _width, _masked) in QUAD.items():
    @op(f'{_name} d, a, b, c', d=_kind, a=U64, b=U32, c=_kind)
    def _(a, b, c, width=_width, masked=_masked):
        return {'d': quad(a, b, c, width, masked)}


# ---- integers of 16 bits -----------------------------------------------------------------------------------------------------
# The half that op_sel[3] names is written, the other stays; the LEGACY forms clear it.
PLAIN16 = {
    'v_mad_u16': lambda a, b, c: a * b + c,
    'v_mad_i16': lambda a, b, c: a * b + c,
    'v_min3_i16': lambda a, b, c: min(signed(a, 16), signed(b, 16), signed(c, 16)),
    'v_min3_u16': min,
    'v_max3_i16': lambda a, b, c: max(signed(a, 16), signed(b, 16), signed(c, 16)),
    'v_max3_u16': max,
    'v_med3_i16': lambda a, b, c: sorted((signed(a, 16), signed(b, 16), signed(c, 16)))[1],
    'v_med3_u16': lambda a, b, c: sorted((a, b, c))[1],
}


def low_halves(name, rule):
    @op(f'{name} d, a, b, c', d=U32, a=U16, b=U16, c=U16)
    def _(d, a, b, c):
        return {'d': upper(d, rule(a, b, c))}

    @op(f'{name} d, a, b, c op_sel:[1,0,1,1]', d=U32, **ALL32)
    def _(d, a, b, c):
        return {'d': d & M16 | (rule(half(a, 1), half(b), half(c, 1)) & M16) << 16}

    @op(f'{name} d, a, b, c op_sel:[0,1,0,0]', d=U32, **ALL32)
    def _(d, a, b, c):
        return {'d': upper(d, rule(half(a), half(b, 1), half(c)))}


for _name, _rule in PLAIN16.items():
    low_halves(_name, _rule)


@op('v_mad_u16 d, a, b, c clamp', d=U32, a=U16, b=U16, c=U16)
def _(d, a, b, c):
    return {'d': upper(d, min(a * b + c, M16))}


@op('v_mad_i16 d, a, b, c clamp', d=U32, a=I16, b=I16, c=I16)
def _(d, a, b, c):
    return {'d': upper(d, clamp(a * b + c, -1 << 15, (1 << 15) - 1))}


@op('v_mad_legacy_u16 d, a, b, c', also=['v_mad_legacy_i16'], d=U32, a=U16, b=U16, c=U16)
def _(a, b, c):
    return {'d': a * b + c & M16}


@op('v_mad_legacy_u16 d, a, b, c clamp', d=U32, a=U16, b=U16, c=U16)
def _(a, b, c):
    return {'d': min(a * b + c, M16)}


@op('v_mad_legacy_i16 d, a, b, c clamp', d=U32, a=I16, b=I16, c=I16)
def _(a, b, c):
    return {'d': clamp(a * b + c, -1 << 15, (1 << 15) - 1) & M16}


def two_halves(name, rule):
    @op(f'{name} d, a, b', d=U32, a=I16, b=I16)
    def _(d, a, b):
        return {'d': upper(d, rule(a, b))}

    @op(f'{name} d, a, b clamp', d=U32, a=I16, b=I16)
    def _(d, a, b):
        return {'d': upper(d, clamp(rule(a, b), -1 << 15, (1 << 15) - 1))}

    @op(f'{name} d, a, b op_sel:[0,1,1]', d=U32, a=U32, b=U32)
    def _(d, a, b):
        return {'d': d & M16 | (rule(half(a), half(b, 1)) & M16) << 16}


two_halves('v_add_i16', lambda a, b: a + b)
two_halves('v_sub_i16', lambda a, b: a - b)


@op('v_mad_u32_u16 d, a, b, c', d=U32, a=U16, b=U16, c=U32)
def _(a, b, c):
    return {'d': a * b + c}


@op('v_mad_i32_i16 d, a, b, c', d=U32, a=I16, b=I16, c=U32)
def _(a, b, c):
    return {'d': a * b + c}


@op('v_mad_u32_u16 d, a, b, c op_sel:[1,0,0,0]', d=U32, **ALL32)
def _(a, b, c):
    return {'d': half(a, 1) * half(b) + c}


@op('v_mad_i32_i16 d, a, b, c op_sel:[0,1,0,0]', d=U32, **ALL32)
def _(a, b, c):
    return {'d': signed(a, 16) * signed(b >> 16, 16) + c}


# ---- multiply and add, floats ------------------------------------------------------------------------------------------------
def unfused(form, a, b, c, mode, legacy=False):
    """Two roundings, subnormals flushed whatever MODE says. Open: whether the product is rounded under MODE, whether a
    subnormal product is flushed (numerics.md 2). legacy: a zero factor makes the product +0."""
    flush = floats.flushing(form, mode)
    a, b, c = (floats.flush_in(form, x, flush) for x in (a, b, c))
    if legacy and (form.is_zero(a) or form.is_zero(b)):
        zero = add(form, 0, c, flush)
        return {0, form.sign} if form.is_zero(c) else zero
    nan = floats.nan_result(form, mode, a, b, c)
    if nan:
        return nan | {form.nan} if multiply(form, a, b, flush) == form.nan else nan
    made = set()
    for first in (flush, Mode(flush & ~0xf)):
        for kept in (0, 0xf0):
            for product in as_set(multiply(form, a, b, Mode(first | kept))):
                made |= as_set(add(form, product, c, Mode(flush | kept & 0x50)))
    return made


def as_set(value):
    return set(value) if isinstance(value, (set, frozenset)) else {value}


def neg(form, value):
    return value ^ form.sign


def magnitude(form, value):
    return value & ~form.sign


@op('v_mad_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MODES32)
def _(a, b, c, mode):
    return {'d': unfused(F32, a, b, c, mode)}


@op('v_mad_f32 d, -a, |b|, -|c|', d=F32, a=F32, b=F32, c=F32)
def _(a, b, c, mode):
    return {'d': unfused(F32, neg(F32, a), magnitude(F32, b), neg(F32, magnitude(F32, c)), mode)}


@op('v_mad_legacy_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MODES32)
def _(a, b, c, mode):
    return {'d': unfused(F32, a, b, c, mode, legacy=True)}


@op('v_mad_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64)
def _(d, a, b, c, mode):
    return {'d': upper(d, unfused(F16, a, b, c, mode))}


@op('v_mad_f16 d, a, b, c op_sel:[0,1,0,1]', d=U32, a=F16, b=U32, c=F16)
def _(d, a, b, c, mode):
    return {'d': each(lambda v: d & M16 | v << 16, unfused(F16, a, half(b, 1), c, mode))}


# The Vega manual says the same of op_sel here as for V_MAD_F16; the assembler gives these names none.
@op('v_mad_legacy_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64)
def _(a, b, c, mode):
    return {'d': unfused(F16, a, b, c, mode)}


@op('v_fma_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MODES32)
def _(a, b, c, mode):
    return {'d': fma(F32, a, b, c, mode)}


@op('v_fma_f64 d, a, b, c', d=F64, a=F64, b=F64, c=F64, mode=MODES64)
def _(a, b, c, mode):
    return {'d': fma(F64, a, b, c, mode)}


@op('v_fma_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64)
def _(d, a, b, c, mode):
    return {'d': upper(d, fma(F16, a, b, c, mode))}


@op('v_fma_f16 d, a, b, c op_sel:[1,0,1,1]', d=U32, a=U32, b=F16, c=U32)
def _(d, a, b, c, mode):
    return {'d': each(lambda v: d & M16 | v << 16, fma(F16, half(a, 1), b, half(c, 1), mode))}


@op('v_fma_legacy_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64)
def _(a, b, c, mode):
    return {'d': fma(F16, a, b, c, mode)}


@op('v_fma_f32 d, a, -b, |c| clamp', d=F32, a=F32, b=F32, c=F32, mode=[0x3f0, 0x2f0])
def _(a, b, c, mode):
    return {'d': each(lambda v: clamped(F32, v, mode), fma(F32, a, neg(F32, b), magnitude(F32, c), mode))}


@op('v_fma_f64 d, -a, b, -c clamp', d=F64, a=F64, b=F64, c=F64, mode=[0x3f0, 0x2f0])
def _(a, b, c, mode):
    return {'d': each(lambda v: clamped(F64, v, mode), fma(F64, neg(F64, a), b, neg(F64, c), mode))}


def scaled(form, value, factor, mode):
    """OMOD after the rounding: nothing with IEEE on or output subnormals kept; a zero or subnormal becomes +0, half of a number
    of the lowest binade a zero of either sign (numerics.md 1.5)."""
    if mode.ieee or form.keeps_out(mode) or not form.is_finite(value):
        return value
    if form.is_zero(value) or form.is_subnormal(value):
        return 0
    made = floats.finish(form, form.value(value) * factor, mode)
    return {0, form.sign} if made in (0, form.sign) else made


for _text, _factor in (('mul:2', 2), ('mul:4', 4), ('div:2', Fraction(1, 2))):
    @op(f'v_fma_f32 d, a, b, c {_text}', d=F32, a=F32, b=F32, c=F32, mode=[0x1c0, 0x3c0, 0x1f0, 0x1d3])
    def _(a, b, c, mode, factor=_factor):
        return {'d': each(lambda v: scaled(F32, v, factor, mode), fma(F32, a, b, c, mode))}


@op('v_add_f64 d, a, b', d=F64, a=F64, b=F64, mode=MODES64)
def _(a, b, mode):
    return {'d': add(F64, a, b, mode)}


@op('v_add_f64 d, -a, |b|', d=F64, a=F64, b=F64)
def _(a, b, mode):
    return {'d': add(F64, neg(F64, a), magnitude(F64, b), mode)}


@op('v_mul_f64 d, a, b', d=F64, a=F64, b=F64, mode=MODES64)
def _(a, b, mode):
    return {'d': multiply(F64, a, b, mode)}


# ---- minimum, maximum, median ------------------------------------------------------------------------------------------------
def of_three(form, a, b, c, mode, largest):
    return each(lambda first: minimum(form, first, c, mode, largest), minimum(form, a, b, mode, largest))


def median(form, a, b, c, mode):
    """With a NaN the minimum; the zeros sort with -0 below +0 (numerics.md 24a)."""
    a, b, c = (floats.flush_in(form, x, mode) for x in (a, b, c))
    if any(form.is_nan(x) for x in (a, b, c)):
        return of_three(form, a, b, c, mode, False)
    return sorted((a, b, c), key=lambda x: (form.order(x), not form.negative(x)))[1]


MINMAX = [0x3f0, 0x1f0]


@op('v_min3_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MINMAX)
def _(a, b, c, mode):
    return {'d': of_three(F32, a, b, c, mode, False)}


@op('v_max3_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MINMAX)
def _(a, b, c, mode):
    return {'d': of_three(F32, a, b, c, mode, True)}


@op('v_med3_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MINMAX)
def _(a, b, c, mode):
    return {'d': median(F32, a, b, c, mode)}


@op('v_med3_f32 d, -a, b, |c| clamp', d=F32, a=F32, b=F32, c=F32)
def _(a, b, c, mode):
    return {'d': each(lambda v: clamped(F32, v, mode), median(F32, neg(F32, a), b, magnitude(F32, c), mode))}


@op('v_min_f64 d, a, b', d=F64, a=F64, b=F64, mode=MINMAX)
def _(a, b, mode):
    return {'d': minimum(F64, a, b, mode)}


@op('v_max_f64 d, a, b', d=F64, a=F64, b=F64, mode=MINMAX)
def _(a, b, mode):
    return {'d': minimum(F64, a, b, mode, largest=True)}


@op('v_min3_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MINMAX)
def _(d, a, b, c, mode):
    return {'d': upper(d, of_three(F16, a, b, c, mode, False))}


@op('v_max3_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MINMAX)
def _(d, a, b, c, mode):
    return {'d': upper(d, of_three(F16, a, b, c, mode, True))}


@op('v_med3_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MINMAX)
def _(d, a, b, c, mode):
    return {'d': upper(d, median(F16, a, b, c, mode))}


@op('v_med3_f16 d, a, b, c op_sel:[1,1,0,1]', d=U32, a=U32, b=U32, c=F16)
def _(d, a, b, c, mode):
    return {'d': each(lambda v: d & M16 | v << 16, median(F16, half(a, 1), half(b, 1), c, mode))}


# ---- ldexp, division ---------------------------------------------------------------------------------------------------------
def ldexp(form, a, exponent, mode):
    """a * 2 ** exponent, rounded once."""
    a = floats.flush_in(form, a, mode)
    nan = floats.nan_result(form, mode, a)
    if nan:
        return nan
    if form.is_inf(a) or form.is_zero(a):
        return a
    exponent = clamp(exponent, -4096, 4096)     # far beyond every format
    return floats.finish(form, form.value(a) * Fraction(2) ** exponent, mode)


EXPONENTS = I32.plus(-24, -126, -127, -149, -150, 127, 128, 254, -1022, -1074, 1023, 1024, 2046, 65536)


@op('v_ldexp_f32 d, a, b', d=F32, a=F32, b=EXPONENTS, mode=MODES32)
def _(a, b, mode):
    return {'d': ldexp(F32, a, b, mode)}


@op('v_ldexp_f64 d, a, b', d=F64, a=F64, b=EXPONENTS, mode=MODES64)
def _(a, b, mode):
    return {'d': ldexp(F64, a, b, mode)}


SCALE = {32: 64, 64: 128}


def div_fmas(form, a, b, c, vcc, mode):
    """With the VCC bit a fused multiply-add that is scaled before the one rounding: up by 2 ** 64 (2 ** 128) where the exponent
    of S2 says 2.0 and more, else down (numerics.md 7.2; the manual has another constant). Input subnormals stay."""
    mode = Mode(mode | 0x50)
    plain = fma(form, a, b, c, mode)
    if not vcc or not all(form.is_finite(x) for x in (a, b, c)):
        return plain
    exact = form.value(a) * form.value(b) + form.value(c)
    power = SCALE[form.width] if form.exponent(c) > form.bias else -SCALE[form.width]
    if exact == 0:
        return plain
    return floats.finish(form, exact * Fraction(2) ** power, mode)


@op('v_div_fmas_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MODES32)
def _(a, b, c, vcc, mode):
    return {'d': div_fmas(F32, a, b, c, vcc, mode)}


@op('v_div_fmas_f64 d, a, b, c', d=F64, a=F64, b=F64, c=F64, mode=MODES64)
def _(a, b, c, vcc, mode):
    return {'d': div_fmas(F64, a, b, c, vcc, mode)}


UNDERFLOW = {32: -150, 64: -1075}


def div_fixup(form, a, b, c, mode):
    """a: quotient, b: denominator, c: numerator."""
    sign = (b ^ c) & form.sign
    for x in (c, b):
        if form.is_nan(x):
            return form.quiet(x)
    if form.is_zero(b) and form.is_zero(c) or form.is_inf(b) and form.is_inf(c):
        return form.nan
    if form.is_zero(b) or form.is_inf(c):
        return form.inf | sign
    if form.is_inf(b) or form.is_zero(c):
        return sign
    rounding = form.rounding(mode)
    away = floats.UP if not sign else floats.DOWN
    if form.width in UNDERFLOW and form.exponent(c) - form.exponent(b) < UNDERFLOW[form.width]:
        return sign | (1 if rounding == away else 0)
    if form.is_finite(a):
        return magnitude(form, a) | sign
    overflow = sign | (form.inf if rounding in (floats.NEAREST, away) else form.largest)
    # The manual passes such a quotient; other sources overflow (numerics.md 7.3).
    return {overflow, magnitude(form, a) | sign, magnitude(form, form.quiet(a)) | sign}


@op('v_div_fixup_f32 d, a, b, c', d=F32, a=F32, b=F32, c=F32, mode=MODES32[:4])
def _(a, b, c, mode):
    return {'d': div_fixup(F32, a, b, c, mode)}


@op('v_div_fixup_f64 d, a, b, c', d=F64, a=F64, b=F64, c=F64, mode=MODES64[:4])
def _(a, b, c, mode):
    return {'d': div_fixup(F64, a, b, c, mode)}


@op('v_div_fixup_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64[:4])
def _(d, a, b, c, mode):
    return {'d': upper(d, div_fixup(F16, a, b, c, mode))}


@op('v_div_fixup_legacy_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=MODES64[:4])
def _(a, b, c, mode):
    return {'d': div_fixup(F16, a, b, c, mode)}


GAP = {32: 96, 64: 768}
TINY = {32: 24, 64: 53}


def div_scale(form, a, b, c, mode):
    """(D, VCC bit): numerics.md 7.1, where the manual's text leaves D open or contradicts what is known of silicon."""
    a, b, c = (floats.flush_in(form, x, mode) for x in (a, b, c))
    de, ne = form.exponent(b), form.exponent(c)
    delta, gap, up = ne - de, GAP[form.width], SCALE[form.width]
    denominator = a == b
    if delta >= gap:
        adjust, vcc = (up if denominator else 0), 1
    elif de == 0:
        adjust, vcc = up, 0
    elif de >= form.top - 2:
        adjust, vcc = (0 if delta <= -gap and not denominator else -up), int(delta <= -gap)
    elif delta <= -gap:
        adjust, vcc = (0 if denominator else up), 1
    elif ne <= TINY[form.width]:
        adjust, vcc = up, 0
    else:
        adjust, vcc = 0, 0
    if form.is_zero(b) or form.is_zero(c):
        return form.nan, vcc
    return ldexp(form, a, adjust, mode), vcc


def equal_operand(rng, values, places):
    """The value to scale is the denominator or the numerator."""
    del places
    values['a'] = [rng.choice(pair) for pair in zip(values['b'], values['c'])]


def exponents(form):
    """Operands whose exponents lie at the thresholds."""
    gap, tiny, top = GAP[form.width], TINY[form.width], form.top
    fields = [0, 1, 2, form.bias, top - gap - 1, *range(tiny - 2, tiny + 2), *range(gap - 1, gap + 3), *range(top - 4, top)]
    return form.plus(*(f << form.fraction_bits | low for f in fields for low in (0, form.least_normal - 1)))


for _form, _modes in ((F32, MODES32), (F64, MODES64)):
    @op(f'v_div_scale_f{_form.width} d, vcc, a, b, c', d=_form, a=_form, b=exponents(_form), c=exponents(_form), mode=_modes,
        prepare=equal_operand)
    def _(a, b, c, mode, form=_form):
        d, vcc = div_scale(form, a, b, c, mode)
        return {'d': d, 'vcc': vcc}
