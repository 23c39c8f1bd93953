/* Solves systems of 20 equations in doubles, one in each work-item: LU decomposition with pivots in private memory, division
 * and fused products of 64 bits. */
#define N 20
__kernel void lu_f64(__global const double *matrices, __global const double *right, __global double *out)
{
    uint i = get_global_id(0);
    double a[N][N], b[N];
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            a[y][x] = matrices[(i * N + y) * N + x];
        b[y] = right[i * N + y];
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int y = k + 1; y < N; y++)
            if (fabs(a[y][k]) > fabs(a[pivot][k]))
                pivot = y;
        for (int x = 0; x < N; x++) {
            double t = a[k][x];
            a[k][x] = a[pivot][x], a[pivot][x] = t;
        }
        double t = b[k];
        b[k] = b[pivot], b[pivot] = t;
        for (int y = k + 1; y < N; y++) {
            double f = a[y][k] / a[k][k];
            for (int x = k + 1; x < N; x++)
                a[y][x] = fma(-f, a[k][x], a[y][x]);
            b[y] = fma(-f, b[k], b[y]);
        }
    }
    for (int k = N; k-- > 0;) {
        for (int x = k + 1; x < N; x++)
            b[k] = fma(-a[k][x], b[x], b[k]);
        b[k] /= a[k][k];
        out[i * N + k] = b[k];
    }
}
