/* Rules over sequences: every hazard of the table by a pair of instructions that is rejected with
 * too few wait states between and accepted with enough; waits; paths; what never ends. Wait states
 * are those of the manual's table. */
#include "harness/t/lib/tap_test.h"
#include "oracle/insn/insn.h"
#include "oracle/rule/rule.h"

#include <stdio.h>

static struct isa isa;

enum { WORDS = 256 };

/* Assembles text; returns its dwords. */
static u32 assemble(const char *text, u32 *code)
{
    struct err e = { .text = "" };
    u32 n = 0;
    if (insn_parse_program(&isa, text, code, WORDS, &n, &e))
        bail("%s: %s", text, e.text);
    return n;
}

/* The rule's complaint, or "" if there is none. */
static const char *complaint(const u32 *code, u32 n, bool may_loop)
{
    static struct err e;
    struct rule_program p = { .code = code, .dw = n, .pc = PC_DEFAULT, .may_loop = may_loop };
    e.text[0] = '\0';
    return rule_check(&isa, &p, &e) ? e.text : "";
}

static void accepts(const char *name, const char *text)
{
    u32 code[WORDS], n = assemble(text, code);
    is_str("", complaint(code, n, false), "%s", name);
}

static void rejects(const char *name, const char *part, const char *text)
{
    u32 code[WORDS], n = assemble(text, code);
    const char *why = complaint(code, n, false);
    ok(strstr(why, part) != NULL, "%s: %s", name, why);
}

/* One pair for every row of the table, and some for what a row covers besides. hex: instructions
 * that the assembler does not know, as dwords. */
struct pair {
    enum rule_hazard hazard;
    u32 waits;
    const char *first, *second;
    u32 first_hex[2], second_hex[2];
};

static const struct pair pairs[] = {
    { HZ_setreg_getreg,
      2,
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1",
      "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
      { 0 },
      { 0 } },
    { HZ_setreg_getreg,
      2,
      NULL,
      "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
      { 0xbf100100 },
      { 0 } }, /* s_setvskip s0, s1 */
    { HZ_setreg_setreg,
      2,
      "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s0",
      "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0",
      { 0 },
      { 0 } },
    { HZ_setreg_vskip,
      2,
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0",
      "v_mov_b32 v0, v1",
      { 0 },
      { 0 } },
    { HZ_setreg_rfe,
      1,
      "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 2), s0",
      NULL,
      { 0 },
      { 0xbe801f00 } }, /* s_rfe_b64 s[0:1] */
    { HZ_valu_vccz, 5, "v_cmp_eq_u32 vcc, v0, v1", "v_add_u32 v0, src_vccz, v0", { 0 }, { 0 } },
    { HZ_valu_execz, 5, "v_cmpx_eq_u32 vcc, v0, v1", "v_add_u32 v0, src_execz, v0", { 0 }, { 0 } },
    { HZ_valu_lanesel, 4, "v_readfirstlane_b32 s4, v0", "v_readlane_b32 s5, v1, s4", { 0 }, { 0 } },
    { HZ_valu_lanesel,
      4,
      "v_cmp_eq_u32 s[4:5], v0, v1",
      "v_writelane_b32 v1, 3, s5",
      { 0 },
      { 0 } },
    { HZ_valu_lanesel,
      4,
      "v_add_co_u32 v0, vcc, v1, v2",
      "v_readlane_b32 s5, v1, vcc_hi",
      { 0 },
      { 0 } },
    { HZ_valu_divfmas,
      4,
      "v_cmp_eq_u32 vcc, v0, v1",
      NULL,
      { 0 },
      { 0xd1e20000, 0x04020500 } }, /* v_div_fmas_f32 */
    { HZ_valu_vmem,
      5,
      "v_readlane_b32 s4, v0, 0",
      "global_store_dword v0, v1, s[4:5]",
      { 0 },
      { 0 } },
    { HZ_valu_dpp,
      2,
      "v_mov_b32 v1, v0",
      "v_add_u32_dpp v2, v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf",
      { 0 },
      { 0 } },
    { HZ_valu_dpp,
      2,
      "v_mul_lo_u32 v1, v0, v0",
      "v_mov_b32_dpp v2, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
      { 0 },
      { 0 } },
    { HZ_exec_dpp,
      5,
      "v_cmpx_eq_u32 vcc, v0, v1",
      "v_mov_b32_dpp v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf",
      { 0 },
      { 0 } },
    { HZ_vcc_alias, 1, "v_cmp_eq_u32 vcc, v0, v1", "v_add_u32 v0, vcc_lo, v0", { 0 }, { 0 } },
    { HZ_vcc_alias, 1, "v_readlane_b32 vcc_hi, v0, 0", "v_add_u32 v0, vcc_lo, v0", { 0 }, { 0 } },
    { HZ_store_data,
      1,
      "global_store_dwordx3 v[0:1], v[4:6], off",
      "v_mov_b32 v6, 0",
      { 0 },
      { 0 } },
    { HZ_store_data, 1, "flat_store_dwordx4 v[0:1], v[4:7]", "v_mov_b32 v4, 0", { 0 }, { 0 } },
    { HZ_m0_message, 1, "s_mov_b32 m0, 0", NULL, { 0 }, { 0xbf900000 } }, /* s_sendmsg */
    { HZ_m0_index, 1, "s_mov_b32 m0, 0", NULL, { 0 }, { 0xbe802a01 } },   /* s_movrels_b32 s0, s1 */
    { HZ_m0_gpr_idx,
      1,
      "s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_mov_b32 m0, s1",
      "v_mov_b32 v0, v1",
      { 0 },
      { 0 } },
    { HZ_valu_mai, 2, "v_mov_b32 v1, v0", "v_accvgpr_write_b32 a0, v1", { 0 }, { 0 } },
    { HZ_acc_move_mem,
      1,
      "v_mov_b32 v1, v0\nv_accvgpr_read_b32 v9, a0",
      "ds_write_b32 v1, v2",
      { 0 },
      { 0 } },
    { HZ_valu_mai,
      2,
      "v_accvgpr_read_b32 v1, a9",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      { 0 },
      { 0 } },
    { HZ_exec_mai, 4, "v_cmpx_eq_u32 vcc, v0, v1", "v_accvgpr_write_b32 a0, v1", { 0 }, { 0 } },
    { HZ_acc_read_mem, 2, "v_accvgpr_read_b32 v1, a0", "ds_write_b32 v1, v2", { 0 }, { 0 } },
    { HZ_acc_write_c,
      1,
      "v_accvgpr_write_b32 a0, v1",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      { 0 },
      { 0 } },
    { HZ_acc_write_ab,
      3,
      "v_accvgpr_write_b32 a4, v1",
      "v_mfma_f32_4x4x1f32 a[0:3], v0, a4, a[0:3]",
      { 0 },
      { 0 } },
    { HZ_acc_write_rd, 3, "v_accvgpr_write_b32 a4, v1", "v_accvgpr_read_b32 v2, a4", { 0 }, { 0 } },
    { HZ_mfma_c,
      2,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      "v_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[2:5]",
      { 0 },
      { 0 } },
    { HZ_mfma_ab,
      4,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]",
      "v_mfma_f32_4x4x1f32 a[4:7], a3, v1, a[4:7]",
      { 0 },
      { 0 } },
    { HZ_mfma_rd,
      4,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      "v_accvgpr_read_b32 v2, a3",
      { 0 },
      { 0 } },
    { HZ_mfma_rd8,
      10,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]",
      "v_accvgpr_read_b32 v2, a3",
      { 0 },
      { 0 } },
    { HZ_mfma_rd16,
      18,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]",
      "v_accvgpr_read_b32 v2, a15",
      { 0 },
      { 0 } },
    { HZ_mfma_wr,
      1,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
      "v_accvgpr_write_b32 a3, v2",
      { 0 },
      { 0 } },
    { HZ_mfma_wr8,
      7,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[0:3]",
      "v_accvgpr_write_b32 a3, v2",
      { 0 },
      { 0 } },
    { HZ_mfma_wr16,
      15,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]",
      "v_accvgpr_write_b32 a3, v2",
      { 0 },
      { 0 } },
    { HZ_mfma_war8,
      5,
      "v_mfma_f32_16x16x4f32 a[0:3], v0, v1, a[4:7]",
      "v_accvgpr_write_b32 a4, v2",
      { 0 },
      { 0 } },
    { HZ_mfma_war16,
      13,
      "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[16:31]",
      "v_accvgpr_write_b32 a31, v2",
      { 0 },
      { 0 } },
};

static u32 put(u32 *code, u32 n, const char *text, const u32 *hex)
{
    if (text)
        return n + assemble(text, code + n);
    code[n++] = hex[0];
    if (hex[1])
        code[n++] = hex[1];
    return n;
}

static void test_pair(const struct pair *p)
{
    u32 right = 0;
    for (u32 between = 0; between <= p->waits; between++) {
        u32 code[WORDS], n = put(code, 0, p->first, p->first_hex);
        for (u32 left = between; left; left -= left < 16 ? left : 16)
            code[n++] = 0xbf800000u | ((left < 16 ? left : 16) - 1); /* s_nop */
        n = put(code, n, p->second, p->second_hex);
        code[n++] = 0xbf810000; /* s_endpgm */
        const char *why = complaint(code, n, false);
        bool clean = why[0] == '\0' || strstr(why, "address that is not known"); /* s_rfe */
        right += between < p->waits ? strstr(why, rule_hazards[p->hazard].text) != NULL : clean;
    }
    is_u64(p->waits + 1, right, "%s: %u wait states", rule_hazards[p->hazard].name, p->waits);
}

/* What only generations before gfx8 have: one wait state where later ones need two, and four before
 * scalar loads; of those without a buffer the generator keeps it behind the scalar ALU, too. */
static void test_old_hazards(bool *seen)
{
    static const struct {
        const char *mcpu;
        struct pair pair;
    } old[] = {
        { "gfx701",
          { HZ_setreg_old,
            1,
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s0",
            "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s0",
            { 0 },
            { 0 } } },
        { "gfx600",
          { HZ_valu_smem,
            4,
            "v_readfirstlane_b32 s4, v0",
            "s_load_dword s0, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)",
            { 0 },
            { 0 } } },
        { "gfx600",
          { HZ_salu_smem,
            4,
            "s_mov_b32 s4, 0",
            "s_load_dword s0, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)",
            { 0 },
            { 0 } } },
    };
    struct isa kept = isa;
    struct err e = { .text = "" };
    if (isa_open(&isa, "gfx701", &e))
        bail("%s", e.text);
    rejects("a scalar load, then VCCZ", rule_hazards[HZ_vccz_spoilt].text,
            "s_mov_b64 vcc, 0\ns_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\n"
            "s_cbranch_vccz l\nl:\ns_endpgm");
    accepts("a scalar load, VCC, then VCCZ",
            "s_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b64 vcc, 0\n"
            "s_cbranch_vccz l\nl:\ns_endpgm");
    seen[HZ_vccz_spoilt] = true;
    for (u32 i = 0; i < COUNT_OF(old); i++) {
        if (isa_open(&isa, old[i].mcpu, &e))
            bail("%s", e.text);
        test_pair(&old[i].pair);
        seen[old[i].pair.hazard] = true;
    }
    isa = kept;
}

static void test_hazards(void)
{
    bool seen[HZ_COUNT] = { false };
    u32 missing = 0;
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        test_pair(&pairs[i]);
        seen[pairs[i].hazard] = true;
    }
    rejects("half of VCC, then VCCZ", rule_hazards[HZ_vccz_stale].text,
            "s_mov_b32 vcc_lo, 0\ns_nop 15\ns_nop 15\ns_cbranch_vccz l\nl:\ns_endpgm");
    rejects(
        "a scalar load of VCC, then VCCZ", rule_hazards[HZ_vccz_stale].text,
        "s_load_dwordx2 vcc, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_cbranch_vccnz l\nl:\ns_endpgm");
    accepts("half of VCC, then all of it, then VCCZ",
            "s_mov_b32 vcc_lo, 0\ns_mov_b64 vcc, vcc\ns_cbranch_vccz l\nl:\ns_endpgm");
    test_old_hazards(seen);
    seen[HZ_vccz_stale] = true;
    /* With lint only: t_hazard. */
    seen[HZ_icache_inv] = seen[HZ_clause] = seen[HZ_clause_store] = true;
    for (u32 i = 0; i < HZ_COUNT; i++)
        missing += !seen[i];
    is_u64(0, missing, "every row of the table has a pair");
}

/* What counts as wait states, and what does not make a hazard. */
static void test_distance(void)
{
    accepts("other instructions count as wait states",
            "v_readfirstlane_b32 s4, v0\ns_mov_b32 s9, 0\nv_mov_b32 v5, 0\ns_nop 1\nv_readlane_b32 "
            "s5, v1, s4\ns_endpgm");
    rejects("one too few", "1 more wait states",
            "v_readfirstlane_b32 s4, v0\ns_mov_b32 s9, 0\nv_mov_b32 v5, 0\ns_nop 0\nv_readlane_b32 "
            "s5, v1, s4\ns_endpgm");
    accepts("SALU writes the lane select", "s_mov_b32 s4, 0\nv_readlane_b32 s5, v1, s4\ns_endpgm");
    accepts("another register", "v_readfirstlane_b32 s4, v0\nv_readlane_b32 s5, v1, s6\ns_endpgm");
    accepts("carry-in is no constant",
            "v_cmp_eq_u32 vcc, v0, v1\nv_addc_co_u32 v0, vcc, v0, v0, vcc\ns_endpgm");
    accepts("DPP's own lanes only", "v_mov_b32 v1, v0\nv_add_u32_dpp v2, v0, v1 row_shl:1 "
                                    "row_mask:0xf bank_mask:0xf\ns_endpgm");
    accepts("a store of 64 bits",
            "global_store_dwordx2 v[0:1], v[4:5], off\nv_mov_b32 v4, 0\ns_endpgm");
    accepts("getreg of another register", "s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 2), "
                                          "s0\ns_getreg_b32 s0, hwreg(HW_REG_MODE)\ns_endpgm");
}

static void test_waits(void)
{
    rejects("a load that is read", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\nv_mov_b32 v3, v2\ns_endpgm");
    rejects("a load that is overwritten", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\nv_mov_b32 v2, 0\ns_endpgm");
    rejects("a load at the end", "vmcnt(0)", "global_load_dword v2, v[0:1], off\ns_endpgm");
    accepts("waited for",
            "global_load_dword v2, v[0:1], off\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2\ns_endpgm");
    rejects("the wrong counter", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v2\ns_endpgm");
    accepts("the older of two", "global_load_dword v2, v[0:1], off\nglobal_load_dword v3, v[0:1], "
                                "off\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v2\n"
                                "s_waitcnt vmcnt(0)\ns_endpgm");
    rejects("the younger of two", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\nglobal_load_dword v3, v[0:1], off\ns_waitcnt "
            "vmcnt(1)\nv_mov_b32 v4, v3\n"
            "s_waitcnt vmcnt(0)\ns_endpgm");
    accepts("stores need no wait at the end", "global_store_dword v[0:1], v2, off\ns_endpgm");
    rejects("LDS", "lgkmcnt(0)", "ds_read_b32 v2, v0\nv_mov_b32 v3, v2\ns_endpgm");
    accepts("LDS in order",
            "ds_read_b32 v2, v0\nds_read_b32 v3, v0\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v2\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm");
    rejects("a permutation", "lgkmcnt(0)",
            "ds_bpermute_b32 v2, v0, v1\nv_mov_b32 v3, v2\ns_endpgm");
    rejects("a scalar load", "lgkmcnt(0)",
            "s_load_dword s4, s[0:1], 0x0\ns_mov_b32 s5, s4\ns_endpgm");
    rejects("scalar loads come in any order", "lgkmcnt(0)",
            "s_load_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x4\ns_waitcnt "
            "lgkmcnt(1)\ns_mov_b32 s6, s4\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm");
    rejects("a scalar load behind a store", "lgkmcnt(0)",
            "s_store_dword s4, s[0:1], 0x0\ns_load_dword s6, s[2:3], 0x0\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm");
    rejects("a scalar atomic behind a load", "lgkmcnt(0)",
            "s_load_dword s6, s[2:3], 0x0\ns_atomic_add s4, s[0:1], 0x0\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm");
    rejects("a store behind a store", "lgkmcnt(0)",
            "s_store_dword s4, s[0:1], 0x0\ns_store_dword s4, s[0:1], 0x0\ns_endpgm");
    accepts("waited for",
            "s_store_dword s4, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_load_dword s6, s[2:3], 0x0\n"
            "s_waitcnt lgkmcnt(0)\ns_endpgm");
    rejects("FLAT has two counters", "lgkmcnt(0)",
            "flat_load_dword v2, v[0:1]\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2\ns_waitcnt vmcnt(0) "
            "lgkmcnt(0)\ns_endpgm");
    rejects("FLAT has no order", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\nflat_load_dword v3, v[0:1]\ns_waitcnt vmcnt(1) "
            "lgkmcnt(0)\nv_mov_b32 v4, v2\n"
            "s_waitcnt vmcnt(0)\ns_endpgm");
    rejects("an address that is being loaded", "vmcnt(0)",
            "global_load_dwordx2 v[2:3], v[0:1], off\nglobal_load_dword v4, v[2:3], off\ns_waitcnt "
            "vmcnt(0)\ns_endpgm");
    rejects("LDS at a barrier", "lgkmcnt(0)", "ds_write_b32 v0, v1\ns_barrier\ns_endpgm");
    accepts("LDS waited for at a barrier",
            "ds_write_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\ns_endpgm");
    is_hex(0xc07f, rule_waitcnt(GEN_GFX9, RULE_NO_WAIT, 0), "lgkmcnt(0)");
    is_hex(0x0f70, rule_waitcnt(GEN_GFX9, 0, RULE_NO_WAIT), "vmcnt(0)");
    is_hex(0x8575, rule_waitcnt(GEN_GFX9, 37, 5), "vmcnt(37) lgkmcnt(5)");
    is_hex(0x057f, rule_waitcnt(GEN_GFX8, 37, 5), "gfx8 has four bits: no wait for vmcnt(37)");
}

static void test_paths(void)
{
    rejects("only one path waits", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\ns_cbranch_scc0 l\ns_waitcnt "
            "vmcnt(0)\nl:\nv_mov_b32 v3, v2\ns_endpgm");
    rejects("only the path that jumps is too short", "more wait states",
            "v_readfirstlane_b32 s4, v0\ns_cbranch_scc0 l\ns_nop 3\nl:\nv_readlane_b32 s5, v1, "
            "s4\ns_endpgm");
    accepts("a branch counts", "v_readfirstlane_b32 s4, v0\ns_cbranch_scc0 l\ns_nop 3\nl:\ns_nop "
                               "2\nv_readlane_b32 s5, v1, s4\ns_endpgm");
    accepts("what is skipped does not count as a path",
            "global_load_dword v2, v[0:1], off\ns_branch l\nv_mov_b32 v3, v2\nl:\ns_waitcnt "
            "vmcnt(0)\ns_endpgm");
    rejects("into a literal", "where no instruction begins",
            "s_branch 1\ns_mov_b32 s0, 0x12345678\ns_endpgm");
    rejects("out of the program", "where no instruction begins", "s_branch 5\ns_endpgm");
    rejects("no end", "past its end", "s_nop 0");
    rejects("an unknown target", "not known", "s_setpc_b64 s[0:1]\ns_endpgm");
    accepts("call and return",
            "s_call_b64 s[0:1], f\ns_branch e\nf:\ns_setpc_b64 s[0:1]\ne:\ns_endpgm");
    rejects(
        "a return address overwritten", "not known",
        "s_call_b64 s[0:1], f\ns_branch e\nf:\ns_mov_b32 s0, s9\ns_setpc_b64 s[0:1]\ne:\ns_endpgm");
    rejects("a function into which the caller runs", "for ever",
            "s_call_b64 s[0:1], f\nf:\ns_setpc_b64 s[0:1]\ns_endpgm");
    accepts("a computed jump", "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 16\ns_addc_u32 s1, s1, "
                               "0\ns_setpc_b64 s[0:1]\ns_nop 0\ns_endpgm");
    rejects("a fork: the path that jumps", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\ns_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 20\n"
            "s_addc_u32 s1, s1, 0\ns_cbranch_g_fork s[4:5], s[0:1]\ns_waitcnt vmcnt(0)\ns_endpgm\n"
            "v_mov_b32 v3, v2\ns_waitcnt vmcnt(0)\ns_endpgm");
    rejects("a fork: the path that goes on", "vmcnt(0)",
            "global_load_dword v2, v[0:1], off\ns_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 20\n"
            "s_addc_u32 s1, s1, 0\ns_cbranch_g_fork s[4:5], s[0:1]\nv_mov_b32 v3, v2\ns_endpgm\n"
            "s_waitcnt vmcnt(0)\ns_endpgm");
    accepts("a fork both of whose paths wait",
            "global_load_dword v2, v[0:1], off\ns_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 20\n"
            "s_addc_u32 s1, s1, 0\ns_cbranch_g_fork s[4:5], s[0:1]\ns_waitcnt vmcnt(0)\ns_endpgm\n"
            "s_waitcnt vmcnt(0)\ns_endpgm");
    rejects("a join goes where a fork has been", "not known", "s_cbranch_join s0\ns_endpgm");
    rejects("a return from a trap", "not known", "s_rfe_b64 s[0:1]\ns_endpgm");
    rejects("hazards go through calls", "more wait states",
            "v_readfirstlane_b32 s4, v0\ns_call_b64 s[0:1], f\ns_branch e\nf:\nv_readlane_b32 s5, "
            "v1, s4\ns_setpc_b64 s[0:1]\ne:\ns_endpgm");
}

static void test_loops(void)
{
    accepts("a counted loop", "s_movk_i32 s9, 3\nl:\nv_mov_b32 v0, 0\ns_sub_u32 s9, s9, "
                              "1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc1 l\ns_endpgm");
    accepts("one that goes back without a condition",
            "s_movk_i32 s9, 3\nl:\nv_mov_b32 v0, 0\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s9, "
            "0\ns_cbranch_scc0 "
            "o\ns_branch l\no:\ns_endpgm");
    rejects("one that does not leave", "counted loop",
            "s_movk_i32 s9, 3\nl:\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc1 "
            "o\ns_branch l\no:\ns_endpgm");
    rejects("one that leaves elsewhere", "counted loop",
            "s_movk_i32 s9, 3\nl:\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc0 "
            "o\ns_branch l\ns_nop 0\no:\ns_endpgm");
    rejects("no count", "counted loop", "l:\nv_mov_b32 v0, 0\ns_cbranch_scc1 l\ns_endpgm");
    rejects("a branch to itself", "counted loop", "l:\ns_cbranch_scc1 l\ns_endpgm");
    rejects("the counter is written inside", "counted loop",
            "s_movk_i32 s9, 3\nl:\ns_movk_i32 s9, 2\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s9, "
            "0\ns_cbranch_scc1 l\ns_endpgm");
    rejects("the counter is not set", "counted loop",
            "s_nop 0\nl:\nv_mov_b32 v0, 0\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc1 "
            "l\ns_endpgm");
    rejects("another counter is compared", "counted loop",
            "s_movk_i32 s9, 3\nl:\ns_sub_u32 s9, s9, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 "
            "l\ns_endpgm");
    rejects("entered in the middle", "counted loop",
            "s_cbranch_scc0 m\ns_movk_i32 s9, 3\nl:\nv_mov_b32 v0, 0\nm:\ns_sub_u32 s9, s9, "
            "1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc1 l\ns_endpgm");
    rejects("a hazard over the back edge", "more wait states",
            "s_movk_i32 s9, 3\nl:\nv_readlane_b32 s5, v1, s4\nv_readfirstlane_b32 s4, "
            "v0\ns_sub_u32 s9, s9, 1\n"
            "s_cmp_lg_u32 s9, 0\ns_cbranch_scc1 l\ns_endpgm");
    rejects("a load over the back edge", "vmcnt(0)",
            "s_movk_i32 s9, 3\nl:\nv_mov_b32 v3, v2\nglobal_load_dword v2, v[0:1], off\ns_sub_u32 "
            "s9, s9, 1\n"
            "s_cmp_lg_u32 s9, 0\ns_cbranch_scc1 l\ns_waitcnt vmcnt(0)\ns_endpgm");
    u32 code[WORDS], n = assemble("l:\nv_mov_b32 v0, 0\ns_cbranch_scc1 l\ns_endpgm", code);
    is_str("", complaint(code, n, true), "any loop, where that is allowed");
}

int main(void)
{
    struct err e = { .text = "" };
    if (isa_open(&isa, "gfx908", &e))
        bail("%s", e.text);
    test_hazards();
    test_distance();
    test_waits();
    test_paths();
    test_loops();
    return done();
}
