#include "harness/line/say.h"

#include "reports/result.h"

#include <stdio.h>

int cmd_exit_worse(int a, int b)
{
    static const int order[] = { EXIT_USAGE, EXIT_STOPPED, EXIT_DIFFERENCES, EXIT_UNEXPECTED_PASS };
    for (u32 i = 0; i < COUNT_OF(order); i++) {
        if (a == order[i] || b == order[i])
            return order[i];
    }
    return EXIT_CLEAN;
}

int cmd_exit_for(enum status st)
{
    return st == ST_OK ? EXIT_CLEAN : st == ST_INPUT ? EXIT_USAGE : EXIT_STOPPED;
}

/* Whether an error was printed. */
static bool is_printed;

/* One line on standard error, whatever the text holds. */
static void put_error(const char *command, const char *text)
{
    char line[1024];
    struct text t;
    text_init(&t, line, sizeof(line));
    text_add(&t, "gcncheck%s%s: %s", command ? " " : "", command ? command : "", text);
    result_clean(line, false);
    fflush(stdout);
    fprintf(stderr, "%s\n", line);
    is_printed = true;
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
    return cmd_exit_for(st);
}

void cmd_error_text(const char *text)
{
    put_error(NULL, text);
}

bool cmd_error_was_printed(void)
{
    return is_printed;
}

void cmd_error_forget(void)
{
    is_printed = false;
}
