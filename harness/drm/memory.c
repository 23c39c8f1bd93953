/* Memory of jobs: buffers at the addresses that their windows have, kept for the next job. */
#include "harness/drm/internal.h"

static u64 bit(u32 buffer)
{
    return 1ull << buffer;
}

_Static_assert(DRM_BUFFERS_MAX <= 64, "a bit for each buffer");

static bool find_buffer(const struct drm_session *s, u64 first, u64 end, u32 *at)
{
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        if (s->d.buffer[i].va <= first && end <= s->d.buffer[i].va + s->d.buffer[i].size) {
            *at = i;
            return true;
        }
    return false;
}

static void drop(struct drm_session *s, u32 buffer)
{
    u32 last = s->d.buffers - 1;
    s->dirty = (s->dirty & ~bit(buffer)) | (s->dirty & bit(last) ? bit(buffer) : 0);
    s->dirty &= ~bit(last);
    drm_buffer_close(&s->d, &s->d.buffer[buffer]);
}

/* Buffers that share a page with the range go; *first and *end grow to hold what they held. */
static void clear_range(struct drm_session *s, u64 *first, u64 *end)
{
    for (u32 i = DRM_OWN; i < s->d.buffers;) {
        struct drm_buffer *b = &s->d.buffer[i];
        if (b->va >= *end || *first >= b->va + b->size) {
            i++;
            continue;
        }
        *first = b->va < *first ? b->va : *first;
        *end = b->va + b->size > *end ? b->va + b->size : *end;
        drop(s, i);
        i = DRM_OWN;
    }
}

static bool overlaps(const struct drm_session *s, u64 first, u64 end)
{
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        if (s->d.buffer[i].va < end && first < s->d.buffer[i].va + s->d.buffer[i].size)
            return true;
    return false;
}

/* Buffers of a batch stay where they are: what would move one waits until it has been run. */
static enum status map_window(struct drm_session *s, const struct gcncheck_window *w, bool *is_full,
                              struct err *e)
{
    u64 first = w->address / DRM_PAGE * DRM_PAGE;
    u64 end = (w->address + w->size + DRM_PAGE - 1) / DRM_PAGE * DRM_PAGE;
    struct drm_buffer *b;
    u32 at;
    if (find_buffer(s, first, end, &at))
        return ST_OK;
    *is_full = s->batch.count && overlaps(s, first, end);
    if (*is_full)
        return err_set(e, ST_INPUT, "memory of the batch lies in the way");
    clear_range(s, &first, &end);
    return drm_buffer_open(&s->d, first, end - first,
                           AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE, &b, e);
}

enum status drm_memory_map(struct drm_session *s, const struct gcncheck_job *job, u64 *memory,
                           bool *is_full, struct err *e)
{
    enum status st = ST_OK;
    u32 at;
    bool is_crowded = s->d.buffers + job->window_count > DRM_BUFFERS_MAX;
    *memory = 0;
    *is_full = is_crowded && s->batch.count;
    if (*is_full)
        return err_set(e, ST_INPUT, "the batch needs the other buffers");
    while (is_crowded && s->d.buffers > DRM_OWN)
        drop(s, s->d.buffers - 1);
    for (u32 i = 0; i < job->window_count && st == ST_OK; i++)
        st = map_window(s, &job->windows[i], is_full, e);
    for (u32 i = 0; i < job->window_count && st == ST_OK; i++) {
        const struct gcncheck_window *w = &job->windows[i];
        if (!find_buffer(s, w->address, w->address + w->size, &at))
            BUG("a window that has just been mapped");
        *memory |= bit(at);
    }
    return st;
}

u64 drm_memory_bytes(const struct drm_session *s, u64 memory)
{
    u64 bytes = 0;
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        bytes += memory & bit(i) ? s->d.buffer[i].size : 0;
    return bytes;
}

void drm_memory_clear(struct drm_session *s, u64 but)
{
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        if (s->dirty & bit(i) & ~but)
            memset(s->d.buffer[i].bytes, 0, s->d.buffer[i].size);
    s->dirty &= but;
}

/* Where the byte at `va` is in an image of the buffers, or in place. */
static u8 *byte_at(const struct drm_session *s, u64 memory, u8 *image, u64 va, u64 size)
{
    u64 before = 0;
    for (u32 i = DRM_OWN; i < s->d.buffers; i++) {
        const struct drm_buffer *b = &s->d.buffer[i];
        if (!(memory & bit(i)))
            continue;
        if (b->va <= va && va + size <= b->va + b->size)
            return (image ? image + before : b->bytes) + (va - b->va);
        before += b->size;
    }
    BUG("a window that is nowhere");
}

void drm_memory_put(struct drm_session *s, const struct gcncheck_job *job, u64 memory, u8 *image)
{
    if (image)
        memset(image, 0, drm_memory_bytes(s, memory));
    for (u32 i = DRM_OWN; i < s->d.buffers && !image; i++)
        if (memory & bit(i))
            memset(s->d.buffer[i].bytes, 0, s->d.buffer[i].size);
    for (u32 i = 0; i < job->window_count; i++) {
        const struct gcncheck_window *w = &job->windows[i];
        memcpy(byte_at(s, memory, image, w->address, w->size), w->bytes, w->size);
    }
    s->dirty |= memory;
}

void drm_memory_take(const struct drm_session *s, struct gcncheck_job *job, u64 memory,
                     const u8 *image)
{
    for (u32 i = 0; i < job->window_count; i++) {
        struct gcncheck_window *w = &job->windows[i];
        u8 *at = byte_at(s, memory, (u8 *)(uintptr_t)image, w->address, w->size);
        memcpy(w->bytes, at, w->size);
    }
}
