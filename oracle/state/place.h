/* The names of what a wave holds: s4, v[4:7], v4.lane3, ttmp0, vcc, exec_lo, scc, mode, pc. Case
 * files, eval, lint, launch and findings all parse and print them here.
 * The names come from oracle/isa/reg.def. Each function is told the generation whose names are meant:
 * trap temporaries and the address of the trap handler stand elsewhere before gfx9. */
#ifndef ORACLE_STATE_PLACE_H
#define ORACLE_STATE_PLACE_H

#include "oracle/state/state.h"

enum { PLACE_DW_MAX = 4, PLACE_NAME_MAX = 24 };

/* Whose names formats have that mean every processor: vectors. */
#define PLACE_GEN GEN_GFX9

/* Consecutive registers, as one name says them. */
struct place_range {
    u16 place; /* the first: enum place, or an operand code below it */
    u8 dw;     /* registers, 1 to PLACE_DW_MAX */
    i8 lane;   /* of vector registers: the one meant, or -1: all */
};

static inline bool place_is_vector(u32 place)
{
    return place >= PLACE_V0 && place < PLACE_SCC;
}

static inline bool place_is_pc(u32 place)
{
    return place == PLACE_PC_LO || place == PLACE_PC_HI;
}

/* Reads a name of `len` bytes: s4 s[4] s[4:7] v4 v4.lane3 v[4:7].lane3 a7 ttmp2, and the names of
 * reg.def. Accumulation registers are read whether or not a processor has them. ST_INPUT leaves in
 * *why what is wrong with the register, or NULL if the text does not look like a register. */
enum status place_parse(enum gen gen, const char *s, size_t len, struct place_range *p,
                        const char **why);

/* Adds the name that place_parse reads as this range; place_print({106, 2}) is "vcc". "place 125"
 * where there is no register. */
void place_print(enum gen gen, struct text *t, const struct place_range *p);

/* The name of one register in buf, which it returns; of two, by the first. */
const char *place_name(enum gen gen, u32 place, char buf[PLACE_NAME_MAX]);
const char *place_pair_name(enum gen gen, u32 place, char buf[PLACE_NAME_MAX]);

#endif
