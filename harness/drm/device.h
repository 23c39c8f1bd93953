/* A card, or what looks like one, through libdrm_amdgpu: finding and opening it, buffers that both
 * sides see, submissions to a compute ring with a time limit. */
#ifndef HARNESS_DRM_DEVICE_H
#define HARNESS_DRM_DEVICE_H

#include "harness/drm/wrapper.h"
#include "harness/vgpu/vgpu.h"

#include <amdgpu.h>
#include <amdgpu_drm.h>

/* Memory in GTT, mapped here and, at `va`, on the device. */
struct drm_buffer {
    amdgpu_bo_handle bo;
    u64 va, size; /* bytes, whole pages */
    u8 *bytes;
};

struct drm_device {
    int fd;
    amdgpu_device_handle dev;
    amdgpu_context_handle ctx;
    amdgpu_bo_list_handle list; /* of all buffers; NULL: to be made anew */
    struct amdgpu_gpu_info info;
    const struct vgpu_chip *chip;
    u64 va_end; /* of the lower range of addresses, which is all that chips before gfx9 have */
    char node[64];
    struct drm_buffer buffer[DRM_BUFFERS_MAX];
    u32 buffers;
};

/* Opens the node, or with NULL the first render node whose processor is `mcpu`. ST_INPUT: there is
 * none, or it is of another processor; the text says what was looked at. ST_WORLD: it is there and
 * cannot be used. */
enum status drm_device_open(struct drm_device *d, const char *node, const char *mcpu,
                            struct err *e);
void drm_device_close(struct drm_device *d);

/* A buffer at `va` (a whole number of pages), of zeros. It stays where it is in d->buffer until one
 * is freed. `flags`: AMDGPU_VM_PAGE_... */
enum status drm_buffer_open(struct drm_device *d, u64 va, u64 size, u32 flags,
                            struct drm_buffer **out, struct err *e);
void drm_buffer_close(struct drm_device *d, struct drm_buffer *b);

enum drm_end {
    DRM_DONE,
    DRM_SLOW,   /* done, but not within the time limit; with a limit of 0: nobody has waited */
    DRM_STUCK,  /* not done after any time, and buffers are in use */
    DRM_LOST,   /* the kernel gave it up: a hang, or a reset */
    DRM_REFUSED /* the kernel did not take it */
};

/* Submits packets, which stand in device memory, and waits for their fence. After DRM_SLOW and
 * DRM_LOST the context has been made anew; *e says what the kernel said. ST_WORLD: nothing more can
 * be submitted: the device is gone or stuck, or there is
 * no new context. */
enum status drm_device_submit(struct drm_device *d, u64 ib, u32 dw, u32 limit_ms, enum drm_end *end,
                              struct err *e);

#endif
