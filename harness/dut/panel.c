#include "harness/dut/panel.h"

#include <stdlib.h>

/* A job as a member gets it: what the device writes is its own. */
struct copy {
    struct gcncheck_job job;
    u8 *bytes; /* owned */
    size_t cap;
};

struct panel {
    struct dut dut;
    u32 members;
    struct dut *member[PANEL_MAX];
    struct gcncheck_job *first; /* the jobs of the last run: the first member's */
    u32 cap;
    struct copy *copy[PANEL_MAX]; /* [cap] of each but the first */
};

/* ---- copies ---- */

static size_t round_up(size_t size)
{
    return (size + 7) / 8 * 8;
}

static enum status copy_job(struct copy *c, const struct gcncheck_job *from, struct err *e)
{
    size_t outs = round_up(dut_slots_dw(from->get, from->get_count) * sizeof(u32));
    size_t windows = round_up(from->window_count * sizeof *from->windows);
    size_t need = outs + windows + from->lds_size + 8;
    for (u32 i = 0; i < from->window_count; i++)
        need += round_up(from->windows[i].size);
    if (need > c->cap) {
        free(c->bytes);
        c->bytes = malloc(2 * need);
        c->cap = c->bytes ? 2 * need : 0;
    }
    if (!c->bytes)
        return err_memory(e);
    u8 *at = c->bytes;
    c->job = *from;
    c->job.windows = (struct gcncheck_window *)(void *)at;
    at += windows;
    c->job.out = memset(at, 0, outs);
    at += outs;
    for (u32 i = 0; i < from->window_count; i++) {
        const struct gcncheck_window *w = &from->windows[i];
        c->job.windows[i] = *w;
        c->job.windows[i].bytes = memcpy(at, w->bytes, w->size);
        at += round_up(w->size);
    }
    if (from->lds_size)
        c->job.lds = memcpy(at, from->lds, from->lds_size);
    return ST_OK;
}

static enum status grow(struct panel *p, u32 count, struct err *e)
{
    if (count <= p->cap)
        return ST_OK;
    for (u32 m = 1; m < p->members; m++) {
        struct copy *grown = realloc(p->copy[m], count * sizeof *grown);
        if (!grown)
            return err_memory(e);
        memset(grown + p->cap, 0, (count - p->cap) * sizeof *grown);
        p->copy[m] = grown;
    }
    p->cap = count;
    return ST_OK;
}

/* ---- a device ---- */

/* A member that is given its jobs in an array has them in a row. */
static enum status run_member(struct panel *p, u32 m, u32 count, struct err *e)
{
    struct gcncheck_job *row = malloc(count * sizeof *row);
    if (!row)
        return err_memory(e);
    for (u32 i = 0; i < count; i++)
        row[i] = p->copy[m][i].job;
    enum status st = dut_run(p->member[m], row, count, e);
    for (u32 i = 0; i < count; i++)
        p->copy[m][i].job = row[i];
    free(row);
    return st;
}

static enum status run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    struct panel *p = (struct panel *)(void *)d;
    struct err later = { .text = "" };
    enum status st = grow(p, count, e);
    p->first = jobs;
    for (u32 m = 1; m < p->members && st == ST_OK; m++)
        for (u32 i = 0; i < count && st == ST_OK; i++)
            st = copy_job(&p->copy[m][i], &jobs[i], e);
    if (st != ST_OK)
        return st;
    for (u32 m = 0; m < p->members; m++) { /* one that is lost leaves the others their say */
        enum status one =
            m ? run_member(p, m, count, &later) : dut_run(p->member[0], jobs, count, &later);
        if (one != ST_OK && st == ST_OK)
            *e = later;
        st = st == ST_OK ? one : st;
    }
    return st;
}

static void close_panel(struct dut *d)
{
    struct panel *p = (struct panel *)(void *)d;
    for (u32 m = 0; m < p->members; m++) {
        for (u32 i = 0; p->copy[m] && i < p->cap; i++)
            free(p->copy[m][i].bytes);
        free(p->copy[m]);
        dut_close(p->member[m]);
    }
    free(p);
}

static const struct dut_ops panel_ops = { .run = run, .close = close_panel };

u32 panel_members(const struct dut *d)
{
    return d->ops == &panel_ops ? ((const struct panel *)(const void *)d)->members : 0;
}

const struct dut *panel_member(const struct dut *d, u32 member)
{
    return ((const struct panel *)(const void *)d)->member[member];
}

const struct gcncheck_job *panel_answer(const struct dut *d, u32 member, u32 job)
{
    const struct panel *p = (const struct panel *)(const void *)d;
    return member ? &p->copy[member][job].job : &p->first[job];
}

/* Takes over what a member can do, and what it cannot. */
static enum status join(struct dut *d, const struct dut *with, bool is_first, struct err *e)
{
    struct text name, version;
    text_init(&name, d->name + strlen(d->name), sizeof d->name - strlen(d->name));
    text_init(&version, d->version + strlen(d->version), sizeof d->version - strlen(d->version));
    text_add(&name, "%s%s", is_first ? "" : " + ", with->name);
    text_add(&version, "%s%s", is_first ? "" : " + ", with->version[0] ? with->version : "?");
    for (u32 i = 0; i < CLASS_COUNT; i++)
        d->can[i] = is_first ? with->can[i] : d->can[i] & with->can[i];
    if (d->has_fixed_mode && with->has_fixed_mode && d->fixed_mode != with->fixed_mode)
        return err_set(e, ST_INPUT, "%.60s knows MODE 0x%x alone, and a device before it 0x%x",
                       with->name, with->fixed_mode, d->fixed_mode);
    if (with->has_fixed_mode) {
        d->has_fixed_mode = true;
        d->fixed_mode = with->fixed_mode;
    }
    return ST_OK;
}

enum status panel_open(const char *const *specs, u32 count, const struct dut_cfg *cfg,
                       struct dut **out, struct err *e)
{
    struct panel *p = calloc(1, sizeof *p);
    if (!p)
        return err_memory(e);
    p->dut.ops = &panel_ops;
    enum status st = ST_OK;
    for (u32 m = 0; m < count && st == ST_OK; m++) {
        st = dut_open(specs[m], cfg, &p->member[m], e);
        p->members += st == ST_OK;
        if (st == ST_OK)
            st = join(&p->dut, p->member[m], m == 0, e);
    }
    if (st != ST_OK) {
        close_panel(&p->dut);
        return st;
    }
    *out = &p->dut;
    return ST_OK;
}
