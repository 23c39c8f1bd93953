/* Expected against got: what the judging of cases (harness/run) and of random programs (compare.h)
 * have in common. Which registers are watched, how differences are found and counted, what they are
 * called. What is expected, and which other values are accepted, each of the two knows itself: a
 * case states it, a random program has the model's result and the acceptance of its rows. */
#ifndef HARNESS_CHECK_JUDGE_H
#define HARNESS_CHECK_JUDGE_H

#include "harness/dut/dut.h"
#include "oracle/insn/insn.h"

/* What differs: names the kind of a difference and, with mnemonic and form, its cause. */
enum diff_what {
    DIFF_NONE,
    DIFF_OUTCOME,        /* the DUT did not end the program as the model did */
    DIFF_STRAY_REGISTER, /* a register that no instruction announces was written */
    DIFF_STRAY_MEMORY,   /* memory or LDS that the program does not write was written */
    DIFF_PC,             /* a branch went elsewhere */
    DIFF_VGPR,
    DIFF_SGPR,
    DIFF_VCC,
    DIFF_EXEC,
    DIFF_M0,
    DIFF_SCC,
    DIFF_MODE,
    DIFF_TRAPSTS,
    DIFF_MEMORY,
    DIFF_LDS,
    DIFF_WHAT_COUNT
};

/* "vgpr", "stray-register", ...: one word, fit for a file name. */
const char *judge_what_name(enum diff_what what);

/* Whether it is a scalar result: a wrong one is one cause whichever register it goes to. */
bool judge_is_scalar(enum diff_what what);

/* As judge_what_name, in the name of a cause: "scalar" for every scalar result. */
const char *judge_cause_name(enum diff_what what);

/* One difference: a dword of a register (lane 0 for scalars), or 4 bytes of memory or LDS. */
struct diff {
    u8 what; /* enum diff_what */
    u8 lane;
    u16 wave;
    u16 place; /* PLACE_MEM and PLACE_LDS: `addr` says where */
    u64 addr;  /* bytes, a multiple of 4 from the window's start */
    u32 start; /* the value before the program */
    u32 want, got;
};

enum { DIFFS_MAX = 8 };

enum verdict_kind {
    JUDGED_RIGHT,
    JUDGED_WRONG,
    JUDGED_UNSUPPORTED, /* the DUT does not implement something: `reason` */
    JUDGED_INVALID /* no test: the model does not end the program, or it leaves memory: `reason` */
};

struct judgement {
    u8 verdict; /* enum verdict_kind */
    u8 what;    /* enum diff_what of the first and gravest difference */
    u8 outcome; /* of the DUT: enum outcome */
    /* A difference was accepted: the rules leave a choice (oracle/accept/acceptance.h). */
    bool tolerated;
    u32 narrowed;   /* bit per enum dut_class that should have been set or compared and was not */
    u64 lanes;      /* of vector registers that differ */
    bool rest;      /* something else does */
    u32 who;        /* of a panel: bit per member that differs; the first of them is judged here */
    bool refused;   /* some member, if not the only one, does not implement it */
    u32 diff_total; /* differing dwords */
    u32 diff_count; /* of them in diff[] */
    struct diff diff[DIFFS_MAX];
    char reason[64]; /* of the outcome, or why there was no verdict */
};

/* Adds a difference: the judgement becomes wrong, and what it is called after is the gravest. */
void judge_add_diff(struct judgement *j, const struct diff *d);

/* What a wrong value in a register is called. */
enum diff_what judge_what_of(u32 place);

/* What is said beside a difference: "not announced by the row", ...; empty where nothing is. */
const char *judge_note(enum diff_what what);

/* "unchanged (OLD)": what is expected of something that nobody may write. Returns buf. */
const char *judge_unchanged(const char *old, char *buf, size_t size);

/* "0x...", or "unchanged (0x...)" where that is what it was at the start. Returns buf. */
const char *judge_want(u32 want, u32 start, char *buf, size_t size);

/* ---- places ---- */

enum { JUDGE_WORDS = (GCNCHECK_PLACES + 63) / 64 };

/* A set of places, a bit each. */
struct judge_places {
    u64 bits[JUDGE_WORDS];
};

static inline bool judge_has(const struct judge_places *set, u32 place)
{
    return set->bits[place / 64] >> place % 64 & 1;
}

/* Adds places place..place+n-1, as far as they exist. */
void judge_add_places(struct judge_places *set, u32 place, u32 n);

/* Adds what the instruction announces to read (DIR_R), to write (DIR_W), or both. */
void judge_add_insn(struct judge_places *set, const struct insn *in, u32 dir);

/* ---- what is read back beside what is announced ---- */

enum { JUDGE_NAMED = 8, JUDGE_SGPRS = 8, JUDGE_VGPRS = 4 };
enum { JUDGE_WATCHED = JUDGE_NAMED + JUDGE_SGPRS + JUDGE_VGPRS };

/* Every register of some programs. `number`: the program's, or a hash of its name. */
static inline bool judge_reads_all(u64 number)
{
    return number % 16 == 0;
}

/* Of the others the registers with a name of their own, and a few canaries: registers that nobody
 * has a reason to write, others for each program and wave. */
void judge_watched(u64 number, u32 wave, u16 place[JUDGE_WATCHED]);

/* ---- finding differences ---- */

/* Called for each lane (0 for scalars) of a register that is not as expected. */
typedef void judge_lane_fn(void *arg, const struct gcncheck_slot *slot, u32 lane, u32 want,
                           u32 got);

/* Compares one register: 1 or 64 dwords. */
void judge_register(const struct gcncheck_slot *slot, const u32 *want, const u32 *got,
                    judge_lane_fn *fn, void *arg);

/* Called for each dword of memory that is not as expected, `at` bytes from its start. */
typedef void judge_dword_fn(void *arg, u64 at, u32 want, u32 got);

/* Compares `size` bytes of memory or LDS. */
void judge_bytes(const u8 *want, const u8 *got, u64 size, judge_dword_fn *fn, void *arg);

/* The dword at a byte of `size` bytes; what lies behind the end is 0. */
u32 judge_dword(const u8 *bytes, u64 size, u64 at);

#endif
