"""The rules of buffer instructions, for the calculators that write case files. Shares nothing with oracle/.

Addresses, range checks and formats follow the Vega ISA manual, chapter 8, on Python integers and fractions. Memory
starts as the case runner fills it: the dword at byte k is 0xd0000000 + k.
"""
import struct

from fractions import Fraction

from generations import Generation

M32, M64 = 0xffffffff, (1 << 64) - 1
SIZE = 256
OLD = 0x5a5aa5a5
IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9
DFMT = {1: (8,), 2: (16,), 3: (8, 8), 4: (32,), 5: (16, 16), 6: (11, 11, 10), 7: (10, 11, 11), 8: (2, 10, 10, 10), 9: (10, 10, 10, 2),
        10: (8, 8, 8, 8), 11: (32, 32), 12: (16, 16, 16, 16), 13: (32, 32, 32), 14: (32, 32, 32, 32)}
UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 0, 1, 2, 3, 4, 5, 7
NAMES = {UNORM: "UNORM", SNORM: "SNORM", USCALED: "USCALED", SSCALED: "SSCALED", UINT: "UINT", SINT: "SINT", FLOAT: "FLOAT"}
DNAMES = {1: "8", 2: "16", 3: "8_8", 4: "32", 5: "16_16", 6: "10_11_11", 7: "11_11_10", 8: "10_10_10_2", 9: "2_10_10_10", 10: "8_8_8_8", 11: "32_32",
          12: "16_16_16_16", 13: "32_32_32", 14: "32_32_32_32"}


def memory(size=SIZE):
    return bytearray(b"".join(struct.pack("<I", 0xd0000000 + k) for k in range(0, size, 4)))


def peek(mem, at, size): return int.from_bytes(mem[at:at + size], "little")
def signed(v, bits): return v - (1 << bits) if v >> (bits - 1) & 1 else v


# ---- floats ----

def nearest_f32(x):
    """The nearest f32 of a fraction, ties to even, as bits; no overflow here."""
    if x == 0:
        return 0
    sign, x = (0x80000000, -x) if x < 0 else (0, x)
    e = 0
    while x >= 2 << e if e >= 0 else False:
        e += 1
    while x < (Fraction(1, 1 << -e) if e < 0 else 1 << e):
        e -= 1
    e = max(e, -126)
    scaled = x / (Fraction(2) ** (e - 23))
    n, rest = divmod(scaled.numerator, scaled.denominator)
    twice = 2 * rest
    n += twice > scaled.denominator or (twice == scaled.denominator and n & 1)
    return sign | (((e + 126) << 23) + n)


def f32(x): return struct.unpack("<I", struct.pack("<f", x))[0]
def f16(x): return struct.unpack("<H", struct.pack("<e", x))[0]
def half_value(h): return struct.unpack("<e", struct.pack("<H", h))[0]


def small_float(raw, bits):
    m = bits - 5
    e, f = raw >> m, raw & (1 << m) - 1
    if e == 31:
        return float("nan") if f else float("inf")
    return float(Fraction(f, 1 << m) * Fraction(2) ** -14 if e == 0 else (1 + Fraction(f, 1 << m)) * Fraction(2) ** (e - 15))


def decode(raw, bits, num):
    if num == UNORM:
        return nearest_f32(Fraction(raw, (1 << bits) - 1))
    if num == SNORM:
        return nearest_f32(max(Fraction(-1), Fraction(signed(raw, bits), (1 << bits - 1) - 1)))
    if num == USCALED:
        return nearest_f32(Fraction(raw))
    if num == SSCALED:
        return nearest_f32(Fraction(signed(raw, bits)))
    if num == SINT:
        return signed(raw, bits) & M32
    if num == UINT or bits == 32:
        return raw
    return f32(half_value(raw)) if bits == 16 else f32(small_float(raw, bits))


def one(num): return 1 if num in (UINT, SINT) else 0x3f800000


def as_half(v, num):
    """To 16 bits: integers cut, floats exact in the values used here."""
    return v & 0xffff if num in (UINT, SINT) else f16(struct.unpack("<f", struct.pack("<I", v))[0])


def encode(v, bits, num):
    x = struct.unpack("<f", struct.pack("<I", v))[0]
    mask = (1 << bits) - 1
    if num in (UINT, SINT) or (num == FLOAT and bits == 32):
        return v & mask
    if num == FLOAT:
        assert bits == 16
        return f16(x)
    if x != x:
        return 0
    lo, hi = (Fraction(-1), Fraction(1)) if num == SNORM else (Fraction(0), Fraction(1))
    if num in (USCALED, SSCALED):
        lo, hi = (0, mask) if num == USCALED else (-(1 << bits - 1), (1 << bits - 1) - 1)
        clamped = hi if x == float("inf") else lo if x == float("-inf") else min(max(Fraction(x), lo), hi)
        whole = abs(clamped).__floor__() if clamped >= 0 else -(abs(clamped).__floor__())
        return whole & mask
    scale = mask if num == UNORM else (1 << bits - 1) - 1
    clamped = hi if x == float("inf") else lo if x == float("-inf") else min(max(Fraction(x), lo), hi)
    return round(clamped * scale) & mask  # ties to even


# ---- addresses ----

class Desc:
    """On gfx8 the records of a buffer are bytes unless it is swizzled, and are checked with add_tid, too; a swizzled buffer says how
    many bytes of a record stay together, on gfx7 as well, where a stride makes the records what is counted."""
    element = 4

    def __init__(self, stride=0, records=SIZE, swizzle=False, index_stride=0, add_tid=False, dfmt=4, num=UINT, sel=IDENTITY, kind=0):
        self.stride, self.records, self.swizzle, self.index_stride = stride, records, swizzle, index_stride
        self.add_tid, self.dfmt, self.num, self.sel, self.kind = add_tid, dfmt, num, sel, kind

    def items(self, first=4):
        """What sets the resource in four scalar registers."""
        high = self.stride << 48 | self.swizzle << 63
        word3 = self.sel | self.num << 12 | self.dfmt << 15 | self.index_stride << 21 | self.add_tid << 23 | self.kind << 30
        if (Generation.gfx8 or Generation.gfx7) and self.swizzle:
            word3 |= (self.element.bit_length() - 2) << 19
        records = self.bytes() if Generation.gfx8 and not self.swizzle else self.records
        return [f"s[{first}:{first + 1}] = &buf{f'+0x{high:x}' if high else ''}", f"s{first + 2} = {records}", f"s{first + 3} = 0x{word3:x}"]

    def bytes(self):
        return self.records * (self.stride or 1)

    def text(self):
        return "  ".join(self.items())

    def place(self, lane, index, offset, soffset, idxen):
        """Byte address relative to the buffer, and how many bytes from there on are in range."""
        index += lane if self.add_tid else 0
        if self.swizzle:
            group = 8 << self.index_stride
            e = self.element
            within = (index // group * self.stride + offset // e * e) * group + index % group * e + offset % e
        else:
            within = index * self.stride + offset
        if self.kind:
            left = 0
        elif Generation.gfx8 and not (self.swizzle and self.stride):
            left = max(self.bytes() - (index * self.stride + offset), 0)
        elif Generation.gfx8:
            left = M64 if index < self.records else 0
        elif Generation.gfx7:
            left = (M64 if index < self.records else 0) if self.stride else max(self.records - offset, 0)
        elif self.add_tid and not idxen:
            left = M64
        elif idxen and self.stride:
            left = M64 if index < self.records else 0
        else:
            left = max(self.records - offset, 0)
        return within + soffset, left


RAW = Desc(records=200)
TABLE = Desc(stride=12, records=9)


def table(head, rows):
    width = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, width)).rstrip() for r in [head] + rows]
    return ["rows  " + lines[0]] + ["      " + line for line in lines[1:]]


def h(v, bits=32): return f"0x{v & (1 << bits) - 1:0{bits // 4}x}"
def regs(first, dw): return f"v{first}" if dw == 1 else f"v[{first}:{first + dw - 1}]"


WAIT = "    s_waitcnt vmcnt(0)"


def kept(spec):
    """The bits of its registers that a load leaves as they are."""
    return 0 if Generation.gfx8 else other_half(spec)


def other_half(spec):
    """The bits of its registers that are no data of a load of halves."""
    if spec.get("wide"):
        return 0
    if spec["kind"] == "d16hi" or spec.get("hi"):
        return 0xffff
    if spec["kind"] == "d16" or spec.get("half") and spec["count"] % 2:
        return 0xffff << 32 * spec["dw"] - 16
    return 0


def before(spec):
    """What the registers of a load hold before it."""
    return sum(OLD << 32 * i for i in range(spec["dw"]))


def pick(spec, mem, place, desc):
    """What a load gives: an integer of spec's dwords."""
    at, left = place

    def part(k, size): return peek(mem, at + k, size) if k + size <= left else 0
    kind = spec["kind"]
    if kind == "dword":
        return sum(part(4 * i, 4) << 32 * i for i in range(spec["dw"]))
    if kind in ("u", "s"):
        v = part(0, spec["bytes"])
        return v if kind == "u" else signed(v, spec["bytes"] * 8) & M32
    if kind in ("d16", "d16hi"):
        v = part(0, spec["bytes"])
        v = (signed(v, 8) if spec["sign"] else v) & 0xffff
        return (v if kind == "d16" else v << 16) | before(spec) & kept(spec)
    return texel(spec, mem, place, desc) | before(spec) & kept(spec)


def texel(spec, mem, place, desc):
    at, left = place
    widths = DFMT.get(desc.dfmt, ())
    size = sum(widths) // 8
    there = bool(widths) and size <= left
    raw = peek(mem, at, size) if there else 0
    comps = []
    for w in widths:
        comps.append(decode(raw & (1 << w) - 1, w, desc.num))
        raw >>= w
    out = []
    for i in range(spec["count"]):
        sel = desc.sel >> 3 * i & 7
        v = one(desc.num) if sel == 1 else 0
        if sel >= 4 and there:
            v = comps[sel - 4] if sel - 4 < len(comps) else one(desc.num) if sel == 7 else 0
        out.append(as_half(v, desc.num) if spec["half"] else v)
    if spec.get("hi"):
        return out[0] << 16
    bits = 16 if spec["half"] and not spec.get("wide") else 32
    return sum(v << bits * i for i, v in enumerate(out))


def store_bytes(spec, data, desc):
    """(offset, value, size) of each write, all or nothing for texels."""
    kind = spec["kind"]
    if kind == "dword":
        return [(4 * i, data >> 32 * i & M32, 4) for i in range(spec["dw"])]
    if kind == "u":
        return [(0, data & (1 << 8 * spec["bytes"]) - 1, spec["bytes"])]
    if kind == "hi":
        return [(0, data >> 16 & (1 << 8 * spec["bytes"]) - 1, spec["bytes"])]
    widths, raw, at = DFMT[desc.dfmt], 0, 0
    for i, w in enumerate(widths):
        v = 0
        if i < spec["count"]:
            v = data >> (16 if spec.get("hi") else 0) & 0xffff if spec["half"] and spec["count"] == 1 else \
                data >> 16 * i & 0xffff if spec["half"] and not spec.get("wide") else data >> 32 * i & M32
            if spec["half"]:
                v &= 0xffff
                v = (signed(v, 16) & M32 if desc.num == SINT else v) if desc.num in (UINT, SINT) else f32(half_value(v))
        raw |= encode(v, w, desc.num) << at
        at += w
    return [(0, raw, at // 8)]


def atomic(op, old, data, bits):
    m = (1 << bits) - 1
    s = lambda v: signed(v, bits)
    new = data & m
    return {"swap": new, "add": old + data & m, "sub": old - data & m, "and": old & data, "or": old | data, "xor": old ^ data,
            "smin": min(s(old), s(data)) & m, "smax": max(s(old), s(data)) & m, "umin": min(old, data), "umax": max(old, data),
            "inc": 0 if old >= data else old + 1, "dec": data if old == 0 or old > data else old - 1}[op]
