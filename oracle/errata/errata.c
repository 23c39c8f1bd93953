#include "oracle/errata/errata.h"

#include <fnmatch.h>

const char *const evidence_names[EVIDENCES] = { "manual", "reported", "agreed", "captured" };

static const struct erratum entries[] = {
#define ERRATUM(id, evidence, opcodes, doubt, model, source, witness) \
    { id, EVIDENCE_##evidence, opcodes, doubt, model, source, witness },
#define NOTE(id, disposition) { id, EVIDENCE_MANUAL, "", "", disposition, "", "" },
#include "oracle/errata/errata.def"
#undef ERRATUM
#undef NOTE
};

enum evidence evidence_named(const char *name)
{
    for (u32 i = 0; i < EVIDENCES && name; i++)
        if (strcmp(name, evidence_names[i]) == 0)
            return (enum evidence)i;
    return EVIDENCE_AGREED;
}

const struct erratum *erratum_at(u32 index)
{
    return index < COUNT_OF(entries) ? &entries[index] : NULL;
}

const struct erratum *erratum_find(const char *id, size_t len)
{
    for (size_t i = 0; i < COUNT_OF(entries); i++)
        if (strlen(entries[i].id) == len && memcmp(entries[i].id, id, len) == 0)
            return &entries[i];
    return NULL;
}

/* Copies the next word of *p and moves behind it; false at the end or if it does not fit. */
static bool next_word(const char **p, char *word, size_t size)
{
    *p += strspn(*p, " ");
    size_t len = strcspn(*p, " ");
    if (len == 0 || len >= size)
        return false;
    memcpy(word, *p, len);
    word[len] = '\0';
    *p += len;
    return true;
}

bool errata_names(const char *opcodes, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    char word[64];
    for (const char *p = opcodes; next_word(&p, word, sizeof(word));) {
        size_t len = strlen(word);
        bool encoding = word[len - 1] == ':';
        if (encoding)
            word[len - 1] = '\0';
        if (encoding ? strcmp(word, isa_encs[row->enc].name) == 0
                     : fnmatch(word, row->name, 0) == 0)
            return true;
    }
    return false;
}

bool erratum_touches(const struct erratum *entry, isa_op op)
{
    return errata_names(entry->opcodes, op);
}

enum evidence errata_weakest(const char *ids)
{
    enum evidence weakest = EVIDENCE_CAPTURED;
    char word[64];
    while (next_word(&ids, word, sizeof(word))) {
        const struct erratum *entry = erratum_find(word, strlen(word));
        enum evidence evidence = entry ? entry->evidence : EVIDENCE_MANUAL;
        if (evidence < weakest)
            weakest = evidence;
    }
    return weakest;
}
