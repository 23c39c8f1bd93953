/* The checksum that ends a finding.json. Its text goes on being JSON: the last key is
 *
 *     "checksum": "1a2b3c4d"
 *
 * on a line of its own, over all bytes before the comma that it is behind. */
#include "harness/finding/internal.h"
#include "reports/file/checksum.h"

#include <stdio.h>
#include <stdlib.h>

static const char seal_format[] = ",\n \"checksum\": \"%08x\"\n}";
enum { HEAD = 64, SEAL_BYTES = sizeof ",\n \"checksum\": \"12345678\"\n}" - 1 };

static u32 sum_of(const void *bytes, size_t size)
{
    struct checksum c;
    checksum_init(&c);
    return checksum_of(&c, bytes, size);
}

char *finding_seal(const char *json)
{
    size_t len = strlen(json) - 2; /* without the last brace and the line break before it */
    char *text = malloc(len + SEAL_BYTES + 1);
    if (!text)
        return NULL;
    memcpy(text, json, len);
    snprintf(text + len, SEAL_BYTES + 1, seal_format, sum_of(json, len));
    return text;
}

enum status finding_check_seal(const u8 *bytes, size_t size, struct err *e)
{
    char seal[SEAL_BYTES + 1];
    bool is_sealed = memmem(bytes, size < HEAD ? size : HEAD, "\"gcncheck-finding 2\"", 20) ||
                     memmem(bytes, size, "\n \"checksum\"", 12);
    if (!is_sealed)
        return ST_OK; /* of the first format, or no finding */
    if (size < SEAL_BYTES)
        return err_set(e, ST_INPUT, "is cut off, or no finding");
    size -= SEAL_BYTES;
    snprintf(seal, sizeof seal, seal_format, sum_of(bytes, size));
    if (memcmp(bytes + size, seal, SEAL_BYTES) == 0)
        return ST_OK;
    return err_set(e, ST_INPUT,
                   "is damaged, cut off or edited: its text does not have its checksum");
}
