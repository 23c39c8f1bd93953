#!/usr/bin/env python3
"""Prints cases/kernels/rounds_best/in.bin, or out.bin: pairs k * b, b, and k, where the product of k * b and the float
nearest to 1 / b, rounded to a float, is not below k.

    scripts/calc/expect-rounds-best.py in > cases/kernels/rounds_best/in.bin
    scripts/calc/expect-rounds-best.py out > cases/kernels/rounds_best/out.bin"""
import struct
import sys
from fractions import Fraction


def nearest(value):
    """The f32 nearest to a positive fraction, ties to even; no subnormals."""
    exponent = 0
    while value * Fraction(2) ** -exponent >= 2:
        exponent += 1
    while value * Fraction(2) ** -exponent < 1:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 23)
    return round(value / unit) * unit


pairs = []
b = 3
while len(pairs) < 1024:
    for k in range(2 + len(pairs) % 97, 4000, 131):
        if len(pairs) < 1024 and k * b < 1 << 24 and int(nearest(k * b * nearest(Fraction(1, b)))) == k:
            pairs.append((k * b, b, k))
    b += 2
flat = [v for p in pairs for v in (p[:2] if sys.argv[1] == "in" else p[2:])]
sys.stdout.buffer.write(struct.pack("<%dI" % len(flat), *flat))
