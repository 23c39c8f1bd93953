/* The loaded image of a code object: what lies where, symbols, and addresses as they are shown. */
#include "harness/codeobj/internal.h"

#include "harness/codeobj/symbol.h"

#include <libelf.h>

u8 *codeobj_image_at(const struct codeobj *co, u64 vaddr, u64 size,
                     const struct codeobj_segment **seg)
{
    for (u32 i = 0; i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        if (vaddr >= s->vaddr && vaddr - s->vaddr < s->size &&
            size <= s->size - (vaddr - s->vaddr)) {
            if (seg)
                *seg = s;
            return co->image + (vaddr - co->image_lo);
        }
    }
    return NULL;
}

const char *codeobj_symbol_name(const struct codeobj *co, size_t strings, const GElf_Sym *s)
{
    const char *name = elf_strptr(co->elf, strings, s->st_name);
    return name && strnlen(name, CODEOBJ_NAME_MAX) < CODEOBJ_NAME_MAX ? name : NULL;
}

bool codeobj_symbol_vaddr(const struct codeobj *co, const GElf_Sym *s, u64 *vaddr)
{
    if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE)
        return false;
    if (!co->is_relocatable) {
        *vaddr = s->st_value;
        return true;
    }
    if (s->st_shndx >= co->section_count || !co->section_at[s->st_shndx])
        return false;
    *vaddr = co->section_at[s->st_shndx] + s->st_value;
    return true;
}

/* Hands symbols on with the addresses that they have in the image. */
struct placed_visit {
    const struct codeobj *co;
    codeobj_visit *visit;
    void *arg;
};

static bool visit_placed(const GElf_Sym *sym, const char *name, void *arg)
{
    const struct placed_visit *v = arg;
    GElf_Sym placed = *sym;
    return codeobj_symbol_vaddr(v->co, sym, &placed.st_value) && v->visit(&placed, name, v->arg);
}

bool codeobj_each_symbol(const struct codeobj *co, codeobj_visit *visit, void *arg)
{
    struct placed_visit v = { co, visit, arg };
    return codeobj_each_elf_symbol(co->elf, SHT_DYNSYM, visit_placed, &v) ||
           codeobj_each_elf_symbol(co->elf, SHT_SYMTAB, visit_placed, &v);
}

struct symbol_query {
    const struct codeobj *co;
    const char *name; /* wanted, or NULL: the function that covers vaddr */
    u64 vaddr;
    struct codeobj_symbol *out;
};

static bool is_function(const GElf_Sym *sym)
{
    u32 type = GELF_ST_TYPE(sym->st_info);
    return type == STT_FUNC || type == STT_KERNEL_V2;
}

static bool match_symbol(const GElf_Sym *sym, const char *name, void *arg)
{
    const struct symbol_query *q = arg;
    bool is_it = q->name
                     ? strcmp(name, q->name) == 0 && codeobj_image_at(q->co, sym->st_value, 1, NULL)
                     : is_function(sym) && q->vaddr >= sym->st_value &&
                           q->vaddr - sym->st_value < sym->st_size;
    if (is_it)
        *q->out =
            (struct codeobj_symbol){ .name = name, .vaddr = sym->st_value, .size = sym->st_size };
    return is_it;
}

bool codeobj_symbol(const struct codeobj *co, const char *name, struct codeobj_symbol *out)
{
    struct symbol_query q = { .co = co, .name = name, .out = out };
    return codeobj_each_symbol(co, match_symbol, &q);
}

bool codeobj_function_at(const struct codeobj *co, u64 address, struct codeobj_symbol *out)
{
    struct symbol_query q = { .co = co, .vaddr = address - co->base, .out = out };
    return codeobj_each_symbol(co, match_symbol, &q);
}

/* Where the section begins that holds an address of the file; 0 if the file is linked. */
static u64 section_start(const struct codeobj *co, u64 vaddr)
{
    u64 start = 0;
    for (u32 i = 0; co->is_relocatable && i < co->section_count; i++)
        if (co->section_at[i] <= vaddr && co->section_at[i] > start)
            start = co->section_at[i];
    return start;
}

u64 codeobj_shown_address(const struct codeobj *co, u64 vaddr)
{
    return vaddr - section_start(co, vaddr);
}

u32 codeobj_find_shown(const struct codeobj *co, u64 shown, u64 *vaddr)
{
    struct codeobj_symbol s;
    u32 found = 0;
    for (u32 i = 0; i < (co->is_relocatable ? co->section_count : 1); i++) {
        u64 start = co->is_relocatable ? co->section_at[i] : 0;
        if ((co->is_relocatable && !start) || section_start(co, start + shown) != start ||
            !codeobj_function_at(co, co->base + start + shown, &s))
            continue;
        if (found++ == 0)
            *vaddr = start + shown;
    }
    return found;
}
