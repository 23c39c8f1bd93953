// Cooperative groups: blocks, tiles of 16, and the lanes that took a branch together.
#include <hip/hip_runtime.h>

#include <hip/hip_cooperative_groups.h>

using namespace cooperative_groups;

__global__ void groups(int *out, const int *in)
{
    thread_block block = this_thread_block();
    thread_block_tile<16> tile = tiled_partition<16>(block);
    int i = block.group_index().x * block.size() + block.thread_rank(), v = in[i], sum = v;
    for (int step = tile.size() / 2; step > 0; step /= 2)
        sum += tile.shfl_xor(sum, step);
    out[i] = sum * 100 + tile.thread_rank();
    out[256 + i] = -1;
    if (v % 3 == 0) {
        coalesced_group some = coalesced_threads();
        out[256 + i] = some.shfl(v, 0) * 100 + some.thread_rank();
    }
    block.sync();
}
