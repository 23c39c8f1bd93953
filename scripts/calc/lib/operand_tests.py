"""Tests of operands that overlap or are equal, for the files of vector opcodes.

A destination that overlaps a source by one register must not be written before all of the source is read: rows of the
file's own first table, with other registers. The same rows with a destination that is a source, and with a literal. The same rows with sources in scalar registers, compares with results in
other pairs than VCC. Three equal operands, or two, are no special case of a median, minimum or
maximum of three: worked out here.
"""
import re
import struct

import compare_tests

M32 = (1 << 32) - 1

OVERLAPS = 'the destination %s register of the %s source'
WHERE = ('begins in the last', 'ends in the first')
ORDER = ('first', 'second', 'third')
EQUAL = 'equal operands'
SAME, LITERAL = 'the destination is each source', 'a literal from the table as the first source'
SCALAR, SCALARS = 'each source in a scalar register', {1: ('vcc_hi', 'm0', 's101'), 2: ('vcc', 's[0:1]', 's[100:101]')}
PAIR, PAIRS = 'results in the lowest and the highest pair', ['s[0:1]', 's[100:101]']
TITLES = [OVERLAPS % (where, which) for which in ORDER for where in WHERE] + [EQUAL, SCALAR, PAIR, SAME, LITERAL] + compare_tests.TITLES
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


class Row(list):
    """The cells of a line of a table; `rests`: an id of the ledger follows."""

    def __init__(self, line):
        cells, _, ids = line.split('#')[0].partition('  errata ')
        super().__init__(cells.split())
        self.rests = bool(ids)


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
            got = [r for r in map(Row, rows[2].splitlines()) if len(r) == len(head)]
            self.rows = [r for r in got if not r.rests]
            self.closed = set(head) <= set(operands) | {'|'}  # no columns but operands
            self.picked = [got[round(k * (len(got) - 1) / (ROWS - 1))] for k in range(ROWS)] if len(got) > ROWS else got
            self.operands, self.head, self.bar = operands, head, head.index('|')
            self.errata = re.findall(r'(?m)^errata .*', test)
            self.short = bool(re.search(r'(?m)^forms .*e32', test))
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


def lines_of(name, parts):
    """The operands of each line of the file's tests with this opcode, as it is or in e32 or e64."""
    for test in parts:
        code = re.search(r'(?m)^code\n((?:[ \t]+.*\n)+)', test)
        for line in code[1].splitlines() if code else []:
            word, _, rest = line.split('#')[0].strip().partition(' ')
            if word in (name, name + '_e32', name + '_e64'):
                yield [w.strip() for w in rest.split(',')]


def has_same(name, parts):
    return any(words[0] in words[1:] for words in lines_of(name, parts))


def has_literal(name, parts):
    return any(re.fullmatch(r'0x[0-9a-f]{3,8}', w) for words in lines_of(name, parts) for w in words)


def same(name, p, parts):
    """The destination is a source of its size: one that is written before it is read is a difference. With a carry, which
    the next instruction would read, the first source alone."""
    fits = [i for i in p.sources[:3] if wide(p.operands[i]) == wide(p.operands[0]) == 1]
    if not all(wide(w) for w in p.operands):
        fits = fits[:1]
    if not fits or not p.closed or has_same(name, parts):
        return []
    code, head, results, columns = [], p.head[:p.bar], [], list(range(p.bar))
    at = p.head.index(p.operands[0])
    for i in fits:
        d = f'v{30 + 4 * fits.index(i)}'
        code.append(f"    {name} {', '.join([d] + [d if k == i else w for k, w in enumerate(p.operands) if k])}")
        head, results = head + [d], results + [d]
        columns.append(p.head.index(p.operands[i]))
    used = [w for w in p.operands if len(fits) > 1 or w != p.operands[fits[0]]]  # a column that no instruction reads says nothing
    keep = [c for c in range(len(head)) if c >= p.bar or head[c] in used]
    ends = [c for c in range(p.bar + 1, len(p.head)) if c != at]
    rows = [[[r[c] for c in columns][c] for c in keep] + ['|'] + [r[at]] * len(results) + [r[c] for c in ends] for r in p.rows[::max(1, len(p.rows) // ROWS)][:ROWS]]
    return ['', 'test ' + SAME] + p.errata + ['code'] + code + table([head[c] for c in keep] + ['|'] + results + [p.head[c] for c in ends], rows)


FLOATS = {'f16': ('<e', '<H', 16), 'f32': ('<f', '<I', 32), 'f64': ('<d', '<Q', 64)}


def literal_of(value, size):
    """The dword that a value of a table is as a literal of an operand of `size` registers; None if it is none, or has a code of its own."""
    m = re.fullmatch(r'(-?(?:0x[0-9a-f.]+p[+-]?\d+|\d+\.\d+))(f16|f32|f64)', value)
    if m:
        real, (pack, unpack, width) = float.fromhex(m[1]) if '0x' in m[1] else float(m[1]), FLOATS[m[2]]
        bits = struct.unpack(unpack, struct.pack(pack, real))[0]
        if abs(real) in (0, 0.5, 1, 2, 4) or width == 64 and bits & M32:
            return None
        return bits >> 32 if width == 64 else bits
    if not re.fullmatch(r'-?\d+|0x[0-9a-f]{1,8}', value) or size > 1:
        return None
    bits = int(value, 0) & M32
    halves = [bits, bits - (1 << 32), struct.unpack('<f', struct.pack('<I', bits))[0], struct.unpack('<e', struct.pack('<H', bits & 0xffff))[0]]
    small = any(-16 <= v <= 64 and v == int(v) for v in halves[:2])
    return None if small or any(abs(v) in (0, 0.5, 1, 2, 4) for v in halves[2:]) else bits


def literals(name, p, parts):
    """Rows of the table with the first source as a literal. Where it is the only one: two values with different results, so
    that no other dword in their place gives both. Else the value with most results."""
    if not p.short or not p.closed or not p.sources or p.sources[0] != 1 or has_literal(name, parts):
        return []
    if 'vcc' in p.head[:p.bar]:  # and a literal are one scalar too many
        return []
    at, size = p.head.index(p.operands[1]), wide(p.operands[1])
    values = {}
    for r in p.rows:
        if literal_of(r[at], size) is not None:
            values.setdefault(r[at], []).append(r)
    if not values:
        return []
    result, head = p.head.index(p.operands[0], p.bar), [w for c, w in enumerate(p.head) if c != at]
    values = sorted(values.items(), key=lambda v: -len({r[result] for r in v[1]}))
    title, first = ['', 'test ' + LITERAL] + p.errata + ['code'], values[0][0]
    if at + 1 < p.bar or p.bar > 1:
        words = [p.operands[0], '0x%x' % literal_of(first, size)] + p.operands[2:]
        return title + [f"    {name} {', '.join(words)}"] + table(head, [[w for c, w in enumerate(r) if c != at] for r in values[0][1][:ROWS]])
    chosen = [values[0][1][0]] + [v[1][0] for v in values if v[1][0][result] != values[0][1][0][result]][-1:]
    places = [register(30 + 4 * n, wide(p.operands[0])) for n in range(len(chosen))]
    return title + [f'    {name} {d}, 0x{literal_of(r[at], size):x}' for d, r in zip(places, chosen)] + \
        ['out   ' + '  '.join(f'{d} = {r[result]}' for d, r in zip(places, chosen))]


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


def operands(name, parts, tagged):
    """The tests that the file of an opcode gets, as text; `parts` are its tests, `tagged` those with the ids of the ledger."""
    out, p, sure = equal(name), Plain(name, parts, vcc=True), Plain(name, tagged, vcc=True)
    if p.found and p.operands[0] == 'vcc':
        out += pairs(name, p)
    elif p.found:
        out += scalars(name, p) + ([] if name in APART else overlaps(name, p) + same(name, sure, parts)) + literals(name, sure, parts)
    out += compare_tests.tests_of(name, table)
    return '\n'.join(out) + '\n' if out else ''
