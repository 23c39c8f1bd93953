"""Operands for folding.py: edges of each type crossed with each other, and random values, from a seed."""
import itertools
import math
import random
import struct

FORMATS = {'f16': (5, 10), 'f32': (8, 23), 'f64': (11, 52)}  # bits of the exponent, of the fraction
INTEGERS = {16: (0, 1, 2, 3, 7, 8, 15, 16, 17, 0x7f, 0x80, 0xff, 0x100, 0x5555, 0x7ffe, 0x7fff), 32: (4, 23, 24, 31, 32, 33, 63, 64, 0xffff, 0x10000, 0x10001,
            0x7fff8000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x1000001, 0x55555555, 0x7fffffff), 64: (0xffffffff, 0x100000000, 0x7fffffffffffffff,
            0x5555555555555555, 0x20000000000001)}
# Where conversions between formats and to integers change: numbers, whose neighbours in the format are taken, too.
THRESHOLDS = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 127.5, 255.5, 256.0, 1024.5, 2048.0, 4095.5, 32767.0, 32767.5, 32768.0, 65504.0, 65519.0, 65520.0, 65535.5,
              65536.0, 2.0**-14, 2.0**-15, 2.0**-24, 2.0**-25, 3 * 2.0**-25, 2.0**22 + 0.5, 2.0**23, 2.0**24, 2.0**31, 2.0**32, 2.0**52, 2.0**53,
              2.0**-126, 2.0**-149, 2.0**-150, 3 * 2.0**-150, 2.0**128 - 2.0**104, 2.0**128 - 2.0**103, 2.0**128, 2.0**256)


def float_bits(kind, number):
    """The bits of the nearest number of the format, without those that it cannot hold."""
    try:
        return int.from_bytes(struct.pack({'f16': '<e', 'f32': '<f', 'f64': '<d'}[kind], number), 'little')
    except OverflowError:
        return None


def float_edges(kind):
    exponent, fraction = FORMATS[kind]
    infinity = ((1 << exponent) - 1) << fraction
    quiet, normal = 1 << (fraction - 1), 1 << fraction
    found = [0, 1, 2, 3, normal - 1, normal, normal + 1, quiet, infinity - 1, infinity, infinity | quiet, infinity | quiet | 5, infinity | 1, infinity | (quiet - 1)]
    for number in THRESHOLDS:
        at = float_bits(kind, number)
        if at is not None:
            found += [at - 1, at, at + 1] if 0 < at < infinity else []
    found = list(dict.fromkeys(found))
    return found + [value | 1 << (exponent + fraction) for value in found]


def integer_edges(bits):
    found = [value for size, values in INTEGERS.items() if size <= bits for value in values]
    return list(dict.fromkeys(found + [~value & ((1 << bits) - 1) for value in found]))


def edges(kind):
    base, _, domain = kind.partition('@')[0].partition('/')
    if domain == 'count':
        return list(range(66)) + [0x80000000, 0xffffffff, 95, 127, 128] if base == 'i32' else list(range(20)) + [0xffff, 0x8001]
    if domain == 'mask':
        return [1 << n for n in range(10)] + [0, 0x3ff, 3, 0x204, 0x60, 0x90, 0x108, 0xfffffc00, 0xffffffff]
    if domain == 'power':
        mask = 0xffff if base == 'i16' else 0xffffffff
        return [n & mask for n in (0, 1, 2, 10, 15, 16, 24, 25, 40, 126, 127, 128, 149, 150, 254, 277, 278, 1022, 1023, 1074, 2046, 2098, 2099, 0x7fff, 0x7fffffff)] + \
               [-n & mask for n in (1, 2, 10, 14, 15, 24, 25, 40, 126, 127, 149, 150, 277, 278, 1022, 1074, 2046, 2098, 0x8000, 0x80000000)]
    if domain == 'segment':
        return list(range(33)) + [40, 0xffffffff, 0x80000001]
    if domain == 'selector':
        return [0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0xff80100d, 0x0c0c0c0c, 0, 0x00010203]
    if domain == 'field':
        return [offset | width << 16 for offset in (0, 1, 16, 31, 32, 63) for width in (0, 1, 5, 16, 31, 32, 33, 63, 64, 65, 127)] + [0xffffffff, 0xff80ffe0]
    if domain == 'huge':
        return [((0x3ff + n) << 52) | low for n in (-1, 0, 1, 53, 54, 55, 56, 100, 500, 900, 1000, 1023) for low in (0, 0xfffffffffffff)] + float_edges('f64')
    if base in FORMATS:
        return float_edges(base)
    if base[0] == 'v':
        half = edges(base[2:] + ('/count' if domain else ''))
        return [low | high << 16 for low in half for high in half[::5]]
    return [0, 1] if base == 'i1' else integer_edges(int(base[1:]))


def core(kind):
    """The few values of which all combinations should be met: zeros, ones, ends of the range, NaNs."""
    base, _, domain = kind.partition('@')[0].partition('/')
    if base in FORMATS and not domain:
        exponent, fraction = FORMATS[base]
        infinity, one = ((1 << exponent) - 1) << fraction, ((1 << (exponent - 1)) - 1) << fraction
        found = [0, 1, (1 << fraction) - 1, 1 << fraction, one, infinity - 1, infinity, infinity | 1 << (fraction - 1), infinity | 3]
        return found + [value | 1 << (exponent + fraction) for value in found]
    if base[0] == 'i' and base != 'i1' and not domain:
        top = 1 << (int(base[1:]) - 1)
        return [0, 1, 2, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1]
    return edges(kind)


def crossed(lists, count, rng):
    """All combinations, or count of them."""
    if math.prod(map(len, lists)) <= count:
        return list(itertools.product(*lists))
    return [tuple(rng.choice(values) for values in lists) for _ in range(count)]


def anything(kind, rng, before):
    """A random value of the type; before: the one drawn for the operand before it, if it has the same type."""
    base, _, domain = kind.partition('@')[0].partition('/')
    bits = 1 if base == 'i1' else 32 if base[0] == 'v' else int(base[1:])
    if domain == 'count':
        return rng.getrandbits(6 if base == 'i32' else 4) if base[0] == 'i' else rng.getrandbits(4) | rng.getrandbits(4) << 16
    if domain == 'mask':
        return rng.getrandbits(10)
    if domain == 'power':
        return rng.randint(-300, 300) & ((1 << bits) - 1)
    if domain == 'segment':
        return rng.randrange(24)
    if domain == 'selector':
        return sum(rng.randrange(14) << 8 * n for n in range(4))
    if domain == 'field':
        return rng.randrange(64) | rng.randrange(66) << 16
    if before is not None and rng.random() < 0.2:  # equal, neighbours, opposites
        return (before ^ rng.choice((0, 1, 1 << (bits - 1), (1 << (bits - 1)) | 2))) & ((1 << bits) - 1)
    value = rng.getrandbits(bits)
    if domain == 'huge':
        return value
    if base in FORMATS and rng.random() < 0.6:  # about one, where sums do not vanish
        exponent, fraction = FORMATS[base]
        middle = (1 << (exponent - 1)) - 1
        value = (value & ~(((1 << exponent) - 1) << fraction)) | (middle + rng.randint(-middle // 4, middle // 4)) << fraction
        if rng.random() < 0.5:  # few bits, so that results are exact or ties
            value &= -1 << rng.randrange(fraction)
    elif base[0] == 'i' and bits > 1 and rng.random() < 0.5:
        value >>= rng.randrange(bits)
        if rng.random() < 0.5:
            value = -value & ((1 << bits) - 1)
    elif base == 'v2f16' and rng.random() < 0.6:
        value = (value & 0x83ff83ff) | rng.randint(8, 22) << 10 | rng.randint(8, 22) << 26
    return value


def inputs(op, count, seed):
    """count tuples of operands: up to half of them edges crossed, the rest random ones with and without edges among them."""
    rng = random.Random(f'{seed} {op.name}')
    lists = [edges(kind) for kind in op.operands]
    found = crossed([core(kind) for kind in op.operands], count // 4, rng) + crossed(lists, count // 4, rng)
    while len(found) < count:
        drawn = []
        for kind, values in zip(op.operands, lists):
            before = drawn[-1] if drawn and op.operands[len(drawn) - 1].partition('@')[0] == kind.partition('@')[0] else None
            drawn.append(rng.choice(values) if rng.random() < 0.15 else anything(kind, rng, before))
        found.append(tuple(drawn))
    return found
