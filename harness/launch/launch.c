/* A launch: constructors first, then the kernel, checked if that is asked for. */
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

enum status launch_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                       const struct launch_cfg *cfg, struct launch_result *r, struct err *e)
{
    struct codeobj_kernel init;
    struct launch once = { .file = l->file, .grid = { 1, 1, 1 }, .workgroup = { 1, 1, 1 } };
    struct launch_cfg quiet = *cfg;
    quiet.trace = false;
    quiet.break_at = NULL;
    quiet.debug = NULL;
    if (has_kernel(co, init_kernel) && strcmp(k->meta->name, init_kernel) != 0) {
        enum status st = codeobj_kernel(co, init_kernel, &init, e);
        if (st == ST_OK)
            st = dispatch_run_once(co, &init, &once, &quiet, false, r, e);
        if (st != ST_OK || !r->has_ended)
            return st;
    }
    return cfg->check_memory ? check_run(co, k, l, cfg, r, e)
                             : dispatch_run_once(co, k, l, cfg, false, r, e);
}
