/* Gives up after 20 ms, which is when both senders send, and reads what both have sent. With an argument, it listens at two ports. */
#include <poll.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int fds[2] = {bound(SOCK_DGRAM, 7000), argc > 1 ? bound(SOCK_DGRAM, 7001) : -1};
  struct pollfd wanted[2] = {{fds[0], POLLIN, 0}, {fds[1], POLLIN, 0}};
  char bytes[2];
  int ready = poll(wanted, 2, 20);
  assert(ready <= argc);
  assert(read(fds[0], bytes, 1) == 1 && read(fds[argc > 1], bytes + 1, 1) == 1);
  return 0;
}
