#include "harness/drm/internal.h"

#include <stdlib.h>

enum { LIMIT_MS = 5000 };

int drm_session_can(u32 place)
{
    switch (place) {
    case GCNCHECK_STATUS:
    case GCNCHECK_PC_LO:
    case GCNCHECK_TBA_LO:
    case 108: return GCNCHECK_NO; /* trap temporaries */
    default: return GCNCHECK_SHOW_SET;
    }
}

const char *drm_session_name(const struct drm_session *s)
{
    return s->name;
}

static enum status open_buffers(struct drm_session *s, struct err *e)
{
    static const struct {
        u64 va, size;
        u32 flags;
    } own[DRM_OWN] = {
        [DRM_CODE] = { DRM_CODE_VA, DRM_CODE_BYTES,
                       AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_EXECUTABLE },
        [DRM_LONG] = { DRM_LONG_VA, DRM_LONG_BYTES,
                       AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_EXECUTABLE },
        [DRM_IN] = { DRM_IN_VA, DRM_RECORD_BYTES, AMDGPU_VM_PAGE_READABLE },
        [DRM_OUT] = { DRM_OUT_VA, DRM_RECORD_BYTES,
                      AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE },
        [DRM_PACKETS] = { DRM_PACKET_VA, DRM_PACKET_BYTES, AMDGPU_VM_PAGE_READABLE },
    };
    enum status st = ST_OK;
    struct drm_buffer *b;
    for (u32 i = 0; i < DRM_OWN && st == ST_OK; i++)
        st = drm_buffer_open(&s->d, own[i].va, own[i].size, own[i].flags, &b, e);
    return st;
}

enum status drm_session_open(struct drm_session **out, const struct drm_session_cfg *cfg,
                             struct err *e)
{
    struct drm_session *s = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    s->limit_ms = cfg->limit_ms ? cfg->limit_ms : LIMIT_MS;
    s->log = cfg->log;
    s->plant = cfg->plant ? drm_plant_find(cfg->plant) : NULL;
    s->d.fd = -1;
    enum status st = ST_OK;
    if (cfg->plant && !s->plant)
        st = err_set(e, ST_INPUT, "GCNCHECK_DRM_PLANT: no fault is called '%.60s'", cfg->plant);
    if (st == ST_OK)
        st = isa_open_modelled(&s->isa, cfg->mcpu, e);
    if (st == ST_OK)
        st = drm_device_open(&s->d, cfg->node, cfg->mcpu, e);
    if (st == ST_OK && cfg->journal)
        st = drm_journal_open(&s->journal, cfg->journal, !cfg->is_virtual, e);
    if (st == ST_OK)
        st = open_buffers(s, e);
    if (st == ST_OK)
        st = drm_ladder(s, e); /* whose programs are known */
    if (st == ST_OK && !cfg->is_unsafe)
        st = model_open(&s->model, cfg->mcpu, "ref", NULL, e);
    if (st != ST_OK) {
        drm_session_close(s);
        return st;
    }
    struct text t;
    text_init(&t, s->name, sizeof s->name);
    text_add(&t, "%s, %s", s->d.chip->mcpu, s->d.node);
    if (drm_journal_culprits(s->journal))
        text_add(&t, ", %u jobs have frozen it", drm_journal_culprits(s->journal));
    *out = s;
    return ST_OK;
}

void drm_session_close(struct drm_session *s)
{
    if (!s)
        return;
    drm_device_close(&s->d);
    drm_code_forget(s);
    model_close(s->model);
    drm_journal_close(s->journal);
    free(s);
}

enum status drm_session_run(struct drm_session *s, struct gcncheck_job *jobs, u32 count,
                            struct err *e)
{
    return drm_run(s, jobs, count, e);
}
