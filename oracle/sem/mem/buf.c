/* Buffer rows. What a lane's part of a buffer is: its address, and how many of its bytes are in
 * range. Vega ISA, section 8.1. */
#include "oracle/fp/format.h"
#include "oracle/sem/mem/atomic.h"
#include "oracle/sem/sem.h"

#include "oracle/isa/shape.def"

/* A buffer resource, and what else of an address is the same for all lanes. */
struct buffer {
    u64 base;
    u32 stride, records, index_stride, element;
    bool byte_records;   /* in the way of gfx8 */
    bool stride_records; /* in the way of gfx6 and gfx7 */
    u32 soffset, offset; /* bytes */
    bool swizzle, add_tid, bound, idxen, offen;
    const u32 *index, *voffset; /* 64 lanes each */
    const u32 *high;            /* NULL, or upper halves of addresses: voffset are the lower ones */
    const struct data_format *data;
    enum num_format num;
    u32 dst_sel; /* 3 bits for each component */
    /* Memory in one piece in which an access has been: a byte at address a stands at direct + a. */
    uintptr_t direct;
    u64 first, size;
    bool may_write; /* there, without a log */
};

enum { IDENTITY_SEL = 4 | 5 << 3 | 6 << 6 | 7 << 9 };

/* A swizzled buffer keeps this many bytes of a record together where the descriptor has no field
 * for it. */
enum { ELEMENT_BYTES = 4 };

static const u32 no_lanes[LANES];

static void buffer_open(struct wave *w, const struct xinsn *in, bool format, struct buffer *b)
{
    const u32 *r = &w->sgpr[in->opnd[SLOT_BASE].code];
    const struct xop *addr = &in->opnd[SLOT_ADDR];
    bool typed = insn_row(&in->insn)->enc == ENC_MTBUF;
    bool sized = isa_target_has(w->isa->target, FEATUREBIT_ELEMENT_SIZE);
    u32 dfmt = bits32(r[3], 15, 4), vaddr = addr->code - CODE_VGPR;
    *b = (struct buffer){ .base = r[0] | (u64)(r[1] & 0xffff) << 32,
                          .stride = bits32(r[1], 16, 14),
                          .swizzle = r[1] >> 31,
                          .records = r[2],
                          .index_stride = 8u << bits32(r[3], 21, 2),
                          .element = sized ? 2u << bits32(r[3], 19, 2) : ELEMENT_BYTES,
                          .byte_records = isa_target_has(w->isa->target, FEATUREBIT_BYTE_RECORDS),
                          .stride_records =
                              isa_target_has(w->isa->target, FEATUREBIT_STRIDE_RECORDS),
                          .add_tid = r[3] >> 23 & 1,
                          .bound = r[0] | r[1] | r[2] | r[3],
                          .soffset = scalar32(w, &in->opnd[SLOT_SOFF]),
                          .offset = (u32)in->offset,
                          .idxen = insn_get(&in->insn, FLD_idxen),
                          .offen = insn_get(&in->insn, FLD_offen),
                          .index = no_lanes,
                          .voffset = no_lanes,
                          .num = (enum num_format)bits32(r[3], 12, 3),
                          .dst_sel = r[3] & mask32(12) };
    if (r[3] >> 30)
        b->bound = false;
    if (b->add_tid && !format && isa_target_has(w->isa->target, FEATUREBIT_LONG_STRIDE))
        b->stride |= dfmt << 14;
    if (typed) {
        dfmt = insn_get(&in->insn, FLD_dfmt);
        b->num = (enum num_format)insn_get(&in->insn, FLD_nfmt);
        b->dst_sel = IDENTITY_SEL;
    }
    b->data = data_format(dfmt);
    if (b->idxen)
        b->index = w->vgpr[vaddr++ % VGPRS];
    if (insn_get(&in->insn, FLD_tfe))
        w->raised = 0;
    if (b->offen)
        b->voffset = w->vgpr[vaddr % VGPRS];
    if (insn_get(&in->insn, FLD_addr64)) {
        b->voffset = w->vgpr[vaddr % VGPRS];
        b->high = w->vgpr[(vaddr + 1) % VGPRS];
    }
}

/* One lane's place in a buffer. */
struct spot {
    u32 lane;
    u64 addr;
    u64 left; /* bytes from there on that are in range */
    /* Not 0: all of the access lies in one piece of memory, as BUFFER's direct. */
    uintptr_t direct;
};

/* ERRATA(GCN3-U04): on gfx8 all by bytes, private ones too, but structured ones that are
 * swizzled. */
static u64 bytes_left_gfx8(const struct buffer *b, u32 index, u32 offset)
{
    u64 at = (u64)index * b->stride + offset;
    if (b->swizzle && b->stride)
        return index < b->records ? ~0ull : 0;
    return at < b->records ? b->records - at : 0;
}

/* ERRATA(GCN2-U03): on gfx6 and gfx7 by bytes without a stride, else by records. */
static u64 bytes_left_gfx7(const struct buffer *b, u32 index, u32 offset)
{
    if (b->stride)
        return index < b->records ? ~0ull : 0;
    return offset < b->records ? b->records - offset : 0;
}

/* Vega ISA, section 8.1.5.1 (range checking): raw buffers by bytes, structured ones by records,
 * private ones never. */
static u64 bytes_left(const struct buffer *b, u32 index, u32 offset)
{
    if (!b->bound)
        return 0;
    if (b->byte_records)
        return bytes_left_gfx8(b, index, offset);
    if (b->stride_records)
        return bytes_left_gfx7(b, index, offset);
    if (b->add_tid && !b->idxen)
        return ~0ull;
    if (b->idxen && b->stride)
        return index < b->records ? ~0ull : 0;
    return offset < b->records ? b->records - offset : 0;
}

/* With an address of 64 bits neither the records nor swizzling count. */
static struct spot far_spot(const struct buffer *b, u32 lane)
{
    u64 addr = b->voffset[lane] | (u64)b->high[lane] << 32;
    return (struct spot){ lane, sext64(b->base + b->soffset + b->offset + addr, 48), ~0ull, 0 };
}

static struct spot buffer_spot(const struct buffer *b, u32 lane)
{
    if (__builtin_expect(b->high != NULL, 0))
        return far_spot(b, lane);
    u32 index = b->index[lane] + (b->add_tid ? lane : 0), offset = b->voffset[lane] + b->offset;
    u64 within = (u64)index * b->stride + offset;
    if (b->swizzle) {
        u32 msb = index / b->index_stride, lsb = index % b->index_stride;
        within =
            ((u64)msb * b->stride + (u64)(offset / b->element) * b->element) * b->index_stride +
            (u64)lsb * b->element + offset % b->element;
    }
    u64 addr = b->base + b->soffset + within;
    return (struct spot){ lane, sext64(addr, 48), bytes_left(b, index, offset), 0 };
}

/* ---- accesses at `at` bytes from the spot ---- */

/* Whether the bytes lie in the piece of memory at hand. */
static inline bool is_near(const struct buffer *b, u64 addr, u32 bytes)
{
    u64 at = addr - b->first;
    return at < b->size && b->size - at >= bytes;
}

/* The piece of memory around an address is at hand from now on, if there is one. */
static void approach(struct wave *w, struct buffer *b, u64 addr, bool write)
{
    b->direct = mem_direct(w, SPACE_GLOBAL, addr, write, &b->first, &b->size);
    b->size = b->direct ? b->size : 0;
    b->may_write = write && !wlog_takes_memory(w);
}

static u64 far_read(struct wave *w, struct buffer *b, struct spot s, u32 at, u32 bytes)
{
    approach(w, b, s.addr + at, false);
    return mem_read(w, SPACE_GLOBAL, s.lane, s.addr + at, bytes);
}

static inline u64 buffer_read(struct wave *w, struct buffer *b, struct spot s, u32 at, u32 bytes)
{
    u64 v = 0;
    if (!s.direct && at + bytes > s.left)
        return 0;
    if (!s.direct && !is_near(b, s.addr + at, bytes))
        return far_read(w, b, s, at, bytes);
    uintptr_t direct = s.direct ? s.direct : b->direct;
    memcpy(&v, (const void *)(direct + (uintptr_t)(s.addr + at)), bytes);
    return v;
}

static void far_write(struct wave *w, struct buffer *b, struct spot s, u32 at, u32 bytes, u64 v)
{
    approach(w, b, s.addr + at, true);
    mem_write(w, SPACE_GLOBAL, s.lane, s.addr + at, bytes, v);
}

static inline void buffer_write(struct wave *w, struct buffer *b, struct spot s, u32 at, u32 bytes,
                                u64 v)
{
    uintptr_t direct = s.direct ? s.direct : b->direct;
    if (at + bytes > s.left)
        return;
    if (s.direct || (b->may_write && is_near(b, s.addr + at, bytes)))
        memcpy((void *)(direct + (uintptr_t)(s.addr + at)), &v, bytes);
    else
        far_write(w, b, s, at, bytes, v);
}

/* Whether all lanes are on, at equal distances from the first to the last, and all that they may
 * access is in range and in one piece of memory: then each lane's access needs no look. */
static bool is_strip(struct wave *w, struct buffer *b, struct spot first, struct spot last,
                     bool write)
{
    enum { ACCESS_MAX = 16 };
    if (b->high || b->swizzle || b->offen || b->idxen || wave_exec(w) != ~0ull ||
        first.left != ~0ull || last.left != ~0ull ||
        last.addr - first.addr != (u64)b->stride * (LANES - 1))
        return false;
    approach(w, b, first.addr, write);
    return (b->may_write || !write) && is_near(b, first.addr, ACCESS_MAX) &&
           is_near(b, last.addr, ACCESS_MAX);
}

/* Where the dwords of all lanes stand side by side, as ADD_TID lays them: a row of the register file as
 * it is. Prologues and epilogues of whole waves move little else. NULL: look at each lane. */
static u8 *row_at(struct wave *w, const struct xinsn *in, bool write)
{
    enum { ROW = LANES * 4, STRIDE = 4 << 16 };
    const u32 *r = &w->sgpr[in->opnd[SLOT_BASE].code];
    const struct isa_target *t = w->isa->target;
    u64 first, size, base = r[0] | (u64)(r[1] & 0xffff) << 32;
    bool is_long = isa_target_has(t, FEATUREBIT_LONG_STRIDE) && bits32(r[3], 15, 4);
    bool is_row = bits32(r[3], 23, 1) && !(r[3] >> 30) && (r[1] & 0xbfff0000) == STRIDE && !is_long;
    if (!is_row || wave_exec(w) != ~0ull || in->into_lds || (write && wlog_takes_memory(w)) ||
        isa_target_has(t, FEATUREBIT_BYTE_RECORDS) || isa_target_has(t, FEATUREBIT_STRIDE_RECORDS))
        return NULL;
    if (insn_get(&in->insn, FLD_idxen) || insn_get(&in->insn, FLD_offen) ||
        insn_get(&in->insn, FLD_addr64) || insn_get(&in->insn, FLD_tfe))
        return NULL;
    u64 addr = sext64(base + scalar32(w, &in->opnd[SLOT_SOFF]) + (u32)in->offset, 48);
    uintptr_t direct = mem_direct(w, SPACE_GLOBAL, addr, write, &first, &size);
    if (!direct || addr - first >= size || size - (addr - first) < ROW ||
        sext64(addr + ROW - 1, 48) != addr + ROW - 1)
        return NULL;
    return (u8 *)(direct + (uintptr_t)addr);
}

static bool load_row(struct wave *w, const struct xinsn *in)
{
    const u8 *from = row_at(w, in, false);
    if (!from)
        return false;
    u32 reg = ((u32)in->opnd[SLOT_D].code - CODE_VGPR) % VGPRS;
    wlog_reg(w, CODE_VGPR + reg, w->vgpr[reg], LANES);
    memcpy(w->vgpr[reg], from, sizeof w->vgpr[reg]);
    return true;
}

static bool store_row(struct wave *w, const struct xinsn *in)
{
    u8 *to = row_at(w, in, true);
    if (to)
        memcpy(to, w->vgpr[((u32)in->opnd[SLOT_DATA0].code - CODE_VGPR) % VGPRS], LANES * 4);
    return to != NULL;
}

/* The rows that move a dword of each lane and do no more: by name, as mutants of them are to be looked at
 * lane by lane. Compilers know the answer. */
#define MOVES_ROW(op)                                              \
    ((strcmp(#op, "buffer_load_dword") == 0 && load_row(w, in)) || \
     (strcmp(#op, "buffer_store_dword") == 0 && store_row(w, in)))

#define LD8(at)     ((u32)buffer_read(w, &BUFFER, SPOT, at, 1))
#define LD16(at)    ((u32)buffer_read(w, &BUFFER, SPOT, at, 2))
#define LD32(at)    ((u32)buffer_read(w, &BUFFER, SPOT, at, 4))
#define LD64(at)    buffer_read(w, &BUFFER, SPOT, at, 8)
#define ST8(at, v)  buffer_write(w, &BUFFER, SPOT, at, 1, v)
#define ST16(at, v) buffer_write(w, &BUFFER, SPOT, at, 2, v)
#define ST32(at, v) buffer_write(w, &BUFFER, SPOT, at, 4, v)
#define ST64(at, v) buffer_write(w, &BUFFER, SPOT, at, 8, v)

static u64 pair_of(u32 lo, u32 hi)
{
    return lo | (u64)hi << 32;
}

/* ---- formats ---- */

static bool is_format(const struct data_format *d, enum num_format num)
{
    for (u32 i = 0; i < d->count; i++)
        if (!num_format_fits(d->bits[i], num))
            return false;
    return d->count > 0;
}

/* The components of a texel, as they stand in memory; false if the access is out of range or the
 * format is none. */
static bool texel_read(struct wave *w, const struct buffer *b, struct spot s, u32 raw[4])
{
    const struct data_format *d = b->data;
    u64 part[2] = { 0, 0 };
    if (!is_format(d, b->num) || d->bytes > s.left)
        return false;
    for (u32 at = 0; at < d->bytes; at += 4)
        part[at / 8] |=
            mem_read(w, SPACE_GLOBAL, s.lane, s.addr + at, d->bytes - at < 4 ? d->bytes : 4u)
            << at % 8 * 8;
    for (u32 i = 0, bit = 0; i < d->count; bit += d->bits[i++])
        raw[i] = (u32)bits64(part[bit / 64], bit % 64, d->bits[i]);
    return true;
}

static u32 number_one(enum num_format num, bool half)
{
    if (num == NUM_UINT || num == NUM_SINT)
        return 1;
    return half ? 0x3c00 : 0x3f800000;
}

/* A format load of `count` components; halves are packed two to a dword if `half`. Components that
 * the format lacks are 0, W is 1. */
static void texel_load(struct wave *w, const struct buffer *b, struct spot s, u32 count, bool half,
                       u32 *out)
{
    u32 raw[4], one = number_one(b->num, half), v[4];
    bool there = texel_read(w, b, s, raw);
    for (u32 i = 0; i < count; i++) {
        u32 sel = bits32(b->dst_sel, i * 3, 3), from = sel - 4;
        if (sel == 1)
            v[i] = one;
        else if (sel < 4 || !there)
            v[i] = 0;
        else if (from >= b->data->count)
            v[i] = from == 3 ? one : 0;
        else
            v[i] = half ? format_decode_half(raw[from], b->data->bits[from], b->num,
                                             wave_takes(w, ALT_VALUE))
                        : format_decode(raw[from], b->data->bits[from], b->num);
    }
    for (u32 i = 0; i < count; i++) {
        if (!half)
            out[i] = v[i];
        else if (i % 2 == 0)
            out[i / 2] = v[i];
        else
            out[i / 2] |= v[i] << 16;
    }
}

/* A format store. Components that the instruction does not have repeat nothing: they are stored as
 * 0, those that the format lacks are dropped. */
static void texel_store(struct wave *w, const struct buffer *b, struct spot s, u32 count, bool half,
                        const u32 *in)
{
    const struct data_format *d = b->data;
    u64 part[2] = { 0, 0 };
    if (!is_format(d, b->num) || d->bytes > s.left)
        return;
    for (u32 i = 0, bit = 0; i < d->count; bit += d->bits[i++]) {
        u32 v = 0;
        if (i < count)
            v = half ? format_widen_half(in[i / 2] >> i % 2 * 16 & 0xffff, b->num) : in[i];
        part[bit / 64] |= (u64)format_encode(v, d->bits[i], b->num, wave_takes(w, ALT_VALUE))
                          << bit % 64;
    }
    for (u32 at = 0; at < d->bytes; at += 4)
        mem_write(w, SPACE_GLOBAL, s.lane, s.addr + at, d->bytes - at < 4 ? d->bytes : 4u,
                  part[at / 8] >> at % 8 * 8);
}

#define TEXEL_LOAD(count, half, out) texel_load(w, &BUFFER, SPOT, count, half, (u32 *)&(out))
/* The same of halves that stand in a register each. */
static void wide_load(struct wave *w, const struct buffer *b, struct spot s, u32 count, u32 *out)
{
    u32 halves[2];
    texel_load(w, b, s, count, true, halves);
    for (u32 i = 0; i < count; i++)
        out[i] = halves[i / 2] >> i % 2 * 16 & 0xffff;
}

static void wide_store(struct wave *w, const struct buffer *b, struct spot s, u32 count,
                       const u32 *in)
{
    u32 halves[2] = { 0, 0 };
    for (u32 i = 0; i < count; i++)
        halves[i / 2] |= (in[i] & 0xffff) << i % 2 * 16;
    texel_store(w, b, s, count, true, halves);
}

#define TEXEL_LOAD_WIDE(count, out) wide_load(w, &BUFFER, SPOT, count, (u32 *)&(out))
#define TEXEL_STORE_WIDE(count, v)  wide_store(w, &BUFFER, SPOT, count, (const u32 *)&(v))
#define TEXEL_STORE(count, half, v) texel_store(w, &BUFFER, SPOT, count, half, (const u32 *)&(v))

/* ---- rows ---- */

#define DW_B32  1
#define DW_B64  2
#define DW_B96  3
#define DW_B128 4

static void gather(const struct wave *w, const struct xop *o, u32 dw, void *v, u32 lane)
{
    for (u32 i = 0; i < dw; i++)
        memcpy((u8 *)v + i * 4, &w->vgpr[(o->code - CODE_VGPR + i) % VGPRS][lane], 4);
}

static void scatter(const void *v, u32 dw, u32 (*out)[LANES], u32 lane)
{
    for (u32 i = 0; i < dw; i++)
        memcpy(&out[i][lane], (const u8 *)v + i * 4, 4);
}

/* Result rows to consecutive registers, or the one there is to LDS. All memory is resident, so that
 * tfe has nothing to tell: the register behind the data stays. */
static void put_rows(struct wave *w, const struct xinsn *in, const struct xop *o, u32 dw,
                     u32 (*out)[LANES])
{
    u64 exec = wave_exec(w);
    if (in->into_lds) {
        put_lds(w, in, out[0]);
        return;
    }
    if (insn_get(&in->insn, FLD_tfe) && w->raised & TRAPSTS_MEM_VIOL) {
        wave_unmodelled(w, "%s with tfe outside memory is not modelled", insn_row(&in->insn)->name);
        return;
    }
    for (u32 i = 0; i < dw; i++) {
        u32 reg = (o->code - CODE_VGPR + i) % VGPRS;
        wlog_reg(w, CODE_VGPR + reg, w->vgpr[reg], LANES);
        put32(w->vgpr[reg], out[i], exec);
    }
}

/* The old value of an atomic comes back with glc. */
static inline bool returns(const struct xinsn *in)
{
    return insn_get(&in->insn, FLD_glc);
}

#define NOTHING_E(enc, ...)
#define NOTHING(v, f, k, t)
#define ROWS_W(v, f, k, t) u32 rows_##v[DW_##t][LANES];
#define LANE_W(v, f, k, t) CT_##t v;
#define LANE_R(v, f, k, t) LANE_##v(t)
#define LANE_RW(v, f, k, t)                            \
    CT_##t v;                                          \
    gather(w, &in->opnd[SLOT_##v], DW_##t, &v, LANE);  \
    if (SLOT_##v == SLOT_D && isa_clears_half(w->isa)) \
        memset(&v, 0, sizeof v); /* half loads clear the other half: MI100 ISA, section 9.1 */
#define LANE_ADDR(t)
#define LANE_BASE(t)
#define LANE_SOFF(t)
#define LANE_DATA0(t)       LANE_RW(DATA0, , , t)
#define SAVE(v, f, k, t)    scatter(&v, DW_##t, rows_##v, LANE);
#define STORE_W(v, f, k, t) put_rows(w, in, &in->opnd[SLOT_##v], DW_##t, rows_##v);
#define STORE_RW(v, f, k, t)               \
    if (SLOT_##v == SLOT_D || returns(in)) \
    STORE_W(v, f, k, t)

/* What ADD_TID lays in a row is taken as one, but where a row does more than move it. */
#define MAY_BE_STRIP(rowflags) (!((rowflags) & (FORMATTED | ATOMIC)) && BUFFER.add_tid)

// clang-format off
#define LANE_BODY(shape, ...)                 \
    shape(NOTHING_E, LANE_W, LANE_R, LANE_RW) \
    __VA_ARGS__                               \
    shape(NOTHING_E, SAVE, NOTHING, SAVE)

#define OPM(op, shape, numbers, rowflags, ...)                                                \
    static void sem_##op(struct wave *w, const struct xinsn *in)                              \
    {                                                                                         \
        struct buffer BUFFER;                                                                 \
        if (MOVES_ROW(op))                                                                    \
            return;                                                                           \
        shape(NOTHING_E, ROWS_W, NOTHING, ROWS_W)                                             \
        buffer_open(w, in, ((rowflags)&FORMATTED) != 0, &BUFFER);                             \
        if (MAY_BE_STRIP(rowflags) &&                                                         \
            is_strip(w, &BUFFER, buffer_spot(&BUFFER, 0), buffer_spot(&BUFFER, LANES - 1),    \
                     ((rowflags)&STORE) != 0)) {                                              \
            const u64 FIRST = buffer_spot(&BUFFER, 0).addr, STEP = BUFFER.stride;             \
            const uintptr_t DIRECT = BUFFER.direct;                                           \
            for (u32 LANE = 0; LANE < LANES; LANE++) {                                        \
                const struct spot SPOT = { LANE, FIRST + LANE * STEP, ~0ull, DIRECT };        \
                LANE_BODY(shape, __VA_ARGS__)                                                 \
            }                                                                                 \
        } else {                                                                              \
            for (u64 m = wave_exec(w); m; m &= m - 1) {                                       \
                const u32 LANE = ctz64(m);                                                    \
                const struct spot SPOT = buffer_spot(&BUFFER, LANE);                          \
                LANE_BODY(shape, __VA_ARGS__)                                                 \
            }                                                                                 \
        }                                                                                     \
        shape(NOTHING_E, STORE_W, NOTHING, STORE_RW)                                          \
    }
// clang-format on
#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)

#include "oracle/isa/rows/mtbuf.def"
#include "oracle/isa/rows/mubuf.def"
#undef OPM
#undef OPW

#define OPM(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#define OPW                                    OPM
#include "oracle/isa/rows/mtbuf.def"
#include "oracle/isa/rows/mubuf.def"
