/* Where wrappers and programs lie. The code buffer holds wrappers, which stay, and behind them the
 * programs of a batch, all within reach of a branch; what is too long for it goes to a buffer of its
 * own, prologue, program and epilogue in a row. */
#include "harness/drm/internal.h"

#include "oracle/insn/insn.h"

enum {
    PGM_ALIGN_DW = 64, /* where a dispatch may begin: 256 bytes */
    REACH_DW = 0x7fff, /* of a branch */
    ENTRY_ALIGN_DW = 4,
    SHORT_DW = 16 /* a program up to this long, with its entry, has as much room */
};

static u32 align(u32 dw, u32 to)
{
    return (dw + to - 1) / to * to;
}

static u32 *code_at(struct drm_session *s, u32 buffer, u32 dw)
{
    return (u32 *)(void *)s->d.buffer[buffer].bytes + dw;
}

static u32 put(struct drm_session *s, u32 buffer, u32 at, const u32 *code, u32 dw)
{
    memcpy(code_at(s, buffer, at), code, dw * sizeof *code);
    return at + dw;
}

static bool mend(struct drm_session *s, u32 at, const u32 *code, u32 dw, struct err *why)
{
    const u32 *now = code_at(s, DRM_CODE, at);
    u32 i = 0;
    if (memcmp(now, code, dw * sizeof *code) == 0)
        return true;
    while (now[i] == code[i])
        i++;
    err_set(why, ST_WORLD, "code at 0x%llx was 0x%08x and has become 0x%08x",
            DRM_CODE_VA + (at + i) * 4ull, code[i], now[i]);
    put(s, DRM_CODE, at, code, dw);
    return false;
}

bool drm_code_mend(struct drm_session *s, struct err *why)
{
    bool is_sound = true;
    for (u32 i = 0; i < s->wrappers; i++) {
        const struct drm_placed *p = &s->wrapper[i];
        is_sound &= mend(s, p->prologue, p->w.prologue, p->w.prologue_dw, why);
        is_sound &= mend(s, p->epilogue, p->w.epilogue, p->w.epilogue_dw, why);
    }
    return is_sound;
}

void drm_code_forget(struct drm_session *s)
{
    for (u32 i = 0; i < s->wrappers; i++)
        drm_wrapper_free(&s->wrapper[i].w);
    s->wrappers = 0;
    s->wrapper_dw = 0;
}

/* ---- wrappers ---- */

static u32 wrapper_room(const struct drm_wrapper *w)
{
    return align(w->prologue_dw + w->epilogue_dw, PGM_ALIGN_DW);
}

/* Puts a wrapper into the code buffer, which takes it over; if there is no room, those that are
 * there go, unless the batch needs them (*is_full). */
static enum status place_wrapper(struct drm_session *s, struct drm_wrapper *w, bool *is_full,
                                 struct err *e)
{
    u32 room = wrapper_room(w);
    if (s->wrappers == DRM_WRAPPERS || s->wrapper_dw + room > DRM_WRAPPER_BYTES / 4) {
        *is_full = s->batch.count > 0;
        if (*is_full)
            return err_set(e, ST_INPUT, "the batch needs the other wrappers");
        drm_code_forget(s);
    }
    if (room > DRM_WRAPPER_BYTES / 4)
        return err_set(e, ST_INPUT, "the wrapper is too long");
    struct drm_placed *p = &s->wrapper[s->wrappers++];
    *p = (struct drm_placed){ .w = *w, .prologue = s->wrapper_dw };
    p->epilogue = put(s, DRM_CODE, p->prologue, w->prologue, w->prologue_dw);
    put(s, DRM_CODE, p->epilogue, w->epilogue, w->epilogue_dw);
    s->wrapper_dw += room;
    return ST_OK;
}

/* The wrapper for a layout, made if there is none yet. */
static enum status wrapper_for(struct drm_session *s, const struct drm_layout *l,
                               const struct drm_placed **out, bool *is_full, struct err *e)
{
    struct drm_plant plant = { .name = NULL };
    struct drm_wrapper w;
    for (u32 i = 0; i < s->wrappers; i++)
        if (s->wrapper[i].w.scalar[0] == l->scalar[0]) {
            *out = &s->wrapper[i];
            return ST_OK;
        }
    if (s->plant)
        plant = *s->plant;
    enum status st =
        drm_wrapper_make(&w, &s->isa, l->scalar, s->plant ? drm_plant_edit : NULL, &plant, e);
    if (st != ST_OK)
        return st;
    st = place_wrapper(s, &w, is_full, e);
    if (st != ST_OK)
        drm_wrapper_free(&w);
    else
        *out = &s->wrapper[s->wrappers - 1];
    return st;
}

/* ---- programs ---- */

/* Short programs, of which a batch has many, begin where others began before: their entries are the same, so
 * that what stands there stays, and need not be decoded again by who remembers it. */
static u32 around_dw(const struct drm_wrapper *w, u32 code_dw)
{
    u32 dw = w->entry_dw + code_dw;
    return dw <= SHORT_DW ? SHORT_DW : align(dw, ENTRY_ALIGN_DW);
}

/* In the buffer for long programs, of which a batch has one. */
static enum status place_long(struct drm_session *s, struct drm_unit *u, bool *is_full,
                              struct err *e)
{
    const struct drm_wrapper *w = &u->wrapper->w;
    u32 entry = align(w->prologue_dw, ENTRY_ALIGN_DW);
    u32 all = entry + u->code_dw + w->epilogue_dw + DRM_CODE_PAD_DW;
    if (u->code_dw > REACH_DW || all > DRM_LONG_BYTES / 4)
        return err_set(e, ST_INPUT, "the program is too long");
    *is_full = s->batch.count > 0;
    if (*is_full)
        return err_set(e, ST_INPUT, "a long program is submitted alone");
    u->pgm = DRM_LONG_VA;
    u->program = DRM_LONG_VA + entry * 4u;
    s->batch.is_closed = true;
    return ST_OK;
}

enum status drm_code_place(struct drm_session *s, struct drm_unit *u, bool *is_full, struct err *e)
{
    *is_full = false;
    enum status st = wrapper_for(s, &u->layout, &u->wrapper, is_full, e);
    if (st != ST_OK)
        return st;
    u32 at = DRM_WRAPPER_BYTES / 4 + s->batch.code_dw;
    u->code_dw = around_dw(&u->wrapper->w, u->job->code_dw);
    if (DRM_WRAPPER_BYTES / 4 + u->code_dw + DRM_CODE_PAD_DW > DRM_CODE_BYTES / 4)
        return place_long(s, u, is_full, e);
    *is_full = at + u->code_dw + DRM_CODE_PAD_DW > DRM_CODE_BYTES / 4;
    if (*is_full)
        return err_set(e, ST_INPUT, "no room for another program");
    u->pgm = DRM_CODE_VA + u->wrapper->prologue * 4u;
    u->program = DRM_CODE_VA + at * 4u;
    s->batch.code_dw += u->code_dw;
    return ST_OK;
}

void drm_code_write(struct drm_session *s, const struct drm_unit *u)
{
    const u32 nop = 0xbf800000;
    const struct drm_wrapper *w = &u->wrapper->w;
    bool is_long = u->pgm == DRM_LONG_VA;
    u32 buffer = is_long ? DRM_LONG : DRM_CODE;
    u32 at = (u32)(u->program - s->d.buffer[buffer].va) / 4, end = at + u->code_dw;
    u32 code = put(s, buffer, at, w->entry, w->entry_dw);
    u32 behind = put(s, buffer, code, u->job->code, u->job->code_dw);
    i32 epilogue = (i32)(is_long ? end : u->wrapper->epilogue) - (i32)code;
    if (!drm_wrapper_bend(&s->isa, code_at(s, buffer, code), u->job->code_dw, epilogue))
        BUG("a program that has been placed out of reach");
    if (is_long) {
        put(s, buffer, 0, w->prologue, w->prologue_dw);
        end = put(s, buffer, end, w->epilogue, w->epilogue_dw) + DRM_CODE_PAD_DW;
        behind = end - DRM_CODE_PAD_DW;
    }
    while (behind < end)
        *code_at(s, buffer, behind++) = nop;
}
