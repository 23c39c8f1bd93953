/* Code points of byte strings with errors among them: a state machine with early ends, every lane at another byte. */
__kernel void utf8(__global const uchar *text, uint size, __global uint *out, __global uint *errors)
{
    uint i = get_global_id(0), n = 0;
    __global const uchar *s = text + i * size;
    for (uint at = 0; at < size && s[at];) {
        uint c = s[at++], more, least;
        if (c < 0x80) {
            more = 0, least = 0;
        } else if (c >= 0xc2 && c < 0xe0) {
            more = 1, least = 0x80, c &= 31;
        } else if ((c & 0xf0) == 0xe0) {
            more = 2, least = 0x800, c &= 15;
        } else if (c >= 0xf0 && c < 0xf5) {
            more = 3, least = 0x10000, c &= 7;
        } else {
            atomic_inc(&errors[0]);
            c = 0xfffd, more = 0, least = 0;
        }
        while (more) {
            if (at == size || (s[at] & 0xc0) != 0x80) {
                atomic_inc(&errors[1]);
                c = 0xfffd;
                break;
            }
            c = c << 6 | (s[at++] & 63);
            more--;
        }
        if (!more && (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))) {
            atomic_inc(&errors[2]);
            c = 0xfffd;
        }
        out[i * size + n++] = c;
    }
}
