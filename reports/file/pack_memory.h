/* msgpack and memory: what is packed into a buffer lacks something if the buffer could not grow, and
 * msgpack's functions say so one by one. Whoever packs asks once, at the end. */
#ifndef REPORTS_FILE_PACK_MEMORY_H
#define REPORTS_FILE_PACK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* For msgpack_packer_init, with a msgpack_sbuffer: msgpack_sbuffer_write, which is remembered. */
int pack_memory_write(void *buffer, const char *bytes, size_t size);

/* Whether a buffer of this thread could not grow, ever. */
bool pack_memory_was_short(void);

#endif
