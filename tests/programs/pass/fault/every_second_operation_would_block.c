// Operations on a socket that does not wait: the second and the fourth are not ready. Others are not
// concerned, and no path forks.
//@ args: --socket-block-interval 2
//@ paths: 1
#include <assert.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int pair[2], plain[2];
  char byte;
  assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
  assert(read(pair[0], &byte, 1) < 0 && errno == EAGAIN);
  assert(write(pair[0], "x", 1) == 1);
  assert(read(pair[1], &byte, 1) < 0 && errno == EAGAIN);
  assert(read(pair[1], &byte, 1) == 1 && byte == 'x');
  assert(send(pair[1], "y", 1, 0) < 0 && errno == EAGAIN);
  assert(read(pair[0], &byte, 1) < 0 && errno == EAGAIN);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, plain) == 0);
  for (int i = 0; i < 4; i++) assert(write(plain[0], "x", 1) == 1);
  return 0;
}
