/* The thread's errno, under the name that klee_get_errno reads. */
#include <errno.h>

_Thread_local int __everett_errno;

int *__errno_location(void) { return &__everett_errno; }
