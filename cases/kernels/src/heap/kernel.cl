/* A heap of 200 numbers in private memory, indexed by the data: scratch with another offset in every lane. */
static void sink(uint *heap, uint at, uint n)
{
    for (uint child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        uint t = heap[at];
        heap[at] = heap[child], heap[child] = t;
    }
}

__kernel void heap(__global const uint *seeds, __global uint *out)
{
    uint i = get_global_id(0), items[200], x = seeds[i], check = 0;
    for (uint k = 0; k < 200; k++)
        x = x * 1664525 + 1013904223, items[k] = x >> (k % 7);
    for (uint k = 100; k-- > 0;)
        sink(items, k, 200);
    for (uint n = 200; n-- > 1;) {
        uint t = items[0];
        items[0] = items[n], items[n] = t;
        sink(items, 0, n);
    }
    for (uint k = 0; k < 200; k++)
        check = check * 31 + items[k];
    out[4 * i] = items[0];
    out[4 * i + 1] = items[100];
    out[4 * i + 2] = items[199];
    out[4 * i + 3] = check;
}
