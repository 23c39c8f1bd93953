/* Relocation, and for objects that are not linked the placing of their sections before it. */
#include "harness/codeobj/internal.h"

#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>

enum { PAGE = 4096 };

/* Guide, table "AMDGPU ELF Relocation Records". size: bytes written; 0: nothing. */
enum reloc_rule { RELOC_NONE, RELOC_ABS, RELOC_REL, RELOC_BASE, RELOC_BRANCH, RELOC_GOT };
static const struct reloc {
    const char *name;
    u8 rule; /* enum reloc_rule */
    u8 size;
    u8 shift; /* right shift of the 64-bit value */
    bool is_range_checked;
} relocs[] = {
    [0] = { "R_AMDGPU_NONE", RELOC_NONE, 0, 0, false },
    [1] = { "R_AMDGPU_ABS32_LO", RELOC_ABS, 4, 0, false },
    [2] = { "R_AMDGPU_ABS32_HI", RELOC_ABS, 4, 32, false },
    [3] = { "R_AMDGPU_ABS64", RELOC_ABS, 8, 0, false },
    [4] = { "R_AMDGPU_REL32", RELOC_REL, 4, 0, true },
    [5] = { "R_AMDGPU_REL64", RELOC_REL, 8, 0, false },
    [6] = { "R_AMDGPU_ABS32", RELOC_ABS, 4, 0, true },
    [7] = { "R_AMDGPU_GOTPCREL", RELOC_GOT, 4, 0, true },
    [8] = { "R_AMDGPU_GOTPCREL32_LO", RELOC_GOT, 4, 0, false },
    [9] = { "R_AMDGPU_GOTPCREL32_HI", RELOC_GOT, 4, 32, false },
    [10] = { "R_AMDGPU_REL32_LO", RELOC_REL, 4, 0, false },
    [11] = { "R_AMDGPU_REL32_HI", RELOC_REL, 4, 32, false },
    [13] = { "R_AMDGPU_RELATIVE64", RELOC_BASE, 8, 0, false },
    [14] = { "R_AMDGPU_REL16", RELOC_BRANCH, 2, 0, true },
};

/* The GPU address of the symbol that a relocation names. */
static enum status reloc_symbol(const struct codeobj *co, const GElf_Shdr *rela, u64 index,
                                u64 *value, struct err *e)
{
    Elf_Scn *scn = elf_getscn(co->elf, rela->sh_link);
    Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
    GElf_Shdr sh;
    GElf_Sym sym;
    if (!data || !gelf_getshdr(scn, &sh) || index > INT32_MAX ||
        !gelf_getsym(data, (int)index, &sym))
        return err_set(e, ST_INPUT, "relocation names symbol %" PRIu64 ", which does not exist",
                       index);
    const char *name = codeobj_symbol_name(co, sh.sh_link, &sym);
    if (sym.st_shndx == SHN_UNDEF && GELF_ST_BIND(sym.st_info) != STB_WEAK && !co->code_only)
        return err_set(e, ST_INPUT, "needs symbol '%.100s', which it does not define",
                       name ? name : "?");
    if (sym.st_shndx >= SHN_LORESERVE && sym.st_shndx != SHN_ABS)
        return err_set(
            e, ST_INPUT,
            "relocation against symbol '%.100s' of special section 0x%x is not supported",
            name ? name : "?", sym.st_shndx);
    *value = sym.st_shndx == SHN_ABS ? sym.st_value : 0;
    if (sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS)
        return ST_OK;
    if (!codeobj_symbol_vaddr(co, &sym, value) && co->code_only)
        return ST_OK;
    if (!codeobj_symbol_vaddr(co, &sym, value))
        return err_set(e, ST_INPUT, "relocation against symbol '%.100s', which is not loaded",
                       name ? name : "?");
    *value += co->base;
    return ST_OK;
}

/* The address of a symbol's slot in the global offset table, which is filled on the way. */
static enum status got_slot(struct codeobj *co, u64 index, u64 *value, const char *name,
                            struct err *e)
{
    u8 *slot = codeobj_image_at(co, co->got + index * 8, 8, NULL);
    if (!slot)
        return err_set(e, ST_INPUT, "relocation %s: symbol %" PRIu64 " has no slot", name, index);
    memcpy(slot, value, 8);
    *value = co->base + co->got + index * 8;
    return ST_OK;
}

/* `start` is the address that r_offset counts from. */
static enum status relocate_one(struct codeobj *co, const GElf_Shdr *rela, const GElf_Rela *r,
                                u64 start, struct err *e)
{
    u64 type = GELF_R_TYPE(r->r_info), value = co->base, index = GELF_R_SYM(r->r_info);
    const struct reloc *d = type < COUNT_OF(relocs) && relocs[type].name ? &relocs[type] : NULL;
    enum status st = ST_OK;
    if (!d)
        return err_set(e, ST_INPUT, "relocation type %" PRIu64 " is not known", type);
    if (d->rule == RELOC_NONE)
        return ST_OK;
    if (d->rule == RELOC_GOT && !co->got)
        return err_set(e, ST_INPUT, "relocation %s is not supported in a linked code object",
                       d->name);
    u64 at = start + r->r_offset;
    u8 *place = codeobj_image_at(co, at, d->size, NULL);
    if (!place)
        return err_set(e, ST_INPUT, "relocation %s: address 0x%" PRIx64 " is in no segment",
                       d->name, at);
    if (d->rule != RELOC_BASE)
        st = reloc_symbol(co, rela, index, &value, e);
    if (st == ST_OK && d->rule == RELOC_GOT)
        st = got_slot(co, index, &value, d->name, e);
    if (st != ST_OK)
        return st;
    value += (u64)r->r_addend;
    if (d->rule == RELOC_REL || d->rule == RELOC_BRANCH || d->rule == RELOC_GOT)
        value -= co->base + at;
    if (d->rule == RELOC_BRANCH) /* dwords from the next instruction */
        value = (u64)(((i64)value - 4) / 4);
    u64 fits = d->rule == RELOC_BRANCH ? sext64(value, 16)
               : d->rule == RELOC_ABS  ? value & UINT32_MAX
                                       : sext64(value, 32);
    if (d->is_range_checked && fits != value)
        return err_set(e, ST_INPUT, "relocation %s: value 0x%" PRIx64 " does not fit", d->name,
                       value);
    value >>= d->shift;
    memcpy(place, &value, d->size);
    return ST_OK;
}

/* Whether the records of a section are applied, and what their offsets count from. */
static bool is_applied(const struct codeobj *co, const GElf_Shdr *sh, u64 *start)
{
    *start = 0;
    if (!co->is_relocatable)
        return sh->sh_flags & SHF_ALLOC;
    if (sh->sh_info >= co->section_count || !co->section_at[sh->sh_info])
        return false;
    *start = co->section_at[sh->sh_info];
    return true;
}

enum status codeobj_relocate(struct codeobj *co, struct err *e)
{
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(co->elf, scn));) {
        GElf_Shdr sh;
        u64 start;
        if (!gelf_getshdr(scn, &sh) || (sh.sh_type != SHT_REL && sh.sh_type != SHT_RELA) ||
            !is_applied(co, &sh, &start))
            continue;
        if (sh.sh_type == SHT_REL)
            return err_set(e, ST_INPUT,
                           "has relocations without addends (SHT_REL), which amdgpu does not use");
        Elf_Data *data = elf_getdata(scn, NULL);
        if (!data)
            return err_set(e, ST_INPUT, "relocations: %s", elf_errmsg(-1));
        GElf_Rela r;
        for (int i = 0; gelf_getrela(data, i, &r); i++) {
            enum status st = relocate_one(co, &sh, &r, start, e);
            if (st != ST_OK)
                return st;
        }
    }
    return ST_OK;
}

/* --- placing --- */

/* What shares a segment, in the order of addresses. */
enum group { GROUP_READ, GROUP_CODE, GROUP_WRITE, GROUPS };

static enum group group_of(const GElf_Shdr *sh)
{
    return sh->sh_flags & SHF_EXECINSTR ? GROUP_CODE
           : sh->sh_flags & SHF_WRITE   ? GROUP_WRITE
                                        : GROUP_READ;
}

static u64 align_up(u64 v, u64 align)
{
    return (v + align - 1) & ~(align - 1);
}

/* Gives one section the next address. */
static enum status place_section(struct codeobj *co, size_t index, const GElf_Shdr *sh, u64 *at,
                                 struct err *e)
{
    u64 align = sh->sh_addralign ? sh->sh_addralign : 1;
    if (align > PAGE || (align & (align - 1)))
        return err_set(e, ST_INPUT,
                       "section %zu: alignment 0x%" PRIx64 " is not a power of two up to %d", index,
                       align, PAGE);
    if (sh->sh_type != SHT_NOBITS &&
        (sh->sh_offset > co->byte_count || sh->sh_size > co->byte_count - sh->sh_offset))
        return err_set(e, ST_INPUT, "section %zu: its bytes are beyond the end of the file", index);
    *at = align_up(*at, align);
    co->section_at[index] = *at;
    if (sh->sh_size > CODEOBJ_MAX_BYTES || *at + sh->sh_size > CODEOBJ_MAX_BYTES)
        return err_set(e, ST_INPUT, "section %zu: more than the limit of 0x%x bytes", index,
                       CODEOBJ_MAX_BYTES);
    *at += sh->sh_size;
    return ST_OK;
}

/* Entries of the largest symbol table, if there are relocations that want a global offset table. */
static u64 count_slots(const struct codeobj *co)
{
    bool is_wanted = false;
    u64 most = 0;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(co->elf, scn));) {
        GElf_Shdr sh;
        GElf_Rela r;
        Elf_Data *data;
        if (!gelf_getshdr(scn, &sh))
            continue;
        if (sh.sh_type == SHT_SYMTAB && sh.sh_size / sizeof(Elf64_Sym) > most)
            most = sh.sh_size / sizeof(Elf64_Sym);
        if (sh.sh_type != SHT_RELA || !(data = elf_getdata(scn, NULL)))
            continue;
        for (int i = 0; !is_wanted && gelf_getrela(data, i, &r); i++)
            is_wanted = GELF_R_TYPE(r.r_info) < COUNT_OF(relocs) &&
                        relocs[GELF_R_TYPE(r.r_info)].rule == RELOC_GOT;
    }
    return is_wanted ? most : 0;
}

/* Places the sections of one group and makes a segment of them. */
static enum status place_group(struct codeobj *co, enum group group, u64 *at, struct err *e)
{
    u64 start = *at;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(co->elf, scn));) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC) || !sh.sh_size ||
            (sh.sh_type != SHT_PROGBITS && sh.sh_type != SHT_NOBITS) || group_of(&sh) != group)
            continue;
        enum status st = place_section(co, elf_ndxscn(scn), &sh, at, e);
        if (st != ST_OK)
            return st;
    }
    if (group == GROUP_WRITE) {
        u64 slots = count_slots(co);
        if (slots > CODEOBJ_MAX_BYTES / 8)
            return err_set(e, ST_INPUT, "has more symbols than fit a global offset table");
        co->got = slots ? align_up(*at, 8) : 0;
        *at = slots ? co->got + slots * 8 : *at;
    }
    if (*at == start)
        return ST_OK;
    co->segments[co->segment_count++] = (struct codeobj_segment){
        .vaddr = start,
        .size = *at - start,
        .is_writable = group == GROUP_WRITE,
        .is_executable = group == GROUP_CODE,
    };
    *at = align_up(*at, PAGE);
    return ST_OK;
}

enum status codeobj_place(struct codeobj *co, struct err *e)
{
    size_t count;
    u64 at = PAGE; /* so that no section has address 0 */
    enum status st = ST_OK;
    if (elf_getshdrnum(co->elf, &count) != 0 || count > UINT32_MAX)
        return err_set(e, ST_INPUT, "sections: %s", elf_errmsg(-1));
    co->section_at = calloc(count ? count : 1, sizeof *co->section_at);
    if (!co->section_at)
        return err_memory(e);
    co->section_count = (u32)count;
    for (u32 group = 0; st == ST_OK && group < GROUPS; group++)
        st = place_group(co, (enum group)group, &at, e);
    if (st != ST_OK)
        return st;
    if (!co->segment_count)
        return err_set(e, ST_INPUT, "has no section to load");
    co->image_lo = PAGE;
    co->image_size = at - PAGE;
    co->image = calloc(1, co->image_size);
    if (!co->image)
        return err_set(e, ST_WORLD, "out of memory for an image of %" PRIu64 " bytes",
                       co->image_size);
    for (u32 i = 1; i < co->section_count; i++) {
        GElf_Shdr sh;
        if (co->section_at[i] && gelf_getshdr(elf_getscn(co->elf, i), &sh) &&
            sh.sh_type != SHT_NOBITS)
            memcpy(co->image + (co->section_at[i] - co->image_lo), co->bytes + sh.sh_offset,
                   sh.sh_size);
    }
    return ST_OK;
}
