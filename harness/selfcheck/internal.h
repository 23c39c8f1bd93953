/* What the files of harness/selfcheck share. */
#ifndef HARNESS_SELFCHECK_INTERNAL_H
#define HARNESS_SELFCHECK_INTERNAL_H

#include "harness/drm/wrapper.h"
#include "harness/selfcheck/selfcheck.h"

/* Bytes that grow. */
struct heap {
    u8 *bytes;
    u32 size, cap;
};

/* Adds bytes, at a multiple of `align`, and gives where they are. ST_WORLD: no memory. */
enum status selfcheck_heap_add(struct heap *h, const void *bytes, u32 size, u32 align, u32 *at,
                               struct err *e);

/* What the kernel is told of a vector: 16 dwords. Offsets are of the data. */
enum selfcheck_entry {
    ENTRY_PROLOGUE, /* from the data's first byte */
    ENTRY_PROGRAM,  /* what the prologue jumps to, in the same way */
    ENTRY_ALL_ROWS,
    ENTRY_LDS_ROWS,
    ENTRY_ROWS, /* pairs: byte in the buffer, data */
    ENTRY_ROW_COUNT,
    ENTRY_CHECKS, /* struct selfcheck_check each */
    ENTRY_CHECK_COUNT,
    ENTRY_LDS_FILL,
    ENTRY_NAME,
    ENTRY_NAME_LEN,
    ENTRY_GROUPS = 12, /* rows of the record that name their register: pairs, as in the record */
    ENTRY_DW = 16
};

enum selfcheck_kind { CHECK_MASK, CHECK_RANGE, CHECK_RANGE_64 };

/* How a row, or two, of the record is compared. */
struct selfcheck_check {
    u32 kind;
    u32 out, in; /* bytes in the buffer: the row, and the same at the start */
    u32 mask;    /* data: a row, or two */
    u32 data;    /* what is right: a row; of ranges, ends of each */
    u32 count;   /* ranges */
    u32 unused[2];
};

/* What the kernel's text depends on; bytes from the data's first. */
struct selfcheck_driver {
    u32 cases, table;
    u32 strings[6], string_len[6]; /* the parts of the line */
    u32 text;                      /* of the kernel's first instruction */
    u32 format;                    /* the last dword of a buffer of rows */
};

enum { DRIVER_DW = 1024, RETURN_DW = 5 };

/* Assembles the kernel; *resume is the dword at which it goes on after a vector. */
enum status driver_make(const struct isa *isa, const struct selfcheck_driver *d, u32 *code, u32 *dw,
                        u32 *resume, struct err *e);

/* RETURN_DW dwords that go there from the end of an epilogue; the second is the literal to be set to
 * the distance from the first to `resume`, in bytes, less 4. */
enum status driver_return(const struct isa *isa, u32 *code, struct err *e);

struct elf_parts {
    const char *mcpu;
    const u8 *data;
    u32 data_size;
    const u8 *text;
    u32 text_size;
    u32 lds;       /* bytes */
    bool has_accs; /* they are used */
    enum gen gen;
};

/* Where data and text are, before they are there. */
u32 elf_data_to_text(u32 data_size);

/* Writes an ELF of one kernel, whose first instruction is that of the text. `force`: as of
 * struct output_rule. */
enum status elf_write(const struct elf_parts *p, const char *path, bool force, struct err *e);

#endif
