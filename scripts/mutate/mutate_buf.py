"""Bugs of the buffer opcodes, for mutate.py: rules for the bodies, and changes of the functions in oracle/sem/mem/buf.c and
oracle/fp/format.c that give a lane its place and convert a texel."""

PLAIN = r"buffer_(load|store)_(?!format|lds)\w+$"
LOAD = r"buffer_load_(?!format)\w+$"
SHORT = r"buffer_load_(?!format|dwordx)\w+$"
TEXEL = r"t?buffer_(load|store)_format_\w+$"
ATOMIC = r"buffer_atomic_\w+$"
ATOMIC_RTN = r"buffer_atomic_(?!add_f32|pk_add)\w+$"
EVERY = f"({PLAIN}|{TEXEL}|{ATOMIC_RTN})"
OFFSETS = f"({PLAIN}|{ATOMIC_RTN})"
RECORDS = f"({PLAIN}|{TEXEL})"
LOADS = r"t?buffer_load_(?!lds)\w+$"
T_LOAD = r"t?buffer_load_format_[xyzw]+$"
T_HALF = r"t?buffer_load_format_d16_[xyzw]+$"
T_STORE = r"t?buffer_store_format_(d16_)?[xyzw]+$"
T_STORE4 = r"t?buffer_store_format_xyzw$"

# Of bodies: as RULES in mutate.py.
RULES = [
    ("size", r"(?<!sext32\()\bLD(8|16)\(0\)", lambda m, _: {"8": "LD16(0)", "16": "LD8(0)"}[m[1]]),
    ("size", r"sext32\(LD16\(0\)", "sext32(LD8(0)"),
    ("size", r"\bST(8|16)\(0, ", lambda m, _: {"8": "ST16(0, ", "16": "ST8(0, "}[m[1]]),
    ("size", r"^u64 old = LD64\(0\)$", "u64 old = LD32(0)"),
    ("size", r"^ST64\(0, ", "ST32(0, (u32)"),
    ("size", r"^ST32\(0, (?=.*(?:old|DATA0\)$))(?!.*DATA0\.d)", "ST16(0, "),
    ("unsigned", r"sext32\((LD\d+\(0\)), (8|16)\)", r"\1"),
    ("crossed", r"LD32\(0\), LD32\(4\)", "LD32(4), LD32(0)"),
    ("one_dword", r"\bLD32\((4|8|12)\)", "LD32(0)"),
    ("last_dword", r"^ST32\((4|8|12), .*$", "(void)0"),
    ("one_place", r"^ST32\((4|8|12), ", "ST32(0, "),
    ("low_half", r"DATA0 >> 16", "DATA0"),
    ("place", r" << 16$", ""),
    ("rest_lost", r"\(D & (~?0xffffu?|~mask64\(48\))\) \| ", ""),
    ("rest_mixed", r"\(D & (~?0xffffu?|~mask64\(48\))\) \| ", "D | "),
    ("old_lost", r"^DATA0 = old$", "(void)old"),
    ("old_lost", r"^pair_set\(DATA0\.d, old\)$", "(void)old"),
    ("old_low", r"^pair_set\(DATA0\.d, old\)$", "DATA0.d[0] = (u32)old"),
    ("new_back", r"^DATA0 = old$", "DATA0 = LD64(0)", ),
    ("add_sub", r"old \+ DATA0", "old - DATA0"), ("sub_add", r"old - DATA0", "old + DATA0"), ("order", r"old - DATA0", "DATA0 - old"),
    ("and_or", r"old & DATA0", "old | DATA0"), ("or_xor", r"old \| DATA0", "old ^ DATA0"), ("or_and", r"old \| DATA0", "old & DATA0"),
    ("xor_or", r"old \^ DATA0", "old | DATA0"), ("kept", r"^ST(32|64)\(0, (old .|\w+\(old,)? ?DATA0\)+$", "(void)0"),
    ("one_less", r"TEXEL_(LOAD|STORE)\(([234]), ", lambda m, _: f"TEXEL_{m[1]}({int(m[2]) - 1}, "),
    ("f32", r"TEXEL_(LOAD|STORE)\((\d), true", r"TEXEL_\1(\2, false"), ("f16", r"TEXEL_(LOAD|STORE)\((\d), false", r"TEXEL_\1(\2, true"),
]

# Of functions: (what, kind, rows, edits, text) as HELPERS in mutate.py.
HELPERS = [
    ("soffset_ignored", "address", OFFSETS, [("buffer_spot", "b->base + b->soffset + within", "b->base + within")], "the scalar offset is ignored"),
    ("offset_ignored", "address", EVERY, [("buffer_spot", "b->voffset[lane] + b->offset", "b->voffset[lane]")], "the immediate offset is ignored"),
    ("offset_8_bits", "address", r"buffer_load_dword$", [("buffer_spot", "b->voffset[lane] + b->offset", "b->voffset[lane] + (b->offset & 255)")], "the immediate offset has 8 bits"),
    ("voffset_ignored", "address", OFFSETS, [("buffer_spot", "b->voffset[lane] + b->offset", "b->offset")], "the vector offset is ignored"),
    ("index_ignored", "address", RECORDS, [("buffer_spot", "u32 index = b->index[lane] +", "u32 index =")], "the index is ignored"),
    ("stride_ignored", "address", RECORDS, [("buffer_spot", "(u64)index * b->stride", "(u64)index")], "the stride is ignored"),
    ("stride_dwords", "address", RECORDS, [("buffer_spot", "(u64)index * b->stride", "(u64)index * b->stride * 4")], "the stride counts dwords"),
    ("swapped", "address", PLAIN, [("buffer_open", "if (b->idxen)", "if (b->offen && b->idxen) b->index = w->vgpr[(vaddr + 1) % VGPRS], b->voffset = w->vgpr[vaddr % VGPRS]; else if (b->idxen)"),
                                   ("buffer_open", "if (b->offen)", "if (b->offen && !b->idxen)")], "index and offset are exchanged"),
    ("same_register", "address", PLAIN, [("buffer_open", "w->vgpr[vaddr++ % VGPRS]", "w->vgpr[vaddr % VGPRS]")], "index and offset come from one register"),
    ("swizzle_ignored", "address", SHORT, [("buffer_spot", "if (b->swizzle)", "if (false)")], "swizzling has no effect"),
    ("swizzle_always", "address", RECORDS, [("buffer_spot", "if (b->swizzle)", "if (true)")], "every buffer is swizzled"),
    ("element", "address", SHORT, [("buffer_spot", "(u64)(offset / b->element) * b->element", "(u64)(offset / 8) * 8")], "an element has 8 bytes"),
    ("index_stride", "address", SHORT, [("buffer_open", "8u << bits32(r[3], 21, 2)", "16u << bits32(r[3], 21, 2)")], "the index stride is twice as much"),
    ("lsb", "address", SHORT, [("buffer_spot", "(u64)lsb * b->element", "(u64)lsb")], "records in a swizzled group stand a byte apart"),
    ("tid_ignored", "address", LOAD, [("buffer_spot", "(b->add_tid ? lane : 0)", "0")], "ADD_TID has no effect"),
    ("tid_always", "address", LOADS, [("buffer_spot", "(b->add_tid ? lane : 0)", "lane")], "the lane always counts"),
    ("base_low", "address", EVERY, [("buffer_open", "r[0] | (u64)(r[1] & 0xffff) << 32", "r[0]")], "the base has 32 bits"),
    ("base_wide", "address", RECORDS, [("buffer_open", "(u64)(r[1] & 0xffff) << 32", "(u64)r[1] << 32"), ("buffer_spot", "sext64(addr, 48)", "addr")], "the stride is part of the base"),
    ("stride_bits", "address", r"buffer_load_(?!format)\w+$", [("buffer_open", "bits32(r[1], 16, 14)", "bits32(r[1], 16, 3)")], "the stride has three bits"),
    ("range_ignored", "address", PLAIN, [("bytes_left_gfx7", "offset < b->records ? b->records - offset : 0", "~0ull"), ("bytes_left", "offset < b->records ? b->records - offset : 0", "~0ull"), ("bytes_left_gfx8", "at < b->records ? b->records - at : 0", "~0ull")], "a raw buffer has no end"),
    ("range_ignored", "address", ATOMIC_RTN, [("bytes_left_gfx7", "offset < b->records ? b->records - offset : 0", "~0ull"), ("bytes_left", "offset < b->records ? b->records - offset : 0", "~0ull"), ("bytes_left_gfx8", "at < b->records ? b->records - at : 0", "~0ull")], "a raw buffer has no end"),
    ("records_ignored", "address", RECORDS, [("bytes_left_gfx7", "index < b->records ? ~0ull : 0", "~0ull"), ("bytes_left", "index < b->records ? ~0ull : 0", "~0ull"), ("bytes_left_gfx8", "index < b->records ? ~0ull : 0", "~0ull"), ("bytes_left_gfx8", "at < b->records ? b->records - at : 0", "~0ull")], "a structured buffer has no end"),
    ("records_one", "address", RECORDS, [("bytes_left_gfx7", "index < b->records", "index <= b->records"), ("bytes_left", "index < b->records", "index <= b->records"), ("bytes_left_gfx8", "index < b->records", "index <= b->records"), ("bytes_left_gfx8", "at < b->records ? b->records - at : 0", "at < b->records + b->stride ? b->records + b->stride - at : 0")], "one record more is in range"),
    ("records_less", "address", PLAIN, [("bytes_left_gfx7", "index < b->records", "index + 1 < b->records"), ("bytes_left", "index < b->records", "index + 1 < b->records"), ("bytes_left_gfx8", "index < b->records", "index + 1 < b->records"), ("bytes_left_gfx8", "at < b->records ? b->records - at : 0", "at + b->stride < b->records ? b->records - at : 0")], "the last record is out of range"),
    ("records_bytes", "address", RECORDS, [("bytes_left_gfx7", "if (b->stride)", "if (false)"), ("bytes_left", "if (b->idxen && b->stride)", "if (false)")], "the number of records counts bytes always"),
    ("soffset_checked", "address", PLAIN, [("bytes_left_gfx7", "return offset < b->records ? b->records - offset : 0;", "offset += b->soffset; return offset < b->records ? b->records - offset : 0;"), ("bytes_left", "return offset < b->records ? b->records - offset : 0;", "offset += b->soffset; return offset < b->records ? b->records - offset : 0;"), ("bytes_left_gfx8", "(u64)index * b->stride + offset", "(u64)index * b->stride + offset + b->soffset")], "the scalar offset is range-checked"),
    ("offset_unchecked", "address", PLAIN, [("bytes_left_gfx7", "return offset < b->records ? b->records - offset : 0;", "offset -= b->offset; return offset < b->records ? b->records - offset : 0;"), ("bytes_left", "return offset < b->records ? b->records - offset : 0;", "offset -= b->offset; return offset < b->records ? b->records - offset : 0;"), ("bytes_left_gfx8", "(u64)index * b->stride + offset", "(u64)index * b->stride + offset - b->offset")], "the immediate offset is not range-checked"),
    ("all_or_nothing", "address", r"buffer_(load|store)_dwordx[234]$", [("bytes_left_gfx7", "b->records - offset : 0", "b->records - offset < 8 ? 0 : ~0ull : 0"), ("bytes_left", "b->records - offset : 0", "b->records - offset < 8 ? 0 : ~0ull : 0"), ("bytes_left_gfx8", "b->records - at : 0", "b->records - at < 8 ? 0 : ~0ull : 0")], "range is checked for all dwords at once"),
    ("type_ignored", "address", r"buffer_load_(?!format|\w+_d16)\w+$", [("buffer_open", "if (r[3] >> 30)", "if (false)")], "the descriptor's type is ignored"),
    ("zeros_read", "value", PLAIN.replace("(load|store)", "load"), [("buffer_read", "return 0;", "return 1;")], "out of range is not 0"),
    ("glc_ignored", "value", ATOMIC_RTN, [("returns", "return insn_get(&in->insn, FLD_glc);", "return false;")], "nothing comes back"),
    ("glc_always", "value", ATOMIC_RTN, [("returns", "return insn_get(&in->insn, FLD_glc);", "return true;")], "the old value comes back without glc"),
    ("first_dword", "value", r"buffer_load_dwordx[234]$", [("put_rows", "put32(w->vgpr[reg], out[i], exec);", "put32(w->vgpr[reg], out[0], exec);")], "every register gets the first dword"),
    ("one_register", "value", r"buffer_load_dwordx[234]$|buffer_load_format_xy\w*$", [("put_rows", "i < dw", "i < 1")], "the first register alone is written"),
    ("exec_ignored", "exec", PLAIN.replace("(load|store)", "load"), [("put_rows", "put32(w->vgpr[reg], out[i], exec)", "put32(w->vgpr[reg], out[i], ~0ull)")], "lanes that are off are written"),
    ("data_order", "value", r"buffer_store_dwordx[234]$", [("gather", "o->code - CODE_VGPR + i", "o->code - CODE_VGPR + (dw - 1 - i)")], "the registers are read backwards"),
    ("lds_m0", "address", r"buffer_load_(dword|[us]byte|[us]short)$|buffer_store_lds_dword$", [("lds_spot", "(w->sgpr[CODE_M0] & 0xffff) +", "")], "M0 is not added"),
    ("lds_offset", "address", r"buffer_load_(dword|[us]byte|[us]short)$|buffer_store_lds_dword$", [("lds_spot", "+ (u32)in->offset ", "")], "the offset is not added in LDS"),
    ("lds_lane", "address", r"buffer_load_(dword|[us]byte|[us]short)$|buffer_store_lds_dword$", [("lds_spot", "lane * 4", "lane")], "lanes stand a byte apart in LDS"),
    ("lds_ignored", "value", r"buffer_load_(dword|[us]byte|[us]short)$", [("put_rows", "if (in->into_lds)", "if (false)")], "the register is written instead of LDS"),
    ("line", "address/line crossed", r"buffer_load_dwordx[234]$",
     [("buffer_read", "return far_read(w, b, s, at, bytes);",
       "return s.addr % 64 + at < 64 ? far_read(w, b, s, at, bytes) : ~far_read(w, b, s, at, bytes);"),
      ("buffer_read", "return v;", "return s.addr % 64 + at < 64 ? v : ~v;")],
     "what lies behind the end of a line of 64 bytes is wrong"),
    ("line", "address/line crossed", r"buffer_store_dwordx[234]$",
     [("buffer_write", "if (at + bytes > s.left)",
       "v = s.addr % 64 + at < 64 ? v : ~v; if (at + bytes > s.left)")],
     "what lies behind the end of a line of 64 bytes is wrong"),
    # formats
    ("dfmt_descriptor", "value", r"t\w+$", [("buffer_open", "dfmt = insn_get(&in->insn, FLD_dfmt);", "")], "the data format is the descriptor's"),
    ("nfmt_descriptor", "value", r"t\w+$", [("buffer_open", "b->num = (enum num_format)insn_get(&in->insn, FLD_nfmt);", "")], "the number format is the descriptor's"),
    ("sel_ignored", "value", r"buffer_load_format_[xyzw]+$", [("texel_load", "bits32(b->dst_sel, i * 3, 3)", "4 + i")], "the destination selects have no effect"),
    ("sel_one", "value", r"buffer_load_format_[xyzw]+$", [("texel_load", "if (sel == 1)", "if (false)")], "a selected 1 is 0"),
    ("one_float", "value", r"buffer_load_format_[xyzw]+$", [("number_one", "num == NUM_UINT || num == NUM_SINT", "false")], "the 1 of integers is a float"),
    ("missing_one", "value", r"t?buffer_load_format_xyzw?$", [("texel_load", "from == 3 ? one : 0", "one")], "components that are missing are 1"),
    ("backwards", "value", T_LOAD, [("texel_read", "raw[i] =", "raw[d->count - 1 - i] =")], "components stand in the other order"),
    ("backwards", "value", T_HALF, [("texel_read", "raw[i] =", "raw[d->count - 1 - i] =")], "components stand in the other order"),
    ("range_whole", "address", T_LOAD, [("texel_read", "d->bytes > s.left", "false")], "nothing is out of range"),
    ("range_whole", "address", T_STORE, [("texel_store", "d->bytes > s.left", "false")], "nothing is out of range"),
    ("second_lost", "value", r"t?buffer_(load)_format_d16_xy\w*$", [("texel_load", "out[i / 2] |= v[i] << 16;", ";")], "the high halves are 0"),
    ("halves", "value", r"t?buffer_(load)_format_d16_xy\w*$", [("texel_load", "out[i / 2] |= v[i] << 16;", "out[i / 2] = out[i / 2] << 16 | v[i];")], "the halves of a pair are exchanged"),
    *[(f"layout{a}", "value", T_LOAD, [("data_format", "&formats[code <", f"&formats[code == {a} ? {b} : code <")], text) for a, b, text in (
        (6, 7, "10_11_11 is 11_11_10"), (7, 6, "11_11_10 is 10_11_11"), (8, 9, "10_10_10_2 is 2_10_10_10"), (9, 8, "2_10_10_10 is 10_10_10_2"), (10, 3, "8_8_8_8 is 8_8"),
        (5, 2, "16_16 is 16"), (11, 4, "32_32 is 32"), (12, 5, "16_16_16_16 is 16_16"), (13, 11, "32_32_32 is 32_32"), (3, 1, "8_8 is 8"))
      if (a, b) not in ((5, 2), (3, 1), (11, 4), (12, 5), (10, 3), (13, 11))],
    *[(f"layout{a}", "value", r"t?buffer_load_format_xyzw?$", [("data_format", "&formats[code <", f"&formats[code == {a} ? {b} : code <")], text) for a, b, text in (
        (10, 3, "8_8_8_8 is 8_8"), (5, 2, "16_16 is 16"), (11, 4, "32_32 is 32"), (12, 5, "16_16_16_16 is 16_16"), (13, 11, "32_32_32 is 32_32"), (3, 1, "8_8 is 8"))],
    ("unorm", "value", T_LOAD, [("format_decode", "ratio(raw, mask32(bits))", "ratio(raw, mask32(bits) + 1)")], "UNORM is divided by a power of two"),
    ("snorm_min", "value", r"t?buffer_load_format_[xyzw]{2,}$", [("format_decode", "size > most ? most : size", "size")], "the smallest SNORM is below -1"),
    ("snorm_sign", "value", T_LOAD, [("format_decode", "v | (value < 0 ? f32_sign : 0)", "v")], "SNORM has no sign"),
    ("snorm_scale", "value", T_LOAD, [("format_decode", "u32 most = mask32(bits - 1)", "u32 most = mask32(bits)")], "SNORM is divided by the range of UNORM"),
    ("uscaled", "value", T_LOAD, [("format_decode", "cvt_f32_u32(&env, raw)", "raw")], "USCALED stays an integer"),
    ("sscaled", "value", T_LOAD, [("format_decode", "cvt_f32_i32(&env, (u32)value)", "cvt_f32_u32(&env, raw)")], "SSCALED has no sign"),
    ("sint", "value", r"t?buffer_load_format_[xyzw]{2,}$", [("format_decode", "case NUM_SINT: return (u32)value;", "case NUM_SINT: return raw;")], "SINT is not sign-extended"),
    ("float_raw", "value", T_LOAD, [("format_decode", "return decode_float(raw, bits);", "return raw;")], "floats are not widened"),
    ("small_bias", "value", T_LOAD, [("small_float", "(10 - mant_bits)", "(9 - mant_bits)")], "the significand of a small float stands one bit too low"),
    ("ratio_cut", "value", r"t?buffer_load_format_xyz?w?$", [("ratio", "if (q & 1 && (more || mant & 1))", "if (false)")], "quotients are cut, not rounded"),
    ("half_int", "value", T_HALF, [("format_decode_half", "is_integer(num) ? format_narrow(v, 16, num, saturates) : cvt_f16_f32(&env, v)", "cvt_f16_f32(&env, v)")], "integers are converted to f16"),
    ("half_cut", "value", T_HALF, [("format_decode_half", "cvt_f16_f32(&env, v)", "v & 0xffff")], "floats are cut to 16 bits"),
    ("norm_cut", "value", T_STORE4, [("to_norm", "most, true)", "most, false)")], "UNORM and SNORM are cut, not rounded"),
    ("norm_limit", "value", T_STORE4, [("to_norm", "size > F32_ONE ? (u32)F32_ONE : size", "size")], "what is above 1 wraps"),
    ("norm_negative", "value", T_STORE4, [("to_norm", "(negative && !is_signed)", "false")], "UNORM of negative numbers wraps"),
    ("norm_nan", "value", T_STORE4, [("to_norm", "size > F32_INF ||", "")], "UNORM of NaN is not 0"),
    ("norm_sign", "value", T_STORE4, [("to_norm", "negative ? 0 - whole : whole", "whole")], "SNORM has no sign"),
    ("scaled_limit", "value", T_STORE4, [("to_scaled", "whole > limit ? limit : whole", "whole")], "SCALED wraps"),
    ("scaled_min", "value", T_STORE4, [("to_scaled", "most + (is_signed && negative)", "most")], "the smallest SSCALED is symmetric"),
    ("scaled_negative", "value", T_STORE4, [("to_scaled", "(negative && !is_signed)", "false")], "USCALED of negative numbers wraps"),
    ("scaled_sign", "value", T_STORE4, [("to_scaled", "negative ? 0 - whole : whole", "whole")], "SSCALED has no sign"),
    ("float_cut", "value", r"t?buffer_store_format_xyz?w?$", [("format_encode", "cvt_f16_f32(&env, value)", "value >> 16")], "floats are cut to 16 bits"),
    ("int_unmasked", "value", T_STORE4, [("format_encode", "return format_narrow(value, bits, num, saturates);", "return value;")], "integers run into the next component"),
    ("one_component", "value", r"t?buffer_store_format_(d16_)?xy\w*$", [("texel_store", "in[i / 2] >> i % 2 * 16", "in[0]"), ("texel_store", ": in[i];", ": in[0];")], "every component is the first"),
    ("packed", "value", r"t?buffer_store_format_d16_xy\w*$", [("texel_store", "in[i / 2] >> i % 2 * 16", "in[i / 2]")], "the low half of each pair is stored twice"),
    ("backwards", "value", r"t?buffer_store_format_xy\w*$", [("texel_store", ": in[i];", ": in[count - 1 - i];")], "components stand in the other order"),
    ("place", "value", r"t?buffer_store_format_(d16_)?xy\w*$", [("texel_store", "<< bit % 64;", "<< i * 8;")], "components stand 8 bits apart"),
]
