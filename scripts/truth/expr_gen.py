"""Random expressions over scalars and vectors, as text that is OpenCL C and, with the functions of expr_c.py, C.

An expression is free of what either language leaves open: shifts are masked by SHL and SHR, what floats are converted to
saturates, divisors are not 0, NaNs lose payload and sign before their bits are looked at. It has no contraction to lose:
compile it with -ffp-contract=off -fwrapv.

What the text is made of besides operators: as_T(x), CONV(T, x), SAT(T, x), MK2(T, ...), TERN, SHL, SHR, f_NAME(...) for a
built-in function, one(x) for x with a single NaN, number(x) for x with 0 in place of NaN."""
import math
import random
import struct

# element type: bytes, kind, struct's letter
ELEMENTS = {'char': (1, 'i', 'b'), 'uchar': (1, 'u', 'B'), 'short': (2, 'i', 'h'), 'ushort': (2, 'u', 'H'),
            'int': (4, 'i', 'i'), 'uint': (4, 'u', 'I'), 'long': (8, 'i', 'q'), 'ulong': (8, 'u', 'Q'),
            'half': (2, 'f', 'e'), 'float': (4, 'f', 'f'), 'double': (8, 'f', 'd')}
SIGNED = {1: 'char', 2: 'short', 4: 'int', 8: 'long'}
UNSIGNED = {1: 'uchar', 2: 'ushort', 4: 'uint', 8: 'ulong'}
FLOAT = {2: 'half', 4: 'float', 8: 'double'}
WIDTHS = (1, 2, 3, 4, 8)
ROOT_ELEMENTS = ['short', 'ushort', 'half', 'float', 'int', 'uint'] * 3 + ['char', 'uchar', 'long', 'ulong', 'double'] * 2
ROOT_WIDTHS = [1] * 7 + [2] * 9 + [4] * 3 + [8]

INLINE_F16 = (0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118)
INLINE_F32 = (0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983)
INLINE_F64 = (0x3fe0 << 48, 0xbfe0 << 48, 0x3ff0 << 48, 0xbff0 << 48, 0x4000 << 48, 0xc000 << 48, 0x4010 << 48, 0xc010 << 48,
              0x3fc45f306dc9c882)
PLAIN_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 4.0, -4.0, 3.0, 10.0, 0.1, 255.0, 1 / (2 * math.pi), math.inf)


def size(e):
    """Bytes of an element."""
    return ELEMENTS[e][0]


def kind(e):
    """i, u or f: signed, unsigned, float."""
    return ELEMENTS[e][1]


def name(e, n):
    """The type of n elements."""
    return e if n == 1 else f'{e}{n}'


def room(e, n):
    """Bytes in memory: three elements have room for four."""
    return size(e) * (4 if n == 3 else n)


def to_bits(value, e):
    """The bits of a float."""
    return int.from_bytes(struct.pack('<' + ELEMENTS[e][2], value), 'little')


def from_bits(bits, e):
    """The number that the element's bits are."""
    return struct.unpack('<' + ELEMENTS[e][2], bits.to_bytes(size(e), 'little'))[0]


def dword(r):
    """32 bits that an instruction may hold as a constant: inline, also as halves or bytes of a packed operand; or a literal."""
    small = r.randint(-16, 64)
    pick = r.randrange(12)
    if pick < 2:
        return small & 0xffffffff
    if pick < 5:
        return r.choice(INLINE_F32)
    if pick < 6:
        return (small & 0xffff) * 0x10001
    if pick < 8:
        return r.choice(INLINE_F16) * r.choice((1, 0x10000, 0x10001))
    if pick < 9:
        return (small & 0xff) * 0x1010101
    if pick < 10:
        return (1 << r.randint(0, 32)) - r.randint(0, 1) & 0xffffffff
    return r.getrandbits(r.choice((8, 16, 32)))


def qword(r):
    """64 bits that an instruction may hold as a constant, inline or extended from a literal."""
    pick = r.randrange(8)
    if pick < 2:
        return r.choice(INLINE_F64)
    if pick < 4:
        return r.randint(-16, 64) & (1 << 64) - 1
    if pick < 7:
        low = dword(r)
        return r.choice((low, low << 32, low - (1 << 32) & (1 << 64) - 1))
    return r.getrandbits(64)


def spell(value_bits, e):
    """A constant of one element as text."""
    if kind(e) != 'f':
        return f'(({e})0x{value_bits:x}{"ul" if size(e) == 8 else "u"})'
    value = from_bits(value_bits, e)
    if math.isnan(value):
        return f'(({e})NAN)'
    if math.isinf(value):
        return f'(({e}){"-" if value < 0 else ""}INFINITY)'
    return f'(({e}){value.hex()}{"" if e == "double" else "f"})'


def constant_bits(r, e, n):
    """Bits of n elements: repeated words or different ones."""
    word, make = (8, qword) if size(e) == 8 else (4, dword)
    if kind(e) == 'f' and r.random() < 0.4:
        return [to_bits(r.choice(PLAIN_FLOATS), e)] * n
    words = -(-n * size(e) // word)
    image = make(r) if r.random() < 0.6 else None
    data = b''.join((make(r) if image is None else image).to_bytes(word, 'little') for _ in range(words))
    if n * size(e) < 4 and r.random() < 0.5:
        data = data[-n * size(e):]
    return [int.from_bytes(data[i * size(e):(i + 1) * size(e)], 'little') for i in range(n)]


def constant(r, e, n):
    """A constant of a type as text."""
    elements = constant_bits(r, e, n)
    if n == 1:
        return spell(elements[0], e)
    if len(set(elements)) == 1:
        return f'(({name(e, n)}){spell(elements[0], e)})'
    return f'MK{n}({name(e, n)}, {", ".join(spell(bits, e) for bits in elements)})'


class Expression:
    """One expression. text, element e and width n of its result; inputs (name, e, n, start in the pool, is_uniform); needs:
    the functions that C lacks, as keys of expr_c."""

    def __init__(self, ident, pool_elements, rows):
        self.ident = ident
        self.r = random.Random(f'expression {ident}')
        self.inputs, self.needs = [], set()
        self.pool_elements, self.rows = pool_elements, rows
        self.uniform_share = self.r.choice((0, 0, 0, 0.3, 1))
        self.e = self.r.choice(ROOT_ELEMENTS)
        self.n = min(self.r.choice(ROOT_WIDTHS), 32 // size(self.e))
        self.text = self.make(self.e, self.n, self.r.choice((1, 1, 2, 2, 2, 3, 3, 4, 5)))

    def make(self, e, n, fuel):
        """Text of a value of the type; fuel: about how many operations it may have, fewer where each becomes many instructions."""
        fuel = min(fuel, max(1, 24 // room(e, n)))
        if fuel <= 0:
            return self.leaf(e, n)
        table = {'i': INTEGER_OPS, 'u': INTEGER_OPS, 'f': FLOAT_OPS}[kind(e)]
        text = None
        while text is None:
            text = self.r.choice(table)(self, e, n, fuel - 1)
        return text

    def leaf(self, e, n):
        """An input, old or new, or a constant."""
        same = [i[0] for i in self.inputs if i[1:3] == (e, n)]
        if self.inputs and self.r.random() < 0.45:
            return constant(self.r, e, n)
        if same and self.r.random() < 0.4:
            return self.r.choice(same)
        if room(e, n) > 32:
            return f'(({name(e, n)})({self.leaf(e, 1)}))'
        lanes = 4 if n == 3 else n
        last = self.pool_elements - self.rows * lanes
        start = self.r.randrange(0, last + 1, lanes)
        self.inputs.append((f'v{len(self.inputs)}', e, n, start, self.r.random() < self.uniform_share))
        return self.inputs[-1][0]

    def need(self, *key):
        """Notes that C needs a function."""
        self.needs.add(key)

    def split(self, fuel, parts):
        """Fuel for each of several operands."""
        shares = [0] * parts
        for _ in range(fuel):
            shares[self.r.randrange(parts)] += 1
        return shares

    def call(self, function, e, n, operands, result=None):
        """A built-in of operands that are texts of the type."""
        self.need(function, e, n)
        return f'f_{function}({", ".join(operands)})' if result is None else f'as_{name(*result)}(f_{function}({", ".join(operands)}))'

    def operands(self, e, n, fuel, count):
        """Texts of several values of one type."""
        return [self.make(e, n, share) for share in self.split(fuel, count)]

    def condition(self, e, n, fuel):
        """A comparison as wide as n elements of e: an int, or a vector of -1 and 0."""
        if n == 1:
            other = self.r.choice(list(ELEMENTS))
        else:
            other = self.r.choice([x for x in ELEMENTS if size(x) == size(e)])
        if kind(other) == 'f' and self.r.random() < 0.2:
            return self.call(self.r.choice(('isnan', 'isinf', 'isfinite', 'isnormal')), other, n, [self.make(other, n, fuel)])
        a, b = self.operands(other, n, fuel, 2)
        return f'({a} {self.r.choice(("<", "<=", ">", ">=", "==", "!="))} {b})'

    def bits_of(self, text, source, e, n):
        """as_T: the bits of a value of another type of the same bytes."""
        if kind(source[0]) == 'f':
            self.need('one', *source)
            text = f'one({text})'
        self.need('as', e, n, *source)
        text = f'as_{name(e, n)}({text})'
        if kind(e) == 'f':
            self.need('one', e, n)
            text = f'one({text})'
        return text


# -- operations on any type: (expression, e, n, fuel) to text, or None where there is none

def op_ternary(x, e, n, fuel):
    """c ? a : b."""
    c, ab = x.split(fuel, 2)
    condition, (a, b) = x.condition(e, n, c), x.operands(e, n, ab, 2)
    if n == 1:
        return f'(({e})({condition} ? {a} : {b}))'
    x.need('tern', e, n)
    return f'TERN({condition}, {a}, {b})'


def op_select(x, e, n, fuel):
    """select(a, b, c), by the sign of any integer in vectors."""
    c, ab = x.split(fuel, 2)
    a, b = x.operands(e, n, ab, 2)
    return x.call('select', e, n, [a, b, x.make(SIGNED[size(e)], n, c)])


def op_swizzle(x, e, n, fuel):
    """Elements of a vector in another order."""
    wide = x.r.choice(WIDTHS[1:])
    if room(e, wide) > 16:
        return None
    order = ''.join(str(x.r.randrange(wide)) for _ in range(n))
    return f'({x.make(e, wide, fuel)}).s{order}'


def op_gather(x, e, n, fuel):
    """A vector of scalars, each an expression."""
    if n == 1 or n > 4:
        return None
    return f'MK{n}({name(e, n)}, {", ".join(x.operands(e, 1, fuel, n))})'


def op_splat(x, e, n, fuel):
    """A scalar in all elements."""
    return None if n == 1 else f'(({name(e, n)})({x.make(e, 1, fuel)}))'


def op_as(x, e, n, fuel):
    """The bits of another type."""
    total = room(e, n)
    if n == 3:
        return None
    sources = [(o, total // size(o)) for o in ELEMENTS if total % size(o) == 0 and total // size(o) in (1, 2, 4, 8) and o != e]
    source = x.r.choice(sources)
    return x.bits_of(x.make(*source, fuel), source, e, n)


def op_convert(x, e, n, fuel):
    """convert_T of another element type; floats to integers saturate."""
    source = x.r.choice([o for o in ELEMENTS if o != e])
    if room(source, n) > 16:
        return None
    text = x.make(source, n, fuel)
    if kind(e) != 'f' and (kind(source) == 'f' or x.r.random() < 0.4):
        x.need('sat', e, n, source)
        if kind(source) == 'f':  # what NaN becomes is a recommendation only
            x.need('number', source, n)
            text = f'number({text})'
        return f'SAT({name(e, n)}, {text})'
    return f'CONV({name(e, n)}, {text})' if n > 1 else f'CONV1({e}, {text})'


# -- integers

def typed(e, n, text):
    """Arithmetic of small scalars is int's: cut."""
    return f'(({e})({text}))' if n == 1 else f'({text})'


def op_int_binary(x, e, n, fuel):
    """Operators."""
    a, b = x.operands(e, n, fuel, 2)
    return typed(e, n, f'{a} {x.r.choice("+-*+-*&|^")} {b}')


def op_int_constant(x, e, n, fuel):
    """An operator with a constant on one side."""
    a, b = x.make(e, n, fuel), constant(x.r, e, n)
    if x.r.random() < 0.4:
        a, b = b, a
    return typed(e, n, f'{a} {x.r.choice("++--*&|^")} {b}')


def op_shift(x, e, n, fuel):
    """Shifts by another value or by a constant."""
    bits = 8 * size(e) if n > 1 else max(32, 8 * size(e))
    a, b = x.operands(e, n, fuel, 2)
    if x.r.random() < 0.6:
        amounts = [x.r.randrange(8 * size(e)) for _ in range(n)] if x.r.random() < 0.3 else [x.r.randrange(8 * size(e))] * n
        b = spell(amounts[0], e) if n == 1 else f'MK{n}({name(e, n)}, {", ".join(spell(k, e) for k in amounts)})'
    return f'{x.r.choice(("SHL", "SHR"))}({name(e, n)}, {a}, {b}, {bits - 1})'


def op_divide(x, e, n, fuel):
    """/ and % by what is neither 0 nor -1."""
    if n > 2 or x.r.random() < 0.7:
        return None
    a, b = x.operands(e, n, fuel, 2)
    top = (1 << 8 * size(e) - 1) - 1
    return typed(e, n, f'{a} {x.r.choice("/%")} ({b} & {splat(top, e, n)} | {splat(1, e, n)})')


def splat(bits, e, n):
    """One constant in all elements."""
    return spell(bits, e) if n == 1 else f'(({name(e, n)}){spell(bits, e)})'


def op_int_unary(x, e, n, fuel):
    """~ and -."""
    return typed(e, n, f'{x.r.choice("~-")}{x.make(e, n, fuel)}')


def op_compared(x, e, n, fuel):
    """A comparison as a number."""
    text = x.condition(e, n, fuel)
    if n == 1:
        return typed(e, n, text)
    x.need('as', e, n, SIGNED[size(e)], n)
    return f'as_{name(e, n)}({text})'


def op_logic(x, e, n, fuel):
    """Two comparisons."""
    if n > 1 and kind(e) != 'i':
        return None
    first, second = x.split(fuel, 2)
    return typed(e, n, f'{x.condition(e, n, first)} {x.r.choice("&|^")} {x.condition(e, n, second)}')


def op_int_call(x, e, n, fuel):
    """A built-in of one to three operands of the type. The device library adds the low half of a product of longs to mad_sat's
    summand with signed overflow undefined: that summand is 0."""
    function, count = x.r.choice((('min', 2), ('max', 2), ('add_sat', 2), ('sub_sat', 2), ('hadd', 2), ('rhadd', 2), ('mul_hi', 2),
                                  ('rotate', 2), ('mad_hi', 3), ('mad_sat', 3), ('bitselect', 3), ('popcount', 1), ('clz', 1),
                                  ('ctz', 1)))
    if function in ('mad_sat', 'mad_hi', 'mul_hi') and size(e) == 8 and n > 2:
        return None
    operands = x.operands(e, n, fuel, count)
    if count > 1 and x.r.random() < 0.3:
        operands[-1] = constant(x.r, e, n)
    if function == 'mad_sat' and e == 'long':
        operands[-1] = splat(0, e, n)
    return x.call(function, e, n, operands)


def op_abs(x, e, n, fuel):
    """abs and abs_diff, whose results are unsigned. The device library subtracts ints and longs with signed overflow undefined:
    their operands are halved."""
    if kind(e) != 'u':
        return None
    source = x.r.choice((e, SIGNED[size(e)]))
    function, count = x.r.choice((('abs', 1), ('abs_diff', 2)))
    operands = x.operands(source, n, fuel, count)
    if function == 'abs_diff' and source in ('int', 'long'):
        operands = [f'SHR({name(source, n)}, {t}, {splat(1, source, n)}, {8 * size(source) - 1})' for t in operands]
    return x.call(function, source, n, operands)


def op_clamp(x, e, n, fuel):
    """clamp between two constants."""
    low, high = sorted(from_bits(constant_bits(x.r, e, 1)[0], e) for _ in range(2))
    mask = (1 << 8 * size(e)) - 1
    return x.call('clamp', e, n, [x.make(e, n, fuel), splat(low & mask, e, n), splat(high & mask, e, n)])


def op_24(x, e, n, fuel):
    """mul24 and mad24 of what fits. The device library multiplies and adds signed numbers with overflow undefined: the second
    factor has 7 bits, the summand 31."""
    if e not in ('int', 'uint'):
        return None
    t = name(e, n)
    a, b, c = x.operands(e, n, fuel, 3)
    if e == 'uint':
        a, b = (f'({o} & {splat(0xffffff, e, n)})' for o in (a, b))
    else:
        a, b = (f'SHR({t}, SHL({t}, {o}, {splat(k, e, n)}, 31), {splat(k, e, n)}, 31)' for o, k in ((a, 8), (b, 25)))
        c = f'SHR({t}, {c}, {splat(1, e, n)}, 31)'
    return x.call('mul24', e, n, [a, b]) if x.r.random() < 0.4 else x.call('mad24', e, n, [a, b, c])


def op_upsample(x, e, n, fuel):
    """Two values of half the bits side by side."""
    if size(e) == 1:
        return None
    high = (SIGNED if kind(e) == 'i' else UNSIGNED)[size(e) // 2]
    low = UNSIGNED[size(e) // 2]
    first, second = x.split(fuel, 2)
    return x.call('upsample', high, n, [x.make(high, n, first), x.make(low, n, second)])


def op_idiom(x, e, n, fuel):
    """What compilers make one instruction of: bit fields, a median, three operands."""
    t, bits = name(e, n), 8 * size(e)
    top = (bits if n > 1 else max(32, bits)) - 1
    a, b, c = x.operands(e, n, fuel, 3)
    k, m = x.r.randrange(bits), x.r.randrange(1, bits)
    low, high = sorted(from_bits(constant_bits(x.r, e, 1)[0], e) for _ in range(2))
    ones = (1 << bits) - 1
    limit = [x.call('max', e, n, [a, splat(low & ones, e, n)]), splat(high & ones, e, n)]
    return x.r.choice((
        typed(e, n, f'SHR({t}, {a}, {splat(k, e, n)}, {top}) & {splat((1 << m) - 1, e, n)}'),
        f'SHR({t}, SHL({t}, {a}, {splat(m, e, n)}, {top}), {splat(m, e, n)}, {top})',
        typed(e, n, f'{a} + {b} + {c}'), typed(e, n, f'{a} * {b} + {c}'), typed(e, n, f'{a} ^ {b} ^ {c}'),
        typed(e, n, f'({a} & {b}) | (~{a} & {c})'), typed(e, n, f'({a} & {b}) | {c}'),
        typed(e, n, f'SHL({t}, {a}, {splat(k, e, n)}, {top}) + {b}'), typed(e, n, f'SHL({t}, {a}, {splat(k, e, n)}, {top}) | {b}'),
        typed(e, n, f'SHL({t}, {a} + {b}, {splat(k, e, n)}, {top})'), x.call('min', e, n, limit)))


def op_funnel(x, e, n, fuel):
    """Two values shifted together, or one rotated, by operators: a number of bits for each element."""
    if kind(e) != 'u':
        return None
    t, bits = name(e, n), 8 * size(e)
    top = (bits if n > 1 else max(32, bits)) - 1
    a, b = x.operands(e, n, fuel, 2)
    if x.r.random() < 0.5:
        b = a
    left = [x.r.randrange(1, bits) for _ in range(n)] if x.r.random() < 0.5 else [x.r.randrange(1, bits)] * n
    amounts = [[spell(k, e) for k in side] for side in (left, [bits - k for k in left])]
    first, second = (side[0] if n == 1 else f'MK{n}({t}, {", ".join(side)})' for side in amounts)
    return typed(e, n, f'SHL({t}, {a}, {first}, {top}) {x.r.choice("|+")} SHR({t}, {b}, {second}, {top})')


# -- floats

def op_float_binary(x, e, n, fuel):
    """+ - *, not contracted."""
    a, b = x.operands(e, n, fuel, 2)
    if x.r.random() < 0.3:
        b = constant(x.r, e, n)
        if x.r.random() < 0.4:
            a, b = b, a
    return f'({a} {x.r.choice("+-*")} {b})'


def op_fma(x, e, n, fuel):
    """fma, some operands constants."""
    operands = [constant(x.r, e, n) if x.r.random() < 0.15 else t for t in x.operands(e, n, fuel, 3)]
    return x.call('fma', e, n, operands)


def op_float_call(x, e, n, fuel):
    """Minimum, maximum, sign, rounding to an integer."""
    function, count = x.r.choice((('fmin', 2), ('fmax', 2), ('fabs', 1), ('floor', 1), ('ceil', 1), ('trunc', 1), ('rint', 1)))
    operands = x.operands(e, n, fuel, count)
    if count > 1 and x.r.random() < 0.4:
        operands[-1] = constant(x.r, e, n)
    return x.call(function, e, n, operands)


def op_copysign(x, e, n, fuel):
    """copysign, the sign of something without NaN's."""
    a, b = x.operands(e, n, fuel, 2)
    x.need('one', e, n)
    return x.call('copysign', e, n, [a, f'one({b})'])


def op_negate(x, e, n, fuel):
    """-x."""
    return f'(-{x.make(e, n, fuel)})'


def op_limit(x, e, n, fuel):
    """Between two constants, most often 0 and 1."""
    low, high = (0.0, 1.0) if x.r.random() < 0.6 else sorted(x.r.sample(PLAIN_FLOATS, 2), key=lambda v: (v, math.copysign(1, v)))
    inner = x.call('fmax', e, n, [x.make(e, n, fuel), splat(to_bits(low, e), e, n)])
    return x.call('fmin', e, n, [inner, splat(to_bits(high, e), e, n)])


def op_slow(x, e, n, fuel):
    """Division and root, which are correctly rounded; multiples by powers of two."""
    if n > 2 or x.r.random() < 0.7:
        return None
    pick = x.r.randrange(3)
    if pick == 0:
        a, b = x.operands(e, n, fuel, 2)
        return f'({a} / {b})'
    if pick == 1:
        return x.call('sqrt', e, n, [x.make(e, n, fuel)])
    if e == 'half':
        return None
    a, k = x.split(fuel, 2)
    amount = x.call('clamp', 'int', n, [x.make('int', n, k), splat(-300 & 0xffffffff, 'int', n), splat(300, 'int', n)])
    return x.call('ldexp', e, n, [x.make(e, n, a), amount])


ANY_OPS = [op_ternary, op_select, op_swizzle, op_gather, op_splat, op_as, op_convert, op_convert]
INTEGER_OPS = ANY_OPS + [op_int_binary] * 3 + [op_int_constant] * 5 + [op_shift] * 2 + [op_int_call] * 5 + [
    op_int_unary, op_compared, op_logic, op_abs, op_clamp, op_24, op_upsample, op_idiom, op_idiom, op_funnel, op_divide]
FLOAT_OPS = ANY_OPS + [op_float_binary] * 6 + [op_fma] * 3 + [op_float_call] * 3 + [op_copysign, op_negate, op_limit, op_slow]


# -- inputs

def pool(seed, elements):
    """Bytes of the inputs, and where each element type's begin: as many elements of each, edges and random ones. No signaling
    NaN is among them."""
    r = random.Random(f'pool {seed}')
    data, starts = bytearray(), {}
    for e in ELEMENTS:
        bits = 8 * size(e)
        mask = (1 << bits) - 1
        make = qword if bits == 64 else dword
        if kind(e) == 'f':
            values = [to_bits(v, e) for v in PLAIN_FLOATS + (math.nan, -math.inf, -3.0, 0.75, 65504.0, 1e-7, 1000.25, -0.1)]
            exponent = {2: 10, 4: 23, 8: 52}[size(e)]
            values += [1, mask >> 1 & ~((1 << exponent) - 1) - 1 & mask >> 1, (1 << exponent) - 1, 1 << exponent, (1 << exponent) + 1]
            values += [to_bits(r.uniform(-8, 8), e) for _ in range(40)] + [make(r) & mask for _ in range(80)]
            values = [v for v in values if not math.isnan(from_bits(v, e))] + [to_bits(math.nan, e)]
        else:
            values = [0, 1, 2, mask, mask - 1, mask >> 1, (mask >> 1) + 1, (mask >> 1) + 2, 0x55555555 & mask, 0x7f, 0x80]
            values += [r.getrandbits(bits) for _ in range(50)] + [make(r) & mask for _ in range(50)]
            values += [r.getrandbits(r.randint(1, bits)) for _ in range(30)]
        starts[e] = len(data)
        letter = {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[size(e)]
        data += struct.pack(f'<{elements}{letter}', *r.choices(values, k=elements))
        data += bytes(-len(data) % 64)
    return bytes(data), starts
