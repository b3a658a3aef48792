/* glibc's inner names of functions on files, processes and sockets, which programs and other libraries call. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __close(int fd) { return close(fd); }
int __connect(int fd, const struct sockaddr *to, socklen_t n) { return connect(fd, to, n); }
ssize_t __send(int fd, const void *from, size_t n, int flags) { return send(fd, from, n, flags); }
int __fcntl(int fd, int command, ...) {
  va_list args;
  va_start(args, command);
  unsigned long arg = va_arg(args, unsigned long);
  va_end(args);
  return fcntl(fd, command, arg);
}
static int open_with(const char *path, int flags, va_list args) {
  int makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  return open(path, flags, makes ? va_arg(args, mode_t) : 0);
}
int __open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  int fd = open_with(path, flags, args);
  va_end(args);
  return fd;
}
int __open64(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  int fd = open_with(path, flags, args);
  va_end(args);
  return fd;
}
int __dup2(int from, int to) { return dup2(from, to); }
int __pipe(int *ends) { return pipe(ends); }
int __poll(struct pollfd *fds, nfds_t n, int timeout) { return poll(fds, n, timeout); }
ssize_t __read(int fd, void *to, size_t n) { return read(fd, to, n); }
ssize_t __write(int fd, const void *from, size_t n) { return write(fd, from, n); }
ssize_t __pread64(int fd, void *to, size_t n, off_t at) { return pread(fd, to, n, at); }
ssize_t __pwrite64(int fd, const void *from, size_t n, off_t at) { return pwrite(fd, from, n, at); }
int __select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout) {
  return select(n, in, out, other, timeout);
}
int __statfs(const char *path, struct statfs *to) { return statfs(path, to); }
pid_t __fork(void) { return fork(); }
pid_t __getpid(void) { return getpid(); }
pid_t __getpgid(pid_t pid) { return getpgid(pid); }
pid_t __bsd_getpgrp(pid_t pid) { return getpgid(pid); }
int __setpgid(pid_t pid, pid_t group) { return setpgid(pid, group); }
pid_t __waitpid(pid_t pid, int *status, int options) { return waitpid(pid, status, options); }
int __gettimeofday(struct timeval *to, void *zone) { return gettimeofday(to, zone); }
int __nanosleep(const struct timespec *time, struct timespec *left) { return nanosleep(time, left); }
int __adjtimex(struct timex *to) { return adjtimex(to); }
int __sigsuspend(const sigset_t *mask) { return sigsuspend(mask); }
int __sched_getparam(pid_t pid, struct sched_param *to) { return sched_getparam(pid, to); }
int __sched_getscheduler(pid_t pid) { return sched_getscheduler(pid); }
int __sched_setscheduler(pid_t pid, int policy, const struct sched_param *from) {
  return sched_setscheduler(pid, policy, from);
}
int __sched_yield(void) { return sched_yield(); }
int __sched_get_priority_max(int policy) { return sched_get_priority_max(policy); }
int __sched_get_priority_min(int policy) { return sched_get_priority_min(policy); }
int __libc_allocate_rtsig(int high) { return -1; }
