/* The ioctls of /dev/kfd: which there are, how long their arguments are; what the driver says of
 * itself, of the clock and of the address space. */
#include "harness/vgpu/kfd/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

static int get_version(struct kfd_call *c)
{
    struct kfd_arg_version *a = c->arg;
    a->major = KFD_MAJOR;
    a->minor = KFD_MINOR;
    return 0;
}

static bool is_gpu(const struct kfd *k, u32 id)
{
    return id == vgpu_gpu_id(k->v->cfg.chip);
}

static u64 clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static int get_clock_counters(struct kfd_call *c)
{
    struct kfd_arg_clocks *a = c->arg;
    a->gpu_clock = is_gpu(c->k, a->gpu) ? vgpu_clock_ticks() : 0;
    a->cpu_clock = clock_ns(CLOCK_MONOTONIC_RAW);
    a->system_clock = clock_ns(CLOCK_BOOTTIME);
    a->system_hz = 1000000000;
    return 0;
}

static int get_apertures(struct kfd_call *c)
{
    struct kfd_arg_apertures *a = c->arg;
    struct kfd_aperture one = { .lds_base = WAVE_SHARED_BASE,
                                .lds_limit = WAVE_SHARED_BASE | 0xffffffff,
                                .scratch_base = WAVE_PRIVATE_BASE,
                                .scratch_limit = WAVE_PRIVATE_BASE | 0xffffffff,
                                .vm_base = KFD_GPUVM_BASE,
                                .vm_limit = KFD_GPUVM_LIMIT,
                                .gpu = vgpu_gpu_id(c->k->v->cfg.chip) };
    bool is_asked = a->count == 0;
    a->count = 1;
    return is_asked || c->client->write(c->client->ctx, a->to, &one, sizeof one) ? 0 : -EFAULT;
}

/* What changes nothing here: how memory is cached, where scratch lies (queues say it, too). */
static int set_memory_policy(struct kfd_call *c)
{
    const struct kfd_arg_memory_policy *a = c->arg;
    return is_gpu(c->k, a->gpu) && a->policy <= KFD_NONCOHERENT &&
                   a->alternate_policy <= KFD_NONCOHERENT
               ? 0
               : -EINVAL;
}

static int set_scratch_backing(struct kfd_call *c)
{
    const struct kfd_arg_scratch *a = c->arg;
    return is_gpu(c->k, a->gpu) ? 0 : -EINVAL;
}

/* What the handler would do at s_trap and illegal instructions the card does itself: the queue has an
 * error. */
static int set_trap_handler(struct kfd_call *c)
{
    const struct kfd_arg_trap_handler *a = c->arg;
    return is_gpu(c->k, a->gpu) ? 0 : -EINVAL;
}

/* Page faults that are retried: no chip here can. */
static int set_xnack_mode(struct kfd_call *c)
{
    struct kfd_arg_xnack *a = c->arg;
    if (a->mode > 0)
        return -EPERM;
    a->mode = 0;
    return 0;
}

static int get_tile_config(struct kfd_call *c)
{
    struct kfd_arg_tiling *a = c->arg;
    if (!is_gpu(c->k, a->gpu))
        return -EINVAL;
    a->tile_count = a->macro_tile_count = 0;
    a->address_config = c->k->v->cfg.chip->gb_addr_config;
    a->banks = a->ranks = 0;
    return 0;
}

static const struct entry {
    u32 cmd;
    bool is_of_card; /* fails when it is gone */
    const char *name;
    kfd_ioctl_fn *fn;
} entries[] = {
    { KFD_GET_VERSION, false, "GET_VERSION", get_version },
    { KFD_CREATE_QUEUE, true, "CREATE_QUEUE", kfd_create_queue },
    { KFD_DESTROY_QUEUE, false, "DESTROY_QUEUE", kfd_destroy_queue },
    { KFD_MEMORY_POLICY, true, "SET_MEMORY_POLICY", set_memory_policy },
    { KFD_GET_CLOCKS, false, "GET_CLOCK_COUNTERS", get_clock_counters },
    { KFD_UPDATE_QUEUE, true, "UPDATE_QUEUE", kfd_update_queue },
    { KFD_CREATE_EVENT, false, "CREATE_EVENT", kfd_create_event },
    { KFD_DESTROY_EVENT, false, "DESTROY_EVENT", kfd_destroy_event },
    { KFD_SET_EVENT, false, "SET_EVENT", kfd_set_event },
    { KFD_RESET_EVENT, false, "RESET_EVENT", kfd_reset_event },
    { KFD_WAIT_EVENTS, false, "WAIT_EVENTS", kfd_wait_events },
    { KFD_SCRATCH_BACKING, true, "SET_SCRATCH_BACKING_VA", set_scratch_backing },
    { KFD_GET_TILING, true, "GET_TILE_CONFIG", get_tile_config },
    { KFD_TRAP_HANDLER, true, "SET_TRAP_HANDLER", set_trap_handler },
    { KFD_GET_APERTURES, true, "GET_PROCESS_APERTURES_NEW", get_apertures },
    { KFD_ACQUIRE_VM, true, "ACQUIRE_VM", kfd_acquire_vm },
    { KFD_ALLOC_MEMORY, true, "ALLOC_MEMORY_OF_GPU", kfd_alloc },
    { KFD_FREE_MEMORY, false, "FREE_MEMORY_OF_GPU", kfd_free },
    { KFD_MAP_MEMORY, true, "MAP_MEMORY_TO_GPU", kfd_map },
    { KFD_UNMAP_MEMORY, false, "UNMAP_MEMORY_FROM_GPU", kfd_unmap },
    { KFD_CU_MASK, true, "SET_CU_MASK", kfd_set_cu_mask },
    { KFD_XNACK_MODE, true, "SET_XNACK_MODE", set_xnack_mode },
    { KFD_AVAILABLE, true, "AVAILABLE_MEMORY", kfd_available },
};

/* Those that are known, and refused by name; the number is the place. */
static const char *const refused[] = { [0x06] = "GET_PROCESS_APERTURES",
                                       [0x1b] = "GET_QUEUE_WAVE_STATE",
                                       [0x1c] = "GET_DMABUF_INFO",
                                       [0x1d] = "IMPORT_DMABUF",
                                       [0x1e] = "ALLOC_QUEUE_GWS",
                                       [0x1f] = "SMI_EVENTS",
                                       [0x20] = "SVM",
                                       [0x22] = "CRIU_OP",
                                       [0x24] = "EXPORT_DMABUF" };

enum { ARG_MAX_BYTES = 128 };

static const struct entry *find(u32 cmd)
{
    for (u32 i = 0; i < COUNT_OF(entries); i++)
        if (_IOC_NR(entries[i].cmd) == _IOC_NR(cmd) && _IOC_TYPE(cmd) == KFD_TYPE)
            return &entries[i];
    return NULL;
}

static int call(struct kfd_call *c, const struct entry *en, u32 cmd, u64 arg)
{
    _Alignas(8) u8 bytes[ARG_MAX_BYTES] = { 0 };
    u32 theirs = _IOC_SIZE(cmd), ours = _IOC_SIZE(en->cmd);
    u32 size = theirs < ours ? theirs : ours;
    if (ours > sizeof bytes)
        BUG("an ioctl's argument is too long");
    if (_IOC_DIR(cmd) & _IOC_WRITE && !c->client->read(c->client->ctx, bytes, arg, size))
        return -EFAULT;
    c->arg = bytes;
    int r = en->fn(c);
    if (_IOC_DIR(cmd) & _IOC_READ && !c->client->write(c->client->ctx, arg, bytes, size))
        return -EFAULT;
    return r;
}

int vgpu_kfd_ioctl(struct vgpu *v, u32 file, u32 cmd, u64 arg, const struct vgpu_client *client)
{
    const struct entry *en = find(cmd);
    bool is_fault = ++v->stats.ioctls == v->cfg.faults.ioctl;
    if (!vgpu_file_is_kfd(v, file))
        return -EBADF;
    if (!en) {
        u32 nr = _IOC_NR(cmd);
        if (nr < COUNT_OF(refused) && refused[nr]) {
            vgpu_error(v, "kfd: %s is not implemented", refused[nr]);
            return -EOPNOTSUPP;
        }
        /* Libraries ask for what only their vendor's kernels have. */
        vgpu_log(v, "kfd: ioctl 0x%08x is not known", cmd);
        return -ENOTTY;
    }
    if (is_fault || (v->is_lost && en->is_of_card)) {
        vgpu_log(v, "kfd: %s fails on demand", en->name);
        return is_fault ? -v->cfg.faults.error : -ENODEV;
    }
    struct kfd_call c = { .k = v->kfd, .client = client };
    int r = call(&c, en, cmd, arg);
    vgpu_log(v, "kfd: %s = %d", en->name, r);
    return r;
}

/* ---- the process ---- */

static void close_process(struct kfd *k)
{
    kfd_close_memory(k);
    k->v->kfd = NULL;
    free(k);
}

u32 vgpu_kfd_open(struct vgpu *v)
{
    u32 file = vgpu_file_open(v, false);
    if (file && !v->kfd) {
        v->kfd = calloc(1, sizeof *v->kfd);
        if (!v->kfd) {
            vgpu_file_close(v, file);
            return 0;
        }
        v->kfd->v = v;
        v->close_kfd = close_process;
    }
    if (file)
        v->file[file - 1].is_kfd = true;
    return file;
}

bool vgpu_file_is_kfd(const struct vgpu *v, u32 file)
{
    return file - 1 < VGPU_FILES_MAX && v->file[file - 1].is_open && v->file[file - 1].is_kfd;
}
