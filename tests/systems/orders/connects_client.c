/* Asks for two connections at once, and waits until it knows of each whether it was made. */
#include "../sockets.h"
#include <fcntl.h>
#include <poll.h>

int main(void) {
  const char *names[2] = {"first", "second"};
  struct pollfd sides[2];
  for (int i = 0; i < 2; i++) {
    struct sockaddr_in peer = address_of(names[i], 5000);
    sides[i] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), .events = POLLOUT};
    assert(connect(sides[i].fd, (struct sockaddr *)&peer, sizeof peer) == -1 && errno == EINPROGRESS);
  }
  for (int known = 0; known < 2;) {
    assert(poll(sides, 2, -1) > 0);
    for (int i = 0; i < 2; i++) {
      int error;
      socklen_t length = sizeof error;
      if (sides[i].revents == 0) continue;
      assert(getsockopt(sides[i].fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0);
      assert(error == 0 || error == ECONNREFUSED);
      sides[i].events = 0;
      sides[i].fd = ~sides[i].fd;
      known++;
    }
  }
  return 0;
}
