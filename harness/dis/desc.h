/* Kernel descriptors as text, every field of the guide's tables for GFX6 to GFX11, whatever its
 * value. Called by `gcncheck dis --descriptor`; unlike codeobj_desc_decode it refuses nothing. */
#ifndef HARNESS_DIS_DESC_H
#define HARNESS_DIS_DESC_H

#include "harness/codeobj/target.h"

#include <stdio.h>

/* Prints the descriptor of each kernel of an ELF file of `size` bytes that was made for *t: of the
 * 64-byte objects NAME.kd, or in version 2 of the amd_kernel_code_t at the start of each kernel.
 * *count: kernels. ST_INPUT with the reason in e->text. */
enum status dis_descriptors(FILE *out, const u8 *bytes, size_t size, const struct codeobj_target *t,
                            const char *symbol, u64 *count, struct err *e);

/* Prints the 64 bytes of one descriptor, a field per line. */
void dis_descriptor(FILE *out, const u8 bytes[64], enum codeobj_family gen);

#endif
