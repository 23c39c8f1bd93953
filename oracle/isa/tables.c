#include "oracle/isa/tables.h"

#include <stdio.h>

/* Where a row stands, in front of its name. */
struct names {
    const struct isa_row *rows;
    const struct isa_place *places;
};

static void put_name(struct text *t, const struct names *n, u32 op)
{
    if (n->places && n->places[op].file)
        text_add(t, "%s:%u: ", n->places[op].file, n->places[op].line);
    text_add(t, "%s", n->rows[op].name);
}

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

static bool exists(const struct isa_row *row, const struct isa_target *t)
{
    return row->number[t->gen] >= 0 && !(row->needs & ~t->features);
}

/* A processor of the generation that has both rows; NULL: none. */
static const struct isa_target *common(const struct isa_row *a, const struct isa_row *b, u32 gen)
{
    for (u32 i = 0; isa_target_at(i); i++) {
        const struct isa_target *t = isa_target_at(i);
        if (t->gen == gen && exists(a, t) && exists(b, t))
            return t;
    }
    return NULL;
}

/* The first (space, number) that two rows share on a generation; false: none. */
static bool collide(const struct isa_row *a, const struct isa_row *b, u32 gen, u32 shared[2])
{
    u32 pa[2][2], pb[2][2], na = row_numbers(a, gen, pa), nb = row_numbers(b, gen, pb);
    for (u32 i = 0; i < na; i++)
        for (u32 k = 0; k < nb; k++)
            if (pa[i][0] == pb[k][0] && pa[i][1] == pb[k][1]) {
                memcpy(shared, pa[i], sizeof pa[i]);
                return true;
            }
    return false;
}

/* Whether a word of the layout with this number is one of a narrower layout: a VOP2 word with
 * number 63 is VOP1. */
static bool is_prefix(u32 gen, u32 lay, u32 number)
{
    const struct isa_layout_info *own = &isa_layouts[gen][lay];
    u32 lsb = isa_layout_pos((enum gen)gen, (enum isa_layout)lay, FLD_op).lsb;
    u32 word = own->match | number << lsb;
    for (u32 other = LAY_NONE + 1; other < LAY_COUNT; other++) {
        const struct isa_layout_info *info = &isa_layouts[gen][other];
        if (info->name && info->mask != own->mask && (info->mask & own->mask) == own->mask &&
            (word & info->mask) == info->match)
            return true;
    }
    return false;
}

static bool is_taken(const struct isa_row *rows, u32 count, const struct isa_target *t, u32 space,
                     u32 number)
{
    for (u32 op = 1; op < count; op++) {
        u32 pair[2][2], n = exists(&rows[op], t) ? row_numbers(&rows[op], t->gen, pair) : 0;
        for (u32 i = 0; i < n; i++)
            if (pair[i][0] == space && pair[i][1] == number)
                return true;
    }
    return false;
}

/* The numbers that no row has, " 60 62-63" or " none", as far as there is room. */
static void put_free(struct text *text, const struct isa_row *rows, u32 count,
                     const struct isa_target *t, u32 space)
{
    struct isa_pos pos = isa_layout_pos((enum gen)t->gen, (enum isa_layout)space, FLD_op);
    u32 end = 1u << pos.width, first = end, found = 0;
    for (u32 number = 0; number <= end; number++) {
        bool is_free = number < end && !is_prefix(t->gen, space, number) &&
                       !is_taken(rows, count, t, space, number);
        if (is_free && first == end)
            first = number;
        if (is_free || first == end)
            continue;
        found++;
        text_add(text, first + 1 == number ? " %u" : " %u-%u", first, number - 1);
        first = end;
    }
    if (!found)
        text_add(text, " none");
}

static enum status say_collision(const struct names *n, u32 count, const u32 op[2],
                                 const struct isa_target *t, const u32 shared[2], struct err *e)
{
    char buf[sizeof e->text];
    struct text text;
    text_init(&text, buf, sizeof buf);
    put_name(&text, n, op[0]);
    text_add(&text, " and ");
    put_name(&text, n, op[1]);
    text_add(&text, " have number %u in %s on %s; free:", shared[1],
             isa_layouts[t->gen][shared[0]].name, t->mcpu);
    put_free(&text, n->rows, count, t, shared[0]);
    return err_set(e, ST_INPUT, "%s", buf);
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

static enum status check_pair(const struct names *n, u32 count, u32 a, u32 b, struct err *e)
{
    u32 shared[2];
    for (u32 gen = 0; gen < GEN_COUNT; gen++) {
        const struct isa_target *t = common(&n->rows[a], &n->rows[b], gen);
        if (t && collide(&n->rows[a], &n->rows[b], gen, shared))
            return say_collision(n, count, (u32[2]){ a, b }, t, shared, e);
    }
    return ST_OK;
}

enum status isa_check_rows(const struct isa_row *rows, const struct isa_place *places, u32 count,
                           struct err *e)
{
    struct names n = { rows, places };
    enum status st = ST_OK;
    for (u32 a = 1; a < count && st == ST_OK; a++) {
        st = check_row(&rows[a], e);
        if (st != ST_OK && places && places[a].file) {
            snprintf(e->file, sizeof e->file, "%s", places[a].file);
            e->line = (int)places[a].line;
        }
        for (u32 b = 1; b < a && st == ST_OK; b++) {
            if (strcmp(rows[a].name, rows[b].name) == 0)
                return err_set(e, ST_INPUT, "two rows are called %s", rows[a].name);
            st = check_pair(&n, count, b, a, e);
        }
    }
    return st;
}
