#include "harness/dis/desc.h"

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/symbol.h"
#include "reports/file/library.h"

#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>

/* What is printed behind a value. */
enum note {
    NOTE_NOTHING,
    NOTE_ZERO, /* must be 0 */
    NOTE_BYTES,
    NOTE_VGPRS,
    NOTE_SGPRS,
    NOTE_ROUND,
    NOTE_DENORM,
    NOTE_IDS,
    NOTE_ACCUM,
    NOTE_SHARED,
    NOTE_PREFETCH,
    NOTE_FLAT /* must be 0 where flat scratch is architected */
};

enum { RSRC1 = 384, RSRC2 = 416, RSRC3 = 352, PROPERTIES = 448, ENTRY = 128, WAVE32 = 458 };

/* Guide, tables "Code Object V3 Kernel Descriptor" and "compute_pgm_rsrc1" to "3"; `first` to
 * `last` are the families for which a row stands. A field without a name is reserved and shown only
 * where it is not 0. */
static const struct field {
    u16 lsb;
    u8 width;
    u8 first, last; /* enum codeobj_family */
    u8 note;        /* enum note */
    const char *name;
} fields[] = {
#define ALL  CPU_GFX6, CPU_GFX11
#define GFX9 CPU_GFX6, CPU_GFX90A /* and before */
#define RDNA CPU_GFX10, CPU_GFX11
    { 0, 32, ALL, NOTE_BYTES, "group_segment_fixed_size" },
    { 32, 32, ALL, NOTE_BYTES, "private_segment_fixed_size" },
    { 64, 32, ALL, NOTE_BYTES, "kernarg_size" },
    { 96, 32, ALL, NOTE_ZERO, NULL },
    { ENTRY, 64, ALL, NOTE_NOTHING, "kernel_code_entry_byte_offset" },
    { 192, 64, ALL, NOTE_ZERO, NULL },
    { 256, 64, ALL, NOTE_ZERO, NULL },
    { 320, 32, ALL, NOTE_ZERO, NULL },
    { RSRC3, 32, CPU_GFX6, CPU_GFX9, NOTE_ZERO, "compute_pgm_rsrc3" },
    { RSRC3 + 0, 6, CPU_GFX90A, CPU_GFX90A, NOTE_ACCUM, "accum_offset" },
    { RSRC3 + 6, 10, CPU_GFX90A, CPU_GFX90A, NOTE_ZERO, NULL },
    { RSRC3 + 16, 1, CPU_GFX90A, CPU_GFX90A, NOTE_NOTHING, "tg_split" },
    { RSRC3 + 17, 15, CPU_GFX90A, CPU_GFX90A, NOTE_ZERO, NULL },
    { RSRC3 + 0, 4, RDNA, NOTE_SHARED, "shared_vgpr_count" },
    { RSRC3 + 4, 6, CPU_GFX10, CPU_GFX10, NOTE_ZERO, NULL },
    { RSRC3 + 4, 6, CPU_GFX11, CPU_GFX11, NOTE_PREFETCH, "inst_pref_size" },
    { RSRC3 + 10, 1, RDNA, NOTE_ZERO, "trap_on_start" },
    { RSRC3 + 11, 1, RDNA, NOTE_ZERO, "trap_on_end" },
    { RSRC3 + 12, 19, RDNA, NOTE_ZERO, NULL },
    { RSRC3 + 31, 1, CPU_GFX10, CPU_GFX10, NOTE_ZERO, NULL },
    { RSRC3 + 31, 1, CPU_GFX11, CPU_GFX11, NOTE_NOTHING, "image_op" },
    { RSRC1 + 0, 6, ALL, NOTE_VGPRS, "granulated_workitem_vgpr_count" },
    { RSRC1 + 6, 4, GFX9, NOTE_SGPRS, "granulated_wavefront_sgpr_count" },
    { RSRC1 + 6, 4, RDNA, NOTE_ZERO, "granulated_wavefront_sgpr_count" },
    { RSRC1 + 10, 2, ALL, NOTE_ZERO, "priority" },
    { RSRC1 + 12, 2, ALL, NOTE_ROUND, "float_round_mode_32" },
    { RSRC1 + 14, 2, ALL, NOTE_ROUND, "float_round_mode_16_64" },
    { RSRC1 + 16, 2, ALL, NOTE_DENORM, "float_denorm_mode_32" },
    { RSRC1 + 18, 2, ALL, NOTE_DENORM, "float_denorm_mode_16_64" },
    { RSRC1 + 20, 1, ALL, NOTE_ZERO, "priv" },
    { RSRC1 + 21, 1, ALL, NOTE_NOTHING, "enable_dx10_clamp" },
    { RSRC1 + 22, 1, ALL, NOTE_ZERO, "debug_mode" },
    { RSRC1 + 23, 1, ALL, NOTE_NOTHING, "enable_ieee_mode" },
    { RSRC1 + 24, 1, ALL, NOTE_ZERO, "bulky" },
    { RSRC1 + 25, 1, ALL, NOTE_ZERO, "cdbg_user" },
    { RSRC1 + 26, 1, CPU_GFX6, CPU_GFX8, NOTE_ZERO, NULL },
    { RSRC1 + 26, 1, CPU_GFX9, CPU_GFX11, NOTE_NOTHING, "fp16_ovfl" },
    { RSRC1 + 27, 2, ALL, NOTE_ZERO, NULL },
    { RSRC1 + 29, 3, GFX9, NOTE_ZERO, NULL },
    { RSRC1 + 29, 1, RDNA, NOTE_NOTHING, "wgp_mode" },
    { RSRC1 + 30, 1, RDNA, NOTE_NOTHING, "mem_ordered" },
    { RSRC1 + 31, 1, RDNA, NOTE_NOTHING, "fwd_progress" },
    { RSRC2 + 0, 1, ALL, NOTE_NOTHING, "enable_private_segment" },
    { RSRC2 + 1, 5, ALL, NOTE_NOTHING, "user_sgpr_count" },
    { RSRC2 + 6, 1, ALL, NOTE_ZERO, "enable_trap_handler" },
    { RSRC2 + 7, 1, ALL, NOTE_NOTHING, "enable_sgpr_workgroup_id_x" },
    { RSRC2 + 8, 1, ALL, NOTE_NOTHING, "enable_sgpr_workgroup_id_y" },
    { RSRC2 + 9, 1, ALL, NOTE_NOTHING, "enable_sgpr_workgroup_id_z" },
    { RSRC2 + 10, 1, ALL, NOTE_NOTHING, "enable_sgpr_workgroup_info" },
    { RSRC2 + 11, 2, ALL, NOTE_IDS, "enable_vgpr_workitem_id" },
    { RSRC2 + 13, 1, ALL, NOTE_ZERO, "enable_exception_address_watch" },
    { RSRC2 + 14, 1, ALL, NOTE_ZERO, "enable_exception_memory" },
    { RSRC2 + 15, 9, ALL, NOTE_ZERO, "granulated_lds_size" },
    { RSRC2 + 24, 1, ALL, NOTE_NOTHING, "enable_exception_ieee_754_fp_invalid_operation" },
    { RSRC2 + 25, 1, ALL, NOTE_NOTHING, "enable_exception_fp_denormal_source" },
    { RSRC2 + 26, 1, ALL, NOTE_NOTHING, "enable_exception_ieee_754_fp_division_by_zero" },
    { RSRC2 + 27, 1, ALL, NOTE_NOTHING, "enable_exception_ieee_754_fp_overflow" },
    { RSRC2 + 28, 1, ALL, NOTE_NOTHING, "enable_exception_ieee_754_fp_underflow" },
    { RSRC2 + 29, 1, ALL, NOTE_NOTHING, "enable_exception_ieee_754_fp_inexact" },
    { RSRC2 + 30, 1, ALL, NOTE_NOTHING, "enable_exception_int_divide_by_zero" },
    { RSRC2 + 31, 1, ALL, NOTE_ZERO, NULL },
    { PROPERTIES + 0, 1, ALL, NOTE_FLAT, "enable_sgpr_private_segment_buffer" },
    { PROPERTIES + 1, 1, ALL, NOTE_NOTHING, "enable_sgpr_dispatch_ptr" },
    { PROPERTIES + 2, 1, ALL, NOTE_NOTHING, "enable_sgpr_queue_ptr" },
    { PROPERTIES + 3, 1, ALL, NOTE_NOTHING, "enable_sgpr_kernarg_segment_ptr" },
    { PROPERTIES + 4, 1, ALL, NOTE_NOTHING, "enable_sgpr_dispatch_id" },
    { PROPERTIES + 5, 1, ALL, NOTE_FLAT, "enable_sgpr_flat_scratch_init" },
    { PROPERTIES + 6, 1, ALL, NOTE_NOTHING, "enable_sgpr_private_segment_size" },
    { PROPERTIES + 7, 3, ALL, NOTE_ZERO, NULL },
    { WAVE32, 1, GFX9, NOTE_ZERO, NULL },
    { WAVE32, 1, RDNA, NOTE_NOTHING, "enable_wavefront_size32" },
    { PROPERTIES + 11, 1, ALL, NOTE_NOTHING, "uses_dynamic_stack" },
    { PROPERTIES + 12, 52, ALL, NOTE_ZERO, NULL },
};

static u64 load_bits(const u8 bytes[64], u32 lsb, u32 width)
{
    u64 v = 0;
    for (u32 i = width; i--;)
        v = v << 1 | (bytes[(lsb + i) / 8] >> (lsb + i) % 8 & 1);
    return v;
}

static void put_note(struct text *out, const struct field *f, u64 v, const u8 *bytes,
                     enum codeobj_family gen)
{
    static const char *const rounds[] = { "to nearest even", "to +infinity", "to -infinity",
                                          "to zero" };
    static const char *const denorms[] = { "flushed in sources and results", "flushed in results",
                                           "flushed in sources", "kept" };
    static const char *const ids[] = { "x", "x y", "x y z", "undefined" };
    bool is_rdna = gen >= CPU_GFX10, is_wave32 = is_rdna && load_bits(bytes, WAVE32, 1);
    u64 blocks = v + 1;
    switch ((enum note)f->note) {
    case NOTE_NOTHING: break;
    case NOTE_ZERO: text_add(out, "%s", v ? "must be 0" : ""); break;
    case NOTE_FLAT: text_add(out, "%s", v && gen == CPU_GFX11 ? "must be 0" : ""); break;
    case NOTE_BYTES: text_add(out, "%s", "bytes"); break;
    case NOTE_VGPRS:
        text_add(out, "%" PRIu64 " VGPRs", blocks * (gen == CPU_GFX90A || is_wave32 ? 8 : 4));
        break;
    case NOTE_SGPRS:
        text_add(out, "%" PRIu64 " SGPRs", gen >= CPU_GFX9 ? (blocks + 1) / 2 * 16 : blocks * 8);
        break;
    case NOTE_ROUND: text_add(out, "%s", rounds[v & 3]); break;
    case NOTE_DENORM: text_add(out, "%s", denorms[v & 3]); break;
    case NOTE_IDS: text_add(out, "%s", ids[v & 3]); break;
    case NOTE_ACCUM: text_add(out, "the first AccVGPR is %" PRIu64, blocks * 4); break;
    case NOTE_SHARED: text_add(out, "%" PRIu64 " VGPRs", v * 8); break;
    case NOTE_PREFETCH: text_add(out, "%" PRIu64 " bytes", v * 128); break;
    }
}

static void put_line(FILE *out, const char *name, u64 value, bool is_signed)
{
    if (is_signed)
        fprintf(out, "  %-48s %12" PRId64, name, (i64)value);
    else
        fprintf(out, "  %-48s %12" PRIu64, name, value);
}

void dis_descriptor(FILE *out, const u8 bytes[64], enum codeobj_family gen)
{
    static const struct {
        u16 lsb;
        const char *name;
    } words[] = { { RSRC3, "compute_pgm_rsrc3" },
                  { RSRC1, "compute_pgm_rsrc1" },
                  { RSRC2, "compute_pgm_rsrc2" } };
    char note[64];
    struct text t;
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const struct field *f = &fields[i];
        u64 v = load_bits(bytes, f->lsb, f->width);
        for (size_t w = 0; w < COUNT_OF(words); w++)
            if (words[w].lsb == f->lsb && gen >= f->first && gen <= f->last)
                fprintf(out, "  %-48s   0x%08" PRIx64 "\n", words[w].name,
                        load_bits(bytes, f->lsb, 32));
        if (gen < f->first || gen > f->last || (f->lsb == RSRC3 && f->width == 32))
            continue;
        if (f->name) {
            put_line(out, f->name, v, f->lsb == ENTRY);
            text_init(&t, note, sizeof note);
            put_note(&t, f, v, bytes, gen);
            fprintf(out, "%s%s\n", t.len ? "  " : "", note);
        } else if (v) {
            fprintf(out, "  bits %u:%-43u 0x%" PRIx64 "  reserved, must be 0\n",
                    f->lsb + f->width - 1u, f->lsb, v);
        }
    }
}

/* --- version 2 --- */

/* The 256 bytes before the code of a kernel of version 2: offset and size in bytes, names as LLVM
 * has them. Words that the later descriptor has too are printed as part of that. */
static const struct code_field {
    u16 at;
    u8 size;
    const char *name;
} code_fields[] = {
    { 0, 4, "amd_code_version_major" },
    { 4, 4, "amd_code_version_minor" },
    { 8, 2, "amd_machine_kind" },
    { 10, 2, "amd_machine_version_major" },
    { 12, 2, "amd_machine_version_minor" },
    { 14, 2, "amd_machine_version_stepping" },
    { 24, 8, "kernel_code_prefetch_byte_offset" },
    { 32, 8, "kernel_code_prefetch_byte_size" },
    { 40, 8, "max_scratch_backing_memory_byte_size" },
    { 68, 4, "gds_segment_byte_size" },
    { 80, 4, "workgroup_fbarrier_count" },
    { 84, 2, "wavefront_sgpr_count" },
    { 86, 2, "workitem_vgpr_count" },
    { 88, 2, "reserved_vgpr_first" },
    { 90, 2, "reserved_vgpr_count" },
    { 92, 2, "reserved_sgpr_first" },
    { 94, 2, "reserved_sgpr_count" },
    { 96, 2, "debug_wavefront_private_segment_offset_sgpr" },
    { 98, 2, "debug_private_segment_buffer_sgpr" },
    { 100, 1, "kernarg_segment_alignment" },
    { 101, 1, "group_segment_alignment" },
    { 102, 1, "private_segment_alignment" },
    { 103, 1, "wavefront_size" },
    { 104, 4, "call_convention" },
    { 120, 8, "runtime_loader_kernel_symbol" },
};

/* Bits of the properties word that only version 2 has. */
static const struct code_property {
    u8 lsb, width;
    const char *name;
} code_properties[] = {
    { 7, 1, "enable_sgpr_grid_workgroup_count_x" },
    { 8, 1, "enable_sgpr_grid_workgroup_count_y" },
    { 9, 1, "enable_sgpr_grid_workgroup_count_z" },
    { 16, 1, "enable_ordered_append_gds" },
    { 17, 2, "private_element_size" },
    { 19, 1, "is_ptr64" },
    { 20, 1, "is_dynamic_callstack" },
    { 21, 1, "is_debug_enabled" },
    { 22, 1, "is_xnack_enabled" },
};

static void put_code_header(FILE *out, const u8 bytes[CODEOBJ_CODE_BYTES], enum codeobj_family gen)
{
    u8 desc[CODEOBJ_DESC_BYTES];
    u32 properties;
    for (size_t i = 0; i < COUNT_OF(code_fields); i++) {
        u64 v = 0;
        const struct code_field *f = &code_fields[i];
        memcpy(&v, bytes + f->at, f->size);
        bool is_signed = f->at == 104; /* call_convention, -1 where there is none */
        put_line(out, f->name, is_signed ? sext64(v, 32) : v, is_signed);
        putc('\n', out);
    }
    memcpy(&properties, bytes + 56, sizeof properties);
    for (size_t i = 0; i < COUNT_OF(code_properties); i++) {
        put_line(out, code_properties[i].name,
                 bits32(properties, code_properties[i].lsb, code_properties[i].width), false);
        putc('\n', out);
    }
    codeobj_desc_from_code(bytes, desc);
    dis_descriptor(out, desc, gen);
}

/* --- finding them --- */

struct finder {
    FILE *out;
    Elf *elf;
    const struct codeobj_target *t;
    const char *symbol; /* without .kd; NULL: all */
    u64 *count;
    enum status st; /* of the last one */
    struct err *e;
};

/* The bytes of a symbol's section from its address on; NULL if there are fewer than `size`. */
static const u8 *symbol_bytes(const struct finder *f, const GElf_Sym *sym, size_t size)
{
    GElf_Ehdr h;
    GElf_Shdr sh;
    Elf_Scn *scn = elf_getscn(f->elf, sym->st_shndx);
    if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS || !gelf_getehdr(f->elf, &h))
        return NULL;
    u64 at = sym->st_value - (h.e_type == ET_REL ? 0 : sh.sh_addr);
    Elf_Data *data = elf_rawdata(scn, NULL);
    if (!data || !data->d_buf || at > data->d_size || size > data->d_size - at)
        return NULL;
    return (const u8 *)data->d_buf + at;
}

static bool is_kernel(const struct finder *f, const GElf_Sym *sym, const char *name)
{
    u32 type = GELF_ST_TYPE(sym->st_info);
    size_t len = strlen(name);
    if (f->t->version == 2)
        return type == STT_KERNEL_V2 && (!f->symbol || strcmp(f->symbol, name) == 0);
    return type == STT_OBJECT && len > 3 && strcmp(name + len - 3, ".kd") == 0 &&
           (!f->symbol || strcmp(f->symbol, name) == 0 ||
            (strlen(f->symbol) == len - 3 && memcmp(f->symbol, name, len - 3) == 0));
}

static enum status put_kernel(const struct finder *f, const GElf_Sym *sym, const char *name,
                              struct err *e)
{
    bool is_v2 = f->t->version == 2;
    const u8 *bytes = symbol_bytes(f, sym, is_v2 ? CODEOBJ_CODE_BYTES : CODEOBJ_DESC_BYTES);
    if (!bytes)
        return err_set(e, ST_INPUT, "%.100s: descriptor at 0x%" PRIx64 " is beyond its section",
                       name, sym->st_value);
    fprintf(f->out, "\n%016" PRIx64 " <%s>:\n", sym->st_value, name);
    if (is_v2)
        put_code_header(f->out, bytes, f->t->cpu->gen);
    else
        dis_descriptor(f->out, bytes, f->t->cpu->gen);
    ++*f->count;
    return ST_OK;
}

static bool visit(const GElf_Sym *sym, const char *name, void *arg)
{
    struct finder *f = arg;
    if (is_kernel(f, sym, name))
        f->st = put_kernel(f, sym, name, f->e);
    return f->st != ST_OK;
}

enum status dis_descriptors(FILE *out, const u8 *bytes, size_t size, const struct codeobj_target *t,
                            const char *symbol, u64 *count, struct err *e)
{
    u64 before = *count;
    library_watch();
    struct finder f = { .out = out,
                        .elf = elf_memory((char *)(uintptr_t)bytes, size),
                        .t = t,
                        .symbol = symbol,
                        .count = count,
                        .e = e };
    if (!f.elf)
        return library_settle(err_set(e, ST_INPUT, "is not an ELF file"), e);
    if (t->cpu->gen < CPU_GFX6)
        f.st = err_set(e, ST_INPUT, "%s has no kernel descriptors", t->cpu->name);
    else if (!codeobj_each_elf_symbol(f.elf, SHT_SYMTAB, visit, &f) && *count == before)
        codeobj_each_elf_symbol(f.elf, SHT_DYNSYM, visit, &f);
    elf_end(f.elf);
    return f.st;
}
