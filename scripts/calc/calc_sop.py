#!/usr/bin/env python3
"""Independent calculator for the directed cases of the scalar ALU.

    calc_sop.py FILE|DIR...         recompute the results of every purely scalar test, print what differs
    calc_sop.py --fill FILE...      replace each result written as @ by its value, in place, and align the rows

The rules are those of the Vega ISA manual, chapter 12, on Python integers; nothing is shared with oracle/. Tests with
program addresses, memory, vector or hardware registers are left alone (and counted as such).
"""
import os
import re
import struct
import sys

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def s32(v):
    return v - (1 << 32) if v >> 31 & 1 else v


def s64(v):
    return v - (1 << 64) if v >> 63 & 1 else v


# ---- rules: f(S0, S1, SCC) -> (D, SCC); None as SCC: not written ----

def nonzero(width, f):
    mask = (1 << width) - 1
    return lambda a, b, c: (f(a, b) & mask, int(f(a, b) & mask != 0))


def keep(width, f):
    mask = (1 << width) - 1
    return lambda a, b, c: (f(a, b) & mask, None)


def overflow(f):
    return lambda a, b, c: (f(s32(a), s32(b)) & M32, int(not -2**31 <= f(s32(a), s32(b)) < 2**31))


def field(signed, bits):
    """Offset in S1[4:0] or [5:0], width in S1[22:16]; the shift of the signed form is arithmetic."""
    def rule(a, b, c):
        offset, width = b % bits, b >> 16 & 127
        if not signed:
            v = a >> offset & ((1 << width) - 1)
        else:
            value = (s32(a) if bits == 32 else s64(a)) >> offset
            v = value % (1 << width)
            if width and v >> (width - 1):
                v -= 1 << width
        return v & ((1 << bits) - 1), int(v != 0)
    return rule


def first_one(v, width, from_top):
    for i in range(width):
        if v >> (width - 1 - i if from_top else i) & 1:
            return i
    return -1


SOP2 = {
    's_add_u32': lambda a, b, c: ((a + b) & M32, int(a + b >= 1 << 32)),
    's_sub_u32': lambda a, b, c: ((a - b) & M32, int(b > a)),
    's_add_i32': overflow(lambda a, b: a + b),
    's_sub_i32': overflow(lambda a, b: a - b),
    's_addc_u32': lambda a, b, c: ((a + b + c) & M32, int(a + b + c >= 1 << 32)),
    's_subb_u32': lambda a, b, c: ((a - b - c) & M32, int(b + c > a)),
    's_min_i32': lambda a, b, c: (a if s32(a) < s32(b) else b, int(s32(a) < s32(b))),
    's_min_u32': lambda a, b, c: (a if a < b else b, int(a < b)),
    's_max_i32': lambda a, b, c: (a if s32(a) > s32(b) else b, int(s32(a) > s32(b))),
    's_max_u32': lambda a, b, c: (a if a > b else b, int(a > b)),
    's_cselect_b32': lambda a, b, c: (a if c else b, None),
    's_cselect_b64': lambda a, b, c: (a if c else b, None),
    's_and_b32': nonzero(32, lambda a, b: a & b),
    's_and_b64': nonzero(64, lambda a, b: a & b),
    's_or_b32': nonzero(32, lambda a, b: a | b),
    's_or_b64': nonzero(64, lambda a, b: a | b),
    's_xor_b32': nonzero(32, lambda a, b: a ^ b),
    's_xor_b64': nonzero(64, lambda a, b: a ^ b),
    's_andn2_b32': nonzero(32, lambda a, b: a & ~b),
    's_andn2_b64': nonzero(64, lambda a, b: a & ~b),
    's_orn2_b32': nonzero(32, lambda a, b: a | ~b),
    's_orn2_b64': nonzero(64, lambda a, b: a | ~b),
    's_nand_b32': nonzero(32, lambda a, b: ~(a & b)),
    's_nand_b64': nonzero(64, lambda a, b: ~(a & b)),
    's_nor_b32': nonzero(32, lambda a, b: ~(a | b)),
    's_nor_b64': nonzero(64, lambda a, b: ~(a | b)),
    's_xnor_b32': nonzero(32, lambda a, b: ~(a ^ b)),
    's_xnor_b64': nonzero(64, lambda a, b: ~(a ^ b)),
    's_lshl_b32': nonzero(32, lambda a, b: a << b % 32),
    's_lshl_b64': nonzero(64, lambda a, b: a << b % 64),
    's_lshr_b32': nonzero(32, lambda a, b: a >> b % 32),
    's_lshr_b64': nonzero(64, lambda a, b: a >> b % 64),
    's_ashr_i32': nonzero(32, lambda a, b: s32(a) >> b % 32),
    's_ashr_i64': nonzero(64, lambda a, b: s64(a) >> b % 64),
    's_bfm_b32': keep(32, lambda a, b: ((1 << a % 32) - 1) << b % 32),
    's_bfm_b64': keep(64, lambda a, b: ((1 << a % 64) - 1) << b % 64),
    's_mul_i32': keep(32, lambda a, b: s32(a) * s32(b)),
    's_mul_hi_u32': keep(32, lambda a, b: a * b >> 32),
    's_mul_hi_i32': keep(32, lambda a, b: s32(a) * s32(b) >> 32),
    's_bfe_u32': field(False, 32),
    's_bfe_i32': field(True, 32),
    's_bfe_u64': field(False, 64),
    's_bfe_i64': field(True, 64),
    's_absdiff_i32': nonzero(32, lambda a, b: abs((s32(a) - s32(b) + 2**31) % 2**32 - 2**31)),
    's_lshl1_add_u32': lambda a, b, c: (((a << 1) + b) & M32, int((a << 1) + b >= 1 << 32)),
    's_lshl2_add_u32': lambda a, b, c: (((a << 2) + b) & M32, int((a << 2) + b >= 1 << 32)),
    's_lshl3_add_u32': lambda a, b, c: (((a << 3) + b) & M32, int((a << 3) + b >= 1 << 32)),
    's_lshl4_add_u32': lambda a, b, c: (((a << 4) + b) & M32, int((a << 4) + b >= 1 << 32)),
    's_pack_ll_b32_b16': lambda a, b, c: (b % 65536 * 65536 + a % 65536, None),
    's_pack_lh_b32_b16': lambda a, b, c: (b // 65536 * 65536 + a % 65536, None),
    's_pack_hh_b32_b16': lambda a, b, c: (b // 65536 * 65536 + a // 65536, None),
}


def bit(n, one):
    """Bit S0 of the old destination becomes `one`."""
    return lambda a, old, c: ((old | 1 << a % n) if one else (old & ~(1 << a % n)), None)


def quads(v, width):
    """One truth value for each nibble, lowest first."""
    return [v >> i & 15 != 0 for i in range(0, width, 4)]


def whole_quads(v, width):
    return sum(15 << 4 * i for i, q in enumerate(quads(v, width)) if q)


def quad_mask(v, width):
    return sum(1 << i for i, q in enumerate(quads(v, width)) if q)


def sign_run(v, width):
    """How many bits from the top equal the sign bit, -1 if all do."""
    text = f'{v:0{width}b}'
    run = len(text) - len(text.lstrip(text[0]))
    return -1 if run == width else run


# f(S0, old D, SCC)
SOP1 = {
    's_mov_b32': lambda a, d, c: (a, None),
    's_mov_b64': lambda a, d, c: (a, None),
    's_cmov_b32': lambda a, d, c: (a if c else d, None),
    's_cmov_b64': lambda a, d, c: (a if c else d, None),
    's_not_b32': nonzero(32, lambda a, d: ~a),
    's_not_b64': nonzero(64, lambda a, d: ~a),
    's_brev_b32': lambda a, d, c: (int(f'{a:032b}'[::-1], 2), None),
    's_brev_b64': lambda a, d, c: (int(f'{a:064b}'[::-1], 2), None),
    's_wqm_b32': nonzero(32, lambda a, d: whole_quads(a, 32)),
    's_wqm_b64': nonzero(64, lambda a, d: whole_quads(a, 64)),
    's_quadmask_b32': nonzero(32, lambda a, d: quad_mask(a, 32)),
    's_quadmask_b64': nonzero(64, lambda a, d: quad_mask(a, 64)),
    's_bcnt0_i32_b32': nonzero(32, lambda a, d: f'{a:032b}'.count('0')),
    's_bcnt0_i32_b64': nonzero(32, lambda a, d: f'{a:064b}'.count('0')),
    's_bcnt1_i32_b32': nonzero(32, lambda a, d: bin(a).count('1')),
    's_bcnt1_i32_b64': nonzero(32, lambda a, d: bin(a).count('1')),
    's_ff0_i32_b32': keep(32, lambda a, d: first_one(a ^ M32, 32, False)),
    's_ff0_i32_b64': keep(32, lambda a, d: first_one(a ^ M64, 64, False)),
    's_ff1_i32_b32': keep(32, lambda a, d: first_one(a, 32, False)),
    's_ff1_i32_b64': keep(32, lambda a, d: first_one(a, 64, False)),
    's_flbit_i32_b32': keep(32, lambda a, d: first_one(a, 32, True)),
    's_flbit_i32_b64': keep(32, lambda a, d: first_one(a, 64, True)),
    's_flbit_i32': keep(32, lambda a, d: sign_run(a, 32)),
    's_flbit_i32_i64': keep(32, lambda a, d: sign_run(a, 64)),
    's_sext_i32_i8': keep(32, lambda a, d: (a & 255) - ((a & 128) << 1)),
    's_sext_i32_i16': keep(32, lambda a, d: (a & 65535) - ((a & 32768) << 1)),
    's_bitset0_b32': bit(32, False),
    's_bitset1_b32': bit(32, True),
    's_bitset0_b64': bit(64, False),
    's_bitset1_b64': bit(64, True),
    's_abs_i32': nonzero(32, lambda a, d: abs(s32(a))),
    's_bitreplicate_b64_b32': lambda a, d, c: (int(''.join(x * 2 for x in f'{a:032b}'), 2), None),
}

# f(S0, old EXEC) -> EXEC; D gets the old EXEC, of *_wrexec the new one
SAVEEXEC = {
    's_and_saveexec_b64': lambda a, e: a & e,
    's_or_saveexec_b64': lambda a, e: a | e,
    's_xor_saveexec_b64': lambda a, e: a ^ e,
    's_andn2_saveexec_b64': lambda a, e: a & ~e,
    's_orn2_saveexec_b64': lambda a, e: a | ~e,
    's_nand_saveexec_b64': lambda a, e: ~(a & e),
    's_nor_saveexec_b64': lambda a, e: ~(a | e),
    's_xnor_saveexec_b64': lambda a, e: ~(a ^ e),
    's_andn1_saveexec_b64': lambda a, e: ~a & e,
    's_orn1_saveexec_b64': lambda a, e: ~a | e,
    's_andn1_wrexec_b64': lambda a, e: ~a & e,
    's_andn2_wrexec_b64': lambda a, e: a & ~e,
}

# Nothing that a program sees.
NOTHING = ('s_nop', 's_waitcnt', 's_wakeup', 's_icache_inv', 's_incperflevel', 's_decperflevel', 's_sleep', 's_setprio')

COMPARE = {'eq': lambda a, b: a == b, 'lg': lambda a, b: a != b, 'gt': lambda a, b: a > b,
           'ge': lambda a, b: a >= b, 'lt': lambda a, b: a < b, 'le': lambda a, b: a <= b}


def compare_rule(name):
    """The condition of an s_cmp, s_cmpk or s_bitcmp: f(S0, S1) -> SCC, or None."""
    m = re.fullmatch(r's_cmpk?_(\w\w)_([iu])(32|64)', name)
    if m:
        cond, signed = COMPARE[m[1]], m[2] == 'i'
        return lambda a, b: int(cond(s32(a), s32(b)) if signed else cond(a, b))
    m = re.fullmatch(r's_bitcmp([01])_b(32|64)', name)
    if m:
        want, size = int(m[1]), int(m[2])
        return lambda a, b: int((a >> b % size & 1) == want)
    return None


def simm16(v):
    v &= 0xffff
    return v - 0x10000 if v & 0x8000 else v


# ---- registers, constants and one instruction ----

SPECIAL = {'flat_scratch': 102, 'xnack_mask': 104, 'vcc': 106, 'm0': 124, 'exec': 126}
FLOATS = ('0.5', '-0.5', '1.0', '-1.0', '2.0', '-2.0', '4.0', '-4.0')


class Skip(Exception):
    """This test is beyond the calculator."""


def place(name):
    """First register and count of dwords."""
    if name in SPECIAL:
        return SPECIAL[name], 1 if name == 'm0' else 2
    m = re.fullmatch(r'(flat_scratch|xnack_mask|vcc|exec)_(lo|hi)', name)
    if m:
        return SPECIAL[m[1]] + (m[2] == 'hi'), 1
    m = re.fullmatch(r's\[?(\d+)(?::(\d+))?\]?', name)
    if m:
        return int(m[1]), int(m[2] or m[1]) - int(m[1]) + 1
    raise Skip(name)


class State:
    def __init__(self):
        self.reg = [0xa0000000 | i << 16 for i in range(128)]
        self.reg[126] = self.reg[127] = M32
        self.scc = 0

    def get(self, name):
        if name == 'scc':
            return self.scc
        at, n = place(name)
        return sum(self.reg[at + i] << 32 * i for i in range(n))

    def put(self, name, value):
        if name == 'scc':
            self.scc = value
            return
        at, n = place(name)
        for i in range(n):
            self.reg[at + i] = value >> 32 * i & M32

    def source(self, word, bits):
        if word == 'src_scc':
            return self.scc
        if word == 'src_vccz':
            return int(self.get('vcc') == 0)
        if word == 'src_execz':
            return int(self.get('exec') == 0)
        if word in FLOATS:
            return struct.unpack('<I', struct.pack('<f', float(word)))[0] if bits == 32 else \
                struct.unpack('<Q', struct.pack('<d', float(word)))[0]
        if word in ('0.15915494', '0.15915494309189532'):
            return 0x3e22f983 if bits == 32 else 0x3fc45f306dc9c882
        if re.fullmatch(r'-?(0x[0-9a-f]+|\d+)', word):
            v = int(word, 0)
            if bits == 64 and not -16 <= v <= 64 and v >> 31:
                raise Skip('a negative literal in a 64-bit operation')
            return v & ((1 << bits) - 1)
        return self.get(word)


def sizes(name):
    """Widths of the sources of an opcode."""
    if name in ('s_bfm_b64', 's_bitset0_b64', 's_bitset1_b64'):
        return 32, 32
    if name in ('s_lshl_b64', 's_lshr_b64', 's_ashr_i64', 's_bfe_u64', 's_bfe_i64', 's_bitcmp0_b64', 's_bitcmp1_b64'):
        return 64, 32
    w = 64 if name.endswith('64') else 32
    return w, w


def relative(st, name, ops):
    """s_movrels, s_movreld: M0 is added to the number of one register, which must stay below s102."""
    n = 2 if name.endswith('64') else 1
    reg = place(ops[1] if 'movrels' in name else ops[0])[0] + st.get('m0')
    if reg + n > 102 or reg % n:
        raise Skip('an index out of range')
    word = f's[{reg}:{reg + n - 1}]'
    if 'movrels' in name:
        st.put(ops[0], st.get(word))
    else:
        st.put(word, st.source(ops[1], 32 * n))


def step(st, line):
    name, _, rest = line.partition(' ')
    ops = [o.strip() for o in rest.split(',')] if rest else []
    w0, w1 = sizes(name)
    if name in SOP2:
        d, scc = SOP2[name](st.source(ops[1], w0), st.source(ops[2], w1), st.scc)
        st.put(ops[0], d)
    elif name in SOP1:
        d, scc = SOP1[name](st.source(ops[1], w0), st.get(ops[0]), st.scc)
        st.put(ops[0], d)
    elif name in SAVEEXEC:
        a, old = st.source(ops[1], 64), st.get('exec')
        new = SAVEEXEC[name](a, old) & M64
        st.put(ops[0], new if 'wrexec' in name else old)
        st.put('exec', new)
        scc = int(new != 0)
    elif name == 's_movk_i32' or name == 's_cmovk_i32':
        if name == 's_movk_i32' or st.scc:
            st.put(ops[0], simm16(int(ops[1], 0)) & M32)
        scc = None
    elif name == 's_addk_i32':
        d, scc = SOP2['s_add_i32'](st.get(ops[0]), simm16(int(ops[1], 0)) & M32, 0)
        st.put(ops[0], d)
    elif name == 's_mulk_i32':
        st.put(ops[0], s32(st.get(ops[0])) * simm16(int(ops[1], 0)) & M32)
        scc = None
    elif name.startswith('s_cmpk_'):
        k = int(ops[1], 0)
        scc = compare_rule(name)(st.get(ops[0]), k & 0xffff if '_u32' in name else simm16(k) & M32)
    elif compare_rule(name):
        scc = compare_rule(name)(st.source(ops[0], w0), st.source(ops[1], w1))
    elif name in ('s_movrels_b32', 's_movrels_b64', 's_movreld_b32', 's_movreld_b64'):
        relative(st, name, ops)
        scc = None
    elif name in NOTHING:
        scc = None
    else:
        raise Skip(name)
    if scc is not None:
        st.scc = scc


# ---- case files: the part of the format that scalar tests use ----

def value(word, name, st):
    """An input value, or None where a result is not one number; of gfx9, where terms of earlier generations are 0."""
    word = re.sub(r'\+gfx[78]\*(0x[0-9a-f]+|[0-9]+)', '', word)
    if word == 'same':
        return st.get(name)
    try:
        v = int(word, 0)
    except ValueError:
        return None
    return v & ((1 << 32 * (place(name)[1] if name != 'scc' else 1)) - 1)


def show(v, name, start, given):
    if name not in given and name != 'scc' and v == start.get(name):
        return 'same'
    wide = name != 'scc' and place(name)[1] == 2
    return str(v) if v < 256 else f'0x{v:016x}' if wide and v >> 32 else f'0x{v:08x}'


class Test:
    def __init__(self):
        self.title, self.given, self.code, self.unknown = '', {}, [], None


def pairs(text):
    return re.findall(r'(\S+) = (\S+)', text)


def run(test, inputs):
    """The state before and after, with the inputs (place -> word) in it."""
    st = State()
    for name, word in {**test.given, **inputs}.items():
        v = value(word, name, st)
        if v is None:
            raise Skip(word)
        st.put(name, v)
    end = State()
    end.reg, end.scc = list(st.reg), st.scc
    at, steps = 0, 0
    while at < len(test.code) and steps < 10000:
        line, at, steps = test.code[at], at + 1, steps + 1
        name, _, target = line.partition(' ')
        if name == 's_branch' or name in ('s_cbranch_scc0', 's_cbranch_scc1') and int(name[-1]) == end.scc:
            if target + ':' not in test.code:
                raise Skip(line)
            at = test.code.index(target + ':')
        elif not name.endswith(':') and not name.startswith('s_cbranch_scc'):
            step(end, line)
    return st, end


def named(result, st, end, where, problems):
    """Complains if something changed that the results do not name."""
    seen = set()
    for name in result:
        if name != 'scc':
            at, n = place(name)
            seen.update(range(at, at + n))
    for i in range(128):
        if i not in seen and st.reg[i] != end.reg[i]:
            problems.append(f'{where}: register {i} changes and is not named')
    if 'scc' not in result and st.scc != end.scc:
        problems.append(f'{where}: scc changes and is not named')


def judge(word, name, st, end, inputs, where, problems):
    """The word for a result: filled where it was @, else as it was, checked."""
    got = end.get(name)
    if word == '@':
        return show(got, name, st, inputs)
    if word == '?':
        return word
    options = word.strip('{}').split('|')
    if got not in [value(o, name, st) for o in options]:
        problems.append(f'{where}: {name} is {word}, the calculator says {show(got, name, st, {**inputs, name: 0})}')
    return word


class File:
    def __init__(self, path):
        self.path, self.lines = path, open(path).read().split('\n')
        self.problems, self.skipped, self.checked = [], [], 0

    def evaluate(self, test, inputs, results, n):
        where = f'{self.path}:{n + 1}'
        try:
            for name in list(results) + list(inputs):
                if name != 'scc':
                    place(name)
            st, end = run(test, inputs)
        except Skip as e:
            self.skipped.append(f'{where}: {e}')
            return None
        self.checked += 1
        named(results, st, end, where, self.problems)
        given = {**test.given, **inputs}
        return [judge(w, p, st, end, given, where, self.problems) for p, w in results.items()]

    def rows(self, test, n):
        """Evaluates and aligns the table whose head is line n; returns the first line after it."""
        ins, outs = (h.split() for h in self.lines[n][4:].split('|'))
        table, end = [(ins, outs, '')], n + 1
        while end < len(self.lines) and self.lines[end].startswith(' '):
            body, mark, note = self.lines[end].partition('#')
            left, right = (h.split() for h in re.split(r'\s\|\s', body, maxsplit=1))
            words = self.evaluate(test, dict(zip(ins, left)), dict(zip(outs, right)), end)
            table.append((left, words or right, (mark + note).rstrip()))
            end += 1
        width = [max(len(r[0][i]) for r in table) for i in range(len(ins))]
        width_out = [max(len(r[1][i]) for r in table) for i in range(len(outs))]
        for i, (left, right, note) in enumerate(table):
            text = 'rows  ' if i == 0 else '      '
            text += '  '.join(w.ljust(width[k]) for k, w in enumerate(left)) + '  | '
            text += '  '.join(w.ljust(width_out[k]) for k, w in enumerate(right))
            self.lines[n + i] = (text + ('  ' + note if note else '')).rstrip()
        return end

    def outs(self, test, case_in, n):
        """An `out` with its continuation lines. @ is replaced there too."""
        end = n + 1
        while end < len(self.lines) and self.lines[end].startswith('  '):
            end += 1
        text = '\n'.join(self.lines[n:end])
        plain = re.sub('#.*', '', text)
        results = dict(pairs(plain))
        words = self.evaluate(test, case_in, results, n)
        for name, word in zip(results, words or []):
            text = re.sub(r'(?<!\S)' + re.escape(name) + r' = @', f'{name} = {word}', text)
        self.lines[n:end] = text.split('\n')
        return end

    def given(self, into, n):
        end = n + 1
        while end < len(self.lines) and self.lines[end].startswith('  '):
            end += 1
        into.update(pairs(re.sub('#.*', '', '\n'.join(self.lines[n:end]))))
        return end

    def work(self):
        test, case_in, n = Test(), {}, 0
        while n < len(self.lines):
            line = self.lines[n].split('#')[0].rstrip()
            word = line.split(' ')[0]
            if word == 'test':
                test, case_in = Test(), None
            elif word == 'in':
                n = self.given(test.given if case_in is None else case_in, n)
                continue
            elif word == 'case':
                case_in = {}
            elif word == 'code':
                while n + 1 < len(self.lines) and self.lines[n + 1].startswith(' '):
                    n += 1
                    test.code.append(self.lines[n].split('#')[0].strip())
            elif word == 'rows':
                n = self.rows(test, n)
                continue
            elif word == 'out':
                n = self.outs(test, case_in or {}, n)
                continue
            n += 1


def files(args):
    for a in args:
        if os.path.isdir(a):
            for root, _, names in sorted(os.walk(a)):
                yield from (os.path.join(root, x) for x in sorted(names) if x.endswith('.case'))
        else:
            yield a


def main():
    fill = sys.argv[1:2] == ['--fill']
    bad = checked = skipped = 0
    for path in files(sys.argv[2 if fill else 1:]):
        f = File(path)
        f.work()
        if fill:
            open(path, 'w').write('\n'.join(f.lines))
        for p in f.problems:
            print(p)
        bad += len(f.problems)
        checked += f.checked
        skipped += len(f.skipped)
    print(f'{checked} results agree or were filled, {skipped} not computed, {bad} problems')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
