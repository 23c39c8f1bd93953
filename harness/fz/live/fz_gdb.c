/* What leads the debugger of a launch. The first byte chooses: what a client of gdb's protocol sends, as it
 * comes; the contents of packets, one a line, framed as they should be; or lines of commands
 * (--debug). A kernel with calls, a barrier and local memory is run under it, in three work-groups. */
#include "harness/fz/fz.h"
#include "harness/launch/debug/debug.h"
#include "harness/launch/launch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define KERNEL "cases/kernels/calls/"

/* Instructions of a wave: the kernel takes 51. */
enum { STEPS = 500, FRAMED_MAX = 1 << 18 };

static struct codeobj co;
static struct codeobj_kernel kernel;
static int std_out;

void fz_open(void)
{
    struct err e = { .text = "" };
    struct launch l;
    enum status st = launch_open(&l, KERNEL "launch.txt", 1, &e);
    if (st == ST_OK)
        st = codeobj_open(&co, KERNEL "gfx900.asm.co", GPU_CODE_BASE, &e);
    if (st == ST_OK)
        st = codeobj_kernel(&co, l.parts[0].kernel, &kernel, &e);
    if (st != ST_OK)
        fz_broken("run in the root of the repository: the kernel opens", e.text);
    launch_close(&l);
    std_out = dup(STDOUT_FILENO);
}

/* The lines of an input as packets, behind each its checksum. */
static const char *framed(const u8 *data, size_t size)
{
    static u8 bytes[FRAMED_MAX + 16];
    size_t n = 0;
    for (size_t i = 0; i < size && n < FRAMED_MAX; i++) {
        u8 sum = 0;
        bytes[n++] = '$';
        for (; i < size && data[i] != '\n' && n < FRAMED_MAX; i++) {
            sum = (u8)(sum + data[i]);
            bytes[n++] = data[i];
        }
        n += (size_t)snprintf((char *)bytes + n, 4, "#%02x", sum);
    }
    return fz_file(bytes, n);
}

/* What the client says comes on standard input; what it is answered goes nowhere. */
static void open_client(struct launch_watcher **g, const char *path, struct err *e)
{
    int in = open(path, O_RDONLY | O_CLOEXEC), out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        fz_broken("files can be opened", path);
    close(in);
    close(out);
    if (debug_open_gdb(g, "-", e) != ST_OK)
        fz_broken("standard input and output are a connection", e->text);
}

bool fz_one(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    struct launch l;
    struct launch_result r = { 0 };
    struct launch_watcher *g = NULL;
    if (size < 1)
        return false;
    FILE *out = fz_sink();
    if (data[0] % 3 == 2 && debug_open(&g, fz_file(data + 1, size - 1), out, &e) != ST_OK)
        fz_broken("a file of commands is opened", e.text);
    if (data[0] % 3 != 2)
        open_client(&g, data[0] % 3 ? framed(data + 1, size - 1) : fz_file(data + 1, size - 1), &e);
    struct launch_cfg cfg = { .engine = "ref",
                              .max_steps = STEPS,
                              .jobs = 1,
                              .schedule = data[0] & 64 ? "round-robin" : "order",
                              .resident = data[0] & 128 ? 3 : 0,
                              .out = out,
                              .debug = g };
    enum status st = launch_open(&l, KERNEL "launch.txt", 1, &e);
    if (st == ST_OK)
        st = launch_run(&co, &kernel, &l, &cfg, NULL, NULL, &r, &e);
    if (st != ST_OK)
        fz_broken("the launch is carried out", e.text);
    debug_close(g, 0);
    launch_close(&l);
    fclose(out);
    dup2(std_out, STDOUT_FILENO);
    return true;
}
