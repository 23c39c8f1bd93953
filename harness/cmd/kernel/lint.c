/* gcncheck lint: missing wait states and uses of results that are not waited for. */
#include "harness/lint/lint.h"
#include "harness/bundle/bundle.h"
#include "harness/cmd/base/cmd.h"
#include "harness/codeobj/check.h"
#include "harness/io/file.h"

#include <inttypes.h>

enum { TITLE_SIZE = 4600, BASE = 1 << 30 /* far from 0, the address of what is not defined */ };

/* What is done with one code object after the other. dis_file.c has a struct that begins alike:
 * two commands, which open a processor under different conditions. */
struct lint_work {
    const struct opts *o;
    const struct bundle *b;
    struct isa isa;
    const char *isa_mcpu; /* the processor that isa is open for; NULL: none */
    struct lint_counts n;
    u32 done;
    const char *other; /* a processor without rules, for which there is code; NULL: none */
};

/* Opens the instructions of a processor; false if there are no rules for it. */
static bool open_isa(struct lint_work *w, const struct codeobj_target *t)
{
    struct err unknown = { .text = "" };
    if (w->isa_mcpu && strcmp(w->isa_mcpu, t->cpu->plain) == 0)
        return true;
    w->isa_mcpu = NULL;
    if (isa_open(&w->isa, t->cpu->plain, &unknown) != ST_OK || !isa_target_modelled(w->isa.target))
        return false;
    w->isa_mcpu = t->cpu->plain;
    return true;
}

static enum status do_part(struct lint_work *w, const struct bundle_part *p, struct err *e)
{
    char title[TITLE_SIZE];
    struct codeobj co;
    struct text t;
    text_init(&t, title, sizeof title);
    text_add(&t, "%s", w->b->file);
    if (p->id[0])
        text_add(&t, "[%u] %s", p->bundle, p->id);
    struct codeobj_target target;
    struct lint_cfg cfg = { .out = stdout, .title = title, .symbol = w->o->symbol };
    enum status st = codeobj_target_of(p->bytes, p->size, &target, e);
    if (st != ST_OK || !codeobj_target_is_listed(&target, w->o->mcpu_is_given ? w->o->mcpu : NULL))
        return st;
    if (!open_isa(w, &target)) {
        w->other = target.cpu->name;
        return ST_OK;
    }
    st = codeobj_open_code(&co, title, p->bytes, p->size, BASE, e);
    if (st == ST_OK) {
        w->done++;
        st = lint_object(&co, &w->isa, &cfg, &w->n, e);
        codeobj_close(&co);
    }
    return st;
}

static void print_summary(const char *file, const struct lint_counts *n)
{
    fprintf(stderr, "%s: %" PRIu64 " function%s, %" PRIu64 " instruction%s: %" PRIu64 " finding%s",
            file, n->functions, n->functions == 1 ? "" : "s", n->instructions,
            n->instructions == 1 ? "" : "s", n->findings, n->findings == 1 ? "" : "s");
    if (n->unknown)
        fprintf(stderr, "; %" PRIu64 " jump%s or call%s could not be followed", n->unknown,
                n->unknown == 1 ? "" : "s", n->unknown == 1 ? "" : "s");
    fprintf(stderr, "\n");
}

static int conclude(const struct lint_work *w)
{
    const struct opts *o = w->o;
    const char *file = w->b->file;
    if (w->done == 0 && w->other)
        return cmd_error(o, EXIT_USAGE, "%s: is for %s: there are rules only for gfx6 to gfx9",
                         file, w->other);
    if (w->done == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no code object for %s", file,
                         o->mcpu_is_given ? o->mcpu : "gfx9");
    if (o->symbol && w->n.functions == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no function '%.100s'", file, o->symbol);
    if (!o->quiet)
        print_summary(file, &w->n);
    return w->n.findings ? EXIT_DIFFERENCES : EXIT_CLEAN;
}

int cmd_lint(struct opts *o)
{
    struct bundle b;
    struct err e = { .text = "" };
    struct lint_work w = { .o = o, .b = &b };
    const char *path = o->arg_count ? o->arg[0] : "-";
    enum status st = bundle_open(&b, path, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    for (u32 i = 0; st == ST_OK && i < b.part_count; i++)
        st = do_part(&w, &b.parts[i], &e);
    if (st != ST_OK && !e.file[0])
        file_error(&e, path, 0);
    int code = st == ST_OK ? conclude(&w) : cmd_fail(o, st, &e);
    bundle_close(&b);
    return code;
}
