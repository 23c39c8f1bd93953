/* Products of matrices of doubles: two nested loops divided among teams and threads, sums in a fixed order. */
enum { N = 20 };

void matmul_f64(const double *a, const double *b, double *c)
{
#pragma omp target teams distribute parallel for collapse(2) num_teams(2) is_device_ptr(a, b, c)
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            double sum = 0;
            for (int i = 0; i < N; i++)
                sum += a[row * N + i] * b[i * N + column];
            c[row * N + column] = sum;
        }
}
