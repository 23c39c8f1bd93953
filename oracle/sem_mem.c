/* LDS and vector memory rows. */
#include "oracle/sem.h"

#include "oracle/isa/shape.def"

static u32 lane_dword(const struct wave *w, const struct xop *o, u32 i, u32 lane)
{
    return w->vgpr[(o->code - CODE_VGPR + i) % VGPRS][lane];
}

/* ---- accesses ---- */

#define LD8(addr)      ((u32)mem_read(w, SPACE, addr, 1))
#define LD16(addr)     ((u32)mem_read(w, SPACE, addr, 2))
#define LD32(addr)     ((u32)mem_read(w, SPACE, addr, 4))
#define LD64(addr)     mem_read(w, SPACE, addr, 8)
#define ST8(addr, v)   mem_write(w, SPACE, addr, 1, v)
#define ST16(addr, v)  mem_write(w, SPACE, addr, 2, v)
#define ST32(addr, v)  mem_write(w, SPACE, addr, 4, v)
#define ST64(addr, v)  mem_write(w, SPACE, addr, 8, v)
#define LD96(addr)     ld96(w, SPACE, addr)
#define LD128(addr)    ld128(w, SPACE, addr)
#define ST96(addr, v)  st96(w, SPACE, addr, v)
#define ST128(addr, v) st128(w, SPACE, addr, v)

/* 96 and 128 bits are one access: all of it lies inside memory, or none is done. */
static struct b96 ld96(struct wave *w, enum space space, u64 addr)
{
    if (!mem_reach(w, space, addr, 12, false))
        return (struct b96){ { 0 } };
    u64 lo = mem_read(w, space, addr, 8);
    return (struct b96){ { (u32)lo, (u32)(lo >> 32), (u32)mem_read(w, space, addr + 8, 4) } };
}

static struct b128 b128_pair(u64 lo, u64 hi)
{
    return (struct b128){ { (u32)lo, (u32)(lo >> 32), (u32)hi, (u32)(hi >> 32) } };
}

static struct b128 ld128(struct wave *w, enum space space, u64 addr)
{
    if (!mem_reach(w, space, addr, 16, false))
        return b128_pair(0, 0);
    u64 lo = mem_read(w, space, addr, 8);
    return b128_pair(lo, mem_read(w, space, addr + 8, 8));
}

static void st96(struct wave *w, enum space space, u64 addr, struct b96 v)
{
    if (!mem_reach(w, space, addr, 12, true))
        return;
    mem_write(w, space, addr, 8, pair_get(v.d));
    mem_write(w, space, addr + 8, 4, v.d[2]);
}

static void st128(struct wave *w, enum space space, u64 addr, struct b128 v)
{
    if (!mem_reach(w, space, addr, 16, true))
        return;
    mem_write(w, space, addr, 8, pair_get(v.d));
    mem_write(w, space, addr + 8, 8, pair_get(v.d + 2));
}

/* ---- lanes read each other ---- */

/* Pull: each lane reads DATA0 of the lane that its address names; a lane that is off gives 0. */
static void ds_bpermute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u64 exec = wave_exec(w);
    u32 out[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 src = (addr[lane] + (u32)in->offset) / 4 % LANES;
        out[lane] = exec >> src & 1 ? data[src] : 0;
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* Push: each lane writes its DATA0 to the lane that its address names; the highest-numbered writer
 * wins and a lane that nobody writes gets 0. */
static void ds_permute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u32 out[LANES] = { 0 };
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        out[(addr[lane] + (u32)in->offset) / 4 % LANES] = data[lane];
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* ---- rows ---- */

/* A destination of n dwords is collected as n rows of lanes. */
static void store_rows(struct wave *w, const struct xinsn *in, u32 (*out)[LANES])
{
    struct xop o = in->opnd[SLOT_D];
    for (u32 i = 0; i < in->opnd[SLOT_D].dw; i++) {
        o.code = (u16)(CODE_VGPR + (in->opnd[SLOT_D].code - CODE_VGPR + i) % VGPRS);
        store32(w, in, &o, out[i]);
    }
}

#define DW_B32  1
#define DW_B64  2
#define DW_B96  3
#define DW_B128 4

static inline void split(const void *v, u32 dw, u32 (*out)[LANES], u32 lane)
{
    u32 d[4];
    memcpy(d, v, dw * 4);
    for (u32 i = 0; i < dw; i++)
        out[i][lane] = d[i];
}

static inline void join(const struct wave *w, const struct xop *o, u32 dw, void *v, u32 lane)
{
    u32 d[4];
    for (u32 i = 0; i < dw; i++)
        d[i] = lane_dword(w, o, i, lane);
    memcpy(v, d, dw * 4);
}

/* Address operands are joined by the address calculation; only the data operands are variables. */
#define NOTHING_E(enc, forms)
#define NOTHING(v, f, k, t)
#define DECL_W(v, f, k, t) u32 out[DW_##t][LANES];
#define LANE_W(v, f, k, t) CT_##t v;
#define LANE_R(v, f, k, t) LANE_##v(t)
#define LANE_ADDR(t)
#define LANE_BASE(t)
#define LANE_DATA0(t) LANE_DATA(DATA0, t)
#define LANE_DATA1(t) LANE_DATA(DATA1, t)
#define LANE_DATA(v, t) \
    CT_##t v;           \
    join(w, &in->opnd[SLOT_##v], DW_##t, &v, lane);
#define SAVE_W(v, f, k, t)  split(&v, DW_##t, out, lane);
#define STORE_W(v, f, k, t) store_rows(w, in, out);

#define OPM(op, shape, numbers, rowflags, ...)                                             \
    static void sem_##op(struct wave *w, const struct xinsn *in)                           \
    {                                                                                      \
        u64 addr[LANES], addr1[LANES];                                                     \
        shape(NOTHING_E, DECL_W, NOTHING, NOTHING) const enum space SPACE =                \
            space_of(in, rowflags);                                                        \
        in->ops->addresses(w, in, addr, addr1);                                            \
        for (u64 m = wave_exec(w); m; m &= m - 1) {                                        \
            const u32 lane = ctz64(m);                                                     \
            const u64 ADDR = addr[lane], ADDR1 = (rowflags)&OFFSET2 ? addr1[lane] : 0;     \
            (void)ADDR1;                                                                   \
            shape(NOTHING_E, LANE_W, LANE_R, NOTHING) __VA_ARGS__ shape(NOTHING_E, SAVE_W, \
                                                                        NOTHING, NOTHING)  \
        }                                                                                  \
        shape(NOTHING_E, STORE_W, NOTHING, NOTHING)                                        \
    }
#define OPW(op, shape, numbers, rowflags, ...)                   \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        __VA_ARGS__                                              \
    }

static inline enum space space_of(const struct xinsn *in, u64 flags)
{
    if (flags & LDS)
        return SPACE_LDS;
    return insn_row(&in->insn)->enc == ENC_FLAT ? SPACE_FLAT : SPACE_GLOBAL;
}

#include "oracle/isa/ds.def"
#include "oracle/isa/mem.def"
#undef OPM
#undef OPW

sem_fn *const SEM_TABLE(sem_mem)[OP_COUNT] = {
#define OPM(op, shape, numbers, rowflags, ...) [OP_##op] = sem_##op,
#define OPW                                    OPM
#include "oracle/isa/ds.def"
#include "oracle/isa/mem.def"
};
