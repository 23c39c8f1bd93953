/* Launch files of self tests: in a folder of their own, with a.bin ("0123456789abcdef") and b.bin
 * ("ABCDEFGH") beside them. */
#ifndef HARNESS_T_LIB_LAUNCHTEXT_H
#define HARNESS_T_LIB_LAUNCHTEXT_H

#include "harness/launch/file/file.h"
#include "harness/t/lib/files.h"

#include <unistd.h>

#define HEAD "kernel k\ngrid 64 1 1\nworkgroup 64 1 1\n"

static char dir[TEMP_NAME_BYTES];

/* The path of a file in the test's own folder. Two calls may be in use at once. */
static inline const char *path_of(const char *name)
{
    static char paths[2][256];
    static int turn;
    turn ^= 1;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", dir, name);
    return paths[turn];
}

static inline void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(path_of(name), "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
        bail("cannot write %s", path_of(name));
}

static inline enum status open_text(struct launch *l, const char *text, struct err *e)
{
    *e = (struct err){ .text = "" };
    write_file("launch.txt", text, strlen(text));
    return launch_open(l, path_of("launch.txt"), 1, e);
}

static inline void must_open(struct launch *l, const char *text)
{
    struct err e;
    if (open_text(l, text, &e) != ST_OK)
        bail("line %d: %s", e.line, e.text);
}

/* Kernel k with these arguments, in a segment of `size` bytes aligned to `align`. */
static inline struct kernel_meta kernel_of(struct kernel_arg *args, u32 count, u32 size, u32 align)
{
    static char name[] = "k";
    return (struct kernel_meta){ .name = name,
                                 .kernarg_size = size,
                                 .kernarg_align = align,
                                 .max_workgroup_size = 1024,
                                 .wave_size = 64,
                                 .args = args,
                                 .arg_count = count };
}

static inline void make_folder(const char *test)
{
    if (!mkdtemp(temp_name(dir, test)))
        bail("no temporary folder");
    write_file("a.bin", "0123456789abcdef", 16);
    write_file("b.bin", "ABCDEFGH", 8);
}

static inline void remove_folder(void)
{
    unlink(path_of("a.bin"));
    unlink(path_of("b.bin"));
    unlink(path_of("launch.txt"));
    rmdir(dir);
}

#endif
