/* The tables of the ISA themselves: laws over the rows, and broken copies that the laws must
 * reject. */
#include "harness/cmd/cmd.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/isa.h"
#include "oracle/isa/op.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a number of a row is looked up: all of VOP3 in one space. */
static u32 number_space(u32 layout)
{
    return layout == LAY_VOP3B || layout == LAY_VOP3C ? LAY_VOP3A : layout;
}

/* The (space, number) pairs of a row on a generation: its own and that of its e64 form. */
static u32 row_numbers(const struct isa_row *row, u32 gen, u32 pair[2][2])
{
    const struct isa_enc_info *enc = &isa_encs[row->enc];
    u32 own = number_space(enc->layout), e64 = number_space(enc->e64_layout);
    if (row->number[gen] < 0)
        return 0;
    pair[0][0] = own;
    pair[0][1] = (u32)row->number[gen];
    if (own == LAY_VOP3A || e64 == LAY_NONE || !(isa_forms((enum gen)gen, row) & F_E64))
        return 1;
    pair[1][0] = e64;
    pair[1][1] = (u32)row->number[gen] + enc->e64_offset[gen];
    return 2;
}

/* Whether some processor has both rows. */
static bool meet(const struct isa_row *a, const struct isa_row *b, u32 gen)
{
    for (u32 i = 0; isa_target_at(i); i++) {
        const struct isa_target *t = isa_target_at(i);
        if (t->gen == gen && !((a->needs | b->needs) & ~t->features))
            return true;
    }
    return false;
}

static bool pairs_collide(const struct isa_row *a, const struct isa_row *b, u32 gen)
{
    u32 pa[2][2], pb[2][2], na = row_numbers(a, gen, pa), nb = row_numbers(b, gen, pb);
    for (u32 i = 0; i < na; i++)
        for (u32 k = 0; k < nb; k++)
            if (pa[i][0] == pb[k][0] && pa[i][1] == pb[k][1])
                return true;
    return false;
}

static bool is_placed(const struct isa_row *row, enum gen gen, const struct isa_operand *o)
{
    bool placed = o->field == FLD_lit || o->kind == K_MASK;
    for (u32 form = 0; form < FORM_COUNT; form++)
        placed |= isa_forms(gen, row) >> form & 1 &&
                  isa_field_pos(gen, row, (enum isa_form)form, (enum isa_field)o->field).width;
    return placed;
}

static enum status check_operands(const struct isa_row *row, struct err *e)
{
    u32 slots = 0;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        for (u32 gen = 0; gen < GEN_COUNT; gen++)
            if (row->number[gen] >= 0 && !is_placed(row, (enum gen)gen, o))
                return err_set(e, ST_INPUT, "%s: no form has a field %s", row->name,
                               isa_field_names[o->field]);
        if (slots >> o->slot & 1)
            return err_set(e, ST_INPUT, "%s: two operands share a variable", row->name);
        if (o->dir < DIR_W || o->dir > DIR_RW || o->type >= T_COUNT)
            return err_set(e, ST_INPUT, "%s: an operand is neither read nor written", row->name);
        slots |= 1u << o->slot;
    }
    return ST_OK;
}

static enum status check_row(const struct isa_row *row, struct err *e)
{
    bool somewhere = false;
    if (row->forms == 0)
        return err_set(e, ST_INPUT, "%s has no forms", row->name);
    for (u32 gen = 0; gen < GEN_COUNT; gen++) {
        u32 pair[2][2], n = row_numbers(row, gen, pair);
        for (u32 i = 0; i < n; i++) {
            struct isa_pos pos = isa_layout_pos((enum gen)gen, (enum isa_layout)pair[i][0], FLD_op);
            if (pair[i][1] > mask32(pos.width))
                return err_set(e, ST_INPUT, "%s: number %u does not fit into %s", row->name,
                               pair[i][1], isa_layouts[gen][pair[i][0]].name);
        }
        for (u32 i = 0; isa_target_at(i); i++)
            somewhere |=
                n && isa_target_at(i)->gen == gen && !(row->needs & ~isa_target_at(i)->features);
    }
    if (!somewhere)
        return err_set(e, ST_INPUT, "%s exists on no processor", row->name);
    return check_operands(row, e);
}

/* Every law; the first that is broken is in e. */
static enum status check_rows(const struct isa_row *rows, u32 count, struct err *e)
{
    for (u32 a = 1; a < count; a++) {
        enum status st = check_row(&rows[a], e);
        if (st != ST_OK)
            return st;
        for (u32 b = 1; b < a; b++) {
            if (strcmp(rows[a].name, rows[b].name) == 0)
                return err_set(e, ST_INPUT, "two rows are called %s", rows[a].name);
            for (u32 gen = 0; gen < GEN_COUNT; gen++)
                if (meet(&rows[a], &rows[b], gen) && pairs_collide(&rows[a], &rows[b], gen))
                    return err_set(e, ST_INPUT, "%s and %s share a number on one processor",
                                   rows[b].name, rows[a].name);
        }
    }
    return ST_OK;
}

/* ---- broken copies ---- */

static struct isa_row rows[OP_COUNT];

static struct isa_row *fresh(isa_op op)
{
    memcpy(rows, isa_rows, sizeof(rows));
    return &rows[op];
}

static void is_rejected(const char *reason)
{
    struct err e = { .text = "" };
    enum status st = check_rows(rows, isa_op_count, &e);
    is_str(reason, st == ST_OK ? "(accepted)" : e.text, "a broken table is rejected");
}

static void test_broken(void)
{
    fresh(OP_s_sub_u32)->number[GEN_GFX9] = isa_rows[OP_s_add_u32].number[GEN_GFX9];
    is_rejected("s_add_u32 and s_sub_u32 share a number on one processor");
    /* of the e64 form of a VOP2 row and a VOP3 row */
    fresh(OP_v_bfe_u32)->number[GEN_GFX9] = (i16)(isa_rows[OP_v_add_u32].number[GEN_GFX9] + 0x100);
    is_rejected("v_add_u32 and v_bfe_u32 share a number on one processor");
    /* processor sets that overlap */
    fresh(OP_v_mad_mix_f32)->number[GEN_GFX9] = isa_rows[OP_v_pk_fma_f16].number[GEN_GFX9];
    is_rejected("v_pk_fma_f16 and v_mad_mix_f32 share a number on one processor");
    fresh(OP_s_add_u32)->forms = 0;
    is_rejected("s_add_u32 has no forms");
    fresh(OP_s_add_u32)->number[GEN_GFX9] = 0x80;
    is_rejected("s_add_u32: number 128 does not fit into SOP2");
    fresh(OP_v_mad_mix_f32)->needs = 0xff;
    is_rejected("v_mad_mix_f32 exists on no processor");
    fresh(OP_s_add_u32)->operand[1].field = FLD_vdst;
    is_rejected("s_add_u32: no form has a field vdst");
    fresh(OP_s_add_u32)->operand[2].slot = SLOT_S0;
    is_rejected("s_add_u32: two operands share a variable");
    fresh(OP_s_add_u32)->operand[0].dir = 0;
    is_rejected("s_add_u32: an operand is neither read nor written");
    fresh(OP_s_sub_u32)->name = "s_add_u32";
    is_rejected("two rows are called s_add_u32");
}

/* On every processor each name finds its own row, and a row has its layout. */
static void test_names(void)
{
    u32 wrong = 0, checked = 0;
    for (u32 i = 0; isa_target_at(i); i++) {
        static struct isa isa;
        struct err e = { .text = "" };
        if (isa_open(&isa, isa_target_at(i)->mcpu, &e) != ST_OK)
            bail("%s", e.text);
        enum gen gen = (enum gen)isa.target->gen;
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
            if (!isa_has(&isa, op))
                continue;
            const char *name = isa_name(gen, op);
            bool good = isa_find(&isa, name, strlen(name)) == op &&
                        isa_layouts[gen][isa_encs[isa_rows[op].enc].layout].name;
            checked++;
            if (!good && wrong++ < 5)
                diag("%s on %s", name, isa.target->mcpu);
        }
    }
    is_u64(0, wrong, "%u names find their rows, which have a layout", checked);
}

/* What help says of a processor is so. */
static void test_help(void)
{
    const char *text = cmd_find("list")->text, *described = strstr(text, "Described");
    for (u32 i = 0; isa_target_at(i); i++) {
        const char *found = strstr(text, isa_target_at(i)->mcpu);
        ok(found && (found < described) == isa_target_modelled(isa_target_at(i)),
           "help names %s where it belongs", isa_target_at(i)->mcpu);
    }
}

/* A shape that no row uses, or that is not made from another, is a leftover. */
static void test_shapes(void)
{
    FILE *f = popen("grep -ho '^#define [A-Z0-9_]*(E, W, R, RW)' oracle/isa/shape.def |"
                    " sed 's/#define //; s/(.*//' | while read s; do"
                    " grep -qE \"\\b$s\\b[,(]\" oracle/isa/*.def && "
                    "[ $(cat oracle/isa/*.def | grep -cE \"\\b$s\\b\") -gt 1 ] || echo $s; done",
                    "r");
    char line[128];
    u32 unused = 0;
    if (!f)
        bail("no shell");
    while (fgets(line, sizeof(line), f)) {
        unused++;
        diag("no row has the shape %s", line);
    }
    pclose(f);
    is_u64(0, unused, "every shape is used");
}

int main(void)
{
    struct err e = { .text = "" };
    memcpy(rows, isa_rows, sizeof(rows));
    enum status st = check_rows(rows, isa_op_count, &e);
    is_str("", st == ST_OK ? "" : e.text, "%d rows keep the laws", isa_op_count - 1);
    test_broken();
    test_names();
    test_help();
    test_shapes();
    return done();
}
