/* What the parts of the generator share while they make one stream. Not for others. */
#ifndef FUZZ_GEN_INTERNAL_H
#define FUZZ_GEN_INTERNAL_H

#include "fuzz/gen/recipe.h"
#include "fuzz/prog/prog.h"
#include "oracle/fp/format.h"
#include "oracle/rule/rule.h"
#include "oracle/state/effects.h"
#include "oracle/state/state.h"

enum gen_class {
    CL_SALU,
    CL_VOP12,
    CL_VOPC,
    CL_VOP3,
    CL_SMEM,
    CL_LDS,
    CL_VMEM,
    CL_SMEM_STORE,
    CL_BUFFER,
    CL_IMAGE,
    CL_SAMPLE,
    CL_PACKED,
    CL_MATRIX,
    CL_INTERP,
    CL_EXPORT,
    CL_SYNC,
    CL_CONTROL
};
_Static_assert(CL_CONTROL + 1 == GEN_CLASSES, "one ring for each class");
/* Of profiles: branches and barriers, which stand on no ring. */
enum { CL_FLOW = GEN_CLASSES };

enum {
    SLOT_BYTES = 16,                           /* of memory that one lane owns: the widest access */
    LANE_BYTES = LANES * SLOT_BYTES,           /* of all lanes */
    REGION_BYTES = 2048,                       /* of the read-write window that one wave owns */
    RO_BYTES = 4096,                           /* of the read-only window */
    SCRATCH_LANE = 32,                         /* of private memory that a lane has */
    SCRATCH_BASES = 4,                         /* private addresses in registers: dwords 0 to 3 */
    IMAGE_BYTES = 8192,                        /* of it where there are images */
    LDS_REGION_MIN = 4096,                     /* of LDS that one wave owns */
    ADDR_REGS = 9,                             /* vector registers that hold addresses */
    ADDR_RANGE = 1024,                         /* of the addresses of memory in windows */
    BIAS_MAX = 4096 - ADDR_RANGE - SLOT_BYTES, /* so that immediates have 12 bits and a sign */
    DEPTH_MAX = 3,                             /* of nested blocks */
    VINT_REGS = 12,
    VFLT_REGS = 6,
    VDBL_REGS = 6, /* three pairs */
    SDATA_REGS = 16
};

/* Of the matrix core: accumulation registers of one kind of sums, those of A and B, and all; so
 * many vector registers are of A and B, too. */
enum { MATRIX_SUMS = 32, MATRIX_PARTS = 8, MATRIX_ACCS = 76, MATRIX_WAVES = 2 };
/* Vector registers of sampled coordinates. */
enum { SAMPLE_REGS = 20 };
/* Vector registers of counts of global wave sync: units of the wave's semaphore, none, the other waves,
 * one. */
enum sync_reg { SYNC_UNITS, SYNC_NONE, SYNC_OTHERS, SYNC_ONE, SYNC_REGS };
/* Exports that there is memory for. */
enum { EXPORTS_MAX = 7 };

/* What a scalar store or atomic may reach of a wave. */
enum { SCALAR_BYTES = 1024, SCALAR_UNIT = 64 /* bytes that a register counts in scalar scratch */ };

enum area { AREA_RW, AREA_RO, AREA_LDS };

/* A vector register (or pair) that holds a memory address for every lane and is never written. A
 * lane's access is at address + immediate - bias; with sub = immediate - bias in 0..range and 16
 * bytes it stays inside the area. */
struct addr_reg {
    u8 reg;
    u8 area;
    /* A 64-bit address; else an offset from `base` (areas in memory) or an LDS address. */
    bool wide;
    bool own;     /* every lane has a slot of its own: may be stored to */
    bool outside; /* LDS: some lanes are outside */
    u8 base;      /* scalar pair that an offset counts from */
    u8 epoch;     /* LDS: which wave's region it names is (wave + epoch) % waves */
    i32 bias;
    u32 range;
    u32 shift; /* what the offset is larger than its place in the area, taken off again in `base` */
};

/* Resources come in two: of memory that is only read, and of what the wave may store to. */
enum { RES_RO, RES_RW, RESOURCES };

/* What of a format is exact, where sources differ about how others round. */
enum draw_exact { LOADS_32, STORES_32, LOADS_16, STORES_16 };
enum { DST_SEL_IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9 };

/* A buffer resource, and what the lanes have in the registers of its index and offset: the same in
 * all waves. Kept apart from the state so that accesses can be tried. */
struct buf_plan {
    u32 size;  /* bytes that may be reached */
    u32 start; /* of which the resource begins here */
    u32 stride, records;
    u8 index_stride; /* as coded */
    bool swizzle, add_tid;
    bool byte_records, stride_records, has_element; /* as on gfx8, as on gfx7, as on both */
    u8 dfmt, nfmt;
    u16 dst_sel;
    u32 index[LANES], offset[LANES];
};

/* A surface; type and coordinates are those of both. */
struct img_plan {
    u32 bytes; /* that may be reached */
    u32 size
        [3]; /* texels of the first level of all, in x, y, and z or layers; layers that are seen */
    u32 pitch;        /* texels from row to row */
    u32 rows;         /* of a layer, all levels */
    u8 last;          /* level of the surface */
    u8 first, levels; /* that are seen; 0 levels: not planned yet */
    u8 layer;         /* the first that is seen */
    u8 border_order;  /* as coded */
    u8 dfmt, nfmt;
    u16 dst_sel;
    bool is_plain; /* components in the order of memory */
    bool is_wide;  /* rows are twice as long as they must be */
    bool is_even;  /* texels are numbers of few digits, of which every mean is exact */
};
enum { COORDS = 4 /* registers of coordinates: the last is a level in any case */ };

/* What stands in a register before coordinates. */
enum sample_role { ROLE_ANY, ROLE_OFFSETS, ROLE_BIAS, ROLE_REFERENCE };
enum { SAMPLE_BEFORE = 3 /* registers */ };

/* A sampler, and how what it is used with is drawn. Filters are those of the resource. */
struct sample_plan {
    u32 word[4];
    u8 clamp[3];
    u8 mag, min, z, mip, blend;
    bool cuts;      /* coordinates are cut to texels */
    bool texels;    /* coordinates count texels */
    bool is_forced; /* the sampler says so */
    bool is_short;  /* addresses have 16 bits */
    bool has_bias;
    bool is_plain;          /* slopes are powers of two */
    u8 role[SAMPLE_BEFORE]; /* of the registers before coordinates, the last of them first */
};

/* Which registers do what. Data registers are drawn as operands; the others keep their values, or
 * are written by control flow only. */
struct reg_plan {
    u8 vint, vflt, vdbl; /* VINT_REGS, VFLT_REGS, VDBL_REGS vector registers of data from here on */
    u8 vtemp;            /* a vector register for computed addresses */
    u8 vfold, vkept;     /* vector registers that results are folded into, and kept in by lane */
    u8 sdata;            /* SDATA_REGS scalar registers of data from here on, a multiple of 4 */
    u8 save[DEPTH_MAX];  /* pairs: EXEC of an open block */
    u8 some_exec;        /* pair: an EXEC that is not 0 */
    u8 link[DEPTH_MAX];  /* pairs: return addresses */
    u8 jump[DEPTH_MAX];  /* pairs: computed addresses */
    u8 count[DEPTH_MAX]; /* loop counters */
    u8 smem[2];          /* pairs: bases of scalar loads */
    u8 smoff;            /* scalar load offset */
    u8 gbase[2];         /* pairs: bases of GLOBAL with a 32-bit offset, of AREA_RW and AREA_RO */
    i32 smem_bias;       /* the first base lies that much below the window, bytes */
    u32 smoff_value;     /* bytes; the second base lies that much below */
    u8 sbuf;             /* quad: a buffer resource of the read-only window */
    bool has_scratch;    /* private memory, and the two registers below, are there */
    u8 vscratch;         /* vector register: private addresses, `scratch_bias` too large */
    u8 sscratch;         /* scalar register: a private address */
    i32 scratch_bias;
    bool has_buffers;  /* the following are there */
    u8 buffer[2];      /* quads: resources, by RES_RO and RES_RW */
    u8 bsoffset;       /* scalar register: an offset in bytes */
    u8 vbuffer[2];     /* vector registers: index, offset and, where addresses have 64 bits, 0 */
    bool has_images;   /* the following are there */
    u8 image[2];       /* eight scalar registers each: resources */
    u8 vimage;         /* COORDS vector registers */
    bool has_samplers; /* with images: the following are there */
    u8 sampler;        /* quad */
    u8 vsample;        /* SAMPLE_REGS vector registers */
    bool has_matrix;   /* the following are there */
    u8 acc;            /* MATRIX_ACCS accumulation registers */
    u8 vmatrix;        /* MATRIX_PARTS vector registers */
    bool has_sync;     /* global wave sync is used, and these two are there */
    u8 vcount;         /* SYNC_REGS vector registers: counts in the first lane of some_exec */
    bool has_exports;  /* memory for exports is there */
    u8 slds;           /* scalar register: where the wave's part of LDS begins */
    bool has_scalar;   /* memory for scalar stores is there, and these three */
    u8 scalar;         /* pair: its address, for the wave */
    u8 scalar_up;      /* pair: scalar_bias bytes above */
    u8 scalar_buf;     /* quad: a buffer resource of it */
    u8 scalar_unit;    /* scalar register: offset in SCALAR_UNIT */
    u8 scalar_unit_value;
    u8 scalar_stride; /* bytes */
    u8 scalar_low;    /* low bits of all bases, which do not count */
    u32 scalar_bias;  /* bytes */
    u32 scalar_end;   /* bytes that the resource has */
    struct addr_reg addr[ADDR_REGS];
    u32 lds_addrs; /* addr[ADDR_LDS] and following that are in use */
};
enum { ADDR_RW, ADDR_RW_BIASED, ADDR_RO, ADDR_RW_OFFSET, ADDR_RO_OFFSET, ADDR_LDS };

enum block_kind { BLOCK_IF, BLOCK_ELSE, BLOCK_EXEC, BLOCK_LOOP, BLOCK_CALL, BLOCK_BODY };

/* A part of the program that is still open. */
struct block {
    u8 kind;
    i16 branch;                  /* instruction whose target is the end of the block; -1: none */
    i16 call;                    /* instruction whose target is the body of a function */
    i16 head;                    /* first instruction of a loop */
    u32 close;                   /* when that many instructions were drawn */
    u32 weight;                  /* how often the code around it runs at most */
    struct rule_state at_branch; /* or at the call */
};

/* An instruction of the generator's own of which only its source is still open: a register, as src0. */
struct pattern {
    struct insn in; /* OP_NONE: the generator does not have the opcode */
    struct effects fx;
    u32 source; /* which effect is that of the source */
};
enum { FOLD_OPS = 3 };

/* Its random numbers are drawn one to a statement: in which order two arguments are evaluated is
 * the compiler's choice, and a seed must give the same stream with every compiler. */
struct draw {
    const struct generator *g;
    struct stream *s;
    struct rng rng;
    struct prog *prog;
    struct reg_plan r;
    u32 drawn; /* instructions, without what was inserted */
    u32 wanted;
    u32 weight; /* how often the next instruction runs at most */
    u32 steps;  /* bound on what was emitted so far */
    u32 epoch;
    u32 lds_region; /* bytes of LDS that one wave owns */
    u32 depth;
    u64 dirty[2 * VGPRS / 64];           /* bits by place: results that are not folded */
    u32 kept;                            /* scalar results that are kept */
    struct pattern fold[FOLD_OPS], keep; /* what they are folded and kept with */
    bool forgets;                        /* what is written over is nobody's business */
    u8 focus_one_in;                     /* how often the focus is drawn */
    i8 focus_form;                       /* the only form of the focus; -1: any */
    u32 padding;                         /* depth of filling a hazard; 0 outside */
    struct buf_plan buf[RESOURCES];
    u32 buf_soffset; /* bytes */
    struct img_plan img[RESOURCES];
    u8 img_type;
    bool img_alike; /* both have the same size and levels */
    u32 coord[COORDS][LANES];
    struct sample_plan sample;
    bool sync_up;                      /* waves go by rising numbers */
    u8 sync_units;                     /* of a semaphore */
    u32 exports_left;                  /* that may still be executed */
    bool wrote_scalar;                 /* a scalar store or atomic was emitted */
    u32 window_scratch, window_scalar; /* where they are, if they are there */
    const struct recipe *recipe;       /* that the stream is made from; NULL: none */
    const struct gene *gene;           /* of it, that is drawn; NULL: none */
    struct recipe *note;  /* what the stream is made from is noted here; NULL: nowhere */
    struct rule_state st; /* the rest is large, and set before it is asked */
    struct block block[DEPTH_MAX];
};

static inline bool gen_may(const struct draw *d, enum gen_feature f)
{
    return d->g->cfg.features & f;
}
/* Scalar stores and atomics, and scalar scratch: they have memory of their own. */
static inline bool gen_is_scalar_store(const struct isa_row *row)
{
    return isa_memory(row) == MEMORY_SCALAR &&
           row->flags & (FLAG_STORE | FLAG_ATOMIC | FLAG_PRIVATE);
}
/* LDS rows whose address is M0 and an offset. */
static inline bool gen_is_lds_by_m0(const struct isa_row *row)
{
    if (isa_memory(row) != MEMORY_LDS || !(row->flags & FLAG_LDS))
        return false;
    bool address = row->operand[0].kind == K_NONE;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        address |= o->slot == SLOT_ADDR;
    return !address;
}
/* Interpolation of parameters, which M0 finds in LDS. */
static inline bool gen_is_interpolation(const struct isa_row *row)
{
    return isa_operand_of_kind(row, K_ATTR) != NULL;
}
/* Coordinates of a type of image beside its layers, and whether it has those. */
static inline u32 gen_image_axes(u32 type)
{
    return type == IMAGE_1D || type == IMAGE_1D_ARRAY ? 1 : type == IMAGE_3D ? 3 : 2;
}
static inline bool gen_image_has_layers(u32 type)
{
    return type >= IMAGE_CUBE;
}
/* To how many bytes an access of `bytes` that is in range as a whole or not is aligned. */
static inline u32 gen_draw_align(u32 bytes)
{
    return bytes == 8 ? 8 : bytes < 4 ? bytes & (0 - bytes) : 4;
}
static inline enum gen gen_generation(const struct draw *d)
{
    return (enum gen)d->g->isa->target->gen;
}
/* Whether the processor has a feature; with several, whether all have it, and whether only some. */
static inline bool gen_target_has(const struct draw *d, enum isa_feature_bit feature)
{
    return d->g->features_all >> feature & 1;
}
static inline bool gen_targets_differ(const struct draw *d, enum isa_feature_bit feature)
{
    return (d->g->features_any ^ d->g->features_all) >> feature & 1;
}
static inline bool gen_has(const struct draw *d, isa_op op, enum isa_form form)
{
    return d->g->forms[op] >> form & 1;
}

/* Each unit uses those above it only. */

/* value.c: edge-biased values. */
u32 gen_draw_value(struct rng *r, enum isa_type type);
void gen_draw_values(struct rng *r, enum isa_type type, u32 *to, u32 count);
/* Integers and floats by turns, eight of each; `size` is a multiple of 256. */
void gen_draw_typed(struct rng *r, u8 *to, u32 size);
/* Any bytes; `size` is a multiple of eight. */
void gen_draw_bytes(struct rng *r, u8 *to, u32 size);
u64 gen_draw_double(struct rng *r);
/* One whose sum with v cancels, or rounds in the middle. */
u64 gen_draw_double_beside(struct rng *r, u64 v);
u64 gen_draw_lane_mask(struct rng *r);

/* reg.c: registers of data; `dw` neighbours for a value of that type. */
u32 gen_draw_vgpr(struct draw *d, enum isa_type type, u32 dw);
u32 gen_draw_sgpr(struct draw *d, u32 dw);

/* buf.c: resources of buffers; and, for an instruction whose data operands are drawn, the rest:
 * false if nothing was found that fits. */
void gen_plan_buffers(struct draw *d);
/* Whether buffers take an address of 64 bits. */
bool gen_has_addr64(const struct draw *d);
void gen_buffer_words(const struct buf_plan *b, u64 base, u32 word[4]);
bool gen_draw_buffer(struct draw *d, struct insn *in);
/* Word 3 of its resource with another format that is as long; false if it must stay as it is. */
bool gen_redraw_buffer(struct draw *d, const struct insn *in, u32 which, u32 *word3);
bool gen_is_exact(u32 dfmt, u32 nfmt, enum draw_exact exact);
void gen_draw_format(struct draw *d, enum draw_exact exact, u8 *dfmt, u8 *nfmt);
u16 gen_draw_dst_sel(struct draw *d, u32 nfmt, bool plain);

/* img.c: the same for images. */
void gen_plan_images(struct draw *d);
void gen_image_words(const struct draw *d, u32 which, u64 base, u32 word[8]);
bool gen_draw_image(struct draw *d, struct insn *in);
/* As gen_redraw_buffer: words 1 and 3 count. */
bool gen_redraw_image(struct draw *d, const struct insn *in, u32 which, u32 word[8]);
/* Texels of a level that is seen along an axis, or layers. */
u32 gen_image_size(const struct draw *d, const struct img_plan *g, u32 axis, u32 level);
/* Fills memory with texels of few digits. */
void gen_fill_even(struct draw *d, const struct img_plan *g, u8 *bytes);

/* sample.c: the same with a sampler. */
/* Whether a row has a sampler. */
bool gen_is_sampled(const struct isa_row *row);
/* Draws d->sample, before surfaces are planned. */
void gen_plan_sampler(struct draw *d);
/* Words 0, 1 and 3 of the sampler with other edges, limits of levels and compares, for an instruction that goes
 * with it. */
void gen_redraw_sampler(struct draw *d, const struct insn *in, u32 word[4]);
/* Whether some texels or levels are mixed; whether coordinates keep clear of the edges of texels for
 * sizes of any kind. */
bool gen_sample_mixes(const struct draw *d);
bool gen_sample_takes_any_size(const struct draw *d);
/* Whether it can sample images of d->img_type; and texels of the format, as halves. */
bool gen_sample_takes_type(const struct draw *d, const struct isa_row *row);
bool gen_sample_suits(const struct draw *d, const struct isa_row *row, const struct img_plan *g,
                      bool half);
/* Whether the level comes of coordinates of lanes that must be on. */
bool gen_sample_needs_quads(const struct draw *d, const struct isa_row *row);
/* The registers of sampled coordinates. */
void gen_put_samples(struct draw *d, u32 *reg[SAMPLE_REGS]);
/* dmask, coordinates and sampler of an instruction whose image and da are set. */
void gen_set_sample(struct draw *d, struct insn *in);
/* How many registers its address has. */
u32 gen_sample_registers(const struct draw *d, const struct insn *in);

/* matrix.c: the value of one lane that an accumulation register, or a vector register of A and B,
 * starts with; and an operand of the matrix core: false if there are no registers for it. */
u32 gen_draw_matrix_value(struct draw *d, u32 place);
bool gen_draw_matrix_operand(struct draw *d, struct insn *in, const struct isa_operand *o);

/* mem.c: address and offset fields of a memory instruction whose data operands are drawn. */
bool gen_draw_address(struct draw *d, struct insn *in);

/* plan.c: the roles of all registers. */
void gen_draw_plan(struct draw *d);

/* state.c: the registers and the memory of d->s. */
void gen_draw_state(struct draw *d);

/* operand.c: an instruction of this opcode with operands; false if it cannot be drawn here. */
bool gen_draw_insn(struct draw *d, isa_op op, enum isa_form form, struct insn *in);
/* Whether the destination meets a source that it must not meet. */
bool gen_overlaps(const struct insn *in);
/* Whether two sources are the same. */
bool gen_repeats_source(isa_op op);

/* recipe.c: streams from recipes. */
/* Notes what is drawn next. */
void gen_note_gene(struct draw *d, bool is_focus);
/* Puts the recipe's values into the state. */
void gen_set_values(struct draw *d);
/* As recipe_list_reads, of d->prog. */
u32 gen_list_reads(const struct draw *d, struct recipe_value reads[RECIPE_READS_MAX]);
/* Whether the stream has what the opcode of the gene needs. */
bool gen_gene_fits(const struct draw *d);
/* Takes fields of an instruction that was drawn from other draws, as its gene says. */
void gen_swap_fields(struct draw *d, struct insn *in);

/* common.c: streams for several processors. */
/* Fills what depends on them: g->isa, target, cfg.common and cfg.features are set. */
void gen_open_common(struct generator *g);
/* No instruction yet: the rules of all processors that a stream is for. */
void gen_start_rules(struct draw *d);
/* Whether FLAT has an offset on all processors. */
bool gen_has_flat_offset(const struct draw *d);
/* Whether an instruction that was drawn is there on all processors. */
bool gen_is_everywhere(const struct draw *d, const struct insn *in);
/* Encodes the program into the stream. ST_INPUT: it is not valid on all processors. ST_WORLD: memory
 * is short. */
enum status gen_encode(struct draw *d);

/* class.c: classes of opcodes. */
/* The ring an opcode stands on; -1: it is not drawn among others. */
i32 gen_class_of(const struct isa_row *row);
/* How often each class is drawn here: the usual ones, and those for which the stream has what they
 * need. */
enum { GEN_SHARE = 96 };
void gen_draw_shares(const struct draw *d, u8 share[GEN_CLASSES]);
/* One of them. */
u32 gen_draw_class(struct draw *d);

/* steer.c: opcodes, forms and the focus by weights. */
/* Fills g->choices. */
void gen_weigh(struct generator *g, const struct gen_steer *steer);
/* The focus of a stream; false if nothing has a weight. */
bool gen_weighed_focus(const struct generator *g, u64 index, isa_op *op, enum isa_form *form);
isa_op gen_weighed_op(struct draw *d);
enum isa_form gen_weighed_form(struct draw *d, isa_op op);

/* choose.c: which opcodes and forms are drawn. */
/* The features without which an opcode is not drawn. */
u32 gen_feature_of(const struct isa_row *row);
/* Fills what the generator draws from, of the forms allowed for each opcode (NULL: all). False if
 * nothing is left. */
bool gen_choose(struct generator *g, const u8 *allowed);
isa_op gen_draw_op(struct draw *d);
enum isa_form gen_draw_form(struct draw *d, isa_op op);

/* emit.c: instructions behind one another. */
/* Prepares what keeps results alive; the roles of registers are drawn. */
void gen_plan_folds(struct draw *d);
/* Starts an instruction of the generator's own, without operands. */
struct insn gen_start(const struct draw *d, isa_op op, enum isa_form form);
/* Whether an instruction, with what it needs and what is open, still has room. */
bool gen_has_room(const struct draw *d);
/* Puts in front of an instruction the waits and wait states it needs; false if they cannot be
 * had. */
bool gen_satisfy(struct draw *d, const struct insn *in);
/* Appends an instruction as it is. Returns its index. */
i16 gen_append(struct draw *d, const struct insn *in);
/* Appends an instruction behind what it needs. False (the instruction is not appended) if that
 * cannot be had, or if the program is full. */
bool gen_emit(struct draw *d, const struct insn *in);
/* The same where it cannot fail: for the scalar parts of something begun. Returns its index. */
i16 gen_must_emit(struct draw *d, const struct insn *in);
/* Emits a wait for everything, the data of exports and GDS included. */
bool gen_emit_wait(struct draw *d);
/* Nothing outstanding, every wait state passed, VCCZ known: what may follow need not know what was
 * before. */
void gen_settle(struct draw *d);

/* flow.c: blocks and barriers. */
bool gen_open_block(struct draw *d, isa_op op);
void gen_close_blocks(struct draw *d, bool all);
bool gen_draw_barrier(struct draw *d);

/* ready.c: appends a memory instruction; its operands may be moved to other registers before. False
 * as gen_emit. */
bool gen_emit_memory(struct draw *d, struct insn *in);
/* M0 = a constant. False as gen_emit, or if that cannot be had. */
bool gen_emit_m0(struct draw *d, u32 value);

/* sync.c: global wave sync, with what is needed around it. */
void gen_plan_sync(struct draw *d);
void gen_put_sync(struct draw *d, u32 wave, u32 *reg[SYNC_REGS]);
bool gen_draw_sync(struct draw *d, isa_op op);

/* around.c: a move between scalar registers, of s_mov_b32 or s_mov_b64. */
bool gen_emit_mov(struct draw *d, isa_op op, u32 dst, u32 src);
/* Fills g->is_around: which opcodes may need others around them, whatever the stream is. */
void gen_note_around(struct generator *g);
/* Whether an opcode needs others around it; if so it is drawn with them, *drawn says
 * whether that was possible. */
bool gen_draw_around(struct draw *d, isa_op op, bool *drawn);

/* index.c: fills g->by_m0: forms and features are chosen. */
void gen_note_m0(struct generator *g);
/* Whether an opcode finds registers by M0; if so it is drawn with what it needs, *drawn
 * says whether that was possible. */
bool gen_draw_by_m0(struct draw *d, isa_op op, bool *drawn);

#endif
