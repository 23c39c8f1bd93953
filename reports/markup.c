#include "reports/markup.h"

#include "reports/result.h"

void markup_text(FILE *out, const char *text)
{
    char clean[4096];
    snprintf(clean, sizeof(clean), "%s", text);
    result_clean(clean, true);
    for (const char *c = clean; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default:
            /* U+FFFE and U+FFFF are UTF-8 but no XML. */
            if (strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0) {
                fputc('?', out);
                c += 2;
            } else {
                fputc(*c, out);
            }
        }
    }
}
