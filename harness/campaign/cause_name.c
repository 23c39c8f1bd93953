/* What causes are called: in reports, and as the folders of their findings. A name says what is the
 * cause and nothing of the stream that showed it, so that it is the same for other seeds. */
#include "harness/campaign/internal.h"

#include <ctype.h>
#include <stdio.h>

static const char *const link_names[LINK_COUNT] = {
    [LINK_VCC] = "VCC",       [LINK_SCC] = "SCC",           [LINK_M0] = "M0",
    [LINK_LDS] = "LDS",       [LINK_EXEC] = "EXEC",         [LINK_MODE] = "MODE",
    [LINK_MEMORY] = "memory", [LINK_REGISTER] = "register",
};

void campaign_cause_add_link(const struct campaign_cause *c, struct text *t)
{
    if (c->link == LINK_FORM)
        text_add(t, "after %s", isa_form_names[c->link_value]);
    else if (c->link == LINK_ENCODING)
        text_add(t, "after %s", isa_encs[c->link_value].name);
    else
        text_add(t, "through %s%s", c->link == LINK_REGISTER ? "a " : "", link_names[c->link]);
}

/* "vgpr", "crash", ... */
static const char *what_of(const struct campaign_cause *c)
{
    struct judgement j = { .verdict = JUDGED_WRONG, .what = c->what, .outcome = c->outcome };
    return finding_what(&j);
}

static const char *form_of(const struct isa *isa, const struct campaign_cause *c)
{
    return isa_form_name((enum gen)isa->target->gen, &isa_rows[c->op], (enum isa_form)c->form);
}

/* The devices that differ, by their numbers, where there are several. */
static void add_voters(const struct campaign_cause *c, const char *head, const char *sep,
                       struct text *t)
{
    if (c->voters)
        text_add(t, "%s", head);
    for (u32 i = 0; i < VOTE_DUTS_MAX; i++)
        if (c->voters >> i & 1)
            text_add(t, "%s%u", sep, i + 1);
}

const char *campaign_cause_name(const struct isa *isa, const struct campaign_cause *c, char *buf,
                                size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    if (c->tier == TIER_PREFIX) {
        text_add(&t, "interaction ");
        campaign_cause_add_link(c, &t);
        text_add(&t, " ending in %s: %s", isa_encs[isa_rows[c->op].enc].name, what_of(c));
    } else if (c->tier == TIER_END) {
        text_add(&t, "a whole program: %s", what_of(c));
    } else {
        text_add(&t, "%s %s: %s", isa_rows[c->op].name, form_of(isa, c), what_of(c));
    }
    add_voters(c, c->voters & (c->voters - 1) ? ", DUTs" : ", DUT", " ", &t);
    return buf;
}

void campaign_cause_id(const struct isa *isa, const struct campaign_cause *c, u32 nth, char *buf,
                       size_t size)
{
    char link[48];
    struct text t;
    text_init(&t, link, sizeof link);
    campaign_cause_add_link(c, &t);
    text_init(&t, buf, size);
    if (c->tier == TIER_PREFIX)
        text_add(&t, "interaction-%s-%s-%s", strrchr(link, ' ') + 1,
                 isa_encs[isa_rows[c->op].enc].name, what_of(c));
    else if (c->tier == TIER_END)
        text_add(&t, "unexplained-program-%s", what_of(c));
    else
        text_add(&t, "%s-%s-%s", isa_rows[c->op].name, form_of(isa, c), what_of(c));
    add_voters(c, "-dut", "-", &t);
    if (nth > 1)
        text_add(&t, "-%u", nth);
    for (char *at = buf; *at; at++)
        *at = (char)tolower((unsigned char)*at);
}
