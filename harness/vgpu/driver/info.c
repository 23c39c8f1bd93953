/* What the device says of itself. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>

enum {
    DRM_MAJOR = 3,
    DRM_MINOR = 49,
    MMR_MAX = 32, /* that are read at once */
    ENGINE_MHZ = 1500,
    MEMORY_MHZ = 1000
};

#define GTT_BYTES (8ull << 30)

static int put_text(struct vgpu_call *c, const char *text, char *to, __kernel_size_t *len)
{
    size_t have = strlen(text), fits = *len < have ? *len : have;
    *len = have;
    u64 at = (u64)(uintptr_t)to;
    return !to || fits == 0 || c->client->write(c->client->ctx, at, text, fits) ? 0 : -EFAULT;
}

int vgpu_version(struct vgpu_call *c)
{
    struct drm_version *a = c->arg;
    a->version_major = DRM_MAJOR;
    a->version_minor = DRM_MINOR;
    a->version_patchlevel = 0;
    int r = put_text(c, "amdgpu", a->name, &a->name_len);
    if (r == 0)
        r = put_text(c, "20150101", a->date, &a->date_len);
    return r ? r : put_text(c, "AMD GPU", a->desc, &a->desc_len);
}

int vgpu_get_client(struct vgpu_call *c)
{
    struct drm_client *a = c->arg;
    if (a->idx != 0)
        return -EINVAL;
    *a = (struct drm_client){ .auth = 1 };
    return 0;
}

/* No client has a magic number to be let in by. Libraries try this to learn whether they own the
 * display: who has opened the primary node does. */
int vgpu_auth_magic(struct vgpu_call *c)
{
    return c->f->is_primary ? -EINVAL : -EACCES;
}

int vgpu_get_cap(struct vgpu_call *c)
{
    struct drm_get_cap *a = c->arg;
    switch (a->capability) {
    case DRM_CAP_PRIME: a->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT; return 0;
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE:
    case DRM_CAP_TIMESTAMP_MONOTONIC: a->value = 1; return 0;
    default: return -EINVAL;
    }
}

/* Eight shader engines lie in the four rows of the bitmap one behind the other. */
static void fill_cus(const struct vgpu_chip *chip, struct drm_amdgpu_info_device *d)
{
    for (u32 se = 0; se < chip->engines; se++) {
        d->cu_bitmap[se % 4][se / 4] = mask32(chip->cus);
        d->cu_ao_bitmap[se % 4][se / 4] = mask32(chip->cus);
    }
    d->cu_active_number = chip->engines * chip->cus;
}

static void fill_device(const struct vgpu *v, struct drm_amdgpu_info_device *d)
{
    const struct vgpu_chip *chip = v->cfg.chip;
    *d = (struct drm_amdgpu_info_device){
        .device_id = chip->device_id,
        .chip_rev = chip->chip_rev,
        .external_rev = chip->external_rev,
        .pci_rev = chip->pci_rev,
        .family = chip->family,
        .num_shader_engines = chip->engines,
        .num_shader_arrays_per_engine = 1,
        .gpu_counter_freq = VGPU_COUNTER_KHZ,
        .max_engine_clock = ENGINE_MHZ * 1000,
        .max_memory_clock = MEMORY_MHZ * 1000,
        .enabled_rb_pipes_mask = mask32(chip->rbs),
        .num_rb_pipes = chip->rbs,
        .num_hw_gfx_contexts = 8,
        .virtual_address_offset = 0x200000,
        .virtual_address_max = vgpu_vm_end(v),
        .virtual_address_alignment = PAGE_BYTES,
        .pte_fragment_size = 2 << 20,
        .gart_page_size = PAGE_BYTES,
        .ce_ram_size = 32768,
        .ids_flags = chip->is_fused ? AMDGPU_IDS_FLAGS_FUSION : 0,
        .vram_type = chip->vram_kind,
        .vram_bit_width = chip->vram_bits,
        .gc_double_offchip_lds_buf = 1,
        .wave_front_size = LANES,
        .num_shader_visible_vgprs = 256,
        .num_cu_per_sh = chip->cus,
        .num_tcc_blocks = chip->tccs,
        .gs_vgt_table_depth = 32,
        .gs_prim_buffer_depth = 1792,
        .max_gs_waves_per_vgt = 32,
        .high_va_offset = vgpu_vm_high(v),
        .high_va_max = vgpu_vm_high(v) ? 0xffffffffffe00000 : 0,
    };
    fill_cus(chip, d);
}

static void fill_ip(const struct vgpu *v, u32 ip, struct drm_amdgpu_info_hw_ip *h)
{
    bool is_dma = ip == AMDGPU_HW_IP_DMA;
    *h = (struct drm_amdgpu_info_hw_ip){
        .hw_ip_version_major = is_dma ? v->packets->sdma_major : v->cfg.chip->gc_major,
        .hw_ip_version_minor = is_dma ? v->packets->sdma_minor : v->cfg.chip->gc_minor,
        .ib_start_alignment = is_dma ? 256 : 32,
        .ib_size_alignment = is_dma ? 4 : 32,
        .available_rings = mask32(vgpu_rings(v, ip)),
    };
}

static void fill_memory(const struct vgpu *v, struct drm_amdgpu_memory_info *m)
{
    u64 vram = (u64)v->cfg.chip->vram_mib << 20;
    m->vram = (struct drm_amdgpu_heap_info){ .total_heap_size = vram,
                                             .usable_heap_size = vram,
                                             .heap_usage = v->vram_used,
                                             .max_allocation = vram / 4 * 3 };
    m->cpu_accessible_vram = m->vram;
    m->gtt = (struct drm_amdgpu_heap_info){ .total_heap_size = GTT_BYTES,
                                            .usable_heap_size = GTT_BYTES,
                                            .heap_usage = v->gtt_used,
                                            .max_allocation = GTT_BYTES / 4 * 3 };
}

/* All shader engines read alike. The size of what was read, or a negative errno. */
static int read_mmr(struct vgpu *v, const struct drm_amdgpu_info *a, u32 *to)
{
    u32 first = a->read_mmr_reg.dword_offset, count = a->read_mmr_reg.count;
    bool is_there = count && count <= MMR_MAX;
    for (u32 i = 0; i < count && is_there; i++)
        is_there = vgpu_chip_register(v->cfg.chip, first + i, &to[i]);
    if (is_there)
        return (int)(count * sizeof *to);
    vgpu_error(v, "READ_MMR_REG: %u registers from 0x%x are not all implemented", count, first);
    return -EINVAL;
}

union answer {
    u32 word, registers[MMR_MAX];
    u64 number;
    struct drm_amdgpu_info_device device;
    struct drm_amdgpu_info_hw_ip ip;
    struct drm_amdgpu_info_firmware firmware;
    struct drm_amdgpu_info_vram_gtt heaps;
    struct drm_amdgpu_memory_info memory;
    struct drm_amdgpu_info_gds gds;
    struct drm_amdgpu_info_video_caps video;
};

/* Fills the answer; its size, or a negative errno. */
static int answer(struct vgpu *v, const struct drm_amdgpu_info *a, union answer *to)
{
    u32 ip = a->query_hw_ip.type;
    u64 vram = (u64)v->cfg.chip->vram_mib << 20;
    switch (a->query) {
    case AMDGPU_INFO_ACCEL_WORKING: to->word = 1; return 4;
    case AMDGPU_INFO_DEV_INFO: fill_device(v, &to->device); return sizeof to->device;
    case AMDGPU_INFO_READ_MMR_REG: return read_mmr(v, a, to->registers);
    case AMDGPU_INFO_HW_IP_INFO:
        if (ip < IPS && a->query_hw_ip.ip_instance == 0)
            fill_ip(v, ip, &to->ip);
        return sizeof to->ip;
    case AMDGPU_INFO_HW_IP_COUNT: to->word = vgpu_rings(v, ip) != 0; return 4;
    case AMDGPU_INFO_TIMESTAMP: to->number = vgpu_clock_ticks(); return 8;
    case AMDGPU_INFO_FW_VERSION:
        to->firmware = (struct drm_amdgpu_info_firmware){ .ver = 0x1a0, .feature = 50 };
        return sizeof to->firmware;
    case AMDGPU_INFO_VRAM_GTT:
        to->heaps = (struct drm_amdgpu_info_vram_gtt){ vram, vram, GTT_BYTES };
        return sizeof to->heaps;
    case AMDGPU_INFO_MEMORY: fill_memory(v, &to->memory); return sizeof to->memory;
    case AMDGPU_INFO_VRAM_USAGE:
    case AMDGPU_INFO_VIS_VRAM_USAGE: to->number = v->vram_used; return 8;
    case AMDGPU_INFO_GTT_USAGE: to->number = v->gtt_used; return 8;
    case AMDGPU_INFO_NUM_BYTES_MOVED:
    case AMDGPU_INFO_NUM_EVICTIONS:
    case AMDGPU_INFO_RAS_ENABLED_FEATURES: return 8;
    case AMDGPU_INFO_VRAM_LOST_COUNTER: return 4;
    case AMDGPU_INFO_GDS_CONFIG: return sizeof to->gds;
    case AMDGPU_INFO_VIDEO_CAPS: return sizeof to->video;
    default: vgpu_error(v, "INFO: query 0x%02x is not implemented", a->query); return -EINVAL;
    }
}

int vgpu_info(struct vgpu_call *c)
{
    const struct drm_amdgpu_info *a = c->arg;
    union answer to;
    memset(&to, 0, sizeof to);
    int r = answer(c->v, a, &to);
    if (r < 0)
        return r;
    u32 size = (u32)r < a->return_size ? (u32)r : a->return_size;
    return size == 0 || c->client->write(c->client->ctx, a->return_pointer, &to, size) ? 0
                                                                                       : -EFAULT;
}
