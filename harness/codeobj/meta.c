/* Code object metadata: msgpack to struct kernel_meta. Guide, tables "AMDHSA Code Object V3/V4/V5
 * Kernel (Argument) Metadata Map". Keys that are not needed are skipped, whatever their value. */
#include "harness/codeobj/internal.h"

#include "reports/file/library.h"

#include <inttypes.h>
#include <msgpack.h>
#include <stdlib.h>

enum { DEPTH_MAX = 16, STRING_MAX = 4096 };

/* --- before msgpack-c: every count fits the bytes that are left ---
 *
 * The library allocates as many objects as an array
 * announces, so a hostile five-byte document could ask for 100 GB. This walk touches each byte once
 * and allocates nothing. */

struct msgpack_scan {
    const u8 *at, *end;
};

static bool scan_be(struct msgpack_scan *s, u32 bytes, u64 *v)
{
    if ((size_t)(s->end - s->at) < bytes)
        return false;
    for (*v = 0; bytes--;)
        *v = *v << 8 | *s->at++;
    return true;
}

/* Reads one head. *skip: bytes of contents that follow; *items: objects that follow. False if
 * malformed. */
static bool scan_head(struct msgpack_scan *s, u64 *skip, u64 *items)
{
    static const u8 fixed[] = { [0xca - 0xc0] = 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17 };
    u64 b, n = 0;
    *skip = *items = 0;
    if (!scan_be(s, 1, &b))
        return false;
    if (b < 0x80 || b >= 0xe0 || b == 0xc0 || b == 0xc2 || b == 0xc3)
        return true;
    if (b < 0x90) {
        *items = (b & 15) * 2;
    } else if (b < 0xa0) {
        *items = b & 15;
    } else if (b < 0xc0) {
        *skip = b & 31;
    } else if (b == 0xc1) {
        return false;
    } else if (b <= 0xc9) { /* bin and ext, 8 16 32 */
        if (!scan_be(s, 1u << (b - 0xc4) % 3, &n))
            return false;
        *skip = n + (b >= 0xc7);
    } else if (b <= 0xd8) {
        *skip = fixed[b - 0xc0];
    } else if (b <= 0xdb) { /* str 8 16 32 */
        if (!scan_be(s, 1u << (b - 0xd9), &n))
            return false;
        *skip = n;
    } else { /* array 16 32, map 16 32 */
        if (!scan_be(s, b & 1 ? 4 : 2, &n))
            return false;
        *items = b >= 0xde ? n * 2 : n;
    }
    return true;
}

enum status codeobj_msgpack_check(const u8 *doc, size_t size, struct err *e)
{
    struct msgpack_scan s = { doc, doc + size };
    u64 left[DEPTH_MAX] = { 1 };
    for (u32 depth = 0;;) {
        while (depth && left[depth] == 0)
            depth--;
        if (left[depth] == 0)
            return ST_OK;
        left[depth]--;
        u64 skip, items;
        if (!scan_head(&s, &skip, &items) || skip > (size_t)(s.end - s.at) ||
            items > (size_t)(s.end - s.at))
            return err_set(e, ST_INPUT, "metadata: malformed msgpack at byte %zu of %zu",
                           (size_t)(s.at - doc), size);
        s.at += skip;
        if (!items)
            continue;
        if (++depth == DEPTH_MAX)
            return err_set(e, ST_INPUT, "metadata: nested more than %d deep", DEPTH_MAX);
        left[depth] = items;
    }
}

/* --- typed access to maps
 * ------------------------------------------------------------------------------- `where` names the
 * map in messages: "kernel 0", "kernel 0, argument 3". */

static bool str_is(const msgpack_object *o, const char *s)
{
    return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(s) &&
           memcmp(o->via.str.ptr, s, strlen(s)) == 0;
}

static const msgpack_object *map_get(const msgpack_object *map, const char *key)
{
    for (u32 i = 0; i < map->via.map.size; i++)
        if (str_is(&map->via.map.ptr[i].key, key))
            return &map->via.map.ptr[i].val;
    return NULL;
}

static enum status missing(const char *where, const char *key, struct err *e)
{
    return err_set(e, ST_INPUT, "metadata: %s: %s is missing", where, key);
}

static enum status get_u32(const msgpack_object *map, const char *where, const char *key, u32 max,
                           u32 *out, struct err *e)
{
    const msgpack_object *o = map_get(map, key);
    if (!o)
        return missing(where, key, e);
    if (o->type != MSGPACK_OBJECT_POSITIVE_INTEGER || o->via.u64 > max)
        return err_set(e, ST_INPUT, "metadata: %s: %s is not an integer from 0 to %u", where, key,
                       max);
    *out = (u32)o->via.u64;
    return ST_OK;
}

/* A string without zero bytes, copied. */
static enum status get_string(const msgpack_object *map, const char *where, const char *key,
                              char **out, struct err *e)
{
    const msgpack_object *o = map_get(map, key);
    if (!o)
        return missing(where, key, e);
    if (o->type != MSGPACK_OBJECT_STR || o->via.str.size > STRING_MAX ||
        (o->via.str.size && memchr(o->via.str.ptr, 0, o->via.str.size)))
        return err_set(e, ST_INPUT, "metadata: %s: %s is not a string of at most %d bytes", where,
                       key, STRING_MAX);
    *out = strndup(o->via.str.size ? o->via.str.ptr : "", o->via.str.size);
    return *out ? ST_OK : err_memory(e);
}

static enum status get_array(const msgpack_object *map, const char *where, const char *key, u32 max,
                             const msgpack_object **out, struct err *e)
{
    const msgpack_object *o = map_get(map, key);
    if (!o)
        return missing(where, key, e);
    if (o->type != MSGPACK_OBJECT_ARRAY || o->via.array.size > max)
        return err_set(e, ST_INPUT, "metadata: %s: %s is not a sequence of at most %u items", where,
                       key, max);
    *out = o;
    return ST_OK;
}

/* --- arguments --- */

static enum status read_kind(const msgpack_object *map, const char *where, struct kernel_arg *a,
                             struct err *e)
{
    const msgpack_object *o = map_get(map, ".value_kind");
    if (!o)
        return missing(where, ".value_kind", e);
    for (u32 k = 0; k < ARG_KINDS; k++) {
        if (str_is(o, codeobj_arg_kind_name((enum arg_kind)k))) {
            a->kind = (enum arg_kind)k;
            return ST_OK;
        }
    }
    if (o->type != MSGPACK_OBJECT_STR)
        return err_set(e, ST_INPUT, "metadata: %s: .value_kind is not a string", where);
    return err_set(e, ST_INPUT, "metadata: %s: .value_kind '%.*s' is not known", where,
                   (int)(o->via.str.size < 60 ? o->via.str.size : 60), o->via.str.ptr);
}

static enum status read_space(const msgpack_object *map, const char *where, struct kernel_arg *a,
                              struct err *e)
{
    const msgpack_object *o = map_get(map, ".address_space");
    if (!o)
        return ST_OK;
    for (u32 k = ADDRESS_PRIVATE; k < ADDRESS_SPACES; k++) {
        if (str_is(o, codeobj_space_name((enum address_space)k))) {
            a->space = (enum address_space)k;
            return ST_OK;
        }
    }
    return err_set(e, ST_INPUT, "metadata: %s: .address_space is not known", where);
}

static enum status read_arg(const msgpack_object *map, const char *where,
                            const struct kernel_meta *m, struct kernel_arg *a, struct err *e)
{
    enum status st;
    if (map->type != MSGPACK_OBJECT_MAP)
        return err_set(e, ST_INPUT, "metadata: %s is not a map", where);
    st = map_get(map, ".name") ? get_string(map, where, ".name", &a->name, e) : ST_OK;
    if (st == ST_OK && !a->name && !(a->name = strdup("")))
        st = err_memory(e);
    if (st == ST_OK)
        st = get_u32(map, where, ".offset", UINT32_MAX, &a->offset, e);
    if (st == ST_OK)
        st = get_u32(map, where, ".size", UINT32_MAX, &a->size, e);
    if (st == ST_OK)
        st = read_kind(map, where, a, e);
    if (st == ST_OK)
        st = read_space(map, where, a, e);
    if (st == ST_OK && map_get(map, ".pointee_align"))
        st = get_u32(map, where, ".pointee_align", 65536, &a->pointee_align, e);
    if (st != ST_OK)
        return st;
    if (a->offset > m->kernarg_size || a->size > m->kernarg_size - a->offset)
        return err_set(e, ST_INPUT,
                       "metadata: %s: bytes %u+%u are beyond the %u bytes of the kernarg segment",
                       where, a->offset, a->size, m->kernarg_size);
    if (a->pointee_align && !codeobj_is_power_of_two(a->pointee_align))
        return err_set(e, ST_INPUT, "metadata: %s: .pointee_align %u is not a power of two", where,
                       a->pointee_align);
    return ST_OK;
}

static enum status read_args(const msgpack_object *kernel, u32 index, struct kernel_meta *m,
                             struct err *e)
{
    const msgpack_object *list = NULL;
    char where[64];
    struct text t;
    text_init(&t, where, sizeof where);
    text_add(&t, "kernel %u", index);
    if (!map_get(kernel, ".args"))
        return ST_OK;
    enum status st = get_array(kernel, where, ".args", CODEOBJ_MAX_ARGS, &list, e);
    if (st != ST_OK || list->via.array.size == 0)
        return st;
    m->args = calloc(list->via.array.size, sizeof *m->args);
    if (!m->args)
        return err_memory(e);
    m->arg_count = list->via.array.size;
    for (u32 i = 0; st == ST_OK && i < m->arg_count; i++) {
        text_init(&t, where, sizeof where);
        text_add(&t, "kernel %u, argument %u", index, i);
        st = read_arg(&list->via.array.ptr[i], where, m, &m->args[i], e);
    }
    return st;
}

/* --- kernels --- */

static enum status read_workgroup(const msgpack_object *map, const char *where,
                                  struct kernel_meta *m, struct err *e)
{
    const char *key = ".reqd_workgroup_size";
    const msgpack_object *list = NULL;
    if (!map_get(map, key))
        return ST_OK;
    enum status st = get_array(map, where, key, 3, &list, e);
    if (st != ST_OK)
        return st;
    if (list->via.array.size != 3)
        return err_set(e, ST_INPUT, "metadata: %s: %s does not have 3 items", where, key);
    for (u32 i = 0; i < 3; i++) {
        const msgpack_object *o = &list->via.array.ptr[i];
        if (o->type != MSGPACK_OBJECT_POSITIVE_INTEGER || o->via.u64 > UINT16_MAX)
            return err_set(e, ST_INPUT,
                           "metadata: %s: %s item %u is not an integer from 0 to 65535", where, key,
                           i);
        m->reqd_workgroup[i] = (u32)o->via.u64;
    }
    return ST_OK;
}

static enum status read_numbers(const msgpack_object *map, const char *where, struct kernel_meta *m,
                                struct err *e)
{
    const struct number {
        const char *key;
        u32 *out;
        u32 max;
    } numbers[] = {
        { ".kernarg_segment_size", &m->kernarg_size, 1 << 20 },
        { ".kernarg_segment_align", &m->kernarg_align, 1 << 16 },
        { ".group_segment_fixed_size", &m->group_size, UINT32_MAX },
        { ".private_segment_fixed_size", &m->private_size, UINT32_MAX },
        { ".sgpr_count", &m->sgpr_count, 65536 },
        { ".vgpr_count", &m->vgpr_count, 65536 },
        { ".wavefront_size", &m->wave_size, 128 },
        { ".max_flat_workgroup_size", &m->max_workgroup_size, UINT32_MAX },
    };
    enum status st = ST_OK;
    for (size_t i = 0; st == ST_OK && i < COUNT_OF(numbers); i++)
        st = get_u32(map, where, numbers[i].key, numbers[i].max, numbers[i].out, e);
    /* Required from gfx908 on only; the compilers leave it out elsewhere. */
    if (st == ST_OK && map_get(map, ".agpr_count"))
        st = get_u32(map, where, ".agpr_count", 65536, &m->agpr_count, e);
    if (st != ST_OK)
        return st;
    if (m->kernarg_align == 0 && m->kernarg_size == 0) /* so says GCC */
        m->kernarg_align = 1;
    if (!codeobj_is_power_of_two(m->kernarg_align))
        return err_set(e, ST_INPUT, "metadata: %s: .kernarg_segment_align %u is not a power of two",
                       where, m->kernarg_align);
    if (!codeobj_is_power_of_two(m->wave_size))
        return err_set(e, ST_INPUT, "metadata: %s: .wavefront_size %u is not a power of two", where,
                       m->wave_size);
    if (m->max_workgroup_size == 0)
        return err_set(e, ST_INPUT, "metadata: %s: .max_flat_workgroup_size is 0", where);
    return ST_OK;
}

static enum status read_kernel(const msgpack_object *map, u32 index, struct kernel_meta *m,
                               struct err *e)
{
    char where[32];
    struct text t;
    text_init(&t, where, sizeof where);
    text_add(&t, "kernel %u", index);
    if (map->type != MSGPACK_OBJECT_MAP)
        return err_set(e, ST_INPUT, "metadata: %s is not a map", where);
    enum status st = get_string(map, where, ".name", &m->name, e);
    if (st == ST_OK)
        st = get_string(map, where, ".symbol", &m->symbol, e);
    if (st == ST_OK)
        st = read_numbers(map, where, m, e);
    if (st == ST_OK)
        st = read_workgroup(map, where, m, e);
    const msgpack_object *dynamic = map_get(map, ".uses_dynamic_stack");
    m->uses_dynamic_stack =
        dynamic && dynamic->type == MSGPACK_OBJECT_BOOLEAN && dynamic->via.boolean;
    return st == ST_OK ? read_args(map, index, m, e) : st;
}

/* "amdhsa.version" is [1, 0], [1, 1], [1, 2] for code object v3, v4, v5. Each has what those before
 * it had; GCC writes [1, 0] in files of v4. */
static enum status read_version(const struct codeobj *co, const msgpack_object *root, struct err *e)
{
    const msgpack_object *o = map_get(root, "amdhsa.version");
    if (!o)
        return err_set(e, ST_INPUT, "metadata: amdhsa.version is missing");
    if (o->type != MSGPACK_OBJECT_ARRAY || o->via.array.size != 2 ||
        o->via.array.ptr[0].type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
        o->via.array.ptr[1].type != MSGPACK_OBJECT_POSITIVE_INTEGER)
        return err_set(e, ST_INPUT, "metadata: amdhsa.version is not two integers");
    u64 major = o->via.array.ptr[0].via.u64, minor = o->via.array.ptr[1].via.u64;
    u32 want = co->target.version < 6 ? co->target.version - 3 : 2; /* v6 has that of v5 */
    if (major != 1 || minor > want)
        return err_set(e, ST_INPUT,
                       "metadata: amdhsa.version %" PRIu64 ".%" PRIu64
                       " is not 1.%u, that of code object v%u",
                       major, minor, want, co->target.version);
    return ST_OK;
}

/* "amdhsa.printf", which most files do not have: strings. */
static enum status read_printf(struct codeobj *co, const msgpack_object *root, struct err *e)
{
    const msgpack_object *o = map_get(root, "amdhsa.printf");
    enum status st = ST_OK;
    if (!o)
        return ST_OK;
    if (o->type != MSGPACK_OBJECT_ARRAY)
        return err_set(e, ST_INPUT, "metadata: amdhsa.printf is not a sequence");
    for (u32 i = 0; st == ST_OK && i < o->via.array.size; i++) {
        const msgpack_object *text = &o->via.array.ptr[i];
        st = text->type == MSGPACK_OBJECT_STR
                 ? codeobj_printf_add(co, text->via.str.ptr, text->via.str.size, e)
                 : err_set(e, ST_INPUT, "metadata: amdhsa.printf: item %u is not a string", i);
    }
    return st;
}

static enum status read_root(struct codeobj *co, const msgpack_object *root, struct err *e)
{
    const msgpack_object *list = NULL;
    if (root->type != MSGPACK_OBJECT_MAP)
        return err_set(e, ST_INPUT, "metadata: is not a map");
    enum status st = read_version(co, root, e);
    if (st == ST_OK)
        st = read_printf(co, root, e);
    if (st == ST_OK)
        st = get_array(root, "document", "amdhsa.kernels", CODEOBJ_MAX_KERNELS, &list, e);
    if (st != ST_OK || list->via.array.size == 0)
        return st;
    u32 first = co->kernel_count, count = list->via.array.size;
    st = codeobj_add_kernels(co, count, e);
    for (u32 i = 0; st == ST_OK && i < count; i++)
        st = read_kernel(&list->via.array.ptr[i], i, &co->kernels[first + i], e);
    return st;
}

enum status codeobj_meta_read(struct codeobj *co, const u8 *doc, size_t size, struct err *e)
{
    enum status st = codeobj_msgpack_check(doc, size, e);
    if (st != ST_OK)
        return st;
    msgpack_unpacked up;
    msgpack_unpacked_init(&up);
    switch (msgpack_unpack_next(&up, (const char *)doc, size, NULL)) {
    case MSGPACK_UNPACK_SUCCESS:
    case MSGPACK_UNPACK_EXTRA_BYTES: st = read_root(co, &up.data, e); break;
    case MSGPACK_UNPACK_NOMEM_ERROR: st = err_set(e, ST_WORLD, "metadata: out of memory"); break;
    case MSGPACK_UNPACK_CONTINUE:
    case MSGPACK_UNPACK_PARSE_ERROR:
    default: st = library_settle(err_set(e, ST_INPUT, "metadata: malformed msgpack"), e); break;
    }
    msgpack_unpacked_destroy(&up);
    return st;
}
