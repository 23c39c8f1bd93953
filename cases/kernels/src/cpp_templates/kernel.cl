/* C++ for OpenCL: templates over address spaces and sizes, references, operators, lambdas, inheritance, destructors that
 * count. */
template <typename T, int n> struct vec {
    T v[n];
    vec operator+(const vec &o) const
    {
        vec r;
        for (int i = 0; i < n; i++)
            r.v[i] = v[i] + o.v[i];
        return r;
    }
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
    template <typename F> T fold(T start, F f) const
    {
        for (int i = 0; i < n; i++)
            start = f(start, v[i]);
        return start;
    }
};
template <typename T> constexpr T none()
{
    return ~T(0);
}
struct guard {
    uint &count;
    uint step;
    guard(uint &c, uint s) : count(c), step(s) {}
    ~guard() { count += step; }
};
struct shape {
    uint w;
    uint area() const { return w; }
};
struct box : shape {
    uint h;
    uint area() const { return shape::area() * h; }
};

template <typename T, int n> static T work(const __global T *in, uint i)
{
    vec<T, n> a, b;
    for (int k = 0; k < n; k++)
        a[k] = in[(i + k) % 64], b[k] = T(k) * 3;
    vec<T, n> c = a + b;
    T low = c.fold(none<T>(), [](T x, T y) { return x < y ? x : y; });
    T key = T(i);
    return c.fold(low, [&](T x, T y) { return T(x * 31 + (y ^ key)); });
}

__kernel void cpp_templates(__global const uint *in, __global uint *out, __global const ulong *wide, __global ulong *wide_out)
{
    uint i = get_global_id(0), count = 0;
    {
        guard outer(count, 100);
        for (uint k = 0; k < in[i] % 5; k++) {
            guard inner(count, k + 1);
            if (k == 3)
                break;
        }
    }
    box b;
    b.w = in[i] & 255, b.h = count;
    out[2 * i] = work<uint, 5>(in, i) + work<uint, 3>(in, i + 7);
    out[2 * i + 1] = b.area() + count;
    wide_out[i] = work<ulong, 4>(wide, i);
}
