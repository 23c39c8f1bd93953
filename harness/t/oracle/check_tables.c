/* A step of the build: the rows keep the laws of oracle/isa/tables.h, or the program is not
 * linked. */
#include "oracle/isa/op.h"
#include "oracle/isa/tables.h"

#include <stdio.h>

static struct isa_place places[OP_COUNT] = {
#define OP(op, shape, numbers, flags, ...) [OP_##op] = { __FILE__, __LINE__ },
#define OPF                                OP
#define OPM                                OP
#define OPP                                OP
#define OPW                                OP
#define OPD(op, shape, numbers, flags)     [OP_##op] = { __FILE__, __LINE__ },
#include "oracle/isa/ops.def"
};

int main(void)
{
    struct err e = { .text = "" };
    for (u32 op = 1; op < isa_op_count; op++)
        if (strncmp(places[op].file, "./", 2) == 0) /* from -I. */
            places[op].file += 2;
    if (isa_check_rows(isa_rows, places, isa_op_count, &e) == ST_OK)
        return 0;
    if (e.file[0])
        fprintf(stderr, "%s:%d: ", e.file, e.line);
    fprintf(stderr, "%s\n", e.text);
    return 1;
}
