#include "harness/dis/meta.h"

#include "harness/codeobj/codeobj.h"
#include "reports/file/library.h"

#include <inttypes.h>
#include <libelf.h>
#include <msgpack.h>

enum { LINE_ITEMS = 8 }; /* a sequence of so many scalars stands on one line */

static const char *const os_names[] = {
    [OS_NONE] = "none", [OS_HSA] = "amdhsa", [OS_PAL] = "amdpal", [OS_MESA3D] = "mesa3d"
};

/* Guide, table "AMDPAL User Data Mapping": what a user data register holds. */
static const struct {
    u32 value;
    const char *name;
} user_data[] = {
    { 0x10000000, "GlobalTable" },
    { 0x10000001, "PerShaderTable" },
    { 0x10000002, "SpillTable" },
    { 0x10000003, "BaseVertex" },
    { 0x10000004, "BaseInstance" },
    { 0x10000005, "DrawIndex" },
    { 0x10000006, "Workgroup" },
    { 0x1000000a, "EsGsLdsSize" },
    { 0x1000000b, "ViewId" },
    { 0x1000000c, "StreamOutTable" },
    { 0x1000000d, "PerShaderPerfData" },
    { 0x1000000f, "VertexBufferTable" },
    { 0x10000010, "UavExportTable" },
    { 0x10000011, "NggCullingData" },
    { 0x10000015, "FetchShaderPtr" },
};

static void indent(FILE *out, u32 depth)
{
    for (u32 i = 0; i < depth; i++)
        fputs("  ", out);
}

static bool is_plain_char(u8 c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           strchr("._$/<>+-()", c);
}

/* Plain where YAML reads the same text back as a string, else in double quotes. */
static void put_string(FILE *out, const char *s, u32 size)
{
    bool is_plain = size > 0 && s[0] != '-' && !(s[0] >= '0' && s[0] <= '9') && s[0] != '+' &&
                    !(s[0] == '.' && size > 1 && s[1] >= '0' && s[1] <= '9');
    for (u32 i = 0; i < size && is_plain; i++)
        is_plain = s[i] && is_plain_char((u8)s[i]);
    if (is_plain) {
        fwrite(s, 1, size, out);
        return;
    }
    putc('"', out);
    for (u32 i = 0; i < size; i++) {
        u8 c = (u8)s[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c > '~')
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static bool is_scalar(const msgpack_object *o)
{
    return o->type != MSGPACK_OBJECT_MAP && o->type != MSGPACK_OBJECT_ARRAY;
}

static void put_scalar(FILE *out, const msgpack_object *o, bool is_hex)
{
    switch (o->type) {
    case MSGPACK_OBJECT_BOOLEAN: fputs(o->via.boolean ? "true" : "false", out); break;
    case MSGPACK_OBJECT_POSITIVE_INTEGER:
        fprintf(out, is_hex ? "0x%" PRIx64 : "%" PRIu64, o->via.u64);
        break;
    case MSGPACK_OBJECT_NEGATIVE_INTEGER: fprintf(out, "%" PRId64, o->via.i64); break;
    case MSGPACK_OBJECT_FLOAT32:
    case MSGPACK_OBJECT_FLOAT64: fprintf(out, "%.17g", o->via.f64); break;
    case MSGPACK_OBJECT_STR: put_string(out, o->via.str.ptr, o->via.str.size); break;
    case MSGPACK_OBJECT_BIN: fprintf(out, "!!binary # %u bytes", o->via.bin.size); break;
    case MSGPACK_OBJECT_EXT: fprintf(out, "~ # extension, %u bytes", o->via.ext.size); break;
    case MSGPACK_OBJECT_NIL:
    case MSGPACK_OBJECT_MAP:
    case MSGPACK_OBJECT_ARRAY:
    default: fputs("~", out); break;
    }
}

static bool is_short(const msgpack_object *o)
{
    if (o->via.array.size > LINE_ITEMS)
        return false;
    for (u32 i = 0; i < o->via.array.size; i++)
        if (!is_scalar(&o->via.array.ptr[i]))
            return false;
    return true;
}

static void put_value(FILE *out, const msgpack_object *o, u32 depth, bool is_hex);

static void put_array(FILE *out, const msgpack_object *o, u32 depth)
{
    if (is_short(o)) {
        fputs(" [", out);
        for (u32 i = 0; i < o->via.array.size; i++) {
            fputs(i ? ", " : " ", out);
            put_scalar(out, &o->via.array.ptr[i], false);
        }
        fputs(o->via.array.size ? " ]\n" : "]\n", out);
        return;
    }
    putc('\n', out);
    for (u32 i = 0; i < o->via.array.size; i++) {
        indent(out, depth);
        putc('-', out);
        put_value(out, &o->via.array.ptr[i], depth + 1, false);
    }
}

static void put_map(FILE *out, const msgpack_object *o, u32 depth, bool is_hex)
{
    if (o->via.map.size == 0) {
        fputs(" {}\n", out);
        return;
    }
    putc('\n', out);
    for (u32 i = 0; i < o->via.map.size; i++) {
        const msgpack_object *key = &o->via.map.ptr[i].key;
        /* Register numbers and their values are read in hex everywhere. */
        bool holds_registers = key->type == MSGPACK_OBJECT_STR && key->via.str.size == 10 &&
                               memcmp(key->via.str.ptr, ".registers", 10) == 0;
        indent(out, depth);
        if (is_scalar(key))
            put_scalar(out, key, is_hex);
        else
            fputs("? # a key that is a sequence or a map", out);
        putc(':', out);
        put_value(out, &o->via.map.ptr[i].val, depth + 1, is_hex || holds_registers);
    }
}

/* With a blank before it and an end of line behind. */
static void put_value(FILE *out, const msgpack_object *o, u32 depth, bool is_hex)
{
    if (o->type == MSGPACK_OBJECT_MAP) {
        put_map(out, o, depth, is_hex);
        return;
    }
    if (o->type == MSGPACK_OBJECT_ARRAY) {
        put_array(out, o, depth);
        return;
    }
    putc(' ', out);
    put_scalar(out, o, is_hex);
    for (size_t i = 0; is_hex && i < COUNT_OF(user_data); i++)
        if (o->type == MSGPACK_OBJECT_POSITIVE_INTEGER && o->via.u64 == user_data[i].value)
            fprintf(out, " # %s", user_data[i].name);
    putc('\n', out);
}

enum status dis_msgpack(FILE *out, const u8 *doc, size_t size, struct err *e)
{
    enum status st = codeobj_msgpack_check(doc, size, e);
    if (st != ST_OK)
        return st;
    msgpack_unpacked up;
    library_watch();
    msgpack_unpacked_init(&up);
    msgpack_unpack_return got = msgpack_unpack_next(&up, (const char *)doc, size, NULL);
    if (got == MSGPACK_UNPACK_SUCCESS || got == MSGPACK_UNPACK_EXTRA_BYTES) {
        fputs("---", out);
        put_value(out, &up.data, 0, false);
        fputs("...\n", out);
    } else {
        st = library_settle(err_set(e, ST_INPUT, "metadata: malformed msgpack"), e);
    }
    msgpack_unpacked_destroy(&up);
    return st;
}

/* YAML of version 2: lines of printable text; anything else is shown as '?'. */
static void put_yaml(FILE *out, const u8 *doc, size_t size)
{
    while (size && doc[size - 1] == 0)
        size--;
    for (size_t i = 0; i < size; i++)
        putc((doc[i] >= ' ' && doc[i] != 0x7f) || doc[i] == '\n' ? doc[i] : '?', out);
    if (size && doc[size - 1] != '\n')
        putc('\n', out);
}

enum status dis_metadata(FILE *out, const u8 *bytes, size_t size, const struct codeobj_target *t,
                         struct err *e)
{
    char id[TARGET_ID_SIZE];
    const u8 *doc;
    size_t doc_size;
    enum status st = ST_OK;
    fprintf(out, "target:              %s\n", codeobj_target_id(t, id));
    fprintf(out, "operating system:    %s\n", os_names[t->os]);
    if (t->version)
        fprintf(out, "code object version: %u\n", t->version);
    if (t->generic_version)
        fprintf(out, "generic version:     %u\n", t->generic_version);
    library_watch();
    Elf *elf = elf_memory((char *)(uintptr_t)bytes, size);
    if (!elf)
        return library_settle(err_set(e, ST_INPUT, "is not an ELF file"), e);
    if (codeobj_note(elf, size, "AMDGPU", NOTE_METADATA, &doc, &doc_size))
        st = dis_msgpack(out, doc, doc_size, e);
    else if (codeobj_note(elf, size, "AMD", NOTE_METADATA_V2, &doc, &doc_size))
        put_yaml(out, doc, doc_size);
    else
        fputs("no metadata (note AMDGPU, type 32, or AMD, type 10)\n", out);
    elf_end(elf);
    return st;
}
