/* What the HTML page draws: causes over time, and opcodes by forms. */
#ifndef REPORTS_HTML_CHARTS_H
#define REPORTS_HTML_CHARTS_H

#include "reports/summary.h"

#include <stdio.h>

/* The class of what has these counts, and the mark (markup) by which it is told without colours. */
void html_charts_mark(const u64 count[TALLY_COUNT], const char **class, const char **mark);

/* " title=..." with the counts that are not 0. */
void html_charts_put_title(FILE *out, const u64 count[TALLY_COUNT]);

/* How many causes were known when; nothing if the runs have no times. The summary is sorted. */
void html_charts_put_causes(FILE *out, const struct summary *s);

/* A table for each encoding: opcodes by forms. */
void html_charts_put_heat(FILE *out, const struct summary *s);

#endif
