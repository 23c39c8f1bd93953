#!/usr/bin/env python3
"""Works out the expectations of the byte sums, medians and packing conversions and writes their case files.

    scripts/calc/calc_sad.py cases/vop3a

The rules are written from the manuals' formulas (Vega ISA chapter 12; the MI100 manual for the masked and the fourfold
sums), on Python integers. Operands are unsigned numbers of their width.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import casetext

M32 = 0xffffffff


def signed(v): return v - (1 << 32) if v >> 31 else v
def byte(v, i): return v >> 8 * i & 0xff
def half(v, i): return v >> 16 * i & 0xffff
def diff(a, b): return max(a, b) - min(a, b)


def sad(v, ref, masked=False):
    return sum(diff(byte(v, i), byte(ref, i)) for i in range(4) if byte(ref, i) or not masked)


def fourfold(v, ref, acc, masked):
    """One value, or two where a sum does not fit: cut or saturated."""
    cut = full = 0
    for i in range(4):
        s = sad(v >> 8 * i & M32, ref, masked) + half(acc, i)
        cut |= (s & 0xffff) << 16 * i
        full |= min(s, 0xffff) << 16 * i
    return [cut] if cut == full else [cut, full]


def fourfold_wide(v, ref, acc):
    return [sum((sad(v >> 8 * i & M32, ref, True) + (acc >> 32 * i & M32) & M32) << 32 * i for i in range(4))]


def lerp(a, b, up):
    return sum(((byte(a, i) + byte(b, i) + (byte(up, i) & 1)) // 2) << 8 * i for i in range(4))


def pack(a, b, low, high):
    return (min(max(a, low), high) & 0xffff) | (min(max(b, low), high) & 0xffff) << 16


# name: (what it does, widths in bits of result and operands, rule)
OPS = {
    "v_lerp_u8": ("Mean of two packed bytes each; a half rounds up where bit 0 of S2's byte is set.",
                  (32, 32, 32, 32), lambda a, b, c: [lerp(a, b, c)]),
    "v_med3_i32": ("The middle one of three signed numbers.", (32, 32, 32, 32),
                   lambda a, b, c: [sorted([signed(a), signed(b), signed(c)])[1] & M32]),
    "v_med3_u32": ("The middle one of three unsigned numbers.", (32, 32, 32, 32), lambda a, b, c: [sorted([a, b, c])[1]]),
    "v_sad_u8": ("Sum of four absolute differences of unsigned bytes, plus S2.", (32, 32, 32, 32),
                 lambda a, b, c: [sad(a, b) + c & M32]),
    "v_sad_hi_u8": ("Sum of four absolute differences of unsigned bytes in the upper half, plus S2.", (32, 32, 32, 32),
                    lambda a, b, c: [(sad(a, b) << 16) + c & M32]),
    "v_sad_u16": ("Sum of two absolute differences of unsigned halves, plus S2.", (32, 32, 32, 32),
                  lambda a, b, c: [diff(half(a, 0), half(b, 0)) + diff(half(a, 1), half(b, 1)) + c & M32]),
    "v_sad_u32": ("Absolute difference of unsigned numbers, plus S2.", (32, 32, 32, 32), lambda a, b, c: [diff(a, b) + c & M32]),
    "v_msad_u8": ("Sum of absolute differences of bytes, plus S2; bytes of S1 that are 0 count nothing.", (32, 32, 32, 32),
                  lambda a, b, c: [sad(a, b, True) + c & M32]),
    "v_qsad_pk_u16_u8": ("Four sums of absolute differences: windows of four bytes that begin at bytes 0 to 3 of S0, against S1, each "
                         "plus a half of S2.", (64, 64, 32, 64), lambda a, b, c: fourfold(a, b, c, False)),
    "v_mqsad_pk_u16_u8": ("Four sums of absolute differences: windows of four bytes that begin at bytes 0 to 3 of S0, against S1, each "
                          "plus a half of S2; bytes of S1 that are 0 count nothing.", (64, 64, 32, 64), lambda a, b, c: fourfold(a, b, c, True)),
    "v_mqsad_u32_u8": ("Four sums of absolute differences: windows of four bytes that begin at bytes 0 to 3 of S0, against S1, each "
                       "plus a dword of S2; bytes of S1 that are 0 count nothing.", (128, 64, 32, 128), fourfold_wide),
    "v_cvt_pk_u16_u32": ("Two unsigned numbers, each limited to 16 bits.", (32, 32, 32), lambda a, b: [pack(a, b, 0, 0xffff)]),
    "v_cvt_pk_i16_i32": ("Two signed numbers, each limited to 16 bits.", (32, 32, 32),
                         lambda a, b: [pack(signed(a), signed(b), -0x8000, 0x7fff)]),
}
ERRATA = {"v_sad_u8": "VALU-C17", "v_sad_u16": "VALU-C17", "v_sad_u32": "VALU-C17", "v_lerp_u8": "VALU-U27", "v_msad_u8": "VALU-U16",
          "v_qsad_pk_u16_u8": "VALU-U16", "v_mqsad_pk_u16_u8": "VALU-U16", "v_mqsad_u32_u8": "VALU-U16"}

EDGES32 = [0, 1, 2, 0x7fffffff, 0x80000000, M32, 0x01020304, 0xfe00ff80, 0x00ff00ff, 0x8000ffff, 0x0000ffff, 0x00010000, 0x12345678,
           0xffff8000, 0x00007fff, 0x00008000, 0xffff7fff, 0x01000100]


def spread(v, bits):
    """The same pattern over a wider operand, every dword another."""
    return sum(((v * (2 * i + 1) + 0x01030507 * i) & M32) << 32 * i for i in range(bits // 32))


def operands(widths):
    """Edges against each other, so that no operand runs in step with another."""
    n = len(EDGES32)
    for i in range(n + 12):
        yield [spread(EDGES32[(i * step + shift) % n] if i < n else (0x9e3779b1 * (i * 7 + k * 3 + 1)) & M32, w)
               for k, (w, step, shift) in enumerate(zip(widths[1:], (1, 5, 7), (0, 3, 1)))]


def hexa(v, bits): return f"0x{v:0{bits // 4}x}"


def outcome(values, bits):
    return hexa(values[0], bits) if len(values) == 1 else "{" + "|".join(hexa(v, bits) for v in values) + "}"


def regs(first, bits): return f"v{first}" if bits == 32 else f"v[{first}:{first + bits // 32 - 1}]"


def table(head, rows):
    width = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, width)).rstrip() for r in [head] + rows]
    return ["rows  " + lines[0]] + ["      " + line for line in lines[1:]]


def case_file(name):
    what, widths, rule = OPS[name]
    places = [regs(at, w) for at, w in zip((0, 4, 8, 12), widths)]
    ids = [f"errata {ERRATA[name]}"] if name in ERRATA else []
    chapter = "Vega ISA, chapter 12 (VOP3)."
    out = ["case-format 1", f"# {what}", f"# {chapter}", "", "test plain values and edges"] + ids
    out += ["code", f"    {name} {', '.join(places)}"]
    rows = [[hexa(v, w) for v, w in zip(ops, widths[1:])] + ["|", outcome(rule(*ops), widths[0])] for ops in operands(widths)]
    out += table(places[1:] + ["|", places[0]], rows)
    # A constant and a scalar among the sources; -1 is all ones in every width.
    other = [spread(0x80c0ff01, w) for w in widths[1:]]
    scalar = [(1 << widths[1]) - 1, 0x04030201] + ([other[2]] if len(widths) == 4 else [])
    code = [places[0], "-1", "s6"] + places[3:]
    out += ["", "test minus one first, a scalar second"] + ids
    out += ["in    s6 = 0x04030201", "code", f"    {name} {', '.join(code)}"]
    if len(widths) == 4:
        picks = [spread(v, widths[3]) for v in (0, 5, 0x00ff8000, M32, 0x80000001)]
        out += table([places[3], "|", places[0]], [[hexa(c, widths[3]), "|", outcome(rule(scalar[0], scalar[1], c), widths[0])] for c in picks])
    else:
        out += ["case  every lane alike", f"out   {places[0]} = {outcome(rule(*scalar), widths[0])}"]
    if widths[0] == 32:
        picks = [[spread(v, w) for v, w in zip(t, widths[1:])] for t in ((9, 4, 2), (0x00ffff00, 0x80017fff, 0x01010101), (M32, 1, 0x7fffffff))]
        names = ["v0"] + places[2:]
        out += ["", "test destination is the first source"] + ids + ["code", f"    {name} v0, {', '.join(names)}"]
        out += table(names + ["|", "v0"], [[hexa(v, 32) for v in ops] + ["|", outcome(rule(*ops), 32)] for ops in picks])
    on = [spread(v, w) for v, w in zip((0x10203040, 0x04030201, 7), widths[1:])]
    out += ["", "test lanes that are off keep their value"] + ids + ["code", f"    {name} {', '.join(places)}"]
    values = [hexa(v, w) for v, w in zip(on, widths[1:])]
    out += table(["exec"] + places[1:] + ["|", places[0]], [["1"] + values + ["|", outcome(rule(*on), widths[0])], ["0"] + values + ["|", "same"],
                                                           ["1"] + values + ["|", outcome(rule(*on), widths[0])]])
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    for op in OPS:
        casetext.write(pathlib.Path(sys.argv[1]) / f"{op}.case", case_file(op))
