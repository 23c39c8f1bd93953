/* Programs whose commands are the point: many dispatches, copies, waiting, time. */
#define _GNU_SOURCE
#include "harness/t/vgpu/vulkan/gpu.h"

#include <time.h>

static void dispatch(VkCommandBuffer c, const struct gpu *g, u32 group, const u32 push[PUSH_MAX])
{
    struct step s = { STEP_DIRECT, { group, 1, 1 }, { push[0], push[1], push[2], push[3] } };
    gpu_barrier(c);
    gpu_step(c, g, &s);
}

/* ---- addresses ---- */

static void fill_address(struct gpu *g)
{
    u32 *in = g->buffer[IN].word;
    for (u32 i = 0; i < 1024; i++)
        in[i * 2 + 1] = (i * 389 + 71) % 1024;
}

static void expect_address(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++) {
        want[i] = 0;
        for (u32 k = 0, at = i; k < 12; k++, at = in[at * 2 + 1])
            want[i] = want[i] * 3 + in[at * 2];
    }
}

static void run_address(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkDeviceAddress at = gpu_address(g, IN);
    VkCommandBuffer c = gpu_begin(g);
    (void)t;
    gpu_bind(c, g, p, s);
    dispatch(c, g, 4, (u32[PUSH_MAX]){ (u32)at, (u32)(at >> 32) });
    gpu_run(g, c);
}

/* ---- many dispatches ---- */

enum { TURNS = 250 };

static void fill_many(struct gpu *g)
{
    memcpy(g->buffer[OUT].word, g->buffer[IN].word, 256 * sizeof(u32));
}

/* From the first 256 words to the second and back. */
static void expect_many(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    memcpy(want, in, 256 * sizeof *want);
    for (u32 turn = 0; turn < TURNS; turn++)
        for (u32 i = 0, from = turn % 2 * 256; i < 256; i++)
            want[256 - from + i * 5 % 256] = want[from + i] + turn;
}

static void run_many(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkCommandBuffer c = gpu_begin(g);
    (void)t;
    gpu_bind(c, g, p, s);
    for (u32 turn = 0; turn < TURNS; turn++)
        dispatch(c, g, 4, (u32[PUSH_MAX]){ turn, turn % 2 * 256, 256 - turn % 2 * 256 });
    gpu_run(g, c);
}

/* ---- other command buffers, events ---- */

static void fill_ones(struct gpu *g)
{
    for (u32 i = 0; i < 256; i++)
        g->buffer[OUT].word[i] = i + 1;
}

/* By 3, then by 5, then by 7. */
static void expect_factors(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++)
        want[i] = (((i + 1) * 3 + in[i]) * 5 + in[i]) * 7 + in[i];
}

static void run_secondary(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkCommandBuffer inner[2], c = gpu_begin(g);
    VkCommandBufferAllocateInfo a = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = g->pool,
                                      .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                      .commandBufferCount = 2 };
    VkCommandBufferInheritanceInfo from = { .sType =
                                                VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO };
    VkCommandBufferBeginInfo b = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                   .pInheritanceInfo = &from };
    (void)t;
    gpu_must(vkAllocateCommandBuffers(g->device, &a, inner), "vkAllocateCommandBuffers");
    for (u32 i = 0; i < 2; i++) {
        gpu_must(vkBeginCommandBuffer(inner[i], &b), "vkBeginCommandBuffer");
        gpu_bind(inner[i], g, p, s);
        dispatch(inner[i], g, 4, (u32[PUSH_MAX]){ 3 + i * 4 });
        gpu_must(vkEndCommandBuffer(inner[i]), "vkEndCommandBuffer");
    }
    vkCmdExecuteCommands(c, 1, &inner[0]);
    gpu_bind(c, g, p, s);
    dispatch(c, g, 4, (u32[PUSH_MAX]){ 5 });
    vkCmdExecuteCommands(c, 1, &inner[1]);
    gpu_run(g, c);
}

static void run_event(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkEvent event[2];
    VkEventCreateInfo create = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
    VkMemoryBarrier m = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                          .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                          .dstAccessMask = VK_ACCESS_SHADER_READ_BIT };
    VkCommandBuffer c = gpu_begin(g);
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    (void)t;
    for (u32 i = 0; i < 2; i++)
        gpu_must(vkCreateEvent(g->device, &create, NULL, &event[i]), "vkCreateEvent");
    gpu_bind(c, g, p, s);
    for (u32 i = 0; i < 3; i++) {
        struct step step = { STEP_DIRECT, { 4, 1, 1 }, { 3 + i * 2 } };
        gpu_step(c, g, &step);
        if (i == 2)
            break;
        vkCmdSetEvent(c, event[i], stage);
        vkCmdWaitEvents(c, 1, &event[i], stage, stage, 1, &m, 0, NULL, 0, NULL);
    }
    vkCmdResetEvent(c, event[0], stage);
    gpu_run(g, c);
    if (vkGetEventStatus(g->device, event[0]) != VK_EVENT_RESET ||
        vkGetEventStatus(g->device, event[1]) != VK_EVENT_SET)
        g->buffer[OUT].word[0] = UNTOUCHED;
}

/* Three submissions of which the first waits for the host, and the others for the one before. */
static void run_timeline(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkSemaphore line;
    VkSemaphoreTypeCreateInfo type = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE };
    VkSemaphoreCreateInfo create = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                     .pNext = &type };
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkCommandBuffer c[3];
    u64 value = 0, last = 40;
    (void)t;
    gpu_must(vkCreateSemaphore(g->device, &create, NULL, &line), "vkCreateSemaphore");
    for (u32 i = 0; i < 3; i++) {
        u64 wait = (i + 1) * 10, signal = (i + 2) * 10;
        VkTimelineSemaphoreSubmitInfo values = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = 1,
            .pWaitSemaphoreValues = &wait,
            .signalSemaphoreValueCount = 1,
            .pSignalSemaphoreValues = &signal
        };
        VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &values,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &line,
                                .pWaitDstStageMask = &stage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &c[i],
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &line };
        c[i] = gpu_begin(g);
        gpu_bind(c[i], g, p, s);
        dispatch(c[i], g, 4, (u32[PUSH_MAX]){ 3 + i * 2 });
        gpu_barrier(c[i]);
        gpu_must(vkEndCommandBuffer(c[i]), "vkEndCommandBuffer");
        gpu_must(vkQueueSubmit(g->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    }
    gpu_must(vkGetSemaphoreCounterValue(g->device, line, &value), "its value");
    VkSemaphoreSignalInfo signal = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                     .semaphore = line,
                                     .value = 10 };
    VkSemaphoreWaitInfo wait = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                 .semaphoreCount = 1,
                                 .pSemaphores = &line,
                                 .pValues = &last };
    bool is_early = value != 0 || g->buffer[OUT].word[1] != 2;
    gpu_must(vkSignalSemaphore(g->device, &signal), "vkSignalSemaphore");
    gpu_must(vkWaitSemaphores(g->device, &wait, ~0ull), "vkWaitSemaphores");
    gpu_must(vkQueueWaitIdle(g->queue), "vkQueueWaitIdle");
    if (is_early)
        g->buffer[OUT].word[0] = UNTOUCHED;
}

/* ---- fills, updates, copies ---- */

static const u32 update[] = { 1, 0xffffffff, 3, 0x80000000, 5 };

static void expect_transfer(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 1; i < 500; i++) /* a fill */
        want[i] = 0xa5a50001;
    memcpy(want + 600, update, sizeof update);
    memcpy(want + 1000, in + 33, 777 * sizeof *want);
    memcpy(want + 2000, in, 2000 * sizeof *want);
    memcpy((u8 *)(want + 2100) + 1, (const u8 *)in + 7, 45); /* of bytes */
    memset(want + 4096, 0, 4096 * sizeof *want);
    for (u32 i = 0; i < 256; i++)
        want[4096 + i] = i < COUNT_OF(update) ? update[i] + 1 : 1;
}

static void run_transfer(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkBuffer in = g->buffer[IN].buffer, out = g->buffer[OUT].buffer;
    VkBufferCopy copies[] = { { 33 * 4, 1000 * 4, 777 * 4 }, { 0, 2000 * 4, 2000 * 4 } };
    VkBufferCopy bytes = { 7, 2100 * 4 + 1, 45 }, back = { 600 * 4, 4096 * 4, sizeof update };
    VkCommandBuffer c = gpu_begin(g);
    (void)t;
    vkCmdFillBuffer(c, out, 4, 499 * 4, 0xa5a50001);
    vkCmdFillBuffer(c, out, 4096 * 4, VK_WHOLE_SIZE, 0);
    vkCmdUpdateBuffer(c, out, 600 * 4, sizeof update, update);
    vkCmdCopyBuffer(c, in, out, COUNT_OF(copies), copies);
    gpu_barrier(c);
    vkCmdCopyBuffer(c, in, out, 1, &bytes);
    vkCmdCopyBuffer(c, out, out, 1, &back);
    gpu_bind(c, g, p, s);
    dispatch(c, g, 4, (u32[PUSH_MAX]){ 0 });
    gpu_run(g, c);
}

/* ---- time ---- */

static void expect_timestamp(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 i = 0; i < 256; i++) {
        want[i] = in[i];
        for (u32 k = 0; k < 100; k++)
            want[i] = want[i] * 3 + 1;
    }
}

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* Three times, which the host and a copy see alike, and how long the host thinks that it took: SIZES. */
static void run_timestamp(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkQueryPool pool;
    VkQueryPoolCreateInfo create = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 3 };
    u64 time[3] = { 0 };
    VkCommandBuffer c = gpu_begin(g);
    (void)t;
    gpu_must(vkCreateQueryPool(g->device, &create, NULL, &pool), "vkCreateQueryPool");
    vkCmdResetQueryPool(c, pool, 0, 3);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    gpu_bind(c, g, p, s);
    dispatch(c, g, 4, (u32[PUSH_MAX]){ 0 });
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, pool, 1);
    gpu_barrier(c);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 2);
    vkCmdCopyQueryPoolResults(c, pool, 0, 3, g->buffer[SIZES].buffer, 0, 8,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    u64 start = now_ns();
    gpu_run(g, c);
    start = now_ns() - start;
    VkResult r = vkGetQueryPoolResults(g->device, pool, 0, 3, sizeof time, time, 8,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    gpu_must(r, "vkGetQueryPoolResults");
    memcpy(&g->buffer[SIZES].word[64], time, sizeof time);
    memcpy(&g->buffer[SIZES].word[128], &start, sizeof start);
}

static const char *check_timestamp(struct gpu *g)
{
    u64 time[3], took;
    const u32 *word = g->buffer[SIZES].word;
    memcpy(time, word, sizeof time);
    memcpy(&took, word + 128, sizeof took);
    for (u32 i = 0; i < 3; i++)
        time[i] &= g->tick_mask;
    if (memcmp(word, word + 64, sizeof time) != 0)
        return "a copy of its timestamps says something else";
    if (!time[0] || time[0] >= time[1] || time[1] > time[2])
        return "its time goes back";
    double ns = (double)(time[2] - time[0]) * (double)g->tick_ns;
    return ns <= (double)took ? NULL : "its time is longer than the host's";
}

const struct test command_tests[] = {
    { .name = "address",
      .needs = NEED_ADDRESS,
      .fill = fill_address,
      .expect = expect_address,
      .run = run_address },
    { .name = "many", .fill = fill_many, .expect = expect_many, .run = run_many },
    { .name = "secondary", .fill = fill_ones, .expect = expect_factors, .run = run_secondary },
    { .name = "event", .fill = fill_ones, .expect = expect_factors, .run = run_event },
    { .name = "timeline",
      .needs = NEED_TIMELINE,
      .fill = fill_ones,
      .expect = expect_factors,
      .run = run_timeline },
    { .name = "transfer", .expect = expect_transfer, .run = run_transfer },
    { .name = "timestamp",
      .needs = NEED_TIMESTAMP,
      .expect = expect_timestamp,
      .run = run_timestamp,
      .check = check_timestamp },
    { .name = NULL }
};
