/* How a program that is to be started gets at libc: what a library that is loaded before it can
 * reach. */
#ifndef HARNESS_VGPU_LINKED_H
#define HARNESS_VGPU_LINKED_H

#include "oracle/base/base.h"

enum linked {
    LINKED_DYNAMIC, /* it loads libc when it starts */
    LINKED_STATIC,  /* it loads nothing */
    LINKED_BLIND,   /* it would, but leaves out what it is told to load before */
    LINKED_OTHER,   /* it is of another processor, or of none that is known */
    LINKED_NONE     /* there is no such program */
};

/* Looks at what execvp would start; for a script, at its interpreter. `why`: a few words about it,
 * with the name of the file that was looked at. */
enum linked linked_how(const char *program, struct text *why);

#endif
