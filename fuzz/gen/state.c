/* The state that a stream starts from: registers by their roles, memory. */
#include "fuzz/gen/internal.h"

#include "oracle/state/state.h"

static u32 *put(struct draw *d, u32 wave, u32 place)
{
    struct stream *s = d->s;
    u32 n = place >= PLACE_V0 && place < PLACE_SCC ? LANES : 1;
    if (s->set_count == STREAM_SETS_MAX || s->value_dw + n > STREAM_VALUES_MAX)
        BUG("a stream sets too much");
    s->set[s->set_count++] = (struct stream_set){ (u16)wave, (u16)place, s->value_dw };
    s->value_dw += n;
    return &s->values[s->value_dw - n];
}

static void put_pair(struct draw *d, u32 wave, u32 place, u64 value)
{
    *put(d, wave, place) = (u32)value;
    *put(d, wave, place + 1) = (u32)(value >> 32);
}

static void put_vector(struct draw *d, u32 wave, u32 reg, enum isa_type type)
{
    u32 *v = put(d, wave, PLACE_V0 + reg);
    u32 how = rng_below(&d->rng, 8), first = gen_draw_value(&d->rng, type),
        step = rng_below(&d->rng, 256);
    bool is_even = how == 0 || (how == 1 && type == T_U32);
    if (!is_even)
        gen_draw_values(&d->rng, type, v, LANES);
    for (u32 lane = 0; is_even && lane < LANES; lane++)
        v[lane] = first + (how == 0 ? 0 : lane * step);
}

/* Three pairs: the second beside the first. */
static void put_doubles(struct draw *d, u32 wave)
{
    u32 *v[VDBL_REGS];
    for (u32 i = 0; i < VDBL_REGS; i++)
        v[i] = put(d, wave, PLACE_V0 + d->r.vdbl + i);
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 a = gen_draw_double(&d->rng), b = gen_draw_double_beside(&d->rng, a),
            c = gen_draw_double(&d->rng);
        const u64 value[VDBL_REGS / 2] = { a, b, c };
        for (u32 i = 0; i < VDBL_REGS; i++)
            v[i][lane] = (u32)(value[i / 2] >> i % 2 * 32);
    }
}

/* A permutation of 64 slots, the same for all lanes' accesses. */
static u32 slot_of(u64 how, u32 lane)
{
    return (lane * ((u32)how | 1) + (u32)(how >> 8)) & 63;
}

static u32 lds_place(const struct draw *d, const struct addr_reg *a, u32 wave, u32 slot,
                     struct rng *r)
{
    if (a->outside && rng_one_in(r, 4))
        return d->s->lds_size + rng_below(r, 1u << (4 + rng_below(r, 23))) * SLOT_BYTES;
    return (wave + a->epoch) % d->s->waves * d->lds_region + slot * SLOT_BYTES;
}

/* Where every lane's slot is in the area. */
static void draw_places(struct draw *d, u32 wave, const struct addr_reg *a, u32 at[LANES])
{
    u64 how = rng_one_in(&d->rng, 3) ? 0 : rng_u64(&d->rng);
    u32 last = RO_BYTES - SLOT_BYTES - a->range;
    struct rng own = d->rng; /* as in gen_draw_values */
    for (u32 lane = 0; a->own && lane < LANES; lane++)
        at[lane] = slot_of(how, lane);
    if (a->own && a->area == AREA_RW)
        for (u32 lane = 0; lane < LANES; lane++)
            at[lane] = wave * REGION_BYTES + at[lane] * SLOT_BYTES;
    else
        for (u32 lane = 0; lane < LANES; lane++) {
            u32 slot = a->own ? at[lane] : rng_below(&own, 64);
            if (a->area == AREA_LDS)
                at[lane] = lds_place(d, a, wave, slot, &own);
            else if (a->area == AREA_RW)
                at[lane] = wave * REGION_BYTES + slot * SLOT_BYTES;
            else /* now and then with the largest immediate: the last bytes of the window */
                at[lane] = lane % 32 == 31 ? last : rng_below(&own, last / 4 + 1) * 4;
        }
    d->rng = own;
}

static void put_addresses(struct draw *d, u32 wave, const struct addr_reg *a)
{
    u32 at[LANES];
    draw_places(d, wave, a, at);
    u64 base = d->s->window[a->area == AREA_RO ? 0 : 1].address;
    u64 up = a->wide ? base - (u64)(i64)a->bias : a->shift;
    u32 *lo = put(d, wave, PLACE_V0 + a->reg);
    u32 *hi = a->wide ? put(d, wave, PLACE_V0 + a->reg + 1u) : NULL;
    for (u32 lane = 0; lane < LANES; lane++)
        lo[lane] = (u32)(at[lane] + up);
    for (u32 lane = 0; hi && lane < LANES; lane++)
        hi[lane] = (u32)((at[lane] + up) >> 32);
    if (!a->wide && a->area != AREA_LDS)
        put_pair(d, wave, a->base, base - a->shift - (u64)(i64)a->bias);
}

/* MODE: rounding, denormals, DX10_CLAMP, IEEE and FP16_OVFL; everything else stays 0. */
static u32 mode_value(struct draw *d)
{
    if (!gen_may(d, GEN_MODE) || rng_one_in(&d->rng, 2))
        return MODE_DEFAULT;
    u32 v = rng_below(&d->rng, 1024) | (u32)rng_one_in(&d->rng, 4) << MODE_FP16_OVFL;
    if (!gen_target_has(d, FEATUREBIT_FP16_OVFL))
        v &= ~(1u << MODE_FP16_OVFL);
    return rng_one_in(&d->rng, 2) ? v : v & ~3u;
}

static void put_specials(struct draw *d, u32 wave)
{
    u64 some = gen_draw_lane_mask(&d->rng);
    put_pair(d, wave, CODE_VCC, gen_draw_lane_mask(&d->rng));
    put_pair(d, wave, CODE_EXEC, gen_draw_lane_mask(&d->rng));
    u32 m0 = gen_draw_value(&d->rng, T_U32);
    bool limits = gen_target_has(d, FEATUREBIT_LDS_LIMIT) && !rng_one_in(&d->rng, 8);
    bool stays = gen_targets_differ(d, FEATUREBIT_LDS_LIMIT) && !gen_may(d, GEN_M0);
    if (limits || stays)
        m0 = ~0u; /* no limit */
    *put(d, wave, CODE_M0) = m0;
    *put(d, wave, PLACE_SCC) = rng_below(&d->rng, 2);
    *put(d, wave, PLACE_MODE) = mode_value(d);
    put_pair(d, wave, d->r.some_exec, some ? some : ~0ull);
}

static void put_scalars(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    for (u32 i = 0; i < SDATA_REGS; i += 2) {
        u64 mask = gen_draw_lane_mask(&d->rng);
        bool masks = rng_one_in(&d->rng, 3);
        if (rng_one_in(&d->rng, 6)) {
            put_pair(d, wave, r->sdata + i, gen_draw_double(&d->rng));
            continue;
        }
        enum isa_type type = rng_one_in(&d->rng, 4) ? T_F32 : T_U32;
        for (u32 k = 0; k < 2; k++)
            *put(d, wave, r->sdata + i + k) =
                masks ? (u32)(mask >> k * 32) : gen_draw_value(&d->rng, type);
    }
    for (u32 i = 0; i < DEPTH_MAX; i++) {
        put_pair(d, wave, r->save[i], 0);
        put_pair(d, wave, r->link[i], rng_u64(&d->rng)); /* a call that writes half is seen */
        put_pair(d, wave, r->jump[i], 0);
        *put(d, wave, r->count[i]) = 0;
    }
    *put(d, wave, r->slds) = wave * d->lds_region;
    if (!gen_may(d, GEN_SMEM))
        return;
    u64 ro = d->s->window[0].address;
    put_pair(d, wave, r->smem[0], ro - (u64)(i64)r->smem_bias);
    put_pair(d, wave, r->smem[1], ro - r->smoff_value);
    u32 stride = rng_one_in(&d->rng, 2) ? 0 : 1 + rng_below(&d->rng, 64);
    u32 end = rng_below(&d->rng, RO_BYTES + 1);
    put_pair(d, wave, r->sbuf, ro | (u64)stride << 48);
    put_pair(d, wave, r->sbuf + 2, stride ? end / stride : end);
    *put(d, wave, r->smoff) = r->smoff_value;
}

/* A resource whose records are bytes, or longer: their number is a multiple of four bytes, of which
 * none is beyond what the wave may reach. */
static void put_scalar_memory(struct draw *d, u32 wave)
{
    struct reg_plan *r = &d->r;
    struct stream_window *w = &d->s->window[d->window_scalar];
    u64 base = w->address + wave * SCALAR_BYTES;
    const u32 *data = stream_value(d->s, wave, r->sdata); /* and the others behind it */
    for (u32 at = 0; at < SCALAR_BYTES; at += SDATA_REGS * 4)
        if (rng_one_in(&d->rng, 3)) /* what is compared and swapped is sometimes equal */
            memcpy(&w->bytes[wave * SCALAR_BYTES + at], data, SDATA_REGS * 4);
    base |= r->scalar_low;
    put_pair(d, wave, r->scalar, base);
    put_pair(d, wave, r->scalar_up, base + r->scalar_bias);
    *put(d, wave, r->scalar_unit) = r->scalar_unit_value;
    put_pair(d, wave, r->scalar_buf, base | (u64)r->scalar_stride << 48);
    put_pair(d, wave, r->scalar_buf + 2,
             r->scalar_stride ? r->scalar_end / r->scalar_stride : r->scalar_end);
}

static void put_buffers(struct draw *d, u32 wave)
{
    for (u32 i = 0; i < RESOURCES; i++) {
        const struct buf_plan *b = &d->buf[i];
        u64 base = d->s->window[i].address + (i == RES_RW ? wave * REGION_BYTES : 0u);
        u32 word[4];
        gen_buffer_words(b, base, word);
        for (u32 k = 0; k < 4; k++)
            *put(d, wave, d->r.buffer[i] + k) = word[k];
        memcpy(put(d, wave, PLACE_V0 + d->r.vbuffer[i]), b->index, sizeof b->index);
        memcpy(put(d, wave, PLACE_V0 + d->r.vbuffer[i] + 1), b->offset, sizeof b->offset);
        if (gen_has_addr64(d))
            memset(put(d, wave, PLACE_V0 + d->r.vbuffer[i] + 2), 0, LANES * sizeof(u32));
    }
    *put(d, wave, d->r.bsoffset) = d->buf_soffset;
}

/* Registers that hold what rare units work on. */
static void put_rare(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    u32 *reg[SAMPLE_REGS], *counts[SYNC_REGS];
    rng_below(&d->rng, 4); /* nothing any more: streams without sync stay as they are */
    if (r->has_samplers) {
        for (u32 i = 0; i < 4; i++)
            *put(d, wave, r->sampler + i) = d->sample.word[i];
        for (u32 i = 0; i < SAMPLE_REGS; i++)
            reg[i] = put(d, wave, PLACE_V0 + r->vsample + i);
        gen_put_samples(d, reg);
    }
    for (u32 i = 0; r->has_matrix && i < MATRIX_PARTS + MATRIX_ACCS; i++) {
        u32 place =
            i < MATRIX_PARTS ? PLACE_V0 + r->vmatrix + i : PLACE_A0 + r->acc + i - MATRIX_PARTS;
        u32 *v = put(d, wave, place);
        for (u32 lane = 0; lane < LANES; lane++)
            v[lane] = gen_draw_matrix_value(d, place);
    }
    for (u32 i = 0; r->has_sync && i < SYNC_REGS; i++)
        counts[i] = put(d, wave, PLACE_V0 + r->vcount + i);
    if (r->has_sync)
        gen_put_sync(d, wave, counts);
}

static void put_images(struct draw *d, u32 wave)
{
    for (u32 i = 0; i < RESOURCES; i++) {
        u64 base = d->s->window[i].address + (i == RES_RW ? wave * REGION_BYTES : 0u);
        u32 word[8];
        gen_image_words(d, i, base, word);
        for (u32 k = 0; k < 8; k++)
            *put(d, wave, d->r.image[i] + k) = word[k];
    }
    for (u32 i = 0; i < COORDS; i++)
        memcpy(put(d, wave, PLACE_V0 + d->r.vimage + i), d->coord[i], sizeof d->coord[i]);
}

/* Private addresses are dwords at the beginning of a lane's memory. */
static void put_scratch(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    u64 base = d->s->window[d->window_scratch].address;
    put_pair(d, wave, insn_flat_scratch((enum gen)d->g->isa->target->gen),
             base + wave * (SCRATCH_LANE * LANES));
    *put(d, wave, r->sscratch) = rng_below(&d->rng, SCRATCH_BASES) * 4;
    u32 *v = put(d, wave, PLACE_V0 + r->vscratch);
    for (u32 lane = 0; lane < LANES; lane++)
        v[lane] = (u32)r->scratch_bias + rng_below(&d->rng, SCRATCH_BASES) * 4;
}

/* Every fourth register is at times the sign of the one before: integers of 64 bits are small, and
 * equal to a constant or to another. */
static void put_signs(struct draw *d, u32 *vint)
{
    for (u32 i = 0; i + 1 < VINT_REGS; i += 4) {
        const u32 *low = vint + i * LANES;
        u32 *high = vint + (i + 1) * LANES;
        bool is_small = rng_one_in(&d->rng, 2);
        for (u32 lane = 0; lane < LANES && is_small; lane++)
            high[lane] = (u32)((i32)low[lane] >> 31);
    }
}

static void put_vectors(struct draw *d, u32 wave)
{
    const struct reg_plan *r = &d->r;
    u32 *vint = &d->s->values[d->s->value_dw]; /* one register after the other */
    for (u32 i = 0; i < VINT_REGS; i++)
        put_vector(d, wave, r->vint + i, T_U32);
    put_signs(d, vint);
    for (u32 i = 0; i < VFLT_REGS; i++)
        put_vector(d, wave, r->vflt + i, i % 3 == 2 ? T_PF16 : T_F32);
    put_doubles(d, wave);
    put_vector(d, wave, r->vtemp, T_U32);
    put_vector(d, wave, r->vfold, T_U32);
    put_vector(d, wave, r->vkept, T_U32);
    for (u32 i = 0; gen_may(d, GEN_VMEM) && i < ADDR_LDS; i++)
        put_addresses(d, wave, &r->addr[i]);
    for (u32 i = 0; gen_may(d, GEN_LDS) && i < r->lds_addrs; i++)
        put_addresses(d, wave, &r->addr[ADDR_LDS + i]);
}

enum { WINDOW_RO, WINDOW_RW, WINDOW_SCRATCH, WINDOW_SCALAR };

/* From which 4 GiB on windows lie, and of how many following ones each kind of window has one. Cards
 * before gfx9 map 40 bits of an address, of which the kernel gives 64 GiB on any machine; the second
 * 4 GiB are left to whoever runs streams on one. */
static const struct {
    u16 first, count;
} pieces[GEN_COUNT] = {
    [GEN_GFX6] = { 2, 3 }, [GEN_GFX7] = { 2, 3 }, [GEN_GFX8] = { 2, 3 }, [GEN_GFX9] = { 1, 0x2000 }
};

/* 4 GiB in the lower half of 48 bits. Addresses in the upper half count as negative. */
enum { PIECES = 0x8000 };

/* A page anywhere in them, sometimes so that the window crosses a multiple of 4 GiB. */
static u64 window_address(struct draw *d, u32 nth)
{
    u32 gen = d->g->isa->target->gen, count = pieces[gen].count;
    u64 high = (u64)(pieces[gen].first + nth * count + rng_below(&d->rng, count)) << 32;
    u32 page = 1u << 12;
    if (high + 0x100000000ull == EXPORTS_BASE >> 32 << 32 || high == EXPORTS_BASE >> 32 << 32)
        high += 2ull << 32; /* there is something else */
    if (high >> 32 >= PIECES - 1)
        high -= 2ull << 32;
    return high + (rng_one_in(&d->rng, 4) ? 0x100000000ull - page / 2
                                          : (u64)rng_below(&d->rng, 0xfff00) * page);
}

/* The next window of the stream; `kind` numbers what windows are for. Returns its index. */
static u32 add_window(struct draw *d, u32 kind, u32 size)
{
    struct stream_window *w = &d->s->window[d->s->window_count];
    w->address = window_address(d, kind);
    w->size = size;
    w->read_only = kind == WINDOW_RO;
    _Static_assert(RO_BYTES % 256 == 0 && IMAGE_BYTES % 256 == 0,
                   "gen_draw_typed draws 256 at once");
    if (w->read_only)
        gen_draw_typed(&d->rng, w->bytes, size);
    else
        gen_draw_bytes(&d->rng, w->bytes, size);
    return d->s->window_count++;
}

/* Where exports are seen: none so far. */
static void add_exports(struct draw *d)
{
    struct stream_window *w = &d->s->window[d->s->window_count++];
    w->address = EXPORTS_BASE;
    w->size = EXPORTS_HEAD + EXPORTS_MAX * EXPORTS_RECORD;
    w->read_only = false;
    memset(w->bytes, 0, w->size);
    d->exports_left = EXPORTS_MAX;
}

static void put_memory(struct draw *d)
{
    struct stream *s = d->s;
    bool vector = gen_may(d, GEN_VMEM) || d->r.has_buffers || d->r.has_images;
    if (gen_may(d, GEN_SMEM) || vector)
        add_window(d, WINDOW_RO, d->r.has_images ? IMAGE_BYTES : RO_BYTES);
    if (d->r.has_images && d->img[RES_RO].is_even)
        gen_fill_even(d, &d->img[RES_RO], s->window[0].bytes);
    if (vector)
        add_window(d, WINDOW_RW, REGION_BYTES * s->waves);
    if (d->r.has_scratch)
        d->window_scratch = add_window(d, WINDOW_SCRATCH, SCRATCH_LANE * LANES * s->waves);
    if (d->r.has_scalar)
        d->window_scalar = add_window(d, WINDOW_SCALAR, SCALAR_BYTES * s->waves);
    if (d->r.has_exports)
        add_exports(d);
    gen_draw_bytes(&d->rng, s->lds, s->lds_size);
}

void gen_draw_state(struct draw *d)
{
    put_memory(d);
    for (u32 wave = 0; wave < d->s->waves; wave++) {
        put_specials(d, wave);
        put_scalars(d, wave);
        put_vectors(d, wave);
        if (d->r.has_scratch)
            put_scratch(d, wave);
        if (d->r.has_scalar)
            put_scalar_memory(d, wave);
        if (d->r.has_buffers)
            put_buffers(d, wave);
        if (d->r.has_images)
            put_images(d, wave);
        put_rare(d, wave);
    }
}
