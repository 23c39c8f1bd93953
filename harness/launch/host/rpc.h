/* The host's side of the remote procedure calls of LLVM's libc for GPUs: a program's wave puts a
 * packet of 64 bytes for each lane into a port of shared memory and waits until the host has
 * answered. Served are the exit code, text, printf, memory, and what LLVM's tests of the calls ask
 * for; files, programs and functions of the host are refused by name. The layout and what is said in
 * which order are those of LLVM 19 (libc/src/__support/RPC, libc/utils/gpu/server), and with opcodes
 * of 32 bits of LLVM 20 on. */
#ifndef HARNESS_LAUNCH_HOST_RPC_H
#define HARNESS_LAUNCH_HOST_RPC_H

#include "harness/codeobj/codeobj.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

struct rpc;

/* Text goes to `out`, that for standard error to `error`. ST_WORLD if memory is short. */
enum status rpc_open(struct rpc **r, FILE *out, FILE *error, struct err *e);
void rpc_close(struct rpc *r);

/* Tells the program where the ports are: writes the client that it has (the variable
 * __llvm_libc_rpc_client points to it, or __llvm_rpc_client is it) into its image. A program without
 * one makes no calls. ST_INPUT if the client does not lie in the image. */
enum status rpc_connect(struct rpc *r, struct codeobj *co, struct err *e);

/* Adds the windows to a machine. r may be NULL. */
enum status rpc_map(struct rpc *r, struct machine *m, struct err *e);

/* Answers what is asked. True if that has changed memory. r may be NULL. */
bool rpc_serve(struct rpc *r);

/* Whether the program has called exit, or something that cannot be answered (NULL in *why: it has
 * not). */
bool rpc_has_ended(const struct rpc *r, int *status, const char **why);

#endif
