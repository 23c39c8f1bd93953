#include "harness/line/help.h"

#include "fuzz/gen/gen.h"
#include "reports/format.h"

static const char introduction[] =
    "gcncheck tests implementations of AMD GCN GPUs: directed cases and random programs run on a\n"
    "device under test (DUT) and on a reference model, and differences are reported per "
    "instruction.\n";

static const char *const exit_texts[] = {
    "0  clean",
    "1  differences: the DUT is wrong, crashes or hangs",
    "2  bad options or bad input",
    "3  the run cannot go on: no device, no memory, output not writable",
    "4  something passed that was expected to fail",
};

/* What stands where, for the manual page: pairs of a place and what it is. */
static const char *const places[][2] = {
    { "PREFIX/share/gcncheck/cases", "gcncheck's own directed cases, and kernels" },
    { "PREFIX/share/gcncheck/sdk", "examples: devices under test in C and Python, hosts for code "
                                   "objects that check themselves,\n"
                                   "readers of vectors" },
    { "PREFIX/include/gcncheck_dut.h", "what a plug-in is: the whole contract" },
    { "PREFIX/include/gcncheck_vectors.h", "the reader of vectors for C" },
    { "PREFIX/share/pkgconfig/gcncheck.pc",
      "pkg-config \\-\\-cflags gcncheck; \\-\\-variable=examplesdir and =casesdir name these "
      "folders" },
    { "PREFIX/lib/gcncheck", "the virtual GPU, and cards through libdrm_amdgpu, which are loaded" },
    { "~/.local/state/gcncheck\\-submitted.*",
      "what was submitted to a card and not answered (in $XDG_STATE_HOME, if that is set)" },
};
static const char *const variables[][2] = {
    { "NO_COLOR", "if set and not empty, \\-\\-color auto is never" },
    { "XDG_STATE_HOME", "see FILES" },
};

/* Option columns: "  --mcpu NAME". */
static void print_options(FILE *out, const struct command *c)
{
    for (u32 i = 0; opts_at(i); i++) {
        const struct opt *opt = opts_at(i);
        char head[96], help[512];
        if (!opts_has_word(c->options, opt->name, strlen(opt->name)) &&
            strcmp(opt->name, "help") != 0)
            continue;
        snprintf(head, sizeof(head), "--%s%s%s", opt->name, opt->arg ? " " : "",
                 opt->arg ? opt->arg : "");
        if (strlen(head) > 24)
            fprintf(out, "  %s\n%28s%s\n", head, "", opts_help(opt, help, sizeof(help)));
        else
            fprintf(out, "  %-24s  %s\n", head, opts_help(opt, help, sizeof(help)));
    }
}

/* The lines of a command's explanation that stand for tables. */
static const char all_formats[] = "{formats}\n", streamed_formats[] = "{streamed formats}\n",
                  known_failures[] = "{known failures}\n", steering[] = "{steering}\n";

static const char known_text[] =
    "--known FILE lists failures that are known: they do not fail the run and are counted by "
    "themselves; run\n"
    "makes each a TODO with its reason, fuzz does not print them. A failure is named by its cause, "
    "as both\n"
    "print it: opcode, form and what differs, with * and ? as in a shell. Below it, indented, "
    "stand its reason\n"
    "and, if need be, the last day on which it is known and the commands that show it:\n"
    "\n"
    "  known-format 1\n"
    "  # a comment\n"
    "  v_bfe_u32 e64: vgpr\n"
    "      until 2027-03-31\n"
    "      by run fuzz\n"
    "      fields past bit 31 (ticket 12)\n"
    "\n"
    "An entry that could have failed and did not is warned of and does not fail the run; so is one "
    "whose day is\n"
    "over, and that fails it. --update-known writes the file: what is new is added (its reason is "
    "yours to\n"
    "give), the rest stays as it is, and the exit code is 0. fuzz takes nothing out: what is rare "
    "may show\n"
    "another day.\n";

static bool text_has(const struct command *c, const char *line)
{
    for (u32 i = 0; i < COMMAND_PARTS && c->text[i]; i++)
        if (strstr(c->text[i], line))
            return true;
    return false;
}

bool help_lists_formats(const struct command *c, bool *streams)
{
    *streams = text_has(c, streamed_formats);
    return *streams || text_has(c, all_formats);
}

/* "  --format tap     what it holds", and further lines of that below it. */
static void add_formats(struct text *t, bool streams)
{
    const struct report_format *first = report_format_find(NULL, streams);
    for (u32 i = 0; report_format_at(i); i++) {
        const struct report_format *f = report_format_at(i);
        if (streams && !f->streams)
            continue;
        text_add(t, "  --format %-7s ", f->name);
        for (const char *c = f->what; *c && !(streams && *c == '\n'); c++)
            text_add(t, *c == '\n' ? "%c%19s" : "%c", *c, "");
        if (streams && f->other_name)
            text_add(t, "; --format %s is the same", f->other_name);
        text_add(t, "%s\n", f == first ? " (default)" : "");
    }
}

/* What random programs are made of. */
static void add_steering(struct text *t)
{
    const struct gen_profile *p;
    text_add(
        t,
        "--only makes the programs turn around some opcodes, --form around one form; --skip leaves "
        "opcodes\nout. --profile NAME,NAME makes them turn around:\n");
    for (u32 i = 0; (p = gen_profile_at(i)); i++)
        text_add(t, "  %-8s %s\n", p->name, p->text);
    text_add(
        t,
        "--weights FILE holds lines of a mnemonic, an encoding or * (with /FORM behind it for one "
        "form) and\nhow often it is drawn, 0 to 1000000: 1 is usual, a later line counts more, # "
        "begins a comment.\n"
        "--coverage FILE counts what the programs cover (gcncheck cover), on top of what FILE "
        "holds;\n--fill-holes makes them of what is not covered yet. --jobs changes nothing of "
        "that.\n--diagnose says of every finding what gcncheck diagnose does.\n\n");
}

enum { EXPLANATION_SIZE = 16384 };

/* One part, with what lines in braces stand for. */
static void explain_part(const char *part, struct text *t)
{
    size_t len;
    for (const char *at = part; *at; at += len) {
        len = strcspn(at, "\n");
        len += at[len] == '\n';
        if (strncmp(at, all_formats, len) == 0)
            add_formats(t, false);
        else if (strncmp(at, streamed_formats, len) == 0)
            add_formats(t, true);
        else if (strncmp(at, known_failures, len) == 0)
            text_add(t, "%s", known_text);
        else if (strncmp(at, steering, len) == 0)
            add_steering(t);
        else
            text_add(t, "%.*s", (int)len, at);
    }
}

/* The explanation of a command; returns buf. */
static const char *explain(const struct command *c, char buf[EXPLANATION_SIZE])
{
    struct text t;
    text_init(&t, buf, EXPLANATION_SIZE);
    for (u32 i = 0; i < COMMAND_PARTS && c->text[i]; i++)
        explain_part(c->text[i], &t);
    if (t.full)
        BUG("the explanation of a command is too long");
    return buf;
}

/* Calls for each line of a text, without its line end. */
static void print_lines(FILE *out, const char *before, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", before, (int)len, text);
        text += len;
        text += *text == '\n';
    }
}

void help_print_overview(FILE *out, const struct command *commands)
{
    fprintf(out, "usage: gcncheck COMMAND [OPTION]... [ARGUMENT]...\n\n%s\ncommands:\n",
            introduction);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->help);
    fprintf(out, "\nexamples:\n");
    for (const struct command *c = commands; c->name; c++) {
        const char *first = c->examples;
        fprintf(out, "  %.*s\n", (int)strcspn(first, "\n"), first);
    }
    fprintf(out, "\nexit codes:\n");
    for (u32 i = 0; i < COUNT_OF(exit_texts); i++)
        fprintf(out, "  %s\n", exit_texts[i]);
    fprintf(out, "\ngcncheck COMMAND --help explains a command and its options.\n");
}

void help_print_command(FILE *out, const struct command *c)
{
    char text[EXPLANATION_SIZE];
    fprintf(out, "usage: gcncheck %s [OPTION]...%s%s\n\n", c->name, c->args[0] ? " " : "", c->args);
    print_lines(out, "", explain(c, text));
    fprintf(out, "\noptions:\n");
    print_options(out, c);
    fprintf(out, "\nexamples:\n");
    print_lines(out, "  ", c->examples);
}

/* A text for troff: what would be a request or an escape is neither, and lines that begin with a
 * blank stay as they are. */
static void put_roff(FILE *out, const char *text)
{
    bool line_start = true, as_is = false;
    for (const char *c = text; *c; c++) {
        if (line_start && (*c == ' ') != as_is) {
            as_is = !as_is;
            fputs(as_is ? ".nf\n" : ".fi\n", out);
        }
        if (line_start && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        line_start = *c == '\n';
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else
            fputc(*c, out);
    }
    if (as_is)
        fputs(".fi\n", out);
}

static void put_roff_options(FILE *out, const struct command *c)
{
    for (u32 i = 0; opts_at(i); i++) {
        const struct opt *opt = opts_at(i);
        char help[512];
        if (!opts_has_word(c->options, opt->name, strlen(opt->name)))
            continue;
        fputs(".TP\n.BI \\-\\-", out);
        put_roff(out, opt->name);
        if (opt->arg) {
            fputs(" \" ", out);
            put_roff(out, opt->arg);
            fputc('"', out);
        }
        fputc('\n', out);
        put_roff(out, opts_help(opt, help, sizeof(help)));
        fputc('\n', out);
    }
}

/* A section of names and what they are. */
static void put_roff_pairs(FILE *out, const char *title, const char *const pair[][2], u32 count)
{
    fprintf(out, ".SH %s\n", title);
    for (u32 i = 0; i < count; i++)
        fprintf(out, ".TP\n.I %s\n%s\n", pair[i][0], pair[i][1]);
}

void help_print_man(FILE *out, const struct command *commands)
{
    fprintf(out,
            ".TH GCNCHECK 1 \"\" \"gcncheck %s\" \"\"\n.SH NAME\n"
            "gcncheck \\- conformance tests for AMD GCN GPUs\n.SH SYNOPSIS\n.B gcncheck\n"
            ".I COMMAND\n[OPTION]... [ARGUMENT]...\n.SH DESCRIPTION\n",
            GCNCHECK_VERSION);
    put_roff(out, introduction);
    fputs(".SH COMMANDS\n", out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, ".SS \"%s %s\"\n", c->name, c->args);
        char text[EXPLANATION_SIZE];
        put_roff(out, explain(c, text));
        fputc('\n', out);
        put_roff_options(out, c);
        fputs(".PP\nExamples:\n.PP\n.nf\n", out);
        put_roff(out, c->examples);
        fputs(".fi\n", out);
    }
    put_roff_pairs(out, "FILES", places, COUNT_OF(places));
    put_roff_pairs(out, "ENVIRONMENT", variables, COUNT_OF(variables));
    fputs(".SH EXIT STATUS\n.nf\n", out);
    for (u32 i = 0; i < COUNT_OF(exit_texts); i++)
        fprintf(out, "%s\n", exit_texts[i]);
    fputs(".fi\n", out);
}
