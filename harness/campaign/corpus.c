#include "harness/campaign/corpus.h"

#include "harness/io/file.h"
#include "oracle/base/array.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { FILE_BYTES_MAX = 1 << 20, PATH_BYTES = 4096 };

struct corpus_file {
    char *path;
    u8 *bytes;
    size_t size;
};

struct corpus {
    u32 count, cap;
    struct corpus_file *file;
};

void corpus_close(struct corpus *c)
{
    for (u32 i = 0; c && i < c->count; i++) {
        free(c->file[i].path);
        free(c->file[i].bytes);
    }
    if (c)
        free(c->file);
    free(c);
}

static enum status add_file(struct corpus *c, const char *path, struct err *e)
{
    struct corpus_file *grown = c->file;
    if (c->count == c->cap)
        grown = array_grow(grown, &c->cap, c->count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    c->file = grown;
    grown[c->count] = (struct corpus_file){ .path = strdup(path) };
    if (!grown[c->count].path)
        return err_memory(e);
    struct corpus_file *f = &grown[c->count++];
    return file_read(path, FILE_BYTES_MAX, &f->bytes, &f->size, e);
}

static enum status add_folder(struct corpus *c, const char *path, struct err *e)
{
    struct dirent *entry;
    enum status st = ST_OK;
    DIR *d = opendir(path);
    if (!d)
        return err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno));
    while (st == ST_OK && (entry = readdir(d))) {
        char full[PATH_BYTES];
        struct stat about;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README.txt") == 0)
            continue;
        int len = snprintf(full, sizeof full, "%s/%s", path, entry->d_name);
        if (len < 0 || (size_t)len >= sizeof full)
            st = err_set(e, ST_INPUT, "a path in it is longer than %d characters", PATH_BYTES);
        else if (stat(full, &about) == 0 && S_ISREG(about.st_mode))
            st = add_file(c, full, e);
    }
    closedir(d);
    return st;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct corpus_file *)a)->path, ((const struct corpus_file *)b)->path);
}

enum status corpus_open(const char *path, struct corpus **out, struct err *e)
{
    struct stat about;
    struct err why = { .text = "" };
    struct corpus *c = calloc(1, sizeof *c);
    if (!c)
        return err_memory(e);
    bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    enum status st = is_folder ? add_folder(c, path, &why) : add_file(c, path, &why);
    if (st == ST_OK && !c->count)
        st = err_set(&why, ST_INPUT, "there is no file in it");
    if (st != ST_OK) {
        corpus_close(c);
        return err_set(e, st, "%.100s: %.140s", path, why.text);
    }
    qsort(c->file, c->count, sizeof c->file[0], by_path);
    *out = c;
    return ST_OK;
}

u32 corpus_count(const struct corpus *c)
{
    return c->count;
}

const char *corpus_name(const struct corpus *c, u64 i)
{
    return c->file[i].path;
}

void corpus_hash(const struct corpus *c, char hash[SHA256_TEXT])
{
    struct sha256 sum;
    sha256_init(&sum);
    for (u32 i = 0; i < c->count; i++) {
        u64 size = c->file[i].size;
        sha256_add(&sum, c->file[i].path, strlen(c->file[i].path) + 1);
        sha256_add(&sum, &size, sizeof size);
        sha256_add(&sum, c->file[i].bytes, c->file[i].size);
    }
    sha256_end(&sum, hash);
}

enum status corpus_stream(const struct corpus *c, const struct generator *g, u64 i,
                          struct stream *s, struct err *e)
{
    struct recipe r;
    mutate_decode(g, c->file[i].bytes, c->file[i].size, &r);
    enum status st = recipe_stream(g, &r, s);
    s->number = i;
    return st == ST_OK ? ST_OK : err_memory(e);
}
