#include "harness/io/sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const u32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static u32 right(u32 v, u32 n)
{
    return v >> n | v << (32 - n);
}

/* One block into the eight words. */
static void add_block(u32 h[8], const u8 *block)
{
    u32 w[64], v[8];
    for (u32 i = 0; i < 16; i++, block += 4)
        w[i] = (u32)block[0] << 24 | (u32)block[1] << 16 | (u32)block[2] << 8 | block[3];
    for (u32 i = 16; i < 64; i++) {
        u32 s0 = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3;
        u32 s1 = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, h, sizeof v);
    for (u32 i = 0; i < 64; i++) {
        u32 s1 = right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25);
        u32 s0 = right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22);
        u32 choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        u32 majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        u32 t = v[7] + s1 + choice + constants[i] + w[i];
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t;
        v[0] = t + s0 + majority;
    }
    for (u32 i = 0; i < 8; i++)
        h[i] += v[i];
}

void sha256_init(struct sha256 *s)
{
    static const u32 first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memcpy(s->h, first, sizeof s->h);
    s->bytes = 0;
}

void sha256_add(struct sha256 *s, const void *bytes, size_t size)
{
    const u8 *at = bytes;
    size_t held = s->bytes % SHA256_BLOCK;
    s->bytes += size;
    while (held + size >= SHA256_BLOCK) {
        size_t n = SHA256_BLOCK - held;
        memcpy(s->block + held, at, n);
        add_block(s->h, s->block);
        at += n;
        size -= n;
        held = 0;
    }
    if (size)
        memcpy(s->block + held, at, size);
}

void sha256_add_text(struct sha256 *s, const char *text)
{
    sha256_add(s, text ? text : "", text ? strlen(text) + 1 : 1);
}

void sha256_end_bytes(struct sha256 *s, u8 digest[SHA256_BYTES])
{
    static const u8 pad[SHA256_BLOCK] = { 0x80 };
    u64 bits = s->bytes * 8;
    size_t held = s->bytes % SHA256_BLOCK;
    u8 length[8];
    for (u32 i = 0; i < 8; i++)
        length[i] = (u8)(bits >> (56 - 8 * i));
    sha256_add(s, pad, held < 56 ? 56 - held : 120 - held);
    sha256_add(s, length, sizeof length);
    for (u32 i = 0; i < SHA256_BYTES; i++)
        digest[i] = (u8)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_end(struct sha256 *s, char text[SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    u8 digest[SHA256_BYTES];
    sha256_end_bytes(s, digest);
    for (u32 i = 0; i < SHA256_BYTES; i++) {
        *text++ = digits[digest[i] >> 4];
        *text++ = digits[digest[i] & 15];
    }
    *text = '\0';
}

bool sha256_add_file(struct sha256 *s, const char *path)
{
    u8 part[1 << 14];
    ssize_t n = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    do {
        n = read(fd, part, sizeof part);
        if (n > 0)
            sha256_add(s, part, (size_t)n);
    } while (n > 0 || (n < 0 && errno == EINTR));
    int why = errno;
    close(fd);
    errno = why;
    return n == 0;
}
