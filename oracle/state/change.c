#include "oracle/state/change.h"

#include "oracle/state/place.h"

#include <inttypes.h>

/* A range of lanes with the same value, or one. */
static void print_lanes(struct text *t, u32 first, u32 last, u32 value)
{
    if (first == last)
        text_add(t, "[%u]=0x%x", first, value);
    else
        text_add(t, "[%u-%u]=0x%x", first, last, value);
}

void change_print_vector(struct text *t, u32 reg, const u32 *v, u64 which)
{
    char name[PLACE_NAME_MAX];
    text_add(t, " %s", place_name(PLACE_GEN, PLACE_V0 + reg, name));
    for (u32 lane = 0; lane < LANES;) {
        u32 last = lane;
        if (!(which >> lane & 1)) {
            lane++;
            continue;
        }
        while (last + 1 < LANES && which >> (last + 1) & 1 && v[last + 1] == v[lane])
            last++;
        print_lanes(t, lane, last, v[lane]);
        lane = last + 1;
    }
}

static void print_bytes(struct text *t, const struct wlog_entry *entry, const char *what,
                        const u8 *bytes)
{
    text_add(t, " %s[0x%" PRIx64 "]=0x", what, entry->addr);
    for (u32 i = entry->size; i-- > 0;)
        text_add(t, "%02x", bytes[i]);
}

/* One entry of the log; nothing if the place has its old value. */
static void print_entry(struct text *t, struct wave *w, const struct wlog_entry *entry)
{
    const u32 *old = &w->log->data[entry->at];
    enum gen gen = (enum gen)w->isa->target->gen;
    char name[PLACE_NAME_MAX];
    if (entry->place == PLACE_MEM || entry->place == PLACE_LDS) {
        const u8 *now = entry->place == PLACE_LDS ? &w->lds->bytes[entry->addr]
                                                  : mem_at(w->mem, entry->addr, entry->size, false);
        if (now && memcmp(now, old, entry->size) != 0)
            print_bytes(t, entry, entry->place == PLACE_LDS ? "lds" : "mem", now);
    } else if (entry->place >= CODE_VGPR && entry->place < CODE_VGPR + VGPR_ROWS) {
        const u32 *now = w->vgpr[entry->place - CODE_VGPR];
        u64 which = 0;
        for (u32 lane = 0; lane < LANES; lane++)
            which |= (u64)(now[lane] != old[lane]) << lane;
        if (which)
            change_print_vector(t, entry->place - CODE_VGPR, now, which);
    } else {
        for (u32 i = 0; i < entry->size; i++) {
            u32 value = wave_get(w, entry->place + i, 0);
            if (value != old[i])
                text_add(t, " %s=0x%x", place_name(gen, entry->place + i, name), value);
        }
    }
}

static bool is_first(const struct wlog *log, u32 index)
{
    for (u32 i = 0; i < index; i++)
        if (log->entry[i].place == log->entry[index].place &&
            log->entry[i].addr == log->entry[index].addr)
            return false;
    return true;
}

void change_print(struct text *t, struct wave *w)
{
    for (u32 i = 0; i < w->log->count; i++)
        if (is_first(w->log, i))
            print_entry(t, w, &w->log->entry[i]);
    if (w->log->full)
        text_add(t, " ...");
}
