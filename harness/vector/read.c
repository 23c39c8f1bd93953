/* Reading files of vectors: what a path stands for, and each vector in turn. */
#include "harness/io/file.h"
#include "harness/vector/internal.h"
#include "oracle/base/array.h"
#include "reports/file/json_memory.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_BYTES = 1024 };
#define FILE_BYTES ((size_t)1 << 33)

struct vector_reader {
    struct vector_head head;
    struct paths {
        char **path;
        u32 count, cap;
    } files;
    u32 next; /* of the files */
    bool is_binary;
    struct gcncheck_vectors binary;
    json_t *json; /* the file being read; its test `test` is the next */
    size_t test;
    msgpack_sbuffer record, packed_answer;
    struct gcncheck_vector v;
    struct gcncheck_answer answer;
};

static enum status add_path(struct paths *p, const char *path, struct err *e)
{
    char **grown = array_grow(p->path, &p->cap, p->count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    p->path = grown;
    p->path[p->count] = strdup(path);
    return p->path[p->count++] ? ST_OK : err_memory(e);
}

static bool is_json_name(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* Files of one folder, and its folders, which go to `folders`. harness/case/find.c looks for cases in
 * such a way, and refuses a folder that it cannot read or name: cases that are not found would not be
 * missed. */
static enum status list_folder(const char *path, struct paths *folders, struct paths *files,
                               struct err *e)
{
    DIR *d = opendir(path);
    enum status st = ST_OK;
    struct dirent *entry;
    while (d && st == ST_OK && (entry = readdir(d))) {
        char full[PATH_BYTES];
        struct stat about;
        if (entry->d_name[0] == '.' ||
            (size_t)snprintf(full, sizeof full, "%s/%s", path, entry->d_name) >= sizeof full ||
            lstat(full, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode))
            st = add_path(folders, full, e);
        else if (is_json_name(full))
            st = add_path(files, full, e);
    }
    if (d)
        closedir(d);
    return st;
}

static void free_paths(struct paths *p)
{
    for (u32 i = 0; i < p->count; i++)
        free(p->path[i]);
    free(p->path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The order is that of the names, which is that of `gcncheck export`. */
static enum status list_files(struct vector_reader *rd, const char *path, struct err *e)
{
    struct stat about;
    struct paths folders = { 0 };
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return add_path(&rd->files, path, e);
    enum status st = add_path(&folders, path, e);
    for (u32 i = 0; st == ST_OK && i < folders.count; i++)
        st = list_folder(folders.path[i], &folders, &rd->files, e);
    free_paths(&folders);
    if (rd->files.count)
        qsort(rd->files.path, rd->files.count, sizeof *rd->files.path, by_path);
    else if (st == ST_OK)
        st = err_set(e, ST_INPUT, "%.150s: no .json file in this folder", path);
    return st;
}

static enum status wrong(const struct vector_reader *rd, const char *what, struct err *e)
{
    struct err why = { .text = "" };
    err_set(&why, ST_INPUT, "%s", what);
    file_error(&why, rd->files.path[rd->next - 1], 0);
    *e = why;
    return ST_INPUT;
}

static enum status check_head(struct vector_reader *rd, const char *generator, const char *mcpu,
                              const char *dut, struct err *e)
{
    if (rd->head.mcpu[0] && strcmp(rd->head.mcpu, mcpu) != 0)
        return wrong(rd, "is for another processor than the files before", e);
    snprintf(rd->head.generator, sizeof rd->head.generator, "%s", generator);
    snprintf(rd->head.mcpu, sizeof rd->head.mcpu, "%s", mcpu);
    snprintf(rd->head.dut, sizeof rd->head.dut, "%s", dut);
    return ST_OK;
}

static enum status open_json(struct vector_reader *rd, const char *bytes, size_t size,
                             struct err *e)
{
    json_error_t why;
    rd->test = 0;
    json_memory_watch();
    rd->json = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &why);
    if (json_memory_was_short()) /* what was read then may lack a letter */
        return err_memory(e);
    if (!rd->json) {
        struct err one = { .text = "" };
        err_set(&one, ST_INPUT, "neither a file of vectors nor JSON: %.120s", why.text);
        file_error(&one, rd->files.path[rd->next - 1], why.line);
        *e = one;
        return ST_INPUT;
    }
    const char *format = json_string_value(json_object_get(rd->json, "format")),
               *mcpu = json_string_value(json_object_get(rd->json, "mcpu")),
               *dut = json_string_value(json_object_get(rd->json, "dut"));
    if (!format || strcmp(format, "gcncheck-vectors") != 0 || !mcpu ||
        !json_is_array(json_object_get(rd->json, "tests")))
        return wrong(rd, "this is no file of gcncheck vectors", e);
    if (json_integer_value(json_object_get(rd->json, "version")) != GCNCHECK_VECTORS_VERSION)
        return wrong(rd, "vectors of another version", e);
    const char *generator = json_string_value(json_object_get(rd->json, "generator"));
    return check_head(rd, generator ? generator : "", mcpu, dut ? dut : "", e);
}

static enum status open_binary(struct vector_reader *rd, u8 *bytes, size_t size, struct err *e)
{
    const struct gcncheck_vectors *f = &rd->binary;
    char generator[32], mcpu[32], dut[128];
    rd->is_binary = true;
    if (gcncheck_vectors_take(&rd->binary, bytes, size) != 0)
        return wrong(rd, f->error, e);
    snprintf(generator, sizeof generator, "%.*s", f->generator.len, f->generator.at);
    snprintf(mcpu, sizeof mcpu, "%.*s", f->mcpu.len, f->mcpu.at);
    snprintf(dut, sizeof dut, "%.*s", f->dut.len, f->dut.at);
    return check_head(rd, generator, mcpu, dut, e);
}

static enum status open_next(struct vector_reader *rd, struct err *e)
{
    u8 *bytes = NULL;
    size_t size = 0;
    const char *path = rd->files.path[rd->next++];
    enum status st = file_read(path, FILE_BYTES, &bytes, &size, e);
    if (st != ST_OK) {
        file_error(e, path, 0);
        return st;
    }
    if (size >= 4 && memcmp(bytes, "HEAD", 4) == 0)
        return open_binary(rd, bytes, size, e);
    st = open_json(rd, (const char *)bytes, size, e);
    free(bytes);
    return st;
}

enum status vector_reader_open(struct vector_reader **out, const char *path, struct err *e)
{
    struct vector_reader *rd = calloc(1, sizeof *rd);
    if (!rd)
        return err_memory(e);
    msgpack_sbuffer_init(&rd->record);
    msgpack_sbuffer_init(&rd->packed_answer);
    enum status st = list_files(rd, path, e);
    if (st == ST_OK)
        st = open_next(rd, e);
    if (st != ST_OK) {
        vector_reader_close(rd);
        return st;
    }
    *out = rd;
    return ST_OK;
}

const struct vector_head *vector_reader_head(const struct vector_reader *rd)
{
    return &rd->head;
}

void vector_reader_close(struct vector_reader *rd)
{
    if (!rd)
        return;
    if (rd->is_binary)
        gcncheck_vectors_close(&rd->binary);
    if (!rd->is_binary) {
        gcncheck_vector_free(&rd->v);
        gcncheck_answer_free(&rd->answer);
    }
    json_decref(rd->json);
    msgpack_sbuffer_destroy(&rd->record);
    msgpack_sbuffer_destroy(&rd->packed_answer);
    free_paths(&rd->files);
    free(rd);
}

/* ---- one vector ---- */

static enum status next_binary(struct vector_reader *rd, struct vector_record *r, bool *is_end,
                               struct err *e)
{
    struct gcncheck_vectors *f = &rd->binary;
    size_t at = f->at;
    *is_end = !gcncheck_vectors_next(f, &rd->v);
    if (*is_end && (rd->v.is_short || f->answer.is_short))
        return err_memory(e);
    if (*is_end)
        return f->error[0] ? wrong(rd, f->error, e) : ST_OK;
    struct gcncheck_dwords head = { f->bytes + at, 2 };
    u32 size = gcncheck_dword(&head, 1);
    *r = (struct vector_record){ .bytes = f->bytes + at + 8, .size = size };
    if (f->has_answer) {
        r->answer = r->bytes + size + 8;
        r->answer_size = (size_t)(f->bytes + f->at - r->answer);
    }
    return ST_OK;
}

static enum status next_json(struct vector_reader *rd, struct vector_record *r, bool *is_end,
                             struct err *e)
{
    const json_t *tests = json_object_get(rd->json, "tests");
    struct err why = { .text = "" };
    char text[400];
    gcncheck_vector_free(&rd->v);
    gcncheck_answer_free(&rd->answer);
    *is_end = rd->test == json_array_size(tests);
    if (*is_end)
        return ST_OK;
    const json_t *test = json_array_get(tests, rd->test++);
    const char *id = json_string_value(json_object_get(test, "id"));
    enum status st = vector_read_json(test, &rd->record, &rd->packed_answer, &why);
    *r = (struct vector_record){ .bytes = (const u8 *)rd->record.data, .size = rd->record.size };
    if (st == ST_OK && !gcncheck_vector_parse(&rd->v, r->bytes, r->size))
        st = rd->v.is_short ? err_memory(&why) : err_set(&why, ST_INPUT, "this is no vector");
    if (st == ST_OK && !gcncheck_vector_is_whole(&rd->v, r->bytes, r->size))
        st = err_set(&why, ST_INPUT, "the hash is not that of the content");
    if (st == ST_OK && rd->packed_answer.size) {
        r->answer = (const u8 *)rd->packed_answer.data;
        r->answer_size = rd->packed_answer.size;
        if (!gcncheck_answer_parse(&rd->answer, &rd->v, r->answer, r->answer_size))
            st = rd->answer.is_short ? err_memory(&why)
                                     : err_set(&why, ST_INPUT, "its answer is none");
    }
    if (st == ST_WORLD)
        *e = why;
    if (st != ST_INPUT)
        return st;
    snprintf(text, sizeof text, "test %zu (%.120s): %.120s", rd->test, id ? id : "without an id",
             why.text);
    return wrong(rd, text, e);
}

enum status vector_reader_next(struct vector_reader *rd, struct vector_record *r,
                               const struct gcncheck_vector **v, const struct gcncheck_answer **a,
                               struct err *e)
{
    enum status st = ST_OK;
    bool is_end = true;
    *v = NULL;
    *a = NULL;
    for (;;) {
        st = rd->is_binary ? next_binary(rd, r, &is_end, e) : next_json(rd, r, &is_end, e);
        if (st != ST_OK || !is_end || rd->next == rd->files.count)
            break;
        json_decref(rd->json);
        rd->json = NULL;
        st = open_next(rd, e);
        if (st != ST_OK)
            return st;
    }
    if (st != ST_OK || is_end)
        return st;
    *v = &rd->v;
    if (r->answer)
        *a = rd->is_binary ? &rd->binary.answer : &rd->answer;
    return ST_OK;
}
