/* gcncheck help: explanations, the manual page and the shell completion. */
#include "harness/line/help.h"
#include "harness/cmd/base/cmd.h"
#include "harness/line/complete.h"

int cmd_help(struct opts *o)
{
    if (o->man && o->bash_completion)
        return cmd_error(o, EXIT_USAGE, "--man and --bash-completion are two different texts");
    if (o->man || o->bash_completion) {
        if (o->arg_count)
            return cmd_error(o, EXIT_USAGE, "--man and --bash-completion are about all commands");
        if (o->man)
            help_print_man(stdout, o->commands);
        else if (!complete_print_bash(stdout, o->commands))
            return cmd_error(o, EXIT_STOPPED, "no memory for the names of all opcodes");
        return EXIT_CLEAN;
    }
    if (!o->arg_count) {
        help_print_overview(stdout, o->commands);
        return EXIT_CLEAN;
    }
    const struct command *c = o->commands;
    while (c->name && strcmp(c->name, o->arg[0]) != 0)
        c++;
    if (!c->name)
        return cmd_error(o, EXIT_USAGE, "no command \"%.60s\"; see gcncheck --help", o->arg[0]);
    help_print_command(stdout, c);
    return EXIT_CLEAN;
}
