#!/usr/bin/env python3
"""Makes seeds and dictionaries for the fuzz targets of harness/fz: FOLDER/NAME/* and FOLDER/NAME.dict.

    scripts/parsers/fuzz-seeds.py GCNCHECK FOLDER

The same files every time. No seed is one on which a target with a planted crash aborts (see harness/fz/fz.c)."""
import glob
import os
import random
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from elf_maker import build, bundle, compressed, fatbin

GCNCHECK, FOLDER = sys.argv[1:3]
SEEDED = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx908"]  # the others differ little
rng = random.Random(1)


def gcncheck(*args):
    return subprocess.run([GCNCHECK, *args], capture_output=True, check=True).stdout.decode()


def planted(data):
    value = 0
    for byte in data:
        value = value * 31 + byte & 0xffffffff
    return value % 16 == 1


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


def sound():
    """Code objects of each version, linked and not, with what few have: relocations, BSS, a function that is called."""
    for version in (2, 3, 4, 5, 6):
        for linked in (True, False):
            yield bytes(build(version=version, linked=linked, mach=0x51 if version == 6 else 0x2c).data)
    yield bytes(build(bss=256, relocs=[(0x2420, 13, 0, 0x1400), (0x2428, 3, 1, 4)]).data)
    yield bytes(build(linked=False, bss=256, relocs=[(4, 4, 1, 0), (20, 10, 1, 4), (24, 8, 1, 4)]).data)
    # s_getpc_b64 s[4:5]; s_add_u32 s4, s4, 16; s_addc_u32 s5, s5, 0; s_swappc_b64 s[30:31], s[4:5]; s_endpgm; s_setpc_b64 s[30:31]
    yield bytes(build(code=[0xbe841c00, 0x8004ff04, 16, 0x82058005, 0xbe9e1e04, 0xbf810000, 0xbe801d1e]).data)
    for mach in (0x20, 0x2a, 0x2f, 0x30, 0x36, 0x41):
        yield bytes(build(mach=mach).data)
    for osabi in (0, 65, 66):
        yield bytes(build(osabi=osabi).data)


def compiled():
    """What clang made, the smallest first, and GCC's start-up code where it is installed."""
    paths = sorted(glob.glob("cases/kernels/*/*.co"), key=lambda path: (os.path.getsize(path), path))
    paths += sorted(glob.glob("/usr/lib/gcc/x86_64-linux-gnu/*/accel/amdgcn-amdhsa/gfx900/crt0.o"))
    files = [open(path, "rb").read() for path in paths]
    return [code for code in files if len(code) < 12000][:40]


def objects():
    made, clang = list(sound()), compiled()
    kernels = made[:10] + clang
    plain = bundle([(b"host-x86_64-unknown-linux--", b""), (b"hipv4-amdgcn-amd-amdhsa--gfx900", made[6])])
    two = bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", clang[0]), (b"hip-amdgcn-amd-amdhsa--gfx906:xnack-", made[7])])
    packs = [plain, two, compressed(plain), compressed(plain, 1), compressed(two, 3), fatbin(plain), fatbin(compressed(two) + b"\0" * 64 + plain)]
    words = {b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"\x7fELF", b"AMDGPU\0", b"AMD\0", b"amdhsa.version", b"amdhsa.kernels",
             b"amdpal.pipelines", b".registers", b".args", b".offset", b".size", b".value_kind", b"by_value", b".kd",
             b"global_buffer", b".symbol", b".hip_fatbin", b"Kernels:", b"CodeProps:", b"Args:", b"Version:", b"&a", b"*a",
             b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xde\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
             b"\xff\xff\xff\xff\xff\xff\xff\xff", b"\0\0\0\x80", b"\xff\xff\xff\x7f"}
    for name, seeds in (("object", made + clang + packs), ("lint", made + clang), ("kernel", kernels), ("bundle", packs)):
        for i, data in enumerate(seeds):
            write(name, i, data, b"\0")
        write_dict(name, words)


def launches():
    head = "kernel k\ngrid 64 1 1\nworkgroup 64 1 1\n"
    # The files that they name become one that is there, of 16 bytes.
    files = [re.sub(r"\S+\.bin( \d+)?", lambda m: "a 16" if m[1] else "a", open(path).read())
             for path in sorted(glob.glob("cases/kernels/*/launch.txt"))]
    files += [head + args for args in (
        "buf a\nout a 16 exact\n", "out a 16 f32nan\nout a 16 f32 1e-6 0\n", "inout a a f16nan\ntmp 64\nlocal 256\n",
        "struct b\ni8 -1\nu8 255\ni16 -5\nu16 5\ni32 -7\nu32 0x10\ni64 -9\nu64 9\nf32 1.5\nf64 nan\n",
        "# a comment\ntargets gfx900 gfx906\nflags -O3\npocl no\nout b 4 f64 0 0.5\n", "inout b a f64nan\n",
        "offset 1 2 3\nimage2d 4 4 r u8 inout a a exact\nimage1d_array 1 4 r u8 out b exact\nimage1d_buffer 1 rgba f32 buf a\n",
        "image3d 1 2 2 rg i16 buf a\nimage1d 4 r snorm8 tmp\nsampler linear clamp_to_edge normalized\n",
        "ptr 1 4\naside inout a a exact\nbytes 00ff 0123456789aB 01\npointer 2 0 1 16\nglobal g u32 1 2 3\nglobal h out b 4 exact\n",
        "gws 3 0x7\nshared 256\nu64 0\naside tmp 8\npointer 1 0 1\nf16 1.5 -inf 65504\n")]
    for i, text in enumerate(files):
        write("launch", i, text.encode(), b"\n")
    write_dict("launch", {w.encode() for w in "kernel targets flags pocl no grid workgroup buf out inout tmp local struct i8 u8 i16 u16 i32 "
                          "aside global ptr pointer bytes gws shared "
                          "u32 i64 u64 f32 f64 offset image1d image1d_array image1d_buffer image2d image2d_array image3d r rg rgba bgra "
                          "unorm8 snorm16 f16 sampler nearest linear clamp repeat normalized exact f16nan f32nan f64nan "
                          "1e-6 0x10 -1 nan inf a b 4294967295 18446744073709551616".split()})


def cases():
    """Case files, the smallest of each folder; the first byte chooses the processor."""
    words = set()
    n = 0
    for folder in sorted(glob.glob("cases/*/")):
        for path in sorted(glob.glob(folder + "*.case"), key=lambda path: (os.path.getsize(path), path))[:4]:
            text = open(path, "rb").read()
            if len(text) < 6000:
                write("case", n, bytes([n % 3]) + text, b"\n")
                words.update(re.findall(rb"[a-z_]{3,}", text))
                n += 1
    write_dict("case", set(rng.sample(sorted(w for w in words if len(w) < 24), min(400, len(words)))) |
               {b"case-format 1", b"rows", b"|", b"reject", b"?", b"{0|1}", b"~2ulp", b"exec", b"lds[0].b32", b"mem buf 64", b"&buf+4", b"errata"})


def journals():
    folder = os.path.join(FOLDER, "journal")
    os.makedirs(folder, exist_ok=True)
    for i, args in enumerate((["--mcpu", "gfx906"], ["--dut", "mutant:s_absdiff_i32.scc_inverted"], ["--shard", "1/2"])):
        path = os.path.join(FOLDER, "seed.journal")
        if os.path.exists(path):
            os.remove(path)
        subprocess.run([GCNCHECK, "run", "--quiet", "--jobs", "1", "--force", "--journal", path, *args, "cases/sop2/s_absdiff_i32.case"], capture_output=True)
        if os.path.exists(path):
            data = open(path, "rb").read()
            write("journal", i, data, b"\0")
            write("journal", i + 10, data[:len(data) // 2], b"\0")
    write_dict("journal", {b"head", b"intent", b"result", b"count", b"row", b"status", b"diff", b"dwords", b"\xdd\xff\xff\xff\xff",
                           b"\xdb\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"})


def known():
    texts = (b"known-format 1\n# a comment\nv_bfe_u32 e64: vgpr\n    until 2027-03-31\n    by run fuzz\n    why\n\n"
             b"v_*_f16 *: vgpr\n\twhy\n    and more\n",
             b"# a comment\ngfx900/vop3a/v_bfe_u32/e64#plain.1,Fail\ngfx900/x#y,Crash,0.5\nv_bfe_u32 e64: vgpr,ExpectedFail\n",
             b"known-format 1\na b: c\n by fuzz\n why\na b: d\n until 9999-12-31\n why")
    for i, text in enumerate(texts):
        write("known", i, text, b"\n")
    write_dict("known", {b"known-format 1\n", b"until ", b"by run", b" fuzz", b": ", b",Fail", b",Timeout", b"UnexpectedImprovement(Pass)",
                         b"\n    ", b"*", b"[", b"#"})


instructions()
objects()
launches()
cases()
journals()
known()
