#!/usr/bin/env python3
"""Expected values for directed cases, from the manual's rules in whole numbers and exact fractions.

    scripts/calc/lib/calc.py v_fma_f32 1.5f32 0x3f800001 -1.0f32 round=rtz denorm=flush ieee=0 omod=2 clamp

prints the result, or its alternatives {a|b}, as a case file spells them. It shares nothing with the oracle.
The rules of f32 are here, over ieee.py; the rules of the vector opcodes are in calc_vop.py.
"""
import sys
from fractions import Fraction

import ieee
from ieee import ANYNAN, F32, exponent_of, floor, signed, to_whole, unique

NAN, SNAN, DEFAULT_NAN = 0x7fc00000, 0x7f800001, F32.default_nan
INF, MAX, MIN_NORMAL, SIGN = F32.inf, F32.max, 0x00800000, F32.sign
ONE, QUIET = F32.one, F32.quiet


class Mode(ieee.Mode):
    """MODE as far as f32 arithmetic reads it; the defaults are those of the case files."""

    def __init__(self, **fields):
        super().__init__()
        self.dx10_clamp = True
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


is_nan, is_snan, is_inf, is_zero, is_subnormal = F32.is_nan, F32.is_snan, F32.is_inf, F32.is_zero, F32.is_subnormal
value = F32.value


def sign(b): return b & SIGN
def quiet(b): return b | QUIET
def round_f32(x, m): return m.rounded(F32, x)
def flush_in(b, m): return ieee.flush(F32, m, b)
def nan_result(m, *operands): return m.nans(F32, *operands)
def add(m, a, b): return ieee.add(F32, m, a, b)
def mul(m, a, b): return ieee.mul(F32, m, a, b)
def fma(m, a, b, c): return ieee.fma(F32, m, a, b, c)
def to_integral(m, b, direction): return ieee.to_integral(F32, m, b, direction)
def fract(m, b): return ieee.fract(F32, m, b)


def sub(m, a, b):
    """The sign of a NaN that is subtracted is not settled."""
    total = add(m, a, b ^ SIGN)
    return unique([x ^ SIGN for x in total] + total) if is_nan(b) and not is_nan(a) else total


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


def minimum(m, a, b): return select(m, a, b, lambda x, y: (F32.extended(x), 0 if sign(x) else 1) < (F32.extended(y), 0 if sign(y) else 1))
def maximum(m, a, b): return select(m, a, b, lambda x, y: (F32.extended(x), 0 if sign(x) else 1) > (F32.extended(y), 0 if sign(y) else 1))


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
