/* Asks for the steps of its argument, and then of a symbolic choice of two numbers. */
#include <klee/klee.h>

#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 7000);
  unsigned char n = 6, zero;
  assert(write(fd, &n, 1) == 1);
  assert(read(fd, &n, 1) == 1);
  assert(n == 8);
  klee_make_symbolic(&zero, 1, "zero");
  if (zero) {
    assert(write(fd, "\0", 1) == 1);
  } else {
    assert(write(fd, "\1", 1) == 1);
  }
  assert(read(fd, &n, 1) == 1);
  assert(n == 0);
  return 0;
}
