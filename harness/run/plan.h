/* What a run consists of, between planning it and running it. */
#ifndef HARNESS_RUN_PLAN_H
#define HARNESS_RUN_PLAN_H

#include "harness/run/internal.h"
#include "oracle/state/effects.h"

struct run {
    struct run_cfg cfg;
    struct isa isa;
    u64 results, offered;
    bool has_opened; /* cfg.opened was called */
    bool has_lines;  /* of some file only what stands at a line */
    u32 files, files_cap;
    u32 programs, programs_cap;
    u32 units, units_cap;
    struct casefile **file;
    u64 *file_key;    /* of each: a hash of folder and stem */
    u32 *slot, slots; /* hash by these: index + 1; at most half of them are taken */
    struct run_program **program;
    struct run_unit *unit;
    struct case_program *scratch;        /* too large for a stack */
    u32 skip_unit, skip_results;         /* obtained before: whole units, and results of the next */
    bool skip_differs;                   /* one of those of the next differs */
    const struct casefile *localised_in; /* the file of the last unit that differed: as units are */
    u32 localised;                       /* handed over in order; units of it that did so far */
    struct result *skipped;              /* of that one, as run_describe gives them; NULL: none */
};

/* "e64"; "text" for code that must be refused, "base" for what is skipped without being
 * assembled. */
const char *run_form(const struct run_unit *u);

/* The second part of an id: the encoding of the file's opcode, else its folder. */
void run_folder(const struct isa *isa, const struct casefile *f, char *buf, size_t size);

/* The frozen id of the unit's row or case `index`. */
void run_id(const struct run_unit *u, u32 index, char *buf, size_t size);

#endif
