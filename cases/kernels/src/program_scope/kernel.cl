/* Variables of the program: tables with initial values, pointers to them (relocations), counters that work-groups share,
 * padded structures; a function's static table. */
struct node {
    uchar weight;
    __global const struct node *left, *right;
};
__global const struct node leaf_a = { 3, 0, 0 }, leaf_b = { 5, 0, 0 }, leaf_c = { 250, 0, 0 };
__global const struct node inner = { 7, &leaf_a, &leaf_b };
__global const struct node root = { 11, &inner, &leaf_c };
__global uint total = 1000;
__global uint histogram[8] = { 1, 2, 3 };
__global atomic_uint last = ATOMIC_VAR_INIT(0);
__global const struct node *__constant const roots[3] = { &root, &inner, &leaf_c };

static uint walk(__global const struct node *n, uint path)
{
    uint sum = 0;
    for (; n; path >>= 1) {
        sum = sum * 2 + n->weight;
        n = path & 1 ? n->right : n->left;
    }
    return sum;
}

__kernel void program_scope(__global const uint *in, __global uint *out, __global uint *counters)
{
    uint i = get_global_id(0), v = in[i];
    out[i] = walk(roots[v % 3], v >> 2);
    atomic_add(&total, v & 255);
    atomic_inc(&histogram[v & 7]);
    if (atomic_fetch_add(&last, 1) == get_global_size(0) - 1) {
        counters[0] = atomic_add(&total, 0);
        for (uint k = 0; k < 8; k++)
            counters[1 + k] = atomic_add(&histogram[k], 0);
    }
}
