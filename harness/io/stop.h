/* The wish to end. The first SIGINT or SIGTERM is noted, and whatever runs ends in order: results
 * are kept, children end. One that comes more than a second later ends the process at once; until
 * then it is the same wish, which timeout(1) sends to the process and to its group. A process has
 * one such wish, so this is no object. */
#ifndef HARNESS_IO_STOP_H
#define HARNESS_IO_STOP_H

#include <signal.h>
#include <stdbool.h>

/* From here on both signals are noted. For a command that asks stop_requested(). */
void stop_catch(void);

/* The signal that came, or 0; from any thread. */
bool stop_requested(void);
const volatile sig_atomic_t *stop_flag(void);

/* "interrupted by SIGINT". */
const char *stop_text(void);

#endif
