/* A test's code in the spelling of a form, assembled; and code that must be refused. */
#include "harness/case/internal.h"
#include "oracle/isa/op.h"

#include <stdio.h>

static const char *const suffixes[FORM_COUNT] = { "_e32", NULL, "_e64", "_sdwa", "_dpp" };

/* The first word of a line of code: a mnemonic, a label or a directive. */
static struct word first_word(const struct case_line *l)
{
    struct word w = { l->text, strcspn(l->text, " \t") };
    return w;
}

/* The form suffix at the end of a mnemonic; FORM_COUNT if there is none. */
static u32 cut_form(struct word *w)
{
    for (u32 i = 0; i < FORM_COUNT; i++) {
        size_t n = suffixes[i] ? strlen(suffixes[i]) : 0;
        if (n && w->len > n && memcmp(w->s + w->len - n, suffixes[i], n) == 0) {
            w->len -= n;
            return i;
        }
    }
    return FORM_COUNT;
}

static enum status at_line(const struct casefile *f, int line, struct err *e)
{
    snprintf(e->file, sizeof e->file, "%s", f->path);
    e->line = line;
    return ST_INPUT;
}

/* Modifiers that select what the plain form takes anyway. */
static void add_neutral(struct text *o, enum gen gen, const struct isa_row *row, u32 form)
{
    if (form == FORM_DPP)
        text_add(o, " quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf");
    if (form != FORM_SDWA)
        return;
    if (isa_field_pos(gen, row, FORM_SDWA, FLD_dst_sel).width)
        text_add(o, " dst_sel:DWORD dst_unused:UNUSED_PAD");
    for (const struct isa_operand *p = row->operand; p->kind != K_NONE; p++) {
        if (p->field == FLD_src0)
            text_add(o, " src0_sel:DWORD");
        if (p->field == FLD_src1)
            text_add(o, " src1_sel:DWORD");
    }
}

/* Offsets of scalar memory are bytes in cases; where they count dwords they are written so. */
static enum status put_line(const struct isa *isa, const struct case_line *l, struct text *o,
                            struct err *e)
{
    struct word w = first_word(l);
    isa_op op = isa_find(isa, w.s, w.len);
    const char *comma = strrchr(l->text, ',');
    u64 bytes;
    if (comma && op != OP_NONE && isa_target_has(isa->target, FEATUREBIT_DWORD_OFFSETS) &&
        isa_operand_of_kind(&isa_rows[op], K_SMOFF)) {
        const char *offset = comma + 1 + strspn(comma + 1, " \t");
        if (word_u64(offset, strcspn(offset, " \t"), &bytes)) {
            if (bytes % 4)
                return err_set(e, ST_INPUT, "an offset of no whole dwords");
            text_add(o, "%.*s %llu%s", (int)(comma + 1 - l->text), l->text,
                     (unsigned long long)bytes / 4, offset + strcspn(offset, " \t"));
            return ST_OK;
        }
    }
    text_add(o, "%s", l->text);
    return ST_OK;
}

/* All lines as one text, the first of the file's opcode respelled. */
static enum status spell(const struct isa *isa, const struct casefile *f, const struct case_test *t,
                         u32 form, struct text *o, struct err *e)
{
    isa_op op = isa_find(isa, f->stem, strlen(f->stem));
    bool done = form == FORM_COUNT;
    for (u32 i = 0; i < t->code_count; i++) {
        const struct case_line *l = &t->code[i];
        struct word w = first_word(l);
        u32 spelled = cut_form(&w);
        if (!done && word_is(&w, f->stem) && op != OP_NONE) {
            const struct isa_row *row = &isa_rows[op];
            done = true;
            at_line(f, l->line, e);
            if (spelled != FORM_COUNT)
                return word_err(e, "forms respells a mnemonic without suffix, not", w.s,
                                w.len + strlen(suffixes[spelled]));
            if (!(isa_forms((enum gen)isa->target->gen, row) >> form & 1))
                return err_set(e, ST_INPUT, "%s has no form %s", row->name, isa_form_names[form]);
            /* What has one form only, or its short one without a long one, is spelled without a
             * suffix. */
            bool alone = form == FORM_BASE && !(isa_forms((enum gen)isa->target->gen, row) & F_E64);
            const char *suffix = alone ? "" : suffixes[form];
            text_add(o, "%s%s%s", f->stem, suffix, w.s + w.len);
            add_neutral(o, (enum gen)isa->target->gen, row, form);
        } else {
            at_line(f, l->line, e);
            if (put_line(isa, l, o, e) != ST_OK)
                return ST_INPUT;
        }
        text_add(o, "\n");
    }
    at_line(f, t->line, e);
    if (!done)
        return err_set(e, ST_INPUT, "forms, but the code has no %.64s", f->stem);
    return o->full ? err_set(e, ST_INPUT, "the code is too long") : ST_OK;
}

/* What `.fill` puts between a branch and its target: s_endpgm, listed once. */
static bool repeats_end(const struct case_program *p, u32 at)
{
    return p->insns && at && p->code[at] == p->code[at - 1] &&
           p->insn[p->insns - 1].op == OP_s_endpgm;
}

enum status casefile_program(const struct isa *isa, const struct casefile *f,
                             const struct case_test *t, u32 form, struct case_program *out,
                             struct err *e)
{
    char buf[CASE_INSNS_MAX * 24];
    struct text o;
    u32 n = 0;
    text_init(&o, buf, sizeof buf);
    enum status st = spell(isa, f, t, form, &o, e);
    if (st != ST_OK)
        return st;
    e->line = 0;
    st = insn_parse_program(isa, buf, out->code, CASE_PROGRAM_DW - 1, &n, e);
    if (st != ST_OK) {
        bool known = e->line > 0 && (u32)e->line <= t->code_count;
        at_line(f, known ? t->code[e->line - 1].line : t->line, e);
        return st;
    }
    isa_op op = isa_find(isa, f->stem, strlen(f->stem));
    out->insns = 0;
    out->form = NULL;
    for (u32 at = 0; at < n;) {
        at_line(f, t->line, e);
        if (repeats_end(out, at)) {
            at++;
            continue;
        }
        if (out->insns == CASE_INSNS_MAX)
            return err_set(e, ST_INPUT, "more than %u instructions", CASE_INSNS_MAX);
        struct insn *in = &out->insn[out->insns];
        if (!insn_decode(isa, out->code + at, n - at, in, e))
            return ST_INPUT;
        if (!out->form && in->op == op) {
            out->focus = out->insns;
            out->form = form == FORM_COUNT
                            ? isa_form_name((enum gen)in->gen, insn_row(in), in->form)
                        : form == FORM_BASE ? "e32"
                                            : isa_form_names[form];
        }
        out->offset[out->insns++] = at;
        at += in->dw;
    }
    if (!out->form) {
        out->focus = out->insns;
        out->form = "base";
    }
    struct insn end;
    insn_start(isa, OP_s_endpgm, FORM_BASE, &end);
    out->dw = n + insn_encode(&end, out->code + n);
    return ST_OK;
}

/* ---- refused code ---- */

/* `.long N, N ...` */
static bool raw_dwords(const char *text, u32 dw[INSN_DW_MAX], u32 *n)
{
    *n = 0;
    for (const char *p = text + 5; *p;) {
        u64 v;
        p += strspn(p, " \t,");
        size_t len = strcspn(p, " \t,");
        if (!len)
            break;
        if (*n == INSN_DW_MAX || !word_u64(p, len, &v) || v > ~0u)
            return false;
        dw[(*n)++] = (u32)v;
        p += len;
    }
    return *n > 0;
}

/* Whether decoder, assembler and rules accept a line; if not, *why says why not. */
static bool is_accepted(const struct isa *isa, const char *text, struct err *why)
{
    struct insn in;
    u32 dw[INSN_DW_MAX], n;
    if (strncmp(text, ".long", 5) != 0)
        return insn_parse(isa, text, &in, why) == ST_OK && insn_legal(isa, &in, why) == ST_OK;
    if (!raw_dwords(text, dw, &n)) {
        err_set(why, ST_INPUT, "not one to three dwords behind .long");
        return false;
    }
    return insn_decode(isa, dw, n, &in, why) && insn_legal(isa, &in, why) == ST_OK;
}

enum status casefile_rejects(const struct isa *isa, const struct casefile *f,
                             const struct case_test *t, struct err *e)
{
    for (u32 i = 0; i < t->code_count; i++) {
        struct err why = { 0 };
        bool accepted = is_accepted(isa, t->code[i].text, &why);
        if (!accepted && strcasestr(why.text, t->reject))
            continue;
        at_line(f, t->code[i].line, e);
        if (accepted)
            return err_set(e, ST_INPUT, "accepted: %.100s", t->code[i].text);
        return err_set(e, ST_INPUT, "refused for another reason (%.150s)", why.text);
    }
    return ST_OK;
}

/* A processor or a generation. A setting, where there is one, has to be that of the run. */
static bool is_target(const struct isa *isa, const char *name)
{
    if (strcmp(name, isa_gen_name((enum gen)isa->target->gen)) == 0)
        return true;
    const char *setting = name + strcspn(name, ":");
    enum sram_ecc ecc = strcmp(setting, ":sramecc+") == 0 ? ECC_ON : ECC_OFF;
    return isa_name_is(name, isa->target->mcpu) && (!*setting || isa->ecc == ecc);
}

bool casefile_may_be_refused(const struct isa *isa, const struct case_test *t)
{
    for (u32 i = 0; i < t->code_count; i++) {
        struct word w = first_word(&t->code[i]);
        cut_form(&w);
        isa_op op = isa_find(isa, w.s, w.len);
        if (op != OP_NONE && isa_rows[op].number[CASE_GEN] < 0)
            return false;
    }
    return t->targets == 0 && isa->target->gen != CASE_GEN;
}

bool casefile_is_for(const struct isa *isa, const struct case_test *t)
{
    bool named = t->targets == 0 && !(t->shape == CASE_REJECT && isa->target->gen != CASE_GEN);
    if (t->mode >> MODE_FP16_OVFL & 1 && !isa_target_has(isa->target, FEATUREBIT_FP16_OVFL))
        return false;
    if (t->lds_size > isa_lds_max(isa->target))
        return false;
    for (u32 i = 0; i < t->targets; i++)
        named = named || is_target(isa, t->target[i]);
    for (u32 i = 0; named && i < t->code_count; i++) {
        struct word w = first_word(&t->code[i]);
        cut_form(&w);
        if (isa_find(isa, w.s, w.len) != OP_NONE)
            continue;
        /* A mnemonic that no processor has is a mistake, which the assembler will name. */
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
            if (word_is(&w, isa_rows[op].name))
                return false;
    }
    return named;
}

/* ---- trap registers ---- */

/* How far registers stand from where they are on gfx9. */
struct moves {
    u32 ttmp, flat_scratch;
};

/* TBA is a scalar register where the temporaries stand behind it. */
static void move_place(struct case_place *p, const struct moves *m)
{
    if (p->space != CASE_REG)
        return;
    if (p->place / 2 == CODE_FLAT_SCRATCH / 2)
        p->place = (u16)(p->place + m->flat_scratch);
    if (p->place >= CODE_TTMP && p->place <= CODE_TTMP_LAST)
        p->place = (u16)(p->place + m->ttmp);
    else if (p->place == PLACE_TBA_LO || p->place == PLACE_TBA_HI)
        p->place = (u16)(CODE_TRAP + (p->place - PLACE_TBA_LO));
}

static void move_places(struct case_assigns *list, const struct moves *m)
{
    for (u32 i = 0; i < list->count; i++)
        move_place(&list->a[i].place, m);
}

void casefile_place_traps(struct casefile *f, const struct isa *isa)
{
    enum gen gen = (enum gen)isa->target->gen;
    const struct moves m = { insn_first_ttmp(gen) - CODE_TTMP,
                             insn_flat_scratch(gen) - CODE_FLAT_SCRATCH };
    for (u32 i = 0; isa->target->gen != CASE_GEN && i < f->tests; i++) {
        struct case_test *t = &f->test[i];
        t->gen = isa->target->gen;
        move_places(&t->in, &m);
        move_places(&t->out, &m);
        for (u32 k = 0; k < t->items; k++) {
            move_places(&t->item[k].in, &m);
            move_places(&t->item[k].out, &m);
        }
        for (u32 c = 0; c < t->cols; c++)
            move_place(&t->col[c], &m);
    }
}
