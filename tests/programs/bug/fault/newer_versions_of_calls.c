// Newer versions of a call fail as the older ones do: an open that makes the file, a write with flags.
//@ args: --max-sys-fail 1 --sys-fail openat2,pwritev2
//@ paths: 1
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {O_RDWR | O_CREAT, 0600, 0};
  int fd = syscall(437 /* openat2 */, AT_FDCWD, "log", &how, sizeof how);
  assert(fd >= 0); // expect: bug assert
  struct iovec part = {"abc", 3};
  assert(syscall(SYS_pwritev2, fd, &part, 1, 0L, 0L, 0) == 3); // expect: bug assert
  return close(fd);
}
