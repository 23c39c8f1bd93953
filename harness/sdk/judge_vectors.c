/* Judges a recording that `gcncheck record --format bin` made: a line for each row, its id, then pass,
 * fail or skip. An example of gcncheck_vectors.h, and the proof that it needs nothing else:
 *
 *     cc -o judge_vectors judge_vectors.c && ./judge_vectors answers.gcv */
#include "gcncheck_vectors.h"

static void note(void *ctx, const struct gcncheck_vector_diff *d)
{
    ((char *)ctx)[d->row] = 1;
}

/* Prints the verdicts of one vector; how many are failures. */
static unsigned judge(const struct gcncheck_vector *v, const struct gcncheck_answer *a)
{
    unsigned failed = 0;
    int is_done = gcncheck_text_is(a->outcome, "done");
    int is_skip = gcncheck_text_is(a->outcome, "unsupported");
    char *wrong = calloc(v->row_count, 1);
    if (!wrong)
        return 1;
    if (is_done)
        gcncheck_answer_judge(v, a, note, wrong);
    for (uint32_t i = 0; i < v->row_count; i++) {
        int fails = is_done ? wrong[i] : !is_skip;
        printf("%.*s %s\n", v->row[i].id.len, v->row[i].id.at,
               fails     ? "fail"
               : is_skip ? "skip"
                         : "pass");
        failed += fails != 0;
    }
    free(wrong);
    return failed;
}

int main(int argc, char **argv)
{
    struct gcncheck_vectors f;
    struct gcncheck_vector v;
    unsigned failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s RECORDING\n", argv[0]);
        return 2;
    }
    if (gcncheck_vectors_open(&f, argv[1]) == 0)
        while (gcncheck_vectors_next(&f, &v)) {
            if (!f.has_answer) {
                snprintf(f.error, sizeof f.error, "%.*s has no answer",
                         v.id.len > 100 ? 100 : v.id.len, v.id.at);
                break;
            }
            failed += judge(&v, &f.answer);
        }
    if (f.error[0])
        fprintf(stderr, "%s: %s\n", argv[1], f.error);
    failed = f.error[0] ? 2 : failed ? 1 : 0;
    gcncheck_vectors_close(&f);
    return (int)failed;
}
