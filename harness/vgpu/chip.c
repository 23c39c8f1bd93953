#include "harness/vgpu/vgpu.h"

static const struct vgpu_chip chips[] = {
#define CHIP(name, mcpu, marketing, device, pci_rev, chip_rev, external, major, minor, engines, \
             cus, gfx, compute, sdma, vram)                                                     \
    { #name, #mcpu,   marketing, device, pci_rev, chip_rev, external, major,                    \
      minor, engines, cus,       gfx,    compute, sdma,     vram },
#include "harness/vgpu/chip.def"
#undef CHIP
};

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
    enum { FAMILY_AI = 141 };
    static const struct {
        u32 from, below;
        const char *name;
    } ranges[] = { { 0x01, 0x14, "vega10" }, { 0x28, 0x32, "vega20" }, { 0x32, 0x3c, "mi100" } };
    for (u32 i = 0; family == FAMILY_AI && i < COUNT_OF(ranges); i++)
        if (external_rev >= ranges[i].from && external_rev < ranges[i].below)
            return vgpu_chip_find(ranges[i].name);
    return NULL;
}
