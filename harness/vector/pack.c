/* Members of records as msgpack. One thing has one spelling, so that equal content has equal bytes
 * and one hash. */
#include "harness/vector/internal.h"

#include "oracle/state/place.h"
#include "reports/file/pack_memory.h"

#include <inttypes.h>

void pack_key(msgpack_packer *pk, const char *key)
{
    msgpack_pack_str_with_body(pk, key, strlen(key));
}

void pack_text(msgpack_packer *pk, const char *key, const char *text)
{
    pack_key(pk, key);
    msgpack_pack_str_with_body(pk, text, strlen(text));
}

void pack_hex64(msgpack_packer *pk, const char *key, u64 value)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    pack_text(pk, key, text);
}

void pack_u32(msgpack_packer *pk, const char *key, u32 value)
{
    pack_key(pk, key);
    msgpack_pack_uint32(pk, value);
}

void pack_dwords(msgpack_packer *pk, const char *key, const u32 *dw, u32 count, bool is_lanes)
{
    bool is_one = is_lanes && count > 0;
    for (u32 i = 1; i < count && is_one; i++)
        is_one = dw[i] == dw[0];
    if (is_one)
        count = 1;
    pack_key(pk, key);
    msgpack_pack_bin(pk, (size_t)count * 4);
    for (u32 i = 0; i < count; i++) {
        u8 bytes[4] = { (u8)dw[i], (u8)(dw[i] >> 8), (u8)(dw[i] >> 16), (u8)(dw[i] >> 24) };
        msgpack_pack_bin_body(pk, bytes, sizeof bytes);
    }
}

void pack_list(msgpack_packer *pk, const char *key, u32 count)
{
    pack_key(pk, key);
    msgpack_pack_array(pk, count);
}

/* Where a run of places that starts at `place` ends: it stays within one file of registers. */
static u32 end_of_run(const u64 *bits, u32 place)
{
    static const u16 files[][2] = { { 0, 102 },
                                    { PLACE_V0, PLACE_V0 + VGPRS },
                                    { PLACE_A0, PLACE_A0 + VGPRS } };
    u32 last = place;
    for (u32 f = 0; f < COUNT_OF(files); f++)
        while (place >= files[f][0] && last + 1 < files[f][1] &&
               bits[(last + 1) / 64] >> (last + 1) % 64 & 1)
            last++;
    return last;
}

void pack_places(msgpack_packer *pk, const char *key, const u64 *bits)
{
    u32 runs = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (u32 place = 0; place < GCNCHECK_PLACES; place++) {
            char first[PLACE_NAME_MAX], name[PLACE_NAME_MAX], text[2 * PLACE_NAME_MAX];
            if (!(bits[place / 64] >> place % 64 & 1))
                continue;
            u32 last = end_of_run(bits, place);
            snprintf(text, sizeof text, "%s%s%s", place_name(PLACE_GEN, place, first),
                     last > place ? "-" : "",
                     last > place ? place_name(PLACE_GEN, last, name) : "");
            if (pass)
                msgpack_pack_str_with_body(pk, text, strlen(text));
            runs += pass == 0;
            place = last;
        }
        if (!pass)
            pack_list(pk, key, runs);
    }
}

void pack_hash(msgpack_sbuffer *to)
{
    msgpack_packer pk;
    u64 hash = gcncheck_vector_hash((const u8 *)to->data, to->size);
    msgpack_packer_init(&pk, to, pack_memory_write);
    pack_hex64(&pk, "hash", hash);
}
