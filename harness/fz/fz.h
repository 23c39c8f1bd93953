/* Fuzz targets for what reads bytes from outside, run by AFL++ (persistent mode, the test case in
 * shared memory): `make fuzz-parsers`. A target is one file fz_NAME.c with fz_one(), in the folder of
 * where its input comes from: file/, live/ (others, while a command runs), word/ (people, and programs
 * as text or numbers); fz.c has the rest. Besides not crashing, each input must keep the laws that the target states; a law that is
 * broken aborts.
 *
 *   build/afl/fz_NAME FILE...     runs each file once and says so; for what AFL++ found
 *
 *   build/fz_inputs NAME FILE...  the same without AFL++, for inputs that are kept (inputs/NAME)
 *
 * Compiled with -DFZ_PLANT a target aborts on some inputs that it accepts, for the test that
 * crashes are seen at all. */
#ifndef HARNESS_FZ_FZ_H
#define HARNESS_FZ_FZ_H

#include "oracle/base/base.h"
#include "oracle/isa/isa.h"

#include <stdio.h>

/* Where a program holds several targets, each has these two under a name of its own. */
#ifdef FZ_NAME
#define FZ_JOIN_NOW(a, b) a##_##b
#define FZ_JOIN(a, b)     FZ_JOIN_NOW(a, b)
#define fz_one            FZ_JOIN(FZ_NAME, fz_one)
#define fz_open           FZ_JOIN(FZ_NAME, fz_open)
#endif

/* Runs one input, which may not be changed. Answers whether any of it was accepted. */
bool fz_one(const u8 *data, size_t size);

/* Called once before the first input. */
void fz_open(void);

/* Prints why and aborts. */
void fz_broken(const char *law, const char *text) __attribute__((noreturn));

/* Opens a processor, or ends the target. */
void fz_open_isa(struct isa *isa, const char *mcpu);

/* Opens every listed processor, and the one of them that a byte of the input chooses. */
void fz_open_isas(void);
const struct isa *fz_isa(u8 which);

/* A file that takes everything and keeps nothing. */
FILE *fz_sink(void);

/* The path of a file in memory that holds these bytes, until the next call; its name has no
 * extension. */
const char *fz_file(const u8 *data, size_t size);

/* Goes into the folder FZ_FOLDER, for targets that need files with names. */
void fz_open_folder(void);

/* A message of a failure must be one line of printable text. */
void fz_check_message(const struct err *e);

#endif
