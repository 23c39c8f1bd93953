/* What single options and variables of the environment hold. The first byte chooses which. */
#include "harness/codeobj/debug_line.h"
#include "harness/dut/limits.h"
#include "harness/fz/fz.h"
#include "harness/io/number.h"
#include "harness/launch/filter.h"
#include "harness/launch/point.h"
#include "harness/launch/turns.h"
#include "harness/vgpu/fault.h"
#include "harness/vgpu/under.h"
#include "harness/vote/vote.h"
#include "oracle/doubt/doubt.h"
#include "oracle/state/place.h"

#include <stdlib.h>

enum { VOTERS = 9 };

static struct codeobj co;
static struct debug_lines lines;

void fz_open(void)
{
    struct err e = { .text = "" };
    enum status st = codeobj_open(&co, "cases/kernels/calls/gfx900.asm.co", GPU_CODE_BASE, &e);
    if (st == ST_OK)
        st = debug_line_open(&lines, &co, &e);
    if (st != ST_OK)
        fz_broken("run in the root of the repository: the code object opens", e.text);
}

static enum status read_fault(const char *text, struct err *e)
{
    struct vgpu_faults f;
    enum status st = vgpu_fault_parse(text, &f, e);
    if (st == ST_OK && (!f.hang && !f.lose && !f.ioctl))
        fz_broken("a fault is one", text);
    if (st == ST_OK && f.ioctl && (f.error < 1 || f.error > 4095))
        fz_broken("an error is an errno", text);
    return st;
}

static enum status read_vgpu(const char *text, struct err *e)
{
    char buf[300];
    struct vgpu_under u;
    enum status st = vgpu_under_parse(text, buf, sizeof buf, &u, e);
    if (st == ST_OK)
        vgpu_under_is(&u);
    return st;
}

static enum status read_doubt(const char *text, struct err *e)
{
    u64 readings = 0;
    enum status st = doubt_parse(text, &readings, e);
    if (st == ST_OK && !readings)
        fz_broken("an entry has a reading", text);
    return st;
}

static enum status read_limits(const char *text, struct err *e)
{
    return dut_limits_set(text, e);
}

static enum status read_turns(const char *text, struct err *e)
{
    struct turns_run *runs = NULL;
    u32 count = 0;
    enum status st = turns_parse(text, &runs, &count, e);
    if (st == ST_OK) {
        FILE *sink = fz_sink();
        turns_print(sink, runs, count);
        fclose(sink);
    }
    free(runs);
    return st;
}

static enum status read_lineage(const char *text, struct err *e)
{
    struct vote_roll roll;
    vote_roll_init(&roll, VOTERS);
    enum status st = vote_roll_parse(&roll, text, e);
    for (u32 i = 0; st == ST_OK && i < VOTERS; i++)
        if (roll.lineage[i] >= VOTERS)
            fz_broken("a lineage is that of a device", text);
    return st;
}

static enum status read_time(const char *text, struct err *e)
{
    u64 ms = 0;
    if (!number_time_ms(text, &ms))
        return err_set(e, ST_INPUT, "no time");
    if (!ms)
        fz_broken("a time is more than none", text);
    return ST_OK;
}

/* A place in code, and behind a blank a limit. */
static enum status read_place(const char *text, struct err *e)
{
    struct point_place place;
    struct point_limits limits = { .from_hit = 1 };
    char word[64] = "", value[64] = "";
    if (sscanf(text, "%63s %63s", word, value) == 2 && point_parse_limit(word, value, &limits))
        return ST_OK;
    enum status st = point_parse(&co, &lines, text, &place, e);
    if (st == ST_OK && !place.is_line && (place.address & 3 || place.address < co.base))
        fz_broken("a place is that of an instruction", text);
    return st;
}

static enum status read_filter(const char *text, struct err *e)
{
    struct filter *f = NULL;
    enum status st = filter_open(&f, text, &co, &lines, e);
    filter_close(f);
    return st;
}

/* What place_print writes of it is read as the same. */
static enum status read_register(const char *text, struct err *e)
{
    struct place_range p, again;
    const char *why = NULL;
    char name[2 * PLACE_NAME_MAX + 16];
    struct text t;
    if (place_parse(GEN_GFX9, text, strlen(text), &p, &why) != ST_OK)
        return err_set(e, ST_INPUT, "%s", why ? why : "no register");
    text_init(&t, name, sizeof name);
    place_print(GEN_GFX9, &t, &p);
    if (place_parse(GEN_GFX9, name, strlen(name), &again, &why) != ST_OK ||
        again.place != p.place || again.dw != p.dw)
        fz_broken("the name of a register is read as the same", name);
    return ST_OK;
}

static enum status read_processor(const char *text, struct err *e)
{
    struct isa isa;
    return isa_open(&isa, text, e);
}

bool fz_one(const u8 *data, size_t size)
{
    static enum status (*const readers[])(const char *text, struct err *e) = {
        read_fault, read_vgpu,  read_doubt,  read_limits,   read_turns,    read_lineage,
        read_time,  read_place, read_filter, read_register, read_processor
    };
    struct err e = { .text = "" };
    if (size < 1)
        return false;
    char *text = strndup((const char *)data + 1, size - 1);
    if (!text)
        abort();
    enum status st = readers[data[0] % COUNT_OF(readers)](text, &e);
    if (st != ST_OK && !e.text[0])
        fz_broken("a failure has a message", text);
    free(text);
    return st == ST_OK;
}
