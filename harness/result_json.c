#include "harness/result_json.h"

#include <jansson.h>
#include <stdlib.h>

static void put(json_t *o, const char *key, const char *text)
{
    /* Texts of results are printable; what is no UTF-8 all the same is left out. */
    json_t *s = text[0] ? json_string(text) : NULL;
    if (s)
        json_object_set_new(o, key, s);
}

static json_t *diffs(const struct result *r)
{
    json_t *list = json_array();
    for (u32 i = 0; i < result_diffs_held(r); i++) {
        const struct result_diff *d = &r->diff[i];
        json_t *o = json_object();
        put(o, "place", d->place);
        if (d->lane >= 0)
            json_object_set_new(o, "lane", json_integer(d->lane));
        put(o, "want", d->want);
        put(o, "got", d->got);
        put(o, "note", d->note);
        put(o, "acceptance", d->acceptance);
        json_array_append_new(list, o);
    }
    return list;
}

void result_json(FILE *out, const struct result *r)
{
    json_t *o = json_object();
    put(o, "status", result_status_name(r->status));
    put(o, "id", r->id);
    put(o, "title", r->title);
    put(o, "file", r->file);
    if (r->line)
        json_object_set_new(o, "line", json_integer(r->line));
    put(o, "encoding", r->encoding);
    put(o, "mnemonic", r->mnemonic);
    put(o, "form", r->form);
    put(o, "mcpu", r->mcpu);
    put(o, "dut", r->dut);
    put(o, "against", r->against);
    put(o, "reason", r->reason);
    put(o, "detail", r->detail);
    put(o, "narrowed", r->narrowed);
    put(o, "ledger", r->ledger);
    put(o, "insn", r->insn);
    put(o, "program", r->program);
    put(o, "inputs", r->inputs);
    if (r->diff_count) {
        json_object_set_new(o, "diff_count", json_integer(r->diff_count));
        json_object_set_new(o, "diff", diffs(r));
    }
    put(o, "model", r->model);
    put(o, "again", r->again);
    char *line = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);
    if (line)
        fprintf(out, "%s\n", line);
    free(line);
    json_decref(o);
}
