/* Code objects that check themselves: thousands of vectors in one amdhsa ELF whose kernel runs each,
 * compares what it leaves with what is right, and writes one line of text into its only buffer:
 *
 *     GCNCHECK 1 gfx900 vop3a cases=4096 pass=4051 fail=45 first=v_perm_b32/e64#17 lane=0 want=00000001 got=00000000
 *
 * Kernel `gcncheck` takes one argument, the address of SELFCHECK_BUFFER_BYTES bytes, and runs in one
 * wave: of other waves only the first does anything. Around each program stand the prologue and the
 * epilogue of harness/drm/wrapper.h; the kernel fills the record that the one loads and compares that
 * which the other stores (driver.c). What lane and value are of: the first difference of the first
 * vector that differs; a scalar register's lane is where it stands in the record. `want` is the lower
 * end of what is right.
 *
 * The buffer holds the line, ended by a zero byte; from byte 512 on, in dwords: the number of vectors
 * run, of those right, of those wrong, the first of those; from SELFCHECK_RESULTS on a dword for each
 * vector, 1 right, 2 wrong.
 *
 * The checking is done by instructions of the device, too. Those that it relies on are the ones in
 * driver.c and in the wrapper; if one of them is wrong, the line is wrong or does not come. */
#ifndef HARNESS_SELFCHECK_SELFCHECK_H
#define HARNESS_SELFCHECK_SELFCHECK_H

#include "harness/vector/vector.h"
#include "oracle/isa/isa.h"

enum {
    SELFCHECK_VERSION = 1,
    SELFCHECK_CASES_MAX = 16384,
    SELFCHECK_CONTROL = 512,
    SELFCHECK_RESULTS = 1024,
    SELFCHECK_IN = SELFCHECK_RESULTS + SELFCHECK_CASES_MAX * 4,
    SELFCHECK_RECORD_BYTES = (514 << 8) + (64 << 10), /* all registers, and LDS */
    SELFCHECK_OUT = SELFCHECK_IN + SELFCHECK_RECORD_BYTES,
    SELFCHECK_BUFFER_BYTES = SELFCHECK_OUT + SELFCHECK_RECORD_BYTES
};

struct selfcheck;

/* `name`: of the set, as the line says it. ST_INPUT: no such processor; ST_WORLD: no memory. */
enum status selfcheck_open(struct selfcheck **out, const char *mcpu, const char *name,
                           struct err *e);
void selfcheck_close(struct selfcheck *s);

/* Adds a vector. ST_INPUT: it cannot be run so, and why (memory, several waves, what depends on where
 * the program lies, another size of LDS than those before). */
enum status selfcheck_add(struct selfcheck *s, const struct gcncheck_vector *v, struct err *why);

u32 selfcheck_count(const struct selfcheck *s);

/* Writes the code object. */
enum status selfcheck_write(struct selfcheck *s, const char *path, bool force, struct err *e);

#endif
