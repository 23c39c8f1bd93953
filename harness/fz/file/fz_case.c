/* Case files: parsed, and every test of one spelled and assembled in every form, or refused as it
 * demands. What is wrong is one line that names file and line. The first byte chooses the
 * processor. */
#include "harness/case/casefile.h"
#include "harness/fz/fz.h"
#include "harness/io/file.h"

static const char *const names[] = { "gfx900", "gfx906", "gfx908" };
static struct isa isas[COUNT_OF(names)];

void fz_open(void)
{
    for (u32 i = 0; i < COUNT_OF(names); i++)
        fz_open_isa(&isas[i], names[i]);
}

static void check(enum status st, struct err *e)
{
    if (st == ST_OK)
        return;
    file_error(e, e->file, e->line); /* as the command does where it is shown */
    fz_check_message(e);
}

static void check_test(const struct isa *isa, const struct casefile *f, const struct case_test *t)
{
    static struct case_program program;
    struct err e = { .text = "" };
    if (t->shape == CASE_REJECT) {
        check(casefile_rejects(isa, f, t, &e), &e);
        return;
    }
    for (u32 form = 0; form <= FORM_COUNT; form++) {
        enum status st = casefile_program(isa, f, t, form, &program, &e);
        check(st, &e);
        if (st == ST_OK && (program.dw == 0 || program.dw > COUNT_OF(program.code)))
            fz_broken("a program has a length", t->title);
    }
}

bool fz_one(const u8 *data, size_t size)
{
    struct casefile *f;
    struct err e = { .text = "" };
    if (size < 1)
        return false;
    enum status st =
        casefile_parse("cases/vop2/v_add_u32.case", (const char *)data + 1, size - 1, &f, &e);
    check(st, &e);
    if (st != ST_OK)
        return false;
    for (u32 i = 0; i < f->tests; i++)
        check_test(&isas[data[0] % COUNT_OF(isas)], f, &f->test[i]);
    casefile_free(f);
    return true;
}
