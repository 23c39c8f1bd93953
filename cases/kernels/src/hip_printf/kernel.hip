// printf, whose results are the numbers of characters, an assertion that holds, and malloc of the
// device libraries: lists that every work-item makes, sums and frees.
#include <hip/hip_runtime.h>

#include <assert.h>

extern "C" __device__ unsigned long long __ockl_dm_alloc(unsigned long long size);
extern "C" __device__ void __ockl_dm_dealloc(unsigned long long address);

struct link {
    link *next;
    int value;
};

__global__ void talk(int *out)
{
    int i = threadIdx.x;
    link *list = nullptr;
    for (int k = 0; k <= i % 5; k++) {
        link *l = reinterpret_cast<link *>(__ockl_dm_alloc(sizeof(link)));
        assert(l);
        l->next = list;
        l->value = i * k;
        list = l;
    }
    int sum = 0;
    while (list) {
        link *l = list;
        list = l->next;
        sum += l->value;
        __ockl_dm_dealloc(reinterpret_cast<unsigned long long>(l));
    }
    out[i] = sum;
    out[64 + i] = i % 7 == 3 ? printf("%d of %s: %.3f %lld%%\n", i, "sixty-four", i / 8.0, 1ll << i) : 0;
}
