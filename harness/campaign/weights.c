/* Files of weights. */
#include "harness/campaign/weights.h"

#include "harness/case/only.h"
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "harness/io/number.h"

static const char blanks[] = " \t";

/* One line without its comment: name, slash and form if there are, weight. */
struct weight_line {
    struct only_name name;
    const char *form;
    size_t form_len;
    u64 weight;
};

static size_t trimmed(const char *text, size_t len)
{
    while (len && strchr(blanks, text[len - 1]))
        len--;
    return len;
}

static enum status parse(const char *text, size_t len, struct weight_line *l, struct err *e)
{
    size_t name = strcspn(text, blanks), slash = strcspn(text, "/");
    name = name < len ? name : len;
    size_t at = name + strspn(text + name, blanks);
    l->name = (struct only_name){ text, (u32)(slash < name ? slash : name) };
    l->form = slash < name ? text + slash + 1 : NULL;
    l->form_len = slash < name ? name - slash - 1 : 0;
    if (at >= len)
        return err_set(e, ST_INPUT, "'%.*s' has no weight", (int)(name < 60 ? name : 60), text);
    if (!number_u64_span(text + at, len - at, &l->weight) || l->weight > WEIGHT_MAX)
        return err_set(e, ST_INPUT, "'%.*s' is no weight: a whole number from 0 to %d",
                       (int)(len - at < 60 ? len - at : 60), text + at, WEIGHT_MAX);
    return ST_OK;
}

static bool has_form(const struct weight_line *l, u32 form)
{
    return !l->form ||
           (strlen(isa_form_names[form]) == l->form_len &&
            memcmp(isa_form_names[form], l->form, l->form_len) == 0) ||
           (form == FORM_BASE && l->form_len == 4 && memcmp(l->form, "base", 4) == 0);
}

static enum status apply(const struct isa *isa, const struct weight_line *l,
                         u32 weight[OPS_MAX][FORM_COUNT], struct err *e)
{
    bool is_form = false;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        u32 forms = isa_forms((enum gen)isa->target->gen, &isa_rows[op]);
        if (!isa_has(isa, op) || !(only_is(&l->name, "*") || only_is_op(&l->name, isa, op)))
            continue;
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (has_form(l, form) && forms >> form & 1) {
                weight[op][form] = (u32)l->weight;
                is_form = true;
            }
    }
    enum status st = only_is(&l->name, "*") ? ST_OK : only_check(&l->name, "", isa, e);
    if (st != ST_OK || is_form)
        return st;
    return err_set(e, ST_INPUT, "'%.*s' has no form '%.*s'",
                   (int)(l->name.len < 60 ? l->name.len : 60), l->name.text,
                   (int)(l->form_len < 60 ? l->form_len : 60), l->form);
}

enum status weights_read(const struct isa *isa, const char *path, u32 weight[OPS_MAX][FORM_COUNT],
                         struct err *e)
{
    struct lines l = { .file = NULL };
    const char *text;
    enum status st = lines_open(&l, path, e);
    if (st != ST_OK)
        return st;
    while (st == ST_OK && (text = lines_next(&l))) {
        struct weight_line line;
        text += strspn(text, blanks);
        size_t len = trimmed(text, strcspn(text, "#"));
        if (len)
            st = parse(text, len, &line, e);
        if (len && st == ST_OK)
            st = apply(isa, &line, weight, e);
    }
    if (st == ST_OK)
        st = lines_status(&l, e);
    if (st == ST_INPUT)
        file_error(e, path, (int)l.number);
    lines_close(&l);
    return st;
}
