/* Launch files: parsed, the files they name loaded, buffers compared with what they should hold.
 * Slashes become underscores, so that no file outside the folder FZ_FOLDER is named; "a" and "b"
 * are in it. */
#include "harness/fz/fz.h"
#include "harness/launch/file/file.h"

#include <stdlib.h>

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        fz_broken("a file in the folder can be written", path);
}

void fz_open(void)
{
    fz_open_folder();
    write_file("a", "0123456789abcdef", 16);
    write_file("b", "0123", 4);
}

static void check_diff(const struct launch_arg *a, struct launch_diff d)
{
    char line[256];
    struct text t;
    text_init(&t, line, sizeof line);
    if (d.wrong)
        launch_diff_print(&t, a, &d);
    if (d.wrong > d.total)
        fz_broken("no more elements differ than there are", line);
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
    if (!l.part_count || l.part_count > LAUNCH_MAX_KERNELS || l.part != 0)
        fz_broken("there is a kernel, and the first one's turn", l.file);
    for (u32 i = 0; i < l.part_count; i++) {
        u32 before = i ? l.parts[i - 1].end : 0;
        launch_turn_to(&l, i);
        if (l.now.first != before || l.now.end < before || !l.now.kernel)
            fz_broken("items belong to one kernel after the other", l.now.kernel);
    }
    if (l.now.end != l.arg_count)
        fz_broken("all items belong to a kernel", l.file);
    for (u32 i = 0; i < l.arg_count; i++) {
        if (l.args[launch_item(&l, i)].kind == LARG_AGAIN)
            fz_broken("what an argument repeats is none that repeats", l.file);
        check_diff(&l.args[i], launch_compare(&l.args[i], 1));
    }
    for (u32 i = 0; i < l.expect_count; i++)
        check_diff(&l.expects[i].as, launch_compare_expect(&l, &l.expects[i], 1));
    launch_close(&l);
    return true;
}
