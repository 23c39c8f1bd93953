/* The comparing half of scripts/xcheck/xcheck-llvm.sh: what our disassembler and assembler make of
 * many instructions, against LLVM 19's. Prints a line for every difference:
 *
 *   side TAB subject TAB LLVM's answer TAB our answer
 *
 * side dis: the subject is dwords, an answer a text or "invalid". side asm: the subject is a text,
 * an answer dwords or "error". The last line is "# SAMPLES TEXTS WORDS", what was compared. Whether
 * a difference is a known one is for the script to say.
 *
 *   xcheck_llvm MCPU [--all] [--fields N] [--random N] [--seed S] [--lacking MCPU] [--no-dis]
 *               [--texts MCPU] [--every N]
 *
 * --all sweeps operand codes through all values, not the telling ones only; --fields: samples with
 * random fields for each row and form; --random: words, half of them shaped like an encoding;
 * --lacking: only rows that this processor lacks; --no-dis: LLVM has no disassembler for it;
 * --texts: the texts of that processor's samples too, to find what LLVM takes and we refuse;
 * --every: the first of the samples of a row and form, and every N-th.
 *
 * LLVM's disassembler is its library, opened at run time (no headers are needed); its assembler is
 * llvm-mc. Ends with 0, with 2 on wrong use or if something failed, with 77 if LLVM is not
 * there. */
#include "harness/ask/samples.h"
#include "oracle/insn/insn.h"

#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT_SIZE = 512, WORD_DW = 3, BATCH = 100000, EXIT_SKIP = 77 };

static _Noreturn void die(int code, const char *text, const char *what)
{
    fprintf(stderr, "xcheck_llvm: %s%s\n", text, what);
    exit(code);
}

/* ---- LLVM's disassembler ---- */

typedef size_t dis_fn(void *context, u8 *bytes, u64 size, u64 pc, char *text, size_t text_size);

struct llvm {
    void *context;
    dis_fn *run;
};

/* Functions come out of dlsym as data pointers. */
static void find_function(void *lib, const char *name, void *function)
{
    void *p = dlsym(lib, name);
    if (!p)
        die(EXIT_SKIP, "libLLVM 19 has no ", name);
    memcpy(function, &p, sizeof(p));
}

static void llvm_open(struct llvm *l, const char *mcpu)
{
    static const char *const files[] = { "libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so" };
    static const char *const parts[] = { "TargetInfo", "Target", "TargetMC", "Disassembler" };
    void *lib = NULL;
    for (size_t i = 0; i < COUNT_OF(files) && !lib; i++)
        lib = dlopen(files[i], RTLD_NOW);
    if (!lib)
        die(EXIT_SKIP, "libLLVM 19 cannot be loaded", "");
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        char name[64];
        void (*init)(void);
        snprintf(name, sizeof(name), "LLVMInitializeAMDGPU%s", parts[i]);
        find_function(lib, name, &init);
        init();
    }
    void *(*create)(const char *, const char *, void *, int, void *, void *);
    find_function(lib, "LLVMCreateDisasmCPU", &create);
    find_function(lib, "LLVMDisasmInstruction", &l->run);
    l->context = create("amdgcn-amd-amdhsa", mcpu, NULL, 0, NULL, NULL);
    if (!l->context)
        die(2, "LLVM cannot disassemble for ", mcpu);
}

/* ---- one instruction ---- */

/* What a disassembler says: the text and the dwords that it took, 0 if it refuses. */
struct answer {
    char text[TEXT_SIZE];
    u32 dw;
};

static void ask_llvm(const struct llvm *l, const u32 *dw, u32 count, struct answer *a)
{
    u8 bytes[WORD_DW * 4];
    for (u32 i = 0; i < count * 4; i++)
        bytes[i] = (u8)(dw[i / 4] >> i % 4 * 8);
    char text[TEXT_SIZE];
    size_t used = l->run(l->context, bytes, count * 4, 0, text, sizeof(text));
    const char *start = text + strspn(text, " \t");
    a->dw = (u32)used / 4;
    snprintf(a->text, sizeof(a->text), "%s", a->dw ? start : "invalid");
    for (size_t n = strlen(a->text); n && (a->text[n - 1] == ' ' || a->text[n - 1] == '\t'); n--)
        a->text[n - 1] = '\0';
}

static void ask_us(const struct isa *isa, const u32 *dw, u32 count, struct answer *a)
{
    struct insn in;
    bool good = insn_decode(isa, dw, count, &in, NULL) && insn_printable(isa, &in, NULL) == ST_OK &&
                !(insn_row(&in)->flags & FLAG_EXTRA);
    a->dw = good ? in.dw : 0;
    if (good)
        insn_print(isa, &in, a->text, sizeof(a->text));
    else
        strcpy(a->text, "invalid");
}

enum { HEX_SIZE = WORD_DW * 9 };

static void hex_of(const u32 *dw, u32 count, char hex[HEX_SIZE])
{
    for (u32 i = 0, at = 0; i < count; i++)
        at += (u32)sprintf(hex + at, "%s%08x", i ? " " : "", dw[i]);
}

/* Selects of 7 in SDWA abort LLVM's printer; dst_unused 3 does with some of them. */
static bool crashes_llvm(const u32 *dw, u32 count)
{
    if (count < 2 || (dw[0] & 0x1ff) != 0xf9 || dw[0] >> 31)
        return false;
    return (dw[1] >> 8 & 7) == 7 || (dw[1] >> 16 & 7) == 7 || (dw[1] >> 24 & 7) == 7 ||
           (dw[1] >> 11 & 3) == 3;
}

struct check {
    struct isa isa;
    const struct isa *lacking; /* NULL, or only rows that this one lacks */
    const struct isa *foreign; /* NULL, or texts of this one's samples too */
    struct llvm llvm;
    const char *mcpu;
    bool dis, all;
    u32 fields, every;
    u32 op, at; /* whose samples these are, and how many of them were there */
    u64 random;
    struct rng r;
    u64 samples, texts, words;
    u64 *seen; /* hashes of texts, open addressing; 0 is free */
    u64 seen_size;
    char *batch[BATCH];
    u32 batch_count;
};

/* Compares the disassembly of `count` dwords; with `whole`, of all of them as one instruction. */
static void compare_dis(struct check *c, const u32 *dw, u32 count, bool whole, struct answer *our)
{
    struct answer llvm = { .text = "" };
    ask_us(&c->isa, dw, count, our);
    if (whole && our->dw != count)
        *our = (struct answer){ .text = "invalid" };
    if (!c->dis || crashes_llvm(dw, count))
        return;
    ask_llvm(&c->llvm, dw, count, &llvm);
    if (whole && llvm.dw != count)
        llvm = (struct answer){ .text = "invalid" };
    if (llvm.dw == our->dw && strcmp(llvm.text, our->text) == 0)
        return;
    u32 used = llvm.dw ? llvm.dw : our->dw;
    bool lengths = llvm.dw && our->dw && llvm.dw != our->dw;
    char hex[HEX_SIZE];
    hex_of(dw, whole ? count : used, hex);
    if (lengths)
        printf("dis\t%s\t%s (%u dwords)\t%s (%u dwords)\n", hex, llvm.text, llvm.dw, our->text,
               our->dw);
    else
        printf("dis\t%s\t%s\t%s\n", hex, llvm.text, our->text);
}

/* ---- assembling, in batches ---- */

/* Reads what llvm-mc says to the batch: dwords as hex for each line in out, "" where it refused. */
static void read_encodings(const struct check *c, FILE *out, const char *refused,
                           char (*hex)[HEX_SIZE])
{
    static char line[65536];
    u32 at = 0;
    while (fgets(line, sizeof(line), out)) {
        const char *p = strstr(line, "; encoding: [");
        if (!p)
            continue;
        while (at < c->batch_count && refused[at])
            at++;
        if (at == c->batch_count)
            die(2, "llvm-mc answers more than it was asked", "");
        u32 n = 0, dw[WORD_DW] = { 0 };
        for (p += strlen("; encoding: ["); *p == '0' && n < WORD_DW * 4; n++) {
            dw[n / 4] |= (u32)strtoul(p, NULL, 16) << n % 4 * 8;
            p += strcspn(p, ",]") + 1;
        }
        hex_of(dw, n / 4, hex[at++]);
    }
}

/* Marks the lines of the batch that llvm-mc refuses. */
static void read_errors(const struct check *c, const char *path, const char *input, char *refused)
{
    static char line[65536];
    FILE *f = fopen(path, "r");
    size_t n = strlen(input);
    if (!f)
        die(2, "cannot read ", path);
    while (fgets(line, sizeof(line), f)) {
        if (strstr(line, "not a recognized processor"))
            die(2, "llvm-mc-19 does not know ", c->mcpu);
        if (strncmp(line, input, n) != 0 || !strstr(line, ": error:"))
            continue;
        u32 number = (u32)strtoul(line + n + 1, NULL, 10);
        if (number > 0 && number <= c->batch_count)
            refused[number - 1] = 1;
    }
    fclose(f);
}

static void compare_asm(const struct check *c, const char *text, const char *llvm)
{
    struct insn in;
    u32 dw[INSN_DW_MAX], count = 0;
    char our[HEX_SIZE] = "error";
    if (insn_parse(&c->isa, text, &in, NULL) == ST_OK)
        count = insn_encode(&in, dw);
    if (count)
        hex_of(dw, count, our);
    if (strcmp(our, *llvm ? llvm : "error") != 0)
        printf("asm\t%s\t%s\t%s\n", text, *llvm ? llvm : "error", our);
}

static void assemble_batch(struct check *c)
{
    static char refused[BATCH], hex[BATCH][HEX_SIZE];
    char input[400], errors[420], output[420], command[2000];
    const char *folder = getenv("TMPDIR");
    snprintf(input, sizeof(input), "%.360s/xcheck-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(input);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        die(2, "cannot write ", input);
    for (u32 i = 0; i < c->batch_count; i++)
        fprintf(f, "%s\n", c->batch[i]);
    if (fclose(f) != 0)
        die(2, "cannot write ", input);
    snprintf(errors, sizeof(errors), "%s.err", input);
    /* Its output goes through a file too: what was refused must be known first. */
    snprintf(command, sizeof(command),
             "llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=%s -show-encoding '%s' >'%s.out' 2>'%s'",
             c->mcpu, input, input, errors);
    memset(refused, 0, sizeof(refused));
    memset(hex, 0, sizeof(hex));
    snprintf(output, sizeof(output), "%s.out", input);
    int status = system(command);
    read_errors(c, errors, input, refused);
    (void)status; /* 1 if it refused a line */
    f = fopen(output, "r");
    if (!f)
        die(2, "llvm-mc-19 wrote nothing for ", input);
    read_encodings(c, f, refused, hex);
    fclose(f);
    unlink(input);
    unlink(errors);
    unlink(output);
    for (u32 i = 0; i < c->batch_count; i++) {
        compare_asm(c, c->batch[i], hex[i]);
        free(c->batch[i]);
    }
    c->batch_count = 0;
}

/* Whether the text is a new one. Two texts with one 64-bit hash would count as one. */
static bool is_new_text(struct check *c, const char *text)
{
    u64 h = 14695981039346656037u; /* FNV-1a */
    for (const char *p = text; *p; p++)
        h = (h ^ (u8)*p) * 1099511628211u;
    h |= h == 0;
    u64 at = h % c->seen_size;
    while (c->seen[at] != 0 && c->seen[at] != h)
        at = (at + 1) % c->seen_size;
    if (c->seen[at] == h)
        return false;
    c->seen[at] = h;
    c->texts++;
    if (c->texts * 2 > c->seen_size)
        die(2, "too many texts", "");
    return true;
}

/* ---- what is compared ---- */

static void add_text(struct check *c, const char *text)
{
    if (!is_new_text(c, text))
        return;
    c->batch[c->batch_count] = strdup(text);
    if (!c->batch[c->batch_count++])
        die(2, "out of memory", "");
    if (c->batch_count == BATCH)
        assemble_batch(c);
}

/* Neighbouring rows, which have the same samples, leave out different ones. */
static bool is_taken(struct check *c)
{
    u32 at = c->at++;
    return at == 0 || (at + c->op) % c->every == 0;
}

static bool compare_sample(void *ctx, const struct insn *in)
{
    struct check *c = ctx;
    if (!is_taken(c))
        return true;
    struct answer our;
    u32 dw[INSN_DW_MAX], count = insn_encode(in, dw);
    compare_dis(c, dw, count, true, &our);
    c->samples++;
    if (our.dw)
        add_text(c, our.text);
    return true;
}

static bool add_foreign(void *ctx, const struct insn *in)
{
    struct check *c = ctx;
    if (!is_taken(c))
        return true;
    struct answer theirs;
    u32 dw[INSN_DW_MAX], count = insn_encode(in, dw);
    ask_us(c->foreign, dw, count, &theirs);
    if (theirs.dw == count)
        add_text(c, theirs.text);
    return true;
}

static void walk_samples(struct check *c, const struct isa *isa, sample_fn *fn)
{
    struct sample_range range = { .all = c->all, .random = c->fields, .r = &c->r };
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        if (!isa_has(isa, op) || (c->lacking && isa_has(c->lacking, op)) ||
            isa_rows[op].flags & FLAG_EXTRA)
            continue;
        u32 forms = isa_forms((enum gen)isa->target->gen, &isa_rows[op]);
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (forms >> form & 1) {
                c->op = op;
                c->at = 0;
                samples_each(isa, op, (enum isa_form)form, &range, fn, c);
            }
    }
    assemble_batch(c);
}

/* The first dword as one of an encoding that the processor has, mostly of an opcode that exists, one in
 * eight with all other fields 0, as opcodes without operands want it, and of the vector ALU often with
 * SDWA or DPP behind it. */
static u32 shaped_word(struct check *c)
{
    enum gen gen = (enum gen)c->isa.target->gen;
    u32 lay = LAY_NONE, word = (u32)rng_u64(&c->r);
    while (!isa_layouts[gen][lay].mask)
        lay = rng_below(&c->r, LAY_COUNT);
    word = (word & ~isa_layouts[gen][lay].mask) | isa_layouts[gen][lay].match;
    struct isa_pos op = isa_layout_pos(gen, (enum isa_layout)lay, FLD_op);
    for (u32 tries = 0; tries < 12 && op.width; tries++) {
        u32 number = bits32(word, op.lsb, op.width);
        if (c->isa.by_number[lay][number] != OP_NONE)
            break;
        u32 mask = mask32(op.width) << op.lsb & ~isa_layouts[gen][lay].mask;
        word = (word & ~mask) | ((u32)rng_u64(&c->r) & mask);
    }
    if (rng_one_in(&c->r, 8))
        word &= isa_layouts[gen][lay].mask | mask32(op.width) << op.lsb;
    bool vop = lay == LAY_VOP1 || lay == LAY_VOP2 || lay == LAY_VOPC;
    if (vop && rng_one_in(&c->r, 2))
        word = (word & ~0x1ffu) | (rng_one_in(&c->r, 2) ? 249 : 250);
    return word;
}

static void compare_random(struct check *c)
{
    for (; c->words < c->random; c->words++) {
        struct answer our;
        u32 dw[WORD_DW];
        for (u32 i = 0; i < WORD_DW; i++)
            dw[i] = (u32)rng_u64(&c->r);
        if (rng_one_in(&c->r, 2))
            dw[0] = shaped_word(c);
        if (rng_one_in(&c->r, 2))
            dw[1] &= (u32)rng_u64(&c->r) & (u32)rng_u64(&c->r);
        compare_dis(c, dw, WORD_DW, false, &our);
    }
}

static void open_isa(struct isa *isa, const char *mcpu)
{
    struct err e = { .file = "" };
    if (isa_open(isa, mcpu, &e) != ST_OK)
        die(2, e.text, "");
}

static void read_options(struct check *c, int argc, char **argv)
{
    static const struct option options[] = {
        { "all", no_argument, NULL, 'a' },
        { "fields", required_argument, NULL, 'f' },
        { "random", required_argument, NULL, 'r' },
        { "seed", required_argument, NULL, 's' },
        { "lacking", required_argument, NULL, 'l' },
        { "no-dis", no_argument, NULL, 'n' },
        { "texts", required_argument, NULL, 't' },
        { "every", required_argument, NULL, 'e' },
        { 0 },
    };
    static struct isa lacking, foreign;
    u64 seed = 1;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'a': c->all = true; break;
        case 'f': c->fields = (u32)strtoul(optarg, NULL, 10); break;
        case 'e': c->every = (u32)strtoul(optarg, NULL, 10); break;
        case 'r': c->random = strtoull(optarg, NULL, 10); break;
        case 's': seed = strtoull(optarg, NULL, 10); break;
        case 'l':
            open_isa(&lacking, optarg);
            c->lacking = &lacking;
            break;
        case 'n': c->dis = false; break;
        case 't':
            open_isa(&foreign, optarg);
            c->foreign = &foreign;
            break;
        default: exit(2);
        }
    if (optind + 1 != argc)
        die(2, "a processor is needed", "");
    if (c->every == 0)
        die(2, "--every: must be 1 or more", "");
    c->mcpu = argv[optind];
    rng_seed(&c->r, seed);
}

int main(int argc, char **argv)
{
    static struct check c = { .dis = true, .every = 1, .seen_size = 1u << 24 };
    read_options(&c, argc, argv);
    open_isa(&c.isa, c.mcpu);
    c.seen = calloc(c.seen_size, sizeof(*c.seen));
    if (!c.seen)
        die(2, "out of memory", "");
    if (c.dis)
        llvm_open(&c.llvm, c.mcpu);
    walk_samples(&c, &c.isa, compare_sample);
    if (c.foreign)
        walk_samples(&c, c.foreign, add_foreign);
    if (c.dis)
        compare_random(&c);
    printf("# %llu %llu %llu\n", (unsigned long long)c.samples, (unsigned long long)c.texts,
           (unsigned long long)c.words);
    free(c.seen);
    return fflush(stdout) == 0 ? 0 : 2;
}
