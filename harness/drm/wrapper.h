/* What stands around a job's program on a device: a prologue that loads a wave's registers and LDS
 * from a record in memory, and an epilogue that stores them. Both are written in assembly
 * (wrapper.c), are the same on every device and serve any number of programs: the prologue jumps to
 * where the record says, with all registers loaded but s0 and s1, for which a program begins with
 * an entry of its own; at its end it branches to the epilogue. Scalar registers that neither the program
 * sees nor anybody asks for are left out, many at a time, as to move one takes an instruction.
 *
 * A wave's record is rows of 64 dwords, lane 0 first. Two of the vector registers, which the program
 * does not name, are the wrapper's. The record begins with their rows: they hold one scalar register
 * in each lane, s0 to s63 the first, the second the rest (enum drm_lane), and there these stand while
 * the program runs. Then come the vector registers, by fours of which the record says which are in
 * it, so that one wrapper serves all; then the accumulation registers in the same way. The records
 * of all waves are followed by LDS. */
#ifndef HARNESS_DRM_WRAPPER_H
#define HARNESS_DRM_WRAPPER_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/insn/insn.h"

enum {
    DRM_ROW = 256, /* bytes */
    DRM_SCALAR_ROWS = 2,
    DRM_VGPRS = 256,
    DRM_WAVES_MAX = 16,
    DRM_GROUP = 4, /* vector registers that are in a record or not, together */
    /* Scalar registers that are moved or not, together: two groups from s16 on. Those before them are in
     * most programs, those behind are few, and read by instructions that do not name them. */
    DRM_SGPR_FIRST = 16,
    DRM_SGPR_GROUP = 40,
    DRM_SGPR_GROUPS = 2
};

/* Where a device has what. */
enum drm_buffers { DRM_CODE, DRM_LONG, DRM_IN, DRM_OUT, DRM_PACKETS, DRM_OWN };
enum { DRM_PAGE = 4096, DRM_BUFFERS_MAX = 40, DRM_PACKET_BYTES = 256 << 10 };

#define DRM_CODE_VA   0x100000000ull
#define DRM_LONG_VA   0x108000000ull
#define DRM_IN_VA     0x110000000ull
#define DRM_OUT_VA    0x120000000ull
#define DRM_PACKET_VA 0x130000000ull

/* The lowest address that the kernel lets anybody map, and the end of the lower range on gfx9. */
#define DRM_VA_FIRST 0x200000ull
#define DRM_VA_END   0x0000800000000000ull

/* What the second scalar row holds behind s101. */
enum drm_lane {
    DRM_LANE_S64 = 0,
    DRM_LANE_FLAT_SCRATCH = 38, /* pairs: low dword first */
    DRM_LANE_XNACK_MASK = 40,
    DRM_LANE_VCC = 42,
    DRM_LANE_M0 = 44,
    DRM_LANE_EXEC = 45,
    DRM_LANE_SCC = 47,
    DRM_LANE_MODE = 48,
    DRM_LANE_TRAPSTS = 49,
    DRM_LANE_STATUS = 50,  /* at the end only */
    DRM_LANE_ENTRY = 51,   /* address of what the prologue jumps to, a pair */
    DRM_LANE_GROUPS = 53,  /* of v0 on, a bit for each four, a pair; then of a0 on */
    DRM_LANE_LDS = 57,     /* bytes of LDS; 0: none is loaded or stored */
    DRM_LANE_LDS_AT = 58,  /* where it is, in bytes from the first record on */
    DRM_LANE_UNREAD = 59,  /* groups of scalar registers, a bit for each, that are not loaded */
    DRM_LANE_UNASKED = 60, /* those that are not stored */
    DRM_LANE_NONCE = 61,   /* comes back as it was */
    DRM_LANE_OUT = 62      /* address of the wave's record of results, a pair */
};

/* Which registers the records of a job's waves have. */
struct drm_layout {
    u64 groups[2];               /* bit n: v[4n] to v[4n+3]; a[4n] to a[4n+3] */
    u32 scalar[DRM_SCALAR_ROWS]; /* the wrapper's two vector registers */
    u32 waves;
    u32 lds; /* bytes, a multiple of DRM_ROW */
    /* Groups of scalar registers, a bit for each, that the program does not see, and that nobody asks for. */
    u32 unread, unasked;
};

/* Rows of a wave's record; bytes of it; bytes of all records and LDS. */
static inline u32 drm_layout_rows(const struct drm_layout *l)
{
    return DRM_SCALAR_ROWS + DRM_GROUP * (u32)(popcount64(l->groups[0]) + popcount64(l->groups[1]));
}
static inline u32 drm_layout_stride(const struct drm_layout *l)
{
    return drm_layout_rows(l) * DRM_ROW;
}
static inline u32 drm_layout_bytes(const struct drm_layout *l)
{
    return l->waves * drm_layout_stride(l) + l->lds;
}

/* Vector registers that a wave needs, of the kind of which it needs more. */
u32 drm_layout_vgprs(const struct drm_layout *l);

/* How many of them each of so many waves of a work-group may have, so that a compute unit has room
 * for all: 256 for each lane of four SIMDs. */
static inline u32 drm_vgprs_most(u32 waves)
{
    return DRM_VGPRS / ((waves + 3) / 4) / DRM_GROUP * DRM_GROUP;
}

/* Changes a line of the wrapper's assembly while it is written, or drops it (then false): how tests
 * plant faults. `line` has room for `size` bytes. */
typedef bool drm_edit_fn(void *ctx, char *line, size_t size);

struct drm_wrapper {
    u32 scalar[DRM_SCALAR_ROWS];
    u32 *prologue, *epilogue, *entry;
    u32 prologue_dw, epilogue_dw, entry_dw;
};

/* Assembles them. `edit` may be NULL. ST_INPUT: the processor lacks an instruction; ST_WORLD: no
 * memory. The caller frees it with drm_wrapper_free. */
enum status drm_wrapper_make(struct drm_wrapper *w, const struct isa *isa, const u32 *scalar,
                             drm_edit_fn *edit, void *ctx, struct err *e);
void drm_wrapper_free(struct drm_wrapper *w);

/* The last dword of a buffer without a range to which the lane's number is added, in dwords. */
u32 drm_wrapper_format(const struct isa *isa);

/* Makes a program branch, wherever it would end, to the epilogue, which begins so many dwords behind
 * the program's first; false if that is too far away. */
bool drm_wrapper_bend(const struct isa *isa, u32 *code, u32 dw, i32 epilogue);

/* ---- check.c ---- */
/* What a job is to the wrapper. */
struct drm_needs {
    struct drm_layout layout, second;
    bool touches_memory;
    bool is_long; /* more than one instruction that does not just wait or end */
    bool is_open; /* branches, barriers or memory: what it does shows only when it runs */
};

/* Whether an instruction may be run. ST_INPUT: no, and why. */
typedef enum status drm_insn_fn(const struct isa *isa, const struct insn *in, struct err *why);

/* Whether the wrapper can carry the job, and which registers its waves need. `va_end`: where the
 * addresses end that a device has. second.waves is not 0 if another run with that layout must show what
 * those two registers hold that are the wrapper's in the first. `may`, if not NULL, is asked of each
 * instruction as well. ST_INPUT: it cannot, and why. */
enum status drm_check(const struct isa *isa, u64 va_end, drm_insn_fn *may,
                      const struct gcncheck_job *job, struct drm_needs *n, struct err *why);

/* ---- record.c ---- */
/* Where a place stands in a record, in dwords; false if it is not there. */
bool drm_record_at(const struct drm_layout *l, u32 place, u32 *dw);
/* What records say of a dispatch: addresses of the program (its entry) and of the results, and a
 * number (its low four bits zero) that is expected to come back, with the wave's. */
struct drm_start {
    u64 program, out_va;
    u32 nonce;
};
/* Writes the records that the job's waves start from, or reads those with which they have ended. */
void drm_record_fill(u8 *to, const struct drm_layout *l, const struct gcncheck_job *job,
                     const struct drm_start *start);
bool drm_record_is_back(const u8 *from, const struct drm_layout *l, u32 nonce, u32 *wave);
/* `only`: of the registers nothing but those that are the wrapper's in that layout; NULL: all but
 * the wrapper's own, and LDS. */
void drm_record_read(const u8 *from, const struct drm_layout *l, const struct drm_layout *only,
                     struct gcncheck_job *job);

#endif
