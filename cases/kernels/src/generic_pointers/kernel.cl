/* One function on pointers that may mean global, local or private memory. */
__attribute__((noinline)) static uint mix(uint *p, uint k)
{
    p[0] = p[0] * 3 + k;
    return p[0] ^ p[1];
}

__kernel void generic_pointers(__global const uint *in, __global uint *out)
{
    __local uint shared[128];
    uint own[2], i = get_global_id(0), l = get_local_id(0);
    own[0] = in[i], own[1] = i;
    shared[2 * l] = in[i] >> 4, shared[2 * l + 1] = 7;
    uint *which = own;
    if (i % 2 == 0)
        which = &shared[2 * l];
    out[i] = mix(which, i) + mix(own, 5);
}
