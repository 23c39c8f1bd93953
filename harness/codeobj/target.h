/* What an AMDGPU ELF file was made for: operating system ABI, code object version, processor and
 * its features, from the header and, in version 2, a note. Guide, sections "Header" and "Note
 * Records". Needs no more of the file than its header and notes to be sound, so that it also
 * answers for objects that are not linked. */
#ifndef HARNESS_CODEOBJ_TARGET_H
#define HARNESS_CODEOBJ_TARGET_H

#include "oracle/base/base.h"

struct Elf;

/* A family of processors that read the kernel descriptor and set registers up in the same way. */
enum codeobj_family {
    CPU_R600,
    CPU_GFX6,
    CPU_GFX7,
    CPU_GFX8,
    CPU_GFX9,   /* gfx900 to gfx90c */
    CPU_GFX90A, /* gfx90a and gfx940: unified register file, packed work-item ids */
    CPU_GFX10,
    CPU_GFX11
};

enum { CPU_XNACK = 1, CPU_SRAMECC = 2, CPU_GFX9_GENERIC = 4 };

struct codeobj_cpu {
    u32 mach; /* EF_AMDGPU_MACH */
    enum codeobj_family gen;
    u8 features;       /* CPU_ bits: target features that it supports; what it is */
    const char *name;  /* as LLVM spells it */
    const char *plain; /* the processor whose code a generic target's is; else the name again */
};

/* What the file says about a target feature. Code object v2 and v3 know off and on only. */
enum codeobj_setting { SETTING_UNSUPPORTED, SETTING_ANY, SETTING_OFF, SETTING_ON };

enum codeobj_os { OS_NONE, OS_HSA, OS_PAL, OS_MESA3D };

struct codeobj_target {
    enum codeobj_os os;
    u32 version;         /* of the code object, 2 to 6; 0 if the OS is not amdhsa */
    u32 generic_version; /* of a generic target (v6), else 0 */
    const struct codeobj_cpu *cpu;
    enum codeobj_setting xnack;
    enum codeobj_setting sramecc;
};

enum { NOTE_ISA_VERSION_V2 = 3, NOTE_METADATA_V2 = 10, NOTE_METADATA = 32 };

/* The processor with this EF_AMDGPU_MACH number, or with this name or another name of it
 * ("tahiti"). NULL if there is none. */
const struct codeobj_cpu *codeobj_cpu_by_mach(u32 mach);
const struct codeobj_cpu *codeobj_cpu_by_name(const char *name);

/* Every processor, in the order of their numbers; NULL behind the last. */
const struct codeobj_cpu *codeobj_cpu_at(u32 index);

/* Visits the notes of this owner and type in a file of `size` bytes, in the order of the file;
 * those of sections only where no segment has one. The bytes lie in the file. The visitor answers
 * true to stop, which is then the answer. */
typedef bool codeobj_note_visit(const u8 *desc, size_t size, void *arg);
bool codeobj_each_note(struct Elf *elf, u64 size, const char *owner, u32 type,
                       codeobj_note_visit *visit, void *arg);

/* Finds the first note of this owner and type among the notes of a file of `size` bytes. *desc
 * points into libelf's copy or the file and lives as long as `elf`; *desc_size is in bytes. */
bool codeobj_note(struct Elf *elf, u64 size, const char *owner, u32 type, const u8 **desc,
                  size_t *desc_size);

/* Reads what the file of `size` bytes was made for. ST_INPUT with the reason in e->text: no ELF
 * file, another machine, big-endian, a number that is not known. */
enum status codeobj_target_read(struct Elf *elf, u64 size, struct codeobj_target *out,
                                struct err *e);

/* Writes the target id, "gfx906:sramecc-:xnack+", into buf and returns it; 32 bytes suffice. */
enum { TARGET_ID_SIZE = 40 };
const char *codeobj_target_id(const struct codeobj_target *t, char buf[TARGET_ID_SIZE]);

/* Whether a list with commas holds the target, by its processor or by its whole id. NULL is a list
 * of all. */
bool codeobj_target_is_listed(const struct codeobj_target *t, const char *list);

#endif
