/* What the judging of cases and of programs share: the registers watched, and the walks that find
 * differences. */
#include "harness/check/judge.h"
#include "harness/t/lib/tap_test.h"

static void watched(void)
{
    u16 first[JUDGE_WATCHED], place[JUDGE_WATCHED];
    struct judge_places seen = { { 0 } };
    u32 outside = 0, changed = 0, count = 0;
    judge_watched(1, 0, first);
    judge_watched(1, 0, place);
    ok(memcmp(first, place, sizeof first) == 0, "the same program and wave: the same registers");
    judge_watched(1, 1, place);
    ok(memcmp(first, place, sizeof first) != 0, "others for another wave");
    for (u32 number = 0; number < 500; number++) {
        judge_watched(number, 0, place);
        changed += memcmp(first, place, sizeof first) != 0;
        for (u32 i = 0; i < JUDGE_WATCHED; i++) {
            outside += dut_place_class(place[i]) == CLASS_COUNT;
            judge_add_places(&seen, place[i], 1);
        }
    }
    is_i64(0, outside, "every one of them exists");
    ok(changed >= 499, "others for another program");
    for (u32 p = 0; p < GCNCHECK_PLACES; p++)
        count += judge_has(&seen, p) && (p < 102 || (p >= GCNCHECK_V0 && p < GCNCHECK_A0));
    is_i64(102 + 256, count, "every register has its turn");
    ok(judge_has(&seen, GCNCHECK_SCC) && judge_has(&seen, GCNCHECK_EXEC_HI),
       "and those with names");
}

struct met {
    u32 count, lane, want, got;
    u64 at;
};

static void on_lane(void *arg, const struct gcncheck_slot *slot, u32 lane, u32 want, u32 got)
{
    struct met *m = arg;
    (void)slot;
    *m = (struct met){ m->count + 1, lane, want, got, 0 };
}

static void on_dword(void *arg, u64 at, u32 want, u32 got)
{
    struct met *m = arg;
    *m = (struct met){ m->count + 1, 0, want, got, at };
}

static void walks(void)
{
    u32 want[LANES] = { 0 }, got[LANES] = { 0 };
    u8 a[7] = { 0 }, b[7] = { 0 };
    struct gcncheck_slot vgpr = { 0, GCNCHECK_V0, 0 }, sgpr = { 0, 3, 0 };
    struct met m = { 0 };
    judge_register(&vgpr, want, got, on_lane, &m);
    is_i64(0, m.count, "equal registers");
    got[63] = 5;
    judge_register(&vgpr, want, got, on_lane, &m);
    ok(m.count == 1 && m.lane == 63 && m.want == 0 && m.got == 5, "one lane differs");
    judge_register(&sgpr, want, got, on_lane, &m);
    is_i64(1, m.count, "a scalar register has one dword");
    m = (struct met){ 0 };
    judge_bytes(a, b, sizeof a, on_dword, &m);
    is_i64(0, m.count, "equal bytes");
    b[6] = 0x12;
    judge_bytes(a, b, sizeof a, on_dword, &m);
    ok(m.count == 1 && m.at == 4 && m.got == 0x120000, "the last bytes, less than a dword");
}

static void words(void)
{
    struct judgement j = { .verdict = JUDGED_RIGHT };
    char buf[40];
    is_str("unchanged (0x00000007)", judge_want(7, 7, buf, sizeof buf), "what must not change");
    is_str("0x00000007", judge_want(7, 8, buf, sizeof buf), "what must");
    is_str("not announced by the row", judge_note(DIFF_STRAY_REGISTER),
           "a register nobody announces");
    is_str("", judge_note(DIFF_VGPR), "and one that is announced");
    judge_add_diff(&j, &(struct diff){ .what = DIFF_SCC });
    judge_add_diff(&j, &(struct diff){ .what = DIFF_VGPR });
    judge_add_diff(&j, &(struct diff){ .what = DIFF_MEMORY });
    ok(j.verdict == JUDGED_WRONG && j.what == DIFF_VGPR, "the gravest difference names the cause");
    for (u32 i = 0; i < DIFFS_MAX; i++)
        judge_add_diff(&j, &(struct diff){ .what = DIFF_LDS });
    ok(j.diff_count == DIFFS_MAX && j.diff_total == DIFFS_MAX + 3,
       "all are counted, the first kept");
}

int main(void)
{
    watched();
    walks();
    words();
    return done();
}
