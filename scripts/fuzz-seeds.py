#!/usr/bin/env python3
"""Makes seeds and dictionaries for the fuzz targets of harness/fz: FOLDER/NAME/* and FOLDER/NAME.dict.

    scripts/fuzz-seeds.py GCNCHECK FOLDER

The same files every time. No seed is one on which a target with a planted crash aborts (see harness/fz/fz.c)."""
import glob
import os
import random
import re
import struct
import subprocess
import sys

GCNCHECK, FOLDER = sys.argv[1:3]
SEEDED = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx908"]  # the others differ little
rng = random.Random(1)


def gcncheck(*args):
    return subprocess.run([GCNCHECK, *args], capture_output=True, check=True).stdout.decode()


def planted(data):
    value = 0
    for byte in data:
        value = value * 31 + byte & 0xffffffff
    return value % 64 == 33


def write(name, index, data, pad):
    folder = os.path.join(FOLDER, name)
    os.makedirs(folder, exist_ok=True)
    while planted(data):
        data += pad
    with open(os.path.join(folder, "%s%03d" % (name, index)), "wb") as f:
        f.write(data)


def write_dict(name, words):
    with open(os.path.join(FOLDER, name + ".dict"), "w") as f:
        for word in sorted(words):
            f.write('"%s"\n' % "".join("%c" % c if 32 < c < 127 and c not in b'"\\' else "\\x%02x" % c for c in word))


def processors():
    """What the first byte of a seed chooses: the processors in the order of the program's message."""
    run = subprocess.run([GCNCHECK, "list", "--mcpu", "?"], capture_output=True, text=True)
    return re.search(r"known: (.*)", run.stderr)[1].replace(",", " ").split()


def instructions():
    codec, asm = [], []
    for index, mcpu in enumerate(processors()):
        if mcpu not in SEEDED:
            continue
        lines = gcncheck("list", "--mcpu", mcpu, "--format", "samples").splitlines()
        lines = [line.split("\t") for line in rng.sample(lines, 400)]
        lines = [(bytes.fromhex("".join(w[6:8] + w[4:6] + w[2:4] + w[:2] for w in dw.split())), text)
                 for dw, text in lines if not text.startswith("invalid")]
        for i in range(0, 240, 8):
            some = lines[i:i + 8]
            codec.append(bytes([index]) + b"".join(dw for dw, _ in some))
            asm.append(bytes([index]) + "\n".join(text for _, text in some).encode() + b"\n")
    asm.append(b"\0top:\n    s_nop 0 // nothing\n    s_cbranch_scc0 end ; later\nmid: v_add_u32 v0, 1.0, v1 # sum\n"
               b"    s_branch top\nend:\n    s_endpgm\n")
    for i, data in enumerate(codec):
        write("codec", i, data, b"\0")
    for i, data in enumerate(asm):
        write("asm", i, data, b"\n")
    words = set()
    for data in asm:
        words.update(w.encode() for w in re.findall(r"[a-z_][a-z_0-9.]*[:(]?", data[1:].decode()) if 2 < len(w) < 40)
    write_dict("asm", set(rng.sample(sorted(words), min(1500, len(words)))) |
               {b"0x", b"-", b"|", b"neg(", b"abs(", b"sext(", b"s[0:1]", b"v[0:3]", b"vcc", b"exec", b"null", b"[1,0]", b"1.0", b"\n"})
    write_dict("codec", {struct.pack("<I", int(layout, 16)) for layout in
                         "80000000 b0000000 be800000 bf000000 bf800000 c0000000 7c000000 7e000000 d0000000 d1000000 d3800000 "
                         "d8000000 dc000000 e0000000 e8000000 f0000000 c4000000 d4000000 000000f9 000000fa 000000ff 06060006".split()})


def bundle(entries):
    size = 32 + sum(24 + len(name) for name, _ in entries)
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)), b""
    for name, code in entries:
        head += struct.pack("<QQQ", size + len(body), len(code), len(name)) + name
        body += code
    return head + body


def compressed(data):
    """A zstd frame that stores its contents: one raw block each 128 KiB."""
    frame = struct.pack("<IBI", 0xfd2fb528, 0xa0, len(data))
    for i in range(0, len(data), 1 << 17):
        part = data[i:i + (1 << 17)]
        frame += struct.pack("<I", len(part) << 3 | (i + len(part) == len(data)))[:3] + part
    return b"CCOB" + struct.pack("<HHIIQ", 2, 1, 24 + len(frame), len(data), 0) + frame


def objects():
    files = [open(path, "rb").read() for path in sorted(glob.glob("cases/kernels/*/gfx900*.co"))]
    files = [code for code in files if len(code) < 12000]
    one = bundle([(b"host-x86_64-unknown-linux--", b""), (b"hipv4-amdgcn-amd-amdhsa--gfx900", files[0])])
    names = b"\0.shstrtab\0.hip_fatbin\0"
    elf = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, 64 + len(one) + len(names), 0, 64,
                                                     56, 0, 64, 3, 1)
    elf += one + names + b"\0" * 64
    elf += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, 64 + len(one), len(names), 0, 0, 1, 0)
    elf += struct.pack("<IIQQQQIIQQ", 11, 1, 2, 0x1000, 64, len(one), 0, 0, 4096, 0)
    for i, data in enumerate(files + [one, compressed(one), elf, compressed(bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", files[-1])]))]):
        write("object", i, data, b"\0")
    write_dict("object", {b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"\x7fELF", b"AMDGPU\0", b"AMD\0", b"amdhsa.version", b"amdhsa.kernels",
                          b"amdpal.pipelines", b".registers", b".args", b".offset", b".size", b".value_kind", b"by_value", b".kd",
                          b"global_buffer", b".symbol", b".hip_fatbin", b"Kernels:", b"CodeProps:", b"Args:", b"Version:", b"&a", b"*a",
                          b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xde\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
                          b"\xff\xff\xff\xff\xff\xff\xff\xff", b"\0\0\0\x80", b"\xff\xff\xff\x7f"})


def launches():
    head = "kernel k\ngrid 64 1 1\nworkgroup 64 1 1\n"
    files = [open(path).read().replace("/", "_") for path in sorted(glob.glob("cases/kernels/*/launch.txt"))]
    files += [head + args for args in (
        "buf a\nout a 16 exact\n", "out a 16 f32nan\nout a 16 f32 1e-6 0\n", "inout a a f16nan\ntmp 64\nlocal 256\n",
        "struct b\ni8 -1\nu8 255\ni16 -5\nu16 5\ni32 -7\nu32 0x10\ni64 -9\nu64 9\nf32 1.5\nf64 nan\n",
        "# a comment\ntargets gfx900 gfx906\nflags -O3\npocl no\nout b 4 f64 0 0.5\n", "inout b a f64nan\n",
        "offset 1 2 3\nimage2d 4 4 r u8 inout a a exact\nimage1d_array 1 4 r u8 out b exact\nimage1d_buffer 1 rgba f32 buf a\n",
        "image3d 1 2 2 rg i16 buf a\nimage1d 4 r snorm8 tmp\nsampler linear clamp_to_edge normalized\n")]
    for i, text in enumerate(files):
        write("launch", i, text.encode(), b"\n")
    write_dict("launch", {w.encode() for w in "kernel targets flags pocl no grid workgroup buf out inout tmp local struct i8 u8 i16 u16 i32 "
                          "u32 i64 u64 f32 f64 offset image1d image1d_array image1d_buffer image2d image2d_array image3d r rg rgba bgra "
                          "unorm8 snorm16 f16 sampler nearest linear clamp repeat normalized exact f16nan f32nan f64nan "
                          "1e-6 0x10 -1 nan inf a b 4294967295 18446744073709551616".split()})


instructions()
objects()
launches()
