"""Tests of SDWA modifiers, made from a file's own table of plain values.

A row of that table says what operands give. Operands that a modifier turns into those of a row must give the same: a
number that is the sign extension of a byte or half is given as that byte or half with sext, a float with the other sign
is given with neg or abs. What a select leaves of a result is cut out of the row's result.
"""
import re
import struct

INTEGER = re.compile(r'_([iu]\d+|b\d+|i4|ubyte\d)$')
NARROW = re.compile(r'_(?:cvt_norm_)?(f16|i16|u16|b16)(_|$)')
# Mnemonics whose operands their names do not tell, or that SDWA or its modifiers do not fit.
NOT = ('v_sat_pk_u8_i16', 'v_screen_partition_4se_b32', 'v_swap_b32', 'v_readfirstlane_b32')
SECOND_IS_INTEGER = re.compile(r'ldexp|class')
OLD = 0x8badf00d
ROWS = 6


def bits_of(word, wide):
    """The number that a value of a table is, or None."""
    m = re.fullmatch(r'(-?)(inf|nan)', word)
    if m:
        n = {('inf', 32): 0x7f800000, ('nan', 32): 0x7fc00000}.get((m[2], wide))
        return None if n is None else n | (0x80000000 if m[1] else 0)
    m = re.fullmatch(r'(-?)(inf|nan)16', word)
    if m:
        return {'inf': 0x7c00, 'nan': 0x7e00}[m[2]] | (0x8000 if m[1] else 0)
    m = re.fullmatch(r'(-?[\w.+-]+?)f(16|32)', word)
    if m and not re.fullmatch(r'0x[0-9a-f]+', word):
        text = m[1]
        try:
            x = float.fromhex(text) if 'x' in text else float(text)
            return struct.unpack('<H' if m[2] == '16' else '<I', struct.pack('<e' if m[2] == '16' else '<f', x))[0]
        except (ValueError, OverflowError):
            return None
    if re.fullmatch(r'-?\d+|0x[0-9a-f]+', word):
        return int(word, 0) & 0xffffffff
    return None


class Plain:
    """The first table of a file that runs its opcode in SDWA on vector registers."""

    def __init__(self, name, tests):
        self.found = False
        for test in tests:
            forms = re.search(r'(?m)^forms (.*)', test)
            code = re.search(r'(?m)^code\n((?:[ \t]+.*\n)+)', test)
            rows = re.search(r'(?m)^rows (.*)\n((?: .*\n?)+)', test)
            if not (forms and 'sdwa' in forms[1].split() and code and rows) or re.search(r'(?m)^(mode|in|targets)\b', test):
                continue
            lines = [line.split('#')[0].strip() for line in code[1].splitlines()]
            operands = [w.strip() for w in lines[0].partition(' ')[2].split(',')]
            head = rows[1].split('#')[0].split()
            if len(lines) > 1 or lines[0].split()[0] != name or '|' not in head or not all(re.fullmatch(r'v\d+|vcc', w) for w in operands):
                continue
            self.vcc_in = 'vcc' in head[:head.index('|')]
            self.compare = operands[0] == 'vcc'
            self.dst, sources = operands[0], [w for w in operands[1:] if w != 'vcc']
            self.carry = operands[1:2] == ['vcc']
            if head[:head.index('|')].count(self.dst) or len(sources) not in (1, 2) or any(w not in head[:head.index('|')] for w in sources):
                continue
            self.sources, self.head = sources, head
            self.errata = re.findall(r'(?m)^errata .*', test)
            self.rows = [dict(zip([('in ' if i < head.index('|') else 'out ') + h for i, h in enumerate(head)], line.split('#')[0].split()))
                         for line in rows[2].splitlines() if len(line.split('#')[0].split()) == len(head)]
            self.found = True
            return


class Maker:
    def __init__(self, name, plain):
        self.name, self.p = name, plain
        kind = name if not SECOND_IS_INTEGER.search(name) else None
        whole = bool(INTEGER.search(name)) and name != 'v_cndmask_b32' if kind else False  # which moves floats, too
        self.integer = [whole, True if kind is None else whole]
        self.wide = 16 if re.search(r'_[fiub]16$', name) else 32
        self.result = 16 if NARROW.search(name) and not plain.compare else 32

    def width(self, i):
        return 32 if i and 'class' in self.name else self.wide

    def line(self, sources, sels, dst='v0', dst_sel='DWORD', unused='UNUSED_PAD'):
        p = self.p
        lead = ['vcc'] if p.compare else [dst, 'vcc'] if p.carry else [dst]
        tail = ['vcc'] if p.vcc_in else []
        select = '' if p.compare else f' dst_sel:{dst_sel} dst_unused:{unused}'
        return f"    {self.name}_sdwa {', '.join(lead + sources + tail)}{select}" + ''.join(f' src{i}_sel:{s}' for i, s in enumerate(sels))

    def values(self, row):
        """Operands and result of a row as numbers; None if one of them is no single number."""
        words = [row['in ' + s] for s in self.p.sources]
        got = [bits_of(w, self.width(i)) for i, w in enumerate(words)]
        out = 0 if self.p.compare else bits_of(row['out ' + self.p.dst], self.result)
        return None if None in got or out is None else (got, out)

    def table(self, title, code, rows, places, start=()):
        """rows: of (row, source values, results of places)"""
        if not rows:
            return []
        p = self.p
        bar = p.head.index('|')
        more_in = [h for h in p.head[:bar] if h not in p.sources]
        more_out = [h for h in p.head[bar + 1:] if h != p.dst or p.compare]
        lines = [p.sources + more_in + ['|'] + places + more_out]
        for row, given, results in rows:
            lines.append([f'0x{v:08x}' for v in given] + [row['in ' + h] for h in more_in] + ['|'] + [f'0x{v:08x}' for v in results]
                         + [row['out ' + h] for h in more_out])
        width = [max(len(w[i]) for w in lines) for i in range(len(lines[0]))]
        text = ['  '.join(w.ljust(n) for w, n in zip(words, width)).rstrip() for words in lines]
        return ['', 'test ' + title] + p.errata + (['in    ' + '  '.join(start)] if start else []) + ['code'] + code + ['rows  ' + text[0]] + ['      ' + t for t in text[1:]]

    def dst(self):
        """Destination and select of a modifier's test, and what a result is there."""
        if self.p.compare:
            return {}, [], lambda r: [], ()
        if self.result == 16:
            return ({'dst_sel': 'WORD_1', 'unused': 'UNUSED_PRESERVE'}, ['v0'], lambda r: [(r & 0xffff) << 16 | OLD & 0xffff], (f'v0 = 0x{OLD:08x}',))
        return {}, ['v0'], lambda r: [r], ()

    def sext(self, i):
        """Source i is the sign extension of a byte or of a half; the other is as it stands."""
        chosen, bits = [], self.width(i)
        mask = (1 << bits) - 1
        for sel, size, shift in (('BYTE_2', 8, 16), ('WORD_1', 16, 16)):
            rows = []
            for row in self.p.rows:
                got = self.values(row)
                if not got or size >= bits:
                    continue
                (given, result), low = got, (1 << size) - 1
                v = given[i] & mask
                signed = (v & low) - (2 << size - 1 if v >> size - 1 & 1 else 0)
                if v == signed & mask:
                    given = given[:i] + [(v & low) << shift | 0x5a5aa53c & ~(low << shift) & 0xffffffff] + given[i + 1:]
                    rows.append((signed < 0, row, given, result))
            rows.sort(key=lambda r: not r[0])
            if rows and rows[0][0] and len(rows) > len(chosen):
                chosen, select = rows[:ROWS], sel
        if not chosen:
            return []
        sels = [select if k == i else 'DWORD' for k in range(len(self.p.sources))]
        extra, places, cut, start = self.dst()
        names = [f'sext({s})' if k == i else s for k, s in enumerate(self.p.sources)]
        return self.table(f"sdwa extends the sign of the {('first', 'second')[i]} source", [self.line(names, sels, **extra)],
                          [(row, given, cut(r)) for _, row, given, r in chosen], places, start)

    def signs(self, how, title):
        """how: for each source '-' or '||'."""
        rows = []
        for row in self.p.rows:
            got = self.values(row)
            if not got:
                continue
            given, ok = list(got[0]), True
            for i, h in enumerate(how):
                top = 1 << self.wide - 1
                ok = ok and not (h == '||' and given[i] & top)
                given[i] ^= top if h else 0
            if ok:
                rows.append((row, given, got[1]))
        if not rows:
            return []
        step = max(1, len(rows) // ROWS)
        names = [f'|{s}|' if h == '||' else h + s for h, s in zip(how, self.p.sources)]
        extra, places, cut, start = self.dst()
        return self.table(title, [self.line(names, ['DWORD'] * len(names), **extra)], [(row, given, cut(r)) for row, given, r in rows[::step][:ROWS]], places, start)

    def selects(self):
        """What each select and dst_unused leave of a result."""
        if self.p.compare:
            return []
        spots = [('v0', 'BYTE_1', 'UNUSED_SEXT'), ('v3', 'WORD_1', 'UNUSED_PAD'), ('v4', 'BYTE_2', 'UNUSED_PRESERVE'), ('v5', 'WORD_0', 'UNUSED_SEXT'),
                 ('v6', 'BYTE_3', 'UNUSED_PAD'), ('v7', 'BYTE_0', 'UNUSED_PRESERVE')]
        if self.p.carry or self.p.vcc_in:
            spots = spots[:1]
        rows = []
        for row in self.p.rows:
            got = self.values(row)
            if got:
                rows.append((got[1], row, got[0], [part(got[1], sel, unused) for _, sel, unused in spots]))
        rows = [r[1:] for bit in (0x80, 0x8000, 0x8080) for r in [r for r in rows if r[0] & bit == bit][:1]] + [r[1:] for r in rows[len(rows) // 3:][:2]]
        code = [self.line(self.p.sources, ['DWORD'] * len(self.p.sources), dst, sel, unused) for dst, sel, unused in spots]
        return self.table('sdwa writes each part, the rest by dst_unused', code, rows, [s[0] for s in spots], [f'{s[0]} = 0x{OLD:08x}' for s in spots])


def part(r, sel, unused):
    size, at = (8, int(sel[-1]) * 8) if sel.startswith('BYTE') else (16, int(sel[-1]) * 16)
    v = r & (1 << size) - 1
    if unused == 'UNUSED_SEXT' and v >> size - 1:
        v -= 1 << size
    field = ((1 << size) - 1) << at
    return v << at & 0xffffffff | (OLD & ~field if unused == 'UNUSED_PRESERVE' else 0)


TITLES = [f'sdwa {how} the {which} source' for how in ('extends the sign of', 'negates', 'takes the absolute value of') for which in ('first', 'second')]
TITLES.append('sdwa writes each part, the rest by dst_unused')


def sdwa(name, parts):
    """The tests that the file of an opcode gets, as text; `parts` are its tests."""
    plain = Plain(name, parts)
    if not plain.found or name in NOT:
        return ''
    m, n = Maker(name, plain), len(plain.sources)
    out = []
    for i in range(n):
        if m.integer[i]:
            out += m.sext(i)
        else:
            for sign, title in (('-', 'sdwa negates the '), ('||', 'sdwa takes the absolute value of the ')):
                how = [''] * n
                how[i] = sign
                out += m.signs(how, title + ('first', 'second')[i] + ' source')
    out += m.selects()
    return '\n'.join(out) + '\n' if out else ''
