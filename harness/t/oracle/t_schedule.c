/* Schedules: barriers and atomics hold in all of them, what depends on the order shows that they
 * differ, and a seed repeats one exactly. */
#include "harness/t/lib/machine.h"
#include "oracle/exec/schedule.h"

enum { WAVES = 4, LDS_BYTES = 512, STEPS = 100000000, SEEDS = 32 };

static bool looks;

static enum stop run(enum schedule_kind kind, u64 seed, u64 steps, u32 *who)
{
    struct schedule s = { .kind = kind, .looks = looks };
    rng_seed(&s.rng, seed);
    machine_reset(m, WAVES, LDS_BYTES);
    for (u32 i = 0; i < WAVES; i++) {
        struct wave *w = m->wave[i];
        w->sgpr[0] = i;
        pair_set(&w->sgpr[CODE_EXEC], 1);
    }
    return schedule_run(m, &s, steps, who);
}

static u32 lds_word(u32 at)
{
    u32 v;
    memcpy(&v, &m->lds->bytes[at], 4);
    return v;
}

/* Each wave adds its number + 1 a hundred times, then, behind a barrier, reads the sum: 1000. */
static void test_atomics(void)
{
    machine_must_load("v_mov_b32 v0, 0\n"
                      "s_add_u32 s1, s0, 1\n"
                      "v_mov_b32 v1, s1\n"
                      "s_movk_i32 s2, 100\n"
                      "loop: ds_add_u32 v0, v1\n"
                      "s_sub_u32 s2, s2, 1\n"
                      "s_cmp_lg_u32 s2, 0\n"
                      "s_cbranch_scc1 loop\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "s_barrier\n"
                      "ds_read_b32 v2, v0\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "s_endpgm\n");
    for (u32 kind = 0; kind < SCHEDULES; kind++) {
        u32 who, right = 0;
        ok(run((enum schedule_kind)kind, 7, STEPS, &who) == STOP_END, "%s: all waves end",
           schedule_names[kind]);
        for (u32 i = 0; i < WAVES; i++)
            right += m->wave[i]->vgpr[2][0] == 1000;
        is_u64(WAVES, right, "%s: every wave reads the whole sum", schedule_names[kind]);
    }
}

/* Each wave writes its number: the last to do so is seen. */
static const char race[] = "v_mov_b32 v0, 0\n"
                           "v_mov_b32 v1, s0\n"
                           "ds_write_b32 v0, v1\n"
                           "s_waitcnt lgkmcnt(0)\n"
                           "s_endpgm\n";

static void test_race(void)
{
    u32 who, seen = 0, winner[16];
    machine_must_load(race);
    run(SCHEDULE_ORDER, 1, STEPS, &who);
    is_u64(WAVES - 1, lds_word(0), "in order the last wave writes last");
    run(SCHEDULE_REVERSE, 1, STEPS, &who);
    is_u64(0, lds_word(0), "in reverse the first does");
    for (u64 seed = 0; seed < COUNT_OF(winner); seed++) {
        run(SCHEDULE_RANDOM, seed, STEPS, &who);
        winner[seed] = lds_word(0);
        seen |= 1u << winner[seed];
    }
    is_u64(15, seen, "random schedules let every wave win");
    for (u64 seed = 0; seed < COUNT_OF(winner); seed++) {
        run(SCHEDULE_RANDOM, seed, STEPS, &who);
        winner[seed] ^= lds_word(0);
        ok(winner[seed] == 0, "seed %llu gives the same again", (unsigned long long)seed);
    }
}

/* A sum without an atomic: read, add 1, write. Turns of whole waves give the full sum, switching
 * before the accesses loses some. */
static void test_lost_update(void)
{
    u32 who;
    machine_must_load("v_mov_b32 v0, 0\n"
                      "ds_read_b32 v1, v0\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "v_add_u32 v1, 1, v1\n"
                      "ds_write_b32 v0, v1\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "s_endpgm\n");
    run(SCHEDULE_ORDER, 1, STEPS, &who);
    is_u64(WAVES, lds_word(0), "one after the other all are counted");
    u32 lost = 0;
    for (u64 seed = 0; seed < SEEDS; seed++) {
        run(SCHEDULE_ADVERSE, seed, STEPS, &who);
        lost += lds_word(0) < WAVES;
    }
    ok(lost > SEEDS / 2, "most adversarial orders lose some: %u of %u", lost, SEEDS);
    run(SCHEDULE_ROUND, 1, STEPS, &who);
    is_u64(1, lds_word(0), "so does taking turns");
}

/* A token goes around 25 times; who does not have it spins. Turns that stayed long would take
 * millions of instructions. */
static void test_token(void)
{
    machine_must_load("v_mov_b32 v0, 0\n"
                      "s_mov_b32 s1, s0\n"
                      "wait: ds_read_b32 v1, v0\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "v_readfirstlane_b32 s2, v1\n"
                      "s_cmp_lg_u32 s2, s1\n"
                      "s_cbranch_scc1 wait\n"
                      "v_add_u32 v1, 1, v1\n"
                      "ds_write_b32 v0, v1\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "s_add_u32 s1, s1, 4\n"
                      "s_cmp_lt_u32 s1, 100\n"
                      "s_cbranch_scc1 wait\n"
                      "s_endpgm\n");
    for (u32 kind = 0; kind < SCHEDULES; kind++) {
        u32 who;
        ok(run((enum schedule_kind)kind, 7, 300000, &who) == STOP_END && lds_word(0) == 100,
           "%s: a token goes around in few instructions", schedule_names[kind]);
    }
}

/* Wave 0 spins until wave 3 has written. */
static void test_spin(void)
{
    machine_must_load("v_mov_b32 v0, 0\n"
                      "s_cmp_eq_u32 s0, 3\n"
                      "s_cbranch_scc0 wait\n"
                      "v_mov_b32 v1, 1\n"
                      "ds_write_b32 v0, v1\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "s_endpgm\n"
                      "wait: ds_read_b32 v2, v0\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "v_readfirstlane_b32 s4, v2\n"
                      "s_cmp_eq_u32 s4, 1\n"
                      "s_cbranch_scc0 wait\n"
                      "s_endpgm\n");
    for (u32 kind = 0; kind < SCHEDULES; kind++) {
        u32 who;
        ok(run((enum schedule_kind)kind, 3, STEPS, &who) == STOP_END,
           "%s: a wave that spins lets the others run", schedule_names[kind]);
    }
}

/* Nobody writes: a livelock. */
static void test_livelock(void)
{
    u32 who = 99;
    machine_must_load("loop: s_branch loop\n");
    ok(run(SCHEDULE_ROUND, 1, 1000, &who) == STOP_LIMIT, "a loop without end reaches the limit");
    is_u64(0, who, "the wave is named");
    is_u64(1000, m->wave[0]->steps, "it executed as much as it may");
}

/* The same where the schedule looks for waves that wait: what spins for ever is found, whatever is
 * in the loop; what counts, or is changed by another wave, is no spin. */
static void test_spin_is_found(void)
{
    static const struct {
        const char *code, *what;
        enum stop want;
    } rows[] = {
        { "loop: s_branch loop\n", "an empty loop", STOP_SPIN },
        { "v_mov_b32 v0, 0\n"
          "loop: ds_read_b32 v1, v0\n"
          "s_waitcnt lgkmcnt(0)\n"
          "v_readfirstlane_b32 s2, v1\n"
          "s_cmp_eq_u32 s2, 0\n"
          "s_cbranch_scc1 loop\n"
          "s_endpgm\n",
          "a flag that nobody stores", STOP_SPIN },
        { "v_mov_b32 v0, 0\n"
          "v_mov_b32 v1, 1\n"
          "loop: ds_cmpst_rtn_b32 v2, v0, v1, v1\n"
          "s_waitcnt lgkmcnt(0)\n"
          "s_movk_i32 s3, 5\n"
          "pause: s_sub_u32 s3, s3, 1\n"
          "s_cmp_lg_u32 s3, 0\n"
          "s_cbranch_scc1 pause\n"
          "s_branch loop\n",
          "a compare and swap that never stores, with a loop inside", STOP_SPIN },
        { "loop: s_add_u32 s2, s2, 1\n"
          "s_branch loop\n",
          "a loop that counts", STOP_LIMIT },
        { "v_mov_b32 v0, 0\n"
          "v_mov_b32 v1, 1\n"
          "loop: ds_add_u32 v0, v1\n"
          "s_waitcnt lgkmcnt(0)\n"
          "s_branch loop\n",
          "a loop that changes memory", STOP_LIMIT },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (u32 kind = 0; kind < SCHEDULES; kind++) {
            u32 who;
            machine_must_load(rows[i].code);
            looks = true;
            enum stop stop = run((enum schedule_kind)kind, 1, 20000, &who);
            looks = false;
            is_u64(rows[i].want, stop, "%s: %s", schedule_names[kind], rows[i].what);
        }
}

/* Wave 3 releases the others one by one; each sees what those before it have counted. */
static void test_gws(void)
{
    machine_must_load("v_mov_b32 v0, 0\n"
                      "v_mov_b32 v1, 0\n"
                      "v_mov_b32 v2, 1\n"
                      "s_mov_b32 m0, 0\n"
                      "s_cmp_lg_u32 s0, 0\n"
                      "s_cbranch_scc1 ready\n"
                      "ds_gws_init v1 gds\n"
                      "ready: s_barrier\n"
                      "s_cmp_eq_u32 s0, 3\n"
                      "s_cbranch_scc1 give\n"
                      "ds_gws_sema_p gds\n"
                      "ds_add_rtn_u32 v3, v0, v2\n"
                      "s_waitcnt lgkmcnt(0)\n"
                      "give: ds_gws_sema_v gds\n"
                      "s_endpgm\n");
    for (u32 kind = 0; kind < SCHEDULES; kind++) {
        u32 who;
        ok(run((enum schedule_kind)kind, 5, STEPS, &who) == STOP_END,
           "%s: waves at a semaphore go on", schedule_names[kind]);
        is_u64(WAVES - 1, lds_word(0), "%s: every one of them", schedule_names[kind]);
    }
}

/* Three of four come: nobody can go on, and the first that waits is named. */
static void test_deadlock(void)
{
    static const char code[] = "v_mov_b32 v1, 3\n"
                               "s_mov_b32 m0, 0\n"
                               "s_cmp_lg_u32 s0, 0\n"
                               "s_cbranch_scc1 ready\n"
                               "ds_gws_init v1 gds\n"
                               "s_barrier\n"
                               "s_endpgm\n"
                               "ready: s_barrier\n"
                               "ds_gws_barrier v1 gds\n"
                               "s_endpgm\n";
    for (u32 kind = 0; kind < SCHEDULES; kind++) {
        u32 who = 99;
        machine_must_load(code);
        ok(run((enum schedule_kind)kind, 5, STEPS, &who) == STOP_GWS, "%s: a deadlock is found",
           schedule_names[kind]);
        is_u64(1, who, "%s: the first wave that waits is named", schedule_names[kind]);
    }
}

int main(void)
{
    machine_must_open(&(struct machine_cfg){ .waves_max = WAVES });
    test_atomics();
    test_race();
    test_lost_update();
    test_spin();
    test_token();
    test_livelock();
    test_spin_is_found();
    test_gws();
    test_deadlock();
    machine_close(m);
    return done();
}
