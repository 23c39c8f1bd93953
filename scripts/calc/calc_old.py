#!/usr/bin/env python3
"""Writes the case files of the opcodes that only gfx6 and gfx7 have.

    scripts/calc/calc_old.py cases

Three kinds. Opcodes that later ones took the place of, in another encoding or with the sources the other way round: their tests
are those of the later opcode. Opcodes whose results are those of a later one but for some values: the tests of that one, with
these values replaced by rule. Float atomics: rows worked out here. ERRATA GCN2: what the rules rest on.
"""
import math
import pathlib
import re
import struct
import sys

# ---- tests of a file ----


def read(folder, path):
    """The comment at the head, and the tests: (title, lines behind it)."""
    lines = (folder / path).read_text().split("\n")
    tests, head, comment = [], [], []
    for line in lines[1:]:
        if line.startswith("test "):
            tests.append((line[5:], []))
            comment = []
        elif tests:
            tests[-1][1].append(line)
        elif line:
            head.append(line)
    return head, tests


def trimmed(lines):
    """Without empty lines at the end, nor comments that belong to the next test."""
    while lines and (not lines[-1] or lines[-1].startswith("#")):
        lines = lines[:-1]
    return lines


def code_of(lines):
    """The lines of code among those of a test."""
    out, inside = [], False
    for line in lines:
        if line.startswith("    ") and inside:
            out.append(line)
        else:
            inside = line == "code"
    return out


def write(folder, path, head, tests):
    text = "case-format 1\n" + "\n".join(head) + "\n"
    for title, lines in tests:
        text += f"\ntest {title}\n" + "\n".join(trimmed(lines)) + "\n"
    (folder / path).write_text(text)


def without_new_forms(lines):
    """Neither SDWA nor DPP; None if nothing is left."""
    if any("sdwa" in line or "dpp" in line for line in code_of(lines)):
        return None
    out = []
    for line in lines:
        if line.startswith("forms "):
            line = " ".join(word for word in line.split(" ") if word not in ("sdwa", "dpp"))
        out.append(line)
    return out


def plain(lines, name):
    """Whether all code is the opcode on vector registers, so that it can be written in both forms."""
    return all(re.fullmatch(rf"    {name} v(\d+|\[\d+:\d+\])(, v(\d+|\[\d+:\d+\]))+", line) for line in code_of(lines))


# ---- opcodes that stand in another encoding ----

MOVED = ["v_bfm_b32", "v_bcnt_u32_b32", "v_mbcnt_lo_u32_b32", "v_mbcnt_hi_u32_b32", "v_ldexp_f32", "v_cvt_pkaccum_u8_f32",
         "v_cvt_pknorm_i16_f32", "v_cvt_pknorm_u16_f32", "v_cvt_pkrtz_f16_f32", "v_cvt_pk_u16_u32", "v_cvt_pk_i16_i32",
         "v_readlane_b32", "v_writelane_b32"]
NO_LONG_FORM = ("v_readlane_b32", "v_writelane_b32")


def literals(name, tests):
    """What only VOP2 of these has: a literal as the first source. The rows of the first table that have no inline number there."""
    for _, lines in tests:
        code = code_of(lines)
        if len(code) != 1 or not plain(lines, name + "_vop2") or not any(line.startswith("rows ") for line in lines):
            continue
        dest, first, second = code[0].split(None, 1)[1].split(", ")
        start = next(i for i, line in enumerate(lines) if line.startswith("rows "))
        left, right = (half.split() for half in lines[start][5:].split("|"))
        if not {first, second} <= set(left) or right != [dest]:
            continue
        out = []
        for line in lines[start + 1:]:
            values, results = (half.split() for half in line.partition("|")[::2])
            row = dict(zip(left, values))
            if not re.fullmatch(r"0x[0-9a-f]{8}", row.get(first, "")) or not is_constant(row[first]) or len(out) == 3:
                continue
            title = f"{row[first]} as the first source"
            if title in (other for other, _ in out):
                continue
            kept = "  ".join(f"{k} = {v}" for k, v in row.items() if k != first)
            out.append((title, [line for line in lines[:start] if line.startswith(("errata ", "mode "))] +
                        [f"in    {kept}", "code", f"    {name}_vop2_e32 {dest}, {row[first]}, {second}", f"out   {dest} = {results[0]}"]))
        return out
    return []


def moved(folder, name):
    head, tests = read(folder, f"vop3a/{name}.case")
    out = []
    for title, lines in tests:
        lines = without_new_forms(lines)
        if not lines or any(line.startswith("targets ") for line in lines):
            continue
        if name not in NO_LONG_FORM and plain(lines, name) and not any(line.startswith("forms ") for line in lines):
            lines = ["forms e32 e64"] + lines
        lines = [re.sub(r"\b(%s)\b" % "|".join(MOVED), r"\1_vop2", line) if line.startswith("    v_") else line
                 for line in lines]
        out.append((title, lines))
    out += literals(name, out)
    head = head[:-1] + [head[-1] + " On gfx6 and gfx7 it is VOP2."]
    write(folder, f"vop2/{name}_vop2.case", head, out)


# ---- the other way round ----

TURNED = [("vop2/v_lshlrev_b32", "vop2/v_lshl_b32"), ("vop2/v_lshrrev_b32", "vop2/v_lshr_b32"),
          ("vop2/v_ashrrev_i32", "vop2/v_ashr_i32"), ("vop3a/v_lshlrev_b64", "vop3a/v_lshl_b64"),
          ("vop3a/v_lshrrev_b64", "vop3a/v_lshr_b64"), ("vop3a/v_ashrrev_i64", "vop3a/v_ashr_i64")]


def is_constant(word):
    return re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", word) and not -16 <= int(word, 0) <= 64


def turned(folder, old, new):
    name, head_and_tests = pathlib.PurePath(old).name, read(folder, old + ".case")
    to = pathlib.PurePath(new).name
    out = []
    for title, lines in head_and_tests[1]:
        lines = without_new_forms(lines)
        if not lines or any(line.startswith("targets ") for line in lines) or any("_e32" in line for line in code_of(lines)):
            continue
        swapped = []
        for line in lines:
            m = re.fullmatch(rf"    {name}(_e64)? (\S+), (\S+), (\S+)", line)
            swapped.append(f"    {to}{m[1] or ''} {m[2]}, {m[4]}, {m[3]}" if m else line)
        if any(is_constant(line.split()[-1]) for line in code_of(swapped)):
            continue  # a literal is the first source
        out.append((title, swapped))
    head = [f"# As {name}, with the sources the other way round: S0 is shifted by S1. Only gfx6 and gfx7 have it."]
    write(folder, new + ".case", head, out)


# ---- the low dword of a product, with signs or without ----


def product(folder):
    tests = [(title, ["targets gfx6 gfx7"] + [line.replace("v_mul_lo_u32", "v_mul_lo_i32") for line in lines])
             for title, lines in read(folder, "vop3a/v_mul_lo_u32.case")[1]]
    write(folder, "vop3a/v_mul_lo_i32.case", ["# Low dword of the product of two numbers with signs: that of v_mul_lo_u32, as which gfx8 and gfx9 assemble it."],
          tests)


# ---- as a later opcode, some values apart ----

LIMITS = {"inf": "0x7f7fffff", "-inf": "0xff7fffff", "0x7f800000": "0x7f7fffff", "0xff800000": "0xff7fffff"}
ZEROS = {"inf": "0.0f32", "-inf": "-0.0f32", "0x7f800000": "0.0f32", "0xff800000": "-0.0f32"}
LIMITS64 = {"inf": "0x7fefffffffffffff", "-inf": "0xffefffffffffffff"}
LIMITED = [("v_log_f32", "v_log_clamp_f32", LIMITS), ("v_rcp_f32", "v_rcp_clamp_f32", LIMITS),
           ("v_rcp_f32", "v_rcp_legacy_f32", ZEROS), ("v_rsq_f32", "v_rsq_clamp_f32", LIMITS),
           ("v_rsq_f32", "v_rsq_legacy_f32", ZEROS), ("v_rcp_f64", "v_rcp_clamp_f64", LIMITS64),
           ("v_rsq_f64", "v_rsq_clamp_f64", LIMITS64)]


def replaced(line, values):
    """Results of a row, behind the bar. Written with its columns as they were, as far as there is room."""
    left, bar, right = line.partition("|")
    return left + bar + re.sub(r"\S+", lambda m: values.get(m[0], m[0]), right)


def limited(folder, old, new, values):
    out = []
    for title, lines in read(folder, f"vop1/{old}.case")[1]:
        lines = without_new_forms(lines)
        changes = lines and any(word in line for line in code_of(lines) for word in ("clamp", "mul:", "div:"))
        if not lines or changes or any(line.startswith(("targets ", "out ")) for line in lines):
            continue
        lines = [replaced(line, values) if line.startswith("      ") else line.replace(old, new) for line in lines]
        out.append((title, lines))
    if values is LIMITS64:
        quarter = "0.25f64" if "rcp" in old else "0.5f64"
        out.append(("an inline number is one of 64 bits", ["forms e32 e64", "code", f"    {new} v[0:1], 4.0", f"    {new} v[2:3], 1.0",
                                                           f"out   v[0:1] = {quarter}  v[2:3] = 1.0f64"]))
    what = "zero of that sign" if values is ZEROS else "the largest number of that sign"
    head = [f"# As {old}, but where that gives an infinity the result is {what}. Only gfx6 and gfx7 have it."]
    out = [(title, ["errata GCN2-U02"] + lines if not any(line.startswith("errata ") for line in lines) else
            [line + " GCN2-U02" if line.startswith("errata ") else line for line in lines]) for title, lines in out]
    write(folder, f"vop1/{new}.case", head, out)


# ---- compares that report every NaN ----

CONDITIONS = ["f", "lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"]


def holds_with_nan(condition):
    return {"f": False, "u": True, "o": False, "tru": True}.get(condition, condition.startswith("n"))


def any_lane(new, condition, kind, is_cmpx):
    """Lane 5 has the NaN, lane 1 has none, and the registers 128 below hold numbers."""
    a, b, low = ("v[140:141]", "v[142:143]", ("v[12:13]", "v[14:15]")) if kind == "f64" else ("v140", "v142", ("v12", "v14"))
    one = f"1.0{kind}"
    equal = {"f": False, "o": True, "u": False, "tru": True}.get(condition, condition in ("eq", "le", "ge", "nlg", "ngt", "nlt"))
    lines = [f"in    exec = 0x22  {low[0]} = {one}  {low[1]} = {one}", "code", f"    {new} vcc, {a}, {b}"]
    result = (0x2 if equal else 0) | (0x20 if holds_with_nan(condition) else 0)
    for name, where, other in (("in the first source", a, b), ("in the second source", b, a)):
        lines += [f"case  {name}", f"in    {other} = {one}  {where}.lane1 = {one}  {where}.lane5 = nan",
                  f"out   vcc = {hex(result)}  trapsts = 1" + (f"  exec = {hex(result)}" if is_cmpx else "")]
    return lines


def signaling(folder, prefix, condition, kind):
    old, new = f"v_{prefix}_{condition}_{kind}", f"v_{prefix.replace('cmp', 'cmps')}_{condition}_{kind}"
    out = []
    for title, lines in read(folder, f"vopc/{old}.case")[1]:
        lines = without_new_forms(lines)
        if not lines or any(line.startswith("targets ") for line in lines) or \
                (any("trapsts" in line for line in lines) and not title.startswith("a signaling NaN")):
            continue
        out.append((title, [line.replace(old, new) if line.startswith("    ") else line for line in lines]))
    a, b = ("v[2:3]", "v[4:5]") if kind == "f64" else ("v1", "v2")
    one, two = ("1.0f64", "2.0f64") if kind == "f64" else ("1.0f32", "2.0f32")
    snan = "0x7ff0000000000001" if kind == "f64" else "0x7f800001"
    flags = ["in    exec = 1", "code", f"    {new} vcc, {a}, {b}"]
    for name, x, y, flag in (("two numbers", one, two, 0), ("a quiet NaN first", "nan", one, 1),
                             ("a quiet NaN second", one, "nan", 1), ("a signaling NaN", snan, one, 1)):
        unordered = flag == 1
        holds = {"f": False, "u": unordered, "o": not unordered, "tru": True}.get(condition)
        if holds is None:
            holds = condition.startswith("n") if unordered else condition in ("lt", "le", "lg", "nge", "ngt", "neq")
        same = "  exec = 0" if "x" in prefix and not holds else ""
        flags += [f"case  {name}", f"in    {a} = {x}  {b} = {y}", f"out   trapsts = {flag}  vcc = {int(holds)}{same}"]
    out.append(("every NaN is an invalid operand", ["errata GCN2-U04"] + flags))
    out.append(("a quiet NaN of any lane, of registers above v127", ["errata GCN2-U04"] + any_lane(new, condition, kind, "x" in prefix)))
    head = [f"# As {old}, and a quiet NaN raises the exception of an invalid operand, too. Only gfx6 and gfx7 have it."]
    write(folder, f"vopc/{new}.case", head, out)


# ---- float atomics ----

ONE, TWO, HALF, MINUS, BIG, SMALL, INF = 0x3f800000, 0x40000000, 0x3f000000, 0xbf800000, 0x7f7fffff, 0x00000001, 0x7f800000
WIDE = {ONE: 0x3ff << 52, TWO: 0x400 << 52, HALF: 0x3fe << 52, MINUS: 0xbff << 52, BIG: 0x7fefffffffffffff, SMALL: 1, INF: 0x7ff << 52,
        0: 0, 0x80000000: 1 << 63, MINUS | 1: (0xbff << 52) | 1}
PAIRS = [(ONE, TWO), (TWO, ONE), (ONE, MINUS), (MINUS, ONE), (BIG, INF), (INF, BIG), (HALF, 0), (0, HALF), (MINUS, MINUS | 1),
         (MINUS | 1, MINUS), (SMALL, 0), (0, SMALL), (ONE, ONE)]


def number(bits, wide):
    return struct.unpack("<d", struct.pack("<Q", bits))[0] if wide else struct.unpack("<f", struct.pack("<I", bits))[0]


def hexed(v, wide):
    return f"0x{v:016x}" if wide else f"0x{v:08x}"


def minmax_rows(op, wide):
    """(data, old, new)"""
    rows = []
    for data, old in PAIRS:
        data, old = (WIDE[data], WIDE[old]) if wide else (data, old)
        takes = number(data, wide) < number(old, wide) if op == "fmin" else number(data, wide) > number(old, wide)
        rows.append((data, old, data if takes else old))
    return rows


def swap_rows(wide):
    """(new value and compared value as one, old, new). Zeros are equal, NaNs are not."""
    nan = 0x7ff8000000000000 if wide else 0x7fc00000
    w = (lambda v: WIDE[v]) if wide else (lambda v: v)
    bits = 64 if wide else 32
    rows = []
    for value, compare, old in ((TWO, ONE, ONE), (TWO, ONE, HALF), (ONE, 0x80000000, 0), (ONE, 0, 0x80000000), (HALF, SMALL, 0),
                                (HALF, SMALL, SMALL), (HALF, MINUS, MINUS | 1), (0, INF, INF)):
        value, compare, old = w(value), w(compare), w(old)
        rows.append((compare << bits | value, old, value if number(compare, wide) == number(old, wide) else old))
    rows.append((nan << bits | w(ONE), nan, nan))
    return rows


def table(head, rows):
    widths = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    lines = []
    for i, row in enumerate([head] + rows):
        cells = "  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip()
        lines.append(("rows  " if i == 0 else "      ") + cells)
    return lines


def atomic_tests(op, wide, line, data, place, start):
    """Tests with and without glc; `line` makes the instruction, `start` the lines that set up its address."""
    compares = op == "fcmpswap"
    dw = (2 if wide else 1) * (2 if compares else 1)
    reg = f"v{data}" if dw == 1 else f"v[{data}:{data + dw - 1}]"
    back_dw = 2 if wide else 1
    rows = swap_rows(wide) if compares else minmax_rows(op, wide)
    tests = []
    for glc in (True, False):
        text, back = line(reg, back_dw, glc)
        cells = [[f"0x{d:0{8 * dw}x}", hexed(o, wide), "|", hexed(n, wide)] + ([hexed(o, wide)] if glc else []) for d, o, n in rows]
        head = [reg, place, "|", place] + ([back] if glc else [])
        title = "the old value comes back with glc" if glc else "without glc nothing comes back"
        tests.append((title, ["errata GCN2-U05"] + start + ["code", "    " + text, "    s_waitcnt vmcnt(0) lgkmcnt(0)"] + table(head, cells)))
    return tests


def lanes_test(op, wide, line, start, places):
    """Lanes far apart at places of their own, one off."""
    dw = (2 if wide else 1) * (2 if op == "fcmpswap" else 1)
    reg = "v20" if dw == 1 else f"v[20:{20 + dw - 1}]"
    text, _ = line(reg, 2 if wide else 1, False)
    w = (lambda v: WIDE[v]) if wide else (lambda v: v)
    bits = 64 if wide else 32
    new = {"fmin": w(HALF), "fmax": w(TWO), "fcmpswap": w(TWO)}[op]
    data = w(ONE) << bits | w(TWO) if op == "fcmpswap" else new
    lines, outs = [], []
    for lane, place, setup in places:
        lines.append(f"      {setup}  {place} = {hexed(w(ONE), wide)}")
        if lane != 5:
            outs.append(f"{place} = {hexed(new, wide)}")
    body = start + [f"in    exec = 0x8000000200000002  {reg} = 0x{data:0{8 * dw}x}"] + lines + ["code", "    " + text,
                    "    s_waitcnt vmcnt(0) lgkmcnt(0)", "case  lanes 1, 33 and 63", "out   " + "  ".join(outs)]
    return ("each lane at its own place, one is off", ["errata GCN2-U05"] + body)


WHAT = {"fmin": "Takes the float minimum with", "fmax": "Takes the float maximum with",
        "fcmpswap": "Stores the first data if the second is the same number as"}
LANES = (1, 33, 63, 5)


def flat(folder, op, wide):
    name = f"flat_atomic_{op}{'_x2' if wide else ''}"
    unit = "b64" if wide else "b32"

    def line(reg, back_dw, glc):
        back = "v0" if back_dw == 1 else "v[0:1]"
        return (f"{name} {back}, v[10:11], {reg} glc", back) if glc else (f"{name} v[10:11], {reg}", back)
    tests = atomic_tests(op, wide, line, 2, f"buf[16].{unit}", ["mem   buf 256", "in    v[10:11] = &buf+16"])
    places = [(lane, f"buf[{16 * (i + 2)}].{unit}", f"v[10:11].lane{lane} = &buf+{16 * (i + 2)}") for i, lane in enumerate(LANES)]
    tests.append(lanes_test(op, wide, line, ["mem   buf 256"], places))
    write(folder, f"flat/{name}.case", [f"# {WHAT[op]} {'8 bytes' if wide else 'a dword'} of memory, as one; with glc the old value comes back.",
                                        "# CLRX, page on FLAT. Only gfx7 has it."], tests)


def buffer(folder, op, wide):
    name = f"buffer_atomic_{op}{'_x2' if wide else ''}"
    unit = "b64" if wide else "b32"

    def line(reg, back_dw, glc):
        number = re.search(r"\d+", reg)[0]
        back = f"v{number}" if back_dw == 1 else f"v[{number}:{int(number) + 1}]"
        return f"{name} {reg}, v9, s[4:7], s8 offen offset:24{' glc' if glc else ''}", back
    start = ["mem   buf 256", "in    s[4:5] = &buf  s6 = 200  s7 = 0x24fac  s8 = 8"]
    tests = atomic_tests(op, wide, line, 12, f"buf[48].{unit}", start[:1] + [start[1] + "  v9 = 16"])
    places = [(lane, f"buf[{16 * (i + 3)}].{unit}", f"v9.lane{lane} = {16 * (i + 1)}") for i, lane in enumerate(LANES)]
    tests.append(lanes_test(op, wide, line, start, places))

    def line_s0(reg, back_dw, glc):
        text, back = line(reg, back_dw, glc)
        return text.replace(" s8 ", " s0 "), back
    title, lines = atomic_tests(op, wide, line_s0, 12, f"buf[48].{unit}", start[:1] + [start[1].replace("s8 = 8", "s0 = 8") + "  v9 = 16"])[0]
    tests.append((f"{title}, the scalar offset in s0", lines))
    write(folder, f"mubuf/{name}.case", [f"# {WHAT[op]} {'8 bytes' if wide else 'a dword'} of a buffer, as one; with glc the old value comes back.",
                                         "# Only gfx6 and gfx7 have it. Resources: cases/README.md."], tests)


def image(folder, op):
    name = f"image_atomic_{op}"
    tests = []
    for wide in (False, True):
        unit, place = ("b64", "buf[272].b64") if wide else ("b32", "buf[264].b32")
        dmask = (3 if wide else 1) if op != "fcmpswap" else (15 if wide else 3)
        dfmt, s8 = ("0x10b0000000000000", "0x3e000") if wide else ("0x1040000000000000", "0x7e000")
        start = ["mem   buf 4096", f"in    s[4:5] = &buf>>8+{dfmt}  s6 = 0x8004  s7 = 0x90000fac+gfx8*0x800000",
                 f"      s8 = {s8}  s9 = 0x0  s[10:11] = 0"]

        def line(reg, back_dw, glc):
            number = re.search(r"\d+", reg)[0]
            back = f"v{number}" if back_dw == 1 else f"v[{number}:{int(number) + 1}]"
            return f"{name} {reg}, v[8:9], s[4:11] dmask:0x{dmask:x} unorm{' glc' if glc else ''}", back
        if op == "rsub":
            made = []
            for glc in (True, False):
                reg = "v[12:13]" if wide else "v12"
                text, back = line(reg, 2 if wide else 1, glc)
                bits = 64 if wide else 32
                rows = [(3, 5), (5, 3), (0, 1), (1, 0), ((1 << bits) - 1, 1), (1 << (bits - 1), (1 << (bits - 1)) - 1)]
                cells = [[hexed(d, wide), hexed(o, wide), "|", hexed((d - o) % (1 << bits), wide)] + ([hexed(o, wide)] if glc else [])
                         for d, o in rows]
                head = [reg, place, "|", place] + ([back] if glc else [])
                made.append(("the old value comes back with glc" if glc else "without glc nothing comes back",
                             start + ["      v8 = 2  v9 = 1", "code", "    " + text, "    s_waitcnt vmcnt(0)"] + table(head, cells)))
        else:
            made = atomic_tests(op, wide, line, 12, place, start + ["      v8 = 2  v9 = 1"])
            where = ((2, 1), (4, 0), (0, 2), (3, 1))
            row = 256
            places = []
            for (x, y), lane in zip(where, LANES):
                at = y * row + x * (8 if wide else 4)
                places.append((lane, f"buf[{at}].{unit}", f"v8.lane{lane} = {x}  v9.lane{lane} = {y}"))
            made.append(lanes_test(op, wide, line, start, places))
        tests += [(f"{64 if wide else 32} bits, {title}", lines) for title, lines in made]
    what = {"rsub": "Takes a texel from the data: data minus texel,", **WHAT}[op]
    write(folder, f"mimg/{name}.case", [f"# {what} a texel of 32 or 64 bits, as dmask says. Only gfx6 and gfx7 have it. Resources: cases/README.md."
                                        if op != "rsub" else
                                        "# Stores the data minus a texel of 32 or 64 bits, as dmask says. Only gfx6 and gfx7 have it. Resources: cases/README.md."],
          tests)


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in MOVED:
        moved(folder, name)
    for old, new in TURNED:
        turned(folder, old, new)
    product(folder)
    for old, new, values in LIMITED:
        limited(folder, old, new, values)
    for prefix in ("cmp", "cmpx"):
        for condition in CONDITIONS:
            for kind in ("f32", "f64"):
                signaling(folder, prefix, condition, kind)
    for op in ("fmin", "fmax", "fcmpswap"):
        for wide in (False, True):
            flat(folder, op, wide)
            buffer(folder, op, wide)
        image(folder, op)
    image(folder, "rsub")


main()
