/* What a code object was made for, metadata of version 2, and kernel descriptors as text. Files are
 * put together here or are those of cases/kernels; expected values are the guide's tables and the
 * options the files were compiled with. Runs in the root of the repository. */
#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/user_data.h"
#include "harness/dis/desc.h"
#include "harness/dis/meta.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSIONS "cases/kernels/code_object_versions/"

/* --- headers and notes --- */

/* An ELF file of a header, one note segment and nothing else. */
struct small {
    Elf64_Ehdr head;
    Elf64_Phdr note_head;
    struct {
        Elf64_Nhdr head;
        char owner[4];
        u8 desc[32];
    } note;
};

static struct small small_file(u32 abi, u32 abi_version, u32 flags)
{
    struct small f = {
        .head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, (u8)abi,
                               (u8)abi_version },
                  .e_type = ET_DYN,
                  .e_machine = 224,
                  .e_version = EV_CURRENT,
                  .e_phoff = offsetof(struct small, note_head),
                  .e_flags = flags,
                  .e_ehsize = sizeof(Elf64_Ehdr),
                  .e_phentsize = sizeof(Elf64_Phdr),
                  .e_phnum = 1 },
        .note_head = { .p_type = PT_NOTE,
                       .p_offset = offsetof(struct small, note),
                       .p_filesz = sizeof f.note,
                       .p_memsz = sizeof f.note,
                       .p_align = 4 },
        .note = { .head = { .n_namesz = 4, .n_descsz = 32, .n_type = NOTE_ISA_VERSION_V2 },
                  .owner = "AMD" },
    };
    return f;
}

static void set_isa_version(struct small *f, u32 major, u32 minor, u32 stepping)
{
    u32 v[3] = { major, minor, stepping };
    memcpy(f->note.desc + 4, v, sizeof v);
    memcpy(f->note.desc + 16, "AMD\0AMDGPU", 11);
}

/* The target id of such a file, or what is wrong with it. */
static const char *target_of(const struct small *f, struct codeobj_target *t)
{
    static struct err e;
    static char id[TARGET_ID_SIZE];
    struct small copy = *f;
    e = (struct err){ .text = "" };
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)&copy, sizeof copy);
    enum status st = codeobj_target_read(elf, sizeof copy, t, &e);
    elf_end(elf);
    return st == ST_OK ? codeobj_target_id(t, id) : e.text;
}

/* Guide, table of the processors of version 2. */
static void version_2(void)
{
    static const struct {
        u32 v[3];
        u32 flags;
        const char *want;
    } rows[] = {
        { { 6, 0, 0 }, 0, "gfx600" },
        { { 6, 0, 1 }, 0, "gfx601" },
        { { 6, 0, 2 }, 0, "gfx602" },
        { { 7, 0, 0 }, 0, "gfx700" },
        { { 7, 0, 1 }, 0, "gfx701" },
        { { 7, 0, 2 }, 0, "gfx702" },
        { { 7, 0, 3 }, 0, "gfx703" },
        { { 7, 0, 4 }, 0, "gfx704" },
        { { 7, 0, 5 }, 0, "gfx705" },
        { { 8, 0, 0 }, 0, "gfx802" },
        { { 8, 0, 1 }, 0, "gfx801:xnack+" },
        { { 8, 0, 2 }, 0, "gfx802" },
        { { 8, 0, 3 }, 0, "gfx803" },
        { { 8, 0, 4 }, 0, "gfx803" },
        { { 8, 0, 5 }, 0, "gfx805" },
        { { 8, 1, 0 }, 0, "gfx810:xnack+" },
        { { 9, 0, 0 }, 0, "gfx900:xnack-" },
        { { 9, 0, 1 }, 0, "gfx900:xnack+" },
        { { 9, 0, 2 }, 0, "gfx902:xnack-" },
        { { 9, 0, 3 }, 0, "gfx902:xnack+" },
        { { 9, 0, 4 }, 0, "gfx904:xnack-" },
        { { 9, 0, 5 }, 0, "gfx904:xnack+" },
        { { 9, 0, 12 }, 0, "gfx90c:xnack-" },
        { { 9, 0, 0 }, 1, "gfx900:xnack+" },
        { { 9, 0, 6 }, 0, "gfx906:sramecc-:xnack-" },
        { { 9, 0, 7 }, 0, "gfx906:sramecc-:xnack+" },
        { { 9, 0, 8 }, 0, "note AMD, type 3: processor 9.0.8 is not known" },
        { { 10, 0, 0 }, 0, "note AMD, type 3: processor 10.0.0 is not known" },
    };
    struct codeobj_target t;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct small f = small_file(64, 0, rows[i].flags);
        set_isa_version(&f, rows[i].v[0], rows[i].v[1], rows[i].v[2]);
        is_str(rows[i].want, target_of(&f, &t), "v2 %u.%u.%u", rows[i].v[0], rows[i].v[1],
               rows[i].v[2]);
    }
    struct small f = small_file(64, 0, 0);
    f.note.head.n_type = 4;
    is_str("does not name its processor (note AMD, type 3)", target_of(&f, &t), "v2 without note");
    f = small_file(64, 0, 0);
    f.note.head.n_descsz = 8;
    is_str("note AMD, type 3: 8 bytes are too few", target_of(&f, &t), "v2 with a short note");
}

/* Guide, tables of e_flags and of EF_AMDGPU_MACH. */
static void versions_3_to_6(void)
{
    static const struct {
        u32 abi_version, flags;
        const char *want;
    } rows[] = {
        { 1, 0x02c, "gfx900:xnack-" },
        { 1, 0x12c, "gfx900:xnack+" },
        { 1, 0x22f, "gfx906:sramecc+:xnack-" },
        { 1, 0x42c, "ELF header: e_flags 0x42c has bits that code object v3 does not know" },
        { 2, 0x02c, "gfx900" },
        { 2, 0x12c, "gfx900" },
        { 2, 0x22c, "gfx900:xnack-" },
        { 2, 0x32c, "gfx900:xnack+" },
        { 3, 0x52f, "gfx906" },
        { 3, 0xa2f, "gfx906:sramecc-:xnack-" },
        { 3, 0xe30, "gfx908:sramecc+:xnack-" },
        { 3, 0xb30, "gfx908:sramecc-:xnack+" },
        { 3, 0x42f, "gfx906" },
        { 3, 0x02a, "gfx803" },
        { 3, 0x041, "gfx1100" },
        { 3, 0x11000, "ELF header: e_flags 0x11000 has bits that code object v5 does not know" },
        { 3, 0x027, "ELF header: processor number 0x27 of e_flags is not known" },
        { 3, 0x000, "ELF header: processor number 0x00 of e_flags is not known" },
        { 4, 0x1000151, "gfx9-generic" },
        { 5, 0x02c, "ELF header: ABI version 5 is not known" },
    };
    struct codeobj_target t;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct small f = small_file(64, rows[i].abi_version, rows[i].flags);
        is_str(rows[i].want, target_of(&f, &t), "ABI version %u, e_flags 0x%x", rows[i].abi_version,
               rows[i].flags);
    }
    struct small f = small_file(65, 0, 0x32c);
    ok(strcmp(target_of(&f, &t), "gfx900:xnack+") == 0 && t.os == OS_PAL && t.version == 0,
       "amdpal");
    f = small_file(64, 4, 0x1000151);
    target_of(&f, &t);
    ok(t.generic_version == 1 && strcmp(t.cpu->plain, "gfx900") == 0, "version 1 of gfx9-generic");
    is_str("tahiti is gfx600",
           codeobj_cpu_by_name("tahiti") == codeobj_cpu_by_mach(0x20) ? "tahiti is gfx600" : "no",
           "another name");
    ok(!codeobj_cpu_by_name("gfx9000"), "no such processor");
    for (u32 i = 0; codeobj_cpu_at(i); i++) {
        const struct codeobj_cpu *cpu = codeobj_cpu_at(i);
        if (codeobj_cpu_by_mach(cpu->mach) != cpu || codeobj_cpu_by_name(cpu->name) != cpu ||
            !codeobj_cpu_by_name(cpu->plain))
            ok(false, "%s is found by number and name", cpu->name);
    }
}

/* --- metadata of version 2 --- */

static void yaml(void)
{
#define HEAD "Version: [1, 0]\nKernels:\n  - Name: k\n    SymbolName: 'k@kd'\n"
#define PROPS                                                                                 \
    "    CodeProps: {KernargSegmentSize: 24, KernargSegmentAlign: 8, GroupSegmentFixedSize: " \
    "0x10, PrivateSegmentFixedSize: 0, NumSGPRs: 9, NumVGPRs: 4, WavefrontSize: 64, "         \
    "MaxFlatWorkGroupSize: 256}\n"
    static const struct {
        const char *doc, *want; /* "" if it is good */
    } rows[] = {
        { HEAD PROPS, "" },
        { HEAD PROPS "    Args:\n      - {Size: 4, Align: 4, ValueKind: ByValue}\n"
                     "      - {Size: 8, Align: 8, ValueKind: HiddenMultiGridSyncArg}\n",
          "" },
        { HEAD, "metadata: kernel 0: CodeProps is missing" },
        { "Kernels: []\n", "metadata: document: Version is missing" },
        { "Version: [2, 0]\nKernels: []\n",
          "metadata: Version 2.0 is not 1.0, that of code object v2" },
        { "Version: [1]\nKernels: []\n", "metadata: Version is not two integers" },
        { "Version: [1, 0]\n", "metadata: document: Kernels is missing" },
        { "[1, 2]\n", "metadata: is not a map" },
        { "Version: [1, 0]\nKernels: [ 5 ]\n", "metadata: kernel 0 is not a map" },
        { "Version: [1, 0\n",
          "metadata: malformed YAML at line 2: did not find expected ',' or ']'" },
        { HEAD PROPS "    Args: [ {Size: 17, Align: 8, ValueKind: ByValue}, "
                     "{Size: 4, Align: 8, ValueKind: ByValue} ]\n",
          "metadata: kernel 0, argument 1: its 4 bytes are beyond the 24 bytes of the kernarg "
          "segment" },
        { HEAD PROPS "    Args: [ {Size: 4, Align: 3, ValueKind: ByValue} ]\n",
          "metadata: kernel 0, argument 0: an alignment is not a power of two" },
        { HEAD PROPS "    Args: [ {Size: 4, Align: 4, ValueKind: Global_buffer} ]\n",
          "metadata: kernel 0, argument 0: ValueKind 'Global_buffer' is not known" },
        { HEAD PROPS "    Args: [ {Size: -4, Align: 4, ValueKind: ByValue} ]\n",
          "metadata: kernel 0, argument 0: Size is not an integer from 0 to 4294967295" },
        { HEAD PROPS "    Args: [ &a [ *a ] ]\n", "metadata: kernel 0, argument 0 is not a map" },
        { HEAD PROPS "    Attrs: {ReqdWorkGroupSize: [64, 1]}\n",
          "metadata: kernel 0: ReqdWorkGroupSize does not have 3 items" },
    };
#undef HEAD
#undef PROPS
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct codeobj co = { .target.version = 2 };
        struct err e = { .text = "" };
        codeobj_yaml_read(&co, (const u8 *)rows[i].doc, strlen(rows[i].doc) + 1, &e);
        is_str(rows[i].want, e.text, "YAML %zu", i);
        if (i == 1)
            ok(co.kernel_count == 1 && co.kernels[0].arg_count == 2 &&
                   co.kernels[0].args[1].offset == 8 && co.kernels[0].group_size == 16 &&
                   co.kernels[0].args[1].kind == ARG_HIDDEN_MULTIGRID_SYNC_ARG,
               "its arguments");
        codeobj_close(&co);
    }
}

static void kernel_of_version_2(void)
{
    struct codeobj co;
    struct codeobj_kernel k = { 0 };
    struct err e = { .text = "" };
    if (!ok(codeobj_open(&co, VERSIONS "gfx900.v2.co", 0x100000000, &e) == ST_OK &&
                codeobj_kernel(&co, "versions", &k, &e) == ST_OK,
            "opens a file of version 2 %s", e.text))
        return;
    is_u64(0x100001900, k.entry_address, "its entry is 256 bytes behind its symbol");
    ok(k.meta->arg_count == 3 && k.meta->args[2].offset == 16 && k.meta->args[2].size == 4,
       "the third argument is at 16");
    is_u64(20, k.desc.kernarg_size, "kernarg size");
    ok(k.meta->reqd_workgroup[0] == 64, "required work-group");
    ok(k.desc.user_data == (1 << USER_PRIVATE_SEGMENT_BUFFER | 1 << USER_KERNARG_SEGMENT_PTR),
       "user SGPRs");
    codeobj_close(&co);
}

/* --- texts --- */

/* What a descriptor prints. */
static char *desc_text(const u8 bytes[64], enum codeobj_family gen)
{
    char *text;
    FILE *f = memory_open(&text);
    dis_descriptor(f, bytes, gen);
    fclose(f);
    return text;
}

/* No bit is passed over, on any family: each changes what is printed. */
static void every_bit_shows(void)
{
    for (u32 gen = CPU_GFX6; gen <= CPU_GFX11; gen++) {
        u8 bytes[64] = { 0 };
        char *zero = desc_text(bytes, (enum codeobj_family)gen);
        u32 hidden = 0, first = 0;
        for (u32 bit = 0; bit < 512; bit++) {
            bytes[bit / 8] = (u8)(1 << bit % 8);
            char *text = desc_text(bytes, (enum codeobj_family)gen);
            if (strcmp(text, zero) == 0 && hidden++ == 0)
                first = bit;
            free(text);
            bytes[bit / 8] = 0;
        }
        ok(hidden == 0, "family %u: %u bits do not show, the first is %u", gen, hidden, first);
        free(zero);
    }
}

/* Fields by hand from the guide's tables: a word at a byte of the descriptor, a line it must
 * print. */
static void fields_show(void)
{
    static const struct {
        u32 gen, at, value;
        const char *line;
    } rows[] = {
        { CPU_GFX9, 0, 1024, "group_segment_fixed_size 1024 bytes" },
        { CPU_GFX9, 16, 0xffffff00, "kernel_code_entry_byte_offset 4294967040" },
        { CPU_GFX9, 48, 0x00af0041, "granulated_workitem_vgpr_count 1 8 VGPRs" },
        { CPU_GFX9, 48, 0x00af0041, "granulated_wavefront_sgpr_count 1 16 SGPRs" },
        { CPU_GFX9, 48, 0x000000c0, "granulated_wavefront_sgpr_count 3 32 SGPRs" },
        { CPU_GFX8, 48, 0x00000080, "granulated_wavefront_sgpr_count 2 24 SGPRs" },
        { CPU_GFX90A, 48, 0x3, "granulated_workitem_vgpr_count 3 32 VGPRs" },
        { CPU_GFX10, 48, 0x3, "granulated_workitem_vgpr_count 3 16 VGPRs" },
        { CPU_GFX11, 48, 0x80000000, "fwd_progress 1" },
        { CPU_GFX9, 48, 0x3000, "float_round_mode_32 3 to zero" },
        { CPU_GFX9, 48, 0x40000, "float_denorm_mode_16_64 1 flushed in results" },
        { CPU_GFX9, 48, 0x04000000, "fp16_ovfl 1" },
        { CPU_GFX8, 48, 0x04000000, "bits 410:410 0x1 reserved, must be 0" },
        { CPU_GFX7, 48, 0x00100000, "priv 1 must be 0" },
        { CPU_GFX9, 52, 0x188c, "user_sgpr_count 6" },
        { CPU_GFX9, 52, 0x1000, "enable_vgpr_workitem_id 2 x y z" },
        { CPU_GFX9, 52, 0x40000000, "enable_exception_int_divide_by_zero 1" },
        { CPU_GFX90A, 44, 0x10003, "accum_offset 3 the first AccVGPR is 16" },
        { CPU_GFX90A, 44, 0x10003, "tg_split 1" },
        { CPU_GFX10, 44, 0x2, "shared_vgpr_count 2 16 VGPRs" },
        { CPU_GFX11, 44, 0x30, "inst_pref_size 3 384 bytes" },
        { CPU_GFX10, 44, 0x30, "bits 361:356 0x3 reserved, must be 0" },
        { CPU_GFX11, 44, 0x80000000, "image_op 1" },
        { CPU_GFX9, 44, 0x5, "compute_pgm_rsrc3 0x00000005" },
        { CPU_GFX9, 56, 0x829, "uses_dynamic_stack 1" },
        { CPU_GFX10, 56, 0x400, "enable_wavefront_size32 1" },
        { CPU_GFX11, 56, 0x1, "enable_sgpr_private_segment_buffer 1 must be 0" },
        { CPU_GFX9, 56, 0x400, "bits 458:458 0x1 reserved, must be 0" },
        { CPU_GFX6, 12, 0x1, "bits 127:96 0x1 reserved, must be 0" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        u8 bytes[64] = { 0 };
        char squeezed[8192], *q = squeezed;
        memcpy(bytes + rows[i].at, &rows[i].value, 4);
        char *text = desc_text(bytes, (enum codeobj_family)rows[i].gen);
        *q++ = '\n';
        for (char *p = text; *p && q < squeezed + sizeof squeezed - 2;
             p++) /* runs of blanks: one */
            if (*p != ' ' || (q[-1] != ' ' && q[-1] != '\n'))
                *q++ = *p;
        *q = '\0';
        char want[200];
        snprintf(want, sizeof want, "\n%s\n", rows[i].line);
        if (!ok(strstr(squeezed, want) != NULL, "family %u: %s", rows[i].gen, rows[i].line))
            diag("%s", squeezed);
        free(text);
    }
}

/* A document as amdpal has it. */
static void pal_metadata(void)
{
    msgpack_sbuffer buf;
    msgpack_packer pk;
    msgpack_sbuffer_init(&buf);
    msgpack_packer_init(&pk, &buf, msgpack_sbuffer_write);
    msgpack_pack_map(&pk, 2);
    msgpack_pack_str_with_body(&pk, "amdpal.version", 14);
    msgpack_pack_array(&pk, 2);
    msgpack_pack_int(&pk, 2);
    msgpack_pack_int(&pk, 6);
    msgpack_pack_str_with_body(&pk, "amdpal.pipelines", 16);
    msgpack_pack_array(&pk, 1);
    msgpack_pack_map(&pk, 3);
    msgpack_pack_str_with_body(&pk, ".registers", 10);
    msgpack_pack_map(&pk, 2);
    msgpack_pack_int(&pk, 0x2e12);
    msgpack_pack_int(&pk, 0xac0040);
    msgpack_pack_int(&pk, 0x2e40);
    msgpack_pack_int(&pk, 0x10000002);
    msgpack_pack_str_with_body(&pk, ".type", 5);
    msgpack_pack_str_with_body(&pk, "a \"b\n", 5);
    msgpack_pack_str_with_body(&pk, ".uses_viewport_array_index", 26);
    msgpack_pack_false(&pk);
    char *text;
    struct err e = { .text = "" };
    FILE *f = memory_open(&text);
    enum status st = dis_msgpack(f, (const u8 *)buf.data, buf.size, &e);
    fclose(f);
    ok(st == ST_OK, "a document of amdpal %s", e.text);
    is_str("---\n"
           "amdpal.version: [ 2, 6 ]\n"
           "amdpal.pipelines:\n"
           "  -\n"
           "    .registers:\n"
           "      0x2e12: 0xac0040\n"
           "      0x2e40: 0x10000002 # SpillTable\n"
           "    .type: \"a \\\"b\\x0a\"\n"
           "    .uses_viewport_array_index: false\n"
           "...\n",
           text, "its text");
    free(text);
    msgpack_sbuffer_destroy(&buf);
}

int main(void)
{
    version_2();
    versions_3_to_6();
    yaml();
    kernel_of_version_2();
    every_bit_shows();
    fields_show();
    pal_metadata();
    return done();
}
