/* One of a pair: hears from the other, decides who leads, and tells the other a second later. */
#include "../../sockets.h"

/* What the other one has said within a second, or 0. */
static char heard(int fd) {
  sleep(1);
  char byte = 0;
  if (recv(fd, &byte, 1, MSG_DONTWAIT) < 0) assert(errno == EAGAIN);
  return byte;
}

static int joined(const char *other) {
  struct sockaddr_in peer = address_of(other, 7000);
  int fd = bound(SOCK_DGRAM, 7000);
  assert(connect(fd, (struct sockaddr *)&peer, sizeof peer) == 0);
  return fd;
}
