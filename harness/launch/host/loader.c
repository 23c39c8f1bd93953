#include "harness/launch/host/loader.h"

#include "harness/io/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Items of the launch, in the order of its lines below. */
enum { ITEM_ARGV, ITEM_ENVP, ITEM_RESULT, ITEM_END_ARGUMENT = 10 };

/* Strings as main has them: pointers, a null pointer, the text. */
struct strings {
    char *const *at;
    u32 count;
    u64 size; /* bytes in all */
};

static struct strings measure(char *const *at, u32 count)
{
    struct strings s = { at, count, (count + 1ull) * 8 };
    for (u32 i = 0; i < count; i++)
        s.size += strlen(at[i]) + 1;
    return s;
}

/* The lines that have the addresses of the strings written. */
static void point_to(FILE *f, u32 item, const struct strings *s)
{
    u64 text = (s->count + 1ull) * 8;
    for (u32 i = 0; i < s->count; i++) {
        fprintf(f, "pointer %u %u %u %" PRIu64 "\n", item, i * 8, item, text);
        text += strlen(s->at[i]) + 1;
    }
}

static void put_text(const struct launch *l, u32 item, const struct strings *s)
{
    u64 text = (s->count + 1ull) * 8;
    for (u32 i = 0; i < s->count; i++) {
        size_t size = strlen(s->at[i]) + 1;
        memcpy(l->args[item].bytes + text, s->at[i], size);
        text += size;
    }
}

static void write_lines(FILE *f, const struct loader_cfg *cfg, const struct strings *argv,
                        const struct strings *envp)
{
    static const char once[] = "grid 1 1 1\nworkgroup 1 1 1\n";
    fprintf(f, "kernel _begin\n%saside tmp %" PRIu64 "\naside tmp %" PRIu64 "\naside tmp 4\n", once,
            argv->size, envp->size);
    fprintf(f, "i32 %u\nptr 0\nptr 1\n", cfg->argc);
    fprintf(f, "kernel _start\ngrid %u 1 1\nworkgroup %u 1 1\n", cfg->blocks * cfg->threads,
            cfg->threads);
    fprintf(f, "i32 %u\nptr 0\nptr 1\nptr 2\n", cfg->argc);
    fprintf(f, "kernel _end\n%si32 0\n", once);
    point_to(f, ITEM_ARGV, argv);
    point_to(f, ITEM_ENVP, envp);
}

enum status loader_open(struct launch *l, const struct loader_cfg *cfg, struct err *e)
{
    char *text = NULL;
    size_t size = 0;
    u32 variables = 0;
    while (cfg->envp[variables])
        variables++;
    struct strings argv = measure(cfg->argv, cfg->argc), envp = measure(cfg->envp, variables);
    FILE *f = open_memstream(&text, &size);
    if (f)
        write_lines(f, cfg, &argv, &envp);
    bool kept = f && !ferror(f);
    kept = f && fclose(f) == 0 && kept && text;
    enum status st = kept ? launch_open_memory(l, cfg->argv[0], text, size, e) : err_memory(e);
    free(text);
    if (st == ST_OK) {
        put_text(l, ITEM_ARGV, &argv);
        put_text(l, ITEM_ENVP, &envp);
    }
    return st;
}

void loader_fit(struct launch *l, const struct codeobj_kernel k[LOADER_KERNELS])
{
    const struct kernel_meta *end = k[LOADER_KERNELS - 1].meta;
    bool takes = false;
    for (u32 i = 0; i < end->arg_count; i++)
        takes |= !codeobj_arg_is_hidden(end->args[i].kind);
    l->args[ITEM_END_ARGUMENT].is_aside = !takes;
}

int loader_result(const struct launch *l)
{
    int result;
    memcpy(&result, l->args[ITEM_RESULT].bytes, sizeof result);
    return result;
}

void loader_after(struct launch *l)
{
    int result = loader_result(l);
    memcpy(l->args[ITEM_END_ARGUMENT].bytes, &result, sizeof result);
}
