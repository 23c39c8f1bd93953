/* The device: opening and closing it, and the files that clients have open. */
#include "harness/vgpu/core/internal.h"

#include <stdlib.h>

enum { STEPS_DEFAULT = 1 << 24, TRACE_ENTRIES = 1024, TRACE_LOG_DW = 1 << 16 };

enum status vgpu_open(struct vgpu **out, const struct vgpu_cfg *cfg, struct err *e)
{
    struct machine_cfg mc = { .waves_max = GROUP_WAVES_MAX,
                              .log_entries = cfg->trace ? TRACE_ENTRIES : 0,
                              .log_dw = cfg->trace ? TRACE_LOG_DW : 0 };
    struct vgpu *v = calloc(1, sizeof *v);
    if (!v)
        return err_memory(e);
    v->cfg = *cfg;
    v->packets = pm4_generation(cfg->chip->gen);
    if (!v->packets)
        BUG("a chip whose packets are not known");
    v->last = &v->first;
    if (v->cfg.max_steps == 0)
        v->cfg.max_steps = STEPS_DEFAULT;
    enum status st = isa_open_modelled(&v->isa, cfg->chip->mcpu, e);
    if (st == ST_OK)
        st = engine_open(&v->engine, "ref", e);
    if (st == ST_OK && cfg->plant)
        cfg->plant(&v->engine, cfg->plant_ctx);
    if (st == ST_OK)
        st = machine_open(&v->machine, &v->isa, &v->engine, &mc, e);
    if (st != ST_OK) {
        vgpu_close(v);
        return st;
    }
    v->machine->mem.addr_config = cfg->chip->gb_addr_config;
    *out = v;
    return ST_OK;
}

void vgpu_close(struct vgpu *v)
{
    if (!v)
        return;
    if (v->kfd)
        v->close_kfd(v->kfd);
    for (u32 i = 0; i < VGPU_FILES_MAX; i++)
        if (v->file[i].is_open)
            vgpu_file_close(v, i + 1);
    for (u32 i = 1; i <= v->objects.count; i++)
        vgpu_object_close(v, i);
    machine_close(v->machine);
    free(v->objects.at);
    free(v->names.at);
    free(v->bos);
    free(v);
}

const struct vgpu_chip *vgpu_chip_of(const struct vgpu *v)
{
    return v->cfg.chip;
}

const struct vgpu_stats *vgpu_stats_of(const struct vgpu *v)
{
    return &v->stats;
}

/* ---- files ---- */

u32 vgpu_file_open(struct vgpu *v, bool primary)
{
    for (u32 i = 0; i < VGPU_FILES_MAX; i++)
        if (!v->file[i].is_open) {
            v->file[i] =
                (struct vgpu_file){ .is_open = true, .is_primary = primary, .number = i + 1 };
            return i + 1;
        }
    return 0;
}

bool vgpu_file_is_open(const struct vgpu *v, u32 file)
{
    return file - 1 < VGPU_FILES_MAX && v->file[file - 1].is_open;
}

bool vgpu_file_is_primary(const struct vgpu *v, u32 file)
{
    return file - 1 < VGPU_FILES_MAX && v->file[file - 1].is_primary;
}

void vgpu_file_close(struct vgpu *v, u32 file)
{
    struct vgpu_file *f = &v->file[file - 1];
    if (file - 1 >= VGPU_FILES_MAX || !f->is_open || f->is_held)
        return;
    vgpu_finish(v);
    vgpu_vm_close(v, f);
    for (u32 i = 1; i <= f->lists.count; i++) {
        struct vgpu_list *list = vgpu_table_take(&f->lists, i);
        if (list)
            vgpu_list_free(v, list);
        free(list);
    }
    for (u32 i = 1; i <= f->syncobjs.count; i++)
        vgpu_syncobj_put(vgpu_table_take(&f->syncobjs, i));
    for (u32 i = 1; i <= f->ctxs.count; i++)
        vgpu_ctx_put(vgpu_table_take(&f->ctxs, i));
    for (u32 i = 1; i <= f->bos.count; i++)
        vgpu_bo_put(v, vgpu_table_take(&f->bos, i));
    free(f->lists.at);
    free(f->syncobjs.at);
    free(f->ctxs.at);
    free(f->bos.at);
    if (v->icache.file == f)
        v->icache.is_valid = false;
    *f = (struct vgpu_file){ .is_open = false };
}
