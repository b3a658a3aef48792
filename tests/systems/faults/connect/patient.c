/* Connects without waiting, and asks what came of it. */
#include <fcntl.h>
#include <poll.h>

#include "../../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == -1 && errno == EINPROGRESS);
  struct pollfd wanted = {fd, POLLOUT, 0};
  assert(poll(&wanted, 1, -1) == 1);
  socklen_t size = sizeof error;
  assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0);
  assert(error == 0 || error == ECONNREFUSED || error == ETIMEDOUT);
  return 0;
}
