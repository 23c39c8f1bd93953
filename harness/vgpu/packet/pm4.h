/* PM4, the packets of the command processor: names, decoding with every check that can be made
 * without executing, printing. Used by the virtual GPU and by whoever builds packets for a real
 * one. */
#ifndef HARNESS_VGPU_PACKET_PM4_H
#define HARNESS_VGPU_PACKET_PM4_H

#include "oracle/isa/isa.h"

enum { PM4_BODY_MAX = 0x3fff };

enum pm4_op {
#define PM4(gens, pipes, opcode, name, least, most) PM4_##name = opcode,
#define PM4_ALSO(gens, pipes, name, least, most)
#define PM4_DW(gens, name, index, field, mask)
#include "harness/vgpu/packet/pm4.def"
#undef PM4
#undef PM4_ALSO
#undef PM4_DW
};

/* Who takes a packet: the graphics ring, compute rings. */
enum pm4_pipes { PM4_ME = 1, PM4_MEC = 2, PM4_ANY = 3 };

/* What differs between generations beside packets and registers. */
struct pm4_generation {
    u32 va_bits;        /* of an address */
    u32 copy_bits;      /* of DMA_DATA's count of bytes */
    u32 copy_flags;     /* what may stand above them */
    u32 copy_nowhere;   /* its destination that is none; 0: there is no such */
    bool pairs_actions; /* a release may only have certain cache actions together */
    u32 all_sgprs;      /* PGM_RSRC1.SGPRS of a wave that has all */
    u32 sdma_major, sdma_minor;
    u32 sdma_less; /* what a count of the copy engines is less than what it counts */
};

/* NULL: none of its chips is known. */
const struct pm4_generation *pm4_generation(enum gen gen);

/* Offsets of registers for SET_SH_REG, the first of each row. */
enum sh_reg {
#define SH_REG(gens, offset, count, name, mask) SH_##name = offset,
#define SH_ALSO(gens, name, mask)
#define UCONFIG(gens, offset, count, name, mask)
#define SH_GRAPHICS(gens, offset, count, name)
#define UCONFIG_GRAPHICS(gens, offset, count, name)
#include "harness/vgpu/packet/shreg.def"
#undef SH_REG
#undef SH_ALSO
#undef UCONFIG
#undef SH_GRAPHICS
#undef UCONFIG_GRAPHICS
    SH_FIRST = 0x200,
    SH_END = 0x250
};

/* Headers: type 3 with `body` dwords behind it. Bit 1 says that it is for the compute pipe. */
#define PM4_HEADER(op, body) (3u << 30 | (u32)((body)-1) << 16 | (u32)(op) << 8)
#define PM4_COMPUTE          2u
#define PM4_FILL             0xffff1000u /* a NOP of one dword */

/* Fields of packets and registers that builders and the virtual GPU share. */
enum {
    PM4_ICACHE_INV = 1 << 29, /* ACQUIRE_MEM and SURFACE_SYNC coher_cntl */
    PM4_KCACHE_INV = 1 << 27,
    PM4_TC_INV = 1 << 23,
    PM4_TCL1_INV = 1 << 22,
    PM4_TC_WB = 1 << 18,
    PM4_EVENT_CS_PARTIAL_FLUSH = 7,
    PM4_EVENT_CACHE_FLUSH_AND_INV_TS = 0x14,
    PM4_EVENT_BOTTOM_OF_PIPE_TS = 0x28,
    PM4_EVENT_CS_DONE = 0x2f,
    PM4_COMPUTE_SHADER_EN = 1, /* initiator */
    PM4_PARTIAL_TG_EN = 2,
    PM4_FORCE_START_AT_000 = 4,
    PM4_USE_THREAD_DIMENSIONS = 32
};

struct pm4_packet {
    u8 gen; /* enum gen */
    u8 pipes;
    u32 op;
    u32 dw; /* length with the header; 1 for a filler, with op NOP and no body */
    const u32 *body;
    u32 body_dw;
    bool is_compute;
};

/* Decodes the packet at ib[at] as the generation does; `dw` is the length of the whole buffer.
 * ST_INPUT: it is none: an unknown opcode, a bit set that must not be, a length that no such packet
 * has or that is not there. */
enum status pm4_decode(enum gen gen, const u32 *ib, u32 dw, u32 at, struct pm4_packet *p,
                       struct err *e);

/* Dwords that must stand behind the header of the generation's packet; 0: it has none. */
u32 pm4_least(enum gen gen, u32 op);

/* A packet on one line: name, named fields, registers by name. */
void pm4_print(const struct pm4_packet *p, struct text *t);

/* The register's name, "USER_DATA_3", into t, and the bits it may have; false if no register of the
 * generation has this offset. */
bool pm4_sh_reg(enum gen gen, u32 offset, u32 *mask, struct text *t);

#endif
