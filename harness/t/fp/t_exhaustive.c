/* The host engine against the portable ref engine (compiled for any CPU) over whole input spaces:
 * every vector row with one or two 16-bit float operands, and every row with one 32-bit operand
 * that is or becomes a float. Results and exceptions are compared.
 *
 *     t_exhaustive              a sample: all 16-bit inputs in 8 modes, 2^17 of the others
 *     t_exhaustive all [ROW]... all 16-bit inputs in 64 modes, 2^26 pairs of them, all 2^32 inputs
 *                               of 32 bits: two to five minutes for each such row
 *     t_exhaustive N [ROW]...   the same with every N-th input of 32 bits
 *     t_exhaustive list         the rows: t_exhaustive list | xargs -n1 -P2 t_exhaustive all */
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"

#include <stdio.h>
#include <stdlib.h>

enum { MODES = 64, REG_D = 0, REG_S = 1 };

/* What the inputs of a row are. */
enum inputs { NOT_OURS, UNARY_16, BINARY_16, UNARY_32 };

static struct isa isa;
static struct engine portable, host;
static struct machine *machine[2];

static enum inputs inputs_of(isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    u32 sources = 0, halves = 0;
    bool is_float = false, fits = true;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        is_float |= isa_types[o->type].class == CLASS_FLOAT;
        fits &= isa_types[o->type].dwords == 1 && (o->kind == K_VGPR || o->kind == K_SRC);
        fits &= o->dir == DIR_W || o->dir == DIR_R;
        sources += o->dir == DIR_R;
        halves += o->dir == DIR_R && isa_type_is_half((enum isa_type)o->type);
    }
    if (!isa_modelled(op) || !isa_has(&isa, op) || !is_float || !fits ||
        row->flags & FLAG_LANEWISE || row->enc == ENC_VINTRP ||
        (row->enc != ENC_VOP1 && row->enc != ENC_VOP2 && row->enc != ENC_VOP3A &&
         row->enc != ENC_VOP3P))
        return NOT_OURS;
    if (sources == 2)
        return halves == 2 ? BINARY_16 : NOT_OURS;
    return sources != 1 ? NOT_OURS : halves ? UNARY_16 : UNARY_32;
}

/* Mode n of 64: rounding, denormals, IEEE and DX10_CLAMP; the fields of f32 and f64 differ. */
static u32 mode_of(u32 n)
{
    u32 round = n & 3, denorm = n >> 2 & 3;
    return (round ^ 1) << MODE_ROUND_32 | round << MODE_ROUND_64 | (denorm ^ 3) << MODE_DENORM_32 |
           denorm << MODE_DENORM_64 | (n >> 4 & 1) << MODE_IEEE | (n >> 5 & 1) << MODE_DX10_CLAMP;
}

static void load(isa_op op)
{
    struct insn in;
    struct err e = { .text = "" };
    u32 code[INSN_DW_MAX], form = FORM_BASE;
    while (!(isa_rows[op].forms >> form & 1))
        form++;
    insn_start(&isa, op, (enum isa_form)form, &in);
    if (insn_has(&in, FLD_op_sel_hi))
        insn_set(&in, FLD_op_sel_hi, 3);
    for (const struct isa_operand *o = insn_row(&in)->operand; o->kind != K_NONE; o++) {
        u32 reg = o->dir == DIR_W ? (u32)REG_D : REG_S + (u32)o->slot - SLOT_S0;
        insn_set(&in, (enum isa_field)o->field, o->kind == K_SRC ? CODE_VGPR + reg : reg);
    }
    u32 dw = insn_encode(&in, code);
    for (u32 i = 0; i < 2; i++) {
        if (machine_load(machine[i], code, dw, PC_DEFAULT, &e))
            bail("%s: %s", isa_rows[op].name, e.text);
        machine_reset(machine[i], 1, 0);
    }
}

/* One wave on both; whether results and exceptions agree. */
static bool agree(const u32 *a, const u32 *b, u32 mode)
{
    struct wave *w[2];
    for (u32 i = 0; i < 2; i++) {
        w[i] = machine[i]->wave[0];
        if (w[i]->mode != mode) {
            w[i]->mode = mode;
            wave_mode_changed(w[i]);
        }
        memcpy(w[i]->vgpr[REG_S], a, LANES * 4);
        memcpy(w[i]->vgpr[REG_S + 1], b, LANES * 4);
        w[i]->trapsts = 0;
        w[i]->pc = PC_DEFAULT;
        w[i]->stop = STOP_NONE;
        machine_step(machine[i], w[i]);
    }
    return memcmp(w[0]->vgpr[REG_D], w[1]->vgpr[REG_D], sizeof w[0]->vgpr[REG_D]) == 0 &&
           w[0]->trapsts == w[1]->trapsts;
}

/* whole: 0 for a sample, else each of how many inputs of 32 bits is taken. */
static u64 sweep_16(u32 whole, u64 *waves)
{
    u64 bad = 0;
    u32 a[LANES];
    for (u32 n = 0; n < MODES; n += whole ? 1 : 9)
        for (u32 at = 0; at < 1u << 16; at += LANES, ++*waves) {
            for (u32 lane = 0; lane < LANES; lane++)
                a[lane] = (at + lane) * 0x10001u; // both halves, for packed rows
            bad += !agree(a, a, mode_of(n));
        }
    return bad;
}

/* The i-th pair is i times an odd number: no pair comes twice. Each mode gets its share. */
static u64 sweep_pairs(u32 whole, u64 *waves)
{
    const u32 stride = 0x9e3779b1;
    u64 bad = 0;
    u32 a[LANES], b[LANES], pairs = whole ? 1u << 26 : 1u << 17;
    for (u32 at = 0; at < pairs; at += LANES, ++*waves) {
        for (u32 lane = 0; lane < LANES; lane++) {
            u32 pair = (at + lane) * stride;
            a[lane] = (pair & 0xffff) * 0x10001u;
            b[lane] = (pair >> 16) * 0x10001u;
        }
        bad += !agree(a, b, mode_of(at / LANES % MODES));
    }
    return bad;
}

/* Whole: every whole-th input in the default mode. Else some in all modes. */
static u64 sweep_32(u32 whole, u64 *waves)
{
    const u32 stride = whole ? whole : 0x9e3779b1;
    u64 bad = 0, count = whole ? (1ull << 32) / whole : 1ull << 17;
    u32 a[LANES];
    for (u64 at = 0; at < count; at += LANES, ++*waves) {
        for (u32 lane = 0; lane < LANES; lane++)
            a[lane] = (u32)(at + lane) * stride;
        bad += !agree(a, a, whole ? (u32)MODE_DEFAULT : mode_of((u32)(at / LANES % MODES)));
    }
    return bad;
}

static void compare_op(isa_op op, u32 whole)
{
    static u64 (*const sweep[])(
        u32, u64 *) = { [UNARY_16] = sweep_16, [BINARY_16] = sweep_pairs, [UNARY_32] = sweep_32 };
    static const char *const what[] = { [UNARY_16] = "16-bit inputs",
                                        [BINARY_16] = "pairs of 16-bit inputs",
                                        [UNARY_32] = "32-bit inputs" };
    enum inputs space = inputs_of(op);
    u64 waves = 0;
    load(op);
    u64 bad = sweep[space](whole, &waves);
    is_u64(0, bad, "%s, %s: waves that differ of %llu", isa_rows[op].name, what[space],
           (unsigned long long)waves);
}

static void open_machines(void)
{
    struct err e = { .text = "" };
    struct machine_cfg cfg = { .waves_max = 1 };
    if (isa_open(&isa, "gfx900", &e) || engine_open(&portable, "ref", &e) ||
        engine_open(&host, "host", &e))
        bail("%s", e.text);
    engine_make_portable(&portable);
    if (machine_open(&machine[0], &isa, &portable, &cfg, &e) ||
        machine_open(&machine[1], &isa, &host, &cfg, &e))
        bail("%s", e.text);
}

static bool is_named(const char *name, int count, char **names)
{
    bool found = count == 0;
    for (int i = 0; i < count; i++)
        found |= strcmp(names[i], name) == 0;
    return found;
}

int main(int argc, char **argv)
{
    bool list = argc > 1 && strcmp(argv[1], "list") == 0;
    bool all = argc > 1 && strcmp(argv[1], "all") == 0;
    u32 whole = all ? 1 : argc > 1 && !list ? (u32)strtoul(argv[1], NULL, 10) : 0;
    if (argc > 1 && !list && !whole)
        bail("'%s': use all, list or a number", argv[1]);
    u32 rows = 0;
    open_machines();
    for (u32 op = 1; op < isa_op_count; op++) {
        if (inputs_of(op) == NOT_OURS ||
            (whole && !is_named(isa_rows[op].name, argc - 2, argv + 2)))
            continue;
        rows++;
        if (list)
            puts(isa_rows[op].name);
        else
            compare_op(op, whole);
    }
    machine_close(machine[0]);
    machine_close(machine[1]);
    if (list)
        return 0;
    ok(rows > 0, "%u rows", rows);
    return done();
}
