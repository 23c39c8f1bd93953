"""Binary floats in whole numbers and exact fractions, for the calculators of expected values. Shares nothing with oracle/, nor
with the floats of scripts/predict and of scripts/truth/mfma.py: each of the three is a witness of its own.

Operands and results are bit patterns of a Format. An operation takes the format and what of MODE this format reads, and
gives a list of alternatives, the usual one first.
"""
from fractions import Fraction

ANYNAN = 'anynan'


class Format:
    """Where the fields of a binary float stand, and what its bits mean."""

    def __init__(self, name, fraction, exponent):
        self.name, self.fraction, self.exponent = name, fraction, exponent
        self.bias = (1 << exponent - 1) - 1
        self.sign = 1 << fraction + exponent
        self.inf = (1 << exponent) - 1 << fraction
        self.quiet = 1 << fraction - 1
        self.default_nan = self.sign | self.inf | self.quiet
        self.max = self.inf - 1
        self.least = 1 - self.bias - fraction  # exponent of the smallest subnormal
        self.one = self.bias << fraction

    def is_nan(self, b): return b & self.sign - 1 > self.inf
    def is_snan(self, b): return self.is_nan(b) and not b & self.quiet
    def is_inf(self, b): return b & self.sign - 1 == self.inf
    def is_zero(self, b): return b & self.sign - 1 == 0
    def is_subnormal(self, b): return b & self.inf == 0 and not self.is_zero(b)
    def field(self, b): return (b & self.inf) >> self.fraction

    def value(self, b):
        """The exact value of a finite number."""
        fraction, e = b & (1 << self.fraction) - 1, self.field(b)
        if e:
            fraction |= 1 << self.fraction
        v = Fraction(fraction) * Fraction(2)**(max(e, 1) - self.bias - self.fraction)
        return -v if b & self.sign else v

    def extended(self, b):
        """As value; an infinity lies beyond all numbers."""
        return (-1 if b & self.sign else 1) * Fraction(2)**5000 if self.is_inf(b) else self.value(b)

    def rounded(self, x, direction, keep_out, saturates=False):
        """A fraction other than 0, rounded once. What is too large saturates: the largest number instead of infinity."""
        s = self.sign if x < 0 else 0
        step = Fraction(2)**(exponent_of(abs(x)) - self.fraction)
        wide = abs(to_whole(x / step, direction)) * step  # as if exponents had no bounds
        if wide >= Fraction(2)**(self.bias + 1):
            away = {'rne': True, 'rtz': False, 'rtp': not s, 'rtn': bool(s)}[direction] and not saturates
            return [s | (self.inf if away else self.max)]
        if wide < Fraction(2)**(1 - self.bias):
            bits = s | abs(to_whole(x / Fraction(2)**self.least, direction))
            if keep_out:
                return [bits]
            return [s] if bits & self.inf == 0 else [s, bits]  # the corner of the coarser grid
        e = exponent_of(wide)
        if not keep_out and abs(x) < Fraction(2)**(1 - self.bias):  # tiny before it is rounded, but not behind that
            return [s, s | 1 << self.fraction]
        return [s | e + self.bias << self.fraction | int(wide / Fraction(2)**(e - self.fraction)) & (1 << self.fraction) - 1]


F16, F32, F64 = Format('f16', 10, 5), Format('f32', 23, 8), Format('f64', 52, 11)


class Mode:
    """What arithmetic in one format reads of MODE; the defaults are those of the case files."""

    def __init__(self, round='rne', keep_in=True, keep_out=True, ieee=True):
        self.round, self.keep_in, self.keep_out, self.ieee = round, keep_in, keep_out, ieee

    def rounded(self, f, x):
        """A fraction other than 0 as this mode rounds it."""
        return f.rounded(x, self.round, self.keep_out)

    def nans(self, f, *operands):
        """The result where some operand is a NaN."""
        found = [b for b in operands if f.is_nan(b)]
        if len(found) > 1:
            return [found[0] | f.quiet, ANYNAN]
        return [found[0] | f.quiet] if self.ieee or not f.is_snan(found[0]) else [found[0], found[0] | f.quiet]


def unique(alternatives): return list(dict.fromkeys(alternatives))
def signed(n, bits=32): return (n & (1 << bits) - 1) - (1 << bits if n >> bits - 1 & 1 else 0)
def floor(x): return x.numerator // x.denominator


def to_whole(x, direction):
    """A fraction as a whole number: rne, rtp (up), rtn (down), rtz, half-up."""
    low = floor(x)
    rest = x - low
    if rest == 0 or direction == 'rtn' or direction == 'rtz' and x > 0:
        return low
    if direction in ('rtp', 'rtz'):
        return low + 1
    return low + (rest > Fraction(1, 2) or rest == Fraction(1, 2) and (low % 2 == 1 or direction == 'half-up'))


def exponent_of(x):
    """e with 2**e <= x < 2**(e + 1), for x > 0."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2)**e <= x else e - 1


def flush(f, m, b): return b & f.sign if f.is_subnormal(b) and not m.keep_in else b


def add(f, m, a, b):
    a, b = flush(f, m, a), flush(f, m, b)
    if f.is_nan(a) or f.is_nan(b):
        return m.nans(f, a, b)
    if f.is_inf(a) or f.is_inf(b):
        if f.is_inf(a) and f.is_inf(b):
            return [a if a == b else f.default_nan]
        return [a if f.is_inf(a) else b]
    total = f.value(a) + f.value(b)
    if total == 0:
        return [a if a == b else f.sign if m.round == 'rtn' else 0]
    return m.rounded(f, total)


def mul(f, m, a, b):
    a, b = flush(f, m, a), flush(f, m, b)
    if f.is_nan(a) or f.is_nan(b):
        return m.nans(f, a, b)
    s = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        return [f.default_nan if f.is_zero(a) or f.is_zero(b) else s | f.inf]
    return [s] if f.is_zero(a) or f.is_zero(b) else m.rounded(f, f.value(a) * f.value(b))


def fused(f, m, a, b, c, scale=1):
    """a * b + c times a power of two, rounded once; operands are not flushed."""
    invalid = f.is_inf(a) and f.is_zero(b) or f.is_zero(a) and f.is_inf(b)
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return ([f.default_nan] if invalid else []) + m.nans(f, a, b, c)
    if invalid:
        return [f.default_nan]
    s = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        return [f.default_nan] if f.is_inf(c) and c != s | f.inf else [s | f.inf]
    if f.is_inf(c):
        return [c]
    total = f.value(a) * f.value(b) + f.value(c)
    if total == 0:
        zeros = (f.is_zero(a) or f.is_zero(b)) and f.is_zero(c) and s == c & f.sign
        return [s if zeros else f.sign if m.round == 'rtn' else 0]
    return m.rounded(f, total * scale)


def fma(f, m, a, b, c): return fused(f, m, *(flush(f, m, x) for x in (a, b, c)))


def ldexp(f, m, b, by):
    b = flush(f, m, b)
    if f.is_nan(b):
        return m.nans(f, b)
    if f.is_inf(b) or f.is_zero(b):
        return [b]
    return m.rounded(f, f.value(b) * Fraction(2)**min(max(by, -5000), 5000))


def to_integral(f, m, b, direction):
    """trunc, ceil, floor, rndne: exact, the sign of a zero is the operand's. A subnormal operand of a flushing
    mode may be flushed first or not."""
    if f.is_nan(b):
        return m.nans(f, b)
    if f.is_inf(b) or f.is_zero(b):
        return [b]
    n = to_whole(f.value(b), direction)
    exact = [b & f.sign] if n == 0 else m.rounded(f, Fraction(n))
    return unique([b & f.sign] + exact) if f.is_subnormal(b) and not m.keep_in else exact


def fract(f, m, b):
    """x - floor(x), below 1."""
    if f.is_nan(b):
        return m.nans(f, b)
    if f.is_inf(b):
        return [f.default_nan, ANYNAN]
    if f.is_zero(b):
        return unique([0, b])
    rest = f.value(b) - floor(f.value(b))
    if rest == 0:
        return [0]
    result = m.rounded(f, rest)
    if result == [f.one]:
        result = [f.one - 1, f.one]
    return unique([0] + result) if f.is_subnormal(b) and not m.keep_in else result
