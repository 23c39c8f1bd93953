/* Four teams of eight threads: libgomp divides the loop, a reduction and a histogram go through atomics. */
void teams(const unsigned *in, unsigned *histogram, unsigned long *sum, int n)
{
    unsigned long total = 0;
#pragma omp target teams distribute parallel for is_device_ptr(in, histogram) num_teams(4) map(tofrom : total) \
    reduction(+ : total)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        histogram[in[i] % 61]++;
        total += (unsigned long)in[i] * (unsigned)i;
    }
    *sum = total;
}
