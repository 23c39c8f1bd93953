#include "harness/drm/wrapper.h"

#include "oracle/insn/insn.h"

#include <stdio.h>
#include <stdlib.h>

/* Which instructions may not follow one another without wait states: Vega ISA, chapter 4.5. Where
 * one might, s_nop stands, whether it is needed or not. */

enum { TEXT_BYTES = 128 << 10, CODE_DW = 8192, STEP = 4096 /* beyond the reach of an offset */ };

/* The text of a program under way. */
struct writer {
    char *text;
    struct text t;
    drm_edit_fn *edit;
    void *ctx;
    const struct drm_layout *l;
};

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

/* s[4:7]: a buffer of dwords from s[0:1] on, to which the lane's number is added; no range. Vega
 * ISA, table "Buffer Resource Descriptor"; with ADD_TID the data format is part of the stride. */
static void write_descriptor(struct writer *w)
{
    line(w, "s_mov_b32 s4, s0");
    line(w, "s_and_b32 s5, s1, 0xffff");
    line(w, "s_or_b32 s5, s5, 0x40000");
    line(w, "s_mov_b32 s6, -1");
    line(w, "s_mov_b32 s7, 0x807fac");
}

/* Loads or stores v`reg` from or to a row of the record. s3 holds the row's multiple of STEP. */
static void write_row(struct writer *w, bool is_load, u32 reg, u32 row)
{
    u32 at = row * DRM_ROW;
    if (at % STEP == 0 || row == 0)
        line(w, "s_mov_b32 s3, 0x%x", at / STEP * STEP);
    line(w, "buffer_%s_dword v%u, off, s[4:7], s3 offset:%u", is_load ? "load" : "store", reg,
         at % STEP);
}

/* The same where the row does not follow the one before. */
static void write_row_at(struct writer *w, bool is_load, u32 reg, u32 row)
{
    if (row * DRM_ROW % STEP)
        line(w, "s_mov_b32 s3, 0x%x", row * DRM_ROW / STEP * STEP);
    write_row(w, is_load, reg, row);
}

/* LDS from the record, or to it, by the first wave, in rows; v0 and v1 are free. s2: the number of
 * the wave. The record of LDS is behind those of all waves. */
static void write_lds(struct writer *w, bool is_load)
{
    const struct drm_layout *l = w->l;
    if (!l->lds)
        return;
    line(w, "s_cmp_lg_u32 s2, 0");
    line(w, "s_cbranch_scc1 lds_done");
    line(w, "v_mbcnt_lo_u32_b32 v1, -1, 0");
    line(w, "v_mbcnt_hi_u32_b32 v1, -1, v1");
    line(w, "v_lshlrev_b32 v1, 2, v1");
    line(w, "s_mov_b32 s3, 0x%x", l->waves * drm_layout_rows(l) * DRM_ROW);
    line(w, "s_mov_b32 s8, 0");
    line(w, "lds_row:");
    line(w, is_load ? "buffer_load_dword v0, off, s[4:7], s3" : "ds_read_b32 v0, v1");
    line(w, "s_waitcnt vmcnt(0) lgkmcnt(0)");
    line(w, is_load ? "ds_write_b32 v1, v0" : "buffer_store_dword v0, off, s[4:7], s3");
    line(w, "s_waitcnt vmcnt(0) lgkmcnt(0)");
    line(w, "v_add_u32 v1, 0x%x, v1", DRM_ROW);
    line(w, "s_add_u32 s3, s3, 0x%x", DRM_ROW);
    line(w, "s_add_u32 s8, s8, 0x%x", DRM_ROW);
    line(w, "s_cmp_lt_u32 s8, 0x%x", l->lds);
    line(w, "s_cbranch_scc1 lds_row");
    line(w, "lds_done:");
    if (l->waves > 1 && is_load)
        line(w, "s_barrier");
}

/* Scalar registers of the rows by name; s0, s1, SCC, EXEC, MODE and TRAPSTS are dealt with apart. */
static void scalar_name(u32 index, char *to, size_t size)
{
    static const char *const names[] = { "flat_scratch_lo",
                                         "flat_scratch_hi",
                                         "xnack_mask_lo",
                                         "xnack_mask_hi",
                                         "vcc_lo",
                                         "vcc_hi",
                                         "m0" };
    if (index <= CODE_SGPR_LAST)
        snprintf(to, size, "s%u", index);
    else
        snprintf(to, size, "%s", names[index - CODE_SGPR_LAST - 1]);
}

enum { SCALARS = 64 + DRM_LANE_EXEC };

static void write_readlane(struct writer *w, const char *to, u32 index)
{
    line(w, "v_readlane_b32 %s, v%u, %u", to, w->l->scalar[index / 64], index % 64);
}

static void write_prologue(struct writer *w)
{
    const struct drm_layout *l = w->l;
    char name[24];
    line(w, "s_mov_b64 exec, -1");
    line(w, "v_readfirstlane_b32 s2, v0");
    line(w, "s_lshr_b32 s2, s2, 6");
    line(w, "s_mul_i32 s3, s2, 0x%x", drm_layout_rows(l) * DRM_ROW);
    line(w, "s_add_u32 s0, s0, s3");
    line(w, "s_addc_u32 s1, s1, 0");
    write_descriptor(w);
    line(w, "s_nop 4");
    write_lds(w, true);
    for (u32 i = 0; i < l->accs; i++) {
        write_row_at(w, true, 0, l->vgprs + i);
        line(w, "s_waitcnt vmcnt(0)");
        line(w, "v_accvgpr_write_b32 a%u, v0", i);
        line(w, "s_nop 1");
    }
    for (u32 i = 0; i < l->vgprs; i++)
        write_row(w, true, i, i);
    line(w, "s_waitcnt vmcnt(0)");
    write_readlane(w, "s0", 64 + DRM_LANE_TRAPSTS);
    line(w, "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 9), s0");
    write_readlane(w, "s0", 64 + DRM_LANE_MODE);
    line(w, "s_setreg_b32 hwreg(HW_REG_MODE), s0");
    line(w, "s_nop 1");
    for (u32 i = 2; i < SCALARS; i++) {
        scalar_name(i, name, sizeof name);
        write_readlane(w, name, i);
    }
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
    line(w, "v_writelane_b32 v%u, %s, %u", w->l->scalar[index / 64], from, index % 64);
}

static void write_epilogue(struct writer *w)
{
    const struct drm_layout *l = w->l;
    char name[24];
    line(w, "s_nop 7");
    line(w, "s_set_gpr_idx_off");
    line(w, "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)");
    for (u32 i = 0; i < SCALARS; i++) {
        scalar_name(i, name, sizeof name);
        write_writelane(w, name, i);
    }
    write_writelane(w, "exec_lo", 64 + DRM_LANE_EXEC);
    write_writelane(w, "exec_hi", 64 + DRM_LANE_EXEC + 1);
    write_writelane(w, "src_scc", 64 + DRM_LANE_SCC);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_STATUS)");
    write_writelane(w, "s0", 64 + DRM_LANE_STATUS);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_MODE)");
    write_writelane(w, "s0", 64 + DRM_LANE_MODE);
    line(w, "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)");
    write_writelane(w, "s0", 64 + DRM_LANE_TRAPSTS);
    line(w, "s_mov_b64 exec, -1");
    write_readlane(w, "s0", 64 + DRM_LANE_OUT);
    write_readlane(w, "s1", 64 + DRM_LANE_OUT + 1);
    write_descriptor(w);
    line(w, "s_nop 4");
    for (u32 i = 0; i < l->vgprs; i++)
        write_row(w, false, i, i);
    line(w, "s_waitcnt vmcnt(0)");
    for (u32 i = 0; i < l->accs; i++) {
        line(w, "v_accvgpr_read_b32 v0, a%u", i);
        line(w, "s_nop 1");
        write_row_at(w, false, 0, l->vgprs + i);
        line(w, "s_waitcnt vmcnt(0)");
    }
    if (l->lds && l->waves > 1)
        line(w, "s_barrier");
    if (l->lds)
        write_readlane(w, "s2", 64 + DRM_LANE_NONCE);
    if (l->lds)
        line(w, "s_and_b32 s2, s2, 0xf"); /* the number of the wave */
    write_lds(w, false);
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

enum status drm_wrapper_make(struct drm_wrapper *out, const struct isa *isa,
                             const struct drm_layout *layout, drm_edit_fn *edit, void *ctx,
                             struct err *e)
{
    struct writer w = { .text = malloc(TEXT_BYTES), .edit = edit, .ctx = ctx, .l = layout };
    if (!w.text)
        return err_memory(e);
    *out = (struct drm_wrapper){ .layout = *layout };
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
