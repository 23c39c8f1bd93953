/* Edit distance of byte strings of different lengths: two rows in LDS for each work-item, three-way minimum, bytes everywhere. */
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void levenshtein(__global const uchar *text, __global const ushort *starts,
                                                                          __global uchar *out)
{
    __local uchar rows[32][2][28];
    uint i = get_global_id(0);
    __local uchar(*row)[28] = rows[get_local_id(0)];
    __global const uchar *a = text + starts[2 * i], *b = text + starts[2 * i + 1];
    uint n = starts[2 * i + 1] - starts[2 * i], m = starts[2 * i + 2] - starts[2 * i + 1];
    for (uint k = 0; k <= m; k++)
        row[0][k] = k;
    for (uint y = 1; y <= n; y++) {
        row[y & 1][0] = y;
        for (uint x = 1; x <= m; x++) {
            uint same = row[~y & 1][x - 1] + (a[y - 1] != b[x - 1]);
            row[y & 1][x] = min(same, min(row[y & 1][x - 1], row[~y & 1][x]) + 1u);
        }
    }
    out[i] = row[n & 1][m];
}
