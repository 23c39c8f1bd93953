/* Labels of a listing: the program (asm_program.c) adds them, the line (asm.c) looks them up. */
#ifndef ORACLE_INSN_ASM_LABEL_H
#define ORACLE_INSN_ASM_LABEL_H

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

/* `name` must outlive the labels. ST_INPUT if the label is there already or there are too many. */
enum status asm_label_add(struct asm_labels *labels, const char *name, u32 len, u32 at,
                          struct err *e);

/* Dwords from the next instruction to a label; false if there is none of that name. */
bool asm_label_distance(const struct asm_labels *labels, const char *name, u32 len, i64 *distance);

#endif
