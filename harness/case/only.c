#include "harness/case/only.h"

#include <strings.h>

bool only_first(const char *list, struct only_name *name)
{
    name->text = list;
    name->len = list ? (u32)strcspn(list, ",") : 0;
    return list != NULL;
}

bool only_next(struct only_name *name)
{
    return name->text[name->len] == ',' && only_first(name->text + name->len + 1, name);
}

bool only_is(const struct only_name *name, const char *word)
{
    return strlen(word) == name->len && strncasecmp(word, name->text, name->len) == 0;
}

static bool names_row(const struct only_name *name, isa_op op)
{
    return only_is(name, isa_rows[op].name) || only_is(name, isa_encs[isa_rows[op].enc].name);
}

bool only_is_op(const struct only_name *name, const struct isa *isa, isa_op op)
{
    return isa_has(isa, op) && names_row(name, op);
}

enum status only_check(const struct only_name *name, const char *where, const struct isa *isa,
                       struct err *e)
{
    int len = (int)(name->len < 60 ? name->len : 60);
    bool is_elsewhere = false;
    for (isa_op op = OP_NONE + 1; op < isa_op_count; op++) {
        if (only_is_op(name, isa, op))
            return ST_OK;
        is_elsewhere |= names_row(name, op);
    }
    if (is_elsewhere)
        return err_set(e, ST_INPUT, "%s%.*s is not on %s", where, len, name->text,
                       isa->target->mcpu);
    return err_set(e, ST_INPUT, "%sno mnemonic or encoding '%.*s'", where, len, name->text);
}

enum status only_check_list(const char *list, const char *where, const struct isa *isa,
                            struct err *e)
{
    struct only_name name;
    enum status st = ST_OK;
    for (bool more = only_first(list, &name); more && *name.text && st == ST_OK;
         more = only_next(&name))
        st = only_check(&name, where, isa, e);
    return st;
}

bool only_lists_op(const char *list, const struct isa *isa, isa_op op)
{
    struct only_name name;
    for (bool more = only_first(list, &name); more; more = only_next(&name))
        if (only_is_op(&name, isa, op))
            return true;
    return false;
}

bool only_has(const char *list, const char *word)
{
    struct only_name name;
    for (bool more = only_first(list, &name); more; more = only_next(&name))
        if (only_is(&name, word))
            return true;
    return false;
}
