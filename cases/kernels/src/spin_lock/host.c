#include "../host.h"

enum { N = 192, ACCOUNTS = 12 };
static unsigned short moves[N][4];
static int before[ACCOUNTS], after[ACCOUNTS], locks[ACCOUNTS];
static unsigned log_before[ACCOUNTS], log_after[ACCOUNTS];

int main(void)
{
    for (int k = 0; k < ACCOUNTS; k++)
        before[k] = after[k] = (int)(random_u32() % 100000);
    for (int i = 0; i < N; i++) {
        unsigned short *m = moves[i];
        m[0] = (unsigned short)(random_u32() % ACCOUNTS);
        m[1] = (unsigned short)(random_u32() % ACCOUNTS);
        m[2] = (unsigned short)(random_u32() % 1000);
        after[m[0]] -= m[2];
        after[m[1]] += m[2];
        log_after[m[0] < m[1] ? m[0] : m[1]]++;
    }
    WRITE("moves.bin", moves);
    WRITE("locks.bin", locks);
    WRITE("before.bin", before);
    WRITE("after.bin", after);
    WRITE("log_before.bin", log_before);
    WRITE("log_after.bin", log_after);
}
