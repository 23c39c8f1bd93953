/* Whole files in memory, and folders. */
#ifndef HARNESS_IO_FILE_H
#define HARNESS_IO_FILE_H

#include "oracle/base/base.h"

/* Reads all of `path` ("-" is standard input) into a new buffer that the caller frees. *size is in
 * bytes; one zero byte follows the contents, so that text can be read as a string. More than
 * `limit` bytes, what is no file (reports/file/input.h), or an unreadable one answers ST_INPUT; too
 * little memory or too few descriptors answer ST_WORLD. Fills e->text only. */
enum status file_read(const char *path, size_t limit, u8 **bytes, size_t *size, struct err *e);

/* The same; a large file is read by up to `threads` threads. */
enum status file_read_by(const char *path, size_t limit, u32 threads, u8 **bytes, size_t *size,
                         struct err *e);

/* Completes *e for something wrong in `path`, at `line` (0: nowhere in particular). Text quoted
 * from a hostile file may hold anything: what is not printable ASCII becomes '?', so that the
 * message stays one line. */
void file_error(struct err *e, const char *path, int line);

/* Makes a folder and the folders above it, as far as they are missing. ST_WORLD: it cannot be made,
 * or something else has its name. */
enum status file_make_dir(const char *path, struct err *e);

/* Waits until no other process holds the folder `path`, and holds it until the descriptor that it
 * answers is closed. -1 where that cannot be had: nothing is held. */
int file_hold_dir(const char *path);

#endif
