/* A ring that waits for memory, which the CPU may write meanwhile. */
#include "harness/vgpu/core/internal.h"

#include <unistd.h>

enum { LOCKUP_MS = 10000, PAUSE_US = 50 };

static bool holds(u32 function, u32 value, u32 reference)
{
    switch (function) {
    case 0: return true;
    case 1: return value < reference;
    case 2: return value <= reference;
    case 3: return value == reference;
    case 4: return value != reference;
    case 5: return value >= reference;
    case 6: return value > reference;
    default: return false;
    }
}

bool vgpu_poll(struct vgpu *v, const struct vgpu_job *job, u64 va, u32 function, u32 reference,
               u32 mask)
{
    const void *at = vgpu_vm_at(v, job, va, 4, false);
    u64 limit_ms = v->cfg.lockup_ms ? v->cfg.lockup_ms : LOCKUP_MS;
    u64 end = vgpu_now_ns() + limit_ms * 1000000;
    if (!at)
        return false;
    while (!holds(function, *(const volatile u32 *)at & mask, reference)) {
        if (vgpu_now_ns() > end) {
            vgpu_error(v, "what is waited for at 0x%llx has not come within %llu ms",
                       (unsigned long long)va, (unsigned long long)limit_ms);
            return false;
        }
        usleep(PAUSE_US);
    }
    return true;
}
