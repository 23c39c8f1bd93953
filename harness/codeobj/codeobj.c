#include "harness/codeobj/internal.h"

#include "harness/codeobj/check.h"
#include "harness/io/file.h"
#include "reports/file/library.h"

#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PAGE = 4096,
    MANAGED_MAX = 1024 /* managed variables of one file that are looked at */
};

/* Which of the known files can be loaded. */
static enum status check_target(const struct codeobj_target *t, struct err *e)
{
    if (t->os == OS_PAL || t->os == OS_MESA3D)
        return err_set(e, ST_INPUT, "code objects of %s are not supported, only amdhsa",
                       t->os == OS_PAL ? "amdpal" : "mesa3d");
    if (t->os != OS_HSA)
        return err_set(e, ST_INPUT, "ELF header: OS ABI 0 is not amdhsa (64)");
    return ST_OK;
}

static enum status read_header(struct codeobj *co, struct err *e)
{
    GElf_Ehdr h;
    enum status st = codeobj_target_of(co->bytes, co->byte_count, &co->target, e);
    if (st == ST_OK && !co->code_only)
        st = check_target(&co->target, e);
    if (st != ST_OK)
        return st;
    if (!gelf_getehdr(co->elf, &h))
        return err_set(e, ST_INPUT, "is not an ELF file");
    if (h.e_ident[EI_CLASS] != ELFCLASS64)
        return err_set(e, ST_INPUT, "is not an ELF file of 64 bits");
    co->is_relocatable = h.e_type == ET_REL;
    return ST_OK;
}

/* Checks where one PT_LOAD header puts its bytes and appends it to the segment list. */
static enum status add_segment(struct codeobj *co, const GElf_Phdr *p, size_t index, struct err *e)
{
    if (p->p_memsz > CODEOBJ_MAX_BYTES || p->p_vaddr > UINT64_MAX / 2)
        return err_set(e, ST_INPUT,
                       "segment %zu: p_vaddr 0x%" PRIx64 " or p_memsz 0x%" PRIx64 " is too large",
                       index, p->p_vaddr, p->p_memsz);
    if (co->segment_count == CODEOBJ_MAX_SEGMENTS)
        return err_set(e, ST_INPUT, "has more than %d segments to load", CODEOBJ_MAX_SEGMENTS);
    if (co->segment_count) {
        const struct codeobj_segment *last = &co->segments[co->segment_count - 1];
        if (p->p_vaddr < last->vaddr + last->size)
            return err_set(e, ST_INPUT,
                           "segment %zu: p_vaddr 0x%" PRIx64 " overlaps or precedes the one before",
                           index, p->p_vaddr);
    }
    co->segments[co->segment_count++] = (struct codeobj_segment){
        .vaddr = p->p_vaddr,
        .size = p->p_memsz,
        .is_writable = (p->p_flags & PF_W) != 0,
        .is_executable = (p->p_flags & PF_X) != 0,
    };
    return ST_OK;
}

/* Two passes over the program headers: check all and find the span, then allocate once and copy. */
static enum status load_segments(struct codeobj *co, struct err *e)
{
    size_t count;
    GElf_Phdr p;
    if (elf_getphdrnum(co->elf, &count) != 0)
        return err_set(e, ST_INPUT, "program headers: %s", elf_errmsg(-1));
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(co->elf, (int)i, &p))
            return err_set(e, ST_INPUT, "program header %zu: %s", i, elf_errmsg(-1));
        if (p.p_type != PT_LOAD || (p.p_memsz == 0 && p.p_filesz == 0))
            continue;
        enum status st = add_segment(co, &p, i, e);
        if (st != ST_OK)
            return st;
    }
    if (!co->segment_count)
        return err_set(e, ST_INPUT, "has no segment to load");
    const struct codeobj_segment *last = &co->segments[co->segment_count - 1];
    co->image_lo = co->segments[0].vaddr;
    co->image_size = last->vaddr + last->size - co->image_lo;
    if (co->image_size > CODEOBJ_MAX_BYTES)
        return err_set(e, ST_INPUT,
                       "segments span 0x%" PRIx64 " bytes, more than the limit of 0x%x",
                       co->image_size, CODEOBJ_MAX_BYTES);
    co->image = calloc(1, co->image_size);
    if (!co->image)
        return err_set(e, ST_WORLD, "out of memory for an image of %" PRIu64 " bytes",
                       co->image_size);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(co->elf, (int)i, &p) && p.p_type == PT_LOAD && p.p_filesz)
            memcpy(co->image + (p.p_vaddr - co->image_lo), co->bytes + p.p_offset, p.p_filesz);
    return ST_OK;
}

struct note_reader {
    struct codeobj *co;
    enum status st;
    u32 count;
    struct err *e;
};

static bool read_note(const u8 *doc, size_t size, void *arg)
{
    struct note_reader *r = arg;
    r->count++;
    r->st = r->co->target.version == 2 ? codeobj_yaml_read(r->co, doc, size, r->e)
                                       : codeobj_meta_read(r->co, doc, size, r->e);
    return r->st != ST_OK;
}

/* HIP's managed variables: NAME is a pointer that the runtime sets, NAME.managed what it points to
 * at the start. Here it stays there. */
struct managed {
    struct codeobj *co;
    u32 count;
};

static bool set_managed(const GElf_Sym *sym, const char *name, void *arg)
{
    static const char suffix[] = ".managed";
    struct managed *m = arg;
    char plain[CODEOBJ_NAME_MAX];
    struct codeobj_symbol pointer;
    size_t len = strlen(name), end = sizeof suffix - 1;
    if (len <= end || len >= sizeof plain || strcmp(name + len - end, suffix) != 0)
        return false;
    memcpy(plain, name, len - end);
    plain[len - end] = '\0';
    u64 address = m->co->base + sym->st_value;
    u8 *place = codeobj_symbol(m->co, plain, &pointer) && pointer.size == sizeof address
                    ? codeobj_image_at(m->co, pointer.vaddr, sizeof address, NULL)
                    : NULL;
    if (place)
        memcpy(place, &address, sizeof address);
    return ++m->count == MANAGED_MAX;
}

static enum status read_notes(struct codeobj *co, struct err *e)
{
    bool is_v2 = co->target.version == 2;
    struct note_reader r = { .co = co, .st = ST_OK, .e = e };
    codeobj_each_note(co->elf, co->byte_count, is_v2 ? "AMD" : "AMDGPU",
                      is_v2 ? NOTE_METADATA_V2 : NOTE_METADATA, read_note, &r);
    if (r.count)
        return r.st;
    return err_set(e, ST_INPUT, "has no metadata (note %s)",
                   is_v2 ? "AMD, type 10" : "AMDGPU, type 32");
}

static enum status read_bytes(struct codeobj *co, struct err *e)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return err_set(e, ST_WORLD, "libelf is too old");
    enum status st = codeobj_check_ident(co->bytes, co->byte_count, e);
    if (st != ST_OK)
        return st;
    co->elf = elf_memory((char *)co->bytes, co->byte_count);
    if (!co->elf)
        return err_set(e, ST_INPUT, "is not an ELF file");
    st = read_header(co, e);
    if (st == ST_OK)
        st = co->is_relocatable ? codeobj_place(co, e) : load_segments(co, e);
    if (st == ST_OK)
        st = codeobj_relocate(co, e);
    if (st == ST_OK && !co->code_only)
        codeobj_each_symbol(co, set_managed, &(struct managed){ .co = co });
    return st == ST_OK && !co->code_only ? read_notes(co, e) : st;
}

static enum status open_bytes(struct codeobj *co, struct err *e)
{
    library_watch();
    return library_settle(read_bytes(co, e), e);
}

/* Takes over *co's file name and bytes (either may be NULL after a failed allocation). */
static enum status open_owned(struct codeobj *co, const char *name, struct err *e)
{
    enum status st;
    if (!co->file || !co->bytes)
        st = err_memory(e);
    else if (co->base % PAGE)
        BUG("the base of a code object is a multiple of the page size");
    else
        st = open_bytes(co, e);
    if (st != ST_OK) {
        file_error(e, name, 0);
        codeobj_close(co);
    }
    return st;
}

enum status codeobj_open(struct codeobj *co, const char *path, u64 base, struct err *e)
{
    *co = (struct codeobj){ .base = base };
    enum status st = file_read(path, CODEOBJ_MAX_BYTES, &co->bytes, &co->byte_count, e);
    if (st != ST_OK) {
        file_error(e, path, 0);
        return st;
    }
    co->file = strdup(path);
    return open_owned(co, path, e);
}

static enum status open_copy(struct codeobj *co, const char *name, const void *bytes, size_t size,
                             struct err *e)
{
    co->file = strdup(name);
    co->bytes = malloc(size + 1);
    co->byte_count = size;
    if (co->bytes)
        memcpy(co->bytes, bytes, size);
    return open_owned(co, name, e);
}

enum status codeobj_open_memory(struct codeobj *co, const char *name, const void *bytes,
                                size_t size, u64 base, struct err *e)
{
    *co = (struct codeobj){ .base = base };
    return open_copy(co, name, bytes, size, e);
}

enum status codeobj_open_code(struct codeobj *co, const char *name, const void *bytes, size_t size,
                              u64 base, struct err *e)
{
    *co = (struct codeobj){ .base = base, .code_only = true };
    return open_copy(co, name, bytes, size, e);
}

void codeobj_close(struct codeobj *co)
{
    for (u32 k = 0; k < co->kernel_count; k++) {
        struct kernel_meta *m = &co->kernels[k];
        for (u32 i = 0; i < m->arg_count; i++)
            free(m->args[i].name);
        free(m->args);
        free(m->name);
        free(m->symbol);
    }
    free(co->kernels);
    codeobj_printf_close(co);
    free(co->image);
    free(co->section_at);
    if (co->elf)
        elf_end(co->elf);
    free(co->bytes);
    free(co->file);
    *co = (struct codeobj){ 0 };
}
