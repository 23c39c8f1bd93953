/* Reads through a table of addresses that the loader must relocate: one entry is an address inside the code
 * object (R_AMDGPU_RELATIVE64), the other goes through a symbol (R_AMDGPU_ABS64). The last work-group of the
 * launch is partial. */
__attribute__((visibility("default"))) __global uint table_a[4] = { 11, 22, 33, 44 };
static __global uint table_b[4] = { 500, 600, 700, 800 };
__global uint *__global tables[2] = { table_b, table_a };
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void global_table(__global uint *out)
{
    uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    out[i] = tables[i >> 2 & 1][i & 3] + i;
}
