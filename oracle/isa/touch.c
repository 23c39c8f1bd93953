/* Which opcodes a feature of a processor touches: what `gcncheck list --diff`, `explain` and streams
 * for several processors rest on. */
#include "oracle/isa/isa.h"

enum touch {
    ROWS_OF_ITS_OWN, /* rows name it; what others do is the same with it */
    LDS,             /* whatever finds LDS by an address */
    TRAPS,           /* goes to a trap handler, or comes from one */
    PRIVATE_MEMORY,  /* may reach the private memory of lanes */
    BUFFERS,
    IMAGES,
    HALF_LOADS,    /* loads that write a part of a register */
    SWIZZLES,      /* shuffles lanes by a pattern */
    HALF_FLOATS,   /* has a float of 16 bits as its result */
    SCALAR_MEMORY, /* has an offset of scalar memory */
};

const struct isa_feature_info isa_features[FEATUREBIT_COUNT] = {
#define FEATURE(name, touches, meaning) [FEATUREBIT_##name] = { #name, meaning, touches },
#define GENERATION(gen, features)
#define TARGET(mcpu, gen, status, features)
#include "oracle/isa/target.def"
#undef FEATURE
#undef GENERATION
#undef TARGET
};

static bool loads_halves(const struct isa_row *row)
{
    const struct isa_operand *d = &row->operand[0];
    bool part = d->dir == DIR_RW && !(row->flags & FLAG_ATOMIC);
    return row->flags & FLAG_LOAD && (part || isa_type_is_half((enum isa_type)d->type) ||
                                      (row->enc == ENC_MIMG && !(row->flags & FLAG_IMAGE_INFO)));
}

static bool writes_half_float(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->dir & DIR_W && isa_type_is_half((enum isa_type)o->type) &&
            isa_types[o->type].class == CLASS_FLOAT)
            return true;
    return false;
}

static bool has_kind(const struct isa_row *row, enum isa_kind kind)
{
    return isa_operand_of_kind(row, kind) != NULL;
}

static bool has_slot(const struct isa_row *row, enum isa_slot slot)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->slot == slot)
            return true;
    return false;
}

static bool is_touched(const struct isa_row *row, enum touch touch)
{
    enum isa_memory memory = isa_memory(row);
    bool works =
        row->operand[0].kind != K_NONE || row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
    switch (touch) {
    case ROWS_OF_ITS_OWN: return false;
    case LDS:
        return (memory == MEMORY_LDS && row->flags & FLAG_LDS && !(row->flags & FLAG_LANEWISE)) ||
               row->flags & FLAG_LDS_FORM;
    case TRAPS: return isa_flow(row) == FLOW_TRAP || isa_flow(row) == FLOW_RFE;
    case PRIVATE_MEMORY:
        return memory == MEMORY_FLAT || memory == MEMORY_SCRATCH || row->flags & FLAG_PRIVATE;
    case BUFFERS: return memory == MEMORY_BUFFER && works;
    case IMAGES: return memory == MEMORY_IMAGE;
    case HALF_LOADS: return loads_halves(row);
    case SWIZZLES:
        return memory == MEMORY_LDS && row->flags & FLAG_LANEWISE && !has_slot(row, SLOT_DATA0);
    case HALF_FLOATS: return writes_half_float(row);
    case SCALAR_MEMORY: return has_kind(row, K_SMOFF);
    }
    return false;
}

u32 isa_touching(const struct isa_row *row)
{
    u32 bits = 0;
    for (u32 f = 0; f < FEATUREBIT_COUNT; f++)
        if (is_touched(row, (enum touch)isa_features[f].touches))
            bits |= 1u << f;
    return bits;
}
