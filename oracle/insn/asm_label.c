#include "oracle/insn/asm_label.h"

static const struct asm_label *find_label(const struct asm_labels *labels, const char *name,
                                          u32 len)
{
    for (u32 i = 0; i < labels->count; i++)
        if (labels->label[i].len == len && memcmp(labels->label[i].name, name, len) == 0)
            return &labels->label[i];
    return NULL;
}

bool asm_label_distance(const struct asm_labels *labels, const char *name, u32 len, i64 *distance)
{
    const struct asm_label *label = find_label(labels, name, len);
    *distance = label ? (i64)label->at - (i64)labels->next : 0;
    return label || !labels->complete;
}

enum status asm_label_add(struct asm_labels *labels, const char *name, u32 len, u32 at,
                          struct err *e)
{
    if (find_label(labels, name, len))
        return err_set(e, ST_INPUT, "label '%.*s' stands here a second time", (int)len, name);
    if (labels->count == LABELS_MAX)
        return err_set(e, ST_INPUT, "more than %d labels", LABELS_MAX);
    labels->label[labels->count++] = (struct asm_label){ name, len, at };
    return ST_OK;
}
