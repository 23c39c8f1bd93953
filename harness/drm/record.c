/* The records of a job's waves: from the job's slots, and back to them. */
#include "harness/drm/internal.h"

/* Whether the place is one of the vector registers that are the wrapper's. */
static bool is_scalar_row(const struct drm_layout *l, u32 place)
{
    return place == GCNCHECK_V0 + l->scalar[0] || place == GCNCHECK_V0 + l->scalar[1];
}

/* Where a place stands in a record, in dwords; false if it is not there. */
static bool where(const struct drm_layout *l, u32 place, u32 *dw)
{
    static const struct {
        u16 place, lane;
    } others[] = { { GCNCHECK_M0, DRM_LANE_M0 },
                   { GCNCHECK_EXEC_LO, DRM_LANE_EXEC },
                   { GCNCHECK_EXEC_HI, DRM_LANE_EXEC + 1 },
                   { GCNCHECK_SCC, DRM_LANE_SCC },
                   { GCNCHECK_MODE, DRM_LANE_MODE },
                   { GCNCHECK_TRAPSTS, DRM_LANE_TRAPSTS },
                   { GCNCHECK_STATUS, DRM_LANE_STATUS } };
    u32 second = l->scalar[1] * LANES;
    if (is_scalar_row(l, place))
        return false;
    if (place <= GCNCHECK_VCC_HI) /* s0 to s101, FLAT_SCRATCH, XNACK_MASK, VCC */
        *dw = l->scalar[place / LANES] * LANES + place % LANES;
    else if (place >= GCNCHECK_V0 && place < GCNCHECK_A0)
        *dw = (place - GCNCHECK_V0) * LANES;
    else if (place >= GCNCHECK_A0 && place < GCNCHECK_SCC)
        *dw = (l->vgprs + place - GCNCHECK_A0) * LANES;
    else
        for (u32 i = 0; i <= COUNT_OF(others); i++) {
            if (i == COUNT_OF(others))
                return false;
            if (others[i].place == place) {
                *dw = second + others[i].lane;
                break;
            }
        }
    return true;
}

static u32 record_dw(const struct drm_layout *l)
{
    return drm_layout_rows(l) * LANES;
}

static void lay_poison(u32 *r, const struct drm_layout *l, u64 seed)
{
    u32 dw;
    for (u32 i = 0; i < l->vgprs; i++)
        for (u32 lane = 0; lane < LANES; lane++)
            r[i * LANES + lane] = gcncheck_poison(seed, GCNCHECK_V0 + i, lane);
    for (u32 i = 0; i < DRM_SCALAR_ROWS; i++)
        memset(r + l->scalar[i] * LANES, 0, DRM_ROW);
    for (u32 place = 0; place <= GCNCHECK_M0; place++)
        if (where(l, place, &dw))
            r[dw] = gcncheck_poison(seed, place, 0);
    for (u32 i = 0; i < l->accs; i++)
        for (u32 lane = 0; lane < LANES; lane++)
            r[(l->vgprs + i) * LANES + lane] = gcncheck_poison(seed, GCNCHECK_A0 + i, lane);
}

static void put_pair(u32 *to, u64 value)
{
    to[0] = (u32)value;
    to[1] = (u32)(value >> 32);
}

void drm_record_fill(u8 *to, const struct drm_unit *u, u64 out_va)
{
    const struct drm_layout *l = &u->layout;
    const struct gcncheck_job *job = u->job;
    u32 *all = (u32 *)(void *)to, dw = record_dw(l), at;
    for (u32 w = 0; w < l->waves; w++) {
        u32 *r = all + (size_t)w * dw, *second = r + l->scalar[1] * LANES;
        lay_poison(r, l, job->poison);
        second[DRM_LANE_MODE] = 0x3f0;
        second[DRM_LANE_NONCE] = u->nonce | w;
        put_pair(second + DRM_LANE_ENTRY, u->program);
        put_pair(second + DRM_LANE_OUT, out_va + (u64)w * dw * 4);
    }
    for (u32 i = 0; i < job->set_count; i++) {
        const struct gcncheck_slot *s = &job->set[i];
        if (where(l, s->place, &at))
            memcpy(all + (size_t)s->wave * dw + at, job->values + s->index,
                   GCNCHECK_PLACE_DW(s->place) * 4);
    }
    u8 *lds = to + (size_t)l->waves * dw * 4;
    memset(lds, 0, l->lds);
    if (job->lds_size)
        memcpy(lds, job->lds, job->lds_size);
}

bool drm_record_is_back(const u8 *from, const struct drm_layout *l, u32 nonce, u32 *wave)
{
    const u32 *all = (const u32 *)(const void *)from;
    for (*wave = 0; *wave < l->waves; ++*wave)
        if (all[(size_t)*wave * record_dw(l) + l->scalar[1] * LANES + DRM_LANE_NONCE] !=
            (nonce | *wave))
            return false;
    return true;
}

void drm_record_read(const u8 *from, const struct drm_layout *l, const struct drm_layout *only,
                     struct gcncheck_job *job)
{
    const u32 *all = (const u32 *)(const void *)from;
    u32 at;
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        if ((!only || is_scalar_row(only, s->place)) && where(l, s->place, &at))
            memcpy(job->out + s->index, all + (size_t)s->wave * record_dw(l) + at,
                   GCNCHECK_PLACE_DW(s->place) * 4);
    }
    if (job->lds_size && !only)
        memcpy(job->lds, from + (size_t)l->waves * record_dw(l) * 4, job->lds_size);
}
