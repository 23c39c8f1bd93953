/* A command line: the name of a command, then an argument on each line. What is taken is within the
 * bounds that the options promise. */
#include "harness/fz/fz.h"
#include "harness/line/opts.h"

#include <stdlib.h>

enum { ARGS_MAX = 256 };

static const struct command commands[] = {
#define PARTS(...) __VA_ARGS__
#define COMMAND(name, args, min, max, options, help, text, examples) \
    { #name, NULL, args, min, max, options, help, { text }, examples },
#include "harness/cmd/base/cmd.def"
#undef COMMAND
#undef PARTS
    { .name = NULL },
};

void fz_open(void) {}

/* The command of the first line; of another one the first. */
static const struct command *find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return commands;
}

static void check(const struct opts *o)
{
    const struct command *c = o->command;
    if (o->help)
        return;
    if (o->arg_count < c->min_args || o->arg_count > c->max_args)
        fz_broken("a command has the arguments it asks for", c->name);
    if (o->jobs < 1 || o->jobs > 1024 || o->shard >= o->shards || !o->fraction ||
        o->fraction > o->fraction_of)
        fz_broken("a number is within its bounds", c->name);
    if (o->dut_count > OPTS_DUTS_MAX || !o->mcpu[0] || !o->dut[0] || (o->out && !o->out[0]))
        fz_broken("a text is not empty", c->name);
    if (o->dut_count > 1 && !opts_has_word(c->options, "lineage", 7))
        fz_broken("several devices are for commands that hold them beside one another", c->name);
    for (u32 i = 0; i < o->arg_count; i++)
        if (!o->arg[i])
            fz_broken("an argument is there", c->name);
}

bool fz_one(const u8 *data, size_t size)
{
    char *argv[ARGS_MAX + 1];
    int argc = 0;
    struct opts o;
    struct err e = { .text = "" };
    char *text = malloc(size + 1);
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text, *end = text + size; at <= end && argc < ARGS_MAX; at += strlen(at) + 1) {
        at[strcspn(at, "\n")] = '\0';
        argv[argc++] = at;
    }
    argv[argc] = NULL;
    enum status st = opts_parse(&o, find(argv[0]), argc, argv, &e);
    if (st == ST_OK)
        check(&o);
    else if (!e.text[0])
        fz_broken("a failure has a message", argv[0]);
    free(text);
    return st == ST_OK && argc > 1;
}
