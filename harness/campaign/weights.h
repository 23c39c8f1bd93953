/* A file of weights: what streams are made of more often. A line holds a mnemonic, an encoding or *
 * for all, with /FORM behind it for one form only, and a whole number from 0 to 1000000; a later line
 * counts more than those before. What no line names has the weight 1. # begins a comment. */
#ifndef HARNESS_CAMPAIGN_WEIGHTS_H
#define HARNESS_CAMPAIGN_WEIGHTS_H

#include "oracle/isa/isa.h"

enum { WEIGHT_MAX = 1000000 };

/* Reads the file into weight[op][form], of which what no line names stays as it is. ST_INPUT with
 * file and line. */
enum status weights_read(const struct isa *isa, const char *path, u32 weight[OPS_MAX][FORM_COUNT],
                         struct err *e);

#endif
