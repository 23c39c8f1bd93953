/* Built-in functions of OpenCL against MPFR. Makes inputs, and judges what a device computed from
 * them; scripts/truth/builtins.py compiles and launches the kernels. Needs -lmpfr -lgmp -lm.
 *
 *     builtins list                           a line for every function of every format
 *     builtins inputs FUNCTION SEED COUNT     writes a.bin, b.bin, c.bin here, prints their count
 *     builtins at FUNCTION HEX...             writes one input there
 *     builtins judge FUNCTION FILE KNOWN [BOUND]  judges FILE, the results of a.bin, b.bin, c.bin
 *
 * FUNCTION is a name with a format, sin_f32. judge prints what differs, at most a few of a kind,
 * and at the end what was counted; BOUND takes the place of the documented one. KNOWN is a file of
 * differences that are known, as scripts/truth/builtins.known explains. Code 1: a difference that
 * is not known; 2: bad arguments, files or estimates.
 *
 * A result within its bound of the host's estimate, with a margin of a quarter, is taken as right;
 * everything else is judged by MPFR, and so is every 16th input, where the estimate must agree. */
#include "harness/t/truth/inputs.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTRA_BITS = 64, SHOWN = 4, SAMPLE = 16, INT_PRECISION = 64, KNOWN_MOST = 8 };
static const char *const file_names[3] = { "a.bin", "b.bin", "c.bin" };

/* Kinds of differences: outside the bound; a wrong NaN, infinity or prescribed number; a zero of
 * the other sign. */
enum kind { BEYOND, SPECIAL, ZEROS, KINDS };
static const char *const kind_names[KINDS] = { "beyond", "special", "zeros" };

/* Differences of a kind that are expected while x is in a range. */
struct known {
    enum kind kind;
    double low, high, limit; /* ULP, of BEYOND */
    char reason[256];
    uint64_t count;
};

struct judge {
    const struct function *function;
    const struct format *format;
    double bound;
    struct operands operands;
    mpfr_t exact, rounded; /* with more bits than the format has; with its own */
    uint64_t counts[KINDS];
    double max;            /* ULP, but of what is known */
    struct operands worst; /* where; only bits and n */
    struct known known[KNOWN_MOST];
    unsigned known_count;
};

static _Noreturn void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("builtins: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

/* Finds name_format; ends the program where there is none. */
static void find(const char *id, const struct function **fn, const struct format **f)
{
    char name[64];
    for (unsigned i = 0; i < function_count; i++)
        for (unsigned k = 0; k < FORMAT_COUNT; k++) {
            snprintf(name, sizeof name, "%s_%s", functions[i].name, formats[k].name);
            if (functions[i].bound[k] != NOT && strcmp(name, id) == 0) {
                *fn = &functions[i];
                *f = &formats[k];
                return;
            }
        }
    die("'%s' is no function: builtins list", id);
}

static double documented_bound(const struct function *fn, const struct format *f)
{
    return fn->bound[f - formats];
}

/* "exact", or ULP. */
static const char *bound_text(double bound, char text[32])
{
    snprintf(text, 32, bound == EXACT ? "exact" : "%g", bound);
    return text;
}

static int list(void)
{
    char text[32];
    for (unsigned k = 0; k < FORMAT_COUNT; k++)
        for (unsigned i = 0; i < function_count; i++) {
            const struct function *fn = &functions[i];
            if (fn->bound[k] == NOT)
                continue;
            printf("%s_%s\t%s\t%s\t%s\t%s\t%s\t%s\n", fn->name, formats[k].name,
                   fn->flags & MORE ? "" : fn->name, fn->operands, formats[k].c_type,
                   fn->flags & TO_INT ? "int" : formats[k].c_type, bound_text(fn->bound[k], text),
                   fn->text);
        }
    return 0;
}

static FILE *must_open(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file)
        die("%s: cannot open", path);
    return file;
}

/* Bytes of operand i. */
static unsigned operand_bytes(const struct function *fn, const struct format *f, unsigned i)
{
    return fn->operands[i] == 'n' ? 4 : f->bytes;
}

/* Writes inputs of `in`, or the one given. */
static int write_inputs(struct inputs *in, const struct operands *one)
{
    FILE *files[3] = { 0 };
    unsigned operands = (unsigned)strlen(in->function->operands);
    for (unsigned i = 0; i < operands; i++)
        files[i] = must_open(file_names[i], "wb");
    for (uint64_t k = 0; k < in->count; k++) {
        uint64_t bits[3];
        int32_t n;
        if (one) {
            memcpy(bits, one->bits, sizeof bits);
            n = one->n;
        } else {
            inputs_next(in, k, bits, &n);
        }
        for (unsigned i = 0; i < operands; i++) {
            uint64_t word = in->function->operands[i] == 'n' ? (uint32_t)n : bits[i];
            fwrite(&word, operand_bytes(in->function, in->format, i), 1, files[i]);
        }
    }
    for (unsigned i = 0; i < operands; i++)
        if (fclose(files[i]))
            die("%s: cannot write", file_names[i]);
    printf("%" PRIu64 "\n", in->count);
    return 0;
}

static int one_input(struct inputs *in, char **hex)
{
    struct operands one = { 0 };
    in->count = 1;
    for (unsigned i = 0; in->function->operands[i]; i++) {
        if (!hex[i])
            die("%s takes %zu operands", in->function->name, strlen(in->function->operands));
        one.bits[i] = strtoull(hex[i], NULL, 16);
        if (in->function->operands[i] == 'n')
            one.n = (int32_t)one.bits[i];
    }
    return write_inputs(in, &one);
}

/* 3f800000,40000000: as `at` and --at take them. */
static void print_operands(const struct judge *j, const struct operands *o)
{
    const char *names = j->function->operands;
    for (unsigned i = 0; names[i]; i++)
        printf("%s%0*" PRIx64, i ? "," : "", 2 * (int)operand_bytes(j->function, j->format, i),
               names[i] == 'n' ? (uint64_t)(uint32_t)o->n : o->bits[i]);
    printf(" (");
    for (unsigned i = 0; names[i]; i++)
        if (names[i] == 'n')
            printf("%s%" PRId32, i ? ", " : "", o->n);
        else
            printf("%s%.9g", i ? ", " : "", number_value(j->format, o->bits[i]));
    printf(")");
}

/* Whether a difference is known; counts it if so. */
static bool is_known(struct judge *j, enum kind kind, double ulp)
{
    double x = number_value(j->format, j->operands.bits[0]);
    for (unsigned i = 0; i < j->known_count; i++) {
        struct known *k = &j->known[i];
        bool here = (x >= k->low && x <= k->high) || (isnan(x) && k->low == -HUGE_VAL);
        if (k->kind == kind && here && (kind != BEYOND || ulp <= k->limit)) {
            k->count++;
            return true;
        }
    }
    return false;
}

/* A difference, of ulp units if that is not negative; the first few of a kind are printed. */
static void differs(struct judge *j, enum kind kind, uint64_t got, double ulp)
{
    const struct format *f = j->format;
    bool is_int = j->function->flags & TO_INT;
    int digits = is_int ? 8 : 2 * (int)f->bytes;
    if (is_known(j, kind, ulp))
        return;
    if (kind == BEYOND && ulp > j->max) {
        j->max = ulp;
        j->worst = j->operands;
    }
    if (++j->counts[kind] > SHOWN)
        return;
    printf("differs %s_%s ", j->function->name, f->name);
    print_operands(j, &j->operands);
    if (is_int) {
        printf(": got %08" PRIx64 ", want %ld\n", got, mpfr_get_si(j->exact, MPFR_RNDN));
        return;
    }
    int ternary = j->function->evaluate(j->rounded, &j->operands);
    uint64_t want = number_round(f, j->rounded, ternary);
    printf(": got %0*" PRIx64 " (%.9g), want %0*" PRIx64 " (%.9g)", digits, got,
           number_value(f, got), digits, want, number_value(f, want));
    if (ulp >= 0)
        printf(", %.4g ULP", ulp);
    printf("\n");
}

/* Whether the exact result is one that the specification prescribes for zero, infinity or NaN. */
static bool prescribed(const struct judge *j, int ternary)
{
    const struct operands *o = &j->operands;
    bool special = false;
    for (unsigned i = 0; j->function->operands[i]; i++)
        special |= j->function->operands[i] == 'n' ? o->n == 0
                                                   : number_is_zero(j->format, o->bits[i]) ||
                                                         number_is_inf(j->format, o->bits[i]) ||
                                                         number_is_nan(j->format, o->bits[i]);
    return special && ternary == 0;
}

static void set_operands(struct judge *j)
{
    for (unsigned i = 0; j->function->operands[i]; i++)
        if (j->function->operands[i] != 'n')
            mpfr_set_d(j->operands.v[i], number_value(j->format, j->operands.bits[i]), MPFR_RNDN);
}

/* The exact path: every bit, but one NaN is like another. */
static void judge_exact(struct judge *j, uint64_t got)
{
    const struct format *f = j->format;
    if (j->function->flags & TO_INT) {
        j->function->evaluate(j->exact, &j->operands);
        if (!mpfr_nan_p(j->exact) && mpfr_get_si(j->exact, MPFR_RNDN) != (int32_t)got)
            differs(j, BEYOND, got, 0);
        return;
    }
    int ternary = j->function->evaluate(j->rounded, &j->operands);
    uint64_t want = number_round(f, j->rounded, ternary);
    if (got == want || (number_is_nan(f, got) && number_is_nan(f, want)))
        return;
    if (number_is_zero(f, got) && number_is_zero(f, want)) {
        if (!(j->function->flags & ANY_ZERO))
            differs(j, ZEROS, got, -1);
        return;
    }
    bool special = number_is_nan(f, got) || number_is_nan(f, want) || number_is_inf(f, got) ||
                   number_is_inf(f, want);
    bool apart = number_sign(f, got) != number_sign(f, want);
    double steps = apart ? HUGE_VAL : fabs((double)(int64_t)(got - want));
    differs(j, special ? SPECIAL : BEYOND, got, steps);
}

/* Judges by MPFR; returns whether got is right, what kind of difference it is if not, and the
 * ULP where these are what decides, otherwise -1. */
static bool judge_once(struct judge *j, uint64_t got, enum kind *kind, double *ulp)
{
    const struct format *f = j->format;
    int ternary = j->function->evaluate(j->exact, &j->operands);
    bool sign = j->function->flags & ANY_ZERO || number_sign(f, got) == mpfr_signbit(j->exact);
    *ulp = -1;
    *kind = SPECIAL;
    if (mpfr_nan_p(j->exact) || number_is_nan(f, got))
        return mpfr_nan_p(j->exact) && number_is_nan(f, got);
    if (mpfr_inf_p(j->exact))
        return number_is_inf(f, got) && sign;
    if (mpfr_zero_p(j->exact)) {
        *kind = number_is_zero(f, got) ? ZEROS : SPECIAL;
        return number_is_zero(f, got) && (sign || ternary != 0);
    }
    *ulp = number_ulp(f, got, j->exact, j->function->flags & ABSOLUTE ? 0 : f->emin);
    long exponent = mpfr_get_exp(j->exact) - 1;
    bool held =
        mpfr_min_prec(j->exact) <= f->precision && exponent >= f->emin && exponent <= f->emax;
    if (held && prescribed(j, ternary) && *ulp != 0)
        return false; /* there is no other right result */
    *kind = BEYOND;
    return *ulp <= j->bound ||
           (j->function->flags & FLUSH && number_is_zero(f, got) && exponent < f->emin);
}

/* Whether got is right for operands of which the subnormal ones are zeros of either sign. */
static bool flushed_is_right(struct judge *j, uint64_t got)
{
    uint64_t bits[3];
    enum kind kind;
    bool any = false, right = false;
    double ulp;
    memcpy(bits, j->operands.bits, sizeof bits);
    for (unsigned signs = 0; signs < 8 && !right; signs++) {
        for (unsigned i = 0; i < 3; i++)
            if (number_is_subnormal(j->format, bits[i])) {
                j->operands.bits[i] = signs >> i & 1 ? number_sign_bit(j->format) : 0;
                any = true;
            }
        set_operands(j);
        right = any && judge_once(j, got, &kind, &ulp);
    }
    memcpy(j->operands.bits, bits, sizeof bits);
    set_operands(j);
    return right;
}

static void judge_by_mpfr(struct judge *j, uint64_t got)
{
    enum kind kind;
    double ulp;
    bool right = judge_once(j, got, &kind, &ulp);
    if (!right && !(j->function->flags & FLUSH && flushed_is_right(j, got)))
        differs(j, kind, got, ulp);
    if (right && ulp <= j->bound && ulp > j->max) {
        j->max = ulp;
        j->worst = j->operands;
    }
}

/* Judges by the host's estimate; false: that does not suffice. */
static bool judge_quickly(struct judge *j, uint64_t got, bool sampled)
{
    const struct format *f = j->format;
    const struct operands *o = &j->operands;
    if (!j->function->estimate || number_is_nan(f, got) || number_is_inf(f, got))
        return false;
    long double e =
        j->function->estimate(number_value(f, o->bits[0]), number_value(f, o->bits[1]), o->n);
    int exponent;
    int least = j->function->flags & ABSOLUTE ? 0 : f->emin;
    if (!isnormal(e) || fabsl(e) >= ldexpl(1, f->emax + 1) || fabsl(frexpl(e, &exponent)) == 0.5L)
        return false;
    long double ulp = number_ulp_quick(f, number_value(f, got), e, least);
    if (sampled) {
        set_operands(j);
        j->function->evaluate(j->exact, o);
        if (mpfr_regular_p(j->exact) &&
            fabsl(mpfr_get_ld(j->exact, MPFR_RNDN) - e) >
                ldexpl(0.125L,
                       (exponent - 1 < least ? least : exponent - 1) - (int)f->precision + 1))
            die("%s_%s: the estimate of %a, %a, %d is wrong: %.21Lg", j->function->name, f->name,
                number_value(f, o->bits[0]), number_value(f, o->bits[1]), o->n, e);
    }
    return ulp <= j->bound - 0.25L && ulp <= j->max;
}

static uint64_t read_word(FILE *file, unsigned bytes, const char *name)
{
    uint64_t word = 0;
    if (fread(&word, bytes, 1, file) != 1)
        die("%s: too short", name);
    return word;
}

static void judge_all(struct judge *j, FILE *files[3], FILE *results, uint64_t count)
{
    const struct function *fn = j->function;
    unsigned result_bytes = fn->flags & TO_INT ? 4 : j->format->bytes;
    for (uint64_t k = 0; k < count; k++) {
        for (unsigned i = 0; fn->operands[i]; i++) {
            uint64_t word = read_word(files[i], operand_bytes(fn, j->format, i), file_names[i]);
            if (fn->operands[i] == 'n')
                j->operands.n = (int32_t)word;
            else
                j->operands.bits[i] = word;
        }
        uint64_t got = read_word(results, result_bytes, "results");
        bool quick = j->bound != EXACT && judge_quickly(j, got, k % SAMPLE == 0);
        if (quick && k % SAMPLE != 0)
            continue;
        set_operands(j);
        if (j->bound == EXACT)
            judge_exact(j, got);
        else
            judge_by_mpfr(j, got);
    }
}

/* Reads the lines of KNOWN for this function. */
static void read_known(struct judge *j, const char *path)
{
    char line[512], id[64], kind[16], limit[32], name[64];
    FILE *file = must_open(path, "r");
    snprintf(name, sizeof name, "%s_%s", j->function->name, j->format->name);
    while (fgets(line, sizeof line, file)) {
        struct known *k = &j->known[j->known_count];
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (sscanf(line, "%63s %15s %lf %lf %31s %255[^\n]", id, kind, &k->low, &k->high, limit,
                   k->reason) != 6)
            die("%s: %s", path, line);
        if (strcmp(id, name) != 0)
            continue;
        for (k->kind = 0; k->kind < KINDS && strcmp(kind, kind_names[k->kind]) != 0;)
            k->kind++;
        k->limit = strtod(limit, NULL);
        if (k->kind == KINDS || ++j->known_count == KNOWN_MOST)
            die("%s: %s", path, line);
    }
    fclose(file);
}

static void print_summary(const struct judge *j, uint64_t count)
{
    char text[32];
    for (unsigned i = 0; i < j->known_count; i++)
        printf("known %s_%s: %" PRIu64 " inputs: %s\n", j->function->name, j->format->name,
               j->known[i].count, j->known[i].reason);
    printf("%s_%s: %" PRIu64 " inputs", j->function->name, j->format->name, count);
    if (j->bound != EXACT || j->max > 0)
        printf(", max %.3f ULP", j->max);
    if (j->max > 0) {
        printf(" at ");
        print_operands(j, &j->worst);
    }
    printf(", bound %s", bound_text(j->bound, text));
    for (enum kind k = 0; k < KINDS; k++)
        if (j->counts[k])
            printf(", %" PRIu64 " %s", j->counts[k], kind_names[k]);
    printf("\n");
}

static int judge(struct judge *j, const char *path)
{
    const struct function *fn = j->function;
    const struct format *f = j->format;
    FILE *files[3] = { 0 }, *results = must_open(path, "rb");
    for (unsigned i = 0; fn->operands[i]; i++)
        files[i] = must_open(file_names[i], "rb");
    fseek(files[0], 0, SEEK_END);
    uint64_t count = (uint64_t)ftell(files[0]) / operand_bytes(fn, f, 0);
    rewind(files[0]);
    for (unsigned i = 0; i < 3; i++)
        mpfr_init2(j->operands.v[i], f->precision);
    j->operands.format = f;
    mpfr_init2(j->rounded, f->precision);
    mpfr_init2(j->exact, fn->flags & TO_INT ? INT_PRECISION : f->precision + EXTRA_BITS);
    judge_all(j, files, results, count);
    print_summary(j, count);
    mpfr_clears(j->rounded, j->exact, j->operands.v[0], j->operands.v[1], j->operands.v[2],
                (mpfr_ptr)0);
    for (unsigned i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    fclose(results);
    mpfr_free_cache();
    return j->counts[BEYOND] || j->counts[SPECIAL] || j->counts[ZEROS];
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    struct inputs in = { 0 };
    struct judge j = { 0 };
    if (strcmp(command, "list") == 0 && argc == 2)
        return list();
    if (argc > 3)
        find(argv[2], &in.function, &in.format);
    if (strcmp(command, "inputs") == 0 && argc == 5) {
        in.count = inputs_count(in.function, in.format, strtoull(argv[4], NULL, 10));
        in.state = strtoull(argv[3], NULL, 10);
        for (const char *c = argv[2]; *c; c++) /* every function has numbers of its own */
            in.state = in.state * 31 + (unsigned char)*c;
        return write_inputs(&in, NULL);
    }
    if (strcmp(command, "at") == 0 && argc > 3)
        return one_input(&in, argv + 3);
    if (strcmp(command, "judge") == 0 && (argc == 5 || argc == 6)) {
        j.function = in.function;
        j.format = in.format;
        j.bound = argc == 6 ? strtod(argv[5], NULL) : documented_bound(in.function, in.format);
        read_known(&j, argv[4]);
        return judge(&j, argv[3]);
    }
    die("use list, inputs FUNCTION SEED COUNT, at FUNCTION HEX..., judge FUNCTION FILE KNOWN "
        "[BOUND]");
}
