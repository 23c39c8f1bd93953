/* For the host programs of kernels that GCC compiles: what libgomp's plug-in gives a target region besides its
 * arguments. A region has one 64-bit slot for each variable that it uses. */
#include "../src/host.h"

/* The slots, zeroed: launch.txt says which hold addresses. */
static inline void write_slots(const unsigned long long *slots, int count)
{
    write_file("slots.bin", slots, (size_t)count * 8);
}

/* The heap of the device's malloc: its size, then the memory. */
static inline void write_heap(void)
{
    static unsigned long long heap[1 << 15];
    heap[0] = sizeof heap - 8;
    WRITE("heap.bin", heap);
}
