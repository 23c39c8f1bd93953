/* Which DUT is it? Its name says where it is found; what stands there may have been built anew since.
 * Whoever goes on with what an earlier process began asks for its identity, and so does a journal
 * that says what was tested. */
#ifndef HARNESS_DUT_IDENTITY_H
#define HARNESS_DUT_IDENTITY_H

#include "harness/io/sha256.h"

/* The hash of what a DUT's name finds, in hex: of a plug-in's file as sha256sum prints it; of a
 * command, of the files that its words name (the programs of PATH among them); of our own engines and
 * of cards, of this program and of the library that speaks to cards. Of several files it is that of
 * their hashes. What those files load themselves does not enter. ST_INPUT: a plug-in's file cannot
 * be read; of the others what may not be read does not enter. ST_WORLD: one could not, for want of
 * descriptors or memory, or because the disk failed. */
enum status dut_identity(const char *spec, char hash[SHA256_TEXT], struct err *e);

/* The same of several: that of one is its own. */
enum status dut_identity_all(const char *const *specs, u32 count, char hash[SHA256_TEXT],
                             struct err *e);

/* The same of this program alone. ST_WORLD: it cannot be read. */
enum status dut_identity_self(char hash[SHA256_TEXT], struct err *e);

#endif
