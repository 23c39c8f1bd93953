/* Recorded answers as results, a row each, for the reports. */
#ifndef HARNESS_VECTOR_RESULT_H
#define HARNESS_VECTOR_RESULT_H

#include "harness/vector/vector.h"
#include "oracle/errata/errata.h"
#include "reports/result.h"

/* Judges the answer of `dut` and fills r[0..v->row_count-1]. A row of weaker evidence than `gate`
 * never fails. */
void vector_results(const struct gcncheck_vector *v, const struct gcncheck_answer *a,
                    const char *dut, enum evidence gate, struct result *r);

#endif
