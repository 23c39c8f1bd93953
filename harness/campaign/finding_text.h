/* What finding.c and finding_file.c share; nobody else includes it. */
#ifndef HARNESS_CAMPAIGN_FINDING_TEXT_H
#define HARNESS_CAMPAIGN_FINDING_TEXT_H

#include "harness/campaign/finding.h"

/* Adds the instruction in assembly. */
void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t);

#endif
