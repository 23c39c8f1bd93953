/* jansson and memory: most of its functions answer nothing when there is none, and what it built
 * then lacks something. Whoever builds, prints or reads JSON asks once, at the
 * end. */
#ifndef REPORTS_FILE_JSON_MEMORY_H
#define REPORTS_FILE_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Before the first call: nothing was short yet in this thread. */
void json_memory_watch(void);

/* Whether jansson was refused memory in this thread since then. */
bool json_memory_was_short(void);

/* malloc, counted with them: for a text that is to be made JSON. */
void *json_memory_get(size_t size);

#endif
