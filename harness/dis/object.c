#include "harness/dis/object.h"

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/symbol.h"
#include "reports/file/library.h"
#include "oracle/base/array.h"
#include "oracle/insn/insn.h"

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>

enum {
    SYMBOLS_MAX = 1 << 22, /* of one file */
    TEXT_COLUMN = 60,      /* where the comment starts, without the tab */
    ZEROS_MIN = 8          /* so many zero bytes are not listed */
};

struct symbol {
    u64 address;
    u32 section;
    u8 type;          /* STT_ */
    const char *name; /* libelf's */
};

struct section {
    u64 address;
    u32 index;
    u32 first, count; /* its symbols */
};

/* One file being listed. */
struct listing {
    Elf *elf;
    FILE *out;
    const struct isa *isa;
    const struct dis_cfg *cfg;
    struct dis_counts *n;
    struct section *sections; /* by address */
    u32 section_count;
    struct symbol *symbols; /* by section, address, name */
    u32 symbol_count, symbol_cap;
    bool is_linked; /* addresses are those of the whole file, not of each section */
};

/* --- symbols --- */

static int by_place(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_address(const void *a, const void *b)
{
    const struct section *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static enum status add_symbol(struct listing *l, u64 address, u32 section, u32 type,
                              const char *name, struct err *e)
{
    if (l->symbol_count == SYMBOLS_MAX)
        return err_set(e, ST_INPUT, "has more than %d symbols", SYMBOLS_MAX);
    struct symbol *more =
        array_grow(l->symbols, &l->symbol_cap, l->symbol_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(e);
    l->symbols = more;
    l->symbols[l->symbol_count++] = (struct symbol){ address, section, (u8)type, name };
    return ST_OK;
}

/* Collects the named symbols of a table. */
struct collector {
    struct listing *l;
    enum status st;
    struct err *e;
};

static bool collect(const GElf_Sym *sym, const char *name, void *arg)
{
    struct collector *c = arg;
    u32 kind = GELF_ST_TYPE(sym->st_info);
    if (*name && kind != STT_SECTION && kind != STT_FILE)
        c->st = add_symbol(c->l, sym->st_value, sym->st_shndx, kind, name, c->e);
    return c->st != ST_OK;
}

static enum status read_sections(struct listing *l, struct err *e)
{
    size_t count;
    if (elf_getshdrnum(l->elf, &count) != 0)
        return err_set(e, ST_INPUT, "sections: %s", elf_errmsg(-1));
    l->sections = calloc(count ? count : 1, sizeof *l->sections);
    if (!l->sections)
        return err_memory(e);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(l->elf, scn)) && l->section_count < count;) {
        GElf_Shdr sh;
        if (gelf_getshdr(scn, &sh))
            l->sections[l->section_count++] =
                (struct section){ .address = sh.sh_addr, .index = (u32)elf_ndxscn(scn) };
    }
    qsort(l->sections, l->section_count, sizeof *l->sections, by_address);
    return ST_OK;
}

/* Sorts the symbols and finds those of each section. */
static void index_symbols(struct listing *l)
{
    if (l->symbol_count)
        qsort(l->symbols, l->symbol_count, sizeof *l->symbols, by_place);
    for (u32 i = 0; i < l->section_count; i++) {
        struct section *s = &l->sections[i];
        struct symbol least = { 0, s->index, STT_NOTYPE, "" };
        u32 lo = 0, hi = l->symbol_count;
        while (lo < hi) {
            u32 mid = (lo + hi) / 2;
            if (by_place(&l->symbols[mid], &least) < 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        s->first = lo;
        s->count = 0;
        while (lo + s->count < l->symbol_count && l->symbols[lo + s->count].section == s->index)
            s->count++;
    }
}

/* A section whose first symbol is not at its start begins with its own name. */
static enum status add_section_names(struct listing *l, struct err *e)
{
    size_t names;
    if (elf_getshdrstrndx(l->elf, &names) != 0)
        return err_set(e, ST_INPUT, "sections: %s", elf_errmsg(-1));
    for (u32 i = 0; i < l->section_count; i++) {
        const struct section *s = &l->sections[i];
        GElf_Shdr sh;
        Elf_Scn *scn = elf_getscn(l->elf, s->index);
        if (!scn || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR) || !sh.sh_size)
            continue;
        const char *name = elf_strptr(l->elf, names, sh.sh_name);
        bool has_first = s->count && l->symbols[s->first].address <= s->address;
        if (has_first || !name || strnlen(name, CODEOBJ_NAME_MAX) == CODEOBJ_NAME_MAX)
            continue;
        enum status st = add_symbol(l, s->address, s->index, STT_NOTYPE, name, e);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static enum status read_symbols(struct listing *l, struct err *e)
{
    enum status st = read_sections(l, e);
    struct collector c = { l, ST_OK, e };
    if (st != ST_OK)
        return st;
    if (!codeobj_each_elf_symbol(l->elf, SHT_SYMTAB, collect, &c) && l->symbol_count == 0)
        codeobj_each_elf_symbol(l->elf, SHT_DYNSYM, collect, &c);
    if (c.st != ST_OK)
        return c.st;
    index_symbols(l);
    st = add_section_names(l, e);
    index_symbols(l);
    return st;
}

/* The last symbol of a section at or before an address, NULL if there is none. */
static const struct symbol *symbol_before(const struct listing *l, const struct section *s,
                                          u64 address)
{
    u32 lo = s->first, hi = s->first + s->count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (l->symbols[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > s->first ? &l->symbols[lo - 1] : NULL;
}

/* The symbol that a branch target is said to stand behind. */
static const struct symbol *target_symbol(const struct listing *l, const struct section *s,
                                          u64 target)
{
    if (!l->is_linked)
        return symbol_before(l, s, target);
    /* As symbol_before, and debug_line_at for lines: each list has a key of another struct. */
    u32 lo = 0, hi = l->section_count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (l->sections[mid].address <= target)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return NULL;
    u64 start = l->sections[lo - 1].address;
    for (u32 i = lo; i-- > 0 && l->sections[i].address == start;) {
        const struct symbol *found = symbol_before(l, &l->sections[i], target);
        if (found)
            return found;
    }
    return NULL;
}

/* A symbol without a type exactly at the target: LLVM prints its name in place of the distance. */
static const struct symbol *label_at(const struct listing *l, const struct section *s, u64 target)
{
    const struct symbol *found = NULL;
    for (const struct symbol *at = symbol_before(l, s, target);
         at && at >= &l->symbols[s->first] && at->address == target; at--)
        if (at->type == STT_NOTYPE)
            found = at;
    return found;
}

/* --- lines --- */

/* Whether the first operand is a distance to branch over; *target is its address. */
static bool branches_to(const struct insn *in, u64 address, u64 *target)
{
    const struct isa_operand *o = insn_row(in)->operand;
    if (in->op == OP_NONE || o->kind != K_LABEL)
        return false;
    *target = address + 4 + (u64)((i64)(i16)insn_code(in, o) * 4);
    return true;
}

static void put_dwords(FILE *out, u64 address, const u32 *dw, u32 count)
{
    static const char digits[] = "0123456789ABCDEF";
    char buf[48], *p = buf;
    for (u32 nibble = address >> 48 ? 16 : 12; nibble--;)
        *p++ = digits[address >> nibble * 4 & 15];
    *p++ = ':';
    for (u32 i = 0; i < count; i++) {
        *p++ = ' ';
        for (u32 nibble = 8; nibble--;)
            *p++ = digits[dw[i] >> nibble * 4 & 15];
    }
    fputs("// ", out);
    fwrite(buf, 1, (size_t)(p - buf), out);
}

static void put_text(FILE *out, const char *text, size_t len)
{
    static const char spaces[TEXT_COLUMN + 1] =
        "                                                            ";
    size_t column = TEXT_COLUMN - 1; /* the tab counts as one */
    putc('\t', out);
    fwrite(text, 1, len, out);
    if (len < column)
        fwrite(spaces, 1, column - len, out);
}

static void list_insn(const struct listing *l, const struct section *s, const struct insn *in,
                      u64 address)
{
    char text[1024];
    u32 dw[INSN_DW_MAX];
    u64 target = 0;
    size_t len = insn_print(l->isa, in, text, sizeof text);
    bool branches = branches_to(in, address, &target);
    const struct symbol *label = branches ? label_at(l, s, target) : NULL;
    if (label) {
        struct text t;
        text_init(&t, text, sizeof text);
        text_add(&t, "%s %s", insn_row(in)->name, label->name);
        len = t.len;
    }
    put_text(l->out, text, len);
    put_dwords(l->out, address, dw, insn_encode(in, dw));
    const struct symbol *near = branches && !label ? target_symbol(l, s, target) : NULL;
    if (near && near->address == target)
        fprintf(l->out, " <%s>", near->name);
    else if (near)
        fprintf(l->out, " <%s+0x%" PRIx64 ">", near->name, target - near->address);
    putc('\n', l->out);
}

/* Assembles an instruction's text and compares the bits. */
static void check_insn(const struct listing *l, const struct insn *in, u64 address)
{
    char text[1024];
    struct insn back;
    struct err why = { .text = "" };
    u32 dw[INSN_DW_MAX] = { 0 }, got[INSN_DW_MAX] = { 0 };
    insn_print(l->isa, in, text, sizeof text);
    u32 count = insn_encode(in, dw);
    if (insn_parse(l->isa, text, &back, &why) == ST_OK && insn_encode(&back, got) == count &&
        memcmp(dw, got, sizeof dw) == 0)
        return;
    l->n->different++;
    put_text(l->out, text, strlen(text));
    put_dwords(l->out, address, dw, count);
    if (why.text[0])
        fprintf(l->out, " // error: %s\n", why.text);
    else
        fprintf(l->out, " // assembles to %08X %08X %08X\n", got[0], got[1], got[2]);
}

/* The last bytes of a section, too few for a dword. */
static void list_bytes(const struct listing *l, const u8 *bytes, size_t size, u64 address)
{
    char text[64];
    struct text t;
    if (l->cfg->check)
        return;
    text_init(&t, text, sizeof text);
    for (size_t i = 0; i < size; i++)
        text_add(&t, "%s0x%02x", i ? ", " : ".byte ", bytes[i]);
    put_text(l->out, text, t.len);
    fprintf(l->out, "// %012" PRIX64 ":", address);
    for (size_t i = 0; i < size; i++)
        fprintf(l->out, " %02X", bytes[i]);
    putc('\n', l->out);
}

/* Zero bytes at the start of a range that are passed over, whole dwords of them; 0 if they are
 * few. */
static size_t count_zeros(const u8 *bytes, size_t size)
{
    size_t n = 0;
    while (n < size && bytes[n] == 0)
        n++;
    return n < ZEROS_MIN ? 0 : n & ~(size_t)3;
}

/* One instruction at bytes[0..size); answers its size in bytes. */
static size_t list_one(const struct listing *l, const struct section *s, const u8 *bytes,
                       size_t size, u64 address)
{
    u32 dw[INSN_DW_MAX] = { 0 }, avail = size / 4 < INSN_DW_MAX ? (u32)(size / 4) : INSN_DW_MAX;
    struct insn in;
    if (avail == 0) {
        list_bytes(l, bytes, size, address);
        return size;
    }
    memcpy(dw, bytes, (size_t)avail * 4);
    bool is_insn =
        insn_decode(l->isa, dw, avail, &in, NULL) && insn_printable(l->isa, &in, NULL) == ST_OK;
    if (!is_insn)
        in = (struct insn){ .op = OP_NONE, .dw = 1, .word = dw[0] };
    l->n->instructions += is_insn;
    l->n->words += !is_insn;
    if (!l->cfg->check)
        list_insn(l, s, &in, address);
    else if (is_insn)
        check_insn(l, &in, address);
    return in.dw * 4u;
}

/* The code from one symbol to the next, [at, end) of the section's bytes. */
static void list_symbol(const struct listing *l, const struct section *s, const struct symbol *sym,
                        const u8 *bytes, size_t size, size_t at, size_t end)
{
    l->n->symbols++;
    if (!l->cfg->check)
        fprintf(l->out, "\n%016" PRIx64 " <%s>:\n", sym->address, sym->name);
    if (sym->type == STT_KERNEL_V2 && end - at >= CODEOBJ_CODE_BYTES) {
        if (!l->cfg->check)
            fputs("\t\t// amd_kernel_code_t, 256 bytes\n", l->out);
        at += CODEOBJ_CODE_BYTES;
    }
    while (at < end) {
        size_t zeros = count_zeros(bytes + at, end - at);
        if (zeros) {
            if (!l->cfg->check)
                fputs("\t\t...\n", l->out);
            at += zeros;
        } else {
            at += list_one(l, s, bytes + at, size - at, s->address + at);
        }
    }
}

static void list_section(const struct listing *l, const struct section *s, const u8 *bytes,
                         size_t size)
{
    u32 end_of_all = s->first + s->count;
    for (u32 i = s->first; i < end_of_all; i++) {
        const struct symbol *sym = &l->symbols[i];
        u32 after = i + 1;
        while (after < end_of_all && l->symbols[after].address == sym->address)
            after++;
        /* Of several names at one address the last is shown, or the one that is asked for. */
        if (l->cfg->symbol ? strcmp(l->cfg->symbol, sym->name) != 0 : after != i + 1)
            continue;
        if (sym->address < s->address || sym->address - s->address >= size)
            continue;
        size_t at = sym->address - s->address, end = size;
        if (after < end_of_all && l->symbols[after].address - s->address < size)
            end = l->symbols[after].address - s->address;
        list_symbol(l, s, sym, bytes, size, at, end);
    }
}

static enum status list_sections(const struct listing *l, u64 size, struct err *e)
{
    size_t names;
    u64 left = size; /* so that a small file of many equal sections is not listed for ever */
    if (elf_getshdrstrndx(l->elf, &names) != 0)
        return err_set(e, ST_INPUT, "sections: %s", elf_errmsg(-1));
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(l->elf, scn));) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR) || !sh.sh_size ||
            sh.sh_type == SHT_NOBITS)
            continue;
        if (sh.sh_size > left)
            return err_set(e, ST_INPUT, "section %zu: the sections are larger than the file",
                           elf_ndxscn(scn));
        left -= sh.sh_size;
        library_watch();
        Elf_Data *data = elf_rawdata(scn, NULL);
        const char *name = elf_strptr(l->elf, names, sh.sh_name);
        if (!data || !data->d_buf || data->d_size != sh.sh_size)
            return library_settle(err_set(e, ST_INPUT,
                                          "section %zu: its bytes are beyond the end of the file",
                                          elf_ndxscn(scn)),
                                  e);
        if (!l->cfg->check && !l->cfg->symbol)
            fprintf(l->out, "\nDisassembly of section %.*s:\n", CODEOBJ_NAME_MAX,
                    name ? name : "?");
        for (u32 i = 0; i < l->section_count; i++)
            if (l->sections[i].index == elf_ndxscn(scn))
                list_section(l, &l->sections[i], data->d_buf, data->d_size);
    }
    return ST_OK;
}

enum status dis_object(FILE *out, const char *title, const u8 *bytes, size_t size,
                       const struct isa *isa, const struct dis_cfg *cfg, struct dis_counts *n,
                       struct err *e)
{
    GElf_Ehdr h;
    struct listing l = { .out = out, .isa = isa, .cfg = cfg, .n = n };
    enum status st;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return err_set(e, ST_WORLD, "libelf is too old");
    library_watch();
    l.elf = elf_memory((char *)(uintptr_t)bytes, size);
    if (!l.elf || !gelf_getehdr(l.elf, &h)) {
        st = err_set(e, ST_INPUT, "is not an ELF file");
    } else {
        l.is_linked = h.e_type != ET_REL;
        st = read_symbols(&l, e);
    }
    st = library_settle(st, e);
    if (st == ST_OK && !cfg->check && !cfg->symbol)
        fprintf(out, "\n%s:\tfile format elf%d-amdgpu\n", title,
                h.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32);
    if (st == ST_OK)
        st = list_sections(&l, size, e);
    free(l.symbols);
    free(l.sections);
    if (l.elf)
        elf_end(l.elf);
    return st;
}
