/* How a command gets at a DUT that is in another program, or under a virtual GPU. */
#include "harness/cmd/base/cmd.h"
#include "harness/dut/dut.h"
#include "harness/mutant/mutant.h"
#include "harness/vgpu/under.h"

#include <stdlib.h>

/* Goes on under a virtual GPU, unless it does so already. */
static enum status become_guest(const struct opts *o, const char *gpu, struct err *e)
{
    char buf[160];
    struct vgpu_under u;
    enum status st = vgpu_under_parse(gpu, buf, sizeof buf, &u, e);
    if (st != ST_OK || vgpu_under_is(&u))
        return st;
    return vgpu_under_exec(&u, "/proc/self/exe", o->argv - 1, e);
}

enum status cmd_ready_dut(const struct opts *o, const char *dut, struct err *e)
{
    static const char mutant[] = "mutant:";
    const char *gpu = dut_vgpu_rest(dut);
    if (o->unsafe && setenv("GCNCHECK_DRM_UNSAFE", "1", 1) != 0)
        return err_memory(e);
    if (strncmp(dut, mutant, sizeof mutant - 1) == 0)
        return mutant_become(o->argv - 1, e);
    return gpu ? become_guest(o, gpu, e) : ST_OK;
}

enum status cmd_ready_finding(const struct opts *o, const char *dut, struct err *e)
{
    if (!o->dut_is_given && !o->trust && dut_is_program(dut)) {
        char name[160];
        dut_clean_text(name, sizeof name, dut, strlen(dut));
        return err_set(e, ST_INPUT,
                       "its DUT is a program, %s%s: --trust starts it, --dut names another", name,
                       strlen(dut) < sizeof name ? "" : "...");
    }
    return cmd_ready_dut(o, o->dut_is_given ? o->dut : dut, e);
}
