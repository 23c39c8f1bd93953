#!/usr/bin/env python3
"""Works out the expectations of the vector compares and writes their case files.

    scripts/calc/calc_vopc.py cases/vopc

The rules are those of the Vega ISA manual, chapter 12 (VOPC opcodes), with u read as "either operand is a NaN".
Comparisons are Python's own, on integers and on the exact values of the floats. v_cmp_lt_u32.case is written by hand.
"""
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "lib"))
import casetext

INT_TESTS = {"f": lambda a, b: False, "lt": lambda a, b: a < b, "eq": lambda a, b: a == b, "le": lambda a, b: a <= b,
             "gt": lambda a, b: a > b, "ne": lambda a, b: a != b, "ge": lambda a, b: a >= b, "t": lambda a, b: True}
# Ordered tests are false for a NaN; the n-forms are their negations.
ORDERED = {"lt": lambda a, b: a < b, "eq": lambda a, b: a == b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
           "lg": lambda a, b: a < b or a > b, "ge": lambda a, b: a >= b, "o": lambda a, b: a == a and b == b}
FLOAT_TESTS = {"f": lambda a, b: False, **ORDERED, "u": lambda a, b: a != a or b != b,
               "tru": lambda a, b: True}
for name, base in (("nge", "ge"), ("nlg", "lg"), ("ngt", "gt"), ("nle", "le"), ("neq", "eq"), ("nlt", "lt")):
    FLOAT_TESTS[name] = lambda a, b, test=ORDERED[base]: not test(a, b)

WORDS = {"f": "never", "t": "always", "tru": "always", "lt": "less than", "eq": "equal", "le": "less or equal",
         "gt": "greater than", "ne": "not equal", "ge": "greater or equal", "lg": "less or greater",
         "o": "ordered: no NaN", "u": "unordered: a NaN", "nge": "not greater or equal", "nlg": "not less or greater",
         "ngt": "not greater than", "nle": "not less or equal", "neq": "not equal, or a NaN", "nlt": "not less than"}


def signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) else v


def value(v, kind):
    """The number that the bits mean."""
    if kind == "f32":
        return struct.unpack("<f", struct.pack("<I", v))[0]
    return signed(v, int(kind[1:])) if kind[0] == "i" else v


def flushed(v):
    """An f32 with subnormals taken as zeros of their sign."""
    return v & 0x80000000 if v & 0x7F800000 == 0 else v


def table(columns, rows):
    widths = [max(len(str(r[i])) for r in [columns] + rows) for i in range(len(columns))]
    lines = []
    for i, r in enumerate([columns] + rows):
        cells = "  ".join(str(c).ljust(w) for c, w in zip(r, widths)).rstrip()
        lines.append(("rows  " if i == 0 else "      ") + cells)
    return lines


def compare_rows(test, kind, pairs, exec_too, flush=False):
    bits = 64 if kind.endswith("64") else 32
    a_name, b_name = ("v[2:3]", "v[4:5]") if bits == 64 else ("v1", "v2")
    columns = [a_name, b_name, "|", "vcc"] + (["exec"] if exec_too else [])
    rows = []
    for a, b in pairs:
        fa, fb = (flushed(a), flushed(b)) if flush else (a, b)
        r = int(test(value(fa, kind), value(fb, kind)))
        rows.append([f"0x{a:0{bits // 4}x}", f"0x{b:0{bits // 4}x}", "|", r] + ([r] if exec_too else []))
    return table(columns, rows)


INT32 = [(0, 0), (1, 2), (2, 1), (5, 5), (0xFFFFFFFF, 0), (0, 0xFFFFFFFF), (0xFFFFFFFF, 1), (0x7FFFFFFF, 0x80000000),
         (0x80000000, 0x7FFFFFFF), (0x80000000, 0x80000000), (0x12345678, 0x12345679), (0x12345678, 0x92345678),
         (0xFFFFFFFE, 0xFFFFFFFF), (0x10000, 0xFFFF)]
INT64 = [(0, 0), (1, 2), (2, 1), (0x100000000, 0xFFFFFFFF), (0xFFFFFFFF, 0x100000000), (1 << 63, (1 << 63) - 1),
         ((1 << 63) - 1, 1 << 63), ((1 << 64) - 1, 0), (0, (1 << 64) - 1), (0x1234567800000001, 0x1234567800000002),
         (0x1234567800000001, 0x1234567800000001), (0x0000000180000000, 0x000000017FFFFFFF), ((1 << 64) - 1, (1 << 64) - 2)]
ONE, TWO, INF, QNAN, SNAN = 0x3F800000, 0x40000000, 0x7F800000, 0x7FC00000, 0x7F800001
FLOAT32 = [(ONE, TWO), (TWO, ONE), (ONE, ONE), (0, 0x80000000), (0x80000000, 0), (0xBF800000, ONE), (0xC0000000, 0xBF800000),
           (INF, 0x7F7FFFFF), (0xFF800000, 0xFF7FFFFF), (INF, INF), (0xFF800000, INF), (QNAN, ONE), (ONE, QNAN), (QNAN, QNAN),
           (0xFFC00001, INF), (SNAN, ONE), (0x3F800001, ONE), (0x00000001, 0), (0, 0x00000001), (0x80000001, 0x00000001)]


# Ledger entries of which one test of one opcode is the witness.
WITNESS = {"v_cmp_lt_f32": ("inline constant, result in an sgpr pair", "VALU-C24"), "v_cmp_u_f32": ("compare", "VALU-C19"),
           "v_cmpx_lt_i32": ("compare", "VALU-C21"), "v_cmpx_lt_u32": ("inline constant, result in an sgpr pair", "VALU-U28")}


def case_file(name, test, kind):
    op = name.split("_")[2]
    writes_exec = name.startswith("v_cmpx")
    is64 = kind.endswith("64")
    a, b = ("v[2:3]", "v[4:5]") if is64 else ("v1", "v2")
    pairs = FLOAT32 if kind == "f32" else INT64 if is64 else INT32
    noun = {"f": "f32", "i": f"signed {kind[1:]}-bit integers", "u": f"unsigned {kind[1:]}-bit integers"}[kind[0]]
    out = ["case-format 1",
           f"# Compares two {noun}: {WORDS[op]}. One bit per lane, 0 for lanes that are off"
           + ("; EXEC gets the same bits." if writes_exec else "."),
           "# Vega ISA, chapter 12 (VOPC)." + (" Subnormals are numbers of their own unless MODE flushes inputs." if kind == "f32" else ""),
           "", "test compare", "forms e32 e64" + ("" if is64 else " sdwa"), "code", f"    {name} vcc, {a}, {b}"]
    out += compare_rows(test, kind, pairs, writes_exec)
    if kind == "f32":
        out += ["", "test inputs flushed by mode", "forms e32 e64", "mode denorm=flush", "code", f"    {name} vcc, {a}, {b}"]
        out += compare_rows(test, kind, [(1, 0), (0, 1), (0x80000001, 1), (0x007FFFFF, 0x80000000), (0x00800000, 0x007FFFFF),
                                         (0x80800000, 0x00000001)], writes_exec, flush=True)
        out += abs_neg_test(name, test, writes_exec)
    out += constant_test(name, test, kind, writes_exec)
    if not is64:
        out += sdwa_test(name, test, kind, writes_exec)
    out += off_test(name, test, kind, writes_exec)
    if name in WITNESS:
        title, entry = WITNESS[name]
        out.insert(out.index("code", out.index("test " + title)), "errata " + entry)
    return "\n".join(out) + "\n"


def abs_neg_test(name, test, exec_too):
    rows = []
    for a, b in [(0xC0000000, ONE), (ONE, 0xC0000000), (0, 0), (0x80000000, 0x80000000), (0xBF000000, 0x3F000000), (QNAN | 1 << 31, ONE)]:
        r = int(test(value(a & 0x7FFFFFFF, "f32"), value(b | 0x80000000, "f32")))
        rows.append([f"0x{a:08x}", f"0x{b:08x}", "|", r] + ([r] if exec_too else []))
    columns = ["v1", "v2", "|", "s[10:11]"] + (["exec"] if exec_too else [])
    return ["", "test absolute value of the first, negated absolute value of the second", "code", f"    {name}_e64 s[10:11], |v1|, -|v2|"] + table(columns, rows)


def constant_test(name, test, kind, exec_too):
    """An inline constant first, the result in a pair of its own."""
    bits = 64 if kind.endswith("64") else 32
    reg = "v[4:5]" if bits == 64 else "v2"
    const, text = (value(0xC0000000, "f32"), "-2.0") if kind == "f32" else ((1 << bits) - 3, "-3")
    if kind[0] == "i":
        const = signed(const, bits)
    rows = []
    points = [0xC0000000, 0xC0000001, 0xBF800000, QNAN] if kind == "f32" else [(1 << bits) - 3, (1 << bits) - 4, (1 << bits) - 2, 3]
    for v in points:
        r = int(test(const, value(v, kind)))
        rows.append([f"0x{v:0{bits // 4}x}", "|", r] + ([r] if exec_too else []))
    columns = [reg, "|", "s[10:11]"] + (["exec"] if exec_too else [])
    second = []
    if kind != "f32":
        points = [(1 << bits) - 1, (1 << bits) - 2, 0, 1]
        more = [[f"0x{v:0{bits // 4}x}", "|", r] + ([r] if exec_too else [])
                for v in points for r in [int(test(value(v, kind), value((1 << bits) - 1, kind)))]]
        second = ["", "test minus one as the second source", "code", f"    {name}_e64 s[10:11], {reg}, -1"] + table(columns, more)
    return ["", "test inline constant, result in an sgpr pair", "code", f"    {name}_e64 s[10:11], {text}, {reg}"] + table(columns, rows) + second


def sdwa_test(name, test, kind, exec_too):
    columns = ["v1", "v2", "|", "s[10:11]"] + (["exec"] if exec_too else [])
    rows = []
    if kind == "f32":
        code = f"    {name}_sdwa s[10:11], -v1, |v2| src0_sel:DWORD src1_sel:DWORD"
        for a, b in [(0xBF800000, 0xC0000000), (0xC0400000, 0xC0000000), (0x40000000, 0xC0000000), (0xC0000000, 0xC0000000)]:
            r = int(test(value(a ^ 0x80000000, "f32"), value(b & 0x7FFFFFFF, "f32")))
            rows.append([f"0x{a:08x}", f"0x{b:08x}", "|", r] + ([r] if exec_too else []))
        title = "sdwa negates and takes absolute values"
    else:
        code = f"    {name}_sdwa s[10:11], sext(v1), v2 src0_sel:BYTE_2 src1_sel:WORD_1"
        for a, b in [(0x00110000, 0x0011FFFF), (0x00800000, 0x00800000), (0x00FF1234, 0xFFFFAAAA), (0x007F0000, 0x00800000),
                     (0x80810080, 0xFF810081), (0x00050000, 0x00040005)]:
            byte, word = a >> 16 & 255, b >> 16
            s0 = signed(byte, 8)  # sign-extended to 32 bits, then read as the opcode reads it
            r = int(test(s0 if kind[0] == "i" else s0 & 0xFFFFFFFF, word))
            rows.append([f"0x{a:08x}", f"0x{b:08x}", "|", r] + ([r] if exec_too else []))
        title = "sdwa compares a signed byte with a high half"
    return ["", f"test {title}", "code", code] + table(columns, rows)


def off_test(name, test, kind, exec_too):
    """Every lane compares alike; only lanes that are on may have a bit."""
    true_pair = next(((a, b) for a, b in [(1, 2), (2, 1), (3, 3)] if test(float(a), float(b))), (1, 2))
    bits = {"f32": {1: ONE, 2: TWO, 3: 0x40400000}}.get(kind, {1: 1, 2: 2, 3: 3})
    a, b = (("v[2:3]", "v[4:5]") if kind.endswith("64") else ("v1", "v2"))
    on = 0x8000000000000106
    result = on if test(float(true_pair[0]), float(true_pair[1])) else 0
    out = ["", "test lanes that are off get 0", "forms e32 e64", f"in    exec = 0x{on:x}  {a} = 0x{bits[true_pair[0]]:x}  {b} = 0x{bits[true_pair[1]]:x}  vcc = -1",
           "code", f"    {name} vcc, {a}, {b}", "case  every lane alike", f"out   vcc = 0x{result:x}" + (f"  exec = 0x{result:x}" if exec_too else "")]
    return out


def main():
    folder = pathlib.Path(sys.argv[1])
    for kind in ("i32", "u32", "i64", "u64"):
        for op, test in INT_TESTS.items():
            for prefix in ("v_cmp", "v_cmpx"):
                write(folder, f"{prefix}_{op}_{kind}", test, kind)
    for op, test in FLOAT_TESTS.items():
        for prefix in ("v_cmp", "v_cmpx"):
            write(folder, f"{prefix}_{op}_f32", test, "f32")


def write(folder, name, test, kind):
    if name in MODELLED and name != "v_cmp_lt_u32":
        casetext.write(folder / f"{name}.case", case_file(name, test, kind))


# The compares that have rows; a case for an opcode without one could not run.
ROWS = pathlib.Path(__file__).resolve().parents[2] / "oracle/isa/rows/vopc.def"
MODELLED = {line.split("(")[1].split(",")[0] for line in ROWS.read_text().splitlines() if line.startswith(("OP(v_cmp", "OPF(v_cmp"))}

if __name__ == "__main__":
    main()
