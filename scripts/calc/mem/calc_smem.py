#!/usr/bin/env python3
"""Works out the expectations of scalar memory - buffer and scratch loads, stores, atomics - and writes their case files.

    scripts/calc/mem/calc_smem.py cases

The memory of a case holds 0xd0000000 + its offset in every dword. s_load_* have files written by hand, to which tests
are added behind MARK. Vega ISA, chapters 7 and 12.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

import tags
from calc_atomic import ERRATA, FLAT_RULES, RULES, SAMPLE, TWO_DATA, hexed, points
from calc_mem import block, rows

WAIT = "    s_waitcnt lgkmcnt(0)"
WORDS = {1: "a dword", 2: "two dwords", 4: "four dwords", 8: "eight dwords", 16: "sixteen dwords"}


def sregs(first, dwords):
    return f"s{first}" if dwords == 1 else f"s[{first}:{first + dwords - 1}]"


def dword(at):
    return 0xD0000000 + at


# ---- registers at both ends of the file, for every opcode ----

MARK = "# Worked out by scripts/calc/mem/calc_smem.py."
SDATA = (16, 36, 80)  # three accesses follow each other
STARTS = (0, 64, 192)  # of their bases, in bytes from &buf
TOUCHES = (4, 64 + 60, 192)  # what is longer than a dword crosses a line of 64 bytes in the second


def bases(buffer):
    """Three bases and what sets them."""
    at = ["&buf"] + [f"&buf+{n}" for n in STARTS[1:]]
    if buffer:
        firsts = (0, 8, 96)
        return [f"s[{f}:{f + 3}]" for f in firsts], [f"s[{f}:{f + 1}] = {start}  s{f + 2} = 512  s{f + 3} = 0" for f, start in zip(firsts, at)]
    names = ["s[0:1]", "vcc", "s[100:101]"]
    return names, [f"{name} = {start}" for name, start in zip(names, at)]


def ends_head(buffer, errata=()):
    names = bases(buffer)[0]
    return ["", "# The third has an immediate offset of 0.", f"test bases in {names[0]}, {names[1]} and {names[2]}", "mem   buf 1024", *errata]


def load_ends(op, dwords, buffer, unit):
    names, sets = bases(buffer)
    base = "s[4:7]" if buffer else "s[4:5]"
    values = lambda first, at: [f"{name} = {word}" for name, word in zip(Results(first, dwords).names, Results(first, dwords).words([dword(at + 4 * k) for k in range(dwords)]))]
    out = ends_head(buffer) + block(sets) + ["code"]
    out += [f"    {op} {sregs(first, dwords)}, {name}, {at - start}" for first, name, at, start in zip(SDATA, names, TOUCHES, STARTS)]
    out += [WAIT] + block([w for first, at in zip(SDATA, TOUCHES) for w in values(first, at)], "out   ")
    at = [2 * 64, 3 * 64, 64 + 16] if unit == 64 else [20, 120, 16 + 36]
    out += ["", "# A register offset is one whatever its number, and whatever it holds.", "test offsets in s0, in s101 and in s0 beside an immediate", "mem   buf 1024"]
    sets = ["s[4:5] = &buf"] + (["s6 = 1024", "s7 = 0"] if buffer else [])
    out += block(sets + [f"s101 = {at[1] // unit}"]) + ["code", f"    {op} {sregs(16, dwords)}, {base}, s0", f"    {op} {sregs(36, dwords)}, {base}, s101",
                                                        f"    {op} {sregs(80, dwords)}, {base}, s0 offset:16", WAIT]
    for n, s0 in enumerate((at[0] // unit, 0)):
        out += [f"case  s0 is {s0}", f"in    s0 = {s0}"] + block(values(16, s0 * unit) + values(36, at[1]) + values(80, s0 * unit + 16), "out   ")
    if unit == 1:
        out += ["", "# As there, where no immediate stands beside a register.", "test offsets in s0 and in s101", "targets gfx6 gfx7 gfx8", "mem   buf 1024"]
        out += block(sets + [f"s101 = {at[1]}"]) + ["code", f"    {op} {sregs(16, dwords)}, {base}, s0", f"    {op} {sregs(36, dwords)}, {base}, s101", WAIT]
        for s0 in (at[0], 0):
            out += [f"case  s0 is {s0}", f"in    s0 = {s0}"] + block(values(16, s0) + values(36, at[1]), "out   ")
    return out + load_over_base(op, dwords, buffer, unit, values(16, 20))


def load_over_base(op, dwords, buffer, unit, values):
    base, sets = ("s[16:19]", ["s18 = 256", "s19 = 0"]) if buffer else ("s[16:17]", [])
    out = ["", "# Forbidden where memory may be replayed.", "test the destination is the base", "mem   buf 256", "errata SMEM-U05" + " SMEM-C04 SMEM-U14" * (unit == 64)] + block(["s[16:17] = &buf", *sets])
    return out + ["code", f"    {op} {sregs(16, dwords)}, {base}, 20", WAIT] + block(values, "out   ")


def store_ends(op, dwords, buffer):
    names, sets = bases(buffer)
    out, data = ends_head(buffer), []
    data = [[(0x9E3779B1 * (4 * n + k + 1)) % 2**32 for k in range(dwords)] for n in range(3)]
    joined = lambda words: "0x" + "".join(f"{w:08x}" for w in reversed(words))
    out += block(sets + [f"{sregs(first, dwords)} = {joined(words)}" for first, words in zip(SDATA, data)]) + ["code"]
    out += [f"    {op} {sregs(first, dwords)}, {name}, {at - start}" for first, name, at, start in zip(SDATA, names, TOUCHES, STARTS)]
    return out + ["    s_dcache_wb", WAIT] + block([f"buf[{at}].b{32 * dwords} = {joined(words)}" for at, words in zip(TOUCHES, data)], "out   ")


def registers_head(errata):
    return ["", "# A register offset is one whatever its number.", "test offsets in s0 and in s101", "mem   buf 256", f"errata {errata}"]


def store_registers(op, dwords, buffer, unit):
    base, sized = ("s[4:7]", ["s6 = 256", "s7 = 0"]) if buffer else ("s[4:5]", [])
    words = lambda n: "0x" + "".join(f"{(0x9E3779B1 * (4 * n + k + 1)) % 2**32:08x}" for k in reversed(range(dwords)))
    low, high = sregs(16, dwords), sregs(80, dwords) if dwords > 1 else "vcc_hi"
    out = registers_head("SMEM-C03") + block(["s[4:5] = &buf", *sized, f"s0 = {64 // unit}", f"s101 = {128 // unit}", f"{low} = {words(16)}", f"{high} = {words(80)}"])
    out += ["code", f"    {op} {low}, {base}, s0", f"    {op} {high}, {base}, s101", "    s_dcache_wb", WAIT]
    return out + block([f"buf[64].b{32 * dwords} = {words(16)}", f"buf[128].b{32 * dwords} = {words(80)}"], "out   ")


def atomic_registers(op, rule, bits, buffer, ids):
    base, sized = ("s[4:7]", ["s6 = 256", "s7 = 0"]) if buffer else ("s[4:5]", [])
    data_dw = bits // 32 * (2 if rule in TWO_DATA else 1)
    old, d, e = SAMPLE.get(rule, (1000, 13, 0))
    new = RULES[rule][0](old, d, e, bits) % (1 << bits)
    ins, out = ["s[4:5] = &buf", *sized, "s0 = 64", "s101 = 128"], []
    for first, at in ((16, 64), (80, 128)):
        ins += [f"buf[{at}].b{bits} = {old}", f"{sregs(first, data_dw)} = {hexed(e << bits | d, 32 * data_dw)}"]
        out += [f"buf[{at}].b{bits} = {new}"] * (new != old) + [f"{sregs(first, data_dw)} = {hexed(e << bits | old, 32 * data_dw)}"]
    code = ["code", f"    {op} {sregs(16, data_dw)}, {base}, s0 glc", f"    {op} {sregs(80, data_dw)}, {base}, s101 glc", "    s_dcache_wb", WAIT]
    return registers_head(" ".join(["SMEM-C03"] + ids)) + block(ins) + code + block(out, "out   ")


def atomic_ends(op, rule, bits, buffer, errata):
    """The first and the third return; of a compare and swap the third does not swap."""
    names, sets = bases(buffer)
    places, data_dw = (16, 120, 192), bits // 32 * (2 if rule in TWO_DATA else 1)
    old, d, e = SAMPLE.get(rule, (1000, 13, 0))
    ins, code, out = [], [], []
    for n, (first, name, at) in enumerate(zip(SDATA, names, places)):
        old_n, d_n, e_n = (v + n if v else 0 for v in (old, d, e))
        e_n += rule == "cmpswap" and n == 2
        new = RULES[rule][0](old_n, d_n, e_n, bits) % (1 << bits)
        if n == 1 and new == old_n:  # only memory tells
            old_n, d_n = d_n, old_n
            new = RULES[rule][0](old_n, d_n, e_n, bits) % (1 << bits)
            assert new != old_n, rule
        ins += [f"buf[{at}].b{bits} = {old_n}", f"{sregs(first, data_dw)} = {hexed(e_n << bits | d_n, 32 * data_dw)}"]
        code += [f"    {op} {sregs(first, data_dw)}, {name}, {at - STARTS[n]}" + " glc" * (n != 1)]
        out += [f"buf[{at}].b{bits} = {new}"] * (new != old_n)
        if n != 1:
            out.append(f"{sregs(first, data_dw)} = {hexed(e_n << bits | old_n, 32 * data_dw)}")
    return ends_head(buffer, errata) + block(sets + ins) + ["code"] + code + ["    s_dcache_wb", WAIT] + block(out, "out   ")


class Results:
    """Places of up to four registers each."""

    def __init__(self, first, dwords):
        self.first, self.dwords = first, dwords
        self.names = [sregs(first + n, min(4, dwords - n)) for n in range(0, dwords, 4)]

    def words(self, values):
        return [f"0x{sum(v << 32 * k for k, v in enumerate(values[n:n + 4])):0{8 * len(values[n:n + 4])}x}" for n in range(0, self.dwords, 4)]


def load_file(op, dwords, buffer, unit):
    """unit: what the register part of an offset counts. A buffer's size is num_records * stride, or num_records bytes."""
    dst, r = sregs(16, dwords), Results(16, dwords)
    base = "s[4:7]" if buffer else "s[4:5]"
    about = "a buffer; what lies beyond its end reads as zero, dword by dword" if buffer else "memory; a scalar offset counts 64 bytes"
    out = ["case-format 1", f"# Loads {WORDS[dwords]} to scalar registers from {about}.", "# EXEC does not matter. Vega ISA, chapters 7 and 12.6." + " Resources: cases/README.md." * buffer]
    table = lambda columns, lines: rows(columns + ["|"] + r.names, lines)
    at = lambda start: r.words([dword(start + 4 * k) for k in range(dwords)])

    def test(title, line, columns, lines, setup=(), errata=()):
        return ["", f"test {title}", "mem   buf 1024", *errata] + (block(list(setup)) if setup else []) + ["code", f"    {op} {dst}, {base}, {line}", WAIT] + table(columns, lines)

    sized = ["s6 = 1024", "s7 = 0"] if buffer else []
    out += test("offset in bytes", "8", ["s[4:5]", "exec"], [[f"&buf+{p}", e, "|"] + at(p + 8) for p, e in ((0, 1), (256, 0))], sized)
    out += test("the low two bits of the address do not count", "16", ["s[4:5]"], [[f"&buf+{p}", "|"] + at((p & ~3) + 16) for p in (1, 3, 7)], sized)
    out += test("offset in a register", "s8", ["s[4:5]", "s8"], [["&buf", p, "|"] + at((p * unit) & ~3) for p in ((0, 4, 7) if unit == 64 else (0, 20, 23))], sized)
    out += test("offset in m0", "m0", ["s[4:5]", "m0"], [["&buf", p, "|"] + at(p * unit) for p in ((3,) if unit == 64 else (44,))], sized)
    imm = 16 if buffer else -16  # of buffers, offsets are not negative
    out += test("register and signed offset are both added", f"s8 offset:{imm}", ["s[4:5]", "s8"], [["&buf", p, "|"] + at(p * unit + imm) for p in ((1, 2) if unit == 64 else (16, 100))], sized)
    if unit == 64:
        out += test("a large register offset", "s8 offset:-0x100000", ["s[4:5]", "s8"], [["&buf", 0x4001, "|"] + at(0x4001 * 64 - 0x100000)])
    if buffer:
        size = 4 * dwords
        ranged = lambda start, end: r.words([dword(start + 4 * k) if start + 4 * k + 4 <= end else 0 for k in range(dwords)])
        out += test("num_records counts bytes without a stride", "64", ["s[4:5]", "s6"],
                    [["&buf", 64 + n, "|"] + ranged(64, 64 + n) for n in dict.fromkeys((size, size - 1, size - 4, 4, 3, 0))], ["s7 = 0"], ["errata SMEM-C05"])
        stride = 16
        out += test("num_records counts records of the stride", "64", ["s[4:5]", "s6"],
                    [[f"&buf+{stride << 48:#x}", n, "|"] + ranged(64, n * stride) for n in (4, 5, 6, 8, 9)], ["s7 = 0"], ["errata SMEM-C05"])
        out += test("a stride of 14 bits, the bits above it do not count", "64", ["s[4:5]", "s6"],
                    [[f"&buf+{(high | 60 + size) << 48:#x}", 1, "|"] + ranged(64, 60 + size) for high in (0, 0x4000, 0x8000)], ["s7 = 0"], ["errata SMEM-C06"])
        out += test("many large records", "64", ["s[4:5]", "s6"], [[f"&buf+{0x3FFF << 48:#x}", "0xffffffff", "|"] + at(64)], ["s7 = 0"])
        out += test("the end by a register offset", "s8", ["s[4:5]", "s8"], [["&buf", p, "|"] + ranged(p, 512) for p in (512 - size, 512 - 4, 512)], ["s6 = 512", "s7 = 0"],
                    ["errata SMEM-C12"] if op == "s_buffer_load_dwordx4" else [])
    return "\n".join(out + load_ends(op, dwords, buffer, unit)) + "\n"


def store_file(op, dwords, buffer, unit):
    src = sregs(16, dwords)
    base = "s[4:7]" if buffer else "s[4:5]"
    about = "a buffer; what lies beyond its end is not stored, dword by dword" if buffer else "memory" + ("; a scalar offset counts 64 bytes" if unit == 64 else "")
    out = ["case-format 1", f"# Stores {WORDS[dwords]} from scalar registers to {about}.", "# EXEC does not matter. Vega ISA, chapters 7 and 12.6." + " Resources: cases/README.md." * buffer]
    values = [(0x9F8E7D6C - 0x11111111 * k) % 2**32 for k in range(dwords)]
    data = "0x" + "".join(f"{v:08x}" for v in reversed(values))

    def stored(at, end=1 << 20):
        places = [f"buf[{at + 4 * k}].b32 = 0x{v:08x}" for k, v in enumerate(values) if at + 4 * k + 4 <= end]
        return block(places, "out   ") if places else ["out   m0 = same"]

    def test(title, line, cases, setup=(), errata=(), src=src):
        lines = ["", f"test {title}", "mem   buf 1024", *errata] + block([f"{src} = {data}", *setup]) + ["code", f"    {op} {src}, {base}, {line}", "    s_dcache_wb", WAIT]
        for name, inputs, results in cases:
            lines += [f"case  {name}", f"in    {inputs}"] + results
        return lines

    sized = ["s6 = 1024", "s7 = 0"] if buffer else []
    out += test("offset in bytes", "8", [("all lanes on", "s[4:5] = &buf", stored(8)), ("no lane on", "s[4:5] = &buf+256  exec = 0", stored(264))], sized)
    out += test("the low two bits of the address do not count", "16", [(f"at {p}", f"s[4:5] = &buf+{p}", stored((p & ~3) + 16)) for p in (1, 7)], sized)
    out += test("offset in m0", "m0", [(f"m0 {p}", f"s[4:5] = &buf  m0 = {p}", stored(p * unit & ~3)) for p in ((0, 3) if unit == 64 else (0, 44, 47))], sized)
    imm = 16 if buffer else -16
    out += test("m0 and signed offset are both added", f"m0 offset:{imm}", [(f"m0 {p}", f"s[4:5] = &buf  m0 = {p}", stored(p * unit + imm)) for p in ((1, 2) if unit == 64 else (16, 100))], sized,
                src=sregs(0, dwords))
    if buffer:
        size = 4 * dwords
        out += test("num_records counts bytes without a stride", "64",
                    [(f"{n} bytes of it inside", f"s[4:5] = &buf  s6 = {64 + n}", stored(64, 64 + n)) for n in dict.fromkeys((size, size - 1, 4, 3))], ["s7 = 0"], ["errata SMEM-C05"])
        out += test("num_records counts records of the stride", "64",
                    [(f"{n} records of 16 bytes", f"s[4:5] = &buf+{16 << 48:#x}  s6 = {n}", stored(64, n * 16)) for n in (4, 5, 8)], ["s7 = 0"], ["errata SMEM-C05"])
        out += test("a stride of 14 bits, the bits above it do not count", "64",
                    [("all but the last dword", f"s[4:5] = &buf+{(0xC000 | 60 + size) << 48:#x}  s6 = 1", stored(64, 60 + size))], ["s7 = 0"], ["errata SMEM-C06"])
    return "\n".join(out + store_ends(op, dwords, buffer) + store_registers(op, dwords, buffer, unit)) + "\n"


def atomic_file(op, rule, bits, buffer):
    dw, size = bits // 32, bits // 8
    two = rule in TWO_DATA
    data_dw = 2 * dw if two else dw
    src, dst = sregs(16, data_dw), sregs(16, dw)
    base = "s[4:7]" if buffer else "s[4:5]"
    apply = lambda old, d, e: RULES[rule][0](old, d, e, bits) % (1 << bits)
    data = lambda d, e: hexed(e << bits | d, 2 * bits) if two else hexed(d, bits)
    after = lambda old, d, e: data(old, e)  # the old value takes the place of the data's first half
    ids = ERRATA.get(rule + str(bits))
    errata = [f"errata {ids}"] if ids else []
    out = ["case-format 1", f"# {RULES[rule][1]} {'a dword' if bits == 32 else 'two dwords'} of {'a buffer' if buffer else 'memory'}, as one; with glc the old value replaces the data.",
           "# EXEC does not matter. Vega ISA, chapters 7 and 12.6." + " Resources: cases/README.md." * buffer]
    sized = ["s6 = 256", "s7 = 0"] if buffer else []
    place = lambda at: f"buf[{at}].b{bits}"

    def head(title, mods, setup=(), src=src):
        return ["", f"test {title}", "mem   buf 256", *errata] + (block(list(setup)) if setup else []) + ["code", f"    {op} {src}, {base}, {mods}", "    s_dcache_wb", WAIT]

    table = points(rule, bits)
    out += head("the old value comes back with glc", "16 glc", ["s[4:5] = &buf"] + sized)
    out += rows([src, place(16), "|", place(16), src], [[data(d, e), hexed(old, bits), "|", hexed(apply(old, d, e), bits), after(old, d, e)] for old, d, e in table])
    out += head("without glc nothing comes back", "16", ["s[4:5] = &buf"] + sized)
    out += rows([src, place(16), "|", place(16)], [[data(d, e), hexed(old, bits), "|", hexed(apply(old, d, e), bits)] for old, d, e in table[:5]])
    old, d, e = SAMPLE.get(rule, (1000, 13, 0))
    new = hexed(apply(old, d, e), bits)
    common = [f"{src} = {data(d, e)}", f"{place(64)} = {hexed(old, bits)}"] + sized
    done = f"{place(64)} = {new}  {src} = {after(old, d, e)}"
    out += head("offset in m0", "m0 glc", common) + ["case  no lane on", "in    s[4:5] = &buf  m0 = 64  exec = 0", f"out   {done}"]
    out += ["case  the low two bits do not count", "in    s[4:5] = &buf+2  m0 = 67", f"out   {done}"]
    imm = 32 if buffer else -32
    low, (was, new_d) = sregs(0, data_dw), (old, d) if apply(old, d, e) != apply(old, 0, 0) else (d, old)  # data of 0 show
    out += head("m0 and signed offset are both added", f"m0 offset:{imm} glc", [f"{low} = {data(new_d, e)}", f"{place(64)} = {hexed(was, bits)}"] + sized, low)
    out += ["case  64", f"in    s[4:5] = &buf  m0 = {64 - imm}", f"out   {place(64)} = {hexed(apply(was, new_d, e), bits)}  {low} = {after(was, new_d, e)}"]
    if buffer:
        zero = f"{src} = {after(0, d, e)}"
        out += head("beyond the end nothing happens", "64 glc", common[:2] + ["s7 = 0"])
        out += ["case  all of it inside", f"in    s[4:5] = &buf  s6 = {64 + size}", f"out   {done}", "case  a byte beyond", f"in    s[4:5] = &buf  s6 = {63 + size}", f"out   {zero}",
                "case  records of 8 bytes", f"in    s[4:5] = &buf+{8 << 48:#x}  s6 = 9", f"out   {done}", "case  too few records", f"in    s[4:5] = &buf+{8 << 48:#x}  s6 = 8", f"out   {zero}"]
    return "\n".join(out + atomic_ends(op, rule, bits, buffer, errata) + atomic_registers(op, rule, bits, buffer, [ids] if ids else [])) + "\n"


def files():
    for dwords in (1, 2, 4, 8, 16):
        suffix = f"x{dwords}" if dwords > 1 else ""
        yield f"s_buffer_load_dword{suffix}", load_file(f"s_buffer_load_dword{suffix}", dwords, True, 1)
        if dwords <= 4:
            yield f"s_scratch_load_dword{suffix}", load_file(f"s_scratch_load_dword{suffix}", dwords, False, 64)
            yield f"s_store_dword{suffix}", store_file(f"s_store_dword{suffix}", dwords, False, 1)
            yield f"s_scratch_store_dword{suffix}", store_file(f"s_scratch_store_dword{suffix}", dwords, False, 64)
            yield f"s_buffer_store_dword{suffix}", store_file(f"s_buffer_store_dword{suffix}", dwords, True, 1)
    for prefix, buffer in (("s_atomic", False), ("s_buffer_atomic", True)):
        for rule in FLAT_RULES:
            for bits, suffix in ((32, ""), (64, "_x2")):
                op = f"{prefix}_{rule}{suffix}"
                yield op, atomic_file(op, rule, bits, buffer)


def main():
    folder = pathlib.Path(sys.argv[1]) / "smem"
    for op, text in files():
        tags.write(folder / f"{op}.case", text)
    for dwords in (1, 2, 4, 8, 16):
        op = "s_load_dword" + (f"x{dwords}" if dwords > 1 else "")
        by_hand = (folder / f"{op}.case").read_text().split(f"\n{MARK}\n")[0]
        (folder / f"{op}.case").write_text("\n".join([by_hand, MARK, *load_ends(op, dwords, False, 1)[1:]]) + "\n")


if __name__ == "__main__":
    main()
