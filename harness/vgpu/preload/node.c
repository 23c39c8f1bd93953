#include "harness/vgpu/preload/node.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum node_found node_look(const struct vgpu_chip *chip, const char *path, bool nofollow,
                          struct vgpu_node *n)
{
    *n = (struct vgpu_node){ .kind = VGPU_DIR };
    if (!vgpu_tree_owns(path))
        return NODE_FOREIGN;
    if (vgpu_tree_find(chip, path, nofollow, n))
        return NODE_OURS;
    errno = ENOENT;
    return NODE_NONE;
}

int node_contents(const struct vgpu_node *n)
{
    int fd = memfd_create("vgpu-file", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (write(fd, n->text, n->bytes) != (ssize_t)n->bytes) {
        close(fd);
        errno = EIO;
        return -1;
    }
    lseek(fd, 0, SEEK_SET);
    return fd;
}

mode_t node_mode(const struct vgpu_node *n)
{
    switch (n->kind) {
    case VGPU_DEVICE: return S_IFCHR | 0666;
    case VGPU_DIR: return S_IFDIR | 0755;
    case VGPU_LINK: return S_IFLNK | 0777;
    default: return S_IFREG | 0444;
    }
}

dev_t node_rdev(const struct vgpu_node *n)
{
    return n->kind == VGPU_DEVICE ? makedev(n->major, n->minor) : 0;
}

struct node_dir {
    bool is_open;
    const struct vgpu_chip *chip;
    char path[96];
    u32 at;
    struct dirent entry;
};

enum { DIRS_MAX = 32 };

static struct node_dir dirs[DIRS_MAX];
static pthread_mutex_t dirs_lock = PTHREAD_MUTEX_INITIALIZER;

struct node_dir *node_dir_open(const struct vgpu_chip *chip, const char *path)
{
    struct node_dir *d = NULL;
    pthread_mutex_lock(&dirs_lock);
    for (u32 i = 0; i < DIRS_MAX && !d; i++)
        if (!dirs[i].is_open)
            d = &dirs[i];
    if (d)
        *d = (struct node_dir){ .is_open = true, .chip = chip };
    pthread_mutex_unlock(&dirs_lock);
    if (!d) {
        errno = EMFILE;
        return NULL;
    }
    snprintf(d->path, sizeof d->path, "%s", path);
    return d;
}

struct node_dir *node_dir_of(const void *d)
{
    const struct node_dir *dir = d;
    for (u32 i = 0; i < DIRS_MAX; i++)
        if (dir == &dirs[i])
            return &dirs[i];
    return NULL;
}

struct dirent *node_dir_read(struct node_dir *d)
{
    static const u8 types[] = {
        [VGPU_DIR] = DT_DIR, [VGPU_FILE] = DT_REG, [VGPU_LINK] = DT_LNK, [VGPU_DEVICE] = DT_CHR
    };
    size_t len = strlen(d->path);
    for (struct vgpu_node n; vgpu_tree_at(d->chip, d->at, &n);) {
        d->at++;
        const char *name = n.path + len + 1;
        if (strncmp(n.path, d->path, len) != 0 || n.path[len] != '/' || strchr(name, '/'))
            continue;
        d->entry = (struct dirent){ .d_ino = d->at, .d_type = types[n.kind] };
        snprintf(d->entry.d_name, sizeof d->entry.d_name, "%s", name);
        return &d->entry;
    }
    return NULL;
}

void node_dir_close(struct node_dir *d)
{
    d->is_open = false;
}
