/* The ioctls: which there are, how long their arguments are. An argument that is shorter than ours
 * has zeros behind it, one that is longer is cut, as the kernel does. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <inttypes.h>

static const struct entry {
    u32 cmd;
    const char *name;
    vgpu_ioctl_fn *fn; /* NULL: known, and refused by name */
} entries[] = {
    { DRM_IOCTL_VERSION, "VERSION", vgpu_version },
    { DRM_IOCTL_GET_CLIENT, "GET_CLIENT", vgpu_get_client },
    { DRM_IOCTL_AUTH_MAGIC, "AUTH_MAGIC", vgpu_auth_magic },
    { DRM_IOCTL_GET_CAP, "GET_CAP", vgpu_get_cap },
    { DRM_IOCTL_GEM_CLOSE, "GEM_CLOSE", vgpu_gem_close },
    { DRM_IOCTL_GEM_FLINK, "GEM_FLINK", vgpu_gem_flink },
    { DRM_IOCTL_GEM_OPEN, "GEM_OPEN", vgpu_gem_open },
    { DRM_IOCTL_PRIME_HANDLE_TO_FD, "PRIME_HANDLE_TO_FD", vgpu_prime_to_fd },
    { DRM_IOCTL_PRIME_FD_TO_HANDLE, "PRIME_FD_TO_HANDLE", vgpu_prime_from_fd },
    { DRM_IOCTL_SYNCOBJ_CREATE, "SYNCOBJ_CREATE", vgpu_syncobj_create },
    { DRM_IOCTL_SYNCOBJ_DESTROY, "SYNCOBJ_DESTROY", vgpu_syncobj_destroy },
    { DRM_IOCTL_SYNCOBJ_WAIT, "SYNCOBJ_WAIT", vgpu_syncobj_wait },
    { DRM_IOCTL_SYNCOBJ_RESET, "SYNCOBJ_RESET", vgpu_syncobj_reset },
    { DRM_IOCTL_SYNCOBJ_SIGNAL, "SYNCOBJ_SIGNAL", vgpu_syncobj_signal },
    { DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, "SYNCOBJ_HANDLE_TO_FD", vgpu_syncobj_to_fd },
    { DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, "SYNCOBJ_FD_TO_HANDLE", vgpu_syncobj_from_fd },
    { DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, "SYNCOBJ_TIMELINE_WAIT", vgpu_syncobj_timeline_wait },
    { DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, "SYNCOBJ_TIMELINE_SIGNAL", vgpu_syncobj_timeline_signal },
    { DRM_IOCTL_SYNCOBJ_QUERY, "SYNCOBJ_QUERY", vgpu_syncobj_query },
    { DRM_IOCTL_SYNCOBJ_TRANSFER, "SYNCOBJ_TRANSFER", vgpu_syncobj_transfer },
    { DRM_IOCTL_AMDGPU_GEM_CREATE, "AMDGPU_GEM_CREATE", vgpu_gem_create },
    { DRM_IOCTL_AMDGPU_GEM_MMAP, "AMDGPU_GEM_MMAP", vgpu_gem_mmap },
    { DRM_IOCTL_AMDGPU_CTX, "AMDGPU_CTX", vgpu_ctx_ioctl },
    { DRM_IOCTL_AMDGPU_BO_LIST, "AMDGPU_BO_LIST", vgpu_bo_list },
    { DRM_IOCTL_AMDGPU_CS, "AMDGPU_CS", vgpu_cs },
    { DRM_IOCTL_AMDGPU_INFO, "AMDGPU_INFO", vgpu_info },
    { DRM_IOCTL_AMDGPU_GEM_METADATA, "AMDGPU_GEM_METADATA", vgpu_gem_metadata },
    { DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, "AMDGPU_GEM_WAIT_IDLE", vgpu_gem_wait_idle },
    { DRM_IOCTL_AMDGPU_GEM_VA, "AMDGPU_GEM_VA", vgpu_gem_va },
    { DRM_IOCTL_AMDGPU_WAIT_CS, "AMDGPU_WAIT_CS", vgpu_wait_cs },
    { DRM_IOCTL_AMDGPU_GEM_OP, "AMDGPU_GEM_OP", vgpu_gem_op },
    { DRM_IOCTL_AMDGPU_GEM_USERPTR, "AMDGPU_GEM_USERPTR", vgpu_gem_userptr },
    { DRM_IOCTL_AMDGPU_WAIT_FENCES, "AMDGPU_WAIT_FENCES", vgpu_wait_fences },
    { DRM_IOCTL_AMDGPU_VM, "AMDGPU_VM", vgpu_vm_ioctl },
    { DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, "AMDGPU_FENCE_TO_HANDLE", vgpu_fence_to_handle },
    { DRM_IOCTL_AMDGPU_SCHED, "AMDGPU_SCHED", NULL },
};

enum { ARG_MAX_BYTES = 512 };

/* By number: direction and size are the client's version of the interface. */
static const struct entry *find(u32 cmd)
{
    for (u32 i = 0; i < COUNT_OF(entries); i++)
        if (_IOC_NR(entries[i].cmd) == _IOC_NR(cmd) && _IOC_TYPE(cmd) == DRM_IOCTL_BASE)
            return &entries[i];
    return NULL;
}

static int call(struct vgpu_call *c, const struct entry *en, u32 cmd, u64 arg)
{
    _Alignas(8) u8 bytes[ARG_MAX_BYTES] = { 0 };
    u32 theirs = _IOC_SIZE(cmd), ours = _IOC_SIZE(en->cmd);
    u32 size = theirs < ours ? theirs : ours;
    if (ours > sizeof bytes)
        BUG("an ioctl's argument is too long");
    if (size && !c->client->read(c->client->ctx, bytes, arg, size))
        return -EFAULT;
    c->arg = bytes;
    int r = en->fn(c);
    if (r == VGPU_BLOCKED)
        return r;
    /* As drm_ioctl: what goes out does so even with an error. */
    if (_IOC_DIR(cmd) & _IOC_READ && !c->client->write(c->client->ctx, arg, bytes, size))
        return -EFAULT;
    return r;
}

int vgpu_ioctl(struct vgpu *v, u32 file, u32 cmd, u64 arg, const struct vgpu_client *client)
{
    struct vgpu_file *f = file - 1 < VGPU_FILES_MAX ? &v->file[file - 1] : NULL;
    const struct entry *en = find(cmd);
    int r = -EINVAL;
    bool is_new = client->since_ns == 0;
    bool is_fault = is_new && ++v->stats.ioctls == v->cfg.faults.ioctl;
    if (!f || !f->is_open)
        return -EBADF;
    if (!en) {
        vgpu_error(v, "ioctl 0x%08x (number 0x%02x of '%c') is not known", cmd, _IOC_NR(cmd),
                   _IOC_TYPE(cmd));
        return -EINVAL;
    }
    if (!en->fn) {
        vgpu_error(v, "%s is not implemented", en->name);
        return -EOPNOTSUPP;
    }
    if (v->is_lost || is_fault) {
        vgpu_log(v, "file %u: %s fails on demand", file, en->name);
        return v->is_lost ? -ENODEV : -v->cfg.faults.error;
    }
    r = call(&(struct vgpu_call){ .v = v, .f = f, .client = client }, en, cmd, arg);
    if (r != VGPU_BLOCKED)
        vgpu_log(v, "file %u: %s = %d", file, en->name, r);
    else if (is_new)
        vgpu_log(v, "file %u: %s waits", file, en->name);
    return r;
}
