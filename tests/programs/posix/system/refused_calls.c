//@ native: no
// What only a privileged process of the machine may do is refused, also to root, and what kernels may lack is missing.
#include "../check.h"
#include <assert.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/syscall.h>

int main(void) {
  assert(mount("none", "/mnt", "tmpfs", 0, 0) == -1 && errno == EPERM);
  assert(umount2("/", 0) == -1 && errno == EPERM);
  assert(unshare(CLONE_NEWNET) == -1 && errno == EPERM);
  assert(setns(0, 0) == -1 && errno == EPERM);
  assert(ptrace(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == EPERM);
  assert(reboot(0) == -1 && errno == EPERM);
  assert(syscall(SYS_bpf, 0, 0, 0) == -1 && errno == EPERM);
  assert(syscall(SYS_perf_event_open, 0, 0, 0, 0, 0) == -1 && errno == EACCES);
  assert(syscall(SYS_io_setup, 1, 0) == -1 && errno == ENOSYS);
  assert(syscall(SYS_clone3, 0, 0) == -1 && errno == ENOSYS);
  assert(syscall(SYS_seccomp, 0, 0, 0) == -1 && errno == EINVAL);
  return 0;
}
