/* An amdhsa code object of version 4 with one kernel, as a linker makes it: LLVM's "User Guide for
 * AMDGPU Backend", sections ELF Code Object, Code Object Metadata, Kernel Descriptor. */
#include "harness/selfcheck/internal.h"

#include "harness/codeobj/target.h"
#include "harness/vgpu/packet/pm4.h"
#include "reports/file/output.h"
#include "reports/file/pack_memory.h"

#include <elf.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PAGE = 4096,
    OSABI_HSA = 64,
    ABI_V4 = 2,
    MACHINE = 224,
    NT_METADATA = 32,
    XNACK_ANY = 0x100,
    SRAMECC_ANY = 0x400,
    DESC_BYTES = 64,
    GROUP_ALIGN = 8,
    KERNARG_BYTES = 8
};

enum section {
    SEC_NULL,
    SEC_NOTE,
    SEC_DYNSYM,
    SEC_HASH,
    SEC_DYNSTR,
    SEC_RODATA,
    SEC_TEXT,
    SEC_DYNAMIC,
    SEC_SYMTAB, /* the same symbols again: the HSA runtime looks nowhere else */
    SEC_STRTAB,
    SEC_NAMES,
    SECTIONS
};
static const char *const section_names[SECTIONS] = { "",        ".note",   ".dynsym",  ".hash",
                                                     ".dynstr", ".rodata", ".text",    ".dynamic",
                                                     ".symtab", ".strtab", ".shstrtab" };

static const char dynstr[] = "\0gcncheck\0gcncheck.kd";
enum { NAME_KERNEL = 1, NAME_DESC = 10 };

/* Where the parts stand in the file, which is where they stand in memory. */
struct plan {
    u32 at[SECTIONS], size[SECTIONS];
    u32 end;
};

/* The data begins behind the descriptor, in a page of its own. */
enum { DATA_BEFORE = 256 };

u32 elf_data_to_text(u32 data_size)
{
    return (DATA_BEFORE + data_size + PAGE - 1) / PAGE * PAGE - DATA_BEFORE;
}

static void text_of(msgpack_packer *pk, const char *text)
{
    msgpack_pack_str_with_body(pk, text, strlen(text));
}

static void number_of(msgpack_packer *pk, const char *key, u32 value)
{
    text_of(pk, key);
    msgpack_pack_uint32(pk, value);
}

static void pack_argument(msgpack_packer *pk)
{
    text_of(pk, ".args");
    msgpack_pack_array(pk, 1);
    msgpack_pack_map(pk, 4);
    text_of(pk, ".address_space");
    text_of(pk, "global");
    number_of(pk, ".offset", 0);
    number_of(pk, ".size", KERNARG_BYTES);
    text_of(pk, ".value_kind");
    text_of(pk, "global_buffer");
}

static void pack_metadata(const struct elf_parts *p, msgpack_sbuffer *to)
{
    msgpack_packer pk;
    char target[80];
    msgpack_packer_init(&pk, to, pack_memory_write);
    snprintf(target, sizeof target, "amdgcn-amd-amdhsa--%s", p->mcpu);
    msgpack_pack_map(&pk, 3);
    text_of(&pk, "amdhsa.kernels");
    msgpack_pack_array(&pk, 1);
    msgpack_pack_map(&pk, p->has_accs ? 12 : 11);
    if (p->has_accs)
        number_of(&pk, ".agpr_count", 256);
    pack_argument(&pk);
    number_of(&pk, ".group_segment_fixed_size", p->lds);
    number_of(&pk, ".kernarg_segment_align", GROUP_ALIGN);
    number_of(&pk, ".kernarg_segment_size", KERNARG_BYTES);
    number_of(&pk, ".max_flat_workgroup_size", 64);
    text_of(&pk, ".name");
    text_of(&pk, "gcncheck");
    number_of(&pk, ".private_segment_fixed_size", 0);
    number_of(&pk, ".sgpr_count", 112);
    text_of(&pk, ".symbol");
    text_of(&pk, "gcncheck.kd");
    number_of(&pk, ".vgpr_count", 256);
    number_of(&pk, ".wavefront_size", 64);
    text_of(&pk, "amdhsa.target");
    text_of(&pk, target);
    text_of(&pk, "amdhsa.version");
    msgpack_pack_array(&pk, 2);
    msgpack_pack_uint32(&pk, 1);
    msgpack_pack_uint32(&pk, 1);
}

static u32 up(u32 at, u32 align)
{
    return (at + align - 1) / align * align;
}

static void lay(struct plan *l, const struct elf_parts *p, u32 metadata)
{
    u32 names = 0;
    for (u32 i = 0; i < SECTIONS; i++)
        names += (u32)strlen(section_names[i]) + 1;
    const u32 size[SECTIONS] = {
        [SEC_NOTE] = (u32)sizeof(Elf64_Nhdr) + 8 + up(metadata, 4),
        [SEC_DYNSYM] = 3 * (u32)sizeof(Elf64_Sym),
        [SEC_HASH] = 6 * 4,
        [SEC_DYNSTR] = (u32)sizeof dynstr,
        [SEC_RODATA] = DATA_BEFORE + p->data_size,
        [SEC_TEXT] = p->text_size,
        [SEC_DYNAMIC] = 6 * (u32)sizeof(Elf64_Dyn),
        [SEC_SYMTAB] = 3 * (u32)sizeof(Elf64_Sym),
        [SEC_STRTAB] = (u32)sizeof dynstr,
        [SEC_NAMES] = names,
    };
    u32 at = (u32)sizeof(Elf64_Ehdr) + 5 * (u32)sizeof(Elf64_Phdr);
    for (u32 i = SEC_NOTE; i < SECTIONS; i++) {
        bool is_page = i == SEC_RODATA || i == SEC_TEXT || i == SEC_DYNAMIC;
        at = up(at, is_page ? (u32)PAGE : 8);
        l->at[i] = at;
        l->size[i] = size[i];
        at += size[i];
    }
    l->end = up(at, 8);
}

static void put_note(u8 *to, const msgpack_sbuffer *metadata)
{
    Elf64_Nhdr h = { .n_namesz = 7, .n_descsz = (Elf64_Word)metadata->size, .n_type = NT_METADATA };
    memcpy(to, &h, sizeof h);
    memcpy(to + sizeof h, "AMDGPU\0", 8);
    memcpy(to + sizeof h + 8, metadata->data, metadata->size);
}

static void put_symbols(u8 *to, const struct plan *l)
{
    Elf64_Sym sym[3] = {
        [1] = { .st_name = NAME_KERNEL,
                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                .st_other = STV_PROTECTED,
                .st_shndx = SEC_TEXT,
                .st_value = l->at[SEC_TEXT],
                .st_size = l->size[SEC_TEXT] },
        [2] = { .st_name = NAME_DESC,
                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                .st_other = STV_PROTECTED,
                .st_shndx = SEC_RODATA,
                .st_value = l->at[SEC_RODATA],
                .st_size = DESC_BYTES },
    };
    const u32 hash[6] = { 1, 3, 1, 0, 2, 0 }; /* one bucket: symbol 1, then 2 */
    memcpy(to + l->at[SEC_DYNSYM], sym, sizeof sym);
    memcpy(to + l->at[SEC_HASH], hash, sizeof hash);
    memcpy(to + l->at[SEC_DYNSTR], dynstr, sizeof dynstr);
    memcpy(to + l->at[SEC_SYMTAB], sym, sizeof sym);
    memcpy(to + l->at[SEC_STRTAB], dynstr, sizeof dynstr);
}

static void put_descriptor(u8 *to, const struct plan *l, const struct elf_parts *p)
{
    const u32 vgprs_256 = 63, all_sgprs = pm4_generation(p->gen)->all_sgprs, denorms = 15,
              dx10_clamp = 1, ieee = 1, user_sgprs = 2, kernarg_ptr = 8;
    u32 words[DESC_BYTES / 4] = { [0] = p->lds, [2] = KERNARG_BYTES };
    u64 entry = (u64)l->at[SEC_TEXT] - l->at[SEC_RODATA];
    memcpy(&words[4], &entry, sizeof entry);
    words[12] = vgprs_256 | all_sgprs << 6 | denorms << 16 | dx10_clamp << 21 | ieee << 23;
    words[13] = user_sgprs << 1 | 1u << 7; /* work-group number x behind them */
    words[14] = kernarg_ptr;
    memcpy(to, words, sizeof words);
}

static void put_dynamic(u8 *to, const struct plan *l)
{
    const Elf64_Dyn dyn[6] = {
        { DT_HASH, { l->at[SEC_HASH] } },     { DT_STRTAB, { l->at[SEC_DYNSTR] } },
        { DT_SYMTAB, { l->at[SEC_DYNSYM] } }, { DT_STRSZ, { sizeof dynstr } },
        { DT_SYMENT, { sizeof(Elf64_Sym) } }, { DT_NULL, { 0 } },
    };
    memcpy(to, dyn, sizeof dyn);
}

static void put_headers(u8 *to, const struct plan *l, const struct codeobj_cpu *cpu)
{
    u32 sramecc = cpu->features & CPU_SRAMECC ? SRAMECC_ANY : 0;
    u32 xnack = cpu->features & CPU_XNACK ? XNACK_ANY : 0;
    u32 headers_end = l->at[SEC_RODATA] + l->size[SEC_RODATA];
    Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                                  OSABI_HSA, ABI_V4 },
                     .e_type = ET_DYN,
                     .e_machine = MACHINE,
                     .e_version = EV_CURRENT,
                     .e_phoff = sizeof h,
                     .e_shoff = l->end,
                     .e_flags = cpu->mach | xnack | sramecc,
                     .e_ehsize = sizeof h,
                     .e_phentsize = sizeof(Elf64_Phdr),
                     .e_phnum = 5,
                     .e_shentsize = sizeof(Elf64_Shdr),
                     .e_shnum = SECTIONS,
                     .e_shstrndx = SEC_NAMES };
    const struct {
        u32 type, flags, at, size, align;
    } segments[5] = {
        { PT_LOAD, PF_R, 0, headers_end, PAGE },
        { PT_LOAD, PF_R | PF_X, l->at[SEC_TEXT], l->size[SEC_TEXT], PAGE },
        { PT_LOAD, PF_R | PF_W, l->at[SEC_DYNAMIC], l->size[SEC_DYNAMIC], PAGE },
        { PT_DYNAMIC, PF_R | PF_W, l->at[SEC_DYNAMIC], l->size[SEC_DYNAMIC], 8 },
        { PT_NOTE, PF_R, l->at[SEC_NOTE], l->size[SEC_NOTE], 4 },
    };
    memcpy(to, &h, sizeof h);
    for (u32 i = 0; i < COUNT_OF(segments); i++) {
        Elf64_Phdr p = { .p_type = segments[i].type,
                         .p_flags = segments[i].flags,
                         .p_offset = segments[i].at,
                         .p_vaddr = segments[i].at,
                         .p_paddr = segments[i].at,
                         .p_filesz = segments[i].size,
                         .p_memsz = segments[i].size,
                         .p_align = segments[i].align };
        memcpy(to + sizeof h + i * sizeof p, &p, sizeof p);
    }
}

static void put_sections(u8 *to, const struct plan *l)
{
    static const struct {
        u32 type, flags, link, info, align, entry;
    } about[SECTIONS] = {
        [SEC_NOTE] = { SHT_NOTE, SHF_ALLOC, 0, 0, 4, 0 },
        [SEC_DYNSYM] = { SHT_DYNSYM, SHF_ALLOC, SEC_DYNSTR, 1, 8, sizeof(Elf64_Sym) },
        [SEC_HASH] = { SHT_HASH, SHF_ALLOC, SEC_DYNSYM, 0, 4, 4 },
        [SEC_DYNSTR] = { SHT_STRTAB, SHF_ALLOC, 0, 0, 1, 0 },
        [SEC_RODATA] = { SHT_PROGBITS, SHF_ALLOC, 0, 0, 256, 0 },
        [SEC_TEXT] = { SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, 0, 256, 0 },
        [SEC_DYNAMIC] = { SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, SEC_DYNSTR, 0, 8, sizeof(Elf64_Dyn) },
        [SEC_SYMTAB] = { SHT_SYMTAB, 0, SEC_STRTAB, 1, 8, sizeof(Elf64_Sym) },
        [SEC_STRTAB] = { SHT_STRTAB, 0, 0, 0, 1, 0 },
        [SEC_NAMES] = { SHT_STRTAB, 0, 0, 0, 1, 0 },
    };
    u32 name = 0;
    for (u32 i = 0; i < SECTIONS; i++) {
        size_t len = strlen(section_names[i]) + 1;
        Elf64_Shdr s = { .sh_name = name,
                         .sh_type = about[i].type,
                         .sh_flags = about[i].flags,
                         .sh_addr = about[i].flags & SHF_ALLOC ? l->at[i] : 0,
                         .sh_offset = l->at[i],
                         .sh_size = l->size[i],
                         .sh_link = about[i].link,
                         .sh_info = about[i].info,
                         .sh_addralign = about[i].align,
                         .sh_entsize = about[i].entry };
        memcpy(to + l->at[SEC_NAMES] + name, section_names[i], len);
        memcpy(to + l->end + i * sizeof s, &s, sizeof s);
        name += (u32)len;
    }
}

enum status elf_write(const struct elf_parts *p, const char *path, bool force, struct err *e)
{
    const struct codeobj_cpu *cpu = codeobj_cpu_by_name(p->mcpu);
    msgpack_sbuffer metadata;
    struct plan l = { .end = 0 };
    if (!cpu)
        return err_set(e, ST_INPUT, "%.30s has no number in ELF files", p->mcpu);
    msgpack_sbuffer_init(&metadata);
    pack_metadata(p, &metadata);
    lay(&l, p, (u32)metadata.size);
    size_t size = l.end + SECTIONS * sizeof(Elf64_Shdr);
    u8 *file = calloc(size, 1);
    enum status st = file && !pack_memory_was_short() ? ST_OK : err_memory(e);
    if (st == ST_OK) {
        put_headers(file, &l, cpu);
        put_note(file + l.at[SEC_NOTE], &metadata);
        put_symbols(file, &l);
        put_descriptor(file + l.at[SEC_RODATA], &l, p);
        memcpy(file + l.at[SEC_RODATA] + DATA_BEFORE, p->data, p->data_size);
        memcpy(file + l.at[SEC_TEXT], p->text, p->text_size);
        put_dynamic(file + l.at[SEC_DYNAMIC], &l);
        put_sections(file, &l);
        st = output_write(path, file, size, &(struct output_rule){ .force = force }, e);
    }
    free(file);
    msgpack_sbuffer_destroy(&metadata);
    return st;
}
