/* From a vector to a job for a device, and from what became of it to an answer. */
#include "harness/dut/dut.h"
#include "harness/vector/internal.h"

#include "oracle/state/place.h"
#include "reports/file/pack_memory.h"

#include <stdlib.h>

static void add_memory(const struct gcncheck_vector *v, u32 k, struct jobbuf *jb)
{
    const struct gcncheck_vector_memory *m = &v->memory[k];
    u8 *bytes = malloc((size_t)m->size + 4);
    u8 *to = NULL;
    if (m->is_lds)
        to = job_lds(jb, m->size, NULL);
    else
        to = job_window(jb, m->address, m->size, NULL);
    if (bytes && to) {
        gcncheck_vector_bytes(v, k, bytes);
        memcpy(to, bytes, m->size);
    }
    free(bytes);
}

struct gcncheck_job *vector_job(const struct gcncheck_vector *v, const char *mcpu, const bool *can,
                                struct jobbuf *jb)
{
    u32 *code = malloc((size_t)v->code.count * 4 + 4);
    if (!code)
        return NULL;
    for (u32 i = 0; i < v->code.count; i++)
        code[i] = gcncheck_dword(&v->code, i);
    jobbuf_reset(jb, mcpu);
    job_code(jb, code, v->code.count, v->pc);
    free(code);
    for (u32 i = 0; i < v->set_count; i++) {
        const struct gcncheck_vector_set *s = &v->set[i];
        u32 *to = job_set(jb, s->wave, s->place);
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(s->place); lane++)
            to[lane] = gcncheck_dword(&s->value, s->value.count == 1 ? 0 : lane);
    }
    for (u32 wave = 0; wave < v->waves; wave++)
        for (u32 i = 0; i < v->check_count; i++)
            if (can[v->check[i]])
                job_get(jb, wave, v->check[i]);
    for (u32 k = 0; k < v->memory_count; k++)
        add_memory(v, k, jb);
    return job_ready_with(jb, v->waves, v->max_steps, v->poison);
}

/* ---- the answer ---- */

static bool is_as_before(const struct gcncheck_job *job, const struct gcncheck_slot *s)
{
    for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(s->place); lane++)
        if (job->out[s->index + lane] != job_initial(job, s->wave, s->place, lane))
            return false;
    return true;
}

static void pack_values(msgpack_packer *pk, const struct gcncheck_job *job)
{
    u32 count = 0;
    char name[PLACE_NAME_MAX];
    for (u32 i = 0; i < job->get_count; i++)
        count += !is_as_before(job, &job->get[i]);
    pack_list(pk, "values", count);
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        u32 dw = GCNCHECK_PLACE_DW(s->place);
        if (is_as_before(job, s))
            continue;
        msgpack_pack_map(pk, s->wave ? 3 : 2);
        if (s->wave)
            pack_u32(pk, "wave", s->wave);
        pack_text(pk, "place", place_name(PLACE_GEN, s->place, name));
        pack_dwords(pk, "value", job->out + s->index, dw, dw > 1);
    }
}

/* A memory before and after. */
struct seen {
    const u8 *was, *is;
    u32 size;
};

static bool dword_of(const struct seen *s, u32 at, u32 *is)
{
    u32 was = 0;
    *is = 0;
    for (u32 i = at; i < at + 4 && i < s->size; i++) {
        was |= (u32)s->was[i] << (i - at) * 8;
        *is |= (u32)s->is[i] << (i - at) * 8;
    }
    return was != *is;
}

/* Runs of dwords that have changed; counted only, if pk is NULL. */
static u32 pack_runs(msgpack_packer *pk, u32 memory, const struct seen *s)
{
    u32 runs = 0, value;
    for (u32 at = 0; at < s->size; at += 4) {
        u32 from = at;
        if (!dword_of(s, at, &value))
            continue;
        while (at < s->size && dword_of(s, at, &value))
            at += 4;
        runs++;
        if (!pk)
            continue;
        msgpack_pack_map(pk, 3);
        pack_u32(pk, "memory", memory);
        pack_u32(pk, "at", from);
        pack_key(pk, "want");
        msgpack_pack_bin(pk, at - from);
        for (u32 k = from; k < at; k += 4) {
            dword_of(s, k, &value);
            u8 bytes[4] = { (u8)value, (u8)(value >> 8), (u8)(value >> 16), (u8)(value >> 24) };
            msgpack_pack_bin_body(pk, bytes, sizeof bytes);
        }
    }
    return runs;
}

/* All memories; `starts` are their bytes before. */
static u32 pack_words(msgpack_packer *pk, const struct gcncheck_job *job, u8 *const *starts)
{
    u32 runs = 0;
    for (u32 k = 0; k < job->window_count; k++)
        runs += pack_runs(
            pk, k, &(struct seen){ starts[k], job->windows[k].bytes, (u32)job->windows[k].size });
    if (job->lds_size)
        runs += pack_runs(pk, job->window_count,
                          &(struct seen){ starts[job->window_count], job->lds, job->lds_size });
    return runs;
}

static void pack_done(struct vector_build *b, const struct gcncheck_job *job, u8 *const *starts)
{
    pack_values(&b->pk, job);
    pack_list(&b->pk, "words", pack_words(NULL, job, starts));
    pack_words(&b->pk, job, starts);
}

/* Places of `check` that the device cannot show. */
static bool find_hidden(const struct gcncheck_vector *v, const bool *can,
                        u64 bits[(GCNCHECK_PLACES + 63) / 64])
{
    bool any = false;
    memset(bits, 0, sizeof(u64) * ((GCNCHECK_PLACES + 63) / 64));
    for (u32 i = 0; i < v->check_count; i++)
        if (!can[v->check[i]]) {
            bits[v->check[i] / 64] |= 1ull << v->check[i] % 64;
            any = true;
        }
    return any;
}

/* What the memories held; NULL if memory is short. The caller frees it with free_starts. */
static u8 **copy_starts(const struct gcncheck_vector *v)
{
    u8 **starts = calloc(v->memory_count + 1u, sizeof *starts);
    bool is_ok = starts != NULL;
    for (u32 k = 0; is_ok && k < v->memory_count; k++) {
        starts[k] = malloc((size_t)v->memory[k].size + 4);
        is_ok = starts[k] != NULL;
        if (is_ok)
            gcncheck_vector_bytes(v, k, starts[k]);
    }
    for (u32 k = 0; !is_ok && starts && k < v->memory_count; k++)
        free(starts[k]);
    if (!is_ok)
        free(starts);
    return is_ok ? starts : NULL;
}

enum status vector_answer(struct vector_build *b, const struct gcncheck_vector *v,
                          const struct gcncheck_job *job, const bool *can, struct vector_record *r,
                          struct err *e)
{
    u64 hidden[(GCNCHECK_PLACES + 63) / 64];
    char hash[17];
    u8 **starts = copy_starts(v);
    bool any = find_hidden(v, can, hidden), is_done = job->outcome == OUT_DONE;
    if (!starts)
        return err_memory(e);
    msgpack_sbuffer_clear(&b->out);
    msgpack_packer_init(&b->pk, &b->out, pack_memory_write);
    msgpack_pack_map(&b->pk,
                     2u + (job->reason[0] ? 1u : 0u) + (any ? 1u : 0u) + (is_done ? 2u : 0u));
    snprintf(hash, sizeof hash, "%.*s", v->hash.len, v->hash.at);
    pack_text(&b->pk, "of", hash);
    pack_text(&b->pk, "outcome", dut_outcome_name(job->outcome));
    if (job->reason[0])
        pack_text(&b->pk, "reason", job->reason);
    if (any)
        pack_places(&b->pk, "hidden", hidden);
    if (is_done)
        pack_done(b, job, starts);
    for (u32 k = 0; k < v->memory_count; k++)
        free(starts[k]);
    free(starts);
    r->answer = (const u8 *)b->out.data;
    r->answer_size = b->out.size;
    return pack_memory_was_short() ? err_memory(e) : ST_OK;
}
