#include "harness/io/number.h"

bool number_u64_span(const char *text, size_t len, u64 *value)
{
    u64 base = 10, v = 0;
    if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
        len -= 2;
    }
    if (!len)
        return false;
    for (size_t i = 0; i < len; i++) {
        static const char digits[] = "0123456789abcdef";
        char c = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] - 'A' + 'a' : text[i]);
        const char *at = c ? strchr(digits, c) : NULL;
        u64 digit = at ? (u64)(at - digits) : base;
        if (digit >= base || __builtin_mul_overflow(v, base, &v) ||
            __builtin_add_overflow(v, digit, &v))
            return false;
    }
    *value = v;
    return true;
}

bool number_u64(const char *text, u64 min, u64 max, u64 *value)
{
    return number_u64_span(text, strlen(text), value) && *value >= min && *value <= max;
}

bool number_time_ms(const char *text, u64 *ms)
{
    static const struct {
        const char *unit;
        u32 ms;
    } units[] = { { "", 1000 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
    size_t len = strspn(text, "0123456789");
    u64 v;
    if (!number_u64_span(text, len, &v) || !v)
        return false;
    for (u32 i = 0; i < COUNT_OF(units); i++) {
        if (strcmp(text + len, units[i].unit) == 0)
            return !__builtin_mul_overflow(v, units[i].ms, ms);
    }
    return false;
}
