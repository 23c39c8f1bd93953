/* Data formats of buffers and images: what a texel in memory means, and back. Vega ISA, section
 * 8.1; the conversions follow Direct3D's rules where the manual is silent. Integers only. */
#ifndef ORACLE_FP_FORMAT_H
#define ORACLE_FP_FORMAT_H

#include "oracle/base/base.h"

enum num_format {
    NUM_UNORM,
    NUM_SNORM,
    NUM_USCALED,
    NUM_SSCALED,
    NUM_UINT,
    NUM_SINT,
    NUM_RESERVED,
    NUM_FLOAT,
    NUM_SRGB = 9 /* of images */
};

/* Types of image resources, as coded; those below are buffers. */
enum image_type { IMAGE_1D = 8, IMAGE_2D, IMAGE_3D, IMAGE_CUBE, IMAGE_1D_ARRAY, IMAGE_2D_ARRAY };

enum { LINEAR_ROW = 256 /* bytes; rows of linear images are multiples of it */ };

/* Which entry of the driver's table of tile modes is linear, on processors before gfx9.
 * ERRATA(GCN3-U06): it is the driver that fills the table, and no manual says how levels stand. */
enum { TILE_MODE_LINEAR = 8 };

/* Components in order of rising bits: X first. */
struct data_format {
    u8 count;   /* 1..4; 0: not a format */
    u8 bits[4]; /* of each */
    u8 bytes;   /* of a texel */
};

/* Codes 0 to 15 are those of buffers, up to DATA_FORMAT_LAST images can have. Others have count
 * 0. */
enum { DATA_FORMAT_LAST = 19 };
const struct data_format *data_format(u32 code);

/* Whether values of this width can have the number format. */
bool num_format_fits(u32 bits, enum num_format num);

/* One component of a texel as a shader sees it: f32 bits, or an integer of 32 bits. */
u32 format_decode(u32 raw, u32 bits, enum num_format num);

/* An integer in fewer bits: its low ones, or, if it saturates, the nearest that they can hold.
 * ERRATA(BUF-U10): which of the two is in no document. */
u32 format_narrow(u32 value, u32 bits, enum num_format num, bool saturates);

/* The same for a shader that reads 16 bits: f16, or the integer in 16 bits. Values of 32-bit floats
 * are cut, all others rounded to nearest. */
u32 format_decode_half(u32 raw, u32 bits, enum num_format num, bool saturates);

/* What is stored of a shader's 32 bits; not of sRGB. UNORM, SNORM: NaN is 0, clamped, rounded to
 * nearest even. Scaled: clamped, cut. Integers as format_narrow. */
u32 format_encode(u32 value, u32 bits, enum num_format num, bool saturates);

/* A shader's 16 bits as 32: f16 widened, integers extended. */
u32 format_widen_half(u32 half, enum num_format num);

#endif
