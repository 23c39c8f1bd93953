// A struct by value with pointers in it, a pointer to pointers, vectors by value, three dimensions.
#include <hip/hip_runtime.h>

struct task {
    char kind;
    short count[3];
    double factor;
    const int *in;
    struct {
        int *out;
        unsigned size;
    } result;
};

__global__ void tasks(task t, const int *const *rows, int4 add, uchar2 small)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
             z = blockIdx.z * blockDim.z + threadIdx.z;
    unsigned i = x + gridDim.x * blockDim.x * (y + gridDim.y * blockDim.y * z);
    if (i < t.result.size)
        t.result.out[i] = (int)(t.in[i] * t.factor) + t.kind + t.count[z] + rows[y & 1][x] + add.w + small.y;
}
