/* Faults that a virtual GPU has on demand, once each but for slow: `gcncheck vgpu --fault`. */
#ifndef HARNESS_VGPU_FAULT_H
#define HARNESS_VGPU_FAULT_H

#include "oracle/base/base.h"

/* Submissions (dispatches of user-mode queues are some, too) and ioctls are counted from 1; 0: never. */
struct vgpu_faults {
    u64 hang;  /* this submission hangs its ring */
    u64 lose;  /* with this submission the device is gone: ioctls answer ENODEV */
    u64 ioctl; /* this ioctl answers the error */
    int error; /* an errno */
    /* A bit of memory becomes another. */
    u64 flip_at; /* address of its byte in the submission's address space; 0: none does */
    u64 flip;    /* before this submission is executed; 0: the first that has memory there */
    bool is_flip_behind; /* or when it is done */
    u8 flip_bit;
    u32 slow_ms; /* from a submission to its execution */
};

enum { VGPU_SLOW_MS = 100 }; /* where nobody says how slow */

/* Reads "hang=N", "lose=N", "ioctl=N:ERRNO" (a name or a number), "flip=ADDR:BIT", with ":N" or ":N+"
 * (behind it) at its end, "slow" or "slow=MS"; several with commas between them. ST_INPUT with what it
 * cannot read. */
enum status vgpu_fault_parse(const char *text, struct vgpu_faults *f, struct err *e);

#endif
