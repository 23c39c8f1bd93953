/* Places in code, and which work-groups, waves and hits are meant, as users write them: one notation
 * for the debugger's breakpoints (debug/command.c), --break and the filter of traces (filter.c). */
#ifndef HARNESS_LAUNCH_POINT_H
#define HARNESS_LAUNCH_POINT_H

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/debug_line.h"

enum { POINT_FILE_MAX = 256 };

/* An instruction, or a source line. */
struct point_place {
    bool is_line;
    u64 address; /* GPU address, if it is no line */
    char file[POINT_FILE_MAX];
    u32 line;
};

/* Of which work-group and wave; from the from_hit-th time on. */
struct point_limits {
    bool has_group, has_wave;
    u32 group[3], wave;
    u64 from_hit;
};

/* Reads ADDR (hexadecimal, an offset in the code object as disassembly shows it), SYMBOL, SYMBOL+N
 * (bytes) or, with lines, FILE:LINE. ST_INPUT if it is none, lies in no function or has no code.
 * lines may be NULL: no FILE:LINE. */
enum status point_parse(const struct codeobj *co, const struct debug_lines *lines, const char *text,
                        struct point_place *place, struct err *e);

/* Reads the value of "hit N", "group X[.Y[.Z]]" or "wave N" into *limits. False: it is none. */
bool point_parse_limit(const char *word, const char *value, struct point_limits *limits);

/* What is expected where point_parse_limit answered false. */
#define POINT_LIMITS_USAGE "'hit N', 'group X.Y.Z' or 'wave N'"

/* Whether this wave is meant. */
bool point_is_meant(const struct point_limits *limits, const u32 group[3], u32 wave);

#endif
