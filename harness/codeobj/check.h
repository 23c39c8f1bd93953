/* Whether an AMDGPU ELF file is one: header, tables, strings, symbols, relocations and notes lie in
 * the file and name what exists. Everything that opens code objects calls this before it reads
 * anything else, so that all commands say the same about a broken file: one line that names the
 * field. The meaning of fields is checked later, by the code that uses them. */
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
