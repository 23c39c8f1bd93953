"""Tests of buffer instructions whose lanes differ from each other, for calc_buf.py and calc_atomic.py: distinct data and
addresses in lanes that do not stand side by side, with valid addresses in lanes between them that are off. The same tests
take registers and resources from both ends of the files: v128 and above, s[0:3], s[96:99], offsets in s0, vcc_hi, exec_hi and m0.
"""
from calc_buffer import DFMT, DNAMES, M32, NAMES, UINT, WAIT, Desc, atomic, h, kept, memory, peek, pick, regs, store_bytes
from calc_mem import block

ON, OFF = (1, 6, 37), (0, 3)
TEXELS = {1: 4, 2: 5, 3: 10, 4: 10}       # of four bytes or less, by components
HALF_TEXELS = {1: 2, 2: 5, 3: 10, 4: 10}
STORED_3 = 7                              # 11_11_10: what a component stores that the instruction lacks is open
WIDE_TEXELS = {2: 11, 3: 13, 4: 14}


def word(lane, i):
    """A dword that differs in every byte from those of other lanes."""
    return 0x9e3779b1 * (4 * lane + i + 1) & M32


def words(values):
    return sum(v << 32 * i for i, v in enumerate(values))


def exec_of(lanes):
    return sum(1 << lane for lane in lanes)


# ---- what an opcode does to memory at one place ----

class Load:
    writes = True

    def __init__(self, spec):
        self.spec, self.dw, self.kept = spec, spec["dw"], kept(spec)

    def desc(self, wide=False, **fields):
        if self.spec["kind"] == "texel":
            fields["dfmt"] = (WIDE_TEXELS if wide else HALF_TEXELS if self.spec["half"] else TEXELS)[self.spec["count"]]
        return Desc(num=UINT, **fields)

    def data(self, lane): return None

    def prepare(self, lane, data, desc):
        """What memory holds before: (bits, value)."""
        size = sum(DFMT[desc.dfmt]) // 8 if self.spec["kind"] == "texel" else 4 * self.dw
        if size == 2:
            return [(16, word(lane, 0) & 0xffff)]
        cut = 0xffff if size > 4 and self.spec.get("half") else M32
        return [(8 * size, words([word(lane, i) & cut for i in range(size // 4)]))]

    def act(self, mem, place, old, desc):
        return pick(self.spec, mem, place, desc) & ~self.kept | old & self.kept


class Store:
    writes = False

    def __init__(self, spec):
        self.spec, self.dw = spec, spec["dw"]

    def desc(self, wide=False, **fields):
        if self.spec["kind"] == "texel":
            count = self.spec["count"]
            fields["dfmt"] = WIDE_TEXELS[count] if wide else STORED_3 if count == 3 else (HALF_TEXELS if self.spec["half"] else TEXELS)[count]
        return Desc(num=UINT, **fields)

    def data(self, lane):
        if self.spec["kind"] != "texel" or self.spec["count"] == 1:
            return words([word(lane, i) for i in range(self.dw)])
        bits = 16 if self.spec["half"] else 32
        return sum((word(lane, i) & 0xff) << bits * i for i in range(self.spec["count"]))

    def prepare(self, lane, data, desc): return []

    def act(self, mem, place, data, desc):
        at, left = place
        for k, v, size in store_bytes(self.spec, data, desc):
            if k + size <= left:
                mem[at + k:at + k + size] = v.to_bytes(size, "little")


# (old value, data) of three lanes: where an operation decides, both ways of it.
OPERANDS = {"smin": [(50, M32 - 19), (M32 - 6, 9), (60, 80)], "umin": [(50, 20), (7, 0xfffffff0), (60, 80)], "inc": [(5, 9), (5, 5), (3, 2)], "dec": [(5, 9), (0, 7), (9, 4)]}
OPERANDS["smax"], OPERANDS["umax"] = OPERANDS["smin"], OPERANDS["umin"]
PLAIN = [(0x1f2e3d4c, 0x13579bdf), (0xa5b4c3d2, 0x0f1e2d3c), (0x600df00d, 0x8badcafe)]


class Atomic:
    """rule: (old, data) to the new value, for operations that calc_buffer.py does not have."""

    def __init__(self, op, bits, rule=None, operands=None, returns=True):
        self.returns = returns
        self.op, self.bits, self.swaps = op, bits, op == "cmpswap"
        self.dw = bits // 32 * (2 if self.swaps else 1)
        self.rule = rule or (lambda old, data: atomic(op, old, data, bits))
        self.operands = operands or OPERANDS.get(op, PLAIN)
        self.writes = False

    def desc(self, wide=False, **fields):
        return Desc(num=UINT, **fields)

    def wide(self, v):
        """The same order in 64 bits, with another low half."""
        return v if self.bits == 32 else v << 32 | v * 0x01000193 & M32

    def pair(self, lane):
        """The operands of a lane; lanes that are off have those of another one."""
        return [self.wide(v) for v in self.operands[ON.index(lane) if lane in ON else lane % 3]]

    def data(self, lane):
        old, data = self.pair(lane)
        return old << self.bits | data if self.swaps else data

    def prepare(self, lane, data, desc):
        """The old value: of a compare and swap what the data compare with, but for the lane in the middle."""
        return [(self.bits, (data >> self.bits) ^ (0x40 if lane == ON[1] else 0) if self.swaps else self.pair(lane)[0])]

    def act(self, mem, place, data, desc):
        at, size = place[0], self.bits // 8
        old, mask = peek(mem, at, size), (1 << self.bits) - 1
        new = (data & mask if data >> self.bits == old else old) if self.swaps else self.rule(old, data)
        mem[at:at + size] = new.to_bytes(size, "little")
        return old


# ---- a test ----

class Setting:
    """Registers and resource of a test; soffset: what stands in the instruction, and its value."""

    def __init__(self, srsrc, soffset, vaddr, vdata, mode, imm, desc, size=256, glc=False):
        self.srsrc, self.soffset, self.value, self.vaddr, self.vdata, self.mode = srsrc, soffset[0], soffset[1], vaddr, vdata, mode
        self.imm, self.desc, self.size, self.glc = imm, desc, size, glc

    def insn(self, name, dw, typed):
        """typed: the format stands in the instruction."""
        fmt = f" format:[BUF_DATA_FORMAT_{DNAMES[self.desc.dfmt]},BUF_NUM_FORMAT_{NAMES[self.desc.num]}]" if typed else ""
        mods = "".join(f" {m}" for m in self.mode) + (f" offset:{self.imm}" if self.imm else "") + (" glc" if self.glc else "")
        return f"    {name} {regs(self.vdata, dw)}, {regs(self.vaddr, len(self.mode))}, s[{self.srsrc}:{self.srsrc + 3}], {self.soffset}{fmt}{mods}"

    def place(self, lane, index, offset):
        idxen, offen = "idxen" in self.mode, "offen" in self.mode
        return self.desc.place(lane, index if idxen else 0, (offset if offen else 0) + self.imm, self.value, idxen)

    def address(self, lane, index, offset):
        cells = [index] * ("idxen" in self.mode) + [offset] * ("offen" in self.mode)
        return f"{regs(self.vaddr, len(cells))}.lane{lane} = {h(words(cells), 32 * len(cells))}"

    def scalars(self, typed):
        desc = self.desc
        if typed:  # the format of the resource does not count
            desc = Desc(desc.stride, desc.records, desc.swizzle, desc.index_stride, dfmt=12, num=1)
        return desc.items(self.srsrc) + ([f"{self.soffset} = {self.value}"] if self.soffset[0] in "smv" else [])


def test(name, access, setting, title, why, lanes, typed=False, overlap=None, errata=None, apart=False):
    """lanes: (index, offset) by number; those of ON are on. overlap: the data register that holds the address. apart: how
    the dwords of a wide access lie in a swizzled buffer is open: 32 bytes from each other, or side by side."""
    s, dw = setting, access.dw
    mem, ins, outs = memory(s.size), [], []
    on = [lane for lane in lanes if lane not in OFF]
    held, places = {}, {}
    for lane, (index, offset) in lanes.items():
        at, _ = places[lane] = s.place(lane, index, offset)
        data = access.data(lane)
        if overlap is not None:
            # what a load's registers held is not what it loads
            data = words([word(lane, 5 + i) for i in range(dw)]) if data is None else data
            data = data & ~(M32 << 32 * overlap) | offset << 32 * overlap
        elif data is None and access.kept:
            data = words([word(lane, 5 + i) for i in range(dw)])
        held[lane] = data or 0
        line = [f"{regs(s.vdata, dw)}.lane{lane} = {h(data, 32 * dw)}"] if data is not None else []
        line += [s.address(lane, index, offset)] if overlap is None else []
        for bits, v in access.prepare(lane, data, s.desc) if lane in on else []:
            mem[at:at + bits // 8] = v.to_bytes(bits // 8, "little")
            line.append(f"buf[{at}].b{bits} = {h(v, bits)}")
            if apart and access.writes:
                line += [f"buf[{at + 32 * i}].b32 = {h(v >> 32 * i)}" for i in range(1, dw)]
        ins += block(line, "      ")
        ins[-1] += "" if lane in on else "  # off"
    back = dw if access.writes else access.bits // 32 if s.glc else 0
    for lane in on:
        before, at = bytes(mem), places[lane][0]
        result = access.act(mem, places[lane], held[lane], s.desc)
        line = stored(before, mem, at, dw if apart else 0)
        line += [f"{regs(s.vdata, back)}.lane{lane} = {h(result, 32 * back)}"] if back else []
        outs += block(line, "      ")
    named = ", ".join(str(lane) for lane in on[:-1]) + f" and {on[-1]}"
    exec_mask = f"exec = {exec_of(on):#x}"
    return ["", f"# {why}", f"test {title}"] + ([f"errata {errata}"] if errata else []) + [f"mem   buf {s.size}"] + block(s.scalars(typed) + [exec_mask]) + ins + [
        "code", s.insn(name, dw, typed), WAIT, f"case  lanes {named} are on", "out   " + outs[0][6:]] + outs[1:]


def stored(before, after, at, dwords_apart):
    """What has changed from `at` on; of dwords that may lie apart, all but the first are in one of two places."""
    last = max((k for k in range(16) if before[at + k:at + k + 1] != after[at + k:at + k + 1]), default=-1)
    if last < 0:
        return []
    if not dwords_apart:
        size = next(n for n in (1, 2, 4, 8, 12, 16) if n > last)
        return [f"buf[{at}].b{8 * size} = {h(peek(after, at, size), 8 * size)}"]
    out = [f"buf[{at}].b32 = {h(peek(after, at, 4))}"]
    for i in range(1, dwords_apart):
        out += [f"buf[{k}].b32 = {{{h(peek(before, k, 4))}|{h(peek(after, at + 4 * i, 4))}}}" for k in (at + 4 * i, at + 32 * i)]
    return out


OFFSETS = {1: (0, 16), 6: (0, 104), 37: (0, 64), 0: (0, 136), 3: (0, 120)}
BOTH = {1: (5, 0), 6: (2, 8), 37: (7, 8), 0: (1, 8), 3: (3, 0)}
INDICES = {1: (2, 0), 6: (12, 0), 37: (22, 0), 0: (5, 0), 3: (30, 0)}


def tests(name, access, typed=False):
    is_atomic = isinstance(access, Atomic)
    glc = is_atomic and access.returns
    plain_wide = is_atomic and access.bits == 64 or not is_atomic and access.spec["kind"] == "dword" and access.dw > 1
    what = "offset" if access.writes else "data and offset"
    out = test(name, access, Setting(8, ("s0", 40), 130, 200, ("offen",), 24, access.desc(records=200)),
               f"{what} of each lane, registers above v127", f"Each lane that is on has its own {what}; those between them do nothing.", OFFSETS, typed)
    both = Setting(96, ("8", 8), 127, 126, ("idxen", "offen"), 8, access.desc(stride=24, records=9), glc=glc)
    both.vdata = 125 - access.dw if is_atomic or access.dw < 3 else 129
    out += test(name, access, both, "index and offset of each lane, a constant offset", "The resource at the end of the scalar registers, index and offset in v127 and v128.", BOTH, typed)
    out += swizzled(name, access, typed, plain_wide)
    if not is_atomic or glc:
        out += same_register(name, access, typed, glc)
    return out + lines(name, access, typed)


def same_register(name, access, typed, glc):
    """The last register of the data is the address; of a compare and swap the first: that one is written, too."""
    at = 0 if isinstance(access, Atomic) and access.swaps else access.dw - 1
    vaddr, returns = 4 + at, access.writes or glc
    soffset = ("vcc_hi", 16) if access.writes else ("exec_hi", exec_of(ON) >> 32)
    setting = Setting(4, soffset, vaddr, 4, ("offen",), 8, access.desc(records=200), glc=glc)
    why = "all lanes read their address before any is written." if returns else "every lane stores its own."
    return test(name, access, setting, "the destination is the address" if returns else "the address is stored", f"v{vaddr} is both; {why}", OFFSETS, typed,
                overlap=at)


def swizzled(name, access, typed, plain_wide):
    setting = Setting(0, ("m0", 24), 255, 12, ("idxen",), 4, access.desc(stride=16, records=64, swizzle=True), size=512, glc=isinstance(access, Atomic) and access.returns)
    why = "Eight records share 128 bytes, dword by dword; what m0 adds is not swizzled."
    return test(name, access, setting, "swizzled records of each lane, an offset in m0", why, INDICES, typed,
                errata="BUF-U06" if plain_wide and isinstance(access, Atomic) else None, apart=plain_wide and not isinstance(access, Atomic))


def lines(name, access, typed):
    """Only accesses of several dwords can begin in one line of 64 bytes and end in the next without being misaligned."""
    spec = getattr(access, "spec", None)
    if not spec or access.dw == 1 and (spec["kind"] != "texel" or spec["count"] < 2):
        return []
    dw = access.dw if spec["kind"] == "dword" else spec["count"]
    begins = {1: 60, 6: 128 - 4 * (dw - 1), 37: 192 - 4 * (dw // 2), 0: 20, 3: 28}
    setting = Setting(16, ("s20", 4), 2, 12, ("offen",), 0, access.desc(wide=True, records=252))
    return test(name, access, setting, "across a line of 64 bytes", "Parts of each access lie in two lines.", {lane: (0, at - 4) for lane, at in begins.items()}, typed)
