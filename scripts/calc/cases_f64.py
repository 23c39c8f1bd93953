#!/usr/bin/env python3
"""Writes the case files of the f64 opcodes.

    scripts/calc/cases_f64.py cases [OPCODE]...

What is asked of each opcode stands here; the answers are worked out by calc_f64.py, and those of the compares by
Python's own comparison of doubles.
"""
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import calc_f64 as calc
import casetext
from calc_f64 import F64, Mode
from calc_vopc import FLOAT_TESTS, WORDS, table

ROUNDINGS = (('nearest even', 'rne'), ('plus infinity', 'rtp'), ('minus infinity', 'rtn'), ('zero', 'rtz'))
DENORMS = (('kept as operands', 'keep_in'), ('kept as results', 'keep_out'), ('flushed', 'flush'))
MODE_WORDS = {'round': 'fp64_round', 'denorm': 'fp64_denorm', 'f32_round': 'fp32_round', 'f32_denorm': 'fp32_denorm'}
MODIFIERS = ((), ('clamp',), ('mul:2',), ('mul:4',), ('div:2',))


def mode_line(mode):
    return ['mode ' + ' '.join('%s=%s' % (MODE_WORDS.get(k, k), v) for k, v in mode.items())] if mode else []


def register(kind, first): return 'v[%d:%d]' % (first, first + 1) if kind == 'd' else 'v%d' % first


class Opcode:
    """One opcode with register operands; v[2:3], v[4:5], v[6:7] are its sources, v[0:1] is its result."""

    def __init__(self, name, what):
        self.name, self.what = name, what
        self.kinds, self.kind, _ = calc.RULES[name]
        self.vector = self.kinds.replace('c', '')
        self.sources = [register(k, 2 * i + 2) for i, k in enumerate(self.vector)]
        self.is_vop1 = len(self.kinds) == 1
        self.lines = ['case-format 1', '# ' + what]
        if not self.is_vop1:
            self.long = name
        else:
            self.long = name + '_e64'

    def spelled(self, line):
        """One instruction: (result register, [(neg, abs) per source], output modifier, omod, clamp)"""
        dst, negabs, out = line
        ops = ['-' * n + ('|%s|' % s if a else s) for s, (n, a) in zip(self.sources, negabs)]
        plain = not any(n or a for n, a in negabs) and not out
        return '    %s %s, %s%s' % (self.name if plain else self.long, dst, ', '.join(ops), ' ' + out if out else '')

    def operands(self, words): return [calc.parse(w, k) for w, k in zip(words, self.kinds)]

    def answer(self, mode, operands, negabs, out):
        given = [calc.modified(k, b, n, a) if k in 'ds' else b for b, k, (n, a) in zip(operands, self.kinds, negabs + [(0, 0)])]
        field = {'mul:2': 1, 'mul:4': 2, 'div:2': 3}.get(out, 0)
        return calc.show(self.kind, calc.result(self.name, mode, given, field, out == 'clamp'))

    def test(self, title, rows, mode={}, instructions=None, forms=''):
        """rows: words of the operands. instructions: [(negabs, output modifier)]."""
        none = [(0, 0)] * len(self.vector)
        instructions = instructions or [(none, '')]
        dst = [register(self.kind, r) for r in (0, 8, 10, 12)]
        lines = [(d, n, o) for d, (n, o) in zip(dst, instructions)]
        columns = self.sources + ['vcc'] * ('c' in self.kinds) + ['|'] + [line[0] for line in lines]
        m, body = Mode(**mode), []
        for row in rows:
            bits = self.operands(row.split())
            shown = [calc.show_one(k if k != 'c' else 'u', b) for k, b in zip(self.kinds, bits)]
            body.append(shown + ['|'] + [self.answer(m, bits, n, o) for _, n, o in lines])
        self.lines += ['', 'test ' + title] + ([f'forms {forms}'] if forms else []) + mode_line(mode) + ['code']
        self.lines += [self.spelled(line) for line in lines] + table(columns, body)

    def one(self, title, given, code, outs, mode={}):
        """A test by hand: given places, lines, [(place, result)]."""
        self.lines += ['', 'test ' + title] + mode_line(mode) + ['in    ' + '  '.join('%s = %s' % g for g in given), 'code']
        self.lines += ['    ' + c for c in code]
        self.lines += ['out   ' + '  '.join('%s = %s' % out for out in outs)]

    def value(self, words, mode={}): return calc.result(self.name, Mode(**mode), self.operands(words.split()))

    def shown(self, words): return calc.show(self.kind, self.value(words))

    # ---- what nearly all have in common ----

    def modes(self, rows, denorm_rows=(), roundings=ROUNDINGS, own='round'):
        for words, direction in roundings[1:]:
            self.test('round toward ' + words, rows, {own: direction})
        for words, denorm in DENORMS if denorm_rows else ():
            self.test('subnormals are ' + words, denorm_rows, {'denorm': denorm})

    def f32_fields(self, rows):
        self.test('the fields of f32 do not matter', rows, {'f32_round': 'rtp', 'f32_denorm': 'flush'})

    def signaling(self, rows):
        self.test('a signaling NaN without ieee', rows, {'ieee': 0})

    def neg_abs(self, rows):
        n = len(self.vector)
        floats = [i for i, k in enumerate(self.vector) if k in 'ds']
        if n == 1:
            sets = [[(1, 0)], [(0, 1)], [(1, 1)]]
        else:
            sets = [[(int(i == f), 0) if k in 'ds' else (0, 0) for i, k in enumerate(self.vector)] for f in floats]
            sets.append([(0, 1) if k in 'ds' else (0, 0) for k in self.vector])
            sets = sets[:4] if len(sets) > 2 else sets + [[(1, 1) if k in 'ds' else (0, 0) for k in self.vector]]
        self.test('abs and neg of each operand', rows, instructions=[(s, '') for s in sets])
        if n == 3:
            self.test('abs of one operand', rows, instructions=[([(0, int(i == f)) for i in range(3)], '') for f in range(3)])

    # The modifiers are asked for as in cases_f32.py; the classes differ in sources, registers and how rows are written.
    def output(self, rows, clamp_rows):
        none = [(0, 0)] * len(self.vector)
        self.test('clamp', clamp_rows, instructions=[(none, 'clamp')])
        self.test('clamp passes a NaN without dx10_clamp', clamp_rows, {'dx10_clamp': 0}, [(none, 'clamp')])
        scaled = [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')]
        self.test('omod', rows, {'denorm': 'flush', 'ieee': 0}, scaled)
        self.test('omod is ignored with ieee', rows[:2], {'denorm': 'flush'}, scaled[:1])
        self.test('omod is ignored where subnormals are kept', rows[:2], {'denorm': 'keep_out', 'ieee': 0}, scaled[1:])

    def overlap(self, rows):
        """The result over the first source, and half over it."""
        dst = ['v[2:3]', 'v[3:4]'] if self.kind == 'd' else ['v2', 'v3']
        for d, title in zip(dst, ('the first source', 'half of the first source')):
            if self.sources[0] == 'v2' and d != 'v[2:3]' or self.kind != 'd' and self.sources[0] != 'v[2:3]':
                continue
            sources = list(self.sources)
            if len(sources) > 1:
                sources[1:] = [register(k, 2 * i + 7) for i, k in enumerate(self.vector[1:])]
            body = []
            for row in rows:
                bits = self.operands(row.split())
                body.append([calc.show_one(k if k != 'c' else 'u', b) for k, b in zip(self.kinds, bits)] + ['|'] +
                            [self.shown(row)])
            self.lines += ['', 'test the result overwrites ' + title, 'code', '    %s %s, %s' % (self.name, d, ', '.join(sources))]
            self.lines += table(sources + ['vcc'] * ('c' in self.kinds) + ['|', d], body)

    def off(self, words):
        given = list(zip(self.sources, words.split()))
        bits = self.operands(words.split())
        answer = self.shown(words)
        places = [register(self.kind, 0) + '.lane%d' % n for n in (1, 3, 32)]
        given = [('exec', '0x10000000a')] + [(s, calc.show_one(k, b)) for (s, _), k, b in zip(given, self.kinds, bits)]
        forms = ['forms e32 e64'] if self.is_vop1 else []
        self.lines += ['', 'test lanes switched off keep their result'] + forms + ['in    ' + '  '.join('%s = %s' % g for g in given), 'code',
                       '    %s %s, %s' % (self.name, register(self.kind, 0), ', '.join(self.sources)),
                       'out   ' + '  '.join('%s = %s' % (p, answer) for p in places)]

    def constants(self):
        """Scalar pairs, inline constants and, where there is an e32 form, the upper half as literal."""
        dst = register(self.kind, 0)
        pair, other = '-6.75', '2.5'
        upper = '0x400e0000'  # 3.75
        if self.is_vop1 and self.vector == 'd':
            code = [f'{self.name}_e32 {dst}, {upper}', f'{self.name}_e64 {register(self.kind, 8)}, -4.0',
                    f'{self.name}_e32 {register(self.kind, 10)}, s[4:5]', f'{self.name}_e64 {register(self.kind, 12)}, vcc']
            values = ['3.75', '-4.0', pair, other]
            places = [register(self.kind, r) for r in (0, 8, 10, 12)]
            given = [('exec', '2'), ('s[4:5]', pair + 'f64'), ('vcc', other + 'f64')]
            self.one('constants and scalar registers', given, code, [(p + '.lane1', self.shown(v)) for p, v in zip(places, values)])
        elif self.is_vop1:
            k = self.vector
            code = [f'{self.name}_e32 {dst}, 0x4060000', f'{self.name}_e32 {register(self.kind, 10)}, s4', f'{self.name}_e64 {register(self.kind, 12)}, m0']
            values = ['0x04060000', '0xc1020000', '0x7fffff81']
            code[0] = f'{self.name}_e32 {dst}, {values[0]}'
            given = [('exec', '2'), ('s4', values[1]), ('m0', values[2])]
            places = [register(self.kind, r) for r in (0, 10, 12)]
            self.one('constants and scalar registers', given, code, [(p + '.lane1', self.shown(v)) for p, v in zip(places, values)])
        elif self.vector in ('dd', 'ddd'):
            self.mixed_constants(pair)

    def mixed_constants(self, pair):
        n = len(self.vector)
        flag = ' 0' if 'c' in self.kinds else ''
        sets = [('s[4:5]', 'v[2:3]', '0.5'), ('v[2:3]', 's[4:5]', 's[4:5]'), ('-4.0', '2.0', 'v[2:3]')]
        words = [(pair, '3.5', '0.5'), ('3.5', pair, pair), ('-4.0', '2.0', '3.5')]
        if flag:  # VCC is the one scalar that may be read
            sets, words = [[x.replace('s[4:5]', '4.0') for x in s] for s in sets], [[x.replace(pair, '4.0') for x in w] for w in words]
        code = ['%s v[%d:%d], %s' % (self.name, d, d + 1, ', '.join(s[:n])) for s, d in zip(sets, (0, 8, 10))]
        given = [('exec', '2'), ('s[4:5]', pair + 'f64'), ('v[2:3]', '3.5f64')] + ([('vcc', '0')] if flag else [])
        outs = [('v[%d:%d].lane1' % (d, d + 1), self.shown(' '.join(w[:n]) + flag)) for w, d in zip(words, (0, 8, 10))]
        self.one('constants and scalar registers', given, code, outs)

    def text(self): return '\n'.join(self.lines) + '\n'


SUB, SUBMAX, MIN, MAX = '0x0000000000000001', '0x000fffffffffffff', '0x0010000000000000', '0x7fefffffffffffff'
NAN, SNAN = '0x7ff8000000012345', '0xfff0000012345678'
ONE_UP, ONE_DOWN = '0x3ff0000000000001', '0x3fefffffffffffff'


def neg(row):
    """The row with its first operand negated."""
    word, _, rest = row.partition(' ')
    if word.startswith('-'):
        word = word[1:]
    elif word.startswith('0x') and 'p' not in word:
        word = '0x%016x' % (int(word, 16) ^ F64.sign) if len(word) > 10 else '0x%08x' % (int(word, 16) ^ 1 << 31)
    else:
        word = '-' + word
    return (word + ' ' + rest).rstrip()


def both(words): return [x for w in words for x in (w, neg(w))]


def to_int(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '2.5', '0.5', ONE_DOWN, '3.75', '1234567.875', '2147483647.0', '2147483647.5', '2147483648.0',
                  '2147483648.5', '2147483649.0', '4294967295.0', '4294967295.5', '4294967296.0', '8589934593.0', '0x1p62', '0x1p63', '0x1p64', MAX, 'inf', NAN, SUB])
    o.test('plain values and edges', plain + [SNAN], forms='e32 e64')
    for words, direction in ROUNDINGS[1:]:
        o.test('MODE does not matter, round toward ' + words, both(['2.5', '3.75', '0.25']), {'round': direction, 'f32_round': direction})
    o.test('subnormals in a flushing mode', [SUB, neg(SUB), neg(SUBMAX), '-1.25', '1.75'], {'denorm': 'flush'})
    o.neg_abs(['-7.75', '100.5', '-3000000000.0', '0.0'])
    o.overlap(['77.5', '-12.25'])
    return o


def from_int(name, what):
    o = Opcode(name, what)
    rows = ['0', '1', '2', '3', '-1', '-2', '0x7fffffff', '0x80000000', '0x80000001', '0xffffffff', '0x01000001', '0x12345678', '0xfedcba98', '0x00ffffff']
    o.test('plain values and edges', rows, forms='e32 e64')
    for words, direction in ROUNDINGS[1:]:
        o.test('exact: MODE does not matter, round toward ' + words, ['0', '0x7fffffff', '0xffffffff', '0x81234567'], {'round': direction, 'f32_round': direction})
    none = [(0, 0)]
    o.test('clamp', ['0', '1', '-1', '0x80000000', '2'], instructions=[(none, 'clamp')])
    o.test('omod', ['1', '-3', '0', '0x7fffffff'], {'denorm': 'flush', 'ieee': 0}, [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')])
    o.test('omod is ignored with ieee', ['1', '-3'], {'denorm': 'flush'}, [(none, 'mul:4')])
    o.test('omod is ignored where subnormals are kept', ['5', '-3'], {'denorm': 'keep_out', 'ieee': 0}, [(none, 'div:2')])
    o.test('omod obeys the denormals of f64', ['5', '-3'], {'denorm': 'flush', 'f32_denorm': 'keep', 'ieee': 0}, [(none, 'div:2')])
    o.overlap(['0x12345678', '-3'])
    return o


def f32_f64(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '1.5', '0.1', '0x3ff0000010000000', '0x3ff0000030000000', '0x3ff0000010000001', '0x3fefffffffffffff', '0x47efffffe0000000',
                  '0x47efffffefffffff', '0x47effffff0000000', '0x1p128', MAX, 'inf', '0x3810000000000000', '0x380fffffe0000000', '0x380ffffff0000000',
                  '0x1p-149', '0x1p-150', '0x3690000000000001', '0x36a8000000000000', '0x1p-160', SUB])
    o.test('plain values and edges', plain, forms='e32 e64')
    o.test('NaN payloads', [NAN, SNAN, '0x7ff8000020000000', '0xfffffffffffff000', '0x7ff0000000000001', '-nan'])
    some = both(['0x3ff0000010000000', '0x3ff0000010000001', '0x47effffff0000000', '0x1p300', '0x1p-150', '0x380ffffff0000000'])
    for words, direction in ROUNDINGS[1:]:
        o.test('round toward ' + words, some, {'f32_round': direction})
    o.test('the rounding of f64 does not matter', some, {'round': 'rtp'})
    tiny = both(['0x1p-130', '0x380fffffe0000000', '0x380ffffff0000000', '0x380fffffffffffff', SUB, SUBMAX]) + ['1.5', '0x3810000000000000']
    o.test('subnormal results are flushed by the field of f32', tiny, {'f32_denorm': 'flush'})
    o.test('subnormal operands of f32 are not meant', tiny, {'f32_denorm': 'keep_out'})
    o.test('kept operands of f32 do not keep results', tiny, {'f32_denorm': 'keep_in'})
    up = both([SUB, SUBMAX, MIN, '0x1p-130'])
    o.test('subnormal operands are kept, rounded away', up, {'f32_round': 'rtp'})
    o.test('subnormal operands are flushed by the field of f64', up, {'denorm': 'flush', 'f32_round': 'rtp'})
    o.test('kept results of f64 do not keep operands', up, {'denorm': 'keep_out', 'f32_round': 'rtp'})
    o.test('kept operands of f64', up, {'denorm': 'keep_in', 'f32_round': 'rtp'})
    o.signaling([SNAN, NAN, '2.5'])
    o.neg_abs(['-7.75', '0.0', NAN, '0x1p200'])
    none = [(0, 0)]
    clamps = ['0.5', '1.5', '-0.5', '-0.0', NAN, 'inf', '0x3feffffff0000000']
    o.test('clamp', clamps, instructions=[(none, 'clamp')])
    o.test('clamp passes a NaN without dx10_clamp', clamps, {'dx10_clamp': 0}, [(none, 'clamp')])
    scaled = [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')]
    o.test('omod', ['1.5', '-2.25', '-0.0', '0x1p127', '-0x1p-126', '0x1p-130', 'inf'], {'f32_denorm': 'flush', 'ieee': 0}, scaled)
    o.test('omod obeys the denormals of f32', ['1.5', '-2.25'], {'denorm': 'flush', 'ieee': 0}, scaled[1:])
    o.test('omod is ignored with ieee', ['1.5', '-2.25'], {'f32_denorm': 'flush'}, scaled[:1])
    o.overlap(['77.5', '-12.25'])
    return o


def f64_f32(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '1.5', '0x3f800001', '0x00800000', '0x00000001', '0x007fffff', '0x00400001', '0x7f7fffff', 'inf', '0x7fc12345'])
    o.test('plain values and edges', plain + ['snan', '0xff812345'], forms='e32 e64')
    tiny = ['0x00000001', '0x807fffff', '0x00800000', '-2.5']
    o.test('subnormal operands are flushed by the field of f32', tiny, {'f32_denorm': 'flush'})
    o.test('kept results of f32 do not keep operands', tiny, {'f32_denorm': 'keep_out'})
    o.test('kept operands of f32', tiny, {'f32_denorm': 'keep_in'})
    o.test('the denormals of f64 do not matter', tiny, {'denorm': 'flush'})
    for words, direction in ROUNDINGS[1:]:
        o.test('exact: MODE does not matter, round toward ' + words, ['0x7f7fffff', '0x80000001', '0x3f800001', '-0.0'], {'round': direction, 'f32_round': direction})
    o.signaling(['snan', '0xff812345', '0x7fc12345', '1.5'])
    o.neg_abs(['-7.75', '0.0', '0x7fc00011'])
    none = [(0, 0)]
    clamps = ['0.5', '1.5', '-0.5', '-0.0', '0x7fc12345', 'inf', '0x3f7fffff']
    o.test('clamp', clamps, instructions=[(none, 'clamp')])
    o.test('clamp passes a NaN without dx10_clamp', clamps, {'dx10_clamp': 0}, [(none, 'clamp')])
    scaled = [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')]
    o.test('omod', ['1.5', '-2.25', '-0.0', '0x7f000000', 'inf'], {'denorm': 'flush', 'ieee': 0}, scaled)
    o.test('omod obeys the denormals of f64', ['1.5', '-2.25'], {'f32_denorm': 'flush', 'ieee': 0}, scaled[1:])
    o.test('omod is ignored with ieee', ['1.5', '-2.25'], {'denorm': 'flush'}, scaled[:1])
    o.overlap(['77.5', '-12.25'])
    return o


def integral(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '0.5', '1.5', '2.5', '0.25', '0.75', '3.75', ONE_DOWN, ONE_UP, '0x3fdfffffffffffff', '0x3fe0000000000001', '0x432fffffffffffff',
                  '0x4320000000000001', '0x4330000000000001', '0x4340000000000001', '4503599627370495.5', '4294967296.5', MAX, 'inf', NAN, SUB, MIN]) + [SNAN, '1234.5678', '-1234.5678']
    o.test('plain values and edges', plain, forms='e32 e64')
    for words, direction in ROUNDINGS[1:]:
        o.test('MODE does not matter, round toward ' + words, both(['0.25', '2.5', '3.5', '0x432fffffffffffff']), {'round': direction, 'f32_round': direction})
    o.test('subnormals in a flushing mode', both([SUB, SUBMAX]) + ['-1.25', '2.75'], {'denorm': 'flush'})
    o.f32_fields(both([SUB, SUBMAX]))
    o.signaling([SNAN, NAN, '-1.75'])
    o.neg_abs(['-7.75', '100.25', '-0.375', '0.0'])
    o.output(['3.25', '-5.75', '0.0', '-0.0', MAX], ['0.75', '7.25', '-3.5', '-0.0', NAN, SNAN, 'inf', '1.0'])
    o.overlap(['77.5', '-12.25'])
    return o


def fract(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '0.5', '1.5', '2.5', '0.25', '0.75', ONE_DOWN, ONE_UP, '0x432fffffffffffff', '0x4320000000000001', '0x4330000000000001',
                  '4294967296.625', MAX, 'inf', NAN, SUB, '0x1p-53', '0x1p-54', '0x3c90000000000001', '0x1p-600']) + [SNAN, '1234.5678', '-1234.5678', '-0.1']
    o.test('plain values and edges', plain, forms='e32 e64')
    o.modes(both(['0.1', '0x3ca0000000000001', '0x3c9fffffffffffff', '0.3', SUB]))
    o.test('subnormals in a flushing mode', both([SUB, SUBMAX]) + ['-1.25'], {'denorm': 'flush'})
    o.f32_fields([SUB, '-0.1'])
    o.signaling([SNAN, NAN, '-1.75'])
    o.neg_abs(['-7.75', '100.25', '-0.375'])
    o.output(['3.25', '-5.75', '4.0', '0x3ca0000000000001'], ['0.75', '7.25', '-3.5', '0.0', NAN])
    o.overlap(['77.5', '-12.25'])
    return o


class Approximate(Opcode):
    """The hardware gives 23 bits: ~row. Zeros, infinities and the reciprocals of powers of two are exact."""

    def answer(self, mode, operands, negabs, out):
        text = super().answer(mode, operands, negabs, out)
        b = calc.modified('d', operands[0], *negabs[0])
        raw = calc.result(self.name, mode, [b])[0]
        open_value = F64.field(raw) != 2047 and not F64.is_zero(raw) and not (self.name == 'v_rcp_f64' and calc.is_power_of_two(b))
        settled = out == 'clamp' and (raw & F64.sign or F64.value(raw) > 1.5)
        return text + '~row' if open_value and not settled else text

    def shown(self, words): return self.answer(Mode(), self.operands([words]), [(0, 0)], '')


def roots(name, what):
    o = Approximate(name, what)
    special = both(['0.0', 'inf', NAN]) + [SNAN, '-1.0', neg(MIN), neg(SUB), neg(MAX)] if name != 'v_rcp_f64' else \
        both(['0.0', 'inf', NAN, '1.0', '2.0', '0.125', '0x1p1023', '0x1p-1022', '0x1p-1023', '0x1p-1024', '0x1p-1025', SUB]) + [SNAN]
    special += ['4.0', '1.0', '0x1p100', '0.25', '0x1p-1074'] if name != 'v_rcp_f64' else []
    o.test('special values', special, forms='e32 e64')
    values = ['3.0', '2.0', '7.0', '0.1', '10.0', '1e300', '1e-300', ONE_UP, ONE_DOWN, '123456789.0', '0x1p-1021', '1.7', '0.6', '0x000123456789abcd', '0x0000000000000003']
    values = values[:-2] if name == 'v_rcp_f64' else values  # whose reciprocals are too large
    o.test('good to 23 bits', values + (both(['3.0', '0.7'])[1::2] if name == 'v_rcp_f64' else []))
    for words, direction in ROUNDINGS[1:]:
        o.test('good to 23 bits, round toward ' + words, ['3.0', '7.0', '0.1'], {'round': direction})
    tiny = both([SUB, SUBMAX]) + ['0x1p1023', MAX, '-0x1p1023']
    o.test('subnormals are flushed', tiny[:4] + (tiny[4:] if name == 'v_rcp_f64' else []), {'denorm': 'flush'})
    o.test('the fields of f32 do not matter', [SUB] if name == 'v_rcp_f64' else ['0x1p-1074'], {'f32_round': 'rtp', 'f32_denorm': 'flush'})
    o.signaling([SNAN, NAN, '4.0'])
    o.neg_abs(['-4.0', '16.0', '-0.25'])
    o.output(['4.0', '0.25', '0.0' if name == 'v_sqrt_f64' else 'inf'], ['0.0625', '4.0', NAN, '-4.0', 'inf', '0.0'])
    o.overlap(['64.0', '0.25'])
    return o


def frexp(name, what):
    o = Opcode(name, what)
    plain = both(['0.0', '1.0', '2.0', '3.0', '0.5', '0.75', ONE_DOWN, '1234.5678', MAX, MIN, SUB, SUBMAX, '0x0000000100000000', '0x0008000000000000', 'inf', NAN]) + [SNAN, 'snan']
    o.test('plain values and edges', plain, forms='e32 e64')
    o.test('subnormals in a flushing mode', both([SUB, SUBMAX]) + ['-12.0'], {'denorm': 'flush'})
    o.f32_fields(both([SUB, '3.0']))
    for words, direction in ROUNDINGS[1:]:
        o.test('MODE does not matter, round toward ' + words, both(['1234.5678', SUBMAX]), {'round': direction})
    if name == 'v_frexp_mant_f64':
        o.test('a signaling NaN without ieee', ['0x7ff8000000000009', '-3.0'], {'ieee': 0})
        o.neg_abs(['-7.75', '0.0', NAN])
        o.output(['3.25', '-5.75', '0.0', '-0.0'], ['0.75', '7.25', '-3.5', '-0.0', NAN, 'inf'])
    else:
        o.neg_abs(['-7.75', '0.0', neg(SUB)])
    o.overlap(['77.5', '-0.001'])
    return o


ADDS = ['1.0 2.0', '2.5 -1.25', '-1.5 1.5', '-0.0 0.0', '0.0 -0.0', '-0.0 -0.0', '0.0 5.5', 'inf 1.0', '-1.0 -inf', 'inf -inf', '-inf inf', 'inf inf',
        f'{NAN} 1.0', '1.0 0xfff8000000054321', f'{SNAN} 3.0', '3.0 0x7ff0000000000001', f'{NAN} 0xfff8000000054321', f'{NAN} {SNAN}', 'inf nan', f'{MAX} {MAX}',
        f'{MAX} 0x1p969', f'{MAX} 0x1p970', f'1.0 {neg(ONE_UP)}', f'1.0 {neg(ONE_DOWN)}', '1.0 0x1p-53', f'{ONE_UP} 0x1p-53', '1.0 0x3ca0000000000001', '1.0 -0x1p-54', '1.0 -0x1p-1000',
        '0x4330000000000001 0.5', '0x4340000000000000 1.0', '0x4340000000000001 1.0', '1e16 -1.5', '0.1 0.2']
ADD_ROUND = both(['1.0 0x1p-60', '0x1p-53 1.0', f'{MAX} 0x1p970', '1.5 -1.5', '0.1 0.2', '1.0 -0x1p-80'])
ADD_TINY = [f'{SUB} {SUB}', f'{SUB} 1.0', f'{SUBMAX} {SUB}', f'{MIN} {neg(SUB)}', f'{MIN} 0x8018000000000000', f'{neg(MIN)} 0x0018000000000001', f'{neg(SUB)} {SUBMAX}', f'{neg(SUB)} 0.0', f'{SUB} {neg(SUB)}']
MULS = ['2.0 3.0', '-1.5 2.5', '0.0 -5.0', '-0.0 -5.0', '0.0 0.0', 'inf -2.0', '-inf -inf', 'inf 0.0', '-0.0 inf', f'{NAN} 2.0', '2.0 0xfff8000000054321', f'{SNAN} 3.0', '3.0 0x7ff0000000000001',
        f'{NAN} 0xfff8000000054321', '0.0 nan', 'inf nan', f'{MAX} 2.0', f'{MAX} {ONE_UP}', f'{MAX} {ONE_DOWN}', f'{ONE_UP} {ONE_UP}', f'{ONE_UP} {ONE_DOWN}', '0x3ff8000000000001 0x3ff0000000000001', '0.1 10.0', '0.1 0.1',
        '0x1p600 0x1p424', '0x1p600 -0x1p423', '0x3ff123456789abcd 0xc00fedcba9876543', '0x1p-600 0x1p-600', '0x1p-600 -0x1p-474', '0x1p-537 0x1p-537', '0x1p-537 0x1p-538', '0x3ff8000000000000 0x1p-1074']
MUL_ROUND = ['0.1 0.1', '-0.1 0.1', f'{ONE_UP} {ONE_UP}', f'{neg(ONE_UP)} {ONE_UP}', f'{MAX} 2.0', f'{MAX} -2.0', '0x1p-600 0x1p-600', '-0x1p-600 0x1p-600', '0x3ff8000000000000 0x8000000000000001', f'{ONE_DOWN} {MIN}', f'{neg(ONE_DOWN)} {MIN}']
MUL_TINY = [f'{SUB} 2.0', f'{MIN} 0.5', f'{neg(MIN)} 0.75', f'{SUBMAX} 4.0', f'{ONE_DOWN} {MIN}', f'{neg(ONE_DOWN)} {MIN}', '0x1p-600 -0x1p-470', f'{neg(SUB)} 0x1p1000', f'inf {SUB}']
FMAS = ['2.0 3.0 4.0', '-2.0 3.0 5.5', '1.5 -0.5 -4.0', '2.0 0.5 -1.0', '0.0 -2.0 -0.0', '0.0 2.0 -0.0', '0.0 5.0 3.0', 'inf 2.0 1.0', '2.0 -inf 1.0', '2.0 3.0 -inf', 'inf 2.0 -inf', 'inf 0.0 1.0', '-0.0 inf 1.0',
        f'{NAN} 2.0 3.0', f'2.0 {NAN} 3.0', '2.0 3.0 0xfff8000000054321', f'2.0 3.0 {SNAN}', f'{NAN} 0xfff8000000054321 1.0', 'inf 0.0 nan', f'{ONE_UP} {ONE_DOWN} -1.0', f'{ONE_UP} {ONE_UP} -1.0', f'{ONE_UP} {ONE_UP} 0x1p-53',
        f'{MAX} 2.0 {neg(MAX)}', f'{MAX} 1.0 {MAX}', '0x1p-600 0x1p-600 1.0', '0x1p600 0x1p600 -inf', '1.0 1.0 -0x1p-200', '0x3ff123456789abcd 0xc00fedcba9876543 0x4002000000000001', '0x3ff8000000000001 0x3ff0000000000003 0x3ca0000000000000',
        '0x1p1000 0x1p-1000 -1.0', '3.0 0x1p-53 1.0', '0x1p-540 0x1p-540 0x0000000000000005', '0x1p52 0x1p-1074 0x8010000000000001', '0x7fe0000000000001 2.0 0xffe0000000000000']
FMA_ROUND = both([f'{ONE_UP} {ONE_UP} 1.0', f'{ONE_UP} {ONE_DOWN} -1.0', '-1.0 1.0 0x1p-100', f'{MAX} 1.0 {MAX}', '1.5 -2.0 3.0', '0x1p-600 0x1p-600 0.0', '0.1 0.1 0.1'])
FMA_TINY = [f'{SUB} 1.0 2.0', f'{SUB} 2.0 {neg(SUB)}', '1.0 0x0000000000000003 0.0', f'{neg(MIN)} 0.5 -0.0', f'{MIN} 0.75 {MIN}', f'{MIN} 1.0 0x8010000000000001', '0x1p-600 0x1p-440 0x0000000000000005', f'{ONE_DOWN} {MIN} 0.0', f'inf {SUB} 1.0', f'{SUB} 0x1p1000 {SUBMAX}']


def arithmetic(name, what):
    o = Opcode(name, what)
    rows, rounding, tiny = {'v_add_f64': (ADDS, ADD_ROUND, ADD_TINY), 'v_mul_f64': (MULS, MUL_ROUND, MUL_TINY), 'v_fma_f64': (FMAS, FMA_ROUND, FMA_TINY)}[name]
    o.test('plain values and edges', rows)
    o.test('round to nearest even', rounding)
    o.modes(rounding, tiny)
    o.test('subnormals are kept', tiny)
    o.f32_fields(rounding[:3] + tiny[:4])
    n = len(o.vector)
    o.signaling([f'{SNAN} 3.0 2.0', f'3.0 {SNAN} 2.0', f'{NAN} 1.0 1.0', '1.5 2.5 3.5'] if n == 3 else [f'{SNAN} 3.0', f'3.0 {SNAN}', f'{NAN} 1.0', '1.5 2.5'])
    o.neg_abs(['2.0 3.0 -7.0', '-5.0 -1.5 0.25', f'{NAN} 1.0 2.0', '0.0 -0.5 -0.0'] if n == 3 else ['2.0 -3.5', '-5.0 -1.5', f'{NAN} 1.0', '0.0 -0.5', f'1.0 {SNAN}'])
    pad = ' 0.0' if n == 3 else ''
    if name == 'v_add_f64':
        o.output(['1.5 4.0', '-2.25 1.0', '-0.0 -0.0', f'{MAX} 1.0', f'{MIN} 0.0', '0x1p1022 0.0', 'inf 1.0'], ['0.5 0.125', '3.0 1.0', '-2.0 1.5', '-0.0 -0.0', f'{NAN} 1.0', 'inf 1.0', 'inf -inf', f'1.0 {neg(SUB)}'])
    else:
        o.output(['1.5 4.0' + pad, '-2.25 3.0' + pad, '-0.0 1.0' + (' -0.0' if n == 3 else ''), f'{MAX} 1.0' + pad, f'{MIN} 1.0' + pad, '0x1p1022 1.0' + pad, 'inf 1.0' + pad],
                 ['0.5 0.125' + pad, '3.0 1.0' + pad, '-2.0 1.5' + pad, '-0.0 1.0' + (' -0.0' if n == 3 else ''), f'{NAN} 1.0' + pad, 'inf 1.0' + pad, 'inf 0.0' + pad])
    o.overlap(['2.0 3.0 4.5', '-1.5 0.75 8.0'] if n == 3 else ['2.0 3.5', '-1.5 0.75'])
    return o


def minmax(name, what):
    o = Opcode(name, what)
    rows = ['1.0 2.0', '2.0 1.0', '-1.0 1.0', '-1.0 -2.0', '0.0 -0.0', '-0.0 0.0', '3.5 3.5', 'inf 1.0', '-inf 1.0', '1.0 inf', '-inf inf', f'{MAX} inf', f'{NAN} 1.0', f'1.0 {NAN}', f'{NAN} -inf', f'{SNAN} 1.0', f'1.0 {SNAN}',
            f'{NAN} 0xfff8000000054321', f'{NAN} {SNAN}', f'{SNAN} {NAN}', f'{SUB} 0.0', f'0.0 {SUB}', f'{neg(SUB)} 0.0', f'{SUB} {neg(SUB)}', f'{SUBMAX} {MIN}', f'{ONE_UP} 1.0', f'1.0 {ONE_UP}', f'{neg(ONE_UP)} -1.0',
            '0x3ff0000080000000 0x3ff000007fffffff', '0xbff0000080000000 0xbff000007fffffff']
    o.test('plain values and edges', rows)
    for words, direction in ROUNDINGS[1:]:
        o.test('MODE does not matter, round toward ' + words, ['0.0 -0.0', '-0.0 0.0', '1.5 2.5', f'-1.5 {MAX}'], {'round': direction})
    tiny = [f'{SUB} 1.0', f'{SUB} -1.0', f'1.0 {SUBMAX}', f'-1.0 {neg(SUBMAX)}', f'{SUB} {SUBMAX}', f'{neg(SUB)} 0.0', f'{NAN} {SUB}', '2.5 -3.5']
    for words, denorm in DENORMS:
        o.test('subnormals are ' + words, tiny, {'denorm': denorm})
    o.f32_fields(tiny)
    o.signaling([f'{SNAN} 1.0', f'1.0 {SNAN}', f'{SNAN} {NAN}', f'{NAN} 2.0', '1.0 2.0'])
    o.neg_abs(['2.0 -3.5', '-5.0 -1.5', f'{NAN} 1.0', '0.0 -0.5'])
    o.output(['1.5 4.0', '-2.25 -3.0', '-0.0 -0.0', f'{MAX} {MAX}', '0x0018000000000000 0x0018000000000000'], ['0.5 0.125', '3.0 2.0', '-2.0 -1.5', '-0.0 -0.0', f'{NAN} 0.5', f'{NAN} {NAN}', 'inf inf'])
    o.overlap(['2.0 3.5', '-1.5 -8.75', '4.0 -4.0'])
    return o


def ldexp(name, what):
    o = Opcode(name, what)
    rows = ['1.0 0', '1.0 1', '1.0 -1', '-1.5 10', '3.75 -3', '1.0 1023', '1.0 1024', '-1.0 1024', '1.0 -1022', '1.0 -1023', '1.0 -1074', '1.0 -1075', '1.5 -1075', '-1.0 -1076', '0x1p-1022 2045', '0x1p-1022 2046', f'{SUB} 1', f'{SUB} 52', f'{SUB} 1074', f'{SUB} 2097', f'{SUB} 2098',
            f'{SUB} -1', '0x0000000000000003 -1', f'{SUBMAX} 1', f'{MAX} -2098', f'{MAX} -2099', f'{MAX} 1', '1.0 0x7fffffff', '1.0 0x80000000', '-1.0 0x80000000', f'{MAX} 0x80000000', f'{SUB} 0x7fffffff', '1.0 0x00010000', '1.0 0xffff0000', '1.0 65535', '0.0 5', '-0.0 0x7fffffff', 'inf -5', '-inf 0x80000000', f'{NAN} 3', f'{SNAN} -3']
    o.test('plain values and edges', rows)
    rounding = ['1.5 -1074', '-1.5 -1074', '1.0 -1075', '-1.0 -1075', '1.0 2000', '-1.0 2000', '1.0 -2000', '-1.0 -2000', f'{ONE_DOWN} -1022', f'{neg(ONE_DOWN)} -1022']
    o.test('round to nearest even', rounding)
    o.modes(rounding, [f'{SUB} 60', f'{neg(SUBMAX)} 1', '1.0 -1030', '-1.0 -1030', f'{ONE_DOWN} -1022', '1.5 3', f'{MIN} -1', f'{MIN} 1'])
    o.f32_fields([f'{SUB} 60', '-1.5 -1074', '1.0 -1030'])
    o.signaling([f'{SNAN} 1', f'{NAN} 1', '1.5 2'])
    o.neg_abs(['-7.75 2', '100.25 -3', '-0.0 1', f'{NAN} 1'])
    o.output(['1.5 2', '-2.25 -1', '0.0 1', '-0.0 1', '1.0 1023', '1.0 -1022', '-1.0 -1022', 'inf 0'], ['0.75 0', '0.75 3', '-1.0 2', '-0.0 1', f'{NAN} 0', 'inf 1', '1.0 -1074'])
    given = [('exec', '2'), ('s[4:5]', '-6.75f64'), ('v[2:3]', '3.5f64'), ('v4', '-2')]
    v = o.shown
    o.one('constants and scalar registers', given, [f'{name} v[0:1], s[4:5], v4', f'{name} v[8:9], v[2:3], 5', f'{name} v[10:11], 0.5, s4', f'{name} v[12:13], v[2:3], -16'],
          [('v[0:1].lane1', v('-6.75 -2')), ('v[8:9].lane1', v('3.5 5')), ('v[10:11].lane1', v('0.5 0')), ('v[12:13].lane1', v('3.5 -16'))])
    o.overlap(['2.5 7', '-1.5 -2'])
    return o


def trig(name, what):
    o = Opcode(name, what)
    at = ['0.0', '1.0', '-1.0', '1e10', '0x1p53', '0x1p54', '0x1p55', '0x1p63', '0x1p64', '0x1p118', '0x1p119', '0x1p500', '0x1p944', '0x1p945', '0x1p946', '0x1p1023', '-0x1p1022', SUB, MAX]
    o.test('every exponent, the first segment', [w + ' 0' for w in at])
    o.test('every segment', ['1.0 %d' % n for n in range(0, 32)])
    o.test('the shift adds up', ['0x1p55 1', '0x1p60 2', '0x1p200 5', '0x1p300 17', '0x1p700 9', '0x1p900 4', '0x1p944 5', '0x1p945 5', '0x1p944 2', '0x1p944 3', '0x1p1023 3', '0x1p1000 4', '0x1p1000 3', '0x1p100 20', '0x1p500 31', '1.0 22', '0x1p57 22'])
    o.test('only five bits choose the segment', ['1.0 33', '1.0 0xffffffe2', '0x1p60 0x80000001', '1.0 64'])
    o.test('infinity and NaN count by their exponent', ['inf 0', '-inf 2', f'{NAN} 1', f'{SNAN} 0'])
    rows = ['1.0 19', '1.0 20', '0x1p900 3', '0x1p940 2', '0x1p944 3', '0x1p943 3', '1.0 0']
    for words, direction in ROUNDINGS[1:]:
        o.test('round toward zero always, not toward ' + words if direction != 'rtz' else 'round toward zero always', rows, {'round': direction})
    o.test('tiny segments are flushed', rows, {'denorm': 'flush'})
    o.neg_abs(['0x1p100 1', '-2.0 0'])
    o.output(['1.0 0', '1.0 1', '1.0 22'], ['1.0 0', '1.0 1', '0x1p945 0'])
    given = [('exec', '2'), ('s[4:5]', '0x1p70f64'), ('v[2:3]', '0x1p600f64'), ('v4', '2')]
    o.one('constants and scalar registers', given, [f'{name} v[0:1], s[4:5], v4', f'{name} v[8:9], v[2:3], 1', f'{name} v[10:11], 2.0, 3'],
          [('v[0:1].lane1', o.shown('0x1p70 2')), ('v[8:9].lane1', o.shown('0x1p600 1')), ('v[10:11].lane1', o.shown('2.0 3'))])
    o.overlap(['1.0 2', '0x1p99 1'])
    return o


def fixup(name, what):
    o = Opcode(name, what)
    plain = ['1.5 2.0 3.0', '-1.5 2.0 3.0', '1.5 -2.0 3.0', '-1.5 2.0 -3.0', '1.5 -2.0 -3.0', '0.0 5.0 -1.0', f'{SUB} 1.0 -1.0']
    special = ['5.0 0.0 0.0', '5.0 -0.0 0.0', '5.0 inf inf', '5.0 -inf inf', '5.0 0.0 1.0', '5.0 -0.0 1.0', '5.0 0.0 -2.5', '5.0 2.0 inf', '5.0 -2.0 inf', '5.0 2.0 -inf', '5.0 0.0 inf', '5.0 -0.0 inf', '5.0 inf 2.0', '5.0 -inf 2.0',
               '5.0 2.0 0.0', '5.0 -2.0 0.0', '5.0 inf 0.0', '5.0 inf -0.0', f'5.0 2.0 {NAN}', f'5.0 {NAN} 2.0', f'5.0 0xfff8000000054321 {NAN}', f'5.0 {NAN} 0xfff8000000054321', f'5.0 2.0 {SNAN}', f'5.0 {SNAN} 2.0', f'5.0 0.0 {NAN}', f'5.0 {NAN} inf', f'5.0 {SUB} {SUB}']
    over = ['nan 2.0 3.0', '-nan 2.0 -3.0', 'inf 2.0 3.0', 'inf -2.0 3.0', '-inf 1.0 1.0', f'{SNAN} 1.0 2.0']
    under = ['5.0 0x1p600 0x1p-475', '5.0 0x1p600 0x1p-476', '5.0 0x1p600 0x1p-477', '5.0 -0x1p600 0x1p-476', '5.0 0x1p1023 0x1p-1022', f'5.0 0x1p1023 {SUB}', '5.0 0x1p-476 0x1p600', f'5.0 0x1p53 {SUB}', f'nan 0x1p1023 {MIN}']
    o.test('the quotient with the right sign', plain)
    o.test('special operands', special)
    o.test('a quotient that overflowed', over)
    o.test('exponents far apart', under)
    edges = over[2:5] + under[1:4] + plain[:2]
    o.modes(edges, [f'{SUB} 1.0 2.0', f'5.0 {SUB} 1.0', f'5.0 1.0 {neg(SUB)}', f'5.0 {SUB} {SUB}', f'5.0 {SUB} inf', f'5.0 inf {SUB}', f'5.0 {SUBMAX} {SUBMAX}', '5.0 0x1p1023 0x1p-1022', '1.5 2.0 3.0'])
    o.f32_fields([f'{SUB} 1.0 2.0', f'5.0 {SUB} 1.0', '5.0 0x1p600 0x1p-476'])
    o.signaling([f'5.0 2.0 {SNAN}', f'5.0 {SNAN} 2.0', f'5.0 {NAN} 2.0', '1.5 2.0 3.0'])
    o.neg_abs(['1.5 2.0 3.0', '-1.5 -2.0 3.0', '1.5 2.0 -3.0', f'1.5 {NAN} 1.0'])
    o.output(['1.5 2.0 3.0', '2.25 -2.0 4.0', '5.0 inf -1.0', 'nan 1.0 2.0'], ['0.75 1.0 0.75', '3.0 1.0 3.0', '3.0 -1.0 3.0', '5.0 0.0 0.0', '5.0 0.0 1.0', f'1.0 {NAN} 1.0'])
    o.overlap(['1.5 2.0 3.0', '2.5 -2.0 5.0'])
    return o


def fmas(name, what):
    o = Opcode(name, what)
    sets = FMAS[:21] + ['0x3ff123456789abcd 0xc00fedcba9876543 0x4002000000000001']
    o.test('without the flag a fused multiply-add', [r + ' 0' for r in sets])
    scaled = ['2.0 3.0 4.0', '2.0 3.0 1.5', '-2.0 3.0 1.0', '-2.0 3.0 2.0', '1.5 0.25 0x3fffffffffffffff', '1.5 0.25 0x4000000000000000', '1.5 0.25 -2.0', '1.5 0.25 -1.5', '1.5 2.5 0.0', 'inf 2.0 1.0', '2.0 3.0 inf', 'inf 0.0 1.0', f'{NAN} 1.0 2.0', f'1.0 2.0 {NAN}', 'inf 0.0 nan', '0.0 1.0 0.0',
              '1.0 -1.0 1.0', f'{ONE_UP} {ONE_DOWN} -1.0', f'1.0 1.0 {ONE_UP}', '0x1p-900 1.0 0x1p-1000', '0x1p-940 1.5 0x1p-960', '0x1p-900 0x3ff8000000000001 0x1p-947', '0x1p-922 1.0 0x1p-947', '0x1p-947 1.5 0.0', '0x1p-950 1.0 0x1p-960', '0x1p900 1.0 0x1p895', '0x1p800 1.5 0x1p895', '0x1p-100 0x1p-900 3.0']
    o.test('the flag scales by the exponent of the addend', [f'{r} {bit}' for r in scaled for bit in (1,)])
    o.test('the flag is that of the lane', ['2.0 3.0 4.0 1', '2.0 3.0 4.0 0', '2.0 3.0 1.5 0', '2.0 3.0 1.5 1', '1.0 1.0 1.0 1'])
    rounding = ['0x1p-947 1.5 0.0 1', '-0x1p-947 1.5 0.0 1', '0x1p-900 0x3ff8000000000001 0x1p-947 1', '0x1p900 1.0 0x1p895 1', '-0x1p900 1.0 0x1p895 1', '0.1 0.1 0.1 0', '0.1 0.1 0.1 1', '-0.1 0.1 0.1 1', '1.5 -2.0 3.0 1', '0x1p-600 0x1p-600 0.0 1']
    o.test('round to nearest even', rounding)
    tiny = [f'{SUB} 1.0 2.0 0', f'{SUB} 0x1p1000 0.0 0', f'{SUBMAX} 1.0 {neg(SUB)} 0', f'{MIN} 0.5 0.0 0', f'{SUB} 0x1p1000 {SUB} 1', '0x1p-900 1.0 0.0 1', '0x1p-895 1.0 0.0 1', '-0x1p-894 1.0 0.0 1', f'{ONE_DOWN} 0x1p-894 0.0 1', f'{ONE_DOWN} {MIN} 0.0 0', f'inf {SUB} 1.0 0']
    o.modes(rounding, tiny)
    o.test('subnormals are kept', tiny)
    o.f32_fields(rounding[:3] + tiny[:4])
    o.signaling([f'{SNAN} 3.0 2.0 0', f'3.0 2.0 {SNAN} 1', f'{NAN} 1.0 1.0 1', '1.5 2.5 3.5 1'])
    o.neg_abs(['2.0 3.0 -7.0 0', '-5.0 -1.5 0.25 1', f'{NAN} 1.0 2.0 1', '0.0 -0.5 -0.0 0'])
    o.output(['1.5 4.0 1.0 0', '-2.25 3.0 0.5 0', '-0.0 1.0 -0.0 0', f'{MAX} 1.0 0.0 0', '0x1p100 1.5 0.0 1', '0x1p-100 1.5 3.0 1'], ['0.5 0.125 0.25 0', '3.0 1.0 0.5 0', '-2.0 1.5 0.5 0', f'{NAN} 1.0 1.0 0', 'inf 0.0 1.0 0', '0x1p127 0.75 0.0 1', '0x1p-128 0.75 4.0 1'])
    o.overlap(['2.0 3.0 4.5 0', '-1.5 0.75 8.0 1'])
    return o


def scale(name, what):
    """Denominator in the second, numerator in the third operand."""
    lines = ['case-format 1', '# ' + what]
    pairs = [('3.0', '2.0'), ('1.0', '1.0'), ('-3.0', '7.5'), ('0x1p-960', '0x1p-300'), ('0x1p-969', '1.0'), ('1.0', '0x1p-970'), ('1.0', '0x1p-969'), ('1.0', '0x1p-968'), ('1.0', '0x1p767'), ('1.0', '0x1p768'), ('0x1p-767', '1.5'), ('0x1p-768', '1.5'), ('-0x1p-768', '1.5'),
             ('0x1p300', '-0x1p-468'), ('0x1p300', '0x1p-467'), ('0x1p300', '-0x1p-469'), ('0x1p1021', '1.0'), ('0x1p1022', '1.0'), ('0x1p1023', '1.0'), ('0x1p1022', '0x1p254'), ('0x1p1022', '0x1p255'), (MAX, '0x1p255'), (MAX, '0x1p100'), (MAX, SUB), (SUB, '1.0'), (SUBMAX, SUB), (SUB, SUBMAX), (SUBMAX, '0x1p-255'), (SUB, '0x1p-254'),
             ('1.0', SUB), ('1.0', SUBMAX), (MIN, MIN), ('0x1p-1000', '0x1p-1000'), ('0.0', '1.0'), ('1.0', '0.0'), ('-0.0', '0.0'), ('0.0', '0x1p800'), ('0x1p800', '0.0'), ('inf', '1.0'), ('1.0', 'inf'), ('inf', 'inf'), (NAN, '1.0'), ('1.0', NAN), (SNAN, '1.0'), (NAN, NAN), ('0.0', NAN), ('inf', '0x1p-1000')]

    def body(mode, chosen):
        rows = []
        for den, num in chosen:
            for s0 in (den, num):
                bits = [calc.parse(w) for w in (s0, den, num)]
                results, flags = calc.div_scale(Mode(**mode), *bits)
                spelled = [calc.show('d', results), '{%s}' % '|'.join(map(str, flags)) if len(flags) > 1 else str(flags[0])]
                rows.append([calc.show_one('d', b) for b in bits] + ['|'] + spelled)
                if den == num:
                    break
        return rows

    def add(title, chosen, mode={}, errata=''):
        lines.extend(['', 'test ' + title] + ([f'errata {errata}'] if errata else []) + mode_line(mode) + ['code', f'    {name} v[0:1], vcc, v[2:3], v[4:5], v[6:7]'] + table(['v[2:3]', 'v[4:5]', 'v[6:7]', '|', 'v[0:1]', 'vcc'], body(mode, chosen)))
    add('each operand of many quotients', pairs, errata='VALU-C34 VALU-U17')
    for words, denorm in DENORMS:
        add('subnormals are ' + words, [(SUB, '1.0'), ('1.0', SUB), (SUBMAX, SUB), (MIN, '2.0'), ('0x1p1023', '0x1p-895'), ('0x1p1023', SUBMAX), ('-3.0', '2.0')], {'denorm': denorm})
    for words, direction in ROUNDINGS[1:]:
        add('round toward ' + words, [('0x1p1022', '0x0018000000000001'), ('3.0', '2.0'), (MAX, '0x1p-900')], {'round': direction})
    add('a signaling NaN without ieee', [(SNAN, '1.0'), ('1.0', NAN), ('3.0', '2.0')], {'ieee': 0})
    lines.extend(['', 'test neg, and the flags of a pair of its own', 'code', f'    {name} v[0:1], s[10:11], -v[2:3], -v[2:3], v[6:7]', f'    {name} v[8:9], s[12:13], -v[6:7], v[2:3], -v[6:7]'])
    rows = []
    for den, num in [('3.0', '2.0'), ('1.0', '0x1p800'), ('0x1p-1030', '1.0'), ('0x1p400', '0x1p-500')]:
        d, n = calc.parse(den), calc.parse(num)
        one, first = calc.div_scale(Mode(), d ^ F64.sign, d ^ F64.sign, n)
        two, second = calc.div_scale(Mode(), n ^ F64.sign, d, n ^ F64.sign)
        flag = lambda f: '{%s}' % '|'.join(map(str, f)) if len(f) > 1 else str(f[0])
        rows.append([calc.show_one('d', d), calc.show_one('d', n), '|', calc.show('d', one), flag(first), calc.show('d', two), flag(second)])
    lines.extend(table(['v[2:3]', 'v[6:7]', '|', 'v[0:1]', 's[10:11]', 'v[8:9]', 's[12:13]'], rows))
    lines.extend(['', 'test lanes switched off keep their result and get no flag', 'in    exec = 0x10000000a  vcc = -1  v[2:3] = 1.0f64  v[6:7] = 0x1p800f64', 'code',
                  f'    {name} v[0:1], vcc, v[2:3], v[2:3], v[6:7]', 'out   v[0:1].lane1 = 0x1p128f64  v[0:1].lane3 = 0x1p128f64  v[0:1].lane32 = 0x1p128f64  vcc = 0x10000000a',
                  '', 'test the result overwrites a source', 'code', f'    {name} v[2:3], vcc, v[2:3], v[2:3], v[6:7]'])
    lines.extend(table(['v[2:3]', 'v[6:7]', '|', 'v[2:3]', 'vcc'], [['1.0f64', '0x1p800f64', '|', '0x1p128f64', '1'], ['3.0f64', '2.0f64', '|', '3.0f64', '0']]))
    lines.extend(['', 'test vcc is the denominator and the flag', '# With scc among the columns a row is a run, and a pair is a number.', 'code', f'    {name} v[0:1], vcc, v[2:3], vcc, v[2:3]'])
    rows = []
    for den, num in [('3.0', '2.0'), ('-1.5', '0x1p600')]:
        d, n = calc.parse(den), calc.parse(num)
        one, flags = calc.div_scale(Mode(), n, d, n)
        rows.append([calc.show_one('d', n), calc.show_one('d', d), '0', '|', calc.show('d', one), '{%s}' % '|'.join(map(str, flags)) if len(flags) > 1 else str(flags[0])])
    lines.extend(table(['v[2:3]', 'vcc', 'scc', '|', 'v[0:1]', 'vcc'], rows))
    lines.extend(['', 'test scalar operands', 'in    exec = 3  s[4:5] = 0x1p800f64  v[2:3] = 1.0f64  vcc = 0', 'code', f'    {name} v[0:1], vcc, s[4:5], v[2:3], s[4:5]', f'    {name} v[8:9], s[6:7], 2.0, 2.0, v[2:3]',
                  'out   v[0:1].lane0 = 0x1p800f64  v[0:1].lane1 = 0x1p800f64  vcc = 3  v[8:9].lane0 = 2.0f64  v[8:9].lane1 = 2.0f64  s[6:7] = 0'])
    return '\n'.join(lines) + '\n'


# ---- compares and classes ----

def double(b): return struct.unpack('<d', struct.pack('<Q', b))[0]


PAIRS = [('1.0', '2.0'), ('2.0', '1.0'), ('1.0', '1.0'), ('0.0', '-0.0'), ('-0.0', '0.0'), ('-1.0', '1.0'), ('-2.0', '-1.0'), ('inf', MAX), ('-inf', neg(MAX)), ('inf', 'inf'), ('-inf', 'inf'), ('nan', '1.0'), ('1.0', 'nan'), ('nan', 'nan'), ('-nan', 'inf'), (SNAN, '1.0'), ('1.0', SNAN),
         (ONE_UP, '1.0'), ('1.0', ONE_UP), ('0x3ff0000080000000', '0x3ff000007fffffff'), ('0xbff0000080000000', '0xbff000007fffffff'), ('0x3ff00000ffffffff', '0x3ff0000100000000'), (SUB, '0.0'), ('0.0', SUB), (neg(SUB), SUB), (SUBMAX, MIN)]
TINY_PAIRS = [(SUB, '0.0'), ('0.0', SUB), (neg(SUB), SUB), (SUBMAX, '-0.0'), (MIN, SUBMAX), (neg(MIN), SUB), ('-1.0', neg(SUB))]


def compare(name):
    op = name.split('_')[2]
    test, exec_too = FLOAT_TESTS[op], name.startswith('v_cmpx')
    lines = ['case-format 1', '# Compares two f64: %s. One bit per lane, 0 for lanes that are off%s' % (WORDS[op], '; EXEC gets the same bits.' if exec_too else '.'),
             '# Vega ISA, chapter 12 (VOPC), where they are called v_cmps.']

    def rows(columns, pairs, change=lambda a, b: (a, b), shown=2):
        body = []
        for pair in pairs:
            bits = [calc.parse(w) for w in pair]
            r = int(test(*(double(x) for x in change(*bits))))
            body.append([calc.show_one('d', b) for b in bits[:shown]] + ['|', r] + [r] * exec_too)
        return table(columns + ['exec'] * exec_too, body)

    def flushed(a, b): return tuple(x & F64.sign if F64.is_subnormal(x) else x for x in (a, b))
    columns, code = ['v[2:3]', 'v[4:5]', '|', 'vcc'], ['code', f'    {name} vcc, v[2:3], v[4:5]']
    lines += ['', 'test compare', 'errata VALU-C20', 'forms e32 e64'] + code + rows(columns, PAIRS)
    lines += ['', 'test inputs flushed by mode', 'forms e32 e64', 'mode fp64_denorm=flush'] + code + rows(columns, TINY_PAIRS, flushed)
    lines += ['', 'test kept results do not keep inputs', 'mode fp64_denorm=keep_out'] + code + rows(columns, TINY_PAIRS, flushed)
    lines += ['', 'test the flush of f32 does not matter', 'mode fp32_denorm=flush fp64_denorm=keep_in'] + code + rows(columns, TINY_PAIRS)
    modified = [('-2.0', '1.0'), ('1.0', '-2.0'), ('0.0', '0.0'), ('-0.0', '-0.0'), ('-0.5', '0.5'), ('-nan', '1.0'), ('3.0', '3.0')]
    mask = ['v[2:3]', 'v[4:5]', '|', 's[10:11]']
    lines += ['', 'test absolute value of the first, negated absolute value of the second', 'code', f'    {name}_e64 s[10:11], |v[2:3]|, -|v[4:5]|'] + rows(mask, modified, lambda a, b: (a & ~F64.sign, b | F64.sign))
    lines += ['', 'test negated first, absolute value of the second', 'code', f'    {name}_e64 s[10:11], -v[2:3], |v[4:5]|'] + rows(mask, modified, lambda a, b: (a ^ F64.sign, b & ~F64.sign))
    points = [('-2.0', '-2.0'), ('0xc000000000000001', '-2.0'), ('-1.0', '-2.0'), ('nan', '-2.0')]
    single = ['v[2:3]', '|', 's[10:11]']
    lines += ['', 'test inline constant, result in an sgpr pair', 'code', f'    {name}_e64 s[10:11], v[2:3], -2.0'] + rows(single, points, shown=1)
    lines += ['', 'test a literal is the upper half', 'code', f'    {name}_e32 vcc, 0x400e0000, v[2:3]'] + rows(['v[2:3]', '|', 'vcc'], [(w, '3.75') for w in ('3.75', '0x400e000000000001', '3.5', '-3.75')], lambda a, b: (b, a), 1)
    lines += ['', 'test a scalar pair', 'in    s[4:5] = 0x400e000000000001', 'code', f'    {name}_e64 s[10:11], s[4:5], v[2:3]'] + rows(single, [(w, '0x400e000000000001') for w in ('3.75', '0x400e000000000001', '0x400e000000000002')], lambda a, b: (b, a), 1)
    true_pair = next(((a, b) for a, b in ((1.0, 2.0), (2.0, 1.0), (3.0, 3.0)) if test(a, b)), (1.0, float('nan')))
    on = 0x8000000000000106
    r = on if test(*true_pair) else 0
    words = ['nan' if x != x else '%.1ff64' % x for x in true_pair]
    lines += ['', 'test lanes that are off get 0', 'forms e32 e64', f'in    exec = 0x{on:x}  v[2:3] = {words[0]}  v[4:5] = {words[1]}  vcc = -1'] + code + ['case  every lane alike', f'out   vcc = 0x{r:x}' + (f'  exec = 0x{r:x}' if exec_too else '')]
    return '\n'.join(lines) + '\n'


CLASS_VALUES = ['snan', 'nan', '-inf', '-1.5', neg(SUB), '-0.0', '0.0', SUB, '2.5', 'inf', SNAN, '-nan', neg(MAX), neg(MIN), neg(SUBMAX), SUBMAX, MIN, MAX, '0x7ff0000100000000', '0x0000000100000000', '0x7ff8000000000001', '0x000fffff00000000']


def classify(name):
    exec_too = name.startswith('v_cmpx')
    lines = ['case-format 1', '# Whether the class of an f64 is among those of a mask: bits 0 signaling NaN, 1 quiet NaN, then from -infinity to',
             '# +infinity: infinite, normal, subnormal, zero, and back. Vega ISA, chapter 12 (VOPC), V_CMP%s_CLASS_F64.' % ('X' if exec_too else '')]

    def rows(columns, pairs, change=lambda b: b, shown=2):
        body = []
        for word, mask in pairs:
            b = calc.parse(word)
            r = mask >> calc.class_of(change(b)) & 1
            body.append([calc.show_one('d', b), '0x%x' % mask][:shown] + ['|', r] + [r] * exec_too)
        return table(columns + ['exec'] * exec_too, body)
    columns, code = ['v[2:3]', 'v4', '|', 'vcc'], ['code', f'    {name} vcc, v[2:3], v4']
    own = [(w, m) for w in CLASS_VALUES for c in [1 << calc.class_of(calc.parse(w))] for m in (c, 0x3ff & ~c)]
    lines += ['', 'test each class alone and all others', 'forms e32 e64'] + code + rows(columns, own)
    some = [(w, m) for w in CLASS_VALUES[:10] for m in (0, 0xfffffc00, 0xffffffff)]
    lines += ['', 'test other bits of the mask do not matter'] + code + rows(columns, some)
    flush = [(w, m) for w in (SUB, neg(SUB), '0.0', '-0.0') for m in (0x90, 0x60)]
    lines += ['', 'test nothing is flushed', 'mode denorm=flush'] + code + rows(columns, flush)
    lines += ['', 'test a signaling NaN stays one without ieee', 'mode ieee=0'] + code + rows(columns, [('snan', 1), ('snan', 2), ('nan', 1), ('nan', 2)])
    all_of = [(w, m) for w in CLASS_VALUES[2:10] for m in (0x3c, 0x3c0)]
    mask = ['v[2:3]', 'v4', '|', 's[10:11]']
    lines += ['', 'test neg', 'code', f'    {name}_e64 s[10:11], -v[2:3], v4'] + rows(mask, all_of, lambda b: b ^ F64.sign)
    lines += ['', 'test abs', 'code', f'    {name}_e64 s[10:11], |v[2:3]|, v4'] + rows(mask, all_of, lambda b: b & ~F64.sign)
    lines += ['', 'test constants and scalar registers', 'in    s4 = 0x104', 'code', f'    {name}_e64 s[10:11], v[2:3], s4'] + rows(['v[2:3]', '|', 's[10:11]'], [(w, 0x104) for w in ('1.5', '-inf', 'inf', '-1.5')], shown=1)
    lines += ['', 'test a literal is the upper half', 'code', f'    {name}_e32 vcc, 0x400e0000, v4'] + table(['v4', '|', 'vcc'] + ['exec'] * exec_too, [['0x%x' % m, '|', m >> 8 & 1] + [m >> 8 & 1] * exec_too for m in (0x100, 0x2ff, 0x3ff)])
    on = 0x8000000000000106
    lines += ['', 'test lanes that are off get 0', 'forms e32 e64', f'in    exec = 0x{on:x}  v[2:3] = 1.5f64  v4 = 0x100  vcc = -1'] + code + ['case  every lane alike', f'out   vcc = 0x{on:x}' + (f'  exec = 0x{on:x}' if exec_too else '')]
    return '\n'.join(lines) + '\n'


def page(name): return 'Vega ISA, chapter 12, %s.' % name.upper()


MAKERS = {
    'v_cvt_i32_f64': (to_int, 'An f64 as signed number: truncated, saturated, 0 for a NaN.'),
    'v_cvt_u32_f64': (to_int, 'An f64 as unsigned number: truncated, saturated, 0 for a NaN and below zero.'),
    'v_cvt_f64_i32': (from_int, 'A signed number as f64, exact.'),
    'v_cvt_f64_u32': (from_int, 'An unsigned number as f64, exact.'),
    'v_cvt_f32_f64': (f32_f64, 'An f64 as f32: rounded and flushed by the fields of f32, operands flushed by those of f64.'),
    'v_cvt_f64_f32': (f64_f32, 'An f32 as f64, exact; operands are flushed by the fields of f32.'),
    'v_trunc_f64': (integral, 'The whole number next to zero; a zero keeps the sign.'),
    'v_ceil_f64': (integral, 'The smallest whole number not below S0; a zero keeps the sign.'),
    'v_rndne_f64': (integral, 'The nearest whole number, ties to even whatever MODE says; a zero keeps the sign.'),
    'v_floor_f64': (integral, 'The largest whole number not above S0; a zero keeps the sign.'),
    'v_rcp_f64': (roots, '1 / S0 to 23 bits; powers of two are exact.'),
    'v_rsq_f64': (roots, '1 / sqrt(S0) to 23 bits.'),
    'v_sqrt_f64': (roots, 'The square root of S0 to 23 bits.'),
    'v_frexp_exp_i32_f64': (frexp, 'The exponent e of S0 = m * 2^e, |m| from 1/2 to 1; 0 for zero, infinity and NaN.'),
    'v_frexp_mant_f64': (frexp, 'The significand m of S0 = m * 2^e, |m| from 1/2 to 1; zero, infinity and NaN stay.'),
    'v_fract_f64': (fract, 'S0 minus the largest whole number not above it; always below 1.'),
    'v_fma_f64': (arithmetic, 'S0 * S1 + S2, rounded once; subnormals as MODE says.'),
    'v_add_f64': (arithmetic, 'S0 + S1, rounded; subnormals as MODE says.'),
    'v_mul_f64': (arithmetic, 'S0 * S1, rounded; subnormals as MODE says.'),
    'v_min_f64': (minmax, 'The smaller of two f64, -0 below +0; a quiet NaN loses.'),
    'v_max_f64': (minmax, 'The larger of two f64, +0 above -0; a quiet NaN loses.'),
    'v_ldexp_f64': (ldexp, 'S0 * 2^S1, S1 a signed number of 32 bits, rounded once.'),
    'v_trig_preop_f64': (trig, '53 of 1201 bits of 2/pi, chosen by the exponent of S0 and a segment number.'),
    'v_div_fixup_f64': (fixup, 'S0 is the quotient S2 / S1 unless that is a special case; the sign comes from S1 and S2.'),
    'v_div_fmas_f64': (fmas, 'S0 * S1 + S2, times 2^128 or 2^-128 in lanes with a bit in VCC, rounded once.'),
}
ERRATA = {'v_div_fmas_f64': 'VALU-C33', 'v_div_fixup_f64': 'VALU-U18', 'v_trig_preop_f64': 'VALU-C35', 'v_frexp_exp_i32_f64': 'VALU-C14', 'v_rsq_f64': 'VALU-C14', 'v_cvt_i32_f64': 'VALU-C38', 'v_cvt_u32_f64': 'VALU-C38'}


def make(name):
    if name == 'v_div_scale_f64':
        return 'vop3b', scale(name, 'S0, which is the denominator S1 or the numerator S2, scaled so that a division has no subnormal\n# steps; the lane mask says what V_DIV_FMAS has to undo. Vega ISA, chapter 12, V_DIV_SCALE_F64.')
    if name.startswith('v_cmp'):
        return 'vopc', classify(name) if 'class' in name else compare(name)
    maker, what = MAKERS[name]
    o = maker(name, what + ' ' + page(name))
    constants = {'d': 'dd', 'i': 'i'}
    if name not in ('v_ldexp_f64', 'v_trig_preop_f64'):
        o.constants()
    o.off(' '.join({'d': '2.75', 's': '2.75', 'i': '5', 'u': '5'}[k] if k != 'd' or i != 1 else '-1.5' for i, k in enumerate(o.vector)) + (' 0' if 'c' in o.kinds else ''))
    text = o.text()
    if name in ERRATA:
        first = text.index('\n', text.index('\ntest ') + 1)
        text = text[:first] + '\nerrata ' + ERRATA[name] + text[first:]
    return 'vop1' if o.is_vop1 else 'vop3a', text


def main():
    folder = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or list(MAKERS) + ['v_div_scale_f64', 'v_cmp_class_f64', 'v_cmpx_class_f64'] + [f'{p}_{op}_f64' for op in FLOAT_TESTS for p in ('v_cmp', 'v_cmpx')]
    for name in names:
        encoding, text = make(name)
        casetext.write(folder / encoding / (name + '.case'), text)


if __name__ == '__main__':
    main()
