"""Bugs of the 16-bit, packed and mixed opcodes and of the dot products, for mutate.py: (what, rows, old, new, text) as
in mutate_f32.py, statements put before a body, and changes of oracle/sem/operand.c. A bug is a text of C in the row's type;
those of both types stand twice, since most have constants of their format in them."""

SUB = "(S0 & 0x7c00) == 0 && (S0 & 0x3ff)"
NAN = "(S0 & 0x7fff) > 0x7c00"


def call(name, args="(E, S0)"): return f"f{name}16{args}"


def unary(name, *bugs):
    old = call(name)
    return [(what, rf"v_{name}_f16$", old, new.replace("CALL", old), text) for what, new, text in bugs]


COMMON = (("magnitude", "{f}16(E, S0 & 0x7fff)", "the sign is ignored"), ("negated", "(CALL ^ 0x8000)", "the sign is wrong"),
          ("payload_lost", f"({NAN} ? 0x7e00 : CALL)", "every NaN becomes the same"),
          ("coarse", "(CALL & 0xfff0)", "four bits too few"), ("flushed", f"({SUB} ? {{f}}16(E, S0 & 0x8000) : CALL)", "subnormal operands count as zeros"))
OTHER = {"rcp": "rsq", "rsq": "rcp", "sqrt": "rsq", "log": "exp", "exp": "log", "sin": "cos", "cos": "sin"}
TWO, THREE = "(E, S0, S1)", "(E, S0, S1, S2)"


def common(name):
    skip = {"sqrt": ("magnitude",), "cos": ("magnitude", "flushed"), "exp": ("flushed",), "sin": ("flushed",)}.get(name, ())
    return [(w, new.replace("{f}", "f" + name), t) for w, new, t in COMMON if w not in skip]


BUGS = [
    *[bug for name, other in OTHER.items() for bug in unary(
        name, ("other_op", call(other), "another function"), *common(name), ("up", "(CALL + 1)", "one unit too much"))],
    *unary("rcp", ("zero_positive", "((S0 & 0x7fff) == 0 ? 0x7c00 : CALL)", "-0 gives +inf"), ("inf_positive", "((S0 & 0x7fff) == 0x7c00 ? 0 : CALL)", "-inf gives +0")),
    *unary("log", ("natural", "fmul16(E, CALL, 0x398c)", "the base is e"), ("nan_positive", "(CALL == 0xfe00 ? 0x7e00 : CALL)", "the NaN made is positive")),
    *unary("exp", ("natural", "fexp16(E, fmul16(E, S0, 0x3dc5))", "the base is e"), ("subnormal", "((CALL & 0x7c00) == 0 ? 0 : CALL)", "results below the normal numbers are 0")),
    *unary("sin", ("radians", "fsin16(E, fmul16(E, S0, 0x3118))", "the operand is an angle in radians"), ("half_turns", "fsin16(E, fmul16(E, S0, 0x3800))", "the operand counts half turns"),
           ("zero_positive", "((S0 & 0x7fff) == 0 ? 0 : CALL)", "-0 gives +0")),
    *unary("cos", ("radians", "fcos16(E, fmul16(E, S0, 0x3118))", "the operand is an angle in radians"), ("half_turns", "fcos16(E, fmul16(E, S0, 0x3800))", "the operand counts half turns")),
    *[(what, rf"v_{name}_f16$", f"f{name}16(E, S0)", new, text) for name, what, new, text in (
        ("trunc", "floor", "ffloor16(E, S0)", "rounds down"), ("floor", "trunc", "ftrunc16(E, S0)", "rounds to zero"), ("ceil", "trunc", "ftrunc16(E, S0)", "rounds to zero"),
        ("rndne", "trunc", "ftrunc16(E, S0)", "rounds to zero"), ("rndne", "half_up", "ffloor16(E, fadd16(E, S0, 0x3800))", "ties go up"),
        ("ceil", "zero", "(ftrunc16(E, S0) == 0x8000 ? 0 : fceil16(E, S0))", "-0 becomes +0"), ("fract", "truncated", "fsub16(E, S0, ftrunc16(E, S0))", "has the sign of the operand"),
        ("fract", "magnitude", "ffract16(E, S0 & 0x7fff)", "the sign is ignored"))],
    ("double", r"v_frexp_mant_f16$", "frexp_mant16(E, S0)", "fldexp16(E, frexp_mant16(E, S0), 1)", "twice as much"),
    ("sign", r"v_frexp_mant_f16$", "frexp_mant16(E, S0)", "frexp_mant16(E, S0 & 0x7fff)", "the sign is lost"),
    ("subnormal", r"v_frexp_mant_f16$", "frexp_mant16(E, S0)", f"({SUB} ? (S0 & 0x83ff) | 0x3800 : frexp_mant16(E, S0))", "subnormals are not normalised"),
    ("one_less", r"v_frexp_exp_i16_f16$", "frexp_exp16(E, S0)", "(i16)(frexp_exp16(E, S0) - 1)", "one less"),
    ("subnormal", r"v_frexp_exp_i16_f16$", "frexp_exp16(E, S0)", f"({SUB} ? (i16)-14 : frexp_exp16(E, S0))", "subnormals are not normalised"),
    ("special", r"v_frexp_exp_i16_f16$", "frexp_exp16(E, S0)", "((S0 & 0x7c00) == 0x7c00 ? (i16)17 : frexp_exp16(E, S0))", "infinity and NaN have their exponent"),
    ("byte", r"v_ldexp_f16$", "fldexp16(E, S0, S1)", "fldexp16(E, S0, (i8)S1)", "the exponent has 8 bits"),
    ("unsigned", r"v_ldexp_f16$", "fldexp16(E, S0, S1)", "fldexp16(E, S0, (i16)(S1 & 0x7fff))", "the exponent has no sign"),
    ("wrapped", r"v_ldexp_f16$", "fldexp16(E, S0, S1)", "((S0 & 0x7c00) ? (u16)(S0 + ((u32)S1 << 10)) : S0)", "the exponent field is added to"),
    ("twice", r"v_ldexp_f16$", "fldexp16(E, S0, S1)", "fldexp16(E, fldexp16(E, S0, (i16)(S1 / 2)), (i16)(S1 - S1 / 2))", "scales in two steps"),
    ("sign", r"v_cmpx?_class_f16$", "fclass16(S0,", "fclass16(S0 & 0x7fff,", "the sign does not count"),
    ("flushed", r"v_cmpx?_class_f16$", "fclass16(S0,", f"fclass16({SUB} ? S0 & 0x8000 : S0,", "subnormals count as zeros"),
    ("quieted", r"v_cmpx?_class_f16$", "fclass16(S0,", f"fclass16({NAN} ? S0 | 0x200 : S0,", "no NaN is signaling"),
    ("byte", r"v_cmpx?_class_f16$", "(u16)S1", "(u16)S1 & 0xff", "only eight classes"),
    *[("other_op", rf"v_(pk_)?{a}(rev)?_f16$", f"f{a}16(", f"f{b}16(", text) for a, b, text in (
        ("add", "sub", "the difference"), ("mul", "add", "the sum"), ("min", "max", "the maximum"), ("max", "min", "the minimum"))],
    ("other_op", r"v_sub(rev)?_f16$", "fsub16(", "fadd16(", "the sum"),
    ("reversed", r"v_sub_f16$", "S0, S1", "S1, S0", "the sources are exchanged"), ("reversed", r"v_subrev_f16$", "S1, S0", "S0, S1", "the sources are exchanged"),
    ("unfused", r"v_(pk_)?fma_(legacy_)?f16$", "ffma16(", "fmad16(", "rounded twice"), ("fused", r"v_mad_(legacy_)?f16$|v_mac_f16$|v_mad[am]k_f16$", "fmad16(", "ffma16(", "rounded once"),
    ("no_addend", r"v_(pk_)?fma_(legacy_)?f16$", "ffma16(E, S0, S1, S2)", "fmul16(E, S0, S1)", "the addend is lost"),
    ("denorm_obeyed", r"v_mad_(legacy_)?f16$", "fmad16(E, S0, S1, S2)", "fadd16(E, fmul16(E, S0, S1), S2)", "subnormals as MODE says"),
    ("crossed", r"v_mad_(legacy_)?f16$", "S0, S1, S2", "S0, S2, S1", "factor and addend are exchanged"), ("crossed", r"v_(pk_)?fma_(legacy_)?f16$", "S0, S1, S2", "S0, S2, S1", "factor and addend are exchanged"),
    ("crossed", r"v_madmk_f16$", "S0, K, S1", "S0, S1, K", "factor and addend are exchanged"), ("crossed", r"v_madak_f16$", "S0, S1, K", "S0, K, S1", "factor and addend are exchanged"),
    ("without0", r"v_(min|max)3_f16$", "S0, S1), S2", "S1, S1), S2", "the first operand does not count"), ("without2", r"v_(min|max)3_f16$", ", S2)", ", S1)", "the third operand does not count"),
    ("min", r"v_med3_f16$", "fmed316(E, S0, S1, S2)", "fmin16(E, fmin16(E, S0, S1), S2)", "the minimum"), ("max", r"v_med3_f16$", "fmed316(E, S0, S1, S2)", "fmax16(E, fmax16(E, S0, S1), S2)", "the maximum"),
    ("clamped", r"v_med3_f16$", "fmed316(E, S0, S1, S2)", "fmin16(E, fmax16(E, S0, S1), S2)", "S0 clamped to S1 and S2"),
    ("sign", r"v_div_fixup_(legacy_)?f16$", "fdiv_fixup16(E, S0, S1, S2)", "fdiv_fixup16(E, S0, S1, S2 & 0x7fff)", "the sign of the numerator is lost"),
    ("crossed", r"v_div_fixup_(legacy_)?f16$", "S0, S1, S2", "S0, S2, S1", "numerator and denominator are exchanged"), ("kept", r"v_div_fixup_(legacy_)?f16$", "fdiv_fixup16(E, S0, S1, S2)", "S0", "the quotient as it is"),
    *[("unsigned", rf"v_cvt_f16_i16$", "cvt_f16_i16(E, S0)", "cvt_f16_u16(E, (u16)S0)", "the operand has no sign"), ("signed", r"v_cvt_f16_u16$", "cvt_f16_u16(E, S0)", "cvt_f16_i16(E, (i16)S0)", "the operand has a sign"),
      ("signed", r"v_cvt_u16_f16$", "cvt_u16_f16(E, S0)", "(u16)cvt_i16_f16(E, S0)", "saturates as with sign"), ("unsigned", r"v_cvt_i16_f16$", "cvt_i16_f16(E, S0)", "(i16)cvt_u16_f16(E, S0)", "saturates as without sign"),
      ("rounded", r"v_cvt_u16_f16$", "cvt_u16_f16(E, S0)", "cvt_u16_f16(E, frndne16(E, S0))", "rounds to nearest"), ("rounded", r"v_cvt_i16_f16$", "cvt_i16_f16(E, S0)", "cvt_i16_f16(E, frndne16(E, S0))", "rounds to nearest"),
      ("floor", r"v_cvt_i16_f16$", "cvt_i16_f16(E, S0)", "cvt_i16_f16(E, ffloor16(E, S0))", "rounds down")],
    ("unsigned", r"v_cvt_norm_i16_f16$", "cvt_snorm16_f16", "(i16)cvt_unorm16_f16", "as without sign"), ("signed", r"v_cvt_norm_u16_f16$", "cvt_unorm16_f16(E, S0)", "(u16)cvt_snorm16_f16(E, S0)", "as with sign"),
    ("minimum", r"v_cvt_norm_i16_f16$", "cvt_snorm16_f16(E, S0)", "(S0 == 0xbc00 ? (i16)-32768 : cvt_snorm16_f16(E, S0))", "-1 gives -32768"),
    ("high_lost", r"v_cvt_pknorm_[iu]16_f16$|v_pack_b32_f16$", " << 16", " << 15", "the high half stands one bit too low"), ("crossed", r"v_pack_b32_f16$", "E, S0", "E, S1", "the second source twice"),
    ("low_high", r"v_cvt_pknorm_[iu]16_f16$", "(E, S1)", "(E, S0)", "the first source twice"),
    ("payload", r"v_cvt_f32_f16$", "cvt_f32_f16(E, S0)", f"({NAN} ? 0x7fc00000 : cvt_f32_f16(E, S0))", "every NaN becomes the same"), ("truncated", r"v_cvt_f16_f32$", "cvt_f16_f32(E, S0)", "cvt_f16_f32(E, S0 & 0xffffe000)", "cut, not rounded"),
    ("payload", r"v_cvt_f16_f32$", "cvt_f16_f32(E, S0)", "((S0 & 0x7fffffff) > 0x7f800000 ? 0x7e00 : cvt_f16_f32(E, S0))", "every NaN becomes the same"),
    ("low", r"v_sat_pk_u8_i16$", "(i16)S0)", "(i16)(S0 & 0xff))", "the low half is cut to a byte first"), ("order", r"v_sat_pk_u8_i16$", "S0 >> 16", "S0", "the low half twice"), ("place", r"v_sat_pk_u8_i16$", "<< 8", "<< 16", "the second byte stands in the third"),
    *[("clamp_signed", rf"v_(pk_)?(add|sub|subrev|mad|mad_legacy)_u16$", "u16_of(", "(u16)i16_of(", "saturates with sign"), ("clamp_unsigned", rf"v_(pk_)?(add|sub|mad|mad_legacy)_i16$", "i16_of(", "(i16)u16_of(", "saturates without sign")],
    *[("count", r"v_(pk_)?(lshl|lshr|ashr)rev_[bi]16$", "& 15", "& 7", "three bits of the count"), ("count32", r"v_(pk_)?(lshl|lshr|ashr)rev_[bi]16$", "& 15", "& 31", "five bits of the count"),
      ("swapped", r"v_(pk_)?(lshl|lshr|ashr)rev_[bi]16$", "S1", "S0", "the count is shifted")],
    ("fused", r"v_mad_mix_f32$", "fmad32(", "ffma32(", "rounded once"), ("unfused", r"v_fma_mix_f32$", "ffma32(", "fmad32(", "rounded twice"), ("no_addend", r"v_(mad|fma)_mix", "S0, S1, S2", "S0, S1, 0", "the addend is lost"),
    ("crossed", r"v_(mad|fma)_mix", "S0, S1, S2", "S0, S2, S1", "factor and addend are exchanged"),
    ("unsigned", r"v_dot\dc?_i32", "dot_i(S0, S1, ", "(i64)dot_u(S0, S1, ", "elements have no sign"), ("signed", r"v_dot\d_u32", "dot_u(S0, S1, ", "(u64)dot_i(S0, S1, ", "elements have a sign"),
    ("low_half", r"v_dot\dc?_[iu]32", "(S0, S1, ", "(S0 & 0xffff, S1, ", "only the low half counts"), ("high_half", r"v_dot\dc?_[iu]32", "(S0, S1, ", "(S0 & 0xffff0000, S1, ", "only the high half counts"),
    ("no_addend", r"v_dot\d_[iu]32", ", S2, CLAMP", ", 0, CLAMP", "the addend is lost"), ("no_addend", r"v_dot\dc_i32", ", D, CLAMP", ", 0, CLAMP", "the destination is lost"),
    ("low_half", r"v_dot2c?_f32_f16$", "(E, S0, S1", "(E, S0 & 0xffff, S1", "only the low product counts"), ("high_half", r"v_dot2c?_f32_f16$", "(E, S0, S1", "(E, S0 & 0xffff0000, S1", "only the high product counts"),
    ("no_addend", r"v_dot2_f32_f16$", "S1, S2)", "S1, 0)", "the addend is lost"), ("unfused", r"v_fmac_f32$", "ffma32(", "fmad32(", "rounded twice"), ("no_addend", r"v_fmac_f32$", "S1, D)", "S1, 0)", "the destination is lost"),
    ("unfused", r"v_pk_fmac_f16$", "ffma16(", "fmad16(", "rounded twice"), ("xor", r"v_xnor_b32$", "~", "", "bits that differ"), ("or", r"v_xnor_b32$", "^", "|", "bits clear in both"),
]

ROUNDED = r"v_(pk_)?(add|sub|subrev|mul|fma|fma_legacy|ldexp|fract|fmac)_f16$|v_cvt_f16_[fui]\d\d$"
FLUSHED = r"v_(pk_)?(add|sub|subrev|mul|fma|fma_legacy|fmac|sqrt|rsq|log|ldexp)_f16$"
COMPARED = r"v_cmpx?_(lt|eq|le|gt|lg|ge|nge|nlg|ngt|nle|neq|nlt)_f16$"
EVERYWHERE = [
    ("round_ignored", ROUNDED + r"|v_mad_(legacy_)?f16$|v_mac_f16$|v_mad[am]k_f16$", "E->round = ROUND_EVEN; ", "always rounds to even"),
    ("round_f32", ROUNDED, "E->round = w->f32.round; ", "rounds as MODE says for f32"),
    ("denorm_kept", FLUSHED + "|" + COMPARED, "E->flush_in = E->flush_out = 0; ", "subnormals are never flushed"), ("denorm_flushed", FLUSHED + r"|v_(pk_)?(min|max)_f16$|" + COMPARED, "E->flush_in = E->flush_out = 1; ", "subnormals are always flushed"),
    ("denorm_f32", FLUSHED + "|" + COMPARED, "E->flush_in = w->f32.flush_in; E->flush_out = w->f32.flush_out; ", "flushes as MODE says for f32"),
    ("ovfl_ignored", r"v_(pk_)?(add|mul|fma|fma_legacy)_f16$|v_(sub|ldexp|mad|mad_legacy)_f16$|v_cvt_f16_(u16|f32)$", "E->fp16_ovfl = 0; ", "FP16_OVFL has no effect"),
    ("ieee_ignored", r"v_(pk_)?(min|max)_f16$|v_(min|max|med)3_f16$", "E->ieee = 0; ", "MODE.IEEE counts as 0"), ("ieee_always", r"v_(pk_)?(min|max)_f16$|v_(min|max)3_f16$", "E->ieee = 1; ", "MODE.IEEE counts as 1"),
]

PK, MIX, HALVES = "VOP3P", "VOP3P", "VOP1 VOP2 VOPC VOP3A"
OPERANDS = [
    ("op_sel_ignored", "modifier", "VOP3A", [("takes_op_sel", "index < 3 &&", "false &&")], "op_sel of sources has no effect"),
    ("op_sel_second", "modifier", "VOP3A", [("prepare_modifiers", "insn_get(in, FLD_op_sel) >> index & 1", "insn_get(in, FLD_op_sel) >> (index ^ 1) & 1")], "op_sel of the first two sources is exchanged"),
    ("op_sel_dst_ignored", "modifier", "VOP3A", [("part_of", "return high ? PART_HIGH : PART_LOW;", "return PART_LOW;")], "the result goes to the low half"),
    ("other_half_lost", "modifier", "VOP2 VOP3A VOP3P", [("keep_other_half", "| (old[lane] & ~field)", "")], "the other half of the destination becomes 0"),
    ("other_half_mixed", "modifier", "VOP2 VOP3A VOP3P", [("keep_other_half", "(old[lane] & ~field)", "old[lane]")], "the old half is ored in"),
    ("half_sign", "modifier", HALVES, [("prepare_modifiers", "? 0x8000 : 0x80000000", "? 0x80000000 : 0x80000000")], "neg and abs of halves change bit 31"),
    ("mixhi_low", "modifier", "VOP3P", [("part_of", "return PART_HIGH;", "return PART_LOW;")], "v_mad_mixhi writes the low half"),
    ("op_sel_ignored", "modifier", PK, [("prepare_packed", "insn_get(in, FLD_op_sel) >> index & 1 ? 16 : 0", "0")], "op_sel has no effect"),
    ("op_sel_hi_ignored", "modifier", PK, [("prepare_packed", "op_sel_hi(in, index) ? 16 : 0", "16")], "op_sel_hi has no effect"),
    ("op_sel_hi_order", "modifier", PK, [("op_sel_hi", "insn_get(in, FLD_op_sel_hi) >> index & 1", "insn_get(in, FLD_op_sel_hi) >> (1 - index) & 1")], "op_sel_hi of the first two sources is exchanged, as the manual has it"),
    ("op_sel_hi2", "modifier", PK, [("op_sel_hi", ": insn_get(in, FLD_op_sel_hi2)", ": true")], "op_sel_hi of the third source has no effect"),
    ("neg_lo_ignored", "modifier", PK, [("prepare_packed", "low ? 0x8000u : 0", "false ? 0x8000u : 0")], "neg_lo has no effect"),
    ("neg_hi_ignored", "modifier", PK, [("prepare_packed", "high ? 0x80000000 : 0", "false ? 0x80000000 : 0")], "neg_hi has no effect"),
    ("neg_both", "modifier", PK, [("prepare_packed", "high ? 0x80000000 : 0", "low ? 0x80000000 : 0")], "neg_lo negates both halves"),
    ("mix_op_sel_ignored", "modifier", MIX, [("prepare_mix", "insn_get(in, FLD_op_sel) >> index & 1 ? 16 : 0", "false ? 16 : 0")], "mixed sources are low halves"),
    ("mix_f32", "modifier", MIX, [("prepare_mix", "bool half = op_sel_hi(in, index);", "bool half = false;")], "mixed sources are f32"),
    ("mix_abs_ignored", "modifier", MIX, [("prepare_mix", "insn_get(in, FLD_neg_hi) >> index & 1 ? ~top : ~0u", "~0u")], "neg_hi takes no absolute value"),
    ("mix_neg_ignored", "modifier", MIX, [("prepare_mix", "insn_get(in, FLD_neg) >> index & 1 ? top : 0", "0")], "neg has no effect"),
    ("clamp_high_lost", "modifier", PK, [("clamp_of", "type == T_PF16 ?", "false ?")], "clamp makes the high half 0"),
    ("omod_half", "modifier", "VOP1 VOP2 VOP3A", [("omod_of", "fomod16(env, (u16)v, omod) | high << 16", "v")], "omod has no effect on halves"),
    ("dpp_half", "modifier", "VOP2", [("store_vgpr_dpp", "if (o->part)", "if (false)")], "a DPP result takes the whole register"),
]
