/* The formats of OpenCL's printf that the metadata of a code object holds: "ID:N:SIZE...:FORMAT",
 * where N arguments have so many bytes each. Guide, key "amdhsa.printf". */
#include "harness/codeobj/internal.h"

#include "oracle/base/array.h"

#include <stdlib.h>

enum { FORMATS_MAX = 65536, FORMAT_ARGS_MAX = 256, FORMAT_ARG_MAX = 65536 };

/* Reads a decimal number and the colon after it; moves *at past them. */
static bool number(const char **at, const char *end, u32 max, u32 *out)
{
    u64 v = 0;
    const char *c = *at;
    while (c < end && *c >= '0' && *c <= '9' && v <= max)
        v = v * 10 + (u64)(*c++ - '0');
    if (c == *at || c == end || *c != ':' || v > max)
        return false;
    *at = c + 1;
    *out = (u32)v;
    return true;
}

/* Copies the format, with what LLVM writes for characters that the metadata cannot hold turned
 * back: \n and others, and \72, a colon. */
static char *unescape(const char *at, const char *end)
{
    static const char letters[] = "abfnrv", values[] = "\a\b\f\n\r\v";
    char *format = malloc((size_t)(end - at) + 1), *out = format;
    while (format && at < end) {
        const char *letter = *at == '\\' && end - at > 1 ? strchr(letters, at[1]) : NULL;
        if (letter && *letter) {
            *out++ = values[letter - letters];
            at += 2;
        } else if (end - at >= 3 && memcmp(at, "\\72", 3) == 0) {
            *out++ = ':';
            at += 3;
        } else {
            *out++ = *at++;
        }
    }
    if (format)
        *out = '\0';
    return format;
}

enum status codeobj_printf_add(struct codeobj *co, const char *text, size_t size, struct err *e)
{
    const char *at = text, *end = text + size;
    struct codeobj_printf f = { .id = 0 };
    if (co->printf_count == FORMATS_MAX)
        return err_set(e, ST_INPUT, "metadata: more than %d formats of printf", FORMATS_MAX);
    if (!number(&at, end, UINT32_MAX - 1, &f.id) ||
        !number(&at, end, FORMAT_ARGS_MAX, &f.size_count))
        return err_set(e, ST_INPUT, "metadata: printf: format %u is not ID:N:SIZE...:TEXT",
                       co->printf_count);
    f.sizes = calloc(f.size_count + 1, sizeof *f.sizes);
    enum status st = f.sizes ? ST_OK : err_memory(e);
    for (u32 i = 0; st == ST_OK && i < f.size_count; i++)
        if (!number(&at, end, FORMAT_ARG_MAX, &f.sizes[i]))
            st = err_set(e, ST_INPUT, "metadata: printf: format %u lacks the size of argument %u",
                         co->printf_count, i);
    if (st == ST_OK) {
        struct codeobj_printf *more =
            array_grow(co->printfs, &co->printf_cap, co->printf_count + 1ull, sizeof *more);
        st = more ? ST_OK : err_memory(e);
        co->printfs = more ? more : co->printfs;
    }
    if (st == ST_OK && !(f.format = unescape(at, end)))
        st = err_memory(e);
    if (st == ST_OK)
        co->printfs[co->printf_count++] = f;
    else
        free(f.sizes);
    return st;
}

const struct codeobj_printf *codeobj_printf(const struct codeobj *co, u32 id)
{
    for (u32 i = 0; i < co->printf_count; i++)
        if (co->printfs[i].id == id)
            return &co->printfs[i];
    return NULL;
}

void codeobj_printf_close(struct codeobj *co)
{
    for (u32 i = 0; i < co->printf_count; i++) {
        free(co->printfs[i].sizes);
        free(co->printfs[i].format);
    }
    free(co->printfs);
}
