#include "harness/vgpu/preload/dir.h"

#include "harness/vgpu/front/front.h"

#include <errno.h>
#include <pthread.h>

struct dir {
    bool is_open;
    const struct vgpu_chip *chip;
    char path[96];
    u32 at;
    struct dirent entry;
};

enum { DIRS_MAX = 32 };

static struct dir dirs[DIRS_MAX];
static pthread_mutex_t dirs_lock = PTHREAD_MUTEX_INITIALIZER;

struct dir *dir_open(const struct vgpu_chip *chip, const char *path)
{
    struct dir *d = NULL;
    pthread_mutex_lock(&dirs_lock);
    for (u32 i = 0; i < DIRS_MAX && !d; i++)
        if (!dirs[i].is_open)
            d = &dirs[i];
    if (d)
        *d = (struct dir){ .is_open = true, .chip = chip };
    pthread_mutex_unlock(&dirs_lock);
    if (!d) {
        errno = EMFILE;
        return NULL;
    }
    snprintf(d->path, sizeof d->path, "%s", path);
    return d;
}

struct dir *dir_of(const void *d)
{
    const struct dir *dir = d;
    for (u32 i = 0; i < DIRS_MAX; i++)
        if (dir == &dirs[i])
            return &dirs[i];
    return NULL;
}

struct dirent *dir_read(struct dir *d)
{
    struct vgpu_node n;
    const char *name;
    if (!front_list(d->chip, d->path, &d->at, &n, &name))
        return NULL;
    d->entry = (struct dirent){ .d_ino = d->at, .d_type = front_dirent_type(&n) };
    snprintf(d->entry.d_name, sizeof d->entry.d_name, "%s", name);
    return &d->entry;
}

void dir_close(struct dir *d)
{
    d->is_open = false;
}
