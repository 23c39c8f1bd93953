/* The ledger of doubtful statements, from the entries in oracle/errata/. */
#ifndef ORACLE_ERRATA_ERRATA_H
#define ORACLE_ERRATA_ERRATA_H

#include "oracle/isa/isa.h"

/* How surely the model's choice is known; each is stronger than the one before. */
enum evidence { EVIDENCE_MANUAL, EVIDENCE_REPORTED, EVIDENCE_AGREED, EVIDENCE_CAPTURED };
enum { EVIDENCES = 4 };

/* "manual" "reported" "agreed" "captured". */
extern const char *const evidence_names[EVIDENCES];

/* The evidence of that name, EVIDENCE_AGREED for NULL or another word. */
enum evidence evidence_named(const char *name);

/* One entry; the fields are those of oracle/errata/errata.def. A NOTE has only id and model.
 * Read-only, lives for ever. */
struct erratum {
    const char *id;
    enum evidence evidence;
    const char *opcodes, *doubt, *model, *source, *witness;
};

/* The entries in ledger order; NULL behind the last. */
const struct erratum *erratum_at(u32 index);

/* The entry with this id, or NULL. `len` is in bytes. */
const struct erratum *erratum_find(const char *id, size_t len);

/* Whether `opcodes`, as the column of that name, names the opcode: by mnemonic, pattern or
 * encoding. */
bool errata_names(const char *opcodes, isa_op op);

/* Sets `bits` in of_op[op] of every opcode that `opcodes` names; of_op has isa_op_count elements. */
void errata_mark(const char *opcodes, u64 bits, u64 *of_op);

/* Whether the entry is about that generation, and whether it names the opcode, too. */
bool erratum_is_about(const struct erratum *entry, enum gen gen);
bool erratum_touches(const struct erratum *entry, enum gen gen, isa_op op);

/* Whether one of the entries whose ids stand between blanks in `ids` is about that generation. */
bool errata_are_about(const char *ids, enum gen gen);

/* The weakest evidence of the entries whose ids stand between blanks in `ids`; EVIDENCE_CAPTURED if
 * none does. Unknown ids count as EVIDENCE_MANUAL. */
enum evidence errata_weakest(const char *ids);

#endif
