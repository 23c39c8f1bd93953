/* gcncheck launch: runs a compiled kernel on the model and compares its output buffers. */
#include "harness/launch/launch.h"
#include "harness/bundle/pick.h"
#include "harness/cmd/base/cmd.h"
#include "harness/io/file.h"
#include "harness/io/number.h"
#include "harness/io/stop.h"
#include "harness/launch/debug/debug.h"
#include "harness/launch/file/kernel_list.h"
#include "harness/launch/filter.h"
#include "harness/launch/host/loader.h"
#include "harness/launch/host/rpc.h"
#include "harness/mutant/mutant.h"
#include "reports/file/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OUT_BUFFER = 1 << 20 };

/* What the kernels came to. */
struct outcome {
    u32 threads; /* that compare */
    bool differs, has_findings;
};

/* One comparison on the line of a kernel. */
static void print_diff(const struct launch_arg *a, const struct launch_diff *d, struct outcome *o)
{
    char buf[256];
    struct text t;
    if (!d->wrong) {
        printf(", %s matches", a->want_file);
        return;
    }
    text_init(&t, buf, sizeof buf);
    launch_diff_print(&t, a, d);
    printf(", %s differs: %s", a->want_file, buf);
    o->differs = true;
}

/* Compares what is expected behind this kernel, and behind the last one all outputs. Answers how
 * many. */
static u32 compare(const struct launch *l, struct outcome *o)
{
    u32 compared = 0;
    for (u32 i = 0; i < l->expect_count; i++) {
        const struct launch_expect *x = &l->expects[i];
        if (x->part != l->part)
            continue;
        struct launch_diff d = launch_compare_expect(l, x, o->threads);
        compared++;
        print_diff(&x->as, &d, o);
    }
    for (u32 i = 0; i < l->arg_count && l->part + 1 == l->part_count; i++) {
        const struct launch_arg *a = &l->args[i];
        if (a->check.rule == CHECK_NONE)
            continue;
        struct launch_diff d = launch_compare(a, o->threads);
        compared++;
        print_diff(a, &d, o);
    }
    return compared;
}

/* What stands in buffers of text. */
static void print_texts(const struct launch *l)
{
    for (u32 i = 0; i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        size_t len = a->is_text ? strnlen((const char *)a->bytes, a->size) : 0;
        if (!len)
            continue;
        fwrite(a->bytes, 1, len, stdout);
        if (a->bytes[len - 1] != '\n')
            putchar('\n');
    }
}

/* Prints the line of a kernel that has ended. */
static void report(void *ctx, const struct launch *l, const struct launch_result *r)
{
    struct outcome *o = ctx;
    bool is_last = l->part + 1 == l->part_count;
    if (is_last)
        print_texts(l);
    printf("kernel %s: %" PRIu64 " work-group%s, %" PRIu64 " instructions", l->now.kernel,
           r->groups, r->groups == 1 ? "" : "s", r->instructions);
    u32 compared = compare(l, o);
    if (r->violations)
        printf(", %" PRIu64 " instruction%s rules", r->violations,
               r->violations == 1 ? " violates" : "s violate");
    if (r->unset)
        printf(", depends on what nobody set");
    if (r->misuses)
        printf(", %" PRIu64 " error%s of the heap", r->misuses, r->misuses == 1 ? "" : "s");
    if (r->races)
        printf(", %" PRIu64 " race%s", r->races, r->races == 1 ? "" : "s");
    printf("%s, %.3f s\n", compared || !is_last ? "" : ", no output to compare", r->seconds);
    o->has_findings |= r->violations || r->unset || r->misuses || r->races || r->wrong;
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

/* Writes a buffer, or asks whether it may be written; an image without the gaps between its rows, as
 * its files are. What is there already and holds something else may be what the kernel is compared
 * with. */
static enum status save_one(const struct launch_arg *a, const char *path, bool force, bool asks,
                            struct err *e)
{
    struct output_rule rule = { .force = force };
    const struct launch_image *g = &a->image;
    u64 size = launch_file_size(a);
    u8 *file = malloc(size + 1);
    if (!file)
        return err_memory(e);
    if (g->kind)
        launch_image_gather(g, a->bytes, file);
    else
        memcpy(file, a->bytes, size);
    enum status st = asks ? output_may_write(path, file, size, &rule, e)
                          : output_write(path, file, size, &rule, e);
    free(file);
    return st;
}

/* Every buffer and variable as a file of the folder: N.bin is item N, SYMBOL.bin. */
static enum status save_all(const struct launch *l, const char *folder, bool force, bool asks,
                            struct err *e)
{
    char path[4096];
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        int len = a->symbol ? snprintf(path, sizeof path, "%s/%s.bin", folder, a->symbol)
                            : snprintf(path, sizeof path, "%s/%u.bin", folder, i);
        if (!launch_arg_is_buffer(a) && !a->symbol)
            continue;
        st = len < (int)sizeof path ? save_one(a, path, force, asks, e)
                                    : err_set(e, ST_INPUT, "the name of a file is too long");
    }
    return st;
}

/* All, or none where one may not be replaced. */
static enum status save(const struct launch *l, const struct opts *o, struct err *e)
{
    enum status st = file_make_dir(o->out, e);
    if (st == ST_OK)
        st = save_all(l, o->out, o->force, true, e);
    return st == ST_OK ? save_all(l, o->out, o->force, false, e) : st;
}

/* "max", or the seed. */
static bool read_delay(const char *text, struct launch_cfg *cfg)
{
    cfg->delay = text != NULL;
    return !text || strcmp(text, "max") == 0 || number_u64(text, 1, UINT64_MAX, &cfg->delay_seed);
}

/* "weak", or "weak:" and the seed: it is 1 else. Work-groups then take turns at random. */
static enum status read_memory(const struct opts *o, struct launch_cfg *cfg, struct err *e)
{
    static const char weak[] = "weak";
    const char *seed = o->memory ? o->memory + sizeof weak - 1 : NULL;
    if (!o->memory)
        return ST_OK;
    cfg->weak = true;
    cfg->weak_seed = 1;
    if (!o->schedule)
        cfg->schedule = "random";
    if (strncmp(o->memory, weak, sizeof weak - 1) != 0 ||
        (*seed && (*seed != ':' || !number_u64(seed + 1, 1, UINT64_MAX, &cfg->weak_seed))))
        return err_set(e, ST_INPUT,
                       "--memory %.40s: neither 'weak' nor 'weak:' and a seed from 1 on",
                       o->memory);
    if (o->check_memory || o->check_races || o->delay_memory)
        return err_set(e, ST_INPUT, "--memory and --%s: one at a time",
                       o->check_memory  ? "check-memory"
                       : o->check_races ? "check-races"
                                        : "delay-memory");
    return ST_OK;
}

static void plant(void *ctx, struct engine *eng)
{
    mutant_plant(ctx, eng);
}

/* The model, or one with a planted bug: what --dut names. */
static enum status read_dut(const struct opts *o, struct launch_cfg *cfg, struct err *e)
{
    static const char mutant[] = "mutant:";
    const char *id = o->dut + sizeof mutant - 1;
    if (strcmp(o->dut, "model") == 0)
        return ST_OK;
    if (strncmp(o->dut, mutant, sizeof mutant - 1) != 0)
        return err_set(e, ST_INPUT, "--dut %.60s: kernels run on model or mutant:ID", o->dut);
    enum status st = cmd_ready_dut(o, o->dut, e);
    if (st != ST_OK)
        return st;
    const struct mutant *mu = mutant_find(id);
    if (!mu)
        return err_set(e, ST_INPUT, "unknown mutant '%.60s'; 'gcncheck mutants' lists them", id);
    if (o->engine && strcmp(o->engine, "ref") != 0)
        return err_set(e, ST_INPUT, "--engine host: mutants have the engine ref");
    cfg->engine = "ref";
    cfg->change_engine = plant;
    cfg->change_ctx = (void *)(uintptr_t)mu;
    return ST_OK;
}

/* Code for either setting runs with the one that is asked for. */
static void settle_sramecc(struct codeobj *co, const char *mcpu)
{
    if (co->target.sramecc == SETTING_ANY && strstr(mcpu, ":sramecc+"))
        co->target.sramecc = SETTING_ON;
    if (co->target.sramecc == SETTING_ANY && strstr(mcpu, ":sramecc-"))
        co->target.sramecc = SETTING_OFF;
}

/* What the options say of the launch; nothing in it is owned by it. An exit code: what an option
 * says is nothing. */
static int configure(const struct opts *o, struct debug_lines *lines, struct launch_cfg *cfg)
{
    *cfg = (struct launch_cfg){ .engine = o->engine ? o->engine : "host",
                                .max_steps = o->max_steps ? o->max_steps : LAUNCH_STEPS,
                                .jobs = o->jobs,
                                .resident = o->resident,
                                .schedule = o->schedule ? o->schedule : "order",
                                .schedules = o->schedules ? o->schedules : LAUNCH_SCHEDULES,
                                .turns = o->turns,
                                .seed = o->seed,
                                .out = stdout,
                                .trace = o->trace || o->trace_only,
                                .check_hazards = o->check_hazards,
                                .check_memory = o->check_memory,
                                .check_races = o->check_races,
                                .registers = o->regs,
                                .break_at = o->break_at,
                                .lines = lines };
    if (!read_delay(o->delay_memory, cfg))
        return cmd_error(o, EXIT_USAGE, "--delay-memory %.40s: neither 'max' nor a seed from 1 on",
                         o->delay_memory);
    if (o->ulp && !number_u64(o->ulp, 1, UINT64_MAX, &cfg->ulp_seed))
        return cmd_error(o, EXIT_USAGE, "--ulp %.40s: not a seed from 1 on", o->ulp);
    if (cfg->check_races && cfg->delay)
        return cmd_error(o, EXIT_USAGE, "--check-races and --delay-memory exclude each other");
    return EXIT_CLEAN;
}

/* What cannot be beside a choice of all turns. */
static enum status check_turns(const struct opts *o, struct err *e)
{
    bool all = o->schedule && strcmp(o->schedule, LAUNCH_EXHAUSTIVE) == 0;
    const struct {
        bool is_given, is_for_list; /* a list and the option can be together */
        const char *name;
    } others[] = {
        { o->resident, false, "resident" },
        { o->memory, false, "memory" },
        { o->check_memory, false, "check-memory" },
        { o->delay_memory, false, "delay-memory" },
        { o->schedule && o->turns, false, "schedule" },
        { o->check_races, true, "check-races" },
        { o->check_hazards, true, "check-hazards" },
        { o->ulp, true, "ulp" },
        { o->trace, true, "trace" },
        { o->trace_only, true, "trace-only" },
        { o->break_at, true, "break" },
        { o->debug, true, "debug" },
        { o->gdb, true, "gdb" },
        { o->regs, true, "regs" },
    };
    if (o->schedules && !all)
        return err_set(e, ST_INPUT, "--schedules is for --schedule exhaustive");
    if (all && o->memory)
        return err_set(
            e, ST_INPUT,
            "--schedule exhaustive and --memory exclude each other: the orders of accesses do "
            "not say when others see a store, which weak memory draws (gcncheck litmus)");
    for (size_t i = 0; (all || o->turns) && i < COUNT_OF(others); i++)
        if (others[i].is_given && (all || !others[i].is_for_list))
            return err_set(e, ST_INPUT, "--%s and --%s exclude each other",
                           o->turns ? "turns" : "schedule exhaustive", others[i].name);
    return ST_OK;
}

/* What cannot be beside who stops it where: commands, or gdb. */
static enum status check_debugger(const struct opts *o, struct err *e)
{
    if (!o->debug && !o->gdb)
        return ST_OK;
    const char *other = o->check_memory      ? "check-memory"
                        : o->break_at        ? "break"
                        : o->debug && o->gdb ? "gdb"
                                             : NULL;
    if (other)
        return err_set(e, ST_INPUT, "--%s and --%s exclude each other", o->debug ? "debug" : "gdb",
                       other);
    for (u32 i = 0; i < o->arg_count && strcmp(o->debug ? o->debug : o->gdb, "-") == 0; i++)
        if (strcmp(o->arg[i], "-") == 0)
            return err_set(e, ST_INPUT, "standard input is %s already",
                           i ? "the launch" : "the code object");
    return ST_OK;
}

static enum status open_debugger(const struct opts *o, struct launch_cfg *cfg, struct err *e)
{
    return o->debug ? debug_open(&cfg->debug, o->debug, stdout, e)
           : o->gdb ? debug_open_gdb(&cfg->debug, o->gdb, e)
                    : ST_OK;
}

/* The kernels of the launch, in the code object that has the first one. */
static enum status find_kernels(const struct opts *o, const struct launch *l, struct codeobj *co,
                                struct codeobj_kernel **k, struct err *e)
{
    const char **names = calloc(l->part_count, sizeof *names);
    *k = calloc(l->part_count, sizeof **k);
    for (u32 i = 0; names && i < l->part_count; i++)
        names[i] = l->parts[i].kernel;
    enum status st = !*k || !names ? err_memory(e)
                                   : pick_kernels(co, o->arg[0], o->mcpu_is_given ? o->mcpu : NULL,
                                                  names, l->part_count, GPU_CODE_BASE, *k, e);
    free(names);
    for (u32 i = 1; st == ST_OK && i < l->part_count; i++) {
        st = pick_kernel_in(co, l->parts[i].kernel, &(*k)[i], e);
        if (st != ST_OK)
            file_error(e, l->file, o->loader ? 0 : l->parts[i].line);
    }
    if (st == ST_OK && o->mcpu_is_given)
        settle_sramecc(co, o->mcpu);
    return st;
}

/* Whose turn it is: "2/0:3,1" is of kernel 2, from 0, where there are several. */
static enum status read_turns(const char *text, const struct launch *l, struct launch_cfg *cfg,
                              struct err *e)
{
    size_t len = strcspn(text, "/");
    u64 part = 0;
    bool is_given = text[len] == '/';
    if (is_given != (l->part_count > 1) ||
        (is_given && (!number_u64_span(text, len, &part) || part >= l->part_count)))
        return err_set(e, ST_INPUT, "--turns %.60s: %s has %u kernel%s, and of %s KERNEL/ is said",
                       text, l->file, l->part_count, l->part_count == 1 ? "" : "s",
                       l->part_count == 1 ? "one no" : "several a");
    cfg->turns = text + (is_given ? len + 1 : 0);
    cfg->turns_part = (u32)part;
    return ST_OK;
}

/* What has been opened for a launch. */
struct session {
    struct launch l;
    struct codeobj co;
    struct codeobj_kernel *k;
    struct debug_lines lines;
    struct launch_cfg cfg;
    struct outcome outcome;
};

/* What cannot be beside a program whose calls somebody answers. */
static enum status check_loader(const struct opts *o, struct err *e)
{
    const char *other = o->check_memory ? "check-memory"
                        : o->out        ? "out"
                        : o->turns      ? "turns"
                        : o->schedule && strcmp(o->schedule, LAUNCH_EXHAUSTIVE) == 0
                            ? "schedule exhaustive"
                            : NULL;
    if (!o->loader && (o->blocks || o->threads))
        return err_set(e, ST_INPUT, "--%s is for --loader", o->blocks ? "blocks" : "threads");
    if (o->loader && other)
        return err_set(e, ST_INPUT, "--loader and --%s exclude each other", other);
    return ST_OK;
}

/* The launch that the arguments name: a file, or a program with its own. */
static enum status open_launch(const struct opts *o, struct session *s, struct err *e)
{
    struct loader_cfg cfg = { .argv = o->arg,
                              .argc = o->arg_count,
                              .envp = environ,
                              .blocks = o->blocks ? o->blocks : 1,
                              .threads = o->threads ? o->threads : 1 };
    return o->loader ? loader_open(&s->l, &cfg, e) : launch_open(&s->l, o->arg[1], o->jobs, e);
}

/* The kernels are known: whom they call. */
static enum status connect(const struct opts *o, struct session *s, struct err *e)
{
    if (!o->loader)
        return ST_OK;
    loader_fit(&s->l, s->k);
    enum status st = rpc_open(&s->cfg.rpc, stdout, stderr, e);
    if (st == ST_OK)
        st = rpc_connect(s->cfg.rpc, &s->co, e);
    if (st == ST_INPUT)
        file_error(e, s->co.file, 0);
    return st;
}

static enum status open_session(const struct opts *o, struct session *s, struct err *e)
{
    enum status st = check_loader(o, e);
    if (st == ST_OK)
        st = check_turns(o, e);
    if (st == ST_OK)
        st = check_debugger(o, e);
    if (st == ST_OK && o->out)
        st = output_check_folder(o->out, e);
    if (st == ST_OK)
        st = read_dut(o, &s->cfg, e);
    if (st == ST_OK)
        st = read_memory(o, &s->cfg, e);
    if (st == ST_OK)
        st = open_launch(o, s, e);
    if (st == ST_OK && o->turns)
        st = read_turns(o->turns, &s->l, &s->cfg, e);
    if (st == ST_OK)
        st = find_kernels(o, &s->l, &s->co, &s->k, e);
    if (st == ST_OK)
        st = connect(o, s, e);
    if (st == ST_OK)
        st = debug_line_open(&s->lines, &s->co, e);
    if (st == ST_OK && o->trace_only)
        st = filter_open(&s->cfg.filter, o->trace_only, &s->co, &s->lines, e);
    return st == ST_OK ? open_debugger(o, &s->cfg, e) : st;
}

static void close_session(struct session *s)
{
    filter_close(s->cfg.filter);
    rpc_close(s->cfg.rpc);
    launch_close(&s->l);
    debug_line_close(&s->lines);
    codeobj_close(&s->co);
    free(s->k);
}

/* The exit code of a launch that went as far as *r says. */
static int judge(const struct opts *o, const struct session *s, const struct launch_result *r)
{
    int rc = s->outcome.differs || s->outcome.has_findings ? EXIT_DIFFERENCES : EXIT_CLEAN;
    if (r->at_break)
        printf("%s: %s\n", s->co.file, r->why);
    else if (!r->has_ended)
        return cmd_error(o, EXIT_STOPPED, "%s: %s", s->co.file, r->why);
    else if (o->break_at)
        return cmd_error(o, cmd_exit_worse(rc, EXIT_USAGE), "break %.80s was not reached",
                         o->break_at);
    return rc;
}

/* Behind a kernel of a program: what it prints is its own. */
static void report_program(void *ctx, const struct launch *l, const struct launch_result *r)
{
    struct session *s = ctx;
    (void)l;
    s->outcome.has_findings |= r->violations || r->races;
    loader_after(&s->l);
}

/* The exit code of a program: its own, as a process's; where that is 0, what was found. */
static int judge_program(const struct opts *o, const struct session *s,
                         const struct launch_result *r)
{
    enum { EXIT_MASK = 0xff };
    const char *why;
    int status;
    bool has_left = rpc_has_ended(s->cfg.rpc, &status, &why);
    if (why)
        return cmd_error(o, EXIT_STOPPED, "%s: %s", s->co.file, why);
    if (!has_left && (!r->has_ended || o->break_at))
        return judge(o, s, r);
    int code = (has_left ? status : loader_result(&s->l)) & EXIT_MASK;
    return code || !s->outcome.has_findings ? code : EXIT_DIFFERENCES;
}

static int check_arguments(const struct opts *o)
{
    if (o->loader && o->list)
        return cmd_error(o, EXIT_USAGE, "--loader and --list exclude each other");
    if (!o->loader && o->arg_count > 2)
        return cmd_error(o, EXIT_USAGE,
                         "\"%.60s\" is too much: a program's arguments are for --loader",
                         o->arg[2]);
    if (!o->loader && o->list != (o->arg_count == 1))
        return cmd_error(o, EXIT_USAGE,
                         o->list ? "--list takes one file"
                                 : "too few arguments: LAUNCH.TXT is missing");
    return EXIT_CLEAN;
}

int cmd_launch(struct opts *o)
{
    struct session s = { .outcome = { .threads = o->jobs } };
    struct launch_result r = { 0 };
    struct err e = { .text = "" };
    int rc = check_arguments(o);
    if (rc != EXIT_CLEAN)
        return rc;
    if (o->list)
        return list(o, o->arg[0]);
    rc = configure(o, &s.lines, &s.cfg);
    if (rc != EXIT_CLEAN)
        return rc;
    stop_catch();
    enum status st = open_session(o, &s, &e);
    if (st == ST_OK)
        st = o->loader ? launch_run(&s.co, s.k, &s.l, &s.cfg, report_program, &s, &r, &e)
                       : launch_run(&s.co, s.k, &s.l, &s.cfg, report, &s.outcome, &r, &e);
    filter_end(s.cfg.filter, stdout);
    if (st == ST_OK && filter_is_short(s.cfg.filter))
        st = err_set(&e, ST_WORLD, "out of memory for all lines of --trace-only");
    if (st == ST_OK && o->out && (r.has_ended || r.at_break || !stop_requested()))
        st = save(&s.l, o, &e);
    rc = st != ST_OK ? cmd_fail(o, st, &e)
         : o->loader ? judge_program(o, &s, &r)
                     : judge(o, &s, &r);
    fflush(stdout);
    const char *wrong = debug_close(s.cfg.debug, rc);
    if (wrong)
        rc = cmd_error(o, cmd_exit_worse(rc, EXIT_USAGE), "--%s %.80s: %s",
                       o->debug ? "debug" : "gdb", o->debug ? o->debug : o->gdb, wrong);
    close_session(&s);
    return rc;
}
