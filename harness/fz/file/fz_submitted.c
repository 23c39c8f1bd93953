/* Lists of what was submitted to a card: what the DUT writes before a submission, and reads when it
 * is opened. Two files, the second behind a zero byte; of a file that begins with '@' the head is
 * that of another boot, with '=' that of this one. What was learnt is there the next time, too; a
 * submission that comes back leaves nothing behind. */
#include "harness/drm/journal.h"
#include "harness/fz/fz.h"

#include <unistd.h>

#define FILES "submitted"

enum { HEAD_MAX = 200 };

static char this_boot[HEAD_MAX], other_boot[HEAD_MAX];

static struct drm_journal *open_list(void)
{
    struct drm_journal *j = NULL;
    struct err e = { .text = "" };
    enum status st = drm_journal_open(&j, FILES, false, &e);
    if (st != ST_OK)
        fz_check_message(&e);
    return st == ST_OK ? j : NULL;
}

static void remove_files(void)
{
    char path[40];
    for (u32 i = 0; i < DRM_JOURNAL_FILES; i++) {
        snprintf(path, sizeof path, FILES ".%u", i);
        unlink(path);
    }
}

void fz_open(void)
{
    fz_open_folder();
    remove_files();
    drm_journal_close(open_list());
    FILE *f = fopen(FILES ".0", "r");
    if (!f || !fgets(this_boot, sizeof this_boot, f))
        fz_broken("a list has a head", "none");
    fclose(f);
    snprintf(other_boot, sizeof other_boot, "%s", this_boot);
    other_boot[strlen(other_boot) - 2] ^= 1;
}

static void put_file(u32 index, const u8 *data, size_t size)
{
    char path[40];
    const char *head = !size || (*data != '@' && *data != '=') ? ""
                       : *data == '@'                          ? other_boot
                                                               : this_boot;
    size_t skip = head[0] != '\0';
    snprintf(path, sizeof path, FILES ".%u", index);
    FILE *f = fopen(path, "w");
    if (!f || fputs(head, f) < 0 || fwrite(data + skip, 1, size - skip, f) != size - skip ||
        fclose(f))
        fz_broken("a file in the folder can be written", path);
}

static void submit(struct drm_journal *j, u32 count)
{
    static const u32 code[] = { 0xbf810000 };
    struct gcncheck_job one = { .code = code, .code_dw = 1, .waves = 1 }, two = one;
    struct gcncheck_job *jobs[] = { &one, &two };
    struct err e;
    two.poison = 1;
    if (drm_journal_begin(j, jobs, count, &e) != ST_OK)
        fz_broken("a submission is noted", e.text);
    drm_journal_end(j);
}

bool fz_one(const u8 *data, size_t size)
{
    const u8 *second = size ? memchr(data, 0, size) : NULL;
    size_t first = second ? (size_t)(second - data) : size;
    remove_files();
    put_file(0, data, first);
    put_file(1, second ? second + 1 : data + size, second ? size - first - 1 : 0);
    struct drm_journal *j = open_list();
    if (!j)
        return false;
    u32 culprits = drm_journal_culprits(j);
    submit(j, 1);
    submit(j, 2);
    drm_journal_close(j);
    if (!(j = open_list()))
        fz_broken("a list that was written is one", FILES);
    if (drm_journal_culprits(j) != culprits)
        fz_broken("what has been learnt stays, and nothing comes to it", FILES);
    drm_journal_close(j);
    return culprits > 0;
}
