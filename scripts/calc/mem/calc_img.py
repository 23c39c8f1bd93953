#!/usr/bin/env python3
"""Works out the expectations of image instructions without a sampler and writes their case files.

    scripts/calc/mem/calc_img.py cases

Places of texels in linear surfaces and conversions follow the Vega ISA manual, section 8.2, on Python integers and
fractions. The pitch field holds texels minus 1, the depth field the last layer, as drivers for this generation fill
them. Memory starts as the case runner fills it: the dword at byte k is 0xd0000000 + k.
"""
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

from calc_atomic import RULES, hexed, points
import calc_img_lanes
import calc_texture
from calc_buffer import DFMT, FLOAT, IDENTITY, M32, SINT, SNORM, SSCALED, UINT, UNORM, USCALED, OLD, as_half, decode, encode, f32, half_value, one, signed, table
from calc_mem import D16_TARGETS, ECC_TARGETS
from calc_texture import LINEAR, behind
from generations import for_both

D1, D2, D3, CUBE, ARRAY1, ARRAY2 = range(8, 14)
AXES = {D1: 1, D2: 2, D3: 3, CUBE: 2, ARRAY1: 1, ARRAY2: 2}
SIZE = 4096
WAIT = "    s_waitcnt vmcnt(0)"


class Image:
    def __init__(self, kind=D2, width=5, height=3, depth=1, pitch=64, dfmt=4, num=UINT, sel=IDENTITY, layer=0):
        self.kind, self.width, self.height, self.depth, self.pitch, self.layer = kind, width, height, depth, pitch, layer
        self.dfmt, self.num, self.sel, self.bytes = dfmt, num, sel, sum(DFMT[dfmt]) // 8

    def text(self, first=4, at=0):
        words = [self.depth - 1 | self.pitch - 1 << 13, self.layer]
        return (f"s[{first}:{first + 1}] = &buf>>8+0x{self.dfmt << 52 | self.num << 58 | at >> 8:016x}  s{first + 2} = 0x{self.width - 1 | self.height - 1 << 14:x}  "
                f"s{first + 3} = 0x{self.sel | self.kind << 28:x}{LINEAR}\n      {behind(words, first + 4, self.kind in (CUBE, ARRAY1, ARRAY2) and self.depth)}")

    def place(self, coords, da):
        """The byte of a texel, or None outside."""
        axes = AXES[self.kind]
        x, y, z = (list(coords[:axes]) + [0, 0])[:3]
        if self.kind in (CUBE, ARRAY1, ARRAY2):
            z = coords[axes] if da else 0
        height = 1 if axes == 1 else self.height
        if x >= self.width or y >= height or z >= self.depth:
            return None
        return ((z * height + y) * self.pitch + x) * self.bytes

    def parts(self, raw):
        out = []
        for w in DFMT[self.dfmt]:
            out.append(raw & (1 << w) - 1)
            raw >>= w
        return out

    def seen(self, raw, half=False):
        """The four components a shader sees; raw None: outside."""
        unit = one(self.num)
        comps = [0, 0, 0, unit]
        if raw is not None:
            for i, (part, w) in enumerate(zip(self.parts(raw), DFMT[self.dfmt])):
                comps[i] = decode(part, w, self.num)
        sels = [self.sel >> 3 * i & 7 for i in range(4)]
        v = [unit if s == 1 else 0 if s == 0 or raw is None else comps[s - 4] for s in sels]
        return [as_half(c, self.num) for c in v] if half else v

    def stored(self, comps):
        raw, at = 0, 0
        for v, w in zip(comps, DFMT[self.dfmt]):
            raw |= encode(v, w, self.num) << at
            at += w
        return raw


def initial(at, size):
    return int.from_bytes(b"".join(struct.pack("<I", 0xd0000000 + k) for k in range(at & ~3, at + size, 4))[at & 3:][:size], "little")


def h(v, bits=32): return hexed(v, bits)
def regs(first, n): return f"v{first}" if n == 1 else f"v[{first}:{first + n - 1}]"


def packed_coords(coords):
    words = [c & 0xffff for c in coords] + [0]
    return [words[i] | words[i + 1] << 16 for i in range(0, len(coords), 2)]


def insn(name, data, coords, flags, dmask=None, vaddr=2):
    return f"    {name} {regs(12, data)}, {regs(vaddr, coords)}, s[4:11] dmask:0x{dmask:x} unorm{flags}"


def start(title, image, code, extra="", errata="", targets=None):
    return ["", f"test {title}"] + ([targets] if targets else []) + ([f"errata {errata}"] if errata else []) + [
        f"mem   buf {SIZE}", f"in    {image.text()}{extra}", "code", code, WAIT]


def load_places(name, title, image, lanes, da=False, a16=False, mip=False, value=None, errata=""):
    """One component of each of several places; lanes with None are off."""
    value = value or (lambda raw: image.seen(raw)[0])
    count = len(next(c for c in lanes if c)) + mip
    words = (count + 1) // 2 if a16 else count
    body = []
    for coords in lanes:
        at = image.place(coords, da)
        full = list(coords) + [0] * mip
        cells = packed_coords(full) if a16 else full
        body.append([h(c) for c in cells] + ["|", h(value(None if at is None else initial(at, image.bytes)))])
    code = insn(name, 1, words, (" a16" if a16 else "") + (" da" if da else ""), 1)
    return start(title, image, code, errata=errata) + table([f"v{2 + i}" for i in range(words)] + ["|", "v12"], body)


def edges(image, da=False, mip=False):
    """Corners, the first places outside along each axis, and huge coordinates."""
    axes = AXES[image.kind] + (da and image.kind in (CUBE, ARRAY1, ARRAY2))
    sizes = ([image.width] + [image.height] * (AXES[image.kind] > 1) + [image.depth] * (AXES[image.kind] == 3 or axes > AXES[image.kind]))[:axes]
    out = [[0] * axes, [s - 1 for s in sizes], [(s - 1) // 2 if s > 2 else 0 for s in sizes]]
    for i in range(axes):
        out.append([1 if k == i else 0 for k in range(axes)])
        out.append([s - 1 if k != i else s for k, s in enumerate(sizes)])
        out.append([0 if k != i else M32 for k in range(axes)])
    out.append([0x80000001] + [0] * (axes - 1))
    return out


def sides(image, da):
    """The same, places within and places outside."""
    places = edges(image, da)
    return [[c for c in places if (image.place(c, da) is None) == out] for out in (False, True)]


def surfaces():
    return [("2D", Image(), False), ("1D, whatever its height", Image(D1, width=7, height=3), False), ("3D", Image(D3, width=3, height=2, depth=4), False),
            ("the faces of a cube", Image(CUBE, width=2, height=2, depth=6), True), ("layers of 1D", Image(ARRAY1, width=4, height=5, depth=3, pitch=128), True),
            ("layers of 2D", Image(ARRAY2, width=3, height=4, depth=2, pitch=128), True)]


def place_tests(name, mip=False, value=None):
    out = []
    for title, image, da in surfaces():
        within, beyond = sides(image, da)
        errata = "MIMG-C07" if image.kind == CUBE else ""
        out += load_places(name, f"places {title}", image, within, da, mip=mip, value=value, errata=errata)
        out += load_places(name, f"outside {title}", image, beyond, da, mip=mip, value=value, errata="MIMG-U06")
    return out


# dfmt, number format, texels
TEXELS = [(1, UNORM, (0x00, 0x80, 0xff)), (3, SNORM, (0x8081, 0x7f01)), (10, UNORM, (0x00ff8001, 0x7f40c0fe)), (10, UINT, (0x12ab00ff,)),
          (10, SINT, (0x80ff7f01,)), (10, USCALED, (0xff007f01,)), (10, SSCALED, (0x80ff7f01,)), (2, FLOAT, (0x3c00, 0xc500, 0x0400)),
          (5, UNORM, (0xffff0001,)), (5, FLOAT, (0x7bff3555,)), (6, FLOAT, (0x77c003c0,)), (7, FLOAT, (0x1e0783c1,)), (9, UINT, (0xc0f02c07,)), (9, UNORM, (0x7fdff001,)),
          (8, SNORM, (0xa00801ff,)), (11, UINT, (0x1122334455667788,)), (12, UNORM, (0xffff800000017fff,)), (12, FLOAT, (0x3c00c00035557bff,)),
          (4, FLOAT, (0x40490fdb,)), (4, SINT, (0xfffffff0,)), (13, FLOAT, (0x3f800000c00000007f800000,)), (14, SINT, (0x00000001fffffffe8000000012345678,))]
NUMS = {UNORM: "unorm", SNORM: "snorm", USCALED: "uscaled", SSCALED: "sscaled", UINT: "uint", SINT: "sint", FLOAT: "float"}


def texel_image(dfmt, num, **more):
    size = sum(DFMT[dfmt]) // 8
    return Image(dfmt=dfmt, num=num, pitch=64 if size == 12 else 256 // size, **more)


def load_formats(name):
    out = []
    for dfmt, num, raws in TEXELS:
        image = texel_image(dfmt, num)
        at = image.place((2, 1), False)
        title = "_".join(str(w) for w in reversed(DFMT[dfmt])) + f" {NUMS[num]}"
        rows = [[h(raw, 8 * image.bytes), "|"] + [h(v) for v in image.seen(raw)] for raw in raws]
        out += start(title, image, insn(name, 4, 2, "", 15), "  v2 = 2  v3 = 1", "" if len(DFMT[dfmt]) == 4 else "MIMG-C06") + \
            table([f"buf[{at}].b{8 * image.bytes}", "|", "v12", "v13", "v14", "v15"], rows)
    return out


def load_components(name):
    out = []
    raw = 0x44332211
    for title, sel, dmask, coords in (("dmask leaves components out", IDENTITY, 0b1010, (2, 1)), ("dmask 1001", IDENTITY, 0b1001, (2, 1)), ("dmask of the third alone", IDENTITY, 4, (2, 1)),
                                      ("destination selects", 1 | 7 << 3 | 0 << 6 | 5 << 9, 15, (2, 1)), ("destination selects, then dmask", 6 | 7 << 3 | 1 << 6 | 4 << 9, 0b1101, (2, 1)),
                                      ("outside a selected 1 is still 1", 1 | 7 << 3 | 0 << 6 | 1 << 9, 15, (5, 1))):
        image = Image(dfmt=10, num=UNORM, sel=sel)
        at = image.place(coords, False)
        n = bin(dmask).count("1")
        seen = image.seen(raw if at is not None else None)
        vals = [h(v) for i, v in enumerate(seen) if dmask >> i & 1]
        out += start(title, image, insn(name, n, 2, "", dmask), f"  v2 = {coords[0]}  v3 = {coords[1]}", "MIMG-C05") + table(
            [f"buf[{image.place((2, 1), False)}].b32", "|"] + [f"v{12 + i}" for i in range(n)], [[h(raw), "|"] + vals])
    return out


def pairs(comps):
    return [comps[i] | (comps[i + 1] if i + 1 < len(comps) else 0) << 16 for i in range(0, len(comps), 2)]


def load_halves(name):
    out = []
    for title, dfmt, num, raw, dmask in (("16 bits of integers", 10, SINT, 0x80ff7f01, 15), ("16 bits of halves", 12, FLOAT, 0x3c00c00035557bff, 15),
                                         ("16 bits of unorm", 10, UNORM, 0xff00ff00, 15), ("16 bits, dmask 1010", 10, UINT, 0x44332211, 0b1010),
                                         ("16 bits of 32-bit integers are the low ones", 11, UINT, 0x1122334455667788, 3), ("16 bits, one without W", 11, FLOAT, 0x4000000040400000, 15)):
        image = texel_image(dfmt, num)
        comps = [v for i, v in enumerate(image.seen(raw, True)) if dmask >> i & 1]
        words = pairs(comps)
        out += start(title, image, insn(name, len(words), 2, " d16", dmask), "  v2 = 2  v3 = 1", "BUF-U10" * title.endswith("low ones")) + table(
            [f"buf[{image.place((2, 1), False)}].b{8 * image.bytes}", "|"] + [f"v{12 + i}" for i in range(len(words))],
            [[h(raw, 8 * image.bytes), "|"] + [h(w) for w in words]])
    return out


def odd_halves(name):
    """What is behind an odd number of halves stays; with error correction it is 0."""
    out, image, raw = [], texel_image(10, UINT), 0x44332211
    for end, targets, held in (("the last half stays", D16_TARGETS, OLD), ("the last half is 0 with error correction", ECC_TARGETS, 0)):
        for number, dmask in (("one", 0b0100), ("three", 0b1011)):
            words = pairs([v for i, v in enumerate(image.seen(raw, True)) if dmask >> i & 1])
            words[-1] |= held & 0xffff0000
            out += start(f"16 bits, {number} of four: {end}", image, insn(name, len(words), 2, " d16", dmask),
                         "  v2 = 2  v3 = 1" + "".join(f"  v{12 + i} = {h(OLD)}" for i in range(len(words))), "MIMG-U20", targets) + table(
                [f"buf[{image.place((2, 1), False)}].b{8 * image.bytes}", "|"] + [f"v{12 + i}" for i in range(len(words))],
                [[h(raw, 8 * image.bytes), "|"] + [h(w) for w in words]])
    return out


def status(name, mip=False):
    """With tfe: what stands behind the data is 0 or what it was."""
    image = Image()
    at = image.place((1, 1), False)
    out = start("tfe: the register behind the data is 0 or stays", image, insn(name, 2, 2 + mip, " tfe", 1), "  exec = 4  v2 = 1  v3 = 1  v4 = 0", "MIMG-U04")
    for was in (0, 7):
        out += [f"case  it was {was}", f"in    v13 = {was}", f"out   v12.lane2 = {h(initial(at, image.bytes))}  v13.lane2 = {{0|{was}}}" if was else f"out   v12.lane2 = {h(initial(at, image.bytes))}  v13.lane2 = 0"]
    return out


def lane_off(name, image, flags="", dmask=1, result=None):
    at = image.place((1, 1), False)
    return start("lanes that are off do nothing", image, insn(name, 1, 2, flags, dmask), "  exec = 4  v2 = lane-1  v3 = 1") + [
        "case  lane 2 alone", f"out   v12.lane2 = {h(result if result is not None else initial(at, image.bytes))}"]


# ---- several levels ----

def level_surfaces():
    T = calc_texture.Texture
    return [("2D of odd sizes", T(D2, width=5, height=3, levels=3, dfmt=4, num=UINT), False), ("some of the levels of 2D", T(D2, width=8, height=8, levels=4, base=1, last=2, dfmt=4, num=UINT), False),
            ("1D", T(D1, width=9, levels=4, dfmt=4, num=UINT), False), ("3D", T(D3, width=4, height=2, depth=4, levels=3, dfmt=4, num=UINT), False),
            ("layers of 2D", T(ARRAY2, width=3, height=4, depth=2, levels=2, dfmt=4, num=UINT), True), ("wide texels", T(D2, width=70, height=2, levels=2, dfmt=4, num=UINT), False)]


def level_place(t, coords, level):
    """The byte of a texel, or None outside."""
    size = list(t.size(level))
    size[2] -= t.layer
    x, y, z = (list(coords) + [0, 0])[:3] if t.kind not in (D1,) else (coords[0], 0, 0)
    if x >= size[0] or y >= size[1] or z >= size[2]:
        return None
    return (((z + t.layer) * t.rows + t.starts[level + t.base] + y) * t.pitch + x) * t.bytes


def level_points(t):
    """Corners of every level, and the first places outside."""
    out = []
    for level in range(t.seen_levels()):
        size = list(t.size(level))[:t.axes()] + ([t.depth] if t.layered() else [])
        out += [([0] * len(size), level), ([n - 1 for n in size], level)]
        out += [([n - 1 if k != i else n for k, n in enumerate(size)], level) for i in range(len(size))]
    return out


def level_start(title, t, code, extra="", errata="MIMG-U14"):
    return ["", f"test {title}", f"errata {errata}", f"mem   buf {SIZE}", f"in    {t.resource()}{extra}", "code", code, WAIT]


def level_loads(name, own, most=6):
    out = []
    for title, t, da in level_surfaces()[:most]:
        rows = []
        for coords, level in level_points(t):
            if level and not own:
                continue
            at = level_place(t, coords, level)
            rows.append([h(c) for c in coords + [level] * own] + ["|", h(0 if at is None else initial(at, 4))])
        n = len(rows[0]) - 2
        out += level_start(level_title(title, own), t, insn(name, 1, n, " da" * da, 1), level_behind(n, own)) + table([f"v{2 + i}" for i in range(n)] + ["|", "v12"], rows)
    return out


def level_title(title, own):
    return f"levels of {title}" if own else f"the first level of {title}"


def level_behind(n, own):
    """What stands behind n coordinates where no level is looked for: one that there is."""
    return "" if own else f"  v{2 + n} = 1"


def layer_tests(name, store):
    """Layers from a first one on."""
    out = []
    for kind, title in ((ARRAY2, "layers"), (D2, "one layer")):
        t = calc_texture.Texture(kind, width=3, height=2, depth=4, layer=2, dfmt=4, num=UINT)
        points = [[x, y] + [z] * (kind == ARRAY2) for x, y, z in ((0, 0, 0), (2, 1, 1), (1, 0, 2), (1, 1, 0))]
        if kind == D2:
            points = [points[0], points[1], points[3]]
        places = [level_place(t, p, 0) for p in points]
        touched = sorted(at for at in places if at is not None)
        if store:
            rows = [[h(c) for c in p] + [h(70 + i), "|"] + [h(70 + i if at == k else initial(k, 4)) for k in touched] for i, (p, at) in enumerate(zip(points, places))]
        else:
            rows = [[h(c) for c in p] + ["|", h(0 if at is None else initial(at, 4))] for p, at in zip(points, places)]
        n = len(points[0])
        out += level_start(f"{title} from a first one on", t, insn(name, 1, n, " da" * (kind == ARRAY2), 1), errata="MIMG-U01") + table(
            [f"v{2 + i}" for i in range(n)] + ["v12"] * store + ["|"] + ([f"buf[{k}].b32" for k in touched] if store else ["v12"]), rows)
    return out


def level_stores(name, own, most=4):
    out = []
    for title, t, da in level_surfaces()[:most]:
        points = [(c, l, level_place(t, c, l)) for c, l in level_points(t) if own or l == 0]
        touched = sorted({at for _, _, at in points if at is not None})[:6]
        points = [p for p in points if p[2] is None or p[2] in touched]
        rows = [[h(c) for c in coords + [level] * own] + [h(100 + i), "|"] + [h(100 + i if k == at else initial(k, 4)) for k in touched] for i, (coords, level, at) in enumerate(points)]
        n = len(points[0][0]) + own
        out += level_start(level_title(title, own), t, insn(name, 1, n, " da" * da, 1), level_behind(n, own)) + table([f"v{2 + i}" for i in range(n)] + ["v12", "|"] + [f"buf[{k}].b32" for k in touched], rows)
    return out


def level_sizes(name):
    out = []
    for title, t, _ in level_surfaces():
        vaddr = 12 if title == "wide texels" else 130  # in one the destination is the address
        dmask = {D1: 0b1001, D2: 0b1011}.get(t.kind, 15)
        rows = [[h(level), "|"] + [h(v) for i, v in enumerate(list(t.size(level)) + [t.seen_levels()]) if dmask >> i & 1] for level in range(t.seen_levels())]
        n = bin(dmask).count("1")
        out += level_start(f"levels of {title}", t, insn(name, n, 1, "", dmask, vaddr), "  v2 = 0") + table([f"v{vaddr}", "|"] + [f"v{12 + i}" for i in range(n)], rows)
    return out


def more_formats(name):
    """Those that only images have. Of sRGB what the curve does not decide."""
    out = []
    for dfmt, num, raws in ((16, UNORM, (0xf81f, 0x07e0)), (17, UNORM, (0x801f, 0x7c00)), (18, UNORM, (0x003f, 0xf801)), (19, UNORM, (0x10f8, 0xf0ff)), (19, UINT, (0x4321,)),
                            (10, calc_texture.SRGB, (0x8000ff00, 0x40ff00ff)), (1, calc_texture.SRGB, (0x00, 0x80, 0xff))):
        t = calc_texture.Texture(D2, width=5, height=3, dfmt=dfmt, num=num, raws=list(raws))
        at = level_place(t, (2, 1), 0)
        title = "_".join(str(w) for w in reversed(calc_texture.DFMT[dfmt])) + (" srgb" if num == calc_texture.SRGB else f" {NUMS[num]}")
        rows = []
        for raw in raws:
            t.raw[0, 0, 0, 0] = raw
            curve = "~32768ulp" if num == calc_texture.SRGB else ""  # 2^-8 of the value
            rows.append([h(raw, 8 * t.bytes), "|"] + [h(v) + (curve if v not in (0, 0x3f800000) and i < 3 else "") for i, v in enumerate(t.components(0, 0, 0, 0))])
        out += ["", f"test {title}"] + (["errata MIMG-U12"] if num == calc_texture.SRGB else []) + [f"mem   buf {SIZE}", f"in    {t.resource()}  v2 = 2  v3 = 1", "code", insn(name, 4, 2, "", 15), WAIT] + \
            table([f"buf[{at}].b{8 * t.bytes}", "|", "v12", "v13", "v14", "v15"], rows)
    return out


def load_case(name, mip):
    out = place_tests(name, mip)
    layered = Image(ARRAY2, width=3, height=4, depth=2, pitch=128)
    if not mip:
        out += load_places(name, "a first layer of 3D means nothing", Image(D3, width=3, height=2, depth=4, layer=2),
                           [[0, 0, 0], [1, 1, 1], [2, 1, 3], [0, 0, 4]], errata="MIMG-U06 MIMG-U22")
    if mip:
        out += load_places(name, "16-bit coordinates, level in the second dword", Image(), [[1, 2], [4, 0], [0, 3]], a16=True, mip=True)
        out += load_places(name, "16-bit coordinates with layer and level", layered, [[1, 2, 1], [2, 1, 0], [0, 3, 1]], da=True, a16=True, mip=True)
        plain = Image(dfmt=10, num=UNORM)
        vals = [h(v) for v in plain.seen(0x7f40c0fe)]
        out += start("components", plain, insn(name, 3, 3, "", 0b1011), "  v2 = 2  v3 = 1  v4 = 0") + table(
            [f"buf[{plain.place((2, 1), False)}].b32", "|", "v12", "v13", "v14"], [[h(0x7f40c0fe), "|", vals[0], vals[1], vals[3]]])
        half = pairs(plain.seen(0xff00ff00, True))
        out += start("16 bits of unorm", plain, insn(name, 2, 3, " d16", 15), "  v2 = 2  v3 = 1  v4 = 0") + table(
            [f"buf[{plain.place((2, 1), False)}].b32", "|", "v12", "v13"], [[h(0xff00ff00), "|", h(half[0]), h(half[1])]])
        return out + lane_off_mip(name) + level_loads(name, True) + status(name, True)
    out += load_places(name, "without da the layer is 0", layered, [[1, 2], [2, 3]], errata="MIMG-U09")
    out += load_places(name, "a layer that the image does not have is ignored", Image(), [[1, 2, 1], [4, 0, 9]], da=True, errata="MIMG-U09")
    out += load_places(name, "16-bit coordinates", Image(), [[1, 2], [4, 0], [3, 1]], a16=True, errata="MIMG-U03")
    out += load_places(name, "16-bit coordinates, three of them", layered, [[1, 2, 1], [2, 1, 0], [0, 3, 2]], da=True, a16=True, errata="MIMG-U03")
    out += load_formats(name) + load_components(name) + load_halves(name) + odd_halves(name)
    out += ["", "test a resource of zeros reads 0", "in    s[4:7] = 0  s[8:11] = 0  v2 = lane  v3 = 1  exec = 5", "code", insn(name, 2, 2, "", 9), WAIT,
            "case  lanes 0 and 2", "out   v[12:13] = 0"]
    return out + lane_off(name, Image()) + level_loads(name, False) + more_formats(name) + status(name) + layer_tests(name, False)


def lane_off_mip(name):
    image = Image()
    return start("lanes that are off do nothing", image, insn(name, 1, 3, "", 1), "  exec = 4  v2 = lane-1  v3 = 1  v4 = 2-lane") + [
        "case  lane 2 alone", f"out   v12.lane2 = {h(initial(image.place((1, 1), False), 4))}"]


# ---- stores ----

def store_runs(name, title, image, runs, data, flags="", dmask=1, da=False, a16=False, mip=False, raw=None, errata="", half=False):
    """Each row is a run of one lane: coordinates, data registers; raw(data words) is the texel."""
    count = len(runs[0][0]) + mip
    words = (count + 1) // 2 if a16 else count
    bits = 8 * image.bytes
    touched = sorted({at for at in (image.place(c, da) for c, _ in runs) if at is not None}) or [0]
    body = []
    for coords, values in runs:
        at = image.place(coords, da)
        full = list(coords) + [0] * mip
        cells = [h(c) for c in (packed_coords(full) if a16 else full)] + [h(v) for v in values] + ["|"]
        body.append(cells + [h(raw(values) if k == at else initial(k, image.bytes), bits) for k in touched])
    code = insn(name, data, words, (" a16" if a16 else "") + (" da" if da else "") + flags, dmask)
    return start(title, image, code, errata=errata) + table(
        [f"v{2 + i}" for i in range(words)] + [f"v{12 + i}" for i in range(data)] + ["|"] + [f"buf[{k}].b{bits}" for k in touched], body)


def store_places(name, mip=False):
    out = []
    for title, image, da in surfaces():
        within, beyond = ([(c, [0x51000000 + i]) for i, c in enumerate(side)] for side in sides(image, da))
        errata = "MIMG-C07" if image.kind == CUBE else ""
        out += store_runs(name, f"places {title}", image, within, 1, da=da, mip=mip, raw=lambda v: v[0], errata=errata)
        out += store_runs(name, f"outside {title}", image, beyond, 1, da=da, mip=mip, raw=lambda v: v[0], errata="MIMG-U06")
    return out


STORES = [(10, UNORM, (0x3f800000, 0x3f000000, 0xbf800000, 0x3e800000)), (10, SNORM, (0xbf800000, 0x3f000000, 0x3f800000, 0x7fc00000)),
          (10, UINT, (1, 0xff, 0x80, 0x7f)), (10, SINT, (0xffffffff, 0xffffff80, 0x7f, 1)), (5, FLOAT, (0x3fc00000, 0xc0000000)),
          (12, UNORM, (0x3f800000, 0x3f000000, 0x3e800000, 0)), (4, FLOAT, (0x40490fdb,)), (11, UINT, (0x11223344, 0x55667788)),
          (9, UINT, (0x3ff, 0x155, 0x2aa, 2)), (1, UNORM, (0x3f000000,)), (3, UINT, (0x12, 0xfe)), (14, UINT, (0x11111111, 0x22222222, 0x33333333, 0x44444444))]


def store_formats(name, mip):
    out = []
    for dfmt, num, comps in STORES:
        image = texel_image(dfmt, num)
        n = len(comps)
        title = "_".join(str(w) for w in reversed(DFMT[dfmt])) + f" {NUMS[num]}"
        out += store_runs(name, title, image, [((2, 1), list(comps))], n, dmask=(1 << n) - 1, mip=mip, raw=image.stored)
    return out


def widen(image, v):
    return (signed(v, 16) & M32 if image.num == SINT else v) if image.num in (UINT, SINT) else f32(half_value(v))


def store_case(name, mip):
    out = store_places(name, mip) + store_formats(name, mip)
    wide = Image(dfmt=10, num=UINT)
    out += store_runs(name, "dmask 1001: the rest of the texel becomes 0", wide, [((2, 1), [0x12, 0x34])], 2, dmask=9, mip=mip, raw=lambda v: wide.stored([v[0], 0, 0, v[1]]))
    two = Image(dfmt=5, num=UINT)
    out += store_runs(name, "what the format lacks is dropped", two, [((2, 1), [0x1234, 0x5678, 0x9abc])], 3, dmask=13, mip=mip, raw=lambda v: two.stored([v[0], 0]))
    halves = lambda image, n: lambda v: image.stored([widen(image, v[i // 2] >> i % 2 * 16 & 0xffff) for i in range(n)] + [0] * (4 - n))
    signed8 = Image(dfmt=10, num=SINT)
    unorm8 = Image(dfmt=10, num=UNORM)
    out += store_runs(name, "16 bits of integers", signed8, [((2, 1), [0xff80007f, 0x0001fffe])], 2, " d16", 15, mip=mip, raw=halves(signed8, 4))
    out += store_runs(name, "16 bits of halves", unorm8, [((2, 1), [0x38003c00, 0x3400bc00])], 2, " d16", 15, mip=mip, raw=halves(unorm8, 4))
    out += store_runs(name, "of 16 bits dmask only counts", wide, [((2, 1), [0x00340012])], 1, " d16", 0b1010, mip=mip, raw=halves(wide, 2), errata="MIMG-C04")
    out += store_runs(name, "16-bit coordinates", Image(), [((2, 1), [77]), ((1, 2), [78]), ((5, 0), [79])], 1, a16=True, mip=mip, raw=lambda v: v[0])
    image = Image()
    at = image.place((1, 1), False)
    out += start("lanes that are off do nothing", image, insn(name, 1, 3 if mip else 2, "", 1), "  exec = 4  v2 = lane-1  v3 = 1  v4 = 0  v12 = lane+64") + [
        "case  lane 2 alone", f"out   buf[{at}].b32 = {h(66)}"]
    return out + (level_stores(name, True) if mip else layer_tests(name, True) + level_stores(name, False, 1))


# ---- without conversion ----

def packed_load_case(name, mip, sign):
    out = []
    value = lambda image: lambda raw: 0 if raw is None else signed(raw, 8 * image.bytes) & M32 if sign else raw
    for dfmt, num in ((1, UNORM), (2, UINT), (4, FLOAT)) if sign else ((1, UNORM), (2, UNORM), (3, SNORM), (10, UNORM), (5, FLOAT)):
        image = texel_image(dfmt, num)
        title = "_".join(str(w) for w in reversed(DFMT[dfmt])) + f" {NUMS[num]}"
        out += load_places(name, f"texels of {title} as they are", image, [[0, 0], [3, 1], [4, 2], [3, 0], [2, 1]], mip=mip, value=value(image))
    out += load_places(name, "outside", image, [[5, 0], [0, 3]], mip=mip, value=value(image), errata="MIMG-U06")
    image = Image(ARRAY2, width=3, height=4, depth=2, pitch=128)
    out += load_places(name, "layers", image, [[1, 2, 1], [2, 3, 0]], da=True, mip=mip, value=value(image))
    image = Image(dfmt=2, num=UINT, pitch=128)
    rows = [[h(raw, 16), "|", h(value(image)(raw))] for raw in (0x8001, 0x7ffe, 0xffff, 0x0080)]
    out += start("values", image, insn(name, 1, 2 + mip, "", 1), "  v2 = 2  v3 = 1  v4 = 0") + table([f"buf[{image.place((2, 1), False)}].b16", "|", "v12"], rows)
    return out + (lane_off_mip(name) + level_loads(name, True, 1) if mip else lane_off(name, Image())) + status(name, mip)


def packed_store_case(name, mip):
    out = []
    for dfmt, num in ((1, UNORM), (2, UNORM), (3, SNORM), (10, UNORM), (5, FLOAT)):
        image = texel_image(dfmt, num)
        mask = (1 << 8 * image.bytes) - 1
        title = "_".join(str(w) for w in reversed(DFMT[dfmt])) + f" {NUMS[num]}"
        out += store_runs(name, f"texels of {title} as they are", image, [((2, 1), [0x89abcdef]), ((4, 2), [0x76543210])], 1, mip=mip, raw=lambda v: v[0] & mask)
    image = Image()
    out += store_runs(name, "outside", image, [((5, 0), [1]), ((0, 3), [2])], 1, mip=mip, raw=lambda v: v[0], errata="MIMG-U06")
    out += start("lanes that are off do nothing", image, insn(name, 1, 3 if mip else 2, "", 1), "  exec = 4  v2 = lane-1  v3 = 1  v4 = 0  v12 = lane+64") + [
        "case  lane 2 alone", f"out   buf[{image.place((1, 1), False)}].b32 = {h(66)}"]
    return out + level_stores(name, mip, 1)


# ---- atomics ----

def atomic_case(name, op):
    out = []
    compares = op == "cmpswap"
    rule = RULES[op][0]
    for bits in (32, 64):
        image = Image(dfmt=4 if bits == 32 else 11, pitch=64 if bits == 32 else 32)
        n = bits // 32 * (2 if compares else 1)
        dmask, at = (1 << n) - 1, image.place((2, 1), False)
        word = [f"buf[{at}].b{bits}"]
        data = lambda d, e: d | e << bits if compares else d
        width = 32 * n
        for glc in ("", " glc"):
            rows = []
            for old, d, e in points(op, bits):
                new = rule(old, d, e, bits) & (1 << bits) - 1
                rows.append([h(data(d, e), width), h(old, bits), "|", h(new, bits), h(old, bits) if glc else "same"])
            out += start(f"{bits} bits" + (", the old value comes back with glc" if glc else ""), image, insn(name, n, 2, glc, dmask), "  v2 = 2  v3 = 1", "MIMG-U05" if bits == 64 else "") + table(
                [regs(12, n)] + word + ["|"] + word + [regs(12, bits // 32)], rows)
    image = Image(ARRAY2, width=3, height=4, depth=2, pitch=128)
    n = 2 if compares else 1
    at = image.place((1, 2, 1), True)
    old, d = 9, 5
    new = rule(old, d, 9, 32) & M32
    out += start("layers, 16-bit coordinates", image, insn(name, n, 2, " a16 da", (1 << n) - 1), f"  exec = 1  v2 = 0x20001  v3 = 1  {regs(12, n)} = {h(d | 9 << 32 if compares else d, 32 * n)}") + table(
        [f"buf[{at}].b32", "|", f"buf[{at}].b32"], [[h(old), "|", h(new)]])
    image = Image()
    at = image.place((1, 1), False)
    out += start("lanes that are off do nothing", image, insn(name, n, 2, " glc", (1 << n) - 1),
                 f"  exec = 4  v2 = {1 if compares else 'lane-1'}  v3 = 1  {regs(12, n)} = {h(d | 9 << 32 if compares else d, 32 * n)}  buf[{at}].b32 = 9") + [
        "case  lane 2 alone", f"out   buf[{at}].b32 = {h(new)}  v12.lane2 = 9"]
    out += start("outside nothing happens and 0 comes back", image, insn(name, n, 2, " glc", (1 << n) - 1),
                 f"  exec = 1  v2 = 5  v3 = 1  {regs(12, n)} = {h(d | 9 << 32 if compares else d, 32 * n)}", "MIMG-U06") + ["case  one column too far", "out   v12.lane0 = 0"]
    return out


def resinfo_case(name):
    out = []
    for title, image, dmask in (("2D", Image(width=5, height=3), 0b1011), ("1D", Image(D1, width=7, height=3), 0b1001), ("3D", Image(D3, width=3, height=2, depth=4), 15),
                                ("layers of 2D", Image(ARRAY2, width=6, height=4, depth=3), 15), ("the largest", Image(width=16384, height=16383, pitch=16384), 0b0011),
                                ("height alone", Image(width=5, height=3), 0b0010), ("depth and levels", Image(D3, width=3, height=2, depth=8192), 0b1100)):
        values = [v for i, v in enumerate((image.width, image.height, image.depth, 1)) if dmask >> i & 1]
        n = len(values)
        out += start(title, image, insn(name, n, 1, "", dmask), "  v2 = 0  exec = 0x8000000000000005", "MIMG-U02") + [
            "case  lanes 0, 2 and 63", "out   " + "  ".join(f"v{12 + i} = {v}" for i, v in enumerate(values))]
    return out + calc_img_lanes.size_test(name, Image(width=5, height=3), Image(width=6, height=2)) + level_sizes(name)


def write(folder, enc, name, text, what):
    path = folder / enc / f"{name}.case"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["case-format 1", f"# {what}"] + text) + "\n")


def lane_tests(name, op=None):
    """Behind the other tests; op: the name of an atomic operation's rule."""
    words, mip = 3 if "_mip" in name else 2, "_mip" in name
    if op:
        return calc_img_lanes.atomic_tests(name, Image(), RULES[op][0], op)
    bytes4 = Image(dfmt=10, num=UINT)
    if "_pck" in name:
        bytes4 = Image(dfmt=4, num=UINT)
    dmask = 1 if "_pck" in name else 15
    seen = (lambda raw: [raw]) if "_pck" in name else bytes4.seen
    stored = (lambda v: v[0]) if "_pck" in name else bytes4.stored
    return calc_img_lanes.access_tests(name, bytes4, words, mip, dmask, None if "store" in name else seen, stored)


def main():
    folder = pathlib.Path(sys.argv[1])
    image = lambda name, make, what: write(folder, "mimg", name, for_both(make), what + " Vega ISA, chapter 8. Resources: cases/README.md.")
    for mip, suffix, more in ((False, "", ""), (True, "_mip", " of the level that stands behind the coordinates")):
        image(f"image_load{suffix}", lambda: load_case(f"image_load{suffix}", mip) + lane_tests(f"image_load{suffix}"), f"Loads components of a texel{more}, converted by the image's format.")
        image(f"image_store{suffix}", lambda: store_case(f"image_store{suffix}", mip) + lane_tests(f"image_store{suffix}"), f"Stores a texel{more}, converted to the image's format.")
        image(f"image_load{suffix}_pck", lambda: packed_load_case(f"image_load{suffix}_pck", mip, False) + lane_tests(f"image_load{suffix}_pck"), f"Loads the bits of a texel{more}.")
        image(f"image_load{suffix}_pck_sgn", lambda: packed_load_case(f"image_load{suffix}_pck_sgn", mip, True) + lane_tests(f"image_load{suffix}_pck_sgn"), f"Loads the bits of a texel{more}, sign-extended.")
        image(f"image_store{suffix}_pck", lambda: packed_store_case(f"image_store{suffix}_pck", mip) + lane_tests(f"image_store{suffix}_pck"), f"Stores bits as a texel{more}.")
    for op in ("swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec"):
        image(f"image_atomic_{op}", lambda: atomic_case(f"image_atomic_{op}", op) + lane_tests(f"image_atomic_{op}", op), f"{RULES[op][1]} a texel of 32 or 64 bits, as dmask says.")
    image("image_get_resinfo", lambda: resinfo_case("image_get_resinfo"), "Tells width, height, depth or layers, and levels.")


if __name__ == "__main__":
    main()
