#include "harness/ask/differ.h"

#include "oracle/insn/same.h"
#include "oracle/insn/text.h"
#include "oracle/rule/rule.h"

/* The two processors, and whom differences are told. */
struct differ {
    const struct isa *isa[2];
    enum gen gen[2];
    differ_fn *fn;
    void *ctx;
    u32 count;
};

static const char none[] = "-";

static void tell(struct differ *d, const char *kind, const char *name, const char *what,
                 const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return;
    d->count++;
    d->fn(d->ctx, &(struct differ_line){ kind, name, what, a, b });
}

/* The same of numbers; a negative one: it is not there. */
static void tell_numbers(struct differ *d, const char *kind, const char *name, const char *what,
                         const i32 value[2])
{
    char text[2][16];
    for (u32 i = 0; i < 2; i++)
        if (value[i] < 0)
            snprintf(text[i], sizeof text[i], "%s", none);
        else
            snprintf(text[i], sizeof text[i], "%d", value[i]);
    tell(d, kind, name, what, text[0], text[1]);
}

static void tell_whether(struct differ *d, const char *kind, const char *name, const char *what,
                         bool a, bool b)
{
    tell(d, kind, name, what, a ? "yes" : none, b ? "yes" : none);
}

/* ---- opcodes ---- */

const char *differ_forms(enum gen gen, const struct isa_row *row, const char *between, char *buf,
                         size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    for (u32 form = 0; form < FORM_COUNT; form++)
        if (isa_forms(gen, row) >> form & 1)
            text_add(&t, "%s%s", t.len ? between : "",
                     isa_form_name(gen, row, (enum isa_form)form));
    return buf;
}

/* An opcode that only one has: its encoding, number and forms there. */
static void tell_opcode(struct differ *d, isa_op op, u32 on)
{
    const struct isa_row *row = &isa_rows[op];
    char forms[80], text[128];
    snprintf(text, sizeof text, "%s %d %s", isa_encs[row->enc].name, row->number[d->gen[on]],
             differ_forms(d->gen[on], row, ",", forms, sizeof forms));
    tell(d, "opcode", isa_name(d->gen[on], op), "", on ? none : text, on ? text : none);
}

static void add_mods(struct text *t, enum gen gen, const struct isa_row *row, enum isa_form form)
{
    for (const struct mod *m = text_mods(row, form); m->style; m++)
        if (text_mod_applies(gen, row, form, m))
            text_add(t, "%s%s", t->len ? " " : "", m->text);
    if (!t->len)
        text_add(t, "%s", none);
}

static void tell_mods(struct differ *d, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    u32 forms = isa_forms(d->gen[0], row) & isa_forms(d->gen[1], row);
    for (u32 form = 0; form < FORM_COUNT; form++) {
        char text[2][160];
        for (u32 i = 0; i < 2 && forms >> form & 1; i++) {
            struct text t;
            text_init(&t, text[i], sizeof text[i]);
            add_mods(&t, d->gen[i], row, (enum isa_form)form);
        }
        if (forms >> form & 1)
            tell(d, "modifiers", isa_name(d->gen[0], op),
                 isa_form_name(d->gen[0], row, (enum isa_form)form), text[0], text[1]);
    }
}

static void tell_ops(struct differ *d)
{
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        const struct isa_row *row = &isa_rows[op];
        bool on[2] = { isa_has(d->isa[0], op), isa_has(d->isa[1], op) };
        char forms[2][80];
        if (on[0] != on[1])
            tell_opcode(d, op, on[1]);
        if (!on[0] || !on[1])
            continue;
        const char *name = isa_name(d->gen[0], op);
        tell(d, "name", name, isa_encs[row->enc].name, name, isa_name(d->gen[1], op));
        tell_numbers(d, "number", name, isa_encs[row->enc].name,
                     (i32[2]){ row->number[d->gen[0]], row->number[d->gen[1]] });
        for (u32 i = 0; i < 2; i++)
            differ_forms(d->gen[i], row, ",", forms[i], sizeof forms[i]);
        tell(d, "forms", name, isa_encs[row->enc].name, forms[0], forms[1]);
        tell_mods(d, op);
    }
}

/* ---- encodings ---- */

static void tell_fields(struct differ *d, enum isa_layout lay)
{
    for (u32 f = FLD_none + 1; f < FLD_COUNT; f++) {
        char text[2][16];
        for (u32 i = 0; i < 2; i++) {
            struct isa_pos pos = isa_layout_pos(d->gen[i], lay, (enum isa_field)f);
            if (!pos.width)
                snprintf(text[i], sizeof text[i], "%s", none);
            else
                snprintf(text[i], sizeof text[i], "%u:%u", pos.lsb + pos.width - 1u, pos.lsb);
        }
        tell(d, "field", isa_layouts[d->gen[0]][lay].name, isa_field_names[f], text[0], text[1]);
    }
}

/* Of encodings that both have: of the others, the opcodes tell. */
static void tell_layouts(struct differ *d)
{
    for (u32 lay = LAY_NONE + 1; lay < LAY_COUNT; lay++) {
        const struct isa_layout_info *a = &isa_layouts[d->gen[0]][lay],
                                     *b = &isa_layouts[d->gen[1]][lay];
        char prefix[2][32];
        if (!a->name || !b->name) {
            tell_whether(d, "field",
                         a->name   ? a->name
                         : b->name ? b->name
                                   : "",
                         "", a->name, b->name);
            continue;
        }
        snprintf(prefix[0], sizeof prefix[0], "0x%08x/%u", a->match, a->dwords);
        snprintf(prefix[1], sizeof prefix[1], "0x%08x/%u", b->match, b->dwords);
        tell(d, "field", a->name, "prefix/dwords", prefix[0], prefix[1]);
        tell_fields(d, (enum isa_layout)lay);
    }
}

/* ---- what the model does ---- */

static bool has_feature(const struct isa *isa, u32 feature)
{
    return isa_target_has(isa->target, (enum isa_feature_bit)feature);
}

static const char *setting(const struct isa *isa)
{
    static const char *const text[] = { [ECC_OPEN] = "any", [ECC_OFF] = "off", [ECC_ON] = "on" };
    return isa_target_has(isa->target, FEATUREBIT_SRAM_ECC) ? text[isa->ecc] : none;
}

/* Features, and the opcodes of both in which they show. */
static void tell_features(struct differ *d)
{
    const struct isa *a = d->isa[0], *b = d->isa[1];
    for (u32 f = 0; f < FEATUREBIT_COUNT; f++)
        tell_whether(d, "feature", isa_features[f].name, isa_features[f].meaning, has_feature(a, f),
                     has_feature(b, f));
    tell(d, "feature", "sramecc", "the setting of a processor's name", setting(a), setting(b));
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        if (!isa_has(a, op) || !isa_has(b, op))
            continue;
        u32 bits = same_features(a, b, &isa_rows[op]);
        for (u32 f = 0; f < FEATUREBIT_COUNT; f++)
            if (bits >> f & 1 && has_feature(a, f) == has_feature(b, f))
                tell(d, "rule", isa_name(d->gen[0], op), "sramecc", setting(a), setting(b));
            else if (bits >> f & 1)
                tell_whether(d, "rule", isa_name(d->gen[0], op), isa_features[f].name,
                             has_feature(a, f), has_feature(b, f));
    }
}

static void tell_hazards(struct differ *d)
{
    for (u32 hz = 0; hz < HZ_COUNT; hz++) {
        const struct rule_hazard_info *info = &rule_hazards[hz];
        i32 waits[2];
        for (u32 i = 0; i < 2; i++)
            waits[i] = rule_has_hazard(d->isa[i], (enum rule_hazard)hz) ? info->waits : -1;
        tell_numbers(d, "hazard", info->name, info->text, waits);
    }
}

/* ---- limits ---- */

/* The codes at which a scalar source or register of this name stands, "106"; one that reads it as a
 * pair has the name of the pair. */
static void tell_registers(struct differ *d)
{
    enum { CODES = 256 };
    for (u32 dwords = 2; dwords-- > 0;)
        for (u32 code = 0; code < CODES; code++) {
            const char *name[2];
            for (u32 i = 0; i < 2; i++) {
                name[i] = text_reg_name(d->gen[i], code, dwords + 1);
                name[i] = name[i] ? name[i] : none;
            }
            char what[16];
            snprintf(what, sizeof what, "code %u", code);
            tell(d, "limit", dwords ? "register pair" : "register", what, name[0], name[1]);
        }
}

static void tell_limits(struct differ *d)
{
    i32 sgprs[2], ttmp[2], floats[2], acc[2], most[2], lds[2], granule[2];
    for (u32 i = 0; i < 2; i++) {
        lds[i] = (i32)isa_lds_max(d->isa[i]->target);
        granule[i] = (i32)isa_lds_granule(d->isa[i]->target);
        sgprs[i] = (i32)insn_sgprs(d->gen[i]);
        ttmp[i] = CODE_TTMP_LAST + 1 - (i32)insn_first_ttmp(d->gen[i]);
        floats[i] = (i32)text_floats_count(d->gen[i]);
        acc[i] = has_feature(d->isa[i], FEATUREBIT_MAI) ? 256 : -1;
    }
    tell_numbers(d, "limit", "LDS", "bytes of a work-group", lds);
    tell_numbers(d, "limit", "LDS", "bytes of a piece that is allocated", granule);
    tell_numbers(d, "limit", "scalar registers", "s0 and following", sgprs);
    tell_numbers(d, "limit", "trap temporaries", "ttmp0 and following", ttmp);
    tell_numbers(d, "limit", "accumulation registers", "a0 and following", acc);
    tell_numbers(d, "limit", "inline floats", "constants", floats);
    for (u32 c = 0; c < COUNTERS; c++) {
        for (u32 i = 0; i < 2; i++)
            most[i] = (i32)counter_max(&counter_table(d->gen[i])[c]);
        tell_numbers(d, "limit", counter_table(d->gen[0])[c].name, "largest count", most);
    }
    for (u32 id = 0; id < HWREGS; id++) {
        const char *a = text_hwreg(d->gen[0], id), *b = text_hwreg(d->gen[1], id);
        tell(d, "limit", "hardware register",
             a   ? a
             : b ? b
                 : "",
             a ? "yes" : none, b ? "yes" : none);
    }
    for (u32 msg = 0; msg < MSGS; msg++) {
        const char *a = text_msg(d->gen[0], msg), *b = text_msg(d->gen[1], msg);
        tell(d, "limit", "message", a ? a : b ? b : "", a ? "yes" : none, b ? "yes" : none);
    }
    tell_registers(d);
}

u32 differ_each(const struct isa *a, const struct isa *b, differ_fn *fn, void *ctx)
{
    struct differ d = { .isa = { a, b },
                        .gen = { (enum gen)a->target->gen, (enum gen)b->target->gen },
                        .fn = fn,
                        .ctx = ctx };
    tell_ops(&d);
    tell_layouts(&d);
    tell_features(&d);
    tell_hazards(&d);
    tell_limits(&d);
    return d.count;
}
