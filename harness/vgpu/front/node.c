#include "harness/vgpu/front/front.h"

#include <dirent.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum front_found front_look(const struct vgpu_chip *chip, const char *path, bool nofollow,
                            struct vgpu_node *n)
{
    *n = (struct vgpu_node){ .kind = VGPU_DIR };
    if (!vgpu_tree_owns(path))
        return FRONT_FOREIGN;
    return vgpu_tree_find(chip, path, nofollow, n) ? FRONT_OURS : FRONT_NONE;
}

int front_contents(const struct vgpu_node *n)
{
    int fd = memfd_create("vgpu-file", MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (write(fd, n->text, n->bytes) != (ssize_t)n->bytes) {
        syscall(SYS_close, fd);
        return -EIO;
    }
    lseek(fd, 0, SEEK_SET);
    return fd;
}

mode_t front_mode(const struct vgpu_node *n)
{
    switch (n->kind) {
    case VGPU_DEVICE: return S_IFCHR | 0666;
    case VGPU_DIR: return S_IFDIR | 0755;
    case VGPU_LINK: return S_IFLNK | 0777;
    default: return S_IFREG | 0444;
    }
}

dev_t front_rdev(const struct vgpu_node *n)
{
    return n->kind == VGPU_DEVICE ? makedev(n->major, n->minor) : 0;
}

struct vgpu_node front_device_node(const struct front *f, u32 file)
{
    bool is_primary = vgpu_file_is_primary(f->v, file), is_kfd = vgpu_file_is_kfd(f->v, file);
    return (struct vgpu_node){ .kind = VGPU_DEVICE,
                               .major = is_kfd ? VGPU_KFD_MAJOR : VGPU_DRM_MAJOR,
                               .minor = is_kfd       ? VGPU_KFD_MINOR
                                        : is_primary ? VGPU_PRIMARY_MINOR
                                                     : VGPU_RENDER_MINOR };
}

bool front_list(const struct vgpu_chip *chip, const char *folder, u32 *at, struct vgpu_node *n,
                const char **name)
{
    size_t len = strlen(folder);
    while (vgpu_tree_at(chip, *at, n)) {
        ++*at;
        *name = n->path + len + 1;
        if (strncmp(n->path, folder, len) == 0 && n->path[len] == '/' && !strchr(*name, '/'))
            return true;
    }
    return false;
}

u8 front_dirent_type(const struct vgpu_node *n)
{
    static const u8 types[] = {
        [VGPU_DIR] = DT_DIR, [VGPU_FILE] = DT_REG, [VGPU_LINK] = DT_LNK, [VGPU_DEVICE] = DT_CHR
    };
    return types[n->kind];
}
