#include "harness/io/progress.h"

#include "harness/io/clock.h"

#include <stdio.h>
#include <unistd.h>

enum { DRAW_EVERY_MS = 100 };

void progress_open(struct progress *p, bool quiet, enum color_when color, const char *what,
                   u64 total)
{
    *p = (struct progress){
        .on = !quiet && isatty(STDERR_FILENO),
        .color = color_use(color, STDERR_FILENO),
        .what = what,
        .total = total,
        .start_ms = clock_ms(),
    };
}

u64 progress_elapsed_ms(const struct progress *p)
{
    return clock_ms() - p->start_ms;
}

static void add_duration(struct text *t, u64 ms)
{
    u64 s = (ms + 999) / 1000;
    if (s >= 3600)
        text_add(t, "%llu:%02llu:%02llu", (unsigned long long)(s / 3600),
                 (unsigned long long)(s / 60 % 60), (unsigned long long)(s % 60));
    else
        text_add(t, "%llu:%02llu", (unsigned long long)(s / 60), (unsigned long long)(s % 60));
}

/* Time to go: what the total still needs at this rate, but no longer than the limit allows. */
static bool time_left(const struct progress *p, u64 elapsed_ms, u64 *left_ms)
{
    bool known = false;
    if (p->total && p->done && p->done <= p->total) {
        *left_ms = (u64)((double)elapsed_ms / (double)p->done * (double)(p->total - p->done));
        known = true;
    }
    if (p->limit_ms) {
        u64 left = p->limit_ms > elapsed_ms ? p->limit_ms - elapsed_ms : 0;
        if (!known || left < *left_ms)
            *left_ms = left;
        known = true;
    }
    return known;
}

const char *progress_line(const struct progress *p, u64 elapsed_ms, char *buf, size_t size)
{
    struct text t;
    u64 left = 0;
    text_init(&t, buf, size);
    text_add(&t, "%llu", (unsigned long long)p->done);
    if (p->total)
        text_add(&t, " of %llu", (unsigned long long)p->total);
    text_add(&t, " %s", p->what);
    if (elapsed_ms)
        text_add(&t, ", %.0f/s", (double)p->done * 1000.0 / (double)elapsed_ms);
    if (time_left(p, elapsed_ms, &left)) {
        text_add(&t, ", ");
        add_duration(&t, left);
        text_add(&t, " to go");
    }
    text_add(&t, ", %llu finding%s", (unsigned long long)p->findings, p->findings == 1 ? "" : "s");
    return buf;
}

void progress_set(struct progress *p, u64 done, u64 findings)
{
    bool news = findings != p->findings;
    p->done = done;
    p->findings = findings;
    if (!p->on)
        return;
    u64 now = clock_ms();
    if (!news && p->drawn && now - p->drawn_ms < DRAW_EVERY_MS)
        return;
    char line[160];
    progress_line(p, now - p->start_ms, line, sizeof(line));
    fprintf(stderr, "\r\033[K%s%s%s", p->color && findings ? "\033[31m" : "", line,
            p->color && findings ? "\033[0m" : "");
    fflush(stderr);
    p->drawn = true;
    p->drawn_ms = now;
}

void progress_hide(struct progress *p)
{
    if (p->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    p->drawn = false;
}
