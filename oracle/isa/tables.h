/* The laws of the tables: what a compiler cannot see of rows. `make` holds the rows to them before
 * it links the program (harness/t/oracle/check_tables.c). */
#ifndef ORACLE_ISA_TABLES_H
#define ORACLE_ISA_TABLES_H

#include "oracle/isa/isa.h"

/* Where a row stands. */
struct isa_place {
    const char *file;
    u32 line;
};

/* Holds rows[1] to rows[count - 1] to every law: a row has forms, a processor that has it, fields
 * for its operands and a number that fits; no two rows have one name, or one number on one
 * processor. ST_INPUT for the first that is broken: of two rows with one number, e names both and
 * lists the numbers that are free. places: of each row, for the message; NULL: left out. */
enum status isa_check_rows(const struct isa_row *rows, const struct isa_place *places, u32 count,
                           struct err *e);

#endif
