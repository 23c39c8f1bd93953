#include "harness/launch/debug/gdb_link.h"

#include "harness/io/number.h"
#include "harness/io/stop.h"
#include "harness/launch/debug/gdb_packet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIES = 8, BAD_MAX = 64, INTERRUPT = 3 };

static bool break_off(struct gdb_link *l, const char *why)
{
    if (!l->is_broken)
        l->broken = why;
    l->is_broken = true;
    return false;
}

/* --- the connection --- */

/* *listens: the socket. ST_INPUT for another text, ST_WORLD where there is no such connection. */
static enum status listen_at(const char *where, int *listens, struct err *e)
{
    static const char local[] = "unix:";
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    struct sockaddr_in port = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const char *path = where + sizeof local - 1;
    bool is_local = strncmp(where, local, sizeof local - 1) == 0;
    u64 number = 0;
    if (is_local ? !*path || strlen(path) >= sizeof name.sun_path
                 : !number_u64(where, 0, UINT16_MAX, &number))
        return err_set(e, ST_INPUT, "--gdb %.60s: neither a port nor unix:PATH nor -", where);
    int s = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    port.sin_port = htons((u16)number);
    if (is_local)
        snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    int on = 1;
    if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(s, is_local ? (void *)&name : (void *)&port, is_local ? sizeof name : sizeof port) !=
            0 ||
        listen(s, 1) != 0) {
        err_set(e, ST_WORLD, "--gdb %.60s: %s", where, strerror(errno));
        if (s >= 0)
            close(s);
        return ST_WORLD;
    }
    socklen_t size = sizeof port;
    if (!is_local && getsockname(s, (void *)&port, &size) == 0)
        fprintf(stderr, "gdb: listening on 127.0.0.1:%u\n", ntohs(port.sin_port));
    else
        fprintf(stderr, "gdb: listening on %s\n", where);
    *listens = s;
    return ST_OK;
}

enum status gdb_link_open(struct gdb_link *l, const char *where, struct err *e)
{
    *l = (struct gdb_link){ .in = -1, .out = -1 };
    if (strcmp(where, "-") == 0) {
        /* What else prints must not disturb the packets. */
        fflush(stdout);
        signal(SIGPIPE, SIG_IGN);
        l->in = dup(STDIN_FILENO);
        l->out = dup(STDOUT_FILENO);
        return l->in >= 0 && l->out >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
                   ? ST_OK
                   : err_set(e, ST_WORLD, "--gdb -: %s", strerror(errno));
    }
    int s = -1;
    enum status st = listen_at(where, &s, e);
    if (st != ST_OK)
        return st;
    do
        l->in = l->out = accept4(s, NULL, NULL, SOCK_CLOEXEC);
    while (l->in < 0 && errno == EINTR && !stop_requested());
    if (strncmp(where, "unix:", 5) == 0)
        unlink(where + 5);
    close(s);
    return l->in >= 0 ? ST_OK : err_set(e, ST_WORLD, "--gdb %.60s: no client came", where);
}

void gdb_link_close(struct gdb_link *l)
{
    if (l->out >= 0 && l->out != l->in)
        close(l->out);
    if (l->in >= 0)
        close(l->in);
    l->in = l->out = -1;
}

/* --- bytes --- */

/* The next byte, or -1: the client is gone. */
static int get_byte(struct gdb_link *l)
{
    while (l->at == l->have) {
        if (l->is_broken || stop_requested())
            return -1;
        ssize_t n = read(l->in, l->buffer, sizeof l->buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            break_off(l, "the client has gone");
            return -1;
        }
        l->at = 0;
        l->have = (u32)n;
    }
    return l->buffer[l->at++];
}

static void put(struct gdb_link *l, const char *bytes, u32 length)
{
    while (length && !l->is_broken) {
        ssize_t n = l->in == l->out ? send(l->out, bytes, length, MSG_NOSIGNAL)
                                    : write(l->out, bytes, length);
        if (n < 0 && errno == EINTR && !stop_requested())
            continue;
        if (n <= 0) {
            break_off(l, "the client has gone");
            return;
        }
        bytes += n;
        length -= (u32)n;
    }
}

/* What stands between '$' and '#' and its checksum. False: it is not as it should be. */
static bool get_packet(struct gdb_link *l)
{
    u8 sum = 0;
    bool escaped = false, fits = true;
    l->length = 0;
    for (int c; (c = get_byte(l)) != '#';) {
        if (c < 0)
            return false;
        if (c == '$') { /* the one before was cut off */
            l->length = sum = 0;
            escaped = false;
            fits = true;
            continue;
        }
        sum = (u8)(sum + c);
        if (c == '}' && !escaped) {
            escaped = true;
            continue;
        }
        fits &= l->length < GDB_PACKET_MAX;
        if (fits)
            l->packet[l->length++] = (char)(escaped ? c ^ 0x20 : c);
        escaped = false;
    }
    l->packet[l->length] = 0;
    int high = get_byte(l), low = get_byte(l);
    if (!fits)
        return break_off(l, "a packet of more than 16384 bytes");
    high = number_hex_digit((char)high);
    low = number_hex_digit((char)low);
    return l->no_ack || (high >= 0 && low >= 0 && high * 16 + low == sum);
}

bool gdb_link_next(struct gdb_link *l)
{
    for (u32 bad = 0, strange = 0; !l->is_broken;) {
        int c = get_byte(l);
        if (c < 0)
            return false;
        if (c == INTERRUPT) {
            memcpy(l->packet, "\003", 2);
            l->length = 1;
            return true;
        }
        if (c == '-' && !l->no_ack && ++bad < BAD_MAX)
            put(l, l->last, l->last_length);
        if (c != '$') {
            if (c != '+' && c != '-' && ++strange > GDB_PACKET_MAX)
                return break_off(l, "what the client sends is no packet");
            continue;
        }
        if (get_packet(l)) {
            if (!l->no_ack)
                put(l, "+", 1);
            return true;
        }
        if (++bad > BAD_MAX)
            return break_off(l, "too many packets with a wrong checksum");
        put(l, "-", 1);
    }
    return false;
}

/* The answer to what was sent: true is '+'. What comes before it is a new packet if it begins one:
 * it is left for gdb_link_next. */
static bool is_taken(struct gdb_link *l)
{
    for (u32 strange = 0; strange < GDB_PACKET_MAX; strange++) {
        int c = get_byte(l);
        if (c == '$')
            l->at--;
        if (c < 0 || c == '+' || c == '$')
            return true;
        if (c == '-')
            return false;
    }
    return break_off(l, "what the client sends is no packet");
}

void gdb_link_send(struct gdb_link *l, const char *bytes, u32 length)
{
    static const char digits[] = "0123456789abcdef";
    u8 sum = 0;
    u32 n = 0;
    l->last[n++] = '$';
    for (u32 i = 0; i < length; i++) {
        char c = bytes[i];
        bool escapes = c == '$' || c == '#' || c == '}' || c == '*';
        if (escapes)
            l->last[n++] = '}';
        l->last[n++] = escapes ? (char)(c ^ 0x20) : c;
    }
    for (u32 i = 1; i < n; i++)
        sum = (u8)(sum + (u8)l->last[i]);
    l->last[n++] = '#';
    l->last[n++] = digits[sum >> 4];
    l->last[n++] = digits[sum & 15];
    l->last_length = n;
    for (u32 i = 0; i < TRIES && !l->is_broken; i++) {
        put(l, l->last, n);
        if (l->no_ack || is_taken(l))
            return;
    }
    break_off(l, "the client takes no answer");
}

bool gdb_link_is_interrupted(struct gdb_link *l)
{
    struct pollfd p = { .fd = l->in, .events = POLLIN };
    if (l->at == l->have && poll(&p, 1, 0) <= 0)
        return false;
    int c = get_byte(l);
    if (c >= 0 && c != INTERRUPT && c != '+')
        l->at--; /* a packet: whoever sends one now wants a stop, too */
    return c != '+';
}
