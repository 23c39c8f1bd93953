#include "harness/coverage/coverage.h"
#include "harness/io/file.h"

#include <stdlib.h>
#include <unistd.h>

struct coverage_adder {
    char *path;
    struct isa isa;
    struct cover_model model;
    struct cover_seen seen;
    bool has_model; /* model and seen are open */
    bool is_short;  /* of memory */
};

static void drop(struct coverage_adder *a)
{
    if (a->has_model) {
        cover_seen_close(&a->seen);
        cover_close(&a->model);
    }
    free(a->path);
    free(a);
}

static enum status open_model(struct coverage_adder *a, struct err *e)
{
    if (a->has_model)
        return ST_OK;
    a->has_model = true;
    enum status st = coverage_open_model(&a->model, &a->isa, e);
    return st == ST_OK ? cover_seen_open(&a->seen, &a->model, e) : st;
}

static bool is_there(const struct coverage_adder *a)
{
    return access(a->path, F_OK) == 0;
}

enum status coverage_adder_open(struct coverage_adder **adder, const char *path, const char *mcpu,
                                struct err *e)
{
    struct coverage_adder *a = calloc(1, sizeof *a);
    *adder = NULL;
    if (!a || !(a->path = strdup(path))) {
        free(a);
        return err_memory(e);
    }
    enum status st = isa_open(&a->isa, mcpu, e);
    if (st == ST_OK)
        st = coverage_check(path, e);
    if (st == ST_OK && is_there(a)) { /* later there is nobody who could be told */
        st = open_model(a, e);
        if (st == ST_OK)
            st = coverage_read(&a->seen, path, e);
        if (st == ST_OK)
            cover_seen_clear(&a->seen);
    }
    if (st == ST_OK)
        *adder = a;
    else
        drop(a);
    return st;
}

enum status coverage_adder_count(struct coverage_adder *a, const struct machine *m, struct err *e)
{
    if (a->is_short)
        return ST_OK;
    enum status st = open_model(a, e);
    if (st != ST_OK) {
        a->is_short = true;
        return st;
    }
    a->seen.streams++;
    for (u32 i = 0; i < m->code_dw; i++)
        if (m->ready[i])
            cover_insn(&a->seen, &m->prepared[i].insn);
    return ST_OK;
}

/* Holds the file's folder, as the file itself is another one after each writing. */
static int hold(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? file_hold_dir(folder) : -1;
    free(folder);
    return fd;
}

enum status coverage_adder_close(struct coverage_adder *a, struct err *e)
{
    enum status st = ST_OK;
    if (a->has_model && a->seen.streams && !a->is_short) {
        int held = hold(a->path);
        if (is_there(a))
            st = coverage_read(&a->seen, a->path, e);
        if (st == ST_OK)
            st = coverage_write(&a->seen, a->path, false, e);
        if (held >= 0)
            close(held);
    }
    drop(a);
    return st;
}
