/* Packets of gdb's remote serial protocol over a socket or a pair of files: framing, checksums,
 * acknowledgement, retransmission. Rules: "Debugging with GDB", appendix E, Overview. */
#ifndef HARNESS_LAUNCH_DEBUG_GDB_LINK_H
#define HARNESS_LAUNCH_DEBUG_GDB_LINK_H

#include "oracle/base/base.h"

enum { GDB_PACKET_MAX = 16384 }; /* bytes of a packet's contents, either way */

struct gdb_link {
    int in, out;
    bool no_ack;    /* after QStartNoAckMode */
    bool is_broken; /* the client is gone, or sends what is no packet */
    const char *broken;
    u8 buffer[4096]; /* read ahead */
    u32 at, have;
    char packet[GDB_PACKET_MAX + 1]; /* received, ended by 0 */
    u32 length;
    char last[2 * GDB_PACKET_MAX + 8]; /* sent, as it went out */
    u32 last_length;
};

/* Connects with the one client that comes. ST_INPUT, ST_WORLD as debug_open_gdb. */
enum status gdb_link_open(struct gdb_link *l, const char *where, struct err *e);
void gdb_link_close(struct gdb_link *l);

/* The next good packet; others are asked for again. False: there will be none. An interrupt (byte 3)
 * is the packet "\003". */
bool gdb_link_next(struct gdb_link *l);

/* Sends `length` bytes, which may be any, and waits for the acknowledgement. */
void gdb_link_send(struct gdb_link *l, const char *bytes, u32 length);

/* Whether an interrupt waits, or the client is gone; does not wait itself. */
bool gdb_link_is_interrupted(struct gdb_link *l);

#endif
