/* What the front ends of the virtual GPU share: the device with its heap, and descriptors that stand
 * for its open files and objects. Used by preload (in the program's process) and by notify (beside
 * it). Calls of libc that preload stands in for are made to the kernel directly. */
#ifndef HARNESS_VGPU_FRONT_FRONT_H
#define HARNESS_VGPU_FRONT_FRONT_H

#include "harness/vgpu/under.h"
#include "harness/vgpu/vgpu.h"

#include <sys/stat.h>

#define FRONT_HEAP_BYTES (64ull << 30) /* of the memfd; pages are there when they are touched */

enum { FRONT_LATE_MS = 2 }; /* until what nobody waits for is executed */

/* A file without a name that an open descriptor is recognised by. */
struct front_id {
    dev_t dev;
    ino_t ino;
};

struct front_object {
    int fd; /* of this process: keeps the number of the file its own */
    struct front_id id;
};

/* An open device is a descriptor of the memfd in which all buffers lie, so that mmap, dup, fork and
 * close are the kernel's business. Which of the open files it is stands in the descriptor's file
 * position, which copies of a descriptor share. Each is opened anew and holds a lock, on a byte far
 * behind the buffers, that is gone when the last copy is closed, in whatever process. */
struct front {
    const struct vgpu_chip *chip;
    struct vgpu *v;
    int heap_fd;
    struct front_id id; /* of the heap */
    u64 first;          /* position that a file would have whose number is 0 */
    u8 *heap;
    FILE *log;
    struct coverage_adder *coverage; /* NULL: not counted */
    bool is_inside;                  /* the program's process */
    struct front_object *objects;    /* by number - 1; with fd -1 there is none */
    u32 object_count;
};

/* Where the device is in the program's own process: how the threads of that take turns in it, as
 * `wait` and `wake` of struct vgpu_cfg. */
struct front_threads {
    void (*wait)(void *ctx, u64 deadline_ns);
    void (*wake)(void *ctx);
};

/* `threads`: NULL if the program is another process. ST_INPUT: no mutant, reading or fault of that
 * name, which *e says. */
enum status front_open(struct front *f, const struct vgpu_under *u,
                       const struct front_threads *threads, struct err *e);

/* Opens one of the device's nodes for a client: a descriptor of this process, which may be passed on; a
 * negative errno. /dev/kfd, whose queues are the program's memory, only in its process. */
int front_file_open(struct front *f, const struct vgpu_node *n, bool cloexec);
/* Which open file a descriptor is of, by its position; 0: none. */
u32 front_file_of(const struct front *f, u64 position);

/* The same for an object: for `give` and `take` of struct vgpu_client. */
int front_object_open(struct front *f, u32 object, u64 bytes, bool cloexec);
u32 front_object_of(const struct front *f, const struct stat *st);

/* Closes the files and objects of which no descriptor is left. */
void front_reap(struct front *f);

/* Adds what was counted to the file of coverage, if there is one. Says on standard error if that cannot be. */
void front_write_coverage(struct front *f);

/* Counts, on standard error. */
void front_print_stats(const struct front *f);

/* ---- node.c: nodes of the tree as the kernel would show them ---- */

enum front_found {
    FRONT_FOREIGN, /* not a path of ours */
    FRONT_NONE,    /* one of ours that is not there */
    FRONT_OURS
};

enum front_found front_look(const struct vgpu_chip *chip, const char *path, bool nofollow,
                            struct vgpu_node *n);

/* A descriptor from which the contents of a file can be read; a negative errno. */
int front_contents(const struct vgpu_node *n);

mode_t front_mode(const struct vgpu_node *n);
dev_t front_rdev(const struct vgpu_node *n);
/* The node that an open file is of. */
struct vgpu_node front_device_node(const struct front *f, u32 file);

/* The node of a folder's at *at, which is moved on, and its name in the folder; false behind the
 * last. */
bool front_list(const struct vgpu_chip *chip, const char *folder, u32 *at, struct vgpu_node *n,
                const char **name);
u8 front_dirent_type(const struct vgpu_node *n);

#endif
