/* Questions as people type them. The first byte chooses: lines of dwords for `gcncheck dis`, or for
 * `gcncheck eval` an instruction on the first line and a place with its value on each of the others.
 * Answers go nowhere. */
#include "harness/cmd/base/cmd.h"
#include "harness/fz/fz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { ARGS_MAX = 64 };

static int nowhere, std_out, std_error;

void fz_open(void)
{
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    std_out = dup(STDOUT_FILENO);
    std_error = dup(STDERR_FILENO);
    if (nowhere < 0 || std_out < 0 || std_error < 0)
        fz_broken("/dev/null", "cannot be opened");
}

static int dis(struct opts *o, const u8 *data, size_t size)
{
    char path[64];
    char *arg[] = { path, NULL };
    snprintf(path, sizeof path, "%s", fz_file(data, size));
    o->arg = arg;
    o->arg_count = 1;
    return cmd_dis(o);
}

static int eval(struct opts *o, const u8 *data, size_t size)
{
    char *arg[ARGS_MAX + 1], *rest = NULL, *text = strndup((const char *)data, size);
    if (!text)
        abort();
    for (char *line = strtok_r(text, "\n", &rest); line && o->arg_count < ARGS_MAX;
         line = strtok_r(NULL, "\n", &rest))
        arg[o->arg_count++] = line;
    arg[o->arg_count] = NULL;
    o->arg = arg;
    int code = cmd_eval(o);
    free(text);
    return code;
}

bool fz_one(const u8 *data, size_t size)
{
    static const struct command command = { .name = "ask" };
    struct opts o = { .command = &command, .mcpu = "gfx908" };
    if (size < 1)
        return false;
    fflush(stdout);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    cmd_error_forget();
    int code = data[0] & 1 ? eval(&o, data + 1, size - 1) : dis(&o, data + 1, size - 1);
    bool was_told = cmd_error_was_printed();
    fflush(stdout);
    dup2(std_out, STDOUT_FILENO);
    dup2(std_error, STDERR_FILENO);
    if (data[0] & 1 && (code != EXIT_CLEAN) != was_told)
        fz_broken("a failure has a message, and nothing else has", "eval");
    return code == EXIT_CLEAN && size > 1;
}
