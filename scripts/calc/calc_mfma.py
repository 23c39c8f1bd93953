#!/usr/bin/env python3
"""Writes the case files of the matrix products of gfx908: scripts/calc/calc_mfma.py cases

Matrices are multiplied as matrices, with the floats of scripts/calc/lib/calc.py; then their elements are dealt to lanes and registers
as AMD's calculator of matrix instructions does it."""
import pathlib
import random
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import calc
import calc_f16
import casetext
from calc import Mode
from calc_f16_cases import File

M = Mode()
ERRATA = 'MAI-U01 MAI-U03'


class Product:
    """One opcode: blocks of n rows and columns, depth products an element. In numbers of the calculator: w bits an
    element, epg elements of a row in one lane."""

    def __init__(self, name, blocks):
        self.name, self.blocks = name, blocks
        size, _, depth, self.format = re.match(r'v_mfma_[fi]32_(\d+)x(\d+)x(\d+)(\w+)', name).groups()
        self.n, self.depth = int(size), int(depth)
        self.w = {'f32': 32, 'f16': 16, 'bf16': 16, 'i8': 8}[self.format]
        self.epg = self.depth // (64 // (self.n * blocks))
        self.sources = max(1, self.epg * self.w // 32)
        self.results = self.n * self.n * blocks // 64

    def a_place(self, block, i, k):
        """lane, register, bit of A[i][k]; B[k][j] is dealt alike."""
        inside = k % self.epg
        return block * self.n + k // self.epg * self.n * self.blocks + i, inside * self.w // 32, inside % (32 // self.w) * self.w

    def d_place(self, block, i, j):
        """register, lane of D[i][j]."""
        if self.n == 4:
            return i, block * 4 + j
        per_quad = 64 // self.n
        return block * self.n * self.n // 64 + i // (4 * per_quad) * 4 + i % 4, i // 4 % per_quad * self.n + j


PRODUCTS = [Product(name, blocks) for name, blocks in (
    ('v_mfma_f32_32x32x1f32', 2), ('v_mfma_f32_16x16x1f32', 4), ('v_mfma_f32_4x4x1f32', 16), ('v_mfma_f32_32x32x2f32', 1),
    ('v_mfma_f32_16x16x4f32', 1), ('v_mfma_f32_32x32x4f16', 2), ('v_mfma_f32_16x16x4f16', 4), ('v_mfma_f32_4x4x4f16', 16),
    ('v_mfma_f32_32x32x8f16', 1), ('v_mfma_f32_16x16x16f16', 1), ('v_mfma_i32_32x32x4i8', 2), ('v_mfma_i32_16x16x4i8', 4),
    ('v_mfma_i32_4x4x4i8', 16), ('v_mfma_i32_32x32x8i8', 1), ('v_mfma_i32_16x16x16i8', 1), ('v_mfma_f32_32x32x2bf16', 2),
    ('v_mfma_f32_16x16x2bf16', 4), ('v_mfma_f32_4x4x2bf16', 16), ('v_mfma_f32_32x32x4bf16', 1), ('v_mfma_f32_16x16x8bf16', 1))]


# ---- arithmetic: an element of D, from the bits of its row, its column and C ----

def f32_of(p, bits):
    if p.format == 'f16':
        return calc_f16.widen(calc_f16.Mode(), bits)[0]
    return bits << 16 if p.format == 'bf16' else bits


def pick(alternatives):
    """One result; a NaN is any."""
    return 'anynan' if any(v == calc.ANYNAN or calc.is_nan(v) for v in alternatives) else alternatives[0]


def fold(op, *args):
    return 'anynan' if 'anynan' in args else pick(op(M, *args))


def signed(v, bits):
    return v - (1 << bits) if v >> bits - 1 else v


def element(p, row, column, c):
    """The alternatives."""
    if p.format == 'i8':
        total = signed(c, 32) + sum(signed(x, 8) * signed(y, 8) for x, y in zip(row, column))
        return sorted({total & 0xffffffff, min(max(total, -2**31), 2**31 - 1) & 0xffffffff})
    a, b = [f32_of(p, v) for v in row], [f32_of(p, v) for v in column]
    in_turn = c
    for x, y in zip(a, b):
        in_turn = fold(calc.fma, x, y, in_turn)
    if p.format == 'f32':
        return [in_turn]
    products = [fold(calc.mul, x, y) for x, y in zip(a, b)]
    acc, group = c, 4 if p.format == 'f16' else 2
    for k in range(0, p.depth, group):
        sums = [fold(calc.add, products[i], products[i + 1]) for i in range(k, k + group, 2)]
        acc = fold(calc.add, acc, fold(calc.add, *sums) if len(sums) == 2 else sums[0])
    return [acc] if in_turn == acc else [acc, in_turn]


# ---- values ----

def small(p, rng):
    """Whole numbers whose sums are exact in every format and order."""
    v = rng.randint(-9, 9)
    return float_bits(p, v)


def float_bits(p, v):
    if p.format == 'i8':
        return v & 0xff
    single = pick(calc.round_f32(calc.Fraction(v), M)) if v else 0
    return {'f32': single, 'bf16': single >> 16, 'f16': half_bits(v)}[p.format]


def half_bits(v):
    """A small whole number as f16."""
    if v == 0:
        return 0
    e = abs(v).bit_length() - 1
    return (0x8000 if v < 0 else 0) | e + 15 << 10 | (abs(v) << 10 - e) & 0x3ff


SPREAD = {'f32': (8, 23, 120, 134), 'f16': (5, 10, 9, 22), 'bf16': (8, 7, 118, 134)}  # bits of exponent, fraction; exponents


def spread(p, rng):
    """Fractions of all bits and exponents apart, so that every sum rounds."""
    if p.format == 'i8':
        return rng.randrange(256)
    exponent, fraction, low, high = SPREAD[p.format]
    return rng.getrandbits(1) << exponent + fraction | rng.randint(low, high) << fraction | rng.getrandbits(fraction)


def edge(p, rng):
    if p.format == 'i8':
        return rng.choice((0x80, 0x7f, 0xff, 0, 1))
    exponent, fraction, _, _ = SPREAD[p.format]
    top = (1 << exponent) - 1
    one = (1 << exponent - 1) - 1 << fraction
    # sums of subnormals need products that are 0: halves make none of their own
    magnitude = rng.choice([0] * (20 if p.format == 'f16' else 2) + [1, (1 << fraction) - 1, 1 << fraction, one, one, one + 1, top - 1 << fraction] +
                           ([top << fraction, top << fraction | 1 << fraction - 1] if rng.random() < 0.2 else []))
    return rng.getrandbits(1) << exponent + fraction | magnitude


def acc_small(p, rng):
    v = rng.randint(-99, 99)
    return v & 0xffffffff if p.format == 'i8' else pick(calc.round_f32(calc.Fraction(v), M)) if v else 0


def acc_spread(p, rng):
    return rng.getrandbits(1) << 31 | rng.randint(118, 134) << 23 | rng.getrandbits(23) if p.format != 'i8' else rng.getrandbits(32)


def acc_edge(p, rng):
    edges = (0x7fffffff, 0x80000000, 0x7fffff00, 0x80000100) if p.format == 'i8' else (0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x3f800000)
    return rng.choice(edges)


# ---- tests ----

def matrices(p, value, acc, rng):
    def some(rows, columns, what): return [[[what(p, rng) for _ in range(columns)] for _ in range(rows)] for _ in range(p.blocks)]
    return some(p.n, p.depth, value), some(p.n, p.depth, value), some(p.n, p.n, acc)  # A by rows, B by columns, C


def deal(p, x):
    """registers[r][lane] of A or B."""
    registers = [[0] * 64 for _ in range(p.sources)]
    for block in range(p.blocks):
        for i in range(p.n):
            for k in range(p.depth):
                lane, reg, bit = p.a_place(block, i, k)
                registers[reg][lane] |= x[block][i][k] << bit
    return registers


def undeal(p, registers):
    out = [[[0] * p.depth for _ in range(p.n)] for _ in range(p.blocks)]
    for block in range(p.blocks):
        for i in range(p.n):
            for k in range(p.depth):
                lane, reg, bit = p.a_place(block, i, k)
                out[block][i][k] = registers[reg][lane] >> bit & (1 << p.w) - 1
    return out


def b_lane(blgp, lane):
    return (lane, lane % 32, 32 + lane % 32, (lane + 16) % 64)[blgp] if blgp < 4 else (blgp - 4) * 16 + lane % 16


def word(alternatives):
    out = ['anynan' if v == 'anynan' else f'{v:#010x}' for v in alternatives]
    return out[0] if len(out) == 1 else '{' + '|'.join(out) + '}'


def span(file, first, count):
    return f'{file}{first}' if count == 1 else f'{file}[{first}:{first + count - 1}]'


def test(out, p, title, kinds, shown, cbsz=0, abid=0, blgp=0, file='v', in_place=False, mode=None, errata=ERRATA, off=()):
    """The registers of D in `shown` are compared, all lanes of them."""
    rng = random.Random(f'{p.name} {title}')
    a, b, c = matrices(p, *kinds, rng)
    a_regs, b_regs = deal(p, a), deal(p, b)
    b_used = undeal(p, [[reg[b_lane(blgp, lane)] for lane in range(64)] for reg in b_regs])
    c_first, d_first = (0, 0) if in_place else (64, 0)
    c_at, d_at = {}, {}
    for block in range(p.blocks):
        for i in range(p.n):
            for j in range(p.n):
                reg, lane = p.d_place(block, i, j)
                if reg in shown:
                    from_block = block - block % 2**cbsz + abid
                    c_at[reg, lane] = c[block][i][j]
                    d_at[reg, lane] = ['same'] if lane in off else element(p, a[from_block][i], b_used[block][j], c[block][i][j])
    names = [f'{file}{160 + r}' for r in range(p.sources)] + [f'{file}{170 + r}' for r in range(p.sources)] + [f'a{c_first + r}' for r in shown]
    columns = names + (['exec'] if off else []) + ['|'] + [f'a{d_first + r}' for r in shown]
    rows = []
    for lane in range(64):
        row = [f'{reg[lane]:#x}' for reg in a_regs + b_regs] + [f'{c_at[r, lane]:#x}' for r in shown]
        rows.append(row + ([int(lane not in off)] if off else []) + ['|'] + ['same' if lane in off else word(d_at[r, lane]) for r in shown])
    modifiers = ''.join(f' {n}:{v}' for n, v in (('cbsz', cbsz), ('abid', abid), ('blgp', blgp)) if v)
    code = (f'{p.name} {span("a", d_first, p.results)}, {span(file, 160, p.sources)}, {span(file, 170, p.sources)}, '
            f'{span("a", c_first, p.results)}{modifiers}')
    out.test(title, code, columns, rows, mode=mode, errata=errata)
    hidden = [f'a{d_first + r} = ?' for r in range(p.results) if r not in shown]
    lines = [hidden[i:i + 8] for i in range(0, len(hidden), 8)]
    at = max(i for i, line in enumerate(out.lines) if line == 'code')
    out.lines[at:at] = ['out   ' + '\n      '.join('  '.join(line) for line in lines)] if hidden else []


def layout(p):
    """Product.a_place and d_place from the lane's side, in words."""
    n, held = p.n, p.n * p.n // 64
    a = f'Lane l (divisions are whole): row l % {n} of A, column l % {n} of B'
    a += f', block l / {n}' if p.blocks > 1 else ''
    if p.depth > p.epg:
        a += f', k = l / {n}' + (f' * {p.epg} + 0 to {p.epg - 1}' if p.epg > 1 else '')
    a += '; the first k in the lowest bits.' if p.epg > 1 else '.'
    if n == 4:
        return [a, 'Register r of C and D in lane l: row r, column l % 4, block l / 4.']
    row = f'l / {n} * 4 + r % 4'
    if n == 32:
        row = ('r % 16' if p.blocks > 1 else 'r') + ' / 4 * 8 + ' + row
    return [a, f'Register r of C and D in lane l: row {row}, column l % {n}' + (f', block r / {held}.' if p.blocks > 1 else '.')]


EXACT, ROUNDING, EDGES = (small, acc_small), (spread, acc_spread), (edge, acc_edge)


def write(folder, p, number):
    rows = f'{p.blocks} block{"s" if p.blocks > 1 else ""} of {p.n} rows and columns'
    out = File([f'A matrix product: {rows}, {p.depth} product{"s" if p.depth > 1 else ""} of {p.format} added to each element.',
                'MI100 ISA, chapters 7 and 12. Expectations: scripts/calc/calc_mfma.py.', *layout(p)])
    few = {4: [0, 1, 2, 3], 16: [0, 6, 9, 15], 32: [0, 13, 18, 31]}[p.results]
    test(out, p, 'where elements stand', EXACT, few, errata='MAI-U01')
    test(out, p, 'rounding', ROUNDING, few[1:3])
    test(out, p, 'edges', EDGES, few[2:])
    test(out, p, 'MODE does not count', ROUNDING, few[:1], mode='fp32_round=rtz fp32_denorm=flush fp64_round=rtp fp64_denorm=flush')
    test(out, p, 'subnormals are kept though MODE flushes', EDGES, few[1:2], mode='fp32_denorm=flush fp64_denorm=flush')
    test(out, p, 'A and B in accumulation registers, D is C', EXACT, few[2:3], file='a', in_place=True, errata='MAI-C05 MAI-U01')
    for cbsz in range(1, p.blocks.bit_length()):
        abids = sorted({0, 1, 2**cbsz - 1})[-2:]
        for abid in abids:
            test(out, p, f'cbsz {cbsz} abid {abid}', EXACT, few[-1:], cbsz=cbsz, abid=abid, errata='MAI-U01 MAI-U02')
    for blgp in range(1, 8) if p.n == 4 else (1 + number % 7, 1 + (number + 3) % 7):
        test(out, p, f'blgp {blgp}', EXACT, few[:1], blgp=blgp, errata='MAI-U01 MAI-U02')
    test(out, p, 'lanes that are off take part and keep what they have', EXACT, few[:1], errata='MAI-U04', off={0, 7, 31, 32, 50, 62})
    casetext.write(folder / (p.name + '.case'), out.text())


def main():
    folder = pathlib.Path(sys.argv[1]) / 'mai'
    for number, p in enumerate(PRODUCTS):
        write(folder, p, number)


main()
