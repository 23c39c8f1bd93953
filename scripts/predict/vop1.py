"""VOP1: the manual's table, numerics.md sections 4 to 6 and 8. Of the approximate functions, what is exact and what the manual's
error bound leaves."""
from fractions import Fraction
from math import floor, isqrt

from floats import (DOWN, F16, F32, F64, UP, ZERO, convert, each, finish, flush_in, flush_out, nan_result, to_integer)
from rules import Between, I16, I32, LANES, M16, M32, S32, U16, U32, bits, bound, clamp, op, signed

MODES = (0x3f0, 0x3f5, 0x3fa, 0x3ff, 0x300, 0x1f0)      # nearest, the three directed ones, subnormals flushed, IEEE off
MODES16 = (*MODES, 0x8003f0, 0x8003f5)                  # and FP16_OVFL


# ---- moves and bits ----------------------------------------------------------------------------------------------------------
@op('v_nop')
@op('v_clrexcp')        # TRAPSTS.EXCP is asked for in none of the programs here
def _():
    return {}


@op('v_mov_b32 d, a', d=U32, a=U32)
def _(a):
    return {'d': a}


@op('v_readfirstlane_b32 d, a', d=S32, a=U32, wave=True)
def _(a, exec):     # pylint: disable=redefined-builtin
    return {'d': next((a[lane] for lane in range(LANES) if exec >> lane & 1), a[0])}      # EXEC = 0: lane 0


@op('v_swap_b32 d, a', d=U32, a=U32)
def _(d, a):
    return {'d': a, 'a': d}


@op('v_not_b32 d, a', d=U32, a=U32)
def _(a):
    return {'d': ~a & M32}


@op('v_bfrev_b32 d, a', d=U32, a=U32)
def _(a):
    return {'d': int(f'{a:032b}'[::-1], 2)}


@op('v_ffbh_u32 d, a', d=U32, a=U32.plus(0x800000ff, 0x100000ff))
def _(a):
    return {'d': 32 - a.bit_length() if a else M32}


@op('v_ffbl_b32 d, a', d=U32, a=U32.plus(0xff000008, 0xffff0000))
def _(a):
    return {'d': (a & -a).bit_length() - 1 if a else M32}


@op('v_ffbh_i32 d, a', d=U32, a=U32.plus(0x40000000, 0x0fffffff, 0xffff0000))
def _(a):
    return {'d': next((i for i in range(1, 32) if (a >> 31 - i ^ a >> 31) & 1), M32)}


def backends(x_min, y_min, x_max, y_max):
    """The shader engines of the 32-pixel tiles of a rectangle, by the manual's formula; all if it is three tiles wide or high."""
    columns, rows = (x_max - x_min) % 4, (y_max - y_min) % 4
    if columns >= 3 or rows >= 3:
        return 0xf
    mask = 0
    for x in range(x_min, x_min + columns + 1):
        for y in range(y_min, y_min + rows + 1):
            mask |= 1 << (((x ^ y >> 1) & 1) << 1 | (y ^ x >> 1) & 1)
    return mask


@op('v_screen_partition_4se_b32 d, a', d=U32, a=U32.with_edges(*range(256), 0x101, 0xffffff00, 0x12345678))
def _(a):
    return {'d': backends(bits(a, 7, 6), bits(a, 5, 4), bits(a, 3, 2), bits(a, 1, 0))}


@op('v_sat_pk_u8_i16 d, a', d=U32, a=U32.plus(0x00ff0100, 0x01000080, 0xff7f00fe, 0x80007fff))
def _(a):
    return {'d': clamp(signed(a >> 16, 16), 0, 255) << 8 | clamp(signed(a, 16), 0, 255)}


# ---- integers to floats ------------------------------------------------------------------------------------------------------
def from_integer(a, mode, form):
    return {'d': finish(form, Fraction(a), mode)}


NEAR = (0xffffff, 0x1000001, 0x1000003, 0x7fffff80, 0x7fffffc0, 0xffffff80, 0x2000002)
op('v_cvt_f64_i32 d, a', d=F64, a=I32.plus(*NEAR), mode=MODES)(bound(from_integer, form=F64))
op('v_cvt_f64_u32 d, a', d=F64, a=U32.plus(*NEAR), mode=MODES)(bound(from_integer, form=F64))
op('v_cvt_f32_i32 d, a', d=F32, a=I32.plus(*NEAR), mode=MODES)(bound(from_integer, form=F32))
op('v_cvt_f32_u32 d, a', d=F32, a=U32.plus(*NEAR), mode=MODES)(bound(from_integer, form=F32))
NEAR16 = (2047, 2049, 2051, 4095, 65503, 65504, 65519, 65520, 65535)
op('v_cvt_f16_u16 d, a', d=U32, a=U16.plus(*NEAR16), mode=MODES16)(bound(from_integer, form=F16))
op('v_cvt_f16_i16 d, a', d=U32, a=I16.plus(*NEAR16), mode=MODES16)(bound(from_integer, form=F16))


def from_byte(a, byte):
    return {'d': F32.round(a >> 8 * byte & 0xff)}


for byte in range(4):
    op(f'v_cvt_f32_ubyte{byte} d, a', d=F32, a=U32)(bound(from_byte, byte=byte))


@op('v_cvt_off_f32_i4 d, a', d=F32, a=U32.with_edges(*range(16), 0xfffffff0, 0x12345678, 0x8000000f))
def _(a):
    return {'d': F32.round(Fraction(signed(a, 4), 16))}


# ---- floats to integers ------------------------------------------------------------------------------------------------------
def truncated(a, mode, form, low, high, mask):
    return {'d': to_integer(form, a, low, high, mode) & mask}


I32_RANGE, U32_RANGE = {'low': -1 << 31, 'high': (1 << 31) - 1, 'mask': M32}, {'low': 0, 'high': M32, 'mask': M32}
HALVES = [F32.round(n) for n in (0.49999997, 1.5, 2.5, -1.5, -2.5, -0.5, 2147483520, -2147483648, 4294967040, 8388607.5)]
F32_NEAR, F64_NEAR = F32.plus(*HALVES), F64.plus(*(F64.round(Fraction(n)) for n in (
    2147483647, 2147483647.5, -2147483648.5, 4294967295, 4294967295.75, -0.75, 1.5, 2.5, -2.5, 4503599627370495.5)))
op('v_cvt_i32_f32 d, a', d=U32, a=F32_NEAR, mode=MODES)(bound(truncated, form=F32, **I32_RANGE))
op('v_cvt_u32_f32 d, a', d=U32, a=F32_NEAR, mode=MODES)(bound(truncated, form=F32, **U32_RANGE))
op('v_cvt_i32_f64 d, a', d=U32, a=F64_NEAR, mode=MODES)(bound(truncated, form=F64, **I32_RANGE))
op('v_cvt_u32_f64 d, a', d=U32, a=F64_NEAR, mode=MODES)(bound(truncated, form=F64, **U32_RANGE))
# 16-bit results have zeros above, also negative ones (numerics.md 5).
op('v_cvt_i16_f16 d, a', d=U32, a=F16, mode=MODES)(bound(truncated, form=F16, low=-32768, high=32767, mask=M16))
op('v_cvt_u16_f16 d, a', d=U32, a=F16, mode=MODES)(bound(truncated, form=F16, low=0, high=65535, mask=M16))


def floored(a, mode, offset):
    """(int)floor(S0 + offset), the sum exact. NaN: numerics.md 5 has two readings, both open."""
    if F32.is_nan(a):
        return {'d': {1 << 31 if F32.negative(a) else (1 << 31) - 1, 0}}
    if F32.is_inf(a):
        return {'d': 1 << 31 if F32.negative(a) else (1 << 31) - 1}
    number = floor(F32.value(flush_in(F32, a, mode)) + offset)
    return {'d': clamp(number, -1 << 31, (1 << 31) - 1) & M32}


op('v_cvt_rpi_i32_f32 d, a', d=U32, a=F32_NEAR, mode=MODES)(bound(floored, offset=Fraction(1, 2)))
op('v_cvt_flr_i32_f32 d, a', d=U32, a=F32_NEAR, mode=MODES)(bound(floored, offset=0))


# ---- floats to floats --------------------------------------------------------------------------------------------------------
def conversion(a, mode, source, target):
    return {'d': convert(source, target, a, mode)}


op('v_cvt_f32_f64 d, a', d=F32, a=F64, mode=MODES)(bound(conversion, source=F64, target=F32))
op('v_cvt_f64_f32 d, a', d=F64, a=F32, mode=MODES)(bound(conversion, source=F32, target=F64))
op('v_cvt_f16_f32 d, a', d=U32, a=F32.plus(0x38800000, 0x387fffff, 0x33000000, 0x33000001, 0x477fefff), mode=MODES16)(
    bound(conversion, source=F32, target=F16))


@op('v_cvt_f32_f16 d, a', d=F32, a=F16, mode=MODES)
def _(a, mode):
    # "FP16 denormal inputs are accepted": whether MODE flushes them is open (numerics.md 5, ledger VALU-U07).
    if F16.is_subnormal(a) and not mode.keep_in64:
        return {'d': {F32.round(F16.value(a)), 0x80000000 if F16.negative(a) else 0}}
    return {'d': convert(F16, F32, a, mode)}


def rounded(number, direction):
    """An integral neighbour of a number."""
    if direction == 'rndne':
        return round(number)        # Python's ties go to even
    return {'trunc': int(number), 'floor': floor(number), 'ceil': -floor(-number)}[direction]


def integral(a, mode, form, direction):
    """The result keeps the sign of the source, also as a zero. With inputs flushed, flushing first is not sure (VALU-U07)."""
    nan = nan_result(form, mode, a)
    if nan or not form.is_finite(a):
        return {'d': nan or a}
    sources = {a, flush_in(form, a, mode)}
    return {'d': each(lambda x: form.round(rounded(form.value(x), direction), sign=form.negative(x)), sources)}


for name, form, source in (('f16', F16, F16), ('f32', F32, F32_NEAR), ('f64', F64, F64_NEAR)):
    for direction in ('trunc', 'ceil', 'rndne', 'floor'):
        op(f'v_{direction}_{name} d, a', d=U32 if form is F16 else form, a=source, mode=MODES)(
            bound(integral, form=form, direction=direction))


def fraction(a, mode, form):
    """x - floor(x), always below 1 (numerics.md 6, ledger VALU-U11): where it would round to 1, the manual's formula
    or the value below. Of an infinity it is inf - inf. A zero is +0, as a difference of equals -0 when rounding down."""
    nan = nan_result(form, mode, a)
    if nan:
        return {'d': nan}
    if form.is_inf(a):
        return {'d': form.nan}
    number = form.value(flush_in(form, a, mode))
    number -= floor(number)
    one = form.bias << form.fraction_bits
    if number == 0:
        return {'d': {0, form.sign} if form.rounding(mode) == 2 else 0}
    result = finish(form, number, mode)
    return {'d': {one, one - 1} if result == one else result}


def fraction_exponent(a, mode, form, mask):
    """The exponent of frexp(); 0 for zeros, too, which the manual's formula forgets (numerics.md 6, ledger VALU-U12)."""
    if not form.is_finite(a) or form.is_zero(a):
        return {'d': 0}
    number = abs(form.value(a))
    exponent = number.numerator.bit_length() - number.denominator.bit_length() + 1     # a power of two below
    flushed = {0} if flush_in(form, a, mode) != a else set()        # flushed: its exponent or 0, open
    return {'d': {exponent & mask} | flushed}


def significand(a, mode, form):
    """The significand of frexp(). The manual leaves a NaN as it is; that it may be quieted is open (numerics.md 6)."""
    if form.is_nan(a):
        return {'d': {a, form.quiet(a)}}
    if form.is_inf(a) or form.is_zero(a):
        return {'d': a}
    number = form.value(a)
    magnitude = abs(number)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length() + 1
    flushed = {a & form.sign} if flush_in(form, a, mode) != a else set()
    return {'d': {form.round(number / Fraction(2) ** exponent)} | flushed}


for name, form, exponents, mask in (('f16', F16, 'i16', M16), ('f32', F32, 'i32', M32), ('f64', F64, 'i32', M32)):
    wide = U32 if form is F16 else form
    op(f'v_fract_{name} d, a', d=wide, a=form, mode=MODES)(bound(fraction, form=form))
    op(f'v_frexp_exp_{exponents}_{name} d, a', d=U32, a=form, mode=MODES)(bound(fraction_exponent, form=form, mask=mask))
    op(f'v_frexp_mant_{name} d, a', d=wide, a=form, mode=MODES)(bound(significand, form=form))


# ---- approximate functions: specials exact, the rest within the manual's error ----------------------------------------------
def flush_always(form, bits_):
    return bits_ & form.sign if form.is_subnormal(bits_) else bits_


def within(form, number, units):
    """All patterns whose distance from a number (not 0) is at most units of the last place."""
    nearest = form.round(number)
    found = {nearest} if form.is_inf(nearest) else set()
    for step in range(-3 - int(units), 4 + int(units)):
        bits_ = (nearest & ~form.sign) + step
        if not 0 <= bits_ <= form.inf:
            continue
        bits_ |= nearest & form.sign
        value = form.value(bits_) if form.is_finite(bits_) else Fraction(2) ** (form.bias + 1) * (-1 if number < 0 else 1)
        exponent = max(form.exponent(form.round(number, 3)), 1) - form.bias - form.fraction_bits
        if abs(value - number) <= units * Fraction(2) ** exponent:
            found.add(bits_)
    return found


def root(number):
    """The square root of a fraction to more than 200 bits."""
    return Fraction(isqrt((number.numerator << 1200) // number.denominator), 1 << 600)


def reciprocal(a, form):
    """1 / S0; None where there is a number to approximate."""
    sign = a & form.sign
    return form.inf | sign if form.is_zero(a) else sign if form.is_inf(a) else None


def square_root(a, form):
    if form.is_zero(a):
        return a
    return form.nan if form.negative(a) else form.inf if form.is_inf(a) else None


def reciprocal_root(a, form):
    if form.is_zero(a):
        return form.inf | a & form.sign
    return form.nan if form.negative(a) else 0 if form.is_inf(a) else None


FUNCTIONS = {'rcp': (reciprocal, lambda x: 1 / x), 'sqrt': (square_root, root), 'rsq': (reciprocal_root, lambda x: 1 / root(x))}


def approximation(a, mode, form, name, units):
    """The f32 functions flush subnormals on both sides whatever MODE says (numerics.md 4), f16 and f64 take them."""
    nan = nan_result(form, mode, a)
    if nan:
        return {'d': nan}
    if form is F32:
        a = flush_always(F32, a)
    special, exact = FUNCTIONS[name]
    result = special(flush_in(form, a, mode) if form is F16 else a, form)
    if result is not None:
        return {'d': result}
    number = exact(form.value(a))
    results = within(form, number, units)
    if form is F32:
        results = {flush_always(F32, x) for x in results}
    return {'d': results | {flush_out(form, x, mode) for x in results}}


ROOTS = F32.plus(0x40800000, 0x41100000, 0x40000000, 0x7e800000, 0x7e800001, 0x7effffff, 0x3f7fffff)
for name in FUNCTIONS:
    op(f'v_{name}_f32 d, a', d=F32, a=ROOTS, mode=(0x3f0, 0x300))(bound(approximation, form=F32, name=name, units=1))
    # 0.51 ULP: numerics.md 4 rounds to nearest, and takes the neighbour where the number is near a midpoint.
    op(f'v_{name}_f16 d, a', d=U32, a=F16.plus(0x4400, 0x4880, 0xb800), mode=(0x3f0,))(
        bound(approximation, form=F16, name=name, units=Fraction(51, 100)))
op('v_rcp_iflag_f32 d, a', d=F32, a=ROOTS, mode=(0x3f0, 0x300))(bound(approximation, form=F32, name='rcp', units=1))


def coarse(a, mode, name):
    """The f64 functions have an error of 2**29 units; 1/x of a power of two is exact (numerics.md 4)."""
    nan = nan_result(F64, mode, a)
    special, exact = FUNCTIONS[name]
    result = special(a, F64) if nan is None else nan
    if result is not None:
        return {'d': result}
    number = exact(F64.value(a))
    if name == 'rcp' and F64.fraction(a) == 0:
        return {'d': F64.round(number)}
    near = F64.round(number)
    sign, magnitude = near & F64.sign, near & ~F64.sign
    return {'d': Between(sign | max(0, magnitude - (1 << 29)), sign | min(F64.inf, magnitude + (1 << 29)))}


ROOTS64 = F64.with_edges(*(e for e in F64.edges if not F64.is_subnormal(e)), *(F64.round(n) for n in (3, 4, 9, 10, 1e10, 1e-10)))
for name in FUNCTIONS:
    op(f'v_{name}_f64 d, a', d=F64, a=ROOTS64)(bound(coarse, name=name))


def table(form, *pairs):
    """Patterns of arguments to patterns of results; numbers are rounded, patterns come as text in hex."""
    def pattern(x):
        return int(x, 16) if isinstance(x, str) else form.round(Fraction(x))
    return {pattern(argument): pattern(result) for argument, result in pairs}


def tabulated(a, results):
    return {'d': results[a]}


# The manual's examples, and what is exact besides: integral exponents, powers of two, arguments of sin and cos that are integral.
POWERS = [(n, Fraction(2) ** n) for n in (0, 1, -1, 2, 10, -10, 14, -14)]
EXP_F32 = table(F32, ('ff800000', 0), ('80000000', 1), ('7f800000', '7f800000'), (127, Fraction(2) ** 127),
                (-126, Fraction(2) ** -126), (128, '7f800000'), (1000, '7f800000'), (-200, 0), (-1000, 0), *POWERS)
LOG_F32 = table(F32, ('ff800000', 'ffc00000'), (-1, 'ffc00000'), ('80000000', 'ff800000'), (0, 'ff800000'),
                ('7f800000', '7f800000'), ('00000001', 'ff800000'), ('807fffff', 'ff800000'), (Fraction(2) ** 127, 127),
                (Fraction(2) ** -126, -126), *((power, n) for n, power in POWERS))
SIN_F32 = table(F32, ('ff800000', 'ffc00000'), ('ff7fffff', 0), ('80000000', '80000000'), (0, 0), (Fraction(1, 4), 1),
                ('7f800000', 'ffc00000'), (1, 0), (1 << 23, 0), (Fraction(-1, 4), -1), (Fraction(3, 4), -1))
COS_F32 = table(F32, ('ff800000', 'ffc00000'), ('ff7fffff', 1), ('80000000', 1), (0, 1), (Fraction(1, 4), 0),
                ('7f800000', 'ffc00000'), (1, 1), (1 << 23, 1), (Fraction(1, 2), -1), (Fraction(-1, 2), -1))
EXP_F16 = table(F16, ('fc00', 0), ('8000', 1), ('7c00', '7c00'), (15, 32768), (16, '7c00'), *POWERS)
LOG_F16 = table(F16, ('fc00', 'fe00'), (-1, 'fe00'), ('8000', 'fc00'), (0, 'fc00'), ('7c00', '7c00'), (Fraction(1, 1 << 24), -24),
                *((power, n) for n, power in POWERS))
SIN_F16 = table(F16, ('fc00', 'fe00'), ('fbff', 0), ('8000', '8000'), (0, 0), (Fraction(1, 4), 1), ('7bff', 0), ('7c00', 'fe00'))
COS_F16 = table(F16, ('fc00', 'fe00'), ('fbff', 1), ('8000', 1), (0, 1), (Fraction(1, 4), 0), ('7bff', 1), ('7c00', 'fe00'))
for name, results in (('exp', EXP_F32), ('log', LOG_F32), ('sin', SIN_F32), ('cos', COS_F32)):
    op(f'v_{name}_f32 d, a', d=F32, a=F32.with_edges(*results))(bound(tabulated, results=results))
for name, results in (('exp', EXP_F16), ('log', LOG_F16), ('sin', SIN_F16), ('cos', COS_F16)):
    op(f'v_{name}_f16 d, a', d=U32, a=F16.with_edges(*results))(bound(tabulated, results=results))
# "Legacy semantics" are defined nowhere (ledger VALU-U10): ordinary arguments only.
EXP_LEGACY, LOG_LEGACY = table(F32, *POWERS), table(F32, *((power, n) for n, power in POWERS))
op('v_exp_legacy_f32 d, a', d=F32, a=F32.with_edges(*EXP_LEGACY))(bound(tabulated, results=EXP_LEGACY))
op('v_log_legacy_f32 d, a', d=F32, a=F32.with_edges(*LOG_LEGACY))(bound(tabulated, results=LOG_LEGACY))


def normalised(a, mode, low, scale):
    """[-1, 1] or [0, 1] to integers. How it is rounded is open: to even, half up, or as MODE says (numerics.md 5,
    ledger VALU-U15)."""
    if F16.is_nan(a):
        return {'d': 0}
    number = F16.value(a) if F16.is_finite(a) else Fraction(-2 if F16.negative(a) else 2)
    number = max(Fraction(low), min(Fraction(1), number)) * scale
    directed = {0: round(number), UP: -floor(-number), DOWN: floor(number), ZERO: int(number)}[mode.round64]
    return {'d': {round(number) & M16, floor(number + Fraction(1, 2)) & M16, directed & M16}}


op('v_cvt_norm_i16_f16 d, a', d=U32, a=F16.plus(0x3bff, 0x3b00, 0x0200, 0x8200), mode=MODES[:4])(
    bound(normalised, low=-1, scale=32767))
op('v_cvt_norm_u16_f16 d, a', d=U32, a=F16.plus(0x3bff, 0x3b00, 0x0200, 0x8200), mode=MODES[:4])(
    bound(normalised, low=0, scale=65535))
