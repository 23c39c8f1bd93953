#include "harness/cmd/base/findings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* scandir() has no place for a context: it lists all, and what is no finding is dropped here. */
static bool is_finding(const char *folder, const char *name)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s/finding.json", folder, name);
    return name[0] != '.' && n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0;
}

enum status findings_list(const char *folder, struct dirent ***names, u32 *count, struct err *e)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/finding.json", folder);
    *names = NULL;
    *count = 0;
    if (n < 0 || (size_t)n >= sizeof path || access(path, F_OK) == 0)
        return ST_OK;
    int all = scandir(folder, names, NULL, alphasort);
    if (all < 0)
        return errno == ENOMEM ? err_memory(e) : ST_OK;
    for (int i = 0; i < all; i++)
        if (is_finding(folder, (*names)[i]->d_name))
            (*names)[(*count)++] = (*names)[i];
        else
            free((*names)[i]);
    return ST_OK;
}

void findings_free(struct dirent **names, u32 count)
{
    for (u32 i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

enum status findings_refuse(const char *path, struct err *e)
{
    struct dirent **names;
    u32 count;
    enum status st = findings_list(path, &names, &count, e);
    if (st == ST_OK && count)
        st = err_set(e, ST_INPUT, "%.120s holds %u findings: name one, as %.60s/%.60s", path, count,
                     path, names[0]->d_name);
    findings_free(names, count);
    return st;
}

void findings_say_kept(const char *folder, const char *kept)
{
    if (kept)
        fprintf(stderr, "gcncheck: %s/%s was edited and stays as it is: --force replaces it\n",
                folder, kept);
}
