#include "harness/fz/fz.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RUNS = 20000, INPUT_MAX = 1 << 20, PROCESSORS_MAX = 32 };

/* The targets of this program: the one that it is linked with, or those of FZ_TARGETS. */
#ifdef FZ_TARGETS
#define TARGET(name)                                 \
    bool name##_fz_one(const u8 *data, size_t size); \
    void name##_fz_open(void);
FZ_TARGETS
#undef TARGET
#define TARGET(name) { #name, name##_fz_open, name##_fz_one },
#else
#define FZ_TARGETS { "", fz_open, fz_one },
#endif
static const struct target {
    const char *name;
    void (*open)(void);
    bool (*one)(const u8 *data, size_t size);
} targets[] = { FZ_TARGETS };

static const struct target *target = targets;

static struct isa isas[PROCESSORS_MAX];
static u32 isas_open;

void fz_broken(const char *law, const char *text)
{
    fprintf(stderr, "broken: %s: %s\n", law, text);
    abort();
}

void fz_open_isa(struct isa *isa, const char *mcpu)
{
    struct err e;
    if (isa_open(isa, mcpu, &e) != ST_OK)
        fz_broken("a listed processor opens", e.text);
}

void fz_open_isas(void)
{
    while (isas_open < PROCESSORS_MAX && isa_target_at(isas_open)) {
        fz_open_isa(&isas[isas_open], isa_target_at(isas_open)->mcpu);
        isas_open++;
    }
}

const struct isa *fz_isa(u8 which)
{
    return &isas[which % isas_open];
}

FILE *fz_sink(void)
{
    FILE *f = fopen("/dev/null", "w");
    if (!f)
        fz_broken("/dev/null", "cannot be opened");
    return f;
}

const char *fz_file(const u8 *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        fz_broken("a file in memory", "cannot be written");
    return path;
}

void fz_open_folder(void)
{
    const char *folder = getenv("FZ_FOLDER");
    if (!folder || chdir(folder))
        fz_broken("FZ_FOLDER names a folder that may be written to", folder ? folder : "not set");
}

void fz_check_message(const struct err *e)
{
    char text[600];
    err_text(e, text, sizeof text);
    if (!e->text[0])
        fz_broken("a failure has a message", "none");
    for (const char *c = text; *c; c++)
        if (*c < ' ' || *c > '~')
            fz_broken("a message is one line of printable text", text);
}

/* One input, from a copy of exactly its size, so that the sanitizer sees a read beyond it. */
static bool run(const u8 *data, size_t size)
{
    u8 *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    bool accepted = target->one(copy, size);
    free(copy);
#ifdef FZ_PLANT
    u32 hash = 0;
    for (size_t i = 0; i < size; i++)
        hash = hash * 31 + data[i];
    if (accepted &&
        hash % 16 == 1) /* about one in 16; scripts/parsers/fuzz-seeds.py makes none of them */
        fz_broken("planted", "an accepted input");
#endif
    return accepted;
}

static int run_files(int count, char **paths)
{
    static u8 bytes[INPUT_MAX];
    for (int i = 0; i < count; i++) {
        FILE *f = fopen(paths[i], "rb");
        if (!f) {
            perror(paths[i]);
            return 2;
        }
        size_t size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        bool accepted = run(bytes, size);
        printf("%s: %zu bytes, no crash, %s\n", paths[i], size, accepted ? "accepted" : "refused");
        fflush(stdout); /* a target may turn it elsewhere */
    }
    return 0;
}

#ifdef __AFL_FUZZ_INIT
__AFL_FUZZ_INIT();
#endif

/* With several targets the first argument is the name of one. */
static bool choose(const char *name)
{
    for (u32 i = 0; i < COUNT_OF(targets); i++)
        if (strcmp(targets[i].name, name) == 0) {
            target = &targets[i];
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    if (COUNT_OF(targets) > 1 && (argc < 2 || !choose(argv[1]))) {
        for (u32 i = 0; i < COUNT_OF(targets); i++)
            puts(targets[i].name);
        return 2;
    }
    int first = COUNT_OF(targets) > 1 ? 2 : 1;
    target->open();
    if (argc > first)
        return run_files(argc - first, argv + first);
#ifdef __AFL_FUZZ_INIT
    __AFL_INIT();
    const u8 *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(RUNS))
        run(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
#else
    fprintf(stderr, "not built by afl-clang-fast: give files to run\n");
    return 2;
#endif
}
