/* What a device must be able to do before jobs are given to it, each rung upon those before it. The
 * rungs run as jobs do; their results are known without a model: what the program does not touch
 * comes back as it was. */
#include "harness/drm/internal.h"

#include "oracle/insn/insn.h"

#include <stdlib.h>

enum { SLOTS_MAX = 700, CODE_MAX = 64, MEMORY_BYTES = 512 };

#define MEMORY_AT 0x1000000000ull

/* Slots, values and memory of a rung's job. */
struct rung {
    struct gcncheck_job job;
    struct gcncheck_slot slot[SLOTS_MAX];
    struct gcncheck_window window;
    u32 code[CODE_MAX];
    u8 bytes[MEMORY_BYTES], lds[LDS_MAX];
    u32 *values, *out;
    u32 dw;
};

static struct rung *rung_open(void)
{
    struct rung *r = calloc(1, sizeof *r);
    size_t dw = SLOTS_MAX * (size_t)LANES;
    if (r)
        r->values = calloc(2 * dw, sizeof *r->values);
    if (r && !r->values) {
        free(r);
        return NULL;
    }
    if (r)
        r->out = r->values + dw;
    return r;
}

static void rung_close(struct rung *r)
{
    free(r->values);
    free(r);
}

static void start(struct rung *r, const struct drm_session *s, const char *text, u32 waves)
{
    struct err e;
    u32 dw;
    if (insn_parse_program(&s->isa, text, r->code, CODE_MAX, &dw, &e) != ST_OK)
        BUG(e.text);
    r->dw = 0;
    r->job = (struct gcncheck_job){ .size = sizeof r->job,
                                    .waves = waves,
                                    .mcpu = s->isa.target->mcpu,
                                    .code = r->code,
                                    .code_dw = dw,
                                    .max_steps = 1000,
                                    .pc = PC_DEFAULT,
                                    .poison = 2,
                                    .set = r->slot,
                                    .get = r->slot,
                                    .values = r->values,
                                    .out = r->out };
}

/* The place is set to values of its own and read back. */
static void carry(struct rung *r, u32 wave, u32 place, u32 mask)
{
    struct gcncheck_job *j = &r->job;
    if (j->set_count == SLOTS_MAX)
        BUG("a rung has too many slots");
    r->slot[j->set_count++] = (struct gcncheck_slot){ (u16)wave, (u16)place, r->dw };
    j->get_count = j->set_count;
    for (u32 i = 0; i < GCNCHECK_PLACE_DW(place); i++)
        r->values[r->dw++] = gcncheck_poison(3 + wave, place, i) & mask;
}

static void carry_scalars(struct rung *r, u32 wave)
{
    for (u32 place = 0; place <= GCNCHECK_VCC_HI; place++)
        carry(r, wave, place, ~0u);
    carry(r, wave, GCNCHECK_M0, ~0u);
    carry(r, wave, GCNCHECK_EXEC_LO, ~0u);
    carry(r, wave, GCNCHECK_EXEC_HI, ~0u);
    carry(r, wave, GCNCHECK_SCC, 1);
    carry(r, wave, GCNCHECK_TRAPSTS, 0x1ff);
    carry(r, wave, GCNCHECK_MODE, 0x8003ff); /* without exceptions */
}

static void fill_lds(struct rung *r, u32 bytes)
{
    r->job.lds = r->lds;
    r->job.lds_size = bytes;
    for (u32 i = 0; i < bytes; i++)
        r->lds[i] = (u8)hash_mix(7, i);
}

/* ---- the rungs ---- */

static void rung_end(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
}

static void rung_scalars(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    carry_scalars(r, 0);
}

/* The same bits the other way round: a bit that is always 0 or always 1 shows. */
static void rung_scalars_not(struct rung *r, const struct drm_session *s)
{
    static const u32 bits[] = { [GCNCHECK_SCC - GCNCHECK_SCC] = 1,
                                [GCNCHECK_MODE - GCNCHECK_SCC] = 0x8003ff,
                                [GCNCHECK_TRAPSTS - GCNCHECK_SCC] = 0x1ff };
    rung_scalars(r, s);
    for (u32 i = 0; i < r->job.set_count; i++) {
        u32 place = r->slot[i].place;
        r->values[r->slot[i].index] ^= place < GCNCHECK_SCC ? ~0u : bits[place - GCNCHECK_SCC];
    }
}

static void rung_vectors(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; i < DRM_VGPRS - DRM_SCALAR_ROWS; i++)
        carry(r, 0, GCNCHECK_V0 + i, ~0u);
}

/* With EXEC off, which no load and no store may heed. */
static void rung_few_vectors(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; i < 14; i++)
        carry(r, 0, GCNCHECK_V0 + i, ~0u);
    carry(r, 0, GCNCHECK_EXEC_LO, 0);
    carry(r, 0, GCNCHECK_EXEC_HI, 0x80);
}

static void rung_accs(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; isa_target_has(s->isa.target, FEATUREBIT_MAI) && i < 256; i++)
        carry(r, 0, GCNCHECK_A0 + i, ~0u);
    carry(r, 0, GCNCHECK_V0, ~0u);
}

static void rung_lds(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    fill_lds(r, LDS_MAX);
    carry(r, 0, GCNCHECK_V0, ~0u);
    carry(r, 0, GCNCHECK_V0 + 1, ~0u);
}

static void rung_waves(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_barrier\ns_endpgm", DRM_WAVES_MAX);
    fill_lds(r, 1024);
    for (u32 w = 0; w < DRM_WAVES_MAX; w++) {
        for (u32 i = 0; i < 6; i++)
            carry(r, w, GCNCHECK_V0 + i, ~0u);
        carry(r, w, 0, ~0u);
        carry(r, w, 101, ~0u);
        carry(r, w, GCNCHECK_SCC, 1);
    }
}

static void rung_memory(struct rung *r, const struct drm_session *s)
{
    start(r, s,
          "global_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(0)\nv_not_b32 v1, v1\n"
          "global_store_dword v[2:3], v1, off offset:256\ns_endpgm",
          1);
    r->window = (struct gcncheck_window){ MEMORY_AT, MEMORY_BYTES, r->bytes };
    r->job.windows = &r->window;
    r->job.window_count = 1;
    for (u32 i = 0; i < MEMORY_BYTES; i++)
        r->bytes[i] = (u8)(i < 256 ? hash_mix(9, i) : 0);
    for (u32 place = GCNCHECK_V0 + 2; place < GCNCHECK_V0 + 4; place++)
        carry(r, 0, place, 0);
    for (u32 place = GCNCHECK_EXEC_LO; place <= GCNCHECK_EXEC_HI; place++) {
        carry(r, 0, place, 0);
        r->values[r->dw - 1] = ~0u;
    }
    for (u32 lane = 0; lane < LANES; lane++) {
        r->values[r->slot[0].index + lane] = (u32)MEMORY_AT + lane * 4;
        r->values[r->slot[1].index + lane] = (u32)(MEMORY_AT >> 32);
    }
}

/* ---- what must have come back ---- */

static enum status wrong(struct err *e, const char *what, u32 wave, u32 place, u32 lane, u32 want,
                         u32 got)
{
    char name[16];
    struct text t;
    text_init(&t, name, sizeof name);
    if (place >= GCNCHECK_V0 && place < GCNCHECK_SCC)
        text_add(&t, "%c%u", place < GCNCHECK_A0 ? 'v' : 'a', place & 255);
    else if (place <= CODE_SGPR_LAST)
        text_add(&t, "s%u", place);
    else
        text_add(&t, "place %u", place);
    return err_set(e, ST_INPUT, "%s: %s lane %u of wave %u: 0x%08x came back as 0x%08x", what, name,
                   lane, wave, want, got);
}

static enum status compare(const struct rung *r, const u8 *lds, const char *what, struct err *e)
{
    const struct gcncheck_job *j = &r->job;
    for (u32 i = 0; i < j->get_count; i++)
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(r->slot[i].place); lane++) {
            u32 at = r->slot[i].index + lane;
            if (r->values[at] != r->out[at])
                return wrong(e, what, r->slot[i].wave, r->slot[i].place, lane, r->values[at],
                             r->out[at]);
        }
    for (u32 i = 0; i < j->lds_size; i++)
        if (j->lds[i] != lds[i])
            return err_set(e, ST_INPUT, "%s: byte %u of LDS: 0x%02x came back as 0x%02x", what, i,
                           lds[i], j->lds[i]);
    for (u32 i = 0; j->window_count && i < MEMORY_BYTES; i++)
        if (r->bytes[i] != (u8)(i < 256 ? hash_mix(9, i) : ~hash_mix(9, i - 256)))
            return err_set(e, ST_INPUT, "%s: byte %u of memory is 0x%02x", what, i, r->bytes[i]);
    return ST_OK;
}

enum status drm_ladder(struct drm_session *s, struct err *e)
{
    static const struct {
        const char *what;
        void (*fill)(struct rung *r, const struct drm_session *s);
    } rungs[] = {
        { "a program that ends", rung_end },
        { "few vector registers", rung_few_vectors },
        { "scalar registers", rung_scalars },
        { "scalar registers, turned over", rung_scalars_not },
        { "all vector registers", rung_vectors },
        { "accumulation registers", rung_accs },
        { "all of LDS", rung_lds },
        { "sixteen waves", rung_waves },
        { "global memory", rung_memory },
        { "the first program again", rung_few_vectors }, /* other code where code has been */
    };
    struct rung *r = rung_open();
    u8 *lds = malloc(LDS_MAX);
    enum status st = r && lds ? ST_OK : err_memory(e);
    for (u32 i = 0; i < COUNT_OF(rungs) && st == ST_OK; i++) {
        rungs[i].fill(r, s);
        memcpy(lds, r->lds, LDS_MAX);
        st = drm_run(s, &r->job, e);
        if (st == ST_OK && r->job.outcome != GCNCHECK_DONE)
            st = err_set(e, ST_INPUT, "%s: rung %u, %s: %s", s->d.node, i + 1, rungs[i].what,
                         r->job.reason);
        char what[120];
        struct text t;
        text_init(&t, what, sizeof what);
        text_add(&t, "%s: rung %u, %s", s->d.node, i + 1, rungs[i].what);
        if (st == ST_OK)
            st = compare(r, lds, what, e);
    }
    if (r)
        rung_close(r);
    free(lds);
    return st;
}
