/* Bundles of code objects, compressed or not, and the .hip_fatbin section of host files: opened as
 * a container only, which is fast. What is found lies in the bytes that were read. */
#include "harness/bundle/bundle.h"
#include "harness/fz/fz.h"

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    struct bundle b;
    struct err e = { .text = "" };
    u64 sum = 0;
    if (bundle_open_memory(&b, "x", data, size, &e) != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    for (u32 i = 0; i < b.part_count; i++) {
        const struct bundle_part *p = &b.parts[i];
        if (!p->bytes || p->bundle > size)
            fz_broken("a part has bytes and a bundle", p->id);
        if (strlen(bundle_target(p)) > strlen(p->id))
            fz_broken("the target is the end of the id", p->id);
        sum += p->size ? p->bytes[0] + p->bytes[p->size - 1] : 0; /* so that they are read */
    }
    bundle_close(&b);
    return sum < UINT64_MAX;
}
