#include "harness/io/stop.h"

#include <stddef.h>

static volatile sig_atomic_t signal_seen;

static void on_signal(int number)
{
    signal_seen = number;
}

void stop_catch(void)
{
    static const int caught[] = { SIGINT, SIGTERM };
    struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        sigaction(caught[i], &sa, NULL);
}

bool stop_requested(void)
{
    return signal_seen != 0;
}

const volatile sig_atomic_t *stop_flag(void)
{
    return &signal_seen;
}

const char *stop_text(void)
{
    return signal_seen == SIGTERM ? "interrupted by SIGTERM" : "interrupted by SIGINT";
}
