/* What the files of harness/drm share. */
#ifndef HARNESS_DRM_INTERNAL_H
#define HARNESS_DRM_INTERNAL_H

#include "harness/drm/session.h"
#include "harness/vgpu/packet/pm4.h"

enum drm_buffers { DRM_CODE, DRM_IN, DRM_OUT, DRM_PACKETS, DRM_OWN };

enum {
    DRM_CODE_BYTES = 192 << 10,
    DRM_RECORD_BYTES = 5 << 20,
    DRM_PACKET_BYTES = 16 << 10,
    DRM_WRAPPERS = 16,   /* kept */
    DRM_CODE_PAD_DW = 64 /* behind a program: the fetcher runs ahead */
};

#define DRM_CODE_VA   0x100000000ull
#define DRM_IN_VA     0x110000000ull
#define DRM_OUT_VA    0x120000000ull
#define DRM_PACKET_VA 0x130000000ull

enum drm_plant_kind { DRM_PLANT_LINE, DRM_PLANT_DW, DRM_PLANT_DROP, DRM_PLANT_FLAG };

struct drm_plant {
    const char *name;
    u8 kind; /* enum drm_plant_kind */
    u8 op, dw;
    u32 bits;
    const char *find, *instead;
};

struct drm_session {
    struct drm_device d;
    struct isa isa;
    struct drm_wrapper wrapper[DRM_WRAPPERS];
    u32 wrappers, next_wrapper;
    const struct drm_plant *plant;
    u32 limit_ms, nonce;
    FILE *log;
    char name[96];
};

/* ---- plant.c ---- */
const struct drm_plant *drm_plant_find(const char *name);
/* As an edit of the wrapper's text (drm_edit_fn). */
bool drm_plant_edit(void *plant, char *line, size_t size);
static inline bool drm_plant_is(const struct drm_plant *p, const char *name)
{
    return p && p->kind == DRM_PLANT_FLAG && strcmp(p->name, name) == 0;
}

/* ---- check.c ---- */
/* Whether the wrapper can carry the job, and which registers its waves need. second->vgprs is not 0
 * if another run with that layout must show what those two registers hold that are the wrapper's in
 * the first. ST_INPUT: it cannot, and why. */
enum status drm_check(const struct isa *isa, const struct gcncheck_job *job, struct drm_layout *l,
                      struct drm_layout *second, struct err *why);

/* ---- record.c ---- */
/* Writes the records that the job's waves start from, or reads those with which they have ended.
 * `nonce` (its low four bits zero) is expected to come back, with the wave's number. */
void drm_record_fill(u8 *to, const struct drm_layout *l, const struct gcncheck_job *job, u32 nonce,
                     u64 out_va);
bool drm_record_is_back(const u8 *from, const struct drm_layout *l, u32 nonce, u32 *wave);
/* `only`: of the registers nothing but those that are the wrapper's in that layout; NULL: all but
 * the wrapper's own, and LDS. */
void drm_record_read(const u8 *from, const struct drm_layout *l, const struct drm_layout *only,
                     struct gcncheck_job *job);

/* ---- packets.c ---- */
/* What a dispatch is told. */
struct drm_launch {
    u64 pgm, in_va, fence_va;
    u32 threads, vgprs, lds, fence;
};
/* Writes the packets of one dispatch; their dwords. */
u32 drm_packets(const struct drm_session *s, const struct drm_launch *launch, u32 *to);

/* ---- run.c ---- */
enum status drm_run(struct drm_session *s, struct gcncheck_job *job, struct err *e);

/* ---- ladder.c ---- */
enum status drm_ladder(struct drm_session *s, struct err *e);

#endif
