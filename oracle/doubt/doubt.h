/* Other readings of the manuals: for entries of the ledger that have one which can be computed
 * (oracle/errata/other.def), what an instruction does by it. With these, the rows of the cases that
 * rest on an entry are those that fail on a model that reads it otherwise, and a difference touches
 * an entry if it stands where the other reading gives something else. */
#ifndef ORACLE_DOUBT_DOUBT_H
#define ORACLE_DOUBT_DOUBT_H

#include "oracle/errata/errata.h"
#include "oracle/exec/exec.h"

/* The other reading number `index`, in the order of other.def: its entry, and what it says.
 * doubt_entry is NULL behind the last; there are at most 64. */
const struct erratum *doubt_entry(u32 index);
const char *doubt_reading(u32 index);

/* Bit i: reading number i may change what the opcode does. About 16 KiB; the caller's. */
struct doubt_table {
    u64 of_op[OPS_MAX];
};
void doubt_table_fill(struct doubt_table *t);

/* Bits of the readings of the entries that `ids` names, between commas; "all" names every one.
 * ST_INPUT: an entry that has none. */
enum status doubt_parse(const char *ids, u64 *readings, struct err *e);

/* Executes x, behind which PC already stands, as the readings say. */
void doubt_exec(struct wave *w, const struct xinsn *x, u64 readings);

/* A step loop that reads otherwise; an engine's `exec` points to its first member. */
struct doubt_engine {
    struct exec_ops ops;
    u64 readings;
    struct doubt_table table;
};
void doubt_engine_open(struct doubt_engine *d, u64 readings);

/* ---- what one instruction touches ---- */

enum { DOUBTS_MAX = 8 };

struct doubts {
    u32 count;
    struct {
        const struct erratum *entry;
        u64 lanes; /* of vector registers that come out otherwise */
        bool rest; /* something else does: scalar registers, memory */
    } at[DOUBTS_MAX];
};

/* Room for trying, about 700 KiB; the caller's. The most that is written: a reading that replaces
 * each lane of a result of four registers by itself logs four whole registers a lane. */
enum { DOUBT_LOG_ENTRIES = 4096, DOUBT_LOG_DW = 1 << 15 };
struct doubt_scratch {
    struct wlog_entry entry[2][DOUBT_LOG_ENTRIES];
    u32 data[2][DOUBT_LOG_DW];
    u32 after[DOUBT_LOG_DW];
};

/* Fills *d with the entries that x, prepared by a machine of the `ref` engine, touches if it runs on
 * w now. Changes nothing in w that a program can see. */
void doubt_touched(const struct doubt_table *t, struct wave *w, const struct xinsn *x,
                   struct doubt_scratch *s, struct doubts *d);

#endif
