//@ native: no
//@ paths: 2
// A symbolic length is one that a file refuses, or one that is larger than everything: both are told apart.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <unistd.h>

int main(void) {
  char buffer[4];
  size_t length;
  klee_make_symbolic(&length, sizeof length, "length");
  klee_assume(length >= (size_t)1 << 63 || length == 3);
  int fd = open("/dev/zero", O_RDONLY);
  ssize_t count = read(fd, buffer, length);
  assert(length == 3 ? count == 3 : count == -1 && errno == EFAULT);
  return 0;
}
