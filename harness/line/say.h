/* How a command ends: its exit code, and what went wrong as one line on standard error. */
#ifndef HARNESS_LINE_SAY_H
#define HARNESS_LINE_SAY_H

#include "harness/line/opts.h"

/* Exit codes of the program. */
enum exit_code {
    EXIT_CLEAN = 0,
    EXIT_DIFFERENCES = 1, /* the DUT differs, crashes or hangs */
    EXIT_USAGE = 2,       /* bad options or bad input */
    EXIT_STOPPED = 3,     /* the run cannot go on: no device, no memory, output not writable */
    EXIT_UNEXPECTED_PASS = 4
};

/* The code that counts when both happened: the first that applies of 2, 3, 1, 4. */
int cmd_exit_worse(int a, int b);

/* The code for a status: ST_OK clean, ST_INPUT usage, ST_WORLD stopped. */
int cmd_exit_for(enum status st);

/* Prints "gcncheck NAME: text" as one line on standard error. Returns `code`. */
int cmd_error(const struct opts *o, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for what a function said: "gcncheck NAME: file:line: text". Returns cmd_exit_for(st). */
int cmd_fail(const struct opts *o, enum status st, const struct err *e);

/* The same where no command is known: "gcncheck: text". */
void cmd_error_text(const char *text);

/* Whether any of these printed since the last cmd_error_forget, with which a command line
 * begins. */
bool cmd_error_was_printed(void);
void cmd_error_forget(void);

#endif
