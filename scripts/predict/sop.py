"""Scalar ALU and branches: the manual's chapter 5 and its opcode tables SOP2, SOPK, SOP1, SOPC, SOPP; numerics.md, section 14."""
from rules import (I32, I64, M32, M64, S64, SIMM16, U32, U64, UIMM16, bits, bound, op, popcount, signed)

TWO32 = dict(d=U32, a=U32, b=U32)
TWO64 = dict(d=U64, a=U64, b=U64)
ONE32 = dict(d=U32, a=U32)
ONE64 = dict(d=U64, a=U64)


def nonzero(value):
    """D with SCC = (D != 0)."""
    return {'d': value, 'scc': int(value != 0)}


# ---- SOP2: sums --------------------------------------------------------------------------------------------------------------
@op('s_add_u32 d, a, b', **TWO32)
def _(a, b):
    return {'d': (a + b) & M32, 'scc': (a + b) >> 32}


@op('s_sub_u32 d, a, b', **TWO32)
def _(a, b):
    return {'d': (a - b) & M32, 'scc': int(b > a)}


@op('s_add_i32 d, a, b', **TWO32)
def _(a, b):
    total = (a + b) & M32
    return {'d': total, 'scc': int(a >> 31 == b >> 31 and a >> 31 != total >> 31)}


@op('s_sub_i32 d, a, b', **TWO32)
def _(a, b):
    total = (a - b) & M32
    return {'d': total, 'scc': int(a >> 31 != b >> 31 and a >> 31 != total >> 31)}


@op('s_addc_u32 d, a, b', **TWO32)
def _(a, b, scc):
    return {'d': (a + b + scc) & M32, 'scc': (a + b + scc) >> 32}


@op('s_subb_u32 d, a, b', **TWO32)
def _(a, b, scc):
    return {'d': (a - b - scc) & M32, 'scc': int(b + scc > a)}


@op('s_absdiff_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    # D.i = S0.i - S1.i wraps before its sign is looked at: 0x80000000 and 0xffffffff give 0x7fffffff.
    return nonzero(abs(signed(a - b, 32)) & M32)


def shifted_sum(a, b, count):
    total = (a << count) + b            # bits that are shifted out count for SCC
    return {'d': total & M32, 'scc': int(total >= 1 << 32)}


for n in (1, 2, 3, 4):
    op(f's_lshl{n}_add_u32 d, a, b', **TWO32)(bound(shifted_sum, count=n))


# ---- SOP2: selections --------------------------------------------------------------------------------------------------------
@op('s_min_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': min(a, b), 'scc': int(a < b)}


@op('s_min_u32 d, a, b', **TWO32)
def _(a, b):
    return {'d': min(a, b), 'scc': int(a < b)}


@op('s_max_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': max(a, b), 'scc': int(a > b)}


@op('s_max_u32 d, a, b', **TWO32)
def _(a, b):
    return {'d': max(a, b), 'scc': int(a > b)}


@op('s_cselect_b32 d, a, b', **TWO32)
@op('s_cselect_b64 d, a, b', **TWO64)
def _(a, b, scc):
    return {'d': a if scc else b}


# ---- SOP2, SOP1: bits --------------------------------------------------------------------------------------------------------
LOGIC = {'and': lambda a, b: a & b, 'or': lambda a, b: a | b, 'xor': lambda a, b: a ^ b,
         'andn2': lambda a, b: a & ~b, 'orn2': lambda a, b: a | ~b,
         'nand': lambda a, b: ~(a & b), 'nor': lambda a, b: ~(a | b), 'xnor': lambda a, b: ~(a ^ b)}


def logic(a, b, function, mask):
    return nonzero(function(a, b) & mask)


for name, function in LOGIC.items():
    op(f's_{name}_b32 d, a, b', **TWO32)(bound(logic, function=function, mask=M32))
    op(f's_{name}_b64 d, a, b', **TWO64)(bound(logic, function=function, mask=M64))


@op('s_not_b32 d, a', **ONE32)
def _(a):
    return nonzero(~a & M32)


@op('s_not_b64 d, a', **ONE64)
def _(a):
    return nonzero(~a & M64)


@op('s_lshl_b32 d, a, b', **TWO32)
def _(a, b):
    return nonzero(a << bits(b, 4, 0) & M32)


@op('s_lshl_b64 d, a, b', d=U64, a=U64, b=U32)
def _(a, b):
    return nonzero(a << bits(b, 5, 0) & M64)


@op('s_lshr_b32 d, a, b', **TWO32)
def _(a, b):
    return nonzero(a >> bits(b, 4, 0))


@op('s_lshr_b64 d, a, b', d=U64, a=U64, b=U32)
def _(a, b):
    return nonzero(a >> bits(b, 5, 0))


@op('s_ashr_i32 d, a, b', d=U32, a=I32, b=U32)
def _(a, b):
    return nonzero(a >> bits(b, 4, 0) & M32)


@op('s_ashr_i64 d, a, b', d=U64, a=I64, b=U32)
def _(a, b):
    return nonzero(a >> bits(b, 5, 0) & M64)


@op('s_bfm_b32 d, a, b', **TWO32)
def _(a, b):
    return {'d': ((1 << bits(a, 4, 0)) - 1) << bits(b, 4, 0) & M32}


@op('s_bfm_b64 d, a, b', d=U64, a=U32, b=U32)
def _(a, b):
    return {'d': ((1 << bits(a, 5, 0)) - 1) << bits(b, 5, 0) & M64}


# Offsets and widths on both sides of the ends: {width, offset} in [22:16] and [5:0].
FIELDS = U32.plus(*(width << 16 | offset for width in (0, 1, 8, 31, 32, 33, 63, 64, 65, 127)
                    for offset in (0, 1, 31, 32, 33, 63)))


@op('s_bfe_u32 d, a, b', d=U32, a=U32, b=FIELDS)
def _(a, b):
    return nonzero(a >> bits(b, 4, 0) & (1 << bits(b, 22, 16)) - 1)


@op('s_bfe_u64 d, a, b', d=U64, a=U64, b=FIELDS)
def _(a, b):
    return nonzero(a >> bits(b, 5, 0) & (1 << bits(b, 22, 16)) - 1)


def signed_field(a, offset, width, size):
    """The field's bits with the sign of its top bit. A field that runs past the top is extended from the last real
    bit (ledger SALU-U03)."""
    field = signed(a >> offset, width) if width else 0
    return field & ((1 << size) - 1)


@op('s_bfe_i32 d, a, b', d=U32, a=I32, b=FIELDS)
def _(a, b):
    return nonzero(signed_field(a, bits(b, 4, 0), bits(b, 22, 16), 32))


@op('s_bfe_i64 d, a, b', d=U64, a=I64, b=FIELDS)
def _(a, b):
    return nonzero(signed_field(a, bits(b, 5, 0), bits(b, 22, 16), 64))


@op('s_mul_i32 d, a, b', **TWO32)
def _(a, b):
    return {'d': a * b & M32}


@op('s_mul_hi_u32 d, a, b', **TWO32)
def _(a, b):
    return {'d': a * b >> 32}


@op('s_mul_hi_i32 d, a, b', d=U32, a=I32, b=I32)
def _(a, b):
    return {'d': a * b >> 32}


@op('s_pack_ll_b32_b16 d, a, b', **TWO32)
def _(a, b):
    return {'d': bits(b, 15, 0) << 16 | bits(a, 15, 0)}


@op('s_pack_lh_b32_b16 d, a, b', **TWO32)
def _(a, b):
    return {'d': bits(b, 31, 16) << 16 | bits(a, 15, 0)}


@op('s_pack_hh_b32_b16 d, a, b', **TWO32)
def _(a, b):
    return {'d': bits(b, 31, 16) << 16 | bits(a, 31, 16)}


# ---- SOPK --------------------------------------------------------------------------------------------------------------------
@op('s_movk_i32 d, k', d=U32, k=SIMM16)
def _(k):
    return {'d': k}


@op('s_cmovk_i32 d, k', d=U32, k=SIMM16)
def _(k, scc, d):
    return {'d': k if scc else d}


RELATIONS = {'eq': lambda a, b: a == b, 'lg': lambda a, b: a != b, 'gt': lambda a, b: a > b,
             'ge': lambda a, b: a >= b, 'lt': lambda a, b: a < b, 'le': lambda a, b: a <= b}


def compare(a, b, relation):
    return {'scc': int(relation(a, b))}


# The constants of a compare must meet their register now and then.
NEAR_I = I32.plus(0x7fff, 0xffff8000, 0xffff7fff, 0x8000, 0xffff, 0xffffffff)
NEAR_U = U32.plus(0x7fff, 0xffff8000, 0xffff7fff, 0x8000, 0xffff, 0xffffffff)
for name, relation in RELATIONS.items():
    op(f's_cmpk_{name}_i32 a, b', a=NEAR_I, b=SIMM16)(bound(compare, relation=relation))
    op(f's_cmpk_{name}_u32 a, b', a=NEAR_U, b=UIMM16)(bound(compare, relation=relation))
    op(f's_cmp_{name}_i32 a, b', a=I32, b=I32)(bound(compare, relation=relation))
    op(f's_cmp_{name}_u32 a, b', a=U32, b=U32)(bound(compare, relation=relation))
for name in ('eq', 'lg'):
    op(f's_cmp_{name}_u64 a, b', a=U64, b=U64)(bound(compare, relation=RELATIONS[name]))


@op('s_addk_i32 d, k', d=I32, k=SIMM16)
def _(d, k):
    total = signed(d + k, 32)
    return {'d': total, 'scc': int((d < 0) == (k < 0) and (d < 0) != (total < 0))}


@op('s_mulk_i32 d, k', d=I32, k=SIMM16)
def _(d, k):
    return {'d': d * k & M32}


# SIMM16 = {size - 1, offset, id} (numerics.md 14: the field counts from 0); id 1 is MODE.
@op('s_getreg_b32 d, hwreg(HW_REG_MODE)', d=U32, mode=[0x3f0, 0x3ff, 0x000, 0x2c5])
def _(mode):
    return {'d': int(mode)}


@op('s_getreg_b32 d, hwreg(HW_REG_MODE, 4, 4)', d=U32, mode=[0x3f0, 0x3af, 0x0c0])
def _(mode):
    return {'d': bits(mode, 7, 4)}


@op('s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), a', a=U32)
def _(a, mode):
    return {'mode': mode & ~0xf | a & 0xf}


@op('s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), k', k=UIMM16)
def _(k, mode):
    return {'mode': mode & ~0xf0 | (k & 0xf) << 4}


# ---- SOP1 --------------------------------------------------------------------------------------------------------------------
@op('s_mov_b32 d, a', **ONE32)
@op('s_mov_b64 d, a', **ONE64)
def _(a):
    return {'d': a}


@op('s_cmov_b32 d, a', **ONE32)
@op('s_cmov_b64 d, a', **ONE64)
def _(a, d, scc):
    return {'d': a if scc else d}


def each_quad(a, size):
    return [i for i in range(size // 4) if a >> 4 * i & 0xf]


def whole_quads(a, size):
    return nonzero(sum(0xf << 4 * i for i in each_quad(a, size)))


def quad_mask(a, size):
    return nonzero(sum(1 << i for i in each_quad(a, size)))


def reverse(a, size):
    return {'d': int(f'{a:0{size}b}'[::-1], 2)}


def count_zeros(a, size):
    return nonzero(size - popcount(a))


def count_ones(a, size):        # pylint: disable=unused-argument
    return nonzero(popcount(a))


def first_zero(a, size):
    return {'d': next((i for i in range(size) if not a >> i & 1), M32)}


def first_one(a, size):
    return {'d': next((i for i in range(size) if a >> i & 1), M32)}


def leading_zeros(a, size):
    return {'d': size - a.bit_length() if a else M32}


def sign_bits(a, size):
    """How many bits from the top are equal to the sign; -1 if all are."""
    text = f'{a:0{size}b}'
    changed = text.find('1' if text[0] == '0' else '0')
    return {'d': changed if changed >= 0 else M32}


for text32, text64, rule, wide in (
        ('s_wqm_b32', 's_wqm_b64', whole_quads, True), ('s_quadmask_b32', 's_quadmask_b64', quad_mask, True),
        ('s_brev_b32', 's_brev_b64', reverse, True), ('s_bcnt0_i32_b32', 's_bcnt0_i32_b64', count_zeros, False),
        ('s_bcnt1_i32_b32', 's_bcnt1_i32_b64', count_ones, False), ('s_ff0_i32_b32', 's_ff0_i32_b64', first_zero, False),
        ('s_ff1_i32_b32', 's_ff1_i32_b64', first_one, False), ('s_flbit_i32_b32', 's_flbit_i32_b64', leading_zeros, False),
        ('s_flbit_i32', 's_flbit_i32_i64', sign_bits, False)):
    op(f'{text32} d, a', d=U32, a=U32.plus(0xfffeffff, 0x55555555, 0x10000, 0xcccc, 0xffff3333))(bound(rule, size=32))
    op(f'{text64} d, a', d=U64 if wide else U32, a=U64.plus(0xffffffff00000000, 1 << 40, ~(1 << 40)))(bound(rule, size=64))


@op('s_sext_i32_i8 d, a', **ONE32)
def _(a):
    return {'d': signed(a, 8)}


@op('s_sext_i32_i16 d, a', **ONE32)
def _(a):
    return {'d': signed(a, 16)}


@op('s_bitset0_b32 d, a', **ONE32)
def _(d, a):
    return {'d': d & ~(1 << bits(a, 4, 0))}


@op('s_bitset0_b64 d, a', d=U64, a=U32)
def _(d, a):
    return {'d': d & ~(1 << bits(a, 5, 0))}


@op('s_bitset1_b32 d, a', **ONE32)
def _(d, a):
    return {'d': d | 1 << bits(a, 4, 0)}


@op('s_bitset1_b64 d, a', d=U64, a=U32)
def _(d, a):
    return {'d': d | 1 << bits(a, 5, 0)}


@op('s_abs_i32 d, a', d=U32, a=I32)
def _(a):
    return nonzero(abs(a))


@op('s_bitreplicate_b64_b32 d, a', d=U64, a=U32)
def _(a):
    return {'d': sum(3 << 2 * i for i in range(32) if a >> i & 1)}


def save_exec(a, exec, function):       # pylint: disable=redefined-builtin
    """D = EXEC; EXEC = S0 <op> EXEC; SCC = (EXEC != 0)."""
    new = function(a, exec) & M64
    return {'d': exec, 'exec': new, 'scc': int(new != 0)}


def write_exec(a, exec, function):      # pylint: disable=redefined-builtin
    new = function(a, exec) & M64
    return {'d': new, 'exec': new, 'scc': int(new != 0)}


ANDN1, ORN1 = (lambda a, b: ~a & b), (lambda a, b: ~a | b)
for name, function in {**LOGIC, 'andn1': ANDN1, 'orn1': ORN1}.items():
    op(f's_{name}_saveexec_b64 d, a', **ONE64)(bound(save_exec, function=function))
for name, function in {'andn1': ANDN1, 'andn2': LOGIC['andn2']}.items():
    op(f's_{name}_wrexec_b64 d, a', **ONE64)(bound(write_exec, function=function))


# The source is read before D is written, also where they are one pair (numerics.md 14).
@op('s_and_saveexec_b64 d, d', d=U64)
def _(d, exec):     # pylint: disable=redefined-builtin
    return {'d': exec, 'exec': d & exec, 'scc': int(d & exec != 0)}


# M0 is an index in registers; the eight that it can reach are set by the program.
SMALL = U32.with_edges(0, 1, 2, 3, 4, 5, 6, 7)
EVEN = U32.with_edges(0, 2, 4, 6)


@op('s_mov_b64 s[40:41], a\ns_mov_b64 s[42:43], b\ns_mov_b32 m0, c\ns_movrels_b32 d, s40', d=U32, a=U64, b=U64,
    c=U32.with_edges(0, 1, 2, 3))
def _(a, b, c):
    return {'d': (b << 64 | a) >> 32 * c & M32, 'm0': c, 's40': a & M32, 's41': a >> 32, 's42': b & M32, 's43': b >> 32}


@op('s_mov_b64 s[40:41], a\ns_mov_b64 s[42:43], b\ns_mov_b32 m0, c\ns_movrels_b64 d, s[40:41]', d=U64, a=U64, b=U64,
    c=U32.with_edges(0, 2))
def _(a, b, c):
    return {'d': b if c else a, 'm0': c, 's40': a & M32, 's41': a >> 32, 's42': b & M32, 's43': b >> 32}


@op('s_mov_b32 m0, c\ns_movreld_b32 s40, a', a=U32, c=SMALL)
def _(a, c):
    return {'m0': c, f's{40 + c}': a}


@op('s_mov_b32 m0, c\ns_movreld_b64 s[40:41], a', a=U64, c=EVEN)
def _(a, c):
    return {'m0': c, f's{40 + c}': a & M32, f's{41 + c}': a >> 32}


@op('s_set_gpr_idx_idx a', a=U32)
def _(a, m0):
    return {'m0': m0 & ~0xff | a & 0xff}


# ---- SOPC --------------------------------------------------------------------------------------------------------------------
@op('s_bitcmp0_b32 a, b', a=U32, b=U32)
def _(a, b):
    return {'scc': int(not a >> bits(b, 4, 0) & 1)}


@op('s_bitcmp1_b32 a, b', a=U32, b=U32)
def _(a, b):
    return {'scc': a >> bits(b, 4, 0) & 1}


@op('s_bitcmp0_b64 a, b', a=U64, b=U32)
def _(a, b):
    return {'scc': int(not a >> bits(b, 5, 0) & 1)}


@op('s_bitcmp1_b64 a, b', a=U64, b=U32)
def _(a, b):
    return {'scc': a >> bits(b, 5, 0) & 1}


@op('s_setvskip a, b', a=U32, b=U32)
def _(a, b, mode):
    return {'mode': mode & ~(1 << 28) | (a >> bits(b, 4, 0) & 1) << 28}


def index_on(a, m0, mode, enable):
    """MODE.gpr_idx_en = 1; M0[7:0] = S0[7:0]; M0[15:12] is the raw content of the S1 field."""
    return {'m0': m0 & ~0xf0ff | enable << 12 | a & 0xff, 'mode': mode | 1 << 27}


for enable in (0, 1, 8, 15):
    op(f's_set_gpr_idx_on a, {enable}', a=U32)(bound(index_on, enable=enable))


# ---- program counter ---------------------------------------------------------------------------------------------------------
@op('s_getpc_b64 d', d=U64)
def _(pc):
    return {'d': pc + 4}


TARGETS = S64.with_edges(0, 4, 0x1000, 0x10100, 0xfffffffc, 0x100000000, 0x123456789abc)


@op('s_setpc_b64 a', a=TARGETS)
def _(a):
    return {'pc': a}


@op('s_swappc_b64 d, a', d=U64, a=TARGETS)
def _(a, pc):
    return {'d': pc + 4, 'pc': a}


OFFSETS = SIMM16.with_edges(1, 2, 7, 100, 0x7fff, 0x8000, 0xffff - 1, 0xff00)     # not -1: that is the branch itself


@op('s_call_b64 d, k', d=U64, k=OFFSETS)
def _(k, pc):
    return {'d': pc + 4, 'pc': pc + 4 + 4 * k & M64}


def branch(pc, k, taken):
    return {'pc': (pc + 4 + 4 * k if taken else pc + 4) & M64}


@op('s_branch k', k=OFFSETS)
def _(k, pc):
    return branch(pc, k, True)


@op('s_cbranch_scc0 k', k=OFFSETS)
def _(k, pc, scc):
    return branch(pc, k, scc == 0)


@op('s_cbranch_scc1 k', k=OFFSETS)
def _(k, pc, scc):
    return branch(pc, k, scc == 1)


@op('s_cbranch_vccz k', k=OFFSETS)
def _(k, pc, vcc):
    return branch(pc, k, vcc == 0)


@op('s_cbranch_vccnz k', k=OFFSETS)
def _(k, pc, vcc):
    return branch(pc, k, vcc != 0)


@op('s_cbranch_execz k', k=OFFSETS)
def _(k, pc, exec):     # pylint: disable=redefined-builtin
    return branch(pc, k, exec == 0)


@op('s_cbranch_execnz k', k=OFFSETS)
def _(k, pc, exec):     # pylint: disable=redefined-builtin
    return branch(pc, k, exec != 0)


@op('s_nop k', k=UIMM16.with_edges(0, 1, 7, 8, 15))
def _(k):       # pylint: disable=unused-argument
    return {}


@op('s_set_gpr_idx_off', mode=[0x3f0, 0x80003f0 | 1 << 27])
def _(mode):
    return {'mode': mode & ~(1 << 27)}


# M0[15:12] = SIMM4 (ledger IDX-C02: nothing says that MODE changes).
@op('s_set_gpr_idx_mode k', k=UIMM16.with_edges(0, 1, 2, 8, 15))
def _(k, m0):
    return {'m0': m0 & ~0xf000 | k << 12}
