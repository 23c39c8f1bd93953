#include "harness/io/stop.h"

#include "harness/io/clock.h"

#include <stddef.h>

enum { SAME_MS = 1000 };

static volatile sig_atomic_t signal_seen;
static volatile u64 seen_ms; /* both signals are blocked while one is noted */

static void on_signal(int number)
{
    if (!signal_seen) {
        seen_ms = clock_ms();
        signal_seen = number;
    } else if (clock_ms() - seen_ms > SAME_MS) {
        signal(number, SIG_DFL);
        raise(number); /* when this returns */
    }
}

void stop_catch(void)
{
    static const int caught[] = { SIGINT, SIGTERM };
    struct sigaction sa = { .sa_handler = on_signal };
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        sigaddset(&sa.sa_mask, caught[i]);
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
