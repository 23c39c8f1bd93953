/* Whether output is coloured. */
#ifndef HARNESS_IO_COLOR_H
#define HARNESS_IO_COLOR_H

#include "oracle/base/base.h"

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Whether to colour what goes to this file descriptor: `when`, then NO_COLOR, TERM=dumb and whether
 * it is a terminal. */
bool color_use(enum color_when when, int fd);

#endif
