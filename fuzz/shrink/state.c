/* Fewer waves, lanes, set registers and bytes. */
#include "fuzz/shrink/internal.h"

#include "oracle/state/effects.h"

/* ---- registers that addresses come from ---- */

/* Whether an operand is part of where a memory instruction goes. */
static bool is_address(const struct insn *in, const struct isa_operand *o, u32 place)
{
    bool resource = o->kind == K_RSRC, offset = o->slot == SLOT_SOFF && o->kind == K_SSRC;
    u32 code = insn_code(in, o), dw = insn_operand_dw(in, o);
    if (o->slot != SLOT_ADDR && o->kind != K_SADDR && o->kind != K_SBASE && !resource && !offset)
        return false;
    if (!insn_operand_there(in, o) || insn_operand_off(in, o))
        return false;
    if (o->kind == K_IADDR)
        dw = IMAGE_ADDRESS_DW;
    return code <= place && place < code + dw;
}

/* Stores stay where they are: lanes or waves that write one place prove nothing. */
static bool is_store_address(const struct shrinker *sh, u32 place)
{
    for (u32 i = 0; i < sh->prog.count; i++) {
        const struct insn *in = &sh->prog.insn[i].in;
        const struct isa_row *row = insn_row(in);
        if (!(row->flags & (FLAG_STORE | FLAG_ATOMIC)))
            continue;
        for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
            if (is_address(in, o, place))
                return true;
    }
    return false;
}

static bool is_read(const struct shrinker *sh, u32 place)
{
    for (u32 i = 0; i < sh->prog.count; i++) {
        struct effects fx;
        if (sh->prog.insn[i].in.op == OP_NONE)
            return true;
        effects_of(&sh->prog.insn[i].in, &fx);
        for (u32 k = 0; k < fx.count; k++)
            if (fx.e[k].dir & DIR_R && fx.e[k].place <= place &&
                place < (u32)fx.e[k].place + fx.e[k].dw)
                return true;
        const struct isa_operand *o = insn_row(&sh->prog.insn[i].in)->operand;
        for (; o->kind != K_NONE; o++)
            if (is_address(&sh->prog.insn[i].in, o, place))
                return true;
    }
    return false;
}

/* ---- set registers ---- */

static u32 set_dwords(u32 place)
{
    return place >= PLACE_V0 && place < PLACE_SCC ? LANES : 1;
}

/* Removes the entries for which keep[] is false, and their values. */
static void compact(struct stream *s, const bool *keep)
{
    u32 n = 0, dw = 0;
    for (u32 i = 0; i < s->set_count; i++) {
        struct stream_set set = s->set[i];
        u32 len = set_dwords(set.place);
        if (!keep[i])
            continue;
        memmove(&s->values[dw], &s->values[set.at], len * sizeof s->values[0]);
        set.at = dw;
        dw += len;
        s->set[n++] = set;
    }
    s->set_count = n;
    s->value_dw = dw;
}

static u32 count_sets(const struct shrinker *sh)
{
    return sh->best->set_count;
}

/* Never unset, because it would then be all lanes; its bits are taken away instead. */
static bool is_exec(u32 place)
{
    return place == CODE_EXEC || place == CODE_EXEC + 1;
}

static bool take_sets(struct shrinker *sh, u32 at, u32 count)
{
    bool keep[STREAM_SETS_MAX] = { false }, any = false;
    shrink_begin(sh);
    for (u32 i = 0; i < sh->trial->set_count; i++) {
        bool inside = i >= at && i < at + count;
        u32 place = sh->trial->set[i].place;
        keep[i] = !inside || is_exec(place) || is_store_address(sh, place);
        any |= !keep[i];
    }
    compact(sh->trial, keep);
    return any && shrink_try_state(sh);
}

static void drop_unread(struct shrinker *sh)
{
    bool keep[STREAM_SETS_MAX];
    shrink_begin(sh);
    for (u32 i = 0; i < sh->trial->set_count; i++)
        keep[i] = is_read(sh, sh->trial->set[i].place);
    compact(sh->trial, keep);
    if (sh->trial->set_count < sh->best->set_count)
        shrink_try_state(sh);
}

/* ---- values ---- */

/* The value that is being made simpler. */
static bool try_value(struct shrinker *sh, u32 i, u32 lane, u32 count, u32 value)
{
    u32 *v = &sh->best->values[sh->best->set[i].at + lane];
    bool same = true;
    for (u32 k = 0; k < count; k++)
        same &= v[k] == value;
    if (same || !shrink_goes_on(sh))
        return false;
    shrink_begin(sh);
    for (u32 k = 0; k < count; k++)
        sh->trial->values[sh->trial->set[i].at + lane + k] = value;
    return shrink_try_state(sh);
}

/* Fewer bits: first halves, then single ones. */
static void simplify_bits(struct shrinker *sh, u32 i, u32 lane, u32 count)
{
    for (u32 size = 16; size && shrink_goes_on(sh); size /= 2) {
        for (u32 bit = 0; bit < 32; bit += size) {
            u32 v = sh->best->values[sh->best->set[i].at + lane];
            u32 without = v & ~(mask32(size) << bit);
            if (without != v)
                try_value(sh, i, lane, count, without);
        }
    }
}

static void simplify_vector(struct shrinker *sh, u32 i)
{
    const u32 *v = &sh->best->values[sh->best->set[i].at];
    if (try_value(sh, i, 0, LANES, 0))
        return;
    for (u32 size = 32; size && shrink_goes_on(sh); size /= 2)
        for (u32 lane = 0; lane < LANES; lane += size)
            try_value(sh, i, lane, size, 0);
    u32 left = 0, which = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        left += v[lane] != 0;
        which = v[lane] ? lane : which;
    }
    if (left == 1 && !try_value(sh, i, which, 1, 1))
        simplify_bits(sh, i, which, 1);
}

static void simplify_value(struct shrinker *sh, u32 i)
{
    u32 place = sh->best->set[i].place;
    if (is_store_address(sh, place))
        return;
    if (set_dwords(place) > 1) {
        simplify_vector(sh, i);
        return;
    }
    bool easy = try_value(sh, i, 0, 1, 0) ||
                (!is_exec(place) && place != PLACE_MODE && try_value(sh, i, 0, 1, 1));
    if (!easy && place == PLACE_MODE)
        easy = try_value(sh, i, 0, 1, MODE_DEFAULT);
    if (!easy)
        simplify_bits(sh, i, 0, 1);
}

/* ---- waves ---- */

/* Keeps `count` waves from `first` on. */
static bool take_waves(struct shrinker *sh, u32 first, u32 count)
{
    bool keep[STREAM_SETS_MAX];
    shrink_begin(sh);
    struct stream *t = sh->trial;
    for (u32 i = 0; i < t->set_count; i++) {
        keep[i] = t->set[i].wave >= first && t->set[i].wave < first + count;
        t->set[i].wave = (u16)(t->set[i].wave - first);
    }
    compact(t, keep);
    t->waves = (u16)count;
    return shrink_try_state(sh);
}

static void shrink_waves(struct shrinker *sh)
{
    for (u32 count = 1; count < sh->best->waves; count++)
        for (u32 first = 0; first + count <= sh->best->waves; first++)
            if (shrink_goes_on(sh) && take_waves(sh, first, count))
                return;
}

/* ---- memory ---- */

/* Zeroes bytes in ever smaller pieces; the smallest is a dword. */
static void shrink_bytes(struct shrinker *sh, size_t offset, u32 size)
{
    for (u32 piece = size; piece >= 4 && shrink_goes_on(sh); piece /= 4) {
        for (u32 at = 0; at < size && shrink_goes_on(sh); at += piece) {
            u32 n = piece < size - at ? piece : size - at;
            const u8 *old = (const u8 *)sh->best + offset + at;
            bool zero = true;
            for (u32 i = 0; i < n; i++)
                zero &= old[i] == 0;
            if (zero)
                continue;
            shrink_begin(sh);
            memset((u8 *)sh->trial + offset + at, 0, n);
            shrink_try_state(sh);
        }
    }
}

static bool take_window(struct shrinker *sh, u32 at)
{
    shrink_begin(sh);
    struct stream *t = sh->trial;
    memmove(&t->window[at], &t->window[at + 1], (t->window_count - at - 1) * sizeof t->window[0]);
    t->window_count--;
    return shrink_try_state(sh);
}

static bool has_memory(const struct shrinker *sh, bool lds)
{
    for (u32 i = 0; i < sh->prog.count; i++) {
        const struct isa_row *row = insn_row(&sh->prog.insn[i].in);
        if (row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC) && !(row->flags & FLAG_LDS) == !lds)
            return true;
    }
    return false;
}

static void shrink_memory(struct shrinker *sh)
{
    for (u32 i = sh->best->window_count; i-- > 0;) {
        if (has_memory(sh, false)) {
            if (!take_window(sh, i))
                shrink_bytes(sh, (size_t)((u8 *)sh->best->window[i].bytes - (u8 *)sh->best),
                             sh->best->window[i].size);
        } else {
            take_window(sh, i);
        }
    }
    if (sh->best->lds_size == 0)
        return;
    shrink_begin(sh);
    sh->trial->lds_size = 0;
    if (!has_memory(sh, true) && shrink_try_state(sh))
        return;
    shrink_bytes(sh, (size_t)((u8 *)sh->best->lds - (u8 *)sh->best), sh->best->lds_size);
}

void shrink_state(struct shrinker *sh)
{
    shrink_waves(sh);
    drop_unread(sh);
    shrink_memory(sh);
    shrink_pieces(sh, count_sets, take_sets);
    for (u32 i = 0; i < sh->best->set_count && shrink_goes_on(sh); i++)
        simplify_value(sh, i);
}
