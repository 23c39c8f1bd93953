/* What happened to one case: the only thing the harness hands over to reports. A struct result is
 * plain data of fixed size, so that it can be copied, kept and written to a journal without anybody
 * owning anybody's memory. Texts are NUL-terminated; an empty text means "not known". */
#ifndef REPORTS_RESULT_H
#define REPORTS_RESULT_H

#include "oracle/base/base.h"

enum result_status {
    RESULT_OK,
    RESULT_NOT_OK,
    RESULT_SKIP,  /* not judged; `reason` says why */
    RESULT_TODO,  /* differs, but a ledger entry below the gate touches it: never fails a run */
    RESULT_KNOWN, /* differs, and that is known: `known` says why; never fails a run */
    RESULT_STATUS_COUNT
};

/* "ok", "not ok", "skip", "todo", "known"; "?" for anything else. */
const char *result_status_name(u32 status);

/* The reason code of a skip that means "the device under test does not implement it". */
#define RESULT_UNIMPLEMENTED "unimplemented"
/* The reason code of one that means "the case needs a MODE that the device does not know". */
#define RESULT_OTHER_MODE "needs-mode"

enum { RESULT_DIFFS_MAX = 8, RESULT_DWORDS_MAX = 4 };

/* One place that differs. */
struct result_diff {
    char place[32];      /* "v0", "vcc", "mem[0x100000].b32" */
    i32 lane;            /* lane of a vector register or bit of a mask; -1: the whole place */
    char want[64];       /* "0x00000001", "unchanged (0xa0140000)", "1 or 2" */
    char got[64];        /* "0x00000000" */
    char note[64];       /* "not announced by the row" */
    char acceptance[24]; /* "ulp:1"; empty means exact */
    u16 number;          /* of the register, or what stands for memory; in no file */
};

struct result {
    u32 status; /* enum result_status */

    char id[160];    /* frozen case id: mcpu/encoding/mnemonic/form#slug */
    char title[160]; /* "sum and carry, row 4" */
    char file[160];  /* where the case stands */
    u32 line;        /* 0: nowhere in particular */

    /* For grouping, and for the first line of a failure. */
    char encoding[16]; /* "VOP2" */
    char mnemonic[48]; /* "v_add_co_u32" */
    char form[12];     /* "e64" */
    char mcpu[16];     /* "gfx900" */
    char dut[96];      /* "mutant:v_add_carry" */
    char against[48];  /* who is right if the DUT is wrong: "expected", "model" */

    char reason[64];  /* code of a skip or rejection, or how a run ended: "unimplemented", "hang" */
    char detail[128]; /* what the code leaves open: "SIGSEGV", the mnemonic that is missing */
    char narrowed[64]; /* judged on less than the case asks for: "MODE fixed" */
    char ledger[64];   /* ids of the entries that touch the case, separated by blanks */
    char cause[96];    /* failures with one cause share this text; empty: made by result_cause() */
    char known[160]; /* why a failure that is known is one: what the file of known failures says */

    char insn[128];                /* the instruction as text */
    u32 dwords[RESULT_DWORDS_MAX]; /* and as dwords */
    u32 dword_count;
    char program[1536]; /* all instructions, one per line, where there are several */
    char inputs[512];   /* "v1=0xffffffff v2=0x00000001" */

    struct result_diff diff[RESULT_DIFFS_MAX];
    u32 diff_count; /* all differences there were; the first RESULT_DIFFS_MAX of them are in
                     * diff[] */

    /* Of a program: where DUT and model part, "step 7: s_bitset1_b32 s0, 2: s0: model 0x4, DUT 0x0",
     * or why that is not known; and the opcode that is to blame for it. */
    char parts[384];
    char blame_encoding[16], blame[48];

    char vote[256];  /* of several devices: who stands alone */
    char model[96];  /* what the model says to the case: "agrees with expected" */
    char again[320]; /* the command that shows this again */
};

/* Everything empty, no lane; status RESULT_OK. */
void result_init(struct result *r);

/* Prints into a text of a result, cut to fit; what would break a line, or a terminal would obey, becomes
 * '?'. Use: RESULT_SET(r->title, "row %u", n). */
#define RESULT_SET(field, ...) result_text(field, sizeof(field), __VA_ARGS__)
void result_text(char *dst, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a text of several lines: `program`. */
void result_lines(char *dst, size_t size, const char *text);

/* Makes a text fit for every output: control characters and bytes that are no UTF-8 become '?'. */
void result_clean(char *text, bool keep_newlines);

/* Whether the text is a call of gcncheck in a shell and nothing else: words of letters, digits and
 * _-+=:,./@%, or in single quotes. So our own lines are written. */
bool result_is_command(const char *text);

/* Of a result from outside: if r->again is no such call, it becomes "edited" and the text with '?'
 * for all that means something to a shell, so that nobody runs by accident what a stranger wrote
 * there. */
void result_check_again(struct result *r);

/* The texts of a result and of a difference, by name and place, for readers and writers of all of
 * them. */
struct result_field {
    const char *name;
    u16 offset, size;
};
enum { RESULT_TEXTS = 24, RESULT_DIFF_TEXTS = 5 };
extern const struct result_field result_texts[RESULT_TEXTS];
extern const struct result_field result_diff_texts[RESULT_DIFF_TEXTS];

/* Counts one more difference and returns the place to describe it, or NULL when diff[] is full. */
struct result_diff *result_add_diff(struct result *r);

/* Whether it differs, whatever that means for the run. */
static inline bool result_differs(const struct result *r)
{
    return r->status == RESULT_NOT_OK || r->status == RESULT_TODO || r->status == RESULT_KNOWN;
}

/* The differences that diff[] holds. */
static inline u32 result_diffs_held(const struct result *r)
{
    return r->diff_count < RESULT_DIFFS_MAX ? r->diff_count : (u32)RESULT_DIFFS_MAX;
}

/* Prints "v0 lane 3", "vcc bit 3" or "scc" into buf and returns it. */
const char *result_place(const struct result_diff *d, char *buf, size_t size);

/* Prints the line that names a result: "vop2/v_add_co_u32: sum and carry, row 4, e64, gfx900, drm
 * vs expected" (parts that are not known are left out) into buf and returns it. */
const char *result_name(const struct result *r, char *buf, size_t size);

/* Orders results by id, form, title, file, line, DUT, replay line and
 * inputs, so that reports do not depend on the order in which a run did its cases. */
int result_compare(const struct result *a, const struct result *b);

/* Prints what the wrong results of one cause have in common into buf and returns it: r->cause, or
 * else mnemonic, reason, and kind and note of the first difference. */
const char *result_cause(const struct result *r, char *buf, size_t size);

#endif
