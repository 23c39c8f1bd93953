/* Columns of a row beside its operands and flags: filled from its encoding (enc.def) and its shape
 * (shape.def). */
#ifndef ORACLE_ISA_COLUMN_H
#define ORACLE_ISA_COLUMN_H

#include "oracle/base/base.h"

/* Where it is issued, oracle/isa/unit.def. */
enum isa_unit {
#define UNIT(name, counters, meaning) UNIT_##name,
#include "oracle/isa/unit.def"
#undef UNIT
    UNIT_COUNT
};

/* Counters of s_waitcnt, as bits. */
enum { COUNTS_VM = 1, COUNTS_LGKM = 2, COUNTS_EXP = 4 };

struct isa_unit_info {
    u8 counters; /* COUNTS_ bits */
};
extern const struct isa_unit_info isa_units[UNIT_COUNT];

/* How it addresses memory. */
enum isa_memory {
    MEMORY_NONE,
    MEMORY_SCALAR,
    MEMORY_LDS, /* with gds: GDS */
    MEMORY_FLAT,
    MEMORY_GLOBAL,
    MEMORY_SCRATCH,
    MEMORY_BUFFER,
    MEMORY_IMAGE
};

/* Where control goes after it, oracle/isa/flow.def. */
enum isa_flow {
#define FLOW(name, target, passes, links, meaning) FLOW_##name,
#include "oracle/isa/flow.def"
#undef FLOW
    FLOW_COUNT
};
enum isa_flow_target {
    TARGET_NONE,
    TARGET_DISTANCE,
    TARGET_REGISTER,
    TARGET_STACK,
    TARGET_HANDLER
};

struct isa_flow_info {
    u8 target;   /* enum isa_flow_target */
    bool passes; /* may go on with the next instruction */
    bool links;  /* writes the next instruction's address to its destination */
};
extern const struct isa_flow_info isa_flows[FLOW_COUNT];

/* What M0 is to an instruction that does not name it. Rows without an address in LDS, GDS and loads
 * into LDS read it besides as their base, which their operands and bits tell. */
enum isa_m0 {
    M0_NOTHING,
    M0_SOURCE,   /* added to the number of the source register */
    M0_DEST,     /* added to the number of the destination */
    M0_ADDRESS,  /* part of an address in LDS */
    M0_MESSAGE,  /* sent along */
    M0_INDEX_ON, /* turns indexing of vector registers on, and writes index and switches to M0 */
    M0_INDEX,    /* writes the index or the switches to M0 */
    M0_INDEX_OFF /* turns indexing off; M0 stays */
};

#endif
