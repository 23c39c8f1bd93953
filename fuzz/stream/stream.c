/* Reading and copying streams. */
#include "fuzz/stream/stream.h"

#include "oracle/base/hash.h"

static u64 hash_bytes(u64 h, const void *bytes, size_t n)
{
    const u8 *p = bytes;
    for (size_t i = 0; i < n; i += 8) {
        u64 v = 0;
        memcpy(&v, p + i, n - i < 8 ? n - i : 8);
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    return hash_mix(h, n);
}

u64 stream_hash(const struct stream *s)
{
    u64 h = hash_mix(hash_text(s->mcpu), s->pc);
    h = hash_mix(h, s->poison ^ (u64)s->waves << 32 ^ (u64)s->lds_size << 40);
    h = hash_bytes(h, s->code, s->code_dw * sizeof s->code[0]);
    for (u32 i = 0; i < s->set_count; i++)
        h = hash_mix(h, s->set[i].wave ^ (u64)s->set[i].place << 16 ^ (u64)s->set[i].at << 32);
    h = hash_bytes(h, s->values, s->value_dw * sizeof s->values[0]);
    for (u32 i = 0; i < s->window_count; i++)
        h = hash_bytes(hash_mix(h, s->window[i].address), s->window[i].bytes, s->window[i].size);
    return hash_bytes(h, s->lds, s->lds_size);
}

void stream_copy(struct stream *to, const struct stream *from)
{
    memcpy(to, from, offsetof(struct stream, code));
    memcpy(to->code, from->code, from->code_dw * sizeof from->code[0]);
    memcpy(to->set, from->set, from->set_count * sizeof from->set[0]);
    memcpy(to->values, from->values, from->value_dw * sizeof from->values[0]);
    for (u32 i = 0; i < from->window_count; i++)
        memcpy(&to->window[i], &from->window[i],
               offsetof(struct stream_window, bytes) + from->window[i].size);
    memcpy(to->lds, from->lds, from->lds_size);
}

u32 *stream_value(struct stream *s, u32 wave, u32 place)
{
    for (u32 i = 0; i < s->set_count; i++)
        if (s->set[i].wave == wave && s->set[i].place == place)
            return &s->values[s->set[i].at];
    return NULL;
}
