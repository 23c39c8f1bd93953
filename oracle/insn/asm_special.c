/* Reading immediates that are made of parts: messages, indexed operands. */
#include "oracle/insn/asm.h"

/* A name of the list or a number; -1 if it is neither. *named says which. */
static i64 read_msg(struct line *l, bool *named)
{
    i64 n = -1;
    *named = false;
    for (u32 i = 0; i < MSGS; i++)
        if (text_msg((enum gen)l->gen, i) && asm_accept_word(l, text_msg((enum gen)l->gen, i))) {
            *named = true;
            return i;
        }
    return asm_accept_integer(l, &n) ? n : -1;
}

static i64 read_msg_op(struct line *l, u32 msg)
{
    i64 n = -1;
    for (u32 i = 0; i < MSGOPS; i++) {
        const char *name = text_msg_op((enum gen)l->gen, (enum msg_ops)text_msgs[msg].ops, i);
        if (name && asm_accept_word(l, name))
            return i;
    }
    return asm_accept_integer(l, &n) ? n : -1;
}

/* sendmsg(message[, operation[, stream]]) by names or numbers, or the raw 16 bits. What has a name
 * must go with it. hwreg(...) in asm.c begins alike and has other things in its brackets. */
enum status asm_read_sendmsg(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    bool named;
    i64 op = 0, stream = 0;
    v->type = VAL_INT;
    if (!asm_accept_word(l, "sendmsg"))
        return asm_accept_integer(l, &v->num)
                   ? ST_OK
                   : asm_fail_at(l, start, "sendmsg(...) expected instead of", e);
    bool good = asm_accept_char(l, '(');
    i64 msg = good ? read_msg(l, &named) : -1;
    if (msg < 0 || msg >= MSGS)
        return asm_fail_at(l, start, "no such message:", e);
    if (asm_accept_char(l, ',')) {
        op = read_msg_op(l, (u32)msg);
        if (op < 0 || op >= MSGOPS)
            return asm_fail_at(l, start, "no such operation of a message:", e);
        if (asm_accept_char(l, ','))
            good = asm_accept_integer(l, &stream);
    }
    if (!good || stream < 0 || stream >= MSG_STREAMS || !asm_accept_char(l, ')'))
        return asm_fail_at(l, start, "a stream 0-3 and ')' belong at the end of", e);
    if (named && !text_msg_valid((enum gen)l->gen, (u32)msg, (u32)op, (u32)stream))
        return asm_fail_at(l, start, "operation or stream do not go with the message:", e);
    v->num = msg | op << 4 | stream << 8;
    return ST_OK;
}

/* gpr_idx(SRC0,SRC1,SRC2,DST), any of them, or the number. */
enum status asm_read_gpr_idx(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    v->type = VAL_INT;
    v->num = 0;
    if (!asm_accept_word(l, "gpr_idx"))
        return asm_accept_integer(l, &v->num)
                   ? ST_OK
                   : asm_fail_at(l, start, "gpr_idx(...) expected instead of", e);
    if (!asm_accept_char(l, '('))
        return asm_fail_at(l, start, "'(' missing after", e);
    if (asm_accept_char(l, ')'))
        return ST_OK;
    do {
        u32 i = 0;
        while (i < GPR_IDX_BITS && !asm_accept_word(l, text_gpr_idx[i]))
            i++;
        if (i == GPR_IDX_BITS || v->num >> i & 1)
            return asm_fail_at(l, start, "SRC0, SRC1, SRC2 and DST, each once, are possible in", e);
        v->num |= 1ll << i;
    } while (asm_accept_char(l, ','));
    return asm_accept_char(l, ')') ? ST_OK : asm_fail_at(l, start, "')' missing in", e);
}

enum status asm_read_attr(struct line *l, struct val *v, struct err *e)
{
    static const char channels[] = "xyzw";
    asm_skip(l);
    const char *start = l->p;
    i64 attr = -1;
    bool good = strncmp(l->p, "attr", 4) == 0 && l->p[4] >= '0' && l->p[4] <= '9';
    l->p += good ? 4 : 0;
    size_t digits = 0;
    while (good && l->p[digits] >= '0' && l->p[digits] <= '9' && digits < 3)
        digits++;
    for (size_t i = 0; i < digits; i++)
        attr = (attr < 0 ? 0 : attr) * 10 + (l->p[i] - '0');
    const char *channel = digits && l->p[digits] == '.' && l->p[digits + 1]
                              ? strchr(channels, l->p[digits + 1])
                              : NULL;
    if (!channel || attr > 63)
        return asm_fail_at(l, start, "attr0.x to attr63.w expected instead of", e);
    l->p += digits + 2;
    v->type = VAL_INT;
    v->num = attr * 4 + (channel - channels);
    return ST_OK;
}

enum status asm_read_param(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    v->type = VAL_INT;
    for (u32 i = 0; i < PARAMS; i++)
        if (asm_accept_word(l, text_params[i])) {
            v->num = i;
            return ST_OK;
        }
    return asm_fail_at(l, l->p, "p10, p20 or p0 expected instead of", e);
}

/* `count` numbers from 0 to max, each behind a comma. */
static bool read_list(struct line *l, u32 count, i64 max, i64 *out)
{
    for (u32 i = 0; i < count; i++)
        if (!asm_accept_char(l, ',') || !asm_accept_integer(l, &out[i]) || out[i] < 0 ||
            out[i] > max)
            return false;
    return true;
}

/* "01pip", highest bit first. */
static bool read_bitmask(struct line *l, i64 *value)
{
    bool good = asm_accept_char(l, ',') && asm_accept_char(l, '"');
    *value = 0;
    for (u32 bit = 5; good && bit-- > 0; l->p++)
        switch (*l->p) {
        case '0': break;
        case '1': *value |= 1ll << (bit + 5); break;
        case 'p': *value |= 1ll << bit; break;
        case 'i': *value |= 0x401ll << bit; break;
        default: return false;
        }
    return good && asm_accept_char(l, '"');
}

static bool is_group(i64 n, i64 least, i64 most)
{
    return n >= least && n <= most && popcount32((u32)n) == 1;
}

enum status asm_read_swizzle(struct line *l, i64 *value, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    i64 n[4] = { 0 };
    bool good;
    if (!asm_accept_word(l, "swizzle"))
        return asm_accept_integer(l, value) ? ST_OK : asm_fail_at(l, start, "not a number:", e);
    if (!asm_accept_char(l, '('))
        return asm_fail_at(l, start, "'(' missing after", e);
    if (asm_accept_word(l, "quad_perm")) {
        good = read_list(l, 4, 3, n);
        *value = 0x8000 | n[0] | n[1] << 2 | n[2] << 4 | n[3] << 6;
    } else if (asm_accept_word(l, "broadcast")) {
        good = read_list(l, 2, 32, n) && is_group(n[0], 2, 32) && n[1] < n[0];
        *value = (32 - n[0]) | n[1] << 5;
    } else if (asm_accept_word(l, "swap")) {
        good = read_list(l, 1, 16, n) && is_group(n[0], 1, 16);
        *value = 31 | n[0] << 10;
    } else if (asm_accept_word(l, "reverse")) {
        good = read_list(l, 1, 32, n) && is_group(n[0], 2, 32);
        *value = 31 | (n[0] - 1) << 10;
    } else {
        good = asm_accept_word(l, "bitmask_perm") && read_bitmask(l, value);
    }
    return good && asm_accept_char(l, ')') ? ST_OK
                                           : asm_fail_at(l, start, "not a pattern of lanes:", e);
}
