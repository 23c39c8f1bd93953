#!/usr/bin/env python3
"""Matrix products of gfx908 against sums that are worked out here, with integers only: scripts/truth/mfma.py [OPTION]...

Random matrices - small numbers, spread exponents, sums that cancel, subnormals, infinities and NaN, extreme integers - are dealt
to registers, multiplied by `gcncheck eval`, and each element of the result is looked for among those that the ledger allows:

  MAI-U03  f32: fused, in turn. f16: four products are summed as a tree, then added; or fused, in turn. bf16: two, or in turn.
           Nearest even, subnormals kept. Any quiet NaN. Integers: exact, wrapped or saturated.
  MAI-U01  the layout; MAI-U02 cbsz, abid, blgp; MAI-U04 lanes that are off feed A and B, and keep their D; MODE counts nothing.
  MAI-C04  C as an inline constant, which assemblers refuse: its bits, of a float as f32.

  --count N    matrices of each opcode (150)
  --seed N     names the random choices (1)
  --only WORD  opcodes whose name contains WORD
  --plant WHAT a planted fault in what is expected: order, layout, cbsz, blgp, round, exec, subnormal

Exit code 1 if an element is not allowed. The last line is "N passed, M failed"."""
import argparse
import json
import random
import re
import sys

import ask

MCPU, LANES = 'gfx908', 64
BLOCKS = {'32x32x1f32': 2, '16x16x1f32': 4, '4x4x1f32': 16, '32x32x2f32': 1, '16x16x4f32': 1, '32x32x4f16': 2, '16x16x4f16': 4,
          '4x4x4f16': 16, '32x32x8f16': 1, '16x16x16f16': 1, '32x32x4i8': 2, '16x16x4i8': 4, '4x4x4i8': 16, '32x32x8i8': 1,
          '16x16x16i8': 1, '32x32x2bf16': 2, '16x16x2bf16': 4, '4x4x2bf16': 16, '32x32x4bf16': 1, '16x16x8bf16': 1}
PLANTS = ('', 'order', 'layout', 'cbsz', 'blgp', 'round', 'exec', 'subnormal')
M32 = 0xffffffff
CONSTANTS = {128: 0, 129: 1, 192: 64, 193: M32, 208: M32 - 15, 240: 0x3f000000, 242: 0x3f800000, 247: 0xc0800000}  # code: bits


# ---- f32 on integers: a number is an integer that counts 2^-149, or one of these ----

NAN, INF, NEG_INF, NEG_ZERO = 'nan', 'inf', '-inf', '-0'
UNIT = 149  # a product counts 2^-298
LIMIT = 1 << 128 + UNIT


def number(bits, exponent_bits, fraction_bits):
    """What the bits of a format mean."""
    fraction, top = bits & (1 << fraction_bits) - 1, (1 << exponent_bits) - 1
    exponent, negative = bits >> fraction_bits & top, bits >> exponent_bits + fraction_bits & 1
    if exponent == top:
        return NAN if fraction else NEG_INF if negative else INF
    if exponent:
        fraction |= 1 << fraction_bits
    if not fraction:
        return NEG_ZERO if negative else 0
    low = max(exponent, 1) - (1 << exponent_bits - 1) + 1 - fraction_bits  # 2 to this is the last bit
    magnitude = fraction << low + UNIT
    return -magnitude if negative else magnitude


def bits_of(v):
    """A number that is an f32."""
    if isinstance(v, str):
        return {NAN: 0x7fc00000, INF: 0x7f800000, NEG_INF: 0xff800000, NEG_ZERO: 1 << 31}[v]
    magnitude = abs(v)
    exponent = max(magnitude.bit_length() - 24, 0)
    return (1 << 31 if v < 0 else 0) | (exponent << 23) + (magnitude >> exponent)


# The rounding of the calculators (scripts/calc/lib) and of the predictions (scripts/predict) is not used here, on purpose: each of the
# three is a witness of its own, and an error in one shows in the others.
def rounded(v, unit, flush=False):
    """An integer that counts 2^-(149 + unit), not 0, as an f32: to the nearest, of two the even one."""
    magnitude = abs(v)
    cut = max(magnitude.bit_length() - 24, unit)
    kept = magnitude >> cut
    rest, half = magnitude - (kept << cut), 1 << cut >> 1
    if rest > half or (rest == half and cut and kept & 1):
        kept += 1
    kept <<= cut - unit
    if kept >= LIMIT:
        return NEG_INF if v < 0 else INF
    if not kept or (flush and kept < 1 << 23):
        return NEG_ZERO if v < 0 else 0
    return -kept if v < 0 else kept


def negative(v):
    return v in (NEG_INF, NEG_ZERO) if isinstance(v, str) else v < 0


def infinite(v):
    return v is INF or v is NEG_INF


def zero(v):
    return v is NEG_ZERO or v == 0


def product(a, b):
    """Exact, counting 2^-298; or a name."""
    if isinstance(a, int) and isinstance(b, int) and a and b:
        return a * b
    if a is NAN or b is NAN:
        return NAN
    minus = negative(a) != negative(b)
    if infinite(a) or infinite(b):
        return NAN if zero(a) or zero(b) else NEG_INF if minus else INF
    return NEG_ZERO if minus else 0


def total(a, b, unit, flush):
    """The rounded sum of two numbers that count 2^-(149 + unit)."""
    if isinstance(a, int) and isinstance(b, int):
        return rounded(a + b, unit, flush) if a + b else 0
    if a is NAN or b is NAN or (infinite(a) and infinite(b) and a is not b):
        return NAN
    if infinite(a) or infinite(b):
        return a if infinite(a) else b
    if a is NEG_ZERO and b is NEG_ZERO:
        return NEG_ZERO
    other = a if b is NEG_ZERO else b
    return rounded(other, unit, flush) if other else 0


class Arithmetic:
    """fma, mul and add; flush is a planted fault."""

    def __init__(self, flush=False):
        self.flush = flush

    def fma(self, a, b, c):
        return total(product(a, b), c << UNIT if isinstance(c, int) else c, UNIT, self.flush)

    def mul(self, a, b):
        p = product(a, b)
        return rounded(p, UNIT, self.flush) if isinstance(p, int) and p else p

    def add(self, a, b):
        return total(a, b, 0, self.flush)


# ---- the opcodes ----

class Opcode:
    """n rows and columns of each block; depth products an element; bits of one of A; each elements of a row of A in a lane."""

    def __init__(self, name, blocks):
        self.name, self.blocks = name, blocks
        size, depth, self.format = re.search(r'_(\d+)x\d+x(\d+)([a-z]+\d+)$', name).groups()
        self.n, self.depth = int(size), int(depth)
        self.bits = {'f32': 32, 'f16': 16, 'bf16': 16, 'i8': 8}[self.format]
        self.each = self.depth * self.n * blocks // LANES
        self.sources, self.results = max(1, self.each * self.bits // 32), self.n * self.n * blocks // LANES
        self.group = {'f16': 4, 'bf16': 2}.get(self.format)

    def deal(self, lane, at):
        """Block, row (of B column) and depth of the at-th element of a lane."""
        return lane // self.n % self.blocks, lane % self.n, lane // (self.n * self.blocks) * self.each + at

    def home(self, register, lane):
        """Block, row and column of what a register of D holds in a lane."""
        if self.n == 4:
            return lane // 4, register, lane % 4
        a_block = self.n * self.n // LANES
        inside = register % a_block
        return register // a_block, inside // 4 * (256 // self.n) + lane // self.n * 4 + inside % 4, lane % self.n

    def value(self, bits):
        if self.format == 'i8':
            return bits - 256 if bits & 128 else bits
        if self.format == 'f16':
            return number(bits, 5, 10)
        return number(bits << 16 if self.format == 'bf16' else bits, 8, 23)


OPCODES = [Opcode(f'v_mfma_{"i" if shape.endswith("i8") else "f"}32_{shape}', blocks) for shape, blocks in BLOCKS.items()]


def allowed(op, arithmetic, row, column, c):
    """Results of an element that the ledger allows, the one that the model has to prefer first; c: bits."""
    if op.format == 'i8':
        exact = (c - (1 << 32) if c >> 31 else c) + sum(x * y for x, y in zip(row, column))
        return [exact & M32, min(max(exact, -1 << 31), (1 << 31) - 1) & M32]
    start = in_turn = number(c, 8, 23)
    for x, y in zip(row, column):
        in_turn = arithmetic.fma(x, y, in_turn)
    if not op.group:
        return [bits_of(in_turn)]
    grouped = start
    for first in range(0, op.depth, op.group):
        sums = [arithmetic.mul(x, y) for x, y in zip(row[first:first + op.group], column[first:first + op.group])]
        while len(sums) > 1:
            sums = [arithmetic.add(sums[k], sums[k + 1]) for k in range(0, len(sums), 2)]
        grouped = arithmetic.add(grouped, sums[0])
    return [bits_of(grouped), bits_of(in_turn)]


# ---- values ----

FORMATS = {'f32': (8, 23), 'f16': (5, 10), 'bf16': (8, 7)}


class Values:
    """Elements of one style; those that cancel come from a few numbers and their negatives, a last bit apart."""

    STYLES = ('spread', 'near', 'cancel', 'subnormal', 'special', 'small')

    def __init__(self, rng, form, style):
        self.rng, self.form, self.style = rng, form, style
        self.pool = [self.finite(4) for _ in range(3)] if form != 'i8' else []

    def finite(self, reach):
        exponent_bits, fraction_bits = FORMATS[self.form]
        bias = (1 << exponent_bits - 1) - 1
        exponent = bias + self.rng.randint(-reach, reach)
        return self.rng.getrandbits(1) << exponent_bits + fraction_bits | exponent << fraction_bits | self.rng.getrandbits(fraction_bits)

    def draw(self):
        rng = self.rng
        if self.form == 'i8':
            return rng.choice((0x80, 0x80, 0x7f, 0x81, 0xff)) if self.style in ('special', 'cancel') else rng.getrandbits(8)
        exponent_bits, fraction_bits = FORMATS[self.form]
        sign, top = rng.getrandbits(1) << exponent_bits + fraction_bits, (1 << exponent_bits) - 1
        if self.style == 'cancel':
            return rng.choice(self.pool) ^ sign ^ (rng.random() < 0.3)
        if self.style == 'subnormal':
            low = {'f32': 60, 'bf16': 60, 'f16': 0}[self.form]
            exponent = rng.choice((0, 0, 1, low + rng.randint(0, 8), top >> 1))
            return sign | exponent << fraction_bits | rng.getrandbits(fraction_bits)
        if self.style == 'special' and rng.random() < 0.15:
            return sign | rng.choice((0, 0, top << fraction_bits, top << fraction_bits | 1, (top << fraction_bits) - 1, 1))
        if self.style == 'small':
            return sign | ((top >> 1) + rng.randint(0, 2)) << fraction_bits if rng.random() < 0.8 else sign
        return self.finite(1 if self.style == 'near' else min(12, top // 4))


def accumulators(op, rng, style):
    """Values of C."""
    if op.format == 'i8':
        return lambda: rng.choice((0x7fffffff, 0x80000000, 0, M32, 0x7fff0000)) if style == 'special' else rng.getrandbits(32)
    values = Values(rng, 'f32', style)
    zeros = style == 'cancel'
    return lambda: 0 if zeros and rng.random() < 0.5 else values.draw()


# ---- a matrix ----

class Case:
    """One product: registers, modifiers, state, and what may come of it."""

    def __init__(self, op, rng, plant):
        self.op, self.plant, style = op, plant, rng.choice(Values.STYLES)
        values = Values(rng, op.format, style)
        self.a, self.b = ([[sum(values.draw() << op.bits * k for k in range(32 // op.bits)) for _ in range(LANES)]
                           for _ in range(op.sources)] for _ in 'AB')
        draw = accumulators(op, rng, style)
        self.c = [[draw() for _ in range(LANES)] for _ in range(op.results)]
        self.cbsz = rng.randint(0, op.blocks.bit_length() - 1) if rng.random() < 0.5 else 0
        self.abid = rng.randrange(1 << self.cbsz)
        self.blgp = rng.choice((0, 0, 1, 2, 3, 4, 5, 6, 7))
        self.constant = rng.choice(list(CONSTANTS)) if rng.random() < 0.15 else None
        self.in_place = self.constant is None and rng.random() < 0.3
        self.exec = (1 << LANES) - 1 if rng.random() < 0.6 else rng.getrandbits(LANES)
        self.mode = '3f0' if rng.random() < 0.5 else '%x' % rng.getrandbits(10)
        self.files = rng.choice('va'), rng.choice('va')
        self.old = rng.getrandbits(32)
        if self.constant is not None:
            self.c = [[CONSTANTS[self.constant]] * LANES for _ in range(op.results)]

    def text(self):
        def span(file, first, count):
            return f'{file}{first}' if count == 1 else f'{file}[{first}:{first + count - 1}]'
        count = self.op.results
        a, b = (span(file, first, self.op.sources) for file, first in zip(self.files, (80, 90)))
        modifiers = ''.join(f' {name}:{v}' for name, v in (('cbsz', self.cbsz), ('abid', self.abid), ('blgp', self.blgp)) if v)
        return f'{self.op.name} {span("a", 0, count)}, {a}, {b}, {span("a", 0 if self.in_place else 40, count)}{modifiers}'

    def code(self, assembled):
        """With the constant in the place of C, if there is one: bits 26 to 18 of the second dword."""
        if self.constant is None:
            return assembled
        first, second = assembled.split()
        return f'{first} {int(second, 16) & ~(0x1ff << 18) | self.constant << 18:08x}'

    def places(self):
        places = {'exec': '%x' % self.exec, 'mode': self.mode}
        for file, first, source in ((self.files[0], 80, self.a), (self.files[1], 90, self.b)):
            places |= {f'{file}{first + k}': ['%x' % v for v in values] for k, values in enumerate(source)}
        for k, values in enumerate(self.c):
            if not self.in_place:
                places[f'a{k}'] = '%x' % self.old
            if self.constant is None:
                places[f'a{k if self.in_place else 40 + k}'] = ['%x' % v for v in values]
        return places

    def matrix(self, registers, lane_of):
        """[block][row] is the list of elements in the order of their depth."""
        op = self.op
        out = [[[0] * op.depth for _ in range(op.n)] for _ in range(op.blocks)]
        for lane in range(LANES):
            source = lane_of(lane)
            for k in range(op.each):
                at = k * op.bits
                block, row, depth = op.deal(lane, k)
                out[block][row][depth] = op.value(registers[at // 32][source] >> at % 32 & (1 << op.bits) - 1)
        return out

    def shuffled(self, lane):
        """blgp: the lane that a lane of B comes from."""
        if self.plant == 'blgp' or not self.blgp:
            return lane
        if self.blgp < 3:
            return lane % 32 + (32 if self.blgp == 2 else 0)
        return (lane + 16) % LANES if self.blgp == 3 else (self.blgp - 4) * 16 + lane % 16

    def lender(self, block):
        """cbsz, abid: the block whose A a block uses."""
        return block if self.plant == 'cbsz' else (block >> self.cbsz << self.cbsz) + self.abid

    def expected(self, arithmetic):
        """Yields register, lane, and results that are allowed; or None in a lane that is off."""
        a, b = self.matrix(self.a, lambda lane: lane), self.matrix(self.b, self.shuffled)
        for register in range(self.op.results):
            for lane in range(LANES):
                if not self.exec >> lane & 1 and self.plant != 'exec':
                    yield register, lane, None
                    continue
                block, row, column = self.op.home(register, lane)
                if self.plant == 'layout':
                    row, column = column, row
                yield register, lane, allowed(self.op, arithmetic, a[self.lender(block)][row], b[block][column], self.c[register][lane])

    def kept(self, register, lane):
        return self.c[register][lane] if self.in_place else self.old


def is_nan(bits):
    return bits & 0x7fffffff > 0x7f800000


class Count:
    """Elements of one opcode: preferred: the first of what is allowed; telling: where its alternatives differ from it."""

    def __init__(self):
        self.matrices = self.elements = self.preferred = self.telling = self.other = self.nans = self.off = self.differ = 0
        self.failures = []

    def enter(self, case, register, lane, got, answers):
        self.elements += 1
        if answers is None:
            self.off += 1
            good = got == case.kept(register, lane)
        else:
            quiet = is_nan(got) and got >> 22 & 1 and case.op.format != 'i8'
            hits = [got == v or (quiet and is_nan(v)) for v in answers]
            good = any(hits)
            self.preferred += hits[0]
            self.telling += len({0x7fc00000 if is_nan(v) else v for v in answers}) > 1
            self.other += good and not hits[0]
            self.nans += bool(quiet)
        if not good:
            self.differ += 1
            if len(self.failures) < 3:
                wanted = 'unchanged' if answers is None else ' or '.join(f'{v:#x}' for v in answers)
                self.failures.append((case, register, lane, got, wanted))


def reproduction(case, assembled, register, lane, got, wanted):
    """All lanes are given: which of them meet in an element is what may be wrong. Text cannot name a constant as C: its code is asked."""
    what = f'a{register} lane {lane}: {got:#x}, wanted {wanted}'
    if case.constant is not None:
        question = json.dumps({'id': 1, 'code': case.code(assembled), 'in': case.places()}, separators=(',', ':'))
        return f"{case.text()} with C = {CONSTANTS[case.constant]:#x}: {what}\n    echo '{question}' | gcncheck eval --mcpu {MCPU} --jsonl"
    places = ' '.join(f'{p}={",".join("0x" + x for x in v) if isinstance(v, list) else "0x" + v}' for p, v in case.places().items())
    return f"{case.text()}: {what}\n    gcncheck eval --mcpu {MCPU} '{case.text()}' {places}"


def check(op, o):
    rng = random.Random(f'{o.seed}/{op.name}')
    plain = Arithmetic(o.plant == 'subnormal')
    count = Count()
    cases = [Case(op, rng, o.plant) for _ in range(o.count)]
    assembled = ask.assemble([case.text() for case in cases], MCPU)
    if None in assembled:
        raise ask.Failed(f'asm: {cases[assembled.index(None)].text()}')
    for case, code, answer in zip(cases, assembled, ask.evaluate([(case.code(code), case.places()) for case, code in zip(cases, assembled)], MCPU)):
        if 'error' in answer:
            raise ask.Failed(f'{case.text()}: {answer["error"]}')
        before = case.places()
        got = [ask.lanes(answer['out'].get(f'a{k}', before.get(f'a{k}', '0'))) for k in range(op.results)]
        extra = set(answer['out']) - {f'a{k}' for k in range(op.results)}
        if extra:
            count.failures.append((case, 0, 0, 0, f'{sorted(extra)} unchanged'))
            count.differ += 1
        count.matrices += 1
        for register, lane, answers in case.expected(plain):
            if o.plant == 'order' and answers:
                answers = answers[1:]
            if o.plant == 'round' and answers:
                answers = [v + 1 for v in answers]
            count.enter(case, register, lane, got[register][lane], answers)
    for case, register, lane, seen, wanted in count.failures:
        print(reproduction(case, assembled[cases.index(case)], register, lane, seen, wanted))
    return count


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('--count', type=int, default=150)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--only', default='')
    p.add_argument('--plant', default='', choices=PLANTS)
    o = p.parse_args()
    columns = ('matrices', 'elements', 'preferred', 'telling', 'other', 'nans', 'off', 'differ')
    print(f'{"opcode":24}' + ''.join(f'{c:>10}' for c in columns))
    sums = dict.fromkeys(columns, 0)
    for op in OPCODES:
        if o.only not in op.name:
            continue
        count = check(op, o)
        print(f'{op.name:24}' + ''.join(f'{getattr(count, c):10}' for c in columns))
        sums = {c: sums[c] + getattr(count, c) for c in columns}
    print(f'{"all":24}' + ''.join(f'{sums[c]:10}' for c in columns))
    print(f'{sums["elements"] - sums["differ"]} passed, {sums["differ"]} failed')
    return 1 if sums['differ'] or not sums['elements'] else 0


if __name__ == '__main__':
    sys.exit(main())
