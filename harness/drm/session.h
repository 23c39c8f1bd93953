/* Jobs on a device: what the wrapper can carry is run, many jobs to a submission; the rest is
 * refused with the reason. */
#ifndef HARNESS_DRM_SESSION_H
#define HARNESS_DRM_SESSION_H

#include "harness/drm/device.h"
#include "harness/drm/wrapper.h"
#include "harness/sdk/gcncheck_dut.h"

struct drm_session;

struct drm_session_cfg {
    const char *node; /* NULL: the first that fits */
    const char *mcpu;
    const char *plant;   /* a name of harness/drm/plant.def, or NULL */
    u32 limit_ms;        /* for one submission */
    bool is_unsafe;      /* takes also what may hang a device, or reach outside its memory */
    const char *journal; /* the file of journal.h, or NULL */
    bool is_virtual;     /* the device cannot freeze the machine */
    FILE *log;           /* packets before they are submitted; NULL: none */
};

/* Opens a device and climbs the ladder (ladder.c). ST_INPUT: there is none that fits, or it fails a
 * rung: the text says which. */
enum status drm_session_open(struct drm_session **s, const struct drm_session_cfg *cfg,
                             struct err *e);
void drm_session_close(struct drm_session *s);

/* What can be done with a place: enum gcncheck_can. */
int drm_session_can(u32 place);

/* "Radeon RX Vega, /dev/dri/renderD128". */
const char *drm_session_name(const struct drm_session *s);

/* Runs jobs, many to a submission; outcome and reason of each are filled. ST_WORLD: the device is
 * lost for good, and the jobs behind are GCNCHECK_NOT_RUN. */
enum status drm_session_run(struct drm_session *s, struct gcncheck_job *jobs, u32 count,
                            struct err *e);

#endif
