/* A stack that is large enough, whatever `ulimit -s` says: threads get one, and the program's own
 * thread hands over to one that has it. */
#ifndef HARNESS_IO_STACK_H
#define HARNESS_IO_STACK_H

enum { STACK_BYTES = 8 << 20 };

/* Calls fn(argc, argv) with a stack of STACK_BYTES and answers what it answers: here if there is
 * one, after raising the limit if that is allowed, or in a thread. If no thread can be had, here. */
int stack_call(int (*fn)(int argc, char **argv), int argc, char **argv);

#endif
