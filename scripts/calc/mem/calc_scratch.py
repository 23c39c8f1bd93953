#!/usr/bin/env python3
"""Works out the expectations of the SCRATCH opcodes and writes their case files.

    scripts/calc/mem/calc_scratch.py cases

Private memory: dword d of lane l stands at FLAT_SCRATCH + (64 * d + l) * 4 (LLVM's AMDGPU usage document, private address
spaces). The memory of a case holds 0xd0000000 + its offset in every dword.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

import tags
from calc_mem import D16_TARGETS, ECC_TARGETS, LOADS, STORES, block, hexbytes, rows, vregs, with_what_is_by_hand

SIZE = 16384
WAIT = "    s_waitcnt vmcnt(0)"
FIRST = [f"mem   buf {SIZE}"]


def backing(lane, at):
    """Where byte `at` of a lane's private memory stands."""
    return at // 4 * 256 + lane * 4 + at % 4


def initial(lane, at, size):
    return bytes((0xD0000000 + backing(lane, a) // 4 * 4 >> 8 * (backing(lane, a) % 4)) & 0xFF for a in range(at, at + size))


class Load:
    def __init__(self, name, size, signed, words, half=None):
        self.op, self.size, self.signed, self.words, self.half = "scratch_load_" + name, size, signed, words, half
        self.dwords = max(1, size // 4)
        self.dst = vregs(0, self.dwords)

    def value(self, lane, at):
        """The destination afterwards; `at` None: outside memory."""
        data = initial(lane, at, self.size) if at is not None else bytes(self.size)
        n = int.from_bytes(data, "little", signed=self.signed)
        if self.half is None:
            return f"0x{n % (1 << 32 * self.dwords):0{8 * self.dwords}x}"
        old = 0xB0000000 | lane
        return f"0x{old & 0xffff | n % 65536 << 16 if self.half else old & 0xffff0000 | n % 65536:08x}"

    def line(self, address, mods=""):
        return f"    {self.op} {self.dst}, {address}{mods}"

    def file(self):
        where = "registers" if self.dwords > 1 else "a register" if self.half is None else f"the {('low', 'high')[self.half]} half of a register, the other half stays as it is"
        out = ["case-format 1", f"# Loads {self.words} of a lane's private memory into {where}.",
               "# Dwords of the 64 lanes lie side by side. Vega ISA, chapters 9 (scratch) and 12."]
        tests = [self.values(), self.offsets(), self.scalar(), self.lanes(), self.misaligned() if self.size > 1 else [], self.outside()]
        if self.half is None and self.size <= 4:
            tests += [self.lds(), self.lds_scalar()]
        for test in tests:
            if test:
                out += [""] + test[:1] + ([D16_TARGETS] if self.half is not None else []) + test[1:]
        if self.half is not None:
            cells = [[at, "|", f"0x{int.from_bytes(initial(lane, at, self.size), 'little', signed=self.signed) % 65536 << (16 if self.half else 0):08x}"] for lane, at in enumerate((4, 2, 41))]
            out += ["", "test the other half is 0 with error correction", ECC_TARGETS, "errata DS-U14"] + FIRST + ["in    flat_scratch = &buf", "code", self.line("v10, off"), WAIT]
            out += rows(["v10", "|", self.dst], cells)
        return "\n".join(out) + "\n"

    def table(self, points, where=lambda p: p):
        return rows(["v10", "|", self.dst], [[where(p), "|", self.value(lane, p)] for lane, p in enumerate(points)])

    def values(self):
        step = min(self.size, 4)
        points = [0, step, 2 * step, 3 * step, 4, 40, 64, 60, 64 * 4 - self.size - (self.size % 4)]
        return ["test every lane has its own memory"] + FIRST + ["in    flat_scratch = &buf", "code", self.line("v10, off"), WAIT] + self.table(points)

    def offsets(self):
        by = 31 if self.size == 1 else 32
        out = ["test the offset is signed"] + FIRST + ["in    flat_scratch = &buf", "code", self.line("v10, off", f" offset:-{by}"), WAIT]
        return out + self.table([0, 8, 128], lambda p: p + by)

    def scalar(self):
        """All lanes at one private address. A negative offset beside a scalar address is avoided: hardware miscomputes it."""
        out = ["test scalar address"] + FIRST + ["in    flat_scratch = &buf+256  s4 = 20  exec = 0x8000000000000005", "code", self.line("off, s4", " offset:8"), WAIT]
        values = {lane: Load.value(self, lane, 28 + 4) for lane in (0, 2, 63)}  # one dword of every lane further on
        return out + ["case  lanes 0, 2 and 63"] + block([f"{self.dst}.lane{lane} = {v}" for lane, v in values.items()], "out   ")

    def lanes(self):
        out = ["test lanes that are off keep their value"] + FIRST + ["in    flat_scratch = &buf  v10 = lane*4  exec = 0x8000000200000002", "code", self.line("v10, off"), WAIT]
        wanted = [(lane, lane * 4) for lane in (1, 33, 63) if (lane * 4 + self.size) * 64 <= SIZE]
        if len(wanted) < 3:
            out[2] = "in    flat_scratch = &buf  v10 = lane*4  exec = 0x0000000200000002"
        return out + [f"case  lanes {' and '.join(str(lane) for lane, _ in wanted)}"] + block([f"{self.dst}.lane{lane} = {self.value(lane, at)}" for lane, at in wanted], "out   ")

    def misaligned(self):
        points = [1, 2, 3, 5] if self.size == 2 else [2, 3, 5, 13]
        return ["test misaligned"] + FIRST + ["errata FLAT-U04", "in    flat_scratch = &buf", "code", self.line("v10, off"), WAIT] + self.table(points)

    def outside(self):
        last = SIZE // 64 - self.size
        last -= last % min(self.size, 4)
        out = ["test beyond memory reads give zero"] + FIRST + ["in    flat_scratch = &buf  exec = 1", "code", self.line("v10, off"), WAIT]
        out += ["case  the last place", f"in    v10 = {last}", f"out   {self.dst} = {self.value(0, last)}"]
        return out + ["case  far beyond", "in    v10 = 0x7ffffff0", f"out   {self.dst} = {self.value(0, None)}  trapsts = 0x100"]


    def lds(self):
        """The data go to LDS: a dword for each lane behind the low half of m0 and the offset, which memory gets too."""
        out = ["test lds in place of a register", "errata FLAT-U06"] + FIRST + ["lds   512"]
        lanes = {0: 4, 2: 8, 63: 0}
        out += block(["flat_scratch = &buf", "exec = 0x8000000000000005", "m0 = 0xabc00040"] + [f"v10.lane{lane} = {at}" for lane, at in lanes.items()])
        out += ["code", f"    {self.op} v10, off offset:16 lds", "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  lanes 0, 2 and 63"]
        return out + block([f"lds[{64 + 16 + 4 * lane}].b32 = {self.value(lane, at + 16)}" for lane, at in lanes.items()], "out   ")

    def lds_scalar(self):
        out = ["test lds with a scalar address", "errata FLAT-U06"] + FIRST + ["lds   512"]
        out += ["in    flat_scratch = &buf  s4 = 20  exec = 0xa  m0 = 8", "code", f"    {self.op} off, s4 offset:8 lds", "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  lanes 1 and 3"]
        return out + block([f"lds[{8 + 8 + 4 * lane}].b32 = {self.value(lane, 28)}" for lane in (1, 3)], "out   ")


class Store:
    def __init__(self, name, size, words, shift=0):
        self.op, self.size, self.words, self.shift = "scratch_store_" + name, size, words, shift
        self.dwords = max(1, size // 4)
        self.src = vregs(0, self.dwords)

    def line(self, address, mods=""):
        """address: 'v10, {}, off' or 'off, {}, s4'"""
        return f"    {self.op} {address.format(self.src)}{mods}"

    def data(self, seed=0):
        return bytes((0x9F - 13 * i + 7 * seed) % 256 for i in range(4 * self.dwords))

    def written(self, lane, at, data):
        """The places a store changes, a piece for each dword it touches."""
        stored, out, n = data[self.shift:self.shift + self.size], [], 0
        while n < self.size:
            k = min(4 - (at + n) % 4, self.size - n)
            k = 1 if k == 3 else k
            out.append(f"buf[{backing(lane, at + n)}].b{8 * k} = {hexbytes(stored[n:n + k])}")
            n += k
        return out

    def test(self, title, setup, line, cases, errata=()):
        out = ["", f"test {title}"] + FIRST + list(errata) + block(["flat_scratch = &buf", *setup]) + ["code", line, WAIT]
        for name, inputs, results in cases:
            out += [f"case  {name}"] + (["in    " + inputs] if inputs else []) + (block(results, "out   ") if results else ["out   m0 = same"])
        return out

    def file(self):
        out = ["case-format 1", f"# Stores {self.words} to a lane's private memory.", "# Dwords of the 64 lanes lie side by side. Vega ISA, chapters 9 (scratch) and 12."]
        step = min(self.size, 4)
        one, vector, scalar = [f"{self.src} = {hexbytes(self.data())}"], "v10, {}, off", "off, {}, s4"
        cases = [(f"lane {lane} at {at}", f"v10 = {at}  exec = {1 << lane:#x}", self.written(lane, at, self.data())) for lane, at in ((0, 0), (1, step), (33, 4), (63, 60))]
        out += self.test("every lane has its own memory", one, self.line(vector), cases)
        out += self.test("the offset is signed", one + ["exec = 4"], self.line(vector, " offset:-32"),
                         [(f"at {at}", f"v10 = {at + 32}", self.written(2, at, self.data())) for at in (0, 8)])
        out += self.test("scalar address", one + ["s4 = 20", "exec = 0x8000000000000004"], self.line(scalar, " offset:8"),
                         [("lanes 2 and 63", "", self.written(2, 28, self.data()) + self.written(63, 28, self.data()))])
        lanes = {1: 4, 33: 16, 63: 0}
        setup = ["exec = 0x8000000200000002", "v10.lane0 = 128"] + [f"v10.lane{lane} = {at}" for lane, at in lanes.items()] + [
            f"{self.src}.lane{lane} = {hexbytes(self.data(lane))}" for lane in lanes]
        out += self.test("each lane at its address, lanes that are off store nothing", setup, self.line(vector),
                         [("three lanes", "", [w for lane, at in lanes.items() for w in self.written(lane, at, self.data(lane))])])
        if self.size > 1:
            out += self.test("misaligned", one + ["exec = 2"], self.line(vector),
                             [(f"at {at}", f"v10 = {at}", self.written(1, at, self.data())) for at in (2, 5)], ["errata FLAT-U04"])
        last = SIZE // 64 - self.size
        last -= last % step
        out += self.test("beyond memory nothing is written", one + ["exec = 1"], self.line(vector),
                         [("the last place", f"v10 = {last}", self.written(0, last, self.data())), ("far beyond", "v10 = 0x7ffffff0", ["trapsts = 0x100"])])
        return "\n".join(out) + "\n"


def files():
    for name, (size, signed, words) in LOADS.items():
        yield Load(name, size, signed, words.rstrip(","))
    for half, suffix in ((0, ""), (1, "_hi")):
        yield Load("ubyte_d16" + suffix, 1, False, "a byte, zero-extended to 16 bits,", half)
        yield Load("sbyte_d16" + suffix, 1, True, "a byte, sign-extended to 16 bits,", half)
        yield Load("short_d16" + suffix, 2, False, "16 bits", half)
    for name, (size, words) in STORES.items():
        yield Store(name, size, words)
    yield Store("byte_d16_hi", 1, "bits 16 to 23 of a register", 2)
    yield Store("short_d16_hi", 2, "the high half of a register", 2)


def main():
    folder = pathlib.Path(sys.argv[1]) / "scratch"
    folder.mkdir(exist_ok=True)
    for op in files():
        path = folder / f"{op.op}.case"
        tags.write(path, with_what_is_by_hand(path, op.file()))


if __name__ == "__main__":
    main()
