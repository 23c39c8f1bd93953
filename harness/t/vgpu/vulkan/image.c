/* Images: stored, loaded, sampled, copied, cleared; in linear order, and in the one that the driver
 * takes. */
#include "harness/t/vgpu/vulkan/gpu.h"

#include <math.h>

struct picture {
    VkImageTiling tiling;
    VkImageType type;
    VkFormat format;
    u32 width, height, depth, layers;
    u32 levels;
};

/* An image of the picture in VK_IMAGE_LAYOUT_GENERAL, and a view of all of it. */
struct image {
    VkImage image;
    VkImageView view;
};

static const VkComponentMapping as_it_is = { VK_COMPONENT_SWIZZLE_IDENTITY,
                                             VK_COMPONENT_SWIZZLE_IDENTITY,
                                             VK_COMPONENT_SWIZZLE_IDENTITY,
                                             VK_COMPONENT_SWIZZLE_IDENTITY };

static VkImageSubresourceRange all_of(const struct picture *p)
{
    return (VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, 0, p->levels, 0, p->layers };
}

static void to_general(VkCommandBuffer c, const struct picture *p, VkImage image)
{
    VkImageMemoryBarrier b = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                               .dstAccessMask =
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                               .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                               .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                               .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                               .image = image,
                               .subresourceRange = all_of(p) };
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &b);
}

static struct image make_image(const struct gpu *g, const struct picture *p)
{
    struct image i;
    VkImageUsageFlags usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                              VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImageCreateInfo c = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = p->type,
                            .format = p->format,
                            .extent = { p->width, p->height, p->depth },
                            .mipLevels = p->levels,
                            .arrayLayers = p->layers,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .tiling = p->tiling,
                            .usage = usage };
    gpu_must(vkCreateImage(g->device, &c, NULL, &i.image), "vkCreateImage");
    gpu_back(g, i.image);
    VkImageViewCreateInfo v = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = i.image,
                                .viewType = p->type == VK_IMAGE_TYPE_3D ? VK_IMAGE_VIEW_TYPE_3D
                                            : p->layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                            : VK_IMAGE_VIEW_TYPE_2D,
                                .format = p->format,
                                .components = as_it_is,
                                .subresourceRange = all_of(p) };
    gpu_must(vkCreateImageView(g->device, &v, NULL, &i.view), "vkCreateImageView");
    return i;
}

static void bind(const struct gpu *g, VkDescriptorSet set, u32 binding, VkDescriptorType type,
                 VkImageView view, VkSampler sampler)
{
    VkDescriptorImageInfo i = { sampler, view, VK_IMAGE_LAYOUT_GENERAL };
    VkWriteDescriptorSet w = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                               .dstSet = set,
                               .dstBinding = binding,
                               .descriptorCount = 1,
                               .descriptorType = type,
                               .pImageInfo = &i };
    vkUpdateDescriptorSets(g->device, 1, &w, 0, NULL);
}

/* A level's place in a buffer, from a word on. */
static VkBufferImageCopy level_at(const struct picture *p, u32 level, u32 word)
{
    u32 width = p->width >> level, height = p->height >> level, depth = p->depth >> level;
    return (VkBufferImageCopy){
        .bufferOffset = word * sizeof(u32),
        .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, p->layers },
        .imageExtent = { width ? width : 1, height ? height : 1, depth ? depth : 1 }
    };
}

/* ---- storage images ---- */

/* Three passes of a shader over all texels; then the image itself, if there is room for it. */
static void run_store(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    const struct picture *pic = t->picture;
    u32 texels = pic->width * pic->height * pic->depth * pic->layers;
    struct image i = make_image(g, pic);
    VkCommandBuffer c = gpu_begin(g);
    bind(g, s, IMAGE_BINDING, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, i.view, VK_NULL_HANDLE);
    to_general(c, pic, i.image);
    gpu_bind(c, g, p, s);
    for (u32 pass = 0; pass < 3; pass++) {
        struct step step = { STEP_DIRECT,
                             { (texels + 63) / 64, 1, 1 },
                             { pass, pic->width, pic->height, pic->depth * pic->layers } };
        gpu_step(c, g, &step);
        gpu_barrier(c);
    }
    VkBufferImageCopy copy = level_at(pic, 0, WORDS / 2);
    if (texels <= WORDS / 2)
        vkCmdCopyImageToBuffer(c, i.image, VK_IMAGE_LAYOUT_GENERAL, g->buffer[OUT].buffer, 1,
                               &copy);
    gpu_run(g, c);
}

/* In the other order of texels from b[0] on, and in order from the middle on. */
static void expect_texels(const struct picture *p, const u32 *texel, u32 plus, u32 *want)
{
    u32 texels = p->width * p->height * p->depth * p->layers;
    for (u32 i = 0; i < texels; i++) {
        want[texels - 1 - i] = texel[i] + plus;
        if (texels <= WORDS / 2)
            want[WORDS / 2 + i] = texel[i];
    }
}

static void expect_image(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    u32 texel[WORDS];
    (void)g;
    for (u32 i = 0; i < WORDS; i++)
        texel[i] = in[i] + (i % 8 == 0 ? 1000 : 0);
    expect_texels(t->picture, texel, t->picture->width, want);
}

static void expect_layers(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    u32 texel[WORDS];
    (void)g;
    for (u32 i = 0; i < WORDS; i++)
        texel[i] = in[i] ^ 0x00ff00ff;
    expect_texels(t->picture, texel, t->picture->depth * t->picture->layers, want);
}

/* ---- samplers ---- */

enum { SIDE = 16, LOWER = SIDE * SIDE }; /* words of IN: level 0, level 1 */

static void run_sample(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    const struct picture *pic = t->picture;
    VkSampler sampler;
    VkSamplerCreateInfo create = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .magFilter = VK_FILTER_LINEAR,
                                   .minFilter = VK_FILTER_LINEAR,
                                   .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                   .maxLod = 4 };
    struct image i = make_image(g, pic);
    VkCommandBuffer c = gpu_begin(g);
    VkBufferImageCopy copy[] = { level_at(pic, 0, 0), level_at(pic, 1, LOWER) };
    struct step step = { STEP_DIRECT, { 8, 1, 1 }, { 0 } };
    gpu_must(vkCreateSampler(g->device, &create, NULL, &sampler), "vkCreateSampler");
    bind(g, s, SAMPLED_BINDING, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, i.view, sampler);
    to_general(c, pic, i.image);
    vkCmdCopyBufferToImage(c, g->buffer[IN].buffer, i.image, VK_IMAGE_LAYOUT_GENERAL, pic->levels,
                           copy);
    gpu_barrier(c);
    gpu_bind(c, g, p, s);
    gpu_step(c, g, &step);
    gpu_run(g, c);
}

static double component(const u32 *in, i32 side, i32 x, i32 y, u32 k)
{
    x = ((x % side) + side) % side;
    y = y < 0 ? 0 : y >= side ? side - 1 : y;
    return (in[y * side + x] >> k * 8 & 0xff) / 255.0;
}

/* Between four texels, at a place in texels. */
static double between(const u32 *in, i32 side, double x, double y, u32 k)
{
    i32 left = (i32)floor(x - 0.5), top = (i32)floor(y - 0.5);
    double right = x - 0.5 - left, bottom = y - 0.5 - top;
    double upper = component(in, side, left, top, k) * (1 - right) +
                   component(in, side, left + 1, top, k) * right;
    double lower = component(in, side, left, top + 1, k) * (1 - right) +
                   component(in, side, left + 1, top + 1, k) * right;
    return upper * (1 - bottom) + lower * bottom;
}

static void put_float(u32 *to, double d)
{
    float f = (float)d;
    memcpy(to, &f, sizeof f);
}

static void expect_sample(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    for (u32 i = 0; i < 512; i++, want += 16) {
        double x = i % 32 * 0.5 + 0.5, y = (double)(i / 32) * 0.5 + 0.25;
        double far_x = (x * 3 - SIDE), far_y = y * 3 - SIDE;
        i32 left = (i32)floor(x - 0.25), top = (i32)floor(y - 0.25);
        bool has_lower = t->picture->levels > 1;
        for (u32 k = 0; k < 4; k++) {
            double second = has_lower ? between(in + LOWER, SIDE / 2, x / 2, y / 2, k)
                                      : between(in, SIDE, x, y, k);
            put_float(want + k, between(in, SIDE, x, y, k));
            put_float(want + 4 + k, between(in, SIDE, far_x, far_y, k));
            put_float(want + 8 + k,
                      second + component(in, SIDE, (i32)(i % 16), (i32)(i / 64), k) * 0.125);
            put_float(want + 12 + k,
                      component(in, SIDE, left + (k == 1 || k == 2), top + (k < 2), 1));
        }
    }
}

/* ---- copies and clears ---- */

static const struct {
    VkFormat format;
    u32 bytes;
} sizes[] = { { VK_FORMAT_R8_UINT, 1 },
              { VK_FORMAT_R16_UINT, 2 },
              { VK_FORMAT_R32_UINT, 4 },
              { VK_FORMAT_R32G32_UINT, 8 },
              { VK_FORMAT_R32G32B32A32_UINT, 16 } };

enum { COPY_WIDTH = 20, COPY_HEIGHT = 12, COPY_WORDS = COPY_WIDTH * COPY_HEIGHT * 4 };

/* From a buffer to an image, to another, and back; texels of all sizes. */
static void run_copies(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    (void)p;
    (void)s;
    for (u32 n = 0; n < COUNT_OF(sizes); n++) {
        struct picture pic = *t->picture;
        pic.format = sizes[n].format;
        struct image from = make_image(g, &pic), to = make_image(g, &pic);
        VkBufferImageCopy copy = level_at(&pic, 0, n * COPY_WORDS);
        VkImageSubresourceLayers part = copy.imageSubresource;
        VkImageCopy over = { part, { 0, 0, 0 }, part, { 0, 0, 0 }, copy.imageExtent };
        VkCommandBuffer c = gpu_begin(g);
        to_general(c, &pic, from.image);
        to_general(c, &pic, to.image);
        vkCmdCopyBufferToImage(c, g->buffer[IN].buffer, from.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &copy);
        gpu_barrier(c);
        vkCmdCopyImage(c, from.image, VK_IMAGE_LAYOUT_GENERAL, to.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                       &over);
        gpu_barrier(c);
        vkCmdCopyImageToBuffer(c, to.image, VK_IMAGE_LAYOUT_GENERAL, g->buffer[OUT].buffer, 1,
                               &copy);
        gpu_run(g, c);
    }
}

static void expect_copies(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)t;
    for (u32 n = 0; n < COUNT_OF(sizes); n++)
        memcpy(want + n * COPY_WORDS, in + n * COPY_WORDS,
               (size_t)COPY_WIDTH * COPY_HEIGHT * sizes[n].bytes);
}

static void run_clear(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    const struct picture *pic = t->picture;
    struct image i = make_image(g, pic);
    VkClearColorValue color = { .float32 = { 1, 0, 0.2f, 0.4f } };
    VkImageSubresourceRange all = all_of(pic);
    VkCommandBuffer c = gpu_begin(g);
    VkBufferImageCopy copy = level_at(pic, 0, 0);
    (void)p;
    (void)s;
    to_general(c, pic, i.image);
    vkCmdClearColorImage(c, i.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    gpu_barrier(c);
    vkCmdCopyImageToBuffer(c, i.image, VK_IMAGE_LAYOUT_GENERAL, g->buffer[OUT].buffer, 1, &copy);
    gpu_run(g, c);
}

static void expect_clear(const struct gpu *g, const struct test *t, const u32 *in, u32 *want)
{
    (void)g;
    (void)in;
    for (u32 i = 0; i < t->picture->width * t->picture->height * t->picture->layers; i++)
        want[i] = 0x663300ff;
}

#define PICTURE(tiling, type, format, ...)                                              \
    &(const struct picture)                                                             \
    {                                                                                   \
        VK_IMAGE_TILING_##tiling, VK_IMAGE_TYPE_##type, VK_FORMAT_##format, __VA_ARGS__ \
    }
#define STORE(tiling, type, ...) \
    .run = run_store, .picture = PICTURE(tiling, type, R32_UINT, __VA_ARGS__, 1)
#define COLOR(tiling, ...) .picture = PICTURE(tiling, 2D, R8G8B8A8_UNORM, __VA_ARGS__)

const struct test image_tests[] = {
    { "image_linear", .shader = "image", .expect = expect_image, STORE(LINEAR, 2D, 37, 29, 1, 1) },
    { "image_optimal", .shader = "image", .expect = expect_image,
      STORE(OPTIMAL, 2D, 37, 29, 1, 1) },
    { "image_large", .shader = "image", .expect = expect_image, STORE(OPTIMAL, 2D, 300, 27, 1, 1) },
    { "layers", .expect = expect_layers, STORE(OPTIMAL, 2D, 20, 12, 1, 9) },
    { "volume", .expect = expect_layers, STORE(OPTIMAL, 3D, 17, 13, 11, 1) },
    { "sample_linear", .shader = "sample", .tolerance = 2e-2f, .expect = expect_sample,
      .run = run_sample, COLOR(LINEAR, SIDE, SIDE, 1, 1, 1) },
    { "sample_optimal", .shader = "sample", .tolerance = 2e-2f, .expect = expect_sample,
      .run = run_sample, COLOR(OPTIMAL, SIDE, SIDE, 1, 1, 2) },
    { "copies_linear", .shader = "", .expect = expect_copies, .run = run_copies,
      COLOR(LINEAR, COPY_WIDTH, COPY_HEIGHT, 1, 1, 1) },
    { "copies_optimal", .shader = "", .expect = expect_copies, .run = run_copies,
      COLOR(OPTIMAL, COPY_WIDTH, COPY_HEIGHT, 1, 1, 1) },
    { "clear_linear", .shader = "", .expect = expect_clear, .run = run_clear,
      COLOR(LINEAR, 50, 30, 1, 1, 1) },
    { "clear_optimal", .shader = "", .expect = expect_clear, .run = run_clear,
      COLOR(OPTIMAL, 50, 30, 1, 3, 1) },
    { .name = NULL }
};
