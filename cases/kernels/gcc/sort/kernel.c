/* Recursion, calls through a pointer to a function, memory from the device's malloc. */
void *malloc(unsigned long size);
void free(void *at);

#pragma omp declare target
static int by_value(unsigned a, unsigned b)
{
    return a < b;
}

static int by_low_byte(unsigned a, unsigned b)
{
    return (a & 255) != (b & 255) ? (a & 255) < (b & 255) : a > b;
}

static int (*const orders[2])(unsigned, unsigned) = { by_value, by_low_byte };

/* Merges the sorted halves through memory of its own. */
__attribute__((noinline)) static void merge_sort(unsigned *at, int count, int (*is_before)(unsigned, unsigned))
{
    if (count < 2)
        return;
    int half = count / 2, left = 0, right = half;
    unsigned *out = malloc((unsigned long)count * sizeof *out);
    merge_sort(at, half, is_before);
    merge_sort(at + half, count - half, is_before);
    for (int i = 0; i < count; i++)
        out[i] = right == count || (left < half && is_before(at[left], at[right])) ? at[left++] : at[right++];
    for (int i = 0; i < count; i++)
        at[i] = out[i];
    free(out);
}
#pragma omp end declare target

void sort(unsigned *first, unsigned *second, int n)
{
#pragma omp target is_device_ptr(first, second)
    {
        merge_sort(first, n, orders[0]);
        merge_sort(second, n, orders[1]);
    }
}
