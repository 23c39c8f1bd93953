#include "harness/vgpu/under.h"

#include "harness/coverage/coverage.h"
#include "harness/io/beside.h"
#include "harness/vgpu/linked.h"
#include "harness/vgpu/vgpu.h"
#include "oracle/doubt/doubt.h"
#include "reports/file/output.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool vgpu_under_library(const char *name, char *path)
{
    static const char *const folders[] = { "", "../lib/gcncheck/" };
    char library[80];
    for (u32 i = 0; i < COUNT_OF(folders); i++) {
        snprintf(library, sizeof library, "%s%.50s.so", folders[i], name);
        if (beside_path(library, path, VGPU_PATH) && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static enum status check_chip(const char *chip, struct err *e)
{
    char names[160];
    struct text t;
    if (vgpu_chip_find(chip))
        return ST_OK;
    text_init(&t, names, sizeof names);
    vgpu_chip_names(&t);
    return err_set(e, ST_INPUT, "no virtual GPU is called '%.40s'; there are %s", chip, names);
}

enum status vgpu_under_parse(const char *text, char *buf, size_t size, struct vgpu_under *u,
                             struct err *e)
{
    static const char mutant[] = "mutant=", doubt[] = "doubt=", fault[] = "fault=";
    struct text t;
    text_init(&t, buf, size);
    text_add(&t, "%s", text);
    *u = (struct vgpu_under){ .chip = buf };
    char *comma = strchr(buf, ',');
    if (comma) {
        *comma = '\0';
        if (strncmp(comma + 1, mutant, sizeof mutant - 1) == 0)
            u->mutant = comma + sizeof mutant;
        else if (strncmp(comma + 1, doubt, sizeof doubt - 1) == 0)
            u->doubt = comma + sizeof doubt;
        else if (strncmp(comma + 1, fault, sizeof fault - 1) == 0)
            u->fault = comma + sizeof fault;
    }
    if (t.full || (comma && !u->mutant && !u->doubt && !u->fault))
        return err_set(
            e, ST_INPUT,
            "'%.60s': after the chip only ',mutant=ID', ',doubt=ID' or ',fault=FAULT' may follow",
            text);
    u64 readings;
    enum status st = check_chip(u->chip, e);
    return st == ST_OK && u->doubt ? doubt_parse(u->doubt, &readings, e) : st;
}

/* The same text, where NULL is like none. */
static bool is_same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool vgpu_under_is(const struct vgpu_under *u)
{
    const char *chip = getenv("GCNCHECK_VGPU");
    return chip && vgpu_chip_find(chip) == vgpu_chip_find(u->chip) &&
           is_same(getenv("GCNCHECK_VGPU_MUTANT"), u->mutant) &&
           is_same(getenv("GCNCHECK_VGPU_DOUBT"), u->doubt) &&
           (!u->fault || is_same(getenv("GCNCHECK_VGPU_FAULT"), u->fault));
}

bool vgpu_under_needs_seccomp(const struct vgpu_under *u, const char *program, struct text *why)
{
    if (u->front) {
        text_add(why, "as --front says");
        return strcmp(u->front, "seccomp") == 0;
    }
    enum linked how = linked_how(program, why);
    return how == LINKED_STATIC || how == LINKED_BLIND;
}

/* Whether coverage can be added to the file: later there is nobody who could be told. */
static enum status check_coverage(const struct vgpu_under *u, struct err *e)
{
    struct coverage_adder *a;
    if (strcmp(u->coverage, "-") == 0)
        return err_set(e, ST_INPUT, "--coverage -: it is read and written: name a file");
    enum status st = coverage_adder_open(&a, u->coverage, vgpu_chip_find(u->chip)->mcpu, e);
    return st == ST_OK ? coverage_adder_close(a, e) : st;
}

/* `path` from the root on, into buf of VGPU_PATH bytes, if it is not so; NULL if it is too long. */
static const char *absolute(const char *path, char *buf)
{
    char here[VGPU_PATH];
    struct text t;
    if (path[0] == '/')
        return path;
    text_init(&t, buf, VGPU_PATH);
    text_add(&t, "%s/%s", getcwd(here, sizeof here) ? here : "", path);
    return t.full ? NULL : buf;
}

/* What both front ends need. */
static enum status check(const struct vgpu_under *u, char *library, struct err *e)
{
    const char *name = u->mutant ? "gcncheck-vgpu-mutants" : "gcncheck-vgpu";
    struct vgpu_faults faults;
    enum status st = check_chip(u->chip, e);
    if (st == ST_OK && u->fault)
        st = vgpu_fault_parse(u->fault, &faults, e);
    if (st == ST_OK && u->log && strcmp(u->log, "-") != 0)
        st = output_check_log(u->log, e); /* later there is nobody who could be told */
    if (st == ST_OK && u->coverage)
        st = check_coverage(u, e);
    if (st != ST_OK || vgpu_under_library(name, library))
        return st;
    return err_set(e, ST_WORLD, "%s.so is not beside gcncheck: %s", name,
                   u->mutant ? "`make mutants` puts it there"
                             : "it was built without libdrm (Debian: libdrm-dev)");
}

enum status vgpu_under_serve(const struct vgpu_under *u, const char *program, char *const *argv,
                             int *code, struct err *e)
{
    char path[VGPU_PATH];
    enum status (*serve)(const struct vgpu_under *, const char *, char *const *, int *,
                         struct err *);
    enum status st = check(u, path, e);
    if (st != ST_OK)
        return st;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "gcncheck_vgpu_serve") : NULL;
    if (!symbol)
        return err_set(e, ST_WORLD, "%.240s", dlerror());
    memcpy(&serve, &symbol, sizeof serve);
    return serve(u, program, argv, code, e);
}

enum status vgpu_under_exec(const struct vgpu_under *u, const char *program, char *const *argv,
                            struct err *e)
{
    char path[VGPU_PATH], preload[2 * VGPU_PATH];
    const char *others = getenv("LD_PRELOAD");
    struct text t;
    enum status st = check(u, path, e);
    if (st != ST_OK)
        return st;
    text_init(&t, preload, sizeof preload);
    /* The sanitizers' library must come first, if somebody has it there. */
    text_add(&t, "%s%s%s", others ? others : "", others && others[0] ? ":" : "", path);
    if (t.full || setenv("LD_PRELOAD", preload, 1) != 0 || setenv("GCNCHECK_VGPU", u->chip, 1) != 0)
        return err_memory(e);
    /* The program may go to another folder before it opens the device. */
    const char *log = u->log && realpath(u->log, path) ? path : u->log;
    const char *coverage = u->coverage ? absolute(u->coverage, preload) : NULL;
    if ((u->coverage && (!coverage || setenv("GCNCHECK_VGPU_COVERAGE", coverage, 1) != 0)) ||
        (log && setenv("GCNCHECK_VGPU_LOG", log, 1) != 0) ||
        setenv("GCNCHECK_VGPU_MUTANT", u->mutant ? u->mutant : "", 1) != 0 ||
        setenv("GCNCHECK_VGPU_DOUBT", u->doubt ? u->doubt : "", 1) != 0 ||
        (u->fault && setenv("GCNCHECK_VGPU_FAULT", u->fault, 1) != 0) ||
        (u->trace && setenv("GCNCHECK_VGPU_TRACE", "1", 1) != 0) ||
        (u->stats && setenv("GCNCHECK_VGPU_STATS", "1", 1) != 0))
        return err_memory(e);
    execvp(program, argv);
    return err_set(e, ST_INPUT, "%.120s: %s", program, strerror(errno));
}
