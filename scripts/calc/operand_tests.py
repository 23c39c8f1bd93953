"""Tests of operands that overlap or are equal, for the files of vector opcodes.

A destination that overlaps a source by one register must not be written before all of the source is read: rows of the
file's own first table, with other registers. Three equal operands, or two, are no special case of a median, minimum or
maximum of three: worked out here.
"""
import re
import struct

OVERLAPS = 'the destination %s register of the %s source'
WHERE = ('begins in the last', 'ends in the first')
ORDER = ('first', 'second', 'third')
EQUAL = 'equal operands'
TITLES = [OVERLAPS % (where, which) for which in ORDER for where in WHERE] + [EQUAL]
# Compilers keep these destinations apart from the sources: nobody says what an overlap gives.
APART = ('v_qsad_pk_u16_u8', 'v_mqsad_pk_u16_u8', 'v_mqsad_u32_u8')
ROWS = 5


def table(head, rows):
    width = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    lines = ['  '.join(w.ljust(n) for w, n in zip(r, width)).rstrip() for r in [head] + rows]
    return ['rows  ' + lines[0]] + ['      ' + line for line in lines[1:]]


def wide(register):
    m = re.fullmatch(r'v\[(\d+):(\d+)\]', register)
    return int(m[2]) - int(m[1]) + 1 if m else 1 if re.fullmatch(r'v\d+', register) else 0


def register(first, n):
    return f'v{first}' if n == 1 else f'v[{first}:{first + n - 1}]'


def overlaps(name, parts):
    for test in parts:
        code = re.search(r'(?m)^code\n((?:[ \t]+.*\n)+)', test)
        rows = re.search(r'(?m)^rows (.*)\n((?: .*\n?)+)', test)
        if not code or not rows or re.search(r'(?m)^(mode|in|targets)\b', test):
            continue
        lines = [line.split('#')[0].strip() for line in code[1].splitlines()]
        word, _, rest = lines[0].partition(' ')
        operands = [w.strip() for w in rest.split(',')]
        head = rows[1].split('#')[0].split()
        got = [line.split('#')[0].split() for line in rows[2].splitlines()]
        got = [r for r in got if len(r) == len(head)]
        sources = [i for i, w in enumerate(operands) if i and wide(w)]
        if len(lines) > 1 or word != name or '|' not in head or operands[0] not in head[head.index('|'):] or operands[0] in head[:head.index('|')]:
            continue
        if len(set(operands)) < len(operands) or not all(operands[i] in head[:head.index('|')] for i in sources) or not wide(operands[0]):
            continue
        picked = [got[round(k * (len(got) - 1) / (ROWS - 1))] for k in range(ROWS)] if len(got) > ROWS else got
        out = []
        for n, i in enumerate(sources):
            d, s = wide(operands[0]), wide(operands[i])
            if max(d, s) < 2 or n >= len(ORDER):
                continue
            for where, at in zip(WHERE, (20 + s - 1, 20 - d + 1)):
                new = {w: register(40 + 4 * k, wide(w)) for k, w in enumerate(operands) if wide(w)}
                new[operands[i]], new[operands[0]] = register(20, s), register(at, d)
                out += ['', 'test ' + OVERLAPS % (where, ORDER[n])] + re.findall(r'(?m)^errata .*', test)
                out += ['code', f"    {name} {', '.join(new.get(w, w) for w in operands)}"] + table([new.get(h, h) for h in head], picked)
        return out
    return []


def pattern(v, kind):
    if kind == 'f32':
        return struct.unpack('<I', struct.pack('<f', v))[0]
    if kind == 'f16':
        return struct.unpack('<H', struct.pack('<e', v))[0]
    return v & (1 << int(kind[1:])) - 1


def equal(name):
    m = re.fullmatch(r'v_(med3|min3|max3)_([fiu])(16|32)', name)
    if not m:
        return []
    take = {'med3': 1, 'min3': 0, 'max3': 2}[m[1]]
    low, high = {'f': (-1.5, 2.5), 'i': (-3, 7), 'u': (3, 1 << int(m[3]) - 1)}[m[2]]
    kind, rows = m[2] + m[3], []
    for a, b in ((low, high), (high, low)):
        for three in ((a, a, b), (a, b, a), (b, a, a), (a, a, a)):
            rows.append([f'0x{pattern(v, kind):08x}' for v in three] + ['|', f'0x{pattern(sorted(three)[take], kind):08x}'])
    start = ['in    v0 = 0'] if m[3] == '16' else []
    return ['', 'test ' + EQUAL] + start + ['code', f'    {name} v0, v1, v2, v3'] + table(['v1', 'v2', 'v3', '|', 'v0'], rows)


def operands(name, parts):
    """The tests that the file of an opcode gets, as text; `parts` are its tests."""
    out = ([] if name in APART else overlaps(name, parts)) + equal(name)
    return '\n'.join(out) + '\n' if out else ''
