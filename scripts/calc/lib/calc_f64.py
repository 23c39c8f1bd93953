#!/usr/bin/env python3
"""Expected values for the f64 opcodes, from the manual's rules in whole numbers and exact fractions.

    scripts/calc/lib/calc_f64.py v_fma_f64 1.5 0x3ff0000000000001 -1.0 round=rtz denorm=flush ieee=0 omod=2 clamp

prints the result, or its alternatives {a|b}, as a case file spells them (a lane mask behind it). It shares nothing
with the oracle. Rules: Vega ISA manual, chapter 12, with the corrections of the ledger (oracle/errata).
Operands and results are bit patterns; a rule gives a list of alternatives, the usual one first. The
fields of MODE are those of f64; f32_round and f32_denorm are those of f32. cases_f64.py writes case files with this.
"""
import sys
from fractions import Fraction
from math import isqrt

import ieee
from ieee import ANYNAN, F32, F64, exponent_of, floor, signed, to_whole, unique
from ieee import Mode as FormatMode


class Mode:
    """MODE; `of` holds what each format reads of it."""

    def __init__(self, round='rne', denorm='keep', f32_round='rne', f32_denorm='keep', ieee=1, dx10_clamp=1):
        self.ieee, self.dx10_clamp = bool(int(ieee)), bool(int(dx10_clamp))
        self.of = {f: FormatMode(by, word in ('keep', 'keep_in'), word in ('keep', 'keep_out'), self.ieee)
                   for f, by, word in ((F64, round, denorm), (F32, f32_round, f32_denorm))}


def round_to(f, x, m): return m.of[f].rounded(f, x)
def flush_in(f, b, m): return ieee.flush(f, m.of[f], b)
def flush_out(f, b, m): return b & f.sign if f.is_subnormal(b) and not m.of[f].keep_out else b
def nan_result(f, m, *operands): return m.of[f].nans(f, *operands)


# ---- arithmetic ----

def add(m, a, b): return ieee.add(F64, m.of[F64], a, b)
def mul(m, a, b): return ieee.mul(F64, m.of[F64], a, b)
def fma(m, a, b, c): return ieee.fma(F64, m.of[F64], a, b, c)
def ldexp(m, b, by): return ieee.ldexp(F64, m.of[F64], b, signed(by))
def to_integral(m, b, direction): return ieee.to_integral(F64, m.of[F64], b, direction)
def fract(m, b): return ieee.fract(F64, m.of[F64], b)


def select(m, a, b, larger):
    """min and max: NaNs lose, except signaling ones under IEEE; -0 lies below +0; of subnormals in a flushing mode
    either is right."""
    f = F64
    if m.ieee and (f.is_snan(a) or f.is_snan(b)):
        return [(a if f.is_snan(a) else b) | f.quiet]
    if f.is_nan(a) and f.is_nan(b):
        return [b] if a == b else [b, ANYNAN]

    def key(x): return f.extended(x), 0 if x & f.sign else 1
    if f.is_nan(a) or f.is_nan(b):
        raw = flushed = b if f.is_nan(a) else a
    else:
        pick = max if larger else min
        raw = pick(a, b, key=key)
        flushed = pick(flush_in(f, a, m), flush_in(f, b, m), key=key)
    if f.is_subnormal(flushed) and not (m.of[f].keep_in and m.of[f].keep_out):
        flushed &= f.sign
    return unique([flushed, raw] if f.is_subnormal(raw) else [flushed])


# ---- conversions ----

def to_int(m, b, low, high):
    f = F64
    if f.is_nan(b):
        return [0]
    x = f.extended(b)
    return [min(max(to_whole(x, 'rtz'), low), high) & 0xffffffff]


def from_int(m, n): return round_to(F64, Fraction(n), m) if n else [0]


def convert(m, b, source, to):
    down = source.fraction - to.fraction
    s = to.sign if b & source.sign else 0
    if source.is_nan(b):
        payload = b & (1 << source.fraction) - 1
        kept = s | to.inf | (payload >> down if down > 0 else payload << -down)
        if down > 0:
            return [kept | to.quiet, ANYNAN]
        return [kept | to.quiet] if m.ieee or not source.is_snan(b) else [kept, kept | to.quiet]
    b = flush_in(source, b, m)
    if source.is_inf(b) or source.is_zero(b):
        return [s | (to.inf if source.is_inf(b) else 0)]
    return round_to(to, source.value(b), m)


# ---- decomposition, classes ----

def frexp_exp(m, b):
    f = F64
    if f.is_nan(b) or f.is_inf(b) or f.is_zero(b):
        return [0]
    e = exponent_of(abs(f.value(b))) + 1 & 0xffffffff
    return [e, 0] if f.is_subnormal(b) and not (m.of[f].keep_in and m.of[f].keep_out) else [e]


def frexp_mant(m, b):
    f = F64
    if f.is_nan(b):
        return unique([b | f.quiet, b]) if f.is_snan(b) else [b]
    if f.is_inf(b) or f.is_zero(b):
        return [b]
    x = f.value(b)
    mant = f.rounded(x / Fraction(2)**(exponent_of(abs(x)) + 1), 'rne', True)
    return mant + [b & f.sign] if f.is_subnormal(b) and not (m.of[f].keep_in and m.of[f].keep_out) else mant


CLASSES = (('signaling NaN', F64.is_snan), ('quiet NaN', F64.is_nan),
           ('-infinity', lambda b: b == F64.sign | F64.inf), ('-normal', lambda b: b & F64.sign and F64.field(b)),
           ('-subnormal', lambda b: b & F64.sign and F64.is_subnormal(b)), ('-0', lambda b: b == F64.sign),
           ('+0', lambda b: b == 0), ('+subnormal', F64.is_subnormal), ('+normal', lambda b: b < F64.inf),
           ('+infinity', lambda b: True))


def class_of(b): return next(i for i, (_, test) in enumerate(CLASSES) if test(b))


# ---- roots: the nearest number; the hardware's are good to 23 bits ----

def root_of(x):
    """The square root of a positive fraction, cut off 200 bits below its first; a tie is none of its results."""
    shift = 400 - 2 * (exponent_of(x) // 2)
    return Fraction(isqrt(floor(x * Fraction(2)**shift)), 2**(shift // 2)) if shift >= 0 else \
        Fraction(isqrt(floor(x / Fraction(2)**-shift)) * 2**(-shift // 2))


def rcp(m, b):
    f = F64
    if f.is_nan(b):
        return nan_result(f, m, b)
    b = flush_in(f, b, m)
    s = b & f.sign
    if f.is_inf(b) or f.is_zero(b):
        return [s | (f.inf if f.is_zero(b) else 0)]
    return f.rounded(1 / f.value(b), 'rne', m.of[f].keep_out)


def root(m, b, reciprocal):
    f = F64
    if f.is_nan(b):
        return nan_result(f, m, b)
    b = flush_in(f, b, m)
    if f.is_zero(b):
        return [b | f.inf if reciprocal else b]
    if b & f.sign:
        return [f.default_nan]
    if f.is_inf(b):
        return [0 if reciprocal else b]
    x = root_of(f.value(b))
    return f.rounded(1 / x if reciprocal else x, 'rne', m.of[f].keep_out)


def is_power_of_two(b): return F64.inf > b & ~F64.sign > 0 and bin(abs(F64.value(b)).numerator).count('1') == 1


# ---- division ----

def scale_table(is_den, den, num):
    """(exponent adjustment, flag) by the encoded exponents (ledger entry VALU-U17). calc_f32.py has the table of f32:
    each stands as its entry does, number by number."""
    delta = num - den
    if delta >= 768:
        return (128 if is_den else 0), 1
    if den == 0:
        return 128, 0
    if den >= 2045:
        return (0 if delta <= -768 and not is_den else -128), int(delta <= -768)
    if delta <= -768:
        return (0 if is_den else 128), 1
    return (128 if num <= 53 else 0), 0


def scale_manual(m, s0, s1, s2):
    """(exponent adjustment, flag) by the manual's text; an unassigned result is S0."""
    f = F64
    inverse = Fraction(1) / f.value(s1)
    quotient = f.value(s2) / f.value(s1)
    tiny = Fraction(2)**(1 - f.bias)
    if f.field(s2) - f.field(s1) >= 768:
        return (128 if s0 == s1 else 0), 1
    if f.is_subnormal(s1):
        return 128, 0
    if abs(inverse) < tiny and abs(quotient) < tiny:
        return (128 if s0 == s1 else 0), 1
    if abs(inverse) < tiny:
        return -128, 0
    if abs(quotient) < tiny:
        return (128 if s0 == s2 else 0), 1
    return (128 if f.field(s2) <= 53 else 0), 0


def div_scale(m, s0, s1, s2):
    """([results], [flags])"""
    f = F64
    by, flag = scale_table(s0 == s1, f.field(s1), f.field(s2))
    a, b, c = (flush_in(f, x, m) for x in (s0, s1, s2))
    if f.is_zero(b) or f.is_zero(c):
        return [f.default_nan], unique([flag, 0])
    results, flags = ldexp(m, a, by), [flag]
    normal = f.field(s1) not in (0, 2047) and f.field(s2) not in (0, 2047)
    if not (normal and abs(f.field(s2) - f.field(s1)) < 90) and not any(map(f.is_nan, (a, b, c))) \
            and not any(map(f.is_inf, (a, b, c))):
        by, other = scale_manual(m, a, b, c)
        results, flags = results + ldexp(m, a, by), flags + [other]
    return unique(results), unique(flags)


def div_fmas(m, a, b, c, flag):
    """Operands are never flushed."""
    by = 0 if not flag else 128 if F64.field(c) > F64.bias else -128
    return ieee.fused(F64, m.of[F64], a, b, c, Fraction(2)**by)


# The order of cases is that of calc_f16.py; limits and flushes differ, and Mode has two formats here.
def div_fixup(m, s0, s1, s2):
    f = F64
    if f.is_nan(s2) or f.is_nan(s1):
        n = s2 if f.is_nan(s2) else s1
        return unique([n | f.quiet] if m.ieee or not f.is_snan(n) else [n, n | f.quiet])
    den, num = flush_in(f, s1, m), flush_in(f, s2, m)
    s = (s1 ^ s2) & f.sign
    if f.is_zero(den) and f.is_zero(num) or f.is_inf(den) and f.is_inf(num):
        return [f.default_nan]
    if f.is_zero(den) or f.is_inf(num):
        return [s | f.inf]
    if f.is_inf(den) or f.is_zero(num):
        return [s]
    sign = -1 if s else 1
    if f.field(s2) - f.field(s1) < -1075:
        return f.rounded(sign * Fraction(2)**-3000, m.of[f].round, m.of[f].keep_out)
    if f.is_nan(s0) or f.is_inf(s0):
        return f.rounded(sign * Fraction(2)**3000, m.of[f].round, True)
    return unique([flush_out(f, s | s0 & ~f.sign, m), s | s0 & ~f.sign])


def two_over_pi(bits):
    """floor(2 / pi * 2**bits), pi by Machin's formula."""
    guard = bits + 64

    def arctan(n):
        term = total = (1 << guard) // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total
    pi = 4 * (4 * arctan(5) - arctan(239))
    return (2 << guard + bits) // pi


def trig_preop(m, b, segment):
    """53 of 1201 bits; rounded toward zero where subnormal. The exponent of a NaN counts: or a NaN is right."""
    f = F64
    e = f.field(b)
    shift = 53 * (segment & 31) + max(0, e - 1077)
    table = two_over_pi(1201)
    bits = table >> 1201 - 53 - shift if shift <= 1201 - 53 else table << shift + 53 - 1201
    x = Fraction(bits & (1 << 53) - 1) * Fraction(2)**(-53 - shift + (128 if e >= 1968 else 0))
    results = f.rounded(x, 'rtz', m.of[f].keep_out) if x else [0]
    return results + [ANYNAN] if e == 2047 else results


# ---- opcodes: kinds of operands and of the result, rule ----

RULES = {
    'v_cvt_i32_f64': ('d', 'i', lambda m, a: to_int(m, a, -2**31, 2**31 - 1)),
    'v_cvt_u32_f64': ('d', 'u', lambda m, a: to_int(m, a, 0, 2**32 - 1)),
    'v_cvt_f64_i32': ('i', 'd', lambda m, a: from_int(m, signed(a))),
    'v_cvt_f64_u32': ('u', 'd', from_int),
    'v_cvt_f32_f64': ('d', 's', lambda m, a: convert(m, a, F64, F32)),
    'v_cvt_f64_f32': ('s', 'd', lambda m, a: convert(m, a, F32, F64)),
    'v_trunc_f64': ('d', 'd', lambda m, a: to_integral(m, a, 'rtz')),
    'v_ceil_f64': ('d', 'd', lambda m, a: to_integral(m, a, 'rtp')),
    'v_rndne_f64': ('d', 'd', lambda m, a: to_integral(m, a, 'rne')),
    'v_floor_f64': ('d', 'd', lambda m, a: to_integral(m, a, 'rtn')),
    'v_rcp_f64': ('d', 'd', rcp),
    'v_rsq_f64': ('d', 'd', lambda m, a: root(m, a, True)),
    'v_sqrt_f64': ('d', 'd', lambda m, a: root(m, a, False)),
    'v_frexp_exp_i32_f64': ('d', 'i', frexp_exp),
    'v_frexp_mant_f64': ('d', 'd', frexp_mant),
    'v_fract_f64': ('d', 'd', fract),
    'v_fma_f64': ('ddd', 'd', fma),
    'v_div_fixup_f64': ('ddd', 'd', div_fixup),
    'v_div_fmas_f64': ('dddc', 'd', div_fmas),
    'v_add_f64': ('dd', 'd', add),
    'v_mul_f64': ('dd', 'd', mul),
    'v_min_f64': ('dd', 'd', lambda m, a, b: select(m, a, b, False)),
    'v_max_f64': ('dd', 'd', lambda m, a, b: select(m, a, b, True)),
    'v_ldexp_f64': ('di', 'd', ldexp),
    'v_trig_preop_f64': ('du', 'd', trig_preop),
}


def omod(m, f, b, field):
    """1: times 2, 2: times 4, 3: half."""
    if b == ANYNAN or not field or m.ieee or m.of[f].keep_out or f.is_nan(b) or f.is_inf(b):
        return [b]
    if f.is_zero(b) or f.is_subnormal(b):
        return [0]
    scaled = round_to(f, f.value(b) * [0, 2, 4, Fraction(1, 2)][field], m)
    return unique([y for x in scaled for y in ([x, 0] if f.is_zero(x) else [x])])


def clamp(m, f, b):
    if b == ANYNAN or f.is_nan(b):
        return 0 if m.dx10_clamp else b
    return 0 if b & f.sign else min(b, f.one)


def modified(kind, b, neg=False, abs=False):
    f = {'d': F64, 's': F32}[kind]
    return (b & ~f.sign if abs else b) ^ (f.sign if neg else 0)


def result(name, m, operands, omod_field=0, clamped=False):
    """The alternatives of an opcode's vector result."""
    _, kind, rule = RULES[name]
    results = rule(m, *operands)
    if kind in 'ds':
        f = {'d': F64, 's': F32}[kind]
        results = unique([y for x in results for y in omod(m, f, x, omod_field)])
        results = unique([clamp(m, f, x) for x in results]) if clamped else results
    return results


# ---- text ----

def parse(word, kind='d'):
    """A value as bits: hex and whole numbers as they are, 1.5 and 0x1p-3 as numbers, inf nan snan and -nan."""
    if kind in 'iuc':
        return int(word, 0) & 0xffffffff
    f = {'d': F64, 's': F32}[kind]
    body, s = (word[1:], f.sign) if word.startswith('-') else (word, 0)
    special = {'inf': f.inf, 'nan': f.inf | f.quiet, 'snan': f.inf | 1}
    if body in special:
        return s | special[body]
    if 'p' in body:
        head, _, power = body.partition('p')
        x = Fraction(int(head, 16)) * Fraction(2)**int(power)
    elif body.startswith('0x'):
        return int(body, 16)
    else:
        x = Fraction(body)
    return s | (f.rounded(x, 'rne', True)[0] if x else 0)


def show_float(f, b):
    if b == ANYNAN:
        return 'anynan64' if f is F64 else 'anynan'
    named = {f.inf: 'inf', f.inf | f.sign: '-inf', f.inf | f.quiet: 'nan', f.default_nan: '-nan',
             0: '0.0' + f.name, f.sign: '-0.0' + f.name}
    if b in named:
        return named[b]
    if not f.is_nan(b) and not f.is_subnormal(b):
        x, minus = abs(f.value(b)), '-' if b & f.sign else ''
        if x.denominator <= 4096 and x < 10**9:
            text = str(x.numerator) + '.0' if x.denominator == 1 else repr(float(x))
            if len(text) <= 10 and 'e' not in text:
                return minus + text + f.name
        if b & (1 << f.fraction) - 1 == 0:
            return '%s0x1p%d%s' % (minus, exponent_of(x), f.name)
    return '0x%0*x' % ((1 + f.fraction + f.exponent) // 4, b)


def show_one(kind, b):
    if kind in 'ds':
        return show_float({'d': F64, 's': F32}[kind], b)
    if kind == 'u':
        return str(b) if b < 10000 else '0x%08x' % b
    return str(signed(b)) if -100 < signed(b) < 10000 else '0x%08x' % b


def show(kind, alternatives):
    words = unique(show_one(kind, b) for b in alternatives)
    return words[0] if len(words) == 1 else '{' + '|'.join(words) + '}' if len(words) <= 3 else '?'


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in RULES:
        sys.exit('calc_f64.py: not an opcode with a rule: ' + (sys.argv[1] if len(sys.argv) > 1 else 'none given'))
    name, words = sys.argv[1], sys.argv[2:]
    fields = dict(w.split('=', 1) for w in words if '=' in w)
    field = int(fields.pop('omod', 0))
    plain = [w for w in words if '=' not in w and w != 'clamp']
    kinds, kind, _ = RULES[name]
    if len(plain) != len(kinds):
        sys.exit('calc_f64.py: %s takes %d operands' % (name, len(kinds)))
    operands = [parse(w, k) for w, k in zip(plain, kinds)]
    print(show(kind, result(name, Mode(**fields), operands, field, 'clamp' in words)))


if __name__ == '__main__':
    main()
