#include "harness/codeobj/user_data.h"

static const u8 dwords[USER_KINDS] = { 4, 2, 2, 2, 2, 2, 1, 1, 1, 1 };

u32 user_data_count(u32 asked, u32 end)
{
    u32 count = 0;
    for (u32 i = 0; i < end; i++)
        count += asked >> i & 1 ? dwords[i] : 0;
    return count;
}

u32 user_data_fill(u32 asked, u32 value[USER_KINDS][USER_DWORDS_MAX], u32 sgpr[USER_SGPRS])
{
    u32 count = 0;
    for (u32 i = 0; i < USER_KINDS; i++)
        for (u32 d = 0; asked >> i & 1 && d < dwords[i]; d++, count++)
            if (count < USER_SGPRS)
                sgpr[count] = value[i][d];
    return count;
}
