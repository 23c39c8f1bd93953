/* Known failures on the command line: what is read before a run, said and written behind it. */
#include "harness/cmd/base/known.h"
#include "harness/line/say.h"

#include <stdio.h>

static void say(void *arg, const char *text)
{
    cmd_error(arg, EXIT_CLEAN, "%s", text);
}

enum status cmd_known_open(const struct opts *o, enum known_command command, struct known **out,
                           struct err *e)
{
    struct known_cfg cfg = { .file = o->known,
                             .update = o->update_known,
                             .skips = o->skips,
                             .flakes = o->flakes,
                             .command = command };
    struct opts copy = *o;
    *out = NULL;
    if (o->update_known && !o->known)
        return err_set(e, ST_INPUT, "--update-known writes the file of --known, which is missing");
    if (!o->known && !o->skips && !o->flakes)
        return ST_OK;
    enum status st = known_open(out, &cfg, e);
    if (st == ST_OK && cfg.update && (st = known_may_update(*out, e)) != ST_OK) {
        known_close(*out);
        *out = NULL;
    }
    if (st == ST_OK)
        known_check(*out, say, &copy);
    return st;
}

/* What was new is known from now on. */
static int update(const struct opts *o, const struct known *k, bool whole,
                  const struct known_ends *ends, int code)
{
    struct err e = { .text = "" };
    u32 added, dropped;
    enum status st = known_update(k, whole, &added, &dropped, &e);
    if (st != ST_OK)
        return cmd_exit_worse(code, cmd_fail(o, st, &e));
    if (!o->quiet)
        fprintf(stderr, "%s: %u added, %u taken out\n", o->known, added, dropped);
    return ends->expired ? code : EXIT_CLEAN;
}

int cmd_known_end(const struct opts *o, const struct known *k, bool complete, bool whole, int code)
{
    struct known_ends ends;
    struct opts copy = *o;
    if (!k || !o->known)
        return code;
    if (!complete)
        return o->update_known ? cmd_error(o, code,
                                           "%s is not written: the run did not come to "
                                           "its end",
                                           o->known)
                               : code;
    known_warn(k, whole, say, &copy, &ends);
    return o->update_known ? update(o, k, whole, &ends, code) : code;
}
