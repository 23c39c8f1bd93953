"""Predictions of constants, scalar registers and modifiers as operands of the VOP3-only instructions: the manual's chapter on
VALU operands says what each width sees. Integer constants are sign-extended to the operand, floats are patterns of its width."""
from floats import F16, F32, F64, add, clamped, each, fma, minimum, multiply
from rules import I32, M16, M32, M64, MASK, U16, U32, U64, op, signed
from vop3 import div_fmas, ldexp, magnitude, median, neg, scaled, unfused, upper

SGPR, PAIR = U32.in_file('s'), U64.in_file('s')
ONE32, ONE64, TURN32, TURN64 = 0x3f800000, 0x3ff0000000000000, 0x3e22f983, 0x3fc45f306dc9c882


# ---- integers ----------------------------------------------------------------------------------------------------------------
@op('v_add3_u32 d, s, -16, a', d=U32, s=SGPR, a=U32)
def _(s, a):
    return {'d': s - 16 + a}


@op('v_add3_u32 d, a, 64, 1.0', d=U32, a=U32)
def _(a):
    return {'d': a + 64 + ONE32}


@op('v_xad_u32 d, a, m0, m0', d=U32, a=U32)
def _(a, m0):
    return {'d': (a ^ m0) + m0}


@op('v_or3_b32 d, vcc_hi, a, vcc_hi', d=U32, a=U32, wave=True)
def _(a, vcc, exec):
    return {'d': [v | vcc >> 32 if exec >> lane & 1 else None for lane, v in enumerate(a)]}


@op('v_and_or_b32 d, exec_lo, a, 0', d=U32, a=U32, wave=True)
def _(a, exec):
    return {'d': [v & exec & M32 if exec >> lane & 1 else None for lane, v in enumerate(a)]}


@op('v_lshl_or_b32 d, a, -1, a', d=U32, a=U32)  # the low five bits of -1: 31
def _(a):
    return {'d': a << 31 | a}


@op('v_bfe_u32 d, a, 8, 8', d=U32, a=U32)
def _(a):
    return {'d': a >> 8 & 0xff}


@op('v_bfe_i32 d, s, 31, 1', d=U32, s=SGPR)
def _(s):
    return {'d': -(s >> 31)}


@op('v_perm_b32 d, s, a, s', d=U32, s=SGPR.with_edges(0x00010203, 0x04050607, 0x0d0c0b0a, 0x07000906), a=U32)
def _(s, a):
    data = (s << 32 | a).to_bytes(8, 'little')

    def byte(select):
        if select >= 12:
            return 0xff if select > 12 else 0
        return data[select] if select < 8 else 0xff * (data[2 * select - 15] >> 7)
    return {'d': sum(byte(s >> i & 0xff) << i for i in (0, 8, 16, 24))}


@op('v_mad_i32_i24 d, a, -1, 1.0', d=U32, a=U32)
def _(a):
    return {'d': -signed(a, 24) + ONE32}


@op('v_mad_u32_u24 d, a, -1, -1', d=U32, a=U32)  # bits 23:0 of -1
def _(a):
    return {'d': (a & 0xffffff) * 0xffffff - 1}


@op('v_mad_u64_u32 d, vcc, a, s, -1', d=U64, a=U32, s=SGPR)
def _(a, s):
    total = a * s + M64
    return {'d': total, 'vcc': total >> 64}


@op('v_mad_u64_u32 d, e, a, b, p', d=U64, e=MASK, a=U32, b=U32, p=PAIR)
def _(a, b, p):
    return {'d': a * b + p, 'e': a * b + p >> 64}


@op('v_mul_hi_i32 d, -1, a', d=U32, a=I32)
def _(a):
    return {'d': -a >> 32}


@op('v_mul_lo_u32 d, -5, s', d=U32, s=SGPR)
def _(s):
    return {'d': -5 * s}


@op('v_ashrrev_i64 d, a, -7', d=U64, a=U32)
def _(a):
    return {'d': -7 >> (a & 63)}


@op('v_lshlrev_b64 d, 3, p', d=U64, p=PAIR)
def _(p):
    return {'d': p << 3}


# A float constant of a 64-bit operand is the f64 pattern.
@op('v_lshrrev_b64 d, a, 1.0', d=U64, a=U32)
def _(a):
    return {'d': ONE64 >> (a & 63)}


@op('v_bcnt_u32_b32 d, -1, a', d=U32, a=U32)
def _(a):
    return {'d': 32 + a}


@op('v_mbcnt_lo_u32_b32 d, -1, 0', d=U32)
def _(lane):
    return {'d': min(lane, 32)}


@op('v_mbcnt_hi_u32_b32 d, s, a', d=U32, s=SGPR, a=U32)
def _(s, a, lane):
    return {'d': bin(s & (1 << max(0, lane - 32)) - 1).count('1') + a}


@op('v_readlane_b32 e, a, m0', e=SGPR, a=U32, wave=True)
def _(a, m0):
    return {'e': a[m0 % 64]}


@op('v_writelane_b32 d, m0, 63', d=U32, wave=True)
def _(m0):
    return {'d': [None] * 63 + [m0]}


# ---- 16 bits: constants of plain 16-bit operands are patterns of f16, and the low half of integers -----------------------------
@op('v_mad_u16 d, a, -1, 2', d=U32, a=U16)
def _(d, a):
    return {'d': upper(d, a * M16 + 2)}


@op('v_mad_u32_u16 d, a, -1, -1', d=U32, a=U16)
def _(a):
    return {'d': a * M16 - 1}


@op('v_mad_i32_i16 d, a, -1, s', d=U32, a=U16, s=SGPR)
def _(a, s):
    return {'d': -signed(a, 16) + s}


@op('v_max3_i16 d, a, -16, 1', d=U32, a=U16)
def _(d, a):
    return {'d': upper(d, max(signed(a, 16), 1))}


@op('v_add_i16 d, s, 64', d=U32, s=SGPR)
def _(d, s):
    return {'d': upper(d, s + 64)}


@op('v_fma_f16 d, a, 0.5, -4.0', d=U32, a=F16)
def _(d, a, mode):
    return {'d': upper(d, fma(F16, a, 0x3800, 0xc400, mode))}


@op('v_fma_f16 d, a, 1, 0.15915494', d=U32, a=F16)  # the integer 1 is the least subnormal; 1 / (2 * pi)
def _(d, a, mode):
    return {'d': upper(d, fma(F16, a, 1, 0x3118, mode))}


@op('v_fma_f16 d, -a, |b|, -|c|', d=U32, a=F16, b=F16, c=F16)
def _(d, a, b, c, mode):
    return {'d': upper(d, fma(F16, neg(F16, a), magnitude(F16, b), neg(F16, magnitude(F16, c)), mode))}


@op('v_fma_f16 d, -a, |b|, c op_sel:[1,1,0,1] clamp', d=U32, a=U32, b=U32, c=F16, mode=[0x3f0, 0x2f0])
def _(d, a, b, c, mode):
    result = each(lambda v: clamped(F16, v, mode), fma(F16, neg(F16, a >> 16), magnitude(F16, b >> 16), c, mode))
    return {'d': each(lambda v: d & M16 | v << 16, result)}


# An f16 result that overflows is the largest number with FP16_OVFL; infinities stay.
@op('v_fma_f16 d, a, b, c', d=U32, a=F16, b=F16, c=F16, mode=[0x8003f0, 0x8003f4, 0x8003f8])
def _(d, a, b, c, mode):
    return {'d': upper(d, fma(F16, a, b, c, mode))}


for _name, _rule in (('v_pk_mul_f16', multiply), ('v_pk_add_f16', add)):
    @op(f'{_name} d, a, b', d=U32, a=U32, b=U32, mode=[0x8003f0, 0x8003f8])
    def _(a, b, mode, rule=_rule):
        low, high = (rule(F16, a >> i & M16, b >> i & M16, mode) for i in (0, 16))
        return {'d': each(lambda x, y: y << 16 | x, low, high)}


@op('v_pack_b32_f16 d, s, -1.0', d=U32, s=SGPR)
def _(s):
    return {'d': 0xbc00 << 16 | s & M16}


# ---- f32 and f64 -------------------------------------------------------------------------------------------------------------
@op('v_fma_f32 d, s, a, s', d=F32, s=SGPR.plus(*F32.edges), a=F32)
def _(s, a, mode):
    return {'d': fma(F32, s, a, s, mode)}


@op('v_fma_f32 d, a, 0.15915494, -1', d=F32, a=F32)  # the integer -1 is a quiet NaN
def _(a, mode):
    return {'d': fma(F32, a, TURN32, M32, mode)}


@op('v_fma_f32 d, a, -0.5, 3', d=F32, a=F32)  # the integer 3 is a subnormal
def _(a, mode):
    return {'d': fma(F32, a, 0xbf000000, 3, mode)}


@op('v_fma_f32 d, a, -s, |s|', d=F32, s=SGPR.plus(*F32.edges), a=F32)
def _(s, a, mode):
    return {'d': fma(F32, a, neg(F32, s), magnitude(F32, s), mode)}


@op('v_mad_f32 d, 2.0, a, -4.0', d=F32, a=F32)
def _(a, mode):
    return {'d': unfused(F32, 0x40000000, a, 0xc0800000, mode)}


@op('v_med3_f32 d, a, 0, 1.0', d=F32, a=F32)
def _(a, mode):
    return {'d': median(F32, a, 0, ONE32, mode)}


@op('v_add_f64 d, p, 0.15915494309189532', d=F64, p=PAIR.plus(*F64.edges))
def _(p, mode):
    return {'d': add(F64, p, TURN64, mode)}


@op('v_add_f64 d, a, 64', d=F64, a=F64)  # a subnormal: 64 * 2 ** -1074
def _(a, mode):
    return {'d': add(F64, a, 64, mode)}


@op('v_max_f64 d, -8, a', d=F64, a=F64)  # sign-extended: a quiet NaN
def _(a, mode):
    return {'d': minimum(F64, M64 - 7, a, mode, largest=True)}


@op('v_mul_f64 d, -|p|, 4.0', d=F64, p=PAIR.plus(*F64.edges))
def _(p, mode):
    return {'d': multiply(F64, neg(F64, magnitude(F64, p)), 0x4010000000000000, mode)}


for _text, _factor in (('mul:2', 2), ('mul:4', 4)):
    @op(f'v_mul_f64 d, a, b {_text}', d=F64, a=F64, b=F64, mode=[0x130, 0x330, 0x1f0])
    def _(a, b, mode, factor=_factor):
        return {'d': each(lambda v: scaled(F64, v, factor, mode), multiply(F64, a, b, mode))}


@op('v_fma_f64 d, a, -0.5, b', d=F64, a=F64, b=F64)
def _(a, b, mode):
    return {'d': fma(F64, a, 0xbfe0000000000000, b, mode)}


@op('v_ldexp_f64 d, a, -16', d=F64, a=F64)
def _(a, mode):
    return {'d': ldexp(F64, a, -16, mode)}


@op('v_ldexp_f32 d, 1.0, a', d=F32, a=I32.plus(-126, -127, -149, -150, 127, 128))
def _(a, mode):
    return {'d': ldexp(F32, ONE32, a, mode)}


@op('v_ldexp_f32 d, -|a|, b', d=F32, a=F32, b=I32.plus(-24, -126, 127, 254))
def _(a, b, mode):
    return {'d': ldexp(F32, neg(F32, magnitude(F32, a)), b, mode)}


@op('v_div_fmas_f32 d, a, b, 4.0', d=F32, a=F32, b=F32)
def _(a, b, vcc, mode):
    return {'d': div_fmas(F32, a, b, 0x40800000, vcc, mode)}


@op('v_div_fmas_f32 d, -a, |b|, -c', d=F32, a=F32, b=F32, c=F32)
def _(a, b, c, vcc, mode):
    return {'d': div_fmas(F32, neg(F32, a), magnitude(F32, b), neg(F32, c), vcc, mode)}


# Constants of the lowest rounding: the sum 1 + 2 ** -24 in each direction, through a scalar register.
@op('v_fma_f32 d, a, 1.0, s', d=F32, a=F32.with_edges(ONE32, ONE32 | F32.sign), s=SGPR.with_edges(0x33800000, 0xb3800000, 1),
    mode=[0x3f0, 0x3f1, 0x3f2, 0x3f3])
def _(a, s, mode):
    return {'d': fma(F32, a, ONE32, s, mode)}
