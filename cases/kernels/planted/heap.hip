/* Errors of memory that the compiler's runtime hands out, one in each kernel, on the line that says HERE. */
#include <hip/hip_runtime.h>

/* Frees what it still reads. */
extern "C" __global__ void used_after_free(unsigned *out, const unsigned *in, unsigned *tmp, unsigned n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc(64);
    p[n] = in[id % 256];
    free(p);
    out[id % 1024] = p[n]; /* HERE check-memory */
}

/* Both branches of one wave free. */
extern "C" __global__ void freed_twice(unsigned *out, const unsigned *in, unsigned *tmp, unsigned n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc(64);
    p[n] = in[id % 256];
    out[id % 1024] = p[n];
    if (p[n] > 7)
        free(p);
    if (out[id % 1024] > 60)
        free(p); /* HERE check-memory */
}

/* Forgets some. */
extern "C" __global__ void never_freed(unsigned *out, const unsigned *in, unsigned *tmp, unsigned n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc(64); /* HERE check-memory */
    p[n] = in[id % 256];
    out[id % 1024] = p[n];
    if (in[id % 256] != 42)
        free(p);
}

/* 14 dwords are given, and the one behind them is written. */
extern "C" __global__ void behind_block(unsigned *out, const unsigned *in, unsigned *tmp, unsigned n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc(n * 4);
    for (unsigned i = 1; i <= n; i++)
        p[i] = in[i]; /* HERE check-memory */
    out[id % 1024] = p[2];
    free(p);
}

/* Frees another address than it got. */
extern "C" __global__ void freed_inside(unsigned *out, const unsigned *in, unsigned *tmp, unsigned n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *p = (unsigned *)malloc(n * 4);
    *p++ = in[id % 256];
    *p = n;
    out[id % 1024] = p[-1] + *p;
    free(in[id % 256] == 42 ? p : p - 1); /* HERE check-memory */
}
