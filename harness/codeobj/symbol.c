#include "harness/codeobj/symbol.h"

#include "harness/codeobj/codeobj.h"

#include <libelf.h>

bool codeobj_each_elf_symbol(Elf *elf, u32 type, codeobj_elf_visit *visit, void *arg)
{
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        Elf_Data *data;
        GElf_Sym sym;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !(data = elf_getdata(scn, NULL)))
            continue;
        for (int i = 1; gelf_getsym(data, i, &sym); i++) {
            if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE)
                continue;
            const char *name = elf_strptr(elf, sh.sh_link, sym.st_name);
            if (name && strnlen(name, CODEOBJ_NAME_MAX) < CODEOBJ_NAME_MAX &&
                visit(&sym, name, arg))
                return true;
        }
    }
    return false;
}
