/* Functions of klee/klee.h that are plain C. */
#include <errno.h>

int klee_get_errno(void) { return errno; }
