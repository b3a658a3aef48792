/* Thin wrappers of system calls that musl 1.2.3 lacks. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>
#include "syscall.h"

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags) {
  return syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}
int close_range(unsigned first, unsigned last, int flags) {
  return syscall(SYS_close_range, first, last, flags);
}
void closefrom(int first) { syscall(SYS_close_range, first < 0 ? 0 : first, ~0U, 0); }
int tgkill(int group, int tid, int sig) { return syscall(SYS_tgkill, group, tid, sig); }
int pidfd_open(pid_t pid, unsigned flags) { return syscall(SYS_pidfd_open, pid, flags); }
int pidfd_send_signal(int fd, int sig, siginfo_t *info, unsigned flags) {
  return syscall(SYS_pidfd_send_signal, fd, sig, info, flags);
}
int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags) {
  return syscall(SYS_execveat, fd, path, argv, envp, flags);
}
int statx(int fd, const char *path, int flags, unsigned mask, void *to) {
  return syscall(SYS_statx, fd, path, flags, mask, to);
}
ssize_t preadv2(int fd, const struct iovec *parts, int n, off_t offset, int flags) {
  return syscall(SYS_preadv2, fd, parts, n, offset, 0, flags);
}
ssize_t pwritev2(int fd, const struct iovec *parts, int n, off_t offset, int flags) {
  return syscall(SYS_pwritev2, fd, parts, n, offset, 0, flags);
}
int epoll_pwait2(int fd, void *events, int n, const struct timespec *timeout, const sigset_t *mask) {
  return syscall(SYS_epoll_pwait2, fd, events, n, timeout, mask, _NSIG / 8);
}
