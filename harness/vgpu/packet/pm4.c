#include "harness/vgpu/packet/pm4.h"

#include "oracle/isa/gens.h"

struct op_row {
    u8 gens, pipes;
    u32 opcode;
    const char *name;
    u32 least, most; /* dwords behind the header */
};

static const struct op_row ops[] = {
#define PM4(gens, pipes, opcode, name, least, most) \
    { GEN_BITS(gens), PM4_##pipes, opcode, #name, least, most },
#define PM4_ALSO(gens, pipes, name, least, most) \
    { GEN_BITS(gens), PM4_##pipes, PM4_##name, #name, least, most },
#define PM4_DW(gens, name, index, field, mask)
#include "harness/vgpu/packet/pm4.def"
#undef PM4
#undef PM4_ALSO
#undef PM4_DW
};

static const struct dw_row {
    u8 gens;
    u32 opcode, index;
    const char *field;
    u32 mask;
} dws[] = {
#define PM4(gens, pipes, opcode, name, least, most)
#define PM4_ALSO(gens, pipes, name, least, most)
#define PM4_DW(gens, name, index, field, mask) { GEN_BITS(gens), PM4_##name, index, field, mask },
#include "harness/vgpu/packet/pm4.def"
#undef PM4
#undef PM4_ALSO
#undef PM4_DW
};

static const struct reg_row {
    u8 gens;
    u8 pipes; /* whose packets set it */
    u16 op;   /* the packet that sets it */
    u32 offset, count;
    const char *name;
    u32 mask;
} regs[] = {
#define SH_REG(gens, offset, count, name, mask) \
    { GEN_BITS(gens), PM4_ANY, PM4_SET_SH_REG, offset, count, #name, mask },
#define SH_ALSO(gens, name, mask) \
    { GEN_BITS(gens), PM4_ANY, PM4_SET_SH_REG, SH_##name, 1, #name, mask },
#define UCONFIG(gens, offset, count, name, mask) \
    { GEN_BITS(gens), PM4_ANY, PM4_SET_UCONFIG_REG, offset, count, #name, mask },
#define SH_GRAPHICS(gens, offset, count, name) \
    { GEN_BITS(gens), PM4_ME, PM4_SET_SH_REG, offset, count, #name, 0xffffffff },
#define UCONFIG_GRAPHICS(gens, offset, count, name) \
    { GEN_BITS(gens), PM4_ME, PM4_SET_UCONFIG_REG, offset, count, #name, 0xffffffff },
#include "harness/vgpu/packet/shreg.def"
#undef SH_REG
#undef SH_ALSO
#undef UCONFIG
#undef SH_GRAPHICS
#undef UCONFIG_GRAPHICS
};

static const struct pm4_generation generations[GEN_COUNT] = {
#define PM4_GENERATION(gen, va, copy, flags, nowhere, pairs, sgprs, major, minor, less) \
    [gen] = { va, copy, flags, nowhere, pairs, sgprs, major, minor, less },
#include "harness/vgpu/packet/generation.def"
#undef PM4_GENERATION
};

const struct pm4_generation *pm4_generation(enum gen gen)
{
    return generations[gen].va_bits ? &generations[gen] : NULL;
}

static const struct op_row *find_op(enum gen gen, u32 opcode)
{
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        if (ops[i].opcode == opcode && ops[i].gens >> gen & 1)
            return &ops[i];
    return NULL;
}

u32 pm4_least(enum gen gen, u32 op)
{
    const struct op_row *row = find_op(gen, op);
    return row ? row->least : 0;
}

/* The row of dword `index` of a packet, NULL if it may hold anything. */
static const struct dw_row *find_dw(const struct pm4_packet *p, u32 index)
{
    for (u32 i = 0; i < COUNT_OF(dws); i++)
        if (dws[i].opcode == p->op && dws[i].index == index && dws[i].gens >> p->gen & 1)
            return &dws[i];
    return NULL;
}

static const struct reg_row *find_reg(enum gen gen, u32 op, u32 offset)
{
    for (u32 i = 0; i < COUNT_OF(regs); i++)
        if (regs[i].op == op && offset - regs[i].offset < regs[i].count && regs[i].gens >> gen & 1)
            return &regs[i];
    return NULL;
}

static void add_name(const struct reg_row *r, u32 offset, struct text *t)
{
    size_t stem = strlen(r->name) - 1;
    u32 n = offset - r->offset;
    if (r->count == 1)
        text_add(t, "%s", r->name);
    else if (r->name[stem] == 'X')
        text_add(t, "%.*s%c", (int)stem, r->name, (char)('X' + n));
    else
        text_add(t, "%.*s%u", (int)stem, r->name, n);
}

bool pm4_sh_reg(enum gen gen, u32 offset, u32 *mask, struct text *t)
{
    const struct reg_row *r = find_reg(gen, PM4_SET_SH_REG, offset);
    if (!r)
        return false;
    *mask = r->mask;
    add_name(r, offset, t);
    return true;
}

/* What of the first dword is the first register's offset. */
static u32 first_reg(const struct pm4_packet *p)
{
    return p->body[0] & 0xffff;
}

static bool sets_regs(const struct pm4_packet *p)
{
    return p->op == PM4_SET_SH_REG || p->op == PM4_SET_UCONFIG_REG;
}

/* The registers that are set are there, and no bit is set that they lack. One of graphics makes it a
 * packet of that ring. */
static enum status check_regs(struct pm4_packet *p, struct err *e)
{
    const char *what = p->op == PM4_SET_SH_REG ? "SET_SH_REG" : "SET_UCONFIG_REG";
    for (u32 i = 1; i < p->body_dw; i++) {
        u32 offset = first_reg(p) + i - 1;
        const struct reg_row *r = find_reg(p->gen, p->op, offset);
        char name[40];
        struct text t;
        if (!r)
            return err_set(e, ST_INPUT, "%s: no compute register has offset 0x%x", what, offset);
        p->pipes &= r->pipes;
        if (!(p->body[i] & ~r->mask))
            continue;
        text_init(&t, name, sizeof name);
        add_name(r, offset, &t);
        return err_set(e, ST_INPUT, "%s: %s = 0x%08x has reserved bits 0x%08x", what, name,
                       p->body[i], p->body[i] & ~r->mask);
    }
    return ST_OK;
}

/* What a dword of a packet may not hold. The upper half of an address is that of one with a sign, as
 * drivers pass those of the upper range. */
static u32 reserved_bits(const struct dw_row *d, u32 value)
{
    bool is_upper = value >> 15 == mask32(17) && strcmp(d->field, "address_hi") == 0;
    return is_upper ? 0 : value & ~d->mask;
}

enum status pm4_decode(enum gen gen, const u32 *ib, u32 dw, u32 at, struct pm4_packet *p,
                       struct err *e)
{
    u32 header = ib[at], type = header >> 30;
    *p = (struct pm4_packet){ .gen = (u8)gen, .pipes = PM4_ANY, .op = PM4_NOP, .dw = 1 };
    if (header == PM4_FILL || header == 2u << 30)
        return ST_OK;
    if (type != 3)
        return err_set(e, ST_INPUT, "0x%08x is a header of type %u", header, type);
    const struct op_row *row = find_op(gen, bits32(header, 8, 8));
    if (!row)
        return err_set(e, ST_INPUT, "0x%08x: unknown opcode 0x%02x", header, bits32(header, 8, 8));
    if (header & 0xfd)
        return err_set(e, ST_INPUT, "%s: header 0x%08x has reserved bits, or is predicated",
                       row->name, header);
    *p = (struct pm4_packet){ .gen = (u8)gen,
                              .pipes = row->pipes,
                              .op = row->opcode,
                              .body = &ib[at + 1],
                              .body_dw = bits32(header, 16, 14) + 1,
                              .is_compute = header & PM4_COMPUTE };
    p->dw = p->body_dw + 1;
    if (p->body_dw > dw - at - 1)
        return err_set(e, ST_INPUT, "%s: %u dwords, but the buffer ends after %u", row->name, p->dw,
                       dw - at);
    if (p->body_dw < row->least || p->body_dw > row->most)
        return err_set(e, ST_INPUT, "%s: no such packet has %u dwords", row->name, p->dw);
    for (u32 i = 0; i < COUNT_OF(dws); i++) {
        const struct dw_row *d = &dws[i];
        if (d->opcode == p->op && d->gens >> gen & 1 && d->index < p->body_dw &&
            reserved_bits(d, p->body[d->index]))
            return err_set(e, ST_INPUT, "%s: %s = 0x%08x has reserved bits 0x%08x", row->name,
                           d->field, p->body[d->index], reserved_bits(d, p->body[d->index]));
    }
    return sets_regs(p) ? check_regs(p, e) : ST_OK;
}

void pm4_print(const struct pm4_packet *p, struct text *t)
{
    enum { SHOWN = 12 };
    const struct op_row *row = find_op(p->gen, p->op);
    text_add(t, "%s", row->name);
    for (u32 i = sets_regs(p); i < p->body_dw && i < SHOWN; i++) {
        const struct dw_row *d = find_dw(p, i);
        text_add(t, " ");
        if (sets_regs(p))
            add_name(find_reg(p->gen, p->op, first_reg(p) + i - 1), first_reg(p) + i - 1, t);
        else if (d)
            text_add(t, "%s", d->field);
        text_add(t, "%s0x%x", d || sets_regs(p) ? "=" : "", p->body[i]);
    }
    if (p->body_dw > SHOWN)
        text_add(t, " ... %u dwords", p->body_dw);
}
