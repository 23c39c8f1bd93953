#!/usr/bin/env python3
"""Writes the case files of the f32 opcodes that calc_f32.py knows.

    scripts/calc/cases_f32.py cases [OPCODE]...

What is asked of each opcode stands here, the answers are worked out by calc_f32.py.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import calc_f32 as calc
import casetext
from calc import INF, Mode, SIGN, is_nan, parse
from calc_vopc import table

ROUNDINGS = (('plus infinity', 'rtp'), ('minus infinity', 'rtn'), ('zero', 'rtz'))
SUB, SUBMAX, MIN, MAX, QNAN, SNAN = '0x00000001', '0x007fffff', '0x00800000', '0x7f7fffff', '0x7fc12345', '0x7f812345'


def neg(word):
    if word.startswith('-'):
        return word[1:]
    return '0x%08x' % (int(word, 16) ^ SIGN) if word.startswith('0x') and 'p' not in word else '-' + word


def both(words): return [x for w in words for x in (w, neg(w))]


class File:
    """Sources v1, v2, v3, result v0. Rows are words of the operands."""

    def __init__(self, name, encoding, what):
        self.name, self.encoding = name, encoding
        self.kinds, self.kind, _ = calc.RULES[name]
        self.only_vop3 = encoding in ('vop3a', 'vop3b')
        self.long = name if self.only_vop3 else name + '_e64'
        self.n = len(self.kinds.replace('m', ''))
        if name == 'v_cvt_pkaccum_u8_f32':
            self.n = 2
        self.lines = ['case-format 1'] + ['# ' + line for line in what.split('\n')]

    def column(self, i): return ('vcc' if self.kinds[i] == 'm' else 'v0' if i == self.n else 'v%d' % (i + 1))

    def instruction(self, dst, negabs, out, mnemonic=None):
        ops = ['v%d' % (i + 1) for i in range(self.n)]
        ops = ['-' * n + ('|%s|' % o if a else o) for o, (n, a) in zip(ops, negabs)]
        if mnemonic is None:
            mnemonic = self.long if out or any(n or a for n, a in negabs) else self.name
        if self.kind == 'm':
            dst = 'vcc'
        if self.name == 'v_div_scale_f32':
            dst = dst + ', vcc'
        return '    %s %s, %s%s' % (mnemonic, dst, ', '.join(ops), ' ' + out if out else '')

    def answer(self, mode, bits, negabs, out):
        given = [calc.modified(k, b, n, a) for k, b, (n, a) in zip(self.kinds, bits, list(negabs) + [(0, 0)] * 2)]
        field = {'mul:2': 1, 'mul:4': 2, 'div:2': 3}.get(out, 0)
        found = calc.result(self.name, mode, given, field, out == 'clamp')
        return calc.show_result(self.name, found, given), given

    def show_operand(self, kind, bits): return calc.show_one('x' if kind == 'u' and bits > 9999 else kind, bits)

    def test(self, title, rows, mode={}, instructions=None, forms='', given='', errata=''):
        """instructions: [(negabs, output modifier)]"""
        none = [(0, 0)] * self.n
        instructions = instructions or [(none, '')]
        regs = ['v0', 'v5', 'v6', 'v7'][:len(instructions)]
        m, body = Mode(**mode), []
        scale = self.name == 'v_div_scale_f32'
        outs = ['vcc'] if self.kind == 'm' else regs
        outs = outs + (['exec'] if 'cmpx' in self.name else ['vcc'] if scale else [])
        for row in rows:
            bits = [parse(w) for w in row.split()]
            cells = [self.show_operand(k, b) for k, b in zip(self.kinds, bits)] + ['|']
            for (negabs, out) in instructions:
                text, used = self.answer(m, bits, negabs, out)
                cells.append(text)
            if 'cmpx' in self.name:
                cells.append(cells[-1])
            if scale:
                cells.append(calc.show(calc.div_scale(m, *used)[1], str))
            body.append(cells)
        columns = [self.column(i) for i in range(len(self.kinds))] + ['|'] + outs
        self.lines += ['', 'test ' + title]
        self.lines += ['errata ' + errata] if errata else []
        self.lines += ['forms ' + forms] if forms else []
        self.lines += ['mode ' + ' '.join('%s=%s' % f for f in mode.items())] if mode else []
        self.lines += ['in    ' + given] if given else []
        self.lines += ['code'] + [self.instruction(r, n, o) for r, (n, o) in zip(regs, instructions)] + table(columns, body)

    def raw(self, *lines): self.lines += [''] + list(lines)

    def value(self, row, mode={}):
        bits = [parse(w) for w in row.split()]
        return calc.show_result(self.name, calc.result(self.name, Mode(**mode), bits), bits)

    # ---- what many have in common ----

    def rounding(self, rows):
        for words, direction in ROUNDINGS:
            self.test('round toward ' + words, rows, {'round': direction})

    def denorms(self, rows, errata=''):
        for words, denorm in (('flushed', 'flush'), ('kept as operands only', 'keep_in'), ('kept as results only', 'keep_out')):
            self.test('subnormals ' + words, rows, {'denorm': denorm}, errata=errata)

    def signaling(self, rows): self.test('a signaling NaN without ieee', rows, {'ieee': 0})

    def neg_abs(self, rows):
        floats = [i for i in range(self.n) if self.kinds[i] == 'f']
        def one(f, mod): return [mod if i == f else (0, 0) for i in range(self.n)]
        if self.n == 1:
            sets = [one(0, x) for x in ((1, 0), (0, 1), (1, 1))]
            self.test('abs and neg', rows, instructions=[(s, '') for s in sets])
            return
        if self.name == 'v_div_scale_f32':
            return
        if self.kind == 'm':
            for words, mods in (('neg', (1, 0)), ('abs', (0, 1)), ('neg of abs', (1, 1))):
                self.test(words + ' of the first operand', rows, instructions=[(one(0, mods), '')])
            return
        self.test('neg of each operand', rows, instructions=[(one(f, (1, 0)), '') for f in floats])
        self.test('abs of each operand', rows, instructions=[(one(f, (0, 1)), '') for f in floats])
        self.test('neg of abs of each operand', rows, instructions=[(one(f, (1, 1)), '') for f in floats])

    def output(self, rows, clamp_rows, clamps=True):
        none = [(0, 0)] * self.n
        if clamps:
            self.test('clamp', clamp_rows, instructions=[(none, 'clamp')])
            self.test('clamp passes a NaN without dx10_clamp', clamp_rows, {'dx10_clamp': 0}, [(none, 'clamp')])
        scaled = [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')]
        self.test('omod', rows, {'denorm': 'flush', 'ieee': 0}, scaled)
        self.test('omod is ignored with ieee', rows[:2], {'denorm': 'flush'}, scaled[:1])
        self.test('omod is ignored where subnormals are kept', rows[:2], {'denorm': 'keep_out', 'ieee': 0}, scaled[1:])

    def overlap(self, row):
        """The result over each source."""
        for i in range(self.n):
            ops = ['v%d' % (k + 1) for k in range(self.n)]
            words = row.split()
            columns = ops + (['vcc'] if 'm' in self.kinds else []) + ['|', 'v%d' % (i + 1)]
            bits = [parse(w) for w in words]
            shown = [self.show_operand(k, b) for k, b in zip(self.kinds, bits)]
            dst = 'v%d' % (i + 1) + (', s[10:11]' if self.name == 'v_div_scale_f32' else '')
            if self.name == 'v_div_scale_f32':
                columns.append('s[10:11]')
                shown += ['|', self.value(row), calc.show(calc.div_scale(Mode(), *bits)[1], str)]
            else:
                shown += ['|', self.value(row)]
            self.raw('test the result overwrites source %d' % i, 'code', '    %s %s, %s' % (self.name, dst, ', '.join(ops)),
                     *table(columns, [shown]))

    def off(self, row, forms='e32 e64 sdwa dpp'):
        words = row.split()
        given = ['exec = 0x800000010000000a'] + ['%s = %s' % (self.column(i), self.show_operand(k, parse(w)))
                                                 for i, (k, w) in enumerate(zip(self.kinds, words)) if k != 'm']
        if 'm' in self.kinds:
            given.append('vcc = %d' % -int(words[-1]))
        head = ['test lanes switched off keep their result'] + (['forms ' + forms] if not self.only_vop3 else [])
        code = '    %s v0, %s' % (self.name, ', '.join('v%d' % (i + 1) for i in range(self.n)))
        want = self.value(row)
        self.raw(*head, 'in    ' + '  '.join(given), 'code', code, 'out   ' + '  '.join('v0.lane%d = %s' % (n, want) for n in (1, 3, 32, 63)))

    def constants1(self, literal, constant, scalar, high):
        """One operand: a literal, an inline constant, scalar registers."""
        words = (literal, constant + 'f32', scalar, high)
        code = ['    %s_e32 v0, 0x%08x' % (self.name, parse(literal)), '    %s_e64 v5, %s' % (self.name, constant),
                '    %s_e32 v6, s4' % self.name, '    %s_e64 v7, vcc_hi' % self.name]
        outs = ['%s.lane1 = %s' % (r, self.value(w)) for r, w in zip(('v0', 'v5', 'v6', 'v7'), words)]
        self.raw('test constants and scalar registers', 'in    exec = 2  s4 = %s  vcc_hi = %s' % (self.show_operand(self.kinds[0], parse(scalar)), self.show_operand(self.kinds[0], parse(high))),
                 'code', *code, 'out   ' + '  '.join(outs))

    def constants3(self, row, scalar):
        """Several operands: in turn a scalar register, an inline constant."""
        words = row.split()
        code, outs = [], []
        for i in range(self.n):
            if self.kinds[i] != 'f':
                continue
            ops = ['v%d' % (k + 1) for k in range(self.n)]
            for reg, op, word in (('v%d' % (5 + i), 's4', scalar), ('v%d' % (8 + i), '-4.0', '-4.0f32')):
                ops[i] = op
                code.append('    %s %s, %s' % (self.long, reg, ', '.join(ops)))
                outs.append('%s.lane2 = %s' % (reg, self.value(' '.join(words[:i] + [word] + words[i + 1:]))))
        given = ['exec = 4', 's4 = ' + scalar] + ['v%d = %s' % (i + 1, self.show_operand(k, parse(w))) for i, (k, w) in enumerate(zip(self.kinds, words)) if k != 'm']
        given += ['vcc = %d' % -int(words[-1])] if 'm' in self.kinds else []
        self.raw('test constants and scalar registers', 'in    ' + '  '.join(given), 'code', *code, 'out   ' + '  '.join(outs))

    def sdwa_dpp1(self, words):
        """One operand: halves selected, the result in a part; lanes moved."""
        m, body = Mode(), []
        for w in words:
            b = parse(w)
            whole = self.answer(m, [b], [(1, 0)], '')[0]
            half = self.answer(m, [b >> 16], [(0, 0)], '')[0]
            body.append(['0x%08x' % b, '|', whole, half])
        self.raw('test sdwa: neg of the whole, the high half as it stands', 'code',
                 '    %s_sdwa v0, -v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD' % self.name,
                 '    %s_sdwa v5, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1' % self.name,
                 *table(['v1', '|', 'v0', 'v5'], body))
        if self.kinds == 'f':
            rows = [['0x%08x' % parse(w), '|', self.answer(m, [parse(words[i ^ 1])], [(1, 1)], '')[0]] for i, w in enumerate(words[:len(words) & ~1])]
            self.raw('test dpp swaps neighbours, with neg of abs', 'code',
                     '    %s_dpp v0, -|v1| quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf' % self.name, *table(['v1', '|', 'v0'], rows))

    def sdwa_part(self, word):
        """An exact result's upper half goes to a part of the destination, the rest stays."""
        want = calc.result(self.name, Mode(), [parse(word)])[0]
        low = want & 0xffff
        self.raw('test sdwa writes a part and keeps the rest', 'in    exec = 1  v0 = 0x8badf00d  v5 = 0x8badf00d  v1 = %s' % word, 'code',
                 '    %s_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD' % self.name,
                 '    %s_sdwa v5, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:DWORD' % self.name,
                 'out   v0.lane0 = 0x%04xf00d  v5.lane0 = 0x8b%02xf00d' % (low, low & 255))

    def text(self): return '\n'.join(self.lines) + '\n'


# ---- one operand ----

def unit(name, what, plain, exact, special, forms='e32 e64 sdwa dpp'):
    """The transcendental unit. exact: operands with an exact result, for omod, clamp and parts."""
    f = File(name, 'vop1', what)
    f.test('special operands', special, forms=forms)
    f.test('within the tolerance', plain)
    flushed = both([SUB, SUBMAX, MIN]) + exact[:2]
    f.test('subnormal operands, flushed by mode', flushed, {'denorm': 'flush'}, errata='VALU-C40')
    f.test('subnormal operands, kept by mode', flushed, {'denorm': 'keep'}, errata='VALU-C40')
    for words, direction in ROUNDINGS:
        f.test('round toward ' + words, exact + plain[:4], {'round': direction})
    f.signaling([SNAN, '0xff800005', QNAN] + exact[:1])
    f.neg_abs(exact[:3] + ['-4.0f32', '0.0f32', QNAN])
    f.output(exact + ['inf'], exact + both(['inf']) + [QNAN])
    f.sdwa_dpp1(plain[:4] + exact[:2])
    return f


def exp(name, what):
    plain = ['0.5f32', '-0.5f32', '1.5f32', '0.1f32', '-0.7f32', '3.14159f32', '-10.3f32', '100.7f32', '-100.2f32', '127.99f32', '-125.9f32', '0x42ffffff', '0xc2fbffff',
             '1.0f32', '-1.0f32', '10.0f32', '-126.0f32', '127.0f32', '0x32800000', '0xb3800000', '0x33ffffff', '0x3e99999a']
    special = both(['0.0f32', 'inf', MAX, '128.0f32', '129.0f32', '1e30f32', QNAN]) + ['0xc2fc0001', '-127.0f32', '-149.0f32', '-150.0f32', SUB, '0x80000001', SNAN, '0xff812345']
    f = unit(name, what, plain, ['0.0f32', '-0.0f32', '0x80000001'], special)
    f.constants1('0x40600000', '2.0', '-3.25f32', '7.5f32')
    f.overlap('2.5f32')
    f.off('3.5f32')
    return f


def log(name, what):
    plain = ['3.0f32', '0.7f32', '10.0f32', '0.001f32', '1e30f32', '1e-30f32', MAX, '0x00800001', '1.5f32', '0x3f800001', '0x3f7fffff', '0x3fb504f3', '0x3fb504f4', '0x3f3504f3',
             '5.5f32', '100.0f32', '0x7f000001', '0.99f32', '1.01f32']
    special = both(['0.0f32', '1.0f32', 'inf', '2.0f32', '0.5f32', MAX, MIN, SUB, SUBMAX, QNAN]) + ['8.0f32', '0x1p100f32', '0x1p-100f32', '0x7f000000', SNAN, '0xff812345']
    f = unit(name, what, plain, ['2.0f32', '8.0f32', '1.0f32', '0.5f32', '0x1p-16f32'], special)
    f.sdwa_part('0x1p-23f32')
    f.constants1('0x42c80000', '4.0', '0.375f32', '1000.0f32')
    f.overlap('12.0f32')
    f.off('0x1p77f32')
    return f


def rcp(name, what):
    plain = both(['3.0f32', '0.7f32', '10.0f32', '0.001f32', '0x3f800001', '0x3fffffff', '0x7e7fffff', '0x00800001', '0x4b7fffff', '7.0f32', '1e-37f32', '0x3fb504f3'])
    special = both(['0.0f32', '1.0f32', 'inf', '2.0f32', '-0.25f32', MAX, MIN, '0x7e800000', '0x7e800001', '0x7f000000', SUB, SUBMAX, QNAN, '0x1p100f32']) + [SNAN, '0xff812345']
    f = unit(name, what, plain, ['2.0f32', '-0.5f32', '1.0f32', '0x1p-16f32', '-8.0f32', '0x7e800000'], special)
    f.constants1('0x42c80000', '4.0', '-0.375f32', '1000.0f32')
    f.overlap('12.0f32')
    f.off('-48.0f32')
    return f


def rcp_plain(name, what):
    f = rcp(name, what)
    f.raw('test zero is a division by zero', 'errata TRAP-U01', 'code', '    %s v0, v1' % name,
          *table(['v1', '|', 'v0', 'trapsts'], [[a, '|', f.value(a), str(flag)] for a, flag in (('0.0f32', 4), ('-0.0f32', 4), ('2.0f32', 0))]))
    return f


def rcp_iflag(name, what):
    f = rcp(name, what)
    body = [[a, '|', f.value(a), str(flag)] for a, flag in (('0.0f32', 64), ('-0.0f32', 64), ('2.0f32', 0), ('3.0f32', 0), ('0x7f000000', 0), ('inf', 0), ('snan', 0))]
    f.raw('test zero is an integer division by zero, and nothing else is raised', 'code', '    %s v0, v1' % name, *table(['v1', '|', 'v0', 'trapsts'], body))
    f.raw('test a lane that is off raises nothing', 'in    exec = 0xfffffffffffff000  v1 = lane*0x80000', 'code', '    v_lshlrev_b32 v0, 4, v1', '    %s v0, v0' % name, 'out   v0 = ?  trapsts = 0')
    return f


def roots(name, what, reciprocal):
    plain = ['2.0f32', '3.0f32', '0.7f32', '10.0f32', '0.001f32', '1e30f32', '1e-30f32', MAX, '0x00800001', '0x3f800001', '0x3f7fffff', '8.0f32', '0.5f32', '0x3fffffff', '0x407fffff', '12345.678f32']
    special = both(['0.0f32', '1.0f32', 'inf', '4.0f32', '0.25f32', MIN, SUB, SUBMAX, QNAN, '2.0f32', MAX]) + ['16.0f32', '0x1p100f32', '0x1p-100f32', SNAN, '0xff812345'] + \
        ([] if reciprocal else ['9.0f32', '2.25f32', '16777216.0f32', '0x4b7fe001'])
    f = unit(name, what, plain, ['4.0f32', '0.25f32', '1.0f32', '0x1p-40f32', '64.0f32'], special)
    f.constants1('0x42c80000', '4.0', '0.375f32', '1000.0f32')
    f.overlap('12.0f32')
    f.off('48.0f32')
    return f


def turns(name, what):
    plain = both(['0.1f32', '0.2f32', '0.125f32', '0.3f32', '0.4f32', '0.6f32', '0.9f32', '0x3dffffff', '0x3e7fffff', '0x3e800001', '1.1f32', '100.37f32', '255.9f32', '256.1f32',
                  '1000.3f32', '100000.3f32', '4194304.5f32', '8388607.5f32', '0x1p-13f32', '0x39800001', '0x1p-20f32', '0x1p-100f32', MIN, '0.5f32', '0.75f32', '0x3f7fffff'])
    special = both(['0.0f32', 'inf', '1.0f32', '2.0f32', MAX, '8388608.0f32', '8388609.0f32', '1000.0f32', QNAN]) + ['0.25f32', SNAN, '0xff812345']
    f = File(name, 'vop1', what)
    f.test('special operands', special, forms='e32 e64 sdwa dpp')
    f.test('within the tolerance', plain, errata='VALU-U09' if name == 'v_sin_f32' else '')
    tiny = both([SUB, '0x00000123', SUBMAX, MIN])
    f.test('subnormals are kept', tiny, errata='VALU-C40')
    f.denorms(tiny, 'VALU-C40')
    for words, direction in ROUNDINGS:
        f.test('round toward ' + words, plain[:6] + ['0.25f32', '1.0f32'], {'round': direction})
    f.signaling([SNAN, '0xff800005', QNAN, '0.25f32'])
    f.neg_abs(['0.1f32', '-0.3f32', '0.0f32', QNAN])
    one = '0.25f32' if 'sin' in name else '1.0f32'
    none = '1.0f32' if 'sin' in name else '0.25f32'
    f.output([one, none, 'inf'], [one, none, '0.1f32', 'inf', QNAN] + (['-0.0f32'] if 'sin' in name else []))
    f.sdwa_dpp1(['0.1f32', '0.2f32', '0.3f32', '0.45f32'])
    f.constants1('0x3dcccccd', '4.0', '0.375f32', '-1000.25f32' if 'sin' in name else '1000.125f32')
    f.overlap('0.15f32')
    f.off('0.05f32')
    return f


def legacy(name, what):
    f = File(name, 'vop1', what)
    ordinary = ['0.5f32', '1.5f32', '3.0f32', '100.7f32', '0.1f32', '7.0f32', '4.0f32', '0x3f800001', '126.5f32', '0.75f32']
    f.test('ordinary operands', ordinary, forms='e32 e64 sdwa dpp', errata='VALU-U10')
    f.test('operands of which nothing is known', ['0.0f32', '-0.0f32', 'inf', '-inf', QNAN, SNAN, SUB], errata='VALU-U10')
    for words, direction in ROUNDINGS:
        f.test('round toward ' + words, ordinary[:6], {'round': direction})
    f.test('subnormals flushed', ordinary[:3], {'denorm': 'flush'})
    none = [(0, 0)]
    f.test('abs', ordinary[:3] + ['-5.25f32'], instructions=[([(0, 1)], '')])
    if 'exp' in name:
        f.test('negative operands', ['-0.5f32', '-1.5f32', '-10.3f32', '-125.9f32'])
        f.test('neg', ordinary[:4], instructions=[([(1, 0)], '')])
    else:
        f.test('neg', ['-0.5f32', '-1.5f32', '-3.0f32'], instructions=[([(1, 0)], '')])
        f.test('powers of two', ['2.0f32', '0.5f32', '0x1p-100f32', '0x1p100f32', '1.0f32'])
    f.test('clamp', ['1.25f32', '0.75f32', '3.0f32', '1.01f32'], instructions=[(none, 'clamp')])
    f.test('omod', ['4.0f32', '3.0f32', '1.5f32'], {'denorm': 'flush', 'ieee': 0}, [(none, 'mul:2'), (none, 'mul:4'), (none, 'div:2')])
    f.test('omod is ignored with ieee', ['4.0f32', '3.0f32'], {'denorm': 'flush'}, [(none, 'mul:2')])
    if 'exp' in name:
        f.sdwa_dpp1(['3.0f32', '5.5f32'])
    f.constants1('0x40600000', '2.0', '3.25f32', '7.5f32')
    f.overlap('2.5f32')
    f.off('3.5f32')
    return f


def frexp(name, what, is_exp):
    f = File(name, 'vop1', what)
    plain = both(['0.0f32', '1.0f32', '0.5f32', '0.75f32', '1.5f32', '3.0f32', '0x3f7fffff', '0x3f800001', MAX, MIN, 'inf', QNAN, SUB, SUBMAX, '0x00400000', '0x00000123', '1e10f32', '1e-10f32'])
    f.test('plain values and edges', plain + [SNAN, '0xff812345'], forms='e32 e64 sdwa dpp')
    some = both([SUB, SUBMAX, '0x00000123', MIN])
    f.denorms(some, 'VALU-U12')
    for words, direction in ROUNDINGS:
        f.test('exact: MODE does not matter, round toward ' + words, both(['3.3f32', SUB, MAX]), {'round': direction})
    f.signaling([SNAN, '0xff800005', QNAN, '5.0f32'])
    f.neg_abs(['-7.75f32', '0.0f32', QNAN, '0x80000003'])
    if not is_exp:
        f.output(['3.0f32', '-5.75f32', '-0.0f32', 'inf'], ['3.0f32', '-3.0f32', '0.0f32', 'inf', '-inf', QNAN])
        f.sdwa_part('0x1.23456p3f32')
    f.sdwa_dpp1(['3.25f32', '-100.5f32', '0x12345678', '0x7f654321'])
    f.constants1('0x4640e6b7', '-0.5', '12.375f32', '-100.5f32')
    f.overlap('77.5f32')
    f.off('-48.0f32')
    return f


def from_bits(name, what, rows):
    f = File(name, 'vop1', what)
    f.test('plain values and edges', rows, forms='e32 e64 sdwa dpp')
    for words, direction in ROUNDINGS:
        f.test('exact: MODE does not matter, round toward ' + words, rows[:6], {'round': direction})
    if f.kind == 'f':
        f.test('subnormals flushed', rows[:3], {'denorm': 'flush'})
        f.output(rows[2:6], rows)
    body = [['0x%08x' % b, '|', f.answer(Mode(), [b >> 8 & 255], [(0, 0)], '')[0], f.answer(Mode(), [b >> 16], [(0, 0)], '')[0]]
            for b in (0x12345678, 0xfedcba98, 0x00ff00ff, 0x80018001)]
    f.raw('test sdwa selects', 'code', '    %s_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1' % name,
          '    %s_sdwa v5, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1' % name, *table(['v1', '|', 'v0', 'v5'], body))
    words = ['0x12345678', '0xfedcba98', '0x00ff00ff', '0x80018001']
    body = [[w, '|', f.value(words[i ^ 2])] for i, w in enumerate(words)]
    f.raw('test dpp swaps pairs', 'code', '    %s_dpp v0, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf' % name, *table(['v1', '|', 'v0'], body))
    code = ['    %s_e32 v0, 0x12345678' % name, '    %s_e64 v5, 23' % name, '    %s_e64 v6, -1' % name, '    %s_e32 v7, s4' % name]
    outs = ['%s.lane1 = %s' % (r, f.value(w)) for r, w in zip(('v0', 'v5', 'v6', 'v7'), ('0x12345678', '23', '0xffffffff', '0xa1b2c3d4'))]
    f.raw('test constants and scalar registers', 'in    exec = 2  s4 = 0xa1b2c3d4', 'code', *code, 'out   ' + '  '.join(outs))
    f.overlap('0x12345678')
    f.off('0x87654321')
    return f


# ---- two and three operands ----

def two(name, encoding, what, plain, rounding, denorm):
    f = File(name, encoding, what)
    forms = '' if f.only_vop3 else 'e32 e64 sdwa dpp'
    f.test('plain values and edges', plain, forms=forms)
    f.rounding(rounding)
    f.denorms(denorm)
    return f


def mul_legacy(name, what):
    plain = ['1.0f32 2.0f32', '1.5f32 -2.5f32', '-3.0f32 -7.0f32', '0.0f32 5.0f32', '5.0f32 0.0f32', '-0.0f32 5.0f32', '5.0f32 -0.0f32', '-5.0f32 0.0f32', '-0.0f32 -0.0f32', '0.0f32 inf', 'inf -0.0f32',
             '-inf 0.0f32', '0.0f32 0x7fc12345', '0xffc00001 -0.0f32', '0x7f812345 0.0f32', '0.0f32 0xff812345', 'inf 2.0f32', '-inf inf', '0x7fc12345 2.0f32', '2.0f32 0xff812345', '0x7f812345 inf',
             '0x7f7fffff 2.0f32', '0x00800000 0.5f32', '0x00000001 2.0f32', '0x00000001 0.25f32', '0x3f800001 0x3f800001', '0x7fc12345 0x7fc54321', '1.1f32 1.3f32']
    rounding = ['0x3f800001 0x3f800001', '0x3f800001 0xbf800003', '1.1f32 1.3f32', '-1.1f32 1.7f32', '0x7f7fffff 2.0f32', '-0.0f32 3.0f32', '0x00000001 0.25f32', '0xff7fffff 3.0f32']
    denorm = ['0x00000001 inf', 'inf 0x80000001', '0x007fffff 0x7fc12345', '0x00800000 0.5f32', '0x80800000 0.75f32', '0x00000001 0x7f000000', '2.0f32 0x807fffff', '1.5f32 3.5f32', '0x80000001 -2.0f32']
    f = two(name, 'vop2', what, plain, rounding, denorm)
    f.signaling(['0x7f812345 2.0f32', '2.0f32 0xff812345', '0x7f812345 0.0f32', '3.0f32 5.0f32'])
    f.neg_abs(['1.5f32 -2.5f32', '-3.0f32 7.0f32', '-0.0f32 5.0f32', '2.0f32 3.0f32'])
    f.output(['1.5f32 2.5f32', '-3.0f32 1.25f32', '-0.0f32 7.0f32', '0x7f000000 1.5f32', '0x00800000 -1.0f32'], ['0.5f32 1.5f32', '1.5f32 2.0f32', '-1.0f32 3.0f32', '0x7fc12345 1.0f32', '0.0f32 inf', 'inf inf'])
    m = Mode()
    body = [[a, b, '|', calc.show_result(name, calc.result(name, m, [parse(a) ^ SIGN, parse(b) & ~SIGN]))] for a, b in
            (('0x3fc00000', '0xc0200000'), ('0xc0400000', '0xbf000000'), ('0x00000000', '0x7fc00001'), ('0x40490fdb', '0x40490fdb'))]
    f.raw('test sdwa with neg and abs', 'code', '    %s_sdwa v0, -v1, |v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD' % name, *table(['v1', 'v2', '|', 'v0'], body))
    lanes = [('0x3fc00000', '0xc0200000'), ('0x41000000', '0x3e800000'), ('0x80000000', '0x7f800000'), ('0x40400000', '0xbf400000')]
    body = [[a, b, '|', calc.show_result(name, calc.result(name, m, [parse(lanes[3 - i][0]) & ~SIGN, parse(b) ^ SIGN]))] for i, (a, b) in enumerate(lanes)]
    f.raw('test dpp reverses four lanes, with abs and neg', 'code', '    %s_dpp v0, |v1|, -v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf' % name, *table(['v1', 'v2', '|', 'v0'], body))
    code = ['    %s_e32 v0, 0x40490fdb, v1' % name, '    %s_e32 v5, s4, v1' % name, '    %s_e64 v6, v1, vcc_lo' % name, '    %s_e64 v7, -0.5, v1' % name]
    outs = ['%s.lane2 = %s' % (r, f.value(w)) for r, w in zip(('v0', 'v5', 'v6', 'v7'), ('0x40490fdb 3.5f32', '-1.75f32 3.5f32', '3.5f32 12.25f32', '-0.5f32 3.5f32'))]
    f.raw('test constants and scalar registers', 'in    exec = 4  v1 = 3.5f32  s4 = -1.75f32  vcc_lo = 12.25f32', 'code', *code, 'out   ' + '  '.join(outs))
    f.overlap('1.5f32 -2.5f32')
    f.off('1.5f32 -7.0f32')
    return f


def mad_legacy(name, what):
    plain = ['1.0f32 2.0f32 3.0f32', '1.5f32 -2.5f32 0.75f32', '-3.0f32 -7.0f32 -20.0f32', '0.0f32 5.0f32 1.5f32', '5.0f32 -0.0f32 1.5f32', '0.0f32 inf 2.5f32', '-inf 0.0f32 -2.5f32', '0.0f32 0x7fc12345 3.5f32',
             '0xff812345 -0.0f32 3.5f32', '0.0f32 1.0f32 -0.0f32', '-0.0f32 1.0f32 -0.0f32', '0.0f32 1.0f32 0.0f32', '-0.0f32 3.0f32 inf', 'inf 0.0f32 0xffc12345', 'inf 2.0f32 -inf', 'inf 2.0f32 3.0f32', '2.0f32 3.0f32 -inf',
             '0x7fc12345 2.0f32 1.0f32', '2.0f32 0xff812345 1.0f32', '2.0f32 1.0f32 0x7f812345', '0x7f7fffff 2.0f32 1.0f32', '0x3f800001 0x3f800001 0xbf800002', '0x3f800001 0x3f7fffff -1.0f32', '2.0f32 3.0f32 -6.0f32',
             '0x00000001 0x7f000000 1.0f32', '1.0f32 0x00800000 0x80800001', '0x00000001 inf 4.0f32', '0.0f32 2.0f32 0x00000001', '1.1f32 1.3f32 1.7f32']
    rounding = ['2.0f32 3.0f32 -6.0f32', '0.0f32 3.0f32 -0.0f32', '0.0f32 3.0f32 0.0f32', '1.5f32 2.5f32 0x33800000', '1.5f32 2.5f32 0xb3800000', '0x7f7fffff 1.0f32 0x7f7fffff', '-2.0f32 0x7f7fffff 1.0f32']
    denorm = ['0x00000001 inf 4.0f32', '0x00800000 0.5f32 1.0f32', '1.0f32 1.0f32 0x80000001', '0.0f32 2.0f32 0x007fffff', '1.0f32 0x00800000 0x80800001', '1.5f32 2.0f32 0.25f32']
    f = two(name, 'vop3a', what, plain, rounding, denorm)
    f.signaling(['0x7f812345 2.0f32 1.0f32', '2.0f32 1.0f32 0xff812345', '0.0f32 0x7f812345 2.0f32'])
    f.neg_abs(['1.5f32 -2.5f32 0.75f32', '-3.0f32 7.0f32 -20.0f32', '2.0f32 3.0f32 4.0f32'])
    f.output(['1.5f32 2.5f32 0.25f32', '-3.0f32 1.25f32 0.75f32', '0.0f32 7.0f32 0.0f32', '0x7f000000 1.5f32 1.0f32'],
             ['0.5f32 0.5f32 0.125f32', '1.5f32 2.0f32 1.0f32', '-1.0f32 3.0f32 1.0f32', '0x7fc12345 1.0f32 2.0f32', '0.0f32 inf 0.5f32'])
    f.constants3('1.5f32 -2.5f32 0.75f32', '3.25f32')
    f.overlap('1.5f32 -2.5f32 0.75f32')
    f.off('1.5f32 -7.0f32 100.0f32')
    return f


def pick3(name, what):
    import itertools
    orders = [' '.join(p) for p in itertools.permutations(('1.0f32', '-2.0f32', '3.5f32'))]
    plain = orders + ['5.0f32 5.0f32 1.0f32', '1.0f32 5.0f32 5.0f32', '5.0f32 1.0f32 5.0f32', 'inf 1.0f32 -inf', '-inf -inf 2.0f32', 'inf 3.0f32 inf', '0x7f7fffff inf 0x7f7ffffe',
             '0x3f800001 0x3f800000 0x3f7fffff', '0x00000001 0x80000001 0.0f32', '0x00000002 0x00000001 0x00000003', '-1.5f32 -2.5f32 -3.5f32', '0xff7fffff -inf -1.0f32']
    zeros = ['0.0f32 -0.0f32 1.0f32', '-0.0f32 0.0f32 1.0f32', '-0.0f32 -1.0f32 0.0f32', '1.0f32 -0.0f32 0.0f32', '-0.0f32 -0.0f32 0.0f32', '0.0f32 -0.0f32 0.0f32', '0.0f32 0.0f32 -0.0f32', '0.0f32 1.0f32 2.0f32', '-1.0f32 -0.0f32 -2.0f32']
    nans = ['0x7fc12345 1.0f32 2.0f32', '1.0f32 0xffc12345 2.0f32', '3.0f32 1.0f32 0x7fc12345', '0x7fc12345 -2.0f32 -5.0f32', '0x7f812345 1.0f32 2.0f32', '1.0f32 0x7f812345 2.0f32', '3.0f32 1.0f32 0xff812345',
            '0x7fc12345 0x7fc00001 2.0f32', '5.0f32 0x7fc12345 -3.0f32', '5.0f32 0x7fc12345 inf']
    f = File(name, 'vop3a', what)
    f.test('plain values and edges', plain)
    f.test('zeros', zeros, errata='VALU-U06' if 'med' in name else '')
    f.test('NaNs', nans)
    f.test('NaNs without ieee', nans[:7] + nans[8:], {'ieee': 0})
    f.denorms(['0x00000001 0x00000002 0x80000003', '0x80000001 1.0f32 0x00000001', '1.0f32 0x007fffff 2.0f32', '-1.0f32 0x807fffff 3.0f32', '1.0f32 2.0f32 3.0f32'], 'VALU-U07')
    f.rounding(orders[:2] + ['0x3f800001 0x3f800000 0x3f7fffff'])
    f.neg_abs(['1.0f32 -2.0f32 3.5f32', '-4.0f32 5.0f32 0.5f32', '2.0f32 2.5f32 -3.0f32'])
    f.output(['1.5f32 2.5f32 0.25f32', '-3.0f32 -1.25f32 -0.75f32', '0.0f32 0.0f32 0.0f32', '0x7f000000 0x7f000001 0x7f7fffff'],
             ['0.5f32 0.75f32 0.125f32', '1.5f32 2.0f32 3.0f32', '-1.0f32 -3.0f32 -2.0f32', '0x7fc12345 0x7fc00001 0x7fc00002', '0.0f32 inf 0.5f32'])
    f.constants3('1.5f32 -2.5f32 0.75f32', '1.25f32')
    f.overlap('1.5f32 -2.5f32 0.75f32')
    f.off('1.5f32 -7.0f32 100.0f32')
    return f


def cube(name, what):
    faces = ['3.0f32 1.0f32 2.0f32', '-3.0f32 1.0f32 2.0f32', '1.0f32 3.0f32 2.0f32', '1.0f32 -3.0f32 2.0f32', '1.0f32 2.0f32 3.0f32', '1.0f32 2.0f32 -3.0f32', '-3.0f32 -1.0f32 -2.0f32', '-1.0f32 -3.0f32 -2.0f32', '-1.0f32 -2.0f32 -3.0f32',
             '5.0f32 -1.5f32 2.5f32', '-1.5f32 5.0f32 -2.5f32', '0.5f32 -0.25f32 0.75f32', '0x3f800001 0x3f800000 0x3f7fffff', '0x3f7fffff 0x3f800000 0x3f800001', '0x3f800000 0x3f800001 0x3f7fffff']
    ties = ['1.0f32 1.0f32 1.0f32', '-1.0f32 -1.0f32 -1.0f32', '1.0f32 -1.0f32 0.5f32', '-1.0f32 1.0f32 0.5f32', '2.0f32 0.5f32 -2.0f32', '-2.0f32 0.5f32 2.0f32', '0.5f32 2.0f32 -2.0f32', '0.5f32 -2.0f32 2.0f32', '0.0f32 0.0f32 0.0f32',
            '1.0f32 0.0f32 -0.0f32', '-0.0f32 -0.0f32 -0.0f32']
    edges = ['inf 1.0f32 2.0f32', '1.0f32 -inf 2.0f32', '1.0f32 2.0f32 -inf', 'inf -inf inf', '0x7f7fffff 1.0f32 1.0f32', '1.0f32 0xff7fffff 1.0f32', '1.0f32 1.0f32 0x7f7fffff', '0x00800000 0.0f32 0.0f32', '0.0f32 0x80800000 0.0f32']
    f = File(name, 'vop3a', what)
    f.test('faces', faces)
    f.test('ties: z before y before x, and -0 is not negative', ties)
    f.test('infinities and ends of the range', edges)
    f.test('NaNs and subnormals are open', ['0x7fc00000 1.0f32 2.0f32', '1.0f32 2.0f32 0x00000001'], errata='VALU-U25')
    f.rounding(faces[:3] + edges[4:7] + ['0.0f32 0.0f32 0.0f32'])
    f.test('subnormals flushed', faces[:4], {'denorm': 'flush'})
    f.neg_abs(['3.0f32 -1.0f32 2.0f32', '-1.0f32 3.0f32 2.0f32', '1.0f32 2.0f32 -3.0f32', '-5.0f32 1.5f32 2.5f32'])
    f.output(['3.0f32 1.0f32 2.0f32', '-1.0f32 -3.0f32 2.0f32', '1.0f32 2.0f32 -3.0f32', '0x7e800000 1.0f32 2.0f32'], ['3.0f32 0.25f32 0.5f32', '-3.0f32 0.25f32 0.5f32', '0.125f32 0.25f32 0.375f32', '0.125f32 -0.25f32 0.0625f32', '0.25f32 0.125f32 -3.0f32'])
    f.constants3('1.5f32 -2.5f32 0.75f32', '3.25f32')
    f.overlap('1.5f32 -2.5f32 0.75f32')
    f.off('1.5f32 -7.0f32 100.0f32')
    return f


def ldexp(name, what):
    plain = ['1.0f32 0', '1.0f32 1', '1.5f32 -1', '-3.0f32 10', '1.0f32 127', '1.0f32 128', '-1.0f32 128', '1.0f32 -126', '1.0f32 -127', '1.0f32 -149', '1.0f32 -150', '-1.5f32 -150', '1.0f32 0x7fffffff', '1.0f32 0x80000000',
             '0.0f32 5', '-0.0f32 1000', 'inf -1000', '-inf 3', '0x7fc12345 7', '0x7f812345 7', '0x00000001 149', '0x00000001 23', '0x80000003 1', '0x7f7fffff -253', '0x7f7fffff -252', '0x3fffffff -127', '0x3f800001 -127', '0x3f800003 -127',
             '1.5f32 65536', '1.5f32 -65536', '3.0f32 0x00000100', '-7.0f32 64', '0x00400000 1', '0x0a100001 -40', '0x8a100001 -41']
    rounding = ['0x3f800001 -127', '0xbf800001 -127', '1.0f32 -150', '-1.0f32 -150', '1.0f32 128', '-1.0f32 128', '1.0f32 -300', '-1.0f32 -300', '0x3fffffff -127', '1.5f32 3']
    denorm = ['0x00000001 149', '0x807fffff 3', '1.0f32 -127', '-1.5f32 -127', '0x3fffffff -127', '1.0f32 -126', '0x00000001 0', '2.5f32 -1']
    f = File(name, 'vop3a', what)
    f.test('plain values and edges', plain)
    f.rounding(rounding)
    f.denorms(denorm)
    f.signaling(['0x7f812345 3', '0xff800005 -3', '1.5f32 2'])
    f.neg_abs(['1.5f32 2', '-3.0f32 -1', '0.0f32 3', '0xffc00005 1'])
    f.output(['1.5f32 2', '-3.0f32 -1', '-0.0f32 3', '1.0f32 127', '1.0f32 -126'], ['1.5f32 -1', '1.5f32 2', '-1.5f32 3', '0x7fc12345 1', '0x7f812345 1', '1.0f32 200', '0.0f32 4'])
    code = ['    v_ldexp_f32 v0, v1, 3', '    v_ldexp_f32 v5, v1, -16', '    v_ldexp_f32 v6, s4, v2', '    v_ldexp_f32 v7, 0.5, v2', '    v_ldexp_f32 v8, v1, 1.0', '    v_ldexp_f32 v9, v1, s5', '    v_ldexp_f32 v10, v1, 64']
    wants = ('3.5f32 3', '3.5f32 -16', '-1.75f32 5', '0.5f32 5', '3.5f32 0x3f800000', '3.5f32 -9', '3.5f32 64')
    outs = ['%s.lane2 = %s' % (c.split()[1][:-1], f.value(w)) for c, w in zip(code, wants)]
    f.raw('test constants and scalar registers: 1.0 counts as its bits', 'in    exec = 4  v1 = 3.5f32  v2 = 5  s4 = -1.75f32  s5 = -9', 'code', *code, 'out   ' + '  '.join(outs))
    f.overlap('1.5f32 9')
    f.off('1.5f32 -7')
    return f


def classes(name, what):
    values = ['0x7f800001', '0x7fc00001', '-inf', '-1.5f32', '0x80000001', '-0.0f32', '0.0f32', '0x00000001', '1.5f32', 'inf', '0xff812345', '0xffc00000', '0xff7fffff', '0x807fffff', '0x007fffff', '0x00800000', '0x80800000', '0x7f7fffff', '0x7fbfffff']
    bit = [calc.class_of(parse(v)) for v in values]
    plain = ['%s 0x%x' % (v, 1 << b) for v, b in zip(values, bit)] + ['%s 0x%x' % (v, 0x3ff & ~(1 << b)) for v, b in zip(values, bit)]
    masks = ['1.5f32 0', '1.5f32 0xfffffc00', '0x7f800001 0xfffffc00', 'inf 0x200', 'inf 0xffffffff', '-inf 0x204', '0x80000001 0x90', '-0.0f32 0x60', '0x7fc00000 3']
    f = File(name, 'vopc', what)
    f.test('each class alone, and all but it', plain, forms='e32 e64 sdwa')
    f.test('several classes, and bits above them', masks)
    f.test('subnormals stay what they are in a flushing mode', ['0x00000001 0x80', '0x00000001 0x40', '0x807fffff 0x10', '0x807fffff 0x20', '-0.0f32 0x20'], {'denorm': 'flush'})
    f.test('signaling NaNs without ieee', ['0x7f800001 1', '0x7f800001 2', '0xffc00000 2'], {'ieee': 0})
    f.neg_abs(['1.5f32 0x108', '-inf 0x200', '-0.0f32 0x40', '0.0f32 0x20', '0x80000001 0x80', '0xff800001 1', '2.5f32 8'])
    x = 'x' if 'cmpx' in name else ''
    exec_out = '  exec = 0' if x else ''
    f.raw('test constants and scalar registers', 'in    exec = 6  v1 = 1.5f32  v2 = 0x108  s4 = 0xff800000', 'code',
          *(['    %s_e64 s[10:11], s4, 4' % name] if x else ['    %s_e64 s[10:11], s4, 4' % name, '    %s_e64 s[12:13], -0.5, v2' % name, '    %s_e64 s[14:15], 0.5, 8' % name, '    %s_e32 vcc, 0x7fc00000, v2' % name]),
          'out   s[10:11] = 6' + ('' if x else '  s[12:13] = 6  s[14:15] = 0  vcc = 0'))
    body = [['0xc0200000', '0x00080000', '|', 1] + [1] * bool(x), ['0x40200000', '0x00080000', '|', 0] + [0] * bool(x), ['0xc0200000', '0x00000008', '|', 0] + [0] * bool(x)]
    f.raw('test sdwa takes the mask from the high half', 'code', '    %s_sdwa s[10:11], v1, v2 src0_sel:DWORD src1_sel:WORD_1' % name, *table(['v1', 'v2', '|', 's[10:11]'] + ['exec'] * bool(x), body))
    f.raw('test lanes that are off get 0', 'forms e32 e64', 'in    exec = 0x8000000000000106  v1 = 1.5f32  v2 = 0x100  vcc = -1', 'code', '    %s vcc, v1, v2' % name,
          'case  every lane alike', 'out   vcc = 0x8000000000000106' + ('  exec = 0x8000000000000106' if x else ''))
    return f


def to_byte(name, what):
    accum = 'accum' in name
    plain = ['%s %d 0xaabbccdd' % (v, i % 4) for i, v in enumerate(['0.0f32', '1.0f32', '255.0f32', '254.0f32', '256.0f32', '300.0f32', '-1.0f32', '-0.0f32', 'inf', '-inf', QNAN, '0xffc00000', '1e30f32', '127.0f32', '128.0f32', SNAN, SUB, '17.0f32'])]
    plain.append('18.0f32 0 0xaabbccdd')  # the byte is not that of the lane's number, which registers without a value hold
    bytes_ = ['18.0f32 %s 0x00000000' % i for i in (0, 1, 2, 3)] + ['18.0f32 %s 0xffffffff' % i for i in (0, 1, 2, 3, 4, '0xfffffffe', '0x103')]
    fractions = ['%s 1 0x12345678' % v for v in ('0.5f32', '1.5f32', '2.5f32', '2.25f32', '2.75f32', '254.5f32', '254.75f32', '255.5f32', '0.25f32', '0x3f7fffff', '0x437effff')]
    f = File(name, 'vop3a', what)
    f.test('whole numbers, saturated', plain)
    f.test('the byte that is replaced', bytes_)
    f.test('fractions: toward zero, to even, or by MODE', fractions, errata='VALU-U15')
    for words, direction in ROUNDINGS:
        f.test('fractions, round toward ' + words, fractions[:5] + ['255.5f32 0 0'], {'round': direction}, errata='VALU-U15')
    f.test('subnormals flushed', [SUB + ' 2 0x12345678', '3.0f32 2 0x12345678'], {'denorm': 'flush'})
    f.neg_abs(['-18.0f32 1 0x12345678', '33.0f32 0 0xffffffff', '-300.0f32 3 5'])
    if accum:
        f.raw('test constants and scalar registers', 'in    exec = 4  v0 = 0x12345678  v5 = 0x12345678  v6 = 0x12345678  v7 = 0x12345678  v1 = 77.0f32  v2 = 2  s4 = 99.0f32', 'code',
              '    %s v0, s4, v2' % name, '    %s v5, v1, 3' % name, '    %s v6, 4.0, v2' % name, '    %s v7, v1, 1.0' % name,
              'out   v0.lane2 = 0x12635678  v5.lane2 = 0x4d345678  v6.lane2 = 0x12045678  v7.lane2 = 0x1234564d')
        f.raw('test two bytes one after the other', 'in    exec = 0x11  v0 = 0  v1 = 18.0f32  v2 = 52.0f32', 'code', '    %s v0, v1, 3' % name, '    %s v0, v2, 0' % name,
              'out   v0.lane0 = 0x12000034  v0.lane4 = 0x12000034')
        f.raw('test the result overwrites source 0', 'code', '    %s v1, v1, v2' % name, *table(['v1', 'v2', '|', 'v1'], [['66.0f32', '1', '|', '0x%08x' % calc.put_byte(0x42840000, 1, 66)]]))
        f.raw('test lanes switched off keep their result', 'in    exec = 0x800000010000000a  v0 = 0x11223344  v1 = 200.0f32  v2 = 2', 'code', '    %s v0, v1, v2' % name,
              'out   ' + '  '.join('v0.lane%d = 0x11c83344' % n for n in (1, 3, 32, 63)))
    else:
        f.constants3('77.0f32 2 0x12345678', '99.0f32')
        f.raw('test constants as byte number and as the rest', 'in    exec = 4  v1 = 77.0f32  v2 = 2  v3 = 0x12345678  s4 = 0xcafebabe', 'code',
              '    %s v0, v1, 3, v3' % name, '    %s v5, v1, v2, -1' % name, '    %s v6, v1, v2, s4' % name, '    %s v7, v1, 1.0, v3' % name,
              'out   v0.lane2 = 0x4d345678  v5.lane2 = 0xff4dffff  v6.lane2 = 0xca4dbabe  v7.lane2 = 0x1234564d')
        f.overlap('77.0f32 2 0x12345678')
        f.off('200.0f32 3 0x11223344')
    return f


def pack2(name, what, words):
    f = File(name, 'vop3a', what)
    plain = ['%s %s' % (a, words[(3 * i + 1) % len(words)]) for i, a in enumerate(words)]
    plain += ['%s %s' % (words[(3 * i + 2) % len(words)], b) for i, b in enumerate(words)]
    f.test('plain values and edges', plain)
    for text, direction in ROUNDINGS:
        f.test('MODE does not matter, round toward ' + text, plain[:10], {'round': direction})
    f.test('subnormals flushed', plain[:6] + ['0x00000001 0x807fffff'], {'denorm': 'flush'})
    f.test('without ieee', ['0x7f812345 0.5f32', '-0.5f32 0xffc00000'.replace('-0.5f32', '0.25f32')], {'ieee': 0})
    f.neg_abs(['0.25f32 -0.75f32', '-1.0f32 0.125f32', '0.0f32 0.5f32'])
    f.constants3('0.25f32 -0.75f32', '0.375f32')
    f.overlap('0.25f32 -0.75f32')
    f.off('0.625f32 -0.125f32')
    return f


def pknorm(name, what):
    words = ['0.0f32', '1.0f32', '-1.0f32', '0.5f32', '-0.5f32', '0.25f32', '-0.75f32', '0x3f7fffff', '0xbf7fffff', '2.0f32', '-2.0f32', 'inf', '-inf', QNAN, '0xffc00000', SNAN, '-0.0f32', SUB, '0x80000001', '0x37800000', '0x38000000',
             '0x37ffffff', '0.1f32', '-0.1f32', '0.9f32', '1e30f32', '0x38000200', '0xb8000200', '0.3f32', '-0.6f32']
    f = pack2(name, what, words)
    return f


def pkrtz(name, what):
    words = ['0.0f32', '1.0f32', '-1.5f32', '65504.0f32', '65519.9f32', '65520.0f32', '-65536.0f32', '1e30f32', MAX, 'inf', '-inf', QNAN, '0xffc00000', SNAN, '0xffbfffff', '-0.0f32', SUB, '0x33800000', '0x337fffff', '0xb3ffffff',
             '0x387fffff', '0x38800000', '0x387fc000', '0x3f801fff', '0x3f802000', '0xbf803fff', '0.1f32', '-0.3f32', '0x807fffff', '0x36abcdef']
    f = pack2(name, what, words)
    subnormal = ['0x33800000 0x387fc000', '1.0f32 0xb3ffffff', '0x387fffff 1.0f32', '0x38800000 0x337fffff']
    f.test('subnormal halves and the fields of f64 and f16', subnormal, {'fp64_denorm': 'flush'}, errata='VALU-U15')
    f.test('overflow does not depend on fp16_ovfl', ['65520.0f32 inf', '-inf 1e30f32'], {'fp16_ovfl': 1})
    return f


# ---- division ----

def div_scale(name, what):
    plain = ['1.0f32 1.0f32 3.0f32', '3.0f32 1.0f32 3.0f32', '-7.5f32 -7.5f32 0.125f32', '0.125f32 -7.5f32 0.125f32', '1.5f32 1.5f32 1.5f32', '0x7fc12345 0x7fc12345 1.0f32', '1.0f32 0x7f812345 1.0f32', 'inf inf 1.0f32', '1.0f32 inf 1.0f32', '-inf 2.0f32 -inf',
             '0.0f32 0.0f32 1.0f32', '1.0f32 0.0f32 1.0f32', '0.0f32 1.0f32 0.0f32', '1.0f32 1.0f32 -0.0f32', '0.0f32 0.0f32 0.0f32', '-0.0f32 -0.0f32 5.0f32', '0x7f812345 0x7f812345 2.0f32']
    gap = []
    for e1, e2 in ((127, 222), (127, 223), (127, 224), (100, 196), (100, 195), (150, 55), (150, 54), (150, 53), (127, 24), (127, 25), (127, 26), (127, 23), (254, 127), (253, 127), (252, 127), (253, 158), (253, 157), (254, 157), (254, 40), (200, 30), (1, 90), (1, 97), (1, 96), (30, 24), (30, 25), (60, 20)):
        a, b = e1 << 23 | 0x123456, e2 << 23 | 0x345678 | (0x80000000 if (e1 + e2) & 1 else 0)
        gap += ['0x%08x 0x%08x 0x%08x' % (a, a, b), '0x%08x 0x%08x 0x%08x' % (b, a, b)]
    tiny = ['0x00000001 0x00000001 1.0f32', '1.0f32 0x00000001 1.0f32', '0x807fffff 0x807fffff 0x00400000', '0x00400000 0x807fffff 0x00400000', '0x00000001 2.0f32 0x00000001', '2.0f32 2.0f32 0x00000001', '0x7f000000 0x7f000000 0x00000005', '0x00000005 0x7f000000 0x00000005', '0x00000001 0x00000001 0x7f000000',
            '0x7f000000 0x00000001 0x7f000000']
    f = File(name, 'vop3b', what)
    f.test('nothing to scale, and special operands', plain)
    f.test('exponents far apart', gap, errata='VALU-C33')
    f.test('subnormal operands', tiny, errata='VALU-U17')
    f.denorms(tiny + ['0x00800001 0x7e123456 0x00800001', '0x7e923456 0x7e923456 3.0f32'], 'VALU-U17')
    f.rounding(['0x7e923457 0x7e923457 1.0f32', '0x7f123457 0x7f123457 0x00800001', '0x00000003 0x00000003 1.0f32'])
    f.signaling(['0x7f812345 0x7f812345 2.0f32', '2.0f32 2.0f32 0x7f812345'])
    body = []
    for a, b in (('1.5f32', '-3.0f32'), ('0x1p100f32', '-2.0f32'), ('-0x1p-100f32', '5.0f32')):
        x, y = parse(a), parse(b)
        body.append([a, b, '|'] + show2(calc.div_scale(Mode(), x ^ SIGN, x ^ SIGN, y)) + show2(calc.div_scale(Mode(), y ^ SIGN, x, y ^ SIGN)))
    f.raw('test neg', 'code', '    %s v0, vcc, -v1, -v1, v2' % name, '    %s v5, s[10:11], -v2, v1, -v2' % name, *table(['v1', 'v2', '|', 'v0', 'vcc', 'v5', 's[10:11]'], body))
    f.overlap('0x3f923456 0x3f923456 0x72123456')
    f.raw('test lanes switched off keep their result, their bits become 0', 'in    exec = 0x800000010000000a  v1 = 1.5f32  v2 = 1.5f32  v3 = 0x1p100f32  s[10:11] = -1', 'code', '    %s v0, s[10:11], v1, v2, v3' % name,
          'case  every lane alike', 'out   s[10:11] = 0x800000010000000a  ' + '  '.join('v0.lane%d = 0x1.8p64f32' % n for n in (1, 3, 32, 63)))
    f.raw('test vcc is the denominator and the flag', '# Lane 0 alone: VCC is read as a number and gets the bit of the lane.', 'code', '    %s v0, vcc, v1, vcc_lo, v1' % name,
          *table(['v1', 'vcc_lo', '|', 'v0', 'vcc'], [[y, x, '|'] + show2(calc.div_scale(Mode(), parse(y), parse(x), parse(y))) for x, y in (('1.5f32', '-3.0f32'), ('-2.0f32', '0x1p100f32'))]))
    f.raw('test constants and scalar registers', 'in    exec = 4  v1 = 3.0f32  s4 = 0x1p-100f32', 'code', '    %s v0, vcc, s4, v1, s4' % name, '    %s v5, s[10:11], 2.0, 2.0, v1' % name, '    %s v6, s[12:13], v1, s4, v1' % name,
          'out   v0.lane2 = 0x1p-36f32  vcc = {4|0}  v5.lane2 = 2.0f32  s[10:11] = 0  v6.lane2 = 3.0f32  s[12:13] = 4  # VALU-U17')
    return f


def show2(found): return [calc.show(found[0]), calc.show(found[1], str)]


def div_fmas(name, what):
    plain = ['1.5f32 2.5f32 0.75f32 0', '1.5f32 2.5f32 0.75f32 1', '1.5f32 2.5f32 2.0f32 0', '1.5f32 2.5f32 2.0f32 1', '1.5f32 2.5f32 0x3fffffff 1', '-1.5f32 2.5f32 -2.0f32 1', '-1.5f32 2.5f32 -0.5f32 1', '0.0f32 2.5f32 0x1p30f32 1', '0.0f32 2.5f32 0x1p-30f32 1',
             '0x1p-70f32 0x1p-50f32 0x1p-20f32 1', '0x3f800001 0x3f800001 0x33800000 0', '0x3f800001 0x3f800001 0x33800000 1', '0x3f800001 0x3f800001 4.0f32 1', 'inf 1.0f32 2.0f32 1', '1.0f32 2.0f32 -inf 1', 'inf 0.0f32 1.0f32 0', '0x7fc12345 1.0f32 2.0f32 1',
             '1.0f32 0x7f812345 2.0f32 0', '1.0f32 2.0f32 0xffc12345 1', '0.0f32 0.0f32 -0.0f32 1', '-0.0f32 1.0f32 -0.0f32 1', '2.0f32 3.0f32 -6.0f32 1', '2.0f32 3.0f32 -6.0f32 0', '0x1p60f32 0x1p60f32 2.0f32 1', '0x1p-40f32 0x1p-40f32 1.0f32 1', '0x1p-80f32 0x1p-30f32 0x1p-60f32 1',
             '0x3f800003 0x1p-62f32 0x1p-63f32 1', '0x00000001 0x1p64f32 0.0f32 0', '0x00000001 1.0f32 0x00000001 1', '0x40000001 1.0f32 0x3fffffff 1', '1.125f32 0x1p-83f32 0x1p-113f32 1', '1.125f32 0x1p-83f32 0.0f32 1', '1.375f32 0x1p-83f32 -0x1p-113f32 1']
    rounding = ['0x3f800001 0x3f800001 0x33800000 0', '0x3f800001 0x3f800001 0x33800000 1', '0x3f800001 0x3f800001 2.0f32 1', '-1.5f32 0x3f800001 0xb3000000 0', '0x1p60f32 0x1p60f32 2.0f32 1', '-0x1p60f32 0x1p60f32 2.0f32 1', '2.0f32 3.0f32 -6.0f32 1', '0x3f800003 0x1p-63f32 0x1p-63f32 1']
    denorm = ['0x00000001 0x1p64f32 0.0f32 0', '0x807fffff 0x1p30f32 1.0f32 0', '0x3f800003 0x1p-64f32 0x1p-64f32 1', '1.5f32 0x1p-64f32 0x1p-70f32 1', '0x00000001 1.0f32 0x00000001 0', '1.0f32 1.0f32 0x00400000 1', '1.5f32 2.5f32 4.0f32 1']
    f = File(name, 'vop3a', what)
    f.test('plain values and edges', plain)
    f.rounding(rounding)
    f.denorms(denorm)
    f.signaling(['0x7f812345 2.0f32 1.0f32 1', '2.0f32 1.0f32 0xff812345 0'])
    f.neg_abs(['1.5f32 -2.5f32 0.75f32 0', '-3.0f32 7.0f32 -20.0f32 1', '2.0f32 3.0f32 4.0f32 0'])
    f.output(['1.5f32 2.5f32 0.25f32 0', '-3.0f32 1.25f32 0.75f32 0', '0x1p-60f32 2.0f32 4.0f32 1', '0x7e800000 1.5f32 1.0f32 0'],
             ['0.5f32 0.5f32 0.125f32 0', '1.5f32 2.0f32 1.0f32 0', '-1.0f32 3.0f32 1.0f32 1', '0x7fc12345 1.0f32 2.0f32 0', '0x1p-66f32 1.0f32 2.0f32 1'])
    code = ['    v_div_fmas_f32 v0, 2.0, v2, v3', '    v_div_fmas_f32 v5, v1, -4.0, v3', '    v_div_fmas_f32 v6, v1, v2, 0.5']
    outs = ['%s.lane2 = %s' % (r, f.value(w)) for r, w in zip(('v0', 'v5', 'v6'), ('2.0f32 -2.5f32 0.75f32 1', '1.5f32 -4.0f32 0.75f32 1', '1.5f32 -2.5f32 0.5f32 1'))]
    f.raw('test inline constants; VCC is the one scalar operand', 'in    exec = 4  v1 = 1.5f32  v2 = -2.5f32  v3 = 0.75f32  vcc = 4', 'code', *code, 'out   ' + '  '.join(outs))
    f.overlap('1.5f32 -2.5f32 0.75f32 1')
    f.off('1.5f32 -7.0f32 100.0f32 1')
    return f


def div_fixup(name, what):
    plain = ['1.5f32 2.0f32 3.0f32', '-1.5f32 2.0f32 3.0f32', '1.5f32 -2.0f32 3.0f32', '1.5f32 2.0f32 -3.0f32', '1.5f32 -2.0f32 -3.0f32', '1.0f32 0.0f32 0.0f32', '1.0f32 -0.0f32 0.0f32', '1.0f32 inf inf', '1.0f32 -inf inf', '5.0f32 0.0f32 3.0f32', '5.0f32 -0.0f32 3.0f32', '5.0f32 0.0f32 -3.0f32', '5.0f32 2.0f32 inf',
             '5.0f32 -2.0f32 inf', '5.0f32 0.0f32 -inf', '5.0f32 inf 2.0f32', '5.0f32 inf -2.0f32', '5.0f32 2.0f32 0.0f32', '5.0f32 -2.0f32 0.0f32', '5.0f32 -inf 0.0f32', '1.0f32 0x7fc12345 2.0f32', '1.0f32 2.0f32 0xffc54321', '1.0f32 0x7f812345 2.0f32', '1.0f32 2.0f32 0xff812345', '1.0f32 0x7f812345 0.0f32',
             '1.0f32 0x7fc12345 0xffc54321', '0x7fc00001 2.0f32 3.0f32', 'inf 2.0f32 3.0f32', '-inf 2.0f32 -3.0f32', '0x7f800001 3.0f32 1.0f32', '0x00000001 2.0f32 3.0f32', '0.0f32 2.0f32 -3.0f32', '0x7f7fffff 0x1p-3f32 0x1p100f32', '7.0f32 0x1p127f32 0x1p-23f32', '7.0f32 0x1p127f32 0x1p-24f32', '7.0f32 -0x1p127f32 0x1p-24f32',
             '7.0f32 0x1p100f32 0x1p-50f32', '7.0f32 0x1p100f32 0x1p-51f32', '7.0f32 0x1p127f32 0x00000001', '7.0f32 0x00000001 0x1p127f32', '5.0f32 0x00000001 2.0f32', '5.0f32 2.0f32 0x80000001']
    rounding = ['7.0f32 0x1p127f32 0x1p-24f32', '7.0f32 -0x1p127f32 0x1p-24f32', 'inf 2.0f32 3.0f32', '-inf 2.0f32 -3.0f32', '0x7fc00001 -2.0f32 3.0f32', '1.5f32 2.0f32 3.0f32', '5.0f32 0.0f32 -3.0f32']
    denorm = ['1.0f32 0x00000001 2.0f32', '1.0f32 2.0f32 0x80000001', '1.0f32 0x00000001 0x00000002', '0x00000001 2.0f32 3.0f32', '0x807fffff 2.0f32 3.0f32', '7.0f32 0x1p127f32 0x1p-24f32', '1.5f32 2.0f32 3.0f32', '3.0f32 0x80000001 inf']
    f = File(name, 'vop3a', what)
    f.test('plain values and special operands', plain)
    f.raw('test a number divided by zero is that exception', 'in    exec = 1  v1 = 5.0f32  v2 = -0.0f32  v3 = 3.0f32', 'code', '    %s v0, v1, v2, v3' % name, 'out   v0.lane0 = -inf  trapsts = 4')
    f.rounding(rounding)
    f.denorms(denorm)
    f.signaling(['1.0f32 0x7f812345 2.0f32', '1.0f32 2.0f32 0xff812345', '1.5f32 2.0f32 3.0f32'])
    f.neg_abs(['1.5f32 -2.5f32 0.75f32', '-3.0f32 7.0f32 -20.0f32', '2.0f32 3.0f32 4.0f32', '2.0f32 -3.0f32 -4.0f32'])
    f.output(['1.5f32 2.5f32 0.25f32', '-3.0f32 1.25f32 -0.75f32', '1.0f32 2.0f32 0.0f32', '0x7f000000 1.5f32 1.0f32'],
             ['0.5f32 0.5f32 0.125f32', '1.5f32 2.0f32 1.0f32', '-1.0f32 -3.0f32 1.0f32', '1.0f32 0.0f32 0.0f32', '1.0f32 0.0f32 3.0f32'])
    f.constants3('1.5f32 -2.5f32 0.75f32', '3.25f32')
    f.overlap('1.5f32 -2.5f32 0.75f32')
    f.off('1.5f32 -7.0f32 100.0f32')
    return f


CHAPTER = ' Vega ISA, chapter 12.'
UNIT = '\nHardware is near the exact value; subnormals are zeros whatever MODE says; FP_ROUND does not matter.'
BYTES = ['0', '1', '0x00000100', '0x00010000', '0x01000000', '0x12345678', '0xffffffff', '0x0000ff00', '0x00ff0000', '0x80808080', '0x7f7f7f7f']
FILES = [
    lambda: exp('v_exp_f32', '2 to the power of S0.' + CHAPTER + UNIT),
    lambda: log('v_log_f32', 'The logarithm of S0 to base 2.' + CHAPTER + UNIT),
    lambda: rcp_plain('v_rcp_f32', '1 / S0.' + CHAPTER + UNIT),
    lambda: rcp_iflag('v_rcp_iflag_f32', '1 / S0 for integer division.' + CHAPTER + UNIT),
    lambda: roots('v_rsq_f32', '1 / sqrt(S0).' + CHAPTER + UNIT, True),
    lambda: roots('v_sqrt_f32', 'The square root of S0.' + CHAPTER + UNIT, False),
    lambda: turns('v_sin_f32', 'The sine of S0 turns.' + CHAPTER + ' Any finite S0; within 2^-21, relative where S0 is small.'),
    lambda: turns('v_cos_f32', 'The cosine of S0 turns.' + CHAPTER + ' Any finite S0; within 2^-21.'),
    lambda: legacy('v_exp_legacy_f32', '2 to the power of S0, with "legacy semantics" that nothing defines.' + CHAPTER),
    lambda: legacy('v_log_legacy_f32', 'The logarithm of S0 to base 2, with "legacy semantics" that nothing defines.' + CHAPTER),
    lambda: frexp('v_frexp_exp_i32_f32', 'e of S0 = m * 2^e with |m| in [1/2, 1); 0 for zero, infinity and NaN.' + CHAPTER, True),
    lambda: frexp('v_frexp_mant_f32', 'm of S0 = m * 2^e with |m| in [1/2, 1); zero, infinity and NaN stay.' + CHAPTER, False),
    lambda: from_bits('v_cvt_off_f32_i4', 'The low four bits of S0, signed, in sixteenths.' + CHAPTER, ['%d' % i for i in range(16)] + ['0x10', '0xfffffff8', '0x12345678', '0x80000000']),
    lambda: from_bits('v_cvt_f32_ubyte1', 'Bits 15:8 of S0 as a number.' + CHAPTER, BYTES),
    lambda: from_bits('v_cvt_f32_ubyte2', 'Bits 23:16 of S0 as a number.' + CHAPTER, BYTES),
    lambda: from_bits('v_screen_partition_4se_b32', 'Looks S0[7:0] up: the shader engines that a rectangle of tiles covers.' + CHAPTER, ['0x%02x' % i for i in range(256)] + ['0x100', '0xffffff01']),
    lambda: classes('v_cmp_class_f32', 'Whether S0 is of a class in the set S1: sNaN qNaN -inf -normal -subnormal -0 +0 +subnormal +normal +inf.' + CHAPTER),
    lambda: classes('v_cmpx_class_f32', 'Whether S0 is of a class in the set S1: sNaN qNaN -inf -normal -subnormal -0 +0 +subnormal +normal +inf. EXEC too.' + CHAPTER),
    lambda: mul_legacy('v_mul_legacy_f32', 'S0 * S1, where zero times anything is +0.' + CHAPTER),
    lambda: mad_legacy('v_mad_legacy_f32', 'S0 * S1 + S2, where zero times anything is +0; product and sum rounded, subnormals flushed.' + CHAPTER),
    lambda: pick3('v_min3_f32', 'The least of three.' + CHAPTER), lambda: pick3('v_max3_f32', 'The greatest of three.' + CHAPTER),
    lambda: pick3('v_med3_f32', 'The middle one of three; with a NaN the least.' + CHAPTER),
    lambda: cube('v_cubeid_f32', 'The face of a cube that the vector (S0, S1, S2) points to: 0 to 5 for +x -x +y -y +z -z.' + CHAPTER),
    lambda: cube('v_cubesc_f32', "The s coordinate on the cube's face that (S0, S1, S2) points to, not divided." + CHAPTER),
    lambda: cube('v_cubetc_f32', "The t coordinate on the cube's face that (S0, S1, S2) points to, not divided." + CHAPTER),
    lambda: cube('v_cubema_f32', 'Twice the largest component of (S0, S1, S2), with its sign.' + CHAPTER),
    lambda: ldexp('v_ldexp_f32', 'S0 * 2^S1, rounded once.' + CHAPTER),
    lambda: to_byte('v_cvt_pk_u8_f32', 'S0 as a number of 8 bits, in byte S1[1:0] of S2.' + CHAPTER),
    lambda: to_byte('v_cvt_pkaccum_u8_f32', 'S0 as a number of 8 bits, in byte S1[1:0] of the destination.' + CHAPTER),
    lambda: pknorm('v_cvt_pknorm_i16_f32', 'S0 and S1 in [-1, 1] times 32767, 16 bits each, S0 below.' + CHAPTER),
    lambda: pknorm('v_cvt_pknorm_u16_f32', 'S0 and S1 in [0, 1] times 65535, 16 bits each, S0 below.' + CHAPTER),
    lambda: pkrtz('v_cvt_pkrtz_f16_f32', 'S0 and S1 as halves, rounded toward zero, S0 below.' + CHAPTER),
    lambda: div_scale('v_div_scale_f32', 'Scales S0, which is the denominator S1 or the numerator S2, for the steps of a division.\nVCC says that v_div_fmas has to scale back.' + CHAPTER),
    lambda: div_fmas('v_div_fmas_f32', 'S0 * S1 + S2, and where VCC is set that times 2^64 or, for |S2| < 2, 2^-64; rounded once.' + CHAPTER),
    lambda: div_fixup('v_div_fixup_f32', 'The special cases of S2 / S1; else S0 with the sign of the quotient.' + CHAPTER),
]


def main():
    folder, wanted = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
    for make in FILES:
        f = make()
        if not wanted or f.name in wanted:
            casetext.write(folder / f.encoding / (f.name + '.case'), f.text())


if __name__ == '__main__':
    main()
