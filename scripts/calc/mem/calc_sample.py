#!/usr/bin/env python3
"""Works out the expectations of image instructions with a sampler and writes their case files.

    scripts/calc/mem/calc_sample.py cases

What a texture unit gives is worked out by calc_texture.py. Results that are a texel as it is are compared bit by bit,
what a filter makes within the tolerance of the opcode's row (~row).
"""
import math
import pathlib
import struct
import sys
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

from calc_buffer import OLD, table
from calc_mem import D16_TARGETS, ECC_TARGETS
from calc_texture import (ARRAY1, ARRAY2, BORDER, CUBE, D1, D2, D3, FLOAT, HALF, IDENTITY, LAST, MIRROR, ONCE_HALF, SINT, SNORM, SRGB,
                          UINT, UNORM, WRAP, Lane, Sampler, Texture, bits_of, gather, levels, sample, value)
from generations import for_both, where_settled

OUT = 40
F = Fraction
WAIT = "    s_waitcnt vmcnt(0)"


class Op:
    def __init__(self, name):
        self.name = name
        suffix = name.split("_")[2:]
        self.gathers = "gather4" in name
        self.offsets, self.bias, self.ref = "o" in suffix, "b" in suffix, "c" in suffix
        self.slopes, self.quad_slopes = "d" in suffix or "cd" in suffix, "cd" in suffix
        self.level, self.lowest, self.zero = "l" in suffix, "cl" in suffix, "lz" in suffix
        self.implicit = not (self.slopes or self.level or self.zero)


def f32(x):
    bits = bits_of(F(x))
    assert value(bits) == F(x), f"{x} is no f32"
    return bits


def f16(x):
    bits = struct.unpack("<H", struct.pack("<e", float(x)))[0]
    assert F(struct.unpack("<e", struct.pack("<H", bits))[0]) == F(x), f"{x} is no f16"
    return bits


def pack(numbers, a16):
    if not a16:
        return [f32(n) for n in numbers]
    halves = [f16(n) for n in numbers] + [0x4155] * (len(numbers) % 2)  # a number that nobody asks for
    return [halves[i] | halves[i + 1] << 16 for i in range(0, len(halves), 2)]


def address(op, t, lane, da, a16):
    out = []
    if op.offsets:
        out.append(lane.offset_word())
    if op.bias:
        out += pack([lane.bias], a16)
    if op.ref:
        out.append(f32(lane.ref))
    if op.slopes:
        out += pack(lane.slopes[0], a16) + pack(lane.slopes[1], a16)
    body = lane.coords + ([lane.layer] if da else [])
    body += [lane.level] if op.level else [lane.lowest] if op.lowest else []
    return out + pack(body, a16)


def regs(first, n): return f"v{first}" if n == 1 else f"v[{first}:{first + n - 1}]"
def h(v, bits=32): return f"0x{v:0{bits // 4}x}"


def start(title, t, s, code, extra="", errata="", srsrc=4, ssamp=12, targets=None):
    """Another image and another sampler stand where register numbers that lose bit 6 lead."""
    lines, size = t.memory()
    head = ["", f"test {title}"] + ([targets] if targets else []) + ([f"errata {errata}"] if errata else [])
    head += [f"mem   buf {size}", f"in    {t.resource(srsrc)}", f"      {s.text(ssamp)}{extra}"]
    if srsrc > 63:
        other = Sampler(s.clamp, mip=1, least=0x100, most=0x100)
        head += [f"      {t.resource(srsrc - 64, 256)}", f"      {other.text(ssamp - 64)}  {other.text(12)}  # not what is named"]
    for i in range(0, len(lines), 2):
        head.append("      " + "  ".join(lines[i:i + 2]))
    return head + ["code", code, WAIT]


def halves(t, comps):
    if t.num in (UINT, SINT):
        return [c & 0xffff for c in comps]
    return [f16(value(c)) for c in comps]


def results(op, t, s, lane, quad, dmask, da, d16, behind=0):
    """Cells of the results of a lane; `behind` is the half behind an odd number of halves."""
    if op.gathers:
        return [h(v) for v in gather(t, s, lane, dmask.bit_length() - 1, quad, op.zero, da)]
    comps, exact = sample(t, s, lane, quad, op.zero, da)
    comps = [c for i, c in enumerate(comps) if dmask >> i & 1]
    if d16:
        comps = halves(t, comps) + [behind] * (len(comps) % 2)
        return [h(comps[i] | comps[i + 1] << 16) for i in range(0, len(comps), 2)]
    return [h(c) + ("" if exact else "~row") for c in comps]


def flags(op, t, da, a16, d16, more):
    return (" a16" if a16 else "") + (" da" if da else "") + (" d16" if d16 else "") + more


def count(op, dmask, d16):
    n = 4 if op.gathers else bin(dmask).count("1")
    return (n + 1) // 2 if d16 else n


@where_settled
def test(op, title, t, s, lanes, dmask=None, da=False, a16=False, d16=False, more="", errata="", ecc=None):
    """A lane for each of `lanes`; the register behind the address holds 1. An odd number of halves says whether memory has
    error correction."""
    dmask = dmask or (1 if op.ref or op.gathers else 15)
    rows = []
    for i, lane in enumerate(lanes):
        quad = lanes[i & ~3:(i & ~3) + 4]
        rows.append([h(w) for w in address(op, t, lane, da, a16)] + ["|"] + results(op, t, s, lane, quad, dmask, da, d16, 0 if ecc else OLD >> 16))
    n, words = count(op, dmask, d16), len(address(op, t, lanes[0], da, a16))
    code = f"    {op.name} {regs(OUT, n)}, {regs(2, words)}, s[4:11], s[12:15] dmask:0x{dmask:x}" + flags(op, t, da, a16, d16, more)
    head = [f"v{2 + i}" for i in range(words)] + ["|"] + [f"v{OUT + i}" for i in range(n)]
    held = f"  v{OUT + n - 1} = {h(OLD)}" if ecc is not None else ""
    targets = None if ecc is None else ECC_TARGETS if ecc else D16_TARGETS
    return start(title, t, s, code, f"  v{2 + words} = 0x{0x4000 if a16 else 0x3f800000:x}{held}", errata, targets=targets) + table(head, rows)


@where_settled
def placed(op, title, why, t, s, lanes, vaddr, vdata, srsrc, ssamp, off=(), errata=""):
    """The same with registers elsewhere; the lanes of `off` are off."""
    dmask, rows = 1 if op.ref or op.gathers else 15, []
    n, words = count(op, dmask, False), len(address(op, t, lanes[0], False, False))
    for i, lane in enumerate(lanes):
        seen = ["same"] * n if i in off else results(op, t, s, lane, lanes[i & ~3:(i & ~3) + 4], dmask, False, False)
        rows.append([h(w) for w in address(op, t, lane, False, False)] + ["0" if i in off else "1"] * bool(off) + ["|"] + seen)
    code = f"    {op.name} {regs(vdata, n)}, {regs(vaddr, words)}, s[{srsrc}:{srsrc + 7}], s[{ssamp}:{ssamp + 3}] dmask:0x{dmask:x}"
    head = [f"v{vaddr + i}" for i in range(words)] + ["exec"] * bool(off) + ["|"] + [f"v{vdata + i}" for i in range(n)]
    low = "".join(f"  v{vaddr - 128 + i} = {w}" for i, w in enumerate(rows[0][:words])) if vaddr > 127 else ""
    return ["", f"# {why}"] + start(title, t, s, code, low and "\n    " + low, errata, srsrc=srsrc, ssamp=ssamp)[1:] + table(head, rows)


# ---- what every opcode has ----

# Of a lane: start in texels of level 0, slope of the quad in texels, bias, level, lowest level, offsets, and how the
# reference stands to the texel. Every level that comes out is a quarter or more away from where a point filter turns.
QUADS = [((0, 1), 1), ((2, 0), 2), ((-1, 3), 4), ((1, 2), F(1, 2))]
BIAS = [F(0), F(19, 16), F(-13, 16), F(5, 4)]
LEVEL = [F(0), F(19, 16), F(2), F(-3), F(3, 4), F(1), F(7), F(5, 4), F(1, 4), F(9, 4)]
LOWEST = [F(0), F(3, 4), F(-2), F(7, 4), F(5, 4), F(0), F(1), F(9, 4)]
OFFSETS = [(1, 0, 0), (0, -1, 3), (-3, 2, -1), (31, -32, 0), (2, 5, 17)]
SPLIT = [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((F(1, 2), 0), (1, 0)), ((0, F(1, 4)), (0, 1)), ((1, 0), (0, F(1, 2))), ((0, F(-1)), (F(1, 8), 0)), ((F(-1), 0), (0, 0)),
         ((0, 0), (0, F(-1)))]
STEP = F(5, 16)


def lanes_of(op, t, s, exact_levels=False, da=False, step=STEP, quads=QUADS):
    out = []
    for q, ((x0, y0), slope) in enumerate(quads):
        for k in range(4):
            i = 4 * q + k
            x, y = (F(c) for c in (x0, y0))
            x, y = (x + (k & 1) * slope, y + (k >> 1) * slope)
            lane = Lane((x + step) / t.width, (y + step + F(1, 8)) / t.height)
            if da:
                lane.layer = F((i * 5 + 3) % 7 - 1)
            if op.slopes:
                split = SPLIT[(2 * q if op.quad_slopes else i) % len(SPLIT)]
                lane.slopes = [[F(v) * slope / n for v, n in zip(one, (t.width, t.height))] for one in split]
            if op.bias:
                lane.bias = (F(0), F(1), F(3, 8), F(-1, 2))[i % 4] if exact_levels else BIAS[(i + q) % len(BIAS)]
            if op.level:
                lane.level = LEVEL[i % len(LEVEL)] if not exact_levels else (F(0), F(3, 8), F(5, 4), F(-1), F(2))[i % 5]
            if op.lowest:
                lane.lowest = LOWEST[i % len(LOWEST)] if not exact_levels else (F(0), F(5, 8), F(3, 2), F(-4))[i % 4]
            if op.offsets:
                lane.offsets = OFFSETS[i % len(OFFSETS)]
                lane.junk = 0xc0c0c0c0 if i & 1 else 0
            out.append(lane)
    return refer(op, t, s, out, da)


def refer(op, t, s, lanes, da):
    """References beside the texel, at it, and beyond."""
    for i, lane in enumerate(lanes):
        if not op.ref:
            continue
        quad = lanes[i & ~3:(i & ~3) + 4]
        if op.gathers:
            lane.ref = F(1 + i % 6, 8)
            continue
        plain = Sampler(s.clamp, mip=1 if s.mip else 0, bias=s.bias, least=s.least, most=s.most, border=s.border)
        comps, _ = sample(t, plain, Lane(*[c + F(1, 1024) if s.mag else c for c in lane.coords], layer=lane.layer, slopes=lane.slopes, offsets=lane.offsets), quad, True, da)
        texel = value(comps[0])
        lane.ref = min(max(value(bits_of(texel) & ~0xfff) + F((1, -1)[i % 2], 16), F(0)), F(1))
    return lanes


def surface(op, kind=D2, **more):
    """A texture that suits the opcode."""
    if op.ref:
        return Texture(kind, dfmt=2, num=UNORM, **more)
    return Texture(kind, dfmt=10, num=UNORM, **more)


def common(op):
    out = []
    wrap = (LAST, WRAP, LAST)
    t = surface(op, levels=3, seed=op.name)
    s = Sampler(wrap, mip=1, compare=1)
    out += test(op, "points of levels", t, s, lanes_of(op, t, s), errata=errata_of(op))
    t = surface(op, levels=3, seed=op.name + "f")
    s = Sampler(wrap, mip=2 if not op.gathers else 0, mag=1, min_=1, compare=1, bias=96 if op.implicit or op.slopes else 0)
    if op.gathers:
        out += test(op, "without a filter of levels", t, s, lanes_of(op, t, s), dmask=None if op.ref else 4, errata=errata_of(op))
    else:
        lanes = lanes_of(op, t, s, True, step=F(9, 16))
        if op.ref:
            lanes = refer(op, t, Sampler(wrap, mip=0), lanes, False)
        out += test(op, "filters", t, s, lanes, errata=errata_of(op, "MIMG-U07"))
    t = surface(op, ARRAY2, levels=2, depth=3, width=4, height=2, seed=op.name + "a")
    s = Sampler((WRAP, LAST, LAST), mip=1, compare=4)
    out += test(op, "layers, 16-bit address", t, s, lanes_of(op, t, s, da=True), da=True, a16=True, dmask=None if op.ref or not op.gathers else 2, errata=errata_of(op, "MIMG-U03"))
    t = surface(op, levels=2, seed=op.name + "h")
    s = Sampler(wrap, mip=1, compare=6)
    out += test(op, "16-bit address", t, s, lanes_of(op, t, s, quads=QUADS[1:3]), a16=True, dmask=None if op.ref or not op.gathers else 8, errata=errata_of(op, "MIMG-U03"))
    return out + lane_off(op) + status(op) + equal(op) + apart(op) + alone(op)


@where_settled
def alone(op):
    """An image without other levels: what a gather takes; of two filters the level says which one works."""
    out = []
    for da, t in ((False, surface(op, seed=op.name + " alone")), (True, surface(op, ARRAY2, depth=3, width=4, height=2, seed=op.name + " one"))):
        wrap, layers = (LAST, WRAP, LAST), ", layers" if da else ""
        s = Sampler(wrap, min_=0 if op.gathers else 1, mip=1, compare=1, bias=96 if op.implicit or op.slopes else 0)
        lanes = lanes_of(op, t, s, da=da, step=STEP if op.gathers else F(9, 16))
        for i, lane in enumerate(lanes):  # beside neighbours whose slopes would say something else
            lane.level = (F(-1, 4), F(1, 4), F(2), F(-3))[i % 4] if op.level else None
        if op.gathers:
            out += test(op, "one level" + layers, t, s, lanes, da=da, dmask=None if op.ref else 2, errata=errata_of(op))
        else:
            lanes = refer(op, t, Sampler(wrap), lanes, da)
            out += test(op, "the filter of one level" + layers, t, s, lanes, da=da, errata=errata_of(op, "MIMG-U07"))
    return out


SMALL_OFFSETS = [(1, 0, 0), (0, 3, 3), (3, 2, 1), (31, 5, 0), (2, 17, 5)]


def settled(op, t, s):
    """Lanes that rest on nothing that is open: offsets without a sign bit, and lowest levels that change nothing, whether
    they are the lowest or the highest."""
    lanes = lanes_of(op, t, s)
    for i, lane in enumerate(lanes):
        if op.offsets:
            lane.offsets, lane.junk = SMALL_OFFSETS[i % len(SMALL_OFFSETS)], 0
        if op.lowest:
            lane.lowest = None
            lane.lowest = F(levels(t, s, lane, lanes[i & ~3:(i & ~3) + 4])[2])
    return refer(op, t, s, lanes, False)


@where_settled
def apart(op):
    t, s = surface(op, levels=3, seed=op.name + " apart"), Sampler((LAST, WRAP, LAST), mip=1, compare=1)
    off = {0, 1, 2, 3, 8, 9, 10, 11} | (set() if op.implicit else {5, 14})
    why = "Two quads are off" + (", and a lane of each other." if len(off) > 8 else ".") + " Resource and sampler stand at the end of the scalar registers."
    out = placed(op, "quads apart, registers above v127", why, t, s, settled(op, t, s), 130, 200, 88, 96, off)
    t, s = surface(op, levels=3 if op.slopes and not op.ref else 1, seed=op.name + " same"), Sampler((LAST, WRAP, LAST), mip=int(op.slopes and not op.ref), compare=1)
    open_too = op.slopes and op.lowest and not op.ref  # lowest levels that change nothing would leave nothing to the slopes
    lanes = (lanes_of(op, t, s) if open_too else settled(op, t, s))[4:12]
    x = 4 + len(address(op, t, lanes[0], False, False)) - 2 - (op.level or op.lowest)
    what, first = ("reference", 4 + op.offsets) if op.slopes and op.ref else ("slopes", 4) if op.slopes else ("x", x)
    why = f"All lanes read their address before any is written: {what} in v{first}."
    return out + placed(op, "the destination is the address", why, t, s, lanes, 4, first, 0, 8, errata=errata_of(op) if open_too else "")


@where_settled
def status(op):
    """With tfe: what stands behind the data is 0 or what it was."""
    t = surface(op, width=4, height=1, seed=op.name + "t")
    s = Sampler(compare=4)
    lanes = [Lane(F(5, 16), F(9, 16), slopes=[[F(1, 4), 0], [0, 1]], bias=0, ref=F(1) if op.ref else None, offsets=(i % 2, 0, 0) if op.offsets else None, level=0, lowest=0) for i in range(4)]
    body = test(op, "tfe: the register behind the data is 0 or stays", t, s, lanes, dmask=1, more=" tfe", errata="MIMG-U04")
    n = count(op, 1, False)
    at = next(i for i, l in enumerate(body) if l.startswith("rows"))
    body = [l.replace(f" {regs(OUT, n)}, ", f" {regs(OUT, n + 1)}, ") for l in body]
    rows = [l[6:].split() for l in body[at:]]
    mark, last = rows[0].index("|"), f"v{OUT + n}"
    rows = [r[:mark] + [w] + r[mark:] + [v] for r, w, v in zip(rows, [last, "0", "7", "0", "9"], [last, "0", "{0|7}", "0", "{0|9}"])]
    return body[:at] + table(rows[0], rows[1:])


@where_settled
def equal(op):
    """A reference that is the texel, between two beside it; each of the texels that a gather compares."""
    if not op.ref or compare_tests in SPECIAL.get(op.name, []):
        return []
    texels = [F(1, 2), F(-3), F(5), F(1, 4)]
    t = Texture(D2, dfmt=4, num=FLOAT, width=4, height=1, raws=[f32(v) for v in texels])
    lanes = [Lane(F(2 * i + 1, 8) + F(1, 64), F(9, 16), slopes=[[F(0), F(0)], [F(0), F(0)]], bias=0, ref=v + by, offsets=(0, 0, 0) if op.offsets else None, level=0, lowest=0)
             for i, v in enumerate(texels) for by in (F(-1, 4), F(0), F(1, 4))]
    return test(op, "a reference that is the texel", t, Sampler((LAST, LAST, LAST), compare=3), lanes)


def errata_of(op, *more):
    """What tests with offsets of both signs and all kinds of lowest levels rest on, and more."""
    return " ".join(["MIMG-C08"] * op.offsets + ["MIMG-C18"] * op.lowest + list(more))


@where_settled
def lane_off(op):
    t = surface(op, width=4, height=1, seed=op.name)
    s = Sampler((LAST, LAST, LAST), compare=4)
    lane = Lane(F(21, 16), F(9, 16), slopes=[[F(1, 4), 0], [0, 1]], bias=0, ref=F(1) if op.ref else None, offsets=(0, 0, 0), level=0, lowest=0)
    words = address(op, t, lane, False, False)
    dmask = 1 if op.ref or op.gathers else 2
    cells = results(op, t, s, lane, [lane] * 4, dmask, False, False)
    n = len(cells)
    code = f"    {op.name} {regs(OUT, n)}, {regs(2, len(words))}, s[4:11], s[0:3] dmask:0x{dmask:x}"
    sets = "  ".join(f"v{2 + i} = {h(w)}" for i, w in enumerate(words))
    outs = "  ".join(f"v{OUT + i}.lane34 = {c}" for i, c in enumerate(cells))
    why = "# The sampler stands in s[0:3]; to one of zeros x would wrap."
    return ["", why] + start("lanes that are off keep their registers", t, s, code, f"  exec = 0x400000000\n      {sets}", ssamp=0)[1:] + ["case  lane 34 alone", f"out   {outs}"]


# ---- what one opcode shows for all: without levels ----

def line(n=4, **more): return Texture(D1, width=n, **more)


NAMES = ["wrap", "mirror", "last texel", "mirrored once, last texel", "half the border", "mirrored once, half the border", "border", "mirrored once, border"]


@where_settled
def clamp_tests(op):
    out = []
    for mode, name in enumerate(NAMES):
        t = line(5 if mode in (WRAP, MIRROR, BORDER) else 4, seed=name)
        places = [F(-37, 8), F(-43, 16), F(-1, 4), F(1, 4), F(13, 8), F(39, 16), F(15, 4), F(67, 16), F(43, 8), F(29, 4), F(-97, 8), F(105, 8), F(1, 16), F(81, 16)]
        if t.width == 5:  # coordinates that f32 holds: eighths of the width
            places = [F(round(p / t.width * 32) * 2 + 1, 64) * t.width for p in places]
        lanes = [Lane(p / t.width) for p in places]
        s = Sampler((mode, BORDER, BORDER), border=2 if mode & 1 else 1)
        if mode not in (HALF, ONCE_HALF):
            out += test(op, f"points, {name}", t, s, lanes)
        s = Sampler((mode, BORDER, BORDER), mag=1, min_=1, border=2 if mode & 1 else 1)
        out += test(op, f"filter, {name}", t, s, lanes, errata="MIMG-U07")
    t = Texture(D2, width=4, height=2, seed="two")
    lanes = [Lane(F(x, 16), F(y, 16)) for x, y in ((-5, 3), (21, 5), (3, -5), (5, 21), (-3, -3), (19, 19), (7, 9))]
    out += test(op, "another mode for y", t, Sampler((WRAP, BORDER, LAST), border=2), lanes)
    t = Texture(D3, width=2, height=2, depth=2, seed="three")
    lanes = [Lane(F(x, 8), F(y, 8), F(z, 8)) for x, y, z in ((-1, 3, 5), (3, 9, 3), (3, 3, -3), (5, 5, 11), (13, 3, 3), (3, -3, 3))]
    return out + test(op, "another mode for z", t, Sampler((LAST, MIRROR, WRAP)), lanes)


@where_settled
def border_tests(op):
    out = []
    outside, inside = Lane(F(-1, 4), F(1, 2)), Lane(F(3, 8), F(1, 2))
    for border, name in enumerate(("transparent black", "opaque black", "opaque white")):
        t = Texture(D2, width=4, height=1, num=UINT if border == 2 else UNORM, seed=border)
        out += test(op, f"border of {name}", t, Sampler((BORDER, LAST, LAST), border=border), [outside, inside, Lane(F(9, 8), F(1, 2))], errata="MIMG-C19")
    t = Texture(D2, width=4, height=1, seed="white")
    out += test(op, "half of a white border", t, Sampler((BORDER, LAST, LAST), border=2, mag=1, min_=1), [Lane(F(0), F(1, 2)), Lane(F(1), F(1, 2)), Lane(F(1, 16), F(1, 2))], errata="MIMG-C19")
    for order in range(1, 6):
        t = Texture(D2, width=4, height=1, order=order, seed=order)
        out += test(op, f"border in order {order}", t, Sampler((BORDER, LAST, LAST), border=1), [outside, inside], errata="MIMG-C19")
    t = Texture(D2, width=4, height=1, order=2, sel=7 | 6 << 3 | 5 << 6 | 4 << 9, seed="back")
    return out + test(op, "border and destination selects", t, Sampler((BORDER, LAST, LAST), border=1), [outside, inside], errata="MIMG-C19")


@where_settled
def volume_tests(op):
    out = []
    lanes = [Lane(F(x, 16), F(y, 16), F(z, 16)) for x, y, z in ((3, 5, 3), (11, 7, 6), (7, 9, 10), (5, 13, 13), (9, 3, 15), (6, 6, 1))]
    for z, xy, name in ((0, 1, "z as x and y"), (1, 1, "a point along z"), (2, 0, "a filter along z alone"), (2, 1, "a filter along z too")):
        t = Texture(D3, width=2, height=2, depth=4, seed=name)
        out += test(op, name, t, Sampler((LAST, LAST, WRAP), mag=xy, min_=xy, z=z), lanes, errata="MIMG-U10" if z == 0 else "")
    return out


@where_settled
def cube_tests(op):
    t = Texture(CUBE, width=4, height=4, depth=6, seed="cube")
    lanes = [Lane(1 + F(3 + 4 * (f % 3), 16), 1 + F(15 - 2 * f, 16), layer=F(f)) for f in range(6)] + [Lane(F(2), F(1), layer=F(3)), Lane(F(1), F(2), layer=F(1))]
    out = test(op, "faces of a cube", t, Sampler(), lanes, da=True, errata="MIMG-U16")
    edges = []
    for f in range(6):
        for k in range(4):
            along, off = F(2 * ((f + k) % 4) + 1, 8), F((1, 2)[k & 1], 32)
            u, v = ((off, along), (1 - off, along), (along, off), (along, 1 - off))[k]
            edges.append(Lane(1 + u, 1 + v, layer=F(f)))
    out += test(op, "across the edges of a cube", t, Sampler(mag=1, min_=1), edges, da=True, dmask=7, errata="MIMG-U16 MIMG-U07")
    inner = [Lane(1 + F(5 + f, 16), 1 + F(11 - f, 16), layer=F(f)) for f in range(6)]
    out += test(op, "inside the faces of a cube", t, Sampler(mag=1, min_=1), inner, da=True, errata="MIMG-U07")
    t = Texture(CUBE, width=1, height=1, depth=18, seed="cubes")
    lanes = [Lane(F(25, 16), F(23, 16), layer=F(n)) for n in (0, 5, 8, 12, 13, 16, 20, 21, 29, -8, -5)]
    return out + test(op, "layers of cubes, eight numbers to each", t, Sampler(), lanes, da=True, errata="MIMG-C07")


@where_settled
def layer_tests(op):
    t = Texture(ARRAY2, width=2, height=1, depth=4, seed="layers")
    lanes = [Lane(F(1, 4), F(1, 2), layer=F(n)) for n in (0, 1, F(11, 8), F(13, 8), 3, 4, 77, -1, F(-3, 8), F(27, 8))]
    out = test(op, "the nearest layer there is", t, Sampler(), lanes, da=True, errata="MIMG-U11")
    out += test(op, "without da the layer is 0", t, Sampler(), [Lane(F(1, 4), F(1, 2)), Lane(F(3, 4), F(1, 2))], errata="MIMG-U09")
    t = Texture(D2, width=2, height=2, depth=1, seed="plain")
    out += test(op, "a layer that the image does not have is ignored", t, Sampler(), [Lane(F(1, 4), F(3, 4), layer=F(2)), Lane(F(3, 4), F(1, 4), layer=F(9))], da=True, errata="MIMG-U09")
    for kind, name in ((ARRAY2, "layers"), (D2, "one layer")):
        t = Texture(kind, width=2, height=2, depth=4, layer=1 if kind == ARRAY2 else 3, seed=name)
        lanes = [Lane(F(1 + 2 * (i & 1), 4), F(1, 4), layer=F(n)) for i, n in enumerate((0, 1, 2, 3, -1))]
        out += test(op, f"{name} from a first one on", t, Sampler(), lanes if kind == ARRAY2 else lanes[:2], da=kind == ARRAY2, errata="MIMG-U01")
    t = Texture(CUBE, width=1, height=1, depth=18, layer=6, seed="later")
    out += test(op, "cubes from a first one on", t, Sampler(), [Lane(F(25, 16), F(23, 16), layer=F(n)) for n in (0, 5, 8, 12, 21)], da=True, errata="MIMG-U01")
    t = Texture(ARRAY1, width=3, depth=3, seed="lines")
    lanes = [Lane(F(x, 16), layer=F(n)) for x, n in ((3, 0), (7, 1), (13, 2), (29, 5), (-5, -1))]
    return out + test(op, "layers of 1D", t, Sampler((WRAP, BORDER, BORDER)), lanes, da=True)


FORMATS = [(1, UNORM, "8 unorm"), (3, SNORM, "8_8 snorm"), (10, SRGB, "8_8_8_8 srgb"), (1, SRGB, "8 srgb"), (10, SINT, "8_8_8_8 sint"), (2, UINT, "16 uint"), (5, UNORM, "16_16 unorm"),
           (16, UNORM, "5_6_5 unorm"), (17, UNORM, "1_5_5_5 unorm"), (18, UNORM, "5_5_5_1 unorm"), (19, UNORM, "4_4_4_4 unorm"), (9, UNORM, "2_10_10_10 unorm"), (4, SINT, "32 sint"),
           (11, UINT, "32_32 uint"), (12, SNORM, "16_16_16_16 snorm")]
FLOATS = [(4, [0x3f400000, 0x3e800000, 0xbf000000, 0x00000000], "32 float"), (12, [0x3c003800b4000000, 0x3400300038003a00, 0x000138003c00b800, 0x3800380038003801], "16_16_16_16 float"),
          (6, [0x77c003c0, 0x1e0783c1, 0x3c1e0f07, 0x00000000], "10_11_11 float"), (14, [0x3f800000bf800000400000003e000000] * 4, "32_32_32_32 float")]


@where_settled
def format_tests(op):
    out = []
    lanes = [Lane(F(2 * i + 1, 8) + F(1, 64)) for i in (0, 1, 3, 2)]
    for dfmt, num, name in FORMATS:
        t = line(4, dfmt=dfmt, num=num, seed=name)
        s = Sampler()
        body = test(op, f"texels of {name}", t, s, lanes)
        if num == SRGB:  # how precisely the curve is known is not stated
            body = [l if not l.startswith("      0x") else "  ".join([l.split("|")[0].rstrip(), "|"] + [c + "~row" for c in l.split("|")[1].split()]) for l in body]
            body.insert(2, "errata MIMG-U12")
        out += body
    for dfmt, raws, name in FLOATS:
        t = line(4, dfmt=dfmt, num=FLOAT, raws=raws)
        out += test(op, f"texels of {name}", t, Sampler(), lanes)
        out += test(op, f"filter of {name}", t, Sampler(mag=1, min_=1), [Lane(F(5, 16)), Lane(F(1, 2)), Lane(F(11, 16))], errata="MIMG-U07")
    t = line(4, dfmt=3, num=SNORM, raws=[0x7f81, 0x4001, 0x00c0, 0x2080])
    return out + test(op, "filter of 8_8 snorm", t, Sampler(mag=1, min_=1), [Lane(F(5, 16)), Lane(F(1, 2)), Lane(F(11, 16))], dmask=3, errata="MIMG-U07")


@where_settled
def component_tests(op):
    out = []
    lanes = [Lane(F(3, 8)), Lane(F(7, 8) - F(1, 16))]
    for title, sel, dmask in (("dmask leaves components out", IDENTITY, 0b1010), ("destination selects", 6 | 7 << 3 | 1 << 6 | 4 << 9, 15),
                              ("destination selects, then dmask", 1 | 7 << 3 | 0 << 6 | 5 << 9, 0b1110)):
        out += test(op, title, line(4, sel=sel, seed=title), Sampler(), lanes, dmask=dmask, errata="MIMG-C05")
    out += test(op, "destination selects behind a filter", line(4, sel=6 | 7 << 3 | 1 << 6 | 4 << 9, seed=9), Sampler(mag=1, min_=1), [Lane(F(1, 2)), Lane(F(5, 16))], errata="MIMG-U07")
    t = line(4, dfmt=10, num=UNORM, raws=[0x00ff00ff, 0xff0000ff, 0xffffffff, 0xff00ff00])
    out += test(op, "16 bits of data", t, Sampler(), lanes, d16=True)
    out += test(op, "16 bits of data, three of them", t, Sampler(), lanes, d16=True, dmask=0b1101, errata="MIMG-U20", ecc=False)
    out += test(op, "16 bits of data, three of them with error correction", t, Sampler(), lanes, d16=True, dmask=0b1101, errata="MIMG-U20", ecc=True)
    t = line(4, dfmt=10, num=SINT, raws=[0x80ff7f01, 0x01020304, 0xff00ff00, 0x7f808182])
    out += test(op, "16 bits of integers", t, Sampler(), lanes, d16=True)
    t = line(4, dfmt=11, num=FLOAT, raws=[0x3f8000003f000000, 0x40000000bf800000, 0x000000003e000000, 0x3f00000040400000])
    out += test(op, "16 bits of floats, filtered", t, Sampler(mag=1, min_=1), [Lane(F(1, 4)), Lane(F(1, 2)), Lane(F(3, 4))], d16=True, dmask=3)
    zero = ["", "test a resource of zeros reads 0", "in    s[4:7] = 0  s[8:11] = 0  s[12:15] = 0  v2 = 0.5f32  v3 = 0.5f32  exec = 5", "code",
            f"    {op.name} v[40:41], v[2:3], s[4:11], s[12:15] dmask:0x9", WAIT, "case  lanes 0 and 2", "out   v[40:41] = 0"]
    return out + zero


@where_settled
def unit_tests(op):
    out = []
    places = [(F(3, 4), F(5, 4)), (F(-3, 8), F(1, 4)), (F(7, 2) + F(1, 8), F(5, 4)), (F(19, 4), F(3, 4)), (F(5, 2) + F(1, 8), F(9, 4))]
    lanes = [Lane(x, y) for x, y in places]
    t = Texture(D2, width=4, height=2, seed="units")
    out += test(op, "coordinates in texels", t, Sampler((LAST, BORDER, LAST), border=2, unnormalized=True), lanes)
    linear = [Lane(F(1), F(3, 4)), Lane(F(9, 4), F(1)), Lane(F(0), F(0)), Lane(F(4), F(2)), Lane(F(15, 4), F(7, 8))]
    out += test(op, "coordinates in texels, filtered", t, Sampler((LAST, BORDER, LAST), border=2, unnormalized=True, mag=1, min_=1), linear, errata="MIMG-U07")
    return out


@where_settled
def unorm_tests(op):
    t = Texture(D2, width=4, height=2, seed="unorm")
    s = Sampler((BORDER, LAST, LAST), border=2, unnormalized=True)
    lanes = [Lane(F(3, 4), F(5, 4)), Lane(F(-3, 8), F(1, 4)), Lane(F(29, 8), F(5, 4)), Lane(F(19, 4), F(3, 4))]
    body = test(op, "coordinates in texels, as the instruction says", t, s, lanes, more=" unorm")
    plain = Sampler((BORDER, LAST, LAST), border=2)
    return [l.replace(s.text(), plain.text()) for l in body]


@where_settled
def extreme_tests(op):
    out = []
    t = Texture(D2, width=4, height=2, seed="extremes")
    lanes = [Lane(F(x, 32), F(y, 32)) for x, y in ((7, 15), (13, 20), (4, 9), (4, 24), (20, 17))]
    for blend, name in ((1, "the least of the texels"), (2, "the most of the texels")):
        out += test(op, name, t, Sampler(mag=1, min_=1, blend=blend), lanes)
    return out


@where_settled
def cut_tests(op):
    t = line(4, seed="cut")
    near = F(1, 4096)
    rows = [(F(1, 2) - near, 1), (F(1, 4) - near, 0), (F(3, 4) + near, 3), (F(5, 16), 1)]
    body = test(op, "a point filter that cuts coordinates", t, Sampler(cut=True), [Lane(F(2 * i + 1, 8) + F(1, 64)) for _, i in rows], errata="MIMG-U13")
    for (place, _), i in zip(rows, range(4)):
        at = len(body) - 4 + i
        cells = body[at].split()
        body[at] = "      " + "  ".join([h(f32(place)).ljust(len(cells[0]))] + cells[1:])
    return body


@where_settled
def view_tests(op):
    t = Texture(D2, width=8, height=4, levels=3, base=1, seed="view")
    lanes = [Lane(F(2 * i + 1, 8) + F(1, 64), F(1, 4) + F(i & 1, 2)) for i in range(4)]
    return test(op, "the first level that is seen", t, Sampler(mip=1), lanes)


# ---- with levels ----

@where_settled
def level_tests(op):
    out = []
    at = lambda *ls: [Lane(F(5, 16) + F(i % 3, 4), F(9, 16), level=F(l)) for i, l in enumerate(ls)]
    t = Texture(D2, width=4, height=4, levels=3, seed="levels")
    out += test(op, "limits of the sampler", t, Sampler(mip=1, least=0x0c0, most=0x140), at(0, F(1, 4), 1, 2, F(7, 4), -5))
    out += test(op, "limits of the sampler, filtered", t, Sampler(mip=2, least=0x060, most=0x1a0), at(0, F(1, 2), 1, 2, 5, F(5, 4)), errata="MIMG-U07")
    out += test(op, "rounded before limits", t, Sampler(mip=1, least=0x140, most=0x1c0, preclamp=True), at(0, F(1, 4), F(9, 8), 2, F(3, 4)))
    out += test(op, "rounded behind limits", t, Sampler(mip=1, least=0x0c0, most=0x1c0), at(0, F(1, 4), F(9, 8), 2, F(3, 4)))
    out += test(op, "a filter without levels", t, Sampler(mip=0), at(0, 1, 2, 7))
    out += test(op, "one filter to magnify, one to minify", t, Sampler(mag=1, min_=0, mip=1), at(-1, F(-1, 4), F(1, 4), 1, 2), errata="MIMG-U07")
    out += test(op, "the other way round", t, Sampler(mag=0, min_=1, mip=1), at(-1, F(-1, 4), F(1, 4), 1, 2), errata="MIMG-U07")
    t = Texture(D2, width=5, height=3, levels=3, seed="odd")
    out += test(op, "sizes that are no powers of two", t, Sampler(mip=1), [Lane(F(5 + 8 * i, 32), F(11 + 5 * i, 32), level=F(i % 3)) for i in range(6)], errata="MIMG-U14")
    t = Texture(D2, width=8, height=8, levels=4, base=1, last=2, seed="some")
    out += test(op, "some of the levels", t, Sampler(mip=1), at(0, 1, 2, 3), errata="MIMG-U14")
    t = Texture(D3, width=4, height=4, depth=2, levels=2, seed="volume")
    out += test(op, "levels of a volume", t, Sampler(mip=1), [Lane(F(5, 32) + F(i, 4), F(9, 32), F(5, 16) + F(i & 1, 2), level=F(i >> 1)) for i in range(4)], errata="MIMG-U14")
    t = Texture(D1, width=8, levels=4, seed="line")
    out += test(op, "levels of a line", t, Sampler(mip=1), [Lane(F(5, 64) + F(3 * i, 16), level=F(i)) for i in range(5)], errata="MIMG-U14")
    t = Texture(CUBE, width=2, height=2, depth=6, levels=2, seed="faces")
    return out + test(op, "levels of a cube", t, Sampler(mip=1), [Lane(1 + F(5 + 16 * (i & 1), 32), F(45, 32), layer=F(i), level=F(i & 1)) for i in range(6)], da=True, errata="MIMG-U14")


def quad(x, y, dx, dy, w, h_): return [Lane((F(x) + (k & 1) * F(dx)) / w, (F(y) + (k >> 1) * F(dy)) / h_) for k in range(4)]


@where_settled
def implicit_tests(op):
    t = Texture(D2, width=8, height=2, levels=3, seed="wide")
    lanes = quad(F(5, 16), F(5, 16), 1, F(1, 2), 8, 2) + quad(F(21, 16), F(3, 16), F(1, 2), 2, 8, 2) + quad(F(5, 16), F(9, 16), 4, F(1, 8), 8, 2) + quad(F(9, 16), F(5, 16), -2, F(-1, 4), 8, 2)
    out = test(op, "slopes in texels along each axis", t, Sampler((WRAP, WRAP, WRAP), mip=1), lanes)
    slanted = []
    for x, y, a, b in ((F(5, 16), F(7, 16), F(21, 8), F(21, 8)), (F(19, 16), F(5, 16), F(21, 16), F(-21, 16))):
        slanted += [Lane((x + (k & 1) * a) / 4, (y + (k & 1) * b + (k >> 1) * F(1, 8)) / 4) for k in range(4)]
    t = Texture(D2, width=4, height=4, levels=3, seed="slanted")
    out += test(op, "the length of a slope", t, Sampler((WRAP, WRAP, WRAP), mip=1), slanted)
    lanes = quad(F(5, 16), F(5, 16), 1, 1, 1, 1) + quad(F(5, 16), F(21, 16), 2, 2, 1, 1)
    out += test(op, "slopes of coordinates in texels", t, Sampler(mip=1, unnormalized=True), lanes)
    lanes = quad(F(5, 16), F(5, 16), 1, 1, 4, 4) + quad(F(5, 16), F(21, 16), 2, 2, 4, 4)
    for bias in (0x140, -0x0e0 & 0x3fff):
        out += test(op, f"a bias of the sampler, {bias:#x}", t, Sampler((WRAP, WRAP, WRAP), mip=1, bias=bias if bias < 0x2000 else bias - 0x4000), lanes)
    same = [Lane(F(5, 16), F(5, 16))] * 4
    out += test(op, "without slopes the first level", t, Sampler(mip=1), same)
    off = [Lane(F(5, 16) + F(i, 4), F(5, 16)) for i in range(3)]
    one = Texture(D2, width=4, height=4, seed="one")
    return out + test(op, "one level needs no neighbours", one, Sampler(mip=1), off)


@where_settled
def slope_tests(op):
    t = Texture(D1, width=8, levels=4, seed="line")
    lane = lambda a, b: Lane(F(5, 64), slopes=[[F(a, 8)], [F(b, 8)]])
    out = test(op, "slopes of a line", t, Sampler(mip=1), [lane(1, 0), lane(0, 2), lane(-4, 1), lane(1, -2), lane(0, 0), lane(8, 2), lane(F(1, 2), F(1, 4))])
    t = Texture(D3, width=4, height=4, depth=4, levels=3, seed="volume")
    places = [Lane(F(5, 64), F(21, 64), F(37, 64), slopes=[[F(v, 4) for v in a], [F(v, 4) for v in b]]) for a, b in
              (((1, 0, 0), (0, 0, 0)), ((0, 2, 0), (1, 0, 0)), ((0, 0, 4), (0, 1, 0)), ((0, 0, 0), (2, 0, 0)), ((0, 1, 0), (0, 4, 0)), ((0, 0, 0), (0, 0, -2)), ((1, 1, 1), (0, 0, 0)),
               ((F(7, 4), F(7, 4), F(7, 4)), (0, 0, 0)))]
    out += test(op, "slopes of a volume", t, Sampler(mip=1), places)
    out += test(op, "slopes of a volume, of 16 bits", t, Sampler(mip=1), places, a16=True, errata="MIMG-U03")
    t = Texture(D1, width=8, levels=4, seed="halves")
    out += test(op, "slopes of a line, of 16 bits", t, Sampler(mip=1), [lane(1, 0), lane(0, 2), lane(-4, 1), lane(8, 2)], a16=True, errata="MIMG-U03")
    t = Texture(CUBE, width=4, height=4, depth=6, levels=3, seed="faces")
    lanes = [Lane(F(69, 64), F(85, 64), layer=F(i), slopes=[[F(a, 4), F(b, 4)], [F(c, 4), F(d, 4)]]) for i, (a, b, c, d) in
             enumerate(((1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 4, 0), (0, 0, 0, 2), (F(7, 4), F(7, 4), 0, 0), (0, 1, 4, 0)))]
    return out + test(op, "slopes on the faces of a cube", t, Sampler(mip=1), lanes, da=True)


# ---- comparison ----

FUNCTIONS = ["never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"]


@where_settled
def compare_tests(op):
    out = []
    for code, name in enumerate(FUNCTIONS):
        t = line(4, dfmt=4, num=FLOAT, raws=[f32(F(1, 2)), f32(F(-3)), f32(F(5)), f32(F(1, 4))])
        lanes = [Lane(F(2 * (i // 3 % 4) + 1, 8) + F(1, 64), ref=r) for i, r in enumerate((F(3, 8), F(1, 2), F(5, 8), F(-4), F(-3), F(-2), F(4), F(5), F(6)))]
        out += test(op, f"passes if the reference is {name}" if code not in (0, 7) else f"passes {name}", t, Sampler(compare=code), lanes, errata="MIMG-U15")
    t = line(4, dfmt=2, num=UNORM, raws=[0, 0xffff, 0x8000, 0x4000])
    lanes = [Lane(F(2 * i + 1, 8) + F(1, 64), ref=r) for i, r in ((0, F(-1)), (1, F(2)), (0, F(0)), (1, F(1)), (2, F(9, 16)), (3, F(1, 8)))]
    out += test(op, "references of normalized texels are brought to 0..1", t, Sampler(compare=2), lanes, errata="MIMG-U15")
    t = Texture(D2, dfmt=2, num=UNORM, width=4, height=2, seed="pcf")
    lanes = [Lane(F(x, 64), F(y, 32), ref=F(r, 16)) for x, y, r in ((22, 14, 5), (27, 17, 9), (35, 20, 7), (41, 11, 8), (50, 13, 12), (19, 19, 3))]
    out += test(op, "a filter of comparisons", t, Sampler(mag=1, min_=1, compare=3), lanes, errata="MIMG-U07")
    t = line(4, dfmt=2, num=UNORM, seed="edge")
    lanes = [Lane(F(-1, 4), ref=F(3, 4)), Lane(F(9, 8), ref=F(1)), Lane(F(-1, 2), ref=F(0))]
    return out + test(op, "the border is compared too", t, Sampler((BORDER, LAST, LAST), border=2, compare=1), lanes, errata="MIMG-U15")


# ---- gathers ----

@where_settled
def gather_tests(op):
    out = []
    lanes = [Lane(F(x, 64), F(y, 64)) for x, y in ((21, 27), (37, 13), (3, 59), (61, 5), (29, 45))]
    for c in range(4):
        t = Texture(D2, seed=f"gather {c}")
        out += test(op, f"component {c}", t, Sampler((WRAP, LAST, LAST)), lanes, dmask=1 << c)
    t = Texture(D2, width=4, height=2, sel=6 | 1 << 3 | 0 << 6 | 4 << 9, seed="selects")
    for dmask in (1, 2, 4, 8):
        out += test(op, f"destination selects, dmask {dmask}", t, Sampler(), lanes[:2], dmask=dmask)
    t = Texture(D2, width=4, height=2, dfmt=10, num=UINT, seed="integers")
    out += test(op, "integers", t, Sampler(mag=1, min_=1), lanes, dmask=4)
    t = Texture(D2, width=4, height=2, seed="outside")
    out += test(op, "the border", t, Sampler((BORDER, BORDER, LAST), border=2), lanes, dmask=1)
    t = Texture(CUBE, width=2, height=2, depth=6, seed="faces")
    inner = [Lane(1 + F(x, 64), 1 + F(31, 64) + F(1, 32), layer=F(f)) for f, x in enumerate((29, 33, 35, 30, 34, 31))]
    out += test(op, "faces of a cube", t, Sampler(), inner, da=True, dmask=2)
    edges = [Lane(1 + F(x, 64), 1 + F(y, 64), layer=F(f)) for f, (x, y) in enumerate(((5, 35), (60, 35), (35, 4), (35, 61), (5, 35), (35, 61)))]
    out += test(op, "across the edges of a cube", t, Sampler(), edges, da=True, dmask=1, errata="MIMG-U16")
    t = Texture(D2, width=4, height=2, seed="units")
    return out + unit_gather(op, t)


def unit_gather(op, t):
    lanes = [Lane(F(x, 16), F(y, 16)) for x, y in ((21, 13), (37, 19), (3, 29), (61, 5))]
    return test(op, "coordinates in texels", t, Sampler(unnormalized=True), lanes, dmask=1)


# ---- the level itself ----

@where_settled
def lod_case(op):
    out = []
    t = Texture(D2, width=8, height=8, levels=4, seed="lod")

    def level_test(title, s, lanes, dmask=3, errata="MIMG-U02", srsrc=4, ssamp=12, dst=OUT):
        rows = []
        for i, lane in enumerate(lanes):
            raw, limited, first, weight = levels(t, s, lane, lanes[i & ~3:(i & ~3) + 4])
            values = [bits_of(F(first) + weight), bits_of(raw)]
            cells = [h(v) + "~row" for k, v in enumerate(values) if dmask >> k & 1]
            rows.append([h(w) for w in address(op, t, lane, False, False)] + ["|"] + cells)
        n = bin(dmask).count("1")
        code = f"    {op.name} {regs(dst, n)}, v[2:3], s[{srsrc}:{srsrc + 7}], s[{ssamp}:{ssamp + 3}] dmask:0x{dmask:x}"
        return start(title, t, s, code, "", errata, srsrc, ssamp) + table(["v2", "v3", "|"] + [f"v{dst + i}" for i in range(n)], rows)

    lanes = []
    for step in (F(1, 4), 1, 2, 4, 16):
        lanes += quad(F(5, 16), F(9, 16), step, step / 2, 8, 8)
    out += level_test("limited to the levels there are, and as the slopes have it", Sampler((WRAP, WRAP, WRAP), mip=2), lanes)
    out += level_test("a point filter rounds", Sampler((WRAP, WRAP, WRAP), mip=1, bias=0x060), lanes)
    out += level_test("bias and limits of the sampler", Sampler((WRAP, WRAP, WRAP), mip=2, bias=-0x080, least=0x080, most=0x220), lanes, ssamp=0)
    out += level_test("the one that is read, alone", Sampler((WRAP, WRAP, WRAP), mip=2), lanes[4:12], 1, srsrc=0)
    out += level_test("the one of the slopes, alone", Sampler((WRAP, WRAP, WRAP), mip=2), lanes[8:16], 2, dst=2)
    s = Sampler((WRAP, WRAP, WRAP), mip=2)
    values = [levels(t, s, lane, lanes[i & ~3:(i & ~3) + 4]) for i, lane in enumerate(lanes[4:12], 4)]
    rows = [[h(w) for w in address(op, t, lane, False, False)] + [str(int(i >= 4)), "|"] + ([h(bits_of(F(v[2]) + v[3])) + "~row", h(bits_of(v[0])) + "~row"] if i >= 4 else ["same"] * 2)
            for i, (lane, v) in enumerate(zip(lanes[4:12], values))]
    out += ["", "# Resource and sampler stand at the end of the scalar registers."] + start(
        "a quad that is off, registers above v127", t, s, f"    {op.name} v[200:201], v[130:131], s[88:95], s[96:99] dmask:0x3", "", "MIMG-U02", 88, 96)[1:] + table(
        ["v130", "v131", "exec", "|", "v200", "v201"], rows)
    code = f"    {op.name} v{OUT}, v[2:3], s[4:11], s[12:15] dmask:0x2"
    out += start("lanes that are off keep their registers", t, s, code, "  exec = 0xf0  v2.lane4 = 4.0f32  v2.lane5 = 8.0f32  v2.lane6 = 16.0f32  v2.lane7 = 20.0f32  v3 = 0.25f32", "MIMG-U02")
    # 4 in lane 4, 8 in lane 5, 16 in lane 6: the longer slope is 12 widths of 8 texels
    return out + ["case  lanes 4 to 7", f"out   v{OUT} = {h(bits_of(math.log2(96)))}~row"]


# ---- files ----

def names():
    for c in ("", "_c"):
        for o in ("", "_o"):
            for kind in ("", "_cl", "_d", "_d_cl", "_l", "_b", "_b_cl", "_lz", "_cd", "_cd_cl"):
                yield f"image_sample{c}{kind}{o}"
            for kind in ("", "_cl", "_l", "_b", "_b_cl", "_lz"):
                yield f"image_gather4{c}{kind}{o}"


def about(op):
    what = "Gathers a component of four texels" if op.gathers else "Samples an image"
    parts = []
    if op.level:
        parts.append("at a level of its own")
    if op.zero:
        parts.append("at level 0")
    if op.slopes:
        parts.append("with slopes of its own" + (", one level for a quad" if op.quad_slopes else ""))
    if op.bias:
        parts.append("with a bias of the level")
    if op.lowest:
        parts.append("with a lowest level")
    if op.offsets:
        parts.append("with offsets in texels")
    if op.ref:
        parts.append("comparing with a reference")
    return what + ("" if not parts else ", " + ", ".join(parts)) + "."


SPECIAL = {
    "image_sample_lz": [clamp_tests, border_tests, volume_tests, cube_tests, layer_tests, format_tests, component_tests, unit_tests, unorm_tests, extreme_tests, cut_tests,
                        view_tests],
    "image_sample_l": [level_tests], "image_sample": [implicit_tests], "image_sample_d": [slope_tests], "image_sample_c_lz": [compare_tests],
    "image_gather4_lz": [gather_tests],
}


def write(folder, name, text, what):
    path = folder / "mimg" / f"{name}.case"
    path.write_text("\n".join(["case-format 1", f"# {what} Vega ISA, chapter 8. Resources: cases/README.md."] + text) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in names():
        op = Op(name)
        write(folder, name, for_both(lambda: common(op) + [line for more in SPECIAL.get(name, []) for line in more(op)]), about(op))
    op = Op("image_get_lod")
    write(folder, op.name, for_both(lambda: lod_case(op)), "Tells the level that a sample would read, and the level of the slopes.")


if __name__ == "__main__":
    main()
