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

/* A bit for each vector register. */
struct regs {
    u64 word[DRM_VGPRS / 64];
};

/* What a job names: its program, and its slots. */
struct needs {
    struct regs by_code, by_slot;
    u64 accs;  /* groups */
    u32 sgprs; /* groups that the program names */
    u32 count; /* of instructions that do not just wait or end */
    struct drm_needs *out;
};

static bool has(const struct regs *r, u32 reg)
{
    return r->word[reg / 64] >> reg % 64 & 1;
}

/* A bit for each group of scalar registers of which some are among these. */
static u32 sgpr_groups(u32 place, u32 dw)
{
    u32 groups = 0;
    for (u32 i = 0; i < DRM_SGPR_GROUPS; i++) {
        u32 first = DRM_SGPR_FIRST + i * DRM_SGPR_GROUP;
        groups |= (u32)(place < first + DRM_SGPR_GROUP && first < place + dw) << i;
    }
    return groups;
}

static void need(struct needs *n, struct regs *named, u32 place, u32 dw)
{
    u32 end = place + dw;
    if (place >= GCNCHECK_V0 && place < GCNCHECK_A0)
        for (u32 i = place - GCNCHECK_V0; i < end - GCNCHECK_V0 && i < DRM_VGPRS; i++)
            named->word[i / 64] |= 1ull << i % 64;
    if (place >= GCNCHECK_A0 && place < GCNCHECK_SCC)
        for (u32 i = place - GCNCHECK_A0; i < end - GCNCHECK_A0 && i < DRM_VGPRS; i++)
            n->accs |= 1ull << i / DRM_GROUP;
}

/* An image's descriptor says how long its address is: all that it may be. */
static void need_image_address(struct needs *n, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_IADDR)
            need(n, &n->by_code, GCNCHECK_V0 + insn_get(in, FLD_vaddr),
                 insn_operand_most(row, o, insn_operand_dw(in, o)));
}

static enum status check_insn(const struct insn *in, struct needs *n, struct err *why)
{
    const char *no = refusal(in);
    u64 flags = insn_row(in)->flags;
    if (no)
        return err_set(why, ST_INPUT, "%s: %s", insn_name(in), no);
    n->count += !(flags & (FLAG_END | FLAG_WAIT));
    n->out->is_open |= (flags & (FLAG_BRANCH | FLAG_BARRIER)) != 0;
    if (insn_row(in)->operand[0].kind == K_NONE)
        return ST_OK;
    struct effects fx;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++) {
        need(n, &n->by_code, fx.e[i].place, fx.e[i].dw);
        n->sgprs |= sgpr_groups(fx.e[i].place, fx.e[i].dw);
    }
    need_image_address(n, in);
    bool is_memory = (fx.mem_read || fx.mem_write) && fx.space != SPACE_LDS;
    n->out->touches_memory |= is_memory;
    n->out->is_open |= is_memory;
    return ST_OK;
}

static enum status check_code(const struct isa *isa, drm_insn_fn *may,
                              const struct gcncheck_job *job, struct needs *n, struct err *why)
{
    struct insn in;
    if (job->code_dw > CODE_DW_MAX)
        return err_set(why, ST_INPUT, "a program of %u dwords", job->code_dw);
    for (u32 at = 0; at < job->code_dw; at += in.dw) {
        if (!insn_decode(isa, &job->code[at], job->code_dw - at, &in, why))
            return err_set(why, ST_INPUT, "dword %u is no instruction", at);
        enum status st = check_insn(&in, n, why);
        if (st == ST_OK && may)
            st = may(isa, &in, why);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static enum status check_windows(const struct gcncheck_job *job, u64 va_end, struct err *why)
{
    if (job->window_count > DRM_BUFFERS_MAX - DRM_OWN)
        return err_set(why, ST_INPUT, "%u memory windows", job->window_count);
    for (u32 i = 0; i < job->window_count; i++) {
        u64 first = job->windows[i].address, last = first + job->windows[i].size - 1;
        if (first == GCNCHECK_EXPORTS)
            return err_set(why, ST_INPUT, "exports are not seen on a compute ring");
        if (first < DRM_VA_FIRST || last >= va_end || last < first)
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

/* The first pair below `most` that neither `named` nor `other` has. Few pairs, so that there are few
 * wrappers, and the lower first, so that waves are small. */
static bool choose(const struct regs *named, const u32 *other, u32 most, u32 *pair)
{
    static const u8 first[] = { 14, 30, 62, 126, 254, 252, 6 };
    for (u32 i = 0; i < COUNT_OF(first); i++) {
        u32 at = first[i];
        if (at + 1 >= most || has(named, at) || has(named, at + 1) || (other && other[0] == at))
            continue;
        pair[0] = at;
        pair[1] = at + 1;
        return true;
    }
    return false;
}

/* The groups of registers that waves have, and which two are the wrapper's: those that nothing
 * names, if there are such; else two that the program does not name, and others for a second run,
 * which shows what the first two hold. */
static enum status lay_vgprs(const struct needs *n, struct drm_layout *l, struct drm_layout *second,
                             struct err *why)
{
    u32 most = drm_vgprs_most(l->waves);
    struct regs any;
    for (u32 i = 0; i < COUNT_OF(any.word); i++) {
        any.word[i] = n->by_code.word[i] | n->by_slot.word[i];
        for (u64 left = any.word[i]; left; left &= left - 1) {
            u32 reg = i * 64 + (u32)ctz64(left);
            if (reg < most)
                l->groups[0] |= 1ull << reg / DRM_GROUP;
            else if (has(&n->by_code, reg))
                return err_set(why, ST_INPUT, "v%u: %u waves have %u vector registers each", reg,
                               l->waves, most);
        }
    }
    l->groups[1] = n->accs;
    if (choose(&any, NULL, most, l->scalar))
        return ST_OK;
    bool is_ok = choose(&n->by_code, NULL, most, l->scalar);
    *second = *l;
    if (is_ok && choose(&n->by_code, l->scalar, most, second->scalar))
        return ST_OK;
    return err_set(why, ST_INPUT, "names all vector registers: the wrapper needs some");
}

/* What is asked for must be there from the start on, as the program may leave it alone. */
static void lay_sgprs(const struct needs *n, const struct gcncheck_job *job, struct drm_layout *l)
{
    u32 asked = 0;
    for (u32 i = 0; i < job->get_count; i++)
        asked |= sgpr_groups(job->get[i].place, 1);
    l->unread = mask32(DRM_SGPR_GROUPS) & ~(n->sgprs | asked);
    l->unasked = mask32(DRM_SGPR_GROUPS) & ~asked;
}

enum status drm_check(const struct isa *isa, u64 va_end, drm_insn_fn *may,
                      const struct gcncheck_job *job, struct drm_needs *out, struct err *why)
{
    struct needs n = { .out = out };
    *out = (struct drm_needs){
        .layout = { .waves = job->waves, .lds = (job->lds_size + DRM_ROW - 1) / DRM_ROW * DRM_ROW }
    };
    for (u32 i = 0; i < job->set_count; i++)
        need(&n, &n.by_slot, job->set[i].place, 1);
    for (u32 i = 0; i < job->get_count; i++)
        need(&n, &n.by_slot, job->get[i].place, 1);
    enum status st = check_code(isa, may, job, &n, why);
    if (st == ST_OK)
        st = check_windows(job, va_end, why);
    if (st == ST_OK)
        st = check_start(job, why);
    lay_sgprs(&n, job, &out->layout);
    if (st == ST_OK)
        st = lay_vgprs(&n, &out->layout, &out->second, why);
    out->is_long = n.count > 1;
    return st;
}
