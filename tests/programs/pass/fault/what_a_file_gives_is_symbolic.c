// What is read is as long as what is there, and may be anything.
//@ paths: 4
#include <assert.h>
#include <everett.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char text[4];
  assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
  assert(ioctl(ends[0], EVERETT_IOC_SYMBOLIC, 1) == 0);
  assert(read(ends[0], text, 4) == 3);
  if (text[2] == 'x') puts("x");
  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[0], "abc", 3) == 3);
  assert(ioctl(pair[1], EVERETT_IOC_SYMBOLIC, 1) == 0);
  struct iovec part = {text, sizeof text};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  assert(recvmsg(pair[1], &message, 0) == 3);
  if (text[0] == 'y') puts("y");
  return 0;
}
