/* Running programs. Three modules: engine_ (engine.c), the functions that rows became; machine_
 * (machine.c, prepare.c), waves, LDS, log and a program; exec_ (exec.c), the step loop. A machine
 * allocates when it is opened and when a longer program is loaded, never while stepping. */
#ifndef ORACLE_EXEC_EXEC_H
#define ORACLE_EXEC_EXEC_H

#include "oracle/sem/operand.h"
#include "oracle/state/allocated.h"
#include "oracle/state/mem.h"

#include <pthread.h>

struct machine;

/* The step loop; a mutant replaces it. */
struct exec_ops {
    /* Executes up to `limit` instructions of one wave, until it stops. Returns w->stop, STOP_NONE
     * if it merely reached the limit. */
    enum stop (*run)(struct machine *m, struct wave *w, u64 limit);
    /* Lets memory get what waves have sent on the way. Whether that changed anything. NULL: memory
     * has it at once. */
    bool (*drain)(struct machine *m);
    /* A hash of what comes of instructions that a wave has under way, as far as memory was accessed. NULL:
     * nothing is ever under way. */
    u64 (*hash)(const struct machine *m, const struct wave *w);
};
extern const struct exec_ops exec_ops;
/* For machines that share memory and run in threads of their own: machine.shared is set. */
extern const struct exec_ops exec_ops_shared;

/* Executes an instruction of a wave whose w->special is not 0: vector instructions may be skipped
 * or have their register numbers indexed, and a trap may follow. Vega ISA, chapters 3 (MODE, trap
 * registers) and 6 (VGPR indexing). */
void exec_special(struct wave *w, const struct xinsn *in);

/* Whether MODE adds an index to the numbers of vector registers of this instruction; *out is then
 * the instruction that names the registers which are meant (those that would be out of range as
 * they stand). Vega ISA, chapter 6 (VGPR indexing). */
bool exec_indexed(const struct wave *w, const struct insn *in, struct insn *out);

/* What executes instructions. Filled by engine_open; a mutant changes one entry. */
struct engine {
    const char *name;
    sem_fn *sem[OPS_MAX]; /* NULL where not modelled */
    const struct operand_ops *operand;
    const struct exec_ops *exec;
};

/* "ref": integers only, runs everywhere. "host": float rows on the host's SIMD where that is
 * bit-identical, else as ref; the same as ref on a CPU without AVX2 and FMA. ST_INPUT for any other
 * name, ST_WORLD on a CPU for which the program has no rows (built with ROWS=native). */
enum status engine_open(struct engine *eng, const char *name, struct err *e);

/* Makes rows and operands those that are compiled for any CPU; not there in a build with ROWS=native. */
void engine_make_portable(struct engine *eng);

/* What waves of different work-groups share beside memory, and what holds their program. */
struct common {
    u32 machines;
    u32 *code;
    struct xinsn *prepared;
    u8 *ready;
    struct lds gds;
    struct gws gws;
};

/* Memory that is each wave's own: bytes for as many waves as there are, one after the other. What
 * only its wave sees is part of that wave's state. */
struct private_memory {
    u64 address, wave_size; /* 0: there is none */
    const u8 *bytes;        /* the caller's */
};

struct machine {
    const struct isa *isa;
    const struct engine *engine;
    u32 waves; /* in use, 1..waves_max */
    u32 waves_max;
    struct wave **wave; /* waves_max of them, in one block */
    void *block;
    struct lds *lds;
    struct lds *gds;         /* the machine's own, or that of another (machine_share) */
    struct gws *gws;         /* the same */
    struct common *common;   /* what holds these two, and the program */
    pthread_mutex_t *shared; /* held during atomics by exec_ops_shared; the caller's */
    struct memory mem;
    struct wlog log;
    u64 base; /* address of the program, bytes */
    u32 code_dw, code_max;
    u32 *code;
    struct xinsn *prepared;    /* by dword offset */
    u8 *ready;                 /* 1: prepared[i] is filled */
    struct plain_table *plain; /* what is known of rows and forms so far */
    /* Sees to it that code[at], and what of an instruction follows, is there before it is decoded, and
     * answers false if it cannot be; NULL: all is there. */
    bool (*bring)(void *ctx, u32 at);
    void *bring_ctx;
    struct delay *delay;        /* of each wave, after delay_open; else NULL */
    struct weak_machine *weak;  /* after weak_join; else NULL */
    struct spin *spin;          /* of each wave: what a schedule knows of its waits */
    struct allocated allocated; /* to each wave */
    struct private_memory private;
};

struct machine_cfg {
    u32 waves_max;
    u32 log_entries; /* 0: nothing is logged */
    u32 log_dw;
};

/* ST_WORLD if memory is short. isa and engine must outlive the machine. */
enum status machine_open(struct machine **m, const struct isa *isa, const struct engine *engine,
                         const struct machine_cfg *cfg, struct err *e);
void machine_close(struct machine *m);

/* Loads a program (copied; NULL: brought as it is executed) at address `base`; forgets what was prepared of the one before, what it
 * left in GDS and in global wave sync. Not for machines that share. */
enum status machine_load(struct machine *m, const u32 *code, u32 dw, u64 base, struct err *e);

/* Adds a window; the bytes stay the caller's. ST_INPUT if there are too many or it overlaps
 * another. */
enum status machine_window(struct machine *m, u64 base, void *bytes, u64 size, bool read_only,
                           struct err *e);

/* From now on the machine has the program, the GDS and the global wave sync of `other`; the one of
 * the two that is closed last frees them. Machines that share run in one thread. Takes effect with the next
 * machine_reset. */
void machine_share(struct machine *m, const struct machine *other);

/* Resets waves 0..waves-1 (wave_reset), points them at the machine's memory, LDS and log, zeroes
 * `lds_size` bytes of LDS and empties the log. */
void machine_reset(struct machine *m, u32 waves, u32 lds_size);

/* Runs every wave to its end: wave by wave up to the next barrier, in order, again and again (other
 * orders: schedule.h). Returns STOP_END if all ended, else why the first wave that could not go on
 * stopped; *who is its number. */
enum stop machine_run(struct machine *m, u64 max_steps, u32 *who);

/* Executes one instruction of wave w. */
enum stop machine_step(struct machine *m, struct wave *w);

/* The instruction at the wave's PC, or NULL if PC is outside the program or the dwords are no
 * instruction (then w->stop and w->why say so). */
const struct xinsn *machine_prepare(struct machine *m, struct wave *w);
static inline const struct xinsn *machine_fetch(struct machine *m, struct wave *w)
{
    u64 at = (w->pc - m->base) / 4;
    if (at < m->code_dw && m->ready[at] && (w->pc & 3) == 0)
        return &m->prepared[at];
    return machine_prepare(m, w);
}

/* The instruction at the wave's PC, which then stands behind it: what every step loop begins with.
 * NULL as from machine_prepare. */
static inline const struct xinsn *machine_next(struct machine *m, struct wave *w)
{
    const struct xinsn *in = machine_fetch(m, w);
    if (in) {
        w->stop_pc = w->pc;
        w->pc += in->insn.dw * 4u;
    }
    return in;
}

/* Executes a prepared instruction behind which PC already stands. */
static inline void exec_insn(struct wave *w, const struct xinsn *in)
{
    if (!w->special)
        in->sem(w, in);
    else
        exec_special(w, in);
}

/* "ended", "not modelled", ...: an enum stop in words. */
const char *machine_stop_text(enum stop stop);

#endif
