/* The same kernel as code objects of version 2 to 6; built-ins only, so that no library is needed. */
__constant int table[4] = { 5, 7, 11, 13 };
__attribute__((reqd_work_group_size(64, 1, 1))) __kernel void versions(__global const int *a, __global int *b, int n)
{
    int i = (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
    if (i < n)
        b[i] = a[i] + table[i & 3];
}
