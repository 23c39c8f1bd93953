/* What instructions are: opcodes, operand lists, encodings, processors, all from the rows in
 * oracle/isa/. A struct isa is one processor's view: it answers which row a number or a name means
 * there. */
#ifndef ORACLE_ISA_ISA_H
#define ORACLE_ISA_ISA_H

#include "oracle/isa/column.h"

enum gen { GEN_GFX6, GEN_GFX7, GEN_GFX8, GEN_GFX9, GEN_COUNT };

/* What only some processors have, oracle/isa/target.def. */
enum isa_feature_bit {
#define FEATURE(name, touches, meaning) FEATUREBIT_##name,
#define GENERATION(gen, features)
#define TARGET(mcpu, gen, status, features)
#include "oracle/isa/target.def"
#undef FEATURE
#undef GENERATION
#undef TARGET
    FEATUREBIT_COUNT
};

enum isa_type {
#define TYPE(name, dwords, class, bytes, traits, c) T_##name,
#include "oracle/isa/type.def"
#undef TYPE
    T_COUNT
};
/* The traits of a type. */
enum { TYPE_PLAIN, TYPE_HALF = 1, TYPE_PACKED = 2, TYPE_INLINE16 = 4 };
enum type_class { CLASS_BITS, CLASS_INT, CLASS_FLOAT, CLASS_LANEMASK, CLASS_SIGNED };

enum isa_kind {
#define KIND(name, class, meaning) K_##name,
#include "oracle/isa/kind.def"
#undef KIND
    K_COUNT
};

/* What kinds have in common. */
enum operand_class {
    OPERAND_NOTHING,
    OPERAND_VECTOR,    /* vector registers */
    OPERAND_ACC,       /* accumulation registers, mostly */
    OPERAND_SOURCE,    /* registers or constants */
    OPERAND_SCALAR,    /* scalar registers */
    OPERAND_IMMEDIATE, /* a number in the instruction */
    OPERAND_OFFSET,    /* a number or a scalar register */
    OPERAND_LITERAL    /* a number behind the instruction */
};

enum isa_field {
#define FIELDNAME(name) FLD_##name,
#include "oracle/isa/field.def"
#undef FIELDNAME
    FLD_COUNT
};

enum isa_layout {
    LAY_NONE,
#define LAYOUT(name, dwords, mask, match) LAY_##name,
#define LAYOUT_VARIES(name)               LAY_##name,
#define LAYOUT_ON(gens, name, dwords, mask, match)
#define SUFFIX(name, src0) LAY_##name,
#define FIELD(layout, field, lsb, width)
#define FIELD_ON(gens, layout, field, lsb, width)
#include "oracle/isa/layout.def"
#undef LAYOUT
#undef LAYOUT_VARIES
#undef LAYOUT_ON
#undef SUFFIX
#undef FIELD
#undef FIELD_ON
    LAY_COUNT
};

/* Layouts that make one instruction with a SUFFIX: M(first, second, ...) for each. */
#define ISA_PAIRS(M, ...)       \
    M(VOP1, SDWA, __VA_ARGS__)  \
    M(VOP2, SDWA, __VA_ARGS__)  \
    M(VOPC, SDWAB, __VA_ARGS__) \
    M(VOP1, DPP, __VA_ARGS__)   \
    M(VOP2, DPP, __VA_ARGS__)

/* Where the fields of an instruction stand: as its layout says, or that and the second dword's, which goes first: of
 * both src0 is what the instruction reads. */
enum isa_places {
    PLACES_BEFORE = LAY_COUNT - 1,
#define PLACES(one, two, unused) PLACES_##one##_##two,
    ISA_PAIRS(PLACES, )
#undef PLACES
        PLACES_COUNT
};

enum isa_enc {
#define ENC(name, layout, e64, g67, g89, unit, memory) ENC_##name,
#include "oracle/isa/enc.def"
#undef ENC
    ENC_COUNT
};

/* Forms of one opcode. BASE is e32 for VOP1, VOP2, VOPC and the only form of most encodings; LIT is
 * BASE with a literal dword behind it; E64B is E64 with an own scalar destination. */
enum isa_form { FORM_BASE, FORM_LIT, FORM_E64, FORM_SDWA, FORM_DPP, FORM_COUNT };
enum {
    F_BASE = 1 << FORM_BASE,
    F_LIT = 1 << FORM_LIT,
    F_E64 = 1 << FORM_E64,
    F_SDWA = 1 << FORM_SDWA,
    F_DPP = 1 << FORM_DPP,
    F_VOP3B = 1 << FORM_COUNT,
    F_E64B = F_E64 | F_VOP3B
};

/* The position of an operand in a prepared instruction, by the variable that row bodies use for
 * it. */
enum isa_slot {
    SLOT_D,
    SLOT_CARRY,
    SLOT_S0,
    SLOT_S1,
    SLOT_S2,
    SLOT_COUNT,
    SLOT_CIN = SLOT_S2,
    SLOT_K = SLOT_S2,
    SLOT_IMM = SLOT_S1,
    SLOT_HW = SLOT_S1,
    SLOT_TARGET = SLOT_S1,
    SLOT_ADDR = SLOT_S0,
    SLOT_DATA0 = SLOT_S1,
    SLOT_DATA1 = SLOT_S2,
    SLOT_BASE = SLOT_CARRY,
    SLOT_OFF = SLOT_S1,
    SLOT_SDATA = SLOT_S2,
    SLOT_SOFF = SLOT_S2,
    SLOT_SAMP = SLOT_S2,
    SLOT_TGT = SLOT_D,
    SLOT_S3 = SLOT_CARRY
};

/* Row flags, oracle/isa/flag.def. */
enum isa_flag_bit {
#define FLAG(name, meaning) FLAGBIT_##name,
#include "oracle/isa/flag.def"
#undef FLAG
    FLAGBIT_COUNT
};
__extension__ enum isa_flag {
#define FLAG(name, meaning) FLAG_##name = 1ull << FLAGBIT_##name,
#include "oracle/isa/flag.def"
#undef FLAG
};

/* How surely a row's results are known: what counts as equal to the model's. For every float result
 * holds besides: which of two NaNs comes out is open, and on which side of rounding tininess is
 * judged. The upper bits of a row's flags; rows write EXACT (the default), SET, ULP(n), REL(n),
 * ABS(n), PROBE, oracle/isa/accept.def. */
enum isa_accept {
    ACCEPT_EXACT, /* bit by bit */
    ACCEPT_SET,   /* for some operands there are several right results: the row's function names
                 * them */
    ACCEPT_ULP,   /* at most n units in the last place from the exact value */
    ACCEPT_REL,   /* at most 2^-n of the exact value */
    ACCEPT_ABS,   /* at most 2^-n from the exact value */
    ACCEPT_PROBE, /* not compared */
    ACCEPT_COUNT
};
enum { ACCEPT_LSB = 61, ACCEPT_N_LSB = 53 }; /* 3 and 8 bits */

/* An opcode: the place of its row in isa_rows. oracle/isa/op.h has their names, OP_v_add_u32: a
 * file that includes it is compiled again with every new row, and so no header does. */
typedef u32 isa_op;
enum { OP_NONE, OPS_MAX = 2048 };

enum operand_dir { DIR_W = 1, DIR_R = 2, DIR_RW = 3 };
enum { OPERANDS_MAX = 5 };

struct isa_operand {
    u8 slot; /* enum isa_slot */
    u8 field;
    u8 kind; /* K_NONE ends the list */
    u8 type;
    u8 dir;
};

/* One opcode. Read-only, lives for ever. */
struct isa_row {
    const char *name;
    const char *semantics; /* the row's body as written; NULL if not modelled */
    u8 enc;
    u8 forms; /* F_ bits; 0 for OP_NONE alone */
    u8 unit;  /* columns by isa_unit() and the functions below it */
    u8 memory;
    u8 flow;
    u8 m0;
    u8 bytes;
    u8 passes;
    i16 number[GEN_COUNT]; /* in the row's encoding; -1 where it does not exist */
    u32 needs;             /* features: bits by enum isa_feature_bit */
    u64 flags;             /* FLAG_ bits */
    struct isa_operand operand[OPERANDS_MAX + 1];
};

extern const struct isa_row isa_rows[];
extern const u32 isa_op_count; /* rows, that of OP_NONE included; below OPS_MAX */

/* What can be done with the programs of a processor, oracle/isa/target.def. */
enum isa_status { STATUS_DESCRIBED, STATUS_MODELLED };

struct isa_target {
    const char *mcpu;
    u8 gen;
    u8 status;    /* enum isa_status */
    u32 features; /* bits by enum isa_feature_bit */
};

/* Whether the processor has a feature. */
static inline bool isa_target_has(const struct isa_target *target, enum isa_feature_bit feature)
{
    return target->features >> feature & 1;
}

/* The most LDS of a work-group, and the pieces in which it is allocated, in bytes. Guide, M0 and
 * GRANULATED_LDS_SIZE. */
static inline u32 isa_lds_max(const struct isa_target *target)
{
    return isa_target_has(target, FEATUREBIT_SMALL_LDS) ? 32768 : 65536;
}
static inline u32 isa_lds_granule(const struct isa_target *target)
{
    return isa_target_has(target, FEATUREBIT_SMALL_LDS) ? 256 : 512;
}

/* Whether all processors of a generation have it, as target.def says. */
bool isa_generation_has(enum gen gen, enum isa_feature_bit feature);

enum { NUMBERS_MAX = 1024, NAME_SLOTS = 4096, PREFIX_LSB = 23, PREFIXES = 1 << (32 - PREFIX_LSB) };

/* Whether memory has error correction, which half loads show: of processors that may have it, the
 * answer is open unless the name says. */
enum sram_ecc { ECC_OPEN, ECC_OFF, ECC_ON };

/* One processor's decode and name tables. Plain data over the caller's memory, read-only after
 * isa_open. */
struct isa {
    const struct isa_target *target;
    u8 ecc;                                /* enum sram_ecc */
    bool row_names;                        /* by_name has the names of rows */
    u16 by_number[LAY_COUNT][NUMBERS_MAX]; /* indexed by layout of the word and its op field */
    u16 by_name[NAME_SLOTS];               /* open-addressed hash of mnemonics */
    u8 by_prefix[PREFIXES]; /* the first layout that dwords with these upper bits may have */
};

/* Whether a load of 16 bits makes the other half of its register 0: error correction of memory does,
 * and so do processors before gfx9. ERRATA(GCN3-U03): no manual says it of those. */
static inline bool isa_clears_half(const struct isa *isa)
{
    return isa->ecc == ECC_ON || isa_target_has(isa->target, FEATUREBIT_D16_CLEARS);
}

/* Fills *isa for a processor name; gfx906 and gfx908 take ":sramecc+" and ":sramecc-" behind it.
 * ST_INPUT if there is no such processor, with the known ones in e, or it has no such setting. */
enum status isa_open(struct isa *isa, const char *mcpu, struct err *e);

/* Whether `name`, without what stands behind a colon, is the processor's. */
bool isa_name_is(const char *name, const char *mcpu);

/* Whether the generation has a hardware register of this number that reg.def names. */
bool isa_has_hwreg(const struct isa *isa, u32 id);

/* From now on isa_find takes the names of rows in place of what the processor's generation calls
 * them: one spelling of a program, that of gfx9, for all processors. */
void isa_use_row_names(struct isa *isa);

/* The same as isa_open for who runs programs: also ST_WORLD if the processor is described, but not
 * modelled. */
enum status isa_open_modelled(struct isa *isa, const char *mcpu, struct err *e);

/* Whether programs of the processor can run. */
static inline bool isa_target_modelled(const struct isa_target *target)
{
    return target->status == STATUS_MODELLED;
}

/* The processors, in order; NULL behind the last. */
const struct isa_target *isa_target_at(u32 index);

/* The processor of a name, whatever stands behind a colon in it; NULL if there is none. */
const struct isa_target *isa_target_find(const char *mcpu);

/* The opcode of a mnemonic without form suffix, or OP_NONE. `len` is in bytes. */
isa_op isa_find(const struct isa *isa, const char *name, size_t len);

/* Whether the opcode exists on the processor. */
static inline bool isa_has(const struct isa *isa, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    return op != OP_NONE && row->number[isa->target->gen] >= 0 &&
           (row->needs & ~isa->target->features) == 0;
}

/* What a feature is called and what it means, as oracle/isa/target.def has it. */
struct isa_feature_info {
    const char *name, *meaning;
    u8 touches; /* a word of oracle/isa/touch.c */
};
extern const struct isa_feature_info isa_features[FEATUREBIT_COUNT];

/* The features (bits by enum isa_feature_bit) that change what the row does on processors that have
 * them, or what its operands may be: two processors that agree in these execute it alike. Those that
 * the row needs to be there at all (row->needs) are not among them. */
u32 isa_touching(const struct isa_row *row);

/* "gfx6" to "gfx9". */
const char *isa_gen_name(enum gen gen);

/* What the opcode is called on the generation: the row's name, unless it was spelled
 * differently. */
const char *isa_name(enum gen gen, isa_op op);

/* The forms (F_ bits) that a row has on the generation. */
u32 isa_forms(enum gen gen, const struct isa_row *row);

struct isa_layout_info {
    const char *name;
    u8 dwords;
    u32 mask, match; /* of the first dword; a suffix has its src0 code in match */
};
/* NULL names where a generation does not have the layout. */
extern const struct isa_layout_info isa_layouts[GEN_COUNT][LAY_COUNT];

struct isa_enc_info {
    const char *name;
    u8 layout, e64_layout;
    u16 e64_offset[GEN_COUNT]; /* of the row's number in VOP3 */
};
extern const struct isa_enc_info isa_encs[ENC_COUNT];

/* The layout of the first dword(s), and of the second dword of SDWA and DPP (LAY_NONE if there is
 * none). */
static inline enum isa_layout isa_layout_of(const struct isa_row *row, enum isa_form form)
{
    if (form != FORM_E64)
        return (enum isa_layout)isa_encs[row->enc].layout;
    if (row->forms & F_VOP3B)
        return LAY_VOP3B;
    return (enum isa_layout)isa_encs[row->enc].e64_layout;
}
static inline enum isa_layout isa_suffix_of(const struct isa_row *row, enum isa_form form)
{
    if (form == FORM_SDWA)
        return row->enc == ENC_VOPC ? LAY_SDWAB : LAY_SDWA;
    return form == FORM_DPP ? LAY_DPP : LAY_NONE;
}

/* Where a field stands in the 64-bit word of an instruction of this row and form; width 0 if it has
 * none on the generation. */
struct isa_pos {
    u8 lsb;
    u8 width;
};
extern const struct isa_pos isa_places[GEN_COUNT * PLACES_COUNT][FLD_COUNT];

/* The index into isa_places: of a layout, and of the instructions of a row in a form. */
static inline u32 isa_layout_places(enum gen gen, enum isa_layout lay)
{
    return (u32)gen * PLACES_COUNT + (u32)lay;
}
static inline u32 isa_form_places(enum gen gen, const struct isa_row *row, enum isa_form form)
{
    u32 base = (u32)gen * PLACES_COUNT;
    if (form == FORM_SDWA)
        return base + (row->enc == ENC_VOPC   ? PLACES_VOPC_SDWAB
                       : row->enc == ENC_VOP1 ? PLACES_VOP1_SDWA
                                              : PLACES_VOP2_SDWA);
    if (form == FORM_DPP && row->enc != ENC_VOPC)
        return base + (row->enc == ENC_VOP1 ? PLACES_VOP1_DPP : PLACES_VOP2_DPP);
    return base + (u32)isa_layout_of(row, form);
}

static inline struct isa_pos isa_layout_pos(enum gen gen, enum isa_layout lay, enum isa_field field)
{
    return isa_places[isa_layout_places(gen, lay)][field];
}
static inline struct isa_pos isa_field_pos(enum gen gen, const struct isa_row *row,
                                           enum isa_form form, enum isa_field field)
{
    return isa_places[isa_form_places(gen, row, form)][field];
}

struct isa_type_info {
    const char *name;
    u8 dwords;
    u8 class;
    u8 bytes;  /* of memory that a value takes */
    u8 traits; /* TYPE_ bits */
};
extern const struct isa_type_info isa_types[T_COUNT];

struct isa_kind_info {
    u8 class; /* enum operand_class */
    const char *meaning;
};
extern const struct isa_kind_info isa_kinds[K_COUNT];

/* Whether the operand's code may be that of a register: constants have other codes. */
static inline bool isa_kind_is_register(enum isa_kind kind)
{
    return isa_kinds[kind].class <= OPERAND_SCALAR;
}

/* Whether a register holds several values, each used by itself. */
static inline bool isa_type_is_packed(enum isa_type type)
{
    return isa_types[type].traits & TYPE_PACKED;
}

/* Bytes of memory that a value of the type takes. */
static inline u32 isa_type_bytes(enum isa_type type)
{
    return isa_types[type].bytes;
}

/* Whether values have 16 bits. */
static inline bool isa_type_is_half(enum isa_type type)
{
    return isa_types[type].traits & TYPE_HALF;
}

/* Whether a constant is written as 16 bits: that of packed values is written as all 32. */
static inline bool isa_type_is_short(enum isa_type type)
{
    return isa_type_is_half(type) && !isa_type_is_packed(type);
}

/* Whether inline floats are f16 to the type; to others of one dword they are f32. */
static inline bool isa_type_has_f16(enum isa_type type)
{
    return isa_types[type].traits & TYPE_INLINE16;
}

extern const char *const isa_field_names[FLD_COUNT];
extern const char *const isa_form_names[FORM_COUNT]; /* "e32" "literal" "e64" "sdwa" "dpp" */

/* Whether the row works on packed values. */
static inline bool isa_row_is_packed(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_SRC && isa_type_is_packed((enum isa_type)o->type))
            return true;
    return false;
}

/* Whether the row moves between vector and accumulation registers. */
static inline bool isa_row_is_acc_move(const struct isa_row *row)
{
    return row->unit == UNIT_MATRIX && !row->passes;
}

/* ---- columns ---- */

static inline enum isa_unit isa_unit(const struct isa_row *row)
{
    return (enum isa_unit)row->unit;
}

static inline enum isa_memory isa_memory(const struct isa_row *row)
{
    return (enum isa_memory)row->memory;
}

static inline enum isa_flow isa_flow(const struct isa_row *row)
{
    return (enum isa_flow)row->flow;
}

/* Where control may go beside the next instruction. */
static inline enum isa_flow_target isa_flow_target(const struct isa_row *row)
{
    return (enum isa_flow_target)isa_flows[row->flow].target;
}

/* Whether control may go on with the next instruction. */
static inline bool isa_flow_passes(const struct isa_row *row)
{
    return isa_flows[row->flow].passes && !(row->flags & FLAG_END);
}

/* Whether it is a call: goes elsewhere and leaves the next instruction's address behind. */
static inline bool isa_flow_calls(const struct isa_row *row)
{
    return isa_flows[row->flow].links && isa_flows[row->flow].target != TARGET_NONE;
}

static inline enum isa_m0 isa_m0(const struct isa_row *row)
{
    return (enum isa_m0)row->m0;
}

/* How many passes of four cycles a matrix product takes; 0 for all other rows. */
static inline u32 isa_passes(const struct isa_row *row)
{
    return row->passes;
}

/* Bytes of memory that one element of the row's access covers: what is read for a result, or
 * written of its data. 0 for rows that have no data; of rows with a texel format, the format
 * decides. */
u32 isa_access_bytes(const struct isa_row *row);

/* Which counters of s_waitcnt count it, as COUNTS_ bits; GDS's expcnt not included. */
u32 isa_counters(const struct isa_row *row);

/* Scalar ALU, program control included. */
static inline bool isa_is_salu(const struct isa_row *row)
{
    return row->unit == UNIT_SALU || row->unit == UNIT_CONTROL;
}

/* Vector ALU in the wide sense: interpolation and the matrix core included. */
static inline bool isa_is_vector_alu(const struct isa_row *row)
{
    return row->unit == UNIT_VALU || row->unit == UNIT_INTERP || row->unit == UNIT_MATRIX;
}

/* What is issued once for the wave, whatever its lanes are. */
static inline bool isa_is_scalar(const struct isa_row *row)
{
    return isa_is_salu(row) || row->unit == UNIT_SMEM;
}

static inline bool isa_is_vmem(const struct isa_row *row)
{
    return row->unit == UNIT_VMEM || row->unit == UNIT_FLAT;
}

/* The first operand of a kind; NULL if there is none. */
static inline const struct isa_operand *isa_operand_of_kind(const struct isa_row *row,
                                                            enum isa_kind kind)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == kind)
            return o;
    return NULL;
}

/* Whether it computes with floats, and so depends on MODE and may raise exceptions. */
static inline bool isa_is_float(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (isa_types[o->type].class == CLASS_FLOAT)
            return true;
    return false;
}

/* Whether it sends a message. */
static inline bool isa_is_message(const struct isa_row *row)
{
    return row->operand[0].kind == K_SENDMSG;
}

/* What a form is called for this row: "e32" only where an e64 form exists too, else "base". */
const char *isa_form_name(enum gen gen, const struct isa_row *row, enum isa_form form);

static inline enum isa_accept isa_accept_kind(const struct isa_row *row)
{
    return (enum isa_accept)(row->flags >> ACCEPT_LSB);
}

/* The n of ULP(n), REL(n), ABS(n). */
static inline u32 isa_accept_n(const struct isa_row *row)
{
    return (u32)(row->flags >> ACCEPT_N_LSB & 255);
}

/* "exact", "set", "ulp:1", "rel:2^-23", "abs:2^-21" or "probe" in buf, which it returns. */
enum { ACCEPT_TEXT_MAX = 16 };
const char *isa_accept_text(const struct isa_row *row, char buf[ACCEPT_TEXT_MAX]);

static inline bool isa_modelled(isa_op op)
{
    return isa_rows[op].semantics != NULL;
}

/* Opcodes of the processor, and those of them that are modelled: what `list`, `doctor` and `fuzz`
 * mean by the word. */
void isa_count(const struct isa *isa, u32 *all, u32 *modelled);

#endif
