#include "harness/line/opts.h"

#include "harness/dut/dut.h"
#include "harness/io/number.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct opt options[] = {
#define OPTION(name, kind, field, arg, help) \
    { #name, kind, offsetof(struct opts, field), arg, help },
#include "harness/line/opts.def"
#undef OPTION
};

enum { JOBS_MAX = 1024, SHARDS_MAX = 65536, QUOTE_MAX = 60 };

static_assert(offsetof(struct opts, shards) == offsetof(struct opts, shard) + sizeof(u32) &&
                  offsetof(struct opts, fraction_of) ==
                      offsetof(struct opts, fraction) + sizeof(u32),
              "OPT_SHARD and OPT_FRACTION fill two fields that stand together");

const struct opt *opts_at(u32 index)
{
    return index < COUNT_OF(options) ? &options[index] : NULL;
}

const char *opts_help(const struct opt *opt, char *buf, size_t size)
{
    static const char mark[] = "KINDS";
    char kinds[256];
    struct text t;
    if (opt->kind != OPT_DUT)
        return opt->help;
    const char *at = strstr(opt->help, mark);
    if (!at)
        BUG("the help of --dut names no kinds");
    dut_kinds_text(kinds, sizeof kinds, ", ");
    text_init(&t, buf, size);
    text_add(&t, "%.*s%s%s", (int)(at - opt->help), opt->help, kinds, at + sizeof mark - 1);
    return buf;
}

u32 opts_dut_time_ms(const struct opts *o)
{
    return (u32)(o->dut_time_limit_ms < UINT32_MAX ? o->dut_time_limit_ms : UINT32_MAX);
}

/* The length of the word at `text`, which ends at a blank, a bar or the end. */
static size_t word_len(const char *text)
{
    return strcspn(text, " |");
}

bool opts_has_word(const char *words, const char *word, size_t len)
{
    for (const char *w = words; *w; w += word_len(w), w += *w != 0) {
        if (word_len(w) == len && memcmp(w, word, len) == 0)
            return len > 0;
    }
    return false;
}

/* "A/B" with 1 <= A <= B <= max. */
static bool read_pair(const char *text, u64 max, u64 *a, u64 *b)
{
    size_t len = strcspn(text, "/");
    return text[len] == '/' && number_u64_span(text, len, a) &&
           number_u64(text + len + 1, 1, max, b) && *a >= 1 && *a <= *b;
}

/* Number of single-letter changes between two short words; 99 when either is long. */
static u32 distance(const char *a, const char *b)
{
    enum { LEN = 24 };
    u32 row[LEN + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > LEN || lb > LEN)
        return 99;
    for (u32 j = 0; j <= lb; j++)
        row[j] = j;
    for (u32 i = 1; i <= la; i++) {
        u32 diagonal = row[0];
        row[0] = i;
        for (u32 j = 1; j <= lb; j++) {
            u32 replace = diagonal + (a[i - 1] != b[j - 1]);
            u32 insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replace < insert ? replace : insert;
        }
    }
    return row[lb];
}

const char *opts_nearest(const char *text, const char *const *names)
{
    const char *best = NULL;
    u32 least = 3;
    for (; *names; names++) {
        u32 d = distance(text, *names);
        if (d < least && d < strlen(*names)) {
            least = d;
            best = *names;
        }
    }
    return best;
}

/* `given` is the argument as it stands on the command line. */
static enum status unknown_option(const struct command *c, const char *given, struct err *e)
{
    const char *names[COUNT_OF(options) + 1];
    char word[QUOTE_MAX];
    u32 n = 0;
    for (u32 i = 0; i < COUNT_OF(options); i++) {
        if (opts_has_word(c->options, options[i].name, strlen(options[i].name)))
            names[n++] = options[i].name;
    }
    names[n] = NULL;
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(given, "="), given);
    const char *near = opts_nearest(word + strspn(word, "-"), names);
    if (near)
        return err_set(e, ST_INPUT, "no option %s, did you mean --%s?", word, near);
    return err_set(e, ST_INPUT, "no option %s; see gcncheck %s --help", word, c->name);
}

static enum status bad_value(const struct opt *opt, const char *text, const char *wanted,
                             struct err *e)
{
    return err_set(e, ST_INPUT, "--%s: \"%.*s\" is not %s", opt->name, QUOTE_MAX, text, wanted);
}

static enum status set_color(struct opts *o, const struct opt *opt, const char *text, struct err *e)
{
    static const char *const names[] = { "auto", "always", "never" };
    for (u32 i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            o->color = (enum color_when)i;
            return ST_OK;
        }
    }
    return bad_value(opt, text, opt->arg, e);
}

/* One of several, if the command holds them beside one another. */
static enum status add_dut(struct opts *o, const char *text, struct err *e)
{
    static const char lineage[] = "lineage";
    if (o->dut_count > 0 && !opts_has_word(o->command->options, lineage, sizeof lineage - 1))
        return err_set(e, ST_INPUT, "--dut: %s takes one, and %.60s is another", o->command->name,
                       text);
    if (o->dut_count == OPTS_DUTS_MAX)
        return err_set(e, ST_INPUT, "--dut: more than %d", OPTS_DUTS_MAX);
    o->duts[o->dut_count++] = text;
    return ST_OK;
}

/* Reads one option's argument into its field. */
static enum status set_option(struct opts *o, const struct opt *opt, const char *text,
                              struct err *e)
{
    void *field = (char *)o + opt->offset;
    u64 a, b;
    switch ((enum opt_kind)opt->kind) {
    case OPT_FLAG: *(bool *)field = true; return ST_OK;
    case OPT_TEXT:
    case OPT_DUT:
        if (!text[0])
            return err_set(e, ST_INPUT, "--%s: %s is empty", opt->name, opt->arg);
        *(const char **)field = text;
        return opt->kind == OPT_DUT ? add_dut(o, text, e) : ST_OK;
    case OPT_CHOICE:
        if (!opts_has_word(opt->arg, text, strlen(text)))
            return bad_value(opt, text, opt->arg, e);
        *(const char **)field = text;
        return ST_OK;
    case OPT_U64:
        if (!number_u64(text, 0, UINT64_MAX, field))
            return bad_value(opt, text, "a number (decimal or 0x hex, at most 64 bits)", e);
        return ST_OK;
    case OPT_COUNT:
        if (!number_u64(text, 1, UINT64_MAX, field))
            return bad_value(opt, text, "a number from 1 (decimal or 0x hex, at most 64 bits)", e);
        return ST_OK;
    case OPT_JOBS:
        if (!number_u64(text, 1, JOBS_MAX, &a))
            return bad_value(opt, text, "a number from 1 to 1024", e);
        *(u32 *)field = (u32)a;
        return ST_OK;
    case OPT_TIME:
        if (!number_time_ms(text, field))
            return bad_value(opt, text, "a time like 60s, 250ms, 5m or 2h", e);
        return ST_OK;
    case OPT_SHARD:
    case OPT_FRACTION:
        if (!read_pair(text, opt->kind == OPT_SHARD ? (u64)SHARDS_MAX : UINT32_MAX, &a, &b))
            return bad_value(opt, text,
                             opt->kind == OPT_SHARD ? "I/N with 1 <= I <= N <= 65536"
                                                    : "A/B with 1 <= A <= B",
                             e);
        ((u32 *)field)[0] = (u32)(opt->kind == OPT_SHARD ? a - 1 : a);
        ((u32 *)field)[1] = (u32)b;
        return ST_OK;
    case OPT_COLOR: return set_color(o, opt, text, e);
    }
    BUG("option of no kind");
}

/* Processors this process may run on: a container or taskset may allow fewer than there are. */
static u32 usable_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set))
        return 1;
    u32 n = (u32)CPU_COUNT(&set);
    return n < 1 ? 1 : n > JOBS_MAX ? (u32)JOBS_MAX : n;
}

static void set_defaults(struct opts *o, const struct command *c, int argc, char **argv)
{
    *o = (struct opts){
        .command = c,
        .argc = argc,
        .argv = argv,
        .mcpu = "gfx900",
        .dut = "model",
        .seed = 1,
        .jobs = usable_processors(),
        .shards = 1,
        .fraction = 1,
        .fraction_of = 1,
    };
}

/* The argument as given that getopt has just looked at. */
static const char *just_read(char **argv)
{
    return argv[optind - 1];
}

static enum status check_args(const struct opts *o, struct err *e)
{
    const struct command *c = o->command;
    if (o->help)
        return ST_OK;
    if (o->arg_count > c->max_args)
        return err_set(e, ST_INPUT, "\"%.*s\" is too much; usage: gcncheck %s %s", QUOTE_MAX,
                       o->arg[c->max_args], c->name, c->args);
    if (o->arg_count < c->min_args)
        return err_set(e, ST_INPUT, "too few arguments; usage: gcncheck %s %s", c->name, c->args);
    /* What is handed on to a program may be empty. */
    u32 ours = strstr(c->args, "ARG") ? c->min_args : o->arg_count;
    for (u32 i = 0; i < ours; i++)
        if (!o->arg[i][0])
            return err_set(e, ST_INPUT, "argument %u is empty; usage: gcncheck %s %s", i + 1,
                           c->name, c->args);
    return ST_OK;
}

enum status opts_parse(struct opts *o, const struct command *c, int argc, char **argv,
                       struct err *e)
{
    struct option table[COUNT_OF(options) + 1] = { 0 };
    int got;
    set_defaults(o, c, argc, argv);
    for (u32 i = 0; i < COUNT_OF(options); i++)
        table[i] = (struct option){ options[i].name, options[i].arg ? 1 : 0, NULL, (int)i + 256 };

    optind = 0; /* makes glibc forget the call before */
    opterr = 0;
    while ((got = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
        if (got == 'h') {
            o->help = true;
            continue;
        }
        if (got == '?' && optopt >= 256)
            return err_set(e, ST_INPUT, "--%s takes no argument", options[optopt - 256].name);
        if (got == '?' && optopt)
            return unknown_option(c, (char[]){ '-', (char)optopt, 0 }, e);
        if (got == '?')
            return unknown_option(c, just_read(argv), e);
        const struct opt *opt = &options[(got == ':' ? optopt : got) - 256];
        size_t len = strlen(opt->name);
        /* getopt takes unique beginnings for the whole name; a script that relies on one would
         * break with the next new option. */
        const char *given =
            optarg && optarg == just_read(argv) ? argv[optind - 2] : just_read(argv);
        bool whole =
            strncmp(given + 2, opt->name, len) == 0 && (!given[2 + len] || given[2 + len] == '=');
        if (!whole ||
            (!opts_has_word(c->options, opt->name, len) && strcmp(opt->name, "help") != 0))
            return unknown_option(c, given, e);
        if (got == ':')
            return err_set(e, ST_INPUT, "--%s: %s is missing", opt->name, opt->arg);
        enum status st = set_option(o, opt, optarg, e);
        if (st)
            return st;
        o->dut_is_given |= opt->offset == offsetof(struct opts, dut);
        o->stream_is_given |= opt->offset == offsetof(struct opts, stream);
        o->mcpu_is_given |= opt->offset == offsetof(struct opts, mcpu);
    }
    o->arg = argv + optind;
    o->arg_count = (u32)(argc - optind);
    return check_args(o, e);
}
