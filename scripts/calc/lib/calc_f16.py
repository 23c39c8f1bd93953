#!/usr/bin/env python3
"""Expected values of 16-bit and mixed-precision opcodes, in whole numbers and exact fractions.

    scripts/calc/lib/calc_f16.py v_fma_f16 1.5 0x3c01 -1.0 round=rtz denorm=flush

prints the result's bits, or its alternatives. Operands are bits in hex or values. The rules are those of the Vega ISA
manual, chapter 12, as the ledger (oracle/errata) corrects them; nothing is shared with the oracle. Rules return lists of
alternatives; ANY stands for a result that is not settled.
"""
import sys
from decimal import Decimal, getcontext
from fractions import Fraction as F

import ieee
from ieee import F16, F32, add, exponent_of, flush, mul, to_whole, unique

getcontext().prec = 70
ANY = '?'


H, S = F16, F32


class Mode(ieee.Mode):
    """MODE's fields for f64 and f16, and for f32 (the s-names); defaults as in the case files."""
    FIELDS = ('round', 'keep_in', 'keep_out', 'sround', 'skeep_in', 'skeep_out', 'ieee', 'dx10', 'ovfl')

    def __init__(self, **kw):
        super().__init__()
        self.sround, self.skeep_in, self.skeep_out = 'rne', True, True
        self.dx10, self.ovfl = True, False
        for k, v in kw.items():
            assert k in self.FIELDS
            setattr(self, k, v)

    def but(self, **kw):
        return Mode(**{**self.__dict__, **kw})

    def f32(self):
        return self.but(round=self.sround, keep_in=self.skeep_in, keep_out=self.skeep_out, ovfl=False)


    def rounded(self, f, x):
        """What lies below the normal numbers before it is rounded may be flushed too."""
        found = f.rounded(x, self.round, self.keep_out, saturates=self.ovfl)
        flushed = not self.keep_out and abs(x) < F(2)**(1 - f.bias)
        return unique(found + [f.sign if x < 0 else 0]) if flushed else found

    def nans(self, f, *operands):
        """Of several NaNs, and of a signaling one that IEEE mode does not make quiet, the result is not settled."""
        found = [b for b in operands if f.is_nan(b)]
        settled = len(found) == 1 and (self.ieee or not f.is_snan(found[0]))
        return [found[0] | f.quiet] if settled else [ANY]


def rnd(f, m, x): return m.rounded(f, x)
def nans(f, m, *operands): return m.nans(f, *operands)


def sub(f, m, a, b): return add(f, m, a, b if f.is_nan(b) else b ^ f.sign)


def fma(f, m, a, b, c, to=None, mto=None):
    """Rounded to another format if one is given."""
    to, mto = to or f, mto or m
    a, b, c = (flush(f, m, x) for x in (a, b, c))
    bad = f.is_inf(a) and f.is_zero(b) or f.is_inf(b) and f.is_zero(a)
    if any(map(f.is_nan, (a, b, c))):
        return [ANY] if bad else nans(f, m, a, b, c)
    s = (a ^ b) & f.sign
    if bad or (f.is_inf(a) or f.is_inf(b)) and f.is_inf(c) and s | f.inf != c:
        return [to.default_nan]
    if f.is_inf(a) or f.is_inf(b) or f.is_inf(c):
        inf = s | f.inf if f.is_inf(a) or f.is_inf(b) else c
        return [(to.sign if inf & f.sign else 0) | to.inf]
    x = f.value(a) * f.value(b) + f.value(c)
    if x == 0:
        zero = (f.is_zero(a) or f.is_zero(b)) and f.is_zero(c) and s == c & f.sign
        return [to.sign if (s if zero else m.round == 'rtn') else 0]
    return rnd(to, mto, x)


def mad(f, m, a, b, c):
    """Unfused, always flushing. Open: the rounding of the product, and a product that alone is subnormal."""
    z = m.but(keep_in=False, keep_out=False)
    products = mul(f, z, a, b)
    if m.round != 'rne':
        products = unique(products + mul(f, z.but(round='rne'), a, b))
    if ANY in products:
        return [ANY] if f.is_nan(c) or products != [ANY] else products
    if len([x for x in (a, b, c) if f.is_nan(x)]) > 1:
        return [ANY]
    if f.is_nan(c) and any(f.is_nan(p) for p in products):
        return [ANY]
    out = [r for p in products for r in add(f, z, p, c)]
    raw = mul(f, m.but(keep_in=False, keep_out=True), a, b)
    if raw != [ANY] and f.is_subnormal(raw[0]):
        out += add(f, m.but(keep_in=True, keep_out=False), raw[0], flush(f, z, c))
    return unique(out)


def order(f, b):
    x = F(2)**200 * (-1 if b & f.sign else 1) if f.is_inf(b) else f.value(b)
    return x, 0 if b & f.sign else 1


def pick(f, m, a, b, want_max):
    if m.ieee and (f.is_snan(a) or f.is_snan(b)):
        if f.is_nan(a) and f.is_nan(b):
            return [ANY]
        return [(a if f.is_snan(a) else b) | f.quiet]
    if f.is_nan(a) and f.is_nan(b):
        return [ANY]
    if f.is_nan(a) or f.is_nan(b):
        r = b if f.is_nan(a) else a
        z = r & f.sign if f.is_subnormal(r) and not (m.keep_in and m.keep_out) else r
        return unique([z, r])
    def one(x, y): return (x if order(f, x) > order(f, y) else y) if want_max else (x if order(f, x) < order(f, y) else y)
    raw, r = one(a, b), one(flush(f, m, a), flush(f, m, b))
    if f.is_subnormal(r) and not m.keep_out:
        r &= f.sign
    return unique([r, raw] if f.is_subnormal(a) or f.is_subnormal(b) else [r])


def chain(rule, *rest):
    """rule(rule(a, b), c), over alternatives."""
    def run(f, m, a, b, c):
        first = rule(f, m, a, b)
        return [ANY] if ANY in first else unique(r for x in first for r in rule(f, m, x, c))
    return run


def fmin(f, m, a, b): return pick(f, m, a, b, False)
def fmax(f, m, a, b): return pick(f, m, a, b, True)


def med3(f, m, a, b, c):
    v = (a, b, c)
    if any(map(f.is_nan, v)):
        return chain(fmin)(f, m, a, b, c)
    mid = sorted((flush(f, m, x) for x in v), key=lambda x: order(f, x))[1]
    if f.is_subnormal(mid) and not m.keep_out:
        mid &= f.sign
    raw = sorted(v, key=lambda x: order(f, x))[1]
    out = [mid] + ([raw] if any(map(f.is_subnormal, v)) and not (m.keep_in and m.keep_out) else [])
    if f.is_zero(mid) and 0 in v and f.sign in v:
        out.append(mid ^ f.sign)
    return unique(out)


def ldexp(f, m, a, n): return ieee.ldexp(f, m, a, signed(n))
def whole(how): return lambda f, m, a: ieee.to_integral(f, m, a, how)


def fract(f, m, a):
    if f.is_nan(a):
        return nans(f, m, a)
    if f.is_inf(a):
        return [f.default_nan, ANY]
    if f.is_zero(a):
        return unique([0, a])
    x = f.value(a) - f.value(a).__floor__()
    one = f.bias << f.fraction
    r = [0] if x == 0 else rnd(f, m, x)
    r = [one - 1, one] if r == [one] else r
    return unique([0] + r + [a & f.sign]) if f.is_subnormal(a) and not (m.keep_in and m.keep_out) else r


def frexp_mant(f, m, a):
    if f.is_nan(a):
        return [ANY] if f.is_snan(a) else [a]
    if f.is_inf(a) or f.is_zero(a):
        return [a]
    x = f.value(a)
    r = rnd(f, m.but(keep_out=True), x / F(2)**(exponent_of(abs(x)) + 1))
    return unique(r + [a & f.sign]) if f.is_subnormal(a) and not (m.keep_in and m.keep_out) else r


def frexp_exp(f, m, a):
    if f.is_nan(a) or f.is_inf(a) or f.is_zero(a):
        return [0]
    r = [exponent_of(abs(f.value(a))) + 1 & 0xffff]
    return r + [0] if f.is_subnormal(a) and not (m.keep_in and m.keep_out) else r


def fixup(f, m, q, d, n):
    """q as the quotient n / d."""
    if f.is_nan(n) or f.is_nan(d):
        b = n if f.is_nan(n) else d
        return [b | f.quiet] if m.ieee or not f.is_snan(b) else [ANY]
    if not (m.keep_in and m.keep_out) and any(map(f.is_subnormal, (q, d, n))):
        return [ANY]
    s = (n ^ d) & f.sign
    if f.is_zero(n) and f.is_zero(d) or f.is_inf(n) and f.is_inf(d):
        return [f.default_nan]
    if f.is_zero(d) or f.is_inf(n):
        return [s | f.inf]
    if f.is_inf(d) or f.is_zero(n):
        return [s]
    return [ANY] if f.is_nan(q) or f.is_inf(q) else [s | q & f.sign - 1]


def class_of(f, a):
    neg = bool(a & f.sign)
    if f.is_nan(a):
        return 0 if f.is_snan(a) else 1
    size = 3 if f.is_inf(a) else 0 if f.is_zero(a) else 1 if f.is_subnormal(a) else 2
    return 5 - size if neg else 6 + size


# ---- conversions ----

def narrow(m, a):
    """f32 to f16: inputs by the f32 fields, the rest by those of f16."""
    if S.is_nan(a):
        return [(a >> 16 & 0x8000) | 0x7e00 | a >> 13 & 0x3ff] if m.ieee or not S.is_snan(a) else [ANY]
    if S.is_inf(a):
        return [(a >> 16 & 0x8000) | 0x7c00]
    if S.is_zero(a):
        return [a >> 16]
    kept = rnd(H, m, S.value(a))
    if not S.is_subnormal(a) or m.round == 'rne':
        return kept
    return unique(([] if m.skeep_in else [a >> 16 & 0x8000]) + kept + [a >> 16 & 0x8000])


def widen(m, a):
    s = (a & 0x8000) << 16
    if H.is_nan(a):
        b = s | 0x7f800000 | (a & 0x3ff) << 13
        return [b | S.quiet] if m.ieee or not H.is_snan(a) else [ANY]
    if H.is_inf(a):
        return [s | S.inf]
    if H.is_zero(a):
        return [s]
    exact = rnd(S, Mode(), H.value(a))
    return unique([s] + exact) if H.is_subnormal(a) and not m.keep_in else exact


def from_whole(m, n): return rnd(H, m, F(n)) if n else [0]


def to_int(m, a, low, high):
    if H.is_nan(a):
        return [0]
    if H.is_inf(a):
        return [(low if a & 0x8000 else high) & 0xffff]
    return [min(max(to_whole(H.value(a), 'rtz'), low), high) & 0xffff]


def norm(m, a, low, scale):
    if H.is_nan(a):
        return [0]
    x = F(2 if not a & 0x8000 else -2) if H.is_inf(a) else H.value(flush(H, m, a))
    x = min(max(x, F(low)), F(1)) * scale
    return unique(to_whole(x, how) & 0xffff for how in ('rne', m.round, 'half-up'))


def signed(a): return a - 65536 * (a >> 15 & 1)
def sat_u8(a): return min(max(signed(a), 0), 255)


# ---- approximations: to nearest even; near a middle both ----

def dec(x): return Decimal(x.numerator) / Decimal(x.denominator)


def frac(d):
    n, e = d.as_integer_ratio() if d else (0, 1)
    return F(n, e)


def series_sin(x):
    """sin of a small Decimal."""
    term = total = x
    k = 1
    while abs(term) > Decimal(10)**-65:
        term = -term * x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return total


def machin(inverse):
    total, k, power = Decimal(0), 0, Decimal(1) / inverse
    while power > Decimal(10)**-68:
        total += (power if k % 2 == 0 else -power) / (2 * k + 1)
        power /= inverse * inverse
        k += 1
    return total


PI = 4 * (4 * machin(5) - machin(239))


def turns_sin(x):
    x = x % 1
    s = 1
    if x >= F(1, 2):
        x, s = x - F(1, 2), -1
    x = min(x, F(1, 2) - x)
    if x == 0:
        return F(0)
    return s * (F(1) if x == F(1, 4) else frac(series_sin(2 * PI * dec(x))))


FUNCTIONS = {
    'rcp': lambda x: 1 / x,
    'sqrt': lambda x: frac(dec(x).sqrt()),
    'rsq': lambda x: frac(1 / dec(x).sqrt()),
    'log': lambda x: frac(dec(x).ln() / Decimal(2).ln()),
    'exp': lambda x: F(2)**x if x.denominator == 1 else frac((dec(x) * Decimal(2).ln()).exp()),
    'sin': turns_sin,
    'cos': lambda x: turns_sin(x + F(1, 4)),
}
EDGES = {'rcp': (0x7c00, 0xfc00, 0, 0x8000), 'sqrt': (0, 0x8000, 0x7c00, 0xfe00),
         'rsq': (0x7c00, 0xfc00, 0, 0xfe00), 'log': (0xfc00, 0xfc00, 0x7c00, 0xfe00),
         'exp': (0x3c00, 0x3c00, 0x7c00, 0), 'sin': (0, 0x8000, 0xfe00, 0xfe00),
         'cos': (0x3c00, 0x3c00, 0xfe00, 0xfe00)}


def approx(name):
    """Rules of the manual: 0.51 units in the last place."""
    def rule(f, m, a):
        m = m.but(round='rne')
        if f.is_nan(a):
            return nans(f, m, a)
        a = flush(f, m, a)
        zero, minus, inf, minus_inf = EDGES[name]
        if f.is_zero(a):
            r = minus if a else zero
            return unique([r, r - 1]) if m.ovfl and f.is_inf(r) else [r]
        if f.is_inf(a):
            return [minus_inf if a & f.sign else inf]
        if a & f.sign and name in ('sqrt', 'rsq', 'log'):
            return [f.default_nan]
        x = FUNCTIONS[name](f.value(a))
        if x == 0:
            return [0]
        ulp = F(2)**(max(exponent_of(abs(x)), -14) - 10)
        exact = x.denominator <= 2**24 and x.denominator & x.denominator - 1 == 0
        out = rnd(f, m, x)
        if not exact:
            out = unique(out + rnd(f, m, x + ulp / 50) + rnd(f, m, x - ulp / 50))
        return out
    return rule


# ---- mixed precision: sources (bits, is_half) ----

def mix_source(m, b, is_half, always):
    """As f32; a second alternative where the flush of an f16 subnormal is open."""
    if not is_half:
        return [b]
    if H.is_nan(b):
        return [(b & 0x8000) << 16 | 0x7f800000 | (b & 0x3ff) << 13]
    exact = widen(Mode(), b)[0]
    zero = (b & 0x8000) << 16
    if not H.is_subnormal(b):
        return [exact]
    if always:
        return unique([zero, exact]) if m.keep_in else [zero]
    return [exact] if m.keep_in else [zero]


def mix32(m, fused, *sources):
    rule = fma if fused else mad
    lists = [mix_source(m, b, h, not fused) for b, h in sources]
    return unique(r for a in lists[0] for b in lists[1] for c in lists[2] for r in rule(S, m.f32(), a, b, c))


def mix16(m, fused, *sources):
    """Once or twice rounded, both are right; so is a subnormal f16 kept or flushed by the unfused form."""
    out = []
    lists = [mix_source(m, b, h, not fused) for b, h in sources]
    s = m.f32() if fused else m.f32().but(keep_in=False, keep_out=False)
    outs = [m] if fused else [m.but(keep_out=False), m]
    for a in lists[0]:
        for b in lists[1]:
            for c in lists[2]:
                for mm in outs:
                    for r in (fma if fused else mad)(S, m.f32(), a, b, c):
                        out += [ANY] if r == ANY else narrow(mm.but(skeep_in=True), r)
                    if any(map(S.is_nan, (a, b, c))):
                        continue
                    if fused:
                        out += fma(S, s, a, b, c, H, mm)
                    else:
                        for p in mul(S, s, a, b):
                            if p == ANY or S.is_nan(p) or S.is_inf(p):
                                continue
                            out += fma(S, s, p, 0x3f800000, c, H, mm)
    return [ANY] if ANY in out else unique(out)


# ---- whole numbers ----

def cut_u(n, clamp): return min(max(n, 0), 65535) if clamp else n & 0xffff
def cut_i(n, clamp): return (min(max(n, -32768), 32767) if clamp else n) & 0xffff


INTEGER = {
    'add_u16': lambda c, a, b: cut_u(a + b, c), 'sub_u16': lambda c, a, b: cut_u(a - b, c),
    'subrev_u16': lambda c, a, b: cut_u(b - a, c), 'mul_lo_u16': lambda c, a, b: a * b & 0xffff,
    'lshlrev_b16': lambda c, a, b: b << a % 16 & 0xffff, 'lshrrev_b16': lambda c, a, b: b >> a % 16,
    'ashrrev_i16': lambda c, a, b: signed(b) >> a % 16 & 0xffff,
    'max_u16': lambda c, a, b: max(a, b), 'min_u16': lambda c, a, b: min(a, b),
    'max_i16': lambda c, a, b: max(signed(a), signed(b)) & 0xffff,
    'min_i16': lambda c, a, b: min(signed(a), signed(b)) & 0xffff,
    'add_i16': lambda c, a, b: cut_i(signed(a) + signed(b), c),
    'sub_i16': lambda c, a, b: cut_i(signed(a) - signed(b), c),
    'mad_u16': lambda c, a, b, d: cut_u(a * b + d, c),
    'mad_i16': lambda c, a, b, d: cut_i(signed(a) * signed(b) + signed(d), c),
    'min3_u16': lambda c, a, b, d: min(a, b, d), 'max3_u16': lambda c, a, b, d: max(a, b, d),
    'med3_u16': lambda c, a, b, d: sorted((a, b, d))[1],
    'min3_i16': lambda c, a, b, d: min(map(signed, (a, b, d))) & 0xffff,
    'max3_i16': lambda c, a, b, d: max(map(signed, (a, b, d))) & 0xffff,
    'med3_i16': lambda c, a, b, d: sorted(map(signed, (a, b, d)))[1] & 0xffff,
}

FLOAT = {
    'add': add, 'sub': sub, 'subrev': lambda f, m, a, b: sub(f, m, b, a), 'mul': mul, 'min': fmin, 'max': fmax,
    'fma': fma, 'mad': mad, 'mac': mad, 'min3': chain(fmin), 'max3': chain(fmax), 'med3': med3, 'div_fixup': fixup,
    'ldexp': ldexp, 'floor': whole('rtn'), 'ceil': whole('rtp'), 'trunc': whole('rtz'), 'rndne': whole('rne'),
    'fract': fract, 'frexp_mant': frexp_mant, 'frexp_exp': frexp_exp, **{n: approx(n) for n in FUNCTIONS},
}


# ---- output modifiers ----

def omod(m, b, field):
    if b == ANY or not field or m.ieee or m.keep_out or H.is_nan(b) or H.is_inf(b):
        return [b]
    if H.is_zero(b) or H.is_subnormal(b):
        return [0]
    return unique(y for x in rnd(H, m, H.value(b) * (0, 2, 4, F(1, 2))[field]) for y in ([x, 0] if H.is_zero(x) else [x]))


def clamp(m, b):
    if b == ANY:
        return b
    if H.is_nan(b):
        return 0 if m.dx10 else b
    return 0 if b & 0x8000 else min(b, 0x3c00)


def parse(word):
    return int(word, 16) if word.lower().startswith('0x') else (rnd(H, Mode(), F(word)) if F(word) else [0])[0]


def main():
    name = sys.argv[1][2:].replace('_f16', '') if len(sys.argv) > 1 else ''
    if name not in FLOAT:
        sys.exit('calc_f16.py: not an opcode with a rule')
    words = [w for w in sys.argv[2:] if '=' not in w]
    fields = dict(w.split('=') for w in sys.argv[2:] if '=' in w)
    m = Mode(round=fields.get('round', 'rne'), ieee=fields.get('ieee', '1') == '1')
    if 'denorm' in fields:
        m.keep_in = fields['denorm'] in ('keep', 'keep_in')
        m.keep_out = fields['denorm'] in ('keep', 'keep_out')
    print(' '.join(b if b == ANY else '0x%04x' % b for b in FLOAT[name](H, m, *map(parse, words))))


if __name__ == '__main__':
    main()
