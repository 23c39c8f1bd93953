/* Lists of names as --only takes them: "v_add_u32,vop2". */
#ifndef HARNESS_CASE_ONLY_H
#define HARNESS_CASE_ONLY_H

#include "oracle/isa/isa.h"

/* One name of a list; it ends with a comma or with the list. */
struct only_name {
    const char *text;
    u32 len;
};

/* The first name of a list, or the one behind another; false if there is none. `list` may be NULL,
 * which has none. */
bool only_first(const char *list, struct only_name *name);
bool only_next(struct only_name *name);

/* Whether it is this word, in whatever case. */
bool only_is(const struct only_name *name, const char *word);

/* Whether it is the mnemonic or the encoding of an opcode that the processor has. */
bool only_is_op(const struct only_name *name, const struct isa *isa, isa_op op);

/* Whether it is that of any opcode that the processor has. ST_INPUT if not: *e says so behind `where`,
 * which ends with a blank ("--only: ") or is empty. */
enum status only_check(const struct only_name *name, const char *where, const struct isa *isa,
                       struct err *e);

/* Whether every name of the list is one. `list` may be NULL. */
enum status only_check_list(const char *list, const char *where, const struct isa *isa,
                            struct err *e);

/* Whether some name of the list is the opcode's, likewise. `list` may be NULL. */
bool only_lists_op(const char *list, const struct isa *isa, isa_op op);

/* Whether some name of the list is this word. */
bool only_has(const char *list, const char *word);

#endif
