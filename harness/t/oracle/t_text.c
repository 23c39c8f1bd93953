/* Printing, assembling and checking instructions: pairs that LLVM's assembler made, and the laws
 * decode(encode(x)) = x and parse(print(x)) = x over every row and form and over random dwords. */
#include "harness/ask/samples.h"
#include "harness/io/lines.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/insn/insn.h"

#include <stdlib.h>

static struct isa isa;

/* "d1198400 00020501"; returns how many. */
static u32 read_hex(const char *text, u32 *dw)
{
    u32 n = 0;
    for (char *end; n < INSN_DW_MAX; n++, text = end) {
        dw[n] = (u32)strtoul(text, &end, 16);
        if (end == text)
            break;
    }
    return n;
}

static bool assembles_to(const char *text, const u32 *dw, u32 count)
{
    struct insn in;
    struct err e = { .file = "" };
    u32 got[INSN_DW_MAX];
    if (insn_parse(&isa, text, &in, &e) != ST_OK) {
        diag("%s: %s", text, e.text);
        return false;
    }
    bool same = insn_encode(&in, got) == count && memcmp(got, dw, count * sizeof(*dw)) == 0;
    if (!same)
        diag("%s: %08x %08x", text, got[0], in.dw > 1 ? got[1] : 0);
    return same;
}

static void test_pair(char *line)
{
    u32 dw[INSN_DW_MAX];
    struct insn in;
    struct err e = { .file = "" };
    char text[256];
    char *code = strtok(line, "\t"), *printed = strtok(NULL, "\t"), *written = strtok(NULL, "\t");
    if (!printed)
        bail("cases/text/%s.txt: no tab in a line", isa.target->mcpu);
    if (strcmp(code, "error") == 0) {
        ok(insn_parse(&isa, printed, &in, &e) == ST_INPUT && e.text[0], "refused: %s", printed);
        return;
    }
    u32 count = read_hex(code, dw);
    bool decoded = insn_decode(&isa, dw, count, &in, &e) && in.dw == count;
    ok(decoded && insn_printable(&isa, &in, &e) == ST_OK, "%s is an instruction %s", code, e.text);
    insn_print(&isa, &in, text, sizeof(text));
    is_str(printed, text, "%s disassembles", code);
    ok(assembles_to(printed, dw, count), "%s assembles", printed);
    if (written)
        ok(assembles_to(written, dw, count), "%s assembles", written);
}

static void test_pairs(u32 least)
{
    struct lines in;
    struct err e = { .file = "" };
    char path[64];
    snprintf(path, sizeof(path), "cases/text/%s.txt", isa.target->mcpu);
    if (lines_open(&in, path, &e) != ST_OK)
        bail("%s", e.text);
    u32 count = 0;
    char copy[512];
    for (const char *line; (line = lines_next(&in));) {
        if (*line == '#')
            continue;
        snprintf(copy, sizeof(copy), "%s", line);
        test_pair(copy);
        count++;
    }
    ok(count >= least, "%s: %u pairs", isa.target->mcpu, count);
    lines_close(&in);
}

/* ---- messages ---- */

static const struct {
    const char *text, *message;
} messages[] = {
    { "v_foo v0", "unknown mnemonic 'v_foo'" },
    { "", "unknown mnemonic at the end of the line" },
    { "image_load v0, v1", "image_load has 3 operands, not 2" },
    { "v_mac_f32_sdwa v0, v1, v2", "no such form: 'v_mac_f32_sdwa'" },
    { "s_add_u32 s0, s1", "s_add_u32 has 3 operands, not 2" },
    { "s_add_u32 s0 s1, s2", "',' expected before 's1'" },
    { "s_add_u32 s0, s1, s2, s3", "one operand too many: 's3'" },
    { "s_add_u32 s102, s1, s2", "no such register 's102'" },
    { "s_and_b64 s[100:103], s[0:1], s[2:3]", "no such register 's[100:103]'" },
    { "s_and_b64 s[4:3], s[0:1], s[2:3]", "bad register range 's[4:3]'" },
    { "v_add_f32 v0, v1, v256", "no such register 'v256'" },
    { "v_add_f32 v0, v1, w2",
      "operand 'w2' of v_add_f32 (e32 form): no such register or modifier" },
    { "s_add_u32 s0, s1, v2",
      "operand 'v2' of s_add_u32 (base form): a scalar register is needed" },
    { "s_and_b64 s[1:2], s[2:3], s[4:5]", "s_and_b64: operand 1 must begin at an even register" },
    { "s_load_dwordx4 s[2:5], s[2:3], 0",
      "s_load_dwordx4: operand 1 must begin at a multiple of 4" },
    { "v_add_f32 v0, s1, s2",
      "v_add_f32 reads 2 scalar values; the constant bus has room for one" },
    { "s_add_u32 s0, 100, 200",
      "operand '200' of s_add_u32 (literal form): an instruction has one literal only" },
    { "s_movk_i32 s0, 0x10000",
      "operand '0x10000' of s_movk_i32 (base form): does not fit 16 bits" },
    { "s_branch nowhere",
      "operand 'nowhere' of s_branch (base form): no labels here; give the distance in dwords" },
    { "v_mov_b32 v0, v1 frob:1", "not a modifier of this instruction: 'frob:1'" },
    { "v_add_f32_e32 v0, v1, v2 clamp", "not a modifier of this instruction: 'clamp'" },
    { "v_add_f32 v0, v1, v2 clamp clamp", "given twice: 'clamp'" },
    { "v_add_f32 v0, v1, v2 mul:3", "only mul:2, mul:4 and div:2 exist, not 'mul:3'" },
    { "v_mov_b32_dpp v0, v1", "v_mov_b32 in dpp form needs quad_perm, row_shl or the like" },
    { "v_mov_b32_dpp v0, v1 row_shl:16", "no such lane shuffle: 'row_shl:16'" },
    { "v_mov_b32_dpp v0, v1 quad_perm:[4,0,0,0]",
      "four lanes 0 to 3 in [] and commas belong after 'quad_perm:[4'" },
    { "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_4", "no such select: 'BYTE_4'" },
    { "ds_read_b32 v0, v1 offset:65536", "value out of range: 'offset:65536'" },
    { "s_waitcnt frob(1)", "no such counter: 'frob(1)'" },
    { "s_waitcnt lgkmcnt(16)", "too large for its counter: 'lgkmcnt(16)'" },
    { "s_getreg_b32 s0, hwreg(HW_REG_FROB)", "no such hardware register: 'HW_REG_FROB'" },
    { "global_load_dword v0, v1, off", "operand 'v1' of global_load_dword (base form): two "
                                       "registers are needed without a scalar base" },
    { "flat_atomic_add v[1:2], v3 glc", "flat_atomic_add has 3 operands with glc, not 2" },
    { "flat_atomic_add v0, v[1:2], v3", "flat_atomic_add has 2 operands without glc, not 3" },
    { "scratch_load_dword v0, off, off", "operand 'off' of scratch_load_dword (base form): one of "
                                         "the two addresses is needed, the other is off" },
    { "buffer_load_dword v0, s[4:7], 0", "buffer_load_dword has 4 operands without lds, not 3" },
    { "buffer_load_dword v0, v1, s[4:7], 0", "operand 'v1' of buffer_load_dword (base form): an "
                                             "address goes with idxen or offen, off without them" },
    { "buffer_load_dword v0, v1, s[4:7], 0 idxen offen",
      "operand 'v1' of buffer_load_dword: 2 registers are needed" },
    { "buffer_load_dword v0, off, s[4:7], 0 tfe",
      "operand 'v0' of buffer_load_dword: 2 registers are needed" },
    { "buffer_load_dword v0, off, s[6:9], 0", "operand 's[6:9]' of buffer_load_dword (base form): "
                                              "must begin at a multiple of 4" },
    { "buffer_store_lds_dword s[4:7], 0", "buffer_store_lds_dword needs lds" },
    { "tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_FMT_8]",
      "no such format, or given twice: 'BUF_FMT_8]'" },
    { "tbuffer_load_format_x v0, off, s[4:7], dfmt:16, 0",
      "':' and a number in range belong after 'dfmt:16'" },
    { "image_load v[0:1], v0, s[0:7] dmask:7",
      "operand 'v[0:1]' of image_load: 3 registers are needed" },
    { "image_sample v0, v[0:4], s[0:7], s[8:11] dmask:1",
      "operand 'v[0:4]' of image_sample: 1 register is needed" },
    { "image_atomic_add v0, v0, s[0:7] dmask:4", "image_atomic_add: dmask 0x4 is reserved" },
    { "image_gather4 v[0:3], v0, s[0:7], s[8:11] dmask:3", "image_gather4: dmask has one bit" },
    { "image_load_pck v0, v0, s[0:7] dmask:1 d16", "not a modifier of this instruction: 'd16'" },
    { "exp mrt8 v0, v0, v0, v0", "no such export target: 'mrt8'" },
    { "s_mov_b32 s0, 1e999", "out of the range of f32: '1e999'" },
};

static void test_messages(void)
{
    for (size_t i = 0; i < COUNT_OF(messages); i++) {
        struct insn in;
        struct err e = { .file = "" };
        enum status st = insn_parse(&isa, messages[i].text, &in, &e);
        is_str(messages[i].message, st == ST_INPUT ? e.text : "(assembled)", "%s",
               messages[i].text);
    }
    static const char *const same[] = { "V_ADD_F32 V0, V1, V2",
                                        "  v_add_f32\tv0,v1,v2  // sum",
                                        "v_add_f32 v0 , v1 , v2 ; sum",
                                        "v_add_f32 v0, v1, v2 # sum",
                                        "v_add_f32 v0, /* first */ v1, v2",
                                        "v_add_f32_e32 v[0], v1, v[2:2]" };
    for (size_t i = 0; i < COUNT_OF(same); i++)
        ok(assembles_to(same[i], (const u32[]){ 0x02000501 }, 1), "'%s'", same[i]);
}

/* ---- which dwords are legal ---- */

enum legality { NOT_TEXT, TEXT_ONLY, LEGAL };
struct verdict {
    const char *dwords;
    enum legality want;
    const char *about;
};
static const struct verdict legalities[] = {
    { "32000501", LEGAL, "v_add_co_u32 v0, vcc, v1, v2" },
    { "d1010000 00020501", LEGAL, "v_add_f32_e64" },
    { "d1010000 00000401", TEXT_ONLY, "two scalar registers" },
    { "d1010000 00000201", LEGAL, "the same scalar register twice" },
    { "d1010000 0001e401", LEGAL, "a scalar register and an inline constant" },
    { "d1010400 00020501", NOT_TEXT, "abs of a source that does not exist" },
    { "d1010800 00020501", TEXT_ONLY, "op_sel that the row does not have" },
    { "d1410000 20000101", NOT_TEXT, "neg of raw bits" },
    { "d1348000 00020501", LEGAL, "clamp of v_add_u32" },
    { "d1138000 00020501", NOT_TEXT, "clamp of v_and_b32" },
    { "d1088000 00020501", TEXT_ONLY, "clamp of v_mul_u32_u24: effect not known" },
    { "d1148000 00020501", NOT_TEXT, "clamp of v_or_b32" },
    { "68000501", LEGAL, "v_add_u32_e32" },
    { "680004ff 00000005", TEXT_ONLY, "a literal that has an inline constant" },
    { "680004ff 00000041", LEGAL, "a literal" },
    { "680004d1", NOT_TEXT, "reserved code 209" },
    { "6800047d", NOT_TEXT, "reserved code 125" },
    { "7e0002fe", LEGAL, "lds_direct" },
    { "7e0002f9 00060601", LEGAL, "sdwa" },
    { "7e0002f9 00060701", NOT_TEXT, "dst_sel 7" },
    { "7e0002f9 00061e01", NOT_TEXT, "dst_unused 3" },
    { "7e0002f9 00160601", NOT_TEXT, "neg of raw bits in sdwa" },
    { "7e0002f9 00460601", TEXT_ONLY, "an unused bit of sdwa" },
    { "7c8204f9 06068401", LEGAL, "sdwa compare into s[4:5]" },
    { "7c8204f9 06068501", NOT_TEXT, "sdwa compare into an odd pair" },
    { "7c8204f9 06060401", TEXT_ONLY, "sdwa compare into vcc with an unused sdst" },
    { "7e0002fa ff00e401", LEGAL, "dpp quad_perm" },
    { "7e0002fa ff013101", NOT_TEXT, "dpp_ctrl 0x131" },
    { "be820101", NOT_TEXT, "s_mov_b64 from an odd pair" },
    { "be82017c", NOT_TEXT, "s_mov_b64 from m0" },
    { "bee60102", LEGAL, "s_mov_b64 flat_scratch" },
    { "c00a0101 00000000", LEGAL, "s_load_dwordx4 s[4:7]" },
    { "c00a0081 00000000", NOT_TEXT, "s_load_dwordx4 s[2:5]" },
    { "c0020141 00200000", TEXT_ONLY, "an unused bit of the offset" },
    { "dc508000 007f0002", LEGAL, "global_load_dword v0, v[2:3], off" },
    { "dc508000 ff7f00ff", NOT_TEXT, "an address at v[255:256]" },
    { "dc548000 ff7f0002", NOT_TEXT, "data at v[255:256]" },
    { "d28a0000 00000401", TEXT_ONLY, "v_writelane with two scalar registers" },
    { "d28a0000 0000f801", LEGAL, "v_writelane with a scalar register and m0 as the lane" },
    { "38000401", TEXT_ONLY, "v_addc_co_u32 with a scalar register and vcc" },
    { "d1e80200 041a0a04", LEGAL, "v_mad_u64_u32" },
    { "bf8cffff", TEXT_ONLY, "s_waitcnt with unused bits" },
    { "dd080000 00000301", LEGAL, "flat_atomic_add that returns nothing" },
    { "dd080000 05000301", TEXT_ONLY, "vdst of an atomic that returns nothing" },
    { "dd090000 05000301", LEGAL, "flat_atomic_add with glc" },
    { "dd090000 05007f01", LEGAL, "flat_atomic_add of v127" },
    { "dd850000 0500fd01", NOT_TEXT, "flat_atomic_cmpswap_x2 of data at v[253:256]" },
    { "dd850000 ff000301", NOT_TEXT, "flat_atomic_cmpswap_x2 into v[255:256]" },
    { "dd840000 ff000301", TEXT_ONLY, "the same without glc" },
    { "dc504000 057f0001", LEGAL, "scratch_load_dword from a vector address" },
    { "dc504000 05050000", LEGAL, "scratch_load_dword from a scalar address" },
    { "dc504000 05050001", TEXT_ONLY, "a vector address beside a scalar one" },
    { "dc504000 057d0000", NOT_TEXT, "reserved code 125" },
    { "e0500000 07020500", LEGAL, "buffer_load_dword" },
    { "e0500000 07020501", TEXT_ONLY, "an address without offen and idxen" },
    { "e0503000 070205ff", NOT_TEXT, "index and offset at v[255:256]" },
    { "e0500000 07820500", LEGAL, "tfe of a load" },
    { "e0500000 0782ff00", NOT_TEXT, "tfe and data at v[255:256]" },
    { "e0510000 07820000", NOT_TEXT, "lds and tfe" },
    { "e0540000 07020500", LEGAL, "buffer_load_dwordx2" },
    { "e0550000 07020000", NOT_TEXT, "lds of two dwords" },
    { "e0700000 07820500", TEXT_ONLY, "tfe of a store" },
    { "e1080000 07820500", NOT_TEXT, "tfe of an atomic" },
    { "e0f50000 07020000", LEGAL, "buffer_store_lds_dword" },
    { "e0f40000 07020000", NOT_TEXT, "buffer_store_lds_dword without lds" },
    { "e0500000 07190500", NOT_TEXT, "a resource at s[100:103]" },
    { "e0500000 fe020500", NOT_TEXT, "lds_direct as offset" },
    { "ebf80000 07020500", LEGAL, "tbuffer_load_format_x of a reserved format" },
    { "e8080000 07820500", NOT_TEXT, "tfe of a typed buffer" },
    { "f0000100 00010501", LEGAL, "image_load" },
    { "f0000f00 0001fd01", NOT_TEXT, "image_load of four dwords at v[253:256]" },
    { "f0000f00 8001fd01", LEGAL, "two with d16" },
    { "f0010100 0001ff01", NOT_TEXT, "one and tfe at v[255:256]" },
    { "f0000101 00010501", NOT_TEXT, "the eighth bit of the opcode" },
    { "f0000102 00010501", TEXT_ONLY, "an unused bit" },
    { "f0000100 00210501", NOT_TEXT, "a sampler that image_load does not have" },
    { "f0000100 00190501", NOT_TEXT, "a resource at s[100:107]" },
    { "f0080100 80010501", NOT_TEXT, "d16 of image_load_pck" },
    { "f0480200 00010501", NOT_TEXT, "image_atomic_add of the second component" },
    { "f0440300 00010501", LEGAL, "image_atomic_cmpswap" },
    { "f0440100 00010501", NOT_TEXT, "image_atomic_cmpswap of one register" },
    { "f1000100 00410501", LEGAL, "image_gather4" },
    { "f1000300 00410501", TEXT_ONLY, "image_gather4 of two components" },
    { "f0880100 004105ff", NOT_TEXT, "image_sample_d with an address at v[255:256]" },
    { "f1280100 00410501", LEGAL, "image_gather4h_pck" },
    { "c400000f 04030201", LEGAL, "exp" },
    { "c40000af 04030201", NOT_TEXT, "export target 10" },
    { "c4000000 04030201", TEXT_ONLY, "registers that are not exported" },
    { "c400040f 00000201", LEGAL, "compressed export" },
    { "c4000401 00000001", TEXT_ONLY, "half a pair in a compressed export" },
};

/* What only gfx908 has. */
static const struct verdict matrix_legalities[] = {
    { "d3c00000 04820300", LEGAL, "v_mfma_f32_32x32x1f32 with D and C apart" },
    { "d3c00000 04020300", LEGAL, "C and D the same" },
    { "d3c00000 040a0300", TEXT_ONLY, "C overlaps D in part" },
    { "d3c200e1 07860300", LEGAL, "v_mfma_f32_4x4x1f32, where it may" },
    { "d3c000e1 04820300", NOT_TEXT, "D at a[225:256]" },
    { "d3c00000 07c20300", NOT_TEXT, "C at a[240:271]" },
    { "d3c00000 03ca0300", TEXT_ONLY, "a constant as C" },
    { "d3c00000 00020300", NOT_TEXT, "scalar registers as C" },
    { "d3c00000 04820005", NOT_TEXT, "a scalar register as A" },
    { "d3c00000 048208f2", NOT_TEXT, "a constant as A" },
    { "d3c00000 1c820300", LEGAL, "A and B from accumulation registers" },
    { "d3c80000 1c8203ff", NOT_TEXT, "A at v[255:256]" },
    { "d3c07f00 e4820300", LEGAL, "cbsz, abid and blgp" },
    { "d3c08000 04820300", TEXT_ONLY, "bit 15, which has no name" },
    { "d3d84001 18000103", LEGAL, "v_accvgpr_read_b32" },
    { "d3d80001 00000103", TEXT_ONLY, "not as assemblers write it" },
    { "d3d84101 18000103", NOT_TEXT, "cbsz of a move" },
    { "d3d84001 18000003", NOT_TEXT, "v_accvgpr_read_b32 from a scalar register" },
    { "d3d94001 180000f2", LEGAL, "v_accvgpr_write_b32 of a constant" },
    { "d3d94001 18000003", TEXT_ONLY, "v_accvgpr_write_b32 of a scalar register" },
    { "dd348000 007f0102", LEGAL, "global_atomic_add_f32" },
    { "dd358000 007f0102", NOT_TEXT, "glc where nothing is returned" },
    { "e1344000 80010203", NOT_TEXT, "the same in a buffer" },
    { "78020503", LEGAL, "v_pk_fmac_f16" },
    { "780204ff 3c003c00", LEGAL, "a literal with two halves" },
    { "780204ff 00003c00", TEXT_ONLY, "a literal that 1.0 stands for" },
    { "d1380101 00020903", NOT_TEXT, "abs of packed integers" },
    { "d1370101 20020903", LEGAL, "abs and neg of packed floats" },
};

static void test_legality(const struct verdict *legality, size_t verdicts)
{
    for (size_t i = 0; i < verdicts; i++) {
        u32 dw[INSN_DW_MAX], count = read_hex(legality[i].dwords, dw);
        struct insn in;
        struct err e = { .file = "" };
        enum legality got = NOT_TEXT;
        if (!insn_decode(&isa, dw, count, &in, &e) || in.dw != count)
            bail("%s does not decode: %s", legality[i].dwords, e.text);
        if (insn_printable(&isa, &in, &e) == ST_OK)
            got = insn_legal(&isa, &in, &e) == ST_OK ? LEGAL : TEXT_ONLY;
        is_u64(legality[i].want, got, "%s: %s %s", legality[i].dwords, legality[i].about, e.text);
    }
}

/* ---- laws ---- */

struct law {
    u64 seen, legal, broken;
};

static void broken(struct law *law, const u32 *dw, const char *text, const char *why)
{
    if (law->broken++ < 5)
        diag("%08x %08x '%s': %s", dw[0], dw[1], text, why);
}

/* The laws for what `in` encodes to. Texts also go into buffers that are too small. */
static bool holds(void *ctx, const struct insn *in)
{
    struct law *law = ctx;
    u32 dw[INSN_DW_MAX] = { 0 }, again[INSN_DW_MAX];
    struct insn back, parsed;
    struct err e = { .file = "" };
    char text[512], small[16];
    u32 count = insn_encode(in, dw);
    law->seen++;
    if (!insn_decode(&isa, dw, count, &back, &e))
        return true;
    if (insn_encode(&back, again) != back.dw || memcmp(dw, again, back.dw * sizeof(*dw)) != 0)
        broken(law, dw, "", "encode(decode) differs");
    size_t len = insn_print(&isa, &back, text, sizeof(text));
    insn_print(&isa, &back, small, sizeof(small));
    if (len != strlen(text) || strncmp(text, small, sizeof(small) - 1) != 0)
        broken(law, dw, text, "length or cut text");
    if (insn_legal(&isa, &back, &e) != ST_OK)
        return true;
    law->legal++;
    if (insn_printable(&isa, &back, &e) != ST_OK)
        broken(law, dw, text, "legal, but not printable");
    else if (insn_parse(&isa, text, &parsed, &e) != ST_OK)
        broken(law, dw, text, e.text);
    else if (memcmp(&parsed, &back, sizeof(parsed)) != 0)
        broken(law, dw, text, "parse(print) differs");
    return true;
}

/* Walks the rows, all of them or those that another processor lacks; operand codes through all
 * values or the telling ones. */
static void test_rows(struct rng *r, const struct isa *other, bool all, bool wide)
{
    struct sample_range range = { .all = all, .wide = wide, .random = 20, .r = r };
    struct law law = { 0 };
    u32 forms = 0, without = 0;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++) {
            u32 forms_here = isa_forms((enum gen)isa.target->gen, &isa_rows[op]);
            if (!(forms_here >> form & 1) || !isa_has(&isa, op) || (other && isa_has(other, op)))
                continue;
            u64 before = law.legal;
            samples_each(&isa, op, (enum isa_form)form, &range, holds, &law);
            forms++;
            if (law.legal == before && isa_rows[op].operand[0].kind != K_NONE && without++ < 5)
                diag("%s in form %s has no legal sample", isa_rows[op].name, isa_form_names[form]);
        }
    is_u64(0, law.broken, "%s: %llu samples of %u rows and forms keep the laws, %llu are legal",
           isa.target->mcpu, (unsigned long long)law.seen, forms, (unsigned long long)law.legal);
    is_u64(0, without, "every row and form has a legal sample");
    ok(law.legal * 4 > law.seen, "at least a quarter of the samples is legal");
}

static void test_random(struct rng *r)
{
    struct law law = { 0 };
    u64 decoded = 0;
    for (u32 i = 0; i < 1000000; i++) {
        u32 dw[INSN_DW_MAX] = { (u32)rng_u64(r), (u32)rng_u64(r), (u32)rng_u64(r) };
        struct insn in;
        struct err e = { .file = "" };
        for (u32 avail = 1; avail <= INSN_DW_MAX; avail++)
            if (insn_decode(&isa, dw, avail, &in, &e)) {
                decoded++;
                holds(&law, &in);
                break;
            }
    }
    is_u64(0, law.broken, "1000000 random dwords keep the laws, %llu decode, %llu are legal",
           (unsigned long long)decoded, (unsigned long long)law.legal);
    ok(law.legal > 50000, "enough of them are legal");
}

/* Texts with a few characters changed are answered, whatever they have become. */
static void test_garbage(struct rng *r)
{
    static const char letters[] = "vs0123456789[]():,|-. \t_abcdefxlo/*;#~+\"\\{}";
    u64 good = 0, silent = 0, tried = 200000;
    for (u32 i = 0; i < tried; i++) {
        char line[600];
        const char *base = messages[rng_below(r, COUNT_OF(messages))].text;
        size_t len = strlen(base);
        snprintf(line, sizeof(line), "%s", base);
        for (u32 k = rng_below(r, 4); len && k < 4; k++) {
            size_t at = rng_below(r, (u32)len);
            line[at] = rng_one_in(r, 8) ? (char)rng_u64(r) : letters[rng_below(r, sizeof(letters))];
        }
        struct insn in;
        struct err e = { .file = "" };
        if (insn_parse(&isa, line, &in, &e) == ST_OK)
            good++;
        else
            silent += !e.text[0];
    }
    char line[2000];
    struct insn in;
    struct err e = { .file = "" };
    memset(line, 'x', sizeof(line));
    line[sizeof(line) - 1] = '\0';
    ok(insn_parse(&isa, line, &in, &e) == ST_INPUT, "a line of 2000 characters is refused: %s",
       e.text);
    is_u64(0, silent, "changed texts: %llu assemble, %llu are refused with a reason",
           (unsigned long long)good, (unsigned long long)(tried - good));
}

/* Decimal fractions against the C library. */
static void test_floats(struct rng *r)
{
    u64 wrong = 0;
    for (u32 i = 0; i < 20000; i++) {
        char number[64], line[128];
        u64 digits = rng_u64(r) >> rng_below(r, 60);
        i32 e10 = (i32)rng_below(r, 76) - 45 - (i32)rng_below(r, 12);
        snprintf(number, sizeof(number), "%llu.%03ue%d", (unsigned long long)(digits / 100000),
                 rng_below(r, 1000), e10);
        snprintf(line, sizeof(line), "s_setreg_imm32_b32 hwreg(1), %s", number);
        struct insn in;
        struct err e = { .file = "" };
        float want = (float)strtod(number, NULL);
        u32 bits;
        memcpy(&bits, &want, sizeof(bits));
        enum status st = insn_parse(&isa, line, &in, &e);
        if (st != ST_OK || in.lit != bits) {
            if (wrong++ < 3)
                diag("%s: want %08x got %08x %s", number, bits, in.lit, e.text);
        }
    }
    is_u64(0, wrong, "20000 decimal fractions round as the C library rounds");
}

/* ---- listings ---- */

static void test_program(void)
{
    static const char text[] = "// counts down\n"
                               "    s_movk_i32 s0, 10\n"
                               "Loop: s_sub_u32 s0, s0, 1 ; one less\n"
                               "  s_cmp_eq_u32 s0, 0x12345678\n"
                               "\n"
                               "  s_cbranch_scc1 done # leave\n"
                               "  s_branch Loop\n"
                               "done:\n"
                               "end : s_endpgm";
    static const u32 want[] = { 0xb000000a, 0x80808100, 0xbf06ff00, 0x12345678,
                                0xbf850001, 0xbf82fffb, 0xbf810000 };
    u32 dw[16], n = 0;
    struct err e = { .file = "" };
    ok(insn_parse_program(&isa, text, dw, COUNT_OF(dw), &n, &e) == ST_OK, "a listing assembles %s",
       e.text);
    is_u64(COUNT_OF(want), n, "its length");
    if (n == COUNT_OF(want))
        is_mem(want, dw, sizeof(want), "its dwords");
    ok(insn_parse_program(&isa, "", dw, COUNT_OF(dw), &n, &e) == ST_OK && n == 0,
       "an empty listing");

    static const char far[] = "s_branch over\n.fill 2, 4, 0xbf810000 // left out\nover: s_nop 0\n";
    static const u32 want_far[] = { 0xbf820002, 0xbf810000, 0xbf810000, 0xbf800000 };
    ok(insn_parse_program(&isa, far, dw, COUNT_OF(dw), &n, &e) == ST_OK && n == 4, "filled dwords");
    is_mem(want_far, dw, sizeof want_far, "its dwords");

    static const char fill_usage[] = "'.fill' takes COUNT, 4, VALUE, as in .fill 8, 4, 0xbf810000";
    static const struct {
        const char *text;
        int line;
        const char *message;
    } bad[] = {
        { "s_nop 0\n\ns_branch away\n", 3,
          "operand 'away' of s_branch (base form): no such label" },
        { "a: s_nop 0\na: s_nop 0\n", 2, "label 'a' stands here a second time" },
        { "s_nop 0\nv_foo v1\n", 2, "unknown mnemonic 'v_foo'" },
        { "s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n", 4, "the program is longer than 3 dwords" },
        { "s_nop 0\n.fill 3, 4, 0\n", 2, "the program is longer than 3 dwords" },
        { ".fill 4294967295, 4, 0\n", 1, "the program is longer than 3 dwords" },
        { ".fill 1, 8, 0\n", 1, fill_usage },
        { ".fill 1, 4\n", 1, fill_usage },
        { ".fill 1, 4, 0x100000000\n", 1, fill_usage },
        { ".fill 1, 4, 7 8\n", 1, fill_usage },
        { ".fill -1, 4, 7\n", 1, fill_usage },
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        e = (struct err){ .file = "" };
        enum status st = insn_parse_program(&isa, bad[i].text, dw, 3, &n, &e);
        is_str(bad[i].message, st == ST_INPUT ? e.text : "(assembled)", "a bad listing");
        is_i64(bad[i].line, e.line, "its line");
    }
}

/* Every value of every field of up to 16 bits, in every row and form of one processor: minutes. */
static int test_wide(const char *mcpu)
{
    struct err e = { .file = "" };
    struct rng r;
    if (isa_open(&isa, mcpu, &e) != ST_OK)
        bail("%s", e.text);
    rng_seed(&r, 1);
    test_rows(&r, NULL, true, true);
    return done();
}

/* Codes into operands: the text before, which operand, its new code, the text after or NULL where
 * the operand cannot hold it. */
static const struct coded {
    const char *text;
    u32 index, code;
    const char *want;
} coded[] = {
    { "v_add_u32_e32 v1, v2, v3", 0, CODE_VGPR + 200, "v_add_u32_e32 v200, v2, v3" },
    { "v_add_u32_e32 v1, v2, v3", 1, 7, "v_add_u32_e32 v1, s7, v3" },
    { "v_add_u32_e32 v1, v2, v3", 2, 7, NULL },
    { "v_add_u32_e32 v1, v2, v3", 1, CODE_ACC + 7, NULL },
    { "v_add_u32_e64 v1, v2, v3", 2, CODE_EXECZ, "v_add_u32_e64 v1, v2, src_execz" },
    { "v_add_u32_sdwa v1, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
      2, 7,
      "v_add_u32_sdwa v1, v2, s7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD "
      "src1_sel:DWORD" },
    { "v_add_u32_sdwa v1, s2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
      1, CODE_VGPR + 7,
      "v_add_u32_sdwa v1, v7, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD "
      "src1_sel:DWORD" },
    { "v_cmp_eq_u32_sdwa vcc, v2, v3 src0_sel:DWORD src1_sel:DWORD", 0, 8,
      "v_cmp_eq_u32_sdwa s[8:9], v2, v3 src0_sel:DWORD src1_sel:DWORD" },
    { "v_cmp_eq_u32_e32 vcc, v2, v3", 0, CODE_VCC, "v_cmp_eq_u32_e32 vcc, v2, v3" },
    { "v_cmp_eq_u32_e32 vcc, v2, v3", 0, 8, NULL },
    { "s_load_dword s1, s[2:3], 0x8", 1, 100, "s_load_dword s1, s[100:101], 0x8" },
    { "s_load_dword s1, s[2:3], 0x8", 1, 5, NULL },
    { "buffer_load_dword v1, off, s[8:11], s3", 2, 96, "buffer_load_dword v1, off, s[96:99], s3" },
    { "buffer_load_dword v1, off, s[8:11], s3", 2, 98, NULL },
    { "exp mrt0 v1, v1, v2, v2 compr", 3, CODE_VGPR + 9, "exp mrt0 v1, v1, v9, v9 compr" },
    { "s_add_u32 s1, s2, s3", 2, CODE_VGPR, NULL },
};
static const struct coded matrix_coded[] = {
    { "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[0:3]", 1, CODE_ACC + 9,
      "v_mfma_f32_4x4x1f32 a[0:3], a9, a1, a[0:3]" },
    { "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[0:3]", 2, CODE_VGPR + 9,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, v9, a[0:3]" },
    { "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[0:3]", 0, CODE_ACC + 252,
      "v_mfma_f32_4x4x1f32 a[252:255], v0, a1, a[0:3]" },
    { "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[0:3]", 3, CODE_ACC + 252,
      "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[252:255]" },
    { "v_mfma_f32_4x4x1f32 a[0:3], v0, a1, a[0:3]", 0, CODE_VGPR, NULL },
};

static void test_codes(const struct coded *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct coded *c = &rows[i];
        struct insn in;
        struct err e = { .text = "" };
        char text[256];
        if (insn_parse(&isa, c->text, &in, &e) != ST_OK)
            bail("%s: %s", c->text, e.text);
        bool fits = insn_set_code(&in, &insn_row(&in)->operand[c->index], c->code);
        insn_print(&isa, &in, text, sizeof(text));
        ok(fits == (c->want != NULL), "code %u in operand %u of %s", c->code, c->index, c->text);
        is_str(c->want ? c->want : c->text, text, "what it is then");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *mcpu;
        u32 pairs;
        bool whole; /* all rows, not only those that the one before lacks */
    } later[] = { { "gfx906", 30, false }, { "gfx908", 60, false }, { "gfx600", 100, true },
                  { "gfx700", 40, true },  { "gfx803", 80, true },  { "gfx810", 10, true } };
    struct err e = { .file = "" };
    struct rng r;
    if (argc > 1)
        return test_wide(argv[1]);
    if (isa_open(&isa, "gfx900", &e) != ST_OK)
        bail("%s", e.text);
    rng_seed(&r, 1);
    test_pairs(150);
    test_messages();
    test_legality(legalities, COUNT_OF(legalities));
    test_codes(coded, COUNT_OF(coded));
    test_program();
    test_floats(&r);
    test_garbage(&r);
    test_rows(&r, NULL, true, false);
    test_random(&r);
    for (size_t i = 0; i < COUNT_OF(later); i++) {
        struct isa before = isa;
        if (isa_open(&isa, later[i].mcpu, &e) != ST_OK)
            bail("%s", e.text);
        test_pairs(later[i].pairs);
        test_rows(&r, later[i].whole ? NULL : &before, !later[i].whole, false);
        if (later[i].whole)
            test_random(&r);
        if (strcmp(later[i].mcpu, "gfx908") == 0) {
            test_legality(matrix_legalities, COUNT_OF(matrix_legalities));
            test_codes(matrix_coded, COUNT_OF(matrix_coded));
        }
    }
    return done();
}
