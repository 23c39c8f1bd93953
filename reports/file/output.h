/* The one way in which files are written. A file is made without a name in the folder that it is
 * for, reaches the disk (fsync), and then takes its name at once: whatever happens, there is the
 * file that was, or the new one, and nothing else. The files of a new folder are made in it while nobody
 * knows of it, and appear with it. Nothing is written through a symbolic link, and
 * nothing takes the place of a file that the caller does not know as of its own kind, unless --force
 * was given. scripts/check/writes.sh holds that no other place opens files for writing. */
#ifndef REPORTS_FILE_OUTPUT_H
#define REPORTS_FILE_OUTPUT_H

#include "oracle/base/base.h"

#include <stdio.h>

/* What the owner of a new file says to the one that has its name already: why it may not be
 * replaced without --force ("is no page"), or NULL if it may. `head` holds its first bytes, at most
 * OUTPUT_HEAD of them; the file is not empty. */
typedef const char *output_judge_fn(const void *ctx, const u8 *head, size_t size);

enum { OUTPUT_HEAD = 256 };

struct output_rule {
    output_judge_fn *judge; /* NULL: nothing may be replaced */
    const void *ctx;
    /* Whatever is there may be replaced, but no link, folder, FIFO or socket, nor a file that a process has
     * locked. */
    bool force;
};

/* A file that is being written. */
struct output;

/* Begins the file `path`. A device of that name is written to as it is. ST_INPUT: something is
 * there that may not be replaced; ST_WORLD: it cannot be written. Both fill e->text and e->file.
 * The caller ends it with output_commit or output_drop. */
enum status output_open(struct output **out, const char *path, const struct output_rule *rule,
                        struct err *e);

/* Whether output_open could, now: for who has long to compute before there is anything to write. Nothing
 * is left behind, and a device is not touched. The status as of output_open. */
enum status output_check(const char *path, const struct output_rule *rule, struct err *e);

/* Whether files can be made in the folder `path`, or, where it is not there yet, in the one in which it
 * would be made. ST_WORLD: they cannot. Fills e->text and e->file. */
enum status output_check_folder(const char *path, struct err *e);

/* Whether a log can be appended to `path`, which is made if it is not there: a link, a folder, a FIFO and
 * a socket are none. The status as of output_open. */
enum status output_check_log(const char *path, struct err *e);

/* Its stream and its descriptor; both belong to it. Whoever uses the descriptor leaves the stream
 * alone. */
FILE *output_stream(struct output *o);
int output_fd(const struct output *o);

/* Whether a file of its name was there when it was begun. */
bool output_replaces(const struct output *o);

/* Gives the file its name, with what was written so far, on the disk. It can be written further
 * through its descriptor. The status as of output_open. */
enum status output_publish(struct output *o, struct err *e);

/* Publishes (unless that was done), closes and frees; also frees if that fails. */
enum status output_commit(struct output *o, struct err *e);

/* Closes and frees. What was not published never was. NULL is allowed. */
void output_drop(struct output *o);

/* Makes `path` a file of these bytes. One that holds just them stays as it is, whatever it is. */
enum status output_write(const char *path, const void *bytes, size_t size,
                         const struct output_rule *rule, struct err *e);

/* Makes the file `path`, of which there is none, in a folder that nobody knows of yet. It reaches the disk
 * with output_sync: many small files are a tenth as dear so. ST_WORLD: it cannot be written. Fills
 * e->text and e->file. */
enum status output_put(const char *path, const void *bytes, size_t size, struct err *e);

/* What was put or renamed in the folder, or below it, reaches the disk, with all else of its file system.
 * The status as of output_put. */
enum status output_sync(const char *folder, struct err *e);

/* Whether output_write would be allowed to, without doing it. */
enum status output_may_write(const char *path, const void *bytes, size_t size,
                             const struct output_rule *rule, struct err *e);

/* Opens a file of ours for reading and for appending, not through a link. -1 with errno. */
int output_append_fd(const char *path);

/* Opens a file of ours, or makes it, for reading and for writing in places, not through a link. -1
 * with errno. */
int output_place_fd(const char *path);

/* Takes the lock of one who writes the open file, until it is closed. False: another has it. A
 * device has none. */
bool output_lock(int fd);

/* ST_INPUT: another has it. */
enum status output_fail_locked(const char *path, struct err *e);

#endif
