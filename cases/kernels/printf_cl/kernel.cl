/* printf of OpenCL C: numbers of all sizes, a vector, text; the kernel writes the formats' ids and arguments, the host prints. */
__kernel void talk(__global int *out, float x)
{
    int i = get_global_id(0);
    out[i] = i * i;
    if (i % 40 == 3)
        printf("%d: %6.2f %s %ld %v4hld|%#x 100%%\n", i, x * i, "text", (long)i << 40, (int4)(i, -1, 2, 3), i + 252);
    if (i == 70)
        printf("work-group %d\n", (int)get_group_id(0));
}
