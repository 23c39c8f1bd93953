/* Several mutants in one engine: a device with many bugs at once. */
#include "harness/mutant/slip.h"

/* What prepares the operands of each encoding. Of a process, because preparing is told no more than
 * the instruction. */
static struct {
    const struct operand_ops *of[ENC_COUNT];
} operands;

static void prepare(struct xinsn *x, const struct insn *in)
{
    operands.of[insn_row(in)->enc]->prepare(x, in);
}

static bool prepare_plain(struct xinsn *x, const struct insn *in, const struct plain_table *t,
                          const struct plain_form *f)
{
    return operands.of[insn_row(in)->enc]->prepare_plain(x, in, t, f);
}

static void addresses(struct wave *w, const struct xinsn *in, u64 *addr, u64 *addr1)
{
    operands.of[insn_row(&in->insn)->enc]->addresses(w, in, addr, addr1);
}

static const struct operand_ops by_encoding = { .prepare = prepare,
                                                .prepare_plain = prepare_plain,
                                                .addresses = addresses };

bool mutant_collide(const struct mutant *a, const struct mutant *b)
{
    if (a->op || b->op)
        return a->op == b->op;
    if (slip_is(a) || slip_is(b))
        return slip_is(a) && slip_is(b) && a->enc == b->enc;
    return (a->operand && b->operand && a->enc == b->enc) || (a->exec && b->exec);
}

static void plant_operands(const struct mutant *const *mu, u32 count, struct engine *eng)
{
    for (u32 enc = 0; enc < ENC_COUNT; enc++)
        operands.of[enc] = eng->operand;
    /* What is wrong in one encoding comes before what is wrong in all. */
    for (u32 pass = 0; pass < 2; pass++)
        for (u32 i = 0; i < count; i++)
            for (u32 enc = 0; mu[i]->operand && enc < ENC_COUNT; enc++)
                if (mu[i]->enc == (pass ? enc : (u32)ENC_COUNT))
                    operands.of[enc] = mu[i]->operand;
    eng->operand = &by_encoding;
}

void mutant_plant_all(const struct mutant *const *mu, u32 count, const struct isa *isa,
                      struct engine *eng)
{
    plant_operands(mu, count, eng);
    for (u32 i = 0; i < count; i++)
        if (!mu[i]->operand && !slip_is(mu[i]))
            mutant_plant(mu[i], eng);
    /* Around what the rows' functions have become. */
    slip_plant_beside(mu, count, isa, eng);
}
