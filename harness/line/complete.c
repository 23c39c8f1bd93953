#include "harness/line/complete.h"

#include "fuzz/gen/gen.h"
#include "harness/line/help.h"
#include "oracle/errata/errata.h"
#include "reports/format.h"

#include <stdlib.h>

/* What a word of the script may be: nothing that bash would read in another way. */
static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:+=/";

static void put_word(FILE *out, const char *word)
{
    if (word[strspn(word, safe)])
        BUG("the completion cannot hold what a shell may read otherwise");
    fprintf(out, " %s", word);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every name that an opcode has on some generation, once. */
static bool put_opcodes(FILE *out)
{
    u32 count = 0;
    const char **name = malloc(sizeof *name * isa_op_count * GEN_COUNT);
    if (!name)
        return false;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        for (u32 gen = 0; gen < GEN_COUNT; gen++)
            if (isa_rows[op].number[gen] >= 0)
                name[count++] = isa_name((enum gen)gen, (isa_op)op);
    qsort(name, count, sizeof *name, by_text);
    for (u32 i = 0; i < count; i++)
        if (!i || strcmp(name[i], name[i - 1]) != 0)
            put_word(out, name[i]);
    free(name);
    return true;
}

/* local opcodes='...' and the other lists of names. */
static bool put_names(FILE *out, const struct command *commands)
{
    fputs("    local commands='", out);
    for (const struct command *c = commands; c->name; c++)
        put_word(out, c->name);
    fputs("'\n    local processors='", out);
    for (u32 i = 0; isa_target_at(i); i++)
        put_word(out, isa_target_at(i)->mcpu);
    fputs("'\n    local encodings='", out);
    for (u32 i = 0; i < ENC_COUNT; i++)
        if (isa_encs[i].name)
            put_word(out, isa_encs[i].name);
    fputs("'\n    local entries='", out);
    for (u32 i = 0; erratum_at(i); i++)
        put_word(out, erratum_at(i)->id);
    fputs("'\n    local profiles='", out);
    for (u32 i = 0; gen_profile_at(i); i++)
        put_word(out, gen_profile_at(i)->name);
    fputs("'\n    local opcodes='", out);
    bool kept = put_opcodes(out);
    fputs("'\n", out);
    return kept;
}

/* The words of "A|b|C" that can be typed as they stand: capitals name something else. */
static void put_choices(FILE *out, const char *arg)
{
    for (const char *at = arg, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "|");
        if (*at < 'A' || *at > 'Z')
            fprintf(out, "%s%.*s", at == arg ? "" : " ", (int)(end - at), at);
    }
}

/* A line of a case: behind this word these words may come. */
static void put_case(FILE *out, const char *before, const char *words)
{
    fprintf(out, "    %s) _gcncheck_offer \"%s\"; return ;;\n", before, words);
}

/* What may stand behind options, and behind `help`. */
static void put_arguments(FILE *out, const struct command *commands)
{
    fputs("    case $before in\n", out);
    put_case(out, "help", "--man --bash-completion $commands");
    put_case(out, "--mcpu", "$processors");
    put_case(out, "--common", "$processors");
    put_case(out, "--only | --skip", "$opcodes $encodings");
    put_case(out, "--profile", "$profiles");
    for (u32 i = 0; opts_at(i); i++) {
        const struct opt *opt = opts_at(i);
        if (!opt->arg || !strchr(opt->arg, '|'))
            continue;
        fprintf(out, "    --%s) _gcncheck_offer '", opt->name);
        put_choices(out, opt->arg);
        fputs("'; return ;;\n", out);
    }
    fputs("    --diff) [ \"${COMP_WORDS[1]}\" != list ] || { _gcncheck_offer \"$processors\"; "
          "return; } ;;\n"
          "    --format) case ${COMP_WORDS[1]} in\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        char names[160];
        struct text t;
        bool streams;
        text_init(&t, names, sizeof names);
        if (!help_lists_formats(c, &streams))
            continue;
        report_format_names(&t, streams);
        fprintf(out, "        %s) _gcncheck_offer '", c->name);
        put_choices(out, names);
        fputs("'; return ;;\n", out);
    }
    fputs("        esac ;;\n    esac\n", out);
}

/* What else there is: arguments of commands, and options. */
static void put_rest(FILE *out, const struct command *commands)
{
    fputs("    case $word in\n    -*) ;;\n    *)\n        case ${COMP_WORDS[1]} in\n", out);
    for (const struct command *c = commands; c->name; c++)
        if (strstr(c->args, "MNEMONIC") || strstr(c->args, "INSTRUCTION"))
            fprintf(out, "        %s) _gcncheck_offer \"$opcodes%s\"; return ;;\n", c->name,
                    strstr(c->args, "LEDGER-ID") ? " $entries" : "");
    fputs("        esac\n"
          "        COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
          "    esac\n    case ${COMP_WORDS[1]} in\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, "    %s) _gcncheck_offer '--help", c->name);
        for (u32 k = 0; opts_at(k); k++) {
            const char *name = opts_at(k)->name;
            if (opts_has_word(c->options, name, strlen(name)))
                fprintf(out, " --%s", name);
        }
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
}

bool complete_print_bash(FILE *out, const struct command *commands)
{
    /* Of a list with commas the last name is completed; a quote that the word begins with is bash's
     * to put back. */
    fputs("# Completion of gcncheck for bash; gcncheck help --bash-completion prints it.\n"
          "_gcncheck_offer() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]#[\\'\\\"]} before=\n"
          "    case $word in *,*) before=${word%,*}, ;; esac\n"
          "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${word##*,}\"))\n"
          "}\n"
          "_gcncheck() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n",
          out);
    bool kept = put_names(out, commands);
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        _gcncheck_offer \"--help --version $commands\"\n"
          "        return\n    fi\n",
          out);
    put_arguments(out, commands);
    put_rest(out, commands);
    fputs("}\ncomplete -o filenames -F _gcncheck gcncheck\n", out);
    return kept;
}
