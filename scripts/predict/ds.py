"""Predictions of the LDS instructions.

p is the address register, m what the LDS holds at the addresses that it and the offsets of the text give (cells.py). Outside
the LDS a cell reads as 0 and keeps nothing."""
from cells import LDS, LDS_SRC2, LDS_TID, cell
from floats import F32, F64, add
from rules import LANES, M32, Mode, U32, U64, U96, U128, op, popcount, signed


# --- atomics of one data operand: the text, what the memory becomes

INTEGER = {
    'add': lambda old, a, bits: old + a,
    'sub': lambda old, a, bits: old - a,
    'rsub': lambda old, a, bits: a - old,
    'inc': lambda old, a, bits: 0 if old >= a else old + 1,
    'dec': lambda old, a, bits: a if old == 0 or old > a else old - 1,
    # The manual prints "-=" for the 64-bit minima and maxima: a misprint, they select.
    'min_i': lambda old, a, bits: a if signed(a, bits) < signed(old, bits) else old,
    'max_i': lambda old, a, bits: a if signed(a, bits) > signed(old, bits) else old,
    'min_u': lambda old, a, bits: a if a < old else old,
    'max_u': lambda old, a, bits: a if a > old else old,
    'and': lambda old, a, bits: old & a,
    'or': lambda old, a, bits: old | a,
    'xor': lambda old, a, bits: old ^ a,
}
KIND = {32: U32, 64: U64}


def suffix(name, bits):
    if name[-2:] in ('_i', '_u'):
        return name[:-2], f'{name[-1]}{bits}'
    return name, f"{'b' if name in ('and', 'or', 'xor') else 'u'}{bits}"


def integer_atomics(name, rule, bits):
    stem, tail = suffix(name, bits)
    kind, mask = KIND[bits], (1 << bits) - 1

    @cell(f'ds_{stem}_{tail} p, a offset:24', LDS(bits // 8, 24), p=U32, a=kind)
    def _(m, a):
        return {'m': rule(m, a, bits) & mask}

    @cell(f'ds_{stem}_rtn_{tail} d, p, a offset:65472', LDS(bits // 8, 65472), p=U32, d=kind, a=kind)
    def _(m, a):
        return {'d': m, 'm': rule(m, a, bits) & mask}

    # B = A + 4 * signed dword offset; the cell at A changes.
    @cell(f'ds_{stem}_src2_{tail} p offset:6', LDS(bits // 8, 0, 24), p=U32)
    def _(m):
        return {'m': (rule(m[0], m[1], bits) & mask, m[1])}


for _name, _rule in INTEGER.items():
    for _bits in (32, 64):
        integer_atomics(_name, _rule, _bits)


@cell('ds_add_src2_u32 p offset:0x7ffc', LDS(4, 0, -16), p=U32)  # a negative offset: 15 bits, signed
def _(m):
    return {'m': ((m[0] + m[1]) & M32, m[1])}


@cell('ds_add_src2_u32 p offset:0x8000', LDS_SRC2(), p=U32)  # offset1[7]: the distance is in the address's top bits
def _(m):
    return {'m': ((m[0] + m[1]) & M32, m[1])}


for _bits in (32, 64):
    @cell(f'ds_write_src2_b{_bits} p offset:10', LDS(_bits // 8, 0, 40), p=U32)
    def _(m):
        return {'m': (m[1], m[1])}


# --- atomics of two data operands

def two_operands(bits):
    kind, size = KIND[bits], bits // 8

    def register(stem, rule):
        @cell(f'ds_{stem}_b{bits} p, a, b offset:8', LDS(size, 8), p=U32, a=kind, b=kind)
        def _(m, a, b):
            return {'m': rule(m, a, b)}

        @cell(f'ds_{stem}_rtn_b{bits} d, p, a, b', LDS(size, 0), p=U32, d=kind, a=kind, b=kind)
        def _(m, a, b):
            return {'d': m, 'm': rule(m, a, b)}

    register('mskor', lambda old, a, b: (old & ~a) | b)
    register('cmpst', lambda old, a, b: b if old == a else old)

    @cell(f'ds_wrxchg_rtn_b{bits} d, p, a offset:16', LDS(size, 16), p=U32, d=kind, a=kind)
    def _(m, a):
        return {'d': m, 'm': a}


two_operands(32)
two_operands(64)


@cell('ds_wrap_rtn_b32 d, p, a, b', LDS(4, 0), p=U32, d=U32, a=U32, b=U32)
def _(m, a, b):
    return {'d': m, 'm': (m - a if m >= a else m + b) & M32}


# --- floats: one data operand, not the two that the manual's text has

def chosen(form, old, a, largest):
    """Selected without flushing, -0 below +0. What NaNs do is open: numerics.md 16.2."""
    if form.is_nan(old) or form.is_nan(a):
        return {old, a, form.quiet(old), form.quiet(a)}
    key = lambda x: (form.order(x), not form.negative(x))  # noqa: E731
    return max(old, a, key=key) if largest else min(old, a, key=key)


def nearest(mode):
    """MODE with rounding to nearest: the additions take the subnormal fields alone."""
    return Mode(mode & ~0xf)


def same(form, old, a):
    """NaNs equal nothing, the zeros each other."""
    return not form.is_nan(old) and not form.is_nan(a) and form.order(old) == form.order(a)


def float_atomics(form):
    size, tail = form.width // 8, f'f{form.width}'

    def either(stem, largest):
        @cell(f'ds_{stem}_{tail} p, a', LDS(size, 0, values=form), p=U32, a=form)
        def _(m, a):
            return {'m': chosen(form, m, a, largest)}

        @cell(f'ds_{stem}_rtn_{tail} d, p, a offset:8', LDS(size, 8, values=form), p=U32, d=form, a=form)
        def _(m, a):
            return {'d': m, 'm': chosen(form, m, a, largest)}

        @cell(f'ds_{stem}_src2_{tail} p offset:4', LDS(size, 0, 16, values=form), p=U32)
        def _(m):
            return {'m': (chosen(form, m[0], m[1], largest), m[1])}

    either('min', False)
    either('max', True)

    @cell(f'ds_cmpst_{tail} p, a, b', LDS(size, 0, values=form), p=U32, a=form, b=form)
    def _(m, a, b):
        return {'m': b if same(form, m, a) else m}

    @cell(f'ds_cmpst_rtn_{tail} d, p, a, b', LDS(size, 0, values=form), p=U32, d=form, a=form, b=form)
    def _(m, a, b):
        return {'d': m, 'm': b if same(form, m, a) else m}


float_atomics(F32)
float_atomics(F64)


@cell('ds_add_f32 p, a', LDS(4, 0, values=F32), p=U32, a=F32, mode=[0x3f0, 0x3f1, 0x3f2, 0x3c0])
def _(m, a, mode):
    return {'m': add(F32, m, a, nearest(mode))}


@cell('ds_add_rtn_f32 d, p, a', LDS(4, 0, values=F32), p=U32, d=F32, a=F32, mode=[0x3f0, 0x3f3])
def _(m, a, mode):
    return {'d': m, 'm': add(F32, m, a, nearest(mode))}


@cell('ds_add_src2_f32 p offset:3', LDS(4, 0, 12, values=F32), p=U32)
def _(m, mode):
    return {'m': (add(F32, m[0], m[1], nearest(mode)), m[1])}


# --- reads and writes

WIDE = {32: U32, 64: U64, 96: U96, 128: U128}

for _bits, _kind in WIDE.items():
    @cell(f'ds_write_b{_bits} p, a offset:48', LDS(_bits // 8, 48), p=U32, a=_kind)
    def _(m, a):
        return {'m': a}

    @cell(f'ds_read_b{_bits} d, p offset:32', LDS(_bits // 8, 32), p=U32, d=_kind)
    def _(m):
        return {'d': m}


@cell('ds_write_b8 p, a offset:5', LDS(1, 5), p=U32, a=U32)
def _(m, a):
    return {'m': a & 0xff}


@cell('ds_write_b16 p, a offset:6', LDS(2, 6), p=U32, a=U32)
def _(m, a):
    return {'m': a & 0xffff}


@cell('ds_write_b8_d16_hi p, a', LDS(1, 0), p=U32, a=U32)
def _(m, a):
    return {'m': a >> 16 & 0xff}


@cell('ds_write_b16_d16_hi p, a', LDS(2, 0), p=U32, a=U32)
def _(m, a):
    return {'m': a >> 16}


@cell('ds_read_u8 d, p offset:3', LDS(1, 3), p=U32, d=U32)
def _(m):
    return {'d': m}


@cell('ds_read_i8 d, p offset:3', LDS(1, 3), p=U32, d=U32)
def _(m):
    return {'d': signed(m, 8) & M32}


@cell('ds_read_u16 d, p offset:2', LDS(2, 2), p=U32, d=U32)
def _(m):
    return {'d': m}


@cell('ds_read_i16 d, p offset:2', LDS(2, 2), p=U32, d=U32)
def _(m):
    return {'d': signed(m, 16) & M32}


# One half is written, the other stays. The manual gives bits 31:0 for the last of them; its sense is 31:16.
HALVES = {'u8': (1, lambda m: m), 'i8': (1, lambda m: signed(m, 8) & 0xffff), 'u16': (2, lambda m: m)}
for _name, (_size, _rule) in HALVES.items():
    @cell(f'ds_read_{_name}_d16 d, p', LDS(_size, 0), p=U32, d=U32)
    def _(d, m, rule=_rule):
        return {'d': d & 0xffff0000 | rule(m)}

    @cell(f'ds_read_{_name}_d16_hi d, p offset:1024', LDS(_size, 1024), p=U32, d=U32)
    def _(d, m, rule=_rule):
        return {'d': d & 0xffff | rule(m) << 16}


# Two addresses: the offsets count elements (ST64: 64 of them); the first result is the low one.
for _bits, _one, _two in ((32, U32, U64), (64, U64, U128)):
    _size = _bits // 8
    for _st, _unit in (('', _size), ('st64', 64 * _size)):
        _offsets = 'offset0:1 offset1:4'
        _at = (1 * _unit, 4 * _unit)

        @cell(f'ds_write2{_st}_b{_bits} p, a, b {_offsets}', LDS(_size, *_at), p=U32, a=_one, b=_one)
        def _(m, a, b):
            return {'m': (a, b)}

        @cell(f'ds_read2{_st}_b{_bits} d, p {_offsets}', LDS(_size, *_at), p=U32, d=_two)
        def _(m, bits=_bits):
            return {'d': m[0] | m[1] << bits}

        @cell(f'ds_wrxchg2{_st}_rtn_b{_bits} d, p, a, b {_offsets}', LDS(_size, *_at), p=U32, d=_two, a=_one, b=_one)
        def _(m, a, b, bits=_bits):
            return {'d': m[0] | m[1] << bits, 'm': (a, b)}


# Equal offsets are one address, read twice.
@cell('ds_read2_b32 d, p offset0:7 offset1:7', LDS(4, 28), p=U32, d=U64)
def _(m):
    return {'d': m | m << 32}


# Conditional exchange: each dword of the pair by itself, if bit 31 of its data is set; bit 31 is not stored.
# The manual gives the name alone.
@cell('ds_condxchg32_rtn_b64 d, p, a', LDS(8, 0), p=U32, d=U64, a=U64)
def _(m, a):
    new = 0
    for shift in (0, 32):
        old, data = m >> shift & M32, a >> shift & M32
        new |= (data & 0x7fffffff if data >> 31 else old) << shift
    return {'d': m, 'm': new}


# --- the address of the lane: M0[15:0] + offset + 4 * lane, no address register

@cell('ds_read_addtid_b32 d offset:64', LDS_TID(64), d=U32)
def _(m):
    return {'d': m}


@cell('ds_write_addtid_b32 a offset:64', LDS_TID(64), a=U32)
def _(m, a):
    del m
    return {'m': a}


@op('ds_nop')
def _():
    return {}


# --- one dword for the wave: every active lane gets what it held

def no_base(rng, values, places):
    """M0 = 0: which half of it is the base of the LDS is open."""
    del rng, values
    places['m0'] = 0


def counted(exec, lds, sign):
    old = lds.load(40, 4)
    lds.store(40, (old + sign * popcount(exec)) & M32, 4)
    return {'d': active(exec, [old] * LANES)}


@op('ds_append d offset:40', d=U32, wave=True, lds=64, prepare=no_base)
def _(exec, lds):
    return counted(exec, lds, 1)


@op('ds_consume d offset:40', d=U32, wave=True, lds=64, prepare=no_base)
def _(exec, lds):
    return counted(exec, lds, -1)


# --- across lanes, without memory

def active(exec, values):
    """The values for the lanes that are on."""
    return [value if exec >> lane & 1 else None for lane, value in enumerate(values)]


@op('ds_permute_b32 d, a, b offset:12', d=U32, a=U32, b=U32, wave=True)
def _(a, b, exec):
    moved = [0] * LANES
    for lane in range(LANES):
        if exec >> lane & 1:
            moved[((a[lane] + 12) & M32) // 4 % LANES] = b[lane]  # the highest lane wins
    return {'d': active(exec, moved)}


@op('ds_bpermute_b32 d, a, b offset:8', d=U32, a=U32, b=U32, wave=True)
def _(a, b, exec):
    sources = [((address + 8) & M32) // 4 % LANES for address in a]
    return {'d': active(exec, [b[source] if exec >> source & 1 else 0 for source in sources])}


def swizzled(offset, lane):
    """The lane that `lane` reads. FFT and rotation stand in the MI100 manual alone."""
    if offset >= 0xe000:
        mask = offset & 31
        reverse = int(f'{lane & 31:05b}'[::-1], 2)
        return lane & 32 | reverse >> popcount(mask) | lane & mask
    if offset >= 0xc000:
        mask, turn = offset & 31, offset >> 5 & 31
        if offset >> 10 & 1:
            turn = -turn
        return lane & 32 | lane & mask | (lane + turn) & ~mask & 31
    if offset & 0x8000:
        return lane & ~3 | offset >> 2 * (lane & 3) & 3
    inside = (lane & offset & 31 | offset >> 5 & 31) ^ offset >> 10 & 31
    return lane & 32 | inside


def swizzle(offset):
    @op(f'ds_swizzle_b32 d, a offset:{offset}', d=U32, a=U32, wave=True)
    def _(a, exec):
        sources = [swizzled(offset, lane) for lane in range(LANES)]
        return {'d': active(exec, [a[source] if exec >> source & 1 else 0 for source in sources])}


for _offset in (0x8000, 0x801b, 0x80b1, 0x80ff, 0x001f, 0x041f, 0x7c1f, 0x03e0, 0x0000, 0x001e, 0x5555, 0x2aaa, 0x7fff, 0x0203,
                0xc000, 0xc020, 0xc043, 0xc7e0, 0xc410, 0xdfff, 0xe000, 0xe001, 0xe00f, 0xe01f, 0xe010, 0xffff):
    swizzle(_offset)
