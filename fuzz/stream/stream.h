/* A stream: a program for one work-group, and all that it starts from. fuzz/gen/gen.h makes them. */
#ifndef FUZZ_STREAM_STREAM_H
#define FUZZ_STREAM_STREAM_H

#include "oracle/state/state.h"

enum {
    STREAM_DW_MAX = 1536, /* dwords of a program */
    STREAM_WAVES_MAX = 4,
    STREAM_WINDOWS_MAX = 5,
    STREAM_WINDOW_MAX = 8192,  /* bytes of a memory window */
    STREAM_SETS_MAX = 1024,    /* registers set, over all waves */
    STREAM_VALUES_MAX = 24576, /* dwords of their values */
    STREAM_LDS_MAX = 65536     /* bytes */
};

/* One register set before the start: its value is values[at], or values[at..at+63] for a vector
 * register. Places are those of oracle/state/state.h, which are also those of a job. */
struct stream_set {
    u16 wave;
    u16 place;
    u32 at;
};

/* The plug-in's header has structs like these two of its own (harness/sdk/gcncheck_dut.h): it
 * depends on nothing, and this layer not on it. */
struct stream_window {
    u64 address;    /* GPU address of bytes[0] */
    u32 size;       /* bytes */
    bool read_only; /* the program only loads from it */
    u8 bytes[STREAM_WINDOW_MAX];
};

enum { STREAM_PLACE_WORDS = (PLACE_COUNT + 63) / 64 };

/* About 200 KiB; the owner allocates it. Only the counted parts of the arrays have meaning. */
struct stream {
    const char *mcpu;
    u64 seed;      /* of the campaign */
    u64 number;    /* which of the streams with this focus */
    u16 focus;     /* isa_op */
    u16 waves;     /* 1..STREAM_WAVES_MAX, one work-group */
    u32 features;  /* GEN_ bits (fuzz/gen/gen.h) that the stream makes use of */
    u32 max_steps; /* instructions that one wave executes at most, s_endpgm included */
    u64 pc;        /* address of code[0] */
    /* Seed for the registers that are not set (gcncheck_poison); what is generated reads none of
     * them. */
    u64 poison;
    u32 code_dw;
    u32 set_count;
    u32 value_dw;
    u32 window_count;
    u32 lds_size; /* bytes */
    /* What instructions may write, a bit for each place: of the program as it was drawn, and on the
     * generation that it was drawn for. */
    u64 written[STREAM_PLACE_WORDS];
    u32 code[STREAM_DW_MAX];
    struct stream_set set[STREAM_SETS_MAX];
    u32 values[STREAM_VALUES_MAX];
    struct stream_window window[STREAM_WINDOWS_MAX];
    u8 lds[STREAM_LDS_MAX];
};

/* A hash over everything that decides what a stream does (not over seed, focus, number,
 * features). */
u64 stream_hash(const struct stream *s);

/* Copies what has meaning: a tenth of the bytes, mostly. Neither is freed, and they are not the same. */
void stream_copy(struct stream *to, const struct stream *from);

/* The value of a set register: 1 dword, or 64 for a vector register; NULL if it is not set. */
u32 *stream_value(struct stream *s, u32 wave, u32 place);

#endif
