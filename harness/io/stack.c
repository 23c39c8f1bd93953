#include "harness/io/stack.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

struct call {
    int (*fn)(int argc, char **argv);
    int argc;
    char **argv;
    int answer;
};

static void *run(void *arg)
{
    struct call *c = arg;
    c->answer = c->fn(c->argc, c->argv);
    return NULL;
}

static int call_in_thread(struct call *c)
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    int why = pthread_create(&thread, &attr, run, c);
    pthread_attr_destroy(&attr);
    if (why != 0)
        return c->fn(c->argc, c->argv);
    sigfillset(&all); /* signals are for the one that works */
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_join(thread, NULL);
    return c->answer;
}

int stack_call(int (*fn)(int argc, char **argv), int argc, char **argv)
{
    struct call c = { .fn = fn, .argc = argc, .argv = argv };
    struct rlimit l;
    if (getrlimit(RLIMIT_STACK, &l) != 0 || l.rlim_cur >= STACK_BYTES)
        return fn(argc, argv);
    l.rlim_cur = l.rlim_max < STACK_BYTES ? l.rlim_max : STACK_BYTES;
    if (l.rlim_cur == STACK_BYTES && setrlimit(RLIMIT_STACK, &l) == 0)
        return fn(argc, argv);
    return call_in_thread(&c);
}
