/* What of coverage only shows when a stream is executed. */
#ifndef HARNESS_CAMPAIGN_WATCH_H
#define HARNESS_CAMPAIGN_WATCH_H

#include "fuzz/cover/cover.h"
#include "fuzz/gen/gen.h"

/* Executes streams on the model and counts modes, lanes and values. One thread's. */
struct watch;
enum status watch_open(struct watch **watch, const char *mcpu, struct err *e);
void watch_close(struct watch *watch);
enum status watch_run(struct watch *watch, const struct stream *stream, struct cover_seen *seen,
                      struct err *e);

#endif
