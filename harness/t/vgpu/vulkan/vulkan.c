/* Compute programs for Vulkan with known results:
 *
 *     vulkan FOLDER list            their names
 *     vulkan FOLDER NAME...         runs these, or all; FOLDER holds their shaders, NAME.spv
 *     vulkan FOLDER device          what the device calls itself
 *
 * Prints a line for each: "pass NAME", "fail NAME", with lines of `#` before it that say what is wrong,
 * or "none NAME: FEATURE", which the device says that it has not. Code 1 if something failed. */
#include "harness/t/vgpu/vulkan/gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct test *const tables[] = { plain_tests, wave_tests, command_tests, image_tests,
                                             sparse_tests };

/* Words that are the same everywhere, of no pattern. */
static void fill_words(u32 *word)
{
    for (u32 i = 0; i < WORDS; i++) {
        u32 x = i * 2654435761u + 12345;
        x = (x ^ x >> 15) * 0x2c1b3c6d;
        x = (x ^ x >> 12) * 0x297a2d39;
        word[i] = x ^ x >> 15;
    }
}

static bool is_close(u32 want, u32 got, float tolerance)
{
    float w, g;
    memcpy(&w, &want, sizeof w);
    memcpy(&g, &got, sizeof g);
    return want == got || fabsf(w - g) <= tolerance * fmaxf(fabsf(w), 1e-3f);
}

static bool compare(const struct gpu *g, const struct test *t, const u32 *want)
{
    enum { SHOWN = 4 };
    u32 wrong = 0;
    for (u32 i = 0; i < WORDS; i++) {
        u32 got = g->buffer[OUT].word[i];
        if (t->tolerance != 0 ? is_close(want[i], got, t->tolerance) : want[i] == got)
            continue;
        if (wrong++ < SHOWN)
            printf("# %s[%u]: want %08x, got %08x\n", t->name, i, want[i], got);
    }
    if (wrong > SHOWN)
        printf("# %s: %u words are wrong\n", t->name, wrong);
    return wrong == 0;
}

static void run_steps(const struct gpu *g, const struct test *t, VkPipeline p, VkDescriptorSet s)
{
    VkCommandBuffer c = gpu_begin(g);
    gpu_bind(c, g, p, s);
    for (u32 i = 0; i < STEPS_MAX && t->step[i].kind; i++) {
        if (i)
            gpu_barrier(c);
        gpu_step(c, g, &t->step[i]);
    }
    gpu_run(g, c);
}

static bool run(struct gpu *g, const struct test *t)
{
    static u32 in[WORDS], want[WORDS];
    for (u32 i = 0; i < BUFFERS_MAX; i++)
        if (g->buffer[i].word)
            memset(g->buffer[i].word, 0, WORDS * sizeof(u32));
    fill_words(g->buffer[IN].word);
    for (u32 i = 0; i < WORDS; i++)
        want[i] = g->buffer[OUT].word[i] = UNTOUCHED;
    if (t->fill)
        t->fill(g);
    memcpy(in, g->buffer[IN].word, sizeof in);
    t->expect(g, t, in, want);
    const char *shader = t->shader ? t->shader : t->name;
    VkPipeline pipeline = *shader ? gpu_pipeline(g, shader) : VK_NULL_HANDLE;
    VkDescriptorSet set = gpu_set(g);
    if (t->run)
        t->run(g, t, pipeline, set);
    else
        run_steps(g, t, pipeline, set);
    bool is_right = compare(g, t, want);
    const char *what = is_right && t->check ? t->check(g) : NULL;
    if (what)
        printf("# %s: %s\n", t->name, what);
    vkDestroyPipeline(g->device, pipeline, NULL);
    return is_right && !what;
}

static bool is_wanted(char *const *names, const char *name)
{
    if (!*names)
        return true;
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct gpu g;
    u32 failed = 0, count = 0;
    bool is_list = argc == 3 && strcmp(argv[2], "list") == 0;
    bool is_device = argc == 3 && strcmp(argv[2], "device") == 0;
    if (argc < 2) {
        fprintf(stderr, "usage: vulkan FOLDER [list | device | NAME...]\n");
        return 2;
    }
    if (!is_list)
        gpu_open(&g, argv[1]);
    if (is_device) {
        VkPhysicalDeviceProperties p;
        vkGetPhysicalDeviceProperties(g.card, &p);
        printf("%s, %u lanes, queues of family %u\n", p.deviceName, g.subgroup, g.family);
    }
    for (u32 i = 0; i < COUNT_OF(tables) && !is_device; i++)
        for (const struct test *t = tables[i]; t->name; t++) {
            if (is_list)
                puts(t->name);
            if (is_list || !is_wanted(argv + 2, t->name))
                continue;
            const char *lacks = gpu_lacks(&g, t->needs);
            bool is_right = lacks || run(&g, t);
            printf("%s %s%s%s\n",
                   lacks      ? "none"
                   : is_right ? "pass"
                              : "fail",
                   t->name, lacks ? ": no " : "", lacks ? lacks : "");
            fflush(stdout);
            count++;
            failed += !is_right;
        }
    if (!is_list)
        gpu_close(&g);
    if (!is_list && !is_device && count == 0)
        printf("# there is no such program\n");
    return failed || (!is_list && !is_device && count == 0);
}
