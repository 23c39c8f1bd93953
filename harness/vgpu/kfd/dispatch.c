/* A kernel that a packet names: what its descriptor, the packet and the queue's record say becomes
 * what the registers of the compute pipe hold. LLVM's AMDGPU guide, "Initial Kernel Execution State". */
#include "harness/codeobj/user_data.h"
#include "harness/vgpu/kfd/internal.h"

#include <inttypes.h>

enum { LDS_GRANULE = 512, ENTRY_BYTES = 256 };

static u32 load32(const u8 *at)
{
    u32 v;
    memcpy(&v, at, sizeof v);
    return v;
}

static u64 load64(const u8 *at)
{
    return load32(at) | (u64)load32(at + 4) << 32;
}

/* Returns how many SGPRs the kernel asks for. */
static u32 fill_user(u32 sgpr[USER_SGPRS], u32 asked, const u8 *record, const struct kfd_queue *q,
                     u64 at, const struct aql_packet *p)
{
    u32 user[USER_KINDS][USER_DWORDS_MAX] = { { 0 } };
    for (u32 i = 0; i < 4; i++)
        user[USER_PRIVATE_SEGMENT_BUFFER][i] = load32(record + AQL_QUEUE_SCRATCH_BUFFER + 4 * i);
    pair_set(user[USER_DISPATCH_PTR], at);
    pair_set(user[USER_QUEUE_PTR], q->record);
    pair_set(user[USER_KERNARG_SEGMENT_PTR], p->kernarg);
    pair_set(user[USER_DISPATCH_ID], q->next);
    pair_set(user[USER_FLAT_SCRATCH_INIT], load64(record + AQL_QUEUE_SCRATCH_BASE));
    user[USER_PRIVATE_SEGMENT_SIZE][0] = p->private_bytes;
    for (u32 i = 0; i < 3; i++)
        user[USER_GRID_WORKGROUP_COUNT_X + i][0] = (p->grid[i] + p->group[i] - 1) / p->group[i];
    return user_data_fill(asked, user, sgpr);
}

static void set(struct vgpu_sh *sh, u32 reg, u32 value)
{
    sh->reg[reg - SH_FIRST] = value;
    sh->is_set[reg - SH_FIRST] = true;
}

static u32 error_of(const struct vgpu_job *job)
{
    switch (job->fate) {
    case FATE_DONE: return 0;
    case FATE_REFUSED: return AQL_ERROR_CODE;
    case FATE_VGPRS: return AQL_ERROR_VGPRS;
    case FATE_ILLEGAL: return AQL_ERROR_INSTRUCTION;
    case FATE_TRAP: return AQL_ERROR_TRAP;
    default: return KFD_FAULT;
    }
}

/* A kernel that never ends, or is said to: the card is reset, and nothing of the process is left on
 * it. */
static u32 hang(struct kfd *k, const struct kfd_queue *q, const char *why)
{
    struct vgpu *v = k->v;
    v->stats.hangs++;
    v->resets++;
    v->icache.is_valid = false;
    vgpu_error(v, "queue %u hung at packet %" PRIu64 ": %s; the device has been reset", q->id,
               q->next, why);
    kfd_tell_reset(k);
    return 0;
}

static u32 lose(struct kfd *k)
{
    k->v->is_lost = true;
    vgpu_error(k->v, "the device is gone");
    kfd_tell_reset(k);
    return 0;
}

/* A device that is slow on demand: others may call in meanwhile. */
static void linger(struct vgpu *v, const struct kfd_queue *q)
{
    u64 end = vgpu_now_ns() + v->cfg.faults.slow_ms * 1000000ull;
    if (!v->cfg.faults.slow_ms || !v->cfg.wait)
        return;
    v->is_busy = true;
    while (q->is_there && !v->is_lost && vgpu_now_ns() < end)
        v->cfg.wait(v->cfg.wait_ctx, end);
    v->is_busy = false;
    if (v->cfg.wake)
        v->cfg.wake(v->cfg.wait_ctx);
}

static u32 run(struct kfd *k, struct kfd_queue *q, const struct vgpu_sh *sh,
               const struct aql_packet *p, u64 *va)
{
    struct vgpu_job job = kfd_job(k);
    struct err why = { .text = "" };
    u32 initiator = PM4_COMPUTE_SHADER_EN | PM4_FORCE_START_AT_000 | PM4_USE_THREAD_DIMENSIONS;
    job.is_wanted = &q->is_there;
    job.number = k->v->stats.submissions;
    k->v->stats.dispatches++;
    k->running = q;
    linger(k->v, q);
    if (q->is_there)
        vgpu_flip(k->v, &job, false);
    bool is_ok = !q->is_there || vgpu_dispatch(k->v, &job, sh, p->grid, initiator, &why);
    k->running = NULL;
    if (q->is_there)
        vgpu_flip(k->v, &job, true);
    if (is_ok || !q->is_there)
        return 0;
    *va = job.fault_addr;
    if (job.fate == FATE_HANG || job.fate == FATE_DONE)
        return hang(k, q, why.text);
    vgpu_error(k->v, "queue %u, packet %" PRIu64 ": %s", q->id, q->next, why.text);
    return error_of(&job);
}

u32 kfd_dispatch(struct kfd *k, struct kfd_queue *q, u64 at, const struct aql_packet *p, u64 *va)
{
    const u8 *record = kfd_at(k, q->record, AQL_QUEUE_RECORD, false);
    const u8 *kd = kfd_at(k, p->kernel, AQL_KERNEL_BYTES, false);
    struct vgpu_sh sh = { .reg = { 0 } };
    u32 user[USER_SGPRS] = { 0 };
    *va = record ? p->kernel : q->record;
    if (!kd || !record)
        return KFD_FAULT;
    u64 entry = p->kernel + load64(kd + AQL_KERNEL_ENTRY);
    u32 rsrc2 = load32(kd + AQL_KERNEL_RSRC2), tmpring = load32(record + AQL_QUEUE_TMPRING);
    if (entry % ENTRY_BYTES)
        return AQL_ERROR_CODE;
    if (p->group_bytes > LDS_MAX)
        return AQL_ERROR_GROUP_MEMORY;
    if ((u64)p->private_bytes * LANES > bits32(tmpring, 12, 13) * 1024ull)
        return AQL_ERROR_SCRATCH;
    u32 asked = fill_user(user, load32(kd + AQL_KERNEL_PROPERTIES), record, q, at, p);
    if (asked > USER_SGPRS || asked > bits32(rsrc2, 1, 5)) {
        vgpu_error(k->v, "kernel 0x%" PRIx64 " asks for more user SGPRs than it has", p->kernel);
        return AQL_ERROR_CODE;
    }
    u64 number = ++k->v->stats.submissions;
    if (number == k->v->cfg.faults.lose)
        return lose(k);
    if (number == k->v->cfg.faults.hang)
        return hang(k, q, "on demand");
    for (u32 i = 0; i < 3; i++)
        set(&sh, SH_NUM_THREAD_X + i, p->group[i]);
    set(&sh, SH_PGM_LO, (u32)(entry >> 8));
    set(&sh, SH_PGM_HI, (u32)(entry >> 40) & 0xff);
    set(&sh, SH_PGM_RSRC1, load32(kd + AQL_KERNEL_RSRC1));
    set(&sh, SH_PGM_RSRC2, rsrc2 | (p->group_bytes + LDS_GRANULE - 1) / LDS_GRANULE << 15);
    set(&sh, SH_TMPRING_SIZE, tmpring);
    for (u32 i = 0; i < USER_SGPRS; i++)
        set(&sh, SH_USER_DATA_0 + i, user[i]);
    return run(k, q, &sh, p, va);
}
