#include "harness/io/color.h"

#include <stdlib.h>
#include <unistd.h>

bool color_use(enum color_when when, int fd)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    if (when != COLOR_AUTO)
        return when == COLOR_ALWAYS;
    return isatty(fd) && !(none && none[0]) && term && strcmp(term, "dumb") != 0;
}
