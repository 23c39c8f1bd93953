/* Folders of the virtual GPU's tree that are being read, in place of libc's DIR. Used by preload.c. */
#ifndef HARNESS_VGPU_PRELOAD_DIR_H
#define HARNESS_VGPU_PRELOAD_DIR_H

#include "harness/vgpu/vgpu.h"

#include <dirent.h>

/* A folder that is being read; dir_of answers NULL for a DIR of libc's. Few may be open at once:
 * then errno is EMFILE. */
struct dir;
struct dir *dir_open(const struct vgpu_chip *chip, const char *path);
struct dir *dir_of(const void *d);
struct dirent *dir_read(struct dir *d); /* NULL behind the last */
void dir_close(struct dir *d);

#endif
