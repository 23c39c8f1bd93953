// Kernels that follow each other in one launch and share buffers. Four work-groups of 64 work-items; what one kernel stores, other
// work-groups of the next one load.
#define GROUP 64
#define ITEM (__builtin_amdgcn_workgroup_id_x() * GROUP + __builtin_amdgcn_workitem_id_x())

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void triple(__global const uint *in, __global uint *out)
{
    out[ITEM] = in[ITEM] * 3;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void reverse(__global const uint *in, __global uint *out, uint n)
{
    out[ITEM] = in[n - 1 - ITEM];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void add(__global uint *to, __global const uint *from)
{
    to[ITEM] += from[ITEM];
}

// Wrong before reverse: every second element is left as it was.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void triple_some(__global const uint *in, __global uint *out)
{
    if (ITEM % 2)
        out[ITEM] = in[ITEM] * 3;
}

// Wrong: triple and reverse in one kernel, without anything in between.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void at_once(__global const uint *in, __global uint *tmp, __global uint *out, uint n)
{
    tmp[ITEM] = in[ITEM] * 3;
    out[ITEM] = tmp[n - 1 - ITEM];
}

// Stores where the pointer in memory points, which it moves on.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void push(__global uint *__global *at, uint value)
{
    **at = value;
    ++*at;
}

// Counts in a variable.
__global uint counter = 5;
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void count(uint by)
{
    counter += by;
}
