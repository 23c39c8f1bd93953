/* Source lines of instructions, from .debug_line, by libdw. */
#ifndef HARNESS_CODEOBJ_DEBUG_LINE_H
#define HARNESS_CODEOBJ_DEBUG_LINE_H

#include "harness/codeobj/codeobj.h"

struct debug_line {
    u64 vaddr;
    const char *file; /* without its folders */
    u32 line;         /* 0: from here on nothing is known */
    u32 order;        /* in the file */
};

struct debug_lines {
    struct debug_line *list; /* by address */
    u32 count, room;
    struct Dwarf *dwarf;
};

/* Reads the lines of *co; none if it has none or they are damaged. In an object that is not linked
 * the debug sections of co->bytes are relocated for that. ST_WORLD: no memory. The caller closes *l
 * before co, whatever is answered. */
enum status debug_line_open(struct debug_lines *l, struct codeobj *co, struct err *e);
void debug_line_close(struct debug_lines *l);

/* The line of an instruction by the file's address, or NULL. */
const struct debug_line *debug_line_at(const struct debug_lines *l, u64 vaddr);

/* Of an instruction of a function that was inlined: the line in the function it stands in that calls it, as
 * far as .debug_info tells. False if it is none. */
bool debug_line_call(const struct debug_lines *l, u64 vaddr, struct debug_line *call);

#endif
