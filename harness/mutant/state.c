/* Mutants of state: the step loop (oracle/exec/exec.c) with something that one instruction leaves
 * behind for the next. None shows in a program of one instruction, whatever state it starts from;
 * each says how long the shortest is. */
#include "harness/mutant/mutant.h"
#include "oracle/state/effects.h"

enum { STATE_WAVES = 16 }; /* what harness/dut/model.c allows */

/* What a mutant remembers from one instruction of a wave to the next. A run starts with nothing
 * remembered. */
struct hidden {
    u32 mode, scc;
    u64 pair;    /* the true value of EXEC or VCC while another is shown */
    u64 shown;   /* the other */
    bool armed;  /* the next instruction is affected */
    bool active; /* this instruction is */
    bool is_changed;
    bool loaded; /* the last load's registers and what they held before are known */
    u16 code, dw;
    u32 old[4 * LANES], result[4 * LANES];
    struct xinsn last;    /* the last instruction of the form that leaves something behind */
    struct xinsn changed; /* executed in place of this instruction, if is_changed */
    u8 lds[LDS_MAX];      /* the true bytes while others are shown */
    bool kept[LDS_MAX];
};

struct twist {
    void (*before)(struct machine *m, struct wave *w, const struct xinsn *in, struct hidden *h);
    void (*after)(struct machine *m, struct wave *w, const struct xinsn *in, struct hidden *h);
    void (*leave)(struct wave *w,
                  struct hidden *h); /* nothing may stay behind; NULL: nothing would */
};

static enum stop run_twisted(struct machine *m, struct wave *w, u64 limit, const struct twist *t)
{
    struct hidden h;
    memset(&h, 0, offsetof(struct hidden, old));
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        h.is_changed = false;
        t->before(m, w, in, &h);
        exec_insn(w, h.is_changed ? &h.changed : in);
        t->after(m, w, in, &h);
        w->steps++;
    }
    if (t->leave)
        t->leave(w, &h);
    return w->stop;
}

static u64 flags_of(const struct xinsn *in)
{
    return insn_row(&in->insn)->flags;
}

static bool is_salu(const struct xinsn *in)
{
    return isa_is_salu(insn_row(&in->insn));
}

static bool is_valu(const struct xinsn *in)
{
    return isa_unit(insn_row(&in->insn)) == UNIT_VALU;
}

static u64 pair_at(const struct wave *w, u32 code)
{
    return pair_get(&w->sgpr[code]);
}

static void show_pair(struct wave *w, u32 code, struct hidden *h)
{
    h->active = true;
    h->pair = pair_at(w, code);
    pair_set(&w->sgpr[code], h->shown);
}

/* Puts the true value back unless the instruction wrote another one. */
static void unshow_pair(struct wave *w, u32 code, const struct xinsn *in, struct hidden *h)
{
    if (h->active && !effects_writes(&in->insn, code, 2))
        pair_set(&w->sgpr[code], h->pair);
    h->active = false;
}

/* ---- s_setreg of MODE: rounding and denormals change one instruction later ---- */

static void stale_mode_before(struct machine *m, struct wave *w, const struct xinsn *in,
                              struct hidden *h)
{
    (void)m, (void)in;
    h->mode = w->mode;
}

static void stale_mode_leave(struct wave *w, struct hidden *h)
{
    if (h->armed)
        wave_mode_changed(w);
    h->armed = false;
}

static void stale_mode_after(struct machine *m, struct wave *w, const struct xinsn *in,
                             struct hidden *h)
{
    (void)m;
    stale_mode_leave(w, h);
    if (!(flags_of(in) & FLAG_WR_MODE) || w->mode == h->mode)
        return;
    u32 now = w->mode;
    w->mode = h->mode;
    wave_mode_changed(w);
    w->mode = now;
    h->armed = true;
}

/* ---- a taken forward branch: the next ALU instruction that reads SCC reads the opposite ---- */

/* Whether the instruction, behind which PC stands, is about to branch forward. A branch to what
 * follows it counts, too; it shows with a greater distance. */
static bool is_taken_forward(struct wave *w, const struct xinsn *in)
{
    enum isa_flow flow = isa_flow(insn_row(&in->insn));
    if ((flow != FLOW_JUMP && flow != FLOW_BRANCH) || (i64)in->opnd[SLOT_TARGET].konst < 0)
        return false;
    struct xinsn farther = *in;
    farther.opnd[SLOT_TARGET].konst++;
    u64 pc = w->pc;
    in->sem(w, &farther);
    bool is_taken = w->pc != pc;
    w->pc = pc;
    return is_taken;
}

static void scc_lost_before(struct machine *m, struct wave *w, const struct xinsn *in,
                            struct hidden *h)
{
    (void)m;
    h->active = h->armed && flags_of(in) & FLAG_RD_SCC && !(flags_of(in) & FLAG_BRANCH);
    h->scc = w->scc;
    if (h->active)
        w->scc = !w->scc;
    if (h->active || flags_of(in) & FLAG_WR_SCC)
        h->armed = false;
    if (is_taken_forward(w, in))
        h->armed = true;
}

static void scc_lost_after(struct machine *m, struct wave *w, const struct xinsn *in,
                           struct hidden *h)
{
    (void)m;
    if (h->active && !(flags_of(in) & FLAG_WR_SCC))
        w->scc = h->scc;
}

/* ---- a scalar write of EXEC: a VALU instruction right behind it still uses the old EXEC ---- */

static void exec_latched_before(struct machine *m, struct wave *w, const struct xinsn *in,
                                struct hidden *h)
{
    (void)m;
    if (h->armed && is_valu(in))
        show_pair(w, CODE_EXEC, h);
    h->armed = false;
    if (!h->active)
        h->shown = wave_exec(w);
}

static void exec_latched_after(struct machine *m, struct wave *w, const struct xinsn *in,
                               struct hidden *h)
{
    (void)m;
    unshow_pair(w, CODE_EXEC, in, h);
    h->armed = is_salu(in) && wave_exec(w) != h->shown;
}

/* ---- VALU writes VCC: a VALU instruction right behind it still reads the old VCC ---- */

static void vcc_late_before(struct machine *m, struct wave *w, const struct xinsn *in,
                            struct hidden *h)
{
    (void)m;
    u64 before = wave_vcc(w);
    if (h->armed && is_valu(in))
        show_pair(w, CODE_VCC, h);
    else
        h->shown = before;
    h->armed = false;
}

static void vcc_late_after(struct machine *m, struct wave *w, const struct xinsn *in,
                           struct hidden *h)
{
    (void)m;
    bool was_active = h->active;
    unshow_pair(w, CODE_VCC, in, h);
    h->armed = !was_active && is_valu(in) && wave_vcc(w) != h->shown;
}

/* ---- a scalar write of VCC: s_cbranch_vccz and vccnz right behind it look at the old VCC ---- */

static void vccz_stale_before(struct machine *m, struct wave *w, const struct xinsn *in,
                              struct hidden *h)
{
    (void)m;
    if (h->armed && flags_of(in) & FLAG_RD_VCC)
        show_pair(w, CODE_VCC, h);
    else
        h->shown = wave_vcc(w);
    h->armed = false;
}

static void vccz_stale_after(struct machine *m, struct wave *w, const struct xinsn *in,
                             struct hidden *h)
{
    (void)m;
    unshow_pair(w, CODE_VCC, in, h);
    h->armed = is_salu(in) && wave_vcc(w) != h->shown;
}

/* ---- a load's result reaches SALU and VALU one instruction after s_waitcnt ---- */

static u32 *result_at(struct wave *w, const struct hidden *h, u32 i)
{
    if (h->code < CODE_VGPR)
        return &w->sgpr[h->code + i];
    return &w->vgpr[(h->code - CODE_VGPR + i / LANES) % VGPRS][i % LANES];
}

static u32 result_count(const struct hidden *h)
{
    return h->code < CODE_VGPR ? h->dw : h->dw * LANES;
}

static void late_load_leave(struct wave *w, struct hidden *h)
{
    for (u32 i = 0; h->armed && i < result_count(h); i++)
        *result_at(w, h, i) = h->result[i];
    h->armed = false;
}

static void late_load_before(struct machine *m, struct wave *w, const struct xinsn *in,
                             struct hidden *h)
{
    (void)m;
    if (!(is_salu(in) || is_valu(in)) || effects_writes(&in->insn, h->code, h->dw))
        late_load_leave(w, h);
    if (!(flags_of(in) & FLAG_LOAD))
        return;
    h->loaded = true;
    h->code = in->opnd[SLOT_D].code;
    h->dw = in->opnd[SLOT_D].dw;
    for (u32 i = 0; i < result_count(h); i++)
        h->old[i] = *result_at(w, h, i);
}

static void late_load_after(struct machine *m, struct wave *w, const struct xinsn *in,
                            struct hidden *h)
{
    (void)m;
    late_load_leave(w, h);
    if (!h->loaded || !(flags_of(in) & FLAG_WAIT))
        return;
    for (u32 i = 0; i < result_count(h); i++) {
        h->result[i] = *result_at(w, h, i);
        *result_at(w, h, i) = h->old[i];
    }
    h->loaded = false;
    h->armed = true;
}

/* ---- LDS: after a barrier a wave still reads what was there before the other waves wrote ---- */

/* Barriers leave a mark in the log: TBA, which no instruction writes, as it was. */
static bool is_mark(const struct wlog_entry *e)
{
    return e->place == PLACE_TBA_LO;
}

/* Shows w the LDS without what other waves wrote before the last barrier that w passed. Newest
 * first: bytes that w itself, or another wave since, has written stay. */
static void hide_writes(struct machine *m, const struct wave *w, const u32 *marks, struct hidden *h)
{
    u32 rounds[STATE_WAVES];
    memcpy(rounds, marks, sizeof rounds);
    memset(h->kept, 0, m->lds->size);
    for (u32 n = m->log.count; n-- > 0;) {
        const struct wlog_entry *e = &m->log.entry[n];
        if (is_mark(e))
            rounds[e->wave]--;
        if (e->place != PLACE_LDS)
            continue;
        const u8 *old = (const u8 *)&m->log.data[e->at];
        bool stays = e->wave == w->id || rounds[e->wave] >= marks[w->id];
        for (u32 i = 0; i < e->size; i++) {
            if (stays)
                h->kept[e->addr + i] = true;
            else if (!h->kept[e->addr + i])
                m->lds->bytes[e->addr + i] = old[i];
        }
    }
}

static void lds_stale_before(struct machine *m, struct wave *w, const struct xinsn *in,
                             struct hidden *h)
{
    h->active = flags_of(in) & FLAG_LOAD && flags_of(in) & FLAG_LDS && m->waves <= STATE_WAVES;
    if (!h->active)
        return;
    u32 marks[STATE_WAVES] = { 0 };
    for (u32 n = 0; n < m->log.count; n++)
        if (is_mark(&m->log.entry[n]))
            marks[m->log.entry[n].wave]++;
    memcpy(h->lds, m->lds->bytes, m->lds->size);
    if (marks[w->id])
        hide_writes(m, w, marks, h);
}

static void lds_stale_after(struct machine *m, struct wave *w, const struct xinsn *in,
                            struct hidden *h)
{
    if (h->active)
        memcpy(m->lds->bytes, h->lds, m->lds->size);
    u32 tba = (u32)w->tba;
    if (flags_of(in) & FLAG_BARRIER)
        wlog_reg(w, PLACE_TBA_LO, &tba, 1);
}

/* ---- what SDWA, DPP or an output modifier said is still there for the next instruction ---- */

/* Whether `in` is a VALU instruction without a form of its own, right behind one that is armed; if
 * so, h->changed is a copy of it. */
static bool is_after(const struct xinsn *in, struct hidden *h)
{
    h->is_changed = h->armed && is_valu(in) && in->insn.form == FORM_BASE;
    if (h->is_changed)
        h->changed = *in;
    return h->is_changed;
}

static void remember(const struct xinsn *in, bool armed, struct hidden *h)
{
    h->armed = armed;
    if (armed)
        h->last = *in;
}

static bool is_vector_source(const struct xop *o)
{
    return o->kind == K_SRC && o->code >= CODE_VGPR && isa_types[o->type].dwords == 1;
}

/* Source 0 is fetched as that of the instruction before, from its own register. */
static void stale_source(struct machine *m, struct wave *w, const struct xinsn *in,
                         struct hidden *h)
{
    (void)m, (void)w;
    struct xop *now = &h->changed.opnd[SLOT_S0];
    const struct xop *was = &h->last.opnd[SLOT_S0];
    if (!is_after(in, h) || !is_vector_source(&in->opnd[SLOT_S0]) || !is_vector_source(was))
        return;
    u16 code = now->code;
    *now = *was;
    now->code = code;
    memcpy(h->changed.lane_of, h->last.lane_of, sizeof h->changed.lane_of);
    h->changed.dpp_valid = h->last.dpp_valid;
    h->changed.dpp_rows = h->last.dpp_rows;
    h->changed.bound_ctrl = h->last.bound_ctrl;
}

static void stale_sdwa_after(struct machine *m, struct wave *w, const struct xinsn *in,
                             struct hidden *h)
{
    (void)m, (void)w;
    remember(in, in->insn.form == FORM_SDWA, h);
}

static void stale_dpp_after(struct machine *m, struct wave *w, const struct xinsn *in,
                            struct hidden *h)
{
    (void)m, (void)w;
    remember(in, in->insn.form == FORM_DPP, h);
}

static void stale_clamp_before(struct machine *m, struct wave *w, const struct xinsn *in,
                               struct hidden *h)
{
    (void)m, (void)w;
    if (is_after(in, h)) {
        h->changed.clamp = 1;
        h->changed.opnd[SLOT_D].direct = false;
    }
}

static void stale_clamp_after(struct machine *m, struct wave *w, const struct xinsn *in,
                              struct hidden *h)
{
    (void)m, (void)w;
    remember(in, is_valu(in) && in->clamp, h);
}

/* ---- the table ---- */

#define TWIST(name, leaves) TWIST_BY(name, name##_before, leaves)
#define TWIST_BY(name, before, leaves)                                        \
    static enum stop name##_run(struct machine *m, struct wave *w, u64 limit) \
    {                                                                         \
        static const struct twist t = { before, name##_after, leaves };       \
        return run_twisted(m, w, limit, &t);                                  \
    }                                                                         \
    static const struct exec_ops name##_ops = { .run = name##_run };
TWIST(stale_mode, stale_mode_leave)
TWIST(scc_lost, NULL)
TWIST(exec_latched, NULL)
TWIST(vcc_late, NULL)
TWIST(vccz_stale, NULL)
TWIST(late_load, late_load_leave)
TWIST(lds_stale, NULL)
TWIST_BY(stale_sdwa, stale_source, NULL)
TWIST_BY(stale_dpp, stale_source, NULL)
TWIST(stale_clamp, NULL)
#undef TWIST
#undef TWIST_BY

#define STATE(name, length, what)                                                   \
    {                                                                               \
        .id = "state." #name, .text = what, .enc = ENC_COUNT, .kind = MUTANT_STATE, \
        .witness = length, .exec = &name##_ops                                      \
    }
const struct mutant mutants_state[] = {
    /* s_setreg, v_add_f32 */
    STATE(stale_mode, 2, "rounding and denormals of s_setreg act one instruction late"),
    /* s_cbranch, s_cselect */
    STATE(scc_lost, 2,
          "a taken forward branch loses SCC: the next ALU instruction that reads it reads the "
          "opposite"),
    /* s_mov_b64 exec, v_mov */
    STATE(exec_latched, 2,
          "a VALU instruction right after a scalar write of EXEC uses the old EXEC"),
    /* v_cmp, v_cndmask */
    STATE(vcc_late, 2, "a VALU instruction right after a VALU write of VCC reads the old VCC"),
    /* s_mov_b64 vcc, s_cbranch_vccz, what it skips */
    STATE(vccz_stale, 3, "s_cbranch_vccz right after a scalar write of VCC looks at the old VCC"),
    /* load, s_waitcnt, v_mov */
    STATE(late_load, 3,
          "the instruction after s_waitcnt still reads what a load's destination held before"),
    /* ds_write, s_waitcnt, s_barrier, ds_read, s_waitcnt; two waves */
    STATE(lds_stale, 5,
          "after a barrier a wave reads LDS without what the other waves wrote before it"),
    /* v_mov_sdwa, v_mov */
    STATE(stale_sdwa, 2, "the instruction after SDWA selects the same part of its source 0"),
    /* v_mov_dpp, v_mov */
    STATE(stale_dpp, 2, "the instruction after DPP reads the same lanes of its source 0"),
    /* v_add_f32 clamp, v_add_f32 */
    STATE(stale_clamp, 2, "the instruction after one that clamps clamps its float, too"),
};
#undef STATE
const u32 mutants_state_count = COUNT_OF(mutants_state);
