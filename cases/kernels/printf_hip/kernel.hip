// printf and assert of HIP: calls to the host in the middle of the kernel.
#include <hip/hip_runtime.h>

#include <assert.h>

__global__ void talk(int *out, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 40 == 3)
        out[i] = printf("%d: %6.2f %s %lld %c %#x 100%%\n", i, i * 1.5, "text", (long long)i << 40, 'x', i + 252);
    assert(i < limit);
}
