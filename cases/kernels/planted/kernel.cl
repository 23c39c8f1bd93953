/* One error in each kernel, on the line that says HERE. harness/t/launch/planted.sh launches them: what hardware may never show is
 * found by the option that the line names, and by it alone. */
#define FENCE barrier(CLK_LOCAL_MEM_FENCE)

__kernel void lds_unset(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[256];
    uint l = get_local_id(0);
    if (l < 100)
        a[l] = in[l];
    FENCE;
    uint v = a[127 - l];
    out[get_global_id(0)] = v; /* HERE check-memory */
}

__kernel void lds_branch(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[256];
    uint l = get_local_id(0), v = 1;
    a[l] = in[l];
    FENCE;
    uint next = a[l + 1];
    if (next > 3) /* HERE check-memory */
        v = in[l ^ 1];
    out[get_global_id(0)] = v;
}

__kernel void lds_index(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[256];
    uint l = get_local_id(0);
    a[2 * l] = l;
    FENCE;
    uint i = a[l] & 127;
    out[get_global_id(0)] = in[i]; /* HERE check-memory */
}

__kernel void private_unset(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    uint a[16], l = get_local_id(0);
    for (uint i = 0; i < n % 16; i++)
        a[(i * 7 + in[l]) % 16] = i;
    uint v = a[in[l + 5] % 16];
    out[get_global_id(0)] = v; /* HERE check-memory */
}

__kernel void tmp_unset(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    uint l = get_local_id(0);
    uint v = tmp[l] + 1;
    out[get_global_id(0)] = v; /* HERE check-memory */
}

__kernel void tmp_copied(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0);
    a[l] = tmp[l ^ 3];
    FENCE;
    tmp[l] = a[127 - l] + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    uint v = tmp[l ^ 1];
    out[get_global_id(0)] = v; /* HERE check-memory */
}

__kernel void lds_read_past_end(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0);
    a[l] = in[l];
    FENCE;
    out[get_global_id(0)] = a[l + n]; /* HERE check-memory */
}

__kernel void lds_written_past_end(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0);
    a[l + n] = in[l]; /* HERE check-memory */
    FENCE;
    out[get_global_id(0)] = a[n + l / 2];
}

__kernel void lds_atomic_past_end(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[64];
    uint l = get_local_id(0);
    if (l < 64)
        a[l] = 0;
    FENCE;
    atomic_inc(&a[in[l] % 8 + 56 + n]); /* HERE check-memory */
    FENCE;
    out[get_global_id(0)] = a[l / 2];
}

__kernel void input_written(__global uint *out, __global uint *in, __global uint *tmp, uint n)
{
    uint l = get_local_id(0);
    out[get_global_id(0)] = in[l];
    in[l] = 0; /* HERE check-memory */
}

__kernel void barrier_missing(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0);
    a[l] = in[l];
    out[get_global_id(0)] = a[127 - l]; /* HERE schedule */
}

__kernel void barrier_missing_in_loop(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0), v = in[l];
    for (uint i = 0; i < 4; i++) {
        a[l] = v;
        FENCE;
        v += a[(l + 64) & 127]; /* HERE schedule */
    }
    out[get_global_id(0)] = v;
}

__kernel void barrier_missing_in_sum(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[128];
    uint l = get_local_id(0);
    a[l] = in[l];
    FENCE;
    if (l < 64)
        a[l] += a[l + 64];
    out[get_global_id(0)] = a[l & 63]; /* HERE schedule */
}

__kernel void lost_update(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    if (get_local_id(0) == 0)
        out[0] += 1; /* HERE resident */
}

__kernel void ticket_without_atomic(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    if (get_local_id(0) == 0) {
        uint t = out[0];
        out[0] = t + 1; /* HERE resident */
        out[1 + t] = 1;
    }
}

__kernel void waits_for_ever(__global uint *out, __global const volatile uint *in, __global uint *tmp, uint n)
{
    while (in[0] != 77) /* HERE none */
        ;
    out[get_global_id(0)] = 1;
}

__kernel void waits_within_the_group(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local atomic_uint flag;
    uint l = get_local_id(0);
    if (l == 0)
        atomic_init(&flag, 0);
    FENCE;
    if (l >= 64)
        while (atomic_load(&flag) != 2) /* HERE none */
            ;
    else if (l == 0)
        atomic_store(&flag, 1);
    out[get_global_id(0)] = 1;
}

/* Both waves store to one place. */
__kernel void race_stores(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[64];
    uint l = get_local_id(0);
    a[l & 63] = l; /* HERE check-races */
    FENCE;
    out[get_global_id(0)] = a[l / 2] & 63;
}

__kernel void race_after_atomic(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[8];
    uint l = get_local_id(0);
    if (l < 8)
        a[l] = 0;
    FENCE;
    atomic_inc(&a[in[l] & 7]);
    out[get_global_id(0)] = a[l & 7]; /* HERE check-races */
}

__kernel void race_before_atomic(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __local uint a[8];
    uint l = get_local_id(0);
    if (l < 8)
        a[l] = 0;
    atomic_inc(&a[in[l] & 7]); /* HERE check-races */
    FENCE;
    out[get_global_id(0)] = a[l & 7];
}

__kernel void race_in_global(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    uint id = get_global_id(0);
    out[id] = in[id & 127];
    uint v = out[id ^ 64]; /* HERE check-races */
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[id] = v;
}

/* A flag is seen, and nothing says that what it stands for is. */
__kernel void race_relaxed(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __global atomic_uint *flag = (__global atomic_uint *)out;
    uint g = get_group_id(0);
    if (get_local_id(0))
        return;
    if (g == 0) {
        out[1] = 77;
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device))
            ;
        out[1 + g] = out[1]; /* HERE check-races */
    }
}

/* Work-groups that synchronize as if they were one. In full, as every kernel here: a finding has to name its line. */
__kernel void race_scope(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    __global atomic_uint *flag = (__global atomic_uint *)out;
    uint g = get_group_id(0);
    if (get_local_id(0))
        return;
    if (g == 0) {
        out[1] = 77;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    } else {
        while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group)) /* HERE check-races */
            ;
        out[1 + g] = out[1];
    }
}

/* Needs more stack than the compiler reckons, which is the next wave's. */
__attribute__((noinline)) uint down(uint n)
{ /* HERE check-memory */
    volatile uint a[16];
    for (uint i = 0; i < 16; i++)
        a[i] = n + i;
    return n ? down(n - 1) * 3 + a[n & 15] : a[3];
}

__kernel void small_stack(__global uint *out, __global const uint *in, __global uint *tmp, uint n)
{
    out[get_local_id(0)] = down(get_local_id(0) < 64 ? n - 13 : 0);
}
