/* The runs that journals hold, and whether they make a whole: each shard of a run once, all of them of
 * the same device and the same cases. */
#ifndef REPORTS_PARTS_H
#define REPORTS_PARTS_H

#include "reports/journal.h"

/* A run, or a shard of one. */
struct part {
    struct journal_head head;
    char file[256]; /* the journal that holds it */
};

struct parts {
    struct part *at; /* owned; parts_free frees it */
    u32 count, cap;
};

/* Adds the run with that head. False: no memory. */
bool parts_add(struct parts *p, const struct journal_head *head, const char *file);
void parts_free(struct parts *p);

/* Brings them into order. ST_INPUT and a line that names the first thing that is wrong: a run or a
 * shard that is there twice, shards of different builds of a device or of different cases, and,
 * unless `partial`, shards that are missing. */
enum status parts_check(struct parts *p, bool partial, struct err *e);

/* Takes --shard I/N out of a run's arguments: what is left, all its shards share. */
void parts_drop_shard(char *args);

/* Whether two heads, their arguments without --shard, are of the same run or of shards of it. */
bool parts_same_run(const struct journal_head *a, const struct journal_head *b);

#endif
