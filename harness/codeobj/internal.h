/* Shared by the files of this folder that read code objects: the image, symbols, relocation,
 * kernels. */
#ifndef HARNESS_CODEOBJ_INTERNAL_H
#define HARNESS_CODEOBJ_INTERNAL_H

#include "harness/codeobj/codeobj.h"

#include <gelf.h>

/* Where [vaddr, vaddr + size) lies inside one segment of the image; NULL if it does not. *seg,
 * which may be NULL, is the segment. */
u8 *codeobj_image_at(const struct codeobj *co, u64 vaddr, u64 size,
                     const struct codeobj_segment **seg);

/* The name of a symbol from the string section `strings`, or NULL. libelf answers only strings that
 * end inside their section. */
const char *codeobj_symbol_name(const struct codeobj *co, size_t strings, const GElf_Sym *s);

/* The file's address of what a symbol of an ordinary section names: in an object that is not linked
 * its value counts from where the section was placed. False if that section is not in the image. */
bool codeobj_symbol_vaddr(const struct codeobj *co, const GElf_Sym *s, u64 *vaddr);

/* Visits the defined symbols of .dynsym, then of .symtab, with the file's address in st_value; the
 * visitor answers true to stop the walk, which then answers true. */
typedef bool codeobj_visit(const GElf_Sym *sym, const char *name, void *arg);
bool codeobj_each_symbol(const struct codeobj *co, codeobj_visit *visit, void *arg);

/* Adds one string of "amdhsa.printf"; fills e->text. */
enum status codeobj_printf_add(struct codeobj *co, const char *text, size_t size, struct err *e);
void codeobj_printf_close(struct codeobj *co);

/* Gives the sections of an object that is not linked addresses, as a linker would: read-only, code,
 * writable, then a global offset table; makes segments and the image of them. */
enum status codeobj_place(struct codeobj *co, struct err *e);

/* Applies the relocations: of a linked file those that are allocated (.rela.dyn), else those of
 * every section that was placed. Guide, table "AMDGPU ELF Relocation Records". */
enum status codeobj_relocate(struct codeobj *co, struct err *e);

/* Makes room for `count` more kernels, zeroed, behind those of the notes read before. A file that
 * was linked from several has a note of each. */
enum status codeobj_add_kernels(struct codeobj *co, u32 count, struct err *e);

/* The spelling of the metadata, e.g. "global". */
const char *codeobj_space_name(enum address_space space);

static inline bool codeobj_is_power_of_two(u32 v)
{
    return v && !(v & (v - 1));
}

#endif
