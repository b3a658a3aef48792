/* Everett's own additions to klee/klee.h. */
#ifndef EVERETT_H
#define EVERETT_H

#include <stddef.h>

#include "klee/klee.h"

/* Makes a whole variable symbolic under its own name: everett_symbolic(length); */
#define everett_symbolic(lvalue) klee_make_symbolic(&(lvalue), sizeof(lvalue), #lvalue)

/* Gives a part of the program's state any value: what a receiver may have come to know before, if that is not
 * explored. */
#define everett_symbolic_state(pointer, size) klee_make_symbolic((pointer), (size), "state")

#ifdef __cplusplus
extern "C" {
#endif
/* As in netklee.h. */
void klee_invariant_expose_data(int state, const char *key, const void *data, size_t size);

/* Lets faults happen on this node from now on (not zero), or none (zero); returns the old value. It is
 * one switch: to leave a region as it was entered, put the old value back. Faults can happen at the
 * start of a program, as far as the options of the run have any. Natively nothing happens. */
int everett_faults(int on);

/* Orders of threads, where the run explores them (--preempt); otherwise, and natively, nothing happens.
 *
 * A region in which the calling thread is not preempted: other threads run before it and after it, and
 * within it only where the calling thread waits. Regions may be nested. */
void everett_preempt_off(void);
void everett_preempt_on(void);

/* Every order of threads that the program can tell apart. */
#define EVERETT_EVERY_ORDER (-1)
/* The most preemptions of threads of this node from now on: 0, each thread runs until it waits; N;
 * EVERETT_EVERY_ORDER. Never more than the run explores. Returns the old number, as far as it is not used up: to leave a
 * region as it was entered, put that back. */
int everett_preemptions(int most);

/* A receiver's own word on the message that it has got, where the run replaces messages by others (everett
 * trojan, --trojan-count); otherwise, and natively, nothing happens. Of both, the last call counts. A program
 * that calls everett_accept somewhere accepts nothing else; one that calls only everett_reject accepts whatever
 * it answers, stores or exposes, unless it calls that. */
void everett_accept(void);
void everett_reject(void);

/* Names a message of a stream, where the run replaces messages: its sender calls it just before it writes the
 * bytes, and its receiver when it has all of them, before it looks at them. There, other bytes of the same
 * length may come instead. If senders call it, only messages that are named in this way are replaced. Natively
 * nothing happens, unless a test that was found so is replayed. */
void everett_message(void *buffer, size_t length);

/* A function that says what a message means, for the messages of findings: it writes a text of at most size bytes, with
 * its terminator, and returns its length, or 0 if the message is none of its own. */
typedef int (*everett_decoder)(const void *bytes, size_t length, char *text, size_t size);

/* Names a decoder of messages, by the name of their protocol. It runs for the messages of findings alone, on a copy of the
 * node that is dropped afterwards, and may compute, and nothing else: no system calls. Of several, the first that knows a
 * message counts. Natively nothing happens. */
void everett_decode(const char *protocol, everett_decoder decoder);

/* Commands of ioctl for one open file, with 0 or 1 as argument unless it is said. Natively they fail with
 * ENOTTY and change nothing. */
/* Faults of calls on this file, which can happen unless they are switched off. */
#define EVERETT_IOC_FAULTS 0x4004e701ul
/* Whether what is read from this file is a symbolic input, of as many bytes as there really are. */
#define EVERETT_IOC_SYMBOLIC 0x4004e702ul
/* How many reads from this file may give less than there is, from 0 to 255: each of them is cut in two at
 * every place. What is left can be read at once. No option of the run is needed. */
#define EVERETT_IOC_FRAGMENT 0x4004e703ul

#ifdef __cplusplus
}
#endif

/* Exposes a whole variable to invariants, for a state and a key: everett_expose(1, "decision", decision); */
#define everett_expose(state, key, lvalue) \
  klee_invariant_expose_data((state), (key), &(lvalue), sizeof(lvalue))

#endif
