/* A program for `gcncheck launch --loader`; its first argument says what it does. harness/t/launch/loader.sh runs it. */
#include "libc.h"

static int begun;

void begin(int argc, char **argv, char **envp)
{
    (void)envp;
    begun = argc + 1;
    if (argc > 1 && argv[1][0] == 'c')
        write_text(WRITE_STDOUT, "constructor\n");
}

void end(int code)
{
    if (begun && begun != 3)
        return;
    print(PRINTF, "destructor, %d\n", code);
}

#ifdef __AMDGCN__
static uint32_t item(void) { return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x(); }
#else
static uint32_t item(void) { return 0; }
#endif

/* All arguments and the variables of the environment that begin with GPU_. */
static int arguments(int argc, char **argv, char **envp)
{
    for (int i = 1; i < argc; i++)
        write_text(WRITE_LINE, argv[i]);
    for (; *envp; envp++)
        if ((*envp)[0] == 'G' && (*envp)[1] == 'P' && (*envp)[2] == 'U' && (*envp)[3] == '_')
            write_text(WRITE_LINE, *envp);
    return argv[argc] ? 100 : argc;
}

/* As many calls as the item's number and 10, lanes of a wave apart from each other: bit 0 if a sum is wrong. */
static int increment(void)
{
    uint64_t sum = item(), calls = 10 + item() % 7;
    for (uint64_t i = 0; i < calls; i++)
        sum = ask(TEST_INCREMENT, sum);
    return sum != item() + calls;
}

/* The other order of the last packet, too. */
static int order(_Bool ends_sending)
{
    uint64_t count = 0;
    struct port p = open_port(TEST_ORDER);
    to_send(&p)[0] = ends_sending;
    give(&p);
    for (int i = 0; i < 2; i++) {
        to_send(&p)[0] = ++count;
        give(&p);
        count = received(&p)[0];
    }
    for (int i = 0; i < 2; i++) {
        to_send(&p)[0] = ++count;
        give(&p);
    }
    count = received(&p)[0];
    count = received(&p)[0];
    if (ends_sending) {
        to_send(&p)[0] = ++count;
        give(&p);
    } else {
        count = received(&p)[0];
    }
    close_port(&p);
    return (int)count;
}

/* Bytes of a length of each lane's own there and back: bit 1 if they are others. */
static int pieces(void)
{
    char out[256], in[256];
    uint64_t size = item() * 29 % 251;
    for (uint64_t i = 0; i < size; i++)
        out[i] = (char)(i * 7 + item());
    struct port p = open_port(TEST_PIECES);
    send_piece(&p, out, size);
    uint64_t got = receive_piece(&p, in);
    close_port(&p);
    int wrong = got != size;
    for (uint64_t i = 0; i < size; i++)
        wrong |= out[i] != in[i];
    return wrong ? 2 : 0;
}

static int words(void)
{
    int n = print(PRINTF, "%d %5.2f|%-6s|%c|%lu 100%% %s\n", -3, 2.5, "text", 'x', 12345678901ul, "a string of more than fifty-six characters, in two packets");
    n += print(PRINTF_STDERR, "%s %*d\n", "error", 5, 42);
    if (item() < 3)
        print(PRINTF, "lane %u of %s\n", item(), item() == 1 ? "one" : "many");
    return n;
}

static int memory(void)
{
    uint64_t *a = (uint64_t *)ask(MALLOC, 100), *b = (uint64_t *)ask(MALLOC, 8);
    if (!a || !b || ask(MALLOC, 1ull << 40))
        return 1;
    for (int i = 0; i < 12; i++)
        a[i] = i + item();
    *b = 77;
    uint64_t sum = 0;
    for (int i = 0; i < 12; i++)
        sum += a[i];
    struct port p = open_port(FREE);
    to_send(&p)[0] = (uint64_t)a;
    give(&p);
    close_port(&p);
    return sum == 66 + 12 * item() && *b == 77 ? 0 : 2;
}

int main(int argc, char **argv, char **envp)
{
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'a': return arguments(argc, argv, envp);
    case 'c': return 5;
    case 'i': return increment();
    case 'o': return order(0) == 9 && order(1) == 9 ? 40 : 1;
    case 'p': return pieces();
    case 'w': return words();
    case 'm': return memory();
    case 's': return (int)write_text(WRITE_STREAM, "to the stream\n");
    case 'e': /* one item leaves, the others wait for ever */
        if (item() == 1)
            leave(EXIT, 300 + 7);
        for (volatile int wait = 1; wait;)
            ;
        return 1;
    case 'q': /* nobody waits for the call */
        {
            struct port p = open_port(NOOP);
            to_send(&p);
            give(&p);
            close_port(&p);
            return 0;
        }
    case 'b': leave(ABORT, 0);
    case 'f': return (int)ask(OPEN, 0);
    default: return -1;
    }
}
