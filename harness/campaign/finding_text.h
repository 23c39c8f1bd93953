/* What finding.c and finding_file.c share; nobody else includes it. */
#ifndef HARNESS_CAMPAIGN_FINDING_TEXT_H
#define HARNESS_CAMPAIGN_FINDING_TEXT_H

#include "harness/campaign/finding.h"

/* "v3", "vcc_lo", ...: a place as cases spell it. Returns buf. */
const char *finding_place(u32 place, char *buf, size_t size);

/* Adds the instruction in assembly. */
void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t);

#endif
