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

bool only_is_op(const struct only_name *name, const struct isa *isa, isa_op op)
{
    return isa_has(isa, op) &&
           (only_is(name, isa_rows[op].name) || only_is(name, isa_encs[isa_rows[op].enc].name));
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
