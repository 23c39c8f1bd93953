/* Engines: which compiled version of the rows executes. */
#include "oracle/exec/exec.h"

/* One table per family and version; sem_*.c define them. */
#define FAMILY(name) extern sem_fn *const sem_##name##_base[OP_COUNT];
#include "oracle/isa/family.def"
#undef FAMILY
#ifdef HAVE_V3
#define FAMILY(name) extern sem_fn *const sem_##name##_v3[OP_COUNT];
#include "oracle/isa/family.def"
#undef FAMILY
extern sem_fn *const host_vop[OP_COUNT]; /* oracle/sem/host/vop.c */
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
#define FAMILY(name) overlay(eng, sem_##name##_base);
#include "oracle/isa/family.def"
#undef FAMILY
#ifdef HAVE_V3
    if (cpu_is_v3()) {
#define FAMILY(name) overlay(eng, sem_##name##_v3);
#include "oracle/isa/family.def"
#undef FAMILY
        eng->operand = &operand_ops_v3;
        if (host)
            overlay(eng, host_vop);
    }
#endif
    return ST_OK;
}
