/* What a kernel asks to find in its first SGPRs, one description for all that start kernels: the
 * bits of kernel_code_properties, in the order of the registers. LLVM's AMDGPU guide, "Kernel
 * Descriptor" and the table "SGPR Register Set Up Order". */
#ifndef HARNESS_CODEOBJ_USER_DATA_H
#define HARNESS_CODEOBJ_USER_DATA_H

#include "oracle/base/base.h"

enum {
    USER_PRIVATE_SEGMENT_BUFFER,
    USER_DISPATCH_PTR,
    USER_QUEUE_PTR,
    USER_KERNARG_SEGMENT_PTR,
    USER_DISPATCH_ID,
    USER_FLAT_SCRATCH_INIT,
    USER_PRIVATE_SEGMENT_SIZE,
    USER_GRID_WORKGROUP_COUNT_X, /* these three in amd_kernel_code_t alone */
    USER_GRID_WORKGROUP_COUNT_Y,
    USER_GRID_WORKGROUP_COUNT_Z,
    USER_KINDS,
    USER_DWORDS_MAX = 4, /* of one kind */
    USER_SGPRS = 16      /* that a kernel can have */
};

/* SGPRs that what `asked` for (a bit for each kind) takes of the kinds before `end`; they may be
 * more than USER_SGPRS. */
u32 user_data_count(u32 asked, u32 end);

/* Writes what was asked for into the registers, and returns how many are asked for, of which
 * those beyond USER_SGPRS are not written. The others are left as they are. */
u32 user_data_fill(u32 asked, u32 value[USER_KINDS][USER_DWORDS_MAX], u32 sgpr[USER_SGPRS]);

#endif
