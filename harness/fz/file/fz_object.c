/* Code objects, bundles and libraries: opened, listed, described; kernels found, and a message in
 * one line where that fails. */
#include "harness/bundle/bundle.h"
#include "harness/codeobj/check.h"
#include "harness/codeobj/codeobj.h"
#include "harness/dis/desc.h"
#include "harness/dis/meta.h"
#include "harness/dis/object.h"
#include "harness/fz/fz.h"

enum { KERNELS = 8, BASE = 0x10000000 };

static struct isa isa;
static FILE *sink;

void fz_open(void)
{
    sink = fz_sink();
    fz_open_isa(&isa, "gfx900");
}

static void check(enum status st, const struct err *e)
{
    if (st == ST_OK)
        return;
    struct err shown = *e;
    for (char *c = shown.text; *c; c++) /* as file_error() does where it is shown */
        if (*c < ' ' || *c > '~')
            *c = '?';
    fz_check_message(&shown);
}

/* What `gcncheck dis` prints of it. */
static void describe(const struct bundle_part *p)
{
    struct codeobj_target t;
    struct dis_counts n = { 0 };
    struct err e = { .text = "" };
    u64 kernels = 0;
    enum status st = codeobj_target_of(p->bytes, p->size, &t, &e);
    check(st, &e);
    if (st != ST_OK)
        return;
    check(
        dis_object(sink, "x", p->bytes, p->size, &isa, &(struct dis_cfg){ .symbol = NULL }, &n, &e),
        &e);
    check(
        dis_object(sink, "x", p->bytes, p->size, &isa, &(struct dis_cfg){ .check = true }, &n, &e),
        &e);
    check(dis_metadata(sink, p->bytes, p->size, &t, &e), &e);
    check(dis_descriptors(sink, p->bytes, p->size, &t, NULL, &kernels, &e), &e);
}

/* What `gcncheck launch` reads of it. */
static void load(const struct bundle_part *p)
{
    struct codeobj co;
    struct codeobj_kernel k;
    struct err e = { .text = "" };
    enum status st = codeobj_open_memory(&co, "x", p->bytes, p->size, BASE, &e);
    check(st, &e);
    if (st != ST_OK)
        return;
    for (u32 i = 0; i < co.kernel_count && i < KERNELS; i++) {
        struct codeobj_symbol s;
        check(codeobj_kernel(&co, co.kernels[i].name, &k, &e), &e);
        codeobj_symbol(&co, co.kernels[i].name, &s);
        codeobj_function_at(&co, BASE + 0x1900 + i, &s);
    }
    codeobj_close(&co);
}

bool fz_one(const u8 *data, size_t size)
{
    struct bundle b;
    struct err e = { .text = "" };
    enum status st = bundle_open_memory(&b, "x", data, size, &e);
    check(st, &e);
    if (st != ST_OK)
        return false;
    for (u32 i = 0; i < b.part_count && i < KERNELS; i++) {
        bundle_target(&b.parts[i]);
        describe(&b.parts[i]);
        load(&b.parts[i]);
    }
    bundle_close(&b);
    return true;
}
