/* Other bytes than zeroes where nobody has set any. */
#include "harness/launch/internal.h"

enum { POISON_BYTE = 0xa5 };

/* Differs from register to register. */
static u32 poison_word(u32 place)
{
    return (u32)hash_mix(POISON_BYTE, place) | 1u << 31;
}

void poison_group(struct group_runner *g)
{
    struct machine *m = g->m;
    u32 vgprs = m->allocated.vgprs ? m->allocated.vgprs : VGPRS;
    memset(m->lds->bytes, POISON_BYTE, m->lds->size);
    memset(g->scratch, POISON_BYTE, g->d->scratch_size);
    for (u32 i = 0; i < m->waves; i++) {
        struct wave *w = m->wave[i];
        for (u32 r = 0; r <= CODE_SGPR_LAST; r++)
            w->sgpr[r] = poison_word(r);
        for (u32 r = 0; r < 2; r++)
            w->sgpr[CODE_VCC + r] = poison_word(CODE_VCC + r);
        w->sgpr[CODE_M0] = poison_word(CODE_M0);
        w->scc = 1;
        for (u32 r = 0; r < vgprs; r++) {
            u32 word = poison_word(PLACE_V0 + r);
            for (u32 lane = 0; lane < LANES; lane++)
                w->vgpr[r][lane] = word;
        }
    }
}

void poison_buffers(struct launch *l)
{
    for (u32 i = 0; i < l->arg_count; i++)
        if (l->args[i].kind == LARG_TMP)
            memset(l->args[i].bytes, POISON_BYTE, l->args[i].size);
}
