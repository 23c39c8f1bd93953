/* What stands between gcncheck and a card: device, driver, permission, firmware, kernel. For
 * `gcncheck doctor`. */
#ifndef HARNESS_CMD_ASK_DOCTOR_CARD_H
#define HARNESS_CMD_ASK_DOCTOR_CARD_H

#include "oracle/base/base.h"

typedef void doctor_line_fn(bool have, const char *what, const char *detail);

/* One line for each thing that is there, or is missing with what brings it. Paths are looked up
 * below GCNCHECK_ROOT if that is set, for tests. */
void doctor_card(doctor_line_fn *line);

#endif
