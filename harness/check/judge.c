#include "harness/check/judge.h"

#include "oracle/state/effects.h"

static const char *const what_names[DIFF_WHAT_COUNT] = {
    [DIFF_NONE] = "nothing",
    [DIFF_OUTCOME] = "outcome",
    [DIFF_STRAY_REGISTER] = "stray-register",
    [DIFF_STRAY_MEMORY] = "stray-memory",
    [DIFF_PC] = "pc",
    [DIFF_VGPR] = "vgpr",
    [DIFF_SGPR] = "sgpr",
    [DIFF_VCC] = "vcc",
    [DIFF_EXEC] = "exec",
    [DIFF_M0] = "m0",
    [DIFF_SCC] = "scc",
    [DIFF_MODE] = "mode",
    [DIFF_TRAPSTS] = "trapsts",
    [DIFF_MEMORY] = "memory",
    [DIFF_LDS] = "lds",
};

const char *judge_what_name(enum diff_what what)
{
    return (u32)what < DIFF_WHAT_COUNT ? what_names[what] : "?";
}

bool judge_is_scalar(enum diff_what what)
{
    return what == DIFF_SGPR || what == DIFF_VCC || what == DIFF_EXEC || what == DIFF_M0;
}

const char *judge_cause_name(enum diff_what what)
{
    return judge_is_scalar(what) ? "scalar" : judge_what_name(what);
}

enum diff_what judge_what_of(u32 place)
{
    if (place >= GCNCHECK_V0 && place < GCNCHECK_SCC)
        return DIFF_VGPR;
    switch (place) {
    case GCNCHECK_VCC_LO:
    case GCNCHECK_VCC_HI: return DIFF_VCC;
    case GCNCHECK_EXEC_LO:
    case GCNCHECK_EXEC_HI: return DIFF_EXEC;
    case GCNCHECK_M0: return DIFF_M0;
    case GCNCHECK_SCC: return DIFF_SCC;
    case GCNCHECK_MODE: return DIFF_MODE;
    case GCNCHECK_TRAPSTS: return DIFF_TRAPSTS;
    default: return DIFF_SGPR;
    }
}

void judge_add_diff(struct judgement *j, const struct diff *d)
{
    j->verdict = JUDGED_WRONG;
    if (j->what == DIFF_NONE || d->what < j->what)
        j->what = d->what;
    if (d->place >= PLACE_V0 && d->place < PLACE_SCC)
        j->lanes |= 1ull << d->lane;
    else
        j->rest = true;
    j->diff_total++;
    if (j->diff_count < DIFFS_MAX)
        j->diff[j->diff_count++] = *d;
}

const char *judge_note(enum diff_what what)
{
    return what == DIFF_STRAY_REGISTER ? "not announced by the row"
           : what == DIFF_STRAY_MEMORY ? "not written by the program"
                                       : "";
}

const char *judge_unchanged(const char *old, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    text_add(&t, "unchanged (%s)", old);
    return buf;
}

const char *judge_want(u32 want, u32 start, char *buf, size_t size)
{
    char value[16];
    struct text t;
    text_init(&t, value, sizeof value);
    text_add(&t, "0x%08x", want);
    if (want == start)
        return judge_unchanged(value, buf, size);
    text_init(&t, buf, size);
    text_add(&t, "%s", value);
    return buf;
}

/* ---- places ---- */

void judge_add_places(struct judge_places *set, u32 place, u32 n)
{
    for (u32 i = place; i < place + n && i < GCNCHECK_PLACES; i++)
        set->bits[i / 64] |= 1ull << i % 64;
}

void judge_add_insn(struct judge_places *set, const struct insn *in, u32 dir)
{
    struct effects fx;
    if (dir & DIR_R)
        effects_of(in, &fx);
    else
        effects_written(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].dir & dir)
            judge_add_places(set, fx.e[i].place, fx.e[i].dw);
}

enum { SGPRS_NUMBERED = 102 };

void judge_watched(u64 number, u32 wave, u16 place[JUDGE_WATCHED])
{
    static const u16 named[JUDGE_NAMED] = { GCNCHECK_VCC_LO,  GCNCHECK_VCC_HI,  GCNCHECK_M0,
                                            GCNCHECK_EXEC_LO, GCNCHECK_EXEC_HI, GCNCHECK_SCC,
                                            GCNCHECK_MODE,    GCNCHECK_TRAPSTS };
    u32 n = JUDGE_NAMED;
    struct rng r;
    rng_seed(&r, hash_mix(number, wave));
    memcpy(place, named, sizeof named);
    while (n < JUDGE_NAMED + JUDGE_SGPRS)
        place[n++] = (u16)rng_below(&r, SGPRS_NUMBERED);
    while (n < JUDGE_WATCHED)
        place[n++] = (u16)(GCNCHECK_V0 + rng_below(&r, VGPRS));
}

/* ---- finding differences ---- */

void judge_register(const struct gcncheck_slot *slot, const u32 *want, const u32 *got,
                    judge_lane_fn *fn, void *arg)
{
    u32 n = GCNCHECK_PLACE_DW(slot->place);
    if (memcmp(want, got, n * sizeof *want) == 0)
        return;
    for (u32 lane = 0; lane < n; lane++)
        if (want[lane] != got[lane])
            fn(arg, slot, lane, want[lane], got[lane]);
}

u32 judge_dword(const u8 *bytes, u64 size, u64 at)
{
    u32 v = 0;
    memcpy(&v, bytes + at, size - at < 4 ? size - at : 4);
    return v;
}

void judge_bytes(const u8 *want, const u8 *got, u64 size, judge_dword_fn *fn, void *arg)
{
    if (size == 0 || memcmp(want, got, size) == 0)
        return;
    for (u64 at = 0; at < size; at += 4) {
        u32 w = judge_dword(want, size, at), g = judge_dword(got, size, at);
        if (w != g)
            fn(arg, at, w, g);
    }
}
