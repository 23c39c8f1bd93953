#pragma OPENCL FP_CONTRACT OFF
__kernel void mandelbrot(__global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1), n = 0;
    float cx = x * (3.0f / 64.0f) - 2.0f, cy = y * 0.125f - 1.0f, re = 0, im = 0;
    while (n < 60 && re * re + im * im <= 4.0f) {
        float next = re * re - im * im + cx;
        im = 2.0f * re * im + cy;
        re = next;
        n++;
    }
    out[y * get_global_size(0) + x] = n;
}
