"""How the bodies of rows are changed, for mutate.py."""
import re

import mutate_img
import mutate_sample


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

# Each rule: (name, regex, replacement, condition on the row or None). Applied to one statement at a time, first
# match only. A replacement may be a function of (match, row).
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
    ("or_and", r" \| (?=~?[A-Z(])", " & ", lambda r: "fcmp" not in r.body and r.family != "sample"),
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

RULES += mutate_img.RULES + mutate_sample.RULES
