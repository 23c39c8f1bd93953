#include "harness/finding/executor.h"

#include "harness/finding/finding.h"

enum status executor_open(struct executor *x, const struct executor_cfg *cfg, struct err *e)
{
    struct dut_cfg dc = { .mcpu = cfg->mcpu,
                          .time_limit_ms = cfg->dut_time_ms,
                          .in_process = cfg->in_process };
    struct compare_cfg cc = {
        .mcpu = cfg->mcpu, .engine = cfg->engine, .exact = cfg->exact, .trapsts = cfg->trapsts
    };
    *x = (struct executor){ 0 };
    enum status st = cfg->panel ? panel_open(cfg->panel, cfg->panel_count, &dc, &x->dut, e)
                                : dut_open(cfg->dut, &dc, &x->dut, e);
    if (st == ST_OK)
        st = compare_open(&x->compare, &cc, x->dut, e);
    if (st != ST_OK)
        executor_close(x);
    return st;
}

enum status executor_open_finding(struct executor *x, const struct executor_cfg *cfg,
                                  const char *dut, struct finding *f, struct err *e)
{
    *x = (struct executor){ 0 };
    if (dut) {
        char named[FINDING_SPEC_MAX];
        memcpy(named, f->dut_absolute, sizeof named);
        enum status st = finding_set_dut(f, dut, e);
        if (st != ST_OK)
            return st;
        f->dut_is_other = strcmp(named, f->dut_absolute) != 0;
        f->exact = dut_is_exact(dut);
    }
    struct executor_cfg xc = { .mcpu = f->mcpu,
                               .dut = f->dut_absolute,
                               .engine = "ref",
                               .exact = f->exact,
                               .trapsts = f->trapsts,
                               .in_process = cfg->in_process,
                               .dut_time_ms = cfg->dut_time_ms };
    enum status st = executor_open(x, &xc, e);
    if (st != ST_OK)
        return st;
    memcpy(f->dut_name, x->dut->name, sizeof f->dut_name);
    memcpy(f->dut_version, x->dut->version, sizeof f->dut_version);
    return ST_OK;
}

void executor_close(struct executor *x)
{
    compare_close(x->compare);
    dut_close(x->dut);
    *x = (struct executor){ 0 };
}

u32 executor_features(const struct executor *x)
{
    u32 features = GEN_ALL;
    if (dut_can(x->dut, GCNCHECK_MODE) != GCNCHECK_SHOW_SET)
        features &= ~(u32)GEN_MODE;
    if (dut_can(x->dut, GCNCHECK_M0) != GCNCHECK_SHOW_SET)
        features &= ~(u32)GEN_M0;
    if (dut_can(x->dut, GCNCHECK_EXEC_LO) != GCNCHECK_SHOW_SET)
        features &= ~(u32)GEN_EXEC;
    if (dut_can(x->dut, GCNCHECK_A0) != GCNCHECK_SHOW_SET)
        features &= ~(u32)GEN_MATRIX;
    return features;
}
