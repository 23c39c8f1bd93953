/* The device heap, with check_memory: what malloc gave is used as long as nobody has freed it, and all of
 * it comes back. ROCm's device libraries have the heap in the kernel's code: two functions, which compilers
 * do not inline. They are known by their names, and their arguments and results by LLVM's calling
 * convention. Memory that they give again is not told from what it was. */
#include "harness/launch/internal.h"

#include "oracle/base/array.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    UNIT = 16, /* blocks begin at multiples of it */
    UNITS = HOST_MEMORY_SIZE / UNIT,
    CALL_BYTES = 4,
    SHOWN_MAX = 20
};

struct block {
    u64 address, size;
    u64 given, taken; /* pc behind the calls; 0: it is not freed */
};

/* Where a wave is: in one of the functions, or what wraps them. */
struct heap_wave {
    u64 back; /* 0: in none; its caller, behind the call */
    u64 wrapper_back;
    u64 exec; /* of the call */
    bool gives;
    u64 size[LANES];
};

/* What has been printed is not printed again. */
struct told {
    u64 pc;
    const char *what;
};

struct heap {
    struct observer seen;
    struct group_run *run; /* whose instruction is executed */
    const struct xinsn *in;
    u64 give, take; /* addresses of the functions */
    u64 wrap_give, wrap_take;
    u32 *owner; /* of each unit: number of the block from 1, 0: it never had one */
    struct block *block;
    u32 count, cap;
    struct told *told;
    u32 told_count, told_cap;
    u64 findings;
    bool is_short; /* of memory */
};

static u64 function_address(const struct codeobj *co, const char *name)
{
    struct codeobj_symbol s;
    return codeobj_symbol(co, name, &s) ? co->base + s.vaddr : 0;
}

enum status heap_open(struct heap **out, const struct codeobj *co, struct err *e)
{
    u64 give = function_address(co, "__ockl_dm_alloc");
    u64 take = function_address(co, "__ockl_dm_dealloc");
    *out = NULL;
    if (!give)
        return ST_OK;
    struct heap *h = *out = calloc(1, sizeof *h);
    if (!h)
        return err_memory(e);
    h->give = give;
    h->take = take;
    h->wrap_give = function_address(co, "malloc");
    h->wrap_take = function_address(co, "free");
    h->owner = calloc(UNITS, sizeof *h->owner);
    return h->owner ? ST_OK : err_memory(e);
}

void heap_close(struct heap *h)
{
    if (!h)
        return;
    free(h->owner);
    free(h->block);
    free(h->told);
    free(h);
}

enum status heap_add(struct group_runner *g, struct err *e)
{
    g->heap = calloc(g->m->waves_max, sizeof *g->heap);
    return g->heap ? ST_OK : err_memory(e);
}

void heap_start(struct group_run *run)
{
    memset(run->g.heap, 0, run->g.m->waves_max * sizeof *run->g.heap);
}

/* ---- what is printed ---- */

static void add_place(const struct dispatch *d, u64 back, struct text *t)
{
    where_describe_pc(d, back - CALL_BYTES, t);
}

static void add_block(const struct dispatch *d, const struct block *b, struct text *t)
{
    text_add(t, "%" PRIu64 " bytes that malloc gave at ", b->size);
    add_place(d, b->given, t);
    if (b->taken) {
        text_add(t, " and free took at ");
        add_place(d, b->taken, t);
    }
}

/* Whether it is new, which it then is no more. */
static bool is_new(struct heap *h, u64 pc, const char *what)
{
    for (u32 i = 0; i < h->told_count; i++)
        if (h->told[i].pc == pc && strcmp(h->told[i].what, what) == 0)
            return false;
    struct told *t = array_grow(h->told, &h->told_cap, h->told_count + 1ull, sizeof *t);
    if (!t) {
        h->is_short = true;
        return false;
    }
    h->told = t;
    h->told[h->told_count++] = (struct told){ pc, what };
    return ++h->findings <= SHOWN_MAX;
}

/* `what` of a block, or of no block, by a lane. */
static void tell(struct heap *h, const struct wave *w, u32 lane, u64 pc, const char *what,
                 u64 address, const struct block *b)
{
    char buf[1024], insn[256];
    const struct dispatch *d = h->run->g.d;
    struct text t;
    if (!is_new(h, pc, what))
        return;
    text_init(&t, buf, sizeof buf);
    where_describe_pc(d, pc, &t);
    insn_print(&d->isa, &h->in->insn, insn, sizeof insn);
    text_add(&t, ": %s: ", what);
    if (h->run->g.heap[w->id].back == 0)
        text_add(&t, "%s, ", insn);
    if (b) {
        text_add(&t, "byte %" PRId64 " of ", (i64)(address - b->address));
        add_block(d, b, &t);
    } else {
        text_add(&t, "0x%" PRIx64, address);
    }
    fprintf(d->cfg->out, "%s; work-group %u %u %u, wave %u, lane %u\n", buf, h->run->group[0],
            h->run->group[1], h->run->group[2], w->id, lane);
}

/* ---- blocks ---- */

static struct block *block_at(const struct heap *h, u64 address)
{
    u64 unit = (address - GPU_MEMORY_ADDRESS) / UNIT;
    return unit < UNITS && h->owner[unit] ? &h->block[h->owner[unit] - 1] : NULL;
}

static void give(struct heap *h, u64 address, u64 size, u64 back)
{
    u64 first = (address - GPU_MEMORY_ADDRESS) / UNIT, units = (size + UNIT - 1) / UNIT;
    if (!address || first >= UNITS || units > UNITS - first)
        return;
    struct block *b = array_grow(h->block, &h->cap, h->count + 1ull, sizeof *b);
    if (!b) {
        h->is_short = true;
        return;
    }
    h->block = b;
    h->block[h->count++] = (struct block){ address, size, back, 0 };
    for (u64 i = 0; i < units; i++)
        h->owner[first + i] = h->count;
}

static void take(struct heap *h, const struct wave *w, u32 lane, u64 address, u64 back)
{
    struct block *b = block_at(h, address);
    if (!address)
        return;
    if (!b || b->address != address)
        tell(h, w, lane, back - CALL_BYTES, "free of what malloc did not give", address, b);
    else if (b->taken)
        tell(h, w, lane, back - CALL_BYTES, "freed twice", address, b);
    else
        b->taken = back;
}

/* ---- calls ---- */

/* Behind the call in the program, also where functions are wrapped. */
static u64 caller_of(const struct heap_wave *me)
{
    return me->wrapper_back ? me->wrapper_back : me->back;
}

static u64 return_address(const struct wave *w)
{
    return pair_get(&w->sgpr[CODEOBJ_RETURN_SGPR]);
}

static u64 lane_pair(const struct wave *w, u32 lane)
{
    return w->vgpr[0][lane] | (u64)w->vgpr[1][lane] << 32;
}

/* The wave is about to enter one of the functions. */
static void enter(struct heap *h, struct heap_wave *me, const struct wave *w)
{
    me->back = return_address(w);
    me->exec = wave_exec(w);
    me->gives = w->pc == h->give;
    for (u64 left = me->exec; left; left &= left - 1) {
        u32 lane = ctz64(left);
        if (me->gives)
            me->size[lane] = lane_pair(w, lane);
        else
            take(h, w, lane, lane_pair(w, lane), caller_of(me));
    }
}

static void leave(struct heap *h, struct heap_wave *me, const struct wave *w)
{
    for (u64 left = me->gives ? me->exec : 0; left; left &= left - 1)
        give(h, lane_pair(w, ctz64(left)), me->size[ctz64(left)], caller_of(me));
    me->back = 0;
}

static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct heap *h = (struct heap *)o;
    const struct block *b = block_at(h, a->addr);
    bool is_there = b && a->addr - b->address + a->bytes <= b->size;
    if (a->space != SPACE_GLOBAL || a->addr - GPU_MEMORY_ADDRESS >= HOST_MEMORY_SIZE)
        return;
    if (is_there && b->taken)
        tell(h, w, a->lane, w->stop_pc, "used after it was freed", a->addr, b);
    else if (!is_there)
        tell(h, w, a->lane, w->stop_pc, "outside what malloc gave", a->addr, b);
}

void heap_before(struct group_run *run, struct wave *w)
{
    struct heap *h = run->g.d->heap;
    struct heap_wave *me = &run->g.heap[w->id];
    h->run = run;
    h->in = machine_fetch(run->g.m, w);
    if (!h->in)
        return;
    if (me->back && w->pc == me->back)
        leave(h, me, w);
    if (me->wrapper_back && w->pc == me->wrapper_back)
        me->wrapper_back = 0;
    if (w->pc == h->wrap_give || w->pc == h->wrap_take)
        me->wrapper_back = return_address(w);
    if (!me->back && (w->pc == h->give || w->pc == h->take))
        enter(h, me, w);
    if (me->back || !(insn_row(&h->in->insn)->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC)))
        return;
    h->seen = (struct observer){ .see = see, .next = w->observer };
    w->observer = &h->seen;
}

void heap_after(struct group_run *run, struct wave *w)
{
    struct heap *h = run->g.d->heap;
    if (w->observer == &h->seen)
        w->observer = h->seen.next;
}

/* ---- the end ---- */

/* Blocks of one call that nobody freed, from number `first` on. */
static void tell_leak(struct heap *h, const struct dispatch *d, u32 first)
{
    char buf[512];
    struct text t;
    u64 count = 0, bytes = 0, given = h->block[first].given;
    if (!is_new(h, given - CALL_BYTES, "never freed"))
        return;
    for (u32 i = first; i < h->count; i++)
        if (h->block[i].given == given && !h->block[i].taken) {
            count++;
            bytes += h->block[i].size;
        }
    text_init(&t, buf, sizeof buf);
    add_place(d, given, &t);
    fprintf(d->cfg->out, "%s: never freed: %" PRIu64 " block%s of malloc, %" PRIu64 " bytes\n", buf,
            count, count == 1 ? "" : "s", bytes);
}

enum status heap_finish(struct dispatch *d, bool has_ended, u64 *count, struct err *e)
{
    struct heap *h = d->heap;
    for (u32 i = 0; has_ended && i < h->count; i++)
        if (!h->block[i].taken)
            tell_leak(h, d, i);
    *count = h->findings;
    return h->is_short ? err_memory(e) : ST_OK;
}
