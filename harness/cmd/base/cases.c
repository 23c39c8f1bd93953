/* The cases that a command line names. */
#include "harness/cmd/base/cmd.h"
#include "harness/io/beside.h"
#include "harness/run/run.h"

#include <stdlib.h>
#include <sys/stat.h>

static const char here[] = "cases";

/* Whether path is a folder that can be read: what it is goes to *about. */
static bool is_folder(const char *path, struct stat *about)
{
    return stat(path, about) == 0 && S_ISDIR(about->st_mode);
}

bool cmd_own_cases(char path[CMD_CASES_PATH])
{
    static const char *const places[] = { "../share/gcncheck/cases", "../cases" };
    struct stat own, current;
    bool is_here = is_folder(here, &current);
    for (u32 i = 0; i < COUNT_OF(places); i++) {
        char raw[CMD_CASES_PATH - 1]; /* realpath wants PATH_MAX bytes, and makes none longer */
        if (!beside_path(places[i], raw, sizeof raw) || !is_folder(raw, &own) ||
            !realpath(raw, path))
            continue;
        /* Names of files are shorter, and the same on every machine, if they need not begin at the root. */
        if (is_here && own.st_dev == current.st_dev && own.st_ino == current.st_ino)
            strcpy(path, here);
        return true;
    }
    strcpy(path, here);
    return is_here;
}

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
    char own[CMD_CASES_PATH];
    enum status st = ST_OK;
    if (!o->arg_count)
        st = cmd_own_cases(own) ? casefile_find(own, &paths, e)
                                : err_set(e, ST_INPUT,
                                          "no file is named, and gcncheck's own cases are not "
                                          "there: gcncheck run --help");
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = casefile_find(o->arg[i], &paths, e);
    casefile_sort(&paths);
    if (st == ST_OK)
        st = run_add_paths(r, &paths, e);
    case_paths_free(&paths);
    return st;
}
