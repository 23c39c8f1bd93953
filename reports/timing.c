#include "reports/timing.h"

#include <stdio.h>
#include <time.h>

u64 timing_take(struct timing *t, const struct journal_time *time)
{
    bool goes_on = t->is_known && time->began == t->began && time->ms >= t->now;
    u64 passed = goes_on ? time->ms - t->now : 0;
    if (!t->is_known)
        t->date = time->began;
    t->is_known = true;
    t->began = time->began;
    t->now = time->ms;
    t->ms += passed;
    return passed;
}

const char *timing_date(u64 date, char *buf, size_t size)
{
    static const u64 year_10000 = 253402300800;
    struct tm tm;
    time_t at = (time_t)date;
    if (date >= year_10000 || !gmtime_r(&at, &tm) ||
        !strftime(buf, size, "%Y-%m-%d %H:%M:%S UTC", &tm))
        snprintf(buf, size, "no date");
    return buf;
}

const char *timing_span(u64 ms, char *buf, size_t size)
{
    unsigned long long s = ms / 1000, tenths = ms / 100;
    if (s < 100)
        snprintf(buf, size, "%llu.%llu s", tenths / 10, tenths % 10);
    else if (s < 6000)
        snprintf(buf, size, "%llu min %llu s", s / 60, s % 60);
    else
        snprintf(buf, size, "%llu h %llu min", s / 3600, s / 60 % 60);
    return buf;
}
