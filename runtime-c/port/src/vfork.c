/* A child that its parent waits for. */
#define _GNU_SOURCE
#include <unistd.h>
#include "syscall.h"

pid_t vfork(void) { return syscall(SYS_vfork); }
