/* Labels of a listing, between the program (asm_program.c) and the line (asm.c). */
#ifndef ORACLE_INSN_ASM_PROGRAM_H
#define ORACLE_INSN_ASM_PROGRAM_H

#include "oracle/insn/insn.h"

enum { LABELS_MAX = 512 };

struct asm_label {
    const char *name; /* in the text */
    u32 len;
    u32 at; /* dwords from the start */
};

struct asm_labels {
    struct asm_label label[LABELS_MAX];
    u32 count;
    u32 next;      /* dwords from the start of the program to the instruction after this one */
    bool complete; /* else unknown labels count as being here */
};

/* Dwords from the next instruction to a label; false if there is none of that name. */
bool asm_label_distance(const struct asm_labels *labels, const char *name, u32 len, i64 *distance);

/* insn_parse with labels, which may be NULL. */
enum status asm_line(const struct isa *isa, const char *text, const struct asm_labels *labels,
                     struct insn *in, struct err *e);

#endif
