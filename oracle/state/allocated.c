#include "oracle/state/allocated.h"

#include "oracle/state/place.h"
#include "oracle/state/state.h"

#include <inttypes.h>

static bool is_outside(const struct allocated *a, enum gen gen, u32 code, u32 dw)
{
    if (code < insn_sgprs(gen))
        return a->sgprs && code + dw > a->sgprs;
    if (code < CODE_VGPR)
        return false;
    u32 first = code < PLACE_A0 ? CODE_VGPR : PLACE_A0;
    return a->vgprs && code - first + dw > a->vgprs;
}

u32 allocated_reach(const struct allocated *a)
{
    return a->vgprs && !a->any_index ? a->vgprs : VGPRS;
}

bool allocated_lacks(const struct allocated *a, const struct insn *in, u32 *place)
{
    bool is_limited = a->sgprs || a->vgprs;
    for (const struct isa_operand *o = insn_row(in)->operand; is_limited && o->kind != K_NONE;
         o++) {
        u32 code = insn_code(in, o), dw = insn_operand_dw(in, o);
        if (!isa_kind_is_register((enum isa_kind)o->kind) || !insn_operand_there(in, o) ||
            insn_operand_off(in, o) || !is_outside(a, (enum gen)in->gen, code, dw))
            continue;
        *place = code + dw - 1;
        return true;
    }
    return false;
}

void allocated_print(const struct allocated *a, enum gen gen, u32 place, struct text *t)
{
    char name[PLACE_NAME_MAX];
    text_add(t, "uses %s, the kernel allocates %u", place_name(gen, place, name),
             place < CODE_VGPR ? a->sgprs : a->vgprs);
}

bool allocated_holds(struct wave *w, const char *name, bool vector, u64 number, u32 dw)
{
    u32 limit = vector ? w->allocated.vgprs : w->allocated.sgprs;
    struct text t;
    if (!limit || w->allocated.any_index || number + dw <= limit)
        return true;
    text_init(&t, w->why, sizeof w->why);
    text_add(&t, "%s uses %c%" PRIu64 " by an index, the kernel allocates %u", name,
             vector ? 'v' : 's', number + dw - 1, limit);
    w->stop = STOP_ILLEGAL;
    return false;
}
