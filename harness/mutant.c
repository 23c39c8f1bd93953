#include "harness/mutant.h"

/* Made by scripts/mutate.py, but for the last (harness/mutant_state.c). */
extern const struct mutant mutants_sop[], mutants_vop[], mutants_mem[], mutants_smem[],
    mutants_buf[], mutants_img[], mutants_sample[], mutants_operand[], mutants_exec[],
    mutants_state[];
extern const u32 mutants_sop_count, mutants_vop_count, mutants_mem_count, mutants_smem_count,
    mutants_buf_count, mutants_img_count, mutants_sample_count, mutants_operand_count,
    mutants_exec_count, mutants_state_count;

const struct mutant *mutant_at(u32 index)
{
    const struct mutant *const list[] = { mutants_sop,    mutants_vop,     mutants_mem,
                                          mutants_smem,   mutants_buf,     mutants_img,
                                          mutants_sample, mutants_operand, mutants_exec,
                                          mutants_state };
    const u32 count[] = { mutants_sop_count,    mutants_vop_count,     mutants_mem_count,
                          mutants_smem_count,   mutants_buf_count,     mutants_img_count,
                          mutants_sample_count, mutants_operand_count, mutants_exec_count,
                          mutants_state_count };
    for (u32 i = 0; i < COUNT_OF(list); i++) {
        if (index < count[i])
            return &list[i][index];
        index -= count[i];
    }
    return NULL;
}

const struct mutant *mutant_find(const char *id)
{
    const struct mutant *mu;
    for (u32 i = 0; (mu = mutant_at(i)); i++)
        if (strcmp(mu->id, id) == 0)
            return mu;
    return NULL;
}

const char *mutant_kind_name(enum mutant_kind kind)
{
    static const char *const names[MUTANT_KINDS] = { "value",    "flag",    "exec",
                                                     "modifier", "address", "state" };
    return names[kind];
}

const char *mutant_encoding(const struct mutant *mu)
{
    return mu->enc < ENC_COUNT ? isa_encs[mu->enc].name : "-";
}

void mutant_plant(const struct mutant *mu, struct engine *eng)
{
    if (mu->sem)
        eng->sem[mu->op] = mu->sem;
    if (mu->operand)
        eng->operand = mu->operand;
    if (mu->exec)
        eng->exec = mu->exec;
}
