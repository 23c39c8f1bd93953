/* SHA-256 against the examples of its standard, and what tells that a DUT is another one. */
#include "harness/dut/identity.h"
#include "harness/io/shell.h"
#include "harness/t/lib/tap_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static const char *sum_of(const char *bytes, size_t size, size_t part)
{
    static char text[SHA256_TEXT];
    struct sha256 s;
    sha256_init(&s);
    for (size_t at = 0; at < size; at += part)
        sha256_add(&s, bytes + at, size - at < part ? size - at : part);
    sha256_end(&s, text);
    return text;
}

/* FIPS 180-4 and its examples: one block, none, two, and a million letters. */
static void examples(void)
{
    static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char of_two[] = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    static const char of_none[] =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    static const char of_many[] =
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    enum { MANY = 1000000 };
    char *many = malloc(MANY);
    if (!many)
        bail("no memory");
    memset(many, 'a', MANY);
    is_str(of_abc, sum_of("abc", 3, 3), "abc");
    is_str(of_none, sum_of("", 0, 1), "nothing");
    is_str(of_two, sum_of(two, sizeof two - 1, 64), "two blocks");
    is_str(of_two, sum_of(two, sizeof two - 1, 1), "byte by byte");
    is_str(of_many, sum_of(many, MANY, MANY), "a million letters");
    is_str(of_many, sum_of(many, MANY, 63), "in parts that are no blocks");
    free(many);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        bail("%s cannot be written", path);
}

static const char *identity(const char *spec)
{
    static char text[2][SHA256_TEXT];
    static u32 next;
    struct err e = { .text = "" };
    char *hash = text[next++ % 2];
    if (dut_identity(spec, hash, &e) != ST_OK)
        return strcpy(hash, "-");
    return hash;
}

/* A file of the current folder under the name of a DUT, and what becomes of it. */
static void files(void)
{
    char self[SHA256_TEXT], before[SHA256_TEXT], path[SHELL_PATH];
    struct err e = { .text = "" };
    put("one", "abc");
    put("two", "abc");
    is_str(of_abc, identity("plugin:one"), "a plug-in is what its file holds");
    is_str(of_abc, identity("plugin:./two"), "wherever that is");
    is_i64(ST_INPUT, dut_identity("plugin:none", before, &e), "one that is not there has none");
    ok(strstr(e.text, "plugin:none") != NULL, "and is named: %s", e.text);
    is_i64(ST_INPUT, dut_identity("plug:one", before, &e), "nor has what is no DUT");

    strcpy(before, identity("pipe:./one --fast <two"));
    ok(strcmp(before, identity("pipe:./one --fast")) != 0, "every file of a command counts");
    is_str(of_abc, identity("pipe:./one"), "one alone is itself");
    put("two", "abd");
    ok(strcmp(before, identity("pipe:./one --fast <two")) != 0, "one that was built anew shows");
    put("two", "abc");
    is_str(before, identity("pipe:./one --fast <two"), "and is the same once it is as before");
    mkdir("bin", 0755);
    put("bin/prog", "abc");
    setenv("PATH", "/nowhere:bin:", 1);
    ok(strcmp(of_abc, identity("pipe:prog")) != 0, "what cannot be executed is no program");
    chmod("bin/prog", 0755);
    is_str(of_abc, identity("pipe:prog"), "a program is found as the shell finds it");
    ok(strcmp(of_abc, identity("pipe:cd bin && prog")) == 0, "behind && as well");
    chmod("one", 0755);
    ok(shell_program("one", path), "an empty last element of PATH is the current folder");
    setenv("PATH", "/nowhere:bin", 1);
    ok(!shell_program("one", path), "which is not searched without");

    is_i64(ST_OK, dut_identity_self(self, &e), "this program has an identity");
    is_str(self, identity("model"), "which is that of the model");
    is_str(self, identity("mutant:any"), "and of mutants");
}

int main(void)
{
    char folder[] = "/tmp/t_identity.XXXXXX";
    plan(23);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail("no folder to try in");
    examples();
    files();
    unlink("one");
    unlink("two");
    unlink("bin/prog");
    rmdir("bin");
    if (chdir("/") != 0 || rmdir(folder) != 0)
        diag("%s stays", folder);
    return done();
}
