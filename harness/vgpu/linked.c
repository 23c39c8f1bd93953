#include "harness/vgpu/linked.h"

#include "harness/io/shell.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRIPTS_MAX = 4, HEAD_BYTES = 256, SEGMENTS_MAX = 64 };

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#else
enum { MACHINE = EM_AARCH64 };
#endif

/* The interpreter of a script, in place of the script. */
static bool follow(const char *head, char *path)
{
    if (strncmp(head, "#!", 2) != 0)
        return false;
    const char *name = head + 2 + strspn(head + 2, " \t");
    size_t len = strcspn(name, " \t\n");
    struct text t;
    text_init(&t, path, SHELL_PATH);
    text_add(&t, "%.*s", (int)len, name);
    return len != 0;
}

static bool has_interpreter(int fd, const Elf64_Ehdr *h)
{
    Elf64_Phdr p[SEGMENTS_MAX];
    size_t count = h->e_phnum < SEGMENTS_MAX ? h->e_phnum : SEGMENTS_MAX;
    ssize_t n = pread(fd, p, count * sizeof *p, (off_t)h->e_phoff);
    for (size_t i = 0; n > 0 && (i + 1) * sizeof *p <= (size_t)n; i++)
        if (p[i].p_type == PT_INTERP)
            return true;
    return false;
}

static enum linked look_at(int fd, const char *head, const char *path, struct text *why)
{
    Elf64_Ehdr h;
    struct stat st;
    memcpy(&h, head, sizeof h);
    if (memcmp(head, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
        h.e_machine != MACHINE) {
        text_add(why, "%s is no program of this machine", path);
        return LINKED_OTHER;
    }
    if (!has_interpreter(fd, &h)) {
        text_add(why, "%s is linked statically", path);
        return LINKED_STATIC;
    }
    if (fstat(fd, &st) == 0 && st.st_mode & (S_ISUID | S_ISGID)) {
        text_add(why, "%s runs as another user", path);
        return LINKED_BLIND;
    }
    text_add(why, "%s is linked dynamically", path);
    return LINKED_DYNAMIC;
}

enum linked linked_how(const char *program, struct text *why)
{
    char path[SHELL_PATH];
    if (!shell_program(program, path)) {
        text_add(why, "there is no such program");
        return LINKED_NONE;
    }
    for (u32 i = 0; i < SCRIPTS_MAX; i++) {
        _Alignas(8) char head[HEAD_BYTES] = { 0 };
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a FIFO */
        ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head - 1);
        bool is_script = n > 0 && follow(head, path);
        enum linked how = n > 0 && !is_script ? look_at(fd, head, path, why) : LINKED_OTHER;
        if (n <= 0)
            text_add(why, "%s cannot be read", path);
        if (fd >= 0)
            close(fd);
        if (!is_script)
            return how;
    }
    text_add(why, "%s is a script of scripts", program);
    return LINKED_OTHER;
}
