/* Slips at memory: what is named by the number 0, and what crosses a line. */
#include "harness/mutant/slip.h"
#include "oracle/state/mem.h"

static bool is_memory(const struct isa_row *row)
{
    return isa_memory(row) != MEMORY_NONE;
}

/* ---- s0 or M0 counts as not there ---- */

static bool fits_scalar(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    if (!is_memory(row) || !d || !(d->dir & DIR_R))
        return false;
    text_add(id, "_%s", isa_field_names[d->field]);
    return isa_kinds[d->kind].class == OPERAND_SCALAR || d->kind == K_SSRC;
}

static bool fits_m0(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    return d && d->kind == K_SSRC && fits_scalar(row, arg, id);
}

/* The registers of a base or of a resource are 0 for the instruction. */
static void show_zeros(struct wave *w, struct xinsn *x, const struct xop *o)
{
    struct slip_shown shown[8];
    u32 n = slip_registers_of(o);
    for (u32 i = 0; i < n; i++) {
        slip_open(w, &shown[i], slip_place(o, i));
        memset(shown[i].put, 0, sizeof shown[i].put);
        slip_show(&shown[i]);
    }
    exec_insn(w, x);
    while (n-- > 0)
        slip_close(&shown[n]);
}

static void code_is_off(struct wave *w, struct xinsn *x, u32 arg, u32 code)
{
    const struct isa_operand *d = slip_operand(insn_row(&x->insn), arg);
    struct xop *o = &x->opnd[d->slot];
    if (o->code != code || !slip_registers_of(o)) {
        exec_insn(w, x);
    } else if (d->kind == K_SADDR || d->kind == K_SSADDR) {
        o->code = CODE_OFF;
        exec_insn(w, x);
    } else if (d->kind == K_SSRC) {
        o->is_const = true;
        o->konst = 0;
        exec_insn(w, x);
    } else {
        show_zeros(w, x, o);
    }
}

static void s0_is_off(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    code_is_off(w, x, arg, 0);
}

static void m0_is_off(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    code_is_off(w, x, arg, CODE_M0);
}

/* Variants: s0, M0. */
static bool fits_smem_offset(const struct isa_row *row, u32 arg, struct text *id)
{
    text_add(id, "_%s", arg ? "m0" : "s0");
    return isa_operand_of_kind(row, K_SMOFF);
}

static void smem_offset_off(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    i32 code = arg ? CODE_M0 : 0;
    struct slip_shown shown;
    (void)m;
    if (insn_smem_offset_register(&x->insn) != code) {
        exec_insn(w, x);
        return;
    }
    slip_open(w, &shown, (u32)code);
    shown.put[0] = 0;
    slip_show(&shown);
    exec_insn(w, x);
    slip_close(&shown);
}

/* ---- lines ---- */

enum { LINE_BYTES = 64 };

static bool fits_line(const struct isa_row *row, u32 arg, struct text *id)
{
    enum isa_memory memory = isa_memory(row);
    (void)arg, (void)id;
    return (memory == MEMORY_FLAT || memory == MEMORY_GLOBAL || memory == MEMORY_SCRATCH) &&
           row->flags & (FLAG_LOAD | FLAG_STORE) && isa_access_bytes(row) > 4;
}

/* Bytes of a lane's access that lie behind the end of the line in which it begins: from `first` of
 * `bytes` on they come out wrong. */
static void spoil_result(struct wave *w, const struct xop *o, u32 lane, u32 first, u32 bytes)
{
    for (u32 at = first; at < bytes; at++)
        w->vgpr[slip_place(o, at / 4) - CODE_VGPR][lane] ^= 0xffu << at % 4 * 8;
}

static void spoil_memory(struct wave *w, enum space space, u32 lane, u64 addr, u32 count)
{
    for (u32 at = 0; at < count; at++)
        mem_write(w, space, lane, addr + at, 1, mem_read(w, space, lane, addr + at, 1) ^ 0xff);
}

static void crosses(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    const struct isa_row *row = insn_row(&x->insn);
    u32 bytes = isa_access_bytes(row);
    u64 addr[LANES], addr1[LANES], exec = wave_exec(w);
    (void)m, (void)arg;
    x->ops->addresses(w, x, addr, addr1);
    exec_insn(w, x);
    for (; exec && !w->faulted; exec &= exec - 1) {
        u32 lane = ctz64(exec), left = LINE_BYTES - (u32)(addr[lane] % LINE_BYTES);
        if (left >= bytes)
            continue;
        if (row->flags & FLAG_STORE)
            spoil_memory(w, (enum space)x->space, lane, addr[lane] + left, bytes - left);
        else
            spoil_result(w, &x->opnd[SLOT_D], lane, left, bytes);
    }
}

static const struct slip slips[] = {
    { "s0_off", "0 is off", "a scalar operand that begins at s0 counts as not there",
      MUTANT_ADDRESS, SLIP_ROW, OPERANDS_MAX, 1, fits_scalar, s0_is_off },
    { "m0_off", "0 is off", "M0 as an offset counts as 0", MUTANT_ADDRESS, SLIP_ROW, OPERANDS_MAX,
      1, fits_m0, m0_is_off },
    { "offset_off", "0 is off", "this scalar offset counts as 0", MUTANT_ADDRESS, SLIP_ROW, 2, 1,
      fits_smem_offset, smem_offset_off },
    { "line", "line crossed", "what lies behind the end of a line of 64 bytes is wrong",
      MUTANT_ADDRESS, SLIP_ROW, 1, 1, fits_line, crosses },
};
const struct slip_file slip_memory = { slips, COUNT_OF(slips) };
