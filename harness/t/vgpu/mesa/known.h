/* Programs for graphics drivers of which it is known what must come of them: each makes of 1,024 words 1,024 others. What the function
 * of its name says is worked out in C; a shader and a kernel of the same name do it on a device. */
#ifndef KNOWN_H
#define KNOWN_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t u32;

enum { WORDS = 1024, SIDE = 32, UNTOUCHED = 0xdeadbeef, MANY = 40 };

/* `want` holds UNTOUCHED everywhere before, as the device's words do. */
typedef void known_fn(const u32 *in, u32 *want);
known_fn known_uniform, known_shared, known_reduce, known_atomic, known_counter, known_float,
    known_bits, known_divide, known_half, known_loop, known_private, known_volume, known_block,
    known_matmul, known_many, known_image, known_texture, known_wide, known_narrow, known_double,
    known_struct;

/* What `struct` gets by value. */
extern const struct known_pair {
    u32 x[3];
    uint64_t y;
} known_pair;

/* The words that all programs get. */
void known_input(u32 *words);

/* Whether they are equal; prints the first that is not. */
bool known_compare(const char *name, const u32 *got, const u32 *want);

/* Whether a program is among those that the command line names, which are all if it names none. */
bool known_wanted(char *const *names, const char *name);

#endif
