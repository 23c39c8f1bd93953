#include "harness/launch/file/kernarg.h"

#include "harness/io/file.h"
#include "oracle/state/state.h"

#include <inttypes.h>
#include <stdlib.h>

static u64 align_up(u64 v, u64 align)
{
    return (v + align - 1) & ~(align - 1);
}

enum { KERNARG_MAX = 1 << 20 }; /* bytes */

/* Line 0: of the file, or of its kernel if there are several. */
static enum status at_line(enum status st, const struct launch *l, int line, struct err *e)
{
    if (st != ST_OK)
        file_error(e, l->file, line || l->part_count < 2 ? line : l->now.line);
    return st;
}

static enum status check_workgroup(const struct kernel_meta *m, const struct launch *l,
                                   struct err *e)
{
    const u32 *w = l->now.workgroup, *r = m->reqd_workgroup;
    u64 items = (u64)w[0] * w[1] * w[2]; /* at most 48 bits */
    if ((r[0] | r[1] | r[2]) && (r[0] != w[0] || r[1] != w[1] || r[2] != w[2]))
        return err_set(e, ST_INPUT, "work-group %u %u %u: kernel %.80s requires %u %u %u", w[0],
                       w[1], w[2], m->name, r[0], r[1], r[2]);
    if (items > m->max_workgroup_size)
        return err_set(e, ST_INPUT, "work-group of %" PRIu64 " work-items: kernel %.80s allows %u",
                       items, m->name, m->max_workgroup_size);
    return ST_OK;
}

/* The kind that the metadata must have for a line of launch.txt. */
static enum arg_kind kind_for(const struct launch_arg *a)
{
    if (launch_arg_is_described(a))
        return a->kind == LARG_SAMPLER ? ARG_SAMPLER : ARG_IMAGE;
    if (launch_arg_is_buffer(a) || a->kind == LARG_POINTER)
        return ARG_GLOBAL_BUFFER;
    return a->kind == LARG_LOCAL ? ARG_DYNAMIC_SHARED_POINTER : ARG_BY_VALUE;
}

static u64 bytes_for(const struct launch_arg *a)
{
    if (launch_arg_is_buffer(a) || launch_arg_is_described(a))
        return 8;
    return a->kind == LARG_LOCAL ? 4 : a->size;
}

/* Places LDS of `local` arguments one after another behind the fixed part. */
static enum status place_local(struct kernarg *out, const struct kernel_arg *m,
                               const struct launch_arg *a, u32 *offset, struct err *e)
{
    u64 align = m->pointee_align > LOCAL_ALIGN ? m->pointee_align : LOCAL_ALIGN;
    u64 at = align_up(out->lds_size, align), end = at + a->size;
    if (end > UINT32_MAX)
        return err_set(e, ST_INPUT, "more than 4 GiB of LDS");
    *offset = (u32)at;
    out->lds_size = (u32)end;
    return ST_OK;
}

/* The address of the descriptor of an image or a sampler, which is filled in. */
static u64 place_descriptor(struct kernarg *out, const struct launch_arg *a, u64 image)
{
    u32 at = out->descriptor_count++ * DESCRIPTOR_BYTES;
    if (a->kind == LARG_SAMPLER) {
        memcpy(out->descriptors + at, a->sampler.dw, sizeof a->sampler.dw);
    } else {
        u32 dw[DESCRIPTOR_DW];
        launch_image_descriptor(&a->image, out->target, image, dw);
        memcpy(out->descriptors + at, dw, sizeof dw);
    }
    return GPU_DESCRIPTORS + at;
}

/* Whether a line of launch.txt can be this argument. */
static bool is_kind(const struct launch_arg *a, enum arg_kind kind)
{
    if (kind == ARG_GLOBAL_BUFFER && strcmp(a->word, "u64") == 0) { /* a null pointer */
        u64 v;
        memcpy(&v, a->bytes, sizeof v);
        return a->size == sizeof v && v == 0;
    }
    if (kind == ARG_BY_VALUE && a->kind == LARG_POINTER) /* a struct of one pointer */
        return true;
    return kind == kind_for(a);
}

/* A vector of three has the size of one of four in OpenCL C. */
static bool has_size(const struct launch_arg *a, u32 size)
{
    u64 given = bytes_for(a);
    bool is_three = a->kind == LARG_SCALAR && given == 3 * strtoull(a->word + 1, NULL, 10) / 8;
    return given == size || (is_three && given / 3 * 4 == size);
}

static enum status put_explicit(struct kernarg *out, const struct kernel_meta *m, u32 meta_index,
                                u32 index, const struct launch *l, struct err *e)
{
    const struct kernel_arg *k = &m->args[meta_index];
    u32 item = launch_item(l, index);
    const struct launch_arg *a = &l->args[item];
    u32 lds_offset = 0;
    if (!is_kind(a, k->kind) || !has_size(a, k->size))
        return err_set(e, ST_INPUT,
                       "argument %u of kernel %.60s is %s %s of %u bytes, not '%s' of %" PRIu64,
                       index - l->now.first, m->name, k->kind == ARG_IMAGE ? "an" : "a",
                       codeobj_arg_kind_name(k->kind), k->size, a->word, bytes_for(a));
    u8 *place = out->bytes + k->offset;
    if (launch_arg_is_described(a)) {
        u64 address = place_descriptor(out, a, out->addresses[item]);
        memcpy(place, &address, sizeof address);
        return ST_OK;
    }
    switch (a->kind) {
    case LARG_BUF:
    case LARG_OUT:
    case LARG_INOUT:
    case LARG_TMP: memcpy(place, &out->addresses[item], sizeof out->addresses[item]); return ST_OK;
    case LARG_LOCAL: {
        enum status st = place_local(out, k, a, &lds_offset, e);
        memcpy(place, &lds_offset, sizeof lds_offset);
        return st;
    }
    case LARG_SAMPLER:
    case LARG_STRUCT:
    case LARG_POINTER:
    case LARG_SCALAR: memcpy(place, a->bytes, a->size); return ST_OK;
    case LARG_AGAIN: break; /* a is what it means */
    }
    BUG("unknown argument kind");
}

u32 launch_dims(const struct launch *l)
{
    return l->now.grid[2] > 1 ? 3 : l->now.grid[1] > 1 ? 2 : 1;
}

/* The value of a hidden argument. Guide, tables "AMDHSA Code Object V3/V5 Kernel Argument
 * Metadata". What several devices share are null pointers. */
static u64 hidden_value(enum arg_kind kind, const struct launch *l, u32 dynamic_lds)
{
    const u32 *g = l->now.grid, *w = l->now.workgroup;
    switch ((u32)kind) {
    case ARG_HIDDEN_BLOCK_COUNT_X:
    case ARG_HIDDEN_BLOCK_COUNT_Y:
    case ARG_HIDDEN_BLOCK_COUNT_Z: {
        u32 i = kind - ARG_HIDDEN_BLOCK_COUNT_X;
        return g[i] / w[i];
    }
    case ARG_HIDDEN_GROUP_SIZE_X:
    case ARG_HIDDEN_GROUP_SIZE_Y:
    case ARG_HIDDEN_GROUP_SIZE_Z: return w[kind - ARG_HIDDEN_GROUP_SIZE_X];
    case ARG_HIDDEN_REMAINDER_X:
    case ARG_HIDDEN_REMAINDER_Y:
    case ARG_HIDDEN_REMAINDER_Z: {
        u32 i = kind - ARG_HIDDEN_REMAINDER_X;
        return g[i] % w[i];
    }
    case ARG_HIDDEN_GLOBAL_OFFSET_X:
    case ARG_HIDDEN_GLOBAL_OFFSET_Y:
    case ARG_HIDDEN_GLOBAL_OFFSET_Z: return l->now.offset[kind - ARG_HIDDEN_GLOBAL_OFFSET_X];
    case ARG_HIDDEN_GRID_DIMS: return launch_dims(l);
    case ARG_HIDDEN_DEFAULT_QUEUE:
    case ARG_HIDDEN_COMPLETION_ACTION: return GPU_DEVICE_QUEUE;
    case ARG_HIDDEN_QUEUE_PTR: return GPU_QUEUE_ADDRESS;
    case ARG_HIDDEN_DYNAMIC_LDS_SIZE: return dynamic_lds;
    case ARG_HIDDEN_PRINTF_BUFFER: return GPU_PRINTF_ADDRESS;
    case ARG_HIDDEN_HOSTCALL_BUFFER: return GPU_HOSTCALL_ADDRESS;
    case ARG_HIDDEN_HEAP_V1: return GPU_HEAP_ADDRESS;
    case ARG_HIDDEN_SHARED_BASE: return WAVE_SHARED_BASE >> 32;
    case ARG_HIDDEN_PRIVATE_BASE: return WAVE_PRIVATE_BASE >> 32;
    default: return 0;
    }
}

static enum status put_hidden(struct kernarg *out, const struct kernel_arg *k,
                              const struct launch *l, struct err *e)
{
    u64 v = hidden_value(k->kind, l, out->dynamic_lds);
    u32 size = k->size < sizeof v ? k->size : (u32)sizeof v;
    if (v & ~mask64(size * 8))
        return err_set(e, ST_INPUT, "%s %" PRIu64 " does not fit its %u bytes",
                       codeobj_arg_kind_name(k->kind), v, k->size);
    memcpy(out->bytes + k->offset, &v, size);
    return ST_OK;
}

static enum status allocate(struct kernarg *out, const struct kernel_meta *m,
                            const struct launch *l, struct err *e)
{
    out->size = m->kernarg_size;
    out->bytes = calloc(1, (size_t)align_up(out->size + 1ull, LOCAL_ALIGN));
    out->addresses = calloc((size_t)l->arg_count + 1, sizeof *out->addresses);
    if (!out->bytes || !out->addresses)
        return err_memory(e);
    u32 described = 0;
    for (u32 i = 0; i < l->arg_count; i++)
        described += launch_arg_is_described(&l->args[launch_item(l, i)]);
    if (described && !(out->descriptors = calloc(described, DESCRIPTOR_BYTES)))
        return err_memory(e);
    u64 next = GPU_BUFFER_BASE;
    for (u32 i = 0; i < l->arg_count; i++) {
        if (!launch_arg_is_buffer(&l->args[i]))
            continue;
        out->addresses[i] = next;
        next = align_up(next + l->args[i].size + BUFFER_GUARD, BUFFER_ALIGN);
    }
    return ST_OK;
}

/* Writes the addresses that pointers of launch.txt name into buffers and structs. */
static void put_pointers(const struct kernarg *out, const struct launch *l)
{
    for (u32 i = 0; i < l->pointer_count; i++) {
        const struct launch_pointer *p = &l->pointers[i];
        u64 v = out->addresses[p->to] + p->offset;
        memcpy(l->args[p->in].bytes + p->at, &v, sizeof v);
    }
}

/* Describes the arguments that launch.txt gives, one after the other, for a code object that does
 * not. The segment may become larger than it says: GCC's libgomp passes more than the argument that
 * the compiler knows of. The caller frees m->args. */
static enum status describe_args(struct kernel_meta *m, const struct launch *l, struct err *e)
{
    static char no_name[] = "";
    u64 at = 0;
    m->args = calloc((size_t)l->arg_count + 1, sizeof *m->args);
    if (!m->args)
        return err_memory(e);
    for (u32 i = l->now.first; i < l->now.end; i++) {
        const struct launch_arg *a = &l->args[launch_item(l, i)];
        u64 size = bytes_for(a);
        if (l->args[i].is_aside)
            continue;
        if (size > KERNARG_MAX)
            return err_set(e, ST_INPUT, "more than %d bytes of arguments", KERNARG_MAX);
        at = align_up(at, a->kind == LARG_STRUCT ? 8 : size & (~size + 1));
        m->args[m->arg_count++] = (struct kernel_arg){
            .name = no_name, .offset = (u32)at, .size = (u32)size, .kind = kind_for(a)
        };
        at += size;
    }
    if (at > KERNARG_MAX)
        return err_set(e, ST_INPUT, "more than %d bytes of arguments", KERNARG_MAX);
    if (at > m->kernarg_size)
        m->kernarg_size = (u32)at;
    return ST_OK;
}

static enum status put_all(struct kernarg *out, const struct kernel_meta *m, const struct launch *l,
                           struct err *e)
{
    u32 explicit_count = 0, given = 0, index = l->now.first;
    u32 fixed_lds = out->lds_size;
    for (u32 i = l->now.first; i < l->now.end; i++)
        given += !l->args[i].is_aside;
    for (u32 i = 0; i < m->arg_count; i++)
        explicit_count += !codeobj_arg_is_hidden(m->args[i].kind);
    if (explicit_count != given)
        return at_line(err_set(e, ST_INPUT, "kernel %.80s takes %u arguments, %u are given",
                               m->name, explicit_count, given),
                       l, 0, e);
    for (u32 i = 0; i < m->arg_count; i++) {
        if (codeobj_arg_is_hidden(m->args[i].kind))
            continue;
        while (l->args[index].is_aside)
            index++;
        enum status st = at_line(put_explicit(out, m, i, index, l, e), l, l->args[index].line, e);
        if (st != ST_OK)
            return st;
        index++;
    }
    if (l->now.shared > UINT32_MAX - out->lds_size)
        return at_line(err_set(e, ST_INPUT, "more than 4 GiB of LDS"), l, 0, e);
    out->lds_size += (u32)l->now.shared;
    out->dynamic_lds = out->lds_size - fixed_lds;
    for (u32 i = 0; i < m->arg_count; i++) {
        enum status st = ST_OK;
        if (codeobj_arg_is_hidden(m->args[i].kind))
            st = at_line(put_hidden(out, &m->args[i], l, e), l, 0, e);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

enum status kernarg_build(const struct codeobj_kernel *k, const struct launch *l,
                          const struct isa_target *target, struct kernarg *out, struct err *e)
{
    struct kernel_meta m = *k->meta;
    u32 fixed = k->desc.group_segment_fixed_size;
    bool is_described = m.arg_count || !m.kernarg_size;
    *out = (struct kernarg){ .target = target,
                             .lds_size = m.group_size > fixed ? m.group_size : fixed };
    enum status st = at_line(check_workgroup(&m, l, e), l, 0, e);
    if (st == ST_OK && !is_described)
        st = at_line(describe_args(&m, l, e), l, 0, e);
    if (st == ST_OK)
        st = at_line(allocate(out, &m, l, e), l, 0, e);
    if (st == ST_OK) {
        if (!l->has_addresses)
            put_pointers(out, l);
        st = put_all(out, &m, l, e);
    }
    if (!is_described)
        free(m.args);
    if (st != ST_OK)
        kernarg_close(out);
    return st;
}

void kernarg_close(struct kernarg *k)
{
    free(k->bytes);
    free(k->addresses);
    free(k->descriptors);
    *k = (struct kernarg){ 0 };
}
