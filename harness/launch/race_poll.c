/* Loops that wait: what stands in them are loads of flags, although no bit of theirs says so. And
 * what else makes two accesses that nothing orders no race. */
#include "harness/launch/race.h"

#include "oracle/state/effects.h"

enum { LOOP_MAX = 512 }; /* dwords behind the load */

static bool decode(const struct races *r, u32 at, struct insn *in)
{
    u32 left = r->code_dw - at;
    return at < r->code_dw &&
           insn_decode(&r->d->isa, &r->code[at], left < INSN_DW_MAX ? left : INSN_DW_MAX, in, NULL);
}

/* Where a branch that names a distance goes, in dwords of the program. */
static bool branches_to(const struct insn *in, u32 at, u32 *to)
{
    if (isa_flow_target(insn_row(in)) != TARGET_DISTANCE)
        return false;
    *to = at + in->dw + (u32)sext32(insn_get(in, FLD_simm16), 16);
    return true;
}

/* The smallest loop that a position lies in: from *first on, up to *last, its branch. */
static bool find_loop(const struct races *r, u32 at, u32 *first, u32 *last)
{
    struct insn in;
    for (u32 i = at; i < at + LOOP_MAX && decode(r, i, &in); i += in.dw) {
        if (insn_row(&in)->flags & FLAG_END)
            return false;
        *last = i;
        if (branches_to(&in, i, first) && *first <= at)
            return true;
    }
    return false;
}

/* Whether an instruction writes a register that the address is made of. */
static bool writes_address(const struct insn *in, const struct insn *load)
{
    for (const struct isa_operand *o = insn_row(load)->operand; o->kind != K_NONE; o++) {
        bool address = o->slot == SLOT_ADDR || o->slot == SLOT_BASE;
        if (!address || o->dir != DIR_R || insn_operand_off(load, o))
            continue;
        if (effects_writes(in, insn_code(load, o), insn_operand_dw(load, o)))
            return true;
    }
    return false;
}

static bool loop_waits(const struct races *r, u32 at)
{
    u32 first = 0, last = 0;
    struct insn load, in;
    if (!decode(r, at, &load) || !find_loop(r, at, &first, &last))
        return false;
    for (u32 i = first; i <= last; i += in.dw) {
        if (!decode(r, i, &in))
            return false;
        const struct isa_row *row = insn_row(&in);
        bool stores = row->flags & (FLAG_STORE | FLAG_ATOMIC) && isa_memory(row) != MEMORY_SCRATCH;
        if (row->flags & FLAG_BARRIER || (stores && i != at) || writes_address(&in, &load))
            return false;
    }
    return true;
}

bool race_polls(struct races *r, u32 at)
{
    if (!(r->marks[at] & RACE_POLL_KNOWN))
        r->marks[at] |= (u8)(RACE_POLL_KNOWN | (loop_waits(r, at) ? RACE_POLLS : 0));
    return r->marks[at] & RACE_POLLS;
}

static bool is_load(u32 kind)
{
    return kind <= RACE_LOAD_SCALAR;
}

bool race_is_meant(const struct races *r, const struct race_found *f)
{
    u32 a = r->marks[f->first.where >> 6], b = r->marks[f->second.where >> 6];
    bool same_group = ((f->first.wave - 1) ^ (f->second.wave - 1)) >> r->shift == 0;
    bool polls = (a | b) & RACE_POLLS,
         atomic = f->first_kind == RACE_RMW || f->second_kind == RACE_RMW;
    bool loads = is_load(f->first_kind) || is_load(f->second_kind);
    if (atomic && ((is_load(f->first_kind) && a & RACE_BEFORE_SWAP) ||
                   (is_load(f->second_kind) && b & RACE_BEFORE_SWAP)))
        return true;
    if (loads) /* to other work-groups glc says that it is a flag */
        return polls && same_group;
    if (f->space != SPACE_LDS && f->cell->flags & RACE_GLC)
        return true;
    if (atomic) /* a flag or lock that is stored, among atomics */
        return polls || (f->first_kind == RACE_STORE && a & RACE_OWNS) ||
               (f->second_kind == RACE_STORE && b & RACE_OWNS);
    return a & b & RACE_OWNS;
}
