/* The file of known failures, and deqp-runner's: writing. */
#include "harness/known/internal.h"

#include "reports/file/output.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const command_names[KNOWN_COMMANDS] = { "run", "fuzz" };

static void put_commands(FILE *out, u8 commands)
{
    fputs("    by", out);
    for (u32 i = 0; i < KNOWN_COMMANDS; i++)
        if (commands >> i & 1)
            fprintf(out, " %s", command_names[i]);
    fputc('\n', out);
}

/* An entry that other commands show than it says. */
static void put_entry(FILE *out, const struct known *k, const struct known_entry *x, u8 commands)
{
    fwrite(k->bytes + x->begin, 1, x->by - x->begin, out);
    put_commands(out, commands);
    fwrite(k->bytes + x->by_end, 1, x->end - x->by_end, out);
}

/* What is kept of the file. */
static void put_old(FILE *out, const struct known *k, bool whole, u32 *dropped)
{
    size_t at = 0;
    for (u32 i = 0; i < k->entries; i++) {
        const struct known_entry *x = &k->entry[i];
        u8 others = (u8)(x->commands & ~(u32)k->cfg.command);
        bool is_gone = k->cfg.command != KNOWN_FUZZ && known_is_unfired(k, x, whole);
        bool is_other = x->commands && x->fired && !(x->commands & k->cfg.command);
        fwrite(k->bytes + at, 1, x->begin - at, out);
        if (is_gone && others)
            put_entry(out, k, x, others);
        else if (is_gone)
            ++*dropped;
        else if (is_other)
            put_entry(out, k, x, (u8)(x->commands | k->cfg.command));
        else
            fwrite(k->bytes + x->begin, 1, x->end - x->begin, out);
        at = x->end;
    }
    fwrite(k->bytes + at, 1, k->size - at, out);
    if (k->size && k->bytes[k->size - 1] != '\n')
        fputc('\n', out);
}

static int by_name(const void *a, const void *b)
{
    const struct known_name *x = *(const struct known_name *const *)a,
                            *y = *(const struct known_name *const *)b;
    return strcmp(x->name, y->name);
}

static void put_name(FILE *out, const struct known *k, const struct known_name *n)
{
    if (k->is_deqp) {
        fprintf(out, "%s,%s\n", n->name,
                n->ends & KNOWN_CRASH     ? "Crash"
                : n->ends & KNOWN_TIMEOUT ? "Timeout"
                                          : "Fail");
        return;
    }
    fprintf(out, "\n%s\n", n->name);
    put_commands(out, (u8)k->cfg.command);
    fprintf(out, "    the reason is to be given; seen %llu time%s, first in %s\n",
            (unsigned long long)n->seen, n->seen == 1 ? "" : "s", n->first);
}

static enum status put_fresh(FILE *out, const struct known *k, u32 *added, struct err *e)
{
    u32 n = k->fresh.count;
    const struct known_name **order = malloc((n ? n : 1) * sizeof(const struct known_name *));
    if (!order)
        return err_memory(e);
    for (u32 i = 0; i < n; i++)
        order[i] = &k->fresh.at[i];
    qsort(order, n, sizeof *order, by_name);
    for (u32 i = 0; i < n; i++)
        put_name(out, k, order[i]);
    free(order);
    *added = n;
    return ST_OK;
}

/* Only the file that was read is replaced. */
static const char *judge(const void *ctx, const u8 *head, size_t size)
{
    const struct known *k = ctx;
    return k->is_there && size <= k->size && memcmp(head, k->bytes, size) == 0
               ? NULL
               : "is another file than the one that was read";
}

enum status known_put(const struct known *k, bool whole, FILE *out, u32 *added, u32 *dropped,
                      struct err *e)
{
    *added = *dropped = 0;
    if (!k->size && !k->is_deqp)
        fputs("known-format 1\n", out);
    if (k->size)
        put_old(out, k, whole, dropped);
    return put_fresh(out, k, added, e);
}

enum status known_may_update(const struct known *k, struct err *e)
{
    struct output_rule rule = { .judge = judge, .ctx = k };
    return output_check(k->cfg.file, &rule, e);
}

enum status known_update(const struct known *k, bool whole, u32 *added, u32 *dropped, struct err *e)
{
    struct output_rule rule = { .judge = judge, .ctx = k };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return err_memory(e);
    enum status st = known_put(k, whole, out, added, dropped, e);
    bool kept = !ferror(out); /* fclose tells neither this nor that there is no text */
    if ((fclose(out) != 0 || !kept || !text) && st == ST_OK)
        st = err_memory(e);
    if (st == ST_OK)
        st = output_write(k->cfg.file, text, size, &rule, e);
    free(text);
    return st;
}
