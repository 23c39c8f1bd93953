/* The table of the kinds of DUT, and what depends on the kind of a DUT alone. */
#include "harness/dut/internal.h"
#include "harness/io/shell.h"
#include "harness/io/stop.h"
#include "oracle/isa/isa.h"

#include <unistd.h>

static const struct dut_kind kinds[] = {
#define KIND(prefix, spellings, needs, exact, folder) \
    { #prefix, spellings, needs, exact, folder, dut_##prefix##_open },
#include "harness/dut/kinds.def"
#undef KIND
};

const struct dut_kind *dut_kind_find(const char *spec, const char **rest)
{
    size_t len = strcspn(spec, ":");
    *rest = spec[len] ? spec + len + 1 : NULL;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strlen(kinds[i].prefix) == len && strncmp(spec, kinds[i].prefix, len) == 0)
            return &kinds[i];
    return NULL;
}

bool dut_is_exact(const char *spec)
{
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    return k && k->is_exact;
}

const char *dut_vgpu_rest(const char *spec)
{
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    return k && k->open == dut_vgpu_open ? rest : NULL;
}

bool dut_is_program(const char *spec)
{
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    return k && k->folder != DUT_FOLDER_NONE;
}

void dut_kinds_text(char *buf, size_t size, const char *last)
{
    struct text t;
    text_init(&t, buf, size);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        text_add(&t, "%s%s",
                 i == 0                    ? ""
                 : i + 1 < COUNT_OF(kinds) ? ", "
                                           : last,
                 kinds[i].spellings);
}

void dut_add_absolute(const char *spec, struct text *t)
{
    char cwd[2048];
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    u32 folder = k && rest ? k->folder : (u32)DUT_FOLDER_NONE;
    if (folder == DUT_FOLDER_NONE || (folder == DUT_FOLDER_FILE && rest[0] == '/') ||
        !getcwd(cwd, sizeof cwd)) {
        text_add(t, "%s", spec);
    } else if (folder == DUT_FOLDER_COMMAND) {
        text_add(t, "%s:cd ", k->prefix);
        shell_word(t, cwd);
        text_add(t, " && %s", rest);
    } else {
        rest += strncmp(rest, "./", 2) == 0 ? 2 : 0;
        text_add(t, "%s:%s/%s", k->prefix, cwd, rest);
    }
}

/* CDNA ISA, Accumulation VGPRs: they came with the matrix products. */
static bool has_acc_vgprs(const char *mcpu)
{
    const struct isa_target *target = isa_target_find(mcpu);
    return target && isa_target_has(target, FEATUREBIT_MAI);
}

enum status dut_open(const char *spec, const struct dut_cfg *cfg, struct dut **out, struct err *e)
{
    const char *rest;
    const struct dut_kind *k = dut_kind_find(spec, &rest);
    *out = NULL;
    if (!k) {
        char names[160];
        dut_kinds_text(names, sizeof names, " or ");
        return err_set(e, ST_INPUT, "unknown DUT '%s': use %s", spec, names);
    }
    if (k->needs && (!rest || !*rest))
        return err_set(e, ST_INPUT, "DUT '%s' needs %s: %s:...", spec, k->needs, k->prefix);
    enum status st = k->open(rest, cfg, out, e);
    if (st != ST_OK && stop_requested()) /* which is why it did not answer in time */
        return err_set(e, ST_WORLD, "%s", stop_text());
    /* A DUT without can() says yes to everything, also to what nobody can have. */
    if (st == ST_OK && !has_acc_vgprs(cfg->mcpu))
        (*out)->can[CLASS_AGPR] = GCNCHECK_NO;
    return st;
}
