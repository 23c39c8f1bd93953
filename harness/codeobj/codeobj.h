/* AMDGPU code objects: the ELF files that compilers make for amdhsa. Opens one, checks it, loads
 * its segments into one image, relocates it, and finds kernels: symbol, descriptor and metadata.
 * Called by `gcncheck launch` and `lint`. The file is untrusted: whatever is wrong gives one line
 * and no crash. The rules are those of LLVM's "User Guide for AMDGPU Backend" (sections ELF Code
 * Object, Code Object Metadata, Kernel Descriptor). */
#ifndef HARNESS_CODEOBJ_CODEOBJ_H
#define HARNESS_CODEOBJ_CODEOBJ_H

#include "harness/codeobj/target.h"

enum {
    CODEOBJ_MAX_BYTES = 256 << 20, /* of a file, and of the image that its segments span */
    CODEOBJ_MAX_SEGMENTS = 64,
    CODEOBJ_MAX_KERNELS = 65536,
    CODEOBJ_MAX_ARGS = 4096, /* of one kernel */
    CODEOBJ_NAME_MAX = 4096, /* bytes of a symbol's name */
    CODEOBJ_DESC_BYTES = 64,
    CODEOBJ_CODE_BYTES = 256, /* amd_kernel_code_t, before the code of a version 2 kernel */
    STT_KERNEL_V2 = 10        /* the type of its symbol */
};

struct codeobj_segment {
    u64 vaddr; /* as in the file; the GPU address is base + vaddr */
    u64 size;  /* bytes in memory, at least 1 */
    bool is_writable;
    bool is_executable;
};

/* How a kernel argument is set up: ".value_kind", in the order of the guide's tables. */
enum arg_kind {
    ARG_BY_VALUE,
    ARG_GLOBAL_BUFFER,
    ARG_DYNAMIC_SHARED_POINTER,
    ARG_SAMPLER,
    ARG_IMAGE,
    ARG_PIPE,
    ARG_QUEUE,
    ARG_HIDDEN_GLOBAL_OFFSET_X, /* the first hidden one */
    ARG_HIDDEN_GLOBAL_OFFSET_Y,
    ARG_HIDDEN_GLOBAL_OFFSET_Z,
    ARG_HIDDEN_NONE,
    ARG_HIDDEN_PRINTF_BUFFER,
    ARG_HIDDEN_HOSTCALL_BUFFER,
    ARG_HIDDEN_DEFAULT_QUEUE,
    ARG_HIDDEN_COMPLETION_ACTION,
    ARG_HIDDEN_MULTIGRID_SYNC_ARG,
    ARG_HIDDEN_BLOCK_COUNT_X,
    ARG_HIDDEN_BLOCK_COUNT_Y,
    ARG_HIDDEN_BLOCK_COUNT_Z,
    ARG_HIDDEN_GROUP_SIZE_X,
    ARG_HIDDEN_GROUP_SIZE_Y,
    ARG_HIDDEN_GROUP_SIZE_Z,
    ARG_HIDDEN_REMAINDER_X,
    ARG_HIDDEN_REMAINDER_Y,
    ARG_HIDDEN_REMAINDER_Z,
    ARG_HIDDEN_GRID_DIMS,
    ARG_HIDDEN_HEAP_V1,
    ARG_HIDDEN_PRIVATE_BASE,
    ARG_HIDDEN_SHARED_BASE,
    ARG_HIDDEN_QUEUE_PTR,
    ARG_HIDDEN_DYNAMIC_LDS_SIZE,
    ARG_KINDS
};

/* Whether the compiler adds the argument: the launch fills it in. */
static inline bool codeobj_arg_is_hidden(enum arg_kind kind)
{
    return kind >= ARG_HIDDEN_GLOBAL_OFFSET_X;
}

/* The spelling of the metadata, e.g. "global_buffer". */
const char *codeobj_arg_kind_name(enum arg_kind kind);

enum address_space {
    ADDRESS_NONE,
    ADDRESS_PRIVATE,
    ADDRESS_GLOBAL,
    ADDRESS_CONSTANT,
    ADDRESS_LOCAL,
    ADDRESS_GENERIC,
    ADDRESS_REGION,
    ADDRESS_SPACES
};

struct kernel_arg {
    char *name; /* "" if the file gives none */
    u32 offset; /* bytes from the start of the kernarg segment */
    u32 size;   /* bytes */
    enum arg_kind kind;
    enum address_space space;
    u32 pointee_align; /* bytes, a power of two; 0 if not given */
};

/* One kernel of "amdhsa.kernels". Owned by its code object. */
struct kernel_meta {
    char *name;   /* of the source */
    char *symbol; /* of the descriptor, "NAME.kd" ("NAME@kd" in version 2) */
    u32 kernarg_size;
    u32 kernarg_align;
    u32 group_size;   /* bytes of LDS, without dynamic LDS */
    u32 private_size; /* bytes of scratch for a work-item */
    u32 sgpr_count;
    u32 vgpr_count;
    u32 agpr_count; /* 0 if not given */
    u32 wave_size;  /* lanes */
    u32 max_workgroup_size;
    u32 reqd_workgroup[3]; /* 0 0 0: any */
    bool uses_dynamic_stack;
    struct kernel_arg *args;
    u32 arg_count;
};

/* The 64-byte kernel descriptor as gfx6 to gfx9 (without gfx90a) read it. Fields that must be 0 are
 * checked and not kept. Names as in the guide. */
struct kernel_desc {
    u32 group_segment_fixed_size;
    u32 private_segment_fixed_size;
    u32 kernarg_size;
    i64 kernel_code_entry_byte_offset;
    u32 compute_pgm_rsrc1; /* the three words as they stand */
    u32 compute_pgm_rsrc2;
    u32 compute_pgm_rsrc3;

    u32 vgprs; /* allocated, from granulated_workitem_vgpr_count */
    u32 sgprs; /* allocated, from granulated_wavefront_sgpr_count */
    u32 float_round_mode_32;
    u32 float_round_mode_16_64;
    u32 float_denorm_mode_32;
    u32 float_denorm_mode_16_64;
    bool enable_dx10_clamp;
    bool enable_ieee_mode;
    bool fp16_ovfl;

    bool enable_private_segment; /* the scratch wave offset SGPR */
    u32 user_sgpr_count;
    bool enable_sgpr_workgroup_id[3];
    bool enable_sgpr_workgroup_info;
    u32 enable_vgpr_workitem_id; /* 0: x, 1: x y, 2: x y z */
    u32 enable_exceptions; /* 7 bits: invalid, denormal, div by 0, overflow, underflow, inexact, int
                              div by 0 */

    u32 user_data; /* what it asks for (harness/codeobj/user_data.h), a bit for each */
    bool uses_dynamic_stack;
};

/* A format of OpenCL's printf: records of the printf buffer begin with its id. */
struct codeobj_printf {
    u32 id;
    u32 size_count;
    u32 *sizes; /* of the arguments, bytes */
    char *format;
};

struct codeobj {
    char *file;     /* for messages */
    bool code_only; /* opened by codeobj_open_code */
    u8 *bytes;      /* the file */
    size_t byte_count;
    struct Elf *elf;
    struct codeobj_target target;

    u64 base;     /* GPU address minus the file's address, bytes */
    u64 image_lo; /* the file's address of image[0] */
    u64 image_size;
    u8 *image; /* relocated; bytes of no segment are 0 */
    struct codeobj_segment segments[CODEOBJ_MAX_SEGMENTS];
    u32 segment_count;

    bool is_relocatable; /* not linked: sections are placed when it is loaded */
    u64 *section_at;     /* then the address of each section, 0: not in the image */
    u32 section_count;
    u64 got; /* then the address of the global offset table, 8 bytes for each symbol */

    struct kernel_meta *kernels;
    u32 kernel_count;
    struct codeobj_printf *printfs;
    u32 printf_count, printf_cap;
    u64 yaml_args, yaml_names; /* what they take, where the metadata is YAML: arguments, bytes */
};

struct codeobj_symbol {
    const char *name; /* owned by the code object */
    u64 vaddr;        /* the file's address */
    u64 size;         /* bytes, 0 if not given */
};

struct codeobj_kernel {
    const struct kernel_meta *meta;
    struct kernel_desc desc;
    const char *name;  /* of the symbol; owned by the code object */
    u64 desc_address;  /* GPU address */
    u64 entry_address; /* GPU address of the first instruction */
};

/* Opens `path` ("-": standard input) and loads it for GPU address `base` (a multiple of 4096) of
 * the file's address 0. On success the caller closes *co; on failure nothing is left to close and
 * e->file is `path`. */
enum status codeobj_open(struct codeobj *co, const char *path, u64 base, struct err *e);

/* The same from memory; the bytes are copied. `name` stands for the file in messages. */
enum status codeobj_open_memory(struct codeobj *co, const char *name, const void *bytes,
                                size_t size, u64 base, struct err *e);

/* The same for callers that only read the code: the operating system may be any, metadata may be
 * missing, and symbols may be undefined; those have address 0. */
enum status codeobj_open_code(struct codeobj *co, const char *name, const void *bytes, size_t size,
                              u64 base, struct err *e);

/* Frees everything. A zeroed *co may be closed. */
void codeobj_close(struct codeobj *co);

/* Finds a defined symbol of the image by name. Answers false if there is none. */
bool codeobj_symbol(const struct codeobj *co, const char *name, struct codeobj_symbol *out);

/* The format with this id; NULL if there is none. */
const struct codeobj_printf *codeobj_printf(const struct codeobj *co, u32 id);

/* Finds the function symbol that covers GPU address `address`; false if none does. */
bool codeobj_function_at(const struct codeobj *co, u64 address, struct codeobj_symbol *out);

/* The address that is shown for one of the file: in an object that is not linked, the section's. */
u64 codeobj_shown_address(const struct codeobj *co, u64 vaddr);

/* Answers how many functions have code whose address is shown as `shown`: several only in sections
 * of an object that is not linked. *vaddr is the file's address of the first. */
u32 codeobj_find_shown(const struct codeobj *co, u64 shown, u64 *vaddr);

/* A place where code can be entered from outside. */
struct codeobj_function {
    const char *name; /* owned by the code object */
    u64 vaddr;        /* the file's address of the first instruction */
    u64 size;       /* bytes; where the file gives none, up to the next one or the segment's end */
    bool is_kernel; /* has a descriptor, or is no function by its symbol's type */
};

/* Lists functions, kernels and global labels of the executable segments in the order of their
 * addresses, one for each address; a segment with none of them counts as one. The caller frees
 * *list. */
enum status codeobj_functions(const struct codeobj *co, struct codeobj_function **list, u32 *count,
                              struct err *e);

/* Finds kernel `name` (without ".kd"): metadata, descriptor, entry point. NULL as name means the
 * only kernel of the file. Only for processors of gfx6 to gfx9. */
enum status codeobj_kernel(const struct codeobj *co, const char *name, struct codeobj_kernel *out,
                           struct err *e);

/* Decodes the 64 bytes of a descriptor and checks that what must be 0 is 0 for `gen`, and that the
 * user SGPRs enabled fit their count. Fills e->text. */
enum status codeobj_desc_decode(const u8 *bytes, enum codeobj_family gen, struct kernel_desc *out,
                                struct err *e);

/* Makes the descriptor that version 3 would have from the amd_kernel_code_t of version 2. The
 * offset of the entry point counts from the start of either. */
void codeobj_desc_from_code(const u8 code[CODEOBJ_CODE_BYTES], u8 desc[CODEOBJ_DESC_BYTES]);

/* By LLVM's calling convention the return address is in this SGPR and the next. */
enum { CODEOBJ_RETURN_SGPR = 30 };

/* Reads metadata (the msgpack document of an NT_AMDGPU_METADATA note) into co->kernels. Used by
 * codeobj_open; fills e->text. What it allocated is freed by codeobj_close, also after an error. */
enum status codeobj_meta_read(struct codeobj *co, const u8 *doc, size_t size, struct err *e);

/* The same for the YAML document of version 2 (note AMD, type 10). */
enum status codeobj_yaml_read(struct codeobj *co, const u8 *text, size_t size, struct err *e);

/* Whether a msgpack document is well-formed and not nested deeper than a document of this kind may
 * be; msgpack-c would take any amount of memory for one that is not. ST_INPUT with the reason. */
enum status codeobj_msgpack_check(const u8 *doc, size_t size, struct err *e);

#endif
