#include "harness/mutant/slip.h"

#include <ctype.h>
#include <pthread.h>

/* One mutant: a slip, and where it is made. */
struct planted {
    struct exec_ops ops; /* first, so that the step loop finds the rest behind it */
    const struct slip *slip;
    u32 arg;
    u16 op; /* OP_NONE: all rows of `enc` */
    u8 enc;
    char id[64];
};

static const struct slip_file *const files[] = { &slip_registers, &slip_instructions,
                                                 &slip_memory };

/* ---- the step loop ---- */

static bool is_hit(const struct planted *p, const struct xinsn *in)
{
    return p->op ? in->insn.op == p->op : insn_row(&in->insn)->enc == p->enc;
}

/* Every step loop is written out (doubt.c has one like it): an instruction costs no call more. */
static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    const struct planted *p = (const struct planted *)(const void *)m->engine->exec;
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        if (is_hit(p, in)) {
            struct xinsn x = *in;
            p->slip->run(m, w, &x, p->arg);
        } else {
            exec_insn(w, in);
        }
        w->steps++;
    }
    return w->stop;
}

/* ---- several at once ---- */

/* Slips beside other mutants: each takes the place of its rows' functions. Of a process, because a
 * function is told no more than the wave and the instruction. */
static struct {
    const struct planted *at[OPS_MAX];
    struct engine engine;   /* without slips: what a slip executes or prepares in the end */
    struct machine machine; /* has no more than that engine and the processor */
} beside;

static void run_beside(struct wave *w, const struct xinsn *in)
{
    const struct planted *p = beside.at[in->insn.op];
    struct xinsn x = *in;
    x.sem = beside.engine.sem[in->insn.op];
    p->slip->run(&beside.machine, w, &x, p->arg);
}

static void plant_beside(const struct mutant *mu, struct engine *eng)
{
    const struct planted *p = (const struct planted *)(const void *)mu->exec;
    for (isa_op op = 1; op < isa_op_count; op++) {
        bool is_hit = p->op ? op == p->op : isa_rows[op].enc == p->enc;
        /* A slip of a row comes before that of its encoding. */
        if (!is_hit || !eng->sem[op] || eng->sem[op] == run_beside)
            continue;
        beside.at[op] = p;
        eng->sem[op] = run_beside;
    }
}

bool slip_is(const struct mutant *mu)
{
    return mu->exec && mu->class;
}

void slip_plant_beside(const struct mutant *const *mu, u32 count, const struct isa *isa,
                       struct engine *eng)
{
    beside.engine = *eng;
    beside.machine.engine = &beside.engine;
    beside.machine.isa = isa;
    for (u32 pass = 0; pass < 2; pass++)
        for (u32 i = 0; i < count; i++)
            if (slip_is(mu[i]) && (mu[i]->op == OP_NONE) == (pass == 1))
                plant_beside(mu[i], eng);
}

/* ---- the list ---- */

enum { SLIPS_MAX = 16384 };

static struct planted planted[SLIPS_MAX];
static struct mutant made[SLIPS_MAX];
static u32 made_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const struct slip *s, isa_op op, u8 enc, u32 arg, const char *what)
{
    struct planted *p = &planted[made_count];
    struct text t;
    if (made_count == SLIPS_MAX)
        BUG("there are more slips than SLIPS_MAX");
    *p =
        (struct planted){ .ops = { .run = run }, .slip = s, .arg = arg, .op = (u16)op, .enc = enc };
    text_init(&t, p->id, sizeof p->id);
    for (const char *c = op ? isa_rows[op].name : isa_encs[enc].name; *c; c++)
        text_add(&t, "%c", tolower((unsigned char)*c));
    text_add(&t, ".%s", what);
    made[made_count++] = (struct mutant){ .id = p->id,
                                          .class = s->class,
                                          .text = s->text,
                                          .op = p->op,
                                          .enc = enc,
                                          .kind = s->kind,
                                          .exec = &p->ops };
}

/* Whether the slip can be made in the row; its name with what `fits` adds. */
static bool fits(const struct slip *s, const struct isa_row *row, u32 arg, char *what, size_t size)
{
    struct text t;
    text_init(&t, what, size);
    text_add(&t, "%s", s->name);
    return s->fits(row, arg, &t);
}

static void add_rows(const struct slip *s, u32 arg, u8 enc, const struct engine *eng)
{
    char what[64];
    u32 found = 0;
    for (isa_op op = 1; op < isa_op_count; op++) {
        const struct isa_row *row = &isa_rows[op];
        if (row->enc != enc || !eng->sem[op] || !fits(s, row, arg, what, sizeof what))
            continue;
        if (s->scope == SLIP_ENC) {
            add(s, OP_NONE, enc, arg, what);
            return;
        }
        if (found++ % (s->one_in ? s->one_in : 1) == 0)
            add(s, op, enc, arg, what);
    }
}

static void make(void)
{
    static struct engine eng;
    struct err e = { .text = "" };
    if (engine_open(&eng, "ref", &e) != ST_OK)
        BUG(e.text);
    for (u32 f = 0; f < COUNT_OF(files); f++)
        for (u32 i = 0; i < files[f]->count; i++)
            for (u32 arg = 0; arg < files[f]->slip[i].variants; arg++)
                for (u8 enc = 0; enc < ENC_COUNT; enc++)
                    add_rows(&files[f]->slip[i], arg, enc, &eng);
}

const struct mutant *mutant_slips(u32 *count)
{
    pthread_once(&once, make);
    *count = made_count;
    return made;
}
