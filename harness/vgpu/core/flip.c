/* A bit of the device's memory that flips on demand. */
#include "harness/vgpu/core/internal.h"

void vgpu_flip(struct vgpu *v, const struct vgpu_job *job, bool is_behind)
{
    const struct vgpu_faults *f = &v->cfg.faults;
    bool is_now = f->flip_at && !v->has_flipped && f->is_flip_behind == is_behind &&
                  (!f->flip || f->flip == job->number);
    const struct vgpu_mapping *m = is_now ? vgpu_vm_find(job->file, f->flip_at) : NULL;
    unsigned long long va = f->flip_at, number = job->number;
    if (is_now && f->flip && (!m || !m->bo))
        vgpu_error(v, "no bit flips: submission %llu has no memory at 0x%llx", number, va);
    if (!m || !m->bo)
        return;
    u8 *byte = vgpu_bo_bytes(v, m->bo) + m->offset + (vgpu_vm_canonical(va) - m->va);
    u8 old = *byte;
    *byte ^= (u8)(1u << f->flip_bit);
    v->has_flipped = true;
    vgpu_log(v, "bit %u of 0x%llx flips on demand, %s submission %llu: 0x%02x becomes 0x%02x",
             f->flip_bit, va, is_behind ? "behind" : "before", number, old, *byte);
}
