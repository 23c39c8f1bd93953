/* Compute programs for Vulkan with known results, for scripts/vgpu/vulkan.sh: a device, its memory,
 * its pipelines, and what a test is. Nothing here knows of gcncheck: what is expected is computed in
 * C, or stands in a table. */
#ifndef HARNESS_T_VGPU_VULKAN_GPU_H
#define HARNESS_T_VGPU_VULKAN_GPU_H

#include "oracle/base/base.h"

#include <vulkan/vulkan.h>

enum {
    WORDS = 8192,            /* of each buffer */
    UNTOUCHED = 0x5eed5eed,  /* what results hold before */
    PUSH_MAX = 4,            /* dwords of push constants */
    STEPS_MAX = 4,           /* that a test lists */
    IMAGE_BINDING = 3,       /* a storage image */
    SAMPLED_BINDING = 5,     /* an image with its sampler */
    TEXELS_BINDING = 6,      /* the words of IN as texels of RGBA8 */
    TEXEL_STORES_BINDING = 7 /* those of OUT */
};

/* Buffers, by the bindings of the shaders; each is of WORDS words that the host sees. */
enum { IN, OUT, UNIFORM, SIZES = 4, BUFFERS_MAX };

struct buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    u32 *word;
};

/* What a test may need of a device, which Vulkan leaves to it. */
enum need {
    NEED_INT64 = 1 << 0,
    NEED_DOUBLE = 1 << 1,
    NEED_HALF = 1 << 2,
    NEED_INT16 = 1 << 3,
    NEED_INT8 = 1 << 4,
    NEED_STORAGE16 = 1 << 5,
    NEED_STORAGE8 = 1 << 6,
    NEED_ATOMIC64 = 1 << 7,
    NEED_ADDRESS = 1 << 8,
    NEED_TIMELINE = 1 << 9,
    NEED_ARITHMETIC = 1 << 10, /* of subgroups */
    NEED_SHUFFLE = 1 << 11,
    NEED_BALLOT = 1 << 12,
    NEED_TIMESTAMP = 1 << 13,
    NEED_GROUP_1024 = 1 << 14,
    NEED_SPARSE = 1 << 15 /* buffers of which pages lack memory */
};

struct gpu {
    VkInstance instance;
    VkPhysicalDevice card;
    VkDevice device;
    VkQueue queue;
    u32 family;
    VkCommandPool pool;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool descriptors;
    u32 has;       /* of enum need */
    u32 subgroup;  /* lanes */
    u64 tick_mask; /* valid bits of timestamps */
    float tick_ns;
    const char *shaders;
    struct buffer buffer[BUFFERS_MAX];
};

/* Ends the program with code 2 if a call that cannot fail has failed, or with 1 if the device is
 * lost. */
void gpu_must(VkResult r, const char *what);
void gpu_open(struct gpu *g, const char *shaders);
void gpu_close(struct gpu *g);
/* The first missing need of `needs` by its name, or NULL. */
const char *gpu_lacks(const struct gpu *g, u32 needs);
struct buffer gpu_buffer(const struct gpu *g);
VkDeviceAddress gpu_address(const struct gpu *g, u32 buffer);
/* Memory for an image, bound to it. */
VkDeviceMemory gpu_back(const struct gpu *g, VkImage image);
/* Memory of the card, which shaders may reach by its address. */
VkDeviceMemory gpu_memory(const struct gpu *g, const VkMemoryRequirements *r);
/* The pipeline of NAME.spv. */
VkPipeline gpu_pipeline(const struct gpu *g, const char *name);
/* A set with the buffers in their bindings. */
VkDescriptorSet gpu_set(const struct gpu *g);
VkCommandBuffer gpu_begin(const struct gpu *g);
/* What was written before is seen by all behind it. */
void gpu_barrier(VkCommandBuffer c);
/* Submits, and waits until it is done. */
void gpu_run(const struct gpu *g, VkCommandBuffer c);

enum step_kind {
    STEP_NONE,
    STEP_DIRECT,
    STEP_INDIRECT, /* sizes stand at the first three words of SIZES */
    STEP_BASE      /* the push constants are the first work-group, too */
};

struct step {
    u8 kind; /* enum step_kind */
    u32 groups[3];
    u32 push[PUSH_MAX];
};

struct test {
    const char *name;
    const char *shader;            /* SHADER.comp; NULL: as the test is called; empty: none */
    const struct picture *picture; /* of tests of images */
    u32 needs;
    struct step step[STEPS_MAX];
    float tolerance;             /* not 0: results are floats, and may be off by this part */
    void (*fill)(struct gpu *g); /* IN and others; NULL: as they are */
    /* WORDS words. */
    void (*expect)(const struct gpu *g, const struct test *t, const u32 *in, u32 *want);
    /* Does it in place of the steps. */
    void (*run)(struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s);
    /* What else is to be seen: NULL, or what is wrong. */
    const char *(*check)(struct gpu *g);
};

extern const struct test plain_tests[], wave_tests[], command_tests[], image_tests[],
    sparse_tests[];

/* Records a dispatch. */
void gpu_step(VkCommandBuffer c, const struct gpu *g, const struct step *s);
void gpu_bind(VkCommandBuffer c, const struct gpu *g, VkPipeline p, VkDescriptorSet s);

#endif
