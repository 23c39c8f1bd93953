#include "harness/cmd/kernel/dis_file.h"

#include "harness/bundle/bundle.h"
#include "harness/cmd/base/cmd.h"
#include "harness/codeobj/check.h"
#include "harness/dis/desc.h"
#include "harness/dis/meta.h"
#include "harness/dis/object.h"
#include "harness/io/file.h"
#include "reports/file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

enum { OUT_BUFFER = 1 << 20, TITLE_SIZE = 4600 };

enum status dis_file_is_binary(const char *path, bool *is_binary, struct err *e)
{
    u8 magic[BUNDLE_MAGIC_SIZE];
    if (strcmp(path, "-") != 0) {
        int fd = input_open(path, e);
        ssize_t got = fd < 0 ? -1 : read(fd, magic, sizeof magic);
        enum status st = fd < 0    ? ST_INPUT
                         : got < 0 ? err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno))
                                   : ST_OK;
        if (fd >= 0)
            close(fd);
        *is_binary = got == (ssize_t)sizeof magic && bundle_is_binary(magic);
        return st;
    }
    size_t n = 0;
    for (int c; n < sizeof magic && (c = getc(stdin)) != EOF;)
        magic[n++] = (u8)c;
    *is_binary = n == sizeof magic && bundle_is_binary(magic);
    /* glibc takes back as many bytes as were read; at the end of the file there is no more to
     * come. */
    while (n)
        ungetc(magic[--n], stdin);
    return ST_OK;
}

/* What is done with one code object after the other. */
struct dis_work {
    const struct opts *o;
    const struct bundle *b;
    struct isa isa;
    const char *isa_mcpu; /* the processor that isa is open for; NULL: none */
    struct dis_cfg cfg;
    struct dis_counts n;
    u64 kernels; /* whose descriptors were printed */
    u32 done;
    u32 skipped;
    char seen[200]; /* what the file has that was not asked for */
};

static void remember(struct dis_work *w, const struct codeobj_target *t)
{
    char id[TARGET_ID_SIZE];
    size_t len = strlen(w->seen);
    if (strstr(w->seen, codeobj_target_id(t, id)))
        return;
    struct text seen;
    text_init(&seen, w->seen + len, sizeof w->seen - len);
    text_add(&seen, "%s%s", len ? ", " : "", id);
}

static void put_title(const struct dis_work *w, const struct bundle_part *p, char title[TITLE_SIZE])
{
    struct text t;
    text_init(&t, title, TITLE_SIZE);
    text_add(&t, "%s", w->b->file);
    if (p->id[0])
        text_add(&t, " [%u] %s", p->bundle, p->id);
}

/* Lists the code, if the processor's instructions are described. */
static enum status do_code(struct dis_work *w, const struct bundle_part *p,
                           const struct codeobj_target *t, const char *title, struct err *e)
{
    struct err unknown = { .text = "" };
    if (!w->isa_mcpu || strcmp(w->isa_mcpu, t->cpu->plain) != 0) {
        w->isa_mcpu = NULL;
        if (isa_open(&w->isa, t->cpu->plain, &unknown) != ST_OK) {
            if (w->o->mcpu_is_given)
                return err_set(e, ST_INPUT, "%.200s", unknown.text);
            printf("\n%s:\tskipped: the instructions of %s are not described\n", title,
                   t->cpu->name);
            w->skipped++;
            return ST_OK;
        }
        w->isa_mcpu = t->cpu->plain;
    }
    w->done++;
    return dis_object(stdout, title, p->bytes, p->size, &w->isa, &w->cfg, &w->n, e);
}

/* Prints what the file says of itself and its kernels, which is known for more processors. */
static enum status do_description(struct dis_work *w, const struct bundle_part *p,
                                  const struct codeobj_target *t, const char *title, struct err *e)
{
    enum status st = ST_OK;
    printf("\n%s:\n", title);
    w->done++;
    if (w->o->metadata)
        st = dis_metadata(stdout, p->bytes, p->size, t, e);
    if (st == ST_OK && w->o->descriptor)
        st = dis_descriptors(stdout, p->bytes, p->size, t, w->o->symbol, &w->kernels, e);
    return st;
}

static enum status do_part(struct dis_work *w, const struct bundle_part *p, struct err *e)
{
    char title[TITLE_SIZE];
    struct codeobj_target t;
    struct err inner = { .text = "" };
    put_title(w, p, title);
    enum status st = codeobj_target_of(p->bytes, p->size, &t, &inner);
    if (st == ST_OK && !codeobj_target_is_listed(&t, w->o->mcpu_is_given ? w->o->mcpu : NULL)) {
        remember(w, &t);
        return ST_OK;
    }
    if (st == ST_OK && (w->o->descriptor || w->o->metadata))
        st = do_description(w, p, &t, title, &inner);
    else if (st == ST_OK)
        st = do_code(w, p, &t, title, &inner);
    if (st != ST_OK && p->id[0])
        return err_set(e, st, "[%u] %.60s: %.180s", p->bundle, p->id, inner.text);
    return st == ST_OK ? st : err_set(e, st, "%s", inner.text);
}

/* What the result means once all parts were looked at. */
static int conclude(struct dis_work *w)
{
    const struct opts *o = w->o;
    if (w->done == 0 && w->skipped == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no code object for %.60s%s%s", w->b->file,
                         o->mcpu_is_given ? o->mcpu : "any GPU", w->seen[0] ? ", only for " : "",
                         w->seen);
    if (w->done == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no code object for a processor that is described",
                         w->b->file);
    if (o->descriptor && w->kernels == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no kernel descriptor%s%.100s", w->b->file,
                         o->symbol ? " of " : "", o->symbol ? o->symbol : "");
    if (o->descriptor || o->metadata)
        return EXIT_CLEAN;
    if (o->symbol && w->n.symbols == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no code behind a symbol '%.100s'", w->b->file,
                         o->symbol);
    if (!o->check)
        return EXIT_CLEAN;
    printf("%u code objects, %" PRIu64 " symbols, %" PRIu64 " instructions, %" PRIu64
           " other dwords: %" PRIu64 " lines assemble to other bits\n",
           w->done, w->n.symbols, w->n.instructions, w->n.words, w->n.different);
    return w->n.different ? EXIT_DIFFERENCES : EXIT_CLEAN;
}

int dis_file(struct opts *o, const char *path)
{
    static char buffer[OUT_BUFFER];
    struct bundle b;
    struct err e = { .text = "" };
    struct dis_work w = { .o = o, .b = &b, .cfg = { .symbol = o->symbol, .check = o->check } };
    enum status st = bundle_open(&b, path, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (u32 i = 0; st == ST_OK && i < b.part_count; i++)
        st = do_part(&w, &b.parts[i], &e);
    if (st != ST_OK)
        file_error(&e, path, 0);
    int code = st == ST_OK ? conclude(&w) : cmd_fail(o, st, &e);
    bundle_close(&b);
    return code;
}
