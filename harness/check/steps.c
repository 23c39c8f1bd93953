/* Cutting a program that differs into step cases; prefix.c goes on where none of them does. */
#include "harness/check/internal.h"

#include "oracle/exec/schedule.h"
#include "oracle/state/effects.h"

enum {
    BRANCH_REACH = 1024 /* dwords between a branch and its target that a step case may have */
};

/* What marks the place where a branch should go, each by an instruction of its own, with the marker
 * in bits 22:16. All leave everything else as it is. Which of them can be relied on is found out on
 * the DUT, where a branch seems to go wrong: a mark that is wrong itself proves nothing. */
enum { MARKS = 4 };
static const u32 marks[][MARKS] = {
    {
        0xbe800081, /* s_mov_b32 s0, 1 */
        0xb0000001, /* s_movk_i32 s0, 1 */
        0xbe801a80, /* s_bitset1_b32 s0, 0 */
        0xbe800881, /* s_brev_b32 s0, 1 */
    },
    { 0xbe800381, 0xb0000001, 0xbe801d80, 0xbe800b81 }, /* the same before gfx8 */
};
enum { MARK_SDST_LSB = 16, MARK_SDST = 0x7f << MARK_SDST_LSB };

static u32 mark_word(enum gen gen, u32 mark, u16 marker)
{
    return marks[gen < GEN_GFX8][mark] | (u32)marker << MARK_SDST_LSB;
}

bool compare_is_mark(const struct insn *in, u16 marker)
{
    u32 dw[INSN_DW_MAX];
    bool found = false;
    if (!marker || in->op == OP_NONE || insn_encode(in, dw) != 1)
        return false;
    for (u32 i = 0; i < MARKS; i++)
        found |= dw[0] == mark_word((enum gen)in->gen, i, marker);
    return found;
}

struct cutting {
    struct compare *c;
    const struct gcncheck_job *start;
    const struct explain_cfg *cfg;
    struct explained *ex;
    struct judge_places known[16]; /* of each wave: set or written; the others hold poison still */
    bool all;                      /* step cases read everything back */
    bool hung;                     /* one of them did not come back */
    u32 log_seen;
    u32 waiting; /* step cases built and not yet judged */
    u32 number;  /* of the next one */
    struct insn insn[COMPARE_BATCH];
    u32 step[COMPARE_BATCH];
    u32 wave[COMPARE_BATCH];
    u64 pc[COMPARE_BATCH];
    struct path *path; /* NULL: there are several waves */
    struct subject subject[COMPARE_BATCH];
    struct doubts doubts[COMPARE_BATCH];
    struct traits traits[COMPARE_BATCH]; /* with cfg->judged */
};

/* Notes what is new in the model's log. */
static void learn(struct cutting *cut)
{
    const struct wlog *log = &cut->c->tracer->m->log;
    for (; cut->log_seen < log->count; cut->log_seen++) {
        const struct wlog_entry *w = &log->entry[cut->log_seen];
        if (w->place >= GCNCHECK_PLACES || w->place == PLACE_STATUS) /* no result depends on it */
            continue;
        u32 n = w->place >= PLACE_V0 && w->place < PLACE_SCC ? 1 : w->size;
        judge_add_places(&cut->known[w->wave], w->place, n);
    }
}

static bool touches(const struct effects *fx, u32 place)
{
    for (u32 i = 0; i < fx->count; i++)
        if (place >= fx->e[i].place && place < (u32)fx->e[i].place + fx->e[i].dw)
            return true;
    return false;
}

/* Whether the instruction can reach more than the registers that its row names: memory, LDS (LDS_DIRECT goes
 * with M0), registers that an index chooses. How many hold an image's address its descriptor says. */
static bool reaches_more(const struct wave *w, const struct insn *in, const struct effects *fx)
{
    const struct isa_row *row = insn_row(in);
    bool is_alu = isa_is_salu(row) || isa_unit(row) == UNIT_VALU || isa_unit(row) == UNIT_MATRIX;
    return !is_alu || w->special || touches(fx, CODE_M0);
}

/* The state that a wave of the model has now, as the start of a job of one wave. Most of it are vector
 * registers and memory, of which only what the instruction can reach is copied: other registers start
 * from poison, for the model as for the DUT. */
static void copy_state(const struct cutting *cut, const struct wave *w, const struct insn *in,
                       const struct effects *fx, struct jobbuf *dst)
{
    const struct machine *m = cut->c->tracer->m;
    const struct judge_places *k = &cut->known[w->id];
    bool all = cut->all || reaches_more(w, in, fx);
    jobbuf_reset(dst, cut->start->mcpu);
    for (u32 place = 0; place < GCNCHECK_PC_LO; place++) {
        bool is_vector = place >= PLACE_V0 && place < PLACE_SCC;
        if (!judge_has(k, place) || (is_vector && !all && !touches(fx, place)))
            continue;
        u32 *to = job_set(dst, 0, place);
        if (is_vector)
            memcpy(to, w->vgpr[place - PLACE_V0], sizeof w->vgpr[0]);
        else
            *to = wave_get(w, place, 0);
    }
    if (!all)
        return;
    for (u32 i = 0; i < m->mem.count; i++) {
        const struct mem_window *win = &m->mem.window[i];
        job_window(dst, win->base, win->size, win->bytes);
    }
    if (m->lds->size)
        job_lds(dst, m->lds->size, m->lds->bytes);
}

/* A scalar register that the instruction has nothing to do with; 0 if there is none. */
static u16 free_sgpr(const struct effects *fx)
{
    for (u32 s = 101; s > 0; s--) {
        bool is_used = false;
        for (u32 i = 0; i < fx->count; i++)
            is_used |= s >= fx->e[i].place && s < (u32)fx->e[i].place + fx->e[i].dw;
        if (!is_used)
            return (u16)s;
    }
    return 0;
}

/* How many dwords ahead of a branch an address lies that a step case may reach: 0 if it may not.
 * What lies back is out of reach: a program is entered at its first dword, so that it would take a
 * second branch to get to this one. */
static u32 reach(const struct insn *in, u64 pc, u64 to)
{
    u64 ahead = (to - pc) / 4;
    return to & 3 || to < pc + in->dw * 4u || ahead > BRANCH_REACH ? 0 : (u32)ahead;
}

/* The program of a branch: where the model goes on, a mark is set; everywhere else the program
 * ends, where the branch would go if it were taken, too: a device that takes it wrongly must not
 * run past the program, which it may refuse. False if the model's way is out of reach. */
static bool branch_code(struct jobbuf *dst, const struct insn *in, u64 pc, u64 land, u16 marker)
{
    u32 code[BRANCH_REACH + 2], mark = reach(in, pc, land), other = 0;
    if (!mark)
        return false;
    if (isa_flow_target(insn_row(in)) == TARGET_DISTANCE)
        other = reach(in, pc, insn_flow_target(in, pc));
    u32 n = insn_encode(in, code), end = mark + 2 > other + 1 ? mark + 2 : other + 1;
    while (n < end)
        code[n++] = (u32)DW_END;
    code[mark] = mark_word((enum gen)in->gen, 0, marker);
    job_code(dst, code, n, pc);
    return true;
}

static void plain_code(struct jobbuf *dst, const struct insn *in, const struct effects *fx, u64 pc)
{
    u32 code[INSN_DW_MAX + 2], n = insn_encode(in, code);
    if (fx->mem_read || fx->mem_write)
        code[n++] = (u32)DW_WAIT;
    code[n++] = (u32)DW_END;
    job_code(dst, code, n, pc);
}

/* The job of `start` with another program of n dwords, in the buffer for marks. */
static struct gcncheck_job *mark_job(struct compare *c, const struct gcncheck_job *start,
                                     const u32 *code, u32 n)
{
    compare_copy(c->mark, start);
    job_code(c->mark, code, n, start->pc);
    return compare_ready(c->mark, start);
}

/* Whether a mark does on the DUT what it should, from the state that the branch starts from. */
static enum status mark_is_right(struct compare *c, const struct subject *branch, u32 mark,
                                 bool *is_right, struct err *e)
{
    const u32 code[] = { mark_word(c->ref->isa.target->gen, mark, branch->marker), (u32)DW_END };
    struct subject s = { .start = mark_job(c, branch->start, code, COUNT_OF(code)),
                         .single = true,
                         .all = true };
    enum status st = compare_with(c, c->ref, &s, 1, e);
    *is_right = s.j.verdict == JUDGED_RIGHT;
    return st;
}

/* A branch that seems wrong is judged again by the first mark that is right by itself. Without any
 * nothing is known of it. */
static enum status judge_branch(struct cutting *cut, struct subject *s, struct err *e)
{
    const struct gcncheck_job *start = s->start;
    u32 code[BRANCH_REACH + 2], n = start->code_dw, at = n - 1;
    enum status st = ST_OK;
    bool is_right = false;
    memcpy(code, start->code, n * sizeof *code);
    enum gen gen = cut->c->ref->isa.target->gen;
    while (code[at] != mark_word(gen, 0, s->marker))
        at--;
    for (u32 i = 0; i < MARKS && st == ST_OK && !is_right; i++) {
        st = mark_is_right(cut->c, s, i, &is_right, e);
        code[at] = mark_word(gen, i, s->marker);
        if (st != ST_OK || !is_right || i == 0)
            continue;
        s->start = mark_job(cut->c, start, code, n);
        st = compare_with(cut->c, cut->c->ref, s, 1, e);
    }
    if (!is_right)
        s->j.verdict = JUDGED_INVALID;
    return st;
}

/* Judges the step cases that wait. */
static enum status flush(struct cutting *cut, struct err *e)
{
    enum status st = compare_with(cut->c, cut->c->ref, cut->subject, cut->waiting, e);
    for (u32 i = 0; i < cut->waiting; i++) {
        struct subject *s = &cut->subject[i];
        if (s->marker && s->j.verdict == JUDGED_WRONG && s->j.what != DIFF_OUTCOME && st == ST_OK)
            st = judge_branch(cut, s, e);
        if (cut->cfg->judged && !cut->all &&
            (s->j.verdict == JUDGED_RIGHT || s->j.verdict == JUDGED_WRONG))
            cut->cfg->judged(cut->cfg->arg, &cut->insn[i], &cut->traits[i], &s->j);
        if (cut->cfg->seen && (s->j.verdict == JUDGED_RIGHT || s->j.verdict == JUDGED_WRONG))
            cut->cfg->seen(cut->cfg->arg, &cut->insn[i], s);
        cut->ex->unsupported += s->j.verdict == JUDGED_UNSUPPORTED || s->j.refused;
        cut->ex->tolerated += s->j.tolerated;
        cut->hung |= s->j.outcome == OUT_HANG;
        if (s->j.verdict == JUDGED_UNSUPPORTED && cut->cfg->refused)
            cut->cfg->refused(cut->cfg->arg, cut->pc[i], &cut->insn[i]);
        if (s->j.verdict == JUDGED_WRONG) {
            cut->ex->causes++;
            cut->cfg->fn(cut->cfg->arg, &(struct cause){ .tier = TIER_STEP,
                                                         .insn = cut->insn[i],
                                                         .wave = cut->wave[i],
                                                         .step = cut->step[i],
                                                         .start = s->start,
                                                         .marker = s->marker,
                                                         .j = s->j,
                                                         .doubts = cut->doubts[i] });
        }
    }
    cut->ex->steps += cut->waiting;
    cut->waiting = 0;
    return st;
}

/* Of a certain opcode and form, no more than one may hang: each costs its time limit. */
static bool is_wanted(const struct cutting *cut, const struct insn *in)
{
    const struct explain_cfg *cfg = cut->cfg;
    if (cfg->wanted && !cut->all && !cfg->wanted(cfg->arg, in))
        return false;
    return cfg->only_op == OP_NONE ||
           (in->op == cfg->only_op && in->form == cfg->only_form && !cut->hung);
}

/* Executes one instruction of the traced model and adds its step case. */
static enum status cut_one(struct cutting *cut, struct wave *w, struct err *e)
{
    struct machine *m = cut->c->tracer->m;
    const struct xinsn *x = machine_fetch(m, w);
    if (!x)
        return ST_OK;
    struct insn in = x->insn;
    struct effects fx;
    u64 flags = insn_row(&in)->flags;
    struct jobbuf *dst = cut->c->step[cut->waiting];
    u64 pc = w->pc;
    effects_of(&in, &fx);
    learn(cut);
    bool is_case = !(flags & (FLAG_END | FLAG_BARRIER | FLAG_GDS_ONLY)) && is_wanted(cut, &in);
    if (is_case) {
        copy_state(cut, w, &in, &fx, dst);
        if (cut->cfg->judged)
            trait_find(w, x, &cut->traits[cut->waiting]);
        doubt_touched(&cut->c->doubt, w, x, &cut->c->tried, &cut->doubts[cut->waiting]);
    }
    machine_step(m, w);
    cut->number++;
    if (cut->path && !(flags & (FLAG_END | FLAG_BRANCH)))
        prefix_add(cut->path, &in, cut->number);
    if (cut->path && w->pc < pc)
        cut->path->goes_back = true;
    u16 marker = 0;
    if (is_case && flags & FLAG_BRANCH) {
        marker = free_sgpr(&fx);
        *job_set(dst, 0, marker) = 0;
        is_case = branch_code(dst, &in, pc, w->pc, marker);
    } else if (is_case) {
        plain_code(dst, &in, &fx, pc);
    }
    if (!is_case)
        return ST_OK;
    struct gcncheck_job *j = job_ready(dst);
    if (!j)
        return compare_short_of_memory(e);
    j->poison = cut->start->poison;
    j->max_steps = 16;
    cut->insn[cut->waiting] = in;
    cut->step[cut->waiting] = cut->number - 1;
    cut->wave[cut->waiting] = w->id;
    cut->pc[cut->waiting] = pc;
    cut->subject[cut->waiting++] = (struct subject){
        .start = j, .single = true, .all = cut->all, .marker = marker, .canary = cut->number
    };
    bool is_single = cut->cfg->singly || cut->cfg->only_op != OP_NONE;
    u32 most = is_single ? 1 : cut->c->batch;
    return cut->waiting == most ? flush(cut, e) : ST_OK;
}

/* Whether there is a reason to look at another step. */
static bool goes_on(const struct cutting *cut)
{
    return cut->number < STEPS_MAX && !(cut->cfg->first && cut->ex->causes);
}

/* Wave by wave up to the next wait, as machine_run goes. */
static enum status cut_steps(struct cutting *cut, struct err *e)
{
    struct machine *m = cut->c->tracer->m;
    enum status st = ST_OK;
    u32 before;
    do {
        before = cut->number;
        for (u32 i = 0; i < cut->start->waves; i++) {
            struct wave *w = m->wave[i];
            while (w->stop == STOP_NONE && st == ST_OK && goes_on(cut))
                st = cut_one(cut, w, e);
            cut->ex->cut_short |= w->stop == STOP_NONE && cut->number == STEPS_MAX;
        }
    } while (st == ST_OK && goes_on(cut) && (cut->number > before || schedule_barrier(m)));
    return st == ST_OK ? flush(cut, e) : st;
}

/* ---- all of a program ---- */

/* No step case differs: the sequence matters, or nothing differs any more. */
static enum status explain_sequence(struct cutting *cut, struct err *e)
{
    bool found = false;
    enum status st = prefix_explain(cut->c, cut->start, cut->path, cut->cfg, &found, e);
    cut->ex->causes += found;
    if (st != ST_OK || found)
        return st;
    struct subject whole = { .start = cut->start, .all = true };
    st = compare_with(cut->c, cut->c->ref, &whole, 1, e);
    if (st == ST_OK)
        cut->cfg->fn(cut->cfg->arg,
                     &(struct cause){ .tier = TIER_END, .start = cut->start, .j = whole.j });
    return st;
}

/* Traces the program from its start. With `all` every step case reads everything back. */
static enum status trace(struct cutting *cut, bool all, struct err *e)
{
    struct jobbuf *jb = jobbuf_new(); /* the traced model works on these windows */
    if (!jb)
        return err_memory(e);
    compare_copy(jb, cut->start);
    const struct gcncheck_job *traced = compare_ready(jb, cut->start);
    enum status st = traced ? model_start(cut->c->tracer, traced, e) : compare_short_of_memory(e);
    cut->all = all;
    cut->log_seen = cut->number = 0;
    memset(cut->known, 0, sizeof cut->known);
    if (cut->path)
        *cut->path = (struct path){ .dw = 0 };
    if (st == ST_OK)
        st = cut_steps(cut, e);
    jobbuf_free(jb);
    return st;
}

enum status compare_explain(struct compare *c, const struct gcncheck_job *start,
                            const struct explain_cfg *cfg, struct explained *ex, struct err *e)
{
    struct cutting cut = { .c = c, .start = start, .cfg = cfg, .ex = ex };
    struct path path;
    *ex = (struct explained){ 0 };
    if (!start)
        return compare_short_of_memory(e);
    cut.path = start->waves == 1 && !cfg->steps_only ? &path : NULL;
    enum status st = trace(&cut, false, e);
    if (cfg->steps_only)
        return st;
    /* Perhaps something was written that neither the row nor the canaries name. */
    if (st == ST_OK && ex->causes == 0) {
        *ex = (struct explained){ 0 };
        st = trace(&cut, true, e);
    }
    /* A difference that a rule accepts explains what follows from it. */
    if (st == ST_OK && ex->causes == 0 && ex->tolerated == 0)
        st = explain_sequence(&cut, e);
    return st;
}
