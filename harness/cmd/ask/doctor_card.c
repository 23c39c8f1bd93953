#include "harness/cmd/ask/doctor_card.h"

#include "harness/vgpu/vgpu.h"

#include <dirent.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { PATH_CHARS = 512, DETAIL_CHARS = 300 };

/* What does not fit is cut. */
static void put(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void put(char *to, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(to, size, fmt, args);
    va_end(args);
}

static void at_root(char *path, const char *rest)
{
    const char *root = getenv("GCNCHECK_ROOT");
    put(path, PATH_CHARS, "%s%s", root ? root : "", rest);
}

static bool is_there(const char *rest)
{
    char path[PATH_CHARS];
    at_root(path, rest);
    return access(path, F_OK) == 0;
}

/* The number in a file of one, such as "0x1002"; 0 if it cannot be read. */
static u32 number_in(const char *rest)
{
    char path[PATH_CHARS], text[32] = "";
    at_root(path, rest);
    FILE *f = fopen(path, "re");
    if (f && !fgets(text, sizeof text, f))
        text[0] = '\0';
    if (f)
        fclose(f);
    return (u32)strtoul(text, NULL, 0);
}

/* Names in a folder that begin so; `fn` gets each. How many there are. */
typedef void name_fn(const char *name, doctor_line_fn *line);

static u32 each(const char *folder, const char *stem, name_fn *fn, doctor_line_fn *line)
{
    char path[PATH_CHARS];
    u32 count = 0;
    at_root(path, folder);
    DIR *d = opendir(path);
    for (const struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d)) {
        if (f->d_name[0] == '.' || strncmp(f->d_name, stem, strlen(stem)) != 0)
            continue;
        count++;
        fn(f->d_name, line);
    }
    if (d)
        closedir(d);
    return count;
}

/* ---- devices ---- */

static u32 cards; /* AMD's, seen by look_at_pci */
static const struct vgpu_chip *card_chip;

static void look_at_pci(const char *name, doctor_line_fn *line)
{
    enum { AMD = 0x1002, DISPLAY = 3, ACCELERATOR = 0x12 };
    char path[PATH_CHARS], driver[PATH_CHARS], detail[DETAIL_CHARS];
    put(path, sizeof path, "/sys/bus/pci/devices/%.40s/vendor", name);
    u32 vendor = number_in(path);
    put(path, sizeof path, "/sys/bus/pci/devices/%.40s/class", name);
    u32 class = number_in(path) >> 16;
    if (vendor != AMD || (class != DISPLAY && class != ACCELERATOR))
        return;
    put(path, sizeof path, "/sys/bus/pci/devices/%.40s/device", name);
    u32 device = number_in(path);
    const struct vgpu_chip *chip = NULL;
    for (u32 i = 0; vgpu_chip_at(i); i++)
        chip = vgpu_chip_at(i)->device_id == device ? vgpu_chip_at(i) : chip;
    cards++;
    card_chip = chip ? chip : card_chip;
    put(path, sizeof path, "/sys/bus/pci/devices/%.40s/driver", name);
    at_root(driver, path);
    ssize_t n = readlink(driver, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    bool is_amdgpu = strcmp(base, "amdgpu") == 0;
    put(detail, sizeof detail, "%.20s: device 0x%04x%s%s; %s%s%s", name, device,
        chip ? ", like " : "", chip ? chip->mcpu : "",
        is_amdgpu ? "driven by amdgpu"
        : base[0] ? "driven by "
                  : "no driver has taken it: modprobe amdgpu, then look at dmesg",
        is_amdgpu ? "" : base, !is_amdgpu && base[0] ? ", not by amdgpu: unbind it" : "");
    line(is_amdgpu, "card", detail);
}

static void look_at_node(const char *name, doctor_line_fn *line)
{
    char path[PATH_CHARS], rest[PATH_CHARS], detail[DETAIL_CHARS];
    struct stat st;
    put(rest, sizeof rest, "/dev/dri/%.40s", name);
    at_root(path, rest);
    bool may = access(path, R_OK | W_OK) == 0;
    const struct group *g = stat(path, &st) == 0 ? getgrgid(st.st_gid) : NULL;
    if (may)
        put(detail, sizeof detail, "%s, readable and writable: --dut drm:%s", rest, rest);
    else
        put(detail, sizeof detail, "%s: no permission: sudo usermod -aG %s $USER, then log in anew",
            rest, g ? g->gr_name : "render");
    line(may, "render node", detail);
}

/* ---- driver, firmware, kernel ---- */

/* What the kernel's configuration says of an option: 'y', 'm', 'n'; '?' if it cannot be read. */
static char kernel_option(const char *option)
{
    char path[PATH_CHARS], rest[PATH_CHARS], text[200], found = '?';
    struct utsname u;
    if (uname(&u) != 0)
        return '?';
    put(rest, sizeof rest, "/boot/config-%.100s", u.release);
    at_root(path, rest);
    FILE *f = fopen(path, "re");
    size_t len = strlen(option);
    for (found = f ? 'n' : '?'; f && fgets(text, sizeof text, f);)
        if (strncmp(text, option, len) == 0 && text[len] == '=')
            found = text[len + 1];
    if (f)
        fclose(f);
    return found;
}

static void look_at_driver(doctor_line_fn *line)
{
    char option = kernel_option("CONFIG_DRM_AMDGPU");
    bool is_loaded = is_there("/sys/module/amdgpu");
    line(is_loaded, "kernel driver",
         is_loaded       ? "amdgpu is loaded"
         : option == 'n' ? "this kernel was built without CONFIG_DRM_AMDGPU: install your "
                           "distribution's standard kernel (Debian: linux-image-amd64)"
         : option == '?'
             ? "amdgpu is not loaded: modprobe amdgpu (containers need --device /dev/dri)"
             : "amdgpu is not loaded: modprobe amdgpu");
}

static void look_at_firmware(doctor_line_fn *line)
{
    static const char *const ends[] = { "", ".xz", ".zst" };
    char path[PATH_CHARS], detail[DETAIL_CHARS];
    const char *stem = (card_chip ? card_chip : vgpu_chip_at(0))->firmware;
    bool have = false;
    for (u32 i = 0; i < COUNT_OF(ends); i++) {
        put(path, sizeof path, "/lib/firmware/amdgpu/%s_mec.bin%s", stem, ends[i]);
        have |= is_there(path);
    }
    put(detail, sizeof detail, "/lib/firmware/amdgpu/%s_mec.bin%s", stem,
        have ? "" : " is missing (Debian: firmware-amd-graphics, of non-free-firmware)");
    line(have, "firmware", detail);
}

/* What the journal of submissions says (harness/drm/journal.h). */
static void look_at_journal(doctor_line_fn *line)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    state = state && state[0] ? state : NULL; /* as drm_journal_path has it */
    home = home && home[0] ? home : "/var/tmp";
    char path[PATH_CHARS], text[200], detail[DETAIL_CHARS];
    u32 culprits = 0;
    for (u32 i = 0; i < 8; i++) {
        put(path, sizeof path, "%.400s%s/gcncheck-submitted.%u", state ? state : home,
            state ? "" : "/.local/state", i);
        FILE *f = fopen(path, "re");
        for (; f && fgets(text, sizeof text, f);)
            culprits += strncmp(text, "culprit ", 8) == 0;
        if (f)
            fclose(f);
    }
    path[strlen(path) - 1] = '*';
    put(detail, sizeof detail,
        "%u jobs have frozen this machine and are not submitted again: %.200s", culprits, path);
    if (culprits)
        line(false, "submissions", detail);
}

void doctor_card(doctor_line_fn *line)
{
    cards = 0;
    card_chip = NULL;
    each("/sys/bus/pci/devices", "", look_at_pci, line);
    if (cards == 0)
        line(false, "card", "no AMD GPU on the PCI bus: --dut vgpu:CHIP needs none");
    if (each("/dev/dri", "renderD", look_at_node, line) == 0)
        line(false, "render node",
             "none in /dev/dri; --dut drm needs one, --dut vgpu:CHIP does not");
    if (cards == 0)
        return;
    look_at_driver(line);
    look_at_firmware(line);
    look_at_journal(line);
}
