/* What has been submitted and has not come back, in a file that outlives the machine's freezing: a
 * line is on the disk before a submission is made. What was there alone when the machine froze is a
 * culprit and is not submitted again; what was there in company is suspect, and submitted alone.
 *
 * The file is text: a head with the boot that it is of, lines "culprit HASH CODE" and "suspect
 * HASH", and last the state, "running COUNT HASH..." or "finished". If the boot is another than
 * now's, and the state is running, the machine went down. */
#ifndef HARNESS_DRM_JOURNAL_H
#define HARNESS_DRM_JOURNAL_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/base/base.h"

struct drm_journal;

enum {
    DRM_JOURNAL_FILES = 8, /* processes that may drive devices at a time, a file for each */
    DRM_JOURNAL_PATH = 4096
};

/* Where submissions are noted: the file that the environment names; else for a card one in a folder of
 * the user's, whatever the run, in `path`, and for a virtual one nowhere (NULL). */
const char *drm_journal_path(char path[DRM_JOURNAL_PATH]);

/* Opens FILE.0, or the first behind it that no other process holds, reads all of them, and writes
 * its own anew with what has been learnt. `synced`: every entry goes to the disk at once. ST_WORLD:
 * a file cannot be written; ST_INPUT: one is something else, or its name is too long. */
enum status drm_journal_open(struct drm_journal **j, const char *file, bool synced, struct err *e);
void drm_journal_close(struct drm_journal *j);

/* What names a job: its program and what it starts from. */
u64 drm_journal_hash(const struct gcncheck_job *job);

bool drm_journal_is_culprit(const struct drm_journal *j, u64 hash);
bool drm_journal_is_suspect(const struct drm_journal *j, u64 hash);
u32 drm_journal_culprits(const struct drm_journal *j);

/* Before and after a submission of these jobs. ST_WORLD: the entry cannot be written, and so nothing
 * must be submitted. */
enum status drm_journal_begin(struct drm_journal *j, struct gcncheck_job *const *jobs, u32 count,
                              struct err *e);
void drm_journal_end(struct drm_journal *j);

#endif
