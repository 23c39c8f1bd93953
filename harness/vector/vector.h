/* Vectors: tests with what is expected of them as data, for people who do not run gcncheck. What one
 * holds is explained at the head of harness/sdk/gcncheck_vectors.h, which reads and judges them here,
 * too; the members of its record are listed in schema.def. This folder makes records (build.c), turns
 * them into JSON and back (json.c), and keeps them in files (file.c, read.c). Directed cases become vectors
 * in harness/run/vector.c, steps of random programs in harness/campaign/vector.c. */
#ifndef HARNESS_VECTOR_VECTOR_H
#define HARNESS_VECTOR_VECTOR_H

#include "harness/dut/job.h"
#include "harness/sdk/gcncheck_vectors.h"
#include "oracle/accept/tolerance.h"

/* The bytes of a vector's record and, in a recording, of its answer (else NULL). */
struct vector_record {
    const u8 *bytes;
    size_t size;
    const u8 *answer;
    size_t answer_size;
};

/* ---- build.c: making one ---- */

/* Texts may be NULL: then the member is left out. */
struct vector_about {
    const char *encoding, *mnemonic, *form;
    const char *mcpu;
    u32 number;         /* of those of its opcode and form, from 1 */
    const char *text;   /* the program as assembly, without s_endpgm */
    const char *from;   /* "cases/vop2/v_add_u32.case:12", "seed 1, stream 3, step 7" */
    const char *source; /* who says what is expected: "case", "model" */
    const char *reject; /* the code must be refused, for this reason: there is no job */
    bool by_lane;       /* row i is lane i */
};

struct vector_build;
struct vector_build *vector_build_new(void); /* NULL: no memory */
void vector_build_free(struct vector_build *b);

/* Starts a vector. The texts and the job, whose `get` is ignored, must outlive it. At first every
 * place stays as it is, and none is compared. */
void vector_begin(struct vector_build *b, const struct vector_about *about,
                  const struct gcncheck_job *job);

/* Gives other texts to the vector at hand, before it is finished. */
void vector_describe(struct vector_build *b, const struct vector_about *about);

/* Adds a row; `errata` are ids of the ledger, separated by blanks. The first is the vector's id. */
void vector_row(struct vector_build *b, const char *id, const char *from, const char *errata);

/* Compares a place in all waves. */
void vector_check(struct vector_build *b, u32 place);

/* At the end the bits of `mask` are those of `want`, in a lane (0 for scalars); others are not
 * compared. */
void vector_want(struct vector_build *b, u32 wave, u32 place, u32 lane, u32 want, u32 mask);

/* The same for bit `bit` of a register pair that is a mask of lanes. */
void vector_want_bit(struct vector_build *b, u32 wave, u32 pair, u32 bit, bool want,
                     bool is_compared);

/* The same for bytes of window number `memory` (the number of windows: LDS). */
void vector_want_bytes(struct vector_build *b, u32 memory, u32 at, u32 count, const u8 *want,
                       bool is_compared);

enum { VECTOR_RANGES = 16, VECTOR_RANGE_DW = 5 };

/* Ranges of numbers of `dw` dwords, both ends included. */
struct vector_accept {
    u32 wave, place, lane; /* place GCNCHECK_VECTOR_MEMORY: `memory` and `at` */
    u32 memory, at;        /* a multiple of 4 */
    char rule[32];         /* for people: "ulp:1" */
    u32 dw, count;
    u32 mask[VECTOR_RANGE_DW];
    u32 lo[VECTOR_RANGES][VECTOR_RANGE_DW], hi[VECTOR_RANGES][VECTOR_RANGE_DW];
};

/* What else would compare these bits is the caller's to switch off. */
void vector_accept(struct vector_build *b, const struct vector_accept *a);

/* The finished record, which lives until the next begins. ST_WORLD: memory ran out on the way. */
enum status vector_finish(struct vector_build *b, struct vector_record *r, struct err *e);

/* ---- range.c: ranges of an acceptance ---- */

/* Each adds to *a, whose dw is set. `bits` (16, 32, 64) are those of a float in the low bits of
 * `whole`, whose other bits are as they are there. */
void vector_range_one(struct vector_accept *a, const u32 *value);
void vector_range(struct vector_accept *a, u32 bits, u64 whole, u64 lo, u64 hi);
void vector_range_nans(struct vector_accept *a, u32 bits, u64 whole, bool quiet);
/* So many numbers of the same sign beside a finite one that is not zero. */
void vector_range_ulps(struct vector_accept *a, u32 bits, u64 whole, u32 ulps);
void vector_range_near(struct vector_accept *a, u32 bits, u64 whole, const struct tolerance *t);

/* ---- answer.c: running one ---- */

/* The vector as a job that lives in jb: everything of `check` for which `can` (a bool for each place)
 * holds is read back. NULL if memory is short. `mcpu` must outlive it. */
struct gcncheck_job *vector_job(const struct gcncheck_vector *v, const char *mcpu, const bool *can,
                                struct jobbuf *jb);

/* Packs what became of that job as the answer of *r; it lives in the builder, which is used for it,
 * until that is used again. */
enum status vector_answer(struct vector_build *b, const struct gcncheck_vector *v,
                          const struct gcncheck_job *job, const bool *can, struct vector_record *r,
                          struct err *e);

/* ---- json.c ---- */

/* Prints a vector, and its answer if it has one, as a JSON object whose first line is indented by
 * the caller. */
void vector_print_json(FILE *out, const struct vector_record *r);

/* ---- file.c ---- */

struct vector_head {
    char generator[32]; /* "gcncheck 0.1" */
    char mcpu[32];
    char dut[128]; /* of a recording: what was recorded; else empty */
};

struct vector_writer;

/* Whether an encoding, a mnemonic or a form is one: it becomes part of a file's name, in which nothing
 * may lead elsewhere. */
bool vector_is_name(struct gcncheck_text t);

/* A folder of JSON files, one for each opcode and form, or a binary file. ST_INPUT:
 * a file of that name holds something else, and `force` is not set; ST_WORLD: it cannot be
 * written. On ST_OK the caller closes it. */
enum status vector_writer_open(struct vector_writer **w, bool is_json, const char *path, bool force,
                               const struct vector_head *head, struct err *e);
/* Vectors of one opcode and form must stand together (ST_INPUT). */
enum status vector_writer_add(struct vector_writer *w, const struct vector_record *r,
                              const struct gcncheck_vector *v, struct err *e);
/* Writes what is still to be written, unless `is_broken`, and frees it. */
enum status vector_writer_close(struct vector_writer *w, bool is_broken, struct err *e);

struct vector_reader;

/* A binary file, a JSON file, or a folder of such. ST_INPUT: it is none. */
enum status vector_reader_open(struct vector_reader **rd, const char *path, struct err *e);
const struct vector_head *vector_reader_head(const struct vector_reader *rd);
/* The next vector; *v is the reader's and NULL at the end. ST_INPUT: what stands there is no vector,
 * or has another content than its hash says; *e says where. */
enum status vector_reader_next(struct vector_reader *rd, struct vector_record *r,
                               const struct gcncheck_vector **v, const struct gcncheck_answer **a,
                               struct err *e);
void vector_reader_close(struct vector_reader *rd);

#endif
