/* Rules over sequences of instructions that no single instruction shows: wait states between
 * dependent instructions (oracle/rule/hazard.def), memory results waited for, control flow that
 * ends. The generator asks before it emits, the shrinker keeps candidates valid with it. Vega ISA,
 * chapter 4 (manually inserted wait states). */
#ifndef ORACLE_RULE_RULE_H
#define ORACLE_RULE_RULE_H

#include "oracle/insn/insn.h"

enum rule_hazard {
#define HAZARD(name, gens, label, first, second, waits, text) HZ_##name,
#include "oracle/rule/hazard.def"
#undef HAZARD
    HZ_COUNT
};

enum { HAZARD_FOREVER = 255 };

struct rule_hazard_info {
    const char *name;
    const char *label; /* of findings */
    const char *text;  /* what must not follow what */
    u8 waits;          /* wait states between the two; HAZARD_FOREVER */
};
extern const struct rule_hazard_info rule_hazards[HZ_COUNT];

/* Whether the processor has the hazard. */
bool rule_has_hazard(const struct isa *isa, enum rule_hazard hazard);

/* A program at an address; the instructions stand one after the other from code[0] on. */
struct rule_program {
    const u32 *code;
    u32 dw;
    u64 pc;        /* address of code[0] */
    bool may_loop; /* backward branches need not be counted loops (code that others wrote) */
    bool lint;     /* only what the processor needs counts, as in struct rule_state */
};

/* Whether on every path hazards have their wait states, memory results are waited for before they
 * are read, overwritten, a barrier is reached or the program ends, and (unless may_loop) every path
 * ends. ST_INPUT with the offset, the instruction and the rule in e; also if the program does not
 * decode, or jumps where it cannot be followed: indirect jumps are followed if their target comes
 * from s_getpc, s_call or s_swappc and constants. */
enum status rule_check(const struct isa *isa, const struct rule_program *p, struct err *e);

/* ---- step by step: what the generator uses ---- */

enum { RULE_SGPRS = 128, RULE_VGPRS = 256, RULE_HWREGS = 64 };

/* Registers by place: s0 and so on, v0 and so on. */
struct rule_set {
    u64 bits[(RULE_SGPRS + RULE_VGPRS) / 64];
};

/* Memory instructions of one kind that follow each other: what each of the last ones writes and
 * reads. As far back as LLVM looks: five, or nineteen in functions that use the matrix core or call
 * others, which may. */
enum { RULE_CLAUSE = 5, RULE_CLAUSE_MATRIX = 19 };
struct rule_clause {
    u8 kind;   /* 0: none; of clause.c */
    u16 count; /* instructions; the last ones stand at count % RULE_CLAUSE_MATRIX */
    struct rule_set write[RULE_CLAUSE_MATRIX], read[RULE_CLAUSE_MATRIX];
};

enum { RULE_EXPORTS = 5 }; /* pixels, position, parameters, GDS, stores */

/* What earlier instructions left behind at one point of a program. Plain data. Times count wait
 * states.
 *
 * The generator keeps more distance than the processor asks for, so that a device that is a little
 * different still agrees. With `lint` only what the processor needs counts: nothing has to arrive
 * before the program ends; stores count as vector memory instructions and come back in the order of
 * the loads (LLVM counts on it); results of the same kind may follow each other into one register;
 * what vector memory loads into LDS need not wait for LDS accesses, and need not arrive at the end;
 * scalar memory instructions need not wait for a scalar store or atomic, nor these for them;
 * a wide store with a scalar offset, or of an image with a resource of 256 bits, needs no distance;
 * every vector source of a DPP instruction counts as read by DPP, as LLVM has it;
 * VCC as a source is not its alias (no compiler has that hazard, the alias being another number);
 * and a scalar load of both halves of VCC renews VCCZ. Clauses that XNACK replays are looked at
 * with `lint` only. */
struct rule_state {
    bool lint;   /* judges code that others wrote: set it after rule_start */
    bool replay; /* memory instructions may be replayed (XNACK); with lint */
    bool matrix; /* the function uses the matrix core or calls others; with lint */
    u8 gens;     /* generations whose rules hold besides those of each instruction's own, bits */
    u32 now;
    /* The latest times of the registers below: where none of them is recent, they need not be looked at. */
    u32 valu_sgpr_last, salu_sgpr_last, valu_vgpr_last, wide_store_last, setreg_last;
    u32 valu_sgpr[RULE_SGPRS]; /* when VALU wrote it */
    u32 salu_sgpr[RULE_SGPRS]; /* when SALU wrote it */
    u32 valu_vgpr[RULE_VGPRS];
    u32 wide_store[RULE_VGPRS]; /* when a wide store took its data from it */
    u32 setreg[RULE_HWREGS];
    u32 setreg_skip;
    u32 salu_m0;
    u32 salu_m0_move; /* the same without s_set_gpr_idx_* */
    bool vccz_stale;
    /* A scalar memory instruction has come back since VCC was written, or may (gfx6, gfx7). */
    bool vccz_spoilt;
    bool gpr_idx;   /* s_set_gpr_idx_on was executed, and not yet s_set_gpr_idx_off */
    u8 icache_left; /* s_nop that are still to follow s_icache_inv */
    bool acc;       /* the matrix core was used */
    u32 acc_move;   /* the last v_accvgpr_read or v_accvgpr_write */
    /* Memory results. Instructions of a counter are numbered from 1; those up to `done` have
     * finished. */
    u32 vm_now, vm_done, lgkm_now, lgkm_done;
    /* Number of the instruction that will write it; 0: none. */
    u32 vm[RULE_VGPRS], lgkm[RULE_VGPRS];
    u32 lds_last; /* number of the last LDS access */
    /* Of the last FLAT access: from there on only a count of 0 says anything. */
    u32 flat_last_vm, flat_last_lgkm;
    u32 smem_last;              /* of the last scalar memory instruction, likewise */
    u32 smem_write;             /* of the last scalar store or atomic */
    u32 gds_last, message_last; /* several kinds have no order among each other either */
    u32 dma_last;               /* vector memory instruction that loads into LDS */
    /* What takes its data from vector registers later: exports, GDS and, on gfx6, stores. */
    u32 exp_now, exp_done;
    u32 exp[RULE_VGPRS];
    u32 exp_last[RULE_EXPORTS]; /* of each kind */
    u32 store_last;             /* number of the last store among vector memory instructions */
    /* The scalar cache holds what s_store wrote, and nothing has written it back. */
    bool scalar_dirty;
    u32 smem[RULE_SGPRS];
    /* Scalar registers whose value is known: for jumps through registers. */
    u64 known[RULE_SGPRS / 64];
    u32 value[RULE_SGPRS];
    bool scc_known, scc;
    /* From here on, more than half of a state, what most programs have nothing of, and what is neither
     * cleared nor copied without: members for all programs stand above. */
    struct rule_clause clause;
    /* The matrix core: only if acc. Indexes of the second dimension: 0 any v_mfma, 1 of 8 passes, 2 of
     * 16. */
    u32 acc_write[RULE_VGPRS];
    u32 acc_to_vgpr[RULE_VGPRS]; /* when v_accvgpr_read wrote the vector register */
    u32 mfma[3][RULE_VGPRS];
    u32 mfma_c[3][RULE_VGPRS];  /* when v_mfma read it as SrcC */
    u16 mfma_range[RULE_VGPRS]; /* last written as the first of so many registers, in so many passes
                                   (upper byte); 0: otherwise */
};

/* What must be put in front of an instruction. */
struct rule_need {
    u32 nops;  /* wait states; 0: none */
    u32 vmcnt; /* at most this many outstanding; RULE_NO_WAIT */
    u32 lgkmcnt;
    u32 expcnt;
    bool vcc;                /* VCC has to be written anew by s_mov_b64 vcc, vcc or the like */
    enum rule_hazard hazard; /* one that asks, where nops or vcc is set */
    /* The registers that ask, as places: for the hazard (for s_getreg and s_setreg the number of
     * the hardware register), and for either counter. */
    u16 place, vm_place, lgkm_place, exp_place;
};
enum { RULE_NO_WAIT = 255 };

/* Whether a scalar memory instruction may not have come back. */
static inline bool rule_scalar_under_way(const struct rule_state *st)
{
    return st->smem_last > st->lgkm_done;
}

/* Nothing is under way, no register is known. The caller sets st->lint, st->replay and
 * st->gens. */
void rule_start(struct rule_state *st);
/* As *to = *from, in less time: what is not in use is not copied. */
void rule_copy(struct rule_state *to, const struct rule_state *from);
/* What `in` needs before it in this state. True if that is anything. */
bool rule_need(const struct rule_state *st, const struct insn *in, struct rule_need *need);
/* True if anything is. */
static inline bool rule_asks(const struct rule_need *need)
{
    return need->nops || need->vcc || need->vmcnt != RULE_NO_WAIT ||
           need->lgkmcnt != RULE_NO_WAIT || need->expcnt != RULE_NO_WAIT;
}
/* Whether the wave ends with `in` while the scalar cache alone holds what it stored: the cache does
 * not write back by itself. Guide, Memory Model GFX6-GFX9 (scalar writes). */
bool rule_loses_stores(const struct rule_state *st, const struct insn *in);
/* The waits after which no register has a result under way. True if there are any. */
bool rule_need_all(const struct rule_state *st, struct rule_need *need);
/* Moves the state over an instruction that stands at address `pc`. */
void rule_step(struct rule_state *st, const struct insn *in, u64 pc);
/* The two for who knows effects_of(in) already (oracle/state/effects.h). */
struct effects;
bool rule_need_with(const struct rule_state *st, const struct insn *in, const struct effects *fx,
                    struct rule_need *need);
void rule_step_with(struct rule_state *st, const struct insn *in, const struct effects *fx, u64 pc);
/* Makes *st cover both states: a point that is reached from two places. True if *st changed. */
bool rule_merge(struct rule_state *st, const struct rule_state *from);

/* s_waitcnt's immediate for these counts; RULE_NO_WAIT leaves a counter alone. Vega ISA,
 * chapter 4.4. */
u32 rule_waitcnt(enum gen gen, u32 vmcnt, u32 lgkmcnt);

#endif
