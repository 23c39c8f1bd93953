#include "harness/t/vgpu/vulkan/gpu.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    u32 need;
    const char *name;
} needs[] = { { NEED_INT64, "shaderInt64" },
              { NEED_DOUBLE, "shaderFloat64" },
              { NEED_HALF, "shaderFloat16" },
              { NEED_INT16, "shaderInt16" },
              { NEED_INT8, "shaderInt8" },
              { NEED_STORAGE16, "storageBuffer16BitAccess" },
              { NEED_STORAGE8, "storageBuffer8BitAccess" },
              { NEED_ATOMIC64, "shaderBufferInt64Atomics" },
              { NEED_ADDRESS, "bufferDeviceAddress" },
              { NEED_TIMELINE, "timelineSemaphore" },
              { NEED_ARITHMETIC, "VK_SUBGROUP_FEATURE_ARITHMETIC_BIT" },
              { NEED_SHUFFLE, "VK_SUBGROUP_FEATURE_SHUFFLE_BIT" },
              { NEED_BALLOT, "VK_SUBGROUP_FEATURE_BALLOT_BIT" },
              { NEED_TIMESTAMP, "timestampValidBits" },
              { NEED_GROUP_1024, "maxComputeWorkGroupInvocations of 1024" },
              { NEED_SPARSE, "sparseResidencyBuffer" } };

void gpu_must(VkResult r, const char *what)
{
    if (r == VK_SUCCESS)
        return;
    printf("# %s: VkResult %d\n", what, (int)r);
    fflush(stdout);
    exit(r == VK_ERROR_DEVICE_LOST ? 1 : 2);
}

const char *gpu_lacks(const struct gpu *g, u32 wanted)
{
    for (u32 i = 0; i < COUNT_OF(needs); i++)
        if (wanted & needs[i].need & ~g->has)
            return needs[i].name;
    return NULL;
}

/* A family for compute; one without graphics, if there is one. */
static void choose_family(struct gpu *g)
{
    VkQueueFamilyProperties family[16];
    u32 count = COUNT_OF(family), best = ~0u;
    vkGetPhysicalDeviceQueueFamilyProperties(g->card, &count, family);
    for (u32 i = 0; i < count; i++)
        if (family[i].queueFlags & VK_QUEUE_COMPUTE_BIT &&
            (best == ~0u || !(family[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)))
            best = i;
    if (best == ~0u)
        gpu_must(VK_ERROR_INITIALIZATION_FAILED, "no queue for compute");
    g->family = best;
    u32 bits = family[best].timestampValidBits;
    g->tick_mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    if (bits)
        g->has |= NEED_TIMESTAMP;
}

/* What the device has of what tests need; these features are then asked for. */
static void see_features(struct gpu *g, VkPhysicalDeviceFeatures2 *f,
                         VkPhysicalDeviceVulkan11Features *f11,
                         VkPhysicalDeviceVulkan12Features *f12)
{
    VkPhysicalDeviceSubgroupProperties sub = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES
    };
    VkPhysicalDeviceProperties2 p = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                      .pNext = &sub };
    vkGetPhysicalDeviceFeatures2(g->card, f);
    vkGetPhysicalDeviceProperties2(g->card, &p);
    const struct {
        u32 need;
        bool is_there;
    } seen[] = { { NEED_INT64, f->features.shaderInt64 },
                 { NEED_DOUBLE, f->features.shaderFloat64 },
                 { NEED_INT16, f->features.shaderInt16 },
                 { NEED_HALF, f12->shaderFloat16 },
                 { NEED_INT8, f12->shaderInt8 },
                 { NEED_STORAGE16, f11->storageBuffer16BitAccess },
                 { NEED_STORAGE8, f12->storageBuffer8BitAccess },
                 { NEED_ATOMIC64, f12->shaderBufferInt64Atomics },
                 { NEED_ADDRESS, f12->bufferDeviceAddress },
                 { NEED_TIMELINE, f12->timelineSemaphore },
                 { NEED_ARITHMETIC, sub.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT },
                 { NEED_SHUFFLE, sub.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT },
                 { NEED_BALLOT, sub.supportedOperations & VK_SUBGROUP_FEATURE_BALLOT_BIT },
                 { NEED_GROUP_1024, p.properties.limits.maxComputeWorkGroupInvocations >= 1024 },
                 { NEED_SPARSE, f->features.sparseResidencyBuffer } };
    for (u32 i = 0; i < COUNT_OF(seen); i++)
        g->has |= seen[i].is_there ? seen[i].need : 0;
    g->subgroup = sub.subgroupSize;
    g->tick_ns = p.properties.limits.timestampPeriod;
}

static void open_device(struct gpu *g)
{
    VkPhysicalDeviceVulkan12Features f12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    };
    VkPhysicalDeviceVulkan11Features f11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12
    };
    VkPhysicalDeviceFeatures2 f = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                    .pNext = &f11 };
    float priority = 1;
    see_features(g, &f, &f11, &f12);
    f.features.robustBufferAccess = VK_FALSE;
    VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = g->family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority };
    VkDeviceCreateInfo create = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &f,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue };
    gpu_must(vkCreateDevice(g->card, &create, NULL, &g->device), "vkCreateDevice");
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);
}

/* ---- memory ---- */

/* A kind of memory of `bits` with these flags. */
static u32 kind_of(const struct gpu *g, u32 bits, VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties m;
    vkGetPhysicalDeviceMemoryProperties(g->card, &m);
    for (u32 i = 0; i < m.memoryTypeCount; i++)
        if (bits >> i & 1 && (m.memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    gpu_must(VK_ERROR_OUT_OF_DEVICE_MEMORY, "no such memory");
    return 0;
}

static VkDeviceMemory allocate(const struct gpu *g, const VkMemoryRequirements *r,
                               VkMemoryPropertyFlags flags, VkMemoryAllocateFlags how)
{
    VkDeviceMemory m;
    VkMemoryAllocateFlagsInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = how };
    VkMemoryAllocateInfo a = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .pNext = &info,
                               .allocationSize = r->size,
                               .memoryTypeIndex = kind_of(g, r->memoryTypeBits, flags) };
    gpu_must(vkAllocateMemory(g->device, &a, NULL, &m), "vkAllocateMemory");
    return m;
}

struct buffer gpu_buffer(const struct gpu *g)
{
    struct buffer b;
    bool has_address = g->has & NEED_ADDRESS;
    VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
        (has_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
    VkBufferCreateInfo c = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = WORDS * sizeof(u32),
                             .usage = usage };
    VkMemoryRequirements r;
    void *at;
    gpu_must(vkCreateBuffer(g->device, &c, NULL, &b.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(g->device, b.buffer, &r);
    b.memory =
        allocate(g, &r, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                 has_address ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0);
    gpu_must(vkBindBufferMemory(g->device, b.buffer, b.memory, 0), "vkBindBufferMemory");
    gpu_must(vkMapMemory(g->device, b.memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
    b.word = at;
    return b;
}

VkDeviceAddress gpu_address(const struct gpu *g, u32 buffer)
{
    VkBufferDeviceAddressInfo i = { .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                    .buffer = g->buffer[buffer].buffer };
    return vkGetBufferDeviceAddress(g->device, &i);
}

VkDeviceMemory gpu_back(const struct gpu *g, VkImage image)
{
    VkMemoryRequirements r;
    vkGetImageMemoryRequirements(g->device, image, &r);
    VkDeviceMemory m = allocate(g, &r, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
    gpu_must(vkBindImageMemory(g->device, image, m, 0), "vkBindImageMemory");
    return m;
}

VkDeviceMemory gpu_memory(const struct gpu *g, const VkMemoryRequirements *r)
{
    return allocate(g, r, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                    VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
}

/* ---- descriptors and pipelines ---- */

static const VkDescriptorType binding_types[] = {
    [IN] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [OUT] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    [IMAGE_BINDING] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    [SIZES] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    [SAMPLED_BINDING] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    [TEXELS_BINDING] = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
    [TEXEL_STORES_BINDING] = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
};
enum { BINDINGS = COUNT_OF(binding_types) };

static void make_layouts(struct gpu *g)
{
    VkDescriptorSetLayoutBinding b[BINDINGS];
    VkDescriptorPoolSize sizes[BINDINGS];
    for (u32 i = 0; i < BINDINGS; i++) {
        b[i] = (VkDescriptorSetLayoutBinding){ i, binding_types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                               NULL };
        sizes[i] = (VkDescriptorPoolSize){ binding_types[i], 64 };
    }
    VkDescriptorSetLayoutCreateInfo set = { .sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = BINDINGS,
                                            .pBindings = b };
    VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_MAX * sizeof(u32) };
    VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                        .maxSets = 64,
                                        .poolSizeCount = BINDINGS,
                                        .pPoolSizes = sizes };
    gpu_must(vkCreateDescriptorSetLayout(g->device, &set, NULL, &g->set_layout), "layout of a set");
    VkPipelineLayoutCreateInfo l = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                     .setLayoutCount = 1,
                                     .pSetLayouts = &g->set_layout,
                                     .pushConstantRangeCount = 1,
                                     .pPushConstantRanges = &push };
    gpu_must(vkCreatePipelineLayout(g->device, &l, NULL, &g->layout), "vkCreatePipelineLayout");
    gpu_must(vkCreateDescriptorPool(g->device, &pool, NULL, &g->descriptors), "descriptor pool");
}

static VkBufferView texels(const struct gpu *g, u32 buffer)
{
    VkBufferView v;
    VkBufferViewCreateInfo c = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                 .buffer = g->buffer[buffer].buffer,
                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                 .range = VK_WHOLE_SIZE };
    gpu_must(vkCreateBufferView(g->device, &c, NULL, &v), "vkCreateBufferView");
    return v;
}

VkDescriptorSet gpu_set(const struct gpu *g)
{
    VkDescriptorSet s;
    VkDescriptorSetAllocateInfo a = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = g->descriptors,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = &g->set_layout };
    gpu_must(vkAllocateDescriptorSets(g->device, &a, &s), "vkAllocateDescriptorSets");
    VkBufferView view[] = { texels(g, IN), texels(g, OUT) };
    for (u32 i = 0; i < BINDINGS; i++) {
        VkDescriptorBufferInfo b = { VK_NULL_HANDLE, 0, VK_WHOLE_SIZE };
        VkWriteDescriptorSet w = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                   .dstSet = s,
                                   .dstBinding = i,
                                   .descriptorCount = 1,
                                   .descriptorType = binding_types[i],
                                   .pBufferInfo = &b,
                                   .pTexelBufferView = &view[i == TEXEL_STORES_BINDING] };
        if (i < BUFFERS_MAX && i != IMAGE_BINDING)
            b.buffer = g->buffer[i].buffer;
        if (b.buffer || i == TEXELS_BINDING || i == TEXEL_STORES_BINDING)
            vkUpdateDescriptorSets(g->device, 1, &w, 0, NULL);
    }
    return s;
}

VkPipeline gpu_pipeline(const struct gpu *g, const char *name)
{
    static const u32 constants[] = { 128, 7, 0x3fc00000, 0xfffffff3 }; /* 1.5f, -13 */
    static u32 code[1 << 16];
    VkSpecializationMapEntry entry[COUNT_OF(constants)];
    char path[500];
    VkShaderModule module;
    VkPipeline pipeline;
    snprintf(path, sizeof path, "%s/%s.spv", g->shaders, name);
    FILE *f = fopen(path, "rb");
    size_t words = f ? fread(code, sizeof *code, COUNT_OF(code), f) : 0;
    if (f)
        fclose(f);
    if (words == 0)
        gpu_must(VK_ERROR_INITIALIZATION_FAILED, path);
    VkShaderModuleCreateInfo m = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = words * sizeof *code,
                                   .pCode = code };
    gpu_must(vkCreateShaderModule(g->device, &m, NULL, &module), "vkCreateShaderModule");
    for (u32 i = 0; i < COUNT_OF(constants); i++)
        entry[i] = (VkSpecializationMapEntry){ i, i * (u32)sizeof(u32), sizeof(u32) };
    VkSpecializationInfo special = { COUNT_OF(constants), entry, sizeof constants, constants };
    VkComputePipelineCreateInfo c = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DISPATCH_BASE,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main",
                   .pSpecializationInfo = &special },
        .layout = g->layout
    };
    gpu_must(vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &c, NULL, &pipeline),
             "vkCreateComputePipelines");
    vkDestroyShaderModule(g->device, module, NULL);
    return pipeline;
}

/* ---- commands ---- */

VkCommandBuffer gpu_begin(const struct gpu *g)
{
    VkCommandBuffer c;
    VkCommandBufferAllocateInfo a = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = g->pool,
                                      .commandBufferCount = 1 };
    VkCommandBufferBeginInfo b = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    gpu_must(vkAllocateCommandBuffers(g->device, &a, &c), "vkAllocateCommandBuffers");
    gpu_must(vkBeginCommandBuffer(c, &b), "vkBeginCommandBuffer");
    return c;
}

void gpu_barrier(VkCommandBuffer c)
{
    VkMemoryBarrier m = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                          .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                          .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT };
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &m,
                         0, NULL, 0, NULL);
}

void gpu_bind(VkCommandBuffer c, const struct gpu *g, VkPipeline p, VkDescriptorSet s)
{
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &s, 0, NULL);
}

void gpu_step(VkCommandBuffer c, const struct gpu *g, const struct step *s)
{
    vkCmdPushConstants(c, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof s->push, s->push);
    if (s->kind == STEP_INDIRECT)
        vkCmdDispatchIndirect(c, g->buffer[SIZES].buffer, 0);
    else if (s->kind == STEP_BASE)
        vkCmdDispatchBase(c, s->push[0], s->push[1], s->push[2], s->groups[0], s->groups[1],
                          s->groups[2]);
    else
        vkCmdDispatch(c, s->groups[0], s->groups[1], s->groups[2]);
}

void gpu_run(const struct gpu *g, VkCommandBuffer c)
{
    VkFence fence;
    VkFenceCreateInfo create = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &c };
    gpu_barrier(c);
    gpu_must(vkEndCommandBuffer(c), "vkEndCommandBuffer");
    gpu_must(vkCreateFence(g->device, &create, NULL, &fence), "vkCreateFence");
    gpu_must(vkQueueSubmit(g->queue, 1, &submit, fence), "vkQueueSubmit");
    gpu_must(vkWaitForFences(g->device, 1, &fence, VK_TRUE, ~0ull), "vkWaitForFences");
    gpu_must(vkQueueWaitIdle(g->queue), "vkQueueWaitIdle");
    vkDestroyFence(g->device, fence, NULL);
    vkFreeCommandBuffers(g->device, g->pool, 1, &c);
}

/* ---- open and close ---- */

void gpu_open(struct gpu *g, const char *shaders)
{
    u32 count = 1;
    VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                              .apiVersion = VK_API_VERSION_1_2 };
    VkInstanceCreateInfo create = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &app };
    *g = (struct gpu){ .shaders = shaders };
    gpu_must(vkCreateInstance(&create, NULL, &g->instance), "vkCreateInstance");
    VkResult r = vkEnumeratePhysicalDevices(g->instance, &count, &g->card);
    gpu_must(r == VK_INCOMPLETE ? VK_SUCCESS : r, "vkEnumeratePhysicalDevices");
    if (count == 0)
        gpu_must(VK_ERROR_INITIALIZATION_FAILED, "no device");
    choose_family(g);
    open_device(g);
    VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .queueFamilyIndex = g->family };
    gpu_must(vkCreateCommandPool(g->device, &pool, NULL, &g->pool), "vkCreateCommandPool");
    for (u32 i = 0; i < BUFFERS_MAX; i++)
        if (i != IMAGE_BINDING)
            g->buffer[i] = gpu_buffer(g);
    make_layouts(g);
}

void gpu_close(struct gpu *g)
{
    vkDestroyDevice(g->device, NULL);
    vkDestroyInstance(g->instance, NULL);
}
