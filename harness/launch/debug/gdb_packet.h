/* Numbers and bytes in packets of gdb's remote serial protocol: hexadecimal, bytes as they lie in
 * memory. */
#ifndef HARNESS_LAUNCH_DEBUG_GDB_PACKET_H
#define HARNESS_LAUNCH_DEBUG_GDB_PACKET_H

#include "harness/io/number.h"

/* Reads one to sixteen digits and steps behind them. */
static inline bool gdb_packet_number(const char **text, u64 *value)
{
    u32 n = 0;
    for (*value = 0; n < 16 && number_hex_digit(**text) >= 0; n++)
        *value = *value << 4 | (u32)number_hex_digit(*(*text)++);
    return n > 0;
}

/* Two digits a byte: how many characters that is, not ended by 0; and back, false if there are other
 * characters. */
static inline u32 gdb_packet_put_hex(char *to, const void *bytes, u32 count)
{
    static const char digits[] = "0123456789abcdef";
    for (u32 i = 0; i < count; i++) {
        *to++ = digits[((const u8 *)bytes)[i] >> 4];
        *to++ = digits[((const u8 *)bytes)[i] & 15];
    }
    return 2 * count;
}

static inline bool gdb_packet_get_hex(const char *text, void *bytes, u32 count)
{
    for (u32 i = 0; i < count; i++, text += 2) {
        if (number_hex_digit(text[0]) < 0 || number_hex_digit(text[1]) < 0)
            return false;
        ((u8 *)bytes)[i] = (u8)(number_hex_digit(text[0]) << 4 | number_hex_digit(text[1]));
    }
    return true;
}

#endif
