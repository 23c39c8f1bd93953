/* The debugger led by lines of text: one command each, from a file or standard input. */
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "harness/io/number.h"
#include "harness/io/stop.h"
#include "harness/launch/debug/internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WORDS_MAX = 16, LINE_MAX_BYTES = 1024, COUNT_MAX = 65536 };

struct front {
    struct lines lines;
    char *path;
    u64 wrong;   /* commands */
    bool is_cut; /* they cannot be read to their end */
};

/* The words of a line, and what they are to do. */
struct call {
    struct debugger *g;
    const char *word[WORDS_MAX];
    u32 words;
    struct err *e;
    bool goes_on; /* no further command before the next stop */
};

/* Each returns ST_INPUT with the reason if its words are wrong. */
typedef enum status command_fn(struct call *c);

/* Word `i` as a number from `min` on, or `other` where it is left out. */
static enum status number(struct call *c, u32 i, u64 min, u64 other, u64 *value)
{
    *value = other;
    if (i >= c->words || number_u64(c->word[i], min, COUNT_MAX, value))
        return ST_OK;
    return err_set(c->e, ST_INPUT, "%.40s: not a number from %" PRIu64 " to %d", c->word[i], min,
                   COUNT_MAX);
}

static enum status add(struct call *c, struct debug_point *p, u32 limits)
{
    const struct debug_point *added;
    enum status st =
        debug_parse_limits(&c->word[limits], c->words > limits ? c->words - limits : 0, p, c->e);
    if (st != ST_OK)
        return st;
    added = debug_add(c->g, p);
    if (!added)
        return err_set(c->e, ST_INPUT, "there are %d points already", DEBUG_POINTS_MAX);
    debug_show_point(c->g, added);
    return ST_OK;
}

static enum status do_break(struct call *c)
{
    struct debug_point p = { 0 };
    enum status st = debug_parse_code(c->g, c->word[1], &p, c->e);
    return st == ST_OK ? add(c, &p, 2) : st;
}

/* A register, or a place in memory and how many bytes. */
static enum status watch(struct call *c, bool read, bool write)
{
    struct debug_point p = { .kind = DEBUG_REGISTER, .read = read, .write = write };
    struct err other;
    if (debug_parse_register(c->g, c->word[1], &p.reg, &other) == ST_OK)
        return add(c, &p, 2);
    p.kind = DEBUG_MEMORY;
    enum status st = debug_parse_memory(c->g, c->word[1], &p.address, c->e);
    if (st != ST_OK)
        return st;
    u32 limits = c->words > 2 && number_u64(c->word[2], 1, UINT32_MAX, &p.size) ? 3 : 2;
    p.size = limits == 3 ? p.size : 4;
    return add(c, &p, limits);
}

static enum status do_watch(struct call *c)
{
    return watch(c, false, true);
}

static enum status do_rwatch(struct call *c)
{
    return watch(c, true, false);
}

static enum status do_awatch(struct call *c)
{
    return watch(c, true, true);
}

static enum status do_delete(struct call *c)
{
    u64 which;
    enum status st = number(c, 1, 1, 0, &which);
    for (u32 i = 0; st == ST_OK && i < c->g->points; i++)
        if (c->g->point[i].number == which) {
            debug_remove(c->g, i);
            return ST_OK;
        }
    return st == ST_OK ? err_set(c->e, ST_INPUT, "there is no point %" PRIu64, which) : st;
}

static enum status do_points(struct call *c)
{
    debug_show_points(c->g);
    return ST_OK;
}

static enum status go(struct call *c, enum debug_run how)
{
    u64 steps;
    enum status st = number(c, 1, 1, 1, &steps);
    if (st != ST_OK)
        return st;
    debug_go(c->g, how, steps);
    c->goes_on = true;
    return ST_OK;
}

static enum status do_continue(struct call *c)
{
    return go(c, DEBUG_CONTINUE);
}

static enum status do_step(struct call *c)
{
    return go(c, DEBUG_STEP);
}

static enum status do_line(struct call *c)
{
    return go(c, DEBUG_STEP_LINE);
}

static enum status do_next(struct call *c)
{
    return go(c, DEBUG_NEXT_LINE);
}

static enum status do_finish(struct call *c)
{
    return go(c, DEBUG_FINISH);
}

static enum status do_regs(struct call *c)
{
    trace_registers(c->g->d, c->g->w);
    return ST_OK;
}

static enum status do_print(struct call *c)
{
    for (u32 i = 1; i < c->words; i++) {
        struct place_range reg;
        enum status st = debug_parse_register(c->g, c->word[i], &reg, c->e);
        if (st != ST_OK)
            return st;
        debug_show_register(c->g, &reg);
    }
    return ST_OK;
}

static enum status do_set(struct call *c)
{
    struct place_range reg;
    u64 value;
    enum status st = debug_parse_register(c->g, c->word[1], &reg, c->e);
    if (st != ST_OK)
        return st;
    if (!number_u64(c->word[2], 0, reg.dw == 1 ? UINT32_MAX : UINT64_MAX, &value) || reg.dw > 2)
        return err_set(c->e, ST_INPUT, "set: one or two registers and a value that fits them");
    bool all = place_is_vector(reg.place) && reg.lane < 0;
    for (u32 i = 0; i < reg.dw; i++)
        for (u32 lane = 0; lane < (all ? (u32)LANES : 1u); lane++)
            wave_set(c->g->w, reg.place + i,
                     all            ? lane
                     : reg.lane < 0 ? 0
                                    : (u32)reg.lane,
                     (u32)(value >> 32 * i));
    return ST_OK;
}

static enum status do_memory(struct call *c)
{
    u64 address, count;
    enum status st = debug_parse_memory(c->g, c->word[1], &address, c->e);
    if (st == ST_OK)
        st = number(c, 2, 1, 4, &count);
    if (st == ST_OK && !debug_show_memory(c->g, address, count))
        st = err_set(c->e, ST_INPUT, "%.60s: not all of it is memory", c->word[1]);
    return st;
}

static enum status do_store(struct call *c)
{
    u64 address, value;
    enum status st = debug_parse_memory(c->g, c->word[1], &address, c->e);
    if (st != ST_OK)
        return st;
    u8 *at = debug_bytes(c->g, address, 4, true);
    if (!at || !number_u64(c->word[2], 0, UINT32_MAX, &value))
        return err_set(c->e, ST_INPUT,
                       at ? "%.60s: no value of 32 bits" : "%.60s: no memory that may be written",
                       c->word[at ? 2 : 1]);
    memcpy(at, &(u32){ (u32)value }, 4);
    return ST_OK;
}

static enum status do_where(struct call *c)
{
    debug_show_calls(c->g);
    return ST_OK;
}

static enum status do_waves(struct call *c)
{
    debug_show_waves(c->g);
    return ST_OK;
}

/* The wave that commands are about: of this work-group, or "wave N group X.Y.Z". */
static enum status do_wave(struct call *c)
{
    struct debugger *g = c->g;
    struct debug_point p = { 0 };
    const char *words[] = { "wave", c->word[1], c->words > 2 ? c->word[2] : "",
                            c->words > 3 ? c->word[3] : "" };
    enum status st = debug_parse_limits(words, c->words > 2 ? 4 : 2, &p, c->e);
    const u32 *group = p.only.has_group ? p.only.group : g->run->group;
    for (u32 i = 0; st == ST_OK && i < g->d->under_way_count; i++) {
        struct group_run *run = g->d->under_way[i];
        if (p.only.wave >= run->g.m->waves || memcmp(run->group, group, sizeof run->group) != 0)
            continue;
        g->run = run;
        g->w = run->g.m->wave[p.only.wave];
        return ST_OK;
    }
    return st == ST_OK ? err_set(c->e, ST_INPUT, "no such wave is under way") : st;
}

static enum status do_code(struct call *c)
{
    u64 count;
    enum status st = number(c, 1, 1, 8, &count);
    if (st == ST_OK)
        debug_show_code(c->g, count);
    return st;
}

static enum status do_quit(struct call *c)
{
    c->g->watcher.has_quit = c->goes_on = true;
    return ST_OK;
}

static enum status do_help(struct call *c);

/* The commands: name, a shorter one, their words, least and most of these, what they do. */
static const struct command_row {
    const char *name, *brief, *words;
    u32 least, most;
    command_fn *run;
    const char *help;
} commands[] = {
    { "break", "b", "PLACE [hit N] [group X.Y.Z] [wave N]", 1, 7, do_break,
      "stop before the instruction there: ADDR (hexadecimal, as gcncheck dis shows it),\n"
      "SYMBOL, SYMBOL+BYTES, or FILE:LINE where a wave comes to it; from the N-th time on" },
    { "watch", "", "REGISTER|MEMORY [BYTES] [hit N] [group X.Y.Z] [wave N]", 1, 8, do_watch,
      "stop behind an instruction that changes the register or stores there (4 bytes):\n"
      "s4, s[4:5], v3, v3.lane7, exec; 0xADDRESS, argN+BYTES (item N from 0), lds:BYTE" },
    { "rwatch", "", "the same", 1, 8, do_rwatch, "stop behind one that reads it" },
    { "awatch", "", "the same", 1, 8, do_awatch, "stop behind one that does either" },
    { "delete", "d", "N", 1, 1, do_delete, "remove a point" },
    { "points", "", "", 0, 0, do_points, "list break- and watchpoints" },
    { "continue", "c", "", 0, 0, do_continue, "run to the next stop" },
    { "step", "s", "[N]", 0, 1, do_step, "execute an instruction of this wave, or N" },
    { "line", "l", "", 0, 0, do_line,
      "run this wave to another source line, or by a jump back to the same" },
    { "next", "n", "", 0, 0, do_next, "the same, over calls" },
    { "finish", "f", "", 0, 0, do_finish, "run until this wave's function has returned" },
    { "regs", "r", "", 0, 0, do_regs, "print all registers that are not 0" },
    { "print", "p", "REGISTER...", 1, 15, do_print, "print these" },
    { "set", "", "REGISTER VALUE", 2, 2, do_set, "change one, or a pair; in all lanes or .laneN" },
    { "memory", "x", "MEMORY [N]", 1, 2, do_memory,
      "print N dwords (4); with --memory weak, stores that have got there" },
    { "store", "", "MEMORY VALUE", 2, 2, do_store, "change a dword" },
    { "where", "bt", "", 0, 0, do_where, "where this wave stands, and the calls it is in" },
    { "waves", "", "", 0, 0, do_waves, "list all waves under way" },
    { "wave", "w", "N [group X.Y.Z]", 1, 3, do_wave, "turn to another wave" },
    { "code", "", "[N]", 0, 1, do_code, "print the next N instructions (8)" },
    { "quit", "q", "", 0, 0, do_quit, "end the launch" },
    { "help", "h", "[COMMAND]", 0, 1, do_help, "this" },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command_row *find_command(const char *name)
{
    for (u32 i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0 || strcmp(name, commands[i].brief) == 0)
            return &commands[i];
    return NULL;
}

static void print_help(FILE *out, const struct command_row *row)
{
    fprintf(out, "%s%s%s%s%s%s\n    ", row->name, row->words[0] ? " " : "", row->words,
            row->brief[0] ? " (" : "", row->brief, row->brief[0] ? ")" : "");
    for (const char *s = row->help; *s; s++)
        fprintf(out, *s == '\n' ? "\n    " : "%c", *s);
    fputc('\n', out);
}

static enum status do_help(struct call *c)
{
    const struct command_row *row = c->words > 1 ? find_command(c->word[1]) : NULL;
    if (c->words > 1 && !row)
        return err_set(c->e, ST_INPUT, "%.40s: no command; help lists them", c->word[1]);
    for (u32 i = 0; i < COMMANDS && !row; i++)
        print_help(c->g->out, &commands[i]);
    if (row)
        print_help(c->g->out, row);
    else
        fprintf(c->g->out,
                "Lines that begin with # are skipped. Behind the last line the launch runs "
                "to its end.\n");
    return ST_OK;
}

static enum status execute(struct call *c)
{
    const struct command_row *row = find_command(c->word[0]);
    if (!row)
        return err_set(c->e, ST_INPUT, "%.40s: no command; help lists them", c->word[0]);
    if (c->words - 1 < row->least || c->words - 1 > row->most)
        return err_set(c->e, ST_INPUT, "%s takes %s", row->name,
                       row->words[0] ? row->words : "nothing else");
    return row->run(c);
}

/* One line; whether the launch goes on. */
static bool answer(struct debugger *g, const char *line)
{
    struct front *f = g->front;
    struct err e = { .text = "" };
    struct call c = { .g = g, .e = &e };
    char text[LINE_MAX_BYTES], *rest = NULL;
    enum status st = ST_OK;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
        if (c.words == WORDS_MAX)
            st = err_set(&e, ST_INPUT, "too many words");
        else
            c.word[c.words++] = w;
    }
    if (strlen(line) >= sizeof text)
        st = err_set(&e, ST_INPUT, "a line of more than %d bytes", LINE_MAX_BYTES - 1);
    if (st == ST_OK && (!c.words || c.word[0][0] == '#'))
        return false;
    if (st == ST_OK)
        st = execute(&c);
    f->wrong += st != ST_OK;
    if (st != ST_OK) {
        file_error(&e, f->path, (int)f->lines.number);
        fprintf(g->out, "%s:%" PRIu64 ": %s\n", f->path, f->lines.number, e.text);
    }
    return c.goes_on;
}

static bool ask(struct debugger *g)
{
    struct front *f = g->front;
    struct err e = { .text = "" };
    const char *line;
    debug_show_stop(g);
    for (;;) {
        fflush(g->out);
        line = stop_requested() ? NULL : lines_next(&f->lines);
        if (!line)
            break;
        if (answer(g, line))
            return !g->watcher.has_quit;
    }
    if (!stop_requested() && lines_status(&f->lines, &e) != ST_OK) {
        /* Nobody knows what the rest asks for: the launch does not go on without it. */
        f->is_cut = true;
        fprintf(g->out, "%s: %s\n", f->path, e.text);
        return false;
    }
    g->is_free = true;
    return true;
}

static const char *close_front(struct debugger *g, int exit_code)
{
    struct front *f = g->front;
    const char *wrong = f->is_cut  ? "the commands cannot be read to their end"
                        : f->wrong ? "not all commands are right"
                                   : NULL;
    (void)exit_code;
    lines_close(&f->lines);
    free(f->path);
    free(f);
    return wrong;
}

enum status debug_open(struct launch_watcher **out, const char *commands_path, FILE *to,
                       struct err *e)
{
    struct debugger *g = debug_new();
    struct front *f = g ? calloc(1, sizeof *f) : NULL;
    *out = g ? &g->watcher : NULL;
    if (!f)
        return err_memory(e);
    g->out = to;
    g->ask = ask;
    g->close = close_front;
    g->front = f;
    f->path = strdup(strcmp(commands_path, "-") == 0 ? "<stdin>" : commands_path);
    return f->path ? lines_open(&f->lines, commands_path, e) : err_memory(e);
}
