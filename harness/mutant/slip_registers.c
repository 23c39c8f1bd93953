/* Slips at registers: the wrong one, the wrong half, the wrong file, one too many. */
#include "harness/mutant/slip.h"
#include "oracle/state/effects.h"

static bool is_vector(const struct isa_operand *d)
{
    return isa_kinds[d->kind].class == OPERAND_VECTOR || d->kind == K_SRC;
}

static bool is_acc(const struct isa_operand *d)
{
    return isa_kinds[d->kind].class == OPERAND_ACC;
}

static bool is_scalar(const struct isa_operand *d)
{
    return isa_kinds[d->kind].class == OPERAND_SCALAR || isa_kinds[d->kind].class == OPERAND_SOURCE;
}

static struct xop *prepared(struct xinsn *x, u32 index)
{
    return &x->opnd[slip_operand(insn_row(&x->insn), index)->slot];
}

/* Names a variant after the operand's field, if it has one. */
static bool named(struct text *id, const struct isa_row *row, const struct isa_operand *d,
                  bool fits)
{
    text_add(id, "_%s", isa_field_names[d->field]);
    return fits && slip_counts(row, d);
}

static u32 first_active(const struct wave *w)
{
    u64 exec = wave_exec(w);
    return exec ? ctz64(exec) : 0;
}

/* ---- register numbers ---- */

static bool fits_vgpr(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    return d && named(id, row, d, is_vector(d) || is_acc(d));
}

static void mod128(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    struct xop *o = prepared(x, arg);
    (void)m;
    if (slip_registers_of(o) && o->code >= CODE_VGPR)
        o->code &= (u16)~128u;
    exec_insn(w, x);
}

static bool fits_acc(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    return d && named(id, row, d, is_acc(d));
}

static void acc_file(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    struct xop *o = prepared(x, arg);
    (void)m;
    if (slip_registers_of(o) && o->code >= CODE_VGPR)
        o->code = (u16)(o->code < CODE_ACC ? o->code + VGPRS : o->code - VGPRS);
    exec_insn(w, x);
}

/* ---- operands that show other values ---- */

/* Executes with the registers of an operand as `change` makes them. */
typedef void change_fn(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s);

enum { SHOWN_MAX = 32 };

static void with_changed(struct wave *w, struct xinsn *x, const struct xop *o, change_fn *change)
{
    struct slip_shown shown[SHOWN_MAX];
    u32 n = slip_registers_of(o);
    for (u32 i = 0; i < n; i++) {
        slip_open(w, &shown[i], slip_place(o, i));
        change(w, o, i, &shown[i]);
    }
    for (u32 i = 0; i < n; i++)
        slip_show(&shown[i]);
    exec_insn(w, x);
    while (n-- > 0)
        slip_close(&shown[n]);
}

static bool fits_read(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    return d && named(id, row, d, d->dir & DIR_R && is_vector(d));
}

static void to_first(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s)
{
    (void)o, (void)i;
    for (u32 n = 0; n < s->count; n++)
        s->put[n] = s->old[s->count > 1 ? first_active(w) : 0];
}

static void first_lane(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    with_changed(w, x, prepared(x, arg), to_first);
}

static void to_lane0(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s)
{
    (void)w, (void)o, (void)i;
    for (u32 n = 0; n < s->count; n++)
        s->put[n] = s->old[0];
}

static void to_lower(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s)
{
    (void)w, (void)o, (void)i;
    for (u32 n = 0; n < s->count; n++)
        s->put[n] = s->old[n % 32];
}

static void to_stride2(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s)
{
    (void)w, (void)o, (void)i;
    for (u32 n = 0; n < s->count; n++)
        s->put[n] = s->old[n * 2 % s->count];
}

/* Slips of an encoding go by the slot: S0, S1, S2. */
static bool fits_slot(const struct isa_row *row, u32 arg, struct text *id)
{
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++)
        if (d->dir & DIR_R && d->slot == SLOT_S0 + arg && is_vector(d)) {
            text_add(id, "_s%u", arg);
            return true;
        }
    return false;
}

static void at_slot(struct wave *w, struct xinsn *x, u32 arg, change_fn *change)
{
    for (const struct isa_operand *d = insn_row(&x->insn)->operand; d->kind != K_NONE; d++)
        if (d->dir & DIR_R && d->slot == SLOT_S0 + arg && is_vector(d)) {
            with_changed(w, x, &x->opnd[d->slot], change);
            return;
        }
    exec_insn(w, x);
}

static void lane0(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    at_slot(w, x, arg, to_lane0);
}

static void lower_half(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    at_slot(w, x, arg, to_lower);
}

static void stride2(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    at_slot(w, x, arg, to_stride2);
}

/* ---- the other file ---- */

static bool fits_file(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    return d && named(id, row, d, d->dir & DIR_R && (is_vector(d) || is_scalar(d)));
}

static void to_other_file(const struct wave *w, const struct xop *o, u32 i, struct slip_shown *s)
{
    u32 place = slip_place(o, i), number = place % CODE_VGPR;
    u32 value = place < CODE_VGPR    ? w->vgpr[number][first_active(w)]
                : number < CODE_TTMP ? w->sgpr[number]
                                     : 0;
    for (u32 n = 0; n < s->count; n++)
        s->put[n] = value;
}

static void other_file(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    with_changed(w, x, prepared(x, arg), to_other_file);
}

/* ---- halves of a pair ---- */

/* Variants: an operand, and whether its high half is the low one or the low half the high one. */
static bool fits_half(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg / 2);
    if (!d || !(d->dir & DIR_R) || isa_types[d->type].dwords != 2 || !isa_kind_is_register(d->kind))
        return false;
    if (isa_kinds[d->kind].class == OPERAND_ACC || !slip_counts(row, d))
        return false;
    text_add(id, "_%s_%s", isa_field_names[d->field], arg % 2 ? "high" : "low");
    return true;
}

/* The operand of a variant. NULL where it is one register: then the instruction has been executed
 * as it is. */
static const struct xop *pair_of(struct wave *w, struct xinsn *x, u32 arg)
{
    const struct xop *o = prepared(x, arg / 2);
    if (slip_registers_of(o) >= 2)
        return o;
    exec_insn(w, x);
    return NULL;
}

static void one_half(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    struct slip_shown shown, other;
    const struct xop *o = pair_of(w, x, arg);
    (void)m;
    if (!o)
        return;
    slip_open(w, &shown, slip_place(o, arg % 2 ? 0 : 1));
    slip_open(w, &other, slip_place(o, arg % 2));
    memcpy(shown.put, other.old, sizeof shown.put);
    slip_show(&shown);
    exec_insn(w, x);
    slip_close(&shown);
}

static bool fits_written_half(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg / 2);
    if (!d || !(d->dir & DIR_W) || isa_types[d->type].dwords != 2)
        return false;
    text_add(id, "_%s_%s", isa_field_names[d->field], arg % 2 ? "low" : "high");
    return true;
}

static void half_kept(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    struct slip_shown kept;
    const struct xop *o = pair_of(w, x, arg);
    (void)m;
    if (!o)
        return;
    slip_open(w, &kept, slip_place(o, arg % 2 ? 0 : 1));
    exec_insn(w, x);
    slip_show(&kept); /* `put` is what the register had */
}

enum { VCC_READ, VCC_WRITTEN, EXEC_READ, EXEC_WRITTEN };

static bool fits_high(const struct isa_row *row, u32 arg, struct text *id)
{
    static const char *const names[] = { "vcc_hi_read", "vcc_hi_written", "exec_hi_read",
                                         "exec_hi_written" };
    u32 dir = arg % 2 ? DIR_W : DIR_R;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++)
        if (d->dir & dir && is_scalar(d) && isa_types[d->type].dwords == 1) {
            text_add(id, "%s", names[arg]);
            return true;
        }
    return false;
}

static void high_is_low(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    u32 code = arg < EXEC_READ ? CODE_VCC + 1 : CODE_EXEC + 1, dir = arg % 2 ? DIR_W : DIR_R;
    (void)m;
    for (const struct isa_operand *d = insn_row(&x->insn)->operand; d->kind != K_NONE; d++) {
        struct xop *o = &x->opnd[d->slot];
        if (d->dir & dir && slip_registers_of(o) == 1 && o->code == code)
            o->code--;
    }
    exec_insn(w, x);
}

/* ---- registers that the instruction does not name ---- */

static bool writes_scalar(const struct isa_row *row, struct text *id)
{
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++)
        if (d->dir & DIR_W && is_scalar(d) && isa_types[d->type].dwords == 1)
            return true;
    (void)id;
    return false;
}

static bool fits_clobber(const struct isa_row *row, u32 arg, struct text *id)
{
    bool fits = false;
    for (const struct isa_operand *d = row->operand; arg && d->kind != K_NONE; d++)
        fits |= d->dir & DIR_W && is_vector(d) && isa_types[d->type].dwords == 1;
    fits |= !arg && writes_scalar(row, id);
    if (fits)
        text_add(id, "_%s", arg ? "vgpr" : "sgpr");
    return fits;
}

/* The register behind a destination of one register becomes 0. */
static void clobber(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m;
    exec_insn(w, x);
    for (const struct isa_operand *d = insn_row(&x->insn)->operand; d->kind != K_NONE; d++) {
        struct xop *o = &x->opnd[d->slot];
        bool is_vgpr = o->code >= CODE_VGPR;
        if (!(d->dir & DIR_W) || slip_registers_of(o) != 1 || is_vgpr != (arg == 1))
            continue;
        if (is_vgpr || o->code < CODE_SGPR_LAST)
            slip_set(w, slip_place(o, 1), wave_exec(w), 0);
    }
}

enum { EXTRA_SCC, EXTRA_VCC, EXTRA_EXEC };

static bool fits_extra(const struct isa_row *row, u32 arg, struct text *id)
{
    static const char *const names[] = { "_scc", "_vcc", "_exec" };
    text_add(id, "%s", names[arg]);
    return !(row->flags & FLAG_END);
}

static void extra(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    static const u16 places[] = { PLACE_SCC, CODE_VCC, CODE_EXEC };
    (void)m;
    exec_insn(w, x);
    if (effects_writes(&x->insn, places[arg], 1))
        return;
    if (arg == EXTRA_SCC) {
        wlog_reg(w, PLACE_SCC, &w->scc, 1);
        w->scc = !w->scc;
    } else {
        slip_set(w, places[arg], 0, w->sgpr[places[arg]] ^ 1);
    }
}

static bool fits_no_return(const struct isa_row *row, u32 arg, struct text *id)
{
    (void)arg, (void)id;
    for (const struct isa_operand *d = row->operand; d->kind != K_NONE; d++)
        if (d->dir == DIR_W && d->kind != K_RTN)
            return false;
    return row->flags & FLAG_ATOMIC;
}

/* The register that would get the old value, wherever its number stands. */
static void no_return(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    (void)m, (void)arg;
    u64 exec = wave_exec(w);
    exec_insn(w, x);
    if (insn_get(&x->insn, FLD_glc))
        return;
    if (insn_has(&x->insn, FLD_sdata))
        slip_set(w, insn_get(&x->insn, FLD_sdata), 0, 0x2bad2bad);
    else if (insn_has(&x->insn, FLD_vdst))
        slip_set(w, CODE_VGPR + insn_get(&x->insn, FLD_vdst), exec, 0x2bad2bad);
    else if (insn_has(&x->insn, FLD_vdata))
        slip_set(w, CODE_VGPR + insn_get(&x->insn, FLD_vdata), exec, 0x2bad2bad);
}

/* ---- the destination first ---- */

static bool same_file(const struct isa_operand *a, const struct isa_operand *b)
{
    return (is_vector(a) && is_vector(b)) || (is_scalar(a) && is_scalar(b));
}

static bool fits_first(const struct isa_row *row, u32 arg, struct text *id)
{
    const struct isa_operand *d = slip_operand(row, arg);
    bool is_read = false;
    if (!d || d->dir != DIR_W || row->flags & FLAG_EARLY)
        return false;
    for (const struct isa_operand *s = row->operand; s->kind != K_NONE; s++)
        is_read |= s->dir == DIR_R && same_file(s, d);
    return named(id, row, d, is_read);
}

static bool overlaps(const struct xinsn *x, const struct xop *o)
{
    for (const struct isa_operand *d = insn_row(&x->insn)->operand; d->kind != K_NONE; d++) {
        const struct xop *s = &x->opnd[d->slot];
        if (d->dir != DIR_R)
            continue;
        for (u32 i = 0; i < slip_registers_of(s); i++)
            for (u32 k = 0; k < slip_registers_of(o); k++)
                if (slip_place(s, i) == slip_place(o, k))
                    return true;
    }
    return false;
}

/* Clears it before the sources are read. */
static void written_first(struct machine *m, struct wave *w, struct xinsn *x, u32 arg)
{
    const struct xop *o = prepared(x, arg);
    (void)m;
    if (x->insn.form != FORM_DPP && !x->into_lds && overlaps(x, o))
        for (u32 i = 0; i < slip_registers_of(o); i++)
            slip_set(w, slip_place(o, i), wave_exec(w), 0);
    exec_insn(w, x);
}

static const struct slip slips[] = {
    { "mod128", "register number", "v128 and above are 128 lower", MUTANT_VALUE, SLIP_ROW,
      OPERANDS_MAX, 1, fits_vgpr, mod128 },
    { "acc_file", "register file", "vector and accumulation registers are exchanged", MUTANT_VALUE,
      SLIP_ROW, OPERANDS_MAX, 1, fits_acc, acc_file },
    { "file", "register file", "the register of this number in the other file is read",
      MUTANT_VALUE, SLIP_ROW, OPERANDS_MAX, 4, fits_file, other_file },
    { "first_lane", "lane for all", "all lanes get what the first active one has", MUTANT_VALUE,
      SLIP_ROW, OPERANDS_MAX, 1, fits_read, first_lane },
    { "lane0", "lane for all", "all lanes get what lane 0 has", MUTANT_VALUE, SLIP_ENC, 3, 1,
      fits_slot, lane0 },
    { "lower_half", "lane stride", "lanes 32 to 63 get what lanes 0 to 31 have", MUTANT_VALUE,
      SLIP_ENC, 3, 1, fits_slot, lower_half },
    { "stride2", "lane stride", "a lane gets what the lane of twice its number has", MUTANT_VALUE,
      SLIP_ENC, 3, 1, fits_slot, stride2 },
    { "half", "half of a pair", "both halves of a pair are this one", MUTANT_VALUE, SLIP_ROW,
      OPERANDS_MAX * 2, 4, fits_half, one_half },
    { "half_kept", "half of a pair", "this half of the result is not written", MUTANT_VALUE,
      SLIP_ROW, OPERANDS_MAX * 2, 4, fits_written_half, half_kept },
    { "", "half of a pair", "the low half is meant", MUTANT_VALUE, SLIP_ENC, 4, 1, fits_high,
      high_is_low },
    { "clobber", "neighbour written", "the register behind the destination becomes 0", MUTANT_VALUE,
      SLIP_ENC, 2, 1, fits_clobber, clobber },
    { "extra", "extra write", "writes a register that it does not write", MUTANT_FLAG, SLIP_ENC, 3,
      1, fits_extra, extra },
    { "no_return", "extra write", "an atomic that returns nothing writes its destination",
      MUTANT_VALUE, SLIP_ROW, 1, 1, fits_no_return, no_return },
    { "written_first", "destination first", "the destination is cleared before sources are read",
      MUTANT_VALUE, SLIP_ROW, OPERANDS_MAX, 1, fits_first, written_first },
};
const struct slip_file slip_registers = { slips, COUNT_OF(slips) };
