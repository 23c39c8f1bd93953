/* For the host programs of the kernels: the same random numbers everywhere, edge values, raw files. Each program writes
 * the kernel's inputs, and the outputs it expects, into the folder it is started in.
 * It states what the kernel computes a second time, also where the words are the same: nothing expected comes out of the
 * kernel's code. Each program is whole but for this file, also where two begin alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static unsigned long long random_state = 1;

static inline unsigned long long random_u64(void)
{
    unsigned long long z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline unsigned random_u32(void)
{
    return (unsigned)(random_u64() >> 32);
}

static inline double random_range(double low, double high)
{
    return low + (high - low) * ((double)(random_u64() >> 11) * 0x1p-53);
}

static inline float bits_f32(unsigned v)
{
    float f;
    memcpy(&f, &v, 4);
    return f;
}

static inline unsigned f32_bits(float f)
{
    unsigned v;
    memcpy(&v, &f, 4);
    return v;
}

static inline double bits_f64(unsigned long long v)
{
    double d;
    memcpy(&d, &v, 8);
    return d;
}

static inline _Float16 bits_f16(unsigned short v)
{
    _Float16 h;
    memcpy(&h, &v, 2);
    return h;
}

/* 30 of each: zeros, ones, the ends of the range, subnormals, infinities, a NaN, ordinary numbers. */
static inline float edge_f32(int i)
{
    static const unsigned v[30] = { 0,          0x80000000, 0x3f800000, 0xbf800000, 0x00800000, 0x80800000,
                                    0x00000001, 0x80000001, 0x007fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                    0xff800000, 0x7fc00000, 0x40400000, 0x3f000000, 0xc0200000, 0x3fc00000,
                                    0x3eaaaaab, 0x4b7fffff, 0x33800000, 0x3f7fffff, 0x3f800001, 0x00ffffff,
                                    0x01000000, 0x7e800000, 0x41200000, 0x42c80000, 0xb3800000, 0x7f000000 };
    return bits_f32(v[i]);
}

static inline double edge_f64(int i)
{
    static const unsigned long long v[30] = {
        0,
        0x8000000000000000,
        0x3ff0000000000000,
        0xbff0000000000000,
        0x0010000000000000,
        0x8010000000000000,
        0x0000000000000001,
        0x8000000000000001,
        0x000fffffffffffff,
        0x7fefffffffffffff,
        0xffefffffffffffff,
        0x7ff0000000000000,
        0xfff0000000000000,
        0x7ff8000000000000,
        0x4008000000000000,
        0x3fe0000000000000,
        0xc004000000000000,
        0x3ff8000000000000,
        0x3fd5555555555555,
        0x433fffffffffffff,
        0x3e70000000000000,
        0x3fefffffffffffff,
        0x3ff0000000000001,
        0x001fffffffffffff,
        0x0020000000000000,
        0x7fd0000000000000,
        0x4024000000000000,
        0x4059000000000000,
        0xbe70000000000000,
        0x7fe0000000000000,
    };
    return bits_f64(v[i]);
}

static inline void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(name);
        exit(2);
    }
}
#define WRITE(name, object) write_file(name, &(object), sizeof(object))
