/* rocPRIM's sort, scan and reduction of a work-group, from its headers. */
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

extern "C" __global__ __launch_bounds__(256) void block(const unsigned *keys, const unsigned *values, unsigned *keys_out,
                                                        unsigned *values_out, unsigned *sums, unsigned *totals)
{
    using sort = rocprim::block_radix_sort<unsigned, 256, 4, unsigned>;
    using scan = rocprim::block_scan<unsigned, 256>;
    using reduce = rocprim::block_reduce<unsigned, 256>;
    __shared__ union {
        sort::storage_type sort;
        scan::storage_type scan;
        reduce::storage_type reduce;
    } memory;
    unsigned key[4], value[4], sum, total, at = blockIdx.x * 1024;
    rocprim::block_load_direct_blocked(threadIdx.x, keys + at, key);
    rocprim::block_load_direct_blocked(threadIdx.x, values + at, value);
    sort().sort(key, value, memory.sort);
    __syncthreads();
    rocprim::block_store_direct_blocked(threadIdx.x, keys_out + at, key);
    rocprim::block_store_direct_blocked(threadIdx.x, values_out + at, value);
    scan().inclusive_scan(value[0], sum, memory.scan);
    __syncthreads();
    sums[blockIdx.x * 256 + threadIdx.x] = sum;
    reduce().reduce(value[0], total, memory.reduce);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}
