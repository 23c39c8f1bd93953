/* Children and their keeper: it stays for the next child, is replaced when it is gone, is not moved by what
 * comes too late, and says why a child could not be started. */
#include "harness/io/child.h"
#include "harness/io/clock.h"
#include "harness/t/lib/tap_test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG_MS = 60000 };

/* The keeper's own descriptors, those that a child's streams arrive as, and no more. */
enum { OWN_FILES = 3, FILES_FOR_STREAMS = 5 };

static const struct keeper_limits no_limits;

/* Answers each byte by the next one, until there is none. */
static void count_up(void *ctx)
{
    u8 byte;
    (void)ctx;
    while (read(0, &byte, 1) == 1) {
        byte++;
        if (write(1, &byte, 1) != 1)
            return;
    }
}

static bool starts(struct child *c)
{
    struct err e = { .text = "" };
    enum status st = child_start(c, count_up, NULL, &no_limits, &e);
    if (st != ST_OK)
        diag("%s", e.text);
    return st == ST_OK;
}

/* Whether it answers. */
static bool answers(struct child *c, u8 byte)
{
    u64 deadline = clock_ms() + LONG_MS;
    u8 got = 0;
    return child_write(c, &byte, 1, deadline) == CHILD_OK &&
           child_read(c, &got, 1, deadline) == CHILD_OK && got == (u8)(byte + 1);
}

static void limit_files(pid_t pid, rlim_t files, struct rlimit *before)
{
    struct rlimit now = { files, files };
    if (getrlimit(RLIMIT_NOFILE, before) != 0)
        bail("getrlimit");
    now.rlim_max = before->rlim_max;
    if (prlimit(pid, RLIMIT_NOFILE, &now, NULL) != 0)
        bail("prlimit");
}

static void test_keeper_stays(struct child *c)
{
    ok(starts(c) && answers(c, 1), "a child");
    pid_t keeper = c->keeper;
    child_end(c, LONG_MS);
    is_i64(0, c->status, "which ends when nothing more comes");
    ok(starts(c) && answers(c, 2), "the next one");
    is_i64(keeper, c->keeper, "has the same keeper");
    child_end(c, LONG_MS);
}

static void test_keeper_is_gone(struct child *c)
{
    siginfo_t info;
    pid_t keeper = c->keeper;
    kill(keeper, SIGKILL);
    waitid(P_PID, (id_t)keeper, &info, WEXITED | WNOWAIT);
    ok(starts(c) && answers(c, 3), "a keeper that was killed while idle is replaced");
    ok(c->keeper != keeper, "by another");
    child_end(c, LONG_MS);
}

static void test_late_end(struct child *c)
{
    keeper_end(c->control);
    keeper_end(c->control);
    ok(starts(c) && answers(c, 4) && answers(c, 5),
       "an end that comes too late is not the next one's");
    child_end(c, LONG_MS);
}

/* The keeper may open no more files than that: no child can be started. */
static void test_unborn(struct child *c, rlim_t files, const char *name)
{
    char how[128];
    u8 byte;
    struct rlimit before;
    pid_t keeper = c->keeper;
    limit_files(keeper, files, &before);
    ok(starts(c) && child_read(c, &byte, 1, clock_ms() + LONG_MS) == CHILD_DIED, "%s: it dies",
       name);
    is_i64(EMFILE, child_unborn(c), "%s: before it began", name);
    is_str("could not be started: Too many open files", child_death(c, how, sizeof how), "%s: why",
           name);
    child_end(c, LONG_MS);
    if (prlimit(keeper, RLIMIT_NOFILE, &before, NULL) != 0)
        bail("prlimit");
    ok(starts(c) && answers(c, 6) && c->keeper == keeper, "%s: it starts the next one", name);
    is_i64(0, child_unborn(c), "%s: and began", name);
    child_end(c, LONG_MS);
}

int main(void)
{
    struct child c = { 0 };
    plan(17);
    test_keeper_stays(&c);
    test_keeper_is_gone(&c);
    test_late_end(&c);
    test_unborn(&c, FILES_FOR_STREAMS, "no pipe");
    test_unborn(&c, OWN_FILES, "no room for streams");
    child_close(&c, LONG_MS);
    return done();
}
