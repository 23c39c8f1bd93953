"""Predictions of the VOP3-only instructions that convert, pack, look up 2 / pi, and choose faces of cube maps."""
from fractions import Fraction

import floats
from floats import F16, F32, F64, convert, each
from rules import I32, M16, U32, Mode, clamp, op
from vop3 import MODES32, MODES64, half, magnitude, neg


# ---- cube maps: finite numbers; what NaNs and subnormals do is open ----------------------------------------------------------
def around(*values):
    """A kind of f32 with these magnitudes of either sign."""
    return F32.with_edges(*(v | s for v in values for s in (0, F32.sign)))


AXIS = around(0, 0x3f800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x00800000, 0x01000000, 0x7f7fffff, 0x7f000000, 0x7effffff,
              0x3e123456, 0x41dabcde)


def axis(a, b, c):
    x, y, z = (F32.order(magnitude(F32, v)) for v in (a, b, c))
    if z >= x and z >= y:
        return 2
    return 1 if y >= x else 0


def negative(value):
    """Less than zero: -0 is not."""
    return F32.order(value) < 0


def face(a, b, c):
    major = axis(a, b, c)
    return {'d': F32.round(2 * major + negative((a, b, c)[major]))}


def cube_s(a, b, c):
    return {'d': {2: neg(F32, a) if negative(c) else a, 1: a, 0: c if negative(a) else neg(F32, c)}[axis(a, b, c)]}


def cube_t(a, b, c):
    return {'d': {2: neg(F32, b), 1: neg(F32, c) if negative(b) else c, 0: neg(F32, b)}[axis(a, b, c)]}


def cube_major(a, b, c, mode):
    value = (a, b, c)[axis(a, b, c)]
    return {'d': {0, F32.sign} if F32.is_zero(value) else floats.finish(F32, 2 * F32.value(value), mode)}


for _name, _rule in (('id', face), ('sc', cube_s), ('tc', cube_t), ('ma', cube_major)):
    op(f'v_cube{_name}_f32 d, a, b, c', d=F32, a=AXIS, b=AXIS, c=AXIS)(_rule)


# ---- 2 / pi ------------------------------------------------------------------------------------------------------------------
def arctan_inverse(n, scale):
    """floor of scale * arctan(1 / n), within a few units."""
    total = term = scale // n
    k, sign = 3, -1
    while term:
        term //= n * n
        total += sign * (term // k)
        k, sign = k + 2, -sign
    return total


def two_over_pi():
    """The first 1201 bits of 2 / pi, by Machin's formula."""
    scale = 1 << 1400
    pi = 4 * (4 * arctan_inverse(5, scale) - arctan_inverse(239, scale))
    return ((2 << 1201) * scale) // pi


TWO_OVER_PI = two_over_pi()


def trig_preop(a, b):
    segment, exponent = b & 31, F64.exponent(a)
    shift = 53 * segment + max(0, exponent - 1077)
    window = (TWO_OVER_PI << shift) >> (1201 - 53) & (1 << 53) - 1
    scale = -53 - shift + (128 if exponent >= 1968 else 0)
    made = {F64.round(window * Fraction(2) ** scale)}
    if exponent == F64.top:
        made.add(F64.quiet(a))      # the formula takes the exponent field as it is; a NaN would do as well (numerics.md 7.4)
        made.add(F64.nan)
    if shift >= 1120 - 53:
        made.add(0)                 # the tail is open (numerics.md 24a)
    return made


@op('v_trig_preop_f64 d, a, b', d=F64, a=F64.plus(*(e << 52 for e in (1076, 1077, 1078, 1130, 1967, 1968, 2046))), b=U32)
def _(a, b):
    return {'d': trig_preop(a, b)}


# ---- conversions -------------------------------------------------------------------------------------------------------------
def whole_numbers(number, low, high):
    """What fractions become where the rounding is open: nearest (ties either way) and truncation, saturated."""
    floor = number.numerator // number.denominator
    made = {floor + (number - floor >= Fraction(1, 2)), round(number), int(number)}
    return {clamp(v, low, high) for v in made}


def to_byte(a, mode):
    """Saturated; how fractions round is open (numerics.md 5, D-PKU8)."""
    if F32.is_nan(a):
        return {0}
    if F32.is_inf(a):
        return {0 if F32.negative(a) else 255}
    number = F32.value(floats.flush_in(F32, a, mode))
    made = whole_numbers(number, 0, 255)
    if mode.round32 == floats.UP:
        made.add(clamp(-int(-number // 1), 0, 255))
    if mode.round32 == floats.DOWN:
        made.add(clamp(int(number // 1), 0, 255))
    return made


BYTES = F32.plus(0x437f0000, 0x437f8000, 0x43800000, 0x42c80000, 0x42c90000, 0x3f000000, 0x3fc00000, 0x40200000, 0x3effffff)


@op('v_cvt_pk_u8_f32 d, a, b, c', d=U32, a=BYTES, b=U32, c=U32, mode=MODES32[:4])
def _(a, b, c, mode):
    place = 8 * (b & 3)
    return {'d': {c & ~(0xff << place) | v << place for v in to_byte(a, mode)}}


@op('v_cvt_pkaccum_u8_f32 d, a, b', d=U32, a=BYTES, b=U32)
def _(d, a, b, mode):
    place = 8 * (b & 3)
    return {'d': {d & ~(0xff << place) | v << place for v in to_byte(a, mode)}}


def normalized(form, value, mode, low, high):
    """A float as a fraction of high; NaN gives 0; the rounding of what is not whole is open (numerics.md 5)."""
    if form.is_nan(value):
        return {0}
    if form.is_inf(value):
        return {low if form.negative(value) else high}
    number = max(Fraction(low, high), min(Fraction(1), form.value(floats.flush_in(form, value, mode)))) * high
    floor = number.numerator // number.denominator
    return {floor} if number == floor else {floor + (number - floor >= Fraction(1, 2)), round(number)}


for _form in (F32, F16):
    for _name, _low, _high in (('i16', -32767, 32767), ('u16', 0, 65535)):
        @op(f'v_cvt_pknorm_{_name}_f{_form.width} d, a, b', d=U32, a=_form, b=_form)
        def _(a, b, mode, form=_form, low=_low, high=_high):
            return {'d': each(lambda x, y: (y & M16) << 16 | x & M16, normalized(form, a, mode, low, high),
                              normalized(form, b, mode, low, high))}


@op('v_cvt_pkrtz_f16_f32 d, a, b', d=U32, a=F32, b=F32, mode=MODES64[:4])
def _(a, b, mode):
    truncate = Mode(mode & ~0xc | 0xc)
    return {'d': each(lambda x, y: y << 16 | x, convert(F32, F16, a, truncate), convert(F32, F16, b, truncate))}


@op('v_cvt_pk_u16_u32 d, a, b', d=U32, a=U32, b=U32)
def _(a, b):
    return {'d': min(b, M16) << 16 | min(a, M16)}


@op('v_cvt_pk_i16_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': (clamp(b, -1 << 15, 32767) & M16) << 16 | clamp(a, -1 << 15, 32767) & M16}


@op('v_pack_b32_f16 d, a, b', d=U32, a=F16, b=F16)
def _(a, b):
    return {'d': b << 16 | a}


@op('v_pack_b32_f16 d, -a, |b| op_sel:[1,0,0]', d=U32, a=U32, b=F16)
def _(a, b):
    return {'d': magnitude(F16, b) << 16 | neg(F16, half(a, 1))}
