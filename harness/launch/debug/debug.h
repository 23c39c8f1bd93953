/* The debugger of a launch: it looks at every instruction before and behind it, stops where its
 * points say, and asks whoever leads it: commands (command.c), or gdb over its remote serial
 * protocol (gdb.c). */
#ifndef HARNESS_LAUNCH_DEBUG_DEBUG_H
#define HARNESS_LAUNCH_DEBUG_DEBUG_H

#include "oracle/base/base.h"

#include <stdio.h>

struct launch_watcher;

/* Led by the commands of a file ("-": standard input), which prints to `out`. ST_INPUT if it cannot
 * be read. The caller closes it. */
enum status debug_open(struct launch_watcher **g, const char *commands, FILE *out, struct err *e);

/* Led by gdb: "-" is standard input and output (what the launch prints goes to standard error
 * then), "unix:PATH" a socket, else a port of the loopback interface, 0: any. Waits for the one
 * client. ST_INPUT for another text, ST_WORLD if there is no such connection. */
enum status debug_open_gdb(struct launch_watcher **g, const char *where, struct err *e);

/* Tells the client the exit code and frees all. NULL is nothing. Answers what was wrong with
 * its commands or its client, NULL: nothing. */
const char *debug_close(struct launch_watcher *g, int exit_code);

#endif
