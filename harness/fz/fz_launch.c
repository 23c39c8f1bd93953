/* Launch files: parsed, the files they name loaded, buffers compared with what they should hold.
 * Slashes become underscores, so that no file outside the folder FZ_FOLDER is named; "a" and "b"
 * are in it. */
#include "harness/fz/fz.h"
#include "harness/launch/file.h"

#include <stdlib.h>
#include <unistd.h>

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        fz_broken("a file in the folder can be written", path);
}

void fz_open(void)
{
    const char *folder = getenv("FZ_FOLDER");
    if (!folder || chdir(folder))
        fz_broken("FZ_FOLDER names a folder that may be written to", folder ? folder : "not set");
    write_file("a", "0123456789abcdef", 16);
    write_file("b", "0123", 4);
}

bool fz_one(const u8 *data, size_t size)
{
    struct launch l;
    struct err e = { .text = "" };
    u8 *text = malloc(size + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] == '/' ? '_' : data[i];
    enum status st = launch_open_memory(&l, "launch.txt", text, size, &e);
    free(text);
    if (st != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    for (u32 i = 0; i < l.arg_count; i++) {
        char line[256];
        struct text t;
        struct launch_diff d = launch_compare(&l.args[i]);
        text_init(&t, line, sizeof line);
        if (d.wrong)
            launch_diff_print(&t, &l.args[i], &d);
        if (d.wrong > d.total)
            fz_broken("no more elements differ than there are", line);
    }
    launch_close(&l);
    return true;
}
