/* The kinds of DUT as dut_open sees them (harness/dut/kinds.def), and their constructors. Only the
 * files of this folder include it. */
#ifndef HARNESS_DUT_INTERNAL_H
#define HARNESS_DUT_INTERNAL_H

#include "harness/dut/dut.h"

/* How what follows the colon depends on the current folder; if it does, it names a program. */
enum dut_folder {
    DUT_FOLDER_NONE,
    DUT_FOLDER_FILE,   /* it is a file's name */
    DUT_FOLDER_COMMAND /* a command, which may name files anywhere in it */
};

/* A constructor: `rest` is what follows the colon, NULL if there is none; where the kind needs
 * something it is not empty. It fills ops, name, version and can of
 * *out. ST_INPUT and ST_WORLD as dut_open. */
typedef enum status dut_open_fn(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                                struct err *e);

struct dut_kind {
    const char *prefix, *spellings, *needs;
    bool is_exact;
    u8 folder; /* enum dut_folder */
    dut_open_fn *open;
};

/* The kind of a DUT, or NULL if there is none of that name. *rest: what follows the colon; NULL if
 * there is none. */
const struct dut_kind *dut_kind_find(const char *spec, const char **rest);

#define KIND(prefix, spellings, needs, exact, folder) dut_open_fn dut_##prefix##_open;
#include "harness/dut/kinds.def"
#undef KIND

#endif
