/* What nobody set: a kernel that runs twice, once with zeroes and once with other bytes in
 * registers, LDS, scratch and buffers before it sets them, must do the same. */
#include "harness/io/spread.h"
#include "harness/io/stop.h"
#include "harness/launch/internal.h"

#include <stdlib.h>

/* --- copies --- */

/* A launch and a code object that can be run without changing the ones they were copied from. */
struct copy {
    struct launch l;
    struct codeobj co;
};

/* With check_memory nobody writes to these. */
static bool is_shared(const struct launch_arg *a)
{
    return a->kind == LARG_BUF && !a->symbol;
}

/* What two runs that come to the same hold alike. */
static bool is_compared(const struct launch_arg *a)
{
    return (launch_arg_is_buffer(a) || a->symbol) && a->kind != LARG_TMP && !is_shared(a);
}

static void copy_close(struct copy *c)
{
    for (u32 i = 0; c->l.args && i < c->l.arg_count; i++)
        if (!is_shared(&c->l.args[i]))
            free(c->l.args[i].bytes);
    free(c->l.args);
    free(c->co.image);
}

static u8 *copy_bytes(const u8 *from, u64 size)
{
    u8 *to = malloc(size + 1);
    spread_prefer_large(to, size);
    if (to && size)
        memcpy(to, from, size);
    return to;
}

/* `whole`: with what is compared; else copy_complete has to follow. */
static enum status copy_open(struct copy *c, const struct codeobj *co, const struct launch *l,
                             bool whole, struct err *e)
{
    *c = (struct copy){ .l = *l, .co = *co };
    c->co.image = copy_bytes(co->image, co->image_size);
    c->l.args = calloc(l->arg_count + 1ull, sizeof *l->args);
    bool ok = c->co.image && c->l.args;
    for (u32 i = 0; c->l.args && i < l->arg_count; i++) {
        c->l.args[i] = l->args[i];
        if (is_shared(&l->args[i]))
            continue;
        c->l.args[i].bytes = NULL;
        if (l->args[i].bytes && (whole || !is_compared(&l->args[i])))
            ok &= (c->l.args[i].bytes = copy_bytes(l->args[i].bytes, l->args[i].size)) != NULL;
    }
    return ok ? ST_OK : err_memory(e);
}

static enum status copy_complete(struct copy *c, const struct copy *from, struct err *e)
{
    bool ok = true;
    for (u32 i = 0; i < c->l.arg_count; i++) {
        const struct launch_arg *a = &from->l.args[i];
        if (is_compared(a) && a->bytes)
            ok &= (c->l.args[i].bytes = copy_bytes(a->bytes, a->size)) != NULL;
    }
    return ok ? ST_OK : err_memory(e);
}

/* Whether two runs came to the same, but for buffers that nobody looks at. */
static bool are_same(const struct launch_result *r, const struct launch *l,
                     const struct launch_result *with, const struct launch *poisoned)
{
    if (r->has_ended != with->has_ended || r->instructions != with->instructions)
        return false;
    for (u32 i = 0; i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        if (is_compared(a) && memcmp(a->bytes, poisoned->args[i].bytes, a->size) != 0)
            return false;
    }
    return true;
}

/* --- the check --- */

static void poison_buffers(struct launch *l)
{
    for (u32 i = 0; i < l->arg_count; i++)
        if (l->args[i].kind == LARG_TMP)
            memset(l->args[i].bytes, POISON_BYTE, l->args[i].size);
}

/* The run of a script in which nobody set what is poisoned. */
struct check {
    struct copy poisoned;
    bool is_open, has_found; /* what came out otherwise: from there on nothing can be said */
};

enum status check_open(struct check **out, struct err *e)
{
    *out = calloc(1, sizeof **out);
    return *out ? ST_OK : err_memory(e);
}

void check_close(struct check *c)
{
    if (c)
        copy_close(&c->poisoned);
    free(c);
}

/* Both in lockstep, from copies `a` and `b` of what they began with. */
static enum status find_use(struct copy *a, struct copy *b, const struct codeobj_kernel *k,
                            const struct launch_cfg *cfg, const struct launch_cfg *quiet,
                            struct launch_result *r, struct err *e)
{
    struct dispatch *plain = NULL, *other = NULL;
    struct launch_result unused = { 0 };
    pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
    enum status st = dispatch_open(&plain, &a->co, k, &a->l, quiet, e);
    if (st == ST_OK)
        st = dispatch_open(&other, &b->co, k, &b->l, quiet, e);
    if (st == ST_OK) {
        other->poisons = true;
        plain->lockstep = lockstep_open(other, &shared);
        st = plain->lockstep ? launch_run_groups(plain, &unused, e) : err_memory(e);
    }
    if (st == ST_OK && lockstep_has_found(plain->lockstep)) {
        r->unset = 1;
        lockstep_print(plain->lockstep, cfg->out);
    }
    if (plain)
        lockstep_close(plain->lockstep);
    dispatch_close(plain);
    dispatch_close(other);
    return st;
}

/* The second run's copies become what they would be behind one that comes to the same. */
static void follow(struct check *c, const struct codeobj *co, const struct launch *l)
{
    for (u32 i = 0; i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        if (is_compared(a) && a->size)
            memcpy(c->poisoned.l.args[i].bytes, a->bytes, a->size);
    }
    memcpy(c->poisoned.co.image, co->image, co->image_size);
}

/* The run with what nobody set poisoned; if it comes to something else, both again in lockstep. They
 * begin with what the poisoned copies hold, and with `first` where buffers that nobody set differ from
 * the first run's. */
static enum status run_poisoned(struct check *c, struct copy *first, struct copy *second,
                                const struct codeobj_kernel *k, const struct launch *l,
                                const struct launch_cfg *cfg, struct launch_cfg *quiet,
                                struct launch_result *r, struct err *e)
{
    struct launch_result with;
    enum status st = dispatch_run_once(&c->poisoned.co, k, &c->poisoned.l, quiet, true, &with, e);
    if (st == ST_OK && !are_same(r, l, &with, &c->poisoned.l)) {
        quiet->delay = false;
        c->has_found = true;
        st = copy_complete(second, first, e);
        if (st == ST_OK)
            st = find_use(first, second, k, cfg, quiet, r, e);
    }
    return st;
}

/* Whether the first run may turn out to be enough. */
static bool has_unset_buffers(const struct launch *l)
{
    bool has = false;
    for (u32 i = 0; i < l->arg_count; i++)
        has |= l->args[i].kind == LARG_TMP;
    return has;
}

/* One kernel in both runs, which come to the same or are run again in lockstep; in one, if it uses
 * nothing that nobody set. Without buffers that nobody set the poisoned copies are those that the first
 * run began with. */
static enum status run_both(struct check *c, const struct codeobj *co,
                            const struct codeobj_kernel *k, struct launch *l,
                            const struct launch_cfg *cfg, struct launch_cfg *quiet,
                            struct launch_result *r, struct err *e)
{
    struct copy first = { 0 }, second = { 0 };
    bool early = has_unset_buffers(l);
    enum status st = early ? copy_open(&first, co, l, true, e) : ST_OK;
    if (st == ST_OK)
        st = dispatch_run_once(co, k, l, cfg, false, r, e);
    bool checks = st == ST_OK && !r->at_break;
    if (checks && r->uses_set) {
        follow(c, co, l);
    } else if (checks) {
        if (!early)
            st = copy_open(&first, &c->poisoned.co, &c->poisoned.l, true, e);
        if (st == ST_OK)
            st = copy_open(&second, &c->poisoned.co, &c->poisoned.l, false, e);
        if (st == ST_OK)
            st = run_poisoned(c, &first, &second, k, l, cfg, quiet, r, e);
    }
    if (checks && stop_requested() && !r->unset) {
        r->has_ended = false;
        snprintf(r->why, sizeof r->why, "%s, before --check-memory had come to an end",
                 stop_text());
    }
    copy_close(&first);
    copy_close(&second);
    return st;
}

enum status check_run(struct check *c, const struct codeobj *co, const struct codeobj_kernel *k,
                      struct launch *l, const struct launch_cfg *cfg, struct launch_result *r,
                      struct err *e)
{
    struct launch_cfg quiet = *cfg;
    enum status st = ST_OK;
    if (c->has_found)
        return dispatch_run_once(co, k, l, cfg, false, r, e);
    if (!c->is_open) {
        st = copy_open(&c->poisoned, co, l, true, e);
        if (st == ST_OK)
            poison_buffers(&c->poisoned.l);
        c->poisoned.l.has_addresses = false; /* they have been poisoned, too */
    }
    c->is_open = true;
    FILE *nowhere = fopen("/dev/null", "w");
    if (st == ST_OK && !nowhere)
        st = err_set(e, ST_WORLD, "no /dev/null");
    quiet.out = nowhere;
    quiet.trace = quiet.check_hazards = quiet.check_races = quiet.registers = false;
    quiet.break_at = NULL;
    if (st == ST_OK) {
        c->poisoned.l.now = l->now;
        c->poisoned.l.part = l->part;
        st = run_both(c, co, k, l, cfg, &quiet, r, e);
        c->poisoned.l.has_addresses = true;
    }
    if (nowhere)
        fclose(nowhere);
    return st;
}
