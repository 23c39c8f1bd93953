/* Matrix products by gfx908's matrix cores: 32 rows and columns of f32 and of f16, 16 of i8; each lane of a wave loads and
 * stores the elements that AMD's layout gives it. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef half f16x4 __attribute__((ext_vector_type(4)));
typedef int i32x4 __attribute__((ext_vector_type(4)));

enum { DEPTH = 48 };

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void matrix_cores(__global const float *a, __global const float *b, __global const char *ia, __global const char *ib,
                  __global float *d, __global float *dh, __global int *di)
{
    uint lane = get_local_id(0), i = lane % 32, part = lane / 32;
    f32x16 acc = 0, half_acc = 0;
    for (uint k = 0; k < DEPTH; k += 2)
        acc = __builtin_amdgcn_mfma_f32_32x32x2f32(a[i * DEPTH + k + part], b[(k + part) * 32 + i], acc, 0, 0, 0);
    for (uint k = 0; k < DEPTH; k += 8) {
        f16x4 x, y;
        for (uint n = 0; n < 4; n++) {
            x[n] = (half)a[i * DEPTH + k + part * 4 + n];
            y[n] = (half)b[(k + part * 4 + n) * 32 + i];
        }
        half_acc = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, half_acc, 0, 0, 0);
    }
    for (uint r = 0; r < 16; r++) {
        uint row = r / 4 * 8 + part * 4 + r % 4;
        d[row * 32 + i] = acc[r];
        dh[row * 32 + i] = half_acc[r];
    }
    i32x4 sum = 0;
    i = lane % 16, part = lane / 16;
    for (uint k = 0; k < DEPTH; k += 16) {
        int x = 0, y = 0;
        for (uint n = 0; n < 4; n++) {
            x |= (uchar)ia[i * DEPTH + k + part * 4 + n] << 8 * n;
            y |= (uchar)ib[(k + part * 4 + n) * 16 + i] << 8 * n;
        }
        sum = __builtin_amdgcn_mfma_i32_16x16x16i8(x, y, sum, 0, 0, 0);
    }
    for (uint r = 0; r < 4; r++)
        di[(part * 4 + r) * 16 + i] = sum[r];
}
