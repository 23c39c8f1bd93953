/* What the files of this folder share; nobody else includes it. */
#ifndef HARNESS_FINDING_INTERNAL_H
#define HARNESS_FINDING_INTERNAL_H

#include "harness/finding/finding.h"

/* The mnemonic and the form of the instruction accused, or what stands for them. */
const char *finding_mnemonic(const struct finding *f);
const char *finding_form(const struct finding *f);

/* Adds where its stream comes from: "stream 7 of seed 1", "found/default/crashes/id:000000". */
void finding_add_origin(const struct finding *f, struct text *t);

/* Adds the minimal program, an instruction a line. */
void finding_add_program(const struct isa *isa, const struct finding *f, struct text *t);

/* Adds the instruction in assembly. */
void finding_add_insn(const struct isa *isa, const struct insn *in, struct text *t);

/* The texts of the files of a finding. finding.json is for the caller to free, and names the
 * checksums of the others: of `count` files, with sums[i] of names[i]. NULL: no memory. */
char *finding_json_text(const struct finding *f, const char *const *names, const u32 *sums,
                        u32 count);
void finding_program_text(const struct isa *isa, const struct finding *f, struct text *t);
bool finding_has_case(const struct finding *f);
enum status finding_case_text(const struct isa *isa, const struct finding *f, struct text *t,
                              struct err *e);

/* The text of a finding.json, complete, with its checksum; the caller frees it. NULL: no memory. */
char *finding_seal(const char *json);

/* Whether a finding.json has its checksum. ST_INPUT if not; one of format 1 has none. */
enum status finding_check_seal(const u8 *bytes, size_t size, struct err *e);

/* Whether a name can be printed: UTF-8 is taken, what terminals obey is not. */
bool finding_is_shown(const char *name);

#endif
