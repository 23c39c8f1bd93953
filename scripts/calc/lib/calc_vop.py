"""The rules of the vector opcodes, one line each, in the operand order of the manual (chapter 12) with the corrections
of the ledger (oracle/errata); v_mac takes its destination first, a carry comes last. Integer operands arrive as unsigned
numbers of the operand's width."""
import calc
from calc import signed as s

M32, M64 = 0xffffffff, 0xffffffffffffffff


def s24(a): return s(a & 0xffffff, 24)
def u24(a): return a & 0xffffff


def sat_u(n, clamp): return min(max(n, 0), M32) if clamp else n & M32
def sat_s(n, clamp): return (min(max(n, -2**31), 2**31 - 1) if clamp else n) & M32


def leading(bits, sought):
    """Position from the top of the first bit equal to `sought`, all ones if there is none."""
    return next((i for i in range(32) if bits >> 31 - i & 1 == sought), M32)


def trailing(bits):
    return next((i for i in range(32) if bits >> i & 1), M32)


def ffbh_i32(a):
    return leading(a, 1 - (a >> 31))


def field_signed(data, offset, width):
    """The field's top bit is its sign; a field beyond the top is extended from the sign of the data."""
    return s(data) >> offset & M32 if offset + width >= 32 and width else \
        s(data >> offset & (1 << width) - 1, width) & M32 if width else 0


def permuted(a, b, select):
    pair = [(a << 32 | b) >> 8 * i & 0xff for i in range(8)]

    def byte(sel):
        if sel >= 13:
            return 0xff
        if sel == 12:
            return 0
        if sel >= 8:
            return 0xff if pair[2 * (sel - 8) + 1] & 0x80 else 0
        return pair[sel]
    return sum(byte(select >> 8 * i & 0xff) << 8 * i for i in range(4))


def ones(n): return bin(n).count('1')


# Results in f32: (mode, operands) -> alternatives
FLOAT = {
    'v_add_f32': calc.add,
    'v_sub_f32': calc.sub,
    'v_subrev_f32': lambda m, a, b: calc.sub(m, b, a),
    'v_mul_f32': calc.mul,
    'v_min_f32': calc.minimum,
    'v_max_f32': calc.maximum,
    'v_mac_f32': lambda m, d, a, b: calc.mad(m, a, b, d),
    'v_madmk_f32': lambda m, a, k, b: calc.mad(m, a, k, b),
    'v_madak_f32': lambda m, a, b, k: calc.mad(m, a, b, k),
    'v_mad_f32': calc.mad,
    'v_fma_f32': calc.fma,
    'v_cvt_f32_i32': lambda m, a: calc.f32_from_whole(m, s(a)),
    'v_cvt_f32_u32': calc.f32_from_whole,
    'v_cvt_f32_ubyte0': lambda m, a: calc.f32_from_whole(m, a & 0xff),
    'v_cvt_f32_ubyte3': lambda m, a: calc.f32_from_whole(m, a >> 24),
    'v_fract_f32': calc.fract,
    'v_trunc_f32': lambda m, a: calc.to_integral(m, a, 'rtz'),
    'v_ceil_f32': lambda m, a: calc.to_integral(m, a, 'rtp'),
    'v_rndne_f32': lambda m, a: calc.to_integral(m, a, 'rne'),
    'v_floor_f32': lambda m, a: calc.to_integral(m, a, 'rtn'),
}


def rpi_flr(m, a, add):
    """floor(x + add) with an exact sum."""
    if calc.is_nan(a):
        return [0x80000000 if calc.sign(a) else 0x7fffffff, 0]
    if calc.is_inf(a):
        return [0x80000000 if calc.sign(a) else 0x7fffffff]
    values = [calc.value(a)] + ([0] if calc.is_subnormal(a) and not m.keep_in else [])
    return calc.unique(min(max(calc.floor(calc.Fraction(x) + add), -2**31), 2**31 - 1) & M32 for x in values)


# Conversions from f32: (mode, operand) -> alternatives
FROM_FLOAT = {
    'v_cvt_u32_f32': lambda m, a: [calc.whole_from_f32(a, 'rtz', 0, M32)],
    'v_cvt_i32_f32': lambda m, a: [calc.whole_from_f32(a, 'rtz', -2**31, 2**31 - 1) & M32],
    'v_cvt_rpi_i32_f32': lambda m, a: rpi_flr(m, a, calc.Fraction(1, 2)),
    'v_cvt_flr_i32_f32': lambda m, a: rpi_flr(m, a, 0),
}

# Results in whole numbers: (clamp, operands) -> result
INTEGER = {
    'v_cndmask_b32': lambda c, a, b, cin: b if cin else a,
    'v_mul_i32_i24': lambda c, a, b: s24(a) * s24(b) & M32,
    'v_mul_hi_i32_i24': lambda c, a, b: s24(a) * s24(b) >> 32 & M32,
    'v_mul_u32_u24': lambda c, a, b: u24(a) * u24(b) & M32,
    'v_mul_hi_u32_u24': lambda c, a, b: u24(a) * u24(b) >> 32,
    'v_min_i32': lambda c, a, b: min(s(a), s(b)) & M32,
    'v_max_i32': lambda c, a, b: max(s(a), s(b)) & M32,
    'v_min_u32': lambda c, a, b: min(a, b),
    'v_max_u32': lambda c, a, b: max(a, b),
    'v_lshrrev_b32': lambda c, a, b: b >> a % 32,
    'v_ashrrev_i32': lambda c, a, b: s(b) >> a % 32 & M32,
    'v_lshlrev_b32': lambda c, a, b: b << a % 32 & M32,
    'v_and_b32': lambda c, a, b: a & b,
    'v_or_b32': lambda c, a, b: a | b,
    'v_xor_b32': lambda c, a, b: a ^ b,
    'v_add_u32': lambda c, a, b: sat_u(a + b, c),
    'v_sub_u32': lambda c, a, b: sat_u(a - b, c),
    'v_subrev_u32': lambda c, a, b: sat_u(b - a, c),
    'v_mov_b32': lambda c, a: a,
    'v_not_b32': lambda c, a: a ^ M32,
    'v_bfrev_b32': lambda c, a: int('{:032b}'.format(a)[::-1], 2),
    'v_ffbh_u32': lambda c, a: leading(a, 1),
    'v_ffbl_b32': lambda c, a: trailing(a),
    'v_ffbh_i32': lambda c, a: ffbh_i32(a),
    'v_mad_i32_i24': lambda c, a, b, d: sat_s(s24(a) * s24(b) + s(d), c),
    'v_mad_u32_u24': lambda c, a, b, d: sat_u(u24(a) * u24(b) + d, c),
    'v_bfe_u32': lambda c, a, b, d: a >> b % 32 & (1 << d % 32) - 1,
    'v_bfe_i32': lambda c, a, b, d: field_signed(a, b % 32, d % 32),
    'v_bfi_b32': lambda c, a, b, d: a & b | ~a & d,
    'v_alignbit_b32': lambda c, a, b, d: (a << 32 | b) >> d % 32 & M32,
    'v_alignbyte_b32': lambda c, a, b, d: (a << 32 | b) >> 8 * (d % 4) & M32,
    'v_min3_i32': lambda c, a, b, d: min(s(a), s(b), s(d)) & M32,
    'v_min3_u32': lambda c, a, b, d: min(a, b, d),
    'v_max3_i32': lambda c, a, b, d: max(s(a), s(b), s(d)) & M32,
    'v_max3_u32': lambda c, a, b, d: max(a, b, d),
    'v_perm_b32': lambda c, a, b, d: permuted(a, b, d),
    'v_xad_u32': lambda c, a, b, d: (a ^ b) + d & M32,
    'v_lshl_add_u32': lambda c, a, b, d: (a << b % 32) + d & M32,
    'v_add_lshl_u32': lambda c, a, b, d: (a + b) << d % 32 & M32,
    'v_add3_u32': lambda c, a, b, d: a + b + d & M32,
    'v_lshl_or_b32': lambda c, a, b, d: a << b % 32 & M32 | d,
    'v_and_or_b32': lambda c, a, b, d: a & b | d,
    'v_or3_b32': lambda c, a, b, d: a | b | d,
    'v_mul_lo_u32': lambda c, a, b: a * b & M32,
    'v_mul_hi_u32': lambda c, a, b: a * b >> 32,
    'v_mul_hi_i32': lambda c, a, b: s(a) * s(b) >> 32 & M32,
    'v_bcnt_u32_b32': lambda c, a, b: ones(a) + b & M32,
    'v_lshlrev_b64': lambda c, a, b: b << a % 64 & M64,
    'v_lshrrev_b64': lambda c, a, b: b >> a % 64,
    'v_ashrrev_i64': lambda c, a, b: s(b, 64) >> a % 64 & M64,
    'v_bfm_b32': lambda c, a, b: (1 << a % 32) - 1 << b % 32 & M32,
    'v_add_i32': lambda c, a, b: sat_s(s(a) + s(b), c),
    'v_sub_i32': lambda c, a, b: sat_s(s(a) - s(b), c),
}

# Results with a carry: (clamp, operands) -> (result, carry before any clamp)
CARRY = {
    'v_add_co_u32': lambda c, a, b: (sat_u(a + b, c), int(a + b > M32)),
    'v_sub_co_u32': lambda c, a, b: (sat_u(a - b, c), int(b > a)),
    'v_subrev_co_u32': lambda c, a, b: (sat_u(b - a, c), int(a > b)),
    'v_addc_co_u32': lambda c, a, b, k: (sat_u(a + b + k, c), int(a + b + k > M32)),
    'v_subb_co_u32': lambda c, a, b, k: (sat_u(a - b - k, c), int(b + k > a)),
    'v_subbrev_co_u32': lambda c, a, b, k: (sat_u(b - a - k, c), int(a + k > b)),
    'v_mad_u64_u32': lambda c, a, b, d: (min(a * b + d, M64) if c else a * b + d & M64, a * b + d >> 64),
    # What the carry of the signed form means is not settled.
    'v_mad_i64_i32': lambda c, a, b, d: (s(a) * s(b) + s(d, 64) & M64, None),
}

def wide(name):
    return name.endswith(('64', 'u64_u32', 'i64_i32'))


def operand_bits(name, index):
    """64 for the last operand of the 64-bit opcodes."""
    return 64 if wide(name) and index == (2 if 'mad' in name else 1) else 32


def known(): return {**FLOAT, **FROM_FLOAT, **INTEGER, **CARRY}


def operand_count(name):
    rule = known()[name]
    return rule.__code__.co_argcount - 1


def carry_out(name, operands): return CARRY[name](False, *operands)[1] if name in CARRY else None


def spelling(name):
    return calc.show_f32 if name in FLOAT else (lambda b: calc.show_int(b, 64)) if wide(name) else calc.show_int


def result(name, m, operands, omod=0, clamp=False):
    """The alternatives of an opcode's result."""
    if name in FLOAT:
        results = [y for x in FLOAT[name](m, *operands) for y in calc.omod(m, x, omod)]
        return calc.unique(calc.clamp(m, x)[0] if clamp else x for x in results)
    if name in FROM_FLOAT:
        return calc.unique(FROM_FLOAT[name](m, *operands))
    if name in INTEGER:
        return [INTEGER[name](clamp, *operands)]
    return [CARRY[name](clamp, *operands)[0]]
