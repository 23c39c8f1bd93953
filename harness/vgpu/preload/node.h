/* Nodes of the virtual GPU's tree as libc's functions show them: contents in a memfd, modes,
 * folders that can be read. Used by preload.c. */
#ifndef HARNESS_VGPU_PRELOAD_NODE_H
#define HARNESS_VGPU_PRELOAD_NODE_H

#include "harness/vgpu/vgpu.h"

#include <dirent.h>
#include <sys/stat.h>

enum node_found {
    NODE_FOREIGN, /* not a path of ours */
    NODE_NONE,    /* one of ours that is not there; errno is ENOENT */
    NODE_OURS
};

enum node_found node_look(const struct vgpu_chip *chip, const char *path, bool nofollow,
                          struct vgpu_node *n);

/* A descriptor from which the contents of a file can be read; -1 with errno set. */
int node_contents(const struct vgpu_node *n);

mode_t node_mode(const struct vgpu_node *n);
dev_t node_rdev(const struct vgpu_node *n);

/* A folder that is being read; node_dir_of answers NULL for a DIR of libc's. Few may be open at
 * once: then errno is EMFILE. */
struct node_dir;
struct node_dir *node_dir_open(const struct vgpu_chip *chip, const char *path);
struct node_dir *node_dir_of(const void *d);
struct dirent *node_dir_read(struct node_dir *d); /* NULL behind the last */
void node_dir_close(struct node_dir *d);

#endif
