/* Branches, loops, calls, EXEC, barriers. Everything nests: what is opened on d->block is closed
 * before the program ends. */
#include "fuzz/gen/internal.h"
#include "oracle/isa/op.h"

enum { LOOP_MAX = 4 };

/* ---- helpers ---- */

static struct insn make_sop1(const struct draw *d, isa_op op, u32 dst, u32 src)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_sdst, dst);
    if (insn_has(&in, FLD_ssrc0))
        insn_set(&in, FLD_ssrc0, src);
    return in;
}

static struct insn make_sop2(const struct draw *d, isa_op op, enum isa_form form, u32 dst, u32 a,
                             u32 b)
{
    struct insn in = gen_start(d, op, form);
    insn_set(&in, FLD_sdst, dst);
    insn_set(&in, FLD_ssrc0, a);
    insn_set(&in, FLD_ssrc1, b);
    return in;
}

/* The first allowed opcode from a random place of a list on; OP_NONE if none is. */
static isa_op choose(struct draw *d, const u16 *list, u32 n)
{
    u32 first = rng_below(&d->rng, n);
    for (u32 i = 0; i < n; i++)
        if (gen_has(d, list[(first + i) % n], FORM_BASE))
            return list[(first + i) % n];
    return OP_NONE;
}

static struct block *push(struct draw *d, enum block_kind kind, u32 length)
{
    struct block *b = &d->block[d->depth++];
    b->kind = (u8)kind;
    b->branch = b->call = b->head = -1;
    b->weight = d->weight;
    b->close = d->drawn + 1 + rng_below(&d->rng, length);
    return b;
}

static void land(struct draw *d, i16 branch)
{
    d->prog->insn[branch].target = (i16)d->prog->count;
}

/* ---- opening ---- */

/* A VCC that is zero where it was not, or the other way round, as far as can be seen from here. */
static void append_new_vcc(struct draw *d)
{
    struct insn in = make_sop1(d, OP_s_mov_b64, CODE_VCC, 0);
    u32 how = rng_below(&d->rng, 3);
    insn_set(&in, FLD_ssrc0,
             how == 0   ? (u32)CODE_INT_0
             : how == 1 ? (u32)CODE_INT_1
                        : gen_draw_sgpr(d, 2));
    if (gen_satisfy(d, &in))
        gen_append(d, &in);
}

static bool open_if(struct draw *d, isa_op op)
{
    static const u16 conditional[7] = { OP_s_cbranch_scc0,  OP_s_cbranch_scc1,  OP_s_cbranch_vccz,
                                        OP_s_cbranch_vccnz, OP_s_cbranch_execz, OP_s_cbranch_execnz,
                                        OP_s_branch };
    if (op == OP_NONE)
        op = choose(d, conditional, rng_one_in(&d->rng, 8) ? 7 : 6);
    if (op == OP_NONE)
        return false;
    bool vcc = op == OP_s_cbranch_vccz || op == OP_s_cbranch_vccnz;
    if (vcc && gen_has(d, OP_s_mov_b64, FORM_BASE) && rng_one_in(&d->rng, 2))
        append_new_vcc(d);
    struct insn in = gen_start(d, op, FORM_BASE);
    if (!gen_satisfy(d, &in))
        return false;
    i16 at = gen_append(d, &in);
    struct block *b = push(d, BLOCK_IF, op == OP_s_branch ? 2 : 8);
    b->branch = at;
    rule_copy(&b->at_branch, &d->st);
    return true;
}

static bool open_exec(struct draw *d)
{
    static const u16 save_op[4] = { OP_s_and_saveexec_b64, OP_s_or_saveexec_b64,
                                    OP_s_xor_saveexec_b64, OP_s_andn2_saveexec_b64 };
    static const u16 cmpx[4] = { OP_v_cmpx_lt_f32, OP_v_cmpx_gt_i32, OP_v_cmpx_ne_u32,
                                 OP_v_cmpx_lt_u32 };
    u32 save = d->r.save[d->depth],
        mask = rng_one_in(&d->rng, 3) ? (u32)CODE_VCC : gen_draw_sgpr(d, 2);
    isa_op op = choose(d, save_op, 4), compare = choose(d, cmpx, 4);
    struct insn in, skip = gen_start(d, OP_s_cbranch_execz, FORM_BASE);
    if (!gen_has(d, OP_s_mov_b64, FORM_BASE) || (op == OP_NONE && compare == OP_NONE))
        return false;
    if (op != OP_NONE && (compare == OP_NONE || !rng_one_in(&d->rng, 4))) {
        in = make_sop1(d, op, save, mask);
        gen_must_emit(d, &in);
    } else {
        in = make_sop1(d, OP_s_mov_b64, save, CODE_EXEC);
        gen_must_emit(d, &in);
        if (gen_draw_insn(d, compare, FORM_BASE, &in))
            gen_emit(d, &in);
    }
    struct block *b = push(d, BLOCK_EXEC, 10);
    if (gen_has(d, OP_s_cbranch_execz, FORM_BASE) && gen_may(d, GEN_BRANCH) &&
        rng_one_in(&d->rng, 2)) {
        b->branch = gen_append(d, &skip);
        rule_copy(&b->at_branch, &d->st);
    }
    return true;
}

static bool open_loop(struct draw *d)
{
    bool can = gen_has(d, OP_s_movk_i32, FORM_BASE) && gen_has(d, OP_s_sub_u32, FORM_BASE) &&
               gen_has(d, OP_s_cmp_lg_u32, FORM_BASE) && gen_has(d, OP_s_cbranch_scc1, FORM_BASE) &&
               gen_has(d, OP_s_nop, FORM_BASE) && gen_has(d, OP_s_mov_b64, FORM_BASE);
    if (!can)
        return false;
    u32 n = 1 + rng_below(&d->rng, LOOP_MAX);
    struct insn in = gen_start(d, OP_s_movk_i32, FORM_BASE);
    insn_set(&in, FLD_sdst, d->r.count[d->depth]);
    insn_set(&in, FLD_simm16, n);
    gen_must_emit(d, &in);
    struct block *b = push(d, BLOCK_LOOP, 8);
    b->head = (i16)d->prog->count;
    d->weight *= n;
    return true;
}

/* s_getpc, s_add_u32, s_addc_u32: the pair then holds an address that is filled in when the program
 * is laid out. Returns the index of the addition, or -1. */
static i16 emit_address(struct draw *d, u32 pair)
{
    if (!gen_has(d, OP_s_getpc_b64, FORM_BASE) || !gen_has(d, OP_s_add_u32, FORM_LIT) ||
        !gen_has(d, OP_s_addc_u32, FORM_BASE))
        return -1;
    struct insn in = make_sop1(d, OP_s_getpc_b64, pair, 0);
    i16 origin = gen_must_emit(d, &in);
    in = make_sop2(d, OP_s_add_u32, FORM_LIT, pair, pair, CODE_LIT);
    i16 add = gen_append(d, &in);
    d->prog->insn[add].origin = origin;
    in = make_sop2(d, OP_s_addc_u32, FORM_BASE, pair + 1, pair + 1, CODE_INT_0);
    gen_append(d, &in);
    return add;
}

static bool open_jump(struct draw *d)
{
    u32 pair = d->r.jump[d->depth];
    struct insn in = gen_start(d, OP_s_setpc_b64, FORM_BASE);
    i16 add = gen_has(d, OP_s_setpc_b64, FORM_BASE) ? emit_address(d, pair) : (i16)-1;
    if (add < 0)
        return false;
    insn_set(&in, FLD_ssrc0, pair);
    gen_append(d, &in);
    struct block *b = push(d, BLOCK_IF, 2);
    b->branch = add;
    rule_copy(&b->at_branch, &d->st);
    return true;
}

/* call F / what follows / s_branch end / F: body / s_setpc / end: */
static bool open_call(struct draw *d, isa_op op)
{
    u32 link = d->r.link[d->depth], pair = d->r.jump[d->depth];
    static const u16 calls[2] = { OP_s_call_b64, OP_s_swappc_b64 };
    op = op == OP_NONE ? choose(d, calls, 2) : op;
    bool can = gen_has(d, OP_s_setpc_b64, FORM_BASE) && gen_has(d, OP_s_branch, FORM_BASE) &&
               gen_has(d, OP_s_nop, FORM_BASE) && gen_has(d, OP_s_mov_b64, FORM_BASE) &&
               op != OP_NONE;
    if (!can)
        return false;
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_sdst, link);
    i16 refers;
    if (op == OP_s_swappc_b64) {
        refers = emit_address(d, pair);
        if (refers < 0)
            return false;
        insn_set(&in, FLD_ssrc0, pair);
        gen_append(d, &in);
    } else {
        refers = gen_must_emit(d, &in);
    }
    struct block *b = push(d, BLOCK_CALL, 5);
    b->call = refers;
    rule_copy(&b->at_branch, &d->st);
    gen_start_rules(d); /* the body ends settled */
    return true;
}

bool gen_open_block(struct draw *d, isa_op op)
{
    if (d->depth == DEPTH_MAX || !gen_has_room(d))
        return false;
    if (isa_flow_calls(&isa_rows[op]))
        return open_call(d, op);
    if (op == OP_s_setpc_b64)
        return rng_one_in(&d->rng, 2) ? open_jump(d) : open_call(d, OP_NONE);
    if (op != OP_NONE)
        return open_if(d, op);
    switch (rng_below(&d->rng, 8)) {
    case 0:
    case 1:
    case 2: return gen_may(d, GEN_EXEC) && open_exec(d);
    case 3: return gen_may(d, GEN_LOOP) && open_loop(d);
    case 4: return gen_may(d, GEN_CALL) && open_call(d, OP_NONE);
    case 5: return gen_may(d, GEN_CALL) && rng_one_in(&d->rng, 2) && open_jump(d);
    default: return gen_may(d, GEN_BRANCH) && open_if(d, OP_NONE);
    }
}

/* ---- closing ---- */

/* The path that skipped and the one that did not join here. */
static void close_branch(struct draw *d, struct block *b)
{
    if (b->branch < 0)
        return;
    land(d, b->branch);
    rule_merge(&d->st, &b->at_branch);
}

/* The block goes on from where it began, and what is true here comes back at its end. */
static void swap_states(struct draw *d, struct block *b)
{
    struct rule_state done;
    rule_copy(&done, &d->st);
    rule_copy(&d->st, &b->at_branch);
    rule_copy(&b->at_branch, &done);
}

/* Instead of ending here the block may get a part for the other case. True if it goes on. */
static bool turn_to_else(struct draw *d, struct block *b)
{
    isa_op op = d->prog->insn[b->branch].in.op;
    bool conditional = op != OP_s_branch && op != OP_s_add_u32;
    if (!conditional || !gen_has(d, OP_s_branch, FORM_BASE) || !rng_one_in(&d->rng, 3))
        return false;
    struct insn in = gen_start(d, OP_s_branch, FORM_BASE);
    i16 over = gen_append(d, &in);
    land(d, b->branch);
    swap_states(d, b);
    b->branch = over;
    b->kind = BLOCK_ELSE;
    b->close = d->drawn + 1 + rng_below(&d->rng, 6);
    return true;
}

static void close_exec(struct draw *d, struct block *b)
{
    close_branch(d, b);
    u32 save = d->r.save[d->depth - 1];
    struct insn in = make_sop1(d, OP_s_mov_b64, CODE_EXEC, save);
    if (gen_has(d, OP_s_or_b64, FORM_BASE) && rng_one_in(&d->rng, 2))
        in = make_sop2(d, OP_s_or_b64, FORM_BASE, CODE_EXEC, CODE_EXEC, save);
    gen_must_emit(d, &in);
}

static void close_loop(struct draw *d, struct block *b)
{
    u32 c = d->r.count[d->depth - 1];
    gen_settle(d);
    struct insn in = make_sop2(d, OP_s_sub_u32, FORM_BASE, c, c, CODE_INT_1);
    gen_append(d, &in);
    in = gen_start(d, OP_s_cmp_lg_u32, FORM_BASE);
    insn_set(&in, FLD_ssrc0, c);
    insn_set(&in, FLD_ssrc1, CODE_INT_0);
    gen_append(d, &in);
    if (gen_has(d, OP_s_branch, FORM_BASE) && gen_has(d, OP_s_cbranch_scc0, FORM_BASE) &&
        rng_one_in(&d->rng, 4)) {
        in = gen_start(d, OP_s_cbranch_scc0, FORM_BASE);
        i16 out = gen_append(d, &in);
        in = gen_start(d, OP_s_branch, FORM_BASE);
        d->prog->insn[gen_append(d, &in)].target = b->head;
        land(d, out);
    } else {
        in = gen_start(d, OP_s_cbranch_scc1, FORM_BASE);
        d->prog->insn[gen_append(d, &in)].target = b->head;
    }
    d->weight = b->weight;
}

static void turn_to_body(struct draw *d, struct block *b)
{
    struct insn in = gen_start(d, OP_s_branch, FORM_BASE);
    b->branch = gen_append(d, &in);
    land(d, b->call);
    swap_states(d, b);
    b->kind = BLOCK_BODY;
    b->close = d->drawn + 1 + rng_below(&d->rng, 5);
}

static void close_body(struct draw *d, struct block *b)
{
    gen_settle(d);
    struct insn in = gen_start(d, OP_s_setpc_b64, FORM_BASE);
    insn_set(&in, FLD_ssrc0, d->r.link[d->depth - 1]);
    gen_append(d, &in);
    land(d, b->branch);
    rule_copy(&d->st, &b->at_branch);
}

/* Closes the innermost block, or moves it on to its second part. */
static void close_block(struct draw *d, bool all)
{
    struct block *b = &d->block[d->depth - 1];
    switch ((enum block_kind)b->kind) {
    case BLOCK_IF:
        if (!all && turn_to_else(d, b))
            return;
        close_branch(d, b);
        break;
    case BLOCK_ELSE: close_branch(d, b); break;
    case BLOCK_EXEC: close_exec(d, b); break;
    case BLOCK_LOOP: close_loop(d, b); break;
    case BLOCK_CALL: turn_to_body(d, b); return;
    case BLOCK_BODY: close_body(d, b); break;
    }
    d->depth--;
}

void gen_close_blocks(struct draw *d, bool all)
{
    while (d->depth && (all || d->drawn >= d->block[d->depth - 1].close))
        close_block(d, all);
}

/* Only where every wave comes by. Afterwards a wave has another's part of LDS. */
bool gen_draw_barrier(struct draw *d)
{
    struct insn in = gen_start(d, OP_s_barrier, FORM_BASE);
    if (d->depth || !gen_has(d, OP_s_barrier, FORM_BASE) || !gen_emit(d, &in))
        return false;
    d->epoch++;
    return true;
}
