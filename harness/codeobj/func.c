/* The list of functions of a code object. */
#include "harness/codeobj/internal.h"

#include "oracle/base/array.h"

#include <libelf.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 1 << 20 };

struct gathered {
    const struct codeobj *co;
    struct codeobj_function *list;
    u32 count, cap;
    const char **kernels; /* names of descriptors, NAME.kd */
    u32 kernel_count, kernel_cap;
    bool failed;
};

static bool ends_with_kd(const char *name)
{
    size_t len = strlen(name);
    return len > 3 && strcmp(name + len - 3, ".kd") == 0;
}

static bool gather(const GElf_Sym *sym, const char *name, void *arg)
{
    struct gathered *g = arg;
    const struct codeobj_segment *seg;
    u32 type = GELF_ST_TYPE(sym->st_info);
    bool label = type == STT_NOTYPE && GELF_ST_BIND(sym->st_info) == STB_GLOBAL && *name;
    bool v2 = type == STT_KERNEL_V2;
    if (g->count == FUNCTIONS_MAX || g->kernel_count == FUNCTIONS_MAX)
        return true;
    if (ends_with_kd(name)) {
        const char **more =
            array_grow(g->kernels, &g->kernel_cap, g->kernel_count + 1ull, sizeof *more);
        g->failed |= !more;
        if (!more)
            return true;
        g->kernels = more;
        g->kernels[g->kernel_count++] = name;
        return false;
    }
    if ((type != STT_FUNC && !v2 && !label) || !codeobj_image_at(g->co, sym->st_value, 4, &seg) ||
        !seg->is_executable || sym->st_value % 4)
        return false;
    struct codeobj_function *more = array_grow(g->list, &g->cap, g->count + 1ull, sizeof *more);
    g->failed |= !more;
    if (!more)
        return true;
    u32 head = v2 && sym->st_size > CODEOBJ_CODE_BYTES ? CODEOBJ_CODE_BYTES : 0;
    g->list = more;
    g->list[g->count++] = (struct codeobj_function){ .name = name,
                                                     .vaddr = sym->st_value + head,
                                                     .size = sym->st_size - head,
                                                     .is_kernel = type != STT_FUNC };
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* By address; functions before labels, then by name, so that the same ones stay. */
static int by_address(const void *a, const void *b)
{
    const struct codeobj_function *x = a, *y = b;
    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    if ((x->size != 0) != (y->size != 0))
        return x->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool has_descriptor(const struct gathered *g, const char *name)
{
    char kd[CODEOBJ_NAME_MAX + 4];
    const char *key = kd;
    struct text t;
    text_init(&t, kd, sizeof kd);
    text_add(&t, "%s.kd", name);
    return g->kernel_count &&
           bsearch(&key, g->kernels, g->kernel_count, sizeof *g->kernels, by_name) != NULL;
}

/* The end of the segment that holds an address. */
static u64 segment_end(const struct codeobj *co, u64 vaddr)
{
    const struct codeobj_segment *seg = NULL;
    codeobj_image_at(co, vaddr, 1, &seg);
    return seg ? seg->vaddr + seg->size : vaddr;
}

static void finish(struct gathered *g)
{
    u32 kept = 0;
    if (g->kernel_count)
        qsort(g->kernels, g->kernel_count, sizeof *g->kernels, by_name);
    if (g->count)
        qsort(g->list, g->count, sizeof *g->list, by_address);
    for (u32 i = 0; i < g->count; i++)
        if (!kept || g->list[kept - 1].vaddr != g->list[i].vaddr)
            g->list[kept++] = g->list[i];
    g->count = kept;
    for (u32 i = 0; i < kept; i++) {
        struct codeobj_function *f = &g->list[i];
        u64 end = segment_end(g->co, f->vaddr);
        u64 next = i + 1 < kept && g->list[i + 1].vaddr < end ? g->list[i + 1].vaddr : end;
        if (f->size == 0)
            f->size = next - f->vaddr;
        if (f->size > end - f->vaddr)
            f->size = end - f->vaddr;
        f->is_kernel |= has_descriptor(g, f->name);
    }
}

/* Executable segments in which no function begins. */
static enum status add_bare_segments(struct gathered *g, struct err *e)
{
    for (u32 i = 0; i < g->co->segment_count; i++) {
        const struct codeobj_segment *s = &g->co->segments[i];
        bool bare = s->is_executable && s->vaddr % 4 == 0 && s->size >= 4;
        for (u32 n = 0; n < g->count; n++)
            bare &= g->list[n].vaddr - s->vaddr >= s->size;
        if (!bare)
            continue;
        struct codeobj_function *more = array_grow(g->list, &g->cap, g->count + 1ull, sizeof *more);
        if (!more)
            return err_memory(e);
        g->list = more;
        g->list[g->count++] = (struct codeobj_function){ ".text", s->vaddr, s->size, true };
    }
    return ST_OK;
}

enum status codeobj_functions(const struct codeobj *co, struct codeobj_function **list, u32 *count,
                              struct err *e)
{
    struct gathered g = { .co = co };
    bool stopped = codeobj_each_symbol(co, gather, &g);
    enum status st = ST_OK;
    if (g.failed)
        st = err_memory(e);
    else if (stopped)
        st = err_set(e, ST_INPUT, "has more than %d functions", FUNCTIONS_MAX);
    if (st == ST_OK)
        st = add_bare_segments(&g, e);
    if (st == ST_OK)
        finish(&g);
    free(g.kernels);
    if (st != ST_OK) {
        free(g.list);
        g = (struct gathered){ 0 };
    }
    *list = g.list;
    *count = g.count;
    return st;
}
