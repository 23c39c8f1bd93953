/* buffer_load_dword and buffer_store_dword whose lanes lie side by side move a whole row at once: with the
 * same result as lane by lane, which is the way that a wave with an observer takes. Vega ISA, chapter 8.1.5. */
#include "harness/t/lib/machine.h"

#include <stdio.h>

enum { MEM_DW = 256, TARGET = 20, STRIDE_4 = 4 << 16, STRIDE_8 = 8 << 16, CACHE_SWIZZLE = 1 << 30 };
#define SWIZZLE  (1u << 31)
#define MEM_BASE 0x100000ull
/* dst_sel xyzw, uint, index stride 64, thread id added: no more bits of the stride in place of a format */
#define WORD_3 0x00e04facu

static u32 mem[MEM_DW], plain[MEM_DW];

struct row {
    const char *name;
    u32 at;     /* byte of mem where the base is */
    u32 word_1; /* without the address */
    u32 soffset, offset;
    u64 exec;
    u32 first; /* dword of mem in lane 0, the next one in lane 1, and so on; NO_ROW: it is no row */
};
enum { NO_ROW = ~0u >> 1 };

static const struct row rows[] = {
    { "at the start", 0, STRIDE_4, 0, 0, ~0ull, 0 },
    { "with both offsets", 16, STRIDE_4, 32, 48, ~0ull, 24 },
    { "to the end", MEM_DW * 4 - 256, STRIDE_4, 0, 0, ~0ull, MEM_DW - 64 },
    { "with cache swizzle", 64, STRIDE_4 | CACHE_SWIZZLE, 0, 0, ~0ull, 16 },
    { "a dword beyond the end", MEM_DW * 4 - 252, STRIDE_4, 0, 0, ~0ull, NO_ROW },
    { "with one lane off", 0, STRIDE_4, 0, 0, ~0ull >> 1, NO_ROW },
    { "two dwords apart", 0, STRIDE_8, 0, 0, ~0ull, NO_ROW },
    { "swizzled", 0, STRIDE_4 | SWIZZLE, 0, 0, ~0ull, NO_ROW },
    { "at an odd place", 0, STRIDE_4, 6, 0, ~0ull, NO_ROW },
};

static u32 accesses;
static void count(struct observer *o, struct wave *w, const struct mem_access *a)
{
    (void)o, (void)w, (void)a;
    accesses++;
}

static struct wave *start(const struct row *r, struct observer *o)
{
    machine_reset(m, 1, 0);
    struct wave *w = m->wave[0];
    u64 base = MEM_BASE + r->at;
    pair_set(&w->sgpr[8], base | (u64)r->word_1 << 32);
    w->sgpr[10] = MEM_DW;
    w->sgpr[11] = WORD_3;
    w->sgpr[4] = r->soffset;
    pair_set(&w->sgpr[CODE_EXEC], r->exec);
    for (u32 lane = 0; lane < LANES; lane++)
        w->vgpr[TARGET][lane] = 5000 + lane;
    for (u32 i = 0; i < MEM_DW; i++)
        mem[i] = 1000 + i;
    w->observer = o;
    return w;
}

static bool is_right(const struct row *r, const struct wave *w, bool load)
{
    bool right = true;
    for (u32 lane = 0; r->first != NO_ROW && lane < LANES; lane++)
        right &= load ? w->vgpr[TARGET][lane] == 1000 + r->first + lane
                      : mem[r->first + lane] == 5000 + lane;
    return right;
}

static void try(const struct row *r, bool load)
{
    struct observer o = { .see = count };
    u32 vgpr[LANES], who;
    char text[128];
    snprintf(text, sizeof text, "buffer_%s_dword v20, off, s[8:11], s4 offset:%u\ns_endpgm\n",
             load ? "load" : "store", r->offset);
    machine_must_load(text);
    const struct wave *w = start(r, NULL);
    enum stop quick = machine_run(m, 10, &who);
    bool right = is_right(r, w, load);
    memcpy(vgpr, w->vgpr[TARGET], sizeof vgpr);
    memcpy(plain, mem, sizeof mem);
    u32 trapsts = w->trapsts;
    accesses = 0;
    w = start(r, &o);
    enum stop slow = machine_run(m, 10, &who);
    const char *what = load ? "load" : "store";
    ok(right && is_right(r, w, load), "%s %s: what stands there", what, r->name);
    ok(quick == slow && trapsts == w->trapsts && !memcmp(vgpr, w->vgpr[TARGET], sizeof vgpr) &&
           !memcmp(plain, mem, sizeof mem),
       "%s %s: as lane by lane", what, r->name);
    ok(accesses > 1, "%s %s: which it was: %u accesses", what, r->name, accesses);
    m->wave[0]->observer = NULL;
}

int main(void)
{
    struct err e = { .text = "" };
    machine_must_open(&(struct machine_cfg){ .waves_max = 1 });
    if (machine_window(m, MEM_BASE, mem, sizeof mem, false, &e))
        bail("%s", e.text);
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        try(&rows[i], true);
        try(&rows[i], false);
    }
    machine_close(m);
    return done();
}
