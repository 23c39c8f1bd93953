#include "harness/cmd/cmd.h"

#include "harness/sdk/gcncheck_dut.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>

static const struct command commands[] = {
#define COMMAND(name, args, min, max, options, help, text, examples) \
    { #name, cmd_##name, args, min, max, options, help, text, examples },
#include "harness/cmd/cmd.def"
#undef COMMAND
};

const struct command *cmd_at(u32 index)
{
    return index < COUNT_OF(commands) ? &commands[index] : NULL;
}

const struct command *cmd_find(const char *name)
{
    for (u32 i = 0; i < COUNT_OF(commands); i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

int exit_worse(int a, int b)
{
    static const int order[] = { EXIT_USAGE, EXIT_STOPPED, EXIT_DIFFERENCES, EXIT_UNEXPECTED_PASS };
    for (u32 i = 0; i < COUNT_OF(order); i++) {
        if (a == order[i] || b == order[i])
            return order[i];
    }
    return EXIT_CLEAN;
}

int exit_for(enum status st)
{
    return st == ST_OK ? EXIT_CLEAN : st == ST_INPUT ? EXIT_USAGE : EXIT_STOPPED;
}

/* Whether something was said about what went wrong. */
static bool is_told;

/* One line on standard error, whatever the text holds. */
static void put_error(const char *command, const char *text)
{
    char line[1024];
    struct text t;
    text_init(&t, line, sizeof(line));
    text_add(&t, "gcncheck%s%s: %s", command ? " " : "", command ? command : "", text);
    for (char *c = line; *c; c++) {
        if (iscntrl((u8)*c))
            *c = '?';
    }
    fflush(stdout);
    fprintf(stderr, "%s\n", line);
    is_told = true;
}

int cmd_error(const struct opts *o, int code, const char *fmt, ...)
{
    char text[900];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    put_error(o->command->name, text);
    return code;
}

int cmd_fail(const struct opts *o, enum status st, const struct err *e)
{
    char text[600];
    put_error(o->command->name, err_text(e, text, sizeof(text)));
    return exit_for(st);
}

static int unknown_command(const char *given)
{
    const char *names[COUNT_OF(commands) + 3] = { "--help", "--version" };
    char text[256];
    struct text t;
    for (u32 i = 0; i < COUNT_OF(commands); i++)
        names[i + 2] = commands[i].name;
    const char *near = opts_nearest(given, names);
    text_init(&t, text, sizeof(text));
    text_add(&t, "no %s %.60s", given[0] == '-' ? "option" : "command", given);
    if (near)
        text_add(&t, ", did you mean %s?", near);
    else
        text_add(&t, "; see gcncheck --help");
    put_error(NULL, text);
    return EXIT_USAGE;
}

/* A result that did not reach its file is no result. */
static int finish(int code)
{
    if (fflush(stdout) || ferror(stdout)) {
        if (!is_told)
            put_error(NULL, "cannot write standard output");
        return exit_worse(code, EXIT_STOPPED);
    }
    return code;
}

int cmd_main(int argc, char **argv)
{
    struct opts o;
    struct err e = { 0 };
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write() */
    is_told = false;
    if (argc < 2) {
        put_error(NULL, "which command? gcncheck --help lists them");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cmd_print_overview(stdout);
        return finish(EXIT_CLEAN);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gcncheck %s (plug-in ABI %d)\n", GCNCHECK_VERSION, GCNCHECK_DUT_ABI);
        return finish(EXIT_CLEAN);
    }
    const struct command *c = cmd_find(argv[1]);
    if (!c)
        return unknown_command(argv[1]);
    enum status st = opts_parse(&o, c, argc - 1, argv + 1, &e);
    if (st)
        return cmd_fail(&o, st, &e);
    if (o.help) {
        cmd_print_help(stdout, c);
        return finish(EXIT_CLEAN);
    }
    return finish(c->run(&o));
}
