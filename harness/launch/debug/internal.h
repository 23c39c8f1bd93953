/* Shared by the files of the debugger. */
#ifndef HARNESS_LAUNCH_DEBUG_INTERNAL_H
#define HARNESS_LAUNCH_DEBUG_INTERNAL_H

#include "harness/launch/debug/debug.h"
#include "harness/launch/internal.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"

enum { DEBUG_POINTS_MAX = 256 };

enum debug_kind {
    DEBUG_BREAK,  /* before the instruction at an address */
    DEBUG_LINE,   /* where a wave comes to a source line, from another or by a jump back */
    DEBUG_MEMORY, /* behind an access to a range of addresses */
    DEBUG_REGISTER
};

struct debug_point {
    u32 number;
    enum debug_kind kind;
    bool read, write;       /* which accesses of DEBUG_MEMORY and DEBUG_REGISTER count */
    u64 address, size;      /* GPU address, bytes */
    struct place_range reg; /* written: its value changes */
    char file[POINT_FILE_MAX];
    u32 line;
    struct point_limits only; /* it stops from their from_hit-th hit on */
    u64 hits;
    /* What the instruction under way does. */
    bool is_hit;
    struct mem_access access;
    u32 old[PLACE_DW_MAX][LANES];
};

/* How the launch goes on. */
enum debug_run {
    DEBUG_CONTINUE,
    DEBUG_STEP,      /* `steps` instructions of the wave */
    DEBUG_STEP_LINE, /* to another source line of the wave */
    DEBUG_NEXT_LINE, /* the same, over calls */
    DEBUG_FINISH,    /* until its function returns */
    DEBUG_ANY        /* to the next instruction of any wave: the one that was stepped has ended */
};

enum debug_why {
    DEBUG_AT_START,
    DEBUG_AT_POINT,
    DEBUG_AT_STEP,
    DEBUG_AT_WATCH,
    DEBUG_AT_INTERRUPT,
    DEBUG_AT_END /* the launch cannot go on */
};

struct debugger {
    struct launch_watcher watcher; /* what the launch knows of it */
    FILE *out;
    /* At a stop; false ends the launch. */
    bool (*ask)(struct debugger *g);
    /* Whether who leads it wants a stop; NULL: never. */
    bool (*wants)(struct debugger *g);
    const char *(*close)(struct debugger *g, int exit_code);
    void *front; /* of who leads it */
    /* The stop. */
    struct dispatch *d;
    struct group_run *run;
    struct wave *w;
    enum debug_why why;
    const struct debug_point *at; /* &hit with DEBUG_AT_POINT and DEBUG_AT_WATCH; else NULL */
    struct debug_point hit;       /* as the point was: points may be removed at a stop */
    const char *end;              /* with DEBUG_AT_END: why */
    bool has_begun, is_free /* nothing stops it any more */;
    /* How it goes on. */
    enum debug_run how;
    u64 steps, done; /* instructions wanted, and executed since */
    u64 group;       /* whose */
    u32 wave, depth;
    const struct debug_line *line; /* where it was; NULL: not known */
    struct debug_point point[DEBUG_POINTS_MAX];
    u32 points, last_number;
    bool has_memory;      /* a point of that kind */
    bool is_looking;      /* an instruction is under way */
    struct observer seen; /* its accesses */
    u64 polled;
};

/* One that nobody leads yet. NULL if memory is short. */
struct debugger *debug_new(void);

/* Goes on so from the wave that was chosen; if it has ended, to the next instruction of any. */
void debug_go(struct debugger *g, enum debug_run how, u64 steps);

/* A point that is added, with its number; NULL if there are too many. Points are removed by
 * index. */
struct debug_point *debug_add(struct debugger *g, const struct debug_point *p);
void debug_remove(struct debugger *g, u32 index);

/* The bytes at a GPU address, LDS in its aperture, without caches; NULL if some are not memory. The work-group is
 * that of the wave that was chosen. */
u8 *debug_bytes(const struct debugger *g, u64 address, u64 size, bool write);

/* Whether an instruction stands at a GPU address. */
bool debug_is_code(const struct debugger *g, u64 address);

/* The source line of a GPU address, or NULL. */
const struct debug_line *debug_line_of(const struct debugger *g, u64 pc);

/* Reads a place in code (point.h) or a place in memory (an address, argN, argN+BYTES, lds:BYTE).
 * ST_INPUT. */
enum status debug_parse_code(const struct debugger *g, const char *text, struct debug_point *p,
                             struct err *e);
enum status debug_parse_memory(const struct debugger *g, const char *text, u64 *address,
                               struct err *e);
/* Reads a register of the processor that waves have. */
enum status debug_parse_register(const struct debugger *g, const char *text,
                                 struct place_range *reg, struct err *e);
/* Reads "hit N", "group X[.Y[.Z]]" and "wave N", in any order. */
enum status debug_parse_limits(const char *const *word, u32 words, struct debug_point *p,
                               struct err *e);

/* Printing (show.c). */
void debug_show_stop(struct debugger *g);
void debug_show_points(const struct debugger *g);
void debug_show_point(const struct debugger *g, const struct debug_point *p);
void debug_show_register(const struct debugger *g, const struct place_range *reg);
bool debug_show_memory(const struct debugger *g, u64 address, u64 count);
void debug_show_calls(const struct debugger *g);
void debug_show_waves(const struct debugger *g);
void debug_show_code(const struct debugger *g, u64 count);

#endif
