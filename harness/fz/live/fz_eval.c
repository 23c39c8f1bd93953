/* `gcncheck eval --jsonl`: lines of questions, each answered by one line of JSON. */
#include "harness/ask/eval.h"
#include "harness/fz/fz.h"

#include <jansson.h>
#include <stdlib.h>

static struct eval *ev;

void fz_open(void)
{
    struct err e = { .text = "" };
    if (eval_open(&ev, "gfx906", "ref", &e) != ST_OK)
        fz_broken("the model opens", e.text);
}

static void check_answers(char *text)
{
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            fz_broken("an answer is a line", line);
        *end = '\0';
        json_t *answer = json_loads(line, 0, NULL);
        if (!json_is_object(answer))
            fz_broken("an answer is a JSON object", line);
        json_decref(answer);
    }
}

bool fz_one(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    char *text = NULL;
    size_t len = 0;
    bool is_useless = true;
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        abort();
    enum status st = in ? eval_jsonl(ev, in, out, &is_useless, &e) : ST_OK;
    if (st != ST_OK)
        fz_check_message(&e);
    if (in)
        fclose(in);
    fclose(out);
    check_answers(text);
    free(text);
    return st == ST_OK && !is_useless;
}
