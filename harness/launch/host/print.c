#include "harness/launch/host/print.h"

#include <stdlib.h>

enum { SPEC_SIZE = 64, VECTOR_MAX = 16 };

/* One conversion: "%-5.2v4hld". */
struct spec {
    char head[SPEC_SIZE]; /* "%-5.2", widths that were arguments filled in */
    u32 lanes;            /* of a vector, else 1 */
    u32 lane_size; /* bytes of an element by its length modifier: 1, 2, 4, 8; 0: none given */
    char conversion;
};

/* The next argument: `n` bytes of it in *bits. */
static bool take(struct print_args *a, u32 n, u64 *bits)
{
    u32 size = n;
    if (a->is_wide) {
        size = 8;
    } else if (a->size_count) {
        size = *a->sizes++;
        a->size_count--;
    } else {
        return false;
    }
    if (size > a->size || size > sizeof *bits)
        return false;
    *bits = 0;
    memcpy(bits, a->at, size);
    a->at += size;
    a->size -= size;
    return true;
}

/* Puts a width or precision into the head: digits, or an argument for '*'. False for one that is larger
 * than PRINT_NUMBER_MAX: the host's printf would be busy with it for seconds. */
static bool put_number(const char **f, struct text *head, struct print_args *args)
{
    i64 v = 0;
    bool is_there = **f == '*' || (**f >= '0' && **f <= '9');
    if (**f == '*') {
        u64 bits;
        (*f)++;
        if (!take(args, 4, &bits))
            return false;
        v = (i32)bits;
    }
    for (; **f >= '0' && **f <= '9'; (*f)++)
        v = v > PRINT_NUMBER_MAX ? v : v * 10 + (**f - '0');
    if (v < -PRINT_NUMBER_MAX || v > PRINT_NUMBER_MAX)
        return false;
    if (is_there)
        text_add(head, "%lld", (long long)v);
    return true;
}

/* hh, h, hl, l, ll, j, z, t: bytes of an element. */
static u32 length_modifier(const char **f)
{
    static const struct {
        const char *word;
        u32 size;
    } words[] = { { "hh", 1 }, { "hl", 4 }, { "h", 2 }, { "ll", 8 },
                  { "l", 8 },  { "j", 8 },  { "z", 8 }, { "t", 8 } };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t len = strlen(words[i].word);
        if (strncmp(*f, words[i].word, len) == 0) {
            *f += len;
            return words[i].size;
        }
    }
    return 0;
}

/* Reads what follows '%'. */
static bool read_spec(const char **f, struct spec *s, struct print_args *args)
{
    struct text head;
    *s = (struct spec){ .lanes = 1 };
    text_init(&head, s->head, sizeof s->head);
    text_add(&head, "%%");
    while (**f && strchr("-+ #0", **f))
        text_add(&head, "%c", *(*f)++);
    if (!put_number(f, &head, args))
        return false;
    if (**f == '.') {
        text_add(&head, "%c", *(*f)++);
        if (!put_number(f, &head, args))
            return false;
    }
    if (**f == 'v') {
        char *end;
        s->lanes = (u32)strtoul(*f + 1, &end, 10);
        *f = end;
        if (s->lanes < 2 || s->lanes > VECTOR_MAX)
            return false;
    }
    s->lane_size = length_modifier(f);
    s->conversion = **f;
    *f += **f != '\0';
    return !head.full && s->conversion && strchr("diouxXcsfFeEgGaAp", s->conversion);
}

/* The formats are put together here, of nothing but flags, numbers and one conversion. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* One number of `size` bytes. */
static int print_number(FILE *out, const struct spec *s, u64 bits, u32 size)
{
    char format[SPEC_SIZE + 8];
    u32 width = s->lane_size ? s->lane_size * 8 : s->conversion == 'p' ? 64 : 32;
    if (strchr("fFeEgGaA", s->conversion)) {
        double d;
        float f;
        u32 low = (u32)bits;
        memcpy(&f, &low, sizeof f);
        memcpy(&d, &bits, sizeof d);
        if (size == 2) { /* the value of a half is a float's of another bias */
            u32 wide = (low & 0x7fff) << 13;
            u32 sign = (low & 0x8000) << 16;
            memcpy(&f, &wide, sizeof f);
            d = (low & 0x7c00) == 0x7c00
                    ? (double)(low & 0x3ff ? __builtin_nanf("") : __builtin_inff())
                    : (double)f * 0x1p112;
            d = sign ? -d : d;
        } else if (size == 4) {
            d = (double)f;
        }
        snprintf(format, sizeof format, "%s%c", s->head, s->conversion);
        return fprintf(out, format, d);
    }
    if (s->conversion == 'c') {
        snprintf(format, sizeof format, "%sc", s->head);
        return fprintf(out, format, (int)(u8)bits);
    }
    if (s->conversion == 'p') {
        snprintf(format, sizeof format, "%sp", s->head);
        return fprintf(out, format, (void *)(uintptr_t)bits);
    }
    snprintf(format, sizeof format, "%sll%c", s->head, s->conversion);
    if (s->conversion == 'd' || s->conversion == 'i')
        return fprintf(out, format, (long long)sext64(bits & mask64(width), width));
    return fprintf(out, format, (unsigned long long)(bits & mask64(width)));
}

/* The room that a string of OpenCL takes, and its length. LLVM (19) counts the zero at its end, but
 * does not write it where it would begin a dword: what follows stands 4 bytes earlier, and as many
 * bytes at the end of the record were never written. */
static bool find_string(struct print_args *args, size_t *room, size_t *len)
{
    if (!args->size_count || *args->sizes > args->size)
        return false;
    *room = *args->sizes++;
    args->size_count--;
    *len = strnlen((const char *)args->at, *room);
    if (args->lost && *room > 4 && *len >= *room - 4) {
        *room = *len = *room - 4;
        args->lost--;
        return true;
    }
    return *len < *room;
}

static int print_string(FILE *out, const struct spec *s, struct print_args *args)
{
    char format[SPEC_SIZE + 8], *copy;
    size_t len = strnlen((const char *)args->at, args->size), room = (len + 8) / 8 * 8;
    if (args->is_wide ? len == args->size : !find_string(args, &room, &len))
        return -1;
    copy = strndup((const char *)args->at, len);
    if (!copy)
        return -1;
    snprintf(format, sizeof format, "%ss", s->head);
    int n = fprintf(out, format, copy);
    free(copy);
    room = room < args->size ? room : args->size;
    args->at += room;
    args->size -= room;
    return n;
}

#pragma GCC diagnostic pop

/* A vector of OpenCL: its elements with commas between them. */
static int print_vector(FILE *out, const struct spec *s, struct print_args *args)
{
    u32 room = args->size_count ? *args->sizes : 0;
    u32 places = s->lanes == 3 ? 4 : s->lanes, each = room / places;
    int n = 0;
    if (room > args->size || (each != 1 && each != 2 && each != 4 && each != 8))
        return -1;
    args->sizes++;
    args->size_count--;
    for (u32 i = 0; i < s->lanes; i++) {
        u64 bits = 0;
        struct spec one = *s;
        memcpy(&bits, args->at + i * each, each);
        one.lane_size = each;
        n += i ? fprintf(out, ",") : 0;
        n += print_number(out, &one, bits, each);
    }
    args->at += room;
    args->size -= room;
    return n;
}

int print_formatted(FILE *out, const char *format, struct print_args *args)
{
    int total = 0, n = 0;
    for (const char *f = format; *f && n >= 0; total += n) {
        struct spec s;
        u64 bits;
        if (*f != '%' || f[1] == '%') {
            n = fprintf(out, "%c", *f);
            f += *f == '%' ? 2 : 1;
            continue;
        }
        f++;
        if (!read_spec(&f, &s, args))
            n = -1;
        else if (s.lanes > 1)
            n = print_vector(out, &s, args);
        else if (s.conversion == 's')
            n = print_string(out, &s, args);
        else {
            u32 size = args->is_wide ? 8 : args->size_count ? *args->sizes : 0;
            n = take(args, size, &bits) ? print_number(out, &s, bits, size) : -1;
        }
        if (n > PRINT_CHARS_MAX - total)
            n = -1;
    }
    return n < 0 ? -1 : total;
}
