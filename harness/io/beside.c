#include "harness/io/beside.h"

#include <unistd.h>

bool beside_path(const char *name, char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    size_t dir = (size_t)(strrchr(path, '/') - path) + 1;
    if (size - dir <= strlen(name))
        return false;
    strcpy(path + dir, name);
    return true;
}
