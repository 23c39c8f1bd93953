"""What a texture unit gives, on Python fractions, for calc_sample.py. Shares nothing with oracle/.

Addresses of surfaces: rows of 256 bytes or a multiple; the levels of a layer stand below each other, each half as high as
the one before, rounded up. Texels are found by folding the coordinate of their centre; faces of a cube by directions in
space. Weights are exact: what hardware makes of them is within the tolerance of the rows.
"""
import math
import random
import struct
from fractions import Fraction

from calc_buffer import DFMT as BUFFER_DFMT
from calc_buffer import FLOAT, IDENTITY, SINT, SNORM, UINT, UNORM, decode, nearest_f32
from generations import Generation

D1, D2, D3, CUBE, ARRAY1, ARRAY2 = range(8, 14)
SRGB = 9
WRAP, MIRROR, LAST, ONCE_LAST, HALF, ONCE_HALF, BORDER, ONCE_BORDER = range(8)
DFMT = {**BUFFER_DFMT, 16: (5, 6, 5), 17: (5, 5, 5, 1), 18: (1, 5, 5, 5), 19: (4, 4, 4, 4)}
ONE = 0x3f800000
HALF_TEXEL = Fraction(1, 2)


def value(bits):
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def bits_of(x):
    return nearest_f32(x if isinstance(x, Fraction) else Fraction(x))


def srgb(raw):
    s = raw / 255
    return bits_of(s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4)


class Texture:
    def __init__(self, kind=D2, width=4, height=4, depth=1, levels=1, base=0, last=None, dfmt=10, num=UNORM, sel=IDENTITY,
                 order=0, seed=1, raws=None, layer=0):
        self.kind, self.width, self.height, self.depth = kind, width, height if kind not in (D1, ARRAY1) else 1, depth
        if Generation.gfx8:  # of more than one level nothing is known there, and the border has no order
            levels, base, last, order = 1, 0, None, 0
        self.levels, self.base, self.last = levels, base, levels - 1 if last is None else last
        self.dfmt, self.num, self.sel, self.order, self.layer = dfmt, num, sel, order, layer
        self.bytes = sum(DFMT[dfmt]) // 8
        row = 256 // self.bytes
        self.pitch = -(-width // row) * row
        heights = [self.height]
        for _ in range(levels - 1):
            heights.append(-(-heights[-1] // 2))
        self.starts = [sum(heights[:i]) for i in range(levels)]
        self.rows = sum(heights)
        source = random.Random(seed)
        self.raw = {}
        for level in range(levels):
            w, h, d = self.size(level, 0)
            for z in range(d):
                for y in range(h):
                    for x in range(w):
                        self.raw[level, x, y, z] = raws[len(self.raw) % len(raws)] if raws else source.getrandbits(8 * self.bytes)

    def axes(self):
        return {D1: 1, ARRAY1: 1, D3: 3}.get(self.kind, 2)

    def layered(self):
        return self.kind in (CUBE, ARRAY1, ARRAY2)

    def size(self, level, base=None):
        n = level + (self.base if base is None else base)
        depth = max(self.depth >> n, 1) if self.kind == D3 else self.depth
        return max(self.width >> n, 1), max(self.height >> n, 1), depth

    def seen_levels(self):
        return self.last - self.base + 1

    def resource(self, first=4, at=0):
        """The text that sets its eight scalar registers; at: where it stands in the memory."""
        field = self.rows if self.levels > 1 else self.pitch
        words = [self.depth - 1 | field - 1 << 13 | self.order << 29, self.levels - 1 << 28 | self.layer]
        word3 = self.sel | self.base << 12 | self.last << 16 | self.kind << 28
        return (f"s[{first}:{first + 1}] = &buf>>8+0x{self.dfmt << 52 | self.num << 58 | at >> 8:016x}  s{first + 2} = 0x{self.width - 1 | self.height - 1 << 14:x}  "
                f"s{first + 3} = 0x{word3:x}{LINEAR}\n      {behind(words, first + 4, self.layered() and self.depth)}")

    def memory(self):
        """Lines that fill the surface, and its bytes."""
        out, end = [], 0
        for level in range(self.levels):
            w, h, d = self.size(level, 0)
            for z in range(d):
                for y in range(h):
                    at = (z * self.rows + self.starts[level] + y) * self.pitch * self.bytes
                    raw = sum(self.raw[level, x, y, z] << 8 * self.bytes * x for x in range(w))
                    left = w * self.bytes
                    while left:
                        n = max(k for k in (1, 2, 4, 8, 12, 16) if k <= left)
                        out.append(f"buf[{at}].b{8 * n} = 0x{raw & (1 << 8 * n) - 1:0{2 * n}x}")
                        at, raw, left = at + n, raw >> 8 * n, left - n
                    end = max(end, at)
        return out, -(-end // 256) * 256

    def components(self, level, x, y, z):
        """Of memory, as bits of 32."""
        one = 1 if self.num in (UINT, SINT) else ONE
        raw, out = self.raw[level + self.base, x, y, z + self.layer], [0, 0, 0, one]
        for i, w in enumerate(DFMT[self.dfmt]):
            part = raw & (1 << w) - 1
            out[i] = (srgb(part) if i < 3 else decode(part, w, UNORM)) if self.num == SRGB else decode(part, w, self.num)
            raw >>= w
        return out


ORDERS = ["xyzw", "xwyz", "wzyx", "wxyz", "zyxw", "yxwz"]


# What makes an image linear on gfx8: an entry in a table of the driver.
LINEAR = "+gfx8*0x800000"


def behind(words, first, layers):
    """The text that sets the last four registers of a resource. On gfx8 the last layer stands beside the first one."""
    last = f"+gfx8*0x{layers - 1 << 13:x}" if layers > 1 else ""
    return f"s{first} = 0x{words[0]:x}  s{first + 1} = 0x{words[1]:x}{last}  s[{first + 2}:{first + 3}] = 0"


class Sampler:
    def __init__(self, clamp=(LAST, LAST, LAST), mag=0, min_=0, z=0, mip=0, blend=0, compare=0, unnormalized=False, cut=False,
                 least=0, most=0xfff, bias=0, border=0, preclamp=False, other=0):
        self.clamp, self.mag, self.min, self.z, self.mip, self.blend = clamp, mag, min_, z, mip, blend
        self.compare, self.unnormalized, self.cut, self.least, self.most = compare, unnormalized, cut, least, most
        self.bias, self.border, self.preclamp, self.other = bias, border, preclamp, other

    def text(self, first=12):
        c = self.clamp
        words = [c[0] | c[1] << 3 | c[2] << 6 | self.compare << 12 | self.unnormalized << 15 | self.cut << 27 | self.blend << 29,
                 self.least | self.most << 12,
                 self.bias & 0x3fff | self.mag << 20 | self.min << 22 | self.z << 24 | self.mip << 26 | self.preclamp << 28,
                 self.border << 30]
        words[0] |= self.other & 0xffffffff
        words[2] |= self.other >> 32
        return f"s[{first}:{first + 3}] = 0x{sum(w << 32 * i for i, w in enumerate(words)):032x}"

    def border_color(self, t):
        one = 1 if t.num in (UINT, SINT) else ONE
        rgba = dict(x=one if self.border == 2 else 0, y=one if self.border == 2 else 0, z=one if self.border == 2 else 0,
                    w=one if self.border else 0)
        return [rgba[c] for c in ORDERS[t.order]]


def fold(mode, i, n):
    """The texel that number i of n means; None: the border."""
    c = (i + HALF_TEXEL) / n
    if mode in (ONCE_LAST, ONCE_HALF, ONCE_BORDER):
        c = abs(c)
    if mode == WRAP:
        c -= math.floor(c)
    elif mode == MIRROR:
        c -= 2 * math.floor(c / 2)
        c = 2 - c if c > 1 else c
    elif mode in (LAST, ONCE_LAST):
        c = min(max(c, Fraction(0)), 1 - Fraction(1, 2 * n))
    return math.floor(c * n) if 0 <= c <= 1 else None


def taps(mode, x, n, linear):
    """Numbers of texels and their weights at a coordinate in texels."""
    if mode == ONCE_HALF:
        x = abs(x)
    if mode in (HALF, ONCE_HALF):
        x = min(max(x, Fraction(0)), Fraction(n))
    if not linear:
        near = abs(x - round(x))
        same = mode in (LAST, ONCE_LAST) and not 0 < x < n or mode == BORDER and not -HALF_TEXEL < x < n + HALF_TEXEL  # as its neighbour
        assert near > Fraction(1, 128) or same, f"a point at {float(x)} is too near an edge"
        return [(math.floor(x), Fraction(1))]
    first, rest = math.floor(x - HALF_TEXEL), (x - HALF_TEXEL) % 1
    return [(first, 1 - rest)] + ([(first + 1, rest)] if rest else [])


# A direction for each face, and back.
FACES = [lambda s, t: (1, -t, -s), lambda s, t: (-1, -t, s), lambda s, t: (s, 1, t), lambda s, t: (s, -1, -t), lambda s, t: (s, -t, 1), lambda s, t: (-s, -t, -1)]
BACK = [lambda x, y, z: (-z, -y), lambda x, y, z: (z, -y), lambda x, y, z: (x, z), lambda x, y, z: (x, -z), lambda x, y, z: (x, -y), lambda x, y, z: (-x, -y)]
BEYOND = Fraction(1, 1 << 40)


def on_cube(n, x, y, face):
    """The texel next to the edge over which (x, y) lies; the face and the texel there."""
    s, t = Fraction(2 * x + 1, n) - 1, Fraction(2 * y + 1, n) - 1
    s = max(min(s, 1 + BEYOND), -1 - BEYOND)
    t = max(min(t, 1 + BEYOND), -1 - BEYOND)
    assert not (abs(s) > 1 and abs(t) > 1), "a corner"
    d = FACES[face](s, t)
    major = max(range(3), key=lambda i: abs(d[i]))
    face = 2 * major + (d[major] < 0)
    s, t = (c / abs(d[major]) for c in BACK[face](*d))
    index = lambda c: min(max(math.floor((c + 1) / 2 * n), 0), n - 1)
    return index(s), index(t), face


PASSES = [lambda r, t: False, lambda r, t: r < t, lambda r, t: r == t, lambda r, t: r <= t, lambda r, t: r > t, lambda r, t: r != t,
          lambda r, t: r >= t, lambda r, t: True]


class Lane:
    """What one lane asks for: coordinates as numbers that f32 holds exactly."""
    def __init__(self, *coords, layer=None, slopes=None, bias=None, ref=None, offsets=None, level=None, lowest=None, junk=0):
        self.coords, self.layer, self.slopes, self.bias = [Fraction(c) for c in coords], layer, slopes, bias
        self.ref, self.offsets, self.level, self.lowest, self.junk = ref, offsets, level, lowest, junk

    def offset_word(self):
        return sum((o & 63) << 8 * i for i, o in enumerate(self.offsets)) | self.junk


def level_of(t, s, lane, quad):
    """log2 of the slope in texels; quad: the four lanes of an opcode without slopes of its own."""
    if lane.slopes:
        slopes = lane.slopes
    else:
        slopes = [[b - a for a, b in zip(quad[0].coords, quad[k].coords)] for k in (1, 2)]
    size = [1, 1, 1] if s.unnormalized else t.size(0)
    square = max(sum((Fraction(v) * n) ** 2 for v, n in zip(one, size)) for one in slopes)
    return math.log2(square) / 2 if square else -60.0


def levels(t, s, lane, quad, zero=False):
    """(raw level, limited one, first level, weight of the next)."""
    if zero:
        raw = Fraction(0)
    elif lane.level is not None:
        raw = Fraction(lane.level)
    else:
        raw = Fraction(level_of(t, s, lane, quad)) + Fraction(s.bias, 256) + Fraction(lane.bias or 0)
    v, least = raw + (HALF_TEXEL if s.mip == 1 and s.preclamp else 0), Fraction(s.least, 256)
    if lane.lowest is not None:
        least = max(least, Fraction(lane.lowest))
    v = min(max(v, least), Fraction(s.most, 256))
    last = t.seen_levels() - 1
    if s.mip == 0 or last == 0:
        return raw, v, 0, Fraction(0)
    if s.mip == 1:
        exact = v if s.preclamp else v + HALF_TEXEL
        assert v <= 0 or abs(exact - round(exact)) > Fraction(1, 64) or exact in (s.least / 256, s.most / 256) or zero or exact > last + 1, f"level {float(raw)}"
        return raw, v, min(max(math.floor(exact), 0), last), Fraction(0)
    v = min(max(v, Fraction(0)), Fraction(last))
    return raw, v, math.floor(v), v % 1


def texel(t, s, level, place, face, compare):
    size = t.size(level)
    if t.kind == CUBE:
        x, y, f = on_cube(size[0], place[0], place[1], face % 6)
        comps = t.components(level, x, y, face // 6 * 6 + f)
    else:
        folded = [fold(s.clamp[i], p, size[i]) for i, p in enumerate(place)]
        if None in folded:
            comps = s.border_color(t)
        else:
            folded += [0] * (3 - len(folded))
            comps = t.components(level, folded[0], folded[1], face if t.layered() else folded[2])
    if compare is not None:
        ref = Fraction(compare)
        ref = min(max(ref, Fraction(0)), Fraction(1)) if t.num != FLOAT else ref
        comps = [ONE if PASSES[s.compare](ref, value(comps[0])) else 0] + comps[1:]
    return comps


def face_of(t, lane, da):
    if not t.layered() or not da:
        return 0
    n, layers = math.floor(Fraction(lane.layer) + HALF_TEXEL), t.depth - t.layer
    if t.kind != CUBE:
        return min(max(n, 0), layers - 1)
    return min(max(n // 8, 0), layers // 6 - 1) * 6 + n % 8


def position(t, s, lane, axis, size):
    x = lane.coords[axis] * (1 if s.unnormalized else size)
    if t.kind == CUBE:
        x -= size
    return x + (lane.offsets[axis] if lane.offsets else 0)


def selected(t, comps):
    one = 1 if t.num in (UINT, SINT) else ONE
    sels = [t.sel >> 3 * i & 7 for i in range(4)]
    return [one if sel == 1 else 0 if sel == 0 else comps[sel - 4] for sel in sels]


def one_level(t, s, lane, level, magnified, da):
    """Components of one level as (bits, whether they are exact)."""
    size, out = t.size(level), []
    taps_of = []
    for axis in range(t.axes()):
        linear = s.mag if magnified else s.min
        if axis == 2 and s.z:
            linear = s.z == 2
        x = position(t, s, lane, axis, size[axis])
        taps_of.append(taps(LAST if t.kind == CUBE else s.clamp[axis], x, size[axis], linear))
        if t.kind == CUBE and not linear:
            taps_of[-1] = [(min(taps_of[-1][0][0], size[axis] - 1), Fraction(1))]
    places = [((), Fraction(1))]
    for axis in taps_of:
        places = [(p + (i,), w * weight) for p, w in places for i, weight in axis]
    for place, weight in places:
        out.append((texel(t, s, level, list(place), face_of(t, lane, da), lane.ref), weight))
    return out


def mixed(s, parts):
    """Texels with weights as four components of 32 bits, and whether any arithmetic was done."""
    if len(parts) == 1:
        return parts[0][0], True
    out = []
    for i in range(4):
        values = [(value(c[i]), w) for c, w in parts]
        if s.blend:
            out.append(bits_of((min if s.blend == 1 else max)(v for v, _ in values)))
        else:
            out.append(bits_of(sum(v * w for v, w in values)))
    return out, bool(s.blend)


def sample(t, s, lane, quad=None, zero=False, da=False):
    raw, limited, first, weight = levels(t, s, lane, quad, zero) if t.seen_levels() > 1 and s.mip or s.mag != s.min else (0, Fraction(0), 0, 0)
    magnified = limited <= 0
    parts = [(c, w * (1 - weight)) for c, w in one_level(t, s, lane, first, magnified, da)]
    if weight:
        parts += [(c, w * weight) for c, w in one_level(t, s, lane, first + 1, magnified, da)]
    comps, exact = mixed(s, parts)
    return selected(t, comps), exact


def gather(t, s, lane, component, quad=None, zero=False, da=False):
    level = levels(t, s, lane, quad, zero)[2] if t.seen_levels() > 1 and s.mip else 0
    size = t.size(level)
    corner = [math.floor(position(t, s, lane, i, size[i]) - HALF_TEXEL) for i in range(2)]
    for i in range(2):
        x = position(t, s, lane, i, size[i]) - HALF_TEXEL
        assert abs(x - round(x)) > Fraction(1, 128), "a gather too near a centre"
    out = []
    for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0)):
        comps = texel(t, s, level, [corner[0] + dx, corner[1] + dy], face_of(t, lane, da), lane.ref)
        out.append(selected(t, comps)[component])
    return out
