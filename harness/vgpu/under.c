#include "harness/vgpu/under.h"

#include "harness/vgpu/vgpu.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The library beside this program, or where `make install` puts it. Mutants are in a library of
 * their own. */
static bool find_library(bool mutants, char *path)
{
    static const char *const folders[] = { "", "../lib/gcncheck/" };
    char self[PATH_BYTES];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    for (u32 i = 0; slash && i < COUNT_OF(folders); i++) {
        struct text t;
        text_init(&t, path, PATH_BYTES);
        text_add(&t, "%.*s/%sgcncheck-vgpu%s.so", (int)(slash - self), self, folders[i],
                 mutants ? "-mutants" : "");
        if (!t.full && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

enum status vgpu_under_exec(const struct vgpu_under *u, char *const *argv, struct err *e)
{
    char path[PATH_BYTES], preload[2 * PATH_BYTES];
    const char *others = getenv("LD_PRELOAD");
    struct text t;
    if (!vgpu_chip_find(u->chip)) {
        text_init(&t, preload, sizeof preload);
        for (u32 i = 0; vgpu_chip_at(i); i++)
            text_add(&t, "%s%s (%s)", i ? ", " : "", vgpu_chip_at(i)->mcpu, vgpu_chip_at(i)->name);
        return err_set(e, ST_INPUT, "no virtual GPU is called '%.40s'; there are %s", u->chip,
                       preload);
    }
    if (!find_library(u->mutant != NULL, path))
        return err_set(e, ST_WORLD, "gcncheck-vgpu%s.so is not beside gcncheck: %s",
                       u->mutant ? "-mutants" : "",
                       u->mutant ? "`make mutants` puts it there"
                                 : "it was built without libdrm (Debian: libdrm-dev)");
    text_init(&t, preload, sizeof preload);
    text_add(&t, "%s%s%s", path, others && others[0] ? ":" : "", others ? others : "");
    if (t.full || setenv("LD_PRELOAD", preload, 1) != 0 || setenv("GCNCHECK_VGPU", u->chip, 1) != 0)
        return err_memory(e);
    if ((u->log && setenv("GCNCHECK_VGPU_LOG", u->log, 1) != 0) ||
        (u->mutant && setenv("GCNCHECK_VGPU_MUTANT", u->mutant, 1) != 0) ||
        (u->stats && setenv("GCNCHECK_VGPU_STATS", "1", 1) != 0))
        return err_memory(e);
    execvp(argv[0], argv);
    return err_set(e, ST_INPUT, "%.120s: %s", argv[0], strerror(errno));
}
