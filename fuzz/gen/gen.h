/* Random programs from seeds. A stream is a program, the state it starts from and nothing else; the
 * same (seed, processor, focus opcode, number) gives the same bytes everywhere. Streams are valid
 * by construction: legal operands, hazards filled, waits placed, addresses inside windows, every
 * path ending in s_endpgm. What a stream touches may be changed by its owner
 * (fuzz/shrink/shrink.h does); oracle/rule/rule.h says whether the program is still valid,
 * oracle/accept/acceptance.h which results two right implementations may disagree on. */
#ifndef FUZZ_GEN_GEN_H
#define FUZZ_GEN_GEN_H

#include "fuzz/cover/cover.h"
#include "fuzz/stream/stream.h"

/* What is in a stream beyond straight-line code, and what a configuration may allow. */
enum gen_feature {
    GEN_SMEM = 1 << 0, /* scalar loads */
    GEN_VMEM = 1 << 1, /* FLAT, GLOBAL */
    GEN_LDS = 1 << 2,
    GEN_EXEC = 1 << 3,   /* EXEC is written (it may start with lanes off in any case) */
    GEN_BRANCH = 1 << 4, /* forward branches */
    GEN_LOOP = 1 << 5,   /* counted loops */
    GEN_CALL = 1 << 6,   /* s_call, s_swappc, s_setpc, s_getpc */
    GEN_MODE = 1 << 7,   /* MODE starts with anything legal, and s_setreg changes it */
    GEN_WAVES = 1 << 8,  /* several waves, barriers */
    GEN_LDS_OUTSIDE =
        1 << 9, /* some LDS addresses lie outside the allocation: reads 0, writes are dropped */
    GEN_SDWA = 1 << 10,
    GEN_DPP = 1 << 11,
    GEN_M0 = 1 << 12,      /* M0 is written and read */
    GEN_SCRATCH = 1 << 13, /* private memory */
    GEN_BUFFER = 1 << 14,  /* MUBUF and MTBUF with a resource */
    GEN_IMAGE = 1 << 15,
    GEN_SMEM_STORE = 1 << 16, /* scalar stores and atomics, scalar scratch */
    GEN_MATRIX = 1 << 17,     /* accumulation registers and the matrix core */
    GEN_EXPORT = 1 << 18,
    GEN_SYNC = 1 << 19, /* global wave sync */
    GEN_ALL = (1 << 20) - 1
};

enum { GEN_COMMON_MAX = 16 };

/* What streams are made of more often. Weights are of an opcode in one form, beside those of its
 * class; 0: never, but where others need it. */
struct gen_steer {
    u32 focus[OPS_MAX][FORM_COUNT]; /* how often streams turn around it */
    u32 drawn[OPS_MAX][FORM_COUNT]; /* how often it is drawn among others */
    /* Of some instructions drawn the one is taken that shows the most of what was not seen yet.
     * NULL: the first. It may change between two streams. */
    const struct cover_seen *seen;
    u32 candidates; /* how many are drawn: at least 1 */
};

enum { GEN_INSNS_MAX = 200 };

struct gen_cfg {
    u64 seed;
    u32 insns_min,
        insns_max; /* instructions, without what is inserted for hazards and waits; 1..GEN_INSNS_MAX */
    u32 waves_max;   /* 1..STREAM_WAVES_MAX */
    u32 features;    /* GEN_ bits that are allowed */
    const u8 *forms; /* [OPS_MAX] allowed forms (F_ bits) of each opcode; NULL: all. Not kept */
    /* Processors on all of which a stream is valid and does the same: the same text, the same state
     * at the start and at the end. The one whose streams they are is among them; they outlive the
     * generator, and in whatever order they are named the streams are the same but for their
     * encoding. 0: that one alone. */
    u32 common_count;
    const struct isa *common[GEN_COMMON_MAX];
    /* NULL: every opcode has the same share, and stream `index` turns around the next. Not kept, but
     * for what is seen. */
    const struct gen_steer *steer;
};

/* 40 to 80 instructions, everything allowed: shorter ones spend much of their time on the state that they start
 * from. */
extern const struct gen_cfg gen_cfg_default;

enum {
    GEN_CLASSES = 17,
    GEN_RING_PARTS = 256,
    GEN_RING_MAX = OPS_MAX * 8,
    GEN_KINDS_MAX = OPS_MAX * 2
};

/* A point on the ring of a class: an opcode owns the numbers up to its hash. An opcode more or less
 * changes only the draws that fall to it. */
struct gen_point {
    u32 hash;
    u16 op;
};

/* An opcode in one form, drawn for numbers below `upto` and not below the one before. */
struct gen_choice {
    u64 upto;
    u16 op;
    u8 form;
};

/* What a generator with weights draws from. */
struct gen_choices {
    const struct cover_seen *seen;
    u32 candidates;
    u32 focus_count, at[GEN_CLASSES + 1];
    u64 mean[GEN_CLASSES]; /* weight of a class, in 1/256 */
    u16 first[OPS_MAX];    /* 1 + the first of drawn[] with the opcode; 0: none */
    struct gen_choice focus[GEN_KINDS_MAX], drawn[GEN_KINDS_MAX];
};

/* A generator: read-only after gen_open, may be shared between threads. The owner allocates it. */
struct generator {
    const struct isa *isa;    /* that programs are drawn for: with several, the latest of them */
    const struct isa *target; /* that they are encoded for */
    u32 features_all;         /* of the processors: what all of them have, and what any has */
    u32 features_any;
    struct gen_cfg cfg;
    u32 op_count;
    u16 op[OPS_MAX];   /* opcodes that streams focus on, by name */
    u8 forms[OPS_MAX]; /* F_ bits; 0: never drawn */
    u32 ring_at[GEN_CLASSES + 1];
    struct gen_point ring[GEN_RING_MAX];
    /* The first point of a ring that is not below a part of all hashes, counted from ring_at. */
    u16 ring_part[GEN_CLASSES][GEN_RING_PARTS + 1];
    u8 by_m0[OPS_MAX];       /* how M0 may have to do with an opcode: bits of gen/index.c */
    bool is_around[OPS_MAX]; /* an opcode may need others around it */
    u32 feature[OPS_MAX];    /* GEN_ bits without which an opcode is not drawn */
    bool is_steered;
    struct gen_choices choices; /* if it is */
};

/* Prepares a generator. isa must outlive it. ST_INPUT if the configuration is out of range or
 * allows no opcode. */
enum status gen_open(struct generator *g, const struct isa *isa, const struct gen_cfg *cfg,
                     struct err *e);

/* Stream `index` of a campaign: its focus is op[index % op_count], its number index / op_count; with
 * weights, its focus goes by them, and its number is the index. ST_WORLD: memory is short, which only
 * streams for several processors take, here and below. */
enum status gen_stream(const struct generator *g, u64 index, struct stream *s);

/* The stream of one focus opcode (one of g->op) and number. */
enum status gen_stream_of(const struct generator *g, isa_op focus, u64 number, struct stream *s);

/* The same with the focus in one form only. */
enum status gen_stream_in(const struct generator *g, isa_op focus, enum isa_form form, u64 number,
                          struct stream *s);

/* A named choice of what streams turn around (fuzz/gen/profile.def). */
struct gen_profile {
    const char *name, *text;
    u32 classes; /* bits by the class that the generator puts an opcode in */
    u32 forms;   /* F_ bits */
};
/* The profiles; NULL behind the last. */
const struct gen_profile *gen_profile_at(u32 index);

/* Whether it is about an opcode in this form. */
bool gen_profile_has(const struct gen_profile *p, isa_op op, enum isa_form form);

/* Why streams never have an opcode that the model executes; NULL: they have it. */
const char *gen_left_out(isa_op op);

/* The forms (F_ bits) in which the generator emits an opcode of this processor; 0 for what is not
 * modelled, left out, or not on the processor. */
u32 gen_forms(const struct isa *isa, isa_op op);

/* Whether streams for all of these processors may have an opcode of this form: it exists on all, and
 * what only some of them have does not show in it, or not in the state that such streams start
 * from. */
bool gen_is_common(const struct gen_cfg *cfg, isa_op op, enum isa_form form);

#endif
