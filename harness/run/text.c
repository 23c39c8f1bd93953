/* What a result says about its case: names, instruction, inputs, the command that shows it
 * again. */
#include "harness/io/shell.h"
#include "harness/run/plan.h"

#include <stdio.h>
#include <strings.h>

static int line_of(const struct run_unit *u, u32 index)
{
    const struct case_test *t = u->test;
    if (!u->program)
        return t->line;
    return t->shape == CASE_ITEMS ? t->item[u->first + index].line : t->row[u->first + index].line;
}

static void title_of(const struct run_unit *u, u32 index, struct result *r)
{
    const struct case_test *t = u->test;
    u32 n = u->first + index;
    if (!u->program)
        RESULT_SET(r->title, "%s", t->title);
    else if (t->shape != CASE_ITEMS)
        RESULT_SET(r->title, "%s, row %u", t->title, n + 1);
    else if (t->item[n].title == t->title)
        RESULT_SET(r->title, "%s", t->title);
    else
        RESULT_SET(r->title, "%s, %s", t->title, t->item[n].title);
}

/* Where the file of an opcode stands that the processor has not: folders are called as encodings. */
static const char *folder_encoding(const char *dir)
{
    for (u32 i = 0; i < ENC_COUNT; i++)
        if (strcasecmp(isa_encs[i].name, dir) == 0)
            return isa_encs[i].name;
    return dir;
}

static void add_ids(struct text *t, const struct case_errata *list)
{
    for (u32 i = 0; list && i < list->count; i++)
        text_add(t, "%s%s", t->len ? " " : "", list->id[i]);
}

/* The entries that the test names, and the row or case itself. */
static void add_ledger(const struct run_unit *u, u32 index, struct result *r)
{
    const struct case_test *t = u->test;
    struct text ledger;
    text_init(&ledger, r->ledger, sizeof r->ledger);
    add_ids(&ledger, &t->errata);
    if (u->program && t->shape == CASE_ITEMS)
        add_ids(&ledger, &t->item[u->first + index].errata);
    else if (u->program)
        add_ids(&ledger, t->row[u->first + index].errata);
}

void run_describe(const struct run_unit *u, const struct run_cfg *cfg, struct result *r)
{
    isa_op op = isa_find(u->isa, u->file->stem, strlen(u->file->stem));
    for (u32 i = 0; i < u->shown; i++) {
        u32 index = u->show + i;
        result_init(&r[i]);
        run_id(u, index, r[i].id, sizeof r[i].id);
        result_clean(r[i].id, false); /* folders have any names */
        title_of(u, index, &r[i]);
        RESULT_SET(r[i].file, "%s", u->file->path);
        r[i].line = (u32)line_of(u, index);
        RESULT_SET(r[i].encoding, "%s",
                   op == OP_NONE ? folder_encoding(u->file->dir) : isa_encs[isa_rows[op].enc].name);
        RESULT_SET(r[i].mnemonic, "%s", u->file->stem);
        RESULT_SET(r[i].form, "%s", run_form(u));
        RESULT_SET(r[i].mcpu, "%s", cfg->mcpu);
        RESULT_SET(r[i].dut, "%s", cfg->dut);
        RESULT_SET(r[i].against, "expected");
        add_ledger(u, index, &r[i]);
    }
}

void run_set_cause(struct result *r, const char *what)
{
    RESULT_SET(r->cause, "%s %s: %s", r->mnemonic, r->form, what);
}

/* ---- inputs ---- */

static void add_input(const struct run_unit *u, const struct case_place *p,
                      const struct case_value *v, u32 lane, struct text *t)
{
    u64 base[CASE_BASES];
    u32 dw[CASE_VALUE_DW];
    char name[64];
    run_bases(u, base);
    casefile_eval(&v->alt[0], lane, base, dw);
    text_add(t, "%s%s=", t->len ? " " : "", casefile_place_name(u->test, p, name, sizeof name));
    if (v->alt[0].lane && p->space == CASE_REG && p->place >= PLACE_V0 &&
        u->test->shape == CASE_ITEMS && p->lane < 0) {
        text_add(t, "lane*%d", v->alt[0].lane);
        if (dw[0])
            text_add(t, "+0x%x", dw[0]);
        return;
    }
    bool bit = p->bits == 1 ||
               (u->test->shape == CASE_LANES && casefile_is_mask(p) && dw[0] < 2 && !dw[1]);
    if (bit) {
        text_add(t, "%u", dw[0]);
        return;
    }
    text_add(t, "0x%0*x", p->bits % 32 ? p->bits / 4 : 8, dw[p->dw - 1]);
    for (u32 i = p->dw - 1u; i-- > 0;)
        text_add(t, "%08x", dw[i]);
}

static void add_inputs(const struct run_unit *u, u32 index, struct result *r)
{
    const struct case_test *t = u->test;
    const struct case_item *item = run_item(u);
    struct text o;
    text_init(&o, r->inputs, sizeof r->inputs);
    for (u32 c = 0; c < t->in_cols; c++)
        add_input(u, &t->col[c], &run_row(u, index)->value[c], index, &o);
    for (u32 i = 0; item && i < item->in.count; i++)
        add_input(u, &item->in.a[i].place, &item->in.a[i].value, 0, &o);
    for (u32 i = 0; i < t->in.count; i++)
        add_input(u, &t->in.a[i].place, &t->in.a[i].value, index, &o);
    if (t->mode != MODE_DEFAULT)
        text_add(&o, "%smode=0x%08x", o.len ? " " : "", t->mode);
}

/* ---- the instruction ---- */

static void add_code(const struct run_unit *u, struct result *r)
{
    const struct run_program *p = u->program;
    char line[160];
    struct text o;
    u32 focus = p->focus < p->insns ? p->focus : 0;
    insn_print(p->isa, &p->insn[focus], line, sizeof line);
    RESULT_SET(r->insn, "%s", line);
    r->dword_count = insn_encode(&p->insn[focus], r->dwords);
    if (p->insns < 2)
        return;
    text_init(&o, r->program, sizeof r->program);
    for (u32 i = 0; i < p->insns; i++) {
        insn_print(p->isa, &p->insn[i], line, sizeof line);
        text_add(&o, "%s%s", i ? "\n" : "", line);
    }
}

void run_explain(const struct run_unit *u, const struct run_cfg *cfg, struct result *r)
{
    for (u32 i = 0; i < u->shown; i++) {
        char at[300];
        struct text o;
        snprintf(at, sizeof at, "%s:%u", r[i].file, r[i].line);
        text_init(&o, r[i].again, sizeof r[i].again);
        text_add(&o, "gcncheck run ");
        shell_word(&o, at);
        if (u->test->forms)
            text_add(&o, " --form %s", run_form(u));
        text_add(&o, " --mcpu %s --dut ", cfg->mcpu);
        shell_word(&o, cfg->dut);
        if (!u->program)
            continue;
        add_code(u, &r[i]);
        add_inputs(u, u->show + i, &r[i]);
    }
}
