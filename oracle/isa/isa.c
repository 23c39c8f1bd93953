#include "oracle/isa/isa.h"

#include "oracle/isa/gens.h"
#include "oracle/isa/op.h"
#include "oracle/isa/shape.def"

enum feature {
#define FEATURE(name, touches, meaning) name = 1 << FEATUREBIT_##name,
#define GENERATION(gen, features)
#define TARGET(mcpu, gen, status, features)
#include "oracle/isa/target.def"
#undef FEATURE
#undef GENERATION
#undef TARGET
};
_Static_assert(FEATUREBIT_COUNT <= 31, "features are bits of an int above, of u32 in tables");

/* Opcode numbers by generation; X where it does not exist. */
#define X                 -1
#define N(g6, g7, g8, g9) .number = { g6, g7, g8, g9 }
#define GFX9(n)           N(X, X, X, n)
#define ON(features, n)   GFX9(n), .needs = (u32)(features)
/* On processors of any generation that have the features. */
#define NEEDS(features, numbers) numbers, .needs = (u32)(features)
enum {
#define ENC(name, layout, e64, g67, g89, unit, memory) \
    UNIT_OF_##name = UNIT_##unit, MEMORY_OF_##name = MEMORY_##memory,
#include "oracle/isa/enc.def"
#undef ENC
};
/* Columns that a shape sets behind its forms. */
#define FLOW(name)  .flow = FLOW_##name
#define M0_IS(role) .m0 = M0_##role
#define BYTES(n)    .bytes = n
#define PASSES(n)   .passes = n
/* The operand lists become initialisers: E opens the list, W and R fill it. */
#define ROW_E(enc_, ...)                                                           \
    .enc = ENC_##enc_, .unit = (u8)UNIT_OF_##enc_, .memory = (u8)MEMORY_OF_##enc_, \
    .forms = __VA_ARGS__, .operand = {
#define ROW_W(v, f, k, t)  { SLOT_##v, FLD_##f, K_##k, T_##t, DIR_W },
#define ROW_R(v, f, k, t)  { SLOT_##v, FLD_##f, K_##k, T_##t, DIR_R },
#define ROW_RW(v, f, k, t) { SLOT_##v, FLD_##f, K_##k, T_##t, DIR_RW },
#define ROW(op, shape, numbers, flags_, ...)                \
    [OP_##op] = { .name = #op,                              \
                  .semantics = #__VA_ARGS__,                \
                  numbers,                                  \
                  .flags = (u64)(flags_),                   \
                  shape(ROW_E, ROW_W, ROW_R, ROW_RW){ 0 } } \
    }                                                       \
    ,
/* Without a body it is described, not modelled. */
#define OPD(op, shape, numbers, flags_)                                                       \
    [OP_##op] = {                                                                             \
        .name = #op, numbers, .flags = (u64)(flags_), shape(ROW_E, ROW_W, ROW_R, ROW_RW){ 0 } \
    }                                                                                         \
    }                                                                                         \
    ,
#define OP  ROW
#define OPF ROW
#define OPM ROW
#define OPP ROW
#define OPW ROW

__extension__ enum row_flag {
#define FLAG(name, meaning) name = FLAG_##name,
#include "oracle/isa/flag.def"
#undef FLAG
};

_Static_assert((u32)FLAGBIT_COUNT <= (u32)ACCEPT_N_LSB, "flags and acceptance share 64 bits");

#include "oracle/isa/accept.def"

_Static_assert((u32)OP_COUNT <= (u32)OPS_MAX, "tables indexed by opcode have room");
const u32 isa_op_count = OP_COUNT;

const struct isa_row isa_rows[] = {
    [OP_NONE] = { .name = "invalid", N(X, X, X, X) },
#include "oracle/isa/ops.def"
};

#undef X
#undef N
#undef GFX9
#undef ON
#undef NEEDS
#undef FLOW

/* What all processors of a generation have. */
enum {
#define FEATURE(name, touches, meaning)
#define GENERATION(gen, features) ALL_##gen = features,
#define TARGET(mcpu, gen, status, features)
#include "oracle/isa/target.def"
#undef GENERATION
#undef TARGET
};

static const struct isa_target targets[] = {
#define GENERATION(gen, features)
#define TARGET(mcpu, gen, status, features) \
    { #mcpu, gen, STATUS_##status, (u32)(features) | (u32)ALL_##gen },
#include "oracle/isa/target.def"
#undef FEATURE
#undef GENERATION
#undef TARGET
};

#define LAYOUT_VARIES(name)
#define LAYOUT_INFO(gen, name, dwords, mask, match) \
    [gen][LAY_##name] = { #name, dwords, mask, match },
#define LAYOUT_ON(gens, name, dwords, mask, match) gens(LAYOUT_INFO, name, dwords, mask, match)
#define LAYOUT(name, dwords, mask, match)          LAYOUT_ON(G6789, name, dwords, mask, match)
#define SUFFIX(name, src0)                         LAYOUT_ON(G89, name, 1, 0, src0)
#define FIELD(layout, field, lsb, width)
#define FIELD_ON(gens, layout, field, lsb, width)
const struct isa_layout_info isa_layouts[GEN_COUNT][LAY_COUNT] = {
#include "oracle/isa/layout.def"
};
#undef LAYOUT
#undef LAYOUT_ON
#undef SUFFIX
#undef FIELD
#undef FIELD_ON

#define LAYOUT(name, dwords, mask, match)
#define LAYOUT_ON(gens, name, dwords, mask, match)
#define SUFFIX(name, src0)
/* A field of two layouts that make one instruction; of others FLD_none, which is emptied at last. */
#define FIELD_OF(one, two, layout, field) \
    [LAY_##layout == LAY_##one || LAY_##layout == LAY_##two ? FLD_##field : FLD_none]
#define PAIR_POS(one, two, gen, layout, field, lsb, width) \
    [(gen)*PLACES_COUNT + PLACES_##one##_##two] FIELD_OF(one, two, layout, field) = { lsb, width },
#define FIELD_POS(gen, layout, field, lsb, width)                      \
    [(gen)*PLACES_COUNT + LAY_##layout][FLD_##field] = { lsb, width }, \
                          ISA_PAIRS(PAIR_POS, gen, layout, field, lsb, width)
#define PAIR_NONE(one, two, gen)                  [(gen)*PLACES_COUNT + PLACES_##one##_##two][FLD_none] = { 0 },
#define NO_FIELD(gen, ...)                        ISA_PAIRS(PAIR_NONE, gen)
#define FIELD_ON(gens, layout, field, lsb, width) gens(FIELD_POS, layout, field, lsb, width)
#define FIELD(layout, field, lsb, width)          FIELD_ON(G6789, layout, field, lsb, width)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct isa_pos isa_places[GEN_COUNT * PLACES_COUNT][FLD_COUNT] = {
#include "oracle/isa/layout.def"
    G6789(NO_FIELD, )
};
#pragma GCC diagnostic pop

/* A field that is named twice in a layout: as the compiler would say without the pairs. */
#undef FIELD_POS
#define FIELD_POS(gen, layout, field, lsb, width) ONCE_##gen##_##layout##_##field,
enum {
#include "oracle/isa/layout.def"
};
#undef LAYOUT_VARIES
#undef LAYOUT
#undef LAYOUT_ON
#undef SUFFIX
#undef FIELD
#undef FIELD_ON

const struct isa_enc_info isa_encs[ENC_COUNT] = {
#define ENC(name, layout, e64, g67, g89, unit, memory) \
    [ENC_##name] = { #name, LAY_##layout, LAY_##e64, { g67, g67, g89, g89 } },
#include "oracle/isa/enc.def"
#undef ENC
};

const struct isa_unit_info isa_units[UNIT_COUNT] = {
#define UNIT(name, counters, meaning) [UNIT_##name] = { counters },
#include "oracle/isa/unit.def"
#undef UNIT
};

const struct isa_flow_info isa_flows[FLOW_COUNT] = {
#define FLOW(name, target, passes, links, meaning) \
    [FLOW_##name] = { TARGET_##target, passes, links },
#include "oracle/isa/flow.def"
#undef FLOW
};

const struct isa_type_info isa_types[T_COUNT] = {
#define HALF     TYPE_HALF
#define PACKED   TYPE_PACKED
#define INLINE16 TYPE_INLINE16
#define PLAIN    TYPE_PLAIN
#define TYPE(name, dwords, class, bytes, traits, c) \
    [T_##name] = { #name, dwords, CLASS_##class, bytes, traits },
#include "oracle/isa/type.def"
#undef TYPE
#undef HALF
#undef PACKED
#undef INLINE16
#undef PLAIN
};

const struct isa_kind_info isa_kinds[K_COUNT] = {
#define KIND(name, class, meaning) { OPERAND_##class, meaning },
#include "oracle/isa/kind.def"
#undef KIND
};

const char *const isa_field_names[FLD_COUNT] = {
#define FIELDNAME(name) #name,
#include "oracle/isa/field.def"
#undef FIELDNAME
};

const char *const isa_form_names[FORM_COUNT] = { "e32", "literal", "e64", "sdwa", "dpp" };

const char *isa_accept_text(const struct isa_row *row, char buf[ACCEPT_TEXT_MAX])
{
    static const char *const name[ACCEPT_COUNT] = {
        [ACCEPT_EXACT] = "exact", [ACCEPT_SET] = "set",     [ACCEPT_ULP] = "ulp:",
        [ACCEPT_REL] = "rel:2^-", [ACCEPT_ABS] = "abs:2^-", [ACCEPT_PROBE] = "probe"
    };
    enum isa_accept kind = isa_accept_kind(row);
    struct text t;
    text_init(&t, buf, ACCEPT_TEXT_MAX);
    text_add(&t, "%s", name[kind]);
    if (kind == ACCEPT_ULP || kind == ACCEPT_REL || kind == ACCEPT_ABS)
        text_add(&t, "%u", isa_accept_n(row));
    return buf;
}

const struct isa_target *isa_target_at(u32 index)
{
    return index < COUNT_OF(targets) ? &targets[index] : NULL;
}

const struct isa_target *isa_target_find(const char *mcpu)
{
    for (size_t i = 0; i < COUNT_OF(targets); i++)
        if (isa_name_is(mcpu, targets[i].mcpu))
            return &targets[i];
    return NULL;
}

/* Names that generations spell differently: [generation][opcode], NULL where it has the row's. */
static const char *const names[GEN_COUNT][OP_COUNT] = {
#define ALIAS_NAME(gen, op, name) [gen][OP_##op] = name,
#define ALIAS(gens, op, name)     gens(ALIAS_NAME, op, name)
#define ALSO(gens, op, name)
#include "oracle/isa/alias.def"
#undef ALIAS
#undef ALSO
};

static const struct {
    u16 op;
    u8 gens;
    const char *name;
} second_names[] = {
#define ALIAS(gens, op, name)
#define ALSO(gens, op, name) { OP_##op, GEN_BITS(gens), name },
#include "oracle/isa/alias.def"
#undef ALIAS
#undef ALSO
};

const char *isa_gen_name(enum gen gen)
{
    static const char *const text[GEN_COUNT] = { "gfx6", "gfx7", "gfx8", "gfx9" };
    return text[gen];
}

const char *isa_name(enum gen gen, isa_op op)
{
    return names[gen][op] ? names[gen][op] : isa_rows[op].name;
}

static bool has_smem_offset(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_SMOFF)
            return true;
    return false;
}

u32 isa_forms(enum gen gen, const struct isa_row *row)
{
    u32 forms = row->forms;
    if (gen < GEN_GFX8)
        forms &= ~(u32)(F_SDWA | F_DPP);
    if (gen < GEN_GFX8 && row->enc == ENC_VINTRP)
        forms &= ~(u32)F_E64;
    if (gen == GEN_GFX7 && has_smem_offset(row))
        forms |= F_LIT;
    if (gen == GEN_GFX8 && row->flags & FLAG_SDWA_GFX8)
        forms |= F_SDWA;
    return forms;
}

const char *isa_form_name(enum gen gen, const struct isa_row *row, enum isa_form form)
{
    bool alone = form == FORM_BASE && !(isa_forms(gen, row) & F_E64);
    return alone ? "base" : isa_form_names[form];
}

static u32 name_hash(const char *name, size_t len)
{
    u32 h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (u8)name[i]) * 16777619u;
    return h;
}

/* What isa_find knows an opcode by. */
static const char *found_name(const struct isa *isa, isa_op op)
{
    return isa->row_names ? isa_rows[op].name : isa_name((enum gen)isa->target->gen, op);
}

static void add_name(struct isa *isa, isa_op op)
{
    const char *name = found_name(isa, op);
    u32 h = name_hash(name, strlen(name));
    while (isa->by_name[h % NAME_SLOTS] != OP_NONE)
        h++;
    isa->by_name[h % NAME_SLOTS] = (u16)op;
}

static void add_number(struct isa *isa, enum isa_layout lay, u32 number, isa_op op)
{
    if (number >= NUMBERS_MAX || isa->by_number[lay][number] != OP_NONE)
        BUG(isa_rows[op].name);
    isa->by_number[lay][number] = (u16)op;
}

static bool has_prefix(const struct isa_layout_info *info, u32 prefix)
{
    return info->mask && !((prefix ^ info->match >> PREFIX_LSB) & info->mask >> PREFIX_LSB);
}

static void add_prefixes(struct isa *isa)
{
    const struct isa_layout_info *info = isa_layouts[isa->target->gen];
    for (u32 i = 0; i < PREFIXES; i++) {
        u32 lay = LAY_NONE + 1;
        while (lay < LAY_COUNT && !has_prefix(&info[lay], i))
            lay++;
        isa->by_prefix[i] = (u8)lay;
    }
}

static isa_op find_second(const struct isa *isa, const char *name, size_t len)
{
    for (size_t i = 0; i < COUNT_OF(second_names); i++)
        if (second_names[i].gens >> isa->target->gen & 1 &&
            strncmp(second_names[i].name, name, len) == 0 && second_names[i].name[len] == '\0')
            return second_names[i].op;
    return OP_NONE;
}

isa_op isa_find(const struct isa *isa, const char *name, size_t len)
{
    for (u32 h = name_hash(name, len);; h++) {
        isa_op op = isa->by_name[h % NAME_SLOTS];
        if (op == OP_NONE)
            return find_second(isa, name, len);
        const char *known = found_name(isa, op);
        if (strncmp(known, name, len) == 0 && known[len] == '\0')
            return op;
    }
}

bool isa_name_is(const char *name, const char *mcpu)
{
    size_t size = strcspn(name, ":");
    return strlen(mcpu) == size && memcmp(name, mcpu, size) == 0;
}

/* What stands behind the name of a processor. */
static enum status read_setting(struct isa *isa, const char *mcpu, struct err *e)
{
    const char *setting = mcpu + strcspn(mcpu, ":");
    bool on = strcmp(setting, ":sramecc+") == 0, off = strcmp(setting, ":sramecc-") == 0;
    bool has = isa_target_has(isa->target, FEATUREBIT_SRAM_ECC);
    if (*setting && !((on || off) && has))
        return err_set(e, ST_INPUT, "%s does not take '%.40s'%s", isa->target->mcpu, setting,
                       has ? "; :sramecc+ and :sramecc- it does" : "");
    isa->ecc = on ? ECC_ON : off ? ECC_OFF : ECC_OPEN;
    return ST_OK;
}

enum status isa_open(struct isa *isa, const char *mcpu, struct err *e)
{
    memset(isa, 0, sizeof *isa);
    isa->target = isa_target_find(mcpu);
    if (!isa->target) {
        char known[256];
        struct text t;
        text_init(&t, known, sizeof known);
        for (size_t i = 0; i < COUNT_OF(targets); i++)
            text_add(&t, " %s", targets[i].mcpu);
        return err_set(e, ST_INPUT, "unknown processor '%.40s'; known:%s", mcpu, known);
    }
    enum status st = read_setting(isa, mcpu, e);
    if (st != ST_OK)
        return st;
    for (u32 op = OP_NONE + 1; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        if (!isa_has(isa, op))
            continue;
        const struct isa_enc_info *enc = &isa_encs[row->enc];
        enum gen gen = (enum gen)isa->target->gen;
        u32 number = (u32)row->number[gen];
        /* VOP3A, B and C share a prefix: all of VOP3 is looked up as VOP3A. */
        bool vop3 = enc->layout == LAY_VOP3A || enc->layout == LAY_VOP3B;
        add_number(isa, vop3 ? LAY_VOP3A : (enum isa_layout)enc->layout, number, op);
        if (!vop3 && enc->e64_layout != LAY_NONE && isa_forms(gen, row) & F_E64)
            add_number(isa, LAY_VOP3A, number + enc->e64_offset[gen], op);
        add_name(isa, op);
    }
    add_prefixes(isa);
    return ST_OK;
}

bool isa_generation_has(enum gen gen, enum isa_feature_bit feature)
{
    static const u32 all[GEN_COUNT] = {
#define FEATURE(name, touches, meaning)
#define GENERATION(gen, features) [gen] = (u32)(features),
#define TARGET(mcpu, gen, status, features)
#include "oracle/isa/target.def"
#undef FEATURE
#undef GENERATION
#undef TARGET
    };
    return all[gen] >> feature & 1;
}

bool isa_has_hwreg(const struct isa *isa, u32 id)
{
    static const u8 gens[] = {
#define HWREG(gens, id, name) [id] = GEN_BITS(gens),
#include "oracle/isa/reg.def"
    };
    return id < COUNT_OF(gens) && gens[id] >> isa->target->gen & 1;
}

void isa_use_row_names(struct isa *isa)
{
    memset(isa->by_name, 0, sizeof isa->by_name);
    isa->row_names = true;
    for (u32 op = OP_NONE + 1; op < OP_COUNT; op++)
        if (isa_has(isa, op))
            add_name(isa, op);
}

void isa_count(const struct isa *isa, u32 *all, u32 *modelled)
{
    *all = *modelled = 0;
    for (u32 op = OP_NONE + 1; op < OP_COUNT; op++) {
        bool has = isa_has(isa, op);
        *all += has;
        *modelled += has && isa_target_modelled(isa->target) && isa_modelled(op);
    }
}

enum status isa_open_modelled(struct isa *isa, const char *mcpu, struct err *e)
{
    enum status st = isa_open(isa, mcpu, e);
    if (st == ST_OK && !isa_target_modelled(isa->target))
        return err_set(e, ST_WORLD,
                       "%s is described, not modelled: its programs can be assembled and "
                       "disassembled, not run",
                       mcpu);
    return st;
}

u32 isa_access_bytes(const struct isa_row *row)
{
    const struct isa_operand *data = NULL;
    if (row->bytes)
        return row->bytes;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE && !data; o++)
        if (o->slot == SLOT_D || (o->slot == SLOT_DATA0 && !(row->flags & FLAG_LOAD)))
            data = o;
    if (row->flags & FLAG_SRC2) /* of 4 or 8 */
        return 8;
    if (!data)
        return 0;
    u32 bytes = isa_type_bytes((enum isa_type)data->type);
    return row->flags & FLAG_OFFSET2 && data->slot == SLOT_D ? bytes / 2 : bytes;
}

u32 isa_counters(const struct isa_row *row)
{
    return isa_units[row->unit].counters | (isa_is_message(row) ? COUNTS_LGKM : 0u);
}
