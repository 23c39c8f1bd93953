/* What printing, parsing and checking instructions share: modifiers, register names, shuffles,
 * counters. All of it comes from oracle/isa/mod.def and reg.def. Used by text.c, asm*.c and legal.c,
 * and by what counts which modifiers were tested (fuzz/cover). */
#ifndef ORACLE_INSN_TEXT_H
#define ORACLE_INSN_TEXT_H

#include "oracle/insn/counter.h"
#include "oracle/insn/insn.h"
#include "oracle/isa/gens.h"

enum mod_style {
    STYLE_NONE, /* ends a list */
    STYLE_FLAG,
    STYLE_NUM,
    STYLE_SNUM,
    STYLE_HEX,
    STYLE_MASK,
    STYLE_OMOD,
    STYLE_SEL,
    STYLE_UNUSED,
    STYLE_DPP,
    STYLE_BOUND,
    STYLE_FORMAT,
    STYLE_SELS,
    STYLE_SELDST,
    STYLE_SELHI,
    STYLE_DMASK,
    STYLE_SWIZZLE
};

enum mod_needs {
    NEEDS_ALL,
    NEEDS_SRC1,
    NEEDS_CLAMP,
    NEEDS_OMOD,
    NEEDS_OMODD,
    NEEDS_OFF1,
    NEEDS_OFF2,
    NEEDS_GDS,
    NEEDS_SOE,
    NEEDS_ACCESS,
    NEEDS_VADDR,
    NEEDS_TFE,
    NEEDS_FROM_LDS,
    NEEDS_INTO_LDS,
    NEEDS_OPSEL,
    NEEDS_PACKED,
    NEEDS_HIGH,
    NEEDS_D16,
    NEEDS_SWIZZLE,
    NEEDS_RETURN,
    NEEDS_MATRIX
};

struct mod {
    const char *text;
    u8 field;
    u8 style; /* enum mod_style */
    u8 needs; /* enum mod_needs */
};
enum { MODS_MAX = 12 };

/* The modifiers of a layout (of the suffix, for SDWA and DPP), ended by STYLE_NONE. */
const struct mod *text_mods(const struct isa_row *row, enum isa_form form);

/* Whether the row takes this modifier of its layout on a generation. */
bool text_mod_applies(enum gen gen, const struct isa_row *row, enum isa_form form,
                      const struct mod *m);

/* Whether lanes are shuffled by a pattern in the offset: shuffles by data have a data operand. */
bool text_is_swizzle(const struct isa_row *row);

/* How many sources op_sel and its like select for. */
u32 text_sel_sources(const struct isa_row *row);
/* op_sel_hi, bits 2:0, which stands in two fields. */
u32 text_sel_hi(const struct insn *in);
void text_set_sel_hi(struct insn *in, u32 bits);

/* Bits of a layout that may hold anything where the row has no use for them. */
u64 text_spare_bits(enum gen gen, enum isa_layout lay);

enum { UNUSED_COUNT = 3 };
extern const char *const text_sel_names[SEL_COUNT];
extern const char *const text_unused_names[UNUSED_COUNT];

/* A named scalar register or source; dwords is 0 where any width may be read. NULL name ends the
 * list. */
struct reg_name {
    const char *name;
    u16 code;
    u8 dwords;
    u8 gens; /* bits by enum gen */
};
extern const struct reg_name text_regs[];
/* How many of text_regs are printed; the rest is only parsed. */
extern const u32 text_regs_printed;

/* The printed name of a scalar code that has one on the generation, or NULL. */
const char *text_reg_name(enum gen gen, u32 code, u32 dwords);

/* A dpp_ctrl range other than quad_perm; value is what stands for the first code, or -1. */
struct dpp_name {
    const char *text;
    u16 first, last;
    i16 value;
};
extern const struct dpp_name text_dpp[];
/* The range a code belongs to, or NULL; codes up to 255 are quad_perm. */
const struct dpp_name *text_dpp_of(u32 code);

struct float_name {
    const char *text; /* where 32 bits are read */
    const char *wide; /* where 64 bits are read */
    u16 code;
    u16 f16;
    u32 f32;
    u64 f64;
};
enum { FLOATS_COUNT = CODE_FLOAT_LAST - CODE_FLOAT_0_5 + 1 };
extern const struct float_name text_floats[FLOATS_COUNT];
/* How many of them a generation has. */
static inline u32 text_floats_count(enum gen gen)
{
    return gen < GEN_GFX8 ? FLOATS_COUNT - 1 : FLOATS_COUNT;
}

/* The bits of a literal of 32 bits or less that means this float: packed f16 are the one in the low
 * half. */
static inline u32 text_float_bits(const struct float_name *f, enum isa_type type)
{
    return isa_type_is_short(type) || type == T_PF16 ? f->f16 : f->f32;
}

enum { HWREGS = 64 };
struct hwreg_name {
    const char *name; /* NULL where only the number is known */
    u8 gens;          /* bits by enum gen: those that have the name */
};
extern const struct hwreg_name text_hwregs[HWREGS];
/* The name of a hardware register on the generation, or NULL. */
const char *text_hwreg(enum gen gen, u32 id);

/* What s_sendmsg sends: message in bits 3:0, operation in 6:4, stream in 9:8. Vega ISA,
 * section 4.6. */
enum { MSGS = 16, MSGOPS = 8, MSG_STREAMS = 4 };
enum msg_ops { MSG_PLAIN, MSG_GS, MSG_GS_DONE, MSG_SYS };
struct msg_name {
    const char *name; /* NULL where only the number is known */
    u8 ops;           /* enum msg_ops: which operations it has */
    u8 since;         /* enum gen */
};
extern const struct msg_name text_msgs[MSGS];

/* The name of a message on the generation, or NULL. */
const char *text_msg(enum gen gen, u32 msg);
/* The name of an operation of a message, or NULL. */
const char *text_msg_op(enum gen gen, enum msg_ops ops, u32 op);
/* Whether a message that is named may have this operation and stream. */
bool text_msg_valid(enum gen gen, u32 msg, u32 op, u32 stream);
/* Whether a stream belongs behind the operation. */
bool text_msg_has_stream(u32 msg, u32 op);
/* Write the text of such a 16-bit field at p, unended, and return its end; at most 80
 * characters. */
char *text_put_sendmsg(char *p, enum gen gen, u32 simm16);
char *text_put_gpr_idx(char *p, u32 bits);
/* The offset of ds_swizzle_b32: bit 15 set: lanes of a quad; clear: lane number AND, OR, XOR masks
 * of 5 bits each. */
char *text_put_swizzle(char *p, u32 offset);
/* Whether the text of such an offset stands for this offset only. */
bool text_swizzle_is_plain(u32 offset);

/* Parameters of v_interp_mov_f32. */
enum { PARAMS = 3, ATTR_LAST = 32 };
extern const char *const text_params[PARAMS];

enum { GPR_IDX_BITS = 4 };
extern const char *const text_gpr_idx[GPR_IDX_BITS]; /* operands that are indexed, by bit */

/* Formats of typed buffers: data format in bits 3:0, number format in 6:4. Vega ISA, section
 * 8.1. */
enum { DATA_FORMATS = 16, NUM_FORMATS = 8, DATA_FORMAT_DEFAULT = 1 };
extern const char *const text_data_formats[DATA_FORMATS];
/* The name of a number format on the generation. */
const char *text_num_format(enum gen gen, u32 format);

/* A range of export targets; numbered from 0 if there are several. NULL name ends the list. */
struct export_name {
    const char *name;
    u8 first, last;
};
extern const struct export_name text_exports[];
/* The range a target belongs to, or NULL. */
const struct export_name *text_export_of(u32 target);

/* Write the text of such a field at p, unended, and return its end; at most 80 characters. */
char *text_put_format(char *p, enum gen gen, u32 format);
char *text_put_export_target(char *p, u32 target);

/* What a form lets stand before a source operand. */
enum { TAKES_NEG = 1, TAKES_ABS = 2, TAKES_SEXT = 4 };
u32 text_source_mods(const struct insn *in, const struct isa_operand *o);
/* The modifiers (TAKES_ bits) that are set. */
u32 text_source_get(const struct insn *in, const struct isa_operand *o);
void text_source_set(struct insn *in, const struct isa_operand *o, u32 mods);

/* Integer constants -16..64 print as numbers; so do those literals. */
static inline bool text_is_inline_int(i64 v)
{
    return v >= -16 && v <= 64;
}

/* How strictly insn_check looks. */
enum check_level {
    CHECK_TEXT, /* every field holds something that can be written down */
    CHECK_ASM,  /* and the assembler takes it: constant bus */
    CHECK_ALL   /* and its effect is known, and its text means these bits again */
};
enum status insn_check(const struct isa *isa, const struct insn *in, enum check_level level,
                       struct err *e);

#endif
