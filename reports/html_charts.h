/* What the HTML page draws: causes over time, and opcodes by forms. */
#ifndef REPORTS_HTML_CHARTS_H
#define REPORTS_HTML_CHARTS_H

#include "reports/summary.h"

#include <stdio.h>

/* How many causes were known when; nothing if the runs have no times. The summary is sorted. */
void html_charts_put_causes(FILE *out, const struct summary *s);

/* A table for each encoding: opcodes by forms. */
void html_charts_put_heat(FILE *out, const struct summary *s);

#endif
