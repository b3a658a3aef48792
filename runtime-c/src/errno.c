/* The thread's errno. */
#include <errno.h>
#include <klee/klee.h>

static _Thread_local int value;

int *__errno_location(void) { return &value; }

int klee_get_errno(void) { return value; }
