#include "harness/io/shell.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void shell_word(struct text *t, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_add(t, "%s", word);
        return;
    }
    text_add(t, "'");
    for (; *word; word++)
        text_add(t, *word == '\'' ? "'\\''" : "%c", *word);
    text_add(t, "'");
}

static bool is_program(const struct text *path)
{
    struct stat sb;
    return !path->full && stat(path->buf, &sb) == 0 && S_ISREG(sb.st_mode) &&
           access(path->buf, X_OK) == 0;
}

bool shell_program(const char *name, char *path)
{
    const char *at = getenv("PATH");
    struct text t;
    if (strchr(name, '/')) {
        text_init(&t, path, SHELL_PATH);
        text_add(&t, "%s", name);
        return is_program(&t);
    }
    bool more = true;
    for (at = at ? at : "/bin:/usr/bin"; more; at++) {
        size_t len = strcspn(at, ":");
        text_init(&t, path, SHELL_PATH);
        text_add(&t, "%.*s%s%s", (int)len, at, len ? "/" : "./", name);
        if (is_program(&t))
            return true;
        at += len;
        more = *at == ':';
    }
    return false;
}
