/* An object that was not linked: a global through the offset table, a call, a table, a pointer in data. */
__attribute__((visibility("default"))) __global int scale = 3;
__global int *__global where = &scale;
static __constant int table[4] = { 5, 7, 11, 13 };

__attribute__((noinline, visibility("default"))) int twist(int x)
{
    return x * scale + table[x & 3];
}

__attribute__((reqd_work_group_size(64, 1, 1))) __kernel void unlinked(__global const int *a, __global int *b, int n)
{
    int i = (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
    if (i < n)
        b[i] = twist(a[i]) + *where;
}
