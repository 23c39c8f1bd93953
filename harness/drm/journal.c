#include "harness/drm/journal.h"

#include "reports/file/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    FILE_CHARS = 280,
    BOOT_CHARS = 36,
    LINE_MAX_CHARS = 8 << 10,
    CODE_SHOWN_DW = 12,
    LIST_MAX = 4096
};

struct entry {
    u64 hash;
    char code[CODE_SHOWN_DW * 9 + 1]; /* of a culprit: dwords */
};

struct list {
    struct entry *at;
    u32 count;
};

struct drm_journal {
    int fd;
    bool synced;
    off_t state_at; /* of the last line */
    char path[FILE_CHARS + 16];
    char boot[BOOT_CHARS + 1];
    struct list culprits, suspects;
    u64 alone; /* the job under way, if it is one; 0: none */
};

static const char head[] = "gcncheck submissions 1 boot ";

/* ---- lists ---- */

static struct entry *find(const struct list *l, u64 hash)
{
    for (u32 i = 0; i < l->count; i++)
        if (l->at[i].hash == hash)
            return &l->at[i];
    return NULL;
}

static void add(struct list *l, u64 hash, const char *code)
{
    if (find(l, hash) || l->count == LIST_MAX)
        return;
    struct entry *all = realloc(l->at, (l->count + 1) * sizeof *all);
    if (!all)
        return;
    l->at = all;
    all[l->count] = (struct entry){ .hash = hash };
    snprintf(all[l->count++].code, sizeof all->code, "%s", code);
}

static bool take(struct list *l, u64 hash)
{
    struct entry *one = find(l, hash);
    if (one)
        *one = l->at[--l->count];
    return one != NULL;
}

bool drm_journal_is_culprit(const struct drm_journal *j, u64 hash)
{
    return j && find(&j->culprits, hash);
}

bool drm_journal_is_suspect(const struct drm_journal *j, u64 hash)
{
    return j && find(&j->suspects, hash);
}

u32 drm_journal_culprits(const struct drm_journal *j)
{
    return j ? j->culprits.count : 0;
}

static u64 mix_bytes(u64 h, const void *from, size_t bytes)
{
    const u8 *p = from;
    u64 part;
    for (; bytes >= sizeof part; bytes -= sizeof part, p += sizeof part) {
        memcpy(&part, p, sizeof part);
        h = (h ^ part) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    part = bytes;
    memcpy(&part, p, bytes);
    return (h ^ part) * 0xbf58476d1ce4e5b9u;
}

u64 drm_journal_hash(const struct gcncheck_job *job)
{
    u64 h = hash_mix(job->poison, job->waves);
    h = mix_bytes(h, job->code, job->code_dw * sizeof *job->code);
    for (u32 i = 0; i < job->set_count; i++) {
        const struct gcncheck_slot *s = &job->set[i];
        h = hash_mix(h, s->place | (u64)s->wave << 16);
        h = mix_bytes(h, job->values + s->index, GCNCHECK_PLACE_DW(s->place) * sizeof(u32));
    }
    return h ? h : 1;
}

/* ---- the file ---- */

const char *drm_journal_path(char path[DRM_JOURNAL_PATH])
{
    const char *file = getenv("GCNCHECK_DRM_JOURNAL"), *state = getenv("XDG_STATE_HOME"),
               *home = getenv("HOME");
    struct text t;
    if (file || getenv("GCNCHECK_VGPU"))
        return file;
    text_init(&t, path, DRM_JOURNAL_PATH);
    if (state && state[0] == '/')
        text_add(&t, "%s", state);
    else
        text_add(&t, "%s/.local/state", home && home[0] ? home : "/var/tmp");
    text_add(&t, "/gcncheck-submitted");
    return path;
}

/* What the state of a file says of the jobs that were under way in it. */
static void blame(struct drm_journal *j, const char *state, bool is_this_boot)
{
    char *at, *end;
    if (is_this_boot || strncmp(state, "running ", 8) != 0)
        return;
    unsigned long count = strtoul(state + 8, &at, 10);
    for (unsigned long i = 0; i < count; i++, at = end) {
        u64 hash = strtoull(at, &end, 16);
        if (end == at)
            return; /* there are fewer than are counted */
        if (count == 1)
            add(&j->culprits, hash, *end == ' ' ? end + 1 : end);
        else if (hash)
            add(&j->suspects, hash, "");
    }
}

static enum status read_lines(struct drm_journal *j, FILE *f, const char *path, struct err *e)
{
    char *line = malloc(LINE_MAX_CHARS), *code;
    bool is_this_boot = false, is_head = true;
    enum status st = line ? ST_OK : err_memory(e);
    /* A file that has just been made is empty. */
    while (st == ST_OK && fgets(line, LINE_MAX_CHARS, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (is_head && strncmp(line, head, sizeof head - 1) != 0)
            st = err_set(e, ST_INPUT, "%.200s: is no list of submissions", path);
        else if (is_head)
            is_this_boot = strcmp(line + sizeof head - 1, j->boot) == 0;
        else if (strncmp(line, "culprit ", 8) == 0) {
            u64 hash = strtoull(line + 8, &code, 16);
            add(&j->culprits, hash, *code == ' ' ? code + 1 : code);
        } else if (strncmp(line, "suspect ", 8) == 0) {
            add(&j->suspects, strtoull(line + 8, NULL, 16), "");
        } else {
            blame(j, line, is_this_boot);
            break; /* what stands behind the state is of longer ones before it */
        }
        is_head = false;
    }
    free(line);
    return st;
}

static enum status read_file(struct drm_journal *j, const char *path, struct err *e)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return ST_OK;
    enum status st = read_lines(j, f, path, e);
    fclose(f);
    return st;
}

static bool put(struct drm_journal *j, const char *text, size_t bytes, off_t at)
{
    return pwrite(j->fd, text, bytes, at) == (ssize_t)bytes &&
           (!j->synced || fdatasync(j->fd) == 0);
}

/* Writes what is known, and that nothing is under way. */
static enum status write_file(struct drm_journal *j, struct err *e)
{
    size_t room = (j->culprits.count + j->suspects.count + 2) * sizeof(struct entry) + 200;
    char *text = malloc(room);
    struct text t;
    if (!text)
        return err_memory(e);
    text_init(&t, text, room);
    text_add(&t, "%s%s\n", head, j->boot);
    for (u32 i = 0; i < j->culprits.count; i++)
        text_add(&t, "culprit %016" PRIx64 " %s\n", j->culprits.at[i].hash, j->culprits.at[i].code);
    for (u32 i = 0; i < j->suspects.count; i++)
        text_add(&t, "suspect %016" PRIx64 "\n", j->suspects.at[i].hash);
    j->state_at = (off_t)strlen(text);
    text_add(&t, "finished\n");
    bool is_ok = ftruncate(j->fd, 0) == 0 && put(j, text, strlen(text), 0);
    free(text);
    return is_ok ? ST_OK : err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
}

static void read_boot(char *boot)
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!f || !fgets(boot, BOOT_CHARS + 1, f))
        snprintf(boot, BOOT_CHARS + 1, "unknown");
    if (f)
        fclose(f);
}

/* Takes the first file that is free; then reads all. */
static enum status open_files(struct drm_journal *j, const char *file, struct err *e)
{
    char path[sizeof j->path];
    enum status st = ST_OK;
    for (u32 i = 0; i < DRM_JOURNAL_FILES && j->fd < 0; i++) {
        snprintf(j->path, sizeof j->path, "%.*s.%u", FILE_CHARS, file, i);
        j->fd = output_place_fd(j->path);
        if (j->fd < 0)
            return err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
        if (!output_lock(j->fd)) {
            close(j->fd);
            j->fd = -1;
        }
    }
    if (j->fd < 0)
        return err_set(e, ST_WORLD, "%.200s: %d processes submit already", file, DRM_JOURNAL_FILES);
    for (u32 i = 0; i < DRM_JOURNAL_FILES && st == ST_OK; i++) {
        snprintf(path, sizeof path, "%.*s.%u", FILE_CHARS, file, i);
        st = read_file(j, path, e);
    }
    return st;
}

enum status drm_journal_open(struct drm_journal **out, const char *file, bool synced, struct err *e)
{
    if (strlen(file) > FILE_CHARS)
        return err_set(e, ST_INPUT,
                       "%.60s...: a list of submissions has a name of at most %d bytes", file,
                       FILE_CHARS);
    struct drm_journal *j = calloc(1, sizeof *j);
    if (!j)
        return err_memory(e);
    j->fd = -1;
    j->synced = synced;
    read_boot(j->boot);
    enum status st = open_files(j, file, e);
    if (st == ST_OK)
        st = write_file(j, e);
    if (st == ST_OK)
        *out = j;
    else
        drm_journal_close(j);
    return st;
}

void drm_journal_close(struct drm_journal *j)
{
    struct err e;
    if (!j)
        return;
    if (j->state_at)
        write_file(j, &e);
    if (j->fd >= 0)
        close(j->fd);
    free(j->culprits.at);
    free(j->suspects.at);
    free(j);
}

enum status drm_journal_begin(struct drm_journal *j, struct gcncheck_job *const *jobs, u32 count,
                              struct err *e)
{
    char text[LINE_MAX_CHARS];
    struct text t;
    if (!j)
        return ST_OK;
    text_init(&t, text, sizeof text);
    text_add(&t, "running %u", count);
    for (u32 i = 0; i < count; i++)
        text_add(&t, " %016" PRIx64, drm_journal_hash(jobs[i]));
    for (u32 i = 0; count == 1 && i < jobs[0]->code_dw && i < CODE_SHOWN_DW; i++)
        text_add(&t, " %08x", jobs[0]->code[i]);
    text_add(&t, "\n");
    j->alone = count == 1 ? drm_journal_hash(jobs[0]) : 0;
    return put(j, text, strlen(text), j->state_at)
               ? ST_OK
               : err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
}

void drm_journal_end(struct drm_journal *j)
{
    static const char done[] = "finished\n";
    struct err e;
    if (!j)
        return;
    /* Where that fails the state stays "running", and is looked at once more. */
    if (j->alone && take(&j->suspects, j->alone))
        write_file(j, &e);
    else if (pwrite(j->fd, done, sizeof done - 1, j->state_at) == sizeof done - 1 &&
             ftruncate(j->fd, j->state_at + (off_t)sizeof done - 1) != 0)
        return;
}
