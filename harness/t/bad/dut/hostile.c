/* The example device, right but for one job: the one that sets a register to 0x0badf00d. To that
 * it does what HOSTILE in the environment names, one of the table at the end. What becomes of it
 * is in hostile_plugins.txt, which harness/t/run/hostile.sh goes through. */
#define _GNU_SOURCE
#include "harness/t/bad/dut/example.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAGIC = 0x0badf00d, HIGHEST = 300 };

/* Set by what is found out that must not be so: the answer is wrong then. */
static int violation;

static struct gcncheck_job *current;

static void sleep_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

/* The parent's parent, which is gcncheck; 0 if that cannot be found out. */
static pid_t grandparent(void)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')');
    int pid = 0;
    return at && sscanf(at, ") %*c %d", &pid) == 1 && pid > 1 ? pid : 0;
}

/* ---- signals to others ---- */

/* A function for each act, which the table at the end names. */
static void kill_parent(void)
{
    kill(getppid(), SIGKILL);
    sleep_ms(50);
}
static void term_parent(void)
{
    kill(getppid(), SIGTERM);
    sleep_ms(50);
}
static void int_parent(void)
{
    kill(getppid(), SIGINT);
    sleep_ms(50);
}
static void hup_parent(void)
{
    kill(getppid(), SIGHUP);
    sleep_ms(50);
}
static void stop_parent(void)
{
    kill(getppid(), SIGSTOP);
    sleep_ms(50);
}
static void kill_group(void)
{
    kill(0, SIGKILL);
    wait_for_ever();
}
static void term_group(void)
{
    kill(0, SIGTERM);
    wait_for_ever();
}
static void stop_group(void)
{
    kill(0, SIGSTOP);
    sleep_ms(50);
}
static void kill_parent_group(void)
{
    kill(-getpgid(getppid()), SIGKILL);
    sleep_ms(50);
}
static void stop_parent_group(void)
{
    kill(-getpgid(getppid()), SIGSTOP);
    sleep_ms(50);
}
static void shell_kills_parent(void)
{
    if (system("kill -9 $PPID; sleep 5") < 0)
        violation = 1;
}

static void to_grandparent(int number)
{
    pid_t pid = grandparent();
    if (pid && kill(pid, number) == 0)
        violation = 1;
    sleep_ms(50);
}

static void kill_grandparent(void)
{
    to_grandparent(SIGKILL);
}
static void term_grandparent(void)
{
    to_grandparent(SIGTERM);
}
static void stop_grandparent(void)
{
    to_grandparent(SIGSTOP);
}

/* Signal 0 finds out who could be signalled: nobody but itself. */
static void signal_all(void)
{
    pid_t self = getpid();
    for (pid_t pid = self > 30000 ? self - 30000 : 1; pid < self + 1000; pid++)
        if (pid != self && kill(pid, 0) == 0)
            violation = 1;
}

static void trace_grandparent(void)
{
    pid_t pid = grandparent();
    if (pid && ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0) {
        violation = 1;
        waitpid(pid, NULL, 0);
        ptrace(PTRACE_DETACH, pid, NULL, NULL);
    }
}

static void read_grandparent(void)
{
    char byte;
    struct iovec mine = { &byte, 1 }, its = { (void *)(uintptr_t)&violation, 1 };
    pid_t pid = grandparent();
    errno = 0;
    if (pid && (process_vm_readv(pid, &mine, 1, &its, 1, 0) == 1 || errno != EPERM))
        violation = 1;
}

/* ---- its own end ---- */

static int *volatile nowhere;

static void segv(void)
{
    *nowhere = 1;
}
static void kill_self(void)
{
    raise(SIGKILL);
}
static void abort_self(void)
{
    abort();
}
static void exit_0(void)
{
    exit(0);
}
static void exit_3(void)
{
    exit(3);
}
static void exit_late(void)
{
    atexit(wait_for_ever);
    exit(0);
}
static void quick_exit_7(void)
{
    _exit(7);
}
static void exec_true(void)
{
    execl("/bin/true", "true", (char *)NULL);
}
static void stop_self(void)
{
    raise(SIGSTOP);
}
static void hang(void)
{
    wait_for_ever();
}

static void spin_deaf(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (volatile uint64_t n = 0;; n++)
        ;
}

static volatile int depth_limit = 1 << 30;

static int recurse(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n < depth_limit ? recurse(n + 1) + frame[0] : 0;
}

static void eat_stack(void)
{
    violation = recurse(0) == 1;
}

/* ---- descriptors ---- */

static void close_all(void)
{
    close_range(0, ~0u, 0);
}
static void close_standard(void)
{
    close_range(0, 2, 0);
}
static void close_high(void)
{
    close_range(3, ~0u, 0);
}

static void fill_files(void)
{
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
}

static void write_everywhere(void)
{
    for (int fd = 3; fd < HIGHEST; fd++)
        if (write(fd, "!", 1) < 0)
            continue;
}

static void answer_for_others(void)
{
    char bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    for (int fd = 3; fd < HIGHEST; fd++)
        if (write(fd, bytes, sizeof bytes) < 0)
            continue;
}

static void dup_over(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 3; fd < HIGHEST; fd++)
        if (fd != null)
            dup2(null, fd);
}

static void never_block(void)
{
    for (int fd = 0; fd < HIGHEST; fd++)
        fcntl(fd, F_SETFL, O_NONBLOCK);
}

static void shut_down(void)
{
    for (int fd = 3; fd < HIGHEST; fd++)
        syscall(SYS_shutdown, fd, 2);
}

static void no_files(void)
{
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_NOFILE, &none);
}

/* ---- signals of its own ---- */

static void nothing(int number)
{
    (void)number;
}

static void block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void ignore_all(void)
{
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_IGN);
}

static void alarm_now(void)
{
    struct itimerval t = { .it_value = { 0, 1000 } };
    setitimer(ITIMER_REAL, &t, NULL);
    wait_for_ever();
}

/* Comes when other jobs are under way. */
static void alarm_later(void)
{
    struct itimerval t = { .it_value = { 0, 1000 } };
    setitimer(ITIMER_REAL, &t, NULL);
}

static void alarm_often(void)
{
    struct sigaction sa = { .sa_handler = nothing };
    struct itimerval t = { .it_value = { 0, 1000 }, .it_interval = { 0, 1000 } };
    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void *stop_soon(void *none)
{
    sleep_ms(1);
    kill(getpid(), SIGSTOP);
    return none;
}

/* Stops when other jobs are under way. */
static void stop_later(void)
{
    pthread_t t;
    pthread_create(&t, NULL, stop_soon, NULL);
}

static void *crash_soon(void *none)
{
    sleep_ms(1);
    segv();
    return none;
}

static void crash_later(void)
{
    pthread_t t;
    pthread_create(&t, NULL, crash_soon, NULL);
}

/* ---- processes ---- */

static void fork_and_forget(void)
{
    if (fork() < 0)
        violation = 1;
}
static void fork_and_exit(void)
{
    if (fork() == 0)
        _exit(0);
}
static void fork_and_stay(void)
{
    if (fork() == 0)
        wait_for_ever();
}

/* A process in a session of its own, whose parent is gone: nothing leads to it. */
static int escape(void)
{
    if (fork() != 0)
        return 0;
    setsid();
    if (fork() != 0)
        _exit(0);
    ignore_all();
    return 1;
}

static void fork_and_escape(void)
{
    if (escape())
        wait_for_ever();
}
static void escape_and_crash(void)
{
    if (escape())
        wait_for_ever();
    segv();
}

/* It writes over the jobs that come after the crash. */
static void escape_and_scribble(void)
{
    unsigned char *jobs = (unsigned char *)((uintptr_t)current & ~(uintptr_t)4095);
    if (escape())
        for (;;)
            for (int i = 0; i < 65536; i++)
                jobs[i] ^= 0x55;
    sleep_ms(5);
    segv();
}

static void fork_many(void)
{
    for (int i = 0; i < 100; i++)
        if (escape())
            wait_for_ever();
}

/* A process that is never where one looks: it starts another and ends. Three seconds, so that it
 * ends even if nobody ends it. */
static void fork_and_run(void)
{
    if (!escape())
        return;
    time_t end = time(NULL) + 3;
    while (time(NULL) < end)
        if (fork() > 0)
            _exit(0);
    _exit(0);
}

/* ---- output ---- */

static void flood(int fd, int mebibytes)
{
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (int i = 0; mebibytes < 0 || i < mebibytes * 16; i++)
        if (write(fd, block, sizeof block) < 0)
            return;
}

static void flood_stderr(void)
{
    flood(2, 16);
}
static void flood_stdout(void)
{
    flood(1, 16);
}
static void flood_for_ever(void)
{
    flood(2, -1);
}
static void print_tap(void)
{
    printf("\nnot ok 1 - a lie\nBail out!\n");
    fflush(stdout);
}

/* ---- memory ---- */

static void eat_memory(void)
{
    /* volatile: a compiler may leave out memory that nobody reads */
    for (char *volatile p; (p = malloc(1 << 20));)
        memset(p, 1, 1 << 20);
    exit(9);
}

static void eat_memory_mapped(void)
{
    for (char *p; (p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                            0)) != MAP_FAILED;)
        memset(p, 1, 1 << 20);
    exit(9);
}

static void eat_memory_and_answer(void)
{
    static char *volatile block[1 << 16];
    int n = 0;
    while (n < 1 << 16 && (block[n] = malloc(1 << 20)))
        memset(block[n++], 1, 1 << 20);
    while (n > 0)
        free(block[--n]);
}

static void use_freed(void)
{
    free(current->out);
}
static void unmap_arena(void)
{
    munmap((void *)((uintptr_t)current & ~(uintptr_t)4095), 1 << 22);
}
static void protect_arena(void)
{
    mprotect((void *)((uintptr_t)current & ~(uintptr_t)4095), 1 << 20, PROT_NONE);
}
static void scribble_job(void)
{
    memset(current, 0xff, sizeof *current);
}
static void scribble_zero(void)
{
    memset(current, 0, sizeof *current);
}
/* What gcncheck and its worker agree on stands in the page before. */
static void scribble_head(void)
{
    memset((void *)(((uintptr_t)current & ~(uintptr_t)4095) - 4096), 0xff, 4096);
}
static void scribble_arena(void)
{
    memset((void *)((uintptr_t)current & ~(uintptr_t)4095), 0xa5, 1 << 20);
}
static void beyond_arena(void)
{
    memset((void *)((uintptr_t)current & ~(uintptr_t)4095), 0, 1 << 26);
}
static void before_arena(void)
{
    *(volatile char *)(((uintptr_t)current & ~(uintptr_t)4095) - 4097) = 1;
}

/* ---- surroundings ---- */

static void change_folder(void)
{
    if (chdir("/proc/self") != 0)
        violation = 1;
    umask(0777);
}
static void clear_environment(void)
{
    clearenv();
    setenv("PATH", "/nowhere", 1);
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
#define ACT(name)   \
    {               \
#name, name \
    }
    ACT(kill_parent),
    ACT(term_parent),
    ACT(int_parent),
    ACT(hup_parent),
    ACT(stop_parent),
    ACT(kill_group),
    ACT(term_group),
    ACT(stop_group),
    ACT(kill_parent_group),
    ACT(stop_parent_group),
    ACT(shell_kills_parent),
    ACT(kill_grandparent),
    ACT(term_grandparent),
    ACT(stop_grandparent),
    ACT(signal_all),
    ACT(trace_grandparent),
    ACT(read_grandparent),
    ACT(segv),
    ACT(kill_self),
    ACT(abort_self),
    ACT(exit_0),
    ACT(exit_3),
    ACT(exit_late),
    ACT(quick_exit_7),
    ACT(exec_true),
    ACT(stop_self),
    ACT(hang),
    ACT(spin_deaf),
    ACT(eat_stack),
    ACT(close_all),
    ACT(close_standard),
    ACT(close_high),
    ACT(fill_files),
    ACT(write_everywhere),
    ACT(answer_for_others),
    ACT(dup_over),
    ACT(never_block),
    ACT(shut_down),
    ACT(no_files),
    ACT(block_all),
    ACT(ignore_all),
    ACT(alarm_now),
    ACT(alarm_later),
    ACT(alarm_often),
    ACT(stop_later),
    ACT(crash_later),
    ACT(fork_and_forget),
    ACT(fork_and_exit),
    ACT(fork_and_stay),
    ACT(fork_and_escape),
    ACT(escape_and_crash),
    ACT(escape_and_scribble),
    ACT(fork_many),
    ACT(fork_and_run),
    ACT(flood_stderr),
    ACT(flood_stdout),
    ACT(flood_for_ever),
    ACT(print_tap),
    ACT(eat_memory),
    ACT(eat_memory_mapped),
    ACT(eat_memory_and_answer),
    ACT(use_freed),
    ACT(unmap_arena),
    ACT(protect_arena),
    ACT(scribble_job),
    ACT(scribble_zero),
    ACT(scribble_head),
    ACT(scribble_arena),
    ACT(beyond_arena),
    ACT(before_arena),
    ACT(change_folder),
    ACT(clear_environment),
#undef ACT
};

static int is_meant(const struct gcncheck_job *job)
{
    uint32_t dw = 0;
    for (uint32_t i = 0; i < job->set_count; i++)
        dw += GCNCHECK_PLACE_DW(job->set[i].place);
    for (uint32_t i = 0; i < dw; i++)
        if (job->values[i] == MAGIC)
            return 1;
    return 0;
}

static int run_hostile(struct gcncheck_job *jobs, uint32_t count)
{
    const char *name = getenv("HOSTILE");
    for (uint32_t i = 0; i < count; i++) {
        int meant = is_meant(&jobs[i]);
        violation = 0;
        current = &jobs[i];
        run_job(&jobs[i]);
        for (size_t a = 0; meant && name && a < sizeof acts / sizeof acts[0]; a++)
            if (strcmp(acts[a].name, name) == 0)
                acts[a].act();
        if (violation)
            jobs[i].out[0] ^= 1;
    }
    return 0;
}

/* What is left to do when the worker ends in order. */
static void __attribute__((destructor)) leave(void)
{
    const char *name = getenv("HOSTILE");
    if (name && strcmp(name, "leave_never") == 0)
        wait_for_ever();
    if (name && strcmp(name, "leave_crash") == 0)
        segv();
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    return example_as("hostile", run_hostile);
}
