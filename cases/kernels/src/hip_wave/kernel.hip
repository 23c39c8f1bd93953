// Lanes of a wave: shuffles of every kind, votes, and the wave's size.
#include <hip/hip_runtime.h>

namespace wave
{
__global__ void lanes(unsigned *out, const unsigned *in, unsigned long long *votes)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    out[0 * 256 + i] = __shfl(v, v & 63);
    out[1 * 256 + i] = __shfl_up(v, 5);
    out[2 * 256 + i] = __shfl_down(v, 9, 32);
    out[3 * 256 + i] = __shfl_xor(v, 21);
    out[4 * 256 + i] = (unsigned)(__shfl((double)v, 3, 16) / 2.0);
    out[5 * 256 + i] = __any(v % 61 == 7) + 2 * __all(v % 3 < 3) + 100 * warpSize;
    votes[i] = __ballot(v & 4);
    votes[256 + i] = __popcll(__ballot(v & 1)) + 1000 * __lane_id();
}
} // namespace wave
