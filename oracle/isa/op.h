/* The opcodes by name: OP_v_add_u32 is the place of its row in isa_rows. For
 * files that name one. */
#ifndef ORACLE_ISA_OP_H
#define ORACLE_ISA_OP_H

#include "oracle/isa/isa.h"

enum {
    OP_BEFORE_FIRST = OP_NONE,
#define OP(op, shape, numbers, flags, ...)  OP_##op,
#define OPF(op, shape, numbers, flags, ...) OP_##op,
#define OPM(op, shape, numbers, flags, ...) OP_##op,
#define OPW(op, shape, numbers, flags, ...) OP_##op,
#define OPP(op, shape, numbers, flags, ...) OP_##op,
#define OPD(op, shape, numbers, flags)      OP_##op,
#include "oracle/isa/ops.def"
    OP_COUNT
};

#endif
