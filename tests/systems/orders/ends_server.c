/* Polls two connections until each of them has given a byte, has ended, or was broken off. */
#include "../sockets.h"
#include <poll.h>

int main(void) {
  int first = listening(5000), second = listening(5001);
  struct pollfd sides[2] = {{.fd = accept(first, NULL, NULL), .events = POLLIN},
                            {.fd = accept(second, NULL, NULL), .events = POLLIN}};
  for (int known = 0; known < 2;) {
    assert(poll(sides, 2, -1) > 0);
    for (int i = 0; i < 2; i++) {
      char byte;
      if (sides[i].revents == 0) continue;
      ssize_t count = read(sides[i].fd, &byte, 1);
      assert(count >= 0 || errno == ECONNRESET);
      sides[i].fd = -1;
      known++;
    }
  }
  return 0;
}
