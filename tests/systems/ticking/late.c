/* A server that is wrong when nobody has come for ten seconds. */
#include <poll.h>

#include "../sockets.h"

int main(void) {
  int fd = listening(7000);
  struct pollfd wanted = {fd, POLLIN, 0};
  for (;;) assert(poll(&wanted, 1, 10000) == 1); // mark: patience
}
