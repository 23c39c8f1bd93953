#include "oracle/exec/defined.h"

#include "oracle/insn/half.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum {
    FOLLOWED_MAX = 1 << 16, /* instructions of all waves that are remembered */
    DWORD = 4,
    LDS_DWORDS = LDS_MAX / DWORD,
    SLOTS = 64 /* accesses to LDS whose last addresses are remembered */
};

/* How an instruction accesses LDS. */
enum lds_use {
    LDS_NONE,
    LDS_READ,
    LDS_WRITTEN,
    LDS_ANYWHERE /* it may read any of it */
};

/* What an instruction uses of its wave, for each place in the program. */
struct use {
    bool is_known;
    bool is_opaque; /* which registers is not known before it is executed */
    bool across;    /* of lanes that are off, too */
    bool partial;   /* what it writes of vector registers may be less than the lanes that are on */
    bool by_lane;
    u8 lds;   /* enum lds_use */
    u8 bytes; /* of LDS, of each lane */
    u8 slot;  /* of its last addresses; SLOTS: none */
    u8 count;
    struct effect e[EFFECTS_MAX];
};

/* Of a wave: lanes that are set, all or none of a scalar register; and for each place in the program the lanes
 * with which the instruction was looked at: what is set stays so. */
struct defined_wave {
    u64 set[PLACE_COUNT];
    u64 *seen;
    u64 accessed[SLOTS]; /* likewise, the lanes with which LDS was accessed at these addresses */
    u32 address[SLOTS][LANES];
};

struct defined {
    bool has_doubt;
    u32 code_dw, slots;
    struct use *use;
    u8 lds[LDS_DWORDS + 4]; /* 1: it is set */
    u32 lds_left;           /* dwords that are not set */
    u32 waves;
    struct defined_wave wave[];
};

enum status defined_open(struct defined **out, const struct machine *m, struct err *e)
{
    *out = NULL;
    if ((u64)m->code_dw * m->waves_max > FOLLOWED_MAX)
        return ST_OK;
    struct defined *d = calloc(1, sizeof *d + m->waves_max * sizeof d->wave[0]);
    if (!d)
        return err_memory(e);
    d->code_dw = m->code_dw;
    d->waves = m->waves_max;
    d->use = calloc(m->code_dw, sizeof *d->use);
    bool ok = d->use != NULL;
    for (u32 i = 0; i < m->waves_max; i++)
        ok &= (d->wave[i].seen = calloc(m->code_dw, sizeof(u64))) != NULL;
    if (!ok) {
        defined_close(d);
        return err_memory(e);
    }
    *out = d;
    return ST_OK;
}

void defined_close(struct defined *d)
{
    for (u32 i = 0; d && i < d->waves; i++)
        free(d->wave[i].seen);
    if (d)
        free(d->use);
    free(d);
}

void defined_start(struct defined *d, const struct machine *m, const bool *unset, u32 items)
{
    memset(d->lds, 0, sizeof d->lds);
    d->lds_left = (m->lds->size + DWORD - 1) / DWORD;
    for (u32 i = 0; i < m->waves; i++) {
        struct defined_wave *x = &d->wave[i];
        for (u32 p = 0; p < PLACE_COUNT; p++)
            x->set[p] = unset[p] ? 0 : ~0ull;
        for (u32 p = PLACE_V0; p < PLACE_V0 + items; p++)
            x->set[p] = wave_exec(m->wave[i]);
        memset(x->seen, 0, d->code_dw * sizeof *x->seen);
        memset(x->accessed, 0, sizeof x->accessed);
    }
}

bool defined_has_doubt(const struct defined *d)
{
    return d->has_doubt;
}

/* ---- what an instruction uses ---- */

/* Registers are written as a whole: neither a part of the lanes that are on, nor of a lane's bits. */
static bool is_partial(const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    bool partial = in->insn.form == FORM_DPP || in->insn.form == FORM_SDWA ||
                   row->flags & FLAG_OPSEL || isa_unit(row) == UNIT_INTERP ||
                   (row->flags & FLAG_LANEWISE && isa_unit(row) == UNIT_VALU) ||
                   half_loads(&in->insn);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        partial |= o->dir & DIR_W && isa_type_is_short((enum isa_type)o->type);
    return partial;
}

static bool is_opaque(const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    enum isa_flow flow = isa_flow(row);
    bool opaque = row->flags & FLAG_RD_M0 || isa_m0(row) == M0_SOURCE || isa_m0(row) == M0_DEST ||
                  flow == FLOW_FORK || flow == FLOW_FORK_TO || flow == FLOW_JOIN ||
                  flow == FLOW_TRAP || isa_memory(row) == MEMORY_SCRATCH ||
                  isa_memory(row) == MEMORY_IMAGE || insn_get(&in->insn, FLD_lds);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        opaque |= in->opnd[o->slot].code == CODE_LDS_DIRECT;
    return opaque;
}

static enum lds_use lds_use(const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    bool has_address = false;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        has_address |= o->slot == SLOT_ADDR;
    if (isa_memory(row) == MEMORY_FLAT)
        return row->flags & (FLAG_LOAD | FLAG_ATOMIC) ? LDS_ANYWHERE : LDS_NONE;
    if (isa_memory(row) != MEMORY_LDS || insn_get(&in->insn, FLD_gds))
        return LDS_NONE;
    if (row->flags & (FLAG_ATOMIC | FLAG_SRC2) || in->is_atomic || !has_address)
        return LDS_ANYWHERE;
    return row->flags & FLAG_LOAD ? LDS_READ : row->flags & FLAG_STORE ? LDS_WRITTEN : LDS_NONE;
}

static void know(struct defined *d, struct use *u, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    struct effects fx;
    effects_of(&in->insn, &fx);
    u->is_known = true;
    u->by_lane = effects_is_by_lane(&in->insn);
    u->is_opaque = is_opaque(in);
    u->partial = is_partial(in);
    u->across = row->flags & (FLAG_LANEWISE | FLAG_NO_EXEC) || in->insn.form == FORM_DPP ||
                isa_unit(row) == UNIT_INTERP;
    u->lds = (u8)lds_use(in);
    u->bytes = (u8)isa_access_bytes(row);
    u->slot = u->lds && d->slots < SLOTS ? (u8)d->slots++ : SLOTS;
    for (u32 i = 0; i < fx.count; i++) /* what is always set is not looked at */
        if (fx.e[i].place <= PLACE_SCC && fx.e[i].place != CODE_EXEC)
            u->e[u->count++] = fx.e[i];
}

/* ---- looking ---- */

static bool is_vector(const struct effect *e)
{
    return e->place >= PLACE_V0 && e->place < PLACE_SCC;
}

/* Whether all that it reads of registers is set. */
static bool reads_set(const struct use *u, const struct defined_wave *x, u64 exec)
{
    u64 lacks = 0;
    for (u32 i = 0; i < u->count; i++) {
        const struct effect *e = &u->e[i];
        u64 need = is_vector(e) && !u->across ? exec : ~0ull;
        for (u32 n = 0; n < e->dw && e->dir & DIR_R; n++)
            lacks |= need & ~x->set[e->place + n];
    }
    return !lacks;
}

static void write(const struct use *u, struct defined_wave *x, u64 exec)
{
    for (u32 i = 0; i < u->count; i++) {
        const struct effect *e = &u->e[i];
        u64 lanes = !is_vector(e) ? ~0ull : u->partial ? 0 : exec;
        for (u32 n = 0; n < e->dw && e->dir & DIR_W; n++)
            x->set[e->place + n] |= lanes;
    }
}

/* Whether all lanes that are on access LDS where no rule of alignment moves them and they are not cut: only such
 * accesses are told apart. */
static bool are_plain(u32 size, const u64 *addr, u32 bytes, u64 exec)
{
    u64 mask = bytes == 3 * DWORD ? 4 * DWORD - 1 : bytes - 1u, wrong = 0;
    if (bytes < DWORD || bytes > size)
        return false;
    for (u32 lane = 0; lane < LANES; lane++) {
        u64 outside = (addr[lane] & mask) | (addr[lane] > size - bytes);
        wrong |= outside & (0 - (exec >> lane & 1));
    }
    return !wrong;
}

static bool reads_lds(const struct defined *d, const u64 *addr, u32 bytes, u64 exec)
{
    u8 all = 1;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 first = (u32)(addr[lane] / DWORD) % LDS_DWORDS;
        u8 off = !(exec >> lane & 1);
        for (u32 i = 0; i < bytes / DWORD; i++)
            all &= d->lds[first + i] | off;
    }
    return all;
}

static void write_lds(struct defined *d, const u64 *addr, u32 bytes, u64 exec)
{
    for (u64 left = exec; left; left &= left - 1)
        for (u32 i = 0; i < bytes / DWORD; i++) {
            u8 *to = &d->lds[addr[ctz64(left)] / DWORD + i];
            d->lds_left -= !*to;
            *to = 1;
        }
}

static bool look_at_addresses(struct defined *d, struct wave *w, const struct xinsn *in,
                              const struct use *u, u64 exec)
{
    u64 addr[2][LANES];
    u32 count = insn_row(&in->insn)->flags & FLAG_OFFSET2 ? 2 : 1;
    bool set = true;
    in->ops->addresses(w, in, addr[0], addr[1]);
    for (u32 i = 0; i < count; i++) {
        bool plain = are_plain(w->lds->size, addr[i], u->bytes, exec);
        if (u->lds == LDS_READ)
            set &= plain && reads_lds(d, addr[i], u->bytes, exec);
        else if (plain)
            write_lds(d, addr[i], u->bytes, exec);
    }
    return set;
}

/* Whether LDS that is read is set; what is written is from then on. Loops come with the same addresses again. */
static bool look_at_lds(struct defined *d, struct wave *w, const struct xinsn *in,
                        const struct use *u)
{
    struct defined_wave *x = &d->wave[w->id];
    u64 exec = wave_exec(w);
    if (d->lds_left == 0)
        return true;
    if (u->lds == LDS_ANYWHERE)
        return false;
    const u32 *row = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    if (u->slot < SLOTS && !(exec & ~x->accessed[u->slot]) &&
        memcmp(row, x->address[u->slot], sizeof x->address[0]) == 0)
        return true;
    if (!look_at_addresses(d, w, in, u, exec))
        return false;
    if (u->slot < SLOTS) {
        memcpy(x->address[u->slot], row, sizeof x->address[0]);
        x->accessed[u->slot] = exec;
    }
    return true;
}

/* Before an instruction is executed. */
static void look(struct defined *d, struct wave *w, const struct xinsn *in, u64 at)
{
    struct defined_wave *x = &d->wave[w->id];
    struct use *u = &d->use[at];
    u64 seen = x->seen[at], exec = wave_exec(w);
    if (!u->is_known)
        know(d, u, in);
    d->has_doubt |= w->special || (u->lds && !look_at_lds(d, w, in, u));
    if (seen && !(exec & ~seen))
        return;
    d->has_doubt |= u->is_opaque || !reads_set(u, x, exec);
    write(u, x, exec);
    x->seen[at] |= u->by_lane ? exec : ~0ull;
}

enum stop defined_run(struct defined *d, struct machine *m, struct wave *w, u64 limit)
{
    u64 n = 0;
    for (; n < limit && w->stop == STOP_NONE && !d->has_doubt; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            return w->stop;
        look(d, w, in, (w->stop_pc - m->base) / DWORD);
        exec_insn(w, in);
        w->steps++;
    }
    return d->has_doubt ? m->engine->exec->run(m, w, limit - n) : w->stop;
}
