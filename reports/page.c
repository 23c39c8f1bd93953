#include "reports/page.h"

bool page_open(struct report *r)
{
    r->state = summary_new();
    return r->state != NULL;
}

bool page_result(struct report *r, const struct result *result)
{
    return summary_add(r->state, result);
}

bool page_record(struct report *r, const struct journal_record *rec)
{
    if (rec->kind == JOURNAL_HEAD)
        summary_add_head(r->state, &rec->head);
    else if (rec->kind == JOURNAL_DUT)
        summary_add_dut(r->state, &rec->dut);
    else if (rec->kind == JOURNAL_TIME)
        summary_add_time(r->state, &rec->time);
    return rec->kind != JOURNAL_ROW || summary_add_row(r->state, &rec->row);
}

void page_journal(struct report *r, const struct journal_reader *rd)
{
    struct summary *s = r->state;
    s->lost += rd->lost;
    s->torn_bytes += rd->torn_bytes;
    s->damages += rd->damages;
    s->unfinished += (u32)journal_unfinished(rd);
}

bool page_has_contents(const struct report *r, const struct report_end *end)
{
    const struct summary *s = r->state;
    return !end->refused && (!end->broken || s->heads || s->total || s->tables);
}
