/* What stands beside this program, wherever it is called from. */
#ifndef HARNESS_IO_BESIDE_H
#define HARNESS_IO_BESIDE_H

#include "oracle/base/base.h"

/* The path of `name`, which is told from the folder of this program ("model_dut.so", "../share"), into path. Whether there is
 * such a file is not looked at. False: the path does not fit, or the system does not say where the program is. */
bool beside_path(const char *name, char *path, size_t size);

#endif
