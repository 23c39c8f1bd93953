/* What of a work-group's registers and LDS somebody has set: a step loop that sees whether a program uses anything else.
 * It may take for unset what was set (bytes, lanes that read each other, ...), never the other way
 * round. For gfx9, where LDS has no limit in M0. */
#ifndef ORACLE_EXEC_DEFINED_H
#define ORACLE_EXEC_DEFINED_H

#include "oracle/exec/exec.h"

/* Of a machine, which has its program. */
struct defined;

/* NULL in *d where the program is too long to be followed. ST_WORLD if memory is short. */
enum status defined_open(struct defined **d, const struct machine *m, struct err *e);
void defined_close(struct defined *d); /* NULL is nothing */

/* A work-group begins: its waves' registers are those of unset[], PLACE_COUNT of them, but of these vector
 * registers below `items`, which hold something in the lanes of EXEC; LDS is not set. */
void defined_start(struct defined *d, const struct machine *m, const bool *unset, u32 items);

/* Executes up to `limit` instructions of a wave, as exec_ops does. */
enum stop defined_run(struct defined *d, struct machine *m, struct wave *w, u64 limit);

/* Whether it may have used what nobody has set. */
bool defined_has_doubt(const struct defined *d);

#endif
