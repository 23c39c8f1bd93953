/* Inside the assembler: a line of text is read once, independent of the form, into operands and
 * modifiers (asm_scan.c, asm_number.c, asm_value.c, asm_mod.c), then fitted to the forms of its
 * row, shortest first (asm.c). Used by asm*.c only. */
#ifndef ORACLE_INSN_ASM_H
#define ORACLE_INSN_ASM_H

#include "oracle/insn/asm_label.h"
#include "oracle/insn/text.h"

enum { LINE_MAX_CHARS = 400, MODVALS_MAX = 16 };

enum val_type { VAL_REG, VAL_INT, VAL_FLOAT, VAL_OFF, VAL_LABEL };

/* One operand as written. */
struct val {
    u8 type;  /* enum val_type */
    u8 mods;  /* TAKES_ bits written around it */
    u16 code; /* VAL_REG: operand code; its width is dwords, 0 if it has any width */
    u8 dwords;
    u16 at, len; /* its place in the line */
    i64 num;     /* VAL_INT */
    u64 f64;     /* VAL_FLOAT: bits of the double */
};

/* One modifier as written. */
struct modval {
    u8 field;
    u16 at, len;
    i64 value;
};

/* One line being read. The text is a lower-case copy without comments; `original` is for messages
 * and labels. */
struct line {
    char text[LINE_MAX_CHARS + 1];
    const char *original;
    const char *p;
    const struct isa_row *row;
    const char *name; /* of the row, on the generation */
    u8 gen;           /* enum gen */
    u8 op_forms;      /* F_ bits that the mnemonic allows */
    u8 count;         /* operands */
    u8 first; /* the operand of the row that val[0] is: 1 if the row's first one is not there */
    u8 modvals;
    struct val val[OPERANDS_MAX];
    struct modval mod[MODVALS_MAX];
};

static inline bool asm_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool asm_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || asm_is_digit(c) || c == '_' || c == '.' || c == '$';
}
/* Whether n characters of a line are the word, in either case. */
bool asm_same_word(const char *p, size_t n, const char *word);

/* Scanning. All skip spaces first; asm_accept_ functions move on only if they answer true. */
void asm_skip(struct line *l);
bool asm_accept_char(struct line *l, char c);
bool asm_accept_word(struct line *l, const char *word); /* a whole identifier */
size_t asm_word_length(const char *p);                  /* of the identifier at p */
bool asm_accept_integer(struct line *l, i64 *value);    /* with sign; decimal, 0x, 0b, octal */

/* Fails naming the token at p: ST_INPUT "what 'token'". */
enum status asm_fail_at(const struct line *l, const char *p, const char *what, struct err *e);

/* Reads one operand (register, constant, off, |..|, neg(), abs(), sext(), or a name) into *v. */
enum status asm_read_value(struct line *l, struct val *v, struct err *e);

/* Reads an integer or float constant at l->p; no sign is skipped for floats other than a leading
 * '-'. */
enum status asm_read_number(struct line *l, struct val *v, struct err *e);

/* Read sendmsg(...) and gpr_idx(...) as the number they stand for, or a number (asm_special.c). */
enum status asm_read_sendmsg(struct line *l, struct val *v, struct err *e);
enum status asm_read_gpr_idx(struct line *l, struct val *v, struct err *e);
/* swizzle(...), or a number, as the offset of ds_swizzle_b32. */
enum status asm_read_swizzle(struct line *l, i64 *value, struct err *e);
/* attr0.x to attr63.w as 4 * attribute + channel; p10, p20 or p0. */
enum status asm_read_attr(struct line *l, struct val *v, struct err *e);
enum status asm_read_param(struct line *l, struct val *v, struct err *e);

/* Adds a modifier to the line; fails if it is there already. */
enum status asm_add_mod(struct line *l, const char *start, u32 field, i64 value, struct err *e);

/* Reads where an export goes. */
enum status asm_read_export_target(struct line *l, struct val *v, struct err *e);
/* Reads what follows the word "format": names in [] or the number of both parts. */
enum status asm_read_format(struct line *l, const char *start, i64 *value, struct err *e);
/* Reads dfmt:n and nfmt:n before the scalar offset, the older spelling of the format, if they are
 * there. */
enum status asm_read_split_format(struct line *l, struct err *e);

/* Whether the first operand of the row is there or not as a modifier says. */
bool asm_first_is_optional(const struct isa_row *row);
u32 asm_operand_count(const struct isa_row *row);
/* Leaves out the first operand where the modifiers say that it is not there. */
enum status asm_place_operands(struct line *l, struct err *e);
/* Whether an image address may be written with so many registers: how many are read depends on the
 * image. */
bool asm_image_address_fits(const struct isa_row *row, const struct isa_operand *o, u32 dwords);
/* With compr, the first and third operand of an export are the two registers. */
void asm_compress_export(struct insn *in);

/* Reads the modifiers behind the operands. */
enum status asm_read_mods(struct line *l, struct err *e);

/* insn_parse with labels, which may be NULL (asm.c). */
enum status asm_line(const struct isa *isa, const char *text, const struct asm_labels *labels,
                     struct insn *in, struct err *e);

/* The nearest float with `mant` bits of fraction and `exp` of exponent (23 and 8, 52 and 11) to
 * m * 2^e2 (m != 0, with a sticky bit for what lies below), ties to even; overflow gives
 * infinity. */
u64 asm_round_binary(u64 m, bool sticky, i32 e2, u32 mant, u32 exp);

/* The f32 nearest to a double. */
u32 asm_f32_of_f64(u64 bits);
/* The f16 nearest to a double. */
u32 asm_f16_of_f64(u64 bits);

#endif
