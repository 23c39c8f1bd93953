#!/usr/bin/env python3
"""Makes seeds and dictionaries for the fuzz targets of harness/fz: FOLDER/NAME/* and FOLDER/NAME.dict.

    scripts/parsers/fuzz-seeds.py GCNCHECK FOLDER

The same files every time. No seed is one on which a target with a planted crash aborts (see harness/fz/fz.c)."""
import glob
import json
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
    told = [bytes(build(bss=1024, symbols=[(name, 0x11, ".bss", 0, size)]).data) # of their host
            for name, size in (("__llvm_rpc_client", 552), ("__llvm_libc_rpc_client", 8))]
    kernels = made[:10] + told + clang
    plain = bundle([(b"host-x86_64-unknown-linux--", b""), (b"hipv4-amdgcn-amd-amdhsa--gfx900", made[6])])
    two = bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", clang[0]), (b"hip-amdgcn-amd-amdhsa--gfx906:xnack-", made[7])])
    packs = [plain, two, compressed(plain), compressed(plain, 1), compressed(two, 3), fatbin(plain), fatbin(compressed(two) + b"\0" * 64 + plain)]
    words = {b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"\x7fELF", b"AMDGPU\0", b"AMD\0", b"amdhsa.version", b"amdhsa.kernels",
             b"amdpal.pipelines", b".registers", b".args", b".offset", b".size", b".value_kind", b"by_value", b".kd",
             b"global_buffer", b".symbol", b".hip_fatbin", b"__llvm_rpc_client\0", b"__llvm_libc_rpc_client\0", b"Kernels:", b"CodeProps:", b"Args:", b"Version:", b"&a", b"*a",
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
        "tmp 16\nu32 7\nexpect 0 a exact\nkernel two\ngrid 1 1 1\nworkgroup 1 1 1\nagain 0\nagain 1\nout b 4 exact\nexpect 4 b f16nan\n"
        "kernel three\ngrid 2 2 2\nworkgroup 2 1 1\nptr 4\nagain 2\nimage1d 4 r f32 tmp\nexpect 7 a f32 0 0\n",
        "gws 3 0x7\nshared 256\nu64 0\naside tmp 8\npointer 1 0 1\nf16 1.5 -inf 65504\n")]
    for i, text in enumerate(files):
        write("launch", i, text.encode(), b"\n")
    write_dict("launch", {w.encode() for w in "kernel targets flags pocl no grid workgroup buf out inout tmp local struct i8 u8 i16 u16 i32 "
                          "aside global ptr pointer bytes gws shared again expect "
                          "u32 i64 u64 f32 f64 offset image1d image1d_array image1d_buffer image2d image2d_array image3d r rg rgba bgra "
                          "unorm8 snorm16 f16 sampler nearest linear clamp repeat normalized exact f16nan f32nan f64nan "
                          "1e-6 0x10 -1 nan inf a b 4294967295 18446744073709551616".split()} |
               {b"kernel k\ngrid 1 1 1\nworkgroup 1 1 1\n"})


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


def lists():
    for i, text in enumerate((b"# a comment\ngfx900/vop3a/.*\n^gfx9..(/[a-z]+)*#plain$\n", b"v_bfe_u32|s_[^a]+[[:digit:]]?\n\n\\.1$\n")):
        write("list", i, text, b"\n")
    write_dict("list", {b"gfx900", b".*", b"[^a-z]", b"[[:alpha:]]", b"(a|b)", b"+", b"?", b"^", b"$", b"\\", b"[", b"("})


def weights():
    for i, text in enumerate((b"# a comment\n* 1\nv_bfe_u32/e64 1000000\nVOP2 3\ns_mov_b32 0 # none\n", b"VOP3A/e64\t2\nv_add_f32/sdwa 10\n*/dpp 5\n")):
        write("weights", i, text, b"\n")
    write_dict("weights", {b"*", b"/e64", b"/base", b"/dpp", b"VOP1", b"DS", b"MUBUF", b"v_mov_b32", b" 1000000", b" 0", b"#", b"\n"})


def litmus():
    words = set()
    for i, path in enumerate(sorted(glob.glob("cases/litmus/*.litmus"))):
        text = open(path, "rb").read()
        at = [m.start() for m in re.finditer(rb"^test ", text, re.M)] + [len(text)]
        write("litmus", i, b"litmus-format 1\n" + text[at[0]:at[min(2, len(at) - 1)]], b"\n")
        words.update(re.findall(rb"[$a-z_][a-z_.0-9]{2,20}", text))
    write_dict("litmus", set(rng.sample(sorted(words), min(200, len(words)))) | {b"forbid ", b"expect ", b"allow ", b"thread P0 group 0 cu 1\n",
                                                                              b"P1:v0.lane1=0", b"global x y=5\n", b"local z\n", b"before\n", b"code\n"})


def evals():
    texts = (b'{"id":1,"code":"32000501","in":{"v1":"ffffffff","v2":"5","exec":"3","scc":0}}\n',
             b'{"id":"a","code":"be800001 bf810000","in":{"s1":"deadbeef","mode":"3f0"}}\nno JSON\n',
             b'{"code":"d86c0000 00000001","in":{"v1":"8","lds":{"8":"0011"},"m0":"ffff"}}\n',
             b'{"code":"dc508000 007f0001","in":{"v1":"1000","v2":"0","mem":{"1000":"00112233"},"trapsts":"0"}}\n')
    for i, text in enumerate(texts):
        write("eval", i, text, b"\n")
    write_dict("eval", {b'"id":', b'"code":', b'"in":', b'"v1":', b'"vcc":', b'"s[0:1]":', b'"exec":"ffffffffffffffff"', b'"lds":{', b'"mem":{',
                        b'"trapsts":', b'"pc":', b"bf810000", b"7e000301", b'"v0.lane1":', b"[", b"]", b"{", b"}"})


def mp(x):
    """As msgpack, with every length in 4 bytes."""
    if isinstance(x, int):
        return b"\xcf" + struct.pack(">Q", x)
    if isinstance(x, dict):
        return b"\xdf" + struct.pack(">I", len(x)) + b"".join(mp(k) + mp(v) for k, v in x.items())
    if isinstance(x, list):
        return b"\xdd" + struct.pack(">I", len(x)) + b"".join(map(mp, x))
    data = x.encode() if isinstance(x, str) else x
    return (b"\xdb" if isinstance(x, str) else b"\xc6") + struct.pack(">I", len(data)) + data


def pipes():
    """The job number i of harness/fz/live/fz_pipe.c has i + 1 waves, of each of which it asks for v0, s0 and s1."""
    out = [bytes(256), 7, 8]
    done = [{"outcome": 1, "out": out * waves} for waves in (1, 2, 3)]
    stores = [dict(done[0], windows=[[0, 4, b"abcd"]]), dict(done[1], lds=[[60, b"abcd"]]), {"outcome": 4, "reason": "fault"}]
    refused = [{"outcome": 2, "reason": "v_add"}, {"outcome": 3, "reason": "bits"}, {"outcome": 5, "reason": "loop"}]
    for i, results in enumerate((done, stores, refused)):
        write("pipe", i, b"\x01" + mp({"id": 1, "results": results}), b"\0")
    for i, said in enumerate(({"name": "a", "version": "1"}, {"name": "b", "version": "", "can": {"sgpr": 3, "vgpr": 1, "mode": 0}, "fixed_mode": 1008},
                              {"error": "none"})):
        write("pipe", 10 + i, b"\0" + mp(dict(said, id=1)), b"\0")
    write_dict("pipe", {mp(w) for w in ("id", "results", "outcome", "reason", "out", "windows", "lds", "name", "version", "can", "fixed_mode", "error", 1, 5)})


def findings():
    """The finding of the example's bug, without what it was made smaller from, in the first format, which has no checksum; and whole."""
    folder = os.path.join(FOLDER, "findings")
    subprocess.run([GCNCHECK, "fuzz", "--quiet", "--force", "--only", "v_bfe_u32", "--stream", "1", "--dut",
                    "plugin:" + os.path.join(os.path.dirname(GCNCHECK), "example_dut.so"), "--out", folder], capture_output=True)
    for i, path in enumerate(sorted(glob.glob(folder + "/*/finding.json"))):
        whole = open(path).read()
        small = json.loads(whole)
        small["minimal"]["windows"] = small["minimal"]["windows"][:1]
        for w in small["minimal"]["windows"]:
            w["bytes"] = w["bytes"][:16]
        small["original"] = small["minimal"]
        small["format"] = "gcncheck-finding 1"
        small.pop("checksum", None)
        write("finding", i, json.dumps(small, indent=1).encode(), b"\n")
        write("finding", 10 + i, whole.encode(), b"\n")
        write_dict("finding", {b'"%s"' % key.encode() for key in list(small) + list(small["minimal"])} | {b"gcncheck-finding 1", b"[]", b"{}", b'"0x0"'})


def covers():
    path = os.path.join(FOLDER, "seed.cov")
    subprocess.run([GCNCHECK, "fuzz", "--quiet", "--force", "--count", "2", "--only", "v_mov_b32", "--coverage", path, "--out",
                    os.path.join(FOLDER, "found")], capture_output=True)
    lines = open(path, "rb").read().splitlines(True)
    write("cover", 0, b"".join(lines), b"\n")
    write("cover", 1, b"".join(lines[:6]), b"\n")
    write("cover", 2, b"".join(lines[:-1]), b"\n")
    write_dict("cover", {b"gcncheck coverage 1 gfx900\n", b"counted 1 2 3\n", b"end 2 00000000\n", b"v_mov_b32 e32 ", b"s_mov_b32 base ", b"\n"})


def chunks(data):
    """The records of a binary file of vectors, by tag."""
    at = 0
    while at + 8 <= len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        yield data[at:at + 4], data[at + 8:at + 8 + size]
        at += 8 + size


def vectors():
    made, answered, folder = (os.path.join(FOLDER, name) for name in ("seed.gcv", "answered.gcv", "json"))
    gcncheck("export", "--quiet", "--force", "--only", "v_mov_b32,ds_add_u32", "--format", "bin", "--out", made)
    gcncheck("record", "--quiet", "--force", "--format", "bin", "--out", answered, made)
    gcncheck("import", "--quiet", "--force", "--out", folder, answered)
    all_of = list(chunks(open(answered, "rb").read()))
    pack = lambda some: b"".join(tag + struct.pack("<I", len(body)) + body for tag, body in some)
    write("vector", 0, b"\0" + pack(all_of[:3]), b"\0")
    for i in range(1, min(len(all_of), 16) - 1, 2):
        record, answer = all_of[i][1], all_of[i + 1][1]
        if len(record) < 6000:
            write("vector", i, b"\1" + struct.pack("<H", len(record)) + record + answer, b"\0")
    for i, path in enumerate(sorted(glob.glob(folder + "/*/*.json"))[:4]):
        whole = json.load(open(path))
        whole["tests"] = whole["tests"][:1]
        write("vector", 100 + i, b"\0" + json.dumps(whole).encode(), b"\n")
        write("vector", 200 + i, b"\2" + json.dumps(whole["tests"][0]).encode(), b"\n")
    write_dict("vector", {b"HEAD", b"TEST", b"ANSW", b'"rows"', b'"accept"', b'"id"', b'"memory"', b'"code"', b'"set"', b'"hash"', b"\xdd\xff\xff\xff\xff",
                          b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc4\xff"})


def debuggers():
    packets = [[b"qSupported:swbreak+", b"qXfer:features:read:target.xml:0,400", b"QStartNoAckMode", b"qfThreadInfo", b"qsThreadInfo", b"qThreadExtraInfo,2", b"?",
                b"g", b"p0", b"p10", b"Hg2", b"qC", b"qOffsets", b"vCont;c"],
               [b"Z0,100001500,4", b"vCont;c", b"P8=10000000", b"vCont;s:1;c:-1", b"z0,100001500,4", b"Z2,1000000000100,4", b"Z3,1000000000100,4", b"c", b"?",
                b"m1000000000100,10", b"M1000000000100,4:01020304", b"X1000000000104,2:ab", b"s", b"D"],
               [b"P0=0016000001000000", b"vCont?", b"vCont;C05", b"k"]]
    commands = [b"break inner hit 2 group 1 wave 1\nc\nwhere\nfinish\nnext\nline\nregs\nprint s10 v0.lane3 exec\nset s11 3\nstep 5\nwaves\ncode 3\n",
                b"watch s12\nrwatch s[10:11] wave 1\nawatch lds:256 4 group 2\nwatch arg0+512\npoints\nc\ndelete 1\nx lds:0 6\nstore lds:4 100\nx arg0 4\n"
                b"wave 1 group 1.0.0\nset pc 0x100001600\ns\nhelp watch\nquit\n"]
    for i, said in enumerate(packets):
        write("gdb", i, b"\x01" + b"\n".join(said), b"\n")
        write("gdb", 10 + i, b"\x00" + b"".join(b"+$%s#%02x" % (s, sum(s) & 255) for s in said), b"+")
        write("gdb", 20 + i, b"\xc1" + b"\n".join(said), b"\n")
    for i, said in enumerate(commands):
        write("gdb", 30 + i, b"\x02" + said, b"\n")
        write("gdb", 40 + i, b"\xc2" + said, b"\n")
    write_dict("gdb", {word for said in packets for word in said} | {word for said in commands for line in said.split(b"\n") for word in line.split()} |
               {b"-1", b"ffffffffffffffff", b"\n", b"#00", b"}\x03", b"\x03"})


def recipes():
    """A head, then values and instructions by their sizes in fuzz/mutate/mutate.h; any bytes are a recipe."""
    for i in range(8):
        write("recipe", i, rng.randbytes(16 + 60 * i), b"\0")
    write_dict("recipe", {b"\0" * 8, b"\xff" * 8, b"\xff", b"\1\0", b"\2", b"\x40\0\0\0"})


def packet(op, *body):
    """Of PM4, type 3."""
    return struct.pack("<%dI" % (1 + len(body)), 3 << 30 | (len(body) - 1) << 16 | op << 8, *body)


def ioctl(kind, number, way, *fields):
    """A call of harness/fz/live/fz_card.c: the number as Linux makes it (1: the argument is read, 2: written), and the argument."""
    arg = b"".join(struct.pack("<I" if f >> 64 == 0 and f < 1 << 32 else "<Q", f & (1 << 64) - 1) for f in fields)
    return struct.pack("<I", way << 30 | len(arg) << 16 | ord(kind) << 8 | number) + bytes([len(arg)]) + arg


def cards():
    """Chip 3 is of gfx900. Memory at 0x1000000 holds code, at 0x2000000 data, at 0x3000000 the packets."""
    wide = 1 << 64 # marks what takes 8 bytes
    compute = (packet(0x76, 0x20c, 0x10000, 0) + packet(0x76, 0x212, 0xc0041, 0x84) + packet(0x76, 0x207, 64, 1, 1) + packet(0x15, 1, 1, 1, 1),
               packet(0x37, 0x00100500, 0x2000000, 0, 1, 2, 3), packet(0x10, 0, 0, 0),
               packet(0x3c, 0x13, 0x2000000, 0, 1, 0xffffffff, 4), packet(0x50, 0x60000000, 0x2000000, 0, 0x2000100, 0, 64),
               packet(0x58, 0x28c40000, 0xffffffff, 0xffffff, 0, 0, 10), packet(0x49, 0x514, 0x22000000, 0x2000010, 0, 5, 0, 0),
               packet(0x3f, 0x3000010, 0, 0x800004) + packet(0x10, 0) * 2)
    copies = (struct.pack("<7I", 1, 63, 0, 0x2000000, 0, 0x2000100, 0), struct.pack("<6I", 2, 0x2000000, 0, 1, 5, 6),
              struct.pack("<5I", 11, 0x2000000, 0, 7, 255), struct.pack("<4I", 5, 0x2000020, 0, 9), struct.pack("<I", 0),
              struct.pack("<6I", 8 | 3 << 28, 0x2000000, 0, 0, 0xffffffff, 10), struct.pack("<7I", 10, 0x2000000, 0, 1, 0, 0, 0))
    for i, some in enumerate(compute):
        write("card", i, b"\x00\x03" + some, b"\0")
        write("card", 20 + i, b"\x01\x08" + some, b"\0")
    for i, some in enumerate(copies):
        write("card", 40 + i, b"\x02\x03" + some, b"\0")
    queue, code = 0x40000000, 0x50000000
    aql = (struct.pack("<16I", 2 | 1 << 16, 64 | 1 << 16, 1, 64, 1, 1, 0, 0, code, 0, queue + 0x1200, 0, 0, 0, queue + 0x1140, 0),
           struct.pack("<16I", 3, 0, queue + 0x1180, 0, *[0] * 10, queue + 0x1140, 0), struct.pack("<16I", 5, 0, queue + 0x1180, 0, *[0] * 10, queue + 0x1140, 0),
           struct.pack("<16I", 1 << 16, 0xc0023f00, queue + 0x1300, 0, 7 | 1 << 23, 10, *[0] * 10),
           struct.pack("<16I", 2 << 16, 0, queue + 0x1180, 0, 1, 0, 0xffffffff, 0, 0, 0, 0, 0, 0, 0, queue + 0x1140, 0))
    for i, some in enumerate(aql):
        write("card", 50 + i, b"\x03\x00" + some, b"\0")
    write("card", 59, b"\x03\x00" + b"".join(aql), b"\0")
    arena, gpu = 0x10000, 0x6863
    calls = (ioctl("K", 1, 2, 0, 0), ioctl("K", 5, 3, *[wide] * 4, gpu, 0), ioctl("K", 0x14, 3, wide | arena, 1, 0),
             ioctl("K", 0x16, 3, wide | 0x4000000, wide | 0x1000, wide, wide, gpu, 0x80000002), ioctl("K", 0x18, 3, wide | 1, wide | arena, 1, 0),
             ioctl("K", 0x08, 3, wide, 0, 0, 1, 0, 0, 0), ioctl("K", 0x0c, 3, wide | arena, 1, 0, 0, 0), ioctl("K", 0x0a, 1, 1, 0),
             ioctl("K", 0x02, 3, wide | 0x4000000, wide | 0x4000800, wide | 0x4000808, wide, 1024, gpu, 2, 100, 0, 0, wide, wide, wide, 0, 0),
             ioctl("K", 0x17, 1, wide | 1), ioctl("K", 0x23, 3, wide, gpu, 0), ioctl("K", 0x03, 3, 1, 0))
    drm = (ioctl("d", 0, 3, *[0] * 3, 0, wide, wide, wide, wide), ioctl("d", 0x40, 3, wide | 4096, wide | 4096, wide | 2, wide),
           ioctl("d", 0x41, 3, wide | 1), ioctl("d", 0x42, 3, 1, 0, 0, 0), ioctl("d", 0x43, 3, 0, 0, 0, 1, wide | arena, 0),
           ioctl("d", 0x44, 3, 1, 1, 1, 0, wide | arena), ioctl("d", 0x45, 1, wide | arena, 64, 0x16, 0, 0, 0, 0),
           ioctl("d", 0x48, 3, 1, 0, 1, 14, wide | 0x5000000, wide, wide | 4096), ioctl("d", 0x09, 1, 1, 0), ioctl("d", 0xbf, 3, 0, 0))
    memory = struct.pack("<I", 0) + struct.pack("<16I", gpu, 0, *range(14))
    for i, some in enumerate(calls):
        write("card", 60 + i, b"\x04\x03" + some + memory, b"\0")
    for i, some in enumerate(drm):
        write("card", 80 + i, b"\x05\x03" + some + memory, b"\0")
    write("card", 95, b"\x04\x03" + b"".join(calls) + memory, b"\0")
    write("card", 96, b"\x05\x03" + b"".join(drm) + memory, b"\0")
    write_dict("card", {c[:5] for c in calls + drm} | {c[:4] for c in compute} | {struct.pack("<I", x) for x in (
        0x1000000, 0x2000000, 0x3000000, queue, code, arena, gpu, 0xffffffff, 0x80000002)})


def asked(where, lanes, how, after, opcode, *packets):
    """A packet of harness/fz/live/fz_rpc.c, with 64 bytes for each lane."""
    return struct.pack("<4BI", where, lanes, how, after, opcode) + b"".join(p.ljust(64, b"\0") for p in packets)


def piece(data):
    """What a lane sends in packets, its size first."""
    whole = struct.pack("<Q", len(data)) + data
    return [whole[i:i + 64] for i in range(0, len(whole), 64)]


def hosts():
    said = {1: [b"", struct.pack("<Q", 3)], 2: piece(b"hello\n"), 5: piece(b"a line that takes more than one packet, as it has more than 56 bytes"),
            4: [struct.pack("<Q", 3)] + piece(b"to standard error"), 10: [struct.pack("<Q", 100)], 14: [struct.pack("<Q", 2)], 13: [b"", b""],
            21: piece(b"%d %5.2f %s|%-8lx%%\n\0") + piece(struct.pack("<i4xdQQ", -5, 1.5, 0x1000, 77)) + piece(b"text\0"), 12: [b""],
            24: piece(b"%*d %c %p %hhd\n\0") + piece(struct.pack("<iiiQi", 6, 7, 65, 1, 300)), 0x8001: [struct.pack("<Q", 9)],
            0x8002: [struct.pack("<Q", 1)] * 7, 0x8003: piece(b"this comes back" * 9) + [b""] * 3}
    i = 0
    for opcode, packets in said.items():
        for kind, letter in ((0, 0), (1, 0x63000000 if opcode < 0x8000 else 0)):
            write("rpc", i, bytes([kind]) + b"".join(asked(3, 1, 0, 0, opcode | letter, p) for p in packets), b"\0")
            i += 1
    write("rpc", i, b"\0" + b"".join(asked(at, 0x11, 0, 0, 2, p, p) for at in (0, 63) for p in piece(b"of two lanes")), b"\0")
    text = struct.pack("<Q", 0) + b"%d %s|%f\n".ljust(16, b"\0") + struct.pack("<q", 12) + b"text".ljust(8, b"\0") + struct.pack("<d", 2.5)
    begin, end = struct.pack("<Q", 1 | 3 << 5) + text[:24], struct.pack("<Q", 2 | 3 << 5) + text[24:]
    write("rpc", 40, b"\2" + asked(0, 1, 1, 0, 2, struct.pack("<Q", 3 | 6 << 5) + text), b"\0")
    write("rpc", 41, b"\2" + asked(1, 1, 1, 0, 2, begin) + asked(1, 1, 1, 0, 2, end), b"\0")
    write("rpc", 42, b"\2" + asked(2, 0x13, 0, 0, 3, *[struct.pack("<2Q", 0, 1 << 20)] * 3) + asked(3, 1, 1, 0, 3, struct.pack("<2Q", 8, 0)), b"\0")
    write("rpc", 43, b"\2" + asked(4, 1, 3, 5, 1, b""), b"\0")
    formats = b"1:2:4:8:%d %f\\n\n2:3:4:6:16:%c %s %v4d\n70:0:nothing\\72\n"
    write("rpc", 50, b"\3" + formats + b"\0" + struct.pack("<Iid", 1, -7, 0.5) + struct.pack("<Ii6s4i", 2, 66, b"words\0", 1, 2, 3, 4), b"\n")
    write("rpc", 51, b"\3" + formats + b"\0" + struct.pack("<II", 70, 1), b"\n")
    write_dict("rpc", {b"%s", b"%d", b"%*.*f", b"%v4hld", b"%lld", b"%5c", b"%p", b"%%", b":4", b"1:1:4:"} |
               {struct.pack("<I", opcode) for opcode in list(said) + [22, 23, 25, 26, 0x63000002, 1 << 15]} | {struct.pack("<Q", n) for n in (1, 56, 57, 1 << 24)})


def submissions():
    hashes = [b"%016x" % (0x123456789abcdef * i & (1 << 64) - 1) for i in range(1, 5)]
    known = b"culprit " + hashes[0] + b" 80000201 bf810000\nsuspect " + hashes[1] + b"\n"
    for i, text in enumerate((b"=" + known + b"finished\n", b"@" + known + b"running 1 " + hashes[2] + b" 80000201 bf810000\n",
                              b"@running 3 " + b" ".join(hashes[:3]) + b"\nrubble", b"=running 1 " + hashes[3] + b"\n\0@running 1 " + hashes[2] + b"\n",
                              b"gcncheck submissions 1 boot 00000000-0000-0000-0000-000000000000\n" + known + b"\0@" + known)):
        write("submitted", i, text, b"\n")
    write_dict("submitted", {b"culprit ", b"suspect ", b"running ", b"finished\n", b"18446744073709551615", b" ", b"\n", b"\0", b"@", hashes[0]})


def options():
    lines = [line.split() for line in (
        "run --mcpu gfx906 --jobs 2 --dut model --only v_add_u32,s_mov_b32 cases/vop2", "run --shard 2/4 --fraction 1/3 --format tap --gate manual --force --quiet",
        "run --dut model --dut pipe:cat --lineage 1,2 --color never --known f --update-known", "fuzz --seed 0x10 --count 5 --time 250ms --length=9 --out dir --resume j",
        "launch --schedule random --seed 3 --break main+4 --trace-only=in --check-races k.co launch.txt", "report --diff old.journal --partial a b -- --c",
        "min --dut-time 2h --max-failures 3 found/F", "eval v_add_u32 v1=1", "list --mcpu gfx900 --format samples", "vgpu --fault hang=1 gfx900 -- ls -l",
        "lint --help", "explain v_mov_b32 -h", "launch --memory weak:5 --delay-memory max --turns 0:3,1 --resident 4 x y", "fuzz --dut-limit memory=4G,files=256 --shar 1/2")]
    for i, words in enumerate(lines):
        write("opts", i, "\n".join(words).encode(), b"\n")
    write_dict("opts", {w.encode() for words in lines for w in words} | {b"\n", b"--", b"=", b"1/4294967295", b"65536/65536", b"0x"})


def words():
    said = (("hang=1", "lose=3,ioctl=7:EIO", "ioctl=2:4095"), ("vega10", "gfx900,mutant=s_absdiff_i32.scc_inverted", "gfx906,doubt=all"), ("all",),
            ("memory=4G,files=256,processes=64", "files=9"), ("0:3,1,0", "2"), ("1,3/2,4", "1,2"), ("90", "250ms", "5m", "2h"),
            ("inner", "inner+8", "1500", "hit 3", "group 1.0.2", "wave 2"), ("at inner to 1540 op v_* lanes 1-64 hit 2 or in inner group 1.0.0 last 5", "first 3"),
            ("v[4:7].lane3", "s4", "vcc", "ttmp[2:3]", "exec_lo", "a7"), ("gfx906", "gfx90a", "vega10"))
    n = 0
    for kind, texts in enumerate(said):
        for text in texts:
            write("word", n, bytes([kind]) + text.encode(), b" ")
            n += 1
    write_dict("word", {w.encode() for texts in said for text in texts for w in re.findall(r"[a-z_*]{2,}|[0-9]+|[=,/:.+-]", text)})
    asked_for = (b"\0bf810000\n0x7e000301\nd1ff0000, 04060501\n\nnonsense\n", b"\1v_add_u32 v0, v1, v2\nv1=5\nv2=1,2,3\nexec=0xf",
                 b"\1v_cvt_f32_f64 v0, v[1:2]\nv[1:2]=-1.5\nmode=0x3f0", b"\1ds_read_b32 v0, v1\nlds[8]=00ff00ff\nv1=8\nm0=-1\ns_nop 0",
                 b"\1s_add_u32 s0, s1, s2\ns1=0x80000000\ns[2:3]=nan\nv0.lane3=1.0f\nvcc=-1", b"\1global_load_dword v0, v[1:2], off\nmem[0x1000]=0102\na7=3")
    for i, text in enumerate(asked_for):
        write("ask", i, text, b"\n")
    write_dict("ask", {w for text in asked_for for w in re.findall(rb"[a-z_]{2,}|[0-9]+|[\[\]=,:.\n]", text)} | {b"0x", b"-inf", b"nan", b"1e400", b".lane", b"f"})
    variables = (b"GCNCHECK_FIXED_MODE=3f0\nGCNCHECK_RATE=1e9\nHOME=/nowhere\n", b"GCNCHECK_DOUBT=all\nXDG_STATE_HOME=\n",
                 b"GCNCHECK_MUTANT=a,b\nTERM=dumb\nNO_COLOR=1\n", b"GCNCHECK_VGPU=gfx900\nGCNCHECK_VGPU_MUTANT=\nGCNCHECK_DRM_PLANT=journal-stays\n",
                 b"GCNCHECK_DRM_JOURNAL=list\n")
    for i, text in enumerate(variables):
        write("environ", i, text, b"\n")
    write_dict("environ", {w for text in variables for w in re.findall(rb"[A-Z_]+=?|[a-z-]+|\n", text)} | {b"XDG_STATE_HOME=/a", b"0x", b"1e400", b","})


def programs():
    def elf(machine, *types):
        head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, len(types), 0, 0, 0)
        return head + b"".join(struct.pack("<II6Q", t, 4, 0, 0, 0, 0, 0, 1) for t in types)
    for i, data in enumerate((elf(62, 6, 3, 1), elf(62, 1), elf(183, 3), b"#! interpreter -x\n", b"#!\n", elf(62)[:40])):
        write("program", i, data, b"\0")
    write_dict("program", {b"\x7fELF\2", b"\x3e\0", b"#!", b"#!proc", b"\3\0\0\0", b"\xff\xff\xff\xff\xff\xff\xff\x7f"})


def beside():
    """What lies in folders: the finding that is there, how it is named, and the forms of a device."""
    other = b'{"format": "gcncheck-finding 2", "mcpu": "gfx906", "dut": "plugin:x.so", "files": {"report.txt": "01234567"}}'
    for i, path in enumerate((b"build/findings/v_add", b"there/", b"/finding.json", b"x/finding.json//", b"a/.b")):
        write("folder", i, path + b"\n" + (other if i % 2 else other.replace(b"gfx906", b"gfx900").replace(b"plugin:x.so", b"model")), b"\n")
    write_dict("folder", {b'"mcpu"', b'"dut"', b"/finding.json", b"/", b".", b'"gfx900"', b'"model"', b"{", b"}", b":", b"\n"})
    for i, text in enumerate((b"gcncheck-afl-forms 2 gfx900 7\nv_mov_b32 3\ns_mov_b32 1\n", b"gcncheck-afl-forms 2 gfx906 0\n")):
        write("forms", i, text, b"\n")
    write_dict("forms", {b"gcncheck-afl-forms 2 ", b"gfx900", b"v_add_u32 ", b" 255", b" 4294967296", b"\n"})


def mp_end(data, at):
    """Where the msgpack value at `at` ends."""
    left = 1
    while left:
        b = data[at]
        size = {0xc4: 1, 0xd9: 1, 0xc5: 2, 0xda: 2, 0xc6: 4, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4}.get(b, 0)
        n = int.from_bytes(data[at + 1:at + 1 + size], "big") if size else b & 15 if 0x80 <= b <= 0x9f else b & 31 if 0xa0 <= b <= 0xbf else 0
        at += 1 + size + (n if 0xa0 <= b <= 0xbf or b in (0xc4, 0xc5, 0xc6, 0xd9, 0xda, 0xdb) else 1 << (b & 3) if 0xcc <= b <= 0xd3 else 0)
        left += (n if 0x90 <= b <= 0x9f or b in (0xdc, 0xdd) else 2 * n if 0x80 <= b <= 0x8f or b in (0xde, 0xdf) else 0) - 1
    return at


def records():
    """Journals without what seals each record, which the target puts there."""
    runs = []
    for i, args in enumerate((["--dut", "mutant:s_absdiff_i32.scc_inverted"], ["--mcpu", "gfx906"])):
        path = os.path.join(FOLDER, "records%d.journal" % i)
        subprocess.run([GCNCHECK, "run", "--quiet", "--jobs", "1", "--force", "--journal", path, *args, "cases/sop2/s_absdiff_i32.case"], capture_output=True)
        data, at, some = open(path, "rb").read() if os.path.exists(path) else b"", 0, []
        while at < len(data):
            end = mp_end(data, at)
            some.append(struct.pack("<HH", end - at - 10, len(some)) + data[at:end - 10])
            at = end
        runs.append(some)
    for run, some in enumerate(runs):
        few = b"".join(some[:12] + some[-1:])
        for kind in range(0, 12, 2):
            write("records", 20 * run + kind, bytes([kind]) + few, b"\0")
            write("records", 20 * run + kind + 1, bytes([kind + 1]) + few + b"\0" * 4 + b"".join(runs[0][:9]), b"\0")
    write_dict("records", {b"\xa4head", b"\xa6intent", b"\xa6result", b"\xa3row", b"\xa5state", b"\xa4time", b"\xa3end", b"\xa3dut", b"\0\0\0\0",
                           b"\xdd\xff\xff\xff\xff", b"\xcf" + b"\xff" * 8, b" --shard 1/2", b"fuzz "})


def kept():
    """Inputs that were kept of earlier hours (harness/fz/inputs), but for those on which a planted crash aborts."""
    for path in sorted(glob.glob("harness/fz/inputs/*/*")):
        name = os.path.basename(os.path.dirname(path))
        data = open(path, "rb").read()
        if not planted(data):
            os.makedirs(os.path.join(FOLDER, name), exist_ok=True)
            with open(os.path.join(FOLDER, name, "kept" + os.path.basename(path)), "wb") as f:
                f.write(data)


instructions()
objects()
launches()
cases()
journals()
known()
lists()
weights()
litmus()
evals()
pipes()
findings()
covers()
vectors()
debuggers()
recipes()
cards()
hosts()
submissions()
options()
words()
programs()
beside()
records()
kept()
