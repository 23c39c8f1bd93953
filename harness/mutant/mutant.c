#include "harness/mutant/mutant.h"

#include <unistd.h>

static bool is_end(const struct mutant_family *f)
{
    return !f->mutant && !f->made;
}

bool mutant_any(void)
{
    return !is_end(mutant_families);
}

const struct mutant *mutant_at(u32 index)
{
    for (const struct mutant_family *f = mutant_families; !is_end(f); f++) {
        u32 count = f->made ? 0 : *f->count;
        const struct mutant *mutant = f->made ? f->made(&count) : f->mutant;
        if (index < count)
            return &mutant[index];
        index -= count;
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

const char *mutant_class(const struct mutant *mu)
{
    return mu->class ? mu->class : mutant_kind_name((enum mutant_kind)mu->kind);
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

/* The program with the mutants, which stands in the folder of this one. */
static bool sibling(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size);
    if (n <= 0 || (size_t)n >= size)
        return false;
    path[n] = '\0';
    size_t dir = (size_t)(strrchr(path, '/') - path) + 1;
    if (size - dir < sizeof MUTANT_PROGRAM)
        return false;
    memcpy(path + dir, MUTANT_PROGRAM, sizeof MUTANT_PROGRAM);
    return true;
}

enum status mutant_become(char *const *argv, struct err *e)
{
    char path[4096];
    if (mutant_any())
        return ST_OK;
    if (sibling(path, sizeof path))
        execv(path, argv);
    return err_set(e, ST_WORLD,
                   "no mutants: they are in a program of their own, " MUTANT_PROGRAM
                   ", which `make mutants` puts beside gcncheck");
}
