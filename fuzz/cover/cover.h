/* What there is to test of instructions, and how much of it streams have tested: pairwise coverage.
 *
 * An opcode in one form is a kind. It has factors, each with levels: what an operand names (a vector
 * register, vcc, a literal, ...), every modifier, and where it matters the fields of MODE, how many
 * lanes are on and of what sort the values of its sources are. To be covered are all pairs of levels
 * of two factors that a legal instruction can have at once; and each level alone, which counts as a
 * pair with having been drawn at all. Factors, levels and what is legal follow from rows, shapes and
 * insn_legal: nothing here knows an opcode.
 *
 * Counting an instruction costs a look into a table for each factor and a few words for each level;
 * counters of parts are added up by cover_merge, in any order. */
#ifndef FUZZ_COVER_COVER_H
#define FUZZ_COVER_COVER_H

#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

enum { COVER_WORDS = 2, COVER_LEVELS_MAX = 64 * COVER_WORDS };

/* Levels of one kind, a bit each. */
struct cover_bits {
    u64 w[COVER_WORDS];
};

/* What tells the levels of a factor apart. */
enum cover_way {
    COVER_DRAWN,   /* nothing: one level, which every instruction has */
    COVER_OPERAND, /* enum cover_class */
    COVER_EACH,    /* the number in some bits */
    COVER_SPAN,    /* the number in some bits: 0, the largest, another */
    COVER_SIGN,    /* the same of a signed number: 0, above, below */
    COVER_DPP,     /* how lanes are shuffled */
    COVER_MODE,    /* a field of MODE */
    COVER_EXEC,    /* lanes that are on: all, some, one, none */
    COVER_FLOAT,   /* the value of a source: zero, subnormal, ... */
    COVER_INT,     /* the value of a source: 0, 1, largest, ... */
    COVER_LANE     /* a lane mask: the lane's bit */
};

/* What an operand names. */
enum cover_class {
    COVER_VGPR,
    COVER_ACC,
    COVER_SGPR,
    COVER_VCC,
    COVER_M0,
    COVER_EXECUTE, /* exec */
    COVER_OTHER,   /* flat_scratch, xnack_mask, trap registers: scalar registers with a purpose */
    COVER_SPECIAL, /* vccz, execz, scc */
    COVER_APERTURE,
    COVER_LDS_DIRECT,
    COVER_INLINE_INT,
    COVER_INLINE_FLOAT,
    COVER_LITERAL,
    COVER_IMMEDIATE, /* where a register may stand */
    COVER_OFF,       /* not there */
    COVER_CLASSES
};

struct cover_factor {
    u8 way;     /* enum cover_way */
    u8 first;   /* the level of the kind that is its first */
    u8 operand; /* index in the row's list, of what is about an operand */
    u8 field;   /* enum isa_field of its bits; of COVER_MODE the first bit in MODE */
    u8 lsb, width;
    u8 base; /* COVER_OPERAND whose field holds codes: 1 + what is to be added, in 256; else 0 */
    u8 bit;  /* 1 + which of several bits of the field it is; 0: the whole field */
    u32 has; /* the levels of the way that are levels here, a bit each */
};

/* An opcode in one form. */
struct cover_kind {
    u16 op;
    u8 form;
    u8 levels;
    u8 factors, fixed; /* the first `fixed` factors can be told from the instruction alone */
    u32 factor, row;   /* where its factors and rows begin */
    u32 pairs;         /* legal ones */
};

/* The denominator. Read-only after cover_open; may be shared between threads. */
struct cover_model {
    const struct isa *isa;
    u32 kind_count, kind_cap, factor_count, factor_cap, row_count, row_cap;
    struct cover_kind *kind; /* by opcode and form */
    struct cover_factor *factor;
    struct cover_bits *legal; /* row of a level: the levels that may stand beside it */
    u64 pairs;
    u16 index[OPS_MAX][FORM_COUNT]; /* 1 + the kind; 0: none */
    u8 class[512 + 256];            /* enum cover_class by the code of an operand */
};

/* What was seen: of one thread, or of all. */
struct cover_seen {
    const struct cover_model *model;
    u64 streams, insns;     /* that were counted */
    u64 watched;            /* of the streams: those whose values and modes were, too */
    u64 *drawn;             /* [kind_count] instructions */
    struct cover_bits *row; /* [row_count] as model.legal */
};

/* Finds kinds and legal pairs of a processor: the forms (F_ bits) that forms[op] allows. isa must
 * outlive the model. About a second. ST_WORLD if memory is short. On every return the model can be
 * closed. */
enum status cover_open(struct cover_model *m, const struct isa *isa, const u8 forms[OPS_MAX],
                       struct err *e);
void cover_close(struct cover_model *m);

/* An empty count. ST_WORLD if memory is short; can be freed on every return. */
enum status cover_seen_open(struct cover_seen *s, const struct cover_model *m, struct err *e);
void cover_seen_close(struct cover_seen *s);
void cover_seen_clear(struct cover_seen *s);

/* The kind of an instruction; NULL if the model has none for it. */
const struct cover_kind *cover_kind_of(const struct cover_model *m, isa_op op, enum isa_form form);

/* The levels that an instruction has of its fixed factors. */
void cover_levels(const struct cover_model *m, const struct cover_kind *k, const struct insn *in,
                  struct cover_bits *bits);

/* Counts one instruction as it stands in a program. */
void cover_insn(struct cover_seen *s, const struct insn *in);

/* Counts every instruction of a program as it stands; one stream. */
void cover_code(struct cover_seen *s, const u32 *code, u32 dw);

/* Counts an instruction that the wave is about to execute, with MODE, EXEC and the values of its
 * sources, every lane that is on; it does not count as drawn. */
void cover_step(struct cover_seen *s, const struct wave *w, const struct insn *in);

/* What one lane has of an instruction that the wave is about to execute: levels of all factors, and
 * the values of its sources (of DPP, of the lane that it reads) in the order of their factors.
 * Returns how many values there are. */
enum { COVER_SOURCES = 3 };
u32 cover_lane(const struct cover_model *m, const struct wave *w, const struct xinsn *in, u32 lane,
               struct cover_bits *bits, u64 value[COVER_SOURCES]);

/* Legal pairs of an instruction's fixed factors that were not seen yet. */
u32 cover_gain(const struct cover_seen *s, const struct insn *in);

/* Adds `from` to `to`, of the same model. */
void cover_merge(struct cover_seen *to, const struct cover_seen *from);

/* Whether two counts of the same model count the same. */
bool cover_same(const struct cover_seen *a, const struct cover_seen *b);

/* Legal pairs of a kind that were seen; of all kinds. */
u32 cover_kind_seen(const struct cover_seen *s, const struct cover_kind *k);
u64 cover_total_seen(const struct cover_seen *s);

/* Legal pairs of a kind that were not seen although both levels were: those that more streams of
 * the kind are likely to bring. Of a kind that was hardly drawn, all that were not seen. */
u32 cover_kind_wanted(const struct cover_seen *s, const struct cover_kind *k);

/* Whether two levels, a <= b, are a legal pair of the kind, and whether it was seen. A level with
 * itself is none, but level 0, which is having been drawn. */
bool cover_is_pair(const struct cover_model *m, const struct cover_kind *k, u32 a, u32 b);
bool cover_has_pair(const struct cover_seen *s, const struct cover_kind *k, u32 a, u32 b);
/* Counts a legal pair as seen. */
void cover_see_pair(struct cover_seen *s, const struct cover_kind *k, u32 a, u32 b);

/* The factor that a level of the kind belongs to. */
const struct cover_factor *cover_factor_of(const struct cover_model *m, const struct cover_kind *k,
                                           u32 level);

/* Adds what a factor is called ("src0", "neg[1]", "round32", "src0 value"), what a level is called
 * among those of its factor ("vcc", "1", "-inf"), and both ("src0=vcc"). */
void cover_add_factor(const struct cover_kind *k, const struct cover_factor *f, struct text *t);
void cover_add_level(const struct cover_model *m, const struct cover_kind *k, u32 level,
                     struct text *t);
void cover_add_text(const struct cover_model *m, const struct cover_kind *k, u32 level,
                    struct text *t);

/* A hash of what the kind's levels are and which pairs are legal: counts with the same hash mean
 * the same. */
u64 cover_kind_hash(const struct cover_model *m, const struct cover_kind *k);

#endif
