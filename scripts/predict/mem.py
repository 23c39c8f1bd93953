"""Predictions of the memory instructions: GLOBAL, FLAT, SCRATCH, MUBUF, MTBUF and SMEM. places.py has the addresses."""
from cells import cell
from ds import INTEGER
from floats import F16, F32, add, each, nan_result
from places import (BUFFER, BUFFER_INDEX, BUFFER_TID, GLOBAL, GLOBAL_SADDR, SCRATCH, SCRATCH_SADDR, SMEM, SMEM_BUFFER, U256, U512)
from rules import M16, U32, U64, U96, U128, Mode, op, signed

WIDE = {1: U32, 2: U64, 3: U96, 4: U128, 8: U256, 16: U512}
S64, S128, S32 = U64.in_file('s'), U128.in_file('s'), U32.in_file('s')
RESOURCE = {'s': S128, 't': S32}            # a V# and SOFFSET
ONE, TWO = {'v': U32, **RESOURCE}, {'v': U64, **RESOURCE}

# name: bytes, dwords of the register, what it gets from its old value and the memory. A D16 load keeps the other half.
LOADS = {
    'ubyte': (1, 1, lambda d, m: m),
    'sbyte': (1, 1, lambda d, m: signed(m, 8)),
    'ushort': (2, 1, lambda d, m: m),
    'sshort': (2, 1, lambda d, m: signed(m, 16)),
    'dword': (4, 1, lambda d, m: m),
    'dwordx2': (8, 2, lambda d, m: m),
    'dwordx3': (12, 3, lambda d, m: m),
    'dwordx4': (16, 4, lambda d, m: m),
    'ubyte_d16': (1, 1, lambda d, m: d & ~M16 | m),
    'ubyte_d16_hi': (1, 1, lambda d, m: d & M16 | m << 16),
    # The manual's text extends by zeros; the name and the other loads say signed.
    'sbyte_d16': (1, 1, lambda d, m: d & ~M16 | signed(m, 8) & M16),
    'sbyte_d16_hi': (1, 1, lambda d, m: d & M16 | (signed(m, 8) & M16) << 16),
    'short_d16': (2, 1, lambda d, m: d & ~M16 | m),
    'short_d16_hi': (2, 1, lambda d, m: d & M16 | m << 16),
}
# name: bytes, dwords of the register, what is stored.
STORES = {
    'byte': (1, 1, lambda a: a & 0xff),
    'byte_d16_hi': (1, 1, lambda a: a >> 16 & 0xff),
    'short': (2, 1, lambda a: a & M16),
    'short_d16_hi': (2, 1, lambda a: a >> 16),
    'dword': (4, 1, lambda a: a),
    'dwordx2': (8, 2, lambda a: a),
    'dwordx3': (12, 3, lambda a: a),
    'dwordx4': (16, 4, lambda a: a),
}
ATOMICS = {'swap': lambda old, a, bits: a}
ATOMICS.update((name, INTEGER[key]) for name, key in (
    ('add', 'add'), ('sub', 'sub'), ('smin', 'min_i'), ('umin', 'min_u'), ('smax', 'max_i'), ('umax', 'max_u'), ('and', 'and'),
    ('or', 'or'), ('xor', 'xor'), ('inc', 'inc'), ('dec', 'dec')))


def swapped(old, a, bits):
    """CMPSWAP: the low part of the data is new, the high part is compared; DS_CMPST has them in the other order."""
    return a & (1 << bits) - 1 if old == a >> bits else old


def atomics():
    """name, bits, dwords of the data, rule of (old, data, bits)."""
    for bits, tail in ((32, ''), (64, '_x2')):
        for name, rule in ATOMICS.items():
            yield name + tail, bits, bits // 32, rule
        yield f'cmpswap{tail}', bits, bits // 16, swapped


# ---- vector memory with an address register ----------------------------------------------------------------------------------
def joined(m, size):
    """The number that pieces of memory make."""
    return sum(part << 8 * size * i for i, part in enumerate(m)) if isinstance(m, tuple) else m


def parts(value, size, count):
    return tuple(value >> 8 * size * i & (1 << 8 * size) - 1 for i in range(count)) if count > 1 else value


def load(text, where, rule, kind, **slots):
    mask = (1 << 32 * kind.dwords) - 1

    @cell(text, where, d=kind, **slots)
    def _(d, m):
        return {'d': each(lambda v: v & mask, rule(d, joined(m, where.size)))}


def store(text, where, rule, kind, count=1, **slots):
    @cell(text, where, a=kind, **slots)
    def _(a, m):
        del m
        return {'m': parts(rule(a), where.size, count)}


for _name, (_size, _dwords, _rule) in LOADS.items():
    _kind = WIDE[_dwords]
    load(f'global_load_{_name} d, p, off offset:-4096', GLOBAL(_size, -4096), _rule, _kind, p=U64)
    load(f'global_load_{_name} d, v, s offset:20', GLOBAL_SADDR(_size, 20), _rule, _kind, v=U32, s=S64)
    load(f'flat_load_{_name} d, p offset:4092', GLOBAL(_size, 4092), _rule, _kind, p=U64)
    _piece, _count = min(_size, 4), max(1, _size // 4)
    load(f'scratch_load_{_name} d, v, off offset:8', SCRATCH(_piece, 8, _count), _rule, _kind, v=U32)
    load(f'scratch_load_{_name} d, off, s offset:12', SCRATCH_SADDR(_piece, 12, _count), _rule, _kind, s=S32)
    load(f'buffer_load_{_name} d, v, s, t offen offset:24', BUFFER(_piece, 24, count=_count), _rule, _kind, **ONE)
    load(f'buffer_load_{_name} d, v, s, t idxen offset:16', BUFFER_INDEX(_piece, 16, 36, count=_count), _rule, _kind, **ONE)
    load(f'buffer_load_{_name} d, v, s, t idxen offen offset:4', BUFFER_INDEX(_piece, 4, 60, count=_count, both=True), _rule,
         _kind, **TWO)

for _name, (_size, _dwords, _rule) in STORES.items():
    _kind = WIDE[_dwords]
    store(f'global_store_{_name} p, a, off offset:4095', GLOBAL(_size, 4095), _rule, _kind, p=U64)
    store(f'global_store_{_name} v, a, s offset:-16', GLOBAL_SADDR(_size, -16), _rule, _kind, v=U32, s=S64)
    store(f'flat_store_{_name} p, a offset:1', GLOBAL(_size, 1), _rule, _kind, p=U64)
    _piece, _count = min(_size, 4), max(1, _size // 4)
    store(f'scratch_store_{_name} v, a, off offset:16', SCRATCH(_piece, 16, _count), _rule, _kind, _count, v=U32)
    store(f'scratch_store_{_name} off, a, s', SCRATCH_SADDR(_piece, 0, _count), _rule, _kind, _count, s=S32)
    store(f'buffer_store_{_name} a, v, s, t offen offset:40', BUFFER(_piece, 40, count=_count), _rule, _kind, _count, **ONE)
    store(f'buffer_store_{_name} a, v, s, t idxen', BUFFER_INDEX(_piece, 0, 20, count=_count), _rule, _kind, _count, **ONE)
    store(f'buffer_store_{_name} a, v, s, t idxen offen offset:8', BUFFER_INDEX(_piece, 8, 64, count=_count, both=True), _rule,
          _kind, _count, **TWO)

PLAIN, SAME = LOADS['dword'][2], STORES['dword'][2]
load('buffer_load_dword d, off, s, t offset:28', BUFFER(4, 28, offen=False), PLAIN, U32, **RESOURCE)
load('buffer_load_dword d, off, s, t offset:8', BUFFER_TID(4, 8), PLAIN, U32, **RESOURCE)
store('buffer_store_dword a, off, s, t offset:4', BUFFER_TID(4, 4), SAME, U32, **RESOURCE)


def vector_atomic(name, bits, dwords, rule):
    size, kind, data, mask = bits // 8, WIDE[bits // 32], WIDE[dwords], (1 << bits) - 1

    def silent(text, where, **slots):
        @cell(text, where, a=data, **slots)
        def _(a, m):
            return {'m': rule(m, a, bits) & mask}

    def returning(text, where, **slots):
        @cell(text, where, d=kind, a=data, **slots)
        def _(a, m):
            return {'d': m, 'm': rule(m, a, bits) & mask}

    def in_place(text, where, **slots):
        """The old value comes back in the first registers of the data."""
        @cell(text, where, a=data, **slots)
        def _(a, m):
            return {'a': a & ~mask | m, 'm': rule(m, a, bits) & mask}

    silent(f'global_atomic_{name} p, a, off offset:-8', GLOBAL(size, -8, True), p=U64)
    returning(f'global_atomic_{name} d, v, a, s offset:32 glc', GLOBAL_SADDR(size, 32, True), v=U32, s=S64)
    silent(f'flat_atomic_{name} p, a', GLOBAL(size, 0, True), p=U64)
    returning(f'flat_atomic_{name} d, p, a offset:64 glc', GLOBAL(size, 64, True), p=U64)
    silent(f'buffer_atomic_{name} a, v, s, t idxen offset:8', BUFFER_INDEX(size, 8, 24, True), **ONE)
    in_place(f'buffer_atomic_{name} a, v, s, t offen offset:16 glc', BUFFER(size, 16, True), **ONE)
    scalar_atomic(name, size, data, lambda m, a: rule(m, a, bits) & mask, mask)


def scalar_atomic(name, size, data, rule, mask):
    def both(text, where, **slots):
        @cell(f'{text}', where, a=data, **slots)
        def _(a, m):
            return {'m': rule(m, a)}

        @cell(f'{text} glc', where, a=data, **slots)
        def _(a, m):
            return {'a': a & ~mask | m, 'm': rule(m, a)}
    both(f's_atomic_{name} a, s, 0x40', SMEM(size, 0x40), s=U64)
    both(f's_atomic_{name} a, s, m0', SMEM(size, 0, 'm0'), s=U64)
    both(f's_buffer_atomic_{name} a, s, 0x18', SMEM_BUFFER(1, 0x18, atomic=size), s=U128)


for _name, _bits, _dwords, _rule in atomics():
    vector_atomic(_name, _bits, _dwords, _rule)

# ---- scalar loads and stores -------------------------------------------------------------------------------------------------
for _count in (1, 2, 4, 8, 16):
    _tail = f'x{_count}' if _count > 1 else ''
    _kind, _size = WIDE[_count], 4 * _count

    def _same(m):
        return {'d': m}

    def _all(m):
        return {'d': joined(m, 4)}

    cell(f's_load_dword{_tail} d, s, 0x7c', SMEM(_size, 0x7c), d=_kind, s=U64)(_same)
    cell(f's_load_dword{_tail} d, s, -0x100', SMEM(_size, -0x100), d=_kind, s=U64)(_same)
    cell(f's_load_dword{_tail} d, s, t', SMEM(_size, 0, 't'), d=_kind, s=U64, t=U32)(_same)
    cell(f's_load_dword{_tail} d, s, t offset:0x20', SMEM(_size, 0x20, 't'), d=_kind, s=U64, t=U32)(_same)
    cell(f's_buffer_load_dword{_tail} d, s, 0x10', SMEM_BUFFER(_count, 0x10), d=_kind, s=U128)(_all)
    cell(f's_buffer_load_dword{_tail} d, s, t', SMEM_BUFFER(_count, 0, 't'), d=_kind, s=U128, t=U32)(_all)
    if _count > 4:
        continue
    cell(f's_scratch_load_dword{_tail} d, s, t', SMEM(_size, 0, 't', 64), d=_kind, s=U64, t=U32)(_same)
    cell(f's_scratch_load_dword{_tail} d, s, 0x44', SMEM(_size, 0x44), d=_kind, s=U64)(_same)

    def _store(a, m):
        del m
        return {'m': a}

    def _store_all(a, m, count=_count):
        del m
        return {'m': parts(a, 4, count)}

    cell(f's_store_dword{_tail} a, s, 0x30', SMEM(_size, 0x30), a=_kind, s=U64)(_store)
    cell(f's_store_dword{_tail} a, s, m0', SMEM(_size, 0, 'm0'), a=_kind, s=U64)(_store)
    cell(f's_scratch_store_dword{_tail} a, s, m0', SMEM(_size, 0, 'm0', 64), a=_kind, s=U64)(_store)
    cell(f's_buffer_store_dword{_tail} a, s, 0x8', SMEM_BUFFER(_count, 0x8), a=_kind, s=U128)(_store_all)


# ---- caches: nothing that a program sees -------------------------------------------------------------------------------------
@op('s_dcache_inv', also=['s_dcache_wb', 's_dcache_inv_vol', 's_dcache_wb_vol', 'buffer_wbinvl1', 'buffer_wbinvl1_vol'])
def _():
    return {}


@op('buffer_wbinvl1_sc', mcpu='gfx600')
def _():
    return {}


# ---- formats that leave the bits alone: 32-bit components, and unsigned bytes ------------------------------------------------
for _count, _letters, _dfmt in ((1, 'x', 4), (2, 'xy', 11), (3, 'xyz', 13), (4, 'xyzw', 14)):
    _kind = WIDE[_count]
    load(f'buffer_load_format_{_letters} d, v, s, t offen offset:8', BUFFER(4 * _count, 8, fmt=(_dfmt, 4)), PLAIN, _kind, **ONE)
    store(f'buffer_store_format_{_letters} a, v, s, t offen offset:8', BUFFER(4 * _count, 8, fmt=(_dfmt, 4)), SAME, _kind, **ONE)
    _format = f"format:[BUF_DATA_FORMAT_{'_'.join(['32'] * _count)},BUF_NUM_FORMAT_UINT] offen"
    load(f'tbuffer_load_format_{_letters} d, v, s, t {_format} offset:16', BUFFER(4 * _count, 16), PLAIN, _kind, **ONE)
    store(f'tbuffer_store_format_{_letters} a, v, s, t {_format} offset:16', BUFFER(4 * _count, 16), SAME, _kind, **ONE)


load('buffer_load_format_xyzw d, v, s, t offen', BUFFER(4, 0, fmt=(10, 4)),
     lambda d, m: sum((m >> 8 * i & 0xff) << 32 * i for i in range(4)), U128, **ONE)


# ---- D16 formats of 16-bit integers: packed, low component first --------------------------------------------------------------
# X and XYZ leave half of a register over. By the manual's rule for D16 loads X keeps it where memory has no error correction
# (ledger BUF-C13); of XYZ only Mesa speaks.
def low_half(d, m):         # of processors whose memory has no error correction
    return d & ~M16 | m


def three_halves(d, m):     # ledger BUF-U13: the half behind the third
    m &= (1 << 48) - 1
    return {d & M16 << 48 | m, m}


D16 = (('x', 1, 2, '16', 2, low_half, lambda a: a & M16), ('xy', 1, 5, '16_16', 4, PLAIN, SAME),
       ('xyz', 2, 12, '16_16_16_16', 8, three_halves, None), ('xyzw', 2, 12, '16_16_16_16', 8, PLAIN, SAME))
for _letters, _dwords, _dfmt, _name, _size, _rule, _kept in D16:
    _format = f'format:[BUF_DATA_FORMAT_{_name},BUF_NUM_FORMAT_UINT] offen'
    _kind, _resource = WIDE[_dwords], BUFFER(_size, 32, fmt=(_dfmt, 4))
    load(f'buffer_load_format_d16_{_letters} d, v, s, t offen offset:32', _resource, _rule, _kind, **ONE)
    load(f'tbuffer_load_format_d16_{_letters} d, v, s, t {_format} offset:32', BUFFER(_size, 32), _rule, _kind, **ONE)
    if not _kept:       # what becomes of a component that is not stored is open
        continue
    store(f'buffer_store_format_d16_{_letters} a, v, s, t offen offset:32', _resource, _kept, _kind, **ONE)
    store(f'tbuffer_store_format_d16_{_letters} a, v, s, t {_format} offset:32', BUFFER(_size, 32), _kept, _kind, **ONE)

load('buffer_load_format_d16_hi_x d, v, s, t offen', BUFFER(2, 0, fmt=(2, 4)), lambda d, m: d & M16 | m << 16, U32, **ONE)
store('buffer_store_format_d16_hi_x a, v, s, t offen', BUFFER(2, 0, fmt=(2, 4)), lambda a: a >> 16, U32, **ONE)


# ---- float atomics of the MI100: nearest whatever MODE says; f32 subnormals are flushed, those of f16 stay --------------------
FLUSHED, KEPT = Mode(0x300), Mode(0x3f0)


def added(form, m, a, mode):
    """Which NaN comes out is open."""
    return nan_result(form, mode, m, a) and {form.nan, *nan_result(form, mode, m, a)} or add(form, m, a, mode)


def added_halves(m, a):
    return each(lambda x, y: x | y << 16, *(added(F16, m >> i & M16, a >> i & M16, KEPT) for i in (0, 16)))


for _name, _rule in (('add_f32', lambda m, a: added(F32, m, a, FLUSHED)), ('pk_add_f16', added_halves)):
    for _text, _where, _slots in (
            (f'global_atomic_{_name} p, a, off offset:8', GLOBAL(4, 8, True), {'p': U64}),
            (f'global_atomic_{_name} v, a, s', GLOBAL_SADDR(4, 0, True), {'v': U32, 's': S64}),
            (f'buffer_atomic_{_name} a, v, s, t offen offset:4', BUFFER(4, 4, True), ONE),
            (f'buffer_atomic_{_name} a, v, s, t idxen', BUFFER_INDEX(4, 0, 12, True), ONE)):
        _where.values = F32

        @cell(_text, _where, a=F32, mode=[0x3f0, 0x3c5, 0x3ff], mcpu='gfx908', **_slots)
        def _(a, m, rule=_rule):
            return {'m': rule(m, a)}


# ---- probes and discarding: nothing to see where no line is dirty ------------------------------------------------------------
@op('s_dcache_discard s, 0x40', also=['s_dcache_discard_x2'], s=U64)
def _():
    return {}
