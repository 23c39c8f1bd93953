/* The list of a program without mutants. */
#include "harness/mutant/mutant.h"

const struct mutant_family mutant_families[] = { { NULL, NULL, NULL } };
