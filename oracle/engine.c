/* Engines: which compiled version of the rows executes. */
#include "oracle/exec.h"

/* One table per family and version; sem_*.c define them. */
#define TABLES(version)                                \
    extern sem_fn *const sem_sop_##version[OP_COUNT];  \
    extern sem_fn *const sem_vop_##version[OP_COUNT];  \
    extern sem_fn *const sem_smem_##version[OP_COUNT]; \
    extern sem_fn *const sem_mem_##version[OP_COUNT];  \
    extern sem_fn *const sem_buf_##version[OP_COUNT];  \
    extern sem_fn *const sem_img_##version[OP_COUNT];  \
    extern sem_fn *const sem_sample_##version[OP_COUNT];
TABLES(base)
#ifdef HAVE_V3
TABLES(v3)
extern sem_fn *const host_vop[OP_COUNT]; /* oracle/host/host_vop.c */
#endif

static void overlay(struct engine *eng, sem_fn *const *table)
{
    for (u32 op = 0; op < OP_COUNT; op++)
        if (table[op])
            eng->sem[op] = table[op];
}

#ifdef HAVE_V3
static bool cpu_is_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}
#endif

enum status engine_open(struct engine *eng, const char *name, struct err *e)
{
    bool host = strcmp(name, "host") == 0;
    if (!host && strcmp(name, "ref") != 0)
        return err_set(e, ST_INPUT, "unknown engine '%.40s'; known: ref host", name);
    *eng = (struct engine){ .name = host ? "host" : "ref",
                            .operand = &operand_ops_base,
                            .exec = &exec_ops };
    overlay(eng, sem_sop_base);
    overlay(eng, sem_vop_base);
    overlay(eng, sem_smem_base);
    overlay(eng, sem_mem_base);
    overlay(eng, sem_buf_base);
    overlay(eng, sem_img_base);
    overlay(eng, sem_sample_base);
#ifdef HAVE_V3
    if (cpu_is_v3()) {
        overlay(eng, sem_sop_v3);
        overlay(eng, sem_vop_v3);
        overlay(eng, sem_smem_v3);
        overlay(eng, sem_mem_v3);
        overlay(eng, sem_buf_v3);
        overlay(eng, sem_img_v3);
        overlay(eng, sem_sample_v3);
        eng->operand = &operand_ops_v3;
        if (host)
            overlay(eng, host_vop);
    }
#endif
    return ST_OK;
}
