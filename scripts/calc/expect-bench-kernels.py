#!/usr/bin/env python3
"""Writes the inputs and expected outputs of cases/kernels/sha256 (by hashlib) and cases/kernels/matmul_tiled (exact sums of
fractions, rounded once).

    scripts/calc/expect-bench-kernels.py"""
import hashlib
import random
import struct
from fractions import Fraction

FOLDER = 'cases/kernels/'
MESSAGES, BLOCKS, ROWS = 80, 3, 32


def write(name, data):
    with open(FOLDER + name, 'wb') as f:
        f.write(data)


def floats(values):
    return struct.pack(f'<{len(values)}f', *values)


def main():
    rng = random.Random(1)
    size = BLOCKS * 64
    text = rng.randbytes(MESSAGES * size)
    write('sha256/messages.bin', text)
    write('sha256/digests.bin', b''.join(hashlib.sha256(text[i * size:(i + 1) * size]).digest() for i in range(MESSAGES)))
    a, b = ([rng.randrange(-4096, 4096) / 1024 for _ in range(ROWS * ROWS)] for _ in range(2))
    write('matmul_tiled/a.bin', floats(a))
    write('matmul_tiled/b.bin', floats(b))
    c = [float(sum(Fraction(a[i * ROWS + k]) * Fraction(b[k * ROWS + j]) for k in range(ROWS)))
         for i in range(ROWS) for j in range(ROWS)]
    write('matmul_tiled/c.bin', floats(c))


main()
