/* What every DUT is held to, and what its kinds share: names, classes of registers, answers. */
#include "harness/dut/dut.h"

#include <assert.h>
#include <stdio.h>

static_assert((u32)OUT_CRASH == (u32)GCNCHECK_LIMIT + 1, "our outcomes follow the contract's");

static const char *const outcome_names[OUT_COUNT] = {
    [OUT_NOT_RUN] = "not run", [OUT_DONE] = "done",   [OUT_UNSUPPORTED] = "unsupported",
    [OUT_ILLEGAL] = "illegal", [OUT_FAULT] = "fault", [OUT_LIMIT] = "limit",
    [OUT_CRASH] = "crash",     [OUT_HANG] = "hang",   [OUT_NONSENSE] = "nonsense",
};

const char *dut_outcome_name(u32 outcome)
{
    return outcome < OUT_COUNT ? outcome_names[outcome] : "?";
}

/* In the order of places, so that a class ends where the next begins; holes are entries without a
 * name. */
static const struct {
    u16 first, end;
    const char *name;
} classes[CLASS_COUNT] = {
    [CLASS_SGPR] = { 0, 102, "sgpr" },
    [CLASS_FLAT_SCRATCH] = { 102, 104, "flat_scratch" },
    [CLASS_XNACK_MASK] = { 104, 106, "xnack_mask" },
    [CLASS_VCC] = { GCNCHECK_VCC_LO, 108, "vcc" },
    [CLASS_TTMP] = { 108, 124, "ttmp" },
    [CLASS_M0] = { GCNCHECK_M0, 125, "m0" },
    [CLASS_EXEC] = { GCNCHECK_EXEC_LO, 128, "exec" },
    [CLASS_VGPR] = { GCNCHECK_V0, 512, "vgpr" },
    [CLASS_AGPR] = { GCNCHECK_A0, 768, "agpr" },
    [CLASS_SCC] = { GCNCHECK_SCC, 769, "scc" },
    [CLASS_MODE] = { GCNCHECK_MODE, 770, "mode" },
    [CLASS_STATUS] = { GCNCHECK_STATUS, 771, "status" },
    [CLASS_TRAPSTS] = { GCNCHECK_TRAPSTS, 772, "trapsts" },
    [CLASS_PC] = { GCNCHECK_PC_LO, 774, "pc" },
    [CLASS_TBA] = { GCNCHECK_TBA_LO, GCNCHECK_PLACES, "tba" },
};

enum dut_class dut_place_class(u32 place)
{
    for (u32 i = 0; i < CLASS_COUNT; i++)
        if (place >= classes[i].first && place < classes[i].end)
            return (enum dut_class)i;
    return CLASS_COUNT;
}

u32 dut_class_place(enum dut_class class)
{
    assert(class < CLASS_COUNT);
    return classes[class].first;
}

const char *dut_class_name(enum dut_class class)
{
    assert(class < CLASS_COUNT);
    return classes[class].name;
}

/* dut_place_class(place) != CLASS_COUNT, without the search. */
static bool is_place(u32 place)
{
    return place < 128 ? place != 125 : place >= GCNCHECK_V0 && place < GCNCHECK_PLACES;
}

/* Jobs have hundreds of slots, and are measured several times on their way: no branches, so that
 * compilers take several at a time. */
u32 dut_slots_dw(const struct gcncheck_slot *slots, u32 count)
{
    u32 end = 0, bad = 0;
    for (u32 i = 0; i < count; i++) {
        u32 place = slots[i].place;
        u32 e = slots[i].index + GCNCHECK_PLACE_DW(place);
        bad |= !is_place(place);
        end = e > end ? e : end;
    }
    if (bad)
        BUG("a slot names no register");
    return end;
}

void dut_clean_text(char *dst, size_t size, const char *src, size_t len)
{
    size_t n = 0;
    assert(size > 0);
    while (n + 1 < size && n < len && src[n]) {
        dst[n] = src[n] >= 0x20 && src[n] < 0x7f ? src[n] : '?';
        n++;
    }
    dst[n] = '\0';
}

/* All bits but 21, 22 and 24 to 26. */
#define MODE_EXISTS 0xf89fffffull

enum status dut_set_fixed_mode(struct dut *d, u64 mode, struct err *e)
{
    if (mode & ~MODE_EXISTS)
        return err_set(e, ST_INPUT, "its MODE 0x%llx has bits that do not exist",
                       (unsigned long long)mode);
    d->has_fixed_mode = true;
    d->fixed_mode = (u32)mode;
    d->can[CLASS_MODE] = d->can[CLASS_MODE] & GCNCHECK_SHOW;
    return ST_OK;
}

void dut_answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(job->reason, sizeof job->reason, fmt, ap);
    va_end(ap);
    job->outcome = outcome;
}

u32 dut_open_limit_ms(const struct dut_cfg *cfg)
{
    u32 job = cfg->time_limit_ms ? cfg->time_limit_ms : DUT_TIME_LIMIT_MS;
    return cfg->open_limit_ms ? cfg->open_limit_ms : job > DUT_OPEN_MIN_MS ? job : DUT_OPEN_MIN_MS;
}

enum status dut_run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    for (u32 i = 0; i < count; i++) {
        jobs[i].outcome = OUT_NOT_RUN;
        jobs[i].reason[0] = '\0';
    }
    return count ? d->ops->run(d, jobs, count, e) : ST_OK;
}

void dut_close(struct dut *d)
{
    if (d)
        d->ops->close(d);
}
