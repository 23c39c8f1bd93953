/* The journal: what was written comes back; whatever happens to the file, what came before it is
 * read, and one line says what is wrong. */
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"
#include "reports/journal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[TEMP_NAME_BYTES];
static char path[TEMP_NAME_BYTES + 16];

static const struct journal_head head = {
    .version = "0.1",
    .mcpu = "gfx900",
    .dut = "plugin:./a.so",
    .args = "run cases --dut plugin:./a.so",
    .seed_first = 5,
    .seed_count = UINT64_MAX,
};

static void fill(struct result *r, u32 n)
{
    result_init(r);
    r->status = n % RESULT_STATUS_COUNT;
    if (r->status == RESULT_OK) {
        RESULT_SET(r->id, "gfx900/sop2/s_add_u32/base#row-%u", n);
        return;
    }
    for (u32 i = 0; i < RESULT_TEXTS; i++)
        result_text((char *)r + result_texts[i].offset, result_texts[i].size, "%s %u",
                    result_texts[i].name, n);
    RESULT_SET(r->again, "gcncheck run %u", n); /* anything else is read as edited */
    snprintf(r->program, sizeof r->program, "s_nop 0\ns_nop %u\n", n);
    r->line = n;
    r->dwords[0] = 0xffffffff;
    r->dword_count = 1;
    for (u32 i = 0; i < n; i++) {
        struct result_diff *d = result_add_diff(r);
        for (u32 k = 0; d && k < RESULT_DIFF_TEXTS; k++)
            result_text((char *)d + result_diff_texts[k].offset, result_diff_texts[k].size, "%s %u",
                        result_diff_texts[k].name, i);
        if (d)
            d->lane = (i32)i - 1;
    }
}

static void must(enum status st, const struct err *e)
{
    if (st)
        bail("%s", e->text);
}

/* Writes `count` results in batches of two, and a table row. */
static void write_journal(u32 count, bool complete)
{
    struct journal *j;
    struct err e = { 0 };
    static const struct journal_row row = { "kernels", 2, { "vadd_f32", "matches" } };
    unlink(path); /* one test leaves what is no journal, which is not overwritten */
    must(journal_create(path, false, &head, &j, &e), &e);
    for (u32 i = 0; i < count; i++) {
        struct result r;
        if (i % 2 == 0)
            must(journal_intent(j, i, count - i < 2 ? count - i : 2, &e), &e);
        fill(&r, i);
        must(journal_result(j, &r, &e), &e);
        if (i % 2)
            must(journal_flush(j, &e), &e);
    }
    must(journal_row(j, &row, &e), &e);
    must(journal_close(j, complete, &e), &e);
}

struct tally {
    enum status st;
    struct err e;
    u64 heads, intents, results, rows, ends, wrong;
    u64 torn_bytes, lost, parts, parts_ended, offset, damages;
    char damage[96];
};

/* Reads the journal, comparing each result with the one that was written. */
static struct tally read_journal(void)
{
    static struct journal_record rec;
    struct tally t = { 0 };
    struct journal_reader rd;
    t.st = journal_reader_open(&rd, path, &t.e);
    if (t.st)
        return t;
    while (!(t.st = journal_next(&rd, &rec, &t.e)) && rec.kind != JOURNAL_NONE) {
        struct result want;
        t.heads += rec.kind == JOURNAL_HEAD;
        t.intents += rec.kind == JOURNAL_INTENT;
        t.rows += rec.kind == JOURNAL_ROW;
        t.ends += rec.kind == JOURNAL_END;
        if (rec.kind == JOURNAL_RESULT) {
            fill(&want, (u32)t.results++);
            t.wrong += memcmp(&want, &rec.result, sizeof(want)) != 0;
        }
    }
    t.torn_bytes = rd.torn_bytes;
    t.lost = rd.lost;
    t.parts = rd.parts;
    t.parts_ended = rd.parts_ended;
    t.offset = rd.offset;
    t.damages = rd.damages;
    memcpy(t.damage, rd.damage[0], sizeof t.damage);
    journal_reader_close(&rd);
    return t;
}

static u8 *slurp(size_t *size)
{
    struct stat s;
    int fd = open(path, O_RDONLY);
    u8 *bytes = NULL;
    if (fd < 0 || fstat(fd, &s) || !(bytes = malloc((size_t)s.st_size + 1)) ||
        read(fd, bytes, (size_t)s.st_size) != s.st_size)
        bail("cannot read %s", path);
    close(fd);
    *size = (size_t)s.st_size;
    return bytes;
}

static void spill(const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd))
        bail("cannot write %s", path);
}

static void round_trip(void)
{
    struct journal_reader rd;
    static struct journal_record rec;
    struct err e = { 0 };
    size_t size, again;
    write_journal(40, true);
    struct tally t = read_journal();
    is_i64(ST_OK, t.st, "a whole journal: %s", t.e.text);
    is_u64(1, t.heads, "one head");
    is_u64(20, t.intents, "twenty intents");
    is_u64(40, t.results, "forty results");
    is_u64(0, t.wrong, "all of them as written");
    is_u64(1, t.rows, "one row");
    is_u64(1, t.ends, "one end");
    is_u64(1, t.parts_ended, "which counts right");
    is_u64(0, t.lost + t.torn_bytes, "nothing lost or torn");

    must(journal_reader_open(&rd, path, &e), &e);
    must(journal_next(&rd, &rec, &e), &e);
    is_i64(JOURNAL_HEAD, rec.kind, "the head comes first");
    is_mem(&head, &rec.head, sizeof(head), "as written");
    must(journal_next(&rd, &rec, &e), &e);
    is_i64(JOURNAL_INTENT, rec.kind, "then an intent");
    is_u64(0, rec.first, "of cases from 0");
    is_u64(2, rec.count, "two of them");
    while (rec.kind != JOURNAL_ROW)
        must(journal_next(&rd, &rec, &e), &e);
    is_str("kernels", rec.row.table, "the row's table");
    is_u64(2, rec.row.count, "has two cells");
    is_str("matches", rec.row.cell[1], "as written");
    journal_reader_close(&rd);

    u8 *one = slurp(&size);
    write_journal(40, true);
    u8 *two = slurp(&again);
    ok(size == again && memcmp(one, two, size) == 0, "the same run gives the same bytes");

    u8 *both = malloc(2 * size);
    if (!both)
        bail("no memory");
    memcpy(both, one, size);
    memcpy(both + size, two, size);
    spill(both, 2 * size);
    t = read_journal();
    is_u64(2, t.parts, "two journals behind one another are two parts");
    is_u64(2, t.parts_ended, "both whole");
    is_u64(80, t.results, "with all results");
    free(one);
    free(two);
    free(both);
}

/* Cut at every byte of the last record that holds a result, and at every byte of the end record. */
static void torn_tail(void)
{
    size_t size;
    write_journal(4, true);
    u8 *bytes = slurp(&size);
    u64 starts[3] = { 0 }; /* of the last three records: result 3, row, end */
    struct journal_reader rd;
    static struct journal_record rec;
    struct err e = { 0 };
    must(journal_reader_open(&rd, path, &e), &e);
    do {
        memmove(starts, starts + 1, sizeof(starts[0]) * 2);
        starts[2] = rd.offset;
        must(journal_next(&rd, &rec, &e), &e);
    } while (rec.kind != JOURNAL_END);
    journal_reader_close(&rd);

    u32 bad = 0, points = 0;
    for (u64 cut = starts[0]; cut < starts[1]; cut++, points++) {
        spill(bytes, cut);
        struct tally t = read_journal();
        bad += t.st != ST_OK || t.results != 3 || t.wrong || t.torn_bytes != cut - starts[0] ||
               t.offset != starts[0] || t.lost != 1 || t.parts_ended;
    }
    ok(points > 100, "%u places to cut the last result", points);
    is_u64(0, bad, "each time three results, the torn bytes and one lost result are told");
    bad = 0;
    for (u64 cut = starts[2]; cut < size; cut++) {
        spill(bytes, cut);
        struct tally t = read_journal();
        bad += t.st != ST_OK || t.results != 4 || t.torn_bytes != cut - starts[2] ||
               t.parts_ended || t.lost;
    }
    is_u64(0, bad, "without its count record a journal has not ended");
    free(bytes);
}

static void says(const char *what, const void *bytes, size_t size, const char *want)
{
    char line[256];
    spill(bytes, size);
    struct tally t = read_journal();
    snprintf(line, sizeof(line), "%s: %s", path, want);
    is_i64(ST_INPUT, t.st, "%s is refused", what);
    is_str(line, t.e.text, "%s: one line says why", what);
}

static void garbage(void)
{
    static const u8 huge_array[] = { 0xdd, 0xff, 0xff, 0xff, 0xff };
    static const u8 huge_string[] = { 0x92, 0xdb, 0xff, 0xff, 0xff, 0xff };
    static const u8 huge_map[] = { 0x92, 0xa4, 'h', 'e', 'a', 'd', 0xdf, 0xff, 0xff, 0xff, 0xff };
    static const u8 no_kind[] = { 0x92, 1, 2 };
    static const u8 no_version[] = { 0x92, 0xa4, 'h', 'e', 'a', 'd', 0x80 };
    static const u8 no_head[] = { 0x92, 0xa3, 'e', 'n', 'd', 0 };
    says("an empty file", "", 0, "not a gcncheck journal");
    says("a text", "hello, world\n", 13, "not a gcncheck journal");
    says("a huge array", huge_array, sizeof(huge_array), "not a gcncheck journal");
    says("a huge string", huge_string, sizeof(huge_string), "not a gcncheck journal");
    says("a huge map", huge_map, sizeof(huge_map), "not a gcncheck journal");
    says("a record without a kind", no_kind, sizeof(no_kind), "not a gcncheck journal");
    says("a head without its version", no_version, sizeof(no_version), "not a gcncheck journal");
    says("a record before the head", no_head, sizeof(no_head), "not a gcncheck journal");

    size_t size;
    write_journal(4, true);
    u8 *bytes = slurp(&size);
    struct rng rng;
    u32 crashes = 0, told = 0;
    rng_seed(&rng, 1);
    for (u32 i = 0; i < 3000; i++) {
        u8 *copy = malloc(size);
        if (!copy)
            bail("no memory");
        memcpy(copy, bytes, size);
        for (u32 k = 0; k < 1 + i % 4; k++)
            copy[rng_below(&rng, (u32)size)] = (u8)rng_u64(&rng);
        spill(copy, size);
        struct tally t = read_journal();
        crashes += t.st != ST_OK && t.st != ST_INPUT;
        told += t.st == ST_INPUT ? strncmp(t.e.text, path, strlen(path)) == 0
                                 : t.damages || t.torn_bytes || t.parts != t.parts_ended ||
                                       memcmp(copy, bytes, size) == 0;
        free(copy);
    }
    is_u64(0, crashes, "3000 damaged journals are read or refused");
    is_u64(3000, told, "and each is told");

    /* Damage in the middle: what stands before it is read. */
    struct journal_reader rd;
    static struct journal_record rec;
    struct err e = { 0 };
    char want[128];
    spill(bytes, size);
    must(journal_reader_open(&rd, path, &e), &e);
    for (u32 n = 0; n < 2;) {
        must(journal_next(&rd, &rec, &e), &e);
        n += rec.kind == JOURNAL_RESULT;
    }
    u64 at = rd.offset;
    journal_reader_close(&rd);
    bytes[at] = 0xc1;
    spill(bytes, size);
    struct tally t = read_journal();
    snprintf(want, sizeof(want), "damaged from byte %llu to ", (unsigned long long)at);
    ok(strncmp(want, t.damage, strlen(want)) == 0, "damage is placed: %s", t.damage);
    is_u64(1, t.damages, "once");
    is_u64(4, t.results, "and the results around it are there");
    is_u64(0, t.wrong, "as written");
    free(bytes);

    unlink(path);
    t = read_journal();
    is_i64(ST_INPUT, t.st, "a file that is not there is refused");
    ok(strstr(t.e.text, "No such file") != NULL, "%s", t.e.text);
}

/* A writer that is killed keeps what it has flushed. */
static void killed_writer(void)
{
    int fd[2];
    char byte;
    if (pipe(fd))
        bail("no pipe");
    pid_t child = fork();
    if (child < 0)
        bail("no fork");
    if (!child) {
        struct journal *j;
        struct err e = { 0 };
        struct result r;
        must(journal_create(path, false, &head, &j, &e), &e);
        must(journal_intent(j, 0, 5, &e), &e);
        for (u32 i = 0; i < 3; i++) {
            fill(&r, i);
            must(journal_result(j, &r, &e), &e);
            if (i == 1)
                must(journal_flush(j, &e), &e);
        }
        if (write(fd[1], "", 1) != 1)
            _exit(1);
        alarm(60); /* never outlives a parent that was killed itself */
        for (;;)
            pause();
    }
    close(fd[1]);
    if (read(fd[0], &byte, 1) != 1)
        bail("the writer said nothing");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(fd[0]);

    struct tally t = read_journal();
    is_i64(ST_OK, t.st, "a killed writer's journal is read");
    is_u64(2, t.results, "with the results of its flushed batch");
    is_u64(3, t.lost, "and the count of those that were meant to come");
    is_u64(0, t.parts_ended, "it did not end");
}

static void resume(void)
{
    struct journal *j;
    struct err e = { 0 };
    struct result r;
    u64 results = 0;
    size_t size;
    write_journal(4, false);
    u8 *bytes = slurp(&size);
    spill(bytes, size - 5); /* the row is torn */
    free(bytes);
    must(journal_resume(path, &head, &j, &results, &e), &e);
    is_u64(4, results, "four results are there already");
    fill(&r, 4);
    must(journal_result(j, &r, &e), &e);
    must(journal_close(j, true, &e), &e);
    struct tally t = read_journal();
    is_i64(ST_OK, t.st, "the resumed journal is good: %s", t.e.text);
    is_u64(5, t.results, "it holds one more");
    is_u64(0, t.wrong, "all as written");
    is_u64(1, t.parts_ended, "and ends");
    is_u64(0, t.rows, "without the torn row");

    struct journal_head other = head;
    other.seed_first++;
    is_i64(ST_INPUT, journal_resume(path, &other, &j, &results, &e), "another run's journal");
    ok(strstr(e.text, "belongs to another run") != NULL, "%s", e.text);
    spill("hello", 5);
    is_i64(ST_INPUT, journal_resume(path, &head, &j, &results, &e), "no journal is not resumed");
    is_i64(ST_INPUT, journal_create(path, false, &head, &j, &e), "nor overwritten");
    bytes = slurp(&size);
    ok(size == 5 && memcmp(bytes, "hello", 5) == 0, "it is as it was");
    free(bytes);
    unlink(path);
    must(journal_resume(path, &head, &j, &results, &e), &e);
    must(journal_close(j, true, &e), &e);
    is_i64(ST_OK, read_journal().st, "a journal that was not there is begun");
}

/* ---- states ---- */

enum { STATE_LONG = 3 * (JOURNAL_RECORD_MAX / 2) + 17 };

/* Byte `at` of the nth state. */
static u8 state_byte(u32 n, size_t at)
{
    return (u8)(hash_mix(n, at) >> 7);
}

static void put_state(struct journal *j, u32 n, size_t size)
{
    struct err e = { 0 };
    u8 *bytes = malloc(size + 1);
    if (!bytes)
        bail("no memory");
    for (size_t i = 0; i < size; i++)
        bytes[i] = state_byte(n, i);
    must(journal_state(j, bytes, size, &e), &e);
    must(journal_flush(j, &e), &e);
    free(bytes);
}

/* States that were handed over: how many, their sizes in all, and bytes that are not as written. */
struct states {
    bool refuses_all;
    u32 count, refused; /* the number of the one that is refused */
    u64 size, wrong;
};

static enum status take_state(void *arg, const u8 *bytes, size_t size, struct err *e)
{
    struct states *s = arg;
    if (s->count == s->refused)
        return err_set(e, ST_INPUT, "is of another DUT");
    for (size_t i = 0; i < size; i++)
        s->wrong += bytes[i] != state_byte(s->count, i);
    s->size += size;
    s->count++;
    return ST_OK;
}

/* head, state 0, result, state 1 (long), result, state 2 (empty), `results` results, a row. */
static void write_states(u32 results)
{
    static const struct journal_row row = { "fuzz", 1, { "streams" } };
    struct journal *j;
    struct err e = { 0 };
    struct result r;
    unlink(path);
    must(journal_create(path, false, &head, &j, &e), &e);
    for (u32 i = 0; i < 3; i++) {
        put_state(j, i, i == 0 ? 9 : i == 1 ? (size_t)STATE_LONG : 0);
        fill(&r, i);
        if (i < 2)
            must(journal_result(j, &r, &e), &e);
    }
    for (u32 i = 0; i < results; i++) {
        fill(&r, 7);
        must(journal_result(j, &r, &e), &e);
    }
    must(journal_row(j, &row, &e), &e);
    must(journal_close(j, results == 0, &e), &e);
}

static enum status took_states(void *arg, struct err *e)
{
    const struct states *s = arg;
    return s->refuses_all ? err_set(e, ST_INPUT, "is of another file") : ST_OK;
}

static enum status resume_states(const struct journal_head *h, struct states *s, struct journal **j,
                                 struct err *e)
{
    const struct journal_taker taker = { .take = take_state, .taken = took_states, .arg = s };
    return journal_resume_states(path, h, &taker, j, e);
}

/* Goes on with a journal cut off at `size` bytes; answers what was handed over. */
static struct states go_on(size_t size, u32 results)
{
    struct states s = { .refused = UINT32_MAX };
    struct journal *j;
    struct err e = { 0 };
    write_states(results);
    if (size && truncate(path, (off_t)size) != 0)
        bail("cannot cut %s", path);
    must(resume_states(&head, &s, &j, &e), &e);
    must(journal_close(j, false, &e), &e);
    return s;
}

static void states(void)
{
    struct journal *j;
    struct err e = { 0 };
    size_t size;
    write_states(2);
    free(slurp(&size));
    struct states s = go_on(0, 2);
    struct tally t = read_journal();
    is_u64(3, s.count, "every state is handed over");
    is_u64(9 + STATE_LONG, s.size, "whole, the one in four records as well");
    is_u64(0, s.wrong, "as it was written");
    is_u64(2, t.results, "the results behind the last are gone, those before are not");
    is_u64(0, t.rows, "nor is the row there any more");
    is_u64(0, t.wrong + t.damages, "and nothing is damaged");
    go_on(0, 0);
    is_u64(0, read_journal().parts_ended, "one that had come to its end has none any more");

    u32 bad = 0, last = 0;
    size_t step = size / 97;
    for (size_t cut = 1; cut < size; cut += step) {
        write_states(2);
        if (truncate(path, (off_t)cut) != 0)
            bail("cannot cut %s", path);
        s = (struct states){ .refused = UINT32_MAX };
        enum status st = resume_states(&head, &s, &j, &e);
        if (st != ST_OK && cut > 300)
            diag("cut at %zu: %s", cut, e.text);
        bad += (st != ST_OK && cut > 300) || s.wrong || s.count < last;
        last = s.count;
        if (st != ST_OK)
            continue;
        journal_close(j, false, &e);
        t = read_journal();
        bad += t.damages || t.torn_bytes || t.results > last;
    }
    is_u64(0, bad, "cut off anywhere it goes on with what is whole");
    is_u64(3, last, "which in the end is all");
}

static void other_states(void)
{
    struct states s = { .refused = 1 };
    struct journal *j;
    struct err e = { 0 };
    write_states(0);
    is_i64(ST_INPUT, resume_states(&head, &s, &j, &e), "a state that is not ours ends it");
    ok(strcmp(e.text, "is of another DUT") == 0 && strcmp(e.file, path) == 0, "%s: %s", e.file,
       e.text);
    is_u64(1, read_journal().ends, "the journal stays as it is");
    write_states(2);
    s = (struct states){ .refused = UINT32_MAX, .refuses_all = true };
    is_i64(ST_INPUT, resume_states(&head, &s, &j, &e),
           "nor is one of which all together is not ours");
    ok(strcmp(e.text, "is of another file") == 0 && s.count == 3, "%s: %s", e.file, e.text);
    is_u64(4, read_journal().results, "what is behind the last state stays as well");
    s.refuses_all = false;
    write_journal(2, true);
    is_i64(ST_INPUT, resume_states(&head, &s, &j, &e),
           "results without a state are not gone on with");
    struct journal_head other = head;
    strcpy(other.args, "run other");
    write_journal(0, false);
    e = (struct err){ 0 };
    is_i64(ST_INPUT, resume_states(&other, &s, &j, &e),
           "nor is another command line's, without a state");
    ok(strstr(e.text, "belongs to another run: gcncheck ") != NULL, "%s", e.text);
    is_i64(ST_OK, resume_states(&head, &s, &j, &e), "one with nothing but its head is");
    must(journal_close(j, true, &e), &e);
    write_states(0);
    size_t size;
    u8 *bytes = slurp(&size);
    u8 *twice = malloc(2 * size);
    if (!twice)
        bail("no memory");
    memcpy(twice, bytes, size);
    memcpy(twice + size, bytes, size);
    spill(twice, 2 * size);
    free(twice);
    free(bytes);
    s = (struct states){ .refused = UINT32_MAX };
    is_i64(ST_INPUT, resume_states(&head, &s, &j, &e), "nor are two runs");
}

static void full_disk(void)
{
    struct journal *j;
    struct err e = { 0 };
    is_i64(ST_WORLD, journal_create("/dev/full", false, &head, &j, &e), "a full disk is told");
    ok(strncmp(e.text, "/dev/full: ", 11) == 0, "%s", e.text);
    is_i64(ST_WORLD, journal_create("/nonexistent/x", false, &head, &j, &e), "no folder is told");
    is_i64(ST_OK, journal_close(NULL, true, &e), "closing none is nothing");
}

int main(void)
{
    if (!mkdtemp(temp_name(dir, "t_journal")))
        bail("no temporary folder");
    snprintf(path, sizeof(path), "%s/journal", dir);
    round_trip();
    torn_tail();
    garbage();
    killed_writer();
    resume();
    states();
    other_states();
    full_disk();
    unlink(path);
    rmdir(dir);
    return done();
}
