/* Metadata of code object version 2: YAML to struct kernel_meta. Guide, section "Code Object V2
 * Metadata" and its tables. Keys that are not needed are skipped, whatever their value. */
#include "harness/codeobj/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <yaml.h>

/* The last two are sums over all kernels: by aliases a short document can repeat a long list. */
enum {
    DOC_MAX = 16 << 20, /* bytes */
    STRING_MAX = 4096,
    ALL_ARGS_MAX = 1 << 20,
    ALL_NAMES_MAX = 64 << 20 /* bytes */
};

/* A node and the names of where it stands, for messages. */
struct map {
    yaml_document_t *doc;
    const yaml_node_t *node;
    const char *where;
};

static const char *scalar(const yaml_node_t *n)
{
    /* libyaml ends every scalar with a zero byte that is not part of it. */
    return n && n->type == YAML_SCALAR_NODE &&
                   strlen((const char *)n->data.scalar.value) == n->data.scalar.length
               ? (const char *)n->data.scalar.value
               : NULL;
}

static const yaml_node_t *map_get(const struct map *m, const char *key)
{
    if (m->node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *p = m->node->data.mapping.pairs.start;
         p < m->node->data.mapping.pairs.top; p++) {
        const char *name = scalar(yaml_document_get_node(m->doc, p->key));
        if (name && strcmp(name, key) == 0)
            return yaml_document_get_node(m->doc, p->value);
    }
    return NULL;
}

static enum status missing(const struct map *m, const char *key, struct err *e)
{
    return err_set(e, ST_INPUT, "metadata: %s: %s is missing", m->where, key);
}

/* Decimal or 0x hex from 0 to max. */
static bool read_number(const yaml_node_t *n, u32 max, u32 *out)
{
    const char *text = scalar(n);
    char *end;
    if (!text || !isdigit((u8)*text))
        return false;
    unsigned long long v = strtoull(text, &end, 0);
    *out = (u32)v;
    return *end == '\0' && v <= max;
}

static enum status get_u32(const struct map *m, const char *key, u32 max, u32 *out, struct err *e)
{
    const yaml_node_t *n = map_get(m, key);
    if (!n)
        return missing(m, key, e);
    if (!read_number(n, max, out))
        return err_set(e, ST_INPUT, "metadata: %s: %s is not an integer from 0 to %u", m->where,
                       key, max);
    return ST_OK;
}

static enum status get_string(const struct map *m, const char *key, char **out, struct err *e)
{
    const yaml_node_t *n = map_get(m, key);
    if (!n)
        return missing(m, key, e);
    const char *text = scalar(n);
    if (!text || strlen(text) > STRING_MAX)
        return err_set(e, ST_INPUT, "metadata: %s: %s is not a string of at most %d bytes",
                       m->where, key, STRING_MAX);
    *out = strdup(text);
    return *out ? ST_OK : err_memory(e);
}

/* A sequence of at most `max` items; *start is NULL if there is none and it may be missing. */
static enum status get_items(const struct map *m, const char *key, u32 max, bool is_required,
                             const yaml_node_item_t **start, u32 *count, struct err *e)
{
    const yaml_node_t *n = map_get(m, key);
    *start = NULL;
    *count = 0;
    if (!n)
        return is_required ? missing(m, key, e) : ST_OK;
    if (n->type != YAML_SEQUENCE_NODE ||
        n->data.sequence.items.top - n->data.sequence.items.start > (ptrdiff_t)max)
        return err_set(e, ST_INPUT, "metadata: %s: %s is not a sequence of at most %u items",
                       m->where, key, max);
    *start = n->data.sequence.items.start;
    *count = (u32)(n->data.sequence.items.top - n->data.sequence.items.start);
    return ST_OK;
}

/* Whether a word of version 2 ("GlobalBuffer") is one of later versions ("global_buffer"). */
static bool same_word(const char *v2, const char *later)
{
    for (; *v2 && *later; v2++, later++) {
        while (*later == '_')
            later++;
        if (tolower((u8)*v2) != *later)
            return false;
    }
    return *v2 == *later;
}

static enum status read_words(const struct map *m, struct kernel_arg *a, struct err *e)
{
    const yaml_node_t *n = map_get(m, "ValueKind");
    const char *kind = scalar(n), *space = scalar(map_get(m, "AddrSpaceQual"));
    u32 k = 0;
    if (!n)
        return missing(m, "ValueKind", e);
    while (kind && k < ARG_KINDS && !same_word(kind, codeobj_arg_kind_name((enum arg_kind)k)))
        k++;
    if (!kind || k == ARG_KINDS)
        return err_set(e, ST_INPUT, "metadata: %s: ValueKind '%.60s' is not known", m->where,
                       kind ? kind : "?");
    a->kind = (enum arg_kind)k;
    if (!map_get(m, "AddrSpaceQual"))
        return ST_OK;
    for (k = ADDRESS_PRIVATE; k < ADDRESS_SPACES; k++) {
        if (space && same_word(space, codeobj_space_name((enum address_space)k))) {
            a->space = (enum address_space)k;
            return ST_OK;
        }
    }
    return err_set(e, ST_INPUT, "metadata: %s: AddrSpaceQual is not known", m->where);
}

/* Version 2 gives size and alignment of each argument, not its place: *at is the first free
 * byte. */
static enum status read_arg(const struct map *m, const struct kernel_meta *k, u64 *at,
                            struct kernel_arg *a, struct err *e)
{
    u32 align = 0;
    if (m->node->type != YAML_MAPPING_NODE)
        return err_set(e, ST_INPUT, "metadata: %s is not a map", m->where);
    enum status st = map_get(m, "Name") ? get_string(m, "Name", &a->name, e) : ST_OK;
    if (st == ST_OK && !a->name && !(a->name = strdup("")))
        st = err_memory(e);
    if (st == ST_OK)
        st = get_u32(m, "Size", UINT32_MAX, &a->size, e);
    if (st == ST_OK)
        st = get_u32(m, "Align", 1 << 16, &align, e);
    if (st == ST_OK)
        st = read_words(m, a, e);
    if (st == ST_OK && map_get(m, "PointeeAlign"))
        st = get_u32(m, "PointeeAlign", 65536, &a->pointee_align, e);
    if (st != ST_OK)
        return st;
    if (!codeobj_is_power_of_two(align) ||
        (a->pointee_align && !codeobj_is_power_of_two(a->pointee_align)))
        return err_set(e, ST_INPUT, "metadata: %s: an alignment is not a power of two", m->where);
    u64 offset = (*at + align - 1) / align * align;
    if (offset > k->kernarg_size || a->size > k->kernarg_size - offset)
        return err_set(e, ST_INPUT,
                       "metadata: %s: its %u bytes are beyond the %u bytes of the kernarg segment",
                       m->where, a->size, k->kernarg_size);
    a->offset = (u32)offset;
    *at = offset + a->size;
    return ST_OK;
}

static enum status read_args(const struct map *kernel, u32 index, struct kernel_meta *k,
                             struct err *e)
{
    const yaml_node_item_t *items;
    char where[64];
    struct text t;
    u32 count;
    u64 at = 0;
    enum status st = get_items(kernel, "Args", CODEOBJ_MAX_ARGS, false, &items, &count, e);
    if (st != ST_OK || !count)
        return st;
    k->args = calloc(count, sizeof *k->args);
    if (!k->args)
        return err_memory(e);
    k->arg_count = count;
    for (u32 i = 0; st == ST_OK && i < count; i++) {
        text_init(&t, where, sizeof where);
        text_add(&t, "kernel %u, argument %u", index, i);
        struct map m = { kernel->doc, yaml_document_get_node(kernel->doc, items[i]), where };
        st = m.node ? read_arg(&m, k, &at, &k->args[i], e) : missing(&m, "its value", e);
    }
    return st;
}

/* CodeProps: what meta.c reads in later versions, there under other keys and from msgpack. A kernel
 * without it (the finalizer's) cannot be launched: its sizes are not known. */
static enum status read_props(const struct map *kernel, struct kernel_meta *k, struct err *e)
{
    const struct {
        const char *key;
        u32 *out;
        u32 max;
    } numbers[] = {
        { "KernargSegmentSize", &k->kernarg_size, 1 << 20 },
        { "KernargSegmentAlign", &k->kernarg_align, 1 << 16 },
        { "GroupSegmentFixedSize", &k->group_size, UINT32_MAX },
        { "PrivateSegmentFixedSize", &k->private_size, UINT32_MAX },
        { "NumSGPRs", &k->sgpr_count, 65536 },
        { "NumVGPRs", &k->vgpr_count, 65536 },
        { "WavefrontSize", &k->wave_size, 128 },
        { "MaxFlatWorkGroupSize", &k->max_workgroup_size, UINT32_MAX },
    };
    struct map props = { kernel->doc, map_get(kernel, "CodeProps"), kernel->where };
    enum status st = props.node ? ST_OK : missing(kernel, "CodeProps", e);
    for (size_t i = 0; st == ST_OK && i < COUNT_OF(numbers); i++)
        st = get_u32(&props, numbers[i].key, numbers[i].max, numbers[i].out, e);
    if (st != ST_OK)
        return st;
    if (!codeobj_is_power_of_two(k->kernarg_align) || !codeobj_is_power_of_two(k->wave_size))
        return err_set(e, ST_INPUT,
                       "metadata: %s: KernargSegmentAlign %u or WavefrontSize %u is not a power of "
                       "two",
                       kernel->where, k->kernarg_align, k->wave_size);
    if (k->max_workgroup_size == 0)
        return err_set(e, ST_INPUT, "metadata: %s: MaxFlatWorkGroupSize is 0", kernel->where);
    return ST_OK;
}

static enum status read_attrs(const struct map *kernel, struct kernel_meta *k, struct err *e)
{
    const yaml_node_item_t *items;
    u32 count;
    struct map attrs = { kernel->doc, map_get(kernel, "Attrs"), kernel->where };
    if (!attrs.node)
        return ST_OK;
    enum status st = get_items(&attrs, "ReqdWorkGroupSize", 3, false, &items, &count, e);
    if (st != ST_OK || !items)
        return st;
    if (count != 3)
        return err_set(e, ST_INPUT, "metadata: %s: ReqdWorkGroupSize does not have 3 items",
                       kernel->where);
    for (u32 i = 0; i < 3; i++)
        if (!read_number(yaml_document_get_node(kernel->doc, items[i]), UINT16_MAX,
                         &k->reqd_workgroup[i]))
            return err_set(e, ST_INPUT,
                           "metadata: %s: ReqdWorkGroupSize item %u is not an integer from 0 to "
                           "65535",
                           kernel->where, i);
    return ST_OK;
}

static enum status read_kernel(yaml_document_t *doc, const yaml_node_t *node, u32 index,
                               struct kernel_meta *k, struct err *e)
{
    char where[32];
    struct text t;
    text_init(&t, where, sizeof where);
    text_add(&t, "kernel %u", index);
    struct map m = { doc, node, where };
    if (!node || node->type != YAML_MAPPING_NODE)
        return err_set(e, ST_INPUT, "metadata: %s is not a map", where);
    enum status st = get_string(&m, "Name", &k->name, e);
    if (st == ST_OK)
        st = get_string(&m, "SymbolName", &k->symbol, e);
    if (st == ST_OK)
        st = read_props(&m, k, e);
    if (st == ST_OK)
        st = read_attrs(&m, k, e);
    return st == ST_OK ? read_args(&m, index, k, e) : st;
}

/* Adds what a kernel takes to the sums. */
static enum status check_sums(struct codeobj *co, const struct kernel_meta *k, u32 index,
                              struct err *e)
{
    co->yaml_args += k->arg_count;
    co->yaml_names += strlen(k->name) + strlen(k->symbol);
    for (u32 i = 0; i < k->arg_count; i++)
        co->yaml_names += strlen(k->args[i].name);
    if (co->yaml_args > ALL_ARGS_MAX)
        return err_set(e, ST_INPUT, "metadata: kernel %u: more than %d arguments in all", index,
                       ALL_ARGS_MAX);
    if (co->yaml_names > ALL_NAMES_MAX)
        return err_set(e, ST_INPUT, "metadata: kernel %u: the names take more than %d bytes in all",
                       index, ALL_NAMES_MAX);
    return ST_OK;
}

static enum status read_root(struct codeobj *co, yaml_document_t *doc, struct err *e)
{
    const yaml_node_item_t *items;
    u32 count, version[2];
    struct map root = { doc, yaml_document_get_root_node(doc), "document" };
    if (!root.node || root.node->type != YAML_MAPPING_NODE)
        return err_set(e, ST_INPUT, "metadata: is not a map");
    enum status st = get_items(&root, "Version", 2, true, &items, &count, e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < 2; i++)
        if (count != 2 || !read_number(yaml_document_get_node(doc, items[i]), 99, &version[i]))
            return err_set(e, ST_INPUT, "metadata: Version is not two integers");
    if (version[0] != 1 || version[1] != 0)
        return err_set(e, ST_INPUT, "metadata: Version %u.%u is not 1.0, that of code object v2",
                       version[0], version[1]);
    st = get_items(&root, "Printf", CODEOBJ_MAX_KERNELS, false, &items, &count, e);
    for (u32 i = 0; st == ST_OK && i < count; i++) {
        const yaml_node_t *text = yaml_document_get_node(doc, items[i]);
        st = text && text->type == YAML_SCALAR_NODE
                 ? codeobj_printf_add(co, (const char *)text->data.scalar.value,
                                      text->data.scalar.length, e)
                 : err_set(e, ST_INPUT, "metadata: Printf: item %u is not a string", i);
    }
    if (st != ST_OK)
        return st;
    st = get_items(&root, "Kernels", CODEOBJ_MAX_KERNELS, true, &items, &count, e);
    if (st != ST_OK || !count)
        return st;
    u32 first = co->kernel_count;
    st = codeobj_add_kernels(co, count, e);
    for (u32 i = 0; st == ST_OK && i < count; i++) {
        struct kernel_meta *k = &co->kernels[first + i];
        st = read_kernel(doc, yaml_document_get_node(doc, items[i]), i, k, e);
        if (st == ST_OK)
            st = check_sums(co, k, i, e);
    }
    return st;
}

enum status codeobj_yaml_read(struct codeobj *co, const u8 *text, size_t size, struct err *e)
{
    yaml_parser_t parser;
    yaml_document_t doc;
    while (size && text[size - 1] == 0) /* the string's end and padding */
        size--;
    if (size > DOC_MAX)
        return err_set(e, ST_INPUT, "metadata: %zu bytes are more than the limit of %d", size,
                       DOC_MAX);
    if (!yaml_parser_initialize(&parser))
        return err_memory(e);
    yaml_parser_set_input_string(&parser, text, size);
    enum status st;
    if (yaml_parser_load(&parser, &doc)) {
        st = read_root(co, &doc, e);
        yaml_document_delete(&doc);
    } else {
        st = err_set(e, ST_INPUT, "metadata: malformed YAML at line %zu: %.100s",
                     parser.problem_mark.line + 1, parser.problem ? parser.problem : "?");
    }
    yaml_parser_delete(&parser);
    return st;
}
