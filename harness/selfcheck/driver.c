/* The kernel of a code object that checks itself, in assembly. Between two vectors it knows nothing
 * but the address of the results, which the epilogue leaves in s[0:1]: what it has to keep stands in
 * the buffer, a dword in each lane of one row.
 *
 *   s[0:1]   the buffer            s[4:7]   the same as rows of 64 dwords
 *   s[2:3]   the data              s[8:11]  the same
 *   s12      the vector's number   s[16:31] its entry
 *   s[44:47], s[52:55]  data and buffer as bytes, behind the last vector
 *   v3       the lane's number     v10      what is kept: number, right, wrong, first, lane, want, got
 *
 * It assembles for gfx7 to gfx9: sums are those of v_sad_u32, whose name never changed.
 *
 * Wait states: Vega ISA, chapter 4.5; none of them is between two instructions here but where s_nop
 * stands. */
#include "harness/selfcheck/internal.h"

#include "oracle/insn/insn.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 64 << 10 };

static const char setup[] = "s_mov_b64 exec, -1\n"
                            "s_mov_b32 s4, s0\n"
                            "s_and_b32 s5, s1, 0xffff\n"
                            "s_or_b32 s5, s5, 0x40000\n"
                            "s_mov_b32 s6, -1\n"
                            "s_mov_b32 s7, 0x%x\n"
                            "s_mov_b32 s8, s2\n"
                            "s_and_b32 s9, s3, 0xffff\n"
                            "s_or_b32 s9, s9, 0x40000\n"
                            "s_mov_b32 s10, -1\n"
                            "s_mov_b32 s11, 0x%x\n"
                            "v_mbcnt_lo_u32_b32 v3, -1, 0\n"
                            "v_mbcnt_hi_u32_b32 v3, -1, v3\n";

/* The same two as bytes. */
static const char setup_bytes[] = "s_mov_b32 s44, s2\n"
                                  "s_and_b32 s45, s3, 0xffff\n"
                                  "s_mov_b32 s46, -1\n"
                                  "s_mov_b32 s47, 0x27fac\n"
                                  "s_mov_b32 s52, s0\n"
                                  "s_and_b32 s53, s1, 0xffff\n"
                                  "s_mov_b32 s54, -1\n"
                                  "s_mov_b32 s55, 0x27fac\n";

static const char entry[] = "s_lshl_b32 s33, s12, 6\n"
                            "s_add_u32 s33, s33, 0x%x\n"
                            "s_load_dwordx16 s[16:31], s[2:3], s33\n"
                            "s_waitcnt lgkmcnt(0)\n";

/* One difference: in lanes s[50:51], want v2, got v1. The first of a vector is kept. */
static const char judge[] = "judge:\n"
                            "s_or_b32 s60, s50, s51\n"
                            "s_cbranch_scc0 next_check\n"
                            "s_cmp_lg_u32 s34, 0\n"
                            "s_cbranch_scc1 next_check\n"
                            "s_mov_b32 s34, 1\n"
                            "s_ff1_i32_b64 s57, s[50:51]\n"
                            "v_readlane_b32 s58, v2, s57\n"
                            "v_readlane_b32 s59, v1, s57\n"
                            "next_check:\n"
                            "s_add_u32 s22, s22, 32\n"
                            "s_sub_u32 s23, s23, 1\n"
                            "s_cmp_lg_u32 s23, 0\n"
                            "s_cbranch_scc1 check\n"
                            "checks_done:\n";

/* Rows of which something is stated; afterwards they are as at the start. */
static const char checks[] = "s_cmp_eq_u32 s23, 0\n"
                             "s_cbranch_scc1 checks_done\n"
                             "check:\n"
                             "s_load_dwordx8 s[40:47], s[2:3], s22\n"
                             "s_waitcnt lgkmcnt(0)\n"
                             "s_mov_b32 s56, s44\n"
                             "buffer_load_dword v1, off, s[4:7], s41\n"
                             "buffer_load_dword v5, off, s[8:11], s43\n"
                             "buffer_load_dword v2, off, s[8:11], s56\n"
                             "s_waitcnt vmcnt(0)\n"
                             "s_mov_b64 s[50:51], 0\n"
                             "s_cmp_eq_u32 s40, 1\n"
                             "s_cbranch_scc1 range\n"
                             "s_cmp_eq_u32 s40, 2\n"
                             "s_cbranch_scc1 range_64\n"
                             "v_xor_b32 v4, v1, v2\n"
                             "v_and_b32 v4, v4, v5\n"
                             "v_cmp_ne_u32 vcc, 0, v4\n"
                             "s_mov_b64 s[50:51], vcc\n"
                             "buffer_load_dword v6, off, s[4:7], s42\n"
                             "s_waitcnt vmcnt(0)\n"
                             "buffer_store_dword v6, off, s[4:7], s41\n"
                             "s_waitcnt vmcnt(0)\n"
                             "s_branch judge\n"
                             "range:\n"
                             "v_and_b32 v1, v1, v5\n"
                             "range_next:\n"
                             "buffer_load_dword v6, off, s[8:11], s56\n"
                             "buffer_load_dword v7, off, s[8:11], s56 offset:256\n"
                             "s_waitcnt vmcnt(0)\n"
                             "v_cmp_le_u32 s[52:53], v6, v1\n"
                             "v_cmp_ge_u32 s[54:55], v7, v1\n"
                             "s_and_b64 s[52:53], s[52:53], s[54:55]\n"
                             "s_or_b64 s[50:51], s[50:51], s[52:53]\n"
                             "s_add_u32 s56, s56, 0x200\n"
                             "s_sub_u32 s45, s45, 1\n"
                             "s_cmp_lg_u32 s45, 0\n"
                             "s_cbranch_scc1 range_next\n"
                             "s_not_b64 s[50:51], s[50:51]\n"
                             "s_branch judge\n"
                             "range_64:\n"
                             "buffer_load_dword v13, off, s[4:7], s41 offset:256\n"
                             "buffer_load_dword v8, off, s[8:11], s43 offset:256\n"
                             "s_waitcnt vmcnt(0)\n"
                             "v_and_b32 v1, v1, v5\n"
                             "v_mov_b32 v12, v1\n"
                             "v_and_b32 v13, v13, v8\n"
                             "range_64_next:\n"
                             "buffer_load_dword v14, off, s[8:11], s56\n"
                             "buffer_load_dword v15, off, s[8:11], s56 offset:256\n"
                             "buffer_load_dword v16, off, s[8:11], s56 offset:512\n"
                             "buffer_load_dword v17, off, s[8:11], s56 offset:768\n"
                             "s_waitcnt vmcnt(0)\n"
                             "v_cmp_le_u64 s[52:53], v[14:15], v[12:13]\n"
                             "v_cmp_ge_u64 s[54:55], v[16:17], v[12:13]\n"
                             "s_and_b64 s[52:53], s[52:53], s[54:55]\n"
                             "s_or_b64 s[50:51], s[50:51], s[52:53]\n"
                             "s_add_u32 s56, s56, 0x400\n"
                             "s_sub_u32 s45, s45, 1\n"
                             "s_cmp_lg_u32 s45, 0\n"
                             "s_cbranch_scc1 range_64_next\n"
                             "s_not_b64 s[50:51], s[50:51]\n"
                             "s_branch judge\n";

/* All rows: what nothing is stated of stays as it was. */
static const char others[] = "s_mov_b32 s33, 0x%x\n"
                             "s_mov_b32 s36, 0x%x\n"
                             "s_mov_b32 s37, s18\n"
                             "other:\n"
                             "buffer_load_dword v1, off, s[4:7], s33\n"
                             "buffer_load_dword v2, off, s[4:7], s36\n"
                             "s_waitcnt vmcnt(0)\n"
                             "v_cmp_ne_u32 vcc, v1, v2\n"
                             "s_mov_b64 s[50:51], vcc\n"
                             "s_or_b32 s60, s50, s51\n"
                             "s_cbranch_scc0 same\n"
                             "s_cmp_lg_u32 s34, 0\n"
                             "s_cbranch_scc1 same\n"
                             "s_mov_b32 s34, 1\n"
                             "s_ff1_i32_b64 s57, s[50:51]\n"
                             "v_readlane_b32 s58, v2, s57\n"
                             "v_readlane_b32 s59, v1, s57\n"
                             "same:\n"
                             "s_add_u32 s33, s33, 0x100\n"
                             "s_add_u32 s36, s36, 0x100\n"
                             "s_sub_u32 s37, s37, 1\n"
                             "s_cmp_lg_u32 s37, 0\n"
                             "s_cbranch_scc1 other\n";

static const char verdict[] = "s_cmp_lg_u32 s34, 0\n"
                              "s_cbranch_scc1 failed\n"
                              "v_readlane_b32 s60, v10, 1\n"
                              "s_add_u32 s60, s60, 1\n"
                              "v_writelane_b32 v10, s60, 1\n"
                              "s_branch counted\n"
                              "failed:\n"
                              "v_readlane_b32 s60, v10, 2\n"
                              "s_add_u32 s60, s60, 1\n"
                              "v_writelane_b32 v10, s60, 2\n"
                              "s_cmp_lg_u32 s60, 1\n"
                              "s_cbranch_scc1 counted\n"
                              "v_writelane_b32 v10, s12, 3\n"
                              "v_writelane_b32 v10, s57, 4\n"
                              "v_writelane_b32 v10, s58, 5\n"
                              "v_writelane_b32 v10, s59, 6\n"
                              "counted:\n"
                              "s_lshl_b32 s33, s12, 2\n"
                              "s_add_u32 s33, s33, 0x%x\n"
                              "s_add_u32 s34, s34, 1\n"
                              "v_mov_b32 v1, s34\n"
                              "s_mov_b64 exec, 1\n"
                              "buffer_store_dword v1, off, s[4:7], s33\n"
                              "s_mov_b64 exec, -1\n"
                              "s_add_u32 s12, s12, 1\n"
                              "v_writelane_b32 v10, s12, 0\n"
                              "s_mov_b32 s33, 0x%x\n"
                              "buffer_store_dword v10, off, s[4:7], s33\n"
                              "s_waitcnt vmcnt(0)\n"
                              "s_cmp_lt_u32 s12, 0x%x\n"
                              "s_cbranch_scc0 finish\n";

/* The record that the prologue loads: rows that name their register, by groups of four, of which an
 * SGPR pair has a bit each; then those that are given; where the results and the program are. */
static const char groups[] = "%s_group:\n"
                             "s_or_b64 s[36:37], %s, 0\n"
                             "s_cbranch_scc0 %s_done\n"
                             "s_ff1_i32_b64 s38, %s\n"
                             "s_bitset0_b64 %s, s38\n"
                             "s_lshl_b32 s38, s38, 18\n"
                             "s_or_b32 s38, s38, 0x%x\n"
                             "v_sad_u32 v1, s38, 0, v3\n"
                             "buffer_store_dword v1, off, s[4:7], s33\n"
                             "s_add_u32 s38, s38, 0x10000\n"
                             "v_sad_u32 v1, s38, 0, v3\n"
                             "buffer_store_dword v1, off, s[4:7], s33 offset:256\n"
                             "s_add_u32 s38, s38, 0x10000\n"
                             "v_sad_u32 v1, s38, 0, v3\n"
                             "buffer_store_dword v1, off, s[4:7], s33 offset:512\n"
                             "s_add_u32 s38, s38, 0x10000\n"
                             "v_sad_u32 v1, s38, 0, v3\n"
                             "buffer_store_dword v1, off, s[4:7], s33 offset:768\n"
                             "s_add_u32 s33, s33, 0x400\n"
                             "s_branch %s_group\n"
                             "%s_done:\n";

static const char fill[] = "s_mov_b32 s36, s19\n"
                           "s_cmp_eq_u32 s36, 0\n"
                           "s_cbranch_scc1 lds_done\n"
                           "s_mov_b32 s35, s24\n"
                           "s_mov_b32 s37, 0x100\n"
                           "v_lshlrev_b32 v4, 2, v3\n"
                           "s_cmp_lg_u32 s24, 0\n"
                           "s_cbranch_scc1 lds_row\n"
                           "v_mov_b32 v4, 0\n"
                           "s_mov_b32 s37, 0\n"
                           "lds_row:\n"
                           "v_sad_u32 v1, s35, 0, v4\n"
                           "buffer_store_dword v1, off, s[4:7], s33\n"
                           "s_add_u32 s33, s33, 0x100\n"
                           "s_add_u32 s35, s35, s37\n"
                           "s_sub_u32 s36, s36, 1\n"
                           "s_cmp_lg_u32 s36, 0\n"
                           "s_cbranch_scc1 lds_row\n"
                           "lds_done:\n"
                           "s_waitcnt vmcnt(0)\n"
                           "s_cmp_eq_u32 s21, 0\n"
                           "s_cbranch_scc1 rows_done\n"
                           "row:\n"
                           "s_load_dwordx2 s[36:37], s[2:3], s20\n"
                           "s_waitcnt lgkmcnt(0)\n"
                           "buffer_load_dword v1, off, s[8:11], s37\n"
                           "s_waitcnt vmcnt(0)\n"
                           "buffer_store_dword v1, off, s[4:7], s36\n"
                           "s_add_u32 s20, s20, 8\n"
                           "s_sub_u32 s21, s21, 1\n"
                           "s_cmp_lg_u32 s21, 0\n"
                           "s_cbranch_scc1 row\n"
                           "rows_done:\n"
                           "s_waitcnt vmcnt(0)\n"
                           "s_mov_b32 s33, 0x%x\n"
                           "buffer_load_dword v1, off, s[4:7], s33\n"
                           "s_waitcnt vmcnt(0)\n"
                           "s_add_u32 s36, s0, 0x%x\n"
                           "s_addc_u32 s37, s1, 0\n"
                           "v_writelane_b32 v1, s36, %u\n"
                           "v_writelane_b32 v1, s37, %u\n"
                           "s_add_u32 s36, s2, s17\n"
                           "s_addc_u32 s37, s3, 0\n"
                           "v_writelane_b32 v1, s36, %u\n"
                           "v_writelane_b32 v1, s37, %u\n"
                           "buffer_store_dword v1, off, s[4:7], s33\n"
                           "s_waitcnt vmcnt(0)\n"
                           "s_add_u32 s36, s2, s16\n"
                           "s_addc_u32 s37, s3, 0\n"
                           "s_add_u32 s0, s0, 0x%x\n"
                           "s_addc_u32 s1, s1, 0\n"
                           "s_mov_b32 s2, 0\n"
                           "v_mov_b32 v0, 0\n"
                           "s_setpc_b64 s[36:37]\n";

/* Puts s36 bytes of the data, from byte s33 on, at byte s38 of the line. */
static const char put_text[] = "s_bfm_b64 exec, s36, 0\n"
                               "v_sad_u32 v4, s33, 0, v3\n"
                               "buffer_load_ubyte v1, v4, s[44:47], 0 offen\n"
                               "s_waitcnt vmcnt(0)\n"
                               "v_sad_u32 v4, s38, 0, v3\n"
                               "buffer_store_byte v1, v4, s[52:55], 0 offen\n"
                               "s_mov_b64 exec, -1\n"
                               "s_add_u32 s38, s38, s36\n";

/* Puts s39, below 2^16, in decimal digits: the last is lane 9. */
static const char put_decimal[] = "s_mov_b32 s40, 9\n"
                                  "v_mov_b32 v5, 0\n"
                                  "digit%u:\n"
                                  "s_mul_i32 s41, s39, 0xcccd\n"
                                  "s_lshr_b32 s41, s41, 19\n"
                                  "s_mul_i32 s42, s41, 10\n"
                                  "s_sub_u32 s42, s39, s42\n"
                                  "s_add_u32 s42, s42, 48\n"
                                  "v_mov_b32 v6, s42\n"
                                  "v_cmp_eq_u32 vcc, s40, v3\n"
                                  "v_cndmask_b32 v5, v5, v6, vcc\n"
                                  "s_sub_u32 s40, s40, 1\n"
                                  "s_mov_b32 s39, s41\n"
                                  "s_cmp_lg_u32 s39, 0\n"
                                  "s_cbranch_scc1 digit%u\n"
                                  "s_add_u32 s40, s40, 1\n"
                                  "s_sub_u32 s41, 10, s40\n"
                                  "s_bfm_b64 exec, s41, s40\n"
                                  "s_sub_u32 s42, s38, s40\n"
                                  "v_sad_u32 v4, s42, 0, v3\n"
                                  "buffer_store_byte v5, v4, s[52:55], 0 offen\n"
                                  "s_mov_b64 exec, -1\n"
                                  "s_add_u32 s38, s38, s41\n";

/* Puts s39 in eight hexadecimal digits. */
static const char put_hex[] = "v_sad_u32 v4, 7, v3, 0\n"
                              "v_lshlrev_b32 v4, 2, v4\n"
                              "v_mov_b32 v5, s39\n"
                              "v_lshrrev_b32 v5, v4, v5\n"
                              "v_and_b32 v5, 15, v5\n"
                              "s_movk_i32 s60, 0x57\n"
                              "v_cmp_lt_u32 vcc, 9, v5\n"
                              "v_sad_u32 v6, 48, 0, v5\n"
                              "v_sad_u32 v5, s60, 0, v5\n"
                              "v_cndmask_b32 v5, v6, v5, vcc\n"
                              "s_mov_b64 exec, 0xff\n"
                              "v_sad_u32 v4, s38, 0, v3\n"
                              "buffer_store_byte v5, v4, s[52:55], 0 offen\n"
                              "s_mov_b64 exec, -1\n"
                              "s_add_u32 s38, s38, 8\n";

enum part { PART_HEAD, PART_FAIL, PART_FIRST, PART_LANE, PART_WANT, PART_GOT };

static void write_part(struct text *t, const struct selfcheck_driver *d, enum part part)
{
    text_add(t, "s_mov_b32 s33, 0x%x\ns_mov_b32 s36, 0x%x\n%s", d->strings[part],
             d->string_len[part], put_text);
}

static void write_number(struct text *t, u32 lane, u32 label)
{
    text_add(t, "v_readlane_b32 s39, v10, %u\n", lane);
    text_add(t, put_decimal, label, label);
}

/* The line, and the end. */
static void write_finish(struct text *t, const struct selfcheck_driver *d)
{
    text_add(t, "finish:\ns_mov_b32 s38, 0\n%s", setup_bytes);
    write_part(t, d, PART_HEAD);
    write_number(t, 1, 1);
    write_part(t, d, PART_FAIL);
    write_number(t, 2, 2);
    text_add(t, "v_readlane_b32 s60, v10, 2\ns_cmp_eq_u32 s60, 0\ns_cbranch_scc1 quit\n");
    text_add(t, "v_readlane_b32 s12, v10, 3\n");
    text_add(t, entry, d->table);
    write_part(t, d, PART_FIRST);
    text_add(t, "s_mov_b32 s33, s25\ns_mov_b32 s36, s26\n%s", put_text);
    write_part(t, d, PART_LANE);
    write_number(t, 4, 4);
    write_part(t, d, PART_WANT);
    text_add(t, "v_readlane_b32 s39, v10, 5\n%s", put_hex);
    write_part(t, d, PART_GOT);
    text_add(t, "v_readlane_b32 s39, v10, 6\n%s", put_hex);
    text_add(t, "quit:\ns_waitcnt vmcnt(0)\ns_endpgm\n");
}

static void add_groups(struct text *t, const char *kind, const char *left, u32 name)
{
    text_add(t, groups, kind, left, kind, left, left, name, kind, kind);
}

/* The data's address from that of the instruction behind s_getpc_b64, dword `at`. */
static void write_data(struct text *t, const struct selfcheck_driver *d, u32 at)
{
    text_add(t, "s_getpc_b64 s[2:3]\ns_sub_u32 s2, s2, 0x%x\ns_subb_u32 s3, s3, 0\n",
             d->text + at * 4);
}

static void write_all(struct text *t, const struct selfcheck_driver *d, u32 first, u32 second)
{
    text_add(t, "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 quit\nv_readfirstlane_b32 s3, v0\n"
                "s_cmp_lg_u32 s3, 0\ns_cbranch_scc1 quit\n"
                "s_load_dwordx2 s[0:1], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n");
    write_data(t, d, first);
    text_add(t, setup, d->format, d->format);
    text_add(t,
             "v_mov_b32 v10, 0\ns_mov_b32 s12, 0\ns_mov_b32 s33, 0x%x\n"
             "buffer_store_dword v10, off, s[4:7], s33\ns_waitcnt vmcnt(0)\ns_branch fill\n",
             SELFCHECK_CONTROL);
    text_add(t, "resume:\ns_sub_u32 s0, s0, 0x%x\ns_subb_u32 s1, s1, 0\n", SELFCHECK_OUT);
    write_data(t, d, second);
    text_add(t, setup, d->format, d->format);
    text_add(t,
             "s_mov_b32 s33, 0x%x\nbuffer_load_dword v10, off, s[4:7], s33\n"
             "s_waitcnt vmcnt(0)\nv_readlane_b32 s12, v10, 0\n",
             SELFCHECK_CONTROL);
    text_add(t, entry, d->table);
    text_add(t, "s_mov_b32 s34, 0\n%s%s", checks, judge);
    text_add(t, others, SELFCHECK_OUT, SELFCHECK_IN);
    text_add(t, verdict, SELFCHECK_RESULTS, SELFCHECK_CONTROL, d->cases);
    text_add(t, "fill:\n");
    text_add(t, entry, d->table);
    text_add(t, "s_mov_b32 s33, 0x%x\n", SELFCHECK_IN + DRM_SCALAR_ROWS * DRM_ROW);
    add_groups(t, "v", "s[28:29]", 0xb0000000);
    add_groups(t, "acc", "s[30:31]", 0xc0000000);
    text_add(t, fill, SELFCHECK_IN + DRM_ROW, SELFCHECK_OUT, DRM_LANE_OUT, DRM_LANE_OUT + 1,
             DRM_LANE_ENTRY, DRM_LANE_ENTRY + 1, SELFCHECK_IN);
    write_finish(t, d);
}

/* The dwords behind the first and the second s_getpc_b64 s[2:3]; how many there are. */
static u32 find_getpcs(u32 getpc, const u32 *code, u32 dw, u32 at[2])
{
    u32 count = 0;
    for (u32 i = 0; i < dw; i++)
        if (code[i] == getpc && count++ < 2)
            at[count - 1] = i + 1;
    return count;
}

enum status driver_make(const struct isa *isa, const struct selfcheck_driver *d, u32 *code, u32 *dw,
                        u32 *resume, struct err *e)
{
    char *buf = malloc(TEXT_BYTES);
    u32 at[2] = { 0, 0 }, getpc, one;
    enum status st = buf ? ST_OK : err_memory(e);
    if (st == ST_OK)
        st = insn_parse_program(isa, "s_getpc_b64 s[2:3]\n", &getpc, 1, &one, e);
    /* Distances are literals, whatever they are: the second time all stands where it stood. */
    for (int pass = 0; pass < 2 && st == ST_OK; pass++) {
        struct text t;
        text_init(&t, buf, TEXT_BYTES);
        write_all(&t, d, at[0], at[1]);
        if (t.full)
            BUG("the kernel's text is too long");
        st = insn_parse_program(isa, buf, code, DRIVER_DW, dw, e);
        if (st == ST_OK && find_getpcs(getpc, code, *dw, at) != 2)
            BUG("where the data is, is asked for twice");
    }
    free(buf);
    *resume = at[1] - 4; /* before it: two instructions of which one has a literal */
    return st;
}

enum status driver_return(const struct isa *isa, u32 *code, struct err *e)
{
    u32 dw;
    enum status st = insn_parse_program(isa,
                                        "s_getpc_b64 s[2:3]\ns_sub_u32 s2, s2, 0x12345678\n"
                                        "s_subb_u32 s3, s3, 0\ns_setpc_b64 s[2:3]\n",
                                        code, RETURN_DW, &dw, e);
    if (st == ST_OK && dw != RETURN_DW)
        BUG("the way back has another length");
    return st;
}
