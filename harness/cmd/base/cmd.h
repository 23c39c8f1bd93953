/* The commands of gcncheck. One table (harness/cmd/base/cmd.def) says what each is called, which
 * options it takes and how it is explained; dispatch, help, the manual page and the shell completion
 * are made from it. A command NAME is one function cmd_NAME in NAME.c of a folder beside this one. It
 * returns an exit code, prints its result on standard output and what went wrong as one line on
 * standard error (harness/line/say.h). */
#ifndef HARNESS_CMD_BASE_CMD_H
#define HARNESS_CMD_BASE_CMD_H

#include "harness/line/say.h"

#include <stdio.h>

/* Makes sure that this process can open the DUT: a mutant is in another program, and a virtual GPU
 * in a library that is loaded before this one; the process then goes on from the beginning of the
 * command line. To be called before anything is printed. In device.c. */
enum status cmd_ready_dut(const struct opts *o, const char *dut, struct err *e);

/* The same for the DUT that a finding names, unless --dut names another. ST_INPUT: it is a program,
 * and nobody said --trust. */
enum status cmd_ready_finding(const struct opts *o, const char *dut, struct err *e);

struct run;
struct run_cfg;

/* Puts into *cfg which cases the options choose (processor, form, opcodes, shard, fraction); the rest
 * of it stays. In cases.c. */
void cmd_choose_cases(const struct opts *o, struct run_cfg *cfg);

/* The folder of gcncheck's own cases, into path: what is installed with this program, or stands in its sources above the
 * build folder; the current folder's `cases` only for a program that has none. False: there are none at all. In cases.c. */
enum { CMD_CASES_PATH = 4096 };
bool cmd_own_cases(char path[CMD_CASES_PATH]);

/* Gives the run the case files that the command line names, or gcncheck's own. In cases.c. */
enum status cmd_add_cases(const struct opts *o, struct run *r, struct err *e);

/* The functions of the table. */
#define COMMAND(name, args, min, max, options, help, text, examples) int cmd_##name(struct opts *o);
#include "harness/cmd/base/cmd.def"
#undef COMMAND

/* Finds out what a finding is like (harness/finding/diagnose.h), on the DUT that shows it or that of
 * --dut (cmd_ready_finding), writes that into its folder and prints it. An exit code. */
int cmd_diagnose_one(const struct opts *o, const char *folder);

#endif
