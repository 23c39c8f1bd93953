/* What gcncheck fuzz makes of the causes that --known lists. */
#include "harness/cmd/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdio.h>

bool fuzz_is_known(void *arg, const struct campaign_cause *c)
{
    const struct fuzz *z = arg;
    char name[128];
    return z->known &&
           known_reason(z->known, campaign_cause_name(&z->isa, c, name, sizeof name)) != NULL;
}

void fuzz_take_known(struct fuzz *z, const struct campaign_result *r)
{
    char name[128], first[160];
    for (u32 i = 0; z->known && i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        if (c->below)
            continue;
        snprintf(first, sizeof first, "stream %" PRIu64 " of seed %" PRIu64, c->first, z->o->seed);
        if (!known_take_cause(z->known, campaign_cause_name(&z->isa, c, name, sizeof name), first,
                              c->count))
            continue;
        z->known_causes++;
        z->known_streams += c->count;
    }
    for (u32 op = 1; z->known && op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (r->supported[op] >> form & 1 && r->covered[op] >> form & 1)
                known_judged(z->known, isa_rows[op].name,
                             isa_form_name((enum gen)z->isa.target->gen, &isa_rows[op],
                                           (enum isa_form)form));
}
