/* Results as text, for reading while they come. */
#include "reports/format.h"

/* One line per result, and one per difference. */
static bool put_result(struct report *out, const struct result *r)
{
    char buf[512];
    const char *why = r->status == RESULT_KNOWN ? r->known : r->reason;
    fprintf(out->out, "%-7s %s%s%s\n", result_status_name(r->status),
            result_name(r, buf, sizeof buf), why[0] ? ": " : "", why);
    if (r->status != RESULT_NOT_OK && r->status != RESULT_TODO)
        return true;
    if (r->detail[0])
        fprintf(out->out, "        %s\n", r->detail);
    if (r->inputs[0])
        fprintf(out->out, "        in: %s\n", r->inputs);
    for (u32 i = 0; i < result_diffs_held(r); i++) {
        const struct result_diff *d = &r->diff[i];
        fprintf(out->out, "        %s: want %s, got %s%s%s\n", result_place(d, buf, sizeof buf),
                d->want, d->got, d->note[0] ? ", " : "", d->note);
    }
    if (r->ledger[0])
        fprintf(out->out, "        ledger: %s\n", r->ledger);
    fprintf(out->out, "        again: %s\n", r->again);
    return true;
}

const struct report_writer report_lines = { .result = put_result };
