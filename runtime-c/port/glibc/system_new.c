/* System calls that are younger than musl 1.2.3, or that it leaves to syscall(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>
#include "syscall.h"

int fsopen(const char *type, unsigned flags) { return syscall(SYS_fsopen, type, flags); }
int fsconfig(int fd, unsigned command, const char *key, const void *value, int aux) {
  return syscall(SYS_fsconfig, fd, command, key, value, aux);
}
int fsmount(int fd, unsigned flags, unsigned attributes) { return syscall(SYS_fsmount, fd, flags, attributes); }
int fspick(int fd, const char *path, unsigned flags) { return syscall(SYS_fspick, fd, path, flags); }
int open_tree(int fd, const char *path, unsigned flags) { return syscall(SYS_open_tree, fd, path, flags); }
int move_mount(int from_fd, const char *from, int to_fd, const char *to, unsigned flags) {
  return syscall(SYS_move_mount, from_fd, from, to_fd, to, flags);
}
int mount_setattr(int fd, const char *path, unsigned flags, void *attributes, size_t n) {
  return syscall(SYS_mount_setattr, fd, path, flags, attributes, n);
}
int pidfd_getfd(int pidfd, int fd, unsigned flags) { return syscall(SYS_pidfd_getfd, pidfd, fd, flags); }
ssize_t process_madvise(int pidfd, const struct iovec *parts, size_t n, int advice, unsigned flags) {
  return syscall(SYS_process_madvise, pidfd, parts, n, advice, flags);
}
int process_mrelease(int pidfd, unsigned flags) { return syscall(448, pidfd, flags); }
int pkey_alloc(unsigned flags, unsigned rights) { return syscall(SYS_pkey_alloc, flags, rights); }
int pkey_free(int key) { return syscall(SYS_pkey_free, key); }
int pkey_mprotect(void *at, size_t n, int protection, int key) {
  return syscall(SYS_pkey_mprotect, at, n, protection, key);
}
int modify_ldt(int function, void *to, unsigned long n) { return syscall(SYS_modify_ldt, function, to, n); }
int __arch_prctl(int code, unsigned long address) { return syscall(SYS_arch_prctl, code, address); }
ssize_t preadv64v2(int fd, const struct iovec *parts, int n, off_t offset, int flags) {
  return syscall(SYS_preadv2, fd, parts, n, offset, 0, flags);
}
ssize_t pwritev64v2(int fd, const struct iovec *parts, int n, off_t offset, int flags) {
  return syscall(SYS_pwritev2, fd, parts, n, offset, 0, flags);
}

/* glibc's structure, which is longer than musl's. */
struct gnu_ntptimeval {
  struct timeval time;
  long maximum, estimated, tai, unused[4];
};
int ntp_adjtime(struct timex *to) { return adjtimex(to); }
int ntp_gettimex(struct gnu_ntptimeval *to) {
  struct timex now = {0};
  int result = adjtimex(&now);
  *to = (struct gnu_ntptimeval){now.time, now.maxerror, now.esterror, now.tai, {0}};
  return result;
}
int ntp_gettime(struct gnu_ntptimeval *to) {
  struct timex now = {0};
  int result = adjtimex(&now);
  to->time = now.time;
  to->maximum = now.maxerror;
  to->estimated = now.esterror;
  return result;
}
