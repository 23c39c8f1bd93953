#!/usr/bin/env python3
"""Works out the expectations of the memory opcodes and writes their case files.

    scripts/calc/mem/calc_mem.py cases

Memory is a Python bytearray here; loads and stores are slices of it. The rules are those of the Vega ISA manual,
chapters 9 to 12. ds_write_b32 and global_load_dword have files written by hand; atomics: calc_atomic.py.
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

import tags

BY_HAND = {"ds_write_b32", "global_load_dword"}
PATTERN = bytes((17 * i + 3) % 256 for i in range(64))  # distinct bytes with both signs


def hexbytes(data):
    """Little-endian bytes as the hex number that a place of that width holds."""
    return f"0x{int.from_bytes(data, 'little'):0{2 * len(data)}x}"


def fill(memory, data=PATTERN):
    """The `in` words that put the pattern into a memory, 16 bytes at a time."""
    return [f"{memory}[{at}].b128 = {hexbytes(data[at:at + 16])}" for at in range(0, len(data), 16)]


def block(items, head="in    "):
    lines = []
    for item in items:
        if lines and len(lines[-1]) + len(item) < 116:
            lines[-1] += "  " + item
        else:
            lines.append((head if not lines else "      ") + item)
    return lines


def rows(columns, table):
    widths = [max(len(str(r[i])) for r in [columns] + table) for i in range(len(columns))]
    return [("rows  " if n == 0 else "      ") + "  ".join(str(c).ljust(w) for c, w in zip(r, widths)).rstrip()
            for n, r in enumerate([columns] + table)]


def vregs(first, dwords):
    return f"v{first}" if dwords == 1 else f"v[{first}:{first + dwords - 1}]"


def loaded(data, at, size, signed, dwords):
    """What a load of `size` bytes gives, extended to whole dwords."""
    return f"0x{int.from_bytes(data[at:at + size], 'little', signed=signed) % (1 << 32 * dwords):0{8 * dwords}x}"


class Kind:
    """How one family addresses memory."""

    def __init__(self, family, half=None):
        self.family = family
        self.half = half  # of the register: 0 low, 1 high; None: whole registers
        self.memory = "lds" if family == "ds" else "buf"
        self.wait = "s_waitcnt " + {"ds": "lgkmcnt(0)", "flat": "vmcnt(0) lgkmcnt(0)", "global": "vmcnt(0)"}[family]
        self.declare = "lds   512" if family == "ds" else "mem   buf 256"
        self.addr = "v10" if family == "ds" else "v[10:11]"
        self.tail = ", off" if family == "global" else ""

    def value(self, data, at, size, signed, dwords, lane=0, reg=0):
        """What a destination holds afterwards: of a half register the other half is as it was, 0xb0RR00LL."""
        if self.half is None:
            return loaded(data, at, size, signed, dwords)
        old = 0xB0000000 | reg << 16 | lane
        new = int.from_bytes(data[at:at + size], "little", signed=signed) % 65536
        return f"0x{old & 0xffff | new << 16 if self.half else old & 0xffff0000 | new:08x}"

    def at(self, offset):
        return str(offset) if self.family == "ds" else f"&buf+{offset}"

    def load(self, op, dst, mod=""):
        return f"    {op} {dst}, {self.addr}{self.tail}{mod}"

    def store(self, op, src, mod=""):
        return f"    {op} {self.addr}, {src}{self.tail}{mod}"


def load_file(op, kind, size, signed, words):
    dwords = max(1, size // 4)
    dst = vregs(0, dwords)
    where = dst if dwords > 1 else "a register" if kind.half is None else f"the {('low', 'high')[kind.half]} half of a register, the other half stays as it is"
    out = ["case-format 1", f"# Loads {words} into {where}. Vega ISA, chapter 12."]
    out += ["", "test values", kind.declare] + block(fill(kind.memory)) + ["code", kind.load(op, dst), "    " + kind.wait]
    step = size if size in (1, 2, 4, 8) else 4 if size == 12 else 16
    points = [p for p in range(0, 64 - size + 1, step)][:6] + [64 - size - (64 - size) % step]
    if size <= 2:  # both signs
        points = sorted(set(points + [p for p in range(0, 64 - size + 1, step) if PATTERN[p + size - 1] & 0x80][:3]))
    out += rows([kind.addr, "|", dst], [[kind.at(p), "|", kind.value(PATTERN, p, size, signed, dwords, lane)] for lane, p in enumerate(points)])
    if kind.family != "ds" and size == 16:
        out += ["", "test dword alignment is enough", kind.declare] + block(fill(kind.memory)) + ["code", kind.load(op, dst), "    " + kind.wait]
        out += rows([kind.addr, "|", dst], [[kind.at(20), "|", kind.value(PATTERN, 20, size, signed, dwords)]])
    out += offset_load(op, kind, size, signed, dwords, dst)
    out += wide_offset_load(op, kind, size, signed, dwords, dst)
    if kind.family == "global":
        out += saddr_load(op, kind, size, signed, dwords, dst)
    if kind.family == "flat":
        out += aperture_load(op, kind, size, signed, dwords, dst)
    out += lanes_load(op, kind, size, signed, dwords, dst)
    if kind.family == "global" and kind.half is None and size <= 4:
        out += lds_load(op, size, signed)
    if kind.family == "ds":
        out += ["", "test beyond the allocated lds reads give zero", "lds   512", "in    v10 = 0x10000", "code", kind.load(op, dst),
                "    " + kind.wait, "case  64 KiB up", "in    exec = 1", f"out   {dst} = " + ("0" if kind.half is None else kind.value(bytes(4), 0, size, signed, dwords))]
    return "\n".join(out) + "\n"


def offset_load(op, kind, size, signed, dwords, dst):
    out = ["", "test offset", kind.declare] + block(fill(kind.memory)) + ["code"]
    mods = {"ds": [("offset:16", 16)], "flat": [("offset:16", 16)], "global": [("offset:16", 16), ("offset:-16", -16)]}[kind.family]
    wide = vregs(4, dwords)
    out += [kind.load(op, dst, " " + mods[0][0])]
    names, results = [dst], [kind.value(PATTERN, 16 + 16, size, signed, dwords)]
    if len(mods) > 1:
        out += [kind.load(op, wide, " " + mods[1][0])]
        names.append(wide)
        results.append(kind.value(PATTERN, 0, size, signed, dwords, reg=4))
    out += ["    " + kind.wait]
    return out + rows([kind.addr, "|"] + names, [[kind.at(16), "|"] + results])


def saddr_load(op, kind, size, signed, dwords, dst):
    out = ["", "test scalar base, unsigned register offset, signed immediate", kind.declare] + block(fill("buf") + ["s[4:5] = &buf+32"])
    out += ["code", f"    {op} {dst}, v10, s[4:5] offset:-32", "    " + kind.wait]
    points = [0, 16, 64 - 16]
    return out + rows(["v10", "|", dst], [[p, "|", kind.value(PATTERN, p, size, signed, dwords, lane)] for lane, p in enumerate(points)])


def aperture_load(op, kind, size, signed, dwords, dst):
    out = ["", "test an address in the shared aperture is lds", "lds   512"] + block(fill("lds") + ["v10 = 16"])
    out += ["code", "    s_mov_b64 s[2:3], src_shared_base", "    v_mov_b32 v11, s3", kind.load(op, dst), "    " + kind.wait,
            "case  lane 0", "in    exec = 1", f"out   {dst} = {kind.value(PATTERN, 16, size, signed, dwords)}  v11.lane0 = ?  s[2:3] = ?"]
    return out


def lanes_load(op, kind, size, signed, dwords, dst):
    """Lanes 1, 2 and 63 of a wave, each at its own address."""
    stride = {1: 1, 2: 2, 4: 4, 8: 8, 12: 16, 16: 16}[size]
    where = {1: 1 * stride, 2: 2 * stride, 63: 0}
    setup = fill(kind.memory) + ["exec = 0x8000000000000006"]
    setup += [f"{kind.addr}.lane{lane} = {kind.at(p)}" for lane, p in where.items()]
    if kind.family != "ds":
        setup = [s.replace("v[10:11].lane", "v[10:11].lane") for s in setup]
    out = ["", "test each lane at its address, lanes that are off keep their value", kind.declare] + block(setup)
    out += ["code", kind.load(op, dst), "    " + kind.wait, "case  three lanes"]
    return out + block([f"{dst}.lane{lane} = {kind.value(PATTERN, p, size, signed, dwords, lane)}" for lane, p in where.items()], "out   ")


def lds_load(op, size, signed):
    """The data go to LDS: a dword for each lane behind the low half of m0 and the offset, which memory gets too."""
    out = ["", "test lds in place of a register", "errata FLAT-U06", "mem   buf 256", "lds   512"]
    lanes, m0, offset = {0: 8, 1: 24, 3: 41 // size * size, 63: 4}, 64, 4
    setup = fill("buf") + ["exec = 0x800000000000000b", "m0 = 0xabc00040"] + [f"v[10:11].lane{lane} = &buf+{p}" for lane, p in lanes.items()]
    out += block(setup) + ["code", f"    {op} v[10:11], off offset:{offset} lds", "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  four lanes, the last beyond the others"]
    out += block([f"lds[{m0 + offset + 4 * lane}].b32 = {loaded(PATTERN, p + offset, size, signed, 1)}" for lane, p in lanes.items()], "out   ")
    out += ["", "test lds with a scalar base and an offset below zero", "errata FLAT-U06", "mem   buf 256", "lds   512"]
    out += block(fill("buf") + ["s[4:5] = &buf+16", "v10 = lane*8", "exec = 0x6", "m0 = 32"])
    out += ["code", f"    {op} v10, s[4:5] offset:-16 lds", "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  lanes 1 and 2"]
    out += block([f"lds[{32 - 16 + 4 * lane}].b32 = {loaded(PATTERN, 8 * lane, size, signed, 1)}" for lane in (1, 2)], "out   ")
    out += ["", "test lanes beyond the allocated lds store nothing", "errata FLAT-U06", "mem   buf 256", "lds   512"]
    out += block(fill("buf") + ["v[10:11] = &buf", "exec = 0x7", "m0 = 504"])
    out += ["code", f"    {op} v[10:11], off lds", "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  lanes 0 and 1 are inside"]
    return out + block([f"lds[{at}].b32 = {loaded(PATTERN, 0, size, signed, 1)}" for at in (504, 508)], "out   ")


def store_file(op, kind, size, words, shift=0):
    """Of sub-dword stores, `shift` is the first byte of the register that is stored."""
    dwords = max(1, size // 4)
    src = vregs(0, dwords)
    value = bytes((0x9F - 13 * i) % 256 for i in range(4 * dwords))
    mem = kind.memory
    out = ["case-format 1", f"# Stores {words}. Vega ISA, chapter 12."]
    out += ["", "test values", kind.declare, "code", kind.store(op, src), "    " + kind.wait]
    place = f"{mem}[16].b{8 * size}"
    values = [value, bytes(4 * dwords), b"\xff" * (4 * dwords), bytes([1] + [0] * (4 * dwords - 1)), bytes([0] * (4 * dwords - 1) + [0x80])]
    out += rows([kind.addr, src, "|", place], [[kind.at(16), hexbytes(v), "|", hexbytes(v[shift:shift + size])] for v in values])
    near = 16 + {1: 1, 2: 2, 4: 4, 8: 8, 12: 4, 16: 4}[size]
    if kind.family != "ds" or size <= 8:
        out += ["", "test the smallest alignment", kind.declare, "code", kind.store(op, src), "    " + kind.wait]
        out += rows([kind.addr, src, "|", f"{mem}[{near}].b{8 * size}"], [[kind.at(near), hexbytes(value), "|", hexbytes(value[shift:shift + size])]])
    mods = {"ds": [" offset:32"], "flat": [" offset:32"], "global": [" offset:32", " offset:-16"]}[kind.family]
    out += wide_offset_store(op, kind, size, src, value, shift)
    out += ["", "test offset", kind.declare] + block([f"{kind.addr} = {kind.at(32)}", f"{src} = {hexbytes(value)}"])
    out += ["code"] + [kind.store(op, src, m) for m in mods] + ["    " + kind.wait, "case  one lane", "in    exec = 1"]
    out += block([f"{mem}[{32 + int(m.split(':')[1])}].b{8 * size} = {hexbytes(value[shift:shift + size])}" for m in mods], "out   ")
    if kind.family == "global":
        out += ["", "test scalar base and register offset", kind.declare] + block(["s[4:5] = &buf+16", f"{src} = {hexbytes(value)}", "v10 = lane*16", "exec = 0x5"])
        out += ["code", f"    {op} v10, {src}, s[4:5] offset:8", "    " + kind.wait, "case  lanes 0 and 2"]
        out += block([f"buf[{at}].b{8 * size} = {hexbytes(value[shift:shift + size])}" for at in (24, 56)], "out   ")
    if kind.family == "flat":
        out += ["", "test an address in the shared aperture is lds", "lds   512"] + block(["v10 = 16", f"{src} = {hexbytes(value)}"])
        out += ["code", "    s_mov_b64 s[2:3], src_shared_base", "    v_mov_b32 v11, s3", kind.store(op, src), "    " + kind.wait, "case  lane 0", "in    exec = 1",
                f"out   lds[16].b{8 * size} = {hexbytes(value[shift:shift + size])}  v11.lane0 = ?  s[2:3] = ?"]
    out += ["", "test each lane at its address, lanes that are off store nothing", kind.declare]
    lanes = {1: 16, 2: 32, 63: 0}
    data = {lane: bytes((b + lane) % 256 for b in value) for lane in lanes}
    setup = ["exec = 0x8000000000000006"]
    for lane, p in lanes.items():
        setup += [f"{kind.addr}.lane{lane} = {kind.at(p)}", f"{src}.lane{lane} = {hexbytes(data[lane])}"]
    setup += [f"{kind.addr}.lane0 = {kind.at(48)}"]
    out += block(setup) + ["code", kind.store(op, src), "    " + kind.wait, "case  three lanes"]
    out += block([f"{mem}[{p}].b{8 * size} = {hexbytes(data[lane][shift:shift + size])}" for lane, p in lanes.items()], "out   ")
    if kind.family == "ds":
        out += ["", "test beyond the allocated lds nothing is written", "lds   512", f"in    v10 = 0x10000  {src} = 0  exec = 1", "code", kind.store(op, src), "    " + kind.wait,
                "case  64 KiB up", "out   m0 = same"]
    return "\n".join(out) + "\n"


# Offsets that need every bit of the field.
LONG = {"ds": (65520, "lds   65536"), "flat": (4080, "mem   buf 8192"), "global": (4080, "mem   buf 8192")}


def wide_offset_load(op, kind, size, signed, dwords, dst):
    offset, declare = LONG[kind.family]
    data = PATTERN[16:16 + size]
    place = f"{kind.memory}[{offset}].b{8 * size}"
    return ["", "test the longest offset", declare, f"in    {place} = {hexbytes(data)}", "code", kind.load(op, dst, f" offset:{offset}"),
            "    " + kind.wait] + rows([kind.addr, "|", dst], [[kind.at(0), "|", kind.value(data, 0, size, signed, dwords)]])


def wide_offset_store(op, kind, size, src, value, shift):
    offset, declare = LONG[kind.family]
    place = f"{kind.memory}[{offset}].b{8 * size}"
    return ["", "test the longest offset", declare, "code", kind.store(op, src, f" offset:{offset}"), "    " + kind.wait] + rows(
        [kind.addr, src, "|", place], [[kind.at(0), hexbytes(value), "|", hexbytes(value[shift:shift + size])]])


def two_file(op, size, st64):
    """ds_read2 and ds_write2: two offsets, in elements."""
    scale = size * (64 if st64 else 1)
    kind = Kind("ds")
    bits = 8 * size
    lds = "lds   16384" if st64 else "lds   512"
    unit = f"{size} bytes" + (", times 64" if st64 else "")
    out = ["case-format 1", f"# {'Loads' if 'read' in op else 'Stores'} two elements of {size} bytes; offsets count {unit}. Vega ISA, chapter 12 (DS opcodes)."]
    pairs = [(0, 1), (1, 0), (3, 1), (2, 7)] if not st64 else [(0, 1), (1, 0), (3, 1), (2, 3)]
    for o0, o1 in pairs:
        a, b = PATTERN[8:8 + size], PATTERN[40:40 + size]
        mods = (f" offset0:{o0}" if o0 else "") + (f" offset1:{o1}" if o1 else "")
        p0, p1 = 16 + o0 * scale, 16 + o1 * scale
        out += ["", f"test offsets {o0} and {o1}", lds]
        dst = vregs(0, size // 2)
        if "read" in op:
            out += block([f"lds[{p0}].b{bits} = {hexbytes(a)}", f"lds[{p1}].b{bits} = {hexbytes(b)}", "v10 = 16", "exec = 1"])
            out += ["code", f"    {op} {dst}, v10{mods}", "    " + kind.wait, "case  lane 0", f"out   {dst} = {hexbytes(a + b)}"]
        else:
            d0, d1 = vregs(2, size // 4), vregs(4, size // 4)
            out += block([f"{d0} = {hexbytes(a)}", f"{d1} = {hexbytes(b)}", "v10 = 16", "exec = 1"])
            out += ["code", f"    {op} v10, {d0}, {d1}{mods}", "    " + kind.wait, "case  lane 0"]
            out += block([f"lds[{p0}].b{bits} = {hexbytes(a)}", f"lds[{p1}].b{bits} = {hexbytes(b)}"], "out   ")
    if "write" in op:
        d0, d1 = vregs(2, size // 4), vregs(4, size // 4)
        out += ["", "test of equal offsets the first data are stored", lds, "errata DS-U07"] + block([f"{d0} = {hexbytes(PATTERN[8:8 + size])}", f"{d1} = {hexbytes(PATTERN[40:40 + size])}", "v10 = 16", "exec = 1"])
        out += ["code", f"    {op} v10, {d0}, {d1} offset0:1 offset1:1", "    " + kind.wait, "case  lane 0", f"out   lds[{16 + scale}].b{bits} = {hexbytes(PATTERN[8:8 + size])}"]
    out += two_lanes(op, size, scale, lds, kind)
    out += two_outside(op, size, kind)
    return "\n".join(out) + "\n"


def two_lanes(op, size, scale, lds, kind):
    bits = 8 * size
    a, b = PATTERN[8:8 + size], PATTERN[40:40 + size]
    p0, p1 = 2 * size, 2 * size + scale
    out = ["", "test only active lanes act", lds]
    if "read" in op:
        dst = vregs(0, size // 2)
        out += block([f"lds[{p0}].b{bits} = {hexbytes(a)}", f"lds[{p1}].b{bits} = {hexbytes(b)}", f"v10 = lane*{size}", "exec = 4"])
        return out + ["code", f"    {op} {dst}, v10 offset1:1", "    " + kind.wait, "case  lane 2", f"out   {dst}.lane2 = {hexbytes(a + b)}"]
    d0, d1 = vregs(2, size // 4), vregs(4, size // 4)
    out += block([f"{d0} = {hexbytes(a)}", f"{d1} = {hexbytes(b)}", f"v10 = lane*{size}", "exec = 4"])
    out += ["code", f"    {op} v10, {d0}, {d1} offset1:1", "    " + kind.wait, "case  lane 2"]
    return out + block([f"lds[{p0}].b{bits} = {hexbytes(a)}", f"lds[{p1}].b{bits} = {hexbytes(b)}"], "out   ")


def two_outside(op, size, kind):
    out = ["", "test beyond the allocated lds", "lds   512"]
    if "read" in op:
        dst = vregs(0, size // 2)
        return out + ["in    v10 = 0x20000  exec = 1", "code", f"    {op} {dst}, v10 offset1:1", "    " + kind.wait, "case  reads give zero", f"out   {dst} = 0"]
    d0, d1 = vregs(2, size // 4), vregs(4, size // 4)
    return out + [f"in    v10 = 0x20000  exec = 1  {d0} = 0  {d1} = 0", "code", f"    {op} v10, {d0}, {d1} offset1:1", "    " + kind.wait, "case  writes are dropped", "out   m0 = same"]


LOADS = {"ubyte": (1, False, "a byte, zero-extended,"), "sbyte": (1, True, "a byte, sign-extended,"), "ushort": (2, False, "16 bits, zero-extended,"),
         "sshort": (2, True, "16 bits, sign-extended,"), "dword": (4, False, "a dword"), "dwordx2": (8, False, "two dwords"),
         "dwordx3": (12, False, "three dwords"), "dwordx4": (16, False, "four dwords")}
STORES = {"byte": (1, "the low byte of a register"), "short": (2, "the low 16 bits of a register"), "dword": (4, "a dword"),
          "dwordx2": (8, "two dwords"), "dwordx3": (12, "three dwords"), "dwordx4": (16, "four dwords")}
DS_LOADS = {"u8": LOADS["ubyte"], "i8": LOADS["sbyte"], "u16": LOADS["ushort"], "i16": LOADS["sshort"], "b32": LOADS["dword"],
            "b64": LOADS["dwordx2"], "b96": LOADS["dwordx3"], "b128": LOADS["dwordx4"]}
DS_STORES = {"b8": STORES["byte"], "b16": STORES["short"], "b32": STORES["dword"], "b64": STORES["dwordx2"], "b96": STORES["dwordx3"],
             "b128": STORES["dwordx4"]}


def keep_errata(test, old):
    """The text of a test with the errata lines that people have added to it in the file, where they have put them."""
    lines = test.split("\n")
    for at, line in enumerate(old.split("\n")):
        if line.startswith("errata ") and line not in lines:
            lines.insert(at, line)
    return "\n".join(lines)


def with_what_is_by_hand(path, text):
    """The text with what people have added to the file: errata lines of its tests, and tests of other titles at the end."""
    if not path.exists():
        return text
    old = {part.split("\n", 1)[0]: part for part in path.read_text().rstrip("\n").split("\n\ntest ")[1:]}
    head, *tests = text.rstrip("\n").split("\n\ntest ")
    tests = [keep_errata(test, old.pop(test.split("\n", 1)[0], "")) for test in tests]
    return "\n\ntest ".join([head, *tests, *old.values()]) + "\n"


# What D16 loads leave of a register is not known where memory has error correction.
D16_TARGETS = "targets gfx900 gfx902 gfx904 gfx909 gfx90c gfx906:sramecc- gfx908:sramecc-"
ECC_TARGETS = "targets gfx906:sramecc+ gfx908:sramecc+"


def d16_file(op, kind, size, signed, words):
    text = load_file(op, kind, size, signed, words)
    text = re.sub(r"^(test .*)$", rf"\1\n{D16_TARGETS}", text, flags=re.M)
    out = ["", "test the other half is 0 with error correction", ECC_TARGETS, "errata DS-U14", kind.declare] + block(fill(kind.memory)) + ["code", kind.load(op, "v0"), "    " + kind.wait]
    cells = []
    for at in (4, 62):
        n = int.from_bytes(PATTERN[at:at + size], "little", signed=signed) % 65536
        cells.append([kind.at(at), "|", f"0x{n << 16 if kind.half else n:08x}"])
    return text + "\n".join(out + rows([kind.addr, "|", "v0"], cells)) + "\n"


def d16_files():
    loads = {"ubyte_d16": (1, False, "a byte, zero-extended to 16 bits,"), "sbyte_d16": (1, True, "a byte, sign-extended to 16 bits,"), "short_d16": (2, False, "16 bits")}
    names = {"ubyte_d16": "u8_d16", "sbyte_d16": "i8_d16", "short_d16": "u16_d16"}
    for hi in (0, 1):
        for name, (size, signed, words) in loads.items():
            suffix = "_hi" if hi else ""
            for family in ("ds", "flat", "global"):
                op = f"ds_read_{names[name]}{suffix}" if family == "ds" else f"{family}_load_{name}{suffix}"
                yield family, op, d16_file(op, Kind(family, hi), size, signed, words)
    for family in ("ds", "flat", "global"):
        for size, name, ds_name, words in ((1, "byte", "b8", "bits 16 to 23 of a register"), (2, "short", "b16", "the high half of a register")):
            op = f"ds_write_{ds_name}_d16_hi" if family == "ds" else f"{family}_store_{name}_d16_hi"
            yield family, op, store_file(op, Kind(family), size, words, 2)


def files():
    yield from d16_files()
    for name, (size, signed, words) in DS_LOADS.items():
        yield "ds", f"ds_read_{name}", load_file(f"ds_read_{name}", Kind("ds"), size, signed, words)
    for name, (size, words) in DS_STORES.items():
        yield "ds", f"ds_write_{name}", store_file(f"ds_write_{name}", Kind("ds"), size, words + " to LDS")
    for direction in ("read", "write"):
        for st in ("", "st64"):
            for size in (4, 8):
                op = f"ds_{direction}2{st}_b{8 * size}"
                yield "ds", op, two_file(op, size, bool(st))
    for family in ("flat", "global"):
        for name, (size, signed, words) in LOADS.items():
            yield family, f"{family}_load_{name}", load_file(f"{family}_load_{name}", Kind(family), size, signed, words)
        for name, (size, words) in STORES.items():
            yield family, f"{family}_store_{name}", store_file(f"{family}_store_{name}", Kind(family), size, words)


def main():
    root = pathlib.Path(sys.argv[1])
    for folder, op, text in files():
        if op not in BY_HAND:
            (root / folder).mkdir(exist_ok=True)
            path = root / folder / f"{op}.case"
            tags.write(path, with_what_is_by_hand(path, text))


if __name__ == "__main__":
    main()
