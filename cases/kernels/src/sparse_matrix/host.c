#include "../host.h"

enum { ROWS = 60, COLUMNS = 300, MOST = 90 };
static unsigned starts[ROWS + 1];
static unsigned short columns[ROWS * MOST];
static float values[ROWS * MOST], x[COLUMNS], y[ROWS];

int main(void)
{
    for (int i = 0; i < COLUMNS; i++)
        x[i] = (float)((int)(random_u32() % 201) - 100);
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned length = row % 7 == 3 ? 0 : random_u32() % MOST;
        starts[row + 1] = starts[row] + length;
        for (unsigned k = starts[row]; k < starts[row + 1]; k++) {
            columns[k] = (unsigned short)(random_u32() % COLUMNS);
            values[k] = (float)((int)(random_u32() % 201) - 100) / 8; /* sums are exact */
            y[row] += values[k] * x[columns[k]];
        }
    }
    WRITE("starts.bin", starts);
    WRITE("columns.bin", columns);
    WRITE("values.bin", values);
    WRITE("x.bin", x);
    WRITE("y.bin", y);
}
