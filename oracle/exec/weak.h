/* Memory that is as weak as the documents allow: a step loop under which waves see what others
 * write late, in another order, or not at all until they ask for it. Each compute unit has a vector
 * cache that does not follow the others' writes and a queue of requests that reach L2 (which is
 * memory itself) in any order where their lines differ; scalar caches are shared by some compute
 * units. What the program waits for by s_waitcnt has happened; what it does not wait for happens at
 * a time that the seed draws. Rules and sources: oracle/memory-model.md. */
#ifndef ORACLE_EXEC_WEAK_H
#define ORACLE_EXEC_WEAK_H

#include "oracle/exec/exec.h"

/* Memory and caches of one device. All machines that use it run in one thread. */
struct weak;

struct weak_cfg {
    u64 seed;
    u32 cus; /* compute units, 1 or more */
    /* Memory that each work-group has for itself at the same address: it is not cached. */
    u64 private_base, private_size;
};

/* ST_WORLD if memory is short. */
enum status weak_open(struct weak **out, const struct weak_cfg *cfg, struct err *e);
void weak_close(struct weak *s); /* after its machines; NULL is nothing */

/* The machine's memory is s from now on; its engine has to use exec_ops_weak. machine_close leaves
 * it. ST_WORLD if memory is short. */
enum status weak_join(struct weak *s, struct machine *m, struct err *e);
void weak_leave(struct machine *m);

/* Begins anew with a work-group: nothing of it is under way. machine_reset does that. */
void weak_reset(struct machine *m);

/* The compute unit on which the machine's work-group runs, any number; at first 0. */
void weak_place(struct machine *m, u32 cu);

/* Memory gets all that is under way. What scalar stores left in a cache without writing it back
 * may be lost. */
void weak_end(struct weak *s);

/* A new device with the memory of the old: caches are empty, nothing is under way, and the draw
 * begins anew. */
void weak_restart(struct weak *s, u64 seed);

/* For machines with weak_join. */
extern const struct exec_ops exec_ops_weak;

#endif
