/* launch.txt: how kernels of a code object are launched and what buffers hold afterwards.
 * Parsed here, files loaded, results compared; the launch itself is harness/launch/launch.h. The
 * format, one item per line:
 *
 *   kernel NAME | targets T... | flags ... | pocl no | grid X Y Z | workgroup X Y Z | offset X Y Z
 *   buf FILE | out FILE SIZE CHECK | inout INIT FILE CHECK | tmp SIZE | text SIZE | local SIZE
 *   struct FILE
 *   shared SIZE
 *   gws RESOURCE COUNT
 *   any-index
 *   i8|u8|i16|u16|i32|u32|i64|u64|f16|f32|f64 VALUE... | bytes HEX... | ptr TO [OFFSET]
 *   IMAGE SIZES ORDER TYPE buf FILE | out FILE CHECK | inout INIT FILE CHECK | tmp
 *   sampler nearest|linear none|clamp|clamp_to_edge|repeat|mirrored normalized|unnormalized
 *   aside buf|out|inout|tmp ... | pointer ITEM BYTE TO [OFFSET]
 *   global SYMBOL buf|out|inout|struct|bytes|i8|... ...
 *   again ITEM
 *   expect ITEM FILE CHECK
 *
 * gws sets a resource of global wave sync, as the runtime does before a cooperative launch: to one
 * less than the waves that meet. any-index is for a kernel that tests what M0 out of range does: its
 * index may lead to registers that are not the kernel's, which else is an error.
 *
 * Lines from buf to ptr, aside and global are items, counted from 0 in their order. Each is the
 * kernel's next argument, but for a buffer that stands aside: it is reached only through pointers;
 * and for variables of the code object: they are written before the launch (unless 'out') and
 * compared after it. Before the launch the address of byte OFFSET (0) of buffer TO is written to
 * byte BYTE of ITEM, a buffer, variable or struct; ptr is an argument that is such an address, or a
 * struct of one; u64 0 is also a null pointer.
 * Where the code object does not describe the arguments they follow each other, each aligned to its
 * size (structs to 8 bytes).
 *
 * text is a buffer like tmp; what stands in it before the first zero byte is printed at the end.
 *
 * Each further line `kernel` begins another kernel, dispatched when the one before has ended; grid,
 * workgroup, offset, shared, gws, any-index and the arguments behind it are its own. Items are counted through
 * the whole file, all of them are there from the start, and memory keeps what kernels store: again
 * ITEM makes an earlier item (a buffer, an image, a value) the next argument once more, and ptr and
 * pointer reach those of all kernels. What out and inout hold is compared behind the last kernel;
 * expect compares an item behind the kernel that it stands below.
 *
 * Several values are a vector; with three OpenCL C's room for a fourth is left. shared is no
 * argument: bytes of dynamic LDS, what <<<...>>> of HIP states third. CHECK is exact, f16nan,
 * f32nan, f64nan, or f32|f64 REL ABS. Files are relative to launch.txt; empty lines are skipped,
 * and what follows a word that begins with #.
 *
 * IMAGE SIZES is image1d W, image1d_buffer W, image1d_array W LAYERS, image2d W H, image2d_array
 * W H LAYERS or image3d W H D; ORDER and TYPE as in OpenCL: r, a, rg, ra, rgba, bgra, argb, abgr,
 * intensity, luminance, depth; unorm8, unorm16, snorm8, snorm16, i8, i16, i32, u8, u16, u32, f16,
 * f32. Files hold the texels without gaps, x fastest, then y, then z or layers. */
#ifndef HARNESS_LAUNCH_FILE_FILE_H
#define HARNESS_LAUNCH_FILE_FILE_H

#include "harness/launch/file/image.h"
#include "oracle/state/state.h"

enum {
    LAUNCH_MAX_ARGS = 1024,
    LAUNCH_MAX_POINTERS = 65536,
    LAUNCH_MAX_KERNELS = 256,
    LAUNCH_MAX_EXPECTS = 1024,
    LAUNCH_MAX_BUFFER = 1 << 30, /* bytes */
    LAUNCH_MAX_WORKGROUP = 65535 /* of one dimension: the dispatch packet has 16 bits */
};

enum launch_arg_kind {
    LARG_BUF,
    LARG_OUT,
    LARG_INOUT,
    LARG_TMP,
    LARG_LOCAL,
    LARG_SAMPLER,
    LARG_STRUCT,
    LARG_POINTER,
    LARG_AGAIN, /* another argument of an earlier kernel, or of this one */
    LARG_SCALAR
};

enum check_rule {
    CHECK_NONE,
    CHECK_EXACT,
    CHECK_NAN,      /* bit-exact, but any NaN matches any NaN */
    CHECK_TOLERANCE /* |got - want| <= abs + rel * |want| */
};

struct launch_check {
    enum check_rule rule;
    u32 width; /* bytes of an element: 2, 4, 8; for CHECK_EXACT a component of an image, else 4, or
                  1 if the size is no multiple of 4 */
    double rel, abs;
};

struct launch_arg {
    enum launch_arg_kind kind;
    bool is_aside; /* a buffer or a variable, no argument */
    bool is_text;  /* a buffer that holds text to be printed at the end */
    u32 of;        /* LARG_AGAIN: the item that is meant, which is none */
    char *symbol;  /* of a variable, else NULL */
    int line;
    char word[16];   /* the keyword, for messages */
    u64 size;        /* bytes of the buffer, of the LDS block, or of the value */
    u8 *bytes;       /* contents before the launch, and after it for buffers and variables; NULL for
                        LARG_LOCAL */
    u8 *want;        /* size bytes, of an image without gaps; NULL if not compared */
    char *want_file; /* as written */
    struct launch_check check;
    struct launch_image image;     /* of a buffer that is an image */
    struct launch_sampler sampler; /* of LARG_SAMPLER */
};

/* Bytes at..at+7 of item `in` hold the address of byte `offset` of buffer `to`. */
struct launch_pointer {
    u32 in, to;
    u64 at, offset;
    int line;
};

/* How one kernel is dispatched. */
struct launch_part {
    char *kernel;
    u32 grid[3]; /* work-items */
    u32 workgroup[3];
    u64 shared;    /* bytes of dynamic LDS beside that of LARG_LOCAL */
    u32 offset[3]; /* of the ids of work-items, as OpenCL's global work offset */
    u64 gws_ready; /* resources of global wave sync that are initialised, by bit */
    u16 gws_count[GWS_RESOURCES];
    bool any_index;
    u32 first, end; /* of all items: its arguments, and what stands aside between them */
    int line;       /* of its name */
};

/* What item `item` holds behind kernel `part`: a buffer with `want`, and without bytes of its own. */
struct launch_expect {
    u32 part, item;
    struct launch_arg as;
};

struct launch {
    char *file;
    struct launch_part now;    /* the kernel that is dispatched: part `part` */
    struct launch_part *parts; /* all of them, in their order; their names are now.kernel's */
    u32 part, part_count;
    struct launch_expect *expects;
    u32 expect_count, expect_cap;
    bool has_addresses; /* pointers hold them already, and kernels may have changed them since */
    struct launch_arg *args;
    u32 arg_count, arg_cap; /* of all items; and for how many there is room */
    struct launch_pointer *pointers;
    u32 pointer_count, pointer_cap;
};

/* Whether it has an address that the launch chooses. */
static inline bool launch_arg_is_buffer(const struct launch_arg *a)
{
    return a->kind <= LARG_TMP && !a->symbol;
}

/* Whether the kernel gets a pointer to a descriptor. */
static inline bool launch_arg_is_described(const struct launch_arg *a)
{
    return a->kind == LARG_SAMPLER || a->image.kind;
}

/* The item that an argument means: itself, or the one that it repeats. */
static inline u32 launch_item(const struct launch *l, u32 index)
{
    return l->args[index].kind == LARG_AGAIN ? l->args[index].of : index;
}

/* Makes a kernel the one that is dispatched. */
void launch_turn_to(struct launch *l, u32 part);

/* Parses `path` and loads every file it names, large ones by up to `threads` threads. On success the
 * caller closes *l; on failure nothing is left to close, and e->file and e->line say where. */
enum status launch_open(struct launch *l, const char *path, u32 threads, struct err *e);

/* The same for a text in memory; `path` stands for it in messages, and files are looked for beside
 * it. */
enum status launch_open_memory(struct launch *l, const char *path, const void *bytes, size_t size,
                               struct err *e);

/* Frees everything. A zeroed *l may be closed. */
void launch_close(struct launch *l);

/* What differs between a->want and a->bytes. */
struct launch_diff {
    u64 wrong;     /* elements that differ; 0: all else is 0 too */
    u64 total;     /* elements compared */
    u64 index;     /* first wrong element */
    u64 offset;    /* its first byte, in the file that was expected */
    u64 want, got; /* its bits */
};

/* Bytes of the file that a buffer is compared with: those of an image have no gaps. */
u64 launch_file_size(const struct launch_arg *a);

/* Compares one buffer after the launch under its check, by up to `threads` threads. Buffers that are not
 * compared answer no difference. */
struct launch_diff launch_compare(const struct launch_arg *a, u32 threads);

/* The same for what is expected behind a kernel. */
struct launch_diff launch_compare_expect(const struct launch *l, const struct launch_expect *x,
                                         u32 threads);

/* Prints a difference: "element 3 (byte 12): want 0x3f800000 (1), got 0x0 (0); 5 of 1024 elements
 * wrong". */
void launch_diff_print(struct text *t, const struct launch_arg *a, const struct launch_diff *d);

#endif
