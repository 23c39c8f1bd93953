"""The case files of calc_f16_cases.py that need a form of their own: compares, turns, literals as operands, packed and
mixed-precision opcodes."""
import calc_f16 as c
import calc_f16_cases as k
import casetext
from calc_f16 import ANY, F, H, S, Mode, unique



# ---- compares ----

INT = {'f': lambda a, b: False, 'lt': lambda a, b: a < b, 'eq': lambda a, b: a == b, 'le': lambda a, b: a <= b, 'gt': lambda a, b: a > b,
       'ne': lambda a, b: a != b, 'ge': lambda a, b: a >= b, 't': lambda a, b: True}
ORDERED = {'lt': INT['lt'], 'eq': INT['eq'], 'le': INT['le'], 'gt': INT['gt'], 'lg': INT['ne'], 'ge': INT['ge'], 'o': INT['t']}
WORDS = {'f': 'never', 't': 'always', 'tru': 'always', 'lt': 'less than', 'eq': 'equal', 'le': 'less or equal', 'gt': 'greater than', 'ne': 'not equal',
         'ge': 'greater or equal', 'lg': 'less or greater', 'o': 'ordered: no NaN', 'u': 'unordered: a NaN', 'nge': 'not greater or equal',
         'nlg': 'not less or greater', 'ngt': 'not greater than', 'nle': 'not less or equal', 'neq': 'not equal, or a NaN', 'nlt': 'not less than'}


def float_test(name):
    """On f16 bits. Opcode 15 - k is the negation of opcode k."""
    negated = {'u': 'o', 'nge': 'ge', 'nlg': 'lg', 'ngt': 'gt', 'nle': 'le', 'neq': 'eq', 'nlt': 'lt'}
    if name in ('f', 'tru'):
        return lambda a, b: name == 'tru'
    if name in negated:
        base = float_test(negated[name])
        return lambda a, b: not base(a, b)
    return lambda a, b: not H.is_nan(a) and not H.is_nan(b) and ORDERED[name](c.order(H, a)[0], c.order(H, b)[0])


FPAIRS = [(0x3c00, 0x4000), (0x4000, 0x3c00), (0x3c00, 0x3c00), (0, 0x8000), (0x8000, 0), (0xbc00, 0x3c00), (0xc000, 0xbc00), (0x7c00, 0x7bff), (0xfc00, 0xfbff),
          (0x7c00, 0x7c00), (0xfc00, 0x7c00), (0x7e00, 0x3c00), (0x3c00, 0x7e00), (0x7e00, 0x7e00), (0xfe01, 0x7c00), (0x7c01, 0x3c00), (0x3c01, 0x3c00),
          (1, 0), (0, 1), (0x8001, 1), (0x8001, 0x8002)]
FTINY = [(1, 0), (0, 1), (0x8001, 1), (0x03ff, 0x8000), (0x0400, 0x03ff), (0x8400, 1)]
IPAIRS = [(0, 0), (1, 2), (2, 1), (5, 5), (0xffff, 0), (0, 0xffff), (0xffff, 1), (0x7fff, 0x8000), (0x8000, 0x7fff), (0x8000, 0x8000), (0x1234, 0x1235),
          (0x1234, 0x9234), (0xfffe, 0xffff), (0x100, 0xff)]


def compare_file(folder, name, test, kind, text):
    both = name.startswith('v_cmpx')
    out = k.File([text + '. One bit per lane, 0 for lanes that are off' + ('; EXEC gets the same bits.' if both else '.'),
                  'Vega ISA, chapter 12 (VOPC). Expectations: scripts/calc/calc_f16_more.py.'])
    spell = k.show16 if kind == 'f' else k.number

    def rows(pairs, change=lambda a, b: (a, b), junk=False):
        r = []
        for i, (a, b) in enumerate(pairs):
            bit = int(test(*change(a, b)))
            words = [spell(a), spell(b)]
            if junk:
                words = [k.hexes(8)(a | (0x7e00, 0x8001)[i % 2] << 16), k.hexes(8)(b | (0x0001, 0xfc00)[i // 2 % 2] << 16)]
            r.append(words + ['|', bit] + ([bit] if both else []))
        return r
    def cols(dest='vcc'): return ['v1', 'v2', '|', dest] + (['exec'] if both else [])
    pairs = FPAIRS if kind == 'f' else IPAIRS
    out.test('compare', '%s vcc, v1, v2' % name, cols(), rows(pairs), forms='e32 e64 sdwa')
    out.test('only the low halves count', '%s vcc, v1, v2' % name, cols(), rows(pairs[:8], junk=True), forms='e32 e64 sdwa')
    if kind == 'f':
        def fl(a, b): return (a & 0x8000 if H.is_subnormal(a) else a), (b & 0x8000 if H.is_subnormal(b) else b)
        out.test('inputs flushed by mode', '%s vcc, v1, v2' % name, cols(), rows(FTINY, fl), forms='e32 e64', mode='fp64_denorm=flush')
        out.test('the subnormals of f32 do not matter', '%s vcc, v1, v2' % name, cols(), rows(FTINY), mode='fp32_denorm=flush')
        odd = [(0xc000, 0x3c00), (0x3c00, 0xc000), (0, 0), (0x8000, 0x8000), (0xb800, 0x3800), (0xfe00, 0x3c00)]
        out.test('absolute value of the first, the second below zero', '%s_e64 s[10:11], |v1|, -|v2|' % name, cols('s[10:11]'),
                 rows(odd, lambda a, b: (a & 0x7fff, b | 0x8000)))
        out.test('sdwa negates and takes absolute values', '%s_sdwa s[10:11], -v1, |v2| src0_sel:WORD_0 src1_sel:DWORD' % name, cols('s[10:11]'),
                 rows([(0xbc00, 0xc000), (0xc200, 0xc000), (0x4000, 0xc000), (0xc000, 0xc000)], lambda a, b: (a ^ 0x8000, b & 0x7fff)))
        const, word, points = 0xc000, '-2.0', (0xc000, 0xc001, 0xbc00, 0x7e00)
    else:
        const, word, points = 0xfffd, '-3', (0xfffd, 0xfffc, 0xfffe, 3)
    out.test('inline constant, result in an sgpr pair', '%s_e64 s[10:11], %s, v2' % (name, word), ['v2', '|', 's[10:11]'] + (['exec'] if both else []),
             [[spell(v), '|', int(test(const, v))] + ([int(test(const, v))] if both else []) for v in points])
    hi = pairs[:6]
    out.test('sdwa takes high halves', '%s_sdwa vcc, v1, v2 src0_sel:WORD_1 src1_sel:WORD_1' % name, cols(),
             [[k.hexes(8)(a << 16 | 0x1111), k.hexes(8)(b << 16 | 0x2222), '|', int(test(a, b))] + ([int(test(a, b))] if both else []) for a, b in hi])
    if kind != 'f':
        def sx(v): return v - 256 if v & 0x80 else v
        out.test('sdwa compares a signed byte with a high half', '%s_sdwa s[10:11], sext(v1), v2 src0_sel:BYTE_2 src1_sel:WORD_1' % name, cols('s[10:11]'),
                 [[k.hexes(8)(a), k.hexes(8)(b), '|', r] + ([r] if both else []) for a, b in ((0x00110000, 0x0011ffff), (0x00800000, 0x00800000),
                  (0x00ff1234, 0xffffaaaa), (0x007f0000, 0x00800000), (0x80810080, 0xff810081), (0x00050000, 0x00040005))
                  for r in [int(test(sx(a >> 16 & 255) & 0xffff, b >> 16))]])
    pick = next(((a, b) for a, b in ((0x3c00, 0x4000), (0x4000, 0x3c00), (0x3c00, 0x3c00), (0x7e00, 0x3c00)) if test(a, b)), (0x3c00, 0x4000))
    on = 0x8000000000000106
    result = on if test(*pick) else 0
    out.lines += ['', 'test lanes that are off get 0', 'forms e32 e64', 'in exec = 0x%x  v1 = 0x%x  v2 = 0x%x  vcc = -1' % (on, *pick), 'code',
                  '    %s vcc, v1, v2' % name, 'case every lane alike', 'out vcc = 0x%x' % result + ('  exec = 0x%x' % result if both else '')]
    casetext.write(folder / 'vopc' / (name + '.case'), out.text())


def class_file(folder, name):
    both = name.startswith('v_cmpx')
    out = k.File(['Whether an f16 belongs to one of the classes whose bits the second source has' + ('; EXEC gets the same bits.' if both else '.'),
                  'Vega ISA, chapter 12 (VOPC). Expectations: scripts/calc/calc_f16_more.py.'])
    values = (0x7c01, 0xfdff, 0x7e00, 0xfe2a, 0xfc00, 0xbc00, 0x8400, 0x83ff, 0x8001, 0x8000, 0, 1, 0x03ff, 0x0400, 0x3c00, 0x7bff, 0x7c00)
    def cols(dest='vcc'): return ['v1', 'v2', '|', dest] + (['exec'] if both else [])
    def bit(v, m): return m >> c.class_of(H, v) & 1
    def rows(masks, change=lambda v: v):
        return [[k.show16(v), k.hexes(4)(m), '|', bit(change(v), m)] + ([bit(change(v), m)] if both else []) for v in values for m in masks(change(v))]
    out.test('its class alone', '%s vcc, v1, v2' % name, cols(), rows(lambda v: [1 << c.class_of(H, v)]), forms='e32 e64 sdwa')
    out.test('every class but its own', '%s vcc, v1, v2' % name, cols(), rows(lambda v: [0x3ff & ~(1 << c.class_of(H, v))]), forms='e32 e64 sdwa')
    out.test('bits above the tenth say nothing', '%s vcc, v1, v2' % name, cols(), rows(lambda v: [0xfc00]))
    out.test('nothing is flushed', '%s vcc, v1, v2' % name, cols(), rows(lambda v: [1 << c.class_of(H, v)]), mode='fp64_denorm=flush')
    out.test('without ieee', '%s vcc, v1, v2' % name, cols(), rows(lambda v: [1 << c.class_of(H, v)]), mode='ieee=0')
    out.test('neg and abs come first', '%s_e64 s[10:11], -|v1|, v2' % name, cols('s[10:11]'), rows(lambda v: [1 << c.class_of(H, v), 0x3c0], lambda v: v | 0x8000))
    out.test('sdwa takes the high half', '%s_sdwa vcc, -v1, v2 src0_sel:WORD_1 src1_sel:WORD_0' % name, cols(),
             [[k.hexes(8)(v << 16 | 0x7c01), k.hexes(8)(0xffff0000 | m), '|', b] + ([b] if both else []) for v in values[3:9]
              for m in (0x1e0, 0x01c) for b in [bit(v ^ 0x8000, m)]])
    out.lines += ['', 'test lanes that are off get 0', 'in exec = 0x8000000000000106  v1 = 0x3c00  v2 = 0x100  vcc = -1', 'code', '    %s vcc, v1, v2' % name,
                  'case every lane alike', 'out vcc = 0x8000000000000106' + ('  exec = 0x8000000000000106' if both else '')]
    casetext.write(folder / 'vopc' / (name + '.case'), out.text())


def write_compares(folder, wanted):
    for x in ('v_cmp', 'v_cmpx'):
        if wanted(x + '_class_f16'):
            class_file(folder, x + '_class_f16')
        for n in ('f', 'lt', 'eq', 'le', 'gt', 'lg', 'ge', 'o', 'u', 'nge', 'nlg', 'ngt', 'nle', 'neq', 'nlt', 'tru'):
            if wanted('%s_%s_f16' % (x, n)):
                compare_file(folder, '%s_%s_f16' % (x, n), float_test(n), 'f', 'Compares two f16 numbers: ' + WORDS[n])
        for t in 'iu':
            for n in ('f', 'lt', 'eq', 'le', 'gt', 'ne', 'ge', 't'):
                if wanted('%s_%s_%s16' % (x, n, t)):
                    test = (lambda a, b, n=n: INT[n](c.signed(a), c.signed(b))) if t == 'i' else INT[n]
                    compare_file(folder, '%s_%s_%s16' % (x, n, t), test, t, 'Compares two 16-bit integers with%s sign: %s' % ('' if t == 'i' else 'out', WORDS[n]))


# ---- turns ----

def write_turns(folder, name):
    """What is not exact may be off by 2^-11."""
    out = k.File(['%s of an f16 that counts turns.' % ('Sine' if name == 'sin' else 'Cosine'), 'Vega ISA, chapter 12 (VOP1). Expectations: scripts/calc/calc_f16_more.py.'])
    op = 'v_%s_f16' % name
    rule = c.FLOAT[name]

    def near(m, a):
        r = rule(H, m, a)
        x = a & 0x7fff
        if r[0] == ANY or H.is_nan(r[0]) or H.is_inf(a) or H.is_zero(a) or r[0] in (0, 0x3c00, 0xbc00) and c.FUNCTIONS[name](H.value(a)) in (0, 1, -1):
            if name == 'sin' and H.value(a) % 1 == F(1, 2):
                r = [0, 0x8000]
            return k.alternatives(r, k.show16)
        ulp = F(2)**(max(c.exponent_of(abs(H.value(r[0]))), -14) - 10)
        return '%s~%dulp16' % (k.show16(r[0]), max(1, F(1, 2048) / ulp))
    exact = (0, 0x8000, 0x3400, 0xb400, 0x3a00, 0xba00, 0x3800, 0x3c00, 0xbc00, 0x4500, 0x7bff, 0xfbff, 0x5c01, 0x7c00, 0xfc00, 0x7e00, 0xfe2a, 0x7c05, 0x3d00, 0x3f00)
    close = (0x3000, 0xb000, 0x2e66, 0x3266, 0x3555, 0x3900, 0xb900, 0x3b00, 0x3b80, 0x3c40, 0x4101, 0x2c00, 0x3501, 0x37ff, 0x5801, 0xd803, 0x39aa)
    def rows(values, m=Mode(), change=lambda v: v): return [[k.show16(v), '|', near(m, change(v))] for v in values]
    out.test('values that are exact', '%s v0, v1' % op, ['v1', '|', 'v0'], rows(exact), forms='e32 e64 sdwa dpp')
    out.test('others', '%s v0, v1' % op, ['v1', '|', 'v0'], rows(close), forms='e32 e64 sdwa dpp', errata='VALU-U09')
    out.test('a sign before', '%s_e64 v0, -|v1|' % op, ['v1', '|', 'v0'], rows(close[:5] + exact[2:6], change=lambda v: v | 0x8000))
    out.test('the rounding of MODE does not matter', '%s v0, v1' % op, ['v1', '|', 'v0'], rows(close[:6]), mode='fp64_round=rtp')
    out.test('without ieee', '%s v0, v1' % op, ['v1', '|', 'v0'], rows((0x7e00, 0xfe2a, 0x7c00, 0x3400)), mode='ieee=0')
    m = k.mode_of('fp64_denorm=flush')
    out.test('subnormals where MODE flushes them', '%s v0, v1' % op, ['v1', '|', 'v0'], rows((1, 0x8001, 0x03ff), m), mode='fp64_denorm=flush')
    clamped = [[k.show16(v), '|', k.alternatives([c.clamp(Mode(), rule(H, Mode(), v)[0])], k.show16)] for v in (0x3400, 0xb400, 0x3a00, 0x3c00, 0x7c00)]
    out.test('clamp', '%s_e64 v0, v1 clamp' % op, ['v1', '|', 'v0'], clamped)
    out.test('only the low half counts', '%s v0, v1' % op, ['v1', '|', 'v0'],
             [[k.hexes(8)(v | 0x34000000), '|', near(Mode(), v)] for v in (0x3400, 0xb400, 0x3000, 0x3c00)])
    out.test('sdwa takes the high half and keeps the low one', '%s_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1' % op, ['v0', 'v1', '|', 'v0'],
             [['0x12345678', k.hexes(8)(v << 16 | 0x1234), '|', k.hexes(8)(rule(H, Mode(), v)[0] << 16 | 0x5678)] for v in (0x3400, 0xb400, 0x3c00)])
    out.test('lanes that are off keep their value', '%s v0, v1' % op, ['v1', '|', 'v0'],
             [['0.25f16', '|', near(Mode(), 0x3400)], ['0.25f16', '|', 'same'], ['0.25f16', '|', near(Mode(), 0x3400)]], ins='exec = 5')
    casetext.write(folder / 'vop1' / (op + '.case'), out.text())


# ---- a literal as operand ----

def write_literal(folder, name):
    """v_madmk_f16 v0, v1, K, v2 and v_madak_f16 v0, v1, v2, K; the high half of the destination stays."""
    op = 'v_%s_f16' % name
    out = k.File([('S0 * K + S1' if name == 'madmk' else 'S0 * S1 + K') + ' with a literal K, rounded twice; subnormals are flushed; the other half stays.',
                  'Vega ISA, chapter 12 (VOP2). Expectations: scripts/calc/calc_f16_more.py.'])

    def test(title, literal, pairs, mode=None, ins=None, off=()):
        m = k.mode_of(mode)
        rows = []
        for i, (a, b) in enumerate(pairs):
            r = c.mad(H, m, a, literal, b) if name == 'madmk' else c.mad(H, m, a, b, literal)
            old = k.OLD[i % 6] | 0x1111
            cell = 'same' if i in off else k.alternatives([ANY if x == ANY else old & 0xffff0000 | x for x in r], k.hexes(8))
            rows.append([k.hexes(8)(old), k.hexes(8)(a | 0x7c010000), k.hexes(8)(b | 0x3c000000), '|', cell])
        args = 'v1, 0x%04x, v2' % literal if name == 'madmk' else 'v1, v2, 0x%04x' % literal
        out.test(title, '%s v0, %s' % (op, args), ['v0', 'v1', 'v2', '|', 'v0'], rows, mode=mode, ins=ins)
    pairs = [(a, b) for a, b, _ in k.F3]
    test('values', 0x4248, pairs)
    test('another literal', 0xbe01, pairs[:8])
    test('the product is rounded', 0x3c01, [(0x3c01, 0xbc02), (0x3bfe, 0xbc00), (0x3c03, 0xbc04), (0xbc01, 0x3c02), (0xbc00, 0x3bfe), (0x3c01, 0x3bfe)])
    test('an infinite literal', 0x7c00, [(0x3c00, 0x4000), (0, 0x3c00), (0xbc00, 0x7c00), (0x3c00, 0xfc00)])
    near = [(a, b) for a, b, _ in k.NEAR3]
    for w in k.ROUND:
        test(k.TITLES[w], 0x3555, near, w)
    test('round to nearest even', 0x3555, near)
    test('the rounding of f32 does not matter', 0x3555, near[:4], 'fp32_round=rtz')
    tiny = [(a, b) for a, b, _ in k.TINY3]
    test('subnormals where MODE keeps them', 0x3800, tiny)
    test('subnormals where MODE flushes them', 0x3800, tiny, 'fp64_denorm=flush')
    test('what overflows becomes the largest number', 0x7b00, pairs[:5], 'fp16_ovfl=1')
    test('lanes that are off keep their value', 0x4248, pairs[:3], ins='exec = 5', off=(1,))
    casetext.write(folder / 'vop2' / (op + '.case'), out.text())


# ---- packed ----

PACKED = {}
for n in ('add', 'mul', 'min', 'max', 'fma'):
    PACKED['v_pk_%s_f16' % n] = (k.frule(n), 3 if n == 'fma' else 2, 'f')
for n in ('mad_i16', 'mad_u16', 'mul_lo_u16', 'add_i16', 'sub_i16', 'add_u16', 'sub_u16', 'lshlrev_b16', 'lshrrev_b16', 'ashrrev_i16', 'max_i16', 'min_i16', 'max_u16', 'min_u16'):
    PACKED['v_pk_' + n] = (c.INTEGER[n], 3 if 'mad' in n else 2, 'i' if n.endswith('i16') else 'u')
SATURATES = ('mad', 'add', 'sub')
# Constants as packed operands have 32 bits: integers their sign, floats are f32 to integers, and to floats f16 with zeros above.
CONSTANTS = {False: {'1.0': 0x3f800000, '0.15915494': 0x3e22f983, '-3': 0xfffffffd}, True: {'-2.0': 0xc000, '0.15915494': 0x3118, '-3': 0xfffffffd}}


def write_packed(folder, name):
    rule, count, kind = PACKED[name]
    is_float = kind == 'f'
    saturates = not is_float and name.split('_')[2] in SATURATES
    text = name.split("_")[2]
    out = k.File(['%s of both 16-bit halves of the registers, each by itself%s.' % (text, '; clamp saturates' if saturates else ''),
                  'Vega ISA, chapters 6 and 12 (VOP3P). Expectations: scripts/calc/calc_f16_more.py.'])
    pool = {2: k.F2, 3: k.F3}[count] if is_float else k.SHIFT if 'shl' in name or 'shr' in name else {2: k.U2, 3: k.U3}[count]

    def one(m, bits, clamp=False):
        if not is_float:
            return [rule(clamp, *bits)]
        return unique(c.clamp(m, x) if clamp else x for x in rule(m, *bits))

    def both(lows, highs): return unique(ANY if ANY in (x, y) else x | y << 16 for x in lows for y in highs)

    def test(title, tail='', sel=0, sel_hi=7, neg_lo=0, neg_hi=0, rows=None, mode=None, clamp=False, args=None, ins=None, off=(), errata=None, dest='v0', const=None):
        m, lines = k.mode_of(mode), []
        rows = rows or [tuple(x | y << 16 for x, y in zip(a, b)) for a, b in zip(pool, pool[3:] + pool[:3])]
        for i, regs in enumerate(rows):
            def half(which, neg):
                return tuple((r >> 16 if which >> n & 1 else r) & 0xffff ^ (0x8000 if neg >> n & 1 else 0) for n, r in enumerate(regs))
            r = both(one(m, half(sel, neg_lo), clamp), one(m, half(sel_hi, neg_hi), clamp))
            words = [k.hexes(8)(x) for n, x in enumerate(regs) if n != const]
            lines.append(words + ['|', 'same' if i in off else k.alternatives(r, k.hexes(8))])
        regs = ['v%d' % (n + 1) for n in range(count)]
        code = '%s %s, %s %s' % (name, dest, ', '.join(args or regs), tail)
        cols = [r for n, r in enumerate(regs) if n != const] + ['|', dest]
        lines = [r for r in lines if r[-1] != '?'] if is_float and mode else lines
        out.test(title, code.rstrip(), cols, lines, mode=mode, ins=ins, errata=errata)
    test('values')
    bits = ['[%s]' % ','.join(str(v >> n & 1) for n in range(count)) for v in range(8)]
    short = [tuple(x | y << 16 for x, y in zip(a, b)) for a, b in zip(pool[:5], pool[4:9])]
    for v in (1, 2, 3, 4)[:2 + count - 1 if count == 3 else 3]:
        test('op_sel ' + bits[v][1:-1].replace(',', ' '), 'op_sel:' + bits[v], sel=v, rows=short, errata='PK-C01' if v == 1 else None)
    for v in ((0, 1, 2, 3) if count == 2 else (0, 3, 5, 6)):
        test('op_sel_hi ' + bits[v][1:-1].replace(',', ' '), 'op_sel_hi:' + bits[v], sel_hi=v, rows=short, errata='PK-C01' if v == 1 else None)
    if count == 2:
        test('halves exchanged', 'op_sel:[1,1] op_sel_hi:[0,0]', sel=3, sel_hi=0, rows=short)
    if is_float:
        for v in (1, 2, 4)[:count]:
            test('neg_lo ' + bits[v][1:-1].replace(',', ' '), 'neg_lo:' + bits[v], neg_lo=v, rows=short)
            test('neg_hi ' + bits[v][1:-1].replace(',', ' '), 'neg_hi:' + bits[v], neg_hi=v, rows=short)
        test('selected, then negated', 'op_sel:%s op_sel_hi:%s neg_lo:%s neg_hi:%s' % (bits[1], bits[2], bits[2], bits[1]), sel=1, sel_hi=2, neg_lo=2, neg_hi=1, rows=short)
        test('clamp to 0 and 1', 'clamp', clamp=True)
        nan = [tuple(x | y << 16 for x, y in zip((0x7e2a, 0x3c00, 0x3800)[:count], (0x3c00, 0x3800, 0x3400)[:count])), (0x3c003c00,) * count]
        test('clamp keeps a NaN without dx10_clamp', 'clamp', clamp=True, mode='dx10_clamp=0', rows=nan)
        near = k.NEAR if count == 2 else k.NEAR3
        near = [tuple(x | y << 16 for x, y in zip(a, b)) for a, b in zip(near, near[2:] + near[:2])]
        if 'min' not in name and 'max' not in name:
            test('round to nearest even', rows=near)
            for w in k.ROUND:
                test(k.TITLES[w], rows=near, mode=w)
            large = [(0x7bff7bff, 0x7bfffbff, 0x3c00bc00)[:count], (0xfbff7bff, 0xfbff7bff, 0x40003c00)[:count], (0x7c007bff, 0x3c007bff, 0x7bff0000)[:count]]
            test('what overflows becomes the largest number', mode='fp16_ovfl=1', rows=large)
        tiny = k.TINY if count == 2 else k.TINY3
        tiny = [tuple(x | y << 16 for x, y in zip(a, b)) for a, b in zip(tiny, tiny[2:] + tiny[:2])]
        test('subnormals where MODE keeps them', rows=tiny)
        for w in ('fp64_denorm=flush', 'fp64_denorm=keep_in', 'fp64_denorm=keep_out'):
            test(k.TITLES[w], rows=tiny, mode=w)
        test('the rounding and the subnormals of f32 do not matter', rows=near[:4] + tiny[:4], mode='fp32_round=rtz')
        test('without ieee', mode='ieee=0')
        rows = [(r[0], 0xc000) + r[2:] for r in short]
        args = ['v1', '-2.0'] + (['v3'] if count == 3 else [])
        test('inline constant, read low by both', 'op_sel_hi:' + bits[5 if count == 3 else 1], sel_hi=5, args=args, const=1, rows=rows)
    else:
        if saturates:
            test('clamp saturates', 'clamp', clamp=True)
        rows = [(0xfffffffd,) + r[1:] for r in short]
        args = ['-3'] + ['v2', 'v3'][:count - 1]
        test('inline constant: its sign is in the high half', args=args, const=0, rows=rows, errata='PK-U01')
        rows = [(7,) + r[1:] for r in short]
        args = ['7'] + ['v2', 'v3'][:count - 1]
        test('inline constant: 0 in the high half', args=args, const=0, rows=rows)
        test('inline constant, read low by both', 'op_sel_hi:' + bits[6 if count == 3 else 2], sel_hi=6, args=args, const=0, rows=rows)
    for n in range(count):  # each constant in each source, its halves picked in all four ways
        for text, value in CONSTANTS[is_float].items():
            code, lines = [], [[k.hexes(8)(x) for i, x in enumerate(r) if i != n] + ['|'] for r in short[:3]]
            for sel, sel_hi in ((0, 1), (0, 0), (1, 1), (1, 0)):
                words = ' op_sel:' + bits[sel << n] if sel else ''
                words += '' if sel_hi else ' op_sel_hi:' + bits[2 ** count - 1 & ~(1 << n)]
                code.append('%s v%d, %s%s' % (name, 4 + len(code), ', '.join(text if i == n else 'v%d' % (i + 1) for i in range(count)), words))
                for line, r in zip(lines, short):
                    regs = [value if i == n else x for i, x in enumerate(r)]
                    low = [x >> 16 * (sel if i == n else 0) & 0xffff for i, x in enumerate(regs)]
                    high = [x >> 16 * (sel_hi if i == n else 1) & 0xffff for i, x in enumerate(regs)]
                    line.append(k.alternatives(both(one(Mode(), low), one(Mode(), high)), k.hexes(8)))
            cols = ['v%d' % (i + 1) for i in range(count) if i != n] + ['|', 'v4', 'v5', 'v6', 'v7']
            out.test('halves of the constant %s as source %d' % (text, n), '\n'.join(code), cols, lines, errata='PK-U01')
    sgpr = [tuple(x | y << 16 for x, y in zip(pool[1], pool[2]))]
    m = Mode()
    r = both(one(m, tuple(x & 0xffff for x in sgpr[0])), one(m, tuple(x >> 16 for x in sgpr[0])))
    out.lines += ['', 'test a scalar register', 'in s5 = 0x%08x  ' % sgpr[0][0] + '  '.join('v%d = 0x%08x' % (n + 1, x) for n, x in enumerate(sgpr[0]) if n), 'code',
                  '    %s v0, s5, %s' % (name, ', '.join(['v2', 'v3'][:count - 1])), 'case both halves', 'out v0 = %s' % k.alternatives(r, k.hexes(8))]
    test('lanes that are off keep their value', rows=short[:4], ins='exec = 9', off=(1, 2))
    test('destination is the first source', rows=short, dest='v1')
    casetext.write(folder / 'vop3p' / (name + '.case'), out.text())


# ---- mixed precision ----

HALVES = [(0x3c00, 0x4000, 0x4200), (0x3e00, 0xc400, 0x4500), (0xc200, 0xc500, 0xcb80), (0x3c01, 0x3c01, 0xbc02), (0x5640, 0x5a48, 0xd000), (0, 0xc000, 0x3800),
          (0x7c00, 0xc000, 0x3c00), (0x7c00, 0, 0x3c00), (0xfc00, 0x3c00, 0x7c00), (0x7e2a, 0x3c00, 0x3c00), (0x3c00, 0x3c00, 0x7c05), (0x3555, 0x3333, 0x2e66)]
SINGLES = [(0x3f800000, 0x40000000, 0x40400000), (0x3fc00000, 0xc0800000, 0x40a00000), (0x3f800001, 0x3f800001, 0xbf800002), (0x3f800001, 0x3f7ffffe, 0xbf800000),
           (0x3eaaaaab, 0x3e99999a, 0x3dcccccd), (0x42c80000, 0x43490000, 0xc2000000), (0x7f800000, 0x3f800000, 0xff800000), (0x7fc12345, 0x3f800000, 0x3f800000),
           (0x7f7fffff, 0x40000000, 0xff7fffff), (0x00800000, 0x3f000000, 0x3f800000), (0x00000001, 0x7f000000, 0x3f800000), (0x3f800000, 0x3f800000, 0x33800000)]
EXACTLY = [(0x3f801000, 0x3f800000, 0x33000000), (0x3f801000, 0x3f800000, 0xb3000000), (0x3f803000, 0x3f800000, 0x33000000), (0x477fe000, 0x3f800000, 0x41800000),
           (0x477fe000, 0x3f800000, 0x417fffff), (0x38800000, 0x3f000000, 0x33000000), (0x387fe000, 0x3f800000, 0x33000001), (0x3f801fff, 0x3f800001, 0x00000000),
           (0xbf801000, 0x3f800000, 0xb3000000), (0x33800000, 0x3f800000, 0x00000000), (0x387fc000, 0x3f800000, 0), (0x3f802000, 0x3f800800, 0)]

# Constants as operands that are no halves: inline floats are f32.
MIX_CONSTANTS = {'1.0': 0x3f800000, '-2.0': 0xc0000000, '0.15915494': 0x3e22f983, '-3': 0xfffffffd}


def write_mix(folder, name):
    fused = name.startswith('v_fma')
    where = 'f32' if name.endswith('f32') else 'high' if 'mixhi' in name else 'low'
    out = k.File(['S0 * S1 + S2 in f32, %s; sources are f32 or halves%s.' % ('rounded once' if fused else 'rounded after the product and after the sum, subnormals flushed',
                  '' if where == 'f32' else '; the result is an f16 in the %s half, the other one stays' % where),
                  'Vega ISA, chapter 12 (VOP3P). Expectations: scripts/calc/calc_f16_more.py.'])

    def test(title, kinds='sss', highs='lll', regs=None, neg='', mag='', mode=None, clamp=False, ins=None, off=(), errata=None, const=(None, '', 0)):
        m, lines = k.mode_of(mode), []
        place, constant, bits = const  # the source that is a constant, its text and what it stands for
        sel = [int(h == 'h') for h in highs]
        sel_hi = [int(t == 'h') for t in kinds]
        for i, b in enumerate(regs):
            words, sources = [], []
            for n, x in enumerate(bits if i == place else x for i, x in enumerate(b)):
                if kinds[n] == 'h':
                    word = x << 16 | 0x7d01 + n if sel[n] else x | 0x4a030000 + (n << 20)
                    x = x & 0x7fff if str(n) in mag else x
                    x = x ^ 0x8000 if str(n) in neg else x
                else:
                    word = x
                    x = x & 0x7fffffff if str(n) in mag else x
                    x = x ^ 0x80000000 if str(n) in neg else x
                words += [k.hexes(8)(word)] if n != place else []
                sources.append((x, kinds[n] == 'h'))
            old = k.OLD[i % 6] | 0x2222
            if where == 'f32':
                r = c.mix32(m, fused, *sources)
                if clamp:
                    r = [x if x == ANY else (0 if m.dx10 else x) if S.is_nan(x) else 0 if x >> 31 else min(x, 0x3f800000) for x in r]
            else:
                r = c.mix16(m, fused, *sources)
                r = unique(c.clamp(m, x) for x in r) if clamp else r
                r = [x if x == ANY else (old & 0xffff | x << 16 if where == 'high' else old & 0xffff0000 | x) for x in r]
            lines.append(([k.hexes(8)(old)] if where != 'f32' else []) + words + ['|', 'same' if i in off else k.alternatives(r, k.hexes(8))])
        args = []
        for n in range(3):
            a = constant if n == place else 'v%d' % (n + 1)
            a = '|%s|' % a if str(n) in mag else a
            args.append('-' + a if str(n) in neg else a)
        tail = ('op_sel:[%d,%d,%d] ' % tuple(sel) if any(sel) else '') + ('op_sel_hi:[%d,%d,%d] ' % tuple(sel_hi) if any(sel_hi) else '') + ('clamp' if clamp else '')
        cols = (['v0'] if where != 'f32' else []) + ['v%d' % (n + 1) for n in range(3) if n != place] + ['|', 'v0']
        lines = [r for r in lines if r[-1] != '?']
        out.test(title, ('%s v0, %s %s' % (name, ', '.join(args), tail)).rstrip(), cols, lines, mode=mode, ins=ins, errata=errata)
    test('f32 sources', regs=SINGLES, errata='VALU-C31')
    test('low halves', 'hhh', regs=HALVES, errata='PK-C04')
    test('high halves', 'hhh', 'hhh', regs=HALVES)
    for n in range(3):
        kinds = ''.join('h' if i == n else 's' for i in range(3))
        highs = ''.join('h' if i == n else 'l' for i in range(3))
        mixed = [tuple(h if i == n else s for i, (h, s) in enumerate(zip(a, b))) for a, b in zip(HALVES, SINGLES)][:6]
        test('source %d is a low half' % (n + 1), kinds, regs=mixed)
        test('source %d is a high half' % (n + 1), kinds, highs, regs=mixed)
    for n in range(3):
        test('source %d negated' % (n + 1), regs=SINGLES[:5], neg=str(n))
        test('magnitude of source %d' % (n + 1), regs=[tuple(x ^ 0x80000000 for x in b) for b in SINGLES[:5]], mag=str(n), errata='PK-C02' if n == 0 else None)
        test('halves, source %d below zero' % (n + 1), 'hhh', 'lhl', regs=HALVES[:5], neg=str(n), mag=str(n))
    for n in range(3):
        for text, bits in MIX_CONSTANTS.items():
            test('the constant %s as source %d' % (text, n + 1), regs=SINGLES[:5], const=(n, text, bits), errata='PK-U10' if '.' in text else None)
    test('clamp to 0 and 1', regs=SINGLES, clamp=True)
    test('clamp keeps a NaN without dx10_clamp', regs=SINGLES[6:8], clamp=True, mode='dx10_clamp=0')
    modes = ('fp32_round=rtp', 'fp32_round=rtn', 'fp32_round=rtz')
    for w in modes:
        test('f32 ' + k.TITLES['fp64' + w[4:]], regs=SINGLES[2:6] + EXACTLY, mode=w)
    for w in k.ROUND:
        test('f16 ' + k.TITLES[w], regs=SINGLES[2:6] + EXACTLY, mode=w)
    test('round to nearest even', regs=SINGLES[2:6] + EXACTLY)
    test('subnormals of f32 where MODE flushes them', regs=SINGLES[8:] + EXACTLY[-4:], mode='fp32_denorm=flush')
    tiny = [(1, 0x3c00, 0), (0x83ff, 0x4000, 0), (0x3c00, 0x3c00, 0x0200), (0x3c00, 0x0400, 0x8001), (0x1400, 0x1000, 0), (0x2400, 0x1800, 0)]
    test('subnormal halves', 'hhh', regs=tiny)
    test('subnormal halves where MODE flushes them', 'hhh', regs=tiny, mode='fp64_denorm=flush')
    if where != 'f32':
        test('subnormal results where MODE flushes them', regs=EXACTLY[5:7] + EXACTLY[9:11], mode='fp64_denorm=flush')
        if where == 'high':
            lines = [[k.hexes(8)(old)] + [k.hexes(8)(x) for x in b] + ['|', k.alternatives([old & 0xffff | x << 16 for x in c.mix16(Mode(), fused, *[(x, False) for x in b])], k.hexes(8))]
                     for old, b in zip((0x11111111, 0x22222222, 0x33333333), SINGLES)]
            out.test('each lane keeps its own low half', '%s v0, v1, v2, v3' % name, ['v0', 'v1', 'v2', 'v3', '|', 'v0'], lines)
        test('what overflows becomes the largest number', regs=[(0x477fe000, 0x40000000, 0), (0xc77fe000, 0x40000000, 0), (0x7f800000, 0x3f800000, 0)], mode='fp16_ovfl=1')
    test('lanes that are off keep their value', regs=SINGLES[:3], ins='exec = 5', off=(1,))
    casetext.write(folder / 'vop3p' / (name + '.case'), out.text())


def write_all(folder, names):
    def wanted(n): return not names or n in names
    write_compares(folder, wanted)
    for n in ('sin', 'cos'):
        if wanted('v_%s_f16' % n):
            write_turns(folder, n)
    for n in ('madmk', 'madak'):
        if wanted('v_%s_f16' % n):
            write_literal(folder, n)
    (folder / 'vop3p').mkdir(exist_ok=True)
    for n in PACKED:
        if wanted(n):
            write_packed(folder, n)
    for n in ('mad', 'fma'):
        for t in ('mix_f32', 'mixlo_f16', 'mixhi_f16'):
            if wanted('v_%s_%s' % (n, t)):
                write_mix(folder, 'v_%s_%s' % (n, t))
