/* A ring that waits for memory, which the CPU may write meanwhile. */
#include "harness/vgpu/core/internal.h"

#include <unistd.h>

enum { LOCKUP_MS = 10000, PAUSE_US = 50 };

bool vgpu_poll_is_met(const void *at, u32 function, u32 reference, u32 mask)
{
    u32 value = __atomic_load_n((const u32 *)at, __ATOMIC_ACQUIRE) & mask;
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
    while (!vgpu_poll_is_met(at, function, reference, mask)) {
        if (vgpu_now_ns() > end) {
            vgpu_error(v, "what is waited for at 0x%llx has not come within %llu ms",
                       (unsigned long long)va, (unsigned long long)limit_ms);
            return false;
        }
        usleep(PAUSE_US);
    }
    return true;
}
