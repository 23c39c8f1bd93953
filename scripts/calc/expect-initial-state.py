#!/usr/bin/env python3
"""Prints cases/kernels/initial_state/out.bin: the registers that the tables of LLVM's guide give each work-item, with
the addresses that harness/launch/file/kernarg.h and harness/launch/dispatch.c lay down.

    scripts/calc/expect-initial-state.py > cases/kernels/initial_state/out.bin"""
import struct
import sys

GRID, GROUP = (18, 5, 3), (16, 4, 2)
SCRATCH, PACKET, QUEUE, KERNARG = 0x280000000, 0x200000000, 0x200100000, 0x200200000
PRIVATE, LDS = 20, 100
WAVES_FULL = 2
SCRATCH_WAVE = 2048  # 20 bytes for each of 64 lanes, in units of 1 KiB

# MODE: round 32, round 16/64, denormals 32, denormals 16/64, IEEE, overflow exception (bit 3 of 7), FP16_OVFL
MODE = 1 | 2 << 2 | 2 << 4 | 1 << 6 | 1 << 9 | 1 << 15 | 1 << 23
# V#: base and swizzle enable, size, channels x y z w, UINT (4), 32 (4), index stride 64 (3), add thread id
BUFFER = [SCRATCH & 0xFFFFFFFF, SCRATCH >> 32 | 1 << 31, WAVES_FULL * SCRATCH_WAVE,
          4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 4 << 15 | 3 << 21 | 1 << 23]


def pair(value):
    return [value & 0xFFFFFFFF, value >> 32]


def work_item(pos):
    group = [p // g for p, g in zip(pos, GROUP)]
    local = [p % g for p, g in zip(pos, GROUP)]
    size = [min(g, n - i * g) for g, n, i in zip(GROUP, GRID, group)]
    items = size[0] * size[1] * size[2]
    waves = (items + 63) // 64
    flat = (local[2] * size[1] + local[1]) * size[0] + local[0]
    wave = flat // 64
    lanes = min(64, items - wave * 64)
    sgprs = BUFFER + pair(PACKET) + pair(QUEUE) + pair(KERNARG) + pair(0) + pair(SCRATCH) + [PRIVATE]
    sgprs += group + [(1 << 31 if wave == 0 else 0) | waves, wave * SCRATCH_WAVE]
    return sgprs + local + [MODE] + pair((1 << lanes) - 1) + [GROUP[0] | GROUP[1] << 16] + list(GRID) + [PRIVATE, LDS]


for z in range(GRID[2]):
    for y in range(GRID[1]):
        for x in range(GRID[0]):
            sys.stdout.buffer.write(struct.pack("<32I", *work_item((x, y, z))))
