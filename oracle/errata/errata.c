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

/* Whether a word of a column `opcodes` names the opcode: a pattern of its name, or "ENCODING:". */
static bool word_names(const char *word, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    size_t plain = strcspn(word, "*?[:"); /* what stands before any pattern settles most pairs */
    if (word[plain] == ':') {
        const char *enc = isa_encs[row->enc].name;
        return strlen(enc) == plain && memcmp(enc, word, plain) == 0;
    }
    return strncmp(word, row->name, plain) == 0 && fnmatch(word, row->name, 0) == 0;
}

bool errata_names(const char *opcodes, isa_op op)
{
    char word[64];
    for (const char *p = opcodes; next_word(&p, word, sizeof(word));)
        if (word_names(word, op))
            return true;
    return false;
}

void errata_mark(const char *opcodes, u64 bits, u64 *of_op)
{
    char word[64];
    for (const char *p = opcodes; next_word(&p, word, sizeof(word));)
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
            of_op[op] |= word_names(word, op) ? bits : 0;
}

bool erratum_is_about(const struct erratum *entry, enum gen gen)
{
    bool is_any = true;
    char word[64];
    for (const char *p = entry->opcodes; next_word(&p, word, sizeof(word));)
        for (u32 i = 0; i < GEN_COUNT; i++) {
            if (strcmp(word, isa_gen_name((enum gen)i)) != 0)
                continue;
            if (i == (u32)gen)
                return true;
            is_any = false;
        }
    return is_any;
}

bool erratum_touches(const struct erratum *entry, enum gen gen, isa_op op)
{
    return erratum_is_about(entry, gen) && errata_names(entry->opcodes, op);
}

bool errata_are_about(const char *ids, enum gen gen)
{
    char word[64];
    while (next_word(&ids, word, sizeof(word))) {
        const struct erratum *entry = erratum_find(word, strlen(word));
        if (entry && erratum_is_about(entry, gen))
            return true;
    }
    return false;
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
