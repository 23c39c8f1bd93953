/* Float arithmetic, comparisons, and conversions in loops that GCC's vectoriser takes. */
void map_f32(const float *a, const float *b, float *out, int *whole, int n)
{
#pragma omp target is_device_ptr(a, b, out, whole)
    for (int i = 0; i < n; i++) {
        float most = a[i] > b[i] ? a[i] : b[i];
        out[i] = a[i] * b[i] + most - __builtin_fabsf(b[i]) * 0.375f;
        whole[i] = (int)(a[i] * 16.0f) + (b[i] < 0.0f ? -5 : 7);
    }
}
