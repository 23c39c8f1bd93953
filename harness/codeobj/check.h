/* Whether an AMDGPU ELF file is one: header, tables, strings, symbols, relocations and notes lie in
 * the file and name what exists. Called before anything else is read, by everything that opens code
 * objects, so that each says the same about a broken one: one line that names the field. What
 * fields mean is looked at later, by who needs it. */
#ifndef HARNESS_CODEOBJ_CHECK_H
#define HARNESS_CODEOBJ_CHECK_H

#include "harness/codeobj/target.h"

/* The first bytes of any ELF file, before libelf sees them; `size` is of the file. ST_INPUT with
 * the field of e_ident that is wrong. Fills e->text, like the others here. */
enum status codeobj_check_ident(const u8 *bytes, size_t size, struct err *e);

/* Everything else. `elf` is open on a file of `size` bytes that begins with a sound e_ident. */
enum status codeobj_check(struct Elf *elf, u64 size, struct err *e);

/* What a file in memory was made for, if it is sound: both checks and codeobj_target_read. */
enum status codeobj_target_of(const u8 *bytes, size_t size, struct codeobj_target *out,
                              struct err *e);

#endif
