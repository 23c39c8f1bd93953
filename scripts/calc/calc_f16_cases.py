#!/usr/bin/env python3
"""Writes the case files of the 16-bit, packed and mixed opcodes:

    scripts/calc/calc_f16_cases.py cases [MNEMONIC]...

Values come from scripts/calc/lib/calc_f16.py. An opcode is described by one entry of SPECS; what kinds of tests it gets follows
from its operands: values, rounding, subnormals, NaN modes, FP16_OVFL, source and output modifiers, op_sel, constants,
SDWA, DPP, lanes that are off, a destination that is a source.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import calc_f16 as c
import casetext
from calc_f16 import ANY, F, H, S, Mode, unique

ONE, TWO, HALF, THREE, INF, NAN, SNAN = 0x3c00, 0x4000, 0x3800, 0x4200, 0x7c00, 0x7e00, 0x7c01
MAX, MIN, SUB, BIGSUB, TOP = 0x7bff, 0x0400, 0x0001, 0x03ff, 0x8000


def show16(b):
    if b == ANY:
        return '?'
    named = {0: '0', TOP: '0x8000', INF: 'inf16', INF | TOP: '-inf16', NAN: 'nan16', 0xfe00: '-nan16'}
    if b in named:
        return named[b]
    if not H.is_nan(b) and not H.is_subnormal(b) and not H.is_inf(b):
        x = H.value(b)
        text = repr(float(x))
        if len(text) <= 6 and 'e' not in text:
            return text + 'f16'
    return '0x%04x' % b


def hexes(width): return lambda b: '?' if b == ANY else '0x%0*x' % (width, b)
def number(b): return str(b) if b != ANY and b < 100 else hexes(4)(b)


def alternatives(xs, spell):
    xs = unique(xs)
    if ANY in xs or len(xs) > 3:
        return '?'
    words = [spell(x) for x in xs]
    return words[0] if len(words) == 1 else '{' + '|'.join(words) + '}'


# Ledger entries of which one test of one opcode is the witness.
WITNESS = {('v_add_f16', 'the rounding of f32 does not matter'): 'STATE-C10', ('v_add_f16', 'the subnormals of f32 do not matter'): 'STATE-C10',
           ('v_pk_fmac_f16', 'values'): 'PK-U07 PK-C06', ('v_dot4_i32_i8', 'products and sum'): 'PK-U08 GEN-U04',
           ('v_fma_mixlo_f16', 'f16 round toward plus infinity'): 'PK-U05', ('v_fma_mixlo_f16', 'lanes that are off keep their value'): 'PK-U05',
           ('v_pk_add_f16', 'values'): 'VALU-C05', ('v_pk_ashrrev_i16', 'values'): 'PK-C07', ('v_pk_min_f16', 'values'): 'VALU-C18'}


# Why more than one result is right: opcodes, beginnings of titles, the reason.
MAD = r'v_(mad|mad_legacy|mac|madak|madmk)_f16$'
WHY = [(MAD, 'round', 'The product is rounded as MODE says, or to nearest even: VALU-U08.'),
       (MAD, 'subnormal', 'Flushed whatever MODE says: VALU-C39. Whether the product is flushed by itself is open: VALU-U07.'),
       (r'v_(frexp_mant|frexp_exp_i16)_f16$', 'subnormal', 'Normalised, or zeros where MODE flushes: VALU-U12.'),
       (r'v_fract_f16$', '', 'The number below 1, or 1; any NaN of an infinity: VALU-U11.'),
       (r'v_(min3?|max3?|med3|ceil|floor|cvt)_|v_pk_(min|max)_f16$', 'subnormal', 'Whether they are flushed here is open: VALU-U07.'),
       (r'v_cvt_f16_f32$', 'round', 'Whether a subnormal of f32 is flushed is open: VALU-U07.'),
       (r'v_mul_f16$', 'subnormal', 'Whether what rounds up to the smallest normal number is flushed is open: VALU-U40.')]


def why(name, title):
    return next((reason for names, begins, reason in WHY if re.match(names, name) and title.startswith(begins)), None)


class File:
    def __init__(self, head):
        self.lines = ['case-format 1'] + ['# ' + h for h in head]

    def test(self, title, code, columns, rows, forms=None, mode=None, ins=None, errata=None, targets=None):
        """rows: lists of words, '|' where the results begin."""
        if not rows:
            return
        errata = WITNESS.get((code.split()[0], title), errata)
        reason = why(code.split()[0], title) if not errata and any('{' in str(word) for row in rows for word in row) else None
        self.lines += [''] + ([f'# {reason}'] if reason else []) + ['test ' + title]
        if targets:
            self.lines.append('targets ' + targets)
        if forms:
            self.lines.append('forms ' + forms)
        if mode:
            self.lines.append('mode ' + mode)
        if ins:
            self.lines.append('in ' + ins)
        if errata:
            self.lines.append('errata ' + errata)
        self.lines += ['code'] + ['    ' + line for line in code.split('\n')]
        grid = [columns] + [list(map(str, r)) for r in rows]
        widths = [max(len(r[i]) for r in grid) for i in range(len(columns))]
        for i, r in enumerate(grid):
            cells = '  '.join(w.ljust(n) for w, n in zip(r, widths)).rstrip()
            self.lines.append(('rows  ' if i == 0 else '      ') + cells)

    def text(self): return '\n'.join(self.lines) + '\n'


MODES = {  # words of a mode line -> fields of the calculator
    'fp64_round=rtp': dict(round='rtp'), 'fp64_round=rtn': dict(round='rtn'), 'fp64_round=rtz': dict(round='rtz'),
    'fp64_denorm=flush': dict(keep_in=False, keep_out=False), 'fp64_denorm=keep_in': dict(keep_out=False),
    'fp64_denorm=keep_out': dict(keep_in=False), 'ieee=0': dict(ieee=False), 'fp16_ovfl=1': dict(ovfl=True),
    'dx10_clamp=0': dict(dx10=False), 'fp32_round=rtz': dict(sround='rtz'), 'fp32_round=rtp': dict(sround='rtp'),
    'fp32_round=rtn': dict(sround='rtn'), 'fp32_denorm=flush': dict(skeep_in=False, skeep_out=False),
    'fp64_round=rne': {},
}


def mode_of(words):
    m = Mode()
    for w in (words or '').split():
        m = m.but(**MODES[w])
    return m


class Op:
    """name, encoding, rule(mode, *bits) -> alternatives; kind of sources and result: f float, i signed, u unsigned,
    w and W 32 bits (a float), x 32 bits (an integer)."""

    def __init__(self, name, enc, text, rule, sources, result, **kw):
        self.name, self.enc, self.text, self.rule, self.sources, self.result = name, enc, text, rule, sources, result
        self.forms = {'vop2': 'e32 e64 sdwa dpp', 'vop1': 'e32 e64 sdwa dpp', 'vopc': 'e32 e64 sdwa'}.get(enc)
        self.keeps = self.opsel = self.accumulates = self.clamps = False
        self.literal = None  # its place among the sources
        self.pool, self.extra, self.errata, self.rounds, self.subs = None, [], None, True, True
        self.omods = None
        for k, v in kw.items():
            assert hasattr(self, k), k
            setattr(self, k, v)
        self.is_float = 'f' in sources or result == 'f'
        if self.omods is None:
            self.omods = result == 'f' and enc in ('vop1', 'vop2', 'vop3a')

    def regs(self):
        return ['v%d' % (i + 1) for i in range(len(self.sources))]

    def spell(self, i):
        return {'f': show16, 'w': hexes(8), 'x': hexes(8)}.get(self.sources[i], number)

    def spell_out(self):
        return {'f': show16, 'W': hexes(8), 'x': hexes(8)}.get(self.result, hexes(4))

    def code(self, args=None, suffix='', tail=''):
        args = args or self.regs()
        return ('%s%s v0, %s %s' % (self.name, suffix, ', '.join(args), tail)).rstrip()


def results(op, m, bits, field=0, clamp=False, dest=0):
    """Alternatives of the result's value."""
    args = ([dest & 0xffff] if op.accumulates else []) + list(bits)
    if op.accumulates:
        args = args[1:] + args[:1]
    if op.clamps and not op.is_float:
        return [op.rule(clamp, *args)] if not isinstance(op.rule(clamp, *args), list) else op.rule(clamp, *args)
    out = op.rule(m, *args)
    if op.result == 'f':
        out = unique(y for x in out for y in c.omod(m, x, field))
        if clamp:
            out = unique(c.clamp(m, x) for x in out)
    return out


OLD = (0x12340000, 0xabcd0000, 0x5a5a0000, 0xffff0000, 0x00010000, 0x80000000)


def rows_of(op, m, pool, junk=False, field=0, clamp=False, sources=None, high=False, change=None):
    """Rows of source words and result words. The old destination is a column where some of it stays."""
    out, wide = [], op.keeps or op.accumulates
    for n, bits in enumerate(pool):
        dest = bits[-1] if op.accumulates else 0x1111 * (n % 7 + 1)
        use = bits[:-1] if op.accumulates else bits
        seen = change(use) if change else use
        r = results(op, m, seen, field, clamp, dest)
        old = OLD[n % len(OLD)] | dest
        spell = op.spell_out()
        if wide:
            spell = hexes(8)
            r = [ANY if x == ANY else (old & 0xffff) | x << 16 if high else (old & 0xffff0000 if op.keeps else 0) | x for x in r]
        words = [op.spell(i)(b) for i, b in enumerate(use) if i != op.literal]
        if junk:
            words = [hexes(8)(b if op.sources[i] in 'wx' else b | (0xc3a5, 0x7c01, 0x3c00, 0xffff)[(n + i) % 4] << 16)
                     for i, b in enumerate(use) if i != op.literal]
        out.append(([hexes(8)(old)] if wide else []) + words + ['|', alternatives(r, spell)])
    return out


def columns(op):
    wide = op.keeps or op.accumulates
    return (['v0'] if wide else []) + [r for i, r in enumerate(op.regs()) if i != op.literal] + ['|', 'v0']


# ---- pools ----

F2 = [(ONE, TWO), (0x3e00, 0xc400), (0xc200, 0xc500), (0x3c01, 0x3555), (0, 0xc000), (TOP, 0xc000), (TOP, 0), (0x5640, 0x5a48),
      (INF, 0xc000), (0xfc00, 0xfc00), (INF, 0), (INF, 0xfc00), (TOP, INF), (MAX, 0x3c01), (0x7e2a, ONE), (ONE, 0xfe15),
      (0x7c05, ONE), (ONE, 0xfd33), (NAN, 0xfe03), (0x3c00, 0xbc00), (0x0c00, 0x1234)]
NEAR = [(0x3c01, 0x3c01), (0x3c01, 0x3e00), (0x3c03, 0x3e00), (0xbc01, 0x3e00), (MAX, 0x4000), (0xfbff, 0x4400), (0x3c00, 0x0c00),
        (0x3c01, 0x0fff), (0xbc00, 0x8c01), (0x0401, HALF), (0x8001, HALF), (0x0003, HALF), (0x3555, 0x3333), (0xb555, 0x3333),
        (0x6400, 0x3801), (MAX, 0x4c00), (0x3c00, 0x9001), (0x5bff, 0x5c03), (MAX, 0xfbff), (MAX, MAX), (0xfbff, 0x7800)]
TINY = [(SUB, 0x4000), (MIN, HALF), (0x4000, 0x8003), (0x8400, HALF), (SUB, INF), (0x0200, 0x4400), (0x07fe, HALF), (0x8001, 0x8001),
        (0x0401, 0x8400), (0x0001, 0x8002), (BIGSUB, ONE), (0x07ff, HALF), (0x83ff, 0x83ff), (SUB, 0), (0x8200, 0x3bff)]
F3 = [(ONE, TWO, THREE), (0x3e00, 0xc400, 0x4500), (0xc200, 0xc500, 0xcb80), (0x3c01, 0x3c01, 0xbc02), (0x3c01, 0x3bfe, 0xbc00),
      (0, 0xc000, 0), (TOP, 0x4000, TOP), (0, 0x4000, TOP), (INF, 0xc000, ONE), (INF, ONE, 0xfc00), (INF, 0, ONE), (ONE, 0xfc00, 0xfc00),
      (0x7e2a, ONE, TWO), (ONE, 0xfe15, TWO), (ONE, TWO, 0x7c05), (MAX, 0x4000, 0xfbff), (0x5640, 0x5a48, 0xd000)]
NEAR3 = [(0x3c01, 0x3c01, 0x1000), (0x3c01, 0x3e00, 0x0c01), (0xbc01, 0x3e00, 0x8c01), (MAX, 0x4000, 0x4400), (0xfbff, 0x3c01, 0xc400),
         (0x3555, 0x3333, 0xa000), (0x3c03, 0x3c05, 0xbc00), (0x0401, HALF, 0x0001), (0x3c00, 0x3c00, 0x0c00), (0xbc00, 0x3c00, 0x8c01),
         (0x5555, 0x3333, 0x2aaa), (0x3bff, 0x3bff, 0xbbff)]
TINY3 = [(SUB, 0x4000, 0), (MIN, HALF, 0), (ONE, 0x8003, SUB), (0x0200, 0x4000, 0x8200), (ONE, MIN, 0x8001), (SUB, INF, ONE),
         (0x1000, 0x1000, 0x0001), (0x0c00, 0x0c00, ONE), (0x1400, 0x2c00, 0x0400), (ONE, ONE, 0x03ff), (0x8400, ONE, 0x0401),
         (0x2400, 0x1800, 0x8400)]
M3 = [(ONE, TWO, THREE), (TWO, ONE, THREE), (THREE, ONE, TWO), (TWO, THREE, ONE), (ONE, THREE, TWO), (0xbc00, TWO, 0xc200), (0xc000, 0xc200, 0xbc00),
      (0x4000, 0x4000, ONE), (INF, ONE, 0xfc00), (INF, INF, 0x4000), (0xfc00, 0x4000, 0xfc00), (NAN, ONE, TWO), (ONE, NAN, TWO), (TWO, ONE, NAN),
      (0x7c05, ONE, TWO), (ONE, 0x7c05, TWO), (TWO, ONE, 0x7c05), (0, TOP, ONE), (TOP, 0, 0xbc00), (0, TOP, TOP), (0xbc00, 0x4000, TOP)]
TINYM3 = [(SUB, 0x0002, 0x0003), (0x0003, SUB, 0x8001), (0x8003, ONE, BIGSUB), (ONE, TWO, SUB), (0xbc00, 0xc000, 0x8002)]
F1 = [(x,) for x in (0, TOP, ONE, 0xbc00, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x4300, HALF, 0xb800, 0x3801, 0xb801, 0x37ff, 0x0400, 0x8400,
                     0x9401, 0x9555, 0x6401, 0x6600, 0x63ff, 0xe3ff, MAX, 0xfbff, INF, 0xfc00, NAN, 0xfe2a, 0x7c05, 0xfd33)]
TINY1 = [(x,) for x in (SUB, 0x8001, BIGSUB, 0x83ff, 0x0200, 0x8200, MIN)]
A1 = [(x,) for x in (0, TOP, ONE, TWO, 0x4400, HALF, 0x3400, 0xb400, 0x3555, 0x4248, 0x3e00, 0x3c10, 0x3c01, 0x3c1a, 0x3c0b, 0x3c43, 0x4700,
                     0x5640, 0x0400, MAX, 0xbc00, 0xc000, 0xc500, INF, 0xfc00, NAN, 0xfe2a, 0x7c05, 0x2e66, 0x3266, 0xcb80, 0xcbc0, 0xcc20, 0xce00, 0xce40, 0xce80, 0x4b80)]
U2 = [(1, 2), (2, 1), (5, 3), (0xffff, 1), (1, 0xffff), (0x7fff, 1), (0x8000, 0x8000), (0x8000, 1), (0, 0), (0x1234, 0x00ff), (0xfffe, 0xffff),
      (0x7fff, 0x8000), (0x8000, 0x7fff), (300, 300), (0x00ff, 0x0101), (0, 0xffff)]
SHIFT = [(0, 0x8421), (1, 0x8421), (4, 0x8421), (15, 0x8421), (16, 0x8421), (31, 0x8001), (0xffff, 0x8001), (8, 0x7f80), (7, 0xff01)]
U3 = [(1, 2, 3), (3, 2, 1), (2, 3, 1), (0xffff, 1, 0), (0xffff, 0xffff, 0xffff), (0x8000, 0x7fff, 1), (0x7fff, 0x8000, 0), (5, 5, 7), (300, 300, 7),
      (0x100, 0x100, 5), (0x8000, 0x8000, 0x8000), (0x00ff, 0x0101, 1), (0xfffe, 2, 9), (0, 0, 0xffff), (0x7fff, 1, 1), (0x8000, 1, 0xffff),
      (0x8001, 0xffff, 0x7fff), (7, 0xfffd, 10), (10, 0x1000, 0x8000)]


def neg(b): return b ^ TOP
def mag(b): return b & 0x7fff


# ---- the tests of one opcode ----

def plain_pool(op):
    if op.pool:
        return op.pool
    n = len(op.sources) + op.accumulates
    return {1: F1, 2: F2, 3: F3}[n] if op.is_float else {2: U2, 3: U3}[n]


def value_tests(op, out):
    pool = plain_pool(op)
    out.test('values', op.code(), columns(op), rows_of(op, Mode(), pool), forms=op.forms, errata=op.errata)
    if 'w' not in op.sources and 'x' not in op.sources or len(op.sources) > 1:
        out.test('only the low halves of sources count', op.code(), columns(op), rows_of(op, Mode(), pool[:6], junk=True), forms=op.forms)


def differing(op, pool, modes):
    """Rows that some mode tells apart."""
    def key(bits, words):
        return str(rows_of(op, mode_of(words), [bits]))
    return [b for b in pool if len({key(b, w) for w in modes}) > 1]


ROUND = ('fp64_round=rtp', 'fp64_round=rtn', 'fp64_round=rtz')
TITLES = {'fp64_round=rne': 'round to nearest even', 'fp64_round=rtp': 'round toward plus infinity', 'fp64_round=rtn': 'round toward minus infinity',
          'fp64_round=rtz': 'round toward zero', 'fp64_denorm=flush': 'subnormals where MODE flushes them', 'fp64_denorm=keep_in': 'subnormal results are flushed',
          'fp64_denorm=keep_out': 'subnormal sources are flushed'}


def mode_tests(op, out):
    n = len(op.sources) + op.accumulates
    near = {1: F1, 2: NEAR, 3: NEAR3}[n] + (plain_pool(op) if n == 1 else [])
    tiny = {1: TINY1, 2: TINY, 3: TINYM3 if op.name[2:6] in ('min3', 'max3', 'med3') else TINY3}[n]
    if op.sources[0] == 'w' or op.sources[0] in 'iu':
        near, tiny = op.pool, []
    if op.rounds:
        pool = differing(op, unique(near), ('fp64_round=rne',) + ROUND)
        for words in ('fp64_round=rne',) + ROUND:
            out.test(TITLES[words], op.code(), columns(op), rows_of(op, mode_of(words), pool), mode=words if words != 'fp64_round=rne' else None)
        if pool:
            out.test('the rounding of f32 does not matter', op.code(), columns(op), rows_of(op, Mode(), pool[:6]), mode='fp32_round=rtz')
    if op.subs and tiny:
        out.test('subnormals where MODE keeps them', op.code(), columns(op), rows_of(op, Mode(), tiny), forms=op.forms)
        for words in ('fp64_denorm=flush', 'fp64_denorm=keep_in', 'fp64_denorm=keep_out'):
            rows = [r for r in rows_of(op, mode_of(words), tiny) if r[-1] != '?']
            out.test(TITLES[words], op.code(), columns(op), rows, mode=words, forms='e32 e64' if op.enc in ('vop1', 'vop2') and words.endswith('flush') and op.literal is None else None)
        out.test('the subnormals of f32 do not matter', op.code(), columns(op), rows_of(op, Mode(), tiny[:5]), mode='fp32_denorm=flush')
    special = [b for b in unique(plain_pool(op) + (M3 if n == 3 else [])) if any(H.is_nan(x) for x in b)] if op.sources[0] == 'f' else []
    rows = [r for r in rows_of(op, mode_of('ieee=0'), special) if r[-1] != '?']
    out.test('without ieee', op.code(), columns(op), rows, mode='ieee=0')
    if op.result == 'f':
        over = differing(op, unique(near + plain_pool(op)), ('fp64_round=rne', 'fp16_ovfl=1'))
        out.test('what overflows becomes the largest number', op.code(), columns(op),
                 rows_of(op, mode_of('fp16_ovfl=1'), over + plain_pool(op)[7:10]), mode='fp16_ovfl=1')


def signs(op, bits, table):
    """table: a word for each source, of n (neg) and a (abs)."""
    out = []
    for b, t, s in zip(bits, table + [''] * 9, op.sources):
        if s == 'f':
            b = mag(b) if 'a' in t else b
            b = neg(b) if 'n' in t else b
        out.append(b)
    return tuple(out)


def signed_args(op, table):
    return ['%s%s%s%s' % ('-' if 'n' in t and s == 'f' else '', '|' if 'a' in t and s == 'f' else '', r, '|' if 'a' in t and s == 'f' else '')
            for r, t, s in zip(op.regs(), table + [''] * 9, op.sources)]


def modifier_tests(op, out):
    if op.literal is not None:
        return
    pool = plain_pool(op)
    suffix = '_e64' if op.enc in ('vop1', 'vop2') else ''
    few = [b for b in pool if not any(H.is_nan(x) for x, s in zip(b, op.sources) if s == 'f')][:9]
    if op.sources[0] == 'f':
        tables = [['n', 'a', 'na'], ['na', 'n', 'a'], ['a', '', 'n']] if len(op.sources) > 1 else [['n'], ['a'], ['na']]
        for t in tables:
            words = {'n': 'negated', 'a': 'absolute', 'na': 'below zero', '': 'plain'}
            title = 'sources ' + ', '.join(words[x] for x, s in zip(t, op.sources) if s == 'f')
            out.test(title, op.code(signed_args(op, t), suffix), columns(op), rows_of(op, Mode(), few, change=lambda b, t=t: signs(op, b, t)))
    if op.result == 'f':
        edge = few + [b for b in pool if any(H.is_nan(x) for x in b)][:2]
        out.test('clamp to 0 and 1', op.code(None, suffix, 'clamp'), columns(op), rows_of(op, Mode(), edge, clamp=True))
        out.test('clamp keeps a NaN without dx10_clamp', op.code(None, suffix, 'clamp'), columns(op),
                 rows_of(op, mode_of('dx10_clamp=0'), edge[-3:], clamp=True), mode='dx10_clamp=0')
    if op.clamps and not op.is_float:
        out.test('clamp saturates', op.code(None, suffix, 'clamp'), columns(op), rows_of(op, Mode(), pool, clamp=True))
    if op.omods:
        m = mode_of('fp64_denorm=flush ieee=0')
        small = few[:7] + ([(MIN,) * (len(op.sources) + op.accumulates)] if len(op.sources) < 3 else [])
        for field, text in ((1, 'mul:2'), (2, 'mul:4'), (3, 'div:2')):
            out.test('output %s' % text.replace(':', ' by '), op.code(None, suffix, text), columns(op), rows_of(op, m, small, field=field),
                     mode='fp64_denorm=flush ieee=0')
        out.test('no output multiplier with ieee', op.code(None, suffix, 'mul:4'), columns(op), rows_of(op, mode_of('fp64_denorm=flush'), few[:4]),
                 mode='fp64_denorm=flush')
        out.test('no output multiplier with subnormals', op.code(None, suffix, 'mul:2'), columns(op), rows_of(op, mode_of('ieee=0'), few[:4]), mode='ieee=0')
        out.test('output multiplier, then clamp', op.code(None, suffix, 'div:2 clamp'), columns(op), rows_of(op, m, few[:6], field=3, clamp=True),
                 mode='fp64_denorm=flush ieee=0')


def half_selects(op, out):
    """op_sel: sources from high halves, the result into one."""
    n = len(op.sources)
    pool = [b for b in plain_pool(op) if not any(H.is_nan(x) for x in b)][:5]
    for pick in range(1, 2**(n + op.keeps)):
        if pick in (2**n - 1, 1, 2, 4, 2**n, 2**n + 2, 2**(n + 1) - 1) or n == 2:
            bits = [pick >> i & 1 for i in range(n)]
            high = bool(pick >> n & 1) and op.keeps
            sel = 'op_sel:[%s]' % ','.join(map(str, bits + [int(high)]))
            rows = []
            for k, b in enumerate(pool):
                r = rows_of(op, Mode(), [b], high=high)[0]
                words = [hexes(8)(x if op.sources[i] in 'wx' else x << 16 | 0x4d01 + i if bits[i] else x | 0x5c030000 + (i << 20)) for i, x in enumerate(b)]
                rows.append((r[:1] if op.keeps else []) + words + r[-2:])
            if not op.keeps and pick >= 2**n:
                continue
            out.test('halves ' + ' '.join(['low', 'high'][x] for x in bits) + (' into high' if high else ''), op.code(None, '', sel), columns(op), rows)


def constant_tests(op, out):
    n = len(op.sources)
    if op.literal is not None or n < 2 or op.name.endswith('mad_u32_u16') or 'w' in op.sources:
        return
    pool = plain_pool(op)[:6]
    suffix = '_e64' if op.enc == 'vop2' else ''
    for place in range(n):
        const, text = (0xc000, '-2.0') if op.sources[place] == 'f' else ((3, '3') if place else (0xfffd, '-3'))
        if op.name == 'v_ldexp_f16' and place == 1:
            const, text = 0xfffd, '-3'
        if op.sources[place] == 'x':
            const = 0xfffffffd if text == '-3' else const
        args = op.regs()
        args[place] = text
        rows = []
        for r, b in zip(rows_of(op, Mode(), [b[:place] + (const,) + b[place + 1:] for b in pool]), pool):
            words = r[:-2]
            del words[place + (op.keeps or op.accumulates)]
            rows.append(words + r[-2:])
        cols = columns(op)
        cols.remove('v%d' % (place + 1))
        out.test('inline constant as source %d' % (place + 1), op.code(args, suffix), cols, rows)
    if op.enc == 'vop2':
        const, text = (0x3555, '0x3555')
        args = op.regs()
        args[0] = text
        rows = [r[:op.accumulates] + r[1 + op.accumulates:] for r in rows_of(op, Mode(), [(const,) + b[1:] for b in pool])]
        cols = columns(op)
        cols.remove('v1')
        out.test('literal', op.code(args), cols, rows)


def sdwa_tests(op, out):
    if not op.forms or 'sdwa' not in op.forms:
        return
    pool = [b for b in plain_pool(op) if not any(H.is_nan(x) for x, s in zip(b, op.sources) if s == 'f')][:6]
    two = len(op.sources) > 1
    sel = 'src0_sel:WORD_1' + (' src1_sel:WORD_1' if two else '')
    if op.result in 'fiu' and op.sources[0] in 'fiu':
        rows = []
        for k, b in enumerate(pool):
            r = results(op, Mode(), b)
            old = 0x12345678 + 0x01010101 * k
            rows.append([hexes(8)(old)] + [hexes(8)(x << 16 | 0x3cab) for x in b] +
                        ['|', alternatives([ANY if x == ANY else x << 16 | old & 0xffff for x in r], hexes(8))])
        cols = ['v0'] + op.regs() + ['|', 'v0']
        out.test('sdwa takes high halves and keeps the low one', op.code(None, '_sdwa', 'dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE ' + sel), cols, rows)
        rows = [[hexes(8)(x << 16 | 0x3cab) for x in b] + ['|', alternatives([ANY if x == ANY else x << 16 for x in results(op, Mode(), b)], hexes(8))] for b in pool]
        out.test('sdwa pads', op.code(None, '_sdwa', 'dst_sel:WORD_1 dst_unused:UNUSED_PAD ' + sel), cols[1:], rows)
    if op.sources[0] == 'f':
        t = ['n', 'a']
        args = ['-v1', '|v2|'][:len(op.sources)]
        if len(op.sources) > 1 and op.sources[1] != 'f':
            args[1] = 'v2'
        tail = 'dst_sel:DWORD src0_sel:WORD_0' + (' src1_sel:DWORD' if two else '')
        out.test('sdwa changes signs', op.code(args, '_sdwa', tail), columns(op), rows_of(op, Mode(), pool, change=lambda b: signs(op, b, t)))
    elif two:
        def sx(v, n): return v - (1 << n) if v >> n - 1 & 1 else v
        rows = []
        for a, b in ((0x00800000, 0x05), (0x007f0000, 0x81), (0x12ff3456, 0x03), (0x00020000, 0xff), (0xff817fff, 0xfe)):
            x, y = sx(a >> 16 & 0xff, 8) & 0xffff, b & 0xff
            rows.append([hexes(8)(a), hexes(8)(b | 0xaabbcc00), '|', alternatives(results(op, Mode(), (x, y)), hexes(4))])
        out.test('sdwa extends a byte', op.code(['sext(v1)', 'v2'], '_sdwa', 'dst_sel:DWORD src0_sel:BYTE_2 src1_sel:BYTE_0'), columns(op), rows)


def dpp_tests(op, out):
    if not op.forms or 'dpp' not in op.forms:
        return
    pool = [b for b in plain_pool(op) if not any(H.is_nan(x) for x, s in zip(b, op.sources) if s == 'f')][:4]
    other = [1, 0, 3, 2]
    neg_it = op.sources[0] == 'f'
    def lanes(b, k):
        x = pool[other[k]][0]
        return ((neg(x) if neg_it else x),) + b[1:]
    base = rows_of(op, Mode(), pool)
    rows = [r[:-1] + rows_of(op, Mode(), [lanes(b, k)])[0][-1:] for k, (r, b) in enumerate(zip(base, pool))]
    if op.keeps or op.accumulates:
        rows = []
        for k, b in enumerate(pool):
            old = OLD[k] | b[-1]
            r = results(op, Mode(), lanes(b, k)[:-1], dest=b[-1])
            rows.append([hexes(8)(old)] + [op.spell(i)(x) for i, x in enumerate(b[:-1])] +
                        ['|', alternatives([ANY if x == ANY else old & 0xffff0000 | x for x in r], hexes(8))])
    args = op.regs()
    args[0] = '-v1' if neg_it else 'v1'
    out.test('dpp exchanges neighbours', op.code(args, '_dpp', 'quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf'), columns(op), rows)


def exec_tests(op, out):
    pool = plain_pool(op)[:4]
    rows = rows_of(op, Mode(), pool)
    for k in (1, 2):
        rows[k] = rows[k][:-1] + ['same']
    out.test('lanes that are off keep their value', op.code(), columns(op), rows, ins='exec = 9')
    if op.literal is None and not op.keeps and not op.accumulates and op.sources[0] not in 'wx' and op.result != 'W':
        args = op.regs()
        first = op.code(args).replace('v0', 'v1', 1)
        rows = rows_of(op, Mode(), pool)
        if all(r[-1] in ('0', '0x8000', '{0|0x8000}') for r in rows):  # as of a destination that is cleared first
            rows += [r for r in rows_of(op, Mode(), plain_pool(op)) if r[-1] not in ('0', '0x8000', '{0|0x8000}')][:1]
        cols = columns(op)
        cols[-1] = 'v1'
        out.test('destination is the first source', first, cols, rows)


def write(op, folder):
    out = File([op.text, 'Vega ISA, chapter 12 (%s). Expectations: scripts/calc/calc_f16_cases.py.' % op.enc.upper()])
    value_tests(op, out)
    if op.is_float:
        mode_tests(op, out)
    modifier_tests(op, out)
    if op.opsel:
        half_selects(op, out)
    constant_tests(op, out)
    sdwa_tests(op, out)
    dpp_tests(op, out)
    exec_tests(op, out)
    for extra in op.extra:
        extra(op, out)
    path = folder / op.enc / (op.name + '.case')
    path.parent.mkdir(exist_ok=True)
    casetext.write(path, out.text())


# ---- the opcodes ----

def frule(name): return lambda m, *b: c.FLOAT[name](H, m, *b)
def irule(name): return c.INTEGER[name]


def drop_mode(rule): return lambda m, *b: [rule(False, *b)]


SPECS = []


def spec(*args, **kw): SPECS.append(Op(*args, **kw))


for n, text in (('add', 'Sum of two f16 numbers'), ('sub', 'Difference of two f16 numbers'), ('subrev', 'Second f16 number minus the first'),
                ('mul', 'Product of two f16 numbers')):
    spec('v_%s_f16' % n, 'vop2', text + ', rounded once; the high half of the result is 0.', frule(n), 'ff', 'f', errata='VALU-U01')
for n, text in (('max', 'Larger'), ('min', 'Smaller')):
    spec('v_%s_f16' % n, 'vop2', text + ' of two f16 numbers; a NaN loses, a signaling one wins with IEEE.', frule(n), 'ff', 'f', rounds=False)
spec('v_mac_f16', 'vop2', 'Product rounded, then added to the destination; its high half stays.', frule('mad'), 'ff', 'f', accumulates=True, keeps=True,
     forms='e32 e64 dpp')
spec('v_ldexp_f16', 'vop2', 'f16 times a power of two; the exponent is a 16-bit integer.', frule('ldexp'), 'fi', 'f',
     pool=[(ONE, 1), (0x3e00, 0xffff), (0xc200, 4), (ONE, 15), (ONE, 16), (ONE, 0xfff2), (ONE, 0xffe8), (0x3c01, 0xfff1), (SUB, 24), (BIGSUB, 1), (0, 5),
           (TOP, 5), (INF, 0x8000), (0xfc00, 1), (NAN, 1), (0x7c05, 1), (ONE, 0x7fff), (ONE, 0x8000), (MAX, 0xffe0), (0xbc03, 0xffef), (0x0903, 0xfff6), (0x09ff, 0xfff5), (0x0a84, 0xfff7)])
for n in ('add_u16', 'sub_u16', 'subrev_u16'):
    spec('v_' + n, 'vop2', {'a': 'Sum', 's': 'Difference'}[n[0]] + ' of 16-bit integers; clamp saturates without sign. The high half of the result is 0.',
         irule(n), 'uu', 'u', clamps=True)
spec('v_mul_lo_u16', 'vop2', 'Low 16 bits of a product of 16-bit integers.', drop_mode(irule('mul_lo_u16')), 'uu', 'u')
for n in ('lshlrev_b16', 'lshrrev_b16', 'ashrrev_i16'):
    spec('v_' + n, 'vop2', 'Shifts the low 16 bits of the second source by the low 4 bits of the first.', drop_mode(irule(n)), 'u' + ('i' if n[0] == 'a' else 'u'),
         'u', pool=SHIFT)
for n in ('max_u16', 'min_u16', 'max_i16', 'min_i16'):
    spec('v_' + n, 'vop2', ('Larger' if n[1] == 'a' else 'Smaller') + ' of two 16-bit integers ' + ('with' if 'i16' in n else 'without') + ' sign.',
         drop_mode(irule(n)), n[4] * 2, n[4])

for n, text in (('floor', 'Next whole number below'), ('ceil', 'Next whole number above'), ('trunc', 'Whole part'), ('rndne', 'Nearest whole number, ties to even')):
    spec('v_%s_f16' % n, 'vop1', text + ', as f16.', frule(n), 'f', 'f', rounds=False)
spec('v_fract_f16', 'vop1', 'f16 minus the next whole number below it, always below 1.', frule('fract'), 'f', 'f')
spec('v_frexp_mant_f16', 'vop1', 'Significand in [0.5, 1) with the sign of the f16.', frule('frexp_mant'), 'f', 'f', rounds=False)
spec('v_frexp_exp_i16_f16', 'vop1', 'Exponent that belongs to that significand; 0 for zero, infinity and NaN.', frule('frexp_exp'), 'f', 'i', rounds=False)
for n, text in (('rcp', 'Reciprocal'), ('sqrt', 'Square root'), ('rsq', 'Reciprocal of the square root'), ('log', 'Logarithm to base 2'), ('exp', 'Power of 2')):
    spec('v_%s_f16' % n, 'vop1', text + ' of an f16, to 0.51 units in the last place.', frule(n), 'f', 'f', rounds=False, pool=A1, errata='VALU-U09')


C16 = [(x,) for x in (0, 1, 2, 3, 0x7ff, 0x800, 0x801, 0x803, 0x1003, 0x7fff, 0x8000, 0x8001, 0xffdf, 0xffe0, 0xffef, 0xfff0, 0xffff, 0x1234)]
spec('v_cvt_f16_u16', 'vop1', '16-bit integer without sign as f16.', lambda m, a: c.from_whole(m, a), 'u', 'f', pool=C16)
spec('v_cvt_f16_i16', 'vop1', '16-bit integer with sign as f16.', lambda m, a: c.from_whole(m, c.signed(a)), 'i', 'f', pool=C16)
spec('v_cvt_u16_f16', 'vop1', 'f16 truncated to a 16-bit integer without sign, saturated; NaN gives 0.', lambda m, a: c.to_int(m, a, 0, 65535), 'f', 'u', rounds=False)
spec('v_cvt_i16_f16', 'vop1', 'f16 truncated to a 16-bit integer with sign, saturated; NaN gives 0. The high half is 0.',
     lambda m, a: c.to_int(m, a, -32768, 32767), 'f', 'i', rounds=False)
spec('v_cvt_norm_i16_f16', 'vop1', 'f16 in [-1, 1] onto -32767 to 32767.', lambda m, a: c.norm(m, a, -1, 32767), 'f', 'i', rounds=False)
spec('v_cvt_norm_u16_f16', 'vop1', 'f16 in [0, 1] onto 0 to 65535.', lambda m, a: c.norm(m, a, 0, 65535), 'f', 'u', rounds=False)
spec('v_cvt_f32_f16', 'vop1', 'f16 as f32, exactly.', c.widen, 'f', 'W', rounds=False)
W1 = [(x,) for x in (0, 0x80000000, 0x3f800000, 0xbfc00000, 0x3f801000, 0x3f803000, 0x3f801001, 0x3f800fff, 0xbf801000, 0x477fe000, 0x477fefff,
                     0x477ff000, 0xc77ff000, 0x47800000, 0x38800000, 0x387fc000, 0x387fe000, 0x387fffff, 0x33800000, 0x33000000, 0x33000001, 0xb3800001,
                     0x00000001, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f802000, 0x7f800001)]
spec('v_cvt_f16_f32', 'vop1', 'f32 as f16, by the rounding and the subnormals of f16.', c.narrow, 'w', 'f', pool=W1, errata='VALU-U15')
spec('v_sat_pk_u8_i16', 'vop1', 'Two 16-bit integers with sign, each saturated to a byte.', lambda m, a: [c.sat_u8(a & 0xffff) | c.sat_u8(a >> 16) << 8], 'x', 'x',
     pool=[(x,) for x in (0, 0x00ff0001, 0x0100ffff, 0x80007fff, 0x7fff8000, 0x00fe00ff, 0xffff0100, 0x01000080, 0x12340056)])

for n, text in (('mad_legacy', 'Product rounded, plus a third, rounded; the high half is 0.'), ('fma_legacy', 'Product plus a third, rounded once; the high half is 0.'),
                ('div_fixup_legacy', 'The special cases of a division, else the quotient with its sign; the high half is 0.')):
    spec('v_%s_f16' % n, 'vop3a', text, frule(n.replace('_legacy', '')), 'fff', 'f')
for n, text in (('mad', 'Product rounded, plus a third, rounded'), ('fma', 'Product plus a third, rounded once'),
                ('div_fixup', 'The special cases of a division (quotient, denominator, numerator), else the quotient with its sign')):
    spec('v_%s_f16' % n, 'vop3a', text + '; the other half of the destination stays.', frule(n), 'fff', 'f', keeps=True, opsel=True)
for n, text in (('min3', 'Smallest'), ('max3', 'Largest'), ('med3', 'Middle')):
    spec('v_%s_f16' % n, 'vop3a', text + ' of three f16 numbers; the other half of the destination stays.', frule(n), 'fff', 'f', keeps=True, opsel=True, rounds=False, pool=M3)
    for t in 'iu':
        spec('v_%s_%s16' % (n, t), 'vop3a', text + ' of three 16-bit integers; the other half of the destination stays.', drop_mode(irule('%s_%s16' % (n, t))), t * 3, t,
             keeps=True, opsel=True)
for t in 'ui':
    spec('v_mad_legacy_%s16' % t, 'vop3a', '16-bit product plus a third; clamp saturates; the high half is 0.', irule('mad_%s16' % t), t * 3, t, clamps=True)
    spec('v_mad_%s16' % t, 'vop3a', '16-bit product plus a third; clamp saturates; the other half of the destination stays.', irule('mad_%s16' % t), t * 3, t,
         clamps=True, keeps=True, opsel=True)
for n in ('add_i16', 'sub_i16'):
    spec('v_' + n, 'vop3a', 'Signed 16-bit ' + ('sum' if n[0] == 'a' else 'difference') + '; clamp saturates; the other half of the destination stays.', irule(n), 'ii', 'i',
         clamps=True, keeps=True, opsel=True)
X3 = [(3, 5, 7), (0xffff, 0xffff, 0), (0xffff, 0xffff, 0xffffffff), (0x8000, 0x8000, 0x7fffffff), (0x8000, 0x7fff, 0x80000000), (2, 0xfffe, 0x12345678),
      (0x1234, 0x0100, 0xffff0000), (0xffff, 1, 1), (0, 7, 0x80000000), (0x7fff, 0x7fff, 0x7fffffff)]
spec('v_mad_u32_u16', 'vop3a', 'Product of 16-bit integers plus a 32-bit one; clamp saturates.',
     lambda k, a, b, d: min(a * b + d, 2**32 - 1) if k else a * b + d & 2**32 - 1, 'uux', 'x', clamps=True, opsel=True, pool=X3)
spec('v_mad_i32_i16', 'vop3a', 'Product of signed 16-bit integers plus a 32-bit one; clamp saturates.',
     lambda k, a, b, d: (lambda t: (min(max(t, -2**31), 2**31 - 1) if k else t) & 2**32 - 1)(c.signed(a) * c.signed(b) + d - (d >> 31 << 32)), 'iix', 'x',
     clamps=True, opsel=True, pool=X3)


def pairs(xs, ys): return unique(ANY if ANY in (x, y) else x | y << 16 for x in xs for y in ys)


def pack(m, a, b):
    def one(v):
        if H.is_snan(v):
            return [ANY]
        return unique([v, v & TOP]) if H.is_subnormal(v) and not (m.keep_in and m.keep_out) else [v]
    return pairs(one(a), one(b))


spec('v_pack_b32_f16', 'vop3a', 'Two f16 numbers side by side: the first low, the second high.', pack, 'ff', 'x', opsel=True, rounds=False)
spec('v_cvt_pknorm_i16_f16', 'vop3a', 'Two f16 numbers in [-1, 1] onto -32767 to 32767, side by side.',
     lambda m, a, b: pairs(c.norm(m, a, -1, 32767), c.norm(m, b, -1, 32767)), 'ff', 'x', opsel=True, rounds=False)
spec('v_cvt_pknorm_u16_f16', 'vop3a', 'Two f16 numbers in [0, 1] onto 0 to 65535, side by side.',
     lambda m, a, b: pairs(c.norm(m, a, 0, 65535), c.norm(m, b, 0, 65535)), 'ff', 'x', opsel=True, rounds=False)


def main():
    import calc_f16_more
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    for op in SPECS:
        if not names or op.name in names:
            write(op, folder)
    calc_f16_more.write_all(folder, names)


if __name__ == '__main__':
    main()
