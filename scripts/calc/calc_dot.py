#!/usr/bin/env python3
"""Writes the case files of the vector opcodes that gfx906 and gfx908 added: scripts/calc/calc_dot.py cases

Integers are Python's, floats those of scripts/calc/lib/calc_f16.py."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import calc_f16 as c
import calc_f16_cases as k
import casetext
from calc_f16 import ANY, H, S, Mode, unique

X = k.hexes(8)


def elements(v, bits, is_signed):
    out = [v >> i & (1 << bits) - 1 for i in range(0, 32, bits)]
    return [e - (1 << bits) if is_signed and e >> bits - 1 else e for e in out]


def dot_int(bits, is_signed, a, b, d, clamp):
    """The exact sum; with clamp saturated once, or after the products."""
    low, high = (-2**31, 2**31 - 1) if is_signed else (0, 2**32 - 1)
    def cut(n): return min(max(n, low), high)
    products = sum(x * y for x, y in zip(elements(a, bits, is_signed), elements(b, bits, is_signed)))
    d = d - (d >> 31 << 32) if is_signed else d
    if not clamp:
        return [products + d & 2**32 - 1]
    return unique(n & 2**32 - 1 for n in (cut(products + d), cut(cut(products) + d)))


def dot_float(a, b, d):
    """Only what all orders and roundings agree on: every partial sum is exact."""
    sources = [(x & 0xffff, y & 0xffff) for x, y in ((a, b), (a >> 16, b >> 16))]
    if any(H.is_subnormal(v) for p in sources for v in p):
        return [ANY]
    wide = [tuple(c.widen(Mode(), v)[0] for v in p) for p in sources]
    if any(map(S.is_nan, (d,) + wide[0] + wide[1])):
        return [ANY]
    m = Mode(keep_in=False, keep_out=False)
    orders = [(wide[0], wide[1]), (wide[1], wide[0])]
    out = [r for p, q in orders for x in c.fma(S, m, *p, d) for r in c.fma(S, m, *q, x)]
    return [ANY] if len(set(out)) > 1 or any(map(S.is_nan, out)) else out


INT_ROWS = [(0, 0, 0), (0x00010001, 0x00020003, 5), (0xffffffff, 0x01010101, 7), (0x12345678, 0x9abcdef0, 0x1000), (0x80808080, 0x7f7f7f7f, 0), (0x80008000, 0x80007fff, 1),
            (0x7fff7fff, 0x7fff7fff, 0x7fffffff), (0xffffffff, 0xffffffff, 0xffffffff), (0x88888888, 0x88888888, 0x80000000), (0x87654321, 0x11111111, 0),
            (0x00000001, 0x00000010, 0x80000000), (0x77777777, 0x88888888, 0x80000000), (0x01000000, 0x03000000, 9), (0xf0000000, 0x70000000, 2), (0x00f00000, 0x00300000, 3),
            (0x000f0000, 0x00050000, 4), (0x80008000, 0x80008000, 0x00000001), (0x80008000, 0x80008000, 0xffffffff), (0xff00ff00, 0x00ff00ff, 0x00000100)]
FLOAT_ROWS = [(0x3c004000, 0x42004400, 0x3f800000), (0xc2003c00, 0x40004400, 0xc0a00000), (0x5640d640, 0x5a485a48, 0x42c80000), (0x38003400, 0x38003400, 0x3e800000),
              (0x00003c00, 0x4000bc00, 0), (0x80000000, 0x3c003c00, 0x80000000), (0x7c003c00, 0x3c003c00, 0x3f800000), (0x3c003c00, 0xfc003c00, 0x40000000),
              (0x7bff7bff, 0x7bff0000, 0x3f800000), (0x3c010000, 0x3c010000, 0), (0x00003c01, 0x00003c01, 0xbf800000), (0x3c003c00, 0x3c003c00, 0x00000001)]


def constants(out, name, rows, rule, floats, accumulates, halves):
    """Constants have 32 bits: integers their sign, floats are f32 to integers, and to f16 an f16 with zeros above."""
    values = {'1.0': 0x3c00, '-2.0': 0xc000, '0': 0} if floats else {'1.0': 0x3f800000, '0.15915494': 0x3e22f983, '-3': 0xfffffffd}
    usual = [r for r in rows[1:9] if rule(*r, False) != [ANY]][:3]
    regs = ['v1', 'v2'] if accumulates else ['v1', 'v2', 'v3']
    for n in range(1 if accumulates else 2):
        for text, value in values.items():
            picks = ((0, 1), (0, 0), (1, 1), (1, 0)) if halves and not accumulates else ((0, 1),)
            code, lines = [], [[X(x) for i, x in enumerate(r) if i != n] + ['|'] for r in usual]
            lines = [[r[1], r[0]] + r[2:] for r in lines] if accumulates else lines
            for sel, sel_hi in picks:
                words = ' op_sel:' + ('[1,0,0]', '[0,1,0]')[n] if sel else ''
                words += '' if sel_hi else ' op_sel_hi:' + ('[0,1,1]', '[1,0,1]')[n]
                dest = 'v0' if accumulates else 'v%d' % (4 + len(code))
                code.append('%s %s, %s%s' % (name, dest, ', '.join(text if i == n else r for i, r in enumerate(regs)), words))
                picked = (value >> 16 * sel & 0xffff) | (value >> 16 * sel_hi & 0xffff) << 16
                for line, r in zip(lines, usual):
                    line.append(k.alternatives(rule(*[picked if i == n else x for i, x in enumerate(r)], False), X))
            cols = (['v0', 'v2'] if accumulates else [r for i, r in enumerate(regs) if i != n]) + ['|']
            cols += ['v0'] if accumulates else ['v%d' % (4 + i) for i in range(len(picks))]
            out.test('the constant %s as source %d' % (text, n), '\n'.join(code), cols, lines, errata='PK-U01')
    if not accumulates:
        value = 0x40800000
        lines = [[X(a), X(b), '|', k.alternatives(rule(a, b, value, False), X)] for a, b, _ in usual]
        out.test('the constant 4.0 as the addend', '%s v0, v1, v2, 4.0' % name, ['v1', 'v2', '|', 'v0'], lines)


def write(folder, name, enc, text, rows, rule, floats, accumulates):
    out = k.File([text, 'MI100 ISA, chapter 12. Expectations: scripts/calc/calc_dot.py.'])
    third = 'v0' if accumulates else 'v3'
    cols = (['v0', 'v1', 'v2'] if accumulates else ['v1', 'v2', 'v3']) + ['|', 'v0']
    args = 'v1, v2' + ('' if accumulates else ', v3')

    def table(rows, change=lambda a, b, d: (a, b, d), clamp=False, off=()):
        lines = []
        for i, (a, b, d) in enumerate(rows):
            r = rule(*change(a, b, d), clamp)
            words = [X(d), X(a), X(b)] if accumulates else [X(a), X(b), X(d)]
            lines.append(words + ['|', 'same' if i in off else k.alternatives(r, X)])
        return lines
    forms = 'e32 e64 dpp' if accumulates else None
    out.test('products and sum', '%s v0, %s' % (name, args), cols, table(rows), forms=forms, errata='PK-U07' if accumulates else 'PK-U08')
    if not floats:
        out.test('clamp saturates', '%s v0, %s clamp' % (name + ('_e64' if accumulates else ''), args), cols, table(rows, clamp=True))
    halves = ('16' in name.split('_')[-1])
    if not accumulates and halves:
        def pick(v, lo, hi): return (v >> 16 if lo else v) & 0xffff | ((v >> 16 if hi else v) & 0xffff) << 16
        out.test('op_sel 1 0', '%s v0, %s op_sel:[1,0,0]' % (name, args), cols, table(rows[:8], lambda a, b, d: (pick(a, 1, 1), b, d)))
        out.test('op_sel 0 1', '%s v0, %s op_sel:[0,1,0]' % (name, args), cols, table(rows[:8], lambda a, b, d: (a, pick(b, 1, 1), d)))
        out.test('op_sel_hi 0 1', '%s v0, %s op_sel_hi:[0,1,1]' % (name, args), cols, table(rows[:8], lambda a, b, d: (pick(a, 0, 0), b, d)))
        out.test('op_sel_hi 1 0', '%s v0, %s op_sel_hi:[1,0,1]' % (name, args), cols, table(rows[:8], lambda a, b, d: (a, pick(b, 0, 0), d)))
    if not accumulates and floats:
        for n, (x, y) in enumerate(((0x8000, 0), (0, 0x8000))):
            bits = '[1,0,0]' if n == 0 else '[0,1,0]'
            out.test('neg_lo ' + '10 01'.split()[n], '%s v0, %s neg_lo:%s' % (name, args, bits), cols, table(rows[:6], lambda a, b, d: (a ^ x, b ^ y, d)))
            out.test('neg_hi ' + '10 01'.split()[n], '%s v0, %s neg_hi:%s' % (name, args, bits), cols, table(rows[:6], lambda a, b, d: (a ^ x << 16, b ^ y << 16, d)))
        clamped = [r[:-1] + [X(0 if int(r[-1], 16) >> 31 else min(int(r[-1], 16), 0x3f800000))] for r in table(rows) if r[-1] != '?']
        out.test('clamp to 0 and 1', '%s v0, %s clamp' % (name, args), cols, clamped)
    constants(out, name, rows, rule, floats, accumulates, halves)
    if floats:
        out.test('subnormals of f32 are flushed whatever MODE says', '%s v0, %s' % (name, args), cols,
                 table([(0, 0, 1), (0x3c003c00, 0x3c000000, 0x007fffff), (0, 0, 0x80000001)]))
    if accumulates:
        rows4 = rows[1:5]
        lines = [r[:-1] + [k.alternatives(rule(rows4[j][0], b, d, False), X)] for r, (a, b, d), j in zip(table(rows4), rows4, (1, 0, 3, 2))]
        out.test('dpp exchanges neighbours', '%s_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf' % name, cols, lines)
    out.test('lanes that are off keep their value', '%s v0, %s' % (name, args), cols, table(rows[1:4], off=(1,)), ins='exec = 5')
    if accumulates:
        value = 0x42004400 if floats else 0x12345678
        lines = [[X(d), X(b), '|', k.alternatives(rule(value, b, d, False), X)] for a, b, d in rows[1:4]]
        out.test('a literal as the first source', '%s v0, 0x%08x, v2' % (name, value), ['v0', 'v2', '|', 'v0'], [r for r in lines if r[-1] != '?'])
    casetext.write(folder / enc / (name + '.case'), out.text())


def fmac(folder):
    """v_fmac_f32: as v_fma_f32 with the destination as addend."""
    import calc_f16_more as more
    out = k.File(['D = S0 * S1 + D in f32, rounded once.', 'Vega ISA, chapter 12, V_FMA_F32; the opcode is named in chapter 13. Expectations: scripts/calc/calc_dot.py.'])
    cols = ['v0', 'v1', 'v2', '|', 'v0']

    def test(title, rows, mode=None, code='v_fmac_f32 v0, v1, v2', change=lambda a, b: (a, b), clamp=False, forms=None, ins=None, off=()):
        m, lines = k.mode_of(mode).f32(), []
        for i, (a, b, d) in enumerate(rows):
            r = c.fma(S, m, *change(a, b), d)
            if clamp:
                r = [x if x == ANY else 0 if S.is_nan(x) or x >> 31 else min(x, 0x3f800000) for x in r]
            lines.append([X(d), X(a), X(b), '|', 'same' if i in off else k.alternatives(r, X)])
        out.test(title, code, cols, [r for r in lines if r[-1] != '?'], mode=mode, forms=forms, ins=ins, errata='PK-U08' if title == 'values' else None)
    rows = more.SINGLES + more.EXACTLY[:4] + [(0x3f800001, 0x3f800001, 0x33000000), (0xbf800001, 0x3f800003, 0xb3000001)]
    test('values', rows, forms='e32 e64 dpp')
    for w in ('fp32_round=rtp', 'fp32_round=rtn', 'fp32_round=rtz'):
        test(k.TITLES['fp64' + w[4:]], rows, w)
    test('the rounding of f64 does not matter', rows[:5], 'fp64_round=rtz')
    tiny = [(1, 0x40000000, 0), (0x00800000, 0x3f000000, 0), (0x3f800000, 0x80000003, 1), (0x20000000, 0x1f800000, 0), (0x3f800000, 0x3f800000, 1), (1, 0x7f800000, 0)]
    test('subnormals where MODE keeps them', tiny)
    test('subnormals where MODE flushes them', tiny, 'fp32_denorm=flush')
    test('a sign before', rows[:6], code='v_fmac_f32_e64 v0, -v1, |v2|', change=lambda a, b: (a ^ 1 << 31, b & 0x7fffffff))
    test('clamp', rows[:8], code='v_fmac_f32_e64 v0, v1, v2 clamp', clamp=True)
    doubled = [[X(d), X(a), X(b), '|', X(r)] for d, a, b, r in ((0x40400000, 0x3f800000, 0x40000000, 0x41200000), (0x3f800000, 0xbfc00000, 0x40800000, 0xc1200000))]
    out.test('output mul by 2', 'v_fmac_f32_e64 v0, v1, v2 mul:2', cols, doubled, mode='denorm=flush ieee=0')  # 2 (3 + 1 * 2), 2 (1 - 1.5 * 4)
    test('lanes that are off keep their value', rows[:3], ins='exec = 5', off=(1,))
    lines = [[X(d), X(b), '|', k.alternatives(c.fma(S, k.mode_of(None).f32(), 0x40490fdb, b, d), X)] for _, b, d in rows[:3]]
    out.test('a literal as the first source', 'v_fmac_f32 v0, 0x40490fdb, v2', ['v0', 'v2', '|', 'v0'], lines)
    casetext.write(folder / 'vop2' / 'v_fmac_f32.case', out.text())


def xnor(folder):
    out = k.File(['Bits in which the sources agree.', 'The opcode is named in chapter 13 of the Vega ISA. Expectations: scripts/calc/calc_dot.py.'])
    rows = [(0, 0), (0xffffffff, 0), (0x12345678, 0x0f0f0f0f), (0xffffffff, 0xffffffff), (0x80000001, 0x00000001), (0xaaaaaaaa, 0xcccccccc)]
    def value(a, b): return a ^ b ^ 0xffffffff
    table = [[X(a), X(b), '|', X(value(a, b))] for a, b in rows]
    out.test('values', 'v_xnor_b32 v0, v1, v2', ['v1', 'v2', '|', 'v0'], table, forms='e32 e64 sdwa dpp', errata='PK-U08')
    out.test('inline constant', 'v_xnor_b32 v0, 7, v2', ['v2', '|', 'v0'], [[X(b), '|', X(value(7, b))] for _, b in rows])
    out.test('literal', 'v_xnor_b32 v0, 0x12345678, v2', ['v2', '|', 'v0'], [[X(b), '|', X(value(0x12345678, b))] for _, b in rows])
    out.test('sdwa', 'v_xnor_b32_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:WORD_1 src1_sel:BYTE_1', ['v1', 'v2', '|', 'v0'],
             [[X(a), X(b), '|', X(value(a >> 16, b >> 8 & 255))] for a, b in rows])
    lines = [[X(a), X(b), '|', X(value(rows[j][0], b))] for (a, b), j in zip(rows[:4], (1, 0, 3, 2))]
    out.test('dpp exchanges neighbours', 'v_xnor_b32_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf', ['v1', 'v2', '|', 'v0'], lines)
    out.test('lanes that are off keep their value', 'v_xnor_b32 v0, v1, v2', ['v1', 'v2', '|', 'v0'], [table[1], table[2][:-1] + ['same'], table[3]], ins='exec = 5')
    casetext.write(folder / 'vop2' / 'v_xnor_b32.case', out.text())


def pk_fmac(folder):
    out = k.File(['D = S0 * S1 + D in both f16 halves, rounded once.', 'Named in table 3 of the MI100 ISA. Expectations: scripts/calc/calc_dot.py.'])

    def test(title, pool, mode=None, ins=None, off=()):
        m, lines = k.mode_of(mode), []
        for i, (lo, hi) in enumerate(zip(pool, pool[2:] + pool[:2])):
            def fma(b): return c.fma(H, m, *b)
            r = unique(ANY if ANY in (x, y) else x | y << 16 for x in fma(lo) for y in fma(hi))
            a, b, d = (x | y << 16 for x, y in zip(lo, hi))
            lines.append([X(d), X(a), X(b), '|', 'same' if i in off else k.alternatives(r, X)])
        out.test(title, 'v_pk_fmac_f16 v0, v1, v2', ['v0', 'v1', 'v2', '|', 'v0'], [r for r in lines if r[-1] != '?'], mode=mode, ins=ins,
                 errata='PK-U07' if title == 'values' else None)
    test('values', k.F3)
    test('round to nearest even', k.NEAR3)
    for w in k.ROUND:
        test(k.TITLES[w], k.NEAR3, w)
    test('subnormals where MODE keeps them', k.TINY3)
    test('subnormals where MODE flushes them', k.TINY3, 'fp64_denorm=flush')
    test('the rounding of f32 does not matter', k.NEAR3[:4], 'fp32_round=rtz')
    test('lanes that are off keep their value', k.F3[:4], ins='exec = 9', off=(1, 2))
    lines = []
    for lo, hi in zip(k.F3[:5], k.F3[2:7]):
        r = unique(x | y << 16 for x in c.fma(H, Mode(), 0xc000, *lo[1:]) for y in c.fma(H, Mode(), 0, *hi[1:]))
        lines.append([X(x | y << 16) for x, y in zip(lo[:0:-1], hi[:0:-1])] + ['|', k.alternatives(r, X)])
    out.test('an inline float stands in the low half', 'v_pk_fmac_f16 v0, -2.0, v2', ['v0', 'v2', '|', 'v0'], lines, errata='PK-U01')
    lines = []
    for lo, hi in zip(k.F3[:3], k.F3[2:5]):
        r = unique(x | y << 16 for x in c.fma(H, Mode(), 0x4248, *lo[1:]) for y in c.fma(H, Mode(), 0xc500, *hi[1:]))
        lines.append([X(x | y << 16) for x, y in zip(lo[:0:-1], hi[:0:-1])] + ['|', k.alternatives(r, X)])
    out.test('a literal has both halves', 'v_pk_fmac_f16 v0, 0xc5004248, v2', ['v0', 'v2', '|', 'v0'], lines)
    casetext.write(folder / 'vop2' / 'v_pk_fmac_f16.case', out.text())


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, bits in (('dot2_%s32_%s16', 16), ('dot4_%s32_%s8', 8), ('dot8_%s32_%s4', 4)):
        for t in 'iu':
            rule = lambda a, b, d, clamp, t=t, bits=bits: dot_int(bits, t == 'i', a, b, d, clamp)
            full = 'v_' + name % (t, t)
            text = 'Sum of %d products of %d-bit integers %s sign, added to a 32-bit one; clamp saturates.' % (32 // bits, bits, 'with' if t == 'i' else 'without')
            write(folder, full, 'vop3p', text, INT_ROWS, rule, False, False)
            if t == 'i':
                write(folder, full.replace('_i32', 'c_i32', 1), 'vop2', text.replace('a 32-bit one', 'the destination'), INT_ROWS, rule, False, True)
    rule = lambda a, b, d, clamp: dot_float(a, b, d)
    write(folder, 'v_dot2_f32_f16', 'vop3p', 'Sum of two products of f16, added to an f32. Only what every order of rounding agrees on.', FLOAT_ROWS, rule, True, False)
    write(folder, 'v_dot2c_f32_f16', 'vop2', 'Sum of two products of f16, added to the destination, an f32.', FLOAT_ROWS, rule, True, True)
    fmac(folder)
    xnor(folder)
    pk_fmac(folder)


if __name__ == '__main__':
    main()
