__kernel void nbody(__global const float4 *bodies, __global float4 *out)
{
    size_t i = get_global_id(0);
    float4 self = bodies[i];
    float3 force = 0;
    for (uint k = 0; k < 64; k++) {
        float4 other = bodies[k];
        float3 d = other.xyz - self.xyz;
        float distance = dot(d, d) + 0.01f, scale = rsqrt(distance);
        force += d * (other.w * scale * scale * scale);
    }
    out[i] = (float4)(force, 0);
}
