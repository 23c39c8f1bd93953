/* Scalar rows: SOP2, SOPK, SOP1, SOPC, SOPP and scalar memory. */
#include "oracle/sem.h"
#include "oracle/sem_sop.h"

#include "oracle/isa/shape.def"

/* ---- hardware registers: s_getreg, s_setreg ---- */

static void unmodelled_hwreg(struct wave *w, u32 id)
{
    struct text t;
    text_init(&t, w->why, sizeof w->why);
    text_add(&t, "hwreg %u is not modelled", id);
    w->stop = STOP_UNMODELLED;
}

/* The bits of STATUS that the model knows: SCC, EXECZ, VCCZ. Vega ISA, chapter 3 (STATUS). */
enum {
    STATUS_EXECZ = 9,
    STATUS_VCCZ = 10,
    STATUS_KNOWN = 1 | 1 << STATUS_EXECZ | 1 << STATUS_VCCZ
};

static u32 status_read(struct wave *w, u32 field)
{
    if (field & ~(u32)STATUS_KNOWN) {
        struct text t;
        text_init(&t, w->why, sizeof w->why);
        text_add(&t, "STATUS bits 0x%x are not modelled", field & ~(u32)STATUS_KNOWN);
        w->stop = STOP_UNMODELLED;
    }
    return w->scc | (u32)(wave_exec(w) == 0) << STATUS_EXECZ |
           (u32)(wave_vcc(w) == 0) << STATUS_VCCZ;
}

static u32 hwreg_get(struct wave *w, u32 simm)
{
    u32 id = simm & 63, offset = simm >> 6 & 31, width = (simm >> 11 & 31) + 1, v = 0;
    switch (id) {
    case HWREG_MODE: v = w->mode; break;
    case HWREG_STATUS: v = status_read(w, mask32(width) << offset); break;
    case HWREG_TRAPSTS: v = w->trapsts; break;
    default: unmodelled_hwreg(w, id); break;
    }
    return bits32(v, offset, width);
}

/* Bits outside these exist not or are not a program's to write. Vega ISA, chapter 3. */
enum { TRAPSTS_WRITABLE = 0x1ff };
static const u32 mode_writable = 0xf887ffffu;

static void mode_write(struct wave *w, u32 v)
{
    u32 unmodelled = 1u << MODE_GPR_IDX_EN | 1u << MODE_VSKIP | 0x7fu << MODE_EXCP_EN;
    if (v & ~w->mode & unmodelled) {
        struct text t;
        text_init(&t, w->why, sizeof w->why);
        text_add(&t, "MODE bits 0x%x are not modelled", v & ~w->mode & unmodelled);
        w->stop = STOP_UNMODELLED;
        return;
    }
    wlog_reg(w, PLACE_MODE, &w->mode, 1);
    w->mode = (w->mode & ~mode_writable) | (v & mode_writable);
    wave_mode_changed(w);
}

static void hwreg_set(struct wave *w, u32 simm, u32 value)
{
    u32 id = simm & 63, offset = simm >> 6 & 31, width = (simm >> 11 & 31) + 1;
    u32 field = mask32(width) << offset;
    if (id == HWREG_MODE) {
        mode_write(w, (w->mode & ~field) | (value << offset & field));
    } else if (id == HWREG_TRAPSTS) {
        wlog_reg(w, PLACE_TRAPSTS, &w->trapsts, 1);
        field &= TRAPSTS_WRITABLE;
        w->trapsts = (w->trapsts & ~field) | (value << offset & field);
    } else if (id != HWREG_STATUS) { /* STATUS is read-only to a program */
        unmodelled_hwreg(w, id);
    }
}

/* ---- scalar memory ---- */

/* Base + signed 21-bit immediate, or + scalar register, or both; the low two bits of each part are
 * dropped. Vega ISA, chapter 7. ERRATA: one chapter calls the immediate 20 bits and unsigned. */
static void smem_load(struct wave *w, const struct xinsn *in, u32 dwords)
{
    const struct insn *i = &in->insn;
    u64 addr = pair_get(&w->sgpr[in->opnd[SLOT_BASE].code]) & ~3ull;
    u64 imm = (u64)(i64)in->offset;
    if (insn_get(i, FLD_imm))
        addr += imm & ~3ull;
    i32 reg = smem_offset_register(i);
    if (reg >= 0)
        addr += w->sgpr[reg] & ~3u;
    u32 value[16];
    for (u32 n = 0; n < dwords; n++)
        value[n] = (u32)mem_read(w, SPACE_GLOBAL, addr + n * 4, 4);
    scalar_write(w, in->opnd[SLOT_D].code, value, dwords);
}

/* ---- rows ---- */

#define GET_1(o) scalar32(w, o)
#define GET_2(o) scalar64(w, o)
#define GET_B32  GET_1
#define GET_U32  GET_1
#define GET_I32  GET_1
#define GET_F32  GET_1
#define GET_B64  GET_2
#define GET_U64  GET_2
#define GET_I64  GET_2

static inline void put_scalar(struct wave *w, const struct xop *o, u64 value)
{
    u32 dw[2];
    pair_set(dw, value);
    scalar_write(w, o->code, dw, o->dw);
}

#define NOTHING_E(enc, forms)
#define NOTHING(v, f, k, t)
#define DECL_R(v, f, k, t) CT_##t v = (CT_##t)GET_##t(&in->opnd[SLOT_##v]);
#define DECL_W(v, f, k, t) CT_##t v = 0;
#define SAVE_W(v, f, k, t) put_scalar(w, &in->opnd[SLOT_##v], (u64)v);

#define OP(op, shape, numbers, rowflags, ...)                            \
    static void sem_##op(struct wave *w, const struct xinsn *in)         \
    {                                                                    \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_R) u32 SCC = w->scc;       \
        u64 EXEC = wave_exec(w), VCC = wave_vcc(w), PC = w->pc;          \
        (void)in, (void)SCC, (void)EXEC, (void)VCC, (void)PC;            \
        __VA_ARGS__                                                      \
        shape(NOTHING_E, SAVE_W, NOTHING, SAVE_W) if ((rowflags)&WR_SCC) \
        {                                                                \
            wlog_reg(w, PLACE_SCC, &w->scc, 1);                          \
            w->scc = SCC;                                                \
        }                                                                \
        if ((rowflags)&WR_EXEC) {                                        \
            u32 dw[2];                                                   \
            pair_set(dw, EXEC);                                          \
            scalar_write(w, CODE_EXEC, dw, 2);                           \
        }                                                                \
        if ((rowflags)&BRANCH)                                           \
            w->pc = PC;                                                  \
    }
#define OPW(op, shape, numbers, rowflags, ...)                   \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#include "oracle/isa/smem.def"
#include "oracle/isa/sop.def"
#undef OP
#undef OPW

sem_fn *const SEM_TABLE(sem_sop)[OP_COUNT] = {
#define OP(op, shape, numbers, rowflags, ...) [OP_##op] = sem_##op,
#define OPW                                   OP
#include "oracle/isa/smem.def"
#include "oracle/isa/sop.def"
};
