/* gcncheck eval: asks the model what an instruction changes. */
#include "harness/ask/eval.h"
#include "harness/cmd/base/cmd.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { CODE_MAX = 4096, BYTES_MAX = 4096 };

/* ---- PLACE=VALUE ---- */

/* A number: decimal, 0x hex, negative, or a float with a point or an f (1.5, 2.0f, -inf, nan),
 * which is a double where the place has 64 bits. */
static bool parse_number(const char *s, size_t len, bool wide, u64 *value)
{
    char buf[64], *end;
    if (len == 0 || len >= sizeof buf)
        return false;
    memcpy(buf, s, len);
    buf[len] = '\0';
    bool hex = strncmp(buf, "0x", 2) == 0 || strncmp(buf, "0X", 2) == 0;
    if (!hex && wide && strpbrk(buf, ".nN")) {
        double f = strtod(buf, &end);
        memcpy(value, &f, sizeof *value);
        return *end == '\0' && end != buf;
    }
    if (!hex && strpbrk(buf, ".fFnN")) {
        float f = strtof(buf, &end);
        u32 bits;
        if (*end == 'f' || *end == 'F')
            end++;
        memcpy(&bits, &f, sizeof bits);
        *value = bits;
        return *end == '\0' && end != buf;
    }
    bool minus = buf[0] == '-';
    if (!isdigit((u8)buf[minus]))
        return false;
    errno = 0;
    *value = minus ? (u64)strtoll(buf, &end, 10) : strtoull(buf, &end, hex ? 16 : 10);
    return *end == '\0' && errno == 0;
}

static bool fits_dword(u64 v)
{
    return v <= UINT32_MAX || ((i64)v < 0 && (i64)v >= INT32_MIN);
}

/* lds[8]=00ff.. and mem[0x1000]=00ff..: bytes in memory order. */
static enum status set_bytes(struct eval *ev, const char *arg, const char *value, struct err *e)
{
    u8 bytes[BYTES_MAX];
    u32 n = 0;
    u64 addr;
    const char *open = strchr(arg, '['), *close = strchr(arg, ']');
    size_t len = strlen(value);
    if (!open || !close || close < open ||
        !parse_number(open + 1, (size_t)(close - open - 1), false, &addr))
        return err_set(e, ST_INPUT, "'%.40s': write lds[OFFSET]=BYTES or mem[ADDRESS]=BYTES", arg);
    if (len == 0 || len % 2 || len / 2 > BYTES_MAX ||
        strspn(value, "0123456789abcdefABCDEF") != len)
        return err_set(e, ST_INPUT, "'%.40s': the bytes must be pairs of hex digits, at most %d",
                       arg, BYTES_MAX);
    for (; n < len / 2; n++) {
        char two[3] = { value[2 * n], value[2 * n + 1], '\0' };
        bytes[n] = (u8)strtoul(two, NULL, 16);
    }
    return arg[0] == 'l' ? eval_set_lds(ev, addr, bytes, n, e)
                         : eval_set_mem(ev, addr, bytes, n, e);
}

/* A value of `dw` dwords for one lane: more than two of them in hex, or extended by the sign. */
static bool parse_value(const char *s, size_t len, u32 dw, u32 lane, struct eval_value *value)
{
    u64 v = 0;
    u32 digit = 0, out[PLACE_DW_MAX] = { 0 };
    bool is_long = dw > 2 && len > 18 && s[0] == '0' && (s[1] | 32) == 'x';
    if (is_long && len - 2 > (size_t)dw * 8)
        return false;
    for (size_t at = len; is_long && at > 2; at--, digit++) {
        if (!isxdigit((u8)s[at - 1]))
            return false;
        u32 v4 =
            isdigit((u8)s[at - 1]) ? (u32)(s[at - 1] - '0') : (u32)((s[at - 1] | 32) - 'a' + 10);
        out[digit / 8] |= v4 << digit % 8 * 4;
    }
    if (!is_long) {
        if (!parse_number(s, len, dw > 1, &v) || (dw == 1 && !fits_dword(v)))
            return false;
        out[0] = (u32)v;
        out[1] = (u32)(v >> 32);
        out[2] = out[3] = len && s[0] == '-' && (i64)v < 0 ? ~0u : 0;
    }
    for (u32 i = 0; i < dw; i++)
        value->dw[i][lane] = out[i];
    return true;
}

/* v1=5 sets all lanes; v1=1,2,3 the first three, the others to zero. */
static enum status parse_lanes(const char *value, u32 dw, struct eval_value *out, struct err *e)
{
    size_t len = strcspn(value, ",");
    bool list = value[len] != '\0';
    for (u32 lane = 0; lane < LANES; lane++) {
        len = strcspn(value, ",");
        if ((*value || !list) && !parse_value(value, len, dw, lane, out))
            return err_set(e, ST_INPUT, "'%.40s' is not a %u-bit value", value, dw * 32);
        if (list)
            value += len + (value[len] == ',');
    }
    return list && *value
               ? err_set(e, ST_INPUT, "a wave has 64 lanes; '%.40s' is one too many", value)
               : ST_OK;
}

static enum status set_place(struct eval *ev, const char *arg, struct err *e)
{
    const char *eq = strchr(arg, '='), *why;
    struct place_range p;
    struct eval_value value = { 0 };
    if (!eq)
        return err_set(e, ST_INPUT, "'%.40s' is not PLACE=VALUE", arg);
    if (strncmp(arg, "lds[", 4) == 0 || strncmp(arg, "mem[", 4) == 0)
        return set_bytes(ev, arg, eq + 1, e);
    if (eval_place(ev, arg, (size_t)(eq - arg), &p, &why) != ST_OK)
        return err_set(e, ST_INPUT,
                       "'%.40s': %s; use s0-s101 v0-v255 (gfx908: a0-a255) s[0:3] v[0:3] v0.lane3 "
                       "ttmp0 vcc exec m0 scc mode trapsts status tba lds[] mem[]",
                       arg, why);
    if (place_is_vector(p.place) && p.lane < 0) {
        enum status st = parse_lanes(eq + 1, p.dw, &value, e);
        if (st != ST_OK)
            return st;
    } else if (!parse_value(eq + 1, strlen(eq + 1), p.dw, p.lane < 0 ? 0 : (u32)p.lane, &value) ||
               (p.place == PLACE_SCC && value.dw[0][0] > 1)) {
        return err_set(e, ST_INPUT, "'%.40s' is not a value of %.*s", eq + 1, (int)(eq - arg), arg);
    }
    eval_set(ev, &p, &value);
    return ST_OK;
}

/* ---- what was exported ---- */

enum { EXPORTS_SHOWN = 8, EXPORTS_BYTES = EXPORTS_HEAD + EXPORTS_SHOWN * EXPORTS_RECORD };

static bool is_export_memory(u64 addr)
{
    return addr - EXPORTS_BASE < EXPORTS_BYTES;
}

static void print_target(u32 target)
{
    if (target == 8 || target == 9)
        printf("%s", target == 8 ? "mrtz" : "null");
    else
        printf("%s%u",
               target < 8    ? "mrt"
               : target < 32 ? "pos"
                             : "param",
               target < 8    ? target
               : target < 32 ? target - 12
                             : target - 32);
}

/* A component; lanes with the same value share a line. */
static void print_component(const u8 *data, char name, u64 exec)
{
    while (exec) {
        u32 v, other;
        u64 same = 0;
        memcpy(&v, data + ctz64(exec) * 4, 4);
        for (u64 m = exec; m; m &= m - 1) {
            memcpy(&other, data + ctz64(m) * 4, 4);
            same |= other == v ? m & -m : 0;
        }
        printf("  %c 0x%08x  lanes 0x%016" PRIx64 "\n", name, v, same);
        exec &= ~same;
    }
}

/* Returns whether there was any. */
static bool print_exports(struct eval *ev)
{
    const u8 *at = eval_memory(ev, EXPORTS_BASE, EXPORTS_BYTES);
    u32 count = 0;
    if (at)
        memcpy(&count, at, 4);
    for (u32 i = 0; i < count && i < EXPORTS_SHOWN; i++) {
        const u8 *record = at + EXPORTS_HEAD + i * EXPORTS_RECORD;
        u32 word;
        u64 exec;
        memcpy(&word, record, 4);
        memcpy(&exec, record + 8, 8);
        printf("export   ");
        print_target(word >> 4 & 63);
        printf("%s%s%s  exec 0x%016" PRIx64 "\n", word >> 10 & 1 ? " compr" : "",
               word >> 11 & 1 ? " done" : "", word >> 12 & 1 ? " vm" : "", exec);
        for (u32 k = 0; k < 4; k++)
            if (word >> (word >> 10 & 1 ? k & 2 : k) & 1)
                print_component(record + 16 + k * LANES * 4, "xyzw"[k], exec);
    }
    return count > 0;
}

/* ---- what changed ---- */

/* Lanes with the same old and new value share a line. */
static void print_vector(const struct eval *ev, u32 place, const char *name)
{
    u64 done = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 old = eval_before(ev, place, lane), new = eval_now(ev, place, lane);
        u64 same = 0;
        if (done >> lane & 1 || old == new)
            continue;
        for (u32 l = lane; l < LANES; l++)
            if (eval_before(ev, place, l) == old && eval_now(ev, place, l) == new)
                same |= 1ull << l;
        done |= same;
        printf("%-8s 0x%08x -> 0x%08x", name, old, new);
        if (same == ~0ull)
            printf("  all lanes\n");
        else if (popcount64(same) == 1)
            printf("  lane %u\n", lane);
        else
            printf("  lanes 0x%016" PRIx64 "\n", same);
    }
}

static void print_bytes(void *ctx, bool lds, u64 addr, const u8 *old, const u8 *now, u32 n)
{
    if (!lds && is_export_memory(addr))
        return;
    *(bool *)ctx = true;
    printf("%s[0x%" PRIx64 "] ", lds ? "lds" : "mem", addr);
    for (u32 i = 0; i < n; i++)
        printf("%02x", old[i]);
    printf(" -> ");
    for (u32 i = 0; i < n; i++)
        printf("%02x", now[i]);
    printf("\n");
}

static void print_pair(const struct eval *ev, u32 low)
{
    char name[PLACE_NAME_MAX];
    printf("%-8s 0x%016" PRIx64 " -> 0x%016" PRIx64 "\n",
           place_pair_name((enum gen)eval_isa(ev)->target->gen, low, name),
           eval_before(ev, low, 0) | (u64)eval_before(ev, low + 1, 0) << 32,
           eval_now(ev, low, 0) | (u64)eval_now(ev, low + 1, 0) << 32);
}

/* Answers EXIT_STOPPED if there was an access outside memory. */
static int print_changes(const struct opts *o, struct eval *ev)
{
    u16 place[PLACE_COUNT];
    char name[PLACE_NAME_MAX];
    bool bytes = false;
    u64 fault;
    u32 n = eval_changed(ev, place, PLACE_COUNT);
    for (u32 i = 0; i < n; i++) {
        u32 p = place[i], low = p & ~1u;
        if (place_is_vector(p)) {
            print_vector(ev, p, place_name((enum gen)eval_isa(ev)->target->gen, p, name));
        } else if (eval_is_pair(p)) {
            if (i == 0 || place[i - 1] != low || p == low) /* else shown with its low half */
                print_pair(ev, low);
        } else {
            printf("%-8s 0x%08x -> 0x%08x\n",
                   place_name((enum gen)eval_isa(ev)->target->gen, p, name), eval_before(ev, p, 0),
                   eval_now(ev, p, 0));
        }
    }
    eval_changed_bytes(ev, print_bytes, &bytes);
    bool exports = print_exports(ev);
    if (n == 0 && !bytes && !exports)
        printf("nothing changed\n");
    if (eval_faulted(ev, &fault))
        return cmd_error(o, EXIT_STOPPED, "access outside memory at 0x%" PRIx64, fault);
    return EXIT_CLEAN;
}

static enum status ask(struct eval *ev, const struct opts *o, struct err *e)
{
    u32 code[CODE_MAX], dw = 0;
    enum status st = insn_parse_program(eval_isa(ev), o->arg[0], code, CODE_MAX, &dw, e);
    static const u8 no_exports[EXPORTS_BYTES];
    eval_reset(ev);
    if (st == ST_OK)
        st = eval_set_mem(ev, EXPORTS_BASE, no_exports, EXPORTS_BYTES, e);
    for (u32 i = 1; i < o->arg_count && st == ST_OK; i++)
        st = set_place(ev, o->arg[i], e);
    return st == ST_OK ? eval_run(ev, code, dw, e) : st;
}

int cmd_eval(struct opts *o)
{
    struct eval *ev;
    struct err e = { .text = "" };
    bool is_useless = false;
    int code = EXIT_CLEAN;
    if (!o->jsonl && o->arg_count == 0)
        return cmd_error(o, EXIT_USAGE,
                         "which instruction? Or give --jsonl and questions on standard input");
    if (o->jsonl && o->arg_count)
        return cmd_error(o, EXIT_USAGE, "--jsonl reads standard input; '%s' is one too many",
                         o->arg[0]);
    enum status st = eval_open(&ev, o->mcpu, o->engine ? o->engine : "ref", &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (o->jsonl)
        st = eval_jsonl(ev, stdin, stdout, &is_useless, &e);
    else
        st = ask(ev, o, &e);
    if (st == ST_OK && !o->jsonl)
        code = print_changes(o, ev);
    eval_close(ev);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    return is_useless ? cmd_error(o, EXIT_USAGE, "every line was answered with an error") : code;
}
