#include "harness/dut/limits.h"

#include <stdlib.h>
#include <unistd.h>

enum { FILES = 1024, PROCESSES = 1024, FILES_MIN = 8 };

static struct keeper_limits limits;

struct keeper_limits dut_limits_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    u64 all = pages > 0 && page > 0 ? (u64)pages * (u64)page : 0;
    return (struct keeper_limits){ .memory_bytes = all / 4 * 3,
                                   .files = FILES,
                                   .processes = PROCESSES };
}

struct keeper_limits dut_limits(void)
{
    return limits.files ? limits : dut_limits_default();
}

/* A number at *at, with a unit if it may have one; moves *at behind it. Nothing that is there is
 * 0. */
static u64 read_amount(const char **at, bool has_unit)
{
    static const char units[] = "KMG";
    char *end;
    if (**at < '0' || **at > '9')
        return 0;
    u64 v = strtoull(*at, &end, 10);
    const char *unit = has_unit && *end ? strchr(units, *end) : NULL;
    u32 shift = unit ? 10 * (u32)(unit - units + 1) : 0;
    *at = unit ? end + 1 : end;
    return v >> (63 - shift) ? 0 : v << shift;
}

enum status dut_limits_set(const char *spec, struct err *e)
{
    struct keeper_limits l = dut_limits();
    for (const char *at = spec;; at++) {
        const char *name = at;
        u64 v = 0;
        size_t len = strcspn(at, "=");
        at += len + (at[len] == '=');
        bool is_memory = len == 6 && strncmp(name, "memory", len) == 0;
        bool is_files = len == 5 && strncmp(name, "files", len) == 0;
        bool is_processes = len == 9 && strncmp(name, "processes", len) == 0;
        if (!is_memory && !is_files && !is_processes)
            return err_set(e, ST_INPUT, "--dut-limit %.60s: give memory=N, files=N or processes=N",
                           spec);
        v = read_amount(&at, is_memory);
        if (v < (is_files ? FILES_MIN : 1) || (!is_memory && v > UINT32_MAX) || (*at && *at != ','))
            return err_set(e, ST_INPUT, "--dut-limit %.60s: %s", spec,
                           is_memory  ? "memory is a number of bytes, or one with K, M or G"
                           : is_files ? "files is a number, 8 at least"
                                      : "processes is a number, 1 at least");
        if (is_memory)
            l.memory_bytes = v;
        else
            *(is_files ? &l.files : &l.processes) = (u32)v;
        if (!*at)
            break;
    }
    limits = l;
    return ST_OK;
}
