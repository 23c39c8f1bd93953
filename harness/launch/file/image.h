/* Image and sampler arguments of a launch file: their words, how a surface lies in memory, and the
 * descriptors that kernels are given pointers to. Surfaces are linear; files hold texels without
 * gaps. */
#ifndef HARNESS_LAUNCH_FILE_IMAGE_H
#define HARNESS_LAUNCH_FILE_IMAGE_H

#include "oracle/isa/isa.h"

enum {
    IMAGE_SIDE_MAX = 16384,  /* texels of width or height */
    IMAGE_LAYERS_MAX = 8192, /* layers, or texels of depth */
    IMAGE_BUFFER_MAX = 1 << 27,
    DESCRIPTOR_DW = 12, /* a resource, what OpenCL asks of its format, its width */
    DESCRIPTOR_BYTES = 64
};

/* An image as a line of a launch file describes it. All zero: no image. */
struct launch_image {
    const struct launch_image_kind *kind;
    const struct launch_image_order *order;
    const struct launch_image_type *type;
    u32 size[3];   /* texels in x, y, and in z or layers; 1 where the kind has none */
    u32 component; /* bytes of one component of a texel */
    u64 row;       /* bytes of a row of texels */
    u64 pitch;     /* bytes from row to row in memory: a multiple of 256, but for buffers */
    u64 rows;      /* of all layers */
};

struct launch_sampler {
    u32 dw[4];
};

/* Whether a line that begins with this word is an image argument: "image2d". */
bool launch_image_is(const char *word);

/* Reads KIND SIZES ORDER TYPE, the words from 0 on; *used is how many they are. ST_INPUT with a
 * message if they are not an image. */
enum status launch_image_parse(struct launch_image *g, char *const *words, u32 count, u32 *used,
                               struct err *e);

/* Copies texels from the file's order into memory (size: pitch * rows bytes). */
void launch_image_spread(const struct launch_image *g, const u8 *file, u8 *memory);

/* The same back. */
void launch_image_gather(const struct launch_image *g, const u8 *memory, u8 *file);

/* What the pointer that a kernel of a processor gets points to. Image: Vega ISA, table "Image Resource
 * Definition", then in dwords 8 to 10 the channel type and order as HSA numbers them and the width,
 * which is what the device libraries read. image1d_buffer: table "Buffer Resource Descriptor". On
 * processors with tile modes, ERRATA(GCN3-U06): where the mode and the last layer are. */
void launch_image_descriptor(const struct launch_image *g, const struct isa_target *target,
                             u64 address, u32 out[DESCRIPTOR_DW]);

/* Reads FILTER ADDRESSING COORDINATES, three words. Vega ISA, table "Image Sampler Definition". */
enum status launch_sampler_parse(struct launch_sampler *s, char *const *words, struct err *e);

#endif
