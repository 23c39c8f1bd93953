/* Listing of one ELF file for AMDGPU, in the manner of `llvm-objdump -d`: section by section,
 * symbol by symbol, an instruction on each line with its address, its dwords, and where it branches
 * to. Called by `gcncheck dis`. */
#ifndef HARNESS_DIS_OBJECT_H
#define HARNESS_DIS_OBJECT_H

#include "harness/codeobj/target.h"
#include "oracle/isa/isa.h"

#include <stdio.h>

struct dis_cfg {
    const char *symbol; /* only the code behind this symbol; NULL: all */
    bool check;         /* instead of listing: assemble each line again, print what differs */
};

struct dis_counts {
    u64 symbols;      /* listed */
    u64 instructions; /* listed */
    u64 words;        /* dwords that are no instruction, listed as .long */
    u64 different;    /* with check: lines that do not assemble to the bits they come from */
};

/* Lists the code of `bytes` for the processor of *isa on `out` and adds to *n. `title` stands for
 * the file in the head line. ST_INPUT with the reason in e->text if the file cannot be read; what
 * is damaged inside code is listed as it is. */
enum status dis_object(FILE *out, const char *title, const u8 *bytes, size_t size,
                       const struct isa *isa, const struct dis_cfg *cfg, struct dis_counts *n,
                       struct err *e);

#endif
