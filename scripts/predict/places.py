"""Cells in memory: the address computations of GLOBAL, FLAT, SCRATCH, MUBUF and SMEM, as the manual's chapters 7 to 9 give them.

Operands are chosen such that the cells of all lanes lie in a window of memory, close enough to share cache lines. Low halves
of bases are such that sums carry into the upper half."""
from cells import Cells
from rules import M32, M64, U96, U128, Kind

WINDOW = 4096
KINDS = {3: U96, 4: U128}
U256 = Kind('U256', 256, [(1 << 256) - 1, 0x1 << 255 | 2])
U512 = Kind('U512', 512, [(1 << 512) - 1, 0x1 << 511 | 2])


def start(rng):
    """Where a window begins: a multiple of 16, beyond the code, below the apertures."""
    return rng.choice((0x100000, 0xfffff000, 0x7ffff8000000, 0x2_8000_0000 - 2048, rng.randrange(0x10000, 1 << 42) << 4))


def alignment(size, atomic):
    return size if atomic or size < 4 else 4


def GLOBAL(size, offset, atomic=False):
    """p (64 bits) + offset. FLAT's computation, too: its offset is unsigned, that of GLOBAL signed."""
    def lane(rng, row):
        address = row['_start'] + rng.randrange(WINDOW // 16) * 16 + rng.randrange(0, 16, alignment(size, atomic))
        return {'p': address - offset & M64}
    return Cells('mem', size, lambda v: [v['p'] + offset & M64], ['p'], lane, lambda rng: {'_start': start(rng)})


def GLOBAL_SADDR(size, offset, atomic=False):
    """s (64 bits) + v (32 bits, unsigned) + offset; v below 2 ** 31: beyond that its sign is disputed (numerics.md 19)."""
    def uniform(rng):
        base = start(rng)
        return {'_start': base, 's': base - rng.choice((0, rng.getrandbits(16), rng.getrandbits(30))) * 4 - offset & M64}

    def lane(rng, row):
        address = row['_start'] + rng.randrange(WINDOW // 16) * 16 + rng.randrange(0, 16, alignment(size, atomic))
        return {'v': address - offset - row['s'] & M32}
    return Cells('mem', size, lambda v: [v['s'] + v['v'] + offset & M64], ['s', 'v'], lane, uniform)


# ---- scratch: dword n of a lane lies at FLAT_SCRATCH + (64 * n + lane) * 4 ---------------------------------------------------
def swizzled(base, offset, lane):
    return base + (offset // 4 * 64 + lane) * 4 + offset % 4


def scratch_base(rng):
    return {'flat_scratch': start(rng)}


def SCRATCH(size, offset, count=1):
    """count pieces of size bytes at VGPR v + offset."""
    def lane(rng, _):
        return {'v': rng.randrange(24) * 4 + rng.randrange(0, 4, size) + max(0, -offset)}

    def formula(v):
        return [swizzled(v['flat_scratch'], v['v'] + offset + 4 * i & M32, v['lane']) for i in range(count)]
    return Cells('mem', size, formula, ['v', 'flat_scratch'], lane, scratch_base)


def SCRATCH_SADDR(size, offset, count=1):
    """Likewise at SGPR s + offset."""
    def uniform(rng):
        return dict(scratch_base(rng), s=rng.randrange(64) * 4)

    def formula(v):
        return [swizzled(v['flat_scratch'], v['s'] + offset + 4 * i & M32, v['lane']) for i in range(count)]
    return Cells('mem', size, formula, ['s', 'flat_scratch'], lambda rng, _: {}, uniform)


# ---- buffers -----------------------------------------------------------------------------------------------------------------
IDENTITY = 0xfac        # DST_SEL: X, Y, Z, W


def descriptor(base, stride, records, add_tid=False, dfmt=4, nfmt=7):
    """V#: base, stride, NUM_RECORDS, DST_SEL identity, formats."""
    last = IDENTITY | nfmt << 12 | dfmt << 15 | add_tid << 23
    return base | stride << 48 | records << 64 | last << 96


def fields(s):
    """base, stride and NUM_RECORDS of a V#."""
    return s & (1 << 48) - 1, s >> 48 & 0x3fff, s >> 64 & M32


RAW = 0x3000    # bytes of a raw buffer


def BUFFER(size, offset, atomic=False, count=1, offen=True, fmt=(4, 7)):
    """Raw: base + SOFFSET t + VGPR offset v + offset; outside where v + offset reaches NUM_RECORDS. Lanes are inside or outside
    whatever SOFFSET adds: whether it counts is open (numerics.md 17.2). count pieces of size bytes."""
    reach = size * count

    def uniform(rng):
        soffset = 16 * rng.choice((0, 1, 64, rng.randrange(64)))
        return {'t': soffset, 's': descriptor(start(rng), 0, RAW, False, *fmt)}

    def lane(rng, _):
        if rng.random() < 0.1:
            return {'v': rng.choice((RAW, RAW + 16, 0x7ffff000, 0xffff0000 - RAW))}
        top = RAW - 1024 - offset - reach
        return {'v': rng.randrange(min(top, WINDOW) // 16) * 16 + rng.randrange(0, 16, alignment(reach, atomic)) + -offset % 4}

    def formula(v):
        base, _, records = fields(v['s'])
        inside = (v['v'] + offset if offen else offset) & M32
        first = base + v['t'] + inside
        return [first + size * i if inside + size * (i + 1) <= records else None for i in range(count)]
    if not offen:       # every lane reaches the same bytes: for loads
        return Cells('mem', size, lambda v: formula(dict(v, v=0)), ['s', 't'], lambda rng, _: {}, uniform, lambda rng, _: {})
    return Cells('mem', size, formula, ['s', 't', 'v'], lane, uniform, lambda rng, _: {'v': RAW})


def BUFFER_INDEX(size, offset, stride, atomic=False, both=False, count=1):
    """Structured: base + SOFFSET t + stride * index + (VGPR offset) + offset; outside where the index reaches NUM_RECORDS.
    both: index and offset from two registers, x the index."""
    reach = size * count

    def uniform(rng):
        return {'t': 8 * rng.randrange(64), 's': descriptor(start(rng), stride, 200)}

    def lane(rng, _):
        index = rng.choice((200, 201, 0xffffffff)) if rng.random() < 0.1 else rng.randrange(200)
        inner = rng.randrange(0, stride - reach - offset + 1, alignment(reach, atomic)) if both else 0
        return {'v': index | inner << 32 if both else index}

    def formula(v):
        base, step, records = fields(v['s'])
        index, inner = v['v'] & M32, v['v'] >> 32
        if index >= records:
            return [None] * count
        return [base + v['t'] + step * index + inner + offset + size * i for i in range(count)]
    return Cells('mem', size, formula, ['s', 't', 'v'], lane, uniform, lambda rng, _: {'v': 200})


def BUFFER_TID(size, offset):
    """ADD_TID_ENABLE without IDXEN: the lane is the index, the stride has 18 bits, nothing is checked."""
    stride = 0x5014 & ~3

    def uniform(rng):
        return {'t': 4 * rng.randrange(64), 's': descriptor(start(rng), stride & 0x3fff, 1, True, stride >> 14)}

    def formula(v):
        base, step, _ = fields(v['s'])
        step |= (v['s'] >> 96 + 15 & 15) << 14
        return [base + v['t'] + step * v['lane'] + offset]
    return Cells('mem', size, formula, ['s', 't'], lambda rng, _: {}, uniform)


# ---- scalar memory -----------------------------------------------------------------------------------------------------------
def scalar(rng, aligned):
    return start(rng) + rng.randrange(64) * aligned


def SMEM(size, offset=0, soffset=None, scale=1):
    """s (64 bits) + offset + the value of a register (name) times scale."""
    def lane(rng, _):
        address = scalar(rng, max(4, size if size <= 8 else 4))
        made = {'s': address - offset}
        if soffset:
            made[soffset] = 4 * rng.randrange(1 << 20)
            made['s'] -= made[soffset] * scale
        made['s'] &= M64
        return made

    def formula(v):
        return [v['s'] + offset + (v[soffset] * scale if soffset else 0) & M64]
    return Cells('mem', size, formula, ['s'] + [soffset] * bool(soffset), lane)


def SMEM_BUFFER(count, offset=0, soffset=None, atomic=0):
    """The base of a V# + offset; each dword for itself outside where it reaches NUM_RECORDS, in strides if there is one.
    atomic: bytes of the one cell, all inside."""
    def lane(rng, _):
        base = scalar(rng, 8)
        stride = rng.choice((0, 16))
        away = offset
        made = {}
        if soffset:
            made[soffset] = 4 * rng.randrange(64)
            away = made[soffset] + offset
        need = away + (atomic or 4 * count)
        size = need if atomic else need + rng.choice((0, -4, -8, 4, 64, -4 * count))
        records = -(-size // 16) if stride else max(size, 4)
        made['s'] = descriptor(base, stride, max(records, 1))
        return made

    def formula(v):
        base, stride, records = fields(v['s'])
        away = offset + (v[soffset] if soffset else 0)
        end = records * (stride or 1)
        if atomic:
            return [base + away]
        return [base + away + 4 * i if away + 4 * i + 4 <= end else None for i in range(count)]
    return Cells('mem', atomic or 4, formula, ['s'] + [soffset] * bool(soffset), lane)
