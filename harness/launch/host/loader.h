/* A program of LLVM's libc for GPUs, as LLVM's loader starts it: kernels _begin (constructors),
 * _start (main, by as many work-items as are asked for) and _end (what atexit was told), with argc,
 * argv, envp, and a place for what main returns. What the program asks meanwhile the calls of rpc.h
 * answer. */
#ifndef HARNESS_LAUNCH_HOST_LOADER_H
#define HARNESS_LAUNCH_HOST_LOADER_H

#include "harness/codeobj/codeobj.h"
#include "harness/launch/file/file.h"

enum { LOADER_KERNELS = 3 };

struct loader_cfg {
    char *const *argv; /* the program's name first */
    u32 argc;
    char *const *envp;   /* NULL behind the last */
    u32 blocks, threads; /* work-groups of _start, and their work-items */
};

/* Makes the launch, which the caller closes after success; e->file is the program's name. */
enum status loader_open(struct launch *l, const struct loader_cfg *cfg, struct err *e);

/* The kernels are known: _end takes what main returned, or (LLVM 21 on) nothing. */
void loader_fit(struct launch *l, const struct codeobj_kernel k[LOADER_KERNELS]);

/* Behind each kernel; what main has returned goes to _end. */
void loader_after(struct launch *l);

/* What main has returned, of all work-items, by or. */
int loader_result(const struct launch *l);

#endif
