/* Follows the waves of a launch for the happens-before detector: what each instruction accesses, what
 * it waits for, and where waves meet. */
#include "harness/launch/race.h"

#include "oracle/base/array.h"
#include "oracle/insn/counter.h"

#include <stdlib.h>

/* ---- opening ---- */

static void add_window(struct races *r, u64 base, const u8 *bytes, u64 size)
{
    struct race_window *win = &r->window[r->window_count];
    if (!size || r->window_count == WINDOWS_MAX)
        return;
    *win = (struct race_window){ .base = base, .size = size, .bytes = bytes };
    win->cells = calloc(size / 4 + 1, sizeof *win->cells); /* pages come as they are touched */
    r->failed |= !win->cells;
    r->window_count++;
}

static void add_windows(struct races *r)
{
    const struct dispatch *d = r->d;
    for (u32 i = 0; i < d->l->arg_count; i++)
        if (launch_arg_is_buffer(&d->l->args[i]))
            add_window(r, d->ka.addresses[i], d->l->args[i].bytes, d->l->args[i].size);
    for (u32 i = 0; i < d->co->segment_count; i++) {
        const struct codeobj_segment *s = &d->co->segments[i];
        if (s->is_writable)
            add_window(r, d->co->base + s->vaddr, d->co->image + (s->vaddr - d->co->image_lo),
                       s->size);
    }
}

enum status race_open(struct races **out, const struct dispatch *d, struct err *e)
{
    struct races *r = *out = calloc(1, sizeof *r);
    u64 items = (u64)d->l->now.workgroup[0] * d->l->now.workgroup[1] * d->l->now.workgroup[2];
    u64 groups = 1;
    if (!r)
        return err_memory(e);
    r->d = d;
    for (u32 i = 0; i < 3 && groups < UINT32_MAX; i++)
        groups *= d->groups[i];
    while (1u << r->shift < (items + LANES - 1) / LANES)
        r->shift++;
    if (groups >= UINT32_MAX >> r->shift)
        return err_set(e, ST_INPUT, "--check-races: too many waves");
    r->sync_room = 1024;
    r->groups = groups;
    r->sync = calloc(r->sync_room, sizeof *r->sync);
    r->floors = calloc(groups, sizeof *r->floors);
    r->known = calloc(groups << r->shift, sizeof(void *));
    r->step = calloc(1, sizeof *r->step);
    add_windows(r);
    return !r->failed && r->sync && r->floors && r->known && r->step ? ST_OK : err_memory(e);
}

void race_close(struct races *r)
{
    if (!r)
        return;
    u64 groups = r->groups;
    for (u32 i = 0; i < r->window_count; i++)
        free(r->window[i].cells);
    for (u32 i = 0; r->sync && i < r->sync_room; i++) {
        race_clock_drop(r->sync[i].clock);
        race_clock_drop(r->sync[i].seen);
    }
    for (u64 i = 0; r->floors && i < groups; i++)
        free(r->floors[i].epoch);
    for (u64 i = 0; r->known && i < groups << r->shift; i++)
        race_clock_drop(r->known[i]);
    race_clock_drop(r->gws);
    free(r->code);
    free(r->class);
    free(r->marks);
    free(r->sync);
    free(r->floors);
    free(r->known);
    free(r->step);
    free(r);
}

/* The program is that of the first machine. */
static bool copy_code(struct races *r, const struct machine *m)
{
    if (r->code)
        return true;
    r->base = m->base;
    r->code_dw = m->code_dw;
    r->code = malloc(m->code_dw * sizeof *r->code + 1);
    r->class = calloc(m->code_dw + 1ull, 1);
    r->marks = calloc(m->code_dw + 1ull, 1);
    if (!r->code || !r->class || !r->marks)
        return false;
    memcpy(r->code, m->code, m->code_dw * sizeof *r->code);
    return true;
}

enum status race_add(struct group_runner *g, struct err *e)
{
    struct race_group *rg = g->race = calloc(1, sizeof *rg);
    if (!rg || !copy_code(g->d->races, g->m))
        return err_memory(e);
    rg->lds_dw = (g->d->lds_size + 3) / 4;
    rg->wave = calloc(1ull << g->d->races->shift, sizeof *rg->wave);
    rg->lds = calloc(rg->lds_dw + 1ull, sizeof *rg->lds);
    return rg->wave && rg->lds ? ST_OK : err_memory(e);
}

static void forget_wave(struct race_wave *w)
{
    race_clock_drop(w->seen);
    race_clock_drop(w->scalar);
    race_clock_drop(w->by_vm.clock);
    race_clock_drop(w->by_vm.seen);
    race_clock_drop(w->by_lgkm.clock);
    race_clock_drop(w->by_lgkm.seen);
}

void race_remove(struct group_runner *g)
{
    struct race_group *rg = g->race;
    if (!rg)
        return;
    for (u32 i = 0; rg->wave && i < 1u << g->d->races->shift; i++)
        forget_wave(&rg->wave[i]);
    free(rg->wave);
    free(rg->lds);
    free(rg);
    g->race = NULL;
}

void race_start(struct group_run *run)
{
    struct races *r = run->g.d->races;
    struct race_group *g = run->g.race;
    for (u32 i = 0; i < 1u << r->shift; i++) {
        forget_wave(&g->wave[i]);
        g->wave[i] = (struct race_wave){ .id = (u32)((run->index << r->shift) + i + 1),
                                         .poll_where = UINT32_MAX };
    }
    memset(g->lds, 0, g->lds_dw * sizeof *g->lds);
    g->has_late = false;
}

/* ---- counters ---- */

static void count(struct race_queue *q, u32 max, u32 epoch, bool lds, bool any_order)
{
    if (q->now - q->done == max) /* the instruction waits until it can be counted */
        q->done++;
    u32 slot = ++q->now % RACE_QUEUE;
    q->epoch[slot] = epoch;
    q->lds = (q->lds & ~(1ull << slot)) | (u64)lds << slot;
    if (any_order)
        q->any_order = q->now;
}

/* Where there is no GLOBAL, compilers take FLAT for global memory and its order for granted. */
static bool keeps_no_order(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    return isa_memory(row) == MEMORY_FLAT && isa_layouts[in->gen][LAY_GLOBAL].name;
}

static void count_insn(struct race_wave *me, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 counters = isa_counters(row), epoch = me->epoch;
    bool flat = isa_memory(row) == MEMORY_FLAT;
    bool lds = flat || (isa_unit(row) == UNIT_LDS && !insn_get(in, FLD_gds));
    if (counters & COUNTS_VM)
        count(&me->vm, COUNTER_MAX_vmcnt, epoch, false, keeps_no_order(in));
    if (counters & COUNTS_LGKM)
        count(&me->lgkm, COUNTER_MAX_lgkmcnt, epoch, lds, flat || !lds);
}

static bool is_any_under_way(const struct race_queue *q, bool only_lds)
{
    bool any = false;
    for (u32 n = q->done + 1; n <= q->now && !any; n++)
        any = !only_lds || q->lds >> n % RACE_QUEUE & 1;
    return any;
}

static void arrive(struct races *r, struct race_wave *me, const struct race_queue *q,
                   struct race_pending *p)
{
    if (!p->clock || q->done < p->number)
        return;
    struct race_clock **known = &r->known[me->id - 1];
    *known = race_clock_join(*known, p->clock, &r->failed);
    me->seen = race_clock_join(me->seen, p->seen, &r->failed);
    race_clock_drop(p->clock);
    race_clock_drop(p->seen);
    *p = (struct race_pending){ 0 };
}

static void wait_for(struct race_queue *q, u32 left)
{
    bool tells = left == 0 || q->any_order <= q->done;
    if (tells && q->now - q->done > left)
        q->done = q->now - left;
}

static void wait(struct race_step *s)
{
    const struct insn *in = &s->in->insn;
    const struct counter *c = counter_table((enum gen)in->gen);
    u32 imm = insn_get(in, FLD_simm16);
    wait_for(&s->me->vm, counter_get(&c[COUNTER_vmcnt], imm));
    wait_for(&s->me->lgkm, counter_get(&c[COUNTER_lgkmcnt], imm));
    arrive(s->r, s->me, &s->me->vm, &s->me->by_vm);
    arrive(s->r, s->me, &s->me->lgkm, &s->me->by_lgkm);
}

/* What the instruction acquires, it has once it is waited for. */
static void put_pending(struct race_step *s)
{
    struct race_wave *me = s->me;
    bool by_vm = isa_counters(insn_row(&s->in->insn)) & COUNTS_VM;
    struct race_pending *p = by_vm ? &me->by_vm : &me->by_lgkm;
    p->clock = race_clock_join(p->clock, s->got, &s->r->failed);
    p->seen = race_clock_join(p->seen, s->got_seen, &s->r->failed);
    p->number = by_vm ? me->vm.now : me->lgkm.now;
    race_clock_drop(s->got);
    race_clock_drop(s->got_seen);
    s->got = s->got_seen = NULL;
}

/* ---- barriers ---- */

static void add_floor(struct races *r, u32 group, u32 epoch)
{
    struct race_floors *f = &r->floors[group];
    u32 *more = array_grow(f->epoch, &f->room, f->count + 1ull, sizeof *more);
    if (!more) {
        r->failed = true;
        return;
    }
    f->epoch = more;
    f->epoch[f->count++] = epoch;
}

/* LDS accesses under way at the barrier of epoch `to` are not ordered by it; those of earlier ones
 * that have been waited for since are by this one. */
static void note_late(struct race_group *g, struct race_wave *w, u32 to)
{
    const struct race_queue *q = &w->lgkm;
    u32 from = to;
    for (u32 n = q->now; n > q->done; n--)
        if (q->lds >> n % RACE_QUEUE & 1)
            from = q->epoch[n % RACE_QUEUE];
    for (u32 i = 0; i < RACE_LATE; i++)
        if (!w->late[i].until && w->late[i].to <= from)
            w->late[i].until = to;
    if (from == to)
        return;
    w->late[w->lates++ % RACE_LATE] = (struct race_late){ .from = from, .to = to };
    g->has_late = true;
}

/* All waves of the work-group that have not ended stand at the barrier, and go on. */
static void pass_barrier(struct race_step *s)
{
    struct races *r = s->r;
    struct race_group *g = s->g;
    struct race_clock *known = NULL, *seen = NULL;
    u32 waves = s->m->waves, epoch = 0;
    for (u32 i = 0; i < waves; i++) {
        epoch = g->wave[i].epoch > epoch ? g->wave[i].epoch : epoch;
        if (!g->wave[i].at_barrier)
            continue;
        known = race_clock_join(known, r->known[g->wave[i].id - 1], &r->failed);
        seen = race_clock_join(seen, g->wave[i].seen, &r->failed);
    }
    epoch++;
    for (u32 i = 0; i < waves; i++) {
        struct race_wave *w = &g->wave[i];
        if (!w->at_barrier)
            continue;
        note_late(g, w, epoch);
        w->at_barrier = false;
        w->epoch = w->floor = epoch;
        r->known[w->id - 1] = race_clock_join(r->known[w->id - 1], known, &r->failed);
        w->seen = race_clock_join(w->seen, seen, &r->failed);
    }
    add_floor(r, (g->wave[0].id - 1) >> r->shift, epoch);
    race_clock_drop(known);
    race_clock_drop(seen);
}

/* A wave goes on that stood still. */
static void resume(struct race_step *s)
{
    struct race_clock **known = &s->r->known[s->me->id - 1];
    if (s->me->at_barrier)
        pass_barrier(s);
    if (s->me->at_gws)
        *known = race_clock_join(*known, s->r->gws, &s->r->failed);
    s->me->at_gws = false;
}

/* ---- what an instruction is ---- */

static bool has_address(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->slot == SLOT_ADDR && o->dir == DIR_R)
            return true;
    return false;
}

static enum race_class class_of_access(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    enum isa_memory memory = isa_memory(row);
    bool lanes = memory == MEMORY_LDS || memory == MEMORY_FLAT || memory == MEMORY_GLOBAL;
    if (memory == MEMORY_SCRATCH || insn_get(in, FLD_gds))
        return RACE_COUNTED;
    if (lanes && has_address(row) && !(row->flags & FLAG_SRC2) && !insn_get(in, FLD_lds))
        return RACE_ADDRESSED;
    return RACE_OBSERVED;
}

static enum race_class class_of(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u64 f = row->flags;
    if (f & FLAG_BARRIER)
        return RACE_BARRIER;
    if (f & FLAG_WAIT)
        return RACE_WAIT;
    if (f & FLAG_INVALIDATES)
        return isa_unit(row) == UNIT_SMEM ? RACE_SCALAR_INVALIDATE : RACE_INVALIDATE;
    if (f & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC))
        return class_of_access(in);
    if (f & FLAG_GDS_ONLY)
        return RACE_GWS;
    return isa_counters(row) & (COUNTS_VM | COUNTS_LGKM) ? RACE_COUNTED : RACE_NOTHING;
}

/* More data than one access stores: the other half is what is compared. */
static bool takes_compare(const struct isa_row *row)
{
    u32 dw = 0, data1 = 0;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        if (o->slot == SLOT_DATA0)
            dw = isa_types[o->type].dwords;
        data1 |= o->slot == SLOT_DATA1;
    }
    return row->flags & FLAG_ATOMIC && (data1 || dw * 4 > isa_access_bytes(row));
}

static bool gives_back(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    if (isa_memory(row) == MEMORY_LDS)
        return row->operand[0].slot == SLOT_D;
    return insn_get(in, FLD_glc);
}

static enum race_kind kind_of(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    if (row->flags & FLAG_ATOMIC)
        return RACE_RMW;
    if (row->flags & FLAG_STORE)
        return RACE_STORE;
    if (isa_memory(row) == MEMORY_SCALAR)
        return RACE_LOAD_SCALAR;
    return insn_get(in, FLD_glc) ? RACE_LOAD_GLC : RACE_LOAD;
}

/* ---- accesses ---- */

static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct race_step *s = (struct race_step *)((u8 *)o - offsetof(struct race_step, seen));
    enum race_kind kind = s->kind;
    (void)w;
    if (a->space != SPACE_LDS && a->space != SPACE_GLOBAL && a->space != SPACE_SCALAR)
        return;
    if (kind == RACE_RMW && !a->write)
        return;
    if (kind != RACE_RMW && a->write)
        s->kind = RACE_STORE;
    else if (kind == RACE_STORE)
        s->kind = RACE_LOAD;
    race_touch(s, a->space == SPACE_LDS, a->lane, a->addr, a->bytes);
    s->kind = kind;
}

static void execute(struct race_step *s)
{
    const struct exec_ops *exec = s->m->engine->exec;
    if (exec == &exec_ops) {
        s->w->pc += s->in->insn.dw * 4u;
        exec_insn(s->w, s->in);
        s->w->steps++;
    } else {
        exec->run(s->m, s->w, 1);
    }
}

static void execute_observed(struct race_step *s)
{
    struct wave *w = s->w;
    s->seen = (struct observer){ .see = see, .next = w->observer };
    w->observer = &s->seen;
    execute(s);
    w->observer = s->seen.next;
}

/* The same place again, and no store since: whoever does that waits. */
static void look_for_poll(struct race_step *s, u64 address)
{
    struct race_wave *me = s->me;
    bool again = me->poll_where == s->at && me->poll_address == address;
    bool may = s->kind < RACE_STORE || (s->kind == RACE_RMW && s->returns);
    if (may && again)
        s->r->marks[s->at] |= RACE_POLLS;
    me->poll_where = may ? s->at : UINT32_MAX;
    me->poll_address = address;
}

static void access_by_address(struct race_step *s)
{
    u64 addr[LANES], addr1[LANES], exec = wave_exec(s->w);
    const struct isa_row *row = insn_row(&s->in->insn);
    u32 bytes = isa_access_bytes(row);
    if (!exec || (s->w->special & SPECIAL_VSKIP)) {
        execute(s);
        return;
    }
    s->in->ops->addresses(s->w, s->in, addr, addr1);
    look_for_poll(s, addr[ctz64(exec)]);
    if (!race_touch_lanes(s, addr, bytes)) {
        execute_observed(s);
        return;
    }
    if (row->flags & FLAG_OFFSET2)
        race_touch_lanes(s, addr1, bytes);
    execute(s);
}

/* Scratch as compilers address it where there is no opcode for it. */
static bool is_scratch(const struct race_step *s)
{
    const struct xop *o = &s->in->opnd[SLOT_BASE];
    if (isa_memory(insn_row(&s->in->insn)) != MEMORY_BUFFER)
        return false;
    u64 base = bits64(pair_get(&s->w->sgpr[o->code]), 0, 48);
    return base >= GPU_SCRATCH_BASE && base < GPU_BUFFER_BASE;
}

static void access_memory(struct race_step *s, enum race_class class)
{
    const struct insn *in = &s->in->insn;
    struct race_wave *me = s->me;
    s->kind = kind_of(in);
    s->compares = takes_compare(insn_row(in));
    s->returns = s->kind == RACE_RMW && gives_back(in);
    s->done_vm = me->vm.now == me->vm.done;
    s->done_lds = !is_any_under_way(&me->lgkm, true);
    me->epoch++;
    count_insn(me, in);
    if (class == RACE_ADDRESSED)
        access_by_address(s);
    else if (is_scratch(s))
        execute(s);
    else {
        if (s->kind >= RACE_STORE)
            me->poll_where = UINT32_MAX;
        execute_observed(s);
    }
    if (s->stores)
        race_settle_stores(s);
    if (s->got)
        put_pending(s);
    race_clock_drop(s->view[0]);
    race_clock_drop(s->view[1]);
    s->view[0] = s->view[1] = NULL;
}

/* ---- the step loop ---- */

static void replace(struct race_clock **c, struct race_clock *with)
{
    race_clock_keep(with);
    race_clock_drop(*c);
    *c = with;
}

static void meet_by_gws(struct race_step *s)
{
    struct races *r = s->r;
    s->me->epoch++;
    r->gws = race_clock_join(r->gws, race_view(s, false), &r->failed);
    race_clock_drop(s->view[0]);
    s->view[0] = NULL;
    count_insn(s->me, &s->in->insn);
    s->me->at_gws = true;
}

static void step(struct race_step *s, enum race_class class)
{
    struct race_wave *me = s->me;
    struct races *r = s->r;
    switch (class) {
    case RACE_ADDRESSED:
    case RACE_OBSERVED: access_memory(s, class); return;
    case RACE_COUNTED:
        me->epoch++;
        count_insn(me, &s->in->insn);
        break;
    case RACE_WAIT: wait(s); break;
    case RACE_BARRIER:
        me->at_barrier = true;
        me->poll_where = UINT32_MAX;
        break;
    case RACE_GWS: meet_by_gws(s); break;
    case RACE_INVALIDATE: replace(&me->seen, r->known[me->id - 1]); break;
    case RACE_SCALAR_INVALIDATE:
        replace(&me->scalar, r->known[me->id - 1]);
        me->scalar_floor = me->floor;
        break;
    case RACE_NOTHING:
    case RACE_UNKNOWN: break;
    }
    execute(s);
}

enum stop race_wave(struct group_run *run, struct wave *w, u64 limit)
{
    struct group_runner *g = &run->g;
    struct races *r = g->d->races;
    struct race_step *s = r->step;
    s->r = r;
    s->run = run;
    s->g = g->race;
    s->me = &g->race->wave[w->id];
    s->w = w;
    s->m = g->m;
    if (s->me->at_barrier || s->me->at_gws)
        resume(s);
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        s->in = machine_fetch(g->m, w);
        if (!s->in)
            break;
        s->at = (u32)((w->pc - r->base) / 4);
        w->stop_pc = w->pc;
        u8 *class = &r->class[s->at];
        if (!*class)
            *class = (u8)class_of(&s->in->insn);
        if (*class == RACE_NOTHING)
            execute(s);
        else
            step(s, (enum race_class) * class);
        if (s->me->at_barrier && w->stop == STOP_NONE) /* of one wave */
            resume(s);
    }
    return w->stop;
}

enum status race_finish(struct races *r, u64 *count, struct err *e)
{
    *count = race_report(r);
    return r->failed ? err_memory(e) : ST_OK;
}
