/* What a device must be able to do before jobs are given to it, each rung upon those before it. The
 * rungs run as jobs do; their results are known without a model: what the program does not touch
 * comes back as it was. */
#include "harness/drm/internal.h"

#include "oracle/insn/insn.h"
#include "oracle/state/place.h"

#include <stdlib.h>

enum { SEED = 3, SLOTS_MAX = 700, CODE_MAX = 2000, TEXT_MAX = 32 << 10, MEMORY_BYTES = 512 };

/* Within the 64 GiB that the kernel gives the smallest machine's old cards. */
#define MEMORY_AT 0x800000000ull

/* Slots, values and memory of a rung's job. */
struct rung {
    struct gcncheck_job job;
    struct gcncheck_slot slot[SLOTS_MAX];
    struct gcncheck_window window;
    u32 code[CODE_MAX];
    u8 bytes[MEMORY_BYTES], lds[LDS_MAX];
    u32 *values, *want, *out; /* by the slots' index: at the start, at the end */
    u32 dw;
};

static struct rung *rung_open(void)
{
    struct rung *r = calloc(1, sizeof *r);
    size_t dw = SLOTS_MAX * (size_t)LANES;
    if (r)
        r->values = calloc(3 * dw, sizeof *r->values);
    if (r && !r->values) {
        free(r);
        return NULL;
    }
    if (r) {
        r->want = r->values + dw;
        r->out = r->want + dw;
    }
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

/* The place is set to values of its own and read back; bits of `flips` are turned over by the
 * program. */
static void carry(struct rung *r, u32 wave, u32 place, u32 mask, u32 flips)
{
    struct gcncheck_job *j = &r->job;
    if (j->set_count == SLOTS_MAX)
        BUG("a rung has too many slots");
    r->slot[j->set_count++] = (struct gcncheck_slot){ (u16)wave, (u16)place, r->dw };
    j->get_count = j->set_count;
    for (u32 i = 0; i < GCNCHECK_PLACE_DW(place); i++) {
        r->values[r->dw] = gcncheck_poison(SEED + wave, place, i) & mask;
        r->want[r->dw] = r->values[r->dw] ^ flips;
        r->dw++;
    }
}

/* One dword of a value that is not drawn. */
static void fix(struct rung *r, u32 at, u32 value)
{
    r->values[at] = r->want[at] = value;
}

enum { TRAPSTS_MASK = 0x1ff };

/* The modes that may be set without a trap handler. */
static u32 mode_mask(const struct drm_session *s)
{
    return isa_target_has(s->isa.target, FEATUREBIT_FP16_OVFL) ? 0x8003ff : 0x3ff;
}

static void carry_scalars(struct rung *r, const struct drm_session *s, u32 wave, u32 flips)
{
    for (u32 place = 0; place <= GCNCHECK_VCC_HI; place++)
        carry(r, wave, place, ~0u, flips);
    carry(r, wave, GCNCHECK_M0, ~0u, flips);
    carry(r, wave, GCNCHECK_EXEC_LO, ~0u, flips);
    carry(r, wave, GCNCHECK_EXEC_HI, ~0u, flips);
    carry(r, wave, GCNCHECK_SCC, 1, flips & 1);
    carry(r, wave, GCNCHECK_TRAPSTS, TRAPSTS_MASK, flips & TRAPSTS_MASK);
    carry(r, wave, GCNCHECK_MODE, mode_mask(s), flips & mode_mask(s));
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
    carry_scalars(r, s, 0, 0);
}

/* A program of several hundred lines. */
static void start_long(struct rung *r, const struct drm_session *s,
                       void (*write)(struct text *t, const struct drm_session *s))
{
    char *text = malloc(TEXT_MAX);
    struct text t;
    if (!text)
        BUG("no memory for a program");
    text_init(&t, text, TEXT_MAX);
    write(&t, s);
    text_add(&t, "s_endpgm\n");
    start(r, s, text, 1);
    free(text);
}

/* Where a constant is needed, it is that which turns over what the register starts with. */
static void write_not(struct text *t, const struct drm_session *s)
{
    u32 seed = SEED;
    u32 mode = ~gcncheck_poison(seed, GCNCHECK_MODE, 0) & mode_mask(s);
    u32 trapsts = ~gcncheck_poison(seed, GCNCHECK_TRAPSTS, 0) & TRAPSTS_MASK;
    char name[PLACE_NAME_MAX];
    for (u32 i = 0; i <= GCNCHECK_VCC_HI; i++) {
        place_name(s->isa.target->gen, i, name);
        text_add(t, "s_not_b32 %s, %s\n", name, name);
    }
    text_add(t, "s_not_b64 exec, exec\ns_not_b32 m0, m0\n");
    text_add(t, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 24), 0x%x\n", mode);
    text_add(t, "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0x%x\n", trapsts);
    text_add(t, "s_cmp_%s_u32 0, 0\n", gcncheck_poison(seed, GCNCHECK_SCC, 0) & 1 ? "lg" : "eq");
}

/* The program turns every bit over: a register that is not stored at the end shows. */
static void rung_scalars_not(struct rung *r, const struct drm_session *s)
{
    start_long(r, s, write_not);
    carry_scalars(r, s, 0, ~0u);
}

static void write_vectors_not(struct text *t, const struct drm_session *s)
{
    (void)s;
    for (u32 i = 0; i < DRM_VGPRS - DRM_SCALAR_ROWS; i++)
        text_add(t, "v_not_b32 v%u, v%u\n", i, i);
}

static void carry_exec(struct rung *r, u64 exec)
{
    carry(r, 0, GCNCHECK_EXEC_LO, 0, 0);
    fix(r, r->dw - 1, (u32)exec);
    carry(r, 0, GCNCHECK_EXEC_HI, 0, 0);
    fix(r, r->dw - 1, (u32)(exec >> 32));
}

static void rung_vectors_not(struct rung *r, const struct drm_session *s)
{
    start_long(r, s, write_vectors_not);
    carry_exec(r, ~0ull);
    for (u32 i = 0; i < DRM_VGPRS - DRM_SCALAR_ROWS; i++)
        carry(r, 0, GCNCHECK_V0 + i, ~0u, ~0u);
}

static void write_accs_not(struct text *t, const struct drm_session *s)
{
    for (u32 i = 0; isa_target_has(s->isa.target, FEATUREBIT_MAI) && i < 256; i++)
        text_add(t,
                 "v_accvgpr_read_b32 v0, a%u\ns_nop 1\nv_not_b32 v0, v0\n"
                 "v_accvgpr_write_b32 a%u, v0\n",
                 i, i);
}

static void rung_accs_not(struct rung *r, const struct drm_session *s)
{
    start_long(r, s, write_accs_not);
    carry_exec(r, ~0ull);
    for (u32 i = 0; isa_target_has(s->isa.target, FEATUREBIT_MAI) && i < 256; i++)
        carry(r, 0, GCNCHECK_A0 + i, ~0u, ~0u);
}

static void rung_vectors(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; i < DRM_VGPRS - DRM_SCALAR_ROWS; i++)
        carry(r, 0, GCNCHECK_V0 + i, ~0u, 0);
}

/* With EXEC off, which no load and no store may heed. */
static void rung_few_vectors(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; i < 14; i++)
        carry(r, 0, GCNCHECK_V0 + i, ~0u, 0);
    carry_exec(r, 1ull << 39);
}

static void rung_accs(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    for (u32 i = 0; isa_target_has(s->isa.target, FEATUREBIT_MAI) && i < 256; i++)
        carry(r, 0, GCNCHECK_A0 + i, ~0u, 0);
    carry(r, 0, GCNCHECK_V0, ~0u, 0);
}

static void rung_lds(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_endpgm", 1);
    fill_lds(r, LDS_MAX);
    carry(r, 0, GCNCHECK_V0, ~0u, 0);
    carry(r, 0, GCNCHECK_V0 + 1, ~0u, 0);
}

static void rung_waves(struct rung *r, const struct drm_session *s)
{
    start(r, s, "s_barrier\ns_endpgm", DRM_WAVES_MAX);
    fill_lds(r, 1024);
    for (u32 w = 0; w < DRM_WAVES_MAX; w++) {
        for (u32 i = 0; i < 6; i++)
            carry(r, w, GCNCHECK_V0 + i, ~0u, 0);
        carry(r, w, 0, ~0u, 0);
        carry(r, w, 101, ~0u, 0);
        carry(r, w, GCNCHECK_SCC, 1, 0);
    }
}

/* Dword i of memory, and what the program makes of it: the dword and 1, and 256 bytes on all its
 * bits turned over. A program that runs twice shows. */
static u32 memory_dword(u32 i, bool is_end)
{
    u32 v = (u32)hash_mix(9, i % LANES);
    return i < LANES ? v + is_end : is_end ? ~v : 0;
}

/* An address for each lane in a pair of registers. */
static void carry_addresses(struct rung *r, u32 reg, u64 from)
{
    carry(r, 0, GCNCHECK_V0 + reg, 0, 0);
    for (u32 lane = 0; lane < LANES; lane++)
        fix(r, r->dw - LANES + lane, (u32)from + lane * 4);
    carry(r, 0, GCNCHECK_V0 + reg + 1, 0, 0);
    for (u32 lane = 0; lane < LANES; lane++)
        fix(r, r->dw - LANES + lane, (u32)(from >> 32));
}

/* By GLOBAL instructions, or where there are none by FLAT ones, which have no offset there. */
static void rung_memory(struct rung *r, const struct drm_session *s)
{
    static const char global[] = "global_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(0)\n"
                                 "v_not_b32 v1, v1\nv_mov_b32 v4, 1\n"
                                 "global_atomic_add v[2:3], v4, off\n"
                                 "global_store_dword v[2:3], v1, off offset:256\ns_endpgm",
                      flat[] = "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
                               "v_not_b32 v1, v1\nv_mov_b32 v4, 1\nflat_atomic_add v[2:3], v4\n"
                               "flat_store_dword v[6:7], v1\ns_endpgm";
    static const char name[] = "global_load_dword";
    bool has_global = isa_find(&s->isa, name, sizeof name - 1) != OP_NONE;
    start(r, s, has_global ? global : flat, 1);
    r->window = (struct gcncheck_window){ MEMORY_AT, MEMORY_BYTES, r->bytes };
    r->job.windows = &r->window;
    r->job.window_count = 1;
    for (u32 i = 0; i < MEMORY_BYTES / 4; i++) {
        u32 v = memory_dword(i, false);
        memcpy(&r->bytes[i * 4], &v, sizeof v);
    }
    carry_exec(r, ~0ull);
    carry_addresses(r, 2, MEMORY_AT);
    carry_addresses(r, 6, MEMORY_AT + MEMORY_BYTES / 2);
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
    return err_set(e, ST_INPUT, "%s: %s lane %u of wave %u: 0x%08x came as 0x%08x", what, name,
                   lane, wave, want, got);
}

static enum status compare(const struct rung *r, const u8 *lds, const char *what, struct err *e)
{
    const struct gcncheck_job *j = &r->job;
    for (u32 i = 0; i < j->get_count; i++)
        for (u32 lane = 0; lane < GCNCHECK_PLACE_DW(r->slot[i].place); lane++) {
            u32 at = r->slot[i].index + lane;
            if (r->want[at] != r->out[at])
                return wrong(e, what, r->slot[i].wave, r->slot[i].place, lane, r->want[at],
                             r->out[at]);
        }
    for (u32 i = 0; i < j->lds_size; i++)
        if (j->lds[i] != lds[i])
            return err_set(e, ST_INPUT, "%s: byte %u of LDS: 0x%02x came back as 0x%02x", what, i,
                           lds[i], j->lds[i]);
    for (u32 i = 0; j->window_count && i < MEMORY_BYTES / 4; i++) {
        u32 v;
        memcpy(&v, &r->bytes[i * 4], sizeof v);
        if (v != memory_dword(i, true))
            return err_set(e, ST_INPUT, "%s: dword %u of memory: 0x%08x came as 0x%08x", what, i,
                           memory_dword(i, true), v);
    }
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
        { "vector registers, turned over", rung_vectors_not },
        { "accumulation registers", rung_accs },
        { "accumulation registers, turned over", rung_accs_not },
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
        st = drm_run(s, &r->job, 1, e);
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
