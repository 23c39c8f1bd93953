/* What the formats share that are pages of a summary: everything is summed up first, and printed
 * when the report is closed. */
#ifndef REPORTS_PAGE_H
#define REPORTS_PAGE_H

#include "reports/format.h"
#include "reports/summary.h"

/* As in struct report_writer; the state is a struct summary. */
bool page_open(struct report *r);
bool page_result(struct report *r, const struct result *result);
bool page_record(struct report *r, const struct journal_record *rec);
void page_journal(struct report *r, const struct journal_reader *rd);

/* Whether there is something to print: of a damaged journal, what it holds before its damage. */
bool page_has_contents(const struct report *r, const struct report_end *end);

#endif
