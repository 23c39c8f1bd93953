#!/usr/bin/env python3
"""Expected values for directed cases, from the manual's rules in whole numbers and exact fractions.

    scripts/calc/calc.py v_fma_f32 1.5f32 0x3f800001 -1.0f32 round=rtz denorm=flush ieee=0 omod=2 clamp

prints the result, or its alternatives {a|b}, as a case file spells them. It shares nothing with the oracle.
The float part is here; the rules of the vector opcodes are in calc_vop.py.
"""
import sys
from fractions import Fraction

NAN, SNAN, DEFAULT_NAN = 0x7fc00000, 0x7f800001, 0xffc00000
INF, MAX, MIN_NORMAL, SIGN = 0x7f800000, 0x7f7fffff, 0x00800000, 0x80000000
ONE, QUIET = 0x3f800000, 0x00400000
ANYNAN = 'anynan'


class Mode:
    """MODE as far as f32 arithmetic reads it; the defaults are those of the case files."""

    def __init__(self, **fields):
        self.round, self.keep_in, self.keep_out = 'rne', True, True
        self.ieee, self.dx10_clamp = True, True
        self.f16_keep = True
        for name, word in fields.items():
            if name in ('round', 'fp32_round'):
                self.round = word
            elif name in ('denorm', 'fp32_denorm'):
                self.keep_in = word in ('keep', 'keep_in')
                self.keep_out = word in ('keep', 'keep_out')
            elif name == 'fp64_denorm':
                self.f16_keep = word in ('keep', 'keep_out')
            else:
                setattr(self, name, bool(int(word)))


FLUSHING = {'denorm': 'flush'}


def is_nan(b): return b & 0x7fffffff > INF
def is_snan(b): return is_nan(b) and not b & QUIET
def is_inf(b): return b & 0x7fffffff == INF
def is_zero(b): return b & 0x7fffffff == 0
def is_subnormal(b): return b & INF == 0 and not is_zero(b)
def sign(b): return b & SIGN
def quiet(b): return b | QUIET


def value(b):
    """The exact value of a finite f32."""
    exponent, fraction = b >> 23 & 0xff, b & 0x7fffff
    v = Fraction(fraction, 2**149) if exponent == 0 else Fraction(fraction | 1 << 23) * Fraction(2)**(exponent - 150)
    return -v if sign(b) else v


def floor(x): return x.numerator // x.denominator


def to_whole(x, direction):
    """A fraction as a whole number: rne, rtp (up), rtn (down), rtz."""
    low = floor(x)
    rest = x - low
    if rest == 0 or direction == 'rtn' or direction == 'rtz' and x > 0:
        return low
    if direction in ('rtp', 'rtz'):
        return low + 1
    return low + (rest > Fraction(1, 2) or rest == Fraction(1, 2) and low % 2 == 1)


def exponent_of(x):
    """e with 2**e <= x < 2**(e + 1), for x > 0."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2)**e <= x else e - 1


def round_f32(x, m):
    """A fraction other than 0 as f32: the alternatives."""
    s = SIGN if x < 0 else 0
    step = Fraction(2)**(exponent_of(abs(x)) - 23)
    wide = abs(to_whole(x / step, m.round)) * step  # as if exponents had no bounds
    if wide >= 2**128:
        away = {'rne': True, 'rtz': False, 'rtp': not s, 'rtn': bool(s)}[m.round]
        return [s | (INF if away else MAX)]
    if wide < Fraction(1, 2**126):
        bits = s | abs(to_whole(x * 2**149, m.round))
        if m.keep_out:
            return [bits]
        return [s] if bits & INF == 0 else [s, bits]  # the corner of the coarser grid
    e = exponent_of(wide)
    return [s | e + 127 << 23 | int(wide / Fraction(2)**(e - 23)) & 0x7fffff]


def flush_in(b, m): return sign(b) if is_subnormal(b) and not m.keep_in else b


def nan_result(m, *operands):
    """Some operand is a NaN: the alternatives."""
    nans = [b for b in operands if is_nan(b)]
    if len(nans) > 1:
        return [quiet(nans[0]), ANYNAN]
    return [quiet(nans[0])] if m.ieee or not is_snan(nans[0]) else [nans[0], quiet(nans[0])]


def add(m, a, b):
    a, b = flush_in(a, m), flush_in(b, m)
    if is_nan(a) or is_nan(b):
        return nan_result(m, a, b)
    if is_inf(a) or is_inf(b):
        if is_inf(a) and is_inf(b):
            return [a if a == b else DEFAULT_NAN]
        return [a if is_inf(a) else b]
    total = value(a) + value(b)
    if total == 0:
        return [a if a == b and is_zero(a) else SIGN if m.round == 'rtn' else 0]
    return round_f32(total, m)


def mul(m, a, b):
    a, b = flush_in(a, m), flush_in(b, m)
    if is_nan(a) or is_nan(b):
        return nan_result(m, a, b)
    s = sign(a ^ b)
    if is_inf(a) or is_inf(b):
        return [DEFAULT_NAN if is_zero(a) or is_zero(b) else s | INF]
    return [s] if is_zero(a) or is_zero(b) else round_f32(value(a) * value(b), m)


def sub(m, a, b):
    """The sign of a NaN that is subtracted is not settled."""
    total = add(m, a, b ^ SIGN)
    return unique([x ^ SIGN for x in total] + total) if is_nan(b) and not is_nan(a) else total


def fma(m, a, b, c):
    a, b, c = (flush_in(x, m) for x in (a, b, c))
    invalid = is_inf(a) and is_zero(b) or is_zero(a) and is_inf(b)
    if is_nan(a) or is_nan(b) or is_nan(c):
        return ([DEFAULT_NAN] if invalid else []) + nan_result(m, a, b, c)
    if invalid:
        return [DEFAULT_NAN]
    s = sign(a ^ b)
    if is_inf(a) or is_inf(b):
        return add(m, s | INF, c)
    if is_inf(c):
        return [c]
    total = value(a) * value(b) + value(c)
    if total == 0:
        exact_zeros = (is_zero(a) or is_zero(b)) and is_zero(c) and s == sign(c)
        return [s if exact_zeros else SIGN if m.round == 'rtn' else 0]
    return round_f32(total, m)


def mad(m, a, b, c):
    """Unfused: the product is an f32 too. Subnormals are flushed everywhere, whatever MODE says."""
    flushing = Mode(round=m.round, ieee=m.ieee, **FLUSHING)
    products = mul(flushing, a, b)
    if m.round != 'rne':  # which rounding the product gets is known from one source only
        products = products + mul(Mode(ieee=m.ieee, **FLUSHING), a, b)
    keeping = Mode(round=m.round, ieee=m.ieee, denorm='keep_out')  # a product that alone is subnormal may be kept
    kept = [p for p in mul(keeping, a, b) if p != ANYNAN and is_subnormal(p)]
    sums = [s for p in products for s in (add(flushing, p, c) if p != ANYNAN else [ANYNAN])]
    sums += [s for p in kept for s in add(Mode(round=m.round, denorm='keep_in'), p, flush_in(c, flushing))]
    return unique(sums)


def minimum(m, a, b): return select(m, a, b, lambda x, y: (value32(x), 0 if sign(x) else 1) < (value32(y), 0 if sign(y) else 1))
def maximum(m, a, b): return select(m, a, b, lambda x, y: (value32(x), 0 if sign(x) else 1) > (value32(y), 0 if sign(y) else 1))


def value32(b):
    """As value, with infinities beyond all finite values."""
    return (-1 if sign(b) else 1) * Fraction(2)**200 if is_inf(b) else value(b)


def select(m, a, b, better):
    """min and max: NaNs lose, except signalling ones under IEEE; -0 is below +0; subnormals obey MODE."""
    if m.ieee and (is_snan(a) or is_snan(b)):
        return [quiet(a if is_snan(a) else b)]
    if is_nan(a) and is_nan(b):
        return unique([b, a, quiet(b), quiet(a)])
    if is_nan(a) or is_nan(b):
        winner = b if is_nan(a) else a
        flushed = winner
    else:
        winner = a if better(a, b) else b
        x, y = flush_in(a, m), flush_in(b, m)
        flushed = x if better(x, y) else y
    if is_subnormal(flushed) and not (m.keep_out and m.keep_in):
        flushed = sign(flushed)
    return unique([flushed, winner] if is_subnormal(winner) else [flushed])


def omod(m, b, field):
    """1: times 2, 2: times 4, 3: half. Without effect under IEEE or where output subnormals are kept."""
    if b == ANYNAN or not field or m.ieee or m.keep_out or is_nan(b) or is_inf(b):
        return [b]
    if is_zero(b) or is_subnormal(b):
        return [0]
    return unique([y for x in round_f32(value(b) * [0, 2, 4, Fraction(1, 2)][field], m)
                   for y in ([x, 0] if is_zero(x) else [x])])


def clamp(m, b):
    if b == ANYNAN or is_nan(b):
        return [0] if m.dx10_clamp else [b]
    return [0 if sign(b) or is_zero(b) else min(b, ONE)]


def f32_from_whole(m, n): return round_f32(Fraction(n), m) if n else [0]


def whole_from_f32(b, direction, low, high):
    """A float as a whole number between low and high: NaN gives 0."""
    if is_nan(b):
        return 0
    if is_inf(b):
        return low if sign(b) else high
    return min(max(to_whole(value(b), direction), low), high)


def to_integral(m, b, direction):
    """trunc, ceil, floor, rndne: exact, the sign of a zero is the operand's. A subnormal operand of a flushing
    mode may be flushed first or not."""
    if is_nan(b):
        return nan_result(m, b)
    if is_inf(b) or is_zero(b):
        return [b]
    n = to_whole(value(b), direction)
    exact = [sign(b)] if n == 0 else round_f32(Fraction(n), m)
    return unique([sign(b)] + exact) if is_subnormal(b) and not m.keep_in else exact


def fract(m, b):
    """x - floor(x), below 1."""
    if is_nan(b):
        return nan_result(m, b)
    if is_inf(b):
        return [DEFAULT_NAN, ANYNAN]
    if is_zero(b):
        return unique([0, b])
    rest = value(b) - floor(value(b))
    if rest == 0:
        return [0]
    result = round_f32(rest, m)
    if result == [ONE]:
        result = [ONE - 1, ONE]
    return unique([0] + result) if is_subnormal(b) and not m.keep_in else result


def unique(alternatives):
    return list(dict.fromkeys(alternatives))


def signed(n, bits=32):
    n &= (1 << bits) - 1
    return n - (1 << bits) if n >> bits - 1 else n


def parse(word, bits=32):
    """A value of a case file as bits: of f32 kinds unless it is a plain number."""
    body, s = (word[1:], SIGN) if word.startswith('-') else (word, 0)
    special = {'inf': INF, 'nan': NAN, 'snan': SNAN}
    if body in special:
        return s | special[body]
    if body.endswith('f32'):
        number = body[:-3]
        if number.startswith('0x'):
            digits, _, power = number[2:].partition('p')
            head, _, tail = digits.partition('.')
            x = Fraction(int(head + tail, 16), 16**len(tail)) * Fraction(2)**int(power or 0)
        else:
            x = Fraction(number)
        return s | (round_f32(x, Mode())[0] if x else 0)
    return int(word, 0) & (1 << bits) - 1


def show_f32(b):
    """As a case file spells it: short decimals and powers of two by value, all else in hex."""
    if b == ANYNAN:
        return b
    named = {INF: 'inf', INF | SIGN: '-inf', NAN: 'nan', DEFAULT_NAN: '-nan', 0: '0.0f32', SIGN: '-0.0f32'}
    if b in named:
        return named[b]
    if not is_nan(b) and not is_subnormal(b):
        x, minus = abs(value(b)), '-' if sign(b) else ''
        text = str(x.numerator) + '.0' if x.denominator == 1 else repr(float(x))
        if len(text) <= 8 and 'e' not in text and Fraction(text) == x:
            return minus + text + 'f32'
        if b & 0x7fffff == 0:
            return '%s0x1p%df32' % (minus, exponent_of(x))
    return '0x%08x' % b


def show_int(b, bits=32):
    n = signed(b, bits)
    return str(n) if -100 < n < 10000 else '0x%0*x' % (bits // 4, b) if bits == 32 else '0x%x' % b


def show(alternatives, spell=show_f32):
    words = unique(spell(b) for b in alternatives)
    return words[0] if len(words) == 1 else '{' + '|'.join(words) + '}'


def main():
    import calc_vop
    if len(sys.argv) < 2 or sys.argv[1] not in calc_vop.known():
        sys.exit('calc.py: not an opcode with a rule: ' + (sys.argv[1] if len(sys.argv) > 1 else 'none given'))
    name, words = sys.argv[1], sys.argv[2:]
    fields = dict(w.split('=', 1) for w in words if '=' in w)
    field = int(fields.pop('omod', 0))
    words = [w for w in words if '=' not in w]
    plain = [w for w in words if w != 'clamp']
    if len(plain) != calc_vop.operand_count(name):
        sys.exit('calc.py: %s takes %d operands' % (name, calc_vop.operand_count(name)))
    try:
        operands = [parse(w, calc_vop.operand_bits(name, i)) for i, w in enumerate(plain)]
    except ValueError as e:
        sys.exit('calc.py: not a value: %s' % e)
    found = calc_vop.result(name, Mode(**fields), operands, field, 'clamp' in words)
    carry = calc_vop.carry_out(name, operands)
    print(show(found, calc_vop.spelling(name)) + ('' if carry is None else ' carry %d' % carry))


if __name__ == '__main__':
    main()
