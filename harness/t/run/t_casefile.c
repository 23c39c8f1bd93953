/* Reads good, bad, cut and random case files. Bad ones stand in harness/t/bad; their first line
 * says `# LINE: text`, the message that is expected. Values are compared with bit patterns worked
 * out by hand. */
#include "harness/case/casefile.h"
#include "harness/io/file.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- bad files ---- */

static void try_bad(const char *path)
{
    struct casefile *f = NULL;
    struct err e;
    u8 *bytes;
    size_t size;
    char got[400], want[400];
    if (file_read(path, CASE_FILE_BYTES, &bytes, &size, &e) != ST_OK)
        bail("%s: %s", path, e.text);
    size_t n = strcspn((char *)bytes, "\n");
    snprintf(want, sizeof want, "%s:%.*s", path, n > 2 ? (int)n - 2 : 0, (char *)bytes + 2);
    enum status st = casefile_load(path, &f, &e);
    err_text(&e, got, sizeof got);
    is_str(want, st == ST_INPUT ? got : "accepted", "%s", path);
    casefile_free(f);
    free(bytes);
}

static void try_bad_files(void)
{
    struct case_paths paths = { 0 };
    struct err e;
    if (casefile_find("harness/t/bad/case", &paths, &e) != ST_OK)
        bail("harness/t/bad/case: %s (run from the top of the repository)", e.text);
    casefile_sort(&paths);
    ok(paths.count >= 70, "%u bad files", paths.count);
    for (u32 i = 0; i < paths.count; i++)
        try_bad(paths.path[i].path);
    case_paths_free(&paths);
}

/* ---- values ---- */

static const struct {
    const char *place, *value;
    u32 lane;
    u32 dw[4];
} values[] = {
    { "s0", "7", 0, { 7 } },
    { "s0", "-1", 0, { 0xffffffff } },
    { "s0", "-2147483648", 0, { 0x80000000 } },
    { "s0", "4294967295", 0, { 0xffffffff } },
    { "scc", "1", 0, { 1 } },
    { "s[2:3]", "-1", 0, { 0xffffffff, 0xffffffff } },
    { "s[2:3]", "0x123456789abcdef0", 0, { 0x9abcdef0, 0x12345678 } },
    { "v[0:3]", "-2", 0, { 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff } },
    { "v[0:3]",
      "0x112233445566778899aabbccddeeff00",
      0,
      { 0xddeeff00, 0x99aabbcc, 0x55667788, 0x11223344 } },
    { "v[0:2]", "0x9112233445566778", 0, { 0x45566778, 0x91122334, 0 } },
    { "v[0:2]", "0xa9112233445566778", 0, { 0x45566778, 0x91122334, 0xa } },
    { "lds[1].b8", "-1", 0, { 0xff } },
    { "lds[2].b16", "0xfffe", 0, { 0xfffe } },
    { "v0", "lane", 63, { 63 } },
    { "v0", "lane*4+16", 3, { 28 } },
    { "v0", "3*lane-1", 0, { 0xffffffff } },
    { "v0", "100-lane", 60, { 40 } },
    { "v[0:1]", "&one+8", 0, { 0x90000008, 0x12 } },
    { "v[0:1]", "&two-4+lane*2", 5, { 6, 0x34 } },
    { "s[0:1]", "&code+12", 0, { 0x1000c, 0 } },
    { "s[0:1]", "&code>>8+3", 0, { 0x103, 0 } },
    { "v0", "1.5f32", 0, { 0x3fc00000 } },
    { "v0", "-0.0f32", 0, { 0x80000000 } },
    { "v0", "1e10f32", 0, { 0x501502f9 } },
    { "v0", "0.1f32", 0, { 0x3dcccccd } },
    { "v0", "0x1p-149f32", 0, { 1 } },
    { "v0", "0x1f32", 0, { 0x1f32 } },
    { "v0", "1.5f16", 0, { 0x3e00 } },
    { "v0", "65504.0f16", 0, { 0x7bff } },
    { "v0", "-0x1p-24f16", 0, { 0x8001 } },
    { "v[0:1]", "1.0f64", 0, { 0, 0x3ff00000 } },
    { "v[0:1]", "-0.1f64", 0, { 0x9999999a, 0xbfb99999 } },
    { "v0", "inf", 0, { 0x7f800000 } },
    { "v0", "-inf16", 0, { 0xfc00 } },
    { "v[0:1]", "inf", 0, { 0, 0x7ff00000 } },
    { "v0", "nan", 0, { 0x7fc00000 } },
    { "v0", "-nan", 0, { 0xffc00000 } },
    { "v0", "nan16", 0, { 0x7e00 } },
    { "v[0:1]", "-nan64", 0, { 0, 0xfff80000 } },
    { "v0", "snan", 0, { 0x7f800001 } },
    { "v[0:1]", "snan", 0, { 1, 0x7ff00000 } },
};

static void try_values(const struct case_test *t)
{
    const u64 base[] = { 0x10000, 0x1290000000, 0x3400000000 };
    for (u32 i = 0; i < COUNT_OF(values); i++) {
        struct case_place p;
        struct case_value v;
        struct err e = { 0 };
        u32 got[CASE_VALUE_DW] = { 0 };
        bool read =
            casefile_place(t, values[i].place, strlen(values[i].place), &p, &e) == ST_OK &&
            casefile_value(t, values[i].value, strlen(values[i].value), &p, &v, &e) == ST_OK;
        if (read)
            casefile_eval(&v.alt[0], values[i].lane, base, got);
        else
            diag("%s", e.text);
        ok(read && memcmp(got, values[i].dw, p.dw * sizeof got[0]) == 0, "%s = %s is %08x %08x",
           values[i].place, values[i].value, values[i].dw[0], values[i].dw[1]);
    }
}

static const struct {
    const char *value;
    u32 was, got;
    bool accepted;
} accepted[] = {
    { "3", 0, 3, true },
    { "3", 0, 4, false },
    { "{3|5}", 0, 5, true },
    { "{ 3 | 5 }", 0, 3, true },
    { "{3|5}", 0, 4, false },
    { "?", 0, 0x12345678, true },
    { "same", 9, 9, true },
    { "same", 9, 8, false },
    { "1.0f32~1ulp", 0, 0x3f800001, true },
    { "1.0f32~1ulp", 0, 0x3f7fffff, true },
    { "1.0f32~1ulp", 0, 0x3f800002, false },
    { "-1.0f32~2ulp", 0, 0xbf800002, true },
    { "0x1p-149f32~2ulp", 0, 0x80000001, false }, /* the other sign */
    { "0.0f32~2ulp", 0, 1, false },               /* zero is exact */
    { "inf~2ulp", 0, 0x7f7fffff, false },         /* infinity is exact */
    { "0x1.fffffep127f32~2ulp", 0, 0x7f800000, true },
    { "1.0f32~row", 0, 0x3f800001, true }, /* v_rcp_f32 states one unit */
    { "1.0f32~row", 0, 0x3f800002, false },
    { "1.0f32~row", 0, 0xbf800000, false },
    { "inf~row", 0, 0x7f7fffff, false },
    { "1.0f16~1ulp16", 0, 0x3c01, true },
    { "1.0f16~1ulp16", 0, 0x13c00, false }, /* the upper half is no float */
    { "anynan", 0, 0xffc00001, true },
    { "anynan", 0, 0x7f800001, false },
    { "anynan", 0, 0x7f800000, false },
    { "anynan16", 0, 0xfe01, true },
    { "{1.0f32|anynan}", 0, 0x7fffffff, true },
};

static void try_accepts(void)
{
    const struct case_test rcp = { .row_of_file = &isa_rows[OP_v_rcp_f32] };
    for (u32 i = 0; i < COUNT_OF(accepted); i++) {
        struct case_place p;
        struct case_value v;
        struct err e = { 0 };
        const u64 base[] = { 0 };
        bool read =
            casefile_place(NULL, "v0", 2, &p, &e) == ST_OK &&
            casefile_value(&rcp, accepted[i].value, strlen(accepted[i].value), &p, &v, &e) == ST_OK;
        ok(read && casefile_accepts(&v, &p, 0, base, &accepted[i].was, &accepted[i].got) ==
                       accepted[i].accepted,
           "%s %s 0x%x%s%s", accepted[i].value, accepted[i].accepted ? "allows" : "refuses",
           accepted[i].got, e.text[0] ? ": " : "", e.text);
    }
    struct case_place v0;
    struct case_value v;
    struct err e = { 0 };
    const struct case_test add = { .row_of_file = &isa_rows[OP_v_add_f32] };
    ok(casefile_place(NULL, "v0", 2, &v0, &e) == ST_OK &&
           casefile_value(&add, "1.0f32~row", 10, &v0, &v, &e) == ST_INPUT,
       "v_add_f32 states no tolerance: %s", e.text);
}

/* ---- places ---- */

static void try_places(const struct case_test *t)
{
    static const struct {
        const char *text;
        u16 place;
        u8 dw;
        i8 lane;
    } places[] = {
        { "s0", 0, 1, -1 },           { "s101", 101, 1, -1 },    { "s[2:3]", 2, 2, -1 },
        { "v255", 511, 1, -1 },       { "v[4:7]", 260, 4, -1 },  { "v4.lane63", 260, 1, 63 },
        { "a7", 519, 1, -1 },         { "ttmp2", 110, 1, -1 },   { "vcc", 106, 2, -1 },
        { "vcc_hi", 107, 1, -1 },     { "exec", 126, 2, -1 },    { "flat_scratch", 102, 2, -1 },
        { "xnack_mask", 104, 2, -1 }, { "m0", 124, 1, -1 },      { "scc", 768, 1, -1 },
        { "mode", 769, 1, -1 },       { "trapsts", 771, 1, -1 }, { "pc", 772, 2, -1 },
        { "tba", 774, 2, -1 },        { "status", 770, 1, -1 },
    };
    for (u32 i = 0; i < COUNT_OF(places); i++) {
        struct case_place p;
        struct err e = { 0 };
        char name[64];
        bool read = casefile_place(t, places[i].text, strlen(places[i].text), &p, &e) == ST_OK;
        ok(read && p.place == places[i].place && p.dw == places[i].dw && p.lane == places[i].lane &&
               p.space == CASE_REG,
           "%s is a place", places[i].text);
        is_str(places[i].text, read ? casefile_place_name(t, &p, name, sizeof name) : e.text,
               "and is called so");
    }
    struct case_place p;
    struct err e;
    char name[64];
    ok(casefile_place(t, "two[4].b64", 10, &p, &e) == ST_OK && p.space == CASE_MEM && p.mem == 1 &&
           p.offset == 4 && p.bits == 64 && p.dw == 2,
       "bytes of a memory");
    is_str("two[4].b64", casefile_place_name(t, &p, name, sizeof name), "and are called so");
    ok(casefile_place(t, "wave3.s4", 8, &p, &e) == ST_OK && p.wave == 3 && p.place == 4,
       "a register of one wave");
    ok(casefile_place(t, "s[4]", 4, &p, &e) == ST_OK && p.place == 4 && p.dw == 1, "s[4] is s4");
}

/* ---- a good file ---- */

static const char good[] = "# comment\n"
                           "case-format 1 # another\n"
                           "\n"
                           "test Lanes, and MORE\n"
                           "targets gfx900 gfx906\n"
                           "forms e32 sdwa\n"
                           "mode fp32_denorm=flush round=rtz ieee=0 dx10_clamp=0\n"
                           "errata VALU-C10 X\r\n"
                           "mem one 16\n"
                           "mem two 32\n"
                           "code\n"
                           "\tv_add_co_u32 v0, vcc, v1, v2\n"
                           "rows v1 v2 exec|v0 vcc\n"
                           "  1 2 1|3 0\n"
                           "\n"
                           "  4 5 0 | {9|8} ?  errata Y Z # why\n"
                           "test runs\n"
                           "code\n"
                           "  ds_write_b32 v2, v1\n"
                           "rows v2 v1 | lds[4].b32\n"
                           "  4 7 | 7\n"
                           "test scalar\n"
                           "in s5=6\n"
                           "code\n"
                           "  s_mov_b64 s[0:1], s[2:3]\n"
                           "rows s[2:3] | s[0:1]\n"
                           "  0x100000002 | 0x100000002\n"
                           "test cases\n"
                           "waves 2\n"
                           "in  s0 = 1\n"
                           "    s1 = 2\n"
                           "code\n"
                           "  s_mov_b32 s2, s0\n"
                           "case first\n"
                           "out s2 = 1\n"
                           "case second\n"
                           "errata W\n"
                           "in wave1.s0 = 3\n"
                           "out wave0.s2 = 1 wave1.s2 = 3\n"
                           "test one case\n"
                           "code\n"
                           "  s_mov_b32 s2, 1\n"
                           "out s2 = 1\n"
                           "test moved\n"
                           "again v+128 a+2\n"
                           "in v[2:3] = 5 s2 = 1\n"
                           "code\n"
                           "  v_add_f32_dpp v0, -v1, |v2| quad_perm:[0,1,2,3]\n"
                           "  v_mfma_f32_4x4x1f32 a[0:3], v1, v[2], a[0:3]\n"
                           "case first\n"
                           "in v1.lane3 = 2\n"
                           "out v0 = 1 a[2:3].lane0 = 7 s3 = 4\n"
                           "test refused\n"
                           "code\n"
                           "  s_mov_b32 s2\n"
                           "reject operand\n";

static bool is_place(const struct case_assigns *list, u32 i, u32 place)
{
    return i < list->count && list->a[i].place.place == place;
}

/* The registers of the second run have other numbers; those of the first stay. */
static void try_again(const struct case_test *t, const struct case_test *again)
{
    is_str("v_add_f32_dpp v0, -v1, |v2| quad_perm:[0,1,2,3]", t->code[0].text, "code");
    ok(!t->is_again && is_place(&t->in, 0, PLACE_V0 + 2) &&
           is_place(&t->item[0].out, 1, PLACE_A0 + 2),
       "places of the first run");
    ok(again->is_again && again->line == t->line, "a second run, at the same line");
    is_str("moved+v128+a2", again->slug, "its slug");
    is_str("moved, v+128 a+2", again->title, "its title");
    is_str("v_add_f32_dpp v128, -v129, |v130| quad_perm:[0,1,2,3]", again->code[0].text, "code");
    is_str("v_mfma_f32_4x4x1f32 a[2:5], v129, v[130], a[2:5]", again->code[1].text, "more code");
    ok(is_place(&again->in, 0, PLACE_V0 + 130) && is_place(&again->in, 1, 2) &&
           is_place(&again->item[0].in, 0, PLACE_V0 + 129) &&
           again->item[0].in.a[0].place.lane == 3,
       "inputs");
    ok(is_place(&again->item[0].out, 0, PLACE_V0 + 128) &&
           is_place(&again->item[0].out, 1, PLACE_A0 + 4) && is_place(&again->item[0].out, 2, 3),
       "results");
}

static void try_good(void)
{
    struct casefile *f;
    struct err e;
    if (casefile_parse("x/vop2/v_add_co_u32.case", good, sizeof good - 1, &f, &e) != ST_OK)
        bail("line %d: %s", e.line, e.text);
    const struct case_test *t = f->test;
    is_str("vop2", f->dir, "folder");
    is_str("v_add_co_u32", f->stem, "stem");
    is_u64(8, f->tests, "tests");
    is_str("lanes-and-more", t->slug, "slug");
    is_u64(CASE_LANES, t->shape, "vector columns and masks: rows are lanes");
    is_hex(0x0cf, t->mode, "mode");
    is_u64(F_BASE | F_SDWA, t->forms, "forms");
    ok(t->targets == 2 && t->errata.count == 2 && strcmp(t->errata.id[1], "X") == 0,
       "targets and errata");
    ok(!t->row[0].errata && t->row[1].errata && t->row[1].errata->count == 2 &&
           strcmp(t->row[1].errata->id[1], "Z") == 0,
       "errata of a row");
    ok(!t[3].item[0].errata.count && strcmp(t[3].item[1].errata.id[0], "W") == 0 &&
           !t[3].errata.count,
       "errata of a case");
    ok(t->rows == 2 && t->cols == 5 && t->in_cols == 3 && t->row[1].line == 16, "table");
    ok(t->row[1].value[3].alts == 2 && t->row[1].value[4].kind == CASE_ANY,
       "alternatives in a row");
    is_str("v_add_co_u32 v0, vcc, v1, v2", t->code[0].text, "code");
    ok(t[1].shape == CASE_RUNS && t[1].one_lane && t[1].lds_size == 512,
       "a memory column: rows are runs of lane 0");
    ok(t[2].shape == CASE_RUNS && !t[2].one_lane, "scalar columns: rows are runs");
    ok(t[3].shape == CASE_ITEMS && t[3].items == 2 && t[3].waves == 2 && t[3].in.count == 2 &&
           t[3].item[1].in.count == 1 && t[3].item[1].out.count == 2,
       "cases with shared and own state");
    ok(t[4].shape == CASE_ITEMS && t[4].items == 1, "out alone is one case");
    ok(t[7].shape == CASE_REJECT && strcmp(t[7].reject, "operand") == 0, "reject");
    try_again(&t[5], &t[6]);
    try_values(t);
    try_places(t);
    casefile_free(f);
}

/* ---- damaged files ---- */

/* Whatever the bytes: a file, or one line that says where. */
static bool survives(const char *bytes, size_t size)
{
    struct casefile *f = NULL;
    struct err e;
    enum status st = casefile_parse("x/y/z.case", bytes, size, &f, &e);
    casefile_free(f);
    return st == ST_OK || (st == ST_INPUT && e.text[0] && e.line > 0 && !strchr(e.text, '\n'));
}

static void try_damage(void)
{
    bool all = true;
    for (size_t n = 0; n < sizeof good; n++)
        all = survives(good, n) && all;
    ok(all, "every beginning of a file");
    struct rng r;
    rng_seed(&r, 1);
    char buf[sizeof good];
    all = true;
    for (u32 i = 0; i < 3000; i++) {
        u32 n = rng_below(&r, sizeof buf);
        for (u32 k = 0; k < n; k++)
            buf[k] = (char)rng_u64(&r);
        all = survives(buf, n) && all;
    }
    ok(all, "3000 times random bytes");
    static const char glyphs[] = "\n \t{}|=~[]:.&*+-?#0x9flanev";
    all = true;
    for (u32 i = 0; i < 20000; i++) {
        memcpy(buf, good, sizeof buf);
        for (u32 k = 1 + rng_below(&r, 6); k; k--)
            buf[rng_below(&r, sizeof buf - 1)] = glyphs[rng_below(&r, sizeof glyphs - 1)];
        all = survives(buf, sizeof buf - 1) && all;
    }
    ok(all, "20000 times a few characters changed");
}

/* ---- paths ---- */

static void try_paths(void)
{
    struct case_paths p = { 0 };
    struct err e = { 0 };
    ok(casefile_find("harness/t/bad/case/value.case:4", &p, &e) == ST_OK && p.count == 1 &&
           p.path[0].line == 4,
       "FILE:LINE");
    ok(casefile_find("harness/t/bad", &p, &e) == ST_OK, "a folder");
    casefile_sort(&p);
    bool sorted = true;
    for (u32 i = 1; i < p.count; i++)
        sorted = sorted && strcmp(p.path[i - 1].path, p.path[i].path) < 0;
    ok(sorted, "files come in order, each once");
    ok(casefile_find("harness/t/bad:4", &p, &e) == ST_INPUT, "a folder has no lines");
    static const char *const no_lines[] = { "0", "000", "abc", "", "12345678", "4x", "-1" };
    for (u32 i = 0; i < COUNT_OF(no_lines); i++) {
        char arg[64], want[64];
        snprintf(arg, sizeof arg, "harness/t/run/count.case:%s", no_lines[i]);
        snprintf(want, sizeof want, "'%s' is not a line number", no_lines[i]);
        is_i64(ST_INPUT, casefile_find(arg, &p, &e), "%s is refused", arg);
        is_str(want, e.text, "and the reason is");
    }
    ok(casefile_find("harness/t/nothing.case", &p, &e) == ST_INPUT &&
           strcmp(e.file, "harness/t/nothing.case") == 0,
       "what is not there is named");
    ok(casefile_find("harness", &p, &e) == ST_OK, "folders below a folder");
    ok(casefile_find("oracle", &p, &e) == ST_INPUT, "a folder without cases");
    u64 rows = 0;
    is_i64(ST_INPUT, casefile_count_rows("harness/t/bad/case/value.case", &rows, &e),
           "a bad file has no count");
    casefile_count_rows("harness/t/run/count.case", &rows, &e);
    is_u64(5, rows, "rows and cases are counted");
    case_paths_free(&p);
}

int main(void)
{
    try_good();
    try_accepts();
    try_bad_files();
    try_damage();
    try_paths();
    return done();
}
