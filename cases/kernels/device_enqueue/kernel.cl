/* A kernel that launches another: the model has no queue for that. */
__kernel void parent(__global int *out)
{
    ndrange_t range = ndrange_1D(4);
    out[get_global_id(0)] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{ out[get_global_id(0)] = 1; });
}
