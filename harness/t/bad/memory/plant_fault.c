/* Preloaded into gcncheck to plant a fault that scripts/faults/kills.py must notice: PLANT_FAULT in
 * the environment names it.
 *
 *   lose    results are not written to the journal, and said to be
 *   deaf    no handler for SIGINT and SIGTERM is set, so that a run does not end in order
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int planted(const char *name)
{
    const char *given = getenv("PLANT_FAULT");
    return given && strcmp(given, name) == 0;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    static const char result[] = "\246result"; /* a record's kind, behind the head of its array */
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (planted("lose") && fd > 2 && size > sizeof result &&
        memcmp((const char *)bytes + 1, result, sizeof result - 1) == 0)
        return (ssize_t)size;
    return real(fd, bytes, size);
}

int sigaction(int number, const struct sigaction *sa, struct sigaction *old)
{
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real)
        real = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT,
                                                                                 "sigaction");
    if (planted("deaf") && sa && (number == SIGINT || number == SIGTERM))
        return 0;
    return real(number, sa, old);
}
