/* The tables of the ISA themselves: laws over the rows, and broken copies that the laws must
 * reject. */
#include "harness/cmd/table.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/isa.h"
#include "oracle/isa/op.h"
#include "oracle/isa/tables.h"

#include <stdio.h>
#include <stdlib.h>

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
    enum status st = isa_check_rows(rows, NULL, isa_op_count, &e);
    /* Which numbers are free changes with every row; harness/t/tree/tables.sh has a list. */
    char *list = strstr(e.text, "; free: ");
    if (list)
        *list = '\0';
    is_str(reason, st == ST_OK ? "(accepted)" : e.text, "a broken table is rejected");
}

static void test_broken(void)
{
    fresh(OP_s_sub_u32)->number[GEN_GFX9] = isa_rows[OP_s_add_u32].number[GEN_GFX9];
    is_rejected("s_add_u32 and s_sub_u32 have number 0 in SOP2 on gfx900");
    /* of the e64 form of a VOP2 row and a VOP3 row */
    fresh(OP_v_bfe_u32)->number[GEN_GFX9] = (i16)(isa_rows[OP_v_add_u32].number[GEN_GFX9] + 0x100);
    is_rejected("v_add_u32 and v_bfe_u32 have number 308 in VOP3A on gfx900");
    /* processor sets that overlap */
    fresh(OP_v_mad_mix_f32)->number[GEN_GFX9] = isa_rows[OP_v_pk_fma_f16].number[GEN_GFX9];
    is_rejected("v_pk_fma_f16 and v_mad_mix_f32 have number 14 in VOP3P on gfx900");
    fresh(OP_s_add_u32)->forms = 0;
    is_rejected("s_add_u32 has no forms");
    fresh(OP_s_add_u32)->number[GEN_GFX9] = 0x80;
    is_rejected("s_add_u32: number 128 does not fit into SOP2");
    fresh(OP_v_mad_mix_f32)->needs = ~0u;
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
    const char *processors = strstr(cmd_find("list")->text[0], "Processors:");
    for (u32 i = 0; isa_target_at(i); i++)
        ok(processors && strstr(processors, isa_target_at(i)->mcpu) &&
               isa_target_modelled(isa_target_at(i)),
           "help names %s, and it is modelled", isa_target_at(i)->mcpu);
}

/* A shape that no row uses, or that is not made from another, is a leftover. */
static void test_shapes(void)
{
    FILE *f = popen("grep -ho '^#define [A-Z0-9_]*(E, W, R, RW)' oracle/isa/shape.def |"
                    " sed 's/#define //; s/(.*//' | while read s; do"
                    " grep -qE \"\\b$s\\b[,(]\" oracle/isa/*.def oracle/isa/rows/*.def && "
                    "[ $(cat oracle/isa/*.def oracle/isa/rows/*.def | grep -cE \"\\b$s\\b\") -gt 1 "
                    "] || echo $s; done",
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
    enum status st = isa_check_rows(rows, NULL, isa_op_count, &e);
    is_str("", st == ST_OK ? "" : e.text, "%d rows keep the laws", isa_op_count - 1);
    test_broken();
    test_names();
    test_help();
    test_shapes();
    return done();
}
