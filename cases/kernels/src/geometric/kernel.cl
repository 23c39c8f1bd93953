/* Vectors of three and four: products, lengths, quaternions that turn points, a small ray tracer of spheres with a bounded
 * number of reflections. Native functions, fast math. */
static float4 times(float4 a, float4 b)
{
    return (float4)(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

__kernel void geometric(__global const float4 *spheres, float4 spin, __global float *out, __global float4 *turned)
{
    uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float3 at = (float3)(0), way = normalize((float3)((x - 15.5f) / 20, (y - 11.5f) / 20, 1));
    float light = 0, weight = 1;
    for (int bounce = 0; bounce < 3; bounce++) {
        float near = 1e30f;
        int hit = -1;
        for (int k = 0; k < 5; k++) {
            float3 to = spheres[k].xyz - at;
            float along = dot(to, way), square = along * along - dot(to, to) + spheres[k].w * spheres[k].w;
            if (square > 0 && along - sqrt(square) > 1e-2f && along - sqrt(square) < near)
                near = along - sqrt(square), hit = k;
        }
        if (hit < 0) {
            light += weight * (way.y * 0.5f + 0.5f);
            break;
        }
        at += way * near;
        float3 normal = (at - spheres[hit].xyz) / spheres[hit].w;
        light += weight * 0.3f * fmax(dot(normal, (float3)(0.6f, -0.64f, -0.48f)), 0.0f);
        way -= 2 * dot(way, normal) * normal;
        weight *= 0.5f;
    }
    out[y * w + x] = light;
    float4 point = (float4)(x, y, x ^ y, 0), back = (float4)(-spin.xyz, spin.w);
    turned[y * w + x] = times(times(spin, point), back) + (float4)(0, 0, 0, fast_length(point.xyz) + distance(point, spin));
}
