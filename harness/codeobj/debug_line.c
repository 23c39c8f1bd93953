#include "harness/codeobj/debug_line.h"

#include "harness/codeobj/internal.h"
#include "oracle/base/array.h"
#include "reports/file/library.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

enum { ABS64 = 3, ABS32 = 6 };

/* The value of a relocation's symbol: where its section was placed; debug sections begin at 0. */
static u64 symbol_value(const struct codeobj *co, Elf_Data *symbols, u64 index)
{
    GElf_Sym sym;
    if (!symbols || index > INT32_MAX || !gelf_getsym(symbols, (int)index, &sym))
        return 0;
    u64 start = sym.st_shndx < co->section_count ? co->section_at[sym.st_shndx] : 0;
    return start + sym.st_value;
}

static void relocate_section(struct codeobj *co, const GElf_Shdr *rela, Elf_Data *records,
                             const GElf_Shdr *target)
{
    GElf_Rela r;
    Elf_Scn *table = elf_getscn(co->elf, rela->sh_link);
    Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;
    if (target->sh_offset > co->byte_count || target->sh_size > co->byte_count - target->sh_offset)
        return;
    for (int i = 0; gelf_getrela(records, i, &r); i++) {
        u64 value = symbol_value(co, symbols, GELF_R_SYM(r.r_info)) + (u64)r.r_addend;
        u64 type = GELF_R_TYPE(r.r_info), size = type == ABS64 ? 8 : type == ABS32 ? 4 : 0;
        if (size && r.r_offset <= target->sh_size && size <= target->sh_size - r.r_offset)
            memcpy(co->bytes + target->sh_offset + r.r_offset, &value, size);
    }
}

/* libdw reads the bytes as they stand in the file. */
static void relocate_debug(struct codeobj *co)
{
    size_t names;
    if (elf_getshdrstrndx(co->elf, &names) != 0)
        return;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(co->elf, scn));) {
        GElf_Shdr sh, target;
        Elf_Scn *to;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA ||
            !(to = elf_getscn(co->elf, sh.sh_info)) || !gelf_getshdr(to, &target))
            continue;
        const char *name = elf_strptr(co->elf, names, target.sh_name);
        Elf_Data *records = elf_getdata(scn, NULL);
        if (name && records && strncmp(name, ".debug_", 7) == 0)
            relocate_section(co, &sh, records, &target);
    }
}

static const char *without_folders(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

static bool add_line(struct debug_lines *l, u64 vaddr, const char *path, int line)
{
    struct debug_line *more = array_grow(l->list, &l->room, l->count + 1ull, sizeof *more);
    if (!more)
        return false;
    l->list = more;
    l->list[l->count] = (struct debug_line){ .vaddr = vaddr,
                                             .order = l->count,
                                             .file = without_folders(path),
                                             .line = line > 0 ? (u32)line : 0 };
    l->count++;
    return true;
}

static bool add_table(struct debug_lines *l, Dwarf_Lines *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        int number = 0;
        bool ends = false;
        if (!at || dwarf_lineaddr(at, &address) != 0 || dwarf_lineno(at, &number) != 0 ||
            dwarf_lineendsequence(at, &ends) != 0)
            continue;
        if (!add_line(l, address, dwarf_linesrc(at, NULL, NULL), ends ? 0 : number))
            return false;
    }
    return true;
}

/* The end of a sequence before the start of the next; else in the order of the file. */
static int by_vaddr(const void *a, const void *b)
{
    const struct debug_line *x = a, *y = b;
    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    if ((x->line != 0) != (y->line != 0))
        return x->line ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool add_all(struct debug_lines *l)
{
    Dwarf_Off offset = 0, next;
    Dwarf_CU *unit = NULL;
    Dwarf_Files *files;
    Dwarf_Lines *lines;
    size_t file_count, count;
    for (;
         dwarf_next_lines(l->dwarf, offset, &next, &unit, &files, &file_count, &lines, &count) == 0;
         offset = next)
        if (lines && !add_table(l, lines, count))
            return false;
    return true;
}

/* Where libdw goes that would end the process: back to who has asked it. */
static _Thread_local jmp_buf *without_memory;

static void __attribute__((noreturn)) leave(void)
{
    longjmp(*without_memory, 1);
}

enum status debug_line_open(struct debug_lines *l, struct codeobj *co, struct err *e)
{
    jmp_buf back;
    *l = (struct debug_lines){ 0 };
    library_watch();
    if (co->is_relocatable)
        relocate_debug(co);
    l->dwarf = dwarf_begin_elf(co->elf, DWARF_C_READ, NULL);
    if (!l->dwarf)
        return library_settle(ST_OK, e);
    dwarf_new_oom_handler(l->dwarf, leave);
    without_memory = &back;
    if (setjmp(back) != 0 || !add_all(l))
        return err_memory(e);
    if (l->count)
        qsort(l->list, l->count, sizeof *l->list, by_vaddr);
    return library_settle(ST_OK, e);
}

void debug_line_close(struct debug_lines *l)
{
    if (l->dwarf)
        dwarf_end(l->dwarf);
    free(l->list);
    *l = (struct debug_lines){ 0 };
}

const struct debug_line *debug_line_at(const struct debug_lines *l, u64 vaddr)
{
    u32 lo = 0, hi = l->count;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (l->list[mid].vaddr <= vaddr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && l->list[lo - 1].line ? &l->list[lo - 1] : NULL;
}

/* The unit that has code at the address. */
static bool find_unit(struct Dwarf *dwarf, u64 vaddr, Dwarf_Die *unit)
{
    Dwarf_Off at = 0, next;
    size_t head;
    for (; dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next)
        if (dwarf_offdie(dwarf, at + head, unit) && dwarf_haspc(unit, vaddr) == 1)
            return true;
    return false;
}

static bool call_of(Dwarf_Die *unit, Dwarf_Die *inlined, struct debug_line *call)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count || line > UINT32_MAX)
        return false;
    *call = (struct debug_line){ .file = without_folders(dwarf_filesrc(files, file, NULL, NULL)),
                                 .line = (u32)line };
    return true;
}

/* Not inlined into what longjmp comes back to, where its variables would be lost. */
static bool __attribute__((noinline))
find_call(struct Dwarf *dwarf, u64 vaddr, struct debug_line *call)
{
    Dwarf_Die unit, *scopes = NULL;
    bool found = false;
    if (!find_unit(dwarf, vaddr, &unit))
        return false;
    int count = dwarf_getscopes(&unit, vaddr, &scopes);
    for (int i = count; i-- > 0 && !found;) /* from the outside */
        found =
            dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine && call_of(&unit, &scopes[i], call);
    free(scopes);
    return found;
}

static bool ask_call(struct Dwarf *dwarf, u64 vaddr, struct debug_line *call)
{
    jmp_buf back;
    without_memory = &back;
    if (setjmp(back) != 0)
        return false;
    return find_call(dwarf, vaddr, call);
}

bool debug_line_call(const struct debug_lines *l, u64 vaddr, struct debug_line *call)
{
    /* Work-groups that stop ask from their threads, and libdw reads .debug_info as it is asked. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool found = l->dwarf && ask_call(l->dwarf, vaddr, call);
    pthread_mutex_unlock(&lock);
    return found;
}
