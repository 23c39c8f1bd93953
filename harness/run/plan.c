/* From files to units: which forms and rows are run, in which order, under which ids. */
#include "harness/run/plan.h"

#include "harness/case/only.h"
#include "oracle/base/array.h"
#include "oracle/base/hash.h"

#include <stdio.h>
#include <stdlib.h>

/* Grows an array of `element` bytes each; NULL if memory is short. The new element is zeroed,
 * *count raised. */
static void *more(void *array, u32 *count, u32 *cap, size_t element)
{
    void **a = array;
    if (*count == *cap) {
        void *p = array_grow(*a, cap, *count + 1ull, element);
        if (!p)
            return NULL;
        *a = p;
    }
    void *to = (char *)*a + (*count)++ * element;
    memset(to, 0, element);
    return to;
}

enum status run_open(struct run **out, const struct run_cfg *cfg, struct err *e)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r)
        return err_memory(e);
    r->cfg = *cfg;
    enum status st = isa_open_modelled(&r->isa, cfg->mcpu, e);
    if (st == ST_OK)
        isa_use_row_names(&r->isa);
    if (st == ST_OK && !(r->scratch = malloc(sizeof *r->scratch)))
        st = err_memory(e);
    if (st != ST_OK) {
        run_close(r);
        return st;
    }
    *out = r;
    return ST_OK;
}

static void free_program(struct run_program *p)
{
    free(p->code);
    free(p->insn);
    free(p->offset);
    free(p);
}

void run_close(struct run *r)
{
    if (!r)
        return;
    for (u32 i = 0; i < r->files; i++)
        casefile_free(r->file[i]);
    for (u32 i = 0; i < r->programs; i++)
        free_program(r->program[i]);
    free(r->file);
    free(r->file_key);
    free(r->slot);
    free(r->program);
    free(r->unit);
    free(r->scratch);
    free(r->skipped);
    free(r);
}

u64 run_count(const struct run *r)
{
    return r->results;
}

u64 run_offered(const struct run *r)
{
    return r->offered;
}

bool run_is_whole(const struct run *r)
{
    return r->cfg.shards <= 1 && r->cfg.fraction == r->cfg.fraction_of && !r->has_lines;
}

/* ---- ids ---- */

const char *run_form(const struct run_unit *u)
{
    return u->program ? u->program->form : u->elsewhere ? "base" : "text";
}

void run_folder(const struct isa *isa, const struct casefile *f, char *buf, size_t size)
{
    isa_op op = isa_find(isa, f->stem, strlen(f->stem));
    struct text t;
    text_init(&t, buf, size);
    for (const char *c = op == OP_NONE ? f->dir : isa_encs[isa_rows[op].enc].name; *c; c++)
        text_add(&t, "%c", *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    if (!t.len)
        text_add(&t, "-");
}

void run_id(const struct run_unit *u, u32 index, char *buf, size_t size)
{
    const struct casefile *f = u->file;
    char folder[64];
    struct text t;
    text_init(&t, buf, size);
    run_folder(u->isa, f, folder, sizeof folder);
    text_add(&t, "%s/%s/%s/%s#%s", u->isa->target->mcpu, folder, f->stem, run_form(u),
             u->test->slug);
    if (u->program)
        text_add(&t, ".%u", u->first + index + 1);
}

/* ---- programs ---- */

static void *copy_of(const void *from, size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (p && bytes)
        memcpy(p, from, bytes);
    return p;
}

static enum status add_program(struct run *r, const struct casefile *f, const struct case_test *t,
                               u32 form, const struct run_program **out, struct err *e)
{
    struct case_program *c = r->scratch;
    enum status st = casefile_program(&r->isa, f, t, form, c, e);
    if (st != ST_OK)
        return st;
    struct run_program *p = calloc(1, sizeof *p);
    struct run_program **slot =
        p ? more(&r->program, &r->programs, &r->programs_cap, sizeof p) : NULL;
    if (!slot) {
        free(p);
        return err_memory(e);
    }
    *slot = p;
    *p = (struct run_program){
        .isa = &r->isa, .dw = c->dw, .insns = c->insns, .focus = c->focus, .form = c->form
    };
    p->code = copy_of(c->code, c->dw * sizeof *p->code);
    p->insn = copy_of(c->insn, c->insns * sizeof *p->insn);
    p->offset = copy_of(c->offset, c->insns * sizeof *p->offset);
    if (!p->code || !p->insn || !p->offset)
        return err_memory(e);
    for (u32 i = 0; i < p->insns; i++) {
        judge_add_insn(&p->writes, &p->insn[i], DIR_W);
        judge_add_insn(&p->touches, &p->insn[i], DIR_R | DIR_W);
    }
    *out = p;
    return ST_OK;
}

/* ---- units ---- */

static bool is_selected(struct run *r, struct run_unit *u)
{
    char id[256];
    const struct run_cfg *c = &r->cfg;
    if (c->form && strcmp(c->form, run_form(u)) != 0)
        return false;
    r->offered += u->shown;
    run_id(u, 0, id, sizeof id);
    u->key = hash_mix(hash_text(id), 0);
    return (c->fraction_of <= 1 || hash_mix(u->key, 1) % c->fraction_of < c->fraction) &&
           (c->shards <= 1 || hash_mix(u->key, 2) % c->shards == c->shard);
}

static enum status add_unit(struct run *r, struct run_unit u, struct err *e)
{
    if (!is_selected(r, &u))
        return ST_OK;
    struct run_unit *to = more(&r->unit, &r->units, &r->units_cap, sizeof *to);
    if (!to)
        return err_memory(e);
    *to = u;
    r->results += u.shown;
    return ST_OK;
}

/* The rows or cases [*from, *to) that stand at a line; all if line is 0 or the line belongs to the
 * whole test. */
static void rows_at(const struct case_test *t, int line, u32 *from, u32 *to)
{
    *from = 0;
    *to = t->rows_line ? t->rows : t->items;
    for (u32 i = 0; line && i < t->rows; i++) {
        if (t->row[i].line == line) {
            *from = i;
            *to = i + 1;
        }
    }
    for (u32 i = 0; line && i < t->items; i++) {
        bool behind = i + 1 == t->items || t->item[i + 1].line > line;
        if (t->items > 1 && t->item[i].line <= line && behind) {
            *from = i;
            *to = i + 1;
        }
    }
}

/* A test in one form, as units. */
static enum status add_form(struct run *r, const struct casefile *f, const struct case_test *t,
                            u32 form, int line, struct err *e)
{
    struct run_unit u = {
        .file = f, .test = t, .isa = &r->isa, .form = form, .count = 1, .shown = 1
    };
    u.elsewhere = !casefile_is_for(&r->isa, t);
    if (t->shape == CASE_REJECT || u.elsewhere)
        return add_unit(r, u, e);
    enum status st = add_program(r, f, t, form, &u.program, e);
    u32 from, to;
    if (st == ST_INPUT && casefile_may_be_refused(&r->isa, t)) {
        *e = (struct err){ .file = "" };
        u.elsewhere = true;
        return add_unit(r, u, e);
    }
    rows_at(t, line, &from, &to);
    if (t->shape != CASE_LANES) {
        for (u32 i = from; st == ST_OK && i < to; i++) {
            u.first = i;
            st = add_unit(r, u, e);
        }
        return st;
    }
    for (u32 i = 0; st == ST_OK && i < t->rows; i += LANES) {
        u.first = i;
        u.count = t->rows - i < LANES ? t->rows - i : LANES;
        u32 first = from > i ? from : i, last = to < i + u.count ? to : i + u.count;
        if (first >= last)
            continue;
        u.show = first - i;
        u.shown = last - first;
        st = add_unit(r, u, e);
    }
    return st;
}

/* Cases of files that have these in common might have one id. */
static u64 file_key(const struct isa *isa, const struct casefile *f)
{
    char folder[64], name[160];
    run_folder(isa, f, folder, sizeof folder);
    snprintf(name, sizeof name, "%s/%s", folder, f->stem);
    return hash_mix(hash_text(name), 0);
}

static void take_slot(struct run *r, u32 index)
{
    u32 at = (u32)r->file_key[index] & (r->slots - 1);
    while (r->slot[at])
        at = (at + 1) & (r->slots - 1);
    r->slot[at] = index + 1;
}

/* The keys are as many as there is room for files. */
static enum status index_file(struct run *r, u32 index, struct err *e)
{
    if (r->slots < 2 * r->files_cap) {
        u64 *key = realloc(r->file_key, r->files_cap * sizeof *key);
        u32 *slot = key ? calloc(2ull * r->files_cap, sizeof *slot) : NULL;
        r->file_key = key ? key : r->file_key;
        if (!slot)
            return err_memory(e);
        free(r->slot);
        r->slot = slot;
        r->slots = 2 * r->files_cap;
        for (u32 i = 0; i < index; i++)
            take_slot(r, i);
    }
    r->file_key[index] = file_key(&r->isa, r->file[index]);
    take_slot(r, index);
    return ST_OK;
}

static enum status check_pair(const struct casefile *f, const struct casefile *g, struct err *e)
{
    for (u32 a = 0; a < f->tests; a++)
        for (u32 b = 0; b < g->tests; b++)
            if (strcmp(f->test[a].slug, g->test[b].slug) == 0) {
                snprintf(e->file, sizeof e->file, "%s", f->path);
                e->line = f->test[a].line;
                return err_set(e, ST_INPUT, "the same id as %.150s:%d", g->path, g->test[b].line);
            }
    return ST_OK;
}

/* Holds the last file against those before it. */
static enum status check_ids(struct run *r, struct err *e)
{
    u32 last = r->files - 1;
    const struct casefile *f = r->file[last];
    enum status st = index_file(r, last, e);
    u64 key = st == ST_OK ? r->file_key[last] : 0;
    for (u32 at = (u32)key & (r->slots - 1); st == ST_OK && r->slot[at];
         at = (at + 1) & (r->slots - 1)) {
        u32 i = r->slot[at] - 1;
        if (r->file_key[i] == key && strcmp(r->file[i]->path, f->path) != 0)
            st = check_pair(f, r->file[i], e);
    }
    return st;
}

enum status run_add(struct run *r, struct casefile *f, int line, struct err *e)
{
    struct casefile **slot = more(&r->file, &r->files, &r->files_cap, sizeof f);
    if (!slot) {
        casefile_free(f);
        return err_memory(e);
    }
    *slot = f;
    casefile_place_traps(f, &r->isa);
    enum status st = check_ids(r, e);
    bool found = line == 0;
    r->has_lines |= line != 0;
    if (st == ST_OK && line > f->lines) {
        snprintf(e->file, sizeof e->file, "%s", f->path);
        e->line = line;
        return err_set(e, ST_INPUT, "the file ends with line %d", f->lines);
    }
    if (r->cfg.only && !only_has(r->cfg.only, f->stem) && !only_has(r->cfg.only, f->dir))
        return st;
    for (u32 i = 0; st == ST_OK && i < f->tests; i++) {
        const struct case_test *t = &f->test[i];
        u32 next = i + 1 + (i + 1 < f->tests && f->test[i + 1].is_again);
        if (line && (line < t->line || (next < f->tests && line >= f->test[next].line)))
            continue;
        found = true;
        bool once = !t->forms || !casefile_is_for(&r->isa, t);
        if (once)
            st = add_form(r, f, t, FORM_COUNT, line, e);
        for (u32 form = 0; st == ST_OK && !once && form < FORM_COUNT; form++)
            if (t->forms >> form & 1)
                st = add_form(r, f, t, form, line, e);
    }
    if (st == ST_OK && !found) {
        snprintf(e->file, sizeof e->file, "%s", f->path);
        e->line = line;
        return err_set(e, ST_INPUT, "no test stands at this line");
    }
    return st;
}

/* Every name that --only lists must be able to select something. */
static enum status check_only(const struct run *r, struct err *e)
{
    struct only_name name;
    for (bool more = only_first(r->cfg.only, &name); more; more = only_next(&name)) {
        bool known = false;
        for (u32 i = 0; i < isa_op_count && !known; i++)
            known = only_is_op(&name, &r->isa, i);
        for (u32 i = 0; i < r->files && !known; i++)
            known = only_is(&name, r->file[i]->stem) || only_is(&name, r->file[i]->dir);
        if (!known) {
            *e = (struct err){ .file = "" };
            return err_set(e, ST_INPUT, "--only: no mnemonic, encoding, case file or folder '%.*s'",
                           (int)(name.len < 60 ? name.len : 60), name.text);
        }
    }
    return ST_OK;
}

enum status run_add_paths(struct run *r, const struct case_paths *paths, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < paths->count; i++) {
        struct casefile *f;
        st = casefile_load(paths->path[i].path, &f, e);
        if (st == ST_OK)
            st = run_add(r, f, paths->path[i].line, e);
    }
    return st == ST_OK ? check_only(r, e) : st;
}
