/* The kernel descriptor. Guide, tables "Code Object V3 Kernel Descriptor", "compute_pgm_rsrc1" and
 * "compute_pgm_rsrc2"; bits are numbered through the 512 bits of the descriptor. */
#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/user_data.h"

enum { RSRC1 = 384, RSRC2 = 416 };

/* Fields that must be 0, `first` to `last` being the generations for which that holds. */
static const struct zero_field {
    u16 lsb;
    u16 width;
    enum codeobj_family first, last;
    const char *name;
} zero_fields[] = {
    { 96, 32, CPU_GFX6, CPU_GFX9, "bits 127:96" },
    { 192, 160, CPU_GFX6, CPU_GFX9, "bits 351:192" },
    { 352, 32, CPU_GFX6, CPU_GFX9, "compute_pgm_rsrc3" },
    { RSRC1 + 10, 2, CPU_GFX6, CPU_GFX9, "priority" },
    { RSRC1 + 20, 1, CPU_GFX6, CPU_GFX9, "priv" },
    { RSRC1 + 22, 1, CPU_GFX6, CPU_GFX9, "debug_mode" },
    { RSRC1 + 24, 1, CPU_GFX6, CPU_GFX9, "bulky" },
    { RSRC1 + 25, 1, CPU_GFX6, CPU_GFX9, "cdbg_user" },
    { RSRC1 + 26, 1, CPU_GFX6, CPU_GFX8, "fp16_ovfl" },
    { RSRC1 + 27, 2, CPU_GFX6, CPU_GFX9, "compute_pgm_rsrc1 bits 28:27" },
    { RSRC1 + 29, 1, CPU_GFX6, CPU_GFX9, "wgp_mode" },
    { RSRC1 + 30, 1, CPU_GFX6, CPU_GFX9, "mem_ordered" },
    { RSRC1 + 31, 1, CPU_GFX6, CPU_GFX9, "fwd_progress" },
    { RSRC2 + 6, 1, CPU_GFX6, CPU_GFX9, "enable_trap_handler" },
    { RSRC2 + 13, 1, CPU_GFX6, CPU_GFX9, "enable_exception_address_watch" },
    { RSRC2 + 14, 1, CPU_GFX6, CPU_GFX9, "enable_exception_memory" },
    { RSRC2 + 15, 9, CPU_GFX6, CPU_GFX9, "granulated_lds_size" },
    { RSRC2 + 31, 1, CPU_GFX6, CPU_GFX9, "compute_pgm_rsrc2 bit 31" },
    { 455, 3, CPU_GFX6, CPU_GFX9, "bits 457:455" },
    { 458, 1, CPU_GFX6, CPU_GFX9, "enable_wavefront_size32" },
    { 460, 52, CPU_GFX6, CPU_GFX9, "bits 511:460" },
};

static u32 load32(const u8 *bytes, u32 bit)
{
    u32 v;
    memcpy(&v, bytes + bit / 8, sizeof v);
    return v;
}

static bool is_zero(const u8 *bytes, u32 lsb, u32 width)
{
    for (u32 bit = lsb; bit < lsb + width; bit++)
        if (bytes[bit / 8] >> bit % 8 & 1)
            return false;
    return true;
}

/* The words of the descriptor, a field a line, as the tables of the guide have them. */
static void decode_rsrc1(u32 v, enum codeobj_family gen, struct kernel_desc *d)
{
    d->vgprs = (bits32(v, 0, 6) + 1) * 4;
    /* gfx9 allocates 16 at a time but counts in eights: an odd count rounds up. */
    d->sgprs = (bits32(v, 6, 4) + 1) * 8;
    if (gen == CPU_GFX9)
        d->sgprs = (d->sgprs + 15) / 16 * 16;
    d->float_round_mode_32 = bits32(v, 12, 2);
    d->float_round_mode_16_64 = bits32(v, 14, 2);
    d->float_denorm_mode_32 = bits32(v, 16, 2);
    d->float_denorm_mode_16_64 = bits32(v, 18, 2);
    d->enable_dx10_clamp = bits32(v, 21, 1);
    d->enable_ieee_mode = bits32(v, 23, 1);
    d->fp16_ovfl = bits32(v, 26, 1);
}

static void decode_rsrc2(u32 v, struct kernel_desc *d)
{
    d->enable_private_segment = bits32(v, 0, 1);
    d->user_sgpr_count = bits32(v, 1, 5);
    for (u32 i = 0; i < 3; i++)
        d->enable_sgpr_workgroup_id[i] = bits32(v, 7 + i, 1);
    d->enable_sgpr_workgroup_info = bits32(v, 10, 1);
    d->enable_vgpr_workitem_id = bits32(v, 11, 2);
    d->enable_exceptions = bits32(v, 24, 7);
}

static void decode_properties(u32 v, struct kernel_desc *d)
{
    d->user_data = bits32(v, 0, USER_GRID_WORKGROUP_COUNT_X);
    d->uses_dynamic_stack = bits32(v, 11, 1);
}

void codeobj_desc_from_code(const u8 code[CODEOBJ_CODE_BYTES], u8 desc[CODEOBJ_DESC_BYTES])
{
    static const struct {
        u8 from, to, size; /* bytes */
    } moves[] = {
        { 64, 0, 4 },  /* workgroup_group_segment_byte_size */
        { 60, 4, 4 },  /* workitem_private_segment_byte_size */
        { 72, 8, 4 },  /* kernarg_segment_byte_size, of which the upper half is unused */
        { 16, 16, 8 }, /* kernel_code_entry_byte_offset */
        { 48, 48, 8 }, /* compute_pgm_rsrc1 and 2 */
    };
    u32 properties;
    memset(desc, 0, CODEOBJ_DESC_BYTES);
    for (size_t i = 0; i < COUNT_OF(moves); i++)
        memcpy(desc + moves[i].to, code + moves[i].from, moves[i].size);
    memcpy(&properties, code + 56, sizeof properties);
    desc[56] = (u8)(properties & 0x7f);
    desc[57] = (u8)((properties >> 20 & 1) << 3); /* is_dynamic_callstack */
}

enum status codeobj_desc_decode(const u8 *bytes, enum codeobj_family gen, struct kernel_desc *out,
                                struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(zero_fields); i++) {
        const struct zero_field *f = &zero_fields[i];
        if (gen >= f->first && gen <= f->last && !is_zero(bytes, f->lsb, f->width))
            return err_set(e, ST_INPUT, "kernel descriptor: %s must be 0", f->name);
    }
    *out = (struct kernel_desc){
        .group_segment_fixed_size = load32(bytes, 0),
        .private_segment_fixed_size = load32(bytes, 32),
        .kernarg_size = load32(bytes, 64),
        .kernel_code_entry_byte_offset = (i64)((u64)load32(bytes, 160) << 32 | load32(bytes, 128)),
        .compute_pgm_rsrc1 = load32(bytes, RSRC1),
        .compute_pgm_rsrc2 = load32(bytes, RSRC2),
        .compute_pgm_rsrc3 = load32(bytes, 352),
    };
    decode_rsrc1(out->compute_pgm_rsrc1, gen, out);
    decode_rsrc2(out->compute_pgm_rsrc2, out);
    decode_properties(load32(bytes, 448), out);
    u32 enabled = user_data_count(out->user_data, USER_KINDS);
    if (out->user_sgpr_count > USER_SGPRS)
        return err_set(e, ST_INPUT, "kernel descriptor: user_sgpr_count %u is more than %d",
                       out->user_sgpr_count, USER_SGPRS);
    if (enabled > USER_SGPRS)
        enabled = USER_SGPRS;
    if (enabled > out->user_sgpr_count)
        return err_set(e, ST_INPUT,
                       "kernel descriptor: %u user SGPRs are enabled, user_sgpr_count is %u",
                       enabled, out->user_sgpr_count);
    if (out->enable_vgpr_workitem_id == 3)
        return err_set(e, ST_INPUT, "kernel descriptor: enable_vgpr_workitem_id 3 is undefined");
    return ST_OK;
}
