"""Bugs around the right function of a row, for mutate.py: what stands between an instruction's operands and its body."""

import re

# What a rule would yield that behaves as the right one does: (rows, mutants), with the reason.
SAME = [(re.compile(rows), re.compile(names)) for rows, names in (
    (r"v_mad[am]k_|v_dot2c_", r"s\d_plain|clamp_ignored|omod_ignored"),  # no form with modifiers
    (r"v_cmps?x?_(f|o|u|tru)_f", r"s\d_plain"),  # no sign counts
    (r"v_cmps?x?_(f|t|tru)_", r"s1_is_s0"),  # no operand counts
    (r"v_cmp_f_|v_nop$", r"exec_ignored"),  # nothing to write, or zeros
    (r"v_frexp_exp_|v_trig_preop_|v_cos_|v_cubetc_", r"s0_plain"),  # even functions of S0
    (r"v_cubesc_", r"s1_plain"),  # the sign of y does not count
    (r"v_div_fixup_", r"s0_plain"),  # the sign is that of the operands, whatever the quotient's
    (r"v_div_scale_", r"s2_plain"),  # of S2 only the exponent counts, and whether it is S0
    (r"v_div_scale_", r"clamp_ignored|omod_ignored"),  # what they do there is documented nowhere
    (r"v_cmpx?_(f|t|tru|o|u)_|v_trig_preop_", r"constant"),  # numbers below 2^53 are all the same
    (r"s_cbranch_g_fork|s_rfe_", r"constant"),  # addresses and masks: a constant makes no sense
    (r"v_trig_preop_", r"clamp_ignored"),  # all results are between 0 and 1
)]

FLOATS = ("F16", "F32", "F64")
DWORDS = {"B64": 2, "U64": 2, "I64": 2, "F64": 2, "MASK": 0, "MIX": 0}

# An inline f32 as f16, integers as they are.
AS_F16 = "= x.opnd[SLOT_S0].konst > 64 && x.opnd[SLOT_S0].konst < 0xfffffff0 ? (x.opnd[SLOT_S0].konst >> 16 & 0x8000)" \
    " | (((x.opnd[SLOT_S0].konst >> 13 & 0x3ffff) - 0x1c000) & 0x7fff) : x.opnd[SLOT_S0].konst"
# Inline constants of another width: what is said of them, and the change.
CONSTANTS = {"F16": ("inline floats are those of f32", "&= x.opnd[SLOT_S0].konst > 64 && x.opnd[SLOT_S0].konst < 0xff00 ? 0 : ~0ull"),
             "PF16": ("inline floats stand in both halves", "|= x.opnd[SLOT_S0].konst > 64 && x.opnd[SLOT_S0].konst < 0x10000 ? x.opnd[SLOT_S0].konst << 16 : 0"),
             "PU16": ("inline floats are those of f16", AS_F16), "PI16": ("inline floats are those of f16", AS_F16),
             "F64": ("inline floats are those of f32", "= x.opnd[SLOT_S0].konst >> 32"),
             "U64": ("constants have 32 bits", "&= 0xffffffff"), "I64": ("constants have 32 bits", "&= 0xffffffff"), "B64": ("constants have 32 bits", "&= 0xffffffff")}


def call(row):
    return f"sem_{row.name}_base(w, &x);"


def with_copy(row, change):
    return f"struct xinsn x = *in; {change} {call(row)}"


def sources(row):
    """The fetched sources in order, with their types."""
    return [(v, row.type[v]) for v in ("S0", "S1", "S2") if v in row.type]


def alu(row):
    vector = row.enc in ("VOP1", "VOP2", "VOPC", "VOP3A", "VOP3B", "VOP3P", "VINTRP")
    names = sources(row)
    if row.macro not in ("OP", "OPF", "OPH", "OPP"):
        return
    if vector and not row.has("WR_EXEC"):
        yield "exec_ignored", "exec", "acts for all lanes", \
            "u64 old = wave_exec(w); pair_set(&w->sgpr[CODE_EXEC], ~0ull); CALL; pair_set(&w->sgpr[CODE_EXEC], old);"
    for (a, ta), (b, tb) in zip(names, names[1:]):
        if DWORDS.get(ta, 1) == DWORDS.get(tb, 1) != 0:
            yield f"{b.lower()}_is_{a.lower()}", "value", f"{b} reads what {a} reads", \
                with_copy(row, f"x.opnd[SLOT_{b}] = x.opnd[SLOT_{a}];")
    for v, t in names:
        if t in CONSTANTS and row.kind[v] in ("SRC", "SSRC"):
            text, change = CONSTANTS[t]
            yield "constant", "value", text, with_copy(row, f"if (x.opnd[SLOT_{v}].is_const) x.opnd[SLOT_{v}].konst {change.replace('S0', v)};")
            break
    if not vector or row.enc == "VOP3P":
        return
    for v, t in names:
        if t in FLOATS and row.kind[v] != "LIT":
            yield f"{v.lower()}_plain", "modifier", f"neg and abs of {v} have no effect", \
                with_copy(row, f"x.opnd[SLOT_{v}].keep = ~0u; x.opnd[SLOT_{v}].flip = 0;")
    if row.type.get("D") in FLOATS:
        yield "clamp_ignored", "modifier", "clamp has no effect", with_copy(row, "x.clamp = 0;")
        if not row.has("NO_OMOD"):
            yield "omod_ignored", "modifier", "omod has no effect", with_copy(row, "x.omod = 0;")


def memory(row):
    if row.has("LANEWISE") or not row.type:
        return
    if row.enc in ("DS", "FLAT", "GLOBAL", "SCRATCH"):
        yield "offset_ignored", "address", "the offset is ignored", with_copy(row, "x.offset = 0;")
    if row.enc in ("GLOBAL", "SCRATCH"):
        if row.has("LDS_FORM"):
            yield "lds_ignored", "address", "data go to the register with lds too", with_copy(row, "x.into_lds = false;")
            yield "lds_m0", "address", "M0 is not added in LDS", \
                "u32 old = w->sgpr[CODE_M0]; w->sgpr[CODE_M0] = 0; CALL; w->sgpr[CODE_M0] = old;"
            yield "lds_m0_wide", "address", "all of M0 is added in LDS", \
                "u32 old = w->sgpr[CODE_M0]; w->sgpr[CODE_M0] = old | old >> 16; CALL; w->sgpr[CODE_M0] = old;"
        yield "saddr_ignored", "address", "the scalar address is ignored", with_copy(row, "x.opnd[SLOT_BASE].code = CODE_OFF;")


def around(row):
    """(what, kind, text, C statements with CALL)"""
    for mutant in memory(row) if row.family in ("mem", "buf") else alu(row):
        if not any(rows.match(row.name) and names.fullmatch(mutant[0]) for rows, names in SAME):
            yield mutant
