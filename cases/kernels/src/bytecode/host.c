#include "../host.h"

enum { PUSH, ADD, SUB, MUL, XOR, SHR, DUP, SWAP, OVER, DROP, JNZ, DEC, NOT, LT, ARG, HALT, N = 128 };

/* (i % 8 + 1)! with SUB and SHR for the remainder; the sum of a countdown; steps of a xorshift until it is small */
static const unsigned char programs[] = {
    /* 0: n = i - (i >> 3 << 3) as i - (i >> 3) * 8; r = 1; do r *= n + 1 while n-- */
    PUSH, 1, ARG, DUP, PUSH, 3, SHR, PUSH, 8, MUL, SUB, /* 11: */ SWAP, OVER, PUSH, 1, ADD, MUL, SWAP, DUP, JNZ, 23, DROP, HALT,
    /* 23: */ DEC, PUSH, 1, JNZ, 11,
    /* 28: s = 5; n = i + 1; do s = ~(s * 3) + n while --n */
    PUSH, 5, ARG, PUSH, 1, ADD, /* +6: */ SWAP, PUSH, 3, MUL, NOT, OVER, ADD, SWAP, DEC, DUP, JNZ, 6, DROP, HALT,
    /* 48: x = i * 201 + 7; do x ^= x >> 3, x *= 77 until x >> 24 < 16 */
    ARG, PUSH, 201, MUL, PUSH, 7, ADD, /* +7: */ DUP, PUSH, 3, SHR, XOR, PUSH, 77, MUL, DUP, PUSH, 24, SHR, PUSH, 16, LT, PUSH, 1,
    SWAP, SUB, JNZ, 7, HALT
};
static const unsigned starts[3] = { 0, 28, 48 };
static unsigned out[N][2];

int main(void)
{
    for (unsigned i = 0; i < N; i++) {
        unsigned v, steps;
        if (i % 3 == 0) {
            v = 1, steps = 8; /* before the loop */
            for (unsigned n = i % 8;; n--) {
                v *= n + 1, steps += 8;
                if (!n)
                    break;
                steps += 3;
            }
            steps += 2;
        } else if (i % 3 == 1) {
            v = 5, steps = 4;
            for (unsigned n = i + 1; n; n--)
                v = ~(v * 3) + n, steps += 10;
            steps += 2;
        } else {
            v = i * 201 + 7, steps = 5;
            do
                v ^= v >> 3, v *= 77, steps += 15;
            while (v >> 24 >= 16);
            steps += 1;
        }
        out[i][0] = v;
        out[i][1] = steps;
    }
    WRITE("programs.bin", programs);
    WRITE("starts.bin", starts);
    WRITE("out.bin", out);
}
