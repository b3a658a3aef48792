/* Making threads and processes. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include "pthread_impl.h"
#include "syscall.h"

extern int __everett_clone(int (*)(void *), void *, int, void *, int *, void *, int *);
extern int __everett_set_tp(void *);

int __set_thread_area(void *p) { return __everett_set_tp(p); }

/* A child that shares the memory of a parent that waits cannot be told from one that has a copy, as
 * long as it only goes on to run another program: that is what the standard asks of it. */
static int fork_and_call(int (*fn)(void *), int flags, void *arg) {
  int rest = flags & ~(CLONE_VM | CLONE_VFORK);
  long pid = rest != SIGCHLD         ? __syscall(SYS_clone, rest, 0, 0, 0, 0)
             : flags & CLONE_VFORK ? __syscall(SYS_vfork)
                                   : __syscall(SYS_fork);
  if (pid == 0)
    for (int status = fn(arg);;)
      __syscall(SYS_exit_group, status);
  return pid;
}

int __clone(int (*fn)(void *), void *stack, int flags, void *arg, ...) {
  int *parent_tid = 0, *child_tid = 0;
  void *tp = 0;
  if (flags & (CLONE_PARENT_SETTID | CLONE_SETTLS | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
    va_list rest;
    va_start(rest, arg);
    parent_tid = va_arg(rest, int *);
    tp = va_arg(rest, void *);
    child_tid = va_arg(rest, int *);
    va_end(rest);
  }
  if (!(flags & CLONE_THREAD))
    return fork_and_call(fn, flags, arg);
  return __everett_clone(fn, stack, flags, arg, parent_tid, tp, child_tid);
}

/* The end of a detached thread: its own memory goes, and nothing touches it afterwards. */
void __unmapself(void *base, size_t size) {
  __syscall(SYS_munmap, base, size);
  for (;;)
    __syscall(SYS_exit, 0);
}
