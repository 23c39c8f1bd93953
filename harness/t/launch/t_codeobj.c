/* Code objects: what is read from good files, and what is said about bad ones. Expected values are
 * those of llvm-readelf, llvm-objdump and the tables of LLVM's guide. Runs in the root of the
 * repository. */
#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/user_data.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define VADD   "cases/kernels/vadd_f32/gfx900.O3.co"
#define REDUCE "cases/kernels/reduce_lds_u32/gfx900.O3.co"
#define TABLE  "cases/kernels/global_table/gfx900.O3.co"
#define SHARED "../shared/examples/kernels"
#define BASE   0x100000000ull

/* One line that names the file and says something. */
static bool is_clear(const struct err *e, const char *file)
{
    return e->text[0] && !strchr(e->text, '\n') && strcmp(e->file, file) == 0;
}

/* Opens bytes and finds its only kernel; answers the first failure. Closes everything. */
static enum status try_bytes(const u8 *bytes, size_t size, struct err *e)
{
    struct codeobj co;
    struct codeobj_kernel k;
    *e = (struct err){ .text = "" };
    enum status st = codeobj_open_memory(&co, "k.co", bytes, size, BASE, e);
    if (st != ST_OK)
        return st;
    st = codeobj_kernel(&co, NULL, &k, e);
    codeobj_close(&co);
    return st;
}

static void test_vadd(void)
{
    struct codeobj co;
    struct codeobj_kernel k = { 0 };
    struct err e = { .text = "" };
    if (!ok(codeobj_open(&co, VADD, BASE, &e) == ST_OK, "opens vadd_f32") ||
        !ok(codeobj_kernel(&co, "vadd_f32", &k, &e) == ST_OK, "finds its kernel")) {
        diag("%s", e.text);
        return;
    }
    is_hex(5, co.target.version, "version");
    ok(strcmp(co.target.cpu->name, "gfx900") == 0, "processor is gfx900");
    is_hex(SETTING_ANY, co.target.xnack, "xnack may be anything");
    is_hex(SETTING_UNSUPPORTED, co.target.sramecc, "sramecc is unsupported");
    is_hex(3, co.segment_count, "segments");
    ok(!co.segments[0].is_executable && co.segments[1].is_executable && co.segments[2].is_writable,
       "segments are read-only, code, writable");
    is_hex(BASE + 0x840, k.desc_address, "descriptor address");
    is_hex(BASE + 0x1900, k.entry_address, "entry address");
    is_hex(288, k.meta->kernarg_size, "kernarg size");
    is_hex(8, k.meta->kernarg_align, "kernarg align");
    is_hex(12, k.meta->sgpr_count, "sgpr count");
    is_hex(5, k.meta->vgpr_count, "vgpr count");
    is_hex(64, k.meta->wave_size, "wave size");
    is_hex(256, k.meta->max_workgroup_size, "max work-group");
    is_hex(17, k.meta->arg_count, "arguments");
    const struct kernel_arg *a = k.meta->args;
    ok(a[3].kind == ARG_BY_VALUE && a[3].offset == 24 && a[3].size == 4, "argument 3 is a value");
    ok(a[0].kind == ARG_GLOBAL_BUFFER && a[0].space == ADDRESS_GLOBAL && a[0].size == 8,
       "argument 0 is a buffer");
    ok(a[16].kind == ARG_HIDDEN_GRID_DIMS && a[16].size == 2, "argument 16 is hidden_grid_dims");
    is_hex(288, k.desc.kernarg_size, "descriptor kernarg size");
    is_hex(0x00af0041, k.desc.compute_pgm_rsrc1, "rsrc1");
    is_hex(8, k.desc.vgprs, "allocated vgprs");
    is_hex(16, k.desc.sgprs, "allocated sgprs");
    is_hex(3, k.desc.float_denorm_mode_32, "denormals of f32 kept");
    is_hex(0, k.desc.float_round_mode_32, "rounding of f32");
    ok(k.desc.enable_dx10_clamp && k.desc.enable_ieee_mode && !k.desc.fp16_ovfl,
       "dx10_clamp, ieee");
    is_hex(6, k.desc.user_sgpr_count, "user sgprs");
    ok(k.desc.user_data == (1 << USER_PRIVATE_SEGMENT_BUFFER | 1 << USER_KERNARG_SEGMENT_PTR) &&
           !k.desc.enable_private_segment,
       "user sgprs are the scratch buffer and the kernarg pointer");
    ok(k.desc.enable_sgpr_workgroup_id[0] && !k.desc.enable_sgpr_workgroup_id[1] &&
           k.desc.enable_vgpr_workitem_id == 0,
       "ids are x only");
    struct codeobj_symbol s = { 0 };
    ok(codeobj_function_at(&co, BASE + 0x1924, &s) && strcmp(s.name, "vadd_f32") == 0 &&
           s.vaddr == 0x1900,
       "address 0x1924 is in vadd_f32");
    ok(!codeobj_function_at(&co, BASE + 0x18fc, &s), "address 0x18fc is in no function");
    ok(!codeobj_symbol(&co, "vadd", &s), "there is no symbol vadd");
    e = (struct err){ .text = "" };
    ok(codeobj_kernel(&co, "vadd", &k, &e) == ST_INPUT && is_clear(&e, VADD),
       "there is no kernel vadd");
    ok(strcmp(e.text, "has no kernel 'vadd', only: vadd_f32") == 0,
       "the message lists what there is");
    codeobj_close(&co);
}

static void must_open(struct codeobj *co, const char *path)
{
    struct err e = { .text = "" };
    if (codeobj_open(co, path, BASE, &e) != ST_OK)
        bail("%s: %s", path, e.text);
}

static void test_others(void)
{
    struct codeobj co;
    struct codeobj_kernel k = { 0 };
    struct err e = { .text = "" };
    must_open(&co, REDUCE);
    if (!ok(codeobj_kernel(&co, NULL, &k, &e) == ST_OK, "finds the only kernel %s", e.text))
        return;
    is_hex(1024, k.meta->group_size, "group segment of metadata");
    is_hex(1024, k.desc.group_segment_fixed_size, "group segment of descriptor");
    ok(k.meta->reqd_workgroup[0] == 256 && k.meta->reqd_workgroup[1] == 1 &&
           k.meta->reqd_workgroup[2] == 1,
       "required work-group is 256 1 1");
    codeobj_close(&co);

    must_open(&co, TABLE);
    u64 words[2];
    memcpy(words, co.image + 0x3750, sizeof words);
    is_hex(BASE + 0x3740, words[0], "R_AMDGPU_RELATIVE64");
    is_hex(BASE + 0x3730, words[1], "R_AMDGPU_ABS64");
    struct codeobj_symbol s = { 0 };
    ok(codeobj_symbol(&co, "table_a", &s) && s.vaddr == 0x3730 && s.size == 16, "symbol table_a");
    codeobj_close(&co);
    ok(codeobj_open(&co, "cases/kernels", BASE, &e) == ST_INPUT && is_clear(&e, "cases/kernels"),
       "a folder is refused");
    ok(codeobj_open(&co, "cases/kernels/none.co", BASE, &e) == ST_INPUT &&
           strcmp(e.text, "cannot be opened: No such file or directory") == 0,
       "a missing file is refused");
}

/* Bytes of the ELF header and of the relocations replaced; NULL: accepted. */
static const struct {
    const char *file;
    u32 offset;
    u32 width;
    u32 value;
    const char *want;
} patches[] = {
    { VADD, 0, 1, 0x7e, "is not an ELF file" },
    { VADD, 4, 1, 1, "ELF header: e_ehsize 2968 is not 52, that of EI_CLASS 1 (32-bit)" },
    { VADD, 7, 1, 0, "ELF header: OS ABI 0 is not amdhsa (64)" },
    { VADD, 7, 1, 65, "code objects of amdpal are not supported, only amdhsa" },
    { VADD, 7, 1, 66, "code objects of mesa3d are not supported, only amdhsa" },
    { VADD, 8, 1, 0, "does not name its processor (note AMD, type 3)" },
    { VADD, 8, 1, 2, "metadata: amdhsa.version 1.2 is not 1.1, that of code object v4" },
    { VADD, 8, 1, 4, NULL }, /* version 6 has the metadata of version 5 */
    { VADD, 8, 1, 9, "ELF header: ABI version 9 is not known" },
    { VADD, 16, 2, 1, "has no symbol 'vadd_f32.kd'" },
    { VADD, 16, 2, 2, "ELF header: e_type 2 is neither 3 (shared object) nor 1 (relocatable)" },
    { VADD, 18, 2, 62, "is an ELF file for machine 62, not for AMDGPU (224)" },
    { VADD, 48, 4, 0x1f, "ELF header: processor number 0x1f of e_flags is not known" },
    { VADD, 48, 4, 0x102c | 1 << 13,
      "ELF header: e_flags 0x302c has bits that code object v5 does not know" },
    { VADD, 48, 4, 0x36,
      "kernels for gfx1030 are not supported, only gfx6 to gfx9 without gfx90a and later" },
    { VADD, 48, 4, 0x3f,
      "kernels for gfx90a are not supported, only gfx6 to gfx9 without gfx90a and later" },
    { VADD, 48, 4, 0x1,
      "kernels for r600 are not supported, only gfx6 to gfx9 without gfx90a and later" },
    { VADD, 48, 4, 0x32f, NULL },
    /* program header 1, the first PT_LOAD, stands at 64 + 56; offset, address, file size,
     * memory size at   +8, +16, +32, +40 */
    { VADD, 64 + 56 + 8, 4, 0x10000,
      "segment 1: p_offset 0x10000, p_filesz 0x884: bytes are beyond the end of the file" },
    { VADD, 64 + 56 + 32, 4, 0x900, "segment 1: p_filesz 0x900 is larger than p_memsz 0x884" },
    { VADD, 64 + 56 + 40, 4, 0, "segment 1: p_filesz 0x884 is larger than p_memsz 0x0" },
    { VADD, 64 + 112 + 16, 4, 0x800,
      "segment 2: p_vaddr 0x800 overlaps or precedes the one before" },
    { VADD, 64 + 168 + 44, 4, 1, "segment 3: p_vaddr 0x29a8 or p_memsz 0x100000658 is too large" },
    { VADD, 64 + 168 + 20, 4, 1,
      "segments span 0x100003000 bytes, more than the limit of 0x10000000" },
    /* the entry offset and the user SGPR count in the descriptor */
    { VADD, 0x840 + 16, 4, 0x10c4, "vadd_f32.kd: entry point 0x1904 is not 256-byte aligned code" },
    { VADD, 0x840 + 16, 4, 0x0, "vadd_f32.kd: entry point 0x840 is not 256-byte aligned code" },
    { VADD, 0x840 + 16, 4, 0x100010c0,
      "vadd_f32.kd: entry point 0x10001900 is not 256-byte aligned code" },
    { VADD, 0x840 + 52, 4, 0x88,
      "vadd_f32.kd: kernel descriptor: 6 user SGPRs are enabled, user_sgpr_count is 4" },
    { VADD, 0x840 + 52, 4, 0xa2,
      "vadd_f32.kd: kernel descriptor: user_sgpr_count 17 is more than 16" },
    { VADD, 0x840 + 52, 4, 0x188c,
      "vadd_f32.kd: kernel descriptor: enable_vgpr_workitem_id 3 is undefined" },
    /* .rela.dyn stands at 0x520: offset, type, symbol, addend; then the next */
    { TABLE, 0x520 + 8, 4, 0, NULL },
    { TABLE, 0x520 + 8, 4, 7,
      "relocation R_AMDGPU_GOTPCREL is not supported in a linked code object" },
    { TABLE, 0x520 + 8, 4, 12, "relocation type 12 is not known" },
    { TABLE, 0x520 + 8, 4, 200, "relocation type 200 is not known" },
    { TABLE, 0x520, 4, 0x375c, "relocation R_AMDGPU_RELATIVE64: address 0x375c is in no segment" },
    { TABLE, 0x520, 4, 0x5bd, "relocation R_AMDGPU_RELATIVE64: address 0x5bd is in no segment" },
    { TABLE, 0x538 + 8, 4, 6, "relocation R_AMDGPU_ABS32: value 0x100003730 does not fit" },
    { TABLE, 0x538 + 12, 4, 9,
      "section 6 (.rela.dyn): relocation 1: r_info names symbol 9, there are 4" },
    { TABLE, 0x538 + 12, 4, 0, "needs symbol '', which it does not define" },
};

static void test_patches(void)
{
    for (size_t i = 0; i < COUNT_OF(patches); i++) {
        struct sample s = sample_load(patches[i].file);
        struct err e;
        memcpy(s.bytes + patches[i].offset, &patches[i].value, patches[i].width);
        enum status st = try_bytes(s.bytes, s.size, &e);
        const char *want = patches[i].want;
        if (!ok(st == (want ? ST_INPUT : ST_OK) && (!want || strcmp(e.text, want) == 0),
                "byte 0x%x = 0x%x: %s", patches[i].offset, patches[i].value,
                want ? want : "accepted"))
            diag("got  %s", e.text);
        free(s.bytes);
    }
}

/* Relocation types applied at 0x3758 with symbol table_a (0x3730) and addend 4: bytes 0 to 7
 * afterwards. */
static void test_relocation_values(void)
{
    const u64 old = 0; /* the linker leaves the place 0: the addend is in the record */
    const u64 s_a = BASE + 0x3734, rel = 0x3734ull - 0x3758;
    const struct {
        const char *name;
        u32 type;
        u64 want;
    } rows[] = {
        { "R_AMDGPU_NONE", 0, old },
        { "R_AMDGPU_ABS32_LO", 1, (u32)s_a },
        { "R_AMDGPU_ABS32_HI", 2, s_a >> 32 },
        { "R_AMDGPU_ABS64", 3, s_a },
        { "R_AMDGPU_REL32", 4, (u32)rel },
        { "R_AMDGPU_REL64", 5, rel },
        { "R_AMDGPU_REL32_LO", 10, (u32)rel },
        { "R_AMDGPU_REL32_HI", 11, rel >> 32 },
        { "R_AMDGPU_RELATIVE64", 13, BASE + 4 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s = sample_load(TABLE);
        struct codeobj co;
        struct err e = { .text = "" };
        u32 addend = 4;
        u64 got = 0;
        memcpy(s.bytes + 0x538 + 8, &rows[i].type, 4);
        memcpy(s.bytes + 0x538 + 16, &addend, 4);
        if (codeobj_open_memory(&co, "k.co", s.bytes, s.size, BASE, &e) == ST_OK) {
            memcpy(&got, co.image + 0x3758, 8);
            codeobj_close(&co);
            is_hex(rows[i].want, got, "%s", rows[i].name);
        } else {
            ok(false, "%s: %s", rows[i].name, e.text);
        }
        free(s.bytes);
    }
}

/* Strings of the metadata replaced by others of the same length. */
static void test_metadata(void)
{
    static const struct {
        const char *find, *replace, *want;
    } rows[] = {
        { "amdhsa.version", "amdhsa.versiox", "metadata: amdhsa.version is missing" },
        { "amdhsa.kernels", "amdhsa.kernelx", "metadata: document: amdhsa.kernels is missing" },
        { ".symbol", ".symbox", "metadata: kernel 0: .symbol is missing" },
        { "vadd_f32.kd", "vadd_f32.kx", "has no symbol 'vadd_f32.kx'" },
        { ".offset\x08", ".offsex\x08", "metadata: kernel 0, argument 1: .offset is missing" },
        { "by_value", "by_walue",
          "metadata: kernel 0, argument 3: .value_kind 'by_walue' is not known" },
        { "\xa6global", "\xa6globax",
          "metadata: kernel 0, argument 0: .address_space is not known" },
        { ".wavefront_size\x40", ".wavefront_size\x41",
          "metadata: kernel 0: .wavefront_size 65 is not a power of two" },
        { ".kernarg_segment_align\x08", ".kernarg_segment_align\x07",
          "metadata: kernel 0: .kernarg_segment_align 7 is not a power of two" },
        { ".sgpr_count\x0c", ".sgpr_count\xff",
          "metadata: kernel 0: .sgpr_count is not an integer from 0 to 65536" },
        { ".size\x04", ".size\xc0",
          "metadata: kernel 0, argument 3: .size is not an integer from 0 to 4294967295" },
        { "AMDGPU\0\0", "AMDGPX\0\0", "has no metadata (note AMDGPU, type 32)" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s = sample_load(VADD);
        struct err e;
        size_t len = i + 1 == COUNT_OF(rows) ? 8 : strlen(rows[i].find);
        u8 *at = memmem(s.bytes, s.size, rows[i].find, len);
        if (!at || (i + 1 != COUNT_OF(rows) && strlen(rows[i].replace) != len)) {
            ok(false, "row %zu of the metadata table", i);
        } else {
            memcpy(at, rows[i].replace, len);
            enum status st = try_bytes(s.bytes, s.size, &e);
            if (!ok(st == ST_INPUT && strcmp(e.text, rows[i].want) == 0, "%s", rows[i].want))
                diag("got  %s", e.text);
        }
        free(s.bytes);
    }
}

/* A file that was linked from two has the notes of both, one of them of an earlier version. */
static void test_two_documents(void)
{
    struct codeobj co;
    struct err e = { .text = "" };
    const u8 *doc;
    size_t size;
    must_open(&co, VADD);
    if (!codeobj_note(co.elf, co.byte_count, "AMDGPU", NOTE_METADATA, &doc, &size))
        bail("no metadata");
    u8 *copy = malloc(size);
    memcpy(copy, doc, size);
    u8 *minor = memmem(copy, size, "amdhsa.version\x92\x01\x02", 17);
    if (!ok(minor != NULL, "the version is found"))
        return;
    minor[16] = 0;
    ok(codeobj_meta_read(&co, copy, size, &e) == ST_OK, "metadata 1.0 in a file of v5 %s", e.text);
    is_u64(2, co.kernel_count, "the kernels of both documents");
    is_str("vadd_f32", co.kernels[0].name, "the first one's");
    is_str("vadd_f32", co.kernels[1].name, "the second one's");
    is_u64(co.kernels[0].arg_count, co.kernels[1].arg_count, "with its arguments");
    minor[16] = 3;
    ok(codeobj_meta_read(&co, copy, size, &e) == ST_INPUT, "metadata 1.3 is not known");
    is_str("metadata: amdhsa.version 1.3 is not 1.2, that of code object v5", e.text, "says why");
    codeobj_close(&co);
    free(copy);
}

/* Documents that announce more than they hold, or nest too deeply. */
static void test_msgpack(void)
{
#define DOC(s) s, sizeof s - 1
    static const struct {
        const char *doc;
        size_t size;
        const char *want;
    } rows[] = {
        { DOC(""), "metadata: malformed msgpack at byte 0 of 0" },
        { DOC("\xc0"), "metadata: is not a map" },
        { DOC("\xc1"), "metadata: malformed msgpack at byte 1 of 1" },
        { DOC("\xdd\xff\xff\xff\xff"), "metadata: malformed msgpack at byte 5 of 5" },
        { DOC("\xdf\xff\xff\xff\xff\x01"), "metadata: malformed msgpack at byte 5 of 6" },
        { DOC("\xdb\xff\xff\xff\xff"), "metadata: malformed msgpack at byte 5 of 5" },
        { DOC("\xc9\xff\xff\xff\xff\x01"), "metadata: malformed msgpack at byte 5 of 6" },
        { DOC("\xcf\x01"), "metadata: malformed msgpack at byte 1 of 2" },
        { DOC("\xdc\x00"), "metadata: malformed msgpack at byte 1 of 2" },
        { DOC("\x81\xa1"), "metadata: malformed msgpack at byte 1 of 2" },
        { DOC("\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\xc0"),
          "metadata: nested more than 16 deep" },
        { DOC("\x80"), "metadata: amdhsa.version is missing" },
        { DOC("\x81\xae"
              "amdhsa.version\x92\x01\xa1x"),
          "metadata: amdhsa.version is not two integers" },
        { DOC("\x82\xae"
              "amdhsa.version\x92\x01\x02\xae"
              "amdhsa.kernels\x91\x01"),
          "metadata: kernel 0 is not a map" },
        { DOC("\x82\xae"
              "amdhsa.version\x92\x01\x02\xae"
              "amdhsa.kernels\x91\x81\xa5.name\xa2x\0"),
          "metadata: kernel 0: .name is not a string of at most 4096 bytes" },
    };
#undef DOC
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct codeobj co = { .target.version = 5 };
        struct err e = { .text = "" };
        /* Its own allocation of the exact size, so that a read beyond the end is seen by the
         * sanitizer. */
        u8 *doc = malloc(rows[i].size);
        memcpy(doc, rows[i].doc, rows[i].size);
        enum status st = codeobj_meta_read(&co, doc, rows[i].size, &e);
        codeobj_close(&co);
        if (!ok(st == ST_INPUT && strcmp(e.text, rows[i].want) == 0, "msgpack %zu: %s", i,
                rows[i].want))
            diag("got  %s", e.text);
        free(doc);
    }
}

/* Every bit of an empty descriptor: refused exactly where the guide says "must be 0". Bits 96 and
 * so on count through the 512 bits; compute_pgm_rsrc1 begins at 384, compute_pgm_rsrc2 at 416. */
static void test_descriptor_bits(void)
{
    static const struct {
        u32 first, last;
    } zero[] = {
        { 96, 127 },  { 192, 383 }, { 394, 395 }, { 404, 404 }, { 406, 406 }, { 408, 409 },
        { 411, 415 }, { 422, 422 }, { 429, 439 }, { 447, 447 }, { 455, 458 }, { 460, 511 },
    };
    int wrong = 0;
    for (u32 gen = CPU_GFX8; gen <= CPU_GFX9; gen++) {
        for (u32 bit = 0; bit < 512; bit++) {
            u8 bytes[CODEOBJ_DESC_BYTES] = { 0 };
            bool is_refused = bit == 410 && gen == CPU_GFX8; /* fp16_ovfl, from gfx9 on */
            struct kernel_desc d;
            struct err e = { .text = "" };
            bytes[bit / 8] = (u8)(1u << bit % 8);
            for (size_t i = 0; i < COUNT_OF(zero); i++)
                is_refused |= bit >= zero[i].first && bit <= zero[i].last;
            /* An enabled user SGPR needs a count, which may be up to 16. */
            bytes[52] |= bit == 421 ? 0 : 16 << 1;
            if (bit >= 416 && bit <= 421)
                bytes[52] = (u8)(bit == 421 ? 0x20 : 1u << (bit - 416));
            bool got = codeobj_desc_decode(bytes, (enum codeobj_family)gen, &d, &e) == ST_INPUT;
            if (got != is_refused && wrong++ < 5)
                diag("bit %u: %s", bit, got ? e.text : "accepted");
        }
    }
    ok(wrong == 0, "each bit of the descriptor is accepted or refused as the guide says");
}

static void test_descriptor_fields(void)
{
    u8 bytes[CODEOBJ_DESC_BYTES] = { 0 };
    struct kernel_desc d = { 0 };
    struct err e = { .text = "" };
    /* rsrc1: vgprs 63, sgprs 12, round 32 1, round 16_64 2, denorm 32 1, denorm 16_64 2, ieee,
     * fp16_ovfl */
    u32 rsrc1 = 63 | 12 << 6 | 1 << 12 | 2 << 14 | 1 << 16 | 2 << 18 | 1 << 23 | 1 << 26;
    /* rsrc2: scratch, 15 user sgprs, ids y and z, info, workitem ids x y z, exceptions 0x55 */
    u32 rsrc2 = 1 | 15 << 1 | 1 << 8 | 1 << 9 | 1 << 10 | 2 << 11 | 0x55 << 24;
    u16 properties = 0x7f | 1 << 11;
    i64 entry = -256;
    memcpy(bytes + 16, &entry, 8);
    memcpy(bytes + 48, &rsrc1, 4);
    memcpy(bytes + 52, &rsrc2, 4);
    memcpy(bytes + 56, &properties, 2);
    ok(codeobj_desc_decode(bytes, CPU_GFX9, &d, &e) == ST_OK,
       "a descriptor with many fields set: %s", e.text);
    ok(d.kernel_code_entry_byte_offset == -256, "entry offset is signed");
    is_hex(256, d.vgprs, "vgprs");
    is_hex(112, d.sgprs, "sgprs of gfx9");
    ok(d.float_round_mode_32 == 1 && d.float_round_mode_16_64 == 2 && d.float_denorm_mode_32 == 1 &&
           d.float_denorm_mode_16_64 == 2 && !d.enable_dx10_clamp && d.enable_ieee_mode &&
           d.fp16_ovfl,
       "float modes");
    ok(d.enable_private_segment && d.user_sgpr_count == 15 && !d.enable_sgpr_workgroup_id[0] &&
           d.enable_sgpr_workgroup_id[1] && d.enable_sgpr_workgroup_id[2] &&
           d.enable_sgpr_workgroup_info,
       "system sgprs");
    ok(d.enable_vgpr_workitem_id == 2 && d.enable_exceptions == 0x55,
       "work-item ids and exceptions");
    ok(d.user_data >> USER_PRIVATE_SEGMENT_SIZE & d.user_data >> USER_DISPATCH_ID &
           d.user_data >> USER_QUEUE_PTR & d.uses_dynamic_stack,
       "properties");
    is_hex(15, user_data_count(d.user_data, USER_KINDS), "user sgprs enabled");
}

/* Every shorter file is refused, in words. */
static void test_truncation(void)
{
    struct sample s = sample_load(TABLE);
    size_t wrong = 0;
    for (size_t n = 0; n < s.size; n++) {
        struct err e;
        if (try_bytes(s.bytes, n, &e) != ST_INPUT || !is_clear(&e, "k.co")) {
            if (wrong++ < 5)
                diag("%zu bytes: '%s' in '%s'", n, e.text, e.file);
        }
    }
    ok(wrong == 0, "each of %zu truncated files is refused in one line", s.size);
    struct err e;
    ok(try_bytes(s.bytes, s.size, &e) == ST_OK, "the whole file is accepted");
    free(s.bytes);
}

/* Damaged files: never a crash; what is accepted keeps its promises. */
static void test_damage(void)
{
    struct rng r;
    u32 wrong = 0, accepted = 0, rounds = 6000;
    struct sample clean[2] = { sample_load(TABLE), sample_load(VADD) };
    rng_seed(&r, 1);
    for (u32 n = 0; n < rounds; n++) {
        const struct sample *c = &clean[n & 1];
        u8 *bytes = malloc(c->size);
        struct codeobj co;
        struct codeobj_kernel k = { 0 };
        struct err e = { .text = "" };
        memcpy(bytes, c->bytes, c->size);
        for (u32 flips = 1 + rng_below(&r, 8); flips--;) {
            /* The headers and the notes fill the first half; most flips go there. */
            u32 at = rng_below(&r, (u32)(rng_one_in(&r, 4) ? c->size : c->size / 2));
            bytes[at] = (u8)(rng_one_in(&r, 2) ? rng_u64(&r) : bytes[at] ^ 1u << rng_below(&r, 8));
        }
        enum status st = codeobj_open_memory(&co, "k.co", bytes, c->size, BASE, &e);
        if (st == ST_OK) {
            st = codeobj_kernel(&co, NULL, &k, &e);
            bool is_sound =
                st != ST_OK || (k.entry_address - BASE >= co.image_lo &&
                                k.entry_address - BASE + 4 <= co.image_lo + co.image_size);
            wrong += !is_sound;
            accepted += st == ST_OK;
            codeobj_close(&co);
        }
        if (st != ST_OK && !is_clear(&e, "k.co") && wrong++ < 5)
            diag("'%s' in '%s'", e.text, e.file);
        free(bytes);
    }
    ok(wrong == 0, "%u damaged files are opened or refused in one line", rounds);
    ok(accepted > rounds / 50 && accepted < rounds, "some of them still open (%u)", accepted);
    free(clean[0].bytes);
    free(clean[1].bytes);
}

static void test_examples(void)
{
    static const char *const names[] = { "fdiv_f32", "memcpy_widths", "reduce_lds_u32",
                                         "sha256",   "switch_interp", "vadd_f32" };
    static const char *const files[] = { "gfx900.O0.co", "gfx900.O3.co", "gfx906.O0.co",
                                         "gfx906.O3.co", "gfx908.O0.co", "gfx908.O3.co" };
    if (access(SHARED, R_OK) != 0) {
        skip(1, "no folder %s", SHARED);
        return;
    }
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        for (size_t f = 0; f < COUNT_OF(files); f++) {
            char path[256];
            struct codeobj co;
            struct codeobj_kernel k;
            struct err e = { .text = "" };
            snprintf(path, sizeof path, SHARED "/%s/%s", names[n], files[f]);
            enum status st = codeobj_open(&co, path, BASE, &e);
            if (st == ST_OK) {
                st = codeobj_kernel(&co, names[n], &k, &e);
                if (st == ST_OK && strncmp(files[f], co.target.cpu->name, 6) != 0)
                    st = err_set(&e, ST_INPUT, "processor is %s", co.target.cpu->name);
                codeobj_close(&co);
            }
            ok(st == ST_OK, "%s/%s %s", names[n], files[f], e.text);
        }
    }
}

int main(void)
{
    test_vadd();
    test_others();
    test_patches();
    test_relocation_values();
    test_metadata();
    test_two_documents();
    test_msgpack();
    test_descriptor_bits();
    test_descriptor_fields();
    test_truncation();
    test_damage();
    test_examples();
    return done();
}
