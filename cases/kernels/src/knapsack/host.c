#include "../host.h"

enum { ITEMS = 41, WEIGHT = 700 };
static unsigned short items[ITEMS][2];
static unsigned out[WEIGHT + 1];

int main(void)
{
    for (int i = 0; i < ITEMS; i++) {
        items[i][0] = (unsigned short)(random_u32() % 60 + 1);
        items[i][1] = (unsigned short)(random_u32() % 1000);
    }
    for (int i = 0; i < ITEMS; i++)
        for (int k = WEIGHT; k >= items[i][0]; k--) { /* in place, from above */
            unsigned with = out[k - items[i][0]] + items[i][1];
            out[k] = with > out[k] ? with : out[k];
        }
    WRITE("items.bin", items);
    WRITE("out.bin", out);
}
