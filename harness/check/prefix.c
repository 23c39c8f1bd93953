/* Prefixes: which beginning of a program differs where no single instruction does. */
#include "harness/check/internal.h"

/* The job with another program of n dwords, each of which may be a step of its own. */
static struct gcncheck_job *job_of_code(struct jobbuf *dst, const struct gcncheck_job *start,
                                        const u32 *code, u32 n)
{
    compare_copy(dst, start);
    job_code(dst, code, n, start->pc);
    struct gcncheck_job *j = compare_ready(dst, start);
    if (j)
        j->max_steps += n;
    return j;
}

/* ---- of the program as it stands ---- */

/* The program with everything from dword `keep` on replaced by waits down to the s_endpgm at its
 * end, so that branches still have their targets and nothing is left outstanding. */
static struct gcncheck_job *prefix_job(struct jobbuf *dst, const struct gcncheck_job *start,
                                       u32 keep)
{
    u32 code[PREFIX_DW_MAX], n = start->code_dw;
    memcpy(code, start->code, keep * sizeof *code);
    for (u32 at = keep; at < n; at++)
        code[at] = (u32)(at + 1 < n ? DW_WAIT : DW_END);
    return job_of_code(dst, start, code, n);
}

struct prefixes {
    struct compare *c;
    const struct gcncheck_job *start;
    const struct explain_cfg *cfg;
    u32 count, number; /* collected; instructions of the last of them */
    struct insn last[COMPARE_BATCH];
    struct subject s[COMPARE_BATCH];
};

static void report(const struct prefixes *p, const struct insn *last, u32 step,
                   const struct subject *s)
{
    p->cfg->fn(
        p->cfg->arg,
        &(struct cause){
            .tier = TIER_PREFIX, .insn = *last, .step = step, .start = s->start, .j = s->j });
}

/* Judges the prefixes collected; the first that differs is reported. */
static enum status judge_prefixes(struct prefixes *p, bool *found, struct err *e)
{
    enum status st = compare_with(p->c, p->c->ref, p->s, p->count, e);
    for (u32 i = 0; i < p->count && !*found; i++) {
        *found = p->s[i].j.verdict == JUDGED_WRONG;
        if (*found)
            report(p, &p->last[i], p->number - p->count + i + 1, &p->s[i]);
    }
    p->count = 0;
    return st;
}

static enum status scan_program(struct prefixes *p, bool *found, struct err *e)
{
    const struct gcncheck_job *start = p->start;
    enum status st = ST_OK;
    u32 n = start->code_dw <= PREFIX_DW_MAX ? start->code_dw : 0;
    u32 most = p->cfg->singly ? 1 : p->c->batch;
    for (u32 at = 0; at + 1 < n && st == ST_OK && !*found;) {
        at += compare_decode(compare_isa(p->c), start, at, &p->last[p->count]);
        struct gcncheck_job *j = prefix_job(p->c->step[p->count], start, at);
        p->s[p->count++] = (struct subject){ .start = j, .all = true };
        p->number++;
        if (p->count == most)
            st = judge_prefixes(p, found, e);
    }
    return st == ST_OK && !*found ? judge_prefixes(p, found, e) : st;
}

/* ---- of what is executed ---- */

void prefix_add(struct path *p, const struct insn *in, u32 step)
{
    if (p->count == STEPS_MAX || p->dw + INSN_DW_MAX + 2 > PREFIX_DW_MAX)
        return;
    p->dw += insn_encode(in, p->code + p->dw);
    p->end[p->count] = (u16)p->dw;
    p->step[p->count++] = (u16)step;
}

/* The first `count` instructions of the path as a program. */
static struct gcncheck_job *path_job(struct jobbuf *dst, const struct gcncheck_job *start,
                                     const struct path *path, u32 count)
{
    u32 code[PREFIX_DW_MAX], n = count ? path->end[count - 1] : 0;
    memcpy(code, path->code, n * sizeof *code);
    code[n++] = (u32)DW_WAIT;
    code[n++] = (u32)DW_END;
    return job_of_code(dst, start, code, n);
}

/* Judges one; the job stays in a buffer of its own. */
static enum status judge_path(struct prefixes *p, const struct path *path, u32 count,
                              struct subject *s, struct err *e)
{
    *s = (struct subject){ .start = path_job(p->c->step[0], p->start, path, count), .all = true };
    return compare_with(p->c, p->c->ref, s, 1, e);
}

/* The shortest is found by halving: what differs once mostly goes on to. */
static enum status halve_path(struct prefixes *p, const struct path *path, bool *found,
                              struct err *e)
{
    struct subject s;
    u32 right = 0, wrong = path->count;
    enum status st = judge_path(p, path, wrong, &s, e);
    if (st != ST_OK || s.j.verdict != JUDGED_WRONG)
        return st;
    while (st == ST_OK && wrong - right > 1) {
        u32 middle = right + (wrong - right) / 2;
        st = judge_path(p, path, middle, &s, e);
        *(s.j.verdict == JUDGED_WRONG ? &wrong : &right) = middle;
    }
    if (st == ST_OK)
        st = judge_path(p, path, wrong, &s, e);
    *found = st == ST_OK && s.j.verdict == JUDGED_WRONG;
    if (*found) {
        u32 at = wrong > 1 ? path->end[wrong - 2] : 0;
        struct insn last;
        insn_decode(compare_isa(p->c), path->code + at, path->end[wrong - 1] - at, &last, NULL);
        report(p, &last, path->step[wrong - 1], &s);
    }
    return st;
}

/* In a loop a prefix of the program as it stands says no more than that the loop is needed. */
enum status prefix_explain(struct compare *c, const struct gcncheck_job *start,
                           const struct path *path, const struct explain_cfg *cfg, bool *found,
                           struct err *e)
{
    struct prefixes p = { .c = c, .start = start, .cfg = cfg };
    enum status st = ST_OK;
    *found = false;
    if (path && path->goes_back && path->count)
        st = halve_path(&p, path, found, e);
    return st == ST_OK && !*found ? scan_program(&p, found, e) : st;
}
