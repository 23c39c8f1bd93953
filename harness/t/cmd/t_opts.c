/* The command line: what is understood, and the one line and the exit code for what is not. */
#include "harness/cmd/table.h"
#include "harness/io/progress.h"
#include "harness/line/say.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"
#include "reports/format.h"
#include "reports/journal.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS = 32, TEXT_MAX = 1 << 16 };

/* A command that takes every option. */
static struct command every;

static void take_every_option(void)
{
    static char names[1024];
    struct text t;
    text_init(&t, names, sizeof(names));
    for (u32 i = 0; opts_at(i); i++)
        text_add(&t, "%s%s", i ? " " : "", opts_at(i)->name);
    every = (struct command){
        .name = "every", .args = "A [B]", .min_args = 1, .max_args = 2, .options = names
    };
}

/* Splits a line at blanks; the words are argv[0..n-1] behind the command's name. */
static int split(const char *line, char *copy, char **argv)
{
    int n = 1;
    static char name[] = "every";
    strcpy(copy, line);
    argv[0] = name;
    for (char *w = strtok(copy, " "); w && n < ARGS; w = strtok(NULL, " "))
        argv[n++] = w;
    argv[n] = NULL;
    return n;
}

static enum status parse(const char *line, struct opts *o, struct err *e)
{
    static char copy[1024];
    static char *argv[ARGS + 1];
    *e = (struct err){ 0 };
    return opts_parse(o, &every, split(line, copy, argv), argv, e);
}

static void defaults(void)
{
    struct opts o;
    struct err e;
    is_i64(ST_OK, parse("x", &o, &e), "no options at all");
    is_str("gfx900", o.mcpu, "the processor");
    is_str("model", o.dut, "the DUT");
    is_u64(1, o.seed, "the seed");
    is_u64(0, o.count + o.length + o.time_limit_ms + o.shard, "what is zero");
    is_u64(1, o.shards, "one shard");
    ok(o.fraction == 1 && o.fraction_of == 1, "all of the work");
    ok(o.jobs >= 1, "at least one thread");
    ok(!o.quiet && !o.help && !o.engine && !o.out, "nothing else");
    is_u64(1, o.arg_count, "one argument");
    is_str("x", o.arg[0], "it");
}

static void values(void)
{
    struct opts o;
    struct err e;
    is_i64(ST_OK,
           parse("a --mcpu gfx906 --dut=plugin:./x.so --seed 0xffffffffffffffff --count 12 b "
                 "--time 2m --jobs 3 --shard 4/4 --fraction 1/20 --quiet --color=never",
                 &o, &e),
           "many options, mixed with arguments: %s", e.text);
    is_str("gfx906", o.mcpu, "--mcpu");
    is_str("plugin:./x.so", o.dut, "--dut=");
    is_hex(UINT64_MAX, o.seed, "--seed");
    is_u64(12, o.count, "--count");
    is_u64(120000, o.time_limit_ms, "--time");
    is_u64(3, o.jobs, "--jobs");
    ok(o.shard == 3 && o.shards == 4, "--shard counts from one");
    ok(o.fraction == 1 && o.fraction_of == 20, "--fraction");
    ok(o.quiet, "--quiet");
    is_u64(COLOR_NEVER, o.color, "--color");
    ok(o.arg_count == 2 && strcmp(o.arg[0], "a") == 0 && strcmp(o.arg[1], "b") == 0, "arguments");
    is_i64(ST_OK, parse("-- --seed", &o, &e), "-- ends the options");
    is_str("--seed", o.arg[0], "what follows is an argument");
    is_i64(ST_OK, parse("- --seed 5", &o, &e), "- is an argument");
    ok(strcmp(o.arg[0], "-") == 0 && o.seed == 5, "of its own");
    is_i64(ST_OK, parse("--help", &o, &e), "--help needs no arguments");
    ok(o.help, "and is seen");
    is_i64(ST_OK, parse("-h", &o, &e), "nor does -h");
    ok(o.help, "which is the same");
}

static void refused(void)
{
    static const struct {
        const char *line, *text;
    } bad[] = {
        { "x --seed 12x", "--seed: \"12x\" is not a number (decimal or 0x hex, at most 64 bits)" },
        { "x --seed -1", "--seed: \"-1\" is not a number (decimal or 0x hex, at most 64 bits)" },
        { "x --seed=", "--seed: \"\" is not a number (decimal or 0x hex, at most 64 bits)" },
        { "x --seed 0x", "--seed: \"0x\" is not a number (decimal or 0x hex, at most 64 bits)" },
        { "x --seed 18446744073709551616", "--seed: \"18446744073709551616\" is not a number "
                                           "(decimal or 0x hex, at most 64 bits)" },
        { "x --seed 0x10000000000000000",
          "--seed: \"0x10000000000000000\" is not a number (decimal or 0x hex, at most 64 bits)" },
        { "x --count 18446744073709551616",
          "--count: \"18446744073709551616\" is not a number from "
          "1 (decimal or 0x hex, at most 64 bits)" },
        { "x --count 0",
          "--count: \"0\" is not a number from 1 (decimal or 0x hex, at most 64 bits)" },
        { "x --length 0x0",
          "--length: \"0x0\" is not a number from 1 (decimal or 0x hex, at most 64 bits)" },
        { "x --max-steps 0",
          "--max-steps: \"0\" is not a number from 1 (decimal or 0x hex, at most 64 bits)" },
        { "x --jobs 0", "--jobs: \"0\" is not a number from 1 to 1024" },
        { "x --jobs 1025", "--jobs: \"1025\" is not a number from 1 to 1024" },
        { "x --time 5w", "--time: \"5w\" is not a time like 60s, 250ms, 5m or 2h" },
        { "x --time 0", "--time: \"0\" is not a time like 60s, 250ms, 5m or 2h" },
        { "x --time 18446744073709551615h",
          "--time: \"18446744073709551615h\" is not a time like 60s, 250ms, 5m or 2h" },
        { "x --shard 0/4", "--shard: \"0/4\" is not I/N with 1 <= I <= N <= 65536" },
        { "x --shard 5/4", "--shard: \"5/4\" is not I/N with 1 <= I <= N <= 65536" },
        { "x --shard 1", "--shard: \"1\" is not I/N with 1 <= I <= N <= 65536" },
        { "x --shard 1/65537", "--shard: \"1/65537\" is not I/N with 1 <= I <= N <= 65536" },
        { "x --shard 1/2/3", "--shard: \"1/2/3\" is not I/N with 1 <= I <= N <= 65536" },
        { "x --fraction 3/2", "--fraction: \"3/2\" is not A/B with 1 <= A <= B" },
        { "x --color blue", "--color: \"blue\" is not auto|always|never" },
        { "x --engine fast", "--engine: \"fast\" is not ref|host" },
        { "x --engine ref|host", "--engine: \"ref|host\" is not ref|host" },
        { "x --mcpu=", "--mcpu: NAME is empty" },
        { "x --mcpu", "--mcpu: NAME is missing" },
        { "x --quiet=1", "--quiet takes no argument" },
        { "x --sed 1", "no option --sed, did you mean --seed?" },
        { "x --see 1", "no option --see, did you mean --seed?" },
        { "x --frobnicate=7", "no option --frobnicate; see gcncheck every --help" },
        { "x -q", "no option -q; see gcncheck every --help" },
        { "", "too few arguments; usage: gcncheck every A [B]" },
        { "a b c", "\"c\" is too much; usage: gcncheck every A [B]" },
    };
    for (u32 i = 0; i < COUNT_OF(bad); i++) {
        struct opts o;
        struct err e;
        is_i64(ST_INPUT, parse(bad[i].line, &o, &e), "refused: %s", bad[i].line);
        is_str(bad[i].text, e.text, "with one line");
    }
    struct opts o;
    struct err e;
    every.options = "mcpu";
    is_i64(ST_INPUT, parse("x --seed 1", &o, &e), "an option of another command");
    is_str("no option --seed; see gcncheck every --help", e.text, "is none of this one");
    take_every_option();
}

/* Runs a whole command line in a child. `code`: its exit code. Standard output and error go to out
 * and err. */
static int run(const char *line, char *out, char *err)
{
    FILE *files[2] = { tmpfile(), tmpfile() };
    char *texts[2] = { out, err };
    if (!files[0] || !files[1])
        bail("no temporary files");
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        bail("no fork");
    if (!child) {
        char copy[1024];
        char *argv[ARGS + 1];
        dup2(fileno(files[0]), STDOUT_FILENO);
        dup2(fileno(files[1]), STDERR_FILENO);
        int code = cmd_main(split(line, copy, argv), argv);
        fflush(stdout);
        _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    for (u32 i = 0; i < 2; i++) {
        rewind(files[i]);
        size_t n = fread(texts[i], 1, TEXT_MAX - 1, files[i]);
        texts[i][n] = 0;
        fclose(files[i]);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char out[TEXT_MAX], err[TEXT_MAX];

static void exit_codes(void)
{
    char no_format[192];
    struct text t;
    text_init(&t, no_format, sizeof no_format);
    text_add(&t, "gcncheck report: --format: \"pdf\" is not ");
    report_format_names(&t, false);
    text_add(&t, "\n");
    const struct {
        const char *line;
        int code;
        const char *err;
    } runs[] = {
        { "", EXIT_USAGE, "gcncheck: which command? gcncheck --help lists them\n" },
        { "hlep", EXIT_USAGE, "gcncheck: no command hlep, did you mean help?\n" },
        { "frobnicate", EXIT_USAGE, "gcncheck: no command frobnicate; see gcncheck --help\n" },
        { "--versoin", EXIT_USAGE, "gcncheck: no option --versoin, did you mean --version?\n" },
        { "help frobnicate", EXIT_USAGE,
          "gcncheck help: no command \"frobnicate\"; see gcncheck --help\n" },
        { "help --man --bash-completion", EXIT_USAGE,
          "gcncheck help: --man and --bash-completion are two different texts\n" },
        { "report", EXIT_USAGE,
          "gcncheck report: too few arguments; usage: gcncheck report JOURNAL...\n" },
        { "report /nonexistent", EXIT_USAGE,
          "gcncheck report: /nonexistent: cannot be opened: No such file or directory\n" },
        { "report /dev/null", EXIT_USAGE, "gcncheck report: /dev/null: is a device, not a file\n" },
        { "report /dev/null --format pdf", EXIT_USAGE, no_format },
        { "report /dev/null --canonical", EXIT_USAGE,
          "gcncheck report: --canonical is for --format jsonl; pages are always in order\n" },
        { "report /dev/null --out /nonexistent/x", EXIT_STOPPED,
          "gcncheck report: /nonexistent/x: cannot be written: No such file or directory\n" },
    };
    for (u32 i = 0; i < COUNT_OF(runs); i++) {
        is_i64(runs[i].code, run(runs[i].line, out, err), "exit code of: gcncheck %s",
               runs[i].line);
        is_str(runs[i].err, err, "one line on standard error");
        is_str("", out, "nothing on standard output");
    }
    is_i64(EXIT_CLEAN, run("--version", out, err), "--version");
    is_str("gcncheck " GCNCHECK_VERSION " (plug-in ABI 1)\n", out, "says so");
    is_i64(EXIT_USAGE, cmd_exit_worse(EXIT_STOPPED, EXIT_USAGE), "2 before 3");
    is_i64(EXIT_STOPPED, cmd_exit_worse(EXIT_DIFFERENCES, EXIT_STOPPED), "3 before 1");
    is_i64(EXIT_DIFFERENCES, cmd_exit_worse(EXIT_UNEXPECTED_PASS, EXIT_DIFFERENCES), "1 before 4");
    is_i64(EXIT_UNEXPECTED_PASS, cmd_exit_worse(EXIT_UNEXPECTED_PASS, EXIT_CLEAN), "4 before 0");
    is_i64(EXIT_CLEAN, cmd_exit_worse(EXIT_CLEAN, EXIT_CLEAN), "0 at last");
}

/* Journals that are whole, cut off, and damaged, through gcncheck report. */
static void reports(void)
{
    char path[TEMP_NAME_BYTES], line[192], want[192];
    struct journal_head head = { .version = "0.1", .mcpu = "gfx900", .dut = "model" };
    struct journal *j;
    struct err e = { 0 };
    struct result r;
    int fd = mkstemp(temp_name(path, "t_opts"));
    if (fd < 0 || journal_create(path, false, &head, &j, &e))
        bail("cannot write %s", path);
    close(fd);
    result_init(&r);
    RESULT_SET(r.title, "x");
    if (journal_result(j, &r, &e) || journal_close(j, true, &e))
        bail("%s", e.text);
    snprintf(line, sizeof(line), "report %s --format tap", path);
    is_i64(EXIT_CLEAN, run(line, out, err), "a whole journal as TAP");
    is_str("TAP version 13\n# gcncheck 0.1, gfx900, model\nok 1 - x\n1..1\n", out, "has a plan");

    FILE *f = fopen(path, "r+");
    if (!f || fseek(f, -1, SEEK_END) || ftruncate(fileno(f), ftell(f)) || fclose(f))
        bail("cannot cut %s", path);
    is_i64(EXIT_USAGE, run(line, out, err), "one that was cut off is read and told");
    ok(!strstr(out, "1..1") &&
           strstr(out, "ok 1 - x\nBail out!  the run did not come to its end\n"),
       "but has no plan");
    snprintf(line, sizeof(line), "report %s --format junit", path);
    is_i64(EXIT_USAGE, run(line, out, err), "the same as JUnit");
    ok(strstr(out, "errors=\"1\"") != NULL, "has an error");

    f = fopen(path, "a");
    if (!f || fputs("\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1\xc1", f) < 0 || fclose(f))
        bail("cannot damage %s", path);
    snprintf(line, sizeof(line), "report %s", path);
    is_i64(EXIT_USAGE, run(line, out, err), "damage is an exit code");
    snprintf(want, sizeof(want), "gcncheck report: %s: damaged from byte ", path);
    ok(strncmp(err, want, strlen(want)) == 0 && strchr(err, '\n') == err + strlen(err) - 1,
       "and one line: %s", err);
    ok(strstr(out, "right 1, wrong 0") != NULL, "what stands before it is reported");
    unlink(path);
}

/* Every command explains itself, and names only options that exist. */
static void help(void)
{
    is_i64(EXIT_CLEAN, run("--help", out, err), "--help");
    for (u32 i = 0; cmd_at(i); i++) {
        const struct command *c = cmd_at(i);
        char line[64], overview[96], usage[160];
        snprintf(overview, sizeof(overview), "\n  %-10s %s\n", c->name, c->help);
        if (!i)
            run("--help", out, err);
        else
            run("help", out, err);
        ok(strstr(out, overview) != NULL, "%s is listed", c->name);
        snprintf(line, sizeof(line), "%s --help", c->name);
        is_i64(EXIT_CLEAN, run(line, out, err), "gcncheck %s", line);
        snprintf(usage, sizeof(usage), "usage: gcncheck %s [OPTION]...", c->name);
        ok(strncmp(out, usage, strlen(usage)) == 0, "its usage");
        ok(strstr(out, "\nexamples:\n  ") && strstr(out, c->name), "its examples");
        u32 unknown = 0;
        for (const char *w = c->options; *w; w += strcspn(w, " "), w += *w == ' ') {
            u32 k = 0;
            while (opts_at(k) && !opts_has_word(opts_at(k)->name, w, strcspn(w, " ")))
                k++;
            unknown += !opts_at(k);
        }
        is_u64(0, unknown, "it takes only options that exist");
    }
    for (u32 k = 0; opts_at(k); k++) {
        const char *name = opts_at(k)->name;
        u32 takers = strcmp(name, "help") == 0; /* every command takes it */
        for (u32 i = 0; cmd_at(i); i++)
            takers += opts_has_word(cmd_at(i)->options, name, strlen(name));
        ok(takers > 0, "some command takes --%s", name);
    }
    is_i64(EXIT_CLEAN, run("help --man", out, err), "the manual page");
    ok(strncmp(out, ".TH GCNCHECK 1", 14) == 0, "is one");
    ok(strstr(out, "\n.nf\n  kernel vadd_f32 ") &&
           strstr(out, " unnormalized\n.fi\nA further line"),
       "what is written in columns stays so");
    is_i64(EXIT_CLEAN, run("help --bash-completion", out, err), "the completion");
    ok(strstr(out, "complete -o filenames -F _gcncheck gcncheck\n") != NULL, "is one");
    ok(strstr(out, "--delay-memory) _gcncheck_offer 'max';") != NULL,
       "it does not offer what stands for something else");
}

static void progress(void)
{
    struct progress p = { .what = "cases", .done = 250, .total = 1000, .findings = 1 };
    char line[160];
    is_str("250 of 1000 cases, 50/s, 0:15 to go, 1 finding", progress_line(&p, 5000, line, 160),
           "done, rate, time to go, findings");
    p = (struct progress){ .what = "streams", .done = 7200, .limit_ms = 7300000 };
    is_str("7200 streams, 72/s, 2:00:00 to go, 0 findings", progress_line(&p, 100000, line, 160),
           "a time limit alone tells what is to go");
    p = (struct progress){ .what = "streams" };
    is_str("0 streams, 0 findings", progress_line(&p, 0, line, 160), "nothing is known at first");

    /* Standard error is no terminal here or is told to be quiet: nothing is drawn either way. */
    struct opts o;
    struct err e;
    parse("x --quiet", &o, &e);
    progress_open(&p, o.quiet, o.color, "cases", 10);
    progress_set(&p, 5, 0);
    ok(!p.drawn, "--quiet draws nothing");
    ok(p.done == 5, "but counts");
}

static void colors(void)
{
    struct opts o;
    struct err e;
    int fds[2];
    if (pipe(fds))
        bail("no pipe");
    parse("x", &o, &e);
    ok(!color_use(o.color, fds[1]), "no colours in a pipe");
    parse("x --color always", &o, &e);
    setenv("NO_COLOR", "1", 1);
    ok(color_use(o.color, fds[1]), "--color always means it");
    parse("x --color never", &o, &e);
    ok(!color_use(o.color, fds[1]), "--color never too");
    close(fds[0]);
    close(fds[1]);
}

int main(void)
{
    take_every_option();
    defaults();
    values();
    refused();
    exit_codes();
    reports();
    help();
    progress();
    colors();
    return done();
}
