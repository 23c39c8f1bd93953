/* What the wrapper can carry. */
#include "harness/drm/wrapper.h"

#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <inttypes.h>

enum { CODE_DW_MAX = 30000 };

/* Whether an instruction's effect depends on where the program lies, which is not where the job
 * says: devices have no memory there. */
static bool depends_on_pc(const struct isa_row *row)
{
    enum isa_flow_target target = isa_flow_target(row);
    return isa_flows[row->flow].links || (target != TARGET_NONE && target != TARGET_DISTANCE) ||
           (row->flags & FLAG_BRANCH && row->flags & FLAG_WR_MODE);
}

/* Whether it may leave a bit of MODE behind that the epilogue has to end: vector instructions that
 * are skipped, register numbers that are indexed. */
static bool may_set_special_mode(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 hwreg = insn_get(in, FLD_simm16);
    u32 first = bits32(hwreg, 6, 5), count = bits32(hwreg, 11, 5) + 1;
    if (!(row->flags & FLAG_WR_MODE))
        return false;
    if (row->flags & FLAG_WR_VSKIP || row->enc == ENC_SOPC)
        return true;
    return row->enc == ENC_SOPK && bits32(hwreg, 0, 6) == HWREG_MODE &&
           first + count > MODE_GPR_IDX_EN;
}

static const char *refusal(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    if (row->flags & FLAG_END && in->op != OP_s_endpgm)
        return "ends in a way of its own";
    if (depends_on_pc(row))
        return "depends on where the program lies";
    if (may_set_special_mode(in))
        return "may leave VSKIP or GPR_IDX_EN set";
    if (row->flags & FLAG_GDS_ONLY || insn_get(in, FLD_gds))
        return "GDS is not allocated";
    return NULL;
}

/* What a job names: its program, and its slots. */
struct needs {
    struct drm_layout *l;
    bool by_code[DRM_VGPRS], by_slot[DRM_VGPRS];
};

static void need(struct needs *n, bool *named, u32 place, u32 dw)
{
    struct drm_layout *l = n->l;
    u32 end = place + dw;
    if (place >= GCNCHECK_V0 && place < GCNCHECK_A0)
        for (u32 i = place; i < end && i < GCNCHECK_A0; i++)
            named[i - GCNCHECK_V0] = true;
    if (place >= GCNCHECK_A0 && place < GCNCHECK_SCC && end - GCNCHECK_A0 > l->accs)
        l->accs = end - GCNCHECK_A0;
}

static enum status check_insn(const struct insn *in, struct needs *n, struct err *why)
{
    const char *no = refusal(in);
    if (no)
        return err_set(why, ST_INPUT, "%s: %s", insn_name(in), no);
    if (insn_row(in)->operand[0].kind == K_NONE)
        return ST_OK;
    struct effects fx;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        need(n, n->by_code, fx.e[i].place, fx.e[i].dw);
    if (insn_row(in)->flags & FLAG_RD_M0) /* any register, but hardly the last */
        need(n, n->by_code, GCNCHECK_V0, DRM_VGPRS - 2 * DRM_SCALAR_ROWS);
    return ST_OK;
}

static enum status check_code(const struct isa *isa, const struct gcncheck_job *job,
                              struct needs *n, struct err *why)
{
    struct insn in;
    if (job->code_dw > CODE_DW_MAX)
        return err_set(why, ST_INPUT, "a program of %u dwords", job->code_dw);
    for (u32 at = 0; at < job->code_dw; at += in.dw) {
        if (!insn_decode(isa, &job->code[at], job->code_dw - at, &in, why))
            return err_set(why, ST_INPUT, "dword %u is no instruction", at);
        enum status st = check_insn(&in, n, why);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static enum status check_windows(const struct gcncheck_job *job, struct err *why)
{
    if (job->window_count > DRM_BUFFERS_MAX - DRM_OWN)
        return err_set(why, ST_INPUT, "%u memory windows", job->window_count);
    for (u32 i = 0; i < job->window_count; i++) {
        u64 first = job->windows[i].address, last = first + job->windows[i].size - 1;
        if (first == GCNCHECK_EXPORTS)
            return err_set(why, ST_INPUT, "exports are not seen on a compute ring");
        if (first < DRM_VA_FIRST || last >= DRM_VA_END || last < first)
            return err_set(why, ST_INPUT, "memory at 0x%" PRIx64 ": nobody can map that", first);
        if (last >= DRM_CODE_VA && first < DRM_PACKET_VA + DRM_PACKET_BYTES)
            return err_set(why, ST_INPUT, "memory at 0x%" PRIx64 " is the wrapper's", first);
    }
    return ST_OK;
}

/* MODE at the start: what would change how the prologue goes on. TRAPSTS: what else it has is the
 * hardware's. */
static enum status check_start(const struct gcncheck_job *job, struct err *why)
{
    u32 special = 1u << MODE_GPR_IDX_EN | 1u << MODE_VSKIP | 1u << MODE_DEBUG | 7u << MODE_CSP;
    for (u32 i = 0; i < job->set_count; i++) {
        u32 place = job->set[i].place, value = job->values[job->set[i].index];
        if (place == GCNCHECK_MODE && value & special)
            return err_set(why, ST_INPUT, "MODE starts with VSKIP, GPR_IDX_EN, DEBUG_EN or CSP");
        if (place == GCNCHECK_TRAPSTS && value & ~(u32)TRAPSTS_EXCP)
            return err_set(why, ST_INPUT, "TRAPSTS starts with more than exceptions");
    }
    return ST_OK;
}

/* The last two that are not among `named`, nor `not`; false if there are none. */
static bool choose(const bool *named, const u32 * not, u32 count, u32 *two)
{
    u32 found = 0;
    for (u32 i = count; i-- > 2 && found < DRM_SCALAR_ROWS;)
        if (!named[i] && (!not || (i != not [0] && i != not [1])))
            two[DRM_SCALAR_ROWS - ++found] = i;
    return found == DRM_SCALAR_ROWS;
}

/* How many registers the waves get, few sizes, so that wrappers are used again; and which two are
 * the wrapper's: those that nothing names, if there are such; else two that the program does not
 * name, and others for a second run, which shows what the first two hold. */
static bool lay_vgprs(struct needs *n, struct drm_layout *second)
{
    enum { STEP = 8 };
    struct drm_layout *l = n->l;
    bool any[DRM_VGPRS];
    u32 last = 2;
    for (u32 i = 0; i < DRM_VGPRS; i++) {
        any[i] = n->by_code[i] || n->by_slot[i];
        last = any[i] && i + 1 > last ? i + 1 : last;
    }
    l->vgprs = (last + DRM_SCALAR_ROWS + STEP - 1) / STEP * STEP;
    if (l->vgprs > DRM_VGPRS)
        l->vgprs = DRM_VGPRS;
    if (choose(any, NULL, l->vgprs, l->scalar))
        return true;
    bool is_ok = choose(n->by_code, NULL, l->vgprs, l->scalar);
    *second = *l;
    return is_ok && choose(n->by_code, l->scalar, l->vgprs, second->scalar);
}

enum status drm_check(const struct isa *isa, const struct gcncheck_job *job, struct drm_layout *l,
                      struct drm_layout *second, struct err *why)
{
    struct needs n = { .l = l };
    memset(l, 0, sizeof *l);
    memset(second, 0, sizeof *second);
    l->waves = job->waves;
    l->lds = (job->lds_size + DRM_ROW - 1) / DRM_ROW * DRM_ROW;
    for (u32 i = 0; i < job->set_count; i++)
        need(&n, n.by_slot, job->set[i].place, 1);
    for (u32 i = 0; i < job->get_count; i++)
        need(&n, n.by_slot, job->get[i].place, 1);
    enum status st = check_code(isa, job, &n, why);
    if (st == ST_OK)
        st = check_windows(job, why);
    if (st == ST_OK)
        st = check_start(job, why);
    l->accs = (l->accs + 15) / 16 * 16;
    if (st == ST_OK && !lay_vgprs(&n, second))
        return err_set(why, ST_INPUT, "names all vector registers: the wrapper needs some");
    return st;
}
