/* Which lines of a trace are printed: what --trace-only says. Alternatives, separated by `or`, each of
 * conditions that all must hold:
 *
 *   at PLACE [to PLACE]   the instruction, or those of a source line; up to another one
 *   in FUNCTION           those of a function
 *   op PATTERN            mnemonics, with or without the form's suffix, in which * and ? stand for others
 *   lanes N[-M]           vector instructions that so many lanes execute
 *   hit N | group X.Y.Z | wave N
 *
 * and behind all of them first N or last N, of the lines that are left. Places, hits, groups and waves
 * as the debugger has them (point.h). */
#ifndef HARNESS_LAUNCH_FILTER_H
#define HARNESS_LAUNCH_FILTER_H

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/debug_line.h"
#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

#include <stdio.h>

struct filter;

/* Reads the text for traces of *co, which stays open as long, like *lines (NULL: none). ST_INPUT
 * with the reason. The caller closes it, also after a failure. */
enum status filter_open(struct filter **f, const char *text, const struct codeobj *co,
                        const struct debug_lines *lines, struct err *e);
void filter_close(struct filter *f);

/* Whether the instruction that a wave is about to execute is printed. NULL takes all. */
bool filter_takes(struct filter *f, const u32 group[3], const struct wave *w,
                  const struct insn *in);

/* Where the next line is to be written: `out`, or what keeps it as one of the last (NULL: memory is
 * short, and it is lost); and that it is written. A filter of NULL answers `out`. */
FILE *filter_line(struct filter *f, FILE *out);
void filter_line_end(struct filter *f);

/* Whether a line was lost. */
bool filter_is_short(const struct filter *f);

/* Prints the last lines, and forgets them. NULL is nothing. */
void filter_end(struct filter *f, FILE *out);

#endif
