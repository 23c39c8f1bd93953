#include "harness/bundle/pick.h"

#include "harness/bundle/bundle.h"
#include "harness/codeobj/check.h"
#include "harness/io/file.h"
#include "oracle/isa/isa.h"

#include <ctype.h>
#include <stdlib.h>

/* --- names --- */

/* One <source-name>: digits, then as many characters. NULL if there is none at `at`. */
static const char *source_name(const char *at, size_t *size)
{
    size_t n = 0;
    if (!isdigit((unsigned char)*at))
        return NULL;
    while (isdigit((unsigned char)*at) && n < CODEOBJ_NAME_MAX)
        n = n * 10 + (size_t)(*at++ - '0');
    *size = n;
    return strnlen(at, n) == n ? at : NULL;
}

bool pick_is_mangled(const char *mangled, const char *plain)
{
    static const char anonymous[] = "_GLOBAL__N_";
    if (strncmp(mangled, "_Z", 2) != 0)
        return false;
    const char *at = mangled + 2, *name;
    bool is_nested = *at == 'N', is_first = true;
    size_t size;
    at += is_nested;
    at += *at == 'L';
    while ((name = source_name(at, &size))) {
        at = name + size;
        bool is_hidden = is_nested && strncmp(name, anonymous, sizeof anonymous - 1) == 0;
        if (!is_hidden) {
            if (!is_first && strncmp(plain, "::", 2) != 0)
                return false;
            plain += is_first ? 0 : 2;
            if (strncmp(plain, name, size) != 0)
                return false;
            plain += size;
            is_first = false;
        }
        if (!is_nested)
            break;
    }
    return !is_first && !*plain;
}

/* The name of the symbol of kernel `name`; `name` itself if the file does not say. */
static const char *full_name(const struct codeobj *co, const char *name, char buf[CODEOBJ_NAME_MAX])
{
    const char *found = NULL;
    for (u32 i = 0; name && i < co->kernel_count; i++) {
        const char *symbol = co->kernels[i].symbol;
        size_t len = strlen(symbol);
        if (len < 3 || len - 3 >= CODEOBJ_NAME_MAX)
            continue;
        if (strncmp(symbol, name, len - 3) == 0 && !name[len - 3])
            return name;
        if (!pick_is_mangled(symbol, name) && strcmp(co->kernels[i].name, name) != 0)
            continue;
        if (found)
            return name;
        found = symbol;
    }
    if (!found)
        return name;
    memcpy(buf, found, strlen(found) - 3);
    buf[strlen(found) - 3] = '\0';
    return buf;
}

/* --- targets --- */

/* The setting of a feature in a target id: '+', '-', or 0 if it is left open. */
static char feature(const char *id, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = strchr(id, ':'); p; p = strchr(p + 1, ':'))
        if (strncmp(p + 1, name, len) == 0 && (p[1 + len] == '+' || p[1 + len] == '-'))
            return p[1 + len];
    return 0;
}

/* Code for gfx9-generic runs on these; the model executes it as one of them. */
static bool runs_generic(const struct codeobj_cpu *cpu, const char *mcpu)
{
    const struct isa_target *target = isa_target_find(mcpu);
    return cpu->features & CPU_GFX9_GENERIC && target &&
           isa_target_has(target, FEATUREBIT_GFX9_GENERIC);
}

/* Whether code for *t runs on the processor or target id `mcpu`. */
static bool fits(const struct codeobj_target *t, const char *mcpu)
{
    static const char *const features[] = { "xnack", "sramecc" };
    char id[TARGET_ID_SIZE], name[TARGET_ID_SIZE];
    size_t size = strcspn(mcpu, ":");
    if (!mcpu[0] || size >= sizeof name)
        return false;
    memcpy(name, mcpu, size);
    name[size] = '\0';
    if (codeobj_cpu_by_name(name) != t->cpu && !runs_generic(t->cpu, mcpu))
        return false;
    codeobj_target_id(t, id);
    for (size_t i = 0; i < COUNT_OF(features); i++) {
        char have = feature(id, features[i]), want = feature(mcpu, features[i]);
        if (have && want && have != want)
            return false;
    }
    return true;
}

/* --- parts --- */

/* What is asked for, and what is known while the parts of a file are looked at. */
struct search {
    const char *mcpu;
    const char *const *kernel; /* the first has to be there */
    u32 count;
    u64 base;
    const struct codeobj_cpu *cpu; /* of the part before; NULL: none yet */
    char targets[160];             /* all target ids of the file */
    bool has_several;              /* processors */
    u32 fit;                       /* parts that fit */
};

static enum status read_target(const struct bundle_part *p, struct codeobj_target *t, struct err *e)
{
    static const u8 bitcode[] = { 'B', 'C', 0xc0, 0xde };
    if (p->size >= sizeof bitcode && memcmp(p->bytes, bitcode, sizeof bitcode) == 0)
        return err_set(e, ST_INPUT, "%.80s is LLVM bitcode (clang -fgpu-rdc): link it first",
                       p->id);
    struct err inner = { .text = "" };
    enum status st = codeobj_target_of(p->bytes, p->size, t, &inner);
    if (st != ST_OK)
        err_set(e, st, "%.80s%s%.180s", p->id, p->id[0] ? ": " : "", inner.text);
    return st;
}

static void note_target(struct search *s, const struct codeobj_target *t)
{
    char id[TARGET_ID_SIZE];
    struct text list;
    size_t len = strlen(s->targets);
    s->has_several |= s->cpu && s->cpu != t->cpu;
    s->cpu = t->cpu;
    if (strstr(s->targets, codeobj_target_id(t, id)))
        return;
    text_init(&list, s->targets + len, sizeof s->targets - len);
    text_add(&list, "%s%s", len ? ", " : "", id);
}

enum status pick_kernel_in(const struct codeobj *co, const char *kernel, struct codeobj_kernel *out,
                           struct err *e)
{
    char name[CODEOBJ_NAME_MAX];
    return codeobj_kernel(co, full_name(co, kernel, name), out, e);
}

/* Opens one part and finds the kernel in it. *lacks: the part is sound, but does not have the
 * kernel. */
static enum status try_part(const struct search *s, const struct bundle *b,
                            const struct bundle_part *p, struct codeobj *co,
                            struct codeobj_kernel *out, bool *lacks, struct err *e)
{
    *lacks = false;
    enum status st = codeobj_open_memory(co, b->file, p->bytes, p->size, s->base, e);
    if (st != ST_OK)
        return st;
    st = pick_kernel_in(co, s->kernel[0], out, e);
    *lacks = st != ST_OK && !out->meta;
    for (u32 i = 1; st == ST_OK && i < s->count; i++) {
        struct codeobj_kernel other;
        st = pick_kernel_in(co, s->kernel[i], &other, e);
        *lacks = st != ST_OK && !other.meta;
    }
    if (st != ST_OK)
        codeobj_close(co);
    return st;
}

static enum status no_part(const struct search *s, const struct bundle *b, struct err *e)
{
    if (b->part_count == 0)
        return err_set(e, ST_INPUT, "has no code object for a GPU");
    if (b->part_count == 1)
        return err_set(e, ST_INPUT, "is for %s, not for %.40s (--mcpu)", s->targets, s->mcpu);
    return err_set(e, ST_INPUT, "has code for %s, none for %.40s (--mcpu)", s->targets, s->mcpu);
}

static enum status read_targets(struct search *s, const struct bundle *b, struct err *e)
{
    for (u32 i = 0; i < b->part_count; i++) {
        struct codeobj_target t;
        enum status st = read_target(&b->parts[i], &t, e);
        if (st != ST_OK)
            return st;
        note_target(s, &t);
    }
    if (!s->mcpu && s->has_several)
        return err_set(e, ST_INPUT, "has code for %s: name one of them (--mcpu)", s->targets);
    return ST_OK;
}

/* The first part that fits and has the kernels. */
static enum status try_parts(struct search *s, const struct bundle *b, struct codeobj *co,
                             struct codeobj_kernel *out, struct err *e)
{
    bool lacks = true;
    enum status st = ST_OK;
    s->fit = 0;
    for (u32 i = 0; lacks && i < b->part_count; i++) {
        struct codeobj_target t;
        st = read_target(&b->parts[i], &t, e);
        if (st == ST_WORLD)
            return st;
        if (st != ST_OK || (s->mcpu && !fits(&t, s->mcpu)))
            continue;
        s->fit++;
        st = try_part(s, b, &b->parts[i], co, out, &lacks, e);
    }
    if (!s->fit)
        return no_part(s, b, e);
    if (lacks && s->fit > 1)
        return err_set(e, ST_INPUT, "has no kernel '%.100s' in any of the %u code objects for %s",
                       s->kernel[0], s->fit, s->mcpu ? s->mcpu : s->targets);
    return st;
}

enum status pick_kernels(struct codeobj *co, const char *path, const char *mcpu,
                         const char *const *kernel, u32 count, u64 base, struct codeobj_kernel *out,
                         struct err *e)
{
    struct bundle b;
    struct search s = { .mcpu = mcpu, .kernel = kernel, .count = count, .base = base };
    *co = (struct codeobj){ .base = base };
    enum status st = bundle_open(&b, path, e);
    if (st != ST_OK)
        return st;
    st = read_targets(&s, &b, e);
    if (st == ST_OK)
        st = try_parts(&s, &b, co, out, e);
    if (st == ST_INPUT && s.fit && s.count > 1) {
        s.count = 1;
        st = try_parts(&s, &b, co, out, e);
    }
    if (st != ST_OK)
        file_error(e, path, 0);
    bundle_close(&b);
    return st;
}
