/* Waits for the end of a stream before it reads from it. */
#define _GNU_SOURCE
#include "../sockets.h"
#include <poll.h>

int main(void) {
  char bytes[4];
  struct pollfd side = {accept(listening(5000), NULL, NULL), POLLRDHUP, 0};
  assert(poll(&side, 1, -1) == 1 && side.revents == POLLRDHUP);
  assert(read(side.fd, bytes, sizeof bytes) == 3);
  assert(read(side.fd, bytes, sizeof bytes) == 0);
  return 0;
}
