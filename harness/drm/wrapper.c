#include "harness/drm/wrapper.h"

#include "oracle/insn/insn.h"
#include "oracle/state/place.h"

#include <stdio.h>
#include <stdlib.h>

/* Which instructions may not follow one another without wait states: Vega ISA, chapter 4.5. Where
 * one might, s_nop stands, whether it is needed or not. */

enum { TEXT_BYTES = 160 << 10, CODE_DW = 8192, GROUPS = 64, TEMPS = DRM_GROUP };

/* The text of a program under way. */
struct writer {
    char *text;
    struct text t;
    drm_edit_fn *edit;
    void *ctx;
    const u32 *scalar; /* the wrapper's vector registers */
    const struct isa *isa;
};

static bool has(const struct writer *w, enum isa_feature_bit feature)
{
    return isa_target_has(w->isa->target, feature);
}

u32 drm_layout_vgprs(const struct drm_layout *l)
{
    u32 most = l->scalar[1] + 1;
    for (u32 i = 0; i < 2; i++) {
        u32 end = l->groups[i] ? DRM_GROUP * (64 - (u32)clz64(l->groups[i])) : 0;
        most = end > most ? end : most;
    }
    return most;
}

static void line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(struct writer *w, const char *fmt, ...)
{
    char one[128];
    va_list args;
    va_start(args, fmt);
    vsnprintf(one, sizeof one, fmt, args);
    va_end(args);
    if (!w->edit || w->edit(w->ctx, one, sizeof one))
        text_add(&w->t, "%s\n", one);
}

/* Vega ISA, table "Buffer Resource Descriptor"; with ADD_TID the data format is part of the stride but
 * on gfx7, where there must be one. */
u32 drm_wrapper_format(const struct isa *isa)
{
    return isa_target_has(isa->target, FEATUREBIT_LONG_STRIDE) ? 0x807fac : 0x827fac;
}

/* s[4:7]: a buffer of dwords from s[0:1] on, to which the lane's number is added; no range. */
static void write_descriptor(struct writer *w)
{
    line(w, "s_mov_b32 s4, s0");
    line(w, "s_and_b32 s5, s1, 0xffff");
    line(w, "s_or_b32 s5, s5, 0x40000");
    line(w, "s_mov_b32 s6, -1");
    line(w, "s_mov_b32 s7, 0x%x", drm_wrapper_format(w->isa));
}

static void write_move(struct writer *w, bool is_load, u32 reg, u32 offset)
{
    line(w, "buffer_%s_dword v%u, off, s[4:7], s3 offset:%u", is_load ? "load" : "store", reg,
         offset);
}

/* LDS from the record, or to it, by the first wave, in rows; v0 and v1 are free. s2: the number of
 * the wave; s9: bytes of LDS, s3: where they are behind s[0:1], or behind the descriptor's base. */
static void write_lds(struct writer *w, bool is_load)
{
    line(w, "s_cmp_lg_u32 s2, 0");
    line(w, "s_cbranch_scc1 lds_done");
    line(w, "s_min_u32 s9, s9, 0x%x", LDS_MAX); /* whatever has come, this ends */
    line(w, "s_cmp_eq_u32 s9, 0");
    line(w, "s_cbranch_scc1 lds_done");
    if (has(w, FEATUREBIT_LDS_LIMIT))
        line(w, "s_mov_b32 m0, -1");
    line(w, "s_movk_i32 s10, 0x%x", DRM_ROW);
    line(w, "v_mbcnt_lo_u32_b32 v1, -1, 0");
    line(w, "v_mbcnt_hi_u32_b32 v1, -1, v1");
    line(w, "v_lshlrev_b32 v1, 2, v1");
    line(w, "s_mov_b32 s8, 0");
    line(w, "lds_row:");
    line(w, is_load ? "buffer_load_dword v0, off, s[4:7], s3" : "ds_read_b32 v0, v1");
    line(w, "s_waitcnt vmcnt(0) lgkmcnt(0)");
    line(w, is_load ? "ds_write_b32 v1, v0" : "buffer_store_dword v0, off, s[4:7], s3");
    line(w, "s_waitcnt vmcnt(0) lgkmcnt(0)");
    line(w, "v_mad_u32_u24 v1, s10, 1, v1"); /* sums have other names elsewhere */
    line(w, "s_add_u32 s3, s3, 0x%x", DRM_ROW);
    line(w, "s_add_u32 s8, s8, 0x%x", DRM_ROW);
    line(w, "s_cmp_lt_u32 s8, s9");
    line(w, "s_cbranch_scc1 lds_row");
    line(w, "lds_done:");
}

/* The bodies of the groups: registers from or to rows at s3, which goes on. All of a kind are of the
 * same length, in bytes, so that the number of one gives its address. */
enum { V_BODY = 4 * 8 + 8 + 4, ACC_BODY = 4 * 8 + 4 + 4 * 8 + 4 + 8 + 4 };

static void write_v_body(struct writer *w, bool is_load, u32 group)
{
    for (u32 i = 0; i < DRM_GROUP; i++) {
        u32 reg = group * DRM_GROUP + i;
        if (reg != w->scalar[0] && reg != w->scalar[1])
            write_move(w, is_load, reg, i * DRM_ROW);
        else
            line(w, "s_nop 0\ns_nop 0");
    }
}

/* By way of v0 to v3. */
static void write_acc_body(struct writer *w, bool is_load, u32 group)
{
    u32 first = group * DRM_GROUP;
    for (u32 i = 0; i < TEMPS && is_load; i++)
        write_move(w, true, i, i * DRM_ROW);
    line(w, is_load ? "s_waitcnt vmcnt(0)" : "s_nop 1");
    for (u32 i = 0; i < TEMPS; i++)
        line(w, is_load ? "v_accvgpr_write_b32 a%u, v%u" : "v_accvgpr_read_b32 v%u, a%u",
             is_load ? first + i : i, is_load ? i : first + i);
    line(w, "s_nop 1");
    for (u32 i = 0; i < TEMPS && !is_load; i++)
        write_move(w, false, i, i * DRM_ROW);
}

/* Goes through the groups of s[8:9], from the first on. */
static void write_groups(struct writer *w, const char *kind, bool is_load, u32 body_bytes,
                         void (*body)(struct writer *w, bool is_load, u32 group))
{
    enum { LOOP_BYTES = 36, INLINE_MAX = 64, LITERAL_BYTES = 4 };
    /* From what s_getpc gives to the first body. */
    u32 loop_bytes = LOOP_BYTES + (body_bytes > INLINE_MAX ? LITERAL_BYTES : 0);
    line(w, "s_getpc_b64 s[14:15]");
    line(w, "%s_next:", kind);
    line(w, "s_or_b32 s10, s8, s9");
    line(w, "s_cbranch_scc0 %s_done", kind);
    line(w, "s_ff1_i32_b64 s10, s[8:9]");
    line(w, "s_bitset0_b64 s[8:9], s10");
    line(w, "s_mul_i32 s10, s10, 0x%x", body_bytes);
    line(w, "s_add_u32 s10, s10, %u", loop_bytes);
    line(w, "s_add_u32 s10, s14, s10");
    line(w, "s_addc_u32 s11, s15, 0");
    line(w, "s_setpc_b64 s[10:11]");
    for (u32 i = 0; i < GROUPS; i++) {
        body(w, is_load, i);
        line(w, "s_add_u32 s3, s3, 0x%x", DRM_GROUP * DRM_ROW);
        line(w, "s_branch %s_next", kind);
    }
    line(w, "%s_done:", kind);
}

/* Scalar registers of the rows by name; s0, s1, SCC, EXEC, MODE and TRAPSTS are dealt with apart. */
static const char *scalar_name(const struct writer *w, u32 index, char name[PLACE_NAME_MAX])
{
    return index == 64 + DRM_LANE_M0 ? "m0" : place_name(w->isa->target->gen, index, name);
}

enum { SCALARS = 64 + DRM_LANE_EXEC };

static void write_readlane(struct writer *w, const char *to, u32 index)
{
    line(w, "v_readlane_b32 %s, v%u, %u", to, w->scalar[index / 64], index % 64);
}

/* s2 and all behind it, one at a time, but for the groups that s0 has a bit for; s1 and SCC are free. */
static void write_scalars(struct writer *w, const char *kind,
                          void (*move)(struct writer *w, const char *reg, u32 index))
{
    char name[PLACE_NAME_MAX];
    for (u32 i = 2; i < SCALARS; i++) {
        u32 group = (i - DRM_SGPR_FIRST) / DRM_SGPR_GROUP;
        bool is_first = i >= DRM_SGPR_FIRST && (i - DRM_SGPR_FIRST) % DRM_SGPR_GROUP == 0;
        if (is_first && group <= DRM_SGPR_GROUPS)
            line(w, "%s_group%u:", kind, group);
        if (is_first && group < DRM_SGPR_GROUPS) {
            line(w, "s_and_b32 s1, s0, 0x%x", 1u << group);
            line(w, "s_cbranch_scc1 %s_group%u", kind, group + 1);
        }
        move(w, scalar_name(w, i, name), i);
    }
}

/* The mask of `kind` (0 of v, 1 of a) to s[8:9]. */
static void write_mask(struct writer *w, u32 kind)
{
    write_readlane(w, "s8", 64 + DRM_LANE_GROUPS + 2 * kind);
    write_readlane(w, "s9", 64 + DRM_LANE_GROUPS + 2 * kind + 1);
}

/* s[0:1]: the first record; s2: bytes of one; v0: the thread. The accumulation registers come last
 * in the record, and first here, as they need vector registers on their way. */
static void write_loads(struct writer *w)
{
    line(w, "s_mov_b64 exec, -1");
    line(w, "v_readfirstlane_b32 s12, v0");
    line(w, "s_lshr_b32 s12, s12, 6"); /* the number of the wave */
    line(w, "s_mul_i32 s3, s12, s2");
    line(w, "s_mov_b32 s2, s12");
    line(w, "s_add_u32 s0, s0, s3");
    line(w, "s_addc_u32 s1, s1, 0");
    write_descriptor(w);
    line(w, "s_mov_b32 s3, 0");
    line(w, "s_nop 4");
    write_move(w, true, w->scalar[0], 0);
    write_move(w, true, w->scalar[1], DRM_ROW);
    line(w, "s_waitcnt vmcnt(0)");
    write_readlane(w, "s9", 64 + DRM_LANE_LDS);
    write_readlane(w, "s3", 64 + DRM_LANE_LDS_AT);
    write_lds(w, true);
    line(w, "s_barrier");
    if (has(w, FEATUREBIT_MAI)) {
        write_mask(w, 0);
        line(w, "s_bcnt1_i32_b64 s3, s[8:9]");
        line(w, "s_lshl_b32 s3, s3, 10"); /* bytes of a group */
        line(w, "s_add_u32 s3, s3, 0x%x", DRM_SCALAR_ROWS * DRM_ROW);
        write_mask(w, 1);
        write_groups(w, "acc", true, ACC_BODY, write_acc_body);
    }
    write_mask(w, 0);
    line(w, "s_mov_b32 s3, 0x%x", DRM_SCALAR_ROWS * DRM_ROW);
    write_groups(w, "v", true, V_BODY, write_v_body);
    line(w, "s_waitcnt vmcnt(0)");
}

static void write_prologue(struct writer *w)
{
    write_loads(w);
    write_readlane(w, "s0", 64 + DRM_LANE_TRAPSTS);
    line(w, "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 9), s0");
    write_readlane(w, "s0", 64 + DRM_LANE_MODE);
    line(w, "s_setreg_b32 hwreg(HW_REG_MODE), s0");
    line(w, "s_nop 1");
    write_readlane(w, "s0", 64 + DRM_LANE_UNREAD);
    write_scalars(w, "load", write_readlane);
    write_readlane(w, "s0", 64 + DRM_LANE_SCC);
    line(w, "s_cmp_lg_u32 s0, 0");
    write_readlane(w, "exec_lo", 64 + DRM_LANE_EXEC);
    write_readlane(w, "exec_hi", 64 + DRM_LANE_EXEC + 1);
    write_readlane(w, "s0", 64 + DRM_LANE_ENTRY);
    write_readlane(w, "s1", 64 + DRM_LANE_ENTRY + 1);
    line(w, "s_nop 7");
    line(w, "s_setpc_b64 s[0:1]");
}

static void write_entry(struct writer *w)
{
    write_readlane(w, "s0", 0);
    write_readlane(w, "s1", 1);
    line(w, "s_nop 7");
}

static void write_writelane(struct writer *w, const char *from, u32 index)
{
    line(w, "v_writelane_b32 v%u, %s, %u", w->scalar[index / 64], from, index % 64);
}

/* The prologue the other way round: what SCC and s0 are needed for comes first. */
static void write_epilogue(struct writer *w)
{
    line(w, "s_nop 7");
    if (has(w, FEATUREBIT_GPR_INDEXING))
        line(w, "s_set_gpr_idx_off");
    line(w, "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)");
    write_writelane(w, "s0", 0);
    write_writelane(w, "s1", 1);
    write_writelane(w, "exec_lo", 64 + DRM_LANE_EXEC);
    write_writelane(w, "exec_hi", 64 + DRM_LANE_EXEC + 1);
    write_writelane(w, "src_scc", 64 + DRM_LANE_SCC);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_STATUS)");
    write_writelane(w, "s0", 64 + DRM_LANE_STATUS);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_MODE)");
    write_writelane(w, "s0", 64 + DRM_LANE_MODE);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)");
    write_writelane(w, "s0", 64 + DRM_LANE_TRAPSTS);
    write_readlane(w, "s0", 64 + DRM_LANE_UNASKED);
    write_scalars(w, "store", write_writelane);
    line(w, "s_mov_b64 exec, -1");
    write_readlane(w, "s0", 64 + DRM_LANE_OUT);
    write_readlane(w, "s1", 64 + DRM_LANE_OUT + 1);
    write_descriptor(w);
    line(w, "s_mov_b32 s3, 0");
    write_mask(w, 0);
    line(w, "s_nop 4");
    write_move(w, false, w->scalar[0], 0);
    write_move(w, false, w->scalar[1], DRM_ROW);
    line(w, "s_mov_b32 s3, 0x%x", DRM_SCALAR_ROWS * DRM_ROW);
    write_groups(w, "v", false, V_BODY, write_v_body);
    if (has(w, FEATUREBIT_MAI)) {
        line(w, "s_waitcnt vmcnt(0)");
        write_mask(w, 1);
        write_groups(w, "acc", false, ACC_BODY, write_acc_body);
    }
    line(w, "s_waitcnt vmcnt(0)");
    line(w, "s_barrier");
    write_readlane(w, "s2", 64 + DRM_LANE_NONCE);
    line(w, "s_and_b32 s2, s2, 0xf"); /* the number of the wave */
    write_readlane(w, "s9", 64 + DRM_LANE_LDS);
    write_readlane(w, "s3", 64 + DRM_LANE_LDS_AT);
    write_lds(w, false);
    if (isa_find(w->isa, "s_dcache_wb", strlen("s_dcache_wb")) != OP_NONE)
        line(w, "s_dcache_wb"); /* what the program has stored through the scalar cache */
    line(w, "s_waitcnt vmcnt(0) lgkmcnt(0)");
    line(w, "s_endpgm");
}

static enum status assemble(struct writer *w, const struct isa *isa, void (*write)(struct writer *),
                            u32 **code, u32 *dw, struct err *e)
{
    u32 *to = malloc(CODE_DW * sizeof *to);
    text_init(&w->t, w->text, TEXT_BYTES);
    if (!to)
        return err_memory(e);
    write(w);
    if (w->t.full)
        BUG("the wrapper's text is too long");
    enum status st = insn_parse_program(isa, w->text, to, CODE_DW, dw, e);
    if (st != ST_OK)
        free(to);
    else
        *code = to;
    return st;
}

enum status drm_wrapper_make(struct drm_wrapper *out, const struct isa *isa, const u32 *scalar,
                             drm_edit_fn *edit, void *ctx, struct err *e)
{
    struct writer w = {
        .text = malloc(TEXT_BYTES), .edit = edit, .ctx = ctx, .scalar = scalar, .isa = isa
    };
    if (!w.text)
        return err_memory(e);
    *out = (struct drm_wrapper){ .scalar = { scalar[0], scalar[1] } };
    enum status st = assemble(&w, isa, write_prologue, &out->prologue, &out->prologue_dw, e);
    if (st == ST_OK)
        st = assemble(&w, isa, write_epilogue, &out->epilogue, &out->epilogue_dw, e);
    if (st == ST_OK)
        st = assemble(&w, isa, write_entry, &out->entry, &out->entry_dw, e);
    free(w.text);
    if (st != ST_OK)
        drm_wrapper_free(out);
    return st;
}

void drm_wrapper_free(struct drm_wrapper *w)
{
    free(w->prologue);
    free(w->epilogue);
    free(w->entry);
    *w = (struct drm_wrapper){ 0 };
}

bool drm_wrapper_bend(const struct isa *isa, u32 *code, u32 dw, i32 epilogue)
{
    enum { REACH = 0x7fff };
    const u32 branch = 0xbf820000;
    struct insn in;
    for (u32 at = 0; at < dw; at += in.dw) {
        i32 distance = epilogue - (i32)(at + 1);
        insn_decode(isa, &code[at], dw - at, &in, NULL);
        if (!(insn_row(&in)->flags & FLAG_END))
            continue;
        if (distance > REACH || distance < -REACH)
            return false;
        code[at] = branch | ((u32)distance & 0xffff);
    }
    return true;
}
