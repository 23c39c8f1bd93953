/* Arrays on the stack with indices that are known only at run time, structs by value, a switch, division of 64 bits. */
struct state {
    unsigned char order[64];
    long total;
};

#pragma omp declare target
__attribute__((noinline)) static struct state turn(struct state s, int by)
{
    struct state t = s;
    for (int i = 0; i < 64; i++)
        t.order[(i + by) & 63] = (unsigned char)(s.order[i] + i % 3);
    t.total = s.total * 1000003 / (by + 7) - s.total % (by + 11);
    return t;
}
#pragma omp end declare target

void private(const unsigned *steps, long *out, int n)
{
#pragma omp target is_device_ptr(steps, out)
    {
        struct state s;
        for (int i = 0; i < 64; i++)
            s.order[i] = (unsigned char)(i * 5);
        s.total = -12345;
        for (int i = 0; i < n; i++) {
            switch (steps[i] % 7) {
            case 0: s.total ^= 0x5555; break;
            case 1: s = turn(s, 3); break;
            case 2: s.total += s.order[steps[i] / 7 & 63]; break;
            case 3: s.order[steps[i] / 7 & 63]++; break;
            case 4: s = turn(s, (int)(steps[i] / 7 & 31)); break;
            case 5: s.total = -s.total; break;
            default: s.total -= i; break;
            }
            out[i] = s.total;
        }
        for (int i = 0; i < 64; i++)
            out[n + i] = s.order[i];
    }
}
