/* Texts from anywhere in HTML and XML. */
#ifndef REPORTS_MARKUP_H
#define REPORTS_MARKUP_H

#include <stdio.h>

/* Prints a text so that HTML and XML, in contents or between quotes, show it as it is; characters
 * that XML 1.0 does not allow become '?'. */
void markup_text(FILE *out, const char *text);

#endif
