#include "harness/ask/explain.h"

#include "harness/case/casefile.h"
#include "oracle/insn/same.h"
#include "oracle/insn/text.h"

#include <unistd.h>

enum { WRAP = 100, INDENT = 12 };

/* Words of a text, wrapped behind a heading in a column of its own. */
static void put_wrapped(FILE *out, const char *head, const char *text)
{
    u32 column = INDENT;
    fprintf(out, "%-*s", INDENT, head);
    for (const char *p = text; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        u32 len = (u32)strcspn(p, " ");
        if (column > INDENT && column + 1 + len > WRAP) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        }
        fprintf(out, "%s%.*s", column > INDENT ? " " : "", (int)len, p);
        column += len + (column > INDENT);
    }
    fputc('\n', out);
}

void explain_erratum(FILE *out, const struct erratum *entry)
{
    fprintf(out, "%-*s%s\n", INDENT, entry->id,
            entry->doubt[0] ? evidence_names[entry->evidence] : "note");
    if (entry->doubt[0])
        put_wrapped(out, "  doubt", entry->doubt);
    put_wrapped(out, "  model", entry->model);
    if (entry->source[0])
        put_wrapped(out, "  source", entry->source);
    if (entry->opcodes[0])
        put_wrapped(out, "  opcodes", entry->opcodes);
    if (entry->witness[0])
        fprintf(out, "%-*scases/%s.case\n", INDENT, "  witness", entry->witness);
}

/* ---- an opcode ---- */

static const char *const gen_names[GEN_COUNT] = { "gfx6", "gfx7", "gfx8", "gfx9" };

static const char *const flag_meanings[FLAGBIT_COUNT] = {
#define FLAG(name, meaning) meaning,
#include "oracle/isa/flag.def"
#undef FLAG
};

/* Opcodes by generation, and the name on those where it is another than here. */
static void put_numbers(FILE *out, enum gen here, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    fprintf(out, "%-*s%s", INDENT, "encoding", isa_encs[row->enc].name);
    for (u32 gen = 0; gen < GEN_COUNT; gen++) {
        const char *name = isa_name((enum gen)gen, op);
        if (row->number[gen] < 0)
            continue;
        fprintf(out, ", %d on %s", row->number[gen], gen_names[gen]);
        if (strcmp(name, isa_name(here, op)) != 0)
            fprintf(out, " as %s", name);
    }
    fputc('\n', out);
}

static void put_processors(FILE *out, isa_op op)
{
    char line[512];
    struct text t;
    struct isa isa;
    text_init(&t, line, sizeof(line));
    for (u32 i = 0; isa_target_at(i); i++) {
        isa.target = isa_target_at(i);
        if (isa_has(&isa, op))
            text_add(&t, "%s ", isa.target->mcpu);
    }
    put_wrapped(out, "processors", line);
}

/* Other processors on which it is written and encoded as here, and does the same. */
static void put_same(FILE *out, const struct isa *isa, isa_op op)
{
    char line[512];
    struct text t;
    text_init(&t, line, sizeof(line));
    for (u32 i = 0; isa_target_at(i); i++) {
        struct isa other = { .target = isa_target_at(i) };
        other.ecc = other.target == isa->target ? isa->ecc : (u8)ECC_OPEN;
        if (other.target != isa->target && same_op(isa, &other, op))
            text_add(&t, "%s ", other.target->mcpu);
    }
    put_wrapped(out, "same_in", t.len ? line : "no other processor");
}

static void put_forms(FILE *out, enum gen gen, const struct isa_row *row)
{
    for (u32 form = 0, first = 1; form < FORM_COUNT; form++) {
        if (!(isa_forms(gen, row) >> form & 1))
            continue;
        enum isa_layout lay = isa_layout_of(row, (enum isa_form)form);
        enum isa_layout suffix = isa_suffix_of(row, (enum isa_form)form);
        fprintf(out, "%-*s%-8s %s%s%s%s", INDENT, first ? "forms" : "",
                isa_form_name(gen, row, (enum isa_form)form), isa_layouts[gen][lay].name,
                suffix ? " + " : "", suffix ? isa_layouts[gen][suffix].name : "",
                form == FORM_LIT ? " + literal" : "");
        u32 mods = 0;
        for (const struct mod *m = text_mods(row, (enum isa_form)form); m->style; m++)
            if (text_mod_applies(gen, row, (enum isa_form)form, m))
                fprintf(out, "%s%s", mods++ ? " " : ": ", m->text);
        fputc('\n', out);
        first = 0;
    }
}

/* Sources can be literals as far as the opcode has a form with one. */
static void put_operand_rows(FILE *out, enum gen gen, const struct isa_row *row)
{
    static const char *const dirs[] = { "", "written", "read", "read and written" };
    bool literal = isa_forms(gen, row) >> FORM_LIT & 1;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        const char *meaning = isa_kinds[o->kind].meaning, *end = strstr(meaning, ", literal");
        fprintf(out, "%-*s%-9s %-5s %s, %.*s\n", INDENT, o == row->operand ? "operands" : "",
                isa_field_names[o->field], isa_types[o->type].name, dirs[o->dir],
                (int)(end && !literal ? (size_t)(end - meaning) : strlen(meaning)), meaning);
    }
}

static bool has_clamp(enum gen gen, const struct isa_row *row)
{
    for (u32 form = 0; form < FORM_COUNT; form++)
        for (const struct mod *m = text_mods(row, (enum isa_form)form); m->style; m++)
            if (isa_forms(gen, row) >> form & 1 && m->field == FLD_clamp &&
                text_mod_applies(gen, row, (enum isa_form)form, m))
                return true;
    return false;
}

/* A row says of integers that they can be clamped; before gfx8 none of its forms can. */
static void put_flags(FILE *out, enum gen gen, const struct isa_row *row)
{
    bool first = true;
    for (u32 bit = 0; bit < FLAGBIT_COUNT; bit++) {
        if (!(row->flags >> bit & 1) || (bit == FLAGBIT_CLAMP_INT && !has_clamp(gen, row)))
            continue;
        fprintf(out, "%-*s%s\n", INDENT, first ? "flags" : "", flag_meanings[bit]);
        first = false;
    }
}

/* What counts as equal to the model's result. */
static void put_accept(FILE *out, const struct isa_row *row)
{
    static const char *const meanings[ACCEPT_COUNT] = {
        [ACCEPT_EXACT] = "bit by bit",
        [ACCEPT_SET] = "for some operands there are several right results",
        [ACCEPT_ULP] = "units in the last place from the exact value",
        [ACCEPT_REL] = "of the exact value",
        [ACCEPT_ABS] = "from the exact value",
        [ACCEPT_PROBE] = "never compared",
    };
    char text[ACCEPT_TEXT_MAX];
    fprintf(out, "%-*s%s  %s\n", INDENT, "accept", isa_accept_text(row, text),
            meanings[isa_accept_kind(row)]);
}

/* What is modelled has a case file. */
static enum status put_case(FILE *out, const struct isa_row *row, const char *cases, struct err *e)
{
    char path[4096], file[80];
    casefile_of_row(row, file, sizeof file);
    int len = snprintf(path, sizeof path, "%s/%s", cases ? cases : "", file);
    if (!cases && row->semantics)
        put_wrapped(out, "cases", "gcncheck's own are not there: gcncheck run --help");
    if (!cases || (size_t)len >= sizeof path || access(path, R_OK) != 0)
        return ST_OK;
    u64 rows = 0;
    enum status st = casefile_count_rows(path, &rows, e);
    if (st == ST_OK)
        fprintf(out, "%-*scases/%s, %llu rows\n", INDENT, "cases", file, (unsigned long long)rows);
    else if (st == ST_INPUT)
        fprintf(out, "%-*scases/%s cannot be read\n", INDENT, "cases", file);
    return st == ST_WORLD ? st : ST_OK;
}

enum status explain_op(FILE *out, const struct isa *isa, isa_op op, const char *cases,
                       struct err *e)
{
    const struct isa_row *row = &isa_rows[op];
    enum gen gen = (enum gen)isa->target->gen;
    fprintf(out, "%s\n", isa_name(gen, op));
    put_numbers(out, gen, op);
    put_processors(out, op);
    put_same(out, isa, op);
    put_forms(out, gen, row);
    put_operand_rows(out, gen, row);
    put_flags(out, gen, row);
    put_wrapped(out, "semantics",
                row->semantics ? row->semantics : "described, not modelled: stops by name");
    if (row->semantics)
        put_accept(out, row);
    enum status st = put_case(out, row, cases, e);
    bool first = true;
    for (u32 i = 0; erratum_at(i); i++) {
        if (!erratum_touches(erratum_at(i), gen, op))
            continue;
        if (first)
            fprintf(out, "\nledger\n");
        first = false;
        explain_erratum(out, erratum_at(i));
    }
    return st;
}

/* ---- dwords ---- */

/* Fields of both dwords by falling position; a field that another one lies in is named with it. */
static void put_field(FILE *out, const struct insn *in, enum isa_field field, struct isa_pos pos)
{
    const struct isa_row *row = insn_row(in);
    char text[160] = "";
    u32 value = insn_get(in, field);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (insn_operand_field(in, o) == field)
            insn_print_operand(in, o, text, sizeof(text));
    if (field == FLD_op)
        snprintf(text, sizeof(text), "%s", insn_name(in));
    char where[16];
    if (pos.width == 1)
        snprintf(where, sizeof(where), "%u", pos.lsb);
    else
        snprintf(where, sizeof(where), "%u:%u", pos.lsb + pos.width - 1u, pos.lsb);
    fprintf(out, "  %-7s %-11s 0x%-7x %s\n", where, isa_field_names[field], value, text);
}

static void put_fields(FILE *out, const struct insn *in)
{
    for (u32 lsb = 64; lsb-- > 0;)
        for (u32 field = FLD_none + 1; field < FLD_COUNT; field++) {
            struct isa_pos pos = insn_pos(in, (enum isa_field)field);
            if (pos.width && pos.lsb == lsb)
                put_field(out, in, (enum isa_field)field, pos);
        }
    if (in->form == FORM_LIT)
        fprintf(out, "  %-7s %-11s 0x%x\n", "literal", "", in->lit);
}

bool explain_bits(FILE *out, const struct isa *isa, const u32 *dw, u32 count)
{
    struct insn in;
    struct err e = { .file = "" };
    char text[512];
    for (u32 i = 0; i < count; i++)
        fprintf(out, "%s%08x", i ? " " : "", dw[i]);
    fputc('\n', out);
    if (!insn_decode(isa, dw, count, &in, &e)) {
        fprintf(out, "no instruction of %s: %s\n", isa->target->mcpu, e.text);
        return false;
    }
    const struct isa_row *row = insn_row(&in);
    const struct isa_layout_info *info =
        &isa_layouts[in.gen][isa_layout_of(row, (enum isa_form)in.form)];
    if (insn_printable(isa, &in, &e) == ST_OK) {
        insn_print(isa, &in, text, sizeof(text));
        fprintf(out, "%s\n", text);
    }
    fprintf(out, "%s %s, %s, %u dword%s\n", isa_encs[row->enc].name, insn_name(&in),
            isa_form_name((enum gen)in.gen, row, (enum isa_form)in.form), in.dw,
            in.dw == 1 ? "" : "s");
    fprintf(out, "  %-7s %-11s 0x%x, where bits 31:0 & 0x%08x\n", "prefix", info->name, info->match,
            info->mask);
    put_fields(out, &in);
    e.text[0] = '\0';
    bool legal = insn_legal(isa, &in, &e) == ST_OK;
    fprintf(out, "%s%s\n", legal ? "legal" : "illegal: ", legal ? "" : e.text);
    if (count > in.dw)
        fprintf(out, "not one instruction: %u dword%s given, it takes %u\n", count,
                count == 1 ? "" : "s", in.dw);
    return legal && count == in.dw;
}
