#!/usr/bin/env python3
"""Hand-made bad code objects, and what dis, dis --metadata --descriptor, lint and launch must say about each.

    scripts/parsers/bad-elfs.py FOLDER              writes them all, and FOLDER/expected: file, then for each command exit code and word
    scripts/parsers/bad-elfs.py --test GCNCHECK     runs the commands on all of them; TAP

A bad file gives exit code 2 (3: the kernel ran and could not go on) and ONE line on standard error, which holds the word.
scripts/parsers/elf_maker.py makes the sound files; each entry below changes one thing in one of them."""
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from elf_maker import *  # noqa

COMMANDS = ("dis", "meta", "lint", "launch")
HUGE, TOP, FAR = 1 << 40, (1 << 64) - 8, 0x7fffffff
variants = []  # (name, how to make it, {command: (exit code, word) or None}, text of launch.txt)
LAUNCH = "kernel k\ngrid 1 1 1\nworkgroup 1 1 1\nout out.bin 4 exact\n"


def outcome(value):
    return (0, "") if value == 0 else (2, value) if isinstance(value, str) else value


def add(name, make, every=0, launch_txt=LAUNCH, **some):
    """`every` for all commands, `some` for those named: a word (exit code 2), 0, or (exit code, word); None: not run."""
    expect = {c: outcome(some.get(c, every)) if some.get(c, every) is not None else None for c in COMMANDS}
    variants.append((name, make, expect, launch_txt))


def patched(changes, cut=None, **options):
    def make():
        made = build(**options)
        for field, value in changes.items():
            if field.startswith("+"):
                made.set_bits(field[1:], value)
            else:
                made.set(field, value)
        data = bytes(made.data)
        return data if cut is None else data[:cut if isinstance(cut, int) else made.at[cut][0]]
    return make


def patch(name, changes, every=0, cut=None, options=None, **some):
    add(name, patched(changes, cut, **(options or {})), every, **some)


def sound():
    for version in (2, 3, 4, 5, 6):
        for linked in (True, False):
            mach = 0x51 if version == 6 else 0x2c
            add("sound-v%d-%s" % (version, "linked" if linked else "object"),
                lambda v=version, l=linked, m=mach: bytes(build(version=v, linked=l, mach=m).data))
    patch("sound-bss", {}, options={"bss": 64})
    patch("sound-object-bss", {}, options={"bss": 64, "linked": False})
    patch("sound-entry-is-not-read", {"ehdr.e_entry": HUGE})
    patch("sound-paddr-is-not-read", {"ph.text.p_paddr": HUGE})
    patch("sound-segment-of-no-size", {"ph.data.p_filesz": 0, "ph.data.p_memsz": 0})
    patch("sound-relocation", {}, options={"relocs": [(0x2420, 13, 0, 0)]})


def headers():
    patch("class-none", {"ehdr.EI_CLASS": 0}, "EI_CLASS")
    patch("class-32", {"ehdr.EI_CLASS": 1}, "EI_CLASS")
    patch("class-77", {"ehdr.EI_CLASS": 77}, "EI_CLASS")
    patch("data-none", {"ehdr.EI_DATA": 0}, "EI_DATA")
    patch("data-big-endian", {"ehdr.EI_DATA": 2}, "EI_DATA")
    patch("data-9", {"ehdr.EI_DATA": 9}, "EI_DATA")
    patch("ident-version-0", {"ehdr.EI_VERSION": 0}, "EI_VERSION")
    patch("ident-version-2", {"ehdr.EI_VERSION": 2}, "EI_VERSION")
    patch("osabi-linux", {"ehdr.EI_OSABI": 3}, "OS ABI 3")
    patch("osabi-none", {"ehdr.EI_OSABI": 0}, launch="OS ABI 0")
    patch("osabi-pal", {"ehdr.EI_OSABI": 65}, launch="amdpal")
    patch("osabi-mesa", {"ehdr.EI_OSABI": 66}, launch="mesa3d")
    patch("abi-version-5", {"ehdr.EI_ABIVERSION": 5}, "ABI version 5")
    patch("abi-version-255", {"ehdr.EI_ABIVERSION": 255}, "ABI version 255")
    patch("abi-version-of-v2", {"ehdr.EI_ABIVERSION": 0}, "note AMD, type 3")
    patch("abi-version-of-v4", {"ehdr.EI_ABIVERSION": 2}, launch="amdhsa.version")
    patch("type-none", {"ehdr.e_type": 0}, "e_type")
    patch("type-exec", {"ehdr.e_type": 2}, "e_type")
    patch("type-core", {"ehdr.e_type": 4}, "e_type")
    patch("type-rel-but-linked", {"ehdr.e_type": 1}, meta="descriptor at", launch="no symbol 'k.kd'")
    patch("type-dyn-but-object", {"ehdr.e_type": 3}, options={"linked": False}, lint="no segment", launch="no segment")
    patch("machine-x86", {"ehdr.e_machine": 62}, "machine 62")
    patch("machine-0", {"ehdr.e_machine": 0}, "machine 0")
    patch("version-0", {"ehdr.e_version": 0}, "e_version")
    patch("version-2", {"ehdr.e_version": 2}, "e_version")
    patch("ehsize-0", {"ehdr.e_ehsize": 0}, "e_ehsize")
    patch("ehsize-52", {"ehdr.e_ehsize": 52}, "e_ehsize")
    patch("flags-unknown-processor", {"ehdr.e_flags": 0x1ff}, "processor number 0xff")
    patch("flags-processor-0", {"ehdr.e_flags": 0}, "processor number 0x00")
    patch("flags-unknown-bits", {"ehdr.e_flags": 0x80012c}, "e_flags 0x80012c")
    patch("flags-generic-version-in-v5", {"ehdr.e_flags": 0x100012c}, "e_flags")
    patch("flags-other-processor", {"ehdr.e_flags": 0x12f}, launch="is for gfx906")
    patch("flags-gfx700", {"ehdr.e_flags": 0x022}, launch="is for gfx700, not for gfx900")
    patch("flags-gfx1100", {"ehdr.e_flags": 0x041}, dis="processor that is described", lint="only for gfx6 to gfx9", launch="is for gfx1100")
    patch("flags-r600", {"ehdr.e_flags": 0x001}, dis="processor that is described", meta="r600 has no kernel descriptors",
          lint="only for gfx6 to gfx9", launch="is for r600")
    for table, size in (("ph", 56), ("sh", 64)):
        patch(table + "entsize-0", {"ehdr.e_%sentsize" % table: 0}, "e_%sentsize" % table)
        patch(table + "entsize-1-less", {"ehdr.e_%sentsize" % table: size - 1}, "e_%sentsize" % table)
        patch(table + "entsize-65535", {"ehdr.e_%sentsize" % table: 65535}, "e_%sentsize" % table)
        patch(table + "off-at-end", {"ehdr.e_%soff" % table: 2000}, "e_%soff" % table)
        patch(table + "off-huge", {"ehdr.e_%soff" % table: HUGE}, "e_%soff" % table)
        patch(table + "off-overflows", {"ehdr.e_%soff" % table: TOP}, "e_%soff" % table)
        patch(table + "num-65534", {"ehdr.e_%snum" % table: 65534}, "e_%snum" % table)
    patch("phnum-0", {"ehdr.e_phnum": 0}, lint="no segment", launch="no segment")
    patch("phnum-extended-but-none", {"ehdr.e_phnum": 0xffff}, "e_phnum")
    patch("shnum-0", {"ehdr.e_shnum": 0}, "e_shnum")
    patch("shnum-1", {"ehdr.e_shnum": 1}, "e_shstrndx")
    patch("shoff-0", {"ehdr.e_shoff": 0}, "e_shoff")
    patch("no-sections", {"ehdr.e_shoff": 0, "ehdr.e_shnum": 0, "ehdr.e_shstrndx": 0}, meta="no kernel descriptor", launch="no symbol 'k.kd'")
    patch("shstrndx-beyond", {"ehdr.e_shstrndx": 99}, "e_shstrndx")
    patch("shstrndx-reserved", {"ehdr.e_shstrndx": 0xfff1}, "e_shstrndx")
    patch("shstrndx-is-no-string-table", {"ehdr.e_shstrndx": 4}, "e_shstrndx")
    add("magic-alone", lambda: b"\x7fELF", "cut short", dis="ELF header")
    add("magic-wrong", lambda: b"\x7fELG" + bytes(build().data)[4:], "neither an ELF file nor a bundle", dis=None, launch="neither an ELF file nor a bundle")
    add("empty", lambda: b"", "is empty", dis=0)
    for cut in (5, 16, 40, 63):
        patch("cut-in-header-at-%d" % cut, {}, "ELF header", cut=cut)
    for cut in (64, 100, 287):
        patch("cut-in-program-headers-at-%d" % cut, {}, "cut short", cut=cut)
    for section in (".note", ".dynsym", ".dynstr", ".rodata", ".text", ".data", ".symtab", ".strtab", ".shstrtab"):
        patch("cut-at" + section, {}, "e_shoff", cut="at" + section)
    patch("cut-in-section-headers", {}, "cut short", cut=1600)
    patch("cut-one-byte", {}, "cut short", cut=-1)


def segments():
    for name in ("ro", "text", "data", "note"):
        field = "ph.%s." % name
        patch("segment-%s-offset-beyond" % name, {field + "p_offset": 5000}, "p_offset")
        patch("segment-%s-offset-overflows" % name, {field + "p_offset": TOP}, "p_offset")
        patch("segment-%s-filesz-beyond" % name, {field + "p_filesz": 5000, field + "p_memsz": 5000}, "p_filesz")
        patch("segment-%s-filesz-overflows" % name, {field + "p_filesz": TOP, field + "p_memsz": TOP}, "p_filesz")
    for name in ("ro", "text", "data"):
        field = "ph.%s." % name
        patch("segment-%s-filesz-above-memsz" % name, {field + "p_memsz": 4}, "p_memsz")
    patch("segment-memsz-4-gib", {"ph.data.p_memsz": 1 << 32}, lint="p_memsz", launch="p_memsz")
    patch("segment-memsz-overflows", {"ph.data.p_memsz": TOP}, lint="p_memsz", launch="p_memsz")
    patch("segment-vaddr-top", {"ph.data.p_vaddr": TOP}, lint="p_vaddr", launch="p_vaddr")
    patch("segment-vaddr-far", {"ph.data.p_vaddr": FAR}, lint="segments span", launch="segments span")
    patch("segment-overlaps", {"ph.text.p_vaddr": 0x200}, lint="overlaps", launch="overlaps")
    patch("segment-same-address", {"ph.data.p_vaddr": 0x1300}, lint="overlaps", launch="overlaps")
    patch("segment-of-other-type", {"ph.text.p_type": 0x12345}, launch="entry point")
    patch("segment-code-not-executable", {"ph.text.p_flags": 4}, launch="entry point")
    patch("segment-code-of-no-size", {"ph.text.p_filesz": 0, "ph.text.p_memsz": 0}, launch="entry point")
    patch("segment-no-load", {"ph.ro.p_type": 0, "ph.text.p_type": 0, "ph.data.p_type": 0}, lint="no segment", launch="no segment")


def sections():
    names = (".note", ".dynsym", ".dynstr", ".rodata", ".text", ".data", ".symtab", ".strtab", ".shstrtab")
    for name in names:
        field = "sh.%s." % name
        patch("section%s-offset-beyond" % name, {field + "sh_offset": 1681}, "sh_offset")
        patch("section%s-offset-overflows" % name, {field + "sh_offset": TOP}, "sh_offset")
        patch("section%s-size-beyond" % name, {field + "sh_size": 24 * 100}, "sh_size")
        patch("section%s-size-huge" % name, {field + "sh_size": 24 * HUGE}, "sh_size")
        patch("section%s-name-beyond" % name, {field + "sh_name": 0x10000}, "sh_name")
    for name in (".dynstr", ".strtab", ".shstrtab"):
        field = "sh.%s." % name
        patch("section%s-not-ended" % name, {field + "sh_size": 3 if name == ".shstrtab" else 2}, "string table")
        patch("section%s-other-type" % name, {field + "sh_type": 1}, "e_shstrndx" if name == ".shstrtab" else "sh_link")
    for name in (".dynsym", ".symtab"):
        field = "sh.%s." % name
        patch("section%s-link-beyond" % name, {field + "sh_link": 99}, "sh_link")
        patch("section%s-link-itself" % name, {field + "sh_link": 2 if name == ".dynsym" else 7}, "sh_link")
        patch("section%s-link-top" % name, {field + "sh_link": 0xffffffff}, "sh_link")
        patch("section%s-entsize-0" % name, {field + "sh_entsize": 0}, "sh_entsize")
        patch("section%s-entsize-16" % name, {field + "sh_entsize": 16}, "sh_entsize")
        patch("section%s-size-odd" % name, {field + "sh_size": 71}, "sh_size")
    patch("section.text-overlaps-symbols", {"sh..text.sh_size": 0x200}, 0)
    patch("section.text-of-no-size", {"sh..text.sh_size": 0})
    patch("section.text-not-executable", {"sh..text.sh_flags": 2})
    patch("sections-the-same-bytes", {"sh.%s.%s" % (s, f): v for s in (".rodata", ".data") for f, v in
                                       (("sh_flags", 6), ("sh_offset", 0), ("sh_size", 1600))}, dis="larger than the file", meta=None)


def symbols():
    for table in ("sym", "dynsym"):
        for name in ("k", "k.kd"):
            field = "%s.%s." % (table, name)
            patch("%s-%s-name-beyond" % (table, name), {field + "st_name": 0x1000}, "st_name")
            patch("%s-%s-name-top" % (table, name), {field + "st_name": 0xffffffff}, "st_name")
            patch("%s-%s-section-beyond" % (table, name), {field + "st_shndx": 99}, "st_shndx")
    both = ("sym.", "dynsym.")
    patch("kernel-symbol-renamed", {t + "k.kd.st_name": 0 for t in both}, launch="no symbol 'k.kd'", meta="no kernel descriptor")
    patch("kernel-symbol-undefined", {t + "k.kd.st_shndx": 0 for t in both}, launch="no symbol 'k.kd'", meta="no kernel descriptor")
    patch("kernel-symbol-absolute", {t + "k.kd.st_shndx": 0xfff1 for t in both}, launch="no symbol 'k.kd'", meta="no kernel descriptor")
    patch("kernel-symbol-in-no-segment", {t + "k.kd.st_value": 0x900000 for t in both}, launch="no symbol 'k.kd'", meta="descriptor at")
    patch("kernel-symbol-unaligned", {t + "k.kd.st_value": 0x2c4 for t in both}, launch="descriptor at 0x2c4", meta="descriptor at")
    patch("kernel-symbol-cut-by-segment", {t + "k.kd.st_value": 0x1300 for t in both}, launch="descriptor at 0x1300", meta="descriptor at")
    patch("kernel-symbol-top", {t + "k.kd.st_value": TOP for t in both}, launch="no symbol 'k.kd'", meta="descriptor at")
    patch("function-in-no-segment", {t + "k.st_value": 0x900000 for t in both})
    patch("function-top", {t + "k.st_value": TOP for t in both})
    patch("function-size-top", {t + "k.st_size": TOP for t in both})
    patch("function-unaligned", {t + "k.st_value": 0x1302 for t in both})
    patch("function-before-data", {t + "k.st_value": 0x2320 for t in both})


def relocations():
    obj = {"linked": False}

    def reloc(name, record, every=0, linked=False, symbols=(), **some):
        patch(name, {}, every, options={"linked": linked, "relocs": [record], "symbols": symbols}, **some)
    for kind in (12, 15, 99, 255, 0x7fffffff):
        reloc("relocation-type-%d" % kind, (0, kind, 1, 0), lint="type %d " % kind, launch="type %d " % kind)
        reloc("relocation-linked-type-%d" % kind, (0x2420, kind, 1, 0), linked=True, lint="type %d " % kind, launch="type %d " % kind)
    for offset in (0x21, HUGE, TOP):
        reloc("relocation-offset-%x" % offset, (offset, 1, 1, 0), lint="R_AMDGPU_ABS32_LO", launch="R_AMDGPU_ABS32_LO")
        reloc("relocation-linked-offset-%x" % offset, (offset + 0x100000, 3, 1, 0), linked=True, lint="R_AMDGPU_ABS64", launch="R_AMDGPU_ABS64")
    for symbol in (3, 99, 0xffffffff):
        reloc("relocation-symbol-%x" % symbol, (0, 1, symbol, 0), "symbol %d" % symbol)
        reloc("relocation-linked-symbol-%x" % symbol, (0x2420, 3, symbol, 0), "symbol %d" % symbol, linked=True)
    reloc("relocation-rel32-does-not-fit", (4, 4, 1, HUGE), lint="R_AMDGPU_REL32", launch="R_AMDGPU_REL32")
    reloc("relocation-rel16-does-not-fit", (4, 14, 1, 0x100000), lint="R_AMDGPU_REL16", launch="R_AMDGPU_REL16")
    reloc("relocation-abs32-does-not-fit", (4, 6, 1, HUGE), lint="R_AMDGPU_ABS32", launch="R_AMDGPU_ABS32")
    reloc("relocation-linked-got", (0x2420, 9, 1, 0), linked=True, lint="GOTPCREL32_HI", launch="GOTPCREL32_HI")
    reloc("relocation-undefined-symbol", (4, 10, 3, 4), symbols=[("missing", 0x10, 0, 0, 0)], launch="needs symbol 'missing'")
    reloc("relocation-common-symbol", (4, 10, 3, 4), symbols=[("common", 0x11, 0xfff2, 0, 4)], lint="special section 0xfff2",
          launch="special section 0xfff2")
    reloc("relocation-symbol-not-loaded", (4, 10, 3, 4), symbols=[("aside", 0x11, ".symtab", 0, 4)], launch="which is not loaded")
    patch("relocations-without-addend", {"sh..rela.rodata.sh_type": 9, "sh..rela.rodata.sh_entsize": 16, "sh..rela.rodata.sh_size": 16},
          options=obj, lint="SHT_REL", launch="SHT_REL")
    patch("relocations-entsize-0", {"sh..rela.rodata.sh_entsize": 0}, "sh_entsize", options=obj)
    patch("relocations-size-odd", {"sh..rela.rodata.sh_size": 23}, "sh_size", options=obj)
    patch("relocations-link-beyond", {"sh..rela.rodata.sh_link": 77}, "sh_link", options=obj)
    patch("relocations-link-text", {"sh..rela.rodata.sh_link": 3}, "sh_link", options=obj)
    patch("relocations-for-no-section", {"sh..rela.rodata.sh_info": 77}, "sh_info", options=obj)
    patch("relocations-for-themselves", {"sh..rela.rodata.sh_info": 6}, launch="entry point", options=obj)
    patch("descriptor-not-relocated", {"rela_kd.0.r_info": 0}, launch="entry point", options=obj)
    patch("descriptor-relocated-far", {"rela_kd.0.r_addend": 0x10000}, launch="entry point", options=obj)
    patch("object-symbol-value-far", {"sym.k.st_value": HUGE}, options=obj, launch="entry point")
    for align in (3, 8192, TOP):
        patch("object-alignment-%x" % align, {"sh..text.sh_addralign": align}, options=obj, lint="alignment", launch="alignment")
    patch("object-bss-4-gib", {"sh..bss.sh_size": 1 << 32}, options={"linked": False, "bss": 16}, lint="limit", launch="limit")
    patch("object-bss-overflows", {"sh..bss.sh_size": TOP}, options={"linked": False, "bss": 16}, lint="limit", launch="limit")
    patch("object-nothing-to-load", {"sh.%s.sh_flags" % s: 0 for s in (".rodata", ".text", ".data")}, options=obj, lint="no section to load",
          launch="no section to load", meta=None)


def notes():
    patch("note-name-beyond", {"note.0.n_namesz": 5000}, "note")
    patch("note-desc-beyond", {"note.0.n_descsz": 5000}, "note")
    patch("note-name-top", {"note.0.n_namesz": 0xffffffff}, "note")
    patch("note-desc-top", {"note.0.n_descsz": 0xffffffff}, "note")
    patch("note-other-owner", {"note.0.name": 0x41414141}, launch="no metadata")
    patch("note-other-type", {"note.0.n_type": 7}, launch="no metadata")
    patch("note-of-v2-in-v5", {"note.0.n_type": 10}, launch="no metadata")
    add("note-none", lambda: bytes(build(notes=b"").data), launch="no metadata")
    add("note-cut-in-head", lambda: bytes(build(notes=b"\7\0\0\0\1\0\0\0").data), "note")
    add("note-empty-document", lambda: bytes(build(meta=b"").data), meta="metadata", launch="metadata")
    v2 = {"version": 2}
    patch("v2-note-type", {"note.0.n_type": 77}, "note AMD, type 3", options=v2)
    patch("v2-no-metadata", {"note.1.n_type": 77}, launch="no metadata", options=v2)
    add("v2-processor-unknown", lambda: bytes(build(version=2, notes=note(b"AMD", 3, struct.pack("<HHIII", 4, 7, 9, 9, 9) + b"AMD\0AMDGPU\0")).data),
        "processor 9.9.9")
    add("v2-processor-cut", lambda: bytes(build(version=2, notes=note(b"AMD", 3, b"\4\0\7\0\1\0\0\0")).data), "note AMD, type 3")


def changed(path, value):
    """The metadata with one thing changed; None: taken out."""
    doc = metadata()
    at = doc
    for key in path[:-1]:
        at = at[key]
    if value is None and isinstance(at, dict):
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return doc


def documents():
    def doc(name, raw, word, meta=0):
        add("meta-" + name, lambda: bytes(build(meta=raw).data), meta=meta, launch=word)

    def edit(name, path, value, word):
        doc(name, pack(changed(path, value)), word)
    kernel, first = ("amdhsa.kernels", 0), ("amdhsa.kernels", 0, ".args", 0)
    for name, raw, word in (("nil", b"\xc0", "not a map"), ("array", b"\x90", "not a map"), ("string", pack("k"), "not a map"),
                            ("empty-map", b"\x80", "amdhsa.version")):
        doc(name, raw, word)
    for name, raw in (("reserved-byte", b"\xc1"), ("map-cut", b"\x81"), ("map-4-gib", b"\xdf\xff\xff\xff\xff"),
                      ("array-4-gib", b"\xdd\xff\xff\xff\xff"), ("string-4-gib", b"\xdb\xff\xff\xff\xff"), ("bin-4-gib", b"\xc6\xff\xff\xff\xff"),
                      ("ext-4-gib", b"\xc9\xff\xff\xff\xff\1"), ("array-65535", b"\xdc\xff\xff"), ("float-cut", b"\xcb\0\0"),
                      ("arrays-1000-deep", b"\x91" * 1000 + b"\xc0"), ("maps-1000-deep", b"\x81\xc0" * 1000 + b"\xc0"),
                      ("arrays-100000-deep", b"\x91" * 100000 + b"\xc0"),
                      ("cut-in-kernel", pack(metadata())[:80])):
        doc(name, raw, "metadata", meta="metadata")
    edit("version-missing", ("amdhsa.version",), None, "amdhsa.version is missing")
    edit("version-string", ("amdhsa.version",), "1.2", "amdhsa.version")
    edit("version-3-items", ("amdhsa.version",), [1, 2, 3], "amdhsa.version")
    edit("version-9.9", ("amdhsa.version",), [9, 9], "amdhsa.version 9.9")
    edit("kernels-missing", ("amdhsa.kernels",), None, "amdhsa.kernels is missing")
    edit("kernels-map", ("amdhsa.kernels",), {}, "amdhsa.kernels")
    edit("kernels-none", ("amdhsa.kernels",), [], "no kernel")
    edit("kernels-70000", ("amdhsa.kernels",), b"\xdd" + struct.pack(">I", 70000) + b"\xc0" * 70000, "amdhsa.kernels")
    edit("kernel-nil", ("amdhsa.kernels", 0), b"\xc0", "kernel 0 is not a map")
    for key in (".name", ".symbol", ".kernarg_segment_size", ".kernarg_segment_align", ".group_segment_fixed_size", ".private_segment_fixed_size",
                ".sgpr_count", ".vgpr_count", ".wavefront_size", ".max_flat_workgroup_size"):
        edit(key[1:] + "-missing", kernel + (key,), None, key + " is missing")
        edit(key[1:] + "-nil", kernel + (key,), b"\xc0", key)
        edit(key[1:] + "-list", kernel + (key,), [1], key)
        if key not in (".name", ".symbol"):
            edit(key[1:] + "-negative", kernel + (key,), -1, key)
            edit(key[1:] + "-top", kernel + (key,), (1 << 64) - 1, key)
            edit(key[1:] + "-float", kernel + (key,), 1.5, key)
    for key in (".kernarg_segment_align", ".wavefront_size"):
        edit(key[1:] + "-3", kernel + (key,), 3, key)
        edit(key[1:] + "-0", kernel + (key,), 0, key)
    edit("wavefront_size-32", kernel + (".wavefront_size",), 32, "waves of 32")
    edit("max_flat_workgroup_size-0", kernel + (".max_flat_workgroup_size",), 0, ".max_flat_workgroup_size")
    edit("name-with-nul", kernel + (".name",), "k\0k", ".name")
    edit("name-5000-bytes", kernel + (".name",), "k" * 5000, ".name")
    edit("symbol-unknown", kernel + (".symbol",), "q.kd", "no symbol 'q.kd'")
    edit("symbol-control-characters", kernel + (".symbol",), "\n\r\x1b[31m", "no kernel '")
    edit("symbol-without-kd", kernel + (".symbol",), "k", "no kernel 'k'")
    edit("kernarg-4-mib", kernel + (".kernarg_segment_size",), 4 << 20, ".kernarg_segment_size")
    edit("lds-64-kib-and-1", kernel + (".group_segment_fixed_size",), 65537, "bytes of LDS")
    edit("lds-4-gib", kernel + (".group_segment_fixed_size",), 0xffffffff, "bytes of LDS")
    edit("scratch-4-gib", kernel + (".private_segment_fixed_size",), 0xffffffff, "bytes of scratch")
    edit("scratch-17-mib", kernel + (".private_segment_fixed_size",), 17 << 20, "bytes of scratch")
    edit("reqd-workgroup-2-items", kernel + (".reqd_workgroup_size",), [1, 1], ".reqd_workgroup_size")
    edit("reqd-workgroup-strings", kernel + (".reqd_workgroup_size",), ["1", "1", "1"], ".reqd_workgroup_size")
    edit("reqd-workgroup-other", kernel + (".reqd_workgroup_size",), [64, 1, 1], "requires 64 1 1")
    edit("agpr-count-string", kernel + (".agpr_count",), "4", ".agpr_count")
    edit("args-map", kernel + (".args",), {}, ".args")
    edit("args-5000", kernel + (".args",), [{}] * 5000, ".args")
    edit("args-none", kernel + (".args",), [], 0)  # what GCC writes: they are those of launch.txt
    edit("arg-nil", first, b"\xc0", "argument 0 is not a map")
    for key in (".offset", ".size", ".value_kind"):
        edit("arg-%s-missing" % key[1:], first + (key,), None, key + " is missing")
        edit("arg-%s-nil" % key[1:], first + (key,), b"\xc0", key)
    edit("arg-value_kind-unknown", first + (".value_kind",), "banana", "banana")
    edit("arg-value_kind-long", first + (".value_kind",), "b" * 60000, ".value_kind")
    edit("arg-value_kind-hidden", first + (".value_kind",), "hidden_queue_ptr", "takes 0 arguments")
    edit("arg-value_kind-by_value", first + (".value_kind",), "by_value", "by_value")
    edit("arg-address_space-unknown", first + (".address_space",), "moon", ".address_space")
    edit("arg-offset-beyond", first + (".offset",), 1, "kernarg segment")
    edit("arg-offset-top", first + (".offset",), 0xffffffff, "kernarg segment")
    edit("arg-size-beyond", first + (".size",), 9, "kernarg segment")
    edit("arg-size-top", first + (".size",), 0xffffffff, "kernarg segment")
    edit("arg-pointee_align-3", first + (".pointee_align",), 3, ".pointee_align")
    edit("arg-pointee_align-huge", first + (".pointee_align",), 1 << 20, ".pointee_align")


def yaml():
    def text(name, change, word, **some):
        add("yaml-" + name, lambda: bytes(build(version=2, yaml=change(YAML)).data), launch=word, **some)
    text("empty", lambda y: b"", "metadata")
    text("text", lambda y: b"nothing", "not a map")
    text("list", lambda y: b"- a\n- b\n", "not a map")
    text("malformed", lambda y: b"{ a: [ b\n", "malformed YAML at line")
    text("bad-utf8", lambda y: b"a: \xff\xfe\xfd\n", "malformed YAML")
    text("tab", lambda y: y.replace(b"  - Name", b"\t- Name"), "malformed YAML")
    text("version-missing", lambda y: y.replace(b"Version:", b"Wersion:"), "Version is missing")
    text("version-2.7", lambda y: y.replace(b"[ 1, 0 ]", b"[ 2, 7 ]"), "Version 2.7")
    text("version-words", lambda y: y.replace(b"[ 1, 0 ]", b"[ one, two ]"), "Version")
    text("kernels-missing", lambda y: y.replace(b"Kernels:", b"Colonels:"), "Kernels is missing")
    text("kernels-map", lambda y: b"Version: [ 1, 0 ]\nKernels: { a: b }\n", "Kernels")
    text("kernel-scalar", lambda y: b"Version: [ 1, 0 ]\nKernels: [ k ]\n", "kernel 0 is not a map")
    for key in (b"Name: ", b"SymbolName", b"CodeProps", b"KernargSegmentSize", b"GroupSegmentFixedSize", b"PrivateSegmentFixedSize",
                b"KernargSegmentAlign", b"WavefrontSize", b"NumSGPRs", b"NumVGPRs", b"MaxFlatWorkGroupSize", b"ValueKind"):
        text(key.decode().strip(": ") + "-missing", lambda y, k=key: y.replace(k, b"X" + k, 1), key.decode().strip(": ") + " is missing")
    for key in (b"Size:            8", b"Align:           8"):
        text("arg-" + key.decode().split(":")[0] + "-missing", lambda y, k=key: y.replace(k, b"X" + k, 1), key.decode().split(":")[0] + " is missing")
    text("size-word", lambda y: y.replace(b"KernargSegmentSize: 8", b"KernargSegmentSize: eight"), "KernargSegmentSize")
    text("size-negative", lambda y: y.replace(b"KernargSegmentSize: 8", b"KernargSegmentSize: -8"), "KernargSegmentSize")
    text("size-huge", lambda y: y.replace(b"KernargSegmentSize: 8", b"KernargSegmentSize: 99999999999999999999"), "KernargSegmentSize")
    text("arg-beyond", lambda y: y.replace(b"Size:            8", b"Size:            80"), "kernarg segment")
    text("align-3", lambda y: y.replace(b"Align:           8", b"Align:           3"), "alignment")
    text("kind-unknown", lambda y: y.replace(b"GlobalBuffer", b"Banana"), "Banana")
    text("space-unknown", lambda y: y.replace(b"  Global\n", b"  Moon\n"), "AddrSpaceQual")
    text("alias-of-nothing", lambda y: y.replace(b"GlobalBuffer", b"*nothing"), "undefined alias")
    text("cycle", lambda y: b"Version: [ 1, 0 ]\nKernels: &a [ *a, *a ]\n", "kernel 0 is not a map")
    text("cycle-of-args", lambda y: y.replace(b"    Args:\n", b"    Args: &a\n").replace(b"Name:            out", b"Name:            *a"), "Name")
    text("nested-3000", lambda y: b"Version: [ 1, 0 ]\nKernels: " + b"[" * 3000 + b"]" * 3000 + b"\n", "metadata")
    text("laughs", lambda y: b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 9))
                                                                    for i in range(9)), "Version is missing")
    text("kernels-by-alias", lambda y: b"Version: [ 1, 0 ]\nArgs: &a [%s]\nKernels: [&k { Name: k, SymbolName: k@kd, CodeProps: "
         b"{ KernargSegmentSize: 8, GroupSegmentFixedSize: 0, PrivateSegmentFixedSize: 0, KernargSegmentAlign: 8, WavefrontSize: 64, NumSGPRs: 8, "
         b"NumVGPRs: 4, MaxFlatWorkGroupSize: 256 }, Args: *a }%s]\n" %
         (b",".join([b"&x { Size: 0, Align: 1, ValueKind: ByValue }"] + [b"*x"] * 4000), b",*k" * 60000), "arguments")
    text("names-by-alias", lambda y: b"Version: [ 1, 0 ]\nX: &n %s\nKernels: [&k { Name: *n, SymbolName: *n, CodeProps: { KernargSegmentSize: 8, "
         b"GroupSegmentFixedSize: 0, PrivateSegmentFixedSize: 0, KernargSegmentAlign: 8, WavefrontSize: 64, NumSGPRs: 8, NumVGPRs: 4, "
         b"MaxFlatWorkGroupSize: 256 } }%s]\n" % (b"n" * 4000, b",*k" * 60000), "names")


def descriptors():
    def bits(name, field, value, word):
        patch("kd-" + name, {"+kd." + field: value}, launch=word)
    for field, width in (("reserved0", 32), ("reserved1", 32), ("compute_pgm_rsrc3", 32), ("reserved3", 32)):
        for bit in (0, width - 1):
            bits("%s-bit-%d" % (field, bit), field, 1 << bit, "must be 0")
    for name, bit in (("priority", 10), ("priv", 20), ("debug_mode", 22), ("bulky", 24), ("cdbg_user", 25), ("rsrc1-27", 27), ("wgp_mode", 29),
                      ("mem_ordered", 30), ("fwd_progress", 31)):
        bits(name, "compute_pgm_rsrc1", 1 << bit, "%s must be 0" % (name if "rsrc" not in name else "bits 28:27"))
    for name, bit in (("enable_trap_handler", 6), ("enable_exception_address_watch", 13), ("enable_exception_memory", 14),
                      ("granulated_lds_size", 15), ("rsrc2-31", 31)):
        bits(name, "compute_pgm_rsrc2", 1 << bit, "%s must be 0" % (name if "rsrc" not in name else "bit 31"))
    for name, bit in (("bits-457-455", 7), ("enable_wavefront_size32", 10), ("bits-511-460", 12)):
        bits(name, "kernel_code_properties", 1 << bit, "must be 0")
    bits("user_sgpr_count-31", "compute_pgm_rsrc2", 0x3e, "user_sgpr_count")
    bits("too-many-user-sgprs", "kernel_code_properties", 0x7f, "user_sgpr_count")
    bits("workitem-id-3", "compute_pgm_rsrc2", 3 << 11, "enable_vgpr_workitem_id")
    bits("lds-64-kib-and-1", "group_segment_fixed_size", 65537, "bytes of LDS")
    bits("lds-4-gib", "group_segment_fixed_size", 0xffffffff, "bytes of LDS")
    bits("scratch-4-gib", "private_segment_fixed_size", 0xffffffff, "bytes of scratch")
    for name, entry in (("zero", 0), ("unaligned", 0x1044), ("odd", 0x1041), ("beyond", 0x900000), ("top", 1 << 63), ("before", (1 << 64) - 0x10000),
                        ("in-data", 0x2060)):
        patch("kd-entry-" + name, {"kd.kernel_code_entry_byte_offset": entry}, launch="entry point")
    patch("kd-kernarg-differs", {"kd.kernarg_size": 0xffffffff})
    v2 = {"version": 2}
    patch("v2-entry-beyond", {"code_t.kernel_code_entry_byte_offset": 0x900000}, launch="entry point", options=v2)
    patch("v2-entry-unaligned", {"code_t.kernel_code_entry_byte_offset": 4}, launch="entry point", options=v2)
    patch("v2-scratch-4-gib", {"code_t.workitem_private_segment_byte_size": 0xffffffff}, launch="bytes of scratch", options=v2)
    patch("v2-lds-4-gib", {"code_t.workgroup_group_segment_byte_size": 0xffffffff}, launch="bytes of LDS", options=v2)
    patch("v2-user-sgprs", {"code_t.code_properties": 0x7f}, launch="user_sgpr_count", options=v2)
    patch("v2-descriptor-cut", {t + ".k.st_value": 0x1480 for t in ("sym", "dynsym")}, launch="descriptor at", options=v2, meta="descriptor at",
          lint=(1, ""))


def code():
    def run(name, dwords, word, lint=0):
        add("code-" + name, lambda: bytes(build(code=dwords).data), launch=(3, word), lint=lint)
    run("no-instruction", [0xffffffff], "pc 0x1300", lint=(1, ""))
    run("reserved-opcode", [0xbf8000ff | 0x7f0000], "pc 0x1300", lint=(1, ""))
    run("not-modelled", [0xd97f0000, 0x00000001, 0xbf810000], "ds_ordered_count")
    run("cut-in-instruction", [0x7e000280, 0xc0060000], "pc 0x1304", lint=(1, ""))
    run("no-end", [0x7e000280], "pc 0x1304")
    run("loop", [0xbf82ffff], "waits for memory that no wave is left to change")
    run("branch-out", [0xbf827fff], "pc 0x", lint=None)
    run("branch-back-out", [0xbf828000], "pc 0x", lint=None)
    run("jump-to-nowhere", [0xbe801d00], "pc 0x")
    run("load-from-nowhere", [0xbe820080, 0xbe830080, 0xc0060001, 0x00000000, 0xbf8cc07f, 0xbf810000], "memory violation")
    run("store-to-nowhere", [0x7e000280, 0x7e020280, 0xdc708000, 0x007f0000, 0xbf810000], "memory violation")
    add("code-empty", lambda: bytes(build(code=[0xbf810000]).data), launch=(1, None))


def bundles():
    co = bytes(build().data)
    entries = [(b"host-x86_64-unknown-linux--", b""), (b"hipv4-amdgcn-amd-amdhsa--gfx900", co)]

    def pack_of(name, data, word, **some):
        add("bundle-" + name, lambda: data, word, **some)
    plain, packed = bundle(entries), compressed(bundle(entries))
    for name, data in (("plain", plain), ("compressed", packed), ("compressed-v1", compressed(plain, 1)), ("compressed-v3", compressed(plain, 3))):
        pack_of("sound-" + name, data, 0)
    add("fatbin-sound", lambda: fatbin(plain))
    add("fatbin-sound-compressed", lambda: fatbin(packed + b"\0" * 100 + plain))

    def put(data, at, fmt, *values):
        data = bytearray(data)
        struct.pack_into(fmt, data, at, *values)
        return bytes(data)
    pack_of("magic-alone", plain[:24], "cut short")
    pack_of("count-cut", plain[:30], "cut short")
    pack_of("no-entries", put(plain[:32], 24, "<Q", 0), "has no code object")
    pack_of("count-huge", put(plain, 24, "<Q", 1 << 60), "entry")
    pack_of("offset-beyond", put(plain, 32 + 24 + 27, "<Q", HUGE), "entry 1")
    pack_of("offset-overflows", put(plain, 32 + 24 + 27, "<Q", TOP), "entry 1")
    pack_of("size-beyond", put(plain, 32 + 24 + 27 + 8, "<Q", HUGE), "entry 1")
    pack_of("id-huge", put(plain, 32 + 16, "<Q", TOP), "id of entry 0")
    pack_of("id-beyond", put(plain, 32 + 16, "<Q", 3000), "id of entry 0")
    pack_of("entry-is-no-elf", bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", b"not an ELF file" * 9)]), "ELF")
    pack_of("entry-cut", bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", co[:900])]), "cut short")
    pack_of("entry-for-x86", bundle([(b"hip-amdgcn-amd-amdhsa--gfx900", co[:18] + b"\x3e\0" + co[20:])]), "machine 62")
    pack_of("noise-behind", plain + b"noise", "no bundle")
    pack_of("cut", plain[:-1], "entry 1")
    pack_of("compressed-magic-alone", packed[:6], "cut short")
    pack_of("compressed-head-cut", packed[:20], "cut short")
    pack_of("compressed-version-9", put(packed, 4, "<H", 9), "version 9")
    pack_of("compressed-zlib", put(packed, 6, "<H", 0), "zlib")
    pack_of("compressed-method-7", put(packed, 6, "<H", 7), "method 7")
    pack_of("compressed-size-beyond", put(packed, 8, "<I", 1 << 30), "size")
    pack_of("compressed-size-0", put(packed, 8, "<I", 0), "size")
    pack_of("compressed-unpacked-4-gib", put(packed, 12, "<I", 0xffffffff), "unpacks to")
    pack_of("compressed-unpacked-less", put(packed, 12, "<I", 100), "cannot be unpacked")
    pack_of("compressed-unpacked-more", put(packed, 12, "<I", 100000), "cannot be unpacked")
    pack_of("compressed-frame-broken", put(packed, 24, "<I", 0), "cannot be unpacked")
    pack_of("compressed-of-noise", compressed(b"noise" * 50), "holds no bundle")
    pack_of("compressed-twice", compressed(packed), "holds no bundle")
    add("fatbin-none", lambda: fatbin(b"noise" * 50).replace(b".hip_fatbin", b".hip_fatbun"), ".hip_fatbin")
    add("fatbin-noise", lambda: fatbin(b"noise" * 50), "no bundle")
    add("fatbin-empty", lambda: fatbin(b""), "no code object")
    add("fatbin-beyond", lambda: put(fatbin(plain), len(fatbin(plain)) - 32, "<Q", HUGE), ".hip_fatbin")


def launches():
    def text(name, txt, word, code_=2):
        add("launch-" + name, lambda: bytes(build().data), launch=(code_, word), launch_txt=txt)
    head = "kernel k\ngrid 1 1 1\nworkgroup 1 1 1\n"
    text("empty", "", "no line 'kernel'")
    text("no-kernel-line", LAUNCH.replace("kernel k\n", ""), "kernel")
    text("other-kernel", LAUNCH.replace("kernel k", "kernel q"), "has no kernel 'q'")
    text("grid-0", LAUNCH.replace("grid 1 1 1", "grid 0 1 1"), "grid")
    text("grid-huge", LAUNCH.replace("grid 1 1 1", "grid 99999999999 1 1"), "grid")
    text("workgroup-2000", LAUNCH.replace("workgroup 1 1 1", "workgroup 2000 1 1"), "work-group of 2000")
    text("workgroup-257", LAUNCH.replace("workgroup 1 1 1", "workgroup 257 1 1"), "work-group of 257")
    text("no-argument", head, "takes 1 arguments")
    text("two-arguments", LAUNCH + "i32 5\n", "takes 1 arguments")
    text("other-argument", head + "i32 5\n", "argument 0")
    text("file-missing", head + "buf nowhere.bin\n", "nowhere.bin")
    text("file-is-a-folder", head + "buf .\n", "directory")
    text("unknown-word", LAUNCH + "banana 5\n", "banana")
    text("huge-buffer", head + "tmp 99999999999\n", "size '99999999999'")
    text("buffer-too-small", head + "tmp 2\n", "memory violation", 3)
    text("nul", LAUNCH + "\0\n", "not a text file")


for group in (sound, headers, segments, sections, symbols, relocations, notes, documents, yaml, descriptors, code, bundles, launches):
    group()
assert len({v[0] for v in variants}) == len(variants)


def write(folder):
    for name, make, _, text in variants:
        with open(os.path.join(folder, name + ".co"), "wb") as f:
            f.write(make())
        if text != LAUNCH:
            with open(os.path.join(folder, name + ".txt"), "w") as f:
                f.write(text)
    with open(os.path.join(folder, "launch.txt"), "w") as f:
        f.write(LAUNCH)
    with open(os.path.join(folder, "out.bin"), "wb") as f:
        f.write(struct.pack("<I", 42))
    with open(os.path.join(folder, "expected"), "w") as f:
        for name, _, expect, _ in variants:
            f.write("%s\t%s\n" % (name, "\t".join("%s %s %s" % (c, *expect[c]) if expect[c] else c + " -" for c in COMMANDS)))


def command(gcncheck, name, what, text):
    file = name + ".co"
    if what == "launch":
        return [gcncheck, "launch", "--max-steps", "10000", "--mcpu", "gfx900", file, "launch.txt" if text == LAUNCH else name + ".txt"]
    return [gcncheck, {"dis": "dis", "meta": "dis", "lint": "lint"}[what]] + {"dis": [], "meta": ["--metadata", "--descriptor"], "lint": ["--quiet"]}[
        what] + [file]


def check(gcncheck, folder, name, what, expect, text):
    """The complaints about one run."""
    code_, word = expect
    try:
        run = subprocess.run(command(gcncheck, name, what, text), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return ["%s: no end after 60 s" % what]
    err = run.stderr.decode("latin-1")
    lines = err.split("\n")[:-1] if err.endswith("\n") or not err else err.split("\n") + ["(no end of line)"]
    bad = []
    if run.returncode != code_:
        bad.append("%s: exit code %d, wanted %d" % (what, run.returncode, code_))
    if len(lines) != (1 if code_ in (2, 3) else 0):
        bad.append("%s: %d lines on standard error" % (what, len(lines)))
    if code_ in (2, 3) and (not err.startswith("gcncheck ") or word not in err.split(name, 1)[-1]):
        bad.append("%s: wanted '%s'" % (what, word))
    if any(not 32 <= ord(c) < 127 for line in lines for c in line):
        bad.append("%s: not printable" % what)
    return bad + ["    " + line[:200] for line in lines[:3]] if bad else []


def test(gcncheck):
    gcncheck = os.path.abspath(gcncheck)
    failed = False
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        write(folder)
        jobs = [[pool.submit(check, gcncheck, folder, name, what, expect[what], text) for what in COMMANDS if expect[what]]
                for name, _, expect, text in variants]
        print("TAP version 13\n1..%d" % len(variants))
        for n, ((name, _, _, _), runs) in enumerate(zip(variants, jobs), 1):
            bad = [line for run in runs for line in run.result()]
            for line in bad:
                print("# " + line)
            print("%s %d - %s" % ("not ok" if bad else "ok", n, name))
            failed |= bool(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--test":
        sys.exit(test(sys.argv[2]))
    os.makedirs(sys.argv[1], exist_ok=True)
    write(sys.argv[1])
