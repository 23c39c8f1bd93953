/* The records of a job's waves: from the job's slots, and back to them. */
#include "harness/drm/wrapper.h"

/* Whether the place is one of the vector registers that are the wrapper's. */
static bool is_scalar_row(const struct drm_layout *l, u32 place)
{
    return place == GCNCHECK_V0 + l->scalar[0] || place == GCNCHECK_V0 + l->scalar[1];
}

/* The row of a vector register among those of its kind, from `first` on; false if it is not there. */
static bool row_of(u64 groups, u32 reg, u32 first, u32 *row)
{
    u32 group = reg / DRM_GROUP;
    *row = first + (u32)popcount64(groups & mask64(group)) * DRM_GROUP + reg % DRM_GROUP;
    return groups >> group & 1;
}

/* Places that are no vector register and stand behind the numbered scalar ones. */
static bool late_at(u32 place, u32 *dw)
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
    for (u32 i = 0; i < COUNT_OF(others); i++)
        if (others[i].place == place) {
            *dw = LANES + others[i].lane;
            return true;
        }
    return false;
}

bool drm_record_at(const struct drm_layout *l, u32 place, u32 *dw)
{
    u32 row;
    bool is_there;
    if (place <= GCNCHECK_VCC_HI) { /* s0 to s101, FLAT_SCRATCH, XNACK_MASK, VCC */
        *dw = place;
        return true;
    }
    if (place < GCNCHECK_V0 || place >= GCNCHECK_SCC)
        return late_at(place, dw);
    if (is_scalar_row(l, place))
        return false;
    if (place < GCNCHECK_A0)
        is_there = row_of(l->groups[0], place - GCNCHECK_V0, DRM_SCALAR_ROWS, &row);
    else
        is_there = row_of(l->groups[1], place - GCNCHECK_A0,
                          DRM_SCALAR_ROWS + (u32)popcount64(l->groups[0]) * DRM_GROUP, &row);
    *dw = row * LANES;
    return is_there;
}

static u32 record_dw(const struct drm_layout *l)
{
    return drm_layout_rows(l) * LANES;
}

/* A bit for each place that is set in a wave. */
struct named {
    u64 word[(GCNCHECK_PLACES + 63) / 64];
};

static bool is_named(const struct named *n, u32 place)
{
    return n->word[place / 64] >> place % 64 & 1;
}

/* The registers of a kind, from place `first` on, but those that get another value; returns where the next
 * row goes. */
static u32 *lay_rows(u32 *r, u64 groups, u32 first, const struct named *n, u64 seed)
{
    for (; groups; groups &= groups - 1) {
        u32 place = first + (u32)ctz64(groups) * DRM_GROUP;
        for (u32 i = 0; i < DRM_GROUP; i++, r += LANES)
            for (u32 lane = 0; lane < LANES && !is_named(n, place + i); lane++)
                r[lane] = gcncheck_poison(seed, place + i, lane);
    }
    return r;
}

static void lay_poison(u32 *r, const struct drm_layout *l, const struct named *n, u64 seed)
{
    memset(r, 0, DRM_SCALAR_ROWS * DRM_ROW);
    for (u32 place = 0; place <= GCNCHECK_VCC_HI; place++)
        r[place] = gcncheck_poison(seed, place, 0);
    r[LANES + DRM_LANE_M0] = gcncheck_poison(seed, GCNCHECK_M0, 0);
    r = lay_rows(r + DRM_SCALAR_ROWS * LANES, l->groups[0], GCNCHECK_V0, n, seed);
    lay_rows(r, l->groups[1], GCNCHECK_A0, n, seed);
}

static void put_pair(u32 *to, u64 value)
{
    to[0] = (u32)value;
    to[1] = (u32)(value >> 32);
}

void drm_record_fill(u8 *to, const struct drm_layout *l, const struct gcncheck_job *job,
                     const struct drm_start *start)
{
    u32 *all = (u32 *)(void *)to, dw = record_dw(l), at;
    struct named named[DRM_WAVES_MAX];
    memset(named, 0, l->waves * sizeof *named);
    for (u32 i = 0; i < job->set_count; i++)
        named[job->set[i].wave].word[job->set[i].place / 64] |= 1ull << job->set[i].place % 64;
    for (u32 w = 0; w < l->waves; w++) {
        u32 *r = all + (size_t)w * dw, *second = r + LANES;
        lay_poison(r, l, &named[w], job->poison);
        second[DRM_LANE_MODE] = 0x3f0;
        second[DRM_LANE_NONCE] = start->nonce | w;
        put_pair(second + DRM_LANE_ENTRY, start->program);
        put_pair(second + DRM_LANE_OUT, start->out_va + (u64)w * dw * 4);
        put_pair(second + DRM_LANE_GROUPS, l->groups[0]);
        put_pair(second + DRM_LANE_GROUPS + 2, l->groups[1]);
        second[DRM_LANE_UNREAD] = l->unread;
        second[DRM_LANE_UNASKED] = l->unasked;
        second[DRM_LANE_LDS] = l->lds;
        second[DRM_LANE_LDS_AT] = (l->waves - w) * dw * 4;
    }
    for (u32 i = 0; i < job->set_count; i++) {
        const struct gcncheck_slot *s = &job->set[i];
        if (drm_record_at(l, s->place, &at))
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
        if (all[(size_t)*wave * record_dw(l) + LANES + DRM_LANE_NONCE] != (nonce | *wave))
            return false;
    return true;
}

/* A register that a wave of so many does not have is as it was. */
static void read_initial(const struct gcncheck_job *job, const struct gcncheck_slot *s, u32 *out)
{
    for (u32 lane = 0; lane < LANES; lane++)
        out[lane] = gcncheck_poison(job->poison, s->place, lane);
    for (u32 i = 0; i < job->set_count; i++)
        if (job->set[i].wave == s->wave && job->set[i].place == s->place)
            memcpy(out, job->values + job->set[i].index, DRM_ROW);
}

void drm_record_read(const u8 *from, const struct drm_layout *l, const struct drm_layout *only,
                     struct gcncheck_job *job)
{
    const u32 *all = (const u32 *)(const void *)from;
    u32 at, end = GCNCHECK_V0 + drm_vgprs_most(l->waves);
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        if (only && !is_scalar_row(only, s->place))
            continue;
        if (drm_record_at(l, s->place, &at))
            memcpy(job->out + s->index, all + (size_t)s->wave * record_dw(l) + at,
                   GCNCHECK_PLACE_DW(s->place) * 4);
        else if (s->place >= end && s->place < GCNCHECK_A0)
            read_initial(job, s, job->out + s->index);
    }
    if (job->lds_size && !only)
        memcpy(job->lds, from + (size_t)l->waves * record_dw(l) * 4, job->lds_size);
}
