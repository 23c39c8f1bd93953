#include "harness/vgpu/vgpu.h"

/* clang-format off */
static const struct vgpu_chip chips[] = {
#define CHIP(name, mcpu, marketing, firmware, device, pci_rev, chip_rev, family, external, first, last, major, minor, gb, \
             engines, cus, gfx, compute, sdma, vram, fused) \
    { #name, #mcpu, marketing, firmware, device, pci_rev, chip_rev, family, external, first, last, major, minor, gb, \
      engines, cus, gfx, compute, sdma, vram, fused },
#include "harness/vgpu/chip.def"
#undef CHIP
};
/* clang-format on */

const struct vgpu_chip *vgpu_chip_at(u32 index)
{
    return index < COUNT_OF(chips) ? &chips[index] : NULL;
}

const struct vgpu_chip *vgpu_chip_find(const char *name)
{
    for (u32 i = 0; i < COUNT_OF(chips); i++)
        if (strcmp(name, chips[i].name) == 0 || strcmp(name, chips[i].mcpu) == 0)
            return &chips[i];
    return NULL;
}

const struct vgpu_chip *vgpu_chip_of_ids(u32 family, u32 external_rev)
{
    for (u32 i = 0; i < COUNT_OF(chips); i++)
        if (family == chips[i].family && external_rev >= chips[i].first_rev &&
            external_rev <= chips[i].last_rev)
            return &chips[i];
    return NULL;
}

void vgpu_chip_names(struct text *t)
{
    for (u32 i = 0; i < COUNT_OF(chips); i++)
        text_add(t, "%s%s (%s)", i ? ", " : "", chips[i].mcpu, chips[i].name);
}
