// Variables of the code object: with and without initialisers, set and read by the host, managed,
// constant, and pointers between them.
#include <hip/hip_runtime.h>

struct named {
    int id;
    const char *name;
};

__constant__ int scale[4];
__constant__ short offset[4] = { 10, 20, -30, 40 };
__device__ int counter = 5;
__device__ int *where = &counter;
__device__ named names[2] = { { 3, "one" }, { 4, "other" } };
__managed__ int shared_with_host[2] = { 100, 0 };

__global__ void globals(int *out)
{
    int i = threadIdx.x;
    const named &n = names[i & 1];
    out[i] = scale[i & 3] * i + offset[i & 3] + n.id + n.name[i % 3] + shared_with_host[0];
    atomicAdd(where, i);
    atomicAdd(&shared_with_host[1], 2);
}
