/* The environment: NAME=VALUE on each line, of variables that plug-ins, the virtual GPU and what they
 * start read. Others stay as they are, and none is left set. */
#include "harness/drm/internal.h"
#include "harness/fz/fz.h"
#include "harness/io/color.h"
#include "harness/sdk/gcncheck_dut.h"
#include "harness/vgpu/under.h"

#include <stdlib.h>

static const char *const names[] = { "GCNCHECK_MUTANT",
                                     "GCNCHECK_DOUBT",
                                     "GCNCHECK_FIXED_MODE",
                                     "GCNCHECK_RATE",
                                     "GCNCHECK_VGPU",
                                     "GCNCHECK_VGPU_MUTANT",
                                     "GCNCHECK_VGPU_DOUBT",
                                     "GCNCHECK_DRM_PLANT",
                                     "GCNCHECK_DRM_JOURNAL",
                                     "XDG_STATE_HOME",
                                     "HOME",
                                     "NO_COLOR",
                                     "TERM" };

static void clear(void)
{
    for (u32 i = 0; i < COUNT_OF(names); i++)
        unsetenv(names[i]);
}

void fz_open(void)
{
    clear();
}

static void set(char *line)
{
    char *value = strchr(line, '=');
    if (!value)
        return;
    *value++ = '\0';
    for (u32 i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], line) == 0)
            setenv(line, value, 1);
}

/* The model as a plug-in, with what it was told. */
static bool ask_plugin(void)
{
    const struct gcncheck_dut *d = gcncheck_dut();
    if (d && (d->abi != GCNCHECK_DUT_ABI || !d->run || !d->name))
        fz_broken("a device is one", "it lacks something");
    if (d && d->has_fixed_mode != (getenv("GCNCHECK_FIXED_MODE") != NULL))
        fz_broken("a device has a fixed MODE if it was told so", "it has not");
    return d != NULL;
}

/* Where submissions are noted. */
static bool ask_journal(void)
{
    char path[DRM_JOURNAL_PATH];
    const char *file = drm_journal_path(path);
    const char *given = getenv("GCNCHECK_DRM_JOURNAL");
    if (file && file != given && (file != path || !file[0]))
        fz_broken("the list of submissions has a name", file);
    return file != NULL;
}

bool fz_one(const u8 *data, size_t size)
{
    static const struct vgpu_under under = { .chip = "vega10" };
    char *text = strndup((const char *)data, size), *rest = NULL;
    if (!text)
        abort();
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        set(line);
    const char *plant = getenv("GCNCHECK_DRM_PLANT");
    bool any = ask_plugin() && ask_journal();
    any |= vgpu_under_is(&under);
    any |= plant && drm_plant_find(plant);
    color_use(COLOR_AUTO, 1);
    clear();
    free(text);
    return any && size;
}
