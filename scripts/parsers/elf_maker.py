"""Small AMDGPU code objects in which every field has a name: the material of scripts/parsers/bad-elfs.py and scripts/parsers/fuzz-seeds.py.

One kernel, k, stores 42 to the buffer that is its only argument. build() answers a Made: the bytes, and where each field stands:

    ehdr.e_shoff    ph.text.p_vaddr    sh..text.sh_size    sym.k.st_value    dynsym.k.kd.st_shndx    rela.0.r_info
    kd.kernarg_size    note.0.n_descsz    code.0

Written from the ELF specification and LLVM's "User Guide for AMDGPU Backend"."""
import struct

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
# s_load_dwordx2 s[0:1], s[0:1], 0x0; v_mov_b32 v0, 0; v_mov_b32 v1, 42; s_waitcnt lgkmcnt(0); global_store_dword v0, v1, s[0:1]; s_endpgm
CODE = [0xc0060000, 0x00000000, 0x7e000280, 0x7e0202aa, 0xbf8cc07f, 0xdc708000, 0x00000100, 0xbf810000]
NULL, PROGBITS, SYMTAB, STRTAB, RELA, HASH, DYNAMIC, NOTE, NOBITS, REL, DYNSYM = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11
WRITE, ALLOC, EXEC = 1, 2, 4
NOTYPE, OBJECT, FUNC, KERNEL_V2 = 0, 1, 2, 10
LAYOUT = {
    "ehdr": [("EI_MAG", 0, 4), ("EI_CLASS", 4, 1), ("EI_DATA", 5, 1), ("EI_VERSION", 6, 1), ("EI_OSABI", 7, 1), ("EI_ABIVERSION", 8, 1),
             ("e_type", 16, 2), ("e_machine", 18, 2), ("e_version", 20, 4), ("e_entry", 24, 8), ("e_phoff", 32, 8), ("e_shoff", 40, 8),
             ("e_flags", 48, 4), ("e_ehsize", 52, 2), ("e_phentsize", 54, 2), ("e_phnum", 56, 2), ("e_shentsize", 58, 2),
             ("e_shnum", 60, 2), ("e_shstrndx", 62, 2)],
    "ph": [("p_type", 0, 4), ("p_flags", 4, 4), ("p_offset", 8, 8), ("p_vaddr", 16, 8), ("p_paddr", 24, 8), ("p_filesz", 32, 8),
           ("p_memsz", 40, 8), ("p_align", 48, 8)],
    "sh": [("sh_name", 0, 4), ("sh_type", 4, 4), ("sh_flags", 8, 8), ("sh_addr", 16, 8), ("sh_offset", 24, 8), ("sh_size", 32, 8),
           ("sh_link", 40, 4), ("sh_info", 44, 4), ("sh_addralign", 48, 8), ("sh_entsize", 56, 8)],
    "sym": [("st_name", 0, 4), ("st_info", 4, 1), ("st_other", 5, 1), ("st_shndx", 6, 2), ("st_value", 8, 8), ("st_size", 16, 8)],
    "rela": [("r_offset", 0, 8), ("r_info", 8, 8), ("r_addend", 16, 8)],
    "note": [("n_namesz", 0, 4), ("n_descsz", 4, 4), ("n_type", 8, 4), ("name", 12, 4)],
    "kd": [("group_segment_fixed_size", 0, 4), ("private_segment_fixed_size", 4, 4), ("kernarg_size", 8, 4), ("reserved0", 12, 4),
           ("kernel_code_entry_byte_offset", 16, 8), ("reserved1", 24, 4), ("compute_pgm_rsrc3", 44, 4), ("compute_pgm_rsrc1", 48, 4),
           ("compute_pgm_rsrc2", 52, 4), ("kernel_code_properties", 56, 2), ("reserved3", 60, 4)],
    "code_t": [("kernel_code_entry_byte_offset", 16, 8), ("compute_pgm_rsrc1", 48, 4), ("compute_pgm_rsrc2", 52, 4),
               ("code_properties", 56, 4), ("workitem_private_segment_byte_size", 60, 4), ("workgroup_group_segment_byte_size", 64, 4)],
}


def pack(value):
    """The msgpack of None, bool, int, float, str, bytes (as they stand), list, dict."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, int):
        if value < 0:
            return b"\xd3" + struct.pack(">q", value)
        return bytes([value]) if value < 128 else b"\xce" + struct.pack(">I", value) if value < 1 << 32 else b"\xcf" + struct.pack(">Q", value)
    if isinstance(value, str):
        return (bytes([0xa0 | len(value)]) if len(value) < 32 else b"\xda" + struct.pack(">H", len(value))) + value.encode("latin-1")
    if isinstance(value, list):
        return (bytes([0x90 | len(value)]) if len(value) < 16 else b"\xdc" + struct.pack(">H", len(value))) + b"".join(map(pack, value))
    return (bytes([0x80 | len(value)]) if len(value) < 16 else b"\xde" + struct.pack(">H", len(value))) + \
        b"".join(pack(k) + pack(v) for k, v in value.items())


def metadata(version=5):
    """The document of versions 3 and later for k, as dict."""
    kernel = {".name": "k", ".symbol": "k.kd", ".kernarg_segment_size": 8, ".kernarg_segment_align": 8, ".group_segment_fixed_size": 0,
              ".private_segment_fixed_size": 0, ".sgpr_count": 8, ".vgpr_count": 4, ".wavefront_size": 64, ".max_flat_workgroup_size": 256,
              ".args": [{".name": "out", ".offset": 0, ".size": 8, ".value_kind": "global_buffer", ".address_space": "global"}]}
    return {"amdhsa.version": [1, min(version - 3, 2)], "amdhsa.kernels": [kernel]}


YAML = b"""---
Version:         [ 1, 0 ]
Kernels:
  - Name:            k
    SymbolName:      'k@kd'
    Args:
      - Name:            out
        Size:            8
        Align:           8
        ValueKind:       GlobalBuffer
        AddrSpaceQual:   Global
    CodeProps:
      KernargSegmentSize: 8
      GroupSegmentFixedSize: 0
      PrivateSegmentFixedSize: 0
      KernargSegmentAlign: 8
      WavefrontSize:   64
      NumSGPRs:        8
      NumVGPRs:        4
      MaxFlatWorkGroupSize: 256
...
"""


def note(owner, kind, desc):
    name = owner + b"\0"
    return struct.pack("<III", len(name), len(desc), kind) + name + b"\0" * (-len(name) % 4) + desc + b"\0" * (-len(desc) % 4)


def descriptor(entry, group=0, private=0):
    """64 bytes: 8 VGPRs, 16 SGPRs, denormals kept, DX10_CLAMP, IEEE; two user SGPRs, the kernarg pointer."""
    return struct.pack("<IIIIqIIIIIIIIHHI", group, private, 8, 0, entry, 0, 0, 0, 0, 0, 0, 0x00af0041, 0x84, 0x08, 0, 0)


def code_t(private=0):
    """The 256 bytes before the code of version 2."""
    head = struct.pack("<IIHHHHqqqqIIIIIIQ", 1, 2, 1, 9, 0, 0, 256, 0, 0, 0, 0x00af0041, 0x84, 0x00080008, private, 0, 0, 8)
    head += struct.pack("<IHHHHHHHHBBBBI", 0, 8, 4, 0, 0, 0, 0, 0, 0, 4, 4, 4, 6, 0xffffffff)
    return head + b"\0" * (256 - len(head))


class Made:
    def __init__(self):
        self.data, self.at = bytearray(), {}

    def mark(self, kind, prefix, offset):
        for name, at, size in LAYOUT[kind]:
            self.at["%s.%s" % (prefix, name)] = (offset + at, size)

    def get(self, field):
        at, size = self.at[field]
        return int.from_bytes(self.data[at:at + size], "little")

    def set(self, field, value):
        at, size = self.at[field]
        self.data[at:at + size] = (value & (1 << size * 8) - 1).to_bytes(size, "little")

    def set_bits(self, field, value):
        self.set(field, self.get(field) | value)


class Section:
    def __init__(self, name, kind, flags, data, align=1, entsize=0, link="", info="", size=None):
        self.name, self.kind, self.flags, self.data, self.align = name, kind, flags, data, align
        self.entsize, self.link, self.info = entsize, link, info
        self.size = len(data) if size is None else size
        self.addr = self.offset = 0


def strings(names):
    table, at = b"\0", {"": 0}
    for name in names:
        if name not in at:
            at[name] = len(table)
            table += name.encode() + b"\0"
    return table, at


def build(version=5, linked=True, mach=0x2c, flags=None, meta=None, notes=None, code=None, yaml=YAML, extra=(), symbols=(), bss=0,
          relocs=(), osabi=64, debug=b""):
    """A code object. `meta` is the msgpack document (bytes), `notes` replaces the note section, `code` the dwords of k. `extra`:
    sections that are not loaded; `symbols`: more of them as (name, info, section, value, size); `relocs`: more records for .rela.dyn or
    .rela.text as (offset, type, symbol's index, addend)."""
    v2, text = version == 2, struct.pack("<%dI" % len(code or CODE), *(code or CODE))
    if notes is None:
        notes = note(b"AMD", 3, struct.pack("<HHIII", 4, 7, 9, 0, 0) + b"AMD\0AMDGPU\0") + note(b"AMD", 10, yaml) if v2 else \
            note(b"AMDGPU", 32, meta if meta is not None else pack(metadata(version)))
    if flags is None:
        flags = mach | (0 if v2 or version == 3 else 0x100) | (1 << 24 if version == 6 else 0)
    if v2:
        text = code_t() + text
    kernel = [("k", 0x10 | (KERNEL_V2 if v2 else FUNC), ".text", 0, len(text))] + ([] if v2 else [("k.kd", 0x11, ".rodata", 0, 64)])
    kernel += list(symbols)
    strtab, at_str = strings([s[0] for s in kernel])
    secs = [Section(".note", NOTE, ALLOC, notes, 4)]
    if linked:
        secs += [Section(".dynsym", DYNSYM, ALLOC, b"\0" * 24 * (len(kernel) + 1), 8, 24, ".dynstr", 1),
                 Section(".dynstr", STRTAB, ALLOC, strtab)]
        if relocs:
            secs.append(Section(".rela.dyn", RELA, ALLOC, b"", 8, 24, ".dynsym", size=24 * len(relocs)))
    if not v2:
        secs.append(Section(".rodata", PROGBITS, ALLOC, b"\0" * 64, 64))
    secs += [Section(".text", PROGBITS, ALLOC | EXEC, text, 256), Section(".data", PROGBITS, ALLOC | WRITE, b"\1\2\3\4" * 4, 16)]
    if bss:
        secs.append(Section(".bss", NOBITS, ALLOC | WRITE, b"", 16, size=bss))
    if not linked and not v2:
        secs.append(Section(".rela.rodata", RELA, 0, b"", 8, 24, ".symtab", ".rodata", size=24))
    if not linked and relocs:
        secs.append(Section(".rela.text", RELA, 0, b"", 8, 24, ".symtab", ".text", size=24 * len(relocs)))
    if debug:
        secs.append(Section(".debug_line", PROGBITS, 0, debug))
    secs += list(extra)
    secs += [Section(".symtab", SYMTAB, 0, b"\0" * 24 * (len(kernel) + 1), 8, 24, ".strtab", 1), Section(".strtab", STRTAB, 0, strtab)]
    shstr, at_shstr = strings([s.name for s in secs] + [".shstrtab"])
    secs.append(Section(".shstrtab", STRTAB, 0, shstr))
    return place(version, linked, flags, osabi, secs, kernel, at_str, at_shstr, relocs)


SEGMENTS = (("ro", 4, (".note", ".dynsym", ".dynstr", ".rela.dyn", ".rodata")), ("text", 5, (".text",)), ("data", 6, (".data", ".bss")))


def place(version, linked, flags, osabi, secs, kernel, at_str, at_shstr, relocs):
    made = Made()
    index = {s.name: i + 1 for i, s in enumerate(secs)}
    by_name = {s.name: s for s in secs}
    phs = len(SEGMENTS) + 1 if linked else 0
    at, segment, page = 64 + 56 * phs, None, 0
    for s in secs:
        mine = next((name for name, _, members in SEGMENTS if s.name in members), None)
        if linked and mine and segment and mine != segment:
            page += 0x1000
        segment = mine or segment
        at += -at % s.align
        s.offset = at
        s.addr = at + page if linked and s.flags & ALLOC else 0
        at += 0 if s.kind == NOBITS else s.size
    shoff = at + -at % 8
    made.data = bytearray(HEADER.pack(b"\x7fELF\2\1\1" + bytes([osabi, 0 if osabi != 64 else version - 2]) + b"\0" * 7, 3 if linked else 1,
                                      224, 1, 0, 64 if linked else 0, shoff, flags, 64, 56 if linked else 0, phs, 64, len(secs) + 1,
                                      index[".shstrtab"]))
    made.mark("ehdr", "ehdr", 0)
    if linked:
        for i, (name, prot, members) in enumerate(SEGMENTS + (("note", 4, (".note",)),)):
            some = [s for s in secs if s.name in members]
            lo = 0 if name == "ro" else some[0].offset
            file_end = max(s.offset + (0 if s.kind == NOBITS else s.size) for s in some)
            end = max(s.addr + s.size for s in some)
            vaddr = 0 if name == "ro" else some[0].addr
            made.mark("ph", "ph." + name, len(made.data))
            made.data += struct.pack("<IIQQQQQQ", 4 if name == "note" else 1, prot, lo, vaddr, vaddr, file_end - lo, end - vaddr,
                                     4 if name == "note" else 0x1000)
    fill_symbols(by_name, index, kernel, at_str, linked)
    fill_relocs(by_name, linked, relocs, len(kernel))
    if ".rodata" in by_name:
        entry = by_name[".text"].addr - by_name[".rodata"].addr if linked else 0
        by_name[".rodata"].data = descriptor(entry)
    for s in secs:
        made.data += b"\0" * (s.offset - len(made.data)) + s.data
        made.at["at" + s.name] = (s.offset, 0)
    made.data += b"\0" * (shoff - len(made.data) + 64)
    for s in secs:
        made.mark("sh", "sh." + s.name, len(made.data))
        link = index.get(s.link, 0)
        info = index.get(s.info, 0) if isinstance(s.info, str) else s.info
        made.data += struct.pack("<IIQQQQIIQQ", at_shstr[s.name], s.kind, s.flags, s.addr, s.offset, s.size, link, info, s.align, s.entsize)
    mark_contents(made, by_name, kernel, version)
    return made


def fill_symbols(by_name, index, kernel, at_str, linked):
    table = b"\0" * 24
    for name, info, section, value, size in kernel:
        base = by_name[section].addr if section in by_name else 0
        ndx = index.get(section, 0) if isinstance(section, str) else section
        table += struct.pack("<IBBHQQ", at_str[name], info, 0, ndx, value + (base if linked else 0), size)
    for name in (".dynsym", ".symtab"):
        if name in by_name:
            by_name[name].data = table


def fill_relocs(by_name, linked, relocs, symbols):
    records = b"".join(struct.pack("<QQq", offset & (1 << 64) - 1, symbol << 32 | kind, addend) for offset, kind, symbol, addend in relocs)
    for name in (".rela.dyn", ".rela.text"):
        if name in by_name:
            by_name[name].data = records
    if ".rela.rodata" in by_name:
        by_name[".rela.rodata"].data = struct.pack("<QQq", 16, 1 << 32 | 5, 16)


def mark_contents(made, by_name, kernel, version):
    for table, prefix in ((".symtab", "sym"), (".dynsym", "dynsym")):
        if table in by_name:
            for i, (name, *_) in enumerate(kernel):
                made.mark("sym", "%s.%s" % (prefix, name), by_name[table].offset + 24 * (i + 1))
    for table, prefix in ((".rela.dyn", "rela"), (".rela.text", "rela"), (".rela.rodata", "rela_kd")):
        for i in range(by_name[table].size // 24 if table in by_name else 0):
            made.mark("rela", "%s.%d" % (prefix, i), by_name[table].offset + 24 * i)
    at, end, i = by_name[".note"].offset, by_name[".note"].offset + by_name[".note"].size, 0
    while at + 12 <= end:
        made.mark("note", "note.%d" % i, at)
        namesz, descsz, _ = struct.unpack_from("<III", made.data, at)
        at += 12 + namesz + -namesz % 4 + descsz + -descsz % 4
        i += 1
    text = by_name[".text"].offset
    if ".rodata" in by_name:
        made.mark("kd", "kd", by_name[".rodata"].offset)
    if version == 2:
        made.mark("code_t", "code_t", text)
        text += 256
    for i in range((by_name[".text"].offset + by_name[".text"].size - text) // 4):
        made.at["code.%d" % i] = (text + 4 * i, 4)


def bundle(entries):
    size = 32 + sum(24 + len(name) for name, _ in entries)
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)), b""
    for name, code in entries:
        head += struct.pack("<QQQ", size + len(body), len(code), len(name)) + name
        body += code
    return head + body


def compressed(data, version=2):
    """A compressed bundle. The zstd frame stores its contents: one raw block each 128 KiB."""
    frame = struct.pack("<IBI", 0xfd2fb528, 0xa0, len(data))
    for i in range(0, len(data), 1 << 17):
        part = data[i:i + (1 << 17)]
        frame += struct.pack("<I", len(part) << 3 | (i + len(part) == len(data)))[:3] + part
    if version == 1:
        return b"CCOB" + struct.pack("<HHIQ", 1, 1, len(data), 0) + frame
    width, head = ("QQ", 32) if version == 3 else ("II", 24)
    return b"CCOB" + struct.pack("<HH%sQ" % width, version, 1, head + len(frame), len(data), 0) + frame


def fatbin(bundles, machine=62):
    """A host's shared library with a section .hip_fatbin."""
    names = b"\0.shstrtab\0.hip_fatbin\0"
    at_names = 64 + len(bundles)
    shoff = at_names + len(names) + -(at_names + len(names)) % 8
    elf = HEADER.pack(b"\x7fELF\2\1\1" + b"\0" * 9, 3, machine, 1, 0, 0, shoff, 0, 64, 56, 0, 64, 3, 1)
    elf += bundles + names
    elf += b"\0" * (shoff - len(elf) + 64)
    elf += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
    return elf + struct.pack("<IIQQQQIIQQ", 11, 1, 2, 0x1000, 64, len(bundles), 0, 0, 4096, 0)
