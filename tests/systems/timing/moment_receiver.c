/* Gives up after 20 ms, which is when the sender sends. A careless receiver thinks that the datagram is always
   too late. */
#include <poll.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int fd = bound(SOCK_DGRAM, 7000), careful = argc > 1;
  struct pollfd wanted = {fd, POLLIN, 0};
  char byte;
  int ready = poll(&wanted, 1, 20);
  assert(ready == 0 || careful); // mark: ready
  assert(read(fd, &byte, 1) == 1 && byte == 'x');
  return 0;
}
