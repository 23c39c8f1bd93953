/* The example device (harness/sdk/example_dut.c) under another name, for devices that are right but
 * for one thing. The file that includes this has its gcncheck_dut() return example_as(). */
#ifndef HARNESS_T_BAD_DUT_EXAMPLE_H
#define HARNESS_T_BAD_DUT_EXAMPLE_H

#define gcncheck_dut(none) example_dut(none)
#include "harness/sdk/example_dut.c"
#undef gcncheck_dut

const struct gcncheck_dut *gcncheck_dut(void);

/* The example with another name and run(); the struct may be changed further. */
static struct gcncheck_dut *example_as(const char *name,
                                       int (*other)(struct gcncheck_job *, uint32_t))
{
    static struct gcncheck_dut dut;
    dut = *example_dut();
    dut.name = name;
    dut.run = other;
    return &dut;
}

#endif
