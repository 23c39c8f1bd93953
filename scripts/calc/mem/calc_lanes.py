#!/usr/bin/env python3
"""Works out the tests of DS, FLAT, GLOBAL and SCRATCH opcodes in which lanes differ, and adds them to the case files.

    scripts/calc/mem/calc_lanes.py cases

The titles of these tests begin with "lanes: "; what else stands in a file is kept, and so are errata lines that people add.
Lanes 3, 33 and 62 are on, each with an address and data of its own; the registers of the others hold addresses and data,
too, so that a lane that acts though it is off shows. A wave is played through with dicts of registers and bytes. The rules
of atomics are those of calc_atomic.py; chapters 9 to 12 of the Vega ISA manual.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))
import calc
import calc_atomic
from calc_mem import D16_TARGETS, DS_LOADS, DS_STORES, LOADS, STORES, block, keep_errata, vregs

ON = (3, 33, 62)
EXEC = "exec = 0x4000000200000008"
PREFIX = "lanes: "
AREA = 2048  # bytes that an instruction of a test of several has to itself


def words(n, count):
    return [n >> 32 * i & 0xFFFFFFFF for i in range(count)]


def joined(dwords):
    return sum(d << 32 * i for i, d in enumerate(dwords))


def linear(base, by):
    """lane*by + base, as a case file spells it."""
    base %= 1 << 32
    start = f"0x{base:08x}" if base > 0xFFFF else str(base)  # data and words of memory; addresses
    if not by:
        return start
    if by < 0:
        return f"{start}-lane" + (f"*{-by}" if by < -1 else "")
    return f"lane*{by:#x}+{start}"


class Opcode:
    """kind: load, store, atomic, load2, store2, xchg2, src2. size: of an element, bytes. data: dwords of each data operand."""

    def __init__(self, name, kind, size, dst=0, data=(), rule=None, what=None, errata=(), signed=False, half=None, shift=0):
        self.name, self.kind, self.size, self.dst, self.data = name, kind, size, dst, list(data)
        self.rule, self.what, self.errata = rule, what, list(errata)
        self.signed, self.half, self.shift = signed, half, shift
        self.family = name.split("_")[0]
        self.two = kind in ("load2", "store2", "xchg2")
        self.scale = size * (64 if "st64" in name else 1)
        self.glc = self.family in ("flat", "global") and kind == "atomic" and dst > 0
        self.targets = [D16_TARGETS] if half is not None else []

    def wait(self):
        return "    s_waitcnt " + {"ds": "lgkmcnt(0)", "flat": "vmcnt(0) lgkmcnt(0)"}.get(self.family, "vmcnt(0)")

    def text(self, dst, addr, data, offsets=(0,), saddr=None, glc=True):
        """The instruction; dst, data: first registers; addr: the first address register, None beside a scalar address alone."""
        wide = self.family in ("flat", "global") and not saddr
        address = "off" if addr is None else vregs(addr, 2 if wide else 1)
        sources = [vregs(r, n) for r, n in zip(data, self.data)]
        operands = [vregs(dst, self.dst)] if self.dst and (glc or not self.glc) else []
        operands += [address] + sources
        if self.family in ("global", "scratch"):
            operands += [saddr or "off"]
        names = ("offset0", "offset1") if len(offsets) > 1 else ("offset",)
        mods = "".join(f" {n}:{o}" for n, o in zip(names, offsets) if o)
        return f"    {self.name} {', '.join(operands)}{mods}" + (" glc" if self.glc and glc else "")


class Wave:
    """Registers and memory of a test: what is set, what an instruction makes of it."""

    def __init__(self, opcode):
        self.op, self.registers, self.memory = opcode, {}, {}
        self.addresses, self.data, self.contents = [], [], []  # what is set, as the case file spells it
        self.code, self.places, self.results = [], {}, {}
        self.top = {"lds": 0, "buf": 0}

    def set(self, register, base, by, items):
        """A register of all lanes; items: self.addresses or self.data."""
        for lane in range(64):
            self.registers[register, lane] = (base + by * lane) % (1 << 32)
        items.append(f"v{register} = {linear(base, by)}")

    def get(self, register, lane):
        return self.registers.get((register, lane), 0xB0000000 | register << 16 | lane)

    def place(self, lane, space, at):
        """The memory and the byte in it; dwords of private memory lie side by side."""
        if space == "private":
            return "buf", at // 4 * 256 + lane * 4 + at % 4
        return space, at

    def byte(self, lane, space, at):
        memory, at = self.place(lane, space, at)
        first = {"lds": 0xE0000000, "buf": 0xD0000000}[memory]
        return self.memory.get((memory, at), (first + at // 4 * 4) >> at % 4 * 8 & 255)

    def read(self, lane, space, at, size):
        self.top_up(lane, space, at + size)
        return int.from_bytes(bytes(self.byte(lane, space, at + i) for i in range(size)), "little")

    def top_up(self, lane, space, end):
        memory, last = self.place(lane, space, end - 1)
        self.top[memory] = max(self.top[memory], last + 1)

    def pieces(self, lane, space, at, size):
        """The places of memory that hold `size` bytes: (memory, offset, bytes)."""
        if space != "private":
            return [(space, at, size)]
        out, n = [], 0
        while n < size:
            k = min(4 - (at + n) % 4, size - n)
            k = 1 if k == 3 else k
            out.append((*self.place(lane, space, at + n), k))
            n += k
        return out

    def write(self, lane, space, at, size, value):
        self.top_up(lane, space, at + size)
        for i in range(size):
            self.memory[self.place(lane, space, at + i)] = value >> 8 * i & 255

    def fill(self, lane, space, at, size, value):
        """What memory holds before."""
        self.write(lane, space, at, size, value)
        for memory, first, n in self.pieces(lane, space, at, size):
            self.contents.append(f"{memory}[{first}].b{8 * n} = 0x{value & (1 << 8 * n) - 1:0{2 * n}x}")
            value >>= 8 * n

    def run(self, text, dst, data, where):
        """where: of each active lane, the (space, byte) of its one or two accesses."""
        op, new = self.op, {}
        self.code.append(text)
        taken = {lane: [joined(self.get(r + i, lane) for i in range(n)) for r, n in zip(data, op.data)] for lane in where}
        kept = {lane: joined(self.get(dst + i, lane) or 0 for i in range(op.dst)) if dst is not None else 0 for lane in where}
        for lane, at in where.items():
            result = self.act(lane, at, taken[lane], kept[lane])
            for i, d in enumerate(words(result, op.dst) if dst is not None and result is not None else []):
                new[dst + i, lane] = d
                self.results[dst + i] = None
        self.registers.update(new)

    def act(self, lane, at, data, kept):
        """One lane of the instruction; gives the destination."""
        op, bits = self.op, 8 * self.op.size
        old = [self.read(lane, space, a, op.size) for space, a in at]
        if op.kind == "load":
            n = old[0] - (1 << bits) if op.signed and old[0] >> bits - 1 else old[0]
            if op.half is None:
                return n % (1 << 32 * op.dst)
            return kept & 0xFFFF | n % 65536 << 16 if op.half else kept & 0xFFFF0000 | n % 65536
        if op.kind == "load2":
            return old[0] | old[1] << bits
        if op.kind == "store":
            new = [data[0] >> 8 * op.shift]
        elif op.two:
            new = data
        elif op.kind == "src2":
            new = [op.rule(old[0], old[1], 0)]
        elif op.what == "cmpswap":
            new = [op.rule(old[0], data[0] % (1 << bits), data[0] >> bits)]
        else:
            new = [op.rule(old[0], data[0], data[1] if len(data) > 1 else 0)]
        for (space, a), value in reversed(list(zip(at, new))):  # of equal offsets the first data stay
            self.write(lane, space, a, op.size, value % (1 << bits))
        self.places.update((place, None) for (space, a), _ in zip(at, new) for place in self.pieces(lane, space, a, op.size))
        return joined([old[0], old[1] << bits - 32]) if op.kind == "xchg2" else old[0]

    def out(self):
        """What the case file expects."""
        out = []
        for memory, at, size in self.places:
            value = int.from_bytes(bytes(self.byte(0, memory, at + i) for i in range(size)), "little")
            out.append(f"{memory}[{at}].b{8 * size} = 0x{value:0{2 * size}x}")
        for register in self.results:
            values = {lane: self.get(register, lane) for lane in ON if (register, lane) in self.registers}
            by = line_through(values)
            if by is not None and len(values) == len(ON):
                out.append(f"v{register} = {linear(values[ON[0]] - by * ON[0], by)}")
            else:
                out += [f"v{register}.lane{lane} = 0x{v:08x}" for lane, v in values.items()]
        return out

    def declare(self):
        """The memories, large enough that a lane that is off stays inside."""
        sizes = {name: (top + 511) // 512 * 512 for name, top in self.top.items()}
        return [f"{word} {sizes[name]}" for name, word in (("buf", "mem   buf"), ("lds", "lds  ")) if sizes[name]]


def line_through(values):
    """The step per lane of values that lie on a line, else None."""
    (l0, v0), *rest = values.items()
    by = None
    for lane, v in rest:
        step = (v - v0 + (1 << 31)) % (1 << 32) - (1 << 31)
        if step % (lane - l0) or by not in (None, step // (lane - l0)) or abs(step // (lane - l0)) > 1 << 20:
            return None
        by = step // (lane - l0)
    return by


def groups(*parts):
    """The `in` lines, each group on its own."""
    lines = []
    for part in parts:
        lines += block(part, "      " if lines else "in    ") if part else []
    return lines


def test(title, comments, wave, errata=(), setup=(), before=(), behind=(), after=()):
    """Text of a test; setup: what is set beside the wave's registers; before, behind: code around the instructions; after:
    further results."""
    ids = sorted(dict.fromkeys([*wave.op.errata, *errata]))
    out = ["", "test " + PREFIX + title] + ["# " + c for c in comments] + wave.op.targets
    out += (["errata " + " ".join(ids)] if ids else []) + wave.declare() + groups([EXEC, *setup], wave.addresses, wave.data, wave.contents)
    return out + ["code", *before, *wave.code, wave.op.wait(), *behind] + block(wave.out() + list(after), "out   ")


# ---- addresses and data ----

STEP = 32  # bytes from a lane's place down to that of the next
FIRST = 2064  # lane 0's; the low bytes of those of lanes 3, 33 and 62 differ


def spot(lane, area=0):
    return FIRST + AREA * area - STEP * lane


def private_spot(op, lane):
    """Lanes are 4 bytes apart; of a byte the second of its dword, as the first says nothing of the address."""
    return 312 - 4 * lane + (op.size == 1)


# Data register i of an operand: the value of lane 0 and the step. Float values are plain numbers.
PATTERNS = [[(0x8A4C6F31, 0x10305), (0x95D3B207, 0x20519), (0x41F82C9E, 0x30733), (0x6E17A5D8, 0x4094D)],
            [(0x37B19C42, 0x5046B), (0xA36E10F5, 0x60281), (0x5C9D7E13, 0x70097), (0xC2805BE6, 0x802AD)]]
FLOATS = {"f32": [(0x40400000, 0x10305)], "f64": [(0x37B19C42, 0x10305), (0x40080000, 0x305)], "pk": [(0x3C003C00, 0x10003)]}


def patterns(op, operand):
    kind = op.what if op.what in FLOATS else op.what[1:] if op.what and op.what[1:] in FLOATS else None
    if kind and operand == 0:
        return FLOATS[kind]
    return PATTERNS[operand]


def set_data(wave, registers, picked=None):
    for operand, (first, count) in enumerate(zip(registers, wave.op.data)):
        for i in range(count):
            wave.set(first + i, *(picked or patterns(wave.op, operand))[i], wave.data)


def set_olds(wave, registers, area=0, place=None):
    """What an atomic finds: the compared value or a value near the data, above in one lane and below in the others."""
    op = wave.op
    if op.kind != "atomic":
        return
    for n, lane in enumerate(ON):
        data = joined(wave.get(registers[0] + i, lane) for i in range(op.data[0]))
        near = data >> 8 * op.size if op.what == "cmpswap" else data % (1 << 8 * op.size)
        equal = op.what in ("cmpswap", "cmpst", "cmpst_f32", "cmpst_f64")
        old = (near + (5 if n == 1 else 0 if equal else -5)) % (1 << 8 * op.size)
        wave.fill(lane, *(place(lane) if place else (space_of(op), spot(lane, area))), op.size, old)


def space_of(op):
    return {"ds": "lds", "scratch": "private"}.get(op.family, "buf")


def set_address(wave, register, base, by, saddr=False):
    if wave.op.family in ("flat", "global") and not saddr:
        wave.addresses.append(f"{vregs(register, 2)} = &buf+{base}-lane*{-by}")
        for lane in range(64):  # low half only: the rest is not known here
            wave.registers[register, lane] = wave.registers[register + 1, lane] = None
    else:
        wave.set(register, base, by, wave.addresses)


def two_places(op, lane, offsets, base):
    return [(space_of(op), base(lane) + o * op.scale) for o in offsets]


# ---- tests ----

DST, ADDR, DATA = 160, 200, (130, 252)
UNWRITTEN = ["v0 = same"]  # the destination that stands in an instruction without one


def high_registers(op, glc=True, offset=48):
    """All registers from v128 on; every lane its own. FLAT has no offsets before gfx9: there it is 0."""
    wave = Wave(op)
    set_data(wave, DATA)
    dst = DST if op.dst and (glc or not op.glc) else None
    if op.half is not None:  # the other half of each lane stays
        wave.set(dst, *PATTERNS[1][0], wave.data)
    without = ", no offset" if not offset else ""
    if op.family == "scratch":
        wave.set(ADDR, 312 - offset, -4, wave.addresses)
        where = {lane: [("private", private_spot(op, lane))] for lane in ON}
        offsets = (offset + (op.size == 1),)
    elif op.two:
        offsets = (1, 3)
        wave.set(ADDR, FIRST - 48, -STEP, wave.addresses)
        where = {lane: two_places(op, lane, offsets, lambda l: spot(l) - 48) for lane in ON}
    else:
        offset = -48 if op.family == "global" else offset
        set_address(wave, ADDR, FIRST - offset, -STEP)
        where, offsets = {lane: [(space_of(op), spot(lane))] for lane in ON}, (offset,)
        set_olds(wave, DATA)
    wave.run(op.text(dst, ADDR, DATA, offsets, glc=glc), dst, DATA, where)
    setup = ["flat_scratch = &buf"] if op.family == "scratch" else []
    after = [] if dst is not None else UNWRITTEN
    if not glc:
        return test("without glc" + without, ["Lanes with addresses and data of their own; nothing comes back."], wave, setup=setup, after=after)
    what = "addresses and data of their own" if op.data else "addresses of their own"
    return test("registers from v128 on" + without, [f"Lanes with {what}; a register number that loses bit 7 finds other values."], wave, setup=setup, after=after)


def source_in_memory(op):
    """SRC2 opcodes: the data stand 16 bytes behind the destination."""
    wave = Wave(op)
    wave.set(ADDR, FIRST, -STEP, wave.addresses)
    for n, lane in enumerate(ON):
        data = joined((base + by * lane) % (1 << 32) for base, by in patterns(op, 0)[:op.size // 4])
        wave.fill(lane, "lds", spot(lane), op.size, data + (5 if n == 1 else -5))
        wave.fill(lane, "lds", spot(lane) + 16, op.size, data)
    wave.run(op.text(None, ADDR, (), (4,)), None, (), {lane: [("lds", spot(lane)), ("lds", spot(lane) + 16)] for lane in ON})
    return test("registers from v128 on", ["Lanes with addresses of their own; the data stand 16 bytes behind."], wave, after=UNWRITTEN)


def overlaps(op):
    """The destination is the address, begins below it, is a data operand: all operands are read first."""
    wave, wide = Wave(op), op.family in ("flat", "global")
    layouts = [(10, 10, (50, 54))]  # destination, address, data
    layouts += [(20, 20 + op.dst - 1, (50, 54))] if op.dst > 1 else [(21, 20, (50, 54))] if wide else []
    layouts += [(30, 36, (30, 54))] if op.data else []
    layouts += [(40, 46, (50, 40))] if len(op.data) > 1 else []
    if op.kind == "xchg2":  # both data operands at once
        layouts = layouts[:2] + [(30, 36, (30, 30 + op.data[0]))]
    for first in sorted({(l[2][n], n) for l in layouts for n in range(len(op.data))}):
        for i in range(op.data[first[1]]):
            wave.set(first[0] + i, *patterns(op, first[1])[i], wave.data)
    code = []
    for area, (dst, addr, data) in enumerate(layouts):
        if op.family == "scratch":
            wave.set(addr, 312 + (op.size == 1) + 4 * area, -4, wave.addresses)
            where, offsets = {lane: [("private", private_spot(op, lane) + 4 * area)] for lane in ON}, (0,)
        elif op.two:
            offsets, base = (1, 3), lambda l, a=area: spot(l, a) - 48
            wave.set(addr, base(0), -STEP, wave.addresses)
            where = {lane: two_places(op, lane, offsets, base) for lane in ON}
        else:
            set_address(wave, addr, FIRST + AREA * area, -STEP)
            where, offsets = {lane: [(space_of(op), spot(lane, area))] for lane in ON}, (0,)
            set_olds(wave, data, area)
        code.append((op.text(dst, addr, data, offsets), dst, data, where))
    behind = []
    for insn in code:
        wave.run(*insn)
        if wide and op.half is not None:
            behind += loaded_half(wave, insn[1])
    setup = ["flat_scratch = &buf"] if op.family == "scratch" else []
    errata = ["FLAT-U09"] if op.family == "flat" and op.kind == "atomic" else []
    return test("the destination is an operand", ["Address and data are read before anything is written."], wave, errata, setup, behind=behind)


def loaded_half(wave, register):
    """Code that leaves the half that has been loaded: the other one is of an address, which only the runner knows."""
    for lane in ON:
        value = wave.registers[register, lane]
        wave.registers[register, lane] = value >> 16 if wave.op.half else value & 0xFFFF
    return [f"    v_lshrrev_b32 v{register}, 16, v{register}" if wave.op.half else f"    v_and_b32 v{register}, 0xffff, v{register}"]


BEFORE_LINE = {2: (1, 1, 1), 4: (1, 2, 3), 8: (4, 4, 4), 12: (4, 8, 4), 16: (4, 8, 12)}


def across_lines(op):
    """The first bytes before a multiple of 64, the others behind it."""
    wave = Wave(op)
    set_data(wave, DATA)
    offsets = (0, 64 // op.scale or 1) if op.two else (0,)
    where = {}
    for lane, line, back in zip(ON, (1, 3, 6), BEFORE_LINE[op.size]):
        at = 64 * line - back
        wave.addresses.append(f"{vregs(ADDR, 2)}.lane{lane} = &buf+{at}" if op.family in ("flat", "global") else f"v{ADDR}.lane{lane} = {at}")
        where[lane] = [(space_of(op), at + o * op.scale) for o in offsets]
        if op.family == "scratch" and op.kind == "load" and op.size == 2:  # first bytes of the dwords of a lane are alike
            wave.fill(lane, "private", 64 * line, 1, 0x5A + 0x11 * line)
    wave.run(op.text(DST, ADDR, DATA, offsets), DST if op.dst else None, DATA, where)
    setup = ["flat_scratch = &buf"] if op.family == "scratch" else []
    aligned = op.family != "ds" and op.size >= 8
    errata = [] if aligned else ["DS-U05"] if op.family == "ds" else ["FLAT-U04"]
    if op.size == 12 and op.family != "ds":
        errata += ["FLAT-U08"]
    return test("across a line of 64 bytes", ["Every access begins before a multiple of 64 and ends behind it."], wave, errata, setup)


BASES = ("s[0:1]", "vcc", "s[10:11]", "s[100:101]")


def picked(op):
    """Data that change what memory holds unasked for, if there are any."""
    if op.kind != "atomic":
        return None
    if op.what == "cmpswap":  # the first instruction finds what it compares with
        low = PATTERNS[0][:op.size // 4]
        return low + [(0xD0000000 + FIRST + 4 * i, -STEP) for i in range(op.size // 4)]
    memory = joined(0xD0000000 + spot(ON[0]) + 4 * i for i in range(op.size // 4))
    for base in (PATTERNS[0][0][0], 0xD0400000, 0xF1A26B35):
        data = joined([base] * (op.size // 4))
        if op.rule(memory, data, 0) % (1 << 8 * op.size) != memory:
            return [(base, 0x1003), (base + 0x01020304, 0x2005)]


def scalar_bases(op):
    """One instruction for each base."""
    wave = Wave(op)
    wave.set(ADDR, FIRST, -STEP, wave.addresses)
    set_data(wave, (DATA[1],), picked(op))
    setup = []
    for area, base in enumerate(BASES):
        setup.append(f"{base} = &buf+{AREA * area + 48}")
        dst = 130 + 10 * area
        where = {lane: [("buf", spot(lane, area))] for lane in ON}
        wave.run(op.text(dst, ADDR, (DATA[1],), (-48,), base), dst if op.dst else None, (DATA[1],), where)
    return test("scalar bases", ["s[0:1] is a base like others; offsets below 0."], wave, setup=setup)


def far_offset(op):
    wave = Wave(op)
    wave.set(ADDR, 0x80000000 + FIRST, -STEP, wave.addresses)
    set_data(wave, (DATA[1],), picked(op))
    wave.run(op.text(DST, ADDR, (DATA[1],), (0,), "s[10:11]"), DST if op.dst else None, (DATA[1],), {lane: [("buf", spot(lane))] for lane in ON})
    return test("an offset of 2^31 and more", ["The 32-bit offset beside a scalar base has no sign."], wave, ["FLAT-U05"], ["s[10:11] = &buf-0x80000000"])


def one_place(op):
    """Operations whose end does not depend on the order."""
    wave = Wave(op)
    set_data(wave, DATA)
    wave.addresses.append(f"{vregs(ADDR, 2)} = &buf+24")
    wave.fill(0, "buf", 24, op.size, joined([(base + by * 40) % (1 << 32) for base, by in PATTERNS[0]][:op.size // 4]))
    wave.run(op.text(None, ADDR, DATA, glc=False), None, DATA, {lane: [("buf", 24)] for lane in ON})
    return test("one place", ["The data of three lanes meet; their order does not show."], wave)


def mixed_apertures(op):
    """Lane 3 in memory, lane 33 in LDS, lane 62 in private memory."""
    wave = Wave(op)
    set_data(wave, DATA)
    spots = {3: ("buf", 48), 33: ("lds", 80), 62: ("private", 32)}
    wave.addresses += ["v[10:11].lane3 = &buf+32", "v10.lane33 = 64", "v10.lane62 = 16"]
    set_olds(wave, DATA, place=lambda lane: spots[lane])
    wave.run(op.text(DST, 10, DATA, (16,)), DST if op.dst else None, DATA, {lane: [at] for lane, at in spots.items()})
    before = ["    s_mov_b64 s[2:3], src_shared_base", "    v_writelane_b32 v11, s3, 33", "    s_mov_b64 s[4:5], src_private_base", "    v_writelane_b32 v11, s5, 62"]
    errata = ["FLAT-U10"] + (["FLAT-U09"] if op.kind == "atomic" else [])
    return test("memory, lds and private memory at once", ["Lane 3 names memory, lane 33 lds, lane 62 its private memory."], wave, errata, ["flat_scratch = &buf"],
                before, after=["v11.lane33 = ?", "v11.lane62 = ?", "s[2:3] = ?", "s[4:5] = ?"])


def scalar_addresses(op):
    """SCRATCH: the lanes' dwords at one private address."""
    wave = Wave(op)
    set_data(wave, (DATA[1],))
    setup = ["flat_scratch = &buf"]
    for n, register in enumerate(("s0", "vcc_hi", "s11", "s101")):
        setup.append(f"{register} = {16 * n + 4}")
        dst, at = 130 + 10 * n, 16 * n + 16 + (op.size == 1)
        wave.run(op.text(dst, None, (DATA[1],), (at - 16 * n - 4,), register), dst if op.dst else None, (DATA[1],), {lane: [("private", at)] for lane in ON})
    return test("scalar addresses", ["s0 is an address like others; every lane has its own memory there."], wave, setup=setup)


def equal_offsets(op):
    wave = Wave(op)
    set_data(wave, DATA)
    offset = 1 if op.scale <= spot(ON[-1]) else 0  # no address below 0
    wave.set(ADDR, FIRST - op.scale * offset, -STEP, wave.addresses)
    wave.run(op.text(DST, ADDR, DATA, (offset, offset)), DST if op.dst else None, DATA, {lane: [("lds", spot(lane))] * 2 for lane in ON})
    return test("equal offsets", ["The value twice." if op.dst else "The first data of each lane stay."], wave, ["DS-U07"])


def shared_elements(op):
    """The second element of a lane is the first of the next one."""
    wave = Wave(op)
    where = {}
    for n, lane in enumerate(ON):
        wave.addresses.append(f"v{ADDR}.lane{lane} = {16 + n * op.scale}")
        where[lane] = [("lds", 16 + (n + k) * op.scale) for k in (0, 1)]
    wave.run(op.text(DST, ADDR, (), (0, 1)), DST, (), where)
    return test("shared elements", ["The second element of a lane is the first of the next one."], wave)


# ---- which tests an opcode has ----

def tests(op):
    if op.kind == "src2":
        return source_in_memory(op)
    out = high_registers(op)
    if op.glc:
        out += high_registers(op, False)
        out += one_place(op) if op.what in calc_atomic.COMMUTE else []
    if op.family == "flat":
        out += high_registers(op, offset=0)
        out += high_registers(op, False, 0) if op.glc else []
    if op.dst:
        out += overlaps(op)
    if op.kind in ("load", "store", "load2", "store2") and op.size > 1:
        out += across_lines(op)
    if op.kind in ("load2", "store2"):
        out += equal_offsets(op)
    if op.kind == "load2":
        out += shared_elements(op)
    if op.family == "flat":
        out += mixed_apertures(op)
    if op.family == "global":
        out += scalar_bases(op) + far_offset(op)
    if op.family == "scratch":
        out += scalar_addresses(op)
    return out


# ---- which opcodes there are ----

D16_LOADS = {"ubyte_d16": ("u8_d16", 1, False), "sbyte_d16": ("i8_d16", 1, True), "short_d16": ("u16_d16", 2, False)}
D16_STORES = {"byte_d16_hi": ("b8_d16_hi", 1), "short_d16_hi": ("b16_d16_hi", 2)}


def loads_and_stores():
    for family, prefixes, loads, stores in [("ds", ("ds_read_", "ds_write_"), DS_LOADS, DS_STORES)] + [
            (f, (f + "_load_", f + "_store_"), LOADS, STORES) for f in ("flat", "global", "scratch")]:
        for name, (size, signed, _) in loads.items():
            yield Opcode(prefixes[0] + name, "load", size, max(1, size // 4), signed=signed)
        for name, (size, _) in stores.items():
            yield Opcode(prefixes[1] + name, "store", size, data=[max(1, size // 4)])
        for name, (ds_name, size, signed) in D16_LOADS.items():
            for half, suffix in ((0, ""), (1, "_hi")):
                yield Opcode(prefixes[0] + (ds_name if family == "ds" else name) + suffix, "load", size, 1, signed=signed, half=half)
        for name, (ds_name, size) in D16_STORES.items():
            yield Opcode(prefixes[1] + (ds_name if family == "ds" else name), "store", size, data=[1], shift=2)
    for size in (4, 8):
        for st in ("", "st64"):
            yield Opcode(f"ds_read2{st}_b{8 * size}", "load2", size, size // 2)
            yield Opcode(f"ds_write2{st}_b{8 * size}", "store2", size, data=[size // 4] * 2)
            yield Opcode(f"ds_wrxchg2{st}_rtn_b{8 * size}", "xchg2", size, size // 2, data=[size // 4] * 2)


def atomics():
    for op in calc_atomic.ds_ops():
        what = (op.op + f"_f{op.bits}" if op.op == "cmpst" else f"f{op.bits}") if op.is_float else op.op
        errata = [i for line in op.errata() for i in line.split()[1:]]
        if "_src2_" in op.name:
            yield Opcode(op.name, "src2", op.size, rule=op.rule, what=what, errata=errata)
        else:
            yield Opcode(op.name, "atomic", op.size, op.dw if op.rtn else 0, [op.dw] * (2 if op.two else 1), op.rule, what, errata)
    for op in calc_atomic.flat_ops():
        errata = [i for line in op.errata() for i in line.split()[1:]]
        yield Opcode(op.name, "atomic", op.size, op.dw, [op.dw * (2 if op.two else 1)], op.rule, op.op, errata)
    flush = calc.Mode(denorm="flush")
    yield Opcode("global_atomic_add_f32", "atomic", 4, 0, [1], lambda old, d, _: calc.add(flush, old, d)[0], "f32", ["FLAT-U12"])
    halves = lambda old, d, _: joined_halves(calc_atomic.half_add(old & 0xFFFF, d & 0xFFFF), calc_atomic.half_add(old >> 16, d >> 16))
    yield Opcode("global_atomic_pk_add_f16", "atomic", 4, 0, [1], halves, "pk", ["FLAT-U12"])


def joined_halves(low, high):
    return low | high << 16


def main():
    root = pathlib.Path(sys.argv[1])
    for op in (*loads_and_stores(), *atomics()):
        path = root / op.family / f"{op.name}.case"
        head, *old = path.read_text().rstrip("\n").split("\n\ntest ")
        before = {part.split("\n", 1)[0]: part for part in old}
        new = "\n".join(["", *tests(op)]).split("\n\ntest ")[1:]
        kept = [part for part in old if not part.startswith(PREFIX)]
        new = [keep_errata(part, before.get(part.split("\n", 1)[0], "")) for part in new]
        path.write_text("\n\ntest ".join([head, *kept, *new]) + "\n")


if __name__ == "__main__":
    main()
