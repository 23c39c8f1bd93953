/* Runs a code object of `gcncheck export --format elf` by HIP and prints its line.
 *
 *     cc -D__HIP_PLATFORM_AMD__ -o selfcheck_hip selfcheck_hip.c -lamdhip64
 *     ./selfcheck_hip gfx900-vop3a.co
 *
 * Exit code 0: all passed. 1: something failed, or the kernel did not write its line. 2: it could not
 * be run. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, LINE_BYTES = 512 }; /* at least what launch.txt beside it says */

static void check(hipError_t e, const char *what)
{
    if (e == hipSuccess)
        return;
    fprintf(stderr, "selfcheck_hip: %s: %s\n", what, hipGetErrorString(e));
    exit(2);
}

int main(int argc, char **argv)
{
    static char line[LINE_BYTES];
    hipModule_t module;
    hipFunction_t kernel;
    void *buffer, *args[1];
    if (argc != 2) {
        fprintf(stderr, "usage: selfcheck_hip FILE.co\n");
        return 2;
    }
    check(hipModuleLoad(&module, argv[1]), argv[1]);
    check(hipModuleGetFunction(&kernel, module, "gcncheck"), "kernel gcncheck");
    check(hipMalloc(&buffer, BUFFER_BYTES), "the buffer");
    check(hipMemset(buffer, 0, BUFFER_BYTES), "the buffer");
    args[0] = &buffer;
    check(hipModuleLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, args, NULL), "the launch");
    check(hipDeviceSynchronize(), "the kernel");
    check(hipMemcpy(line, buffer, sizeof line - 1, hipMemcpyDeviceToHost), "the line");
    printf("%s\n", line[0] ? line : "the kernel wrote no line");
    return strncmp(line, "GCNCHECK ", 9) == 0 && strstr(line, " fail=0") ? 0 : 1;
}
