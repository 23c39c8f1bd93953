/* What /dev/kfd's driver says of the machine in /sys: node 0 is the CPU that the program runs on,
 * node 1 the GPU. And what says that the driver is loaded. */
#include "harness/vgpu/vgpu.h"

#include <stdlib.h>
#include <unistd.h>

#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"
#define CPU      TOPOLOGY "/nodes/0"
#define GPU      TOPOLOGY "/nodes/1"

enum {
    SIMDS = 4,          /* of a compute unit */
    WAVES = 10,         /* of a SIMD, at most */
    SCRATCH_SLOTS = 32, /* of a compute unit */
    /* What drivers know the microcode by, and what it can do. */
    CP_FIRMWARE = 464,
    SDMA_FIRMWARE = 434,
    DOORBELLS_OF_64_BITS = 2 << 12,
    ENGINE_MHZ = 1500,
    MEMORY_MHZ = 1000,
    GPU_SIMD_BASE = 0x1000 /* with bit 31 */
};

typedef void fill_fn(const struct vgpu_chip *chip, struct text *t);

static void cpu_node(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    text_add(t,
             "cpu_cores_count %ld\nsimd_count 0\nmem_banks_count 1\ncaches_count 2\n"
             "io_links_count 1\np2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base 0\n"
             "max_waves_per_simd 0\nlds_size_in_kb 0\ngds_size_in_kb 0\nnum_gws 0\n"
             "wave_front_size 0\narray_count 0\nsimd_arrays_per_engine 0\ncu_per_simd_array 0\n"
             "simd_per_cu 0\nmax_slots_scratch_cu 0\ngfx_target_version 0\nvendor_id 0\n"
             "device_id 0\nlocation_id 0\ndomain 0\ndrm_render_minor 0\nhive_id 0\n"
             "num_sdma_engines 0\nnum_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine 0\n"
             "num_cp_queues 0\nmax_engine_clk_ccompute 3000\n",
             sysconf(_SC_NPROCESSORS_ONLN));
}

/* "gfx90c" is version 9.0.12. */
static u32 target_version(const struct vgpu_chip *chip)
{
    u32 number = (u32)strtoul(chip->mcpu + 3, NULL, 16);
    return bits32(number, 8, 4) * 10000 + bits32(number, 4, 4) * 100 + bits32(number, 0, 4);
}

static void gpu_node(const struct vgpu_chip *chip, struct text *t)
{
    u32 all = chip->engines * chip->cus, linked = chip->sdma_rings > 2 ? chip->sdma_rings - 2 : 0;
    text_add(t,
             "cpu_cores_count 0\nsimd_count %u\nmem_banks_count 1\ncaches_count 4\n"
             "io_links_count 1\np2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base %u\n"
             "max_waves_per_simd %d\nlds_size_in_kb 64\ngds_size_in_kb 0\nnum_gws 0\n"
             "wave_front_size %d\narray_count %u\nsimd_arrays_per_engine 1\ncu_per_simd_array %u\n"
             "simd_per_cu %d\nmax_slots_scratch_cu %d\ngfx_target_version %u\nvendor_id 4098\n"
             "device_id %u\nlocation_id 768\ndomain 0\ndrm_render_minor %d\nhive_id 0\n",
             all * SIMDS, 1u << 31 | GPU_SIMD_BASE, WAVES, LANES, chip->engines, chip->cus, SIMDS,
             SCRATCH_SLOTS, target_version(chip), chip->device_id, VGPU_RENDER_MINOR);
    text_add(t,
             "num_sdma_engines %u\nnum_sdma_xgmi_engines %u\nnum_sdma_queues_per_engine 2\n"
             "num_cp_queues 24\nmax_engine_clk_fcompute %d\nlocal_mem_size 0\nfw_version %d\n"
             "capability %d\nsdma_fw_version %d\nunique_id 0\nmax_engine_clk_ccompute 3000\n",
             chip->sdma_rings - linked, linked, ENGINE_MHZ, CP_FIRMWARE, DOORBELLS_OF_64_BITS,
             SDMA_FIRMWARE);
}

static void gpu_number(const struct vgpu_chip *chip, struct text *t)
{
    text_add(t, "%u\n", vgpu_gpu_id(chip));
}

static void gpu_name(const struct vgpu_chip *chip, struct text *t)
{
    text_add(t, "%s\n", chip->name);
}

/* Heap 0 is the system's memory, heap 1 the card's, all of which the CPU can reach. */
static void cpu_bank(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    text_add(t, "heap_type 0\nsize_in_bytes %llu\nflags 0\nwidth 64\nmem_clk_max 1600\n",
             (unsigned long long)sysconf(_SC_PHYS_PAGES) *
                 (unsigned long long)sysconf(_SC_PAGESIZE));
}

static void gpu_bank(const struct vgpu_chip *chip, struct text *t)
{
    text_add(t, "heap_type 1\nsize_in_bytes %llu\nflags 0\nwidth %u\nmem_clk_max %d\n",
             (unsigned long long)chip->vram_mib << 20, chip->vram_bits, MEMORY_MHZ);
}

/* Kinds: 1 data, 2 instructions, 4 of a CPU, 8 of SIMDs. */
static void cache(struct text *t, u32 base, u32 level, u32 kib, u32 line, u32 kind)
{
    text_add(t,
             "processor_id_low %u\nlevel %u\nsize %u\ncache_line_size %u\ncache_lines_per_tag 1\n"
             "association 16\nlatency 0\ntype %u\nsibling_map 1\n",
             base, level, kib, line, kind);
}

static void cpu_cache_l1(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    cache(t, 0, 1, 32, 64, 1 | 4);
}

static void cpu_cache_l2(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    cache(t, 0, 2, 512, 64, 1 | 4);
}

static void vector_cache(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    cache(t, 1u << 31 | GPU_SIMD_BASE, 1, 16, 64, 1 | 8);
}

static void scalar_cache(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    cache(t, 1u << 31 | GPU_SIMD_BASE, 1, 16, 64, 1 | 8);
}

static void instruction_cache(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    cache(t, 1u << 31 | GPU_SIMD_BASE, 1, 32, 64, 2 | 8);
}

static void second_cache(const struct vgpu_chip *chip, struct text *t)
{
    u32 kib = chip->is_fused ? 1024 : chip->engines == 8 ? 8192 : 4096;
    cache(t, 1u << 31 | GPU_SIMD_BASE, 2, kib, 128, 1 | 8);
}

/* PCI Express, as far from one as from the other. */
static void link_between(struct text *t, u32 from, u32 to)
{
    text_add(t,
             "type 2\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\nweight 20\n"
             "min_latency 0\nmax_latency 0\nmin_bandwidth 312\nmax_bandwidth 16000\n"
             "recommended_transfer_size 0\nflags 1\n",
             from, to);
}

static void cpu_link(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    link_between(t, 0, 1);
}

static void gpu_link(const struct vgpu_chip *chip, struct text *t)
{
    (void)chip;
    link_between(t, 1, 0);
}

static const struct row {
    u8 kind;
    const char *path, *text;
    fill_fn *fill;
} rows[] = {
    { VGPU_DEVICE, "/dev/kfd", "", NULL },
    { VGPU_DIR, "/sys/class/kfd", "", NULL },
    { VGPU_LINK, "/sys/class/kfd/kfd", "/sys/devices/virtual/kfd/kfd", NULL },
    { VGPU_DIR, "/sys/devices/virtual/kfd", "", NULL },
    { VGPU_DIR, "/sys/devices/virtual/kfd/kfd", "", NULL },
    { VGPU_FILE, "/sys/devices/virtual/kfd/kfd/dev", "234:0\n", NULL },
    { VGPU_FILE, "/sys/devices/virtual/kfd/kfd/uevent", "MAJOR=234\nMINOR=0\nDEVNAME=kfd\n", NULL },
    { VGPU_DIR, TOPOLOGY, "", NULL },
    { VGPU_FILE, TOPOLOGY "/generation_id", "2\n", NULL },
    { VGPU_FILE, TOPOLOGY "/system_properties", "platform_oem 0\nplatform_id 0\nplatform_rev 0\n",
      NULL },
    { VGPU_DIR, TOPOLOGY "/nodes", "", NULL },
    { VGPU_DIR, CPU, "", NULL },
    { VGPU_FILE, CPU "/gpu_id", "0\n", NULL },
    { VGPU_FILE, CPU "/name", "\n", NULL },
    { VGPU_FILE, CPU "/properties", NULL, cpu_node },
    { VGPU_DIR, CPU "/mem_banks", "", NULL },
    { VGPU_DIR, CPU "/mem_banks/0", "", NULL },
    { VGPU_FILE, CPU "/mem_banks/0/properties", NULL, cpu_bank },
    { VGPU_DIR, CPU "/caches", "", NULL },
    { VGPU_DIR, CPU "/caches/0", "", NULL },
    { VGPU_FILE, CPU "/caches/0/properties", NULL, cpu_cache_l1 },
    { VGPU_DIR, CPU "/caches/1", "", NULL },
    { VGPU_FILE, CPU "/caches/1/properties", NULL, cpu_cache_l2 },
    { VGPU_DIR, CPU "/io_links", "", NULL },
    { VGPU_DIR, CPU "/io_links/0", "", NULL },
    { VGPU_FILE, CPU "/io_links/0/properties", NULL, cpu_link },
    { VGPU_DIR, GPU, "", NULL },
    { VGPU_FILE, GPU "/gpu_id", NULL, gpu_number },
    { VGPU_FILE, GPU "/name", NULL, gpu_name },
    { VGPU_FILE, GPU "/properties", NULL, gpu_node },
    { VGPU_DIR, GPU "/mem_banks", "", NULL },
    { VGPU_DIR, GPU "/mem_banks/0", "", NULL },
    { VGPU_FILE, GPU "/mem_banks/0/properties", NULL, gpu_bank },
    { VGPU_DIR, GPU "/caches", "", NULL },
    { VGPU_DIR, GPU "/caches/0", "", NULL },
    { VGPU_FILE, GPU "/caches/0/properties", NULL, vector_cache },
    { VGPU_DIR, GPU "/caches/1", "", NULL },
    { VGPU_FILE, GPU "/caches/1/properties", NULL, scalar_cache },
    { VGPU_DIR, GPU "/caches/2", "", NULL },
    { VGPU_FILE, GPU "/caches/2/properties", NULL, instruction_cache },
    { VGPU_DIR, GPU "/caches/3", "", NULL },
    { VGPU_FILE, GPU "/caches/3/properties", NULL, second_cache },
    { VGPU_DIR, GPU "/io_links", "", NULL },
    { VGPU_DIR, GPU "/io_links/0", "", NULL },
    { VGPU_FILE, GPU "/io_links/0/properties", NULL, gpu_link },
    { VGPU_FILE, "/proc/modules", "amdgpu 6000000 0 - Live 0x0000000000000000\n", NULL },
    { VGPU_DIR, "/sys/module/amdgpu", "", NULL },
    { VGPU_FILE, "/sys/module/amdgpu/initstate", "live\n", NULL },
    { VGPU_FILE, "/sys/module/amdgpu/refcnt", "0\n", NULL },
    { VGPU_DIR, "/sys/module/amdgpu/holders", "", NULL },
};

u32 vgpu_gpu_id(const struct vgpu_chip *chip)
{
    return chip->device_id;
}

bool vgpu_topology_at(const struct vgpu_chip *chip, u32 index, struct vgpu_node *node)
{
    if (index >= COUNT_OF(rows))
        return false;
    const struct row *r = &rows[index];
    struct text t;
    *node = (struct vgpu_node){ .kind = r->kind, .major = VGPU_KFD_MAJOR, .minor = VGPU_KFD_MINOR };
    snprintf(node->path, sizeof node->path, "%s", r->path);
    text_init(&t, node->text, sizeof node->text);
    if (r->fill)
        r->fill(chip, &t);
    else
        text_add(&t, "%s", r->text);
    node->bytes = (u32)t.len;
    return true;
}
