/* What each member of a panel says: the judgement on all of them, and where they differ. */
#include "harness/check/internal.h"

/* Hands one place over if not all say the same. */
static void say_place(struct compare *c, const struct pending *p, struct compare_say *say,
                      const u32 *got)
{
    bool differs = false;
    const struct gcncheck_slot slot = { .wave = say->wave, .place = say->place };
    for (u32 m = 0; m < say->members; m++) {
        bool is_told = say->told >> m & 1;
        say->got[m] = is_told ? got[m] : say->want;
        if (say->got[m] != say->want && say->place < PLACE_MEM &&
            compare_accepts(c, p, say->answer[m], &slot, say->lane, say->want, got[m]))
            say->got[m] = say->want;
        differs |= say->got[m] != say->want;
    }
    if (differs)
        c->say(c->say_arg, say);
}

static void say_registers(struct compare *c, const struct pending *p, struct compare_say *say)
{
    const struct gcncheck_job *want = p->want;
    u32 got[PANEL_MAX];
    for (u32 i = 0; i < want->get_count; i++) {
        const struct gcncheck_slot *slot = &want->get[i];
        say->wave = slot->wave;
        say->place = slot->place;
        for (u32 lane = 0; lane < (u32)GCNCHECK_PLACE_DW(slot->place); lane++) {
            say->lane = (u8)lane;
            say->want = want->out[slot->index + lane];
            for (u32 m = 0; m < say->members; m++)
                got[m] = say->told >> m & 1 ? say->answer[m]->out[slot->index + lane] : say->want;
            say_place(c, p, say, got);
        }
    }
}

/* Memory of the model, and of each member, NULL for those that say nothing. */
static void say_bytes(struct compare *c, const struct pending *p, struct compare_say *say,
                      const u8 *want, const u8 *const *bytes, u64 size, u64 address)
{
    u32 got[PANEL_MAX], differ = 0;
    for (u32 m = 0; m < say->members; m++)
        differ |= (u32)(bytes[m] && memcmp(bytes[m], want, size) != 0) << m;
    for (u64 at = 0; differ && at < size; at += 4) {
        say->addr = address + at;
        say->want = judge_dword(want, size, at);
        for (u32 m = 0; m < say->members; m++)
            got[m] = bytes[m] ? judge_dword(bytes[m], size, at) : say->want;
        say_place(c, p, say, got);
    }
}

static void say_memory(struct compare *c, const struct pending *p, struct compare_say *say)
{
    const struct gcncheck_job *want = p->want;
    const u8 *bytes[PANEL_MAX];
    say->wave = 0;
    say->lane = 0;
    say->place = PLACE_MEM;
    for (u32 i = 0; i < want->window_count; i++) {
        for (u32 m = 0; m < say->members; m++)
            bytes[m] = say->told >> m & 1 ? say->answer[m]->windows[i].bytes : NULL;
        say_bytes(c, p, say, want->windows[i].bytes, bytes, want->windows[i].size,
                  want->windows[i].address);
    }
    say->place = PLACE_LDS;
    for (u32 m = 0; m < say->members; m++)
        bytes[m] = say->told >> m & 1 ? say->answer[m]->lds : NULL;
    if (want->lds_size)
        say_bytes(c, p, say, want->lds, bytes, want->lds_size, 0);
}

static void say_places(struct compare *c, const struct pending *p, u32 job)
{
    struct compare_say say = { .members = panel_members(c->dut) };
    bool ended = true;
    for (u32 m = 0; m < say.members; m++) {
        say.answer[m] = panel_answer(c->dut, m, job);
        u32 outcome = say.answer[m]->outcome;
        say.told |= (u32)(outcome == OUT_DONE) << m;
        say.refused |= (u32)(outcome == OUT_UNSUPPORTED || outcome == OUT_NOT_RUN) << m;
        ended &= (say.told | say.refused) >> m & 1;
    }
    say.is_end = true;
    if (!ended)
        c->say(c->say_arg, &say);
    say.is_end = false;
    say_registers(c, p, &say);
    say_memory(c, p, &say);
}

/* Members that differ come first, the first of them before the others; then those that refuse. */
static u32 rank(const struct judgement *j)
{
    switch (j->verdict) {
    case JUDGED_INVALID: return 3;
    case JUDGED_WRONG: return 2;
    case JUDGED_UNSUPPORTED: return 1;
    default: return 0;
    }
}

void say_judge(struct compare *c, const struct pending *p, u32 job)
{
    struct subject *s = p->subject;
    const struct judgement start = s->j;
    struct judgement worst = start;
    u64 lanes = 0;
    u32 who = 0;
    bool rest = false, tolerated = false, refused = false;
    for (u32 m = 0; m < panel_members(c->dut); m++) {
        s->j = start;
        compare_judge(c, p, panel_answer(c->dut, m, job));
        who |= (u32)(s->j.verdict == JUDGED_WRONG) << m;
        lanes |= s->j.lanes;
        rest |= s->j.rest;
        tolerated |= s->j.tolerated;
        refused |= s->j.verdict == JUDGED_UNSUPPORTED;
        if (m == 0 || rank(&s->j) > rank(&worst))
            worst = s->j;
    }
    s->j = worst;
    s->j.lanes = lanes;
    s->j.rest = rest;
    s->j.tolerated = tolerated;
    s->j.refused = refused;
    s->j.who = worst.verdict == JUDGED_WRONG ? who : 0;
    if (c->say)
        say_places(c, p, job);
}
