/* What the files of harness/vector share. */
#ifndef HARNESS_VECTOR_INTERNAL_H
#define HARNESS_VECTOR_INTERNAL_H

#include "harness/vector/vector.h"

#include <jansson.h>
#include <msgpack.h>

/* ---- pack.c: records are packed here, always in the same bytes ---- */

void pack_key(msgpack_packer *pk, const char *key);
void pack_text(msgpack_packer *pk, const char *key, const char *text);
void pack_hex64(msgpack_packer *pk, const char *key, u64 value);
void pack_u32(msgpack_packer *pk, const char *key, u32 value);
/* Dwords; one if all are the same and `is_lanes`. */
void pack_dwords(msgpack_packer *pk, const char *key, const u32 *dw, u32 count, bool is_lanes);
void pack_list(msgpack_packer *pk, const char *key, u32 count);
/* A set of places, a bit each, as names and ranges. */
void pack_places(msgpack_packer *pk, const char *key, const u64 *bits);

/* Ends a record with its member "hash". */
void pack_hash(msgpack_sbuffer *to);

struct vector_build {
    msgpack_sbuffer out;
    msgpack_packer pk;
    struct vector_about about;
    const struct gcncheck_job *job;
    bool is_short; /* of memory */
    u64 check[(GCNCHECK_PLACES + 63) / 64];
    u32 rows, rows_cap, ends, ends_cap, accepts, accepts_cap;
    struct vector_build_row {
        char id[160], from[300], errata[64];
    } * row;
    struct vector_build_end {
        u16 wave, place;
        bool is_mask; /* of lanes, from lane `first` on */
        u8 first;
        u32 want[LANES], mask[LANES];
    } * end;
    struct vector_accept *accept;
    /* Of each window, then LDS: what it holds, and which bytes are compared; the same size. */
    u32 memories, memory_cap;
    struct vector_build_memory {
        u8 *want, *mask;
        u32 size, room;
    } * memory;
};

/* ---- json.c ---- */

/* A vector out of JSON, packed; ST_INPUT names the member that is wrong. */
enum status vector_read_json(const json_t *test, msgpack_sbuffer *to, msgpack_sbuffer *answer,
                             struct err *e);

/* Prints a text between quotes. */
void vector_print_text(FILE *out, const char *text, size_t len);

#endif
