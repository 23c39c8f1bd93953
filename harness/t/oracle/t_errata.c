/* The ledger's entries against the rows, the cases and each other. */
#include "harness/t/lib/tap_test.h"
#include "oracle/errata/errata.h"

#include <stdio.h>
#include <unistd.h>

static bool names_generation(const char *word)
{
    for (u32 gen = 0; gen < GEN_COUNT; gen++)
        if (strcmp(word, isa_gen_name((enum gen)gen)) == 0)
            return true;
    return false;
}

/* Whether every word of the entry's opcodes names something. */
static bool words_match(const struct erratum *entry, char *bad, size_t size)
{
    for (const char *p = entry->opcodes; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        snprintf(bad, size, "%.*s", (int)strcspn(p, " "), p);
        bool found = names_generation(bad);
        for (u32 op = OP_NONE + 1; op < isa_op_count && !found; op++)
            found = errata_names(bad, op);
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

/* A witness named as an opcode is about one that the entry names. */
static bool witness_is_touched(const struct erratum *entry)
{
    const char *slash = strchr(entry->witness, '/');
    bool is_opcode = false;
    for (u32 op = OP_NONE + 1; slash && entry->opcodes[0] && op < isa_op_count; op++) {
        if (strcmp(isa_rows[op].name, slash + 1) != 0)
            continue;
        if (errata_names(entry->opcodes, op))
            return true;
        is_opcode = true;
    }
    return !is_opcode;
}

/* Without a witness: the words that say why nothing can be observed. */
static bool absence_is_explained(const struct erratum *entry)
{
    static const char *const reasons[] = { "observed", "stop", "legal", "described only",
                                           "has no time" };
    bool note = entry->doubt[0] == '\0';
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        if (strstr(entry->model, reasons[i]))
            return true;
    return note || entry->witness[0];
}

static bool id_is_well_formed(const char *id)
{
    const char *dash = strchr(id, '-');
    return dash && dash > id && (dash[1] == 'C' || dash[1] == 'U') && dash[2] && dash[3] &&
           strspn(dash + 2, "0123456789") == strlen(dash + 2);
}

/* How many statements of each area were found doubtful: wrong or at odds, and left open. */
static const struct {
    const char *name;
    u32 wrong, open;
} areas[] = { { "STATE", 24, 23 }, { "FLOW", 17, 21 }, { "SALU", 23, 17 }, { "VALU", 42, 44 },
              { "MOD", 11, 13 },   { "IDX", 6, 9 },    { "PK", 8, 10 },    { "MAI", 10, 10 },
              { "SMEM", 16, 14 },  { "BUF", 19, 23 },  { "MIMG", 19, 22 }, { "FLAT", 16, 13 },
              { "DS", 15, 18 },    { "EXP", 9, 5 },    { "TRAP", 6, 13 },  { "HAZ", 6, 11 },
              { "GEN", 2, 6 },     { "GCN1", 0, 11 },  { "GCN2", 0, 10 },  { "GCN3", 0, 15 },
              { "MEM", 1, 7 } };

/* Ids NAME-KIND01 to NAME-KINDcount: the first without an entry, 0 if there is none. */
static u32 first_hole(const char *name, char kind, u32 count)
{
    char id[32];
    for (u32 n = 1; n <= count; n++) {
        snprintf(id, sizeof(id), "%s-%c%02u", name, kind, n);
        if (!erratum_find(id, strlen(id)))
            return n;
    }
    return 0;
}

static void check_areas(void)
{
    u32 sum = 0, entries = 0;
    for (size_t i = 0; i < COUNT_OF(areas); i++) {
        u32 wrong = first_hole(areas[i].name, 'C', areas[i].wrong);
        u32 open = first_hole(areas[i].name, 'U', areas[i].open);
        ok(!wrong, "%s: what is wrong is there without a hole (C%02u)", areas[i].name, wrong);
        ok(!open, "%s: what is open is there without a hole (U%02u)", areas[i].name, open);
        sum += areas[i].wrong + areas[i].open;
    }
    while (erratum_at(entries))
        entries++;
    ok(entries == sum, "there are %u entries, and nothing beside the areas' %u", entries, sum);
}

/* Every id that a case names has an entry. */
static void check_cases(void)
{
    char line[512];
    u32 named = 0;
    FILE *in = popen("grep -rhE --include='*.case' '^errata ' cases | sort -u", "r");
    ok(in != NULL, "cases can be searched");
    while (in && fgets(line, sizeof(line), in)) {
        line[strcspn(line, "\n")] = '\0';
        for (char *p = line + strlen("errata"); *(p += strspn(p, " ")); p += strcspn(p, " ")) {
            int len = (int)strcspn(p, " ");
            ok(erratum_find(p, (size_t)len) != NULL, "%.*s, which cases name, has an entry", len,
               p);
            named++;
        }
    }
    ok(in && pclose(in) == 0 && named > 100, "cases name %u entries", named);
}

/* Whether what follows "ERRATA" in a comment is "(ID):" or "(ID ID):", of ids that have entries. */
static bool marker_is_good(const char *p)
{
    u32 ids = 0;
    if (*p++ != '(')
        return false;
    for (size_t len; (len = strcspn(p, " )")) > 0; p += len + (p[len] == ' '), ids++)
        if (!erratum_find(p, len))
            return false;
    return ids && strncmp(p, "):", 2) == 0;
}

/* Comments that the model follows no manual name the entry that says why. */
static void check_comments(void)
{
    char line[512];
    u32 markers = 0, wrong = 0;
    FILE *in = popen(
        "grep -rnE --include='*.[ch]' --include='*.def' 'ERRATA[^_]' oracle fuzz reports harness |"
        " grep -v '^harness/t/'",
        "r");
    ok(in != NULL, "comments can be searched");
    while (in && fgets(line, sizeof(line), in)) {
        markers++;
        if (marker_is_good(strstr(line, "ERRATA") + strlen("ERRATA")))
            continue;
        wrong++;
        diag("%s", line);
    }
    ok(in && pclose(in) == 0 && markers >= 30, "%u comments say ERRATA", markers);
    is_u64(0, wrong, "each names its entries");
    ok(marker_is_good("(VALU-C10): x") && marker_is_good("(MOD-C08 MOD-C09): x"), "good ones");
    ok(!marker_is_good(": x") && !marker_is_good("(): x") && !marker_is_good("(VALU-C99): x") &&
           !marker_is_good("(VALU-C10 x): x") && !marker_is_good("(VALU-C10) x"),
       "without an entry, with one that is not there, and half of one are refused");
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
        ok(witness_is_touched(entry), "%s: %s is about an opcode of it", entry->id, entry->witness);
        ok(absence_is_explained(entry), "%s: has a witness, or says why not", entry->id);
        ok(entry->evidence != EVIDENCE_CAPTURED, "%s: nothing is captured", entry->id);
    }
    check_areas();
    check_cases();
    check_comments();
    ok(errata_weakest("") == EVIDENCE_CAPTURED, "without an entry nothing is in doubt");
    ok(errata_weakest("VALU-C01") == EVIDENCE_AGREED, "one entry decides alone");
    ok(errata_weakest("VALU-C01 NONE-C99") == EVIDENCE_MANUAL, "an unknown id is the weakest");
    return done();
}
