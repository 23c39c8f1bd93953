static float normal(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float tail = exp(-0.5f * x * x) * 0.39894228f * k
        * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x < 0 ? tail : 1.0f - tail;
}

__kernel void black_scholes(__global const float *price, __global const float *strike, __global float *call)
{
    size_t i = get_global_id(0);
    float s = price[i], k = strike[i], t = 2.0f, rate = 0.02f, volatility = 0.3f, root = sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    call[i] = s * normal(d1) - k * exp(-rate * t) * normal(d1 - volatility * root);
}
