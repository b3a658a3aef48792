// What was ready is expected to be ready again.
//@ args: --socket-block-interval 2
//@ paths: 0
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0) return 1;
  assert(write(pair[0], "x", 1) == 1);
  assert(write(pair[0], "x", 1) == 1); // expect: bug assert
  return 0;
}
