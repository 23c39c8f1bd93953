#include "harness/cmd.h"

#include "harness/sdk/gcncheck_dut.h"

#include <ctype.h>
#include <stdio.h>

/* A new command: its row here, its function in harness/cmd_NAME.c. */
static const struct command commands[] = {
    {.name = "asm",
     .run = cmd_asm,
     .args = "[FILE]",
     .max_args = 1,
     .options = "mcpu",
     .help = "assemble instructions, one per line",
     .text = "Reads one instruction per line (FILE or standard input, LLVM's syntax, form suffix optional) and\n"
             "prints its dwords in hex, or error: line N: and the reason. Empty lines and comments (// ; #) are\n"
             "passed over. A line of its own is answered whatever the others hold. Exit code 2 if any failed.\n",
     .examples = "printf 'v_add_co_u32_e32 v0, vcc, v1, v2\\n' | gcncheck asm --mcpu gfx900\n"},
    {.name = "dis",
     .run = cmd_dis,
     .args = "[FILE]",
     .max_args = 1,
     .options = "mcpu",
     .help = "disassemble dwords, one instruction per line",
     .text = "Reads the hex dwords of one instruction per line (FILE or standard input) and prints its text as LLVM\n"
             "19 spells it, or invalid: and the reason. Exit code 2 if any was invalid.\n",
     .examples = "printf '32000501\\nd1198400 00020501\\n' | gcncheck dis --mcpu gfx900\n"},
    { .name = "bench",
     .run = cmd_bench,
     .options = "mcpu format time",
     .help = "measure how fast the model executes",
     .text = "Measures wave-instructions per second on one core for a few opcodes, with all lanes on and with every\n"
             "second one, each beside a bare loop of the same work timed in the same run. A figure is the median of\n"
             "nine rounds of --time (20ms). Formats: text, tsv.\n",
     .examples = "gcncheck bench\n"
                 "gcncheck bench --format tsv --time 100ms\n" },
    { .name = "doctor",
     .run = cmd_doctor,
     .options = "",
     .help = "say what this machine has of what gcncheck can use",
     .text = "Lists processors, engines, devices and helper programs; -- marks what is missing.\n",
     .examples = "gcncheck doctor\n" },
    { .name = "eval",
     .run = cmd_eval,
     .args = "['INSTRUCTION'] [PLACE=VALUE]...",
     .max_args = ARGS_MANY,
     .options = "mcpu engine jsonl",
     .help = "ask the model what an instruction changes",
     .text = "Runs one or more instructions (lines) and prints what changed, lane by lane where lanes differ. Places\n"
             "not given are zero; EXEC is all ones, MODE 0x3f0 (round to nearest, denormals kept, IEEE, DX10_CLAMP),\n"
             "PC 0x10000, LDS 64 KiB. Values: decimal, 0x hex, floats (1.5, nan); v1=1,2,3 gives lanes 0, 1, 2;\n"
             "lds[8]=00ff and mem[0x1000]=00ff give bytes, and memory given is the only memory.\n"
             "\n"
             "--jsonl answers programs, one JSON object per line:\n"
             "  {\"id\":1,\"code\":\"32000501\",\"in\":{\"v1\":\"ffffffff\",\"v2\":[\"1\", ...64],\"exec\":\"3\",\"scc\":0,\n"
             "   \"lds\":{\"8\":\"0011\"},\"mem\":{\"1000\":\"0011\"}}}\n"
             "gives {\"id\":1,\"out\":{changed places}} or {\"id\":1,\"error\":\"reason\"}. Register values are hex numbers; a\n"
             "VGPR is one string if its 64 lanes are equal, else an array; vcc, exec and pc are 64 bits; lds and mem\n"
             "list the bytes that changed. pc appears if the code was left elsewhere than at its end, trapsts if\n"
             "\"in\" names it.\n",
     .examples = "gcncheck eval --mcpu gfx900 'v_add_co_u32 v0, vcc, v1, v2' v1=0xffffffff v2=1 exec=3\n"
                 "gcncheck eval 's_bfe_u32 s0, s1, s2' s1=0xdeadbeef s2=0x80008\n"
                 "gcncheck eval --mcpu gfx900 --jsonl < asked.jsonl > answered.jsonl\n" },
    {.name = "help",
     .run = cmd_help,
     .args = "[COMMAND]",
     .max_args = 1,
     .options = "man bash-completion",
     .help = "explain a command",
     .text = "Prints the explanation of a command, or the list of commands.",
     .examples = "gcncheck help run\n"
                  "gcncheck help --man | man -l -\n"
                  "source <(gcncheck help --bash-completion)\n"                                                                                            },
    {.name = "list",
     .run = cmd_list,
     .args = "[CASES]",
     .max_args = 1,
     .options = "mcpu format",
     .help = "list opcodes, their forms and cases",
     .text = "Prints every opcode of the processor: encoding, opcode, mnemonic, forms, whether it is modelled, and\n"
             "how many rows its case file CASES/<encoding>/<mnemonic>.case has (CASES is the folder cases by\n"
             "default). --format is text, tsv or json.\n",
     .examples = "gcncheck list --mcpu gfx900 --format tsv\n"},
    { .name = "launch",
     .run = cmd_launch,
     .args = "CODEOBJECT LAUNCH.TXT",
     .min_args = 2,
     .max_args = 2,
     .options = "mcpu engine max-steps",
     .help = "run a compiled kernel and compare its output buffers",
     .text = "Runs one kernel of an amdhsa code object (version 3 to 5, - is standard input) on "
              "the model, as\n"
              "LAUNCH.TXT says: grid, arguments, buffers with their files, and how outputs are "
              "compared. The\n"
              "format stands at the head of harness/launchfile.h, examples in cases/kernels. The "
              "file's\n"
              "processor must be that of --mcpu.\n"
              "\n"
              "Exit code 1: an output differs; the first wrong element is printed. Exit code 3: "
              "the kernel could\n"
              "not be run to its end, for the reason printed: an instruction that is not modelled, "
              "an access\n"
              "outside memory, or more than --max-steps (10^9) instructions of a wave.\n", .examples = "gcncheck launch --mcpu gfx900 vadd.co launch.txt\n" },
    { .name = "run",
     .run = cmd_run,
     .args = "[FILE|FILE:LINE|DIR]...",
     .max_args = ARGS_MANY,
     .options = "mcpu dut form only shard fraction jobs format out journal dut-time in-process color quiet",
     .help = "run directed cases on a device under test",
     .text = "Runs case files (cases/README.md explains the format); without arguments those in ./cases.\n"
              "FILE:LINE runs what stands at that line. Results go to standard output as TAP 13, as one JSON\n"
              "object per line (--format json) or as text; one line that sums up goes to standard error.\n"
              "--out DIR keeps the results in DIR/run.journal for gcncheck report.\n"
              "\n"
              "What the DUT does not implement is skipped and counted, as is what it cannot set or show.\n"
              "A DUT that crashes, hangs or answers nonsense on a case fails that case.\n",
     .examples = "gcncheck run --mcpu gfx900 cases\n"
                  "gcncheck run --dut plugin:./my.so cases/vop2\n"
                  "gcncheck run --dut mutant:ID --form e64 cases/vop2/v_add_co_u32.case:11\n" },
};

const struct command *cmd_at(u32 index)
{
    return index < COUNT_OF(commands) ? &commands[index] : NULL;
}

const struct command *cmd_find(const char *name)
{
    for (u32 i = 0; i < COUNT_OF(commands); i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

int exit_worse(int a, int b)
{
    static const int order[] = { EXIT_USAGE, EXIT_STOPPED, EXIT_DIFFERENCES, EXIT_UNEXPECTED_PASS };
    for (u32 i = 0; i < COUNT_OF(order); i++) {
        if (a == order[i] || b == order[i])
            return order[i];
    }
    return EXIT_CLEAN;
}

int exit_for(enum status st)
{
    return st == ST_OK ? EXIT_CLEAN : st == ST_INPUT ? EXIT_USAGE : EXIT_STOPPED;
}

/* One line on standard error, whatever the text holds. */
static void put_error(const char *command, const char *text)
{
    char line[1024];
    struct text t;
    text_init(&t, line, sizeof(line));
    text_add(&t, "gcncheck%s%s: %s", command ? " " : "", command ? command : "", text);
    for (char *c = line; *c; c++) {
        if (iscntrl((u8)*c))
            *c = '?';
    }
    fflush(stdout);
    fprintf(stderr, "%s\n", line);
}

int cmd_error(const struct opts *o, int code, const char *fmt, ...)
{
    char text[900];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    put_error(o->command->name, text);
    return code;
}

int cmd_fail(const struct opts *o, enum status st, const struct err *e)
{
    char text[600];
    put_error(o->command->name, err_text(e, text, sizeof(text)));
    return exit_for(st);
}

static int unknown_command(const char *given)
{
    const char *names[COUNT_OF(commands) + 3] = { "--help", "--version" };
    char text[256];
    struct text t;
    for (u32 i = 0; i < COUNT_OF(commands); i++)
        names[i + 2] = commands[i].name;
    const char *near = opts_nearest(given, names);
    text_init(&t, text, sizeof(text));
    text_add(&t, "no %s %.60s", given[0] == '-' ? "option" : "command", given);
    if (near)
        text_add(&t, ", did you mean %s?", near);
    else
        text_add(&t, "; see gcncheck --help");
    put_error(NULL, text);
    return EXIT_USAGE;
}

/* A result that did not reach its file is no result. */
static int finish(int code)
{
    if (fflush(stdout) || ferror(stdout)) {
        put_error(NULL, "cannot write standard output");
        return exit_worse(code, EXIT_STOPPED);
    }
    return code;
}

int cmd_main(int argc, char **argv)
{
    struct opts o;
    struct err e = { 0 };
    if (argc < 2) {
        put_error(NULL, "which command? gcncheck --help lists them");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cmd_print_overview(stdout);
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
        cmd_print_help(stdout, c);
        return finish(EXIT_CLEAN);
    }
    return finish(c->run(&o));
}
