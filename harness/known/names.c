/* Names and what is counted under them. */
#include "harness/known/internal.h"

#include "oracle/base/array.h"
#include "oracle/base/hash.h"

#include <stdio.h>
#include <stdlib.h>

void known_free_names(struct known_names *n)
{
    free(n->at);
    free(n->slots);
    *n = (struct known_names){ 0 };
}

static bool grow(struct known_names *n)
{
    if (n->count < n->cap)
        return true;
    struct known_name *at = array_grow(n->at, &n->cap, n->count + 1ull, sizeof *at);
    if (!at)
        return false;
    n->at = at;
    free(n->slots);
    n->slots = calloc(2ull * n->cap, sizeof *n->slots);
    for (u32 i = 0; n->slots && i < n->count; i++) {
        u32 slot = (u32)n->at[i].hash & (2 * n->cap - 1);
        while (n->slots[slot])
            slot = (slot + 1) & (2 * n->cap - 1);
        n->slots[slot] = i + 1;
    }
    return n->slots != NULL;
}

/* Where the name stands in n->slots, or the free place for it. There are slots. */
static u32 slot_of(const struct known_names *n, const char *name, u64 hash)
{
    u32 mask = 2 * n->cap - 1, slot = (u32)hash & mask;
    for (; n->slots[slot]; slot = (slot + 1) & mask) {
        const struct known_name *found = &n->at[n->slots[slot] - 1];
        if (found->hash == hash && strcmp(found->name, name) == 0)
            break;
    }
    return slot;
}

static u64 hash_of(const char *name)
{
    return hash_mix(hash_text(name), 0);
}

const struct known_name *known_has_name(const struct known_names *n, const char *name)
{
    u32 found = n->slots ? n->slots[slot_of(n, name, hash_of(name))] : 0;
    return found ? &n->at[found - 1] : NULL;
}

struct known_name *known_add_name(struct known_names *n, const char *name)
{
    u64 hash = hash_of(name);
    if (!grow(n) || !n->slots)
        return NULL;
    u32 slot = slot_of(n, name, hash);
    if (n->slots[slot])
        return &n->at[n->slots[slot] - 1];
    struct known_name *made = &n->at[n->count++];
    *made = (struct known_name){ .hash = hash };
    snprintf(made->name, sizeof made->name, "%s", name);
    n->slots[slot] = n->count;
    return made;
}
