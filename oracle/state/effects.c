#include "oracle/state/effects.h"

#include "oracle/insn/half.h"

static void add(struct effects *fx, u32 place, u32 dw, u32 dir)
{
    if (fx->count == EFFECTS_MAX)
        BUG("too many effects");
    fx->e[fx->count++] = (struct effect){ (u16)place, (u8)dw, (u8)dir };
}

/* What an operand of this instruction is for: data of an atomic is written over with the old value
 * only if glc says so; an image's odd half leaves the other half of its register. */
static u32 direction(const struct insn *in, const struct isa_operand *o)
{
    u64 f = insn_row(in)->flags;
    if (!(f & (FLAG_LOAD | FLAG_ATOMIC)))
        return o->dir;
    if (o->slot == SLOT_D && half_loads(in))
        return DIR_RW;
    bool kept = o->dir == DIR_RW && f & FLAG_ATOMIC && !insn_get(in, FLD_glc);
    return kept ? DIR_R : o->dir;
}

/* Constants and immediates are no places; neither is "off". */
static bool is_place(const struct isa_operand *o, u32 code)
{
    return isa_kind_is_register((enum isa_kind)o->kind) && (code < SGPRS || code >= CODE_VGPR);
}

/* Whether an operand is always there and as long as its type: most are. */
static bool is_usual(const struct isa_operand *o)
{
    const u64 usual =
        1ull << K_VGPR | 1ull << K_SRC | 1ull << K_SSRC | 1ull << K_SGPR | 1ull << K_MASK;
    return usual >> o->kind & 1;
}
_Static_assert(K_COUNT <= 64, "a bit for each kind");

/* Only operands that go in one of the directions `dirs`. */
static void add_operands(struct effects *fx, const struct insn *in, u32 dirs)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        bool usual = is_usual(o);
        if (!(o->dir & dirs) || (!usual && (!insn_operand_there(in, o) || insn_operand_off(in, o))))
            continue;
        u32 code = insn_code(in, o);
        if (is_place(o, code))
            add(fx, code, usual ? isa_types[o->type].dwords : insn_operand_dw(in, o),
                direction(in, o));
        else if (code == CODE_LDS_DIRECT && o->kind == K_SRC)
            add(fx, CODE_M0, 1, DIR_R);
        else if (code == CODE_VCCZ)
            add(fx, CODE_VCC, 2, DIR_R);
        else if (code == CODE_EXECZ)
            add(fx, CODE_EXEC, 2, DIR_R);
        else if (code == CODE_SCC)
            add(fx, PLACE_SCC, 1, DIR_R);
    }
}

/* What s_getreg reads of a hardware register beside MODE. */
static void add_hwreg(struct effects *fx, u32 id)
{
    if (id == HWREG_TRAPSTS) {
        add(fx, PLACE_TRAPSTS, 1, DIR_R);
    } else if (id == HWREG_STATUS) {
        add(fx, PLACE_SCC, 1, DIR_R);
        add(fx, CODE_EXEC, 2, DIR_R);
        add(fx, CODE_VCC, 2, DIR_R);
    }
}

/* Most rows have none of what add_special looks for. */
static bool is_special(const struct isa_row *row)
{
    return row->flags & FLAG_RD_M0 || isa_m0(row) != M0_NOTHING || isa_flow(row) != FLOW_NEXT;
}

/* What is known only at run time: which of s0 to the last a relative move or the stack of forks
 * means, what M0 and STATUS are for. */
static void add_special(struct effects *fx, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    enum { STACK_SGPRS = 24 }; /* forks keep their stack in s0 and up */
    enum isa_flow flow = isa_flow(row);
    u32 sgprs = insn_sgprs((enum gen)in->gen);
    switch (isa_m0(row)) {
    case M0_SOURCE:
        add(fx, CODE_M0, 1, DIR_R);
        add(fx, 0, sgprs, DIR_R);
        break;
    case M0_DEST:
        add(fx, CODE_M0, 1, DIR_R);
        add(fx, 0, sgprs, DIR_W);
        break;
    case M0_INDEX_ON:
    case M0_INDEX: add(fx, CODE_M0, 1, DIR_RW); break;
    case M0_MESSAGE: add(fx, CODE_M0, 1, DIR_R); break;
    default: break;
    }
    if (row->flags & FLAG_RD_M0)
        add(fx, CODE_M0, 1, DIR_R);
    if (flow == FLOW_FORK || flow == FLOW_FORK_TO)
        add(fx, 0, STACK_SGPRS, DIR_W);
    if (flow == FLOW_JOIN)
        add(fx, 0, STACK_SGPRS, DIR_R);
    if (flow == FLOW_TRAP)
        add(fx, insn_first_ttmp((enum gen)in->gen), 2, DIR_W);
}

bool effects_is_by_lane(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    return !(row->flags & FLAG_NO_EXEC) && !isa_is_scalar(row);
}

/* GDS has its base and size there, rows without an address their base. */
static bool reads_m0(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool address = !(row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC));
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        address |= o->slot == SLOT_ADDR;
    return !address || insn_get(in, FLD_gds);
}

/* A destination that only some bits of are written (SDWA preserve, lanes off) also keeps its old
 * value, but that is not a read: nothing depends on it but itself. */
static void find(const struct insn *in, u32 dirs, struct effects *fx)
{
    const struct isa_row *row = insn_row(in);
    u64 f = row->flags;
    bool is_float = isa_is_float(row);
    fx->count = 0;
    add_operands(fx, in, dirs);
    if (is_special(row))
        add_special(fx, in);
    if (isa_memory(row) == MEMORY_SCALAR && insn_smem_offset_register(in) >= 0)
        add(fx, (u32)insn_smem_offset_register(in), 1, DIR_R);
    u32 scc = (f & FLAG_RD_SCC ? DIR_R : 0u) | (f & FLAG_WR_SCC ? DIR_W : 0u);
    u32 exec =
        (f & FLAG_RD_EXEC || effects_is_by_lane(in) ? DIR_R : 0u) | (f & FLAG_WR_EXEC ? DIR_W : 0u);
    u32 mode = (f & FLAG_RD_MODE || is_float ? DIR_R : 0u) | (f & FLAG_WR_MODE ? DIR_W : 0u);
    bool memory = f & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
    if (scc)
        add(fx, PLACE_SCC, 1, scc);
    if (exec)
        add(fx, CODE_EXEC, 2, exec);
    if (mode)
        add(fx, PLACE_MODE, 1, mode);
    if (f & FLAG_RD_MODE)
        add_hwreg(fx, insn_get(in, FLD_simm16) & 63);
    if (f & FLAG_RD_VCC)
        add(fx, CODE_VCC, 2, DIR_R);
    if (is_float || memory || f & FLAG_WR_MODE)
        add(fx, PLACE_TRAPSTS, 1, DIR_RW);
    if (f & FLAG_BRANCH)
        add(fx, PLACE_PC_LO, 2, DIR_W);
    if (isa_memory(row) == MEMORY_SCRATCH)
        add(fx, insn_flat_scratch((enum gen)in->gen), 2, DIR_R);
    if ((isa_memory(row) == MEMORY_LDS && reads_m0(in)) || insn_get(in, FLD_lds) ||
        isa_m0(row) == M0_ADDRESS)
        add(fx, CODE_M0, 1, DIR_R);
    fx->mem_read = f & (FLAG_LOAD | FLAG_ATOMIC);
    fx->mem_write = f & (FLAG_STORE | FLAG_ATOMIC);
    fx->space = effects_space(in);
}

void effects_of(const struct insn *in, struct effects *fx)
{
    find(in, DIR_RW, fx);
}

void effects_written(const struct insn *in, struct effects *fx)
{
    find(in, DIR_W, fx);
}

bool effects_writes(const struct insn *in, u32 place, u32 dw)
{
    struct effects fx;
    effects_written(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].dir & DIR_W && fx.e[i].place < place + dw &&
            place < (u32)fx.e[i].place + fx.e[i].dw)
            return true;
    return false;
}

enum space effects_space(const struct insn *in)
{
    switch (isa_memory(insn_row(in))) {
    case MEMORY_LDS: return insn_get(in, FLD_gds) ? SPACE_GDS : SPACE_LDS;
    case MEMORY_FLAT: return SPACE_FLAT;
    case MEMORY_SCRATCH: return SPACE_SCRATCH;
    case MEMORY_SCALAR: return SPACE_SCALAR;
    default: return SPACE_GLOBAL;
    }
}
