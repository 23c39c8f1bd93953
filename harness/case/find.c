/* Which case file an opcode has, and which an argument of `gcncheck run` stands for. The order never
 * depends on the file system. */
#include "harness/case/casefile.h"

#include "oracle/base/array.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_BYTES = 1024, FOLDERS_MAX = 4096, PATHS_MAX = 100000 };

const char *casefile_of_row(const struct isa_row *row, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    for (const char *c = isa_encs[row->enc].name; *c; c++)
        text_add(&t, "%c", tolower((u8)*c));
    text_add(&t, "/%s.case", row->name);
    return buf;
}

static enum status add_path(struct case_paths *list, const char *path, int line, struct err *e)
{
    if (list->count == PATHS_MAX)
        return err_set(e, ST_INPUT, "more than %u files", PATHS_MAX);
    struct case_path *to = array_grow(list->path, &list->cap, list->count + 1ull, sizeof *to);
    if (!to)
        return err_memory(e);
    list->path = to;
    char *copy = strdup(path);
    if (!copy)
        return err_memory(e);
    list->path[list->count++] = (struct case_path){ copy, line };
    return ST_OK;
}

static bool has_suffix(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".case") == 0;
}

/* Files of one folder go to out, its folders to todo. */
static enum status read_folder(const char *path, struct case_paths *todo, struct case_paths *out,
                               struct err *e)
{
    DIR *d = opendir(path);
    struct dirent *entry;
    enum status st = ST_OK;
    if (!d)
        return err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno));
    while (st == ST_OK && (entry = readdir(d))) {
        char full[PATH_BYTES];
        struct stat about;
        if (entry->d_name[0] == '.')
            continue;
        size_t n = strlen(path);
        int len = snprintf(full, sizeof full, "%s%s%s", path, n && path[n - 1] == '/' ? "" : "/",
                           entry->d_name);
        if (len < 0 || (size_t)len >= sizeof full) {
            st = err_set(e, ST_INPUT, "a path below it is longer than %u characters", PATH_BYTES);
            break;
        }
        /* lstat: a link to a folder above would never end. */
        if (lstat(full, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && todo->count < FOLDERS_MAX)
            st = add_path(todo, full, 0, e);
        else if (!S_ISDIR(about.st_mode) && has_suffix(entry->d_name))
            st = add_path(out, full, 0, e);
    }
    closedir(d);
    return st;
}

static enum status read_tree(const char *path, struct case_paths *out, struct err *e)
{
    struct case_paths todo = { 0 };
    u32 before = out->count;
    enum status st = add_path(&todo, path, 0, e);
    for (u32 i = 0; st == ST_OK && i < todo.count; i++)
        st = read_folder(todo.path[i].path, &todo, out, e);
    case_paths_free(&todo);
    if (st == ST_OK && out->count == before)
        st = err_set(e, ST_INPUT, "no .case file in this folder");
    return st;
}

enum { LINE_DIGITS = 7 };

/* An argument that is no path: FILE:LINE. Cuts ":LINE" off it. */
static enum status cut_line(char *path, int why, struct stat *about, int *line, struct err *e)
{
    char *colon = strrchr(path, ':');
    if (colon)
        *colon = '\0';
    if (!colon || stat(path, about) != 0)
        return err_set(e, ST_INPUT, "%s", strerror(why));
    const char *digits = colon + 1;
    size_t n = strlen(digits);
    if (n == 0 || n > LINE_DIGITS || strspn(digits, "0123456789") != n || atoi(digits) == 0)
        return err_set(e, ST_INPUT, "'%.20s' is not a line number", digits);
    *line = atoi(digits);
    return ST_OK;
}

enum status casefile_find(const char *arg, struct case_paths *out, struct err *e)
{
    char path[PATH_BYTES];
    struct stat about;
    int line = 0;
    snprintf(e->file, sizeof e->file, "%s", arg);
    e->line = 0;
    if (strlen(arg) >= sizeof path)
        return err_set(e, ST_INPUT, "the path is longer than %u characters", PATH_BYTES);
    snprintf(path, sizeof path, "%s", arg);
    if (stat(path, &about) != 0) {
        enum status st = cut_line(path, errno, &about, &line, e);
        if (st != ST_OK)
            return st;
    }
    if (!S_ISDIR(about.st_mode))
        return add_path(out, path, line, e);
    if (line)
        return err_set(e, ST_INPUT, "a folder has no lines");
    return read_tree(path, out, e);
}

static int by_path_and_line(const void *a, const void *b)
{
    const struct case_path *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : x->line - y->line;
}

void casefile_sort(struct case_paths *p)
{
    u32 n = 0;
    if (p->count)
        qsort(p->path, p->count, sizeof p->path[0], by_path_and_line);
    for (u32 i = 0; i < p->count; i++) {
        const struct case_path *last = n ? &p->path[n - 1] : NULL;
        bool same = last && strcmp(last->path, p->path[i].path) == 0 &&
                    (last->line == p->path[i].line || last->line == 0);
        if (same)
            free(p->path[i].path);
        else
            p->path[n++] = p->path[i];
    }
    p->count = n;
}

void case_paths_free(struct case_paths *p)
{
    for (u32 i = 0; i < p->count; i++)
        free(p->path[i].path);
    free(p->path);
    *p = (struct case_paths){ 0 };
}
