/* The cases that a command line names. */
#include "harness/cmd/base/cmd.h"
#include "harness/run/run.h"

void cmd_choose_cases(const struct opts *o, struct run_cfg *cfg)
{
    cfg->mcpu = o->mcpu;
    cfg->form = o->form;
    cfg->only = o->only;
    cfg->fraction = o->fraction;
    cfg->fraction_of = o->fraction_of;
    cfg->shard = o->shard;
    cfg->shards = o->shards;
}

enum status cmd_add_cases(const struct opts *o, struct run *r, struct err *e)
{
    struct case_paths paths = { 0 };
    enum status st = o->arg_count ? ST_OK : casefile_find("cases", &paths, e);
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = casefile_find(o->arg[i], &paths, e);
    casefile_sort(&paths);
    if (st == ST_OK)
        st = run_add_paths(r, &paths, e);
    case_paths_free(&paths);
    return st;
}
