"""Tests of operands that overlap or are equal, for the files of vector opcodes.

A destination that overlaps a source by one register must not be written before all of the source is read: rows of the
file's own first table, with other registers. The same rows with sources in scalar registers, compares with results in
other pairs than VCC. Three equal operands, or two, are no special case of a median, minimum or
maximum of three: worked out here.
"""
import re
import struct

import compare_tests

OVERLAPS = 'the destination %s register of the %s source'
WHERE = ('begins in the last', 'ends in the first')
ORDER = ('first', 'second', 'third')
EQUAL = 'equal operands'
SCALAR, SCALARS = 'each source in a scalar register', {1: ('vcc_hi', 'm0', 's101'), 2: ('vcc', 's[0:1]', 's[100:101]')}
PAIR, PAIRS = 'results in the lowest and the highest pair', ['s[0:1]', 's[100:101]']
TITLES = [OVERLAPS % (where, which) for which in ORDER for where in WHERE] + [EQUAL, SCALAR, PAIR] + compare_tests.TITLES
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


class Plain:
    """The first table of a file with one instruction on vector registers, each operand a column."""

    def __init__(self, name, parts, vcc=False):
        self.found = False
        for test in parts:
            code = re.search(r'(?m)^code\n((?:[ \t]+.*\n)+)', test)
            rows = re.search(r'(?m)^rows (.*)\n((?: .*\n?)+)', test)
            if not code or not rows or re.search(r'(?m)^(mode|in|targets)\b', test):
                continue
            lines = [line.split('#')[0].strip() for line in code[1].splitlines()]
            word, _, rest = lines[0].partition(' ')
            operands = [w.strip() for w in rest.split(',')]
            head = rows[1].split('#')[0].split()
            if len(lines) > 1 or word != name or '|' not in head or len(set(operands)) < len(operands):
                continue
            given, results = head[:head.index('|')], head[head.index('|') + 1:]
            self.sources = [i for i, w in enumerate(operands) if i and wide(w)]
            if operands[0] not in results or operands[0] in given or not all(operands[i] in given for i in self.sources):
                continue
            if not wide(operands[0]) and not (vcc and operands[0] == 'vcc'):
                continue
            got = [r for r in (line.split('#')[0].split() for line in rows[2].splitlines()) if len(r) == len(head)]
            self.picked = [got[round(k * (len(got) - 1) / (ROWS - 1))] for k in range(ROWS)] if len(got) > ROWS else got
            self.operands, self.head, self.bar = operands, head, head.index('|')
            self.errata = re.findall(r'(?m)^errata .*', test)
            self.long = bool(re.search(r'(?m)^forms .*e64', test))
            self.found = True
            return


def overlaps(name, p):
    out = []
    for n, i in enumerate(p.sources):
        d, s = wide(p.operands[0]), wide(p.operands[i])
        if max(d, s) < 2 or n >= len(ORDER):
            continue
        for where, at in zip(WHERE, (20 + s - 1, 20 - d + 1)):
            new = {w: register(40 + 4 * k, wide(w)) for k, w in enumerate(p.operands) if wide(w)}
            new[p.operands[i]], new[p.operands[0]] = register(20, s), register(at, d)
            out += ['', 'test ' + OVERLAPS % (where, ORDER[n])] + p.errata
            out += ['code', f"    {name} {', '.join(new.get(w, w) for w in p.operands)}"] + table([new.get(h, h) for h in p.head], p.picked)
    return out


def scalars(name, p):
    """Each source in a scalar register of its own, the others as they are; the results differ in nothing."""
    if not all(wide(w) for w in p.operands) or 'vcc' in p.head or 'exec' in p.head or not set(p.head) <= set(p.operands) | {'|'} or any(wide(p.operands[i]) > 2 for i in p.sources):
        return []
    code, head, results, columns = [], p.head[:p.bar], [], list(range(p.bar))
    for n, i in enumerate(p.sources):
        place = SCALARS[wide(p.operands[i])][n]
        d = register(30 + 4 * n, wide(p.operands[0]))
        words = [d] + [place if k == i else w for k, w in enumerate(p.operands) if k]
        code.append(f"    {name}{'_e64' if p.long else ''} {', '.join(words)}")
        head, results = head + [place], results + [d]
        columns.append(p.head.index(p.operands[i]))
    at = p.head.index(p.operands[0])
    numbers = all(wide(p.operands[i]) == 2 for i in p.sources)  # with pairs alone, a row would be a lane, and they its bits
    more = ['scc'] if numbers else []
    rows = [[r[c] for c in columns] + ['0' for _ in more] + ['|'] + [r[at]] * len(results) for r in p.picked]
    head += more
    return ['', 'test ' + SCALAR, *['# With scc among the columns a row is a run, and a pair is a number.'] * numbers] + p.errata + ['code'] + code + table(head + ['|'] + results, rows)


def pairs(name, p):
    """The result of a compare in the lowest and in the highest pair."""
    ends = [w for w in p.head[p.bar + 1:] if w != 'vcc']
    code = [f"    {name}_e64 {d}, {', '.join(p.operands[1:])}" for d in PAIRS]
    at = p.head.index('vcc', p.bar)
    rows = [r[:p.bar] + ['|'] + [r[at]] * 2 + [r[p.head.index(w, p.bar)] for w in ends] for r in p.picked]
    return ['', 'test ' + PAIR] + p.errata + ['code'] + code + table(p.head[:p.bar + 1] + PAIRS + ends, rows)


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
    out, p = equal(name), Plain(name, parts, vcc=True)
    if p.found and p.operands[0] == 'vcc':
        out += pairs(name, p)
    elif p.found:
        out += scalars(name, p) + ([] if name in APART else overlaps(name, p))
    out += compare_tests.tests_of(name, table)
    return '\n'.join(out) + '\n' if out else ''
