/* gcncheck launch: runs a compiled kernel on the model and compares its output buffers. */
#include "harness/launch/launch.h"
#include "harness/bundle/pick.h"
#include "harness/cmd/cmd.h"
#include "harness/io/file.h"
#include "harness/io/number.h"
#include "harness/launch/kernel_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OUT_BUFFER = 1 << 20 };

/* Prints the result line. Answers whether an output differs. */
static bool report(const struct launch *l, const struct launch_result *r)
{
    bool differs = false;
    u32 compared = 0;
    printf("kernel %s: %" PRIu64 " work-group%s, %" PRIu64 " instructions", l->kernel, r->groups,
           r->groups == 1 ? "" : "s", r->instructions);
    for (u32 i = 0; i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        if (a->check.rule == CHECK_NONE)
            continue;
        struct launch_diff d = launch_compare(a);
        compared++;
        if (d.wrong) {
            char buf[256];
            struct text t;
            text_init(&t, buf, sizeof buf);
            launch_diff_print(&t, a, &d);
            printf(", %s differs: %s", a->want_file, buf);
            differs = true;
        } else {
            printf(", %s matches", a->want_file);
        }
    }
    if (r->violations)
        printf(", %" PRIu64 " instruction%s rules", r->violations,
               r->violations == 1 ? " violates" : "s violate");
    if (r->unset)
        printf(", depends on what nobody set");
    printf("%s, %.3f s\n", compared ? "" : ", no output to compare", r->seconds);
    return differs;
}

static int list(const struct opts *o, const char *path)
{
    static char buffer[OUT_BUFFER];
    struct bundle b;
    struct kernel_list_counts n;
    struct err e = { .text = "" };
    const char *mcpus = o->mcpu_is_given ? o->mcpu : NULL;
    enum status st = bundle_open(&b, path, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    st = kernel_list(stdout, &b, mcpus, &n, &e);
    bundle_close(&b);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (n.objects == 0)
        return cmd_error(o, EXIT_USAGE, "%s: has no code object for %.60s", path,
                         mcpus ? mcpus : "a processor of GFX6 to GFX9");
    printf("%u code object%s, %" PRIu64 " kernel%s, %" PRIu64 " bad\n", n.objects,
           n.objects == 1 ? "" : "s", n.kernels, n.kernels == 1 ? " loads" : "s load", n.bad);
    return n.bad ? EXIT_USAGE : EXIT_CLEAN;
}

/* Writes a buffer; an image without the gaps between its rows, as its files are. */
static enum status save_one(const struct launch_arg *a, const char *path, struct err *e)
{
    const struct launch_image *g = &a->image;
    u64 size = launch_file_size(a);
    u8 *file = malloc(size + 1);
    if (!file)
        return err_memory(e);
    if (g->kind)
        launch_image_gather(g, a->bytes, file);
    else
        memcpy(file, a->bytes, size);
    enum status st = file_write(path, file, size, e);
    free(file);
    return st;
}

/* Writes every buffer and variable to a file of the folder: N.bin is item N, SYMBOL.bin. */
static enum status save(const struct launch *l, const char *folder, struct err *e)
{
    char path[4096];
    enum status st = file_make_dir(folder, e);
    for (u32 i = 0; st == ST_OK && i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        int len = a->symbol ? snprintf(path, sizeof path, "%s/%s.bin", folder, a->symbol)
                            : snprintf(path, sizeof path, "%s/%u.bin", folder, i);
        if (!launch_arg_is_buffer(a) && !a->symbol)
            continue;
        st = len < (int)sizeof path ? save_one(a, path, e)
                                    : err_set(e, ST_INPUT, "the name of a file is too long");
        if (st != ST_OK)
            file_error(e, path, 0);
    }
    return st;
}

/* "max", or the seed. */
static bool read_delay(const char *text, struct launch_cfg *cfg)
{
    cfg->delay = text != NULL;
    return !text || strcmp(text, "max") == 0 || number_u64(text, 1, UINT64_MAX, &cfg->delay_seed);
}

/* Code for either setting runs with the one that is asked for. */
static void settle_sramecc(struct codeobj *co, const char *mcpu)
{
    if (co->target.sramecc == SETTING_ANY && strstr(mcpu, ":sramecc+"))
        co->target.sramecc = SETTING_ON;
    if (co->target.sramecc == SETTING_ANY && strstr(mcpu, ":sramecc-"))
        co->target.sramecc = SETTING_OFF;
}

int cmd_launch(struct opts *o)
{
    struct codeobj co = { 0 };
    struct codeobj_kernel k;
    struct launch l = { 0 };
    struct launch_result r = { 0 };
    struct debug_lines lines = { 0 };
    struct launch_cfg cfg = { .engine = o->engine ? o->engine : "host",
                              .max_steps = o->max_steps ? o->max_steps : LAUNCH_STEPS,
                              .jobs = o->jobs,
                              .resident = o->resident,
                              .schedule = o->schedule ? o->schedule : "order",
                              .seed = o->seed,
                              .out = stdout,
                              .trace = o->trace,
                              .check_hazards = o->check_hazards,
                              .check_memory = o->check_memory,
                              .registers = o->regs,
                              .break_at = o->break_at,
                              .lines = &lines };
    struct err e = { .text = "" };
    int rc = EXIT_CLEAN;
    if (o->list != (o->arg_count == 1))
        return cmd_error(o, EXIT_USAGE,
                         o->list ? "--list takes one file"
                                 : "too few arguments: LAUNCH.TXT is missing");
    if (o->list)
        return list(o, o->arg[0]);
    if (!read_delay(o->delay_memory, &cfg))
        return cmd_error(o, EXIT_USAGE, "--delay-memory %.40s: neither 'max' nor a seed from 1 on",
                         o->delay_memory);
    enum status st = launch_open(&l, o->arg[1], &e);
    if (st == ST_OK)
        st = pick_kernel(&co, o->arg[0], o->mcpu_is_given ? o->mcpu : NULL, l.kernel, GPU_CODE_BASE,
                         &k, &e);
    if (st == ST_OK && o->mcpu_is_given)
        settle_sramecc(&co, o->mcpu);
    if (st == ST_OK)
        debug_line_open(&lines, &co);
    if (st == ST_OK)
        st = launch_run(&co, &k, &l, &cfg, &r, &e);
    if (st == ST_OK && o->out)
        st = save(&l, o->out, &e);
    if (st != ST_OK)
        rc = cmd_fail(o, st, &e);
    else if (r.at_break)
        printf("%s: %s\n", co.file, r.why);
    else if (!r.has_ended)
        rc = cmd_error(o, EXIT_STOPPED, "%s: %s", co.file, r.why);
    else if (report(&l, &r) || r.violations || r.unset)
        rc = EXIT_DIFFERENCES;
    if (cfg.break_at && st == ST_OK && r.has_ended)
        rc = cmd_error(o, cmd_exit_worse(rc, EXIT_USAGE), "break %.80s was not reached",
                       cfg.break_at);
    launch_close(&l);
    debug_line_close(&lines);
    codeobj_close(&co);
    return rc;
}
