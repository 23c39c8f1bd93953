/* Folders of findings, as gcncheck fuzz --out leaves them. */
#ifndef HARNESS_CMD_BASE_FINDINGS_H
#define HARNESS_CMD_BASE_FINDINGS_H

#include "harness/line/opts.h"

#include <dirent.h>

/* The names of the findings in `folder`, in order: *count of them, 0 where it is none of that kind. What
 * *names holds is the caller's, to findings_free. ST_WORLD: memory is short. */
enum status findings_list(const char *folder, struct dirent ***names, u32 *count, struct err *e);
void findings_free(struct dirent **names, u32 count);

/* For commands that take one finding. ST_INPUT: `path` is a folder of findings, and the line says what
 * to type. */
enum status findings_refuse(const char *path, struct err *e);

/* Says on standard error that a file of the finding in `folder` was left as it is: `kept` as of
 * finding_write; of NULL nothing. */
void findings_say_kept(const char *folder, const char *kept);

#endif
