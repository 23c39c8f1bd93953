/* Engines: which compiled version of the rows executes. */
#include "oracle/exec/exec.h"
#include "oracle/isa/op.h"

/* What the rows became, oracle/sem: a pointer for each row and version. */
#define OP(op, shape, numbers, flags, ...) \
    extern sem_fn *const sem_##op##_base, *const sem_##op##_v3;
#define OPF OP
#define OPM OP
#define OPP OP
#define OPW OP
#include "oracle/isa/ops.def"
#ifdef HAVE_BASE
static sem_fn *const *const base[OP_COUNT] = {
#define OP(op, shape, numbers, flags, ...) [OP_##op] = &sem_##op##_base,
#define OPF                                OP
#define OPM                                OP
#define OPP                                OP
#define OPW                                OP
#include "oracle/isa/ops.def"
};
#endif
#ifdef HAVE_V3
static sem_fn *const *const v3[OP_COUNT] = {
#define OP(op, shape, numbers, flags, ...) [OP_##op] = &sem_##op##_v3,
#define OPF                                OP
#define OPM                                OP
#define OPP                                OP
#define OPW                                OP
#include "oracle/isa/ops.def"
};
#define OPH(op, shape, numbers, flags, ...) extern sem_fn *const sem_##op##_host;
#include "oracle/isa/ops.def"
static sem_fn *const *const on_host[OP_COUNT] = {
#define OPH(op, shape, numbers, flags, ...) [OP_##op] = &sem_##op##_host,
#include "oracle/isa/ops.def"
};
#endif

static void overlay(struct engine *eng, sem_fn *const *const *table)
{
    for (u32 op = 0; op < OP_COUNT; op++)
        if (table[op])
            eng->sem[op] = *table[op];
}

#ifdef HAVE_BASE
void engine_make_portable(struct engine *eng)
{
    overlay(eng, base);
    eng->operand = &operand_ops_base;
}
#endif

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
    *eng = (struct engine){ .name = host ? "host" : "ref", .exec = &exec_ops };
#ifdef HAVE_BASE
    engine_make_portable(eng);
#endif
#ifdef HAVE_V3
    if (cpu_is_v3()) {
        overlay(eng, v3);
        eng->operand = &operand_ops_v3;
        if (host)
            overlay(eng, on_host);
    }
#endif
    if (!eng->operand)
        return err_set(e, ST_WORLD,
                       "this program was built for processors with AVX2, FMA and BMI2: `make "
                       "ROWS=all` makes one for all");
    return ST_OK;
}
