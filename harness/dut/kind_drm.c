/* drm[:NODE]: a card through libdrm_amdgpu; vgpu:CHIP[,mutant=ID|,doubt=ID]: the same in a virtual GPU.
 * Both are the plug-in gcncheck-drm.so (harness/drm), so that they live in a worker like any other. */
#include "harness/dut/internal.h"
#include "harness/vgpu/under.h"
#include "harness/vgpu/vgpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* The plug-in reads its settings from the environment. Threads that open their DUTs set the same,
 * and the first has opened one before there are others. */
static bool put(const char *name, const char *value)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const char *old = getenv(name);
    bool is_ok = (old && strcmp(old, value) == 0) || setenv(name, value, 1) == 0;
    pthread_mutex_unlock(&lock);
    return is_ok;
}

/* A finding of somebody else may have named it: what is opened to be written must be a card. */
static bool is_other_file(const char *node)
{
    struct stat sb;
    return stat(node, &sb) == 0 && !(S_ISCHR(sb.st_mode) && major(sb.st_rdev) == VGPU_DRM_MAJOR);
}

enum status dut_drm_open(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                         struct err *e)
{
    char path[VGPU_PATH];
    struct err why = { .text = "" };
    if (!vgpu_under_library("gcncheck-drm", path))
        return err_set(e, ST_WORLD,
                       "DUT 'drm': gcncheck-drm.so is not beside gcncheck: it was "
                       "built without libdrm (Debian: libdrm-dev)");
    if (rest && is_other_file(rest))
        return err_set(e, ST_INPUT, "DUT 'drm:%.60s': is no node of a graphics driver", rest);
    if (!put("GCNCHECK_DRM_MCPU", cfg->mcpu) || (rest && !put("GCNCHECK_DRM_NODE", rest)))
        return err_memory(e);
    enum status st = dut_plugin_open(path, cfg, out, &why);
    /* The plug-in has said what it can say; a crash it cannot. */
    if (st == ST_INPUT && strstr(why.text, "answers NULL"))
        return err_set(e, ST_WORLD, "DUT 'drm': no device can be used, for the reason above");
    if (st != ST_OK)
        err_set(e, st, "DUT 'drm': %.240s", why.text);
    return st;
}

enum status dut_vgpu_open(const char *rest, const struct dut_cfg *cfg, struct dut **out,
                          struct err *e)
{
    char buf[160];
    struct vgpu_under u;
    enum status st = vgpu_under_parse(rest, buf, sizeof buf, &u, e);
    if (st != ST_OK)
        return st;
    const char *mcpu = vgpu_chip_find(u.chip)->mcpu;
    if (strcmp(mcpu, cfg->mcpu) != 0)
        return err_set(e, ST_INPUT, "DUT 'vgpu:%.60s' is a %s, and --mcpu is %s", rest, mcpu,
                       cfg->mcpu);
    if (!vgpu_under_is(&u))
        return err_set(e, ST_WORLD, "DUT 'vgpu:%.60s': this process is not under a virtual GPU",
                       rest);
    return dut_drm_open(NULL, cfg, out, e);
}
