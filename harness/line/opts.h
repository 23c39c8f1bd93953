/* The command line: every option gcncheck has, what it may say, and the struct that commands read.
 * The table of options is harness/line/opts.def; a command names those it takes
 * (harness/cmd/base/cmd.def). */
#ifndef HARNESS_LINE_OPTS_H
#define HARNESS_LINE_OPTS_H

#include "harness/io/color.h"

#define GCNCHECK_VERSION "0.1"

struct opts;

enum { COMMAND_PARTS = 4 };

/* A command: a row of harness/cmd/base/cmd.def. */
struct command {
    const char *name;
    int (*run)(struct opts *o);
    const char *args; /* positional arguments as the usage line shows them */
    u32 min_args, max_args;
    const char
        *options;     /* names of the options taken, separated by blanks; --help is taken by all */
    const char *help; /* one line */
    /* What it does, formats, exit codes where they are not the usual ones: parts that follow each
     * other, of whole lines, as C promises no more than 4095 characters of one literal. */
    const char *text[COMMAND_PARTS];
    const char *examples; /* lines, each a command */
};

enum { ARGS_MANY = 1 << 20, OPTS_DUTS_MAX = 16 };

/* All options of one call, with their defaults. Texts point into argv. */
struct opts {
    const struct command *command;
    const struct command *commands; /* all, for help; a row without a name ends them */
    int argc;                       /* everything after the program's name, as given */
    char **argv;
    char **arg; /* positional arguments, in order */
    u32 arg_count;

    const char *mcpu;                /* "gfx900" */
    const char *dut;                 /* "model"; of several the last */
    const char *duts[OPTS_DUTS_MAX]; /* those that stand on the command line */
    u32 dut_count;
    const char *lineage; /* which of them are one vote (harness/vote/vote.h); NULL: none */
    bool dut_is_given;   /* --dut stands on the command line */
    bool mcpu_is_given;
    bool stream_is_given;
    const char *debug, *gdb;            /* NULL: no debugger */
    const char *schedule, *break_at;    /* NULL: the command's choice, none */
    const char *turns;                  /* "0:3,1", in place of a schedule; NULL: none */
    const char *delay_memory;           /* "max" or a seed; NULL: none */
    const char *memory;                 /* "weak" or "weak:SEED"; NULL: everyone sees all at once */
    const char *ulp;                    /* a seed; NULL: none */
    const char *gate;                   /* ledger evidence; NULL: agreed */
    const char *engine;                 /* "ref" or "host"; NULL: the command's choice */
    const char *form;                   /* NULL: all */
    const char *format;                 /* NULL: the command's first */
    const char *out;                    /* NULL: the command's choice, mostly standard output */
    const char *journal;                /* NULL: none */
    const char *resume;                 /* NULL: none */
    const char *known, *skips, *flakes; /* files; NULL: none */
    const char *diff;                   /* a journal or a processor; NULL: none */
    const char *common;                 /* processors, "NAME,NAME"; NULL: that of --mcpu alone */
    const char *only;                   /* NULL: all */
    const char *skip;                   /* NULL: none */
    const char *profile, *weights;      /* NULL: all alike */
    const char *coverage;               /* NULL: none is counted */
    const char *corpus;                 /* NULL: none */
    const char *symbol;                 /* NULL: all */
    const char *log, *fault, *front;    /* NULL: none */
    const char *mutant;                 /* NULL: none */
    const char *trace_only;             /* NULL: all */
    const char *dut_limit;              /* NULL: the default */
    u64 seed;                           /* 1 */
    u64 count;                          /* 0: the command's choice */
    u64 stream;                         /* 0 */
    u64 max_failures;                   /* 0: no limit */
    u64 length;                         /* 0: the command's choice */
    u64 max_steps, schedules;           /* 0: the command's choice */
    u64 time_limit_ms;                  /* 0: none */
    u64 dut_time_limit_ms;              /* 0: the DUT's default */
    u32 resident;                       /* 0: the command's choice */
    u32 blocks, threads;                /* 0: one */
    u32 jobs;     /* at least 1; default: every processor this process may use */
    u32 shard;    /* 0 <= shard < shards: written 1/4 .. 4/4 */
    u32 shards;   /* 1 */
    u32 fraction; /* do fraction out of fraction_of: 1 of 1 */
    u32 fraction_of;
    enum color_when color;
    bool check, descriptor, metadata, list, fill_holes, diagnose, loader;
    bool trace, regs, check_hazards, check_memory, check_races, stats;
    bool update_known, failures, partial, clock;
    bool force, quiet, unsafe, trust, in_process, jsonl, canonical, man, bash_completion, help;
};

/* How an option's argument is read. */
enum opt_kind {
    OPT_FLAG,     /* bool, no argument */
    OPT_TEXT,     /* const char *, not empty */
    OPT_DUT,      /* const char *, not empty; its help names the kinds of DUT */
    OPT_CHOICE,   /* const char *, one of the words of the argument's description, "A|B|C" */
    OPT_U64,      /* u64, decimal or 0x hex, nothing around it */
    OPT_COUNT,    /* u64, the same, at least 1 */
    OPT_JOBS,     /* u32, 1..1024 */
    OPT_TIME,     /* u64 ms, "90", "90s", "250ms", "5m", "2h"; more than 0 */
    OPT_SHARD,    /* I/N, 1 <= I <= N <= 65536, into two u32: I-1 and N */
    OPT_FRACTION, /* A/B, 1 <= A <= B <= 2^32-1, into two u32 */
    OPT_COLOR     /* enum color_when */
};

struct opt {
    const char *name; /* without the dashes */
    u8 kind;
    u16 offset;      /* of its field in struct opts */
    const char *arg; /* what stands for the argument in a help text; NULL for a flag */
    const char *help;
};

/* The options, in the order they are explained. */
const struct opt *opts_at(u32 index); /* NULL behind the last */

/* The option's help text: opt->help, or what is put together in buf. */
const char *opts_help(const struct opt *opt, char *buf, size_t size);

/* --dut-time as dut_open takes it: in ms, 0 for the DUT's default. */
u32 opts_dut_time_ms(const struct opts *o);

/* Whether `words` (separated by blanks) holds the word. */
bool opts_has_word(const char *words, const char *word, size_t len);

/* Fills *o from the arguments behind a command's name (argv[0] is that name). Options and
 * positional arguments may be mixed; `--` ends the options. argv is reordered. ST_INPUT with one
 * line that names the option and its text. With --help nothing is demanded of the rest. */
enum status opts_parse(struct opts *o, const struct command *c, int argc, char **argv,
                       struct err *e);

/* The name among `names` (a NULL ends them) that was probably meant, or NULL. */
const char *opts_nearest(const char *text, const char *const *names);

#endif
