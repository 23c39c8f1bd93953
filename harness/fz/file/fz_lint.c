/* Code objects to `gcncheck lint`: every function followed on all paths, source lines looked up. */
#include "harness/codeobj/check.h"
#include "harness/fz/fz.h"
#include "harness/io/file.h"
#include "harness/lint/lint.h"

enum { BASE = 1 << 30 };

static struct isa isa;
static FILE *sink;

void fz_open(void)
{
    sink = fz_sink();
    fz_open_isa(&isa, "gfx906");
}

bool fz_one(const u8 *data, size_t size)
{
    struct codeobj co;
    struct codeobj_target t;
    struct lint_cfg cfg = { .out = sink, .title = "x" };
    struct lint_counts n = { 0 };
    struct err e = { .text = "" };
    enum status st = codeobj_target_of(data, size, &t, &e);
    if (st == ST_OK)
        st = codeobj_open_code(&co, "x", data, size, BASE, &e);
    if (st == ST_OK) {
        st = lint_object(&co, &isa, &cfg, &n, &e);
        codeobj_close(&co);
    }
    if (st != ST_OK) {
        file_error(&e, "x", 0); /* as the command does where it is shown */
        fz_check_message(&e);
    }
    return st == ST_OK && n.functions;
}
