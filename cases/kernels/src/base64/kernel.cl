/* Base64 there and back: characters through a string constant and through comparisons, stores of single bytes. */
static char letter(uint v)
{
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[v];
}
static uint value(char c)
{
    return c >= 'a' ? c - 'a' + 26 : c >= 'A' ? c - 'A' : c >= '0' ? c - '0' + 52 : c == '+' ? 62 : 63;
}

__kernel void base64(__global const uchar *in, uint length, __global char *text, __global const char *back, __global uchar *out)
{
    uint i = get_global_id(0), at = i * 3;
    if (at >= length)
        return;
    uint left = length - at, v = in[at] << 16;
    if (left > 1)
        v |= in[at + 1] << 8;
    if (left > 2)
        v |= in[at + 2];
    for (uint k = 0; k < 4; k++)
        text[4 * i + k] = k > left ? '=' : letter(v >> (18 - 6 * k) & 63);
    uint w = 0, missing = 0;
    for (uint k = 0; k < 4; k++) {
        char c = back[4 * i + k];
        missing += c == '=';
        w = w << 6 | (c == '=' ? 0 : value(c));
    }
    for (uint k = 0; k < 3 - missing; k++)
        out[at + k] = w >> (16 - 8 * k);
}
