/* What kernels ask of the host while they run: text to print, memory, and calls. A launch that has
 * the hidden arguments for it gets a printf buffer (OpenCL), a hostcall buffer (HIP: printf, assert
 * and the memory behind malloc) and a heap; who waits for an answer has it before the next
 * instruction. The buffers are those of ROCm's device libraries, the records of the printf buffer
 * those of LLVM's AMDGPU backend. Called by harness/launch/launch.c. */
#ifndef HARNESS_LAUNCH_HOST_H
#define HARNESS_LAUNCH_HOST_H

#include "harness/codeobj/codeobj.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

struct host;

/* Opens what kernel *m of *co asks for; NULL in *h if that is nothing. Text goes to `out`. ST_WORLD
 * if memory is short. */
enum status host_open(struct host **h, const struct codeobj *co, const struct kernel_meta *m,
                      FILE *out, struct err *e);
void host_close(struct host *h);

/* Debian's opencl.bc defines a printf, without formats, which clang links before it sees to those
 * of the kernel: the metadata does not have the buffer that it writes to. Answers where in the
 * kernarg segment of such a kernel the buffer's address belongs, by the order of implicit arguments
 * from code object version 5 on; 0: it is no such kernel. */
u32 host_printf_offset(const struct codeobj *co, const struct kernel_meta *m);

/* Adds the windows to a machine. h may be NULL. */
enum status host_map(struct host *h, struct machine *m, struct err *e);

/* Lets a wave that has been reset call the host. h may be NULL. */
void host_attach(struct host *h, struct wave *w);

/* Prints what stands in the printf buffer, with the formats of `co`, and empties it. False if a
 * record there cannot be read; *why then says so. h may be NULL. */
bool host_drain(struct host *h, const struct codeobj *co, const char **why);

#endif
