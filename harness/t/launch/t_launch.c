/* Launching: the kernels of cases/kernels on both engines, and the line for each way in which a
 * launch can fail. Program counters are those of llvm-objdump. Runs in the root of the
 * repository. */
#include "harness/launch/launch.h"
#include "harness/t/lib/files.h"
#include "harness/t/lib/tap_test.h"

#include <stdlib.h>
#include <unistd.h>

#define KERNELS "cases/kernels/"
#define VADD    KERNELS "vadd_f32/gfx900.O3.co"
#define REDUCE  KERNELS "reduce_lds_u32/gfx900.O3.co"

static char launch_path[TEMP_NAME_BYTES];

struct launched {
    enum status st;
    struct err e;
    struct launch_result r;
    u64 wrong; /* elements */
};

/* Opens, launches and compares. */
static struct launched launch_with(const struct sample *s, const char *launch,
                                   const struct launch_cfg *cfg)
{
    struct launched d = { .e = { .text = "" } };
    struct codeobj co = { 0 };
    struct codeobj_kernel k;
    struct launch l = { 0 };
    d.st = codeobj_open_memory(&co, "k.co", s->bytes, s->size, GPU_CODE_BASE, &d.e);
    if (d.st == ST_OK)
        d.st = launch_open(&l, launch, 1, &d.e);
    if (d.st == ST_OK)
        d.st = codeobj_kernel(&co, l.now.kernel, &k, &d.e);
    if (d.st == ST_OK)
        d.st = launch_run(&co, &k, &l, cfg, NULL, NULL, &d.r, &d.e);
    for (u32 i = 0; i < l.arg_count; i++)
        d.wrong += launch_compare(&l.args[i], 1).wrong;
    launch_close(&l);
    codeobj_close(&co);
    return d;
}

static struct launched launch_bytes(const struct sample *s, const char *launch, const char *engine,
                                    u64 max_steps)
{
    struct launch_cfg cfg = {
        .engine = engine, .max_steps = max_steps, .jobs = 1, .schedule = "order"
    };
    return launch_with(s, launch, &cfg);
}

/* Kernels that set what they use: registers; LDS; LDS in loops, and columns of it that are there for the
 * banks alone. They need not run again. */
static void test_uses_set(void)
{
    static const char *const folders[] = { "vadd_f32", "reduce_lds_u32", "matmul_tiled", "sha256" };
    struct launch_cfg cfg = { .engine = "host",
                              .max_steps = 1000000,
                              .jobs = 1,
                              .schedule = "order",
                              .out = stdout,
                              .check_memory = true };
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char code[128], launch[128];
        snprintf(code, sizeof code, KERNELS "%s/gfx900.O3.co", folders[i]);
        snprintf(launch, sizeof launch, KERNELS "%s/launch.txt", folders[i]);
        struct sample s = sample_load(code);
        struct launched d = launch_with(&s, launch, &cfg);
        ok(d.st == ST_OK && d.r.has_ended && d.wrong == 0 && d.r.uses_set, "%s uses what is set %s",
           folders[i], d.e.text);
        free(s.bytes);
    }
}

/* Work-groups and instructions are counted by hand in the listing of llvm-objdump where the kernel
 * has no loop. */
static void test_kernels(void)
{
    static const struct {
        const char *code, *launch;
        u64 groups, instructions;
    } rows[] = {
        { VADD, KERNELS "vadd_f32/launch.txt", 4, 0 },
        { KERNELS "memcpy_widths/gfx900.O3.co", KERNELS "memcpy_widths/launch.txt", 1, 0 },
        { REDUCE, KERNELS "reduce_lds_u32/launch.txt", 4, 0 },
        { KERNELS "global_table/gfx900.O3.co", KERNELS "global_table/launch.txt", 2, 2 * 24 },
        { KERNELS "initial_state/gfx900.co", KERNELS "initial_state/launch.txt", 8, 9 * 86 },
    };
    static const char *const engines[] = { "ref", "host" };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s = sample_load(rows[i].code);
        for (size_t n = 0; n < COUNT_OF(engines); n++) {
            struct launched d = launch_bytes(&s, rows[i].launch, engines[n], 1000000);
            ok(d.st == ST_OK && d.r.has_ended && d.wrong == 0, "%s on %s %s%s", rows[i].launch,
               engines[n], d.e.text, d.r.why);
            is_u64(rows[i].groups, d.r.groups, "its work-groups");
            if (rows[i].instructions)
                is_u64(rows[i].instructions, d.r.instructions, "its instructions");
        }
        free(s.bytes);
    }
}

static void write_launch(const char *text)
{
    FILE *f = fopen(launch_path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        bail("cannot write %s", launch_path);
}

#define AT(group) "; work-group " #group " 0 0, wave 0"
#define TMP16     ", argument 0 (tmp of 16 bytes) byte 16"
#define TMP512    ", argument 2 (tmp of 512 bytes) byte 512"

/* vadd_f32 with four bytes of its code replaced, or with buffers that are too small. */
static void test_stops(void)
{
    static const char *const texts[] = {
        "kernel vadd_f32\ngrid 64 1 1\nworkgroup 64 1 1\ntmp 256\ntmp 256\ntmp 256\ni32 64\n",
        "kernel vadd_f32\ngrid 64 1 1\nworkgroup 64 1 1\ntmp 16\ntmp 256\ntmp 256\ni32 64\n",
        "kernel vadd_f32\ngrid 192 1 1\nworkgroup 64 1 1\ntmp 1024\ntmp 1024\ntmp 512\ni32 192\n",
    };
    static const struct {
        u32 address; /* of the dword that is replaced; in this file 0x1000 above its offset */
        u32 dword;
        u32 text;
        const char *want;
    } rows[] = {
        { 0x1900, 0xc0020082, 0, "" },
        { 0x1900, 0xbf82ffff, 0,
          "pc 0x1900 (vadd_f32+0x0): waits for memory that no wave is left to change" AT(
              0) "; wave 0 at 0x1900" },
        { 0x1900, 0xbf827000, 0, "pc 0x1d904: PC left the program" },
        { 0x1904, 0x000ff000, 0,
          "pc 0x1900 (vadd_f32+0x0): memory violation at 0x2002ff000" AT(0) },
        { 0x1900, 0xc0020082, 1,
          "pc 0x1968 (vadd_f32+0x68): memory violation at 0x300000010" TMP16 AT(0) },
        { 0x1900, 0xc0020082, 2,
          "pc 0x1998 (vadd_f32+0x98): memory violation at 0x300022200" TMP512 AT(2) },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s = sample_load(VADD);
        memcpy(s.bytes + rows[i].address - 0x1000, &rows[i].dword, 4);
        write_launch(texts[rows[i].text]);
        struct launched d = launch_bytes(&s, launch_path, "ref", 10000);
        ok(d.st == ST_OK && d.r.has_ended == (rows[i].want[0] == '\0'),
           "0x%08x at 0x%x, launch %u %s", rows[i].dword, rows[i].address, rows[i].text, d.e.text);
        is_str(rows[i].want, d.r.why, "what is said of it");
        free(s.bytes);
    }
}

/* What the model has not enough of. Bytes of the file replaced by as many others. */
static void test_refusals(void)
{
    static const char good[] =
        "kernel reduce_lds_u32\ngrid 256 1 1\nworkgroup 256 1 1\ntmp 1024\ntmp 16\n";
    static const struct {
        const char *find, *replace;
        size_t len;
        const char *want;
    } rows[] = {
        { "\0\x04\0\0\0\0\0\0\x10\x01", "\x01\0\x01\0\0\0\0\0\x10\x01", 10,
          "kernel reduce_lds_u32 needs 65537 bytes of LDS, there are 65536" },
        { "\0\x04\0\0\0\0\0\0\x10\x01", "\0\x04\0\0\xfc\xff\xff\xff\x10\x01", 10,
          "kernel reduce_lds_u32 needs 4294967292 bytes of scratch for a work-item" },
        { ".wavefront_size\x40", ".wavefront_size\x20", 16,
          "kernel reduce_lds_u32 has waves of 32 lanes, not 64" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s = sample_load(REDUCE);
        u8 *at = memmem(s.bytes, s.size, rows[i].find, rows[i].len);
        if (!at)
            bail("row %zu finds nothing", i);
        memcpy(at, rows[i].replace, rows[i].len);
        write_launch(good);
        struct launched d = launch_bytes(&s, launch_path, "ref", 5000);
        ok(d.st == ST_INPUT, "row %zu is bad input", i);
        is_str(rows[i].want, d.e.text, "what is said of it");
        is_str("k.co", d.e.file, "the file that is named");
        free(s.bytes);
    }
}

/* Damaged code runs to some end or stops in words; it never leaves the model. */
static void test_damage(void)
{
    struct sample clean = sample_load(REDUCE);
    struct rng r;
    u32 wrong = 0, ended = 0, rounds = 1000;
    rng_seed(&r, 2);
    write_launch("kernel reduce_lds_u32\ngrid 300 1 1\nworkgroup 256 1 1\ntmp 2048\ntmp 16\n");
    for (u32 n = 0; n < rounds; n++) {
        struct sample s = { malloc(clean.size), clean.size };
        memcpy(s.bytes, clean.bytes, clean.size);
        /* The code: 0x224 bytes at 0x900. */
        for (u32 flips = 1 + rng_below(&r, 3); flips--;)
            s.bytes[0x900 + rng_below(&r, 0x224)] ^= (u8)(1u << rng_below(&r, 8));
        struct launched d = launch_bytes(&s, launch_path, n & 1 ? "host" : "ref", 500);
        wrong += d.st != ST_OK || d.r.has_ended == (d.r.why[0] != '\0') || strchr(d.r.why, '\n');
        ended += d.r.has_ended;
        free(s.bytes);
    }
    is_u64(0, wrong, "%u kernels with damaged code end or stop in one line", rounds);
    ok(ended > rounds / 10 && ended < rounds, "some end (%u)", ended);
    free(clean.bytes);
}

/* A wrong element is seen: the sum of one work-group, with one input changed. */
static void test_difference(void)
{
    struct sample s = sample_load(REDUCE);
    char text[1024];
    char cwd[256];
    if (!getcwd(cwd, sizeof cwd))
        bail("no current folder");
    /* Two groups run where four are expected. */
    snprintf(
        text, sizeof text,
        "kernel reduce_lds_u32\ngrid 512 1 1\nworkgroup 256 1 1\nbuf %s/%sreduce_lds_u32/in.bin\n"
        "out %s/%sreduce_lds_u32/out.bin 16 exact\n",
        cwd, KERNELS, cwd, KERNELS);
    write_launch(text);
    struct launched d = launch_bytes(&s, launch_path, "ref", 100000);
    ok(d.st == ST_OK && d.r.has_ended, "half of the grid runs");
    is_u64(2, d.wrong, "the other half differs");
    free(s.bytes);
}

int main(void)
{
    int fd = mkstemp(temp_name(launch_path, "t_launch"));
    if (fd < 0 || close(fd) != 0)
        bail("no temporary file");
    test_kernels();
    test_uses_set();
    test_stops();
    test_refusals();
    test_difference();
    test_damage();
    unlink(launch_path);
    return done();
}
