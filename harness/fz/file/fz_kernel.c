/* Code objects to `gcncheck launch`: the only kernel runs, one work-group, with arguments made from
 * what its metadata says: it ends, or stops for a reason in one line. Then it is looked for where a
 * program of LLVM's libc would be told of its host. */
#include "harness/codeobj/codeobj.h"
#include "harness/fz/fz.h"
#include "harness/io/file.h"
#include "harness/launch/file/kernarg.h"
#include "harness/launch/host/rpc_internal.h"
#include "harness/launch/launch.h"

#include <stdlib.h>

enum { STEPS = 2000, TEXT_SIZE = 1 << 16 };

static FILE *sink;

void fz_open(void)
{
    sink = fz_sink();
}

/* A line of launch.txt for each argument that is not hidden. */
static void put_arguments(struct text *t, const struct kernel_meta *m)
{
    for (u32 i = 0; i < m->arg_count; i++) {
        const struct kernel_arg *a = &m->args[i];
        if (a->kind == ARG_GLOBAL_BUFFER)
            text_add(t, "tmp 256\n");
        else if (a->kind == ARG_DYNAMIC_SHARED_POINTER)
            text_add(t, "local 256\n");
        else if (!codeobj_arg_is_hidden(a->kind))
            text_add(t, "i%u 3\n", a->size * 8);
    }
}

static enum status run(struct codeobj *co, struct err *e)
{
    static char launch_txt[TEXT_SIZE];
    struct launch_cfg cfg = { .engine = "ref",
                              .max_steps = STEPS,
                              .jobs = 1,
                              .schedule = "order",
                              .seed = 1,
                              .out = sink,
                              .check_hazards = true };
    struct codeobj_kernel k;
    struct launch_result r;
    struct launch l;
    struct text t;
    enum status st = codeobj_kernel(co, NULL, &k, e);
    if (st != ST_OK)
        return st;
    text_init(&t, launch_txt, sizeof launch_txt);
    const u32 *w = k.meta->reqd_workgroup[0] ? k.meta->reqd_workgroup : (const u32[3]){ 1, 1, 1 };
    text_add(&t, "kernel k\ngrid %u %u %u\nworkgroup %u %u %u\n", w[0], w[1], w[2], w[0], w[1],
             w[2]);
    put_arguments(&t, k.meta);
    st = launch_open_memory(&l, "launch.txt", launch_txt, strlen(launch_txt), e);
    if (st != ST_OK)
        return st;
    st = launch_run(co, &k, &l, &cfg, NULL, NULL, &r, e);
    if (st == ST_OK && !r.has_ended)
        st = err_set(e, ST_WORLD, "%s", r.why);
    launch_close(&l);
    return st;
}

static void connect(struct codeobj *co)
{
    struct rpc r = { .out = sink };
    struct err e = { .text = "" };
    if (rpc_connect(&r, co, &e) != ST_OK)
        fz_check_message(&e);
}

bool fz_one(const u8 *data, size_t size)
{
    struct codeobj co;
    struct err e = { .text = "" };
    enum status st = codeobj_open_memory(&co, "x", data, size, GPU_CODE_BASE, &e);
    if (st == ST_OK) {
        st = run(&co, &e);
        connect(&co);
        codeobj_close(&co);
    }
    if (st != ST_OK) {
        file_error(&e, "x", 0);
        fz_check_message(&e);
    }
    return st == ST_OK;
}
