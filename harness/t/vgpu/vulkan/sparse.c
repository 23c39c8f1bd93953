/* A buffer of three pages of which one has memory at a time. */
#include "harness/t/vgpu/vulkan/gpu.h"

enum { PAGES = 3, PAGE_WORDS = 256, ALL = PAGES * PAGE_WORDS };

/* After the first turn the second page has memory, then the third has that instead; elsewhere is 0. */
static void expect_sparse(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 2 * ALL; i++)
        want[i] = 0;
    for (u32 i = 0; i < PAGE_WORDS; i++)
        want[PAGE_WORDS + i] = want[ALL + 2 * PAGE_WORDS + i] = in[PAGE_WORDS + i] + 1;
}

static VkBuffer sparse_buffer(const struct gpu *g, VkMemoryRequirements *r)
{
    VkBuffer b;
    VkBufferCreateInfo c = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
        .size = 1,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT
    };
    for (u32 i = 0; i < 2; i++) { /* the first time to learn how large pages are */
        gpu_must(vkCreateBuffer(g->device, &c, NULL, &b), "vkCreateBuffer");
        vkGetBufferMemoryRequirements(g->device, b, r);
        if (i == 0)
            vkDestroyBuffer(g->device, b, NULL);
        c.size = PAGES * r->alignment;
    }
    return b;
}

/* Memory to a page, or none. */
static void bind(const struct gpu *g, VkBuffer b, u64 page_bytes, u32 page, VkDeviceMemory m)
{
    VkSparseMemoryBind one = { .resourceOffset = page * page_bytes,
                               .size = page_bytes,
                               .memory = m };
    VkSparseBufferMemoryBindInfo buffer = { b, 1, &one };
    VkBindSparseInfo info = { .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                              .bufferBindCount = 1,
                              .pBufferBinds = &buffer };
    gpu_must(vkQueueBindSparse(g->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
    gpu_must(vkQueueWaitIdle(g->queue), "vkQueueWaitIdle");
}

static void turn(const struct gpu *g, VkPipeline p, VkDescriptorSet s, u64 at, u64 page, u32 number)
{
    struct step step = { .kind = STEP_DIRECT,
                         .groups = { ALL / 64, 1, 1 },
                         .push = { (u32)at, (u32)(at >> 32), (u32)page, number } };
    VkCommandBuffer c = gpu_begin(g);
    gpu_bind(c, g, p, s);
    gpu_step(c, g, &step);
    gpu_run(g, c);
}

static void run_sparse(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkMemoryRequirements r;
    VkBuffer b = sparse_buffer(g, &r);
    u64 page = r.alignment;
    VkBufferDeviceAddressInfo i = { .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                    .buffer = b };
    VkDeviceAddress at = vkGetBufferDeviceAddress(g->device, &i);
    r.size = page;
    VkDeviceMemory m = gpu_memory(g, &r);
    (void)t;
    bind(g, b, page, 1, m);
    turn(g, p, s, at, page, 0);
    turn(g, p, s, at, page, 1);
    bind(g, b, page, 1, VK_NULL_HANDLE);
    bind(g, b, page, 2, m);
    turn(g, p, s, at, page, 2);
    bind(g, b, page, 2, VK_NULL_HANDLE);
    vkDestroyBuffer(g->device, b, NULL);
    vkFreeMemory(g->device, m, NULL);
}

const struct test sparse_tests[] = { { .name = "sparse",
                                       .needs = NEED_ADDRESS | NEED_SPARSE,
                                       .expect = expect_sparse,
                                       .run = run_sparse },
                                     { .name = NULL } };
