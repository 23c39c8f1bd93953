/* What the compiler calls around a target region, without libgomp, which Debian does not have for gfx908. */
#pragma omp declare target
void gomp_gcn_enter_kernel(void) {}
void gomp_gcn_exit_kernel(void) {}
#pragma omp end declare target
