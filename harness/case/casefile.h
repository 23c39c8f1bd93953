/* Directed cases as text: reads .case files (the format is on one page, cases/README.md) into plain
 * data, evaluates their values and spells their code in the forms asked for. The runner
 * (harness/run/run.h) turns the data into jobs; `gcncheck list` counts rows. Reading a file needs
 * no processor: places, values and shapes are checked here, the assembly only when casefile_program
 * is asked for a processor and a form. */
#ifndef HARNESS_CASE_CASEFILE_H
#define HARNESS_CASE_CASEFILE_H

#include "oracle/insn/insn.h"
#include "oracle/state/place.h"

enum {
    CASE_FILE_BYTES = 1 << 20,
    CASE_LINE_BYTES = 1000,
    CASE_TITLE_BYTES = 120,
    CASE_TESTS_MAX = 500,
    CASE_ROWS_MAX = 4096, /* of one test */
    CASE_COLS_MAX = 24,
    CASE_ITEMS_MAX = 500, /* cases of one test */
    CASE_ASSIGNS_MAX = 256,
    CASE_CODE_MAX = 400, /* lines of assembly of one test */
    CASE_MEMS_MAX = 8,
    CASE_MEM_BYTES = 1 << 16,
    CASE_ALTS_MAX = 3,
    CASE_WORDS_MAX = 8, /* targets, and errata ids, of one test or row */
    CASE_VALUE_DW = PLACE_DW_MAX,
    CASE_AGAIN_FILES = 2,    /* of registers: v and a */
    CASE_INSNS_MAX = 2048,   /* of one test */
    CASE_PROGRAM_DW = 40000, /* branches reach 32767 dwords */
    CASE_GEN = GEN_GFX9      /* whose code tests without targets hold */
};

enum case_space { CASE_REG, CASE_LDS, CASE_MEM };

/* A register (or up to four consecutive ones), or bytes of LDS or of a named memory. */
struct case_place {
    u8 space;    /* enum case_space */
    u8 dw;       /* dwords of its value, 1..4 */
    u8 mem;      /* CASE_MEM: index into the test's mems */
    i8 wave;     /* the one wave meant, or -1: every wave */
    i8 lane;     /* vector registers: the one lane meant, or -1 */
    bool is_bit; /* scc: 0 or 1 */
    u16 place;   /* CASE_REG: as in gcncheck_dut.h */
    u16 bits;    /* of its value: 1 (scc), 8, 16, 32, 64, 96, 128 */
    u32 offset;  /* CASE_LDS, CASE_MEM: bytes */
};

/* One number: dw + lane * (number of the lane) + address of what `base` names + what only a
 * generation adds. */
struct case_const {
    u32 dw[CASE_VALUE_DW];
    i32 lane;
    u32 on_gen;   /* added on generation `gen` and those before it, or if it is gfx9 behind it */
    u8 gen;       /* enum gen */
    u8 base;      /* CASE_BASE_NONE, CASE_BASE_CODE, CASE_BASE_MEM + index */
    u8 shift;     /* of the base, to the right */
    bool any_nan; /* any quiet NaN of float_bits; dw is one of them */
    u8 float_bits;
};
enum { CASE_BASE_NONE, CASE_BASE_CODE, CASE_BASE_MEM };

enum case_value_kind { CASE_VALUE, CASE_ANY, CASE_SAME };

/* What a place holds or must hold: one of up to three numbers, anything (`?`), or what it held
 * (`same`). */
struct case_value {
    u8 kind; /* enum case_value_kind */
    u8 alts;
    u8 ulp_bits;                  /* 16, 32, 64: floats of that size may be off; 0: exact */
    u32 ulps;                     /* by so much, or */
    const struct isa_row *as_row; /* by what this row states; NULL: by ulps */
    struct case_const alt[CASE_ALTS_MAX];
};

struct case_assign {
    int line;
    struct case_place place;
    struct case_value value;
};

struct case_assigns {
    u32 count, cap;
    struct case_assign *a;
};

struct case_line {
    int line;
    const char *text;
};

/* The name of the memory that shows exports. */
#define CASE_EXPORTS "exports"

struct case_mem {
    char name[32];
    u32 size; /* bytes */
};

/* Ids of the ledger, of a test, a row or a case. */
struct case_errata {
    u32 count;
    const char *id[CASE_WORDS_MAX];
};

struct case_row {
    int line;
    const struct case_errata *errata; /* its own; NULL: none */
    const struct case_value *value;   /* cols of them */
};

/* `case` with its own in and out. */
struct case_item {
    int line;
    const char *title;
    struct case_errata errata; /* its own */
    struct case_assigns in, out;
};

enum case_shape {
    CASE_LANES, /* a table: each row is a lane, 64 rows are a run */
    CASE_RUNS,  /* a table: each row is a run */
    CASE_ITEMS, /* cases */
    CASE_REJECT /* the code must be refused */
};

struct case_test {
    int line;
    const char *title;
    const struct isa_row
        *row_of_file; /* of the opcode that the file is named as; NULL: it is not */
    char slug[64];    /* the title in lower case, its other characters as '-' */
    u8 shape;         /* enum case_shape */
    u8 gen;           /* whose names its places have: CASE_GEN until casefile_place_traps */
    u8 forms;         /* F_BASE, F_E64, F_SDWA, F_DPP; 0: the code as it is written */
    u32 waves;
    u32 mode;
    u32 lds_size;  /* bytes; 0: no LDS */
    bool one_lane; /* CASE_RUNS with vector columns: lane 0 alone is on unless EXEC is given */
    u8 again[CASE_AGAIN_FILES]; /* how much higher a second run has v and a; 0: no second run */
    bool is_again; /* this is the second run: a test of its own behind the one that asks for it */
    u32 targets, mems;
    const char *target[CASE_WORDS_MAX];
    struct case_errata errata; /* of all its rows or cases */
    struct case_mem mem[CASE_MEMS_MAX];
    const char *reject;
    struct case_assigns in, out; /* shared by its rows or cases */
    u32 code_count, code_cap;
    struct case_line *code;
    int rows_line;
    u32 cols, in_cols; /* the first in_cols are inputs */
    struct case_place col[CASE_COLS_MAX];
    u32 rows, rows_cap;
    struct case_row *row;
    u32 items, items_cap;
    struct case_item *item;
};

struct casefile {
    char path[256]; /* as it was opened */
    char dir[64];   /* last folder of the path: the encoding in lower case */
    char stem[64];  /* file name without .case: the mnemonic */
    int lines;      /* how many it has */
    u32 tests, tests_cap;
    struct case_test *test;
    void *blocks; /* everything above points in here */
};

/* Reads and checks a file. On ST_OK the caller frees *out with casefile_free. ST_INPUT: `file:line:
 * text` in *e naming the word at fault. ST_WORLD: no memory. */
enum status casefile_load(const char *path, struct casefile **out, struct err *e);

/* The same over `size` bytes in memory; `path` is what messages and ids say. */
enum status casefile_parse(const char *path, const char *bytes, size_t size, struct casefile **out,
                           struct err *e);
void casefile_free(struct casefile *f);

/* From now on ttmp0, ttmp1, ... and tba are the places where the processor has them; once for a file. */
void casefile_place_traps(struct casefile *f, const struct isa *isa);

/* Where the cases of a row stand in a folder of cases: "vop2/v_add_f32.case". Returns buf. */
const char *casefile_of_row(const struct isa_row *row, char *buf, size_t size);

/* Results that a file stands for: rows, cases, rejects, each once whatever its forms and second
 * runs. ST_INPUT: it cannot be read. ST_WORLD: for want of memory. */
enum status casefile_count_rows(const char *path, u64 *rows, struct err *e);

/* Names "v[4:5].lane3", "vcc", "lds[8].b64", "buf[0].b32", "wave1.s4" as the format spells them;
 * returns buf. */
const char *casefile_place_name(const struct case_test *t, const struct case_place *p, char *buf,
                                size_t size);

/* Reads a place or a value as the format spells them. `t` gives the named memories and may be NULL;
 * a value is checked against its place. ST_INPUT names the word. Used by the reader and by
 * `gcncheck eval`. */
enum status casefile_place(const struct case_test *t, const char *s, size_t len,
                           struct case_place *p, struct err *e);
enum status casefile_value(const struct case_test *t, const char *s, size_t len,
                           const struct case_place *p, struct case_value *v, struct err *e);

/* What the numbers of a test count from: base[0] is the address of the code, base[1 + i] of memory i,
 * base[CASE_BASE_GEN] the generation (enum gen). */
enum { CASE_BASE_GEN = 1 + CASE_MEMS_MAX, CASE_BASES };

/* The number for a lane; base: CASE_BASES of them. */
void casefile_eval(const struct case_const *c, u32 lane, const u64 *base, u32 out[CASE_VALUE_DW]);

/* Whether `got` (dwords of the place) is what v allows; `was` is what the place held before (for
 * `same`). */
bool casefile_accepts(const struct case_value *v, const struct case_place *p, u32 lane,
                      const u64 *base, const u32 *was, const u32 *got);

/* Two vector or two scalar registers as a lane mask: whether a column may stand for one bit of this
 * place. */
bool casefile_is_mask(const struct case_place *p);

/* One spelling of a test's code, assembled. */
struct case_program {
    u32 dw;
    u32 code[CASE_PROGRAM_DW]; /* ends in s_endpgm */
    u32 insns;                 /* s_endpgm behind s_endpgm, as `.fill` puts it, is left out */
    u32 focus;                 /* which instruction is of the file's opcode; insns if none */
    struct insn insn[CASE_INSNS_MAX];
    u32 offset[CASE_INSNS_MAX]; /* of insn[i], in dwords */
    const char *form; /* form of the focus: "e32", "e64", "sdwa", "dpp", "literal", "base" */
};

/* Spells the first instruction of the file's opcode in `form` (one of enum isa_form, or FORM_COUNT:
 * as written) with neutral modifiers, assembles and decodes the code and adds s_endpgm. ST_INPUT
 * names file, line and reason. */
enum status casefile_program(const struct isa *isa, const struct casefile *f,
                             const struct case_test *t, u32 form, struct case_program *out,
                             struct err *e);

/* A CASE_REJECT test: ST_OK if every line of the code is refused with a reason that contains the
 * word. ST_INPUT says which line was accepted or refused for another reason. */
enum status casefile_rejects(const struct isa *isa, const struct casefile *f,
                             const struct case_test *t, struct err *e);

/* What a test may be run on: its targets name the processor or its generation (or it has none), every
 * opcode of its code exists there, and so do the bits of MODE that it sets and its LDS. What must be
 * refused is so on gfx9, if it has no targets. */
bool casefile_is_for(const struct isa *isa, const struct case_test *t);

/* Whether an assembler's refusing the code means that the test is for other processors: it has no
 * targets, and is written for gfx9, whose operands and modifiers others may lack: gfx9 has all of its
 * opcodes. */
bool casefile_may_be_refused(const struct isa *isa, const struct case_test *t);

/* Paths of case files. */
struct case_paths {
    u32 count, cap;
    struct case_path {
        char *path;
        int line; /* of FILE:LINE; 0: all of the file */
    } * path;
};

/* Adds FILE, FILE:LINE, or every .case file below DIR. casefile_sort puts them in order and drops
 * doubles. */
enum status casefile_find(const char *arg, struct case_paths *out, struct err *e);
void casefile_sort(struct case_paths *p);
void case_paths_free(struct case_paths *p);

#endif
