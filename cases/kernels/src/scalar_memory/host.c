#include "../host.h"

static unsigned in[16], out[128], before[8], after[8];

int main(void)
{
    for (int k = 0; k < 16; k++)
        in[k] = random_u32();
    for (int k = 0; k < 8; k++)
        before[k] = random_u32() & 0x7fffffff;
    before[3] = 0xfffffff0; /* -16 */
    before[4] = 77;
    memcpy(after, before, sizeof after);
    out[0] = in[2];
    for (int k = 0; k < 4; k++) {
        out[4 + k] = in[5 + k];
        out[8 + k] = k < 2 ? in[8 + k] : 0;
    }
    for (int k = 0; k < 8; k++)
        out[12 + k] = in[5 + k];
    out[22] = in[5];
    out[23] = in[6];
    out[24] = before[0];
    out[25] = before[2];
    out[26] = 77;
    after[0] += 5;
    after[1] -= 3;
    after[2] &= 0xff00ff00;
    after[3] = (unsigned)-7;
    after[4] = 0x1234;
    unsigned long v;
    memcpy(&v, &after[6], 8);
    v++;
    memcpy(&after[6], &v, 8);
    for (int k = 0; k < 64; k++)
        out[64 + k] = out[k];
    WRITE("in.bin", in);
    WRITE("out.bin", out);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
}
