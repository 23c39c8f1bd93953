/* Memory results that arrive late: what a register holds before and after each wait, by the rules
 * of the counters (Vega ISA, chapter 4); what was issued is what is done; programs that wait cannot
 * tell. */
#include "harness/t/lib/machine.h"
#include "oracle/exec/delay.h"
#include "oracle/exec/schedule.h"

enum { WAVES = 2, LDS_BYTES = 512, STEPS = 100000, MEM_DW = 512, OLD = 77 };
#define MEM_BASE 0x100000ull

static u32 mem[MEM_DW];

/* mem[i] = 1000 + i, LDS dword i = 2000 + i, GDS dword i = 3000 + i; s[0:1] and v[0:1] the address
 * of mem, v9 0, s20 to s40 and v20 to v40 OLD. Lanes 0 and 1 are on. */
static void start(u32 waves)
{
    machine_reset(m, waves, LDS_BYTES);
    for (u32 i = 0; i < MEM_DW; i++)
        mem[i] = 1000 + i;
    for (u32 i = 0; i < LDS_BYTES / 4; i++) {
        u32 lds = 2000 + i, gds = 3000 + i;
        memcpy(&m->lds->bytes[i * 4], &lds, 4);
        memcpy(&m->gds->bytes[i * 4], &gds, 4);
    }
    for (u32 i = 0; i < waves; i++) {
        struct wave *w = m->wave[i];
        pair_set(&w->sgpr[0], MEM_BASE);
        w->sgpr[4] = i;
        w->sgpr[CODE_M0] = 0xffff;
        pair_set(&w->sgpr[CODE_EXEC], 3);
        for (u32 lane = 0; lane < LANES; lane++)
            w->vgpr[0][lane] = (u32)MEM_BASE;
        for (u32 n = 20; n <= 40; n++) {
            w->sgpr[n] = OLD;
            for (u32 lane = 0; lane < LANES; lane++)
                w->vgpr[n][lane] = OLD;
        }
    }
}

static enum stop run(u32 waves)
{
    struct schedule s = { .kind = SCHEDULE_ORDER };
    u32 who;
    start(waves);
    return schedule_run(m, &s, STEPS, &who);
}

static void vgpr_is(u32 want, u32 reg, u32 lane, const char *name)
{
    is_u64(want, m->wave[0]->vgpr[reg][lane], "%s: v%u lane %u", name, reg, lane);
}

static void sgpr_is(u32 want, u32 reg, const char *name)
{
    is_u64(want, m->wave[0]->sgpr[reg], "%s: s%u", name, reg);
}

static void runs(const char *text)
{
    machine_must_load(text);
    if (run(1) != STOP_END)
        bail("%s: %s", m->wave[0]->why, text);
}

static void test_vector(void)
{
    runs("global_load_dword v20, v[0:1], off\n"
         "global_load_dword v21, v[0:1], off offset:4\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt vmcnt(1)\n"
         "v_mov_b32 v3, v20\n"
         "v_mov_b32 v4, v21\n"
         "s_waitcnt vmcnt(0)\n"
         "v_mov_b32 v5, v21\n"
         "global_load_dword v22, v[0:1], off offset:8\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "no wait");
    vgpr_is(1000, 3, 0, "the older of two");
    vgpr_is(OLD, 4, 0, "the younger of two");
    vgpr_is(1001, 5, 1, "both");
    vgpr_is(1002, 22, 0, "at the end");
    runs("global_load_dword v20, v[0:1], off\n"
         "global_store_dword v[0:1], v20, off offset:4\n"
         "s_waitcnt vmcnt(1)\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt lgkmcnt(0)\n"
         "global_load_dword v21, v[0:1], off offset:8\n"
         "s_waitcnt lgkmcnt(0) expcnt(0)\n"
         "v_mov_b32 v3, v21\n"
         "s_endpgm\n");
    vgpr_is(1000, 2, 0, "a store counts");
    is_u64(OLD, mem[1], "what is stored is what the register held");
    vgpr_is(OLD, 3, 0, "the other counters say nothing");
}

static void test_scalar(void)
{
    runs("s_load_dword s20, s[0:1], 0x0\n"
         "s_load_dwordx2 s[22:23], s[0:1], 0x4\n"
         "s_waitcnt lgkmcnt(1)\n"
         "s_mov_b32 s5, s20\n"
         "s_waitcnt vmcnt(0)\n"
         "s_mov_b32 s6, s23\n"
         "s_waitcnt lgkmcnt(0)\n"
         "s_mov_b32 s7, s23\n"
         "s_load_dword s24, s[0:1], 0x10\n"
         "ds_read_b32 v20, v9\n"
         "s_waitcnt lgkmcnt(1)\n"
         "s_mov_b32 s8, s24\n"
         "v_mov_b32 v2, v20\n"
         "s_endpgm\n");
    sgpr_is(OLD, 5, "scalar loads keep no order");
    sgpr_is(OLD, 6, "another counter");
    sgpr_is(1002, 7, "all are there");
    sgpr_is(OLD, 8, "LDS is counted too");
    vgpr_is(OLD, 2, 0, "nor is LDS there");
}

static void test_lds(void)
{
    runs("ds_read_b32 v20, v9\n"
         "ds_read_b64 v[22:23], v9 offset:8\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt lgkmcnt(1)\n"
         "v_mov_b32 v3, v20\n"
         "v_mov_b32 v4, v23\n"
         "v_mov_b32 v9, 4\n"
         "s_waitcnt lgkmcnt(0)\n"
         "v_mov_b32 v5, v23\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "no wait");
    vgpr_is(2000, 3, 1, "the older of two");
    vgpr_is(OLD, 4, 0, "the younger of two");
    vgpr_is(2003, 5, 0, "both, at the address that was issued");
    runs("v_mov_b32 v6, 5\n"
         "ds_write_b32 v9, v6\n"
         "v_mov_b32 v6, 6\n"
         "ds_read_b32 v20, v9\n"
         "ds_write_b32 v9, v6\n"
         "s_mov_b64 exec, 0\n"
         "v_mov_b32 v6, 7\n"
         "s_waitcnt lgkmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(5, 20, 0, "accesses of a wave keep their order and their data");
    is_u64(6, m->lds->bytes[0], "and their lanes");
    runs("v_lshlrev_b32 v6, 3, v20\n"
         "v_mov_b32 v7, 3\n"
         "ds_bpermute_b32 v21, v9, v7\n"
         "v_mov_b32 v8, v21\n"
         "s_waitcnt lgkmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(OLD, 8, 0, "a permutation before the wait");
    vgpr_is(3, 21, 1, "a permutation");
}

/* Wave 0 writes; behind the barrier it goes on and wave 1 reads before it has waited. */
static void test_barrier(void)
{
    static const char *const wait[] = { "", "s_waitcnt lgkmcnt(0)\n" };
    for (u32 i = 0; i < 2; i++) {
        char buf[512];
        struct text t;
        text_init(&t, buf, sizeof buf);
        text_add(
            &t,
            "v_mov_b32 v6, 5\ns_cmp_eq_u32 s4, 1\ns_cbranch_scc1 l\nds_write_b32 v9, v6\n%sl:\n"
            "s_barrier\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 over\n"
            "ds_read_b32 v20, v9\ns_waitcnt lgkmcnt(0)\nover:\ns_barrier\ns_endpgm\n",
            wait[i]);
        machine_must_load(buf);
        is_u64(STOP_END, run(2), "both waves end");
        is_u64(i ? 5 : 2000, m->wave[1]->vgpr[20][0], "LDS behind a barrier, %s",
               i ? "waited for" : "not waited for");
    }
}

static void test_flat(void)
{
    runs("flat_load_dword v20, v[0:1]\n"
         "s_waitcnt vmcnt(0)\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt lgkmcnt(0)\n"
         "v_mov_b32 v3, v20\n"
         "global_load_dword v21, v[0:1], off\n"
         "flat_load_dword v22, v[0:1] offset:4\n"
         "s_waitcnt vmcnt(1) lgkmcnt(0)\n"
         "v_mov_b32 v4, v21\n"
         "s_waitcnt vmcnt(0)\n"
         "v_mov_b32 v5, v22\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "FLAT has two counters");
    vgpr_is(1000, 3, 0, "both waited for");
    vgpr_is(OLD, 4, 0, "FLAT keeps no order");
    vgpr_is(1001, 5, 0, "all waited for");
}

/* What a load writes: its lanes, its half, nothing that came after it was issued. */
static void test_parts(void)
{
    runs("s_mov_b64 exec, 1\n"
         "global_load_dword v20, v[0:1], off\n"
         "s_mov_b64 exec, 3\n"
         "v_mov_b32 v20, 9\n"
         "s_waitcnt vmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(1000, 20, 0, "the lane that was on, over what was written meanwhile");
    vgpr_is(9, 20, 1, "the lane that was off");
    runs("ds_read_u16_d16 v20, v9\n"
         "ds_read_u16_d16_hi v20, v9 offset:4\n"
         "global_load_short_d16 v21, v[0:1], off\n"
         "global_load_short_d16_hi v21, v[0:1], off offset:4\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "halves, before");
    vgpr_is(2001 << 16 | 2000, 20, 0, "halves from LDS");
    vgpr_is(1001 << 16 | 1000, 21, 0, "halves from memory");
}

/* Three halves fill a register and half of the next; with error correction of memory, all of it. */
static void test_three_halves(void)
{
    /* A buffer at mem of four halves each. */
    static const char text[] =
        "s_mov_b32 s8, s0\ns_mov_b32 s9, 0\ns_movk_i32 s10, 0x800\ns_mov_b32 s11, 0x64fac\n"
        "buffer_load_format_d16_xyz v[20:21], off, s[8:11], 0\n"
        "v_mov_b32 v20, 0x50006\n"
        "v_mov_b32 v21, 0x70008\n"
        "s_waitcnt vmcnt(0)\n"
        "s_endpgm\n";
    runs(text);
    vgpr_is(1000, 20, 0, "two halves");
    vgpr_is(7 << 16 | 1001, 21, 0, "the third, over what was written meanwhile");
    isa.ecc = ECC_ON;
    runs(text);
    vgpr_is(1000, 20, 0, "two halves with error correction");
    vgpr_is(1001, 21, 0, "the third with error correction");
    isa.ecc = ECC_OPEN;
}

static void test_atomics(void)
{
    runs("v_mov_b32 v6, 5\n"
         "v_mov_b32 v7, 6\n"
         "s_mov_b64 exec, 1\n"
         "global_atomic_add v20, v[0:1], v6, off glc\n"
         "global_atomic_swap v[0:1], v7, off offset:4\n"
         "v_mov_b32 v2, v20\n"
         "v_mov_b32 v7, 8\n"
         "s_waitcnt vmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "the old value, before");
    vgpr_is(1000, 20, 0, "the old value");
    vgpr_is(8, 7, 0, "data may be written over");
    is_u64(1005, mem[0], "memory is done when issued");
    is_u64(6, mem[1], "so without a result");
    /* A buffer of 2048 bytes at mem. */
    runs("s_mov_b32 s8, s0\ns_mov_b32 s9, 0\ns_movk_i32 s10, 0x800\ns_mov_b32 s11, 0x24fac\n"
         "v_mov_b32 v6, 5\nv_mov_b32 v7, 6\ns_mov_b64 exec, 1\n"
         "buffer_atomic_add v6, off, s[8:11], 0\n"
         "buffer_atomic_add v7, off, s[8:11], 0 glc\n"
         "v_mov_b32 v6, 9\n"
         "v_mov_b32 v2, v7\n"
         "s_waitcnt vmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(9, 6, 0, "a buffer's atomic without glc gives nothing back");
    vgpr_is(6, 2, 0, "with glc not before the wait");
    vgpr_is(1005, 7, 0, "with glc the old value");
}

/* GDS takes its data when expcnt says so, or with the result. */
static void test_gds(void)
{
    static const struct {
        const char *wait;
        u32 sum;
    } test[] = { { "s_waitcnt expcnt(0)\n", 5 }, { "s_waitcnt lgkmcnt(0)\n", 5 }, { "", 6 } };
    for (u32 i = 0; i < COUNT_OF(test); i++) {
        char buf[512];
        struct text t;
        u32 word;
        text_init(&t, buf, sizeof buf);
        text_add(&t,
                 "s_mov_b64 exec, 1\nv_mov_b32 v6, 5\nds_add_rtn_u32 v20, v9, v6 gds\n%s"
                 "v_mov_b32 v6, 6\nv_mov_b32 v2, v20\ns_waitcnt lgkmcnt(0)\ns_endpgm\n",
                 test[i].wait);
        runs(buf);
        memcpy(&word, m->gds->bytes, 4);
        is_u64(3000 + test[i].sum, word, "GDS and '%.20s'", test[i].wait);
        vgpr_is(i == 1 ? 3000 : OLD, 2, 0, "its result");
        vgpr_is(3000, 20, 0, "its result at last");
    }
}

static void open_on(const char *mcpu)
{
    struct err e = { .text = "" };
    machine_must_open_on(mcpu, &(struct machine_cfg){ .waves_max = WAVES });
    engine.exec = &exec_ops_delayed;
    if (machine_window(m, MEM_BASE, mem, sizeof mem, false, &e) || delay_open(m, &e))
        bail("%s", e.text);
}

/* Stores of gfx6 take their data when expcnt says so, or when they are done; their address and
 * resource at once. A buffer of 2048 bytes at mem; v6 is 5, v7 is 8. */
static void test_late_stores(void)
{
    static const struct {
        const char *code;
        u32 at, late, early; /* dword of mem; there on gfx600, on gfx701 */
    } test[] = {
        { "buffer_store_dword v6, off, s[8:11], 0\nv_mov_b32 v6, 6\n", 0, 6, 5 },
        { "buffer_store_dword v6, off, s[8:11], 0\ns_waitcnt expcnt(0)\nv_mov_b32 v6, 6\n", 0, 5,
          5 },
        { "buffer_store_dword v6, off, s[8:11], 0\ns_waitcnt vmcnt(0)\nv_mov_b32 v6, 6\n", 0, 5,
          5 },
        { "buffer_store_dword v6, off, s[8:11], 0\ns_mov_b32 s8, 0\nv_mov_b32 v6, 6\n", 0, 6, 5 },
        { "buffer_store_dword v6, v7, s[8:11], 0 offen\nv_mov_b32 v7, 64\n", 2, 5, 5 },
        { "buffer_store_dword v6, off, s[8:11], 0\ns_mov_b64 exec, 0\n", 0, 5, 5 },
        { "buffer_store_dword v6, off, s[8:11], 0\nbuffer_store_dword v7, off, s[8:11], 0\n"
          "s_waitcnt expcnt(1)\nv_mov_b32 v6, 6\nv_mov_b32 v7, 9\n",
          0, 9, 8 },
        { "buffer_store_dword v6, off, s[8:11], 0\nbuffer_load_dword v20, off, s[8:11], 0\n"
          "s_waitcnt vmcnt(0)\nbuffer_store_dword v20, off, s[8:11], 0 offset:4\n",
          1, 5, 5 },
        { "buffer_atomic_add v6, off, s[8:11], 0\nv_mov_b32 v6, 6\n", 0, 1005, 1005 },
    };
    for (u32 old = 0; old < 2; old++) {
        open_on(old ? "gfx701" : "gfx600");
        for (u32 i = 0; i < COUNT_OF(test); i++) {
            char buf[512];
            struct text t;
            text_init(&t, buf, sizeof buf);
            text_add(&t,
                     "s_mov_b32 s8, s0\ns_mov_b32 s9, 0\ns_movk_i32 s10, 0x800\n"
                     "s_mov_b32 s11, 0x24fac\nv_mov_b32 v6, 5\nv_mov_b32 v7, 8\n"
                     "s_mov_b64 exec, 1\n%ss_endpgm\n",
                     test[i].code);
            runs(buf);
            is_u64(old ? test[i].early : test[i].late, mem[test[i].at], "%s: %s", isa.target->mcpu,
                   test[i].code);
        }
        machine_close(m);
    }
}

/* Where there is no GLOBAL: what reaches memory alone comes as vector memory does, what reaches LDS
 * when both counters say so. v[4:5] is LDS in both lanes, v[6:7] in one. */
static void test_flat_alone(const char *mcpu)
{
    open_on(mcpu);
    runs("s_mov_b64 exec, 3\n"
         "v_mov_b32 v4, 0\nv_mov_b32 v5, 0x10000\nv_mov_b32 v6, v0\nv_mov_b32 v7, v1\n"
         "s_mov_b64 exec, 1\nv_mov_b32 v6, v4\nv_mov_b32 v7, v5\ns_mov_b64 exec, 3\n"
         "flat_load_dword v20, v[0:1]\n"
         "flat_load_dword v21, v[0:1]\n"
         "v_mov_b32 v2, v20\n"
         "s_waitcnt vmcnt(1)\n"
         "v_mov_b32 v3, v20\n"
         "v_mov_b32 v8, v21\n"
         "s_waitcnt lgkmcnt(0)\n"
         "v_mov_b32 v10, v21\n"
         "s_waitcnt vmcnt(0)\n"
         "flat_load_dword v22, v[4:5]\n"
         "flat_load_dword v23, v[6:7]\n"
         "s_waitcnt vmcnt(0)\n"
         "v_mov_b32 v11, v22\n"
         "v_mov_b32 v12, v23\n"
         "s_waitcnt lgkmcnt(0)\n"
         "s_endpgm\n");
    vgpr_is(OLD, 2, 0, "not yet");
    vgpr_is(1000, 3, 0, "the first of two");
    vgpr_is(OLD, 8, 0, "not the second");
    vgpr_is(OLD, 10, 0, "LDS says nothing of it");
    vgpr_is(1000, 21, 0, "vmcnt does");
    vgpr_is(OLD, 11, 0, "of LDS vmcnt alone does not");
    vgpr_is(OLD, 12, 1, "nor where only another lane is there");
    vgpr_is(2000, 22, 0, "both do");
    vgpr_is(2000, 23, 0, "both do, of LDS");
    vgpr_is(1000, 23, 1, "both do, of memory");
    machine_close(m);
}

/* The counter holds 63: the 64th load waits for the first. */
static void test_full(void)
{
    char buf[8192];
    struct text t;
    text_init(&t, buf, sizeof buf);
    for (u32 i = 0; i < 64; i++)
        text_add(&t, "global_load_dword v%u, v[0:1], off offset:%u\n", i < 2 ? 20 + i : 41 + i,
                 i * 4);
    text_add(&t, "v_mov_b32 v2, v20\nv_mov_b32 v3, v21\ns_waitcnt vmcnt(0)\ns_endpgm\n");
    runs(buf);
    vgpr_is(1000, 2, 0, "the first of 64 has come");
    vgpr_is(OLD, 3, 0, "the second has not");
    vgpr_is(1063, 104, 0, "the last comes");
}

/* Seeds: with waits always the same; without, early and late both happen, each seed again the
 * same. */
static void test_random(void)
{
    static const char waits[] = "global_load_dword v20, v[0:1], off\n"
                                "ds_read_b32 v21, v9\n"
                                "s_load_dword s20, s[0:1], 0x8\n"
                                "s_load_dword s21, s[0:1], 0xc\n"
                                "s_nop 0\ns_nop 0\ns_nop 0\n%s"
                                "v_add_u32 v2, v20, v21\n"
                                "v_add_u32 v2, s20, v2\n"
                                "v_add_u32 v2, s21, v2\n"
                                "s_endpgm\n";
    u32 differ = 0, same = 0, right = 0, seen[16];
    for (u32 round = 0; round < 3; round++) {
        char buf[512];
        struct text t;
        text_init(&t, buf, sizeof buf);
        text_add(&t, waits, round ? "" : "s_waitcnt vmcnt(0) lgkmcnt(0)\n");
        machine_must_load(buf);
        for (u32 seed = 0; seed < COUNT_OF(seen); seed++) {
            delay_random(m, seed + 1);
            run(1);
            u32 sum = m->wave[0]->vgpr[2][0];
            right += round == 0 && sum == 1000 + 2000 + 1002 + 1003;
            same += round == 2 && sum == seen[seed];
            seen[seed] = sum;
            differ += round == 1 && seed && sum != seen[seed - 1];
        }
    }
    is_u64(COUNT_OF(seen), right, "with waits every seed is right");
    ok(differ > 3, "without, seeds differ: %u", differ);
    is_u64(COUNT_OF(seen), same, "a seed gives the same again");
}

int main(void)
{
    open_on("gfx900");
    test_vector();
    test_scalar();
    test_lds();
    test_barrier();
    test_flat();
    test_parts();
    test_three_halves();
    test_atomics();
    test_gds();
    test_full();
    test_random();
    machine_close(m);
    test_flat_alone("gfx701");
    test_flat_alone("gfx803");
    test_late_stores();
    return done();
}
