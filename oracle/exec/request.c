#include "oracle/exec/request.h"

#include "oracle/insn/half.h"
#include "oracle/sem/operand.h"

/* ---- a wave as it was ---- */

static u32 *row_of(struct wave *w, u32 place)
{
    return w->vgpr[(place - PLACE_V0) % VGPRS];
}

static bool is_scalar(const struct request *r)
{
    return r->place < SGPRS;
}

/* The first scalar register that its instruction may read: of LDS and GDS M0 and EXEC alone. */
static u32 first_scalar(const struct request *r)
{
    return r->kind == KIND_LDS || r->kind == KIND_GDS ? CODE_M0 : 0;
}

static size_t scalar_bytes(const struct request *r)
{
    return sizeof r->sgpr - first_scalar(r) * sizeof r->sgpr[0];
}

/* The vector registers that an operand reads. */
static void capture(struct request *r, u32 code, u32 dw)
{
    for (u32 i = 0; i < dw && r->source_count < REQUEST_SOURCES; i++) {
        memcpy(r->captured[r->source_count], row_of(r->w, code + i), sizeof *r->captured);
        r->source[r->source_count++] = (u16)(code + i);
    }
}

struct request *request_begin(struct weak *s, struct machine *m, struct wave *w,
                              const struct xinsn *in, enum pending_kind kind)
{
    if (s->free_count == 0)
        return NULL;
    struct request *r = s->free[--s->free_count];
    r->m = m;
    r->w = w;
    r->in = in;
    r->pc = w->stop_pc;
    r->serial = ++s->serial;
    r->channels = 0;
    r->n = (struct pending_numbers){ 0 };
    r->kind = (u8)kind;
    r->dw = 0;
    r->place = PLACE_V0;
    r->is_performed = r->is_awaited = r->writes = r->is_overflown = false;
    r->is_late = pending_takes_late(w, &in->insn, kind);
    r->is_taken = r->is_private = false;
    r->data_at = r->data_count = 0;
    r->uses_lds = kind == KIND_LDS || kind == KIND_GDS;
    r->source_count = r->put_count = r->line_count = 0;
    memcpy(&r->sgpr[first_scalar(r)], &w->sgpr[first_scalar(r)], scalar_bytes(r));
    for (const struct isa_operand *o = insn_row(&in->insn)->operand; o->kind != K_NONE; o++) {
        const struct xop *x = &in->opnd[o->slot];
        if (pending_is_result(&in->insn, o)) {
            r->place = x->code;
            r->dw = x->dw;
        }
        u32 before = r->source_count;
        if (o->dir & DIR_R && x->code >= PLACE_V0)
            capture(r, x->code, insn_operand_most(insn_row(&in->insn), o, x->dw));
        if (o->slot == SLOT_DATA0) {
            r->data_at = (u8)before;
            r->data_count = (u8)(r->source_count - before);
        }
    }
    return r;
}

void request_free(struct weak *s, struct request *r)
{
    s->free[s->free_count++] = r;
}

static void save_result_rows(const struct request *r, u32 (*before)[LANES])
{
    for (u32 i = 0; i < r->dw && !is_scalar(r); i++)
        memcpy(before[i], row_of(r->w, r->place + i), sizeof before[i]);
}

/* Takes the result out of the destination, and puts back what was there. */
static void take_result(struct request *r, u32 (*before)[LANES])
{
    if (is_scalar(r)) {
        memcpy(r->value[0], &r->w->sgpr[r->place], r->dw * sizeof(u32));
        return;
    }
    for (u32 i = 0; i < r->dw; i++) {
        memcpy(r->value[i], row_of(r->w, r->place + i), sizeof r->value[i]);
        memcpy(row_of(r->w, r->place + i), before[i], sizeof before[i]);
    }
}

/* What its wave has in registers that were others when the instruction was issued. */
struct swap {
    u32 count;
    u16 place[REQUEST_SOURCES];
    u32 row[REQUEST_SOURCES][LANES];
    u32 sgpr[SGPRS + SGPR_TAIL];
};

static void swap_in(const struct request *r, struct swap *s)
{
    struct wave *w = r->w;
    u32 first = first_scalar(r);
    s->count = 0;
    for (u32 i = 0; i < r->source_count; i++) {
        u32 *row = row_of(w, r->source[i]);
        if (memcmp(row, r->captured[i], sizeof *r->captured) == 0)
            continue;
        memcpy(s->row[s->count], row, sizeof *s->row);
        s->place[s->count++] = r->source[i];
        memcpy(row, r->captured[i], sizeof *r->captured);
    }
    memcpy(&s->sgpr[first], &w->sgpr[first], scalar_bytes(r));
    memcpy(&w->sgpr[first], &r->sgpr[first], scalar_bytes(r));
}

static void swap_out(const struct request *r, const struct swap *s)
{
    u32 first = first_scalar(r);
    for (u32 i = 0; i < s->count; i++)
        memcpy(row_of(r->w, s->place[i]), s->row[i], sizeof *s->row);
    memcpy(&r->w->sgpr[first], &s->sgpr[first], scalar_bytes(r));
}

/* Whether what the instruction leaves in its destination is what its wave then has there. */
static bool stays_in_place(const struct request *r, const struct swap *s)
{
    if (!r->is_awaited || r->w->log || is_scalar(r))
        return false;
    for (u32 i = 0; i < s->count; i++)
        if ((u32)s->place[i] - r->place < r->dw)
            return false;
    return true;
}

/* Executes the instruction with the registers of when it was issued. Nothing of the wave changes
 * but TRAPSTS and whether it has stopped, and the destination if the result is awaited. */
static void execute(struct request *r, struct memory_view *view)
{
    struct wave *w = r->w;
    struct swap swap;
    u32 before[PENDING_ROWS][LANES];
    u64 pc = w->stop_pc;
    struct wlog *log = w->log;
    swap_in(r, &swap);
    bool stays = stays_in_place(r, &swap);
    if (!stays)
        save_result_rows(r, before);
    w->stop_pc = r->pc;
    w->view = view;
    w->log = NULL;
    r->in->sem(w, r->in);
    w->view = NULL;
    w->log = log;
    if (w->stop == STOP_NONE)
        w->stop_pc = pc;
    if (stays)
        r->dw = 0;
    else
        take_result(r, before);
    swap_out(r, &swap);
}

void request_deliver(const struct request *r)
{
    u64 exec = pair_get(&r->sgpr[CODE_EXEC]);
    pending_deliver(r->w, &r->in->insn, r->place, r->dw, r->value, exec);
}

/* ---- accesses ---- */

static u64 bytes_get(const u8 *at, u32 bytes)
{
    u64 v = 0;
    memcpy(&v, at, bytes);
    return v;
}

/* Neither LDS, nor what each work-group has for itself. */
static bool is_shared(const struct weak *s, enum space space, u64 addr)
{
    bool global = space != SPACE_LDS && space != SPACE_LDS_M0 && space != SPACE_GDS;
    return global && addr - s->private_base >= s->private_size;
}

/* The L2 channel of a line: which lines share one is not told, so that it is drawn. */
static u64 channel(const struct weak *s, u64 number)
{
    return 1ull << (hash_mix(s->seed, number) & 63);
}

static void note_line(struct weak *s, u64 number, u64 dirty)
{
    struct request *r = s->now;
    for (u32 i = r->line_count; i-- > 0;)
        if (r->line[i].number == number) {
            r->line[i].dirty |= dirty;
            return;
        }
    r->channels |= channel(s, number);
    if (r->line_count == REQUEST_LINES)
        r->is_overflown = true;
    else
        r->line[r->line_count++] = (struct request_line){ number, dirty };
}

/* An access may reach into the next line. */
static void note(struct weak *s, u64 addr, u32 bytes, bool write)
{
    u64 first = cache_number(addr), last = cache_number(addr + bytes - 1);
    u32 at = (u32)(addr % CACHE_LINE), head = first == last ? bytes : CACHE_LINE - at;
    note_line(s, first, write ? mask64(head) << at : 0);
    if (first != last)
        note_line(s, last, write ? mask64(bytes - head) : 0);
}

/* Reads from lines that are all there. */
static u64 read_lines(struct cache *c, u64 addr, u32 bytes)
{
    u64 v = 0;
    for (u32 i = 0; i < bytes; i++) {
        const struct cache_line *l = cache_find(c, cache_number(addr + i));
        v |= (u64)l->bytes[(addr + i) % CACHE_LINE] << i * 8;
    }
    return v;
}

static u64 read_cached(struct weak *s, u64 addr, u32 bytes)
{
    struct cache *c = &s->unit[s->now->unit].l1;
    u32 at = (u32)(addr % CACHE_LINE);
    if (at + bytes > CACHE_LINE)
        return read_lines(c, addr, bytes);
    return bytes_get(&cache_find(c, cache_number(addr))->bytes[at], bytes);
}

/* Keeps the lines of a load in the vector cache as they are in memory now, unless a write of the unit to
 * them is under way: they would lack it. */
static void keep_lines(struct weak *s, const struct request *r, u64 closed)
{
    struct cache *c = &s->unit[r->unit].l1;
    if (r->is_overflown || r->in->is_atomic || insn_get(&r->in->insn, FLD_glc))
        return;
    for (u32 i = 0; i < r->line_count; i++) {
        u64 number = r->line[i].number;
        struct cache_line *l =
            closed & channel(s, number) ? NULL : cache_fill(c, r->w->mem, number);
        if (l)
            l->is_nonvolatile = insn_get(&r->in->insn, FLD_nv);
    }
}

static struct cache *scalar_cache(struct weak *s)
{
    return &s->scalar[s->now->unit / SCALAR_UNITS];
}

/* A line of the scalar cache, from memory if it is not there; NULL if it cannot be. */
static struct cache_line *scalar_line(struct weak *s, u64 number)
{
    struct request *r = s->now;
    struct cache_line *l = cache_find(scalar_cache(s), number);
    if (l)
        return l;
    l = cache_fill(scalar_cache(s), r->w->mem, number);
    if (l)
        l->is_nonvolatile = insn_get(&r->in->insn, FLD_nv);
    return l;
}

/* Scalar accesses are dwords that are aligned, or two of an atomic, which the cache does not hold. */
static u64 read_scalar(struct weak *s, u64 addr, u32 bytes, const u8 *at)
{
    struct cache_line *l = s->now->in->is_atomic ? NULL : scalar_line(s, cache_number(addr));
    u32 first = (u32)(addr % CACHE_LINE);
    return l && first + bytes <= CACHE_LINE ? bytes_get(&l->bytes[first], bytes)
                                            : bytes_get(at, bytes);
}

static void write_scalar(struct weak *s, u64 addr, u32 bytes, u8 *at, u64 value)
{
    bool is_atomic = s->now->in->is_atomic;
    struct cache_line *l = is_atomic ? NULL : scalar_line(s, cache_number(addr));
    u32 first = (u32)(addr % CACHE_LINE);
    if (!l || first + bytes > CACHE_LINE) {
        cache_drop(scalar_cache(s), cache_number(addr));
        memcpy(at, &value, bytes);
        return;
    }
    memcpy(&l->bytes[first], &value, bytes);
    l->dirty |= mask64(bytes) << first;
}

static u64 view_read(struct memory_view *v, enum space space, u64 addr, u32 bytes, u8 *at)
{
    struct weak *s = (struct weak *)v;
    bool shared = is_shared(s, space, addr);
    switch (s->mode) {
    case MODE_RECORD:
        if (shared)
            note(s, addr, bytes, false);
        else
            s->now->uses_lds |= space == SPACE_LDS_M0 || space == SPACE_LDS;
        return 0;
    case MODE_CACHED: return shared ? read_cached(s, addr, bytes) : bytes_get(at, bytes);
    case MODE_SCALAR: return shared ? read_scalar(s, addr, bytes, at) : bytes_get(at, bytes);
    default: BUG("view_read");
    }
}

static void record_write(struct weak *s, enum space space, u64 addr, u32 bytes, u8 *at, u64 value)
{
    struct request *r = s->now;
    bool lds = space == SPACE_LDS_M0 || space == SPACE_LDS;
    r->uses_lds |= lds;
    if (is_shared(s, space, addr)) {
        note(s, addr, bytes, true);
        r->writes = true;
    } else if (!lds && !r->is_late) { /* nobody else sees it */
        memcpy(at, &value, bytes);
        return;
    } else {
        r->is_private |= !lds;
    }
    if (r->put_count == REQUEST_PUTS)
        BUG("record_write");
    r->put[r->put_count++] = (struct request_put){ at, value, bytes };
}

static void view_write(struct memory_view *v, enum space space, u64 addr, u32 bytes, u8 *at,
                       u64 value)
{
    struct weak *s = (struct weak *)v;
    if (s->mode == MODE_RECORD)
        record_write(s, space, addr, bytes, at, value);
    else if (s->mode == MODE_SCALAR && is_shared(s, space, addr))
        write_scalar(s, addr, bytes, at, value);
    else
        memcpy(at, &value, bytes);
}

static void execute_in(struct weak *s, struct request *r, enum request_mode mode)
{
    s->view = (struct memory_view){ .read = view_read, .write = view_write };
    s->mode = mode;
    s->now = r;
    execute(r, &s->view);
}

/* ---- issue ---- */

static bool is_store(const struct request *r)
{
    return insn_row(&r->in->insn)->flags & FLAG_STORE && !r->in->is_atomic && !r->in->into_lds;
}

void request_take(struct weak *s, struct request *r)
{
    struct observer *o = r->w->observer;
    if (!r->is_late || r->is_taken)
        return;
    r->is_taken = true;
    for (u32 i = r->data_at; i < r->data_at + (u32)r->data_count; i++)
        memcpy(r->captured[i], row_of(r->w, r->source[i]), sizeof *r->captured);
    if (!is_store(r))
        return;
    r->put_count = 0;
    r->w->observer = NULL; /* it has seen them when they were issued */
    execute_in(s, r, MODE_RECORD);
    r->w->observer = o;
}

/* Stores of the wave to memory of its own that have not taken their data do so, as they are in order with what
 * reads it. */
static void perform_private(struct weak *s, const struct request *r)
{
    struct unit *u = &s->unit[r->unit];
    for (u32 i = u->count; i-- > 0;)
        if (u->order[i]->is_private && u->order[i]->w == r->w) {
            request_perform(s, u->order[i]); /* and those before it */
            return;
        }
}

/* Finds out what a load touches whose lanes all read of one buffer: without executing it. */
static bool record_load(struct weak *s, struct request *r)
{
    const struct xinsn *in = r->in;
    const struct isa_row *row = insn_row(&in->insn);
    u64 addr[LANES], addr1[LANES], first, size, exec = wave_exec(r->w);
    u32 bytes = isa_access_bytes(row);
    bool plain = (isa_memory(row) == MEMORY_GLOBAL || isa_memory(row) == MEMORY_FLAT) &&
                 row->flags & FLAG_LOAD && !in->is_atomic && !in->into_lds;
    if (!plain || !bytes || !exec)
        return false;
    in->ops->addresses(r->w, in, addr, addr1);
    u64 any = addr[ctz64(exec)];
    if (!mem_direct(r->w, (enum space)in->space, any, false, &first, &size) || size < bytes ||
        !is_shared(s, SPACE_GLOBAL, any))
        return false;
    for (u64 left = exec; left; left &= left - 1)
        if (addr[ctz64(left)] - first > size - bytes)
            return false;
    s->now = r;
    for (u64 left = exec, last = 0; left; left &= left - 1) {
        u64 a = addr[ctz64(left)], end = cache_number(a + bytes - 1);
        if (cache_number(a) != last || end != last)
            note(s, a, bytes, false);
        last = end;
    }
    return true;
}

/* What was recorded of an atomic are not its writes. */
bool request_record(struct weak *s, struct request *r)
{
    struct observer *o = r->w->observer;
    if (!is_store(r))
        r->w->observer = NULL;
    if (!record_load(s, r))
        execute_in(s, r, MODE_RECORD);
    r->w->observer = o;
    r->writes |= r->in->is_atomic;
    if (r->w->stop != STOP_NONE)
        return false;
    if (r->channels || r->uses_lds || r->is_private)
        return true;
    if (!is_store(r)) { /* all of it private, or nothing at all */
        perform_private(s, r);
        execute(r, NULL);
    }
    r->is_performed = true;
    return false;
}

void request_issue(struct weak *s, struct request *r)
{
    struct unit *u = &s->unit[r->unit];
    if (u->count == UNIT_REQUESTS)
        BUG("request_issue");
    u->order[u->count++] = r;
    s->busy[r->unit / 64] |= 1ull << r->unit % 64;
    if (r->due < s->next_due)
        s->next_due = r->due;
}

/* Whether the lines are as in memory: it can be read instead, which is quicker. */
static bool is_fresh(struct weak *s, const struct request *r)
{
    for (u32 i = 0; i < r->line_count; i++) {
        const struct cache_line *l = cache_find(&s->unit[r->unit].l1, r->line[i].number);
        if (memcmp(l->bytes, l->at, CACHE_LINE) != 0)
            return false;
    }
    return true;
}

void request_hit(struct weak *s, struct request *r)
{
    if (is_fresh(s, r))
        execute(r, NULL);
    else
        execute_in(s, r, MODE_CACHED);
    r->is_performed = true;
}

/* ---- performing ---- */

/* Scalar stores and what acts on the scalar cache stay in order. */
static bool is_ordered_scalar(const struct request *r)
{
    return insn_row(&r->in->insn)->flags & (FLAG_STORE | FLAG_INVALIDATES | FLAG_WRITES_BACK);
}

/* Whether a, issued before b on the same unit, reaches memory before it. */
static bool precedes(const struct request *a, const struct request *b)
{
    if (a->channels & b->channels)
        return true;
    if (a->w != b->w)
        return false;
    if (a->is_private && b->is_private)
        return true;
    if (a->kind == KIND_SCALAR && b->kind == KIND_SCALAR)
        return is_ordered_scalar(a) && is_ordered_scalar(b);
    return a->uses_lds && b->uses_lds;
}

static bool store(struct request *r)
{
    bool changed = false;
    for (u32 i = 0; i < r->put_count; i++) {
        struct request_put *p = &r->put[i];
        changed |= memcmp(p->at, &p->value, p->bytes) != 0;
        memcpy(p->at, &p->value, p->bytes);
    }
    return changed;
}

static u64 closed_channels(const struct unit *u)
{
    u64 closed = 0;
    for (u32 i = 0; i < u->count; i++)
        closed |= u->order[i]->writes ? u->order[i]->channels : 0;
    return closed;
}

static void act_on_scalar_cache(struct weak *s, struct request *r)
{
    const struct isa_row *row = insn_row(&r->in->insn);
    struct cache *c = &s->scalar[r->unit / SCALAR_UNITS];
    bool is_volatile = row->flags & FLAG_VOLATILE;
    if (row->flags & FLAG_INVALIDATES)
        cache_invalidate(c, is_volatile);
    else
        cache_write_back(c, is_volatile);
}

static bool perform_one(struct weak *s, struct request *r)
{
    bool changed = false;
    r->is_performed = true;
    if (!r->m) { /* a store: its program may be gone, too */
        changed = store(r);
        request_free(s, r);
        return changed;
    }
    request_take(s, r);
    const struct isa_row *row = insn_row(&r->in->insn);
    if (row->flags & (FLAG_INVALIDATES | FLAG_WRITES_BACK)) {
        act_on_scalar_cache(s, r);
        changed = true;
    } else if (r->kind == KIND_SCALAR) {
        execute_in(s, r, MODE_SCALAR);
    } else if (is_store(r) && r->kind != KIND_LDS && r->kind != KIND_GDS) {
        changed = store(r);
    } else if (r->channels) {
        execute(r, NULL);
        keep_lines(s, r, closed_channels(&s->unit[r->unit]));
        changed = r->writes;
    } else {
        execute(r, NULL);
        changed = true;
    }
    return changed;
}

static void take_out(struct weak *s, const struct request *r)
{
    struct unit *u = &s->unit[r->unit];
    u32 at = 0;
    while (at < u->count && u->order[at] != r)
        at++;
    if (at == u->count)
        BUG("take_out");
    memmove(&u->order[at], &u->order[at + 1], (--u->count - at) * sizeof u->order[0]);
    if (u->count == 0)
        s->busy[r->unit / 64] &= ~(1ull << r->unit % 64);
}

/* Each leaves the queue as it is performed: a load keeps no line that one behind it will write. */
bool request_perform(struct weak *s, struct request *r)
{
    struct unit *u = &s->unit[r->unit];
    struct request *first[UNIT_REQUESTS]; /* backwards */
    u32 count = 0, at = u->count;
    bool changed = false;
    while (at > 0 && u->order[at - 1] != r)
        at--;
    first[count++] = r;
    for (u32 i = at ? at - 1 : 0; i-- > 0;)
        for (u32 k = 0; k < count; k++)
            if (precedes(u->order[i], first[k])) {
                first[count++] = u->order[i];
                break;
            }
    while (count-- > 0) {
        take_out(s, first[count]);
        changed |= perform_one(s, first[count]);
    }
    return changed;
}
