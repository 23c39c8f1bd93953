// Sums of blocks: static and dynamic LDS, a template over the type, launch bounds.
#include <hip/hip_runtime.h>

template <typename T> struct statistics {
    T sum, largest;
};

template <typename T>
__global__ void __launch_bounds__(256) reduce(statistics<T> *out, const T *in, int n)
{
    extern __shared__ char dynamic[];
    __shared__ T largest[256];
    T *sum = reinterpret_cast<T *>(dynamic);
    int i = threadIdx.x, at = blockIdx.x * blockDim.x + i;
    T v = at < n ? in[at] : T(0);
    sum[i] = v;
    largest[i] = v;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (i < half) {
            sum[i] += sum[i + half];
            largest[i] = largest[i] < largest[i + half] ? largest[i + half] : largest[i];
        }
        __syncthreads();
    }
    if (i == 0)
        out[blockIdx.x] = { sum[0], largest[0] };
}

template __global__ void reduce<long long>(statistics<long long> *, const long long *, int);
