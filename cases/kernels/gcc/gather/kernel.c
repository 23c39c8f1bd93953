/* Loads and stores by index, of elements of 1, 2, 4 and 8 bytes, and conversions between them. */
void gather(const unsigned short *at, const signed char *small, const long *wide, short *halves, unsigned *words,
            long *sums, int n)
{
#pragma omp target is_device_ptr(at, small, wide, halves, words, sums)
    {
        for (int i = 0; i < n; i++)
            halves[i] = (short)(small[i] * 77 + small[n - 1 - i]);
        for (int i = 0; i < n; i++)
            words[i] = (unsigned)wide[at[i]] + at[at[i]];
#pragma GCC ivdep
        for (int i = 0; i < n; i++)
            sums[at[i]] = wide[i] * 3 - small[i] + (wide[i] >> 5);
    }
}
