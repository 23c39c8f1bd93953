/* Which code object of a file a launch takes: a file may be one code object, a bundle, or a program
 * or library with bundles for several processors and of several sources. Called by `gcncheck
 * launch`. */
#ifndef HARNESS_BUNDLE_PICK_H
#define HARNESS_BUNDLE_PICK_H

#include "harness/codeobj/codeobj.h"

/* Opens the code object of `path` ("-": standard input) that holds all of kernel[0..count-1], or if there is
 * none the first; loads it for GPU address `base` (as codeobj_open does) and finds the first. `mcpu` is a
 * processor or a target id ("gfx906:xnack-"), NULL: that of the file, which then must be for one only. A target
 * id that leaves a feature open fits code with any setting of it, and the other way round. A kernel is the
 * symbol's name, or the name of the source where that of one kernel only is meant: "ns::vadd" for
 * _ZN2ns4vaddEPf. On success the caller closes *co; on failure nothing is left to close. */
enum status pick_kernels(struct codeobj *co, const char *path, const char *mcpu,
                         const char *const *kernel, u32 count, u64 base, struct codeobj_kernel *out,
                         struct err *e);

/* Finds one in a code object that is open. */
enum status pick_kernel_in(const struct codeobj *co, const char *kernel, struct codeobj_kernel *out,
                           struct err *e);

/* Whether `mangled` (Itanium C++ ABI) is a function whose qualified name, without parameters and
 * template arguments, is `plain`. Members of class templates are not known. */
bool pick_is_mangled(const char *mangled, const char *plain);

#endif
