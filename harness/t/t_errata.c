/* The ledger's entries against the rows, the cases and each other. */
#include "oracle/errata.h"
#include "reports/tap.h"

#include <stdio.h>
#include <unistd.h>

/* Whether every word of the entry's opcodes names something. */
static bool words_match(const struct erratum *entry, char *bad, size_t size)
{
    for (const char *p = entry->opcodes; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        struct erratum one = *entry;
        bool found = false;
        snprintf(bad, size, "%.*s", (int)strcspn(p, " "), p);
        one.opcodes = bad;
        for (u32 op = OP_NONE + 1; op < OP_COUNT && !found; op++)
            found = erratum_touches(&one, (enum isa_op)op);
        if (!found)
            return false;
    }
    return true;
}

static bool witness_exists(const struct erratum *entry)
{
    char path[256];
    snprintf(path, sizeof(path), "cases/%.200s.case", entry->witness);
    return entry->witness[0] == '\0' || access(path, R_OK) == 0;
}

static bool id_is_well_formed(const char *id)
{
    const char *dash = strchr(id, '-');
    return dash && dash > id && (dash[1] == 'C' || dash[1] == 'U') && dash[2] && dash[3] &&
           strspn(dash + 2, "0123456789") == strlen(dash + 2);
}

int main(void)
{
    char bad[128];
    for (u32 i = 0; erratum_at(i); i++) {
        const struct erratum *entry = erratum_at(i);
        bool note = entry->doubt[0] == '\0';
        ok(id_is_well_formed(entry->id), "%s: the id has an area, C or U, and a number", entry->id);
        ok(erratum_find(entry->id, strlen(entry->id)) == entry, "%s: no other entry has the id",
           entry->id);
        ok(entry->model[0] && (note || entry->source[0]), "%s: says what is done and why",
           entry->id);
        ok(words_match(entry, bad, sizeof(bad)), "%s: its opcodes exist%s", entry->id,
           words_match(entry, bad, sizeof(bad)) ? "" : bad);
        ok(witness_exists(entry), "%s: its witness exists", entry->id);
        ok(entry->evidence != EVIDENCE_CAPTURED, "%s: nothing is captured", entry->id);
    }
    ok(errata_weakest("") == EVIDENCE_CAPTURED, "without an entry nothing is in doubt");
    ok(errata_weakest("VALU-C01") == EVIDENCE_AGREED, "one entry decides alone");
    ok(errata_weakest("VALU-C01 NONE-C99") == EVIDENCE_MANUAL, "an unknown id is the weakest");
    return done();
}
