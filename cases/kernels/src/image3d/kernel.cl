/* A 3D image of one 32-bit component, shifted along its diagonal into another: three coordinates, slices behind rows. */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
__kernel void image3d(read_only image3d_t in, write_only image3d_t out, __global int *depth)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0), size = get_image_dim(in);
    if (get_global_linear_id() == 0)
        *depth = get_image_depth(in) * 100 + get_image_height(out);
    int4 v = read_imagei(in, at);
    write_imagei(out, (at + 1) % (int4)(size.xyz, 1), v * 3 - (int4)(at.z));
}
