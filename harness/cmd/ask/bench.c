/* gcncheck bench: how fast the model executes. */
#include "harness/bench/bench.h"
#include "harness/cmd/base/cmd.h"

#include <stdio.h>

enum { ROUND_MS = 20, DUT_MS = 1000, MS_MAX = 60000 };

static void print_text(void *ctx, const struct bench_result *r)
{
    (void)ctx;
    printf("%-42s %-5s %-12s %8.1f %8.1f %6.2f\n", r->text, r->engine,
           r->full_exec ? "full" : "alternating", r->model_per_s / 1e6, r->bare_per_s / 1e6,
           r->model_per_s / r->bare_per_s);
    fflush(stdout);
}

static void print_tsv(void *ctx, const struct bench_result *r)
{
    (void)ctx;
    printf("%s\t%s\t%s\t%.0f\t%.0f\t%.3f\n", r->text, r->engine,
           r->full_exec ? "full" : "alternating", r->model_per_s, r->bare_per_s,
           r->model_per_s / r->bare_per_s);
}

static void print_kernel(void *ctx, const struct bench_kernel_result *r)
{
    if (*(const bool *)ctx)
        printf("%s\t%s\t%u threads\t%.0f\t%.0f\t%.3f\n", r->name, r->engine, r->threads,
               r->waves_per_s, r->lanes_per_s, r->lanes_per_s / r->waves_per_s);
    else
        printf("%-42s %-5s %-12u %8.1f %8.1f %6.2f\n", r->name, r->engine, r->threads,
               r->waves_per_s / 1e6, r->lanes_per_s / 1e6, r->lanes_per_s / r->waves_per_s);
    fflush(stdout);
}

static void print_text_rate(void *ctx, const struct bench_text_result *r)
{
    bool tsv = *(const bool *)ctx, known = r->llvm_per_s > 0;
    double ratio = known ? r->ours_per_s / r->llvm_per_s : 0;
    if (tsv)
        printf("%s\t-\t-\t%.0f\t%.0f\t%.3f\n", r->what, r->ours_per_s, r->llvm_per_s, ratio);
    else if (known)
        printf("%-42s %8.2f %8.2f %6.1f\n", r->what, r->ours_per_s / 1e6, r->llvm_per_s / 1e6,
               ratio);
    else
        printf("%-42s %8.2f %8s %6s\n", r->what, r->ours_per_s / 1e6, "-", "-");
}

static void print_dut(void *ctx, const struct bench_dut_result *r)
{
    bool tsv = *(const bool *)ctx;
    printf(
        tsv ? "batch\t%.0f\t%.0f\n"
            : "step cases per second, in batches   %10.0f of processor time %10.0f by the clock\n",
        r->cases_per_cpu_s, r->cases_per_s);
    printf(
        tsv ? "alone_us\t%.2f\t%.2f\n"
            : "microseconds for one alone          %10.2f of processor time %10.2f by the clock\n",
        r->alone_cpu_us, r->alone_us);
    if (r->rows < r->rows_of)
        printf(tsv ? "supported\t%u\t%u\n"
                   : "of the instructions of the step cases %7u are supported, of %u\n",
               r->rows, r->rows_of);
    if (r->outside < 0)
        return;
    printf(tsv ? "direct_us\t%.2f\n"
               : "microseconds to submit one and wait %10.2f in the device's own process\n",
           r->direct_us);
    printf(tsv ? "outside\t%.3f\n" : "share of time outside the oracle    %10.2f\n", r->outside);
}

static void print_streams(void *ctx, const struct bench_stream_result *r)
{
    static const char *const names[BENCH_STREAM_PARTS] = { "generation", "coverage", "jobs",
                                                           "model",      "DUT",      "comparison" };
    bool tsv = *(const bool *)ctx;
    printf(tsv ? "streams\t%.0f" : "instructions of streams per second  %10.0f by the clock:",
           r->insns_per_s);
    for (u32 part = 0; part < BENCH_STREAM_PARTS; part++)
        if (tsv)
            printf("\t%.3f", r->share[part]);
        else
            printf("%s %s %.0f %%", part ? "," : "", names[part], r->share[part] * 100);
    printf(tsv ? "\nexecuted\t%.0f\t%.0f\t%.0f\n"
               : "\ninstructions executed per second    %10.0f of the DUT's time, %.0f with what "
                 "it takes to run and judge programs, %.0f with drawing them and the model\n",
           r->dut_executes_per_s, r->judged_per_s, r->executed_per_s);
}

static int bench_device(struct opts *o, const struct isa *isa, u32 ms, bool tsv)
{
    struct err e = { .text = "" };
    enum status st = cmd_ready_dut(o, o->dut, &e);
    if (st == ST_OK)
        st = bench_dut(o->dut, isa, ms, print_dut, &tsv, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    st = bench_streams(o->dut, isa, ms, print_streams, &tsv, &e);
    if (st == ST_INPUT && !tsv)
        printf("instructions of streams per second  not measured: %s\n", e.text);
    return st == ST_WORLD ? cmd_fail(o, st, &e) : EXIT_CLEAN;
}

int cmd_bench(struct opts *o)
{
    struct err e = { .text = "" };
    bool tsv = o->format && strcmp(o->format, "tsv") == 0;
    if (o->format && !tsv && strcmp(o->format, "text") != 0)
        return cmd_error(o, EXIT_USAGE, "--format %s: use text or tsv", o->format);
    struct isa isa;
    enum status opened = isa_open_modelled(&isa, o->mcpu, &e);
    if (opened != ST_OK)
        return cmd_fail(o, opened, &e);
    u64 asked = o->time_limit_ms ? o->time_limit_ms : o->dut_is_given ? DUT_MS : ROUND_MS;
    u32 ms = (u32)(asked > MS_MAX ? MS_MAX : asked);
    if (o->dut_is_given)
        return bench_device(o, &isa, ms, tsv);
    if (tsv)
        printf("instruction\tengine\texec\tmodel_per_s\tbare_per_s\tratio\n");
    else
        printf("Million wave-instructions per second on one core; bare: the same work as a plain "
               "loop.\n"
               "%-42s %-5s %-12s %8s %8s %6s\n",
               "instruction", "eng.", "EXEC", "model", "bare", "ratio");
    enum status st = bench_run(&isa, ms, tsv ? print_tsv : print_text, NULL, &e);
    if (st == ST_OK && !tsv)
        printf("\nMillion wave- and lane-instructions per second of whole kernels, results "
               "checked.\n"
               "%-42s %-5s %-12s %8s %8s %6s\n",
               "kernel", "eng.", "threads", "waves", "lanes", "ratio");
    if (st == ST_OK)
        st = bench_kernels(o->jobs, ms, print_kernel, &tsv, &e);
    if (st == ST_OK && !tsv)
        printf("\nMillion instructions per second; LLVM: llvm-mc on the same ones.\n"
               "%-42s %8s %8s %6s\n",
               "", "ours", "LLVM", "ratio");
    if (st == ST_OK)
        st = bench_text(&isa, ms, print_text_rate, &tsv, &e);
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, &e);
}
