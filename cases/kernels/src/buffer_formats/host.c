#include "../host.h"

enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7, RECORDS = 60, LANES = 64 };

/* Widths of data formats from the low end, by their codes. */
static const unsigned char widths[15][4] = { [1] = { 8 },
                                             [2] = { 16 },
                                             [3] = { 8, 8 },
                                             [4] = { 32 },
                                             [5] = { 16, 16 },
                                             [9] = { 10, 10, 10, 2 },
                                             [10] = { 8, 8, 8, 8 },
                                             [11] = { 32, 32 },
                                             [12] = { 16, 16, 16, 16 },
                                             [13] = { 32, 32, 32 },
                                             [14] = { 32, 32, 32, 32 } };
struct entry {
    int data, num;
    unsigned select; /* 0: components in order, 0 and 1 for those that lack */
};
static const struct entry floats[] = {
    { 1, UNORM, 0 },   { 1, SNORM, 0 },    { 3, UNORM, 0 },    { 10, UNORM, 0 },  { 10, SNORM, 0 }, { 10, USCALED, 0 },
    { 10, SSCALED, 0 }, { 10, UNORM, 0xf2e }, { 2, UNORM, 0 },  { 2, FLOAT, 0 },   { 5, SNORM, 0 },  { 12, UNORM, 0 },
    { 12, FLOAT, 0 },  { 4, FLOAT, 0 },    { 11, FLOAT, 0 },   { 13, FLOAT, 0 },  { 14, FLOAT, 0 }, { 9, UNORM, 0 },
    { 9, SNORM, 0 },   { 5, FLOAT, 0xb25 },
};
static const struct entry integers[] = {
    { 1, UINT, 0 }, { 1, SINT, 0 },  { 3, UINT, 0 },  { 10, UINT, 0 }, { 10, SINT, 0 }, { 2, SINT, 0 }, { 5, UINT, 0 },
    { 12, SINT, 0 }, { 12, UINT, 0 }, { 4, UINT, 0 },  { 11, UINT, 0 }, { 14, SINT, 0 }, { 9, UINT, 0 }, { 9, SINT, 0 },
};
static const struct entry stores[] = {
    { 1, UNORM, 0 }, { 10, UNORM, 0 }, { 10, SNORM, 0 }, { 12, UNORM, 0 }, { 12, FLOAT, 0 }, { 5, SINT, 0 },
    { 10, UINT, 0 }, { 4, FLOAT, 0 },  { 14, UINT, 0 },  { 9, UNORM, 0 },  { 2, FLOAT, 0 },
};
enum { FLOATS = sizeof floats / sizeof *floats, INTEGERS = sizeof integers / sizeof *integers,
       STORES = sizeof stores / sizeof *stores };

static unsigned table_floats[1 + 2 * FLOATS], table_integers[1 + 2 * INTEGERS], table_stores[1 + 2 * STORES];
static unsigned char in_floats[FLOATS][LANES * 16], in_integers[INTEGERS][LANES * 16], records[STORES][LANES * 16];
static unsigned out_integers[INTEGERS][4][LANES], values[STORES][LANES][4];
static float out_floats[FLOATS][4][LANES];

static int components(int data)
{
    int n = 0;
    while (n < 4 && widths[data][n])
        n++;
    return n;
}

static unsigned texel_bytes(int data)
{
    unsigned bits = 0;
    for (int i = 0; i < 4; i++)
        bits += widths[data][i];
    return bits / 8;
}

static void make_table(unsigned *t, const struct entry *e, unsigned count)
{
    static const unsigned plain[5] = { 0, 0x204, 0x22c, 0x3ac, 0xfac };
    *t++ = count;
    for (; count--; e++) {
        *t++ = texel_bytes(e->data) << 16;
        *t++ = (e->select ? e->select : plain[components(e->data)]) | (unsigned)e->num << 12 | (unsigned)e->data << 15;
    }
}

/* Bits of a component; of floats numbers that every width holds exactly. */
static unsigned random_bits(int num, int width)
{
    if (num != FLOAT)
        return width == 32 ? random_u32() : random_u32() & ((1u << width) - 1);
    float f = (float)((int)(random_u32() % 4001) - 2000) / 64;
    _Float16 h = (_Float16)f;
    unsigned short half;
    memcpy(&half, &h, 2);
    return width == 32 ? f32_bits(f) : half;
}

static void put_bits(unsigned char *p, unsigned at, int width, unsigned v)
{
    for (int i = 0; i < width; i++)
        p[(at + (unsigned)i) / 8] |= (unsigned char)((v >> i & 1) << (at + (unsigned)i) % 8);
}

static int extended(unsigned v, int width)
{
    return (int)(v << (32 - width)) >> (32 - width);
}

static double number(unsigned v, int num, int width)
{
    double high = (double)((1ull << width) - 1), half = (double)((1ull << (width - 1)) - 1);
    switch (num) {
    case UNORM: return v / high;
    case SNORM: return extended(v, width) / half < -1 ? -1 : extended(v, width) / half;
    case USCALED: case UINT: return v;
    case SSCALED: case SINT: return extended(v, width);
    default: return width == 32 ? (double)bits_f32(v) : (double)bits_f16((unsigned short)v);
    }
}

/* What a lane is given: fills the record, answers components 0 to 3 as bits. */
static void make_record(const struct entry *e, unsigned char *record, unsigned raw[4])
{
    unsigned at = 0;
    for (int c = 0; c < components(e->data); c++) {
        raw[c] = random_bits(e->num, widths[e->data][c]);
        put_bits(record, at, widths[e->data][c], raw[c]);
        at += widths[e->data][c];
    }
}

static void make_loads(void)
{
    for (int k = 0; k < FLOATS; k++)
        for (int l = 0; l < LANES; l++) {
            const struct entry *e = &floats[k];
            unsigned raw[4];
            make_record(e, in_floats[k] + (unsigned)l * texel_bytes(e->data), raw);
            for (int c = 0; c < 4; c++) {
                unsigned n = (unsigned)components(e->data), s = table_floats[2 + 2 * k] >> 3 * c & 7;
                out_floats[k][c][l] = s == 1 ? 1 : s < 4 || l >= RECORDS || s - 4 >= n ? 0
                                    : (float)number(raw[s - 4], e->num, widths[e->data][s - 4]);
            }
        }
    for (int k = 0; k < INTEGERS; k++)
        for (int l = 0; l < LANES; l++) {
            const struct entry *e = &integers[k];
            unsigned raw[4];
            make_record(e, in_integers[k] + (unsigned)l * texel_bytes(e->data), raw);
            for (int c = 0; c < 4; c++) {
                int width = widths[e->data][c];
                unsigned v = !width ? c == 3 : l >= RECORDS ? 0 : e->num == SINT ? (unsigned)extended(raw[c], width) : raw[c];
                out_integers[k][c][l] = v;
            }
        }
}

/* Values that are the middle of what is stored: rounding has no choice; some beyond the ends. */
static void make_stores(void)
{
    for (int k = 0; k < STORES; k++)
        for (int l = 0; l < LANES; l++) {
            const struct entry *e = &stores[k];
            unsigned at = 0;
            for (int c = 0; c < 4; c++) {
                int width = widths[e->data][c];
                unsigned raw = width ? random_bits(e->num, width) : random_u32(), *v = &values[k][l][c];
                int beyond = width && e->num <= SNORM && l % 8 == c;
                if (!width)
                    *v = raw;
                else if (e->num == UINT || e->num == SINT)
                    *v = e->num == SINT ? (unsigned)extended(raw, width) : raw;
                else
                    *v = f32_bits((float)number(raw, e->num, width));
                if (e->num == SNORM && raw == 1u << (width - 1))
                    raw++; /* the second -1 */
                if (beyond) {
                    *v = f32_bits(l & 16 ? -3.5f : 1.25f);
                    raw = l & 16 ? e->num == UNORM ? 0 : (1u << (width - 1)) + 1 : (1u << (width - (e->num == SNORM))) - 1;
                }
                if (width && l < RECORDS)
                    put_bits(records[k] + (unsigned)l * texel_bytes(e->data), at, width, raw);
                at += (unsigned)width;
            }
        }
}

static unsigned short in_rest[LANES][4];
static struct {
    int shorts[4][LANES];
    float bytes[4][LANES];
    unsigned halves[2][LANES];
    unsigned short stored[LANES][2];
} rest;

int main(void)
{
    make_table(table_floats, floats, FLOATS);
    make_table(table_integers, integers, INTEGERS);
    make_table(table_stores, stores, STORES);
    make_loads();
    make_stores();
    for (int l = 0; l < LANES; l++) {
        for (int c = 0; c < 4; c++) {
            in_rest[l][c] = (unsigned short)random_bits(FLOAT, 16);
            rest.shorts[c][l] = (short)in_rest[l][c];
            rest.bytes[c][l] = 0;
        }
        for (int c = 0; c < 4; c++)
            rest.bytes[c][l] = (float)(in_rest[l][2 + c / 2] >> c % 2 * 8 & 255);
        for (int c = 0; c < 2; c++) {
            rest.halves[c][l] = in_rest[l][2 * c] | (unsigned)in_rest[l][2 * c + 1] << 16;
            rest.stored[l][c] = in_rest[l][c];
        }
    }
    WRITE("table_floats.bin", table_floats);
    WRITE("in_floats.bin", in_floats);
    WRITE("out_floats.bin", out_floats);
    WRITE("table_integers.bin", table_integers);
    WRITE("in_integers.bin", in_integers);
    WRITE("out_integers.bin", out_integers);
    WRITE("table_stores.bin", table_stores);
    WRITE("values.bin", values);
    WRITE("records.bin", records);
    WRITE("in_rest.bin", in_rest);
    WRITE("rest.bin", rest);
}
