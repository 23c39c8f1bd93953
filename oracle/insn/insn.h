/* One instruction between dwords and execution: which row, which form, and its bits. Decoding
 * validates what must be known to find the length and the row; encoding is the identity on the
 * bits. */
#ifndef ORACLE_INSN_INSN_H
#define ORACLE_INSN_INSN_H

#include "oracle/isa/isa.h"

enum { INSN_DW_MAX = 3 };

struct insn {
    u16 op;            /* isa_op; OP_NONE if the dwords are not an instruction */
    u8 form : 3;       /* enum isa_form */
    u8 dw : 2;         /* length in dwords, 1..3 */
    u8 gen : 2;        /* enum gen */
    u8 packed_d16 : 1; /* the processor keeps 16-bit image data in pairs */
    u8 places;         /* where the fields stand, as gen, op and form say: index into isa_places */
    u32 lit;           /* the literal dword, if the form has one */
    u64 word;          /* first dword, second dword above it */
};

/* Hardware registers of s_getreg and s_setreg: HWREG_MODE ... */
enum {
#define HWREG(gens, id, name) HWREG_##name = id,
#include "oracle/isa/reg.def"
};

/* Decodes the instruction at dw[0..avail-1]. Always fills *in; in->op is OP_NONE and `why` (which
 * may be NULL) says why if the dwords are not an instruction of the processor; in->dw is then 1.
 * Vega ISA, chapter 13. */
bool insn_decode(const struct isa *isa, const u32 *dw, u32 avail, struct insn *in, struct err *why);

/* Writes the instruction's dwords (1 to 3) and returns how many. */
u32 insn_encode(const struct insn *in, u32 dw[INSN_DW_MAX]);

/* Starts an instruction of this row and form: fixed bits and op field set, everything else zero. */
void insn_start(const struct isa *isa, isa_op op, enum isa_form form, struct insn *in);

/* The bits that every instruction of its row and form has beside those of its encoding and its
 * number: what says SDWA, DPP or literal, and the selects of moves of accumulation registers. */
u64 insn_fixed_bits(const struct insn *in);

/* An instruction with plain operands: vector registers, aligned scalar registers, no modifier. */
void insn_neutral(const struct isa *isa, isa_op op, enum isa_form form, struct insn *in);

static inline const struct isa_row *insn_row(const struct insn *in)
{
    return &isa_rows[in->op];
}

_Static_assert(FORM_COUNT <= 1 << 3 && GEN_COUNT <= 1 << 2 && GEN_COUNT * PLACES_COUNT <= 256,
               "room in struct insn");

/* Where a field stands; width 0 if the form has no such field. As isa_field_pos, without asking the
 * row. */
static inline struct isa_pos insn_pos(const struct insn *in, enum isa_field field)
{
    return isa_places[in->places][field];
}

static inline bool insn_has(const struct insn *in, enum isa_field field)
{
    return field == FLD_lit ? in->form == FORM_LIT : insn_pos(in, field).width != 0;
}
static inline u32 insn_bits(const struct insn *in, struct isa_pos pos)
{
    return (u32)(in->word >> pos.lsb) & (u32)((1ull << pos.width) - 1);
}
/* A field's value; 0 if the form has no such field. FLD_lit is the literal. */
static inline u32 insn_get(const struct insn *in, enum isa_field field)
{
    return field == FLD_lit ? in->lit : insn_bits(in, insn_pos(in, field));
}
/* Sets a field (the value is cut to its width). BUG if the form has no such field. */
void insn_set(struct insn *in, enum isa_field field, u32 value);

enum {
    CODE_SGPR_LAST = 101,    /* of gfx8 and gfx9; insn_sgprs counts those of any */
    CODE_FLAT_SCRATCH = 102, /* of gfx8 and gfx9 */
    CODE_FLAT_SCRATCH_OLD = 104,
    CODE_VCC = 106,
    CODE_TRAP = 108, /* from here to CODE_TTMP_LAST what only a trap handler writes */
    CODE_TTMP = 108,
    CODE_TTMP_OLD = 112, /* before gfx9: tba and tma stand below */
    CODE_TTMP_LAST = 123,
    CODE_M0 = 124,
    CODE_EXEC = 126,
    CODE_OFF = 127,
    CODE_INT_0 = 128, /* inline constants: 0 to 64, then -1 to -16 */
    CODE_INT_1 = 129,
    CODE_INT_64 = 192,
    CODE_INT_MINUS_1 = 193,
    CODE_INT_MINUS_16 = 208,
    CODE_FLOAT_0_5 = 240, /* FLOATCONST of oracle/isa/reg.def */
    CODE_FLOAT_1_0 = 242,
    CODE_FLOAT_LAST = 248,
    CODE_VCCZ = 251,
    CODE_EXECZ = 252,
    CODE_SCC = 253,
    CODE_LDS_DIRECT = 254,
    CODE_LIT = 255,
    CODE_VGPR = 256,
    CODE_ACC = 512
};

/* An operand's code in the ISA's own numbering: 0-255 scalar operand codes, 256-511 v0-v255,
 * 512-767 a0-a255. For 8-bit vector fields 256 is added; for SDWA the scalar bits are applied;
 * SBASE is doubled; an absent MASK field is 106 (vcc). Immediates come back as the raw field. */
u32 insn_code_of_any(const struct insn *in, const struct isa_operand *o);
static inline u32 insn_code(const struct insn *in, const struct isa_operand *o)
{
    /* Most operands, and asked of each several times before an instruction has run once. */
    if (o->kind == K_SRC || o->kind == K_VGPR) {
        struct isa_pos pos = insn_pos(in, (enum isa_field)o->field);
        if (pos.width == 9)
            return insn_bits(in, pos);
        if (o->kind == K_VGPR || in->form != FORM_SDWA)
            return CODE_VGPR + insn_bits(in, pos);
    }
    return insn_code_of_any(in, o);
}

/* The inverse: makes insn_code(in, o) answer `code`, with the bits that belong to it beside the
 * operand's own field: those of SDWA that say "scalar", sd of a MASK, acc of a VASRC. The form stays
 * as it is, and so does whether the operand is there. False, and *in is unchanged, if this operand
 * cannot hold the code in this form: a scalar register in a vector field, a resource that does not
 * begin at a multiple of four, anything but its own code where there is no field. What a legal
 * instruction may name there is insn_legal's to say. */
bool insn_set_code(struct insn *in, const struct isa_operand *o, u32 code);

/* Of a generation: how many scalar registers s0, s1, ... there are, where FLAT_SCRATCH stands, and
 * the first trap temporary. */
static inline u32 insn_sgprs(enum gen gen)
{
    return gen < GEN_GFX8 ? 104 : CODE_SGPR_LAST + 1;
}
static inline u32 insn_flat_scratch(enum gen gen)
{
    return gen < GEN_GFX8 ? CODE_FLAT_SCRATCH_OLD : CODE_FLAT_SCRATCH;
}
static inline u32 insn_first_ttmp(enum gen gen)
{
    return gen < GEN_GFX9 ? CODE_TTMP_OLD : CODE_TTMP;
}

/* The code of an integer that is an inline constant. */
static inline u32 insn_code_of_int(i32 v)
{
    return (u32)(v >= 0 ? CODE_INT_0 + v : CODE_INT_64 - v);
}

/* What SDWA selects of a register. */
enum insn_sel { SEL_BYTE_0, SEL_BYTE_3 = 3, SEL_WORD_0, SEL_WORD_1, SEL_DWORD, SEL_COUNT };

/* What the instruction is called on its generation, without form suffix. */
static inline const char *insn_name(const struct insn *in)
{
    return isa_name((enum gen)in->gen, in->op);
}

/* The value of a source that is a constant of this type: inline constant or literal, widened to the
 * type's size (64-bit integers sign-extend, 64-bit floats and their literals as documented). False
 * if the code names a register or something unknown. Vega ISA, chapter 6 (operand table). */
bool insn_constant(const struct insn *in, u32 code, enum isa_type type, u64 *value);

/* The scalar register that a scalar memory instruction adds to its address, or -1: soffset if SOE
 * is set, else offset unless that is an immediate. Vega ISA, chapter 7. */
i32 insn_smem_offset_register(const struct insn *in);

/* The field that holds an operand's code: its own, but with compr the four operands of an export
 * are two registers. */
static inline enum isa_field insn_operand_field(const struct insn *in, const struct isa_operand *o)
{
    if (o->kind != K_EXPSRC || !insn_get(in, FLD_compr))
        return (enum isa_field)o->field;
    return o->field == FLD_vsrc0 || o->field == FLD_vsrc1 ? FLD_vsrc0 : FLD_vsrc1;
}

/* The three that follow are asked of every operand several times before an instruction has run once,
 * and of most kinds the answer is short: so they stand here. */

/* Whether the operand is there at all: some are only with, or without, a modifier. */
static inline bool insn_operand_there(const struct insn *in, const struct isa_operand *o)
{
    if (o->kind == K_BDATA || o->kind == K_LDATA)
        return !insn_get(in, FLD_lds);
    return o->kind != K_RTN || insn_get(in, FLD_glc);
}

/* Whether an address operand is written "off" because another field says that it is not used. */
static inline bool insn_operand_off(const struct insn *in, const struct isa_operand *o)
{
    switch (o->kind) {
    case K_SADDR:
    case K_SSADDR: return insn_get(in, FLD_saddr) == CODE_OFF;
    case K_SVADDR: return insn_get(in, FLD_saddr) != CODE_OFF;
    case K_BADDR:
        return !insn_get(in, FLD_idxen) && !insn_get(in, FLD_offen) && !insn_get(in, FLD_addr64);
    case K_EXPSRC: return !(insn_get(in, FLD_en) >> (o->field - FLD_vsrc0) & 1);
    default: return false;
    }
}

/* Dwords an operand covers: of its type, except that a 32-bit VADDR covers one, and what modifiers say
 * of buffers and images. */
u32 insn_operand_dw_by_mods(const struct insn *in, const struct isa_operand *o);
static inline u32 insn_operand_dw(const struct insn *in, const struct isa_operand *o)
{
    switch (o->kind) {
    case K_VADDR:
    case K_BADDR:
    case K_BDATA:
    case K_IDATA:
    case K_IRAW:
    case K_GATHER:
    case K_IATOMIC: return insn_operand_dw_by_mods(in, o);
    default: return isa_types[o->type].dwords;
    }
}
/* The most that it may read, in dwords: the same, but of an image's address, of which the resource says how long
 * it is. */
u32 insn_operand_most(const struct isa_row *row, const struct isa_operand *o, u32 dw);

/* Whether the instruction may be executed with known effect, apart from being decodable: register
 * ranges and alignment, constant bus, reserved codes, unused bits zero, modifiers its operands do
 * not take or whose effect is not known. The text of a legal instruction assembles to the same
 * bits. ST_INPUT with the reason in e. */
enum status insn_legal(const struct isa *isa, const struct insn *in, struct err *e);

/* Whether insn_print has something true to print: no reserved codes, and only fields that the row
 * has (or that disassemblers commonly do not look at). Weaker than insn_legal. ST_INPUT with the
 * reason in e. */
enum status insn_printable(const struct isa *isa, const struct insn *in, struct err *e);

/* Where an instruction at `pc` goes whose row has TARGET_DISTANCE: an address. */
u64 insn_flow_target(const struct insn *in, u64 pc);

/* The code of the first of the two scalar registers that hold where an instruction goes whose row
 * has TARGET_REGISTER; it may be a constant's, of s_cbranch_g_fork and s_rfe_restore_b64. */
u32 insn_flow_register(const struct insn *in);

/* Disassembly in LLVM's spelling, without address or comment: writes the text (cut to size, always
 * ended) and returns its whole length. What is no instruction prints as .long. Branch distances
 * print as LLVM's disassembler prints them, 0 to 65535; insn_parse also takes them with a sign. */
size_t insn_print(const struct isa *isa, const struct insn *in, char *buf, size_t size);

/* The text of one operand alone, in the same way. */
size_t insn_print_operand(const struct insn *in, const struct isa_operand *o, char *buf,
                          size_t size);

/* Assembles one line. Mnemonic with or without form suffix; without one the shortest legal form is
 * chosen, as LLVM does. ST_INPUT with the reason (and the offending token) in e. */
enum status insn_parse(const struct isa *isa, const char *line, struct insn *in, struct err *e);

/* Assembles a listing: one instruction per line, `name:` labels (before an instruction or alone),
 * branches to labels or by signed dwords, comments after // ; or #, and between slash-star pairs
 * within a line; `.fill COUNT, 4, VALUE` gives COUNT dwords. Writes at most `max` dwords and sets
 * *n. ST_INPUT with e->line set (from 1). */
enum status insn_parse_program(const struct isa *isa, const char *text, u32 *dw, u32 max, u32 *n,
                               struct err *e);

#endif
