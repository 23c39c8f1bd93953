#!/usr/bin/env python3
"""Works out the expectations of the atomics - LDS, FLAT, GLOBAL, scalar - and writes their case files.

    scripts/calc/mem/calc_atomic.py cases

One rule per operation, on Python integers; floats through scripts/calc/lib/calc.py. The rules are those of the Vega ISA manual,
chapter 12, with its misprints put right (64-bit minima and maxima, float minima and maxima).
"""
import pathlib
import re
import sys
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))
import calc_buf_lanes
import calc
from calc_mem import block, rows, vregs, with_what_is_by_hand
import tags


def signed(n, bits):
    return n - (1 << bits) if n >> bits - 1 else n


# name: (rule(old, data, second data, bits), words). DS spellings; FLAT and scalar memory have their own names for some.
RULES = {
    "add": (lambda old, d, _, b: old + d, "Adds to"),
    "sub": (lambda old, d, _, b: old - d, "Subtracts from"),
    "rsub": (lambda old, d, _, b: d - old, "Subtracts from its data"),
    "inc": (lambda old, d, _, b: 0 if old >= d else old + 1, "Counts up to the data, then from 0 again,"),
    "dec": (lambda old, d, _, b: d if old == 0 or old > d else old - 1, "Counts down to 0, then from the data again,"),
    "smin": (lambda old, d, _, b: min(old, d, key=lambda n: signed(n, b)), "Takes the signed minimum with"),
    "smax": (lambda old, d, _, b: max(old, d, key=lambda n: signed(n, b)), "Takes the signed maximum with"),
    "umin": (lambda old, d, _, b: min(old, d), "Takes the unsigned minimum with"),
    "umax": (lambda old, d, _, b: max(old, d), "Takes the unsigned maximum with"),
    "and": (lambda old, d, _, b: old & d, "ANDs into"),
    "or": (lambda old, d, _, b: old | d, "ORs into"),
    "xor": (lambda old, d, _, b: old ^ d, "XORs into"),
    "mskor": (lambda old, d, e, b: old & ~d | e, "Clears by the first data and ORs the second into"),
    "swap": (lambda old, d, _, b: d, "Exchanges its data with"),
    "cmpst": (lambda old, d, e, b: e if old == d else old, "Stores the second data if the first equals"),
    "cmpswap": (lambda old, d, e, b: d if old == e else old, "Stores the first data if the second equals"),
    "wrap": (lambda old, d, e, b: old - d if old >= d else old + e, "Steps up by the second data, back by the first at its limit,"),
    "write": (lambda old, d, _, b: d, "Copies to"),
    "condxchg": (lambda old, d, _, b: sum((((d >> s & 0x7fffffff) if d >> s + 31 & 1 else old >> s & 0xffffffff) << s)
                                          for s in (0, 32)), "Exchanges each dword whose data has bit 31 set with"),
}
DS_NAMES = {"min_i": "smin", "max_i": "smax", "min_u": "umin", "max_u": "umax", "wrxchg_b": "swap", "condxchg32_b": "condxchg"}
TWO_DATA = {"mskor", "cmpst", "cmpswap", "wrap"}
COMMUTE = {"add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor"}
ERRATA = {"smin64": "SMEM-C13", "smax64": "SMEM-C13", "umin64": "SMEM-C13", "umax64": "SMEM-C13", "rsub64": "DS-C08",
          "mskor64": "DS-C08", "cmpst64": "DS-C08 DS-C10", "cmpst32": "DS-C10", "wrap32": "DS-U10", "condxchg64": "DS-U10",
          "fmin32": "DS-C05", "fmax32": "DS-C05", "fmin64": "DS-C05", "fmax64": "DS-C05", "fcmpst32": "DS-C10",
          "fcmpst64": "DS-C10", "fadd32": "DS-U09"}


def points(op, bits):
    """(old, data, second data): plain values, edges, both sides of every decision."""
    top, all_ones = 1 << bits - 1, (1 << bits) - 1
    a, b = (0xF0F0A5A5, 0xFF00C3C3) if bits == 32 else (0xF0F0A5A5_12345678, 0xFF00C3C3_9ABCDEF1)
    low = [] if bits == 32 else [(1 << 32, 1), (0xFFFFFFFF, 1), (1, 1 << 32), (5 << 32 | 9, 5 << 32 | 7), (7 << 32 | 1, 3 << 32 | 2)]
    pairs = [(5, 3), (3, 5), (0, 0), (all_ones, 1), (0, 1), (top, top - 1), (top - 1, top), (a, b), (all_ones, all_ones),
             (1, 0), (0, all_ones), (4, 4), (3, 4)] + low
    if op == "condxchg":
        return [(5 << 32 | 9, d << 32 | e, 0) for d, e in ((0x80000003, 0x80000007), (3, 0x80000007), (0x80000003, 7), (3, 7))] + [
            (all_ones, all_ones, 0), (all_ones, 0, 0), (0, all_ones, 0)]
    if op not in TWO_DATA:
        return [(old, d, 0) for old, d in pairs]
    if op == "mskor":
        return [(a, 0xFF0F, 0x1201), (a, 0, 0), (a, all_ones, 0), (a, all_ones, b), (0, top | 1, top | 1), (all_ones, top | 1, 0),
                (a, 0x0F, 0xF00F), (0, 0, all_ones), (b, a, 6)] + ([] if bits == 32 else [(a, 0xFF << 32, 0x12 << 32)])
    if op == "wrap":
        return [(5, 3, 7), (3, 5, 7), (4, 4, 9), (3, 4, 9), (0, 0, 1), (0, 1, all_ones), (all_ones, 1, 5), (top - 1, top, 2),
                (top, top - 1, 1), (all_ones - 1, all_ones, 1), (2, 10, 100)]
    swapped = op == "cmpswap"  # the compared value is the second one
    table = [(5, 5, 9), (5, 4, 9), (9, 5, 9), (0, 0, all_ones), (all_ones, all_ones, 0), (a, a, b), (b, a, b), (top, 0, 7), (0, top, 7)]
    table += [] if bits == 32 else [(5 << 32 | 9, 4 << 32 | 9, 7), (5 << 32 | 9, 5 << 32 | 8, 7), (5 << 32 | 9, 5 << 32 | 9, 6 << 32 | 3)]
    return [(old, e, d) if swapped else (old, d, e) for old, d, e in table]


def hexed(n, bits):
    return f"0x{n % (1 << bits):0{bits // 4}x}"


class Op:
    """One opcode: how it is written, and what it computes."""

    def __init__(self, family, name, op, bits, rtn, is_float=False):
        self.family, self.name, self.op, self.bits, self.rtn, self.is_float = family, name, op, bits, rtn, is_float
        self.size = bits // 8
        self.two = op in TWO_DATA
        self.dw = bits // 32

    def rule(self, old, d, e):
        return RULES[self.op][0](old, d, e, self.bits) % (1 << self.bits)

    def errata(self):
        ids = ERRATA.get(("f" if self.is_float else "") + self.op + str(self.bits))
        return [f"errata {ids}"] if ids else []

    def table_errata(self):
        """Of tests with many values: what of floats is open shows there."""
        ids = self.errata()
        return [ids[0] + " DS-U09"] if self.is_float and self.op != "add" else ids

    def head(self):
        words = RULES[self.op][1] if not self.is_float else FLOAT_WORDS[self.op]
        width = {4: "a dword", 8: "two dwords"}[self.size]
        memory = "LDS" if self.family == "ds" else "memory"
        tail = "; the old value comes back" if self.rtn and self.family == "ds" else ""
        return ["case-format 1", f"# {words} {width} of {memory}, as one{tail}.", f"# Vega ISA, chapter 12 ({self.family.upper()} opcodes)."]


class Ds(Op):
    """LDS: v10 address, v[2:3] and v[4:5] data, v[0:1] result."""

    def __init__(self, name, op, bits, rtn, is_float=False):
        super().__init__("ds", name, op, bits, rtn, is_float)
        self.dst, self.d, self.e = vregs(0, self.dw), vregs(2, self.dw), vregs(4, self.dw)

    def code(self, offset=8):
        operands = ([self.dst] if self.rtn else []) + ["v10", self.d] + ([self.e] if self.two else [])
        return ["code", f"    {self.name} {', '.join(operands)}" + (f" offset:{offset}" if offset else ""), "    s_waitcnt lgkmcnt(0)"]

    def data_columns(self, d, e):
        return [hexed(d, self.bits)] + ([hexed(e, self.bits)] if self.two else [])

    def place(self, at):
        return f"lds[{at}].b{self.bits}"

    def result(self, old):
        return [old] if self.rtn else []


def ds_table(op, table, title="test values", extra=()):
    """table: (old, data, second, new) with new as words"""
    columns = ["v10", op.d] + ([op.e] if op.two else []) + [op.place(16), "|", op.place(16)] + op.result(op.dst)
    return ["", title, "lds   512", *extra] + op.table_errata() + op.code() + rows(
        columns, [["8", *op.data_columns(d, e), hexed(old, op.bits), "|", new] + op.result(hexed(old, op.bits)) for old, d, e, new in table])


def ds_conflict(op, old, d, e):
    """Three lanes with the same data at one place: any order gives the same end and the same old values."""
    steps = [old]
    for _ in range(3):
        steps.append(op.rule(steps[-1], d, e))
    setup = [f"{op.place(8)} = {hexed(old, op.bits)}", "v10 = 0", f"{op.d} = {hexed(d, op.bits)}"]
    setup += ([f"{op.e} = {hexed(e, op.bits)}"] if op.two else []) + ["exec = 0x8000000200000002"]
    returned = "|".join(dict.fromkeys(hexed(s, op.bits) for s in steps[:3]))
    returned = "{" + returned + "}" if "|" in returned else returned
    out = [f"{op.place(8)} = {hexed(steps[3], op.bits)}"] + op.result(f"{op.dst} = {returned}")
    return ["", "test three lanes at one place", "lds   512"] + block(setup) + op.errata() + op.code() + ["case  lanes 1, 33 and 63" + "  # in any order" * ("|" in returned)] + block(out, "out   ")


def ds_lanes(op, d, e):
    setup = [f"v10 = lane*{op.size}", f"{op.d} = {hexed(d, op.bits)}"] + ([f"{op.e} = {hexed(e, op.bits)}"] if op.two else [])
    olds = {lane: 100 + 3 * lane for lane in range(4)}
    olds[63], olds[3] = 7, d if op.op == "cmpst" else 1  # lane 3 is off and would change it
    setup += ["exec = 0x8000000000000006"] + [f"{op.place(8 + op.size * lane)} = {old}" for lane, old in olds.items()]
    out = []
    for lane in (1, 2, 63):
        out += [f"{op.place(8 + op.size * lane)} = {hexed(op.rule(olds[lane], d, e), op.bits)}"]
        out += op.result(f"{op.dst}.lane{lane} = {olds[lane]}")
    return ["", "test each lane at its own place, lanes that are off do nothing", "lds   1024"] + block(setup) + op.errata() + op.code() + [
        "case  lanes 1, 2 and 63"] + block(out, "out   ")


def ds_edges(op, old, d, e):
    """The last place inside, the first outside, by address and by offset."""
    new = hexed(op.rule(old, d, e), op.bits)
    common = [f"{op.d} = {hexed(d, op.bits)}"] + ([f"{op.e} = {hexed(e, op.bits)}"] if op.two else []) + ["exec = 1"]
    last = 512 - op.size
    out = ["", "test the last place of the allocated lds, and beyond it", "lds   512"]
    out += block([f"{op.place(last)} = {hexed(old, op.bits)}"] + common) + op.errata() + op.code()
    out += ["case  inside", f"in    v10 = {last - 8}"] + block([f"{op.place(last)} = {new}"] + op.result(f"{op.dst} = {hexed(old, op.bits)}"), "out   ")
    out += ["case  the sum of address and offset has 32 bits", f"in    v10 = 0xfffffff8  {op.place(0)} = {hexed(old, op.bits)}"]
    out += block([f"{op.place(0)} = {new}"] + op.result(f"{op.dst} = {hexed(old, op.bits)}"), "out   ")
    for title, address in (("beyond", 512 - 8), ("far beyond", 0x20000)):
        out += [f"case  {title}", f"in    v10 = {address:#x}", "out   " + (f"{op.dst} = 0" if op.rtn else "m0 = same")]
    far = 65536 - op.size
    out += ["", "test the longest offset", "lds   65536"] + block([f"{op.place(far)} = {hexed(old, op.bits)}", "v10 = 0"] + common)
    out += op.errata() + op.code(far) + ["case  the last place of 64 KiB"]
    return out + block([f"{op.place(far)} = {new}"] + op.result(f"{op.dst} = {hexed(old, op.bits)}"), "out   ")


def ds_varied(op):
    """Operations whose end does not depend on the order."""
    total = old = 0x7530
    for lane in (1, 2, 9):
        total = op.rule(total, lane * 4 + 0x7331, 0)
    return ["", "test lanes with different data at one place", "lds   512"] + block(
        [f"{op.place(8)} = {old:#x}", "v10 = 0", "v2 = lane*4+0x7331", "exec = 0x206"] + (["v3 = 0"] if op.dw == 2 else [])) + op.code() + [
        "case  three lanes"] + block([f"{op.place(8)} = {hexed(total, op.bits)}"] + op.result(f"{op.dst} = ?"), "out   ")


# Opcodes whose files are older: their tests keep their names.
FIRST = {f"ds_{name}" for name in "add_u32 sub_u32 min_u32 max_u32 and_b32 or_b32 xor_b32 add_rtn_u32".split()}


def ds_first(op):
    total = old = 0x10
    for lane in (1, 2, 9):
        total = op.rule(total, lane * 4 + 9, 0)
    out = ["", "test every active lane acts, the others do not", "lds   512"] + block([f"lds[8].b32 = 0x{old:x}", "v10 = 0", "v2 = lane*4+9", "exec = 0x206"])
    out += op.code() + ["case  three lanes at one dword", f"out   lds[8].b32 = {hexed(total, 32)}" + ("  v0 = ?" if op.rtn else "")]
    setup = ["v10 = lane*4", "v2 = lane*4+9", "exec = 0x6"] + [f"lds[{8 + 4 * lane}].b32 = {100 + lane}" for lane in range(4)]
    out += ["", "test each lane at its own dword", "lds   512"] + block(setup) + op.code() + ["case  two lanes"]
    results = [f"lds[{8 + 4 * lane}].b32 = {hexed(op.rule(100 + lane, lane * 4 + 9, 0), 32)}" for lane in (1, 2)]
    out += block(results + ([f"v0.lane{lane} = {100 + lane}" for lane in (1, 2)] if op.rtn else []), "out   ")
    return out + ["", "test beyond the allocated lds nothing happens", "lds   512", "in    v10 = 0x20000  v2 = 1  exec = 1"] + op.code() + [
        "case  128 KiB up", "out   " + ("v0 = 0" if op.rtn else "m0 = same")]


# What conflicts and lanes are tried with: (old, data, second data).
SAMPLE = {"inc": (2, 4, 0), "dec": (2, 9, 0), "mskor": (0x35, 0x0F, 0x06), "cmpst": (100, 100, 103), "cmpswap": (100, 103, 100), "wrap": (2, 4, 3),
          "condxchg": (5 << 32 | 9, 0x8000000300000007, 0)}


def ds_file(op):
    old, d, e = SAMPLE.get(op.op, (1000, 13, 0))
    table = [(o, x, y, hexed(op.rule(o, x, y), op.bits)) for o, x, y in points(op.op, op.bits)]
    out = op.head() + ds_table(op, table)
    if op.name in FIRST:
        out += ds_first(op)
    out += ds_conflict(op, old, d, e)
    if op.op in COMMUTE:
        out += ds_varied(op)
    lane_data = {"inc": (106, 0), "dec": (103, 0), "cmpst": (103, 50), "wrap": (104, 8), "condxchg": (d, 0)}.get(op.op, (d, e))
    out += ds_lanes(op, *lane_data)
    out += ds_edges(op, old, d, e)
    if op.rtn:
        out += ds_overlap(op, old, d, e)
    return "\n".join(out) + "\n"


def ds_overlap(op, old, d, e):
    """The destination is the data operand."""
    operands = [op.d, "v10", op.d] + ([op.e] if op.two else [])
    columns = ["v10", op.d] + ([op.e] if op.two else []) + [op.place(16), "|", op.place(16), op.d]
    return ["", "test the destination is the data", "lds   512"] + op.errata() + ["code", f"    {op.name} {', '.join(operands)}", "    s_waitcnt lgkmcnt(0)"] + rows(
        columns, [["16", *op.data_columns(d, e), hexed(old, op.bits), "|", hexed(op.rule(old, d, e), op.bits), hexed(old, op.bits)]])


# ---- two places at once ----

def xchg2_file(name, bits, st64):
    size, dw = bits // 8, bits // 32
    scale = size * (64 if st64 else 1)
    lds = "lds   16384" if st64 else "lds   512"
    dst, d, e = vregs(0, 2 * dw), vregs(4, dw), vregs(6, dw)
    a, b = (0x11223344, 0x55667788) if bits == 32 else (0x1122334455667788, 0x99AABBCCDDEEFF01)
    x, y = (0xA1B2C3D4, 0xE5F60718) if bits == 32 else (0xA1B2C3D4E5F60718, 0x0F1E2D3C4B5A6978)
    unit = f"{size} bytes" + (", times 64" if st64 else "")
    out = ["case-format 1", f"# Exchanges two elements of {size} bytes of LDS with two data operands; offsets count {unit}.",
           "# Vega ISA, chapter 12 (DS opcodes)."]
    for o0, o1 in ((0, 1), (1, 0), (3, 1), (2, 3)):
        p0, p1 = 16 + o0 * scale, 16 + o1 * scale
        mods = (f" offset0:{o0}" if o0 else "") + (f" offset1:{o1}" if o1 else "")
        out += ["", f"test offsets {o0} and {o1}", lds] + block([f"lds[{p0}].b{bits} = {a:#x}", f"lds[{p1}].b{bits} = {b:#x}", f"{d} = {x:#x}", f"{e} = {y:#x}", "v10 = 16", "exec = 1"])
        out += ["code", f"    {name} {dst}, v10, {d}, {e}{mods}", "    s_waitcnt lgkmcnt(0)", "case  lane 0"]
        out += block([f"lds[{p0}].b{bits} = {x:#x}", f"lds[{p1}].b{bits} = {y:#x}", f"{dst} = {hexed(b << bits | a, 2 * bits)}"], "out   ")
    out += ["", "test lanes that are off do nothing", lds] + block(
        [f"lds[{2 * size}].b{bits} = {a:#x}", f"lds[{2 * size + scale}].b{bits} = {b:#x}", f"v10 = lane*{size}", f"{d} = {x:#x}", f"{e} = {y:#x}", "exec = 4"])
    out += ["code", f"    {name} {dst}, v10, {d}, {e} offset1:1", "    s_waitcnt lgkmcnt(0)", "case  lane 2"]
    out += block([f"lds[{2 * size}].b{bits} = {x:#x}", f"lds[{2 * size + scale}].b{bits} = {y:#x}", f"{dst}.lane2 = {hexed(b << bits | a, 2 * bits)}"], "out   ")
    whole = 16384 if st64 else 512
    last = whole - size
    out += ["", "test one place inside, the other beyond the allocated lds", lds] + block(
        [f"lds[{last}].b{bits} = {a:#x}", f"{d} = {x:#x}", f"{e} = {y:#x}", "exec = 1"])
    out += ["code", f"    {name} {dst}, v10, {d}, {e} offset1:1", "    s_waitcnt lgkmcnt(0)"]
    out += ["case  the first inside", f"in    v10 = {last}"] + block([f"lds[{last}].b{bits} = {x:#x}", f"{dst} = {hexed(a, 2 * bits)}"], "out   ")
    out += ["case  both beyond", f"in    v10 = {whole}", f"out   {dst} = 0"]
    return "\n".join(out) + "\n"


# ---- data from LDS ----

def src2_file(op):
    """A: the destination; B: the data, at A + 4 * a signed number of dwords."""
    float_table = op.is_float and FLOAT_TABLES[op.op](op)
    table = [t for t in float_table[0][2]] if op.is_float else [(o, x, y, hexed(op.rule(o, x, y), op.bits)) for o, x, y in points(op.op, op.bits)]
    at_a, at_b = op.place(16), op.place(24)
    words = FLOAT_WORDS[op.op] if op.is_float else RULES[op.op][1]
    out = ["case-format 1", f"# {words} {'a dword' if op.bits == 32 else 'two dwords'} of LDS, as one. The data are in LDS too.",
           "# The offset counts dwords from there to the data and has 15 bits with sign; with its top bit set, the distance is",
           "# in the upper 15 bits of the address. Vega ISA, chapters 11 and 12."]

    def code(offset):
        return ["code", f"    {op.name} v10" + (f" offset:{offset}" if offset else ""), "    s_waitcnt lgkmcnt(0)"]

    out += ["", "test values", "lds   512"] + op.table_errata() + code(2)
    out += rows(["v10", at_a, at_b, "|", at_a], [["16", hexed(o, op.bits), hexed(x, op.bits), "|", new] for o, x, _, new in table])
    for title, extra, cells in float_table[1:] if op.is_float else []:
        out += ["", title, "lds   512", *extra] + op.table_errata() + code(2)
        out += rows(["v10", at_a, at_b, "|", at_a], [["16", hexed(o, op.bits), hexed(x, op.bits), "|", new] for o, x, _, new in cells])
    old, d, _ = SAMPLE.get(op.op, (1000, 13, 0)) if not op.is_float else (*FLOAT_SAMPLE[op.bits], 0)
    new = hexed(op.rule(old, d, 0), op.bits) if not op.is_float else hexed(FLOAT_SAMPLE_RESULT[op.op, op.bits], op.bits)
    for title, place, offset in (("backwards", 8, 0x7FFE), ("far forwards", 16 + 4 * 0x3FF0, 0x3FF0)):
        out += ["", f"test {title}", "lds   65536"] + block([f"{at_a} = {hexed(old, op.bits)}", f"lds[{place}].b{op.bits} = {hexed(d, op.bits)}", "v10 = 16", "exec = 1"])
        out += op.errata() + code(offset) + ["case  lane 0", f"out   {at_a} = {new}"]
    # The address's low 17 bits are A, bits 31:17 the distance.
    out += ["", "test the distance in the address", "lds   512", "errata DS-C06"] + block(
        [f"{op.place(lane * 8 + 16)} = {hexed(old, op.bits)}" for lane in (0, 1)] + [f"{op.place(at)} = {hexed(d, op.bits)}" for at in (80, 8)] +
        [f"v10.lane0 = {16 | (64 // 4) << 17:#x}", f"v10.lane1 = {24 | (-16 // 4 & 0x7FFF) << 17:#x}", "exec = 3"])
    out += code(0x8000) + ["case  forwards and backwards"] + block([f"{op.place(lane * 8 + 16)} = {new}" for lane in (0, 1)], "out   ")
    zero = hexed(op.rule(old, 0, 0), op.bits) if not op.is_float else None
    low, high = (3, 9) if not op.is_float else sorted(FLOAT_SAMPLE[op.bits])
    others = [f"{op.place(at)} = {hexed(v, op.bits)}" for at, v in ((32, low), (40, high), (48, high), (56, low))]  # of lanes that are off
    out += ["", "test lanes that are off do nothing; beyond the allocated lds", "lds   512"] + block(
        [f"{at_a} = {hexed(old, op.bits)}", f"{at_b} = {hexed(d, op.bits)}", "v10 = lane*8", "exec = 4"] + others) + op.errata() + code(2)
    out += ["case  lane 2", f"out   {at_a} = {new}", "case  no lane", "in    exec = 0", "out   m0 = same", "case  destination outside", "in    v10 = 0x10000", "out   m0 = same"]
    if zero:
        last = 512 - op.size
        out += ["", "test data beyond the allocated lds are 0", "lds   512"] + block([f"{op.place(last)} = {hexed(old, op.bits)}", f"v10 = {last}", "exec = 1"]) + op.errata()
        out += code(2) + ["case  lane 0", f"out   {op.place(last)} = {zero if zero != hexed(old, op.bits) else 'same'}"]
    return "\n".join(out) + "\n"


# ---- floats ----

FLOAT_WORDS = {"add": "Adds a float to", "min": "Takes the float minimum with", "max": "Takes the float maximum with",
               "cmpst": "Stores the second data if the first, a float, equals"}
FLOAT_SAMPLE = {32: (0x40400000, 0x3FC00000), 64: (0x4008000000000000, 0x3FF8000000000000)}  # 3.0, 1.5
FLOAT_SAMPLE_RESULT = {("add", 32): 0x40900000, ("min", 32): 0x3FC00000, ("max", 32): 0x40400000,
                       ("min", 64): 0x3FF8000000000000, ("max", 64): 0x4008000000000000}


class Format:
    def __init__(self, bits):
        self.bits, self.frac = bits, 23 if bits == 32 else 52
        self.sign, self.inf = 1 << bits - 1, ((1 << bits - 1 - self.frac) - 1) << self.frac
        self.quiet = 1 << self.frac - 1

    def is_nan(self, v): return v & ~self.sign > self.inf
    def is_snan(self, v): return self.is_nan(v) and not v & self.quiet
    def is_tiny(self, v): return 0 < v & ~self.sign < 1 << self.frac
    def key(self, v): return -(v & ~self.sign) if v & self.sign else v  # zeros are equal

    def values(self):
        s, one, inf = self.sign, (self.inf >> 1) & ~(self.quiet) & self.inf, self.inf
        one = ((1 << self.bits - 2 - self.frac) - 1) << self.frac
        return dict(zero=0, nzero=s, one=one, none=s | one, two=one + (1 << self.frac), big=inf - 1, nbig=s | inf - 1, inf=inf, ninf=s | inf,
                    tiny=1, ntiny=s | 1, tiny2=5, normal=1 << self.frac, qnan=inf | self.quiet | 5, nqnan=s | inf | self.quiet, snan=inf | 3)


def float_pairs(f):
    v = f.values()
    names = [("one", "two"), ("two", "one"), ("none", "one"), ("one", "none"), ("none", "nbig"), ("zero", "one"), ("none", "zero"), ("inf", "big"), ("big", "inf"),
             ("ninf", "nbig"), ("nbig", "ninf"), ("inf", "ninf"), ("nzero", "zero"), ("zero", "nzero"), ("one", "one")]
    nans = [("qnan", "one"), ("one", "qnan"), ("nqnan", "none"), ("snan", "two"), ("two", "snan"), ("qnan", "nqnan"), ("snan", "nqnan"), ("qnan", "inf")]
    tinies = [("tiny", "tiny2"), ("ntiny", "tiny"), ("tiny", "zero"), ("zero", "ntiny"), ("tiny2", "normal"), ("normal", "tiny2")]
    pick = lambda table: [(v[a], v[b]) for a, b in table]
    return pick(names), pick(nans), pick(tinies)


def alternatives(values, bits):
    words = list(dict.fromkeys(v if isinstance(v, str) else hexed(v, bits) for v in values))
    return words[0] if len(words) == 1 else "{" + "|".join(words) + "}"


def minmax(f, op, old, d):
    """What is stored: one value for numbers, a NaN or the number where there is a NaN."""
    if f.is_nan(old) or f.is_nan(d):
        nan = old if f.is_snan(old) or f.is_nan(old) and not f.is_snan(d) else d
        if f.is_nan(old) and f.is_nan(d):
            return ["anynan" if f.bits == 32 else "anynan64"]
        number = d if f.is_nan(old) else old
        return [nan | f.quiet, number] if f.is_snan(nan) else [number, nan]
    rank = lambda v: (f.key(v), 0 if v & f.sign else 1)  # -0 below +0
    return [(min if op == "min" else max)(old, d, key=rank)]


def flushed(f, v):
    return v & f.sign if f.is_tiny(v) else v


def minmax_flushing(f, op, old, d):
    """Where subnormals are flushed: what is stored is not, but what is compared may be."""
    plain = minmax(f, op, old, d)
    if f.key(flushed(f, old)) == f.key(flushed(f, d)):
        return plain + [old, d]
    return plain


def cmpst_float(f, old, d, e, flush):
    equal = lambda a, b: not f.is_nan(a) and not f.is_nan(b) and f.key(a) == f.key(b)
    plain = e if equal(old, d) else old
    if not flush:
        return [plain]
    return [e if equal(flushed(f, old), flushed(f, d)) else old, plain]


def add_float(old, d, m):
    """To nearest even whatever MODE says; NaNs quieted, the one in memory first."""
    if calc.is_nan(old) or calc.is_nan(d):
        return [calc.quiet(old if calc.is_nan(old) else d)]
    return calc.add(m, old, d)


DENORM = {32: "fp32_denorm", 64: "fp64_denorm"}


def minmax_tables(op):
    f = Format(op.bits)
    numbers, nans, tinies = float_pairs(f)
    cell = lambda values: alternatives(values, op.bits)
    return [("test values", [], [(o, d, 0, cell(minmax(f, op.op, o, d))) for o, d in numbers]),
            ("test nan", [], [(o, d, 0, cell(minmax(f, op.op, o, d))) for o, d in nans]),
            ("test subnormals kept", [], [(o, d, 0, cell(minmax(f, op.op, o, d))) for o, d in tinies]),
            ("test subnormals where they are flushed", [f"mode  {DENORM[op.bits]}=flush"], [(o, d, 0, cell(minmax_flushing(f, op.op, o, d))) for o, d in tinies])]


def cmpst_tables(op):
    f = Format(op.bits)
    numbers, nans, tinies = float_pairs(f)
    new = f.values()["two"] | 0x77
    cell = lambda values: alternatives(values, op.bits)
    same = [(o, o) for o, _ in nans]
    table = lambda pairs, flush: [(o, d, new, cell(cmpst_float(f, o, d, new, flush))) for o, d in pairs]
    return [("test values", [], table(numbers + [(f.values()["two"], f.values()["two"]), (f.inf, f.inf)], False)), ("test nan equals nothing", [], table(nans + same, False)),
            ("test subnormals kept", [], table(tinies + [(1, 1)], False)),
            ("test subnormals where they are flushed", [f"mode  {DENORM[op.bits]}=flush"], table(tinies + [(1, 1)], True))]


def add_tables(op):
    f = Format(32)
    numbers, nans, tinies = float_pairs(f)
    numbers += [(0x3F800001, 0x33800000), (0x3F800000, 0x33800000), (0x7F7FFFFF, 0x7F7FFFFF), (0x3F800001, 0xBF800000), (0xBF800000, 0x33800001)]
    small = tinies + [(0x00800000, 0x80000001), (0x00800001, 0x80800000)]
    cell = lambda values: alternatives(values, 32)
    tables = [("test values", [], numbers, calc.Mode()), ("test nan", [], nans, calc.Mode()), ("test nan without ieee", ["mode  ieee=0"], nans[:5], calc.Mode()),
              ("test subnormals kept", [], small, calc.Mode())]
    for word in ("flush", "keep_in", "keep_out"):
        tables += [(f"test subnormals, denorm {word}", [f"mode  fp32_denorm={word}"], small, calc.Mode(denorm=word))]
    for word in ("rtp", "rtn", "rtz"):
        tables += [(f"test round {word} has no effect", [f"mode  fp32_round={word}"], numbers[-5:], calc.Mode())]
    return [(title, extra, [(o, d, 0, cell(add_float(o, d, m))) for o, d in pairs]) for title, extra, pairs, m in tables]


FLOAT_TABLES = {"add": add_tables, "min": minmax_tables, "max": minmax_tables, "cmpst": cmpst_tables}


class DsFloat(Ds):
    def rule(self, old, d, e):
        """Of the sample values only: numbers."""
        if self.op == "add":
            return add_float(old, d, calc.Mode())[0]
        f = Format(self.bits)
        return cmpst_float(f, old, d, e, False)[0] if self.op == "cmpst" else minmax(f, self.op, old, d)[0]


def ds_float_file(op):
    out = op.head()
    for title, extra, table in FLOAT_TABLES[op.op](op):
        out += ds_table(op, table, title, extra)
    old, d = FLOAT_SAMPLE[op.bits]
    e = 0
    if op.op == "cmpst":
        d, e = old, FLOAT_SAMPLE[op.bits][1]
    out += ds_conflict(op, old, d, e)
    out += ds_float_lanes(op, d, e) + ds_edges(op, old, d, e)
    return "\n".join(out) + "\n"


def ds_float_lanes(op, d, e):
    values = {0: 0x40A00000, 1: 0x40400000, 2: 0x3F000000, 3: 0x40400000, 63: 0xC1200000}  # 5, 3, 0.5, 3, -10
    wide = {0: 0x4014000000000000, 1: 0x4008000000000000, 2: 0x3FE0000000000000, 3: 0x4008000000000000, 63: 0xC024000000000000}
    olds = values if op.bits == 32 else wide
    setup = [f"v10 = lane*{op.size}", f"{op.d} = {hexed(d, op.bits)}"] + ([f"{op.e} = {hexed(e, op.bits)}"] if op.two else []) + ["exec = 0x8000000000000006"]
    setup += [f"{op.place(8 + op.size * lane)} = {hexed(old, op.bits)}" for lane, old in olds.items()]
    out = []
    for lane in (1, 2, 63):
        new = op.rule(olds[lane], d, e)
        out += [f"{op.place(8 + op.size * lane)} = {hexed(new, op.bits)}"] + op.result(f"{op.dst}.lane{lane} = {hexed(olds[lane], op.bits)}")
    return ["", "test each lane at its own place, lanes that are off do nothing", "lds   1024"] + block(setup) + op.errata() + op.code() + [
        "case  lanes 1, 2 and 63"] + block(out, "out   ")


# ---- which opcodes there are ----

INTEGER = "add_u sub_u rsub_u inc_u dec_u min_i max_i min_u max_u and_b or_b xor_b mskor_b cmpst_b wrxchg_b".split()


def ds_ops():
    """Those with one address; SRC2 opcodes are among them."""
    for word in INTEGER:
        name, letter = word.rsplit("_", 1)
        rule = DS_NAMES.get(word, name)
        for bits in (32, 64):
            for rtn in ((True,) if name == "wrxchg" else (False, True)):
                yield Ds(f"ds_{name}{'_rtn' if rtn else ''}_{letter}{bits}", rule, bits, rtn)
            if name not in ("mskor", "cmpst", "wrxchg"):
                yield Ds(f"ds_{name}_src2_{letter}{bits}", rule, bits, False)
    for bits in (32, 64):
        yield Ds(f"ds_write_src2_b{bits}", "write", bits, False)
        for name in ("min", "max", "cmpst") + (("add",) if bits == 32 else ()):
            for rtn in ("", "_rtn"):
                yield DsFloat(f"ds_{name}{rtn}_f{bits}", name, bits, bool(rtn), True)
            if name != "cmpst":
                yield DsFloat(f"ds_{name}_src2_f{bits}", name, bits, False, True)
    yield Ds("ds_wrap_rtn_b32", "wrap", 32, True)
    yield Ds("ds_condxchg32_rtn_b64", "condxchg", 64, True)


def ds_files():
    for op in ds_ops():
        yield op.name, (src2_file if "_src2_" in op.name else ds_float_file if op.is_float else ds_file)(op)
    for bits in (32, 64):
        for st in ("", "st64"):
            op = f"ds_wrxchg2{st}_rtn_b{bits}"
            yield op, xchg2_file(op, bits, bool(st))


# ---- FLAT and GLOBAL ----

class Flat(Op):
    """v[10:11] address, v[2:5] data (of compare and swap: new value below, compared one above), v[0:1] result with glc."""

    def __init__(self, name, op, bits):
        super().__init__(name.split("_")[0], name, op, bits, True)
        self.dst, self.d = vregs(0, self.dw), vregs(2, 2 * self.dw if op == "cmpswap" else self.dw)
        self.tail = ", off" if self.family == "global" else ""
        self.wait = "    s_waitcnt vmcnt(0)" + (" lgkmcnt(0)" if self.family == "flat" else "")

    def head(self):
        return ["case-format 1", f"# {RULES[self.op][1]} {'a dword' if self.bits == 32 else 'two dwords'} of memory, as one; with glc the old value comes back.",
                f"# Vega ISA, chapter 12 ({self.family.upper()} opcodes)."]

    def data(self, d, e):
        return hexed(e << self.bits | d, 2 * self.bits) if self.two else hexed(d, self.bits)

    def line(self, mods="", glc=True, saddr=None):
        operands = ([self.dst] if glc else []) + (["v10", self.d, saddr] if saddr else ["v[10:11]", self.d + self.tail])
        return f"    {self.name} {', '.join(operands)}{mods}" + (" glc" if glc else "")

    def code(self, mods="", glc=True, saddr=None):
        return ["code", self.line(mods, glc, saddr), self.wait]


def flat_table(op, table, glc):
    place = f"buf[16].b{op.bits}"
    columns = ["v[10:11]", op.d, place, "|", place] + ([op.dst] if glc else [])
    return rows(columns, [["&buf+8", op.data(d, e), hexed(old, op.bits), "|", hexed(op.rule(old, d, e), op.bits)] + ([hexed(old, op.bits)] if glc else [])
                          for old, d, e in table])


def flat_file(op):
    old, d, e = SAMPLE.get(op.op, (1000, 13, 0))
    table = points(op.op, op.bits)
    bits, size, errata = op.bits, op.size, op.errata()
    place = lambda at: f"buf[{at}].b{bits}"
    out = op.head()
    out += ["", "test the old value comes back with glc", "mem   buf 256"] + errata + op.code(" offset:8") + flat_table(op, table, True)
    out += ["", "test without glc nothing comes back", "mem   buf 256"] + errata + op.code(" offset:8", False) + flat_table(op, table[:6], False)
    steps = [old]
    for _ in range(3):
        steps.append(op.rule(steps[-1], d, e))
    returned = "|".join(dict.fromkeys(hexed(s, bits) for s in steps[:3]))
    returned = "{" + returned + "}" if "|" in returned else returned
    out += ["", "test three lanes at one place", "mem   buf 256"] + block(
        [f"{place(8)} = {hexed(old, bits)}", "v[10:11] = &buf", f"{op.d} = {op.data(d, e)}", "exec = 0x8000000200000002"]) + errata + op.code(" offset:8")
    out += ["case  lanes 1, 33 and 63" + "  # in any order" * ("|" in returned)] + block([f"{place(8)} = {hexed(steps[3], bits)}", f"{op.dst} = {returned}"], "out   ")
    lane_data = {"inc": (106, 0), "dec": (103, 0), "cmpswap": (50, 103)}.get(op.op, (d, e))
    olds = {lane: 100 + 3 * lane for lane in range(4)}
    where = {1: 16, 2: 0, 63: 32}
    setup = [f"{place(where[lane])} = {olds.get(lane, 7)}" for lane in where] + [f"v[10:11].lane{lane} = &buf+{at}" for lane, at in where.items()]
    setup += ["v[10:11].lane0 = &buf+48", f"{op.d} = {op.data(*lane_data)}", "exec = 0x8000000000000006"]
    out += ["", "test each lane at its own place, lanes that are off do nothing", "mem   buf 256"] + block(setup) + errata + op.code() + ["case  lanes 1, 2 and 63"]
    results = []
    for lane, at in where.items():
        results += [f"{place(at)} = {hexed(op.rule(olds.get(lane, 7), *lane_data), bits)}", f"{op.dst}.lane{lane} = {olds.get(lane, 7)}"]
    out += block(results, "out   ")
    new, far = hexed(op.rule(old, d, e), bits), 4096 - size
    common = [f"{op.d} = {op.data(d, e)}", "exec = 1"]
    done = [f"{op.dst} = {hexed(old, bits)}"]
    out += ["", "test the longest offset", "mem   buf 4096"] + block([f"{place(far)} = {hexed(old, bits)}", "v[10:11] = &buf"] + common) + errata
    out += op.code(f" offset:{far}") + ["case  the last place of 4 KiB"] + block([f"{place(far)} = {new}"] + done, "out   ")
    out += (global_forms if op.family == "global" else flat_apertures)(op, place, old, new, common, done)
    out += ["", "test the destination is the data", "mem   buf 256"] + errata
    first = vregs(2, op.dw)
    out += ["code", f"    {op.name} {first}, v[10:11], {op.d}{op.tail} glc", op.wait] + (
        rows(["v[10:11]", op.d, place(16), "|", place(16), first], [["&buf+16", op.data(d, e), hexed(old, bits), "|", new, hexed(old, bits)]]))
    return "\n".join(out) + "\n"


def global_forms(op, place, old, new, common, done):
    out = ["", "test the offset is signed", "mem   buf 4352"] + block([f"{place(256)} = {hexed(old, op.bits)}", "v[10:11] = &buf+4352"] + common) + op.errata()
    out += op.code(" offset:-4096") + ["case  4 KiB back"] + block([f"{place(256)} = {new}"] + done, "out   ")
    out += ["", "test scalar base, unsigned register offset, signed immediate", "mem   buf 256"] + block(
        [f"{place(64)} = {hexed(old, op.bits)}", "s[4:5] = &buf+32", "v10 = 48"] + common) + op.errata()
    out += op.code(" offset:-16", saddr="s[4:5]") + ["case  lane 0"] + block([f"{place(64)} = {new}"] + done, "out   ")
    out += op.errata()[:0] + ["", "test scalar base without glc", "mem   buf 256"] + block(
        [f"{place(64)} = {hexed(old, op.bits)}", "s[4:5] = &buf+32", "v10 = 32"] + common) + op.errata()
    return out + op.code(glc=False, saddr="s[4:5]") + ["case  lane 0", f"out   {place(64)} = {new}"]


def flat_apertures(op, place, old, new, common, done):
    """LDS; private memory of lane 3, whose dwords lie 256 bytes apart."""
    out = ["", "test an address in the shared aperture is lds", "lds   512"] + block([f"lds[24].b{op.bits} = {hexed(old, op.bits)}", "v10 = 16"] + common)
    tail = ["    s_mov_b64 s[2:3], {}", "    v_mov_b32 v11, s3", op.line(" offset:8"), op.wait]
    out += op.errata() + ["code"] + [line.format("src_shared_base") for line in tail] + ["case  lane 0"]
    out += block([f"lds[24].b{op.bits} = {new}"] + done + ["v11.lane0 = ?", "s[2:3] = ?"], "out   ")
    halves = lambda word: [f"buf[{6 * 256 + 12 + 256 * k}].b32 = 0x{int(word, 16) >> 32 * k & 0xffffffff:08x}" for k in range(op.dw)]
    out += ["", "test an address in the private aperture is scratch", "mem   buf 4096"] + block(
        halves(hexed(old, op.bits)) + ["flat_scratch = &buf", "v10 = 16", common[0], "exec = 8"])
    out += op.errata() + ["code"] + [line.format("src_private_base") for line in tail] + ["case  lane 3"]
    return out + block(halves(new) + done + ["v11.lane3 = ?", "s[2:3] = ?"], "out   ")


FLAT_RULES = "swap cmpswap add sub smin umin smax umax and or xor inc dec".split()


def flat_ops():
    for family in ("flat", "global"):
        for rule in FLAT_RULES:
            for bits, suffix in ((32, ""), (64, "_x2")):
                yield Flat(f"{family}_atomic_{rule}{suffix}", rule, bits)


def flat_files():
    for op in flat_ops():
        yield op.name, flat_file(op)


# ---- floats in memory, which return nothing ----

def half_value(h):
    """The exact value of a finite f16."""
    exponent, fraction = h >> 10 & 31, h & 1023
    v = Fraction(fraction, 1 << 24) if exponent == 0 else Fraction((fraction | 1024) << exponent, 1 << 25)
    return -v if h >> 15 else v


def half_round(v):
    """To nearest even, subnormals and all; `v` is not 0."""
    sign, v = (0x8000, -v) if v < 0 else (0, v)
    exponent = max(calc.exponent_of(v), -14)
    n = calc.to_whole(v / Fraction(2)**(exponent - 10), "rne")
    return sign | min((exponent + 14 << 10) + n, 0x7C00)


def half_add(a, b):
    """Sums of numbers and infinities."""
    infinite = [h for h in (a, b) if h & 0x7C00 == 0x7C00]
    if infinite:
        return infinite[0]
    v = half_value(a) + half_value(b)
    return half_round(v) if v else a & b & 0x8000


class Global:
    columns, at, setup = "v[10:11]", "&buf+8", []
    lane_setup = ["s[4:5] = &buf+16", "v10 = lane*16"]

    @staticmethod
    def line(op): return f"    {op} v[10:11], v2, off offset:8"
    @staticmethod
    def lane_line(op): return f"    {op} v10, v2, s[4:5] offset:-16"


def buffer_lanes(op, rule, operands):
    """Behind the tests that all families share."""
    return "\n".join(calc_buf_lanes.tests(op, calc_buf_lanes.Atomic("", 32, rule, operands, False))) + "\n"


class Buffer:
    columns, at, setup = "v10", "8", ["s[4:5] = &buf  s6 = 256  s7 = 0x24fac"]
    lane_setup = ["s[4:5] = &buf", "s6 = 48", "s7 = 0x24fac", "v10 = lane*16"]

    @staticmethod
    def line(op): return f"    {op} v2, v10, s[4:7], 0 offen offset:8"
    @staticmethod
    def lane_line(op): return f"    {op} v2, v10, s[4:7], 0 offen"


def memory_float_file(form, op, words, table, errata):
    """table: (title, mode, [(old, data, new word)]); errata: by title, or under None of all tests"""
    ids = lambda title: errata.get(title, errata.get(None, []))
    wait = "    s_waitcnt vmcnt(0)"
    out = ["case-format 1", f"# {words} memory, as one. MODE does not count, nothing comes back. MI100 ISA, sections 10.3 and 12."]
    for title, mode, cells in table:
        out += ["", "test " + title, "mem   buf 256", *mode, *ids(title)] + ["in    " + s for s in form.setup] + ["code", form.line(op), wait]
        out += rows([form.columns, "v2", "buf[16].b32", "|", "buf[16].b32"], [[form.at, hexed(d, 32), hexed(old, 32), "|", new] for old, d, new in cells])
    old, d, new = table[0][2][0]
    out += ["", "test each lane at its own place, lanes that are off do nothing", "mem   buf 256", *ids(None)] + block(
        [f"buf[{at}].b32 = {hexed(old, 32)}" for at in (0, 16, 32)] + form.lane_setup + [f"v2 = {hexed(d, 32)}", "exec = 0x5"])
    return "\n".join(out + ["code", form.lane_line(op), wait, "case  lanes 0 and 2"] + block([f"buf[{at}].b32 = {new}" for at in (0, 32)], "out   ")) + "\n"


def memory_float_files():
    flat = {None: ["errata FLAT-U12"]}
    buffer = {"values": ["errata BUF-C12"], "subnormals are flushed, in and out": ["errata BUF-U19"]}
    numbers, nans, tinies = float_pairs(Format(32))
    numbers = [(0x40400000, 0x3FC00000)] + numbers + [(0x3F800001, 0x33800000), (0x3F800000, 0x33800000), (0x7F7FFFFF, 0x7F7FFFFF), (0xBF800000, 0x33800001)]
    numbers = [p for p in numbers if p != (calc.INF, calc.INF | calc.SIGN)]
    small = tinies + [(0x00800000, 0x80000001), (0x00800001, 0x80800000), (0x00400000, 0x00400000)]
    flush = calc.Mode(denorm="flush")
    cell = lambda pairs: [(o, d, alternatives(calc.add(flush, o, d), 32)) for o, d in pairs]
    table = [("values", [], cell(numbers)), ("subnormals are flushed, in and out", [], cell(small)), ("subnormals are flushed in any mode", ["mode  denorm=flush"], cell(small)),
             ("nan", [], [(o, d, "anynan") for o, d in nans + [(calc.INF, calc.INF | calc.SIGN)]])]
    table += [(f"round {word} has no effect", [f"mode  round={word}"], cell(numbers[-4:])) for word in ("rtp", "rtn", "rtz")]
    lanes = buffer_lanes("buffer_atomic_add_f32", lambda old, d: calc.add(flush, old, d)[0], [(0x40400000, 0x3FC00000), (0x40A00000, 0xC0000000), (0x3F000000, 0x41200000)])
    for name, form, ids in (("global", Global, flat), ("buffer", Buffer, buffer)):
        text = memory_float_file(form, f"{name}_atomic_add_f32", "Adds an f32 to", table, ids)
        yield f"{name}_atomic_add_f32", text + lanes * (form is Buffer)
    low = [(0x4200, 0x3E00), (0x3C00, 0xC000), (0x7BFF, 0x7BFF), (0x3C00, 0x1000), (0x3C01, 0x1000), (0x8000, 0x0000), (0x8000, 0x8000), (0x7C00, 0x3C00), (0x3C00, 0xBC00)]
    high = [(0xB800, 0x3C00), (0x3C00, 0x1001), (0x4000, 0x3C00), (0xFC00, 0x7BFF), (0x0000, 0x8000), (0x3C01, 0xBC00), (0x5640, 0x3C00), (0x4000, 0x4400), (0xC500, 0x3800)]
    tiny = [(0x0001, 0x0002), (0x03FF, 0x0001), (0x0400, 0x8001), (0x8001, 0x0001), (0x0200, 0x0200)]

    def pairs(a, b):
        return [(y[0] << 16 | x[0], y[1] << 16 | x[1], hexed(half_add(*y) << 16 | half_add(*x), 32)) for x, y in zip(a, b)]

    table = [("values, each half by itself", [], pairs(low, high)), ("subnormals are kept", [], pairs(tiny, tiny[::-1])),
             ("subnormals are kept in any mode", ["mode  denorm=flush"], pairs(tiny, tiny[::-1]))]
    table += [(f"round {word} has no effect", [f"mode  round={word}"], pairs(low[3:5], high[1:3])) for word in ("rtp", "rtn", "rtz")]
    lanes = buffer_lanes("buffer_atomic_pk_add_f16", lambda old, d: half_add(old >> 16, d >> 16) << 16 | half_add(old & 0xffff, d & 0xffff),
                         [(0x3C004200, 0x40003E00), (0x4500C200, 0xC0003800), (0x38004900, 0x4880B400)])
    for name, form, ids in (("global", Global, flat), ("buffer", Buffer, buffer)):
        text = memory_float_file(form, f"{name}_atomic_pk_add_f16", "Adds two f16 to those in", table, ids)
        yield f"{name}_atomic_pk_add_f16", text + lanes * (form is Buffer)


def main():
    root = pathlib.Path(sys.argv[1])
    for op, text in (*ds_files(), *flat_files(), *memory_float_files()):
        folder = root / re.match(r"[a-z]+", op)[0].replace("buffer", "mubuf")
        folder.mkdir(exist_ok=True)
        path = folder / f"{op}.case"
        tags.write(path, with_what_is_by_hand(path, text))


if __name__ == "__main__":
    main()
