/* What kernels ask of the host while they run: text to print, memory, and calls. A launch that has
 * the hidden arguments for it gets a printf buffer (OpenCL), a hostcall buffer (HIP: printf, assert
 * and the memory behind malloc) and a heap; a wave that waits for an answer gets it before its
 * next instruction. The buffers are those of ROCm's device libraries, the records of the printf
 * buffer those of LLVM's AMDGPU backend. Called by harness/launch/dispatch.c. */
#ifndef HARNESS_LAUNCH_HOST_HOST_H
#define HARNESS_LAUNCH_HOST_HOST_H

#include "harness/codeobj/codeobj.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

struct host;

enum { HOST_MEMORY_SIZE = 256 << 20 }; /* what device heaps can have, from GPU_MEMORY_ADDRESS on */

/* Opens what kernel *m of *co asks for; NULL in *h if that is nothing. Text goes to `out`. ST_WORLD
 * if memory is short. */
enum status host_open(struct host **h, const struct codeobj *co, const struct kernel_meta *m,
                      FILE *out, struct err *e);
void host_close(struct host *h);

/* Debian's opencl.bc defines a printf of its own, without formats, and clang links it before it
 * rewrites the calls in the kernel: then the metadata does not name the printf buffer. Answers the
 * offset in the kernarg segment of such a kernel at which the address of the buffer belongs (from
 * the order of implicit arguments since code object version 5); 0 for any other kernel. */
u32 host_printf_offset(const struct codeobj *co, const struct kernel_meta *m);

/* Adds the windows to a machine. h may be NULL. */
enum status host_map(struct host *h, struct machine *m, struct err *e);

/* Lets a wave that has been reset call the host. h may be NULL. */
void host_attach(struct host *h, struct wave *w);

/* Prints what stands in the printf buffer, with the formats of `co`, and empties it. False if a
 * record there cannot be read; *why then says so. h may be NULL. */
bool host_drain(struct host *h, const struct codeobj *co, const char **why);

#endif
