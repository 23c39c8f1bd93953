/* Builds jobs for self tests: a struct with room for everything, and functions that add to it. */
#ifndef HARNESS_T_LIB_JOB_H
#define HARNESS_T_LIB_JOB_H

#include "harness/dut/dut.h"

enum { JOB_SLOTS = 16, JOB_DW = JOB_SLOTS * 64, JOB_LDS = 64, JOB_WINDOW = 32 };

struct test_job {
    struct gcncheck_job job;
    struct gcncheck_slot set[JOB_SLOTS], get[JOB_SLOTS];
    u32 values[JOB_DW], out[JOB_DW];
    struct gcncheck_window windows[2];
    u8 bytes[2][JOB_WINDOW], lds[JOB_LDS];
};

/* The place starts with the value, in each of its dwords. */
static inline void test_job_set(struct test_job *t, u32 place, u32 value)
{
    struct gcncheck_job *j = &t->job;
    u32 index = dut_slots_dw(t->set, j->set_count);
    t->set[j->set_count++] = (struct gcncheck_slot){ 0, (u16)place, index };
    for (u32 i = 0; i < GCNCHECK_PLACE_DW(place); i++)
        t->values[index + i] = value;
}

/* The place is read back. */
static inline void test_job_get(struct test_job *t, u32 place)
{
    struct gcncheck_job *j = &t->job;
    u32 index = dut_slots_dw(t->get, j->get_count);
    t->get[j->get_count++] = (struct gcncheck_slot){ 0, (u16)place, index };
}

/* A job of one wave at PC_DEFAULT: registers not set hold zero, exec all ones, the rest of what is
 * always set zero. The struct must not be copied afterwards. */
static inline void test_job_init(struct test_job *t, const u32 *code, u32 code_dw)
{
    memset(t, 0, sizeof *t);
    t->job = (struct gcncheck_job){
        .size = sizeof t->job,
        .waves = 1,
        .mcpu = "gfx900",
        .code = code,
        .code_dw = code_dw,
        .max_steps = 100,
        .pc = PC_DEFAULT,
        .set = t->set,
        .get = t->get,
        .values = t->values,
        .out = t->out,
    };
    test_job_set(t, GCNCHECK_EXEC_LO, ~0u);
    test_job_set(t, GCNCHECK_EXEC_HI, ~0u);
    test_job_set(t, GCNCHECK_VCC_LO, 0);
    test_job_set(t, GCNCHECK_VCC_HI, 0);
    test_job_set(t, GCNCHECK_M0, 0);
    test_job_set(t, GCNCHECK_SCC, 0);
}

/* Gives it two windows of JOB_WINDOW bytes and JOB_LDS bytes of LDS, all zero. */
static inline void test_job_add_memory(struct test_job *t)
{
    for (u32 w = 0; w < 2; w++)
        t->windows[w] = (struct gcncheck_window){ 0x100000 * (w + 1), JOB_WINDOW, t->bytes[w] };
    t->job.windows = t->windows;
    t->job.window_count = 2;
    t->job.lds = t->lds;
    t->job.lds_size = JOB_LDS;
}

/* What was read back for the place in wave 0, one lane of it; the place must be among `get`. */
static inline u32 test_job_out(const struct test_job *t, u32 place, u32 lane)
{
    for (u32 i = 0; i < t->job.get_count; i++)
        if (t->get[i].place == place)
            return t->out[t->get[i].index + lane];
    BUG("a test asks for a place that it did not read back");
}

#endif
