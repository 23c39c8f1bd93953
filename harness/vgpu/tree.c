/* The part of /sys and /dev that libdrm reads to find the device. */
#include "harness/vgpu/vgpu.h"

#include <stdio.h>

#define SLOT    "0000:03:00.0"
#define PCI     "/sys/devices/pci0000:00/" SLOT
#define PCI_BUS "/sys/bus/pci"

enum { VENDOR_AMD = 0x1002, SUBSYSTEM = 0x0c35, CONFIG_BYTES = 64 };

/* `%` begins what differs: %d device, %r revision, %u the uevent of the PCI device, %c its
 * configuration. */
static const struct row {
    u8 kind;
    u8 minor;
    const char *path, *text;
} rows[] = {
    { VGPU_DIR, 0, "/dev/dri", "" },
    { VGPU_DEVICE, VGPU_PRIMARY_MINOR, "/dev/dri/card0", "" },
    { VGPU_DEVICE, VGPU_RENDER_MINOR, "/dev/dri/renderD128", "" },
    { VGPU_DIR, 0, PCI, "" },
    { VGPU_FILE, 0, PCI "/vendor", "0x1002\n" },
    { VGPU_FILE, 0, PCI "/device", "%d" },
    { VGPU_FILE, 0, PCI "/revision", "%r" },
    { VGPU_FILE, 0, PCI "/subsystem_vendor", "0x1002\n" },
    { VGPU_FILE, 0, PCI "/subsystem_device", "0x0c35\n" },
    { VGPU_FILE, 0, PCI "/uevent", "%u" },
    { VGPU_FILE, 0, PCI "/config", "%c" },
    { VGPU_LINK, 0, PCI "/subsystem", PCI_BUS },
    { VGPU_DIR, 0, PCI "/drm", "" },
    { VGPU_DIR, 0, PCI "/drm/card0", "" },
    { VGPU_FILE, 0, PCI "/drm/card0/uevent",
      "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n" },
    { VGPU_LINK, 0, PCI "/drm/card0/device", PCI },
    { VGPU_DIR, 0, PCI "/drm/renderD128", "" },
    { VGPU_FILE, 0, PCI "/drm/renderD128/uevent",
      "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n" },
    { VGPU_LINK, 0, PCI "/drm/renderD128/device", PCI },
    { VGPU_LINK, 0, "/sys/dev/char/226:0", PCI "/drm/card0" },
    { VGPU_LINK, 0, "/sys/dev/char/226:128", PCI "/drm/renderD128" },
    { VGPU_DIR, 0, PCI_BUS, "" },
    { VGPU_DIR, 0, PCI_BUS "/devices", "" },
    { VGPU_LINK, 0, PCI_BUS "/devices/" SLOT, PCI },
};

static void put16(char *to, u32 at, u32 value)
{
    to[at] = (char)value;
    to[at + 1] = (char)(value >> 8);
}

/* The first bytes of PCI configuration space. */
static u32 put_config(const struct vgpu_chip *chip, char *to)
{
    memset(to, 0, CONFIG_BYTES);
    put16(to, 0, VENDOR_AMD);
    put16(to, 2, chip->device_id);
    to[8] = (char)chip->pci_rev;
    put16(to, 10, 0x0380); /* a display controller that is no VGA */
    put16(to, 44, VENDOR_AMD);
    put16(to, 46, SUBSYSTEM);
    return CONFIG_BYTES;
}

static u32 fill(const struct vgpu_chip *chip, const char *row, char *to, size_t size)
{
    struct text t;
    text_init(&t, to, size);
    if (strcmp(row, "%c") == 0)
        return put_config(chip, to);
    if (strcmp(row, "%d") == 0)
        text_add(&t, "0x%04x\n", chip->device_id);
    else if (strcmp(row, "%r") == 0)
        text_add(&t, "0x%02x\n", chip->pci_rev);
    else if (strcmp(row, "%u") == 0)
        text_add(&t,
                 "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_ID=1002:%04X\nPCI_SUBSYS_ID=1002:0C35\n"
                 "PCI_SLOT_NAME=" SLOT "\n",
                 chip->device_id);
    else
        text_add(&t, "%s", row);
    return (u32)t.len;
}

bool vgpu_tree_at(const struct vgpu_chip *chip, u32 index, struct vgpu_node *node)
{
    if (index >= COUNT_OF(rows))
        return vgpu_topology_at(chip, index - (u32)COUNT_OF(rows), node);
    const struct row *r = &rows[index];
    *node = (struct vgpu_node){ .kind = r->kind, .major = VGPU_DRM_MAJOR, .minor = r->minor };
    snprintf(node->path, sizeof node->path, "%s", r->path);
    node->bytes = fill(chip, r->text, node->text, sizeof node->text);
    return true;
}

static bool begins(const char *path, const char *with)
{
    size_t n = strlen(with);
    return strncmp(path, with, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* clang-format off */
static const char *const owned[] = {
    "/dev/dri", "/sys/dev/char/226:0", "/sys/dev/char/226:128", PCI, PCI_BUS,
    "/dev/kfd", "/sys/class/kfd", "/sys/devices/virtual/kfd", "/sys/module/amdgpu", "/proc/modules",
};
/* clang-format on */

bool vgpu_tree_owns(const char *path)
{
    for (u32 i = 0; i < COUNT_OF(owned); i++)
        if (begins(path, owned[i]))
            return true;
    return false;
}

bool vgpu_tree_leads(const char *path)
{
    for (u32 i = 0; i < COUNT_OF(owned); i++)
        if (begins(owned[i], path))
            return true;
    return false;
}

static bool find_exact(const struct vgpu_chip *chip, const char *path, struct vgpu_node *node)
{
    for (u32 i = 0; vgpu_tree_at(chip, i, node); i++)
        if (strcmp(node->path, path) == 0)
            return true;
    return false;
}

/* The longest link that the path goes through is replaced by its target; false if there is none. */
static bool follow(const struct vgpu_chip *chip, char *path, size_t size, bool nofollow)
{
    struct vgpu_node n;
    for (u32 i = 0; vgpu_tree_at(chip, i, &n); i++) {
        size_t len = strlen(n.path);
        if (n.kind != VGPU_LINK || !begins(path, n.path) || (nofollow && path[len] == '\0'))
            continue;
        char rest[256];
        struct text t;
        snprintf(rest, sizeof rest, "%s", path + len);
        text_init(&t, path, size);
        text_add(&t, "%s%s", n.text, rest);
        return true;
    }
    return false;
}

/* Without `//`, `/.` and `/..`. */
static void clean(const char *from, char *to, size_t size)
{
    struct text t;
    text_init(&t, to, size);
    while (*from) {
        size_t len = strcspn(from + 1, "/");
        if (len == 2 && strncmp(from + 1, "..", 2) == 0) {
            char *slash = strrchr(to, '/');
            t.len = slash ? (size_t)(slash - to) : 0;
            to[t.len] = '\0';
        } else if (len && !(len == 1 && from[1] == '.')) {
            text_add(&t, "/%.*s", (int)len, from + 1);
        }
        from += 1 + len;
    }
}

bool vgpu_tree_find(const struct vgpu_chip *chip, const char *path, bool nofollow,
                    struct vgpu_node *node)
{
    enum { LINKS_MAX = 8 };
    char at[256];
    if (path[0] != '/' || strlen(path) >= sizeof at)
        return false;
    snprintf(at, sizeof at, "%s", path);
    for (u32 i = 0; i < LINKS_MAX; i++) {
        char cleaned[256];
        /* `..` behind a link is of the link's target */
        if (follow(chip, at, sizeof at, nofollow))
            continue;
        clean(at, cleaned, sizeof cleaned);
        if (strcmp(cleaned, at) == 0)
            return find_exact(chip, at, node);
        snprintf(at, sizeof at, "%s", cleaned);
    }
    return false;
}
