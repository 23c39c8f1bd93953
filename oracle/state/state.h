/* Everything an instruction can read or write: waves, memory windows, LDS, and the log of what
 * changed. Plain data; whoever runs programs owns it (oracle/exec/exec.h allocates it once). */
#ifndef ORACLE_STATE_STATE_H
#define ORACLE_STATE_STATE_H

#include "oracle/fp/fp.h"
#include "oracle/isa/isa.h"
#include "oracle/state/allocated.h"

/* A range of memory that a program may touch. The bytes belong to whoever added the window. */
struct mem_window {
    u64 base;
    u64 size; /* bytes */
    u8 *bytes;
    bool read_only;
};

enum { WINDOWS_MAX = 64 };

struct memory {
    u32 count;
    u32 hint;                                  /* window of the last access */
    struct mem_window window[WINDOWS_MAX + 1]; /* the last one is for fetch alone */
    /* Asked about bytes that no window holds: makes one that does, perhaps in the place of another,
     * and answers its number; ~0 if there are none. One of 0 bytes is for this access alone: the next
     * one asks again. NULL: there are none. */
    u32 (*fetch)(void *ctx, struct memory *mem, u64 addr, u32 n);
    void *fetch_ctx;
    /* GB_ADDR_CONFIG of the card: over how many pipes and banks images lie. 0: nobody has said it. */
    u32 addr_config;
};

enum { LDS_MAX = 65536 };

/* Where exports can be seen, if memory is there: a dword with their number, and from EXPORTS_HEAD
 * bytes on a record for each: bits 12:0 of the instruction (EN, TARGET, COMPR, DONE, VM), the
 * number of the wave, EXEC (8 bytes), then components x, y, z and w, a dword for each lane, of
 * which only those are written that are exported. Components that are compressed have their 16
 * bits. */
#define EXPORTS_BASE 0x7e00000000ull
enum { EXPORTS_HEAD = 16, EXPORTS_RECORD = 16 + 4 * 64 * 4 };

/* LDS of a work-group, or GDS. */
struct lds {
    u32 size;     /* bytes allocated */
    bool written; /* GDS: since it was cleared */
    u8 bytes[LDS_MAX];
};

struct wave;

/* One access to memory, of one lane. `at` are the bytes as they are before it; a write is about to
 * put `value` there. */
struct mem_access {
    u8 space; /* enum space, never SPACE_FLAT or SPACE_LDS_M0 */
    bool write;
    u32 lane;
    u32 bytes; /* 1 to 8 */
    u64 addr;  /* in GDS and LDS from their beginning; private memory where it stands in memory */
    u64 value;
    const u8 *at;
};

/* Who wants to see every access of a wave. Rows take their slow way then. */
struct observer {
    void (*see)(struct observer *o, struct wave *w, const struct mem_access *a);
    struct observer *next; /* sees it, too */
};

/* Global wave sync: a counter that the waves of all work-groups share, and those that wait for it
 * in the order in which they came. */
struct gws_resource {
    bool ready;  /* initialised since the program was loaded */
    u8 type;     /* enum gws_type */
    u16 counter; /* waves still to come before the last one, or units to take */
    struct wave *first, *last;
};

enum gws_type { GWS_NEW, GWS_SEMAPHORE, GWS_BARRIER };
enum { GWS_RESOURCES = 64, GWS_COUNTER_MAX = 0xfff };

struct gws {
    bool used; /* since it was cleared */
    struct gws_resource resource[GWS_RESOURCES];
};

/* Places beyond the operand codes 0..127 (scalar registers) and 256..511 (v0..v255). */
enum place {
    PLACE_V0 = 256,
    PLACE_A0 = 512,
    PLACE_SCC = 768,
    PLACE_MODE,
    PLACE_STATUS,
    PLACE_TRAPSTS,
    PLACE_PC_LO,
    PLACE_PC_HI,
    PLACE_TBA_LO, /* address of the trap handler, bytes; 0: there is none */
    PLACE_TBA_HI,
    PLACE_COUNT,
    PLACE_MEM = 0x1000, /* in the write log only: bytes of memory at `addr` */
    PLACE_LDS,          /* bytes of LDS at `addr` */
    PLACE_GDS           /* the same of GDS */
};

/* Where an access lands. */
enum space {
    SPACE_GLOBAL,
    SPACE_LDS,
    SPACE_LDS_M0,  /* LDS from M0 on: that of the work-group is its only limit */
    SPACE_FLAT,    /* global memory, LDS or private memory, by the address */
    SPACE_SCRATCH, /* private memory */
    SPACE_GDS,
    SPACE_SCALAR /* global memory; violations are not reported */
};

enum { SGPRS = 128, SGPR_TAIL = 16, VGPRS = 256, VGPR_ROWS = 512 };

/* One write: the old value. A place may be logged several times; the first entry holds the oldest
 * value. Old dwords stand at log->data[at]; a byte range occupies whole dwords there. */
struct wlog_entry {
    u64 addr; /* bytes; PLACE_MEM and PLACE_LDS only */
    u32 at;
    u32 size; /* dwords of a register, bytes of memory */
    u32 step; /* instructions the wave had completed */
    u16 place;
    u16 wave;
};

struct wlog {
    struct wlog_entry *entry;
    u32 count, cap;
    u32 *data;
    u32 used, data_cap; /* dwords */
    bool full;          /* entries were lost: undo is impossible */
    /* Who wants registers back and nothing else: memory, LDS and GDS are left out, for which there would be an
     * entry for every lane of every store, and of a vector register are all entries but the first. */
    bool registers_only;
    /* Of each wave, a bit for each vector register that has an entry; NULL: not kept. */
    u64 (*rows)[VGPR_ROWS / 64];
};

/* Why a wave stands still. Up to STOP_GWS the others can go on. */
enum stop {
    STOP_NONE,
    STOP_END,        /* s_endpgm */
    STOP_BARRIER,    /* waits for the other waves */
    STOP_GWS,        /* waits in the queue of a resource of global wave sync */
    STOP_UNMODELLED, /* something that the model does not implement: w->why */
    STOP_ILLEGAL,    /* the dwords are not an instruction: w->why */
    STOP_PC,         /* PC left the program */
    STOP_FAULT,      /* access outside memory, where the machine is told to stop at one */
    STOP_HALT,       /* s_sethalt, s_sendmsghalt: only the host could let it go on */
    STOP_LIMIT,      /* too many instructions */
    STOP_SPIN        /* of a schedule: waits for memory that nobody is left to change */
};

struct xinsn;
struct approximate;
typedef void sem_fn(struct wave *w, const struct xinsn *in);

enum mode_bit {
    MODE_ROUND_32 = 0,  /* 2 bits */
    MODE_ROUND_64 = 2,  /* 2 bits; f64 and f16 */
    MODE_DENORM_32 = 4, /* 2 bits: keep inputs, keep outputs */
    MODE_DENORM_64 = 6, /* 2 bits; f64 and f16 */
    MODE_DX10_CLAMP = 8,
    MODE_IEEE = 9,
    MODE_DEBUG = 11,
    MODE_EXCP_EN = 12, /* 9 bits, as TRAPSTS.EXCP */
    MODE_FP16_OVFL = 23,
    MODE_GPR_IDX_EN = 27,
    MODE_VSKIP = 28,
    MODE_CSP = 29,       /* 3 bits */
    MODE_DEFAULT = 0x3f0 /* nearest even, denormals kept, DX10_CLAMP, IEEE */
};

/* STATUS. The rest reads as 0: a simulated wave has SPI_PRIO 0, is not traced and exports
 * nothing. */
enum status_bit {
    STATUS_WAVE_PRIO = 3, /* 2 bits */
    STATUS_PRIV = 5,
    STATUS_TRAP_EN = 6,
    STATUS_EXECZ = 9,
    STATUS_VCCZ = 10,
    STATUS_IN_TG = 11,
    STATUS_HALT = 13,
    STATUS_VALID = 16,
    STATUS_COND_DBG_USER = 20,
    STATUS_COND_DBG_SYS = 21,
    /* What w->status holds; the other bits follow from other state. */
    STATUS_STORED = 3 << STATUS_WAVE_PRIO | 1 << STATUS_PRIV | 1 << STATUS_HALT |
                    1 << STATUS_COND_DBG_USER | 1 << STATUS_COND_DBG_SYS
};

enum { TRAPSTS_EXCP = 0x1ff, TRAPSTS_MEM_VIOL = 1 << 8 };

/* Why instructions of a wave need more than their function: w->special. */
enum special {
    SPECIAL_VSKIP = 1, /* vector instructions do nothing */
    SPECIAL_INDEX = 2, /* VALU instructions add an index to register numbers */
    SPECIAL_TRAP = 4   /* there is a trap handler, and an exception or MODE.DEBUG leads to it */
};

/* What is open about the results of one instruction, lane by lane (enum fp_open). */
struct lane_open {
    u64 nan, any, near, less, more, rel;
    u32 alts; /* ALT_ bits of all lanes */
};

/* Where FLAT finds LDS and private memory after a reset: as ROCm sets them. */
#define WAVE_SHARED_BASE  (1ull << 48)
#define WAVE_PRIVATE_BASE (2ull << 48)

struct wave {
    u32 sgpr[SGPRS +
             SGPR_TAIL]; /* by operand code; the tail catches tuples that start at the end */
    u32 scc, mode, status, trapsts;
    u64 pc; /* of the next instruction, bytes */
    u64 steps;
    struct allocated allocated; /* by its machine; names beyond it stop the wave */
    enum stop stop;
    u32 special;    /* enum special bits; from MODE, STATUS.PRIV and tba */
    u32 raised;     /* TRAPSTS.EXCP bits of exceptions since somebody last cleared it */
    u32 id;         /* in its work-group */
    bool in_group;  /* of more than one wave */
    char why[96];   /* STOP_UNMODELLED, STOP_ILLEGAL: what */
    u64 stop_pc;    /* of the instruction that stopped or faulted */
    u64 fault_addr; /* first access outside memory */
    bool faulted;
    bool stop_at_fault;    /* and at s_trap 2: whoever launched wants to know */
    bool stop_outside_lds; /* at an access outside the work-group's LDS, which is no fault */
    u64 write_mask;        /* lanes that the instruction under way may write, set by DPP */
    u64 mask_out;          /* the last lane mask stored, for v_cmpx */
    struct fp_env f32;     /* from MODE */
    struct fp_env f64;     /* from MODE; of f16 too */
    const struct isa *isa;
    struct memory *mem;
    struct lds *lds, *gds;
    struct gws *gws;
    struct wave *gws_next;         /* behind it in the queue, with STOP_GWS */
    struct wlog *log;              /* NULL: nothing is logged */
    struct lane_open *open;        /* NULL: nobody wants to know */
    struct observer *observer;     /* likewise, of accesses to memory */
    struct memory_view *view;      /* what stands between it and memory (mem.h); NULL: nothing */
    u64 priority;                  /* schedule "adversarial": the highest goes on */
    u64 shared_base, private_base; /* apertures: 4 GiB from these addresses */
    u64 scratch_base;              /* what FLAT_SCRATCH counts from where it holds a distance */
    /* s_sendmsg of an interrupt calls this, if it is not NULL: a host that answers at once. */
    void (*interrupt)(void *arg, struct wave *w);
    void *interrupt_arg;
    /* How results are drawn of which only an error is promised; NULL: they are the nearest. */
    const struct approximate *approximate;
    u64 tba; /* address of the trap handler, where no scalar register holds it: wave_tba */
    _Alignas(64) u32 vgpr[VGPR_ROWS][LANES]; /* v0 to v255, a0 to a255 */
};

static inline u64 pair_get(const u32 *r)
{
    return r[0] | (u64)r[1] << 32;
}
static inline void pair_set(u32 *r, u64 v)
{
    r[0] = (u32)v;
    r[1] = (u32)(v >> 32);
}
static inline u64 wave_exec(const struct wave *w)
{
    return pair_get(&w->sgpr[126]);
}
static inline u64 wave_vcc(const struct wave *w)
{
    return pair_get(&w->sgpr[106]);
}

/* The address of the trap handler; 0: traps are not taken. Where TBA is a scalar register, that. */
static inline u64 wave_tba(const struct wave *w)
{
    bool scalar = w->isa && isa_target_has(w->isa->target, FEATUREBIT_TRAP_SGPRS);
    return scalar ? pair_get(&w->sgpr[108 /* CODE_TRAP */]) : w->tba;
}

/* Vector registers that the wave has: VGPRS, or VGPR_ROWS with those for accumulation. */
u32 wave_vgprs(const struct wave *w);

/* Zeroes the registers that are allocated to the wave; EXEC all ones, MODE the default, PC 0x10000,
 * apertures as ROCm sets them. Pointers to memory, LDS and log are kept. */
void wave_reset(struct wave *w);

/* What a wave of a dispatch begins with: v0 gets the x of each work-item in its work-group, v1 the y
 * if `ids` is above 0, v2 the z if it is above 1; x counts fastest. EXEC gets the lanes that the
 * work-group of size[0] x size[1] x size[2] work-items has in wave `index` of it. Other registers
 * stay, as do v0 to v2 of the lanes that are off. AMDGPU guide, table "VGPR Register Set Up Order for
 * Unpacked Work-Item ID Method". */
void wave_set_items(struct wave *w, const u32 size[3], u32 index, u32 ids);

/* For rows: adds to w->open what env notes of a lane, and clears it there. */
static inline void wave_note_open(const struct wave *w, u32 lane, struct fp_env *env)
{
    struct lane_open *o = w->open;
    u32 open = env->open;
    if (__builtin_expect(!open, 1))
        return;
    env->open = 0;
    if (!o)
        return;
    o->nan |= (u64)((open & OPEN_NAN) != 0) << lane;
    o->any |= (u64)((open & OPEN_ANY) != 0) << lane;
    o->near |= (u64)((open & OPEN_NEAR) != 0) << lane;
    o->less |= (u64)((open & OPEN_LESS) != 0) << lane;
    o->more |= (u64)((open & OPEN_MORE) != 0) << lane;
    o->rel |= (u64)((open & OPEN_REL) != 0) << lane;
    o->alts |= open & ALT_MASK;
}

/* Where results are open, instructions give the answer that these ALT_ bits name; 0 is normal. A
 * change of MODE ends it. */
static inline void wave_take(struct wave *w, u32 alts)
{
    w->f32.take = w->f64.take = (u16)alts;
}

/* Whether an instruction gives the other answer, where random programs do not take it for right, so
 * that it is not noted as open. */
static inline bool wave_takes(const struct wave *w, u32 alt)
{
    return (w->f32.take & alt) != 0;
}

/* The bits of MODE that the processor has; the others cannot be written. */
u32 wave_mode_bits(const struct wave *w);

/* Derives what is cached from MODE; call after every change of w->mode, w->tba or STATUS.PRIV. */
void wave_mode_changed(struct wave *w);

/* STATUS as a program reads it. Vega ISA, chapter 3 (STATUS). ERRATA(STATE-C06): the manual puts
 * SCC at bit 1, where SPI_PRIO is. */
u32 wave_status(const struct wave *w);

/* Stops the wave at something that the model does not implement; `fmt` says what, in full. */
void wave_unmodelled(struct wave *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Enters the trap handler: TTMP1 and TTMP0 get {rewind, trap id, PC}, rewind in dwords; everything
 * else stays as it is. Logged. Vega ISA, chapter 3 (trap registers). */
void wave_trap(struct wave *w, u64 pc, u32 rewind, u32 id);

/* Scalar sources that are not registers of the file: apertures, VCCZ, EXECZ, SCC. Anything else, a
 * vector register among them, is not legal there and reads as 0. Vega ISA, chapter 5 (operand
 * table). */
u32 wave_scalar_special(const struct wave *w, u32 code);
u64 wave_scalar_special64(const struct wave *w, u32 code);

/* Register access by place, one dword each; VGPRs and AGPRs take a lane. Writes are not logged. */
u32 wave_get(const struct wave *w, u32 place, u32 lane);
void wave_set(struct wave *w, u32 place, u32 lane, u32 value);

/* Adds an entry with the old dwords or bytes. */
void wlog_put(struct wlog *log, const struct wave *w, u32 place, u64 addr, const void *old,
              u32 size);
/* Whether the old value of a vector register is in the log, or nobody wants it. */
static inline bool wlog_has_row(const struct wave *w, u32 row)
{
    const struct wlog *log = w->log;
    return !log || (log->registers_only && log->rows &&
                    log->rows[w->id][row / 64 % (VGPR_ROWS / 64)] >> row % 64 & 1);
}
static inline void wlog_reg(const struct wave *w, u32 place, const u32 *old, u32 dw)
{
    if (w->log && !(dw == LANES && wlog_has_row(w, place - PLACE_V0)))
        wlog_put(w->log, w, place, 0, old, dw);
}

/* Whether what the wave stores has to be logged. */
static inline bool wlog_takes_memory(const struct wave *w)
{
    return w->log && !w->log->registers_only;
}

/* ORs enum fp_flag bits into TRAPSTS, logged, and into w->raised. */
void wave_raise(struct wave *w, u32 flags);

/* Forgets all entries; `waves`: of how many rows are kept. */
void wlog_empty(struct wlog *log, u32 waves);

/* Takes back every write of the log, newest first, and empties it. Waves are found by id. BUG if it
 * is full. */
void wlog_undo(struct wlog *log, struct wave *const *waves);

/* The bytes at addr, or NULL if any of n bytes lies outside memory (or is read-only and write is
 * set). */
u8 *mem_at(struct memory *mem, u64 addr, u32 n, bool write);

#endif
