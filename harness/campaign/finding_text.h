/* What finding.c, finding_report.c and finding_file.c share; nobody else includes it. */
#ifndef HARNESS_CAMPAIGN_FINDING_TEXT_H
#define HARNESS_CAMPAIGN_FINDING_TEXT_H

#include "harness/campaign/finding.h"

/* The mnemonic and the form of the instruction accused, or what stands for them. */
const char *finding_mnemonic(const struct finding *f);
const char *finding_form(const struct finding *f);

/* Adds the minimal program, an instruction a line. */
void finding_add_program(const struct isa *isa, const struct finding *f, struct text *t);

/* Adds the instruction in assembly. */
void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t);

#endif
