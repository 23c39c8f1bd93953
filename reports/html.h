/* The HTML page of a summary: one file that needs no other, no script and no network, light or dark
 * as the reader's system says. Everything that came from outside is escaped. */
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

#include "reports/summary.h"

#include <stdio.h>

/* Prints the page (sorts first). What cannot be written shows in ferror(out). */
void html_print(struct summary *s, FILE *out);

#endif
