/* Arrays that grow. */
#ifndef ORACLE_BASE_ARRAY_H
#define ORACLE_BASE_ARRAY_H

#include "oracle/base/base.h"

/* Makes room for `need` elements of `size` bytes in an array from malloc (NULL: none yet) that has
 * room for *cap. Returns the array, which may have moved, and raises *cap at least to the double,
 * so that growing one by one takes linear time and *cap is a power of two; new elements have no
 * value. NULL if memory is short or the size overflows: the array and *cap are then as before.
 * need > 0. */
void *array_grow(void *array, u32 *cap, u64 need, size_t size);

#endif
