/* printf of LLVM's libc for GPUs: the program sends the format, is told how many bytes its arguments
 * have and sends them; strings among them are asked for one by one, the last one first. */
#include "harness/launch/host/print.h"
#include "harness/launch/host/rpc_internal.h"

#include <stdlib.h>

enum { STRINGS_MAX = 64 };

/* What a lane prints. */
struct rpc_line {
    u64 string[STRINGS_MAX]; /* addresses in the program: 0 is a null pointer */
    u8 *text[STRINGS_MAX];
    u32 strings, asked; /* from the end */
};

struct rpc_print {
    bool has_format, has_arguments;
    u64 asks; /* lanes of which a string is on its way */
    struct rpc_piece arguments, text;
    struct rpc_line line[LANES];
};

void rpc_print_close(struct rpc_print *print)
{
    if (!print)
        return;
    for (u32 i = 0; i < LANES; i++)
        for (u32 k = 0; k < print->line[i].strings; k++)
            free(print->line[i].text[k]);
    rpc_piece_close(&print->arguments);
    rpc_piece_close(&print->text);
    free(print);
}

/* --- formats --- */

/* Where the reading of a format stands. */
struct rpc_format {
    const char *at;
    bool is_inside; /* a conversion, behind a width or precision that is an argument */
};

/* How many bytes the next argument has (0: there is none), and whether it is a string. */
static u32 next_argument(struct rpc_format *f, bool *is_string)
{
    bool is_long = false;
    while (!f->is_inside && *f->at && (*f->at != '%' || f->at[1] == '%'))
        f->at += *f->at == '%' ? 2 : 1;
    f->at += !f->is_inside && *f->at;
    f->at += strspn(f->at, "-+ #0123456789.");
    f->is_inside = *f->at == '*';
    *is_string = false;
    if (f->is_inside) {
        f->at++;
        return 4;
    }
    while (*f->at && strchr("hljzt", *f->at))
        is_long |= *f->at++ != 'h';
    if (!*f->at)
        return 0;
    *is_string = *f->at == 's';
    return strchr("fFeEgGaAspn", *f->at++) || is_long ? 8 : 4;
}

static struct rpc_format format_of(const struct rpc_port *p, u32 lane)
{
    return (struct rpc_format){ .at = (const char *)p->piece.bytes[lane] };
}

/* Where an argument stands: aligned to its size, or just behind the one before. */
static u64 place(const struct rpc_port *p, u64 at, u32 size)
{
    return p->opcode >= RPC_PRINTF_TO_STDOUT_PACKED ? at : (at + size - 1) / size * size;
}

static u64 arguments_size(const struct rpc_port *p, u32 lane)
{
    struct rpc_format f = format_of(p, lane);
    bool is_string;
    u64 at = 0;
    for (u32 size; (size = next_argument(&f, &is_string));)
        at = place(p, at, size) + size;
    return at;
}

/* --- strings --- */

static bool find_strings(const struct rpc_port *p, u32 lane, struct rpc_line *line)
{
    struct rpc_format f = format_of(p, lane);
    bool is_string;
    u64 at = 0;
    for (u32 size; (size = next_argument(&f, &is_string)); at += size) {
        at = place(p, at, size);
        if (is_string && line->strings == STRINGS_MAX)
            return false;
        if (is_string)
            memcpy(&line->string[line->strings++], p->print->arguments.bytes[lane] + at, size);
    }
    line->asked = line->strings;
    return true;
}

/* Puts the address of each lane's next string into its packet; false if there is none. */
static bool ask_strings(const struct rpc_port *p)
{
    struct rpc_print *print = p->print;
    print->asks = 0;
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        struct rpc_line *line = &print->line[lane];
        while (line->asked && !line->string[line->asked - 1])
            line->asked--;
        p->packet[lane][0] = 0;
        p->packet[lane][1] = line->asked ? line->string[--line->asked] : 0;
        print->asks |= (u64)(p->packet[lane][1] != 0) << lane;
    }
    return print->asks != 0;
}

static void keep_strings(struct rpc_print *print)
{
    for (u64 left = print->asks; left; left &= left - 1) {
        u32 lane = ctz64(left);
        print->line[lane].text[print->line[lane].asked] = print->text.bytes[lane];
        print->text.bytes[lane] = NULL;
    }
    rpc_piece_close(&print->text);
}

/* --- printing --- */

static const char *string_at(const struct rpc_line *line, u32 index)
{
    return line->text[index] ? (const char *)line->text[index] : "(null)";
}

/* Writes the arguments as HIP's printf has them, 8 bytes each and strings among them. Answers how
 * many bytes that is; `to` may be NULL. */
static size_t spread(const struct rpc_port *p, u32 lane, u8 *to)
{
    const struct rpc_print *print = p->print;
    struct rpc_format f = format_of(p, lane);
    bool is_string;
    u64 at = 0, out = 0;
    u32 strings = 0;
    for (u32 size; (size = next_argument(&f, &is_string)); at += size) {
        const void *from = print->arguments.bytes[lane] + (at = place(p, at, size));
        size_t len = size, room = 8;
        if (is_string) {
            from = string_at(&print->line[lane], strings++);
            len = strlen(from);
            room = (len + 8) / 8 * 8;
        }
        if (to) {
            memset(to + out, 0, room);
            memcpy(to + out, from, len);
        }
        out += room;
    }
    return out;
}

/* Answers the characters, or -1. */
static int print_lane(const struct rpc *r, const struct rpc_port *p, u32 lane)
{
    size_t size = spread(p, lane, NULL);
    u8 *bytes = malloc(size + 1);
    struct print_args args = { .at = bytes, .size = size, .is_wide = true };
    if (!bytes)
        return -1;
    spread(p, lane, bytes);
    int n = print_formatted(rpc_text(r, p->count >> lane & 1), (const char *)p->piece.bytes[lane],
                            &args);
    free(bytes);
    return n;
}

static enum rpc_answer print_lanes(const struct rpc *r, const struct rpc_port *p)
{
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        p->packet[lane][0] = (u64)(i64)print_lane(r, p, lane);
        p->packet[lane][1] = 0;
    }
    return RPC_DONE;
}

/* The format is there: how many bytes of arguments each lane has to send. */
static enum rpc_answer ask_arguments(const struct rpc_port *p)
{
    p->print->has_format = true;
    for (u64 left = p->lanes; left; left &= left - 1)
        p->packet[ctz64(left)][0] = arguments_size(p, ctz64(left));
    return RPC_MORE;
}

static enum rpc_answer take_arguments(struct rpc *r, const struct rpc_port *p)
{
    p->print->has_arguments = true;
    for (u64 left = p->lanes; left; left &= left - 1) {
        u32 lane = ctz64(left);
        if (p->print->arguments.size[lane] < arguments_size(p, lane) ||
            !find_strings(p, lane, &p->print->line[lane]))
            return rpc_refuse(r,
                              "printf: arguments that do not fit the format, or more than %d "
                              "strings",
                              STRINGS_MAX);
    }
    return ask_strings(p) ? RPC_MORE : print_lanes(r, p);
}

enum rpc_answer rpc_print(struct rpc *r, struct rpc_port *p)
{
    bool is_stream = p->opcode == RPC_PRINTF_TO_STREAM || p->opcode == RPC_PRINTF_TO_STREAM_PACKED;
    if (is_stream && p->step == 0)
        return rpc_take_streams(r, p);
    if (!p->print && !(p->print = calloc(1, sizeof *p->print)))
        return rpc_refuse(r, "out of memory");
    if (p->opcode == RPC_PRINTF_TO_STDERR || p->opcode == RPC_PRINTF_TO_STDERR_PACKED)
        p->count = p->lanes;
    struct rpc_print *print = p->print;
    struct rpc_piece *piece = !print->has_format      ? &p->piece
                              : !print->has_arguments ? &print->arguments
                                                      : &print->text;
    enum rpc_answer got = rpc_take(r, p, piece, print->has_arguments ? print->asks : p->lanes);
    if (got != RPC_DONE)
        return got;
    if (!print->has_format)
        return ask_arguments(p);
    if (!print->has_arguments)
        return take_arguments(r, p);
    keep_strings(print);
    return ask_strings(p) ? RPC_MORE : print_lanes(r, p);
}
