#include "../gcc.h"

enum { N = 700 };
static unsigned short at[N];
static signed char small[N];
static long long wide[N], sums[N];
static short halves[N];
static unsigned words[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        at[i] = (unsigned short)(i * 3 % N); /* each once: 3 does not divide N */
        small[i] = (signed char)random_u32();
        wide[i] = (long long)random_u64() >> 8;
    }
    for (int i = 0; i < N; i++) {
        halves[i] = (short)(small[i] * 77 + small[N - 1 - i]);
        words[i] = (unsigned)(wide[at[i]] & 0xffffffff) + at[at[i]];
        sums[at[i]] = wide[i] * 3 - small[i] + wide[i] / 32 - (wide[i] % 32 < 0);
    }
    write_slots((unsigned long long[7]){ 0, 0, 0, 0, 0, 0, N }, 7);
    write_heap();
    WRITE("at.bin", at);
    WRITE("small.bin", small);
    WRITE("wide.bin", wide);
    WRITE("halves.bin", halves);
    WRITE("words.bin", words);
    WRITE("sums.bin", sums);
}
