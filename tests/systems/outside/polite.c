/* Connects without waiting, asks where it is, talks, and closes one direction after the other. */
#include <fcntl.h>
#include <poll.h>

#include "../sockets.h"

int main(void) {
  struct sockaddr_in server = address_of("server", 7000), self;
  socklen_t length = sizeof self;
  int fd = socket(AF_INET, SOCK_STREAM, 0), error = -1, on = 1;
  assert(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0);
  assert(setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == 0);
  assert(connect(fd, (struct sockaddr *)&server, sizeof server) == -1 && errno == EINPROGRESS);
  struct pollfd ready = {.fd = fd, .events = POLLOUT};
  assert(poll(&ready, 1, -1) == 1 && ready.revents == POLLOUT);
  length = sizeof error;
  assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0);
  length = sizeof self;
  assert(getsockname(fd, (struct sockaddr *)&self, &length) == 0);
  uint16_t port = ntohs(self.sin_port), answer;
  assert(send(fd, &port, sizeof port, 0) == sizeof port);
  assert(recv(fd, &answer, sizeof answer, 0) == -1 && errno == EAGAIN);
  assert(shutdown(fd, SHUT_WR) == 0);
  ready.events = POLLIN;
  assert(poll(&ready, 1, -1) == 1);
  assert(recv(fd, &answer, sizeof answer, 0) == sizeof answer);
  assert(answer != port); // mark: guilty
  return 0;
}
