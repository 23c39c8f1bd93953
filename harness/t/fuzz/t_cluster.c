/* Clusters: what failing and passing step cases make of causes. Each case states which opcodes fail
 * with which traits, and what passes; what must come out follows from that alone. */
#include "harness/campaign/cluster.h"
#include "harness/campaign/internal.h"
#include "harness/t/lib/tap_test.h"

#include <stdlib.h>

static struct campaign_result r;
static struct kind_seen *seen;

static void begin(void)
{
    campaign_result_free(&r);
    r.cause = calloc(64, sizeof *r.cause);
    r.cause_cap = 64;
    free(seen);
    seen = calloc(KINDS, sizeof *seen);
    if (!r.cause || !seen)
        bail("memory");
}

static struct traits traits_of(const u16 *list)
{
    struct traits t = { { 0 } };
    for (; *list != TRAIT_COUNT; list++)
        t.bits[*list / 64] |= 1ull << *list % 64;
    return t;
}

/* The n-th opcode of an encoding. */
static isa_op op_of(enum isa_enc enc, u32 n)
{
    for (isa_op op = 1; op < isa_op_count; op++)
        if (isa_rows[op].enc == enc && n-- == 0)
            return op;
    bail("too few opcodes");
    return OP_NONE;
}

#define TRAITS(...) traits_of((const u16[]){ __VA_ARGS__, TRAIT_COUNT })

static void fails(isa_op op, u8 form, u8 what, u32 times, struct traits t)
{
    struct campaign_cause *c = &r.cause[r.cause_count++];
    *c = (struct campaign_cause){
        .tier = TIER_STEP, .op = (u16)op, .form = form, .what = what, .count = times
    };
    c->fails = times;
    c->samples = times < CAMPAIGN_SAMPLES ? times : CAMPAIGN_SAMPLES;
    for (u32 i = 0; i < c->samples; i++)
        c->sample[i] = t;
    seen[campaign_kind(op, form)].fails += times;
}

static void passes(isa_op op, u8 form, u32 times, struct traits t)
{
    struct kind_seen *k = &seen[campaign_kind(op, form)];
    for (u32 i = 0; i < times && k->samples < KIND_SAMPLES; i++)
        k->sample[k->samples++] = t;
    k->passes += times;
}

static void is_text(const char *want, u32 cluster, const char *what)
{
    char text[512];
    struct text t;
    text_init(&t, text, sizeof text);
    cluster_add_text(&r, cluster, &t);
    is_str(want, text, "%s", what);
}

static void find(u32 clusters, const char *what)
{
    ok(cluster_find(&r, seen), "%s: found", what);
    is_u64(clusters, r.cluster_count, "%s: clusters", what);
}

/* Ten opcodes fail with DPP and bound_ctrl, and pass with DPP without it. */
static void shared_trait(void)
{
    begin();
    for (u32 i = 0; i < 10; i++) {
        isa_op op = op_of(ENC_VOP2, i);
        fails(
            op, FORM_DPP, DIFF_VGPR, 3,
            TRAITS(TRAIT_FORM + FORM_DPP, TRAIT_ENC + ENC_VOP2, TRAIT_bound_ctrl, TRAIT_exec_some));
        passes(op, FORM_DPP, 5,
               TRAITS(TRAIT_FORM + FORM_DPP, TRAIT_ENC + ENC_VOP2, TRAIT_no_bound_ctrl,
                      TRAIT_exec_some));
        passes(op, FORM_BASE, 5, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_VOP2, TRAIT_exec_some));
    }
    find(1, "a trait that only failing ones have");
    is_u64(10, r.cluster[0].causes, "all causes are in it");
    is_u64(30, r.cluster[0].fails, "what differs");
    is_u64(0, r.cluster[0].passes, "nothing with it is right");
    is_text("10 opcodes, all VOP2 dpp: bound_ctrl:0", 0, "it says so");
}

/* The same trait in what passes explains nothing: then each opcode is by itself. */
static void trait_of_both(void)
{
    begin();
    for (u32 i = 0; i < 10; i++) {
        isa_op op = op_of(ENC_VOP2, i), other = op_of(ENC_VOP2, 20 + i);
        struct traits t = TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_VOP2, TRAIT_exec_some);
        fails(op, FORM_BASE, DIFF_VGPR, 3, t);
        passes(op, FORM_BASE, 50, t);
        passes(other, FORM_BASE, 50, t);
    }
    find(10, "a trait that right ones of the same opcodes have, too");
    is_u64(0, r.cluster[0].traits, "no trait is named");
    begin();
    for (u32 i = 0; i < 10; i++) {
        struct traits t = TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_VOP2, TRAIT_exec_some);
        fails(op_of(ENC_VOP2, i), FORM_BASE, DIFF_VGPR, 3, t);
        passes(op_of(ENC_VOP2, 12 + i), FORM_BASE, 3, t);
        passes(op_of(ENC_VOP2, 24 + i), FORM_BASE, 3, t);
    }
    find(10, "a trait that right ones of as many other opcodes have");
}

/* Two opcodes that both fail with a trait. It is what they share only if it says more than their two
 * names do: they must be right without it, and others must not be right with it. */
static void two_opcodes(u32 right_without, u32 right_with, u32 others_with)
{
    begin();
    for (u32 i = 0; i < 2; i++) {
        isa_op op = op_of(ENC_VOP2, i);
        struct traits with = TRAITS(TRAIT_FORM + FORM_E64, TRAIT_ENC + ENC_VOP2, TRAIT_neg_abs);
        fails(op, FORM_E64, DIFF_VGPR, 4, with);
        passes(op, FORM_E64, right_without, TRAITS(TRAIT_FORM + FORM_E64, TRAIT_ENC + ENC_VOP2));
        passes(op, FORM_E64, right_with, with);
        passes(op_of(ENC_VOP2, 10 + i), FORM_E64, others_with, with);
        passes(op_of(ENC_VOP2, 20 + i), FORM_E64, 4,
               TRAITS(TRAIT_FORM + FORM_E64, TRAIT_ENC + ENC_VOP2));
    }
}

static void two_of_one_bug(void)
{
    two_opcodes(4, 0, 0);
    find(1, "a trait with which two opcodes fail and without which they are right");
    is_u64(2, r.cluster[0].causes, "both are in it");
    is_text("2 opcodes, all VOP2 e64: neg and abs of one source", 0, "it says so");
}

static void two_bugs(void)
{
    two_opcodes(0, 0, 0);
    find(2, "two opcodes that are never right: what they share says nothing");
    two_opcodes(4, 4, 0);
    find(2, "two opcodes that are right with the trait, too");
    two_opcodes(4, 0, 4);
    find(2, "two opcodes with a trait with which others are right");
}

/* What is missing may be shared as well: all but those that write SCC. */
static void absent_trait(void)
{
    begin();
    for (u32 i = 0; i < 8; i++) {
        fails(op_of(ENC_SOP1, i), FORM_BASE, DIFF_SCC, 4, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_SOP1));
        passes(op_of(ENC_SOP1, 10 + i), FORM_BASE, 4,
               TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_SOP1, TRAIT_writes_scc));
        passes(op_of(ENC_SOP2, i), FORM_BASE, 4, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_SOP2));
    }
    find(1, "a trait that failing ones lack");
    is_text("8 opcodes, all SOP1: not writes scc", 0, "it says so");
}

/* Two bugs of many opcodes, and one of one opcode in several forms. */
static void several(void)
{
    begin();
    for (u32 i = 0; i < 8; i++) {
        fails(op_of(ENC_VOP2, i), FORM_SDWA, DIFF_VGPR, 2,
              TRAITS(TRAIT_FORM + FORM_SDWA, TRAIT_ENC + ENC_VOP2, TRAIT_src1_word1));
        fails(op_of(ENC_GLOBAL, i), FORM_BASE, DIFF_VGPR, 2,
              TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_GLOBAL, TRAIT_offset, TRAIT_offset_negative));
        passes(op_of(ENC_VOP2, i), FORM_SDWA, 6,
               TRAITS(TRAIT_FORM + FORM_SDWA, TRAIT_ENC + ENC_VOP2, TRAIT_src0_word1));
        passes(op_of(ENC_VOP2, i), FORM_SDWA, 2,
               TRAITS(TRAIT_FORM + FORM_SDWA, TRAIT_ENC + ENC_VOP2));
        passes(op_of(ENC_GLOBAL, i), FORM_BASE, 6,
               TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_GLOBAL, TRAIT_offset));
        passes(op_of(ENC_GLOBAL, i), FORM_BASE, 2, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_GLOBAL));
        passes(op_of(ENC_SOP2, 10 + i), FORM_BASE, 4, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_SOP2));
        passes(op_of(ENC_SOP2, 10 + i), FORM_LIT, 4,
               TRAITS(TRAIT_FORM + FORM_LIT, TRAIT_ENC + ENC_SOP2));
    }
    isa_op alone = op_of(ENC_SOP2, 3);
    fails(alone, FORM_BASE, DIFF_SGPR, 2, TRAITS(TRAIT_FORM, TRAIT_ENC + ENC_SOP2));
    fails(alone, FORM_LIT, DIFF_SGPR, 2, TRAITS(TRAIT_FORM + FORM_LIT, TRAIT_ENC + ENC_SOP2));
    r.cause[r.cause_count++] = (struct campaign_cause){
        .tier = TIER_PREFIX, .op = (u16)alone, .what = DIFF_SCC, .link = LINK_EXEC, .count = 1
    };
    r.cause[r.cause_count++] = (struct campaign_cause){
        .tier = TIER_PREFIX, .op = (u16)op_of(ENC_VOP2, 0), .link = LINK_EXEC, .count = 1
    };
    find(4, "two bugs of many opcodes, one of one, and an interaction");
    is_u64(8, r.cluster[0].causes, "the first");
    is_u64(8, r.cluster[1].causes, "the second");
    is_text(isa_rows[alone].name, 2, "one opcode in two forms");
    is_u64(2, r.cluster[2].causes, "is one cluster");
    is_text("interactions through EXEC", 3, "interactions by what links them");
    is_u64(2, r.cluster[3].streams, "however they end");
}

/* What is below the gate is never with what is above it. */
static void gate(void)
{
    begin();
    for (u32 i = 0; i < 8; i++) {
        fails(op_of(ENC_VOP2, i), FORM_DPP, DIFF_VGPR, 2,
              TRAITS(TRAIT_FORM + FORM_DPP, TRAIT_ENC + ENC_VOP2, TRAIT_lane_off));
        r.cause[r.cause_count - 1].below = i % 2;
    }
    find(2, "above and below the gate");
    ok(r.cluster[0].below != r.cluster[1].below, "one each");
}

int main(void)
{
    shared_trait();
    trait_of_both();
    two_of_one_bug();
    two_bugs();
    absent_trait();
    several();
    gate();
    begin();
    find(0, "no cause");
    campaign_result_free(&r);
    free(seen);
    return done();
}
