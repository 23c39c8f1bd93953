/* What stands around a job's program on a device: a prologue that loads a wave's registers and LDS
 * from a record in memory, and an epilogue that stores them. Both are written in assembly
 * (wrapper.c) and are the same on every device.
 *
 * A wave's record is rows of 64 dwords, lane 0 first: v0 on, then a0 on. Two of the vector
 * registers, which the program does not name, are the wrapper's: their rows hold one scalar
 * register in each lane, s0 to s63 the first, the second the rest (enum drm_lane), and there these
 * stand while the program runs. The records of all waves are followed by LDS. */
#ifndef HARNESS_DRM_WRAPPER_H
#define HARNESS_DRM_WRAPPER_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/isa/isa.h"

enum { DRM_ROW = 256 /* bytes */, DRM_SCALAR_ROWS = 2, DRM_VGPRS = 256, DRM_WAVES_MAX = 16 };

/* Where a device has what. */
enum drm_buffers { DRM_CODE, DRM_IN, DRM_OUT, DRM_PACKETS, DRM_OWN };
enum { DRM_PAGE = 4096, DRM_BUFFERS_MAX = 40, DRM_PACKET_BYTES = 16 << 10 };

#define DRM_CODE_VA   0x100000000ull
#define DRM_IN_VA     0x110000000ull
#define DRM_OUT_VA    0x120000000ull
#define DRM_PACKET_VA 0x130000000ull

/* The lowest address that the kernel lets anybody map, and the end of the lower range. */
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
    DRM_LANE_STATUS = 50, /* at the end only */
    DRM_LANE_NONCE = 61,  /* comes back as it was */
    DRM_LANE_OUT = 62     /* address of the wave's record of results, a pair */
};

/* Which registers a job's waves have. */
struct drm_layout {
    u32 vgprs;                   /* v0 on, at least 4 */
    u32 scalar[DRM_SCALAR_ROWS]; /* the wrapper's two, not v0 and v1 */
    u32 accs;                    /* a0 on, 0 to 256 */
    u32 waves;
    u32 lds; /* bytes, a multiple of DRM_ROW */
};

/* Rows of a wave's record; bytes of all records and LDS. */
static inline u32 drm_layout_rows(const struct drm_layout *l)
{
    return l->vgprs + l->accs;
}
static inline u32 drm_layout_bytes(const struct drm_layout *l)
{
    return l->waves * drm_layout_rows(l) * DRM_ROW + l->lds;
}

/* Changes a line of the wrapper's assembly while it is written, or drops it (then false): how tests
 * plant faults. `line` has room for `size` bytes. */
typedef bool drm_edit_fn(void *ctx, char *line, size_t size);

struct drm_wrapper {
    struct drm_layout layout;
    u32 *prologue, *epilogue;
    u32 prologue_dw, epilogue_dw;
};

/* Assembles both. `edit` may be NULL. ST_INPUT: the processor lacks an instruction; ST_WORLD: no
 * memory. The caller frees it with drm_wrapper_free. */
enum status drm_wrapper_make(struct drm_wrapper *w, const struct isa *isa,
                             const struct drm_layout *layout, drm_edit_fn *edit, void *ctx,
                             struct err *e);
void drm_wrapper_free(struct drm_wrapper *w);

/* Lets a program branch to its end, where the epilogue is to stand, wherever it would end; false if
 * that is too far away. */
bool drm_wrapper_bend(const struct isa *isa, u32 *code, u32 dw);

/* ---- check.c ---- */
/* Whether the wrapper can carry the job, and which registers its waves need. second->vgprs is not 0
 * if another run with that layout must show what those two registers hold that are the wrapper's in
 * the first. ST_INPUT: it cannot, and why. */
enum status drm_check(const struct isa *isa, const struct gcncheck_job *job, struct drm_layout *l,
                      struct drm_layout *second, struct err *why);

/* ---- record.c ---- */
/* Where a place stands in a record, in dwords; false if it is not there. */
bool drm_record_at(const struct drm_layout *l, u32 place, u32 *dw);
/* Writes the records that the job's waves start from, or reads those with which they have ended.
 * `nonce` (its low four bits zero) is expected to come back, with the wave's number. */
void drm_record_fill(u8 *to, const struct drm_layout *l, const struct gcncheck_job *job, u32 nonce,
                     u64 out_va);
bool drm_record_is_back(const u8 *from, const struct drm_layout *l, u32 nonce, u32 *wave);
/* `only`: of the registers nothing but those that are the wrapper's in that layout; NULL: all but
 * the wrapper's own, and LDS. */
void drm_record_read(const u8 *from, const struct drm_layout *l, const struct drm_layout *only,
                     struct gcncheck_job *job);

#endif
