/* The machine of a self test: gfx900 mostly and the reference engine, and programs for it as
 * text. What cannot be opened or assembled ends the test. */
#ifndef HARNESS_T_LIB_MACHINE_H
#define HARNESS_T_LIB_MACHINE_H

#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"
#include "oracle/insn/insn.h"

static struct isa isa;
static struct engine engine;
static struct machine *m;

static inline void machine_must_open_on(const char *mcpu, const struct machine_cfg *cfg)
{
    struct err e = { .text = "" };
    if (isa_open(&isa, mcpu, &e) != ST_OK || engine_open(&engine, "ref", &e) != ST_OK ||
        machine_open(&m, &isa, &engine, cfg, &e) != ST_OK)
        bail("%s", e.text);
}

static inline void machine_must_open(const struct machine_cfg *cfg)
{
    machine_must_open_on("gfx900", cfg);
}

/* A program of at most 512 dwords, at PC_DEFAULT. The waves are not reset. */
static inline void machine_must_load(const char *text)
{
    u32 code[512], n;
    struct err e = { .text = "" };
    if (insn_parse_program(&isa, text, code, COUNT_OF(code), &n, &e) != ST_OK ||
        machine_load(m, code, n, PC_DEFAULT, &e) != ST_OK)
        bail("%s: %s", text, e.text);
}

#endif
