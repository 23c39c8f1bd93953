/* Runs a code object of `gcncheck export --format elf` by the HSA runtime and prints its line.
 *
 *     cc -o selfcheck_hsa selfcheck_hsa.c -lhsa-runtime64
 *     ./selfcheck_hsa gfx900-vop3a.co
 *
 * Exit code 0: all passed. 1: something failed, or the kernel did not write its line. 2: it could not
 * be run. */
#include <hsa/hsa.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20 }; /* at least what launch.txt beside it says */

static void check(hsa_status_t status, const char *what)
{
    const char *text = "";
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return;
    hsa_status_string(status, &text);
    fprintf(stderr, "selfcheck_hsa: %s: %s\n", what, text);
    exit(2);
}

static hsa_status_t find_gpu(hsa_agent_t agent, void *to)
{
    hsa_device_type_t type;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)to = agent;
    return HSA_STATUS_INFO_BREAK;
}

struct regions {
    hsa_region_t kernarg, fine;
};

/* Memory that host and device see. */
static hsa_status_t find_region(hsa_region_t region, void *to)
{
    struct regions *r = to;
    hsa_region_segment_t segment;
    uint32_t flags = 0;
    hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
    if (segment != HSA_REGION_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
    if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
        r->kernarg = region;
    if (flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED)
        r->fine = region;
    return HSA_STATUS_SUCCESS;
}

static uint64_t load(hsa_agent_t gpu, const char *path, uint32_t *lds)
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    uint64_t kernel = 0;
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        exit(2);
    }
    check(hsa_code_object_reader_create_from_file(fileno(in), &reader), path);
    check(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                    &executable),
          "executable");
    check(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL), path);
    check(hsa_executable_freeze(executable, NULL), "executable");
    check(hsa_executable_get_symbol_by_name(executable, "gcncheck.kd", &gpu, &symbol),
          "kernel gcncheck");
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel);
    hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
                                   lds);
    return kernel;
}

/* Puts one packet on a queue of its own and waits for its end. */
static void run(hsa_agent_t gpu, uint64_t kernel, uint32_t lds, void *kernarg)
{
    hsa_queue_t *queue;
    hsa_signal_t done;
    check(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX,
                           &queue),
          "queue");
    check(hsa_signal_create(1, 0, NULL, &done), "signal");
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *packet =
        (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
    memset(packet, 0, sizeof *packet);
    packet->workgroup_size_x = packet->grid_size_x = 64;
    packet->workgroup_size_y = packet->grid_size_y = 1;
    packet->workgroup_size_z = packet->grid_size_z = 1;
    packet->group_segment_size = lds;
    packet->kernel_object = kernel;
    packet->kernarg_address = kernarg;
    packet->completion_signal = done;
    uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE |
                      1u << (16 + HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
    __atomic_store_n((uint32_t *)packet, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

int main(int argc, char **argv)
{
    hsa_agent_t gpu = { 0 };
    struct regions regions = { { 0 }, { 0 } };
    uint32_t lds = 0;
    void *kernarg, *buffer;
    if (argc != 2) {
        fprintf(stderr, "usage: selfcheck_hsa FILE.co\n");
        return 2;
    }
    check(hsa_init(), "hsa_init");
    check(hsa_iterate_agents(find_gpu, &gpu), "agents");
    if (!gpu.handle) {
        fprintf(stderr, "selfcheck_hsa: no GPU\n");
        return 2;
    }
    check(hsa_agent_iterate_regions(gpu, find_region, &regions), "regions");
    uint64_t kernel = load(gpu, argv[1], &lds);
    check(hsa_memory_allocate(regions.kernarg, 64, &kernarg), "argument");
    check(hsa_memory_allocate(regions.fine.handle ? regions.fine : regions.kernarg, BUFFER_BYTES,
                              &buffer),
          "buffer");
    memset(buffer, 0, BUFFER_BYTES);
    memcpy(kernarg, &buffer, sizeof buffer);
    run(gpu, kernel, lds, kernarg);
    const char *line = buffer;
    printf("%s\n", line[0] ? line : "the kernel wrote no line");
    return strncmp(line, "GCNCHECK ", 9) == 0 && strstr(line, " fail=0") ? 0 : 1;
}
