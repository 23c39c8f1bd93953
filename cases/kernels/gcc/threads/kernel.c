/* Eight threads of one team share an array in the team's memory: barriers, a critical section, work that one does. */
int omp_get_thread_num(void);

void threads(const unsigned *in, unsigned *sums, unsigned *order)
{
#pragma omp target is_device_ptr(in, sums, order)
    {
        unsigned part[2][8], count = 0;
#pragma omp parallel num_threads(8) shared(part, count)
        {
            unsigned me = (unsigned)omp_get_thread_num(), from = 0;
            part[0][me] = 0;
            for (unsigned i = 0; i < 32; i++)
                part[0][me] += in[me * 32 + i];
            for (unsigned step = 1; step < 8; step *= 2) {
#pragma omp barrier
                part[1 - from][me] = part[from][me] + (me >= step ? part[from][me - step] : 0);
                from = 1 - from;
            }
            sums[me] = part[from][me];
#pragma omp critical
            {
                count += me + 1;
            }
#pragma omp barrier
#pragma omp single
            *order = count;
        }
    }
}
