#include "harness/launch/file/kernel_list.h"

#include "harness/codeobj/check.h"

enum { TITLE_SIZE = 4600 };

/* Messages name the file, and in a bundle the part. */
static void put_title(const struct bundle *b, const struct bundle_part *p, char title[TITLE_SIZE])
{
    struct text t;
    text_init(&t, title, TITLE_SIZE);
    text_add(&t, "%s", b->file);
    if (p->id[0])
        text_add(&t, "[%u] %s", p->bundle, p->id);
}

/* What the descriptor and the metadata both say must be the same. */
static enum status check_agreement(const struct codeobj_kernel *k, struct err *e)
{
    const struct kernel_meta *m = k->meta;
    const struct kernel_desc *d = &k->desc;
    const struct {
        const char *what;
        u32 meta, desc;
    } sizes[] = {
        { "group segment", m->group_size, d->group_segment_fixed_size },
        { "private segment", m->private_size, d->private_segment_fixed_size },
        { "kernarg segment", m->kernarg_size, d->kernarg_size ? d->kernarg_size : m->kernarg_size },
    };
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (sizes[i].meta != sizes[i].desc)
            return err_set(e, ST_INPUT, "%s: %u bytes in the metadata, %u in the descriptor",
                           sizes[i].what, sizes[i].meta, sizes[i].desc);
    return ST_OK;
}

static void list_kernel(FILE *out, const struct codeobj *co, const struct kernel_meta *m,
                        struct kernel_list_counts *n)
{
    char name[CODEOBJ_NAME_MAX];
    struct codeobj_kernel k;
    struct err e = { .text = "" };
    u32 hidden = 0;
    size_t len = strlen(m->symbol);
    bool has_name = len > 3 && len - 3 < sizeof name && strcmp(m->symbol + len - 2, "kd") == 0;
    enum status st = has_name ? ST_OK : err_set(&e, ST_INPUT, "is not the symbol of a descriptor");
    if (has_name) {
        memcpy(name, m->symbol, len - 3); /* without ".kd" or "@kd" */
        name[len - 3] = '\0';
        st = codeobj_kernel(co, name, &k, &e);
    }
    if (st == ST_OK)
        st = check_agreement(&k, &e);
    if (st != ST_OK) {
        fprintf(out, "bad: %s: %s\n", m->symbol, e.text);
        n->bad++;
        return;
    }
    for (u32 i = 0; i < m->arg_count; i++)
        hidden += codeobj_arg_is_hidden(m->args[i].kind);
    n->kernels++;
    fprintf(out, "%7u %4u %6u %6u %7u %5u %5u %5u  %s\n", m->kernarg_size, m->arg_count - hidden,
            hidden, m->group_size, m->private_size, k.desc.vgprs, k.desc.sgprs,
            m->max_workgroup_size, name);
}

enum status kernel_list(FILE *out, const struct bundle *b, const char *mcpus,
                        struct kernel_list_counts *n, struct err *e)
{
    char title[TITLE_SIZE];
    *n = (struct kernel_list_counts){ 0 };
    for (u32 i = 0; i < b->part_count; i++) {
        const struct bundle_part *p = &b->parts[i];
        struct codeobj_target t;
        struct codeobj co;
        struct err inner = { .text = "" };
        put_title(b, p, title);
        enum status st = codeobj_target_of(p->bytes, p->size, &t, &inner);
        if (st == ST_OK && !codeobj_target_is_listed(&t, mcpus))
            continue;
        if (st == ST_OK && !mcpus && t.cpu->gen > CPU_GFX9) {
            fprintf(out, "%s: skipped: kernels for %s cannot be launched\n", title, t.cpu->name);
            continue;
        }
        n->objects++;
        if (st == ST_OK)
            st = codeobj_open_memory(&co, title, p->bytes, p->size, 0, &inner);
        if (st == ST_WORLD)
            return err_set(e, st, "%s", inner.text);
        if (st != ST_OK) {
            fprintf(out, "bad: %s: %s\n", title, inner.text);
            n->bad++;
            continue;
        }
        fprintf(out, "%s: %u kernel%s\n%7s %4s %6s %6s %7s %5s %5s %5s  %s\n", title,
                co.kernel_count, co.kernel_count == 1 ? "" : "s", "kernarg", "args", "hidden",
                "group", "private", "vgprs", "sgprs", "items", "name");
        for (u32 k = 0; k < co.kernel_count; k++)
            list_kernel(out, &co, &co.kernels[k], n);
        codeobj_close(&co);
    }
    return ST_OK;
}
