#include "../host.h"

enum { W = 10, H = 4, IMAGES = 11 };
static float out[H][W][16][4];
static unsigned char bytes[4][H * W][4];
/* As OpenCL's headers number them: CLK_R 0x10b0, CLK_A 0x10b1, ... */
static const int what[6][2] = { { 0x10b0, 0x10de }, { 0x10b3, 0x10d3 }, { 0x10b6, 0x10d2 },
                                { 0x10b7, 0x10d0 }, { 0x10b8, 0x10dd }, { 0x10bd, 0x10de } };

/* Where red, green, blue and alpha come from: a component, or the constants 0 and 1 as 8 and 9. */
static const signed char from[IMAGES][4] = { { 0, 8, 8, 9 }, { 8, 8, 8, 0 }, { 0, 1, 8, 9 }, { 0, 8, 8, 1 },
                                             { 0, 1, 2, 3 }, { 2, 1, 0, 3 }, { 1, 2, 3, 0 }, { 3, 2, 1, 0 },
                                             { 0, 0, 0, 0 }, { 0, 0, 0, 9 }, { 0, 8, 8, 8 } };
static const char *const names[IMAGES] = { "r.bin",    "a.bin",    "rg.bin",        "ra.bin",        "rgba.bin", "bgra.bin",
                                           "argb.bin", "abgr.bin", "intensity.bin", "luminance.bin", "depth.bin" };

int main(void)
{
    for (int k = 0; k < IMAGES; k++) {
        float f[H * W];
        unsigned short s[H * W][2];
        _Float16 h[H * W];
        int components = k == 2 || k == 3 ? 2 : k >= 4 && k <= 7 ? 4 : 1;
        for (int i = 0; i < H * W; i++) {
            float v[4];
            unsigned raw = random_u32();
            for (int c = 0; c < 4; c++) {
                unsigned char b = (unsigned char)(raw >> 8 * c);
                if (k == 6 && b == 0x80)
                    b = 0x81;
                bytes[0][i][c] = b;
                v[c] = k == 6 ? (float)((signed char)b / 127.0) : (float)(b / 255.0);
            }
            f[i] = v[0] = k == 0 || k == 10 ? (float)random_range(-1, 1) : v[0];
            h[i] = (_Float16)((float)(int)(raw % 2000) / 16);
            s[i][0] = (unsigned short)raw;
            s[i][1] = (unsigned short)(raw >> 16);
            if (k == 1 || k == 2 || k == 3 || k == 9)
                v[0] = (float)(s[i][0] / 65535.0), v[1] = (float)(s[i][1] / 65535.0);
            if (k == 8)
                v[0] = (float)h[i];
            for (int c = 0; c < 4; c++) {
                int at = from[k][c];
                out[i / W][i % W][k][c] = at == 8 ? 0 : at == 9 ? 1 : v[at];
            }
            if (k == 1 || k == 9)
                ((unsigned short *)s)[i] = (unsigned short)raw;
        }
        if (k == 0 || k == 10)
            WRITE(names[k], f);
        else if (k == 8)
            WRITE(names[k], h);
        else
            write_file(names[k], components == 4 ? (void *)bytes[0] : (void *)s, components == 1 ? H * W * 2 : H * W * 4);
    }
    WRITE("out.bin", out);
    WRITE("what.bin", what);
}
