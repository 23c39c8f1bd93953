/* Planted faults: names to changes. */
#include "harness/drm/internal.h"

static const struct drm_plant plants[] = {
#define PLANT_LINE(id, part, other) \
    { .name = #id, .kind = DRM_PLANT_LINE, .find = part, .instead = other },
#define PLANT_DW(id, packet, index, mask) \
    { .name = #id, .kind = DRM_PLANT_DW, .op = PM4_##packet, .dw = index, .bits = mask },
#define PLANT_DROP(id, packet)          { .name = #id, .kind = DRM_PLANT_DROP, .op = PM4_##packet },
#define PLANT_FLAG(id)                  { .name = #id, .kind = DRM_PLANT_FLAG },
#define PLANT_LATE(id)                  PLANT_FLAG(id)
#define PLANT_OLD_LINE(id, part, other) PLANT_LINE(id, part, other)
#define PLANT_OLD_FLAG(id)              PLANT_FLAG(id)
#include "harness/drm/plant.def"
#undef PLANT_LINE
#undef PLANT_DW
#undef PLANT_DROP
#undef PLANT_FLAG
#undef PLANT_LATE
#undef PLANT_OLD_LINE
#undef PLANT_OLD_FLAG
};

const struct drm_plant *drm_plant_find(const char *name)
{
    for (u32 i = 0; i < COUNT_OF(plants); i++)
        if (strcmp(plants[i].name, name) == 0)
            return &plants[i];
    return NULL;
}

bool drm_plant_edit(void *plant, char *line, size_t size)
{
    const struct drm_plant *p = plant;
    const char *at = p && p->kind == DRM_PLANT_LINE ? strstr(line, p->find) : NULL;
    if (!at)
        return true;
    char rest[128];
    struct text t;
    text_init(&t, rest, sizeof rest);
    text_add(&t, "%s", at + strlen(p->find));
    size_t before = (size_t)(at - line);
    text_init(&t, line + before, size - before);
    text_add(&t, "%s%s", p->instead, rest);
    return p->instead[0] != '\0';
}
