/* Polls two sockets, at each of which one datagram comes, until it has read both. */
#include "../sockets.h"
#include <poll.h>

int main(void) {
  struct pollfd ports[2] = {{.fd = bound(SOCK_DGRAM, 5000), .events = POLLIN},
                            {.fd = bound(SOCK_DGRAM, 5001), .events = POLLIN}};
  for (int read = 0; read < 2;) {
    assert(poll(ports, 2, -1) > 0);
    for (int i = 0; i < 2; i++) {
      char byte;
      if (ports[i].revents == 0)
        continue;
      assert(recv(ports[i].fd, &byte, 1, 0) == 1);
      read++;
    }
  }
  return 0;
}
