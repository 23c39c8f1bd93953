// Atomics on memory and LDS: float, double, 64 bits, compare and swap, scopes. All sums are exact.
#include <hip/hip_runtime.h>

__global__ void atomics(float *f, double *d, unsigned long long *q, int *w, const int *in)
{
    __shared__ float local_f;
    __shared__ double local_d;
    __shared__ unsigned long long local_q;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) {
        local_f = 0;
        local_d = 0;
        local_q = 0;
    }
    __syncthreads();
    atomicAdd(&local_f, v * 0.25f);
    atomicAdd(&local_d, v * 0.125);
    atomicMax(&local_q, (unsigned long long)v << 40);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(f, local_f);
        atomicAdd(d, local_d);
        atomicMax(q, local_q);
    }
    atomicAdd(&f[1], (float)v);
    unsafeAtomicAdd(&d[1], (double)-v);
    atomicAdd(&q[1], (unsigned long long)v << 32);
    atomicXor(&q[2], 0x100000001ull << (v & 31));
    atomicAdd(&w[0], v);
    atomicSub(&w[1], v);
    atomicMin(&w[2], -v);
    atomicMax(&w[3], v);
    atomicOr(&w[4], v);
    atomicAnd(&w[5], ~v);
    int seen = w[6], old; /* the largest of v * v % 1009, without atomicMax */
    do {
        old = seen;
        seen = atomicCAS(&w[6], old, max(old, v * v % 1009));
    } while (seen != old);
    __hip_atomic_fetch_add(&w[7], 3, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
}
