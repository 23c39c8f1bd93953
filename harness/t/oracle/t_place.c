/* The names of places in both directions: every place, every range, and what is no place. */
#include "oracle/state/place.h"

#include "harness/t/lib/tap_test.h"

static enum gen gen = GEN_GFX9; /* whose names are tried */

static bool reads_as(const char *text, u32 place, u32 dw, i32 lane)
{
    struct place_range p;
    const char *why;
    return place_parse(gen, text, strlen(text), &p, &why) == ST_OK && !why && p.place == place &&
           p.dw == dw && p.lane == lane;
}

/* Both directions. */
static bool is_name(const char *text, u32 place, u32 dw, i32 lane)
{
    struct place_range p = { .place = (u16)place, .dw = (u8)dw, .lane = (i8)lane };
    char buf[PLACE_NAME_MAX];
    struct text t;
    text_init(&t, buf, sizeof buf);
    place_print(gen, &t, &p);
    return reads_as(text, place, dw, lane) && strcmp(buf, text) == 0;
}

/* ---- names of their own ---- */

static const struct {
    const char *name;
    u16 place;
    u8 dw;
} words[] = {
    { "flat_scratch", 102, 2 },
    { "flat_scratch_lo", 102, 1 },
    { "flat_scratch_hi", 103, 1 },
    { "xnack_mask", 104, 2 },
    { "xnack_mask_lo", 104, 1 },
    { "xnack_mask_hi", 105, 1 },
    { "vcc", 106, 2 },
    { "vcc_lo", 106, 1 },
    { "vcc_hi", 107, 1 },
    { "m0", 124, 1 },
    { "exec", 126, 2 },
    { "exec_lo", 126, 1 },
    { "exec_hi", 127, 1 },
    { "scc", PLACE_SCC, 1 },
    { "mode", PLACE_MODE, 1 },
    { "status", PLACE_STATUS, 1 },
    { "trapsts", PLACE_TRAPSTS, 1 },
    { "pc", PLACE_PC_LO, 2 },
    { "pc_lo", PLACE_PC_LO, 1 },
    { "pc_hi", PLACE_PC_HI, 1 },
    { "tba", PLACE_TBA_LO, 2 },
    { "tba_lo", PLACE_TBA_LO, 1 },
    { "tba_hi", PLACE_TBA_HI, 1 },
};

/* ---- registers that are numbered ---- */

static const struct {
    const char *name;
    u16 first, count;
} files[] = { { "s", 0, 102 }, { "v", 256, 256 }, { "a", 512, 256 }, { "ttmp", 108, 16 } };

static void try_file(u32 f)
{
    const char *name = files[f].name;
    u32 bad_one = 0, bad_range = 0;
    for (u32 n = 0; n < files[f].count; n++) {
        char text[40];
        u32 place = files[f].first + n;
        struct text t;
        text_init(&t, text, sizeof text);
        text_add(&t, "%s%u", name, n);
        bad_one += !is_name(text, place, 1, -1);
        text_init(&t, text, sizeof text);
        text_add(&t, "%s[%u]", name, n);
        bad_one += !reads_as(text, place, 1, -1);
        for (u32 dw = 2; dw <= PLACE_DW_MAX && n + dw <= files[f].count; dw++) {
            text_init(&t, text, sizeof text);
            text_add(&t, "%s[%u:%u]", name, n, n + dw - 1);
            bad_range += !is_name(text, place, dw, -1);
        }
    }
    is_u64(0, bad_one, "%s0 to the last, in both directions", name);
    is_u64(0, bad_range, "ranges of %s, in both directions", name);
}

static void try_lanes(void)
{
    u32 bad = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        char text[40];
        struct text t;
        text_init(&t, text, sizeof text);
        text_add(&t, "v4.lane%u", lane);
        bad += !is_name(text, PLACE_V0 + 4, 1, (i32)lane);
        text_init(&t, text, sizeof text);
        text_add(&t, "a[252:255].lane%u", lane);
        bad += !is_name(text, PLACE_A0 + 252, 4, (i32)lane);
    }
    is_u64(0, bad, "lanes, in both directions");
}

/* Before gfx9 the trap handler and its data are scalar registers, and the temporaries are fewer. */
static void try_older(void)
{
    static const struct {
        enum gen gen;
        const char *name;
        u16 place;
        u8 dw;
    } older[] = {
        { GEN_GFX8, "tba", 108, 2 },       { GEN_GFX8, "tba_lo", 108, 1 },
        { GEN_GFX8, "tma", 110, 2 },       { GEN_GFX8, "tma_hi", 111, 1 },
        { GEN_GFX8, "ttmp0", 112, 1 },     { GEN_GFX8, "ttmp[8:11]", 120, 4 },
        { GEN_GFX8, "s101", 101, 1 },      { GEN_GFX8, "flat_scratch", 102, 2 },
        { GEN_GFX7, "s103", 103, 1 },      { GEN_GFX7, "flat_scratch", 104, 2 },
        { GEN_GFX7, "ttmp[0:1]", 112, 2 },
    };
    struct place_range p;
    const char *why;
    for (u32 i = 0; i < COUNT_OF(older); i++) {
        gen = older[i].gen;
        ok(is_name(older[i].name, older[i].place, older[i].dw, -1), "%s: %s, in both directions",
           isa_gen_name(gen), older[i].name);
    }
    gen = GEN_GFX8;
    ok(place_parse(gen, "ttmp12", 6, &p, &why) == ST_INPUT, "gfx8 has no ttmp12");
    ok(place_parse(gen, "s102", 4, &p, &why) == ST_INPUT, "gfx8 has no s102");
    gen = GEN_GFX9;
    ok(place_parse(gen, "tma", 3, &p, &why) == ST_INPUT, "gfx9 has no register tma");
}

/* Every place that a wave has is called something that is read as this place. */
static void try_every_place(void)
{
    for (u32 place = 0; place < PLACE_COUNT; place++) {
        char name[PLACE_NAME_MAX];
        bool exists = place != 125 && (place < SGPRS || place >= PLACE_V0);
        if (reads_as(place_name(gen, place, name), place, 1, -1) != exists) {
            ok(false, "place %u is called %s", place, name);
            return;
        }
    }
    ok(true, "every place has a name that is read as this place, and nothing else has");
}

/* ---- what is no place ---- */

static const struct {
    const char *text, *why; /* NULL: does not look like a register */
} refused[] = {
    { "", NULL },
    { "s", NULL },
    { "x0", NULL },
    { "V0", NULL },
    { "vccz", NULL },
    { "vcc_l", NULL },
    { "vcc_lo_", NULL },
    { "src_scc", NULL },
    { "src_shared_base", NULL },
    { "tma", NULL },
    { "lds[0].b32", NULL },
    { "wave1.s4", NULL },
    { "s102", "no such register" },
    { "v256", "no such register" },
    { "a256", "no such register" },
    { "ttmp16", "no such register" },
    { "s[101:102]", "no such register" },
    { "v[255:256]", "no such register" },
    { "v[1:0]", "register range runs backwards" },
    { "v[0:4]", "more than 4 registers at once" },
    { "v[0:1", "not a register" },
    { "v[0:]", "not a register" },
    { "v[", "not a register" },
    { "s4294967296", "not a register" },
    { "v0.lane64", "not a lane" },
    { "v0.lane", "not a lane" },
    { "v0x", "not a lane" },
    { "s0.lane1", "not a lane" },
};

static void try_refused(void)
{
    for (u32 i = 0; i < COUNT_OF(refused); i++) {
        struct place_range p;
        const char *why;
        enum status st = place_parse(gen, refused[i].text, strlen(refused[i].text), &p, &why);
        bool same =
            why && refused[i].why ? strcmp(why, refused[i].why) == 0 : why == refused[i].why;
        ok(st == ST_INPUT && same, "'%s' is refused: %s", refused[i].text,
           why ? why : "no register");
    }
}

int main(void)
{
    for (u32 i = 0; i < COUNT_OF(words); i++)
        ok(is_name(words[i].name, words[i].place, words[i].dw, -1), "%s, in both directions",
           words[i].name);
    for (u32 i = 0; i < COUNT_OF(files); i++)
        try_file(i);
    try_lanes();
    try_every_place();
    try_refused();
    try_older();
    char cut[] = "v12";
    struct place_range p;
    const char *why;
    ok(place_parse(gen, cut, 2, &p, &why) == ST_OK && p.place == PLACE_V0 + 1,
       "no byte beyond the length");
    return done();
}
