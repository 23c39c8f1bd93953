/* The folder of a finding that is there, whose finding.json says whose it is; and how a finding is
 * named on the command line, which is the first line of the input. */
#include "harness/finding/finding.h"
#include "harness/fz/fz.h"
#include "harness/io/file.h"

#include <stdlib.h>
#include <unistd.h>

static struct finding found;

void fz_open(void)
{
    struct err e;
    fz_open_folder();
    snprintf(found.id, sizeof found.id, "there");
    snprintf(found.mcpu, sizeof found.mcpu, "gfx900");
    snprintf(found.dut, sizeof found.dut, "model");
    if (file_make_dir("there", &e) != ST_OK)
        fz_broken("FZ_FOLDER may be written to", e.text);
    /* In memory: a file that is cut again and again would go to the disk each time. */
    unlink("there/finding.json");
    if (symlink(fz_file(NULL, 0), "there/finding.json") != 0)
        fz_broken("FZ_FOLDER may be written to", "no link");
}

static bool name(const char *path)
{
    struct finding f;
    char folder[64];
    struct err e = { .text = "" };
    if (finding_split(path, &f, folder, sizeof folder, &e) != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    if (!f.id[0] || strchr(f.id, '/') || !folder[0])
        fz_broken("a finding has a folder and a name in it", path);
    return true;
}

bool fz_one(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    bool is_taken = false;
    const u8 *end = size ? memchr(data, '\n', size) : NULL;
    if (!end)
        return false;
    char *path = strndup((const char *)data, (size_t)(end - data));
    if (!path)
        abort();
    fz_file(end + 1, size - (size_t)(end + 1 - data));
    bool any = name(path);
    if (finding_is_taken(&found, ".", &is_taken, &e) != ST_OK)
        fz_check_message(&e);
    free(path);
    return any | is_taken;
}
