/* OpenACC: rows are divided among gangs, parts of a row among workers, and each part is a vector loop. */
enum { ROWS = 10, PARTS = 5, WIDTH = 96 };

void acc_rows(const int *in, int *sums, unsigned *most)
{
#pragma acc parallel num_gangs(4) num_workers(3) vector_length(64) deviceptr(in, sums, most)
    {
#pragma acc loop gang
        for (int row = 0; row < ROWS; row++) {
            unsigned largest = 0;
#pragma acc loop worker reduction(max : largest)
            for (int part = 0; part < PARTS; part++) {
                int sum = 0;
                const int *at = in + (row * PARTS + part) * WIDTH;
#pragma acc loop vector reduction(+ : sum)
                for (int i = 0; i < WIDTH; i++)
                    sum += at[i] * (i + part);
                sums[row * PARTS + part] = sum;
                largest = largest > (unsigned)sum ? largest : (unsigned)sum;
            }
            most[row] = largest;
        }
    }
}
