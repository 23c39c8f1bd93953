/* gcncheck litmus: small programs of several waves, run many times on memory that is as weak as the
 * documents allow (oracle/exec/weak.h), and how often each outcome came. file.c reads tests, run.c
 * runs one. A file:
 *
 *   litmus-format 1                    the first line; a comment runs from # to the end of a line
 *   test MP relaxed                    begins a test and names it
 *   mcpu gfx900                        the processor, if it is not that of --mcpu
 *   global x y=5                       dwords of memory, each in a line of its own; 0 at first
 *   local z                            the same in the LDS of each work-group
 *   thread P0 group 0                  a wave of a work-group; work-groups are on compute units of
 *                                      their own, or as said: thread P0 group 0 cu 3
 *   before                             indented assembly that runs to its end before any code does
 *       global_load_dword v9, $x, off
 *       s_waitcnt vmcnt(0)
 *   code                               indented assembly of the wave, lane 0 is on (EXEC is 1; the
 *                                      registers below hold the same in lanes 0 to 3); some s_nop
 *                                      and s_endpgm are added
 *       global_store_dword $x, $1, off
 *   forbid P1:v0=1 P1:v1=0             must not come: registers of a thread (v0: of
 *                                      lane 0; v0.lane1), memory at the end
 *   expect x=2                         must come at least once
 *   allow P1:v0=0                      may come; counted
 *
 * In assembly $x is the vector registers with the address of x (of a local the one with its offset),
 * $x.flat those with its flat address, $x.s and $x.rsrc scalar registers with its address and a
 * buffer that begins there, $5 a vector register with that value. v0-v19 and s0-s15 are 0. */
#ifndef HARNESS_LITMUS_LITMUS_H
#define HARNESS_LITMUS_LITMUS_H

#include "harness/io/lines.h"
#include "oracle/state/place.h"

enum {
    LITMUS_NAME = 100,
    LITMUS_WORD = 16,
    LITMUS_LANES = 4, /* whose registers are set */
    LITMUS_THREADS = 8,
    LITMUS_LOCATIONS = 8,
    LITMUS_VALUES = 16,
    LITMUS_PLACES = 16,
    LITMUS_CONDITIONS = 16,
    LITMUS_OUTCOMES = 256,
    LITMUS_TEXT = 8192
};

struct litmus_location {
    char name[LITMUS_WORD];
    bool is_local;
    u32 initial;
};

struct litmus_thread {
    char name[LITMUS_WORD];
    u32 group, cu;
    u32 before_at, code_at; /* bytes into the text of the test's program, and their ends */
    u32 before_end, code_end;
};

/* What an outcome consists of: a register of a thread, or a location. */
struct litmus_place {
    char name[2 * LITMUS_WORD];
    bool is_register;
    u32 index; /* of the thread or the location */
    u32 place, lane;
};

enum litmus_rule { LITMUS_FORBID, LITMUS_EXPECT, LITMUS_ALLOW };

struct litmus_condition {
    enum litmus_rule rule;
    char text[LITMUS_NAME];
    u32 used; /* places, by bit */
    u32 value[LITMUS_PLACES];
    u64 seen;
};

struct litmus_outcome {
    u32 value[LITMUS_PLACES];
    u64 seen;
};

struct litmus_test {
    char name[LITMUS_NAME];
    char mcpu[LITMUS_WORD];
    u64 line; /* where it begins */
    u32 location_count, thread_count, value_count, place_count, condition_count, outcome_count;
    struct litmus_location location[LITMUS_LOCATIONS];
    struct litmus_thread thread[LITMUS_THREADS];
    u32 value[LITMUS_VALUES]; /* of $N */
    struct litmus_place place[LITMUS_PLACES];
    struct litmus_condition condition[LITMUS_CONDITIONS];
    struct litmus_outcome outcome[LITMUS_OUTCOMES];
    u64 runs;
    u32 text_len;
    char text[LITMUS_TEXT]; /* assembly, $ replaced by registers */
};

/* A file of tests, read one after the other. */
struct litmus_file {
    const char *path;
    struct lines lines;
    const char *line; /* the next, which begins a test; NULL: the end */
    const char *mcpu;
};

/* ST_INPUT if the file cannot be read or is none of this format. */
enum status litmus_open(struct litmus_file *f, const char *path, const char *mcpu, struct err *e);
void litmus_close(struct litmus_file *f);

/* Reads the next test into *t; false in *more at the end. ST_INPUT names line and reason. */
enum status litmus_next(struct litmus_file *f, struct litmus_test *t, bool *more, struct err *e);

/* Registers of what $ names. */
enum litmus_register {
    LITMUS_V_ADDRESS = 20, /* pairs, one for each location */
    LITMUS_V_OFFSET = 40,
    LITMUS_V_VALUE = 60,
    LITMUS_S_ADDRESS = 16,
    LITMUS_S_BUFFER = 32
};

/* Runs it `runs` times with seeds drawn from `seed`, and counts; fewer times if all that is expected
 * has come and nothing is forbidden. ST_INPUT if a program cannot be assembled or run to its end. */
enum status litmus_run(struct litmus_test *t, u64 runs, u64 seed, struct err *e);

/* Whether what is forbidden came; whether something that is expected did not. */
bool litmus_is_wrong(const struct litmus_test *t);
bool litmus_is_missing(const struct litmus_test *t);

#endif
