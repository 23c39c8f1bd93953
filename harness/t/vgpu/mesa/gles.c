/* Compute programs for OpenGL ES 3.1, without a screen. Each has its shader, NAME.comp, and a function that works out here what
 * must come of it.
 *
 *   gles FOLDER [list | draw | NAME...]
 *
 * FOLDER holds the shaders. One line each: "pass NAME" or "fail NAME". Code 1: one failed; 2: there is no such device. `draw` is no
 * compute program but draws a triangle. */
#include "known.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
    const char *name;
    known_fn *expect;
    u32 groups[3];
    void (*run)(const struct test *t, GLuint program, const char *folder); /* NULL: one dispatch */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "gles: %s: %s\n", what, why);
    exit(2);
}

/* ---- how they are run ---- */

static GLuint build(const char *folder, const char *name)
{
    static char text[1 << 14], log[2000];
    char path[1000];
    GLint is_built = 0;
    snprintf(path, sizeof path, "%s/%s.comp", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        die(path, "cannot be read");
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *source = text;
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &is_built);
    if (!is_built) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        die(path, log);
    }
    glDeleteShader(shader);
    return program;
}

static GLuint new_buffer(GLenum target, GLuint binding, const void *bytes, size_t size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(target, binding, buffer);
    glBufferData(target, (GLsizeiptr)size, bytes, GL_DYNAMIC_COPY);
    return buffer;
}

static void dispatch(const struct test *t)
{
    glDispatchCompute(t->groups[0], t->groups[1], t->groups[2]);
}

static void run_uniform(const struct test *t, GLuint program, const char *folder)
{
    (void)folder;
    glUseProgram(program);
    glUniform1ui(0, 3);
    dispatch(t);
}

static void run_many(const struct test *t, GLuint program, const char *folder)
{
    (void)folder;
    glUseProgram(program);
    for (u32 k = 0; k < MANY; k++) {
        glUniform1ui(0, k);
        dispatch(t);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
}

/* The sizes stand in a buffer. */
static void run_indirect(const struct test *t, GLuint program, const char *folder)
{
    GLuint sizes = new_buffer(GL_SHADER_STORAGE_BUFFER, 2, t->groups, sizeof t->groups);
    (void)folder;
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, sizes);
    glUseProgram(program);
    glDispatchComputeIndirect(0);
    glDeleteBuffers(1, &sizes);
}

static void run_counter(const struct test *t, GLuint program, const char *folder)
{
    u32 none = 0;
    GLuint counter = new_buffer(GL_ATOMIC_COUNTER_BUFFER, 0, &none, sizeof none);
    (void)folder;
    glUseProgram(program);
    dispatch(t);
    glDeleteBuffers(1, &counter);
}

static u32 input[WORDS];

static void run_block(const struct test *t, GLuint program, const char *folder)
{
    GLuint block = new_buffer(GL_UNIFORM_BUFFER, 0, input, WORDS);
    (void)folder;
    glUseProgram(program);
    dispatch(t);
    glDeleteBuffers(1, &block);
}

/* One shader fills the image, the other looks at it. */
static void run_image(const struct test *t, GLuint program, const char *folder)
{
    GLuint image, fill = build(folder, "image_fill");
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, SIDE, SIDE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glUseProgram(fill);
    dispatch(t);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    glUseProgram(program);
    dispatch(t);
    glFinish();
    glDeleteTextures(1, &image);
    glDeleteProgram(fill);
}

static GLuint stage(GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    return shader;
}

static void draw(void)
{
    GLuint target, frame, program = glCreateProgram();
    glGenRenderbuffers(1, &target);
    glBindRenderbuffer(GL_RENDERBUFFER, target);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target);
    glAttachShader(
        program,
        stage(GL_VERTEX_SHADER,
              "#version 310 es\nvoid main() { gl_Position = vec4(gl_VertexID, 0, 0, 1); }"));
    glAttachShader(program,
                   stage(GL_FRAGMENT_SHADER,
                         "#version 310 es\nout mediump vec4 c;\nvoid main() { c = vec4(1); }"));
    glLinkProgram(program);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
}

/* ---- all of them ---- */

#define TEST(name, run, ...)                      \
    {                                             \
#name, known_##name, { __VA_ARGS__ }, run \
    }
static const struct test tests[] = {
    TEST(uniform, run_uniform, 16, 1, 1), TEST(shared, NULL, 8, 1, 1),
    TEST(reduce, run_indirect, 8, 1, 1),  TEST(atomic, NULL, 16, 1, 1),
    TEST(float, NULL, 16, 1, 1),          TEST(counter, run_counter, 16, 1, 1),
    TEST(bits, NULL, 16, 1, 1),           TEST(divide, NULL, 16, 1, 1),
    TEST(half, NULL, 16, 1, 1),           TEST(loop, NULL, 16, 1, 1),
    TEST(private, NULL, 16, 1, 1),        TEST(volume, NULL, 4, 4, 2),
    TEST(block, run_block, 16, 1, 1),     TEST(matmul, NULL, 16, 1, 1),
    TEST(many, run_many, 16, 1, 1),       TEST(image, run_image, 4, 4, 1),
    TEST(texture, run_image, 4, 4, 1),
};

static bool run(const struct test *t, const char *folder)
{
    static u32 want[WORDS];
    for (u32 i = 0; i < WORDS; i++)
        want[i] = UNTOUCHED;
    GLuint program = build(folder, t->name);
    GLuint in = new_buffer(GL_SHADER_STORAGE_BUFFER, 0, input, sizeof input);
    GLuint out = new_buffer(GL_SHADER_STORAGE_BUFFER, 1, want, sizeof want);
    t->expect(input, want);
    glUseProgram(program);
    if (t->run)
        t->run(t, program, folder);
    else
        dispatch(t);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, out);
    const u32 *got = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof want, GL_MAP_READ_BIT);
    bool is_right = got && known_compare(t->name, got, want) && glGetError() == GL_NO_ERROR;
    glDeleteBuffers(2, (GLuint[]){ in, out });
    glDeleteProgram(program);
    return is_right;
}

static void open_device(void)
{
    static const EGLint wanted[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                     EGL_NONE };
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
        die("EGL", "there is no device");
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        die("EGL", "there is no context of OpenGL ES 3.1");
    printf("# %s\n", (const char *)glGetString(GL_RENDERER));
}

int main(int argc, char **argv)
{
    u32 failed = 0, done = 0, n = sizeof tests / sizeof *tests;
    if (argc < 2) {
        fprintf(stderr, "usage: gles FOLDER [list | draw | NAME...]\n");
        return 2;
    }
    bool is_list = argc == 3 && strcmp(argv[2], "list") == 0;
    if (!is_list)
        open_device();
    known_input(input);
    if (argc == 3 && strcmp(argv[2], "draw") == 0) {
        draw();
        return glGetError() != GL_NO_ERROR;
    }
    for (u32 i = 0; i < n; i++) {
        if (is_list)
            puts(tests[i].name);
        if (is_list || !known_wanted(argv + 2, tests[i].name))
            continue;
        bool is_right = run(&tests[i], argv[1]);
        printf("%s %s\n", is_right ? "pass" : "fail", tests[i].name);
        fflush(stdout);
        failed += !is_right;
        done++;
    }
    return failed || (!is_list && !done);
}
