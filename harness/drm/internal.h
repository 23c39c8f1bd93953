/* What the files of harness/drm share. */
#ifndef HARNESS_DRM_INTERNAL_H
#define HARNESS_DRM_INTERNAL_H

#include "harness/drm/journal.h"
#include "harness/drm/session.h"
#include "harness/dut/model.h"
#include "harness/vgpu/packet/pm4.h"

enum {
    DRM_CODE_BYTES = 96 << 10,
    DRM_WRAPPER_BYTES = 64 << 10, /* of these */
    DRM_LONG_BYTES = 192 << 10,
    DRM_RECORD_BYTES = 8 << 20,
    DRM_WRAPPERS = 8,          /* kept */
    DRM_CODE_PAD_DW = 64,      /* behind a program: the fetcher runs ahead */
    DRM_UNITS_MAX = 256,       /* of a submission */
    DRM_STAGED_MAX = 256 << 10 /* bytes of memory of a job that shares a submission */
};

enum drm_plant_kind { DRM_PLANT_LINE, DRM_PLANT_DW, DRM_PLANT_DROP, DRM_PLANT_FLAG };

struct drm_plant {
    const char *name;
    u8 kind; /* enum drm_plant_kind */
    u8 op, dw;
    u32 bits;
    const char *find, *instead;
};

/* A wrapper that lies in the code buffer, at these dwords. */
struct drm_placed {
    struct drm_wrapper w;
    u32 prologue, epilogue;
};

/* One dispatch: a job, or one of the two runs that a job needs. */
struct drm_unit {
    struct gcncheck_job *job;
    struct drm_layout layout;
    struct drm_layout only; /* waves not 0: of the results nothing but the wrapper's two there */
    const struct drm_placed *wrapper;
    bool touches_memory;
    u64 memory;       /* a bit for each of the device's buffers that its windows lie in */
    u64 pgm, program; /* addresses of the prologue and of what it jumps to */
    u32 code_dw;      /* what stands around the job's program included */
    u32 record;       /* bytes, of IN and of OUT: where its records are */
    u32 image;        /* where the contents of its memory are, behind them */
    u32 nonce;
};

/* Dispatches that one submission carries. */
struct drm_batch {
    struct drm_unit unit[DRM_UNITS_MAX];
    u32 count;
    u32 code_dw;      /* of the room for programs */
    u32 record_bytes; /* of IN and of OUT */
    u64 memory;       /* of all of them */
    bool is_closed;   /* nothing more goes in */
    bool has_rest;    /* its only job needs another submission */
    struct drm_needs rest;
};

struct drm_session {
    struct drm_device d;
    struct isa isa;
    struct drm_placed wrapper[DRM_WRAPPERS];
    u32 wrappers, wrapper_dw;
    u64 dirty; /* buffers of jobs' memory that may hold something else than zeros */
    struct drm_batch batch;
    const struct drm_plant *plant;
    struct drm_journal *journal; /* NULL: none is kept */
    struct model *model;         /* on which programs are tried first; NULL: not in the safe tier */
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

/* ---- safe.c ---- */
/* Whether an instruction may go to a device in the safe tier; whether a program may, all of whose
 * instructions may. ST_INPUT: no, and why. */
enum status drm_safe_insn(const struct isa *isa, const struct insn *in, struct err *why);
enum status drm_safe_program(struct drm_session *s, const struct gcncheck_job *job,
                             const struct drm_needs *n, struct err *why);

/* ---- packets.c ---- */
/* What a dispatch is told. */
struct drm_launch {
    u64 pgm, in_va;
    u32 stride; /* bytes from one wave's record to the next */
    u32 threads, vgprs, lds;
};
/* Packets under way. */
struct drm_packets {
    const struct drm_session *s;
    u32 *to, dw;
    bool has_last;
    struct drm_launch last; /* what the registers hold */
};
enum { DRM_UNIT_PACKETS_DW = 64, DRM_COPY_PACKETS_DW = 7 };
/* The caches are made to see what the CPU has written. */
void drm_packets_start(struct drm_packets *p, const struct drm_session *s, u32 *to);
/* Copies bytes, or makes them zero; done before what follows begins. */
void drm_packets_copy(struct drm_packets *p, u64 to, u64 from, u32 bytes);
void drm_packets_zero(struct drm_packets *p, u64 to, u32 bytes);
void drm_packets_dispatch(struct drm_packets *p, const struct drm_launch *l);
/* Waits for the dispatches so far; `and_caches`: what follows does not see old memory. */
void drm_packets_wait(struct drm_packets *p, bool and_caches);
/* A value is written when all is done. */
void drm_packets_end(struct drm_packets *p, u64 fence_va, u32 fence);

/* ---- code.c ---- */
/* Room for the unit's wrapper and program. ST_INPUT: there is none, and why; with *is_full only
 * because of what is in the batch. */
enum status drm_code_place(struct drm_session *s, struct drm_unit *u, bool *is_full, struct err *e);
/* Writes the unit's program where it has been placed. */
void drm_code_write(struct drm_session *s, const struct drm_unit *u);
/* False, and *why says where, if a wrapper in the code buffer is not what was put there; it is put there
 * again. */
bool drm_code_mend(struct drm_session *s, struct err *why);
/* No wrapper is in the code buffer any more. */
void drm_code_forget(struct drm_session *s);

/* ---- memory.c ---- */
/* Makes sure that there is memory for the job's windows; *memory: which buffers. As above. */
enum status drm_memory_map(struct drm_session *s, const struct gcncheck_job *job, u64 *memory,
                           bool *is_full, struct err *e);
/* Bytes of the buffers. */
u64 drm_memory_bytes(const struct drm_session *s, u64 memory);
/* Buffers that may hold something, but for these, are zero again. */
void drm_memory_clear(struct drm_session *s, u64 but);
/* The job's memory as it is at the start, in place or in an image (NULL: in place); and back. What
 * of a buffer no window has is zero, as a load from nowhere gives. */
void drm_memory_put(struct drm_session *s, const struct gcncheck_job *job, u64 memory, u8 *image);
void drm_memory_take(const struct drm_session *s, struct gcncheck_job *job, u64 memory,
                     const u8 *image);

/* ---- batch.c ---- */
/* Fills in how a job ended. */
void drm_answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A job's units are added. *is_full: not now, the batch must be run first. Else the job has been
 * added, or answered. */
void drm_batch_add(struct drm_session *s, struct gcncheck_job *job, bool *is_full);
/* The jobs that have been added, each once; how many. `job` has room for DRM_UNITS_MAX. */
u32 drm_batch_jobs(const struct drm_batch *b, struct gcncheck_job **job);
/* Forgets them. */
void drm_batch_empty(struct drm_session *s);
/* Submits what has been added, and answers the jobs. Where that fails (*is_done) they stay as they
 * were, and *why says what the device said. ST_WORLD: the device is lost for good. */
enum status drm_batch_run(struct drm_session *s, bool *is_done, struct err *why);

/* ---- run.c ---- */
enum status drm_run(struct drm_session *s, struct gcncheck_job *jobs, u32 count, struct err *e);

/* ---- ladder.c ---- */
enum status drm_ladder(struct drm_session *s, struct err *e);

#endif
