/* Is refused: when it waits, when it does not wait, and by datagram. */
#include <fcntl.h>
#include <poll.h>

#include "../sockets.h"

int main(void) {
  struct sockaddr_in peer = address_of("server", 7000);
  struct sockaddr *address = (struct sockaddr *)&peer;

  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(fd, address, sizeof peer) == -1 && errno == ECONNREFUSED);
  close(fd);

  fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
  assert(connect(fd, address, sizeof peer) == -1 && errno == EINPROGRESS);
  struct pollfd wanted = {fd, POLLOUT, 0};
  assert(poll(&wanted, 1, 1000) == 1);
  assert(wanted.revents == (POLLOUT | POLLERR | POLLHUP));
  int error = 0;
  socklen_t size = sizeof error;
  assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED);
  close(fd);

  char byte;
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, address, sizeof peer) == 0);
  assert(write(fd, "x", 1) == 1);
  assert(read(fd, &byte, 1) == -1 && errno == ECONNREFUSED);
  close(fd);
  return 0;
}
