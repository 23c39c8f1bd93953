#include "harness/dut/identity.h"

#include "harness/dut/internal.h"
#include "harness/io/shell.h"
#include "harness/vgpu/under.h"

#include <errno.h>
#include <sys/stat.h>

/* The files of one DUT, hashed one after the other. */
struct files {
    struct sha256 sum; /* of the hashes in hex */
    u32 count;
    int failed; /* errno of one that could not be read, and not for its own sake; 0: none */
    char last[SHA256_TEXT]; /* hash of the last */
};

static bool hash_file(const char *path, char hash[SHA256_TEXT])
{
    struct sha256 s;
    sha256_init(&s);
    if (!sha256_add_file(&s, path))
        return false;
    sha256_end(&s, hash);
    return true;
}

static void add_file(struct files *f, const char *path)
{
    if (!hash_file(path, f->last)) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO)
            f->failed = errno;
        return;
    }
    sha256_add(&f->sum, f->last, strlen(f->last));
    f->count++;
}

static bool is_file(const char *path)
{
    struct stat sb;
    return stat(path, &sb) == 0 && S_ISREG(sb.st_mode);
}

/* Every word of a command that is a file, and the first of each part that is a program. Quotes are
 * taken for blanks: a name with blanks in it is missed. */
static void add_command(struct files *f, const char *command)
{
    static const char ends[] = ";&|()\n", blanks[] = " \t'\"<>=";
    char word[SHELL_PATH], path[SHELL_PATH];
    bool is_first = true;
    while (*command) {
        size_t len = strcspn(command, " \t'\"<>=;&|()\n");
        if (len > 0 && len < sizeof word) {
            memcpy(word, command, len);
            word[len] = '\0';
            if (is_first && !strchr(word, '/') && shell_program(word, path))
                add_file(f, path);
            else if (is_file(word))
                add_file(f, word);
            is_first = false;
        }
        command += len;
        for (; *command && strchr(blanks, *command); command++)
            continue;
        for (; *command && strchr(ends, *command); command++)
            is_first = true;
    }
}

/* What our own engines and cards are made of. */
static void add_own(struct files *f, const struct dut_kind *k, const char *rest)
{
    bool is_vgpu = k->open == dut_vgpu_open, is_mutant = rest && strstr(rest, ",mutant=");
    char path[VGPU_PATH];
    add_file(f, "/proc/self/exe");
    if ((is_vgpu || k->open == dut_drm_open) && vgpu_under_library("gcncheck-drm", path))
        add_file(f, path);
    if (is_vgpu && vgpu_under_library(is_mutant ? "gcncheck-vgpu-mutants" : "gcncheck-vgpu", path))
        add_file(f, path);
}

enum status dut_identity(const char *spec, char hash[SHA256_TEXT], struct err *e)
{
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    struct files f = { .count = 0 };
    sha256_init(&f.sum);
    if (!k)
        return err_set(e, ST_INPUT, "unknown DUT '%.100s'", spec);
    if (k->folder == DUT_FOLDER_FILE && rest)
        add_file(&f, rest);
    else if (k->folder == DUT_FOLDER_COMMAND && rest)
        add_command(&f, rest);
    else
        add_own(&f, k, rest);
    if (f.failed)
        return err_set(e, ST_WORLD, "DUT '%.100s': cannot be read: %s", spec, strerror(f.failed));
    if (k->folder == DUT_FOLDER_FILE && f.count == 0)
        return err_set(e, ST_INPUT, "DUT '%.100s': cannot be read: %s", spec, strerror(errno));
    if (f.count == 1)
        memcpy(hash, f.last, SHA256_TEXT);
    else
        sha256_end(&f.sum, hash);
    return ST_OK;
}

enum status dut_identity_all(const char *const *specs, u32 count, char hash[SHA256_TEXT],
                             struct err *e)
{
    struct sha256 sum;
    sha256_init(&sum);
    for (u32 i = 0; i < count; i++) {
        enum status st = dut_identity(specs[i], hash, e);
        if (st != ST_OK)
            return st;
        sha256_add(&sum, hash, strlen(hash));
    }
    if (count > 1)
        sha256_end(&sum, hash);
    return ST_OK;
}

enum status dut_identity_self(char hash[SHA256_TEXT], struct err *e)
{
    return hash_file("/proc/self/exe", hash)
               ? ST_OK
               : err_set(e, ST_WORLD, "this program cannot be read: %s", strerror(errno));
}
