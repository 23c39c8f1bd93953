#!/usr/bin/env python3
"""Derives mutants from the rows: python3 scripts/mutate.py DIR writes DIR/mutants_{sop,vop,mem,smem,buf,img,operand,exec}.c.

A mutant is the model with one planted bug (harness/mutant.h). Its id names it for good: OPCODE.WHAT for a bug in
one opcode, ENCODING.WHAT (operand.WHAT: every encoding) for one in fetch, store or address calculation. Four
sources:

  rows      the bodies in oracle/isa/*.def, changed by the rules below (section "rows"); they become functions by
            the same macros as the right ones
  helpers   the functions that bodies call, changed by hand (HELPERS)
  operands  oracle/operand.c, changed by hand (OPERANDS)
  loop      oracle/exec.c, changed by hand (LOOP): what MODE and traps add to an instruction

A hand-made change names a function and a text that must occur in it exactly once; else the build stops here and
says which, so that nobody loses a mutant by editing the original. Mutants of state, which need several
instructions to show, are C: harness/mutant_state.c. A rule must not yield what behaves as the right one does: the
conditions beside the rules are there for that, and the directed cases show it (scripts/mutation-score.sh).
"""
import os
import re
import sys

import mutate_buf
import mutate_f16
import mutate_f32
import mutate_img
import mutate_rows

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAMILIES = {"sop": ("oracle/sem_sop.c", ("sop",)), "smem": ("oracle/sem_smem.c", ("smem",)),
            "vop": ("oracle/sem_vop.c", ("dl", "mai", "vop", "vop16", "vop3p", "vop64")),
            "mem": ("oracle/sem_mem.c", ("ds", "flat", "mem",)), "buf": ("oracle/sem_buf.c", ("mtbuf", "mubuf")),
            "img": ("oracle/sem_img.c", ("exp", "mimg"))}
# Headers whose functions the rows of a family call, beside those of its file.
HEADERS = {"sop": ("oracle/sem_sop.h",), "smem": ("oracle/sem_atomic.h",), "vop": (),
           "mem": ("oracle/sem_mem.h", "oracle/sem_atomic.h", "oracle/sem_ds.h"), "buf": ("oracle/sem_atomic.h", "oracle/format.c"),
           "img": ("oracle/sem_atomic.h",)}
SCALAR = ("SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMEM")
VALU = ("VOP1", "VOP2", "VOPC", "VOP3A", "VOP3B")


# Mutants that the rules make and that behave as the model: id: reason. An id that no rule makes stops the build.
EQUIVALENT = {}


def fail(text):
    sys.exit("mutate.py: " + text)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


# ---- the sources ----

class Row:
    def __init__(self, family, macro, name, shape, flags, body, enc, operands):
        self.family, self.macro, self.name, self.shape = family, macro, name, shape
        self.flags, self.body, self.enc = flags, body, enc
        self.type = {var: t for _, var, _, t in operands}
        self.kind = {var: k for _, var, k, _ in operands}

    def has(self, flag):
        return flag in self.flags.split(" | ")


def parse_shapes():
    """name -> (encoding, [(direction, variable, kind, type)])"""
    text = re.sub(r"\\\n", " ", re.sub(r"/\*.*?\*/", "", read("oracle/isa/shape.def"), flags=re.S))
    macros = {m[1]: (m[2].replace(" ", "").split(","), m[3])
              for m in re.finditer(r"^#define (\w+)\(([^)]*)\) *(.*)$", text, re.M)}

    def expand(name, args):
        params, body = macros[name]
        actual = dict(zip(params, args))
        body = re.sub(r"\w+", lambda m: actual.get(m[0], m[0]), body)
        return re.sub(r"(\w+_)\(([^()]*)\)", lambda m: expand(m[1], [a.strip() for a in m[2].split(",")]), body)

    shapes = {}
    for name, (params, _) in macros.items():
        if params != ["E", "W", "R", "RW"]:
            continue
        text = expand(name, params)
        enc = re.search(r"\bE\((\w+),", text)
        if not enc:
            fail(f"oracle/isa/shape.def: no encoding in shape {name}")
        shapes[name] = (enc[1], re.findall(r"\b(W|R|RW)\((\w+), *\w+, *(\w+), *(\w+)\)", text))
    return shapes


ROW = re.compile(r"(OP[A-Z]?)\((\w+),\s*(\w+),\s*(?:N|GFX9|ON|NEEDS)\((?:[^()]|\([^()]*\))*\),\s*([\w |()]+),\s*\{(.*?)\}\)[ \t]*$", re.M | re.S)


def parse_rows(shapes):
    rows = []
    for family, (_, files) in FAMILIES.items():
        for name in files:
            path = f"oracle/isa/{name}.def"
            text = read(path)
            for start in re.finditer(r"^OP[A-CE-Z]?\(", text, re.M):  # OPD rows have no body
                m = ROW.match(text, start.start())
                if not m or m[3] not in shapes:
                    line = text.count("\n", 0, start.start()) + 1
                    fail(f"{path}:{line}: a row that this script does not understand")
                enc, operands = shapes[m[3]]
                rows.append(Row(family, m[1], m[2], m[3], m[4], " ".join(m[5].split()), enc, operands))
    return rows


def split_functions(text):
    """name -> text of every function (and of the table of operands or of the step loop) at file scope, in order"""
    out, lines, i = {}, text.splitlines(), 0
    while i < len(lines):
        m = re.match(r"(?:static|const|void|bool|u32|u64)\b[^=;(]*?\b(\w+)\((?!.*;$)", lines[i]) or \
            re.match(r"const struct \w+_ops (\w+) = .*$", lines[i])
        if m:
            start = i
            while not (lines[i] == "}" or re.search(r"[};]$", lines[i]) and not lines[i].startswith(" ")):
                i += 1
            out[m[1]] = "\n".join(lines[start:i + 1])
        i += 1
    return out


def variant(functions, edits, suffix, who):
    """Applies edits (function, old, new); returns the changed functions and all that lead to them, renamed."""
    changed = dict(functions)
    for function, old, new in edits:
        count = changed.get(function, "").count(old)
        if count != 1:
            fail(f"mutant {who}: in {function} the text '{old}' was found {count} times, wanted once")
        changed[function] = changed[function].replace(old, new)
    names = {e[0] for e in edits}
    while True:
        more = {n for n, t in changed.items() if n not in names and
                any(re.search(rf"\b{x}\b", t) for x in names)}
        if not more:
            break
        names |= more
    rename = {n: n + suffix for n in names}
    text = "\n".join(rename_words(t, rename) for n, t in changed.items() if n in names)
    return text, rename


def rename_words(text, rename):
    return re.sub(r"(?<![.>])(?<!struct )\b\w+", lambda m: rename.get(m[0], m[0]), text)


# ---- rows ----
# Each rule: (name, regex, replacement, condition on the row or None). Applied to one statement at a time, first
# match only. A replacement may be a function of (match, row).

def is_signed(row, var="S0"):
    return row.type.get(var, row.type.get("D", "")).lstrip("P").startswith("I")


def is_signed_result(row):
    return is_signed(row, "D")


def no_signed(row):
    return not any(t.startswith("I") for v, t in row.type.items() if v not in ("TARGET", "IMM"))


def other_sign(m, row):
    bits = next((n for n in ("64", "16") if row.type.get("S0", "").endswith(n)), "32")
    cast = ("u" if is_signed(row) else "i") + bits
    return f"({cast}){m[1]} {m[2]} ({cast}){m[3]}"


def reversed_relation(m, _):
    return {"<": " > ", ">": " < ", "<=": " > ", ">=": " < "}[m[1]] + m[2]


SELECTS = re.compile(r"\b(S\d|D|DATA0|LANE) (<=|>=|<|>) (\w+) \?")

RULES = [
    ("sign", r"\b(S0) (<=|>=|<|>) (S1|IMM)\b", other_sign, None),
    ("reversed", r" (<=|>=|<|>) (\w+ \?)", reversed_relation, None),
    ("lt_le", r" < (?!=)", " <= ", lambda r: not SELECTS.search(r.body)),
    ("gt_ge", r"(?<!-) > (?!=)", " >= ", lambda r: not SELECTS.search(r.body)),
    ("le_lt", r" <= ", " < ", lambda r: not SELECTS.search(r.body)),
    ("ge_gt", r" >= ", " > ", lambda r: not SELECTS.search(r.body)),
    ("eq_le", r" == ", " <= ", None),
    ("ne_lt", r"\b(S0) != (S1|IMM)", r"\1 < \2", None),
    ("add_sub", r" \+ (?!1\b)(?=[\w(])", " - ", lambda r: "ADDR1" not in r.body),
    ("sub_add", r" - ", " + ", None),
    ("addend", r" \+ S\d\b(?!.*\* )", "", lambda r: "popcount" in r.body or "<<" in r.body),
    ("and_or", r" & (?=~?[A-Z(m])", " | ", lambda r: "fcmp" not in r.body),
    ("or_and", r" \| (?=~?[A-Z(])", " & ", lambda r: "fcmp" not in r.body),
    ("or_xor", r"(?<!<< 32) \| (?=(?:S\d|EXEC|DATA0)\b(?! <<))", " ^ ", None),  # not of disjoint fields
    ("xor_or", r" \^ ", " | ", None),
    ("andn_and", r"& ~(?=[SE])", "& ", None),
    ("not", r"~(?=[S(])", "", lambda r: "& ~" not in r.body),
    ("shl_shr", r" << (?=\()", " >> ", no_signed),
    ("shr_shl", r" >> (?=\()", " << ", lambda r: no_signed(r) and r.enc != "SOPC"),
    ("logical", r"\b(S\d) >> (\(S\d & (?:31|63)\))",
     lambda m, r: f"(i64)((u{r.type['D'][1:]}){m[1]} >> {m[2]})", lambda r: is_signed(r, "D")),
    ("count", r"\b31\b", "15", None),
    ("count", r"\b63\b", "31", None),
    ("width", r"\b127\b", "31", None),
    ("field", r">> 16 &", ">> 15 &", None),
    ("bit32", r">> 32\b", ">> 31", None),
    ("mul_add", r" \* (?=[(Ss])", " + ", None),
    ("mul_sign", r"\((i64|u64)\)S0 \* S1",
     lambda m, r: "(u64)S0 * (u32)S1" if m[1] == "i64" and r.enc != "VOP3B" else
     "(i64)(u32)S0 * (u32)S1" if m[1] == "i64" else "(u64)((i64)(i32)S0 * (i32)S1)",
     lambda r: not r.name.endswith("_u16")),
    ("bits24", r"0xffffff\b", "0x7fffff", None),
    ("sign24", r"sx24\((S\d)\)", r"(i32)((u32)\1 & 0xffffff)", None),
    ("narrow", r"\(u64\)(S\d) \+ (S\d)", r"(u64)(\1 + \2)", None),
    ("select", r"\b(SCC|CIN) \? (\w+) : (\w+)", r"\1 ? \3 : \2", None),
    ("zero_input", r": (?:~0u|-1)$", ": 32", lambda r: "CLAMP" not in r.body),
    ("other_end", r"\bc([lt])z(32|64)\(", lambda m, _: f"c{'t' if m[1] == 'l' else 'l'}z{m[2]}(",
     lambda r: r.macro == "OP"),
    ("bit0", r"popcount32\(S0", "popcount32(S0 & ~1u", None),
    ("low_half", r"popcount64\(S0\)", "popcount32((u32)S0)", None),
    ("bytes", r"brev32\(", "__builtin_bswap32(", None),
    ("narrower", r"sext32\(S0, (8|16)\)", lambda m, _: f"sext32(S0, {int(m[1]) - 1})", None),
    ("unsigned", r"sext32\((S0|LD\d+\(ADDR\)), (8|16)\)", lambda m, _: m[1] + (
        f" & 0x{'ff' if m[2] == '8' else 'ffff'}" if m[1] == "S0" else ""), None),
    ("imm_unsigned", r"(?<!\))\bIMM\b", "(i32)(IMM & 0xffff)", lambda r: r.kind.get("IMM") == "SIMM"),
    ("imm_signed", r"(?<!\))\bIMM\b", "(u32)(i32)(i16)IMM",
     lambda r: r.kind.get("IMM") == "UIMM" and "S0" in r.type),
    ("bit31", r"^D = S0$", lambda m, r: "D = S0 & ~((u64)1 << 63)" if r.type["D"] == "B64" else
     "D = S0 & 0x7fffffff", None),
    ("low_only", r"^D = S0$", "D = (u32)S0", lambda r: r.type.get("D") == "B64"),
    ("kept", r"^S0 = t$", "(void)t", None),
    ("kept", r"^D = S0$", "(void)S0", lambda r: "SWAP" in r.shape),
    ("overflow", r"__builtin_(add|sub)_overflow",
     lambda m, _: f"__builtin_{'sub' if m[1] == 'add' else 'add'}_overflow", None),
    ("toggled", r"^D \|= ", "D ^= ", None),
    ("bytes_mod", r"\(S2 & 3\)", "(S2 & 1)", None),
    ("own_pc", r"^D = PC$", "D = PC - 4", None),
    ("next", r"TARGET \* 4", "TARGET * 4 + 4", None),
    ("next", r"^PC = S0$", "PC = S0 + 4", None),
    ("unscaled", r"TARGET \* 4", "TARGET", lambda r: r.enc == "SOPK"),
    ("forward", r"\(i64\)TARGET", "(i64)(TARGET & 0xffff)", lambda r: r.name in ("s_branch", "s_cbranch_scc1")),
    ("not_taken", r"if \(!(SCC|VCC|EXEC)\)", r"if (\1)", None),
    ("not_taken", r"if \((SCC|VCC|EXEC)\)", r"if (!\1)", None),
    ("half", r"if \((!?)(VCC|EXEC)\)", r"if (\1(u32)\2)", None),
    ("scc_ignored", r" \+ SCC", "", None),
    ("cin_ignored", r" \+ CIN", "", None),
    # float rows
    ("other_op", r"\bf(add|sub|mul|min|max)(32|64)\(",
     lambda m, _: "f" + {"add": "sub", "sub": "add", "mul": "add", "min": "max", "max": "min"}[m[1]] + m[2] + "(",
     None),
    ("fused", r"fmad32\(", "ffma32(", None),
    ("unfused", r"ffma32\(", "fmad32(", None),
    ("other_op", r"\bf(trunc|ceil|floor|rndne)(32|64)\(",
     lambda m, _: "f" + {"trunc": "floor", "ceil": "trunc", "floor": "trunc", "rndne": "trunc"}[m[1]] + m[2] + "(",
     None),
    ("truncated", r"ffract(32|64)\(E, S0\)", r"fsub\1(E, S0, ftrunc\1(E, S0))", None),
    ("unfused", r"ffma64\(E, S0, S1, S2\)", "fadd64(E, fmul64(E, S0, S1), S2)", None),
    ("other_op", r"\bf(rcp|rsq|sqrt)64\(", lambda m, _: {"rcp": "frsq64(", "rsq": "frcp64(", "sqrt": "frsq64("}[m[1]],
     None),
    ("other_op", r"\bcvt_(f64_[iu]32|[iu]32_f64)\(", lambda m, _: "cvt_" + {
        "f64_i32": "f64_u32", "f64_u32": "f64_i32", "i32_f64": "u32_f64", "u32_f64": "i32_f64"}[m[1]] + "(", None),
    ("rounded", r"cvt_([iu])32_f64\(E, S0\)", r"cvt_\g<1>32_f64(E, frndne64(E, S0))", None),
    ("floored", r"cvt_([iu])32_f64\(E, S0\)", r"cvt_\g<1>32_f64(E, ffloor64(E, S0))", is_signed_result),
    ("one_less", r"ffrexp_exp64\(E, S0\)", "ffrexp_exp64(E, S0) - 1", None),
    ("double", r"ffrexp_mant64\(E, S0\)", "fldexp64(E, ffrexp_mant64(E, S0), 1)", None),
    ("unsigned", r"fldexp64\(E, S0, S1\)", "fldexp64(E, S0, S1 & 0x7fffffff)", None),
    ("half", r"fldexp64\(E, S0, S1\)", "fldexp64(E, S0, (i16)S1)", None),
    ("unscaled", r"fdiv_scale64\(E, S0, S1, S2, &scaled\)", "(fdiv_scale64(E, S0, S1, S2, &scaled), S0)", None),
    ("operands", r"fdiv_scale64\(E, S0, S1, S2", "fdiv_scale64(E, S0, S2, S1", None),
    ("inverted", r"CARRY = scaled", "CARRY = !scaled", None),
    ("lane0", r"VCC_LANE", "(wave_vcc(w) & 1)", None),
    ("never", r"VCC_LANE", "false", None),
    ("always", r"VCC_LANE", "true", None),
    ("operands", r"fdiv_fixup64\(E, S0, S1, S2", "fdiv_fixup64(E, S0, S2, S1", None),
    ("sign", r"fdiv_fixup64\(E, S0, S1, S2\)", "S0 >> 63 << 63 | (fdiv_fixup64(E, S0, S1, S2) & ~0ull >> 1)", None),
    ("segment", r"ftrig_preop64\(E, S0, \(u32\)S1\)", "ftrig_preop64(E, S0, (u32)S1 & 15)", None),
    ("segment", r"ftrig_preop64\(E, S0, \(u32\)S1\)", "ftrig_preop64(E, S0, (u32)S1 + 1)", None),
    ("exponent", r"ftrig_preop64\(E, S0, \(u32\)S1\)", "ftrig_preop64(E, S0 & ~(1ull << 52), (u32)S1)", None),
    ("class", r"fclass64\(S0\)", "(fclass64(S0) ^ 1)", None),
    ("class", r"fclass64\(S0\)", "(9 - fclass64(S0))", None),
    ("class", r"fclass64\(S0\)", "fclass64(S0 & ~0ull >> 1)", None),
    ("other_op", r"\bcvt_(f32_u32|f32_i32|u32_f32|i32_f32|rpi_i32_f32|flr_i32_f32)\(", lambda m, _: {
        "f32_u32": "cvt_f32_i32(", "f32_i32": "cvt_f32_u32(", "u32_f32": "cvt_i32_f32(", "i32_f32": "cvt_flr_i32_f32(",
        "rpi_i32_f32": "cvt_i32_f32(", "flr_i32_f32": "cvt_i32_f32("}[m[1]], lambda r: "ubyte" not in r.name),
    ("byte", r"S0 & 255", "S0 & 127", None),
    ("byte", r"S0 >> 24", "S0 >> 16", None),
    ("order", r"ORDER_(LT|GT)(?= \||\))", lambda m, _: "ORDER_" + ("GT" if m[1] == "LT" else "LT"),
     lambda r: not ("ORDER_LT" in r.body and "ORDER_GT" in r.body)),
    ("equal", r"ORDER_EQ \| ORDER_GT|ORDER_LT \| ORDER_EQ|ORDER_GT \| ORDER_EQ",
     lambda m, _: m[0].replace("ORDER_EQ", "0"), None),
    ("equal", r"\((ORDER_(?:LT|GT|UN))\)", r"(\1 | ORDER_EQ)", None),
    ("unordered", r"ORDER_UN \| ", "", None),
    ("unordered", r"\((ORDER_[LG]T(?: \| ORDER_\w+)?|ORDER_EQ)\)", r"(\1 | ORDER_UN)", lambda r: "ORDER_UN" not in r.body),
    ("constant", r"^D = ([01])$", lambda m, _: f"D = {1 - int(m[1])}", None),
    # memory rows
    ("old_lost", r"D \+ DATA0", "(D += DATA0)", None),
    ("size", r"(?<=D = )LD(8|16|32|64)\(", lambda m, _: {"8": "LD16(", "16": "LD8(", "32": "LD16(", "64": "LD32("}[m[1]],
     lambda r: "ADDR1" not in r.body),
    ("size", r"sext32\(LD(8|16)\(", lambda m, _: "sext32(" + {"8": "LD16(", "16": "LD8("}[m[1]],
     lambda r: r.name.endswith("sshort") or r.name.endswith("i16")),
    ("size", r"ST(8|16|32|64)\(ADDR, (?=DATA0\))", lambda m, _: {"8": "ST16(", "16": "ST8(", "32": "ST16(",
                                                                "64": "ST32("}[m[1]] + "ADDR, ", None),
    ("size", r"ST96\(ADDR, DATA0\)", "ST64(ADDR, pair_get(DATA0.d))", None),
    ("size", r"ST128\(ADDR, DATA0\)", "ST96(ADDR, ((struct b96){ { DATA0.d[0], DATA0.d[1], DATA0.d[2] } }))", None),
    ("top_dword", r"^D = LD96\(ADDR\)$", "D = LD96(ADDR); D.d[2] = D.d[1]", None),
    ("top_dword", r"^D = LD128\(ADDR\)$", "D = LD128(ADDR); D.d[3] = D.d[2]", None),
    ("crossed", r"b128_pair\((LD64\(ADDR\)), (LD64\(ADDR1\))\)", r"b128_pair(\2, \1)", None),
    ("crossed", r"(LD32\(ADDR\)) \| \(u64\)(LD32\(ADDR1\))", r"LD32(ADDR1) | (u64)LD32(ADDR)", None),
    ("addr1", r"\bADDR1\b", "ADDR", None),
    ("aligned", r"\b(LD8|LD16|ST8|ST16)\(ADDR", r"\1(ADDR & ~3ull", None),
    ("aligned", r"\b(LD32|LD64|LD96|LD128|ST32|ST64|ST96|ST128)\(ADDR(?=[,)])", r"\1(ADDR & ~15ull",
     # DS accesses of 96 and 128 bits to less than 16-byte alignment depend on a mode outside the wave.
     lambda r: "ADDR1" not in r.body and not r.has("ATOMIC") and not re.match(r"ds_\w+_b(96|128)", r.name)),
]

ADDRESS_RULES = ("addr1", "aligned", "next", "forward", "unscaled")
CAPS = {"value": 3, "flag": 2, "exec": 2, "modifier": 1, "address": 2}  # of one row and kind, by RULES

# Operands exchanged: only where the body tells them apart.
ASYMMETRIC = re.compile(r"\bS[01]\b (-|<<|>>) \(?S[01]\b|fsub32|& ~S1|popcount32\(S0|S[01] & (31|63)\) << \(S[01]|"
                        r"<< 32 \| S1|\(S0 << 1\)|\(S0 << 2\)|bits\d\d\(S0")


def statements(body):
    return [s.strip() for s in body.split(";") if s.strip()]


def kind_of(row, rule, old):
    if rule in ADDRESS_RULES:
        return "address"
    if "CLAMP" in old and row.has("CLAMP_INT"):
        return "modifier"
    if "&D)" in old or "&t)" in old:
        return "value"
    if re.match(r"EXEC = |if \(!?EXEC\)", old):
        return "exec"
    if re.match(r"CARRY = |if \(!?[SV]CC\)", old) or "SCC" in old.split(" = ")[0] and row.enc not in ("SOPC",) \
            and "cmpk" not in row.name or rule in ("scc_ignored", "cin_ignored"):
        return "flag"
    return "value"


def rule_mutants(row):
    """(what, kind, flags, body, text) for each applicable rule"""
    parts = statements(row.body)
    for index, old in enumerate(parts):
        for what, pattern, new, when in RULES if row.family != "buf" else [(*r, None) for r in mutate_buf.RULES]:
            if when and not when(row):
                continue
            m = re.search(pattern, old)
            if not m:
                continue
            put = new(m, row) if callable(new) else m.expand(new)
            changed = old[:m.start()] + put + old[m.end():]
            body = "; ".join(parts[:index] + [changed] + parts[index + 1:]) + ";"
            yield what, kind_of(row, what, old), row.flags, body, f"{changed} instead of {old}"


def without(row, flag):
    return " | ".join(f for f in row.flags.split(" | ") if f != flag) or "0"


def f32_mutants(row, body):
    """Bugs of the f32 and f16 opcodes whose bodies are one call (mutate_f32.py, mutate_f16.py)."""
    for what, pattern, old, new, text in mutate_f32.BUGS + mutate_f16.BUGS:
        if re.match(pattern, row.name):
            if old not in body:
                fail(f"mutate_f32.py, mutate_f16.py: {row.name}.{what}: no '{old}' in the row")
            yield what, "value", row.flags, body.replace(old, new), text
    for what, pattern, first, text in mutate_f32.EVERYWHERE + mutate_f16.EVERYWHERE:
        if re.match(pattern, row.name):
            yield what, "value", row.flags, first + body, text


def fixed_mutants(row):
    """What a row's flags and shape offer beside its text."""
    body = row.body if row.body.endswith(";") or not row.body else row.body + ";"
    if row.macro in ("OP", "OPF", "OPH"):
        if row.has("WR_SCC"):
            yield "scc_kept", "flag", without(row, "WR_SCC"), body, "SCC is not written"
            yield "scc_inverted", "flag", row.flags, body + " SCC = !SCC;", "SCC is inverted"
        if row.has("WR_EXEC") and not re.search("_(t|tru)_", row.name):  # EXEC and ones is EXEC
            yield "exec_kept", "exec", without(row, "WR_EXEC"), body, "EXEC is not written"
        if "CARRY" in row.type:
            yield "carry_zero", "flag", row.flags, body + " CARRY = 0;", "the carry is always 0"
            yield "carry_inverted", "flag", row.flags, body + " CARRY = !CARRY;", "the carry is inverted"
        if row.enc == "VOPC":
            yield "inverted", "flag", row.flags, body + " D = !D;", "the mask is inverted"
        if row.has("CLAMP_INT"):
            never, always = re.sub(r"\bCLAMP\b", "false", body), re.sub(r"\bCLAMP\b", "true", body)
            yield "clamp_ignored", "modifier", row.flags, never, "clamp has no effect"
            yield "clamp_always", "modifier", row.flags, always, "saturates without clamp"
        if "saveexec" in row.name:
            yield "old_lost", "exec", row.flags, body + " D = EXEC;", "the destination gets the new EXEC"
        if "S1" in row.type and row.type["S0"][-2:] == row.type["S1"][-2:] and ASYMMETRIC.search(row.body):
            swapped = rename_words(body, {"S0": "S1", "S1": "S0"})
            yield "swapped", "value", row.flags, swapped, "the sources are exchanged"
    yield from f32_mutants(row, body)
    if row.macro in ("OPF", "OPH"):
        if row.enc != "VOPC" and re.search(r"f(add|mul|fma|ldexp|div_fmas|fract)64|cvt_f32_f64", body):
            yield "f32_rounds", "value", row.flags, \
                ("E->round = w->f64.round; " if "cvt" in row.name else "E->round = w->f32.round; ") + body, \
                "rounds by MODE's other field"
        if re.search(r"f\w+64\(E|cvt_\w*f64", body) and not re.search("_f64_[iu]32|[iu]32_f64|class|frexp|trig|trunc|rndne|_f_f64|_[ou]_f64|tru_", row.name):
            yield "f32_flushes", "value", row.flags, "E->flush_in = w->f32.flush_in; E->flush_out = w->f32.flush_out; " + body \
                if "cvt" not in row.name else "E->flush_in = w->f32.flush_out; E->flush_out = w->f64.flush_in; " + body, \
                "flushes by MODE's other field"
        if re.search(r"f(add|sub|mul|mad|fma)32|cvt_f32_[ui]32|f(add|mul|fma|ldexp|div_fmas|fract|div_fixup)64|cvt_f32_f64", body) \
                and "ubyte" not in row.name:
            yield "round_ignored", "value", row.flags, "E->round = ROUND_EVEN; " + body, "always rounds to even"
        if re.search(r"f(add|sub|mul|fma)32|f(add|mul|fma|ldexp|cmp)64|cvt_f(32_f64|64_f32)", body) \
                and not re.search("_[ou]_f64|tru_|_f_f64", row.name):
            yield "denorm_kept", "value", row.flags, "E->flush_in = E->flush_out = 0; " + body, \
                "subnormals are never flushed"
            yield "denorm_flushed", "value", row.flags, "E->flush_in = E->flush_out = 1; " + body, \
                "subnormals are always flushed"
        if re.search(r"f(min|max)(32|64)", body):
            yield "ieee_ignored", "value", row.flags, "E->ieee = 0; " + body, "MODE.IEEE counts as 0"


# Two for each scalar encoding that has no other business with EXEC.
SKIPPED_AT_EXEC0 = ("s_add_u32", "s_lshl_b64", "s_movk_i32", "s_cmpk_eq_i32", "s_cmp_eq_i32", "s_cmp_lg_u64",
                    "s_load_dword", "s_load_dwordx2")


def around_mutants(row):
    """Bugs around the right function: (what, kind, text, C statements with CALL)"""
    if row.name in SKIPPED_AT_EXEC0:
        yield "exec0_skips", "exec", "does nothing while EXEC is 0", "if (wave_exec(w)) CALL;"
    yield from mutate_rows.around(row)
    if row.family == "mem" and not row.has("LANEWISE") and row.type:
        force = "u64 old = wave_exec(w); pair_set(&w->sgpr[CODE_EXEC], {}); CALL; pair_set(&w->sgpr[CODE_EXEC], old);"
        yield "exec_ignored", "exec", "acts for all lanes", force.format("~0ull")
        if re.search(r"(load|store)_dword$|ds_(read|write)_b32$", row.name):
            yield "exec_low", "exec", "lanes 32 to 63 do not act", force.format("(u32)old")


# Changes in functions that bodies call: (what, kind, rows, edits, text).
HELPERS = [
    ("status_priv", "flag", r"s_getreg_b32", [("hwreg_read", "return wave_status(w);", "return wave_status(w) & ~(1u << STATUS_PRIV);")],
     "STATUS.PRIV reads as 0"),
    ("trap_en", "flag", r"s_getreg_b32",
     [("hwreg_read", "return wave_status(w);", "return wave_status(w) & ~(1u << STATUS_TRAP_EN);")], "STATUS.TRAP_EN reads as 0"),
    ("tba_hi", "value", r"s_getreg_b32", [("hwreg_read", "(u32)(w->tba >> 32)", "(u32)w->tba")], "TBA_HI reads as TBA_LO"),
    ("lds_units", "value", r"s_getreg_b32", [("hwreg_read", "+ 511) / 512 * 2 << 12", "+ 511) / 512 << 8")], "LDS_SIZE is elsewhere"),
    ("bases", "value", r"s_getreg_b32",
     [("hwreg_read", "(u32)(w->private_base >> 48) | (u32)(w->shared_base >> 48) << 16",
       "(u32)(w->shared_base >> 48) | (u32)(w->private_base >> 48) << 16")], "the apertures are exchanged"),
    ("excp_en", "value", r"s_setreg_b32|s_setreg_imm32_b32",
     [("mode_write", "v & mode_writable", "v & mode_writable & ~(0x7fu << MODE_EXCP_EN)")], "MODE.EXCP_EN cannot be written"),
    ("csp", "value", r"s_setreg_b32|s_setreg_imm32_b32",
     [("mode_write", "v & mode_writable", "v & mode_writable & ~(7u << MODE_CSP)")], "MODE.CSP cannot be written"),
    ("reserved", "value", r"s_setreg_b32$", [("mode_write", "v & mode_writable", "v")], "bits of MODE that do not exist are written"),
    ("read_only", "value", r"s_setreg_b32|s_setreg_imm32_b32",
     [("hwreg_set", "hwreg_read(w, id);", "w->status = value << offset & field & STATUS_STORED;")], "STATUS can be written"),
    ("trapsts", "flag", r"s_setreg_b32|s_setreg_imm32_b32",
     [("hwreg_set", "(w->trapsts & ~field) |", "")], "the rest of TRAPSTS becomes 0"),
    ("tie", "value", r"s_cbranch_[gi]_fork", [("fork_lanes", "popcount64(fail) < popcount64(pass)", "popcount64(fail) <= popcount64(pass)")],
     "of two equal parts those that go on are first"),
    ("larger", "value", r"s_cbranch_[gi]_fork", [("fork_lanes", "popcount64(fail) < popcount64(pass)", "popcount64(fail) > popcount64(pass)")],
     "the larger part goes first"),
    ("low", "exec", r"s_cbranch_[gi]_fork", [("fork_lanes", "popcount64(fail) < popcount64(pass)", "popcount32((u32)fail) < popcount32((u32)pass)")],
     "lanes 0 to 31 decide which part goes first"),
    ("order", "value", r"s_cbranch_[gi]_fork", [("fork_lanes", "if (pass == *exec)", "if (pass == *exec && *exec)")],
     "without a lane it goes on"),
    ("unmasked", "exec", r"s_cbranch_[gi]_fork", [("fork_lanes", "pass = cond & *exec", "pass = cond")], "the condition is not masked by EXEC"),
    ("csp", "flag", r"s_cbranch_[gi]_fork", [("fork_lanes", "csp_write(w, csp + 1);", "")], "CSP is not counted up"),
    ("slot", "address", r"s_cbranch_[gi]_fork", [("fork_lanes", "csp * 4", "0u")], "every entry goes to s[0:3]"),
    ("entry_pc", "address", r"s_cbranch_[gi]_fork", [("fork_lanes", "fail_first ? target : next);", "target);")], "the entry's PC is the target"),
    ("entry_exec", "exec", r"s_cbranch_[gi]_fork", [("fork_lanes", "fail_first ? pass : fail);", "fail);")], "the entry's mask is that of those that go on"),
    ("goes_on", "address", r"s_cbranch_[gi]_fork", [("fork_lanes", "return fail_first ? next : target;", "return target;")], "it always branches"),
    ("ignored", "value", r"s_cbranch_join", [("join_lanes", "csp == saved_csp", "true")], "it always goes on"),
    ("saved", "value", r"s_cbranch_join", [("join_lanes", "csp == saved_csp", "csp == 0")], "the register is not read"),
    ("csp", "flag", r"s_cbranch_join", [("join_lanes", "csp_write(w, csp);", "")], "CSP is not counted down"),
    ("slot", "address", r"s_cbranch_join", [("join_lanes", "csp * 4 + 2", "2")], "PC comes from s[2:3]"),
    ("entry", "exec", r"s_cbranch_join", [("join_lanes", "*exec = pair_get(&w->sgpr[csp * 4]);", "*exec |= pair_get(&w->sgpr[csp * 4]);")],
     "EXEC is put together"),
    ("index_ignored", "value", r"s_movrel", [("relative", "(u64)o->code + w->sgpr[CODE_M0]", "(u64)o->code")], "M0 is not added"),
    ("index_7_bits", "value", r"s_movrel", [("relative", "(u64)o->code + w->sgpr[CODE_M0]", "(u64)o->code + (w->sgpr[CODE_M0] & 127)")],
     "the index has seven bits"),
    ("index_32_bits", "value", r"s_movrel", [("relative", "(u64)o->code + w->sgpr[CODE_M0]", "(u64)(u32)(o->code + w->sgpr[CODE_M0])")],
     "the sum wraps at 32 bits"),
    ("outside", "value", r"s_movrels", [("movrels", "n < 0 ? 0 : n", "n < 0 ? 1 : n")], "a source out of range is s1"),
    ("outside", "value", r"s_movreld", [("movreld", "if (n >= 0)", "n = n < 0 ? 0 : n;")], "a destination out of range is s0"),
    ("m0_high", "value", r"s_set_gpr_idx_(on|idx|mode)", [("gpr_idx", "(w->sgpr[CODE_M0] & ~field) |", "(w->sgpr[CODE_M0] & ~field & 0xffff) |")],
     "the upper half of M0 becomes 0"),
    ("m0_rest", "value", r"s_set_gpr_idx_(on|idx|mode)", [("gpr_idx", "(w->sgpr[CODE_M0] & ~field) |", "")], "the rest of M0 becomes 0"),
    ("mode_rest", "flag", r"s_set_gpr_idx_(on|off)|s_setvskip", [("mode_bit", "(w->mode & ~(1u << bit)) |", "")], "the rest of MODE becomes 0"),
    ("own_pc", "address", r"s_trap", [("trap", "next - 4", "next")], "the PC that is saved is that of the next instruction"),
    ("always", "flag", r"s_trap", [("trap", "if (!w->tba)", "if (false)")], "the handler at 0 is entered if there is none"),
    ("ignored", "flag", r"s_trap", [("trap", "if (!w->tba)", "if (true)")], "does nothing"),
    ("id", "value", r"s_trap", [("trap", "0, id & 255);", "0, id & 127);")], "the trap id has seven bits"),
    ("id_wide", "value", r"s_trap", [("trap", "0, id & 255);", "0, id);")], "the trap id has sixteen bits"),
    ("priv_kept", "flag", r"s_rfe", [("return_from_trap", "w->status & ~(1u << STATUS_PRIV)", "w->status")], "PRIV stays 1"),
    ("halts", "flag", r"s_sethalt|s_sendmsghalt", [("halt", "on && !(w->status >> STATUS_PRIV & 1)", "on")],
     "the wave stands still in the trap handler"),
    ("halt_lost", "flag", r"s_sethalt|s_sendmsghalt", [("halt", "| on << STATUS_HALT", "")], "HALT is not set"),
    ("halt_kept", "flag", r"s_sethalt", [("halt", "(w->status & ~(1u << STATUS_HALT))", "w->status")], "HALT is not cleared"),
    ("prio", "value", r"s_setprio", [("setprio", "(prio & 3)", "(prio & 1)")], "the priority has one bit"),
    ("prio_kept", "value", r"s_setprio", [("setprio", "(w->status & ~(3u << STATUS_WAVE_PRIO)) |", "w->status |")], "priority bits are never cleared"),
    ("exchanged", "flag", r"s_cbranch_cdbg(sys|user)$", [("cond_dbg", "(w->status >> STATUS_COND_DBG_SYS & 1) |", "(w->status >> STATUS_COND_DBG_USER & 1) |"),
                                             ("cond_dbg", "(w->status >> STATUS_COND_DBG_USER & 1) << 1", "(w->status >> STATUS_COND_DBG_SYS & 1) << 1")],
     "system and user are exchanged"),
    ("width64", "value", r"s_bfe_i64", [("bfe_i64", "(i64)((u64)rest << unused) >> unused", "rest & (i64)mask64(width)")],
     "the field is not sign-extended"),
    ("width0", "value", r"s_bfe_i64", [("bfe_i64", "width == 0 ? 0 :", "width == 0 ? rest :")], "width 0 gives the whole rest"),
    ("bytes", "value", r"s_brev_b64", [("brev64", "v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;", "")], "pairs of bits keep their order"),
    ("sign", "value", r"s_flbit_i32$", [("sign_run32", "v >> 31 ? ~v : v", "v")], "looks for the first one"),
    ("sign", "value", r"s_flbit_i32_i64", [("sign_run64", "v >> 63 ? ~v : v", "v")], "looks for the first one"),
    ("all", "value", r"s_flbit_i32$", [("sign_run32", ": ~0u", ": 32")], "gives 32 if all are equal"),
    ("all", "value", r"s_flbit_i32_i64", [("sign_run64", ": ~0u", ": 64")], "gives 64 if all are equal"),
    ("pairs", "value", r"s_wqm|s_quadmask", [("quads", "v |= v >> 2;", "")], "the upper half of a quad does not count"),
    ("top_bit", "value", r"s_wqm", [("whole_quads", "* 15", "* 7")], "the top bit of a quad is not set"),
    ("half", "value", r"s_quadmask_b64", [("quad_mask", "i < 16", "i < 8")], "the upper half does not count"),
    ("low_of_pair", "value", r"s_bitreplicate", [("bit_pairs", "* 3 <<", "* 1 <<")], "the upper bit of a pair is 0"),
    ("offset_unsigned", "address", r"s_(load|store)_dword$|s_load_dwordx4|s_atomic_add$",
     [("smem_offset", "(u64)(i64)in->offset", "in->offset & 0x1fffff")], "the immediate offset is unsigned"),
    ("offset_ignored", "address", r"s_load_dwordx[28]|s_load_dwordx16|s_buffer_\w+_dword|s_(buffer_)?atomic_\w+|s_(scratch_)?store_\w+",
     [("smem_offset", "(u64)(i64)in->offset", "0")], "the immediate offset is ignored"),
    ("soffset_ignored", "address", r"s_(buffer_|scratch_)?load_dword$|s_load_dwordx2",
     [("smem_offset", "if (reg >= 0)", "if (reg >= 0 && !insn_get(i, FLD_soe))")], "the scalar offset beside an immediate is ignored"),
    ("roffset_ignored", "address", r"s_(buffer_|scratch_)?(load|store)_dword$|s_load_dwordx2|s_(buffer_)?atomic_(add|swap_x2)$",
     [("smem_offset", "if (reg >= 0)", "if (reg >= 0 && insn_get(i, FLD_imm))")], "the scalar offset is ignored"),
    ("unaligned", "address", r"s_(load|store)_dword$|s_atomic_add$",
     [("smem_place", "pair_get(r) & ~3ull", "pair_get(r)")], "the low two bits of the base count"),
    ("unit", "address", r"s_scratch_(load|store)_dword",
     [("smem_offset", "* unit &", "&")], "the scalar offset counts bytes"),
    ("stride", "address", r"s_buffer_(load|store)_dword|s_buffer_atomic_(add|or_x2)$",
     [("smem_place", "(stride ? stride : 1)", "1")], "the number of records counts bytes always"),
    ("stride_bits", "address", r"s_buffer_(load|store)_dword$",
     [("smem_place", "bits32(r[1], 16, 14)", "bits32(r[1], 16, 16)")], "the stride has 16 bits"),
    ("base_bits", "address", r"s_buffer_(load|store)_dword$",
     [("smem_place", "bits64(p.base, 0, 48)", "p.base")], "the stride is part of the base"),
    ("range_ignored", "address", r"s_buffer_\w+",
     [("inside", "end <= p->size", "true")], "nothing is out of range"),
    ("range_one", "address", r"s_buffer_(load|store)_dword$|s_buffer_atomic_add$",
     [("inside", "end <= p->size", "end < p->size")], "the last dword is out of range"),
    ("last_dword", "value", r"s_(buffer_|scratch_)?load_dwordx",
     [("smem_load", "value, dwords);", "value, dwords - 1);")], "the last dword is not written"),
    ("last_dword", "value", r"s_(buffer_|scratch_)?store_dwordx",
     [("smem_store", "n < in->opnd[SLOT_SDATA].dw", "n + 1 < in->opnd[SLOT_SDATA].dw")], "the last dword is not stored"),
    ("one_dword", "value", r"s_(buffer_|scratch_)?load_dwordx",
     [("smem_load", "&p, n * 4, 4)", "&p, 0, 4)")], "every dword gets the first one's value"),
    ("one_dword", "value", r"s_(buffer_|scratch_)?store_dwordx",
     [("smem_store", "value[n]", "value[0]")], "every dword stores the first one's value"),
    ("bytes", "value", r"s_(buffer_)?load_dword$", [("smem_load", "&p, n * 4, 4)", "&p, n * 4, 2)")], "16 bits are loaded"),
    ("glc_ignored", "value", r"s_(buffer_)?atomic_\w+", [("give_back", "insn_get(&in->insn, FLD_glc)", "false")], "nothing comes back"),
    ("glc_always", "value", r"s_(buffer_)?atomic_\w+", [("give_back", "insn_get(&in->insn, FLD_glc)", "true")], "the old value comes back without glc"),
    ("offset", "value", r"s_getreg_b32",
     [("hwreg_get", "bits32(v, offset, width)", "bits32(v, 0, width)")], "the field's offset is ignored"),
    ("width", "value", r"s_getreg_b32",
     [("hwreg_get", "(simm >> 11 & 31) + 1", "(simm >> 11 & 31)")], "the field is one bit too narrow"),
    ("status_scc", "flag", r"s_getreg_b32", [("hwreg_read", "return wave_status(w);", "return wave_status(w) & ~1u;")], "STATUS.SCC reads as 0"),
    ("execz", "exec", r"s_getreg_b32",
     [("hwreg_read", "return wave_status(w);",
       "return wave_status(w) | (u32)((u32)wave_exec(w) == 0) << STATUS_EXECZ;")], "STATUS.EXECZ looks at lanes 0 to 31"),
    ("width", "value", r"s_setreg_b32|s_setreg_imm32_b32",
     [("hwreg_set", "(simm >> 11 & 31) + 1", "(simm >> 11 & 31)")], "the field is one bit too narrow"),
    ("whole", "value", r"s_setreg_b32|s_setreg_imm32_b32",
     [("hwreg_set", "(w->mode & ~field) |", "")], "the rest of MODE becomes 0"),
    ("width32", "value", r"s_bfe_i32|v_bfe_i32",
     [("bfe_i32", "(i32)((u32)rest << unused) >> unused", "rest & (i32)mask32(width)")],
     "the field is not sign-extended"),
    ("width0", "value", r"s_bfe_i32|v_bfe_i32",
     [("bfe_i32", "width == 0 ? 0 :", "width == 0 ? rest :")], "width 0 gives the whole rest"),
    ("no_minimum", "modifier", r"v_add_i32|v_sub_i32|v_mad_i32_i24",
     [("sat_i32", "v < INT32_MIN ? INT32_MIN :", "")], "clamp saturates at the maximum only"),
    ("sel12", "value", r"v_perm_b32", [("perm_byte", "sel == 12", "sel == 11")], "select 11 gives 0"),
    ("sel13", "value", r"v_perm_b32", [("perm_byte", "sel >= 13", "sel == 13")], "selects above 13 do not give 0xff"),
    ("sign", "value", r"v_perm_b32",
     [("perm_byte", "(sel - 8) * 16 + 15", "(sel - 8) * 8 + 7")], "the sign selects look at bytes 0 to 3"),
    ("order", "value", r"v_perm_b32",
     [("perm_b32", "(u64)s0 << 32 | s1", "(u64)s1 << 32 | s0")], "selects 0 to 3 take bytes of the first source"),
    ("lane32", "value", r"v_readlane_b32",
     [("readlane", "&src[lane]", "&src[lane & 31]")], "the lane is taken modulo 32"),
    ("exec", "exec", r"v_readlane_b32",
     [("readlane", "scalar_write(", "if (wave_exec(w) >> lane & 1) scalar_write(")], "a lane that is off is not read"),
    ("lane0", "exec", r"v_readfirstlane_b32", [("readlane", "&src[lane]", "&src[0]")], "always reads lane 0"),
    ("last", "exec", r"v_readfirstlane_b32",
     [("readlane", "&src[lane]", "&src[wave_exec(w) ? 63 - clz64(wave_exec(w)) : 0]")],
     "reads the highest active lane"),
    ("lane32", "value", r"v_writelane_b32", [("writelane", "& 63", "& 31")], "the lane is taken modulo 32"),
    ("exec", "exec", r"v_writelane_b32",
     [("writelane", "dst[scalar32(", "if (wave_exec(w) >> (scalar32(w, &in->opnd[SLOT_S1]) & 63) & 1) dst[scalar32(")],
     "a lane that is off is not written"),
    ("exec", "exec", r"ds_bpermute_b32",
     [("ds_bpermute", "exec >> src & 1 ? data[src] : 0", "data[src]")], "lanes that are off are read"),
    ("scale", "address", r"ds_bpermute_b32", [("ds_bpermute", "/ 4 % LANES", "% LANES")], "the address counts lanes"),
    ("offset", "address", r"ds_bpermute_b32", [("ds_bpermute", " + (u32)in->offset", "")], "the offset is ignored"),
    ("quad", "address", r"ds_swizzle_b32", [("swizzle_lane", "(i & 3) * 2 & 3", "(3 - (i & 3)) * 2 & 3")], "the quad is read backwards"),
    ("order", "address", r"ds_swizzle_b32", [("swizzle_lane", "((i & mask) | middle) ^ (offset >> 10 & 31)", "((i & mask) ^ (offset >> 10 & 31)) | middle")],
     "the exclusive or comes before the or"),
    ("and", "address", r"ds_swizzle_b32", [("swizzle_lane", "return ((i & mask) |", "return (i |")], "the and mask is ignored"),
    ("or", "address", r"ds_swizzle_b32", [("swizzle_lane", "| middle) ^", "| 0) ^")], "the or mask is ignored"),
    ("direction", "address", r"ds_swizzle_b32", [("swizzle_lane", "offset >> 10 & 1 ?", "false ?")], "rotates up only"),
    ("rotate_mask", "address", r"ds_swizzle_b32", [("swizzle_lane", "& ~mask & 31);", "& 31);")], "rotates across groups"),
    ("fft_shift", "address", r"ds_swizzle_b32", [("swizzle_lane", ">> popcount32(mask)", "")], "the mask of the FFT does not shift"),
    ("fft_mask", "address", r"ds_swizzle_b32", [("swizzle_lane", "popcount32(mask)) | (i & mask)", "popcount32(mask))")], "the mask of the FFT keeps nothing"),
    ("halves", "address", r"ds_swizzle_b32", [("ds_swizzle", "(lane & 32) |", "")], "the upper half reads the lower"),
    ("exec", "exec", r"ds_swizzle_b32", [("ds_swizzle", "exec >> src & 1 ? data[src] : 0", "data[src]")], "lanes that are off are read"),
    ("base", "address", r"ds_append|ds_consume", [("ds_count", "w->sgpr[CODE_M0] & 0xffff", "w->sgpr[CODE_M0] >> 16")], "the base is in the upper half of M0"),
    ("offset", "address", r"ds_append|ds_consume", [("ds_count", "+ (u64)(u32)in->offset", "")], "the offset is ignored"),
    ("new", "value", r"ds_append|ds_consume", [("ds_count", "out[lane] = old;", "out[lane] = old + number;")], "the new value comes back"),
    ("exec", "exec", r"ds_permute_b32", [("ds_permute", "m = wave_exec(w)", "m = ~0ull")], "lanes that are off write"),
    ("scale", "address", r"ds_permute_b32", [("ds_permute", "/ 4 % LANES", "% LANES")], "the address counts lanes"),
    ("offset", "address", r"ds_permute_b32", [("ds_permute", " + (u32)in->offset", "")], "the offset is ignored"),
]

# Of atomics, everywhere they are: (what, operation, its other name, type letter, old, new, text), for 32 and 64 bits.
ATOMICS = [
    ("limit", "inc", None, "u", "old >= data", "old > data", "counts one too far"),
    ("not_reset", "inc", None, "u", "? 0 :", "? data :", "stops at the limit"),
    ("at_zero", "dec", None, "u", "old == 0 ||", "", "counts below 0"),
    ("above", "dec", None, "u", "|| old > data", "", "counts down from above the data"),
    ("at_data", "dec", None, "u", "old > data", "old >= data", "starts again at the data too"),
    ("other_op", "min_u", "umin", "", "data < old", "data > old", "takes the maximum"),
    ("sign", "min_u", "umin", "", "data < old", "(i{b})data < (i{b})old", "the comparison is signed"),
    ("other_op", "max_u", "umax", "", "data > old", "data < old", "takes the minimum"),
    ("sign", "max_u", "umax", "", "data > old", "(i{b})data > (i{b})old", "the comparison is signed"),
    ("sign", "min_i", "smin", "", "(i{b})data < (i{b})old", "data < old", "the comparison is unsigned"),
    ("other_op", "min_i", "smin", "", "(i{b})data < (i{b})old", "(i{b})data > (i{b})old", "takes the maximum"),
    ("sign", "max_i", "smax", "", "(i{b})data > (i{b})old", "data > old", "the comparison is unsigned"),
    ("other_op", "max_i", "smax", "", "(i{b})data > (i{b})old", "(i{b})data < (i{b})old", "takes the minimum"),
    ("mask", "mskor", None, "b", "old & ~mask", "old & mask", "clears what the mask leaves out"),
    ("data_masked", "mskor", None, "b", "| data", "| (data & mask)", "only bits of the mask are set"),
    ("cleared", "mskor", None, "b", "(old & ~mask)", "old", "nothing is cleared"),
    ("order", "cmpst", None, "b", "old == compare ? data", "old == data ? compare", "the operands are exchanged"),
    ("always", "cmpst", None, "b", "old == compare ?", "true ?", "always stores"),
    ("half", "cmpst", None, "b", "old == compare", "(u16)old == (u16)compare", "compares 16 bits"),
]
# The same of opcodes of one width or family.
MORE_ATOMICS = [
    ("limit", r"ds_wrap_rtn_b32$", "wrap32", "old >= limit", "old > limit", "goes back one too late"),
    ("step", r"ds_wrap_rtn_b32$", "wrap32", "old + step", "old + limit", "steps by the limit"),
    ("bit31", r"ds_condxchg32_rtn_b64$", "condxchg32", "data & 0x7fffffff", "data", "bit 31 is stored"),
    ("always", r"ds_condxchg32_rtn_b64$", "condxchg32", "data >> 31 ?", "true ?", "always exchanges"),
    ("never", r"ds_condxchg32_rtn_b64$", "condxchg64", "condxchg32((u32)(old >> 32), (u32)(data >> 32))", "(u32)(old >> 32)", "never exchanges the upper dword"),
    ("round_obeyed", r"ds_add_(rtn_|src2_)?f32$", "add_f32", "env.round = ROUND_EVEN;", "", "rounds as MODE says"),
    ("denorm_kept", r"ds_add_(rtn_)?f32$", "add_f32", "env.ieee = 1;", "env.ieee = 1; env.flush_in = env.flush_out = 0;", "subnormals are never flushed"),
    ("denorm_flushed", r"ds_add_(rtn_)?f32$", "add_f32", "env.ieee = 1;", "env.ieee = 1; env.flush_in = env.flush_out = 1;", "subnormals are always flushed"),
    ("ieee_obeyed", r"ds_add_(rtn_)?f32$", "add_f32", "env.ieee = 1;", "", "signaling NaNs stay so without IEEE"),
    ("order", r"ds_add_(rtn_)?f32$", "add_f32", "&env, old, data", "&env, data, old", "the NaN of the data comes first"),
    ("order", r"ds_cmpst_(rtn_)?f32$", "cmpst_f32", "? data : old", "? old : data", "stores what is not equal"),
    ("bits", r"ds_cmpst_(rtn_)?f32$", "cmpst_f32", "fcmp32(&env, old, compare) == ORDER_EQ", "((void)env, old == compare)", "compares bits"),
    ("order", r"ds_cmpst_(rtn_)?f64$", "cmpst_f64", "? data : old", "? old : data", "stores what is not equal"),
    ("bits", r"ds_cmpst_(rtn_)?f64$", "cmpst_f64", "fcmp64(&env, old, compare) == ORDER_EQ", "((void)env, old == compare)", "compares bits"),
    ("other_op", r"ds_min_(rtn_|src2_)?f32$", "min_f32", "key_f32(data) < key_f32(old)", "key_f32(data) > key_f32(old)", "takes the maximum"),
    ("other_op", r"ds_max_(rtn_|src2_)?f32$", "max_f32", "key_f32(data) > key_f32(old)", "key_f32(data) < key_f32(old)", "takes the minimum"),
    ("other_op", r"ds_min_(rtn_|src2_)?f64$", "min_f64", "key_f64(data) < key_f64(old)", "key_f64(data) > key_f64(old)", "takes the maximum"),
    ("other_op", r"ds_max_(rtn_|src2_)?f64$", "max_f64", "key_f64(data) > key_f64(old)", "key_f64(data) < key_f64(old)", "takes the minimum"),
    ("bits", r"ds_(min|max)_(rtn_|src2_)?f32$", "key_f32", "v >> 31 ? ~v : v | 0x80000000", "v ^ 0x80000000", "negative numbers are ordered backwards"),
    ("bits", r"ds_(min|max)_(rtn_|src2_)?f64$", "key_f64", "v >> 63 ? ~v : v | (u64)1 << 63", "v ^ (u64)1 << 63", "negative numbers are ordered backwards"),
    ("nan_kept", r"ds_(min|max)_(rtn_)?f32$", "nan_f32", "| 0x00400000", "| 0", "a signaling NaN stays so"),
    ("nan_kept", r"ds_(min|max)_(rtn_)?f64$", "nan_f64", "| quiet;", "| 0;", "a signaling NaN stays so"),
    ("order", r"(flat|global|s|s_buffer|buffer)_atomic_cmpswap$", "cmpswap32", "(u32)(data >> 32), (u32)data", "(u32)data, (u32)(data >> 32)", "the halves of the data are exchanged"),
    ("order", r"(flat|global|s|s_buffer|buffer)_atomic_cmpswap_x2$", "cmpswap64", "pair_get(data.d + 2), pair_get(data.d)", "pair_get(data.d), pair_get(data.d + 2)", "the halves of the data are exchanged"),
    ("other_op", r"s_(buffer_)?atomic_add$", "add32", "old + data", "old - data", "subtracts"),
    ("other_op", r"s_(buffer_)?atomic_add_x2$", "add64", "old + data", "(u32)old + (u32)data", "adds 32 bits"),
    ("order", r"s_(buffer_)?atomic_sub$", "sub32", "old - data", "data - old", "the operands are exchanged"),
    ("order", r"s_(buffer_)?atomic_sub_x2$", "sub64", "old - data", "data - old", "the operands are exchanged"),
    ("other_op", r"s_(buffer_)?atomic_and$", "and32", "old & data", "old | data", "ORs"),
    ("other_op", r"s_(buffer_)?atomic_and_x2$", "and64", "old & data", "old & (u32)data", "ANDs 32 bits"),
    ("other_op", r"s_(buffer_)?atomic_or$", "or32", "old | data", "old ^ data", "XORs"),
    ("other_op", r"s_(buffer_)?atomic_or_x2$", "or64", "old | data", "old ^ data", "XORs"),
    ("other_op", r"s_(buffer_)?atomic_xor$", "xor32", "old ^ data", "old | data", "ORs"),
    ("other_op", r"s_(buffer_)?atomic_xor_x2$", "xor64", "old ^ data", "old | data", "ORs"),
    ("other_op", r"s_(buffer_)?atomic_swap$", "swap32", "return data", "return old", "stores the old value"),
    ("other_op", r"s_(buffer_)?atomic_swap_x2$", "swap64", "return data", "return (u32)data", "stores 32 bits"),
]


def atomic_helpers():
    for what, op, other, letter, old, new, text in ATOMICS:
        for bits, suffix in ((32, ""), (64, "_x2")):
            short, kind = (op[:-2], op[-1]) if other else (op, letter)
            ds = rf"ds_{short}(_rtn|_src2)?_{kind}{bits}"
            ds = ds.replace("(_rtn|_src2)?", "(_rtn)?") if op in ("mskor", "cmpst") else ds
            names = ds if op in ("mskor",) else ds + rf"|(flat|global|s|s_buffer|buffer)_atomic_{'cmpswap' if op == 'cmpst' else other or op}{suffix}"
            b = str(bits)
            if op == "cmpst" and what == "half" and bits == 64:
                old, new, text = "old == compare", "(u32)old == (u32)compare", "compares 32 bits"
            yield what, "value", rf"({names})$", [(op + b, old.replace("{b}", b), new.replace("{b}", b))], text
    for what, names, function, old, new, text in MORE_ATOMICS:
        yield what, "value", names, [(function, old, new)], text


HELPERS += atomic_helpers()
RULES += mutate_img.RULES

# Changes in oracle/operand.c: (what, kind, encodings or None for all at once, edits, text).
OPERANDS = [
    ("neg_ignored", "modifier", "VOP1 VOP2 VOPC VOP3A",
     [("prepare_modifiers", "is_float && neg ?", "false ?")], "neg has no effect"),
    ("abs_ignored", "modifier", "VOP1 VOP2 VOPC VOP3A",
     [("prepare_modifiers", "is_float && abs ?", "false ?")], "abs has no effect"),
    ("abs_last", "modifier", "VOP1 VOP2 VOPC VOP3A",
     [("modify", "(v & o->keep) ^ o->flip", "(v ^ o->flip) & o->keep")], "abs is applied after neg"),
    ("neg_wrong_source", "modifier", "VOP3A",
     [("read_negabs", "insn_get(in, FLD_neg) >> index & 1", "insn_get(in, FLD_neg) >> (index ^ 1) & 1")],
     "neg of the first two sources is exchanged"),
    ("omod_ignored", "modifier", "VOP1 VOP2 VOP3A", [("modify_out", "if (omod)", "if (false)")], "omod has no effect"),
    ("omod_always", "modifier", "VOP1 VOP2 VOP3A",
     [("modify_out", "mode->ieee || !mode->flush_out ? 0 : in->omod", "in->omod")], "omod acts whatever MODE says"),
    ("clamp_ignored", "modifier", "VOP1 VOP2 VOP3A",
     [("modify_out", "if (in->clamp)", "if (false)")], "clamp of a float has no effect"),
    ("sext_ignored", "modifier", "VOP1 VOP2 VOPC",
     [("prepare_modifiers", "sext && width < 32 ?", "false ?")], "SDWA sext has no effect"),
    ("word1_low", "modifier", "VOP1 VOP2 VOPC",
     [("select_bits", "sel == SEL_WORD_1 ? 16 : 0", "0")], "WORD_1 selects the low half"),
    ("byte_low", "modifier", "VOP1 VOP2 VOPC",
     [("select_bits", "*shift = sel * 8;", "*shift = 0;")], "every BYTE select is byte 0"),
    ("src_sel_ignored", "modifier", "VOP1 VOP2 VOPC",
     [("prepare_modifiers", "o->shift = (u8)shift;", "o->shift = 0;")],
     "SDWA source selects keep the width but not the place"),
    ("preserve_pads", "modifier", "VOP1 VOP2",
     [("store_vgpr_sdwa", "in->dst_unused == UNUSED_PRESERVE", "false")], "UNUSED_PRESERVE acts as UNUSED_PAD"),
    ("sext_pads", "modifier", "VOP1 VOP2",
     [("store_vgpr_sdwa", "in->dst_unused == UNUSED_SEXT", "false")], "UNUSED_SEXT acts as UNUSED_PAD"),
    ("preserve_mixes", "modifier", "VOP1 VOP2",
     [("store_vgpr_sdwa", "old[lane] & ~field", "old[lane]")], "UNUSED_PRESERVE ors into the old value"),
    ("bound_ctrl_ignored", "modifier", "VOP1 VOP2",
     [("fetch_dpp", "in->bound_ctrl ? ~0ull : valid", "valid")], "DPP bound_ctrl has no effect"),
    ("bound_ctrl_always", "modifier", "VOP1 VOP2",
     [("fetch_dpp", "in->bound_ctrl ? ~0ull : valid", "~0ull")], "DPP writes lanes without a source"),
    ("row_mask_ignored", "modifier", "VOP1 VOP2",
     [("prepare_dpp", "rows >> (n >> 4) & banks", "banks")], "DPP row_mask has no effect"),
    ("bank_mask_ignored", "modifier", "VOP1 VOP2",
     [("prepare_dpp", "& banks >> (n >> 2 & 3) & 1", "& 1")], "DPP bank_mask has no effect"),
    ("dpp_reads_off", "exec", "VOP1 VOP2",
     [("fetch_dpp", "& exec >> in->lane_of[lane] & 1", "& 1")], "DPP reads lanes that are off"),
    ("quad_perm", "modifier", None,
     [("dpp_lanes", "ctrl >> (n & 3) * 2 & 3", "ctrl >> (3 - (n & 3)) * 2 & 3")], "quad_perm is read backwards"),
    ("row_shl", "modifier", None,
     [("dpp_lanes", "src = i + k <= 15 ? (i32)(n + k) : -1;", "src = i >= k ? (i32)(n - k) : -1;")],
     "row_shl shifts right"),
    ("row_shr", "modifier", None,
     [("dpp_lanes", "i >= k ? (i32)(n - k) : -1", "n >= k ? (i32)(n - k) : -1")], "row_shr crosses rows"),
    ("row_ror", "modifier", None,
     [("dpp_lanes", "row | ((i - k) & 15)", "row | ((i + k) & 15)")], "row_ror rotates left"),
    ("wave_shl", "modifier", None,
     [("dpp_lanes", "n < 63 ? (i32)n + 1 : -1", "i < 15 ? (i32)n + 1 : -1")], "wave_shl stays in its row"),
    ("wave_rol", "modifier", None, [("dpp_lanes", "(n + 1) & 63", "(n + 1) & 31")], "wave_rol wraps at 32"),
    ("wave_shr", "modifier", None,
     [("dpp_lanes", "src = (i32)n - 1;", "src = i ? (i32)n - 1 : -1;")], "wave_shr stays in its row"),
    ("wave_ror", "modifier", None, [("dpp_lanes", "(n - 1) & 63", "(n + 1) & 63")], "wave_ror rotates left"),
    ("row_mirror", "modifier", None, [("dpp_lanes", "row | (15 - i)", "15 - i")], "row_mirror reads row 0"),
    ("half_mirror", "modifier", None,
     [("dpp_lanes", "(n & ~7u) | (7 - (n & 7))", "row | (15 - i)")], "row_half_mirror acts as row_mirror"),
    ("row_bcast15", "modifier", None,
     [("dpp_lanes", "src = (i32)row - 1;", "src = row == 16 ? 15 : -1;")], "row_bcast:15 serves row 1 only"),
    ("row_bcast31", "modifier", None,
     [("dpp_lanes", "n >= 32 ? 31 : -1", "n >= 48 ? 31 : -1")], "row_bcast:31 serves row 3 only"),
    ("exec_ignored", "exec", "VOP1 VOP2 VOP3A VOP3B DS FLAT GLOBAL SCRATCH",
     [("write_vgpr", "put32(dst, out, lanes)", "put32(dst, out, ~0ull)")], "lanes that are off are written"),
    ("exec_low", "exec", "VOP1 VOP2 VOP3A VOP3B DS FLAT GLOBAL SCRATCH",
     [("write_vgpr", "put32(dst, out, lanes)", "put32(dst, out, (u32)lanes)")], "lanes 32 to 63 are never written"),
    ("mask_exec_ignored", "exec", "VOP2 VOPC VOP3B",
     [("store_mask", "m &= wave_exec(w);", "")], "mask bits of lanes that are off are written"),
    ("mask_off_kept", "exec", "VOP2 VOPC VOP3B",
     [("store_mask", "m &= wave_exec(w);", "m = (m & wave_exec(w)) | (pair_get(&w->sgpr[o->code]) & ~wave_exec(w));")],
     "mask bits of lanes that are off are kept"),
    ("mask_low", "flag", "VOP2 VOPC",
     [("store_mask", "scalar_write(w, o->code, dw, 2)", "scalar_write(w, o->code, dw, 1)")],
     "the high half of a mask is not written"),
    ("carry_in_low", "flag", "VOP2",
     [("fetch_mask", "(u32)(m >> half)", "(u32)m")], "lanes 32 to 63 read the mask bits of lanes 0 to 31"),
    ("hi_exec_ignored", "exec", "VOP3A VOP3B",
     [("store_vgpr64", "hi, wave_exec(w))", "hi, ~0ull)")], "the high dword is written in lanes that are off"),
    ("hi_dword", "value", "VOP3A VOP3B VOPC",
     [("fetch_vgpr64", "(o->code + 1) % VGPRS", "o->code % VGPRS")],
     "the high dword of a pair is read from the low register"),
    ("omod64_ignored", "modifier", "VOP1 VOP3A", [("modify_out64", "if (omod)", "if (false)")],
     "omod of a double has no effect"),
    ("omod64_always", "modifier", "VOP1 VOP3A",
     [("modify_out64", "w->f64.ieee || !w->f64.flush_out ? 0 : in->omod", "in->omod")],
     "omod of a double acts whatever MODE says"),
    ("omod64_f32", "modifier", "VOP1 VOP3A",
     [("modify_out64", "!w->f64.flush_out ? 0", "!w->f32.flush_out ? 0")],
     "omod of a double asks for the denormals of f32"),
    ("clamp64_ignored", "modifier", "VOP1 VOP3A", [("modify_out64", "if (in->clamp)", "if (false)")],
     "clamp of a double has no effect"),
    ("neg64_ignored", "modifier", "VOP1 VOPC VOP3A VOP3B",
     [("fetch_vgpr64", "flip = o->flip", "flip = 0")], "neg of a double has no effect"),
    ("abs64_ignored", "modifier", "VOP1 VOPC VOP3A",
     [("fetch_vgpr64", "keep = o->keep", "keep = ~0u")], "abs of a double has no effect"),
    ("neg64_low", "modifier", "VOP1 VOPC VOP3A VOP3B",
     [("fetch_vgpr64", "buf[lane] = lo[lane] | (u64)((hi[lane] & keep) ^ flip) << 32",
       "buf[lane] = ((lo[lane] & keep) ^ flip) | (u64)hi[lane] << 32")], "neg and abs act on the low dword"),
    ("scalar64", "value", "VOP3A VOPC",
     [("fetch_scalar64", "scalar64(w, o)", "(u32)scalar64(w, o)")], "the high dword of a scalar pair reads as 0"),
    ("minus_one", "value", "SOP2 SOP1 SOPC VOP1 VOP2 VOPC VOP3A",
     [("prepare_operand", "&o->konst); break;", "&o->konst); if (code == 193) o->konst = 1; break;")],
     "the inline constant -1 reads as 1"),
    ("minus_16", "value", None,
     [("prepare_operand", "&o->konst); break;", "&o->konst); if (code == 208) o->konst = ~14ull; break;")],
     "the inline constant -16 reads as -15"),
    ("sixty_four", "value", None,
     [("prepare_operand", "&o->konst); break;", "&o->konst); if (code == 192) o->konst = 0; break;")],
     "the inline constant 64 reads as 0"),
    ("minus_half", "value", None,
     [("prepare_operand", "&o->konst); break;", "&o->konst); if (code == 241) o->konst = 0x3f000000; break;")],
     "the inline constant -0.5 reads as 0.5"),
    ("inv_two_pi", "value", None,
     [("prepare_operand", "&o->konst); break;", "&o->konst); if (code == 248) o->konst = 0x3e22f984; break;")],
     "the inline constant 1/(2 pi) is rounded up"),
    ("simm_unsigned", "value", "SOPK",
     [("prepare_immediate", "is_signed ? sext64(field, 16) : field", "field")], "16-bit immediates are never negative"),
    ("simm_unsigned", "address", "SOPP",
     [("prepare_immediate", "is_signed ? sext64(field, 16) : field", "field")], "branches never go back"),
    ("offset_ignored", "address", "DS",
     [("ds_addresses", "addr[lane] = base[lane] + (u32)in->offset;", "addr[lane] = base[lane];")],
     "the (first) offset is ignored"),
    ("offset1_ignored", "address", "DS",
     [("ds_addresses", "base[lane] + (u32)in->offset1", "base[lane]")], "the second offset is ignored"),
    ("offset1_unscaled", "address", "DS",
     [("prepare_offsets", "insn_get(in, FLD_offset1) * unit", "insn_get(in, FLD_offset1)")],
     "the second offset counts bytes"),
    ("offset0_unscaled", "address", "DS",
     [("prepare_offsets", "insn_get(in, FLD_offset0) * unit", "insn_get(in, FLD_offset0)")],
     "the first of two offsets counts bytes"),
    ("st64_32", "address", "DS",
     [("prepare_offsets", "FLAG_ST64 ? 64 : 1", "FLAG_ST64 ? 32 : 1")], "ST64 scales by 32"),
    ("offset_8_bits", "address", "DS FLAT",
     [("prepare_offsets", "(i32)insn_get(in, FLD_offset);", "(i32)insn_get(in, FLD_offset) & 255;")],
     "the offset has 8 bits"),
    ("offset_signed", "address", "FLAT",
     [("prepare_offsets", "(i32)insn_get(in, FLD_offset);", "(i32)sext32(insn_get(in, FLD_offset), 12);")],
     "the offset is signed"),
    ("m0_ignored", "address", "DS",
     [("ds_addresses", "(w->sgpr[CODE_M0] & 0xffff) + ", "")], "a row without an address does not add M0"),
    ("m0_whole", "address", "DS",
     [("ds_addresses", "(w->sgpr[CODE_M0] & 0xffff)", "w->sgpr[CODE_M0]")], "a row without an address adds all of M0"),
    ("tid_ignored", "address", "DS",
     [("ds_addresses", "(u64)(u32)in->offset + lane * 4", "(u64)(u32)in->offset")], "a row without an address has one for all lanes"),
    ("src2_unsigned", "address", "DS",
     [("src2_addresses", "sext64(distance, 15)", "(i64)distance")], "SRC2 data are never behind"),
    ("src2_bytes", "address", "DS",
     [("src2_addresses", "sext64(distance, 15) * 4", "sext64(distance, 15)")], "the distance of SRC2 data counts bytes"),
    ("src2_by_offset", "address", "DS",
     [("src2_addresses", "by_lane = offset >> 15", "by_lane = false")], "the distance of SRC2 data is always the offset"),
    ("src2_unmasked", "address", "DS",
     [("src2_addresses", "base[lane] & 0x1ffff", "base[lane]")], "the SRC2 destination has the distance's bits"),
    ("offset_ignored", "address", "SCRATCH",
     [("scratch_addresses", "(u64)(i64)in->offset", "0")], "the offset is ignored"),
    ("saddr_ignored", "address", "SCRATCH",
     [("scratch_addresses", "u32 base = scalar32(w, s);", "u32 base = 0;")], "the scalar address is ignored"),
    ("offset_unsigned", "address", "GLOBAL SCRATCH",
     [("prepare_offsets", "sext32(insn_get(in, FLD_offset), 13)", "insn_get(in, FLD_offset)")],
     "the offset is unsigned"),
    ("offset_ignored", "address", "FLAT GLOBAL",
     [("flat_addresses", "(u64)(i64)in->offset +", "")], "the offset is ignored"),
    ("saddr_ignored", "address", "GLOBAL",
     [("flat_addresses", "based ? scalar64(w, s) : 0", "0")], "the scalar base is ignored"),
    ("saddr_low", "address", "GLOBAL",
     [("flat_addresses", "based ? scalar64(w, s) : 0", "based ? (u32)scalar64(w, s) : 0")],
     "the scalar base has 32 bits"),
    ("saddr_wide", "address", "GLOBAL",
     [("flat_addresses", "based ? 0 : (u64)hi[lane] << 32", "(u64)hi[lane] << 32")],
     "the offset beside a scalar base has 64 bits"),
    ("address_low", "address", "FLAT GLOBAL",
     [("flat_addresses", "(u64)hi[lane] << 32", "0")], "addresses have 32 bits"),
]

# Changes in oracle/exec.c: (what, kind, edits, text).
LOOP = [
    ("index_valu", "modifier", [("is_valu", "case ENC_VOP3A:", "")], "VGPR indexing leaves VOP3 alone"),
    ("index_vopc", "modifier", [("is_valu", "case ENC_VOPC:", "")], "VGPR indexing leaves compares alone"),
    ("index_off", "modifier", [("special", "w->special & SPECIAL_INDEX && is_valu(row)", "false")],
     "VGPR indexing has no effect"),
    ("index_memory", "modifier",
     [("special", "w->special & SPECIAL_INDEX && is_valu(row)", "w->special & SPECIAL_INDEX && !is_scalar(row)")],
     "VGPR indexing applies to memory instructions"),
    ("index_5_bits", "modifier", [("run_indexed", "index = m0 & 255", "index = m0 & 31")], "the index has five bits"),
    ("index_all", "modifier", [("run_indexed", " || !(m0 >> index_bit(row, d) & 1)", "")],
     "VGPR indexing applies to every operand"),
    ("index_src_dst", "modifier", [("index_bit", "return INDEX_DST;", "return INDEX_S0;")],
     "the enable of S0 moves the destination"),
    ("index_s1_s2", "modifier", [("index_bit", "? INDEX_S2 : INDEX_S1;", "? INDEX_S1 : INDEX_S2;")],
     "the enables of S1 and S2 are exchanged"),
    ("index_madmk", "modifier", [("index_bit", "d[-1].kind == K_LIT ? INDEX_S2", "d[-1].kind == K_LIT ? INDEX_S1")],
     "the addend of MADMK moves with the enable of S1"),
    ("index_s2", "modifier", [("index_bit", "SLOT_S0 ? INDEX_S0 : INDEX_S2", "SLOT_S0 ? INDEX_S0 : INDEX_DST")],
     "the enable of the destination moves S2"),
    ("index_writes", "modifier", [("run_indexed", "outside && d->dir & DIR_W", "false")],
     "a destination out of range is v0"),
    ("vskip_ignored", "exec", [("special", "w->special & SPECIAL_VSKIP && !is_scalar(row)", "false")],
     "VSKIP has no effect"),
    ("vskip_valu", "exec", [("special", "SPECIAL_VSKIP && !is_scalar(row)", "SPECIAL_VSKIP && is_valu(row)")],
     "VSKIP skips VALU instructions only"),
    ("vskip_smem", "exec", [("is_scalar", "case ENC_SMEM:", "")], "VSKIP skips scalar loads"),
    ("vskip_all", "exec", [("is_scalar", "case ENC_SOP1:", ""), ("is_scalar", "case ENC_SOP2:", "")],
     "VSKIP skips scalar arithmetic"),
    ("trap_never", "flag", [("special", "if (trap)", "if (false)")], "exceptions lead to no trap"),
    ("trap_disabled", "flag", [("take_trap", "w->raised & enabled", "w->raised")],
     "exceptions that are not enabled lead to a trap"),
    ("trap_sticky", "flag", [("take_trap", "w->raised & enabled", "w->trapsts & enabled")],
     "what TRAPSTS holds leads to a trap again and again"),
    ("trap_id", "flag", [("take_trap", "in->insn.dw : 0, 0)", "in->insn.dw : 0, 1)")], "exceptions have trap id 1"),
    ("trap_rewind", "flag", [("take_trap", "in->insn.dw : 0", "1 : 0")], "the PC is rewound by one dword always"),
    ("debug_ignored", "flag", [("take_trap", "bool debug = w->mode >> MODE_DEBUG & 1;", "bool debug = false;")],
     "MODE.DEBUG has no effect"),
]
OPERANDS += mutate_f16.OPERANDS


# ---- output ----

def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Out:
    """One generated file: functions, then the table of its mutants."""

    def __init__(self, name, head):
        self.name, self.text, self.table, self.left_out = name, [head], [], set()

    def add(self, ident, enc, op, kind, text, field, value):
        self.table.append(f"    {{ .id = {c_string(ident)}, .enc = {'ENC_' + enc if enc else 'ENC_COUNT'}, "
                          f".op = {'OP_' + op if op else 'OP_NONE'}, .kind = MUTANT_{kind.upper()}, "
                          f".text = {c_string(text)}, .{field} = {value} }},")

    def write(self, folder):
        table = f"const struct mutant mutants_{self.name}[] = {{\n" + "\n".join(self.table) + "\n};\n" \
                f"const u32 mutants_{self.name}_count = {len(self.table)};\n"
        text = "/* Made by scripts/mutate.py; every mutant has one bug, on purpose. */\n" \
               '#include "harness/mutant.h"\n' + "\n".join(self.text) + "\n" + table
        path = os.path.join(folder, f"mutants_{self.name}.c")
        if not os.path.exists(path) or read(path) != text:  # an unchanged file is not compiled again
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)


def family_head(family):
    """The file of a family up to its rows: helpers and macros."""
    path, defs = FAMILIES[family]
    text = read(path)
    if family == "buf":  # with the conversions, under other names
        public = re.findall(r"^\w[\w *]*?\b(\w+)\(", read("oracle/format.h"), re.M)
        first, rest = text.split("\n\n", 1)
        text = first + "\n" + rename_words(read("oracle/format.c") + rest, {n: "own_" + n for n in public})
    cut = re.search(r"^#undef OP", text, re.M)
    if not cut:
        fail(f"{path}: no #undef of the row macros")
    return re.sub(rf'^#include "oracle/isa/({"|".join(defs)})\.def"$', "", text[:cut.start()], flags=re.M)


def row_mutants(family, rows, functions):
    out = Out(family, family_head(family))
    out.text.append(f"extern sem_fn *const sem_{family}_base[OP_COUNT];")
    number = 0
    copies = {}  # edits -> what is renamed; one copy of the functions serves all rows
    for row in rows:
        names, taken = {}, {}
        seen = {(row.flags, row.body.rstrip(";"))}

        def place(what, kind, text, emit):
            nonlocal number
            names[what] = names.get(what, 0) + 1
            ident = row.name + "." + what + (str(names[what]) if names[what] > 1 else "")
            if ident in EQUIVALENT:
                out.left_out.add(ident)
                return
            name = f"m{number}"
            number += 1
            out.text.append(emit(name))
            out.add(ident, row.enc, row.name, kind, text, "sem", "sem_" + name)

        def place_body(what, kind, flags, body, text):
            key = (flags, body.rstrip(";"))
            if key in seen:
                return
            seen.add(key)
            place(what, kind, text, lambda n: f"{row.macro}({n}, {row.shape}, , {flags}, {{ {body} }})")

        for mutant in fixed_mutants(row):
            place_body(*mutant)
        for mutant in rule_mutants(row):
            kind = mutant[1]
            if taken.get(kind, 0) < CAPS[kind]:
                taken[kind] = taken.get(kind, 0) + 1
                place_body(*mutant)
        for what, kind, text, code in around_mutants(row):
            call = f"sem_{family}_base[OP_{row.name}](w, in)"
            place(what, kind, text, lambda n: f"static void sem_{n}(struct wave *w, const struct xinsn *in) "
                  f"{{ {code.replace('CALL', call)} }}")
        for what, kind, pattern, edits, text in HELPERS + mutate_buf.HELPERS + mutate_img.HELPERS:
            if not re.match(pattern, row.name):
                continue
            key = tuple(edits)
            if key not in copies:
                copy, copies[key] = variant(functions, edits, f"_{len(copies)}", row.name + "." + what)
                out.text.append(copy)
            rename = copies[key]
            if family == "buf":  # the macros call them
                before = "".join(f"#define {a} {b}\n" for a, b in rename.items())
                after = "".join(f"\n#undef {a}" for a in rename)
                place(what, kind, text, lambda n: f"{before}{row.macro}({n}, {row.shape}, , {row.flags}, {{ {row.body} }}){after}")
                continue
            body = rename_words(row.body, rename)
            if body == row.body:
                fail(f"mutant {row.name}.{what}: the row does not call {edits[0][0]}")
            place(what, kind, text, lambda n: f"{row.macro}({n}, {row.shape}, , {row.flags}, {{ {body} }})")
    return out


def operand_mutants():
    source = read("oracle/operand.c")
    functions = split_functions(source)
    out = Out("operand", "#define MUTANT 1\n#define SEM_NAME mutant\nextern const struct operand_ops operand_ops_mutant;\n" + source)
    out.text.append("""
#define FILTER(name, ENC, right, wrong)                                                            \\
    static void name##_prepare(struct xinsn *x, const struct insn *in)                             \\
    {                                                                                              \\
        (insn_row(in)->enc == ENC ? &wrong : &right)->prepare(x, in);                              \\
    }                                                                                              \\
    static const struct operand_ops name = { .prepare = name##_prepare, .addresses = addresses };
""")
    for number, (what, kind, encs, edits, text) in enumerate(OPERANDS):
        copy, rename = variant(functions, edits, f"_{number}", "operand." + what)
        if "OPERAND_OPS" not in rename:
            fail(f"mutant operand.{what}: {edits[0][0]} does not lead to the table of oracle/operand.c")
        table = rename["OPERAND_OPS"]
        out.text.append(f"static const struct operand_ops {table};\n" +
                        copy.replace(f"const struct operand_ops {table} =", f"static const struct operand_ops {table} ="))
        if not encs:
            out.add("operand." + what, None, None, kind, text, "operand", "&" + table)
            continue
        for enc in encs.split():
            name = f"ops_{enc}_{number}"
            out.text.append(f"FILTER({name}, ENC_{enc}, operand_ops_base, {table})")
            out.add(f"{enc.lower()}.{what}", enc, None, kind, text, "operand", "&" + name)
    return out


def loop_mutants():
    # Every instruction goes the special way, so that a change there is reached from the loop.
    source = read("oracle/exec.c").replace("exec_insn(w, in);", "exec_special(w, in);") \
        .replace("const struct exec_ops exec_ops =", "const struct exec_ops loop_ops =") \
        .replace("void exec_special(", "static void special(").replace("exec_special(", "special(")
    functions = split_functions(source)
    out = Out("exec", source)
    for number, (what, kind, edits, text) in enumerate(LOOP):
        copy, rename = variant(functions, edits, f"_{number}", "loop." + what)
        if "loop_ops" not in rename:
            fail(f"mutant loop.{what}: {edits[0][0]} does not lead to the table of oracle/exec.c")
        out.text.append(copy)
        out.add("loop." + what, None, None, kind, text, "exec", "&" + rename["loop_ops"])
    return out


def main():
    if len(sys.argv) != 2:
        fail("usage: mutate.py DIR")
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    rows = parse_rows(parse_shapes())
    common = split_functions(read("oracle/sem.h"))
    outs = []
    for family, (path, _) in FAMILIES.items():
        functions = dict(common)
        for source in (*HEADERS[family], path):
            functions.update(split_functions(read(source)))
        outs.append(row_mutants(family, [r for r in rows if r.family == family], functions))
    outs += [operand_mutants(), loop_mutants()]
    ids = [re.search(r'\.id = "([^"]*)"', line)[1] for out in outs for line in out.table]
    for ident in ids:
        if ids.count(ident) > 1:
            fail(f"two mutants are called {ident}")
    for ident in sorted(set(EQUIVALENT).difference(*(out.left_out for out in outs))):
        fail(f"EQUIVALENT names {ident}, which no rule makes")
    for out in outs:
        out.write(folder)


main()
