/* Bundles of code objects: what is found in good ones, and what is said about bad ones. The bundles
 * are put together here, by the format's description. */
#include "harness/bundle/bundle.h"
#include "harness/t/lib/tap_test.h"

#include <stdlib.h>
#include <zstd.h>

enum { ROOM = 1 << 16, HEAD = 24 + 8 };

struct made {
    u8 bytes[ROOM];
    size_t size;
};

static void put(struct made *m, const void *bytes, size_t size)
{
    if (m->size + size > ROOM)
        bail("a test bundle is too large");
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static void put_number(struct made *m, u64 v, u32 size)
{
    put(m, &v, size);
}

/* A bundle of a host entry without code and two with the given ids, whose code is "AAAA" and
 * "BBBBBB". */
static void make_plain(struct made *m, const char *id1, const char *id2)
{
    static const char host[] = "host-x86_64-unknown-linux--";
    size_t start = m->size, table = HEAD + 3 * 24 + strlen(host) + strlen(id1) + strlen(id2);
    put(m, "__CLANG_OFFLOAD_BUNDLE__", 24);
    put_number(m, 3, 8);
    const struct {
        const char *id;
        u64 at, size;
    } entries[] = { { host, table, 0 }, { id1, table, 4 }, { id2, table + 4, 6 } };
    for (u32 i = 0; i < 3; i++) {
        put_number(m, entries[i].at, 8);
        put_number(m, entries[i].size, 8);
        put_number(m, strlen(entries[i].id), 8);
        put(m, entries[i].id, strlen(entries[i].id));
    }
    if (m->size - start != table)
        bail("the table of a test bundle has another size");
    put(m, "AAAABBBBBB", 10);
}

/* The same, compressed: head of this version, this method, and `lie` added to the sizes. */
static void make_packed(struct made *m, u32 version, u32 method, u64 lie)
{
    static struct made plain;
    static u8 packed[ROOM];
    plain.size = 0;
    make_plain(&plain, "hipv4-amdgcn-amd-amdhsa--gfx900", "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-");
    size_t size = ZSTD_compress(packed, sizeof packed, plain.bytes, plain.size, 3);
    u32 width = version == 3 ? 8 : 4;
    put(m, "CCOB", 4);
    put_number(m, version, 2);
    put_number(m, method, 2);
    if (version >= 2)
        put_number(m, 8 + 2 * width + 8 + size + lie, width);
    put_number(m, plain.size + lie, width);
    put_number(m, 0x123456789abcdef0, 8);
    put(m, packed, size);
}

/* Opens an exact copy, so that a read beyond its end is seen by the sanitizer. */
static enum status open_made(struct bundle *b, const struct made *m, struct err *e)
{
    u8 *copy = malloc(m->size ? m->size : 1);
    memcpy(copy, m->bytes, m->size);
    *e = (struct err){ .text = "" };
    enum status st = bundle_open_memory(b, "x.bundle", copy, m->size, e);
    free(copy);
    return st;
}

static void good(void)
{
    static struct made m;
    struct bundle b;
    struct err e;
    make_plain(&m, "hip-amdgcn-amd-amdhsa--gfx803", "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-");
    memset(m.bytes + m.size, 0, 4096 - m.size % 4096); /* padding between bundles */
    m.size += 4096 - m.size % 4096;
    make_plain(&m, "openmp-amdgcn-amd-amdhsa--gfx900", "hipv4-amdgcn-amd-amdhsa--gfx908");
    if (!ok(open_made(&b, &m, &e) == ST_OK, "two bundles one after the other %s", e.text))
        return;
    is_u64(4, b.part_count, "parts, without those for the host");
    is_u64(2, b.bundle_count, "bundles");
    ok(b.parts[0].size == 4 && memcmp(b.parts[0].bytes, "AAAA", 4) == 0, "the first code");
    ok(b.parts[1].size == 6 && memcmp(b.parts[1].bytes, "BBBBBB", 6) == 0, "the second code");
    is_str("hipv4-amdgcn-amd-amdhsa--gfx906:xnack-", b.parts[1].id, "its id");
    is_str("gfx906:xnack-", bundle_target(&b.parts[1]), "its target");
    is_u64(1, b.parts[2].bundle, "the third is in the second bundle");
    is_str("gfx900", bundle_target(&b.parts[2]), "its target");
    bundle_close(&b);
}

static void compressed(void)
{
    for (u32 version = 1; version <= 3; version++) {
        static struct made m;
        struct bundle b;
        struct err e;
        m.size = 0;
        make_packed(&m, version, 1, 0);
        if (!ok(open_made(&b, &m, &e) == ST_OK, "compressed, version %u %s", version, e.text))
            continue;
        ok(b.part_count == 2 && b.parts[1].size == 6 && memcmp(b.parts[1].bytes, "BBBBBB", 6) == 0,
           "its second code");
        bundle_close(&b);
    }
    static struct made two;
    struct bundle b;
    struct err e;
    make_packed(&two, 1, 1, 0);
    put(&two, "\0\0\0\0\0\0\0", 7);
    make_packed(&two, 2, 1, 0);
    put(&two, "\0\0\0", 3);
    make_plain(&two, "hip-amdgcn-amd-amdhsa--gfx803", "hip-amdgcn-amd-amdhsa--gfx900");
    if (ok(open_made(&b, &two, &e) == ST_OK, "both kinds one after the other %s", e.text)) {
        is_u64(6, b.part_count, "parts");
        bundle_close(&b);
    }
}

/* One line that says what and where. */
static void refused(const struct made *m, const char *want)
{
    struct bundle b;
    struct err e;
    if (open_made(&b, m, &e) == ST_OK) {
        ok(false, "refused: %s", want);
        bundle_close(&b);
        return;
    }
    if (!ok(strcmp(e.text, want) == 0 && strcmp(e.file, "x.bundle") == 0, "%s", want))
        diag("got %s: %s", e.file, e.text);
}

static void set(struct made *m, size_t at, u64 v, u32 size)
{
    memcpy(m->bytes + at, &v, size);
}

static void bad(void)
{
    static struct made m;
    static const struct {
        size_t at;
        u64 value;
        const char *want;
    } patches[] = {
        { 24, 4, "bundle at 0x0: entry 3 of 4 is beyond the end" },
        { HEAD + 16, 256, "bundle at 0x0: the id of entry 0 is longer than 255 bytes or the file" },
        { HEAD + 16, UINT64_MAX,
          "bundle at 0x0: the id of entry 0 is longer than 255 bytes or the file" },
        { HEAD, 4096, "bundle at 0x0: entry 0: bytes 0x1000+0x0 are beyond the end" },
        { HEAD, UINT64_MAX,
          "bundle at 0x0: entry 0: bytes 0xffffffffffffffff+0x0 are beyond the end" },
        { HEAD + 24 + 27 + 8, UINT64_MAX - 100,
          "bundle at 0x0: entry 1: bytes 0xbd+0xffffffffffffff9b are beyond the end" },
    };
    for (size_t i = 0; i < COUNT_OF(patches); i++) {
        m.size = 0;
        make_plain(&m, "hip-amdgcn-amd-amdhsa--gfx803", "hip-amdgcn-amd-amdhsa--gfx900");
        set(&m, patches[i].at, patches[i].value, 8);
        refused(&m, patches[i].want);
    }
    m.size = 0;
    make_plain(&m, "hip-amdgcn-amd-amdhsa--gfx803", "hip-amdgcn-amd-amdhsa--gfx900");
    size_t whole = m.size;
    put(&m, "\0\0x", 3);
    refused(&m, "bytes at 0xc9 are no bundle");
    bool is_clear = true;
    for (m.size = 0; m.size < whole; m.size++) {
        struct bundle b;
        struct err e;
        is_clear &= open_made(&b, &m, &e) == ST_INPUT && e.text[0] && !strchr(e.text, '\n');
    }
    ok(is_clear, "cut short anywhere, it is refused with one line");

    static const struct {
        u32 version, method;
        u64 lie;
        const char *want;
    } packed[] = {
        { 4, 1, 0, "compressed bundle at 0x0: version 4 is not known (1 to 3 are)" },
        { 2, 0, 0, "compressed bundle at 0x0: compression by zlib is not supported, only zstd" },
        { 2, 9, 0, "compressed bundle at 0x0: compression method 9 is not known" },
        { 1, 1, 1, "compressed bundle at 0x0: cannot be unpacked: is too short" },
        { 1, 1, 0x40000000,
          "compressed bundle at 0x0: unpacks to 0x400000d2 bytes, more than the limit of "
          "0x40000000" },
    };
    for (size_t i = 0; i < COUNT_OF(packed); i++) {
        m.size = 0;
        make_packed(&m, packed[i].version, packed[i].method, packed[i].lie);
        refused(&m, packed[i].want);
    }
}

int main(void)
{
    good();
    compressed();
    bad();
    return done();
}
