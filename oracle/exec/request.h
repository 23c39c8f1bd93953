/* Memory instructions on their way: what each needs of its wave, as it was when the instruction was
 * issued, and the order in which those of a compute unit reach memory. Between request.c, which
 * performs them, and weak.c, which says when. */
#ifndef ORACLE_EXEC_REQUEST_H
#define ORACLE_EXEC_REQUEST_H

#include "oracle/exec/cache.h"
#include "oracle/exec/exec.h"
#include "oracle/exec/pending.h"

enum {
    REQUESTS = 1024,      /* of a device */
    UNIT_REQUESTS = 64,   /* of a compute unit, not performed */
    REQUEST_SOURCES = 24, /* vector registers that an instruction reads */
    REQUEST_PUTS = 256,   /* writes of one: 64 lanes, 16 bytes in any pieces of 4 or 8 */
    REQUEST_LINES = 128,  /* lines that are told apart */
    SCALAR_UNITS = 3      /* compute units that share a scalar cache */
};

/* Bytes on their way to memory. */
struct request_put {
    u8 *at;
    u64 value;
    u32 bytes;
};

/* A line that an instruction touches; dirty: the bytes that it writes. */
struct request_line {
    u64 number, dirty;
};

struct request {
    struct machine *m; /* NULL: its wave has ended, nobody waits for it */
    struct wave *w;
    const struct xinsn *in;
    u64 pc;
    u64 serial, due; /* in order of issue; when it is performed if nobody waits */
    u64 channels;    /* of L2 to which it goes, by bit */
    struct pending_numbers n;
    u32 unit;
    u8 kind;   /* enum pending_kind */
    u8 dw;     /* of the destination; 0: none */
    u16 place; /* of the destination */
    bool is_performed;
    bool is_awaited;        /* its wave takes the result as soon as it is performed */
    bool writes;            /* to L2 */
    bool uses_lds;          /* LDS or GDS */
    bool is_overflown;      /* it touches more than is told apart */
    bool is_late;           /* it takes its data when it is performed, or before */
    bool is_taken;          /* it has */
    bool is_private;        /* late, with memory of its wave's own */
    u8 data_at, data_count; /* of source[]: its data */
    u32 source_count, put_count, line_count;
    u16 source[REQUEST_SOURCES];
    u32 sgpr[SGPRS + SGPR_TAIL]; /* from first_scalar on */
    u32 value[PENDING_ROWS][LANES];
    u32 captured[REQUEST_SOURCES][LANES];
    struct request_line line[REQUEST_LINES];
    struct request_put put[REQUEST_PUTS];
};

/* A compute unit: what it has on the way, in order of issue, and its vector cache. */
struct unit {
    u32 count;
    struct request *order[UNIT_REQUESTS];
    struct cache l1;
};

/* What an access through the device's view does. */
enum request_mode {
    MODE_RECORD, /* notes lines and writes; reads are 0 */
    MODE_CACHED, /* reads lines of the vector cache, all of which are there */
    MODE_SCALAR  /* reads and writes lines of the scalar cache */
};

struct weak {
    struct memory_view view; /* first: it is what accesses get */
    enum request_mode mode;
    struct request *now; /* whose access it is */
    u64 seed;
    u64 private_base, private_size;
    struct rng rng;
    u64 clock, next_due, serial;
    u32 unit_count;
    struct unit *unit;
    u64 *busy;            /* units that have something on the way, by bit */
    struct cache *scalar; /* of SCALAR_UNITS units each */
    struct request *request;
    u32 free_count;
    struct request **free;
};

/* A request that is in nobody's hands, with all that the instruction reads of its wave; NULL if all
 * are on the way. */
struct request *request_begin(struct weak *s, struct machine *m, struct wave *w,
                              const struct xinsn *in, enum pending_kind kind);
void request_free(struct weak *s, struct request *r);

/* Finds out what a vector instruction touches, and notes its writes. False: all is done, or the
 * wave has stopped; there is nothing to perform. */
bool request_record(struct weak *s, struct request *r);

/* It takes its data, if it has not. Its wave must be there. */
void request_take(struct weak *s, struct request *r);

/* Puts it at the end of its unit's queue. There must be room. */
void request_issue(struct weak *s, struct request *r);

/* Performs a load by what the vector cache holds. */
void request_hit(struct weak *s, struct request *r);

/* Performs it, and before it what has to reach memory before. Those of waves that have ended are
 * free then. Whether any byte of memory changed. */
bool request_perform(struct weak *s, struct request *r);

/* Its wave gets the result, if it has not got it. */
void request_deliver(const struct request *r);

#endif
