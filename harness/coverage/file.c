/* Files of coverage. Lines:
 *
 *   gcncheck coverage 1 MCPU
 *   counted STREAMS INSTRUCTIONS WATCHED
 *   MNEMONIC FORM HASH DRAWN PAIRS    one for each opcode in a form that was drawn
 *   end LINES CHECKSUM
 *
 * FORM is as in reports; in files of earlier versions "base" is "e32". PAIRS are hex digits, a bit for each legal pair of levels in order; HASH is that of what they
 * mean, so that counts of another description are not taken for these. */
#include "harness/coverage/coverage.h"

#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "reports/file/checksum.h"
#include "reports/file/output.h"

#include <inttypes.h>
#include <stdlib.h>

static const char magic[] = "gcncheck coverage 1 ";

enum status coverage_open_model(struct cover_model *m, const struct isa *isa, struct err *e)
{
    u8 forms[OPS_MAX] = { 0 };
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        forms[op] = (u8)gen_forms(isa, op);
    return cover_open(m, isa, forms, e);
}

const char *coverage_form(const struct isa *isa, const struct cover_kind *k)
{
    return isa_form_name((enum gen)isa->target->gen, &isa_rows[k->op], (enum isa_form)k->form);
}

static bool is_form(const struct cover_model *m, const struct cover_kind *k, const char *name)
{
    return strcmp(coverage_form(m->isa, k), name) == 0 ||
           strcmp(isa_form_names[k->form], name) == 0;
}

/* ---- bits ---- */

/* Walks the legal pairs of a kind in order, four to a digit. */
struct pairs {
    const struct cover_model *m;
    const struct cover_kind *k;
    u32 a, b; /* the next one, or behind it */
};

static bool next_pair(struct pairs *p)
{
    for (; p->a < p->k->levels; p->a++, p->b = p->a)
        for (; p->b < p->k->levels; p->b++)
            if (cover_is_pair(p->m, p->k, p->a, p->b))
                return true;
    return false;
}

static u32 digits_of(const struct cover_kind *k)
{
    return (k->pairs + 3) / 4;
}

static void put_pairs(const struct cover_seen *s, const struct cover_kind *k, char *to)
{
    struct pairs p = { .m = s->model, .k = k };
    for (u32 i = 0; i < digits_of(k); i++) {
        u32 digit = 0;
        for (u32 bit = 0; bit < 4 && next_pair(&p); bit++, p.b++)
            digit |= (u32)cover_has_pair(s, k, p.a, p.b) << bit;
        to[i] = "0123456789abcdef"[digit];
    }
    to[digits_of(k)] = '\0';
}

static bool take_pairs(struct cover_seen *s, const struct cover_kind *k, const char *from)
{
    struct pairs p = { .m = s->model, .k = k };
    if (strlen(from) != digits_of(k))
        return false;
    for (u32 i = 0; from[i]; i++) {
        static const char hex[] = "0123456789abcdef";
        const char *at = strchr(hex, from[i]);
        if (!at)
            return false;
        for (u32 bit = 0; bit < 4; bit++, p.b++) {
            bool has = next_pair(&p), is_set = (u32)(at - hex) >> bit & 1;
            if (is_set && !has)
                return false;
            if (is_set)
                cover_see_pair(s, k, p.a, p.b);
        }
    }
    return true;
}

/* ---- writing ---- */

/* A file under way: what was written is counted for its end. */
struct writing {
    FILE *file;
    struct checksum table;
    u32 sum;
    u64 lines;
};

static void put_line(struct writing *w, const char *line)
{
    /* Each line's checksum with that of those before it: the file's is that of its last line. */
    u8 mixed[8];
    u64 both = w->sum | (u64)checksum_of(&w->table, line, strlen(line)) << 32;
    for (u32 i = 0; i < sizeof mixed; i++)
        mixed[i] = (u8)(both >> 8 * i);
    w->sum = checksum_of(&w->table, mixed, sizeof mixed);
    w->lines++;
    if (w->file)
        fprintf(w->file, "%s\n", line);
}

static const char *is_not_ours(const void *ctx, const u8 *head, size_t size)
{
    (void)ctx;
    return size >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0
               ? NULL
               : "is no file of coverage";
}

enum { LINE_BYTES = 1 << 14 };

static void put_all(struct writing *w, const struct cover_seen *s, char *line)
{
    const struct cover_model *m = s->model;
    snprintf(line, LINE_BYTES, "%s%s", magic, m->isa->target->mcpu);
    put_line(w, line);
    snprintf(line, LINE_BYTES, "counted %" PRIu64 " %" PRIu64 " %" PRIu64, s->streams, s->insns,
             s->watched);
    put_line(w, line);
    for (u32 i = 0; i < m->kind_count; i++) {
        const struct cover_kind *k = &m->kind[i];
        if (!s->drawn[i])
            continue;
        int n =
            snprintf(line, LINE_BYTES, "%s %s %016" PRIx64 " %" PRIu64 " ", isa_rows[k->op].name,
                     coverage_form(m->isa, k), cover_kind_hash(m, k), s->drawn[i]);
        if (n < 0 || (u32)n + digits_of(k) >= LINE_BYTES)
            BUG(isa_rows[k->op].name);
        put_pairs(s, k, line + n);
        put_line(w, line);
    }
    fprintf(w->file, "end %" PRIu64 " %08x\n", w->lines, w->sum);
}

enum status coverage_write(const struct cover_seen *s, const char *path, bool force, struct err *e)
{
    const struct output_rule rule = { .judge = is_not_ours, .force = force };
    struct writing w = { .file = NULL };
    struct output *out;
    char *line = malloc(LINE_BYTES);
    if (!line)
        return err_memory(e);
    enum status st = output_open(&out, path, &rule, e);
    if (st == ST_OK) {
        w.file = output_stream(out);
        checksum_init(&w.table);
        put_all(&w, s, line);
        st = output_commit(out, e);
    }
    free(line);
    return st;
}

enum status coverage_check(const char *path, struct err *e)
{
    const struct output_rule rule = { .force = true };
    return output_check(path, &rule, e);
}

/* ---- reading ---- */

struct reading {
    struct cover_seen *s;
    struct writing so_far; /* without a file: to compare the end with */
    u64 drawn;
    bool has_end;
};

/* One blank-separated word; its end is cut off. NULL if there is none. */
static char *next_word(char **at)
{
    char *word = *at;
    size_t len = strcspn(word, " ");
    if (!len)
        return NULL;
    *at = word + len + (word[len] != 0);
    word[len] = '\0';
    return word;
}

static bool read_number(char **at, int base, u64 *value)
{
    char *word = next_word(at), *end;
    if (!word || strspn(word, "0123456789abcdef") != strlen(word) || strlen(word) > 20)
        return false;
    *value = strtoull(word, &end, base);
    return *end == '\0';
}

static enum status read_kind(struct reading *r, char *line, struct err *e)
{
    const struct cover_model *m = r->s->model;
    char *name = next_word(&line), *form = name ? next_word(&line) : NULL;
    const struct cover_kind *k = NULL;
    u64 hash, drawn;
    if (!form || !read_number(&line, 16, &hash) || !read_number(&line, 10, &drawn))
        return err_set(e, ST_INPUT, "not a line of coverage");
    for (u32 i = 0; i < m->kind_count && !k; i++)
        if (strcmp(isa_rows[m->kind[i].op].name, name) == 0 && is_form(m, &m->kind[i], form))
            k = &m->kind[i];
    if (!k)
        return err_set(e, ST_INPUT, "%.40s %.10s is not drawn on %s", name, form,
                       m->isa->target->mcpu);
    if (hash != cover_kind_hash(m, k))
        return err_set(e, ST_INPUT,
                       "%.40s %.10s was counted by another version, which told other cases apart",
                       name, form);
    if (!take_pairs(r->s, k, line))
        return err_set(e, ST_INPUT, "the pairs of %.40s %.10s are damaged", name, form);
    r->s->drawn[k - m->kind] += drawn;
    return ST_OK;
}

static enum status read_end(struct reading *r, char *line, struct err *e)
{
    u64 lines, sum;
    r->has_end = true;
    if (!read_number(&line, 10, &lines) || !read_number(&line, 16, &sum) || *line ||
        lines != r->so_far.lines || sum != r->so_far.sum)
        return err_set(e, ST_INPUT, "damaged: its lines are not those that were written");
    return ST_OK;
}

static enum status read_line(struct reading *r, char *line, struct err *e)
{
    u64 lines = r->so_far.lines, streams, insns, watched;
    if (r->has_end)
        return err_set(e, ST_INPUT, "there is more behind its end");
    if (strncmp(line, "end ", 4) == 0)
        return read_end(r, line + 4, e);
    put_line(&r->so_far, line);
    if (lines == 0 && strncmp(line, magic, sizeof magic - 1) != 0)
        return err_set(e, ST_INPUT, "is no file of coverage");
    if (lines == 0 && strcmp(line + sizeof magic - 1, r->s->model->isa->target->mcpu) != 0)
        return err_set(e, ST_INPUT, "is of %.20s, not of %s", line + sizeof magic - 1,
                       r->s->model->isa->target->mcpu);
    if (lines == 0)
        return ST_OK;
    if (lines > 1)
        return read_kind(r, line, e);
    char *at = line + strcspn(line, " ") + 1;
    if (strncmp(line, "counted ", 8) != 0 || !read_number(&at, 10, &streams) ||
        !read_number(&at, 10, &insns) || !read_number(&at, 10, &watched))
        return err_set(e, ST_INPUT, "says nothing of how much was counted");
    r->s->streams += streams;
    r->s->insns += insns;
    r->s->watched += watched;
    return ST_OK;
}

enum status coverage_read(struct cover_seen *s, const char *path, struct err *e)
{
    struct reading r = { .s = s };
    struct lines l = { .file = NULL };
    const char *text;
    checksum_init(&r.so_far.table);
    enum status st = lines_open(&l, path, e);
    if (st != ST_OK)
        return st;
    while (st == ST_OK && (text = lines_next(&l))) {
        char *line = strdup(text);
        st = line ? read_line(&r, line, e) : err_memory(e);
        free(line);
    }
    if (st == ST_OK)
        st = lines_status(&l, e);
    if (st == ST_OK && !r.has_end)
        st = err_set(e, ST_INPUT, r.so_far.lines ? "is cut short" : "is empty");
    if (st == ST_INPUT && !e->file[0])
        file_error(e, path, (int)l.number);
    lines_close(&l);
    return st;
}
