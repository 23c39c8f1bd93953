#include "harness/cmd/table.h"

#include "harness/cmd/base/cmd.h"
#include "harness/dut/dut.h"
#include "harness/dut/limits.h"
#include "harness/line/help.h"
#include "harness/sdk/gcncheck_dut.h"
#include "harness/vgpu/under.h"
#include "harness/vgpu/vgpu.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct command commands[] = {
#define PARTS(...) __VA_ARGS__
#define COMMAND(name, args, min, max, options, help, text, examples) \
    { #name, cmd_##name, args, min, max, options, help, { text }, examples },
#include "harness/cmd/base/cmd.def"
#undef COMMAND
#undef PARTS
    { .name = NULL },
};

enum { COMMANDS = COUNT_OF(commands) - 1 };

const struct command *cmd_at(u32 index)
{
    return index < COMMANDS ? &commands[index] : NULL;
}

const struct command *cmd_find(const char *name)
{
    for (u32 i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int unknown_command(const char *given)
{
    const char *names[COMMANDS + 3] = { "--help", "--version" };
    char text[256];
    struct text t;
    for (u32 i = 0; i < COMMANDS; i++)
        names[i + 2] = commands[i].name;
    const char *near = opts_nearest(given, names);
    text_init(&t, text, sizeof(text));
    text_add(&t, "no %s %.60s", given[0] == '-' ? "option" : "command", given);
    if (near)
        text_add(&t, ", did you mean %s?", near);
    else
        text_add(&t, "; see gcncheck --help");
    cmd_error_text(text);
    return EXIT_USAGE;
}

/* A result that did not reach its file is no result. */
static int finish(int code)
{
    if (fflush(stdout) || ferror(stdout)) {
        if (!cmd_error_was_printed())
            cmd_error_text("cannot write standard output");
        return cmd_exit_worse(code, EXIT_STOPPED);
    }
    return code;
}

/* A descriptor 0, 1 or 2 that is closed would be the next file that is opened, and what is printed
 * would land in it. It is held by one that can be neither read nor written as it should. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        int held = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        if (held < 0)
            _exit(EXIT_STOPPED);
    }
}

/* A process is under one virtual GPU. Without --mcpu the processor is that of its chip. */
static enum status settle_duts(struct opts *o, struct err *e)
{
    const char *first = NULL;
    char buf[160];
    struct vgpu_under u;
    for (u32 i = 0; i < o->dut_count; i++) {
        if (!dut_vgpu_rest(o->duts[i]))
            continue;
        first = first ? first : o->duts[i];
        if (strcmp(o->duts[i], first) != 0)
            return err_set(e, ST_INPUT, "--dut: %.60s and %.60s cannot be had at a time", first,
                           o->duts[i]);
    }
    if (!first || o->mcpu_is_given)
        return ST_OK;
    enum status st = vgpu_under_parse(dut_vgpu_rest(first), buf, sizeof buf, &u, e);
    if (st == ST_OK) {
        o->mcpu = vgpu_chip_find(u.chip)->mcpu;
        o->mcpu_is_given = true;
    }
    return st;
}

/* Whether some file that is to be read is that of *out. */
static bool is_read(const struct opts *o, const struct stat *out)
{
    const char *files[] = { o->diff,   o->weights, o->known,   o->skips,
                            o->flakes, o->corpus,  o->coverage };
    struct stat in;
    for (u32 i = 0; i < o->arg_count + COUNT_OF(files); i++) {
        const char *path = i < o->arg_count ? o->arg[i] : files[i - o->arg_count];
        if (path && stat(path, &in) == 0 && in.st_dev == out->st_dev && in.st_ino == out->st_ino)
            return true;
    }
    return false;
}

/* Nothing is written over what the same command reads or writes, whatever --force says. */
static enum status check_outputs(const struct opts *o, struct err *e)
{
    const struct {
        const char *name, *path;
    } outputs[] = { { "out", o->out }, { "journal", o->journal } };
    const char *const others[] = { o->resume, o->coverage, o->known };
    struct stat out;
    for (u32 i = 0; i < COUNT_OF(others); i++)
        if (o->journal && others[i] && strcmp(o->journal, others[i]) == 0)
            return err_set(e, ST_INPUT, "--journal: %.200s is named for something else, too",
                           o->journal);
    for (u32 i = 0; i < COUNT_OF(outputs); i++)
        if (outputs[i].path && stat(outputs[i].path, &out) == 0 && S_ISREG(out.st_mode) &&
            is_read(o, &out))
            return err_set(e, ST_INPUT, "--%s: %.200s is to be read, too: name another file",
                           outputs[i].name, outputs[i].path);
    return ST_OK;
}

/* A finding takes and frees megabytes, and a campaign makes many. Where the C library gives freed pages
 * back at once, the kernel has to fill them with zeros again for the next one. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { SINGLE_BYTES = 4 << 20, KEPT_BYTES = 32 << 20 };
    mallopt(M_MMAP_THRESHOLD, SINGLE_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

int cmd_main(int argc, char **argv)
{
    struct opts o;
    struct err e = { 0 };
    hold_standard_files();
    keep_freed_memory();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write() */
    cmd_error_forget();
    if (argc < 2) {
        cmd_error_text("which command? gcncheck --help lists them");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print_overview(stdout, commands);
        return finish(EXIT_CLEAN);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gcncheck %s (plug-in ABI %d)\n", GCNCHECK_VERSION, GCNCHECK_DUT_ABI);
        return finish(EXIT_CLEAN);
    }
    const struct command *c = cmd_find(argv[1]);
    if (!c)
        return unknown_command(argv[1]);
    enum status st = opts_parse(&o, c, argc - 1, argv + 1, &e);
    if (st)
        return cmd_fail(&o, st, &e);
    if (o.help) {
        help_print_command(stdout, c);
        return finish(EXIT_CLEAN);
    }
    o.commands = commands;
    st = check_outputs(&o, &e);
    if (st == ST_OK)
        st = settle_duts(&o, &e);
    if (st == ST_OK && o.dut_limit)
        st = dut_limits_set(o.dut_limit, &e);
    for (u32 i = 0; i < o.dut_count && st == ST_OK; i++)
        st = cmd_ready_dut(&o, o.duts[i], &e);
    if (st == ST_OK && o.dut_count == 0)
        st = cmd_ready_dut(&o, o.dut, &e);
    return st ? cmd_fail(&o, st, &e) : finish(c->run(&o));
}
