/* Image and export rows: images without a sampler, and exports that nothing else sees. Vega ISA,
 * sections 8.2 and 11. */
#include "oracle/sem/mem/atomic.h"
#include "oracle/sem/mem/image.h"

/* Whether a level of detail stands behind the coordinates. */
enum level { BASE_LEVEL, OWN_LEVEL };

/* ---- places ---- */

/* Coordinate number `i` of a lane. */
static u32 coordinate(const struct image *g, u32 i, u32 lane)
{
    return g->a16 ? g->coord[i / 2][lane] >> i % 2 * 16 & 0xffff : g->coord[i][lane];
}

/* Whether all lanes ask for a level there is; stops the wave if not. */
static bool levels_exist(struct wave *w, const struct xinsn *in, const struct image *g, u32 at)
{
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        if (coordinate(g, at, ctz64(m)) < g->levels || g->data->count == 0)
            continue;
        refuse(w, in, "a level beyond the last");
        return false;
    }
    return true;
}

static u32 level_at(const struct image *g)
{
    return image_axes(g->type) + g->layers;
}

/* The same for texels: the level stands behind the coordinates. */
static bool image_ready(struct wave *w, const struct xinsn *in, enum level level, struct image *g)
{
    return image_open(w, in, g) && (level == BASE_LEVEL || levels_exist(w, in, g, level_at(g)));
}

/* The address of a lane's texel; false if it is outside the image. Coordinates are unsigned. A
 * layer that the instruction does not have is 0, one that the image does not have is ignored. */
static bool texel_at(const struct image *g, enum level level, u32 lane, u64 *addr)
{
    struct mip m = g->top;
    u32 axes = image_axes(g->type), c[3] = { 0 };
    if (g->data->count == 0)
        return false;
    for (u32 i = 0; i < axes; i++)
        c[i] = coordinate(g, i, lane);
    if (g->layers && has_layers(g->type))
        c[2] = coordinate(g, axes, lane);
    if (level == OWN_LEVEL)
        m = image_mip(g, coordinate(g, level_at(g), lane));
    if (c[0] >= m.size[0] || c[1] >= m.size[1] || c[2] >= m.size[2])
        return false;
    *addr = texel_addr(g, &m, c);
    return true;
}

/* ---- texels ---- */

static void raw_write(struct wave *w, u32 lane, u64 addr, u32 bytes, const u64 part[2])
{
    for (u32 at = 0; at < bytes; at += 4)
        mem_write(w, SPACE_GLOBAL, lane, addr + at, bytes < 4 ? bytes : 4,
                  part[at / 8] >> at % 8 * 8);
}

/* All four components that a shader sees; outside the image only the constants of dst_sel are
 * left. */
static void texel_read(struct wave *w, const struct image *g, enum level level, u32 lane, u32 v[4])
{
    const struct data_format *d = g->data;
    u32 seen[4] = { 0, 0, 0, number_one(g) };
    u64 addr, part[2];
    bool there = texel_at(g, level, lane, &addr);
    if (there)
        raw_read(w, lane, addr, d->bytes, part);
    for (u32 i = 0, bit = 0; there && i < d->count; bit += d->bits[i++]) {
        u32 raw = (u32)bits64(part[bit / 64], bit % 64, d->bits[i]);
        seen[i] = g->half ? format_decode_half(raw, d->bits[i], component_num(g, i),
                                               wave_takes(w, TAKE_SATURATED))
                          : format_decode(raw, d->bits[i], component_num(g, i));
    }
    for (u32 i = 0; i < 4; i++) {
        u32 sel = bits32(g->dst_sel, i * 3, 3);
        v[i] = sel == 1 ? number_one(g) : sel < 4 || !there ? 0 : seen[sel - 4];
    }
}

/* Components that the format has and the instruction lacks are stored as 0. */
static void texel_write(struct wave *w, const struct image *g, enum level level, u32 lane,
                        const u32 v[4])
{
    const struct data_format *d = g->data;
    u64 addr, part[2] = { 0, 0 };
    if (!texel_at(g, level, lane, &addr))
        return;
    for (u32 i = 0, bit = 0; i < d->count; bit += d->bits[i++])
        part[bit / 64] |=
            (u64)format_encode(v[i], d->bits[i], g->num, wave_takes(w, TAKE_SATURATED)) << bit % 64;
    raw_write(w, lane, addr, d->bytes, part);
}

/* Whether a texel can be stored: the image's components are seen in the order of memory (what a
 * store makes of another order is not stated), and can be coded. Stops the wave if not. */
static bool can_store(struct wave *w, const struct xinsn *in, const struct image *g)
{
    for (u32 i = 0; i < g->data->count; i++) {
        if (bits32(g->dst_sel, i * 3, 3) == 4 + i)
            continue;
        refuse(w, in, "components in another order");
        return false;
    }
    if (g->num == NUM_SRGB)
        refuse(w, in, "sRGB to be stored");
    return g->num != NUM_SRGB;
}

/* ---- loads and stores ---- */

static void texels_load(struct wave *w, const struct xinsn *in, enum level level)
{
    struct image g;
    u32 out[4][LANES], n = 0;
    if (!image_ready(w, in, level, &g))
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m), v[4];
        texel_read(w, &g, level, lane, v);
        n = 0;
        for (u32 i = 0; i < 4; i++) {
            if (!(g.dmask >> i & 1))
                continue;
            put_component(&g, out, lane, n, v[i]);
            n++;
        }
    }
    put_components(w, in, &g, n, out);
}

/* Number n of the halves that a lane stores. */
static u32 half_of(struct wave *w, const struct image *g, const struct xop *data, u32 n, u32 lane)
{
    if (g->unpacked)
        return data_row(w, data, n)[lane] & 0xffff;
    return data_row(w, data, n / 2)[lane] >> n % 2 * 16 & 0xffff;
}

/* DMASK names the components; of halves it only tells how many there are. */
static void texels_store(struct wave *w, const struct xinsn *in, enum level level)
{
    struct image g;
    const struct xop *data = &in->opnd[SLOT_DATA0];
    if (!image_ready(w, in, level, &g) || !can_store(w, in, &g))
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m), v[4] = { 0 }, n = 0;
        for (u32 i = 0; i < 4; i++) {
            if (!(g.dmask >> i & 1))
                continue;
            if (g.half)
                v[n] = format_widen_half(half_of(w, &g, data, n, lane), g.num);
            else
                v[i] = data_row(w, data, n)[lane];
            n++;
        }
        texel_write(w, &g, level, lane, v);
    }
}

/* ---- without conversion: texels of one dword or less ---- */

static bool packed_ready(struct wave *w, const struct xinsn *in, enum level level, bool extend,
                         struct image *g)
{
    const char *what = NULL;
    if (!image_ready(w, in, level, g) || !can_store(w, in, g))
        return false;
    if (g->dmask != 1 || g->data->bytes > 4)
        what = "more than one dword of packed data";
    else if (extend && g->data->count > 1)
        what = "the signs of several components";
    if (what)
        refuse(w, in, what);
    return !what;
}

enum extension { ZEROS, SIGNS };

static void packed_load(struct wave *w, const struct xinsn *in, enum level level,
                        enum extension extension)
{
    struct image g;
    u32 out[1][LANES];
    if (!packed_ready(w, in, level, extension == SIGNS, &g))
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        u64 addr, part[2] = { 0, 0 };
        if (texel_at(&g, level, lane, &addr))
            raw_read(w, lane, addr, g.data->bytes, part);
        out[0][lane] = (u32)part[0];
        if (extension == SIGNS && g.data->bytes)
            out[0][lane] = sext32((u32)part[0], g.data->bytes * 8);
    }
    put_rows(w, in, &in->opnd[SLOT_D], 1, out);
}

static void packed_store(struct wave *w, const struct xinsn *in, enum level level)
{
    struct image g;
    if (!packed_ready(w, in, level, false, &g))
        return;
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        u64 addr, part[2] = { data_row(w, &in->opnd[SLOT_DATA0], 0)[lane], 0 };
        if (texel_at(&g, level, lane, &addr))
            raw_write(w, lane, addr, g.data->bytes, part);
    }
}

/* ---- atomics ---- */

/* An atomic of either size; one of the two compares, too. */
struct atomic {
    u32 (*op32)(u32 old, u32 data);
    u64 (*op64)(u64 old, u64 data);
    u32 (*swap32)(u32 old, u32 compare, u32 data);
    u64 (*swap64)(u64 old, u64 compare, u64 data);
};

static u64 atomic_result(const struct atomic *a, u64 old, const u32 data[4], bool wide)
{
    if (a->swap32)
        return wide ? a->swap64(old, pair_get(data + 2), pair_get(data))
                    : a->swap32((u32)old, data[1], data[0]);
    return wide ? a->op64(old, pair_get(data)) : a->op32((u32)old, data[0]);
}

/* The texel as one integer. DMASK tells how many registers of data there are, and with that the
 * integer's size; the old value comes back with glc. */
static void texels_change(struct wave *w, const struct xinsn *in, struct atomic a)
{
    const struct xop *data = &in->opnd[SLOT_DATA0];
    struct image g;
    u32 old_rows[2][LANES];
    if (!image_ready(w, in, BASE_LEVEL, &g))
        return;
    bool wide = g.dmask == (a.swap32 ? 15 : 3);
    if ((!wide && g.dmask != (a.swap32 ? 3 : 1)) ||
        (g.data->bytes && g.data->bytes != (wide ? 8 : 4))) {
        refuse(w, in, "texels of another size than its data");
        return;
    }
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m), v[4];
        u64 addr, old[2] = { 0, 0 }, new[2] = { 0, 0 };
        for (u32 i = 0; i < 4; i++)
            v[i] = data_row(w, data, i)[lane];
        if (texel_at(&g, BASE_LEVEL, lane, &addr)) {
            raw_read(w, lane, addr, g.data->bytes, old);
            new[0] = atomic_result(&a, old[0], v, wide);
            raw_write(w, lane, addr, g.data->bytes, new);
        }
        old_rows[0][lane] = (u32)old[0];
        old_rows[1][lane] = (u32)(old[0] >> 32);
    }
    if (insn_get(&in->insn, FLD_glc))
        put_rows(w, in, data, wide ? 2 : 1, old_rows);
}

#define ATOMIC_OF(op)                  \
    (struct atomic)                    \
    {                                  \
        .op32 = op##32, .op64 = op##64 \
    }
#define MINMAX_OF(op, sign)                              \
    (struct atomic)                                      \
    {                                                    \
        .op32 = op##_##sign##32, .op64 = op##_##sign##64 \
    }
#define COMPARE_SWAP(op)                   \
    (struct atomic)                        \
    {                                      \
        .swap32 = op##32, .swap64 = op##64 \
    }

/* ---- what an image is ---- */

/* Width, height, depth or layers of a level, and how many levels there are. What is said of axes
 * that an image does not have is not stated. */
static void image_info(struct wave *w, const struct xinsn *in)
{
    struct image g;
    u32 out[4][LANES], n = 0;
    if (!image_open(w, in, &g) || !levels_exist(w, in, &g, 0))
        return;
    bool flat = g.type == IMAGE_1D || g.type == IMAGE_1D_ARRAY;
    if (g.data->count == 0 || (g.dmask & 2 && flat) ||
        (g.dmask & 4 && (flat || g.type == IMAGE_2D))) {
        refuse(w, in, "a size that the image does not have");
        return;
    }
    if (g.dmask & 4 && g.layer) {
        refuse(w, in, "the layers behind a first one");
        return;
    }
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        struct mip level = image_mip(&g, coordinate(&g, 0, lane));
        n = 0;
        for (u32 i = 0; i < 4; i++)
            if (g.dmask >> i & 1)
                out[n++][lane] = i < 3 ? level.size[i] : g.levels;
    }
    put_rows(w, in, &in->opnd[SLOT_D], n, out);
}

/* ---- exports ---- */

/* Component `c` of what a lane exports: halves of two registers if they are compressed. */
static u32 export_component(const struct wave *w, const struct insn *in, u32 c, u32 lane)
{
    bool halves = insn_get(in, FLD_compr);
    u32 v = w->vgpr[insn_get(in, (enum isa_field)(FLD_vsrc0 + (halves ? c / 2 : c)))][lane];
    return halves ? v >> c % 2 * 16 & 0xffff : v;
}

static bool exports_component(const struct insn *in, u32 c)
{
    return insn_get(in, FLD_en) >> (insn_get(in, FLD_compr) ? c & 2 : c) & 1;
}

/* A record behind those of the exports before, if there is memory for them; the wave itself sees
 * nothing of it. Vega ISA, chapter 11; the record: EXPORTS_BASE. */
static void export_data(struct wave *w, const struct xinsn *in)
{
    const struct insn *i = &in->insn;
    u64 exec = wave_exec(w);
    if (!mem_at(w->mem, EXPORTS_BASE, 4, true))
        return;
    u64 count = mem_read(w, SPACE_GLOBAL, 0, EXPORTS_BASE, 4);
    u64 at = EXPORTS_BASE + EXPORTS_HEAD + count * EXPORTS_RECORD;
    if (!mem_at(w->mem, at, EXPORTS_RECORD, true)) {
        refuse(w, in, "more exports than there is memory for");
        return;
    }
    mem_write(w, SPACE_GLOBAL, 0, EXPORTS_BASE, 4, count + 1);
    mem_write(w, SPACE_GLOBAL, 0, at, 4, i->word & mask32(13));
    mem_write(w, SPACE_GLOBAL, 0, at + 4, 4, w->id);
    mem_write(w, SPACE_GLOBAL, 0, at + 8, 8, exec);
    for (u32 c = 0; c < 4; c++)
        for (u64 m = exports_component(i, c) ? exec : 0; m; m &= m - 1)
            mem_write(w, SPACE_GLOBAL, 0, at + 16 + (c * LANES + ctz64(m)) * 4, 4,
                      export_component(w, i, c, ctz64(m)));
}

/* ---- rows ---- */

#define OPX(...)                               /* oracle/sem/mem/sample.c */
#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#include "oracle/isa/rows/exp.def"
#include "oracle/isa/rows/mimg.def"
#undef OPW

#define OPW(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#include "oracle/isa/rows/exp.def"
#include "oracle/isa/rows/mimg.def"
