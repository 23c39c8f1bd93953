/* Preloaded into gcncheck to plant a fault that scripts/faults/inject.py or kills.py must notice:
 * PLANT_FAULT in the environment names it.
 *
 *   lose    results are not written to the journal, and said to be
 *   deaf    no handler for SIGINT and SIGTERM is set, so that a run does not end in order
 *   mute    nothing is said on standard error
 *   early   SIGINT comes with the first bytes of a journal: no fault of the program's, which ends in order
 *
 * and where the exit code would be 2 or 3:
 *
 *   zero    it is 0
 *   crash   the process aborts
 *   hang    it stays
 *   child   a process of its own stays
 *   spoil   page.html is emptied
 *   steal   the finding of another device is emptied
 *   part    new.part is left
 *   rot     a bit of new.journal is another
 *   whole   new.journal is one of a run that came to its end: right.journal
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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
    /* A record's kind, behind the head of its array. */
    static const char result[] = "\246result", head[] = "\244head";
    if (!real)
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (planted("early") && fd > 2 && size > sizeof head &&
        memcmp((const char *)bytes + 1, head, sizeof head - 1) == 0)
        raise(SIGINT);
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

/* Another bit in the middle of a file. */
static void rot(const char *path)
{
    char byte = 0;
    int fd = open(path, O_RDWR);
    off_t middle = lseek(fd, 0, SEEK_END) / 2;
    if (fd < 0 || pread(fd, &byte, 1, middle) != 1)
        return;
    byte ^= 1;
    if (pwrite(fd, &byte, 1, middle) != 1)
        return;
    close(fd);
}

/* One file takes the place of another. */
static void replace(const char *path, const char *with)
{
    char bytes[1 << 16];
    int in = open(with, O_RDONLY), out = open(path, O_WRONLY | O_TRUNC);
    for (ssize_t n; in >= 0 && out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0;)
        if (write(out, bytes, (size_t)n) != n)
            abort();
    close(in);
    close(out);
}

/* Last of all that is done at the end: it was registered first. */
static void at_end(int status, void *unused)
{
    (void)unused;
    if (status != 2 && status != 3)
        return;
    fflush(NULL);
    if (planted("zero"))
        _exit(0);
    if (planted("crash"))
        abort();
    if (planted("hang"))
        for (;;)
            pause();
    if (planted("spoil") && truncate("page.html", 0))
        abort();
    if (planted("steal") && truncate("taken/v_bfe_u32-e64-vgpr/finding.json", 0))
        abort();
    if (planted("part"))
        close(open("new.part", O_WRONLY | O_CREAT, 0666));
    if (planted("rot"))
        rot("new.journal");
    if (planted("whole"))
        replace("new.journal", "right.journal");
    if (planted("child") && fork() == 0) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        sleep(30);
        _exit(0);
    }
}

static void __attribute__((constructor)) begin(void)
{
    on_exit(at_end, NULL);
    if (planted("mute"))
        stderr = fopen("/dev/null", "w");
}
