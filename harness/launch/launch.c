/* A launch: constructors first, then the kernels, checked if that is asked for. */
#include "harness/launch/internal.h"

/* The kernel that LLVM makes to call the constructors of global variables; whoever loads the code
 * runs it with one work-item. */
static const char init_kernel[] = "amdgcn.device.init";

static bool has_kernel(const struct codeobj *co, const char *name)
{
    for (u32 i = 0; i < co->kernel_count; i++)
        if (strcmp(co->kernels[i].name, name) == 0)
            return true;
    return false;
}

/* r->has_ended: there are none, or they have ended. */
static enum status run_constructors(const struct codeobj *co, const struct codeobj_kernel *k,
                                    const struct launch *l, const struct launch_cfg *cfg,
                                    struct launch_result *r, struct err *e)
{
    struct codeobj_kernel init;
    struct launch once = { .file = l->file,
                           .now = { .grid = { 1, 1, 1 }, .workgroup = { 1, 1, 1 } } };
    struct launch_cfg quiet = *cfg;
    quiet.trace = false;
    quiet.break_at = NULL;
    quiet.debug = NULL;
    quiet.turns = NULL;
    *r = (struct launch_result){ .has_ended = true };
    if (!has_kernel(co, init_kernel) || strcmp(k->meta->name, init_kernel) == 0)
        return ST_OK;
    enum status st = codeobj_kernel(co, init_kernel, &init, e);
    return st == ST_OK ? dispatch_run_once(co, &init, &once, &quiet, false, r, e) : st;
}

/* Whether every kernel can have its arguments; with it pointers get their addresses. */
static enum status check_arguments(const struct codeobj *co, const struct codeobj_kernel *k,
                                   struct launch *l, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < l->part_count; i++) {
        struct kernarg ka;
        launch_turn_to(l, i);
        st = kernarg_build(&k[i], l, isa_target_find(co->target.cpu->plain), &ka, e);
        if (st == ST_OK)
            kernarg_close(&ka);
    }
    l->has_addresses = st == ST_OK;
    return st;
}

/* The draws of each kernel are its own. */
static struct launch_cfg cfg_of_part(const struct launch_cfg *cfg, u32 part)
{
    struct launch_cfg of = *cfg;
    of.seed = part ? hash_mix(cfg->seed, part) : cfg->seed;
    if (cfg->turns && part != cfg->turns_part)
        of.turns = "0";
    of.weak_seed = part ? hash_mix(cfg->weak_seed, part) : cfg->weak_seed;
    of.ulp_seed = part && cfg->ulp_seed ? hash_mix(cfg->ulp_seed, part) | 1 : cfg->ulp_seed;
    return of;
}

enum status launch_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                       const struct launch_cfg *cfg, launch_after *after, void *ctx,
                       struct launch_result *r, struct err *e)
{
    struct check *check = NULL;
    bool is_exhaustive = strcmp(cfg->schedule, LAUNCH_EXHAUSTIVE) == 0;
    enum status st = l->part_count > 1 ? check_arguments(co, k, l, e) : ST_OK;
    if (st == ST_OK)
        st = run_constructors(co, k, l, cfg, r, e);
    if (st == ST_OK && cfg->check_memory)
        st = check_open(&check, e);
    for (u32 i = 0; st == ST_OK && r->has_ended && i < l->part_count; i++) {
        struct launch_cfg of = cfg_of_part(cfg, i);
        launch_turn_to(l, i);
        st = check           ? check_run(check, co, &k[i], l, &of, r, e)
             : is_exhaustive ? exhaust_run(co, &k[i], l, &of, r, e)
                             : dispatch_run_once(co, &k[i], l, &of, false, r, e);
        if (st == ST_OK && r->has_ended && after)
            after(ctx, l, r);
        if (is_exhaustive && r->wrong)
            break;
    }
    check_close(check);
    return st;
}
