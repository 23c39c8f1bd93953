/* Kernels of OpenCL 1.1, kernels.cl, and what must come of them (known.c).
 *
 *   opencl FOLDER [list | NAME...]
 *
 * FOLDER holds the kernels. One line each: "pass NAME", "fail NAME", or "none NAME: no FEATURE". Code 1: one failed; 2: there is no
 * such device. */
#include "known.h"

#define CL_TARGET_OPENCL_VERSION 110
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem in, out;
};

struct test {
    const char *name, *kernel;
    known_fn *expect;
    size_t size[3], group[3]; /* of invocations */
    u32 turns;         /* 0: one, with `third`; else each has its number for third argument */
    const void *third; /* of the kernel; NULL with bytes: local memory; NULL without: it has none */
    size_t bytes;
    const char *needs; /* extension */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "opencl: %s: %s\n", what, why);
    exit(2);
}

static void check(const char *what, cl_int code)
{
    char text[32];
    snprintf(text, sizeof text, "error %d", code);
    if (code != CL_SUCCESS)
        die(what, text);
}

static void build(struct device *d, const char *folder)
{
    static char text[1 << 14], log[1 << 14];
    char path[1000];
    snprintf(path, sizeof path, "%s/kernels.cl", folder);
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path, "cannot be read");
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *source = text;
    cl_int code;
    d->program = clCreateProgramWithSource(d->context, 1, &source, NULL, &code);
    check("clCreateProgramWithSource", code);
    if (clBuildProgram(d->program, 1, &d->id, "", NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        die(path, log);
    }
}

/* The first device of the platform that is called Clover. */
static void open_device(struct device *d, const char *folder)
{
    cl_platform_id platform[8];
    cl_uint count = 0;
    cl_int code;
    char name[200] = "";
    clGetPlatformIDs(8, platform, &count);
    for (cl_uint i = 0; i < count && !d->id; i++) {
        clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "Clover") == 0)
            clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_GPU, 1, &d->id, NULL);
    }
    if (!d->id)
        die("OpenCL", "Clover has no device");
    clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("# %s\n", name);
    d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
    check("clCreateContext", code);
    d->queue = clCreateCommandQueue(d->context, d->id, 0, &code);
    check("clCreateCommandQueue", code);
    build(d, folder);
    d->in = clCreateBuffer(d->context, CL_MEM_READ_ONLY, WORDS * sizeof(u32), NULL, &code);
    check("clCreateBuffer", code);
    d->out = clCreateBuffer(d->context, CL_MEM_READ_WRITE, WORDS * sizeof(u32), NULL, &code);
    check("clCreateBuffer", code);
}

static bool lacks(const struct device *d, const char *extension)
{
    static char all[4000];
    clGetDeviceInfo(d->id, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL);
    return extension && !strstr(all, extension);
}

static bool run(const struct device *d, const struct test *t, const u32 *input)
{
    static u32 want[WORDS], got[WORDS];
    size_t bytes = sizeof want, group = t->group[0];
    cl_int code;
    for (u32 i = 0; i < WORDS; i++)
        want[i] = UNTOUCHED;
    cl_kernel kernel = clCreateKernel(d->program, t->kernel, &code);
    check(t->kernel, code);
    check("writing",
          clEnqueueWriteBuffer(d->queue, d->in, CL_TRUE, 0, bytes, input, 0, NULL, NULL));
    check("writing",
          clEnqueueWriteBuffer(d->queue, d->out, CL_TRUE, 0, bytes, want, 0, NULL, NULL));
    t->expect(input, want);
    check("arguments", clSetKernelArg(kernel, 0, sizeof d->in, &d->in) |
                           clSetKernelArg(kernel, 1, sizeof d->out, &d->out));
    const void *third = t->expect == known_block ? &d->in : t->third; /* as a constant buffer */
    if (t->bytes)
        check("arguments", clSetKernelArg(kernel, 2, t->bytes, third));
    for (u32 turn = 0; turn < (t->turns ? t->turns : 1); turn++) {
        if (t->turns)
            check("arguments", clSetKernelArg(kernel, 2, sizeof turn, &turn));
        check("running", clEnqueueNDRangeKernel(d->queue, kernel, 3, NULL, t->size,
                                                group ? t->group : NULL, 0, NULL, NULL));
    }
    check("reading", clEnqueueReadBuffer(d->queue, d->out, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    clReleaseKernel(kernel);
    return known_compare(t->name, got, want);
}

#define LINE        \
    {               \
        WORDS, 1, 1 \
    }
#define GROUPS    \
    {             \
        128, 1, 1 \
    }
static const u32 three = 3;
static const struct test tests[] = {
    { "uniform", "uniform_", known_uniform, LINE, { 0 }, 0, &three, sizeof three, NULL },
    { "shared", "shared", known_shared, LINE, GROUPS, 0, NULL, 0, NULL },
    { "reduce", "reduce", known_reduce, LINE, GROUPS, 0, NULL, 512, NULL },
    { "atomic", "atomic", known_atomic, LINE, { 0 }, 0, NULL, 0, NULL },
    { "divide", "divide", known_divide, LINE, { 0 }, 0, NULL, 0, NULL },
    { "loop", "loop", known_loop, LINE, { 0 }, 0, NULL, 0, NULL },
    { "private", "private_", known_private, LINE, { 0 }, 0, NULL, 0, NULL },
    { "volume", "volume", known_volume, { 16, 8, 8 }, { 4, 2, 4 }, 0, NULL, 0, NULL },
    { "block", "block", known_block, LINE, { 0 }, 0, NULL, sizeof(cl_mem), NULL },
    { "many", "many", known_many, LINE, { 0 }, MANY, NULL, 0, NULL },
    { "wide", "wide", known_wide, LINE, { 0 }, 0, NULL, 0, NULL },
    { "narrow", "narrow", known_narrow, LINE, { 0 }, 0, NULL, 0, NULL },
    { "double", "double_", known_double, LINE, { 0 }, 0, NULL, 0, "cl_khr_fp64" },
    { "struct", "struct_", known_struct, LINE, { 0 }, 0, &known_pair, sizeof known_pair, NULL },
};

int main(int argc, char **argv)
{
    static u32 input[WORDS];
    struct device d = { 0 };
    u32 failed = 0, done = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: opencl FOLDER [list | NAME...]\n");
        return 2;
    }
    bool is_list = argc == 3 && strcmp(argv[2], "list") == 0;
    if (!is_list)
        open_device(&d, argv[1]);
    known_input(input);
    for (u32 i = 0; i < sizeof tests / sizeof *tests; i++) {
        const struct test *t = &tests[i];
        if (is_list)
            puts(t->name);
        if (is_list || !known_wanted(argv + 2, t->name))
            continue;
        done++;
        if (lacks(&d, t->needs)) {
            printf("none %s: no %s\n", t->name, t->needs);
            continue;
        }
        bool is_right = run(&d, t, input);
        printf("%s %s\n", is_right ? "pass" : "fail", t->name);
        fflush(stdout);
        failed += !is_right;
    }
    return failed || (!is_list && !done);
}
