/* The virtual GPU for any program: its system calls that may be about the device are handed to this
 * process by the kernel (seccomp user notification), which answers them or lets them go on. What the
 * files of this folder share. */
#ifndef HARNESS_VGPU_NOTIFY_NOTIFY_H
#define HARNESS_VGPU_NOTIFY_NOTIFY_H

#include "harness/vgpu/front/front.h"

#include <linux/seccomp.h>
#include <sys/types.h>

enum { NOTIFY_PATH = 256, NOTIFY_DIRS_MAX = 16 };

/* ---- filter.c ---- */
/* From here on this process's calls are handed to whoever has the descriptor that is returned; a
 * negative errno. */
int notify_filter(void);

/* ---- task.c: the memory, paths and descriptors of a client; `tid` is one of its threads ---- */
bool notify_read(pid_t tid, void *to, u64 from, u64 bytes);
bool notify_write(pid_t tid, u64 to, const void *from, u64 bytes);
/* A text of the client's; false if it is not there, or has no end within NOTIFY_PATH bytes. */
bool notify_text(pid_t tid, u64 from, char *to);
/* The file that a descriptor is of, as stat says; and its position. */
bool notify_fd_stat(pid_t tid, int fd, struct stat *st);
u64 notify_fd_position(pid_t tid, int fd);
/* What a link of /proc/TID says: "cwd", "fd/3". */
bool notify_link(pid_t tid, const char *name, char *to);
/* A descriptor of this process for the client's; a negative errno. */
int notify_fd_get(pid_t tid, int fd);

/* ---- calls.c ---- */

struct notify_dir {
    int fd; /* of a file that holds the folder's entries as getdents64 gives them */
    struct front_id id;
    char path[96];
};

/* Who serves, and the call that is being answered. */
struct notify_server {
    struct front front;
    int listener;
    struct notify_dir dirs[NOTIFY_DIRS_MAX];
    u32 dir_count;
    u64 id; /* of the call */
};

/* How a call ends. */
enum notify_end {
    NOTIFY_GO_ON,  /* the kernel executes it */
    NOTIFY_ANSWER, /* with *result, or a negative errno there */
    NOTIFY_GIVE,   /* with a descriptor: *result is this process's, which is passed on */
    NOTIFY_BLOCKED /* it is to be tried again */
};

/* `since_ns`: when it was tried first, or 0. */
enum notify_end notify_call(struct notify_server *s, const struct seccomp_notif *n, u64 since_ns,
                            i64 *result, bool *cloexec);

/* ---- serve.c ---- */
/* Gives the client whose call is answered a copy of a descriptor, which is closed here; its number
 * there, or a negative errno. `is_answer`: that number is the answer to the call, too. */
int notify_give(const struct notify_server *s, int fd, bool cloexec, bool is_answer);

/* Runs a program under the device that *u describes, until it and all that it has started have
 * ended. *code is its exit code, or 128 and the signal that ended it. */
typedef enum status notify_serve_fn(const struct vgpu_under *u, const char *program,
                                    char *const *argv, int *code, struct err *e);
notify_serve_fn gcncheck_vgpu_serve;

#endif
