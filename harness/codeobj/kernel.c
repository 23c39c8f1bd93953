/* Kernels of a code object: room for those that its metadata names, and one of them found with its
 * descriptor and entry point. */
#include "harness/codeobj/internal.h"

#include "harness/io/file.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const kind_names[ARG_KINDS] = {
    [ARG_BY_VALUE] = "by_value",
    [ARG_GLOBAL_BUFFER] = "global_buffer",
    [ARG_DYNAMIC_SHARED_POINTER] = "dynamic_shared_pointer",
    [ARG_SAMPLER] = "sampler",
    [ARG_IMAGE] = "image",
    [ARG_PIPE] = "pipe",
    [ARG_QUEUE] = "queue",
    [ARG_HIDDEN_GLOBAL_OFFSET_X] = "hidden_global_offset_x",
    [ARG_HIDDEN_GLOBAL_OFFSET_Y] = "hidden_global_offset_y",
    [ARG_HIDDEN_GLOBAL_OFFSET_Z] = "hidden_global_offset_z",
    [ARG_HIDDEN_NONE] = "hidden_none",
    [ARG_HIDDEN_PRINTF_BUFFER] = "hidden_printf_buffer",
    [ARG_HIDDEN_HOSTCALL_BUFFER] = "hidden_hostcall_buffer",
    [ARG_HIDDEN_DEFAULT_QUEUE] = "hidden_default_queue",
    [ARG_HIDDEN_COMPLETION_ACTION] = "hidden_completion_action",
    [ARG_HIDDEN_MULTIGRID_SYNC_ARG] = "hidden_multigrid_sync_arg",
    [ARG_HIDDEN_BLOCK_COUNT_X] = "hidden_block_count_x",
    [ARG_HIDDEN_BLOCK_COUNT_Y] = "hidden_block_count_y",
    [ARG_HIDDEN_BLOCK_COUNT_Z] = "hidden_block_count_z",
    [ARG_HIDDEN_GROUP_SIZE_X] = "hidden_group_size_x",
    [ARG_HIDDEN_GROUP_SIZE_Y] = "hidden_group_size_y",
    [ARG_HIDDEN_GROUP_SIZE_Z] = "hidden_group_size_z",
    [ARG_HIDDEN_REMAINDER_X] = "hidden_remainder_x",
    [ARG_HIDDEN_REMAINDER_Y] = "hidden_remainder_y",
    [ARG_HIDDEN_REMAINDER_Z] = "hidden_remainder_z",
    [ARG_HIDDEN_GRID_DIMS] = "hidden_grid_dims",
    [ARG_HIDDEN_HEAP_V1] = "hidden_heap_v1",
    [ARG_HIDDEN_PRIVATE_BASE] = "hidden_private_base",
    [ARG_HIDDEN_SHARED_BASE] = "hidden_shared_base",
    [ARG_HIDDEN_QUEUE_PTR] = "hidden_queue_ptr",
    [ARG_HIDDEN_DYNAMIC_LDS_SIZE] = "hidden_dynamic_lds_size",
};

static const char *const space_names[ADDRESS_SPACES] = {
    [ADDRESS_NONE] = "none",         [ADDRESS_PRIVATE] = "private", [ADDRESS_GLOBAL] = "global",
    [ADDRESS_CONSTANT] = "constant", [ADDRESS_LOCAL] = "local",     [ADDRESS_GENERIC] = "generic",
    [ADDRESS_REGION] = "region",
};

const char *codeobj_arg_kind_name(enum arg_kind kind)
{
    return (unsigned)kind < ARG_KINDS ? kind_names[kind] : "?";
}

const char *codeobj_space_name(enum address_space space)
{
    return space_names[space];
}

enum status codeobj_add_kernels(struct codeobj *co, u32 count, struct err *e)
{
    if (count > CODEOBJ_MAX_KERNELS - co->kernel_count)
        return err_set(e, ST_INPUT, "metadata: more than %d kernels", CODEOBJ_MAX_KERNELS);
    struct kernel_meta *more =
        realloc(co->kernels, ((size_t)co->kernel_count + count) * sizeof *more);
    if (!more)
        return err_memory(e);
    memset(more + co->kernel_count, 0, count * sizeof *more);
    co->kernels = more;
    co->kernel_count += count;
    return ST_OK;
}

/* The metadata of kernel `name`, by its symbol. */
static const struct kernel_meta *find_meta(const struct codeobj *co, const char *name)
{
    size_t len = strlen(name);
    for (u32 i = 0; i < co->kernel_count; i++) {
        const char *symbol = co->kernels[i].symbol;
        if (strncmp(symbol, name, len) == 0 &&
            (strcmp(symbol + len, ".kd") == 0 || strcmp(symbol + len, "@kd") == 0))
            return &co->kernels[i];
    }
    return NULL;
}

static enum status no_such_kernel(const struct codeobj *co, const char *name, struct err *e)
{
    char list[120];
    struct text t;
    text_init(&t, list, sizeof list);
    for (u32 i = 0; i < co->kernel_count && !t.full; i++)
        text_add(&t, "%s%s", i ? ", " : "", co->kernels[i].name);
    if (!name)
        return err_set(e, ST_INPUT, "has %u kernels, one must be named: %s", co->kernel_count,
                       list);
    return err_set(e, ST_INPUT, "has no kernel '%.60s', only: %s", name, list);
}

/* The symbol of a kernel's descriptor. In version 2 the metadata names "NAME@kd", but LLVM defines
 * NAME alone. */
static enum status find_symbol(const struct codeobj *co, const char *name,
                               struct codeobj_symbol *out, struct err *e)
{
    char plain[CODEOBJ_NAME_MAX];
    size_t len = strlen(name);
    if (codeobj_symbol(co, name, out))
        return ST_OK;
    if (co->target.version == 2 && len > 3 && len < sizeof plain) {
        memcpy(plain, name, len - 3);
        plain[len - 3] = '\0';
        if (codeobj_symbol(co, plain, out))
            return ST_OK;
    }
    return err_set(e, ST_INPUT, "has no symbol '%.100s'", name);
}

/* Symbols and descriptor of a kernel whose metadata is known. */
static enum status find_kernel(const struct codeobj *co, struct codeobj_kernel *out, struct err *e)
{
    const char *symbol = out->meta->symbol;
    bool is_v2 = co->target.version == 2;
    u32 size = is_v2 ? CODEOBJ_CODE_BYTES : CODEOBJ_DESC_BYTES;
    u8 desc[CODEOBJ_DESC_BYTES];
    struct codeobj_symbol kd = { 0 }, function;
    enum status st = find_symbol(co, symbol, &kd, e);
    if (st != ST_OK)
        return st;
    const u8 *bytes = codeobj_image_at(co, kd.vaddr, size, NULL);
    if (!bytes || kd.vaddr % CODEOBJ_DESC_BYTES)
        return err_set(e, ST_INPUT,
                       "%.100s: descriptor at 0x%" PRIx64 " is not %u aligned bytes of one segment",
                       symbol, kd.vaddr, size);
    if (is_v2)
        codeobj_desc_from_code(bytes, desc);
    struct err inner = { .text = "" };
    st = codeobj_desc_decode(is_v2 ? desc : bytes, co->target.cpu->gen, &out->desc, &inner);
    if (st != ST_OK)
        return err_set(e, st, "%.60s: %.180s", symbol, inner.text);
    const struct codeobj_segment *seg;
    u64 entry = kd.vaddr + (u64)out->desc.kernel_code_entry_byte_offset;
    if (entry % 256 || !codeobj_image_at(co, entry, 4, &seg) || !seg->is_executable)
        return err_set(e, ST_INPUT,
                       "%.100s: entry point 0x%" PRIx64 " is not 256-byte aligned code", symbol,
                       entry);
    out->desc_address = co->base + kd.vaddr;
    out->entry_address = co->base + entry;
    out->name =
        codeobj_function_at(co, out->entry_address, &function) ? function.name : out->meta->name;
    return ST_OK;
}

enum status codeobj_kernel(const struct codeobj *co, const char *name, struct codeobj_kernel *out,
                           struct err *e)
{
    enum status st;
    *out = (struct codeobj_kernel){ 0 };
    if (name)
        out->meta = find_meta(co, name);
    else if (co->kernel_count == 1)
        out->meta = &co->kernels[0];
    if (!out->meta)
        st = no_such_kernel(co, name, e);
    else if (co->target.cpu->gen < CPU_GFX6 || co->target.cpu->gen > CPU_GFX9)
        st = err_set(e, ST_INPUT,
                     "kernels for %s are not supported, only gfx6 to gfx9 without gfx90a and later",
                     co->target.cpu->name);
    else
        st = find_kernel(co, out, e);
    if (st != ST_OK) {
        file_error(e, co->file, 0);
    }
    return st;
}
