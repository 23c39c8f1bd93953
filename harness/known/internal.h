/* Shared by the files of known failures. */
#ifndef HARNESS_KNOWN_INTERNAL_H
#define HARNESS_KNOWN_INTERNAL_H

#include "harness/known/known.h"

#include <regex.h>
#include <stdio.h>

/* How a result may fail, a bit each: deqp-runner tells them apart. */
enum known_end { KNOWN_FAIL = 1, KNOWN_CRASH = 2, KNOWN_TIMEOUT = 4, KNOWN_ANY = 7 };

enum { KNOWN_NAME_SIZE = sizeof((struct result *)NULL)->id, KNOWN_REASON_SIZE = 128 };

struct known_entry {
    char name[KNOWN_NAME_SIZE];
    char reason[KNOWN_REASON_SIZE];
    char until[12];    /* "2027-03-31"; empty: for ever */
    u32 line;          /* of the file, from 1 */
    size_t begin, end; /* of its lines in the file, in bytes */
    size_t by, by_end; /* of its line "by", likewise */
    u8 commands;       /* enum known_command bits that show it; 0: not said */
    u8 ends;           /* enum known_end bits that it covers */
    bool is_pattern, is_expired;
    bool has_passed; /* it names a case, which was judged and not wrong */
    u64 fired;       /* failures that it names */
};

/* Names and their places: a hash over texts that somebody else keeps. */
struct known_names {
    u32 count, cap;
    struct known_name {
        u64 hash;
        char name[KNOWN_NAME_SIZE];
        char first[KNOWN_NAME_SIZE]; /* of new ones: where it was seen first */
        u64 seen;
        u8 ends;
        bool is_left_out; /* some of what is judged under it was not, by --skips */
    } * at;
    u32 *slots; /* hash: index + 1; twice as many as cap */
};

struct known_list {
    regex_t *at;
    u32 count, cap;
};

struct known {
    struct known_cfg cfg;
    bool is_deqp;  /* the file's format */
    bool is_there; /* the file existed */
    u8 *bytes;     /* of the file */
    size_t size;
    struct known_entry *entry;
    u32 entries, entries_cap;
    struct known_names names; /* of the entries, patterns too, in the order of entry[] */
    u32 *pattern;             /* entries that have one */
    u32 patterns, patterns_cap;
    struct known_names asked; /* causes that patterns were tried on */
    struct known_span {
        u32 from, to; /* of match[] */
    } * span;         /* of each of them */
    u32 span_cap;
    u32 *match; /* entries whose pattern fits, in their order */
    u32 matches, matches_cap;
    struct known_names judged; /* "MNEMONIC FORM" */
    struct known_names fresh;  /* failures that no entry covers */
    struct known_list skips, flakes;
};

/* The name, or NULL: it is not there. Valid until another is added. */
const struct known_name *known_has_name(const struct known_names *n, const char *name);
/* The same; it is put there if it was not. NULL: memory is short. */
struct known_name *known_add_name(struct known_names *n, const char *name);
void known_free_names(struct known_names *n);

/* Reads k->cfg.file into entries. ST_INPUT with file and line. */
enum status known_read(struct known *k, struct err *e);
/* The same of what k->bytes holds already. */
enum status known_parse(struct known *k, struct err *e);

/* Writes the file as known_update does. ST_WORLD: no memory. */
enum status known_put(const struct known *k, bool whole, FILE *out, u32 *added, u32 *dropped,
                      struct err *e);

/* Reads a list of regular expressions. ST_INPUT with file and line. */
enum status known_read_list(struct known_list *l, const char *path, struct err *e);
bool known_list_has(const struct known_list *l, const char *id);
void known_free_list(struct known_list *l);

/* Whether an entry could have shown in this run, and did not (known_warn). */
bool known_is_unfired(const struct known *k, const struct known_entry *x, bool whole);

#endif
