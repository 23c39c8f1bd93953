#include "harness/drm/device.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

/* ---- finding it ---- */

/* Whether an open node is of the processor; *why says why not. */
static bool fits(struct drm_device *d, const char *mcpu, struct err *why)
{
    u32 major, minor;
    int r = amdgpu_device_initialize(d->fd, &major, &minor, &d->dev);
    if (r) {
        err_set(why, ST_INPUT, "%s: libdrm_amdgpu cannot use it: %s", d->node, strerror(-r));
        return false;
    }
    r = amdgpu_query_gpu_info(d->dev, &d->info);
    d->chip = r ? NULL : vgpu_chip_of_ids(d->info.family_id, d->info.chip_external_rev);
    if (d->chip && strcmp(d->chip->mcpu, mcpu) == 0)
        return true;
    if (d->chip)
        err_set(why, ST_INPUT, "%s: it is a %s, not a %s (--mcpu)", d->node, d->chip->mcpu, mcpu);
    else
        err_set(why, ST_INPUT, "%s: family %u, revision 0x%x: no processor that gcncheck drives",
                d->node, d->info.family_id, d->info.chip_external_rev);
    return false;
}

static void leave_node(struct drm_device *d)
{
    if (d->dev)
        amdgpu_device_deinitialize(d->dev);
    if (d->fd >= 0)
        close(d->fd);
    d->dev = NULL;
    d->fd = -1;
}

static bool try_node(struct drm_device *d, const char *node, const char *mcpu, struct err *why)
{
    struct text t;
    text_init(&t, d->node, sizeof d->node);
    text_add(&t, "%s", node);
    d->fd = open(node, O_RDWR | O_CLOEXEC);
    if (d->fd < 0)
        err_set(why, ST_INPUT, "%.60s: %s%s", node, strerror(errno),
                errno == EACCES ? " (are you in the groups render and video?)" : "");
    if (d->fd >= 0 && fits(d, mcpu, why))
        return true;
    leave_node(d);
    return false;
}

static bool find_node(struct drm_device *d, const char *mcpu, struct err *why)
{
    enum { DEVICES_MAX = 16 };
    drmDevicePtr list[DEVICES_MAX];
    int n = drmGetDevices2(0, list, DEVICES_MAX);
    bool found = false;
    err_set(why, ST_INPUT, "no DRM device is here (/dev/dri has none)");
    for (int i = 0; i < n && !found; i++)
        if (list[i]->available_nodes & 1 << DRM_NODE_RENDER)
            found = try_node(d, list[i]->nodes[DRM_NODE_RENDER], mcpu, why);
    if (n > 0)
        drmFreeDevices(list, n);
    return found;
}

enum status drm_device_open(struct drm_device *d, const char *node, const char *mcpu, struct err *e)
{
    *d = (struct drm_device){ .fd = -1 };
    if (!(node ? try_node(d, node, mcpu, e) : find_node(d, mcpu, e)))
        return ST_INPUT;
    struct drm_amdgpu_info_hw_ip ip = { 0 };
    u64 first;
    int r = amdgpu_query_hw_ip_info(d->dev, AMDGPU_HW_IP_COMPUTE, 0, &ip);
    if (r == 0)
        r = amdgpu_va_range_query(d->dev, amdgpu_gpu_va_range_general, &first, &d->va_end);
    if (r == 0 && !(ip.available_rings & 1))
        r = -ENODEV;
    if (r == 0)
        r = amdgpu_cs_ctx_create(d->dev, &d->ctx);
    if (r == 0)
        return ST_OK;
    drm_device_close(d);
    return err_set(e, ST_WORLD, "%s: no compute ring, or no context: %s", d->node, strerror(-r));
}

void drm_device_close(struct drm_device *d)
{
    while (d->buffers)
        drm_buffer_close(d, &d->buffer[d->buffers - 1]);
    if (d->list)
        amdgpu_bo_list_destroy(d->list);
    if (d->ctx)
        amdgpu_cs_ctx_free(d->ctx);
    d->list = NULL;
    d->ctx = NULL;
    leave_node(d);
}

/* ---- buffers ---- */

static void drop_list(struct drm_device *d)
{
    if (d->list)
        amdgpu_bo_list_destroy(d->list);
    d->list = NULL;
}

enum status drm_buffer_open(struct drm_device *d, u64 va, u64 size, u32 flags,
                            struct drm_buffer **out, struct err *e)
{
    struct drm_buffer *b = &d->buffer[d->buffers];
    struct amdgpu_bo_alloc_request ask = { .alloc_size = size,
                                           .phys_alignment = DRM_PAGE,
                                           .preferred_heap = AMDGPU_GEM_DOMAIN_GTT };
    void *bytes = NULL;
    if (d->buffers == DRM_BUFFERS_MAX)
        return err_set(e, ST_INPUT, "more than %d buffers on the device", DRM_BUFFERS_MAX);
    *b = (struct drm_buffer){ .va = va, .size = size };
    int r = amdgpu_bo_alloc(d->dev, &ask, &b->bo);
    if (r)
        return err_set(e, ST_WORLD, "no buffer of %" PRIu64 " bytes: %s", size, strerror(-r));
    r = amdgpu_bo_va_op_raw(d->dev, b->bo, 0, size, va, flags, AMDGPU_VA_OP_MAP);
    if (r == 0)
        r = amdgpu_bo_cpu_map(b->bo, &bytes);
    if (r) {
        amdgpu_bo_free(b->bo);
        return err_set(e, ST_WORLD, "no memory at 0x%" PRIx64 " of the device: %s", va,
                       strerror(-r));
    }
    b->bytes = bytes; /* zeros: nobody gets memory with what others left there */
    d->buffers++;
    drop_list(d);
    *out = b;
    return ST_OK;
}

void drm_buffer_close(struct drm_device *d, struct drm_buffer *b)
{
    amdgpu_bo_cpu_unmap(b->bo);
    amdgpu_bo_va_op_raw(d->dev, b->bo, 0, b->size, b->va, 0, AMDGPU_VA_OP_UNMAP);
    amdgpu_bo_free(b->bo);
    *b = d->buffer[--d->buffers];
    drop_list(d);
}

/* ---- submissions ---- */

static int make_list(struct drm_device *d)
{
    amdgpu_bo_handle all[DRM_BUFFERS_MAX];
    if (d->list)
        return 0;
    for (u32 i = 0; i < d->buffers; i++)
        all[i] = d->buffer[i].bo;
    int r = amdgpu_bo_list_create(d->dev, d->buffers, all, NULL, &d->list);
    if (r) /* libdrm leaves a pointer there to what it has freed */
        d->list = NULL;
    return r;
}

/* The context is given up with what may still be in it. */
static enum status renew_context(struct drm_device *d, struct err *e)
{
    amdgpu_cs_ctx_free(d->ctx);
    d->ctx = NULL;
    int r = amdgpu_cs_ctx_create(d->dev, &d->ctx);
    return r ? err_set(e, ST_WORLD, "%s: no new context: %s", d->node, strerror(-r)) : ST_OK;
}

enum { KERNEL_MS = 70000 }; /* by then the kernel has given a compute ring up, and reset it */

/* Asks twice: what has failed otherwise than by the ring's fault is no answer, and as long as there
 * is none buffers may be in use. */
static int query_fence(struct drm_device *d, u64 seq, u32 limit_ms, u32 *expired)
{
    struct amdgpu_cs_fence fence = { .context = d->ctx,
                                     .ip_type = AMDGPU_HW_IP_COMPUTE,
                                     .fence = seq };
    int r = amdgpu_cs_query_fence_status(&fence, limit_ms * 1000000ull, 0, expired);
    if (r && r != -ECANCELED && r != -ENODEV)
        r = amdgpu_cs_query_fence_status(&fence, limit_ms * 1000000ull, 0, expired);
    return r;
}

/* What became of a submission that has a fence. */
static enum drm_end wait(struct drm_device *d, u64 seq, u32 limit_ms, struct err *e)
{
    u32 expired = 0, state = AMDGPU_CTX_NO_RESET, hangs = 0;
    int r = query_fence(d, seq, limit_ms, &expired);
    bool is_slow = r == 0 && !expired;
    if (is_slow && limit_ms)
        r = query_fence(d, seq, KERNEL_MS, &expired);
    if (r == 0 && is_slow) {
        err_set(e, ST_WORLD, "not done in %u ms", limit_ms);
        return expired || !limit_ms ? DRM_SLOW : DRM_STUCK;
    }
    int asked = amdgpu_cs_query_reset_state(d->ctx, &state, &hangs);
    if (r == 0 && asked == 0 && state == AMDGPU_CTX_NO_RESET)
        return DRM_DONE;
    if (asked)
        err_set(e, ST_WORLD, "the context's state cannot be had: %s", strerror(-asked));
    else if (r && r != -ECANCELED && state == AMDGPU_CTX_NO_RESET)
        err_set(e, ST_WORLD, "the wait failed: %s", strerror(-r));
    else
        err_set(e, ST_WORLD, "the ring hung and was reset%s%s", r ? ": " : "",
                r ? strerror(-r) : "");
    return DRM_LOST;
}

enum status drm_device_submit(struct drm_device *d, u64 ib, u32 dw, u32 limit_ms, enum drm_end *end,
                              struct err *e)
{
    struct amdgpu_cs_ib_info info = { .ib_mc_address = ib, .size = dw };
    struct amdgpu_cs_request request = { .ip_type = AMDGPU_HW_IP_COMPUTE,
                                         .number_of_ibs = 1,
                                         .ibs = &info };
    int r = make_list(d);
    request.resources = d->list;
    if (r == 0)
        r = amdgpu_cs_submit(d->ctx, 0, &request, 1);
    *end = DRM_LOST;
    if (r && r != -ECANCELED) {
        *end = DRM_REFUSED;
        err_set(e, ST_WORLD, "%s: not submitted: %s", d->node, strerror(-r));
        return r == -ENODEV ? ST_WORLD : ST_OK;
    }
    if (r)
        err_set(e, ST_WORLD, "the context was lost: %s", strerror(-r));
    else
        *end = wait(d, request.seq_no, limit_ms, e);
    if (*end == DRM_STUCK)
        return err_set(e, ST_WORLD, "%s: the ring does not end, and nobody has reset it", d->node);
    return *end == DRM_DONE ? ST_OK : renew_context(d, e);
}
