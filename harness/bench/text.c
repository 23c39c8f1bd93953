/* How fast instructions are decoded, printed and parsed, beside LLVM's tools on the same ones. */
#include "harness/ask/samples.h"
#include "harness/bench/bench.h"
#include "harness/io/clock.h"
#include "oracle/insn/insn.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLES = 200000, TEXT_MAX = 192 };

struct corpus {
    const struct isa *isa;
    u32 count, wanted;
    u32 (*dw)[INSN_DW_MAX];
    u8 *len; /* dwords */
    char (*text)[TEXT_MAX];
};

/* Legal instructions only: both sides then do the same work. */
static bool keep_legal(void *ctx, const struct insn *in)
{
    struct corpus *c = ctx;
    struct insn back;
    u32 at = c->count;
    if (insn_legal(c->isa, in, NULL) != ST_OK)
        return true;
    c->len[at] = (u8)insn_encode(in, c->dw[at]);
    if (!insn_decode(c->isa, c->dw[at], c->len[at], &back, NULL) || back.dw != c->len[at] ||
        insn_print(c->isa, &back, c->text[at], TEXT_MAX) >= TEXT_MAX)
        return true;
    return ++c->count < c->wanted;
}

/* The same number from every opcode and form, with random fields. */
static void collect(struct corpus *c)
{
    struct rng r;
    rng_seed(&r, 1);
    struct sample_range range = { .random = 200, .r = &r };
    while (c->count < SAMPLES) {
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
            for (u32 form = 0; form < FORM_COUNT && c->count < SAMPLES; form++) {
                if (!isa_has(c->isa, op) ||
                    !(isa_forms((enum gen)c->isa->target->gen, &isa_rows[op]) >> form & 1))
                    continue;
                c->wanted = c->count + 100 < SAMPLES ? c->count + 100 : SAMPLES;
                samples_each(c->isa, op, (enum isa_form)form, &range, keep_legal, c);
            }
    }
}

enum job { JOB_DECODE, JOB_PRINT, JOB_PARSE };

static double time_ours(const struct corpus *c, enum job job, double seconds)
{
    double start = clock_seconds(CLOCK_MONOTONIC), end;
    u64 n = 0;
    struct insn in;
    char text[TEXT_MAX];
    do {
        for (u32 i = 0; i < c->count; i++) {
            bool good = true;
            if (job != JOB_PARSE)
                good = insn_decode(c->isa, c->dw[i], c->len[i], &in, NULL);
            if (job == JOB_PRINT)
                good = insn_print(c->isa, &in, text, sizeof(text)) > 0;
            if (job == JOB_PARSE)
                good = insn_parse(c->isa, c->text[i], &in, NULL) == ST_OK;
            if (!good)
                BUG(c->text[i]);
        }
        n += c->count;
        end = clock_seconds(CLOCK_MONOTONIC);
    } while (end - start < seconds);
    return (double)n / (end - start);
}

/* Writes the corpus to a file that is gone when it is closed; its path goes to `path`. */
static FILE *corpus_file(const struct corpus *c, bool hex, char *path, size_t size)
{
    FILE *f = tmpfile();
    if (!f)
        return NULL;
    for (u32 i = 0; i < c->count; i++) {
        for (u32 byte = 0; hex && byte < c->len[i] * 4u; byte++)
            fprintf(f, "%s0x%02x", byte ? "," : "", c->dw[i][byte / 4] >> byte % 4 * 8 & 0xff);
        fprintf(f, "%s\n", hex ? "" : c->text[i]);
    }
    fflush(f);
    snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fileno(f));
    return f;
}

/* Instructions per second of llvm-mc, its start included; 0 where it is not installed. */
static double time_llvm(const struct corpus *c, bool hex)
{
    static const char *const tools[] = { "llvm-mc-19", "llvm-mc" };
    char path[64], command[256];
    double rate = 0;
    FILE *f = corpus_file(c, hex, path, sizeof(path));
    for (size_t i = 0; i < COUNT_OF(tools) && f && rate == 0; i++) {
        struct text t;
        text_init(&t, command, sizeof(command));
        text_add(&t, "%s -triple=amdgcn -mcpu=%s %s %s -o /dev/null 2>/dev/null", tools[i],
                 c->isa->target->mcpu, hex ? "--disassemble" : "-filetype=obj", path);
        double start = clock_seconds(CLOCK_MONOTONIC);
        int status = system(command);
        bool ran = WIFEXITED(status) && WEXITSTATUS(status) < 126;
        if (ran)
            rate = c->count / (clock_seconds(CLOCK_MONOTONIC) - start);
    }
    if (f)
        fclose(f);
    return rate;
}

enum status bench_text(const struct isa *isa, u32 ms, bench_text_fn *fn, void *ctx, struct err *e)
{
    struct corpus c = { .isa = isa };
    c.dw = malloc(SAMPLES * sizeof(*c.dw));
    c.len = malloc(SAMPLES);
    c.text = malloc(SAMPLES * sizeof(*c.text));
    enum status st = c.dw && c.len && c.text ? ST_OK : err_memory(e);
    if (st == ST_OK) {
        collect(&c);
        double llvm_dis = time_llvm(&c, true), llvm_asm = time_llvm(&c, false);
        double seconds = ms / 1000.0 * 10;
        fn(ctx,
           &(struct bench_text_result){ "decode", time_ours(&c, JOB_DECODE, seconds), llvm_dis });
        fn(ctx, &(struct bench_text_result){ "disassemble", time_ours(&c, JOB_PRINT, seconds),
                                             llvm_dis });
        fn(ctx,
           &(struct bench_text_result){ "assemble", time_ours(&c, JOB_PARSE, seconds), llvm_asm });
    }
    free(c.dw);
    free(c.len);
    free(c.text);
    return st;
}
