/* What was generated: counters of opcode x form, of operand kinds and of modifiers. Plain data, so
 * that shards can be added up. */
#ifndef FUZZ_GEN_COVER_H
#define FUZZ_GEN_COVER_H

#include "fuzz/gen/gen.h"
#include "oracle/insn/insn.h"

/* What an operand names. */
enum cover_kind {
    COVER_VGPR,
    COVER_SGPR,
    COVER_VCC,
    COVER_M0,
    COVER_EXEC,
    COVER_SPECIAL, /* vccz, execz, scc */
    COVER_INLINE_INT,
    COVER_INLINE_FLOAT,
    COVER_LITERAL,
    COVER_IMMEDIATE,
    COVER_OFF, /* no scalar base */
    COVER_KINDS
};

enum cover_modifier {
    COVER_NEG,
    COVER_ABS,
    COVER_SEXT,
    COVER_CLAMP,
    COVER_OMOD,
    COVER_DST_SEL, /* not the whole dword */
    COVER_SRC_SEL,
    COVER_ROW_MASK, /* DPP rows or banks switched off */
    COVER_BOUND_CTRL,
    COVER_MODIFIERS
};
extern const char *const cover_kind_names[COVER_KINDS];
extern const char *const cover_modifier_names[COVER_MODIFIERS];

struct cover {
    u64 streams;
    u64 insns;
    u64 form[OPS_MAX][FORM_COUNT];
    u64 kind[OPS_MAX][OPERANDS_MAX][COVER_KINDS]; /* by position of the operand in the row */
    u64 modifier[OPS_MAX][COVER_MODIFIERS];
};

/* Counts one instruction; one stream, every instruction of its program once. */
void cover_insn(struct cover *c, const struct insn *in);
void cover_stream(struct cover *c, const struct isa *isa, const struct stream *s);

/* Adds `from` to `to`. */
void cover_merge(struct cover *to, const struct cover *from);

#endif
