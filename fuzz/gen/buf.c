/* Buffers: two resources, one to load from and one that may be stored to, an index and an offset
 * for every lane of each, and instructions whose accesses are tried on all lanes before they are
 * taken: inside memory, aligned, lanes apart where something is written. What the sources leave
 * open is left out: the range check of a raw buffer with a scalar offset that it may or may not
 * count, accesses of several dwords to a swizzled buffer, how formats round. Vega ISA, section
 * 8.1. */
#include "fuzz/gen/internal.h"

#include "oracle/fp/format.h"
#include "oracle/state/state.h"

enum { ELEMENT = 4 /* bytes that a swizzled buffer keeps together */ };
enum { SEL_ONE = 1, SEL_X = 4 };

/* ---- formats ---- */

bool gen_is_exact(u32 dfmt, u32 nfmt, enum draw_exact exact)
{
    const enum num_format num = (enum num_format)nfmt;
    const struct data_format *f = data_format(dfmt);
    bool integer = num == NUM_UINT || num == NUM_SINT;
    for (u32 i = 0; i < f->count; i++) {
        u32 bits = f->bits[i];
        bool same = num == NUM_FLOAT && bits == (exact == LOADS_16 ? 16 : 32);
        if (!num_format_fits(bits, num))
            return false;
        if (exact == STORES_32 ? !integer && !same : exact == STORES_16 && !integer)
            return false;
        if (exact == LOADS_16 && !same && !(integer && bits <= 16))
            return false;
        if (exact == STORES_16 && bits > 16)
            return false;
    }
    return f->count && num != NUM_RESERVED;
}

void gen_draw_format(struct draw *d, enum draw_exact exact, u8 *dfmt, u8 *nfmt)
{
    do {
        *dfmt = (u8)(1 + rng_below(&d->rng, 14));
        *nfmt = (u8)rng_below(&d->rng, 8);
    } while (!gen_is_exact(*dfmt, *nfmt, exact));
}

static enum draw_exact exact_of(const struct isa_row *row)
{
    bool half = row->flags & FLAG_TEXEL16, store = row->flags & FLAG_STORE;
    return half ? (store ? STORES_16 : LOADS_16) : store ? STORES_32 : LOADS_32;
}

u16 gen_draw_dst_sel(struct draw *d, u32 nfmt, bool plain)
{
    u32 sel = 0;
    if (plain || rng_one_in(&d->rng, 2))
        return DST_SEL_IDENTITY;
    for (u32 i = 0; i < 4; i++) {
        u32 s = SEL_X + rng_below(&d->rng, 4), constant = rng_below(&d->rng, 16);
        bool one = constant == SEL_ONE && nfmt != NUM_UINT && nfmt != NUM_SINT;
        sel |= (one ? (u32)SEL_ONE : constant == 0 ? 0u : s) << i * 3;
    }
    return (u16)sel;
}

/* ---- resources ---- */

static bool is_formatted(const struct isa_row *row)
{
    return row->flags & FLAG_FORMATTED;
}

/* What places are multiples of: an atomic of 64 bits finds nothing at others. */
static u32 unit_of(const struct isa_row *focus)
{
    bool wide = isa_memory(focus) == MEMORY_BUFFER && focus->flags & FLAG_ATOMIC;
    return wide && isa_access_bytes(focus) == 8 ? 8 : 4;
}

/* An offset beyond the end; of what is only read it may be a little before it, so that an access is
 * in range in part: two lanes that write there would meet. */
static u32 draw_end(struct draw *d, u32 records, bool writes)
{
    u32 more = rng_below(&d->rng, 64) & ~3u;
    bool across = !writes && more < 2 * SLOT_BYTES;
    return across ? ((records - SLOT_BYTES) & ~3u) + more : records + more;
}

/* Records or bytes, steps between records, and what the lanes ask for. */
static void plan_shape(struct draw *d, struct buf_plan *b, bool writes)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    bool by_lane = isa_memory(focus) == MEMORY_BUFFER && !isa_operand_of_kind(focus, K_BADDR);
    u32 kind = by_lane ? 3 + rng_below(&d->rng, 2) : rng_below(&d->rng, 5), unit = unit_of(focus);
    if (unit > ELEMENT && (kind == 2 || kind == 4)) /* which nothing is known of */
        kind--;
    bool differ = gen_targets_differ(d, FEATUREBIT_BYTE_RECORDS) ||
                  gen_targets_differ(d, FEATUREBIT_STRIDE_RECORDS) ||
                  gen_targets_differ(d, FEATUREBIT_ELEMENT_SIZE);
    if (differ) /* bytes everywhere, or all in range whatever is counted */
        kind = by_lane ? 3 : 0;
    u32 dwords = (1 + rng_below(&d->rng, 32 / unit)) * unit / 4, room = b->size;
    u64 how = rng_u64(&d->rng);
    u32 within = rng_below(&d->rng, dwords * 4 / unit) * unit, most = room / (dwords * 4);
    bool far = rng_one_in(&d->rng, 4);
    b->stride = kind == 0 ? 0 : dwords * 4;
    b->swizzle = kind == 2 || kind == 4;
    b->add_tid = kind >= 3;
    b->index_stride = (u8)(rng_one_in(&d->rng, 2) ? 3 : rng_below(&d->rng, 4));
    if (kind == 0)
        b->records = room - rng_below(&d->rng, room / 2);
    else if (differ)
        b->records = room;
    else
        b->records = rng_one_in(&d->rng, 2) ? most : 32 + rng_below(&d->rng, 33);
    b->byte_records = gen_target_has(d, FEATUREBIT_BYTE_RECORDS);
    b->stride_records = gen_target_has(d, FEATUREBIT_STRIDE_RECORDS);
    b->has_element = gen_target_has(d, FEATUREBIT_ELEMENT_SIZE);
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 slot = (lane * ((u32)how | 1) + (u32)(how >> 8)) & 63;
        u32 index = writes ? slot : rng_below(&d->rng, most), offset = within;
        if (kind == 0)
            offset = writes ? slot * SLOT_BYTES : rng_below(&d->rng, room / 4) * 4;
        else if (!writes && !b->swizzle)
            offset = rng_below(&d->rng, dwords) * 4;
        if (b->add_tid)
            index = 0;
        if (far && rng_one_in(&d->rng, 8) && kind == 0)
            offset = draw_end(d, b->records, writes);
        else if (far && rng_one_in(&d->rng, 8) && !b->add_tid)
            index = b->records + rng_below(&d->rng, 1u << rng_below(&d->rng, 31));
        b->index[lane] = index;
        b->offset[lane] = offset;
    }
    if (b->byte_records && b->stride && !b->swizzle)
        b->records *= b->stride;
}

void gen_plan_buffers(struct draw *d)
{
    const struct isa_row *focus = &isa_rows[d->s->focus];
    for (u32 i = 0; i < RESOURCES; i++) {
        struct buf_plan *b = &d->buf[i];
        bool writes = i == RES_RW;
        enum draw_exact exact = is_formatted(focus) ? exact_of(focus)
                                : writes            ? STORES_32
                                                    : LOADS_32;
        if (writes && (exact == LOADS_32 || exact == LOADS_16))
            exact = exact == LOADS_16 ? STORES_16 : STORES_32;
        b->size = writes ? REGION_BYTES : RO_BYTES;
        b->start = rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, 16) * unit_of(focus);
        plan_shape(d, b, writes);
        gen_draw_format(d, exact, &b->dfmt, &b->nfmt);
        b->dst_sel = gen_draw_dst_sel(d, b->nfmt, writes);
        if (b->add_tid) /* the data format has the upper bits of the stride */
            b->dfmt = 0;
    }
    d->buf_soffset = rng_below(&d->rng, 64) * unit_of(focus);
}

void gen_buffer_words(const struct buf_plan *b, u64 base, u32 word[4])
{
    pair_set(word, (base + b->start) | (u64)b->stride << 48 | (u64)b->swizzle << 63);
    word[2] = b->records;
    word[3] = b->dst_sel | (u32)b->nfmt << 12 | (u32)b->dfmt << 15 | (u32)b->index_stride << 21 |
              (u32)b->add_tid << 23 | (u32)(b->has_element && b->swizzle) << 19;
}

bool gen_redraw_buffer(struct draw *d, const struct insn *in, u32 which, u32 *word3)
{
    const struct isa_row *row = insn_row(in);
    struct buf_plan b = d->buf[which];
    u32 word[4], bytes = data_format(b.dfmt)->bytes;
    if (row->enc != ENC_MUBUF || !is_formatted(row) || row->flags & FLAG_STORE || b.add_tid)
        return false;
    do
        gen_draw_format(d, exact_of(row), &b.dfmt, &b.nfmt);
    while (data_format(b.dfmt)->bytes != bytes);
    b.dst_sel = gen_draw_dst_sel(d, b.nfmt, false);
    gen_buffer_words(&b, 0, word);
    *word3 = word[3];
    return true;
}

/* ---- accesses ---- */

struct access {
    const struct buf_plan *b;
    bool addresses; /* registers of index and offset may be named */
    bool idxen, offen, addr64;
    bool writes;
    u32 soffset, offset;         /* bytes */
    u32 bytes, piece;            /* of all, and of what is in range or not as a whole */
    u64 used[REGION_BYTES / 64]; /* bytes that other lanes write */
};

/* Bytes from `offset` on that are in range. */
static u64 bytes_left(const struct access *a, u32 index, u32 offset)
{
    const struct buf_plan *b = a->b;
    u64 at = (u64)index * b->stride + offset;
    if (a->addr64)
        return ~0ull;
    if (b->byte_records && !(b->swizzle && b->stride))
        return at < b->records ? b->records - at : 0;
    if (b->byte_records)
        return index < b->records ? ~0ull : 0;
    if (b->add_tid && !a->idxen && !b->stride_records)
        return ~0ull;
    if (b->stride && (a->idxen || b->stride_records))
        return index < b->records ? ~0ull : 0;
    return offset < b->records ? b->records - offset : 0;
}

static bool take_bytes(struct access *a, u64 at)
{
    u32 step = gen_draw_align(a->piece) < 4 ? gen_draw_align(a->piece) : 4;
    for (u64 p = at; p < at + a->piece; p += step) {
        u64 mask = mask64(step) << p % 64;
        if (a->used[p / 64] & mask)
            return false;
        a->used[p / 64] |= mask;
    }
    return true;
}

static bool lane_fits(struct access *a, u32 lane)
{
    const struct buf_plan *b = a->b;
    bool swizzle = b->swizzle && !a->addr64;
    u32 index = (a->idxen ? b->index[lane] : 0) + (b->add_tid && !a->addr64 ? lane : 0);
    u32 offset = (a->offen || a->addr64 ? b->offset[lane] : 0) + a->offset;
    u64 within = (u64)index * b->stride + offset;
    if (swizzle) {
        u32 rows = 8u << b->index_stride;
        within = ((u64)(index / rows) * b->stride + offset / ELEMENT * ELEMENT) * rows +
                 (u64)(index % rows) * ELEMENT + offset % ELEMENT;
    }
    for (u32 p = 0; p < a->bytes; p += a->piece) {
        bool in = p + a->piece <= bytes_left(a, index, offset);
        u64 at = b->start + a->soffset + within + p;
        if (in != (p + a->piece <= bytes_left(a, index, offset + a->soffset)))
            return false;
        if (!in)
            continue;
        if (at % gen_draw_align(a->piece) || at + a->piece > b->size ||
            (a->writes && !take_bytes(a, at)))
            return false;
    }
    return !swizzle || offset % ELEMENT + a->bytes <= ELEMENT;
}

static bool fits(struct access *a)
{
    memset(a->used, 0, sizeof a->used);
    for (u32 lane = 0; lane < LANES; lane++)
        if (!lane_fits(a, lane))
            return false;
    return true;
}

/* The code of a scalar offset, and its value in bytes. */
static u32 draw_soffset(struct draw *d, u32 *value)
{
    u32 how = rng_below(&d->rng, 4), small = rng_below(&d->rng, 17) * 4;
    *value = how == 0 ? d->buf_soffset : how < 3 ? small : 0;
    return how == 0 ? d->r.bsoffset : CODE_INT_0 + *value;
}

bool gen_has_addr64(const struct draw *d)
{
    return isa_layout_pos((enum gen)d->g->isa->target->gen, LAY_MUBUF, FLD_addr64).width;
}

static void draw_mode(struct draw *d, struct access *a)
{
    u32 how = rng_below(&d->rng, 8);
    bool raw = a->b->stride == 0, tid = a->b->add_tid;
    if (!a->addresses)
        return;
    a->idxen = raw ? how == 1 : tid ? how < 2 : how != 0;
    a->offen = raw ? how != 0 : how & 1;
    a->addr64 = gen_has_addr64(d) && rng_one_in(&d->rng, 6);
    if (a->addr64)
        a->idxen = a->offen = false;
}

/* The format of a typed instruction; false if the resource's is none that is exact. */
static bool set_format(struct draw *d, struct insn *in, struct access *a)
{
    const struct isa_row *row = insn_row(in);
    u8 dfmt = a->b->dfmt, nfmt = a->b->nfmt;
    enum draw_exact exact = exact_of(row);
    if (row->enc == ENC_MTBUF) {
        gen_draw_format(d, exact, &dfmt, &nfmt);
        insn_set(in, FLD_dfmt, dfmt);
        insn_set(in, FLD_nfmt, nfmt);
    }
    a->bytes = a->piece = data_format(dfmt)->bytes;
    return gen_is_exact(dfmt, nfmt, exact);
}

bool gen_draw_buffer(struct draw *d, struct insn *in)
{
    enum { TRIES = 12 };
    const struct isa_row *row = insn_row(in);
    if (row->operand[0].kind == K_NONE) /* of caches */
        return true;
    if (!d->r.has_buffers)
        return false;
    struct access a = { .addresses = isa_operand_of_kind(row, K_BADDR) != NULL,
                        .writes = row->flags & (FLAG_STORE | FLAG_ATOMIC) };
    for (u32 i = 0; i < TRIES; i++) {
        u32 which = a.writes || rng_one_in(&d->rng, 3) ? RES_RW : RES_RO, scale;
        a.b = &d->buf[which];
        a.bytes = isa_access_bytes(row);
        a.piece = row->flags & FLAG_ATOMIC || a.bytes < 4 ? a.bytes : 4;
        if (is_formatted(row) && !set_format(d, in, &a))
            continue;
        scale = gen_draw_align(a.piece);
        draw_mode(d, &a);
        u32 code = draw_soffset(d, &a.soffset), reach = rng_one_in(&d->rng, 2) ? 8 : 1024 / scale;
        a.offset = i % 3 == 2 ? 0 : rng_below(&d->rng, reach) * scale;
        if (!fits(&a))
            continue;
        insn_set(in, FLD_srsrc, d->r.buffer[which] / 4u);
        insn_set(in, FLD_soffset, code);
        insn_set(in, FLD_offset, a.offset);
        if (!a.addresses) /* without it there is no such instruction */
            insn_set(in, FLD_lds, 1);
        insn_set(in, FLD_idxen, a.idxen);
        insn_set(in, FLD_offen, a.offen);
        insn_set(in, FLD_vaddr,
                 a.idxen               ? d->r.vbuffer[which]
                 : a.offen || a.addr64 ? d->r.vbuffer[which] + 1u
                                       : 0);
        if (a.addr64)
            insn_set(in, FLD_addr64, 1);
        insn_set(in, FLD_slc, rng_one_in(&d->rng, 16));
        if (!(row->flags & FLAG_ATOMIC))
            insn_set(in, FLD_glc, rng_one_in(&d->rng, 8));
        return true;
    }
    return false;
}
