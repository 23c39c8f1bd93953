/* Functions that call themselves, to a depth that differs from lane to lane: a stack that grows as the program runs. OpenCL
 * has no recursion: this is plain C. */
typedef unsigned int uint;
typedef unsigned char uchar;

static uint ackermann(uint m, uint n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

/* Towers: peg of each disk after `step` moves, by the steps themselves. */
static void hanoi(uint disks, uint from, uint to, uint *left, uchar *pegs)
{
    if (disks == 0 || *left == 0)
        return;
    hanoi(disks - 1, from, 3 - from - to, left, pegs);
    if (*left == 0)
        return;
    --*left;
    pegs[disks - 1] = to;
    hanoi(disks - 1, 3 - from - to, to, left, pegs);
}

__attribute__((amdgpu_kernel)) void recursion(__attribute__((address_space(1))) uint *out)
{
    uint i = __builtin_amdgcn_workgroup_id_x() * 40 + __builtin_amdgcn_workitem_id_x(), left = i * 3;
    uchar pegs[8] = { 0 };
    out[2 * i] = ackermann(i % 3, i % 7);
    hanoi(8, 0, 2, &left, pegs);
    uint v = 0;
    for (uint k = 0; k < 8; k++)
        v = v * 3 + pegs[k];
    out[2 * i + 1] = v;
}
