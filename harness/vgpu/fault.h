/* Faults that a virtual GPU has on demand, once each: `gcncheck vgpu --fault`. */
#ifndef HARNESS_VGPU_FAULT_H
#define HARNESS_VGPU_FAULT_H

#include "oracle/base/base.h"

/* Counted from 1; 0: never. */
struct vgpu_faults {
    u64 hang;  /* this submission hangs its ring */
    u64 lose;  /* with this submission the device is gone: ioctls answer ENODEV */
    u64 ioctl; /* this ioctl answers the error */
    int error; /* an errno */
};

/* Reads "hang=N", "lose=N" or "ioctl=N:ERRNO" (a name or a number), several with commas between
 * them. ST_INPUT with what it cannot read. */
enum status vgpu_fault_parse(const char *text, struct vgpu_faults *f, struct err *e);

#endif
