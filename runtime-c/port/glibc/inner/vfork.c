/* vfork under its inner name: a child with memory of its own, as a caller may not tell the difference. */
#define _GNU_SOURCE
#include <unistd.h>

pid_t __vfork(void) { return fork(); }
