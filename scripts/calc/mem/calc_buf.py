#!/usr/bin/env python3
"""Works out the expectations of buffer instructions and writes their case files.

    scripts/calc/mem/calc_buf.py cases

The rules stand in calc_buffer.py; tests of lanes that differ from each other in calc_buf_lanes.py.
"""
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "../lib"))

import tags
import calc_buf_lanes
from calc_buffer import (DFMT, DNAMES, FLOAT, M32, M64, NAMES, RAW, SINT, SIZE, SNORM, SSCALED, TABLE, UINT, UNORM, USCALED, WAIT, Desc, as_half, atomic,
                         before, decode, f16, f32, h, half_value, kept, memory, one, other_half, peek, pick, regs, store_bytes, table)
from calc_mem import D16_TARGETS, ECC_TARGETS
from generations import Generation, for_both, split, with_id


def holds(spec):
    """Sets the registers of a load that keeps some of their bits."""
    return f"  {regs(12, spec['dw'])} = {h(before(spec), 32 * spec['dw'])}" if other_half(spec) else ""


def load_rows(name, spec, desc, mode, soffset, imm, lanes, extra="", title="", typed=None):
    """One test of a load; lanes: (index, offset) of each."""
    dw = spec["dw"]
    mem = memory()
    idxen, offen = "idxen" in mode, "offen" in mode
    vaddr = "v[2:3]" if idxen and offen else "v2" if idxen or offen else "off"
    fmt = f" format:[{typed}]" if typed else ""
    out = ["", f"test {title}", f"mem   buf {SIZE}", f"in    {desc.text()}  s8 = {soffset}" + holds(spec) + extra,
           "code", f"    {name} {regs(12, dw)}, {vaddr}, s[4:7], s8{fmt}{' idxen' if idxen else ''}{' offen' if offen else ''}" + (f" offset:{imm}" if imm else ""), WAIT]
    rows = []
    for lane, (index, offset) in enumerate(lanes):
        place = desc.place(lane, index if idxen else 0, (offset if offen else 0) + imm, soffset, idxen)
        v = pick(spec, mem, place, desc)
        cells = [h(index)] * idxen + [h(offset)] * offen
        if idxen and offen:
            cells = [h(offset << 32 | index, 64)]
        rows.append(cells + ["|", h(v, 32 * dw)])
    return out + table(([vaddr] if vaddr != "off" else []) + ["|", regs(12, dw)], rows)


def store_rows(name, spec, desc, mode, soffset, imm, lanes, title, typed=None):
    """Each row is a run of one lane; the window of 24 bytes around its address is compared."""
    dw = spec["dw"]
    idxen, offen = "idxen" in mode, "offen" in mode
    vaddr = "v[2:3]" if idxen and offen else "v2" if idxen or offen else "off"
    fmt = f" format:[{typed}]" if typed else ""
    out = ["", f"test {title}", f"mem   buf {SIZE}", f"in    {desc.text()}  s8 = {soffset}",
           "code", f"    {name} {regs(12, dw)}, {vaddr}, s[4:7], s8{fmt}{' idxen' if idxen else ''}{' offen' if offen else ''}" + (f" offset:{imm}" if imm else ""), WAIT]
    body, touched = [], []
    for index, offset, data in lanes:
        mem = memory()
        at, left = desc.place(0, index if idxen else 0, (offset if offen else 0) + imm, soffset, idxen)
        writes = store_bytes(spec, data, desc)
        for k, v, size in writes:
            if k + size <= left:
                mem[at + k:at + k + size] = v.to_bytes(size, "little")
                touched += range((at + k) // 4 * 4, at + k + size, 4)
        body.append((index, offset, data, mem))
    words = sorted(set(touched))
    rows = []
    for index, offset, data, mem in body:
        cells = [h(offset << 32 | index, 64)] if idxen and offen else [h(index)] * idxen + [h(offset)] * offen
        rows.append(cells + [h(data, 32 * dw), "|"] + [h(peek(mem, k, 4)) for k in words])
    return out + table(([vaddr] if vaddr != "off" else []) + [regs(12, dw), "|"] + [f"buf[{k}].b32" for k in words], rows)


# ---- atomics ----

def atomic_case(name, op, bits):
    dw = bits // 32 * (2 if op == "cmpswap" else 1)
    m = (1 << bits) - 1
    pairs = [(5, 3), (3, 5), (0, 7), (7, 7), (m, 1), (1, m), (m >> 1, (m >> 1) + 1), ((m >> 1) + 1, m >> 1), (m & 0xff00c3c3a5a51234, m & 0xf0f0a5a50ff01111),
             (0, 0)]
    out = []
    for glc in (False, True):
        rows = []
        for old, data in pairs:
            if op == "cmpswap":
                for compare in (old, old ^ 1, old ^ 1 << bits - 1):
                    new = data if compare == old else old
                    value = compare << bits | data
                    rows.append([h(value, 32 * dw), h(old, bits), "|"] + [h(new, bits)] + ([h(old, bits)] if glc else []))
                continue
            rows.append([h(data, bits), h(old, bits), "|", h(atomic(op, old, data, bits), bits)] + ([h(old, bits)] if glc else []))
        data_reg, back_reg = regs(12, dw), regs(12, bits // 32)
        out += ["", f"test {'the old value comes back with glc' if glc else 'values'}", f"mem   buf {SIZE}", f"in    {RAW.text()}  s8 = 8  v2 = 16", "code",
                f"    {name} {data_reg}, v2, s[4:7], s8 offen offset:24{' glc' if glc else ''}", WAIT]
        out += table([data_reg, f"buf[48].b{bits}", "|", f"buf[48].b{bits}"] + ([back_reg] if glc else []), rows)
    data = "0x5" if op != "cmpswap" else h(0xd0000030 << 32 | 9, 64) if bits == 32 else h(0xd0000034d0000030 << 64 | 9, 128)
    inside = peek(memory(), 48, bits // 8)
    new = 9 if op == "cmpswap" else atomic(op, inside, 5, bits)
    out += ["", "test lanes that are off do nothing", f"mem   buf {SIZE}", f"in    {RAW.text()}  s8 = 0  exec = 4  {data_reg} = {data}  v2 = lane*8+32", "code",
            f"    {name} {data_reg}, v2, s[4:7], s8 offen", WAIT, "case  lane 2 alone", f"out   buf[48].b{bits} = {h(new, bits)}"]
    out += ["", "test out of range nothing happens and 0 comes back", "errata BUF-U18 BUF-U03", f"mem   buf {SIZE}", f"in    {RAW.text()}  s8 = 0  v2 = 200  {data_reg} = {data}  exec = 1", "code",
            f"    {name} {data_reg}, v2, s[4:7], s8 offen glc", WAIT, "case  beyond the last record", f"out   {back_reg}.lane0 = 0" if bits == 32 else f"out   v12.lane0 = 0  v13.lane0 = 0"]
    return out


# ---- files ----

OFFSETS = [(0, 0), (0, 4), (0, 20), (0, 100), (0, 180), (0, 196), (0, 200), (0, 0xfffffff0), (0, 8)]
INDICES = [(0, 0), (1, 0), (5, 0), (8, 0), (9, 0), (0xffffffff, 0)]
BOTH = [(0, 8), (3, 4), (7, 8), (8, 0), (9, 4)]


def plain_load(name, spec):
    inner = [(0, 2), (0, 102), (0, 198), (0, 1)] + [(0, 3)] * (spec["bytes"] == 1) if spec.get("bytes", 4) < 4 else []
    out = load_rows(name, spec, RAW, ("offen",), 0, 0, OFFSETS + inner, title="offsets into a raw buffer")
    out += load_rows(name, spec, RAW, ("offen",), 8, 16, [(0, 0), (0, 12), (0, 160), (0, 180), (0, 184)],
                     title="immediate and scalar offset: the scalar one is not range-checked")
    out += load_rows(name, spec, TABLE, ("idxen",), 0, 0, INDICES, title="records by index")
    out += load_rows(name, spec, TABLE, ("idxen", "offen"), 4, 0, BOTH, title="index and offset")
    out += load_rows(name, spec, Desc(stride=16, records=64, swizzle=True, index_stride=0), ("idxen", "offen"), 0, 0,
                     [(0, 0), (1, 0), (7, 0), (0, 4), (3, 4), (5, 8)] if spec["dw"] == 1 else [(0, 0)], title="swizzled records")
    out += by_lane(name, spec)
    out += off_lanes(name, spec)
    if name == "buffer_load_dword":
        out += ["", "test an immediate offset of twelve bits", "mem   buf 4096", f"in    {Desc(records=4096).text()}  exec = 1  buf[2308].b32 = 0x12345678", "code",
                f"    {name} v12, off, s[4:7], 0 offset:2308", WAIT, "case  one dword", "out   v12.lane0 = 0x12345678"]
    if spec.get("lds"):
        out += to_lds(name, spec)
    out += no_buffer(name, spec)
    return out


def by_lane(name, spec):
    """ADD_TID: the lane is added to the index; the format field is part of the stride. Nothing is range-checked."""
    desc, dw, keep = Desc(stride=20, records=0, add_tid=True, dfmt=0), spec["dw"], "0x5a5aa5a5"
    return ["", "test the lane counts as an index", f"mem   buf {SIZE}", f"in    {desc.text()}  exec = 0x26  {regs(12, dw)} = {keep}", "code",
            f"    {name} {regs(12, dw)}, off, s[4:7], 0 offset:8", WAIT, "case  lanes 1, 2 and 5", "out   "
            + "  ".join(f"v{12 + i}.lane{lane} = {h(pick(spec, memory(), desc.place(lane, 0, 8, 0, False), desc) >> 32 * i)}" for lane in (1, 2, 5) for i in range(dw))]


def off_lanes(name, spec):
    desc, dw = Desc(stride=0, records=SIZE, add_tid=True), spec["dw"]
    desc.dfmt = 0
    keep = "0x5a5aa5a5"
    place = desc.place(0, 0, 64, 0, False)
    v = pick(spec, memory(), place, desc)
    if spec["kind"] == "texel":
        return []
    return ["", "test lanes that are off keep their value", f"mem   buf {SIZE}", f"in    {desc.text()}  exec = 0x10  {regs(12, dw)} = {keep}", "code",
            f"    {name} {regs(12, dw)}, off, s[4:7], 0 offset:64", WAIT, "case  lane 4 alone, all lanes at one place", "out   "
            + "  ".join(f"v{12 + i}.lane4 = {h(v >> 32 * i)}" for i in range(dw))]


def no_buffer(name, spec):
    dw = spec["dw"]
    desc = Desc(kind=2)
    if other_half(spec):
        return []
    return ["", "test a descriptor of another type is no buffer", "errata BUF-U21", f"mem   buf {SIZE}", f"in    {desc.text()}  exec = 1", "code", f"    {name} {regs(12, dw)}, off, s[4:7], 0 offset:16", WAIT,
            "case  nothing is read", "out   " + "  ".join(f"v{12 + i}.lane0 = 0" for i in range(dw))]


def bits_of(spec):
    """Of a component in registers."""
    return 16 if spec["half"] and not spec.get("wide") else 32


def is_half_load(spec):
    return spec.get("load") and kept(spec)


def with_settings(name, spec, text):
    """Half loads keep the other half where memory has no error correction; else it becomes 0."""
    three = spec.get("count") == 3

    def rests_on_it(line):
        """Not tests of formats with three components: those take both."""
        return line.startswith("test ") and not (three and line.split()[1] in DNAMES.values())
    text = [part for line in text for part in ([line, D16_TARGETS] + ["errata BUF-U13"] * three if rests_on_it(line) else [line])]
    dfmt, mem, dw = {None: 4, 1: 2, 3: 12}[spec.get("count")], memory(), spec["dw"]
    desc, fmt = Desc(records=200, dfmt=dfmt), f" format:[BUF_DATA_FORMAT_{DNAMES[dfmt]},BUF_NUM_FORMAT_UINT]" if name.startswith("t") else ""
    rows = [[str(at), "|", h(pick(spec, mem, desc.place(0, 0, at, 0, False), desc) & ~kept(spec), 32 * dw)] for at in ((4, 22) if dw == 1 else (8, 40))]
    return text + ["", "test the other half is 0 with error correction", ECC_TARGETS, "errata BUF-C13" + " BUF-U13" * three, f"mem   buf {SIZE}", f"in    {desc.text()}{holds(spec)}", "code",
                   f"    {name} {regs(12, dw)}, v2, s[4:7], 0{fmt} offen", WAIT] + table(["v2", "|", regs(12, dw)], rows)


def to_lds(name, spec):
    """Without a register: lanes go to consecutive dwords of LDS."""
    desc = Desc(records=100, dfmt=4)
    mem = memory()
    ids = ["errata BUF-U16"] if spec["kind"] != "dword" else ["errata BUF-C14"]
    values = [pick(spec, mem, desc.place(0, 0, 8 + 32 * lane, 0, False), desc) for lane in range(4)]
    cells = [h(v) for v in values]
    return ["", "test lds in place of a register"] + ids + [f"mem   buf {SIZE}", "lds   512", f"in    {desc.text()}  exec = 0xb  v2 = lane*32  m0 = 64", "code",
            f"    {name} v2, s[4:7], 0 offen offset:8 lds", WAIT, "case  three lanes, dwords behind m0 and the offset",
            f"out   lds[72].b32 = {cells[0]}  lds[76].b32 = {cells[1]}  lds[84].b32 = {cells[3]}"]


DATA = {1: [0x12345678, 0xfedcba98, 0x00ff80a5, 0x80017f00, 0xffffffff], 2: [0x1122334455667788, 0xffeeddccbbaa9988, 5, 0x8000000000000001, M64],
        3: [0x99aabbccddeeff0011223344, 1, 0xffffffff00000000ffffffff, 0x5a5a5a5a1234567801020304, 7 << 64],
        4: [0x0f1e2d3c4b5a69788796a5b4c3d2e1f0, 1 << 127, 0xdeadbeef << 64, 0xffffffff00000000ffffffff00000000, 3]}


def plain_store(name, spec):
    d = DATA[spec["dw"]]
    out = store_rows(name, spec, RAW, ("offen",), 0, 0, [(0, 4, d[0]), (0, 8, d[1]), (0, 196, d[2]), (0, 200, d[3]), (0, 0xfffffffc, d[4])], "offsets into a raw buffer")
    out += store_rows(name, spec, RAW, ("offen",), 8, 16, [(0, 0, d[0]), (0, 180, d[1]), (0, 184, d[2])], "immediate and scalar offset")
    out += store_rows(name, spec, TABLE, ("idxen",), 0, 0, [(0, 0, d[1]), (2, 0, d[0]), (8, 0, d[2]), (9, 0, d[3])], "records by index")
    out += store_rows(name, spec, TABLE, ("idxen", "offen"), 4, 0, [(1, 4, d[0]), (0, 8, d[2]), (9, 0, d[1])], "index and offset")
    value = d[0]
    mem = memory()
    for k, v, size in store_bytes(spec, value, RAW):
        mem[32 + k:32 + k + size] = v.to_bytes(size, "little")
    words = sorted({(32 + k) // 4 * 4 for k, v, size in store_bytes(spec, value, RAW)})
    out += ["", "test lanes that are off store nothing", f"mem   buf {SIZE}", f"in    {RAW.text()}  exec = 4  {regs(12, spec['dw'])} = {h(value, 32 * spec['dw'])}  v2 = lane*16", "code",
            f"    {name} {regs(12, spec['dw'])}, v2, s[4:7], 0 offen", WAIT, "case  lane 2 alone", "out   " + "  ".join(f"buf[{k}].b32 = {h(peek(mem, k, 4))}" for k in words)]
    return out


LOAD_TEXELS = [(10, UNORM, [0x00ff8001, 0x7f40c0fe]), (10, SNORM, [0x7f8081ff, 0x00010240]), (10, UINT, [0x12ab00ff]), (10, SINT, [0x80ff7f01]),
               (10, USCALED, [0xff007f01]), (10, SSCALED, [0x80ff7f01]), (1, UNORM, [0x80, 0xff]), (2, FLOAT, [0x3c00, 0xc500]), (3, SNORM, [0x8081]),
               (4, FLOAT, [0x40490fdb]), (4, SINT, [0xfffffff0]), (5, FLOAT, [0x7bff0400]), (5, UNORM, [0xffff0001]), (6, FLOAT, [0x77c003c0 | 0x3c0]), (7, FLOAT, [0x1e0783c1]),
               (7, UINT, [0xffdff7fe]), (8, UINT, [0xc0f02c07]), (9, UNORM, [0xffdff001]), (9, SNORM, [0xa00801ff]), (9, SSCALED, [0xdff00201])]
WIDE_TEXELS = [(11, UINT, 0x1122334455667788), (12, UNORM, 0xffff800000017fff), (12, FLOAT, 0x3c00c00035557bff), (13, FLOAT, 0x3f800000c00000007f800000),
               (14, SINT, 0x00000001fffffffe8000000012345678), (10, SINT, 0x017f80fe)]


def exact_half(v, num): return num in (UINT, SINT) or v & 0x1fff == 0 or v == 0


def texel_load_case(name, spec, typed):
    out = []
    texels = [(d, n, v) for d, n, vs in LOAD_TEXELS for v in vs] + WIDE_TEXELS
    for number, (dfmt, num, raw) in enumerate(texels):
        widths = DFMT[dfmt]
        size = sum(widths) // 8
        comps, rest = [], raw
        for w in widths:
            comps.append(decode(rest & (1 << w) - 1, w, num))
            rest >>= w
        values = [comps[i] if i < len(comps) else one(num) if i == 3 else 0 for i in range(spec["count"])]
        if spec["half"] and not all(exact_half(v, num) for v in values):
            continue
        missing_w = spec["count"] == 4 and len(comps) < 4
        desc = Desc(records=SIZE, dfmt=dfmt, num=num)
        typed_text = f"BUF_DATA_FORMAT_{DNAMES[dfmt]},BUF_NUM_FORMAT_{NAMES[num]}" if typed else None
        if spec["half"]:
            values = [as_half(v, num) for v in values]
        bits = bits_of(spec)
        total = sum(v << bits * i for i, v in enumerate(values)) << (16 if spec.get("hi") else 0) | before(spec) & kept(spec)
        fmt = f" format:[{typed_text}]" if typed else ""
        out += ["", f"test {DNAMES[dfmt]} {NAMES[num].lower()} {number}"] + ["errata BUF-U09"] * missing_w + [f"mem   buf {SIZE}", f"in    {desc.text() if not typed else Desc(dfmt=12, num=SNORM).text()}  buf[16].b{size * 8 if size != 12 else 96} = {h(raw, size * 8)}  exec = 1"
                + holds(spec), "code", f"    {name} {regs(12, spec['dw'])}, off, s[4:7], 0{fmt} offset:16", WAIT, "case  one texel"]
        cells = []
        for i in range(spec["dw"]):
            cells.append(f"v{12 + i}.lane0 = {h(total >> 32 * i)}")
        if spec["count"] == 3 and bits == 16 and not Generation.gfx8:  # what is behind the third half is reported by one source
            cells[-1] = f"v13.lane0 = {{{h(total >> 32)}|{h(total >> 32 & 0xffff)}}}  # BUF-U13"
        if missing_w:  # whether it is 0 or 1 is open; of halves the third stands below it
            last = total >> 32 * (spec["dw"] - 1) & M32
            cells[-1] = f"v{11 + spec['dw']}.lane0 = {{{h(last & 0xffff if bits == 16 else 0)}|{h(last)}}}"
        out.append("out   " + "  ".join(cells))
    if spec["count"] == 4 and not spec["half"]:
        fmt = " format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_UINT]" if typed else ""
        out += ["", "test components that the format lacks", "errata BUF-U09", f"mem   buf {SIZE}", f"in    {Desc(dfmt=5, num=UINT).text()}  exec = 1  buf[16].b32 = 0x00030004", "code",
                f"    {name} v[12:15], off, s[4:7], 0{fmt} offset:16", WAIT, "case  two of four", "out   v12.lane0 = 4  v13.lane0 = 3  v14.lane0 = 0  v15.lane0 = {0|1}"]
    if not typed and not spec["half"]:
        desc = Desc(records=32, dfmt=10, num=UINT, sel=1 | 7 << 3 | 0 << 6 | 5 << 9)
        raw = 0x44332211
        want = [1, 0x44, 0, 0x22][:spec["count"]]
        outside = [1, 0, 0, 0][:spec["count"]]
        for title, offset, values in (("destination selects", 16, want), ("out of range a selected 1 is still 1", 32, outside)):
            out += ["", f"test {title}"] + (["errata BUF-U05"] if offset == 32 else []) + [f"mem   buf {SIZE}", f"in    {desc.text()}  exec = 1  buf[{offset}].b32 = {h(raw)}", "code",
                    f"    {name} {regs(12, spec['dw'])}, off, s[4:7], 0 offset:{offset}", WAIT, "case  one texel",
                    "out   " + "  ".join(f"v{12 + i}.lane0 = {h(v)}" for i, v in enumerate(values))]
    fmt = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]" if typed else ""
    if spec["half"]:
        out += half_records(name, spec, typed)
    else:
        offs = Desc(stride=8, records=4, dfmt=4, num=UINT)
        rows = []
        for index in (0, 1, 3, 4):
            v = 0xd0000000 + 8 * index + 4 if index < 4 else 0
            rows.append([h(index), "|", h(v, 32 * spec["dw"]) if spec["count"] < 4 else f"{{{h(v, 128)}|{h(v | 1 << 96, 128)}}}"])
        out += ["", "test records by index, in range all or nothing", f"mem   buf {SIZE}", f"in    {offs.text()}", "code",
                f"    {name} {regs(12, spec['dw'])}, v2, s[4:7], 0{fmt} idxen offset:4", WAIT] + table(["v2", "|", regs(12, spec["dw"])], rows)
    return out


def half_records(name, spec, typed):
    desc = Desc(stride=8, records=4, dfmt=2, num=UINT)
    fmt = " format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_UINT]" if typed else ""
    dw, rows = spec["dw"], []
    for index in (0, 1, 3, 4):
        v = 8 * index + 4 if index < 4 else 0
        v = (v << 16 if spec.get("hi") else v) | before(spec) & kept(spec)
        w = 3 * bits_of(spec)
        rows.append([h(index), "|", h(v, 32 * dw) if spec["count"] < 4 else f"{{{h(v, 32 * dw)}|{h(v | 1 << w, 32 * dw)}}}"])
    out = ["", "test records by index, in range all or nothing"] + ["errata BUF-U09"] * (spec["count"] == 4)
    out += [f"mem   buf {SIZE}", f"in    {desc.text()}" + holds(spec), "code",
            f"    {name} {regs(12, dw)}, v2, s[4:7], 0{fmt} idxen offset:4", WAIT]
    return out + table(["v2", "|", regs(12, dw)], rows)


STORE_TEXELS = [(10, UNORM, [f32(1.0), f32(0.5), f32(-1.0), f32(2.0)]), (10, UNORM, [f32(0.25), 0x7fc00000, f32(0.1), f32(0.75)]),
                (10, SNORM, [f32(-1.0), f32(0.5), f32(-2.0), f32(1.0)]), (10, UINT, [0x11, 0x22, 0x33, 0x44]), (10, SINT, [M32, 0x7f, M32 - 127, 1]),
                (10, USCALED, [f32(200.0), f32(0.0), f32(-3.0), f32(300.0)]), (10, SSCALED, [f32(-100.0), f32(127.0), f32(-200.0), f32(5.0)]),
                (5, FLOAT, [f32(1.5), f32(-2.0), 0, 0]), (4, FLOAT, [0x40490fdb, 0, 0, 0]), (12, UNORM, [f32(1.0), f32(0.0), f32(0.5), f32(2.0)]),
                (9, UINT, [0x3ff, 1, 0x200, 3]), (14, UINT, [1, 2, 0xffffffff, 0x80000000]), (11, SINT, [5, 0x80000001, 0, 0]), (13, UINT, [7, 8, 9, 0]),
                (2, FLOAT, [f32(1.5), 0, 0, 0]), (1, SNORM, [f32(-0.5), 0, 0, 0])]


def fourth_component(name, spec, typed):
    """What is stored for the component that the instruction lacks is open; it is not what stands behind the third."""
    desc, fmt = Desc(records=SIZE, dfmt=10, num=UINT), " format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UINT]" if typed else ""
    data, bits = [0x11, 0x22, 0x33, 0x5a], bits_of(spec)
    held = "  ".join(f"v{12 + i} = {h(v)}" for i, v in enumerate(data)) if bits == 32 else "  ".join(f"v{12 + i} = {h(data[2 * i] | data[2 * i + 1] << 16)}" for i in (0, 1))
    seen = "|".join(h(0x332211 | w << 24) for w in (0, 1, 0xd0))
    return ["", "# 0, 1, or memory stays.", "test the fourth component is not what stands behind the third", f"mem   buf {SIZE}",
            f"in    {desc.text() if not typed else Desc(dfmt=12, num=SNORM).text()}  {held}  exec = 1", "code",
            f"    {name} {regs(12, spec['dw'])}, off, s[4:7], 0{fmt} offset:16", WAIT, "case  one texel", f"out   buf[16].b32 = {{{seen}}}"]


def texel_store_case(name, spec, typed):
    out = []
    for number, (dfmt, num, comps) in enumerate(STORE_TEXELS):
        widths = DFMT[dfmt]
        if len(widths) > spec["count"]:
            continue  # what stands for a component that the instruction lacks is open
        desc = Desc(records=SIZE, dfmt=dfmt, num=num)
        if spec["half"]:
            floats = num not in (UINT, SINT)
            values = [struct.unpack("<f", struct.pack("<I", c))[0] if floats else c for c in comps]
            if floats and any(v != v or f32(half_value(f16(v))) != c for v, c in zip(values, comps)) or not floats and any(c > 0x7fff and c < M32 - 0x7fff for c in comps):
                continue
            above = 0x7777 << 16 if spec.get("wide") else 0
            data = sum(((f16(v) if floats else v & 0xffff) | above) << bits_of(spec) * i for i, v in enumerate(values[:spec["count"]]))
            if spec.get("hi"):
                data = data << 16 | 0x7777
        else:
            data = sum(c << 32 * i for i, c in enumerate(comps[:spec["count"]]))
        (_, raw, size), = store_bytes(spec, data, desc)
        fmt = f" format:[BUF_DATA_FORMAT_{DNAMES[dfmt]},BUF_NUM_FORMAT_{NAMES[num]}]" if typed else ""
        dwords = [f"buf[{16 + 4 * i}].b{min(32, size * 8)} = {h(raw >> 32 * i, min(32, size * 8))}" for i in range((size + 3) // 4)]
        out += ["", f"test {DNAMES[dfmt]} {NAMES[num].lower()} {number}", f"mem   buf {SIZE}",
                f"in    {desc.text() if not typed else Desc(dfmt=12, num=SNORM).text()}  {regs(12, spec['dw'])} = {h(data, 32 * spec['dw'])}  exec = 1", "code",
                f"    {name} {regs(12, spec['dw'])}, off, s[4:7], 0{fmt} offset:16", WAIT, "case  one texel", "out   " + "  ".join(dwords)]
    if spec["count"] == 3:
        out += fourth_component(name, spec, typed)
    small = 1 if spec["count"] == 1 else 3 if spec["count"] == 2 else 7 if spec["count"] == 3 else 10
    desc = Desc(stride=8, records=4, dfmt=small, num=UINT)
    fmt = f" format:[BUF_DATA_FORMAT_{DNAMES[small]},BUF_NUM_FORMAT_UINT]" if typed else ""
    data = 0x0403020104030201 if bits_of(spec) == 32 else 0x0004000300020001
    data = data * ((1 << 64) + 1) & (1 << 32 * spec["dw"]) - 1
    rows = []
    for index in (1, 3, 4):
        mem = memory()
        (_, raw, size), = store_bytes(spec, data, desc)
        if index < 4:
            mem[8 * index + 4:8 * index + 4 + size] = raw.to_bytes(size, "little")
        rows.append([h(index), h(data, 32 * spec["dw"]), "|"] + [h(peek(mem, k, 4)) for k in (12, 28, 36)])
    out += ["", "test records by index", f"mem   buf {SIZE}", f"in    {desc.text()}", "code", f"    {name} {regs(12, spec['dw'])}, v2, s[4:7], 0{fmt} idxen offset:4", WAIT]
    return out + table(["v2", regs(12, spec["dw"]), "|"] + [f"buf[{k}].b32" for k in (12, 28, 36)], rows)


def specs():
    for n, b in (("ubyte", 1), ("ushort", 2)):
        yield f"buffer_load_{n}", {"load": 1, "kind": "u", "bytes": b, "dw": 1, "lds": 1}
    for n, b in (("sbyte", 1), ("sshort", 2)):
        yield f"buffer_load_{n}", {"load": 1, "kind": "s", "bytes": b, "dw": 1, "lds": 1}
    for i, n in enumerate(("dword", "dwordx2", "dwordx3", "dwordx4")):
        yield f"buffer_load_{n}", {"load": 1, "kind": "dword", "dw": i + 1, "lds": i == 0}
        yield f"buffer_store_{n}", {"kind": "dword", "dw": i + 1}
    for n, b in (("byte", 1), ("short", 2)):
        yield f"buffer_store_{n}", {"kind": "u", "bytes": b, "dw": 1}
        yield f"buffer_store_{n}_d16_hi", {"kind": "hi", "bytes": b, "dw": 1}
    for n, b, s in (("ubyte", 1, 0), ("sbyte", 1, 1), ("short", 2, 0)):
        yield f"buffer_load_{n}_d16", {"load": 1, "kind": "d16", "bytes": b, "sign": s, "dw": 1}
        yield f"buffer_load_{n}_d16_hi", {"load": 1, "kind": "d16hi", "bytes": b, "sign": s, "dw": 1}
    for t in ("buffer", "tbuffer"):
        for c in range(1, 5):
            letters = "xyzw"[:c]
            yield f"{t}_load_format_{letters}", {"load": 1, "kind": "texel", "count": c, "half": 0, "dw": c}
            yield f"{t}_store_format_{letters}", {"kind": "texel", "count": c, "half": 0, "dw": c}
            yield f"{t}_load_format_d16_{letters}", {"load": 1, "kind": "texel", "count": c, "half": 1, "dw": (c + 1) // 2}
            yield f"{t}_store_format_d16_{letters}", {"kind": "texel", "count": c, "half": 1, "dw": (c + 1) // 2}
            if c > 1:
                yield f"{t}_load_format_d16_{letters}_unpacked", {"load": 1, "kind": "texel", "count": c, "half": 1, "dw": c, "wide": 1}
                yield f"{t}_store_format_d16_{letters}_unpacked", {"kind": "texel", "count": c, "half": 1, "dw": c, "wide": 1}
    yield "buffer_load_format_d16_hi_x", {"load": 1, "kind": "texel", "count": 1, "half": 1, "dw": 1, "hi": 1}
    yield "buffer_store_format_d16_hi_x", {"kind": "texel", "count": 1, "half": 1, "dw": 1, "hi": 1}


ABOUT = {"u": "bytes, zero-extended", "s": "bytes, sign-extended", "dword": "dwords, each range-checked alone", "d16": "a byte or half into the low half; the high half stays",
         "d16hi": "a byte or half into the high half; the low half stays", "hi": "from the high half", "texel": "components converted by the format, all or nothing"}


# The ledger's entries that a test settles, beside those that its maker knows.
LEDGER = {("buffer_load_dword", "offsets into a raw buffer"): "BUF-C01", ("buffer_load_dword", "records by index"): "BUF-C01", ("buffer_load_dword", "index and offset"): "BUF-U02",
          ("buffer_load_sbyte_d16", "offsets into a raw buffer"): "BUF-C03", ("buffer_load_sbyte_d16_hi", "offsets into a raw buffer"): "BUF-C03",
          ("buffer_load_sbyte_d16_hi", "lanes that are off keep their value"): "BUF-C10", ("buffer_load_ubyte_d16", "lanes that are off keep their value"): "BUF-C13",
          ("buffer_load_format_d16_x", "16 float 10"): "BUF-C04", ("tbuffer_load_format_xyz", "11_11_10 float 18"): "BUF-C05"}

def all_there(name, fill, lane0, lane2, word3=0x24fac):
    """tfe where nothing is missing; lane0 and lane2: what the two lanes load, from bytes 0 and 64."""
    dw = max(len(lane0) // 8, 1)
    data, status = regs(12, dw), f"v{12 + dw}"
    loaded = f"{data}.lane0 = {lane0}  {data}.lane2 = {lane2}"
    return f"""
test tfe: everything is there, the register behind the data is 0 or stays
errata BUF-U11
mem   buf 256
in    s[4:5] = &buf  s6 = 100  s7 = {word3:#x}  exec = 0x5  v2 = lane*32{fill}
code
    {name} {regs(12, dw + 1)}, v2, s[4:7], 0 offen tfe
    s_waitcnt vmcnt(0)
case  it was 0
in    {status} = 0
out   {loaded}  {status} = 0
case  it was not
in    {status} = 7
out   {loaded}  {status} = {{0|7}}
case  out of range
in    {status} = 0  s6 = 0
out   {data}.lane0 = 0  {data}.lane2 = 0  {status} = 0"""


def every_other_dword():
    """What 64 lanes store that have records of 8 bytes: four to a line."""
    words = [f"buf[{16 + 8 * lane}].b32 = {h(lane)}" for lane in range(64)]
    return "\n".join("out   " + "  ".join(words[at:at + 4]) for at in range(0, 64, 4))


BY_HAND = {"buffer_load_dword": """
test add_tid: the lane counts records, the format is the top of the stride, nothing is out of range
targets gfx9
errata BUF-U01 BUF-U07
mem   buf 65536
in    s[4:5] = &buf+0xc000000000000  s6 = 4  s7 = 0x80cfac  exec = 7
code
    buffer_load_dword v12, off, s[4:7], 0 offset:4
    s_waitcnt vmcnt(0)
case  records of 12 + 2^14 bytes
out   v12.lane0 = 0xd0000004  v12.lane1 = 0xd0004010  v12.lane2 = 0xd000801c

test add_tid: a whole wave, a dword a lane
errata BUF-U01 BUF-U07
targets gfx9
mem   buf 1024
mem   end 264
in    s[4:5] = &buf+0x4000000000000  s6 = -1  s7 = 0x807fac  s8 = 16  exec = 0xffffffffffffffff
code
    buffer_load_dword v12, off, s[4:7], s8 offset:8
    s_waitcnt vmcnt(0)
case  in the middle of memory
out   v12 = lane*4+0xd0000018
case  to its end
in    s[4:5] = &end+0x4000000000000  s8 = 0
out   v12 = lane*4+0xd0010008
case  of records of 8 bytes
in    s[4:5] = &buf+0x8000000000000
out   v12 = lane*8+0xd0000018

test add_tid and index: the sum is a record
targets gfx9
errata BUF-U01 BUF-U07
mem   buf 65536
in    s[4:5] = &buf+0xc000000000000  s6 = 3  s7 = 0x80cfac  exec = 7  v2 = 1
code
    buffer_load_dword v12, v2, s[4:7], 0 idxen
    s_waitcnt vmcnt(0)
case  three records, the last lane is behind them
out   v12.lane0 = 0xd000400c  v12.lane1 = 0xd0008018  v12.lane2 = 0

test half the alignment: as it stands there, or without the low bits of the address
errata BUF-C11
mem   buf 256
in    s[4:5] = &buf  s6 = 100  s7 = 0x24fac  v2 = 2  exec = 1
code
    buffer_load_dword v12, v2, s[4:7], 0 offen
    s_waitcnt vmcnt(0)
case  two bytes up
out   v12 = {0x0004d000|0xd0000000}

test add_tid on gfx8: the lane counts records, three of them
targets gfx8
errata BUF-U01 GCN3-U04
mem   buf 65536
in    s[4:5] = &buf+0xc000000000000  s6 = 49188  s7 = 0x80cfac  exec = 0xf
code
    buffer_load_dword v12, off, s[4:7], 0 offset:4
    s_waitcnt vmcnt(0)
case  records of 12 + 2^14 bytes, the last lane is behind them
out   v12.lane0 = 0xd0000004  v12.lane1 = 0xd0004010  v12.lane2 = 0xd000801c  v12.lane3 = 0

test add_tid and index on gfx8: the sum is a record
targets gfx8
errata BUF-U01 GCN3-U04
mem   buf 65536
in    s[4:5] = &buf+0xc000000000000  s6 = 49188  s7 = 0x80cfac  exec = 7  v2 = 1
code
    buffer_load_dword v12, v2, s[4:7], 0 idxen
    s_waitcnt vmcnt(0)
case  three records, the last lane is behind them
out   v12.lane0 = 0xd000400c  v12.lane1 = 0xd0008018  v12.lane2 = 0
""" + all_there("buffer_load_dword", "", "0xd0000000", "0xd0000040"),
           "buffer_store_dword": """
test add_tid: a whole wave, records of 8 bytes
errata BUF-U01 BUF-U07
targets gfx9
mem   buf 1024
in    s[4:5] = &buf+0x8000000000000  s6 = -1  s7 = 0x807fac  s8 = 12  exec = 0xffffffffffffffff  v12 = lane
code
    buffer_store_dword v12, off, s[4:7], s8 offset:4
    s_waitcnt vmcnt(0)
case  every other dword
""" + every_other_dword(),
           "buffer_load_ubyte": all_there("buffer_load_ubyte", "  buf[64].b32 = 0x123456fe", "0", "0xfe"),
           "buffer_load_dwordx4": all_there("buffer_load_dwordx4", "", "0xd000000cd0000008d0000004d0000000", "0xd000004cd0000048d0000044d0000040"),
           "buffer_load_format_xyzw": all_there("buffer_load_format_xyzw", "  buf[0].b32 = 0x04030201  buf[64].b32 = 0xff00807f",
                                                "0x00000004000000030000000200000001", "0x000000ff00000000000000800000007f", 0x54fac)}


def write(folder, name, text, what):
    ids = [LEDGER.get((name, line[5:])) if line.startswith("test ") else None for line in text]
    text = [part for line, i in zip(text, ids) for part in ([line, f"errata {i}"] if i else [line])]
    text += BY_HAND[name].split("\n") if name in BY_HAND else []
    head = ["case-format 1", f"# {what} Vega ISA, chapter 8." + (" Resources: cases/README.md." if "s[" in "".join(text) else "")]
    head += ["# Titles of formats: data format, number format, a counter. Formats count from the top bits: x has the lowest."] * ("_format_" in name)
    head += ["# The format of the instruction counts, not that of the resource, which is 16_16_16_16 snorm in most tests."] * name.startswith("t")
    path = folder / ("mtbuf" if name.startswith("t") else "mubuf") / f"{name}.case"
    path.parent.mkdir(exist_ok=True)
    tags.write(path, "\n".join(head + text) + "\n")


def from_lds():
    low = Desc(stride=4, records=SIZE, add_tid=True, dfmt=0)
    high = Desc(stride=8, records=SIZE, add_tid=True, dfmt=0)
    return ["", "test lanes store consecutive dwords of lds", "errata BUF-U14", f"mem   buf {SIZE}", "lds   512",
            "in    " + "  ".join(low.items(0)) + "  exec = 0x5  m0 = 32  lds[36].b32 = 0x11112222  lds[40].b32 = 7  lds[44].b32 = 0x33334444", "code",
            "    buffer_store_lds_dword s[0:3], m0 offset:4 lds", WAIT, "case  lanes 0 and 2, m0 counts in lds and in memory", "out   buf[36].b32 = 0x11112222  buf[44].b32 = 0x33334444",
            "", "# Records of 8 bytes, one for each lane; the scalar offset counts for memory alone.", "test lanes far apart, a scalar offset", "errata BUF-U14",
            "mem   buf 512", "lds   512", "in    " + "  ".join(high.items(96)) + "  s0 = 16  exec = 0x2000000042  m0 = 32",
            "      lds[36].b32 = 0x11112222  lds[56].b32 = 0x33334444  lds[180].b32 = 0x55556666  lds[40].b32 = 7", "code",
            "    buffer_store_lds_dword s[96:99], s0 lds", WAIT, "case  lanes 1, 6 and 37 are on",
            "out   buf[24].b32 = 0x11112222  buf[64].b32 = 0x33334444  buf[312].b32 = 0x55556666"]


# ---- generations ----

def element_sizes(name, spec):
    """Of gfx8: 2 to 16 bytes of a record stay together; what a dword does that is cut there is open."""
    out = []
    for element in (8, 16) if spec["kind"] == "dword" and spec["dw"] == 1 else (2,) if spec.get("bytes") == 2 and spec["kind"] == "u" else ():
        desc = Desc(stride=32, records=12, swizzle=True)
        desc.element = element
        rows = [(0, 0), (1, 0), (7, 0), (0, 4), (3, 12), (2, 16), (12, 0)]
        if spec.get("load"):
            out += load_rows(name, spec, desc, ("idxen", "offen"), 0, 0, rows, title=f"swizzled, {element} bytes together")
        else:
            data = 0x12345678
            out += store_rows(name, spec, desc, ("idxen", "offen"), 0, 0, [(i, o, data) for i, o in rows], f"swizzled, {element} bytes together")
    return out


def body_of(name, spec):
    typed = name.startswith("t")
    if spec["kind"] == "texel":
        body = (texel_load_case if spec.get("load") else texel_store_case)(name, spec, typed)
    else:
        body = (plain_load if spec.get("load") else plain_store)(name, spec)
        body += element_sizes(name, spec) if Generation.gfx8 or Generation.gfx7 else []
    body += calc_buf_lanes.tests(name, (calc_buf_lanes.Load if spec.get("load") else calc_buf_lanes.Store)(spec), typed)
    return with_settings(name, spec, body) if is_half_load(spec) else body


def is_on_gfx8(name): return not any(part in name for part in ("d16_hi", "byte_d16", "short_d16"))


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, spec in specs():
        about = f"{'Loads' if spec.get('load') else 'Stores'} {ABOUT[spec['kind']]}."
        if spec.get("wide"):
            Generation.gfx8 = True
            body = body_of(name, spec)
            Generation.gfx8 = False
            if spec.get("load"):
                body = [line for title, lines in split(body) for line in lines[:lines.index(title) + 1] + with_id(lines, title, "GCN3-U03")]
            about += " Halves stand in a register each."
        else:
            entry = "GCN3-U03" if spec.get("load") and other_half(spec) else "GCN3-U04"
            body = for_both(lambda: body_of(name, spec), entry, True) if is_on_gfx8(name) else body_of(name, spec)
        write(folder, name, body, about)
    for op in ("swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec"):
        for bits, suffix in ((32, ""), (64, "_x2")):
            name = f"buffer_atomic_{op}{suffix}"
            write(folder, name, for_both(lambda: atomic_case(name, op, bits) + calc_buf_lanes.tests(name, calc_buf_lanes.Atomic(op, bits)), "GCN3-U04", True),
                  f"Atomic {op} of {bits} bits.")
    for name in ("buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbinvl1_sc"):
        write(folder, name, ["", "test nothing changes", "in    exec = 0x5  v0 = 7", "code", f"    {name}", WAIT, "case  registers and exec", "out   exec = same  v0.lane0 = 7"],
              "Invalidates the first cache; nothing that a wave can see changes.")
    write(folder, "buffer_store_lds_dword", for_both(from_lds, "GCN3-U04"), "Stores dwords of LDS.")


if __name__ == "__main__":
    main()
