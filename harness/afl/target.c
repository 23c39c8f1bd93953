/* gcncheck-afl: what AFL++ runs. Built by afl-clang-fast, so that it stays in one process; the model is
 * not instrumented: what is covered is the DUT's. README.md shows how it is called.
 *
 *     gcncheck-afl forms FILE      asks the DUT what it implements
 *     gcncheck-afl seeds DIR N     writes the recipes of the first instructions of N streams
 *     gcncheck-afl FILE...         runs inputs; exit code 1 if one differs */
#include "harness/afl/afl.h"
#include "harness/io/file.h"
#include "harness/io/number.h"
#include "reports/file/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RUNS = 5000, INPUT_MAX = 1 << 20, SEED_GENES = 8, PATH_BYTES = 4096, SEEDS_MAX = 1000000 };

#ifdef __AFL_FUZZ_INIT
__AFL_FUZZ_INIT();
#endif

static int fail(const struct err *e)
{
    fprintf(stderr, "gcncheck-afl: %s\n", e->text);
    return 2;
}

static int write_seeds(struct afl *a, const char *dir, u32 count)
{
    static u8 bytes[MUTATE_BYTES_MAX];
    char path[PATH_BYTES];
    for (u32 i = 0; i < count; i++) {
        if (!recipe_note(&a->gen, i, &a->stream, &a->recipe))
            continue;
        /* Short ones run sooner, and what matters in them is changed sooner; AFL++ makes them longer. */
        u32 most = 1 + i % SEED_GENES;
        if (a->recipe.gene_count > most)
            mutate_cut(&a->recipe, most, a->recipe.gene_count - most);
        size_t size = mutate_encode(&a->recipe, bytes);
        int length = snprintf(path, sizeof path, "%s/%06u", dir, i);
        struct err e = { .text = "" };
        if (length < 0 || (size_t)length >= sizeof path) {
            err_set(&e, ST_INPUT, "the name of the folder is longer than %d characters",
                    PATH_BYTES);
            return fail(&e);
        }
        if (output_write(path, bytes, size, &(struct output_rule){ .judge = NULL }, &e) != ST_OK)
            return fail(&e);
    }
    return 0;
}

static int run_files(struct afl *a, int count, char **paths)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        struct err e = { .text = "" };
        u8 *bytes = NULL;
        size_t size = 0;
        bool differs = false;
        enum status st = file_read(paths[i], INPUT_MAX, &bytes, &size, &e);
        if (st == ST_OK)
            st = afl_run(a, bytes, size, &differs, &e);
        free(bytes);
        if (st != ST_OK)
            return fail(&e);
        printf("%s: %s\n", paths[i], differs ? "differs" : "as the model");
        any |= differs;
    }
    return any;
}

static int run_loop(struct afl *a)
{
#ifdef __AFL_FUZZ_INIT
    __AFL_INIT();
    const u8 *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(RUNS)) {
        struct err e = { .text = "" };
        bool differs = false;
        if (afl_run(a, data, (size_t)__AFL_FUZZ_TESTCASE_LEN, &differs, &e) != ST_OK || differs)
            abort();
    }
    return 0;
#else
    (void)a;
    fprintf(stderr, "gcncheck-afl: not built by afl-clang-fast: give files to run\n");
    return 2;
#endif
}

struct env {
    const char *mcpu, *dut, *forms;
    enum evidence gate;
};

/* ST_INPUT: something is missing, or a word is wrong. `asks`: the file of forms is yet to be written. */
static enum status read_env(struct env *env, bool asks, struct err *e)
{
    const char *mcpu = afl_env("GCNCHECK_AFL_MCPU"), *gate = afl_env("GCNCHECK_AFL_GATE");
    env->mcpu = mcpu ? mcpu : "gfx900";
    env->dut = afl_env("GCNCHECK_AFL_DUT");
    env->forms = afl_env("GCNCHECK_AFL_FORMS");
    env->gate = evidence_named(gate);
    if (!env->dut || (!env->forms && !asks))
        return err_set(e, ST_INPUT, "GCNCHECK_AFL_DUT and GCNCHECK_AFL_FORMS must be set");
    if (gate && strcmp(gate, evidence_names[env->gate]) != 0)
        return err_set(e, ST_INPUT, "GCNCHECK_AFL_GATE: no evidence is called '%.40s'", gate);
    return ST_OK;
}

/* Whether the words begin with a command, which takes `words` more. *st: ST_INPUT if it has others. */
static bool is_command(int argc, char **argv, const char *name, int words, enum status *st,
                       struct err *e)
{
    if (argc < 2 || strcmp(argv[1], name) != 0)
        return false;
    if (argc != words + 2)
        *st = err_set(e, ST_INPUT, "%s takes %s (a file of that name: ./%s)", name,
                      words == 1 ? "FILE" : "DIR N", name);
    return true;
}

int main(int argc, char **argv)
{
    u64 seeds = 0;
    struct err e = { .text = "" };
    struct env env;
    struct afl_forms f;
    struct afl *a = NULL;
    enum status st = ST_OK;
    bool asks = is_command(argc, argv, "forms", 1, &st, &e);
    bool writes = is_command(argc, argv, "seeds", 2, &st, &e);
    if (st == ST_OK && writes && !number_u64(argv[3], 1, SEEDS_MAX, &seeds))
        st = err_set(&e, ST_INPUT, "seeds %.40s: not a number from 1 to %d", argv[3], SEEDS_MAX);
    if (st == ST_OK)
        st = read_env(&env, asks, &e);
    if (st != ST_OK)
        return fail(&e);
    if (argc > 1) /* an instrumented DUT may be loaded late: nobody counts */
        setenv("AFL_IGNORE_PROBLEMS", "1", 1);
    if (asks)
        return afl_ask(env.mcpu, env.dut, &f, &e) == ST_OK &&
                       afl_write_forms(argv[2], env.mcpu, &f, &e) == ST_OK
                   ? 0
                   : fail(&e);
    if (afl_read_forms(env.forms, env.mcpu, &f, &e) != ST_OK ||
        afl_open(env.mcpu, &f, &a, &e) != ST_OK)
        return fail(&e);
    a->gate = env.gate;
    int code = 0;
    if (writes)
        code = write_seeds(a, argv[2], (u32)seeds);
    else if (afl_open_dut(a, env.dut, &e) != ST_OK)
        code = fail(&e);
    else
        code = argc > 1 ? run_files(a, argc - 1, argv + 1) : run_loop(a);
    afl_close(a);
    return code;
}
