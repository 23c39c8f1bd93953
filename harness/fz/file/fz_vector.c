/* Vectors, by the first byte: a file of them, binary or JSON; a record, and behind its length an
 * answer, without the hash that a file is refused by; a test as JSON, without it, too. What is a
 * vector is printed and judged. */
#include "harness/fz/fz.h"
#include "harness/io/file.h"
#include "harness/vector/internal.h"

#include <stdlib.h>

enum { KINDS = 3 };

static FILE *sink;

void fz_open(void)
{
    sink = fz_sink();
}

static void use(const struct vector_record *r, const struct gcncheck_vector *v,
                const struct gcncheck_answer *a)
{
    vector_print_json(sink, r);
    if (a)
        gcncheck_answer_judge(v, a, NULL, NULL);
}

static bool read_file(const u8 *data, size_t size)
{
    struct vector_reader *rd;
    struct vector_record r;
    const struct gcncheck_vector *v;
    const struct gcncheck_answer *a;
    struct err e = { .text = "" };
    bool any = false;
    if (vector_reader_open(&rd, fz_file(data, size), &e) != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    enum status st;
    while ((st = vector_reader_next(rd, &r, &v, &a, &e)) == ST_OK && v) {
        use(&r, v, a);
        any = true;
    }
    if (st != ST_OK)
        fz_check_message(&e);
    vector_reader_close(rd);
    return any;
}

static bool read_record(struct vector_record *r)
{
    static struct gcncheck_vector v;
    static struct gcncheck_answer a;
    bool is_vector = gcncheck_vector_parse(&v, r->bytes, r->size);
    bool is_answer =
        is_vector && r->answer_size && gcncheck_answer_parse(&a, &v, r->answer, r->answer_size);
    if (!is_answer)
        r->answer = NULL;
    if (is_vector)
        use(r, &v, is_answer ? &a : NULL);
    gcncheck_answer_free(&a);
    gcncheck_vector_free(&v);
    return is_vector;
}

/* Two bytes of length, the record, the answer. */
static bool read_bare(const u8 *data, size_t size)
{
    size_t len = size < 2 ? 0 : data[0] | (size_t)data[1] << 8;
    if (size < 2 || len > size - 2)
        return false;
    return read_record(&(struct vector_record){
        data + 2, len, size - 2 - len ? data + 2 + len : NULL, size - 2 - len });
}

static bool read_test(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    msgpack_sbuffer record, answer;
    json_t *test = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    msgpack_sbuffer_init(&record);
    msgpack_sbuffer_init(&answer);
    enum status st =
        test ? vector_read_json(test, &record, &answer, &e) : err_set(&e, ST_INPUT, "no JSON");
    bool is_vector =
        st == ST_OK && read_record(&(struct vector_record){ (const u8 *)record.data, record.size,
                                                            (const u8 *)answer.data, answer.size });
    if (st != ST_OK) {
        file_error(&e, "x.json", 0); /* as the reader of files does */
        fz_check_message(&e);
    }
    msgpack_sbuffer_destroy(&record);
    msgpack_sbuffer_destroy(&answer);
    json_decref(test);
    return is_vector;
}

bool fz_one(const u8 *data, size_t size)
{
    if (size < 1)
        return false;
    switch (data[0] % KINDS) {
    case 0: return read_file(data + 1, size - 1);
    case 1: return read_bare(data + 1, size - 1);
    default: return read_test(data + 1, size - 1);
    }
}
