/* Buffer resources that the source makes itself: raw loads and stores of every width through clang's built-ins, with range
 * checks that the program relies on. */
__kernel void buffer_builtins(__global uint *in, __global uint *out, int bytes)
{
    uint i = get_global_id(0);
    __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc(in, 0, bytes, 0x27fac);
    __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc(out, 0, 4000, 0x27fac);
    uint4 v = __builtin_amdgcn_raw_buffer_load_b128(from, i * 16, 0, 0);
    uint w = __builtin_amdgcn_raw_buffer_load_b32(from, i * 4, 32, 0);
    ushort s = __builtin_amdgcn_raw_buffer_load_b16(from, i * 6 + 2, 0, 0);
    uchar b = __builtin_amdgcn_raw_buffer_load_b8(from, i * 3 + 1, 0, 0);
    uint2 d = __builtin_amdgcn_raw_buffer_load_b64(from, i * 8 + 4, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b128(v.wzyx, to, i * 32, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b64(d + w, to, i * 32 + 16, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b32(s | b << 16, to, i * 32 + 24, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b16(s ^ 0x5a5a, to, i * 32 + 28, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b8(b + 1, to, i * 32 + 30, 0, 0);
}
