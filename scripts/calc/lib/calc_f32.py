#!/usr/bin/env python3
"""Expected values of the f32 opcodes that calc_vop.py does not know: transcendentals, division, cube maps, packing.

    scripts/calc/lib/calc_f32.py v_div_scale_f32 1.5f32 1.5f32 0x00800001 denorm=flush ieee=0 omod=2 clamp

prints the results as a case file spells them, with ~row behind an approximate one. It shares nothing with the oracle.
Rules: Vega ISA manual, chapter 12, with the corrections of the ledger (oracle/errata). A rule gives a list of
alternatives, the usual one first. Transcendental values are worked out in whole numbers of 200 bits.
cases_f32.py writes case files with this.
"""
import sys
from fractions import Fraction

import ieee
from calc import (ANYNAN, DEFAULT_NAN, F32, INF, MAX, MIN_NORMAL, Mode, ONE, QUIET, SIGN, add, clamp, exponent_of, flush_in,
                  fma, is_inf, is_nan, is_snan, is_subnormal, is_zero, mad, maximum, minimum, mul, nan_result, omod, parse,
                  quiet, round_f32, show, show_f32, show_int, sign, signed, to_whole, unique, value)

BITS = 200
POINT = 1 << BITS


class Near(int):
    """A result that the row's tolerance applies to."""


# ---- transcendental values in units of 2**-200 ----

def series(first, step):
    """The sum of terms: first, then step(term, k) for k = 1, 2, ... until nothing is left."""
    total, term, k = first, first, 1
    while term:
        term = step(term, k)
        total += term
        k += 1
    return total


def arctan_of_inverse(n):
    total, power, k = 0, POINT // n, 1
    while power:
        total += (power if k % 4 == 1 else -power) // k
        power //= n * n
        k += 2
    return total


PI = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def log_of(x):
    """ln(x) = 2 artanh((x - 1) / (x + 1)) for x between 1/2 and 2."""
    s = (x - 1) / (x + 1)
    s = s.numerator * POINT // s.denominator
    square, total, power, k = s * s >> BITS, 0, s, 1
    while power not in (0, -1):
        total += power // k
        power = power * square >> BITS
        k += 2
    return 2 * total


LN2 = log_of(Fraction(2))


def exp2(x):
    whole = x.numerator // x.denominator
    rest = x - whole
    u = rest.numerator * LN2 // rest.denominator
    return Fraction(series(POINT, lambda t, k: t * u // k >> BITS), POINT) * Fraction(2)**whole


def log2(x):
    e = exponent_of(x)
    m = x / Fraction(2)**e
    if m > Fraction(4, 3):
        m, e = m / 2, e + 1
    return e + Fraction(log_of(m), LN2)


def sine(turns):
    """sin(2 pi turns); only small angles reach the series."""
    t = turns - turns.numerator // turns.denominator
    if t > Fraction(1, 2):
        return -sine(t - Fraction(1, 2))
    if t > Fraction(1, 4):
        return sine(Fraction(1, 2) - t)
    if t in (0, Fraction(1, 4)):
        return Fraction(4 * t)
    # 400 bits of a tiny angle keep 200 significant ones
    scale = 1 << 2 * BITS
    angle = 2 * PI * t.numerator * POINT // t.denominator
    square = angle * angle // scale
    total, term, k = angle, angle, 1
    while term:
        term = term * square // scale // (2 * k * (2 * k + 1))
        total += -term if k % 2 else term
        k += 1
    return Fraction(total, scale)


def square_root(x):
    """Of a fraction, 200 bits below its leading one."""
    from math import isqrt
    e = exponent_of(x) // 2
    scaled = x * Fraction(4)**(BITS - e)
    root = isqrt(scaled.numerator // scaled.denominator)
    exact = Fraction(root * root) == scaled
    return Fraction(root if exact else 2 * root + 1, 1 if exact else 2) * Fraction(2)**(e - BITS)


# ---- approximate, nearest even, subnormals flushed whatever MODE says ----

UNIT = Mode(denorm='flush')


def unit_result(x, exact=False):
    """A fraction other than 0 as the unit gives it: what is below the normal numbers is zero."""
    if abs(x) < Fraction(1, 2**126):
        return [SIGN if x < 0 else 0]
    bits = round_f32(x, UNIT)[0]
    return [bits if exact or is_inf(bits) else Near(bits)]


def is_dyadic(x): return x.denominator & x.denominator - 1 == 0
def is_power(x): return is_dyadic(x) and bin(x.numerator).count('1') == 1


def exp(m, b):
    if is_nan(b):
        return nan_result(m, b)
    if is_inf(b):
        return [0 if sign(b) else INF]
    b = flush_in(b, UNIT)
    if is_zero(b):
        return [ONE]
    x = value(b)
    return [INF] if x >= 128 else [0] if x < -126 else unit_result(exp2(x))


def log(m, b):
    if is_nan(b):
        return nan_result(m, b)
    b = flush_in(b, UNIT)
    if is_zero(b):
        return [SIGN | INF]
    if sign(b):
        return [DEFAULT_NAN]
    if is_inf(b):
        return [INF]
    x = value(b)
    if is_power(x):
        e = exponent_of(x)
        return unit_result(Fraction(e), True) if e else [0]
    return unit_result(log2(x))


def rcp(m, b):
    if is_nan(b):
        return nan_result(m, b)
    if is_inf(b):
        return [sign(b)]
    b = flush_in(b, UNIT)
    if is_zero(b):
        return [sign(b) | INF]
    x = 1 / value(b)
    return unit_result(x, is_power(abs(x)))


def root(m, b, reciprocal):
    if is_nan(b):
        return nan_result(m, b)
    b = flush_in(b, UNIT)
    if is_zero(b):
        return [sign(b) | INF if reciprocal else b]
    if sign(b):
        return [DEFAULT_NAN]
    if is_inf(b):
        return [0 if reciprocal else INF]
    x = 1 / value(b) if reciprocal else value(b)
    r = square_root(x)
    return unit_result(r, r * r == x)


def legacy(m, b, rule):
    """Only for ordinary operands is anything said."""
    special = is_nan(b) or is_inf(b) or b & INF == 0 or sign(b) and rule is log
    return ['?'] if special else rule(m, b)


def turns(m, b, quarter):
    """sin(x) and cos(x) = sin(x + 1/4), x in turns; MODE's flushes apply."""
    if is_nan(b):
        return nan_result(m, b)
    if is_inf(b):
        return [DEFAULT_NAN]
    tiny = is_subnormal(b)
    b = flush_in(b, m)
    if is_zero(b):
        return [ONE] if quarter else [b]
    x = value(b)
    s = sine(x + Fraction(1, 4) if quarter else x)
    exact = x.denominator == 1 or x == Fraction(1, 4)
    if s == 0:
        return [0 if exact else Near(0)]
    if abs(s) == 1:
        bits = round_f32(s, UNIT)[0]
        return [bits if exact else Near(bits)]
    bits = round_f32(s, Mode(denorm='keep' if m.keep_out else 'flush'))[0]
    if tiny and not quarter:
        return unique([bits, sign(b)])
    return [Near(bits)]


# ---- exponent, significand, class ----

def frexp_exp(m, b):
    if is_nan(b) or is_inf(b) or is_zero(b):
        return [0]
    e = exponent_of(abs(value(b))) + 1
    return unique([e, 0]) if is_subnormal(b) and not (m.keep_in and m.keep_out) else [e]


def frexp_mant(m, b):
    if is_nan(b):
        return unique(nan_result(m, b) + [b])
    if is_inf(b) or is_zero(b):
        return [b]
    x = value(b)
    mant = round_f32(x / Fraction(2)**(exponent_of(abs(x)) + 1), Mode())
    return unique(mant + [sign(b)]) if is_subnormal(b) and not (m.keep_in and m.keep_out) else mant


def ldexp(m, b, by): return ieee.ldexp(F32, m, b, signed(by))


def class_of(b):
    tests = (is_snan, is_nan, lambda v: v == SIGN | INF, lambda v: sign(v) and not is_subnormal(v) and not is_zero(v),
             lambda v: sign(v) and is_subnormal(v), lambda v: v == SIGN, lambda v: v == 0, is_subnormal,
             lambda v: v != INF, lambda v: True)
    return next(i for i, test in enumerate(tests) if test(b))


# ---- legacy products, minima and maxima of three ----

def counts_as_zero(b, m): return is_zero(flush_in(b, m))


def mul_legacy(m, a, b):
    return [0] if counts_as_zero(a, m) or counts_as_zero(b, m) else mul(m, a, b)


def mad_legacy(m, a, b, c):
    flushing = Mode(round=m.round, ieee=m.ieee, denorm='flush')
    if not (counts_as_zero(a, flushing) or counts_as_zero(b, flushing)):
        return mad(m, a, b, c)
    c = flush_in(c, flushing)
    return unique(add(flushing, 0, c) + ([0, SIGN] if c == SIGN else []))


def twice(rule, m, a, b, c):
    return unique([y for x in rule(m, a, b) for y in ([ANYNAN] if x == ANYNAN else rule(m, x, c))])


def min3(m, a, b, c): return twice(minimum, m, a, b, c)
def max3(m, a, b, c): return twice(maximum, m, a, b, c)


def med3(m, a, b, c):
    if any(map(is_nan, (a, b, c))):
        return min3(m, a, b, c)
    order = sorted((a, b, c), key=lambda v: ((-1 if sign(v) else 1) * (2**200 if is_inf(v) else 1) if is_inf(v) else value(v), not sign(v)))
    middle = order[1]
    zeros = {v for v in (a, b, c) if is_zero(v)}
    found = [middle]
    if is_subnormal(middle) and not (m.keep_in and m.keep_out):
        found = [sign(middle), middle]
    return unique(found + [0, SIGN] if is_zero(middle) and len(zeros) == 2 else found)


# ---- division ----

def exponent_field(b): return b >> 23 & 255


def scale_table(is_den, den, num):
    delta = num - den
    if delta >= 96:
        return (64 if is_den else 0), 1
    if den == 0:
        return 64, 0
    if den >= 253:
        return (0 if delta <= -96 and not is_den else -64), int(delta <= -96)
    if delta <= -96:
        return (0 if is_den else 64), 1
    return (64 if num <= 24 else 0), 0


def scale_manual(s0, s1, s2):
    """The manual's text; what it does not assign is s0."""
    least = Fraction(1, 2**126)
    quotient, inverse = abs(value(s2) / value(s1)), abs(1 / value(s1))
    if exponent_field(s2) - exponent_field(s1) >= 96:
        return (64 if s0 == s1 else 0), 1
    if is_subnormal(s1):
        return 64, 0
    if inverse < least and quotient < least:
        return (64 if s0 == s1 else 0), 1
    if inverse < least:
        return -64, 0
    if quotient < least:
        return (64 if s0 == s2 else 0), 1
    return (64 if exponent_field(s2) <= 23 else 0), 0


def div_scale(m, s0, s1, s2):
    """([results], [flags])"""
    by, flag = scale_table(s0 == s1, exponent_field(s1), exponent_field(s2))
    a, b, c = (flush_in(x, m) for x in (s0, s1, s2))
    if is_zero(b) or is_zero(c):
        return [DEFAULT_NAN], unique([flag, 0])
    results, flags = ldexp(m, a, by), [flag]
    fields = exponent_field(s1), exponent_field(s2)
    settled = not {0, 255} & set(fields) and abs(fields[1] - fields[0]) < 90
    if not settled and not any(exponent_field(x) == 255 for x in (b, c)):
        by, other = scale_manual(a, b, c)
        results, flags = results + ldexp(m, a, by), flags + [other]
    return unique(results), unique(flags)


def div_fmas(m, a, b, c, flag):
    """Operands are never flushed; one rounding, the scale included."""
    keep = Mode(round=m.round, ieee=m.ieee, denorm='keep' if m.keep_out else 'keep_in')
    by = 0 if not flag else 64 if exponent_field(c) > 127 else -64
    if by == 0 or any(exponent_field(x) == 255 for x in (a, b, c)):
        return fma(keep, a, b, c)
    total = (value(a) * value(b) + value(c)) * Fraction(2)**by
    return round_f32(total, keep) if total else fma(keep, a, b, c)


def div_fixup(m, s0, s1, s2):
    if is_nan(s1) or is_nan(s2):
        n = s2 if is_nan(s2) else s1
        both = is_nan(s1) and is_nan(s2)
        return unique(([quiet(n)] if m.ieee or not is_snan(n) else [n, quiet(n)]) + ([ANYNAN] if both else []))
    den, num = flush_in(s1, m), flush_in(s2, m)
    s = (s1 ^ s2) & SIGN
    if is_zero(den) and is_zero(num) or is_inf(den) and is_inf(num):
        return [DEFAULT_NAN]
    if is_zero(den) or is_inf(num):
        return [s | INF]
    if is_inf(den) or is_zero(num):
        return [s]
    one = -1 if s else 1
    if exponent_field(s2) - exponent_field(s1) < -150:
        return round_f32(one * Fraction(1, 2**300), m)
    if is_nan(s0) or is_inf(s0):
        return round_f32(one * Fraction(2)**300, m)
    d = s | s0 & ~SIGN
    return [sign(d), d] if is_subnormal(d) and not m.keep_out else [d]


def cube(x, y, z):
    """(axis, is negative); for numbers that are not subnormal."""
    ax, ay, az = (abs(Fraction(2)**200 if is_inf(v) else value(v)) for v in (x, y, z))
    axis = 'z' if az >= ax and az >= ay else 'y' if ay >= ax else 'x'
    v = {'x': x, 'y': y, 'z': z}[axis]
    return axis, bool(sign(v)) and not is_zero(v)


def open_cube(x, y, z): return any(is_nan(v) or is_subnormal(v) for v in (x, y, z))


def cubeid(m, x, y, z):
    if open_cube(x, y, z):
        return ['?']
    axis, negative = cube(x, y, z)
    face = 2 * 'xyz'.index(axis) + negative
    return round_f32(Fraction(face), m) if face else [0]


def cubesc(m, x, y, z):
    if open_cube(x, y, z):
        return ['?']
    axis, negative = cube(x, y, z)
    return [{'z': x ^ SIGN * negative, 'y': x, 'x': z ^ SIGN * (not negative)}[axis]]


def cubetc(m, x, y, z):
    if open_cube(x, y, z):
        return ['?']
    axis, negative = cube(x, y, z)
    return [z ^ SIGN * negative if axis == 'y' else y ^ SIGN]


def cubema(m, x, y, z):
    if open_cube(x, y, z):
        return ['?']
    v = {'x': x, 'y': y, 'z': z}[cube(x, y, z)[0]]
    return [SIGN, 0] if is_zero(v) and m.round == 'rtn' else [0, SIGN] if is_zero(v) else mul(m, 0x40000000, v)


# ---- conversions and packing ----

def cvt_off(m, n):
    n = signed(n & 15, 4)
    return round_f32(Fraction(n, 16), m) if n else [0]


def ubyte(m, n, which):
    n = n >> 8 * which & 255
    return round_f32(Fraction(n), m) if n else [0]


def to_u8(m, b):
    if is_nan(b) or sign(b):
        return [0]
    if is_inf(b):
        return [255]
    return unique([min(255, to_whole(value(b), d)) for d in ('rtz', 'rne', m.round)])


def put_byte(old, index, byte):
    shift = 8 * (index & 3)
    return old & ~(255 << shift) & 0xffffffff | byte << shift


def pk_u8(m, b, index, old): return [put_byte(old, index, x) for x in to_u8(m, b)]


def norm(b, low, scale):
    """(halves up, to even)"""
    if is_nan(b):
        return 0, 0
    x = Fraction(-1 if sign(b) else 1) if is_inf(b) else value(b)
    x = max(Fraction(low), min(Fraction(1), x))
    up = x * scale + Fraction(1, 2)
    return up.numerator // up.denominator, to_whole(x * scale, 'rne')


def pknorm(m, a, b, low, scale):
    return unique([x & 0xffff | (y & 0xffff) << 16 for x, y in zip(norm(a, low, scale), norm(b, low, scale))])


def half_toward_zero(m, b):
    """f16, rounded toward zero; a NaN keeps its sign and the top of its payload."""
    s = b >> 16 & 0x8000
    if is_nan(b):
        return [s | 0x7e00 | b >> 13 & 0x1ff]
    if is_inf(b):
        return [s | 0x7c00]
    x = abs(value(flush_in(b, m)))
    if x == 0:
        return [s]
    e = max(exponent_of(x), -14)
    n = to_whole(x / Fraction(2)**(e - 10), 'rtz')
    if e > 15:
        return [s | 0x7bff]
    return [s | (n if n < 1 << 10 else (e + 15 << 10) + n - (1 << 10))]


def pkrtz(m, a, b):
    """Subnormal halves are made whatever MODE says, or flushed by its field of f64 and f16."""
    low, high = half_toward_zero(m, a)[0], half_toward_zero(m, b)[0]
    flushed = [h & 0x8000 if not m.f16_keep and h & 0x7c00 == 0 else h for h in (low, high)]
    return unique([low | high << 16, flushed[0] | flushed[1] << 16])


SCREEN = [int(c, 16) for c in
          '137f5fff7ffffffff26efafffbffffffdf4cff5fffdfffff9bf8fffafffeffffffff4cdf6fffeffffffff89bf99ffdffffff7f13ff9fffbfffff6ef26ff6fff7'
          'bfffffff23bfaffff7fffffff19df5ffffefffffef8cffaffffdffff67f4fff59fffdfffffff8ceff66ffefffffff467ff6fff7fffffbf239ff9fffbffff9df1']


# name: (kinds of the operands, kind of the result, rule). f float, u unsigned, i signed, x hex, m lane's bit.
RULES = {
    'v_exp_f32': ('f', 'f', exp), 'v_log_f32': ('f', 'f', log), 'v_rcp_f32': ('f', 'f', rcp), 'v_rcp_iflag_f32': ('f', 'f', rcp),
    'v_rsq_f32': ('f', 'f', lambda m, b: root(m, b, True)), 'v_sqrt_f32': ('f', 'f', lambda m, b: root(m, b, False)),
    'v_sin_f32': ('f', 'f', lambda m, b: turns(m, b, False)), 'v_cos_f32': ('f', 'f', lambda m, b: turns(m, b, True)),
    'v_exp_legacy_f32': ('f', 'f', lambda m, b: legacy(m, b, exp)), 'v_log_legacy_f32': ('f', 'f', lambda m, b: legacy(m, b, log)),
    'v_frexp_exp_i32_f32': ('f', 'i', frexp_exp), 'v_frexp_mant_f32': ('f', 'f', frexp_mant),
    'v_ldexp_f32': ('fi', 'f', ldexp),
    'v_cvt_off_f32_i4': ('i', 'f', cvt_off),
    'v_cvt_f32_ubyte1': ('x', 'f', lambda m, n: ubyte(m, n, 1)), 'v_cvt_f32_ubyte2': ('x', 'f', lambda m, n: ubyte(m, n, 2)),
    'v_screen_partition_4se_b32': ('x', 'x', lambda m, n: [SCREEN[n & 255]]),
    'v_cmp_class_f32': ('fx', 'm', lambda m, b, s: [s >> class_of(b) & 1]), 'v_cmpx_class_f32': ('fx', 'm', lambda m, b, s: [s >> class_of(b) & 1]),
    'v_mul_legacy_f32': ('ff', 'f', mul_legacy), 'v_mad_legacy_f32': ('fff', 'f', mad_legacy),
    'v_min3_f32': ('fff', 'f', min3), 'v_max3_f32': ('fff', 'f', max3), 'v_med3_f32': ('fff', 'f', med3),
    'v_cubeid_f32': ('fff', 'f', cubeid), 'v_cubesc_f32': ('fff', 'f', cubesc), 'v_cubetc_f32': ('fff', 'f', cubetc), 'v_cubema_f32': ('fff', 'f', cubema),
    'v_cvt_pk_u8_f32': ('fux', 'x', pk_u8), 'v_cvt_pkaccum_u8_f32': ('fux', 'x', pk_u8),
    'v_cvt_pknorm_i16_f32': ('ff', 'x', lambda m, a, b: pknorm(m, a, b, -1, 32767)), 'v_cvt_pknorm_u16_f32': ('ff', 'x', lambda m, a, b: pknorm(m, a, b, 0, 65535)),
    'v_cvt_pkrtz_f16_f32': ('ff', 'x', pkrtz),
    'v_div_fixup_f32': ('fff', 'f', div_fixup), 'v_div_fmas_f32': ('fffm', 'f', div_fmas),
    'v_div_scale_f32': ('fff', 'f', lambda m, a, b, c: div_scale(m, a, b, c)[0]),
}


def modified(kind, b, neg=False, abs=False):
    if kind != 'f':
        return b
    b = b & ~SIGN if abs else b
    return b ^ SIGN if neg else b


def result(name, m, operands, field=0, clamped=False):
    kinds, kind, rule = RULES[name]
    found = rule(m, *operands)
    if kind != 'f':
        return found

    def last(b):
        if b in ('?', ANYNAN) and not clamped:
            return [b]
        if b == '?':
            return [b]
        out = [x for x in omod(m, b, field)]
        out = [y for x in out for y in (clamp(m, x) if clamped else [x])]
        return [Near(x) if isinstance(b, Near) and x not in (ANYNAN, ONE, 0) else x for x in out] if isinstance(b, Near) else out
    if not field and not clamped:
        return found
    return unique([x for b in found for x in last(b)])


def show_one(kind, b):
    if b in ('?', ANYNAN):
        return b
    if kind == 'f':
        return show_f32(b)
    if kind == 'i':
        return str(signed(b)) if -10000 < signed(b) < 10000 else '0x%08x' % (b & 0xffffffff)
    return str(b) if kind in 'mu' and b < 10000 else '0x%08x' % b


def show_result(name, alternatives, operands=()):
    """With the tolerance: of a small sine it is relative, four units at least."""
    kind = RULES[name][1]
    words = unique(show_one(kind, b) for b in alternatives)
    if len(words) > 3:
        sys.exit('calc_f32.py: %s: more than three alternatives: %s' % (name, words))
    text = words[0] if len(words) == 1 else '{' + '|'.join(words) + '}'
    if not any(isinstance(b, Near) for b in alternatives):
        return text
    small = name == 'v_sin_f32' and operands and operands[0] & 0x7fffffff <= 0x39800000
    return text + ('~4ulp' if small else '~row')


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in RULES:
        sys.exit('calc_f32.py: not an opcode with a rule: ' + (sys.argv[1] if len(sys.argv) > 1 else 'none given'))
    name, words = sys.argv[1], sys.argv[2:]
    fields = dict(w.split('=', 1) for w in words if '=' in w)
    field = int(fields.pop('omod', 0))
    plain = [w for w in words if '=' not in w and w != 'clamp']
    if len(plain) != len(RULES[name][0]):
        sys.exit('calc_f32.py: %s takes %d operands' % (name, len(RULES[name][0])))
    try:
        operands = [parse(w) for w in plain]
    except ValueError as e:
        sys.exit('calc_f32.py: not a value: %s' % e)
    m = Mode(**fields)
    flags = '' if name != 'v_div_scale_f32' else ' vcc ' + show(div_scale(m, *operands)[1], str)
    print(show_result(name, result(name, m, operands, field, 'clamp' in words), operands) + flags)


if __name__ == '__main__':
    main()
