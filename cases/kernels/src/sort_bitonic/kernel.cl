__kernel void sort_bitonic(__global const uint *in, __global uint *out)
{
    __local uint keys[256];
    uint i = get_local_id(0);
    keys[i] = in[get_global_id(0)];
    for (uint size = 2; size <= 256; size *= 2)
        for (uint step = size / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = i ^ step;
            if (other > i && (keys[i] > keys[other]) == ((i & size) == 0)) {
                uint t = keys[i];
                keys[i] = keys[other];
                keys[other] = t;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = keys[i];
}
