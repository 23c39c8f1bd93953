/* OpenACC: a loop over gangs and workers, whose work-items wait for each other and add up through LDS and memory. */
void acc_reduce(const float *a, const float *b, float *out, int *hits_at, int n)
{
    int hits = 0;
#pragma acc parallel loop gang worker num_gangs(3) num_workers(4) deviceptr(a, b, out) reduction(+ : hits) copy(hits)
    for (int i = 0; i < n; i++) {
        out[i] = a[i] * b[i] + a[i];
        hits += a[i] > b[i];
    }
    *hits_at = hits;
}
