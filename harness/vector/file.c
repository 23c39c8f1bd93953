/* Files of vectors. A binary one is records, each a tag of four letters, the bytes that follow as a
 * dword, and msgpack: HEAD, then TEST and, in a recording, its ANSW for each vector, then INDX, a list
 * of offset and id, and TAIL, the offset of INDX in eight bytes. */
#include "harness/io/file.h"
#include "harness/vector/internal.h"
#include "oracle/base/array.h"
#include "reports/file/output.h"
#include "reports/file/pack_memory.h"

#include <errno.h>
#include <stdlib.h>

enum { PATH_BYTES = 1024, KEY_BYTES = 256 };

struct vector_writer {
    bool is_json, force;
    char path[PATH_BYTES];
    struct vector_head head;
    struct output *file; /* the one being written, NULL: none */
    FILE *out;           /* its stream */
    u64 at;              /* bytes written to it */
    /* JSON: files written, by opcode and form; the last is open. */
    char (*key)[KEY_BYTES];
    u32 keys, keys_cap, tests;
    /* Binary: the index. */
    msgpack_sbuffer index;
    msgpack_packer pk;
    u32 indexed;
};

/* ---- writing ---- */

/* Of the opcode and form that was begun last. */
static void path_of_file(const struct vector_writer *w, char path[PATH_BYTES + KEY_BYTES + 8])
{
    snprintf(path, PATH_BYTES + KEY_BYTES + 8, "%s/%.*s.json", w->path, KEY_BYTES,
             w->key[w->keys - 1]);
}

static enum status cannot_write(const struct vector_writer *w, struct err *e)
{
    char file[PATH_BYTES + KEY_BYTES + 8], text[128];
    snprintf(text, sizeof text, "cannot be written: %s", strerror(errno));
    if (w->is_json && w->keys)
        path_of_file(w, file);
    else
        snprintf(file, sizeof file, "%s", w->path);
    return err_file(e, ST_WORLD, file, text);
}

static enum status open_file(struct vector_writer *w, const char *path, struct err *e)
{
    struct output_rule rule = { .force = w->force };
    enum status st = output_open(&w->file, path, &rule, e);
    w->out = st == ST_OK ? output_stream(w->file) : NULL;
    return st;
}

static enum status close_file(struct vector_writer *w, bool is_broken, struct err *e)
{
    struct output *file = w->file;
    w->file = NULL;
    w->out = NULL;
    if (file && !is_broken)
        return output_commit(file, e);
    output_drop(file);
    return ST_OK;
}

static enum status put_record(struct vector_writer *w, const char *tag, const void *bytes,
                              size_t size, struct err *e)
{
    u8 length[4] = { (u8)size, (u8)(size >> 8), (u8)(size >> 16), (u8)(size >> 24) };
    if (fwrite(tag, 1, 4, w->out) != 4 || fwrite(length, 1, 4, w->out) != 4 ||
        fwrite(bytes, 1, size, w->out) != size)
        return cannot_write(w, e);
    w->at += 8 + size;
    return ST_OK;
}

static enum status put_head(struct vector_writer *w, struct err *e)
{
    msgpack_sbuffer head;
    msgpack_packer pk;
    msgpack_sbuffer_init(&head);
    msgpack_packer_init(&pk, &head, pack_memory_write);
    msgpack_pack_map(&pk, w->head.dut[0] ? 5 : 4);
    pack_text(&pk, "format", "gcncheck-vectors");
    pack_u32(&pk, "version", GCNCHECK_VECTORS_VERSION);
    pack_text(&pk, "generator", w->head.generator);
    pack_text(&pk, "mcpu", w->head.mcpu);
    if (w->head.dut[0])
        pack_text(&pk, "dut", w->head.dut);
    enum status st =
        pack_memory_was_short() ? err_memory(e) : put_record(w, "HEAD", head.data, head.size, e);
    msgpack_sbuffer_destroy(&head);
    return st;
}

enum status vector_writer_open(struct vector_writer **out, bool is_json, const char *path,
                               bool force, const struct vector_head *head, struct err *e)
{
    struct vector_writer *w = calloc(1, sizeof *w);
    if (!w)
        return err_memory(e);
    w->is_json = is_json;
    w->force = force;
    w->head = *head;
    msgpack_sbuffer_init(&w->index);
    msgpack_packer_init(&w->pk, &w->index, pack_memory_write);
    enum status st = ST_OK;
    if ((size_t)snprintf(w->path, sizeof w->path, "%s", path) >= sizeof w->path - KEY_BYTES)
        st = err_set(e, ST_INPUT, "%.100s...: the path is too long", path);
    else if (is_json)
        st = file_make_dir(path, e);
    else if ((st = open_file(w, path, e)) == ST_OK)
        st = put_head(w, e);
    if (st != ST_OK) {
        vector_writer_close(w, true, NULL);
        return st;
    }
    *out = w;
    return ST_OK;
}

static enum status close_json(struct vector_writer *w, bool is_broken, struct err *e)
{
    if (w->out)
        fputs("\n  ]\n}\n", w->out);
    return close_file(w, is_broken, e);
}

bool vector_is_name(struct gcncheck_text t)
{
    for (int i = 0; i < t.len; i++)
        if (!t.at[i] ||
            !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", t.at[i]))
            return false;
    return t.len > 0 && t.len < 80;
}

static enum status open_json(struct vector_writer *w, const struct gcncheck_vector *v,
                             const char *key, struct err *e)
{
    char file[PATH_BYTES + KEY_BYTES + 8];
    if (!vector_is_name(v->encoding) || !vector_is_name(v->mnemonic) || !vector_is_name(v->form))
        return err_set(e, ST_INPUT, "%.*s: encoding, mnemonic or form are no names", v->id.len,
                       v->id.at);
    enum status st = close_json(w, false, e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < w->keys; i++)
        if (strcmp(w->key[i], key) == 0)
            return err_set(e, ST_INPUT, "vectors of %.100s do not stand together", key);
    char(*grown)[KEY_BYTES] = array_grow(w->key, &w->keys_cap, w->keys + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    w->key = grown;
    snprintf(w->key[w->keys++], KEY_BYTES, "%s", key);
    snprintf(file, sizeof file, "%s/%.*s", w->path, v->encoding.len, v->encoding.at);
    st = file_make_dir(file, e);
    if (st != ST_OK)
        return st;
    path_of_file(w, file);
    st = open_file(w, file, e);
    if (st != ST_OK)
        return st;
    fprintf(w->out, "{\n  \"format\": \"gcncheck-vectors\",\n  \"version\": %u,\n  \"generator\": ",
            GCNCHECK_VECTORS_VERSION);
    vector_print_text(w->out, w->head.generator, strlen(w->head.generator));
    fputs(",\n  \"mcpu\": ", w->out);
    vector_print_text(w->out, w->head.mcpu, strlen(w->head.mcpu));
    if (w->head.dut[0]) {
        fputs(",\n  \"dut\": ", w->out);
        vector_print_text(w->out, w->head.dut, strlen(w->head.dut));
    }
    fputs(",\n  \"tests\": [", w->out);
    w->tests = 0;
    return ST_OK;
}

static enum status add_json(struct vector_writer *w, const struct vector_record *r,
                            const struct gcncheck_vector *v, struct err *e)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%.*s/%.*s.%.*s", v->encoding.len, v->encoding.at, v->mnemonic.len,
             v->mnemonic.at, v->form.len, v->form.at);
    if (!w->out || strcmp(w->key[w->keys - 1], key) != 0) {
        enum status st = open_json(w, v, key, e);
        if (st != ST_OK)
            return st;
    }
    fputs(w->tests++ ? ",\n    " : "\n    ", w->out);
    vector_print_json(w->out, r);
    return ferror(w->out) ? cannot_write(w, e) : ST_OK;
}

enum status vector_writer_add(struct vector_writer *w, const struct vector_record *r,
                              const struct gcncheck_vector *v, struct err *e)
{
    if (w->is_json)
        return add_json(w, r, v, e);
    msgpack_pack_array(&w->pk, 2);
    msgpack_pack_uint64(&w->pk, w->at);
    msgpack_pack_str_with_body(&w->pk, v->id.at, (size_t)v->id.len);
    w->indexed++;
    enum status st = put_record(w, "TEST", r->bytes, r->size, e);
    if (st == ST_OK && r->answer)
        st = put_record(w, "ANSW", r->answer, r->answer_size, e);
    return st;
}

/* The list's head stands before what was collected. */
static enum status put_index(struct vector_writer *w, struct err *e)
{
    msgpack_sbuffer all;
    msgpack_packer pk;
    u64 at = w->at;
    u8 tail[8];
    msgpack_sbuffer_init(&all);
    msgpack_packer_init(&pk, &all, pack_memory_write);
    msgpack_pack_array(&pk, w->indexed);
    pack_memory_write(&all, w->index.data, w->index.size);
    enum status st =
        pack_memory_was_short() ? err_memory(e) : put_record(w, "INDX", all.data, all.size, e);
    for (u32 i = 0; i < sizeof tail; i++)
        tail[i] = (u8)(at >> 8 * i);
    if (st == ST_OK)
        st = put_record(w, "TAIL", tail, sizeof tail, e);
    msgpack_sbuffer_destroy(&all);
    return st;
}

enum status vector_writer_close(struct vector_writer *w, bool is_broken, struct err *e)
{
    enum status st = ST_OK;
    if (!w)
        return ST_OK;
    if (w->is_json)
        st = close_json(w, is_broken, e);
    else if (w->out && !is_broken)
        st = put_index(w, e);
    enum status closed = close_file(w, is_broken || st != ST_OK, e);
    st = st == ST_OK ? closed : st;
    msgpack_sbuffer_destroy(&w->index);
    free(w->key);
    free(w);
    return st;
}
