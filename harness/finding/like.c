/* Which mutant of the model gives the results of a DUT. Mutants are beside the program: their list is
 * asked of gcncheck-mutants, and each is a DUT of its own, model_dut.so with its name in the
 * environment. */
#include "harness/finding/like.h"

#include "harness/io/beside.h"
#include "harness/io/shell.h"
#include "harness/mutant/mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, FIRST = 6 /* failing samples that a mutant is tried with before all */ };

static const char plugin[] = "model_dut.so", variable[] = "GCNCHECK_MUTANT";

struct mutants_beside {
    char program[PATH_BYTES], plugin[PATH_BYTES + 8]; /* the second as a DUT is named */
};

/* ---- where they are ---- */

static bool find_mutants(struct mutants_beside *b, char *missing, size_t size)
{
    static const char prefix[] = "plugin:";
    strcpy(b->plugin, prefix);
    char *so = b->plugin + sizeof prefix - 1;
    bool is_named = beside_path(MUTANT_PROGRAM, b->program, sizeof b->program) &&
                    beside_path(plugin, so, sizeof b->plugin - sizeof prefix);
    if (!is_named || access(b->program, X_OK) != 0 || access(so, R_OK) != 0) {
        snprintf(missing, size, "%.4000s is not there: make mutants puts it beside gcncheck",
                 is_named && access(b->program, X_OK) == 0 ? so : b->program);
        return false;
    }
    return true;
}

/* ---- which are tried ---- */

struct candidate {
    char id[96], text[128];
    u32 equal; /* samples with the DUT's results */
};

struct candidates {
    struct candidate *list;
    u32 count, cap;
};

enum { FIELDS = 7, ID = 0, ENCODING = 1, OPCODE = 2, KIND = 3, TEXT = 6 };

/* Cuts a line of the list into its fields. */
static bool split(char *line, char *field[FIELDS])
{
    line[strcspn(line, "\n")] = '\0';
    for (u32 i = 0; i < FIELDS; i++) {
        field[i] = line;
        line += strcspn(line, "\t");
        if ((*line == '\t') != (i + 1 < FIELDS))
            return false;
        *line++ = '\0';
    }
    return true;
}

/* Of the opcode, or of its encoding, or of all; one instruction never shows those of state. */
static bool is_candidate(char *const field[FIELDS], const struct isa_row *row)
{
    bool is_op = strcmp(field[OPCODE], row->name) == 0, is_any = strcmp(field[OPCODE], "-") == 0;
    bool is_enc =
        strcmp(field[ENCODING], isa_encs[row->enc].name) == 0 || strcmp(field[ENCODING], "-") == 0;
    return strcmp(field[KIND], "state") != 0 && (is_op || (is_any && is_enc));
}

static enum status read_list(FILE *in, const struct isa_row *row, struct candidates *to,
                             struct err *e)
{
    char line[1024], *field[FIELDS];
    while (fgets(line, sizeof line, in)) {
        if (!split(line, field) || !is_candidate(field, row))
            continue;
        if (to->count == to->cap) {
            u32 cap = to->cap ? to->cap * 2 : 64;
            struct candidate *grown = realloc(to->list, cap * sizeof *grown);
            if (!grown)
                return err_memory(e);
            to->list = grown;
            to->cap = cap;
        }
        struct candidate *c = &to->list[to->count++];
        *c = (struct candidate){ .equal = 0 };
        snprintf(c->id, sizeof c->id, "%.*s", (int)sizeof c->id - 1, field[ID]);
        snprintf(c->text, sizeof c->text, "%.*s", (int)sizeof c->text - 1, field[TEXT]);
    }
    return ST_OK;
}

static enum status list_mutants(const struct mutants_beside *b, const struct finding *f,
                                struct candidates *to, struct err *e)
{
    char command[PATH_BYTES + 128];
    struct text t;
    text_init(&t, command, sizeof command);
    shell_word(&t, b->program);
    text_add(&t, " mutants --format tsv --mcpu ");
    shell_word(&t, f->mcpu);
    fflush(NULL);
    FILE *in = popen(command, "r");
    if (!in)
        return err_set(e, ST_WORLD, "%s cannot be started", b->program);
    enum status st = read_list(in, insn_row(&f->insn), to, e);
    pclose(in);
    return st;
}

/* ---- trying them ---- */

/* A right result of the DUT may be another right one than the model's. */
static bool is_equal(const struct sample *s, u64 hash)
{
    return hash == s->dut || (!s->is_wrong && hash == s->model);
}

static enum status try_with(struct dut *d, const struct samples *s, struct candidate *c,
                            struct err *e)
{
    u64 hash[SAMPLES_MAX];
    u32 tried = 0;
    enum status st = ST_OK;
    c->equal = 0;
    /* Most are refuted by the first that fails. */
    for (u32 i = 0; i < s->count && tried < FIRST && st == ST_OK; i++) {
        if (!s->sample[i].is_wrong)
            continue;
        st = sample_run(d, s, i, 1, hash, e);
        tried++;
        if (st == ST_OK && !is_equal(&s->sample[i], hash[0]))
            return st;
    }
    if (st == ST_OK)
        st = sample_run(d, s, 0, s->count, hash, e);
    for (u32 i = 0; i < s->count && st == ST_OK; i++)
        c->equal += is_equal(&s->sample[i], hash[i]);
    return st;
}

static enum status try_mutant(const struct mutants_beside *b, const struct samples *s,
                              const struct finding *f, struct candidate *c, struct err *e)
{
    struct dut *d = NULL;
    if (setenv(variable, c->id, 1) != 0)
        return err_memory(e);
    /* Our own library, which is trusted: a worker for each would take most of the time. */
    struct dut_cfg cfg = { .mcpu = f->mcpu, .in_process = true };
    enum status st = dut_open(b->plugin, &cfg, &d, e);
    if (st == ST_OK)
        st = try_with(d, s, c, e);
    dut_close(d);
    return st;
}

/* Those that agree in all, at most NAMED by name; else the one that agrees most, if that is nearly
 * all. */
static void describe(const struct candidates *m, u32 samples, struct finding *f)
{
    enum { NAMED = 4 };
    u32 most = 0, shown = 0, same = 0;
    struct text t;
    for (u32 i = 0; i < m->count; i++)
        most = m->list[i].equal > most ? m->list[i].equal : most;
    if (most * 10ull < samples * 9ull || !most)
        return;
    text_init(&t, f->like, sizeof f->like);
    for (u32 i = 0; i < m->count; i++) {
        if (m->list[i].equal != most)
            continue;
        if (same++ >= NAMED)
            continue;
        if (shown++)
            text_add(&t, ", %s", m->list[i].id);
        else
            text_add(&t, "%s '%.80s'", m->list[i].id, m->list[i].text);
    }
    if (same > shown)
        text_add(&t, " and %u more", same - shown);
    text_add(&t, ": %u/%u outputs equal", most, samples);
}

enum status like_find(const struct samples *s, struct finding *f, char *missing, size_t size,
                      struct err *e)
{
    struct mutants_beside *b = malloc(sizeof *b);
    struct candidates m = { .list = NULL };
    if (!b)
        return err_memory(e);
    if (!find_mutants(b, missing, size)) {
        free(b);
        return ST_OK;
    }
    const char *before = getenv(variable);
    char *old = before ? strdup(before) : NULL;
    enum status st = before && !old ? err_memory(e) : ST_OK;
    if (st == ST_OK)
        st = list_mutants(b, f, &m, e);
    for (u32 i = 0; i < m.count && st == ST_OK; i++)
        st = try_mutant(b, s, f, &m.list[i], e);
    if (old)
        setenv(variable, old, 1);
    else
        unsetenv(variable);
    if (st == ST_OK)
        describe(&m, s->count, f);
    free(old);
    free(m.list);
    free(b);
    return st;
}
