/* gcncheck plug-in interface: how an emulator shows itself to gcncheck as a device under test
 * (DUT).
 *
 * Build a shared object that exports
 *
 *     const struct gcncheck_dut *gcncheck_dut(void);
 *
 * and run   gcncheck run --mcpu gfx900 --dut plugin:./my.so cases
 *
 * gcncheck hands over arrays of jobs. A job is a small program, the state it starts from, and a
 * list of places to read back. Everything is plain data that gcncheck owns; the plug-in writes only
 * `outcome`, `reason`, the read-back values and the bytes of memory windows and LDS. This header
 * depends on nothing but <stdint.h> and compiles as C99 and C++.
 *
 * A DUT need not be complete: answer GCNCHECK_UNSUPPORTED with the mnemonic in `reason` for what it
 * lacks and NO from can() for state it cannot set or show. Such cases are skipped or narrowed and
 * counted, never failed. s_endpgm, s_nop and s_waitcnt are worth implementing first: every program
 * ends in the first, random programs are padded with the second, and what touches memory is
 * followed by the third.
 *
 * What every job takes for granted:
 *
 * - MODE is 0x3f0 unless the job says otherwise: round to nearest even, denormals kept in all
 *   sizes, DX10_CLAMP and IEEE on. Jobs always set it.
 * - FLAT addresses 0x0001000000000000 and the 4 GiB from there are LDS (shared), those from
 *   0x0002000000000000 are private memory; all others are global. The low 32 bits are the byte in
 *   LDS or in the lane's private memory. src_shared_base and src_private_base hold these bases.
 * - FLAT_SCRATCH is a 64-bit byte address. Byte b of lane l's private memory is at
 *   FLAT_SCRATCH + b / 4 * 256 + l * 4 + b % 4: the dwords of the 64 lanes lie side by side, also
 *   for SCRATCH instructions. That memory is in a window as all other memory is.
 * - Where no window is, loads give 0, stores are dropped, bit 8 of TRAPSTS (mem_viol) is set but
 *   for scalar accesses, and the program goes on. DS beyond lds_size does the same without the bit,
 *   FLAT into LDS beyond it with the bit. Random programs never do this; few cases do.
 * - FLAT, GLOBAL and SCRATCH loads and stores work at any alignment.
 * - No program holds what is not an instruction of the processor. */
#ifndef GCNCHECK_DUT_H
#define GCNCHECK_DUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GCNCHECK_DUT_ABI 1

/* A place is one register, named by the ISA's own operand codes, so no second register map is
 * needed:
 *
 * - 0 to 101: s0 to s101
 * - 102, 103: flat_scratch_lo, flat_scratch_hi
 * - 104, 105: xnack_mask_lo, xnack_mask_hi
 * - 106, 107: vcc_lo, vcc_hi
 * - 108 to 123: ttmp0 to ttmp15
 * - 124: m0
 * - 126, 127: exec_lo, exec_hi
 * - 256 to 511: v0 to v255, 64 dwords each
 * - 512 to 767: a0 to a255, 64 dwords each, only if the processor has them: gfx900 has none, and no
 *   job names one
 *
 * These are the codes of gfx9; earlier processors have their own. 102 and 103 are s102 and s103 on
 * gfx6 and gfx7, where flat_scratch is 104 and 105 (gfx7) or nowhere (gfx6). Up to gfx8 108 to 111
 * are tba and tma, and 112 to 123 ttmp0 to ttmp11. What is said below of a class of registers
 * ("102 flat_scratch") goes by the number, whatever it is called there.
 *
 * and, beyond the operand codes, those below. */
enum gcncheck_place {
    GCNCHECK_VCC_LO = 106,
    GCNCHECK_VCC_HI = 107,
    GCNCHECK_M0 = 124,
    GCNCHECK_EXEC_LO = 126,
    GCNCHECK_EXEC_HI = 127,
    GCNCHECK_V0 = 256,
    GCNCHECK_A0 = 512,
    GCNCHECK_SCC = 768, /* 0 or 1 */
    GCNCHECK_MODE = 769,
    GCNCHECK_STATUS = 770,
    GCNCHECK_TRAPSTS = 771,
    GCNCHECK_PC_LO = 772,
    GCNCHECK_PC_HI = 773,
    GCNCHECK_TBA_LO = 774, /* address of the trap handler, inside the code; 0: there is none */
    GCNCHECK_TBA_HI = 775,
    GCNCHECK_PLACES = 776
};

/* Dwords of a place's value. */
#define GCNCHECK_PLACE_DW(place) ((place) >= GCNCHECK_V0 && (place) < GCNCHECK_SCC ? 64u : 1u)

/* What can() answers. */
enum gcncheck_can { GCNCHECK_NO = 0, GCNCHECK_SHOW = 1, GCNCHECK_SHOW_SET = 3 };

/* How a job ended. DONE: s_endpgm was reached by every wave. Only after DONE are `out`, the
 * windows' bytes and LDS looked at.
 *
 * UNSUPPORTED is the only other answer that is no failure: the case is skipped, and a random program
 * is judged without the instruction. It is right for everything that the device lacks: an opcode it
 * does not know, one that it knows by name and does not execute, a form, an operand, a field of
 * MODE. ILLEGAL and FAULT fail the job, as every job is a legal program that ends on the model;
 * they are for a device that found out by itself that something is wrong. */
enum gcncheck_outcome {
    GCNCHECK_NOT_RUN = 0, /* what gcncheck fills in; leaving it so means "did not answer" */
    GCNCHECK_DONE = 1,
    GCNCHECK_UNSUPPORTED = 2, /* reason: what is not implemented, e.g. the mnemonic */
    GCNCHECK_ILLEGAL = 3,     /* the DUT holds the program for illegal: a failure */
    GCNCHECK_FAULT = 4,       /* the DUT could not go on: a failure */
    GCNCHECK_LIMIT = 5        /* max_steps instructions of one wave were not enough */
};

/* One value: `place` of wave `wave`. Its GCNCHECK_PLACE_DW(place) dwords start at values[index]
 * (for `set`) or out[index] (for `get`): 1, or 64, lane 0 first, for a vector register. */
struct gcncheck_slot {
    uint16_t wave;
    uint16_t place;
    uint32_t index;
};

/* Memory the program may touch. `bytes` holds the contents before and, when run() returns,
 * after. */
struct gcncheck_window {
    uint64_t address; /* GPU address of bytes[0] */
    uint64_t size;    /* bytes */
    uint8_t *bytes;
};

/* What a wave exports is seen only if a job has memory at this address: a dword with the number of
 * exports so far, and from byte 16 on a record of 1040 bytes for each: a dword with bits 12:0 of
 * the instruction (EN, TARGET, COMPR, DONE, VM), a dword with the number of the wave, EXEC (8
 * bytes), then components x, y, z and w, each 64 dwords, lane 0 first, of which only those are
 * written that are exported. Compressed components stand in the low 16 bits. */
#define GCNCHECK_EXPORTS 0x7e00000000ull

/* All of it is gcncheck's memory, with guards around what may be written: a plug-in that changes
 * anything but outcome, reason, out[], lds[] and the windows' bytes, or writes past them, is
 * reported for this job. */
struct gcncheck_job {
    uint32_t size;        /* sizeof(struct gcncheck_job) */
    uint32_t waves;       /* waves of the one work-group, 1..16; they share memory and LDS */
    const char *mcpu;     /* "gfx900" */
    const uint32_t *code; /* ends in s_endpgm */
    uint32_t code_dw;     /* dwords */
    uint32_t max_steps;   /* instructions a wave may execute */
    uint64_t pc;          /* address of code[0]: results of PC-relative instructions depend on it */
    uint64_t poison; /* seed for every register that no slot of `set` names: gcncheck_poison() */
    const struct gcncheck_slot *set;
    uint32_t set_count;
    uint32_t get_count;
    const struct gcncheck_slot *get; /* what to read back, into out[index] */
    const uint32_t *values;          /* values of `set` */
    uint32_t *out;                   /* values of `get`, written by the plug-in (all of them) */
    struct gcncheck_window *windows;
    uint32_t window_count;
    uint32_t lds_size; /* bytes of LDS the work-group has */
    uint8_t *lds;      /* before and after, lds_size bytes; NULL if lds_size is 0 */
    uint32_t outcome;  /* enum gcncheck_outcome, written by the plug-in */
    char reason[64];   /* NUL-terminated, written by the plug-in for every outcome but DONE */
};

/* The starting value of dword `lane` of a register that the job does not set. Seed 0: zero. Seed 1:
 * a value that names its place (s7 = 0xa0070000, v4 lane 3 = 0xb0040003, a4 lane 3 = 0xc0040003).
 * Any other seed: pseudo-random. VCC, EXEC, M0, SCC and MODE are always among the set values. Up to
 * gfx8 tba and tma, 108 to 111, are 0 without a value. */
static inline uint32_t gcncheck_poison(uint64_t seed, uint32_t place, uint32_t lane)
{
    uint32_t kind = place < GCNCHECK_V0   ? 0xa0000000u
                    : place < GCNCHECK_A0 ? 0xb0000000u
                                          : 0xc0000000u;
    uint32_t name = kind | (place & 255u) << 16 | lane;
    uint64_t z;
    if (seed <= 1)
        return seed ? name : 0;
    z = seed + name * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32 ^ z);
}

/* What a plug-in exports: gcncheck_dut() returns a pointer to one that stays valid. Functions are
 * called from one thread, in a process of their own. What the plug-in prints goes to gcncheck's
 * standard error. */
struct gcncheck_dut {
    uint32_t size; /* sizeof(struct gcncheck_dut) */
    uint32_t abi;  /* GCNCHECK_DUT_ABI */
    const char *name;
    const char *version;

    /* Whether a register class can be shown and set on this processor; returns an enum
     * gcncheck_can. Asked once per class when the plug-in is opened, `place` being the class's
     * first: 0 for s0..s101, 102 flat_scratch, 104 xnack_mask, 106 vcc, 108 ttmp, 124 m0, 126 exec,
     * 256 for all v, 512 for all a (only if the processor has them), then scc, mode, status,
     * trapsts, pc, tba. NULL means that everything but tba can be shown and set. Jobs name only
     * places that can be set in `set` (but for vcc, exec, m0, scc and mode, see above: ignore what
     * you do not have) and only places that can be shown in `get`. */
    int (*can)(const char *mcpu, uint32_t place);

    /* Executes jobs[0..count-1], each from its own starting state. gcncheck chooses how many come
     * at a time. After a crash or a late answer the jobs of that call are run again, one per call,
     * in a new process, to find the guilty one. Returns 0, or non-zero if the DUT cannot go on at
     * all: then it is opened again, and the job during which that happens without an outcome is
     * reported like a crash. */
    int (*run)(struct gcncheck_job *jobs, uint32_t count);

    /* A device that knows only one MODE, such as an emulator that always rounds to nearest and
     * flushes denormals: has_fixed_mode is not 0, and fixed_mode is that MODE as the register would
     * hold it. Jobs then set MODE to this value and to no other. Cases that need another MODE are
     * left out by row and counted as narrowed; what comes out the same under both is judged; random
     * programs run under this MODE on both sides. An instruction that writes a field of MODE which
     * the device does not have should end the job as GCNCHECK_UNSUPPORTED. Both fields may be left
     * out: `size` of a plug-in built without them says so. */
    uint32_t has_fixed_mode;
    uint32_t fixed_mode;
};

const struct gcncheck_dut *gcncheck_dut(void);

#ifdef __cplusplus
}
#endif

#endif
