//@ args: --socket-block-interval 3
//@ paths: 1
// A descriptor may be either of two sockets: what happens to sockets happens to the one that it is.
#include <assert.h>
#include <klee/klee.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int a[2], b[2], kind = SOCK_STREAM | SOCK_NONBLOCK;
  char byte;
  if (socketpair(AF_UNIX, kind, 0, a) || socketpair(AF_UNIX, kind, 0, b))
    return 1;
  if (write(a[0], "x", 1) != 1 || write(b[0], "x", 1) != 1)
    return 2;
  int fd = klee_int("fd");
  if (fd != a[1] && fd != b[1])
    return 0;
  assert(read(fd, &byte, 1) == 1); // expect: bug assert
  return 0;
}
