/* A card as a plug-in: build/gcncheck-drm.so, which `--dut drm` loads as it would load any other,
 * so that libdrm_amdgpu, and what it does to a process, stay in a worker.
 *
 * Environment: GCNCHECK_DRM_NODE (a node; default the first that fits), GCNCHECK_DRM_MCPU (opens at
 * once for this processor, so that what is wrong is said when the DUT is opened), GCNCHECK_DRM_LOG
 * (file for packets), GCNCHECK_DRM_PLANT (a fault of harness/drm/plant.def), GCNCHECK_DRM_UNSAFE
 * (no safe tier), GCNCHECK_DRM_JOURNAL (file for submissions under way). */
#include "harness/drm/journal.h"
#include "harness/drm/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct {
    struct drm_session *s;
    char mcpu[32];
} plug;

/* Where submissions are noted; the folders of a file that is ours to place are made. */
static const char *place_journal(char path[DRM_JOURNAL_PATH])
{
    const char *file = drm_journal_path(path);
    if (file != path)
        return file;
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    return path;
}

/* A node may have the name that a stranger gave it. */
static void complain(struct err *e)
{
    for (char *c = e->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    fprintf(stderr, "drm: %s\n", e->text);
}

static bool open_session(const char *mcpu)
{
    struct err e = { .text = "" };
    const char *log = getenv("GCNCHECK_DRM_LOG");
    if (plug.s && strcmp(plug.mcpu, mcpu) == 0)
        return true;
    drm_session_close(plug.s);
    plug.s = NULL;
    snprintf(plug.mcpu, sizeof plug.mcpu, "%s", mcpu);
    char path[DRM_JOURNAL_PATH];
    struct drm_session_cfg cfg = { .node = getenv("GCNCHECK_DRM_NODE"),
                                   .mcpu = plug.mcpu,
                                   .plant = getenv("GCNCHECK_DRM_PLANT"),
                                   .journal = place_journal(path),
                                   .is_virtual = getenv("GCNCHECK_VGPU") != NULL,
                                   .is_unsafe = getenv("GCNCHECK_DRM_UNSAFE") != NULL,
                                   .log = log ? fopen(log, "a") : NULL };
    if (drm_session_open(&plug.s, &cfg, &e) == ST_OK)
        return true;
    complain(&e);
    return false;
}

static int can(const char *mcpu, uint32_t place)
{
    (void)mcpu;
    return drm_session_can(place);
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    struct err e = { .text = "" };
    if (count == 0)
        return 0;
    if (!open_session(jobs[0].mcpu))
        return 1;
    if (drm_session_run(plug.s, jobs, count, &e) == ST_OK)
        return 0;
    complain(&e);
    return 1;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static struct gcncheck_dut dut = {
        .size = sizeof dut, .abi = GCNCHECK_DUT_ABI, .version = "1", .can = can, .run = run
    };
    const char *mcpu = getenv("GCNCHECK_DRM_MCPU");
    if (mcpu && !open_session(mcpu))
        return NULL;
    dut.name = plug.s ? drm_session_name(plug.s) : "drm";
    return &dut;
}
