#include "harness/vgpu/vgpu.h"

/* clang-format off */
static const struct vgpu_chip chips[] = {
#define CHIP(name, mcpu, gen, marketing, firmware, device, pci_rev, chip_rev, family, external, first, last, major, minor, \
             gb, engines, cus, gfx, compute, sdma, rbs, tccs, vram, kind, bits, fused) \
    { #name, #mcpu, gen, marketing, firmware, device, pci_rev, chip_rev, family, external, first, last, major, minor, \
      gb, engines, cus, gfx, compute, sdma, rbs, tccs, vram, kind, bits, fused },
#include "harness/vgpu/chip.def"
#undef CHIP
};

#define REGISTERS(chip, first, ...) static const u32 chip##_##first[] = { __VA_ARGS__ };
#include "harness/vgpu/register.def"
#undef REGISTERS

static const struct {
    const char *chip;
    u32 first, count;
    const u32 *values;
} registers[] = {
#define REGISTERS(chip, first, ...) { #chip, first, COUNT_OF(chip##_##first), chip##_##first },
#include "harness/vgpu/register.def"
#undef REGISTERS
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

bool vgpu_chip_register(const struct vgpu_chip *chip, u32 offset, u32 *value)
{
    enum { GB_ADDR_CONFIG = 0x263e };
    if (offset == GB_ADDR_CONFIG) {
        *value = chip->gb_addr_config;
        return true;
    }
    for (u32 i = 0; i < COUNT_OF(registers); i++)
        if (strcmp(registers[i].chip, chip->name) == 0 &&
            offset - registers[i].first < registers[i].count) {
            *value = registers[i].values[offset - registers[i].first];
            return true;
        }
    return false;
}

void vgpu_chip_names(struct text *t)
{
    for (u32 i = 0; i < COUNT_OF(chips); i++)
        text_add(t, "%s%s (%s)", i ? ", " : "", chips[i].mcpu, chips[i].name);
}
