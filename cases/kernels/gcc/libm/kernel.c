/* Functions of newlib's mathematics library, compiled for one lane, and division in software. */
double sin(double x);
double exp(double x);
double log(double x);
double pow(double x, double y);
float atan2f(float y, float x);

void libm(const double *in, double *out, int n)
{
#pragma omp target is_device_ptr(in, out)
    for (int i = 0; i < n; i++) {
        double x = in[i];
        out[i * 6] = sin(x);
        out[i * 6 + 1] = exp(x);
        out[i * 6 + 2] = log(x * x + 0.5);
        out[i * 6 + 3] = pow(x * x + 0.1, 1.7);
        out[i * 6 + 4] = atan2f((float)x, 1.25f);
        out[i * 6 + 5] = 1.0 / (x + 30.0);
    }
}
