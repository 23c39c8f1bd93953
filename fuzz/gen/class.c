/* Classes of opcodes, and how often each is drawn. */
#include "fuzz/gen/internal.h"

/* Of the vector ALU: by the forms there are. */
static i32 class_of_valu(const struct isa_row *row)
{
    if (row->enc == ENC_VOP3P)
        return CL_PACKED;
    if (!(row->forms & (F_BASE | F_LIT)))
        return CL_VOP3;
    return row->operand[0].kind == K_MASK ? CL_VOPC : CL_VOP12;
}

static i32 class_of_memory(const struct isa_row *row)
{
    switch (isa_memory(row)) {
    case MEMORY_SCALAR: return gen_is_scalar_store(row) ? CL_SMEM_STORE : CL_SMEM;
    case MEMORY_LDS: return row->flags & FLAG_GDS_ONLY ? CL_SYNC : CL_LDS;
    case MEMORY_FLAT:
    case MEMORY_GLOBAL:
    case MEMORY_SCRATCH: return CL_VMEM;
    case MEMORY_BUFFER: return row->operand[0].kind == K_NONE ? -1 : CL_BUFFER;
    case MEMORY_IMAGE: return gen_is_sampled(row) ? CL_SAMPLE : CL_IMAGE;
    default: return -1;
    }
}

i32 gen_class_of(const struct isa_row *row)
{
    enum isa_m0 m0 = isa_m0(row);
    if (isa_flow(row) == FLOW_TRAP) /* comes back at once */
        return CL_CONTROL;
    if (row->flags & (FLAG_BRANCH | FLAG_END | FLAG_BARRIER))
        return -1;
    if (row->flags & FLAG_PROBE_CARRY) /* its carry is not documented: only in streams of its own */
        return -1;
    if (m0 == M0_INDEX || m0 == M0_INDEX_OFF) /* with s_set_gpr_idx_on only */
        return -1;
    if (gen_is_interpolation(row))
        return CL_INTERP;
    switch (isa_unit(row)) {
    case UNIT_SALU: return isa_operand_of_kind(row, K_HWREG) ? CL_CONTROL : CL_SALU;
    case UNIT_CONTROL: return CL_CONTROL;
    case UNIT_VALU: return class_of_valu(row);
    case UNIT_MATRIX: return CL_MATRIX;
    case UNIT_EXPORT: return CL_EXPORT;
    default: return class_of_memory(row);
    }
}

/* Where a stream has what a special class needs, that stands for some of a usual one. */
static const struct rare_class {
    u8 usual, special, one_in;
} specials[] = { { CL_SMEM, CL_SMEM_STORE, 2 }, { CL_VMEM, CL_BUFFER, 2 },
                 { CL_VMEM, CL_IMAGE, 2 },      { CL_IMAGE, CL_SAMPLE, 2 },
                 { CL_VOP3, CL_MATRIX, 2 },     { CL_LDS, CL_INTERP, 24 },
                 { CL_CONTROL, CL_EXPORT, 2 },  { CL_CONTROL, CL_SYNC, 4 } };

static bool is_there(const struct draw *d, u32 cl)
{
    const struct reg_plan *r = &d->r;
    switch (cl) {
    case CL_SMEM_STORE: return r->has_scalar;
    case CL_BUFFER: return r->has_buffers;
    case CL_IMAGE: return r->has_images;
    case CL_SAMPLE: return r->has_samplers;
    case CL_MATRIX: return r->has_matrix;
    case CL_EXPORT: return r->has_exports;
    case CL_SYNC: return r->has_sync;
    default: return true;
    }
}

static u32 special_class(struct draw *d, u32 cl)
{
    for (u32 i = 0; i < COUNT_OF(specials); i++)
        if (cl == specials[i].usual && is_there(d, specials[i].special) &&
            rng_one_in(&d->rng, specials[i].one_in))
            cl = specials[i].special;
    return cl;
}

/* How often the usual classes are drawn, of 32 times: vector compares have the most opcodes of all. */
static const u8 usual[32] = { CL_SALU,   CL_SALU,   CL_SALU,   CL_SALU,  CL_SALU,  CL_VOPC,
                              CL_PACKED, CL_VOP12,  CL_VOP12,  CL_VOP12, CL_VOP12, CL_VOP12,
                              CL_VOP12,  CL_VOP12,  CL_PACKED, CL_VOPC,  CL_VOPC,  CL_VOPC,
                              CL_PACKED, CL_VOP3,   CL_VOP3,   CL_VOP3,  CL_VOP3,  CL_VOPC,
                              CL_SMEM,   CL_LDS,    CL_LDS,    CL_LDS,   CL_VMEM,  CL_VMEM,
                              CL_VMEM,   CL_CONTROL };

void gen_draw_shares(const struct draw *d, u8 share[GEN_CLASSES])
{
    memset(share, 0, GEN_CLASSES);
    for (u32 i = 0; i < COUNT_OF(usual); i++)
        share[usual[i]] += GEN_SHARE / 32;
    for (u32 i = 0; i < COUNT_OF(specials); i++) {
        const struct rare_class *x = &specials[i];
        if (is_there(d, x->special))
            share[x->special] = (u8)((share[x->usual] + x->one_in - 1) / x->one_in);
    }
}

u32 gen_draw_class(struct draw *d)
{
    return special_class(d, usual[rng_below(&d->rng, COUNT_OF(usual))]);
}

/* ---- profiles ---- */

static const struct gen_profile profiles[] = {
#define CL(class)                           (1u << CL_##class)
#define PROFILE(name, classes, forms, text) { #name, text, classes, forms },
#include "fuzz/gen/profile.def"
#undef PROFILE
#undef CL
};

const struct gen_profile *gen_profile_at(u32 index)
{
    return index < COUNT_OF(profiles) ? &profiles[index] : NULL;
}

bool gen_profile_has(const struct gen_profile *p, isa_op op, enum isa_form form)
{
    i32 cl = gen_class_of(&isa_rows[op]);
    return p->classes >> (cl < 0 ? (i32)CL_FLOW : cl) & 1 && p->forms >> form & 1;
}
