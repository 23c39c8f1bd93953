/* Programs that are to run under the virtual GPU: what is looked at to know how they get at libc.
 * Slashes of a script become underscores, so that it names no file but itself or none. */
#include "harness/fz/fz.h"
#include "harness/vgpu/linked.h"

#include <stdlib.h>

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    char why[8192];
    struct text t;
    u8 *bytes = malloc(size + 1);
    if (!bytes)
        abort();
    if (size)
        memcpy(bytes, data, size);
    for (size_t i = 0; size > 1 && bytes[0] == '#' && i < size; i++)
        bytes[i] = bytes[i] == '/' ? '_' : bytes[i];
    text_init(&t, why, sizeof why);
    enum linked how = linked_how(fz_file(bytes, size), &t);
    free(bytes);
    if ((how == LINKED_NONE) != (why[0] == '\0'))
        fz_broken("what was looked at is told", why);
    return how == LINKED_DYNAMIC || how == LINKED_STATIC;
}
