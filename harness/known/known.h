/* Failures that are known: what a run that is green in spite of them looks up, and how the file that
 * lists them is kept up to date. A failure is named by its cause (opcode, form and what differs, as
 * runs and campaigns print it), never by a seed; or, in a file of deqp-runner, by the id of its case.
 *
 * The file of known failures:
 *
 *     known-format 1
 *     # a comment
 *     v_bfe_u32 e64: vgpr
 *         until 2027-03-31
 *         by run fuzz
 *         the field may reach past bit 31 (ticket 12)
 *
 * A line that is not indented is a cause, in which `*`, `?` and `[...]` stand for what they do in a
 * shell. The lines below it are indented: its reason, which there must be; the last day on which it
 * is known (UTC); and which of the commands show it, where not both do.
 *
 * The files of deqp-runner, taken where the first line is another one: NAME,STATUS lines of expected
 * failures (--known, its --baseline), where NAME is the id of a case or a cause; and lists of regular
 * expressions, one a line, of cases that are not run (--skips) or may fail (--flakes). They are
 * extended expressions of POSIX and match anywhere in an id. `#` begins a comment line. */
#ifndef HARNESS_KNOWN_KNOWN_H
#define HARNESS_KNOWN_KNOWN_H

#include "reports/result.h"

/* The commands that know known failures; a bit each. */
enum known_command { KNOWN_RUN = 1, KNOWN_FUZZ = 2, KNOWN_COMMANDS = 2 };

/* Texts are the caller's and outlive what is opened; NULL: none. */
struct known_cfg {
    const char *file;
    bool update; /* it will be written (known_update), and need not exist */
    const char *skips, *flakes;
    enum known_command command; /* that asks */
};

struct known;

/* Reads the files. ST_INPUT with file and line of what is wrong. On ST_OK the caller closes it. */
enum status known_open(struct known **out, const struct known_cfg *cfg, struct err *e);
void known_close(struct known *k); /* NULL is allowed */

/* The reason of results that --skips leaves out. */
#define KNOWN_SKIPPED "skip-list"

/* Says a line for every entry whose cause can never come: no processor has such an opcode, or the
 * opcode no such form. */
typedef void known_say_fn(void *arg, const char *text);
void known_check(const struct known *k, known_say_fn *say, void *arg);

/* Whether --skips names the case. From any thread. */
bool known_skips(const struct known *k, const char *id);

/* Takes over a result: one that is not ok and known becomes RESULT_KNOWN, with the reason. False: no
 * memory. One thread at a time. */
bool known_take(struct known *k, struct result *r);

/* Why a cause is known, or NULL if it is not. Valid as long as *k. One thread at a time, since it keeps
 * what it has looked up. */
const char *known_reason(struct known *k, const char *cause);

/* Takes over a cause of `seen` failures that is no result, the first of them in `first` (for the
 * file). Answers whether it is known. */
bool known_take_cause(struct known *k, const char *cause, const char *first, u64 seen);

/* Says that instructions of this opcode and form were judged, so that causes in them could show. */
bool known_judged(struct known *k, const char *mnemonic, const char *form);

/* How much there is to say at the end. */
struct known_ends {
    u64 unfired; /* entries that could have shown and did not */
    u64 expired; /* entries whose day is over and that still show */
};

/* Says a line each for every entry that no longer shows, though it could have, and for every one that
 * does though its day is over. `whole`: every case of an opcode and form that was judged was run;
 * else only entries that name a case are said not to show. */
void known_warn(const struct known *k, bool whole, known_say_fn *say, void *arg,
                struct known_ends *ends);

/* Whether known_update could write the file now; the errors are its own. */
enum status known_may_update(const struct known *k, struct err *e);

/* Writes the file again: without what no longer shows (but for campaigns: what is rare may show another
 * day), with what is new; all else stays as it is,
 * byte for byte. A new file whose name ends in .csv or .txt is one of deqp-runner. *added counts
 * new entries, *dropped those that are gone. ST_INPUT, ST_WORLD: as output_write; nothing was
 * changed. */
enum status known_update(const struct known *k, bool whole, u32 *added, u32 *dropped,
                         struct err *e);

#endif
