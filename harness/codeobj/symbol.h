/* The symbols of any ELF file, also of one that is not opened as a code object. */
#ifndef HARNESS_CODEOBJ_SYMBOL_H
#define HARNESS_CODEOBJ_SYMBOL_H

#include "oracle/base/base.h"

#include <gelf.h>

/* Called for a symbol that is defined in an ordinary section, with its name, which may be empty;
 * true ends the walk. */
typedef bool codeobj_elf_visit(const GElf_Sym *sym, const char *name, void *arg);

/* Visits those of the symbol tables of `type` (SHT_SYMTAB, SHT_DYNSYM) in their order; names that
 * are no text or longer than CODEOBJ_NAME_MAX are passed over. Answers whether a visit ended it. */
bool codeobj_each_elf_symbol(Elf *elf, u32 type, codeobj_elf_visit *visit, void *arg);

#endif
