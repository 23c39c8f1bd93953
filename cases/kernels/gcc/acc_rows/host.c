#include "../gcc.h"

enum { ROWS = 10, PARTS = 5, WIDTH = 96 };
static int in[ROWS][PARTS][WIDTH], sums[ROWS][PARTS];
static unsigned most[ROWS];

int main(void)
{
    for (int i = 0; i < ROWS * PARTS; i++) {
        unsigned sum = 0;
        for (int k = 0; k < WIDTH; k++) {
            in[i / PARTS][i % PARTS][k] = (int)random_u32() >> 3;
            sum += (unsigned)in[i / PARTS][i % PARTS][k] * (unsigned)(k + i % PARTS);
        }
        sums[i / PARTS][i % PARTS] = (int)sum;
        if (sum > most[i / PARTS])
            most[i / PARTS] = sum;
    }
    write_slots((unsigned long long[3]){ 0 }, 3);
    WRITE("in.bin", in);
    WRITE("sums.bin", sums);
    WRITE("most.bin", most);
}
