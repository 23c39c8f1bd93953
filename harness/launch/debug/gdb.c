/* The debugger led by gdb: its remote serial protocol, as far as a model needs it. A thread is a wave,
 * number 16 * work-group + wave + 1; registers are those of target.xml, which this file makes; addresses
 * are those that waves use, LDS in its aperture. "Debugging with GDB", appendices E and G. */
#include "harness/launch/debug/gdb_link.h"
#include "harness/launch/debug/gdb_packet.h"
#include "harness/launch/debug/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SCALARS_MAX = 128, THREADS_AT_ONCE = 256, HALF = GDB_PACKET_MAX / 2 };

/* pc, EXEC, VCC, M0, those from SCC to TRAPSTS, and insn_sgprs at most. */
static_assert(4 + (PLACE_TRAPSTS - PLACE_SCC + 1) + CODE_VCC <= SCALARS_MAX, "scalar registers");

/* A register of target.xml: one place, or two that follow each other. */
struct gdb_register {
    u16 place;
    u8 dw;
};

struct gdb {
    struct gdb_link link;
    struct gdb_register scalar[SCALARS_MAX]; /* before the vector registers */
    u32 scalars, vectors;
    u32 accumulators; /* behind these; 0: the processor has none */
    char *xml;
    size_t xml_length;
    bool is_running; /* the client waits for a stop */
    bool knows_swbreak;
    u64 listed; /* threads of a list that is under way */
    bool is_killed;
    char reply[GDB_PACKET_MAX + 1];
    u32 length;
};

/* --- answers --- */

static void reply(struct gdb *s, const char *text)
{
    s->length = (u32)snprintf(s->reply, sizeof s->reply, "%s", text);
}

static void reply_hex(struct gdb *s, const void *bytes, u32 count)
{
    s->length += gdb_packet_put_hex(s->reply + s->length, bytes, count);
}

/* --- threads --- */

static u64 thread_of(const struct group_run *run, const struct wave *w)
{
    return run->index * MAX_GROUP_WAVES + w->id + 1;
}

static bool choose_thread(struct debugger *g, u64 thread)
{
    for (u32 i = 0; thread && i < g->d->under_way_count; i++) {
        struct group_run *run = g->d->under_way[i];
        for (u32 k = 0; k < run->g.m->waves; k++)
            if (thread_of(run, run->g.m->wave[k]) == thread) {
                g->run = run;
                g->w = run->g.m->wave[k];
                return true;
            }
    }
    return false;
}

/* The next of the threads, which begin with the one that stopped last where `first` is set. */
static void list_threads(struct debugger *g, struct gdb *s, bool first)
{
    u64 at = 0, said = 0;
    if (first)
        s->listed = 0;
    reply(s, "m");
    for (u32 i = 0; i < g->d->under_way_count; i++) {
        const struct group_run *run = g->d->under_way[i];
        for (u32 k = 0; k < run->g.m->waves; k++) {
            bool lives = run->g.m->wave[k]->stop != STOP_END;
            if (!lives || at++ < s->listed || said == THREADS_AT_ONCE)
                continue;
            s->length += (u32)snprintf(s->reply + s->length, 32, "%s%" PRIx64, said ? "," : "",
                                       thread_of(run, run->g.m->wave[k]));
            said++;
        }
    }
    s->listed += said;
    if (!said)
        reply(s, "l");
}

static void describe_thread(struct debugger *g, struct gdb *s, u64 thread)
{
    struct group_run *run = g->run;
    struct wave *w = g->w;
    char text[128];
    if (!choose_thread(g, thread)) {
        reply(s, "E03");
        return;
    }
    int length = snprintf(text, sizeof text, "work-group %u %u %u, wave %u", g->run->group[0],
                          g->run->group[1], g->run->group[2], g->w->id);
    s->length = 0;
    reply_hex(s, text, (u32)length);
    g->run = run;
    g->w = w;
}

/* --- registers --- */

static void add_scalar(struct gdb *s, u32 place, u32 dw)
{
    s->scalar[s->scalars++] = (struct gdb_register){ (u16)place, (u8)dw };
}

static void print_register(FILE *out, const struct debugger *g, const struct gdb_register *r)
{
    char name[PLACE_NAME_MAX];
    enum gen gen = (enum gen)g->d->isa.target->gen;
    if (r->place == PLACE_PC_LO)
        fprintf(out, "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\" regnum=\"0\"/>\n");
    else
        fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"uint%u\"/>\n",
                r->dw == 2 ? place_pair_name(gen, r->place, name) : place_name(gen, r->place, name),
                32u * r->dw, 32u * r->dw);
}

/* The registers that a wave of the kernel has: of vector registers as many as its descriptor says, of
 * those for accumulation as many again. */
static bool describe_registers(const struct debugger *g, struct gdb *s)
{
    FILE *out = open_memstream(&s->xml, &s->xml_length);
    u32 vgprs = g->d->k->desc.vgprs;
    if (!out)
        return false;
    s->vectors = vgprs && vgprs < VGPRS ? vgprs : VGPRS;
    s->accumulators = wave_vgprs(g->w) > VGPRS ? s->vectors : 0;
    add_scalar(s, PLACE_PC_LO, 2);
    add_scalar(s, CODE_EXEC, 2);
    add_scalar(s, CODE_VCC, 2);
    add_scalar(s, CODE_M0, 1);
    for (u32 place = PLACE_SCC; place <= PLACE_TRAPSTS; place++)
        add_scalar(s, place, 1);
    for (u32 i = 0; i < insn_sgprs((enum gen)g->d->isa.target->gen); i++)
        add_scalar(s, i, 1);
    fprintf(out, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
                 "<target version=\"1.0\">\n<feature name=\"gcncheck.wave\">\n"
                 "<vector id=\"lanes\" type=\"uint32\" count=\"64\"/>\n");
    for (u32 i = 0; i < s->scalars; i++)
        print_register(out, g, &s->scalar[i]);
    for (u32 i = 0; i < s->vectors; i++)
        fprintf(out, "<reg name=\"v%u\" bitsize=\"2048\" type=\"lanes\"/>\n", i);
    for (u32 i = 0; i < s->accumulators; i++)
        fprintf(out, "<reg name=\"a%u\" bitsize=\"2048\" type=\"lanes\"/>\n", i);
    fprintf(out, "</feature>\n</target>\n");
    bool kept = !ferror(out);
    return fclose(out) == 0 && kept && s->xml;
}

/* The dwords of register `n`, copied from or to `v`; how many, or 0: there is no such register. */
static u32 copy_register(const struct debugger *g, const struct gdb *s, u64 n, u32 *v, bool sets)
{
    bool is_vector = n >= s->scalars;
    if (n >= (u64)s->scalars + s->vectors + s->accumulators)
        return 0;
    u32 dw = is_vector ? LANES : s->scalar[n].dw;
    u32 index = is_vector ? (u32)n - s->scalars : 0;
    u32 vector = index < s->vectors ? PLACE_V0 + index : PLACE_A0 + index - s->vectors;
    for (u32 i = 0; i < dw; i++) {
        u32 place = is_vector ? vector : s->scalar[n].place + i;
        if (sets)
            wave_set(g->w, place, is_vector ? i : 0, v[i]);
        else
            v[i] = wave_get(g->w, place, is_vector ? i : 0);
    }
    return dw;
}

static void read_registers(const struct debugger *g, struct gdb *s)
{
    u32 v[LANES];
    s->length = 0;
    for (u32 i = 0; i < s->scalars; i++)
        reply_hex(s, v, copy_register(g, s, i, v, false) * 4);
}

static void write_registers(const struct debugger *g, struct gdb *s, const char *hex)
{
    u32 v[LANES], want = 0;
    for (u32 i = 0; i < s->scalars; i++)
        want += s->scalar[i].dw * 4u;
    reply(s, "E01");
    if (strlen(hex) != want * 2 || strspn(hex, "0123456789abcdefABCDEF") != want * 2)
        return;
    for (u32 i = 0; i < s->scalars; i++) {
        gdb_packet_get_hex(hex, v, s->scalar[i].dw * 4u);
        copy_register(g, s, i, v, true);
        hex += s->scalar[i].dw * 8;
    }
    reply(s, "OK");
}

static void one_register(const struct debugger *g, struct gdb *s, const char *text, bool sets)
{
    u32 v[LANES], dw;
    u64 n;
    reply(s, "E01");
    if (!gdb_packet_number(&text, &n) || (sets ? *text++ != '=' : *text != 0) ||
        !(dw = copy_register(g, s, n, v, false)))
        return;
    if (!sets) {
        s->length = 0;
        reply_hex(s, v, dw * 4);
    } else if (strlen(text) == dw * 8 && gdb_packet_get_hex(text, v, dw * 4)) {
        copy_register(g, s, n, v, true);
        reply(s, "OK");
    }
}

/* --- memory --- */

static void read_memory(const struct debugger *g, struct gdb *s, const char *text)
{
    u64 address, size;
    reply(s, "E01");
    if (!gdb_packet_number(&text, &address) || *text++ != ',' || !gdb_packet_number(&text, &size) ||
        *text)
        return;
    if (size > HALF)
        size = HALF;
    reply(s, "E0e");
    for (; size && !debug_bytes(g, address, size, false); size /= 2)
        ; /* what there is may be less than what was asked for */
    if (!size)
        return;
    s->length = 0;
    reply_hex(s, debug_bytes(g, address, size, false), (u32)size);
}

/* M with hexadecimal digits, X with bytes. */
static void write_memory(const struct debugger *g, struct gdb *s, const char *text, bool binary)
{
    u64 address, size;
    u8 bytes[HALF];
    reply(s, "E01");
    if (!gdb_packet_number(&text, &address) || *text++ != ',' || !gdb_packet_number(&text, &size) ||
        *text++ != ':')
        return;
    u64 left = s->link.length - (u64)(text - s->link.packet);
    if (size > HALF || left != (binary ? size : size * 2) ||
        (!binary && !gdb_packet_get_hex(text, bytes, (u32)size)))
        return;
    u8 *at = debug_bytes(g, address, size, true);
    if (size && !at) {
        reply(s, "E0e");
        return;
    }
    if (size)
        memcpy(at, binary ? (const u8 *)text : bytes, size);
    reply(s, "OK");
}

/* --- points --- */

static void change_point(struct debugger *g, struct gdb *s, const char *text, bool adds)
{
    struct debug_point p = { .only = { .from_hit = 1 } };
    u64 type, size;
    reply(s, "E01");
    if (!gdb_packet_number(&text, &type) || *text++ != ',' ||
        !gdb_packet_number(&text, &p.address) || *text++ != ',' ||
        !gdb_packet_number(&text, &size) || (*text && *text != ';'))
        return;
    if (type > 4) {
        reply(s, "");
        return;
    }
    p.kind = type < 2 ? DEBUG_BREAK : DEBUG_MEMORY;
    p.write = type == 2 || type == 4;
    p.read = type == 3 || type == 4;
    p.size = type < 2 ? 0 : size;
    for (u32 i = 0; i < g->points; i++) {
        const struct debug_point *q = &g->point[i];
        if (q->kind != p.kind || q->address != p.address || q->size != p.size ||
            q->read != p.read || q->write != p.write)
            continue;
        if (!adds)
            debug_remove(g, i);
        reply(s, "OK");
        return;
    }
    if (adds && p.kind == DEBUG_BREAK && !debug_is_code(g, p.address))
        reply(s, "E0e"); /* nothing ever comes there */
    else
        reply(s, !adds || debug_add(g, &p) ? "OK" : "E0c");
}

/* --- going on and stopping --- */

static void reply_stop(struct debugger *g, struct gdb *s)
{
    char watch[64] = "";
    u32 signal = g->why == DEBUG_AT_END ? 11 : g->why == DEBUG_AT_INTERRUPT ? 2 : 5;
    if (g->why == DEBUG_AT_POINT && s->knows_swbreak)
        snprintf(watch, sizeof watch, "swbreak:;");
    else if (g->why == DEBUG_AT_WATCH)
        snprintf(watch, sizeof watch, "%s:%" PRIx64 ";",
                 !g->at->read   ? "watch"
                 : g->at->write ? "awatch"
                                : "rwatch",
                 g->at->access.addr);
    s->length = (u32)snprintf(s->reply, sizeof s->reply, "T%02xthread:%" PRIx64 ";%s", signal,
                              thread_of(g->run, g->w), watch);
}

/* An action of vCont. */
struct action {
    bool steps;
    u64 thread; /* 0: any, or all */
};

/* Reads ";c", ";C05", ";s", ";S05", each with ":THREAD" or not, and steps behind it. */
static bool read_action(const char **text, struct action *a)
{
    const char *s = *text;
    u64 signal;
    *a = (struct action){ .thread = 0 };
    if (*s++ != ';' || !*s || !strchr("cCsS", *s))
        return false;
    a->steps = (*s | 32) == 's';
    if (*s == 'C' || *s == 'S') {
        s++;
        if (!gdb_packet_number(&s, &signal))
            return false;
    } else {
        s++;
    }
    if (strncmp(s, ":-1", 3) == 0) {
        s += 3;
    } else if (*s == ':') {
        s++;
        if (!gdb_packet_number(&s, &a->thread))
            return false;
    }
    *text = s;
    return !*s || *s == ';';
}

/* Turns to a thread that has not ended. */
static bool choose_living(struct debugger *g, u64 thread)
{
    struct group_run *run = g->run;
    struct wave *w = g->w;
    if (choose_thread(g, thread) && g->w->stop != STOP_END)
        return true;
    g->run = run;
    g->w = w;
    return false;
}

/* vCont: the first thread that is to step does, the others go on as the schedule says. */
static bool resume(struct debugger *g, struct gdb *s, const char *text)
{
    struct action a, step = { .steps = false };
    do {
        if (!read_action(&text, &a)) {
            reply(s, "E01");
            return false;
        }
        if (a.steps && !step.steps)
            step = a;
    } while (*text);
    if (step.thread && !choose_living(g, step.thread)) {
        reply(s, "E03");
        return false;
    }
    debug_go(g, step.steps ? DEBUG_STEP : DEBUG_CONTINUE, 1);
    return true;
}

/* --- queries --- */

static void send_xml(struct gdb *s, const char *text)
{
    u64 at, size;
    reply(s, "E01");
    if (!gdb_packet_number(&text, &at) || *text++ != ',' || !gdb_packet_number(&text, &size) ||
        *text || at > s->xml_length)
        return;
    u64 left = s->xml_length - at;
    if (size > HALF)
        size = HALF;
    size = size < left ? size : left;
    s->reply[0] = size < left ? 'm' : 'l';
    memcpy(s->reply + 1, s->xml + at, size);
    s->length = (u32)size + 1;
}

static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static void query(struct debugger *g, struct gdb *s, const char *text)
{
    const char *rest;
    u64 thread;
    reply(s, "");
    if (after(text, "qSupported")) {
        s->knows_swbreak = strstr(text, "swbreak+") != NULL;
        s->length = (u32)snprintf(s->reply, sizeof s->reply,
                                  "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;"
                                  "vContSupported+;swbreak+",
                                  GDB_PACKET_MAX);
    } else if ((rest = after(text, "qXfer:features:read:target.xml:")))
        send_xml(s, rest);
    else if (after(text, "qXfer:features:"))
        reply(s, "E00");
    else if (after(text, "qfThreadInfo") || after(text, "qsThreadInfo"))
        list_threads(g, s, text[1] == 'f');
    else if ((rest = after(text, "qThreadExtraInfo,")) && gdb_packet_number(&rest, &thread))
        describe_thread(g, s, thread);
    else if (strcmp(text, "qC") == 0)
        s->length = (u32)snprintf(s->reply, sizeof s->reply, "QC%" PRIx64, thread_of(g->run, g->w));
    else if (after(text, "qAttached"))
        reply(s, "1");
    else if (strcmp(text, "qOffsets") == 0)
        s->length = (u32)snprintf(s->reply, sizeof s->reply,
                                  "Text=%" PRIx64 ";Data=%" PRIx64 ";Bss=%" PRIx64, g->d->co->base,
                                  g->d->co->base, g->d->co->base);
}

/* H and T: is there such a thread; H chooses it. 0 and -1 are any. */
static void thread_packet(struct debugger *g, struct gdb *s, const char *text)
{
    struct group_run *run = g->run;
    struct wave *w = g->w;
    bool any =
        text[0] == 'H' && text[1] && (strcmp(text + 2, "0") == 0 || strcmp(text + 2, "-1") == 0);
    bool chooses = text[0] == 'H' && text[1] == 'g';
    const char *rest = text + (text[0] == 'H' && text[1] ? 2 : 1);
    u64 thread;
    bool good = any || (gdb_packet_number(&rest, &thread) && !*rest && choose_thread(g, thread) &&
                        (chooses || g->w->stop != STOP_END));
    if (!chooses || !good) {
        g->run = run;
        g->w = w;
    }
    reply(s, good ? "OK" : "E03");
}

/* Packets of one letter. Answers whether the launch goes on. */
static bool plain(struct debugger *g, struct gdb *s, const char *text)
{
    switch (text[0]) {
    case '?': reply_stop(g, s); break;
    case 'g': read_registers(g, s); break;
    case 'G': write_registers(g, s, text + 1); break;
    case 'p': one_register(g, s, text + 1, false); break;
    case 'P': one_register(g, s, text + 1, true); break;
    case 'm': read_memory(g, s, text + 1); break;
    case 'M': write_memory(g, s, text + 1, false); break;
    case 'X': write_memory(g, s, text + 1, true); break;
    case 'Z': change_point(g, s, text + 1, true); break;
    case 'z': change_point(g, s, text + 1, false); break;
    case 'H':
    case 'T': thread_packet(g, s, text); break;
    case 'q': query(g, s, text); break;
    case 'c':
    case 'C': debug_go(g, DEBUG_CONTINUE, 0); return true;
    case 's':
    case 'S': debug_go(g, DEBUG_STEP, 1); return true;
    default: reply(s, "");
    }
    return false;
}

static bool answer(struct debugger *g, struct gdb *s)
{
    const char *text = s->link.packet;
    const char *rest = after(text, "vCont");
    if (rest && *rest && *rest != ';' && *rest != '?')
        rest = NULL; /* another packet that begins so */
    bool starts_no_ack = strcmp(text, "QStartNoAckMode") == 0;
    bool detaches = text[0] == 'D', kills = text[0] == 'k' || after(text, "vKill");
    bool goes_on = detaches || kills;
    s->length = 0;
    if (rest && strcmp(rest, "?") == 0)
        reply(s, "vCont;c;C;s;S");
    else if (rest)
        goes_on = resume(g, s, rest);
    else if (starts_no_ack || goes_on)
        reply(s, "OK");
    else
        goes_on = plain(g, s, text);
    g->is_free |= detaches;
    s->is_killed |= kills;
    s->is_running = goes_on && !detaches && !kills;
    if (!s->is_running && text[0] != 'k' && text[0] != '\003')
        gdb_link_send(&s->link, s->reply, s->length);
    s->link.no_ack |= starts_no_ack;
    return goes_on;
}

static bool ask(struct debugger *g)
{
    struct gdb *s = g->front;
    if (!s->xml && !describe_registers(g, s))
        return false;
    if (s->is_running) {
        s->is_running = false;
        reply_stop(g, s);
        gdb_link_send(&s->link, s->reply, s->length);
    }
    while (gdb_link_next(&s->link))
        if (answer(g, s))
            return !s->is_killed;
    return false;
}

static bool wants(struct debugger *g)
{
    struct gdb *s = g->front;
    return gdb_link_is_interrupted(&s->link);
}

static const char *close_front(struct debugger *g, int exit_code)
{
    struct gdb *s = g->front;
    const char *wrong = s->link.is_broken ? s->link.broken : NULL;
    char text[8];
    int length = snprintf(text, sizeof text, "W%02x", (u32)exit_code & 255);
    if (s->is_running && !s->link.is_broken)
        gdb_link_send(&s->link, text, (u32)length);
    gdb_link_close(&s->link);
    free(s->xml);
    free(s);
    return wrong;
}

enum status debug_open_gdb(struct launch_watcher **out, const char *where, struct err *e)
{
    struct debugger *g = debug_new();
    struct gdb *s = g ? calloc(1, sizeof *s) : NULL;
    *out = g ? &g->watcher : NULL;
    if (!s)
        return err_memory(e);
    g->ask = ask;
    g->wants = wants;
    g->close = close_front;
    g->front = s;
    return gdb_link_open(&s->link, where, e);
}
