/* JSON lines: one object for each record of a journal, through jansson. */
#ifndef REPORTS_JSONL_H
#define REPORTS_JSONL_H

#include "reports/journal.h"

/* One record as a JSON object without a line end, in memory that the caller frees: a result with
 * "kind":"result" and the journal's keys, dwords as eight hex digits; heads, intents, rows and ends
 * likewise. NULL without memory. */
char *jsonl_text(const struct journal_record *rec);

#endif
