/* Loops that GCC's vectoriser turns into code of 64 lanes: arithmetic, comparisons, minima, shifts. As gcc/map_i32: whole in its folder. */
void map_i32(const int *a, const int *b, int *out, int n)
{
#pragma omp target is_device_ptr(a, b, out)
    for (int i = 0; i < n; i++) {
        int least = a[i] < b[i] ? a[i] : b[i];
        unsigned mixed = (unsigned)a[i] * 0x9e3779b1u ^ (unsigned)b[i] >> 7;
        out[i] = (int)(mixed + (unsigned)least + ((a[i] & 4) != 0 ? 1000u : 0u) + ((unsigned)b[i] << (a[i] & 31)));
    }
}
