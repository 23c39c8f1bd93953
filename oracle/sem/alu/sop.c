/* Scalar rows: SOP2, SOPK, SOP1, SOPC, SOPP. */
#include "oracle/sem/sem.h"

#include "oracle/isa/shape.def"

/* ---- bits: total functions, beyond those of sem.h ---- */

/* As bfe_i32, of 64 bits. */
static inline i64 bfe_i64(i64 v, u32 offset, u32 width)
{
    i64 rest = v >> offset;
    u32 unused = width >= 64 - offset ? 0 : 64 - width;
    return width == 0 ? 0 : (i64)((u64)rest << unused) >> unused;
}

static inline u64 brev64(u64 v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}

/* Bits from the top that equal the top bit, -1 if all do. S_FLBIT_I32, S_FLBIT_I32_I64. */
static inline u32 sign_run32(u32 v)
{
    u32 change = v >> 31 ? ~v : v;
    return change ? clz32(change) : ~0u;
}
static inline u32 sign_run64(u64 v)
{
    u64 change = v >> 63 ? ~v : v;
    return change ? clz64(change) : ~0u;
}

/* Bit 4n is set if any of the bits 4n to 4n + 3 is. */
static inline u64 quads(u64 v)
{
    v |= v >> 1;
    v |= v >> 2;
    return v & 0x1111111111111111;
}

/* S_WQM: a quad of which any bit is set becomes all ones. */
static inline u64 whole_quads(u64 v)
{
    return quads(v) * 15;
}

/* S_QUADMASK: one bit per quad. */
static inline u64 quad_mask(u64 v)
{
    u64 mask = 0;
    for (u32 i = 0; i < 16; i++)
        mask |= (quads(v) >> i * 4 & 1) << i;
    return mask;
}

/* S_BITREPLICATE: every bit twice. */
static inline u64 bit_pairs(u32 v)
{
    u64 d = 0;
    for (u32 i = 0; i < 32; i++)
        d |= (u64)(v >> i & 1) * 3 << i * 2;
    return d;
}

/* ---- hardware registers: s_getreg, s_setreg ---- */

/* The simulated wave has its registers from register 0 on: what is allocated to it, or all 256 VGPRs
 * and 112 SGPRs (s0-s101 and the special ones). Vega ISA, chapter 5 (GPR_ALLOC). UNVERIFIED: SGPR_SIZE,
 * which the manual counts in eights in one place and sixteens in another. */
static u32 gpr_alloc(const struct wave *w)
{
    u32 vgprs = w->allocated.vgprs ? w->allocated.vgprs : VGPRS;
    u32 sgprs = w->allocated.sgprs ? w->allocated.sgprs : 112;
    return (vgprs / 4 - 1) << 8 | (sgprs / 8 - 1) << 24;
}

/* It has LDS from 0 on, as much as is allocated, which LDS_SIZE counts in 64 dwords. Vega ISA, chapter 5
 * (LDS_ALLOC). */
static u32 lds_alloc(const struct wave *w)
{
    enum { UNIT = 256 };
    u32 granule = isa_lds_granule(w->isa->target);
    return (w->lds->size + granule - 1) / granule * (granule / UNIT) << 12;
}

/* Nothing is outstanding when an instruction begins. Vega ISA, chapter 5 (IB_STS). UNVERIFIED:
 * SH_MEM_BASES, which the manual only names. ERRATA(STATE-U19): of HW_ID it has the name alone, too. Its
 * bits 5:4 are the SIMD and 3:0 the slot there; the waves of a group have slots of their own, and all
 * other numbers are 0. The ids that are not here read as 0. */
static u32 hwreg_read(const struct wave *w, u32 id)
{
    switch (isa_has_hwreg(w->isa, id) ? id : 0) {
    case HWREG_MODE: return w->mode;
    case HWREG_STATUS: return wave_status(w);
    case HWREG_TRAPSTS: return w->trapsts;
    case HWREG_GPR_ALLOC: return gpr_alloc(w);
    case HWREG_LDS_ALLOC: return lds_alloc(w);
    case HWREG_HW_ID: return w->id % 4 << 4 | (w->id / 4 & 15);
    case HWREG_SH_MEM_BASES:
        return (u32)(w->private_base >> 48) | (u32)(w->shared_base >> 48) << 16;
    case HWREG_TBA_LO: return (u32)w->tba;
    case HWREG_TBA_HI: return (u32)(w->tba >> 32);
    default: return 0;
    }
}

static u32 hwreg_get(const struct wave *w, u32 simm)
{
    u32 id = simm & 63, offset = simm >> 6 & 31, width = (simm >> 11 & 31) + 1;
    u32 v = hwreg_read(w, id);
    return bits32(v, offset, width);
}

/* Vega ISA, chapter 3 (MODE). */
static void mode_write(struct wave *w, u32 v)
{
    u32 writable = wave_mode_bits(w);
    wlog_reg(w, PLACE_MODE, &w->mode, 1);
    w->mode = (w->mode & ~writable) | (v & writable);
    wave_mode_changed(w);
}

/* Beside EXCP only hardware and host set bits; what a program's doing so leads to is not known. */
static void trapsts_write(struct wave *w, u32 v)
{
    u32 other = v & ~w->trapsts & ~(u32)TRAPSTS_EXCP;
    if (other) {
        wave_unmodelled(w, "TRAPSTS bits 0x%x are not modelled", other);
        return;
    }
    wlog_reg(w, PLACE_TRAPSTS, &w->trapsts, 1);
    w->trapsts = v;
}

/* All but MODE and TRAPSTS are read-only. ERRATA(STATE-C05): the manual lets a trap handler write
 * TBA and TMA in one place and nobody in another. */
static void hwreg_set(struct wave *w, u32 simm, u32 value)
{
    u32 id = simm & 63, offset = simm >> 6 & 31, width = (simm >> 11 & 31) + 1;
    u32 field = mask32(width) << offset;
    if (id == HWREG_MODE)
        mode_write(w, (w->mode & ~field) | (value << offset & field));
    else if (id == HWREG_TRAPSTS)
        trapsts_write(w, (w->trapsts & ~field) | (value << offset & field));
    else if (w->status >> STATUS_PRIV & 1)
        wave_unmodelled(w, "writing hwreg %u in a trap handler is not modelled", id);
}

/* ---- STATUS, M0 ---- */

static void status_write(struct wave *w, u32 v)
{
    wlog_reg(w, PLACE_STATUS, &w->status, 1);
    w->status = v;
    wave_mode_changed(w);
}

/* The conditional debug bits: 1 system, 2 user. */
static u32 cond_dbg(const struct wave *w)
{
    return (w->status >> STATUS_COND_DBG_SYS & 1) | (w->status >> STATUS_COND_DBG_USER & 1) << 1;
}

/* HALT waits until the trap handler is left. Vega ISA, SOPP opcodes. */
static void halt(struct wave *w, u32 on)
{
    status_write(w, (w->status & ~(1u << STATUS_HALT)) | on << STATUS_HALT);
    if (on && !(w->status >> STATUS_PRIV & 1))
        w->stop = STOP_HALT;
}

static void setprio(struct wave *w, u32 prio)
{
    status_write(w, (w->status & ~(3u << STATUS_WAVE_PRIO)) | (prio & 3) << STATUS_WAVE_PRIO);
}

/* Interrupts (1) and messages to the system software (15) change nothing that a wave sees. */
static void sendmsg(struct wave *w, u32 message)
{
    u32 id = message & 15;
    if (id == 1 && w->interrupt)
        w->interrupt(w->interrupt_arg, w);
    if (id != 1 && id != 15)
        wave_unmodelled(w, "message %u is not modelled", id);
}

/* M0: index in bits 7:0, what is indexed in bits 15:12. Vega ISA, chapter 6 (VGPR indexing). */
static void gpr_idx(struct wave *w, u32 value, u32 field)
{
    u32 m0 = (w->sgpr[CODE_M0] & ~field) | (value & field);
    scalar_write(w, CODE_M0, &m0, 1);
}

static void mode_bit(struct wave *w, u32 bit, bool on)
{
    mode_write(w, (w->mode & ~(1u << bit)) | (u32)on << bit);
}

/* ---- relative scalar registers ---- */

/* The number of a scalar register plus M0, or -1 if that is not one of s0 to the last. The tuple `dw`
 * must be aligned. Vega ISA, chapters 3 (out-of-range behaviour) and 12.3. UNVERIFIED: the limit;
 * the allocation may be rounded. Where it is known, as of a kernel, beyond it is an error. */
static i32 relative(struct wave *w, const struct xinsn *in, const struct xop *o)
{
    u64 n = (u64)o->code + w->sgpr[CODE_M0];
    u32 last = insn_sgprs((enum gen)in->insn.gen) - 1;
    if (o->code > last || n % o->dw) {
        wave_unmodelled(w, "%s from register code %u with M0 = %u is not modelled",
                        insn_row(&in->insn)->name, o->code, w->sgpr[CODE_M0]);
        return -1;
    }
    if (!allocated_holds(w, insn_row(&in->insn)->name, false, n, o->dw))
        return -1;
    return n + o->dw - 1 <= last ? (i32)n : -1;
}

static u64 movrels(struct wave *w, const struct xinsn *in)
{
    i32 n = relative(w, in, &in->opnd[SLOT_S0]);
    return pair_get(&w->sgpr[n < 0 ? 0 : n]);
}

static void movreld(struct wave *w, const struct xinsn *in, u64 value)
{
    const struct xop *o = &in->opnd[SLOT_D];
    i32 n = relative(w, in, o);
    u32 dw[2];
    pair_set(dw, value);
    if (n >= 0)
        scalar_write(w, (u32)n, dw, o->dw);
}

/* ---- fork and join: a stack of {PC, EXEC} in s[4n:4n+3], n = MODE.CSP ---- */

enum { FORKS_MAX = 6 };

static void csp_write(struct wave *w, u32 csp)
{
    mode_write(w, (w->mode & ~(7u << MODE_CSP)) | csp << MODE_CSP);
}

/* Lanes of `cond` go to `target`, the others on to `next`: the smaller part first, the rest waits
 * on the stack. Returns PC. Vega ISA, chapters 4.6 and 12.1. */
static u64 fork_lanes(struct wave *w, u64 *exec, u64 cond, u64 target, u64 next)
{
    u64 pass = cond & *exec, fail = ~cond & *exec;
    if (pass == *exec)
        return target;
    if (fail == *exec)
        return next;
    u32 csp = w->mode >> MODE_CSP, entry[4];
    if (csp >= FORKS_MAX) {
        wave_unmodelled(w, "a fork with %u entries on the stack is not modelled", csp);
        return next;
    }
    bool fail_first = popcount64(fail) < popcount64(pass);
    pair_set(entry, fail_first ? pass : fail);
    pair_set(entry + 2, fail_first ? target : next);
    scalar_write(w, csp * 4, entry, 4);
    csp_write(w, csp + 1);
    *exec = fail_first ? fail : pass;
    return fail_first ? next : target;
}

static u64 join_lanes(struct wave *w, u64 *exec, u32 saved_csp, u64 next)
{
    u32 csp = w->mode >> MODE_CSP;
    if (csp == saved_csp)
        return next;
    if (csp == 0) {
        wave_unmodelled(w, "a join with an empty stack is not modelled");
        return next;
    }
    csp--;
    csp_write(w, csp);
    *exec = pair_get(&w->sgpr[csp * 4]);
    return pair_get(&w->sgpr[csp * 4 + 2]);
}

/* ---- traps ---- */

/* What ROCm's handler does at s_trap 2 is the end of the launch: LLVM's guide, section "Trap
 * Handler ABI"; trap 3 goes on where no debugger is. */
static u64 trap_without_handler(struct wave *w, u32 id, u64 next)
{
    if (w->stop_at_fault && (id & 255) == 2)
        wave_unmodelled(w, "s_trap 2: the kernel gives up (assert, abort, __builtin_trap)");
    return next;
}

/* Does nothing if there is no handler. The PC that is saved is that of s_trap itself. Vega ISA,
 * chapters 3 and 12.5. */
static u64 trap(struct wave *w, u32 id, u64 next)
{
    if (!wave_tba(w))
        return trap_without_handler(w, id, next);
    if ((id & 255) == 0 || w->status >> STATUS_PRIV & 1) {
        wave_unmodelled(w, id & 255 ? "s_trap in a trap handler is not modelled"
                                    : "s_trap 0 is not modelled");
        return next;
    }
    wave_trap(w, next - 4, 0, id & 255);
    return w->pc;
}

static u64 return_from_trap(struct wave *w, const struct xinsn *in, u64 to)
{
    if (!(w->status >> STATUS_PRIV & 1)) {
        wave_unmodelled(w, "%s outside a trap handler is not modelled", insn_row(&in->insn)->name);
        return w->pc;
    }
    status_write(w, w->status & ~(1u << STATUS_PRIV));
    if (w->status >> STATUS_HALT & 1)
        w->stop = STOP_HALT;
    return to;
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

#define NOTHING_E(enc, ...)
#define NOTHING(v, f, k, t)
#define DECL_R(v, f, k, t) CT_##t v = (CT_##t)GET_##t(&in->opnd[SLOT_##v]);
#define DECL_W(v, f, k, t) CT_##t v = 0;
#define SAVE_W(v, f, k, t) put_scalar(w, &in->opnd[SLOT_##v], (u64)v);

// clang-format off
#define OP(op, shape, numbers, rowflags, ...)                    \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_R)                 \
        u32 SCC = w->scc;                                        \
        u64 EXEC = wave_exec(w), VCC = wave_vcc(w), PC = w->pc;  \
        (void)in, (void)SCC, (void)EXEC, (void)VCC, (void)PC;    \
        __VA_ARGS__                                              \
        shape(NOTHING_E, SAVE_W, NOTHING, SAVE_W)                \
        if ((rowflags)&WR_SCC) {                                 \
            wlog_reg(w, PLACE_SCC, &w->scc, 1);                  \
            w->scc = SCC;                                        \
        }                                                        \
        if ((rowflags)&WR_EXEC) {                                \
            u32 dw[2];                                           \
            pair_set(dw, EXEC);                                  \
            scalar_write(w, CODE_EXEC, dw, 2);                   \
        }                                                        \
        if ((rowflags)&BRANCH)                                   \
            w->pc = PC;                                          \
    }
// clang-format on
#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#include "oracle/isa/rows/sop1.def"
#include "oracle/isa/rows/sop2.def"
#include "oracle/isa/rows/sopc.def"
#include "oracle/isa/rows/sopk.def"
#include "oracle/isa/rows/sopp.def"
#undef OP
#undef OPW

#define OP(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#define OPW                                   OP
#include "oracle/isa/rows/sop1.def"
#include "oracle/isa/rows/sop2.def"
#include "oracle/isa/rows/sopc.def"
#include "oracle/isa/rows/sopk.def"
#include "oracle/isa/rows/sopp.def"
