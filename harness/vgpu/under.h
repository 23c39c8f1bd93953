/* Running a program under the virtual GPU, by one of two front ends: a library that is loaded before
 * it (harness/vgpu/preload), with the environment that it reads, or a process beside it that answers
 * its system calls (harness/vgpu/notify), which is in the same library. */
#ifndef HARNESS_VGPU_UNDER_H
#define HARNESS_VGPU_UNDER_H

#include "oracle/base/base.h"

struct vgpu_under {
    const char *chip;   /* a chip's name or its processor's */
    const char *log;    /* file to which the log is appended, "-" for standard error; NULL: none */
    const char *mutant; /* a bug that is planted in the model, or NULL */
    const char *doubt;  /* entries of the ledger that the model reads otherwise, or NULL */
    const char *
        fault; /* what goes wrong on demand (harness/vgpu/fault.h), or NULL: what the environment says */
    const char *coverage; /* file to which what dispatches execute is added, or NULL */
    const char *front;    /* "preload", "seccomp", or NULL: as the program needs it */
    bool trace;           /* every instruction is printed: to the log, or on standard error */
    bool stats;           /* counts are printed on standard error at the end */
};

/* The library NAME.so beside this program, or where `make install` puts it, into path, which holds
 * VGPU_PATH bytes. False if it is not there. */
enum { VGPU_PATH = 4096 };
bool vgpu_under_library(const char *name, char *path);

/* Reads "CHIP", "CHIP,mutant=ID", "CHIP,doubt=ID,ID..." or "CHIP,fault=FAULT,FAULT..." into *u, whose texts then stand in
 * buf. ST_INPUT: it is none of them, or the chip is none. */
enum status vgpu_under_parse(const char *text, char *buf, size_t size, struct vgpu_under *u,
                             struct err *e);

/* Whether this process runs under the virtual GPU that *u describes. */
bool vgpu_under_is(const struct vgpu_under *u);

/* Whether the program needs a process beside it, and into *why what that follows from: a line. */
bool vgpu_under_needs_seccomp(const struct vgpu_under *u, const char *program, struct text *why);

/* Runs `program` beside this process, which serves it. *code is its exit code, or 128 and the signal
 * that ended it. ST_INPUT: as below; ST_WORLD: the library is not there, or the kernel does not let
 * it. */
enum status vgpu_under_serve(const struct vgpu_under *u, const char *program, char *const *argv,
                             int *code, struct err *e);

/* Becomes `program`, with argv, which ends with a NULL, under the virtual GPU. Returns only with an
 * error: ST_INPUT: no such chip, or no such program; ST_WORLD: the library is not there. */
enum status vgpu_under_exec(const struct vgpu_under *u, const char *program, char *const *argv,
                            struct err *e);

#endif
