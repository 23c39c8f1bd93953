#!/usr/bin/env python3
"""Works out the expectations of the interpolation opcodes and writes their case files.

    scripts/calc/calc_interp.py cases

Parameters stand in LDS behind the low half of m0: 12 dwords for each primitive of each attribute, all primitives of an attribute
together (CLRX, page on VINTRP; the RDNA 3.5 ISA manual, section on LDS parameter loads). Within the twelve the two differ: where a
test can tell them apart both results are given. Sums are exact fractions; where they have to be rounded both an exact and a rounded
product are allowed.
"""
import pathlib
import struct
import sys
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
sys.path.append(str(pathlib.Path(__file__).parent / "mem"))
import casetext
from calc_mem import block

P0, P10, P20 = "P0", "P10", "P20"
CLRX = {(p, c): {P0: 2 * c, P10: 2 * c + 1, P20: 8 + c}[p] for p in (P0, P10, P20) for c in range(4)}
RDNA = {(p, c): {P0: c, P10: 4 + c, P20: 8 + c}[p] for p in (P0, P10, P20) for c in range(4)}
CHAN = "xyzw"


def f32(x):
    bits, = struct.unpack("<I", struct.pack("<f", float(x)))
    assert Fraction(*struct.unpack("<f", struct.pack("<f", float(x)))[0].as_integer_ratio()) == Fraction(x), x
    return bits


def f16(x):
    bits, = struct.unpack("<H", struct.pack("<e", float(x)))
    assert Fraction(*struct.unpack("<e", struct.pack("<e", float(x)))[0].as_integer_ratio()) == Fraction(x), x
    return bits


def h(v):
    return f"0x{v:08x}"


def one_of(*values):
    values = list(dict.fromkeys(values))
    return values[0] if len(values) == 1 else "{" + "|".join(values) + "}"


def dwords(base, values):
    """LDS places for a list of dwords, four to a word where they are aligned; None is not set."""
    out, i = [], 0
    while i < len(values):
        if None not in values[i:i + 4] and len(values[i:i + 4]) == 4:
            out.append(f"lds[{base + 4 * i}].b128 = 0x" + "".join(f"{v:08x}" for v in reversed(values[i:i + 4])))
            i += 4
        else:
            if values[i] is not None:
                out.append(f"lds[{base + 4 * i}].b32 = {h(values[i])}")
            i += 1
    return out


def agreed(p0, p10, p20, chan):
    """Twelve dwords in which both orders find the same parameters of a channel."""
    out = [None] * 12
    for p, v in ((P0, p0), (P10, p10), (P20, p20)):
        for order in (CLRX, RDNA):
            at = order[p, chan]
            assert out[at] in (None, v), (p, chan)
            out[at] = v
    return out


class Op:
    """A row: what it takes and gives, and the text of an instruction."""

    def __init__(self, name, params, wide=True, s2=None, keeps=False):
        self.name, self.params, self.wide, self.s2, self.keeps = name, params, wide, s2, keeps
        self.half = name.endswith("f16")

    def text(self, attr, chan, d="v1", s="v0", mods="", s2="v3", suffix=""):
        tail = f", {s2}" if self.s2 else ""
        return f"    {self.name}{suffix} {d}, {s}, attr{attr}.{CHAN[chan]}{tail}{mods}"

    def number(self, v):
        """A parameter as its dword: of a half, in the low half; the other half is another number."""
        return f16(v) | f16(-3) << 16 if self.half else f32(v)

    def result(self, v):
        return h(f32(v)) if self.wide else h(f16(v))


def head(op, what):
    return ["case-format 1", f"# {what} Vega ISA, chapters 10.3 and 12.", "# Where parameters stand in LDS: EXP-U02 of the ledger. Worked out by scripts/calc/calc_interp.py."]


def start(title, size=512, ids="EXP-U02"):
    return ["", f"test {title}", f"errata {ids}", f"lds   {size}"]


def out_value(op, v, lane=0):
    """The register with the result: of a half the upper one stays, or is 0."""
    if op.wide:
        return h(f32(v))
    old = 0xB0010000 | lane
    if op.keeps:
        return h(old & 0xFFFF0000 | f16(v))
    return one_of(h(f16(v)), h(old & 0xFFFF0000 | f16(v)))


def total(op, p, s, third):
    """P10 * s + P0, P20 * s + D, or with the addend that the third operand holds."""
    return p[0] * s + (p[1] if len(p) > 1 else third)


def third_of(op, v):
    """How the addend that is not in LDS gets into its register."""
    if op.s2 == "halves":
        return f"v3 = {h(f16(v) | f16(-5) << 16)}"
    return f"v3 = {h(f32(v))}" if op.s2 else f"v1 = {h(f32(v))}"


def record(op, chan, a, b):
    """A record with the opcode's parameters a and b, whichever they are."""
    value = dict(zip(op.params, (a, b)))
    get = lambda p: op.number(value[p]) if p in value else op.number(-7)
    return agreed(get(P0), get(P10), get(P20), chan)


def read_at(op, chan, setup, lanes, m0, weight, third, title, beside=None):
    """The head and code of a test in which these lanes are on; opcodes of one parameter add to `third`. `beside`: a lane that
    is off, and the weight there; others that are off have none."""
    setup += [f"exec = 0x{sum(1 << lane for lane in lanes):016x}", f"m0 = {m0}"]
    each = {lane: weight for lane in lanes} | dict([beside]) if beside else {}
    setup += [f"v0.lane{lane} = {h(f32(w))}" for lane, w in each.items()] or [f"v0 = {h(f32(weight))}"]
    if len(op.params) < 2:
        setup.append(third_of(op, third))
    return block(setup) + ["code", op.text(1, chan), "case  " + title]


def primitives(op):
    """Quads 2, 4 and 6 begin a primitive: lanes 0-7, 8-15, 16-23 and 24-63; attribute 1, channel y."""
    chan = 1
    out = start("the primitive of each quad")
    values = [(Fraction(1 + n), Fraction(10 + 8 * n)) for n in range(4)]
    setup = []
    for n, (a, b) in enumerate(values):
        setup += dwords(32 + (1 * 4 + n) * 48, record(op, chan, a, b))
    lanes = {0: 0, 7: 0, 8: 1, 15: 1, 16: 2, 23: 2, 24: 3, 31: 3, 63: 3}
    out += read_at(op, chan, setup, lanes, "0x002a0020", 2, 5, "four primitives, 32 bytes up")
    res = []
    for lane, n in lanes.items():
        v = total(op, values[n], 2, 5) if len(op.params) > 1 else values[n][0] * 2 + 5
        res.append(f"v1.lane{lane} = " + (out_value(op, v, lane) if len(op.params) > 1 or op.s2 else h(f32(v))))
    return out + block(res, "out   ")


def every_quad(op):
    """All bits of the mask: sixteen primitives, so that attribute 1 begins behind 768 bytes; bit 31 does not count. Lane 29, which is off,
    has another number than lane 61."""
    chan = 2
    out = start("sixteen primitives", 2048)
    setup = []
    picked = {0: 0, 5: 1, 30: 7, 61: 15}
    for lane, n in picked.items():
        setup += dwords((16 + n) * 48, record(op, chan, Fraction(3 + n), Fraction(40 + n)))
    out += read_at(op, chan, setup, picked, "0x7fff0000", Fraction(1, 2), 6, "lanes 0, 5, 30 and 61", beside=(29, 3))
    res = []
    for lane, n in picked.items():
        v = Fraction(3 + n) / 2 + (40 + n if len(op.params) > 1 else 6)
        res.append(f"v1.lane{lane} = {out_value(op, v, lane)}")
    return out + block(res, "out   ")


def channels(op):
    """Twelve different dwords: each channel by both orders."""
    out = start("each channel")
    numbers = [1, 10, 2, 20, 3, 30, 4, 40, 100, 200, 300, 400]
    setup = dwords(0, [op.number(n) for n in numbers]) + ["m0 = 0", "exec = 0x11", f"v0.lane0 = {h(f32(2))}", f"v0.lane4 = {h(f32(-1))}"]
    regs = [4, 5, 6, 7]
    if op.s2:
        setup.append(third_of(op, 9))
        setup += [f"v{r} = 0x5a{r:02x}{r:04x}" for r in regs if "b001" in out_value(op, Fraction(1))]
    elif len(op.params) < 2:
        setup += [f"v{r} = {h(f32(9))}" for r in regs]
    out += block(setup) + ["code"] + [op.text(0, c, d=f"v{r}") for c, r in enumerate(regs)] + ["case  two lanes"]
    res = []
    for c, r in enumerate(regs):
        for lane, s in ((0, 2), (4, -1)):
            options = []
            for order in (CLRX, RDNA):
                p = [Fraction(numbers[order[q, c]]) for q in op.params]
                v = total(op, p, s, 9)
                options += out_value(op, v, lane).strip("{}").replace("b001", f"5a{r:02x}").split("|")
            res.append(f"v{r}.lane{lane} = {one_of(*options)}")
    return out + block(res, "out   ")


def last_attr(op):
    out = start("attribute 32, and beyond the allocated lds", 2048)
    setup = dwords(32 * 48, record(op, 3, Fraction(6), Fraction(8))) + ["exec = 1", f"v0 = {h(f32(4))}"] + ([third_of(op, 16)] if len(op.params) < 2 else [])
    out += block(setup) + ["code", op.text(32, 3)]
    inside = 6 * 4 + (8 if len(op.params) > 1 else 16)
    outside = 0 if len(op.params) > 1 else 16
    out += ["case  inside", "in    m0 = 0", f"out   v1 = {out_value(op, Fraction(inside))}"]
    return out + ["case  zeros", "in    m0 = 0x1000", f"out   v1 = {out_value(op, Fraction(outside))}"]


def modified(op):
    """neg and abs of the register, clamp and omod: of e64."""
    suffix = "" if op.half else "_e64"
    chan, a, b, c = 0, Fraction(3), Fraction(1, 4), Fraction(1, 4)
    same = lambda v: v
    sets = [("neg", same, "", "-v0", "v3"), ("abs", same, "", "|v0|", "v3"), ("neg of abs", same, "", "-|v0|", "v3"),
            ("clamp", lambda v: min(max(v, Fraction(0)), Fraction(1)), " clamp", "v0", "v3")]
    if op.wide:
        sets += [("mul:4", lambda v: v * 4, " mul:4", "v0", "v3"), ("div:2", lambda v: v / 2, " div:2", "v0", "v3")]
    if op.s2:
        sets += [("neg of the addend", same, "", "v0", "-v3"), ("abs of the addend", same, "", "v0", "|v3|")]
    out = []
    for title, post, mods, src, s2 in sets:
        out += start(title) + (["mode  denorm=flush ieee=0"] if ":" in title else [])
        svals = (Fraction(2), Fraction(-2))
        addend = -c if "addend" in title else c
        setup = dwords(0, record(op, chan, a, b)) + ["m0 = 0", "exec = 3", f"v0.lane0 = {h(f32(svals[0]))}", f"v0.lane1 = {h(f32(svals[1]))}"]
        if len(op.params) < 2:
            setup.append(third_of(op, addend))
        out += block(setup) + ["code", op.text(0, chan, s=src, mods=mods, s2=s2, suffix=suffix), "case  both signs"]
        res = []
        for lane, s in enumerate(svals):
            x = abs(s) if "abs" in title and "addend" not in title else s
            x = -x if title.startswith("neg") and "addend" not in title else x
            t = b if len(op.params) > 1 else addend
            if "addend" in title:
                t = abs(t) if title.startswith("abs") else -t
            res.append(f"v1.lane{lane} = {out_value(op, post(a * x + t), lane)}")
        out += block(res, "out   ")
    return out


def same_register(op):
    """The coordinate's register is the destination: read first, except where the first step is two instructions."""
    if op.name in ("v_interp_p2_f32", "v_interp_p2_f16"):  # the destination is read in any case
        return []
    out = start("the destination is the source", ids="EXP-C02 EXP-U02" if op.name == "v_interp_p1_f32" else "EXP-U02")
    setup = dwords(0, record(op, 3, Fraction(3), Fraction(5))) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(2))}"]
    setup += [third_of(op, 5)] if op.s2 else []
    got = h(f32(11)) if op.wide else one_of(h(f16(11)), h(f32(2) & 0xFFFF0000 | f16(11)))  # 3 * 2 + 5
    return out + block(setup) + ["code", op.text(0, 3, d="v0"), "case  read first", f"out   v0 = {got}"]


def third_of_lanes(op):
    """The addend that is not in LDS is another in each lane."""
    if len(op.params) > 1:
        return []
    out = start("the addend of each lane")
    reg, third = third_of(op, 5).split(" = ")[0], [third_of(op, v).split(" = ")[1] for v in (5, 9)]
    setup = dwords(0, record(op, 3, Fraction(3), Fraction(5))) + ["m0 = 0", "exec = 0x21", f"v0 = {h(f32(2))}", f"{reg}.lane0 = {third[0]}", f"{reg}.lane5 = {third[1]}"]
    res = [f"v1.lane{lane} = " + (out_value(op, v, lane) if op.s2 else h(f32(v))) for lane, v in ((0, 11), (5, 15))]  # 3 * 2 + 5, 3 * 2 + 9
    return out + block(setup) + ["code", op.text(0, 3), "case  two lanes"] + block(res, "out   ")


def upper_half(op):
    """The legacy form clears the half that the other one keeps."""
    if op.name != "v_interp_p2_legacy_f16":
        return []
    out = start("the upper half becomes 0", ids="EXP-U02 VALU-U01")
    setup = dwords(0, record(op, 3, Fraction(3), Fraction(5))) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(2))}", third_of(op, 5)]
    return out + block(setup) + ["code", op.text(0, 3), "case  nothing stays", f"out   v1 = {h(f16(11))}"]


def float_rules(op):
    """f32: rounding as MODE says; product rounded or not; subnormals."""
    if op.half:
        return []
    out, tiny = [], 2.0 ** -30
    for mode, up in (("rne", 0), ("rtp", 1), ("rtn", 0), ("rtz", 0)):
        for sign, name in ((1, "positive"), (-1, "negative")):
            if sign < 0 and mode not in ("rtn", "rtz"):
                continue
            add = (up if sign > 0 else mode == "rtn")
            out += start(f"round {mode}, {name}") + [f"mode  round={mode}"]
            setup = dwords(0, agreed(f32(sign), f32(sign * tiny), f32(sign * tiny), 0)) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(1))}"]
            if len(op.params) < 2:
                setup.append(f"v1 = {h(f32(sign))}")
            out += block(setup) + ["code", op.text(0, 0), "case  one and a little", f"out   v1 = {h(f32(sign) + add)}"]
    out += start("one rounding or two", ids="EXP-U02 EXP-U03")
    x = 0x3F800001  # 1 + 2^-23; its square is 1 + 2^-22 + 2^-46
    setup = dwords(0, agreed(0xBF800002, x, x, 0)) + ["m0 = 0", "exec = 1", f"v0 = {h(x)}"] + ([f"v1 = {h(0xBF800002)}"] if len(op.params) < 2 else [])
    out += block(setup) + ["code", op.text(0, 0), "case  what is left of the product", f"out   v1 = {one_of(h(f32(Fraction(1, 1 << 46))), h(0))}"]
    out += start("subnormals", ids="EXP-U02 EXP-U03")
    setup = dwords(0, agreed(0, 5, 5, 0)) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(1))}"] + (["v1 = 0"] if len(op.params) < 2 else [])
    out += block(setup) + ["code", op.text(0, 0), "case  kept or flushed", f"out   v1 = {one_of(h(5), h(0))}"]
    out += start("subnormals, flush") + ["mode  denorm=flush"] + block(setup) + ["code", op.text(0, 0), "case  flushed", "out   v1 = 0"]
    return out


def halves(op):
    """`high`: the upper halves of the dwords in LDS, and of two parameters in a register."""
    if not op.half:
        return []
    out = start("high")
    put = lambda low, high: f16(low) | f16(high) << 16
    dw = agreed(put(1, 2), put(3, 5), put(7, 11), 2)
    setup = dwords(0, dw) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(4))}"]
    if op.s2 == "halves":
        setup.append(f"v3 = {h(put(13, 17))}")
    elif op.s2:
        setup.append(f"v3 = {h(f32(13))}")
    high = {P0: 2, P10: 5, P20: 11}
    low = {P0: 1, P10: 3, P20: 7}
    for title, values, third, mods in (("upper", high, 17 if op.s2 == "halves" else 13, " high"), ("lower", low, 13, "")):
        p = [Fraction(values[q]) for q in op.params]
        v = total(op, p, 4, third)
        if title == "upper":
            out += block(setup) + ["code", op.text(0, 2, mods=mods), "case  the upper half of each", f"out   v1 = {out_value(op, v)}"]
        else:
            out += start("without high") + block(setup) + ["code", op.text(0, 2), "case  the lower half of each", f"out   v1 = {out_value(op, v)}"]
    if op.s2 == "halves":
        out += start("high, neg of the addend") + block(setup) + ["code", op.text(0, 2, mods=" high", s2="-v3"), "case  the upper half has the sign", f"out   v1 = {out_value(op, Fraction(5 * 4 - 17))}"]
    if op.wide:
        out += start("a subnormal half", ids="EXP-U02 EXP-U03")
        two = agreed(f16(0), 5, 5, 0)
        third = ["v3 = 0"] if op.s2 else []
        out += block(dwords(0, two) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(1))}"] + third) + ["code", op.text(0, 0), "case  kept or flushed",
                                                                                        f"out   v1 = {one_of(h(f32(Fraction(5, 1 << 24))), h(0))}"]
    else:
        for mode, up in (("rne", 0), ("rtp", 1), ("rtn", 0), ("rtz", 0)):
            out += start(f"fp64_round {mode}, the field of halves") + [f"mode  fp64_round={mode}"]
            setup = dwords(0, agreed(f16(1), f16(1), f16(Fraction(1, 1 << 12)), 0)) + ["m0 = 0", "exec = 1", f"v0 = {h(f32(1))}", f"v3 = {h(f32(1))}"]
            out += block(setup) + ["code", op.text(0, 0), "case  one and a quarter of a bit"]
            kept = h(0xB0010000 | f16(1) + up)
            out += [f"out   v1 = {kept if op.keeps else one_of(h(f16(1) + up), kept)}"]
    return out


ABOUT = {"v_interp_p1_f32": "First step of an interpolation: P10 times a coordinate plus P0.", "v_interp_p2_f32": "Second step of an interpolation: P20 times a coordinate plus what is there.",
         "v_interp_p1ll_f16": "First step with halves of parameters, both in LDS: P10 times a coordinate plus P0, in f32.",
         "v_interp_p1lv_f16": "First step with halves of parameters, P0 in a register: P10 times a coordinate plus P0, in f32.",
         "v_interp_p2_legacy_f16": "Second step with half of a parameter: P20 times a coordinate plus an f32, as f16.",
         "v_interp_p2_f16": "Second step with half of a parameter: P20 times a coordinate plus an f32, into the low half."}
OPS = [Op("v_interp_p1_f32", (P10, P0)), Op("v_interp_p2_f32", (P20,)), Op("v_interp_p1ll_f16", (P10, P0)), Op("v_interp_p1lv_f16", (P10,), s2="halves"),
       Op("v_interp_p2_legacy_f16", (P20,), wide=False, s2="f32"), Op("v_interp_p2_f16", (P20,), wide=False, s2="f32", keeps=True)]


def mov_file():
    """v_interp_mov_f32: a parameter as it stands."""
    out = ["case-format 1", "# A parameter as it stands in LDS: P10, P20 or P0. Vega ISA, chapters 10.3 and 12.", "# Where parameters stand in LDS: EXP-U02 of the ledger. Worked out by scripts/calc/calc_interp.py."]
    numbers = [0x11110000 + n for n in range(12)]
    for chan in range(4):
        out += start(f"channel {CHAN[chan]}")
        out += block(dwords(0, numbers) + ["m0 = 0", "exec = 0x8000000000000001"]) + ["code"]
        out += [f"    v_interp_mov_f32 v{4 + i}, {p.lower()}, attr0.{CHAN[chan]}" for i, p in enumerate((P10, P20, P0))] + ["case  two lanes"]
        out += block([f"v{4 + i} = {one_of(h(numbers[CLRX[p, chan]]), h(numbers[RDNA[p, chan]]))}" for i, p in enumerate((P10, P20, P0))], "out   ")
    out += start("the primitive of each quad", 1024)
    setup = []
    for n in range(4):
        setup += dwords(16 + (4 * 2 + n) * 48, agreed(0x100 + n, 0x200 + n, 0x300 + n, 3))
    out += block(setup + ["m0 = 0x40810010"]) + ["code", "    v_interp_mov_f32 v1, p0, attr2.w", "    v_interp_mov_f32 v2, p10, attr2.w", "    v_interp_mov_f32 v3, p20, attr2.w", "    s_nop 0", "case  quads 1, 8 and 15 begin one"]
    lanes = {3: 0, 4: 1, 31: 1, 32: 2, 59: 2, 60: 3, 63: 3}
    out += ["in    exec = 0x" + f"{sum(1 << l for l in lanes):016x}"]
    out += block([f"v{r}.lane{lane} = {h(v + n)}" for lane, n in lanes.items() for r, v in ((1, 0x100), (2, 0x200), (3, 0x300))], "out   ")
    out += start("clamp and omod of a float")
    out += ["mode  denorm=flush ieee=0"] + block(dwords(0, agreed(f32(3), f32(-2), f32(Fraction(1, 4)), 0)) + ["m0 = 0", "exec = 1"]) + ["code"]
    out += ["    v_interp_mov_f32_e64 v4, p0, attr0.x clamp", "    v_interp_mov_f32_e64 v5, p10, attr0.x clamp", "    v_interp_mov_f32_e64 v6, p20, attr0.x mul:4", "    v_interp_mov_f32_e64 v7, p0, attr0.x",
            "case  lane 0", f"out   v4 = {h(f32(1))}  v5 = 0  v6 = {h(f32(1))}  v7 = {h(f32(3))}"]
    return "\n".join(out) + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    for op in OPS:
        out = head(op, ABOUT[op.name])
        for part in (channels, primitives, every_quad, last_attr, modified, float_rules, halves, same_register, third_of_lanes, upper_half):
            out += part(op)
        folder = root / ("vop3a" if op.half else "vintrp")
        folder.mkdir(exist_ok=True)
        casetext.write(folder / f"{op.name}.case", "\n".join(out) + "\n")
    casetext.write(root / "vintrp" / "v_interp_mov_f32.case", mov_file())


if __name__ == "__main__":
    main()
