/* The folder of a finding. A new one is made under another name. One that is there may hold what
 * people put beside our files or into them, and that is theirs. */
#include "harness/finding/internal.h"
#include "harness/io/file.h"
#include "reports/file/checksum.h"
#include "reports/file/json_memory.h"
#include "reports/file/output.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 18, FILE_BYTES_MAX = 1 << 24, PATH_BYTES = 1200 };

/* The files beside finding.json. */
enum { REPORT, PROGRAM, CANDIDATE, FILES };
static const char *const names[FILES] = { "report.txt", "program.s", "candidate.case" };

/* What is to be written. */
struct contents {
    char *json;
    char *text[FILES]; /* NULL: the finding has none */
    u32 size[FILES];
};

/* What is known of the folder that is there. */
struct before {
    const char *id; /* of the finding */
    bool has_json;
    bool has_sums; /* its finding.json names the checksums of the files */
    u32 sum[FILES];
    bool is_listed[FILES];
};

/* The checksum of a text without the line that names the folder: a finding is the same wherever it
 * is. The text is taken apart for that and is of no use afterwards. */
static u32 sum_of_text(char *text, size_t size)
{
    static const char line[] = "\n  again:";
    struct checksum c;
    char *at = memmem(text, size, line, sizeof line - 1);
    if (at) {
        size_t from = (size_t)(at - text) + 1;
        const char *end = memchr(text + from, '\n', size - from);
        size_t to = end ? (size_t)(end - text) : size;
        memmove(text + from, text + to, size - to);
        size -= to - from;
    }
    checksum_init(&c);
    return checksum_of(&c, text, size);
}

/* ---- what is to be written ---- */

static void free_contents(struct contents *c)
{
    free(c->json);
    for (u32 i = 0; i < FILES; i++)
        free(c->text[i]);
}

static enum status make_text(const struct isa *isa, const struct finding *f, const char *folder,
                             u32 which, struct contents *c, struct err *e)
{
    struct text t;
    enum status st = ST_OK;
    char *buf = malloc(TEXT_BYTES);
    if (!buf)
        return err_memory(e);
    text_init(&t, buf, TEXT_BYTES);
    if (which == REPORT)
        st = finding_report(isa, f, folder, &t, e);
    else if (which == PROGRAM)
        finding_program_text(isa, f, &t);
    else
        st = finding_case_text(isa, f, &t, e);
    c->text[which] = buf;
    c->size[which] = (u32)t.len;
    return st;
}

static enum status make_contents(const struct isa *isa, const struct finding *f, const char *folder,
                                 struct contents *c, struct err *e)
{
    const char *listed[FILES];
    u32 sums[FILES], count = 0;
    enum status st = ST_OK;
    for (u32 i = 0; i < FILES && st == ST_OK; i++) {
        if (i == CANDIDATE && !finding_has_case(f))
            continue;
        st = make_text(isa, f, folder, i, c, e);
        char *copy = st == ST_OK ? malloc(c->size[i] + 1) : NULL;
        if (st == ST_OK && !copy)
            st = err_memory(e);
        if (copy)
            memcpy(copy, c->text[i], c->size[i]);
        listed[count] = names[i];
        sums[count++] = copy ? sum_of_text(copy, c->size[i]) : 0;
        free(copy);
    }
    if (st == ST_OK && !(c->json = finding_json_text(f, listed, sums, count)))
        st = err_memory(e);
    return st;
}

/* ---- what is there ---- */

static const char *judge_finding(const void *ctx, const u8 *head, size_t size)
{
    (void)ctx;
    return memmem(head, size, "\"gcncheck-finding ", 18) ? NULL : "is no finding of gcncheck";
}

/* Files without a checksum are known by how they begin: a text, of which there is one in `ctx`. */
static const char *judge_text(const void *ctx, const u8 *head, size_t size)
{
    size_t len = strlen(ctx);
    return size >= len && memcmp(head, ctx, len) == 0 ? NULL : "is not ours";
}

static void join(char *path, const char *folder, const char *name)
{
    struct text t;
    text_init(&t, path, PATH_BYTES);
    text_add(&t, "%s/%s", folder, name);
}

/* What finding.json says about the files beside it; a damaged one says nothing. */
static enum status read_sums(const char *folder, struct before *b, struct err *e)
{
    char path[PATH_BYTES];
    u8 *bytes = NULL;
    size_t size;
    b->has_json = b->has_sums = false;
    join(path, folder, "finding.json");
    if (access(path, F_OK) != 0)
        return ST_OK;
    enum status st = file_read(path, FILE_BYTES_MAX, &bytes, &size, e);
    if (st != ST_OK)
        return st == ST_WORLD ? st : ST_OK;
    b->has_json = true;
    json_memory_watch();
    json_t *root = json_loadb((const char *)bytes, size, 0, NULL);
    const json_t *files = json_object_get(root, "files");
    b->has_sums = json_is_object(files);
    for (u32 i = 0; i < FILES; i++) {
        const char *sum = json_string_value(json_object_get(files, names[i]));
        b->is_listed[i] = sum != NULL;
        b->sum[i] = sum ? (u32)strtoul(sum, NULL, 16) : 0;
    }
    json_decref(root);
    free(bytes);
    return json_memory_was_short() ? err_memory(e) : ST_OK;
}

/* Whether one that no checksum is known of begins as ours do: those of the first format. */
static bool begins_as_ours(const char *path, const struct before *b, u32 which)
{
    char begin[FINDING_ID_MAX + 64];
    snprintf(begin, sizeof begin, "%s%s", which == REPORT ? b->id : "",
             which == REPORT    ? ": "
             : which == PROGRAM ? "// "
                                : "case-format 1\n# Found by gcncheck");
    struct output_rule rule = { .judge = judge_text, .ctx = begin };
    return output_may_write(path, "", 0, &rule, NULL) == ST_OK;
}

/* Whether a file that is there was written by us and left as it was. ST_WORLD: it cannot be read
 * for lack of memory or descriptors. */
static enum status look_at(const char *path, const struct before *b, u32 which, bool *is_untouched,
                           struct err *e)
{
    u8 *bytes = NULL;
    size_t size;
    struct stat sb;
    *is_untouched = lstat(path, &sb) != 0;
    if (*is_untouched || !S_ISREG(sb.st_mode))
        return ST_OK;
    if (!b->has_sums) {
        *is_untouched = b->has_json && begins_as_ours(path, b, which);
        return ST_OK;
    }
    if (!b->is_listed[which])
        return ST_OK;
    enum status st = file_read(path, FILE_BYTES_MAX, &bytes, &size, e);
    if (st != ST_OK)
        return st == ST_WORLD ? st : ST_OK;
    *is_untouched = sum_of_text((char *)bytes, size) == b->sum[which];
    free(bytes);
    return ST_OK;
}

enum status finding_is_taken(const struct finding *f, const char *dir, bool *is_taken,
                             struct err *e)
{
    char path[PATH_BYTES];
    u8 *bytes = NULL;
    size_t size;
    struct text t;
    text_init(&t, path, sizeof path);
    text_add(&t, "%s/%s/finding.json", dir, f->id);
    *is_taken = false;
    if (t.full || access(path, F_OK) != 0)
        return ST_OK;
    enum status st = file_read(path, FILE_BYTES_MAX, &bytes, &size, e);
    if (st != ST_OK)
        return st == ST_WORLD ? st : ST_OK;
    json_memory_watch();
    json_t *root = json_loadb((const char *)bytes, size, 0, NULL);
    const char *mcpu = json_string_value(json_object_get(root, "mcpu"));
    const char *dut = json_string_value(json_object_get(root, "dut"));
    bool is_whole = root && finding_check_seal(bytes, size, NULL) == ST_OK;
    *is_taken =
        !is_whole || (mcpu && dut && (strcmp(mcpu, f->mcpu) != 0 || strcmp(dut, f->dut) != 0));
    json_decref(root);
    free(bytes);
    return json_memory_was_short() ? err_memory(e) : ST_OK;
}

/* ---- writing ---- */

static enum status write_json(const struct contents *c, const char *folder, bool force,
                              struct err *e)
{
    char path[PATH_BYTES];
    struct output_rule rule = { .judge = judge_finding, .force = force };
    join(path, folder, "finding.json");
    return output_write(path, c->json, strlen(c->json), &rule, e);
}

/* Which files are ours to replace, before one of them is: *kept as of finding_write. */
static enum status judge_files(const struct contents *c, const char *folder, const struct before *b,
                               bool force, bool is_ours[FILES], const char **kept, struct err *e)
{
    static const struct output_rule all = { .force = true }, none = { .judge = NULL };
    char path[PATH_BYTES];
    enum status st = ST_OK;
    for (u32 i = 0; i < FILES && st == ST_OK; i++) {
        join(path, folder, names[i]);
        bool is_same =
            c->text[i] && output_may_write(path, c->text[i], c->size[i], &none, NULL) == ST_OK;
        is_ours[i] = is_same || force;
        if (!is_ours[i])
            st = look_at(path, b, i, &is_ours[i], e);
        if (st == ST_OK && !is_ours[i])
            *kept = names[i];
        else if (st == ST_OK && c->text[i] && !is_same)
            st = output_may_write(path, "", 0, &all, e);
    }
    return st;
}

/* Into a folder that is there. */
static enum status replace(const struct contents *c, const char *folder, const char *id, bool force,
                           const char **kept, struct err *e)
{
    static const struct output_rule all = { .force = true };
    char path[PATH_BYTES];
    struct output_rule json = { .judge = judge_finding, .force = force };
    struct before b = { .id = id };
    bool is_ours[FILES];
    join(path, folder, "finding.json");
    enum status st = output_may_write(path, "", 0, &json, e);
    if (st == ST_OK)
        st = read_sums(folder, &b, e);
    if (st == ST_OK)
        st = judge_files(c, folder, &b, force, is_ours, kept, e);
    for (u32 i = 0; i < FILES && st == ST_OK; i++) {
        join(path, folder, names[i]);
        if (is_ours[i] && c->text[i])
            st = output_write(path, c->text[i], c->size[i], &all, e);
        else if (is_ours[i])
            unlink(path);
    }
    return st == ST_OK ? write_json(c, folder, force, e) : st;
}

/* What a writer that was killed left behind. */
static void remove_hidden(const char *folder)
{
    char path[PATH_BYTES];
    for (u32 i = 0; i < FILES; i++) {
        join(path, folder, names[i]);
        unlink(path);
    }
    join(path, folder, "finding.json");
    unlink(path);
    rmdir(folder);
}

static enum status make(const struct contents *c, const char *dir, const char *id,
                        const char *folder, struct err *e)
{
    char hidden[PATH_BYTES], path[PATH_BYTES];
    struct text t;
    text_init(&t, hidden, sizeof hidden);
    text_add(&t, "%s/.%s.part", dir, id);
    remove_hidden(hidden);
    enum status st = file_make_dir(hidden, e);
    for (u32 i = 0; i < FILES && st == ST_OK; i++) {
        join(path, hidden, names[i]);
        if (c->text[i])
            st = output_put(path, c->text[i], c->size[i], e);
    }
    join(path, hidden, "finding.json");
    if (st == ST_OK)
        st = output_put(path, c->json, strlen(c->json), e);
    if (st == ST_OK && rename(hidden, folder) != 0)
        st = err_set(e, ST_WORLD, "cannot write %.150s: %s", folder, strerror(errno));
    if (st != ST_OK)
        remove_hidden(hidden);
    return st;
}

enum status finding_write(const struct isa *isa, const struct finding *f, const char *dir,
                          bool force, const char **kept, struct err *e)
{
    char folder[1024];
    struct stat sb;
    struct contents c = { .json = NULL };
    const char *edited = NULL;
    int n = snprintf(folder, sizeof folder, "%s/%s", dir, f->id);
    if (n < 0 || (size_t)n >= sizeof folder)
        return err_set(e, ST_INPUT, "the name of a folder is too long: %.60s...", dir);
    enum status st = file_make_dir(dir, e);
    if (st != ST_OK)
        return st;
    int held = file_hold_dir(dir); /* two processes may find the same */
    bool is_there = lstat(folder, &sb) == 0;
    if (is_there && !S_ISDIR(sb.st_mode))
        st = err_file(e, ST_INPUT, folder, "is no folder: no finding is written there");
    if (st == ST_OK)
        st = make_contents(isa, f, folder, &c, e);
    if (st == ST_OK)
        st = is_there ? replace(&c, folder, f->id, force, &edited, e)
                      : make(&c, dir, f->id, folder, e);
    free_contents(&c);
    if (held >= 0)
        close(held);
    if (kept)
        *kept = edited;
    return st;
}

bool finding_is_shown(const char *path)
{
    for (const u8 *c = (const u8 *)path; *c; c++)
        if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
            return false;
    return true;
}

enum status finding_split(const char *path, struct finding *f, char *dir, size_t size,
                          struct err *e)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n > 13 && strncmp(path + n - 13, "/finding.json", 13) == 0)
        n -= 13;
    size_t at = n;
    while (at > 0 && path[at - 1] != '/')
        at--;
    if (n - at >= sizeof f->id || at >= size || n == at || path[at] == '.')
        return err_set(e, ST_INPUT, "name the finding's folder as build/findings/ID");
    memcpy(f->id, path + at, n - at);
    f->id[n - at] = '\0';
    if (at == 0)
        strcpy(dir, ".");
    else {
        memcpy(dir, path, at);
        dir[at] = '\0';
    }
    return ST_OK;
}
