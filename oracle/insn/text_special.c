/* Texts of immediates that are made of parts: messages, indexed operands. */
#include "oracle/insn/text.h"

const struct msg_name text_msgs[MSGS] = {
    [1] = { "MSG_INTERRUPT", MSG_PLAIN, GEN_GFX6 },
    [2] = { "MSG_GS", MSG_GS, GEN_GFX6 },
    [3] = { "MSG_GS_DONE", MSG_GS_DONE, GEN_GFX6 },
    [4] = { "MSG_SAVEWAVE", MSG_PLAIN, GEN_GFX8 },
    [5] = { "MSG_STALL_WAVE_GEN", MSG_PLAIN, GEN_GFX9 },
    [6] = { "MSG_HALT_WAVES", MSG_PLAIN, GEN_GFX9 },
    [7] = { "MSG_ORDERED_PS_DONE", MSG_PLAIN, GEN_GFX9 },
    [8] = { "MSG_EARLY_PRIM_DEALLOC", MSG_PLAIN, GEN_GFX9 },
    [9] = { "MSG_GS_ALLOC_REQ", MSG_PLAIN, GEN_GFX9 },
    [10] = { "MSG_GET_DOORBELL", MSG_PLAIN, GEN_GFX9 },
    [15] = { "MSG_SYSMSG", MSG_SYS, GEN_GFX6 },
};

static const char *const gs_ops[MSGOPS] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT",
                                            "GS_OP_EMIT_CUT" };
enum { SYSMSG_HOST_TRAP_ACK = 3 }; /* gone with gfx9 */
static const char *const sys_ops[MSGOPS] = { [1] = "SYSMSG_OP_ECC_ERR_INTERRUPT",
                                             [2] = "SYSMSG_OP_REG_RD",
                                             [3] = "SYSMSG_OP_HOST_TRAP_ACK",
                                             [4] = "SYSMSG_OP_TTRACE_PC" };

const char *text_msg(enum gen gen, u32 msg)
{
    return gen >= text_msgs[msg].since ? text_msgs[msg].name : NULL;
}

const char *text_msg_op(enum gen gen, enum msg_ops ops, u32 op)
{
    switch (ops) {
    case MSG_PLAIN: return NULL;
    case MSG_GS: return op ? gs_ops[op] : NULL; /* doing nothing only makes sense when done */
    case MSG_GS_DONE: return gs_ops[op];
    case MSG_SYS: return op == SYSMSG_HOST_TRAP_ACK && gen >= GEN_GFX9 ? NULL : sys_ops[op];
    }
    return NULL;
}

bool text_msg_has_stream(u32 msg, u32 op)
{
    return op && (text_msgs[msg].ops == MSG_GS || text_msgs[msg].ops == MSG_GS_DONE);
}

bool text_msg_valid(enum gen gen, u32 msg, u32 op, u32 stream)
{
    enum msg_ops ops = (enum msg_ops)text_msgs[msg].ops;
    bool op_good = ops == MSG_PLAIN ? op == 0 : text_msg_op(gen, ops, op) != NULL;
    return text_msg(gen, msg) && op_good && (stream == 0 || text_msg_has_stream(msg, op));
}

static char *put(char *p, const char *s)
{
    while (*s)
        *p++ = *s++;
    return p;
}

static char *put_number(char *p, const char *before, u32 v)
{
    char digits[16];
    struct text t;
    text_init(&t, digits, sizeof(digits));
    text_add(&t, "%u", v);
    return put(put(p, before), digits);
}

char *text_put_sendmsg(char *p, enum gen gen, u32 v)
{
    u32 msg = v & 15, op = v >> 4 & 7, stream = v >> 8 & 3;
    bool valid = text_msg_valid(gen, msg, op, stream);
    if (!valid && v != (msg | op << 4 | stream << 8))
        return put_number(p, "", v);
    if (!valid) {
        p = put_number(put_number(p, "sendmsg(", msg), ", ", op);
        return put(put_number(p, ", ", stream), ")");
    }
    p = put(put(p, "sendmsg("), text_msgs[msg].name);
    if (text_msgs[msg].ops != MSG_PLAIN)
        p = put(put(p, ", "), text_msg_op(gen, (enum msg_ops)text_msgs[msg].ops, op));
    if (text_msg_has_stream(msg, op))
        p = put_number(p, ", ", stream);
    return put(p, ")");
}

const char *const text_gpr_idx[GPR_IDX_BITS] = { "SRC0", "SRC1", "SRC2", "DST" };

const char *const text_params[PARAMS] = { "p10", "p20", "p0" };

char *text_put_gpr_idx(char *p, u32 bits)
{
    bool any = false;
    if (bits >> GPR_IDX_BITS) {
        char digits[16];
        struct text t;
        text_init(&t, digits, sizeof(digits));
        text_add(&t, "0x%x", bits);
        return put(p, digits);
    }
    p = put(p, "gpr_idx(");
    for (u32 i = 0; i < GPR_IDX_BITS; i++)
        if (bits >> i & 1) {
            p = put(put(p, any ? "," : ""), text_gpr_idx[i]);
            any = true;
        }
    return put(p, ")");
}

/* What one bit of the lane number becomes: 0, 1, itself (p), inverted (i). */
static char swizzle_bit(u32 offset, u32 bit)
{
    u32 and = offset >> bit & 1, or = offset >> (bit + 5) & 1, xor = offset >> (bit + 10) & 1;
    u32 of_0 = or ^xor, of_1 = (and | or) ^ xor;
    return of_0 == of_1 ? (char)('0' + of_0) : of_0 ? 'i' : 'p';
}

char *text_put_swizzle(char *p, u32 v)
{
    u32 and = v & 31, or = v >> 5 & 31, xor = v >> 10 & 31, group = 32 - and;
    if ((v & 0xff00) == 0x8000) {
        p = put(p, "swizzle(QUAD_PERM");
        for (u32 i = 0; i < 4; i++)
            p = put_number(p, ",", v >> i * 2 & 3);
    } else if (v >> 15) {
        return put_number(p, "", v);
    } else if (and == 31 && or == 0 && popcount32(xor) == 1) {
        p = put_number(p, "swizzle(SWAP,", xor);
    } else if (and == 31 && or == 0 && xor&&!(xor&(xor+1))) {
        p = put_number(p, "swizzle(REVERSE,", xor+1);
    } else if (group > 1 && popcount32(group) == 1 && or < group && xor == 0) {
        p = put_number(put_number(p, "swizzle(BROADCAST,", group), ",", or);
    } else {
        p = put(p, "swizzle(BITMASK_PERM,\"");
        for (u32 bit = 5; bit-- > 0;)
            *p++ = swizzle_bit(v, bit);
        p = put(p, "\"");
    }
    return put(p, ")");
}

bool text_swizzle_is_plain(u32 offset)
{
    u32 and = offset & 31, or = offset >> 5 & 31, xor = offset >> 10 & 31;
    return offset >> 15 || !((or &(and | xor)) | (xor&~and));
}
