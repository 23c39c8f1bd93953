#include "harness/codeobj/target.h"

#include <gelf.h>
#include <libelf.h>

enum { E_MACHINE_AMDGPU = 224, OSABI_HSA = 64, OSABI_PAL = 65, OSABI_MESA3D = 66 };

#define X  CPU_XNACK
#define SX (CPU_XNACK | CPU_SRAMECC)
/* Guide, tables "AMDGPU EF_AMDGPU_MACH Values" and "AMDGPU Processors"; the generic targets, which
 * the guide does not have yet, as LLVM 19 numbers them. */
static const struct codeobj_cpu cpus[] = {
    { 0x001, CPU_R600, 0, "r600", "r600" },
    { 0x002, CPU_R600, 0, "r630", "r630" },
    { 0x003, CPU_R600, 0, "rs880", "rs880" },
    { 0x004, CPU_R600, 0, "rv670", "rv670" },
    { 0x005, CPU_R600, 0, "rv710", "rv710" },
    { 0x006, CPU_R600, 0, "rv730", "rv730" },
    { 0x007, CPU_R600, 0, "rv770", "rv770" },
    { 0x008, CPU_R600, 0, "cedar", "cedar" },
    { 0x009, CPU_R600, 0, "cypress", "cypress" },
    { 0x00a, CPU_R600, 0, "juniper", "juniper" },
    { 0x00b, CPU_R600, 0, "redwood", "redwood" },
    { 0x00c, CPU_R600, 0, "sumo", "sumo" },
    { 0x00d, CPU_R600, 0, "barts", "barts" },
    { 0x00e, CPU_R600, 0, "caicos", "caicos" },
    { 0x00f, CPU_R600, 0, "cayman", "cayman" },
    { 0x010, CPU_R600, 0, "turks", "turks" },
    { 0x020, CPU_GFX6, 0, "gfx600", "gfx600" },
    { 0x021, CPU_GFX6, 0, "gfx601", "gfx601" },
    { 0x022, CPU_GFX7, 0, "gfx700", "gfx700" },
    { 0x023, CPU_GFX7, 0, "gfx701", "gfx701" },
    { 0x024, CPU_GFX7, 0, "gfx702", "gfx702" },
    { 0x025, CPU_GFX7, 0, "gfx703", "gfx703" },
    { 0x026, CPU_GFX7, 0, "gfx704", "gfx704" },
    { 0x028, CPU_GFX8, X, "gfx801", "gfx801" },
    { 0x029, CPU_GFX8, 0, "gfx802", "gfx802" },
    { 0x02a, CPU_GFX8, 0, "gfx803", "gfx803" },
    { 0x02b, CPU_GFX8, X, "gfx810", "gfx810" },
    { 0x02c, CPU_GFX9, X, "gfx900", "gfx900" },
    { 0x02d, CPU_GFX9, X, "gfx902", "gfx902" },
    { 0x02e, CPU_GFX9, X, "gfx904", "gfx904" },
    { 0x02f, CPU_GFX9, SX, "gfx906", "gfx906" },
    { 0x030, CPU_GFX9, SX, "gfx908", "gfx908" },
    { 0x031, CPU_GFX9, X, "gfx909", "gfx909" },
    { 0x032, CPU_GFX9, X, "gfx90c", "gfx90c" },
    { 0x033, CPU_GFX10, X, "gfx1010", "gfx1010" },
    { 0x034, CPU_GFX10, X, "gfx1011", "gfx1011" },
    { 0x035, CPU_GFX10, X, "gfx1012", "gfx1012" },
    { 0x036, CPU_GFX10, 0, "gfx1030", "gfx1030" },
    { 0x037, CPU_GFX10, 0, "gfx1031", "gfx1031" },
    { 0x038, CPU_GFX10, 0, "gfx1032", "gfx1032" },
    { 0x039, CPU_GFX10, 0, "gfx1033", "gfx1033" },
    { 0x03a, CPU_GFX6, 0, "gfx602", "gfx602" },
    { 0x03b, CPU_GFX7, 0, "gfx705", "gfx705" },
    { 0x03c, CPU_GFX8, 0, "gfx805", "gfx805" },
    { 0x03d, CPU_GFX10, 0, "gfx1035", "gfx1035" },
    { 0x03e, CPU_GFX10, 0, "gfx1034", "gfx1034" },
    { 0x03f, CPU_GFX90A, SX, "gfx90a", "gfx90a" },
    { 0x040, CPU_GFX90A, SX, "gfx940", "gfx940" },
    { 0x041, CPU_GFX11, 0, "gfx1100", "gfx1100" },
    { 0x042, CPU_GFX10, X, "gfx1013", "gfx1013" },
    { 0x044, CPU_GFX11, 0, "gfx1103", "gfx1103" },
    { 0x045, CPU_GFX10, 0, "gfx1036", "gfx1036" },
    { 0x046, CPU_GFX11, 0, "gfx1101", "gfx1101" },
    { 0x047, CPU_GFX11, 0, "gfx1102", "gfx1102" },
    { 0x04b, CPU_GFX90A, SX, "gfx941", "gfx941" },
    { 0x04c, CPU_GFX90A, SX, "gfx942", "gfx942" },
    { 0x051, CPU_GFX9, X | CPU_GFX9_GENERIC, "gfx9-generic", "gfx900" },
    { 0x052, CPU_GFX10, X, "gfx10-1-generic", "gfx1010" },
    { 0x053, CPU_GFX10, 0, "gfx10-3-generic", "gfx1030" },
    { 0x054, CPU_GFX11, 0, "gfx11-generic", "gfx1100" },
};
#undef X
#undef SX

/* Guide, table "AMDGPU Processors", column "Alternative Processor". */
static const struct {
    const char *name, *cpu;
} other_names[] = {
    { "tahiti", "gfx600" },    { "pitcairn", "gfx601" }, { "verde", "gfx601" },
    { "hainan", "gfx602" },    { "oland", "gfx602" },    { "kaveri", "gfx700" },
    { "hawaii", "gfx701" },    { "kabini", "gfx703" },   { "mullins", "gfx703" },
    { "bonaire", "gfx704" },   { "carrizo", "gfx801" },  { "iceland", "gfx802" },
    { "tonga", "gfx802" },     { "fiji", "gfx803" },     { "polaris10", "gfx803" },
    { "polaris11", "gfx803" }, { "tongapro", "gfx805" }, { "stoney", "gfx810" },
};

/* Guide, table "AMDGPU Code Object V2 Supported Processors and Fixed Target Feature Settings". */
static const struct {
    u8 version[3];
    u8 xnack, sramecc; /* enum codeobj_setting */
    const char *cpu;
} isa_versions[] = {
    { { 6, 0, 0 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx600" },
    { { 6, 0, 1 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx601" },
    { { 6, 0, 2 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx602" },
    { { 7, 0, 0 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx700" },
    { { 7, 0, 1 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx701" },
    { { 7, 0, 2 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx702" },
    { { 7, 0, 3 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx703" },
    { { 7, 0, 4 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx704" },
    { { 7, 0, 5 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx705" },
    { { 8, 0, 0 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx802" },
    { { 8, 0, 1 }, SETTING_ON, SETTING_UNSUPPORTED, "gfx801" },
    { { 8, 0, 2 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx802" },
    { { 8, 0, 3 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx803" },
    { { 8, 0, 4 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx803" },
    { { 8, 0, 5 }, SETTING_UNSUPPORTED, SETTING_UNSUPPORTED, "gfx805" },
    { { 8, 1, 0 }, SETTING_ON, SETTING_UNSUPPORTED, "gfx810" },
    { { 9, 0, 0 }, SETTING_OFF, SETTING_UNSUPPORTED, "gfx900" },
    { { 9, 0, 1 }, SETTING_ON, SETTING_UNSUPPORTED, "gfx900" },
    { { 9, 0, 2 }, SETTING_OFF, SETTING_UNSUPPORTED, "gfx902" },
    { { 9, 0, 3 }, SETTING_ON, SETTING_UNSUPPORTED, "gfx902" },
    { { 9, 0, 4 }, SETTING_OFF, SETTING_UNSUPPORTED, "gfx904" },
    { { 9, 0, 5 }, SETTING_ON, SETTING_UNSUPPORTED, "gfx904" },
    { { 9, 0, 6 }, SETTING_OFF, SETTING_OFF, "gfx906" },
    { { 9, 0, 7 }, SETTING_ON, SETTING_OFF, "gfx906" },
    { { 9, 0, 12 }, SETTING_OFF, SETTING_UNSUPPORTED, "gfx90c" },
};

const struct codeobj_cpu *codeobj_cpu_at(u32 index)
{
    return index < COUNT_OF(cpus) ? &cpus[index] : NULL;
}

const struct codeobj_cpu *codeobj_cpu_by_mach(u32 mach)
{
    for (size_t i = 0; i < COUNT_OF(cpus); i++)
        if (cpus[i].mach == mach)
            return &cpus[i];
    return NULL;
}

const struct codeobj_cpu *codeobj_cpu_by_name(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(other_names); i++)
        if (strcmp(other_names[i].name, name) == 0)
            name = other_names[i].cpu;
    for (size_t i = 0; i < COUNT_OF(cpus); i++)
        if (strcmp(cpus[i].name, name) == 0)
            return &cpus[i];
    return NULL;
}

/* --- notes --- */

struct note_query {
    Elf *elf;
    u64 size; /* of the file */
    const char *owner;
    u32 type;
    codeobj_note_visit *visit;
    void *arg;
    bool is_seen; /* any that is asked for */
};

/* Visits those among the notes of one range of the file; true if the visitor stopped. */
static bool visit_range(struct note_query *q, u64 offset, u64 size, u64 align)
{
    if (offset > q->size || size > q->size - offset)
        return false;
    Elf_Data *data =
        elf_getdata_rawchunk(q->elf, (i64)offset, size, align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    GElf_Nhdr n;
    size_t name_at, desc_at, at = 0, owner_size = strlen(q->owner) + 1;
    while (data && (at = gelf_getnote(data, at, &n, &name_at, &desc_at)) > 0) {
        const u8 *note = data->d_buf;
        if (n.n_type != q->type || n.n_namesz != owner_size ||
            memcmp(note + name_at, q->owner, owner_size) != 0)
            continue;
        q->is_seen = true;
        if (q->visit(note + desc_at, n.n_descsz, q->arg))
            return true;
    }
    return false;
}

bool codeobj_each_note(struct Elf *elf, u64 size, const char *owner, u32 type,
                       codeobj_note_visit *visit, void *arg)
{
    struct note_query q = { elf, size, owner, type, visit, arg, false };
    size_t count = 0;
    GElf_Phdr p;
    if (elf_getphdrnum(elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_NOTE &&
            visit_range(&q, p.p_offset, p.p_filesz, p.p_align))
            return true;
    if (q.is_seen) /* the sections hold the same notes */
        return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_NOTE &&
            visit_range(&q, sh.sh_offset, sh.sh_size, sh.sh_addralign))
            return true;
    }
    return false;
}

struct first_note {
    const u8 **desc;
    size_t *size;
};

static bool take_first(const u8 *desc, size_t size, void *arg)
{
    const struct first_note *f = arg;
    *f->desc = desc;
    *f->size = size;
    return true;
}

bool codeobj_note(struct Elf *elf, u64 size, const char *owner, u32 type, const u8 **desc,
                  size_t *desc_size)
{
    struct first_note f = { desc, desc_size };
    return codeobj_each_note(elf, size, owner, type, take_first, &f);
}

/* --- header --- */

static enum status read_os(const GElf_Ehdr *h, struct codeobj_target *t, struct err *e)
{
    u32 abi = h->e_ident[EI_OSABI], abi_version = h->e_ident[EI_ABIVERSION];
    t->version = 0;
    switch (abi) {
    case 0: t->os = OS_NONE; return ST_OK;
    case OSABI_PAL: t->os = OS_PAL; return ST_OK;
    case OSABI_MESA3D: t->os = OS_MESA3D; return ST_OK;
    case OSABI_HSA: break;
    default:
        return err_set(e, ST_INPUT, "ELF header: OS ABI %u is none of AMDGPU's (0, 64 to 66)", abi);
    }
    t->os = OS_HSA;
    if (abi_version > 4)
        return err_set(e, ST_INPUT, "ELF header: ABI version %u is not known", abi_version);
    t->version = abi_version + 2;
    return ST_OK;
}

/* e_flags of version 3 and later. Guide, tables "e_flags for Code Object V3" and "V4 and After";
 * files of other systems follow the latter. */
static enum status read_flags(u32 flags, struct codeobj_target *t, struct err *e)
{
    static const u8 setting[4] = { SETTING_UNSUPPORTED, SETTING_ANY, SETTING_OFF, SETTING_ON };
    u32 known = t->version == 3 ? 0x3ff : t->version == 6 ? 0xff000fff : 0xfff;
    if (flags & ~known)
        return err_set(e, ST_INPUT,
                       "ELF header: e_flags 0x%x has bits that code object v%u does not know",
                       flags, t->version);
    t->cpu = codeobj_cpu_by_mach(flags & 0xff);
    if (!t->cpu)
        return err_set(e, ST_INPUT, "ELF header: processor number 0x%02x of e_flags is not known",
                       flags & 0xff);
    t->generic_version = flags >> 24;
    if (t->version == 3) {
        t->xnack = flags & 0x100 ? SETTING_ON : SETTING_OFF;
        t->sramecc = flags & 0x200 ? SETTING_ON : SETTING_OFF;
    } else {
        t->xnack = (enum codeobj_setting)setting[flags >> 8 & 3];
        t->sramecc = (enum codeobj_setting)setting[flags >> 10 & 3];
    }
    return ST_OK;
}

/* The note that names the processor in version 2: sizes of two names, then the version. */
static enum status read_isa_version(Elf *elf, u64 size, u32 flags, struct codeobj_target *t,
                                    struct err *e)
{
    const u8 *d;
    size_t n;
    u32 v[3];
    if (!codeobj_note(elf, size, "AMD", NOTE_ISA_VERSION_V2, &d, &n))
        return err_set(e, ST_INPUT, "does not name its processor (note AMD, type 3)");
    if (n < 16)
        return err_set(e, ST_INPUT, "note AMD, type 3: %zu bytes are too few", n);
    memcpy(v, d + 4, sizeof v);
    for (size_t i = 0; i < COUNT_OF(isa_versions); i++) {
        const u8 *known = isa_versions[i].version;
        if (v[0] != known[0] || v[1] != known[1] || v[2] != known[2])
            continue;
        t->cpu = codeobj_cpu_by_name(isa_versions[i].cpu);
        t->xnack = (enum codeobj_setting)isa_versions[i].xnack;
        t->sramecc = (enum codeobj_setting)isa_versions[i].sramecc;
        /* The finalizer always names the lower number and sets a flag; LLVM puts the flags of later
         * versions there. */
        if (flags <= 3 && flags & 1 && t->cpu->features & CPU_XNACK)
            t->xnack = SETTING_ON;
        return ST_OK;
    }
    return err_set(e, ST_INPUT, "note AMD, type 3: processor %u.%u.%u is not known", v[0], v[1],
                   v[2]);
}

enum status codeobj_target_read(struct Elf *elf, u64 size, struct codeobj_target *out,
                                struct err *e)
{
    GElf_Ehdr h;
    *out = (struct codeobj_target){ .cpu = NULL };
    if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &h))
        return err_set(e, ST_INPUT, "is not an ELF file");
    if (h.e_machine != E_MACHINE_AMDGPU)
        return err_set(e, ST_INPUT, "is an ELF file for machine %u, not for AMDGPU (224)",
                       h.e_machine);
    const struct codeobj_cpu *cpu = codeobj_cpu_by_mach(h.e_flags & 0xff);
    bool is_r600 = cpu && cpu->gen == CPU_R600; /* the only ones with 32-bit files */
    if (h.e_ident[EI_DATA] != ELFDATA2LSB || (h.e_ident[EI_CLASS] != ELFCLASS64 && !is_r600))
        return err_set(e, ST_INPUT, "ELF header: is not 64-bit little-endian");
    enum status st = read_os(&h, out, e);
    if (st != ST_OK)
        return st;
    if (out->version == 2)
        return read_isa_version(elf, size, h.e_flags, out, e);
    return read_flags(h.e_flags, out, e);
}

static void add_setting(struct text *t, const char *name, enum codeobj_setting s)
{
    if (s == SETTING_OFF || s == SETTING_ON)
        text_add(t, ":%s%c", name, s == SETTING_ON ? '+' : '-');
}

const char *codeobj_target_id(const struct codeobj_target *t, char buf[TARGET_ID_SIZE])
{
    struct text out;
    text_init(&out, buf, TARGET_ID_SIZE);
    text_add(&out, "%s", t->cpu->name);
    if (t->cpu->features & CPU_SRAMECC)
        add_setting(&out, "sramecc", t->sramecc);
    if (t->cpu->features & CPU_XNACK)
        add_setting(&out, "xnack", t->xnack);
    return buf;
}

bool codeobj_target_is_listed(const struct codeobj_target *t, const char *list)
{
    char id[TARGET_ID_SIZE];
    const char *names[] = { t->cpu->name, codeobj_target_id(t, id) };
    for (const char *p = list; p && *p;) {
        size_t len = strcspn(p, ",");
        for (u32 i = 0; i < COUNT_OF(names); i++)
            if (len == strlen(names[i]) && memcmp(p, names[i], len) == 0)
                return true;
        p += len + (p[len] == ',');
    }
    return !list;
}
