#include "harness/codeobj/check.h"

#include "reports/file/library.h"

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>

enum { TITLE_SIZE = 80 };

enum status codeobj_check_ident(const u8 *bytes, size_t size, struct err *e)
{
    if (size == 0)
        return err_set(e, ST_INPUT, "is empty");
    if (memcmp(bytes, ELFMAG, size < SELFMAG ? size : SELFMAG) != 0)
        return err_set(e, ST_INPUT, "is not an ELF file");
    bool is_32 = size > EI_CLASS && bytes[EI_CLASS] == ELFCLASS32;
    size_t need = is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
    if (size < need)
        return err_set(e, ST_INPUT, "ELF header: is cut short, %zu bytes of %zu", size, need);
    if (!is_32 && bytes[EI_CLASS] != ELFCLASS64)
        return err_set(e, ST_INPUT, "ELF header: EI_CLASS %u is neither 1 (32-bit) nor 2 (64-bit)",
                       bytes[EI_CLASS]);
    if (bytes[EI_DATA] != ELFDATA2LSB)
        return err_set(e, ST_INPUT, "ELF header: EI_DATA %u is not 1 (little-endian)",
                       bytes[EI_DATA]);
    if (bytes[EI_VERSION] != EV_CURRENT)
        return err_set(e, ST_INPUT, "ELF header: EI_VERSION %u is not 1", bytes[EI_VERSION]);
    return ST_OK;
}

/* A file that is being checked. */
struct elf_check {
    Elf *elf;
    u64 size; /* of the file */
    GElf_Ehdr h;
    bool is_32;
    size_t segments, sections, names; /* names: the section of section names, 0: none */
};

/* Whether [at, at + size) lies in the file. */
static bool is_inside(const struct elf_check *c, u64 at, u64 size)
{
    return at <= c->size && size <= c->size - at;
}

/* --- the header and its tables --- */

static enum status check_header(const struct elf_check *c, struct err *e)
{
    const GElf_Ehdr *h = &c->h;
    u32 header = c->is_32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
    if (h->e_type != ET_DYN && h->e_type != ET_REL)
        return err_set(e, ST_INPUT,
                       "ELF header: e_type %u is neither 3 (shared object) nor 1 (relocatable)",
                       h->e_type);
    if (h->e_version != EV_CURRENT)
        return err_set(e, ST_INPUT, "ELF header: e_version %u is not 1", h->e_version);
    if (h->e_ehsize != header)
        return err_set(e, ST_INPUT,
                       "ELF header: e_ehsize %u is not %u, that of EI_CLASS %u (%u-bit)",
                       h->e_ehsize, header, h->e_ident[EI_CLASS], c->is_32 ? 32 : 64);
    return ST_OK;
}

static enum status check_program_table(struct elf_check *c, struct err *e)
{
    const GElf_Ehdr *h = &c->h;
    u32 entry = c->is_32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);
    if (h->e_phnum == 0)
        return ST_OK;
    if (h->e_phentsize != entry)
        return err_set(e, ST_INPUT, "ELF header: e_phentsize %u is not %u", h->e_phentsize, entry);
    if (h->e_phnum == PN_XNUM)
        return err_set(e, ST_INPUT, "ELF header: e_phnum: %u or more segments are not supported",
                       PN_XNUM);
    if (!is_inside(c, h->e_phoff, (u64)h->e_phnum * entry))
        return err_set(e, ST_INPUT,
                       "is cut short: its program headers (e_phoff 0x%" PRIx64
                       ", e_phnum %u) are beyond the end",
                       h->e_phoff, h->e_phnum);
    c->segments = h->e_phnum;
    return ST_OK;
}

static enum status check_section_table(struct elf_check *c, struct err *e)
{
    const GElf_Ehdr *h = &c->h;
    u32 entry = c->is_32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
    GElf_Shdr sh;
    if (h->e_shoff == 0 && h->e_shnum == 0 && h->e_shstrndx == SHN_UNDEF)
        return ST_OK;
    if (h->e_shoff == 0)
        return err_set(e, ST_INPUT, "ELF header: e_shoff is 0, e_shnum %u", h->e_shnum);
    if (h->e_shentsize != entry)
        return err_set(e, ST_INPUT, "ELF header: e_shentsize %u is not %u", h->e_shentsize, entry);
    if (!is_inside(c, h->e_shoff, (u64)h->e_shnum * entry))
        return err_set(e, ST_INPUT,
                       "is cut short: its section headers (e_shoff 0x%" PRIx64
                       ", e_shnum %u) are beyond the end",
                       h->e_shoff, h->e_shnum);
    /* More sections than 16 bits hold are counted in section 0, which libelf reads. */
    if (elf_getshdrnum(c->elf, &c->sections) != 0 || c->sections == 0 ||
        c->sections > (c->size - h->e_shoff) / entry)
        return err_set(e, ST_INPUT, "ELF header: e_shnum %u: no section headers", h->e_shnum);
    if (elf_getshdrstrndx(c->elf, &c->names) != 0 || c->names >= c->sections ||
        (c->names &&
         (!gelf_getshdr(elf_getscn(c->elf, c->names), &sh) || sh.sh_type != SHT_STRTAB)))
        return err_set(e, ST_INPUT,
                       "ELF header: e_shstrndx %u is no string table among %zu sections",
                       h->e_shstrndx, c->sections);
    return ST_OK;
}

/* --- segments --- */

static enum status check_segments(const struct elf_check *c, struct err *e)
{
    for (size_t i = 0; i < c->segments; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(c->elf, (int)i, &p))
            return err_set(e, ST_INPUT, "program header %zu: %s", i, elf_errmsg(-1));
        if (p.p_type != PT_NULL && !is_inside(c, p.p_offset, p.p_filesz))
            return err_set(e, ST_INPUT,
                           "segment %zu: p_offset 0x%" PRIx64 ", p_filesz 0x%" PRIx64
                           ": bytes are beyond the end of the file",
                           i, p.p_offset, p.p_filesz);
        if (p.p_type == PT_LOAD && p.p_filesz > p.p_memsz)
            return err_set(e, ST_INPUT,
                           "segment %zu: p_filesz 0x%" PRIx64 " is larger than p_memsz 0x%" PRIx64,
                           i, p.p_filesz, p.p_memsz);
    }
    return ST_OK;
}

/* --- sections --- */

/* "section 3 (.text)", for messages; the section's name may be anything. */
static void put_title(const struct elf_check *c, size_t index, char title[TITLE_SIZE])
{
    struct text t;
    GElf_Shdr sh;
    Elf_Scn *scn = elf_getscn(c->elf, index);
    const char *name =
        scn && c->names && gelf_getshdr(scn, &sh) ? elf_strptr(c->elf, c->names, sh.sh_name) : NULL;
    text_init(&t, title, TITLE_SIZE);
    text_add(&t, "section %zu", index);
    if (name && *name)
        text_add(&t, " (%.40s)", name);
}

/* The section that sh_link or sh_info names, if its type is one of the two. */
static bool is_section_of(const struct elf_check *c, u32 index, u32 type, u32 other)
{
    GElf_Shdr sh;
    return index && index < c->sections && gelf_getshdr(elf_getscn(c->elf, index), &sh) &&
           (sh.sh_type == type || sh.sh_type == other);
}

static bool is_table(const GElf_Shdr *sh)
{
    return sh->sh_type == SHT_SYMTAB || sh->sh_type == SHT_DYNSYM || sh->sh_type == SHT_RELA ||
           sh->sh_type == SHT_REL;
}

/* Bytes of one entry of a table. */
static u64 entry_size(const struct elf_check *c, const GElf_Shdr *sh)
{
    switch (sh->sh_type) {
    case SHT_RELA: return c->is_32 ? sizeof(Elf32_Rela) : sizeof(Elf64_Rela);
    case SHT_REL: return c->is_32 ? sizeof(Elf32_Rel) : sizeof(Elf64_Rel);
    default: return c->is_32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
    }
}

static enum status check_table(const struct elf_check *c, const GElf_Shdr *sh, const char *title,
                               struct err *e)
{
    bool is_relocs = sh->sh_type == SHT_RELA || sh->sh_type == SHT_REL;
    u64 entry = entry_size(c, sh);
    if (sh->sh_entsize != entry)
        return err_set(e, ST_INPUT, "%s: sh_entsize %" PRIu64 " is not %" PRIu64, title,
                       sh->sh_entsize, entry);
    if (sh->sh_size % entry)
        return err_set(e, ST_INPUT, "%s: sh_size 0x%" PRIx64 " is no multiple of %" PRIu64, title,
                       sh->sh_size, entry);
    if (is_relocs && (sh->sh_link || sh->sh_size) &&
        !is_section_of(c, sh->sh_link, SHT_SYMTAB, SHT_DYNSYM))
        return err_set(e, ST_INPUT, "%s: sh_link %u is no symbol table", title, sh->sh_link);
    if (!is_relocs && !is_section_of(c, sh->sh_link, SHT_STRTAB, SHT_STRTAB))
        return err_set(e, ST_INPUT, "%s: sh_link %u is no string table", title, sh->sh_link);
    if (is_relocs && c->h.e_type == ET_REL && (!sh->sh_info || sh->sh_info >= c->sections))
        return err_set(e, ST_INPUT, "%s: sh_info %u is no section", title, sh->sh_info);
    return ST_OK;
}

static enum status check_name(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                              struct err *e)
{
    return elf_strptr(c->elf, c->names, sh->sh_name)
               ? ST_OK
               : err_set(e, ST_INPUT, "section %zu: sh_name 0x%x is no name in section %zu", index,
                         sh->sh_name, c->names);
}

/* One section header, and what of the contents needs no other section. */
static enum status check_section(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                                 struct err *e)
{
    char title[TITLE_SIZE];
    Elf_Data *data;
    put_title(c, index, title);
    if (sh->sh_type != SHT_NOBITS && !is_inside(c, sh->sh_offset, sh->sh_size))
        return err_set(e, ST_INPUT,
                       "%s: sh_offset 0x%" PRIx64 ", sh_size 0x%" PRIx64
                       ": bytes are beyond the end of the file",
                       title, sh->sh_offset, sh->sh_size);
    if (is_table(sh))
        return check_table(c, sh, title, e);
    if (sh->sh_type == SHT_STRTAB && sh->sh_size &&
        (!(data = elf_rawdata(elf_getscn(c->elf, index), NULL)) || !data->d_buf ||
         ((const u8 *)data->d_buf)[data->d_size - 1] != 0))
        return err_set(e, ST_INPUT, "%s: a string table must end with a zero byte", title);
    return ST_OK;
}

/* --- symbols and relocations --- */

static enum status check_symbols(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                                 struct err *e)
{
    char title[TITLE_SIZE];
    GElf_Shdr strings;
    GElf_Sym sym;
    Elf_Data *data = elf_getdata(elf_getscn(c->elf, index), NULL);
    put_title(c, index, title);
    if (!gelf_getshdr(elf_getscn(c->elf, sh->sh_link), &strings) || (!data && sh->sh_size))
        return err_set(e, ST_INPUT, "%s: %s", title, elf_errmsg(-1));
    for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
        if (sym.st_name && sym.st_name >= strings.sh_size)
            return err_set(e, ST_INPUT, "%s: symbol %d: st_name 0x%x is beyond its string table",
                           title, i, sym.st_name);
        if (sym.st_shndx >= c->sections && sym.st_shndx < SHN_LORESERVE)
            return err_set(e, ST_INPUT, "%s: symbol %d: st_shndx %u: there are %zu sections", title,
                           i, sym.st_shndx, c->sections);
    }
    return ST_OK;
}

/* The number of the symbol that record `i` names; false behind the last record. */
static bool relocation_symbol(Elf_Data *data, const GElf_Shdr *sh, int i, u64 *symbol)
{
    GElf_Rela rela;
    GElf_Rel rel;
    bool has_addend = sh->sh_type == SHT_RELA;
    if (has_addend ? !gelf_getrela(data, i, &rela) : !gelf_getrel(data, i, &rel))
        return false;
    *symbol = GELF_R_SYM(has_addend ? rela.r_info : rel.r_info);
    return true;
}

static enum status check_relocations(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                                     struct err *e)
{
    char title[TITLE_SIZE];
    GElf_Shdr symbols;
    Elf_Data *data = elf_getdata(elf_getscn(c->elf, index), NULL);
    put_title(c, index, title);
    if (sh->sh_size == 0)
        return ST_OK;
    if (!data || !gelf_getshdr(elf_getscn(c->elf, sh->sh_link), &symbols))
        return err_set(e, ST_INPUT, "%s: %s", title, elf_errmsg(-1));
    u64 count = symbols.sh_size / entry_size(c, &symbols), symbol;
    for (int i = 0; relocation_symbol(data, sh, i, &symbol); i++)
        if (symbol && symbol >= count)
            return err_set(e, ST_INPUT,
                           "%s: relocation %d: r_info names symbol %" PRIu64 ", there are %" PRIu64,
                           title, i, symbol, count);
    return ST_OK;
}

/* --- notes --- */

/* The next note of [*at, end); *at is moved behind it. */
static enum status check_note(const u8 *bytes, u64 offset, u64 *at, u64 end, u64 align,
                              struct err *e)
{
    u32 head[3];
    u64 left = end - *at;
    if (left < sizeof head)
        return err_set(e, ST_INPUT, "note at 0x%" PRIx64 ": is cut short", offset + *at);
    memcpy(head, bytes + *at, sizeof head);
    u64 desc_at = (sizeof head + head[0] + align - 1) & ~(align - 1);
    if (head[0] > left - sizeof head)
        return err_set(e, ST_INPUT, "note at 0x%" PRIx64 ": its name (n_namesz %u) is cut short",
                       offset + *at, head[0]);
    if (head[1] && (desc_at > left || head[1] > left - desc_at))
        return err_set(e, ST_INPUT,
                       "note at 0x%" PRIx64 ": its contents (n_descsz %u) are cut short",
                       offset + *at, head[1]);
    u64 step = (desc_at + head[1] + align - 1) & ~(align - 1);
    *at += step < left ? step : left;
    return ST_OK;
}

static enum status check_notes(const struct elf_check *c, u64 offset, u64 size, u64 align,
                               struct err *e)
{
    size_t whole;
    enum status st = ST_OK;
    const char *bytes = elf_rawfile(c->elf, &whole);
    for (u64 at = 0; bytes && st == ST_OK && at < size;)
        st = check_note((const u8 *)bytes + offset, offset, &at, size, align == 8 ? 8 : 4, e);
    return st;
}

static enum status check_contents(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                                  struct err *e)
{
    switch (sh->sh_type) {
    case SHT_SYMTAB:
    case SHT_DYNSYM: return check_symbols(c, index, sh, e);
    case SHT_RELA:
    case SHT_REL: return check_relocations(c, index, sh, e);
    case SHT_NOTE: return check_notes(c, sh->sh_offset, sh->sh_size, sh->sh_addralign, e);
    default: return ST_OK;
    }
}

typedef enum status check_fn(const struct elf_check *c, size_t index, const GElf_Shdr *sh,
                             struct err *e);

static enum status check_with(const struct elf_check *c, check_fn *fn, size_t index, struct err *e)
{
    GElf_Shdr sh;
    Elf_Scn *scn = elf_getscn(c->elf, index);
    if (!scn || !gelf_getshdr(scn, &sh))
        return err_set(e, ST_INPUT, "section %zu: %s", index, elf_errmsg(-1));
    return fn(c, index, &sh, e);
}

/* The section of names before the others, and all headers before the contents of any, which may be
 * another's names or symbols. */
static enum status check_sections(const struct elf_check *c, struct err *e)
{
    enum status st = c->names ? check_with(c, check_section, c->names, e) : ST_OK;
    for (size_t i = 1; st == ST_OK && i < c->sections; i++)
        st = check_with(c, check_section, i, e);
    for (size_t i = 1; st == ST_OK && c->names && i < c->sections; i++)
        st = check_with(c, check_name, i, e);
    for (size_t i = 1; st == ST_OK && i < c->sections; i++)
        st = check_with(c, check_contents, i, e);
    return st;
}

static enum status check_note_segments(const struct elf_check *c, struct err *e)
{
    enum status st = ST_OK;
    for (size_t i = 0; i < c->segments && st == ST_OK; i++) {
        GElf_Phdr p;
        if (gelf_getphdr(c->elf, (int)i, &p) && p.p_type == PT_NOTE)
            st = check_notes(c, p.p_offset, p.p_filesz, p.p_align, e);
    }
    return st;
}

enum status codeobj_check(struct Elf *elf, u64 size, struct err *e)
{
    struct elf_check c = { .elf = elf, .size = size };
    if (!gelf_getehdr(elf, &c.h))
        return err_set(e, ST_INPUT, "is not an ELF file");
    c.is_32 = c.h.e_ident[EI_CLASS] == ELFCLASS32;
    enum status st = check_header(&c, e);
    if (st == ST_OK)
        st = check_program_table(&c, e);
    if (st == ST_OK)
        st = check_section_table(&c, e);
    if (st == ST_OK)
        st = check_segments(&c, e);
    if (st == ST_OK)
        st = check_sections(&c, e);
    return st == ST_OK ? check_note_segments(&c, e) : st;
}

enum status codeobj_target_of(const u8 *bytes, size_t size, struct codeobj_target *out,
                              struct err *e)
{
    enum status st = codeobj_check_ident(bytes, size, e);
    if (elf_version(EV_CURRENT) == EV_NONE)
        return err_set(e, ST_WORLD, "libelf is too old");
    if (st != ST_OK)
        return st;
    library_watch();
    /* libelf takes char * and only reads. */
    Elf *elf = elf_memory((char *)(uintptr_t)bytes, size);
    if (!elf)
        return library_settle(err_set(e, ST_INPUT, "is not an ELF file"), e);
    GElf_Ehdr h;
    /* Of another machine nothing is expected, and only the first of what is wrong is said. */
    bool is_ours = gelf_getehdr(elf, &h) && h.e_machine == EM_AMDGPU;
    st = is_ours ? codeobj_check(elf, size, e) : ST_OK;
    if (st == ST_OK)
        st = codeobj_target_read(elf, size, out, e);
    st = library_settle(st, e);
    elf_end(elf);
    return st;
}
